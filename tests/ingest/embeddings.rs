//! Embeddings from a server with the interface of OpenAI.
use super::Home;
use crate::support::{
    service::{self, get, post},
    tree::literal,
};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

/// The heads and bodies of requests.
type Asked = Mutex<Vec<(String, Value)>>;

/// A server that answers `[length, 1, 0]` for each text, and what it was asked.
fn server() -> (u16, Arc<Asked>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let shared = asked.clone();
    thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            let asked = shared.clone();
            thread::spawn(move || while answer(&connection, &asked).is_some() {});
        }
    });
    (port, asked)
}

fn answer(mut connection: &TcpStream, asked: &Asked) -> Option<()> {
    let mut reader = BufReader::new(connection);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        if line == "\r\n" {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        head += &line;
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body: Value = serde_json::from_slice(&body).ok()?;
    // Backwards, since the order is the index's.
    let texts = body["input"].as_array()?.iter().enumerate().rev();
    let data: Vec<Value> = texts
        .map(|(index, text)| json!({ "index": index, "embedding": [text.as_str().unwrap().len(), 1, 0] }))
        .collect();
    asked.lock().unwrap().push((head, body));
    let answer = json!({ "data": data }).to_string();
    write!(connection, "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{answer}", answer.len()).ok()
}

#[test]
fn new_chunks_are_embedded_and_unchanged_ones_are_not_asked_for_again() {
    let chroma = service::chroma();
    let (port, asked) = server();
    let home = Home::with_config(&format!(
        "[sites.docs]\nurl = \"http://127.0.0.1:{}\"\ntrust_caller = true\n[embeddings]\nurl = \"http://127.0.0.1:{port}/v1\"\nmodel = \"small\"\n\
         key_env = \"EMBEDDINGS_KEY\"\n",
        chroma.port
    ));
    let docs = literal([("a.md", "four"), ("b.md", "seven77")]);
    let dir = docs.path().display().to_string();
    let ingest = || home.docsh(&["ingest", &dir, "--site", "docs"]).env("EMBEDDINGS_KEY", "secret").run();
    let first = ingest();
    assert_eq!(first.status, 0, "{}", first.complaints());
    {
        let asked = asked.lock().unwrap();
        let (head, body) = &asked[0];
        assert!(
            head.starts_with("POST /v1/embeddings ") && head.to_lowercase().contains("authorization: bearer secret")
        );
        assert_eq!((asked.len(), &body["model"], &body["input"]), (1, &json!("small"), &json!(["four", "seven77"])));
    }
    let collections = "/api/v2/tenants/default_tenant/databases/default_database/collections";
    let collection: Value = serde_json::from_str(&get(chroma.port, &format!("{collections}/docs"))).unwrap();
    let records = format!("{collections}/{}/get", collection["id"].as_str().unwrap());
    let stored = |slug: &str| -> Value {
        let wanted = json!({ "where": { "page_slug": slug }, "include": ["embeddings"] });
        let answer: Value = serde_json::from_str(&post(chroma.port, &records, &wanted)).unwrap();
        answer["embeddings"].clone()
    };
    assert_eq!((stored("a.md"), stored("b.md")), (json!([[4.0, 1.0, 0.0]]), json!([[7.0, 1.0, 0.0]])));
    std::fs::write(docs.path().join("b.md"), "changed").unwrap();
    assert_eq!(ingest().status, 0);
    assert_eq!(asked.lock().unwrap()[1].1["input"], json!(["changed"]));
    assert_eq!(home.says("cat a.md b.md"), "fourchanged[0]");
}

#[test]
fn a_server_that_gives_none_is_named_and_nothing_is_shown() {
    let chroma = service::chroma();
    let home = Home::with_config(&format!(
        "[sites.docs]\nurl = \"http://127.0.0.1:{}\"\ntrust_caller = true\n[embeddings]\nurl = \"http://127.0.0.1:9\"\nmodel = \"small\"\n",
        chroma.port
    ));
    let docs = literal([("a.md", "four")]);
    let answer = home.docsh(&["ingest", &docs.path().display().to_string(), "--site", "docs"]).run();
    assert_eq!(answer.status, 69);
    assert!(answer.complaints().starts_with("docsh: the server of embeddings at http://127.0.0.1:9 cannot be used: "));
}
