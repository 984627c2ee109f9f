//! The binary over sites of every kind: the bundled one, a file that `docsh ingest` wrote, a Chroma collection that it
//! filled. The same command lines give the same bytes, and few requests.
use crate::support::{docsh::Docsh, https::Https, proxy::Proxy, service, tree::repository};
use std::{fs, path::Path};
use tempfile::TempDir;

/// A home of its own, whose configuration knows the site `acme` in Chroma behind a proxy.
struct Home {
    folder: TempDir,
    proxy: Proxy,
    server: service::Service,
}

impl Home {
    fn new() -> Home {
        let (folder, server) = (tempfile::tempdir().unwrap(), service::chroma());
        let proxy = Proxy::to(server.port);
        let config = format!("[sites.acme]\nstore = \"chroma\"\nurl = \"{}\"\n", proxy.url());
        fs::write(folder.path().join("config.toml"), config).unwrap();
        Home { folder, proxy, server }
    }

    /// docsh with this home.
    fn docsh(&self, args: &[&str]) -> Docsh {
        let at = |name: &str| self.folder.path().join(name).display().to_string();
        Docsh::new(args).env("XDG_DATA_HOME", &at("data")).env("XDG_CACHE_HOME", &at("cache")).env("HOME", &at("home"))
    }

    /// A command line on the site in Chroma: its stdout, and how many requests it cost.
    fn on_chroma(&self, line: &str) -> (String, usize) {
        self.proxy.requests();
        let config = self.folder.path().join("config.toml").display().to_string();
        let answer = self.docsh(&["--config", &config, "--site", "acme", "-c", line]).run();
        assert!(!answer.timed_out, "{line}: {}", answer.complaints());
        (format!("{}{}[{}]", answer.text(), answer.complaints(), answer.status), self.proxy.requests())
    }

    fn forget_cache(&self) {
        let cache = self.folder.path().join("cache");
        if cache.exists() {
            fs::remove_dir_all(cache).unwrap();
        }
    }
}

/// Ingest `fixtures/acme` with these further arguments.
fn ingest(home: &Home, args: &[&str]) {
    let acme = repository("fixtures/acme").display().to_string();
    let answer = home.docsh(&[&["ingest", &acme], args].concat()).deadline(std::time::Duration::from_secs(60)).run();
    assert_eq!(answer.status, 0, "{}", answer.complaints());
}

const LINES: &[&str] = &[
    "grep -rn token /auth | sort | head -5; ls -la /; find / -name '*.mdx' | wc -l",
    "ls -R /",
    "cat /auth/oauth /guides/support.md",
    "cat '/guides/quick start (legacy).md' /concepts/placeholder.mdx | wc",
    "tail -c 100 /reference/error-codes.mdx; head -c 100 /reference/error-codes.mdx",
    "grep -rc 'invoice' /api-reference | sort -t: -k2 -nr | head",
    "grep -rniE 'idempot|retry-after' / | wc -l",
    "find / -size +100k -printf '%s %p\\n'; du -s /",
    "cat /i18n/ja/*.mdx | wc -m",
    "cat /nosuch /internal/dunning.mdx; ls /internal",
    "wc -l /guides/*.md*",
    "sed -n '/^title:/p' /sdks/*.mdx",
];

#[test]
fn every_kind_of_site_gives_the_same_bytes() {
    let home = Home::new();
    let config = home.folder.path().join("config.toml").display().to_string();
    ingest(&home, &["--site", "acme", "--to", "chroma", "--config", &config]);
    ingest(&home, &["--site", "written"]);
    for line in LINES {
        let bundled = home.docsh(&["-c", line]).run();
        let embedded = home.docsh(&["--site", "written", "-c", line]).run();
        let whole = |answer: &crate::support::docsh::Answer| {
            format!("{}{}[{}]", answer.text(), answer.complaints(), answer.status)
        };
        assert_eq!(whole(&embedded), whole(&bundled), "{line}");
        assert_eq!(home.on_chroma(line).0, whole(&bundled), "{line}");
    }
}

