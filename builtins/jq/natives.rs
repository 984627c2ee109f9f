//! The functions that are not written in the language itself.
mod filters;
mod real;
mod values;

use super::{
    environment::Env,
    evaluate::{Interpreter, Item, Out, Result},
    filter::Filter,
    value::Value,
};
use filters::FILTERS;
use real::REAL;
use values::VALUES;

/// A function of values.
pub(super) type ValueFn = for<'p, 'm, 'c> fn(&mut Interpreter<'p, 'm, 'c>, &Value, &[Value]) -> Result<Value>;
/// A function of filters.
pub(super) type FilterFn =
    for<'p, 'm, 'c> fn(&mut Interpreter<'p, 'm, 'c>, &'p [Filter], &Env<'p>, Item, Out<'_, 'p, 'm, 'c>) -> Result;

/// A function.
#[derive(Clone, Copy)]
pub(super) enum Native {
    Value(ValueFn),
    Filter(FilterFn),
}

/// The function of that name with so many arguments.
pub(super) fn find(name: &str, count: usize) -> Option<Native> {
    let value = VALUES.iter().find(|(known, arity, _)| *known == name && *arity == count);
    if let Some((_, _, function)) = value {
        return Some(Native::Value(*function));
    }
    if let Some((_, function)) = REAL.iter().find(|(known, _)| *known == name && count == 0) {
        return Some(Native::Value(*function));
    }
    let filter = FILTERS.iter().find(|(known, arity, _)| *known == name && *arity == count);
    filter.map(|(_, _, function)| Native::Filter(*function))
}

/// The name of each function and the number of its arguments, those left out that only other functions know.
fn names() -> impl Iterator<Item = (&'static str, usize)> {
    let values = VALUES.iter().map(|(name, arity, _)| (*name, *arity));
    let filters = FILTERS.iter().map(|(name, arity, _)| (*name, *arity));
    let real = REAL.iter().map(|(name, _)| (*name, 0));
    values.chain(filters).chain(real).filter(|(name, _)| !name.starts_with('_'))
}
