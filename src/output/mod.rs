//! Owns what a run leaves on the disk: files that appear whole or not at all, the folder that they are
//! published in, and the record of the run.

mod file;
mod folder;
mod names;
mod run;

pub use file::{FileError, check_writable, write_file};
pub use folder::OutputDir;
pub use names::{FileNames, Numbering, UniqueNames};
pub use run::command_line;
