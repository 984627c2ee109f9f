//! `docsh ingest DIR --site NAME`: read a docs folder into a site, in a file of docsh's own or in Chroma.
use super::{
    Refusal,
    config::{Bytes, Config, Place},
    host,
};
use crate::{
    ingest::{self, Folder, Reading, Summary, folder::Choice},
    store::{
        StoreError, Writer,
        chroma::{ChromaConfig, ChromaWriter},
        embedded::EmbeddedWriter,
        lazy::LazyFiles,
    },
};
use clap::{Args as ClapArgs, ValueEnum};
use docsh_builtins::{Cancel, Status};
use std::path::PathBuf;

/// Read a docs folder into a site.
#[derive(ClapArgs, Clone, Debug)]
pub struct Args {
    /// The folder
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,

    /// The site to write
    #[arg(long, value_name = "NAME")]
    pub site: String,

    /// Where to write it (default: where the configuration says it is, else a file of docsh's own)
    #[arg(long, value_name = "STORE")]
    pub to: Option<Target>,

    /// The Chroma server, for a site that is not configured
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,

    /// What pages are that do not say
    #[arg(long, value_name = "ACCESS", default_value = "public")]
    pub access: Access,

    /// Take pages too that say `hidden`, `noindex` or `searchable: false`
    #[arg(long)]
    pub include_hidden: bool,

    /// Take navigation and configuration files too
    #[arg(long)]
    pub include_config: bool,

    /// Take every text file as it is
    #[arg(long)]
    pub all: bool,

    /// The address of the site on the web
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,

    /// Upload large files here, and let the site point to them; the site's configuration must allow the bucket
    #[arg(long, value_name = "s3://BUCKET/PREFIX")]
    pub s3: Option<String>,

    /// With --s3: how large a file must be
    #[arg(long, value_name = "SIZE", default_value = "4MiB", requires = "s3", value_parser = size)]
    pub lazy_over: u64,

    /// Read and tell, write nothing
    #[arg(long)]
    pub dry_run: bool,
}

fn size(text: &str) -> Result<u64, String> {
    Bytes::parse(text).map(|bytes| bytes.0).ok_or_else(|| format!("{text:?} is not a size, such as \"4MiB\""))
}

/// Kinds of store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// A file
    Embedded,
    /// A Chroma collection
    Chroma,
}

/// What pages are that do not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Access {
    /// For everybody
    Public,
    /// For those who signed in
    Private,
}

/// Run it; the summary goes to stderr, so that stdout stays free for what may follow.
pub fn run(args: &Args, config: &Config, cancel: &Cancel) -> Result<Status, Refusal> {
    let choice = Choice { all: args.all, include_config: args.include_config };
    let reading = Reading { private: args.access == Access::Private, include_hidden: args.include_hidden, choice };
    let mut folder = ingest::read(&args.dir, reading).map_err(Refusal::config)?;
    for warning in &folder.warnings {
        host::say(&format!("docsh: {warning}\n"));
    }
    if folder.sources.is_empty() {
        return Err(Refusal::config(format!("{}: there is no page in it", args.dir.display())));
    }
    if args.dry_run {
        host::say(&format!("site {}: would hold {}\n", args.site, held(&folder)));
        return Ok(Status::OK);
    }
    let mut writer = writer(args, config, cancel)?;
    if let Some(place) = &args.s3 {
        upload(args, config, &mut folder, place, cancel)?;
    }
    let mut progress = |done: usize, total: usize| {
        if host::stderr_is_terminal() {
            let end = if done == total { "\r\x1b[K" } else { "" };
            host::say(&format!("\r{done} of {total} pages{end}"));
        }
    };
    let configured = config.file.sites.get(&args.site).and_then(|table| table.base_url.as_deref());
    let base_url = args.base_url.as_deref().or(configured);
    let summary = ingest::write(&mut *writer, &folder, base_url, &mut progress, cancel).map_err(refuse)?;
    host::say(&format!("site {}: {}; {}\n", args.site, held(&folder), told(&summary)));
    Ok(Status::OK)
}

fn upload(args: &Args, config: &Config, folder: &mut Folder, place: &str, cancel: &Cancel) -> Result<(), Refusal> {
    let lazy = config.site(&args.site).map(|chosen| chosen.options.lazy).unwrap_or_default();
    let bucket = place.strip_prefix("s3://").and_then(|rest| rest.split('/').next()).unwrap_or_default();
    if !lazy.buckets.iter().any(|allowed| allowed == bucket) {
        let site = &args.site;
        return Err(Refusal::config(format!(
            "--s3 {place}: readers may not follow it: name the bucket in [sites.{site}.lazy]"
        )));
    }
    let over = usize::try_from(args.lazy_over).unwrap_or(usize::MAX);
    let uploaded = ingest::upload(&LazyFiles::new(lazy), folder, over, place, cancel);
    uploaded.map(drop).map_err(|(slug, error)| Refusal { message: format!("{slug}: {error}"), status: error.status() })
}

fn writer(args: &Args, config: &Config, cancel: &Cancel) -> Result<Box<dyn Writer>, Refusal> {
    let is_new = !config.file.sites.contains_key(&args.site);
    let place = match (is_new, args.to, &args.url) {
        (true, Some(Target::Chroma), Some(url)) => Place::Chroma(Box::new(ChromaConfig::new(&args.site, url))),
        (true, Some(Target::Chroma), None) => {
            return Err(Refusal::usage("--to chroma: say where with --url, or configure the site"));
        }
        (true, ..) => {
            let file = config.embedded(&args.site).filter(|_| args.url.is_none());
            Place::Embedded(file.ok_or_else(|| Refusal::usage("--url: say --to chroma"))?)
        }
        (false, ..) => config.site(&args.site)?.place,
    };
    match (&place, args.to) {
        (Place::Embedded(file), None | Some(Target::Embedded)) => {
            Ok(Box::new(EmbeddedWriter::open(&args.site, file).map_err(refuse)?))
        }
        (Place::Chroma(chroma), None | Some(Target::Chroma)) => {
            Ok(Box::new(ChromaWriter::open((**chroma).clone(), cancel).map_err(refuse)?))
        }
        (Place::Bundled, _) => Err(Refusal::config(format!("site {}: the bundled site cannot be written", args.site))),
        (_, Some(_)) => Err(Refusal::config(format!("site {}: --to: it is configured elsewhere", args.site))),
    }
}

fn refuse(error: StoreError) -> Refusal {
    Refusal { message: error.to_string(), status: error.status() }
}

fn held(folder: &Folder) -> String {
    let pages = count(folder.sources.len(), "page");
    let bytes: usize = folder.sources.iter().map(|source| source.page.body.len()).sum();
    let mut text = format!("{pages}, {bytes} bytes");
    for (number, what) in [(folder.hidden, "hidden"), (folder.binary, "not text")] {
        if number > 0 {
            text += &format!(", {number} {what} left out");
        }
    }
    text
}

fn told(summary: &Summary) -> String {
    let Summary { added, changed, unchanged, removed, .. } = summary;
    format!("{added} added, {changed} changed, {removed} removed, {unchanged} unchanged")
}

fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
