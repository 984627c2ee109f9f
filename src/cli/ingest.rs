//! `docsh ingest DIR --site NAME`: read a docs folder into a site, in a file of docsh's own or in Chroma; once, or
//! again whenever the folder changes.
mod kept;
mod report;
mod survey;
mod watch;

use super::{
    Refusal,
    config::{Bytes, Config, Place},
    host,
};
use crate::{
    ingest::{self, Folder, Reading, Summary, folder::Choice},
    store::{
        Store, StoreError, TreeAnswer, Writer,
        chroma::{Chroma, ChromaConfig, ChromaWriter},
        embedded::EmbeddedWriter,
        lazy::LazyFiles,
    },
    tree::Tree,
};
use clap::{Args as ClapArgs, ValueEnum};
use docsh_builtins::{Cancel, Status};
use kept::Kept;
use report::{Progress, Report};
use std::{
    path::{Path, PathBuf},
    time::Instant,
};
use survey::SurveyArgs;

/// Read a docs folder into a site.
#[derive(ClapArgs, Clone, Debug)]
pub struct Args {
    /// The folder
    #[arg(value_name = "DIR", required_unless_present = "tree_only")]
    pub dir: Option<PathBuf>,

    /// The site to write
    #[arg(long, value_name = "NAME")]
    pub site: String,

    /// Where to write it (default: where the configuration says it is, else a file of docsh's own)
    #[arg(long, value_name = "STORE")]
    pub to: Option<Target>,

    /// The Chroma server, for a site that is not configured
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,

    /// What pages are that do not say (default: public)
    #[arg(long, value_name = "ACCESS")]
    pub access: Option<Access>,

    /// Take pages too that say `hidden`, `noindex`, `unlisted` or `searchable: false`
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

    /// Read every file again, also those whose size and times have not changed since the last time
    #[arg(long)]
    pub full: bool,

    /// Read, compare and tell; write nothing
    #[arg(long)]
    pub dry_run: bool,

    /// Tell what was done in a line of JSON on stdout
    #[arg(long)]
    pub json: bool,

    /// Do it again whenever the folder changes, until interrupted
    #[arg(long, conflicts_with = "dry_run")]
    pub watch: bool,

    /// What --tree-only is told
    #[command(flatten)]
    pub survey: SurveyArgs,
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

/// Run it; the summary goes to stderr, or to stdout as JSON.
pub fn run(args: &Args, config: &Config, cancel: &Cancel) -> Result<Status, Refusal> {
    let done = match &args.dir {
        None => survey::run(args, config, cancel),
        Some(dir) if args.watch => watch::run(args, dir, config, cancel),
        Some(dir) => once(args, dir, config, cancel),
    };
    done.map(|()| Status::OK)
}

fn once(args: &Args, dir: &Path, config: &Config, cancel: &Cancel) -> Result<(), Refusal> {
    let begun = Instant::now();
    let choice = Choice { all: args.all, include_config: args.include_config };
    let private = args.access == Some(Access::Private);
    let reading = Reading { private, include_hidden: args.include_hidden, choice, spare: true };
    let mut progress = Progress::new();
    let kept = Kept::open(args, dir, config);
    let recall = || kept.as_ref().map(Kept::known).unwrap_or_default();
    let (mut folder, known) = ingest::read_again(dir, reading, recall).map_err(Refusal::config)?;
    folder.warnings.iter().for_each(|warning| progress.say(warning));
    if folder.sources.is_empty() {
        return Err(Refusal::config(format!("{}: there is no page in it", dir.display())));
    }
    let configured = config.file.sites.get(&args.site).and_then(|table| table.base_url.clone());
    let base_url = args.base_url.clone().or(configured).or(folder.base_url.clone());
    let place = place(args, config)?;
    let mut report = Report::new(args, begun);
    if args.dry_run {
        if let Some(to) = &args.s3 {
            report.uploaded = ingest::point(&mut folder, over(args), to);
        }
        let current = current(&args.site, &place, cancel)?;
        report.summary = ingest::compare(current.as_ref(), &folder);
    } else {
        let bucket = args.s3.as_ref().map(|to| Bucket::open(args, config, to)).transpose()?;
        let previous = bucket.as_ref().map_or(Ok(None), |_| current(&args.site, &place, cancel))?;
        let mut writer = writer(args, config, place, cancel)?;
        if let Some(bucket) = &bucket {
            report.uploaded = bucket.upload(&mut folder, cancel)?;
        }
        let mut step = |done: usize, total: usize| progress.show(done, total);
        let written = ingest::write(&mut *writer, &folder, base_url.as_deref(), &mut step, cancel);
        report.summary = written.map_err(refuse)?;
        if let Some(bucket) = &bucket {
            report.cleaned = bucket.clean(&folder, previous.as_ref(), cancel)?;
        }
    }
    if let Some(kept) = kept.as_ref().filter(|_| !args.dry_run) {
        kept.keep(&known);
    }
    progress.end();
    report.tell(&folder);
    Ok(())
}

/// How large a file must be to be uploaded.
fn over(args: &Args) -> usize {
    usize::try_from(args.lazy_over).unwrap_or(usize::MAX)
}

/// Where `--s3` puts large files.
struct Bucket<'a> {
    args: &'a Args,
    place: &'a str,
    files: LazyFiles,
}

