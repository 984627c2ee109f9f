//! Random command lines: one maker a tool, flags and operands drawn from what that tool takes.
use super::patterns::{Dialect, pattern, word, word_pattern};
use std::{fs, path::Path};

/// A command line and what may differ in its answer.
pub(super) struct Line {
    pub(super) tool: &'static str,
    pub(super) text: String,
    /// The order of lines is the file system's.
    pub(super) any_order: bool,
}

/// A tool's name and what makes a line for it.
pub(super) type Tool = (&'static str, fn(&mut Maker<'_>) -> Line);

pub(super) const TOOLS: [Tool; 10] = [
    ("cut", cut),
    ("find", find),
    ("grep", grep),
    ("head", head),
    ("sed", sed),
    ("sort", sort),
    ("tail", tail),
    ("tr", tr),
    ("uniq", uniq),
    ("wc", wc),
];

/// Files of fields, numbers and repeats, which prose does not have.
const DATA: &[(&str, &str)] = &[
    ("data/numbers", "10\n9\n1.5\n-3\n0x1F\n1e3\n\n  7\n10\n+4\n1K\n2M\n900\nabc\n007\n.5\n-0\n"),
    ("data/fields", "b 2 x\na 10 y\nc  3 z\nA 2 x\na 1 y\n\nb\t2\tx\n_ 5 é\n é 4\na 10 y\n"),
    ("data/colons", "root:x:0:0::/root\nuser:x:1000:1000:A User:/home/user\n\nno colons here\n:empty:first\nlast:\n"),
    ("data/tabs", "name\tsize\tdate\nb\t12\t2025-01-02\na\t7\t2024-12-31\n\t\t\nonly\nc\t12\t2025-01-02\textra\n"),
    ("data/repeats", "a\na\nA\nb\nb\nb\n\n\nc\n  c\n  c\nd 1\nd 2\né\né\na\n"),
    ("data/months", "feb 3\nJAN 1\nDec 9\nmarch\n  apr 4\nnone\nSep 10\njan 2\n"),
    ("data/versions", "v1.10\nv1.9\nv1.9.1\n1.0\n1.0-rc1\nfile10.txt\nfile9.txt\nb2.tar\n"),
    ("data/open", "no newline\nat the end"),
    ("data/crlf", "one\r\ntwo words\r\n\r\nthree\r\n"),
    ("data/empty", ""),
    ("data/blank", "\n\n\n"),
    (
        "data/long",
        "the quick brown fox jumps over the lazy dog the quick brown fox jumps over the lazy dog 0123456789 end\n",
    ),
];

/// Put the files of [`DATA`] into a tree.
pub(super) fn add_data(tree: &Path) {
    for (path, text) in DATA {
        let file = tree.join(path);
        fs::create_dir_all(file.parent().expect("a folder")).unwrap();
        fs::write(file, text).unwrap();
    }
}

/// Draws the parts of one line.
pub(super) struct Maker<'a> {
    tool: &'static str,
    random: &'a mut fastrand::Rng,
    files: &'a [String],
    /// Whether a folder may stand among the operands.
    folders: bool,
}

impl<'a> Maker<'a> {
    pub(super) fn new(tool: &'static str, random: &'a mut fastrand::Rng, files: &'a [String]) -> Maker<'a> {
        Maker { tool, random, files, folders: true }
    }

    fn line(&self, text: String) -> Line {
        Line { tool: self.tool, text, any_order: false }
    }

    /// True once in `n` times.
    fn once_in(&mut self, n: usize) -> bool {
        self.random.usize(..n) == 0
    }

    fn pick<'s>(&mut self, choices: &[&'s str]) -> &'s str {
        choices[self.random.usize(..choices.len())]
    }

    /// Up to `most` of these words, spaced.
    fn some(&mut self, most: usize, choices: &[&str]) -> String {
        let count = self.random.usize(..=most);
        (0..count).map(|_| format!(" {}", self.pick(choices))).collect()
    }

    fn number(&mut self) -> usize {
        [0, 1, 1, 2, 3, 5, 10, 40, 1000][self.random.usize(..9)]
    }

    /// A file, in quotes: of the tree, of the data, seldom one that is not there.
    fn file(&mut self) -> String {
        let name = match self.random.u8(..20) {
            0 => "no/such.md".to_string(),
            1..10 => DATA[self.random.usize(..DATA.len())].0.to_string(),
            _ => self.files[self.random.usize(..self.files.len())].clone(),
        };
        quoted(&name)
    }

    /// One to three files as operands, seldom a folder or stdin.
    fn operands(&mut self) -> String {
        let count = 1 + [0, 0, 0, 1, 2][self.random.usize(..5)];
        let mut text = String::new();
        for _ in 0..count {
            let operand = if self.folders && self.once_in(25) { "auth".to_string() } else { self.file() };
            text += &format!(" {operand}");
        }
        text
    }

    /// What a tool reads: operands, a redirection, or a pipe.
    fn run_over(&mut self, command: String) -> String {
        match self.random.u8(..6) {
            0 => format!("{command} < {}", self.file()),
            1 => format!("cat {} | {command}", self.file()),
            2 => format!("cat {} | {command} - {}", self.file(), self.file()),
            _ => format!("{command}{}", self.operands()),
        }
    }
}

