//! Commands on what was found: `-x`, `-X`, `-l`.
use crate::{Call, Result, Status, basename, dirname, env::run_words};
use std::io::Write;

/// A command with placeholders.
pub(super) struct Exec {
    words: Vec<String>,
    /// `-X`: once, on all that was found.
    pub(super) is_batch: bool,
}

const PLACEHOLDERS: [&str; 5] = ["{/.}", "{//}", "{/}", "{.}", "{}"];

impl Exec {
    /// A command; without a placeholder the path goes last.
    pub(super) fn new(mut words: Vec<String>, is_batch: bool) -> Exec {
        if !words.iter().any(|word| PLACEHOLDERS.iter().any(|place| word.contains(place))) {
            words.push("{}".to_string());
        }
        Exec { words, is_batch }
    }

    /// Run it on `names`; whether it answered 0.
    pub(super) fn run(&self, call: &mut Call<'_>, names: &[String]) -> Result<bool> {
        let has_place = |word: &str| PLACEHOLDERS.iter().any(|place| word.contains(place));
        let words: Vec<String> = self
            .words
            .iter()
            .flat_map(|word| match has_place(word) {
                true => names.iter().map(|name| fill(word, name)).collect(),
                false => vec![word.clone()],
            })
            .collect();
        if !call.shell.has(&words[0]) {
            call.stdout.flush()?;
            writeln!(call.stderr, "[fd error]: Command not found: {}", words[0])?;
            return Ok(false);
        }
        let mut session = call.session.of_child();
        Ok(run_words(call, &words, &mut session, "")? == Status::OK)
    }
}

/// `word` with its placeholders filled in for `name`.
pub(super) fn fill(word: &str, name: &str) -> String {
    let stem = |text: &str| {
        let base = basename::last(text);
        let cut = base.rfind('.').filter(|at| *at > 0).map_or(0, |at| base.len() - at);
        text[..text.len() - cut].to_string()
    };
    let mut text = String::new();
    let mut rest = word;
    while !rest.is_empty() {
        let Some(place) = PLACEHOLDERS.iter().find(|place| rest.starts_with(**place)) else {
            let next = rest.char_indices().skip(1).find(|(_, c)| *c == '{').map_or(rest.len(), |(at, _)| at);
            text += &rest[..next];
            rest = &rest[next..];
            continue;
        };
        text += &match *place {
            "{/.}" => stem(basename::last(name)),
            "{//}" => dirname::folder(name).to_string(),
            "{/}" => basename::last(name).to_string(),
            "{.}" => stem(name),
            _ => name.to_string(),
        };
        rest = &rest[place.len()..];
    }
    text
}
