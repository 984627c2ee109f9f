//! What the words of `numfmt` ask for.
use super::number::Scale;
use crate::{
    Call, Error, Opt, Result,
    args::{self, Parsed},
    curly,
    extended::Rounding,
    ranges::{self, Ranges},
};

pub(super) const TABLE: &[Opt] = &[
    Opt::flag('0', &["debug"], "debug", "print warnings about invalid input").long_only(),
    Opt::value('d', &["delimiter"], "d", "X", "use X instead of whitespace for field delimiter"),
    Opt::value('1', &["field"], "field", "FIELDS", "replace the numbers in these input fields (default=1)").long_only(),
    Opt::value('2', &["format"], "format", "FORMAT", "use printf style floating-point FORMAT").long_only(),
    Opt::value('3', &["from"], "from", "UNIT", "auto-scale input numbers: none, auto, si, iec, iec-i").long_only(),
    Opt::value('4', &["from-unit"], "from-unit", "N", "specify the input unit size (instead of the default 1)")
        .long_only(),
    Opt::flag('5', &["grouping"], "grouping", "use locale-defined grouping of digits (none here)").long_only(),
    Opt::flag('6', &["header"], "header", "print (without converting) the first N header lines; N is 1 by default")
        .optional("N")
        .long_only(),
    Opt::value('7', &["invalid"], "invalid", "MODE", "failure mode: abort (default), fail, warn, ignore").long_only(),
    Opt::value('8', &["padding"], "padding", "N", "pad the output to N characters; negative N left-aligns").long_only(),
    Opt::value('9', &["round"], "round", "METHOD", "up, down, from-zero (default), towards-zero, nearest").long_only(),
    Opt::value('a', &["suffix"], "suffix", "SUFFIX", "add SUFFIX to output numbers, and accept it in input numbers")
        .long_only(),
    Opt::value('b', &["to"], "to", "UNIT", "auto-scale output numbers: none, si, iec, iec-i").long_only(),
    Opt::value('c', &["to-unit"], "to-unit", "N", "the output unit size (instead of the default 1)").long_only(),
    Opt::flag('z', &["zero-terminated"], "z", "line delimiter is NUL, not newline"),
];

/// What happens when a field is no number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Invalid {
    /// The end, status 2.
    Abort,
    /// A message, and status 2 at the end.
    Fail,
    /// A message only.
    Warn,
    /// Nothing.
    Ignore,
}

pub(super) struct Options {
    pub(super) delimiter: Option<u8>,
    pub(super) end: u8,
    pub(super) fields: Ranges,
    pub(super) headers: u64,
    pub(super) invalid: Invalid,
    pub(super) from: Scale,
    pub(super) to: Scale,
    /// Of the input and of the output.
    pub(super) units: (u64, u64),
    pub(super) rounding: Rounding,
    pub(super) suffix: Option<String>,
    pub(super) layout: Layout,
}

/// How a number stands in its place.
#[derive(Default)]
pub(super) struct Layout {
    /// What stands before and after it.
    pub(super) before: String,
    pub(super) after: String,
    /// Columns; 0 for as many as it takes.
    pub(super) width: usize,
    pub(super) left: bool,
    /// Digits padded with zeros to so many.
    pub(super) zeros: usize,
    pub(super) precision: Option<usize>,
    /// Digits were to be grouped, which this locale does not do.
    pub(super) groups: bool,
}

impl Options {
    /// Whether a field keeps the columns it had.
    pub(super) fn keeps_columns(&self) -> bool {
        self.layout.width == 0 && self.delimiter.is_none()
    }
}

/// Nobody pads to more columns than this many.
const WIDEST: usize = 1 << 20;

