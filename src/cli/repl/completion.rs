//! What could come next where the cursor is: commands, options, variables, paths.
//!
//! Everything is answered from memory: the tables of commands, the session, and the tree as this visitor sees it.
//! Nothing is run, and no page is fetched.
mod word;

use crate::{
    shell::Shell,
    syntax::outline::{Class, Span, outline},
};
use docsh_builtins::{Kind, Takes, resolve};
use rustyline::completion::Pair;
use word::{Quote, Typed};

/// What the outline is to see where the cursor is, so that a word which is yet to begin has a place, too. No reserved
/// word ends in it.
const STAND_IN: char = 'x';

/// Commands whose first operand is a command.
const RUN_COMMANDS: &[&str] =
    &["builtin", "command", "env", "exec", "help", "man", "nice", "nohup", "time", "type", "which", "xargs"];
/// Commands whose operands are variables.
const NAME_VARIABLES: &[&str] = &["declare", "export", "local", "printenv", "read", "readonly", "typeset", "unset"];
/// Commands whose operands are folders.
const ENTER_FOLDERS: &[&str] = &["cd", "pushd", "rmdir"];

/// The candidates for the word that ends at `pos`, and where in `line` they would stand. None of them is a path that
/// the visitor may not see.
pub fn complete(shell: &Shell, line: &str, pos: usize) -> (usize, Vec<Pair>) {
    let text = format!("{}{STAND_IN}", &line[..pos]);
    let spans = outline(&text, shell.has_extglob());
    let is_at_cursor = |span: &Span| span.start <= pos && span.end > pos;
    if spans.iter().any(|span| span.class == Class::Comment && is_at_cursor(span)) {
        return (pos, Vec::new());
    }
    let Some(at) = spans.iter().rposition(|span| span.class.is_word() && is_at_cursor(span)) else {
        return (pos, Vec::new());
    };
    let word = spans[at];
    let expansion = spans[at..].iter().rev().find(|span| span.class == Class::Expansion && is_at_cursor(span));
    if let Some(expansion) = expansion
        && let Some(found) = variables(shell, &line[expansion.start..pos], expansion.start)
    {
        return found;
    }
    let raw = &line[word.start..pos];
    match word.class {
        Class::Command if !raw.contains('/') && !raw.starts_with('~') => (word.start, commands(shell, raw)),
        Class::Argument => {
            let command = Command::before(&text, &spans[..at], word.depth);
            argument(shell, &command, raw, word.start)
        }
        Class::Name => (pos, Vec::new()),
        _ => paths(shell, raw, word.start, |_| true),
    }
}

/// The command that a word is an argument of, as typed.
#[derive(Default)]
struct Command<'a> {
    name: &'a str,
    arguments: Vec<&'a str>,
}

impl<'a> Command<'a> {
    /// The command before a word of this depth, after `spans`.
    fn before(text: &'a str, spans: &[Span], depth: u32) -> Command<'a> {
        let mut command = Command::default();
        for span in spans.iter().rev().filter(|span| span.depth == depth) {
            let word = &text[span.start..span.end];
            match span.class {
                Class::Argument => command.arguments.insert(0, word),
                Class::Command => {
                    command.name = ["/usr/bin/", "/bin/"].iter().find_map(|dir| word.strip_prefix(dir)).unwrap_or(word);
                    return command;
                }
                // The words of a `for` or `case`.
                Class::Keyword => break,
                Class::Operator if !word.contains(['<', '>']) => break,
                _ => {}
            }
        }
        Command::default()
    }
}

fn argument(shell: &Shell, command: &Command<'_>, raw: &str, start: usize) -> (usize, Vec<Pair>) {
    let takes_options = !command.arguments.contains(&"--");
    if raw.starts_with('-') && takes_options && !raw.contains('=') {
        return (start, options(command.name, raw));
    }
    let is_first = command.arguments.iter().all(|word| word.starts_with('-'));
    if RUN_COMMANDS.contains(&command.name) && is_first && !raw.contains('/') {
        return (start, commands(shell, raw));
    }
    if NAME_VARIABLES.contains(&command.name) && !raw.contains('=') {
        return (start, names(shell.variable_names().into_iter(), raw, " "));
    }
    let folders_only = ENTER_FOLDERS.contains(&command.name);
    paths(shell, raw, start, |kind| !folders_only || kind == Kind::Dir)
}

/// The names that begin with `begun`, each followed by `after`.
fn names<'a>(all: impl Iterator<Item = &'a str>, begun: &str, after: &str) -> Vec<Pair> {
    let pair = |name: &str| Pair { display: name.to_string(), replacement: format!("{name}{after}") };
    all.filter(|name| name.starts_with(begun)).map(pair).collect()
}

