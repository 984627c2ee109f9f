//! Dates as people write them, for `date -d`, `find -newermt` and their kin: `2025-01-15 12:00`, `@1736942400`,
//! `Jan 15 2025 3pm`, `yesterday`, `2 weeks ago`, `next friday`. The rules are those of gnulib's `parse_datetime`.
mod names;
mod tokens;

use super::{Civil, Moment};
use names::{month, ordinal, unit, weekday, zone};
use tokens::{Number, Token, nanos, tokens};

/// What has been understood so far.
#[derive(Default)]
struct Reading {
    date: Option<(i64, i64, i64)>,
    has_year: bool,
    time: Option<(i64, i64, i64, u32)>,
    zone: Option<i64>,
    /// A day of the week and how many weeks on.
    weekday: Option<(i64, i64)>,
    /// Months, days and seconds to add.
    relative: Option<(i64, i64, i64)>,
}

/// The moment that `text` means, told at `now`; `None` when it cannot be understood.
pub(super) fn parse(text: &str, now: i64) -> Option<Moment> {
    let text = text.trim();
    if let Some(seconds) = text.strip_prefix('@') {
        let (whole, fraction) = seconds.split_once(['.', ',']).unwrap_or((seconds, ""));
        let nanos = nanos(fraction)?;
        return Some(Moment { nanos, ..Moment::utc(whole.parse().ok()?) });
    }
    let tokens = tokens(text)?;
    let today = Civil::from_epoch(now);
    let mut reading = Reading::default();
    let mut rest = &tokens[..];
    while !rest.is_empty() {
        rest = reading.item(rest, today)?;
    }
    reading.moment(today)
}

