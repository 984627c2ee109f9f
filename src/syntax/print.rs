//! Tree to text, as bash prints a function (`declare -f`, `type`): one command a line, four spaces a level.
//!
//! Quoting is written anew, so what is printed means what was typed but need not be spelled like it.
use super::ast::*;
use std::fmt::Write;

/// The definition of the function `name`.
pub fn function(name: &str, body: &Command) -> String {
    let mut printer = Printer { text: format!("{name} () \n"), level: 0 };
    match &body.kind {
        CommandKind::Compound(Compound::Brace(script)) => printer.braces(script),
        _ => {
            printer.text.push_str("{ \n");
            printer.level += 1;
            printer.indent();
            printer.command(body);
            printer.level -= 1;
            printer.text.push_str("\n}");
        }
    }
    printer.redirects(&body.redirects);
    printer.text
}

/// A simple command on one line, as `BASH_COMMAND` shows it.
pub fn simple(command: &Simple) -> String {
    let mut printer = Printer::default();
    printer.simple(command);
    printer.text
}

/// A list on one line, as `jobs` shows it.
pub fn list(list: &AndOr) -> String {
    let mut printer = Printer::default();
    printer.and_or(list);
    printer.text
}

#[derive(Default)]
struct Printer {
    text: String,
    level: usize,
}

impl Printer {
    fn indent(&mut self) {
        for _ in 0..self.level {
            self.text.push_str("    ");
        }
    }

    fn braces(&mut self, script: &Script) {
        self.text.push_str("{ \n");
        self.block(script, "");
        self.indent();
        self.text.push('}');
    }

    /// Each list on a line of its own, one level deeper; the last one ends with `last`.
    fn block(&mut self, script: &Script, last: &str) {
        self.level += 1;
        for (at, item) in script.iter().enumerate() {
            self.indent();
            self.and_or(&item.list);
            let is_last = at + 1 == script.len();
            self.text.push_str(match (item.background, is_last) {
                (true, _) => " &",
                (false, true) => last,
                (false, false) => ";",
            });
            self.text.push('\n');
        }
        self.level -= 1;
    }

    /// Lists on one line: a guard, a subshell.
    fn inline(&mut self, script: &Script) {
        for (at, item) in script.iter().enumerate() {
            self.and_or(&item.list);
            if item.background {
                self.text.push_str(" &");
            } else if at + 1 < script.len() {
                self.text.push(';');
            }
            if at + 1 < script.len() {
                self.text.push(' ');
            }
        }
    }

