//! `echo`: its words, as bash's builtin prints them.
use crate::{
    Builtin, Call, Opt, Result, Status,
    escape::{self, Decoded, Dialect},
};
use std::io::Write;

pub(crate) static ECHO: Builtin = Builtin {
    name: "echo",
    synopsis: "[-neE] [ARG]...",
    about: "Write arguments to the standard output.",
    options: &[
        Opt::flag('n', &[], "n", "do not append a newline"),
        Opt::flag('e', &[], "e", "enable interpretation of backslash escapes"),
        Opt::flag('E', &[], "E", "suppress interpretation of backslash escapes"),
    ],
    trouble: Status(1),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let (mut newline, mut escapes) = (true, false);
    let mut words = &call.args[1..];
    // Only a word of nothing but these letters is an option; even `--help` is printed.
    while let [word, rest @ ..] = words {
        match word.strip_prefix('-') {
            Some(letters) if !letters.is_empty() && letters.chars().all(|letter| "neE".contains(letter)) => {
                for letter in letters.chars() {
                    match letter {
                        'n' => newline = false,
                        letter => escapes = letter == 'e',
                    }
                }
                words = rest;
            }
            _ => break,
        }
    }
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            call.stdout.write_all(b" ")?;
        }
        if !escapes {
            call.stdout.write_all(word.as_bytes())?;
        } else if !write_decoded(word, call)? {
            return Ok(Status::OK);
        }
    }
    if newline {
        call.stdout.write_all(b"\n")?;
    }
    Ok(Status::OK)
}

/// `word` with its escapes decoded; `false` after `\c`.
fn write_decoded(word: &str, call: &mut Call<'_>) -> Result<bool> {
    let mut decoded = Vec::with_capacity(word.len());
    let mut rest = word;
    let mut goes_on = true;
    while let Some(at) = rest.find('\\') {
        decoded.extend_from_slice(&rest.as_bytes()[..at]);
        let (length, outcome) = escape::decode(&rest[at + 1..], Dialect::Echo, &mut decoded);
        rest = &rest[at + 1 + length..];
        if outcome == Decoded::Stop {
            (goes_on, rest) = (false, "");
        }
    }
    decoded.extend_from_slice(rest.as_bytes());
    call.stdout.write_all(&decoded)?;
    Ok(goes_on)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn options_are_words_of_three_letters_only() {
        check(&[], "echo -n hello", expect!["hello[no newline]\n"]);
        check(
            &[],
            "echo -nope --help",
            expect![[r#"
            -nope --help
        "#]],
        );
        check(
            &[],
            r"echo -eE 'a\tb' -n",
            expect![[r#"
            a\tb -n
        "#]],
        );
    }

    #[test]
    fn escapes() {
        check(
            &[],
            r"echo -e 'a\tb\x41\0101\101'",
            expect![["
            a\tbAA\\101
        "]],
        );
        check(&[], r"echo -e 'x\cy' z", expect!["x[no newline]\n"]);
    }
}
