//! The parts of the process's environment that decide about sites; `--restricted` hides what a user could set.
use crate::cli::Refusal;
use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

/// Looks a variable up.
type Variables = dyn Fn(&str) -> Option<OsString>;

/// The parts of the process's environment that decide about sites.
pub struct Environment {
    pub(super) var: Box<Variables>,
    /// `--restricted`: what a user of a login shell could set is not looked at.
    pub(super) restricted: bool,
}

impl Environment {
    /// The process's own.
    pub fn host(restricted: bool) -> Environment {
        Environment { var: Box::new(|name| std::env::var_os(name)), restricted }
    }

    /// A variable that is set to something.
    pub(super) fn var(&self, name: &str) -> Option<OsString> {
        let ignored = self.restricted && (name.starts_with("XDG_") || name.starts_with("DOCSH_"));
        if ignored { None } else { (self.var)(name).filter(|value| !value.is_empty()) }
    }

    /// A folder of the user: the variable's, else the usual one below `$HOME`. Relative paths do not count.
    pub(super) fn folder(&self, variable: &str, usual: &str) -> Option<PathBuf> {
        let named = self.var(variable).map(PathBuf::from).filter(|path| path.is_absolute());
        named.or_else(|| Some(PathBuf::from(self.var("HOME")?).join(usual)))
    }

    /// Where the sites are that ingest has written into files.
    pub fn sites(&self) -> Option<PathBuf> {
        Some(self.folder("XDG_DATA_HOME", ".local/share")?.join("docsh/sites"))
    }

    /// Where pages and trees are kept between processes.
    pub(super) fn cache(&self) -> Option<PathBuf> {
        Some(self.folder("XDG_CACHE_HOME", ".cache")?.join("docsh/v1"))
    }

    /// The token of the visitor: from a file, from an open descriptor, or from the environment; never from an argument,
    /// which everybody on the machine may read.
    pub fn token(&self, file: Option<&Path>, descriptor: Option<u32>) -> Result<Option<String>, Refusal> {
        let read = |path: &Path, name: String| match fs::read_to_string(path) {
            Ok(text) if !text.trim().is_empty() => Ok(Some(text.trim().to_string())),
            Ok(_) => Err(Refusal { message: format!("{name}: there is no token in it"), status: 77 }),
            Err(error) => Err(Refusal { message: format!("{name}: {error}"), status: 77 }),
        };
        match (file, descriptor) {
            (Some(file), _) => read(file, format!("--token-file {}", file.display())),
            (None, Some(number)) => read(Path::new(&format!("/dev/fd/{number}")), format!("--token-fd {number}")),
            (None, None) => match self.var("DOCSH_TOKEN").map(OsString::into_string) {
                None => Ok(None),
                Some(Ok(token)) => Ok(Some(token)),
                Some(Err(_)) => Err(Refusal { message: "DOCSH_TOKEN: it is not a token".into(), status: 77 }),
            },
        }
    }

    /// The site that the environment names.
    pub fn site(&self) -> Option<String> {
        self.var("DOCSH_SITE")?.into_string().ok()
    }

    /// The secret in the variable called `name`, which the configuration names: its own are not what a user sets.
    pub(super) fn secret(&self, name: &str) -> Result<String, String> {
        let value = (self.var)(name).and_then(|value| value.into_string().ok()).filter(|value| !value.is_empty());
        value.ok_or_else(|| format!("the variable {name} is not set"))
    }
}
