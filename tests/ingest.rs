//! `docsh ingest` from outside: what it makes of folders of each kind, what a second run writes, what a kill leaves.
mod addresses;
mod embeddings;
mod kinds;
mod objects;
mod runs;
mod survey;
mod texts;

use crate::support::docsh::{Answer, Docsh};
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};
use tempfile::TempDir;

/// A home of its own, so that sites are written nowhere else. The site is `docs`.
struct Home(TempDir);

impl Home {
    fn new() -> Home {
        Home::with_config("")
    }

    /// A home with this configuration, in which nothing is cached.
    fn with_config(config: &str) -> Home {
        let home = Home(tempfile::tempdir().unwrap());
        fs::write(home.config(), format!("{config}\n[cache]\ndisk = false\n")).unwrap();
        home
    }

    /// A home in which what is known of a folder is kept.
    fn caching() -> Home {
        let home = Home::new();
        fs::write(home.config(), format!("[cache]\nfolder = {:?}\n", home.0.path().join("cache"))).unwrap();
        home
    }

    /// A home whose site is in this Chroma server.
    fn on_chroma(port: u16) -> Home {
        Home::with_config(&format!("[sites.docs]\nurl = \"http://127.0.0.1:{port}\"\ntrust_caller = true\n"))
    }

    fn config(&self) -> PathBuf {
        self.0.path().join("config.toml")
    }

    fn docsh(&self, args: &[&str]) -> Docsh {
        let at = |name: &str| self.0.path().join(name).display().to_string();
        Docsh::new(args)
            .env("DOCSH_CONFIG", &self.config().display().to_string())
            .env("XDG_DATA_HOME", &at("data"))
            .env("HOME", &at("home"))
            .deadline(Duration::from_secs(120))
    }

    /// Ingest `dir`; the answer must be a success.
    fn ingest(&self, dir: &Path, args: &[&str]) -> Answer {
        let dir = dir.display().to_string();
        let answer = self.docsh(&[&["ingest", &dir, "--site", "docs"], args].concat()).run();
        assert_eq!(answer.status, 0, "{}", answer.complaints());
        answer
    }

    /// The same, told in JSON.
    fn ingest_json(&self, dir: &Path, args: &[&str]) -> serde_json::Value {
        let answer = self.ingest(dir, &[args, &["--json"]].concat());
        serde_json::from_str(&answer.text()).unwrap()
    }

    /// What a command line prints on the site, and its status; complaints follow.
    fn says(&self, line: &str) -> String {
        self.says_as("anonymous", line)
    }

    fn says_as(&self, who: &str, line: &str) -> String {
        let answer = self.docsh(&["--site", "docs", "--as", who, "-c", line]).run();
        format!("{}{}[{}]", answer.text(), answer.complaints(), answer.status)
    }

    /// The file of the site.
    fn file(&self) -> PathBuf {
        self.0.path().join("data/docsh/sites/docs.db")
    }
}
