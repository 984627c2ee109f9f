//! From flags to what a session needs: the site as the visitor may see it, and where it starts.
use super::{
    Refusal,
    config::{self, Environment},
    flags::Flags,
    host,
};
use crate::{
    shell::Shell,
    site::{Site, Visitor},
    store::StoreError,
};
use docsh_builtins::{Cancel, Fs, Session, resolve};
use std::sync::Arc;

/// A fresh session, in the root folder.
pub fn session(_: &Flags) -> Result<Session, Refusal> {
    Ok(Session::new())
}

/// Start the session in the folder that `--cwd` names.
pub fn enter(fs: &dyn Fs, session: &mut Session, flags: &Flags) -> Result<(), Refusal> {
    flags.cwd.as_ref().map_or(Ok(()), |folder| change(fs, session, folder))
}

/// Move a session between its runs.
pub fn change_folder(shell: &mut Shell, folder: &str) -> Result<(), Refusal> {
    let fs = shell.site();
    change(&*fs, shell.session_mut(), folder)
}

fn change(fs: &dyn Fs, session: &mut Session, folder: &str) -> Result<(), Refusal> {
    let found = resolve(fs, &session.cwd, folder).and_then(|path| Ok((fs.stat(&path)?, path)));
    match found {
        Ok((meta, path)) if meta.is_dir() => {
            session.vars.export("PWD", path.as_str());
            session.cwd = path;
            Ok(())
        }
        Ok(_) => Err(Refusal::usage(format_args!("cwd {folder}: Not a directory"))),
        Err(error) => Err(Refusal::usage(format_args!("cwd {folder}: {error}"))),
    }
}

/// The site as the visitor may see it.
pub fn site(flags: &Flags, cancel: &Cancel) -> Result<Arc<dyn Fs>, Refusal> {
    let visitor = match &flags.r#as {
        None => Visitor::Anonymous,
        Some(who) => Visitor::named(who)
            .ok_or_else(|| Refusal::usage(format_args!("--as {who}: use anonymous, signed-in or groups:NAME,NAME")))?,
    };
    let refuse = |error: StoreError| Refusal { message: error.to_string(), status: error.status() };
    if let Some(dir) = &flags.dir {
        let (site, warnings) = match &flags.r#as {
            None => {
                let (site, skipped) = Site::dir(dir.as_os_str()).map_err(refuse)?;
                (site, skipped.iter().map(|file| format!("{}: left out: {}", file.path, file.reason)).collect())
            }
            Some(_) => Site::published(dir.as_os_str()).map_err(refuse)?,
        };
        warnings.iter().for_each(|warning| host::say(&format!("docsh: {warning}\n")));
        return Ok(site.session(&visitor));
    }
    let chosen = config::load(None, Environment::host(false))?.choose(flags.site.as_deref())?;
    if flags.r#as.is_some() && !chosen.trusts_caller {
        return Err(Refusal::usage(format_args!("--as: the site {} does not trust its caller", chosen.name)));
    }
    let site = chosen.open(cancel).map_err(refuse)?;
    site.warning.iter().for_each(|warning| host::say(&format!("docsh: {warning}\n")));
    Ok(site.session(&visitor))
}

/// What the prompt calls the site.
pub fn name(flags: &Flags) -> String {
    match (&flags.dir, &flags.site) {
        (Some(dir), _) => dir.file_name().map_or("/".to_string(), |name| name.to_string_lossy().into_owned()),
        (None, Some(site)) => site.clone(),
        (None, None) => "acme".to_string(),
    }
}