/// A word in single quotes.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn grep(maker: &mut Maker<'_>) -> Line {
    let mut text = "grep".to_string();
    let dialect = match maker.random.u8(..5) {
        0 | 1 => Some(Dialect::Basic),
        2 | 3 => Some(Dialect::Extended),
        _ => None,
    };
    text += match dialect {
        Some(Dialect::Basic) => "",
        Some(Dialect::Extended) => " -E",
        None => " -F",
    };
    let flags = ["-i", "-v", "-n", "-x", "-c", "-o", "-l", "-L", "-h", "-H", "-s", "-b", "-q", "-m1", "-m 3", "-Z"];
    text += &maker.some(3, &flags);
    if maker.once_in(4) {
        text += &maker
            .some(2, &["-A1", "-B1", "-C2", "-A 3", "--no-group-separator", "--group-separator=XX", "--label=me"]);
    }
    // The releases colour a whole line's end, and pad offsets before a tab, in different ways.
    if !text.contains("-x") && maker.once_in(8) {
        text += " --color=always";
    }
    if !text.contains("-b") && maker.once_in(20) {
        text += " -T";
    }
    let whole_words = maker.once_in(6);
    if whole_words {
        text += " -w";
    }
    for _ in 0..if maker.once_in(6) { 2 } else { 1 } {
        let pattern = match dialect {
            Some(_) if whole_words => word_pattern(maker.random),
            Some(dialect) => pattern(maker.random, dialect),
            None => word(maker.random).to_string(),
        };
        text += &format!(" -e {}", quoted(&pattern));
    }
    if maker.once_in(3) {
        text += maker.pick(&[" -r", " -R", " -rn", " -rl", " -rh", " -rc"]);
        let cuts =
            ["--include='*.md'", "--include='*.mdx'", "--exclude='i*'", "--exclude-dir=guides", "--exclude-dir='a*'"];
        text += &maker.some(2, &cuts);
        text += maker.pick(&["", " .", " auth", " guides concepts", " data", " ."]);
        return Line { any_order: true, ..maker.line(text) };
    }
    let text = maker.run_over(text);
    maker.line(text)
}

fn find(maker: &mut Maker<'_>) -> Line {
    let mut text =
        format!("find{}", maker.pick(&["", " .", " auth", " guides data", " api-specs no/such", " ./guides/"]));
    text += &maker.some(1, &["-maxdepth 1", "-maxdepth 2", "-mindepth 1", "-mindepth 2", "-depth"]);
    let tests = [
        "-name '*.md'",
        "-name '*.mdx'",
        "-iname 'I*'",
        "-name '[a-m]*'",
        "-not -name '*.mdx'",
        "-type f",
        "-type d",
        "-path '*auth*'",
        "-path './a*'",
        "-ipath '*API*'",
        "! -path '*/guides/*'",
        "-size +2",
        "-size -3k",
        "-size +1000c",
        "-size 1",
        "-empty",
        "-regex '.*/[a-e][^/]*'",
        "-regex '.*\\.mdx?'",
        "-regextype posix-extended -regex '.*/(auth|guides)/.*'",
        "-perm 644",
        "-perm -600",
        "-perm /111",
        "-newer docs.json",
        "-mtime +3",
        "-name 'a*' -o -name 'b*'",
        "-false",
        "\\( -name '*.md' -o -name '*.json' \\)",
        "-name guides -prune -o -type f",
        "-links 1 -type f",
        "-user root",
        "-name '*[!a-z.]*'",
        "-wholename './auth/*'",
        "-type f,d",
        "-true",
        "-readable",
    ];
    text += &maker.some(3, &tests);
    let actions = [
        "",
        "",
        "-print",
        "-print0",
        "-printf '%p\\n'",
        "-type f -printf '%f %s %h %d\\n'",
        "-printf '%P|%y|%m\\n'",
        "-type f -printf '%-20f|%5s|\\n'",
        "-exec echo {} \\;",
        "-type f -exec basename {} \\;",
        "-type f -exec wc -c {} \\;",
        "-type f -exec grep -l token {} +",
        "-type f -exec grep -q API {} \\; -print",
        "-printf '%H %P\\n'",
        "-type f -printf '%TY-%Tm-%Td %p\\n'",
    ];
    text += &format!(" {}", maker.pick(&actions));
    Line { any_order: true, ..maker.line(text) }
}

