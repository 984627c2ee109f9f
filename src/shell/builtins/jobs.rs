//! `jobs` and `wait`: background lists, which run and are collected.
use crate::shell::{interp::Interp, jump::Outcome};
use docsh_builtins::Status;

pub(super) fn jobs(shell: &mut Interp, words: &[String]) -> Outcome {
    let pids = words[1..].iter().any(|word| word == "-p");
    let last = shell.jobs.0.keys().next_back().copied();
    let mut text = String::new();
    for (at, (pid, job)) in shell.jobs.0.iter().enumerate() {
        let state = match job.status.get() {
            None => "Running".to_string(),
            Some(Status(0)) => "Done".to_string(),
            Some(status) => format!("Exit {}", status.0),
        };
        let mark = if Some(*pid) == last { '+' } else { '-' };
        text += &match pids {
            true => format!("{pid}\n"),
            false => format!("[{}]{mark}  {state}\n", at + 1),
        };
    }
    shell.jobs.0.retain(|_, job| job.status.get().is_none());
    shell.write_all("jobs", text.as_bytes())
}

pub(super) fn wait(shell: &mut Interp, words: &[String]) -> Outcome {
    let mut any = false;
    let mut pids = Vec::new();
    for word in &words[1..] {
        match word.as_str() {
            "-n" => any = true,
            "-f" | "--" => {}
            word => {
                let pid = match word.strip_prefix('%') {
                    Some(number) => {
                        number.parse().ok().and_then(|n: usize| shell.jobs.0.keys().nth(n.checked_sub(1)?).copied())
                    }
                    None => word.parse().ok(),
                };
                let Some(pid) = pid else {
                    shell.complain(format_args!("wait: `{word}': not a pid or valid job spec"));
                    return Ok(Status::FAILURE);
                };
                pids.push(pid);
            }
        }
    }
    if any && pids.is_empty() {
        return match shell.jobs.0.keys().next().copied() {
            Some(first) => {
                let ended = shell.jobs.0.iter().find(|(_, job)| job.status.get().is_some()).map(|(pid, _)| *pid);
                shell.wait_for(ended.unwrap_or(first))
            }
            None => Ok(Status(127)),
        };
    }
    if pids.is_empty() {
        shell.wait_for_all()?;
        return Ok(Status::OK);
    }
    let mut status = Status::OK;
    for pid in pids {
        status = shell.wait_for(pid)?;
        if status == Status(127) {
            shell.complain(format_args!("wait: pid {pid} is not a child of this shell"));
        }
    }
    Ok(status)
}
