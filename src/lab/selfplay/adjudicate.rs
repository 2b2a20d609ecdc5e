//! Adjudication rules, which end a game before the rules of chess do.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use crate::chess::{Ending, Score, SignedScore};

/// The rules in force; by default none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Adjudication {
    pub draw: Option<DrawRule>,
    pub resign: Option<ResignRule>,
    /// Number of moves of each side, including the opening, after which a game is drawn.
    pub max_moves: Option<u32>,
}

/// A draw when both engines report small scores for long enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// Number of moves of each side before a game can be drawn by this rule.
    pub from: u32,
    /// Number of consecutive moves of each side with small scores.
    pub moves: u32,
    /// Scores of at most this many centipawns for either side are small.
    pub cp: u32,
}

/// A loss when both engines report for long enough that the same side is losing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// Number of consecutive moves of each side with bad scores for the same side.
    pub moves: u32,
    /// The smallest disadvantage in centipawns that makes a score bad; being mated always does.
    pub cp: u32,
}

impl Default for DrawRule {
    fn default() -> DrawRule {
        DrawRule { from: 40, moves: 8, cp: 10 }
    }
}

impl Default for ResignRule {
    fn default() -> ResignRule {
        ResignRule { moves: 4, cp: 600 }
    }
}

impl Adjudication {
    /// Returns the ending by these rules, with the winner if there is one.
    ///
    /// `scores` are the scores of the engines' moves in order, `None` if not reported. `mover` made the last
    /// move. `plies` are the half-moves of the game, including the opening.
    pub fn ending(
        &self,
        scores: &[Option<Score>],
        mover: Color,
        plies: usize,
    ) -> Option<(Ending, Option<Color>)> {
        let resigned = self.resign.and_then(|rule| rule.winner(scores));
        if let Some(winner) = resigned {
            return Some((Ending::ResignationRule, Some(winner)));
        }
        if self.draw.is_some_and(|rule| mover == Color::Black && rule.is_met(scores, plies)) {
            return Some((Ending::DrawRule, None));
        }
        let limit = self.max_moves.map(|moves| 2 * moves as usize);
        limit.filter(|&limit| plies >= limit).map(|_| (Ending::MoveLimit, None))
    }
}

/// Returns the scores of the last `moves` moves of each side; `None` if there are fewer moves, or if a score
/// is unknown.
fn last(scores: &[Option<Score>], moves: u32) -> Option<Vec<Score>> {
    let first = scores.len().checked_sub(2 * moves as usize)?;
    scores[first..].iter().copied().collect()
}

impl DrawRule {
    fn is_met(self, scores: &[Option<Score>], plies: usize) -> bool {
        let is_small = |score: Score| score.cp().is_some_and(|cp| cp.unsigned_abs() <= self.cp);
        plies >= 2 * self.from as usize
            && last(scores, self.moves).is_some_and(|scores| scores.into_iter().all(is_small))
    }
}

impl ResignRule {
    fn winner(self, scores: &[Option<Score>]) -> Option<Color> {
        let scores = last(scores, self.moves)?;
        let wins = |color: Color| {
            scores.iter().all(|score| match score.seen_by(color) {
                SignedScore::Cp(cp) => i64::from(cp) >= i64::from(self.cp),
                SignedScore::Mate(_) => matches!(score, Score::Mate(mate) if mate.winner == color),
            })
        };
        Color::ALL.into_iter().find(|&color| wins(color))
    }
}

impl fmt::Display for DrawRule {
    /// Formats as on the command line: `from=40,moves=8,cp=10`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "from={},moves={},cp={}", self.from, self.moves, self.cp)
    }
}

impl fmt::Display for ResignRule {
    /// Formats as on the command line: `moves=4,cp=600`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "moves={},cp={}", self.moves, self.cp)
    }
}

impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = [
            self.draw.map(|rule| format!("draw {rule}")),
            self.resign.map(|rule| format!("resign {rule}")),
            self.max_moves.map(|moves| format!("max-moves {moves}")),
        ];
        f.write_str(&rules.into_iter().flatten().collect::<Vec<_>>().join("; "))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{found:?} is not {expected}; separate several settings with commas")]
pub struct ParseRuleError {
    found: String,
    expected: &'static str,
}

impl FromStr for DrawRule {
    type Err = ParseRuleError;

    /// Parses a rule. Missing keys keep their default.
    fn from_str(text: &str) -> Result<DrawRule, ParseRuleError> {
        let mut rule = DrawRule::default();
        let expected = "from=MOVE, moves=N (1 or more) or cp=CENTIPAWNS";
        set(
            text,
            expected,
            [("from", 0, &mut rule.from), ("moves", 1, &mut rule.moves), ("cp", 0, &mut rule.cp)],
        )?;
        Ok(rule)
    }
}

impl FromStr for ResignRule {
    type Err = ParseRuleError;

