//! [`SkillFunction`]: functions that determine the strength of the next move. The functions [`printed`] and
//! [`meant`] compute it from a single score.

use std::{fmt, str::FromStr};

use crate::engine::levels::Level;

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum SkillFunction {
    /// The function as printed in S. Kennedy's paper, see [`printed`].
    Printed,
    /// The function as meant by the paper's text, see [`meant`].
    Meant,
    /// The function that keeps games even, with losses like those of people. It is not from the paper.
    #[default]
    Even,
    /// Constant skill, like that of the opponents in the paper.
    Fixed(FixedSkill),
    /// Moves drawn like those of people with this rating.
    Level(Level),
    Random,
}

/// A depth, and the probability of playing the second best move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FixedSkill {
    pub depth: u32,
    /// The probability of playing the second best move. The printed function may give more than 1, which
    /// means always.
    pub blunder: f64,
}

/// The probability of the second-best move at a score of 0 (S. Kennedy, ChallengeMate, 2018).
const BLUNDER: f64 = 0.1;

/// The depth at a score of 0.
const DEPTH: f64 = 6.0;

/// The difference in centipawns that changes the probability by 1.
const CP_OF_CERTAINTY: f64 = 1000.0;

/// The difference in centipawns that changes the depth by a ply.
const CP_OF_PLY: f64 = 20.0;

const LEAST_DEPTH: f64 = 3.0;

/// The greatest depth of the function as printed.
const MOST_PRINTED: f64 = 40.0;

/// The greatest depth of the function as meant.
const MOST_MEANT: f64 = 20.0;

/// Returns the skill as printed in the paper, at a score of `s` centipawns for the player before the move.
/// The depth grows when the player is winning. The probability .1 − √(s/1000) is undefined for s < 0.
///
/// An undefined probability is `None`; the paper's program treats it as 0.
pub fn printed(s: i32) -> (u32, Option<f64>) {
    let s = f64::from(s);
    let blunder = match s > 0.0 {
        true => Some(BLUNDER + s / CP_OF_CERTAINTY),
        false => Some(BLUNDER - (s / CP_OF_CERTAINTY).sqrt()).filter(|blunder| !blunder.is_nan()),
    };
    (plies(DEPTH + s / CP_OF_PLY, MOST_PRINTED), blunder)
}

/// Returns the skill as meant by the paper's text: a winning player searches less and blunders more.
pub fn meant(s: i32) -> FixedSkill {
    let s = f64::from(s);
    let blunder = match s > 0.0 {
        true => BLUNDER + s / CP_OF_CERTAINTY,
        false => BLUNDER - (-s / CP_OF_CERTAINTY).sqrt(),
    };
    FixedSkill { depth: plies(DEPTH - s / CP_OF_PLY, MOST_MEANT), blunder: blunder.clamp(0.0, 1.0) }
}

/// Returns a depth in whole plies, rounded down and within its bounds.
fn plies(depth: f64, most: f64) -> u32 {
    depth.clamp(LEAST_DEPTH, most) as u32
}

impl SkillFunction {
    /// Returns whether the skill function asks an engine. A level has its own evaluations; random moves need
    /// none.
    pub fn needs_engine(self) -> bool {
        !matches!(self, SkillFunction::Random | SkillFunction::Level(_))
    }
}

impl FromStr for SkillFunction {
    type Err = String;

    fn from_str(text: &str) -> Result<SkillFunction, String> {
        let unknown = || {
            format!(
                "{text:?} is not a skill: write even, meant, printed, random, fixed:DEPTH:P (as in fixed:6:0.1) or \
                 level:ELO (ELO from 800 to 2400)"
            )
        };
        match text {
            "even" => Ok(SkillFunction::Even),
            "meant" => Ok(SkillFunction::Meant),
            "printed" => Ok(SkillFunction::Printed),
            "random" => Ok(SkillFunction::Random),
            _ if text.starts_with("level:") => {
                let level = text.trim_start_matches("level:").parse();
                level.map(SkillFunction::Level).map_err(|_| unknown())
            }
            _ => {
                let (depth, blunder) =
                    text.strip_prefix("fixed:").and_then(|pair| pair.split_once(':')).ok_or_else(unknown)?;
                let depth =
                    depth.parse().ok().filter(|depth| (1..=100).contains(depth)).ok_or_else(unknown)?;
                let blunder = blunder.parse().ok().filter(|p| (0.0..=1.0).contains(p)).ok_or_else(unknown)?;
                Ok(SkillFunction::Fixed(FixedSkill { depth, blunder }))
            }
        }
    }
}

