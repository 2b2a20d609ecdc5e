//! [`PositionSlice`]: positions with the same phase, time left or number of legal moves.

use shakmaty::Position;

use super::decision::Decision;
use crate::base::named::named;
use crate::chess::Phase;
use crate::measure::ClockClass;

named! {
    /// The property by which positions are sliced.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum SliceKind: name {
        Phase => "phase",
        /// The time left to the player to move.
        Clock => "clock",
        /// The number of legal moves.
        Moves => "moves",
    }
}

/// The smallest numbers of legal moves of the slices.
const MOVES: [usize; 5] = [2, 10, 20, 30, 40];

/// A slice of positions, in the order of its kind's slices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PositionSlice {
    pub kind: SliceKind,
    place: usize,
}

impl PositionSlice {
    /// Returns the slices that a position is in: one of each kind, but none by the clock if the time left is
    /// unknown.
    pub(super) fn of(decision: &Decision) -> impl Iterator<Item = PositionSlice> {
        let phase = Phase::of(&decision.chess);
        let phase = Phase::ALL.iter().position(|&one| one == phase);
        let clock = decision.facts.left.map(|left| ClockClass::Left.class(left));
        let legal = decision.chess.legal_moves().len();
        let moves = MOVES.iter().rposition(|&least| least <= legal);
        let places = [(SliceKind::Phase, phase), (SliceKind::Clock, clock), (SliceKind::Moves, moves)];
        places.into_iter().filter_map(|(kind, place)| Some(PositionSlice { kind, place: place? }))
    }

    /// Returns the name of the slice among those of its kind, as in `endgame`, `10 to 20 s`, `20 to 29`.
    pub fn name(self) -> String {
        match self.kind {
            SliceKind::Phase => Phase::ALL[self.place].to_string(),
            SliceKind::Clock => ClockClass::Left.label(self.place),
            SliceKind::Moves => match MOVES.get(self.place + 1) {
                Some(next) => format!("{} to {}", MOVES[self.place], next - 1),
                None => format!("{} and more", MOVES[self.place]),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::parse_games;
    use crate::lab::learning::DecisionPlan;
    use shakmaty::Color;

    #[test]
    fn a_position_is_in_one_slice_of_each_kind() {
        let text = "1. e4 { [%clk 0:03:00] } e5 { [%clk 0:00:09] } 2. Nf3 { [%clk 0:02:30] } Nc6 3. d4 *";
        let game = parse_games(text, "test").remove(0).expect("a game");
        let names = |color| -> Vec<Vec<String>> {
            let taken = DecisionPlan { every: 1, plies_from: 0 }.take(&game, color);
            taken.iter().map(|one| PositionSlice::of(one).map(PositionSlice::name).collect()).collect()
        };
        // The clock before a move is the clock after the same player's previous move.
        assert_eq!(
            names(Color::White),
            [
                vec!["opening", "20 to 29"],
                vec!["opening", "2 to 5 min", "20 to 29"],
                vec!["opening", "2 to 5 min", "20 to 29"]
            ]
        );
        assert_eq!(
            names(Color::Black),
            [vec!["opening", "20 to 29"], vec!["opening", "5 to 10 s", "20 to 29"]]
        );
    }
}
