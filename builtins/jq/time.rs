//! Times: seconds since the epoch, and the "broken down time" of eight numbers.
use super::{
    evaluate::{Result, Stop},
    value::Value,
};
use crate::{Civil, Moment};

/// `gmtime`: year, month from 0, day, hour, minute, second, weekday, day of the year from 0.
pub(super) fn gmtime(value: &Value) -> Result<Value> {
    let Some(seconds) = value.as_number() else { return Err(Stop::error("gmtime() requires numeric inputs")) };
    let whole = seconds.floor();
    let civil = Civil::from_epoch(whole as i64);
    let numbers = [
        civil.year as f64,
        civil.month as f64 - 1.0,
        civil.day as f64,
        civil.hour as f64,
        civil.minute as f64,
        civil.second as f64 + (seconds - whole),
        civil.weekday() as f64,
        civil.day_of_year() as f64,
    ];
    Ok(Value::array(numbers.map(Value::number).to_vec()))
}

/// The seconds of a broken down time.
fn seconds(value: &Value, function: &str) -> Result<i64> {
    let wrong = || Stop::error(format!("{function} requires parsed datetime inputs"));
    let parts = value.as_array().ok_or_else(wrong)?;
    let numbers: Option<Vec<i64>> = parts.iter().map(|part| part.as_number().map(|number| number as i64)).collect();
    match numbers.ok_or_else(wrong)?[..] {
        [year, month, day, hour, minute, second, ..] => {
            let (year, month) = (year + month.div_euclid(12), month.rem_euclid(12) + 1);
            let first = Civil { year, month, day: 1, hour: 0, minute: 0, second: 0 };
            Ok(first.to_epoch() + (day - 1) * 86400 + hour * 3600 + minute * 60 + second)
        }
        _ => Err(wrong()),
    }
}

/// `mktime`
pub(super) fn mktime(value: &Value) -> Result<Value> {
    if value.as_array().is_none() {
        return Err(Stop::error("mktime requires array inputs"));
    }
    seconds(value, "mktime").map(|seconds| Value::number(seconds as f64))
}

/// `strftime`; the guest's time zone is UTC.
pub(super) fn strftime(value: &Value, template: &Value, function: &str) -> Result<Value> {
    let seconds = match value {
        Value::Number(number) => number.value.floor() as i64,
        other => seconds(other, function)?,
    };
    let Some(template) = template.as_text() else {
        return Err(Stop::error(format!("{function} requires a string format")));
    };
    Ok(Value::text(Moment::utc(seconds).format(template)))
}

/// `strptime`: read `value` by `template` into a broken down time.
pub(super) fn strptime(value: &Value, template: &Value) -> Result<Value> {
    let (Some(text), Some(template)) = (value.as_text(), template.as_text()) else {
        return Err(Stop::error("strptime/1 requires string inputs and arguments"));
    };
    let mut reading = Reading::new(text);
    let fits = reading.read(template).is_some() && reading.rest.is_empty();
    if !fits {
        return Err(Stop::error(format!("date \"{text}\" does not match format \"{template}\"")));
    }
    gmtime_of(&reading)
}

fn gmtime_of(reading: &Reading<'_>) -> Result<Value> {
    let civil = &reading.civil;
    if let Some(epoch) = reading.epoch {
        return gmtime(&Value::number(epoch as f64));
    }
    let exact = Civil { hour: 0, minute: 0, second: 0, ..*civil };
    let numbers = [
        civil.year,
        civil.month - 1,
        civil.day,
        civil.hour + reading.afternoon,
        civil.minute,
        civil.second,
        exact.weekday(),
        exact.day_of_year(),
    ];
    Ok(Value::array(numbers.map(|number| Value::number(number as f64)).to_vec()))
}

/// A text that is read by a template.
struct Reading<'t> {
    rest: &'t str,
    civil: Civil,
    /// Hours to add for `%p`.
    afternoon: i64,
    epoch: Option<i64>,
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const DAYS: [&str; 7] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

