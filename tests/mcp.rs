//! `docsh mcp` as real clients see it: the Python and the TypeScript SDK of the Model Context Protocol, on stdio and
//! over HTTP; and what its door lets in.
use crate::support::{
    docsh::{Answer, Docsh},
    service::{self, Service},
    token,
};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::Command,
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};
use tempfile::TempDir;

/// A docsh that serves the site `docs`, which takes tokens, over HTTP.
struct Server {
    service: Service,
    _folder: TempDir,
}

impl Server {
    fn new(more: &[&str]) -> Server {
        let folder = tempfile::tempdir().unwrap();
        let config = token::config(folder.path());
        let service = service::docsh(|address| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_docsh"));
            command.args(["mcp", "--config", &config, "--listen", address]).args(more);
            command
        });
        Server { service, _folder: folder }
    }

    fn url(&self) -> String {
        format!("{}/mcp", self.service.url())
    }

    /// A POST with these headers: the head and the body of the response.
    fn post(&self, headers: &[(&str, &str)], body: &Value) -> (String, String) {
        self.ask("POST /mcp", headers, &body.to_string())
    }

    fn ask(&self, request: &str, headers: &[(&str, &str)], body: &str) -> (String, String) {
        self.try_ask(request, headers, body).expect("the server answers")
    }

    /// The same; none when the server has gone before it could be heard.
    fn try_ask(&self, request: &str, headers: &[(&str, &str)], body: &str) -> Option<(String, String)> {
        let port = self.service.port;
        let mut head = format!("{request} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head += &format!("Host: 127.0.0.1:{port}\r\n");
        }
        head += "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
        headers.iter().for_each(|(name, value)| head += &format!("{name}: {value}\r\n"));
        let answer = service::talk(port, format!("{head}\r\n{body}").as_bytes())?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        Some((head.to_ascii_lowercase(), body.to_string()))
    }

    /// The status of a response to a hello with these headers.
    fn status(&self, headers: &[(&str, &str)]) -> u16 {
        status(&self.post(headers, &hello()).0)
    }

    /// The id of a new session of the bearer of `token`.
    fn session(&self, token: &str) -> String {
        let (head, _) = self.post(&[("Authorization", &format!("Bearer {token}"))], &hello());
        let id = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).expect("a session");
        id.to_string()
    }
}

fn status(head: &str) -> u16 {
    head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status")
}

fn hello() -> Value {
    let client = json!({ "name": "test", "version": "1" });
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params })
}

fn call(command: &str) -> Value {
    let params = json!({ "name": "query_docs_docs", "arguments": { "command": command } });
    json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params })
}

/// What a call has printed, from the events of its response.
fn result(events: &str) -> String {
    let line = events.lines().find_map(|line| line.strip_prefix("data: {").map(|json| format!("{{{json}"))).unwrap();
    let answer: Value = serde_json::from_str(&line).unwrap();
    answer["result"]["structuredContent"]["stdout"].as_str().unwrap().to_string()
}

/// What a client has seen.
fn report(command: Command) -> Value {
    let answer: Answer = Docsh::from_command(command).deadline(Duration::from_secs(60)).run();
    let line = answer.text();
    serde_json::from_str(line.trim_end()).unwrap_or_else(|_| panic!("{line}{}", answer.complaints()))
}

