//! Days by number, in a calendar that was Julian first and Gregorian later.

/// When a country left the Julian calendar: its last day.
pub(super) type Country = (&'static str, &'static str, (i64, i64, i64));

pub(super) const COUNTRIES: &[Country] = &[
    ("AL", "Albania", (1912, 11, 30)),
    ("AT", "Austria", (1583, 10, 5)),
    ("AU", "Australia", (1752, 9, 2)),
    ("BE", "Belgium", (1582, 12, 14)),
    ("BG", "Bulgaria", (1916, 3, 31)),
    ("CA", "Canada", (1752, 9, 2)),
    ("CH", "Switzerland", (1655, 2, 28)),
    ("CN", "China", (1911, 12, 18)),
    ("CZ", "Czech Republic", (1584, 1, 6)),
    ("DE", "Germany", (1700, 2, 18)),
    ("DK", "Denmark", (1700, 2, 18)),
    ("ES", "Spain", (1582, 10, 4)),
    ("FI", "Finland", (1753, 2, 17)),
    ("FR", "France", (1582, 12, 9)),
    ("GB", "United Kingdom", (1752, 9, 2)),
    ("GR", "Greece", (1924, 3, 9)),
    ("HU", "Hungary", (1587, 10, 21)),
    ("IS", "Iceland", (1700, 11, 16)),
    ("IT", "Italy", (1582, 10, 4)),
    ("JP", "Japan", (1918, 12, 18)),
    ("LI", "Lithuania", (1918, 2, 1)),
    ("LU", "Luxembourg", (1582, 12, 14)),
    ("LV", "Latvia", (1918, 2, 1)),
    ("NL", "Netherlands", (1582, 12, 14)),
    ("NO", "Norway", (1700, 2, 18)),
    ("PL", "Poland", (1582, 10, 4)),
    ("PT", "Portugal", (1582, 10, 4)),
    ("RO", "Romania", (1919, 3, 31)),
    ("RU", "Russia", (1918, 1, 31)),
    ("SI", "Slovenia", (1919, 3, 4)),
    ("SE", "Sweden", (1753, 2, 17)),
    ("TR", "Turkey", (1926, 12, 18)),
    ("US", "United States", (1752, 9, 2)),
    ("YU", "Yugoslavia", (1919, 3, 4)),
];

/// A calendar: days up to `last_julian` are Julian. Days are numbered from 1970-01-01.
#[derive(Clone, Copy, Debug)]
pub(super) struct Calendar {
    last_julian: i64,
}

impl Calendar {
    pub(super) fn julian() -> Calendar {
        Calendar { last_julian: i64::MAX }
    }

    /// The calendar of the country with this code.
    pub(super) fn of(code: &str) -> Option<Calendar> {
        let (_, _, (year, month, day)) = COUNTRIES.iter().find(|(known, ..)| *known == code)?;
        Some(Calendar { last_julian: julian(*year, *month, *day) })
    }

    /// The days of a month and their numbers.
    pub(super) fn month(&self, year: i64, month: i64) -> Vec<(i64, i64)> {
        let next = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
        let day = |day: i64| {
            let number = julian(year, month, day);
            if number <= self.last_julian && number < julian(next.0, next.1, 1) {
                return Some((day, number));
            }
            let number = gregorian(year, month, day);
            (number > self.last_julian && number < gregorian(next.0, next.1, 1)).then_some((day, number))
        };
        (1..=31).filter_map(day).collect()
    }

    /// The number of the first day of a year.
    pub(super) fn new_year(&self, year: i64) -> i64 {
        self.month(year, 1).first().map_or(0, |(_, number)| *number)
    }

    /// Whether a day is counted in the Julian way.
    pub(super) fn is_julian(&self, number: i64) -> bool {
        number <= self.last_julian
    }
}

/// 0 is Sunday.
pub(super) fn weekday(number: i64) -> i64 {
    (number + 4).rem_euclid(7)
}

pub(super) fn julian(year: i64, month: i64, day: i64) -> i64 {
    let (year, days) = since_march(year, month, day);
    365 * year + year.div_euclid(4) + days - 719_470
}

pub(super) fn gregorian(year: i64, month: i64, day: i64) -> i64 {
    let (year, days) = since_march(year, month, day);
    365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + days - 719_468
}

/// The year that began in March, and days since then: the leap day comes last.
fn since_march(year: i64, month: i64, day: i64) -> (i64, i64) {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    (year, (153 * month + 2) / 5 + day - 1)
}
