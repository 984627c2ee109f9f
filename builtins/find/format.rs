//! `-printf` and `-ls`.
use super::walk::Node;
use crate::{Call, Error, Kind, Meta, Moment, Quoting, Result, basename, directive::Directive, dirname, mode};
use std::io::Write;

/// A compiled format of `-printf`.
pub(super) struct Format(Vec<Piece>);

enum Piece {
    Text(String),
    /// A directive; the second letter is that of a time.
    Field(Directive, char, char),
    /// `\c`.
    Stop,
}

/// Digits behind the seconds, as findutils prints them.
const FRACTION: &str = ".%N0";

impl Format {
    /// Compile `text`. What is not known stays as it is, with a warning.
    pub(super) fn read(call: &Call<'_>, text: &str) -> Result<Format> {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        let warn = |message: String| {
            let line = format!("{}: warning: {message}\n", call.name());
            let _ = call.stderr.clone().write_all(line.as_bytes());
        };
        while let Some(at) = rest.find(['%', '\\']) {
            plain += &rest[..at];
            let is_escape = rest[at..].starts_with('\\');
            rest = &rest[at + 1..];
            if is_escape {
                let octal = rest.bytes().take(3).take_while(|byte| (b'0'..b'8').contains(byte)).count();
                if octal > 0 {
                    plain.push(u8::from_str_radix(&rest[..octal], 8).unwrap_or(0) as char);
                    rest = &rest[octal..];
                    continue;
                }
                let Some(letter) = rest.chars().next() else {
                    warn("escape `\\' followed by nothing at all".to_string());
                    plain.push('\\');
                    break;
                };
                rest = &rest[letter.len_utf8()..];
                match letter {
                    'a' => plain.push('\x07'),
                    'b' => plain.push('\x08'),
                    'c' => {
                        pieces.push(Piece::Text(plain));
                        pieces.push(Piece::Stop);
                        return Ok(Format(pieces));
                    }
                    'f' => plain.push('\x0c'),
                    'n' => plain.push('\n'),
                    'r' => plain.push('\r'),
                    't' => plain.push('\t'),
                    'v' => plain.push('\x0b'),
                    '\\' => plain.push('\\'),
                    letter => {
                        warn(format!("unrecognized escape `\\{letter}'"));
                        plain.extend(['\\', letter]);
                    }
                }
                continue;
            }
            let (directive, tail) = Directive::read(rest);
            let mut letters = tail.chars();
            match letters.next() {
                None => return Err(Error::failed("error: % at end of format string")),
                Some('%') => plain.push('%'),
                Some(letter @ ('A' | 'B' | 'C' | 'T')) => {
                    let Some(second) = letters.next() else {
                        return Err(Error::failed(format!("error: the format directive `%{letter}' is incomplete")));
                    };
                    pieces.push(Piece::Text(std::mem::take(&mut plain)));
                    pieces.push(Piece::Field(directive, letter, second));
                }
                Some(letter) if "abcdDfFgGhHiklmMnpPsStuUyYZ".contains(letter) => {
                    pieces.push(Piece::Text(std::mem::take(&mut plain)));
                    pieces.push(Piece::Field(directive, letter, '\0'));
                }
                Some(letter) => {
                    warn(format!("unrecognized format directive `%{letter}'"));
                    plain += &rest[..rest.len() - letters.as_str().len()];
                    plain.insert(plain.len() - (rest.len() - letters.as_str().len()), '%');
                }
            }
            rest = letters.as_str();
        }
        pieces.push(Piece::Text(plain + rest));
        Ok(Format(pieces))
    }

    /// The format filled in for `node`.
    pub(super) fn fill(&self, node: &Node, meta: &Meta, size: u64) -> String {
        let mut text = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(plain) => text += plain,
                Piece::Field(directive, letter, second) => {
                    text += &field(directive, *letter, *second, node, meta, size);
                }
                Piece::Stop => break,
            }
        }
        text
    }

    /// Whether it tells sizes, which may cost a request.
    pub(super) fn needs_size(&self) -> bool {
        self.0.iter().any(|piece| matches!(piece, Piece::Field(_, 's' | 'b' | 'k' | 'S', _)))
    }
}

