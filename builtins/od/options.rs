//! The words of `od`, the old ones included.
use super::form::{self, Form, Kind};
use crate::{
    Call, Error, Opt, Result, Status,
    args::{self, Order},
    curly, number, quoted,
};

pub(super) const TABLE: &[Opt] = &[
    Opt::value('A', &["address-radix"], "A", "RADIX", "output format for file offsets: d, o, x or n"),
    Opt::value('0', &["endian"], "endian", "ORDER", "swap input bytes according the specified order: big, little")
        .long_only(),
    Opt::value('j', &["skip-bytes"], "j", "BYTES", "skip BYTES input bytes first"),
    Opt::value('N', &["read-bytes"], "N", "BYTES", "limit dump to BYTES input bytes"),
    Opt::value('S', &[], "S", "BYTES", "output strings of at least BYTES graphic chars"),
    Opt::flag('1', &["strings"], "S", "the same").optional("BYTES").long_only(),
    Opt::value(
        't',
        &["format"],
        "t",
        "TYPE",
        "select output format or formats: a, c, [doux]SIZE, fSIZE, with z at the end",
    ),
    Opt::flag('v', &["output-duplicates"], "v", "do not use * to mark line suppression"),
    Opt::flag('w', &["width"], "w", "output BYTES (default 32) bytes per output line").optional("BYTES"),
    Opt::flag('2', &["traditional"], "traditional", "accept arguments in the traditional form").long_only(),
    Opt::flag('a', &[], "a", "same as -t a"),
    Opt::flag('b', &[], "o1", "same as -t o1"),
    Opt::flag('B', &[], "o2", "same as -t o2"),
    Opt::flag('c', &[], "c", "same as -t c"),
    Opt::flag('d', &[], "u2", "same as -t u2"),
    Opt::flag('D', &[], "u4", "same as -t u4"),
    Opt::flag('e', &[], "fD", "same as -t fD"),
    Opt::flag('f', &[], "fF", "same as -t fF"),
    Opt::flag('F', &[], "fD", "same as -t fD"),
    Opt::flag('h', &[], "x2", "same as -t x2"),
    Opt::flag('H', &[], "x4", "same as -t x4"),
    Opt::flag('i', &[], "dI", "same as -t dI"),
    Opt::flag('I', &[], "dL", "same as -t dL"),
    Opt::flag('l', &[], "dL", "same as -t dL"),
    Opt::flag('L', &[], "dL", "same as -t dL"),
    Opt::flag('o', &[], "o2", "same as -t o2"),
    Opt::flag('O', &[], "o4", "same as -t o4"),
    Opt::flag('s', &[], "d2", "same as -t d2"),
    Opt::flag('x', &[], "x2", "same as -t x2"),
    Opt::flag('X', &[], "x4", "same as -t x4"),
];

/// In what offsets are counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Radix {
    Octal,
    Decimal,
    Hexadecimal,
    None,
}

pub(super) struct Options {
    pub(super) radix: Radix,
    pub(super) big_endian: bool,
    pub(super) skip: u64,
    pub(super) count: u64,
    pub(super) strings: Option<u64>,
    pub(super) forms: Vec<Form>,
    /// `-v`
    pub(super) all: bool,
    /// Bytes of a line.
    pub(super) width: usize,
}

impl Options {
    /// An offset as it begins a line.
    pub(super) fn address(&self, offset: u64) -> String {
        match self.radix {
            Radix::Octal => format!("{offset:07o}"),
            Radix::Decimal => format!("{offset:07}"),
            Radix::Hexadecimal => format!("{offset:06x}"),
            Radix::None => String::new(),
        }
    }
}