fn sort(maker: &mut Maker<'_>) -> Line {
    let flags = [
        "-n",
        "-r",
        "-u",
        "-f",
        "-d",
        "-i",
        "-b",
        "-g",
        "-h",
        "-M",
        "-V",
        "-s",
        "-c",
        "-C",
        "-k2",
        "-k2,2",
        "-k2n",
        "-k1,1",
        "-k2,2nr",
        "-k1.2",
        "-k1.2,1.3",
        "-k2b,2",
        "-k3,3 -k1,1",
        "-t:",
        "-t' '",
        "-t: -k3n",
        "-t: -k2,3",
        "-rn",
        "-fu",
        "-k1,1f -k2,2n",
        "-z",
        "-t$'\\t' -k2,2n -k1",
        "-m",
    ];
    let command = format!("sort{}", maker.some(3, &flags));
    let text = maker.run_over(command);
    maker.line(text)
}

fn cut(maker: &mut Maker<'_>) -> Line {
    let list = maker
        .pick(&["1", "2", "1,3", "2-", "-2", "2-4", "1-2,5", "3,1", "1-1", "4-,1", "5", "1,1-3", "10-20", "2,4-5,7-"]);
    let kind = maker.pick(&["-b", "-c", "-f", "-f", "-f"]);
    let mut command = format!("cut {kind} {list}");
    if kind == "-f" {
        command +=
            maker.pick(&["", " -d:", " -d ' '", " -d' ' -s", " -d: -s", " -d,", " -d '\"'", " -d $'\\t'", " -d /"]);
    }
    command += &maker
        .some(1, &["--complement", "--output-delimiter='|'", "--output-delimiter=__", "--output-delimiter=' '", "-z"]);
    let text = maker.run_over(command);
    maker.line(text)
}

fn tr(maker: &mut Maker<'_>) -> Line {
    let set = |maker: &mut Maker<'_>| {
        quoted(maker.pick(&[
            "a-z",
            "A-Z",
            "0-9",
            "[:upper:]",
            "[:lower:]",
            "[:space:]",
            "[:punct:]",
            "[:alnum:]",
            "[:digit:]",
            "aeiou",
            "\\n",
            " ",
            "\\n\\t ",
            "abc",
            "x*",
            "[x*]",
            "\\101-\\132",
            "[:alpha:]",
            "-",
            "\\\\",
            "a-cx-z",
            "[=e=]",
            "\\r",
            "_",
            "ab[:digit:]",
        ]))
    };
    let command = match maker.random.u8(..6) {
        0 => format!("tr -d {}", set(maker)),
        1 => format!("tr -s {}", set(maker)),
        2 => format!("tr -cd {}", set(maker)),
        3 => format!("tr {} {} {}", maker.pick(&["-s", "-c", "-t", "-cs", "-ds", "-C"]), set(maker), set(maker)),
        _ => format!("tr {} {}", set(maker), set(maker)),
    };
    let file = maker.file();
    let text = if maker.random.bool() { format!("{command} < {file}") } else { format!("cat {file} | {command}") };
    maker.line(text)
}

fn head(maker: &mut Maker<'_>) -> Line {
    let number = maker.number();
    let command = match maker.random.u8(..9) {
        0 => "head".to_string(),
        1 => format!("head -n {number}"),
        2 => format!("head -n -{number}"),
        3 => format!("head -c {number}"),
        4 => format!("head -c -{number}"),
        5 => format!("head -{number}"),
        6 => format!("head -qn{number}"),
        7 => format!("head -v --lines={number}"),
        _ => format!("head --bytes={}", maker.pick(&["1K", "1kB", "2b", "1KiB", "0", "3"])),
    };
    let text = maker.run_over(command);
    maker.line(text)
}

