//! A proxy between docsh and a server: it counts the requests that pass, and can be told to misbehave.
use fastrand::Rng;
use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

/// A proxy that is listening. It lives as long as the test process.
pub(crate) struct Proxy {
    port: u16,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    requests: AtomicUsize,
    /// Bytes of the bodies of all answers.
    bytes: AtomicUsize,
    fault: Mutex<Fault>,
    /// The requests, while somebody wants them.
    record: Mutex<Option<Vec<Vec<u8>>>>,
}

/// How the proxy treats the requests to come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It passes them on.
    #[default]
    None,
    /// It closes the connection instead of answering, so many times.
    HangUp(usize),
    /// It answers this instead, so many times.
    Answer(usize, &'static str),
    /// It passes so many on, and closes every connection after them.
    Until(usize),
    /// It never answers.
    Silence,
    /// It answers after so many milliseconds.
    Slow(u64),
    /// It closes the connection after so many thousandths of the answer.
    Cut(usize),
    /// It changes a bit of the byte that is so many thousandths from the answer's start.
    Flip(usize),
    /// It does to each request what the dice say.
    Chance(Misfortune),
}

/// What may happen to a request, thrown for each anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Misfortune {
    pub(crate) dice: Rng,
    /// How many requests in a hundred are met.
    pub(crate) percent: u32,
    /// Whether bytes may change on their way.
    pub(crate) flips: bool,
}

impl Misfortune {
    fn throw(&mut self) -> Fault {
        let dice = &mut self.dice;
        if dice.u32(..100) >= self.percent {
            return Fault::None;
        }
        match dice.u32(..if self.flips { 16 } else { 12 }) {
            0 => Fault::HangUp(1),
            1 | 2 => Fault::Slow(dice.u64(..300)),
            3 | 4 => Fault::Cut(dice.usize(..1000)),
            5 => Fault::Answer(1, "HTTP/1.1 429 Too Many Requests\nretry-after: 0\ncontent-length: 0\n\n"),
            6 => Fault::Answer(1, "HTTP/1.1 503 Busy\ncontent-length: 4\n\nbusy"),
            7 => Fault::Answer(1, "HTTP/1.1 500 Oops\ncontent-length: 15\n\n{\"error\":\"oops\"}"),
            8 => Fault::Answer(
                1,
                "HTTP/1.1 200 OK\ncontent-type: text/html\ncontent-length: 20\n\n<html>login</html>\n\n",
            ),
            9 => Fault::Answer(1, "HTTP/1.1 200 OK\ncontent-length: 2\n\n{}"),
            10 => Fault::Answer(1, "no HTTP at all\n\n"),
            11 if dice.u32(..4) == 0 => Fault::Silence,
            11 => Fault::Answer(1, "HTTP/1.1 200 OK\ncontent-length: 33\n\n{\"ids\":[],\"documents\":[],\"x\":[1]}"),
            _ => Fault::Flip(dice.usize(..1000)),
        }
    }
}

impl Proxy {
    /// A proxy to the server on this port of the loopback address.
    pub(crate) fn to(server: u16) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("bound").port();
        let state = Arc::new(State::default());
        let shared = state.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let state = shared.clone();
                thread::spawn(move || state.serve(client, server));
            }
        });
        Proxy { port, state }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Treat the requests to come like this.
    pub(crate) fn set(&self, fault: Fault) {
        *self.state.fault.lock().expect("no panic") = fault;
    }

    /// How many bytes of bodies were answered since the last time it was asked.
    pub(crate) fn bytes(&self) -> usize {
        self.state.bytes.swap(0, Ordering::Relaxed)
    }

    /// How many requests came since the last time it was asked.
    pub(crate) fn requests(&self) -> usize {
        self.state.requests.swap(0, Ordering::Relaxed)
    }

    /// The requests that come while `work` is done, byte for byte.
    #[allow(dead_code, reason = "a benchmark makes them again")]
    pub(crate) fn recorded(&self, work: impl FnOnce()) -> Vec<Vec<u8>> {
        *self.state.record.lock().expect("no panic") = Some(Vec::new());
        work();
        self.state.record.lock().expect("no panic").take().unwrap_or_default()
    }
}

impl State {
    /// Requests of one connection, one after the other.
    fn serve(&self, mut client: TcpStream, server: u16) {
        while let Some(request) = read_message(&mut client) {
            self.requests.fetch_add(1, Ordering::Relaxed);
            if let Some(record) = &mut *self.record.lock().expect("no panic") {
                record.push(request.clone());
            }
            let mut fault = self.next();
            if let Fault::Slow(pause) = fault {
                thread::sleep(Duration::from_millis(pause));
                fault = Fault::None;
            }
            let mut answer = match fault {
                Fault::HangUp(_) | Fault::Until(0) => break,
                Fault::Answer(_, answer) => answer.replace('\n', "\r\n").into_bytes(),
                Fault::Silence => {
                    thread::sleep(Duration::from_secs(3600));
                    break;
                }
                _ => match ask(server, &request) {
                    Some(answer) => answer,
                    None => break,
                },
            };
            let place = |thousandths: usize| answer.len().saturating_sub(1) * thousandths / 1000;
            match fault {
                Fault::Cut(thousandths) => {
                    let _ = client.write_all(&answer[..place(thousandths)]);
                    break;
                }
                Fault::Flip(thousandths) => {
                    let place = place(thousandths);
                    answer[place] ^= 1;
                }
                _ => {}
            }
            let head = head_of(&answer).map_or(0, |head| head + 4);
            self.bytes.fetch_add(answer.len() - head, Ordering::Relaxed);
            if client.write_all(&answer).is_err() {
                break;
            }
        }
        let _ = client.shutdown(Shutdown::Both);
    }

    /// What to do with the next request.
    fn next(&self) -> Fault {
        let mut fault = self.fault.lock().expect("no panic");
        if let Fault::Chance(misfortune) = &mut *fault {
            return misfortune.throw();
        }
        let now = fault.clone();
        if let Fault::Until(left) = &mut *fault {
            *left = left.saturating_sub(1);
        }
        if let Fault::HangUp(left) | Fault::Answer(left, _) = &mut *fault {
            *left -= 1;
            if *left == 0 {
                *fault = Fault::None;
            }
        }
        now
    }
}

/// The server's answer to a request.
fn ask(server: u16, request: &[u8]) -> Option<Vec<u8>> {
    let mut upstream = TcpStream::connect(("127.0.0.1", server)).ok()?;
    upstream.write_all(request).ok()?;
    read_message(&mut upstream)
}

/// Where the blank line after a message's head begins.
fn head_of(message: &[u8]) -> Option<usize> {
    message.windows(4).position(|four| four == b"\r\n\r\n")
}

/// A whole HTTP message: its head, and as much as `content-length` says. `None` at the end of the connection.
pub(crate) fn read_message(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut message = Vec::new();
    let mut buffer = [0; 64 * 1024];
    loop {
        let read = stream.read(&mut buffer).ok().filter(|&read| read > 0)?;
        message.extend_from_slice(&buffer[..read]);
        let Some(head) = head_of(&message) else { continue };
        let text = String::from_utf8_lossy(&message[..head]).to_ascii_lowercase();
        let length = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
        if message.len() >= head + 4 + length.unwrap_or(0) {
            return Some(message);
        }
    }
}
