//! `--debug`: what each key of a line is, underlined below it, and what of the options may not be meant.
use super::{
    key::Rules,
    options::{Key, Kind, Options},
};
use crate::{Call, Result, curly, width};
use std::{borrow::Cow, io::Write};

impl Rules {
    /// Write `line` with a line below it for each key, and one for the last comparison, of whole lines.
    pub(super) fn write_marked(&self, line: &[u8], out: &mut dyn Write) -> Result<()> {
        let shown: Vec<u8> = line.iter().map(|byte| if *byte == b'\t' { b'>' } else { *byte }).collect();
        out.write_all(&shown)?;
        out.write_all(b"\n")?;
        for key in &self.keys {
            mark(self.span(key, line), line, out)?;
        }
        if self.compares_lines() {
            mark((0, line.len()), line, out)?;
        }
        Ok(())
    }
}

fn mark((start, end): (usize, usize), line: &[u8], out: &mut dyn Write) -> Result<()> {
    let (indent, length) = (columns(&line[..start]), columns(&line[start..end]));
    match length {
        0 => writeln!(out, "{:indent$}^ no match for key", "")?,
        _ => writeln!(out, "{:indent$}{:_<length$}", "", "")?,
    }
    Ok(())
}

/// Columns of `text`, in which a tab is shown as one character.
fn columns(text: &[u8]) -> usize {
    width::of(&String::from_utf8_lossy(text)) + text.iter().filter(|byte| **byte == b'\t').count()
}

/// Say on stderr how lines are compared, and which options do not do what they seem to.
pub(super) fn explain(call: &mut Call<'_>, options: &Options) {
    call.warn_apart("text ordering performed using ‘C.UTF-8’ sorting rules");
    for (key, number) in options.keys.iter().zip(1..) {
        for warning in warnings(key, number, options) {
            call.warn_apart(warning);
        }
    }
    let numeric = |key: &Key| key.is_numeric();
    if options.keys.iter().any(numeric) {
        let spans = |key: &Key| key.is_numeric() && !options.is_global && key.spans_fields();
        let spanning = options.keys.iter().any(spans);
        let general = options.keys.iter().any(|key| spans(key) && key.kind() == Kind::General);
        let treated = match options.separator {
            Some(b'.') => Some("a decimal point"),
            Some(b'-') => Some("a minus sign"),
            Some(b'+') if general => Some("a plus sign"),
            _ => None,
        };
        let separator = options.separator.map_or(String::new(), |byte| char::from(byte).to_string());
        if let Some(treated) = treated.filter(|_| spanning) {
            call.warn_apart(format_args!("field separator {} is treated as {treated} in numbers", curly(&separator)));
        }
        if !(spanning && separator == ".") {
            let note = if separator == "." { "" } else { "note " };
            call.warn_apart(format_args!("{note}numbers use ‘.’ as a decimal point in this locale"));
        }
    }
    let has_keys = !options.keys.is_empty();
    let last_resort = !(options.stable || options.unique);
    let unused = options.global.letters_not_in(&options.keys);
    let is_reverse = unused.contains('r');
    let ignored = if last_resort || !has_keys { unused.replace('r', "") } else { unused };
    if !ignored.is_empty() {
        let (plural, are) = if ignored.len() == 1 { ("", "is") } else { ("s", "are") };
        call.warn_apart(format_args!("option{plural} '-{ignored}' {are} ignored"));
    }
    if is_reverse && last_resort && has_keys {
        call.warn_apart("option '-r' only applies to last-resort comparison");
    }
}

/// What is odd about one key.
fn warnings(key: &Key, number: usize, options: &Options) -> Vec<Cow<'static, str>> {
    let mut warnings = Vec::new();
    if key.is_empty() {
        warnings.push(format!("key {number} has zero width and will be ignored").into());
    }
    let skips = key.is_numeric() || key.kind() == Kind::Month;
    let end_bytes = key.end.map_or(0, |(_, bytes)| bytes);
    let from_line = end_bytes > 0 && key.end.is_some_and(|(fields, _)| fields == 0);
    let blanks_count = !key.start_blanks && (!skips || key.start.1 > 0) || !key.end_blanks && end_bytes > 0;
    if !key.is_empty() && !options.is_global && options.separator.is_none() && !from_line && blanks_count {
        let blanks = "leading blanks are significant in key";
        warnings.push(format!("{blanks} {number}; consider also specifying 'b'").into());
    }
    if !options.is_global && key.is_numeric() && key.spans_fields() {
        warnings.push(format!("key {number} is numeric and spans multiple fields").into());
    }
    warnings
}
