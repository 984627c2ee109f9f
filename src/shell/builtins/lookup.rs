//! `type command builtin hash which alias unalias`: what a name means.
use super::find;
use crate::{
    shell::{interp::Interp, jump::Outcome, memory::weight, tools},
    syntax::print,
};
use docsh_builtins::Status;
use std::sync::Arc;

/// The words that the grammar reserves.
pub const KEYWORDS: [&str; 22] = [
    "!", "[[", "]]", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in",
    "select", "then", "time", "until", "while", "{", "}",
];

/// What a name stands for, in the order in which the shell looks.
enum Meaning {
    Alias(String),
    Keyword,
    Function(String),
    Builtin,
    File(String),
}

impl Meaning {
    fn kind(&self) -> &'static str {
        match self {
            Meaning::Alias(_) => "alias",
            Meaning::Keyword => "keyword",
            Meaning::Function(_) => "function",
            Meaning::Builtin => "builtin",
            Meaning::File(_) => "file",
        }
    }
}

fn meanings(shell: &Interp, name: &str, functions: bool) -> Vec<Meaning> {
    let mut all = Vec::new();
    if let Some(value) = shell.env.aliases.get(name).filter(|_| shell.env.options.shopt.expand_aliases) {
        all.push(Meaning::Alias(value.clone()));
    }
    if KEYWORDS.contains(&name) {
        all.push(Meaning::Keyword);
    }
    if let Some(function) = shell.env.functions.get(name).filter(|_| functions) {
        all.push(Meaning::Function(print::function(name, &function.body)));
    }
    if is_builtin(name) {
        all.push(Meaning::Builtin);
    }
    all.extend(file(shell, name).map(Meaning::File));
    all
}

/// Whether `name` would run something.
pub fn is_command(shell: &Interp, name: &str) -> bool {
    !meanings(shell, name, true).is_empty()
}

fn is_builtin(name: &str) -> bool {
    let own = find(name).is_some() && !super::super::fresh::is_shell(name) && name != "which";
    own || tools::is_bash_builtin(name) || name == "exec"
}

/// The path of a tool, or of an executable file of the tree.
fn file(shell: &Interp, name: &str) -> Option<String> {
    if let Some(tool) = tools::find(name) {
        let is_program = !tools::SHELL_ONLY.contains(&tool.name);
        return is_program.then(|| if name.contains('/') { name.to_string() } else { format!("/usr/bin/{name}") });
    }
    if super::super::fresh::is_shell(name) || name == "which" {
        return Some(if name.contains('/') { name.to_string() } else { format!("/usr/bin/{name}") });
    }
    let path = docsh_builtins::resolve(&*shell.world.fs, &shell.env.session.cwd, name).ok()?;
    let meta = shell.world.fs.stat(&path).ok()?;
    (name.contains('/') && !meta.is_dir() && meta.mode & 0o111 != 0).then(|| name.to_string())
}

pub(super) fn r#type(shell: &mut Interp, words: &[String]) -> Outcome {
    let (mut all, mut kinds, mut paths, mut force, mut functions) = (false, false, false, false, true);
    let mut names = words[1..].iter().peekable();
    while let Some(letters) = names.peek().and_then(|word| word.strip_prefix('-')).filter(|letters| !letters.is_empty())
    {
        for letter in letters.chars() {
            match letter {
                'a' => all = true,
                't' => kinds = true,
                'p' => paths = true,
                'P' => (paths, force) = (true, true),
                'f' => functions = false,
                '-' => {}
                letter => {
                    shell.complain(format_args!("type: -{letter}: invalid option"));
                    return Ok(Status(2));
                }
            }
        }
        names.next();
    }
    let (mut status, mut text) = (Status::OK, String::new());
    for name in names {
        let mut found = meanings(shell, name, functions);
        if force {
            found.retain(|meaning| matches!(meaning, Meaning::File(_)));
        }
        if !all {
            found.truncate(1);
        }
        if found.is_empty() {
            status = Status::FAILURE;
            if !kinds && !paths {
                shell.complain(format_args!("type: {name}: not found"));
            }
        }
        for meaning in found {
            text += &match meaning {
                meaning if kinds => format!("{}\n", meaning.kind()),
                Meaning::File(path) if paths => format!("{path}\n"),
                _ if paths => String::new(),
                meaning => described(name, &meaning),
            };
        }
    }
    shell.write_all("type", text.as_bytes()).map(|written| if written.is_ok() { status } else { written })
}

fn described(name: &str, meaning: &Meaning) -> String {
    match meaning {
        Meaning::Alias(value) => format!("{name} is aliased to `{value}'\n"),
        Meaning::Keyword => format!("{name} is a shell keyword\n"),
        Meaning::Function(text) => format!("{name} is a function\n{text}\n"),
        Meaning::Builtin => format!("{name} is a shell builtin\n"),
        Meaning::File(path) => format!("{name} is {path}\n"),
    }
}

