//! The words of `declare` and its kin: some are assignments, which keep their shape.
use super::{Prepared, prepare};
use crate::{
    shell::{
        expand::{add_word, brace_words, braces, too_many},
        interp::Interp,
        jump::Outcome,
    },
    syntax::ast::{AssignedValue, Assignment, Part, Word},
};

/// One argument of a declaration command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    /// Any word.
    Word(String),
    /// An assignment, expanded and not yet made.
    Assignment(Prepared),
}

/// The words of a declaration command, the name first.
pub(crate) fn declaration_words(shell: &mut Interp, words: &[Word]) -> Outcome<Vec<Argument>> {
    let mut arguments = Vec::with_capacity(words.len());
    for word in words {
        if let [Part::Assignment(assignment)] = word.0.as_slice() {
            let associative = arguments.iter().any(asks_for_associative);
            add_assignment(shell, assignment, associative, &mut arguments)?;
            continue;
        }
        let mut done = Vec::new();
        add_word(shell, word, &mut done)?;
        arguments.extend(done.into_iter().map(Argument::Word));
        too_many(shell, arguments.len())?;
    }
    Ok(arguments)
}

/// Whether a word is an option like `-A`.
fn asks_for_associative(argument: &Argument) -> bool {
    matches!(argument, Argument::Word(word) if word.starts_with('-') && word.contains('A'))
}

/// Braces in the value make several assignments, since they are expanded before anything else.
fn add_assignment(
    shell: &mut Interp,
    assignment: &Assignment,
    associative: bool,
    arguments: &mut Vec<Argument>,
) -> Outcome<()> {
    let word = match &assignment.value {
        AssignedValue::Word(word) if shell.env.options.set.braceexpand && braces::may_expand(word) => word,
        _ => {
            arguments.push(Argument::Assignment(prepare(shell, assignment, associative)?));
            return Ok(());
        }
    };
    for word in brace_words(shell, word, shell.world.limits.words)? {
        let one = Assignment { value: AssignedValue::Word(word), ..assignment.clone() };
        arguments.push(Argument::Assignment(prepare(shell, &one, associative)?));
    }
    Ok(())
}

/// The text of each argument, an assignment as `name=value`.
pub(crate) fn plain_words(arguments: &[Argument]) -> Vec<String> {
    let plain = |argument: &Argument| match argument {
        Argument::Word(word) => word.clone(),
        Argument::Assignment(assignment) => assignment.to_string(),
    };
    arguments.iter().map(plain).collect()
}
