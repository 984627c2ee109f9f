//! A filter, its names resolved.
use super::{format::Format, natives::Native, value::Value};
use jaq_core::ops::{Cmp, Math};
use std::rc::Rc;

/// A filter: from a value to a stream of values.
pub(super) enum Filter {
    /// `.`
    Identity,
    /// `..`
    Recurse,
    Literal(Value),
    /// A string with filters in it, perhaps behind a format: `@csv "\(.a)"`.
    Text(Format, Vec<Part>),
    /// `@csv`
    Format(Format),
    Array(Option<Box<Filter>>),
    Object(Vec<(Filter, Filter)>),
    Negate(Box<Filter>),
    Pipe(Box<Filter>, Box<Filter>),
    Comma(Box<Filter>, Box<Filter>),
    /// `//`
    Alternative(Box<Filter>, Box<Filter>),
    And(Box<Filter>, Box<Filter>),
    Or(Box<Filter>, Box<Filter>),
    Math(Math, Box<Filter>, Box<Filter>),
    Compare(Cmp, Box<Filter>, Box<Filter>),
    /// `source as pattern | body`
    Bind(Box<Filter>, Pattern, Box<Filter>),
    Label(Box<Filter>),
    Break(usize),
    Reduce(Box<Fold>),
    Foreach(Box<Fold>),
    Try(Box<Filter>, Option<Box<Filter>>),
    If(Vec<(Filter, Filter)>, Option<Box<Filter>>),
    /// A variable, so many bindings ago.
    Variable(usize),
    /// A definition, and what it is for.
    Define(Rc<Function>, Box<Filter>),
    /// A call of a definition, so many bindings ago.
    Call(usize, Vec<Filter>),
    /// A call of a definition that jq comes with.
    CallGlobal(usize, Vec<Filter>),
    /// A parameter that is a filter, so many bindings ago.
    Parameter(usize),
    Native(Native, Vec<Filter>),
    /// `base[key]`; with the flag (`?`) what cannot be indexed gives nothing. So the next two.
    Index(Box<Filter>, Box<Filter>, bool),
    /// `base[from:to]`
    Slice(Box<Filter>, Option<Box<Filter>>, Option<Box<Filter>>, bool),
    /// `base[]`
    Each(Box<Filter>, bool),
    /// `=`
    Assign(Box<Filter>, Box<Filter>),
    /// `|=`
    Update(Box<Filter>, Box<Filter>),
    /// `+=` and its kind
    UpdateMath(Math, Box<Filter>, Box<Filter>),
    /// `//=`
    UpdateAlternative(Box<Filter>, Box<Filter>),
}

impl Filter {
    /// Whether there is exactly one output, unless there is an error: known by looking.
    pub(super) fn is_single(&self) -> bool {
        match self {
            Filter::Identity | Filter::Literal(_) | Filter::Variable(_) | Filter::Format(_) | Filter::Array(_) => true,
            Filter::Negate(operand) => operand.is_single(),
            Filter::Pipe(left, right)
            | Filter::And(left, right)
            | Filter::Or(left, right)
            | Filter::Math(_, left, right)
            | Filter::Compare(_, left, right)
            | Filter::Index(left, right, false) => left.is_single() && right.is_single(),
            Filter::Object(members) => members.iter().all(|(key, value)| key.is_single() && value.is_single()),
            Filter::Text(_, parts) => parts.iter().all(|part| match part {
                Part::Text(_) => true,
                Part::Filter(filter) => filter.is_single(),
            }),
            Filter::Native(Native::Value(_), arguments) => arguments.iter().all(Filter::is_single),
            _ => false,
        }
    }
}

/// A piece of a string.
pub(super) enum Part {
    Text(String),
    Filter(Filter),
}

/// `reduce` or `foreach`.
pub(super) struct Fold {
    pub(super) source: Filter,
    pub(super) pattern: Pattern,
    pub(super) init: Filter,
    pub(super) update: Filter,
    pub(super) extract: Option<Filter>,
}

/// What a value is taken apart by. Each variable is one binding, from left to right.
pub(super) enum Pattern {
    Variable,
    Array(Vec<Pattern>),
    /// Each key, and what its value is taken apart by.
    Object(Vec<(Filter, Pattern)>),
}

/// A definition.
pub(super) struct Function {
    /// Which of its parameters are values, too.
    pub(super) values: Vec<usize>,
    pub(super) body: Filter,
}
