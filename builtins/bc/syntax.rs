//! The language as a tree.

/// A number as it is written; what it means depends on `ibase` when it is reached.
pub(super) type Digits = String;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expr {
    Number(Digits),
    Place(Place),
    /// `place OP= value`; no operator for `=`.
    Assign(Place, Option<Op>, Box<Expr>),
    /// `++place` and its kind: what is added, and whether the new value is the result.
    Step {
        place: Place,
        up: bool,
        before: bool,
    },
    Negative(Box<Expr>),
    Not(Box<Expr>),
    Binary(Box<Expr>, Op, Box<Expr>),
    Compare(Box<Expr>, Relation, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Call(String, Vec<Argument>),
    Length(Box<Expr>),
    Scale(Box<Expr>),
    Sqrt(Box<Expr>),
    Read,
    /// In parentheses: an assignment then is a value to print.
    Group(Box<Expr>),
}

/// What can be assigned to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Place {
    Variable(String),
    Element(String, Box<Expr>),
    Scale,
    Ibase,
    Obase,
    Last,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Argument {
    Value(Expr),
    Array(String),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Statement {
    /// Its value is printed unless it is an assignment.
    Expression(Expr),
    Text(String),
    Print(Vec<Printed>),
    If(Expr, Box<Statement>, Option<Box<Statement>>),
    While(Expr, Box<Statement>),
    /// Start, condition, step; an empty condition holds.
    For(Option<Expr>, Option<Expr>, Option<Expr>, Box<Statement>),
    Block(Vec<Statement>),
    Break,
    Continue,
    Return(Option<Expr>),
    Halt,
    Limits,
}

/// What `print` prints.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Printed {
    Text(String),
    Value(Expr),
}

/// A name of a function that gets a value for its call.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Local {
    Variable(String),
    Array(String),
    /// `*name[]`: the caller's own array.
    Reference(String),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) void: bool,
    pub(super) parameters: Vec<Local>,
    pub(super) locals: Vec<Local>,
    pub(super) body: Vec<Statement>,
}

/// What stands on a line of its own.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Item {
    Statements(Vec<Statement>),
    Define(Function),
}
