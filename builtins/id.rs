//! `id`, `whoami`, `groups`, `logname`, `users`, `who`: the guest is root, and alone.
use crate::{
    Builtin, Call, Error, Opt, Result, Status,
    args::{self, Order},
    curly,
};
use std::io::Write;

pub(crate) static ID: Builtin = Builtin {
    name: "id",
    synopsis: "[OPTION]... [USER]...",
    about: "Print user and group information for each specified USER, or for the current one.",
    options: &[
        Opt::flag('a', &[], "ignored", ""),
        Opt::flag('Z', &["context"], "context", ""),
        Opt::flag('g', &["group"], "one", "print only the effective group ID"),
        Opt::flag('G', &["groups"], "one", "print all group IDs"),
        Opt::flag('n', &["name"], "name", "print a name instead of a number, for -ugG"),
        Opt::flag('r', &["real"], "real", "print the real ID instead of the effective ID, with -ugG"),
        Opt::flag('u', &["user"], "one", "print only the effective user ID"),
        Opt::flag('z', &["zero"], "zero", "delimit entries with NUL characters, not whitespace"),
    ],
    trouble: Status(1),
    run: id,
};

pub(crate) static WHOAMI: Builtin = Builtin {
    name: "whoami",
    synopsis: "",
    about: "Print the user name associated with the current effective user ID.",
    options: &[],
    trouble: Status(1),
    run: name,
};

pub(crate) static LOGNAME: Builtin = Builtin {
    name: "logname",
    synopsis: "",
    about: "Print the user's login name.",
    options: &[],
    trouble: Status(1),
    run: name,
};

pub(crate) static GROUPS: Builtin = Builtin {
    name: "groups",
    synopsis: "[USERNAME]...",
    about: "Print group memberships for each USERNAME, or for the current user.",
    options: &[],
    trouble: Status(1),
    run: groups,
};

pub(crate) static USERS: Builtin = Builtin {
    name: "users",
    synopsis: "[FILE]",
    about: "Output who is currently logged in: nobody.",
    options: &[],
    trouble: Status(1),
    run: nobody,
};

pub(crate) static WHO: Builtin = Builtin {
    name: "who",
    synopsis: "[OPTION]... [FILE | am i]",
    about: "Print information about users who are currently logged in: nobody.",
    options: &[
        Opt::flag('a', &["all"], "ignored", ""),
        Opt::flag('H', &["heading"], "ignored", ""),
        Opt::flag('m', &[], "ignored", ""),
        Opt::flag('q', &["count"], "ignored", ""),
        Opt::flag('u', &["users"], "ignored", ""),
    ],
    trouble: Status(1),
    run: nobody,
};

fn known(user: &str) -> bool {
    matches!(user, "root" | "0")
}

fn id(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    if parsed.has("context") {
        return Err(Error::failed("--context (-Z) works only on an SELinux/SMACK-enabled kernel"));
    }
    if !parsed.has("one") && (parsed.has("name") || parsed.has("real")) {
        return Err(Error::failed("cannot print only names or real IDs in default format"));
    }
    let text = match (parsed.has("one"), parsed.has("name")) {
        (true, true) => "root",
        (true, false) => "0",
        (false, _) => "uid=0(root) gid=0(root) groups=0(root)",
    };
    let end = if parsed.has("zero") { '\0' } else { '\n' };
    let mut status = Status::OK;
    let mut count = usize::from(parsed.operands.is_empty());
    for user in &parsed.operands {
        if known(user) {
            count += 1;
        } else {
            call.warn(format_args!("{}: no such user", curly(user)))?;
            status = Status::FAILURE;
        }
    }
    for _ in 0..count {
        write!(call.stdout, "{text}{end}")?;
    }
    Ok(status)
}

fn name(call: &mut Call<'_>) -> Result<Status> {
    match args::parse(call, Order::Anywhere)?.operands.first() {
        Some(extra) => Err(Error::usage(format!("extra operand {}", curly(extra)))),
        None => {
            writeln!(call.stdout, "root")?;
            Ok(Status::OK)
        }
    }
}

fn groups(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let mut status = Status::OK;
    if parsed.operands.is_empty() {
        writeln!(call.stdout, "root")?;
    }
    for user in &parsed.operands {
        if known(user) {
            writeln!(call.stdout, "{user} : root")?;
        } else {
            call.warn(format_args!("{}: no such user", curly(user)))?;
            status = Status::FAILURE;
        }
    }
    Ok(status)
}

fn nobody(call: &mut Call<'_>) -> Result<Status> {
    args::parse(call, Order::Anywhere)?;
    Ok(Status::OK)
}
