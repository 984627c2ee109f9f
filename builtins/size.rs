//! Sizes for people and in blocks: `ls -h`, `du -h`, `df`, `--block-size`.

/// How a size is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Scaled to three digits by powers of the base: `1.5K` (1024) or `1.6k` (1000).
    Human(u64),
    /// In units of so many bytes, rounded up; the text follows the number.
    Blocks(u64, &'static str),
}

/// Letters of the powers; the small `k` of the powers of 1000 is put right in [`human`].
const LETTERS: &str = "KMGTPEZY";

impl Unit {
    /// Bytes.
    pub const BYTES: Unit = Unit::Blocks(1, "");
    /// Kibibytes.
    pub const KIB: Unit = Unit::Blocks(1024, "");

    /// As `--block-size` names it: `K`, `1K`, `MB`, `512`, `human-readable`, `si`. `None` when it is no size.
    pub fn parse(text: &str) -> Option<Unit> {
        match text {
            "human-readable" => return Some(Unit::Human(1024)),
            "si" => return Some(Unit::Human(1000)),
            _ => {}
        }
        let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let count: u64 = if digits == 0 { 1 } else { text[..digits].parse().ok()? };
        let (bytes, shown) = factor(&text[digits..])?;
        let bytes = count.checked_mul(bytes).filter(|bytes| *bytes > 0)?;
        match (digits, text) {
            (0, "") => None,
            (0, _) => Some(Unit::Blocks(bytes, shown)),
            _ => Some(Unit::Blocks(bytes, "")),
        }
    }

    /// `bytes` in this unit.
    pub fn show(self, bytes: u64) -> String {
        match self {
            Unit::Human(base) => human(bytes, base),
            Unit::Blocks(size, suffix) => format!("{}{suffix}", bytes.div_ceil(size)),
        }
    }
}

/// The bytes of a suffix, and the suffix as it is printed.
fn factor(suffix: &str) -> Option<(u64, &'static str)> {
    const NAMES: [(&str, [&str; 3]); 6] = [
        ("K", ["K", "KiB", "kB"]),
        ("M", ["M", "MiB", "MB"]),
        ("G", ["G", "GiB", "GB"]),
        ("T", ["T", "TiB", "TB"]),
        ("P", ["P", "PiB", "PB"]),
        ("E", ["E", "EiB", "EB"]),
    ];
    let Some(first) = suffix.chars().next() else { return Some((1, "")) };
    let (power, (_, forms)) =
        (1..).zip(NAMES).find(|(_, (letter, _))| letter.starts_with(first.to_ascii_uppercase()))?;
    match &suffix[1..] {
        "" => Some((1024_u64.pow(power), forms[0])),
        "iB" => Some((1024_u64.pow(power), forms[1])),
        "B" => Some((1000_u64.pow(power), forms[2])),
        _ => None,
    }
}

/// `bytes` in at most three digits, rounded up: `4.0K`, `12M`.
pub(crate) fn human(bytes: u64, base: u64) -> String {
    let base = u128::from(base);
    let bytes = u128::from(bytes);
    if bytes < base {
        return bytes.to_string();
    }
    let (mut power, mut unit) = (1, base);
    while bytes >= unit * base {
        unit *= base;
        power += 1;
    }
    let tenths = (bytes * 10).div_ceil(unit);
    let text = if tenths < 100 {
        format!("{}.{}", tenths / 10, tenths % 10)
    } else {
        let whole = bytes.div_ceil(unit);
        if whole == base {
            power += 1;
            "1.0".to_string()
        } else {
            whole.to_string()
        }
    };
    let letter = LETTERS.chars().nth(power - 1).unwrap_or('?');
    format!("{text}{}", if base == 1000 { letter.to_string().replace('K', "k") } else { letter.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_round_up() {
        let all = [0, 1023, 1024, 1025, 10_240, 10_241, 1_047_553, 1_048_576].map(|bytes| human(bytes, 1024));
        assert_eq!(all, ["0", "1023", "1.0K", "1.1K", "10K", "11K", "1.0M", "1.0M"]);
        assert_eq!([999, 1000, 1_500_000].map(|bytes| human(bytes, 1000)), ["999", "1.0k", "1.5M"]);
    }

    #[test]
    fn block_sizes_are_read() {
        assert_eq!(Unit::parse("1K").map(|unit| unit.show(1025)).as_deref(), Some("2"));
        assert_eq!(Unit::parse("K").map(|unit| unit.show(1025)).as_deref(), Some("2K"));
        assert_eq!(Unit::parse("kB").map(|unit| unit.show(1025)).as_deref(), Some("2kB"));
        assert_eq!(Unit::parse("MB"), Some(Unit::Blocks(1_000_000, "MB")));
        assert_eq!(Unit::parse("512"), Some(Unit::Blocks(512, "")));
        assert_eq!([Unit::parse("0"), Unit::parse("x"), Unit::parse("é"), Unit::parse("")], [None; 4]);
    }
}
