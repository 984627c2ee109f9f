//! awk's regexes: constants, and texts that become patterns while the program runs.
use super::value::Text;
use crate::pattern::{Options, Pattern, PatternError, Syntax};
use std::{collections::HashMap, rc::Rc};

/// Compile the text of a regex.
pub(super) fn compile(text: &[u8], ignore_case: bool, size: usize) -> Result<Pattern, PatternError> {
    let options = Options { ignore_case, size, ..Options::default() };
    Pattern::posix(&String::from_utf8_lossy(text), Syntax::AWK, options)
}

/// Patterns by their texts. Programs use few, again and again.
#[derive(Default)]
pub(super) struct Cache {
    patterns: HashMap<(Text, bool), Rc<Pattern>>,
}

/// More patterns than this are made anew.
const KEPT: usize = 200;

impl Cache {
    /// The pattern of `text`.
    pub(super) fn get(&mut self, text: &Text, ignore_case: bool, size: usize) -> Result<Rc<Pattern>, PatternError> {
        let key = (text.clone(), ignore_case);
        if let Some(pattern) = self.patterns.get(&key) {
            return Ok(pattern.clone());
        }
        let pattern = Rc::new(compile(text, ignore_case, size)?);
        if self.patterns.len() >= KEPT {
            self.patterns.clear();
        }
        self.patterns.insert(key, pattern.clone());
        Ok(pattern)
    }
}
