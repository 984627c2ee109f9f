//! `shred`: the message that says why not: what a file held is not overwritten in place here.
use crate::{
    Builtin, Call, Error, Opening, Opt, Result, Status,
    args::{self, Order},
    curly, quoted_if_odd,
};

pub(crate) static SHRED: Builtin = Builtin {
    name: "shred",
    synopsis: "[OPTION]... FILE...",
    about: "Overwrite the specified FILE(s) repeatedly. A site cannot be written to.",
    options: &[
        Opt::flag('f', &["force"], "ignored", ""),
        Opt::value('n', &["iterations"], "iterations", "N", "overwrite N times instead of the default (3)"),
        Opt::value(' ', &["random-source"], "ignored", "FILE", "").long_only(),
        Opt::value('s', &["size"], "ignored", "N", ""),
        Opt::flag('u', &[], "ignored", "deallocate and remove file after overwriting"),
        Opt::flag(' ', &["remove"], "ignored", "").long_only().optional("HOW"),
        Opt::flag('v', &["verbose"], "ignored", ""),
        Opt::flag('x', &["exact"], "ignored", ""),
        Opt::flag('z', &["zero"], "ignored", ""),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if let Some(text) = parsed.value("iterations").filter(|text| text.parse::<u64>().is_err()) {
        return Err(Error::failed(format!("invalid number of passes: {}", curly(text))));
    }
    if parsed.operands.is_empty() {
        return Err(Error::usage("missing file operand"));
    }
    for operand in &parsed.operands {
        let why = match call.stat(operand) {
            Ok(_) => match call.open_to_write(operand, Opening::Over) {
                Ok(_) => "Invalid argument".to_string(),
                Err(error) => error.to_string(),
            },
            Err(error) => error.to_string(),
        };
        call.warn(format_args!("{}: failed to open for writing: {why}", quoted_if_odd(operand)))?;
    }
    Ok(Status::FAILURE)
}
