//! The words of `tail`, the old `-NUM` and `+NUM` included.
use crate::{
    Call, Error, Result,
    args::{self, Order},
    number,
};

/// What is asked of each file.
pub(super) struct Options {
    pub(super) amount: Amount,
    pub(super) headers: Option<bool>,
    pub(super) zero: bool,
    pub(super) follow: bool,
}

impl Options {
    /// The byte that ends a record.
    pub(super) fn end(&self) -> u8 {
        if self.zero { 0 } else { b'\n' }
    }
}

/// How much of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Amount {
    pub(super) count: u64,
    /// Counted from the start: everything from number `count` on.
    pub(super) from_start: bool,
    pub(super) bytes: bool,
}

/// Read the words of `call`: the options and the operands.
pub(super) fn read(call: &Call<'_>) -> Result<(Options, Vec<String>)> {
    let words = modern(&call.args[1..]);
    let parsed = args::parse_words(&words, call.builtin.options, Order::Anywhere)?;
    let amount = Amount { count: 10, from_start: false, bytes: false };
    let mut options = Options { amount, headers: None, zero: false, follow: false };
    for (key, value) in &parsed.options {
        let value = value.as_deref().unwrap_or_default();
        match *key {
            "bytes" | "lines" => {
                let amount = read_amount(value, *key == "bytes")?;
                // A `+` is remembered, whatever number comes after it.
                let from_start = options.amount.from_start || amount.from_start;
                options.amount = Amount { from_start, ..amount };
            }
            "quiet" => options.headers = Some(false),
            "verbose" => options.headers = Some(true),
            "zero" => options.zero = true,
            "follow" if !"name".starts_with(value) && !"descriptor".starts_with(value) => {
                return Err(Error::usage(format!(
                    "invalid argument ‘{value}’ for ‘--follow’\nValid arguments are:\n  - ‘descriptor’\n  - ‘name’"
                )));
            }
            "follow" | "F" => options.follow = true,
            "pid" if number::parse(value, "").is_err() => {
                return Err(Error::failed(format!("invalid PID: ‘{value}’")));
            }
            "sleep" if value.parse::<f64>().map_or(true, |time| time.is_nan() || time < 0.0) => {
                return Err(Error::failed(format!("invalid number of seconds: ‘{value}’")));
            }
            "unchanged" if number::parse(value, "").is_err() => {
                let message = format!("invalid maximum number of unchanged stats between opens: ‘{value}’");
                return Err(Error::failed(message));
            }
            args::DIGIT => {
                return Err(Error::failed(format!("option used in invalid context -- {value}")));
            }
            _ => {}
        }
    }
    Ok((options, parsed.operands))
}

fn read_amount(text: &str, bytes: bool) -> Result<Amount> {
    let from_start = text.starts_with('+');
    let text = text.strip_prefix('-').unwrap_or(text);
    let what = if bytes { "bytes" } else { "lines" };
    let count = number::parse(text, number::MULTIPLIERS)
        .map_err(|why| Error::failed(format!("invalid number of {what}: ‘{text}’{why}")))?;
    Ok(Amount { count, from_start, bytes })
}

/// The old spelling `-NUM[bcl][f]` or `+NUM[bcl][f]`, allowed before at most one file, in today's options.
fn modern(words: &[String]) -> Vec<String> {
    let alone = match words {
        [_] => true,
        [_, second] => second == "-" || !second.starts_with('-') || second == "--",
        [_, dashes, _] => dashes == "--",
        _ => false,
    };
    let modern = words.first().filter(|_| alone).and_then(|old| {
        let digits = old.strip_prefix(['-', '+'])?;
        let letters = digits.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = &digits[..digits.len() - letters.len()];
        if digits.is_empty() && (old.starts_with('-') || letters.is_empty() && old.len() > 1) {
            return None;
        }
        let digits = if digits.is_empty() { "10" } else { digits };
        let sign = if old.starts_with('+') { "+" } else { "" };
        let (letters, follow) = match letters.strip_suffix('f') {
            Some(letters) => (letters, true),
            None => (letters, false),
        };
        let option = match letters {
            "b" => format!("-c{sign}{digits}b"),
            "c" => format!("-c{sign}{digits}"),
            "" | "l" => format!("-n{sign}{digits}"),
            _ => return None,
        };
        Some(if follow { vec![option, "-f".to_string()] } else { vec![option] })
    });
    let mut all = words.to_vec();
    if let Some(modern) = modern {
        all.splice(0..1, modern);
    }
    all
}
