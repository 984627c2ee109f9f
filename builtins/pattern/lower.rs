//! From [`Node`]s to what the engines of `regex-automata` compile.
use super::{
    Options, Whole,
    ast::{Look, Node},
    class,
};
use regex_syntax::hir::{self, Capture, Class, ClassUnicode, Hir, Repetition};

/// How to read a pattern.
#[derive(Clone, Copy)]
pub(super) struct Lower<'a> {
    pub(super) options: &'a Options,
    pub(super) dot_matches_newline: bool,
    /// The whole pattern: what its back-references name.
    pub(super) root: &'a Node,
    /// Keep the groups.
    pub(super) captures: bool,
    /// Keep the edges of words, such as Unicode's words have; without them more is matched, never less.
    pub(super) edges: bool,
}

impl Lower<'_> {
    /// The expression of `node`.
    ///
    /// A back-reference becomes its group's pattern without its anchors: it matches more, never less.
    pub(super) fn hir(&self, node: &Node) -> Hir {
        self.part(node, false)
    }

    fn part(&self, node: &Node, anywhere: bool) -> Hir {
        let parts = |nodes: &[Node]| nodes.iter().map(|node| self.part(node, anywhere)).collect();
        match node {
            Node::Empty => Hir::empty(),
            Node::Look(_) if anywhere => Hir::empty(),
            Node::Look(look) if look.is_edge() && !self.edges => Hir::empty(),
            Node::Look(look) => Hir::look(self.look(*look)),
            Node::Char('\n') if self.options.lines => Hir::fail(),
            Node::Char(c) if !self.options.ignore_case => Hir::literal(c.to_string().into_bytes()),
            Node::Char(c) => self.set(class::range(*c, *c), false),
            Node::Any => {
                let newline = class::range('\n', '\n');
                self.set(if self.dot_matches_newline { ClassUnicode::empty() } else { newline }, true)
            }
            Node::Set { class, negated } => self.set(class.clone(), *negated),
            Node::Group(index, node) if self.captures && !anywhere => {
                Hir::capture(Capture { index: *index, name: None, sub: Box::new(self.part(node, anywhere)) })
            }
            Node::Group(_, node) => self.part(node, anywhere),
            Node::Concat(nodes) => Hir::concat(parts(nodes)),
            Node::Alternate(nodes) => Hir::alternation(parts(nodes)),
            Node::Repeat { node, min, max } => {
                let sub = Box::new(self.part(node, anywhere));
                Hir::repetition(Repetition { min: *min, max: *max, greedy: true, sub })
            }
            Node::BackReference(number) => {
                self.root.group(*number).map_or_else(Hir::fail, |group| self.part(group, true))
            }
        }
    }

    fn set(&self, mut class: ClassUnicode, negated: bool) -> Hir {
        if self.options.ignore_case && class.try_case_fold_simple().is_err() {
            return Hir::fail(); // the tables of Unicode are compiled in: this does not happen
        }
        if negated {
            class.negate();
        }
        if self.options.lines {
            class.difference(&class::range('\n', '\n'));
        }
        Hir::class(Class::Unicode(class))
    }

    pub(super) fn look(&self, look: Look) -> hir::Look {
        let each_line = self.options.lines || self.options.anchors_at_newlines;
        match look {
            Look::LineStart if each_line => hir::Look::StartLF,
            Look::LineEnd if each_line => hir::Look::EndLF,
            Look::TextStart if self.options.lines => hir::Look::StartLF,
            Look::TextEnd if self.options.lines => hir::Look::EndLF,
            Look::LineStart | Look::TextStart => hir::Look::Start,
            Look::LineEnd | Look::TextEnd => hir::Look::End,
            Look::WordEdge => hir::Look::WordUnicode,
            Look::NotWordEdge => hir::Look::WordUnicodeNegate,
            Look::WordStart => hir::Look::WordStartUnicode,
            Look::WordEnd => hir::Look::WordEndUnicode,
        }
    }

    /// `hir` between the edges that the options ask for.
    pub(super) fn whole(&self, hir: Hir) -> Hir {
        let (start, end) = match self.options.whole {
            Whole::Any => return hir,
            Whole::Word if !self.edges => return hir,
            Whole::Word if self.options.ascii => (hir::Look::WordStartHalfAscii, hir::Look::WordEndHalfAscii),
            Whole::Word => (hir::Look::WordStartHalfUnicode, hir::Look::WordEndHalfUnicode),
            Whole::Line if self.options.anchors_at_newlines => (hir::Look::StartLF, hir::Look::EndLF),
            Whole::Line => (self.look(Look::TextStart), self.look(Look::TextEnd)),
        };
        Hir::concat(vec![Hir::look(start), hir, Hir::look(end)])
    }
}
