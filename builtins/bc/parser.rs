//! Tokens as a tree, by the precedences of GNU's bc: comparisons bind looser than assignments, a sign tighter than a
//! power.
use super::{
    lexer::Token,
    syntax::{Argument, Expr, Function, Item, Local, Op, Place, Printed, Relation, Statement},
};

/// Why there is no tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// The tokens end too early.
    Unfinished,
    Syntax,
}

type Parse<T> = Result<T, Wrong>;

pub(super) struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
}

/// How tightly operators bind, loosest first.
const OR: u8 = 1;
const AND: u8 = 2;
const RELATION: u8 = 4;
const ASSIGN: u8 = 5;
const SUM: u8 = 6;
const PRODUCT: u8 = 7;
const POWER: u8 = 8;

/// Brackets, blocks and signs within each other.
const DEEPEST: usize = 300;

/// Names that mean something of their own.
const RESERVED: &[&str] = &[
    "auto", "break", "continue", "define", "else", "for", "halt", "ibase", "if", "last", "length", "limits", "obase",
    "print", "quit", "read", "return", "scale", "sqrt", "void", "while",
];

impl<'a> Parser<'a> {
    pub(super) fn new(tokens: &'a [Token]) -> Parser<'a> {
        Parser { tokens, at: 0, depth: 0 }
    }

    /// Tokens that were used.
    pub(super) fn taken(&self) -> usize {
        self.at
    }

    /// The tokens up to the end of the line on which the parser stands.
    pub(super) fn line_end(&self) -> usize {
        let rest = &self.tokens[self.at.min(self.tokens.len())..];
        let line = rest.iter().position(|token| *token == Token::Newline).map_or(rest.len(), |end| end + 1);
        self.at.min(self.tokens.len()) + line
    }

    /// A line of statements, or a function; `None` for `quit`, which is obeyed as soon as it is read.
    pub(super) fn item(&mut self) -> Parse<Option<Item>> {
        if self.take_name("define") {
            return self.function().map(|function| Some(Item::Define(function)));
        }
        let mut statements = Vec::new();
        loop {
            if self.take_newline() {
                break;
            }
            if self.take(";") {
                continue;
            }
            match self.statement()? {
                Some(statement) => statements.push(statement),
                None => return Ok(None),
            }
            if self.take_newline() {
                break;
            }
            self.expect(";")?;
        }
        Ok(Some(Item::Statements(statements)))
    }

    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Token::Sign(found)) if *found == sign)
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        self.at += usize::from(found);
        found
    }

    fn take_newline(&mut self) -> bool {
        let found = self.peek() == Some(&Token::Newline);
        self.at += usize::from(found);
        found
    }

    fn take_name(&mut self, name: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Name(found)) if found == name);
        self.at += usize::from(found);
        found
    }

    fn wrong<T>(&self) -> Parse<T> {
        Err(if self.at >= self.tokens.len() { Wrong::Unfinished } else { Wrong::Syntax })
    }

    fn expect(&mut self, sign: &str) -> Parse<()> {
        if self.take(sign) { Ok(()) } else { self.wrong() }
    }

    fn skip_newlines(&mut self) {
        while self.take_newline() {}
    }

    fn name(&mut self) -> Parse<String> {
        match self.peek() {
            Some(Token::Name(name)) if !RESERVED.contains(&name.as_str()) => {
                self.at += 1;
                Ok(name.clone())
            }
            _ => self.wrong(),
        }
    }

    fn function(&mut self) -> Parse<Function> {
        let void = self.take_name("void");
        let name = self.name()?;
        self.expect("(")?;
        let parameters = if self.is(")") { Vec::new() } else { self.locals()? };
        self.expect(")")?;
        self.skip_newlines();
        self.expect("{")?;
        self.skip_newlines();
        let mut locals = Vec::new();
        if self.take_name("auto") {
            locals = self.locals()?;
            if !self.take(";") && !self.take_newline() {
                return self.wrong();
            }
        }
        match self.block()? {
            Some(body) => Ok(Function { name, void, parameters, locals, body }),
            None => Err(Wrong::Syntax),
        }
    }

    fn locals(&mut self) -> Parse<Vec<Local>> {
        let mut locals = Vec::new();
        loop {
            let reference = self.take("*");
            let name = self.name()?;
            let array = self.take("[");
            if array {
                self.expect("]")?;
            }
            locals.push(match (reference, array) {
                (true, _) => Local::Reference(name),
                (false, true) => Local::Array(name),
                (false, false) => Local::Variable(name),
            });
            if !self.take(",") {
                return Ok(locals);
            }
        }
    }

    /// Statements up to the closing brace.
    fn block(&mut self) -> Parse<Option<Vec<Statement>>> {
        let mut statements = Vec::new();
        loop {
            if self.take("}") {
                return Ok(Some(statements));
            }
            if self.take_newline() || self.take(";") {
                continue;
            }
            match self.statement()? {
                Some(statement) => statements.push(statement),
                None => return Ok(None),
            }
            if !self.is("}") && !self.is(";") && self.peek() != Some(&Token::Newline) {
                return self.wrong();
            }
        }
    }

    /// One statement; `None` for `quit`.
    fn statement(&mut self) -> Parse<Option<Statement>> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Wrong::Syntax);
        }
        let statement = self.plain_statement();
        self.depth -= 1;
        statement
    }

    fn plain_statement(&mut self) -> Parse<Option<Statement>> {
        if let Some(Token::Text(text)) = self.peek() {
            self.at += 1;
            return Ok(Some(Statement::Text(text.clone())));
        }
        if self.take("{") {
            return Ok(self.block()?.map(Statement::Block));
        }
        let Some(Token::Name(word)) = self.peek() else {
            return self.expression().map(|value| Some(Statement::Expression(value)));
        };
        let before = self.at;
        self.at += 1;
        Ok(Some(match word.as_str() {
            "quit" => return Ok(None),
            "halt" => Statement::Halt,
            "break" => Statement::Break,
            "continue" => Statement::Continue,
            "limits" => Statement::Limits,
            "return" => Statement::Return(self.returned()?),
            "print" => Statement::Print(self.printed()?),
            "if" => {
                self.expect("(")?;
                let condition = self.expression()?;
                self.expect(")")?;
                let Some(then) = self.inner()? else { return Ok(None) };
                let mut otherwise = None;
                if self.take_name("else") {
                    let Some(statement) = self.inner()? else { return Ok(None) };
                    otherwise = Some(Box::new(statement));
                }
                Statement::If(condition, Box::new(then), otherwise)
            }
            "while" => {
                self.expect("(")?;
                let condition = self.expression()?;
                self.expect(")")?;
                let Some(body) = self.inner()? else { return Ok(None) };
                Statement::While(condition, Box::new(body))
            }
            "for" => {
                self.expect("(")?;
                let start = self.optional(";")?;
                let condition = self.optional(";")?;
                let step = self.optional(")")?;
                let Some(body) = self.inner()? else { return Ok(None) };
                Statement::For(start, condition, step, Box::new(body))
            }
            _ => {
                self.at = before;
                Statement::Expression(self.expression()?)
            }
        }))
    }

    /// The statement of a loop or a condition, which may stand on the next line.
    fn inner(&mut self) -> Parse<Option<Statement>> {
        self.skip_newlines();
        if self.take(";") {
            self.at -= 1;
            return Ok(Some(Statement::Block(Vec::new())));
        }
        self.statement()
    }

    fn optional(&mut self, end: &str) -> Parse<Option<Expr>> {
        if self.take(end) {
            return Ok(None);
        }
        let value = self.expression()?;
        self.expect(end)?;
        Ok(Some(value))
    }

    fn returned(&mut self) -> Parse<Option<Expr>> {
        match self.peek() {
            Some(Token::Newline | Token::Sign(";" | "}")) => Ok(None),
            _ => self.expression().map(Some),
        }
    }

    fn printed(&mut self) -> Parse<Vec<Printed>> {
        let mut list = Vec::new();
        loop {
            list.push(match self.peek() {
                Some(Token::Text(text)) => {
                    self.at += 1;
                    Printed::Text(text.clone())
                }
                _ => Printed::Value(self.expression()?),
            });
            if !self.take(",") {
                return Ok(list);
            }
        }
    }

    fn expression(&mut self) -> Parse<Expr> {
        self.binary(OR)
    }

    /// An expression of operators that bind at least as tightly as `loosest`.
    fn binary(&mut self, loosest: u8) -> Parse<Expr> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Wrong::Syntax);
        }
        let mut left = self.prefixed()?;
        while let Some(Token::Sign(sign)) = self.peek() {
            let Some(level) = level(sign).filter(|level| *level >= loosest) else { break };
            self.at += 1;
            let right = Box::new(self.binary(if level == POWER { POWER } else { level + 1 })?);
            let boxed = Box::new(left);
            left = match level {
                OR => Expr::Or(boxed, right),
                AND => Expr::And(boxed, right),
                RELATION => Expr::Compare(boxed, relation(sign), right),
                _ => Expr::Binary(boxed, operator(sign), right),
            };
        }
        self.depth -= 1;
        Ok(left)
    }

    fn prefixed(&mut self) -> Parse<Expr> {
        if self.take("!") {
            return Ok(Expr::Not(Box::new(self.binary(RELATION)?)));
        }
        if self.take("-") {
            return Ok(Expr::Negative(Box::new(self.binary(POWER + 1)?)));
        }
        for (sign, up) in [("++", true), ("--", false)] {
            if self.take(sign) {
                return match self.primary()? {
                    Expr::Place(place) => Ok(Expr::Step { place, up, before: true }),
                    _ => Err(Wrong::Syntax),
                };
            }
        }
        let primary = self.primary()?;
        let (Expr::Place(place), Some(Token::Sign(sign))) = (&primary, self.peek()) else { return Ok(primary) };
        let place = place.clone();
        match *sign {
            "++" | "--" => {
                self.at += 1;
                Ok(Expr::Step { place, up: *sign == "++", before: false })
            }
            "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "^=" => {
                self.at += 1;
                let op = sign.strip_suffix('=').filter(|op| !op.is_empty()).map(operator);
                Ok(Expr::Assign(place, op, Box::new(self.binary(ASSIGN)?)))
            }
            _ => Ok(primary),
        }
    }

    fn primary(&mut self) -> Parse<Expr> {
        let Some(token) = self.peek() else { return Err(Wrong::Unfinished) };
        match token {
            Token::Number(digits) => {
                self.at += 1;
                Ok(if digits == "." { Expr::Place(Place::Last) } else { Expr::Number(digits.clone()) })
            }
            Token::Sign("(") => {
                self.at += 1;
                let value = self.expression()?;
                self.expect(")")?;
                Ok(Expr::Group(Box::new(value)))
            }
            Token::Name(name) => {
                self.at += 1;
                self.named(name)
            }
            _ => Err(Wrong::Syntax),
        }
    }

    /// What begins with a name, which has been read.
    fn named(&mut self, name: &str) -> Parse<Expr> {
        let place = |place| Ok(Expr::Place(place));
        match name {
            "ibase" => return place(Place::Ibase),
            "obase" => return place(Place::Obase),
            "last" => return place(Place::Last),
            "scale" if !self.is("(") => return place(Place::Scale),
            "length" | "scale" | "sqrt" | "read" => {
                self.expect("(")?;
                if name == "read" {
                    self.expect(")")?;
                    return Ok(Expr::Read);
                }
                let value = Box::new(self.expression()?);
                self.expect(")")?;
                return Ok(match name {
                    "length" => Expr::Length(value),
                    "scale" => Expr::Scale(value),
                    _ => Expr::Sqrt(value),
                });
            }
            _ if RESERVED.contains(&name) => {
                self.at -= 1;
                return Err(Wrong::Syntax);
            }
            _ => {}
        }
        if self.take("[") {
            let index = self.expression()?;
            self.expect("]")?;
            return place(Place::Element(name.to_string(), Box::new(index)));
        }
        if !self.take("(") {
            return place(Place::Variable(name.to_string()));
        }
        let mut arguments = Vec::new();
        while !self.take(")") {
            if !arguments.is_empty() {
                self.expect(",")?;
            }
            arguments.push(self.argument()?);
        }
        Ok(Expr::Call(name.to_string(), arguments))
    }

    fn argument(&mut self) -> Parse<Argument> {
        if let [Token::Name(name), Token::Sign("["), Token::Sign("]"), ..] = &self.tokens[self.at..] {
            self.at += 3;
            return Ok(Argument::Array(name.clone()));
        }
        self.expression().map(Argument::Value)
    }
}

fn level(sign: &str) -> Option<u8> {
    Some(match sign {
        "||" => OR,
        "&&" => AND,
        "<" | "<=" | ">" | ">=" | "==" | "!=" => RELATION,
        "+" | "-" => SUM,
        "*" | "/" | "%" => PRODUCT,
        "^" => POWER,
        _ => return None,
    })
}

fn relation(sign: &str) -> Relation {
    match sign {
        "<" => Relation::Less,
        "<=" => Relation::LessOrEqual,
        ">" => Relation::Greater,
        ">=" => Relation::GreaterOrEqual,
        "==" => Relation::Equal,
        _ => Relation::NotEqual,
    }
}

fn operator(sign: &str) -> Op {
    match sign {
        "+" => Op::Add,
        "-" => Op::Subtract,
        "*" => Op::Multiply,
        "/" => Op::Divide,
        "%" => Op::Remainder,
        _ => Op::Power,
    }
}
