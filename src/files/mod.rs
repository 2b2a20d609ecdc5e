//! Files of this program: formats that are read back, and folders that are published as a whole.

pub(crate) mod formats;
#[cfg(feature = "program")]
pub(crate) mod rerun;

/// The output of a run on disk: files that appear whole or not at all, their folder, and the record of the
/// run.
pub(crate) mod output {
    #[cfg(feature = "program")]
    mod durable;
    #[cfg(feature = "program")]
    pub mod file;
    #[cfg(feature = "program")]
    pub mod folder;
    #[cfg(feature = "program")]
    mod mark;
    mod names;
    #[cfg(feature = "program")]
    pub mod publication;
    #[cfg(feature = "program")]
    pub mod recorded;
    #[cfg(feature = "program")]
    pub mod run;
    #[cfg(feature = "program")]
    mod stage;

    pub use self::names::{FileNames, NameSuffix, UniqueNames};
    #[cfg(feature = "program")]
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
    output::publication::{OutsideFile, Publication, Published},
    output::recorded::RecordedFileError,
    output::run::RunRecord,
    output::{NameSuffix, UniqueNames},
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
    output::FileNames,
};
pub use self::{
    formats::facts::{EvaluationSource, GamesRead, LeftOutGame, SummaryFacts},
    formats::{Format, PictureFormat},
};
