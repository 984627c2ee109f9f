//! What a line of input means: the tree that the interpreter walks.
//!
//! It is immutable, `Send + Sync`, and shared by `Arc` wherever a part of it may outlive or leave the thread that runs
//! it: a pipeline's stages, a function's body, a background list. Here-documents are filled in before it is handed out.
//! Words keep their quoting; expansion decides what it means.
use std::sync::Arc;

/// A sequence of lists: a script, a body, a substitution.
pub type Script = Arc<[Item]>;

/// One list and what ends it.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// The pipelines joined by `&&` and `||`.
    pub list: Arc<AndOr>,
    /// It ends with `&`.
    pub background: bool,
    /// The line it begins on, from 1.
    pub line: u32,
}

/// Pipelines joined by `&&` and `||`, which bind equally and from the left.
#[derive(Debug, Clone, PartialEq)]
pub struct AndOr {
    /// The first pipeline.
    pub first: Pipeline,
    /// The others, each with what stands before it.
    pub rest: Vec<(Connective, Pipeline)>,
}

/// What joins two pipelines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Connective {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// Commands joined by `|`. A `|&` has become a `2>&1` at the end of the redirections before it.
#[derive(Debug, Clone, PartialEq)]
pub struct Pipeline {
    /// An odd number of `!` stands before it.
    pub negated: bool,
    /// `time` stands before it.
    pub timed: Option<TimeFormat>,
    /// At least one; with `time` or `!` alone, an empty simple command.
    pub commands: Vec<Arc<Command>>,
}

/// How `time` reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeFormat {
    /// `real 0m0.000s` with a tab, or what `TIMEFORMAT` says.
    Bash,
    /// `time -p`: `real 0.00`.
    Posix,
}

/// One stage of a pipeline.
#[derive(Debug, Clone, PartialEq)]
pub struct Command {
    /// What to run.
    pub kind: CommandKind,
    /// Redirections of a compound command, in order; a simple command holds its own.
    pub redirects: Vec<Redirect>,
    /// The line it begins on, from 1: `$LINENO`.
    pub line: u32,
}

/// The kinds of command.
#[derive(Debug, Clone, PartialEq)]
pub enum CommandKind {
    /// Assignments, words and redirections.
    Simple(Simple),
    /// A construct with a body.
    Compound(Compound),
    /// `name() body`. Redirections of the body belong to the body.
    Function {
        /// The name.
        name: String,
        /// Any compound command, with its redirections.
        body: Arc<Command>,
    },
}

/// A simple command.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Simple {
    /// `name=value` before the first word.
    pub assignments: Vec<Assignment>,
    /// The command's name and arguments, unexpanded. An assignment-like argument of `declare` and its kin is a
    /// [`Part::Assignment`] word.
    pub words: Vec<Word>,
    /// Redirections, in order.
    pub redirects: Vec<Redirect>,
}

/// `name=value`, `name+=value`, `name[index]=value`, `name=(…)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    /// The variable.
    pub name: String,
    /// Its subscript, unexpanded.
    pub index: Option<Word>,
    /// `+=`.
    pub append: bool,
    /// What is assigned.
    pub value: AssignedValue,
}

/// The right side of an assignment.
#[derive(Debug, Clone, PartialEq)]
pub enum AssignedValue {
    /// One word, not split.
    Word(Word),
    /// `( word [key]=word … )`.
    Array(Vec<ArrayItem>),
}

/// One item of a compound assignment.
#[derive(Debug, Clone, PartialEq)]
pub struct ArrayItem {
    /// The subscript of `[key]=word`.
    pub key: Option<Word>,
    /// `[key]+=word`.
    pub append: bool,
    /// The value; split and globbed when there is no key.
    pub value: Word,
}

/// Constructs with a body.
#[derive(Debug, Clone, PartialEq)]
pub enum Compound {
    /// `{ …; }`
    Brace(Script),
    /// `( … )`
    Subshell(Script),
    /// `while guard; do body; done`, or `until`.
    Loop {
        /// `until`: run while the guard fails.
        until: bool,
        /// What decides.
        guard: Script,
        /// What is repeated.
        body: Script,
    },
    /// `if … then … elif … else … fi`
    If {
        /// Guards and bodies, in order.
        arms: Vec<(Script, Script)>,
        /// `else`.
        otherwise: Option<Script>,
    },
    /// `for name in words; do body; done`; no `in` is `"$@"`.
    For {
        /// The variable.
        name: String,
        /// The words after `in`.
        words: Option<Vec<Word>>,
        /// What is repeated.
        body: Script,
    },
    /// `select name in words; do body; done`
    Select {
        /// The variable.
        name: String,
        /// The words after `in`.
        words: Option<Vec<Word>>,
        /// What is repeated.
        body: Script,
    },
    /// `for ((first; test; step)); do body; done`; an empty clause is an empty word.
    ArithFor {
        /// The three expressions.
        clauses: Box<[Word; 3]>,
        /// What is repeated.
        body: Script,
    },
    /// `case word in arms esac`
    Case {
        /// What is looked at.
        word: Word,
        /// In order.
        arms: Vec<CaseArm>,
    },
    /// `(( expression ))`, to be expanded as if in double quotes and then evaluated.
    Arith(Word),
    /// `[[ expression ]]`
    Cond(Cond),
}

/// One arm of a `case`.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseArm {
    /// Patterns, any of which may match.
    pub patterns: Vec<Word>,
    /// What runs then.
    pub body: Script,
    /// How it ends.
    pub end: CaseEnd,
}

