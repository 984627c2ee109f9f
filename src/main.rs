//! The process: arguments, environment, terminal, signals.
fn main() {}
