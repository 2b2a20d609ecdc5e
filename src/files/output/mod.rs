//! Owns what a run leaves on the disk: files that appear whole or not at all, the folder that they are
//! published in, and the record of the run.

mod beside;
mod durable;
mod file;
mod folder;
mod mark;
mod names;
mod publication;
mod recorded;
mod run;
mod stage;

pub use beside::FileBeside;
pub use file::{FileError, check_writable, write_file, write_named_file};
pub use folder::{OutputFolder, Overwrite, create_folder};
pub use mark::StagedFile;
pub use names::{FileNames, NameSuffix, UniqueNames};
pub use publication::{Publication, Published};
pub use recorded::{NotAsWritten, RecordedFolder};
pub use run::{NoFacts, RunClock, RunKind, RunRecord, command_line, read_record};
