//! Deep analysis of one position, after A. Ba, "Deep analysis, can it be improved?" (2013). An engine values
//! single moves of a tree. Moves whose value is within a distance of the best value are expanded.
//!
//! [`DeepSearch`] asks questions and takes the answers of an engine. When no question of a depth is open, the
//! depth is settled, and [`DeepSearch`] returns the [`DeepTree`] of this depth. [`DeepSearch`] calls no
//! engine itself: answers may come from a process, a store or a test. [`growing`] gets them from engines and
//! a store.

mod graph;
pub mod growing;
mod mover_score;
mod outlook;
mod path;
mod player;
mod search;
mod settle;
mod steering;
mod tree;

#[cfg(test)]
mod tests;

pub(crate) use self::player::{TreePlayer, TreeSettings};
pub use self::{
    graph::MoveFinding, graph::NodeId, graph::Question, graph::QuestionKind, mover_score::BoundKind,
    mover_score::MoverScore, mover_score::ScoreRange, outlook::NextStep, outlook::Outlook,
    search::DeepSearch, steering::Steering, steering::Widths, tree::DeepTree, tree::MoveRole, tree::TreeMove,
    tree::TreeNode,
};

#[derive(Debug, Clone, PartialEq)]
pub struct DeepOptions {
    pub widths: Widths,
    /// Number of moves that the first search of a position returns (UCI's MultiPV).
    pub lines: u32,
    /// True if searches from ply 2 on may be cut off. After a cutoff, only a bound of a move's value is
    /// known.
    pub cuts: bool,
}
