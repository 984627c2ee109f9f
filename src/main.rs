//! The process: arguments in, exit status out. What is between is `docsh::cli`.
use std::process::ExitCode;

fn main() -> ExitCode {
    docsh::cli::main(std::env::args_os())
}
