//! [`Decision`]: a position of a game with the move played, and the selection of decisions.

use std::time::Duration;

use shakmaty::{Chess, Color, Move, Position};

use crate::chess::{Game, Headers};

#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    pub chess: Chess,
    /// The move played, legal in the position.
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
    /// The rating of the player to move.
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
    /// Minimum distance in plies between two positions of one side. An odd number has the effect of the next
    /// even number.
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
}
