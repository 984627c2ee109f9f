//! `mknod`: the message that says why not: there are files and folders only.
use crate::{
    Builtin, Call, Change, Error, Opt, Result, Status,
    args::{self, Order},
    curly, mode, quoted_if_odd,
};

pub(crate) static MKNOD: Builtin = Builtin {
    name: "mknod",
    synopsis: "[OPTION]... NAME TYPE [MAJOR MINOR]",
    about: "Create the special file NAME of the given TYPE. A site cannot be written to.",
    options: &[
        Opt::value('m', &["mode"], "mode", "MODE", "set file permission bits to MODE, not a=rw - umask"),
        Opt::flag('Z', &["context"], "ignored", ""),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if parsed.value("mode").is_some_and(|text| mode::apply(text, 0o666, false, 0).is_none()) {
        return Err(Error::failed("invalid mode"));
    }
    let operands = &parsed.operands;
    let is_pipe = operands.get(1).is_some_and(|kind| kind.starts_with('p'));
    let wanted = if is_pipe { 2 } else { 4 };
    if let Some(extra) = operands.get(wanted) {
        return Err(Error::usage(format!("extra operand {}", curly(extra))));
    }
    match &operands[..] {
        [] => Err(Error::usage("missing operand")),
        [name, ..]
            if operands.len() == wanted
                && matches!(operands[1].as_bytes().first(), Some(b'b' | b'c' | b'p' | b'u')) =>
        {
            let made = call.make(name, Change::MakeSpecial);
            made.map(|()| Status::OK).map_err(|why| Error::failed(format!("{}: {why}", quoted_if_odd(name))))
        }
        [.., kind] if operands.len() == wanted => Err(Error::usage(format!("invalid device type {}", curly(kind)))),
        [.., last] => {
            let hint = if operands.len() == 2 { "\nSpecial files require major and minor device numbers." } else { "" };
            Err(Error::usage(format!("missing operand after {}{hint}", curly(last))))
        }
    }
}
