//! Running one command over a literal tree, for the commands' own tests.
use crate::{
    Call, Cancel, Entry, ErrorKind, Fs, FsResult, Input, Kind, Limits, Memory, Meta, Needles, Output, Run, Session,
    Status, Stdio, VPath, find,
};
use bytes::Bytes;
use std::{
    collections::{BTreeMap, BTreeSet},
    io::{BufRead, Cursor, Write},
    sync::Arc,
};

/// A literal tree: paths without a leading slash, and what they hold.
pub(crate) type Tree<'a> = &'a [(&'a str, &'a str)];

/// Run `command` in the root of `tree` with no stdin, and compare its whole answer: stdout, then `[stderr]` and what it
/// says, then `[status N]` when it is not 0.
pub(crate) fn check(tree: Tree<'_>, command: &str, expected: expect_test::Expect) {
    check_with_stdin(tree, command, "", expected);
}

/// The same with a stdin.
pub(crate) fn check_with_stdin(tree: Tree<'_>, command: &str, stdin: &str, expected: expect_test::Expect) {
    let (stdout, stderr, status) = run(tree, command, stdin.as_bytes());
    let mut answer = String::from_utf8_lossy(&stdout).into_owned();
    if !answer.is_empty() && !answer.ends_with('\n') {
        answer.push_str("[no newline]\n");
    }
    if !stderr.is_empty() {
        answer += &format!("[stderr]\n{}", String::from_utf8_lossy(&stderr));
    }
    if !status.is_ok() {
        answer += &format!("[status {}]\n", status.0);
    }
    expected.assert_eq(&answer);
}

/// Run `command` (words in the shell's quotes) and give stdout, stderr and status.
pub(crate) fn run(tree: Tree<'_>, command: &str, stdin: &[u8]) -> (Vec<u8>, Vec<u8>, Status) {
    run_on(literal(tree), command, stdin)
}

/// The same over any file system.
pub(crate) fn run_on(fs: Arc<dyn Fs>, command: &str, stdin: &[u8]) -> (Vec<u8>, Vec<u8>, Status) {
    let (stdout, out) = Output::capture();
    let (stderr, err) = Output::capture();
    let stdin = if stdin.is_empty() { Input::empty() } else { Input::bytes(stdin.to_vec()) };
    let stdio = Stdio { stdin, stdout, stderr: stderr.unbuffered() };
    let status = run_over(fs, command, stdio);
    (out.take(), err.take(), status)
}

/// Run `command` over these streams and give its status.
pub(crate) fn run_over(fs: Arc<dyn Fs>, command: &str, stdio: Stdio) -> Status {
    run_until(fs, command, stdio, &Cancel::new())
}

/// The same, as a part of the run that `cancel` stops.
pub(crate) fn run_until(fs: Arc<dyn Fs>, command: &str, stdio: Stdio, cancel: &Cancel) -> Status {
    let words = shlex::split(command).expect("balanced quotes");
    Tools(fs).run(&words, stdio, &mut Session::new(), cancel)
}

/// `tree` as commands see it.
pub(crate) fn literal(tree: Tree<'_>) -> Arc<dyn Fs> {
    Arc::new(Literal::new(tree))
}

/// A shell that knows tools only.
struct Tools(Arc<dyn Fs>);

impl Run for Tools {
    fn run(&self, args: &[String], io: Stdio, session: &mut Session, cancel: &Cancel) -> Status {
        let Some(builtin) = find(&args[0]) else {
            let mut stderr = io.stderr;
            let _ = writeln!(stderr, "docsh: {}: command not found", args[0]);
            return Status(127);
        };
        let limits = Limits::default();
        let mut call = Call {
            builtin,
            prefix: "",
            args,
            stdin: io.stdin,
            stdout: io.stdout,
            stderr: io.stderr,
            fds: &BTreeMap::new(),
            session,
            fs: self.0.clone(),
            cancel: cancel.clone(),
            shell: Arc::new(Tools(self.0.clone())),
            memory: Memory::new(limits.memory).purse(),
            limits: &limits,
        };
        call.run_to_status()
    }

    fn has(&self, name: &str) -> bool {
        find(name).is_some()
    }
}

/// The tree of a test.
struct Literal {
    files: BTreeMap<VPath, Bytes>,
    dirs: BTreeSet<VPath>,
}

impl Literal {
    fn new(tree: Tree<'_>) -> Literal {
        let mut files = BTreeMap::new();
        let mut dirs = BTreeSet::from([VPath::root()]);
        for (path, text) in tree {
            let path = VPath::root().join(path);
            let mut dir = path.parent();
            while dirs.insert(dir.clone()) {
                dir = dir.parent();
            }
            files.insert(path, Bytes::copy_from_slice(text.as_bytes()));
        }
        Literal { files, dirs }
    }

    fn bytes(&self, path: &VPath) -> FsResult<Bytes> {
        match self.files.get(path) {
            Some(bytes) => Ok(bytes.clone()),
            None if self.dirs.contains(path) => Err(ErrorKind::IsADirectory.at(path)),
            None => Err(ErrorKind::NotFound.at(path)),
        }
    }
}

impl Fs for Literal {
    fn stat(&self, path: &VPath) -> FsResult<Meta> {
        let subfolders = self.dirs.iter().filter(|dir| !dir.is_root() && dir.parent() == *path).count();
        let (kind, size, mode, links) = match self.files.get(path) {
            Some(bytes) => (Kind::File, bytes.len() as u64, 0o644, 1),
            None if self.dirs.contains(path) => (Kind::Dir, 4096, 0o755, 2 + subfolders as u32),
            None => return Err(ErrorKind::NotFound.at(path)),
        };
        // 2025-01-15 12:00 UTC
        Ok(Meta { kind, size: Some(size), mtime: 1_736_942_400, nanos: 0, mode, links, inode: 1 })
    }

    fn list(&self, dir: &VPath) -> FsResult<Vec<Entry>> {
        if !self.stat(dir)?.is_dir() {
            return Err(ErrorKind::NotADirectory.at(dir));
        }
        let below = |path: &VPath| !path.is_root() && path.parent() == *dir;
        let entry = |path: &VPath, kind| Entry { name: path.name().unwrap_or_default().to_string(), kind };
        let files = self.files.keys().filter(|path| below(path)).map(|path| entry(path, Kind::File));
        let dirs = self.dirs.iter().filter(|path| below(path)).map(|path| entry(path, Kind::Dir));
        let mut entries: Vec<Entry> = files.chain(dirs).collect();
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    fn open(&self, path: &VPath, from: u64, _: &Cancel) -> FsResult<Box<dyn BufRead + Send>> {
        let bytes = self.bytes(path)?;
        Ok(Box::new(Cursor::new(bytes.slice(bytes.len().min(from as usize)..))))
    }

    fn size(&self, path: &VPath, _: &Cancel) -> FsResult<u64> {
        self.bytes(path).map(|bytes| bytes.len() as u64)
    }

    fn read_many(&self, paths: Vec<VPath>, _: &Cancel) -> Box<dyn Iterator<Item = (VPath, FsResult<Bytes>)> + Send> {
        let all: Vec<_> = paths.into_iter().map(|path| (path.clone(), self.bytes(&path))).collect();
        Box::new(all.into_iter())
    }

    fn narrow(&self, _: &[VPath], _: &Needles, _: &Cancel) -> FsResult<Option<Vec<VPath>>> {
        Ok(None)
    }
}
