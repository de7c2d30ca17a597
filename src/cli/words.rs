//! Words that commands share.
//!
//! Promises: one of a thing is told in the singular. Must not know which command speaks.

use std::fmt::Display;

/// "1 error", "2 errors", "2 crouches".
pub(crate) fn counted<N: Display + PartialEq + From<u8>>(count: N, what: &str) -> String {
    let end = match what {
        _ if count == N::from(1) => "",
        _ if what.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{count} {what}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_told_in_the_singular() {
        let told = |count: u32| (counted(count, "door"), counted(count, "crouch"));
        assert_eq!(told(1), ("1 door".to_owned(), "1 crouch".to_owned()));
        assert_eq!(told(0), ("0 doors".to_owned(), "0 crouches".to_owned()));
        assert_eq!(told(12), ("12 doors".to_owned(), "12 crouches".to_owned()));
    }
}
