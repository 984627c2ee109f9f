//! `jobs`, `wait` and `kill`: background lists, which run and are collected, and the signals that the shell sends
//! itself.
use crate::shell::{
    interp::Interp,
    jump::{Jump, Outcome},
    trap::{Event, signal_table},
};
use docsh_builtins::{Status, Stop};

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

/// `kill -l`: a signal's number for its name and the other way round; without words, all of them.
fn signals(shell: &mut Interp, words: &[String]) -> Outcome {
    if words.is_empty() {
        return shell.write_all("kill", signal_table().as_bytes());
    }
    let (mut text, mut status) = (String::new(), Status::OK);
    for word in words {
        // The status of what a signal ended tells the signal, too.
        let number = word.parse::<u8>().ok().map(|number| if number > 128 { number - 128 } else { number });
        let found = match number {
            Some(number) => Event::named(&number.to_string()),
            None => Event::named(word),
        };
        text += &match (found, number) {
            (Some(Event::Signal(signal)), None) => format!("{signal}\n"),
            (Some(event), Some(_)) => format!("{}\n", event.name().trim_start_matches("SIG")),
            (Some(Event::Exit), None) => "0\n".to_string(),
            _ => {
                shell.complain(format_args!("kill: {word}: invalid signal specification"));
                status = Status::FAILURE;
                continue;
            }
        };
    }
    shell.write_all("kill", text.as_bytes()).map(|written| if written.is_ok() { status } else { written })
}

/// `kill`: there are no processes but the shell's own jobs; they can be asked for and stopped.
pub(super) fn kill(shell: &mut Interp, words: &[String]) -> Outcome {
    let mut named = "TERM";
    let mut targets = Vec::new();
    let mut rest = words[1..].iter();
    while let Some(word) = rest.next() {
        match word.as_str() {
            "-l" | "-L" => return signals(shell, rest.as_slice()),
            "-s" | "-n" => named = rest.next().map_or("", String::as_str),
            "--" => {}
            word if word.starts_with('-') && word.len() > 1 && targets.is_empty() => named = &word[1..],
            word => targets.push(word),
        }
    }
    let signal = match Event::named(named) {
        Some(Event::Exit) => None,
        Some(Event::Signal(number)) => Some(number),
        _ => {
            shell.complain(format_args!("kill: {named}: invalid signal specification"));
            return Ok(Status::FAILURE);
        }
    };
    if targets.is_empty() {
        shell.complain("kill: usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]");
        return Ok(Status(2));
    }
    let mut status = Status::OK;
    for target in targets {
        let pid = target.strip_prefix('%').unwrap_or(target).parse::<u32>().ok();
        let job = pid.and_then(|pid| shell.jobs.0.get(&pid));
        match (pid, job, signal) {
            (_, Some(job), Some(_)) => job.cancel.stop(Stop::Terminated),
            (_, Some(_), None) => {}
            (Some(pid), None, _) if pid == shell.env.pid || pid == shell.env.own_pid => {
                signal.map_or(Ok(()), |signal| take_signal(shell, signal))?;
            }
            _ => {
                shell.complain(format_args!("kill: ({target}) - No such process"));
                status = Status::FAILURE;
            }
        }
    }
    Ok(status)
}

/// What a signal does that the shell sends itself: what its trap says, else mostly the end.
fn take_signal(shell: &mut Interp, signal: u8) -> Outcome<()> {
    /// `KILL` and `STOP`, for which there are no traps.
    const UNTRAPPED: [u8; 2] = [9, 19];
    /// `CHLD`, `CONT`, `URG` and `WINCH`, and those that stop a job where there is nobody to start it again.
    const IGNORED: [u8; 8] = [17, 18, 19, 20, 21, 22, 23, 28];
    let event = Event::Signal(signal);
    // What the action sees in `$?`.
    shell.env.session.status = Status::OK.0;
    match shell.env.traps.0.get(&event) {
        Some(_) if !UNTRAPPED.contains(&signal) => shell.run_trap(event),
        _ if IGNORED.contains(&signal) => Ok(()),
        _ => Err(Jump::Exit(Status(128 + signal))),
    }
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
