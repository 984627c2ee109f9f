//! `compgen complete compopt`: the words that could come next. docsh completes by itself; what scripts say of
//! completion is accepted and changes nothing.
use super::{letters, lookup};
use crate::shell::{
    expand::{self, DYNAMIC},
    interp::Interp,
    jump::Outcome,
    options::{SetOptions, ShoptOptions},
    tools,
    trap::SIGNALS,
};
use docsh_builtins::{
    Kind, Status,
    glob::{self, Glob, GlobFlags},
};

pub(super) fn compgen(shell: &mut Interp, words: &[String]) -> Outcome {
    let (given, operands) = match letters::read(shell, words, "abcdefgjksuvo:A:G:W:F:C:X:P:S:") {
        Ok(read) => read,
        Err(status) => return Ok(status),
    };
    let begun = operands.first().map_or("", String::as_str);
    let mut found = Vec::new();
    let (mut before, mut after, mut without) = (String::new(), String::new(), None);
    for (letter, value) in given {
        match letter {
            'P' => before = value,
            'S' => after = value,
            'X' => without = Some(value),
            'W' => found.extend(word_list(shell, &value)?),
            'G' => found.extend(paths(shell, &value, |_| true)),
            'o' | 'F' | 'C' => {}
            letter => {
                let action = if letter == 'A' { value.as_str() } else { action(letter) };
                match names(shell, action, begun) {
                    Some(names) => found.extend(names),
                    None => {
                        shell.complain(format_args!("compgen: {action}: invalid action name"));
                        return Ok(Status::FAILURE);
                    }
                }
            }
        }
    }
    found.retain(|word| word.starts_with(begun));
    if let Some(pattern) = without {
        let (keep, pattern) = match pattern.strip_prefix('!') {
            Some(pattern) => (true, pattern),
            None => (false, pattern.as_str()),
        };
        let glob = Glob::new(pattern, GlobFlags { extended: true, ..GlobFlags::default() });
        found.retain(|word| glob.matches(word) == keep);
    }
    if found.is_empty() {
        return Ok(Status::FAILURE);
    }
    let text: String = found.iter().map(|word| format!("{before}{word}{after}\n")).collect();
    shell.write_all("compgen", text.as_bytes())
}

/// The long name of an action's letter.
fn action(letter: char) -> &'static str {
    match letter {
        'a' => "alias",
        'b' => "builtin",
        'c' => "command",
        'd' => "directory",
        'e' => "export",
        'f' => "file",
        'g' => "group",
        'j' => "job",
        'k' => "keyword",
        's' => "service",
        'u' => "user",
        _ => "variable",
    }
}

/// The words of `-W`, expanded and cut as an unquoted word would be.
fn word_list(shell: &mut Interp, text: &str) -> Outcome<Vec<String>> {
    let expanded = match crate::syntax::parse_double_quoted(text) {
        Ok(word) => expand::here_document(shell, &word)?,
        Err(_) => text.to_string(),
    };
    let ifs = expand::Ifs::of(&shell.env.session);
    Ok(expanded.split(|c| ifs.cut(c) != expand::Cut::No).filter(|word| !word.is_empty()).map(str::to_string).collect())
}

fn names(shell: &Interp, action: &str, begun: &str) -> Option<Vec<String>> {
    let owned = |names: Vec<&str>| names.into_iter().map(str::to_string).collect();
    let vars = &shell.env.session.vars;
    Some(match action {
        "alias" => sorted(shell.env.aliases.keys().cloned().collect()),
        "builtin" | "enabled" | "helptopic" => {
            let tools = tools::names().filter(|name| tools::is_bash_builtin(name));
            sorted(super::names().chain(tools).map(str::to_string).collect())
        }
        "command" => lookup::command_names(shell),
        "directory" => paths(shell, &format!("{}*", glob::escape(begun)), |kind| kind == Kind::Dir),
        "file" => paths(shell, &format!("{}*", glob::escape(begun)), |_| true),
        "export" => owned(vars.environment().into_iter().map(|(name, _)| name).collect()),
        "function" => sorted(shell.env.functions.keys().cloned().collect()),
        "keyword" => owned(lookup::KEYWORDS.to_vec()),
        "setopt" => owned(SetOptions::NAMES.iter().map(|(name, _)| *name).collect()),
        "shopt" => owned(ShoptOptions::NAMES.iter().map(|(name, _)| *name).collect()),
        "signal" => SIGNALS.iter().map(|name| format!("SIG{name}")).collect(),
        "user" | "group" => vec!["root".to_string()],
        "hostname" => vec!["docsh".to_string()],
        "variable" | "arrayvar" => {
            sorted(vars.names().into_iter().chain(DYNAMIC.iter().copied()).map(str::to_string).collect())
        }
        "binding" | "disabled" | "job" | "running" | "service" | "stopped" => Vec::new(),
        _ => return None,
    })
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort_unstable();
    names.dedup();
    names
}

/// Paths of the tree that match `pattern`, which has no folder that is a pattern itself.
fn paths(shell: &Interp, pattern: &str, wanted: impl Fn(Kind) -> bool) -> Vec<String> {
    let (folder, name) = match pattern.rfind('/') {
        Some(slash) => pattern.split_at(slash + 1),
        None => ("", pattern),
    };
    let folder: String = folder.replace('\\', "");
    let path = shell.env.session.cwd.join(&folder);
    let glob = Glob::new(name, GlobFlags { period: !name.starts_with('*'), ..GlobFlags::default() });
    let Ok(entries) = shell.world.fs.list(&path) else { return Vec::new() };
    let matching = entries.into_iter().filter(|entry| wanted(entry.kind) && glob.matches(&entry.name));
    matching.map(|entry| format!("{folder}{}", entry.name)).collect()
}

pub(super) fn complete(_: &mut Interp, _: &[String]) -> Outcome {
    Ok(Status::OK)
}

pub(super) fn compopt(shell: &mut Interp, _: &[String]) -> Outcome {
    shell.complain("compopt: not currently executing completion function");
    Ok(Status::FAILURE)
}
