//! [`Candidate`]: a possible move from its player's view.

use shakmaty::{Color, uci::UciMove};

use crate::chess::{Clip, Evaluation, RankedLine, SignedScore, win_probability};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    pub uci: UciMove,
    /// The move's score from the player's view.
    pub score: SignedScore,
    /// The expected score, 0 to 1, by lichess's curve.
    pub expected: f64,
    pub traits: MoveTraits,
}

/// Properties of a move other than its value.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MoveTraits {
    pub repeats: bool,
    /// True if the engine's reply to the move wins a piece at once.
    pub hangs: bool,
    /// The probability of the move at the opponent's rating (a `Level`); 0 if unknown.
    pub chance: f64,
}

impl Candidate {
    /// Returns the candidates ranked by an engine for `side`, from the best to the worst. A stopped search
    /// may report a move twice or a score above the best. The second report of a move is ignored, and an
    /// expected score above the best is lowered to the best.
    pub fn of(
        evaluation: &Evaluation,
        side: Color,
        traits: impl Fn(&RankedLine) -> MoveTraits,
    ) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> = Vec::new();
        for line in evaluation.lines() {
            if candidates.iter().all(|known| known.uci != line.best) {
                let expected = expected(line.score.seen_by(side));
                let best = candidates.first().map_or(expected, |best| best.expected);
                candidates.push(Candidate {
                    uci: line.best,
                    score: line.score.seen_by(side),
                    expected: expected.min(best),
                    traits: traits(&line),
                });
            }
        }
        candidates
    }

    /// Returns the number of moves in which the player mates; `None` without such a mate.
    pub fn mates_in(&self) -> Option<u32> {
        match self.score {
            SignedScore::Mate(moves) if moves > 0 => Some(moves.unsigned_abs()),
            _ => None,
        }
    }

    /// Returns the number of moves in which the opponent mates; `None` without such a mate.
    pub fn is_mated_in(&self) -> Option<u32> {
        match self.score {
            SignedScore::Mate(moves) if moves <= 0 => Some(moves.unsigned_abs()),
            _ => None,
        }
    }

    /// Returns the loss compared with the best candidate, in percentage points.
    pub fn loss(&self, best: &Candidate) -> f64 {
        100.0 * (best.expected - self.expected).max(0.0)
    }
}

/// Returns the expected score for an engine's score, from the view of the same side.
pub fn expected(score: SignedScore) -> f64 {
    win_probability::of_centipawns(f64::from(centipawns(score)))
}

/// Returns a score in centipawns within the clip; a mate is at the clip.
pub fn centipawns(score: SignedScore) -> i32 {
    score.clipped(Clip::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Mate, Score};

    fn line(rank: u32, uci: &str, score: Score) -> RankedLine {
        RankedLine { rank, best: uci.parse().expect("a move"), score, pv: Vec::new() }
    }

    #[test]
    fn candidates_are_seen_by_the_side_that_plays_them() {
        let white_mates = Score::Mate(Mate { winner: Color::White, moves: 2 });
        let evaluation = Evaluation {
            best: "e7e5".parse().ok(),
            alternatives: vec![
                line(2, "a7a6", Score::Cp(40)),
                line(3, "e7e5", Score::Cp(50)),
                line(4, "f7f6", white_mates),
                line(5, "h7h6", Score::Cp(-300)),
            ],
            ..Evaluation::of_score(Score::Cp(-20))
        };
        let found = Candidate::of(&evaluation, Color::Black, |line| MoveTraits {
            repeats: line.best.to_string() == "a7a6",
            ..MoveTraits::default()
        });
        let moves: Vec<String> = found.iter().map(|candidate| candidate.uci.to_string()).collect();
        assert_eq!(moves, ["e7e5", "a7a6", "f7f6", "h7h6"], "each once");
        assert_eq!(found[0].score, SignedScore::Cp(20));
        assert_eq!(found[2].is_mated_in(), Some(2));
        assert_eq!(found[3].expected, found[0].expected, "nothing is better than the best");
        let repeats: Vec<bool> = found.iter().map(|one| one.traits.repeats).collect();
        assert_eq!(repeats, [false, true, false, false]);
        // W(20) − W(−40) = 0.51840 − 0.46325.
        assert!((found[1].loss(&found[0]) - 5.5150).abs() < 1e-3, "{}", found[1].loss(&found[0]));
    }

    #[test]
    fn a_mate_is_worth_the_clip() {
        assert_eq!(
            [SignedScore::Mate(3), SignedScore::Mate(0), SignedScore::Cp(7)].map(centipawns),
            [1000, -1000, 7]
        );
        assert!((expected(SignedScore::Mate(1)) + expected(SignedScore::Mate(-1)) - 1.0).abs() < 1e-12);
    }
}
