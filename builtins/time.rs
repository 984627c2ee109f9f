//! Civil time, and `strftime` as GNU's tools write it: `ls`, `find`, `stat`, `du`, `tree` and `date` format with it.
//!
//! The guest's clock runs in UTC; a [`Moment`] in another zone carries its offset and its name.
mod parse;

use crate::Meta;
use std::fmt::Write;

/// A point in time and the zone it is told in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Seconds since the epoch.
    pub seconds: i64,
    /// Nanoseconds of that second.
    pub nanos: u32,
    /// Seconds east of UTC.
    pub offset: i32,
    /// The zone's name, for `%Z`.
    pub zone: String,
}

/// A date and a time of day of the proleptic Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Civil {
    /// Year; 0 is 1 BC.
    pub year: i64,
    /// Month, from 1.
    pub month: i64,
    /// Day of the month, from 1.
    pub day: i64,
    /// Hour, 0 to 23.
    pub hour: i64,
    /// Minute, 0 to 59.
    pub minute: i64,
    /// Second, 0 to 59.
    pub second: i64,
}

const DAY: i64 = 86_400;
const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
pub(crate) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl Civil {
    /// The civil time `seconds` after the epoch, in UTC.
    pub fn from_epoch(seconds: i64) -> Civil {
        let (days, rest) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
        // Years begin in March here, so that the leap day comes last; eras are 400 years.
        let shifted = days.saturating_add(719_468);
        let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * day_of_year + 2) / 153;
        let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
        Civil {
            year: year_of_era + era * 400 + i64::from(month <= 2),
            month,
            day: day_of_year - (153 * march_month + 2) / 5 + 1,
            hour: rest / 3600,
            minute: rest / 60 % 60,
            second: rest % 60,
        }
    }

    /// Seconds from the epoch to this time in UTC. Fields out of range carry over, as `mktime` has it.
    pub fn to_epoch(self) -> i64 {
        let months = self.year.saturating_mul(12).saturating_add(self.month - 1);
        let (year, month) = (months.div_euclid(12), months.rem_euclid(12) + 1);
        let year = if month <= 2 { year - 1 } else { year };
        let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
        let march_month = (month + 9) % 12;
        let day_of_year = (153 * march_month + 2) / 5;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        let days = era.saturating_mul(146_097) + day_of_era - 719_468 + self.day - 1;
        days.saturating_mul(DAY) + self.hour * 3600 + self.minute * 60 + self.second
    }

    /// Day of the week, Sunday being 0.
    pub fn weekday(self) -> i64 {
        (self.to_epoch().div_euclid(DAY) + 4).rem_euclid(7)
    }

    /// Day of the year, from 0.
    pub fn day_of_year(self) -> i64 {
        let first = Civil { month: 1, day: 1, ..self };
        self.to_epoch().div_euclid(DAY) - first.to_epoch().div_euclid(DAY)
    }

    /// Year and week of ISO 8601.
    pub fn iso_week(self) -> (i64, i64) {
        let thursday = self.day + 3 - (self.weekday() + 6) % 7;
        let in_week = Civil::from_epoch(Civil { day: thursday, ..self }.to_epoch());
        (in_week.year, in_week.day_of_year() / 7 + 1)
    }
}

impl Moment {
    /// `seconds` after the epoch, in UTC.
    pub fn utc(seconds: i64) -> Moment {
        Moment { seconds, nanos: 0, offset: 0, zone: "UTC".to_string() }
    }

    /// When what `meta` tells of was last changed, in UTC.
    pub fn of(meta: &Meta) -> Moment {
        Moment { nanos: meta.nanos, ..Moment::utc(meta.mtime) }
    }

    /// The moment that `text` means, told at `now`: `2025-01-15 12:00`, `yesterday`, `2 weeks ago`, `@1736942400`.
    pub fn read(text: &str, now: i64) -> Option<Moment> {
        parse::parse(text, now)
    }

    /// The civil time of its zone.
    pub fn civil(&self) -> Civil {
        Civil::from_epoch(self.seconds.saturating_add(i64::from(self.offset)))
    }

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
    fn days_before_and_after_the_epoch() {
        let date = |seconds| Moment::utc(seconds).format("%F %T %a");
        assert_eq!(date(0), "1970-01-01 00:00:00 Thu");
        assert_eq!(date(-1), "1969-12-31 23:59:59 Wed");
        assert_eq!(date(951_782_400), "2000-02-29 00:00:00 Tue");
        assert_eq!(date(1_736_942_400), "2025-01-15 12:00:00 Wed");
        assert_eq!(date(-62_135_596_800), "0001-01-01 00:00:00 Mon");
    }

    #[test]
    fn civil_times_carry_over() {
        let civil = Civil { year: 2024, month: 14, day: 31, hour: 25, minute: 0, second: 0 };
        assert_eq!(Moment::utc(civil.to_epoch()).format("%F %H"), "2025-03-04 01");
        assert_eq!(Civil::from_epoch(1_736_942_400).to_epoch(), 1_736_942_400);
    }

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
