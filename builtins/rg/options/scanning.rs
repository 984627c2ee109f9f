//! How a text is looked through.
use super::{Mode, value::number};
use crate::{
    Result,
    scan::{Binary, Rules},
};

/// What the options say of it.
pub(super) struct Scanning {
    pub(super) rules: Rules,
    /// `-C`, and where they were given `-B` and `-A`, which weigh more.
    context: usize,
    before: Option<usize>,
    after: Option<usize>,
}

impl Scanning {
    pub(super) fn new() -> Scanning {
        let rules = Rules { binary: Binary::Skip, ..Rules::default() };
        Scanning { rules, context: 0, before: None, after: None }
    }

    /// Take an option; `false` when it says nothing of how a text is looked through.
    pub(super) fn set(&mut self, key: &str, value: &str) -> Result<bool> {
        let rules = &mut self.rules;
        match key {
            "invert-match" => rules.invert = true,
            "no-invert-match" => rules.invert = false,
            "multiline" => rules.multiline = true,
            "no-multiline" => rules.multiline = false,
            "max-count" => rules.most = Some(number(key, value)?),
            "text" => rules.binary = Binary::Text,
            "binary" => rules.binary = Binary::Message,
            "no-text" | "no-binary" => rules.binary = Binary::Skip,
            "passthru" => rules.all = true,
            "null-data" => rules.null_data = true,
            "context" => self.context = number(key, value)?,
            "before-context" => self.before = Some(number(key, value)?),
            "after-context" => self.after = Some(number(key, value)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// All options have been read; `mode` is what they ask for.
    pub(super) fn settle(&mut self, mode: Mode, numbers: bool, stats: bool) {
        let rules = &mut self.rules;
        (rules.before, rules.after) = (self.before.unwrap_or(self.context), self.after.unwrap_or(self.context));
        rules.numbers = mode == Mode::Standard && numbers || mode == Mode::Json;
        let shows_lines = matches!(mode, Mode::Standard | Mode::Json);
        rules.quiet = !shows_lines && mode != Mode::CountMatches && !stats;
        rules.first_only = matches!(mode, Mode::FilesWith | Mode::FilesWithout | Mode::Quiet) && !stats;
        if !shows_lines {
            (rules.before, rules.after, rules.all) = (0, 0, false);
        }
    }
}
