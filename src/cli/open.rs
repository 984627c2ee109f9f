//! From flags to what a session needs: the site as the visitor may see it, and where it starts.
use super::{Refusal, flags::Flags, host};
use crate::{
    site::{Site, Visitor},
    store::{StoreError, memory::Memory},
};
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
pub fn site(flags: &Flags, _: &Cancel) -> Result<Arc<dyn Fs>, Refusal> {
    let site = match (&flags.dir, flags.site.as_deref()) {
        (Some(dir), _) => {
            let (site, skipped) = Site::dir(dir.as_os_str())?;
            for file in skipped {
                host::say(&format!("docsh: {}: left out: {}\n", file.path, file.reason));
            }
            site
        }
        (None, None | Some(Memory::BUNDLED)) => Site::bundled()?,
        (None, Some(name)) => return Err(Refusal::usage(format_args!("--site {name}: no such site"))),
    };
    Ok(site.session(&Visitor::Anonymous))
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        Refusal { message: error.to_string(), status: error.status() }
    }
}

/// What the prompt calls the site.
pub fn name(flags: &Flags) -> String {
    match (&flags.dir, &flags.site) {
        (Some(dir), _) => dir.file_name().map_or("/".to_string(), |name| name.to_string_lossy().into_owned()),
        (None, Some(site)) => site.clone(),
        (None, None) => "acme".to_string(),
    }
}
