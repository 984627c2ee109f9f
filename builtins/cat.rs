//! `cat`: each input in turn, as it is or with its lines numbered and its invisible bytes shown.
use crate::{
    Builtin, Call, Meta, Opt, Output, Result, Status,
    args::{self, Order},
    quoted_if_odd,
};
use std::io::{BufRead, Write};

pub(crate) static CAT: Builtin = Builtin {
    name: "cat",
    synopsis: "[OPTION]... [FILE]...",
    about: "Concatenate FILE(s) to standard output.",
    options: &[
        Opt::flag('A', &["show-all"], "show-all", "equivalent to -vET"),
        Opt::flag('b', &["number-nonblank"], "number-nonblank", "number nonempty output lines, overrides -n"),
        Opt::flag('e', &[], "e", "equivalent to -vE"),
        Opt::flag('E', &["show-ends"], "show-ends", "display $ at end of each line"),
        Opt::flag('n', &["number"], "number", "number all output lines"),
        Opt::flag('s', &["squeeze-blank"], "squeeze-blank", "suppress repeated empty output lines"),
        Opt::flag('t', &[], "t", "equivalent to -vT"),
        Opt::flag('T', &["show-tabs"], "show-tabs", "display TAB characters as ^I"),
        Opt::flag('u', &[], "u", "(ignored)"),
        Opt::flag('v', &["show-nonprinting"], "show-nonprinting", "use ^ and M- notation, except for LFD and TAB"),
    ],
    trouble: Status(1),
    run,
};

/// How lines are dressed.
#[derive(Default)]
struct Style {
    number: bool,
    number_nonblank: bool,
    squeeze: bool,
    ends: bool,
    tabs: bool,
    nonprinting: bool,
}

/// What goes on from one file to the next.
#[derive(Default)]
struct Progress {
    line: u64,
    in_line: bool,
    blanks: u32,
    pending_cr: bool,
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let parsed = args::parse(call, Order::Anywhere)?;
    let mut style = Style::default();
    for (key, _) in &parsed.options {
        match *key {
            "show-all" => (style.nonprinting, style.ends, style.tabs) = (true, true, true),
            "number-nonblank" => style.number_nonblank = true,
            "e" => (style.nonprinting, style.ends) = (true, true),
            "show-ends" => style.ends = true,
            "number" => style.number = true,
            "squeeze-blank" => style.squeeze = true,
            "t" => (style.nonprinting, style.tabs) = (true, true),
            "show-tabs" => style.tabs = true,
            "show-nonprinting" => style.nonprinting = true,
            _ => {}
        }
    }
    let plain =
        !(style.number || style.number_nonblank || style.squeeze || style.ends || style.tabs || style.nonprinting);
    let mut progress = Progress::default();
    let mut is_fine = true;
    let status = call.each_input(&parsed.operands, |call, name, input| {
        let is_output = |meta: &Meta| call.prints_to(meta) && meta.size != Some(0);
        if name != "-" && call.stat(name).as_ref().is_ok_and(is_output) {
            is_fine = false;
            return call.warn(format_args!("{}: input file is output file", quoted_if_odd(name)));
        }
        loop {
            let bytes = input.fill_buf()?;
            if bytes.is_empty() {
                return Ok(());
            }
            let count = bytes.len();
            if plain {
                call.stdout.write_all(bytes)?;
            } else {
                dress(bytes, &style, &mut progress, &mut call.stdout)?;
            }
            input.consume(count);
            // As the real one, which does not buffer: what has been read is handed on before more is fetched.
            call.stdout.flush()?;
        }
    })?;
    Ok(if is_fine { status } else { Status::FAILURE })
}

fn dress(bytes: &[u8], style: &Style, progress: &mut Progress, out: &mut Output) -> Result<()> {
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let (text, ended) = match line.strip_suffix(b"\n") {
            Some(text) => (text, true),
            None => (line, false),
        };
        let blank = !progress.in_line && text.is_empty();
        if blank && ended {
            progress.blanks += 1;
            if style.squeeze && progress.blanks > 1 {
                continue;
            }
        }
        if !progress.in_line {
            if !blank {
                progress.blanks = 0;
            }
            if (style.number && !style.number_nonblank) || (style.number_nonblank && !blank) {
                progress.line += 1;
                write!(out, "{:6}\t", progress.line)?;
            }
        }
        dress_text(text, style, progress, out)?;
        if ended {
            if progress.pending_cr {
                progress.pending_cr = false;
                out.write_all(if style.ends { b"^M" } else { b"\r" })?;
            }
            out.write_all(if style.ends { b"$\n" } else { b"\n" })?;
        }
        progress.in_line = !ended;
    }
    Ok(())
}

/// The bytes of a line. A CR at the end waits: `-E` shows it as `^M` only before a newline.
fn dress_text(text: &[u8], style: &Style, progress: &mut Progress, out: &mut Output) -> Result<()> {
    for &byte in text {
        if std::mem::take(&mut progress.pending_cr) {
            out.write_all(b"\r")?;
        }
        match byte {
            b'\t' if style.tabs => out.write_all(b"^I")?,
            b'\t' => out.write_all(b"\t")?,
            b'\r' if style.ends && !style.nonprinting => progress.pending_cr = true,
            byte if style.nonprinting => show(byte, out)?,
            byte => out.write_all(&[byte])?,
        }
    }
    Ok(())
}

fn show(byte: u8, out: &mut Output) -> Result<()> {
    let (meta, low) = if byte >= 0x80 { ("M-", byte & 0x7f) } else { ("", byte) };
    out.write_all(meta.as_bytes())?;
    match low {
        0..32 => out.write_all(&[b'^', low + 64])?,
        127 => out.write_all(b"^?")?,
        low => out.write_all(&[low])?,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_with_stdin, run};
    use expect_test::expect;

    #[test]
    fn files_follow_each_other_and_a_missing_one_does_not_stop_the_rest() {
        let tree = &[("a", "one\n"), ("d/b", "two")];
        check(
            tree,
            "cat a nosuch d d/b",
            expect![[r#"
                one
                two[no newline]
                [stderr]
                cat: nosuch: No such file or directory
                cat: d: Is a directory
                [status 1]
            "#]],
        );
    }

    #[test]
    fn lines_are_numbered_across_files() {
        let stdout = |tree, line| String::from_utf8(run(tree, line, b"").0).unwrap();
        assert_eq!(stdout(&[("a", "x\n\ny"), ("b", "z\n")], "cat -n a b"), "     1\tx\n     2\t\n     3\tyz\n");
        assert_eq!(stdout(&[("a", "x\n\n\n\ny\n")], "cat -sb a"), "     1\tx\n\n     2\ty\n");
    }

    #[test]
    fn invisible_bytes_are_shown() {
        check_with_stdin(
            &[],
            "cat -A",
            "a\tb\r\né\u{1}\n",
            expect![[r#"
            a^Ib^M$
            M-CM-)^A$
        "#]],
        );
    }

    #[test]
    fn wrong_words_have_status_1() {
        check(
            &[],
            "cat -Z",
            expect![[r#"
            [stderr]
            cat: invalid option -- 'Z'
            Try 'cat --help' for more information.
            [status 1]
        "#]],
        );
    }
}
