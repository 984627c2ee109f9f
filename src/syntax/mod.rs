//! Text to tree: bash's grammar, on conch-parser's, behind our own lexer. No conch type leaves this folder.
pub mod ast;