#[test]
fn chroma_is_asked_little() {
    let home = Home::new();
    let config = home.folder.path().join("config.toml").display().to_string();
    ingest(&home, &["--site", "acme", "--to", "chroma", "--config", &config]);
    home.forget_cache();
    // Each process asks for the collection's id first; then a listing needs the tree, and the tree is kept.
    let (_, cold) = home.on_chroma("ls -R /");
    assert!(cold <= 2, "ls -R, cold: {cold}");
    let (_, cold) = home.on_chroma("cat /auth/oauth.mdx");
    assert!(cold <= 2, "cat, cold: {cold}");
    let (_, cold) = home.on_chroma("grep -r token /auth");
    assert!(cold <= 2, "grep -r, cold: {cold}");
    let (_, cold) = home.on_chroma("grep -r Content-Type /");
    assert!(cold <= 3, "grep -r /, cold: {cold}");
    for line in ["ls -R /", "cat /auth/oauth.mdx", "grep -r token /auth"] {
        assert_eq!(home.on_chroma(line).1, 0, "{line}, warm");
    }
}

/// The site in Chroma, of which each process asks whether its tree is still the current one; its configuration.
fn without_ttl(home: &Home) -> String {
    let config = home.folder.path().join("config.toml");
    let text = fs::read_to_string(&config).unwrap() + "ttl = 0\n";
    fs::write(&config, text).unwrap();
    let config = config.display().to_string();
    ingest(home, &["--site", "acme", "--to", "chroma", "--config", &config]);
    config
}

#[test]
fn a_process_knows_from_the_last_one_where_the_collection_is() {
    let home = Home::new();
    let config = without_ttl(&home);
    home.forget_cache();
    let first = |page: &str| home.on_chroma(&format!("head -n 2 {page} | tail -n 1"));
    let told = |title: &str| format!("title: {title}\n[0]");
    assert_eq!(first("/auth/oauth.mdx"), (told("OAuth 2.0"), 3), "the collection, the tree, the page");
    assert_eq!(first("/auth/mfa.mdx"), (told("Multi-factor authentication"), 2), "the tree's version, the page");
    assert_eq!(first("/auth/mfa.mdx").1, 1, "the tree's version");
    // The same is made again, and is another collection: the old one is not there, and is not taken for an empty one.
    let made_again = || {
        let path = "/api/v2/tenants/default_tenant/databases/default_database/collections/acme";
        service::delete(home.server.port, path);
        ingest(&home, &["--site", "acme", "--to", "chroma", "--config", &config]);
    };
    made_again();
    assert_eq!(first("/auth/oauth.mdx"), (told("OAuth 2.0"), 3), "an old id, the collection, the tree's version");
    assert_eq!(first("/auth/oauth.mdx").1, 1, "the new id is known by now");
    assert_eq!(home.on_chroma("grep -rl RARE /auth; ls /auth | wc -l"), ("10\n[0]".into(), 2));
    // Whoever is to show nothing old believes nothing old.
    let text = fs::read_to_string(&config).unwrap() + "max_stale = 0\n";
    fs::write(&config, text).unwrap();
    assert_eq!(first("/auth/oauth.mdx").1, 2, "the collection, the tree's version");
}

#[test]
fn a_run_tells_what_it_cost() {
    let home = Home::new();
    let config = home.folder.path().join("config.toml").display().to_string();
    ingest(&home, &["--site", "acme", "--to", "chroma", "--config", &config]);
    home.forget_cache();
    let stats = |line: &str| {
        home.proxy.requests();
        let answer = home.docsh(&["--config", &config, "--site", "acme", "--json", "-c", line]).run();
        let json: serde_json::Value = serde_json::from_str(&answer.text()).unwrap();
        let told = |name: &str| json["stats"][name].as_u64().unwrap();
        let (bytes, out) = (told("bytes") as usize, json["stdout"].as_str().unwrap().len());
        assert_eq!(told("requests") as usize, home.proxy.requests(), "{line}");
        (told("pagesRead"), told("cacheHits"), bytes == out)
    };
    let both = "cat /auth/oauth.mdx /auth/index.mdx";
    assert_eq!(stats(both), (2, 0, true));
    assert_eq!(stats(both), (2, 2, true));
    assert_eq!(stats("ls -R /nosuch"), (0, 0, true));
    // Without the caches it is as at first, and leaves nothing behind.
    home.forget_cache();
    let uncached = home.docsh(&["--config", &config, "--site", "acme", "--no-cache", "-c", both]).run();
    assert_eq!((uncached.status, home.folder.path().join("cache").exists()), (0, false));
    // In one session the second reading is from memory.
    let asked = format!("{0}\n{0}\n", serde_json::json!({ "id": 1, "command": both }));
    let answer = home.docsh(&["--config", &config, "--site", "acme", "--no-cache", "--jsonl"]).stdin(asked.as_bytes());
    let hits = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["stats"]["cacheHits"].clone();
    assert_eq!(answer.run().text().lines().map(hits).collect::<Vec<_>>(), [0, 2]);
}

