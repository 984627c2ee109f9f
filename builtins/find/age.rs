//! How long ago a file changed: `-mtime`, `-mmin` and their kin. A page has one time, which answers for all.

/// A test of an age.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Age {
    /// The moment to count back from.
    pub(super) from: i64,
    pub(super) unit: Unit,
    pub(super) count: Count,
}

/// What an age is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Whole days that have passed.
    Days,
    /// Minutes begun.
    Minutes,
}

/// More, less or exactly so many.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Count {
    More(f64),
    Less(f64),
    Exactly(f64),
}

const DAY: i64 = 86_400;

impl Age {
    /// Read `+5`, `-0.5` or `5`. `now` counts; with `-daystart` the end of its day does.
    pub(super) fn read(text: &str, unit: Unit, now: i64, from_day_start: bool) -> Option<Age> {
        let number = |text: &str| {
            let is_number = text.starts_with(|c: char| c.is_ascii_digit() || c == '.');
            is_number.then(|| text.parse::<f64>().ok()).flatten()
        };
        let count = match text.as_bytes().first()? {
            b'+' => Count::More(number(&text[1..])?),
            b'-' => Count::Less(number(&text[1..])?),
            _ => Count::Exactly(number(text)?),
        };
        let end_of_day = (now.div_euclid(DAY) + 1) * DAY - 1;
        Some(Age { from: if from_day_start { end_of_day } else { now }, unit, count })
    }

    pub(super) fn holds(self, mtime: i64) -> bool {
        let seconds = (self.from - mtime) as f64;
        match (self.unit, self.count) {
            // More than N days is at least N + 1 of them.
            (Unit::Days, Count::More(days)) => seconds >= (days + 1.0) * DAY as f64,
            (Unit::Days, Count::Less(days)) => seconds < days * DAY as f64,
            (Unit::Days, Count::Exactly(days)) => seconds >= days * DAY as f64 && seconds < (days + 1.0) * DAY as f64,
            (Unit::Minutes, Count::More(minutes)) => seconds > minutes * 60.0,
            (Unit::Minutes, Count::Less(minutes)) => seconds < minutes * 60.0,
            (Unit::Minutes, Count::Exactly(minutes)) => seconds <= minutes * 60.0 && seconds > (minutes - 1.0) * 60.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str, unit: Unit, seconds_ago: i64) -> bool {
        Age::read(text, unit, 1_000_000, false).is_some_and(|age| age.holds(1_000_000 - seconds_ago))
    }

    #[test]
    fn days_have_passed_whole() {
        assert!(holds("0", Unit::Days, 3600) && !holds("0", Unit::Days, DAY));
        assert!(holds("-1", Unit::Days, 3600) && !holds("-1", Unit::Days, DAY + 1));
        assert!(holds("+1", Unit::Days, 2 * DAY) && !holds("+1", Unit::Days, 2 * DAY - 1));
    }

    #[test]
    fn minutes_have_begun() {
        assert!(holds("1", Unit::Minutes, 30) && !holds("1", Unit::Minutes, 90));
        assert!(holds("-5", Unit::Minutes, 299) && holds("+5", Unit::Minutes, 301));
        assert_eq!(Age::read("x", Unit::Minutes, 0, false), None);
    }
}
