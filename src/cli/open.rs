//! From flags to what a session needs: the site as the visitor may see it, and where it starts.
use super::{Refusal, flags::Flags};
use docsh_builtins::{Cancel, Fs, Session, resolve};
use std::sync::Arc;

/// A fresh session, in the root folder.
pub fn session(_: &Flags) -> Result<Session, Refusal> {
    Ok(Session::new())
}

/// Start the session in the folder that `--cwd` names.
pub fn enter(fs: &dyn Fs, session: &mut Session, flags: &Flags) -> Result<(), Refusal> {
    let Some(folder) = &flags.cwd else { return Ok(()) };
    let found = resolve(fs, &session.cwd, folder).and_then(|path| Ok((fs.stat(&path)?, path)));
    match found {
        Ok((meta, path)) if meta.is_dir() => {
            session.vars.export("PWD", path.as_str());
            session.cwd = path;
            Ok(())
        }
        Ok(_) => Err(Refusal::usage(format_args!("--cwd {folder}: Not a directory"))),
        Err(error) => Err(Refusal::usage(format_args!("--cwd {folder}: {error}"))),
    }
}

/// The site as the visitor may see it.
pub fn site(_: &Flags, _: &Cancel) -> Result<Arc<dyn Fs>, Refusal> {
    Err(Refusal::usage("no site yet"))
}

/// What the prompt calls the site.
pub fn name(flags: &Flags) -> String {
    match (&flags.dir, &flags.site) {
        (Some(dir), _) => dir.file_name().map_or("/".to_string(), |name| name.to_string_lossy().into_owned()),
        (None, Some(site)) => site.clone(),
        (None, None) => "acme".to_string(),
    }
}
