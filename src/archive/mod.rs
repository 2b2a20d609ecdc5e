//! Games by the million: what their recorded evaluations tell of groups of players, counted as the
//! games stream by.
//!
//! A stream is cut into blocks of whole games, the blocks are read by several workers, and what they
//! give is counted in the order of the stream, so that no number depends on how many workers there
//! are or where the cuts fall. Counts are whole numbers that add up: parts of an archive can be
//! counted apart and merged.

mod board;
mod clocks;
mod entry;
mod gain_counts;
mod group;
mod pipeline;
mod reading;
mod survey;
mod tally;
mod terms;

pub use self::{
    clocks::{CLASSES, ClockClass, ClockCounts, Clocks, GameClocks},
    entry::{Entry, KEPT_UNIT, Move, SideOfGame},
    gain_counts::GainCounts,
    group::{Grouping, UNKNOWN},
    pipeline::{Event, Progress, read_archive},
    reading::{Item, LeftOut, Reason, read_block, read_block_with_care},
    survey::{ClockRow, GroupRow, Survey},
    tally::{GroupCounts, Tally},
    terms::{Identity, Scale, Terms},
};
