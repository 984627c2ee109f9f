//! docsh behind a real sshd, asked by a real ssh: as a login shell and as a forced command, with the `sshd_config` that
//! src/cli/login.md gives.
use crate::support::{
    docsh::{Answer, Docsh},
    service::{self, Service},
    token,
    tree::repository,
};
use rexpect::{process::WaitStatus, session::spawn_command};
use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::Command,
    time::Duration,
};
use tempfile::TempDir;

/// A server with two users, both of them whoever runs the tests: `docs`, whose login shell is docsh, and `forced`,
/// whose shell is sh and whose key has a forced command. `member` is `forced` with another key, whose command names a
/// token.
struct Sshd {
    service: Service,
    folder: TempDir,
}

impl Sshd {
    fn new() -> Sshd {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).display().to_string();
        for key in ["host", "key", "forced", "member"] {
            let made = Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f", &at(key)]).status();
            assert!(made.is_ok_and(|status| status.success()), "ssh-keygen is not installed: run `tests/run services`");
        }
        symlink(env!("CARGO_BIN_EXE_docsh"), at("rdocsh")).unwrap();
        let public = |key: &str| fs::read_to_string(at(&format!("{key}.pub"))).unwrap();
        fs::create_dir(at("members")).unwrap();
        let config = token::config(&folder.path().join("members"));
        fs::write(at("members/token"), token::member(&["billing"])).unwrap();
        let [forced, member] = &documented("authorized_keys")[..] else { panic!("a key of a reader, and a member's") };
        // Only of a site with tokens can one be a member.
        let member = member.replace("--site acme", &format!("--config {config} --site docs"));
        let member = member.replace("/etc/docsh/tokens/billing", &at("members/token"));
        let keys = format!("{}{forced}{member}", public("key"))
            .replace("/usr/local/bin/docsh", env!("CARGO_BIN_EXE_docsh"))
            .replace("ssh-ed25519 AAAA… reader", &public("forced"))
            .replace("ssh-ed25519 AAAA… member", &public("member"));
        fs::write(at("authorized_keys"), keys).unwrap();
        fs::write(at("secret"), "a file of the host\n").unwrap();
        // A configuration that a restricted docsh must not look at.
        fs::write(at("config.toml"), "default_site = \"other\"\n[sites.other]\nstore = \"bundled\"\nttl = 1\n")
            .unwrap();
        let configuration = format!(
            "ListenAddress 127.0.0.1\nHostKey {}\nAuthorizedKeysFile {}\nPidFile none\nUsePAM no\nStrictModes no\n\
             PermitRootLogin yes\nPrintMotd no\nPrintLastLog no\nAcceptEnv *\n{}",
            at("host"),
            at("authorized_keys"),
            documented("sshd_config").concat().replace("Match User docs", "Match User docs,forced")
        );
        fs::write(at("sshd_config"), configuration).unwrap();
        let service =
            service::sshd(&at("sshd_config"), folder.path(), &[("docs", &at("rdocsh")), ("forced", "/bin/sh")]);
        Sshd { service, folder }
    }

    /// `ssh USER@HOST WORDS…`, with these options before.
    fn ssh(&self, user: &str, options: &[&str], words: &[&str]) -> Docsh {
        Docsh::from_command(self.command(user, options, words)).deadline(Duration::from_secs(20))
    }

    fn command(&self, user: &str, options: &[&str], words: &[&str]) -> Command {
        let (user, key) = match user {
            "docs" => ("docs", "key"),
            key => ("forced", key),
        };
        let key = self.folder.path().join(key);
        let mut ssh = Command::new("ssh");
        ssh.args(["-F", "none", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"]);
        ssh.args(["-o", "LogLevel=ERROR", "-o", "IdentitiesOnly=yes", "-p", &self.service.port.to_string(), "-i"]);
        ssh.arg(key).args(options).arg(format!("{user}@127.0.0.1")).args(words);
        ssh
    }

    fn run(&self, user: &str, command: &str) -> Answer {
        self.ssh(user, &[], &[command]).run()
    }

    /// A session at a terminal: lines that are typed, what each of them shows, and the status at the end.
    fn session(&self, user: &str, lines: &[(&str, &str)]) -> WaitStatus {
        let mut ssh = self.command(user, &["-tt"], &[]);
        ssh.env("TERM", "xterm");
        let mut session = spawn_command(ssh, Some(10_000)).expect("a pseudo-terminal");
        for (typed, shown) in lines {
            session.exp_string("$ ").expect("a prompt");
            session.send_line(typed).unwrap();
            session.exp_string(shown).unwrap_or_else(|error| panic!("{user}: {typed}: {error}"));
        }
        session.exp_eof().expect("the end");
        session.process().wait().expect("a status")
    }
}

/// The blocks of this kind in src/cli/login.md.
fn documented(kind: &str) -> Vec<String> {
    let text = fs::read_to_string(repository("src/cli/login.md")).unwrap();
    let start = format!("```{kind}\n");
    text.split(&start).skip(1).map(|block| block.split_once("```").expect("its end").0.to_string()).collect()
}

const USERS: [&str; 2] = ["docs", "forced"];

#[test]
fn a_command_of_the_client_runs_in_the_guest() {
    let sshd = Sshd::new();
    for user in USERS {
        let told = |command: &str| {
            let answer = sshd.run(user, command);
            (answer.text(), answer.complaints(), answer.status)
        };
        let fine = |text: &str| (text.to_string(), String::new(), 0);
        assert_eq!(told("ls /auth | head -2"), fine("api-keys.mdx\nindex.mdx\n"), "{user}");
        assert_eq!(told("grep -rl 'refresh token' /auth | wc -l"), fine("2\n"));
        assert_eq!(
            told(r#"echo 'a  b' "c'd" \$x $((1+1)); for i in 1 2; do echo $i; done"#),
            fine("a  b c'd $x 2\n1\n2\n")
        );
        assert_eq!(told("exit 7").2, 7);
        let (_, complaint, status) = told("cat /nosuch");
        assert_eq!((complaint.as_str(), status), ("cat: /nosuch: No such file or directory\n", 1));
        assert_eq!(told("rm /auth/oauth.mdx").1, "rm: cannot remove '/auth/oauth.mdx': Read-only file system\n");
        // Words are joined by ssh, as it always does.
        assert_eq!(sshd.ssh(user, &[], &["echo", "a   b", "c"]).run().text(), "a b c\n");
        assert_eq!(sshd.ssh(user, &[], &["tr a-z A-Z"]).stdin(b"from the client\n").run().text(), "FROM THE CLIENT\n");
    }
}

#[test]
fn the_examples_of_the_guide_run() {
    let sshd = Sshd::new();
    let ssh = sshd.command("docs", &[], &[]);
    let words: Vec<String> = ssh.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
    let reach = format!("ssh {}", words.join(" "));
    let lines = &documented("sh")[0];
    assert_eq!(lines.lines().count(), 3);
    for line in lines.lines() {
        let (before, after) = line.split_once("docs@docs.example.com").expect("the guide's host");
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{reach}{after}", reach = reach.replacen("ssh", before.trim_end(), 1))]);
        let answer = Docsh::from_command(shell).deadline(Duration::from_secs(20)).run();
        assert_eq!((answer.status, answer.timed_out), (0, false), "{line}: {}", answer.complaints());
        assert_eq!(answer.stdout.is_empty(), after.is_empty(), "{line}");
    }
}

#[test]
fn a_key_that_names_a_token_shows_what_its_member_may_see() {
    let sshd = Sshd::new();
    let seen = |user: &str| sshd.run(user, "ls /internal | head -2; cat /etc/passwd");
    let [reader, member] = ["forced", "member"].map(seen);
    assert_eq!((reader.text().as_str(), member.text().as_str()), ("", "dunning.mdx\ninvoice-corrections.mdx\n"));
    assert_eq!(member.complaints(), "cat: /etc/passwd: No such file or directory\n");
    assert!(matches!(
        sshd.session("member", &[("ls /internal", "dunning.mdx"), ("exit 3", "")]),
        WaitStatus::Exited(_, 3)
    ));
}

#[test]
fn a_session_has_a_terminal() {
    let sshd = Sshd::new();
    for user in USERS {
        let lines = [("cd auth; pwd", "/auth"), ("echo $((6*7))", "42"), ("exit 3", "")];
        assert!(matches!(sshd.session(user, &lines), WaitStatus::Exited(_, 3)), "{user}");
        // The width of the client's terminal is the guest's.
        let ssh = sshd.command(user, &["-tt"], &["ls /"]);
        let mut narrow = Command::new("sh");
        narrow.args(["-c", "stty cols 50 rows 20 && exec \"$@\"", "sh"]).arg(ssh.get_program()).args(ssh.get_args());
        let mut session = spawn_command(narrow, Some(10_000)).expect("a pseudo-terminal");
        session.exp_string("README.md      changelog  index.mdx  snippets\r\n").expect("four columns");
    }
}

#[test]
fn nothing_of_the_host_is_reached() {
    let sshd = Sshd::new();
    let secret = sshd.folder.path().join("secret").display().to_string();
    for user in USERS {
        for file in ["/etc/passwd", "/proc/self/environ", "/etc/ssh/ssh_host_ed25519_key", secret.as_str()] {
            let answer = sshd.run(user, &format!("cat {file} || head -1 < {file} || . {file}"));
            assert_eq!(answer.text(), "", "{user}: {file}");
            assert!(answer.complaints().contains("No such file or directory"), "{}", answer.complaints());
        }
        let variables = "HOME=/\nLC_ALL=C.UTF-8\nPATH=/usr/bin:/bin\nPWD=/\nSHLVL=1\n";
        let answer = sshd.run(user, "env; echo \"$SSH_CONNECTION$SSH_ORIGINAL_COMMAND$USER$LOGNAME\"");
        assert_eq!(answer.text(), format!("{variables}\n"), "{user}");
        // What the client sends along decides nothing: neither the site, nor a log in a file of the host.
        let log = sshd.folder.path().join(format!("log-{user}"));
        let config = sshd.folder.path().join("config.toml").display().to_string();
        let sent = [
            ("DOCSH_SITE", "nosuch"),
            ("DOCSH_CONFIG", config.as_str()),
            ("DOCSH_TOKEN", "x"),
            ("DOCSH_LOG", log.to_str().unwrap()),
        ];
        let options: Vec<String> = sent.iter().map(|(name, _)| format!("SendEnv={name}")).collect();
        let options: Vec<&str> = options.iter().flat_map(|option| ["-o", option.as_str()]).collect();
        let ssh = sshd.ssh(user, &options, &["ls / | head -2"]);
        let answer = sent.iter().fold(ssh, |ssh, (name, value)| ssh.env(name, value)).run();
        assert_eq!((answer.text().as_str(), answer.status), ("AGENTS.md\nREADME.md\n", 0), "{}", answer.complaints());
        assert!(!log.exists());
        // No program of the host, no shell of the host, no forwarding.
        for command in ["/bin/sh -c 'cat /etc/passwd'", "ssh localhost", "/usr/lib/openssh/sftp-server", "scp -t /tmp"]
        {
            let answer = sshd.run(user, command);
            assert!(answer.status != 0 && answer.text().is_empty(), "{user}: {command}: {}", answer.text());
        }
        let forward = sshd.ssh(user, &["-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:1"], &["true"]).run();
        assert_eq!(forward.status, 255, "{}", forward.complaints());
    }
}

#[test]
fn the_host_is_the_same_afterwards() {
    let sshd = Sshd::new();
    let before = listing(sshd.folder.path());
    sshd.session("docs", &[("echo x > /tmp/new; mkdir /d; echo $((1+1))", "2"), ("exit", "")]);
    sshd.run("forced", "touch new; echo > new; tee new </dev/null");
    assert_eq!(listing(sshd.folder.path()), before);
}

/// Names, sizes and modes below a folder.
fn listing(folder: &Path) -> Vec<(String, u64, u32)> {
    let entry = |entry: fs::DirEntry| {
        let meta = entry.metadata().unwrap();
        (entry.file_name().to_string_lossy().into_owned(), meta.len(), meta.permissions().mode())
    };
    // The server's own log grows with every connection.
    let mut found: Vec<_> = fs::read_dir(folder).unwrap().map(|found| entry(found.unwrap())).collect();
    found.retain(|(name, ..)| name != "log");
    found.sort();
    found
}
