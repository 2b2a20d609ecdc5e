//! Files of this program: formats that are read back, and folders that are published as a whole.

pub(crate) mod formats;
mod names;
#[cfg(feature = "program")]
pub(crate) mod rerun;

/// The output of a run on disk: files that appear whole or not at all, their folder, and the record of the
/// run.
#[cfg(feature = "program")]
pub(crate) mod output {
    mod durable;
    pub mod file;
    pub mod folder;
    mod mark;
    pub mod publication;
    pub mod recorded;
    pub mod run;
    mod stage;

    pub use self::{
        file::{NamedFile, check_writable, write_file, write_named_file},
        folder::create_folder,
        run::{command_line, read_record},
    };
}

#[cfg(feature = "program")]
pub(crate) use self::{
    formats::anchor::AnchorError,
    formats::facts::{OwnMoves, SearchFacts, Searches},
    formats::moves::{RereadError, StoredTable},
    formats::parquet::ROW_GROUP,
    formats::part::{Part, PartError},
    formats::restore::Restored,
    names::{NameSuffix, UniqueNames},
    output::publication::{OutsideFile, Publication, Published},
    output::recorded::RecordedFileError,
    output::run::RunRecord,
    rerun::{Common, RecordedGame},
};
#[cfg(feature = "program")]
pub use self::{
    formats::anchor::read as read_anchor,
    formats::part::read as read_part,
    output::file::{FileError, Overwrite, write_named_file},
    output::folder::{OutputFolder, create_folder},
    output::run::{NoFacts, RunClock, RunKind},
};
pub(crate) use self::{
    formats::facts::{ChoiceFacts, EngineFacts, ProtocolFacts},
    names::FileNames,
};
pub use self::{
    formats::facts::{EvaluationSource, GamesRead, LeftOutGame, SummaryFacts},
    formats::{Format, PictureFormat},
};
