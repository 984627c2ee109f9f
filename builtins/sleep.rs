//! `sleep`: wait. A stop ends it at once.
use crate::{
    Builtin, Call, Error, Result, Status,
    args::{self, Order},
    curly,
};
use std::{io::Write, time::Duration};

pub(crate) static SLEEP: Builtin = Builtin {
    name: "sleep",
    synopsis: "NUMBER[SUFFIX]...",
    about: "Pause for NUMBER seconds. SUFFIX may be 's', 'm', 'h' or 'd'.",
    options: &[],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if parsed.operands.is_empty() {
        return Err(Error::usage("missing operand"));
    }
    let mut time = Duration::ZERO;
    for operand in &parsed.operands {
        match duration(operand) {
            Some(more) => time = time.saturating_add(more),
            None => return Err(Error::usage(format!("invalid time interval {}", curly(operand)))),
        }
    }
    call.stdout.flush()?;
    call.cancel.sleep(time)?;
    Ok(Status::OK)
}

/// `1.5`, `2m`, `inf`.
pub(crate) fn duration(text: &str) -> Option<Duration> {
    let (number, unit) = match text.chars().last()? {
        's' => (&text[..text.len() - 1], 1.0),
        'm' => (&text[..text.len() - 1], 60.0),
        'h' => (&text[..text.len() - 1], 3600.0),
        'd' => (&text[..text.len() - 1], 86_400.0),
        _ => (text, 1.0),
    };
    if number.eq_ignore_ascii_case("inf") || number.eq_ignore_ascii_case("infinity") {
        return Some(Duration::MAX);
    }
    if !number.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == '+') {
        return None;
    }
    let seconds = number.parse::<f64>().ok()? * unit;
    Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        assert_eq!(duration("1.5"), Some(Duration::from_millis(1500)));
        assert_eq!(duration("2m"), Some(Duration::from_secs(120)));
        assert_eq!(duration("infinity"), Some(Duration::MAX));
        assert_eq!([duration("-1"), duration("x"), duration(""), duration("1x")], [None; 4]);
    }
}
