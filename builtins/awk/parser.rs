//! Reads a program: its rules and functions. Statements are [`super::statement`]'s.
use super::{
    ast::{Function, Place, Program, Rule, Selector, Special, Variable},
    lexer::{Lexer, Mistake, Token, Word},
};
use crate::{Error, Result, Status};
use std::{collections::HashMap, fmt::Write, rc::Rc};

/// A piece of the program: `-f FILE`, `-e TEXT`, or the first operand.
pub(super) struct Source {
    /// As messages name it: `cmd. line`, or the file.
    pub(super) name: String,
    pub(super) text: Vec<u8>,
}

/// A parsed program, and what gawk would warn of.
pub(super) struct Parsed {
    pub(super) program: Program,
    pub(super) warnings: Vec<String>,
}

/// Blocks and brackets inside each other, at most.
const DEPTH: usize = 500;

/// Read a program; `command` is the name it complains by, `size` the limit of a regex.
pub(super) fn parse(command: &str, sources: &[Source], size: usize) -> Result<Parsed> {
    let mut parser = Parser {
        command,
        sources,
        source: 0,
        lexer: Lexer::new(b""),
        before: 0,
        token: Token::End,
        program: Program::default(),
        globals: HashMap::new(),
        functions: HashMap::new(),
        locals: Vec::new(),
        function: None,
        rule: None,
        loops: 0,
        switches: 0,
        in_print: false,
        depth: 0,
        size,
    };
    // ENVIRON, PROCINFO and the operands have fixed places.
    for name in GLOBALS {
        parser.global(name);
    }
    let mut warnings = Vec::new();
    for (at, source) in sources.iter().enumerate() {
        parser.source = at;
        parser.lexer = Lexer::new(&source.text);
        parser.advance()?;
        parser.items()?;
        for (at, letter) in std::mem::take(&mut parser.lexer.warnings) {
            let letter = char::from(letter);
            let warning = format!("warning: escape sequence `\\{letter}' treated as plain `{letter}'");
            warnings.push(format!("{}:{}: {warning}", source.name, parser.line_of(at)));
        }
    }
    parser.finish()?;
    Ok(Parsed { program: parser.program, warnings })
}

/// The globals that the interpreter itself looks for, in the order of their places.
pub(super) const GLOBALS: [&str; 4] = ["ENVIRON", "PROCINFO", "ARGC", "ARGV"];

pub(super) struct Parser<'a> {
    command: &'a str,
    sources: &'a [Source],
    source: usize,
    pub(super) lexer: Lexer<'a>,
    /// Where the word before the current one begins.
    pub(super) before: usize,
    /// The word read last, not yet used.
    pub(super) token: Token,
    pub(super) program: Program,
    globals: HashMap<Rc<str>, usize>,
    /// Functions by name: their places, and where they were first called before they were defined.
    functions: HashMap<Rc<str>, (usize, bool)>,
    locals: Vec<Rc<str>>,
    pub(super) function: Option<Rc<str>>,
    /// The rule that is being read, where it is none for records: `BEGIN`.
    pub(super) rule: Option<&'static str>,
    pub(super) loops: usize,
    pub(super) switches: usize,
    /// Outside of brackets, `>` begins a redirection.
    pub(super) in_print: bool,
    depth: usize,
    pub(super) size: usize,
}

