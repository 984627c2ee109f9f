//! Reads scripts into a [`Script`], with GNU's words for what is wrong with them.
use super::{
    Options,
    address::Flags,
    output::Target,
    reader::{Reader, Source},
    replace::Replacement,
    script::{Action, Command, Lines, Script, Substitution, When},
    transliterate::Transliteration,
};
use crate::{Call, Error, Result, Status};
use std::collections::HashMap;

/// Read all of `sources` as one script.
pub(super) fn parse(call: &Call<'_>, sources: Vec<Source>, options: &Options) -> Result<Script> {
    let mut parser = Parser {
        call,
        options,
        reader: Reader::new(sources),
        script: Script::default(),
        blocks: Vec::new(),
        labels: HashMap::new(),
        branches: Vec::new(),
    };
    // Whatever follows on the line: GNU's sed takes `#note` for it too.
    parser.script.quiet = parser.reader.rest().starts_with(b"#n");
    loop {
        while parser.command()? {}
        if !parser.reader.next_source() {
            return parser.finish();
        }
    }
}

pub(super) struct Parser<'p, 'c> {
    pub(super) call: &'p Call<'c>,
    pub(super) options: &'p Options,
    pub(super) reader: Reader,
    script: Script,
    /// The open blocks: their commands, and where they began.
    blocks: Vec<(usize, (usize, usize))>,
    labels: HashMap<Vec<u8>, usize>,
    /// Branches to labels that may be still to come.
    branches: Vec<(usize, When, Vec<u8>)>,
}

impl Parser<'_, '_> {
    /// Read the next command of this source; `false` at its end.
    fn command(&mut self) -> Result<bool> {
        self.reader.skip(|byte| byte == b';' || byte.is_ascii_whitespace());
        let Some(first) = self.reader.next() else { return Ok(false) };
        let lines = self.lines(first)?;
        let addressed = !matches!(lines, Lines::All);
        let mut negated = false;
        let mut letter = if addressed { self.reader.next_nonblank() } else { Some(first) };
        if letter == Some(b'!') {
            negated = true;
            letter = self.reader.next_nonblank();
            if letter == Some(b'!') {
                return Err(self.reader.error("multiple `!'s"));
            }
        }
        let Some(letter) = letter else { return Err(self.reader.error("missing command")) };
        match letter {
            b'#' if addressed => return Err(self.reader.error("comments don't accept any addresses")),
            b'#' => drop(self.reader.rest_of_line()),
            b':' if addressed => return Err(self.reader.error(": doesn't want any addresses")),
            b':' => {
                let label = self.label();
                if label.is_empty() {
                    return Err(self.reader.error("\":\" lacks a label"));
                }
                self.labels.insert(label, self.script.commands.len());
            }
            b'}' => {
                let Some((open, _)) = self.blocks.pop() else { return Err(self.reader.error("unexpected `}'")) };
                if addressed {
                    return Err(self.reader.error("} doesn't want any addresses"));
                }
                self.script.commands[open].action = Action::Block(self.script.commands.len());
                self.end_of_command()?;
            }
            b'v' => {
                if !version_reached(&self.label()) {
                    return Err(self.reader.error("expected newer version of sed"));
                }
                self.end_of_command()?;
            }
            letter => {
                let action = self.action(letter, matches!(lines, Lines::Range(..)))?;
                self.script.commands.push(Command { lines, negated, action });
            }
        }
        Ok(true)
    }

    fn finish(mut self) -> Result<Script> {
        if let Some((_, place)) = self.blocks.first() {
            return Err(self.reader.error_after(*place, "unmatched `{'"));
        }
        for (at, when, label) in std::mem::take(&mut self.branches) {
            let Some(&target) = self.labels.get(&label) else {
                let label = String::from_utf8_lossy(&label);
                return Err(Error::Failed(format!("can't find label for jump to `{label}'"), Status(4)));
            };
            self.script.commands[at].action = Action::Branch(when, target);
        }
        Ok(self.script)
    }