impl fmt::Display for SkillFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SkillFunction::Printed => f.write_str("printed"),
            SkillFunction::Meant => f.write_str("meant"),
            SkillFunction::Even => f.write_str("even"),
            SkillFunction::Fixed(FixedSkill { depth, blunder }) => write!(f, "fixed:{depth}:{blunder}"),
            SkillFunction::Level(level) => write!(f, "level:{level}"),
            SkillFunction::Random => f.write_str("random"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is_near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn printed_by_hand() {
        // 6 + s/20, its fraction cut off: −44, 5.5, 5.55, 6, 6.05, 51, 51.05.
        let depths = [-1000, -10, -9, 0, 1, 900, 901].map(|s| printed(s).0);
        assert_eq!(depths, [3, 5, 5, 6, 6, 40, 40]);
        assert_eq!([-1000, -10, -9].map(|s| printed(s).1), [None; 3], "the root of a negative number");
        let blunders = [0, 1, 900, 901].map(|s| printed(s).1.expect("a probability"));
        assert!(blunders.iter().zip([0.1, 0.101, 1.0, 1.001]).all(|(&a, b)| is_near(a, b)), "{blunders:?}");
    }

    #[test]
    fn meant_by_hand() {
        // 6 − s/20: 56, 6.5, 6.45, 6, 5.95, −39, −39.05.
        let depths = [-1000, -10, -9, 0, 1, 900, 901].map(|s| meant(s).depth);
        assert_eq!(depths, [20, 6, 6, 6, 5, 3, 3]);
        // .1 − √1, .1 − √.01, .1 − √.009 = .1 − .0948683…
        let blunders = [-1000, -10, -9, 0, 1, 900, 901].map(|s| meant(s).blunder);
        let by_hand = [0.0, 0.0, 0.005_131_670_194_948_62, 0.1, 0.101, 1.0, 1.0];
        assert!(blunders.iter().zip(by_hand).all(|(&a, b)| is_near(a, b)), "{blunders:?}");
    }

    #[test]
    fn functions_are_read_as_they_are_written() {
        for text in ["even", "meant", "printed", "random", "fixed:6:0.1", "fixed:12:0.05", "level:1500"] {
            assert_eq!(text.parse::<SkillFunction>().map(|skill| skill.to_string()), Ok(text.to_owned()));
        }
        for text in [
            "",
            "odd",
            "fixed",
            "fixed:6",
            "fixed:0:0.1",
            "fixed:6:1.5",
            "fixed:6:NaN",
            "fixed:x:0",
            "level:",
            "level:799",
            "level:2401",
        ] {
            assert!(text.parse::<SkillFunction>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_better_it_stands_the_worse_it_plays_as_meant(a in -5000i32..5000, b in -5000i32..5000) {
            let [worse, better] = [a.min(b), a.max(b)].map(meant);
            prop_assert!(better.depth <= worse.depth && better.blunder >= worse.blunder);
            prop_assert!([worse, better].iter().all(|skill| (3..=20).contains(&skill.depth)));
            prop_assert!([worse, better].iter().all(|skill| (0.0..=1.0).contains(&skill.blunder)));
        }

        #[test]
        fn the_better_it_stands_the_deeper_it_searches_as_printed(a in i32::MIN..i32::MAX, b in -5000i32..5000) {
            let [(shallow, _), (deep, blunder)] = [a.min(b), a.max(b)].map(printed);
            prop_assert!(shallow <= deep && (3..=40).contains(&shallow) && (3..=40).contains(&deep));
            prop_assert!(blunder.is_none_or(|blunder| blunder >= 0.1));
        }
    }
}
