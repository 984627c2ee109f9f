//! `printf`, as bash's builtin: every directive of C's that makes sense, `%b`, `%q`, `%Q` and `%(format)T`; the format
//! is used again while arguments remain.
pub(crate) mod directive;

use crate::{
    Builtin, Call, Error, Moment, Opt, Result, Session, Status, Value,
    escape::{self, Decoded, Dialect},
    extended::Extended,
    quote,
};
use directive::{Directive, Size};
use std::{io::Write, slice::Iter};

pub(crate) static PRINTF: Builtin = Builtin {
    name: "printf",
    synopsis: "[-v VAR] FORMAT [ARGUMENT]...",
    about: "Format and print ARGUMENT(s) according to FORMAT.",
    options: &[Opt::value('v', &[], "v", "VAR", "assign the output to the variable VAR")],
    trouble: Status(2),
    run,
};

/// One run of `printf`.
struct Printer<'a, 'b> {
    call: &'a mut Call<'b>,
    arguments: Iter<'b, String>,
    out: Vec<u8>,
    status: Status,
    /// The bytes of `out` that have been accounted for.
    taken: usize,
}

/// Whether the output goes on.
#[derive(PartialEq)]
enum Flow {
    On,
    /// After `\c`.
    Stop,
}

fn run(call: &mut Call<'_>) -> Result<Status> {
    let mut words = &call.args[1..];
    let mut variable = None;
    while let [word, rest @ ..] = words {
        let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
            break;
        };
        words = rest;
        match letters.strip_prefix('v') {
            _ if letters == "-" => break,
            _ if letters == "-help" => return Err(Error::Help),
            Some("") => match rest {
                [name, rest @ ..] => (variable, words) = (Some(name.as_str()), rest),
                [] => return usage(call, "-v: option requires an argument"),
            },
            Some(name) => variable = Some(name),
            None => {
                let letter = letters.chars().next().unwrap_or_default();
                return usage(call, &format!("-{letter}: invalid option"));
            }
        }
    }
    if let Some(name) = variable.filter(|name| target(name).is_none()) {
        call.warn(format_args!("`{name}': not a valid identifier"))?;
        return Ok(Status(2));
    }
    let Some((format, arguments)) = words.split_first() else {
        return usage(call, "");
    };
    let mut printer = Printer { call, arguments: arguments.iter(), out: Vec::new(), status: Status::OK, taken: 0 };
    loop {
        let before = printer.arguments.len();
        let flow = printer.pass(format)?;
        if variable.is_none() {
            printer.hand_on()?;
        }
        if flow == Flow::Stop || printer.arguments.len() == 0 || printer.arguments.len() == before {
            break;
        }
    }
    let Printer { out, status, .. } = printer;
    match variable.and_then(target) {
        Some((name, subscript)) => assign(call, name, subscript, &out).map(|assigned| assigned.unwrap_or(status)),
        None => Ok(status),
    }
}

fn usage(call: &mut Call<'_>, message: &str) -> Result<Status> {
    if !message.is_empty() {
        call.warn(message)?;
    }
    call.warn("usage: printf [-v var] format [arguments]")?;
    Ok(Status(2))
}

/// A variable's name, and the subscript of `name[subscript]`.
fn target(word: &str) -> Option<(&str, Option<&str>)> {
    let (name, subscript) = match word.strip_suffix(']').and_then(|word| word.split_once('[')) {
        Some((name, subscript)) if !subscript.is_empty() => (name, Some(subscript)),
        _ => (word, None),
    };
    let valid = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    valid.then_some((name, subscript))
}

/// Assign what was printed; a status when that failed.
fn assign(call: &mut Call<'_>, name: &str, subscript: Option<&str>, out: &[u8]) -> Result<Option<Status>> {
    let text = String::from_utf8_lossy(out).replace('\0', "");
    let Some(subscript) = subscript else {
        if let Err(readonly) = call.session.vars.set(name, text) {
            call.warn_apart(readonly);
            return Ok(Some(Status::FAILURE));
        }
        return Ok(None);
    };
    let index = index(call.session, subscript).parse();
    let variable = call.session.vars.variable_mut(name);
    match &mut variable.value {
        _ if variable.attributes.readonly => {
            call.warn(format_args!("{name}: readonly variable"))?;
            return Ok(Some(Status::FAILURE));
        }
        Value::Assoc(map) => map.insert(subscript.to_string(), text),
        value => {
            let Ok(index) = index else {
                call.warn(format_args!("{name}[{subscript}]: bad array subscript"))?;
                return Ok(Some(Status::FAILURE));
            };
            let mut array = match std::mem::take(value) {
                Value::Indexed(array) => array,
                Value::Scalar(first) => [(0, first)].into_iter().collect(),
                Value::Unset | Value::Assoc(_) => Default::default(),
            };
            array.insert(index, text);
            *value = Value::Indexed(array);
        }
    }
    Ok(None)
}

