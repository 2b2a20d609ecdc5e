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
        Heuristics {
            alpha_beta: true,
            quiescence: true,
            table: true,
            zero_window: true,
            aspiration: true,
            mate_distance: true,
            null_move: true,
            reverse_futility: true,
            razoring: true,
            futility: true,
            late_move_pruning: true,
            exchange_pruning: true,
            late_move_reductions: true,
            internal_reductions: true,
            check_extensions: true,
            singular_extensions: true,
            killers: true,
            history: true,
            continuation_history: true,
            correction_history: true,
        }
    }

    /// Takes no short cut at all.
    pub const fn none() -> Heuristics {
        Heuristics {
            alpha_beta: false,
            quiescence: false,
            table: false,
            zero_window: false,
            aspiration: false,
            mate_distance: false,
            null_move: false,
            reverse_futility: false,
            razoring: false,
            futility: false,
            late_move_pruning: false,
            exchange_pruning: false,
            late_move_reductions: false,
            internal_reductions: false,
            check_extensions: false,
            singular_extensions: false,
            killers: false,
            history: false,
            continuation_history: false,
            correction_history: false,
        }
    }
}

impl Default for Heuristics {
    fn default() -> Heuristics {
        Heuristics::all()
    }
}