    /// Parses a rule. Missing keys keep their default.
    fn from_str(text: &str) -> Result<ResignRule, ParseRuleError> {
        let mut rule = ResignRule::default();
        let expected = "moves=N or cp=CENTIPAWNS (1 or more each)";
        set(text, expected, [("moves", 1, &mut rule.moves), ("cp", 1, &mut rule.cp)])?;
        Ok(rule)
    }
}

/// Sets the numbers of `keys` from the `KEY=NUMBER` parts of `text`. `keys` has the name, the minimum and the
/// number of each key.
fn set<const N: usize>(
    text: &str,
    expected: &'static str,
    mut keys: [(&str, u32, &mut u32); N],
) -> Result<(), ParseRuleError> {
    for part in text.split(',') {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        let known = keys.iter_mut().find(|(known, ..)| *known == key.trim());
        let value = value.trim().parse().ok().filter(|&value: &u32| value <= 1_000_000);
        match (known, value) {
            (Some((_, least, number)), Some(value)) if value >= *least => **number = value,
            _ => return Err(ParseRuleError { found: part.to_owned(), expected }),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::Mate;

    /// Returns scores from White's view.
    fn cps(scores: &[i32]) -> Vec<Option<Score>> {
        scores.iter().map(|&cp| Some(Score::Cp(cp))).collect()
    }

    fn mate(winner: Color) -> Option<Score> {
        Some(Score::Mate(Mate { winner, moves: 3 }))
    }

    fn resign() -> Adjudication {
        Adjudication { resign: Some(ResignRule { moves: 2, cp: 500 }), ..Adjudication::default() }
    }

    #[test]
    fn without_rules_no_game_ends() {
        assert_eq!(Adjudication::default().ending(&cps(&[0; 500]), Color::Black, 5000), None);
    }

    #[test]
    fn both_sides_must_see_the_loss_long_enough() {
        let ending = |scores: &[Option<Score>]| resign().ending(scores, Color::Black, 30);
        let black_wins = Some((Ending::ResignationRule, Some(Color::Black)));
        assert_eq!(ending(&cps(&[0, -500, -510, -900, -500])), black_wins);
        assert_eq!(ending(&cps(&[-500, -510, -900, -499])), None);
        assert_eq!(ending(&cps(&[-510, -900, -500])), None, "too few");
        assert_eq!(ending(&cps(&[-600, 600, -600, 600])), None, "each side thinks that it wins");
        let mut scores = cps(&[700, 700]);
        scores.extend([mate(Color::White), mate(Color::White)]);
        assert_eq!(ending(&scores), Some((Ending::ResignationRule, Some(Color::White))));
        scores[1] = None;
        assert_eq!(ending(&scores), None, "a score that was not told is none");
    }

    #[test]
    fn a_draw_needs_small_scores_of_both_and_a_late_hour() {
        let rule = DrawRule { from: 10, moves: 2, cp: 8 };
        let rules = Adjudication { draw: Some(rule), ..Adjudication::default() };
        let draw = Some((Ending::DrawRule, None));
        assert_eq!(rules.ending(&cps(&[99, 8, -8, 0, 3]), Color::Black, 20), draw);
        assert_eq!(rules.ending(&cps(&[8, -8, 0, 3]), Color::Black, 19), None);
        assert_eq!(rules.ending(&cps(&[9, -8, 0, 3]), Color::Black, 20), None);
        assert_eq!(rules.ending(&cps(&[8, -8, 0, 3]), Color::White, 21), None, "moves end with Black's");
    }

    #[test]
    fn the_last_move_allowed_is_played() {
        let rules = Adjudication { max_moves: Some(10), ..Adjudication::default() };
        assert_eq!(rules.ending(&[], Color::White, 19), None);
        assert_eq!(rules.ending(&[], Color::Black, 20), Some((Ending::MoveLimit, None)));
    }

    #[test]
    fn a_rule_is_told_by_its_keys() {
        assert_eq!("cp=5".parse(), Ok(DrawRule { cp: 5, ..DrawRule::default() }));
        assert_eq!(" moves = 3 , cp = 900".parse(), Ok(ResignRule { moves: 3, cp: 900 }));
        for bad in ["", "moves=0", "speed=9", "cp=-4", "cp", "moves=99999999999"] {
            assert!(bad.parse::<DrawRule>().is_err(), "{bad}");
            assert!(bad.parse::<ResignRule>().is_err(), "{bad}");
        }
        let all = Adjudication { draw: Some(DrawRule::default()), resign: None, max_moves: Some(200) };
        assert_eq!(all.to_string(), "draw from=40,moves=8,cp=10; max-moves 200");
    }

    proptest! {
        #[test]
        fn rules_are_read_as_they_are_written(from in 0u32..500, moves in 1u32..500, cp in 1u32..5000) {
            let draw = DrawRule { from, moves, cp };
            prop_assert_eq!(draw.to_string().parse(), Ok(draw));
            let resign = ResignRule { moves, cp };
            prop_assert_eq!(resign.to_string().parse(), Ok(resign));
        }
    }
}
