//! A chess engine of our own: a pure search of a position to a depth or a number of nodes, without clock, thread or I/O.
//!
//! ```text
//! ChessEngine::search → deepening → node → pruning, quiescence → evaluation, linear
//!                                    order, history, exchange    terms · weights, material · features
//!                                    table
//!                       root → position → zobrist
//! ```
//!
//! With a cleared engine and equal limits, a search gives the same nodes, scores and moves on every machine: one thread,
//! whole numbers, no clock. What cannot repeat (time, a user's stop) comes from outside by `SearchHooks`.

mod captures;
mod chances;
mod deepening;
mod evaluation;
mod evaluator;
mod exchange;
mod heuristics;
mod history;
mod limits;
mod linear;
mod node;
mod order;
mod packed_move;
mod position;
mod pruning;
mod quiescence;
mod root;
mod search;
mod table;
#[cfg(test)]
mod tests;
mod value;
mod weights;
mod weights_text;
mod zobrist;

use shakmaty::Move;

pub use chances::Chances;
pub use evaluation::{Blend, Sink, Tapered, Term, Weights, WeightsFile, emit_terms, evaluate};
pub(crate) use evaluation::{ExplainedTerm, explain};
pub use heuristics::Heuristics;
pub use limits::Limits;
pub(crate) use limits::SearchHooks;
pub(crate) use linear::{ExplainedFeature, LinearWeights};
pub use linear::{Feature, Leaves, LinearFile, ONE};
#[cfg(feature = "program")]
pub(crate) use linear::{FeatureSink, RawWeights, ScaleError, emit_features};
pub use position::KeyedPosition;
pub use root::{IllegalMove, Root};
pub use weights::EngineWeights;
pub(crate) use weights_text::WeightsError;

use crate::chess::SignedScore;
use evaluator::EngineEvaluator;
use search::{Memory, Searcher};
use table::TranspositionTable;

/// An engine: its weights, and what it remembers from search to search.
pub struct ChessEngine {
    memory: Memory,
    evaluator: EngineEvaluator,
    chances: Chances,
    heuristics: Heuristics,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchResult {
    /// The best moves, each with the line that it leads to, the best first; as many as were asked for and are legal.
    /// Where none is legal there is one, without moves: mate, or 0 for stalemate.
    pub variations: Vec<Variation>,
    /// The last depth that was searched to its end; 0 if not even the first was.
    pub depth: u32,
    /// The farthest ply from the root that was looked at.
    pub deepest_ply: u32,
    /// The positions searched.
    pub nodes: u64,
    /// How full of this search's positions the table is, per mille.
    pub table_permille: u32,
}

/// A line of play and its score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variation {
    /// The score in the view of the side to move at the root.
    pub score: SignedScore,
    /// The moves from the root on, all legal; none only where there are no legal moves.
    pub moves: Vec<Move>,
}

impl ChessEngine {
    /// Makes an engine with a table of `megabytes`, at least one.
    pub fn new(megabytes: usize) -> ChessEngine {
        ChessEngine::with_table(TranspositionTable::with_megabytes(megabytes))
    }

    fn with_table(table: TranspositionTable) -> ChessEngine {
        let weights = EngineWeights::default();
        ChessEngine {
            memory: Memory::new(table),
            chances: weights.chances(),
            evaluator: weights.into(),
            heuristics: Heuristics::default(),
        }
    }

    /// Evaluates with other weights, takes scores to mean what they say of chances, and forgets what the old ones led to.
    pub fn set_weights(&mut self, weights: impl Into<EngineWeights>) {
        let weights = weights.into();
        self.chances = weights.chances();
        self.evaluator = weights.into();
        self.clear();
    }

    /// Finds the chances of a win, a draw and a loss per mille that a score of a position means, in the view that the score
    /// is in.
    pub fn chances(&self, position: &KeyedPosition, score: SignedScore) -> [u16; 3] {
        self.chances.of(position.chess(), score)
    }

    /// Takes only these short cuts, and forgets what others led to.
    pub fn set_heuristics(&mut self, heuristics: Heuristics) {
        self.heuristics = heuristics;
        self.clear();
    }

    /// Forgets everything, as between two games: a cleared engine is as good as a new one.
    pub fn clear(&mut self) {
        self.memory.clear();
        self.evaluator.clear();
    }

    /// Searches a position until a limit is reached or a hook stops it. Whatever the limit, the first move of the first
    /// variation is legal.
    pub fn search(&mut self, root: &Root, limits: &Limits, hooks: &mut dyn SearchHooks) -> SearchResult {
        self.memory.table.age();
        let (memory, heuristics) = (&mut self.memory, self.heuristics);
        match &mut self.evaluator {
            EngineEvaluator::Terms(terms) => deepening::deepen(
                &mut Searcher::new(memory, terms, heuristics, root, limits, hooks),
                root,
                limits,
            ),
            EngineEvaluator::Linear(linear) => deepening::deepen(
                &mut Searcher::new(memory, linear, heuristics, root, limits, hooks),
                root,
                limits,
            ),
        }
    }
}
