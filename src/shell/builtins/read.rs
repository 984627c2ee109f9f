//! `read`: a line of input into variables.
use crate::shell::{interp::Interp, jump::Outcome};
use std::io::BufRead;

/// One line of the shell's stdin, without its end and with `\`-newline joined; `None` at the end of file.
pub fn read_line(shell: &mut Interp) -> Outcome<Option<String>> {
    let mut line = Vec::new();
    let read = shell.stdin().read_until(b'\n', &mut line);
    shell.cancel.check()?;
    match read {
        Ok(0) | Err(_) => Ok(None),
        Ok(_) => {
            if line.ends_with(b"\n") {
                line.pop();
            }
            Ok(Some(String::from_utf8_lossy(&line).into_owned()))
        }
    }
}
