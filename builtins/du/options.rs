//! What the words of a `du` command ask for.
use super::lines;
use crate::{
    Call, Error, Glob, GlobFlags, Opt, Result, Unit,
    args::{self, Order},
    curly, quoted, quoted_if_odd,
};

pub(super) const TABLE: &[Opt] = &[
    Opt::flag('0', &["null"], "null", "end each output line with NUL, not newline"),
    Opt::flag('a', &["all"], "all", "write counts for all files, not just directories"),
    Opt::flag('A', &["apparent-size"], "apparent-size", "print apparent sizes rather than device usage"),
    Opt::value('B', &["block-size"], "block-size", "SIZE", "scale sizes by SIZE before printing them"),
    Opt::flag('b', &["bytes"], "bytes", "equivalent to '--apparent-size --block-size=1'"),
    Opt::flag('c', &["total"], "total", "produce a grand total"),
    Opt::flag('D', &["dereference-args"], "links", "a site has no symbolic links"),
    Opt::value('d', &["max-depth"], "max-depth", "N", "print the total for a directory only N or fewer levels below"),
    Opt::value(
        ' ',
        &["files0-from"],
        "files0-from",
        "F",
        "summarize the NUL-terminated file names specified in file F",
    )
    .long_only(),
    Opt::flag('H', &[], "links", ""),
    Opt::flag('h', &["human-readable"], "h", "print sizes in human readable format (e.g., 1K 234M 2G)"),
    Opt::flag(' ', &["inodes"], "inodes", "list inode usage information instead of block usage").long_only(),
    Opt::flag('k', &[], "k", "like --block-size=1K"),
    Opt::flag('L', &["dereference"], "links", ""),
    Opt::flag('l', &["count-links"], "links", ""),
    Opt::flag('m', &[], "m", "like --block-size=1M"),
    Opt::flag('P', &["no-dereference"], "links", ""),
    Opt::flag('S', &["separate-dirs"], "separate", "for directories do not include size of subdirectories"),
    Opt::flag(' ', &["si"], "si", "like -h, but use powers of 1000 not 1024").long_only(),
    Opt::flag('s', &["summarize"], "summarize", "display only a total for each argument"),
    Opt::value('t', &["threshold"], "threshold", "SIZE", "exclude entries smaller than SIZE, or greater if negative"),
    Opt::flag(' ', &["time"], "time", "show time of the last modification").long_only().optional("WORD"),
    Opt::value(' ', &["time-style"], "time-style", "STYLE", "full-iso, long-iso, iso, or +FORMAT").long_only(),
    Opt::value('X', &["exclude-from"], "exclude-from", "FILE", "exclude files that match any pattern in FILE"),
    Opt::value(' ', &["exclude"], "exclude", "PATTERN", "exclude files that match PATTERN").long_only(),
    Opt::flag('x', &["one-file-system"], "links", ""),
];

/// All that a command line says.
pub(super) struct Options {
    pub(super) files: bool,
    pub(super) apparent: bool,
    pub(super) inodes: bool,
    pub(super) separate: bool,
    pub(super) total: bool,
    pub(super) deepest: Option<usize>,
    /// Smaller ones are left out; when negative, larger ones.
    pub(super) threshold: Option<i64>,
    pub(super) unit: Unit,
    /// The form of times, when they are shown.
    pub(super) time: Option<String>,
    pub(super) end: char,
    excluded: Vec<Glob>,
}

impl Options {
    /// Whether a pattern names the file, or the end of its path.
    pub(super) fn is_excluded(&self, name: &str) -> bool {
        !self.excluded.is_empty()
            && std::iter::once(name)
                .chain(name.match_indices('/').map(|(at, _)| &name[at + 1..]))
                .any(|tail| self.excluded.iter().any(|glob| glob.matches(tail)))
    }
}

