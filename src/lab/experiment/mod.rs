//! [`Experiment`]: the evaluation of games of an engine at fixed depths.
//!
//! The tables are those of D. R. Ferreira, "The Impact of Search Depth on Chess Playing Strength" (ICGA
//! Journal 36(2), 2013), and of E. A. Heinz, "A New Self-Play Experiment in Computer Chess" (MIT LCS
//! Technical Memo 608, 2000). Nothing here plays or prints.

pub mod cross_table;
pub mod diminishing_returns;
pub mod heinz;
pub mod ratings;
pub mod round_robin;
pub mod score_matrix;
pub mod sparring;
pub mod sparring_moves;
#[cfg(test)]
#[path = "tests/testing.rs"]
pub mod testing;

pub use self::{
    cross_table::CrossTable, cross_table::PairGames, cross_table::by_pair,
    diminishing_returns::DiminishingReturns, diminishing_returns::Returns, diminishing_returns::ReturnsTest,
    heinz::Diagonal, heinz::Match, heinz::WhiteScore, ratings::Fit, ratings::RatingAnchor, ratings::Ratings,
    round_robin::EntrantAnchor, round_robin::RoundRobin, round_robin::RoundRobinError,
    score_matrix::ColumnFit, score_matrix::ScoreMatrix, sparring::Sparring,
};
use std::collections::BTreeSet;