impl Parser<'_> {
    /// Go on to the next word.
    pub(super) fn advance(&mut self) -> Result<Token> {
        self.before = self.lexer.start;
        match self.lexer.next() {
            Ok(next) => Ok(std::mem::replace(&mut self.token, next)),
            Err(mistake) => Err(self.mistake(&mistake)),
        }
    }

    pub(super) fn is(&self, sign: &str) -> bool {
        matches!(self.token, Token::Sign(this) if this == sign)
    }

    /// Pass over `sign` if it is next.
    pub(super) fn take(&mut self, sign: &str) -> Result<bool> {
        let found = self.is(sign);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    pub(super) fn expect(&mut self, sign: &str) -> Result<()> {
        if self.take(sign)? { Ok(()) } else { Err(self.unexpected()) }
    }

    pub(super) fn skip_newlines(&mut self) -> Result<()> {
        while self.token == Token::Newline {
            self.advance()?;
        }
        Ok(())
    }

    /// Count one level of nesting, and give up on absurd ones.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.error("fatal: program is nested too deeply"));
        }
        let result = stacker::maybe_grow(super::RED_ZONE, super::GROWTH, || read(self));
        self.depth -= 1;
        result
    }

    pub(super) fn line_of(&self, at: usize) -> usize {
        let text = &self.sources[self.source].text;
        1 + text[..at.min(text.len())].iter().filter(|byte| **byte == b'\n').count()
    }

    /// A mistake that is no matter of syntax, at the line reached.
    pub(super) fn error(&self, message: impl AsRef<str>) -> Error {
        let source = &self.sources[self.source];
        let line = self.line_of(self.lexer.start);
        Error::Failed(format!("{}:{line}: {}", source.name, message.as_ref()), Status::FAILURE)
    }

    /// The word read last does not belong here.
    pub(super) fn unexpected(&self) -> Error {
        let message = match self.token {
            Token::Newline | Token::End => "unexpected newline or end of string",
            _ => "syntax error",
        };
        self.mistake(&Mistake { at: self.lexer.start, message: message.to_string() })
    }

    /// A mistake with the line it is in, and a caret below its place.
    pub(super) fn mistake(&self, mistake: &Mistake) -> Error {
        let Source { name, text } = &self.sources[self.source];
        let at = mistake.at.min(text.len());
        let number = self.line_of(at);
        let start = memchr::memrchr(b'\n', &text[..at]).map_or(0, |newline| newline + 1);
        let end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |newline| start + newline);
        let line = String::from_utf8_lossy(&text[start..end]);
        let mut message = format!("{name}:{number}: {line}\n{}: {name}:{number}: ", self.command);
        let before = String::from_utf8_lossy(&text[start..at]);
        message.extend(before.chars().map(|c| if c == '\t' { '\t' } else { ' ' }));
        let _ = write!(message, "^ {}", mistake.message);
        Error::Failed(message, Status::FAILURE)
    }

    fn items(&mut self) -> Result<()> {
        loop {
            while self.token == Token::Newline || self.is(";") {
                self.advance()?;
            }
            match self.token {
                Token::End => return Ok(()),
                Token::Word(Word::Function) => self.function()?,
                Token::Word(word @ (Word::Begin | Word::End | Word::BeginFile | Word::EndFile)) => {
                    self.advance()?;
                    if !self.is("{") {
                        return Err(self.unexpected());
                    }
                    self.rule = Some(match word {
                        Word::Begin => "BEGIN",
                        Word::End => "END",
                        Word::BeginFile => "BEGINFILE",
                        _ => "ENDFILE",
                    });
                    let body = self.braces()?;
                    self.rule = None;
                    match word {
                        Word::Begin => self.program.begin.push(body),
                        Word::End => self.program.end.push(body),
                        Word::BeginFile => self.program.begin_file.push(body),
                        _ => self.program.end_file.push(body),
                    }
                }
                Token::Sign("@") => {
                    return Err(self.error("fatal: @include, @load and @namespace are not supported"));
                }
                _ => self.rule()?,
            }
            match self.token {
                Token::Newline | Token::End | Token::Sign(";") => {}
                // A rule that ends with its block may be followed by the next one on the same line.
                _ => {}
            }
        }
    }

    fn rule(&mut self) -> Result<()> {
        if self.is("{") {
            let body = self.braces()?;
            self.program.rules.push(Rule { pattern: Selector::Always, body: Some(body) });
            return Ok(());
        }
        let first = self.expr()?;
        let pattern = if self.take(",")? {
            self.skip_newlines()?;
            let last = self.expr()?;
            self.program.ranges += 1;
            Selector::Range(first, last, self.program.ranges - 1)
        } else {
            Selector::When(first)
        };
        let body = if self.is("{") {
            Some(self.braces()?)
        } else {
            match self.token {
                Token::Newline | Token::End | Token::Sign(";") => None,
                _ => return Err(self.unexpected()),
            }
        };
        self.program.rules.push(Rule { pattern, body });
        Ok(())
    }

    fn function(&mut self) -> Result<()> {
        self.advance()?;
        let (Token::Name(name) | Token::FunctionName(name)) = self.advance()? else { return Err(self.unexpected()) };
        self.expect("(")?;
        let mut parameters: Vec<Rc<str>> = Vec::new();
        while !self.take(")")? {
            if !parameters.is_empty() {
                self.expect(",")?;
            }
            self.skip_newlines()?;
            let Token::Name(parameter) = self.token.clone() else { return Err(self.unexpected()) };
            if let Some(twin) = parameters.iter().position(|name| *name == parameter) {
                let (second, first) = (parameters.len() + 1, twin + 1);
                return Err(self.error(format!(
                    "error: function `{name}': parameter #{second}, `{parameter}', duplicates parameter #{first}"
                )));
            }
            if parameter == name {
                return Err(self.error(format!("error: function `{name}': cannot use function name as parameter name")));
            }
            parameters.push(parameter);
            self.advance()?;
            self.skip_newlines()?;
        }
        self.skip_newlines()?;
        let place = self.function_place(&name);
        if let Some((_, defined)) = self.functions.get_mut(&name)
            && std::mem::replace(defined, true)
        {
            return Err(self.error(format!("error: function name `{name}' previously defined")));
        }
        self.locals.clone_from(&parameters);
        self.function = Some(name.clone());
        let body = self.braces();
        self.locals.clear();
        self.function = None;
        self.program.functions[place] = Function { name, parameters, body: body? };
        Ok(())
    }

    /// The place of the function `name`, defined or still to be.
    pub(super) fn function_place(&mut self, name: &Rc<str>) -> usize {
        if let Some((place, _)) = self.functions.get(name) {
            return *place;
        }
        let place = self.program.functions.len();
        self.program.functions.push(Function { name: name.clone(), parameters: Vec::new(), body: Vec::new() });
        self.functions.insert(name.clone(), (place, false));
        place
    }

    pub(super) fn is_function(&self, name: &str) -> bool {
        self.functions.contains_key(name)
    }

    fn finish(&mut self) -> Result<()> {
        let undefined = self
            .program
            .functions
            .iter()
            .find(|function| self.functions.get(&function.name).is_some_and(|(_, defined)| !defined));
        match undefined {
            Some(function) => {
                let message = self.error(format!("fatal: function `{}' not defined", function.name)).to_string();
                Err(Error::Failed(message, Status(2)))
            }
            None => Ok(()),
        }
    }

    fn global(&mut self, name: &str) -> usize {
        if let Some(place) = self.globals.get(name) {
            return *place;
        }
        let name: Rc<str> = name.into();
        let place = self.program.globals.len();
        self.program.globals.push(name.clone());
        self.globals.insert(name, place);
        place
    }

    /// The variable called `name` here.
    pub(super) fn variable(&mut self, name: &str) -> Variable {
        match self.locals.iter().position(|local| &**local == name) {
            Some(place) => Variable::Local(place),
            None => Variable::Global(self.global(name)),
        }
    }

    /// The variable called `name`, where the language may have its own of that name.
    pub(super) fn place(&mut self, name: &str) -> Place {
        let is_local = self.locals.iter().any(|local| &**local == name);
        match Special::named(name) {
            Some(special) if !is_local => Place::Special(special),
            _ => Place::Variable(self.variable(name)),
        }
    }
}