/// The options and the operands of `call`.
pub(super) fn read(call: &mut Call<'_>) -> Result<(Options, Vec<String>)> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let mut options = Options {
        files: parsed.has("all"),
        apparent: parsed.has("apparent-size") || parsed.has("bytes"),
        inodes: parsed.has("inodes"),
        separate: parsed.has("separate"),
        total: parsed.has("total"),
        deepest: None,
        threshold: None,
        unit: Unit::KIB,
        time: None,
        end: if parsed.has("null") { '\0' } else { '\n' },
        excluded: Vec::new(),
    };
    let mut operands = parsed.operands.clone();
    let mut style = call.session.env("TIME_STYLE").unwrap_or("long-iso").to_string();
    for (key, value) in &parsed.options {
        let text = value.as_deref().unwrap_or_default();
        match *key {
            "bytes" => options.unit = Unit::BYTES,
            "h" => options.unit = Unit::Human(1024),
            "si" => options.unit = Unit::Human(1000),
            "k" => options.unit = Unit::KIB,
            "m" => options.unit = Unit::Blocks(1 << 20, ""),
            "block-size" => {
                let wrong = || Error::failed(format!("invalid --block-size argument {}", quoted(text)));
                options.unit = Unit::parse(text).ok_or_else(wrong)?;
            }
            "max-depth" => {
                let wrong = || Error::usage(format!("invalid maximum depth {}", curly(text)));
                options.deepest = Some(text.parse().map_err(|_| wrong())?);
            }
            "threshold" => options.threshold = Some(threshold(text)?),
            "time" if value.is_some() => {
                let words = [("atime", 0), ("access", 0), ("use", 0), ("ctime", 1), ("status", 1)];
                args::choice(call, "--time", text, &words)?;
            }
            "time-style" => style = text.to_string(),
            "exclude" => options.excluded.push(Glob::new(text, GlobFlags::default())),
            "exclude-from" => {
                let mut file = call.open(text).map_err(|error| named(text, &error))?;
                let patterns = lines(call, &mut file, b'\n')?;
                let patterns = patterns.iter().filter(|pattern| !pattern.is_empty());
                options.excluded.extend(patterns.map(|pattern| Glob::new(pattern, GlobFlags::default())));
            }
            "files0-from" => {
                if let Some(extra) = operands.first() {
                    let message = "file operands cannot be combined with --files0-from";
                    return Err(Error::usage(format!("extra operand {}\n{message}", curly(extra))));
                }
                let mut file = match text {
                    "-" => call.stdin.clone(),
                    text => call.open(text).map_err(|error| named(text, &error))?,
                };
                operands = lines(call, &mut file, b'\0')?;
                return Ok((options, operands));
            }
            _ => {}
        }
    }
    if options.inodes && options.apparent {
        call.warn("warning: options --apparent-size and -b are ineffective with --inodes")?;
    }
    if parsed.has("summarize") {
        if options.files {
            return Err(Error::usage("cannot both summarize and show all entries"));
        }
        match options.deepest {
            Some(0) => call.warn("warning: summarizing is the same as using --max-depth=0")?,
            Some(depth) => {
                return Err(Error::usage(format!("warning: summarizing conflicts with --max-depth={depth}")));
            }
            None => {}
        }
        options.deepest = Some(0);
    }
    if parsed.has("time") {
        options.time = Some(time_format(call, &style)?);
    }
    if operands.is_empty() {
        operands.push(".".to_string());
    }
    Ok((options, operands))
}

fn named(file: &str, error: &crate::FsError) -> Error {
    Error::failed(format!("{}: {error}", quoted_if_odd(file)))
}

fn threshold(text: &str) -> Result<i64> {
    let (digits, sign) = text.strip_prefix('-').map_or((text, 1), |digits| (digits, -1));
    let count = digits.len() - digits.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number: Option<u64> = digits[..count].parse().ok();
    let unit = if count == digits.len() { Some(Unit::BYTES) } else { Unit::parse(&digits[count..]) };
    match (number, unit) {
        (Some(0), Some(_)) if sign < 0 => Err(Error::failed(format!("invalid --threshold argument '{text}'"))),
        (Some(number), Some(Unit::Blocks(size, _))) => {
            Ok(number.saturating_mul(size).min(i64::MAX as u64) as i64 * sign)
        }
        _ => Err(Error::failed(format!("invalid -t argument '{text}'"))),
    }
}

fn time_format(call: &Call<'_>, style: &str) -> Result<String> {
    const STYLES: &[(&str, &str)] =
        &[("full-iso", "%Y-%m-%d %H:%M:%S.%N %z"), ("long-iso", "%Y-%m-%d %H:%M"), ("iso", "%Y-%m-%d")];
    match style.strip_prefix('+') {
        Some(format) => Ok(format.to_string()),
        None => args::choice(call, "time style", style, STYLES).map(str::to_string),
    }
}
