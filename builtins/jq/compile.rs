//! From jaq's syntax tree to a [`Filter`], names resolved to places.
use super::{
    filter::{Filter, Fold, Function, Part, Pattern},
    format::Format,
    natives, number,
    value::{Number, Value},
};
use jaq_core::{
    load::{
        lex::{Lexer, StrPart},
        parse::{self, BinaryOp, Def, Parser, Term},
    },
    ops::Math,
    path::{self, Opt},
};
use std::{collections::HashMap, rc::Rc};

/// A program, ready to run.
pub(super) struct Program {
    /// The definitions that jq comes with.
    pub(super) globals: Vec<Function>,
    pub(super) main: Filter,
}

/// What is wrong with a program.
pub(super) struct Mistakes(pub(super) Vec<String>);

/// Definitions in the language itself.
const PRELUDE: &str = include_str!("prelude.jq");

/// Compile `text`; `variables` are the names of its global variables, outermost first.
pub(super) fn compile(text: &str, variables: &[String]) -> Result<Program, Mistakes> {
    let mut compiler = Compiler::default();
    let mut globals = Vec::new();
    if let Some(definitions) = jaq_core::load::parse(PRELUDE, |parser| parser.defs()) {
        for (place, definition) in definitions.iter().enumerate() {
            compiler.globals.insert((definition.name.to_string(), definition.args.len()), place);
        }
        globals = definitions.into_iter().map(|definition| compiler.function(definition)).collect();
    }
    compiler.text = text.to_string();
    compiler.scope = variables.iter().map(|name| Entry::Variable(format!("${name}"))).collect();
    let tokens = Lexer::new(text).lex().map_err(|mistakes| {
        let (expected, at) = &mistakes[0];
        compiler.mistake(&format!("syntax error, expected {}", expected.as_str()), at)
    })?;
    let empty = tokens.is_empty();
    let term = Parser::new(&tokens).parse(|parser| if empty { Ok(Term::Id) } else { program(parser) });
    let term = term.map_err(|mistakes| match &mistakes[0] {
        (expected, Some(token)) => {
            let found = token.0.chars().take(20).collect::<String>();
            let message = format!("syntax error, unexpected {found}, expected {}", expected.as_str());
            compiler.mistake(&message, token.0)
        }
        (expected, None) => {
            compiler.mistake(&format!("syntax error, unexpected end of file, expected {}", expected.as_str()), "")
        }
    })?;
    let main = compiler.filter(term);
    match compiler.mistakes.is_empty() {
        true => Ok(Program { globals, main }),
        false => Err(Mistakes(compiler.mistakes)),
    }
}

/// Definitions alone are a program too: what comes in goes out.
fn program<'s, 't>(parser: &mut Parser<'s, 't>) -> parse::Result<'s, 't, Term<&'s str>> {
    parser.term()
}

/// What a name may mean at a place of the program.
#[derive(Clone)]
enum Entry {
    Variable(String),
    Label(String),
    Function(String, usize),
    Parameter(String),
}

#[derive(Default)]
struct Compiler {
    text: String,
    /// What is in scope, the innermost last.
    scope: Vec<Entry>,
    globals: HashMap<(String, usize), usize>,
    mistakes: Vec<String>,
}

type Tree<'a> = Term<&'a str>;

impl Compiler {
    fn mistake(&self, message: &str, at: &str) -> Mistakes {
        let line = self.line(at);
        Mistakes(vec![format!("{message} at <top-level>, line {line}:\n{}", self.text)])
    }

    /// The line that `part`, a piece of the program's text, is on.
    fn line(&self, part: &str) -> usize {
        let start = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        let before = self.text.get(..start).unwrap_or(&self.text);
        1 + before.matches('\n').count()
    }

    fn find(&self, is: impl Fn(&Entry) -> bool) -> Option<usize> {
        self.scope.iter().rev().position(is)
    }

    fn boxed(&mut self, term: Tree<'_>) -> Box<Filter> {
        Box::new(self.filter(term))
    }

    fn undefined(&mut self, name: &str) -> Filter {
        let text = self.text.clone();
        self.mistakes.push(format!("{name} is not defined at <top-level>, line 1:\n{text}"));
        Filter::Identity
    }

