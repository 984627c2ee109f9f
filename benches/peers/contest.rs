//! A row's contest: docsh and its peers, one after the other, again and again in one run, each round in another order.
use crate::{
    place::Place,
    process::{self, Answer, Run},
    rows::Row,
};
use serde::{Deserialize, Serialize};
use std::{
    fs::{self, File},
    path::PathBuf,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// Rounds of a row, unless its time is over; odd, so that a median is a measurement.
const ROUNDS: usize = 51;
/// There are at least so many.
const LEAST: usize = 5;
/// A row's time.
const BUDGET: Duration = Duration::from_secs(6);
/// A peer that takes longer than this has a single round.
const SLOW: Duration = Duration::from_secs(4);

/// What a row came to.
#[derive(Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) title: String,
    pub(crate) docsh: Side,
    pub(crate) peers: Vec<Peer>,
    /// What docsh was to say, and did or did not.
    pub(crate) note: Option<String>,
    /// Why it falls short, if it does.
    pub(crate) short: Vec<String>,
}

/// Medians of one side.
#[derive(Serialize, Deserialize)]
pub(crate) struct Side {
    pub(crate) ms: f64,
    pub(crate) mib: f64,
    pub(crate) rounds: usize,
}

/// A peer, and how docsh compares.
#[derive(Serialize, Deserialize)]
pub(crate) struct Peer {
    pub(crate) name: String,
    /// None if it cannot do it.
    pub(crate) side: Option<Side>,
    /// The median of the rounds' ratios of docsh's time to the peer's.
    pub(crate) ratio: Option<f64>,
    pub(crate) target: Option<f64>,
    /// In what its answer is another one than docsh's, or what kept it from answering.
    pub(crate) differs: Option<String>,
}

/// Whoever takes part.
struct Contender {
    name: String,
    command: Command,
    stdin: Option<PathBuf>,
    runs: Vec<Run>,
    differs: Option<String>,
    has_failed: bool,
}

impl Contender {
    fn new(name: &str, command: Command) -> Contender {
        let (runs, differs) = (Vec::new(), None);
        Contender { name: name.into(), command, stdin: None, runs, differs, has_failed: false }
    }

    fn prepare(&mut self) -> &mut Command {
        let stdin = self.stdin.as_ref().map(|file| Stdio::from(File::open(file).expect("a file of the corpus")));
        self.command.stdin(stdin.unwrap_or_else(Stdio::null))
    }

    fn side(&self) -> Side {
        let times = self.runs.iter().map(|run| run.time.as_secs_f64() * 1e3).collect();
        let memory = self.runs.iter().map(|run| run.memory as f64 / 1024.0).collect();
        Side { ms: median(times), mib: median(memory), rounds: self.runs.len() }
    }

    /// Asked once: the page cache is warm, and the answer known.
    fn first(&mut self, place: &Place) -> (Run, Answer) {
        process::ask(self.prepare(), &place.errors())
    }

    /// Asked once more, for the time.
    fn again(&mut self, place: &Place) {
        let run = process::run(self.prepare(), &place.errors());
        self.runs.push(run);
    }
}

/// Hold the contest of `row`.
pub(crate) fn hold(row: &Row, place: &Place) -> Outcome {
    let mut docsh = Contender::new("docsh", place.docsh(row));
    docsh.stdin = row.stdin.as_ref().map(|file| place.files(row).join(file));
    let (run, answer) = docsh.first(place);
    let complaint = complaint(place);
    let mut short = Vec::new();
    if let Some(message) = &row.stops {
        let is_told = run.status == Some(126) && complaint.contains(message);
        if !is_told {
            short.push(format!("docsh ended with {} and said `{complaint}`", ended(run)));
        }
    } else if run.status != Some(0) {
        short.push(format!("docsh ended with {}: `{complaint}`", ended(run)));
    }
    let mut peers: Vec<Contender> =
        place.peers(row).into_iter().map(|(name, command)| Contender::new(name, command)).collect();
    for peer in &mut peers {
        let (run, theirs) = peer.first(place);
        if run.status != Some(0) {
            let complaint = self::complaint(place);
            peer.differs = Some(format!("ended with {}{}", ended(run), quoted(&complaint)));
            peer.has_failed = true;
        } else if theirs != answer && row.stops.is_none() {
            peer.differs = Some(match (theirs.lines, answer.lines) {
                (theirs, ours) if theirs == ours => "other lines".into(),
                (theirs, ours) => format!("{theirs} lines, docsh {ours}"),
            });
        }
        if run.time > SLOW && !peer.has_failed {
            peer.runs.push(run);
        }
    }
    let begun = Instant::now();
    while docsh.runs.len() < LEAST || (docsh.runs.len() < ROUNDS && begun.elapsed() < BUDGET) {
        let round = docsh.runs.len() + 1;
        // Each round begins with another one: whoever came behind a large process would always find the caches cold.
        for turn in 0..=peers.len() {
            let Some(peer) = ((round + turn) % (peers.len() + 1)).checked_sub(1) else {
                docsh.again(place);
                continue;
            };
            let peer = &mut peers[peer];
            let is_quick = peer.runs.first().is_none_or(|first| first.time <= SLOW);
            if !peer.has_failed && is_quick && peer.runs.len() + 1 == round {
                peer.again(place);
            }
        }
    }
    let ours = docsh.side();
    if let Some(most) = row.memory.filter(|&most| ours.mib > most as f64) {
        short.push(format!("{:.1} MiB, not {most}", ours.mib));
    }
    let peers: Vec<Peer> = peers.iter().map(|peer| compare(peer, &docsh, row)).collect();
    for peer in &peers {
        if let (Some(ratio), Some(target)) = (peer.ratio, peer.target)
            && ratio > target
        {
            short.push(format!("{ratio:.2} × {}, not {target}", peer.name));
        }
    }
    let note = row.stops.as_ref().map(|_| format!("docsh: `{complaint}`"));
    Outcome { title: row.title(), docsh: ours, peers, note, short }
}

fn compare(peer: &Contender, docsh: &Contender, row: &Row) -> Peer {
    let ratios: Vec<f64> = docsh
        .runs
        .iter()
        .zip(&peer.runs)
        .map(|(ours, theirs)| ours.time.as_secs_f64() / theirs.time.as_secs_f64())
        .collect();
    Peer {
        name: peer.name.clone(),
        side: (!peer.runs.is_empty()).then(|| peer.side()),
        ratio: (!ratios.is_empty() && row.stops.is_none()).then(|| median(ratios)),
        target: row.target.get(&peer.name).copied(),
        differs: peer.differs.clone(),
    }
}

/// How a process ended, in words.
fn ended(run: Run) -> String {
    match run.status {
        Some(status) => format!("status {status} after {} ms", run.time.as_millis()),
        None => format!("no answer in {} s", process::LIMIT.as_secs()),
    }
}

/// The first line of what the last process said on stderr, cut to a line of the table.
fn complaint(place: &Place) -> String {
    let text = fs::read(place.errors()).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().chars().take(120).collect()
}

fn quoted(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(": `{text}`") }
}

/// The median; of an even number the higher one of the middle.
pub(crate) fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