use crate::base::text::first_named;
use crate::lab::selfplay::{Contender, GameRecord, Side};
use crate::numbers::Estimate;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Choices {
    /// A depth of known strength. Without an anchor, depths are compared with the deepest depth.
    pub anchor: Option<RatingAnchor>,
    /// The fit for the strengths (Ferreira 2013, Table 8).
    pub fit: Fit,
    /// The matches for the verdict, each as two depths, the deeper depth first. Empty for all matches of
    /// neighboring depths.
    pub rows: Vec<[u32; 2]>,
    /// Depth whose self-play games form the calibration match.
    pub calibrate: Option<u32>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Experiment {
    pub table: CrossTable,
    pub scores: ScoreMatrix,
    pub diagonal: Diagonal,
    pub fits: Vec<ColumnFit>,
    /// Index of the contender with 0 Elo points.
    pub reference: usize,
    pub anchor: Option<RatingAnchor>,
    pub fit: Fit,
    /// Elo points by each fit, in the order of [`Fit::ALL`].
    pub ratings_by_fit: [Ratings; 3],
    /// Matches of neighboring depths, and of the two engines at equal depths.
    pub matches: Vec<Match>,
    /// The matches used for the verdict: the chosen matches, or all matches between neighboring depths of the
    /// engine.
    pub rows: Vec<Match>,
    /// Matches left out of the verdict, because a score of 0 or 1 has no standard error.
    pub certain: Vec<Match>,
    pub verdict: DiminishingReturns,
    pub calibration: Option<Match>,
    /// Pairs that played unequal numbers of games with each color.
    pub lopsided: Vec<[Contender; 2]>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExperimentError {
    #[error("no game of the experiment is finished, so there is nothing to compute")]
    NoGames,
    #[error("depth {depth} of --anchor did not play; depths that played: {played}")]
    Anchor { depth: u32, played: String },
    #[error("depths {first} and {second} of --rows did not play each other; pairs that did: {played}")]
    Row { first: u32, second: u32, played: String },
    #[error("depth {depth} of --calibrate did not play against itself; depths that did: {played}")]
    Calibrate { depth: u32, played: String },
}

impl Experiment {
    /// Evaluates the experiment from its `records`, which may be in any order.
    pub fn of(records: &[GameRecord], choices: &Choices) -> Result<Experiment, ExperimentError> {
        let table = CrossTable::of(records);
        let scores = table.scores();
        let deepest = ratings::deepest(&scores).ok_or(ExperimentError::NoGames)?;
        choices.check(&table.pairs())?;
        let anchored = choices.anchor.and_then(|anchor| table.place(engine(anchor.depth)));
        let reference = anchored.unwrap_or(deepest);
        let matches = heinz::matches(&table, records);
        let rows = rows(&table, records, &matches, &choices.rows);
        let (certain, rows): (Vec<Match>, Vec<Match>) =
            rows.into_iter().partition(|row| row.record.binomial_error() == 0.0);
        let calibration = choices.calibrate.and_then(|depth| heinz::calibration(&table, depth));
        Ok(Experiment {
            diagonal: Diagonal::of(&table, records),
            fits: scores.fits(),
            reference,
            anchor: choices.anchor,
            fit: choices.fit,
            ratings_by_fit: Fit::ALL.map(|fit| Ratings::of(&scores, fit, reference)),
            verdict: DiminishingReturns::of(&rows),
            lopsided: table.lopsided(),
            table,
            scores,
            matches,
            rows,
            certain,
            calibration,
        })
    }

    pub fn ratings(&self) -> &Ratings {
        let chosen = self.ratings_by_fit.iter().find(|ratings| ratings.fit == self.fit);
        chosen.expect("ratings by every fit")
    }

    pub fn reference(&self) -> Contender {
        self.table.contenders()[self.reference]
    }

    /// Returns whether strengths by depth are missing because no depth's strength is known.
    pub fn lacks_anchor(&self) -> bool {
        self.anchor.is_none() && self.table.contenders().len() > 1
    }

    /// Returns the score of `row` against `column` with the 95 % interval for independent games. `None` if
    /// the contenders did not meet, or if `row` equals `column`.
    pub fn score(&self, row: usize, column: usize) -> Option<Estimate> {
        let record = self.table.meeting(row, column).record().filter(|_| row != column)?;
        heinz::score_by_games(record)
    }
}

fn engine(depth: u32) -> Contender {
    Contender { side: Side::Engine, depth }
}

/// Returns the matches for the verdict: the `chosen` matches, or all `matches` between depths of the engine.
fn rows(table: &CrossTable, records: &[GameRecord], matches: &[Match], chosen: &[[u32; 2]]) -> Vec<Match> {
    if chosen.is_empty() {
        let of_engine = |row: &&Match| row.first.side == Side::Engine && row.second.side == Side::Engine;
        return matches.iter().filter(of_engine).copied().collect();
    }
    let mut chosen = chosen.to_vec();
    chosen.sort_unstable();
    chosen.dedup();
    let row = |[first, second]: [u32; 2]| heinz::between(table, records, engine(first), engine(second));
    chosen.into_iter().filter_map(row).collect()
}

impl Choices {
    /// Rejects a depth or match that is not in `pairs`. If `pairs` are the scheduled meetings, wrong choices
    /// are found before any game is played.
    pub fn check(&self, pairs: &[[Contender; 2]]) -> Result<(), ExperimentError> {
        let of_engine = pairs.iter().filter(|pair| pair.iter().all(|one| one.side == Side::Engine));
        let met: BTreeSet<[u32; 2]> =
            of_engine.map(|[one, other]| [one.depth.max(other.depth), one.depth.min(other.depth)]).collect();
        let each = pairs.iter().flatten().filter(|one| one.side == Side::Engine);
        let depths: BTreeSet<u32> = each.map(|one| one.depth).collect();
        if let Some(RatingAnchor { depth, .. }) = self.anchor.filter(|anchor| !depths.contains(&anchor.depth))
        {
            return Err(ExperimentError::Anchor { depth, played: listed(depths.iter()) });
        }
        if let Some(&[first, second]) = self.rows.iter().find(|row| !met.contains(*row)) {
            let others = met.iter().filter(|[one, other]| one != other);
            let played = listed(others.map(|[one, other]| format!("{one}-{other}")));
            return Err(ExperimentError::Row { first, second, played });
        }
        match self.calibrate.filter(|&depth| !met.contains(&[depth, depth])) {
            Some(depth) => {
                let own = met.iter().filter(|[one, other]| one == other).map(|[depth, _]| depth);
                Err(ExperimentError::Calibrate { depth, played: listed(own) })
            }
            None => Ok(()),
        }
    }
}

/// Lists the valid choices for a message.
fn listed<T: ToString>(names: impl Iterator<Item = T>) -> String {
    let listed = first_named(names.map(|name| name.to_string()), ", ");
    if listed.is_empty() { "none".to_owned() } else { listed }
}

#[cfg(test)]
mod tests {
    use rand_chacha::{ChaCha8Rng, rand_core::Rng, rand_core::SeedableRng};

    use super::*;
    use crate::chess::GameResult;
    use crate::numbers::EloCurve;

    fn error(choices: Choices) -> String {
        let games = testing::series(&[(6, 2, 2), (6, 3, 1), (5, 4, 1)]);
        Experiment::of(&games, &choices).expect_err("a bad choice").to_string()
    }

    #[test]
    fn a_choice_that_no_game_meets_is_refused_with_those_that_would_do() {
        let elo = Estimate { value: 2800.0, observations: 1, interval: None };
        let anchor = Some(RatingAnchor { depth: 9, elo });
        let said = error(Choices { anchor, ..Choices::default() });
        assert_eq!(said, "depth 9 of --anchor did not play; depths that played: 1, 2, 3, 4");
        let said = error(Choices { rows: vec![[2, 1], [4, 1]], ..Choices::default() });
        assert_eq!(said, "depths 4 and 1 of --rows did not play each other; pairs that did: 2-1, 3-2, 4-3");
        let said = error(Choices { calibrate: Some(2), ..Choices::default() });
        assert_eq!(said, "depth 2 of --calibrate did not play against itself; depths that did: none");
        assert_eq!(Experiment::of(&[], &Choices::default()), Err(ExperimentError::NoGames));
    }

    #[test]
    fn ferreiras_games_give_his_ladder_by_each_fit() {
        let experiment = Experiment::of(&testing::ferreira_games(), &Choices::default()).expect("games");
        assert_eq!(experiment.reference(), testing::depth(20));
        let depth_6 = |ratings: &Ratings| ratings.differences.as_ref().expect("ratings")[0].expect("depth 6");
        assert_eq!(
            experiment.ratings_by_fit.each_ref().map(|ratings| depth_6(ratings).value.round()),
            [-928.0, -952.0, -1279.0]
        );
        assert_eq!(experiment.matches.len(), 14);
    }

    #[test]
    fn a_match_won_in_all_games_is_shown_and_has_no_part_in_the_verdict() {
        let games = testing::series(&[(60, 20, 20), (100, 0, 0), (61, 20, 19)]);
        let experiment = Experiment::of(&games, &Choices::default()).expect("games");
        assert_eq!((experiment.matches.len(), experiment.rows.len(), experiment.certain.len()), (3, 2, 1));
        assert_eq!(experiment.verdict.findings[1].returns(2), Returns::Compatible);
    }

    #[test]
    fn two_depths_are_a_match_without_a_curve() {
        let games = testing::series(&[(6, 2, 2)]);
        let experiment = Experiment::of(&games, &Choices::default()).expect("games");
        assert_eq!(experiment.matches.len(), 1);
        assert!(experiment.ratings_by_fit.iter().all(|ratings| ratings.differences.is_err()));
        assert_eq!(experiment.verdict.findings[1].returns(1), Returns::Unknown);
    }

    /// Returns games of five depths with paired openings. In each pair of depths, each opening favors White
    /// by a random number of Elo points. Each depth is 80 Elo points stronger than the next shallower depth.
    /// There are no draws.
    fn played(random: &mut ChaCha8Rng) -> Vec<GameRecord> {
        let mut uniform = || random.next_u64() as f64 / u64::MAX as f64;
        let pairs = (1..=5).flat_map(|deep| (1..deep).map(move |shallow| [deep, shallow]));
        let games = pairs.flat_map(|pair| (0..20).map(move |opening| (pair, opening)));
        let mut records = Vec::new();
        for ([deep, shallow], opening) in games {
            let bias = 800.0 * (uniform() - 0.5);
            for (white, black) in [(deep, shallow), (shallow, deep)] {
                let ahead = bias + 80.0 * (f64::from(white) - f64::from(black));
                let wins = uniform() < EloCurve::Logistic.expected_score(ahead);
                let result = if wins { GameResult::WhiteWins } else { GameResult::BlackWins };
                let game = records.len() as u32;
                let opening = Some(opening);
                records.push(GameRecord {
                    game,
                    opening,
                    ..testing::game([white, black], result, game.into())
                });
            }
        }
        records
    }

    #[test]
    fn game_pairs_hold_the_score_as_often_as_they_say_and_single_games_more_often() {
        let mut random = ChaCha8Rng::seed_from_u64(6);
        let (mut by_pairs, mut by_games, mut falls, mut all) = (0, 0, 0, 0);
        // The mean score over openings of a side that is 80 points stronger, with White in half of the games.
        let steps = (0..1000).map(|step| 800.0 * ((f64::from(step) + 0.5) / 1000.0 - 0.5));
        let truth = steps.map(|bias| EloCurve::Logistic.expected_score(80.0 + bias)).sum::<f64>() / 1000.0;
        for _ in 0..250 {
            let experiment = Experiment::of(&played(&mut random), &Choices::default()).expect("games");
            for found in &experiment.matches {
                let holds = |score: Option<Estimate>| {
                    let interval = score.and_then(|score| score.interval).expect("an interval");
                    interval.low < truth && truth < interval.high
                };
                by_pairs += u32::from(holds(found.score()));
                by_games += u32::from(holds(heinz::score_by_games(found.record)));
                all += 1;
            }
            falls += u32::from(experiment.verdict.trend.expect("four rows").p < 0.05);
        }
        let share = |count: u32, of: u32| f64::from(count) / f64::from(of);
        // The share of 1,000 matches has a standard error of 0.007 at 0.95.
        assert!((0.93..0.97).contains(&share(by_pairs, all)), "{by_pairs} of {all}");
        assert!(share(by_games, all) > share(by_pairs, all) + 0.015, "{by_games} and {by_pairs} of {all}");
        // Every ply is worth the same here, so any trend is chance: 5 % of 250, standard error 1.4 %.
        assert!((0.01..0.12).contains(&share(falls, 250)), "{falls} of 250");
    }
}
