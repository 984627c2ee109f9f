//! A server that answers what nobody has asked for: records of other pages, more of them, answers without an end. It
//! can keep a reader from its page, and no more.
use super::{answer_of, cat, site};
use docsh::{site::Visitor, store::chroma::ChromaConfig};
use docsh_builtins::Cancel;
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    thread,
};

/// What a server answers to a request for records.
enum Reply {
    Records(Vec<(&'static str, Value, Value)>),
    /// Bytes until the reader has enough.
    Endless,
}

/// A site on a server that replies like this to the body of each request for records. It lives as long as the process.
fn served(reply: impl Fn(&Value) -> Reply + Send + Sync + Copy + 'static) -> ChromaConfig {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://127.0.0.1:{}", listener.local_addr().unwrap().port());
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            thread::spawn(move || serve(client, &reply));
        }
    });
    ChromaConfig { site: "docs".into(), ..ChromaConfig::new("docs", &url) }
}

fn serve(mut client: TcpStream, reply: &dyn Fn(&Value) -> Reply) -> Option<()> {
    let mut requests = BufReader::new(client.try_clone().ok()?);
    loop {
        let (mut line, mut length, mut first) = (String::new(), 0, String::new());
        while requests.read_line(&mut line).ok()? > 2 {
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().ok()?;
            }
            first = if first.is_empty() { line.clone() } else { first };
            line.clear();
        }
        if first.is_empty() {
            return None;
        }
        let mut body = vec![0; length];
        requests.read_exact(&mut body).ok()?;
        let answer = match serde_json::from_slice(&body).map(|body| reply(&body)) {
            Err(_) => json!({ "id": "00000000-0000-0000-0000-000000000000", "name": "docs" }),
            Ok(Reply::Records(records)) => json!({
                "ids": records.iter().map(|record| record.0).collect::<Vec<_>>(),
                "documents": records.iter().map(|record| &record.1).collect::<Vec<_>>(),
                "metadatas": records.iter().map(|record| &record.2).collect::<Vec<_>>(),
            }),
            Ok(Reply::Endless) => {
                client.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").ok()?;
                let part = format!("100000\r\n{}\r\n", " ".repeat(1 << 20));
                loop {
                    client.write_all(part.as_bytes()).ok()?;
                }
            }
        };
        let answer = answer.to_string();
        write!(client, "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{answer}", answer.len()).ok()?;
    }
}

const TREE: &str = r#"{"open.md": {"isPublic": true, "chunks": 1}, "many.md": {"isPublic": true, "chunks": 4294967294},
                       "secret.md": {"groups": ["eng"], "chunks": 1}}"#;

fn is_for_tree(request: &Value) -> bool {
    request["ids"] == json!(["__path_tree__"])
}

fn tree() -> Reply {
    Reply::Records(vec![("__path_tree__", json!(TREE), json!({}))])
}

fn of(slug: &str) -> Value {
    json!({ "page_slug": slug, "chunk_index": 0 })
}

#[test]
fn an_answer_without_an_end_is_not_waited_for() {
    let error = site(&served(|_| Reply::Endless)).map(drop).unwrap_err();
    assert!(error.to_string().ends_with("gives an unexpected answer (it does not end)"), "{error}");
    assert_eq!(error.status(), 69);
    let config = served(|request| if is_for_tree(request) { tree() } else { Reply::Endless });
    let fs = site(&config).unwrap().session(&Visitor::Anonymous);
    assert_eq!(cat(&*fs, "open.md"), Err("Input/output error (the site's store gives no answer)".into()));
}

#[test]
fn another_record_is_not_the_tree() {
    let stranger = r#"{"secret.md": {"isPublic": true}}"#;
    let config = served(move |_| Reply::Records(vec![("secret.md#0", json!(stranger), of("secret.md"))]));
    let error = site(&config).map(drop).unwrap_err().to_string();
    assert!(error.contains("has no record `__path_tree__`"), "{error}");
    // Among others, the tree is still the tree.
    let both = move |_: &Value| {
        let records = [("__path_tree__", json!(TREE), json!({})), ("secret.md#0", json!(stranger), of("secret.md"))];
        Reply::Records(records.into())
    };
    let fs = site(&served(both)).unwrap().session(&Visitor::Anonymous);
    assert_eq!(answer_of(fs, "ls", &Cancel::new()), "many.md\nopen.md\n[stderr]\n[status 0]\n");
}

#[test]
fn records_of_other_pages_are_not_shown() {
    type Answer = Vec<(&'static str, Value, Value)>;
    let rows: [fn() -> Answer; 5] = [
        // Under the id that was asked for, somebody else's chunk.
        || vec![("open.md#0", json!("SECRET"), of("secret.md"))],
        // Beside it.
        || vec![("open.md#0", json!("open"), of("open.md")), ("open.md::0", json!("SECRET"), of("secret.md"))],
        || vec![("open.md#0", json!("open"), of("open.md")), ("open.md#0", json!("SECRET"), of("open.md"))],
        // A chunk that says itself that others may see it.
        || vec![("open.md#0", json!("SECRET"), json!({"page_slug": "open.md", "chunk_index": 0, "groups": ["eng"]}))],
        // No text, and no name.
        || vec![("open.md#0", Value::Null, of("open.md")), ("x", json!("SECRET"), json!(null))],
    ];
    for answer in rows {
        let reply = move |request: &Value| if is_for_tree(request) { tree() } else { Reply::Records(answer()) };
        let fs = site(&served(reply)).unwrap().session(&Visitor::Anonymous);
        let told = answer_of(fs, "cat open.md; grep -r SECRET /; cat secret.md", &Cancel::new());
        assert!(!told.contains("SECRET") && told.contains("Input/output error"), "{told}");
        assert!(told.contains("cat: secret.md: No such file or directory"), "{told}");
    }
    // What comes beside the page under an id that was not asked for is not looked at.
    let beside = |request: &Value| match is_for_tree(request) {
        true => tree(),
        false => Reply::Records(vec![
            ("open.md#0", json!("open\n"), of("open.md")),
            ("secret.md#0", json!("SECRET\n"), of("secret.md")),
        ]),
    };
    let fs = site(&served(beside)).unwrap().session(&Visitor::Anonymous);
    assert_eq!(cat(&*fs, "open.md"), Ok("open\n".into()));
}

#[test]
fn a_page_of_billions_of_chunks_is_not_asked_for() {
    let reply = |request: &Value| if is_for_tree(request) { tree() } else { Reply::Records(Vec::new()) };
    let fs = site(&served(reply)).unwrap().session(&Visitor::Anonymous);
    assert_eq!(cat(&*fs, "many.md"), Err("Input/output error (the page is not in the store)".into()));
}
