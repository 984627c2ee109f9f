//! A program, its names resolved to places.
use super::value::Text;
use crate::pattern::Pattern;
use std::{cell::OnceCell, rc::Rc};

/// A program.
#[derive(Default)]
pub(super) struct Program {
    pub(super) begin: Vec<Block>,
    pub(super) end: Vec<Block>,
    pub(super) begin_file: Vec<Block>,
    pub(super) end_file: Vec<Block>,
    pub(super) rules: Vec<Rule>,
    pub(super) functions: Vec<Function>,
    /// The names of the global variables, by place.
    pub(super) globals: Vec<Rc<str>>,
    /// How many range patterns there are.
    pub(super) ranges: usize,
}

/// Statements.
pub(super) type Block = Vec<Statement>;

/// `pattern { body }`
pub(super) struct Rule {
    pub(super) pattern: Selector,
    /// Without one, the record is printed.
    pub(super) body: Option<Block>,
}

/// When a rule applies.
pub(super) enum Selector {
    Always,
    When(Expr),
    /// From one to the other; the number tells the ranges of a program apart.
    Range(Expr, Expr, usize),
}

/// `function name(parameters) { body }`
pub(super) struct Function {
    pub(super) name: Rc<str>,
    pub(super) parameters: Vec<Rc<str>>,
    pub(super) body: Block,
}

/// A statement and its line.
pub(super) struct Statement {
    pub(super) line: u32,
    pub(super) kind: StatementKind,
}

pub(super) enum StatementKind {
    Expr(Expr),
    Print(Vec<Expr>, Option<Redirect>),
    Printf(Vec<Expr>, Option<Redirect>),
    If(Expr, Block, Block),
    While(Expr, Block),
    Do(Block, Expr),
    For(Option<Box<Statement>>, Option<Expr>, Option<Box<Statement>>, Block),
    ForIn(Place, ArrayPath, Block),
    Switch(Expr, Vec<(Option<Case>, Block)>),
    Block(Block),
    Delete(ArrayPath, Option<Vec<Expr>>),
    Next,
    NextFile,
    Exit(Option<Expr>),
    Return(Option<Expr>),
    Break,
    Continue,
}

/// A label of `switch`; `default` has none.
pub(super) enum Case {
    Value(Expr),
    Regex(Rc<Pattern>),
}

/// Where `print` prints.
pub(super) struct Redirect {
    pub(super) kind: RedirectKind,
    pub(super) target: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RedirectKind {
    /// `>`
    Write,
    /// `>>`
    Append,
    /// `|`
    Pipe,
}

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variable {
    Global(usize),
    Local(usize),
}

/// The variables that the language looks at itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Special {
    Nr,
    Nf,
    Fnr,
    Fs,
    Ofs,
    Ors,
    Rs,
    Rt,
    Subsep,
    Convfmt,
    Ofmt,
    Rstart,
    Rlength,
    Filename,
    Ignorecase,
    Fieldwidths,
    Fpat,
    Errno,
    Argind,
}

