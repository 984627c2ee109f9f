//! `exec`: redirections for good, or a command in the shell's place.
use crate::{
    shell::{
        interp::Interp,
        jump::{Jump, Outcome},
        tools,
    },
    syntax::ast::Redirect,
};
use docsh_builtins::{Session, Status};

/// `exec [-cl] [-a NAME] [COMMAND [ARG]...]` with its redirections.
pub fn exec(shell: &mut Interp, words: &[String], redirects: &[Redirect]) -> Outcome {
    let outer = shell.env.fds.clone();
    if !shell.redirect_all(redirects)? {
        shell.env.fds = outer;
        return Ok(Status::FAILURE);
    }
    // What `exec` opened stays open: its process substitutions, too.
    shell.processes.clear();
    let mut clean = false;
    let mut rest = words[1..].iter();
    let mut command = Vec::new();
    while let Some(word) = rest.next() {
        match word.as_str() {
            "--" => break,
            "-a" => drop(rest.next()),
            word if word.starts_with('-') && word.len() > 1 => {
                if let Some(letter) = word[1..].chars().find(|letter| !"cl".contains(*letter)) {
                    shell.complain(format_args!("exec: -{letter}: invalid option"));
                    return Ok(Status(2));
                }
                clean |= word.contains('c');
            }
            word => {
                command.push(word.to_string());
                break;
            }
        }
    }
    command.extend(rest.cloned());
    if command.is_empty() {
        return Ok(Status::OK);
    }
    let name = &command[0];
    if tools::find(name).is_none() && super::super::fresh::is_shell(name) == name.contains('/') && !name.contains('/') {
        shell.complain(format_args!("exec: {name}: not found"));
        return if shell.is_interactive() { Ok(Status(127)) } else { Err(Jump::Exit(Status(127))) };
    }
    if clean {
        let (cwd, name) = (shell.env.session.cwd.clone(), shell.env.session.name.clone());
        shell.env.session = Session { cwd, name, ..Session::new() };
    }
    let status = shell.run_builtin_or_tool(command)?;
    Err(Jump::Exit(status))
}
