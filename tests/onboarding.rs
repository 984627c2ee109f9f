//! What docsh prints for agents, for their clients, for its operator and for packagers: all of it works as printed.
use crate::support::{
    docsh::{Answer, Docsh},
    tree::repository,
};
use std::{fs, path::Path, process::Command};

/// Where Cursor's configuration belongs, as is told beside it.
const CURSOR: &str = "Cursor: .cursor/mcp.json of a project, or ~/.cursor/mcp.json\n";

fn printed(args: &[&str]) -> String {
    let answer = Docsh::new(args).run();
    assert_eq!((answer.status, answer.complaints().as_str()), (0, ""), "{args:?}");
    answer.text()
}

/// A command line of a host's shell that finds docsh on its path.
fn in_bash(line: &str) -> Answer {
    let folder = Path::new(env!("CARGO_BIN_EXE_docsh")).parent().unwrap();
    let mut bash = Command::new("bash");
    // `docsh --dir .` reads all of the folder: not one that everything is built in.
    bash.args(["-c", line]).current_dir(repository("fixtures/acme"));
    let path = std::env::var("PATH").unwrap();
    Docsh::from_command(bash).env("PATH", &format!("{}:{path}", folder.display())).run()
}

/// The command lines in the code blocks of this Markdown.
fn commands(markdown: &str) -> Vec<&str> {
    let blocks = markdown.split("```").skip(1).step_by(2);
    blocks.flat_map(|block| block.lines().skip(1)).filter(|line| line.starts_with("docsh ")).collect()
}

#[test]
fn the_section_for_agents_tells_of_the_site_and_its_commands_run() {
    let section = printed(&["agents", "--site", "acme"]);
    assert!(section.starts_with("## Documentation of acme\n"), "{section}");
    assert!(section.contains("(96 pages)") && section.contains("/auth, ") && section.contains("/api-specs/v2.json"));
    assert!(!section.contains("/internal"));
    let lines = commands(&section);
    assert_eq!(lines.len(), 3);
    for line in lines {
        let answer = in_bash(line);
        assert_eq!((answer.status, answer.complaints().as_str()), (0, ""), "{line}");
        assert!(!answer.stdout.is_empty(), "{line}");
    }
    assert!(printed(&["agents", "--site", "acme", "--as", "signed-in"]).contains("/internal"));
}

#[test]
fn the_skill_has_a_head_that_agents_read() {
    let skill = printed(&["skill", "--site", "acme"]);
    let head = skill.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).expect("a head").0;
    assert_eq!(head.lines().next(), Some("name: query-docs-acme"));
    assert!(head.lines().nth(1).unwrap().starts_with("description: Search and read the acme documentation"));
    assert_eq!(commands(&skill).len(), 3);
}

#[test]
fn the_configuration_of_a_client_starts_a_server() {
    let answer = Docsh::new(["setup", "cursor", "--site", "acme"]).run();
    assert_eq!(answer.complaints(), CURSOR);
    // Nothing but the file, so that it can be written to its place.
    let json: serde_json::Value = serde_json::from_str(&answer.text()).unwrap();
    let server = &json["mcpServers"]["acme-docs"];
    let mut command = Command::new(server["command"].as_str().unwrap());
    command.args(server["args"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()));
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let answer = Docsh::from_command(command).stdin(format!("{hello}\n").as_bytes()).run();
    assert!(answer.text().contains("The acme docs"), "{}{}", answer.text(), answer.complaints());
    let all = printed(&["setup", "--site", "acme", "--url", "https://docs.acme.com/mcp"]);
    assert_eq!(all.matches("https://docs.acme.com/mcp").count(), 6, "{all}");
}

