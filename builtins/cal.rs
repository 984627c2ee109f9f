//! `cal` and `ncal`: calendars of months and years (bsdmainutils').
//!
//! The day of today is marked nowhere: marks are for terminals.
mod days;
mod easter;
mod layout;

use crate::{
    Builtin, Call, Civil, Error, Opt, Result, Status,
    args::{self, Order, Parsed},
};
use days::{COUNTRIES, Calendar};
use layout::{Form, Layout};
use std::io::Write;

pub(crate) static CAL: Builtin = Builtin {
    name: "cal",
    synopsis: "[OPTION]... [[MONTH] YEAR]",
    about: "Display a calendar.",
    options: &[ONE, THREE, AFTER, BEFORE, DATE, DAYS, MONTH, YEAR],
    trouble: USAGE,
    run,
};

pub(crate) static NCAL: Builtin = Builtin {
    name: "ncal",
    synopsis: "[OPTION]... [[MONTH] YEAR]",
    about: "Display a calendar with the weeks in columns, and the date of Easter.",
    options: &[
        ONE,
        THREE,
        AFTER,
        BEFORE,
        DATE,
        DAYS,
        MONTH,
        YEAR,
        Opt::flag('b', &[], "b", "use the layout of cal, with weeks in rows"),
        Opt::flag('C', &[], "C", "be cal"),
        Opt::flag('e', &[], "e", "display the date of Easter (for western churches)"),
        Opt::flag('h', &[], "h", "do not highlight today (it never is)"),
        Opt::value('H', &[], "H", "YYYY-MM-DD", "use this date instead of today for highlighting"),
        Opt::flag('J', &[], "J", "display the Julian calendar"),
        Opt::flag('M', &[], "M", "weeks start on Monday"),
        Opt::flag('o', &[], "o", "display the date of Orthodox Easter"),
        Opt::flag('p', &[], "p", "print the country codes and the days when they left the Julian calendar"),
        Opt::value('s', &[], "s", "COUNTRY", "leave the Julian calendar when this country did"),
        Opt::flag('S', &[], "S", "weeks start on Sunday"),
        Opt::flag('w', &[], "w", "print the number of the week below each week"),
        Opt::value('W', &[], "W", "DAYS", "the first week of the year has at least DAYS days"),
    ],
    trouble: USAGE,
    run,
};

const ONE: Opt = Opt::flag('1', &[], "1", "show one month only");
const THREE: Opt = Opt::flag('3', &[], "3", "show the previous, this and the next month");
const AFTER: Opt = Opt::value('A', &[], "A", "NUMBER", "show so many months after");
const BEFORE: Opt = Opt::value('B', &[], "B", "NUMBER", "show so many months before");
const DATE: Opt = Opt::value('d', &[], "d", "YYYY-MM", "use this month for the current one");
const DAYS: Opt = Opt::flag('j', &[], "j", "number the days from January 1");
const MONTH: Opt = Opt::value('m', &[], "m", "MONTH", "show this month");
const YEAR: Opt = Opt::flag('y', &[], "y", "show the whole year");

/// The status of wrong words.
const USAGE: Status = Status(64);

/// Months are counted through, so that the next is one more: `year * 12 + month - 1`.
fn month_index(year: i64, month: i64) -> i64 {
    year * 12 + month - 1
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let rows = call.builtin.name == "cal" || parsed.has("b") || parsed.has("C");
    let calendar = match parsed.value("s") {
        _ if parsed.has("J") => Calendar::julian(),
        None => Calendar::of("US").unwrap_or(Calendar::julian()),
        Some(code) => Calendar::of(code).ok_or_else(|| wrong(format!("{code}: invalid country code")))?,
    };
    if parsed.has("p") {
        return print_countries(call, parsed.value("s").unwrap_or("US"));
    }
    let today = Civil::from_epoch(call.now());
    if parsed.has("e") || parsed.has("o") {
        let year = match &parsed.operands[..] {
            [] => today.year,
            [year] => read_year(year)?,
            _ => return Err(Error::usage("too many operands")),
        };
        let (month, day) = if parsed.has("o") { easter::orthodox(year, &calendar) } else { easter::western(year) };
        writeln!(call.stdout, "{month:02}/{day:02}/{:02}", year % 100)?;
        return Ok(Status::OK);
    }
    let (first, last) = range(&parsed, today)?;
    let layout = Layout {
        calendar,
        form: if rows { Form::Rows } else { Form::Columns },
        day_of_year: parsed.has("j"),
        monday: parsed
            .options
            .iter()
            .rev()
            .find(|(key, _)| matches!(*key, "M" | "S"))
            .is_some_and(|(key, _)| *key == "M"),
        weeks: parsed.has("w"),
        first_week: match parsed.value("W") {
            None => 4,
            Some(days) => days.parse().ok().filter(|days| (1..=7).contains(days)).unwrap_or(4),
        },
    };
    layout.print(call, first, last)?;
    Ok(Status::OK)
}

