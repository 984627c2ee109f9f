//! From flags to a visit: the site as the visitor may see it, what it is called, and the session it starts with.
use super::{
    Refusal,
    config::{self, Chosen, Config, Environment},
    flags::{self, Flags, Visiting},
    host,
};
use crate::{
    ingest,
    shell::Shell,
    site::{Options, Scratch, Seen, Site, Visitor, token::Admission},
    store::StoreError,
};
use docsh_builtins::{Cancel, Fs, Limits, Session, resolve};
use parking_lot::Mutex;
use std::{
    path::{self, Path},
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// One visitor's way into one site.
pub struct Visit {
    /// What the prompt calls the site.
    pub name: String,
    site: Site,
    visitor: Visitor,
    /// Whether the folder is shown as it is, to nobody in particular.
    as_it_is: bool,
    admission: Option<Admission>,
    /// What admits further visitors; a folder of the host admits none.
    chosen: Option<Chosen>,
    /// The site at the last command.
    seen: Mutex<Seen>,
    /// The `/tmp` of the one session that there is.
    scratch: Option<Scratch>,
}

impl Visit {
    /// Open what the flags, the environment and the configuration name; `is_brief` for one run.
    pub fn open(visiting: &Visiting, config: &Config, is_brief: bool, cancel: &Cancel) -> Result<Visit, Refusal> {
        let claimed = visiting.visitor()?;
        if let Some(dir) = &visiting.dir {
            // As it is; or, seen as somebody, as the site that ingest would make of it.
            let (site, warnings) = match &claimed {
                None => {
                    let (site, skipped) = Site::dir(dir.as_os_str()).map_err(refusal)?;
                    (site, skipped.iter().map(|file| format!("{}: left out: {}", file.path, file.reason)).collect())
                }
                Some(_) => {
                    let (store, warnings) = ingest::published(dir.as_os_str()).map_err(refusal)?;
                    (Site::over(store, Options::default(), cancel).map_err(refusal)?, warnings)
                }
            };
            warnings.iter().for_each(|warning| host::say(&format!("docsh: {warning}\n")));
            let name = name_of(dir);
            let as_it_is = claimed.is_none();
            let (visitor, seen) = (claimed.unwrap_or(Visitor::Anonymous), Mutex::new(site.seen()));
            return Ok(Visit { name, site, visitor, as_it_is, admission: None, chosen: None, seen, scratch: None });
        }
        let mut chosen = config.choose(visiting.site.as_deref())?;
        chosen.options.is_brief = is_brief;
        if visiting.no_cache {
            chosen.options = Options { cache: None, redis: None, ..chosen.options };
        }
        if visiting.no_stale {
            chosen.options.max_stale = Duration::ZERO;
        }
        let token = config.environment.token(visiting.token_file.as_deref(), visiting.token_fd)?;
        let (visitor, admission) = match (claimed, token) {
            (Some(_), Some(_)) => return Err(Refusal::usage("--as and a token exclude each other")),
            (Some(_), None) if !chosen.trusts_caller => {
                let message = format!("site {}: --as needs `trust_caller = true` in its configuration", chosen.name);
                return Err(Refusal { message, status: 77 });
            }
            (Some(visitor), None) => (visitor, None),
            (None, Some(token)) => {
                let admission = chosen.admit(&token, now())?;
                (admission.visitor.clone(), Some(admission))
            }
            (None, None) => (Visitor::Anonymous, None),
        };
        let site = chosen.open(cancel).map_err(refusal)?;
        tracing::info!(site = chosen.name, is_signed_in = visitor != Visitor::Anonymous, "open");
        if let Some(warning) = &site.warning {
            host::say(&format!("docsh: {warning}\n"));
        }
        let (name, seen) = (chosen.name.clone(), Mutex::new(site.seen()));
        Ok(Visit { name, site, visitor, as_it_is: false, admission, chosen: Some(chosen), seen, scratch: None })
    }

    /// The same site, as the bearer of `token` sees it.
    pub fn admit(&self, token: &str) -> Result<Visit, Refusal> {
        let Some(chosen) = &self.chosen else {
            return Err(Refusal { message: "a folder takes no tokens".into(), status: 77 });
        };
        let admission = chosen.admit(token, now())?;
        Ok(Visit {
            name: self.name.clone(),
            site: self.site.clone(),
            visitor: admission.visitor.clone(),
            as_it_is: false,
            admission: Some(admission),
            chosen: None,
            seen: Mutex::new(self.site.seen()),
            scratch: None,
        })
    }

    /// The same for one session, which has a `/tmp` of so many bytes if that is asked for.
    pub fn with_scratch(self, capacity: Option<u64>) -> Visit {
        Visit { scratch: capacity.map(Scratch::new), ..self }
    }

    /// The site as the visitor sees it now.
    pub fn tree(&self) -> Arc<dyn Fs> {
        let site = self.site.session(&self.visitor);
        self.scratch.as_ref().map_or(site.clone(), |scratch| scratch.over(site))
    }

    /// As whom the site is seen; none for a folder that is shown as it is.
    pub fn visitor(&self) -> Option<&Visitor> {
        (!self.as_it_is).then_some(&self.visitor)
    }

    /// Say on stderr, once, what has kept a cache from serving.
    pub fn tell_trouble(&self) {
        if let Some(trouble) = self.site.trouble() {
            host::say(&format!("docsh: site {}: {trouble}\n", self.name));
        }
    }

    /// How many pages the visitor sees now.
    pub fn pages(&self) -> usize {
        self.site.pages(&self.visitor)
    }

    /// Whether the visitor's session has ended.
    pub fn has_ended(&self) -> bool {
        self.admission.as_ref().is_some_and(|admission| admission.has_ended(now()))
    }

    /// Before a command of a long-lived session: whether the visitor may still be here, and the site as it is now.
    /// A warning is said on stderr, and that the site has changed.
    pub fn renew(&self, cancel: &Cancel) -> Result<Arc<dyn Fs>, Refusal> {
        if self.has_ended() {
            return Err(Refusal { message: format!("site {}: session expired", self.name), status: 77 });
        }
        self.tell_trouble();
        if let Some(warning) = self.site.freshen(cancel).map_err(refusal)? {
            host::say(&format!("docsh: {warning}\n"));
        }
        if self.site.has_news(&mut self.seen.lock(), &self.visitor) {
            host::say(&format!("docsh: site {}: it has changed since the last command\n", self.name));
        }
        Ok(self.tree())
    }
}

/// What the site of a folder of the host is called.
pub fn name_of(dir: &Path) -> String {
    let whole = path::absolute(dir).unwrap_or(dir.to_path_buf());
    whole.file_name().map_or("/".to_string(), |name| name.to_string_lossy().into_owned())
}

/// What every way of running commands without a prompt begins with.
pub struct Start {
    /// The way into the site.
    pub visit: Visit,
    /// The site as the visitor sees it.
    pub fs: Arc<dyn Fs>,
    /// A session in the folder that the flags name.
    pub session: Session,
    /// The limits of each run.
    pub limits: Limits,
    /// Stopped by signals.
    pub signals: Cancel,
    /// Stopped by them, and when the time of one run is over that began now.
    pub cancel: Cancel,
}

/// Open what the flags name, and be stopped by signals from now on.
pub fn start(flags: &Flags) -> Result<Start, Refusal> {
    let config = configuration(flags)?;
    let limits = flags::limits(&config, flags.timeout)?;
    let signals = Cancel::new();
    host::stop_on_signals(&signals).map_err(Refusal::usage)?;
    let cancel = limits.time.map_or(signals.clone(), |time| signals.within(time));
    let visit = Visit::open(&flags.visiting, &config, !flags.jsonl, &cancel)?.with_scratch(flags.scratch);
    let fs = visit.tree();
    let session = session(&*fs, flags.cwd.as_deref())?;
    Ok(Start { visit, fs, session, limits, signals, cancel })
}

/// The configuration that the flags and the environment lead to.
pub fn configuration(flags: &Flags) -> Result<Config, Refusal> {
    config::load(flags.config.as_deref(), Environment::host(flags.restricted))
}

/// Whether the environment says which certificates to trust.
pub fn names_certificates(flags: &Flags) -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !flags.restricted && (is_set("SSL_CERT_FILE") || is_set("SSL_CERT_DIR"))
}

/// Forget what the environment says of certificates: whoever reads the machine's looks there first.
pub fn forget_certificates() {
    for name in ["SSL_CERT_FILE", "SSL_CERT_DIR"] {
        #[allow(unsafe_code, reason = "nobody else reads the environment: no second thread runs yet")]
        unsafe {
            std::env::remove_var(name);
        }
    }
}

fn refusal(error: StoreError) -> Refusal {
    Refusal { message: error.to_string(), status: error.status() }
}

/// Seconds since the epoch.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}

/// A fresh session in `folder`, or in the root.
pub fn session(fs: &dyn Fs, folder: Option<&str>) -> Result<Session, Refusal> {
    let mut session = Session::new();
    if let Some(folder) = folder {
        enter(fs, &mut session, folder)?;
    }
    Ok(session)
}

/// Move a session between its runs.
pub fn change_folder(shell: &mut Shell, folder: &str) -> Result<(), Refusal> {
    let fs = shell.site();
    enter(&*fs, shell.session_mut(), folder)
}

fn enter(fs: &dyn Fs, session: &mut Session, folder: &str) -> Result<(), Refusal> {
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
