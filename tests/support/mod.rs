//! What the tests stand on: the built binary as a process, and copies of the fixtures.
pub(crate) mod docsh;
pub(crate) mod tree;
