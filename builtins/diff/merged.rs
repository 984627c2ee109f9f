//! Both files in one, by formats for groups of lines and for lines: `-D`, `--changed-group-format` and its kind.
use super::{
    options::Formats,
    pair::{Marked, Printer},
};
use crate::{Result, pad};
use std::{io::Write, ops::Range};

/// Columns of a number, at most: a wider one is no format.
const WIDEST: usize = 1 << 20;

/// The kinds of lines.
#[derive(Clone, Copy)]
enum Kind {
    Old,
    New,
    Same,
}

/// Lines of both files that stand beside each other.
struct Group {
    old: Range<usize>,
    new: Range<usize>,
}

impl Formats {
    /// `-D NAME`.
    pub(super) fn define(&mut self, name: &str) {
        let set = |slot: &mut Option<String>, text: String| *slot = slot.take().or(Some(text));
        set(&mut self.old_group, format!("#ifndef {name}\n%<#endif /* ! {name} */\n"));
        set(&mut self.new_group, format!("#ifdef {name}\n%>#endif /* {name} */\n"));
        set(&mut self.same_group, "%=".to_string());
        set(&mut self.changed_group, format!("#ifndef {name}\n%<#else /* {name} */\n%>#endif /* {name} */\n"));
    }

    fn group(&self, group: &Group, same: bool) -> String {
        let changed = self.changed_group.clone();
        let old = || self.old_group.clone().or(changed.clone()).unwrap_or_else(|| "%<".to_string());
        let new = || self.new_group.clone().or(changed.clone()).unwrap_or_else(|| "%>".to_string());
        match (group.old.is_empty(), group.new.is_empty()) {
            _ if same => self.same_group.clone().unwrap_or_else(|| "%=".to_string()),
            (false, true) => old(),
            (true, _) => new(),
            (false, false) => changed.clone().unwrap_or_else(|| old() + &new()),
        }
    }

    fn line(&self, kind: Kind) -> &str {
        let format = match kind {
            Kind::Old => &self.old_line,
            Kind::New => &self.new_line,
            Kind::Same => &self.same_line,
        };
        format.as_deref().unwrap_or("%l\n")
    }
}

pub(super) fn print(printer: &mut Printer<'_>, changes: &[Marked]) -> Result<()> {
    printer.begin()?;
    let lengths = printer.files.map(|file| file.text.len());
    let (mut old, mut new) = (0, 0);
    for (change, _) in changes {
        print_group(printer, &Group { old: old..change.old, new: new..change.new }, true)?;
        (old, new) = (change.old + change.deleted, change.new + change.inserted);
        print_group(printer, &Group { old: change.old..old, new: change.new..new }, false)?;
    }
    print_group(printer, &Group { old: old..lengths[0], new: new..lengths[1] }, true)
}

fn print_group(printer: &mut Printer<'_>, group: &Group, same: bool) -> Result<()> {
    if group.old.is_empty() && group.new.is_empty() {
        return Ok(());
    }
    let format = printer.options.formats.group(group, same);
    fill(printer, &format, group, true)
}

/// Fill in a group's format.
fn fill(printer: &mut Printer<'_>, format: &str, group: &Group, prints: bool) -> Result<()> {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        if prints {
            printer.out.write_all(&rest.as_bytes()[..at])?;
        }
        let directive = &rest[at + 1..];
        let taken = match directive.chars().next() {
            Some('<') => {
                lines(printer, group.old.clone(), 0, Kind::Old, prints)?;
                1
            }
            Some('>') => {
                lines(printer, group.new.clone(), 1, Kind::New, prints)?;
                1
            }
            Some('=') => {
                lines(printer, group.old.clone(), 0, Kind::Same, prints)?;
                1
            }
            Some('(') => match condition(directive, group) {
                Some((yes, then, other, length)) => {
                    fill(printer, if yes { then } else { other }, group, prints)?;
                    length
                }
                None => 0,
            },
            _ => match value(directive, &|letter| group_value(group, letter)) {
                Some((text, length)) => {
                    if prints {
                        printer.out.write_all(&text)?;
                    }
                    length
                }
                None => 0,
            },
        };
        if taken == 0 && prints {
            printer.out.write_all(b"%")?;
        }
        rest = &directive[taken..];
    }
    if prints {
        printer.out.write_all(rest.as_bytes())?;
    }
    Ok(())
}

/// The numbers of a group: first, last and count of lines; capitals are the new file's.
fn group_value(group: &Group, letter: char) -> Option<usize> {
    let lines = if letter.is_ascii_uppercase() { &group.new } else { &group.old };
    Some(match letter.to_ascii_uppercase() {
        'E' => lines.start,
        'F' => lines.start + 1,
        'L' => lines.end,
        'M' => lines.end + 1,
        'N' => lines.len(),
        _ => return None,
    })
}