/// A subscript that is a number, or names a variable that holds one.
fn index<'a>(session: &'a Session, subscript: &'a str) -> &'a str {
    session.var(subscript.trim_start_matches('$')).unwrap_or(subscript)
}

impl<'b> Printer<'_, 'b> {
    /// The format once, with the arguments that it takes.
    fn pass(&mut self, format: &str) -> Result<Flow> {
        let mut rest = format;
        while let Some(at) = rest.find(['%', '\\']) {
            self.out.extend_from_slice(&rest.as_bytes()[..at]);
            let is_escape = rest[at..].starts_with('\\');
            rest = &rest[at + 1..];
            if is_escape {
                let (length, decoded) = escape::decode(rest, Dialect::Format, &mut self.out);
                self.note(&decoded)?;
                rest = &rest[length..];
                continue;
            }
            if let Some(after) = rest.strip_prefix('%') {
                self.out.push(b'%');
                rest = after;
                continue;
            }
            let (directive, length) = match Directive::read(rest) {
                Ok(read) => read,
                Err(directive::Wrong::Missing) => {
                    return self.broken(format_args!("`%{rest}': missing format character"));
                }
                Err(directive::Wrong::Time(found)) => {
                    self.hand_on()?;
                    self.call.warn(format_args!("warning: `{found}': invalid time format specification"))?;
                    self.out.extend_from_slice(b"%(");
                    rest = &rest[rest.find('(').map_or(0, |at| at + 1)..];
                    continue;
                }
            };
            rest = &rest[length..];
            if self.print(&directive)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        self.out.extend_from_slice(rest.as_bytes());
        Ok(Flow::On)
    }

    fn print(&mut self, directive: &Directive<'_>) -> Result<Flow> {
        let (mut width, mut left) = (self.size(directive.width)?.unwrap_or(0), directive.left);
        if width < 0 {
            (width, left) = (-width, true);
        }
        let precision = match directive.precision {
            None => None,
            Some(size) => self.size(size)?.and_then(|precision| usize::try_from(precision).ok()),
        };
        let width = usize::try_from(width).unwrap_or(usize::MAX);
        self.account(width.saturating_add(precision.unwrap_or(0)))?;
        let filled = Directive { left, ..*directive };
        let cut = |bytes: &[u8]| bytes[..precision.unwrap_or(usize::MAX).min(bytes.len())].to_vec();
        let body = match directive.letter {
            'T' if directive.time.is_none() => return self.broken(format_args!("`T': invalid format character")),
            's' => cut(self.argument().as_bytes()),
            'c' => vec![self.argument().bytes().next().unwrap_or(0)],
            'q' => cut(quote::for_shell(self.argument()).as_bytes()),
            'Q' => quote::for_shell(&String::from_utf8_lossy(&cut(self.argument().as_bytes()))).into_bytes(),
            'b' => {
                let (bytes, flow) = self.decoded()?;
                filled.pad(&cut(&bytes), width, &mut self.out);
                return Ok(flow);
            }
            'T' => {
                let seconds = match self.arguments.len() {
                    0 => -1,
                    _ => self.integer(i128::from(i64::MIN), i128::from(i64::MAX))? as i64,
                };
                let seconds = if (-2..0).contains(&seconds) { self.call.now() } else { seconds };
                cut(Moment::utc(seconds).format(directive.time.unwrap_or_default()).as_bytes())
            }
            'n' => {
                let name = self.argument();
                if !name.is_empty() && self.call.session.vars.set(name, self.out.len().to_string()).is_err() {
                    self.status = Status::FAILURE;
                }
                return Ok(Flow::On);
            }
            'd' | 'i' => {
                let value = self.integer(i128::from(i64::MIN), i128::from(i64::MAX))?;
                filled.integer(value, width, precision, &mut self.out);
                return Ok(Flow::On);
            }
            'o' | 'u' | 'x' | 'X' => {
                let value = self.integer(-i128::from(u64::MAX), i128::from(u64::MAX))?;
                // Negative numbers wrap, as C's unsigned ones do.
                filled.integer(i128::from(value as u64), width, precision, &mut self.out);
                return Ok(Flow::On);
            }
            'a' | 'e' | 'f' | 'g' | 'A' | 'E' | 'F' | 'G' => {
                let number = self.float()?;
                filled.float(number, width, precision, &mut self.out);
                return Ok(Flow::On);
            }
            letter => return self.broken(format_args!("`{letter}': invalid format character")),
        };
        filled.pad(&body, width, &mut self.out);
        Ok(Flow::On)
    }

    /// The format cannot be read on.
    fn broken(&mut self, message: std::fmt::Arguments<'_>) -> Result<Flow> {
        self.hand_on()?;
        self.call.warn(message)?;
        self.status = Status::FAILURE;
        Ok(Flow::Stop)
    }

    fn argument(&mut self) -> &'b str {
        self.arguments.next().map_or("", String::as_str)
    }

    fn size(&mut self, size: Size) -> Result<Option<i64>> {
        Ok(match size {
            Size::None => None,
            Size::Given(size) => Some(size),
            Size::Argument => Some(self.integer(i128::from(i32::MIN), i128::from(i32::MAX))? as i64),
        })
    }

    /// The next argument as a whole number; one that is none is reported, and what it begins with counts.
    fn integer(&mut self, least: i128, most: i128) -> Result<i128> {
        let text = self.argument();
        if let Some(value) = code_point(text) {
            return Ok(value);
        }
        let (value, rest) = whole_number(text);
        if !rest.is_empty() {
            self.invalid(text)?;
        }
        if value < least || value > most {
            self.call.warn(format_args!("warning: {text}: Numerical result out of range"))?;
        }
        Ok(value.clamp(least, most))
    }

    fn float(&mut self) -> Result<Extended> {
        let text = self.argument();
        if let Some(value) = code_point(text) {
            return Ok(Extended::from_integer(value));
        }
        let (value, length) = Extended::parse(text);
        if length < text.len() {
            self.invalid(text)?;
        } else if !value.is_finite() && text.contains(|c: char| c.is_ascii_digit()) {
            self.call.warn(format_args!("warning: {text}: Numerical result out of range"))?;
        }
        Ok(value)
    }

    fn invalid(&mut self, text: &str) -> Result<()> {
        let mut start = text.chars();
        let kind = match (start.next(), start.next()) {
            (Some('0'), Some('0'..='9')) => "octal ",
            (Some('0'), Some('x')) => "hex ",
            _ => "",
        };
        self.status = Status::FAILURE;
        self.call.warn(format_args!("{text}: invalid {kind}number"))
    }

    /// The next argument with its escapes decoded, for `%b`.
    fn decoded(&mut self) -> Result<(Vec<u8>, Flow)> {
        let mut rest = self.argument();
        let mut bytes = Vec::new();
        while let Some(at) = rest.find('\\') {
            bytes.extend_from_slice(&rest.as_bytes()[..at]);
            let (length, decoded) = escape::decode(&rest[at + 1..], Dialect::Argument, &mut bytes);
            if decoded == Decoded::Stop {
                return Ok((bytes, Flow::Stop));
            }
            self.note(&decoded)?;
            rest = &rest[at + 1 + length..];
        }
        bytes.extend_from_slice(rest.as_bytes());
        Ok((bytes, Flow::On))
    }

    fn note(&mut self, decoded: &Decoded) -> Result<()> {
        match decoded {
            Decoded::Missing(letter, kind) => self.call.warn(format_args!("missing {kind} digit for \\{letter}")),
            Decoded::Written | Decoded::Stop => Ok(()),
        }
    }

    /// Account for what is held, and for `more` that is about to come.
    fn account(&mut self, more: usize) -> Result<()> {
        let wanted = self.out.len().saturating_add(more);
        if wanted > 64 * 1024 && wanted > self.taken {
            self.call.memory.take(wanted - self.taken)?;
            self.taken = wanted;
        }
        Ok(())
    }

    fn hand_on(&mut self) -> Result<()> {
        self.call.stdout.write_all(&self.out)?;
        self.out.clear();
        self.call.memory.give(std::mem::take(&mut self.taken));
        Ok(())
    }
}

