//! [`Score`]: an engine's value of a position, always from White's view.

use std::fmt;

use shakmaty::Color;

/// The value of a position from White's view.
///
/// An engine reports values from the view of the side to move. Only [`Score::from_side_to_move`] converts
/// them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Score {
    /// Centipawns, positive when White is better.
    Cp(i32),
    /// A forced mate.
    Mate(Mate),
}

/// A forced mate with its winner and length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mate {
    /// The side that gives mate.
    pub winner: Color,
    /// Moves of the winner until mate, 0 if mate is on the board.
    pub moves: u32,
}

/// A score as printed by the UCI protocol and `[%eval]` comments. The type does not say whose view it is. So
/// the score is converted to a [`Score`] as soon as the position is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SignedScore {
    /// Centipawns.
    Cp(i32),
    /// Moves to mate, negative if the viewing side is mated; 0 if mate is on the board.
    Mate(i32),
}

impl fmt::Display for SignedScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SignedScore::Cp(cp) => write!(f, "cp {cp}"),
            SignedScore::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

impl Score {
    /// A draw.
    pub const DRAW: Score = Score::Cp(0);

    /// Converts a score that an engine reports from the view of the side to move, `turn`. `mate 0` means that
    /// `turn` has been mated.
    pub fn from_side_to_move(score: SignedScore, turn: Color) -> Score {
        match score {
            SignedScore::Cp(cp) => Score::Cp(turn.fold_wb(cp, -cp)),
            SignedScore::Mate(n) => {
                Score::Mate(Mate { winner: if n > 0 { turn } else { !turn }, moves: n.unsigned_abs() })
            }
        }
    }

    /// Converts a score from a comment, in White's view, of a position where `turn` is to move. `turn`
    /// matters only for mate on the board, which has no sign.
    pub fn from_white_view(score: SignedScore, turn: Color) -> Score {
        match score {
            SignedScore::Cp(cp) => Score::Cp(cp),
            SignedScore::Mate(0) => Score::checkmate(turn),
            SignedScore::Mate(n) => {
                Score::Mate(Mate { winner: Color::from_white(n > 0), moves: n.unsigned_abs() })
            }
        }
    }

    /// Converts a score from a comment, in White's view, of a position with legal moves. `None` for mate on
    /// the board, which is an error in the comment.
    pub fn of_comment(score: SignedScore) -> Option<Score> {
        match score {
            SignedScore::Mate(0) => None,
            // Without mate on the board, the side to move does not matter.
            score => Some(Score::from_white_view(score, Color::White)),
        }
    }

    /// Returns the score of a position where `turn` has been checkmated.
    pub fn checkmate(turn: Color) -> Score {
        Score::Mate(Mate { winner: !turn, moves: 0 })
    }

    /// Returns centipawns in White's view; `None` for a mate.
    pub fn cp(self) -> Option<i32> {
        match self {
            Score::Cp(cp) => Some(cp),
            Score::Mate(_) => None,
        }
    }

    /// Returns the score with its centipawns times `factor`, rounded. A mate stays as it is.
    pub fn times(self, factor: f64) -> Score {
        match self {
            Score::Cp(cp) => Score::Cp((f64::from(cp) * factor).round() as i32),
            mate => mate,
        }
    }

    /// Returns moves to mate in White's view, negative if Black mates and 0 if mate is on the board. `None`
    /// for centipawns.
    pub fn mate(self) -> Option<i32> {
        match self {
            Score::Cp(_) => None,
            Score::Mate(mate) => Some(mate.signed_moves()),
        }
    }

    /// Returns centipawns in White's view, clamped to `±clip`. Any mate is `±clip`, so a move from "mate in
    /// 5" to "mate in 4" gains nothing.
    pub fn clipped(self, clip: Clip) -> i32 {
        match self {
            Score::Cp(cp) => cp.clamp(-clip.cp(), clip.cp()),
            Score::Mate(mate) => mate.winner.fold_wb(clip.cp(), -clip.cp()),
        }
    }

