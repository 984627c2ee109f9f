//! `timeout`: run a command, and stop it when its time is over.
use crate::{
    Builtin, Call, Error, Opt, Result, Status, Stdio, Stop,
    args::{self, Order},
    curly,
    sleep::duration,
};
use std::{io::Write, time::Duration};

pub(crate) static TIMEOUT: Builtin = Builtin {
    name: "timeout",
    synopsis: "[OPTION] DURATION COMMAND [ARG]...",
    about: "Start COMMAND, and kill it if still running after DURATION.",
    options: &[
        Opt::flag('f', &["foreground"], "ignored", ""),
        Opt::value('k', &["kill-after"], "kill-after", "DURATION", ""),
        Opt::flag('p', &["preserve-status"], "preserve", "exit with the same status as COMMAND"),
        Opt::value('s', &["signal"], "signal", "SIGNAL", "the signal to be sent on timeout; KILL gives 137"),
        Opt::flag('v', &["verbose"], "verbose", "diagnose to stderr any signal sent upon timeout"),
    ],
    trouble: Status(125),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::BeforeOperands)?;
    let [time, name, ..] = &parsed.operands[..] else {
        writeln!(call.stderr, "Try '{} --help' for more information.", call.name())?;
        return Err(Error::Quiet(Status(125)));
    };
    let words = &parsed.operands[1..];
    let read =
        |text: &str| duration(text).ok_or_else(|| Error::usage(format!("invalid time interval {}", curly(text))));
    let time = read(time)?;
    if let Some(text) = parsed.value("kill-after") {
        read(text)?;
    }
    let signal = parsed.value("signal").unwrap_or("TERM").trim_start_matches("SIG").to_string();
    if !call.shell.has(name) {
        let message = format!("failed to run command {}: No such file or directory", curly(name));
        return Err(Error::Failed(message, Status(127)));
    }
    call.stdout.flush()?;
    call.stdin.release();
    // No time at all is no limit.
    let part = if time == Duration::ZERO { call.cancel.part() } else { call.cancel.within(time) };
    let io = Stdio { stdin: call.stdin.clone(), stdout: call.stdout.clone(), stderr: call.stderr.clone() };
    let mut session = call.session.of_child();
    let status = call.shell.run(words, io, &mut session, &part);
    call.cancel.check()?;
    if part.check() != Err(Stop::TimedOut) || status.0 != Stop::TimedOut.status() {
        return Ok(status);
    }
    let is_kill = signal == "KILL" || signal == "9";
    if parsed.has("verbose") {
        call.warn(format_args!("sending signal {signal} to command {}", curly(name)))?;
    }
    Ok(match (is_kill, parsed.has("preserve")) {
        (true, _) => Status(137),
        (false, true) => Status(143),
        (false, false) => Status(124),
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn what_takes_too_long_is_stopped() {
        check(
            &[],
            "timeout 0.05 sleep 10",
            expect![[r#"
            [status 124]
        "#]],
        );
        check(
            &[],
            "timeout -s KILL 0.05 sleep 10",
            expect![[r#"
            [status 137]
        "#]],
        );
        check(
            &[],
            "timeout 10 basename a/b",
            expect![[r#"
            b
        "#]],
        );
    }

    #[test]
    fn wrong_words_have_status_125() {
        check(
            &[],
            "timeout x ls",
            expect![[r#"
            [stderr]
            timeout: invalid time interval ‘x’
            Try 'timeout --help' for more information.
            [status 125]
        "#]],
        );
        check(
            &[],
            "timeout 1",
            expect![[r#"
            [stderr]
            Try 'timeout --help' for more information.
            [status 125]
        "#]],
        );
        check(
            &[],
            "timeout 1 nosuch",
            expect![[r#"
            [stderr]
            timeout: failed to run command ‘nosuch’: No such file or directory
            [status 127]
        "#]],
        );
    }
}