#[test]
fn a_reader_that_stops_early_stops_the_reading() {
    let home = Home::new();
    let config = home.folder.path().join("config.toml").display().to_string();
    ingest(&home, &["--site", "acme", "--to", "chroma", "--config", &config]);
    home.on_chroma("true");
    // More than ten pages, each a request; the first has the two lines.
    let pages = fs::read_dir(repository("fixtures/acme/changelog")).unwrap().count();
    assert!(pages > 8, "{pages}");
    let (text, read) = home.on_chroma("cat /changelog/*.mdx | head -2");
    assert_eq!(text.lines().next(), Some("---"));
    assert!(read <= 3, "{read} requests for two lines");
}

#[test]
fn endless_writers_end_with_their_reader() {
    let answer = Docsh::new(["-c", "yes | head -3"]).run();
    assert_eq!((answer.text().as_str(), answer.status, answer.timed_out), ("y\ny\ny\n", 0, false));
    let answer = Docsh::new(["-c", "while true; do echo x; done | head -2; echo \"${PIPESTATUS[@]}\""]).run();
    assert_eq!((answer.text().as_str(), answer.status), ("x\nx\n141 0\n", 0));
}

#[test]
fn a_deadline_ends_anything() {
    for line in [
        "while :; do :; done",
        "yes > /dev/null",
        "sleep 100",
        "sleep 100 | cat",
        "f() { (exit 1); }; until f; do :; done",
    ] {
        let answer = Docsh::new(["--timeout", "0.3", "-c", line]).run();
        assert_eq!((answer.status, answer.timed_out), (124, false), "{line}: {}", answer.complaints());
    }
}

#[test]
fn a_script_on_stdin_runs_line_by_line() {
    let answer = Docsh::new([""; 0])
        .stdin(b"ls /auth | wc -l\nread x\nrest of it\necho \"[$x]\"\nfor i in 1 2\ndo\necho $i\ndone")
        .run();
    assert_eq!((answer.text().as_str(), answer.status), ("10\n[rest of it]\n1\n2\n", 0));
}

#[test]
fn what_cannot_start_says_why() {
    let refused = |args: &[&str]| {
        let answer = Docsh::new(args).run();
        assert_eq!(answer.text(), "");
        (answer.complaints(), answer.status)
    };
    let (message, status) = refused(&["--site", "nosuch", "-c", "ls"]);
    assert_eq!(status, 78);
    assert!(message.starts_with("docsh: site nosuch: there is no such site; there are acme;"), "{message}");
    assert_eq!(refused(&["--as", "everybody", "-c", "ls"]).1, 64);
    assert_eq!(refused(&["operand"]).1, 64);
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config.toml");
    let with = |text: &str| {
        fs::write(&config, text).unwrap();
        refused(&["--config", &config.display().to_string(), "--site", "docs", "-c", "ls"])
    };
    // The discard port of the loopback address: nobody listens.
    let (message, status) = with("[sites.docs]\nstore = \"chroma\"\nurl = \"http://127.0.0.1:9\"\n");
    assert_eq!(status, 69, "{message}");
    assert!(message.contains("site docs") && message.contains("http://127.0.0.1:9"), "{message}");
    let (message, status) = with("[sites.docs]\nstoer = \"chroma\"\n");
    assert_eq!(status, 78);
    assert!(message.contains("stoer"), "{message}");
}