/// `(A=B?then:other)`: whether it holds, its branches and its length.
fn condition<'a>(text: &'a str, group: &Group) -> Option<(bool, &'a str, &'a str, usize)> {
    let number = |text: &str| match text.chars().next()? {
        digit if digit.is_ascii_digit() => text.parse().ok(),
        letter if text.len() == 1 => group_value(group, letter),
        _ => None,
    };
    let (test, branches) = text.strip_prefix('(')?.split_once('?')?;
    let (left, right) = test.split_once('=')?;
    let yes = number(left)? == number(right)?;
    let colon = branch_end(branches, ':')?;
    let close = colon + 1 + branch_end(&branches[colon + 1..], ')')?;
    let length = text.len() - branches.len() + close + 1;
    Some((yes, &branches[..colon], &branches[colon + 1..close], length))
}

/// Where a branch ends: at `end` outside of inner brackets.
fn branch_end(text: &str, end: char) -> Option<usize> {
    let mut depth = 0;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '%' => match letters.next()? {
                (_, '(') => depth += 1,
                (_, 'c') if letters.peek().is_some_and(|(_, quote)| *quote == '\'') => {
                    letters.next();
                    letters.find(|(_, letter)| *letter == '\'')?;
                }
                _ => {}
            },
            letter if letter == end && depth == 0 => return Some(at),
            ')' if depth > 0 => depth -= 1,
            _ => {}
        }
    }
    None
}

/// `%`, `c'x'`, or a number in one of C's forms: what it prints and its length.
fn value(text: &str, number: &dyn Fn(char) -> Option<usize>) -> Option<(Vec<u8>, usize)> {
    if text.starts_with('%') {
        return Some((b"%".to_vec(), 1));
    }
    if let Some(rest) = text.strip_prefix("c'") {
        let (inside, _) = rest.split_once('\'')?;
        let byte = match inside.strip_prefix('\\') {
            Some(octal) => vec![u32::from_str_radix(octal, 8).ok()? as u8],
            None => inside.as_bytes().to_vec(),
        };
        return Some((byte, inside.len() + 3));
    }
    let flags = text.trim_start_matches(['-', '\'', '0']);
    let width = flags.trim_start_matches(|c: char| c.is_ascii_digit());
    let precision = match width.strip_prefix('.') {
        Some(rest) => rest.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => width,
    };
    let mut letters = precision.chars();
    let (conversion, letter) = (letters.next()?, letters.next()?);
    let value = number(letter)?;
    let digits = match conversion {
        'd' => value.to_string(),
        'o' => format!("{value:o}"),
        'x' => format!("{value:x}"),
        'X' => format!("{value:X}"),
        _ => return None,
    };
    let size = |digits: &str| match digits {
        "" => Some(0),
        digits => digits.parse().ok().filter(|size| *size <= WIDEST),
    };
    let least: usize = size(width[..width.len() - precision.len()].trim_start_matches('.'))?;
    let digits = pad::before(&digits, least, '0');
    let flag = |flag| text[..text.len() - flags.len()].contains(flag);
    let columns: usize = size(&flags[..flags.len() - width.len()])?;
    let shown = match (flag('-'), flag('0')) {
        (true, _) => pad::behind(&digits, columns),
        (false, true) => pad::before(&digits, columns, '0'),
        (false, false) => pad::before(&digits, columns, ' '),
    };
    Some((shown.into_bytes(), text.len() - letters.as_str().len()))
}

/// Lines by the format of their kind.
fn lines(printer: &mut Printer<'_>, range: Range<usize>, side: usize, kind: Kind, prints: bool) -> Result<()> {
    if !prints {
        return Ok(());
    }
    let options = printer.options;
    let format = options.formats.line(kind);
    for number in range {
        let line = printer.files[side].text.line(number);
        let mut rest = format;
        while let Some(at) = rest.find('%') {
            printer.out.write_all(&rest.as_bytes()[..at])?;
            let directive = &rest[at + 1..];
            let taken = match directive.chars().next() {
                Some('l') => {
                    printer.out.write_all(line.strip_suffix(b"\n").unwrap_or(line))?;
                    1
                }
                Some('L') => {
                    printer.out.write_all(line)?;
                    1
                }
                _ => match value(directive, &|letter| (letter == 'n').then_some(number + 1)) {
                    Some((text, length)) => {
                        printer.out.write_all(&text)?;
                        length
                    }
                    None => {
                        printer.out.write_all(b"%")?;
                        0
                    }
                },
            };
            rest = &directive[taken..];
        }
        printer.out.write_all(rest.as_bytes())?;
    }
    Ok(())
}
