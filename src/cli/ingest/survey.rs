//! `--tree-only`: write the tree of a collection that somebody else's pipeline has filled, and nothing else.
use super::{Access, Args, Config, Place, Refusal, place, refuse};
use crate::{
    cli::host,
    ingest::{self, AccessRules},
    store::chroma::{ChromaWriter, SurveyFields},
    tree::access::Class,
};
use clap::Args as ClapArgs;
use docsh_builtins::Cancel;
use serde_json::json;
use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

/// How many pages are named that lack something.
const NAMED: usize = 5;

/// What `--tree-only` is told.
#[derive(ClapArgs, Clone, Debug)]
pub struct SurveyArgs {
    /// Read no folder: write the tree of a collection that something else has filled
    #[arg(long, conflicts_with_all = ["dir", "all", "include_hidden", "include_config", "s3", "watch", "dry_run"])]
    pub tree_only: bool,

    /// With --tree-only: who may see pages whose chunks do not say ([[rule]] with paths, public, groups)
    #[arg(long, value_name = "FILE", requires = "tree_only")]
    pub access_from: Option<PathBuf>,

    /// With --tree-only: the metadata field that says whether everybody may see a page (default: isPublic)
    #[arg(long, value_name = "NAME", requires = "tree_only")]
    pub public_field: Option<String>,

    /// With --tree-only: the field of its groups, a list or names with commas (default: groups)
    #[arg(long, value_name = "NAME", requires = "tree_only")]
    pub groups_field: Option<String>,

    /// With --tree-only: the field of its title (default: title)
    #[arg(long, value_name = "NAME", requires = "tree_only")]
    pub title_field: Option<String>,

    /// With --tree-only: the field of its last change (default: updated_at)
    #[arg(long, value_name = "NAME", requires = "tree_only")]
    pub updated_field: Option<String>,
}

impl SurveyArgs {
    fn fields(&self) -> SurveyFields {
        let usual = SurveyFields::default();
        let or = |field: &Option<String>, usual: String| field.clone().unwrap_or(usual);
        SurveyFields {
            public: or(&self.public_field, usual.public),
            groups: or(&self.groups_field, usual.groups),
            title: or(&self.title_field, usual.title),
            updated: or(&self.updated_field, usual.updated),
        }
    }

    fn rules(&self) -> Result<Option<AccessRules>, Refusal> {
        let Some(file) = &self.access_from else { return Ok(None) };
        let wrong = |error: String| Refusal::config(format!("--access-from {}: {error}", file.display()));
        let text = fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
        AccessRules::parse(&text).map(Some).map_err(wrong)
    }
}

/// Run it.
pub(super) fn run(args: &Args, config: &Config, cancel: &Cancel) -> Result<(), Refusal> {
    let rules = args.survey.rules()?;
    let Place::Chroma(chroma) = place(args, config)? else {
        return Err(Refusal::usage("--tree-only is for sites in Chroma"));
    };
    let default = args.access.map(|access| match access {
        Access::Public => Class::Public,
        Access::Private => Class::SignedIn,
    });
    let configured = config.file.sites.get(&args.site).and_then(|table| table.base_url.as_deref());
    let base_url = args.base_url.as_deref().or(configured);
    let mut writer = ChromaWriter::beside(*chroma, cancel).map_err(refuse)?;
    let survey = writer.survey(&args.survey.fields(), cancel).map_err(refuse)?;
    let report = ingest::write_survey(&mut writer, &survey, rules.as_ref(), default.as_ref(), base_url, cancel);
    let report = report.map_err(refuse)?;
    report.warnings.iter().for_each(|warning| host::say(&format!("docsh: {warning}\n")));
    if !report.silent.is_empty() {
        let named: Vec<&str> = report.silent.iter().take(NAMED).map(String::as_str).collect();
        return Err(Refusal::config(format!(
            "site {}: nobody says who may see {} of its pages ({}{}); say so with --access-from FILE or --access",
            args.site,
            report.silent.len(),
            named.join(", "),
            if report.silent.len() > NAMED { ", …" } else { "" },
        )));
    }
    if report.pages == 0 {
        return Err(Refusal::config(format!("site {}: there is no page in its collection", args.site)));
    }
    if args.json {
        let left_out = &report.warnings;
        let told =
            json!({ "site": args.site, "pages": report.pages, "strangers": survey.strangers, "warnings": left_out });
        // A reader that has gone has seen enough.
        let _ = io::stdout().write_all(format!("{told}\n").as_bytes());
    } else {
        let strangers = match survey.strangers {
            0 => String::new(),
            number => format!("; {number} records belong to no page"),
        };
        host::say(&format!("site {}: a tree of {} pages{strangers}\n", args.site, report.pages));
    }
    Ok(())
}