#[test]
fn programs_get_one_line_of_json() {
    let answer = Docsh::new(["--json", "-c", "ls /auth | head -2; cat /nosuch"]).run();
    assert_eq!(answer.status, 1);
    let text = answer.text();
    let json: serde_json::Value = serde_json::from_str(text.trim_end()).unwrap();
    assert_eq!(text.lines().count(), 1);
    assert_eq!(json["stdout"], "api-keys.mdx\nindex.mdx\n");
    assert_eq!(json["stderr"], "cat: /nosuch: No such file or directory\n");
    assert_eq!((json["exitCode"].as_u64(), json["cwd"].as_str()), (Some(1), Some("/")));
    let answer = Docsh::new(["--jsonl"])
        .stdin(b"{\"id\":1,\"command\":\"cd auth; x=5\"}\n{\"id\":\"b\",\"command\":\"pwd; echo $x; cat\",\"stdin\":\"in\"}\nnonsense\n{\"id\":3,\"command\":\"sleep 9\",\"timeoutMs\":50}\n")
        .run();
    let lines: Vec<serde_json::Value> = answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 4);
    assert_eq!((lines[1]["id"].as_str(), lines[1]["stdout"].as_str()), (Some("b"), Some("/auth\n5\nin")));
    assert_eq!(lines[2]["exitCode"], 64);
    assert_eq!(
        (lines[3]["exitCode"].as_u64(), lines[3]["stderr"].as_str()),
        (Some(124), Some("docsh: time limit of 0.05 s reached\n"))
    );
}

#[test]
fn whatever_goes_wrong_is_one_line_of_json_with_the_status_of_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config.toml");
    fs::write(&config, "[sites.far]\nstore = \"chroma\"\nurl = \"http://127.0.0.1:9\"\ncollection = \"far\"\n")
        .unwrap();
    let (config, long) = (config.to_str().unwrap(), "yes | head -c 20M");
    let lines: [(&[&str], u8, &str); 16] = [
        (&["-c", "if"], 2, "syntax error: unexpected end of file\n"),
        (&["-c", "grep --nosuch x"], 2, "grep: unrecognized option '--nosuch'\n"),
        (&["-c", "exit 300"], 44, ""),
        (&["-c", "kill -TERM $$"], 143, ""),
        (&["-c", long], 126, "docsh: output limit of 10 MiB reached\n"),
        (&["-c", "x=$(yes)"], 126, "memory limit of 256 MiB reached\n"),
        (&["--timeout", "0.05", "-c", "sleep 9"], 124, "docsh: time limit of 0.05 s reached\n"),
        (&["--cwd", "/nosuch", "-c", "ls"], 64, "docsh: cwd /nosuch: No such file or directory\n"),
        (&["--site", "nosuch", "-c", "ls"], 78, "docsh: site nosuch: there is no such site"),
        (&["--config", "/nosuch", "-c", "ls"], 78, "docsh: /nosuch: No such file or directory"),
        (&["--config", config, "--site", "far", "-c", "ls"], 69, "http://127.0.0.1:9 cannot be reached"),
        (&["--token-file", "/nosuch", "-c", "ls"], 77, "docsh: --token-file /nosuch: No such file or directory"),
        (&["--nosuch", "-c", "ls"], 64, "docsh: unexpected argument '--nosuch' found\n"),
        (&["--max-output", "x", "-c", "ls"], 64, "docsh: invalid value 'x' for '--max-output <BYTES>'"),
        (&["--as", "groups:", "-c", "ls"], 64, "docsh: --as groups:: use anonymous"),
        (&[], 64, "docsh: the following required arguments were not provided:\n  -c <COMMAND>\n"),
    ];
    for (args, status, told) in lines {
        let answer = Docsh::new([&["--json"], args].concat()).run();
        let text = answer.text();
        assert_eq!((text.lines().count(), answer.complaints().as_str()), (1, ""), "{args:?}: {text}");
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!((answer.status, &json["exitCode"]), (i32::from(status), &status.into()), "{args:?}");
        assert!(json["stderr"].as_str().unwrap().contains(told), "{args:?}: {text}");
    }
    let answer = Docsh::new(["--json", "-c", "ls"]).env("DOCSH_LOG", "loud:stderr").run();
    assert_eq!((answer.status, answer.complaints().as_str()), (78, ""), "{}", answer.text());
    assert!(answer.text().contains("\"exitCode\":78"), "{}", answer.text());
    let answer = Docsh::new(["check", "--json", "--nosuch"]).run();
    assert_eq!((answer.status, answer.text().as_str()), (64, ""), "a subcommand has its own");
}

