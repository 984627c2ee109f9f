//! What a script means, once it has been read.
use super::{output::Target, replace::Replacement, transliterate::Transliteration};
use crate::{Output, pattern::Pattern};

/// A script, flat: blocks and branches are jumps between places in `commands`.
#[derive(Default)]
pub(super) struct Script {
    /// Each command; `}`, labels and comments have left nothing.
    pub(super) commands: Vec<Command>,
    /// The first line was `#n`: no automatic printing.
    pub(super) quiet: bool,
    /// The files that `R` reads, each from where the last `R` of that name left off.
    pub(super) line_sources: Vec<String>,
    /// The files that `w` writes, each opened once.
    pub(super) outputs: Vec<(String, Output)>,
}

/// One command and the lines it applies to.
pub(super) struct Command {
    /// Which lines.
    pub(super) lines: Lines,
    /// `!`: all other lines.
    pub(super) negated: bool,
    /// What is done.
    pub(super) action: Action,
}

/// The lines that a command applies to.
pub(super) enum Lines {
    /// Every line.
    All,
    /// Those of one address.
    At(Address),
    /// From an address to the end that is found next.
    Range(Address, End),
}

/// One address.
pub(super) enum Address {
    /// `N`; 0 only before `,/re/`.
    Number(u64),
    /// `FIRST~STEP`.
    Step(u64, u64),
    /// `$`.
    Last,
    /// `/re/`.
    Regex(Regex),
}

/// The end of a range.
pub(super) enum End {
    /// `,N`.
    Number(u64),
    /// `,+N`.
    After(u64),
    /// `,~N`.
    Multiple(u64),
    /// `,FIRST~STEP`
    Step(u64, u64),
    /// `,$`.
    Last,
    /// `,/re/`.
    Regex(Regex),
}

/// A regular expression, or the one used last (`//`).
pub(super) type Regex = Option<Pattern>;

/// What a command does; each is named by its letter in the comment.
pub(super) enum Action {
    /// `{`: go on, or else to the place after its `}`.
    Block(usize),
    /// `b t T` to a place; the end of the script is one past the last command.
    Branch(When, usize),
    /// `a`
    Append(Vec<u8>),
    /// `i`
    Insert(Vec<u8>),
    /// `c`
    Change(Vec<u8>),
    /// `d`
    Delete,
    /// `D`
    DeleteFirst,
    /// `F`
    FileName,
    /// `g`
    Get,
    /// `G`
    GetAppend,
    /// `h`
    Hold,
    /// `H`
    HoldAppend,
    /// `x`
    Exchange,
    /// `l`, with its own line length.
    List(Option<usize>),
    /// `n`
    Next,
    /// `N`
    NextAppend,
    /// `p`
    Print,
    /// `P`
    PrintFirst,
    /// `q`
    Quit(u8),
    /// `Q`
    QuitSilently(u8),
    /// `r`
    ReadFile(String),
    /// `R`, an index into [`Script::line_sources`].
    ReadLine(usize),
    /// `s`
    Substitute(Box<Substitution>),
    /// `w`
    Write(Target),
    /// `W`
    WriteFirst(Target),
    /// `y`
    Transliterate(Transliteration),
    /// `z`
    Zap,
    /// `=`
    LineNumber,
}

/// When a branch is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// `b`
    Always,
    /// `t`: something was substituted since the line was read or `t` last jumped.
    Substituted,
    /// `T`: nothing was.
    NotSubstituted,
}

/// `s/regex/replacement/flags`
pub(super) struct Substitution {
    pub(super) regex: Regex,
    pub(super) replacement: Replacement,
    /// `g`
    pub(super) global: bool,
    /// A number: the match to begin with.
    pub(super) nth: u64,
    /// `p`
    pub(super) print: bool,
    /// `w`
    pub(super) target: Option<Target>,
}
