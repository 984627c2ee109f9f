//! What a site's table in the file comes to. Keys that mean nothing where they stand are refused, by name.
use super::{
    Chosen, Config, Place, SiteTable, StoreKind,
    secrets::{check_url, is_secret, secret_of_file},
};
use crate::{
    cli::Refusal,
    site::{Options, token::TokenRules},
    store::{
        chroma::{ChromaConfig, Fields},
        lazy::{LazyConfig, S3Config},
    },
    tree::Rules,
};
use std::fs;

impl Config {
    /// The site called `name`, of this table.
    pub(super) fn configured(&self, name: &str, table: &SiteTable) -> Result<Chosen, Refusal> {
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
            headers.push((name.to_string(), self.environment.secret(variable)?));
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