pub(super) fn command(shell: &mut Interp, words: &[String]) -> Outcome {
    let (mut terse, mut verbose) = (false, false);
    let mut rest = &words[1..];
    while let Some((word, after)) = rest.split_first() {
        if word == "--" {
            rest = after;
            break;
        }
        let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) else { break };
        for letter in letters.chars() {
            match letter {
                'p' => {}
                'v' => terse = true,
                'V' => verbose = true,
                letter => {
                    shell.complain(format_args!("command: -{letter}: invalid option"));
                    return Ok(Status(2));
                }
            }
        }
        rest = after;
    }
    if !terse && !verbose {
        return if rest.is_empty() { Ok(Status::OK) } else { shell.run_builtin_or_tool(rest.to_vec()) };
    }
    let (mut status, mut text) = (Status::FAILURE, String::new());
    for name in rest {
        match meanings(shell, name, true).into_iter().next() {
            Some(meaning) => {
                status = Status::OK;
                text += &match meaning {
                    meaning if verbose => described(name, &meaning),
                    Meaning::Alias(value) => format!("alias {name}='{value}'\n"),
                    Meaning::File(path) => format!("{path}\n"),
                    _ => format!("{name}\n"),
                };
            }
            None if verbose => shell.complain(format_args!("command: {name}: not found")),
            None => {}
        }
    }
    shell.write_all("command", text.as_bytes()).map(|written| if written.is_ok() { status } else { written })
}

pub(super) fn builtin(shell: &mut Interp, words: &[String]) -> Outcome {
    let rest = words[1..].strip_prefix(&["--".to_string()][..]).unwrap_or(&words[1..]);
    let Some(name) = rest.first() else { return Ok(Status::OK) };
    if !is_builtin(name) {
        shell.complain(format_args!("builtin: {name}: not a shell builtin"));
        return Ok(Status::FAILURE);
    }
    shell.run_builtin_or_tool(rest.to_vec())
}

/// There is nothing to remember: names are looked up in a table. Only an unknown name is an error.
pub(super) fn hash(shell: &mut Interp, words: &[String]) -> Outcome {
    if words.len() == 1 {
        return shell.write_all("hash", b"hash: hash table empty\n");
    }
    let mut status = Status::OK;
    for name in words[1..].iter().filter(|word| !word.starts_with('-')) {
        if file(shell, name).is_none() && !is_builtin(name) {
            shell.complain(format_args!("hash: {name}: not found"));
            status = Status::FAILURE;
        }
    }
    Ok(status)
}

pub(super) fn which(shell: &mut Interp, words: &[String]) -> Outcome {
    let (mut all, mut quiet) = (false, false);
    let mut names = Vec::new();
    for word in &words[1..] {
        match word.as_str() {
            "-a" => all = true,
            "-s" => quiet = true,
            word if word.starts_with('-') => {
                shell.complain(format_args!("which: {word}: invalid option"));
                return Ok(Status(2));
            }
            word => names.push(word),
        }
    }
    let (mut status, mut text) = (Status::from(!names.is_empty()), String::new());
    for name in names {
        match file(shell, name) {
            Some(path) => {
                text += &format!("{path}\n");
                if all && !name.contains('/') {
                    text += &format!("/bin/{name}\n");
                }
            }
            None => status = Status::FAILURE,
        }
    }
    let text = if quiet { String::new() } else { text };
    shell.write_all("which", text.as_bytes()).map(|written| if written.is_ok() { status } else { written })
}

pub(super) fn alias(shell: &mut Interp, words: &[String]) -> Outcome {
    let line = |name: &str, value: &str| format!("alias {name}='{}'\n", value.replace('\'', "'\\''"));
    let names: Vec<&String> = words[1..].iter().filter(|word| *word != "-p" && *word != "--").collect();
    let (mut status, mut text) = (Status::OK, String::new());
    if names.is_empty() {
        let mut all: Vec<_> = shell.env.aliases.iter().collect();
        all.sort();
        text = all.into_iter().map(|(name, value)| line(name, value)).collect();
    }
    for word in names {
        match word.split_once('=').filter(|(name, _)| !name.is_empty()) {
            Some((name, value)) => {
                shell.hold(weight(&[name, value]))?;
                Arc::make_mut(&mut shell.env.aliases).insert(name.to_string(), value.to_string());
            }
            None => match shell.env.aliases.get(word.as_str()) {
                Some(value) => text += &line(word, value),
                None => {
                    shell.complain(format_args!("alias: {word}: not found"));
                    status = Status::FAILURE;
                }
            },
        }
    }
    shell.write_all("alias", text.as_bytes()).map(|written| if written.is_ok() { status } else { written })
}

pub(super) fn unalias(shell: &mut Interp, words: &[String]) -> Outcome {
    let mut status = Status::OK;
    if words.len() == 1 {
        shell.complain("unalias: usage: unalias [-a] name [name ...]");
        return Ok(Status(2));
    }
    for name in &words[1..] {
        if name == "-a" {
            Arc::make_mut(&mut shell.env.aliases).clear();
        } else if Arc::make_mut(&mut shell.env.aliases).remove(name).is_none() {
            shell.complain(format_args!("unalias: {name}: not found"));
            status = Status::FAILURE;
        }
    }
    Ok(status)
}

/// The names that completion may offer in command position.
pub fn command_names(shell: &Interp) -> Vec<String> {
    let mut names: Vec<String> = super::names().chain(tools::names()).chain(KEYWORDS).map(str::to_string).collect();
    names.extend(shell.env.functions.keys().cloned());
    names.extend(shell.env.aliases.keys().cloned());
    names.sort_unstable();
    names.dedup();
    names
}
