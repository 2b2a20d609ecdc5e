//! [`Phase`]: opening, middlegame and endgame by published rules.

use std::str::FromStr;

use shakmaty::{Board, ByRole, Chess, Color, Position, Role};

use crate::base::named::named;

named! {
    /// The part of a game that a position belongs to.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Phase: name {
        /// No endgame yet, and before move 12, at which M. Guid and I. Bratko begin to analyze a game
        /// ("Computer Analysis of World Chess Champions", ICGA Journal 29(2), 2006).
        Opening => "opening",
        /// Neither opening nor endgame.
        Middlegame => "middlegame",
        /// Each side has at most 13 points of material besides its king, including pawns: J. Speelman,
        /// "Analyzing the Endgame", 1981, pp. 7–8.
        Endgame => "endgame",
    }
}

/// The first move after the opening.
const OPENING_ENDS: u32 = 12;

/// The material limit of each side in an endgame, in points.
const ENDGAME_POINTS: u32 = 13;

/// Points of each piece. Speelman counts all material except the king.
const POINTS: ByRole<u32> = ByRole { pawn: 1, knight: 3, bishop: 3, rook: 5, queen: 9, king: 0 };

impl Phase {
    /// Returns the phase of `position`. An endgame depends on material only, not on the move number. The move
    /// number is taken from the position, so a game set up with move number 1 begins with an opening.
    pub fn of(position: &Chess) -> Phase {
        let few = |color| points(position.board(), color) <= ENDGAME_POINTS;
        if Color::ALL.into_iter().all(few) {
            Phase::Endgame
        } else if position.fullmoves().get() < OPENING_ENDS {
            Phase::Opening
        } else {
            Phase::Middlegame
        }
    }
}

fn points(board: &Board, color: Color) -> u32 {
    let material = board.material_side(color);
    Role::ALL.into_iter().map(|role| u32::from(*material.get(role)) * POINTS.get(role)).sum()
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a phase; write opening, middlegame or endgame")]
pub struct ParsePhaseError(String);

impl FromStr for Phase {
    type Err = ParsePhaseError;

    fn from_str(word: &str) -> Result<Phase, ParsePhaseError> {
        Phase::ALL
            .into_iter()
            .find(|phase| phase.to_string().eq_ignore_ascii_case(word))
            .ok_or_else(|| ParsePhaseError(word.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn of(fen: &str) -> Phase {
        let fen: Fen = fen.parse().expect("test fen");
        Phase::of(&fen.into_position(CastlingMode::Standard).expect("legal test position"))
    }

    #[test]
    fn the_opening_ends_where_the_twelfth_move_begins() {
        assert_eq!(Phase::of(&Chess::default()), Phase::Opening);
        assert_eq!(of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 11"), Phase::Opening);
        assert_eq!(of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 12"), Phase::Middlegame);
    }

    #[test]
    fn pawns_count_among_the_thirteen_points() {
        // 13 points each: a rook and eight pawns against a rook, a knight and five pawns.
        assert_eq!(of("3rn1k1/ppppp3/8/8/8/8/PPPPPPPP/3R2K1 w - - 0 30"), Phase::Endgame);
        assert_eq!(of("3rn1k1/pppppp2/8/8/8/8/PPPPPPPP/3R2K1 w - - 0 30"), Phase::Middlegame);
        // A queen and four pawns against a queen, a bishop and one pawn.
        assert_eq!(of("6k1/p7/8/q7/8/7b/PPPP4/3Q2K1 w - - 0 30"), Phase::Endgame);
        assert_eq!(of("6k1/pp6/8/q7/8/7b/PPPP4/3Q2K1 w - - 0 30"), Phase::Middlegame);
    }

    #[test]
    fn one_side_with_more_is_enough_for_a_middlegame() {
        assert_eq!(of("4k3/8/8/8/8/8/PPPPPPPP/R2QK2R w - - 0 40"), Phase::Middlegame);
        assert_eq!(of("r2qk2r/8/8/8/8/8/8/4K3 b - - 0 40"), Phase::Middlegame);
    }

    #[test]
    fn an_endgame_on_the_tenth_move_is_an_endgame() {
        assert_eq!(of("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 10"), Phase::Endgame);
    }

    #[test]
    fn phases_are_in_the_order_of_a_game_and_survive_printing() {
        assert!(Phase::ALL.is_sorted());
        for phase in Phase::ALL {
            assert_eq!(phase.to_string().parse(), Ok(phase));
        }
        assert_eq!("Endgame".parse(), Ok(Phase::Endgame));
    }

    proptest! {
        #[test]
        fn another_word_is_named_with_what_would_do(word in "[a-z]{0,6}") {
            let error = word.parse::<Phase>().expect_err("every phase has more letters");
            let expected = format!("{word:?} is not a phase; write opening, middlegame or endgame");
            prop_assert_eq!(error.to_string(), expected);
        }

        #[test]
        fn a_later_move_never_leads_back_to_the_opening(early in 1u32..200, late in 1u32..200) {
            let [early, late] = [early.min(late), early.max(late)]
                .map(|number| of(&format!("r3k3/pppppppp/8/8/8/8/PPPPPPPP/Q3K2R w - - 0 {number}")));
            prop_assert!(early <= late);
        }
    }
}