    fn action(&mut self, letter: u8, ranged: bool) -> Result<Action> {
        let action = match letter {
            b'{' => {
                self.blocks.push((self.script.commands.len(), self.reader.place()));
                return Ok(Action::Block(0));
            }
            b'a' | b'i' | b'c' => {
                let text = self.text()?;
                return Ok(match letter {
                    b'a' => Action::Append(text),
                    b'i' => Action::Insert(text),
                    _ => Action::Change(text),
                });
            }
            b'b' | b't' | b'T' => return self.branch(letter),
            b'r' => return Ok(Action::ReadFile(self.file_name()?)),
            b'R' => {
                let name = self.file_name()?;
                let sources = &mut self.script.line_sources;
                let at = sources.iter().position(|source| *source == name).unwrap_or(sources.len());
                if at == sources.len() {
                    sources.push(name);
                }
                return Ok(Action::ReadLine(at));
            }
            b'w' => return Ok(Action::Write(self.target()?)),
            b'W' => return Ok(Action::WriteFirst(self.target()?)),
            b's' => return self.substitution(),
            b'e' => return Err(self.reader.error("e/r/w commands disabled in sandbox mode")),
            b'l' => Action::List(self.optional_number().map(|number| number as usize)),
            b'q' | b'Q' => {
                if ranged {
                    return Err(self.reader.error("command only uses one address"));
                }
                let status = self.optional_number().unwrap_or(0) as u8;
                if letter == b'q' { Action::Quit(status) } else { Action::QuitSilently(status) }
            }
            b'y' => self.transliteration()?,
            b'd' => Action::Delete,
            b'D' => Action::DeleteFirst,
            b'F' => Action::FileName,
            b'g' => Action::Get,
            b'G' => Action::GetAppend,
            b'h' => Action::Hold,
            b'H' => Action::HoldAppend,
            b'n' => Action::Next,
            b'N' => Action::NextAppend,
            b'p' => Action::Print,
            b'P' => Action::PrintFirst,
            b'x' => Action::Exchange,
            b'z' => Action::Zap,
            b'=' => Action::LineNumber,
            other => {
                let name = char::from(other);
                return Err(self.reader.error(format!("unknown command: `{name}'")));
            }
        };
        self.end_of_command()?;
        Ok(action)
    }

    fn branch(&mut self, letter: u8) -> Result<Action> {
        let when = match letter {
            b'b' => When::Always,
            b't' => When::Substituted,
            _ => When::NotSubstituted,
        };
        let label = self.label();
        let here = self.script.commands.len();
        // Without a label the jump goes past the last command, wherever that will be.
        if !label.is_empty() {
            self.branches.push((here, when, label));
        }
        Ok(Action::Branch(when, usize::MAX))
    }

    /// The word after `:`, `b`, `t`, `T` and `v`.
    fn label(&mut self) -> Vec<u8> {
        self.reader.skip(|byte| byte == b' ' || byte == b'\t');
        let mut label = Vec::new();
        while let Some(byte) = self.reader.peek()
            && !byte.is_ascii_whitespace()
            && !matches!(byte, b';' | b'}')
        {
            label.push(byte);
            self.reader.next();
        }
        label
    }

    fn file_name(&mut self) -> Result<String> {
        self.reader.skip(|byte| byte == b' ' || byte == b'\t');
        if matches!(self.reader.peek(), None | Some(b'\n')) {
            return Err(self.reader.error("missing filename in r/R/w/W commands"));
        }
        if self.options.sandbox {
            return Err(self.reader.error("e/r/w commands disabled in sandbox mode"));
        }
        Ok(String::from_utf8_lossy(&self.reader.rest_of_line()).into_owned())
    }

    fn target(&mut self) -> Result<Target> {
        let name = self.file_name()?;
        match name.as_str() {
            "/dev/stdout" => Ok(Target::Stdout),
            "/dev/stderr" => Ok(Target::Stderr),
            name => {
                let outputs = &mut self.script.outputs;
                if let Some(at) = outputs.iter().position(|(opened, _)| opened == name) {
                    return Ok(Target::File(at));
                }
                let opened = self.call.create_shared(name);
                let failed = |cause| Error::Failed(format!("couldn't open file {name}: {cause}"), Status(4));
                outputs.push((name.to_string(), opened.map_err(failed)?));
                Ok(Target::File(outputs.len() - 1))
            }
        }
    }

