//! `env`: run a command in another environment, or print the environment.
use crate::{
    Builtin, Call, Error, Opt, Result, Session, Status, Stdio, VPath,
    args::{self, Order},
    cd, curly, quoted,
};
use std::io::Write;

pub(crate) static ENV: Builtin = Builtin {
    name: "env",
    synopsis: "[OPTION]... [-] [NAME=VALUE]... [COMMAND [ARG]...]",
    about: "Set each NAME to VALUE in the environment and run COMMAND.",
    options: &[
        Opt::flag('i', &["ignore-environment"], "ignore", "start with an empty environment"),
        Opt::flag('0', &["null"], "null", "end each output line with NUL, not newline"),
        Opt::value('u', &["unset"], "unset", "NAME", "remove variable from the environment"),
        Opt::value('C', &["chdir"], "chdir", "DIR", "change working directory to DIR"),
        Opt::value('S', &["split-string"], "split", "S", "process and split S into separate arguments"),
        Opt::flag(' ', &["block-signal"], "ignored", "").long_only().optional("SIG"),
        Opt::flag(' ', &["default-signal"], "ignored", "").long_only().optional("SIG"),
        Opt::flag(' ', &["ignore-signal"], "ignored", "").long_only().optional("SIG"),
        Opt::flag('v', &["debug"], "ignored", ""),
    ],
    trouble: Status(125),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::BeforeOperands)?;
    let mut words = parsed.operands.clone();
    let mut session = call.session.of_child();
    let mut dir = None;
    for (key, value) in &parsed.options {
        let text = value.as_deref().unwrap_or_default();
        match *key {
            "ignore" => forget_all(&mut session),
            "unset" if text.is_empty() || text.contains('=') => {
                return Err(failed(format!("cannot unset {}: Invalid argument", quoted(text))));
            }
            "unset" => forget(&mut session, text),
            "chdir" => dir = Some(text),
            "split" => words.splice(0..0, text.split_whitespace().map(str::to_string)).for_each(drop),
            _ => {}
        }
    }
    if words.first().is_some_and(|word| word == "-") {
        words.remove(0);
        forget_all(&mut session);
    }
    let settings = words.iter().take_while(|word| word.contains('=')).count();
    for setting in words.drain(..settings) {
        if let Some((name, value)) = setting.split_once('=') {
            session.vars.export(name, value);
        }
    }
    if words.is_empty() {
        if dir.is_some() {
            return Err(Error::usage("must specify command with --chdir (-C)"));
        }
        let end = if parsed.has("null") { '\0' } else { '\n' };
        for (name, value) in session.vars.environment() {
            write!(call.stdout, "{name}={value}{end}")?;
        }
        return Ok(Status::OK);
    }
    if parsed.has("null") {
        return Err(Error::usage("cannot specify --null (-0) with command"));
    }
    if let Some(dir) = dir {
        session.cwd = enter(call, dir)?;
    }
    run_words(call, &words, &mut session, "")
}

fn failed(message: String) -> Error {
    Error::Failed(message, Status(125))
}

fn enter(call: &Call<'_>, dir: &str) -> Result<VPath> {
    cd::folder(call, dir).map_err(|error| failed(format!("cannot change directory to {}: {error}", quoted(dir))))
}

fn forget(session: &mut Session, name: &str) {
    let variable = session.vars.variable_mut(name);
    variable.attributes = crate::Attributes::default();
    variable.value = crate::Value::Unset;
}

fn forget_all(session: &mut Session) {
    let names: Vec<String> = session.vars.environment().iter().map(|(name, _)| name.to_string()).collect();
    names.iter().for_each(|name| forget(session, name));
}

/// Run `words` in `session` on the streams of `call`. When there is no such command: 127, with `before` in the message.
pub(crate) fn run_words(call: &mut Call<'_>, words: &[String], session: &mut Session, before: &str) -> Result<Status> {
    call.stdout.flush()?;
    call.stdin.release();
    if !call.shell.has(&words[0]) {
        let message = format!("{before}{}: No such file or directory", curly(&words[0]));
        return Err(Error::Failed(message, Status(127)));
    }
    let io = Stdio { stdin: call.stdin.clone(), stdout: call.stdout.clone(), stderr: call.stderr.clone() };
    let status = call.shell.run(words, io, session, &call.cancel);
    call.cancel.check()?;
    Ok(status)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn the_environment_is_the_guests() {
        check(
            &[],
            "env",
            expect![[r#"
            HOME=/
            LC_ALL=C.UTF-8
            PATH=/usr/bin:/bin
            PWD=/
            SHLVL=1
        "#]],
        );
        check(
            &[],
            "env -u PATH -i A=1 B='x y'",
            expect![[r#"
            A=1
            B=x y
        "#]],
        );
        check(
            &[],
            "env -i A=1 printenv A HOME",
            expect![[r#"
            1
            [status 1]
        "#]],
        );
    }

    #[test]
    fn wrong_words_have_status_125_and_unknown_commands_127() {
        check(
            &[],
            "env --foo",
            expect![[r#"
            [stderr]
            env: unrecognized option '--foo'
            Try 'env --help' for more information.
            [status 125]
        "#]],
        );
        check(
            &[],
            "env nosuch",
            expect![[r#"
            [stderr]
            env: ‘nosuch’: No such file or directory
            [status 127]
        "#]],
        );
        check(
            &[],
            "env -C nosuch pwd",
            expect![[r#"
            [stderr]
            env: cannot change directory to 'nosuch': No such file or directory
            [status 125]
        "#]],
        );
    }
}