    fn filter(&mut self, term: Tree<'_>) -> Filter {
        match term {
            Term::Id => Filter::Identity,
            Term::Recurse => Filter::Recurse,
            Term::Num(text) => match number::read(text) {
                Some((value, written)) => {
                    Filter::Literal(Value::Number(Number { value, written: written.map(Rc::from) }))
                }
                None => self.undefined(text),
            },
            Term::Str(format, parts) => self.text(format, parts),
            Term::Arr(None) => Filter::Array(None),
            Term::Arr(Some(items)) => Filter::Array(Some(self.boxed(*items))),
            Term::Obj(members) => {
                Filter::Object(members.into_iter().map(|(key, value)| self.member(key, value)).collect())
            }
            Term::Neg(operand) => match self.filter(*operand) {
                Filter::Literal(Value::Number(number)) => Filter::Literal(negated(&number)),
                operand => Filter::Negate(operand.into()),
            },
            Term::BinOp(left, operator, right) => self.binary(*left, operator, *right),
            Term::Label(name, body) => {
                self.scope.push(Entry::Label(name.to_string()));
                let body = self.boxed(*body);
                self.scope.pop();
                Filter::Label(body)
            }
            Term::Break(name) => {
                let found = self.find(|entry| matches!(entry, Entry::Label(label) if label == name));
                match found {
                    Some(place) => Filter::Break(place),
                    None => self.undefined(&format!("$*label-{}", name.trim_start_matches('$'))),
                }
            }
            Term::Fold(kind, source, pattern, arguments) => self.fold(kind, *source, pattern, arguments),
            Term::TryCatch(body, catch) => Filter::Try(self.boxed(*body), catch.map(|catch| self.boxed(*catch))),
            Term::IfThenElse(branches, otherwise) => {
                let branches =
                    branches.into_iter().map(|(when, then)| (self.filter(when), self.filter(then))).collect();
                Filter::If(branches, otherwise.map(|otherwise| self.boxed(*otherwise)))
            }
            Term::Def(definitions, body) => self.definitions(definitions, *body),
            Term::Call(name, arguments) => self.call(name, arguments),
            Term::Var("$__loc__") => {
                let line = self.line_of_location();
                Filter::Literal(Value::object([
                    ("file".into(), Value::text("<top-level>")),
                    ("line".into(), Value::number(line as f64)),
                ]))
            }
            Term::Var(name) => {
                match self.find(|entry| matches!(entry, Entry::Variable(variable) if variable == name)) {
                    Some(place) => Filter::Variable(place),
                    None => self.undefined(name),
                }
            }
            Term::Path(base, path) => self.path(*base, path),
        }
    }

    fn line_of_location(&self) -> usize {
        let at = self.text.find("$__loc__").unwrap_or(0);
        1 + self.text[..at].matches('\n').count()
    }

    fn text(&mut self, format: Option<&str>, parts: Vec<StrPart<&str, Tree<'_>>>) -> Filter {
        let format = match format {
            None => Format::Text,
            Some(name) => match Format::named(name.trim_start_matches('@')) {
                Some(format) => format,
                // It is not asked for where there is nothing to be formatted.
                None if parts.iter().all(|part| !matches!(part, StrPart::Term(_))) => Format::Text,
                None => return self.wrong_format(name),
            },
        };
        let mut pieces: Vec<Part> = Vec::new();
        for part in parts {
            let text = match part {
                StrPart::Term(term) => {
                    let filter = self.filter(term);
                    pieces.push(Part::Filter(filter));
                    continue;
                }
                StrPart::Str(text) => text.to_string(),
                StrPart::Char(c) => c.to_string(),
            };
            match pieces.last_mut() {
                Some(Part::Text(before)) => before.push_str(&text),
                _ => pieces.push(Part::Text(text)),
            }
        }
        match &mut pieces[..] {
            [] => Filter::Literal(Value::text("")),
            [Part::Text(text)] => Filter::Literal(Value::text(std::mem::take(text))),
            _ => Filter::Text(format, pieces),
        }
    }

