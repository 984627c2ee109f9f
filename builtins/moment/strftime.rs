//! `strftime`, with the flags and widths of GNU's.
use super::{MONTHS, Moment, WEEKDAYS};
use std::fmt::Write;

impl Moment {
    /// `template` filled in, as `date +template` prints it. What is not a directive stays as it is.
    pub fn format(&self, template: &str) -> String {
        let mut out = String::new();
        let mut rest = template;
        while let Some(at) = rest.find('%') {
            out += &rest[..at];
            let spec = Spec::read(&rest[at..]);
            match self.directive(&spec) {
                Some(text) => out += &text,
                None => out += &rest[at..at + spec.len],
            }
            rest = &rest[at + spec.len..];
        }
        out + rest
    }

    fn directive(&self, spec: &Spec) -> Option<String> {
        let civil = self.civil();
        let twelve = (civil.hour + 11) % 12 + 1;
        let number = |value, digits| Some(spec.number(value, digits, '0'));
        let spaced = |value, digits| Some(spec.number(value, digits, '_'));
        let name = |text: &str| Some(spec.text(text, true));
        let nested = |template| Some(spec.text(&self.format(template), true));
        let week = |first: i64| (civil.day_of_year() + 7 - (civil.weekday() + 7 - first) % 7) / 7;
        match spec.letter {
            '%' => Some(spec.text("%", true)),
            'n' => Some(spec.text("\n", true)),
            't' => Some(spec.text("\t", true)),
            'a' => name(&WEEKDAYS[civil.weekday() as usize][..3]),
            'A' => name(WEEKDAYS[civil.weekday() as usize]),
            'b' | 'h' => name(&MONTHS[civil.month as usize - 1][..3]),
            'B' => name(MONTHS[civil.month as usize - 1]),
            'c' => nested("%a %b %e %H:%M:%S %Y"),
            'C' => number(civil.year.div_euclid(100), 2),
            'd' => number(civil.day, 2),
            'D' | 'x' => nested("%m/%d/%y"),
            'e' => spaced(civil.day, 2),
            'F' => nested("%Y-%m-%d"),
            'g' => number(civil.iso_week().0.rem_euclid(100), 2),
            'G' => number(civil.iso_week().0, 4),
            'H' => number(civil.hour, 2),
            'I' => number(twelve, 2),
            'j' => number(civil.day_of_year() + 1, 3),
            'k' => spaced(civil.hour, 2),
            'l' => spaced(twelve, 2),
            'm' => number(civil.month, 2),
            'M' => number(civil.minute, 2),
            'N' => Some(spec.fraction(self.nanos)),
            'p' => Some(spec.text(if civil.hour < 12 { "AM" } else { "PM" }, false)),
            'P' => name(if civil.hour < 12 { "am" } else { "pm" }),
            'q' => number((civil.month + 2) / 3, 1),
            'r' => nested("%I:%M:%S %p"),
            'R' => nested("%H:%M"),
            's' => number(self.seconds, 1),
            'S' => number(civil.second, 2),
            'T' | 'X' => nested("%H:%M:%S"),
            'u' => number((civil.weekday() + 6) % 7 + 1, 1),
            'U' => number(week(0), 2),
            'V' => number(civil.iso_week().1, 2),
            'w' => number(civil.weekday(), 1),
            'W' => number(week(1), 2),
            'y' => number(civil.year.rem_euclid(100), 2),
            'Y' => number(civil.year, 4),
            'z' => self.zone_offset(spec.colons).map(|text| spec.text(&text, true)),
            'Z' => Some(spec.text(&self.zone, false)),
            _ => None,
        }
    }

    fn zone_offset(&self, colons: usize) -> Option<String> {
        let sign = if self.offset < 0 { '-' } else { '+' };
        let offset = self.offset.unsigned_abs();
        let (hour, minute, second) = (offset / 3600, offset / 60 % 60, offset % 60);
        Some(match colons {
            0 => format!("{sign}{hour:02}{minute:02}"),
            1 => format!("{sign}{hour:02}:{minute:02}"),
            2 => format!("{sign}{hour:02}:{minute:02}:{second:02}"),
            3 if second != 0 => format!("{sign}{hour:02}:{minute:02}:{second:02}"),
            3 if minute != 0 => format!("{sign}{hour:02}:{minute:02}"),
            3 => format!("{sign}{hour:02}"),
            _ => return None,
        })
    }
}

