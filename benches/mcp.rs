//! Many agents at once: 500 sessions over HTTP, each of which makes 50 calls, against one server. It prints errors,
//! calls a second, latencies, and the server's peak memory after the 5th and after the 50th call of each session.
//!
//! `cargo bench --bench mcp`; nothing is asserted.
#![allow(missing_docs, reason = "a program, not a library")]
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "it starts processes and reports"
)]
use serde_json::{Value, json};
use std::{
    fs,
    io::{self, BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    process::{Child, Command, Stdio},
    sync::{Arc, Barrier},
    thread,
    time::{Duration, Instant},
};

const SESSIONS: usize = 500;
const CALLS: usize = 50;
/// After this many calls of each session memory is looked at for the first time.
const EARLY: usize = 5;

/// What agents ask, one after the other.
const COMMANDS: [&str; 5] = [
    "ls -R / | head -50",
    "grep -rn token /auth | head -20",
    "cat /auth/oauth.mdx",
    "find / -name '*.mdx' | wc -l",
    "jq '.paths | keys' /api-specs/v2.json",
];

fn main() {
    let (server, address) = start();
    let rounds = Arc::new([Barrier::new(SESSIONS + 1), Barrier::new(SESSIONS + 1), Barrier::new(SESSIONS + 1)]);
    let started = Instant::now();
    let sessions: Vec<_> = (0..SESSIONS)
        .map(|number| {
            let rounds = rounds.clone();
            let session = thread::Builder::new().stack_size(256 * 1024);
            session.spawn(move || session_of(number, address, &rounds)).unwrap()
        })
        .collect();
    rounds[0].wait();
    let early = peak(&server);
    rounds[1].wait();
    rounds[2].wait();
    let took = started.elapsed();
    let late = peak(&server);
    let mut times = Vec::new();
    let mut errors = 0;
    for session in sessions {
        for call in session.join().unwrap() {
            match call {
                Ok(time) => times.push(time),
                Err(_) => errors += 1,
            }
        }
    }
    times.sort_unstable();
    let ms = |part: usize| times.get(times.len() * part / 100).map_or(0.0, |time| time.as_secs_f64() * 1e3);
    println!(
        "| sessions | calls | errors | calls a second | median, ms | 99 %, ms | peak after {EARLY}, MiB | after {CALLS}, MiB | ratio |"
    );
    println!("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    println!(
        "| {SESSIONS} | {} | {errors} | {:.0} | {:.1} | {:.1} | {:.1} | {:.1} | {:.2} |",
        SESSIONS * CALLS,
        times.len() as f64 / took.as_secs_f64(),
        ms(50),
        ms(99),
        early as f64 / 1024.0,
        late as f64 / 1024.0,
        late as f64 / early as f64
    );
    stop(server);
}

/// The server, and where it listens.
fn start() -> (Child, SocketAddr) {
    let mut server = Command::new(env!("CARGO_BIN_EXE_docsh"))
        .args(["mcp", "--site", "acme", "--listen", "127.0.0.1:0", "--timeout", "0"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim_end().rsplit_once("http://").unwrap().1.trim_end_matches("/mcp").parse().unwrap();
    (server, address)
}

fn stop(mut server: Child) {
    server.kill().unwrap();
    server.wait().unwrap();
}

/// The most memory that the process has had, in KiB.
fn peak(server: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// The calls of one session: how long each took, or why it failed.
fn session_of(number: usize, address: SocketAddr, rounds: &[Barrier; 3]) -> Vec<io::Result<Duration>> {
    let mut client = Client::new(address);
    let mut calls = Vec::new();
    for call in 0..CALLS {
        if call == EARLY {
            rounds[0].wait();
            rounds[1].wait();
            // Whoever was first has waited for the last one, perhaps longer than the server keeps a connection.
            client = client.and_then(Client::again);
        }
        let command = COMMANDS[(number + call) % COMMANDS.len()];
        let started = Instant::now();
        let answer = client.as_mut().map_err(|error| io::Error::other(error.to_string()));
        calls.push(answer.and_then(|client| client.call(call + 2, command)).map(|()| started.elapsed()));
    }
    rounds[2].wait();
    calls
}

fn connect(address: SocketAddr) -> io::Result<BufReader<TcpStream>> {
    let stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(300)))?;
    Ok(BufReader::new(stream))
}

/// One session over one connection.
struct Client {
    address: SocketAddr,
    stream: BufReader<TcpStream>,
    id: String,
}

impl Client {
    fn new(address: SocketAddr) -> io::Result<Client> {
        let mut client = Client { address, stream: connect(address)?, id: String::new() };
        let about = json!({ "name": "bench", "version": "1" });
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about });
        client.ask(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }))?;
        client.ask(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        Ok(client)
    }

    /// The same session over a new connection.
    fn again(self) -> io::Result<Client> {
        Ok(Client { stream: connect(self.address)?, ..self })
    }

    fn call(&mut self, id: usize, command: &str) -> io::Result<()> {
        let params = json!({ "name": "query_docs_acme", "arguments": { "command": command } });
        let answer = self.ask(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }))?;
        match answer.contains("\"exitCode\":0") {
            true => Ok(()),
            false => Err(io::Error::other(answer)),
        }
    }

    /// Send a message; the body of the response.
    fn ask(&mut self, message: &Value) -> io::Result<String> {
        let body = message.to_string();
        let session = match self.id.as_str() {
            "" => String::new(),
            id => format!("Mcp-Session-Id: {id}\r\nMCP-Protocol-Version: 2025-11-25\r\n"),
        };
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, \
             text/event-stream\r\n{session}Content-Length: {}\r\n\r\n",
            body.len()
        );
        self.stream.get_mut().write_all(format!("{head}{body}").as_bytes())?;
        let (mut length, mut is_chunked) = (0, false);
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let line = line.trim_end();
            match line.split_once(": ") {
                Some(("mcp-session-id", id)) => self.id = id.to_string(),
                Some(("content-length", bytes)) => length = bytes.parse().unwrap_or(0),
                Some(("transfer-encoding", how)) => is_chunked = how == "chunked",
                None if line.is_empty() => break,
                _ => {}
            }
        }
        let mut body = Vec::new();
        if !is_chunked {
            body.resize(length, 0);
            self.stream.read_exact(&mut body)?;
        }
        while is_chunked {
            let mut size = String::new();
            self.stream.read_line(&mut size)?;
            let size = usize::from_str_radix(size.trim_end(), 16).map_err(io::Error::other)?;
            let start = body.len();
            body.resize(start + size + 2, 0);
            self.stream.read_exact(&mut body[start..])?;
            body.truncate(start + size);
            is_chunked = size > 0;
        }
        Ok(String::from_utf8_lossy(&body).into_owned())
    }
}
