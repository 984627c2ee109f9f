//! `docsh check --site NAME`: read every page of a site and tell what is wrong with it; for the site's owner, since it
//! tells of pages whoever may see them.
use super::{Refusal, config::Config};
use crate::site::check::Report;
use clap::Args as ClapArgs;
use docsh_builtins::{Cancel, Status};
use serde::Serialize;
use std::io::{self, Write};

/// Read every page of a site and tell what is wrong with it.
#[derive(ClapArgs, Clone, Debug)]
pub struct Args {
    /// The site
    #[arg(long, value_name = "NAME")]
    pub site: Option<String>,

    /// Answer one line of JSON
    #[arg(long)]
    pub json: bool,
}

/// What was found.
#[derive(Serialize)]
struct Findings {
    site: String,
    pages: usize,
    public: usize,
    unhashed: usize,
    problems: Vec<Problem>,
}

/// Something that its owner must mend.
#[derive(Serialize)]
struct Problem {
    path: String,
    problem: String,
}

/// Run it: a line a problem on stdout, then a summary; or all of it as JSON. The status is 1 when there is a problem.
pub fn run(args: &Args, config: &Config, cancel: &Cancel) -> Result<Status, Refusal> {
    let chosen = config.choose(args.site.as_deref())?;
    let refuse = |error: crate::store::StoreError| Refusal { message: error.to_string(), status: error.status() };
    let site = chosen.open(cancel).map_err(refuse)?;
    let mut problems = Vec::new();
    let mut found = |path: &str, problem: &str| {
        problems.push(Problem { path: format!("/{path}"), problem: problem.to_string() });
    };
    let Report { pages, public, unhashed, .. } = site.check(&mut found, cancel).map_err(refuse)?;
    let findings = Findings { site: chosen.name, pages, public, unhashed, problems };
    // Numbers and text are always JSON.
    let text = if args.json { serde_json::to_string(&findings).unwrap_or_default() + "\n" } else { lines(&findings) };
    // A reader that has gone has seen enough.
    let _ = io::stdout().write_all(text.as_bytes());
    Ok(Status::from(findings.problems.is_empty()))
}

fn lines(findings: &Findings) -> String {
    let Findings { site, pages, public, unhashed, problems } = findings;
    let mut lines: String = problems.iter().map(|found| format!("{}: {}\n", found.path, found.problem)).collect();
    lines += &format!("site {site}: {pages} pages, {public} of them public; {} problems\n", problems.len());
    if *unhashed > 0 {
        lines += &format!("{unhashed} pages have no hash: caches keep them for the site's `ttl` only\n");
    }
    lines
}