fn tail(maker: &mut Maker<'_>) -> Line {
    let number = maker.number();
    let command = match maker.random.u8(..9) {
        0 => "tail".to_string(),
        1 => format!("tail -n {number}"),
        2 => format!("tail -n +{number}"),
        3 => format!("tail -c {number}"),
        4 => format!("tail -c +{number}"),
        5 => format!("tail -{number}"),
        6 => format!("tail -qn{number}"),
        7 => format!("tail -v --lines={number}"),
        _ => format!("tail --bytes={}", maker.pick(&["1K", "+1kB", "2b", "1KiB", "0", "+3"])),
    };
    // The real one's `tail -c` gives up altogether at a folder, `tail -n` goes on.
    maker.folders = !(command.contains("-c") || command.contains("--bytes"));
    let text = maker.run_over(command);
    maker.line(text)
}

fn wc(maker: &mut Maker<'_>) -> Line {
    let command =
        format!("wc{}", maker.some(3, &["-l", "-w", "-c", "-m", "-L", "-lw", "--lines", "--max-line-length"]));
    let text = maker.run_over(command);
    maker.line(text)
}

fn uniq(maker: &mut Maker<'_>) -> Line {
    let flags = [
        "-c",
        "-d",
        "-u",
        "-i",
        "-f1",
        "-f 2",
        "-s1",
        "-s 3",
        "-w1",
        "-w 4",
        "-D",
        "--all-repeated=separate",
        "--all-repeated=prepend",
        "--group",
        "--group=both",
        "--group=append",
        "-z",
        "-ci",
        "-du",
    ];
    let command = format!("uniq{}", maker.some(2, &flags));
    let file = maker.file();
    let text = match maker.random.u8(..5) {
        0 => format!("{command} < {file}"),
        1 | 2 => format!("sort {file} | {command}"),
        3 => format!("sort {file} | {command} | sort -rn | head -n 5"),
        _ => format!("{command} {file}"),
    };
    maker.line(text)
}

fn sed(maker: &mut Maker<'_>) -> Line {
    let dialect = if maker.random.bool() { Dialect::Basic } else { Dialect::Extended };
    let mut command = "sed".to_string();
    if dialect == Dialect::Extended {
        command += " -E";
    }
    command += &maker.some(2, &["-n", "-n", "-s", "-z", "-u"]);
    // `D` starts over without reading: beside a script that adds lines it never ends, so it stands alone.
    if maker.once_in(20) {
        command += &format!(" {}", quoted(maker.pick(&["N;P;D", "$!N;P;D", "$!N;s/\\n/+/;P;D", "N;D"])));
    } else {
        for _ in 0..if maker.once_in(3) { 2 } else { 1 } {
            let script = format!("{}{}", address(maker, dialect), action(maker, dialect));
            command += &format!(" -e {}", quoted(&script));
        }
    }
    let text = maker.run_over(command);
    maker.line(text)
}

fn address(maker: &mut Maker<'_>, dialect: Dialect) -> String {
    let one = |maker: &mut Maker<'_>| match maker.random.u8(..6) {
        0 => "$".to_string(),
        1 => "2~3".to_string(),
        2 | 3 => maker.number().max(1).to_string(),
        _ => format!("\\%{}%{}", pattern(maker.random, dialect), maker.pick(&["", "", "I"])),
    };
    let text = match maker.random.u8(..8) {
        0..3 => return String::new(),
        3..6 => one(maker),
        6 => format!("{},{}", one(maker), one(maker)),
        _ => format!("{},{}", one(maker), maker.pick(&["+2", "~4", "$", "5"])),
    };
    if maker.once_in(6) { format!("{text}!") } else { text }
}

fn action(maker: &mut Maker<'_>, dialect: Dialect) -> String {
    if maker.random.u8(..3) > 0 {
        let pattern = pattern(maker.random, dialect);
        let with = maker.pick(&["X", "<&>", "", "[\\U&\\E]", "\\n", "&&", "\\u&", "\\L&", "a\\&b", "\\t-"]);
        let flags = maker.pick(&["", "g", "g", "2", "p", "I", "gI", "2g", "gp", "3p"]);
        return format!("s%{pattern}%{with}%{flags}");
    }
    maker
        .pick(&[
            "p",
            "d",
            "q",
            "=",
            "n",
            "N",
            "G",
            "H",
            "x",
            "h;G",
            "P",
            "y/abc/xyz/",
            "a\\\nadded",
            "i\\\nbefore",
            "c\\\nchanged",
            "q3",
            "l",
            "l 20",
            "{p;d}",
            "{=;N}",
            "$!N",
            "s/a/b/;ta;s/e/E/;:a",
            "F",
            "z",
            "{n;d}",
            "a appended",
            "Q",
            "$!{h;d};x",
        ])
        .to_string()
}
