//! `$(…)`: a command's output as text.
use crate::{
    shell::{interp::Interp, jump::Outcome, memory::text},
    syntax::ast::Script,
};

/// What `script` prints, without its trailing newlines. NUL is dropped with bash's warning; what is no UTF-8 becomes
/// U+FFFD.
pub(super) fn command(shell: &mut Interp, script: &Script) -> Outcome<String> {
    let (mut bytes, _) = shell.capture(script)?;
    if bytes.contains(&0) {
        shell.complain("warning: command substitution: ignored null byte in input");
        bytes.retain(|&byte| byte != 0);
    }
    while bytes.last() == Some(&b'\n') {
        bytes.pop();
    }
    Ok(text(bytes))
}
