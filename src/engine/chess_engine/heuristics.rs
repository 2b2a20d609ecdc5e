//! [`Heuristics`]: switches for the search heuristics, so that each can be measured.

/// Defines the set of heuristics from one list.
macro_rules! heuristics {
    ($($(#[doc = $meaning:literal])+ $name:ident,)+) => {
        /// Search heuristics, each on or off. All are on by default. Without any heuristic, the search is
        /// plain minimax to its depth with the static evaluation at the leaves.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Heuristics {
            $($(#[doc = $meaning])+ pub $name: bool,)+
        }

        impl Heuristics {
            const fn each(taken: bool) -> Heuristics {
                Heuristics { $($name: taken),+ }
            }

            /// Lists the names of the heuristics, each with a set in which only that heuristic is off.
            pub fn all_but_one() -> Vec<(&'static str, Heuristics)> {
                vec![$((stringify!($name), Heuristics { $name: false, ..Heuristics::all() })),+]
            }

            /// Returns this set with the named heuristic off; `None` if the name is unknown.
            pub fn without(self, name: &str) -> Option<Heuristics> {
                match name {
                    $(stringify!($name) => Some(Heuristics { $name: false, ..self }),)+
                    _ => None,
                }
            }
        }
    };
}

heuristics! {
    /// Stop searching a position as soon as one of its moves refutes the previous move (alpha-beta).
    alpha_beta,
    /// Resolve captures before a position is evaluated (quiescence search).
    quiescence,
    /// Remember positions in the transposition table.
    table,
    /// Search later moves with a zero window first (principal variation search).
    zero_window,
    /// Begin a depth with a narrow window around the value of the previous depth.
    aspiration,
    /// Cut off if even a pass is good enough (null move).
    null_move,
    /// Beyond the first two plies, cut off if the evaluation is far above the window.
    reverse_futility,
    /// Beyond the first two plies, search only captures if the evaluation is far below the window.
    razoring,
    /// Skip quiet moves if the evaluation is far below the window.
    futility,
    /// Skip quiet moves that come late in the move order.
    late_move_pruning,
    /// Skip quiet moves that mostly failed in other positions.
    history_pruning,
    /// Skip moves that lose too much material in exchanges.
    exchange_pruning,
    /// Search moves that come late in the move order to a smaller depth.
    late_move_reductions,
    /// Search evasions of check one ply deeper.
    check_extensions,
    /// Search a move deeper if it is far better than all other moves.
    singular_extensions,
    /// Order quiet moves by their success in other positions.
    history,
    /// Order quiet moves by their success after the same previous moves.
    continuation_history,
    /// Order captures also by their success in other positions.
    capture_history,
    /// Correct static evaluations by the search results of similar positions.
    corrections,
    /// Search a position to a smaller depth if no best move is known.
    internal_reductions,
    /// Expect at least a draw if the next move can repeat a position.
    upcoming_repetition,
}

impl Heuristics {
    /// Enables all heuristics.
    pub const fn all() -> Heuristics {
        Heuristics::each(true)
    }

    /// Disables all heuristics.
    pub const fn none() -> Heuristics {
        Heuristics::each(false)
    }
}

impl Default for Heuristics {
    fn default() -> Heuristics {
        Heuristics::all()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_short_cut_can_be_left_out_alone() {
        let sets = Heuristics::all_but_one();
        let names: HashSet<&str> = sets.iter().map(|(name, _)| *name).collect();
        assert_eq!(names.len(), sets.len());
        let null_move = sets.iter().find(|(name, _)| *name == "null_move").expect("a short cut");
        assert_eq!(null_move.1, Heuristics { null_move: false, ..Heuristics::all() });
        assert!(sets.iter().all(|(_, set)| *set != Heuristics::all()));
    }
}
