//! Archives of millions of games: counts of moves by group, from recorded evaluations, in one pass.
//!
//! A stream is cut into blocks of whole games, several workers read the blocks, and results are counted in
//! the order of the stream. So no number depends on the number of workers or the cuts. Counts are whole
//! numbers that add up: parts of an archive can be counted separately and merged.

mod audit;
mod clip_table;
mod clocks;
mod count_key;
mod counts;
mod events;
mod facts;
mod game_counts;
mod inputs;
mod left_out;
mod options;
mod reading;
mod survey;

pub(crate) use self::audit::{CountFault, LARGEST as LARGEST_COUNT, check as check_counts};
pub(crate) use self::clocks::ClockClass;
pub(crate) use self::events::ArchiveProgress;
pub use self::{
    clip_table::ClipTable,
    clocks::{CLASSES, Clocks},
    counts::ArchiveCounts,
    events::{ArchiveEvent, read_archive},
    game_counts::GameCounts,
    inputs::{CountedFile, Inputs},
    left_out::{LeftOut, LeftOutReason},
    options::CountOptions,
    reading::{GameOutcome, read_block, read_block_with_care},
    survey::Survey,
};
pub(crate) use self::{
    count_key::CountKey,
    counts::GroupCounts,
    game_counts::{CountedMove, SideCounts},
    survey::{ClockRow, GroupRow},
};
