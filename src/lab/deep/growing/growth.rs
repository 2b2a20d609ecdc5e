//! Owns what limits the growth of a tree, what is told of it meanwhile, and what it comes to.

use std::{collections::BTreeSet, time::Duration};

use crate::chess::UnsearchableError;
use crate::lab::deep::DeepTree;
use crate::store::{StoreError, UnusedEvaluations};

/// How far a tree is to grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GrowthLimits {
    /// Depth of the tree.
    pub plies: usize,
    /// Searches that it may be made of, those in a store included. A tree of depth 1 is finished whatever it takes.
    pub searches: Option<u64>,
    /// How long it may take. A tree of depth 1 is finished however long it takes.
    pub time: Option<Duration>,
}

/// Why a tree ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrowthEnd {
    /// It has its depth.
    Complete,
    /// The next depth would need more searches.
    Searches,
    /// The time was over.
    Time,
    /// It was asked to stop.
    Stopped,
}

/// Where answers came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GrowthCounts {
    /// Searches that engines have made.
    pub made: u64,
    /// Searches that the store had.
    pub stored: u64,
    /// Nodes of those that engines have made, as far as they tell.
    pub nodes: u64,
    /// How long engines were searching.
    pub busy: Duration,
}

/// What a caller may want to show meanwhile.
#[derive(Debug)]
pub enum GrowthNotice<'a> {
    /// A question was answered at this depth.
    Answered(usize, GrowthCounts),
    /// A depth is settled.
    Settled(&'a DeepTree),
    /// An engine was started anew, or went for good.
    Trouble(&'a str),
    /// What the store has does not do.
    Unused(UnusedEvaluations),
}

/// Why a tree cannot grow.
#[derive(Debug, thiserror::Error)]
pub enum GrowthError {
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A position of the tree cannot be put to an engine.
    #[error(transparent)]
    Position(#[from] UnsearchableError),
    /// The engine failed on a position again and again.
    #[error("the engine failed on {fen}: {error}")]
    Engine {
        /// The position.
        fen: String,
        /// What went wrong at last.
        error: String,
    },
    /// The engine says nothing of the moves that it was asked about.
    #[error("the engine gives no move of {fen} that it was asked about")]
    NoAnswer {
        /// The position.
        fen: String,
    },
}

/// The trees of all depths that were settled, and why there is no other.
#[derive(Debug)]
pub struct Growth<E> {
    /// From depth 1 on; none where it was stopped before.
    pub trees: Vec<DeepTree>,
    /// Why it ended.
    pub end: GrowthEnd,
    /// Where answers came from.
    pub counts: GrowthCounts,
    /// Those of the engines that can go on and have nothing in hand.
    pub engines: Vec<E>,
    /// SHA-256 of each executable that gave them.
    pub programs: BTreeSet<String>,
}
