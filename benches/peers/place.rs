//! Where the files are, the sites made of them, and the programs that are asked about them.
use crate::{corpus, rows::Row};
use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The docsh that cargo built with this program.
const DOCSH: &str = env!("CARGO_BIN_EXE_docsh");

/// A folder below the target folder: what it takes minutes to make stays in it.
pub(crate) struct Place {
    home: PathBuf,
    /// docsh as one that is installed: a copy. What a linker wrote page by page, the kernel keeps in memory page by
    /// page too, and hands out more slowly than a file that was written in one go, as those of the peers were.
    docsh: PathBuf,
    /// What `benches/install-peers` has installed.
    installed: PathBuf,
}

impl Place {
    pub(crate) fn new() -> io::Result<Place> {
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("peers");
        fs::create_dir_all(home.join("config"))?;
        let docsh = home.join("docsh");
        let modified = |file: &Path| fs::metadata(file).and_then(|meta| meta.modified()).ok();
        if modified(&docsh) < modified(DOCSH.as_ref()) {
            let _ = fs::remove_file(&docsh);
            fs::copy(DOCSH, &docsh)?;
        }
        let installed = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("bench-peers");
        Ok(Place { home, docsh, installed })
    }

    /// A file below this place.
    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.home.join(name)
    }

    /// What the last process said on stderr.
    pub(crate) fn errors(&self) -> PathBuf {
        self.join("stderr")
    }

    /// The folder of files that a row is about.
    pub(crate) fn files(&self, row: &Row) -> PathBuf {
        match row.files.as_str() {
            "acme" => Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/acme"),
            files => self.join("files").join(files),
        }
    }

    /// Write the files called `files`, and the site of them, unless they are there and no older than docsh.
    pub(crate) fn prepare(&self, files: &str) -> io::Result<()> {
        let home = self.join("files");
        let Ok(pages) = files.parse() else {
            return if files == "streams" { corpus::streams(&home).map(drop) } else { Ok(()) };
        };
        let folder = corpus::pages(&home, pages)?;
        let site = self.site(files);
        let written = |file: &Path| fs::metadata(file).and_then(|meta| meta.modified()).ok();
        if written(&site) < written(DOCSH.as_ref()) {
            let _ = fs::remove_file(&site);
            let done = self
                .tool(&self.docsh)
                .arg("ingest")
                .arg(folder)
                .args(["--site", &name(files)])
                .stdout(Stdio::null())
                .status()?;
            assert!(done.success(), "ingest: {done}");
        }
        Ok(())
    }

    /// The file of the site of these pages.
    pub(crate) fn site(&self, files: &str) -> PathBuf {
        self.join(&format!("data/docsh/sites/{}.db", name(files)))
    }

    /// A program with as much environment as it needs.
    fn tool(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("LC_ALL", "C.UTF-8");
        command
            .env("HOME", &self.home)
            .env("XDG_CONFIG_HOME", self.join("config"))
            .env("XDG_DATA_HOME", self.join("data"));
        command
    }

    /// docsh with these words.
    pub(crate) fn docsh_with(&self, words: &[&str]) -> Command {
        let mut command = self.tool(&self.docsh);
        command.args(words);
        command
    }

    /// docsh as `row` asks it.
    pub(crate) fn docsh(&self, row: &Row) -> Command {
        match row.files.as_str() {
            "acme" | "streams" => self.docsh_with(&["-c", &row.docsh]),
            files => self.docsh_with(&["--site", &name(files), "-c", &row.docsh]),
        }
    }

    /// The peers that are there, as `row` asks them.
    pub(crate) fn peers(&self, row: &Row) -> Vec<(&'static str, Command)> {
        let files = self.files(row);
        let shell = |command: &str| {
            let mut shell = self.tool("bash");
            shell.args(["-c", command]).current_dir(&files);
            shell
        };
        let mut peers = vec![("bash", shell(&row.bash))];
        if let Some(line) = &row.rg {
            let mut words = line.split(' ');
            let mut rg = self.tool(words.next().unwrap_or_default());
            rg.args(words.map(|word| word.trim_matches('\''))).current_dir(&files);
            peers.push(("rg", rg));
        }
        let line = row.others.as_ref().unwrap_or(&row.bash);
        let just_bash = self.installed.join("node_modules/.bin/just-bash");
        if just_bash.exists() {
            let mut command = self.tool(just_bash);
            command.args(["-c", line, "--root"]).arg(&files);
            peers.push(("just-bash", command));
        }
        let bashkit = self.installed.join("bin/bashkit");
        if bashkit.exists() {
            let mut command = self.tool(bashkit);
            command
                .arg("--mount-ro")
                .arg(format!("{}:/docs", files.display()))
                .args(["-c", &format!("cd /docs; {line}")]);
            peers.push(("bashkit", command));
        }
        peers
    }

    /// Each peer, with its version, or that it is not there.
    pub(crate) fn versions(&self) -> Vec<(&'static str, String)> {
        let first = |program: PathBuf, words: &[&str]| {
            let output = self.tool(program).args(words).output().ok()?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            text.lines().find(|line| !line.is_empty()).map(|line| line.trim().to_string())
        };
        let package = self.installed.join("node_modules/just-bash/package.json");
        let package = fs::read_to_string(package).ok().and_then(|text| serde_json::from_str(&text).ok());
        let just_bash =
            package.and_then(|package: serde_json::Value| Some(package.get("version")?.as_str()?.to_string()));
        let node = first("node".into(), &["--version"]).unwrap_or_default();
        let missing = || "not installed: run `benches/install-peers`".to_string();
        [
            ("docsh", first(self.docsh.clone(), &["--version"])),
            (
                "bash",
                first(
                    "bash".into(),
                    &["-c", "echo $BASH_VERSION, $(grep --version | head -n 1), $(ls --version | head -n 1)"],
                ),
            ),
            ("rg", first("rg".into(), &["--version"])),
            ("just-bash", just_bash.map(|version| format!("{version} on node {node}"))),
            ("bashkit", first(self.installed.join("bin/bashkit"), &["--version"])),
        ]
        .map(|(name, version)| (name, version.unwrap_or_else(missing)))
        .into()
    }
}

/// The site of these pages.
fn name(files: &str) -> String {
    format!("pages-{files}")
}
