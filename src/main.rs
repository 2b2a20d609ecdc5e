//! Owns the program's entry: reads the command line, dispatches the verb, sets the exit code.

use std::process::ExitCode;

use clap::Parser;
use gainalyze::{
    cli::{Cli, Verb},
    cmd, with_causes,
};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let args = match cli.verb {
        Some(Verb::Analyze(args)) => args,
        None => cli.analyze,
    };
    match cmd::analyze::run(&args) {
        Ok(ending) => ending.into(),
        Err(error) => {
            cmd::say(&format!("error: {}", with_causes(&error)));
            error.exit_code()
        }
    }
}
