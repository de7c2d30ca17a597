//! What can be wrong with bytes that came over a network.

use thiserror::Error;

/// Why a datagram was refused: none of it is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// It ends too early.
    #[error("cut off")]
    Truncated,
    /// More bytes than any datagram has.
    #[error("longer than any datagram")]
    TooLong,
    /// Another version of the protocol, or other rules.
    #[error("of another protocol version or other rules than this")]
    OtherMark,
    /// A code that stands for nothing.
    #[error("{0} is out of range")]
    OutOfRange(&'static str),
    /// Bytes behind the end.
    #[error("bytes behind the end are not zero")]
    Trailing,
}