fn field(directive: &Directive, letter: char, second: char, node: &Node, meta: &Meta, size: u64) -> String {
    let number = |value: u64| directive.text(&value.to_string());
    let time = |format: &str| Moment::of(meta).format(format);
    match letter {
        'm' => directive.number(&format!("{}{:o}", if directive.is_alternative() { "0" } else { "" }, meta.mode)),
        'd' => directive.number(&node.depth.to_string()),
        's' => number(size),
        'b' => number(Meta::allocated(size) / 512),
        'k' => number(Meta::allocated(size) / 1024),
        'S' => directive.text(&sparseness(size)),
        'D' => number(Meta::DEVICE),
        'G' | 'U' => number(0),
        'i' => number(meta.inode),
        'n' => number(u64::from(meta.links)),
        'a' | 'c' | 't' => directive.text(&time(&format!("%a %b %e %H:%M:%S{FRACTION} %Y"))),
        // Nobody knows when a page was born.
        'B' | 'l' | 'Z' => directive.text(""),
        'A' | 'C' | 'T' => directive.text(&match second {
            '@' => time(&format!("%s{FRACTION}")),
            '+' => time(&format!("%Y-%m-%d+%H:%M:%S{FRACTION}")),
            'S' => time(&format!("%S{FRACTION}")),
            'T' | 'X' => time(&format!("%H:%M:%S{FRACTION}")),
            second => time(&format!("%{second}")),
        }),
        'f' => directive.text(file_name(&node.name)),
        'F' => directive.text("docsh"),
        'g' | 'u' => directive.text("root"),
        'h' => directive.text(match node.name.trim_end_matches('/').rfind('/') {
            Some(_) if dirname::folder(&node.name) == "/" => "",
            Some(_) => dirname::folder(&node.name),
            None if node.name.starts_with('/') => "",
            None => ".",
        }),
        'H' => directive.text(&node.name[..node.start]),
        'M' => directive.text(&mode::string(meta)),
        'p' => directive.text(&node.name),
        'P' => directive.text(node.name[node.start..].trim_start_matches('/')),
        _ => directive.text(match meta.kind {
            Kind::File => "f",
            Kind::Dir => "d",
            Kind::Device => "c",
        }),
    }
}

/// The last name of a path; a starting point keeps its slash.
fn file_name(path: &str) -> &str {
    let base = basename::last(path);
    match path.ends_with('/') && base != "/" {
        true => &path[path.trim_end_matches('/').len() - base.len()..],
        false => base,
    }
}

/// Blocks over size, six digits at most, as `%g` has it.
fn sparseness(size: u64) -> String {
    if size == 0 {
        return "1".to_string();
    }
    let ratio = Meta::allocated(size) as f64 / size as f64;
    let digits = 6_usize.saturating_sub(format!("{}", ratio.trunc()).len());
    let text = format!("{ratio:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

/// One line of `-ls`.
pub(super) fn long(node: &Node, meta: &Meta, size: u64, now: i64) -> String {
    let is_recent = meta.mtime > now - 31_556_952 / 2 && meta.mtime <= now;
    let time = Moment::utc(meta.mtime).format(if is_recent { "%b %e %H:%M" } else { "%b %e  %Y" });
    format!(
        "{:9} {:6} {} {:3} {:8} {:8} {:8} {time} {}\n",
        meta.inode,
        Meta::allocated(size) / 1024,
        mode::string(meta),
        meta.links,
        "root",
        "root",
        if meta.kind == Kind::Device { "1,   3".to_string() } else { format!("{size:>8}") },
        Quoting::Escape.quote(&node.name),
    )
}
