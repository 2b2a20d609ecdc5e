//! Deep analysis of one position: a tree of engine values of single moves, expanded for moves within a
//! distance of the best, after A. Ba, "Deep analysis, can it be improved?" (2013).
//!
//! [`DeepSearch`] asks questions, receives the answers of an engine, and returns a [`DeepTree`] of each
//! settled depth. It calls no engine itself: answers may come from a process, a store or a test. [`growing`]
//! gets them from engines and a store.

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
    /// Number of moves in the first search of a position.
    pub lines: u32,
    /// True if moves from ply 2 on may be cut off with a bound.
    pub cuts: bool,
}
