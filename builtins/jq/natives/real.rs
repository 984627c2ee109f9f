//! The functions of one real number.
use super::ValueFn;
use crate::jq::{
    functions::{exponent, real, significand},
    value::Value,
};

/// The functions, by name.
pub(super) const REAL: &[(&str, ValueFn)] = &[
    ("floor", |_, value, _| real(value).map(|x| Value::number(x.floor()))),
    ("ceil", |_, value, _| real(value).map(|x| Value::number(x.ceil()))),
    ("round", |_, value, _| real(value).map(|x| Value::number(x.round()))),
    ("trunc", |_, value, _| real(value).map(|x| Value::number(x.trunc()))),
    ("rint", |_, value, _| real(value).map(|x| Value::number(x.round_ties_even()))),
    ("nearbyint", |_, value, _| real(value).map(|x| Value::number(x.round_ties_even()))),
    ("sqrt", |_, value, _| real(value).map(|x| Value::number(x.sqrt()))),
    ("cbrt", |_, value, _| real(value).map(|x| Value::number(x.cbrt()))),
    ("fabs", |_, value, _| real(value).map(|x| Value::number(x.abs()))),
    ("exp", |_, value, _| real(value).map(|x| Value::number(x.exp()))),
    ("exp2", |_, value, _| real(value).map(|x| Value::number(x.exp2()))),
    ("exp10", |_, value, _| real(value).map(|x| Value::number(10f64.powf(x)))),
    ("expm1", |_, value, _| real(value).map(|x| Value::number(x.exp_m1()))),
    ("log", |_, value, _| real(value).map(|x| Value::number(x.ln()))),
    ("log2", |_, value, _| real(value).map(|x| Value::number(x.log2()))),
    ("log10", |_, value, _| real(value).map(|x| Value::number(x.log10()))),
    ("log1p", |_, value, _| real(value).map(|x| Value::number(x.ln_1p()))),
    ("sin", |_, value, _| real(value).map(|x| Value::number(x.sin()))),
    ("cos", |_, value, _| real(value).map(|x| Value::number(x.cos()))),
    ("tan", |_, value, _| real(value).map(|x| Value::number(x.tan()))),
    ("asin", |_, value, _| real(value).map(|x| Value::number(x.asin()))),
    ("acos", |_, value, _| real(value).map(|x| Value::number(x.acos()))),
    ("atan", |_, value, _| real(value).map(|x| Value::number(x.atan()))),
    ("sinh", |_, value, _| real(value).map(|x| Value::number(x.sinh()))),
    ("cosh", |_, value, _| real(value).map(|x| Value::number(x.cosh()))),
    ("tanh", |_, value, _| real(value).map(|x| Value::number(x.tanh()))),
    ("asinh", |_, value, _| real(value).map(|x| Value::number(x.asinh()))),
    ("acosh", |_, value, _| real(value).map(|x| Value::number(x.acosh()))),
    ("atanh", |_, value, _| real(value).map(|x| Value::number(x.atanh()))),
    ("significand", |_, value, _| real(value).map(|x| Value::number(significand(x)))),
    ("logb", |_, value, _| real(value).map(|x| Value::number(exponent(x)))),
    ("modf", |_, value, _| {
        let x = real(value)?;
        let fraction = if x.is_infinite() { 0.0 } else { x.fract() };
        Ok(Value::array(vec![Value::number(fraction), Value::number(x.trunc())]))
    }),
    ("frexp", |_, value, _| {
        let x = real(value)?;
        if x == 0.0 || !x.is_finite() {
            return Ok(Value::array(vec![Value::number(x), Value::number(0.0)]));
        }
        Ok(Value::array(vec![Value::number(significand(x) / 2.0), Value::number(exponent(x) + 1.0)]))
    }),
];
