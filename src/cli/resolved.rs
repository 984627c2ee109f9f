//! `docsh config`: which configuration is read; with `--resolved`, what it comes to once every default is filled in.
//!
//! It is a configuration again, and holds no secret: those stand in the variables and files that it names.
use super::{
    Refusal,
    config::{Bytes, CacheTable, Config, File, LimitsTable, SiteTable, Span, StoreKind},
};
use crate::{
    site::Options,
    store::chroma::{ChromaConfig, Fields},
};
use clap::Args as ClapArgs;
use docsh_builtins::{Limits, Status};
use std::io::{self, Write};

/// Tell which configuration is read.
#[derive(ClapArgs, Clone, Debug)]
pub struct Args {
    /// Print it with every default filled in
    #[arg(long)]
    pub resolved: bool,
}

/// Print it.
pub fn run(args: &Args, config: &Config) -> Result<Status, Refusal> {
    let place = config.path.as_ref().map_or("no configuration file".to_string(), |path| path.display().to_string());
    let text = match args.resolved {
        false => format!("{place}\n"),
        true => {
            let text = toml::to_string(&resolved(config)?).map_err(Refusal::config)?;
            format!("# {place}\n{text}")
        }
    };
    // A reader that has gone has seen enough.
    let _ = io::stdout().write_all(text.as_bytes());
    Ok(Status::OK)
}

fn resolved(config: &Config) -> Result<File, Refusal> {
    let file = config.file.clone();
    let mut sites = file.sites;
    for (name, table) in &mut sites {
        fill(config, name, table);
    }
    Ok(File { sites, limits: limits(&file.limits), cache: cache(config)?, ..file })
}

/// What a site's table leaves to docsh.
fn fill(config: &Config, name: &str, table: &mut SiteTable) {
    let usual = Options::default();
    let kind = config.kind(table);
    table.store = Some(kind);
    table.ttl.get_or_insert(Span(usual.ttl));
    table.max_stale.get_or_insert(Span(usual.max_stale));
    table.trust_caller.get_or_insert(kind != StoreKind::Chroma);
    table.warm_limit.get_or_insert(Bytes(usual.warm_limit));
    match kind {
        StoreKind::Bundled => {}
        StoreKind::Embedded => table.file = table.file.take().or_else(|| config.embedded(name)),
        StoreKind::Chroma => {
            let url = table.url.clone().unwrap_or_default();
            let (usual, fields) = (ChromaConfig::new(name, &url), Fields::default());
            table.acl_in_query.get_or_insert(false);
            table.tenant.get_or_insert(usual.tenant);
            table.database.get_or_insert(usual.database);
            table.collection.get_or_insert(usual.collection);
            table.page_field.get_or_insert(fields.page);
            table.index_field.get_or_insert(fields.index);
        }
    }
}

fn limits(table: &LimitsTable) -> LimitsTable {
    let mut limits = Limits::default();
    table.apply(&mut limits);
    LimitsTable {
        time: Some(Span(limits.time.unwrap_or_default())),
        memory: Some(Bytes(limits.memory)),
        output: limits.output.map(Bytes),
        depth: Some(limits.depth),
        words: Some(limits.words),
        stages: Some(limits.stages),
        jobs: Some(limits.jobs),
        regex: Some(Bytes(limits.regex as u64)),
        lazy_search: Some(table.lazy_search.unwrap_or(Bytes(Options::default().lazy_search))),
    }
}

fn cache(config: &Config) -> Result<CacheTable, Refusal> {
    let table = config.file.cache.clone();
    let (folder, size) = config.disk();
    Ok(CacheTable {
        disk: Some(folder.is_some()),
        folder,
        size: Some(Bytes(size)),
        memory: table.memory.or(Some(Bytes(Options::default().memory))),
        ..table
    })
}
