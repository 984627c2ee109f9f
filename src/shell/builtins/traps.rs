//! `trap`: set, show and forget what runs at an event.
use crate::shell::{
    expand,
    interp::Interp,
    jump::Outcome,
    memory::weight,
    trap::{Event, signal_table},
};
use docsh_builtins::Status;

pub(super) fn trap(shell: &mut Interp, words: &[String]) -> Outcome {
    let mut rest = &words[1..];
    let mut print = rest.is_empty();
    while let Some((word, after)) = rest.split_first() {
        match word.as_str() {
            "-l" => return shell.write_all("trap", signal_table().as_bytes()),
            "-p" => print = true,
            "--" => {
                rest = after;
                break;
            }
            word if word.starts_with('-') && word.len() > 1 => {
                shell.complain(format_args!("trap: {word}: invalid option"));
                return Ok(Status(2));
            }
            _ => break,
        }
        rest = after;
    }
    if print {
        return show(shell, rest);
    }
    // A first word that is itself an event, alone or a number, resets what it names.
    let (action, names) = match rest.split_first() {
        Some((first, [])) if Event::named(first).is_some() => (None, rest),
        Some((first, names)) if first == "-" || first.parse::<u8>().is_ok_and(|_| Event::named(first).is_some()) => {
            (None, if first == "-" { names } else { rest })
        }
        Some((first, names)) if !names.is_empty() => (Some(first.clone()), names),
        _ => {
            shell.complain("trap: usage: trap [-lp] [[arg] signal_spec ...]");
            return Ok(Status(2));
        }
    };
    let mut status = Status::OK;
    for name in names {
        let Some(event) = Event::named(name) else {
            shell.complain(format_args!("trap: {name}: invalid signal specification"));
            status = Status::FAILURE;
            continue;
        };
        match &action {
            Some(action) => {
                shell.hold(weight(&[action]))?;
                shell.env.traps.0.insert(event, action.clone());
            }
            None => drop(shell.env.traps.0.remove(&event)),
        }
    }
    Ok(status)
}

fn show(shell: &mut Interp, names: &[String]) -> Outcome {
    let (mut status, mut text) = (Status::OK, String::new());
    let wanted: Option<Vec<Event>> =
        (!names.is_empty()).then(|| names.iter().filter_map(|name| Event::named(name)).collect());
    for name in names.iter().filter(|name| Event::named(name).is_none()) {
        shell.complain(format_args!("trap: {name}: invalid signal specification"));
        status = Status::FAILURE;
    }
    for (event, action) in &shell.env.traps.0 {
        if wanted.as_ref().is_none_or(|wanted| wanted.contains(event)) {
            text += &format!("trap -- {} {}\n", expand::quote(action), event.name());
        }
    }
    shell.write_all("trap", text.as_bytes()).map(|written| if written.is_ok() { status } else { written })
}
