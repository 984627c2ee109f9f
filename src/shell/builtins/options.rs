//! `set`, `shopt` and `shift`: the shell's options and positional parameters.
use super::super::{
    expand,
    interp::Interp,
    jump::Outcome,
    memory::weight,
    options::{SetOptions, ShoptOptions},
};
use crate::syntax::print;
use docsh_builtins::{Status, Value};

pub(super) fn set(shell: &mut Interp, words: &[String]) -> Outcome {
    if words.len() == 1 {
        let text = variables(shell);
        return shell.write_all("set", text.as_bytes());
    }
    let mut rest = words[1..].iter().peekable();
    while let Some(word) = rest.peek().map(|word| word.as_str()) {
        let on = word.starts_with('-');
        match word {
            "--" => {
                rest.next();
                shell.set_positional(rest.cloned().collect())?;
                return Ok(Status::OK);
            }
            "-" | "+" => {
                rest.next();
                if on {
                    shell.env.options.set.xtrace = false;
                    shell.env.options.set.verbose = false;
                }
                if rest.peek().is_some() {
                    break;
                }
                return Ok(Status::OK);
            }
            word if word.len() > 1 && (on || word.starts_with('+')) => {
                rest.next();
                for letter in word[1..].chars() {
                    if letter == 'o' {
                        let Some(name) = rest.next() else {
                            let text = listing(shell, on);
                            return shell.write_all("set", text.as_bytes());
                        };
                        if !shell.env.options.set.set(name, on) {
                            shell.complain(format_args!("set: {name}: invalid option name"));
                            return Ok(Status(2));
                        }
                        continue;
                    }
                    let Some(name) = SetOptions::named(letter) else {
                        let sign = if on { '-' } else { '+' };
                        shell.complain(format_args!("set: {sign}{letter}: invalid option"));
                        return Ok(Status(2));
                    };
                    shell.env.options.set.set(name, on);
                }
            }
            _ => break,
        }
    }
    if rest.peek().is_some() {
        shell.set_positional(rest.cloned().collect())?;
    }
    Ok(Status::OK)
}

/// `set -o` (a table) or `set +o` (commands).
fn listing(shell: &Interp, table: bool) -> String {
    let line = |name: &str| {
        let on = shell.env.options.set.get(name) == Some(true);
        match table {
            true => format!("{name:<15}\t{}\n", if on { "on" } else { "off" }),
            false => format!("set {}o {name}\n", if on { '-' } else { '+' }),
        }
    };
    SetOptions::NAMES.iter().map(|(name, _)| line(name)).collect()
}

/// Every variable as an assignment, then every function.
pub(super) fn variables(shell: &Interp) -> String {
    let vars = &shell.env.session.vars;
    let mut text = String::new();
    for name in vars.names() {
        let Some(variable) = vars.variable(name) else { continue };
        match &variable.value {
            Value::Unset => {}
            Value::Scalar(value) => text += &format!("{name}={}\n", super::super::trace::quoted(value)),
            Value::Indexed(array) => {
                let items: Vec<String> =
                    array.iter().map(|(key, value)| format!("[{key}]={}", expand::double_quoted(value))).collect();
                text += &format!("{name}=({})\n", items.join(" "));
            }
            Value::Assoc(map) => {
                let items: String =
                    map.iter().map(|(key, value)| format!("[{key}]={} ", expand::double_quoted(value))).collect();
                text += &format!("{name}=({items})\n");
            }
        }
    }
    let mut functions: Vec<_> = shell.env.functions.iter().collect();
    functions.sort_by_key(|(name, _)| name.as_str());
    for (name, function) in functions {
        text += &format!("{}\n", print::function(name, &function.body));
    }
    text
}

pub(super) fn shopt(shell: &mut Interp, words: &[String]) -> Outcome {
    let (mut on, mut off, mut quiet, mut print, mut set_names) = (false, false, false, false, false);
    let mut names = Vec::new();
    for word in &words[1..] {
        match word.strip_prefix('-') {
            Some(letters) if names.is_empty() && !letters.is_empty() => {
                for letter in letters.chars() {
                    match letter {
                        's' => on = true,
                        'u' => off = true,
                        'q' => quiet = true,
                        'p' => print = true,
                        'o' => set_names = true,
                        letter => {
                            shell.complain(format_args!("shopt: -{letter}: invalid option"));
                            return Ok(Status(2));
                        }
                    }
                }
            }
            _ => names.push(word.as_str()),
        }
    }
    if on && off {
        shell.complain("shopt: cannot set and unset shell options simultaneously");
        return Ok(Status::FAILURE);
    }
    let known = if set_names { SetOptions::NAMES } else { ShoptOptions::NAMES };
    let get = |shell: &Interp, name: &str| match set_names {
        true => shell.env.options.set.get(name),
        false => shell.env.options.shopt.get(name),
    };
    let line = |name: &str, is_on: bool| match (print, set_names) {
        (true, true) => format!("set {}o {name}\n", if is_on { '-' } else { '+' }),
        (true, false) => format!("shopt -{} {name}\n", if is_on { 's' } else { 'u' }),
        (false, _) => format!("{name:<15}\t{}\n", if is_on { "on" } else { "off" }),
    };
    if names.is_empty() {
        let wanted = |is_on: bool| if on { is_on } else { !off || !is_on };
        let text: String = known
            .iter()
            .filter_map(|(name, _)| get(shell, name).filter(|is_on| wanted(*is_on)).map(|is_on| line(name, is_on)))
            .collect();
        return if quiet { Ok(Status::OK) } else { shell.write_all("shopt", text.as_bytes()) };
    }
    let (mut status, mut text) = (Status::OK, String::new());
    for name in names {
        let Some(is_on) = get(shell, name) else {
            let what = if set_names { "option" } else { "shell option" };
            shell.complain(format_args!("shopt: {name}: invalid {what} name"));
            status = Status::FAILURE;
            continue;
        };
        if on || off {
            match set_names {
                true => shell.env.options.set.set(name, on),
                false => shell.env.options.shopt.set(name, on),
            };
        } else {
            if !is_on {
                status = Status::FAILURE;
            }
            if !quiet {
                text += &line(name, is_on);
            }
        }
    }
    shell.write_all("shopt", text.as_bytes()).map(|written| if written.is_ok() { status } else { written })
}

pub(super) fn shift(shell: &mut Interp, words: &[String]) -> Outcome {
    let count = match words.get(1).map(|word| super::number(shell, "shift", word)) {
        None => 1,
        Some(Ok(count)) => count,
        Some(Err(_)) => return Ok(Status::FAILURE),
    };
    let positional = &mut shell.env.session.positional;
    match usize::try_from(count) {
        Ok(count) if count <= positional.len() => {
            let gone: Vec<String> = positional.drain(..count).collect();
            shell.let_go(weight(&gone));
            Ok(Status::OK)
        }
        Ok(_) => Ok(Status::FAILURE),
        Err(_) => {
            shell.complain(format_args!("shift: {count}: shift count out of range"));
            Ok(Status::FAILURE)
        }
    }
}
