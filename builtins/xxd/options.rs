//! The words of `xxd`. They do not cluster: the first letter decides, and what follows it is its argument or nothing
//! (`-c8`, `-cols 8`, `-ps`).
use crate::{Error, Result};

/// In what form bytes are printed. Of several options the last of this order wins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Hex,
    Bits,
    LittleEndian,
    Plain,
    Include,
}

/// Where a dump begins.
pub(super) enum Seek {
    Forward(u64),
    FromEnd(u64),
}

pub(super) struct Options {
    pub(super) form: Form,
    pub(super) autoskip: bool,
    pub(super) capitals: bool,
    pub(super) decimal: bool,
    pub(super) ebcdic: bool,
    pub(super) upper: bool,
    pub(super) revert: bool,
    /// Bytes of a line; 0 is one long line of plain digits.
    pub(super) columns: usize,
    /// Bytes of a group.
    pub(super) group: usize,
    /// Bytes to be dumped.
    pub(super) length: u64,
    /// The array's name with `-i`.
    pub(super) name: Option<String>,
    /// Added to the position that is shown.
    pub(super) shift: i64,
    pub(super) seek: Seek,
    pub(super) file: Option<String>,
    pub(super) output: Option<String>,
}

impl Options {
    /// A byte as two hexadecimal digits.
    pub(super) fn digits(&self, byte: u8) -> [u8; 2] {
        let digits = if self.upper { b"0123456789ABCDEF" } else { b"0123456789abcdef" };
        [digits[usize::from(byte >> 4)], digits[usize::from(byte & 15)]]
    }
}

/// Bytes of a line at most, in the forms that show characters.
const MOST_COLUMNS: i64 = 256;

pub(super) fn read(words: &[String]) -> Result<Options> {
    let mut options = Options {
        form: Form::Hex,
        autoskip: false,
        capitals: false,
        decimal: false,
        ebcdic: false,
        upper: false,
        revert: false,
        columns: 0,
        group: 0,
        length: u64::MAX,
        name: None,
        shift: 0,
        seek: Seek::Forward(0),
        file: None,
        output: None,
    };
    let (mut columns, mut group) = (None, None);
    let mut words = words.iter();
    let mut operands = Vec::new();
    while let Some(word) = words.next() {
        // `--cols` is `-cols`.
        let text = word.strip_prefix('-').filter(|rest| rest.len() > 1 && rest.starts_with('-')).unwrap_or(word);
        let mut letters = text.chars();
        let (Some('-'), Some(letter)) = (letters.next(), letters.next()) else {
            operands.push(word.clone());
            break;
        };
        let rest = letters.as_str();
        // The argument behind the letter, or behind the option's long name.
        let mut argument = |names: &[&str]| match rest {
            "" => words.next().cloned(),
            rest if names.iter().any(|name| rest.starts_with(name)) => words.next().cloned(),
            rest => Some(rest.to_string()),
        };
        let missing = || Error::usage(format!("option requires an argument -- '{letter}'"));
        let mut value = |names: &[&str]| argument(names).ok_or_else(missing);
        match letter {
            '-' => break,
            'a' => options.autoskip = !options.autoskip,
            'b' => options.form = Form::Bits,
            'e' => options.form = Form::LittleEndian,
            'p' => options.form = Form::Plain,
            'i' => options.form = Form::Include,
            'u' => options.upper = true,
            'd' => options.decimal = true,
            'E' => options.ebcdic = true,
            'r' => options.revert = true,
            'C' => options.capitals = true,
            'c' if rest.starts_with("apitalize") => options.capitals = true,
            'c' => columns = Some(integer(&value(&["ols"])?)),
            'g' => group = Some(integer(&value(&["roup"])?)),
            'l' => options.length = u64::try_from(integer(&value(&["en"])?)).unwrap_or(u64::MAX),
            'n' => options.name = Some(value(&["ame"])?),
            'o' => options.shift = integer(&value(&["ffset"])?),
            's' => options.seek = seek(&value(&["kip", "eek"])?),
            'h' => return Err(Error::Help),
            'v' => return Err(Error::Version),
            _ => return Err(Error::usage(format!("unrecognized option '{word}'"))),
        }
    }
    operands.extend(words.cloned());
    let mut operands = operands.into_iter();
    (options.file, options.output) = (operands.next(), operands.next());
    if let Some(extra) = operands.next() {
        return Err(Error::usage(format!("extra operand '{extra}'")));
    }
    lay_out(&mut options, columns, group)?;
    Ok(options)
}

/// The widths, as asked for or as the form has them.
fn lay_out(options: &mut Options, columns: Option<i64>, group: Option<i64>) -> Result<()> {
    let (usual, in_group) = match options.form {
        Form::Hex => (16, 2),
        Form::Bits => (6, 1),
        Form::LittleEndian => (16, 4),
        Form::Plain => (30, 0),
        Form::Include => (12, 0),
    };
    let columns = match columns {
        Some(0) if options.form == Form::Plain => 0,
        None | Some(0) => usual,
        Some(columns) => columns,
    };
    let bounded = !matches!(options.form, Form::Plain | Form::Include);
    if columns < 0 || (bounded && columns > MOST_COLUMNS) {
        return Err(Error::failed(format!("invalid number of columns (max. {MOST_COLUMNS}).")));
    }
    let group = match group.filter(|group| *group >= 0).unwrap_or(in_group) {
        group if group < 1 || group > columns => columns,
        group if options.form == Form::LittleEndian && !group.unsigned_abs().is_power_of_two() => {
            return Err(Error::failed("number of octets per group must be a power of 2 with -e."));
        }
        group => group,
    };
    options.columns = usize::try_from(columns).unwrap_or(usize::MAX);
    options.group = usize::try_from(group).unwrap_or(usize::MAX);
    Ok(())
}

fn seek(text: &str) -> Seek {
    let text = text.strip_prefix('+').unwrap_or(text);
    match text.strip_prefix('-') {
        Some(text) => Seek::FromEnd(integer(text).unsigned_abs()),
        None => Seek::Forward(integer(text).unsigned_abs()),
    }
}

/// A whole number as C's `strtol` reads it: decimal, `0x` hexadecimal, `0` octal; what follows it is passed over.
fn integer(text: &str) -> i64 {
    let text = text.trim_start();
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (base, digits) = match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(digits) => (16, digits),
        None if text.starts_with('0') => (8, text),
        None => (10, text),
    };
    let value = digits.chars().map_while(|digit| digit.to_digit(base));
    sign * value.fold(0_i64, |value, digit| value.saturating_mul(base.into()).saturating_add(digit.into()))
}

#[cfg(test)]
mod tests {
    use super::integer;

    #[test]
    fn numbers_are_those_of_c() {
        assert_eq!(["12", "-0x1f", "010", "8k", "", " +7"].map(integer), [12, -31, 8, 8, 0, 7]);
    }
}
