//! Owns the program: its command line, its runs and the printing of what they give.

pub mod app;
pub mod args;
pub mod cli;
pub mod cmd;
pub mod error;
pub mod runs;
