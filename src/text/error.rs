//! What can be wrong with any text in RON, whatever it is about.
//!
//! Promises: every error has a short name that stays, and says what to do. Must not know a schema.

/// Why a text is not what its format has.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// The file could not be read.
    #[error("the file can't be read: {0}")]
    Unreadable(String),
    /// The file is longer than the limit.
    #[error("the file has over {limit} bytes")]
    FileTooLong {
        /// Greatest number of bytes.
        limit: usize,
    },
    /// The file is not UTF-8.
    #[error("the file is not UTF-8 text")]
    NotText,
    /// The text is not RON.
    #[error("{0}")]
    Syntax(String),
    /// The version is not one that this release reads.
    #[error("version {0} of the format is not known")]
    UnknownVersion(u64),
    /// A field that the format does not have.
    #[error("unknown field `{field}`")]
    UnknownField {
        /// Its name.
        field: String,
        /// The names that the format has here.
        known: &'static [&'static str],
    },
    /// A field that must be there is not.
    #[error("field `{0}` is missing")]
    MissingField(&'static str),
    /// A field is given twice.
    #[error("field `{0}` is given twice")]
    RepeatedField(&'static str),
    /// A value is of another type than the format has here.
    #[error("expected {expected}, found `{found}`")]
    WrongType {
        /// What the format has here.
        expected: &'static str,
        /// The beginning of what is there.
        found: String,
        /// What the decoder says, if it says anything.
        detail: String,
    },
    /// A value that names its kind by a word that the format does not have.
    #[error("unknown kind `{kind}`")]
    UnknownKind {
        /// The word.
        kind: String,
        /// The kinds that the format has here.
        known: &'static [&'static str],
    },
    /// A name is too long for a list of names.
    #[error("`{what}` has over {MAX_NAME_BYTES} bytes")]
    LongName {
        /// What is named.
        what: &'static str,
    },
    /// A name holds a character that moves a terminal's cursor, or the like.
    #[error("`{what}` holds the control character U+{:04X}", u32::from(*.character))]
    ControlCharacter {
        /// What is named.
        what: &'static str,
        /// The first such character.
        character: char,
    },
    /// A number is infinite or not a number where only a finite one makes sense.
    #[error("{0} must be a finite number")]
    NotFinite(&'static str),
    /// A number lies outside what makes sense.
    #[error("{what} is {value}, but must be {must}")]
    OutOfRange {
        /// The number's name.
        what: &'static str,
        /// The number.
        value: f64,
        /// What it must be.
        must: &'static str,
    },
    /// More of something than the limit.
    #[error("the file has more than {limit} {what}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// Greatest number.
        limit: usize,
    },
}

impl TextError {
    /// A short name that stays the same over releases.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "unreadable",
            Self::FileTooLong { .. } => "file-too-long",
            Self::NotText => "not-text",
            Self::Syntax(_) => "syntax",
            Self::UnknownVersion(_) => "unknown-version",
            Self::UnknownField { .. } => "unknown-field",
            Self::MissingField(_) => "missing-field",
            Self::RepeatedField(_) => "repeated-field",
            Self::WrongType { .. } => "wrong-type",
            Self::UnknownKind { .. } => "unknown-kind",
            Self::LongName { .. } => "long-name",
            Self::ControlCharacter { .. } => "control-character",
            Self::NotFinite(_) => "not-finite",
            Self::OutOfRange { .. } => "out-of-range",
            Self::TooMany { .. } => "too-many",
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Unreadable(_) => "check the path and its permissions".into(),
            Self::FileTooLong { .. } => "shorten the file".into(),
            Self::NotText => "save the file as UTF-8".into(),
            Self::Syntax(_) => "the text must be RON: (field: value, ...), lists in [...]".into(),
            Self::UnknownVersion(_) => "this release reads `version: 1`".into(),
            Self::UnknownField { known: [], .. } => "no named field belongs here".into(),
            Self::UnknownField { field, known } => match similar(field, known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known here: {}; your own data goes into `ext: {{...}}`", known.join(", ")),
            },
            Self::MissingField(field) => format!("add `{field}: ...`"),
            Self::RepeatedField(_) => "keep one of the two".into(),
            Self::WrongType { detail, .. } if detail.is_empty() => "write it as the format has it".into(),
            Self::WrongType { detail, .. } => format!("the decoder says: {detail}"),
            Self::UnknownKind { kind, known } => match similar(kind, known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known here: {}", known.join(", ")),
            },
            Self::LongName { .. } => "shorten it; your own data goes into `ext: {...}`".into(),
            Self::ControlCharacter { .. } => "write it in letters, without line breaks".into(),
            Self::NotFinite(_) => "write a finite number".into(),
            Self::OutOfRange { .. } => "lengths are metres, times are seconds".into(),
            Self::TooMany { .. } => "leave out what is not needed".into(),
        }
    }
}

/// Bytes of a name, at most.
const MAX_NAME_BYTES: usize = 256;

/// Whether lists and terminals can show a text as a name: it is short, and has no control characters.
pub(crate) fn is_name(text: &str) -> bool {
    name_problem(text, "").is_none()
}

/// Why a text is no name of `what`.
pub(crate) fn name_problem(text: &str, what: &'static str) -> Option<TextError> {
    if text.len() > MAX_NAME_BYTES {
        return Some(TextError::LongName { what });
    }
    let character = text.chars().find(|c| c.is_control())?;
    Some(TextError::ControlCharacter { what, character })
}

/// The known name that a mistyped one stands for: at most a third of its letters differ, but for their case.
pub(crate) fn similar<'k>(field: &str, known: &[&'k str]) -> Option<&'k str> {
    if field.len() > 40 {
        return None;
    }
    let distance = |name: &str| {
        let mut row: Vec<usize> = (0..=name.len()).collect();
        for (i, a) in field.bytes().enumerate() {
            let mut diagonal = std::mem::replace(&mut row[0], i + 1);
            for (j, b) in name.bytes().enumerate() {
                let differs = usize::from(!a.eq_ignore_ascii_case(&b));
                let least = (row[j] + 1).min(row[j + 1] + 1).min(diagonal + differs);
                diagonal = std::mem::replace(&mut row[j + 1], least);
            }
        }
        row[name.len()]
    };
    // Most need no comparison of letters, and a hostile file may ask millions of times.
    let near = known.iter().copied().filter(|name| name.len().abs_diff(field.len()) * 3 <= name.len());
    near.map(|n| (distance(n), n)).min().filter(|(d, n)| d * 3 <= n.len()).map(|(_, n)| n)
}