    fn substitution(&mut self) -> Result<Action> {
        let (text, replacement) = self.two_parts("unterminated `s' command", true)?;
        let replacement = Replacement::parse(&replacement).map_err(|_| self.recursive())?;
        let mut substitution =
            Substitution { regex: None, replacement, global: false, nth: 0, print: false, target: None };
        let mut flags = Flags::default();
        loop {
            let twice = |flag| format!("multiple `{flag}' options to `s' command");
            match self.reader.next() {
                Some(b'i' | b'I') if !self.options.posix => flags.ignore_case = true,
                Some(b'm' | b'M') if !self.options.posix => flags.multiline = true,
                Some(b'p') if substitution.print => return Err(self.reader.error(twice('p'))),
                Some(b'p') => substitution.print = true,
                Some(b'g') if substitution.global => return Err(self.reader.error(twice('g'))),
                Some(b'g') => substitution.global = true,
                Some(b'e') => return Err(self.reader.error("e/r/w commands disabled in sandbox mode")),
                Some(b'w') => {
                    substitution.target = Some(self.target()?);
                    break;
                }
                Some(digit @ b'0'..=b'9') => {
                    if substitution.nth > 0 {
                        return Err(self.reader.error("multiple number options to `s' command"));
                    }
                    substitution.nth = self.number(digit);
                    if substitution.nth == 0 {
                        return Err(self.reader.error("number option to `s' command may not be zero"));
                    }
                }
                Some(b' ' | b'\t') => {}
                Some(b'\r') if self.reader.peek() == Some(b'\n') => {}
                Some(b'}' | b'#') => {
                    self.reader.back();
                    break;
                }
                None | Some(b'\n' | b';') => break,
                Some(_) => return Err(self.reader.error("unknown option to `s'")),
            }
        }
        substitution.regex = self.regex(&text, flags)?;
        if let Some(regex) = &substitution.regex
            && substitution.replacement.groups > regex.groups()
        {
            let group = substitution.replacement.groups;
            return Err(self.reader.error(format!("invalid reference \\{group} on `s' command's RHS")));
        }
        Ok(Action::Substitute(Box::new(substitution)))
    }

    fn transliteration(&mut self) -> Result<Action> {
        let (from, to) = self.two_parts("unterminated `y' command", false)?;
        let (from, to) = (self.unescape(&from)?, self.unescape(&to)?);
        match Transliteration::new(&from, &to) {
            Some(transliteration) => Ok(Action::Transliterate(transliteration)),
            None => {
                self.reader.next();
                Err(self.reader.error("strings for `y' command are different lengths"))
            }
        }
    }

    /// The number that begins with `digit`.
    pub(super) fn number(&mut self, digit: u8) -> u64 {
        let mut number = u64::from(digit - b'0');
        while let Some(digit) = self.reader.peek().filter(u8::is_ascii_digit) {
            number = number.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
            self.reader.next();
        }
        number
    }

    fn optional_number(&mut self) -> Option<u64> {
        match self.reader.next_nonblank() {
            Some(digit) if digit.is_ascii_digit() => Some(self.number(digit)),
            other => {
                self.put_back(other);
                None
            }
        }
    }

    pub(super) fn put_back(&mut self, byte: Option<u8>) {
        if byte.is_some() {
            self.reader.back();
        }
    }

    /// Nothing but blanks, `;`, a newline, a comment or `}` may follow a command.
    fn end_of_command(&mut self) -> Result<()> {
        match self.reader.next_nonblank() {
            None | Some(b'\n' | b';') => Ok(()),
            Some(b'\r') if self.reader.peek() == Some(b'\n') => Ok(()),
            Some(b'}' | b'#') => {
                self.reader.back();
                Ok(())
            }
            Some(_) => Err(self.reader.error("extra characters after command")),
        }
    }
}

/// Whether this is the sed of `v VERSION` or a later one.
fn version_reached(version: &[u8]) -> bool {
    if version.is_empty() {
        return true;
    }
    let text = String::from_utf8_lossy(version);
    let numbers: Option<Vec<u32>> = text.split('.').map(|part| part.parse().ok()).collect();
    numbers.is_some_and(|numbers| numbers.as_slice() <= [4, 9].as_slice())
}
