//! Trees in one line, for literal expectations. The parts of a word are joined by `+`; `'…'` is quoted text.
use crate::syntax::ast::*;

/// A script: lists end with `;` or `&`.
pub(super) fn script(script: &[Item]) -> String {
    let items = script.iter().map(|item| list(&item.list) + if item.background { " &" } else { "" });
    items.collect::<Vec<_>>().join("; ")
}

fn list(list: &AndOr) -> String {
    let rest = list.rest.iter().map(|(connective, next)| {
        let connective = if *connective == Connective::And { " && " } else { " || " };
        connective.to_owned() + &pipeline(next)
    });
    pipeline(&list.first) + &rest.collect::<String>()
}

fn pipeline(pipeline: &Pipeline) -> String {
    let timed = match pipeline.timed {
        Some(TimeFormat::Bash) => "time ",
        Some(TimeFormat::Posix) => "time -p ",
        None => "",
    };
    let commands: Vec<_> = pipeline.commands.iter().map(|it| command(it)).collect();
    format!("{timed}{}{}", if pipeline.negated { "! " } else { "" }, commands.join(" | "))
}

fn command(command: &Command) -> String {
    let text = match &command.kind {
        CommandKind::Simple(it) => simple(it),
        CommandKind::Compound(it) => compound(it),
        CommandKind::Function { name, body, .. } => format!("function {name} {}", self::command(body)),
    };
    text + &command.redirects.iter().map(|it| format!(" {}", redirect(it))).collect::<String>()
}

fn simple(simple: &Simple) -> String {
    let assignments = simple.assignments.iter().map(assignment);
    let words = simple.words.iter().map(word);
    let all = assignments.chain(words).chain(simple.redirects.iter().map(redirect));
    format!("[{}]", all.collect::<Vec<_>>().join(" "))
}

fn assignment(assignment: &Assignment) -> String {
    let index = assignment.index.as_ref().map_or(String::new(), |index| format!("[{}]", word(index)));
    let equals = if assignment.append { "+=" } else { "=" };
    let value = match &assignment.value {
        AssignedValue::Word(value) => word(value),
        AssignedValue::Array(items) => {
            let items = items.iter().map(|item| {
                let key = item
                    .key
                    .as_ref()
                    .map_or(String::new(), |key| format!("[{}]{}", word(key), if item.append { "+=" } else { "=" }));
                key + &word(&item.value)
            });
            format!("({})", items.collect::<Vec<_>>().join(" "))
        }
    };
    format!("{}{index}{equals}{value}", assignment.name)
}

fn words(words: Option<&Vec<Word>>) -> String {
    words.map_or("\"$@\"".to_owned(), |words| words.iter().map(word).collect::<Vec<_>>().join(" "))
}

fn compound(compound: &Compound) -> String {
    match compound {
        Compound::Brace(body) => format!("{{ {} }}", script(body)),
        Compound::Subshell(body) => format!("( {} )", script(body)),
        Compound::Loop { until, guard, body } => {
            format!("{} {} do {} done", if *until { "until" } else { "while" }, script(guard), script(body))
        }
        Compound::If { arms, otherwise } => {
            let arms = arms.iter().map(|(guard, body)| format!("if {} then {} ", script(guard), script(body)));
            let otherwise = otherwise.as_ref().map_or(String::new(), |body| format!("else {} ", script(body)));
            format!("{}{otherwise}fi", arms.collect::<String>())
        }
        Compound::For { name, words: list, body } => {
            format!("for {name} in {} do {} done", words(list.as_ref()), script(body))
        }
        Compound::Select { name, words: list, body } => {
            format!("select {name} in {} do {} done", words(list.as_ref()), script(body))
        }
        Compound::ArithFor { clauses, body } => {
            let [first, test, step] = clauses.each_ref().map(word);
            format!("for (({first};{test};{step})) do {} done", script(body))
        }
        Compound::Case { word: subject, arms } => {
            let arms = arms.iter().map(|arm| {
                let patterns: Vec<_> = arm.patterns.iter().map(word).collect();
                let end = match arm.end {
                    CaseEnd::Break => ";;",
                    CaseEnd::FallThrough => ";&",
                    CaseEnd::TestNext => ";;&",
                };
                format!("({}) {} {end} ", patterns.join("|"), script(&arm.body))
            });
            format!("case {} in {}esac", word(subject), arms.collect::<String>())
        }
        Compound::Arith(expression) => format!("(({}))", word(expression)),
        Compound::Cond(it) => format!("[[ {} ]]", cond(it)),
    }
}

