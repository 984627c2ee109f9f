//! A POSIX pattern, parsed: what every engine and the search for needles are made from.
use regex_syntax::hir::ClassUnicode;

/// A pattern or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// Matches the empty string.
    Empty,
    /// This character.
    Char(char),
    /// Any character; of a newline the dialect and the caller decide.
    Any,
    /// A character of `class`, or one that is not. Negated last, since case is folded first.
    Set { class: ClassUnicode, negated: bool },
    /// A place.
    Look(Look),
    /// A group, counted from 1.
    Group(u32, Box<Node>),
    /// One after the other.
    Concat(Vec<Node>),
    /// One of them; the longest wins.
    Alternate(Vec<Node>),
    /// `min` to `max` times; no `max` is without end.
    Repeat { node: Box<Node>, min: u32, max: Option<u32> },
    /// What the group of that number has matched.
    BackReference(u32),
}

/// A place between characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// `^`
    LineStart,
    /// `$`
    LineEnd,
    /// `` \` ``
    TextStart,
    /// `\'`
    TextEnd,
    /// `\b`
    WordEdge,
    /// `\B`
    NotWordEdge,
    /// `\<`
    WordStart,
    /// `\>`
    WordEnd,
}

impl Node {
    /// Whether a back-reference is anywhere in it.
    pub(super) fn refers_back(&self) -> bool {
        match self {
            Node::BackReference(_) => true,
            Node::Group(_, node) | Node::Repeat { node, .. } => node.refers_back(),
            Node::Concat(nodes) | Node::Alternate(nodes) => nodes.iter().any(Node::refers_back),
            Node::Empty | Node::Char(_) | Node::Any | Node::Set { .. } | Node::Look(_) => false,
        }
    }

    /// The group of that number.
    pub(super) fn group(&self, number: u32) -> Option<&Node> {
        match self {
            Node::Group(n, node) if *n == number => Some(node),
            Node::Group(_, node) | Node::Repeat { node, .. } => node.group(number),
            Node::Concat(nodes) | Node::Alternate(nodes) => nodes.iter().find_map(|node| node.group(number)),
            _ => None,
        }
    }
}