/// The options and the files.
pub(super) fn read(call: &mut Call<'_>) -> Result<(Options, std::vec::IntoIter<String>)> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let mut options = Options {
        radix: Radix::Octal,
        big_endian: false,
        skip: 0,
        count: u64::MAX,
        strings: None,
        forms: Vec::new(),
        all: false,
        width: 0,
    };
    let mut width: Option<u64> = None;
    let mut modern = false;
    for (key, value) in &parsed.options {
        let text = value.as_deref();
        let size = |name: &str, default: u64| match text {
            None => Ok(default),
            Some(text) => number::parse_in_c(text, "bEGKkMmPTYZRQ0").map_err(|why| match why {
                number::Malformed::Invalid => Error::failed(format!("invalid {name} argument {}", quoted(text))),
                number::Malformed::Overflow => Error::failed(format!("{name} argument {} too large", quoted(text))),
            }),
        };
        modern |= matches!(*key, "A" | "j" | "N" | "S" | "t" | "v" | "w" | "endian");
        match *key {
            "A" => {
                options.radix = match text {
                    Some("o") => Radix::Octal,
                    Some("d") => Radix::Decimal,
                    Some("x") => Radix::Hexadecimal,
                    Some("n") => Radix::None,
                    text => {
                        let letter: String = text.unwrap_or_default().chars().take(1).collect();
                        let message =
                            format!("invalid output address radix '{letter}'; it must be one character from [doxn]");
                        return Err(Error::failed(message));
                    }
                }
            }
            "endian" => {
                let orders = [("little", false), ("big", true)];
                options.big_endian = args::choice(call, "--endian", text.unwrap_or_default(), &orders)?;
            }
            "j" => options.skip = size("-j", 0)?,
            "N" => options.count = size("-N", 0)?,
            "S" => options.strings = Some(size("-S", 3)?),
            "v" => options.all = true,
            "w" => width = Some(size("-w", 32)?),
            "t" => options.forms.extend(form::parse(text.unwrap_or_default()).map_err(Error::failed)?),
            "traditional" => {}
            form => options.forms.extend(form::parse(form).map_err(Error::failed)?),
        }
    }
    if options.strings.is_some() && !options.forms.is_empty() {
        return Err(Error::failed("no type may be specified when dumping strings"));
    }
    if options.forms.is_empty() {
        options.forms.push(Form::new(Kind::Octal, 2));
    }
    let mut files = parsed.operands.clone();
    if !modern || parsed.has("traditional") {
        take_offset(&mut files, &mut options, parsed.has("traditional"))?;
    }
    if files.is_empty() {
        files.push("-".to_string());
    }
    // All sizes are powers of two: the largest is a multiple of each.
    let unit = options.forms.iter().map(Form::size).max().unwrap_or(1);
    options.width = match width {
        None => unit.max(16),
        Some(wanted) => match usize::try_from(wanted) {
            Ok(wanted) if wanted > 0 && wanted % unit == 0 => wanted,
            _ => {
                call.warn(format_args!("warning: invalid width {wanted}; using {unit} instead"))?;
                unit
            }
        },
    };
    if options.width > 1 << 20 {
        return Err(Error::Failed(format!("line limit of {} bytes reached", 1 << 20), Status(126)));
    }
    Ok((options, files.into_iter()))
}

/// The old `[FILE] [+]OFFSET[b]`: where to begin.
fn take_offset(files: &mut Vec<String>, options: &mut Options, traditional: bool) -> Result<()> {
    let may_be = match files.as_slice() {
        [only] => traditional || only.starts_with('+'),
        [_, second] => traditional || second.starts_with('+') || second.starts_with(|c: char| c.is_ascii_digit()),
        _ => false,
    };
    let Some(offset) = files.last().filter(|_| may_be).and_then(|text| old_offset(text)) else {
        return match files.get(2) {
            Some(extra) if traditional => Err(Error::usage(format!("extra operand {}", curly(extra)))),
            _ => Ok(()),
        };
    };
    files.pop();
    options.skip = offset;
    Ok(())
}

fn old_offset(text: &str) -> Option<u64> {
    let text = text.strip_prefix('+').unwrap_or(text);
    let (text, factor) = match text.strip_suffix('b') {
        Some(text) if !text.starts_with("0x") => (text, 512),
        _ => (text, 1),
    };
    let value = if let Some(hex) = text.strip_prefix("0x").or(text.strip_prefix('x')) {
        u64::from_str_radix(hex, 16).ok()?
    } else {
        u64::from_str_radix(text, 8).ok()?
    };
    value.checked_mul(factor)
}
