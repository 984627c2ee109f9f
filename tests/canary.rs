//! A secret of the host appears in nothing that docsh says: not in the output of commands that look for it, not in
//! messages, traces or logs, however the site's store fails.
use crate::support::{
    docsh::Docsh,
    proxy::{Fault, Proxy},
    service,
};
use serde_json::json;
use std::{collections::BTreeSet, fs, path::Path};

/// What must appear nowhere. Every secret contains it.
const CANARY: &str = "quetzal-7f3a";

/// Command lines that look for the host's environment and files where they would be.
const LINES: &[&str] = &[
    "env",
    "env -0 | od -c",
    "printenv",
    "printenv CANARY_TOKEN AWS_SECRET_ACCESS_KEY DOCSH_TOKEN",
    "export",
    "export -p",
    "declare",
    "declare -p",
    "declare -x",
    "set",
    "set -o",
    "typeset -p",
    "readonly -p",
    "local -p",
    "compgen -v",
    "compgen -e",
    "echo ${!C@} ${!A@} ${!D@}",
    "for v in ${!A*} ${!C*} ${!D*}; do echo \"$v=${!v}\"; done",
    "echo $CANARY_TOKEN $AWS_SECRET_ACCESS_KEY $DOCSH_TOKEN $CHROMA_TOKEN",
    "echo \"${CANARY_TOKEN?unset}\"",
    "echo \"${CANARY_TOKEN:-none}\"",
    "n=CANARY_TOKEN; echo ${!n}",
    "declare -n r=CANARY_TOKEN; echo $r",
    "eval 'echo $CANARY_TOKEN'",
    "bash -c 'echo $CANARY_TOKEN; env'",
    "sh -c env",
    "bash -lc 'declare -p'",
    "env -i env",
    "env -u HOME env",
    "env CANARY=1 env",
    "exec env",
    "command env",
    "xargs -n1 env </dev/null",
    "find / -maxdepth 0 -exec env \\;",
    "timeout 1 env",
    "nice env",
    "nohup env",
    "time env",
    "jq -n env",
    "jq -n '$ENV'",
    "jq -n '$ENV.AWS_SECRET_ACCESS_KEY'",
    "jq -n 'env | keys'",
    "jq -n 'env.CANARY_TOKEN'",
    "jq -n '$__prog_args'",
    "jq -n 'input_filename'",
    "jq -n '[splits(\"a\")]'",
    "awk 'BEGIN { for (n in ENVIRON) print n, ENVIRON[n] }'",
    "awk 'BEGIN { print ENVIRON[\"AWS_SECRET_ACCESS_KEY\"] }'",
    "awk 'BEGIN { for (n in PROCINFO) print n, PROCINFO[n] }'",
    "awk 'BEGIN { \"env\" | getline x; print x }'",
    "awk 'BEGIN { system(\"env\") }'",
    "awk 'BEGIN { print | \"env\" }'",
    "awk 'BEGIN { while ((getline line < \"/proc/self/environ\") > 0) print line }'",
    "gawk 'BEGIN { print ENVIRON[\"HOME\"]; @include \"/etc/passwd\" }'",
    "sed -n '1e env' /index.mdx",
    "sed 's/.*/env/e' /index.mdx | head -1",
    "ps aux",
    "ps e",
    "ps -ef",
    "id; whoami; who; users; logname; groups",
    "uname -a; hostname; arch; nproc; uptime",
    "tty; stty -a",
    "ulimit -a; umask",
    "pwd -P; cd -; cd; pwd",
    "cd ~root; cd ~; echo ~ ~root ~+ ~-",
    "history",
    "alias; trap; jobs; times; shopt; hash",
    "type -a env; command -v docsh; which docsh",
    "caller; echo $0 $$ $PPID $! $- $_ $UID $EUID $SHELL $HOSTNAME $OSTYPE",
    "echo $BASH_VERSION ${BASH_VERSINFO[@]} $BASHOPTS $SHELLOPTS $BASH_ENV $ENV",
    "echo \"$(env)$(< /proc/self/environ)\"",
    "diff <(env) /dev/null",
    "cat <(env) <(set)",
    "mapfile -t a < <(env); declare -p a",
    "read -r a < /proc/self/cmdline; echo $a",
    "coproc env; cat <&${COPROC[0]}",
    "printf '%s\\n' \"$@\" \"$*\" $#",
    "help; help env",
    "docsh config --resolved",
    "docsh --help",
    "curl http://127.0.0.1; wget x; nc localhost 1; ssh x",
    "python3 -c 'import os; print(os.environ)'",
    "perl -e 'print %ENV'; node -e 1; ruby -e 1",
    "cat /dev/tcp/127.0.0.1/22; exec 5<>/dev/tcp/127.0.0.1/22",
    "ls -la / /proc /sys /dev /root /home /etc /var /run /tmp 2>&1",
    "find / -name '*environ*' -o -name '*.toml' -o -name '.*'",
    "tree -a / | head -50",
    "grep -rs quetzal /",
    "rg -uuu quetzal / /proc /etc",
    "strings /proc/self/exe; xxd /proc/self/mem | head",
    "stat -f /; df -a; mount; lsof; free",
    "cat /dev/stdin /dev/fd/0 /dev/fd/3 /dev/fd/9 </dev/null",
    "cat /dev/fd/{3..20}",
    "date; TZ=/etc/shadow date; TZ=:/etc/passwd date",
    "LC_ALL=/etc/passwd ls; LANG=$(cat /etc/passwd) ls",
    "PATH=/usr/bin:/root /usr/bin/env",
    "/usr/bin/env; /bin/env; /sbin/env; ./env",
    "kill -l; kill -0 1; kill -9 1; kill $$",
    "wait; disown; fg; bg",
    "set -x; env; : $CANARY_TOKEN; set +x",
    "PS4='$(env)+'; set -x; true",
    "trap 'env' EXIT DEBUG; true",
    "exec 3</proc/self/environ; cat <&3",
    "test -r /proc/self/environ && echo readable; [ -e /root ] && echo root",
    "unknown-command-$CANARY_TOKEN",
    "ls --unknown-option=$CANARY_TOKEN",
    "cat $CANARY_TOKEN/x $AWS_SECRET_ACCESS_KEY",
    "syntax ((( error $CANARY_TOKEN",
    "echo ${CANARY_TOKEN",
    "ulimit -c unlimited; kill -SEGV $$",
];

