//! Owns what limits the growth of a tree, what is told of it meanwhile, and what it comes to.

use std::{collections::BTreeSet, time::Duration};

use crate::chess::UnsearchableError;
use crate::lab::deep::DeepTree;
use crate::store::{StoreError, UnusedEvaluations};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GrowthLimits {
    pub plies: usize,
    /// Searches that it may be made of, those in a store included. A tree of depth 1 is finished whatever it takes.
    pub searches: Option<u64>,
    /// How long it may take. A tree of depth 1 is finished however long it takes.
    pub time: Option<Duration>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrowthEnd {
    Complete,
    /// The next depth would need more searches.
    Searches,
    Time,
    Stopped,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GrowthCounts {
    pub made: u64,
    pub stored: u64,
    /// Nodes of those that engines have made, as far as they tell.
    pub nodes: u64,
    /// How long engines were searching.
    pub busy: Duration,
}

#[derive(Debug)]
pub enum GrowthNotice<'a> {
    /// A question was answered at this depth.
    Answered(usize, GrowthCounts),
    Settled(&'a DeepTree),
    /// An engine was started anew, or went for good.
    Trouble(&'a str),
    Unused(UnusedEvaluations),
}

#[derive(Debug, thiserror::Error)]
pub enum GrowthError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A position of the tree cannot be put to an engine.
    #[error(transparent)]
    Position(#[from] UnsearchableError),
    #[error("the engine failed on {fen}: {error}")]
    Engine { fen: String, error: String },
    #[error("the engine gives no move of {fen} that it was asked about")]
    NoAnswer { fen: String },
}

/// The trees of all depths that were settled, and why there is no other.
#[derive(Debug)]
pub struct Growth<E> {
    /// From depth 1 on; none where it was stopped before.
    pub trees: Vec<DeepTree>,
    pub end: GrowthEnd,
    pub counts: GrowthCounts,
    /// Those of the engines that can go on and have nothing in hand.
    pub engines: Vec<E>,
    /// SHA-256 of each executable that gave them.
    pub programs: BTreeSet<String>,
}
