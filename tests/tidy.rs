//! The house rules that no lint knows: sizes, names, who may name whom. ARCHITECTURE.md says why.
use crate::support::tree::repository;
use docsh_builtins::TOOLS;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Past this a file is a folder of steps waiting to be made.
const MAX_LINES: usize = 650;

/// Names that say nothing.
const HOLLOW: &[&str] = &["common", "helper", "helpers", "manager", "misc", "util", "utils"];

/// The only places that may touch the host: its files, its environment, its streams.
const HOST: &[&str] = &["src/main.rs", "src/start.rs", "src/cli", "src/ingest", "src/store"];

/// The only places where something is `async`: the stores, behind their bridge, and the MCP server, whose library asks.
const ASYNC: &[&str] = &["src/store", "src/cli/mcp"];

/// Which modules of the crate each of them may name. `cli` may name all.
const BELOW: &[(&str, &[&str])] = &[
    ("syntax", &[]),
    ("shell", &["syntax"]),
    ("tree", &[]),
    ("store", &["tree"]),
    ("site", &["store", "tree"]),
    ("ingest", &["store", "tree"]),
];

/// Commands that stand in another one's file, as its variants.
const BESIDE: &[(&str, &str)] = &[
    ("[", "test"),
    ("apropos", "man"),
    ("arch", "uname"),
    ("b2sum", "md5sum"),
    ("base32", "basenc"),
    ("base64", "basenc"),
    ("chgrp", "chown"),
    ("clear", "tput"),
    ("egrep", "grep"),
    ("false", "true"),
    ("fdfind", "fd"),
    ("fgrep", "grep"),
    ("gawk", "awk"),
    ("groups", "id"),
    ("gunzip", "gzip"),
    ("hd", "hexdump"),
    ("hostname", "uname"),
    ("logname", "id"),
    ("mawk", "awk"),
    ("more", "less"),
    ("ncal", "cal"),
    ("nohup", "nice"),
    ("nproc", "uname"),
    ("popd", "dirs"),
    ("pushd", "dirs"),
    ("reset", "tput"),
    ("sha1sum", "md5sum"),
    ("sha224sum", "md5sum"),
    ("sha256sum", "md5sum"),
    ("sha384sum", "md5sum"),
    ("sha512sum", "md5sum"),
    ("time", "nice"),
    ("tty", "uname"),
    ("uptime", "uname"),
    ("users", "id"),
    ("whatis", "man"),
    ("who", "id"),
    ("whoami", "id"),
    ("zcat", "gzip"),
    ("zegrep", "zgrep"),
    ("zfgrep", "zgrep"),
];

/// A Rust file of the repository.
struct Source {
    /// Relative to the repository, with slashes.
    path: String,
    text: String,
}

impl Source {
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(at, line)| (at + 1, line))
    }

    /// The lines that are code: no comments, which may speak of anything.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        self.lines().map(|(at, line)| (at, line.split("//").next().unwrap_or_default()))
    }

    fn is_in(&self, places: &[&str]) -> bool {
        places.iter().any(|place| self.path.starts_with(place))
    }
}

#[test]
fn files_have_a_readable_size() {
    complain(sources(), |source| {
        let lines = source.text.lines().count();
        (lines > MAX_LINES).then(|| format!("{}: {lines} lines; make it a folder of steps", source.path))
    });
}

#[test]
fn comments_are_no_wider_than_code() {
    complain(sources(), |source| {
        let is_wide = |line: &str| {
            let comment = line.trim_start();
            // A table has no other line to go on.
            let is_table = comment.trim_start_matches(['/', '!']).starts_with(" |");
            comment.starts_with("//") && !is_table && line.chars().count() > 120
        };
        let (at, _) = source.lines().find(|(_, line)| is_wide(line))?;
        Some(format!("{}:{at}: a comment of more than 120 columns", source.path))
    });
}

#[test]
fn modules_name_only_those_below_them() {
    complain(shipped(), |source| {
        let module = source.path.strip_prefix("src/")?.split(['/', '.']).next()?;
        let (_, below) = BELOW.iter().find(|(name, _)| *name == module)?;
        let is_test = source.path.ends_with("/tests.rs") || source.path.ends_with("/testing.rs");
        let shipped = source.text.split("#[cfg(test)]").next().filter(|_| !is_test)?;
        let above = named(shipped).into_iter().find(|name| {
            let is_module = *name == "cli" || BELOW.iter().any(|(module, _)| module == name);
            is_module && *name != module && !below.contains(name)
        })?;
        Some(format!("{}: names `crate::{above}`, which is not below `{module}`", source.path))
    });
}

/// What stands behind `crate::` in this code, also in braces.
fn named(code: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for behind in code.split("crate::").skip(1) {
        let Some(group) = behind.strip_prefix('{') else {
            names.extend(behind.split(|c: char| !c.is_alphanumeric() && c != '_').next());
            continue;
        };
        let (mut depth, mut start) = (0, 0);
        for (at, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => start = at + 1,
                ':' if depth == 0 && start < at => {
                    names.insert(group[start..at].trim());
                    start = group.len();
                }
                _ => {}
            }
        }
    }
    names
}