/// Files of the host that hold the canary, or might hold something.
const FILES: &[&str] = &[
    "/proc/self/environ",
    "/proc/1/environ",
    "/proc/self/cmdline",
    "/proc/self/maps",
    "/proc/self/fd/3",
    "/etc/passwd",
    "/etc/docsh/config.toml",
    "$HOME/.aws/credentials",
    "~/.config/docsh/config.toml",
    "CONFIG",
    "KEY",
    "../../../../../../../CONFIG",
];

/// Commands that would read a file.
const READERS: &[&str] = &[
    "cat @",
    "grep . @",
    "head -c 100 < @",
    "source @",
    "jq -n --rawfile x @ '$x'",
    "awk 1 @",
    "sed -n p @",
    "find @ -type f -exec cat {} +",
    "while read -r l; do echo \"$l\"; done < @",
];

/// Everything that is asked, at least two hundred lines.
fn lines(config: &str, key: &str) -> Vec<String> {
    let file = |name: &str| name.replace("CONFIG", config).replace("KEY", key);
    let reads = FILES.iter().flat_map(|name| READERS.iter().map(move |reader| reader.replace('@', &file(name))));
    let lines: Vec<String> = LINES.iter().map(|line| line.to_string()).chain(reads).collect();
    assert!(lines.len() >= 200, "{}", lines.len());
    lines
}

/// A host whose environment, configuration, keys and credentials hold the canary.
struct Host {
    folder: tempfile::TempDir,
    config: String,
    key: String,
}

impl Host {
    fn new(chroma: &str) -> Host {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).display().to_string();
        let (config, key) = (at("config.toml"), at("key"));
        fs::write(&key, format!("{CANARY} key of the tests, long enough for HMAC")).unwrap();
        let tokens = format!("host = \"docs\"\nkey_file = {key:?}\nalgorithms = [\"HS256\"]\n");
        let text = format!(
            "# {CANARY}\ndefault_site = \"docs\"\n[sites.docs]\nstore = \"bundled\"\n{tokens}\n\
             [sites.far]\nurl = {chroma:?}\ntoken_env = \"CANARY_TOKEN\"\nheaders_file = {{ authorization = {key:?} }}\n"
        );
        fs::write(&config, text).unwrap();
        fs::create_dir(folder.path().join(".aws")).unwrap();
        let credentials = format!("[default]\naws_access_key_id = {CANARY}\naws_secret_access_key = {CANARY}\n");
        fs::write(folder.path().join(".aws/credentials"), credentials).unwrap();
        Host { config, key, folder }
    }

    /// docsh with the canary all around it, watched as closely as it can be.
    fn docsh(&self, args: &[&str], log: &Path) -> Docsh {
        let home = self.folder.path().display().to_string();
        let docsh = Docsh::new(args).env("HOME", &home).env("DOCSH_LOG", &format!("trace:{}", log.display()));
        let names = ["CANARY_TOKEN", "CHROMA_TOKEN", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "SECRET"];
        let docsh = names.iter().fold(docsh, |docsh, name| docsh.env(name, &format!("{CANARY}-{name}")));
        docsh.deadline(std::time::Duration::from_secs(60))
    }
}