fn wrong(message: String) -> Error {
    Error::Failed(message, USAGE)
}

/// The first and the last month that are asked for.
fn range(parsed: &Parsed, today: Civil) -> Result<(i64, i64)> {
    let (mut year, mut month) = (today.year, today.month);
    if let Some(date) = parsed.value("d") {
        let given = date.split_once('-').and_then(|(year, month)| Some((year.parse().ok()?, month.parse().ok()?)));
        match given {
            Some((given_year, given_month)) if (1..=12).contains(&given_month) => {
                (year, month) = (given_year, given_month)
            }
            _ => return Err(Error::usage(format!("invalid date: {date}"))),
        }
    }
    let mut whole_year = parsed.has("y");
    let mut named = false;
    match &parsed.operands[..] {
        [] => {}
        [given] => {
            year = read_year(given)?;
            if parsed.has("1") && !parsed.has("m") && !whole_year {
                let message = "-1 together with a given year but no given month is not supported.";
                return Err(wrong(message.to_string()));
            }
            whole_year |= !parsed.has("m");
        }
        [given_month, given_year] => {
            month = read_month(given_month)?;
            year = read_year(given_year)?;
            named = true;
        }
        _ => return Err(Error::usage("too many operands")),
    }
    if let Some(given) = parsed.value("m").filter(|_| !named) {
        // `2p` is the last February before this month, `2f` the next one.
        let (given, turn) = match given.strip_suffix(['p', 'f']).filter(|month| month.parse::<i64>().is_ok()) {
            Some(month) => (month, given.chars().next_back()),
            None => (given, None),
        };
        let (this, has_year) = (month, !parsed.operands.is_empty());
        month = read_month(given)?;
        match turn {
            Some('p') if has_year || month >= this => year -= 1,
            Some('f') if !has_year && month <= this => year += 1,
            _ => {}
        }
    }
    let count = |key: &str| match parsed.value(key) {
        None => Ok(0),
        Some(count) => match count.parse::<i64>() {
            Ok(count) if (0..=10_000).contains(&count) => Ok(count),
            _ => Err(Error::usage(format!("invalid number of months: {count}"))),
        },
    };
    let (mut before, mut after) = (count("B")?, count("A")?);
    match parsed.has("3") {
        true if !whole_year => (before, after) = (before + 1, after + 1),
        true if !parsed.has("y") => {
            return Err(wrong("-3 together with a given year but no given month is not supported.".to_string()));
        }
        _ => {}
    }
    let (first, last) = match whole_year {
        true => (month_index(year, 1), month_index(year, 12)),
        false => (month_index(year, month), month_index(year, month)),
    };
    Ok((first - before, last + after))
}

fn read_year(text: &str) -> Result<i64> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong(format!("not a valid year {text}")));
    }
    match text.parse() {
        Ok(year) if (1..=9999).contains(&year) => Ok(year),
        _ => Err(wrong(format!("year `{text}' not in range 1..9999"))),
    }
}

/// A number, or the beginning of a name.
fn read_month(text: &str) -> Result<i64> {
    let number = text.parse().ok().filter(|month| (1..=12).contains(month));
    let named = || {
        let begun =
            |name: &&str| text.len() >= 3 && name.len() >= text.len() && name[..text.len()].eq_ignore_ascii_case(text);
        text.is_ascii().then(|| crate::moment::MONTHS.iter().position(begun))?.map(|at| at as i64 + 1)
    };
    number.or_else(named).ok_or_else(|| wrong(format!("{text} is neither a month number (1..12) nor a name")))
}

/// The table of `-p`, two countries a line.
fn print_countries(call: &mut Call<'_>, chosen: &str) -> Result<Status> {
    let half = COUNTRIES.len().div_ceil(2);
    let shown = |at: usize| {
        COUNTRIES.get(at).map(|(code, name, (year, month, day))| {
            let mark = if *code == chosen { '*' } else { ' ' };
            format!("{mark}{code} {name:<15}{year:04}-{month:02}-{day:02}")
        })
    };
    for at in 0..half {
        let pair: Vec<String> = [shown(at), shown(at + half)].into_iter().flatten().collect();
        writeln!(call.stdout, "{}", pair.join("     "))?;
    }
    Ok(Status::OK)
}

#[cfg(test)]
mod tests;
