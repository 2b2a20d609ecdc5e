//! Owns the options of `man`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

/// Options of `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Write one page for the program and one for each verb into this folder instead.
    #[arg(long, short, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
}