#[test]
fn what_is_printed_leads_to_the_same_site_as_the_same_visitor() {
    let (_folder, config) = configuration("[sites.docs]\nstore = \"bundled\"\n");
    let told = ["--config", &config, "--site", "docs", "--as", "groups:admin", "--native-certs", "--restricted"];
    let section = printed(&[&["agents"][..], &told].concat());
    let lines = commands(&section);
    assert_eq!(lines.len(), 3);
    assert!(lines.iter().all(|line| line.starts_with(&format!("docsh {} -c ", told.join(" ")))), "{section}");
    let setup = Docsh::new([&["setup", "cursor"][..], &told].concat()).run().text();
    let json: serde_json::Value = serde_json::from_str(&setup).unwrap();
    assert_eq!(json["mcpServers"]["docs-docs"]["args"], serde_json::json!([&["mcp"][..], &told].concat()));

    let setup = Docsh::new(["setup", "codex", "--dir", "."]).current_dir(Path::new("/usr")).run().text();
    assert!(
        setup.contains("[mcp_servers.\"usr-docs\"]") && setup.contains("[\"mcp\", \"--dir\", \"/usr\"]"),
        "{setup}"
    );
    let refused = Docsh::new(["agents", "--token-fd", "3"]).run();
    assert_eq!((refused.status, refused.text().as_str()), (77, ""), "{}", refused.complaints());
}

/// A folder with a configuration, and the path of that.
fn configuration(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    fs::write(&file, text).unwrap();
    let path = file.display().to_string();
    (folder, path)
}

#[test]
fn the_sites_are_listed_with_what_is_wrong_with_them() {
    let text = "default_site = \"docs\"\n[sites.docs]\nurl = \"http://127.0.0.1:8000\"\n[sites.x]\nfile = \"y\"\n";
    let (_folder, config) = configuration(text);
    assert_eq!(
        printed(&["sites", "--config", &config]),
        "  acme  bundled\n\
         * docs  chroma    http://127.0.0.1:8000 default_tenant/default_database/docs\n\
         \x20 x     broken    [sites.x]: `file` must be an absolute path\n"
    );
    assert_eq!(printed(&["sites"]), "* acme  bundled\n");
}

#[test]
fn the_resolved_configuration_is_one_again_and_tells_no_secret() {
    let text = "default_site = \"docs\"\n[limits]\ntime = \"5s\"\n[cache]\nredis_env = \"CANARY\"\n\
                [sites.docs]\nurl = \"http://127.0.0.1:8000\"\ntoken_env = \"CANARY\"\n[sites.mine]\nttl = 5\n";
    let (folder, config) = configuration(text);
    assert_eq!(printed(&["config", "--config", &config]), format!("{config}\n"));
    let resolved = |config: &str| {
        let args = ["config", "--resolved", "--config", config];
        Docsh::new(args).env("CANARY", "redis://quetzal").env("HOME", "/home/u").run().text()
    };
    let first = resolved(&config);
    for line in
        ["time = \"5000ms\"", "collection = \"docs\"", "token_env = \"CANARY\"", "depth = 1000", "ttl = \"60000ms\""]
    {
        assert!(first.lines().any(|found| found == line), "{line} in\n{first}");
    }
    assert!(first.contains("/home/u/.local/share/docsh/sites/mine.db") && !first.contains("quetzal"), "{first}");
    let again = folder.path().join("again.toml");
    fs::write(&again, &first).unwrap();
    let second = resolved(&again.display().to_string());
    assert_eq!(first.split_once('\n').unwrap().1, second.split_once('\n').unwrap().1);
}

#[test]
fn the_completions_are_scripts_and_the_manual_is_a_page() {
    let script = printed(&["completions", "bash"]);
    assert!(script.contains("--max-output"));
    let mut bash = Command::new("bash");
    bash.arg("-n");
    assert_eq!(Docsh::from_command(bash).stdin(script.as_bytes()).run().status, 0);
    assert!(printed(&["completions", "zsh"]).starts_with("#compdef docsh"));
    let page = printed(&["man"]);
    assert!(page.contains(".TH docsh 1") && page.contains("grep \\-rn token /auth"), "{page}");
}

#[test]
fn the_examples_of_the_help_run() {
    let help = printed(&["--help"]);
    let (_, examples) = help.split_once("Examples:\n").expect("examples");
    let lines: Vec<&str> = examples.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.len(), 8);
    for line in lines {
        let answer = in_bash(line);
        let place = if line == "docsh setup cursor" { CURSOR } else { "" };
        assert_eq!((answer.status, answer.complaints().as_str()), (0, place), "{line}");
        assert!(!answer.stdout.is_empty(), "{line}");
    }
}
