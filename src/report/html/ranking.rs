//! Owns the ranking of the page: a row a player, intervals drawn as bars in it.

use super::{MISSING, name};
use crate::{
    report::words::numbers::mark,
    stats::estimate::{Estimate, Interval},
    text::rounded,
    tournament::{Analysis, Measured, PlayerResult, kept::KeptRow, statistics::Statistic},
};

/// The rows with what is known of them at all.
pub struct Ranking {
    pub rows: Vec<RankingRow>,
    /// Whether a player has a rating.
    pub rated: bool,
    /// Whether the engine's choices are known.
    pub choices: bool,
    /// From where to where the bars of the scores reach, in words.
    pub kept_axis: String,
    pub score_axis: String,
}

/// One player.
pub struct RankingRow {
    pub rank: SortedCell,
    pub name: String,
    pub elo: SortedCell,
    pub points: SortedCell,
    pub moves: SortedCell,
    pub kept: ScoreCell,
    pub score: ScoreCell,
    pub performance: SortedCell,
    pub performance_range: String,
    pub loss: SortedCell,
    pub first: SortedCell,
    pub accuracy: SortedCell,
    pub leads: SortedCell,
}

/// A text with the number that it is sorted by; a missing one is sorted last.
pub struct SortedCell {
    pub text: String,
    pub value: String,
}

/// A score with its interval.
pub struct ScoreCell {
    pub cell: SortedCell,
    pub range: String,
    pub bar: Option<RangeBar>,
}

/// In percent of the width there is.
pub struct RangeBar {
    pub left: String,
    pub width: String,
    pub at: String,
}

/// The ends of an axis that bars of several rows share.
#[derive(Debug, Clone, Copy)]
struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    /// Wide enough for all of the estimates; `None` where there is nothing to draw.
    fn of(estimates: impl Iterator<Item = Estimate>) -> Option<Axis> {
        let ends = estimates.map(|estimate| match estimate.interval {
            Some(interval) => (interval.low.min(estimate.value), interval.high.max(estimate.value)),
            None => (estimate.value, estimate.value),
        });
        let (low, high) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
        (high > low).then_some(Axis { low, high })
    }

    fn words(axis: Option<Axis>) -> String {
        axis.map_or(String::new(), |axis| {
            format!("bars from {} to {}", rounded(axis.low, 2), rounded(axis.high, 2))
        })
    }

    fn place(self, value: f64) -> f64 {
        100.0 * (value - self.low) / (self.high - self.low)
    }

    fn bar(self, estimate: Estimate) -> RangeBar {
        let (low, high) = estimate
            .interval
            .map_or((estimate.value, estimate.value), |interval| (interval.low, interval.high));
        let (left, right) = (self.place(low), self.place(high));
        RangeBar {
            left: format!("{left:.1}%"),
            width: format!("{:.1}%", right - left),
            at: format!("{:.1}%", self.place(estimate.value)),
        }
    }
}

impl SortedCell {
    fn of(value: Option<f64>, decimals: usize) -> SortedCell {
        match value {
            Some(value) => SortedCell { text: rounded(value, decimals), value: format!("{value}") },
            None => SortedCell { text: MISSING.to_owned(), value: String::new() },
        }
    }
}

impl Ranking {
    /// The players in order of the score kept, those without moves last.
    pub fn of(analysis: &Analysis) -> Ranking {
        let kept: Vec<(&KeptRow, &PlayerResult)> = analysis
            .kept
            .rows
            .iter()
            .filter_map(|row| {
                let player = analysis.tournament.players.iter().find(|player| player.name == row.player)?;
                Some((row, player))
            })
            .collect();
        let kept_axis = Axis::of(kept.iter().map(|(row, _)| row.score));
        let score_axis = Axis::of(kept.iter().filter_map(|(_, player)| score(player)));
        let unmoved = analysis.tournament.players.iter().filter(|player| player.moves() == 0);
        let rows = kept
            .iter()
            .map(|(row, player)| (Some(*row), *player))
            .chain(unmoved.map(|player| (None, player)))
            .map(|(row, player)| RankingRow::of(analysis, row, player, [kept_axis, score_axis]));
        Ranking {
            rows: rows.collect(),
            rated: analysis.tournament.players.iter().any(|player| player.performance.is_some()),
            choices: analysis
                .statistics
                .iter()
                .any(|row| row.statistic == Statistic::FirstChoice && row.estimate.is_some()),
            kept_axis: Axis::words(kept_axis),
            score_axis: Axis::words(score_axis),
        }
    }
}

impl RankingRow {
    /// The scores that have bars.
    pub fn measured(&self) -> [&ScoreCell; 2] {
        [&self.kept, &self.score]
    }

    fn of(
        analysis: &Analysis,
        row: Option<&KeptRow>,
        player: &PlayerResult,
        [kept_axis, score_axis]: [Option<Axis>; 2],
    ) -> RankingRow {
        let statistic = |wanted: Statistic, decimals: usize| {
            let found =
                analysis.statistics.iter().find(|row| row.statistic == wanted && row.player == player.name);
            SortedCell::of(found.and_then(|row| row.estimate).map(|estimate| estimate.value), decimals)
        };
        let rank = row.map_or(SortedCell::of(None, 0), |row| SortedCell::of(Some(row.rank as f64), 0));
        let points = SortedCell {
            text: format!("{:.1}/{}", player.points(), player.games),
            value: format!("{}", player.points()),
        };
        let leads = SortedCell::of(player.ranks.map(|ranks| 100.0 * ranks.first), 1);
        RankingRow {
            rank,
            name: name(&player.name),
            elo: SortedCell::of(
                player.elo.map(|elo| elo.value),
                usize::from(player.elo.is_some_and(|e| e.value.fract() != 0.0)),
            ),
            points,
            moves: SortedCell::of(Some(player.moves() as f64), 0),
            kept: ScoreCell::of(row.map(|row| row.score), kept_axis),
            score: ScoreCell::of(score(player), score_axis),
            performance: performance(player),
            performance_range: range(
                player.performance.and_then(|performance| performance.intervals.cluster),
                0,
            ),
            loss: statistic(Statistic::CentipawnLoss, 1),
            first: statistic(Statistic::FirstChoice, 1),
            accuracy: statistic(Statistic::Accuracy, 1),
            leads,
        }
    }
}

impl ScoreCell {
    fn of(estimate: Option<Estimate>, axis: Option<Axis>) -> ScoreCell {
        ScoreCell {
            cell: SortedCell::of(estimate.map(|estimate| estimate.value), 3),
            range: range(estimate.and_then(|estimate| estimate.interval), 3),
            bar: estimate.zip(axis).map(|(estimate, axis)| axis.bar(estimate)),
        }
    }
}

/// Behind `>` or `<` where the expected score, 1 or 0, has no finite difference.
fn performance(player: &PlayerResult) -> SortedCell {
    let cell = SortedCell::of(player.performance.map(|performance| performance.value), 0);
    let mark = player.performance.map_or("", |performance| mark(performance.bound));
    SortedCell { text: format!("{mark}{}", cell.text), ..cell }
}

/// The expected score with its interval by game.
fn score(player: &PlayerResult) -> Option<Estimate> {
    player.expected_score.map(Measured::estimate)
}

fn range(interval: Option<Interval>, decimals: usize) -> String {
    interval.map_or(String::new(), |interval| {
        format!("{} to {}", rounded(interval.low, decimals), rounded(interval.high, decimals))
    })
}
