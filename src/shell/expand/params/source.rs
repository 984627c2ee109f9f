//! Words back to text, for messages that show what was typed.
use crate::syntax::ast::{Param, ParamOp, Part, Which, Word};

/// `word` as it could have been typed.
pub(crate) fn source(word: &Word) -> String {
    let mut text = String::new();
    word.0.iter().for_each(|part| add(part, false, &mut text));
    text
}

fn add(part: &Part, quoted: bool, text: &mut String) {
    match part {
        Part::Lit(literal) => text.push_str(literal),
        Part::Quoted(literal) if quoted => {
            for c in literal.chars() {
                if matches!(c, '$' | '`' | '"' | '\\') {
                    text.push('\\');
                }
                text.push(c);
            }
        }
        Part::Quoted(literal) => text.push_str(&crate::shell::expand::single_quoted(literal)),
        Part::DoubleQuoted(parts) => {
            text.push('"');
            parts.iter().for_each(|part| add(part, true, text));
            text.push('"');
        }
        Part::Param(param) => text.push_str(&of_param(param)),
        // The commands of a substitution are not kept as text.
        Part::Command(_) => text.push_str("$(...)"),
        Part::Process { input, .. } => text.push_str(if *input { "<(...)" } else { ">(...)" }),
        Part::Arith(expression) => {
            text.push_str("$((");
            text.push_str(&source(expression));
            text.push_str("))");
        }
        Part::ExtGlob(operator, patterns) => {
            let patterns: Vec<String> = patterns.iter().map(source).collect();
            text.push_str(&format!("{operator}({})", patterns.join("|")));
        }
        Part::Assignment(assignment) => {
            text.push_str(&assignment.name);
            text.push('=');
            if let Some(word) = crate::shell::expand::parts::scalar(&assignment.value) {
                text.push_str(&source(word));
            }
        }
    }
}

/// `name[index]`, as typed.
pub(super) fn name(param: &Param) -> String {
    match &param.index {
        Some(index) => format!("{}[{}]", param.name, source(index)),
        None => param.name.clone(),
    }
}

/// A parameter expansion, in braces where it needs them.
pub(super) fn of_param(param: &Param) -> String {
    let mark = if param.indirect { "!" } else { "" };
    let name = name(param);
    let after = match &param.op {
        ParamOp::Get if !param.indirect && param.index.is_none() => return format!("${name}"),
        ParamOp::Get => String::new(),
        ParamOp::Len => return format!("${{#{name}}}"),
        ParamOp::Keys => return format!("${{!{name}}}"),
        ParamOp::Names(kind) => return format!("${{!{name}{kind}}}"),
        ParamOp::Default { colon, op, word } => {
            format!("{}{op}{}", if *colon { ":" } else { "" }, source(word))
        }
        ParamOp::Trim { suffix, longest, pattern } => {
            let operator = if *suffix { "%" } else { "#" };
            format!("{}{}", operator.repeat(1 + usize::from(*longest)), source(pattern))
        }
        ParamOp::Replace { which, pattern, with } => {
            let operator = match which {
                Which::First => "/",
                Which::All => "//",
                Which::Prefix => "/#",
                Which::Suffix => "/%",
            };
            format!("{operator}{}/{}", source(pattern), source(with))
        }
        ParamOp::Slice { offset, len } => {
            let len = len.as_ref().map_or(String::new(), |len| format!(":{}", source(len)));
            format!(":{}{len}", source(offset))
        }
        ParamOp::Case { op, all, pattern } => {
            format!("{}{}", op.to_string().repeat(1 + usize::from(*all)), source(pattern))
        }
        ParamOp::Transform(operator) => format!("@{operator}"),
        ParamOp::Bad(text) => return text.clone(),
    };
    format!("${{{mark}{name}{after}}}")
}
