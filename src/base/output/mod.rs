//! The output of a run on disk: files that appear whole or not at all, their folder, and the record of the
//! run.

mod durable;
mod file;
mod folder;
mod mark;
mod publication;
mod recorded;
mod run;
mod stage;

pub use self::{
    file::{
        FileError, NamedFile, Overwrite, check_writable, hold_folder, real, write_file, write_named_file,
    },
    folder::{OutputFolder, create_folder},
    publication::{OutsideFile, Publication, Published},
    recorded::{RecordedFileError, RecordedFolder},
    run::{NoFacts, RunClock, RunKind, RunRecord, command_line, now, read_record},
};
