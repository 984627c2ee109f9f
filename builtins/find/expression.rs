//! What a `find` expression is made of.
use super::{age::Age, format::Format};
use crate::{Glob, Kind, Output, VPath, pattern::Pattern};

/// An expression: whether it holds for a file, and what it does on the way.
pub(super) enum Expr {
    /// All of these, up to the first that does not hold.
    All(Vec<Expr>),
    /// One of these, up to the first that holds.
    Any(Vec<Expr>),
    /// Each of these; the last one's answer.
    List(Vec<Expr>),
    Not(Box<Expr>),
    Test(Test),
    Action(Action),
}

/// A question about a file.
pub(super) enum Test {
    True,
    False,
    Name(Glob),
    Path(Glob),
    Regex(Pattern),
    Kinds(Vec<Kind>),
    /// In units of so many bytes, rounded up.
    Size(Compare, u64),
    Empty,
    /// Changed after this moment.
    NewerThan((i64, u32)),
    Age(Age),
    Permissions(Permissions),
    Links(Compare),
    Inode(Compare),
    Same(VPath),
    Readable,
    Writable,
    Executable,
}

/// Something to do with a file.
pub(super) enum Action {
    /// The path and an end of line.
    Print(Target, char),
    Printf(Target, Format),
    Ls(Target),
    /// The command at this place.
    Exec(usize),
    Delete,
    Prune,
    Quit,
}

/// Where an action writes.
pub(super) enum Target {
    Stdout,
    Stderr,
    /// What `-fprint` and its kin have opened; unbuffered.
    File(Output),
}

/// A command of `-exec`, `-execdir`, `-ok` or `-okdir`.
pub(super) struct Exec {
    pub(super) words: Vec<String>,
    /// `+`: as many files a run as fit.
    pub(super) is_batch: bool,
    /// Run it in the file's folder.
    pub(super) in_folder: bool,
    /// Ask first.
    pub(super) asks: bool,
}

/// A number with `+` (more), `-` (less) or neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compare {
    More(u64),
    Less(u64),
    Exactly(u64),
}

/// `-perm`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Permissions {
    Exactly(u32),
    /// `-MODE`.
    All(u32),
    /// `/MODE`.
    Any(u32),
}

impl Expr {
    /// Whether some part of it is an action that takes the place of `-print`.
    pub(super) fn has_action(&self) -> bool {
        match self {
            Expr::All(parts) | Expr::Any(parts) | Expr::List(parts) => parts.iter().any(Expr::has_action),
            Expr::Not(part) => part.has_action(),
            Expr::Test(_) | Expr::Action(Action::Prune | Action::Quit) => false,
            Expr::Action(_) => true,
        }
    }
}

impl Compare {
    /// Read `+5`, `-5` or `5`.
    pub(super) fn read(text: &str) -> Option<Compare> {
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
        match text.as_bytes().first()? {
            b'+' => digits(&text[1..]).map(Compare::More),
            b'-' => digits(&text[1..]).map(Compare::Less),
            _ => digits(text).map(Compare::Exactly),
        }
    }

    pub(super) fn holds(self, value: u64) -> bool {
        match self {
            Compare::More(limit) => value > limit,
            Compare::Less(limit) => value < limit,
            Compare::Exactly(limit) => value == limit,
        }
    }
}

impl Permissions {
    pub(super) fn hold(self, mode: u32) -> bool {
        match self {
            Permissions::Exactly(bits) => mode == bits,
            Permissions::All(bits) => mode & bits == bits,
            Permissions::Any(bits) => bits == 0 || mode & bits != 0,
        }
    }
}
