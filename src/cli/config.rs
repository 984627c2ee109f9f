//! Which site, where it is, and how it is served: flags over environment over the configuration file.
//!
//! The file is `--config FILE`, else `$DOCSH_CONFIG`, else `$XDG_CONFIG_HOME/docsh/config.toml`, else
//! `/etc/docsh/config.toml`; never one of the working directory, which might be anybody's. Secrets stand in variables
//! and files that it names, never in it.
mod file;
mod units;

pub use file::{CacheTable, EmbeddingsTable, File, LimitsTable, SiteTable, StoreKind};
pub(super) use units::{Bytes, Span};

use super::Refusal;
use crate::{
    site::{
        CacheFolder, Options, Secret, Site,
        token::{Admission, TokenRules},
        tree::Rules,
    },
    store::{
        StoreError,
        chroma::{ChromaConfig, EmbeddingsConfig, Fields},
        lazy::{LazyConfig, S3Config},
        memory::Memory,
    },
};
use docsh_builtins::Cancel;
use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

/// Looks a variable up.
type Variables = dyn Fn(&str) -> Option<OsString>;

/// The parts of the process's environment that decide about sites.
pub struct Environment {
    var: Box<Variables>,
    /// `--restricted`: what a user of a login shell could set is not looked at.
    restricted: bool,
}

impl Environment {
    /// The process's own.
    pub fn host(restricted: bool) -> Environment {
        Environment { var: Box::new(|name| std::env::var_os(name)), restricted }
    }

    /// A variable that is set to something.
    fn var(&self, name: &str) -> Option<OsString> {
        let ignored = self.restricted && (name.starts_with("XDG_") || name.starts_with("DOCSH_"));
        if ignored { None } else { (self.var)(name).filter(|value| !value.is_empty()) }
    }

    /// A folder of the user: the variable's, else the usual one below `$HOME`. Relative paths do not count.
    fn folder(&self, variable: &str, usual: &str) -> Option<PathBuf> {
        let named = self.var(variable).map(PathBuf::from).filter(|path| path.is_absolute());
        named.or_else(|| Some(PathBuf::from(self.var("HOME")?).join(usual)))
    }

    /// Where the sites are that ingest has written into files.
    pub fn sites(&self) -> Option<PathBuf> {
        Some(self.folder("XDG_DATA_HOME", ".local/share")?.join("docsh/sites"))
    }

    /// Where pages and trees are kept between processes.
    fn cache(&self) -> Option<PathBuf> {
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
}

/// The configuration, read.
pub struct Config {
    /// Where it was found in, for what is looked up later.
    pub environment: Environment,
    /// The file it came from, if there is one.
    pub path: Option<PathBuf>,
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
                return Ok(Config { path: Some(path), file, environment });
            }
            Err(error) if named.is_none() && error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Refusal::config(format!("{}: {error}", path.display()))),
        }
    }
    Ok(Config { path: None, file: File::default(), environment })
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

/// A site that has been chosen.
#[derive(Clone)]
pub struct Chosen {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub place: Place,
    /// How it is served.
    pub options: Options,
    /// Whether whoever starts docsh may say who the visitor is.
    pub trusts_caller: bool,
    rules: Rules,
    tokens: Option<TokenRules>,
}

/// Where a site is.
#[derive(Clone)]
pub enum Place {
    /// In the binary.
    Bundled,
    /// In this file.
    Embedded(PathBuf),
    /// In Chroma.
    Chroma(Box<ChromaConfig>),
}

impl Chosen {
    /// Open it.
    pub fn open(&self, cancel: &Cancel) -> Result<Site, StoreError> {
        let site = match &self.place {
            Place::Bundled => Site::bundled(),
            Place::Embedded(file) => Site::embedded(&self.name, file.as_os_str(), self.rules, self.options.clone()),
            Place::Chroma(config) => Site::chroma((**config).clone(), self.options.clone(), cancel),
        };
        site.map(Site::with_overviews)
    }
}