    /// Returns the score from the view of `color`, as an engine prints it when that side is to move.
    pub fn seen_by(self, color: Color) -> SignedScore {
        match (self.to_signed(), color) {
            (SignedScore::Cp(cp), Color::Black) => SignedScore::Cp(-cp),
            (SignedScore::Mate(moves), Color::Black) => SignedScore::Mate(-moves),
            (score, Color::White) => score,
        }
    }

    /// Returns the score as printed in comments and tables: White's view, signed.
    pub fn to_signed(self) -> SignedScore {
        match self {
            Score::Cp(cp) => SignedScore::Cp(cp),
            Score::Mate(mate) => SignedScore::Mate(mate.signed_moves()),
        }
    }
}

impl Mate {
    /// Returns moves to mate, negative if Black mates, 0 if mate is on the board.
    pub fn signed_moves(self) -> i32 {
        let moves = i32::try_from(self.moves).expect("a mate parsed from an i32 fits into one");
        self.winner.fold_wb(moves, -moves)
    }
}

impl fmt::Display for Score {
    /// Formats pawns with a sign (`+0.17`), or `#` and the moves to mate (`#-3`).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Cp(cp) => write!(f, "{:+.2}", f64::from(*cp) / 100.0),
            Score::Mate(mate) => write!(f, "#{}", mate.signed_moves()),
        }
    }
}

impl SignedScore {
    /// Returns the centipawns within the clip; a mate is at the clip.
    pub fn clipped(self, clip: Clip) -> i32 {
        match self {
            SignedScore::Cp(cp) => cp.clamp(-clip.cp(), clip.cp()),
            SignedScore::Mate(moves) if moves > 0 => clip.cp(),
            SignedScore::Mate(_) => -clip.cp(),
        }
    }
}

/// The bound in centipawns to which evaluations are clamped before a gain is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Clip(i32);

impl Clip {
    /// Ten pawns, lichess's bound.
    pub const TEN_PAWNS: Clip = Clip(1000);

    /// The largest bound accepted. Beyond it engines report only mates.
    pub const MAX: i32 = 100_000;

    /// Returns a bound of `cp` centipawns; `None` unless `1 ≤ cp ≤` [`Clip::MAX`].
    pub fn new(cp: i32) -> Option<Clip> {
        (1..=Clip::MAX).contains(&cp).then_some(Clip(cp))
    }

    /// Returns the bound in centipawns, above 0.
    pub fn cp(self) -> i32 {
        self.0
    }
}

impl Default for Clip {
    /// Returns ten pawns.
    fn default() -> Clip {
        Clip::TEN_PAWNS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mate(winner: Color, moves: u32) -> Score {
        Score::Mate(Mate { winner, moves })
    }

    #[test]
    fn the_side_to_move_view_is_turned_into_whites_view_once() {
        let black = |score| Score::from_side_to_move(score, Color::Black);
        assert_eq!(black(SignedScore::Cp(30)), Score::Cp(-30));
        assert_eq!(black(SignedScore::Mate(3)), mate(Color::Black, 3));
        assert_eq!(black(SignedScore::Mate(-2)), mate(Color::White, 2));
        assert_eq!(black(SignedScore::Mate(0)), mate(Color::White, 0));
    }

    #[test]
    fn mates_and_large_scores_are_clipped_to_the_same_bound() {
        let clip = Clip::default();
        assert_eq!(mate(Color::White, 5).clipped(clip), 1000);
        assert_eq!(mate(Color::Black, 0).clipped(clip), -1000);
        assert_eq!(Score::Cp(4321).clipped(clip), 1000);
        assert_eq!(Score::Cp(-17).clipped(clip), -17);
    }

    #[test]
    fn a_mate_on_the_board_prints_as_zero_moves() {
        assert_eq!(Score::checkmate(Color::White).mate(), Some(0));
        assert_eq!(Score::checkmate(Color::Black).to_string(), "#0");
        assert_eq!(Score::Cp(-5).to_string(), "-0.05");
    }

    #[test]
    fn the_white_view_of_a_mate_survives_printing() {
        for score in [mate(Color::White, 4), mate(Color::Black, 1), mate(Color::Black, 0)] {
            assert_eq!(Score::from_white_view(score.to_signed(), Color::White), score);
        }
    }
}
