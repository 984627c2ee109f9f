//! A server at an https address, with a certificate of its own making: it serves files by ranges and keeps what it was
//! asked.
use rustls::{
    ServerConfig, ServerConnection, StreamOwned,
    crypto::ring,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
};
use std::{
    collections::HashMap,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

/// A server that is listening on `localhost`. It lives as long as the test process.
pub(crate) struct Https {
    pub(crate) port: u16,
    /// Its certificate (PEM), for whoever is to trust it.
    pub(crate) certificate: String,
    heads: Arc<Mutex<Vec<String>>>,
}

/// The version of every file.
pub(crate) const ETAG: &str = "\"v1\"";

impl Https {
    /// A server of these files: path and text. `/moved` redirects to the first of them.
    pub(crate) fn serving(files: &[(&'static str, &str)]) -> Https {
        let made = rcgen::generate_simple_self_signed(vec!["localhost".into()]).expect("a certificate");
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("protocol versions")
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key)
            .expect("a certificate and its key");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("bound").port();
        let (config, heads) = (Arc::new(config), Arc::new(Mutex::new(Vec::new())));
        let files: Arc<HashMap<&str, Vec<u8>>> =
            Arc::new(files.iter().map(|(path, text)| (*path, text.as_bytes().to_vec())).collect());
        let seen = heads.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (config, files, seen) = (config.clone(), files.clone(), seen.clone());
                thread::spawn(move || {
                    let connection = ServerConnection::new(config).expect("a configuration");
                    serve(StreamOwned::new(connection, client), &files, &seen);
                });
            }
        });
        Https { port, certificate: made.cert.pem(), heads }
    }

    /// The heads of all requests since the last time it was asked, in lower case.
    pub(crate) fn heads(&self) -> Vec<String> {
        std::mem::take(&mut *self.heads.lock().expect("no panic"))
    }
}

fn serve(
    mut client: StreamOwned<ServerConnection, TcpStream>,
    files: &HashMap<&str, Vec<u8>>,
    heads: &Mutex<Vec<String>>,
) {
    let mut head = Vec::new();
    let mut byte = [0];
    while matches!(client.read(&mut byte), Ok(1)) {
        head.push(byte[0]);
        if !head.ends_with(b"\r\n\r\n") {
            continue;
        }
        let text = String::from_utf8_lossy(&std::mem::take(&mut head)).to_ascii_lowercase();
        let answer = answer(&text, files);
        heads.lock().expect("no panic").push(text);
        if client.write_all(&answer).is_err() {
            break;
        }
    }
}

fn answer(head: &str, files: &HashMap<&str, Vec<u8>>) -> Vec<u8> {
    let header = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let path = head.split(' ').nth(1).unwrap_or_default();
    let empty = |status: &str| format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n").into_bytes();
    if path == "/moved" {
        return empty("302 Found\r\nlocation: /file.txt");
    }
    let Some(text) = files.get(path) else { return empty("404 Not Found") };
    if header("if-match").is_some_and(|etag| etag != ETAG) {
        return empty("412 Precondition Failed");
    }
    let range = header("range").and_then(|range| range.strip_prefix("bytes=")?.split_once('-'));
    let (start, last) = match range.map(|(start, last)| (start.parse::<usize>(), last.parse::<usize>())) {
        Some((Ok(start), Ok(last))) if start < text.len() => (start, text.len().min(last + 1) - 1),
        _ => return empty("416 Range Not Satisfiable"),
    };
    let length = last + 1 - start;
    let head = format!(
        "HTTP/1.1 206 Partial Content\r\ncontent-range: bytes {start}-{last}/{}\r\netag: {ETAG}\r\ncontent-length: {length}\r\n\r\n",
        text.len()
    );
    [head.as_bytes(), &text[start..=last]].concat()
}