    fn and_or(&mut self, list: &AndOr) {
        self.pipeline(&list.first);
        for (connective, pipeline) in &list.rest {
            self.text.push_str(match connective {
                Connective::And => " && ",
                Connective::Or => " || ",
            });
            self.pipeline(pipeline);
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline) {
        if let Some(format) = pipeline.timed {
            self.text.push_str(if format == TimeFormat::Posix { "time -p " } else { "time " });
        }
        if pipeline.negated {
            self.text.push_str("! ");
        }
        for (at, command) in pipeline.commands.iter().enumerate() {
            if at > 0 {
                self.text.push_str(" | ");
            }
            self.command(command);
        }
    }

    fn command(&mut self, command: &Command) {
        match &command.kind {
            CommandKind::Simple(simple) => self.simple(simple),
            CommandKind::Compound(compound) => self.compound(compound),
            CommandKind::Function { name, body, .. } => {
                let inner = function(name, body);
                let prefix = "    ".repeat(self.level);
                let inner = format!("function {inner}");
                self.text.push_str(&inner.replace('\n', &format!("\n{prefix}")));
            }
        }
        self.redirects(&command.redirects);
    }

    fn simple(&mut self, simple: &Simple) {
        let mut words: Vec<String> = simple.assignments.iter().map(assignment).collect();
        words.extend(simple.words.iter().map(word));
        self.text.push_str(&words.join(" "));
        self.redirects(&simple.redirects);
        if words.is_empty() && self.text.ends_with(' ') {
            self.text.pop();
        }
    }

    fn compound(&mut self, compound: &Compound) {
        match compound {
            Compound::Brace(script) => self.braces(script),
            Compound::Subshell(script) => {
                self.text.push_str("( ");
                self.inline(script);
                self.text.push_str(" )");
            }
            Compound::Loop { until, guard, body } => {
                self.text.push_str(if *until { "until " } else { "while " });
                self.inline(guard);
                self.text.push_str("; do\n");
                self.block(body, ";");
                self.indent();
                self.text.push_str("done");
            }
            Compound::If { arms, otherwise } => self.branches(arms, otherwise.as_ref()),
            Compound::For { name, words, body } => self.words_loop("for", name, words.as_deref(), body),
            Compound::Select { name, words, body } => self.words_loop("select", name, words.as_deref(), body),
            Compound::ArithFor { clauses, body } => {
                let [first, test, step] = clauses.as_ref();
                let _ = writeln!(self.text, "for (({}; {}; {}))", word(first), word(test), word(step));
                self.body(body);
            }
            Compound::Case { word: subject, arms } => self.case(subject, arms),
            Compound::Arith(expression) => {
                let _ = write!(self.text, "(({}))", word(expression));
            }
            Compound::Cond(cond) => {
                let _ = write!(self.text, "[[ {} ]]", condition(cond));
            }
        }
    }

    fn branches(&mut self, arms: &[(Script, Script)], otherwise: Option<&Script>) {
        let mut rest = arms.iter();
        let Some((guard, body)) = rest.next() else { return };
        self.text.push_str("if ");
        self.inline(guard);
        self.text.push_str("; then\n");
        self.block(body, ";");
        // Bash prints `elif` as an `if` within `else`.
        match (rest.as_slice(), otherwise) {
            ([], None) => {}
            ([], Some(body)) => {
                self.indent();
                self.text.push_str("else\n");
                self.block(body, ";");
            }
            (more, otherwise) => {
                self.indent();
                self.text.push_str("else\n");
                self.level += 1;
                self.indent();
                self.branches(more, otherwise);
                self.text.push_str(";\n");
                self.level -= 1;
            }
        }
        self.indent();
        self.text.push_str("fi");
    }

    fn words_loop(&mut self, keyword: &str, name: &str, words: Option<&[Word]>, body: &Script) {
        let _ = write!(self.text, "{keyword} {name}");
        match words {
            Some(words) => {
                let words: Vec<String> = words.iter().map(word).collect();
                let _ = writeln!(self.text, " in {};", words.join(" "));
            }
            None => self.text.push_str(" in \"$@\";\n"),
        }
        self.body(body);
    }

    fn body(&mut self, body: &Script) {
        self.indent();
        self.text.push_str("do\n");
        self.block(body, ";");
        self.indent();
        self.text.push_str("done");
    }

    fn case(&mut self, subject: &Word, arms: &[CaseArm]) {
        let _ = writeln!(self.text, "case {} in ", word(subject));
        self.level += 1;
        for arm in arms {
            let patterns: Vec<String> = arm.patterns.iter().map(word).collect();
            self.indent();
            let _ = writeln!(self.text, "{})", patterns.join(" | "));
            match arm.body.is_empty() {
                true => self.text.push('\n'),
                false => self.block(&arm.body, ""),
            }
            self.indent();
            self.text.push_str(match arm.end {
                CaseEnd::Break => ";;\n",
                CaseEnd::FallThrough => ";&\n",
                CaseEnd::TestNext => ";;&\n",
            });
        }
        self.level -= 1;
        self.indent();
        self.text.push_str("esac");
    }

    fn redirects(&mut self, redirects: &[Redirect]) {
        for redirect in redirects {
            let fd = match &redirect.fd {
                RedirectFd::Default => String::new(),
                RedirectFd::Number(fd) => fd.to_string(),
                RedirectFd::Variable(name) => format!("{{{name}}}"),
            };
            let (operator, target) = match &redirect.kind {
                RedirectKind::Read(target) => ("< ", word(target)),
                RedirectKind::Write(target) => ("> ", word(target)),
                RedirectKind::ReadWrite(target) => ("<> ", word(target)),
                RedirectKind::Append(target) => (">> ", word(target)),
                RedirectKind::Clobber(target) => (">| ", word(target)),
                RedirectKind::DupRead(target) => ("<&", word(target)),
                RedirectKind::DupWrite(target) => (">&", word(target)),
                RedirectKind::Both { word: target, append: false } => ("&> ", word(target)),
                RedirectKind::Both { word: target, append: true } => ("&>> ", word(target)),
                RedirectKind::HereString(target) => ("<<< ", word(target)),
                RedirectKind::HereDoc(body) => ("<<EOF\n", format!("{}EOF", parts(&body.0, true))),
            };
            let _ = write!(self.text, " {fd}{operator}{target}");
        }
    }
}

fn assignment(assignment: &Assignment) -> String {
    let index = assignment.index.as_ref().map_or(String::new(), |index| format!("[{}]", word(index)));
    let sign = if assignment.append { "+=" } else { "=" };
    let value = match &assignment.value {
        AssignedValue::Word(value) => word(value),
        AssignedValue::Array(items) => {
            let items: Vec<String> = items
                .iter()
                .map(|item| match &item.key {
                    Some(key) => {
                        format!("[{}]{}{}", word(key), if item.append { "+=" } else { "=" }, word(&item.value))
                    }
                    None => word(&item.value),
                })
                .collect();
            format!("({})", items.join(" "))
        }
    };
    format!("{}{index}{sign}{value}", assignment.name)
}

fn condition(cond: &Cond) -> String {
    match cond {
        Cond::Not(inner) => format!("! {}", condition(inner)),
        Cond::And(left, right) => format!("{} && {}", condition(left), condition(right)),
        Cond::Or(left, right) => format!("{} || {}", condition(left), condition(right)),
        Cond::Unary(op, operand) => format!("{op} {}", word(operand)),
        Cond::Binary(op, left, right) => format!("{} {op} {}", word(left), word(right)),
    }
}

/// A word, as it could have been typed.
pub fn word(word: &Word) -> String {
    parts(&word.0, false)
}

fn parts(parts: &[Part], double_quoted: bool) -> String {
    parts.iter().map(|one| part(one, double_quoted)).collect()
}

fn part(part: &Part, double_quoted: bool) -> String {
    match part {
        Part::Lit(text) => text.clone(),
        Part::Quoted(text) if double_quoted => text.clone(),
        Part::Quoted(text) => format!("'{}'", text.replace('\'', "'\\''")),
        Part::DoubleQuoted(inner) => {
            let text: String = inner
                .iter()
                .map(|one| match one {
                    Part::Lit(text) | Part::Quoted(text) => escaped(text),
                    other => self::part(other, true),
                })
                .collect();
            format!("\"{text}\"")
        }
        Part::Param(param) => parameter(param),
        Part::Command(script) => {
            let mut printer = Printer::default();
            printer.inline(script);
            format!("$({})", printer.text)
        }
        Part::Arith(expression) => format!("$(({}))", word(expression)),
        Part::Process { input, body } => {
            let mut printer = Printer::default();
            printer.inline(body);
            format!("{}({})", if *input { '<' } else { '>' }, printer.text)
        }
        Part::ExtGlob(kind, alternatives) => {
            let alternatives: Vec<String> = alternatives.iter().map(word).collect();
            format!("{kind}({})", alternatives.join("|"))
        }
        Part::Assignment(inner) => assignment(inner),
    }
}

/// Text between double quotes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if "\"\\$`".contains(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

/// A parameter expansion, as it could have been typed.
pub fn parameter(param: &Param) -> String {
    let mark = if param.indirect { "!" } else { "" };
    let index = param.index.as_ref().map_or(String::new(), |index| format!("[{}]", word(index)));
    let name = format!("{mark}{}{index}", param.name);
    match &param.op {
        ParamOp::Get if param.bare => format!("${name}"),
        ParamOp::Get => format!("${{{name}}}"),
        ParamOp::Len => format!("${{#{name}}}"),
        ParamOp::Keys => format!("${{!{}{index}}}", param.name),
        ParamOp::Names(kind) => format!("${{!{}{kind}}}", param.name),
        ParamOp::Default { colon, op, word: value } => {
            format!("${{{name}{}{op}{}}}", if *colon { ":" } else { "" }, word(value))
        }
        ParamOp::Trim { suffix, longest, pattern } => {
            let sign = if *suffix { "%" } else { "#" };
            format!("${{{name}{}{}}}", sign.repeat(1 + usize::from(*longest)), word(pattern))
        }
        ParamOp::Replace { which, pattern, with } => {
            let sign = match which {
                Which::First => "/",
                Which::All => "//",
                Which::Prefix => "/#",
                Which::Suffix => "/%",
            };
            format!("${{{name}{sign}{}/{}}}", word(pattern), word(with))
        }
        ParamOp::Slice { offset, len } => {
            let len = len.as_ref().map_or(String::new(), |len| format!(":{}", word(len)));
            format!("${{{name}:{}{len}}}", word(offset))
        }
        ParamOp::Case { op, all, pattern } => {
            format!("${{{name}{}{}}}", op.to_string().repeat(1 + usize::from(*all)), word(pattern))
        }
        ParamOp::Transform(kind) => format!("${{{name}@{kind}}}"),
        ParamOp::Bad(text) => text.clone(),
    }
}