impl Reading {
    /// Understand the item at the start of `tokens`; what is left.
    fn item<'t>(&mut self, tokens: &'t [Token], today: Civil) -> Option<&'t [Token]> {
        use Token::{Number as N, Sign, Word};
        match tokens {
            // 12:00:05.5
            [N(hour), Sign(':'), N(minute), Sign(':'), N(second), rest @ ..] => {
                self.clock(hour.value, minute.value, second.value, second.nanos, rest)
            }
            [N(hour), Sign(':'), N(minute), rest @ ..] => self.clock(hour.value, minute.value, 0, 0, rest),
            // 2025-01-15, 15-jan-2025, 1/15/2025
            [N(year), Sign('-'), N(month), Sign('-'), N(day), rest @ ..] if year.digits > 2 || month.value <= 12 => {
                self.day(Some(full_year(*year)), month.value, day.value, after_date(rest))
            }
            [N(day), Sign('-'), Word(name), Sign('-'), N(year), rest @ ..] => {
                self.day(Some(full_year(*year)), month(name)?, day.value, rest)
            }
            [N(first), Sign('/'), N(second), Sign('/'), N(third), rest @ ..] => match first.digits > 2 {
                true => self.day(Some(first.value), second.value, third.value, rest),
                false => self.day(Some(full_year(*third)), first.value, second.value, rest),
            },
            [N(month), Sign('/'), N(day), rest @ ..] => self.day(None, month.value, day.value, rest),
            // 15 January 2025
            [N(day), Word(name), rest @ ..] if month(name).is_some() => {
                let month = month(name)?;
                match rest {
                    [N(year), Sign(':'), ..] if year.digits < 3 => self.day(None, month, day.value, rest),
                    [N(year), rest @ ..] => self.day(Some(full_year(*year)), month, day.value, rest),
                    rest => self.day(None, month, day.value, rest),
                }
            }
            // January 15, 2025
            [Word(name), N(day), rest @ ..] if month(name).is_some() => match rest {
                [N(year), tail @ ..] if year.digits == 4 && !matches!(tail, [Sign(':'), ..]) => {
                    self.day(Some(year.value), month(name)?, day.value, tail)
                }
                rest => self.day(None, month(name)?, day.value, rest),
            },
            // 3pm
            [N(hour), Word(half), rest @ ..] if half == "am" || half == "pm" => {
                self.clock(hour.value, 0, 0, 0, &tokens[1..]).map(|_| rest)
            }
            // +2 days
            [Sign('+'), N(number), Word(unit), rest @ ..] => self.relative(number.value, unit, rest),
            [Sign('-'), N(number), Word(unit), rest @ ..] => self.relative(-number.value, unit, rest),
            [N(number), Word(name), rest @ ..] if unit(name).is_some() => self.relative(number.value, name, rest),
            // 10+02
            [N(hour), Sign('+' | '-'), N(_), ..] if hour.digits <= 2 && self.time.is_none() => {
                self.clock(hour.value, 0, 0, 0, &tokens[1..])
            }
            [N(number), rest @ ..] => self.number(*number, rest),
            [Word(word), rest @ ..] => self.word(word, rest, today),
            _ => None,
        }
    }

    /// A number that nothing else explains: a year, a date, an hour.
    fn number<'t>(&mut self, number: Number, rest: &'t [Token]) -> Option<&'t [Token]> {
        let has_date = self.date.is_some();
        if has_date && !self.has_year && self.relative.is_none() && (self.time.is_some() || number.digits > 2) {
            let (_, month, day) = self.date.take()?;
            return self.day(Some(full_year(number)), month, day, rest);
        }
        match number.digits {
            1 | 2 => self.clock(number.value, 0, 0, 0, &[]).map(|_| rest),
            3 | 4 => self.clock(number.value / 100, number.value % 100, 0, 0, &[]).map(|_| rest),
            _ => {
                let year = Number { value: number.value / 10_000, digits: number.digits - 4, nanos: 0 };
                self.day(Some(full_year(year)), number.value / 100 % 100, number.value % 100, after_date(rest))
            }
        }
    }

    fn word<'t>(&mut self, word: &str, rest: &'t [Token], today: Civil) -> Option<&'t [Token]> {
        const DAY: (i64, i64, i64) = (0, 1, 0);
        match word {
            "now" | "today" => self.add(0, DAY),
            "yesterday" => self.add(-1, DAY),
            "tomorrow" => self.add(1, DAY),
            "t" if self.date.is_some() => {}
            _ => {
                if let Some(count) = ordinal(word) {
                    let [Token::Word(unit), rest @ ..] = rest else { return None };
                    return match weekday(unit) {
                        Some(day) => self.day_of_the_week(day, count, rest),
                        None => self.relative(count, unit, rest),
                    };
                }
                if let Some(day) = weekday(word) {
                    return self.day_of_the_week(day, 0, rest);
                } else if let Some(month) = month(word) {
                    // A month alone is that of a year, or today's.
                    match rest {
                        [Token::Number(year), rest @ ..] if year.digits == 4 => {
                            return self.day(Some(year.value), month, 1, rest);
                        }
                        rest => return self.day(None, month, today.day, rest),
                    }
                } else if let Some(minutes) = zone(word) {
                    return match rest {
                        // What is signed and has a unit is no part of the zone: UTC +1 day
                        [Token::Sign(_), Token::Number(_), Token::Word(name), ..] if unit(name).is_some() => {
                            self.zone(minutes, rest)
                        }
                        [Token::Word(word), rest @ ..] if word == "dst" => self.zone(minutes + 60, rest),
                        rest => {
                            let (more, rest) = offset(rest)?;
                            self.zone(minutes + more, rest)
                        }
                    };
                } else {
                    return self.relative(1, word, rest);
                }
            }
        }
        Some(rest)
    }

    fn day<'t>(&mut self, year: Option<i64>, month: i64, day: i64, rest: &'t [Token]) -> Option<&'t [Token]> {
        if self.date.is_some() || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return None;
        }
        self.has_year = year.is_some();
        self.date = Some((year.unwrap_or(i64::MIN), month, day));
        Some(rest)
    }

    fn day_of_the_week<'t>(&mut self, day: i64, weeks: i64, rest: &'t [Token]) -> Option<&'t [Token]> {
        if self.weekday.is_some() {
            return None;
        }
        self.weekday = Some((day, weeks));
        Some(rest)
    }

    /// A time of the day. A signed number right behind one on 24 hours is its zone, whatever follows: `10:00 +1 day` is
    /// a day, told an hour east of here.
    fn clock<'t>(&mut self, hour: i64, minute: i64, second: i64, nanos: u32, rest: &'t [Token]) -> Option<&'t [Token]> {
        let (hour, rest) = match rest {
            [Token::Word(half), rest @ ..] if half == "am" || half == "pm" => {
                if !(1..=12).contains(&hour) {
                    return None;
                }
                (hour % 12 + if half == "pm" { 12 } else { 0 }, rest)
            }
            rest @ [Token::Sign('+' | '-'), Token::Number(_), ..] => {
                let (minutes, rest) = offset(rest)?;
                (hour, self.zone(minutes, rest)?)
            }
            rest => (hour, rest),
        };
        if self.time.is_some() || hour > 23 || minute > 59 || second > 60 {
            return None;
        }
        self.time = Some((hour, minute, second, nanos));
        Some(rest)
    }

    fn zone<'t>(&mut self, minutes: i64, rest: &'t [Token]) -> Option<&'t [Token]> {
        if self.zone.is_some() {
            return None;
        }
        self.zone = Some(minutes);
        Some(rest)
    }

    /// `count` times a unit, or what `ago` behind it makes of that.
    fn relative<'t>(&mut self, count: i64, name: &str, rest: &'t [Token]) -> Option<&'t [Token]> {
        let unit = unit(name)?;
        match rest {
            [Token::Word(word), rest @ ..] if word == "ago" => {
                self.add(count.checked_neg()?, unit);
                Some(rest)
            }
            rest => {
                self.add(count, unit);
                Some(rest)
            }
        }
    }

    fn add(&mut self, count: i64, (months, days, seconds): (i64, i64, i64)) {
        let sum = self.relative.get_or_insert((0, 0, 0));
        let plus = |sum: &mut i64, unit: i64| *sum = sum.saturating_add(unit.saturating_mul(count));
        plus(&mut sum.0, months);
        plus(&mut sum.1, days);
        plus(&mut sum.2, seconds);
    }

    fn moment(self, today: Civil) -> Option<Moment> {
        let mut civil = today;
        if let Some((year, month, day)) = self.date {
            let year = if self.has_year { year } else { today.year };
            (civil.year, civil.month, civil.day) = (year, month, day);
            let first = Civil { day: 1, hour: 0, minute: 0, second: 0, ..civil };
            let next = Civil { month: month + 1, ..first };
            if day > (next.to_epoch() - first.to_epoch()) / 86_400 {
                return None;
            }
        }
        let keeps_time = self.relative.is_some() && self.date.is_none() && self.weekday.is_none();
        let mut nanos = 0;
        match self.time {
            Some((hour, minute, second, fraction)) => {
                (civil.hour, civil.minute, civil.second, nanos) = (hour, minute, second, fraction);
            }
            None if keeps_time => {}
            None => (civil.hour, civil.minute, civil.second) = (0, 0, 0),
        }
        if let (Some((weekday, weeks)), None) = (self.weekday, self.date) {
            let skipped = i64::from(weeks > 0 && civil.weekday() != weekday);
            civil.day += (weekday - civil.weekday()).rem_euclid(7) + 7 * (weeks - skipped);
        }
        let (months, days, seconds) = self.relative.unwrap_or_default();
        civil.month = civil.month.saturating_add(months);
        civil.day = civil.day.saturating_add(days);
        if civil.month.abs() > 1_000_000_000 || civil.day.abs() > 1_000_000_000_000 {
            return None;
        }
        let zone = self.zone.unwrap_or(0) * 60;
        Some(Moment { nanos, ..Moment::utc(civil.to_epoch().checked_add(seconds)? - zone) })
    }
}

