//! `docsh cache stats|clear|warm`: what docsh keeps on the disk between its processes.
use super::{
    Refusal,
    config::{Config, Place},
    host,
};
use crate::store::disk::{Disk, DiskStats};
use clap::{Args as ClapArgs, Subcommand};
use docsh_builtins::{Cancel, Status};
use std::{
    io::{self, Write},
    time::Duration,
};

/// Look at what is kept on the disk, remove it, or fill it.
#[derive(ClapArgs, Clone, Debug)]
pub struct Args {
    /// What to do
    #[command(subcommand)]
    pub action: Action,
}

/// What to do with the cache.
#[derive(Subcommand, Clone, Debug)]
pub enum Action {
    /// Tell where it is and what it holds
    Stats,
    /// Remove all that it holds
    Clear,
    /// Read a whole site into it
    Warm {
        /// The site
        #[arg(long, value_name = "NAME")]
        site: Option<String>,
    },
}

/// Run it.
pub fn run(args: &Args, config: &Config, cancel: &Cancel) -> Result<Status, Refusal> {
    let (Some(folder), capacity) = config.disk() else {
        return Err(Refusal::config(
            "[cache]: nothing is kept on the disk (`disk = false`, or there is no home folder)",
        ));
    };
    let disk = Disk::new(folder.as_os_str(), Duration::ZERO, capacity);
    let folder = folder.display();
    let text = match &args.action {
        Action::Stats => format!("{folder}: {}, of {} that it may have\n", told(disk.stats()), capacity),
        Action::Clear => {
            let held = disk.clear().map_err(|error| Refusal::config(format!("{folder}: {error}")))?;
            format!("{folder}: {} removed\n", told(held))
        }
        Action::Warm { site } => warm(site.as_deref(), config, cancel)?,
    };
    // A reader that has gone has seen enough.
    let _ = io::stdout().write_all(text.as_bytes());
    Ok(Status::OK)
}

fn told(DiskStats { pages, trees, folders, bytes }: DiskStats) -> String {
    format!("{pages} pages, {trees} trees and {folders} ingested folders, {bytes} bytes")
}

fn warm(site: Option<&str>, config: &Config, cancel: &Cancel) -> Result<String, Refusal> {
    let chosen = config.choose(site)?;
    if !matches!(chosen.place, Place::Chroma(_)) {
        return Err(Refusal::usage(format_args!("site {}: it is at hand, and needs no cache", chosen.name)));
    }
    let refuse = |error: crate::store::StoreError| Refusal { message: error.to_string(), status: error.status() };
    let mut progress = |done: usize, total: usize| {
        if host::stderr_is_terminal() {
            let end = if done == total { "\r\x1b[K" } else { "" };
            host::say(&format!("\r{done} of {total} pages{end}"));
        }
    };
    let pages = chosen.open(cancel).map_err(refuse)?.warm(&mut progress, cancel).map_err(refuse)?;
    Ok(format!("site {}: {pages} pages read\n", chosen.name))
}
