//! `less` and `more`: a text, page by page on a real terminal. docsh hands it through: what reads here is a program, or
//! a person whose terminal scrolls.
//!
//! Options and `+COMMAND`s only steer the paging, so they are taken and change nothing.
use crate::{Builtin, Call, Result, Status};
use std::io::{BufRead, Write};

pub(crate) static LESS: Builtin = Builtin {
    name: "less",
    synopsis: "[OPTION]... [FILE]...",
    about: "Show FILE(s), or what comes from a pipe.\nThe text is handed through unpaged; options change nothing.",
    options: &[],
    trouble: Status(1),
    run,
};

pub(crate) static MORE: Builtin = Builtin { name: "more", ..LESS };

fn run(call: &mut Call<'_>) -> Result<Status> {
    let words = &call.args[1..];
    if words.iter().any(|word| word == "--help") {
        return Err(crate::Error::Help);
    }
    let (before, after) = match words.iter().position(|word| word == "--") {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[][..]),
    };
    let is_operand = |word: &&String| *word == "-" || !word.starts_with(['-', '+']);
    let operands: Vec<String> = before.iter().filter(is_operand).chain(after).cloned().collect();
    // `more` names each of several files above it.
    let headed = call.builtin.name == "more" && operands.len() > 1;
    call.each_input(&operands, |call, name, input| {
        if headed {
            write!(call.stdout, "::::::::::::::\n{name}\n::::::::::::::\n")?;
        }
        loop {
            let bytes = input.fill_buf()?;
            if bytes.is_empty() {
                return Ok(());
            }
            let count = bytes.len();
            call.stdout.write_all(bytes)?;
            input.consume(count);
            call.stdout.flush()?;
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_with_stdin};
    use expect_test::expect;

    #[test]
    fn a_text_is_handed_through() {
        check(
            &[("a", "one\n"), ("b", "two\n")],
            "less -R +G a nosuch b",
            expect![[r#"
                one
                two
                [stderr]
                less: nosuch: No such file or directory
                [status 1]
            "#]],
        );
        check_with_stdin(
            &[],
            "less",
            "piped\n",
            expect![[r#"
                piped
            "#]],
        );
        check(
            &[("a", "one\n"), ("b", "two\n")],
            "more a b",
            expect![[r#"
                ::::::::::::::
                a
                ::::::::::::::
                one
                ::::::::::::::
                b
                ::::::::::::::
                two
            "#]],
        );
    }
}
