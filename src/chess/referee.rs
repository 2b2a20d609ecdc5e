//! [`Ending`]: how a game ended; and [`Referee`]: the end of a game by the rules of chess.

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, EnPassantMode, KnownOutcome, Move, Position, zobrist::Zobrist64};

use crate::base::named::named;
use crate::chess::GameResult;

/// Number of half-moves without a capture or pawn move after which the game is drawn. By the rules, a player
/// may then claim a draw, and engines expect this; after 150 half-moves the draw is automatic.
const FIFTY_MOVES: u32 = 100;

named! {
    /// The ending of a game, with its name in files.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Ending: name {
        /// The king is attacked, and no move helps.
        Checkmate => "checkmate",
        /// No legal move, without check.
        Stalemate => "stalemate",
        /// The third occurrence of a position.
        Repetition => "repetition",
        /// Fifty moves of each side without a capture or pawn move.
        FiftyMoves => "fifty-moves",
        /// Neither side has enough material to mate by any legal moves.
        InsufficientMaterial => "insufficient-material",
        /// Lost by an experiment's resignation rule.
        ResignationRule => "resignation-rule",
        /// Drawn by an experiment's draw rule.
        DrawRule => "draw-rule",
        /// Drawn by the limit on the number of moves.
        MoveLimit => "move-limit",
        /// Lost by an illegal move.
        IllegalMove => "illegal-move",
        /// Lost because the engine failed, for example because its process ended.
        Crash => "crash",
        /// Lost because the engine did not answer in time.
        Stall => "stall",
    }
}

impl Ending {
    /// Returns whether the game was lost by a fault of the player, not on the board. Such games are counted
    /// separately.
    pub fn is_forfeit(self) -> bool {
        matches!(self, Ending::IllegalMove | Ending::Crash | Ending::Stall)
    }

    /// Returns whether a game that the rules of chess have not ended may have this ending with `result`.
    pub fn may_end_unfinished(self, result: GameResult) -> bool {
        match self {
            Ending::DrawRule | Ending::MoveLimit => result == GameResult::Draw,
            ending if ending == Ending::ResignationRule || ending.is_forfeit() => {
                [GameResult::WhiteWins, GameResult::BlackWins].contains(&result)
            }
            _ => false,
        }
    }

    /// Returns the ending's name in messages and tables.
    pub fn words(self) -> String {
        self.name().replace('-', " ")
    }

    /// Returns the value of the PGN tag `Termination`.
    pub fn termination(self) -> &'static str {
        match self {
            Ending::ResignationRule | Ending::DrawRule | Ending::MoveLimit => "adjudication",
            Ending::IllegalMove => "rules infraction",
            Ending::Crash => "abandoned",
            Ending::Stall => "time forfeit",
            _ => "normal",
        }
    }
}

/// Follows a game, and finds its end.
#[derive(Debug, Clone)]
pub struct Referee {
    position: Chess,
    /// The positions since the last capture or pawn move, including the current position. Earlier positions
    /// cannot recur.
    since: Vec<Zobrist64>,
}

impl Referee {
    /// Begins a game at a position.
    pub fn new(start: Chess) -> Referee {
        let first = key(&start);
        Referee { position: start, since: vec![first] }
    }

    /// Returns the position after the moves so far.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        if m.is_zeroing() {
            self.since.clear();
        }
        self.position.play_unchecked(m);
        self.since.push(key(&self.position));
    }

    /// Returns the ending, with the winner if there is one; `None` while the game continues. A mate takes
    /// precedence over a draw by repetition or by the fifty-move rule.
    pub fn ending(&self) -> Option<(Ending, Option<Color>)> {
        if self.position.is_insufficient_material() {
            return Some((Ending::InsufficientMaterial, None));
        }
        match self.position.outcome().known() {
            Some(KnownOutcome::Decisive { winner }) => Some((Ending::Checkmate, Some(winner))),
            Some(KnownOutcome::Draw) => Some((Ending::Stalemate, None)),
            None if self.is_repetition() => Some((Ending::Repetition, None)),
            None if self.position.halfmoves() >= FIFTY_MOVES => Some((Ending::FiftyMoves, None)),
            None => None,
        }
    }

    fn is_repetition(&self) -> bool {
        let now = self.since.last();
        self.since.iter().filter(|&key| Some(key) == now).count() >= 3
    }
}

