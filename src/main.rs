//! The process: arguments in, exit status out. What is between is `docsh::cli`.
//!
//! With glibc on Linux the process begins without Rust's own start: to say something when a stack overflows, that asks
//! for the bounds of the main thread's, for which glibc reads all of `/proc/self/maps`, a fifteenth of the time of a
//! `docsh -c true` (`stack.rs` bounds what calls itself). What else it does is done in `start`.
#![cfg_attr(all(target_os = "linux", target_env = "gnu"), no_main)]

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod start;

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn main() -> std::process::ExitCode {
    docsh::cli::main(std::env::args_os()).into()
}
