//! Deep analysis of one position: a tree of engine values of single moves, expanded for moves within a distance of the
//! best, after A. Ba, "Deep analysis, can it be improved?" (2013).
//!
//! [`DeepSearch`] says what to ask, is told what an engine answers, and gives a [`DeepTree`] of each depth that is settled.
//! It asks nobody itself: who answers may be a process, a store or a test. [`growing`] lets engines and a store answer.

mod graph;
pub mod growing;
mod mover_score;
mod path;
mod player;
mod search;
mod settle;
mod tree;
mod widths;

#[cfg(test)]
mod tests;

pub(crate) use self::player::{TreePlayer, TreeSettings};
pub use self::{
    graph::{MoveFinding, NodeId, Question},
    mover_score::{BoundKind, MoverScore, ScoreRange},
    search::DeepSearch,
    tree::{DeepTree, MoveRole, TreeMove, TreeNode},
    widths::{Widths, WidthsError},
};

#[derive(Debug, Clone, PartialEq)]
pub struct DeepOptions {
    pub widths: Widths,
    /// How many moves the first search of a position gives.
    pub lines: u32,
    /// Whether moves from ply 2 on may be left with a bound.
    pub cuts: bool,
}