impl Bucket<'_> {
    fn open<'a>(args: &'a Args, config: &Config, place: &'a str) -> Result<Bucket<'a>, Refusal> {
        let lazy = config.site(&args.site).map(|chosen| chosen.options.lazy).unwrap_or_default();
        let bucket = place.strip_prefix("s3://").and_then(|rest| rest.split('/').next()).unwrap_or_default();
        if !lazy.buckets.iter().any(|allowed| allowed == bucket) {
            let site = &args.site;
            return Err(Refusal::config(format!(
                "--s3 {place}: readers may not follow it: name the bucket in [sites.{site}.lazy]"
            )));
        }
        Ok(Bucket { args, place, files: LazyFiles::new(lazy) })
    }

    fn upload(&self, folder: &mut Folder, cancel: &Cancel) -> Result<usize, Refusal> {
        let uploaded = ingest::upload(&self.files, &self.args.site, folder, over(self.args), self.place, cancel);
        uploaded.map_err(|(slug, error)| Refusal { message: format!("{slug}: {error}"), status: error.status() })
    }

    fn clean(&self, folder: &Folder, previous: Option<&Tree>, cancel: &Cancel) -> Result<usize, Refusal> {
        ingest::clean(&self.files, &self.args.site, folder, previous, self.place, cancel)
            .map_err(|error| Refusal { message: format!("old files in S3: {error}"), status: error.status() })
    }
}

/// Where the site is written.
fn place(args: &Args, config: &Config) -> Result<Place, Refusal> {
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
        (Place::Embedded(_), None | Some(Target::Embedded)) | (Place::Chroma(_), None | Some(Target::Chroma)) => {
            Ok(place)
        }
        (Place::Bundled, _) => Err(Refusal::config(format!("site {}: the bundled site cannot be written", args.site))),
        (_, Some(_)) => Err(Refusal::config(format!("site {}: --to: it is configured elsewhere", args.site))),
    }
}

fn writer(args: &Args, config: &Config, place: Place, cancel: &Cancel) -> Result<Box<dyn Writer>, Refusal> {
    match place {
        Place::Chroma(chroma) => {
            let writer = ChromaWriter::open(*chroma, cancel);
            let writer = match config.embeddings()? {
                Some(embeddings) => writer.and_then(|writer| writer.embedding_with(embeddings)),
                None => writer,
            };
            Ok(Box::new(writer.map_err(refuse)?))
        }
        Place::Embedded(file) => Ok(Box::new(EmbeddedWriter::open(&args.site, &file))),
        Place::Bundled => Err(Refusal::config(format!("site {}: the bundled site cannot be written", args.site))),
    }
}

/// The tree that readers see now, asked for without making anything.
fn current(site: &str, place: &Place, cancel: &Cancel) -> Result<Option<Tree>, Refusal> {
    let tree = match place {
        Place::Bundled => return Ok(None),
        Place::Embedded(file) => return EmbeddedWriter::open(site, file).current(cancel).map_err(refuse),
        Place::Chroma(chroma) => Chroma::new((**chroma).clone()).tree(None, cancel),
    };
    match tree {
        Ok(TreeAnswer::Tree(tree)) => Ok(Some(*tree)),
        Ok(TreeAnswer::NotModified) | Err(StoreError::NoCollection { .. } | StoreError::NoTree { .. }) => Ok(None),
        Err(error) => Err(refuse(error)),
    }
}

fn refuse(error: StoreError) -> Refusal {
    Refusal { message: error.to_string(), status: error.status() }
}
