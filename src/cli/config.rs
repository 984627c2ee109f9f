//! Which site, where it is, and how it is served: flags over environment over the configuration file.
//!
//! The file is `--config FILE`, else `$DOCSH_CONFIG`, else `$XDG_CONFIG_HOME/docsh/config.toml`, else
//! `/etc/docsh/config.toml`; never one of the working directory, which might be anybody's. Secrets stand in variables
//! and files that it names, never in it.
mod chosen;
mod environment;
mod file;
mod secrets;
mod table;
mod units;

pub use chosen::{Chosen, Place};
pub use environment::Environment;
pub use file::{CacheTable, EmbeddingsTable, File, LimitsTable, SiteTable, StoreKind};
pub(super) use units::{Bytes, Span};

use super::Refusal;
use crate::{
    site::{CacheFolder, Options, Secret},
    store::{chroma::EmbeddingsConfig, memory::Memory},
    tree::Rules,
};
use secrets::{check_url, secret_of_file};
use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

/// The configuration, read.
pub struct Config {
    /// Where it was found in, for what is looked up later.
    pub environment: Environment,
    /// The file it came from, if there is one.
    pub path: Option<PathBuf>,
    /// Whether a flag or a variable named that file; else it is where docsh always looks.
    pub is_named: bool,
    /// What the file says.
    pub file: File,
}

/// The most bytes of the cache on the disk, unless configured.
const CACHE_SIZE: u64 = 512 << 20;
/// The system's configuration.
const SYSTEM: &str = "/etc/docsh/config.toml";

/// Read the configuration that `flag` names, or the usual one; without any, docsh has the bundled site and those that
/// `docsh ingest` has written.
pub fn load(flag: Option<&Path>, environment: Environment) -> Result<Config, Refusal> {
    let named = flag.map(Path::to_path_buf).or_else(|| environment.var("DOCSH_CONFIG").map(PathBuf::from));
    let usual = || {
        let user = environment.folder("XDG_CONFIG_HOME", ".config").map(|folder| folder.join("docsh/config.toml"));
        user.into_iter().chain([PathBuf::from(SYSTEM)])
    };
    let candidates: Vec<PathBuf> = named.iter().cloned().chain(usual().filter(|_| named.is_none())).collect();
    for path in candidates {
        match fs::read_to_string(&path) {
            Ok(text) => {
                let file = parse(&text).map_err(|error| Refusal::config(format!("{}: {error}", path.display())))?;
                return Ok(Config { path: Some(path), is_named: named.is_some(), file, environment });
            }
            Err(error) if named.is_none() && error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Refusal::config(format!("{}: {error}", path.display()))),
        }
    }
    Ok(Config { path: None, is_named: false, file: File::default(), environment })
}

fn parse(text: &str) -> Result<File, String> {
    let file: File = toml::from_str(text).map_err(|error| {
        let line = 1 + error.span().map_or(0, |span| text[..span.start].matches('\n').count());
        format!("line {line}: {}", error.message().lines().next().unwrap_or_default())
    })?;
    for name in file.sites.keys() {
        check_name(name)?;
    }
    match &file.default_site {
        Some(name) if !file.sites.contains_key(name) => Err(format!("`default_site`: there is no [sites.{name}]")),
        _ => Ok(file),
    }
}

/// Site names are file names and collection names, so they are short and plain.
fn check_name(name: &str) -> Result<(), String> {
    let is_start = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let is_rest = |c: char| is_start(c) || matches!(c, '.' | '_' | '-');
    match name.starts_with(is_start) && name.chars().all(is_rest) && name.len() <= 63 {
        true => Ok(()),
        false => Err(format!(
            "{name:?} is not a site's name: lower-case letters, digits, `.`, `_`, `-`, at most 63, the first a letter \
             or digit"
        )),
    }
}

impl Config {
    /// The site that `flag` names, else the environment, else the configuration; without any of them the bundled one.
    pub fn choose(&self, flag: Option<&str>) -> Result<Chosen, Refusal> {
        let named = flag.map(str::to_string).or_else(|| self.environment.site());
        let name = match (named.as_ref(), &self.file.default_site, &self.path) {
            (Some(name), ..) | (None, Some(name), _) => name.clone(),
            (None, None, None) => Memory::BUNDLED.to_string(),
            (None, None, Some(path)) => {
                return Err(Refusal::usage(format_args!(
                    "{} has no `default_site`: name one with --site: {}",
                    path.display(),
                    self.names().join(", ")
                )));
            }
        };
        check_name(&name).map_err(Refusal::config)?;
        self.site(&name)
    }

