//! The Sunday after the first full moon of spring, as churches reckon it.
use super::days::{Calendar, gregorian, julian, weekday};

/// Month and day of western Easter: Gregorian since the reform of 1582, Julian before.
pub(super) fn western(year: i64) -> (i64, i64) {
    if year < 1583 {
        return orthodox_julian(year);
    }
    // The corrections of the moon's age that the Gregorian calendar made: for leap days left out, and for the moon.
    let century = year / 100;
    let epact = (19 * (year % 19) + century - century / 4 - (8 * century + 13) / 25 + 15) % 30;
    let full = epact - i64::from(epact == 29 || epact == 28 && year % 19 > 10);
    sunday_after(gregorian(year, 3, 21) + full, |day| gregorian(year, 3, day))
}

/// Month and day of orthodox Easter, in the calendar of the year.
pub(super) fn orthodox(year: i64, calendar: &Calendar) -> (i64, i64) {
    let (month, day) = orthodox_julian(year);
    let number = julian(year, month, day);
    if calendar.is_julian(number) {
        return (month, day);
    }
    month_and_day(number, |day| gregorian(year, 3, day))
}

fn orthodox_julian(year: i64) -> (i64, i64) {
    let full = (19 * (year % 19) + 15) % 30;
    sunday_after(julian(year, 3, 21) + full, |day| julian(year, 3, day))
}

/// The Sunday after the day `full`; `march` numbers the days of March.
fn sunday_after(full: i64, march: impl Fn(i64) -> i64) -> (i64, i64) {
    month_and_day(full + 7 - weekday(full), march)
}

/// A day of spring, counted through from March 1.
fn month_and_day(number: i64, march: impl Fn(i64) -> i64) -> (i64, i64) {
    let day = number - march(1) + 1;
    match day {
        ..=31 => (3, day),
        32..=61 => (4, day - 31),
        _ => (5, day - 61),
    }
}
