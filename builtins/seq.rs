//! `seq`: numbers from one to another, as they are counted out.
//!
//! Numbers are decimals of any length and counted exactly; a `-f` format rounds them as C's long doubles are.
mod decimal;
mod format;

use crate::{
    Builtin, Call, Error, Opt, Result, Status,
    args::{self, Order},
    curly,
};
use decimal::Decimal;
use format::Format;
use std::io::Write;

pub(crate) static SEQ: Builtin = Builtin {
    name: "seq",
    synopsis: "[OPTION]... [FIRST [INCREMENT]] LAST",
    about: "Print numbers from FIRST to LAST, in steps of INCREMENT.",
    options: OPTIONS,
    trouble: Status(1),
    run,
};

const OPTIONS: &[Opt] = &[
    Opt::value('f', &["format"], "format", "FORMAT", "use printf style floating-point FORMAT"),
    Opt::value('s', &["separator"], "separator", "STRING", "use STRING to separate numbers (default: \\n)"),
    Opt::flag('w', &["equal-width"], "equal-width", "equalize width by padding with leading zeroes"),
];

fn run(call: &mut Call<'_>) -> Result<Status> {
    // A negative number is no option.
    let is_number = |word: &String| {
        word.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || c == '.'))
    };
    let words = &call.args[1..];
    let mut at = 0;
    while let Some(word) = words.get(at).filter(|word| word.starts_with('-') && !is_number(word)) {
        at += 1;
        // The argument of an option may be a word of its own.
        if matches!(word.as_str(), "-f" | "-s" | "--format" | "--separator") {
            at += 1;
        }
        if word == "--" {
            break;
        }
    }
    let at = at.min(words.len());
    let mut parsed = args::parse_words(&words[..at], OPTIONS, Order::Anywhere)?;
    parsed.operands.extend(words[at..].iter().cloned());
    let numbers: Vec<Decimal> = parsed.operands.iter().map(|word| read(word)).collect::<Result<_>>()?;
    let one = Decimal::from(1);
    let (first, step, last) = match &numbers[..] {
        [] => return Err(Error::usage("missing operand")),
        [last] => (one.clone(), one, last),
        [first, last] => (first.clone(), one, last),
        [first, step, last] => (first.clone(), step.clone(), last),
        _ => return Err(Error::usage(format!("extra operand {}", curly(&parsed.operands[3])))),
    };
    if step.is_zero() {
        let word = &parsed.operands[1];
        return Err(Error::usage(format!("invalid Zero increment value: {}", curly(word))));
    }
    let format = match parsed.value("format") {
        Some(_) if parsed.has("equal-width") => {
            return Err(Error::usage("format string may not be specified when printing equal width strings"));
        }
        Some(text) => Some(Format::read(text).map_err(Error::failed)?),
        None => None,
    };
    let decimals = first.decimals().max(step.decimals());
    let width = match parsed.has("equal-width") {
        true => equal_width(&parsed.operands, decimals),
        false => 0,
    };
    let separator = parsed.value("separator").unwrap_or("\n");
    let mut number = first;
    let mut is_begun = false;
    while !number.is_past(last, &step) {
        call.cancel.check()?;
        let before = if std::mem::replace(&mut is_begun, true) { separator } else { "" };
        call.stdout.write_all(before.as_bytes())?;
        let text = format.as_ref().map_or_else(|| number.show(decimals, width), |format| format.fill(&number));
        call.stdout.write_all(text.as_bytes())?;
        number = number.plus(&step);
    }
    if is_begun {
        call.stdout.write_all(b"\n")?;
    }
    Ok(Status::OK)
}

/// Columns of each number under `-w`: the first and the last one are shown as wide as they were typed, with their
/// zeros. Nothing is known of hexadecimal ones; then no zeros are added.
fn equal_width(operands: &[String], decimals: usize) -> usize {
    let first = if operands.len() > 1 { &operands[0] } else { "1" };
    let widest = [first].into_iter().chain(operands.last().map(String::as_str)).map(whole_width).max();
    let is_hexadecimal = operands.iter().any(|word| word.contains(['x', 'X']));
    match widest {
        Some(whole) if !is_hexadecimal => whole + if decimals > 0 { decimals + 1 } else { 0 },
        _ => 0,
    }
}

/// Columns of the part of `word` before its point, sign included.
fn whole_width(word: &str) -> usize {
    let word = word.trim_start_matches(|c: char| c.is_whitespace() || c == '+');
    let (number, exponent) = word.split_once(['e', 'E']).unwrap_or((word, "0"));
    let whole = number.split('.').next().unwrap_or_default();
    let zero = usize::from(!whole.ends_with(|c: char| c.is_ascii_alphanumeric()));
    whole.len() + zero + exponent.parse().unwrap_or(0)
}

fn read(word: &str) -> Result<Decimal> {
    let what = match word.trim_start().trim_start_matches(['-', '+']).eq_ignore_ascii_case("nan") {
        true => "‘not-a-number’",
        false => "floating point",
    };
    Decimal::read(word).ok_or_else(|| Error::usage(format!("invalid {what} argument: {}", curly(word))))
}

#[cfg(test)]
mod tests {
    use crate::testing::run;

    fn seq(line: &str) -> String {
        let (stdout, stderr, _) = run(&[], line, b"");
        String::from_utf8_lossy(if stdout.is_empty() { &stderr } else { &stdout }).trim_end().replace('\n', " ")
    }

    #[test]
    fn numbers_are_counted_exactly() {
        assert_eq!(seq("seq 3"), "1 2 3");
        assert_eq!(seq("seq 5 -2 0"), "5 3 1");
        assert_eq!(seq("seq 0 0.1 0.3"), "0.0 0.1 0.2 0.3");
        assert_eq!(seq("seq -1 1"), "-1 0 1");
        assert_eq!(seq("seq 99999999999999999999 100000000000000000000"), "99999999999999999999 100000000000000000000");
        assert_eq!(seq("seq 3 1"), "");
        assert_eq!(seq("seq 1e3 1001"), "1000 1001");
    }

    #[test]
    fn numbers_can_be_dressed() {
        assert_eq!(seq("seq -w 8 11"), "08 09 10 11");
        assert_eq!(seq("seq -w -1 0.5 1"), "-1.0 -0.5 00.0 00.5 01.0");
        assert_eq!(seq("seq -w 008 10"), "008 009 010");
        assert_eq!(seq("seq -w 002"), "001 002");
        assert_eq!(seq("seq -w 08 .5 9"), "08.0 08.5 09.0");
        assert_eq!(seq("seq -w 9 1e1"), "09 10");
        assert_eq!(seq("seq -w 0x9 0xa"), "9 10");
        assert_eq!(seq("seq -s , 3"), "1,2,3");
        assert_eq!(seq("seq -f %03g 3"), "001 002 003");
        assert_eq!(seq("seq -f p%.2fq 1 0.5 2"), "p1.00q p1.50q p2.00q");
    }

    #[test]
    fn wrong_words_are_named() {
        assert_eq!(seq("seq"), "seq: missing operand Try 'seq --help' for more information.");
        assert_eq!(seq("seq x"), "seq: invalid floating point argument: ‘x’ Try 'seq --help' for more information.");
        assert_eq!(seq("seq 1 0 2"), "seq: invalid Zero increment value: ‘0’ Try 'seq --help' for more information.");
        assert_eq!(seq("seq -f abc 2"), "seq: format ‘abc’ has no % directive");
    }
}
