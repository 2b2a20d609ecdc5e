//! Files of this program that are read back, and names for files.

pub(crate) mod formats;
mod names;
#[cfg(feature = "program")]
pub(crate) mod rerun;

#[cfg(feature = "program")]
pub(crate) use self::{
    formats::anchor::AnchorError, formats::facts::ProtocolFacts, formats::moves::RereadError,
    formats::moves::StoredTable, formats::parquet::ROW_GROUP, formats::part::Part, formats::part::PartError,
    formats::restore::OwnMoves, formats::restore::Restored, formats::restore::SearchFacts,
    formats::restore::Searches, names::NameSuffix, names::UniqueNames, rerun::Common, rerun::RecordedGame,
};
#[cfg(feature = "program")]
pub use self::{formats::anchor::read as read_anchor, formats::part::read as read_part};
pub(crate) use self::{
    formats::facts::{ChoiceFacts, EngineFacts},
    names::FileNames,
};
pub use self::{
    formats::facts::{EvaluationSource, GamesRead, LeftOutGame, SummaryFacts},
    formats::{Format, PictureFormat},
};
