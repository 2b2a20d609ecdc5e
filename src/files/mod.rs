//! Owns files: those of ours that are read back, and folders that are written whole.

pub mod formats;
pub mod output;
pub mod rerun;

pub use self::{
    formats::anchor::AnchorError,
    formats::facts::{
        ChoiceFacts, EngineFacts, EvaluationSource, GamesRead, LeftOutGame, OwnMoves, ProtocolFacts,
        SearchFacts, Searches,
    },
    formats::moves::{RereadError, StoredTable},
    formats::part::{Part, PartError},
    formats::restore::Restored,
    formats::{Format, PictureFormat},
    output::{
        FileBeside, FileError, FileNames, NameSuffix, NoFacts, NotAsWritten, OutputFolder, Overwrite,
        Publication, Published, RunClock, RunKind, RunRecord, UniqueNames,
    },
    rerun::{Common, RecordedGame},
};