#[test]
fn each_line_of_requests_is_answered_whatever_it_holds() {
    let lines: [&[u8]; 9] = [
        b"{\"id\":1,\"command\":\"echo \xff\"}",
        b"[]",
        b"{\"id\":2}",
        b"{\"id\":3,\"command\":\"ls\",\"cwd\":\"/nosuch\"}",
        b"{\"id\":4,\"command\":\"ls\",\"timeoutMs\":-5}",
        b"{\"id\":5,\"command\":\"echo no limit of its own\",\"timeoutMs\":0}",
        b"{\"id\":6,\"command\":\"echo far\",\"timeoutMs\":18446744073709551615}",
        b"{\"command\":\"echo nameless\"}\r",
        b"",
    ];
    let long = format!("{{\"id\":7,\"command\":\"echo {} | wc -c\"}}", "x".repeat(3_000_000));
    let asked = [&lines[..], &[long.as_bytes(), b"{\"id\":8,\"command\":\"echo last\"}"]].concat().join(&b'\n');
    let answer = Docsh::new(["--jsonl"]).stdin(&asked).run();
    let told: Vec<serde_json::Value> = answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let seen: Vec<(Option<u64>, Option<u64>, Option<&str>)> =
        told.iter().map(|line| (line["id"].as_u64(), line["exitCode"].as_u64(), line["stdout"].as_str())).collect();
    assert_eq!(
        seen,
        [
            (None, Some(64), Some("")),
            (None, Some(64), Some("")),
            (Some(2), Some(64), Some("")),
            (Some(3), Some(64), Some("")),
            (Some(4), Some(64), Some("")),
            (Some(5), Some(0), Some("no limit of its own\n")),
            (Some(6), Some(0), Some("far\n")),
            (None, Some(0), Some("nameless\n")),
            (Some(7), Some(0), Some("3000001\n")),
            (Some(8), Some(0), Some("last\n")),
        ]
    );
    assert_eq!((answer.status, answer.complaints().as_str()), (0, ""));
}

#[test]
fn only_who_is_trusted_says_whom_tls_trusts() {
    let server = Https::serving(&[]);
    let folder = tempfile::tempdir().unwrap();
    let (config, certificate) = (folder.path().join("config.toml"), folder.path().join("certificate.pem"));
    let site = format!(
        "[sites.docs]\nstore = \"chroma\"\nurl = \"https://localhost:{}\"\ncollection = \"docs\"\n",
        server.port
    );
    fs::write(&config, site).unwrap();
    fs::write(&certificate, &server.certificate).unwrap();
    let asked = |more: &[&str]| {
        let config = config.to_str().unwrap();
        let answer = Docsh::new([&["--config", config, "--site", "docs", "--no-cache"], more, &["-c", "ls"]].concat())
            .env("SSL_CERT_FILE", certificate.to_str().unwrap())
            .run();
        assert_ne!(answer.status, 0, "it is no Chroma server");
        !server.heads().is_empty()
    };
    assert!(asked(&[]) && asked(&["--native-certs"]), "its certificate is trusted");
    assert!(!asked(&["--restricted"]) && !asked(&["--restricted", "--native-certs"]), "a guest's environment counts");
}

#[test]
fn a_session_keeps_its_scratch_folder() {
    let asked = [
        r#"{"id":1,"command":"grep -rl token /auth > /tmp/found; cd /tmp"}"#,
        r#"{"id":2,"command":"pwd; wc -l < found; echo x > /x"}"#,
    ];
    let answer = Docsh::new(["--scratch", "1M", "--jsonl"]).stdin(asked.join("\n").as_bytes()).run();
    let lines: Vec<serde_json::Value> = answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[1]["stdout"], "/tmp\n10\n");
    assert_eq!(lines[1]["stderr"], "docsh: line 1: /x: Read-only file system\n");
}

