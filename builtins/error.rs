//! Why a command gave up. What it can survive it reports itself ([`crate::Call::warn`]) and turns into a status.
use crate::{ErrorKind, FsError, Stop};
use std::{error, fmt, io};

/// Result of a command.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Status(pub u8);

impl Status {
    /// 0.
    pub const OK: Status = Status(0);
    /// 1.
    pub const FAILURE: Status = Status(1);

    /// Whether this is 0.
    pub fn is_ok(self) -> bool {
        self == Status::OK
    }
}

impl From<bool> for Status {
    /// `true` is 0, as `test` answers.
    fn from(yes: bool) -> Status {
        if yes { Status::OK } else { Status::FAILURE }
    }
}

/// The end of a command that could not go on. Exactly one place, the shell's `stage`, prints it.
#[derive(Debug)]
pub enum Error {
    /// Wrong words: `name: message` and `Try 'name --help'` on stderr; the status is the command's `trouble`.
    Usage(String),
    /// One line on stderr, `name: message`, and this status.
    Failed(String, Status),
    /// A stream ended it. `BrokenPipe` is silent (141); a stop has its own status.
    Io(io::Error),
    /// Everything has been said already: end with this status.
    Quiet(Status),
    /// `--help` was asked for: the row's help on stdout, status 0.
    Help,
    /// `--version` was asked for: one line on stdout, status 0.
    Version,
}

impl Error {
    /// A failure with status 1.
    pub fn failed(message: impl Into<String>) -> Error {
        Error::Failed(message.into(), Status::FAILURE)
    }

    /// Wrong words.
    pub fn usage(message: impl Into<String>) -> Error {
        Error::Usage(message.into())
    }

    /// The status the shell sees; `trouble` is the command's own status for wrong words.
    pub fn status(&self, trouble: Status) -> Status {
        match self {
            Error::Usage(_) => trouble,
            Error::Failed(_, status) | Error::Quiet(status) => *status,
            Error::Help | Error::Version => Status::OK,
            Error::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => Status(141),
            Error::Io(error) => Stop::of(error).map_or(Status::FAILURE, |stop| Status(stop.status())),
        }
    }

    /// Whether the user should not hear of it.
    pub fn is_silent(&self) -> bool {
        match self {
            Error::Quiet(_) | Error::Help | Error::Version => true,
            Error::Io(error) => error.kind() == io::ErrorKind::BrokenPipe || Stop::of(error).is_some(),
            Error::Usage(_) | Error::Failed(..) => false,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage(message) | Error::Failed(message, _) => f.write_str(message),
            Error::Io(error) => error.fmt(f),
            Error::Quiet(_) | Error::Help | Error::Version => Ok(()),
        }
    }
}

impl error::Error for Error {}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Io(error)
    }
}

impl From<FsError> for Error {
    fn from(error: FsError) -> Error {
        match error.kind {
            ErrorKind::Stopped(stop) => Error::Io(stop.into()),
            kind => Error::failed(format!("{}: {kind}", error.path)),
        }
    }
}

impl From<Stop> for Error {
    fn from(stop: Stop) -> Error {
        Error::Io(stop.into())
    }
}
