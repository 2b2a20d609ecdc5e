//! Files of this program: formats that are read back, and folders that are published as a whole.

pub(crate) mod formats;
pub(crate) mod rerun;

/// The output of a run on disk: files that appear whole or not at all, their folder, and the record of the
/// run.
pub(crate) mod output {
    mod durable;
    pub mod file;
    pub mod folder;
    mod mark;
    mod names;
    pub mod publication;
    pub mod recorded;
    pub mod run;
    mod stage;

    pub use self::{
        file::{NamedFile, check_writable, write_file, write_named_file},
        folder::create_folder,
        names::{FileNames, NameSuffix, UniqueNames},
        run::{command_line, read_record},
    };
}

pub(crate) use self::{
    formats::anchor::AnchorError,
    formats::facts::{ChoiceFacts, EngineFacts, OwnMoves, ProtocolFacts, SearchFacts, Searches},
    formats::moves::{RereadError, StoredTable},
    formats::parquet::ROW_GROUP,
    formats::part::{Part, PartError},
    formats::restore::Restored,
    output::publication::{OutsideFile, Publication, Published},
    output::recorded::RecordedFileError,
    output::run::RunRecord,
    output::{FileNames, NameSuffix, UniqueNames},
    rerun::{Common, RecordedGame},
};
pub use self::{
    formats::anchor::read as read_anchor,
    formats::facts::{EvaluationSource, GamesRead, LeftOutGame, SummaryFacts},
    formats::part::read as read_part,
    formats::{Format, PictureFormat},
    output::file::{FileError, Overwrite, write_named_file},
    output::folder::{OutputFolder, create_folder},
    output::run::{NoFacts, RunClock, RunKind},
};
