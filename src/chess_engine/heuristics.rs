//! Owns [`Heuristics`]: which of the search's short cuts are taken, so that each can be measured without it.

/// Short cuts of the search, each on or off. All are on by default; with none, the search is plain minimax to its
/// depth with the static evaluation at the leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heuristics {
    /// Cut a position off as soon as one answer refutes it (alpha-beta).
    pub alpha_beta: bool,
    /// Play captures out before a position is evaluated.
    pub quiescence: bool,
    /// Remember positions.
    pub table: bool,
    /// Search later moves with a window of nothing first (principal variation search).
    pub zero_window: bool,
    /// Begin each depth with a narrow window around the last one's value.
    pub aspiration: bool,
    /// Stop where a shorter mate is already known.
    pub mate_distance: bool,
    /// Pass, and cut off if even that is good enough.
    pub null_move: bool,
    /// Cut off where the evaluation is far above the window.
    pub reverse_futility: bool,
    /// Go straight to captures where the evaluation is far below the window.
    pub razoring: bool,
    /// Leave out quiet moves where the evaluation is far below the window.
    pub futility: bool,
    /// Leave out quiet moves late in the order.
    pub late_move_pruning: bool,
    /// Leave out moves that lose material by exchange.
    pub exchange_pruning: bool,
    /// Search moves late in the order less deeply.
    pub late_move_reductions: bool,
    /// Search less deeply where no best move is known.
    pub internal_reductions: bool,
    /// Search evasions of check one ply deeper.
    pub check_extensions: bool,
    /// Search a move deeper that is far better than all others.
    pub singular_extensions: bool,
    /// Order quiet moves by those that refuted a sister position.
    pub killers: bool,
    /// Order quiet moves by what they did elsewhere.
    pub history: bool,
    /// Order quiet moves by what they did after the same previous moves.
    pub continuation_history: bool,
    /// Correct evaluations by how far the search came from them in similar positions.
    pub correction_history: bool,
}

impl Heuristics {
    /// Takes every short cut.
    pub const fn all() -> Heuristics {
        Heuristics::each(true)
    }

    /// Takes no short cut at all.
    pub const fn none() -> Heuristics {
        Heuristics::each(false)
    }

    const fn each(taken: bool) -> Heuristics {
        Heuristics {
            alpha_beta: taken,
            quiescence: taken,
            table: taken,
            zero_window: taken,
            aspiration: taken,
            mate_distance: taken,
            null_move: taken,
            reverse_futility: taken,
            razoring: taken,
            futility: taken,
            late_move_pruning: taken,
            exchange_pruning: taken,
            late_move_reductions: taken,
            internal_reductions: taken,
            check_extensions: taken,
            singular_extensions: taken,
            killers: taken,
            history: taken,
            continuation_history: taken,
            correction_history: taken,
        }
    }
}

impl Default for Heuristics {
    fn default() -> Heuristics {
        Heuristics::all()
    }
}
