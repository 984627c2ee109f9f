//! `test` and `[`: questions about files, strings and numbers, read by POSIX' rules for the number of arguments and
//! with bash's operators. The operators themselves also serve the shell's `[[ ]]`.
mod operators;

pub use operators::{Facts, binary, integer, is_binary, is_unary, unary};

use crate::{Builtin, Call, Error, Input, InputKind, Output, Result, Status, Stream};
use std::collections::BTreeMap;

pub(crate) static TEST: Builtin = Builtin {
    name: "test",
    synopsis: "[EXPRESSION]",
    about: "Exit with the status determined by EXPRESSION: -f FILE, -z STRING, A = B, N -lt M, ! X, X -a Y, X -o Y.",
    options: &[],
    trouble: Status(2),
    run,
};

pub(crate) static BRACKET: Builtin = Builtin {
    name: "[",
    synopsis: "EXPRESSION ]",
    about: "Exit with the status determined by EXPRESSION, as test does.",
    options: &[],
    trouble: Status(2),
    run,
};

fn run(call: &mut Call<'_>) -> Result<Status> {
    let trouble = |message: String| Error::Failed(message, Status(2));
    let mut words = &call.args[1..];
    if call.name() == "[" {
        words = match words.split_last() {
            Some((last, rest)) if last == "]" => rest,
            _ => return Err(trouble("missing `]'".to_string())),
        };
    }
    let is_terminal = |fd| is_terminal(fd, &call.stdin, &call.stdout, &call.stderr, call.fds);
    let facts = Facts {
        fs: &*call.fs,
        session: call.session,
        cancel: &call.cancel,
        is_terminal: &is_terminal,
        is_option: &|_| false,
    };
    let is_bracket = call.name() == "[";
    let answer = Expression { facts: &facts, words, at: 0, depth: 0, is_bracket }.whole().map_err(trouble)?;
    Ok(answer.into())
}

/// Whether the stream `fd` is a terminal.
fn is_terminal(fd: u16, stdin: &Input, stdout: &Output, stderr: &Output, fds: &BTreeMap<u16, Stream>) -> bool {
    let shown = stdout.terminal().or(stderr.terminal()).is_some();
    match (fd, fds.get(&fd)) {
        (0, _) => stdin.kind() == InputKind::Host && shown,
        (1, _) => stdout.terminal().is_some(),
        (2, _) => stderr.terminal().is_some(),
        (_, Some(Stream::Output(output))) => output.terminal().is_some(),
        (_, Some(Stream::Input(input))) => input.kind() == InputKind::Host && shown,
        (_, None) => false,
    }
}

/// The most brackets in one another.
const DEPTH: usize = 500;

/// The words of an expression, read from the left. An error is a message.
struct Expression<'a> {
    facts: &'a Facts<'a>,
    words: &'a [String],
    at: usize,
    /// How many brackets are open.
    depth: usize,
    /// The expression ends in `]`, which a message may show.
    is_bracket: bool,
}

type Answer = Result<bool, String>;