    fn member(&mut self, key: Tree<'_>, value: Option<Tree<'_>>) -> (Filter, Filter) {
        let Some(value) = value else {
            return match key {
                // `{$a}`
                Term::Var(name) => {
                    let value = self.filter(Term::Var(name));
                    (Filter::Literal(Value::text(name.trim_start_matches('$'))), value)
                }
                // `{a}`, `{"a b"}`
                key => {
                    let value = Filter::Index(Filter::Identity.into(), self.boxed(key.clone()), false);
                    (self.filter(key), value)
                }
            };
        };
        let key = match key {
            Term::Var(name) => self.filter(Term::Var(name)),
            key => self.filter(key),
        };
        (key, self.filter(value))
    }

    fn binary(&mut self, left: Tree<'_>, operator: BinaryOp<&str>, right: Tree<'_>) -> Filter {
        if let BinaryOp::Pipe(Some(pattern)) = operator {
            let source = self.boxed(left);
            let depth = self.scope.len();
            let pattern = self.pattern(pattern);
            let body = self.boxed(right);
            self.scope.truncate(depth);
            return Filter::Bind(source, pattern, body);
        }
        let (left, right) = (self.boxed(left), self.boxed(right));
        match operator {
            BinaryOp::Pipe(_) => Filter::Pipe(left, right),
            BinaryOp::Comma => Filter::Comma(left, right),
            BinaryOp::Alt => Filter::Alternative(left, right),
            BinaryOp::Or => Filter::Or(left, right),
            BinaryOp::And => Filter::And(left, right),
            BinaryOp::Math(Math::Div) if is_zero(&right) && matches!(*left, Filter::Literal(Value::Number(_))) => {
                let text = self.text.clone();
                self.mistakes.push(format!("Division by zero? at <top-level>, line 1:\n{text}"));
                Filter::Identity
            }
            BinaryOp::Math(math) => Filter::Math(math, left, right),
            BinaryOp::Cmp(comparison) => Filter::Compare(comparison, left, right),
            BinaryOp::Assign => Filter::Assign(left, right),
            BinaryOp::Update => Filter::Update(left, right),
            BinaryOp::UpdateMath(math) => Filter::UpdateMath(math, left, right),
            BinaryOp::UpdateAlt => Filter::UpdateAlternative(left, right),
        }
    }

    /// Resolve a pattern, and put its variables into scope.
    fn pattern(&mut self, pattern: parse::Pattern<&str>) -> Pattern {
        match pattern {
            parse::Pattern::Var(name) => {
                self.scope.push(Entry::Variable(name.to_string()));
                Pattern::Variable
            }
            parse::Pattern::Arr(items) => Pattern::Array(items.into_iter().map(|item| self.pattern(item)).collect()),
            parse::Pattern::Obj(members) => Pattern::Object(
                members
                    .into_iter()
                    .map(|(key, value)| {
                        let key = self.filter(key);
                        (key, self.pattern(value))
                    })
                    .collect(),
            ),
        }
    }

    fn fold(
        &mut self,
        kind: &str,
        source: Tree<'_>,
        pattern: parse::Pattern<&str>,
        arguments: Vec<Tree<'_>>,
    ) -> Filter {
        let source = self.filter(source);
        let count = arguments.len();
        let mut arguments = arguments.into_iter();
        let (Some(init), Some(update), extract, true) =
            (arguments.next(), arguments.next(), arguments.next(), count <= if kind == "reduce" { 2 } else { 3 })
        else {
            return self.undefined(&format!("{kind}/{count}"));
        };
        let init = self.filter(init);
        let depth = self.scope.len();
        let pattern = self.pattern(pattern);
        let update = self.filter(update);
        let extract = extract.map(|extract| self.filter(extract));
        self.scope.truncate(depth);
        let fold = Box::new(Fold { source, pattern, init, update, extract });
        if kind == "reduce" { Filter::Reduce(fold) } else { Filter::Foreach(fold) }
    }

