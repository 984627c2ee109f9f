//! What is wrong with a pattern.
use crate::{Error, Status};
use std::{borrow::Cow, error, fmt};

/// Why a pattern cannot be used, or why a search was given up; in GNU's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError(Cow<'static, str>);

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl error::Error for PatternError {}

impl From<&'static str> for PatternError {
    fn from(message: &'static str) -> PatternError {
        PatternError(message.into())
    }
}

impl From<String> for PatternError {
    fn from(message: String) -> PatternError {
        PatternError(message.into())
    }
}

impl From<PatternError> for Error {
    /// `name: message`, status 2; a command with another status maps it itself.
    fn from(error: PatternError) -> Error {
        Error::Failed(error.to_string(), Status(2))
    }
}