fn cond(it: &Cond) -> String {
    match it {
        Cond::Not(it) => format!("!({})", cond(it)),
        Cond::And(left, right) => format!("({} && {})", cond(left), cond(right)),
        Cond::Or(left, right) => format!("({} || {})", cond(left), cond(right)),
        Cond::Unary(operator, it) => format!("{operator} {}", word(it)),
        Cond::Binary(operator, left, right) => format!("{} {operator} {}", word(left), word(right)),
    }
}

fn redirect(redirect: &Redirect) -> String {
    let fd = match &redirect.fd {
        RedirectFd::Default => String::new(),
        RedirectFd::Number(number) => number.to_string(),
        RedirectFd::Variable(name) => format!("{{{name}}}"),
    };
    let (operator, target) = match &redirect.kind {
        RedirectKind::Read(target) => ("<", target),
        RedirectKind::Write(target) => (">", target),
        RedirectKind::ReadWrite(target) => ("<>", target),
        RedirectKind::Append(target) => (">>", target),
        RedirectKind::Clobber(target) => (">|", target),
        RedirectKind::DupRead(target) => ("<&", target),
        RedirectKind::DupWrite(target) => (">&", target),
        RedirectKind::Both { word, append: false } => ("&>", word),
        RedirectKind::Both { word, append: true } => ("&>>", word),
        RedirectKind::HereString(target) => ("<<<", target),
        RedirectKind::HereDoc(target) => ("<<", target),
    };
    format!("{fd}{operator}{}", word(target))
}

/// A word.
pub(super) fn word(word: &Word) -> String {
    parts(&word.0)
}

fn parts(parts: &[Part]) -> String {
    parts.iter().map(part).collect::<Vec<_>>().join("+")
}

fn part(part: &Part) -> String {
    match part {
        Part::Lit(text) => text.clone(),
        Part::Quoted(text) => format!("'{text}'"),
        Part::DoubleQuoted(inner) => format!("\"{}\"", parts(inner)),
        Part::Param(it) => param(it),
        Part::Command(body) => format!("$({})", script(body)),
        Part::Arith(expression) => format!("$(({}))", word(expression)),
        Part::Process { input, body } => format!("{}({})", if *input { '<' } else { '>' }, script(body)),
        Part::ExtGlob(kind, alternatives) => {
            format!("{kind}({})", alternatives.iter().map(word).collect::<Vec<_>>().join("|"))
        }
        Part::Assignment(it) => format!("<{}>", assignment(it)),
    }
}

fn param(param: &Param) -> String {
    let index = param.index.as_ref().map_or(String::new(), |index| format!("[{}]", word(index)));
    let name = format!("{}{}{index}", if param.indirect { "!" } else { "" }, param.name);
    let doubled = |operator: &str, twice: bool| operator.repeat(1 + usize::from(twice));
    match &param.op {
        ParamOp::Get => format!("${{{name}}}"),
        ParamOp::Len => format!("${{#{name}}}"),
        ParamOp::Keys => format!("${{keys {name}}}"),
        ParamOp::Names(kind) => format!("${{names {name}{kind}}}"),
        ParamOp::Default { colon, op, word: it } => {
            format!("${{{name}{}{op}{}}}", if *colon { ":" } else { "" }, word(it))
        }
        ParamOp::Trim { suffix, longest, pattern } => {
            format!("${{{name}{}{}}}", doubled(if *suffix { "%" } else { "#" }, *longest), word(pattern))
        }
        ParamOp::Replace { which, pattern, with } => {
            let which = match which {
                Which::First => "/",
                Which::All => "//",
                Which::Prefix => "/#",
                Which::Suffix => "/%",
            };
            format!("${{{name}{which}{}/{}}}", word(pattern), word(with))
        }
        ParamOp::Slice { offset, len } => {
            format!(
                "${{{name}:{}{}}}",
                word(offset),
                len.as_ref().map_or(String::new(), |len| format!(":{}", word(len)))
            )
        }
        ParamOp::Case { op, all, pattern } => format!("${{{name}{}{}}}", doubled(&op.to_string(), *all), word(pattern)),
        ParamOp::Transform(op) => format!("${{{name}@{op}}}"),
        ParamOp::Bad(text) => format!("bad {text}"),
    }
}
