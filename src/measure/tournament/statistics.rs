//! The registry of player statistics: the key, the column heading, the meaning and the computation of each.

use serde::{Serialize, Serializer};
use shakmaty::ByColor;

use super::{
    Method, MoveSample, facts::Appearance, facts::MoveFacts, kept, uncertainty::PlayerSamples,
    uncertainty::SideScore,
};
use crate::chess::Metric;
use crate::measure::quantity::{Quantity, Unit};
use crate::numbers::{ClusteredMean, Estimate, Interval, IntervalMethod};

#[derive(Debug, Clone, Copy)]
pub struct StatisticFacts {
    /// The statistic's name in files, usually with its unit as a suffix (`_percent`, `_cp`).
    pub key: &'static str,
    /// The heading of the statistic's column; empty for a statistic without a column.
    pub heading: &'static str,
    /// The label of the statistic's row in the table of usual values at a rating; empty for a statistic
    /// without such a row.
    pub title: &'static str,
    pub quantity: Quantity,
    /// The meaning of the statistic's column, for the documentation.
    pub meaning: &'static str,
    /// The smallest and the largest possible value.
    pub bounds: (f64, f64),
    pub better: Sign,
    /// Priority for dropping the statistic's column from the table of all measures on a narrow terminal: the
    /// highest first, 0 never.
    pub gives_way: u8,
    pub source: StatisticSource,
}

/// The direction in which a statistic improves. In a calibration, its coefficient must have this sign, so
/// that the rating never falls when play improves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sign {
    /// Larger values are better.
    Positive,
    /// Smaller values are better.
    Negative,
}

#[derive(Debug, Clone, Copy)]
pub enum StatisticSource {
    /// A mean over moves. The function returns the contribution of a move, `None` if it is unknown.
    Moves(fn(&MoveFacts, &Method) -> Option<f64>),
    /// A mean over games. The function returns the contribution of one side, `None` if it is unknown.
    Games(fn(&Appearance) -> Option<f64>),
    /// A statistic computed from all moves of all players at once. The function returns the statistic of each
    /// player, `None` if it is unknown.
    Sample(fn(&MoveSample, &Method) -> Vec<Option<Estimate>>),
    /// The natural logarithm of another statistic, for calibrations.
    Log(Statistic),
}

/// Returns half the width of the Wilson interval for a share of moves, in percentage points. The estimate is
/// in percent.
fn share_of_moves(estimate: Estimate) -> Option<f64> {
    let hits = (estimate.value / 100.0 * estimate.observations as f64).round() as u64;
    let interval = Estimate::share(hits, estimate.observations as u64)?.interval?;
    Some(100.0 * interval.half_width())
}

/// The two thresholds for blunders: the smallest loss of a blunder, in centipawns.
pub const BLUNDERS: [u32; 2] = [100, 200];

/// The common properties of scores; larger values are better.
const SCORE: StatisticFacts = StatisticFacts {
    key: "",
    heading: "",
    title: "",
    quantity: Quantity::GAME_SCORE,
    meaning: "",
    bounds: (f64::NEG_INFINITY, f64::INFINITY),
    better: Sign::Positive,
    gives_way: 0,
    source: StatisticSource::Sample(expected_scores),
};

const SHARE: StatisticFacts =
    StatisticFacts { quantity: Unit::Percent.usual(), bounds: (0.0, 100.0), ..SCORE };

/// The common properties of losses of winning chances, in percentage points.
const LOST_CHANCES: StatisticFacts =
    StatisticFacts { quantity: Unit::PercentagePoints.usual(), better: Sign::Negative, ..SHARE };

const LOST_CENTIPAWNS: StatisticFacts = StatisticFacts {
    quantity: Unit::Centipawns.usual(),
    bounds: (0.0, f64::INFINITY),
    better: Sign::Negative,
    ..SCORE
};

/// The common properties of logarithms of losses.
const LOG: StatisticFacts = StatisticFacts { quantity: Unit::Nats.usual(), better: Sign::Negative, ..SCORE };

