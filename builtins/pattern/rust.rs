//! The dialect of the `regex` crate, as ripgrep uses it.
use super::{Options, PatternError};
use regex_syntax::{
    ParserBuilder,
    hir::{Capture, Class, Hir, HirKind, Repetition},
};

/// The expression of patterns of which any may match. Groups are numbered through all of them.
pub(super) fn parse(patterns: &[impl AsRef<str>], options: &Options) -> Result<Hir, PatternError> {
    let text = match patterns {
        [one] => one.as_ref().to_string(),
        many => many.iter().map(|text| format!("(?:{})", text.as_ref())).collect::<Vec<_>>().join("|"),
    };
    if patterns.is_empty() {
        return Ok(Hir::fail());
    }
    let mut parser = ParserBuilder::new()
        .case_insensitive(options.ignore_case)
        .multi_line(options.lines || options.anchors_at_newlines)
        .dot_matches_new_line(options.dot_matches_newline)
        .crlf(options.crlf)
        .unicode(!options.ascii)
        .utf8(false)
        .build();
    let hir = parser.parse(&text).map_err(|error| PatternError::from(error.to_string()))?;
    if options.lines { within_lines(&hir) } else { Ok(hir) }
}

/// `hir` without what would match a newline; a newline that must be there is an error.
fn within_lines(hir: &Hir) -> Result<Hir, PatternError> {
    let all = |parts: &[Hir]| parts.iter().map(within_lines).collect::<Result<Vec<Hir>, _>>();
    Ok(match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => hir.clone(),
        HirKind::Literal(literal) if literal.0.contains(&b'\n') => {
            return Err("the literal \"\\n\" is not allowed in a regex\n\n\
                        Consider enabling multiline mode with the --multiline flag (or -U for short).\n\
                        When multiline mode is enabled, new line characters can be matched."
                .into());
        }
        HirKind::Literal(_) => hir.clone(),
        HirKind::Class(Class::Unicode(class)) => {
            let mut class = class.clone();
            class.difference(&super::class::range('\n', '\n'));
            Hir::class(Class::Unicode(class))
        }
        HirKind::Class(Class::Bytes(class)) => {
            let mut class = class.clone();
            let newline = regex_syntax::hir::ClassBytesRange::new(b'\n', b'\n');
            class.difference(&regex_syntax::hir::ClassBytes::new([newline]));
            Hir::class(Class::Bytes(class))
        }
        HirKind::Repetition(repetition) => {
            let sub = Box::new(within_lines(&repetition.sub)?);
            Hir::repetition(Repetition { sub, ..repetition.clone() })
        }
        HirKind::Capture(capture) => {
            let sub = Box::new(within_lines(&capture.sub)?);
            Hir::capture(Capture { sub, ..capture.clone() })
        }
        HirKind::Concat(parts) => Hir::concat(all(parts)?),
        HirKind::Alternation(choices) => Hir::alternation(all(choices)?),
    })
}
