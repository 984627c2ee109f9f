//! Reads the words of `diff`, option by option.
use super::{Formats, Operands, Options, Style, TABLE, compile, typed};
use crate::{
    Call, Error, Glob, GlobFlags, Result, Status,
    args::{self, Order},
    diff::text::Space,
    number, quoted,
};
use std::io::BufRead;

/// What `-p` is short for: lines that begin as functions of C do.
const C_FUNCTION: &str = "^[[:alpha:]$_]";

/// Read the words of `call`.
pub(in crate::diff) fn read(call: &mut Call<'_>) -> Result<(Options, Operands)> {
    let (words, old_context) = typed::without_digits(&call.args[1..]);
    let parsed = args::parse_words(&words, TABLE, Order::Anywhere)?;
    let mut options = Options::new();
    let mut style: Option<Style> = None;
    let (mut context, mut is_counted): (Option<usize>, bool) = (None, false);
    let (mut functions, mut matching): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut ifdef = None;
    let mut operands = Operands { files: parsed.operands.clone(), from: None, to: None };
    for (key, value) in &parsed.options {
        let text = value.as_deref().unwrap_or_default();
        match *key {
            "c" | "u" if value.is_none() => context = context.max(Some(3)),
            "c" | "C" | "u" | "U" => {
                is_counted = true;
                context = context.max(Some(lines(call, "context", text)?));
            }
            "p" => functions.push(C_FUNCTION),
            "F" => functions.push(text),
            "I" => matching.push(text),
            "ifdef" => ifdef = Some(text),
            "from-file" => operands.from = Some(text.to_string()),
            "to-file" => operands.to = Some(text.to_string()),
            key => options.set(call, key, text)?,
        }
        match (style, Style::asked_by(key)) {
            (Some(style), Some(asked)) if style != asked => {
                return Err(call.refuse("conflicting output style options"));
            }
            (None, asked) => style = asked,
            _ => {}
        }
    }
    options.style = match style {
        // A bare `-p` asks for context; `-F` does not.
        None if parsed.has("p") => Style::Context,
        None => Style::Normal,
        Some(style) => style,
    };
    if let Some(lines) = old_context.filter(|_| matches!(style, Some(Style::Context | Style::Unified)))
        && (!is_counted || context.is_none_or(|context| context < lines))
    {
        context = Some(lines);
    }
    options.context = context.unwrap_or(3);
    options.function = compile(call, &functions)?;
    options.matching = compile(call, &matching)?;
    if let Some(name) = ifdef {
        options.formats.define(name);
    }
    options.typed = typed::repeated(&call.args[1..]);
    check_operands(call, &operands)?;
    Ok((options, operands))
}

impl Style {
    /// The style that the option `key` asks for.
    fn asked_by(key: &str) -> Option<Style> {
        Some(match key {
            "normal" => Style::Normal,
            "c" | "C" => Style::Context,
            "u" | "U" => Style::Unified,
            "ed" => Style::Ed,
            "forward-ed" => Style::ForwardEd,
            "rcs" => Style::Rcs,
            "side" => Style::SideBySide,
            "ifdef" | "old-group" | "new-group" | "same-group" | "changed-group" => Style::Merged,
            "line" | "old-line" | "new-line" | "same-line" => Style::Merged,
            _ => return None,
        })
    }
}

impl Options {
    /// One option that stands for itself.
    fn set(&mut self, call: &mut Call<'_>, key: &str, text: &str) -> Result<()> {
        match key {
            "brief" => self.brief = true,
            "identical" => self.identical = true,
            "width" | "tabsize" => {
                let Some(columns) = columns(text) else {
                    return Err(call.refuse(format_args!("invalid {key} {}", quoted(text))));
                };
                *(if key == "width" { &mut self.width } else { &mut self.ignored.tab_size }) = columns;
            }
            "label" => self.labels.push(text.to_string()),
            "initial-tab" => self.initial_tab = true,
            "no-blank" => self.no_blank = true,
            "paginate" => self.paginate = true,
            "recursive" => self.recursive = true,
            "new-file" => self.new_file = true,
            "new-first" => self.new_first = true,
            "name-case" => self.name_case = true,
            "no-name-case" => self.name_case = false,
            "exclude" => self.exclude.push(exclusion(text)),
            "exclude-from" => self.exclude.extend(exclusions(call, text)?),
            "starting-file" => self.starting_file = Some(text.to_string()),
            "horizon" => self.horizon = lines(call, "horizon", text)?,
            "color" => {
                self.colour = match text {
                    "always" => true,
                    "" | "auto" => call.stdout.terminal().is_some_and(|terminal| terminal.colour),
                    "never" => false,
                    _ => return Err(call.refuse(format_args!("invalid color {}", quoted(text)))),
                };
            }
            key => {
                self.set_lines(key);
                self.formats.set(key, text);
            }
        }
        Ok(())
    }

