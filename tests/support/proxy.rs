//! A proxy between docsh and a server: it counts the requests that pass, and can be told to misbehave.
use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// A proxy that is listening. It lives as long as the test process.
pub(crate) struct Proxy {
    port: u16,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    requests: AtomicUsize,
    fault: Mutex<Fault>,
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

    /// How many requests came since the last time it was asked.
    pub(crate) fn requests(&self) -> usize {
        self.state.requests.swap(0, Ordering::Relaxed)
    }
}

impl State {
    /// Requests of one connection, one after the other.
    fn serve(&self, mut client: TcpStream, server: u16) {
        while let Some(request) = read_message(&mut client) {
            self.requests.fetch_add(1, Ordering::Relaxed);
            let answer = match self.next() {
                Fault::None | Fault::Until(1..) => {
                    let Ok(mut upstream) = TcpStream::connect(("127.0.0.1", server)) else { break };
                    if upstream.write_all(&request).is_err() {
                        break;
                    }
                    let Some(answer) = read_message(&mut upstream) else { break };
                    answer
                }
                Fault::HangUp(_) | Fault::Until(0) => break,
                Fault::Answer(_, answer) => answer.replace('\n', "\r\n").into_bytes(),
                Fault::Silence => {
                    thread::sleep(std::time::Duration::from_secs(3600));
                    break;
                }
            };
            if client.write_all(&answer).is_err() {
                break;
            }
        }
        let _ = client.shutdown(Shutdown::Both);
    }

    /// What to do with the next request.
    fn next(&self) -> Fault {
        let mut fault = self.fault.lock().expect("no panic");
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

/// A whole HTTP message: its head, and as much as `content-length` says. `None` at the end of the connection.
fn read_message(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut message = Vec::new();
    let mut buffer = [0; 64 * 1024];
    loop {
        let read = stream.read(&mut buffer).ok().filter(|&read| read > 0)?;
        message.extend_from_slice(&buffer[..read]);
        let Some(head) = message.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let text = String::from_utf8_lossy(&message[..head]).to_ascii_lowercase();
        let length = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
        if message.len() >= head + 4 + length.unwrap_or(0) {
            return Some(message);
        }
    }
}
