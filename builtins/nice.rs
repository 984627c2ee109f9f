//! `nice`, `nohup` and `time`: run a command. There are no priorities to lower and no terminal to lose.
use crate::{
    Builtin, Call, Error, Opt, Result, Status,
    args::{self, Order},
    curly,
    env::run_words,
};
use std::{io::Write, time::Instant};

pub(crate) static NICE: Builtin = Builtin {
    name: "nice",
    synopsis: "[OPTION] [COMMAND [ARG]...]",
    about: "Run COMMAND with an adjusted niceness, which affects nothing here.",
    options: OPTIONS,
    trouble: Status(125),
    run: nice,
};

pub(crate) static NOHUP: Builtin = Builtin {
    name: "nohup",
    synopsis: "COMMAND [ARG]...",
    about: "Run COMMAND, ignoring hangup signals.",
    options: &[],
    trouble: Status(125),
    run: nohup,
};

pub(crate) static TIME: Builtin = Builtin {
    name: "time",
    synopsis: "[-p] COMMAND [ARG]...",
    about: "Run COMMAND, and print to stderr how long it took.",
    options: &[Opt::flag('p', &["portability"], "portability", "print a line each for real, user and sys")],
    trouble: Status(125),
    run: time,
};

const OPTIONS: &[Opt] =
    &[Opt::value('n', &["adjustment"], "adjustment", "N", "add integer N to the niceness (default 10)")];

fn nice(call: &mut Call<'_>) -> Result<Status> {
    // The old form: `-5`, `--5`.
    let is_old = |word: &String| {
        word.strip_prefix('-').is_some_and(|rest| rest.trim_start_matches(['-', '+']).parse::<u32>().is_ok())
    };
    let old = call.args[1..].iter().take_while(|word| is_old(word)).count();
    let parsed = args::parse_words(&call.args[1 + old..], OPTIONS, Order::BeforeOperands)?;
    if let Some(text) = parsed.value("adjustment").filter(|text| text.parse::<i64>().is_err()) {
        return Err(Error::Failed(format!("invalid adjustment {}", curly(text)), Status(125)));
    }
    if parsed.operands.is_empty() {
        if old > 0 || parsed.has("adjustment") {
            return Err(Error::usage("a command must be given with an adjustment"));
        }
        writeln!(call.stdout, "0")?;
        return Ok(Status::OK);
    }
    let mut session = call.session.of_child();
    run_words(call, &parsed.operands, &mut session, "")
}

fn time(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::BeforeOperands)?;
    if parsed.operands.is_empty() {
        return Err(Error::usage("missing program to run"));
    }
    let begin = Instant::now();
    let mut session = call.session.of_child();
    let result = run_words(call, &parsed.operands, &mut session, "cannot run ");
    let taken = begin.elapsed().as_secs_f64();
    if result.is_ok() {
        let minutes = (taken / 60.0).trunc();
        let text = match parsed.has("portability") {
            true => format!("real {taken:.2}\nuser 0.00\nsys 0.00"),
            false => format!("0.00user 0.00system {minutes}:{:05.2}elapsed 0%CPU", taken - minutes * 60.0),
        };
        writeln!(call.stderr, "{text}")?;
    }
    result
}

fn nohup(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::BeforeOperands)?;
    if parsed.operands.is_empty() {
        return Err(Error::usage("missing operand"));
    }
    let mut session = call.session.of_child();
    run_words(call, &parsed.operands, &mut session, "failed to run command ").map_err(|error| match error {
        // Alone among its kin it has straight quotes.
        Error::Failed(message, status) => Error::Failed(message.replace(['‘', '’'], "'"), status),
        error => error,
    })
}