impl Chosen {
    /// Who the bearer of `token` is, at the time `now` (seconds since the epoch). A token that cannot be checked is
    /// refused like a bad one: nobody is taken for an anonymous visitor who claims to be somebody.
    pub fn admit(&self, token: &str, now: i64) -> Result<Admission, Refusal> {
        let refuse = |reason: String| Refusal { message: format!("site {}: {reason}", self.name), status: 77 };
        let Some(tokens) = &self.tokens else {
            return Err(refuse("the token cannot be checked: the site has no `key_file` or `jwks_file`".into()));
        };
        tokens.admit(token.trim(), now).map_err(|error| refuse(format!("the token is refused: {error}")))
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
            (Some(variable), _) => Some(secret_of_variable(&self.environment, variable)),
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
            (Some(variable), _) => Some(secret_of_variable(&self.environment, variable)),
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

    fn configured(&self, name: &str, table: &SiteTable) -> Result<Chosen, Refusal> {
        let refuse = |reason: String| Refusal::config(format!("[sites.{name}]: {reason}"));
        let kind = self.kind(table);
        let chroma_only = [
            ("url", table.url.is_some()),
            ("tenant", table.tenant.is_some()),
            ("database", table.database.is_some()),
            ("collection", table.collection.is_some()),
            ("token_env", table.token_env.is_some()),
            ("token_file", table.token_file.is_some()),
            ("headers", !table.headers.is_empty()),
            ("headers_env", !table.headers_env.is_empty()),
            ("headers_file", !table.headers_file.is_empty()),
            ("page_field", table.page_field.is_some()),
            ("index_field", table.index_field.is_some()),
            ("joiner", table.joiner.is_some()),
            ("page_extension", table.page_extension.is_some()),
            ("views", !table.views.is_empty()),
            ("acl_in_query", table.acl_in_query.is_some()),
        ];
        if let Some((key, _)) = chroma_only.iter().find(|(_, is_set)| *is_set && kind != StoreKind::Chroma) {
            return Err(refuse(format!("`{key}` is for sites in Chroma")));
        }
        if let Some(endpoint) = &table.s3.endpoint {
            check_url("s3.endpoint", endpoint).map_err(refuse)?;
        }
        if table.file.is_some() && kind != StoreKind::Embedded {
            return Err(refuse("`file` is for sites in a file".into()));
        }
        if table.access.is_some() && kind == StoreKind::Bundled {
            return Err(refuse("`access` is not for the bundled site".into()));
        }
        if table.access.is_some() && table.acl_in_query == Some(true) {
            return Err(refuse("`acl_in_query` means nothing with `access = \"open\"`".into()));
        }
        let rules = if table.access.is_some() { Rules::Off } else { Rules::Required };
        let place = match kind {
            StoreKind::Bundled => Place::Bundled,
            StoreKind::Embedded => match table.file.clone().or_else(|| self.embedded(name)) {
                Some(file) if file.is_absolute() => Place::Embedded(file),
                Some(_) => return Err(refuse("`file` must be an absolute path".into())),
                None => return Err(refuse("there is no home folder; name its `file`".into())),
            },
            StoreKind::Chroma => Place::Chroma(Box::new(self.chroma(name, table, rules).map_err(refuse)?)),
        };
        let usual = self.options()?;
        let options = Options {
            ttl: table.ttl.map_or(usual.ttl, |span| span.0),
            max_stale: table.max_stale.map_or(usual.max_stale, |span| span.0),
            warm_limit: table.warm_limit.map_or(usual.warm_limit, |bytes| bytes.0),
            acl_in_query: table.acl_in_query.unwrap_or(false),
            lazy: LazyConfig {
                buckets: table.lazy.buckets.clone(),
                https_hosts: table.lazy.https_hosts.clone(),
                s3: S3Config {
                    endpoint: table.s3.endpoint.clone(),
                    region: table.s3.region.clone(),
                    anonymous: table.s3.anonymous.unwrap_or(false),
                },
            },
            ..usual
        };
        let trusts_caller = table.trust_caller.unwrap_or(!matches!(place, Place::Chroma(_)));
        let tokens = tokens(table).map_err(refuse)?;
        Ok(Chosen { name: name.to_string(), place, options, trusts_caller, rules, tokens })
    }

    fn chroma(&self, name: &str, table: &SiteTable, rules: Rules) -> Result<ChromaConfig, String> {
        let url = table.url.as_deref().ok_or("a site in Chroma needs a `url`")?;
        check_url("url", url)?;
        let usual = ChromaConfig::new(name, url.trim_end_matches('/'));
        let fields = Fields::default();
        let or = |value: &Option<String>, usual: String| value.clone().unwrap_or(usual);
        Ok(ChromaConfig {
            tenant: or(&table.tenant, usual.tenant),
            database: or(&table.database, usual.database),
            collection: or(&table.collection, usual.collection),
            headers: self.headers(table)?,
            fields: Fields { page: or(&table.page_field, fields.page), index: or(&table.index_field, fields.index) },
            joiner: table.joiner.clone(),
            base_url: table.base_url.as_ref().map(|url| url.trim_end_matches('/').to_string()),
            page_extension: table.page_extension.clone().unwrap_or_default(),
            rules,
            views: table.views.clone(),
            ..usual
        })
    }

    /// Headers and their values, the secret ones fetched from where the file says they are.
    fn headers(&self, table: &SiteTable) -> Result<Vec<(String, String)>, String> {
        let mut headers = Vec::new();
        for (name, value) in &table.headers {
            if is_secret(name) {
                return Err(format!("`headers`: {name:?} is a secret: use `headers_env` or `headers_file`"));
            }
            headers.push((name.clone(), value.clone()));
        }
        let token = "x-chroma-token";
        let variables = table.headers_env.iter().map(|(name, variable)| (name.as_str(), variable));
        for (name, variable) in variables.chain(table.token_env.iter().map(|variable| (token, variable))) {
            headers.push((name.to_string(), secret_of_variable(&self.environment, variable)?));
        }
        let files = table.headers_file.iter().map(|(name, file)| (name.as_str(), file));
        for (name, file) in files.chain(table.token_file.iter().map(|file| (token, file))) {
            headers.push((name.to_string(), secret_of_file(file)?));
        }
        Ok(headers)
    }
}

/// Which tokens a site takes, if any.
fn tokens(table: &SiteTable) -> Result<Option<TokenRules>, String> {
    let algorithms = table.algorithms.as_deref();
    let (key, file) = match (&table.key_file, &table.jwks_file) {
        (Some(_), Some(_)) => return Err("`key_file` and `jwks_file` exclude each other".into()),
        (Some(file), None) => ("key_file", file),
        (None, Some(file)) => ("jwks_file", file),
        (None, None) => {
            let lone = [("host", table.host.is_some()), ("audience", table.audience.is_some())];
            return match lone.iter().find(|(_, is_set)| *is_set).or(algorithms.map(|_| &("algorithms", true))) {
                Some((key, _)) => Err(format!("`{key}` means nothing without `key_file` or `jwks_file`")),
                None => Ok(None),
            };
        }
    };
    let named = |error: String| format!("`{key}`: {} {error}", file.display());
    let text = fs::read(file).map_err(|error| format!("`{key}`: {}: {error}", file.display()))?;
    let rules = match key {
        "key_file" => TokenRules::with_key(&text, algorithms).map_err(named)?,
        _ => TokenRules::with_key_set(&String::from_utf8_lossy(&text), algorithms).map_err(named)?,
    };
    rules.meant_for(table.host.as_deref(), table.audience.as_deref()).map(Some)
}

/// Whether a header's value is one that a configuration file must not hold.
fn is_secret(header: &str) -> bool {
    let name = header.to_ascii_lowercase();
    ["token", "auth", "key", "secret", "cookie", "password"].iter().any(|word| name.contains(word))
}

fn secret_of_variable(environment: &Environment, name: &str) -> Result<String, String> {
    let value = (environment.var)(name).and_then(|value| value.into_string().ok()).filter(|value| !value.is_empty());
    value.ok_or_else(|| format!("the variable {name} is not set"))
}

fn secret_of_file(file: &Path) -> Result<String, String> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(text.trim_end_matches(['\r', '\n']).to_string()),
        Err(error) => Err(format!("{}: {error}", file.display())),
    }
}

fn check_url(key: &str, url: &str) -> Result<(), String> {
    let wrong = |reason: &str| Err(format!("`{key}` {reason}"));
    let Some((scheme, rest)) = url.split_once("://") else {
        return wrong("is not an address, such as http://host:8000");
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    match (scheme, authority) {
        (_, "") => wrong("names no host"),
        (_, authority) if authority.contains('@') => wrong("holds a secret: name a variable or a file that does"),
        ("http" | "https", _) => Ok(()),
        _ => wrong("is neither http nor https"),
    }
}

#[cfg(test)]
mod tests;
