//! [`MoverScore`]: the value of a move or position for one side. [`ScoreRange`]: a [`MoverScore`] that is
//! exact, or known only by bounds after a cutoff.

use shakmaty::{Chess, Color, Position};

use crate::chess::{Score, SignedScore};

/// The value of a mate on the board. Each half-move of distance subtracts 1.
const MATE: i32 = 1 << 30;

/// A value above every centipawn score and below every mate.
const LEAST_MATE: i32 = 1 << 29;

/// Largest distance of a mate in moves. A longer mate counts as a mate at this distance.
const MOST_MOVES: i32 = 1 << 20;

/// A score from the view of one side. The order, from the worst: mates against this side (early before late),
/// centipawns, mates by this side (late before early).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoverScore(i32);

impl MoverScore {
    pub const DRAW: MoverScore = MoverScore(0);
    /// Below every score, for an unknown lower bound.
    const LEAST: MoverScore = MoverScore(-i32::MAX);
    const MOST: MoverScore = MoverScore(i32::MAX);

    /// Converts a score from White's view to the view of `side`.
    pub fn of(score: Score, side: Color) -> MoverScore {
        MoverScore(match score.seen_by(side) {
            SignedScore::Cp(cp) => cp.clamp(1 - LEAST_MATE, LEAST_MATE - 1),
            SignedScore::Mate(0) => match score {
                Score::Mate(mate) if mate.winner == side => MATE,
                _ => -MATE,
            },
            SignedScore::Mate(moves) if moves > 0 => MATE - (2 * moves.min(MOST_MOVES) - 1),
            SignedScore::Mate(moves) => 2 * moves.unsigned_abs().min(MOST_MOVES as u32) as i32 - MATE,
        })
    }

    /// Converts the score of `side` to White's view.
    pub fn white_view(self, side: Color) -> Score {
        let signed = match self.0 {
            mate if mate > LEAST_MATE => SignedScore::Mate((MATE - mate + 1) / 2),
            mated if mated < -LEAST_MATE => SignedScore::Mate(-(MATE + mated) / 2),
            cp => SignedScore::Cp(cp),
        };
        Score::from_side_to_move(signed, side)
    }

    /// Returns the value, for the side to move, of a position that ends the game by mate, stalemate or
    /// insufficient material. `None` if the game continues.
    pub fn over(position: &Chess) -> Option<MoverScore> {
        if position.is_insufficient_material() || position.is_stalemate() {
            return Some(MoverScore::DRAW);
        }
        position.is_checkmate().then_some(MoverScore(-MATE))
    }

    /// Returns the value for the side whose move leads to this position. A mate is a half-move further away.
    pub fn backed_up(self) -> MoverScore {
        let mate = self.0.abs() > LEAST_MATE && self.0.abs() <= MATE;
        MoverScore(-(self.0 - if mate { self.0.signum() } else { 0 }))
    }

    /// Returns whether a move with this score is a candidate if the best move has the score `best`. The move
    /// must be at least as good as the best move, or less than `width` centipawns worse. If either score is a
    /// mate, only mates by the same side are candidates, because a mate equals no number of centipawns.
    pub fn is_within(self, width: f64, best: MoverScore) -> bool {
        if self >= best {
            return true;
        }
        match (self.mate(), best.mate()) {
            (None, None) => f64::from(best.0) - f64::from(self.0) < width,
            (own, bests) => own == bests && width > 0.0,
        }
    }

    pub fn mates(self) -> bool {
        self.mate() == Some(true)
    }

    /// Returns true if this side mates, false if the other side mates; `None` for centipawns.
    fn mate(self) -> Option<bool> {
        (self.0.abs() > LEAST_MATE).then_some(self.0 > 0)
    }
}

/// The bounds `low` and `high` of a score. The bounds are equal if the score is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreRange {
    low: MoverScore,
    high: MoverScore,
}

impl ScoreRange {
    pub fn exactly(score: MoverScore) -> ScoreRange {
        ScoreRange { low: score, high: score }
    }

    pub fn at_least(low: MoverScore) -> ScoreRange {
        ScoreRange { low, high: MoverScore::MOST }
    }

    pub fn exact(self) -> Option<MoverScore> {
        (self.low == self.high).then_some(self.low)
    }

    /// Returns the lower bound; `None` if unknown.
    pub fn low(self) -> Option<MoverScore> {
        (self.low > MoverScore::LEAST).then_some(self.low)
    }

    /// Returns the upper bound; `None` if unknown.
    pub fn high(self) -> Option<MoverScore> {
        (self.high < MoverScore::MOST).then_some(self.high)
    }