fn commands(shell: &Shell, begun: &str) -> Vec<Pair> {
    names(shell.command_names().iter().map(String::as_str), begun, " ")
}

/// The variables that `$NAM` or `${NAM` could be.
fn variables(shell: &Shell, typed: &str, start: usize) -> Option<(usize, Vec<Pair>)> {
    let after = typed.strip_prefix('$')?;
    let (name, close) = after.strip_prefix('{').map_or((after, ""), |name| (name, "}"));
    let is_name = name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
    is_name.then(|| (start + typed.len() - name.len(), names(shell.variable_names().into_iter(), name, close)))
}

/// The options of the tool `command` that begin with `begun`.
fn options(command: &str, begun: &str) -> Vec<Pair> {
    let Some(tool) = docsh_builtins::find(command) else { return Vec::new() };
    let mut found = vec![("--help".to_string(), " ")];
    for opt in tool.options.iter().filter(|opt| !opt.help.is_empty()) {
        let letter = opt.short.filter(|letter| letter.is_ascii_graphic() && *letter != '-');
        found.extend(letter.map(|letter| (format!("-{letter}"), " ")));
        let (value, after) = match opt.takes {
            Takes::Nothing => ("", " "),
            Takes::Value(_) => ("=", ""),
            // With or without: the visitor goes on.
            Takes::Optional(_) => ("", ""),
        };
        found.extend(opt.long.iter().map(|long| (format!("--{long}{value}"), after)));
    }
    found.retain(|(option, _)| option.starts_with(begun));
    found.sort_unstable();
    found.dedup();
    let pair = |(option, after): (String, &str)| Pair { replacement: format!("{option}{after}"), display: option };
    found.into_iter().map(pair).collect()
}

/// The paths of the tree that begin with the word `raw`, or with what stands after its `name=`.
fn paths(shell: &Shell, raw: &str, start: usize, wanted: impl Fn(Kind) -> bool) -> (usize, Vec<Pair>) {
    let is_name = |text: &str| text.bytes().all(|byte| b"-_".contains(&byte) || byte.is_ascii_alphanumeric());
    let value = raw.find('=').map_or(0, |at| if is_name(&raw[..at]) { at + 1 } else { 0 });
    let (raw, start) = (&raw[value..], start + value);
    if raw == "~" {
        return (start, vec![Pair { display: "~/".to_string(), replacement: "~/".to_string() }]);
    }
    let Some(typed) = Typed::read(raw, shell.session()) else { return (start, Vec::new()) };
    let start = start + typed.name_at;
    let (fs, cwd) = (shell.site(), &shell.session().cwd);
    let folder = if typed.folder.is_empty() { Ok(cwd.clone()) } else { resolve(&*fs, cwd, &typed.folder) };
    let Ok(entries) = folder.and_then(|folder| fs.list(&folder)) else { return (start, Vec::new()) };
    let is_begun =
        |name: &str| name.starts_with(&typed.name) && (typed.name.starts_with('.') || !name.starts_with('.'));
    let found = entries.into_iter().filter(|entry| wanted(entry.kind) && is_begun(&entry.name));
    let pair = |name: String, kind: Kind| {
        let quoted = typed.quote.write(&name);
        match kind {
            Kind::Dir => Pair { display: format!("{name}/"), replacement: format!("{quoted}/") },
            _ => Pair { replacement: format!("{quoted}{} ", typed.quote.close()), display: name },
        }
    };
    // A control character in a list would be obeyed by the terminal, and within quotes cannot be written.
    let found = found.filter(|entry| !entry.name.chars().any(char::is_control) || typed.quote == Quote::None);
    (start, found.map(|entry| pair(entry.name, entry.kind)).collect())
}

#[cfg(test)]
mod tests;