    fn definitions(&mut self, definitions: Vec<Def<&str>>, body: Tree<'_>) -> Filter {
        let depth = self.scope.len();
        let mut functions = Vec::new();
        for definition in definitions {
            self.scope.push(Entry::Function(definition.name.to_string(), definition.args.len()));
            functions.push(Rc::new(self.function(definition)));
        }
        let body = self.filter(body);
        self.scope.truncate(depth);
        functions.into_iter().rev().fold(body, |body, function| Filter::Define(function, body.into()))
    }

    /// Compile a definition that is in scope itself.
    fn function(&mut self, definition: Def<&str>) -> Function {
        let depth = self.scope.len();
        let bare = |name: &str| name.trim_start_matches('$').to_string();
        self.scope.extend(definition.args.iter().map(|name| Entry::Parameter(bare(name))));
        let is_value = |(_, name): &(usize, &&str)| name.starts_with('$');
        let values: Vec<usize> = definition.args.iter().enumerate().filter(is_value).map(|(at, _)| at).collect();
        self.scope.extend(values.iter().map(|at| Entry::Variable(definition.args[*at].to_string())));
        let body = self.filter(definition.body);
        self.scope.truncate(depth);
        Function { values, body }
    }

    /// A format that there is not: an error once it is used.
    fn wrong_format(&mut self, name: &str) -> Filter {
        let message = Filter::Literal(Value::text(format!("{} is not a valid format", name.trim_start_matches('@'))));
        Filter::Pipe(Box::new(message), Box::new(self.call("error", Vec::new())))
    }

    fn call(&mut self, name: &str, arguments: Vec<Tree<'_>>) -> Filter {
        let count = arguments.len();
        if name.starts_with('@') {
            return match Format::named(name.trim_start_matches('@')) {
                Some(format) => Filter::Format(format),
                None => self.wrong_format(name),
            };
        }
        let found = self.find(|entry| match entry {
            Entry::Function(function, parameters) => function == name && *parameters == count,
            Entry::Parameter(parameter) => parameter == name && count == 0,
            _ => false,
        });
        let arguments: Vec<Filter> = arguments.into_iter().map(|argument| self.filter(argument)).collect();
        if let Some(place) = found {
            let at = self.scope.len() - 1 - place;
            return match self.scope[at] {
                Entry::Parameter(_) => Filter::Parameter(place),
                _ => Filter::Call(place, arguments),
            };
        }
        if let Some(place) = self.globals.get(&(name.to_string(), count)) {
            return Filter::CallGlobal(*place, arguments);
        }
        match (name, natives::find(name, count)) {
            ("null", _) if count == 0 => Filter::Literal(Value::Null),
            ("true", _) if count == 0 => Filter::Literal(Value::Bool(true)),
            ("false", _) if count == 0 => Filter::Literal(Value::Bool(false)),
            ("env", _) if count == 0 => self.filter(Term::Var("$ENV")),
            (_, Some(native)) => Filter::Native(native, arguments),
            _ => self.undefined(&format!("{name}/{count}")),
        }
    }

    fn path(&mut self, base: Tree<'_>, path: path::Path<Tree<'_>>) -> Filter {
        let mut filter = self.filter(base);
        for (part, optional) in path.0 {
            let base = Box::new(filter);
            let optional = matches!(optional, Opt::Optional);
            filter = match part {
                path::Part::Index(key) => Filter::Index(base, self.boxed(key), optional),
                path::Part::Range(None, None) => Filter::Each(base, optional),
                path::Part::Range(from, to) => {
                    let from = from.map(|from| self.boxed(from));
                    Filter::Slice(base, from, to.map(|to| self.boxed(to)), optional)
                }
            };
        }
        filter
    }
}

fn is_zero(filter: &Filter) -> bool {
    matches!(filter, Filter::Literal(Value::Number(Number { value: 0.0, .. })))
}

/// The same number with the other sign.
fn negated(number: &Number) -> Value {
    let written = number.written.as_ref().map(|written| match written.strip_prefix('-') {
        Some(rest) => rest.into(),
        None => format!("-{written}").into(),
    });
    Value::Number(Number { value: -number.value, written })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prelude_is_sound() {
        let program = compile(".", &["ENV".to_string()]);
        assert!(program.is_ok_and(|program| program.globals.len() > 80));
    }
}
