//! `docsh setup [CLIENT]`: the configuration by which an MCP client starts docsh for a site, or asks a docsh that
//! serves it over HTTP. It only prints: of one client exactly what belongs into its file (which that is stands on
//! stderr), of all of them each below the name of its file.
use super::{
    Refusal,
    config::Config,
    flags::{Flags, Visiting},
    host,
    open::name_of,
    portrait::Portrait,
};
use clap::{Args as ClapArgs, ValueEnum};
use docsh_builtins::Status;
use serde_json::{Value, json};
use std::{
    io::{self, Write},
    iter, path,
};

/// Print the configuration of MCP clients for a site.
#[derive(ClapArgs, Clone, Debug)]
pub struct Args {
    /// The client (default: all of them)
    #[arg(value_enum)]
    pub client: Option<Client>,

    /// Which site, and who looks at it
    #[command(flatten)]
    pub visiting: Visiting,

    /// The address of a docsh that serves the site, e.g. https://docs.example.com/mcp (default: start docsh)
    #[arg(long, value_name = "URL", conflicts_with_all = ["dir", "as", "token_file", "token_fd", "no_cache", "no_stale"])]
    pub url: Option<String>,
}

/// An MCP client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Client {
    /// Claude Code
    ClaudeCode,
    /// Claude Desktop
    ClaudeDesktop,
    /// Cursor
    Cursor,
    /// VS Code
    Vscode,
    /// Codex
    Codex,
    /// Gemini CLI
    Gemini,
}

/// Print it.
pub fn run(args: &Args, flags: &Flags, config: &Config) -> Result<Status, Refusal> {
    let site = match &args.visiting.dir {
        Some(dir) => name_of(dir),
        None => config.choose(args.visiting.site.as_deref())?.name,
    };
    // A client starts docsh from wherever it likes.
    let file = config.named().map(path::absolute).transpose().map_err(Refusal::config)?;
    let options = args.visiting.anywhere().options(&site, file.as_deref(), flags)?;
    let program = std::env::current_exe().map_or("docsh".into(), |path| path.display().to_string());
    let server = Server { site: &site, program: &program, options: &options, url: args.url.as_deref() };
    let text = match args.client {
        // The file as it is, so that it can be written to its place.
        Some(client) => {
            host::say(&format!("{}\n", client.place()));
            server.file(client)
        }
        None => {
            let all = Client::value_variants().iter();
            all.map(|client| format!("# {}\n{}", client.place(), server.file(*client))).collect::<Vec<_>>().join("\n")
        }
    };
    // A reader that has gone has seen enough.
    let _ = io::stdout().write_all(text.as_bytes());
    Ok(Status::OK)
}

impl Client {
    /// Its name, and which file is meant.
    fn place(self) -> &'static str {
        match self {
            Client::ClaudeCode => "Claude Code: .mcp.json of a project",
            Client::ClaudeDesktop => "Claude Desktop: claude_desktop_config.json",
            Client::Cursor => "Cursor: .cursor/mcp.json of a project, or ~/.cursor/mcp.json",
            Client::Vscode => "VS Code: .vscode/mcp.json of a workspace",
            Client::Codex => "Codex: ~/.codex/config.toml",
            Client::Gemini => "Gemini CLI: ~/.gemini/settings.json",
        }
    }
}

/// How a client reaches a site.
struct Server<'a> {
    site: &'a str,
    program: &'a str,
    /// What the program is started with.
    options: &'a [String],
    url: Option<&'a str>,
}

impl Server<'_> {
    /// What stands in the client's file.
    fn file(&self, client: Client) -> String {
        match client {
            Client::Codex => self.toml(),
            Client::Vscode => pretty(&json!({ "servers": { self.name(): self.json(client) } })),
            _ => pretty(&json!({ "mcpServers": { self.name(): self.json(client) } })),
        }
    }

    /// What the client calls the server.
    fn name(&self) -> String {
        let tool = Portrait { site: self.site.into(), ..Portrait::default() }.tool();
        tool.trim_start_matches("query_docs_").to_string() + "-docs"
    }

    /// The command line that serves the site.
    fn arguments(&self) -> Vec<&str> {
        iter::once("mcp").chain(self.options.iter().map(String::as_str)).collect()
    }

    fn json(&self, client: Client) -> Value {
        match (self.url, client) {
            (None, Client::Vscode) => json!({ "type": "stdio", "command": self.program, "args": self.arguments() }),
            (None, _) => json!({ "command": self.program, "args": self.arguments() }),
            (Some(url), Client::Gemini) => json!({ "httpUrl": url }),
            // It knows servers that it starts only; this bridge is the one that its makers name.
            (Some(url), Client::ClaudeDesktop) => json!({ "command": "npx", "args": ["-y", "mcp-remote", url] }),
            (Some(url), _) => json!({ "type": "http", "url": url }),
        }
    }

    fn toml(&self) -> String {
        // A string of JSON is one of TOML.
        let text = |value: &str| Value::from(value).to_string();
        let table = format!("[mcp_servers.{}]\n", text(&self.name()));
        match self.url {
            Some(url) => format!("{table}url = {}\n", text(url)),
            None => {
                let arguments = self.arguments().into_iter().map(text).collect::<Vec<_>>().join(", ");
                format!("{table}command = {}\nargs = [{arguments}]\n", text(self.program))
            }
        }
    }
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Docsh started by the client, and one at an address.
    fn servers(options: &[String]) -> [Server<'_>; 2] {
        let local = |url| Server { site: "acme", program: "/usr/bin/docsh", options, url };
        [local(None), local(Some("https://docs.acme.com/mcp"))]
    }

    #[test]
    fn every_client_gets_what_it_can_read() {
        let options = ["--site", "acme"].map(String::from);
        let [local, remote] = servers(&options);
        for client in Client::value_variants().iter().filter(|client| **client != Client::Codex) {
            let found: Value = serde_json::from_str(&local.file(*client)).unwrap();
            let servers = found.get("mcpServers").or(found.get("servers")).unwrap();
            assert_eq!(servers["acme-docs"]["command"], "/usr/bin/docsh", "{client:?}");
            assert_eq!(servers["acme-docs"]["args"], json!(["mcp", "--site", "acme"]));
            assert!(remote.file(*client).contains("https://docs.acme.com/mcp"), "{client:?}");
        }
        let codex =
            "[mcp_servers.\"acme-docs\"]\ncommand = \"/usr/bin/docsh\"\nargs = [\"mcp\", \"--site\", \"acme\"]\n";
        assert_eq!(local.file(Client::Codex), codex);
        assert!(toml::from_str::<toml::Table>(&remote.file(Client::Codex)).is_ok());
    }
}