#[test]
fn names_behind_crate_are_found_in_braces_too() {
    let code = "use crate::{a::x, b::{c::y, d}, e};\nfn f() { crate::g::h() }";
    assert_eq!(named(code), BTreeSet::from(["a", "b", "g"]));
}

#[test]
fn modules_say_first_what_they_are_for() {
    complain(sources(), |source| {
        // The name of a file of tests is its whole story.
        let speaks = source.text.starts_with("//! ") || source.path.ends_with("/tests.rs");
        (!speaks).then(|| format!("{}: no `//!` on its first line", source.path))
    });
}

#[test]
fn names_say_what_a_file_is_about() {
    complain(sources(), |source| {
        let hollow = source.path.trim_end_matches(".rs").split(['/', '_']).find(|word| HOLLOW.contains(word))?;
        Some(format!("{}: `{hollow}` says nothing; name what it is about", source.path))
    });
}

#[test]
fn nothing_is_left_to_do() {
    let marks = ["TODO", "FIXME", "XXX", "HACK"].map(|mark| format!("// {mark}"));
    complain(shipped(), |source| {
        let found = source.lines().find(|(_, line)| {
            let said = line.trim_start().trim_start_matches("//!").trim_start_matches("///");
            marks.iter().any(|mark| said.contains(mark)) || said.contains("dbg!(") || said.contains("todo!(")
        });
        found.map(|(at, line)| format!("{}:{at}: {}", source.path, line.trim()))
    });
}

#[test]
fn the_parser_library_stays_in_syntax() {
    complain(shipped(), |source| {
        if source.is_in(&["src/syntax/"]) {
            return None;
        }
        let found = source.code().find(|(_, code)| code.contains("conch_parser"));
        found.map(|(at, _)| format!("{}:{at}: names conch; only src/syntax may", source.path))
    });
}

#[test]
fn async_stays_behind_the_bridge() {
    complain(shipped(), |source| {
        if source.is_in(ASYNC) {
            return None;
        }
        let found = source.code().find(|(_, code)| words(code).any(|word| word == "async" || word == "await"));
        found.map(|(at, code)| format!("{}:{at}: {}; only {ASYNC:?} may", source.path, code.trim()))
    });
}

#[test]
fn the_wall_to_the_host_is_lifted_only_where_the_host_is_meant() {
    complain(shipped(), |source| {
        if source.is_in(HOST) {
            return None;
        }
        let found = source.code().find(|(_, code)| code.contains("clippy::disallowed_"));
        found.map(|(at, _)| format!("{}:{at}: lifts the wall; only {HOST:?} may", source.path))
    });
}

#[test]
fn commands_know_no_store_no_runtime_and_no_parser() {
    let manifest = fs::read_to_string(repository("builtins/Cargo.toml")).unwrap();
    let foreign = ["docsh", "conch-parser", "tokio", "reqwest", "rusqlite", "redis", "rustyline", "clap"];
    let dependencies = manifest.lines().skip_while(|line| !line.contains("dependencies]"));
    let named: Vec<&str> = dependencies
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|name| foreign.contains(name))
        .collect();
    assert!(named.is_empty(), "builtins/Cargo.toml names {named:?}");
}

#[test]
fn every_command_is_found_by_its_name_and_says_what_it_does() {
    let sources: BTreeSet<String> = shipped().map(|source| source.path).collect();
    for tool in TOOLS {
        let name = tool.name;
        let about = tool.about.lines().next().unwrap_or_default();
        assert!(about.len() > 10 && about.ends_with('.'), "{name}: `about` begins with a sentence: {about:?}");
        let file = BESIDE.iter().find(|(variant, _)| *variant == name).map_or(name, |(_, file)| file);
        assert!(sources.contains(&format!("builtins/{file}.rs")), "{name}: no builtins/{file}.rs");
        let short = tool.options.iter().filter_map(|option| option.short.map(String::from));
        let long = tool.options.iter().flat_map(|option| option.long.iter().map(|name| format!("--{name}")));
        let mut seen = BTreeSet::new();
        let twice: Vec<String> = short.chain(long).filter(|spelling| !seen.insert(spelling.clone())).collect();
        assert!(twice.is_empty(), "{name}: options that stand twice: {twice:?}");
    }
}

/// Fail with every complaint, or with none when there was nothing to look at.
fn complain(sources: impl Iterator<Item = Source>, rule: impl Fn(&Source) -> Option<String>) {
    let sources: Vec<Source> = sources.collect();
    assert!(sources.len() > 10, "the sources are not where they are looked for");
    let complaints: Vec<String> = sources.iter().filter_map(rule).collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// Every Rust file, tests included.
fn sources() -> impl Iterator<Item = Source> {
    let files = ["src", "builtins", "tests", "benches"].into_iter().flat_map(|folder| rust_files(&repository(folder)));
    files.map(|file| Source {
        path: file.strip_prefix(repository("")).expect("in the repository").display().to_string(),
        text: fs::read_to_string(&file).unwrap(),
    })
}

/// The Rust files that users run.
fn shipped() -> impl Iterator<Item = Source> {
    sources().filter(|source| source.is_in(&["src/", "builtins/"]))
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files = Vec::new();
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|character: char| !character.is_alphanumeric() && character != '_')
}
