//! A search of a site in Chroma by processes with a warm cache and with none.
use crate::{
    contest::median,
    place::Place,
    process,
    proxy::{self, Proxy},
    rows::ChromaPlan,
    service,
};
use serde::{Deserialize, Serialize};
use std::{
    fs,
    io::{self, Write},
    net::TcpStream,
    process::Stdio,
    time::Instant,
};

/// Rounds; odd, so that a median is a measurement.
const ROUNDS: usize = 21;

/// Medians in ms, and medians of the rounds' ratios.
#[derive(Serialize, Deserialize)]
pub(crate) struct Searches {
    pub(crate) embedded: f64,
    pub(crate) warm: f64,
    pub(crate) warm_ratio: f64,
    pub(crate) replayed: f64,
    pub(crate) cold: f64,
    pub(crate) cold_ratio: f64,
    /// How many requests a cold search makes.
    pub(crate) requests: usize,
}

/// Whether the server is installed; a line says so if not.
pub(crate) fn is_there() -> bool {
    let services = std::env::var_os("DOCSH_TEST_SERVICES").map(std::path::PathBuf::from);
    services.is_some_and(|services| services.join("venv/bin/python").exists())
}

/// Search the site of `plan.pages` pages, which is there as a file.
pub(crate) fn measure(plan: &ChromaPlan, place: &Place) -> io::Result<Searches> {
    let server = service::chroma();
    let recorder = Proxy::to(server.port);
    let cache = place.join("cache");
    let config = |name: &str, url: &str| {
        let file = place.join(name);
        let site = format!("[sites.pages]\nurl = \"{url}\"\nttl = \"1h\"\n[cache]\nfolder = {cache:?}\n");
        fs::write(&file, site).map(|()| file)
    };
    let (direct, recorded) = (config("direct.toml", &server.url())?, config("recorded.toml", &recorder.url())?);
    let folder = place.join("files").join(plan.pages.to_string());
    let mut ingest = place.docsh_with(&["ingest", "--site", "pages", "--to", "chroma", "--config"]);
    let done = ingest.arg(&direct).arg(folder).stdout(Stdio::null()).status()?;
    assert!(done.success(), "ingest: {done}");
    let search = |config: &std::path::Path| {
        let mut docsh = place.docsh_with(&["--site", "pages", "-c", &plan.docsh, "--config"]);
        docsh.arg(config).stdin(Stdio::null());
        let run = process::run(&mut docsh, &place.errors());
        assert_eq!(run.status, Some(0), "{}", fs::read_to_string(place.errors()).unwrap_or_default());
        run.time.as_secs_f64() * 1e3
    };
    let empty = || {
        let _ = fs::remove_dir_all(&cache);
    };
    empty();
    let requests = recorder.recorded(|| {
        search(&recorded);
    });
    let (mut cold, mut replayed) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        empty();
        cold.push(search(&direct));
        replayed.push(replay(server.port, &requests)?);
    }
    let file = format!("pages-{}", plan.pages);
    let mut embedded = place.docsh_with(&["--site", &file, "-c", &plan.docsh]);
    embedded.stdin(Stdio::null());
    let (mut warm, mut at_hand) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        warm.push(search(&direct));
        at_hand.push(process::run(&mut embedded, &place.errors()).time.as_secs_f64() * 1e3);
    }
    let ratio =
        |ours: &[f64], theirs: &[f64]| median(ours.iter().zip(theirs).map(|(ours, theirs)| ours / theirs).collect());
    let (warm_ratio, cold_ratio) = (ratio(&warm, &at_hand), ratio(&cold, &replayed));
    let [embedded, warm, replayed, cold] = [at_hand, warm, replayed, cold].map(median);
    Ok(Searches { embedded, warm, warm_ratio, replayed, cold, cold_ratio, requests: requests.len() })
}

/// Make the requests again, one after the other over one connection; how many ms until the last answer is read.
fn replay(port: u16, requests: &[Vec<u8>]) -> io::Result<f64> {
    let begun = Instant::now();
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_nodelay(true)?;
    for request in requests {
        stream.write_all(request)?;
        proxy::read_message(&mut stream).ok_or(io::ErrorKind::UnexpectedEof)?;
    }
    Ok(begun.elapsed().as_secs_f64() * 1e3)
}