    /// The site called `name`: configured, ingested, or bundled.
    pub fn site(&self, name: &str) -> Result<Chosen, Refusal> {
        if let Some(table) = self.file.sites.get(name) {
            return self.configured(name, table);
        }
        let place = match self.embedded(name) {
            Some(file) if file.is_file() => Place::Embedded(file),
            _ if name == Memory::BUNDLED => Place::Bundled,
            _ => {
                return Err(Refusal::config(format!(
                    "site {name}: there is no such site; there are {}; make one with `docsh ingest DIR --site {name}`",
                    self.names().join(", ")
                )));
            }
        };
        Ok(Chosen {
            name: name.to_string(),
            place,
            options: self.options()?,
            trusts_caller: true,
            rules: Rules::Required,
            tokens: None,
        })
    }

    /// Where embeddings come from, if the file says so.
    pub fn embeddings(&self) -> Result<Option<EmbeddingsConfig>, Refusal> {
        let Some(EmbeddingsTable { url, model, key_env, key_file }) = &self.file.embeddings else { return Ok(None) };
        let refuse = |reason: String| Refusal::config(format!("[embeddings]: {reason}"));
        check_url("url", url).map_err(refuse)?;
        let key = match (key_env, key_file) {
            (Some(variable), _) => Some(self.environment.secret(variable)),
            (None, Some(file)) => Some(secret_of_file(file)),
            (None, None) => None,
        };
        let key = key.transpose().map_err(refuse)?;
        Ok(Some(EmbeddingsConfig { url: url.clone(), model: model.clone(), key }))
    }

    /// The file of an ingested site.
    pub fn embedded(&self, name: &str) -> Option<PathBuf> {
        Some(self.environment.sites()?.join(format!("{name}.db")))
    }

    /// How sites are served that do not say.
    fn options(&self) -> Result<Options, Refusal> {
        let CacheTable { memory, redis_env, redis_file, .. } = &self.file.cache;
        let redis = match (redis_env, redis_file) {
            (Some(variable), _) => Some(self.environment.secret(variable)),
            (None, Some(file)) => Some(secret_of_file(file)),
            (None, None) => None,
        };
        let redis = redis.transpose().map_err(|reason| Refusal::config(format!("[cache]: {reason}")))?;
        let (folder, capacity) = self.disk();
        let usual = Options::default();
        Ok(Options {
            lazy_search: self.file.limits.lazy_search.map_or(usual.lazy_search, |bytes| bytes.0),
            memory: memory.map_or(usual.memory, |bytes| bytes.0),
            cache: folder.map(|folder| CacheFolder { folder: folder.into(), capacity }),
            redis: redis.map(Secret),
            ..usual
        })
    }

    /// The folder of the cache on the disk, unless there is to be none, and the most bytes that it may hold.
    pub fn disk(&self) -> (Option<PathBuf>, u64) {
        let CacheTable { disk, folder, size, .. } = &self.file.cache;
        let folder = folder.clone().or_else(|| self.environment.cache()).filter(|_| disk.unwrap_or(true));
        (folder, size.map_or(CACHE_SIZE, |bytes| bytes.0))
    }

    /// Where the site of this table is.
    pub fn kind(&self, table: &SiteTable) -> StoreKind {
        table.store.unwrap_or(if table.url.is_some() { StoreKind::Chroma } else { StoreKind::Embedded })
    }

    /// The file that somebody named, for docsh to be started with again.
    pub fn named(&self) -> Option<&Path> {
        self.path.as_deref().filter(|_| self.is_named)
    }

    /// Every site that can be named.
    pub fn names(&self) -> Vec<String> {
        let mut names: BTreeSet<String> = self.file.sites.keys().cloned().collect();
        names.insert(Memory::BUNDLED.to_string());
        let files = self.environment.sites().and_then(|folder| fs::read_dir(folder).ok());
        for entry in files.into_iter().flatten().flatten() {
            names.extend(entry.file_name().to_str().and_then(|name| name.strip_suffix(".db")).map(str::to_string));
        }
        names.into_iter().collect()
    }
}

#[cfg(test)]
mod tests;
