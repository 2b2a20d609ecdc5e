//! Owns [`Heuristics`]: which of the search's short cuts are taken, so that each can be measured without it.

/// Makes the set of short cuts from one list of them.
macro_rules! heuristics {
    ($($(#[doc = $meaning:literal])+ $name:ident,)+) => {
        /// Short cuts of the search, each on or off. All are on by default; with none, the search is plain minimax to its
        /// depth with the static evaluation at the leaves.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Heuristics {
            $($(#[doc = $meaning])+ pub $name: bool,)+
        }

        impl Heuristics {
            const fn each(taken: bool) -> Heuristics {
                Heuristics { $($name: taken),+ }
            }

            /// Lists the short cuts by name, each with all others taken but that one.
            pub fn all_but_one() -> Vec<(&'static str, Heuristics)> {
                vec![$((stringify!($name), Heuristics { $name: false, ..Heuristics::all() })),+]
            }

            /// Leaves the named short cut out, or answers `None` where there is none of that name.
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
    /// Cut a position off as soon as one answer refutes it (alpha-beta).
    alpha_beta,
    /// Play captures out before a position is evaluated.
    quiescence,
    /// Remember positions.
    table,
    /// Search later moves with a window of nothing first (principal variation search).
    zero_window,
    /// Begin each depth with a narrow window around the last one's value.
    aspiration,
    /// Pass, and cut off if even that is good enough.
    null_move,
    /// Cut off where the evaluation is far above the window.
    reverse_futility,
    /// Go straight to captures where the evaluation is far below the window.
    razoring,
    /// Leave out quiet moves where the evaluation is far below the window.
    futility,
    /// Leave out quiet moves late in the order.
    late_move_pruning,
    /// Leave out moves that lose material by exchange.
    exchange_pruning,
    /// Search moves late in the order less deeply.
    late_move_reductions,
    /// Search evasions of check one ply deeper.
    check_extensions,
    /// Search a move deeper that is far better than all others.
    singular_extensions,
    /// Order quiet moves by what they did elsewhere.
    history,
    /// Order quiet moves by what they did after the same previous moves.
    continuation_history,
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
