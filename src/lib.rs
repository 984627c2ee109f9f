//! docsh, the shell: it parses, expands and runs what the user typed, over a documentation site.
pub mod syntax;