    /// Returns the number to display: the score, the only known bound, or the higher of two bounds.
    pub fn shown(self) -> MoverScore {
        self.high().or(self.low()).unwrap_or(MoverScore::DRAW)
    }

    pub fn kind(self) -> BoundKind {
        match (self.low == self.high, self.high()) {
            (true, _) => BoundKind::Exact,
            (false, Some(_)) => BoundKind::AtMost,
            (false, None) => BoundKind::AtLeast,
        }
    }

    pub fn max(self, other: ScoreRange) -> ScoreRange {
        ScoreRange { low: self.low.max(other.low), high: self.high.max(other.high) }
    }

    /// Removes the upper bound. After a cutoff, the moves that were not searched may be better.
    pub fn or_more(self) -> ScoreRange {
        ScoreRange { high: MoverScore::MOST, ..self }
    }

    /// Returns the range for the side whose move leads to this position.
    pub fn backed_up(self) -> ScoreRange {
        ScoreRange { low: self.high.backed_up(), high: self.low.backed_up() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BoundKind {
    Exact,
    AtLeast,
    AtMost,
}

impl BoundKind {
    pub fn seen_from(self, side: Color) -> BoundKind {
        match (self, side) {
            (BoundKind::AtLeast, Color::Black) => BoundKind::AtMost,
            (BoundKind::AtMost, Color::Black) => BoundKind::AtLeast,
            (kind, _) => kind,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn mate(moves: i32) -> MoverScore {
        MoverScore::of(Score::from_white_view(SignedScore::Mate(moves), Color::White), Color::White)
    }

    fn cp(cp: i32) -> MoverScore {
        MoverScore::of(Score::Cp(cp), Color::White)
    }

    #[test]
    fn a_mate_is_a_half_move_further_away_from_the_move_before() {
        let mated = MoverScore(-MATE);
        assert_eq!(mated.backed_up(), mate(1));
        assert_eq!(mate(1).backed_up(), mate(-1));
        assert_eq!(mate(-1).backed_up(), mate(2));
        assert_eq!(mate(2).backed_up(), mate(-2));
        assert_eq!(cp(35).backed_up(), cp(-35));
        let unknown = ScoreRange::at_least(cp(3)).backed_up();
        assert_eq!((unknown.low(), unknown.high()), (None, Some(cp(-3))));
    }

    #[test]
    fn scores_stand_in_the_order_of_what_a_side_likes() {
        let order = [mate(-1), mate(-7), cp(-900), cp(0), cp(2), mate(9), mate(2)];
        assert!(order.is_sorted());
        assert_eq!(MoverScore::of(Score::Cp(30), Color::Black), cp(-30));
    }

    #[test]
    fn candidates_are_strictly_within_the_width() {
        assert!(cp(1).is_within(20.0, cp(20)) && !cp(0).is_within(20.0, cp(20)));
        assert!(cp(18).is_within(2.5, cp(20)) && !cp(17).is_within(2.5, cp(20)));
        assert!(cp(20).is_within(0.0, cp(20)) && cp(25).is_within(0.0, cp(20)));
    }

    #[test]
    fn beside_a_mate_are_mates_by_the_same_side_alone() {
        assert!(mate(9).is_within(1.0, mate(2)), "its distance is no number of centipawns");
        assert!(!cp(5000).is_within(1e9, mate(2)));
        assert!(!mate(-2).is_within(1e9, cp(-50)) && !mate(-2).is_within(1e9, mate(2)));
        assert!(mate(-2).is_within(1.0, mate(-3)));
    }

    #[test]
    fn positions_that_are_over_are_known() {
        let of = |fen: &str| {
            let fen: shakmaty::fen::Fen = fen.parse().expect("a FEN");
            MoverScore::over(&fen.into_position(shakmaty::CastlingMode::Standard).expect("a position"))
        };
        assert_eq!(of("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").map(MoverScore::backed_up), Some(mate(1)));
        assert_eq!(of("7k/8/5KQ1/8/8/8/8/8 b - - 0 1"), Some(MoverScore::DRAW), "stalemate");
        assert_eq!(of("7k/8/8/8/8/8/8/K5B1 w - - 0 1"), Some(MoverScore::DRAW), "nobody can mate");
        assert_eq!(of("7k/8/8/8/8/8/8/K5R1 w - - 0 1"), None);
    }

    proptest! {
        #[test]
        fn white_s_view_and_a_side_s_are_turned_into_each_other(signed in -300i32..300, is_mate: bool) {
            let signed = if is_mate { SignedScore::Mate(signed) } else { SignedScore::Cp(signed) };
            for side in Color::ALL {
                let score = Score::from_white_view(signed, side);
                prop_assert_eq!(MoverScore::of(score, side).white_view(side), score);
            }
        }
    }
}