#[test]
fn an_agent_is_shown_head_and_tail() {
    let answer = Docsh::new(["--json", "--max-output", "3000", "-c", "cat /reference/error-codes.mdx; exit 5"]).run();
    let json: serde_json::Value = serde_json::from_str(&answer.text()).unwrap();
    let shown = json["stdout"].as_str().unwrap();
    let whole = fs::read_to_string(Path::new(&repository("fixtures/acme/reference/error-codes.mdx"))).unwrap();
    let (head, tail) = shown.split_once("[... ").unwrap();
    assert!(whole.starts_with(head) && head.len() > 1000);
    let (_, tail) = tail.split_once("...]\n").unwrap();
    assert!(whole.ends_with(tail) && tail.len() > 500);
    assert_eq!(json["truncated"]["stdout"].as_u64(), Some((whole.len() - head.len() - tail.len()) as u64));
    assert_eq!((answer.status, json["exitCode"].as_u64()), (5, Some(5)));
}

#[test]
fn a_visitor_sees_what_the_standing_allows() {
    let list = |who: &str| {
        Docsh::new(["--as", who, "-c", "ls /internal 2>&1; grep -rl VELVET-OTTER / ; echo $?"]).run().text()
    };
    assert_eq!(list("anonymous"), "ls: cannot access '/internal': No such file or directory\n1\n");
    assert_eq!(list("signed-in"), "onboarding.mdx\nstyle-guide.md\nworking-titles.md\n1\n");
    let admin = list("groups:admin");
    assert!(admin.contains("/internal/runbook-failover.mdx\n") && admin.ends_with("0\n"), "{admin}");
    assert!(!admin.contains("dunning"), "{admin}");
}

#[test]
fn the_configuration_limits_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("config.toml");
    fs::write(&config, "default_site = \"acme\"\n[sites.acme]\nstore = \"bundled\"\n[limits]\ntime = \"200ms\"\n")
        .unwrap();
    let config = config.display().to_string();
    let status = |args: &[&str]| Docsh::new([&["--config", config.as_str()], args].concat()).run().status;
    assert_eq!(status(&["-c", "sleep 5"]), 124);
    assert_eq!(status(&["--timeout", "5", "-c", "sleep 0.4"]), 0);
}

#[test]
fn a_folder_is_shown_as_it_is_or_as_somebody_sees_it() {
    let folder = crate::support::tree::literal([
        ("open.md", "open\n"),
        ("staff.md", "---\npublic: false\n---\nstaff\n"),
        ("docs.json", "{}"),
        (".hidden", ""),
    ]);
    let dir = folder.path().display().to_string();
    let listed = |args: &[&str]| Docsh::new([&["--dir", dir.as_str()], args, &["-c", "ls -A"]].concat()).run().text();
    assert_eq!(listed(&[]), ".hidden\ndocs.json\nopen.md\nstaff.md\n");
    assert_eq!(listed(&["--as", "anonymous"]), "open.md\n");
    assert_eq!(listed(&["--as", "signed-in"]), "open.md\nstaff.md\n");
}

#[test]
fn a_check_of_the_bundled_site_finds_nothing() {
    let answer = Docsh::new(["check", "--site", "acme"]).run();
    assert_eq!((answer.status, answer.complaints().as_str()), (0, ""));
    assert!(answer.text().starts_with("site acme: ") && answer.text().contains("; 0 problems\n"), "{}", answer.text());
}

#[test]
fn background_jobs_of_subshells_belong_to_the_run() {
    let said = |line: &str| Docsh::new(["-c", line]).run().text();
    assert_eq!(said("( { sleep 0.05; echo late; } & ); echo now"), "now\nlate\n");
    assert_eq!(said("{ { sleep 0.05; echo late; } & } | cat"), "late\n");
    assert_eq!(said("x=$( { sleep 0.05; echo late; } & ); echo \"[$x]\""), "[late]\n");
}

