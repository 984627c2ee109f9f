//! Civil time, and `strftime` as GNU's tools write it: `ls`, `find`, `stat`, `du`, `tree` and `date` format with it.
//!
//! The guest's clock runs in UTC; a [`Moment`] in another zone carries its offset and its name.
mod parse;
mod strftime;

use crate::Meta;

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
}
