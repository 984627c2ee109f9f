//! Months side by side: with the weeks in rows, as `cal` has them, or in columns, as `ncal` has them.
use super::days::{Calendar, weekday};
use crate::{Call, Result, moment::MONTHS};
use std::io::Write;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Rows,
    Columns,
}

pub(super) struct Layout {
    pub(super) calendar: Calendar,
    pub(super) form: Form,
    /// Days are numbered through the year.
    pub(super) day_of_year: bool,
    pub(super) monday: bool,
    /// The numbers of the weeks are shown.
    pub(super) weeks: bool,
    /// Days that the first week of a year has at least.
    pub(super) first_week: i64,
}

const WEEKDAYS: [&str; 7] = ["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"];
/// Weeks that a month may have days in.
const WEEKS: usize = 6;

/// The text of a month: its days (0 for none) by weeks, and the numbers of those that have some.
struct Month {
    weeks: Vec<[i64; 7]>,
    numbers: Vec<i64>,
}

impl Layout {
    /// Print the months from `first` to `last`, counted through (`year * 12 + month - 1`).
    pub(super) fn print(&self, call: &mut Call<'_>, first: i64, last: i64) -> Result<()> {
        let together = match (self.form, self.day_of_year) {
            (Form::Rows, true) => 2,
            (Form::Rows, false) | (Form::Columns, true) => 3,
            (Form::Columns, false) => 4,
        };
        let months: Vec<i64> = (first..=last).collect();
        let rows = months.chunks(together);
        // A year stands above its months where they stand in the rows of a year.
        let above = months.len() >= together && first.rem_euclid(12) % together as i64 == 0;
        let mut year_above = None;
        for (at, row) in rows.enumerate() {
            call.cancel.check()?;
            if at > 0 {
                writeln!(call.stdout)?;
            }
            let year = row[0].div_euclid(12);
            if above && year_above != Some(year) {
                let width = together * self.month_width();
                let text = year.to_string();
                writeln!(call.stdout, "{:blanks$}{text}", "", blanks = (width - text.len()) / 2)?;
                year_above = Some(year);
            }
            let text = match self.form {
                Form::Rows => self.rows(row, above),
                Form::Columns => self.columns(row, above),
            };
            call.stdout.write_all(text.as_bytes())?;
        }
        Ok(())
    }

    /// Columns of a month, without what parts it from the next.
    fn month_width(&self) -> usize {
        match (self.form, self.day_of_year, self.weeks) {
            (Form::Rows, false, false) => 20,
            (Form::Rows, false, true) => 25,
            (Form::Rows, true, false) => 27,
            (Form::Rows, true, true) => 32,
            (Form::Columns, false, _) => 18,
            (Form::Columns, true, _) => 24,
        }
    }

    /// Columns of a day.
    fn day_width(&self) -> usize {
        if self.day_of_year { 3 } else { 2 }
    }

    fn title(&self, month: i64, year_above: bool) -> String {
        let name = MONTHS[month.rem_euclid(12) as usize];
        if year_above { name.to_string() } else { format!("{name} {}", month.div_euclid(12)) }
    }

    fn month(&self, index: i64) -> Month {
        let (year, month) = (index.div_euclid(12), index.rem_euclid(12) + 1);
        let new_year = self.calendar.new_year(year);
        let start = i64::from(self.monday);
        let mut weeks = vec![[0; 7]; WEEKS];
        let mut numbers = Vec::new();
        let mut week = 0;
        for (day, number) in self.calendar.month(year, month) {
            let place = (weekday(number) - start).rem_euclid(7);
            if place == 0 && !numbers.is_empty() {
                week += 1;
            }
            if numbers.len() == week {
                numbers.push(self.week_number(number - place));
            }
            weeks[week][place as usize] = if self.day_of_year { number - new_year + 1 } else { day };
        }
        Month { weeks, numbers }
    }

    /// The number of the week that begins with the day `first`: that of the year in which it has enough days.
    fn week_number(&self, first: i64) -> i64 {
        let decisive = first + 7 - self.first_week;
        let year = ((decisive * 400).div_euclid(146_097) + 1967..)
            .take_while(|year| self.calendar.new_year(*year) <= decisive)
            .last();
        (decisive - self.calendar.new_year(year.unwrap_or(1970))) / 7 + 1
    }

    /// The names of the days in the order of the week.
    fn weekdays(&self) -> impl Iterator<Item = &'static str> {
        let start = usize::from(self.monday);
        (0..7).map(move |day| WEEKDAYS[(day + start) % 7])
    }

    fn rows(&self, row: &[i64], year_above: bool) -> String {
        let (width, day_width) = (self.month_width(), self.day_width());
        let mut text = String::new();
        for month in row {
            let title = self.title(*month, year_above);
            let left = (width.saturating_sub(title.len())) / 2;
            text += &format!("{:left$}{title:<rest$}  ", "", rest = width - left);
        }
        text.push('\n');
        let week = |number: Option<i64>| match number {
            _ if !self.weeks => String::new(),
            Some(number) => format!("{number:>2}| "),
            None => "    ".to_string(),
        };
        let names: Vec<String> = self.weekdays().map(|name| format!("{name:>day_width$}")).collect();
        for _ in row {
            let head = if self.weeks { " w| " } else { "" };
            text += &format!("{:<width$}  ", format!("{head}{}", names.join(" ")));
        }
        text.push('\n');
        let months: Vec<Month> = row.iter().map(|month| self.month(*month)).collect();
        for at in 0..WEEKS {
            for month in &months {
                let days: Vec<String> = month.weeks[at].iter().map(|day| cell(*day, day_width)).collect();
                let number = month.numbers.get(at).copied();
                text += &format!("{:<width$}  ", format!("{}{}", week(number), days.join(" ")));
            }
            text.push('\n');
        }
        text
    }

    fn columns(&self, row: &[i64], year_above: bool) -> String {
        let (width, day_width) = (self.month_width(), self.day_width() + 1);
        let mut text = "    ".to_string();
        for month in row {
            text += &format!("{:<width$}", self.title(*month, year_above));
        }
        text.push('\n');
        let months: Vec<Month> = row.iter().map(|month| self.month(*month)).collect();
        for (place, name) in self.weekdays().enumerate() {
            text += name;
            for week in months.iter().flat_map(|month| &month.weeks) {
                text += &cell(week[place], day_width);
            }
            text.push('\n');
        }
        if self.weeks {
            text += "  ";
            for month in &months {
                for at in 0..WEEKS {
                    text += &cell(month.numbers.get(at).copied().unwrap_or(0), day_width);
                }
            }
            text.push('\n');
        }
        text
    }
}

/// A day or the blanks for none.
fn cell(day: i64, width: usize) -> String {
    if day == 0 { " ".repeat(width) } else { format!("{day:>width$}") }
}
