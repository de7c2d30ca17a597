//! From a verdict to a record: the last stage of the filter, and the only maker of what may be sent.
//!
//! Owns [`Disclosed`]. Promises: a field that a level is not told is in no record. Errs towards hidden.
//! Must not know how a verdict came about, nor when a record is sent.

/// What its observer may have: made by redaction alone, and all that sending takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disclosed<T>(T);

impl<T> Disclosed<T> {
    /// What was told.
    pub fn get(&self) -> &T {
        &self.0
    }

    /// For tests of what comes after redaction.
    #[cfg(test)]
    pub(crate) fn in_a_test(told: T) -> Self {
        Self(told)
    }
}