impl Expression<'_> {
    /// POSIX: up to four arguments mean what their number says; more are an expression.
    fn whole(&mut self) -> Answer {
        match self.words {
            [] => Ok(false),
            [one] => Ok(!one.is_empty()),
            [first, second] => self.two(first, second),
            [first, second, third] => self.three(first, second, third),
            [not, first, second, third] if not == "!" => self.three(first, second, third).map(|answer| !answer),
            [open, first, second, close] if open == "(" && close == ")" => self.two(first, second),
            _ => {
                let answer = self.or()?;
                match self.peek(0) {
                    None => Ok(answer),
                    Some(word) if word.starts_with('-') => Err(format!("syntax error: `{word}' unexpected")),
                    Some(_) => Err("too many arguments".to_string()),
                }
            }
        }
    }

    fn two(&self, first: &str, second: &str) -> Answer {
        match first {
            "!" => Ok(second.is_empty()),
            _ if is_unary(first) => unary(self.facts, first, second),
            _ => Err(format!("{first}: unary operator expected")),
        }
    }

    fn three(&self, first: &str, second: &str, third: &str) -> Answer {
        match (first, second, third) {
            (_, "-a", _) => Ok(!first.is_empty() && !third.is_empty()),
            (_, "-o", _) => Ok(!first.is_empty() || !third.is_empty()),
            _ if is_binary(second) => binary(self.facts, first, second, third),
            ("!", ..) => self.two(second, third).map(|answer| !answer),
            ("(", _, ")") => Ok(!second.is_empty()),
            _ => Err(format!("{second}: binary operator expected")),
        }
    }

    fn peek(&self, ahead: usize) -> Option<&str> {
        self.words.get(self.at + ahead).map(String::as_str)
    }

    fn or(&mut self) -> Answer {
        let mut answer = self.and()?;
        while self.peek(0) == Some("-o") {
            self.at += 1;
            answer |= self.and()?;
        }
        Ok(answer)
    }

    fn and(&mut self) -> Answer {
        let mut answer = self.term()?;
        while self.peek(0) == Some("-a") {
            self.at += 1;
            answer &= self.term()?;
        }
        Ok(answer)
    }

    fn term(&mut self) -> Answer {
        let mut negated = false;
        while self.peek(0) == Some("!") {
            negated = !negated;
            self.at += 1;
        }
        let missing = || "argument expected".to_string();
        let first = self.peek(0).ok_or_else(missing)?.to_string();
        let operator = self.peek(1).filter(|word| is_binary(word)).map(str::to_string);
        let answer = match (first.as_str(), operator, self.peek(2)) {
            ("(", ..) => {
                self.at += 1;
                self.depth += 1;
                if self.depth > DEPTH {
                    return Err(format!("limit of {DEPTH} nested brackets reached"));
                }
                let answer = self.or()?;
                self.depth -= 1;
                match self.peek(0) {
                    Some(")") => {}
                    Some(word) => return Err(format!("`)' expected, found {word}")),
                    None if self.is_bracket => return Err("`)' expected, found ]".to_string()),
                    None => return Err("`)' expected".to_string()),
                }
                self.at += 1;
                answer
            }
            (_, Some(operator), Some(right)) => {
                let answer = binary(self.facts, &first, &operator, right)?;
                self.at += 3;
                answer
            }
            // Without a number `-t` stands alone.
            ("-t", _, _) if self.peek(1).is_some_and(|word| integer(word).is_err()) => {
                self.at += 1;
                false
            }
            // The last word is a string, whatever it looks like.
            _ if is_unary(&first) && self.peek(1).is_some() => {
                let answer = unary(self.facts, &first, self.peek(1).unwrap_or_default())?;
                self.at += 2;
                answer
            }
            _ => {
                self.at += 1;
                !first.is_empty()
            }
        };
        Ok(answer != negated)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::run;

    const TREE: crate::testing::Tree<'_> = &[("d/f.md", "x"), ("empty", "")];

    /// What each line answers: its status, or what it says.
    fn answers(lines: &[&str]) -> Vec<String> {
        let answer = |line: &&str| {
            let (_, stderr, status) = run(TREE, line, b"");
            if stderr.is_empty() { status.0.to_string() } else { String::from_utf8_lossy(&stderr).trim().to_string() }
        };
        lines.iter().map(answer).collect()
    }

    #[test]
    fn files_are_asked_about() {
        let lines =
            ["-e d", "-f d", "-d d", "-f d/f.md", "-s empty", "-w empty", "-r empty", "-x empty", "-x d", "-L d"];
        let tests: Vec<String> = lines.iter().map(|line| format!("[ {line} ]")).collect();
        let tests: Vec<&str> = tests.iter().map(String::as_str).collect();
        assert_eq!(answers(&tests), ["0", "1", "0", "0", "1", "1", "0", "1", "0", "1"]);
        assert_eq!(
            answers(&["test d -ef d/../d", "test d -nt nosuch", "test nosuch -ot d", "test d -nt d"]),
            ["0", "0", "0", "1"]
        );
    }

    #[test]
    fn the_number_of_arguments_decides() {
        assert_eq!(
            answers(&["[ ]", "[ ! ]", "[ -f ]", "[ = = = ]", "[ ! = x ]", "[ '(' = ')' ]"]),
            ["1", "0", "0", "0", "1", "1"]
        );
        assert_eq!(
            answers(&["[ -z a -o b ]", "[ -n a -a -z '' -o '' ]", "[ ! '(' a = b ')' ]", "[ a -a ! b ]"]),
            ["0", "0", "0", "1"]
        );
    }

    #[test]
    fn numbers_are_whole() {
        assert_eq!(
            answers(&["[ ' 1 ' -eq 1 ]", "[ -1 -lt +1 ]", "[ 3 -ge 4 ]", "[ 010 -eq 10 ]"]),
            ["0", "0", "1", "0"]
        );
    }

    #[test]
    fn bash_words_its_refusals() {
        let lines = ["[ a", "[ a b ]", "[ a b c ]", "[ a b c d ]", "[ 1 -eq x ]", "[ a = b -a ]", "[ '(' a = a -a b ]"];
        assert_eq!(
            answers(&lines),
            [
                "[: missing `]'",
                "[: a: unary operator expected",
                "[: b: binary operator expected",
                "[: too many arguments",
                "[: x: integer expression expected",
                "[: argument expected",
                "[: `)' expected, found ]"
            ]
        );
    }
}