/// How an arm of a `case` ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CaseEnd {
    /// `;;`
    #[default]
    Break,
    /// `;&`: the next body runs too.
    FallThrough,
    /// `;;&`: the next patterns are tested too.
    TestNext,
}

/// An expression of `[[ ]]`.
#[derive(Debug, Clone, PartialEq)]
pub enum Cond {
    /// `! e`
    Not(Box<Cond>),
    /// `a && b`
    And(Box<Cond>, Box<Cond>),
    /// `a || b`
    Or(Box<Cond>, Box<Cond>),
    /// `-f word`; a lone word is `-n word`.
    Unary(String, Word),
    /// `a == pattern`, `a =~ regex`, `a -lt b`, `a < b`, …; `=` is `==`.
    Binary(String, Word, Word),
}

/// A redirection.
#[derive(Debug, Clone, PartialEq)]
pub struct Redirect {
    /// The file descriptor on the left.
    pub fd: RedirectFd,
    /// What it becomes.
    pub kind: RedirectKind,
}

/// The left side of a redirection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RedirectFd {
    /// None given: 0 or 1 by the operator.
    Default,
    /// `2>`
    Number(u16),
    /// `{name}>`: a free descriptor of 10 or more, put into the variable.
    Variable(String),
}

/// The operators.
#[derive(Debug, Clone, PartialEq)]
pub enum RedirectKind {
    /// `< word`
    Read(Word),
    /// `> word`
    Write(Word),
    /// `<> word`
    ReadWrite(Word),
    /// `>> word`
    Append(Word),
    /// `>| word`
    Clobber(Word),
    /// `<& word`: a number, `-`, or `N-`.
    DupRead(Word),
    /// `>& word`: a number, `-`, `N-`; any other word without a number on the left is [`RedirectKind::Both`].
    DupWrite(Word),
    /// `&> word`, and `&>> word` with `append`.
    Both {
        /// The file.
        word: Word,
        /// `&>>`
        append: bool,
    },
    /// `<<< word`
    HereString(Word),
    /// `<< end`, its body with the parts that expand; quoted delimiters leave one [`Part::Quoted`].
    HereDoc(Word),
}

/// A word before expansion. The empty word (no parts) expands to nothing; `''` is one empty [`Part::Quoted`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Word(pub Vec<Part>);

/// A piece of a word.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// Unquoted text; brace, tilde and pathname expansion look at it.
    Lit(String),
    /// Text made literal by `'…'`, `$'…'` or a backslash.
    Quoted(String),
    /// `"…"`. Its [`Part::Lit`]s are literal, too.
    DoubleQuoted(Vec<Part>),
    /// `$name`, `${…}`
    Param(Box<Param>),
    /// `$(…)` or backquotes.
    Command(Script),
    /// `$((…))`
    Arith(Word),
    /// `<(…)` and `>(…)`
    Process {
        /// `<(…)`: the command's output is read.
        input: bool,
        /// The command.
        body: Script,
    },
    /// `?(a|b)` and the like, in place of a glob; meant as a pattern only where extglob holds (and always in `[[ ]]`).
    ExtGlob(char, Vec<Word>),
    /// An argument of `declare`, `local`, `export`, `readonly` or `typeset` that has the shape of an assignment. It is
    /// always the only part of its word.
    Assignment(Box<Assignment>),
}

/// A parameter expansion.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// A variable's name, a number, or one of `@*#?-$!_`.
    pub name: String,
    /// Written without braces: a brace expansion right after it (`$x{1,2}`) makes the name longer.
    pub bare: bool,
    /// `${!name…}`
    pub indirect: bool,
    /// The subscript; `@` and `*` are literal words.
    pub index: Option<Word>,
    /// What is done with the value.
    pub op: ParamOp,
}

/// The operators of `${…}`.
#[derive(Debug, Clone, PartialEq)]
pub enum ParamOp {
    /// The value.
    Get,
    /// `${#name}`
    Len,
    /// `${!name[@]}`, `${!name[*]}`
    Keys,
    /// `${!prefix@}`, `${!prefix*}`: which of the two.
    Names(char),
    /// `${name:-word}` and its siblings.
    Default {
        /// With a colon an empty value counts as unset.
        colon: bool,
        /// One of `-=?+`.
        op: char,
        /// The word.
        word: Word,
    },
    /// `${name#pattern}` and its siblings.
    Trim {
        /// `%` instead of `#`.
        suffix: bool,
        /// Doubled.
        longest: bool,
        /// The pattern.
        pattern: Word,
    },
    /// `${name/pattern/with}`
    Replace {
        /// Which matches.
        which: Which,
        /// The pattern.
        pattern: Word,
        /// What stands in its place.
        with: Word,
    },
    /// `${name:offset:len}`
    Slice {
        /// An arithmetic expression.
        offset: Word,
        /// Another.
        len: Option<Word>,
    },
    /// `${name^pattern}` and its siblings.
    Case {
        /// One of `^,~`.
        op: char,
        /// Doubled: every character.
        all: bool,
        /// Which characters; empty is all.
        pattern: Word,
    },
    /// `${name@Q}` and its siblings.
    Transform(char),
    /// Something that no expansion accepts: its text, for `bad substitution` when it is reached, as in bash.
    Bad(String),
}

/// Which matches a replacement replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// `/`
    First,
    /// `//`
    All,
    /// `/#`
    Prefix,
    /// `/%`
    Suffix,
}
