//! `pwd`: the working directory.
use crate::{
    Builtin, Call, Opt, Result, Status,
    args::{self, Order},
};
use std::io::Write;

pub(crate) static PWD: Builtin = Builtin {
    name: "pwd",
    synopsis: "[-LP]",
    about: "Print the name of the current working directory.",
    options: &[
        Opt::flag('L', &["logical"], "logical", "print $PWD; a site has no symbolic links"),
        Opt::flag('P', &["physical"], "physical", "avoid all symbolic links"),
    ],
    trouble: Status(2),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    args::parse(call, Order::Anywhere)?;
    writeln!(call.stdout, "{}", call.session.cwd)?;
    Ok(Status::OK)
}
