//! Real servers for the tests: Chroma, Redis, two S3s, docsh, sshd. Each runs on a free port of the loopback address in
//! a folder of its own, is ready when its function returns, and ends with its value or with the test process, however
//! that ends.
//!
//! `tests/run services` installs them; a test that finds no server fails with that line.
use std::{
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// How long a server may take until it answers: SeaweedFS takes 3 s, more on a busy machine.
const STARTUP: Duration = Duration::from_secs(60);

/// Runs a server and ends it when the other end of its stdin is gone. `$1` is the server's folder, the rest its
/// command.
const KEEPER: &str = r#"
folder=$1; shift
"$@" >"$folder/log" 2>&1 &
cat >/dev/null
kill -9 $!
rm -rf "$folder"
"#;

/// A running server.
pub(crate) struct Service {
    pub(crate) port: u16,
    /// Where it keeps its data, and its `log`.
    pub(crate) folder: PathBuf,
    keeper: Child,
}

/// A running S3 server that knows one key.
pub(crate) struct S3 {
    pub(crate) service: Service,
    /// Where objects are put without a signature: a folder of the disk, or SeaweedFS's filer.
    door: Door,
}

enum Door {
    Folder,
    Filer(u16),
}

impl S3 {
    pub(crate) const ACCESS_KEY: &str = "docsh-access-key";
    pub(crate) const SECRET_KEY: &str = "docsh-secret-key";

    /// Put an object, making its bucket.
    pub(crate) fn put(&self, bucket: &str, key: &str, bytes: &[u8]) {
        match self.door {
            Door::Folder => {
                let file = self.service.folder.join("data").join(bucket).join(key);
                fs::create_dir_all(file.parent().expect("below the bucket")).unwrap();
                fs::write(file, bytes).unwrap();
            }
            Door::Filer(port) => {
                let answer = http(port, &format!("PUT /buckets/{bucket}/{key}"), bytes).expect("the filer answers");
                assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
            }
        }
    }
}

/// A Chroma server with nothing in it.
pub(crate) fn chroma() -> Service {
    let python = installed("python", "venv/bin/python");
    let [port] = free_ports();
    let run = "import sys, chromadb_rust_bindings as chroma; chroma.cli(['chroma', 'run'] + sys.argv[1:])";
    let service = Service::start(port, |folder| {
        let mut command = Command::new(python);
        command
            .args(["-c", run, "--host", "127.0.0.1", "--port", &port.to_string(), "--path"])
            .arg(folder.join("data"));
        command
    });
    service.ready_when(|| Some(http(port, "GET /api/v2/heartbeat", b"")?.contains("nanosecond heartbeat")))
}

/// A Redis server that keeps nothing on the disk.
pub(crate) fn redis() -> Service {
    let server = installed("redis-server", "redis-server");
    let [port] = free_ports();
    let service = Service::start(port, |folder| {
        let mut command = Command::new(server);
        command.args(["--bind", "127.0.0.1", "--port", &port.to_string(), "--save", "", "--appendonly", "no"]);
        command.args(["--maxmemory", "64mb", "--maxmemory-policy", "allkeys-lru", "--dir"]).arg(folder);
        command
    });
    service.ready_when(|| Some(talk(port, b"PING\r\nQUIT\r\n")?.starts_with("+PONG")))
}

/// A docsh that serves over HTTP, as `command` starts it for the address where it is to listen.
pub(crate) fn docsh(command: impl FnOnce(&str) -> Command) -> Service {
    let [port] = free_ports();
    let service = Service::start(port, |_| command(&format!("127.0.0.1:{port}")));
    service.ready_when(|| Some(http(port, "GET /", b"")?.starts_with("HTTP/1.1 404")))
}

/// An sshd with this configuration, whose only users are these: names, and login shells. They have the id of whoever
/// runs the tests and `home` as their home; nothing of the machine's own list of users is changed.
pub(crate) fn sshd(configuration: &str, home: &Path, users: &[(&str, &str)]) -> Service {
    let program = installed("sshd", "../sbin/sshd").canonicalize().expect("found just now");
    let users_file = home.join("passwd");
    let me = fs::metadata(home).expect("it exists");
    let (id, group) = (std::os::unix::fs::MetadataExt::uid(&me), std::os::unix::fs::MetadataExt::gid(&me));
    let user = |(name, shell): &(&str, &str)| format!("{name}:x:{id}:{group}::{}:{shell}\n", home.display());
    let own = "sshd:x:65534:65534::/run/sshd:/usr/sbin/nologin\n";
    fs::write(&users_file, users.iter().map(user).collect::<String>() + own).unwrap();
    let [port] = free_ports();
    let service = Service::start(port, |_| {
        let mut command = Command::new("/usr/bin/env");
        command.arg("LD_PRELOAD=libnss_wrapper.so").arg(format!("NSS_WRAPPER_PASSWD={}", users_file.display()));
        command.arg("NSS_WRAPPER_GROUP=/etc/group").arg(program).args(["-D", "-e", "-p", &port.to_string()]);
        command.args(["-f", configuration]);
        command
    });
    service.ready_when(|| Some(talk(port, b"hello\r\n")?.starts_with("SSH-2.0-OpenSSH")))
}

/// s3s-fs: checks every signature, and refuses whoever has none.
pub(crate) fn s3s_fs() -> S3 {
    let server = installed("s3s-fs", "s3s-fs/bin/s3s-fs");
    let [port] = free_ports();
    let service = Service::start(port, |folder| {
        let data = folder.join("data");
        fs::create_dir(&data).unwrap();
        let mut command = Command::new(server);
        command.args(["--host", "127.0.0.1", "--port", &port.to_string()]);
        command.args(["--access-key", S3::ACCESS_KEY, "--secret-key", S3::SECRET_KEY]).arg(data);
        command
    });
    let service = service.ready_when(|| Some(http(port, "GET /", b"")?.starts_with("HTTP/1.1 ")));
    S3 { service, door: Door::Folder }
}

/// SeaweedFS: the strictest; the bucket `public` is anybody's to read.
pub(crate) fn seaweedfs() -> S3 {
    let server = installed("weed", "venv/bin/weed");
    let ports @ [port, filer, ..] = free_ports::<8>();
    let [s3, filer_port, s3_grpc, filer_grpc, master, master_grpc, volume, volume_grpc] = ports;
    let keys = serde_json::json!({ "identities": [
        { "name": "docsh", "actions": ["Admin", "Read", "Write", "List", "Tagging"],
          "credentials": [{ "accessKey": S3::ACCESS_KEY, "secretKey": S3::SECRET_KEY }] },
        { "name": "anonymous", "actions": ["Read:public", "List:public"] },
    ]});
    let service = Service::start(port, |folder| {
        let config = folder.join("keys.json");
        fs::write(&config, keys.to_string()).unwrap();
        let mut command = Command::new(server);
        command.args(["server", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-master.telemetry=false", "-filer", "-s3"]);
        command.args(["-master.volumeSizeLimitMB=64", "-volume.max=20", "-s3.port.iceberg=0", "-s3.port.lance=0"]);
        command.arg(format!("-s3.port={s3}")).arg(format!("-s3.port.grpc={s3_grpc}"));
        command.arg(format!("-filer.port={filer_port}")).arg(format!("-filer.port.grpc={filer_grpc}"));
        command.arg(format!("-master.port={master}")).arg(format!("-master.port.grpc={master_grpc}"));
        command.arg(format!("-volume.port={volume}")).arg(format!("-volume.port.grpc={volume_grpc}"));
        command.arg(format!("-s3.config={}", config.display())).arg(format!("-dir={}", folder.display()));
        command
    });
    let answers = |port| Some(http(port, "GET /", b"")?.starts_with("HTTP/1.1 "));
    // The S3 port opens before a volume takes writes, so that a first write is the proof.
    let writes = || Some(http(filer, "PUT /buckets/public/ready", b"yes")?.starts_with("HTTP/1.1 201"));
    S3 { service: service.ready_when(|| Some(answers(port)? && writes()?)), door: Door::Filer(filer) }
}

impl Service {
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Start the command that `command` makes for a new folder.
    fn start(port: u16, command: impl FnOnce(&Path) -> Command) -> Service {
        let folder = tempfile::tempdir().expect("a temporary folder").keep();
        let command = command(&folder);
        let keeper = Command::new("/bin/sh")
            .args(["-c", KEEPER, "keeper"])
            .arg(&folder)
            .arg(command.get_program())
            .args(command.get_args())
            // Not in the terminal's group: Ctrl-C ends the tests, and their end ends the server.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("/bin/sh starts");
        Service { port, folder, keeper }
    }

    /// Wait until `ready` says so; a server that never does fails the test with the end of its log.
    fn ready_when(self, ready: impl Fn() -> Option<bool>) -> Service {
        let deadline = Instant::now() + STARTUP;
        while ready() != Some(true) {
            if Instant::now() > deadline {
                let log = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
                let tail: Vec<&str> = log.lines().rev().take(20).collect();
                let tail: Vec<&str> = tail.into_iter().rev().collect();
                panic!("no answer from {} within {STARTUP:?}; its log ends:\n{}", self.url(), tail.join("\n"));
            }
            thread::sleep(Duration::from_millis(20));
        }
        self
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

/// Where a program is: in the services' folder, or on the PATH.
pub(crate) fn installed(program: &str, place: &str) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
    let services = std::env::var_os("DOCSH_TEST_SERVICES").map_or_else(|| target.join("test-services"), PathBuf::from);
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    let candidates = [services.join(place)].into_iter();
    let candidates = candidates.chain(std::env::split_paths(&on_path).map(|folder| folder.join(place)));
    let found = candidates.into_iter().find(|candidate| candidate.is_file());
    found.unwrap_or_else(|| panic!("{program} is not installed: run `tests/run services`, then this test again"))
}

/// Ports of the loopback address that nobody listens on.
fn free_ports<const N: usize>() -> [u16; N] {
    let listeners = [(); N].map(|()| TcpListener::bind("127.0.0.1:0").expect("a free port"));
    listeners.map(|listener| listener.local_addr().unwrap().port())
}

/// The body of the answer to a GET.
pub(crate) fn get(port: u16, path: &str) -> String {
    body_of(http(port, &format!("GET {path}"), b""))
}

/// The body of the answer to a DELETE.
pub(crate) fn delete(port: u16, path: &str) -> String {
    body_of(http(port, &format!("DELETE {path}"), b""))
}

/// The body of the answer to a POST of JSON.
pub(crate) fn post(port: u16, path: &str, body: &serde_json::Value) -> String {
    body_of(http(port, &format!("POST {path}"), body.to_string().as_bytes()))
}

fn body_of(answer: Option<String>) -> String {
    let answer = answer.expect("the server answers");
    answer.split_once("\r\n\r\n").expect("a head and a body").1.to_string()
}

/// One request; the answer's head and body as text, or nothing when there is no server.
fn http(port: u16, request: &str, body: &[u8]) -> Option<String> {
    let head = format!(
        "{request} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    talk(port, &[head.as_bytes(), body].concat())
}

/// Send these bytes and read until the other side closes.
pub(crate) fn talk(port: u16, bytes: &[u8]) -> Option<String> {
    let mut connection = TcpStream::connect(("127.0.0.1", port)).ok()?;
    connection.set_read_timeout(Some(Duration::from_secs(10))).ok()?;
    connection.write_all(bytes).ok()?;
    let mut answer = Vec::new();
    connection.read_to_end(&mut answer).ok()?;
    Some(String::from_utf8_lossy(&answer).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It answered when it was given; it must not when it is dropped.
    fn ends(service: Service) {
        let (port, folder) = (service.port, service.folder.clone());
        drop(service);
        assert!(talk(port, b"").is_none());
        assert!(!folder.exists());
    }

    #[test]
    fn chroma_starts_and_ends() {
        let chroma = chroma();
        let answer = http(chroma.port, "GET /api/v2/pre-flight-checks", b"").unwrap();
        assert!(answer.contains("max_batch_size"), "{answer}");
        ends(chroma);
    }

    #[test]
    fn redis_starts_and_ends() {
        let redis = redis();
        let answer = talk(redis.port, b"SET page text\r\nGET page\r\nQUIT\r\n").unwrap();
        assert_eq!(answer, "+OK\r\n$4\r\ntext\r\n+OK\r\n");
        ends(redis);
    }

    #[test]
    fn s3s_fs_refuses_whoever_does_not_sign() {
        let s3 = s3s_fs();
        s3.put("specs", "v2.json", b"{}");
        let answer = http(s3.service.port, "GET /specs/v2.json", b"").unwrap();
        assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
        ends(s3.service);
    }

    #[test]
    fn seaweedfs_serves_its_public_bucket_and_no_other() {
        let s3 = seaweedfs();
        s3.put("public", "v2.json", b"{}");
        s3.put("private", "v2.json", b"{}");
        let status = |path| http(s3.service.port, &format!("GET {path}"), b"").unwrap()[..12].to_string();
        assert_eq!(status("/public/v2.json"), "HTTP/1.1 200");
        assert_eq!(status("/private/v2.json"), "HTTP/1.1 403");
        ends(s3.service);
    }
}