pub(super) fn read(call: &mut Call<'_>, parsed: &Parsed) -> Result<Options> {
    let mut options = Options {
        delimiter: None,
        end: if parsed.has("z") { 0 } else { b'\n' },
        fields: Ranges::parse("1", ranges::Unit::Fields)?,
        headers: 0,
        invalid: Invalid::Abort,
        from: Scale::None,
        to: Scale::None,
        units: (1, 1),
        rounding: Rounding::FromZero,
        suffix: None,
        layout: Layout::default(),
    };
    let scales =
        [("none", Scale::None), ("auto", Scale::Auto), ("si", Scale::Si), ("iec", Scale::Iec), ("iec-i", Scale::IecI)];
    let mut fields_given = false;
    for (key, value) in &parsed.options {
        let text = value.as_deref().unwrap_or_default();
        match *key {
            "d" if text.len() > 1 => return Err(Error::failed("the delimiter must be a single character")),
            "d" => options.delimiter = Some(text.bytes().next().unwrap_or(0)),
            "field" if fields_given => return Err(Error::failed("multiple field specifications")),
            "field" => {
                fields_given = true;
                let list = if text == "-" { "1-" } else { text };
                options.fields = Ranges::parse(list, ranges::Unit::Fields)?;
            }
            "from" => options.from = args::choice(call, "--from", text, &scales)?,
            "to" => {
                let scales: Vec<_> = scales.iter().copied().filter(|(_, scale)| *scale != Scale::Auto).collect();
                options.to = args::choice(call, "--to", text, &scales)?;
            }
            "from-unit" => options.units.0 = unit_size(text)?,
            "to-unit" => options.units.1 = unit_size(text)?,
            "header" => {
                options.headers = match value.as_deref().map(str::parse) {
                    None => 1,
                    Some(Ok(count)) if count > 0 => count,
                    _ => return Err(Error::failed(format!("invalid header value {}", curly(text)))),
                }
            }
            "invalid" => {
                let modes = [
                    ("abort", Invalid::Abort),
                    ("fail", Invalid::Fail),
                    ("warn", Invalid::Warn),
                    ("ignore", Invalid::Ignore),
                ];
                options.invalid = args::choice(call, "--invalid", text, &modes)?;
            }
            "padding" => match text.parse::<i64>() {
                Ok(width) if width != 0 && width.unsigned_abs() as usize <= WIDEST => {
                    options.layout.width = width.unsigned_abs() as usize;
                    options.layout.left = width < 0;
                }
                _ => return Err(Error::failed(format!("invalid padding value {}", curly(text)))),
            },
            "round" => {
                let methods = [
                    ("up", Rounding::Up),
                    ("down", Rounding::Down),
                    ("from-zero", Rounding::FromZero),
                    ("towards-zero", Rounding::TowardsZero),
                    ("nearest", Rounding::Nearest),
                ];
                options.rounding = args::choice(call, "--round", text, &methods)?;
            }
            "suffix" => options.suffix = Some(text.to_string()),
            _ => {}
        }
    }
    if let Some(format) = parsed.value("format") {
        if parsed.has("grouping") {
            return Err(Error::failed("--grouping cannot be combined with --format"));
        }
        read_format(format, &mut options.layout)?;
    }
    let groups = parsed.has("grouping") || options.layout.groups;
    if groups && options.to != Scale::None {
        return Err(Error::failed("grouping cannot be combined with --to"));
    }
    if parsed.has("debug") {
        let converts = options.from != Scale::None || options.to != Scale::None || parsed.has("format") || groups;
        if !converts && options.layout.width == 0 && options.units == (1, 1) {
            call.warn("no conversion option specified")?;
        }
    }
    Ok(options)
}

/// `1024`, `1K` (1000), `1Ki` (1024) and so on.
fn unit_size(text: &str) -> Result<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (count, suffix) = text.split_at(digits);
    let base: u64 = if suffix.len() == 2 && suffix.ends_with('i') { 1024 } else { 1000 };
    let power = match suffix.trim_end_matches('i') {
        "" if suffix.is_empty() => Some(0),
        letter => "KMGTPEZY".find(letter).filter(|_| letter.len() == 1).map(|at| at as u32 + 1),
    };
    let count = if count.is_empty() && !suffix.is_empty() { Ok(1) } else { count.parse::<u64>() };
    match (count, power.and_then(|power| base.checked_pow(power))) {
        (Ok(count), Some(factor)) if count > 0 && suffix.len() <= 2 => count.checked_mul(factor),
        _ => None,
    }
    .ok_or_else(|| Error::failed(format!("invalid unit size: {}", curly(text))))
}

/// `BEFORE%[0]['][-][N][.][N]fAFTER`
fn read_format(format: &str, layout: &mut Layout) -> Result<()> {
    let wrong = |message: String| Err(Error::failed(message));
    let quoted = curly(format);
    let Some(start) = directive(format) else {
        return wrong(format!("format {quoted} has no % directive"));
    };
    layout.before = format[..start].replace("%%", "%");
    let mut rest = &format[start + 1..];
    let mut zeros = false;
    while let Some(flag) = rest.chars().next().filter(|flag| matches!(flag, ' ' | '\'' | '0')) {
        zeros |= flag == '0';
        layout.groups |= flag == '\'';
        rest = &rest[1..];
    }
    let unsigned = rest.strip_prefix('-').unwrap_or(rest);
    let digits = unsigned.find(|c: char| !c.is_ascii_digit()).unwrap_or(unsigned.len());
    if digits > 0 {
        match unsigned[..digits].parse::<usize>() {
            Ok(0) => {}
            Ok(width) if width <= WIDEST && rest.starts_with('-') => (layout.width, layout.left) = (width, true),
            Ok(width) if width <= WIDEST && zeros => layout.zeros = width,
            Ok(width) if width <= WIDEST => (layout.width, layout.left) = (width, false),
            _ => return wrong(format!("invalid format {quoted} (width overflow)")),
        }
        rest = &unsigned[digits..];
    }
    if rest.is_empty() {
        return wrong(format!("format {quoted} ends in %"));
    }
    if let Some(after) = rest.strip_prefix('.') {
        let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        let precision = if digits == 0 { Ok(0) } else { after[..digits].parse::<usize>() };
        layout.precision = match precision {
            Ok(precision) if precision <= WIDEST && !after.starts_with(['-', '+', ' ', '\t']) => Some(precision),
            _ => return wrong(format!("invalid precision in format {quoted}")),
        };
        rest = &after[digits..];
    }
    let Some(after) = rest.strip_prefix('f') else {
        return wrong(format!("invalid format {quoted}, directive must be %[0]['][-][N][.][N]f"));
    };
    if directive(after).is_some() {
        return wrong(format!("format {quoted} has too many % directives"));
    }
    layout.after = after.replace("%%", "%");
    Ok(())
}

/// Where the first directive begins; `%%` is none.
fn directive(format: &str) -> Option<usize> {
    let bytes = format.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'%', Some(b'%')) => at += 2,
            (b'%', _) => return Some(at),
            _ => at += 1,
        }
    }
    None
}