fn expect_clean(what: &str, text: &str) {
    let at = text.find(CANARY);
    assert!(at.is_none(), "{what}: …{}", &text[at.unwrap_or(0).saturating_sub(200)..]);
}

#[test]
fn no_command_finds_the_secret() {
    let host = Host::new("http://127.0.0.1:9");
    let log = host.folder.path().join("log");
    let lines = lines(&host.config, &host.key);
    // A request each, and one session for all: what ends the session must not hide what follows, so that each is a
    // subshell's.
    let request = |(id, line): (usize, &String)| {
        json!({ "id": id, "command": format!("eval {}", quoted(line)), "cwd": "/", "timeoutMs": 3000 }).to_string()
    };
    for part in lines.chunks(40) {
        let asked: String = part.iter().enumerate().map(|line| request(line) + "\n").collect();
        let asked = asked.replace("\"command\":\"eval ", "\"command\":\"( eval ").replace("\",\"cwd\"", " )\",\"cwd\"");
        let answer = host.docsh(&["--config", &host.config, "--jsonl", "--trace"], &log).stdin(asked.as_bytes()).run();
        assert_eq!((answer.status, answer.timed_out), (0, false), "{}", answer.complaints());
        let answered: BTreeSet<u64> = answer
            .text()
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].as_u64())
            .collect();
        assert_eq!(answered.len(), part.len(), "every line is answered");
        // The requests name paths of the host, which messages repeat; those hold no canary.
        expect_clean("the answers", &answer.text());
        expect_clean("the messages and traces", &answer.complaints());
    }
    let told = fs::read_to_string(&log).unwrap();
    assert!(told.lines().count() >= lines.len(), "the log tells of every run");
    expect_clean("the log", &told);
}

/// A line as one word of the shell.
fn quoted(line: &str) -> String {
    format!("'{}'", line.replace('\'', "'\\''"))
}

#[test]
fn no_failure_tells_the_secret() {
    let chroma = service::chroma();
    let proxy = Proxy::to(chroma.port);
    let host = Host::new(&proxy.url());
    let log = host.folder.path().join("log");
    let faults = [
        Fault::None,
        Fault::HangUp(9),
        Fault::Answer(9, "HTTP/1.1 401 Unauthorized\nContent-Length: 14\n\n{\"error\":\"no\"}"),
        Fault::Answer(9, "HTTP/1.1 500 Oops\nContent-Length: 4\n\nOops"),
        Fault::Answer(9, "HTTP/1.1 200 OK\nContent-Length: 2\n\n[]"),
        Fault::Answer(9, "HTTP/1.1 302 Found\nLocation: http://127.0.0.1:9/\nContent-Length: 0\n\n"),
    ];
    for fault in faults {
        proxy.set(fault.clone());
        for args in [&["-c", "ls"][..], &["--json", "-c", "ls"]] {
            let args = [&["--config", host.config.as_str(), "--trace", "--site", "far"], args].concat();
            let answer = host.docsh(&args, &log).run();
            assert_eq!(answer.status, if fault == Fault::None { 78 } else { answer.status }, "{}", answer.complaints());
            assert_ne!(answer.status, 0, "{fault:?}");
            expect_clean("the answer", &answer.text());
            expect_clean("the messages", &answer.complaints());
        }
    }
    // A token that is refused is not repeated, nor is a configuration that is wrong.
    let token = format!("{CANARY}.{CANARY}.{CANARY}");
    let answer = host.docsh(&["--config", &host.config, "-c", "ls"], &log).env("DOCSH_TOKEN", &token).run();
    assert_eq!(answer.status, 77);
    expect_clean("the refusal", &answer.complaints());
    for args in [&["sites"][..], &["config", "--resolved"], &["setup"], &["agents"]] {
        let answer = host.docsh(&[args, &["--config", &host.config]].concat(), &log).run();
        expect_clean(args[0], &answer.text());
        expect_clean(args[0], &answer.complaints());
    }
    expect_clean("the log", &fs::read_to_string(&log).unwrap());
}