impl<'t> Reading<'t> {
    fn new(text: &'t str) -> Reading<'t> {
        let civil = Civil { year: 1900, month: 1, day: 1, hour: 0, minute: 0, second: 0 };
        Reading { rest: text, civil, afternoon: 0, epoch: None }
    }

    fn read(&mut self, template: &str) -> Option<()> {
        let mut letters = template.chars();
        while let Some(c) = letters.next() {
            if c.is_whitespace() {
                self.rest = self.rest.trim_start();
            } else if c != '%' {
                self.rest = self.rest.strip_prefix(c)?;
            } else {
                let mut letter = letters.next()?;
                while matches!(letter, 'E' | 'O' | '-' | '_' | '0' | '^') {
                    letter = letters.next()?;
                }
                self.conversion(letter)?;
            }
        }
        Some(())
    }

    fn conversion(&mut self, letter: char) -> Option<()> {
        match letter {
            'Y' => self.civil.year = self.number(4)?,
            'y' => {
                let year = self.number(2)?;
                self.civil.year = if year < 69 { 2000 + year } else { 1900 + year };
            }
            'm' => self.civil.month = self.number(2).filter(|month| (1..=12).contains(month))?,
            'd' | 'e' => self.civil.day = self.number(2).filter(|day| (1..=31).contains(day))?,
            'H' | 'k' => self.civil.hour = self.number(2).filter(|hour| *hour < 24)?,
            'I' | 'l' => self.civil.hour = self.number(2).filter(|hour| (1..=12).contains(hour))? % 12,
            'M' => self.civil.minute = self.number(2).filter(|minute| *minute < 60)?,
            'S' => self.civil.second = self.number(2).filter(|second| *second <= 61)?,
            'j' => {
                let day = self.number(3).filter(|day| (1..=366).contains(day))?;
                let first = Civil { month: 1, day: 1, hour: 0, minute: 0, second: 0, ..self.civil };
                let date = Civil::from_epoch(first.to_epoch() + (day - 1) * 86400);
                (self.civil.month, self.civil.day) = (date.month, date.day);
            }
            'b' | 'B' | 'h' => self.civil.month = self.name(&MONTHS)? + 1,
            'a' | 'A' => drop(self.name(&DAYS)?),
            'p' | 'P' => {
                let (word, rest) = self.rest.split_at_checked(2)?;
                self.afternoon = match word.to_ascii_lowercase().as_str() {
                    "am" => 0,
                    "pm" => 12,
                    _ => return None,
                };
                self.rest = rest;
            }
            's' => self.epoch = Some(self.number(20)?),
            'z' => self.zone()?,
            'Z' => self.rest = self.rest.trim_start_matches(|c: char| c.is_ascii_alphabetic()),
            'T' => self.read("%H:%M:%S")?,
            'R' => self.read("%H:%M")?,
            'D' => self.read("%m/%d/%y")?,
            'F' => self.read("%Y-%m-%d")?,
            'c' => self.read("%a %b %e %H:%M:%S %Y")?,
            'n' | 't' => self.rest = self.rest.trim_start(),
            '%' => self.rest = self.rest.strip_prefix('%')?,
            _ => return None,
        }
        Some(())
    }

    fn number(&mut self, most: usize) -> Option<i64> {
        self.rest = self.rest.trim_start_matches(' ');
        let digits = self.rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        number.parse().ok()
    }

    fn name(&mut self, names: &[&str]) -> Option<i64> {
        let lower = self.rest.to_ascii_lowercase();
        let (at, length) = names.iter().enumerate().find_map(|(at, name)| {
            let length = if lower.starts_with(name) { name.len() } else { 3 };
            lower.starts_with(&name[..length]).then_some((at, length))
        })?;
        self.rest = &self.rest[length..];
        Some(at as i64)
    }

    /// `Z`, `+hh:mm`: read, and not looked at, as C's `timegm` does not.
    fn zone(&mut self) -> Option<()> {
        if let Some(rest) = self.rest.strip_prefix('Z') {
            self.rest = rest;
            return Some(());
        }
        self.rest = self.rest.strip_prefix(['+', '-'])?;
        let digits = self.rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':');
        self.rest = digits;
        Some(())
    }
}
