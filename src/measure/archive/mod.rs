//! Archives of millions of games: counts of moves by group, from recorded evaluations, in one pass.
//!
//! A stream is cut into blocks of whole games, several workers read the blocks, and results are counted in
//! the order of the stream. So no number depends on the number of workers or the cuts. Counts are whole
//! numbers that add up: parts of an archive can be counted separately and merged.

#[cfg(feature = "program")]
mod audit;
mod clip_table;
mod clocks;
mod counts;
mod entrants;
mod events;
mod facts;
mod game_counts;
mod inputs;
mod options;
mod reading;
mod survey;

pub(crate) use self::clocks::ClockClass;
#[cfg(feature = "program")]
pub(crate) use self::{
    audit::CountFault, audit::LARGEST as LARGEST_COUNT, audit::check as check_counts, counts::GroupCounts,
    entrants::LEAST_UPSET, entrants::TimedBlunders, entrants::Upset, entrants::event_of_game,
    events::ArchiveProgress, game_counts::CountedMove, game_counts::SideCounts, options::CountKey,
    survey::ClockRow, survey::EntrantRow, survey::EventRow, survey::GroupRow,
};
pub use self::{
    clip_table::ClipTable, clocks::CLASSES, clocks::Clocks, counts::ArchiveCounts, events::ArchiveEvent,
    events::read_archive, facts::LeftOut, facts::LeftOutReason, game_counts::GameCounts, inputs::CountedFile,
    inputs::Inputs, options::CountOptions, reading::GameOutcome, reading::read_block,
    reading::read_block_with_care, survey::Survey,
};