/// The minutes of `+02`, `+0200` or `+02:00` in front of `tokens`, 0 where nothing is signed; and what is left.
fn offset(tokens: &[Token]) -> Option<(i64, &[Token])> {
    let [Token::Sign(sign @ ('+' | '-')), Token::Number(number), rest @ ..] = tokens else {
        return Some((0, tokens));
    };
    let (minutes, rest) = match rest {
        [Token::Sign(':'), Token::Number(minutes), rest @ ..] => {
            (number.value.checked_mul(60)?.checked_add(minutes.value)?, rest)
        }
        rest if number.digits <= 2 => (number.value * 60, rest),
        rest => (number.value / 100 * 60 + number.value % 100, rest),
    };
    (minutes <= 24 * 60).then_some((if *sign == '-' { -minutes } else { minutes }, rest))
}

/// The `T` between a date and a time, jumped over.
fn after_date(rest: &[Token]) -> &[Token] {
    match rest {
        [Token::Word(word), rest @ ..] if word == "t" => rest,
        rest => rest,
    }
}

fn full_year(number: Number) -> i64 {
    match number.value {
        value @ 0..69 if number.digits <= 2 => 2000 + value,
        value @ 69..100 if number.digits <= 2 => 1900 + value,
        value => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `text` means on Wednesday, 15 January 2025, 12:00:30.
    fn read(text: &str) -> String {
        parse(text, 1_736_942_430).map_or("-".to_string(), |moment| moment.format("%a %F %T.%1N"))
    }

    #[test]
    fn dates_and_times() {
        assert_eq!(read("2024-02-29"), "Thu 2024-02-29 00:00:00.0");
        assert_eq!(read("2024-05-06T07:08:09.5Z"), "Mon 2024-05-06 07:08:09.5");
        assert_eq!(read("2024-05-06 07:08 +0200"), "Mon 2024-05-06 05:08:00.0");
        assert_eq!(read("Jan 5, 2024 3pm"), "Fri 2024-01-05 15:00:00.0");
        assert_eq!(read("5 january 2024 12:30am"), "Fri 2024-01-05 00:30:00.0");
        assert_eq!(read("Wed Jan 15 12:00:00 UTC 2025"), "Wed 2025-01-15 12:00:00.0");
        assert_eq!(read("12/25/99"), "Sat 1999-12-25 00:00:00.0");
        assert_eq!(read("20240506"), "Mon 2024-05-06 00:00:00.0");
        assert_eq!(read("@0"), "Thu 1970-01-01 00:00:00.0");
        assert_eq!(read("14:05"), "Wed 2025-01-15 14:05:00.0");
        assert_eq!(read(""), "Wed 2025-01-15 00:00:00.0");
    }

    #[test]
    fn times_relative_to_now() {
        assert_eq!(read("now"), "Wed 2025-01-15 12:00:30.0");
        assert_eq!(read("yesterday"), "Tue 2025-01-14 12:00:30.0");
        assert_eq!(read("2 weeks ago"), "Wed 2025-01-01 12:00:30.0");
        assert_eq!(read("-3 days"), "Sun 2025-01-12 12:00:30.0");
        assert_eq!(read("2024-01-31 +1 month"), "Sat 2024-03-02 00:00:00.0");
        assert_eq!(read("next year"), "Thu 2026-01-15 12:00:30.0");
        assert_eq!(read("1 hour 30 minutes ago"), "Wed 2025-01-15 12:30:30.0");
        assert_eq!(read("tomorrow 2 hours ago"), "Thu 2025-01-16 10:00:30.0");
    }

    #[test]
    fn what_is_signed_behind_a_time_is_its_zone() {
        assert_eq!(read("2024-01-01 10:00 +1 day"), "Tue 2024-01-02 09:00:00.0");
        assert_eq!(read("2024-01-01 10:00:00 +0200 fortnight"), "Mon 2024-01-15 08:00:00.0");
        assert_eq!(read("2024-01-01 10:00-05:30 1 day"), "Tue 2024-01-02 15:30:00.0");
        assert_eq!(read("2024-01-01T10+02"), "Mon 2024-01-01 08:00:00.0");
        assert_eq!(read("2024-01-01 10:00 UTC +1 day"), "Tue 2024-01-02 10:00:00.0");
        assert_eq!(read("2024-01-01 10:00 UTC+3 1 min"), "Mon 2024-01-01 07:01:00.0");
        assert_eq!(read("2024-01-01 10:00 EST DST"), "Mon 2024-01-01 14:00:00.0");
        assert_eq!(read("2024-01-01 10am +1 hour"), "Mon 2024-01-01 11:00:00.0");
        for text in ["10:00 -25 hours", "10am +1", "2024-01-01 +1", "10:00Z UTC", "Sat last sunday", "noon"] {
            assert_eq!(read(text), "-", "{text}");
        }
    }

    #[test]
    fn days_of_the_week() {
        assert_eq!(read("friday"), "Fri 2025-01-17 00:00:00.0");
        assert_eq!(read("next friday"), "Fri 2025-01-17 00:00:00.0");
        assert_eq!(read("next wed"), "Wed 2025-01-22 00:00:00.0");
        assert_eq!(read("last monday"), "Mon 2025-01-13 00:00:00.0");
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["garbage", "2024-13-01", "2024-02-30", "25:00", "1 2 3 4", "@x"] {
            assert_eq!(read(text), "-", "{text}");
        }
    }
}