/// One directive: `%`, flags, a width, a modifier, a letter.
struct Spec {
    /// `-`, `_`, `0` or `+`, when given.
    pad: Option<char>,
    upper: bool,
    swap: bool,
    width: Option<usize>,
    colons: usize,
    letter: char,
    /// Bytes of the template that it takes.
    len: usize,
}

impl Spec {
    fn read(text: &str) -> Spec {
        let mut spec =
            Spec { pad: None, upper: false, swap: false, width: None, colons: 0, letter: '\0', len: text.len() };
        for (at, c) in text.char_indices().skip(1) {
            match c {
                '-' | '_' | '0' | '+' if spec.width.is_none() => spec.pad = Some(c),
                '^' => spec.upper = true,
                '#' => spec.swap = true,
                ':' => spec.colons += 1,
                'E' | 'O' => {}
                _ if c.is_ascii_digit() => {
                    let width = spec.width.unwrap_or(0) * 10 + c as usize - '0' as usize;
                    spec.width = Some(width.min(1024));
                }
                _ => {
                    spec.letter = c;
                    spec.len = at + c.len_utf8();
                    break;
                }
            }
        }
        spec
    }

    fn number(&self, value: i64, digits: usize, default: char) -> String {
        let pad = self.pad.unwrap_or(default);
        let width = if pad == '-' { 0 } else { self.width.unwrap_or(digits) };
        let plain = value.unsigned_abs().to_string();
        let sign = match pad {
            _ if value < 0 => "-",
            '+' if plain.len() > digits || width > digits => "+",
            _ => "",
        };
        let missing = width.saturating_sub(plain.len() + if self.width.is_some() { sign.len() } else { 0 });
        match pad {
            '_' => format!("{}{sign}{plain}", " ".repeat(missing)),
            _ => format!("{sign}{}{plain}", "0".repeat(missing)),
        }
    }

    /// `#` makes names upper case, and `%p` and `%Z` (`swap_raises` off) lower case.
    fn text(&self, text: &str, swap_raises: bool) -> String {
        let text = match (self.upper, self.swap) {
            (_, true) if !swap_raises => text.to_lowercase(),
            (_, true) if !matches!(self.letter, 'P' | 'c' | 'x' | 'X' | 'r') => text.to_uppercase(),
            (true, _) if self.letter != 'P' => text.to_uppercase(),
            _ => text.to_string(),
        };
        let missing = self.width.filter(|_| self.pad != Some('-')).unwrap_or(0).saturating_sub(text.chars().count());
        let fill = if matches!(self.pad, Some('0' | '+')) { "0" } else { " " };
        fill.repeat(missing) + &text
    }

    /// `%N`: nine digits, or as many as the width says from the left.
    fn fraction(&self, nanos: u32) -> String {
        let mut text = String::new();
        let _ = write!(text, "{nanos:09}");
        if self.pad == Some('-') {
            let kept = text.trim_end_matches('0').len().max(1);
            text.truncate(kept);
        }
        if let Some(width) = self.width.filter(|width| *width > 0) {
            while text.len() < width {
                text.push('0');
            }
            text.truncate(width);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_take_flags_and_widths() {
        let moment = Moment { nanos: 123_400_000, ..Moment::utc(1_736_942_405) };
        let format = |template| moment.format(template);
        assert_eq!(format("%-d|%_m|%5e|%05e|%-H|%3S"), "15| 1|   15|00015|12|005");
        assert_eq!(format("%^a %#Z %#p %10A|%-10A|%^B"), "WED utc pm  Wednesday|Wednesday|JANUARY");
        assert_eq!(format("%N %3N %-N"), "123400000 123 1234");
        assert_eq!(format("%z %:z %::z %:::z %Z"), "+0000 +00:00 +00:00:00 +00 UTC");
        assert_eq!(format("%j %U %W %V %G %u %w %q %C %s"), "015 02 02 03 2025 3 3 1 20 1736942405");
        assert_eq!(format("%c|%D|%r|%R|%I|%l|%k"), "Wed Jan 15 12:00:05 2025|01/15/25|12:00:05 PM|12:00|12|12|12");
        assert_eq!(format("%Q %! 100%"), "%Q %! 100%");
    }
}
