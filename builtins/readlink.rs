//! `readlink`: where a symbolic link points. A site has none, so only `-f`, `-e` and `-m` have an answer.
use crate::{
    Builtin, Call, Error, Opt, Result, Status,
    args::{self, Order},
    quoted_if_odd,
    realpath::{Must, canonical},
};
use std::io::Write;

pub(crate) static READLINK: Builtin = Builtin {
    name: "readlink",
    synopsis: "[OPTION]... FILE...",
    about: "Print value of a symbolic link or canonical file name.",
    options: &[
        Opt::flag('f', &["canonicalize"], "canonicalize", "all but the last component must exist"),
        Opt::flag('e', &["canonicalize-existing"], "existing", "all components must exist"),
        Opt::flag('m', &["canonicalize-missing"], "missing", "without requirements on components existence"),
        Opt::flag('n', &["no-newline"], "no-newline", "do not output the trailing delimiter"),
        Opt::flag('q', &["quiet"], "quiet", "suppress most error messages (on by default)"),
        Opt::flag('s', &["silent"], "quiet", "suppress most error messages (on by default)"),
        Opt::flag('v', &["verbose"], "verbose", "report error messages"),
        Opt::flag('z', &["zero"], "zero", "end each output line with NUL, not newline"),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if parsed.operands.is_empty() {
        return Err(Error::usage("missing operand"));
    }
    let (mut must, mut is_verbose) = (None, false);
    for (key, _) in &parsed.options {
        match *key {
            "canonicalize" => must = Some(Must::HaveFolder),
            "existing" => must = Some(Must::Exist),
            "missing" => must = Some(Must::Nothing),
            "quiet" => is_verbose = false,
            "verbose" => is_verbose = true,
            _ => {}
        }
    }
    let mut end = if parsed.has("zero") { "\0" } else { "\n" };
    if parsed.has("no-newline") {
        if parsed.operands.len() > 1 {
            call.warn("ignoring --no-newline with multiple arguments")?;
        } else {
            end = "";
        }
    }
    let mut status = Status::OK;
    for operand in &parsed.operands {
        let answer = match must {
            Some(must) => canonical(call, operand, must).map_err(|error| error.to_string()),
            None => match call.stat(operand) {
                Ok(_) => Err("Invalid argument".to_string()),
                Err(error) => Err(error.to_string()),
            },
        };
        match answer {
            Ok(path) => write!(call.stdout, "{path}{end}")?,
            Err(message) => {
                if is_verbose {
                    call.warn(format_args!("{}: {message}", quoted_if_odd(operand)))?;
                }
                status = Status::FAILURE;
            }
        }
    }
    Ok(status)
}
