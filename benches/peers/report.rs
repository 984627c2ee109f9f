//! What was measured, as Markdown.
use crate::{
    chroma::Searches,
    contest::{Outcome, Peer, Side},
    rows::{Plan, grouped},
    sessions::Sessions,
};
use std::fmt::Write;

/// The columns beside docsh's.
const PEERS: [&str; 4] = ["bash", "rg", "just-bash", "bashkit"];

/// A table of the outcomes, and under it what the table has no room for: what else falls short, and, for each peer,
/// which answers are others than docsh's (`≠`) or none.
pub(crate) fn rows(outcomes: &[&Outcome]) -> String {
    let mut text = String::from("| | docsh | bash and GNU | ripgrep | just-bash | bashkit |\n");
    text.push_str("| --- | ---: | ---: | ---: | ---: | ---: |\n");
    let mut notes = Vec::new();
    for outcome in outcomes {
        let mark = if outcome.short.is_empty() { "" } else { " ✗" };
        // A pipe would end the cell, also in code.
        let _ = write!(text, "| {}{mark} | {} |", outcome.title.replace('|', "\\|"), side(&outcome.docsh));
        for name in PEERS {
            let peer = outcome.peers.iter().find(|peer| peer.name == name);
            let _ = write!(text, " {} |", peer.map_or_else(String::new, cell));
        }
        text.push('\n');
        // Ratios beyond their targets are in the table.
        let others = outcome.short.iter().filter(|why| !why.contains(" × "));
        notes.extend(others.chain(&outcome.note).map(|note| format!("- {}: {note}.", outcome.title)));
    }
    for name in PEERS {
        let of = |outcome: &&Outcome| {
            let peer = outcome.peers.iter().find(|peer| peer.name == name)?;
            Some(format!("{}: {}", outcome.title, peer.differs.as_ref()?))
        };
        let differences: Vec<String> = outcomes.iter().filter_map(of).collect();
        if !differences.is_empty() {
            notes.push(format!("- {name} answers otherwise: {}.", differences.join("; ")));
        }
    }
    if !notes.is_empty() {
        let _ = write!(text, "\n{}\n", notes.join("\n"));
    }
    text
}

/// The lines that compare no commands.
pub(crate) fn sessions_and_chroma(sessions: Option<&Sessions>, chroma: Option<&Searches>, plan: &Plan) -> String {
    let mut text = String::new();
    let mut row = |is_short: bool, line: String| {
        let _ = writeln!(text, "- {}{line}", if is_short { "✗ " } else { "" });
    };
    if let Some(Sessions { new, first, live }) = sessions {
        let most = plan.sessions.new;
        row(*new > most, format!("A new session: {new:.1} µs (of {most}), with a first command {first:.1} µs."));
        let (count, most) = (grouped(plan.sessions.live), plan.sessions.memory);
        row(*live > most, format!("{count} live sessions: {live:.0} MB (of {most})."));
    }
    match chroma {
        None => row(
            false,
            "Chroma was not asked; `tests/run services` installs it, `DOCSH_TEST_SERVICES` says where.".into(),
        ),
        Some(found) => {
            let (pages, command) = (grouped(plan.chroma.pages), &plan.chroma.docsh);
            let (ours, theirs, ratio, most) = (ms(found.warm), ms(found.embedded), found.warm_ratio, plan.chroma.warm);
            let what = format!("`{command}`, {pages} pages in Chroma");
            row(
                ratio > most,
                format!(
                    "{what}, a warm process: {ours} ms, over the embedded file {theirs} ms: **{ratio:.2}** of {most}."
                ),
            );
            let (ours, theirs, ratio, most) = (ms(found.cold), ms(found.replayed), found.cold_ratio, plan.chroma.cold);
            let requests = found.requests;
            row(
                ratio > most,
                format!(
                    "{what}, a cold process: {ours} ms, its {requests} requests by a bare HTTP client {theirs} ms: \
                     **{ratio:.2}** of {most}."
                ),
            );
        }
    }
    text
}

fn side(side: &Side) -> String {
    format!("{} ms, {:.0} MiB", ms(side.ms), side.mib)
}

/// The peer's time and memory, and how docsh's time compares to it.
fn cell(peer: &Peer) -> String {
    match (&peer.side, peer.ratio) {
        (Some(theirs), Some(ratio)) => {
            let target = peer.target.map_or_else(String::new, |target| format!(" of {target}"));
            let mark = if peer.differs.is_some() { "≠ " } else { "" };
            format!("{mark}{}: **{}**{target}", side(theirs), short(ratio))
        }
        (Some(theirs), None) => side(theirs),
        (None, _) => "fails".into(),
    }
}

fn ms(ms: f64) -> String {
    if ms < 10.0 { format!("{ms:.1}") } else { format!("{ms:.0}") }
}

fn short(ratio: f64) -> String {
    if ratio < 0.1 { format!("{ratio:.3}") } else { format!("{ratio:.2}") }
}
