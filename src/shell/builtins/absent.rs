//! `bg bind disown enable fc fg suspend`: commands of bash for what docsh has not: job control, a history in scripts,
//! loadable builtins. They say so as a bash without a terminal does.
use crate::shell::{interp::Interp, jump::Outcome};
use docsh_builtins::Status;

pub(super) fn no_job_control(shell: &mut Interp, words: &[String]) -> Outcome {
    let name = &words[0];
    match name.as_str() {
        "suspend" => shell.complain("suspend: cannot suspend: no job control"),
        _ => shell.complain(format_args!("{name}: no job control")),
    }
    Ok(Status::FAILURE)
}

pub(super) fn disown(shell: &mut Interp, words: &[String]) -> Outcome {
    let jobs: Vec<&str> = words[1..].iter().map(String::as_str).filter(|word| !word.starts_with('-')).collect();
    let jobs = if words.len() == 1 { vec!["current"] } else { jobs };
    for job in &jobs {
        shell.complain(format_args!("disown: {job}: no such job"));
    }
    Ok(Status::from(jobs.is_empty()))
}

pub(super) fn logout(shell: &mut Interp, _: &[String]) -> Outcome {
    shell.complain("logout: not login shell: use `exit'");
    Ok(Status::FAILURE)
}

pub(super) fn bind(shell: &mut Interp, _: &[String]) -> Outcome {
    shell.complain("bind: warning: line editing not enabled");
    Ok(Status::OK)
}

/// Nothing can be loaded or switched off; the list is what there is.
pub(super) fn enable(shell: &mut Interp, words: &[String]) -> Outcome {
    let mut status = Status::OK;
    let names: Vec<&String> = words[1..].iter().filter(|word| !word.starts_with('-')).collect();
    for name in &names {
        if super::find(name).is_none() && !crate::shell::tools::is_bash_builtin(name) {
            shell.complain(format_args!("enable: {name}: not a shell builtin"));
            status = Status::FAILURE;
        }
    }
    if !names.is_empty() {
        return Ok(status);
    }
    let text: String = super::names().map(|name| format!("enable {name}\n")).collect();
    shell.write_all("enable", text.as_bytes())
}