/// Returns a key of a position: its board, side to move and castling rights, and its en passant square if a
/// capture there is legal.
fn key(position: &Chess) -> Zobrist64 {
    position.zobrist_hash(EnPassantMode::Legal)
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen, uci::UciMove};

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a legal position")
    }

    fn after(start: Chess, moves: &str) -> Referee {
        let mut referee = Referee::new(start);
        for uci in moves.split_whitespace() {
            assert_eq!(referee.ending(), None, "before {uci}");
            let uci: UciMove = uci.parse().expect("a move");
            referee.play(uci.to_move(referee.position()).expect("a legal move"));
        }
        referee
    }

    #[test]
    fn the_fools_mate_wins_for_black() {
        let game = after(Chess::default(), "f2f3 e7e5 g2g4 d8h4");
        assert_eq!(game.ending(), Some((Ending::Checkmate, Some(Color::Black))));
    }

    #[test]
    fn no_move_without_check_is_stalemate() {
        let game = after(position("7k/8/5KQ1/8/8/8/8/8 w - - 0 1"), "g6f7");
        assert_eq!(game.ending(), Some((Ending::Stalemate, None)));
    }

    #[test]
    fn the_third_time_counts_and_not_the_second() {
        let back_and_forth = "g1f3 g8f6 f3g1 f6g8 ";
        let game = after(Chess::default(), &back_and_forth.repeat(2));
        assert_eq!(game.ending(), Some((Ending::Repetition, None)));
        assert_eq!(after(Chess::default(), back_and_forth).ending(), None);
    }

    #[test]
    fn a_position_with_more_castling_rights_is_another_one() {
        let rooks = "4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1";
        let dance = "h1g1 h8g8 g1h1 g8h8 ";
        // The moves lead back to the same board, but without the castling rights of the start.
        assert_eq!(after(position(rooks), &dance.repeat(2)).ending(), None);
        let both_on_g = format!("{}h1g1 h8g8", dance.repeat(2));
        assert_eq!(after(position(rooks), &both_on_g).ending(), Some((Ending::Repetition, None)));
    }

    #[test]
    fn an_en_passant_square_counts_only_where_the_capture_is_legal() {
        let dance = "g8f6 g1f3 f6g8 f3g1 ";
        let idle = after(Chess::default(), &format!("e2e4 {dance}"));
        assert_eq!(idle.ending(), None);
        let idle = after(Chess::default(), &format!("e2e4 {}", dance.repeat(2)));
        assert_eq!(idle.ending(), Some((Ending::Repetition, None)), "nobody can take on e3");
        let taken = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
        let kings = "e8e7 e1d1 e7e8 d1e1 ";
        let lively = after(position(taken), &format!("e2e4 {}", kings.repeat(2)));
        assert_eq!(lively.ending(), None, "at first Black could take on e3");
    }

    #[test]
    fn fifty_moves_of_each_side_draw_unless_the_last_one_mates() {
        let rook = after(position("k7/8/8/8/8/8/8/K6R w - - 99 80"), "h1h2");
        assert_eq!(rook.ending(), Some((Ending::FiftyMoves, None)));
        let mate = after(position("k7/8/1K6/8/8/8/8/7R w - - 99 80"), "h1h8");
        assert_eq!(mate.ending(), Some((Ending::Checkmate, Some(Color::White))));
    }

    #[test]
    fn bare_kings_and_a_lone_bishop_cannot_mate() {
        for fen in ["k7/8/8/8/8/8/8/K7 w - - 0 1", "k7/8/8/8/8/8/8/K5B1 w - - 0 1"] {
            assert_eq!(Referee::new(position(fen)).ending(), Some((Ending::InsufficientMaterial, None)));
        }
        assert_eq!(Referee::new(position("k7/8/8/8/8/8/8/K5NN w - - 0 1")).ending(), None);
    }

    #[test]
    fn an_ending_has_one_name_in_all_files() {
        for ending in Ending::ALL {
            let json = serde_json::to_value(ending).expect("JSON");
            assert_eq!(json, ending.to_string());
        }
    }
}
