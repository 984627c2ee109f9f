//! From words to strings, in bash's order: braces, tilde, parameters, substitutions and arithmetic, field splitting,
//! globs, quote removal.
#![allow(missing_docs, unused_variables, reason = "a stand-in that the real expansion replaces")]
use super::{interp::Interp, jump::Outcome};
use crate::syntax::ast::{Assignment, Word};

pub struct Glob;
impl Glob {
    pub fn matches(&self, text: &str) -> bool {
        false
    }
}
#[derive(Debug, Clone)]
pub enum Argument {
    Word(String),
    Assignment(Box<Assignment>),
}
const NOT_YET: &str = "expansion: not supported yet";
pub fn words(shell: &mut Interp, words: &[Word]) -> Outcome<Vec<String>> {
    shell.discard(NOT_YET)
}
pub fn declaration_words(shell: &mut Interp, words: &[Word]) -> Outcome<Vec<Argument>> {
    shell.discard(NOT_YET)
}
/// The text of each argument, an assignment as `name=value`.
pub fn plain_words(arguments: &[Argument]) -> Vec<String> {
    Vec::new()
}
pub fn single(shell: &mut Interp, word: &Word) -> Outcome<String> {
    shell.discard(NOT_YET)
}
pub fn redirect_target(shell: &mut Interp, word: &Word) -> Outcome<Result<String, String>> {
    shell.discard(NOT_YET)
}
pub fn here_document(shell: &mut Interp, word: &Word) -> Outcome<String> {
    shell.discard(NOT_YET)
}
pub fn pattern(shell: &mut Interp, word: &Word) -> Outcome<Glob> {
    shell.discard(NOT_YET)
}
pub fn regex(shell: &mut Interp, word: &Word) -> Outcome<String> {
    shell.discard(NOT_YET)
}
pub fn arith(shell: &mut Interp, word: &Word) -> Outcome<i64> {
    shell.discard(NOT_YET)
}
pub fn arith_text(shell: &mut Interp, text: &str) -> Outcome<i64> {
    shell.discard(NOT_YET)
}
pub fn assign(shell: &mut Interp, assignment: &Assignment) -> Outcome<()> {
    shell.discard(NOT_YET)
}
pub fn set_var(shell: &mut Interp, name: &str, value: String) -> Outcome<()> {
    shell.discard(NOT_YET)
}
pub fn get_var(shell: &Interp, name: &str) -> Option<String> {
    None
}
/// `[[ -v name ]]`, `name[subscript]` included.
pub fn is_set(shell: &mut Interp, name: &str) -> Outcome<bool> {
    shell.discard(NOT_YET)
}
/// `PS1`, `PS4`: backslash escapes, then the expansions of double quotes.
pub fn prompt(shell: &mut Interp, text: &str) -> Outcome<String> {
    shell.discard(NOT_YET)
}
/// `${x@Q}` of a text.
pub fn quote(text: &str) -> String {
    text.to_string()
}
/// `"text"`, as `declare -p` prints a value.
pub fn double_quoted(text: &str) -> String {
    text.to_string()
}
