//! [`JudgeAgreement`]: agreement of two judges (engines with their limits) on positions, moves and players.

use std::collections::BTreeMap;

use super::{Method, MoveSample, facts::MoveFacts, statistics::BLUNDERS};
use crate::base::named::named;
use crate::chess::{EvalScale, ExactScale, Metric, MoveEvals, Valuation};
use crate::numbers::{Estimate, stats::correlation::pearson, stats::correlation::spearman};

/// The smallest loss by which a judge confirms the other judge's blunder, in percent of the bound
/// [`BlunderAgreement::loss`]. So a loss slightly below the bound is still agreement.
pub const HIT_PERCENT: u32 = 70;

named! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum JudgedNumber: name {
        /// The evaluation before a move that counts, in centipawns, White's view, clamped to ±clip.
        Evaluation => "evaluation_cp",
        /// White's winning chance before a move that counts, in percent, by lichess's curve.
        WinProbability => "win_percent",
        /// The loss of a move in centipawns: max(0, −gain).
        MoveLoss => "move_loss_cp",
        /// The mean loss over a player's moves in one game, in centipawns.
        GameLoss => "game_loss_cp",
        /// The mean loss of winning chances over a player's moves in one game, in percentage points.
        GameWinLoss => "game_win_loss_percent",
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NumberAgreement {
    pub number: JudgedNumber,
    /// Number of positions, of moves, or of players' games that both judges evaluated.
    pub observations: usize,
    /// Pearson's correlation; `None` for fewer than two observations, or if all values of a judge are equal.
    pub pearson: Option<f64>,
    /// Spearman's rank correlation; `None` under the same conditions as `pearson`.
    pub spearman: Option<f64>,
    /// The judge's mean and the reference's mean; `None` without an observation.
    pub means: Option<[f64; 2]>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlunderAgreement {
    /// The smallest loss of a blunder, in centipawns.
    pub loss: u32,
    /// The judge's number of blunders and the reference's number of blunders.
    pub found: [u64; 2],
    /// The share of the reference's blunders in which the judge sees a loss of at least [`HIT_PERCENT`]
    /// percent of `loss`, with Wilson's interval of 95 %. `None` if the reference finds no blunder.
    pub recall: Option<Estimate>,
    /// The share of the judge's blunders in which the reference sees a loss of at least [`HIT_PERCENT`]
    /// percent of `loss`, with Wilson's interval of 95 %. `None` if the judge finds no blunder.
    pub precision: Option<Estimate>,
}

/// Agreement of a judge with a reference judge, which is assumed to be better.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgeAgreement {
    pub numbers: Vec<NumberAgreement>,
    pub blunders: Vec<BlunderAgreement>,
}

struct JudgedMove {
    game: u32,
    player: u32,
    evals: [MoveEvals<Valuation>; 2],
}

impl JudgeAgreement {
    /// Compares `judged` with the `reference`, over the moves that count by the filters of `method`.
    /// Evaluations are clamped to the clip of `method`. Both samples must be of the same games.
    ///
    /// # Panics
    ///
    /// If the samples have different numbers of moves.
    pub fn of(judged: &MoveSample, reference: &MoveSample, method: &Method) -> JudgeAgreement {
        assert_eq!(judged.moves.len(), reference.moves.len(), "the same games by both judges");
        let both = judged.moves.iter().zip(&reference.moves);
        // If the filter depends on a move's evaluation, the evaluation of the reference decides.
        let moves = both.filter(|(_, theirs)| method.keeps(theirs)).filter_map(JudgedMove::of).collect();
        let scale = ExactScale { metric: Metric::Centipawns, clip: method.clip };
        let numbers = JudgedNumber::ALL.map(|number| number.agreement(&moves, &scale));
        let losses: Vec<[u32; 2]> =
            moves.iter().map(|judged| judged.evals.map(|evals| evals.centipawn_loss(&scale))).collect();
        let blunders = BLUNDERS.map(|loss| BlunderAgreement::of(loss, &losses));
        JudgeAgreement { numbers: numbers.into(), blunders: blunders.into() }
    }
}

impl JudgedMove {
    /// Combines the facts of two judges; `None` for a first move if a judge lacks the start's evaluation.
    fn of((ours, theirs): (&MoveFacts, &MoveFacts)) -> Option<JudgedMove> {
        Some(JudgedMove { game: ours.game, player: ours.player, evals: [ours.evals()?, theirs.evals()?] })
    }
}

impl JudgedNumber {
    /// Returns this number for one move, from one judge's evaluations before and after the move.
    fn of(self, evals: MoveEvals<Valuation>, scale: &ExactScale) -> f64 {
        match self {
            JudgedNumber::Evaluation => f64::from(scale.centipawns(evals.before)),
            JudgedNumber::WinProbability => 100.0 * scale.win_probability(evals.before),
            JudgedNumber::MoveLoss | JudgedNumber::GameLoss => f64::from(evals.centipawn_loss(scale)),
            JudgedNumber::GameWinLoss => 100.0 * (-evals.win_probability_gain(scale)).max(0.0),
        }
    }

    /// Returns whether this number is a mean over a player's moves in one game.
    fn is_of_games(self) -> bool {
        matches!(self, JudgedNumber::GameLoss | JudgedNumber::GameWinLoss)
    }

    fn agreement(self, moves: &Vec<JudgedMove>, scale: &ExactScale) -> NumberAgreement {
        let values = |judged: &JudgedMove| judged.evals.map(|evals| self.of(evals, scale));
        let pairs: Vec<[f64; 2]> = match self.is_of_games() {
            false => moves.iter().map(values).collect(),
            true => {
                let mut sides: BTreeMap<(u32, u32), Vec<[f64; 2]>> = BTreeMap::new();
                for judged in moves {
                    sides.entry((judged.game, judged.player)).or_default().push(values(judged));
                }
                sides.values().filter_map(|of_side| means(of_side)).collect()
            }
        };
        let [ours, theirs] = [0, 1].map(|judge| pairs.iter().map(|pair| pair[judge]).collect::<Vec<f64>>());
        NumberAgreement {
            number: self,
            observations: pairs.len(),
            pearson: pearson(&ours, &theirs),
            spearman: spearman(&ours, &theirs),
            means: means(&pairs),
        }
    }
}

fn means(pairs: &[[f64; 2]]) -> Option<[f64; 2]> {
    let mean = |judge: usize| pairs.iter().map(|pair| pair[judge]).sum::<f64>() / pairs.len() as f64;
    (!pairs.is_empty()).then(|| [mean(0), mean(1)])
}

impl BlunderAgreement {
    /// Compares the losses that the judge and the reference see in each move.
    fn of(bound: u32, losses: &[[u32; 2]]) -> BlunderAgreement {
        let share = |found_by: usize, seen_by: usize| {
            let blunders = || losses.iter().filter(|loss| loss[found_by] >= bound);
            let hits = blunders().filter(|loss| loss[seen_by] * 100 >= bound * HIT_PERCENT);
            Estimate::share(hits.count() as u64, blunders().count() as u64)
        };
        let found = [0, 1].map(|judge| losses.iter().filter(|loss| loss[judge] >= bound).count() as u64);
        BlunderAgreement { loss: bound, found, recall: share(1, 0), precision: share(0, 1) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::{EvaluatedGame, Evaluation, Score, pgn::parse_games};

    /// Returns the moves of games with these evaluations of positions in centipawns, White's view.
    fn sample(games: &[&[i32]]) -> MoveSample {
        let games = games.iter().map(|centipawns| {
            let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle().take(centipawns.len() - 1);
            let pgn =
                format!("[White \"A\"]\n[Black \"B\"]\n\n{} *\n", shuffle.collect::<Vec<_>>().join(" "));
            let game = parse_games(&pgn, "test").remove(0).expect("a game");
            let evaluations: Vec<Evaluation> =
                centipawns.iter().map(|&cp| Evaluation::of_score(Score::Cp(cp))).collect();
            EvaluatedGame::new(game, evaluations)
        });
        MoveSample::of(&games.collect::<Vec<_>>())
    }

    fn number(agreement: &JudgeAgreement, number: JudgedNumber) -> NumberAgreement {
        *agreement.numbers.iter().find(|found| found.number == number).expect("each number")
    }

    #[test]
    fn two_judges_of_two_games_by_hand() {
        // Losses by the judge: White 0, Black 80, White 150; and White 210.
        let judged = sample(&[&[0, 20, 100, -50], &[30, -180]]);
        // Losses by the reference: White 10, Black 120, White 0; and White 300.
        let reference = sample(&[&[10, 0, 120, 130], &[40, -260]]);
        let agreement = JudgeAgreement::of(&judged, &reference, &Method::default());
        // statistics.correlation([0, 20, 100, 30], [10, 0, 120, 40])     # Python 3.11; ranks 1 2 4 3 and 2 1 4 3
        let evaluation = number(&agreement, JudgedNumber::Evaluation);
        assert_eq!((evaluation.observations, evaluation.means), (4, Some([37.5, 42.5])));
        assert!((evaluation.pearson.expect("it varies") - 0.9616909783060074).abs() < 1e-12);
        assert!((evaluation.spearman.expect("it varies") - 0.8).abs() < 1e-12);
        // statistics.correlation([0, 80, 150, 210], [10, 120, 0, 300])
        let loss = number(&agreement, JudgedNumber::MoveLoss);
        assert_eq!(loss.means, Some([110.0, 107.5]));
        assert!((loss.pearson.expect("it varies") - 0.6682082395333809).abs() < 1e-12, "{loss:?}");
        // White 75 and 5, Black 80 and 120, then White 210 and 300.
        let games = number(&agreement, JudgedNumber::GameLoss);
        assert_eq!(games.observations, 3);
        let means = games.means.expect("games");
        assert!((means[0] - 365.0 / 3.0).abs() < 1e-12 && (means[1] - 425.0 / 3.0).abs() < 1e-12);
        assert!((games.spearman.expect("it varies") - 1.0).abs() < 1e-12);
        // Of 120 and 300 the judge sees 80 (at least 70) and 210; of its own 150 and 210 the reference sees 0
        // and 300.
        let blunders = agreement.blunders[0];
        assert_eq!((blunders.loss, blunders.found), (100, [2, 2]));
        assert_eq!(blunders.recall.expect("blunders").value, 1.0);
        assert_eq!(blunders.precision.expect("blunders").value, 0.5);
        let grave = agreement.blunders[1];
        assert_eq!((grave.loss, grave.found), (200, [1, 1]));
        assert_eq!((grave.recall.expect("one").value, grave.precision.expect("one").value), (1.0, 1.0));
    }

    #[test]
    fn a_hit_begins_at_the_bound_that_is_told() {
        let of = |losses: &[[u32; 2]]| BlunderAgreement::of(200, losses).recall.expect("a blunder").value;
        assert_eq!(of(&[[140, 200]]), 1.0);
        assert_eq!(of(&[[139, 200]]), 0.0);
        assert_eq!(BlunderAgreement::of(200, &[[500, 199]]).recall, None);
    }

    #[test]
    fn moves_that_do_not_count_are_left_out() {
        let judged = sample(&[&[0, 20, 100, -50], &[30, -180]]);
        let filter = crate::measure::tournament::filter::Filter {
            color: Some(shakmaty::Color::Black),
            ..Default::default()
        };
        let method = Method { filter, ..Method::default() };
        let agreement = JudgeAgreement::of(&judged, &judged, &method);
        assert!(agreement.numbers.iter().all(|number| number.observations == 1));
    }

    proptest! {
        #[test]
        fn a_judge_agrees_with_itself_and_recall_is_the_others_precision(
            pairs in prop::collection::vec((-400i32..400, -400i32..400), 2..40),
        ) {
            let (one, other): (Vec<i32>, Vec<i32>) = pairs.into_iter().unzip();
            let (one, other) = (sample(&[&one]), sample(&[&other]));
            let method = Method::default();
            let itself = JudgeAgreement::of(&one, &one, &method);
            for number in &itself.numbers {
                prop_assert!(number.pearson.is_none_or(|r| (r - 1.0).abs() < 1e-9));
                prop_assert!(number.means.is_some_and(|[ours, theirs]| ours == theirs));
            }
            prop_assert!(itself.blunders.iter().all(|found| found.recall.is_none_or(|share| share.value == 1.0)));
            let there = JudgeAgreement::of(&one, &other, &method);
            let back = JudgeAgreement::of(&other, &one, &method);
            for (there, back) in there.blunders.iter().zip(&back.blunders) {
                prop_assert_eq!(there.recall, back.precision);
                prop_assert_eq!(there.found[0], back.found[1]);
            }
        }
    }
}
