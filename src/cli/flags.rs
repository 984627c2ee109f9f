//! The command line of `docsh`.
#[cfg(feature = "mcp")]
use super::mcp;
use super::{
    Refusal, agents, cache, check,
    config::{Bytes, Config},
    ingest, manual, resolved, setup,
};
use crate::site::Visitor;
use clap::{Args, Parser, Subcommand};
use docsh_builtins::Limits;
use std::{
    path::{self, Path, PathBuf},
    time::Duration,
};

/// Shown below the options, and in the manual page.
const EXAMPLES: &str = "Examples:
  docsh -c 'grep -rn token /auth | head -5'
  docsh --site acme -c 'tree -L 2 /'
  docsh --json -c 'cat /auth/oauth'
  docsh --as signed-in -c 'ls /internal'
  docsh --dir . -c 'find / -name \"*.md\" | wc -l'
  echo 'cd /auth; ls' | docsh
  docsh sites
  docsh setup cursor";

/// A read-only shell over a documentation site: ls, cat, grep and the rest, with pages as files.
///
/// With -c it runs a command line; else, at a terminal, it opens a prompt; else it runs what it reads on stdin.
#[derive(Parser, Debug)]
#[command(
    name = "docsh",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_help_heading = "Subcommands",
    subcommand_value_name = "SUBCOMMAND",
    after_long_help = EXAMPLES
)]
pub struct Arguments {
    /// Everything but the subcommand.
    #[command(flatten)]
    pub flags: Flags,

    /// What else docsh does
    #[command(subcommand)]
    pub mode: Option<Mode>,
}

/// The options and operands of a run.
#[derive(Parser, Debug, Default)]
pub struct Flags {
    /// Run COMMAND and exit with its status; operands become $0, $1, …
    #[arg(short = 'c', value_name = "COMMAND")]
    pub command: Option<String>,

    /// Which site, and who looks at it
    #[command(flatten)]
    pub visiting: Visiting,

    /// The configuration (default: $DOCSH_CONFIG, $XDG_CONFIG_HOME/docsh/config.toml, /etc/docsh/config.toml)
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,

    /// For a login shell: look at no XDG_*, DOCSH_*, SSL_* or token of the environment
    #[arg(long, global = true)]
    pub restricted: bool,

    /// Trust this machine's certificates (or those of $SSL_CERT_FILE) instead of the ones compiled in
    #[arg(long, global = true)]
    pub native_certs: bool,

    /// Stop a command after this many seconds (default 30; none at a prompt; 0 for none)
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<f64>,

    /// Start in this folder of the site
    #[arg(long, value_name = "FOLDER")]
    pub cwd: Option<String>,

    /// Let commands write to /tmp: up to SIZE (16M) in memory, the session's own, gone with it
    #[arg(long, value_name = "SIZE", value_parser = scratch)]
    pub scratch: Option<u64>,

    /// With -c: answer one line of JSON
    #[arg(long, requires = "command")]
    pub json: bool,

    /// Answer requests, one line of JSON each, read from stdin
    #[arg(long, conflicts_with_all = ["command", "json"])]
    pub jsonl: bool,

    /// Bytes shown of each stream in JSON answers (default 30000)
    #[arg(long, value_name = "BYTES")]
    pub max_output: Option<usize>,

    /// After each command, a line on stderr: its time, requests, pages, cache hits, bytes
    #[arg(long)]
    pub trace: bool,

    /// With -c: $0 and the positional parameters
    #[arg(value_name = "NAME ARG", trailing_var_arg = true)]
    pub operands: Vec<String>,
}

/// What docsh does other than running commands.
#[derive(Subcommand, Debug)]
pub enum Mode {
    /// Read a docs folder into a site
    Ingest(Box<ingest::Args>),
    /// Read every page of a site and tell what is wrong with it
    Check(check::Args),
    /// Look at what is kept on the disk, remove it, or fill it
    Cache(cache::Args),
    /// List the sites
    Sites,
    /// Tell which configuration is read
    Config(resolved::Args),
    /// Print a section for an AGENTS.md, as in docsh agents >>AGENTS.md
    Agents(agents::Args),
    /// Print a SKILL.md, for a folder of skills such as .claude/skills/docs/
    Skill(agents::Args),
    /// Print how an MCP client starts docsh, or asks one that listens
    Setup(setup::Args),
    /// Print the completions of a shell
    Completions(manual::Args),
    /// Print the manual page
    Man,
    /// Serve a site to agents, over the Model Context Protocol
    #[cfg(feature = "mcp")]
    Mcp(mcp::Args),
}

