//! What the tests stand on: the built binary as a process, copies of the fixtures, real servers.
pub(crate) mod docsh;
pub(crate) mod https;
pub(crate) mod proxy;
pub(crate) mod service;
pub(crate) mod token;
pub(crate) mod tree;
