//! docsh behind sshd: as a user's login shell, or as a `ForceCommand`. login.md says how to set it up.
//!
//! Who comes over the network chooses a command line and nothing else. As a login shell docsh is restricted by its name
//! alone: sshd gives it no flags. Under a `ForceCommand` it takes the command that the client asked for from the
//! variable where sshd leaves it.
use super::flags::Arguments;
use std::{
    ffi::{OsStr, OsString},
    path::Path,
};

/// The name under which docsh is restricted, as bash is under `rbash`.
const RESTRICTED: &str = "rdocsh";

/// What the name that docsh was started by, and sshd's variable, add to the flags.
pub fn complete(Arguments { flags, mode }: &mut Arguments, program: &OsStr, original: Option<OsString>) {
    flags.restricted |= is_login(program);
    let is_bare = flags.command.is_none() && flags.operands.is_empty() && mode.is_none() && !flags.jsonl;
    if flags.restricted && is_bare {
        flags.command = original.map(|command| command.to_string_lossy().into_owned());
    }
}

/// Whether this is how a login shell is started: by a name with a hyphen before it, or by its restricted name.
fn is_login(program: &OsStr) -> bool {
    let name = Path::new(program).file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('-') || name == RESTRICTED
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    /// Whether docsh is restricted, and what it runs.
    fn completed(program: &str, args: &[&str], original: Option<&str>) -> (bool, Option<String>) {
        let mut arguments = Arguments::try_parse_from([&["docsh"], args].concat()).unwrap();
        complete(&mut arguments, program.as_ref(), original.map(Into::into));
        (arguments.flags.restricted, arguments.flags.command)
    }

    #[test]
    fn a_login_shell_is_restricted_by_its_name() {
        for program in ["-docsh", "-rdocsh", "rdocsh", "/usr/bin/rdocsh"] {
            assert_eq!(completed(program, &["-c", "ls"], None), (true, Some("ls".into())), "{program}");
        }
        for program in ["docsh", "/usr/bin/docsh", "/-/docsh"] {
            assert_eq!(completed(program, &["-c", "ls"], Some("pwd")), (false, Some("ls".into())), "{program}");
        }
    }

    #[test]
    fn a_forced_command_runs_what_the_client_asked_for() {
        let forced = |args: &[&str]| completed("docsh", &[&["--restricted"], args].concat(), Some("ls /auth")).1;
        assert_eq!(forced(&[]), Some("ls /auth".into()));
        assert_eq!(forced(&["-c", "pwd"]), Some("pwd".into()));
        assert_eq!(forced(&["--jsonl"]), None);
        assert_eq!(completed("docsh", &[], Some("ls /auth")), (false, None));
    }
}