    /// An option of both `diff` and `sdiff`: which lines are the same, and how they are shown.
    pub(crate) fn set_lines(&mut self, key: &str) {
        let ignored = &mut self.ignored;
        match key {
            "ignore-case" => ignored.case = true,
            "E" => ignored.space = ignored.space.and(Space::TabExpansion),
            "Z" => ignored.space = ignored.space.and(Space::Trailing),
            "b" => ignored.space = ignored.space.and(Space::Amount),
            "w" => ignored.space = Space::All,
            "B" => self.blank_lines = true,
            "strip-cr" => ignored.trailing_cr = true,
            "text" => self.text = true,
            "minimal" => self.minimal = true,
            "left-column" => self.left_column = true,
            "no-common" => self.no_common = true,
            "expand-tabs" => self.expand_tabs = true,
            _ => {}
        }
    }
}

impl Formats {
    /// The format of the option `key`.
    fn set(&mut self, key: &str, text: &str) {
        let format = Some(text.to_string());
        match key {
            "old-group" => self.old_group = format,
            "new-group" => self.new_group = format,
            "same-group" => self.same_group = format,
            "changed-group" => self.changed_group = format,
            "line" => (self.old_line, self.new_line, self.same_line) = (format.clone(), format.clone(), format),
            "old-line" => self.old_line = format,
            "new-line" => self.new_line = format,
            "same-line" => self.same_line = format,
            _ => {}
        }
    }
}

/// A number of columns, at least 1, and no more than can be filled.
pub(crate) fn columns(text: &str) -> Option<usize> {
    let columns = number::parse(text, "").ok().filter(|columns| *columns > 0)?;
    Some(usize::try_from(columns).unwrap_or(usize::MAX).min(1 << 20))
}

/// A number of lines; `what` they are is said when it is none.
fn lines(call: &mut Call<'_>, what: &str, text: &str) -> Result<usize> {
    match number::parse(text, "") {
        Ok(lines) => Ok(usize::try_from(lines).unwrap_or(usize::MAX)),
        Err(_) => Err(call.refuse(format_args!("invalid {what} length {}", quoted(text)))),
    }
}

/// A pattern of names that are left out.
fn exclusion(pattern: &str) -> Glob {
    Glob::new(pattern, GlobFlags::default())
}

/// The patterns that are the lines of `file`.
fn exclusions(call: &mut Call<'_>, file: &str) -> Result<Vec<Glob>> {
    let opened = if file == "-" { Ok(call.stdin.clone()) } else { call.open(file) };
    let input = opened.map_err(|error| Error::Failed(format!("{file}: {error}"), Status(2)))?;
    let mut patterns = Vec::new();
    for line in input.lines() {
        let line = line?;
        if !line.is_empty() {
            patterns.push(exclusion(&line));
        }
    }
    Ok(patterns)
}

fn check_operands(call: &mut Call<'_>, operands: &Operands) -> Result<()> {
    match (&operands.from, &operands.to, operands.files.as_slice()) {
        (Some(_), Some(_), _) => Err(Error::Failed("--from-file and --to-file both specified".to_string(), Status(2))),
        (None, None, files) if files.len() < 2 => {
            let last = files.last().map_or(call.name().to_string(), String::clone);
            Err(call.refuse(format_args!("missing operand after {}", quoted(&last))))
        }
        (None, None, [_, _, extra, ..]) => Err(call.refuse(format_args!("extra operand {}", quoted(extra)))),
        _ => Ok(()),
    }
}