/// Which site, and who looks at it.
#[derive(Args, Clone, Debug, Default)]
pub struct Visiting {
    /// The site to explore (default: the configured one, else the bundled example `acme`)
    #[arg(long, value_name = "NAME")]
    pub site: Option<String>,

    /// Explore a folder as it is, every text file of it
    #[arg(long, value_name = "DIR", conflicts_with = "site")]
    pub dir: Option<PathBuf>,

    /// Show the site as this visitor sees it: anonymous, signed-in, or groups:NAME,NAME
    #[arg(long, value_name = "VISITOR")]
    pub r#as: Option<String>,

    /// Read the visitor's session token from this file (or from $DOCSH_TOKEN)
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,

    /// Read the visitor's session token from this open descriptor
    #[arg(long, value_name = "NUMBER", conflicts_with = "token_file")]
    pub token_fd: Option<u32>,

    /// Neither read nor fill the caches that processes share, on the disk and in Redis
    #[arg(long)]
    pub no_cache: bool,

    /// Rather fail than show what was read before the store went down
    #[arg(long)]
    pub no_stale: bool,
}

impl Visiting {
    /// The visitor that `--as` names.
    pub fn visitor(&self) -> Result<Option<Visitor>, Refusal> {
        let named = |who: &String| {
            let wrong = || Refusal::usage(format_args!("--as {who}: use anonymous, signed-in or groups:NAME,NAME"));
            Visitor::named(who).ok_or_else(wrong)
        };
        self.r#as.as_ref().map(named).transpose()
    }

    /// The same with paths that hold wherever docsh is started.
    pub fn anywhere(&self) -> Visiting {
        let absolute = |path: &PathBuf| path::absolute(path).unwrap_or(path.clone());
        Visiting {
            dir: self.dir.as_ref().map(absolute),
            token_file: self.token_file.as_ref().map(absolute),
            ..self.clone()
        }
    }

    /// The options that lead to the same site, called `site`, as the same visitor, under the configuration `config`,
    /// and as `flags` say.
    pub fn options(&self, site: &str, config: Option<&Path>, flags: &Flags) -> Result<Vec<String>, Refusal> {
        if self.token_fd.is_some() {
            return Err(Refusal::usage("--token-fd: a descriptor cannot be passed on; use --token-file"));
        }
        let text = |path: &Path| path.display().to_string();
        let place = match &self.dir {
            Some(dir) => ("--dir", text(dir)),
            None => ("--site", site.to_string()),
        };
        let values = [
            config.map(|config| ("--config", text(config))),
            Some(place),
            self.r#as.clone().map(|visitor| ("--as", visitor)),
            self.token_file.as_deref().map(|file| ("--token-file", text(file))),
        ];
        let values = values.into_iter().flatten().flat_map(|(option, value)| [option.to_string(), value]);
        let flags = [
            ("--no-cache", self.no_cache),
            ("--no-stale", self.no_stale),
            ("--native-certs", flags.native_certs),
            ("--restricted", flags.restricted),
        ];
        let flags = flags.into_iter().filter(|(_, is_set)| *is_set).map(|(flag, _)| flag.to_string());
        Ok(values.chain(flags).collect())
    }
}

/// The bytes that `--scratch` gives a session.
pub fn scratch(text: &str) -> Result<u64, String> {
    match Bytes::parse(text) {
        Some(Bytes(size)) if size > 0 => Ok(size),
        _ => Err("use a size, such as 16M".to_string()),
    }
}

/// The limits of each run: the configuration's, and the time that `--timeout` says.
pub fn limits(config: &Config, timeout: Option<f64>) -> Result<Limits, Refusal> {
    let mut limits = Limits::default();
    config.file.limits.apply(&mut limits);
    match timeout {
        None => {}
        Some(0.0) => limits.time = None,
        Some(seconds) => match Duration::try_from_secs_f64(seconds) {
            Ok(time) => limits.time = Some(time),
            Err(_) => return Err(Refusal::usage(format_args!("--timeout {seconds}: not a time"))),
        },
    }
    Ok(limits)
}