impl Special {
    pub(super) const ALL: [(&'static str, Special); 19] = [
        ("NR", Special::Nr),
        ("NF", Special::Nf),
        ("FNR", Special::Fnr),
        ("FS", Special::Fs),
        ("OFS", Special::Ofs),
        ("ORS", Special::Ors),
        ("RS", Special::Rs),
        ("RT", Special::Rt),
        ("SUBSEP", Special::Subsep),
        ("CONVFMT", Special::Convfmt),
        ("OFMT", Special::Ofmt),
        ("RSTART", Special::Rstart),
        ("RLENGTH", Special::Rlength),
        ("FILENAME", Special::Filename),
        ("IGNORECASE", Special::Ignorecase),
        ("FIELDWIDTHS", Special::Fieldwidths),
        ("FPAT", Special::Fpat),
        ("ERRNO", Special::Errno),
        ("ARGIND", Special::Argind),
    ];

    pub(super) fn named(name: &str) -> Option<Special> {
        Special::ALL.iter().find(|(word, _)| *word == name).map(|(_, special)| *special)
    }
}

/// An array: a variable, or an array in an array.
pub(super) struct ArrayPath {
    pub(super) variable: Variable,
    /// The subscripts on the way.
    pub(super) path: Vec<Vec<Expr>>,
}

/// What can be assigned to.
pub(super) enum Place {
    Variable(Variable),
    Special(Special),
    Field(Box<Expr>),
    Element(ArrayPath, Vec<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Power,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Less,
    LessEqual,
    Equal,
    NotEqual,
    Greater,
    GreaterEqual,
}

/// A regex: known, or made of a text when it is needed.
pub(super) enum Regex {
    Constant(RegexConstant),
    Dynamic(Box<Expr>),
}

/// A regex of the program's text. With `IGNORECASE` it is another one, compiled when it is first needed.
pub(super) struct RegexConstant {
    pub(super) text: Text,
    pub(super) pattern: Rc<Pattern>,
    pub(super) ignoring_case: OnceCell<Rc<Pattern>>,
}

/// Where `getline` reads from.
pub(super) enum Source {
    /// The next record of the input.
    Input,
    File(Box<Expr>),
    Command(Box<Expr>),
}

pub(super) enum Expr {
    Number(f64),
    Text(Text),
    /// `/re/` alone: whether the record matches.
    MatchRecord(RegexConstant),
    /// `@/re/`
    TypedRegex(RegexConstant),
    /// Parentheses: `print (1)(2) > x`, `(1, 2) in a`.
    Group(Box<Expr>),
    /// `(1, 2)` before `in`, or the arguments of `print`.
    List(Vec<Expr>),
    Get(Place),
    /// A variable that may be an array, as an argument.
    Whole(ArrayPath),
    Assign(Place, Box<Expr>),
    /// `a = a b`, grown in place.
    Append(Variable, Box<Expr>),
    Update(Arithmetic, Place, Box<Expr>),
    /// `++` and `--`: what is added, and whether the old value is the answer.
    Step(Place, f64, bool),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Negate(Box<Expr>),
    Plus(Box<Expr>),
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
    Compare(Comparison, Box<Expr>, Box<Expr>),
    Concat(Box<Expr>, Box<Expr>),
    Match(Box<Expr>, Regex, bool),
    In(Vec<Expr>, ArrayPath),
    Call(usize, Vec<Expr>),
    /// `@name(...)`
    CallNamed(Box<Expr>, Vec<Expr>),
    Builtin(Builtin, Vec<Expr>),
    Getline(Source, Option<Box<Place>>),
}

/// The functions that come with the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Builtin {
    And,
    Asort,
    Asorti,
    Atan2,
    Close,
    Compl,
    Cos,
    Exp,
    Fflush,
    Gensub,
    Gsub,
    Index,
    Int,
    Isarray,
    Length,
    Log,
    Lshift,
    Match,
    Mkbool,
    Mktime,
    Or,
    Patsplit,
    Rand,
    Rshift,
    Sin,
    Split,
    Sprintf,
    Sqrt,
    Srand,
    Strftime,
    Strtonum,
    Sub,
    Substr,
    System,
    Systime,
    Tolower,
    Toupper,
    Typeof,
    Xor,
}

impl Builtin {
    /// Each with its name and the fewest and most arguments.
    pub(super) const ALL: [(&'static str, Builtin, usize, usize); 39] = [
        ("and", Builtin::And, 2, usize::MAX),
        ("asort", Builtin::Asort, 1, 3),
        ("asorti", Builtin::Asorti, 1, 3),
        ("atan2", Builtin::Atan2, 2, 2),
        ("close", Builtin::Close, 1, 2),
        ("compl", Builtin::Compl, 1, 1),
        ("cos", Builtin::Cos, 1, 1),
        ("exp", Builtin::Exp, 1, 1),
        ("fflush", Builtin::Fflush, 0, 1),
        ("gensub", Builtin::Gensub, 3, 4),
        ("gsub", Builtin::Gsub, 2, 3),
        ("index", Builtin::Index, 2, 2),
        ("int", Builtin::Int, 1, 1),
        ("isarray", Builtin::Isarray, 1, 1),
        ("length", Builtin::Length, 0, 1),
        ("log", Builtin::Log, 1, 1),
        ("lshift", Builtin::Lshift, 2, 2),
        ("match", Builtin::Match, 2, 3),
        ("mkbool", Builtin::Mkbool, 1, 1),
        ("mktime", Builtin::Mktime, 1, 2),
        ("or", Builtin::Or, 2, usize::MAX),
        ("patsplit", Builtin::Patsplit, 2, 4),
        ("rand", Builtin::Rand, 0, 0),
        ("rshift", Builtin::Rshift, 2, 2),
        ("sin", Builtin::Sin, 1, 1),
        ("split", Builtin::Split, 2, 4),
        ("sprintf", Builtin::Sprintf, 1, usize::MAX),
        ("sqrt", Builtin::Sqrt, 1, 1),
        ("srand", Builtin::Srand, 0, 1),
        ("strftime", Builtin::Strftime, 0, 3),
        ("strtonum", Builtin::Strtonum, 1, 1),
        ("sub", Builtin::Sub, 2, 3),
        ("substr", Builtin::Substr, 2, 3),
        ("system", Builtin::System, 1, 1),
        ("systime", Builtin::Systime, 0, 0),
        ("tolower", Builtin::Tolower, 1, 1),
        ("toupper", Builtin::Toupper, 1, 1),
        ("typeof", Builtin::Typeof, 1, 2),
        ("xor", Builtin::Xor, 2, usize::MAX),
    ];
}
