//! What is printed of a line.
use super::{
    Mode,
    value::{number, unescape, unrecognized},
};
use crate::{Call, Result};

/// What the options say of it.
pub(in crate::rg) struct Printing {
    pub(in crate::rg) colour: bool,
    /// Whether stdout is a terminal, and one that shows colour.
    terminal: bool,
    terminal_colour: bool,
    pub(in crate::rg) line_buffered: bool,
    /// Files without a match are counted, too.
    pub(in crate::rg) include_zero: bool,
    pub(in crate::rg) only_matching: bool,
    pub(in crate::rg) vimgrep: bool,
    pub(in crate::rg) replace: Option<String>,
    pub(in crate::rg) line_number: bool,
    /// `-n` or `-N`, and `--heading` or `--no-heading`, where one of them was given.
    wants_numbers: Option<bool>,
    wants_heading: Option<bool>,
    pub(in crate::rg) column: bool,
    pub(in crate::rg) byte_offset: bool,
    /// Whether paths are printed; `None` leaves it to the operands.
    pub(in crate::rg) paths: Option<bool>,
    pub(in crate::rg) heading: bool,
    /// A NUL follows a path.
    pub(in crate::rg) null: bool,
    pub(in crate::rg) trim: bool,
    /// Bytes of a line that is shown.
    pub(in crate::rg) most_columns: Option<usize>,
    /// The beginning of a longer one is shown.
    pub(in crate::rg) preview: bool,
    pub(in crate::rg) context_separator: Option<String>,
    pub(in crate::rg) match_separator: String,
    pub(in crate::rg) context_field_separator: String,
}

impl Printing {
    pub(super) fn new(call: &Call<'_>) -> Printing {
        let terminal = call.stdout.terminal();
        let terminal_colour = terminal.is_some_and(|terminal| terminal.colour);
        Printing {
            colour: terminal_colour,
            terminal: terminal.is_some(),
            terminal_colour,
            line_buffered: terminal.is_some(),
            include_zero: false,
            only_matching: false,
            vimgrep: false,
            replace: None,
            line_number: false,
            wants_numbers: None,
            wants_heading: None,
            column: false,
            byte_offset: false,
            paths: None,
            heading: false,
            null: false,
            trim: false,
            most_columns: None,
            preview: false,
            context_separator: Some("--".to_string()),
            match_separator: ":".to_string(),
            context_field_separator: "-".to_string(),
        }
    }

    /// Take an option; `false` when it says nothing of what is printed.
    pub(super) fn set(&mut self, key: &str, value: &str) -> Result<bool> {
        match key {
            "color" => {
                self.colour = match value {
                    "always" | "ansi" => true,
                    "never" => false,
                    "auto" => self.terminal_colour,
                    _ => return Err(unrecognized(key, value)),
                }
            }
            "pretty" => (self.colour, self.wants_heading, self.wants_numbers) = (true, Some(true), Some(true)),
            "line-number" => self.wants_numbers = Some(true),
            "no-line-number" => self.wants_numbers = Some(false),
            "heading" => self.wants_heading = Some(true),
            "no-heading" => self.wants_heading = Some(false),
            "line-buffered" => self.line_buffered = true,
            "no-line-buffered" => self.line_buffered = false,
            "include-zero" => self.include_zero = true,
            "only-matching" => self.only_matching = true,
            "vimgrep" => (self.vimgrep, self.paths) = (true, Some(true)),
            "replace" => self.replace = Some(value.to_string()),
            "column" => self.column = true,
            "no-column" => self.column = false,
            "byte-offset" => self.byte_offset = true,
            "with-filename" => self.paths = Some(true),
            "no-filename" => self.paths = Some(false),
            "null" => self.null = true,
            "trim" => self.trim = true,
            "no-trim" => self.trim = false,
            "max-columns" => self.most_columns = Some(number(key, value)?).filter(|&most| most > 0),
            "max-columns-preview" => self.preview = true,
            "no-max-columns-preview" => self.preview = false,
            "context-separator" => self.context_separator = Some(unescape(value)),
            "no-context-separator" => self.context_separator = None,
            "field-match-separator" => self.match_separator = unescape(value),
            "field-context-separator" => self.context_field_separator = unescape(value),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// All options have been read; `mode` is what they ask for.
    pub(super) fn settle(&mut self, mode: Mode, reads_stdin: bool) {
        self.column |= self.vimgrep;
        self.heading = mode == Mode::Standard && self.wants_heading.unwrap_or(self.terminal) && !self.vimgrep;
        self.line_number = self.wants_numbers.unwrap_or(self.terminal && !reads_stdin || self.column);
        self.colour &= mode != Mode::Json;
    }
}
