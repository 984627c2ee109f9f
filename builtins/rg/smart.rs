//! `-S`: whether patterns are small letters only, as ripgrep judges them.
//!
//! A capital counts where it is a letter to match, also in a class and as `\x41`, not in the name of a class or an
//! escape. Patterns in which nothing is meant literally say nothing of case: then it counts.
use regex_syntax::ast::{Ast, ClassSetItem, Visitor, parse::Parser, visit};

/// Whether `patterns`, texts or expressions, match without regard to case.
pub(super) fn ignores_case(patterns: &[String], fixed: bool) -> bool {
    let mut letters = Letters::default();
    for pattern in patterns {
        match Parser::new().parse(pattern) {
            Ok(tree) if !fixed => letters = visit(&tree, letters).unwrap_or_default(),
            // Perl's expressions are not always of this grammar.
            _ => letters.text(pattern, fixed),
        }
    }
    letters.any && !letters.any_capital
}

/// What is meant literally.
#[derive(Default)]
struct Letters {
    any: bool,
    any_capital: bool,
}

impl Letters {
    fn letter(&mut self, letter: char) {
        self.any = true;
        self.any_capital |= letter.is_uppercase();
    }

    /// The letters of a text; what an escape is called by is none.
    fn text(&mut self, text: &str, fixed: bool) {
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            if letter != '\\' || fixed {
                self.letter(letter);
            } else if matches!(letters.next(), Some('p' | 'P' | 'x' | 'u' | 'U')) && letters.as_str().starts_with('{') {
                letters.by_ref().find(|&letter| letter == '}');
            }
        }
    }
}

impl Visitor for Letters {
    type Output = Letters;
    type Err = ();

    fn finish(self) -> Result<Letters, ()> {
        Ok(self)
    }

    fn visit_pre(&mut self, tree: &Ast) -> Result<(), ()> {
        if let Ast::Literal(literal) = tree {
            self.letter(literal.c);
        }
        Ok(())
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), ()> {
        match item {
            ClassSetItem::Literal(literal) => self.letter(literal.c),
            ClassSetItem::Range(range) => {
                self.letter(range.start.c);
                self.letter(range.end.c);
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capitals_count_where_they_are_meant() {
        let ignored = |pattern: &str| ignores_case(&[pattern.to_string()], false);
        for pattern in ["foo", r"\Sfoo", r"\p{Lu}a", "[a-z]", "é", r"\Bfoo\W", "[^a[:upper:]]"] {
            assert!(ignored(pattern), "{pattern}");
        }
        for pattern in ["Foo", "[A-Z]", "[a-zA]", r"\x41", "É", "[[:upper:]]", r"\d+", ".*", "", r"(?P<Name>\w)"] {
            assert!(!ignored(pattern), "{pattern}");
        }
        assert!(ignores_case(&["a(".to_string()], true));
        assert!(!ignores_case(&["a".to_string(), "B".to_string()], true));
    }
}
