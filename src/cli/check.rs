//! `docsh check --site NAME`: read every page of a site and tell what is wrong with it; for the site's owner, since it
//! tells of pages whoever may see them.
use super::{Refusal, config::Config};
use crate::site::check::Report;
use clap::Args as ClapArgs;
use docsh_builtins::{Cancel, Status};
use std::io::{self, Write};

/// Read every page of a site and tell what is wrong with it.
#[derive(ClapArgs, Clone, Debug)]
pub struct Args {
    /// The site
    #[arg(long, value_name = "NAME")]
    pub site: Option<String>,
}

/// Run it: a line a problem on stdout, then a summary. The status is 1 when there is a problem.
pub fn run(args: &Args, config: &Config, cancel: &Cancel) -> Result<Status, Refusal> {
    let chosen = config.choose(args.site.as_deref())?;
    let refuse = |error: crate::store::StoreError| Refusal { message: error.to_string(), status: error.status() };
    let site = chosen.open(cancel).map_err(refuse)?;
    let mut lines = String::new();
    let mut found = |path: &str, problem: &str| lines += &format!("/{path}: {problem}\n");
    let report = site.check(&mut found, cancel).map_err(refuse)?;
    let Report { pages, public, unhashed, problems } = report;
    lines += &format!("site {}: {pages} pages, {public} of them public; {problems} problems\n", chosen.name);
    if unhashed > 0 {
        lines += &format!("{unhashed} pages have no hash: caches keep them for the site's `ttl` only\n");
    }
    // A reader that has gone has seen enough.
    let _ = io::stdout().write_all(lines.as_bytes());
    Ok(Status::from(problems == 0))
}
