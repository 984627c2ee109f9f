//! What an agent is shown of a long output: its head and its tail, and between them what is missing and what to type.
//!
//! Only the final output of a request is cut, never what flows between commands; the status stays as it was. Cuts fall
//! on line ends where there are any, and always between characters.
use std::fmt::Write;

/// Bytes shown of one stream, unless `--max-output` says otherwise.
pub const SHOWN: usize = 30_000;

/// A text that may have been cut.
#[derive(Debug, PartialEq, Eq)]
pub struct Shown {
    /// What to show.
    pub text: String,
    /// Bytes that are missing in the middle.
    pub missing: usize,
}

/// `bytes` as text of about `limit` bytes: all of it, or two thirds of its head and one third of its tail.
pub fn cap(bytes: &[u8], limit: usize, cwd: &str) -> Shown {
    let whole = String::from_utf8_lossy(bytes);
    if whole.len() <= limit {
        return Shown { text: whole.into_owned(), missing: 0 };
    }
    let head = cut_before(&whole, limit / 3 * 2);
    let tail = cut_after(&whole, whole.len() - limit / 3).max(head);
    let (missing, lines) = (tail - head, whole[head..tail].matches('\n').count());
    let first = whole[..head].matches('\n').count() + 1;
    let mut text = String::with_capacity(limit + 200);
    text.push_str(&whole[..head]);
    if head > 0 && !text.ends_with('\n') {
        text.push('\n');
    }
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "[... {missing} bytes ({lines} lines) left out here, from line {first} on; run the command again in {cwd} with \
         `| sed -n '{first},{}p'`, `| grep PATTERN`, `| head` or `| wc` to see less at once ...]",
        first + 199
    );
    text.push_str(&whole[tail..]);
    Shown { text, missing }
}

/// The end of the last line that ends at or before `at`; the character border before `at` when the line is very long.
fn cut_before(text: &str, at: usize) -> usize {
    let at = text.floor_char_boundary(at);
    match text[..at].rfind('\n') {
        Some(end) if end + 1 > at / 2 => end + 1,
        _ => at,
    }
}

/// The start of the first line that starts at or after `at`; the character border after `at` when the line is very
/// long.
fn cut_after(text: &str, at: usize) -> usize {
    let at = text.ceil_char_boundary(at);
    match text[at..].find('\n') {
        Some(end) if end < (text.len() - at) / 2 => at + end + 1,
        _ => at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_output_is_shown_whole() {
        assert_eq!(cap(b"one\ntwo\n", 100, "/"), Shown { text: "one\ntwo\n".into(), missing: 0 });
    }

    #[test]
    fn a_long_output_keeps_head_and_tail_at_line_ends() {
        let text: String = (1..=1000).map(|n| format!("line {n}\n")).collect();
        let shown = cap(text.as_bytes(), 300, "/auth");
        let gap = "[... 8603 bytes (964 lines) left out here, from line 27 on; run the command again in /auth with `| \
                   sed -n '27,226p'`, `| grep PATTERN`, `| head` or `| wc` to see less at once ...]";
        let (head, tail) = shown.text.split_once(&format!("{gap}\n")).unwrap();
        assert!(head.starts_with("line 1\nline 2\n") && head.ends_with("line 25\nline 26\n"), "{head}");
        assert!(tail.starts_with("line 991\n") && tail.ends_with("line 1000\n"), "{tail}");
        assert_eq!(shown.missing, 8603);
    }

    #[test]
    fn of_nothing_only_the_gap_is_shown() {
        let gap = "[... 4 bytes (2 lines) left out here, from line 1 on; run the command again in / with `| sed -n \
                   '1,200p'`, `| grep PATTERN`, `| head` or `| wc` to see less at once ...]\n";
        for limit in [0, 1, 2] {
            assert_eq!(cap(b"1\n2\n", limit, "/"), Shown { text: gap.into(), missing: 4 });
        }
        assert_eq!(cap(b"", 0, "/"), Shown { text: String::new(), missing: 0 });
    }

    #[test]
    fn one_endless_line_is_cut_between_characters() {
        let text = "é".repeat(1000);
        let shown = cap(text.as_bytes(), 301, "/");
        assert_eq!(shown.missing, 2000 - 200 - 100);
        assert!(shown.text.starts_with('é') && shown.text.ends_with('é'));
    }
}
