//! `docsh mcp`: the site as a Model Context Protocol server, on stdio or over HTTP.
//!
//! One tool runs a command line, read-only and without state between calls; pages are resources too. On stdio the
//! visitor is whoever started the process; over HTTP each request's bearer token says who asks, and sees nothing else.
//! A call stops when the client cancels it, when its time is up, and when the server ends.
mod http;
mod resources;
mod server;
mod sessions;
mod tool;

use super::{
    Refusal, cap,
    config::Config,
    flags::{self, Visiting},
    open::Visit,
};
use clap::Args as ClapArgs;
use docsh_builtins::{Cancel, Status, Stop};
use rmcp::ServiceExt;
use server::{Docs, Service, Terms};
use std::{io, net::SocketAddr, sync::Arc, thread, time::Duration};
use tokio::{runtime, time};

/// Serve the site to agents, over the Model Context Protocol.
#[derive(ClapArgs, Clone, Debug)]
pub struct Args {
    /// Which site, and who looks at it
    #[command(flatten)]
    pub visiting: Visiting,

    /// Serve over HTTP at this address, e.g. 127.0.0.1:8089 (default: on stdin and stdout)
    #[arg(long, value_name = "ADDRESS:PORT", conflicts_with_all = ["as", "token_file", "token_fd"])]
    pub listen: Option<SocketAddr>,

    /// Answer requests for this host name too; needed where others than this machine may connect
    #[arg(long, value_name = "HOST", requires = "listen")]
    pub allow_host: Vec<String>,

    /// Answer web pages of this origin, e.g. https://app.example.com:443
    #[arg(long, value_name = "ORIGIN", requires = "listen")]
    pub allow_origin: Vec<String>,

    /// Sessions at once, over HTTP
    #[arg(long, value_name = "NUMBER", default_value_t = 10_000, requires = "listen")]
    pub max_sessions: usize,

    /// Connections at once, over HTTP; fewer where the system lets the process open fewer files
    #[arg(long, value_name = "NUMBER", default_value_t = 20_000, requires = "listen")]
    pub max_connections: usize,

    /// Calls that run at once, of all sessions; more wait (default: 8 a processor, 16 at least)
    #[arg(long, value_name = "NUMBER")]
    pub max_calls: Option<usize>,

    /// Calls that run at once, of one session; more wait
    #[arg(long, value_name = "NUMBER", default_value_t = 8)]
    pub max_session_calls: usize,

    /// Stop a call after this many seconds (default 30; 0 for none)
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<f64>,

    /// Bytes shown of each stream of a call
    #[arg(long, value_name = "BYTES", default_value_t = cap::SHOWN)]
    pub max_output: usize,

    /// Let the calls of a session write to /tmp: up to SIZE (16M) in memory, the session's own, gone with it
    #[arg(long, value_name = "SIZE", value_parser = flags::scratch)]
    pub scratch: Option<u64>,

    /// Bytes of all sessions' /tmp together
    #[arg(long, value_name = "SIZE", value_parser = flags::scratch, default_value = "1G", requires = "scratch")]
    pub max_scratch: u64,

    /// After each call, a line on stderr: its time, requests, pages, cache hits, bytes
    #[arg(long)]
    pub trace: bool,
}

/// Calls that run at once for each processor, unless `--max-calls` says otherwise: while one waits for the store,
/// others compute. Beyond that they only hold memory, each that of what it has read so far.
const CALLS: usize = 8;
/// Calls that run at once however few processors there are.
const LEAST_CALLS: usize = 16;
/// How late a signal may be noticed.
const PATIENCE: Duration = Duration::from_millis(50);
/// How long calls under way may take to stop once the server ends.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Serve until stdin ends, or a signal comes.
pub fn run(args: &Args, config: &Config, signals: &Cancel) -> Result<Status, Refusal> {
    let http = args.listen.map(|address| http::Rules::new(args, address)).transpose()?;
    let limits = flags::limits(config, args.timeout)?;
    let visit = Visit::open(&args.visiting, config, false, signals)?;
    let failed = |error: io::Error| Refusal::usage(format_args!("cannot serve: {error}"));
    let calls = args.max_calls.unwrap_or_else(|| {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        (processors * CALLS).max(LEAST_CALLS)
    });
    let terms = Terms {
        calls,
        session_calls: args.max_session_calls,
        shown: args.max_output,
        scratch: args.scratch,
        max_scratch: args.max_scratch,
        is_traced: args.trace,
    };
    let service = Arc::new(Service::new(visit, limits, signals.clone(), terms));
    let mut builder = match http {
        Some(_) => runtime::Builder::new_multi_thread(),
        None => runtime::Builder::new_current_thread(),
    };
    // A call has a thread of this pool; those that wait for their turn have none.
    let runtime = builder.enable_all().max_blocking_threads(calls + 16).build().map_err(failed)?;
    let served = runtime.block_on(async {
        tokio::select! {
            stop = stopped(signals) => Ok(Status(stop.status())),
            served = async {
                match http {
                    Some(rules) => http::serve(rules, service).await,
                    None => stdio(service).await,
                }
            } => served.map(|()| Status::OK),
        }
    });
    // Whatever still runs has nobody to answer.
    signals.stop(Stop::Abandoned);
    runtime.shutdown_timeout(LAST_WORDS);
    served.map_err(failed)
}

/// One session over stdin and stdout.
async fn stdio(service: Arc<Service>) -> io::Result<()> {
    let session = Docs::new(service).serve(rmcp::transport::stdio()).await;
    // A client that leaves before it has said hello is no error of ours.
    let Ok(session) = session else { return Ok(()) };
    session.waiting().await.map(drop).map_err(io::Error::other)
}

/// Wait for a signal. A handler may only store a number, so somebody has to look.
async fn stopped(signals: &Cancel) -> Stop {
    loop {
        time::sleep(PATIENCE).await;
        if let Err(stop) = signals.check() {
            return stop;
        }
    }
}
