//! Options of the shell's own commands: letters, some with a value, before the operands.
use crate::shell::interp::Interp;
use docsh_builtins::Status;
use std::{io::Write, slice::Iter};

/// The options given, in order, each with its value (empty where it takes none), and the operands.
pub(super) type Letters<'w> = (Vec<(char, String)>, &'w [String]);

/// Read the options of `words`, the name first. In `known` a letter followed by `:` takes a value. What is wrong has
/// been said when this is an error.
pub(super) fn read<'w>(shell: &Interp, words: &'w [String], known: &str) -> Result<Letters<'w>, Status> {
    let Some((name, rest)) = words.split_first() else { return Ok((Vec::new(), words)) };
    let mut given = Vec::new();
    let mut rest = rest.iter();
    loop {
        let operands = rest.as_slice();
        let Some(word) = rest.next() else { return Ok((given, operands)) };
        if word == "--" {
            return Ok((given, rest.as_slice()));
        }
        let Some(cluster) = word.strip_prefix('-').filter(|cluster| !cluster.is_empty()) else {
            return Ok((given, operands));
        };
        if let Err(message) = read_cluster(cluster, known, &mut rest, &mut given) {
            shell.complain(format_args!("{name}: {message}"));
            usage(shell, name);
            return Err(Status(2));
        }
    }
}

fn read_cluster(
    cluster: &str,
    known: &str,
    rest: &mut Iter<'_, String>,
    given: &mut Vec<(char, String)>,
) -> Result<(), String> {
    let mut letters = cluster.chars();
    while let Some(letter) = letters.next() {
        let Some(at) = known.find(letter).filter(|_| letter != ':') else {
            return Err(format!("-{letter}: invalid option"));
        };
        if !known[at + 1..].starts_with(':') {
            given.push((letter, String::new()));
            continue;
        }
        let value = match letters.as_str() {
            "" => rest.next().cloned().ok_or_else(|| format!("-{letter}: option requires an argument"))?,
            attached => attached.to_string(),
        };
        given.push((letter, value));
        break;
    }
    Ok(())
}

/// The line that shows how `name` is used.
pub(super) fn usage(shell: &Interp, name: &str) {
    if let Some(row) = super::find(name) {
        // A stderr that is gone must not end the shell.
        let _ = writeln!(shell.stderr(), "{name}: usage: {name} {}", row.synopsis);
    }
}