/// Defines [`Statistic`] and its registry. Each row names a constant with common properties and sets the
/// remaining properties.
macro_rules! statistics {
    ($($(#[$doc:meta])* $statistic:ident: $shared:ident { $($field:ident: $value:expr,)* })*) => {
        /// A statistic of a player, or of some of the player's moves. [`Statistic::facts`] returns its
        /// properties.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Statistic {
            $($(#[$doc])* $statistic,)*
        }

        static REGISTRY: &[StatisticFacts] = &[$(StatisticFacts { $($field: $value,)* ..$shared },)*];
    };
}

statistics! {
    /// The expected score against the engine (Ferreira, Eq. 8).
    ExpectedScore: SCORE {
        key: "expected_score",
        heading: "Expected\nscore",
        meaning: "Expected score against the engine.",
        source: StatisticSource::Sample(expected_scores),
    }
    /// The score kept in a game; see the module `kept`.
    ScoreKept: SCORE {
        key: "score_kept",
        heading: "Score\nkept",
        meaning: "Expected score of an even game after the player's errors, if the opponent makes none; mean \
                  over games.",
        source: StatisticSource::Sample(scores_kept),
    }
    /// Mean gain in centipawns, with evaluations clamped to ±clip.
    MeanGain: SCORE {
        key: "mean_gain_cp",
        heading: "Mean\ngain",
        quantity: Unit::Centipawns.usual(),
        meaning: "Mean gain of the moves that count, after clipping.",
        gives_way: 3,
        source: StatisticSource::Moves(gain),
    }
    /// The share of top moves: the moves that the engine also prefers.
    FirstChoice: SHARE {
        key: "first_choice_percent",
        heading: "Top\nmoves %",
        title: "Top moves, %",
        meaning: "Top moves: moves that the engine also prefers; empty if its best moves are unknown.",
        gives_way: 2,
        source: StatisticSource::Moves(|facts, _| facts.first_choice.map(percent)),
    }
    /// Mean of max(0, −gain), where a gain is the change of the winning chance by lichess's curve.
    WinLoss: LOST_CHANCES {
        key: "win_loss_percent",
        heading: "Loss of\nwin %",
        title: "Loss of winning chances a move, %",
        meaning: "Loss of winning chances in percentage points per move.",
        gives_way: 1,
        // Not by the metric of that name, because its values are rounded to whole numbers for bins.
        source: StatisticSource::Moves(|facts, method| {
            Some(100.0 * loss(facts.evals()?.win_probability_gain(&method.scale())))
        }),
    }
    /// Mean of max(0, −gain) in centipawns, as lichess counts it. The evaluation before the first move is
    /// +0.15, evaluations are clamped to ±10 pawns, and moves that mate do not count; see
    /// [`crate::chess::judgment::MoveVerdict`].
    CentipawnLoss: LOST_CENTIPAWNS {
        key: "centipawn_loss",
        heading: "Centipawn\nloss",
        meaning: "Centipawns lost per move, as lichess counts them.",
        source: StatisticSource::Moves(|facts, _| facts.verdict.centipawn_loss.map(f64::from)),
    }
    /// Mean of max(0, −gain) in centipawns over all moves with an evaluation before and after, without
    /// lichess's exceptions. Calibrations use it.
    EvaluationLoss: LOST_CENTIPAWNS {
        key: "evaluation_loss_cp",
        title: "Evaluation loss a move, cp",
        source: StatisticSource::Moves(|facts, method| gain(facts, method).map(loss)),
    }
    /// Mean of max(0, −gain), where a gain is the change of the expected result by the engine's own chances
    /// of a win, a draw and a loss.
    WdlLoss: LOST_CHANCES {
        key: "wdl_loss_percent",
        heading: "Loss by\nWDL, %",
        meaning: "Loss by the engine's own win, draw and loss chances, in percentage points per move.",
        gives_way: 3,
        source: StatisticSource::Moves(|facts, _| facts.evals()?.wdl_gain().map(|gain| 100.0 * loss(gain))),
    }
    /// Mean of lichess's accuracy over whole games. Filters of rounds and color apply, filters of moves do
    /// not.
    Accuracy: SHARE {
        key: "accuracy_percent",
        heading: "Accuracy\n%",
        title: "Accuracy, %",
        meaning: "Accuracy as lichess defines it, mean over whole games.",
        source: StatisticSource::Games(|side| side.accuracy),
    }
    /// The share of moves that lose 100 centipawns or more.
    Blunder100: SHARE {
        key: "blunder_100_percent",
        title: "Moves that lose a pawn or more, %",
        better: Sign::Negative,
        source: StatisticSource::Moves(|facts, method| blunder(BLUNDERS[0], facts, method)),
    }
    /// The share of moves that lose 200 centipawns or more.
    Blunder200: SHARE {
        key: "blunder_200_percent",
        title: "Moves that lose two pawns or more, %",
        better: Sign::Negative,
        source: StatisticSource::Moves(|facts, method| blunder(BLUNDERS[1], facts, method)),
    }
    /// The natural logarithm of the loss of winning chances.
    LogWinLoss: LOG {
        key: "log_win_loss",
        source: StatisticSource::Log(Statistic::WinLoss),
    }
    /// The natural logarithm of the evaluation loss.
    LogEvaluationLoss: LOG {
        key: "log_evaluation_loss",
        source: StatisticSource::Log(Statistic::EvaluationLoss),
    }
}

impl StatisticFacts {
    pub fn decimals(&self) -> usize {
        self.quantity.decimals.shown(0.0)
    }
}

/// The smallest number of games for a clustered interval. With two games, Student's t is 12.7, and the
/// interval would be useless.
pub const FEWEST_GAMES: usize = 3;

impl Statistic {
    /// The statistics of the table of all measures, in the order of the columns.
    pub const KNOWN: [Statistic; 6] = [
        Statistic::MeanGain,
        Statistic::CentipawnLoss,
        Statistic::WinLoss,
        Statistic::WdlLoss,
        Statistic::FirstChoice,
        Statistic::Accuracy,
    ];

    /// Statistics of the ranking, in the order of their columns. The same order holds in files, tables,
    /// pages, profiles and the output of `players`.
    pub const RANKED: [Statistic; 3] = [Statistic::FirstChoice, Statistic::CentipawnLoss, Statistic::WinLoss];

    /// Statistics of the ranking that is shown during a search.
    pub const LIVE: [Statistic; 2] = [Statistic::FirstChoice, Statistic::WinLoss];

    /// Statistics of the table at the end of a run, with the priority for hiding each on a narrow terminal.
    pub const SUMMARY: [(Statistic, u8); 3] =
        [(Statistic::FirstChoice, 1), (Statistic::CentipawnLoss, 4), (Statistic::Accuracy, 5)];

    /// Statistics of the table of games, which has one value for each side of a game.
    pub const OF_SIDES: [Statistic; 4] =
        [Statistic::MeanGain, Statistic::CentipawnLoss, Statistic::WinLoss, Statistic::FirstChoice];

    /// Returns the statistic's properties.
    pub fn facts(self) -> &'static StatisticFacts {
        &REGISTRY[self as usize]
    }

    /// Returns the statistic's name in files.
    pub fn name(self) -> &'static str {
        self.facts().key
    }

    /// Returns the heading of the statistic's column on one line.
    pub fn words(self) -> String {
        self.facts().heading.replace('\n', " ")
    }

    /// Returns the statistic's name in JSON, without the unit.
    pub fn json_key(self) -> &'static str {
        self.name().trim_end_matches("_percent").trim_end_matches("_cp")
    }

    /// Returns `value`, negated if smaller values are better. So a larger result is always better.
    pub fn merit(self, value: f64) -> f64 {
        match self.facts().better {
            Sign::Positive => value,
            Sign::Negative => -value,
        }
    }

    /// Returns the estimate with its interval adjusted. With fewer than [`FEWEST_GAMES`] games, the estimate
    /// gets no interval.
    ///
    /// The interval is cut at the statistic's smallest and largest possible value. The interval for a share of
    /// moves is at least as wide as for independent moves, because the differences between games are too small
    /// if games agree by chance.
    pub(in crate::measure) fn bounded(self, estimate: Estimate) -> Estimate {
        let StatisticFacts { bounds: (low, high), quantity, source, .. } = self.facts();
        let is_share = matches!(source, StatisticSource::Moves(_)) && quantity.unit == Unit::Percent;
        let floor = is_share.then(|| share_of_moves(estimate)).flatten().unwrap_or_default();
        let enough = estimate.interval.filter(|interval| {
            !matches!(interval.method, IntervalMethod::ClusterT { freedom } if freedom + 1 < FEWEST_GAMES)
        });
        let interval = enough.map(|interval| {
            let margin = interval.half_width().max(floor);
            let widened =
                Interval { low: estimate.value - margin, high: estimate.value + margin, ..interval };
            (if interval.half_width() < floor { widened } else { interval }).within(*low, *high)
        });
        Estimate { interval, ..estimate }
    }

    /// Returns the contribution of a move to the mean; `None` if it is unknown, and for statistics that are
    /// not means over moves.
    pub fn of_move(self, facts: &MoveFacts, method: &Method) -> Option<f64> {
        match self.facts().source {
            StatisticSource::Moves(of) => of(facts, method),
            StatisticSource::Games(_) | StatisticSource::Sample(_) | StatisticSource::Log(_) => None,
        }
    }

    /// Returns the statistic's mean over each side's moves that pass the filter, in the game at index
    /// `place`. `None` for a side without such moves or without known values, and for statistics that are not
    /// means over moves.
    pub fn of_game(self, sample: &MoveSample, place: usize, method: &Method) -> ByColor<Option<f64>> {
        ByColor::new_with(|color| {
            let own =
                sample.moves_of(place).iter().filter(|facts| facts.mover == color && method.keeps(facts));
            let values: Vec<f64> = own.filter_map(|facts| self.of_move(facts, method)).collect();
            (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
        })
    }

    /// Returns the statistic of each player, in the order of [`MoveSample::players`]; `None` for a player for
    /// whom it is unknown, and for logarithms.
    pub fn of(self, sample: &MoveSample, method: &Method) -> Vec<Option<Estimate>> {
        let mut means = vec![ClusteredMean::default(); sample.players.len()];
        match self.facts().source {
            StatisticSource::Sample(of) => return of(sample, method),
            StatisticSource::Log(_) => {}
            StatisticSource::Games(of) => {
                let is_counted = |side: &&Appearance| method.filter.keeps_side(side.color, side.round);
                for side in sample.appearances.iter().filter(is_counted) {
                    of(side).into_iter().for_each(|value| means[side.player as usize].add(side.game, value));
                }
            }
            StatisticSource::Moves(of) => {
                for facts in sample.moves.iter().filter(|facts| method.keeps(facts)) {
                    if let Some(value) = of(facts, method) {
                        means[facts.player as usize].add(facts.game, value);
                    }
                }
            }
        }
        means.iter().map(|mean| mean.estimate().map(|estimate| self.bounded(estimate))).collect()
    }
}

impl Serialize for Statistic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

fn expected_scores(sample: &MoveSample, method: &Method) -> Vec<Option<Estimate>> {
    let sides = PlayerSamples::new(sample, method, |_| true);
    let score = |side| sides.score(side).map(|SideScore { estimate, .. }| estimate);
    (0..sample.players.len()).map(score).collect()
}

fn scores_kept(sample: &MoveSample, method: &Method) -> Vec<Option<Estimate>> {
    kept::scores(sample, method).iter().map(ClusteredMean::estimate).collect()
}

fn gain(facts: &MoveFacts, method: &Method) -> Option<f64> {
    facts.gain(Metric::Centipawns, method.clip).map(|gain| gain as f64)
}

fn loss(gain: f64) -> f64 {
    (-gain).max(0.0)
}

fn blunder(bound: u32, facts: &MoveFacts, method: &Method) -> Option<f64> {
    Some(percent(loss(gain(facts, method)?) >= f64::from(bound)))
}

/// Returns a move's contribution to a share in percent: 100 if `is_such`, else 0.
fn percent(is_such: bool) -> f64 {
    if is_such { 100.0 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_statistic_stands_in_its_place_under_a_name_of_its_own() {
        let mut keys: Vec<&str> = REGISTRY.iter().map(|facts| facts.key).collect();
        assert_eq!(Statistic::LogEvaluationLoss as usize + 1, REGISTRY.len());
        assert_eq!(
            [Statistic::WinLoss, Statistic::LogEvaluationLoss].map(Statistic::name),
            ["win_loss_percent", "log_evaluation_loss"]
        );
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), REGISTRY.len());
    }
}
