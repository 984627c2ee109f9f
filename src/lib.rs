//! docsh, the shell: it parses, expands and runs what the user typed, over a documentation site.
//!
//! - [`syntax`]: text to tree
//! - [`shell`]: running the tree
//! - [`site`]: what the shell sees of a site
//! - [`store`]: where a site's bytes come from
//! - [`tree`]: the paths of a site, and who may see them
//! - [`ingest`]: reading a docs folder into a store
//! - [`cli`]: the ways of being used
pub mod cli;
pub mod ingest;
pub mod shell;
pub mod site;
mod stack;
pub mod store;
pub mod syntax;
mod timestamp;
pub mod tree;
mod yaml;
