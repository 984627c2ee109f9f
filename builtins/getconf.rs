//! `getconf`: what the virtual system says of its limits.
use crate::{Builtin, Call, Error, Result, Status, VPath};
use std::io::Write;

pub(crate) static GETCONF: Builtin = Builtin {
    name: "getconf",
    synopsis: "[-a] [NAME [PATH]]",
    about: "Query system configuration variables.",
    options: &[],
    trouble: Status(1),
    run,
};

const VALUES: &[(&str, usize)] = &[
    ("ARG_MAX", 2_097_152),
    ("CHAR_BIT", 8),
    ("CHILD_MAX", 256),
    ("HOST_NAME_MAX", 64),
    ("INT_MAX", 2_147_483_647),
    ("LINE_MAX", 2048),
    ("LONG_BIT", 64),
    ("NAME_MAX", VPath::NAME_MAX),
    ("NPROCESSORS_CONF", 1),
    ("NPROCESSORS_ONLN", 1),
    ("OPEN_MAX", 1024),
    ("PAGE_SIZE", 4096),
    ("PAGESIZE", 4096),
    ("PATH_MAX", VPath::PATH_MAX),
    ("PIPE_BUF", 4096),
    ("_NPROCESSORS_CONF", 1),
    ("_NPROCESSORS_ONLN", 1),
    ("_POSIX_VERSION", 200_809),
];

fn run(call: &mut Call<'_>) -> Result<Status> {
    match call.args.get(1).map(String::as_str) {
        Some("--help") => Err(Error::Help),
        Some("--version") => Err(Error::Version),
        None => Err(Error::Usage("missing NAME".to_string())),
        Some("-a") => {
            for (name, value) in VALUES {
                writeln!(call.stdout, "{name:34} {value}")?;
            }
            writeln!(call.stdout, "{:34} /bin:/usr/bin", "PATH")?;
            Ok(Status::OK)
        }
        Some("PATH" | "CS_PATH") => {
            writeln!(call.stdout, "/bin:/usr/bin")?;
            Ok(Status::OK)
        }
        Some(name) => match VALUES.iter().find(|(known, _)| *known == name) {
            Some((_, value)) => {
                writeln!(call.stdout, "{value}")?;
                Ok(Status::OK)
            }
            None => Err(Error::Failed(format!("Unrecognized variable `{name}'"), Status(2))),
        },
    }
}
