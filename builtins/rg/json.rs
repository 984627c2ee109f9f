//! `--json`: one JSON object a line, for each file that matches, each line, and the whole search.
use super::{print::matches, stats::Stats};
use crate::{
    Result,
    pattern::Pattern,
    scan::{Line, Sink},
};
use std::{fmt::Write as _, io::Write, time::Duration};

/// The printer of one file.
pub(super) struct Json<'j> {
    pattern: &'j Pattern,
    multiline: bool,
    path: &'j str,
    out: &'j mut dyn Write,
    has_begun: bool,
    pub(super) bytes: u64,
    pub(super) matches: u64,
    pub(super) lines: u64,
}

impl<'j> Json<'j> {
    pub(super) fn new(pattern: &'j Pattern, multiline: bool, path: &'j str, out: &'j mut dyn Write) -> Json<'j> {
        Json { pattern, multiline, path, out, has_begun: false, bytes: 0, matches: 0, lines: 0 }
    }

    fn put(&mut self, text: &str) -> Result<()> {
        self.bytes += text.len() as u64;
        Ok(self.out.write_all(text.as_bytes())?)
    }

    /// The file has been searched.
    pub(super) fn end(&mut self, stats: &Stats, null: Option<u64>) -> Result<()> {
        if !self.has_begun {
            return Ok(());
        }
        let null = null.map_or("null".to_string(), |at| at.to_string());
        let text = format!(
            "{{\"type\":\"end\",\"data\":{{\"path\":{},\"binary_offset\":{null},\"stats\":{{\"elapsed\":{{\"secs\":{},\
             \"nanos\":{},\"human\":\"{:.6}s\"}},\"searches\":{},\"searches_with_match\":{},\"bytes_searched\":{},\
             \"bytes_printed\":{},\"matched_lines\":{},\"matches\":{}}}}}}}\n",
            data(self.path.as_bytes()),
            stats.elapsed.as_secs(),
            stats.elapsed.subsec_nanos(),
            stats.elapsed.as_secs_f64(),
            stats.searches,
            stats.searches_with_match,
            stats.bytes_searched,
            self.bytes,
            stats.matched_lines,
            stats.matches
        );
        Ok(self.out.write_all(text.as_bytes())?)
    }
}

impl Sink for Json<'_> {
    fn line(&mut self, line: &Line<'_>) -> Result<bool> {
        if !self.has_begun {
            self.has_begun = true;
            self.put(&format!("{{\"type\":\"begin\",\"data\":{{\"path\":{}}}}}\n", data(self.path.as_bytes())))?;
        }
        let found = if line.selected { matches(self.pattern, line, self.multiline)? } else { Vec::new() };
        self.matches += found.len() as u64;
        let text = line.text();
        let end = (line.range.end + 1).min(line.block.len());
        if line.selected {
            self.lines += 1 + memchr::memchr_iter(b'\n', text).count() as u64;
        }
        let submatches: Vec<String> = found
            .into_iter()
            .map(|range| {
                let (start, end) = (range.start, range.end);
                format!("{{\"match\":{},\"start\":{start},\"end\":{end}}}", data(&text[range]))
            })
            .collect();
        self.put(&format!(
            "{{\"type\":\"{}\",\"data\":{{\"path\":{},\"lines\":{},\"line_number\":{},\"absolute_offset\":{},\
             \"submatches\":[{}]}}}}\n",
            if line.selected { "match" } else { "context" },
            data(self.path.as_bytes()),
            data(&line.block[line.range.start..end]),
            line.number,
            line.offset(),
            submatches.join(",")
        ))?;
        Ok(true)
    }

    fn gap(&mut self) -> Result<()> {
        Ok(())
    }

    fn wait(&mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }
}

/// The last line: the sums of all files.
pub(super) fn summary(stats: &Stats, total: Duration) -> String {
    let time = |time: Duration| {
        let (human, nanos, secs) = (time.as_secs_f64(), time.subsec_nanos(), time.as_secs());
        format!("{{\"human\":\"{human:.6}s\",\"nanos\":{nanos},\"secs\":{secs}}}")
    };
    format!(
        "{{\"data\":{{\"elapsed_total\":{},\"stats\":{{\"bytes_printed\":{},\"bytes_searched\":{},\"elapsed\":{},\
         \"matched_lines\":{},\"matches\":{},\"searches\":{},\"searches_with_match\":{}}}}},\"type\":\"summary\"}}\n",
        time(total),
        stats.bytes_printed,
        stats.bytes_searched,
        time(stats.elapsed),
        stats.matched_lines,
        stats.matches,
        stats.searches,
        stats.searches_with_match
    )
}

/// `{"text":…}`, or `{"bytes":…}` in base64 for what is not UTF-8.
fn data(bytes: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return format!("{{\"bytes\":\"{}\"}}", base64(bytes));
    };
    let mut out = String::from("{\"text\":\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\x08' => out.push_str("\\b"),
            '\x0c' => out.push_str("\\f"),
            // Writing into a string does not fail.
            c if c < ' ' => drop(write!(out, "\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out + "\"}"
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or(0));
        let word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let digit = DIGITS[(word >> (18 - 6 * at) & 63) as usize];
            out.push(if at <= group.len() { char::from(digit) } else { '=' });
        }
    }
    out
}
