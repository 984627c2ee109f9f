//! Two folders: what is in only one of them, and each pair of what is in both.
use super::{Operand, compare_operands, options::Options};
use crate::{Call, Result, Status};
use std::{cmp::Ordering, io::Write};

/// Compare what two folders hold, and with `-r` what their folders hold.
pub(super) fn run(call: &mut Call<'_>, options: &Options, old: &Operand, new: &Operand) -> Result<Status> {
    let mut names = [list(call, options, old)?, list(call, options, new)?];
    if let Some(first) = &options.starting_file {
        for names in &mut names {
            names.retain(|name| order(options, name, first) != Ordering::Less);
        }
    }
    let [left, right] = names;
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    let mut status = Status::OK;
    loop {
        call.cancel.check()?;
        let side = match (left.peek(), right.peek()) {
            (None, None) => return Ok(status),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(a), Some(b)) => order(options, a, b),
        };
        let first = if side == Ordering::Greater { None } else { left.next() };
        let second = if side == Ordering::Less { None } else { right.next() };
        let worse = match (first, second) {
            (Some(first), Some(second)) => {
                compare_operands(call, options, &old.child(call, &first)?, &new.child(call, &second)?, true)?
            }
            (Some(name), None) if options.new_file => {
                compare_operands(call, options, &old.child(call, &name)?, &new.missing(&name), true)?
            }
            (None, Some(name)) if options.new_file || options.new_first => {
                compare_operands(call, options, &old.missing(&name), &new.child(call, &name)?, true)?
            }
            (Some(name), _) => only(call, old, &name)?,
            (None, name) => only(call, new, &name.unwrap_or_default())?,
        };
        if worse.0 > status.0 {
            status = worse;
        }
    }
}

fn only(call: &mut Call<'_>, folder: &Operand, name: &str) -> Result<Status> {
    writeln!(call.stdout, "Only in {}: {name}", folder.name)?;
    Ok(Status::FAILURE)
}

fn order(options: &Options, a: &str, b: &str) -> Ordering {
    match options.name_case {
        true => a.to_lowercase().cmp(&b.to_lowercase()),
        false => a.cmp(b),
    }
}

/// The names in a folder that are not excluded, in order.
fn list(call: &Call<'_>, options: &Options, folder: &Operand) -> Result<Vec<String>> {
    let Some(path) = &folder.path else { return Ok(Vec::new()) };
    let entries = call.fs.list(path)?;
    let names = entries.into_iter().map(|entry| entry.name);
    let mut names: Vec<String> =
        names.filter(|name| !options.exclude.iter().any(|pattern| pattern.matches(name))).collect();
    names.sort_by(|a, b| order(options, a, b));
    Ok(names)
}