/// The code point that `'x` or `"x` stands for.
fn code_point(text: &str) -> Option<i128> {
    let rest = text.strip_prefix(['\'', '"'])?;
    Some(rest.chars().next().map_or(0, |c| i128::from(u32::from(c))))
}

/// The number that `text` begins with in C's notation, and what follows it.
fn whole_number(text: &str) -> (i128, &str) {
    let trimmed = text.trim_start_matches([' ', '\t', '\n', '\u{b}', '\u{c}', '\r']);
    let unsigned = trimmed.strip_prefix(['+', '-']).unwrap_or(trimmed);
    let hex = unsigned.strip_prefix("0x").or(unsigned.strip_prefix("0X"));
    let (digits, base) = match hex {
        Some(digits) if digits.starts_with(|c: char| c.is_ascii_hexdigit()) => (digits, 16),
        _ if unsigned.starts_with('0') => (unsigned, 8),
        _ => (unsigned, 10),
    };
    let length = digits.find(|c: char| !c.is_digit(base)).unwrap_or(digits.len());
    if length == 0 {
        return (0, text);
    }
    let value = i128::from_str_radix(&digits[..length], base).unwrap_or(i128::MAX);
    (if trimmed.starts_with('-') { -value } else { value }, &digits[length..])
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn directives() {
        check(
            &[],
            r"printf '|%5d|%-5s|%05.1f\n' 42 ab 3.14159",
            expect![[r#"
                |   42|ab   |003.1
            "#]],
        );
        check(
            &[],
            r"printf '%x %X %o %e %g %i %u\n' 255 255 8 12345.678 0.0001 -3 -1",
            expect![[r#"
            ff FF 10 1.234568e+04 0.0001 -3 18446744073709551615
        "#]],
        );
        check(
            &[],
            r"printf '|%5.3d|%+d|% d|%05d|%#x|%#o|%.0d|\n' 5 5 5 -5 255 8 0",
            expect![[r#"
                |  005|+5| 5|-0005|0xff|010||
            "#]],
        );
        check(
            &[],
            r"printf '|%*d|%-*d|%.*f|%*d|\n' 5 3 5 3 2 3.14159 -4 1",
            expect![[r#"
                |    3|3    |3.14|1   |
            "#]],
        );
    }

    #[test]
    fn bytes_are_counted() {
        check(
            &[],
            r"printf '|%5s|%-5s|%.3s|\n' é 日本 日本",
            expect![[r#"
                |   é|日本|日|
            "#]],
        );
    }

    #[test]
    fn the_format_is_used_again() {
        check(
            &[],
            r"printf 'a%sb%sc\n' 1 2 3",
            expect![[r#"
            a1b2c
            a3bc
        "#]],
        );
        check(
            &[],
            r"printf 'x\n' a b",
            expect![[r#"
            x
        "#]],
        );
    }

    #[test]
    fn numbers_in_every_notation_and_wrong_ones() {
        check(&[], r#"printf '%d ' 0x1f 010 "'A" '"é' -5 ' 7'"#, expect!["31 8 65 233 -5 7 [no newline]\n"]);
        check(
            &[],
            r"printf '%d\n' abc 12x 08 0x",
            expect![[r#"
            0
            12
            0
            0
            [stderr]
            printf: abc: invalid number
            printf: 12x: invalid number
            printf: 08: invalid octal number
            printf: 0x: invalid hex number
            [status 1]
        "#]],
        );
        check(
            &[],
            r"printf '%d\n' 99999999999999999999",
            expect![[r#"
            9223372036854775807
            [stderr]
            printf: warning: 99999999999999999999: Numerical result out of range
        "#]],
        );
    }

    #[test]
    fn a_wrong_directive_ends_it() {
        check(
            &[],
            r"printf 'a%zyb' x",
            expect![[r#"
            a[no newline]
            [stderr]
            printf: `y': invalid format character
            [status 1]
        "#]],
        );
        check(
            &[],
            r"printf '%3$s %1$s\n' a b c",
            expect![[r#"
            [stderr]
            printf: `$': invalid format character
            [status 1]
        "#]],
        );
        check(
            &[],
            r"printf 'x%5'",
            expect![[r#"
            x[no newline]
            [stderr]
            printf: `%5': missing format character
            [status 1]
        "#]],
        );
    }

    #[test]
    fn words_decoded_quoted_and_timed() {
        check(
            &[],
            r"printf '%b|%q|%(%F)T|%10(%Y)T\n' 'a\tb\0101' 'a b' 0 0",
            expect![["
            a\tbA|a\\ b|1970-01-01|      1970
        "]],
        );
        check(&[], r"printf '%b-%s' 'x\cy' z", expect!["x[no newline]\n"]);
    }

    #[test]
    fn a_huge_width_meets_the_limit() {
        check(
            &[],
            "printf %2147483647d 1",
            expect![[r#"
            [stderr]
            printf: memory limit of 256 MiB reached
            [status 126]
        "#]],
        );
    }
}
