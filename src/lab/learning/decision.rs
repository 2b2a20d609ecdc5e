//! [`Decision`]: a position of a game with the move played, the selection of decisions, and
//! [`PositionSlice`], decisions with the same phase, time left or number of legal moves.

use std::time::Duration;

use shakmaty::{Chess, Color, Move, Position};

use crate::base::named::named;
use crate::chess::{Game, Headers, Phase};
use crate::measure::ClockClass;

#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    pub chess: Chess,
    pub played: Move,
    /// The game's number among the games of its band.
    pub game: u32,
    pub facts: DecisionFacts,
}

/// The game, ply, rating and clock of a decision, as far as the file has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DecisionFacts {
    /// The game's number among all games read, from 1.
    pub ordinal: u64,
    /// The number of the half-move, from 1.
    pub ply: u32,
    pub elo: Option<u32>,
    /// The time left to the player to move, as recorded after the player's previous move.
    pub left: Option<Duration>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum Movers {
    /// The positions of both players. Each player belongs to the band of the player's own rating.
    #[default]
    #[cfg_attr(feature = "program", value(help = "Both sides"))]
    Both,
    /// White only, as in the paper.
    White,
}

impl Movers {
    pub fn has(self, color: Color) -> bool {
        self == Movers::Both || color == Color::White
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecisionPlan {
    /// Minimum distance in plies between two positions of one side. Odd numbers act like the next even one.
    pub every: usize,
    /// The first ply to take, from 0.
    pub plies_from: usize,
}

impl Default for DecisionPlan {
    /// Returns the plan of the paper: every tenth ply, from the first ply on.
    fn default() -> DecisionPlan {
        DecisionPlan { every: 10, plies_from: 0 }
    }
}

impl DecisionPlan {
    /// Takes positions of a game in which `color` is to move and has more than one legal move. The game
    /// numbers of the decisions are 0.
    pub fn take(&self, game: &Game, color: Color) -> Vec<Decision> {
        let elo = *Headers::of_game(game).elo.get(color);
        let mut due = self.plies_from;
        let mut taken = Vec::new();
        for (ply, (chess, played)) in game.positions().zip(&game.moves).enumerate() {
            if chess.turn() != color || ply < due || chess.legal_moves().len() < 2 {
                continue;
            }
            due = ply + self.every;
            let before = ply.checked_sub(2).and_then(|before| game.moves.get(before));
            let left = before.and_then(|before| before.clock);
            let facts = DecisionFacts { ordinal: 0, ply: ply as u32 + 1, elo, left };
            let played = played.san.san.to_move(&chess).ok();
            taken.extend(played.map(|played| Decision { chess, played, game: 0, facts }));
        }
        taken
    }
}

named! {
    /// The property by which positions are divided into slices.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum SliceKind: name {
        Phase => "phase",
        /// The time left to the player to move.
        Clock => "clock",
        Moves => "moves",
    }
}

/// The smallest numbers of legal moves of the slices.
const MOVES: [usize; 5] = [2, 10, 20, 30, 40];

/// A slice of positions: a phase, a range of time left, or a range of numbers of legal moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PositionSlice {
    pub kind: SliceKind,
    place: usize,
}

impl PositionSlice {
    /// Returns the slices that contain a position: one for each property, but no slice by time if the time
    /// left is unknown.
    pub(super) fn of(decision: &Decision) -> impl Iterator<Item = PositionSlice> {
        let phase = Phase::of(&decision.chess);
        let phase = Phase::ALL.iter().position(|&one| one == phase);
        let clock = decision.facts.left.map(|left| ClockClass::Left.class(left));
        let legal = decision.chess.legal_moves().len();
        let moves = MOVES.iter().rposition(|&least| least <= legal);
        let places = [(SliceKind::Phase, phase), (SliceKind::Clock, clock), (SliceKind::Moves, moves)];
        places.into_iter().filter_map(|(kind, place)| Some(PositionSlice { kind, place: place? }))
    }

    /// Returns the name of the slice among the slices of its property: `endgame`, `10 to 20 s`, `20 to 29`.
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

    #[test]
    fn positions_of_one_side_are_so_many_plies_apart() {
        let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 *";
        let game = parse_games(moves, "test").remove(0).expect("a game");
        let plies = |every, plies_from, color| -> Vec<String> {
            let taken = DecisionPlan { every, plies_from }.take(&game, color);
            taken.iter().map(|one| one.played.to_string()).collect()
        };
        assert_eq!(plies(10, 0, Color::White), ["e2-e4", "Rf1-e1"]);
        assert_eq!(plies(10, 0, Color::Black), ["e7-e5", "b7-b5"]);
        assert_eq!(plies(3, 5, Color::Black), ["a7-a6", "Bf8-e7", "d7-d6"]);
        assert_eq!(plies(1, 0, Color::White).len(), 7);
    }

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
