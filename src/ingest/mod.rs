//! Reading a docs folder into a site: which files become pages, what their frontmatter says, how they are cut into
//! chunks, and how the result reaches a store so that readers see the old site or the new one. It stands beside `site/`
//! and `store/` because it is the only writer: what serves visitors never reaches this folder.
pub mod folder;
pub mod frontmatter;
