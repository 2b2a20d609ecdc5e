//! The built-in chess engine: a pure search of a position to a depth or node limit, without clock, threads or
//! I/O.
//!
//! ```text
//! ChessEngine::search → deepening → node → pruning, quiescence → evaluation, linear
//!                                    order, history, exchange    terms · weights, network · features
//!                                    table
//!                       root → upcoming, position → zobrist
//! ```
//!
//! With a cleared engine and equal limits, a search gives the same nodes, scores and moves on every machine:
//! it uses one thread, whole numbers and no clock. Anything not reproducible (time, a user's stop) comes from
//! outside through `SearchHooks`.

mod captures;
mod correction;
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
mod processor;
mod pruning;
mod quiescence;
mod root;
mod search;
mod table;
#[cfg(test)]
mod tests;
mod upcoming;
mod value;
mod weights;
mod weights_text;
mod zobrist;

use shakmaty::Move;

pub use evaluation::{
    Blend, Chances, Network, NetworkRow, Sink, Tapered, Term, Weights, WeightsFile, emit_terms, evaluate,
};
pub use heuristics::Heuristics;
pub use limits::Limits;
pub(crate) use limits::SearchHooks;
pub use linear::{Feature, Leaves, LinearFile, ONE};
#[cfg(feature = "program")]
pub(crate) use linear::{FeatureSink, RawWeights, ScaleError, emit_features};
pub use position::KeyedPosition;
pub use root::{IllegalMove, Root};
pub use weights::EngineWeights;
pub(crate) use weights_text::WeightsError;
#[cfg(feature = "native")]
pub(crate) use {
    evaluation::ExplainedTerm, evaluation::explain, linear::ExplainedFeature, linear::LinearWeights,
};

use crate::chess::SignedScore;
use evaluator::EngineEvaluator;
use search::{Memory, Searcher};
use table::TranspositionTable;

/// An engine: its weights and its memory between searches.
pub struct ChessEngine {
    memory: Memory,
    evaluator: EngineEvaluator,
    chances: Chances,
    heuristics: Heuristics,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchResult {
    /// The best lines, the best first: as many as requested, or one for each move to search if there are
    /// fewer. If there is no legal move to search, the only line has no moves. Its score is mate if the side
    /// to move is in check, and 0 otherwise.
    pub variations: Vec<Variation>,
    /// The last completed depth; 0 if none was completed.
    pub depth: u32,
    /// The greatest distance of a searched position from the root, in plies.
    pub deepest_ply: u32,
    /// Number of positions searched.
    pub nodes: u64,
    /// The share of the transposition table written by this search, per mille, estimated from a sample.
    pub table_permille: u32,
}

/// A line of play and its score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variation {
    /// The score from the view of the side to move at the root.
    pub score: SignedScore,
    /// The moves from the root on, all legal. Empty only if there is no legal move to search.
    pub moves: Vec<Move>,
}

impl ChessEngine {
    /// Makes an engine with a transposition table of `megabytes` megabytes, or of one megabyte if `megabytes`
    /// is 0.
    pub fn new(megabytes: usize) -> ChessEngine {
        ChessEngine::with_table(TranspositionTable::with_megabytes(megabytes))
    }

    /// Makes an engine with the default terms, but without the network that corrects them.
    pub fn by_terms(megabytes: usize) -> ChessEngine {
        let terms = WeightsFile { network: None, ..WeightsFile::default() };
        ChessEngine::of(TranspositionTable::with_megabytes(megabytes), terms.into())
    }

    fn with_table(table: TranspositionTable) -> ChessEngine {
        ChessEngine::of(table, EngineWeights::default())
    }

    fn of(table: TranspositionTable, weights: EngineWeights) -> ChessEngine {
        ChessEngine {
            memory: Memory::new(table),
            chances: weights.chances(),
            evaluator: weights.into(),
            heuristics: Heuristics::default(),
        }
    }

    /// Sets the weights and the [`Chances`] that belong to them, and forgets all results of the old weights.
    pub fn set_weights(&mut self, weights: impl Into<EngineWeights>) {
        let weights = weights.into();
        self.chances = weights.chances();
        self.evaluator = weights.into();
        self.clear();
    }

    /// Returns the chances of win, draw and loss, per mille, of the side from whose view `score` is given.
    pub fn chances(&self, position: &KeyedPosition, score: SignedScore) -> [u16; 3] {
        self.chances.of(position.chess(), score)
    }

    /// Sets the heuristics, and forgets all results of the old heuristics.
    pub fn set_heuristics(&mut self, heuristics: Heuristics) {
        self.heuristics = heuristics;
        self.clear();
    }

    /// Forgets everything from earlier searches. A cleared engine is equivalent to a new one with the same
    /// settings.
    pub fn clear(&mut self) {
        self.memory.clear();
        self.evaluator.clear();
    }

    /// Searches a position until a limit is reached or a hook stops the search. Even after an immediate stop,
    /// the first variation begins with a legal move, if there is one to search.
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