#[test]
fn a_stopped_script_is_no_success() {
    let answer = Docsh::new(["--timeout", "0.2"]).stdin(b"echo hi\nyes > /dev/null\n").run();
    let expected = ("hi\n".to_string(), "docsh: time limit of 0.2 s reached\n".to_string(), 124);
    assert_eq!((answer.text(), answer.complaints(), answer.status), expected);
}

#[test]
fn what_only_the_shell_can_do_is_no_program() {
    let answer = Docsh::new(["-c", "echo / | xargs cd 2>/dev/null; echo $?; env cd / 2>/dev/null; echo $?; pwd"]).run();
    assert_eq!(answer.text(), "127\n127\n/\n");
}

#[test]
fn a_path_whose_operations_are_hidden_is_hidden() {
    let count =
        |who: &str| Docsh::new(["--as", who, "-c", "grep -c 'refund-override\"' /api-specs/v2.json"]).run().text();
    assert_eq!((count("anonymous").as_str(), count("groups:billing").as_str()), ("0\n", "1\n"));
}

#[test]
fn the_cache_on_the_disk_is_looked_at_filled_and_emptied() {
    let home = Home::new();
    let config = home.folder.path().join("config.toml").display().to_string();
    ingest(&home, &["--site", "acme", "--to", "chroma", "--config", &config]);
    home.forget_cache();
    let cache = |words: &[&str]| {
        let answer = home.docsh(&[&["cache"], words, &["--config", config.as_str()]].concat()).run();
        assert_eq!((answer.status, answer.complaints().as_str()), (0, ""), "{words:?}");
        answer.text().rsplit_once(": ").unwrap().1.to_string()
    };
    assert_eq!(cache(&["stats"]), "0 pages, 0 trees and 0 ingested folders, 0 bytes, of 536870912 that it may have\n");
    let read = cache(&["warm", "--site", "acme"]);
    let pages = read.split(' ').next().unwrap();
    assert!(read.ends_with(" pages read\n") && pages.parse::<usize>().unwrap() > 90, "{read}");
    assert!(cache(&["stats"]).starts_with(&format!("{pages} pages, 1 trees and 0 ingested folders, ")));
    assert_eq!(home.on_chroma("grep -rc token / | wc -l").1, 0, "all of it is there");
    assert!(cache(&["clear"]).starts_with(&format!("{pages} pages, 1 trees and 0 ingested folders, ")));
    assert_eq!(cache(&["stats"]), "0 pages, 0 trees and 0 ingested folders, 0 bytes, of 536870912 that it may have\n");
    let answer = home.docsh(&["cache", "warm"]).run();
    assert_eq!(answer.status, 64);
    assert_eq!(answer.complaints(), "docsh: site acme: it is at hand, and needs no cache\n");
}

#[test]
fn whoever_wants_nothing_old_gets_nothing() {
    let home = Home::new();
    let config = without_ttl(&home);
    let cat = |more: &[&str]| {
        home.docsh(&[&["--config", config.as_str(), "--site", "acme"], more, &["-c", "cat /llms.txt | wc -l"]].concat())
            .run()
    };
    let fresh = cat(&[]);
    assert_eq!((fresh.status, fresh.complaints().as_str()), (0, ""));
    home.proxy.set(crate::support::proxy::Fault::HangUp(usize::MAX));
    let old = cat(&[]);
    assert_eq!((old.status, old.text()), (0, fresh.text()));
    assert!(old.complaints().contains("; showing what was read "), "{}", old.complaints());
    let refused = cat(&["--no-stale"]);
    assert_eq!((refused.status, refused.text().as_str()), (69, ""));
}

#[test]
fn a_check_answers_programs_too() {
    let answer = Docsh::new(["check", "--site", "acme", "--json"]).run();
    let json: serde_json::Value = serde_json::from_str(&answer.text()).unwrap();
    assert_eq!((answer.status, json["site"].as_str(), &json["problems"]), (0, Some("acme"), &serde_json::json!([])));
    assert!(json["pages"].as_u64() > json["public"].as_u64());
}
