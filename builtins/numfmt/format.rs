//! Numbers in the form that was asked for.
use super::{
    number::{LETTERS, Number, Scale, power},
    options::Options,
};
use crate::{
    extended::{Extended, Style},
    pad, width,
};
use std::cmp::Ordering;

/// Digits that a number may have where no letter shortens it.
const MOST_UNSCALED: usize = 18;
/// Digits that a number may have at all.
const MOST_SCALED: usize = 33;

/// Write a number, `columns` wide if its field is to keep them; the error is the whole message.
pub(super) fn show(number: &Number, options: &Options, columns: Option<usize>) -> Result<String, String> {
    let layout = &options.layout;
    let precision = layout.precision.unwrap_or(number.decimals);
    let (_, digits) = scaled_down(number.value, 10);
    let general = || number.value.format('g', Style::default());
    if options.to == Scale::None && digits + precision > MOST_UNSCALED {
        return Err(match precision {
            0 => format!("value too large to be printed: '{}' (consider using --to)", general()),
            _ => format!("value/precision too large to be printed: '{}/{precision}' (consider using --to)", general()),
        });
    }
    if digits > MOST_SCALED - 1 {
        return Err(format!("value too large to be printed: '{}' (cannot handle values > 999Q)", general()));
    }
    let mut text = match options.to {
        Scale::None => {
            let factor = power(10, precision);
            fixed((number.value * factor).rounded(options.rounding) / factor, precision, layout.zeros)
        }
        _ => scaled(number.value, options),
    };
    text += options.suffix.as_deref().unwrap_or_default();
    let wanted = columns.unwrap_or(layout.width);
    let blanks = " ".repeat(wanted.saturating_sub(width::of(&text)));
    let (before, after) = (&layout.before, &layout.after);
    Ok(match layout.left {
        true => format!("{before}{text}{blanks}{after}"),
        false => format!("{before}{blanks}{text}{after}"),
    })
}

/// With a letter: one decimal below 10, none above, unless a precision was asked for.
fn scaled(value: Extended, options: &Options) -> String {
    let layout = &options.layout;
    let base = options.to.base();
    let (value, mut letter) = scaled_down(value, base);
    let decimals = match layout.precision {
        Some(precision) => precision.min(letter * 3),
        None => usize::from(!reaches(value, 10)),
    };
    let factor = power(10, decimals);
    let mut value = (value * factor).rounded(options.rounding) / factor;
    if reaches(value, base) {
        value = value / Extended::from_integer(base);
        letter += 1;
    }
    let is_zero = value.total_order(&Extended::ZERO) == Ordering::Equal;
    let precision = layout.precision.unwrap_or_else(|| usize::from(!is_zero && !reaches(value, 10) && letter > 0));
    let mut text = fixed(value, precision, layout.zeros);
    if let Some(at) = letter.checked_sub(1) {
        text += LETTERS.get(at..=at).unwrap_or("(error)");
        if options.to == Scale::IecI {
            text.push('i');
        }
    }
    text
}

/// `value` divided by `base` until it is smaller, and how many times that took.
fn scaled_down(mut value: Extended, base: i128) -> (Extended, usize) {
    let mut times = 0;
    while reaches(value, base) && value.is_finite() {
        value = value / Extended::from_integer(base);
        times += 1;
    }
    (value, times)
}

/// Whether `value`'s magnitude is `limit` or more.
fn reaches(value: Extended, limit: i128) -> bool {
    let limit = Extended::from_integer(limit);
    value.total_order(&limit) != Ordering::Less || value.total_order(&-limit) != Ordering::Greater
}

fn fixed(value: Extended, precision: usize, zeros: usize) -> String {
    let text = value.format('f', Style { precision: Some(precision), ..Style::default() });
    match text.strip_prefix('-') {
        Some(digits) => format!("-{}", pad::before(digits, zeros.saturating_sub(1), '0')),
        None => pad::before(&text, zeros, '0'),
    }
}
