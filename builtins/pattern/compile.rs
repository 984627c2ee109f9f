//! From the text of patterns to the engines that match them.
use super::{
    Dialect, Engine, Options, Pattern, PatternError, Syntax, Whole,
    ast::Node,
    backrefs::Backrefs,
    longest::{self, Longest},
    lower::Lower,
    parse,
    perl::Perl,
    rust,
    words::Words,
};
use regex_syntax::hir::Hir;

/// Bytes that a byte of a pattern takes when it is compiled, at least.
const LEAST: usize = 16;

impl Pattern {
    /// One POSIX pattern: what `sed`, `awk`, `expr` and their like need.
    pub fn posix(pattern: &str, syntax: Syntax, options: Options) -> Result<Pattern, PatternError> {
        Pattern::new(&[pattern], Dialect::Posix(syntax), options)
    }

    /// Patterns of which any may match. Groups are kept when there is one pattern only.
    pub fn new(patterns: &[impl AsRef<str>], dialect: Dialect, options: Options) -> Result<Pattern, PatternError> {
        // Megabytes of text take seconds to read, and do not fit when they have been.
        let length: usize = patterns.iter().map(|text| text.as_ref().len()).sum();
        if length > options.size / LEAST {
            return Err(parse::TOO_BIG.into());
        }
        let mut pattern = Pattern {
            parts: Vec::new(),
            groups: 0,
            names: vec![None],
            warnings: Vec::new(),
            bytewise: !options.ignore_case,
            options,
        };
        match dialect {
            Dialect::Posix(syntax) => pattern.add_posix(patterns, &syntax)?,
            Dialect::Fixed => {
                let nodes: Vec<Node> = patterns.iter().map(|text| literal(text.as_ref())).collect();
                pattern.add_automaton(&nodes, true)?;
            }
            Dialect::Perl => {
                for text in patterns {
                    let perl = Perl::new(text.as_ref(), &options)?;
                    pattern.groups = perl.groups();
                    pattern.names = perl.names();
                    pattern.parts.push(Engine::Perl(perl));
                }
            }
            Dialect::Rust => pattern.add_rust(patterns)?,
        }
        Ok(pattern)
    }

    fn add_posix(&mut self, patterns: &[impl AsRef<str>], syntax: &Syntax) -> Result<(), PatternError> {
        let mut regular = Vec::new();
        for text in patterns {
            let parsed = parse::parse(text.as_ref(), syntax)?;
            self.warnings.extend(parsed.warnings);
            self.bytewise &= parsed.bytewise;
            self.groups = parsed.groups as usize;
            if parsed.node.refers_back() {
                let lower = Lower {
                    options: &self.options,
                    dot_matches_newline: syntax.dot_matches_newline,
                    root: &parsed.node,
                    captures: false,
                    edges: true,
                };
                let part = Backrefs::new(&parsed.node, &lower, self.options.size)?;
                self.parts.push(Engine::Backrefs(part));
            } else {
                regular.push(parsed.node);
            }
        }
        if patterns.len() != 1 {
            self.groups = 0;
        }
        if !regular.is_empty() || patterns.is_empty() {
            self.add_automaton(&regular, syntax.dot_matches_newline)?;
        }
        Ok(())
    }

    fn add_automaton(&mut self, nodes: &[Node], dot_matches_newline: bool) -> Result<(), PatternError> {
        let options = &self.options;
        let lower = |node| Lower { options, dot_matches_newline, root: node, captures: nodes.len() == 1, edges: true };
        let hirs = nodes.iter().map(|node| lower(node).hir(node)).collect();
        let hir = lower(&Node::Empty).whole(Hir::alternation(hirs));
        let longest = Longest::new(hir, self.options.size)?;
        self.parts.push(match self.options.whole == Whole::Word || nodes.iter().any(Node::has_edges) {
            true => Engine::Words(Box::new(Words::new(longest, nodes, self.options, dot_matches_newline))),
            false => Engine::Longest(Box::new(longest)),
        });
        Ok(())
    }

    fn add_rust(&mut self, patterns: &[impl AsRef<str>]) -> Result<(), PatternError> {
        let options = &self.options;
        let hir = rust::parse(patterns, options)?;
        self.groups = hir.properties().explicit_captures_len();
        let lower = Lower { options, dot_matches_newline: false, root: &Node::Empty, captures: false, edges: true };
        let hir = lower.whole(hir);
        let regex = longest::compile(&hir, options.size)?;
        self.names =
            regex.group_info().pattern_names(Default::default()).map(|name| name.map(str::to_string)).collect();
        self.parts.push(Engine::First(regex, hir));
        Ok(())
    }
}

/// `text` as a pattern that means just that.
fn literal(text: &str) -> Node {
    match text.chars().map(Node::Char).collect::<Vec<_>>() {
        chars if chars.is_empty() => Node::Empty,
        chars => Node::Concat(chars),
    }
}
