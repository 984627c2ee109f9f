//! A site that has been chosen: where it is, how it is served, and whom it admits.
use crate::{
    cli::Refusal,
    site::{
        Options, Site,
        token::{Admission, TokenRules},
    },
    store::{StoreError, chroma::ChromaConfig},
    tree::Rules,
};
use docsh_builtins::Cancel;
use std::path::PathBuf;

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
    pub(super) rules: Rules,
    pub(super) tokens: Option<TokenRules>,
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
