//! The lines of sums, written and read.
use super::{Algorithm, Sum};

/// How a line is written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Format {
    pub(crate) tag: bool,
    pub(crate) binary: bool,
    pub(crate) zero: bool,
}

impl Format {
    /// The line of `file`; stdin by default has no name.
    pub(super) fn line(self, algorithm: Algorithm, sum: &Sum, file: Option<&str>) -> String {
        let end = if self.zero { '\0' } else { '\n' };
        let named = |text: String| match file {
            Some(file) => format!("{text} {file}{end}"),
            None => format!("{text}{end}"),
        };
        match algorithm {
            Algorithm::Bsd => return named(format!("{} {:5}", sum.text, sum.bytes.div_ceil(1024))),
            Algorithm::Sysv => return named(format!("{} {}", sum.text, sum.bytes.div_ceil(512))),
            Algorithm::Crc => return named(format!("{} {}", sum.text, sum.bytes)),
            _ => {}
        }
        let file = file.unwrap_or("-");
        let escaped = match self.zero {
            true => file.to_string(),
            false => file.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r"),
        };
        let mark = if escaped == file { "" } else { "\\" };
        match self.tag {
            true => format!("{mark}{} ({escaped}) = {}{end}", algorithm.tag(), sum.text),
            false => format!("{mark}{} {}{escaped}{end}", sum.text, if self.binary { '*' } else { ' ' }),
        }
    }
}

/// A line of a list of sums, taken apart.
pub(super) struct Entry {
    pub(super) algorithm: Algorithm,
    pub(super) sum: String,
    pub(super) file: String,
}

impl Entry {
    /// Read a line; `expected` is the algorithm of the command, if it has one.
    pub(super) fn read(line: &str, expected: Option<Algorithm>) -> Option<Entry> {
        let line = line.trim_start_matches([' ', '\t']);
        let (line, escaped) = match line.strip_prefix('\\') {
            Some(line) => (line, true),
            None => (line, false),
        };
        let (algorithm, sum, file) = tagged(line, expected).or_else(|| untagged(line, expected?))?;
        let file = if escaped { unescape(file)? } else { file.to_string() };
        Some(Entry { algorithm, sum: sum.to_ascii_lowercase(), file })
    }
}

/// `ALGORITHM (file) = sum`
fn tagged(line: &str, expected: Option<Algorithm>) -> Option<(Algorithm, &str, &str)> {
    let (tag, rest) = line.split_once('(')?;
    let algorithm = Algorithm::tagged(tag.trim_end())?;
    let same = match (expected, algorithm) {
        (None, _) | (Some(Algorithm::Blake2b(_)), Algorithm::Blake2b(_)) => true,
        (Some(expected), algorithm) => expected == algorithm,
    };
    let (file, sum) = rest.rsplit_once(')')?;
    let sum = sum.trim_start_matches([' ', '\t']).strip_prefix('=')?.trim_start_matches([' ', '\t']);
    (same && is_sum(sum, algorithm)).then_some((algorithm, sum, file))
}

/// `sum  file`, `sum *file`, or BSD's `sum file`
fn untagged(line: &str, expected: Algorithm) -> Option<(Algorithm, &str, &str)> {
    let (sum, file) = line.split_once([' ', '\t'])?;
    let algorithm = match expected {
        Algorithm::Blake2b(_) if sum.len() % 2 == 0 && (2..=128).contains(&sum.len()) => {
            Algorithm::Blake2b(sum.len() * 4)
        }
        other => other,
    };
    let file = file.strip_prefix([' ', '*']).unwrap_or(file);
    (is_sum(sum, algorithm) && !file.is_empty()).then_some((algorithm, sum, file))
}

fn is_sum(sum: &str, algorithm: Algorithm) -> bool {
    algorithm.digits() == Some(sum.len()) && sum.chars().all(|c| c.is_ascii_hexdigit())
}

fn unescape(file: &str) -> Option<String> {
    let mut name = String::new();
    let mut letters = file.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => name.push(match letters.next()? {
                'n' => '\n',
                'r' => '\r',
                '\\' => '\\',
                _ => return None,
            }),
            letter => name.push(letter),
        }
    }
    Some(name)
}
