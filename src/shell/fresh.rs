//! `bash` and `sh`: docsh itself, in a fresh shell with the exported variables.
use super::{
    interp::{Interp, Mode},
    jump::Outcome,
};
use docsh_builtins::{ErrorKind, Session, Status, Stdio};
use std::sync::Arc;

/// Whether `name` starts a fresh shell.
pub fn is_shell(name: &str) -> bool {
    let bare = ["/usr/bin/", "/bin/"].iter().find_map(|dir| name.strip_prefix(dir)).unwrap_or(name);
    matches!(bare, "bash" | "sh" | "dash" | "docsh")
}

/// What the words of a `bash` command ask for.
#[derive(Default)]
struct Request {
    command: bool,
    from_stdin: bool,
    set: Vec<(String, bool)>,
    shopt: Vec<(String, bool)>,
    operands: Vec<String>,
}

/// Run `words` (`bash -c …`, `bash FILE …`, `bash` alone) as a command of `shell`.
pub fn run(shell: &mut Interp, words: &[String]) -> Outcome {
    let request = match request(&words[1..]) {
        Ok(request) => request,
        Err(message) => {
            shell.complain(format_args!("{}: {message}", words[0]));
            return Ok(Status(2));
        }
    };
    let mut operands = request.operands.into_iter();
    let (text, name) = if request.command {
        let Some(text) = operands.next() else {
            shell.complain(format_args!("{}: -c: option requires an argument", words[0]));
            return Ok(Status(2));
        };
        (text, operands.next())
    } else {
        let file = if request.from_stdin { None } else { operands.next() };
        match file {
            Some(file) => match read_script(shell, &file)? {
                Ok(text) => (text, Some(file)),
                Err(status) => return Ok(status),
            },
            None => match shell.read_text(&mut shell.stdin())? {
                Ok(text) => (text, None),
                Err(error) => {
                    shell.complain(error);
                    return Ok(Status(126));
                }
            },
        }
    };
    let mut session = Session::new();
    session.cwd = shell.env.session.cwd.clone();
    // Of the environment there is only what is handed on: `env -i bash` has no HOME.
    for name in ["HOME", "LC_ALL"] {
        if shell.env.session.env(name).is_none() && session.vars.unset(name).is_err() {
            break;
        }
    }
    for (name, value) in shell.env.session.vars.environment() {
        session.vars.export(name, value);
    }
    let level = shell.env.session.env("SHLVL").and_then(|level| level.parse::<u32>().ok()).unwrap_or(0);
    session.vars.export("SHLVL", &level.saturating_add(1).to_string());
    session.name = name.unwrap_or_else(|| words[0].clone());
    session.positional = operands.collect();
    let io = Stdio { stdin: shell.stdin(), stdout: shell.stdout(), stderr: shell.stderr() };
    let mode = if request.command { Mode::Command } else { Mode::Script };
    shell.deeper(|shell| {
        let mut inner = Interp::new(shell.world.clone(), session, io, shell.cancel.clone(), mode);
        inner.hold_anew(0)?;
        inner.depth = shell.depth;
        let functions = shell.env.functions.iter().filter(|(_, function)| function.exported);
        inner.env.functions = Arc::new(functions.map(|(name, known)| (name.clone(), known.clone())).collect());
        for (name, on) in &request.set {
            inner.env.options.set.set(name, *on);
        }
        for (name, on) in &request.shopt {
            inner.env.options.shopt.set(name, *on);
        }
        inner.run_to_end(|inner| inner.run_program(&text, 1))
    })
}

fn request(words: &[String]) -> Result<Request, String> {
    use super::options::SetOptions;
    let mut request = Request::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let on = word.starts_with('-');
        match word.as_str() {
            "--" | "-" => break,
            "--norc" | "--noprofile" | "--posix" | "--login" | "-l" | "--noediting" => {}
            word if word.starts_with("--") => return Err(format!("{word}: invalid option")),
            word if word.len() > 1 && (on || word.starts_with('+')) => {
                for letter in word[1..].chars() {
                    match letter {
                        'c' => request.command = true,
                        's' => request.from_stdin = true,
                        'i' | 'l' => {}
                        'o' | 'O' => {
                            let name = words.next().ok_or_else(|| format!("-{letter}: option requires an argument"))?;
                            let list = if letter == 'o' { &mut request.set } else { &mut request.shopt };
                            list.push((name.clone(), on));
                        }
                        letter => match SetOptions::named(letter) {
                            Some(name) => request.set.push((name.to_string(), on)),
                            None => return Err(format!("-{letter}: invalid option")),
                        },
                    }
                }
            }
            _ => {
                request.operands.push(word.clone());
                break;
            }
        }
    }
    request.operands.extend(words.cloned());
    Ok(request)
}

/// The text of a script file.
fn read_script(shell: &mut Interp, file: &str) -> Outcome<Result<String, Status>> {
    let read = match shell.open_page(file) {
        Ok(mut input) => shell.read_text(&mut input)?.map_err(|error| ErrorKind::Io(error.to_string().into())),
        Err(kind) => Err(kind),
    };
    match read {
        Ok(text) => Ok(Ok(text)),
        Err(kind) => {
            shell.cancel.check()?;
            let status = if matches!(kind, ErrorKind::NotFound) { 127 } else { 126 };
            shell.complain(format_args!("{file}: {kind}"));
            Ok(Err(Status(status)))
        }
    }
}