fn python(mode: &str, token: &str, target: &[&str]) -> Value {
    let mut command = Command::new(service::installed("python", "venv/bin/python"));
    command.args([concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mcp/client.py"), mode, token]).args(target);
    report(command)
}

fn typescript(token: &str, target: &[&str]) -> Value {
    let mut command = Command::new(service::installed("node", "node"));
    // Node looks for packages beside the script, so that it stands where they are.
    let sdk = service::installed("the TypeScript SDK", "npm/node_modules/@modelcontextprotocol/sdk/package.json");
    let place = sdk.ancestors().nth(4).expect("the folder of node_modules");
    let script = place.join(format!("client-{}-{}.mjs", std::process::id(), target.len()));
    std::fs::write(&script, include_str!("mcp/client.mjs")).unwrap();
    command.arg(&script).arg(token).args(target);
    let seen = report(command);
    std::fs::remove_file(script).unwrap();
    seen
}

/// Whoever asks for the site called `name`, by whatever client, sees this.
fn expect_usual(seen: &Value, name: &str) {
    let tool = &seen["tools"][0];
    assert_eq!(seen["tools"].as_array().map(Vec::len), Some(1));
    assert_eq!(tool["name"], format!("query_docs_{name}"));
    assert_eq!(tool["annotations"]["readOnlyHint"], true);
    assert_eq!(tool["inputSchema"]["required"], json!(["command"]));
    let description = tool["description"].as_str().unwrap();
    assert!(description.len() < 2000 && description.contains("/api-specs/v2.json"), "{description}");

    assert_eq!(seen["head"]["text"], "AGENTS.md\nREADME.md\n/\n");
    assert_eq!(seen["head"]["isError"], false);
    let structured = &seen["head"]["structured"];
    let keys: BTreeSet<&str> = structured.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, BTreeSet::from(["cwd", "durationMs", "exitCode", "stats", "stderr", "stdout", "truncated"]));
    assert_eq!((&structured["exitCode"], &structured["cwd"]), (&json!(0), &json!("/")));

    // A command that fails is a result; a call that cannot be run is an error that a model can read.
    assert_eq!(seen["inside"]["text"], "/auth\n10\n[exit status 1]\n");
    assert_eq!((&seen["inside"]["isError"], &seen["inside"]["structured"]["exitCode"]), (&json!(false), &json!(1)));
    assert_eq!(seen["wrong"]["isError"], true);
    assert!(seen["wrong"]["text"].as_str().unwrap().contains("unknown field `commnd`"));
    assert_eq!(seen["nowhere"]["isError"], true);
    assert_eq!(seen["nowhere"]["text"], "docsh: cwd /nosuch: No such file or directory");

    let reports = seen["reports"].as_array().unwrap();
    assert!(!reports.is_empty() && reports.iter().all(|report| report == "1 pages read, 0 requests"), "{reports:?}");

    // The server has stopped what was cancelled: with one call at a time, the next one would wait for it.
    assert_eq!((&seen["cancelled"], &seen["after"]["text"]), (&json!(true), &json!("alive\n")));
    assert!(seen["waited"].as_f64().unwrap() < 15.0, "{}", seen["waited"]);

    let pages = seen["resources"].as_array().unwrap();
    assert!(pages.contains(&json!("/README.md")) && pages.contains(&json!("/auth/oauth.mdx")));
    assert!(!seen["page"].as_str().unwrap().is_empty());
}

/// Who is not signed in sees nothing of what is hidden.
fn expect_anonymous(seen: &Value) {
    assert_eq!(seen["hidden"]["text"], "ls: cannot access '/internal': No such file or directory\n[exit status 2]\n");
    assert!(!seen.to_string().contains("/internal/"));
}

/// An administrator sees it, in results and in the tool's description.
fn expect_admin(seen: &Value) {
    assert!(seen["hidden"]["text"].as_str().unwrap().contains("runbook-failover.mdx\n"));
    assert!(seen["tools"][0]["description"].as_str().unwrap().contains("/internal"));
}

const STDIO: &[&str] = &[env!("CARGO_BIN_EXE_docsh"), "mcp", "--site", "acme", "--max-session-calls", "1"];

#[test]
fn the_python_sdk_is_served_on_stdio() {
    for (mode, protocol) in [("legacy", "2025-11-25"), ("auto", "2026-07-28")] {
        let seen = python(mode, "", STDIO);
        assert_eq!(seen["protocol"], protocol);
        expect_usual(&seen, "acme");
        expect_anonymous(&seen);
    }
}

#[test]
fn the_typescript_sdk_is_served_on_stdio() {
    let seen = typescript("", STDIO);
    expect_usual(&seen, "acme");
    expect_anonymous(&seen);
}

#[test]
fn the_sdks_are_served_over_http_as_their_tokens_say() {
    let server = Server::new(&["--max-session-calls", "1", "--max-calls", "4"]);
    let (admin, url) = (token::member(&["admin"]), server.url());
    let open = python("legacy", "", &[&url]);
    expect_usual(&open, "docs");
    expect_anonymous(&open);
    for seen in [python("auto", &admin, &[&url]), typescript(&admin, &[&url])] {
        expect_usual(&seen, "docs");
        expect_admin(&seen);
    }
}

#[test]
fn the_door_lets_in_whom_it_should() {
    let server = Server::new(&["--allow-host", "docs.example.com", "--allow-origin", "https://app.example.com:443"]);
    assert_eq!(server.status(&[]), 200);
    assert_eq!(server.status(&[("Host", "docs.example.com")]), 200);
    assert_eq!(server.status(&[("Host", "evil.example.com")]), 403);
    assert_eq!(server.status(&[("Origin", "https://app.example.com")]), 200);
    assert_eq!(server.status(&[("Origin", "https://evil.example.com")]), 403);
    assert_eq!(status(&server.ask("POST /other", &[], "{}").0), 404);
    for bad in ["Bearer nonsense", "Basic dXNlcjpwdw==", "Bearer"] {
        let (head, body) = server.post(&[("Authorization", bad)], &hello());
        assert_eq!(status(&head), 401, "{bad}");
        assert!(head.contains("www-authenticate: bearer"), "{head}");
        assert!(!body.contains("nonsense") && !body.contains("dXNlcjpwdw"), "{body}");
    }
    let good = format!("Bearer {}", token::member(&["admin"]));
    assert_eq!(server.status(&[("Authorization", &good)]), 200);
    // Another site's key.
    let (forged, _) = good.rsplit_once('.').unwrap();
    assert_eq!(server.status(&[("Authorization", &format!("{forged}.AAAA"))]), 401);
    let large = "x".repeat(300_000);
    assert_eq!(status(&server.post(&[], &call(&large)).0), 413);
}

#[test]
fn a_session_belongs_to_the_token_that_opened_it() {
    let server = Server::new(&[]);
    let (admin, other) = (token::member(&["admin"]), token::member(&["billing"]));
    let id = server.session(&admin);
    let asked = |token: Option<&str>| {
        let bearer = token.map(|token| format!("Bearer {token}"));
        let mut headers = vec![("Mcp-Session-Id", id.as_str()), ("MCP-Protocol-Version", "2025-11-25")];
        headers.extend(bearer.as_deref().map(|bearer| ("Authorization", bearer)));
        let (head, body) = server.post(&headers, &call("ls /internal | head -1"));
        (status(&head), body)
    };
    let (status, body) = asked(Some(&admin));
    assert!(status == 200 && body.contains("exitCode"), "{body}");
    for stranger in [None, Some(other.as_str())] {
        assert_eq!(asked(stranger), (404, "there is no such session\n".into()));
    }
}

#[test]
fn a_session_ends_when_its_token_says_and_not_when_the_token_may_begin_no_other() {
    let server = Server::new(&[]);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    // Clocks may be five seconds apart: these have two of them left.
    let starter = token::claiming(json!({ "host": "docs", "exp": now - 3, "expiresAt": now + 600 }));
    let ending = token::claiming(json!({ "host": "docs", "expiresAt": now - 3 }));
    let sessions = [&starter, &ending].map(|token| (format!("Bearer {token}"), server.session(token)));
    let asked = |(bearer, id): &(String, String), body: &Value| {
        let named = [("Mcp-Session-Id", id.as_str()), ("MCP-Protocol-Version", "2025-11-25")];
        server.post(&[&named[..], &[("Authorization", bearer)]].concat(), body)
    };
    thread::sleep(Duration::from_secs(4));
    for (bearer, _) in &sessions {
        assert_eq!(server.status(&[("Authorization", bearer)]), 401, "it begins no session any more");
    }
    let (head, body) = asked(&sessions[0], &call("ls /"));
    assert!(status(&head) == 200 && body.contains("exitCode"), "{head}{body}");
    for body in [call("ls /"), json!({ "jsonrpc": "2.0", "id": 3, "method": "resources/list", "params": {} })] {
        assert_eq!(status(&asked(&sessions[1], &body).0), 401);
    }
}

#[test]
fn a_session_has_a_scratch_folder_of_its_own_where_they_have_one() {
    let server = Server::new(&["--scratch", "64K"]);
    let token = token::member(&[]);
    let bearer = format!("Bearer {token}");
    let (first, second) = (server.session(&token), server.session(&token));
    let told = |session: &str, command: &str| {
        let headers =
            [("Authorization", bearer.as_str()), ("Mcp-Session-Id", session), ("MCP-Protocol-Version", "2025-11-25")];
        result(&server.post(&headers, &call(command)).1)
    };
    assert_eq!(told(&first, "echo mine > /tmp/note; ls /tmp"), "note\n");
    assert_eq!(told(&first, "cat /tmp/note; echo x > /README.md || echo no"), "mine\nno\n");
    assert_eq!(told(&second, "ls /tmp; yes > /tmp/full; wc -c < /tmp/full"), "61440\n");
    assert_eq!(told(&first, "echo 2 >> /tmp/note; cat /tmp/note"), "mine\n2\n");
}

#[test]
fn the_scratch_folders_of_all_sessions_have_a_limit_together() {
    let server = Server::new(&["--scratch", "64K", "--max-scratch", "96K"]);
    let token = token::member(&[]);
    let (first, second) = (server.session(&token), server.session(&token));
    let (bearer, fill) = (format!("Bearer {token}"), "yes > /tmp/full; wc -c < /tmp/full; df --output=avail /tmp");
    let told = |session: &str, command: &str| {
        let named = [("Authorization", bearer.as_str()), ("Mcp-Session-Id", session)];
        result(&server.post(&[&named[..], &[("MCP-Protocol-Version", "2025-11-25")]].concat(), &call(command)).1)
    };
    assert_eq!(told(&first, fill), "61440\nAvailable\n        4\n");
    assert_eq!(told(&second, fill), "32768\nAvailable\n        4\n");
    let named = [("Authorization", bearer.as_str()), ("Mcp-Session-Id", first.as_str())];
    assert!(status(&server.ask("DELETE /mcp", &named, "").0) < 300);
    // The session's last task may have yet to end.
    let filled = (0..200).find_map(|_| {
        thread::sleep(Duration::from_millis(10));
        Some(told(&second, fill)).filter(|told| told.starts_with("61440\n"))
    });
    assert_eq!(filled.as_deref(), Some("61440\nAvailable\n        4\n"));
}

#[test]
fn a_stream_that_broke_is_taken_up_again_until_its_request_is_answered() {
    let server = Server::new(&[]);
    let token = token::member(&[]);
    let (id, bearer) = (server.session(&token), format!("Bearer {token}"));
    let named =
        [("Authorization", bearer.as_str()), ("Mcp-Session-Id", id.as_str()), ("MCP-Protocol-Version", "2025-11-25")];
    let body = call("sleep 1; echo heard").to_string();
    let mut head = format!("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {}\r\n", body.len());
    head += "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
    named.iter().for_each(|(name, value)| head += &format!("{name}: {value}\r\n"));
    let mut connection = TcpStream::connect(("127.0.0.1", server.service.port)).unwrap();
    connection.write_all(format!("{head}\r\n{body}").as_bytes()).unwrap();
    let mut event = None;
    for line in BufReader::new(connection).lines() {
        event = line.unwrap().strip_prefix("id: ").map(String::from);
        if event.is_some() {
            break;
        }
    }
    let event = event.expect("the first event tells how to take the stream up again");
    let again = |event: &str| server.ask("GET /mcp", &[&named[..], &[("Last-Event-ID", event)]].concat(), "").1;
    assert_eq!(result(&again(&event)), "heard\n");
    assert!(!again(&event).contains("heard"), "what is answered is not kept");
    assert!(!again("nonsense").contains("data:"));
}

#[test]
fn sessions_have_an_end_and_a_limit() {
    let server = Server::new(&["--max-sessions", "2"]);
    let token = token::member(&[]);
    let (first, _second) = (server.session(&token), server.session(&token));
    let bearer = format!("Bearer {token}");
    let headers = [("Authorization", bearer.as_str())];
    let (head, body) = server.post(&headers, &hello());
    assert_eq!((status(&head), body.as_str()), (503, "too many sessions; come back later\n"));
    let named = [headers[0], ("Mcp-Session-Id", first.as_str())];
    assert!(status(&server.ask("DELETE /mcp", &named, "").0) < 300);
    assert_eq!(status(&server.post(&named, &call("true")).0), 404);
    server.session(&token);
}

#[test]
fn one_connection_too_many_is_told_so_and_the_others_go_on() {
    let server = Server::new(&["--max-connections", "2"]);
    let address = ("127.0.0.1", server.service.port);
    // The server may not yet have noticed that whoever asked whether it is there has gone.
    let mut silent = Vec::new();
    let answer = (0..5).find_map(|_| {
        let mut connection = TcpStream::connect(address).unwrap();
        connection.set_read_timeout(Some(Duration::from_secs(2))).unwrap();
        let mut answer = String::new();
        // One that has a place hears nothing before it asks.
        connection.read_to_string(&mut answer).ok().map(|_| answer).or_else(|| {
            silent.push(connection);
            None
        })
    });
    let answer = answer.expect("one is turned away");
    assert!(silent.len() <= 2);
    assert!(
        answer.starts_with("HTTP/1.1 503 ") && answer.ends_with("too many connections; come back later\r\n"),
        "{answer}"
    );
    drop(silent);
    // The server has yet to notice that they are gone; whoever it turns away in the middle of a request may hear
    // nothing.
    let answered = (0..1000).find_map(|_| {
        let head = server.try_ask("POST /mcp", &[], &hello().to_string()).map(|(head, _)| status(&head));
        head.filter(|status| *status != 503).or_else(|| {
            thread::sleep(Duration::from_millis(10));
            None
        })
    });
    assert_eq!(answered, Some(200));
}

#[test]
fn a_server_that_others_can_reach_names_its_host() {
    let refused = |args: &[&str]| {
        let answer = Docsh::new([&["mcp"], args].concat()).run();
        assert_eq!((answer.status, answer.text().as_str()), (64, ""), "{}", answer.complaints());
        answer.complaints()
    };
    assert!(refused(&["--listen", "0.0.0.0:0"]).contains("name the host that they ask for with --allow-host"));
    assert!(refused(&["--listen", "127.0.0.1:0", "--as", "groups:admin"]).contains("--as"));
    assert!(refused(&["--allow-host", "h"]).contains("--listen"));
}

#[test]
fn a_client_that_leaves_ends_the_server() {
    let answer = Docsh::new(["mcp"]).run();
    assert_eq!((answer.status, answer.timed_out), (0, false), "{}", answer.complaints());
    let hello = format!("{}\n{}\n", hello(), json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let answer = Docsh::new(["mcp"]).stdin(hello.as_bytes()).run();
    assert_eq!((answer.status, answer.timed_out), (0, false), "{}", answer.complaints());
    assert!(answer.text().contains("\"serverInfo\""), "{}", answer.text());
}
