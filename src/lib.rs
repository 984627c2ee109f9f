//! docsh, the shell: it parses, expands and runs what the user typed, over a documentation site.
//!
//! - [`syntax`]: text to tree
//! - [`shell`]: running the tree
//! - [`cli`]: the ways of being used
pub mod cli;
pub mod shell;
pub mod syntax;
