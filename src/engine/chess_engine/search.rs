//! State of a search: counters, memory and limits.

use shakmaty::{Color, Move};

use super::{
    correction::CorrectionPlaces, correction::Corrections, evaluator::StaticEvaluator,
    heuristics::Heuristics, history::CONTINUATIONS, history::History, history::MoveCounts, history::PieceTo,
    limits::Limits, limits::NODES_BETWEEN_QUESTIONS, limits::SearchHooks, packed_move::PackedMove,
    packed_move::is_quiet, position::KeyedPosition, root::KeyPath, root::Root, table::TranspositionTable,
    value::MAX_EVALUATION, value::MAX_PLY,
};

/// The memory kept between searches until the engine is cleared.
pub(super) struct Memory {
    pub(super) table: TranspositionTable,
    pub(super) history: History,
    pub(super) corrections: Corrections,
}

impl Memory {
    pub(super) fn new(table: TranspositionTable) -> Memory {
        Memory { table, history: History::new(), corrections: Corrections::new() }
    }

    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.history.clear();
        self.corrections.clear();
    }
}

/// The state of one ply of the current line.
#[derive(Clone, Copy, Default)]
pub(super) struct PlyState {
    /// The piece moved here and its target square; `None` for a null move.
    pub(super) played: Option<PieceTo>,
    /// The static evaluation with correction; `None` in check.
    pub(super) evaluation: Option<i32>,
    /// A move that is excluded from the search at this ply, to find the value of the other moves.
    pub(super) excluded: PackedMove,
    /// The quiet move played here; `None` for another move or a null move. The quiescence search does not
    /// change this field.
    pub(super) quiet: Option<Move>,
}

/// One search of one position.
pub(super) struct Searcher<'a, E> {
    pub(super) memory: &'a mut Memory,
    evaluator: &'a mut E,
    pub(super) heuristics: Heuristics,
    pub(super) hooks: &'a mut dyn SearchHooks,
    pub(super) path: KeyPath,
    pub(super) plies: Vec<PlyState>,
    pub(super) variations: Variations,
    pub(super) nodes: u64,
    pub(super) deepest_ply: usize,
    pub(super) stopped: bool,
    /// The depth of the current iteration.
    pub(super) root_depth: usize,
    /// True while the root is searched with all its legal moves.
    pub(super) root_is_whole: bool,
    node_limit: u64,
}

impl<'a, E: StaticEvaluator> Searcher<'a, E> {
    pub(super) fn new(
        memory: &'a mut Memory,
        evaluator: &'a mut E,
        heuristics: Heuristics,
        root: &Root,
        limits: &Limits,
        hooks: &'a mut dyn SearchHooks,
    ) -> Searcher<'a, E> {
        Searcher {
            memory,
            evaluator,
            heuristics,
            hooks,
            path: KeyPath::from(root),
            plies: vec![PlyState::default(); MAX_PLY + 2],
            variations: Variations::new(),
            nodes: 0,
            deepest_ply: 0,
            stopped: false,
            root_depth: 0,
            root_is_whole: true,
            node_limit: limits.nodes.unwrap_or(u64::MAX),
        }
    }

    /// Counts a node and returns `true`. If the node limit is reached or a hook asks to stop, stops the
    /// search and returns `false` instead.
    pub(super) fn enter(&mut self, ply: usize) -> bool {
        let due = self.nodes.is_multiple_of(NODES_BETWEEN_QUESTIONS) && self.nodes > 0;
        if self.stopped || self.nodes >= self.node_limit || due && self.hooks.should_stop(self.nodes) {
            self.stopped = true;
            return false;
        }
        self.nodes += 1;
        self.deepest_ply = self.deepest_ply.max(ply);
        true
    }

    /// Returns the static evaluation, from the view of the side to move.
    pub(super) fn evaluate(&mut self, position: &KeyedPosition) -> i32 {
        self.evaluator.value(position).clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// Returns a position's places in the tables of corrections.
    pub(super) fn correction_places(&self, position: &KeyedPosition, ply: usize) -> CorrectionPlaces {
        CorrectionPlaces::of(position, [1, 2].map(|back| self.played_before(ply, back)))
    }

    /// Corrects a static evaluation by the search results of similar positions.
    pub(super) fn corrected(&self, position: &KeyedPosition, ply: usize, evaluation: i32) -> i32 {
        if !self.heuristics.corrections {
            return evaluation;
        }
        let correction = self.memory.corrections.of(&self.correction_places(position, ply));
        (evaluation + correction).clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// Returns the move played `back` plies before a move at `ply`: the last move played if `back` is 1.
    /// Returns `None` for a null move and for moves before the root.
    pub(super) fn played_before(&self, ply: usize, back: usize) -> Option<PieceTo> {
        self.plies[ply.checked_sub(back)?].played
    }

    /// Returns the counts for ordering, skipping and reducing the moves of a ply.
    pub(super) fn move_counts(&self, ply: usize, turn: Color) -> MoveCounts<'_> {
        let before =
            |back| self.heuristics.continuation_history.then(|| self.played_before(ply, back)).flatten();
        self.memory.history.counts(turn, &self.heuristics, CONTINUATIONS.map(before))
    }

    /// Adds `bonus` to the counts of the move `m`. The bonus is positive if the move was good, and negative if
    /// another move was better.
    pub(super) fn reward(&mut self, ply: usize, turn: Color, m: Move, bonus: i32) {
        let Heuristics { history, continuation_history, capture_history, .. } = self.heuristics;
        if !is_quiet(m) {
            if capture_history {
                self.memory.history.reward_capture(turn, m, bonus);
            }
            return;
        }
        if history {
            self.memory.history.reward_squares(turn, m, bonus);
        }
        if continuation_history {
            let piece_to = PieceTo::new(m, turn);
            for (index, back) in CONTINUATIONS.into_iter().enumerate() {
                if let Some(previous) = self.played_before(ply, back) {
                    self.memory.history.reward_after(index, previous, piece_to, bonus);
                }
            }
        }
    }
}

/// The best line from each ply of the current line.
pub(super) struct Variations {
    lines: Vec<Vec<PackedMove>>,
}

impl Variations {
    fn new() -> Variations {
        Variations { lines: vec![Vec::new(); MAX_PLY + 2] }
    }

    /// Clears the line of a ply before its moves are searched.
    pub(super) fn begin(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// Sets the line of a ply to `m` followed by the line of the next ply.
    pub(super) fn extend(&mut self, ply: usize, m: PackedMove) {
        let (here, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut here[ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&below[0]);
    }

    pub(super) fn line(&self, ply: usize) -> &[PackedMove] {
        &self.lines[ply]
    }
}
