//! [`Survey`]: the results of an archive's counts, group by group.

use std::collections::BTreeSet;

use super::{
    clocks::ClockClass, clocks::ClockCounts, counts::ArchiveCounts, counts::GroupCounts, counts::GroupPlay,
    game_counts::KEPT_UNIT, options::CountKey,
};
use crate::measure::{
    calibration::Calibration, calibration::RatingOfPlay, calibration::RatingScale, group::Grouping,
    peers::UsualRow,
};
use crate::numbers::{BinWidth, ClusterSums, EloCurve, Estimate, Histogram, Interval, rating::strength};

/// The tables of an archive.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Survey {
    /// One row per group, in the order of [`Grouping::order`].
    pub groups: Vec<GroupRow>,
    /// The scales of the ratings of play.
    pub scales: BTreeSet<RatingScale>,
    /// The classes of time left, then the classes of time spent. Classes without moves are left out.
    pub clocks: Vec<ClockRow>,
    /// Quantiles of the measures of single games by group, if counted.
    pub usual: Vec<UsualRow>,
    /// Mean of `elo` − `elo_difference` over the rated groups, if the groups are players.
    pub engine_strength: Option<Estimate>,
    /// True if the groups are players whose ratings belong to several systems. Then there is no
    /// `engine_strength`.
    pub has_several_systems: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct GroupRow {
    pub key: String,
    /// Number of games in which a player of the group has a counted move.
    pub games: u64,
    pub moves: u64,
    /// Mean of the ratings in the games' tags.
    pub elo: Option<f64>,
    /// Mean of the points scored in games with a known result, from 0 to 1.
    pub points: Option<f64>,
    pub histogram: Histogram,
    /// Expected score against an engine whose gains are all 0 (Ferreira, Eqs. 7 and 8), with an interval
    /// clustered by game; `None` without moves.
    pub expected_score: Option<Estimate>,
    /// Elo difference of the expected score (Eq. 2).
    pub elo_difference: Option<Estimate>,
    /// `elo` − `elo_difference`: the engine's strength as seen from this group (Table 6). `None` without
    /// ratings or moves, and if the ratings in the group belong to several systems.
    pub engine_strength: Option<f64>,
    /// [`Survey::engine_strength`] + `elo_difference` (Table 7), if the groups are players.
    pub performance: Option<f64>,
    /// Mean gain in the metric's unit.
    pub mean_gain: Option<f64>,
    /// Mean of max(0, −gain) in centipawns, over the counted moves.
    pub loss_cp: Option<f64>,
    /// Score kept, with an interval clustered by game; see [`crate::measure::tournament::kept`].
    pub score_kept: Option<Estimate>,
    pub rating: Option<RatingOfPlay>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ClockRow {
    pub class: ClockClass,
    /// Lower end of the class in seconds.
    pub from: u32,
    pub to: Option<u32>,
    pub games: u64,
    pub moves: u64,
    /// Mean gain in the metric's unit.
    pub mean_gain: Estimate,
    pub expected_score: Estimate,
}

impl Survey {
    /// Computes the survey of the counts `tally`, which were made with the options `identity`. Ratings of
    /// play come from the calibrations in `calibrations` that fit the ratings in the games.
    pub fn of(
        tally: &ArchiveCounts,
        identity: &CountKey,
        curve: EloCurve,
        calibrations: &[Calibration],
    ) -> Survey {
        let (by, width) = (identity.by, identity.band.width());
        let systems = tally.groups.values().flat_map(|counts| &counts.systems);
        let systems: Vec<_> = systems.map(|(&system, &sides)| (system, None, sides)).collect();
        let calibrations = Calibration::for_systems(calibrations.to_vec(), &systems);
        let scales =
            tally.groups.values().filter_map(|counts| Some(calibrated(counts, &calibrations)?.0.scale));
        let row = |(key, counts): (&String, &GroupCounts)| GroupRow {
            rating: rating(counts, &calibrations),
            ..GroupRow::of(key, counts, width, curve)
        };
        let mut groups: Vec<GroupRow> = tally.groups.iter().map(row).collect();
        groups.sort_by(|a, b| by.order(&a.key, &b.key));
        let (mut engine_strength, mut has_several_systems) = (None, false);
        if by == Grouping::Player {
            let rated = groups.iter().filter_map(|row| Some((row.elo?, row.elo_difference?.value)));
            let systems: BTreeSet<_> =
                tally.groups.values().flat_map(|counts| counts.systems.keys()).collect();
            engine_strength = strength::of_engine(rated).filter(|_| systems.len() <= 1);
            has_several_systems = systems.len() > 1;
            for row in &mut groups {
                let terms = engine_strength.zip(row.elo_difference);
                row.performance =
                    terms.map(|(engine, difference)| strength::performance(engine, difference).value);
            }
        }
        let classes = ClockClass::ALL.into_iter().flat_map(|class| {
            let counts = tally.clocks.counts(class).iter().enumerate();
            counts.filter_map(move |(at, counts)| ClockRow::of(class, at, counts))
        });
        let usual = {
            let counts = |row: &GroupRow| tally.groups.get_key_value(&row.key);
            let rows = |(group, counts): (&String, &GroupCounts)| {
                UsualRow::of(group, &counts.usual).collect::<Vec<_>>()
            };
            groups.iter().filter_map(counts).flat_map(rows).collect()
        };
        let scales = scales.collect();
        Survey { groups, scales, clocks: classes.collect(), usual, engine_strength, has_several_systems }
    }
}

impl GroupRow {
    fn of(key: &str, counts: &GroupCounts, width: BinWidth, curve: EloCurve) -> GroupRow {
        let mean = |sum: u64, count: u64| (count > 0).then(|| sum as f64 / count as f64);
        let histogram = counts.gains.histogram(width);
        let moves = histogram.total();
        let expected_score = score(&counts.scores);
        let elo_difference = expected_score.map(|score| curve.estimate(score));
        let elo = mean(counts.elo, counts.rated);
        let total: i128 = counts.gains.iter().map(|(gain, count)| i128::from(gain) * i128::from(count)).sum();
        let kept = counts.kept.estimate(KEPT_UNIT).map(|estimate| Estimate {
            interval: estimate.interval.map(|interval| interval.within(0.0, 0.5)),
            ..estimate
        });
        GroupRow {
            key: key.to_owned(),
            games: counts.games,
            moves,
            elo,
            points: mean(counts.half_points, 2 * counts.results),
            expected_score,
            elo_difference,
            // Ratings of several systems have no common mean.
            engine_strength: elo
                .filter(|_| counts.systems.len() <= 1)
                .zip(elo_difference)
                .map(|(elo, difference)| strength::seen_from(elo, difference.value)),
            performance: None,
            mean_gain: (moves > 0).then(|| total as f64 / moves as f64),
            loss_cp: mean(counts.loss_cp, moves),
            score_kept: kept,
            rating: None,
            histogram,
        }
    }
}

impl ClockRow {
    pub fn label(&self) -> String {
        let place = self.class.bounds().iter().position(|&bound| bound == self.from);
        place.map_or(String::new(), |place| self.class.label(place))
    }

    fn of(class: ClockClass, at: usize, counts: &ClockCounts) -> Option<ClockRow> {
        let bounds = class.bounds();
        Some(ClockRow {
            class,
            from: bounds[at],
            to: bounds.get(at + 1).copied(),
            games: counts.gains.clusters,
            moves: counts.gains.count,
            mean_gain: counts.gains.estimate(1.0)?,
            expected_score: score(&counts.scores)?,
        })
    }
}

/// Returns the calibration and the sums of a group's rating of play. The rating is based on one kind of
/// evaluations: the kind with the most moves among those that have a calibration.
fn calibrated<'c>(
    counts: &GroupCounts,
    calibrations: &'c [Calibration],
) -> Option<(&'c Calibration, GroupPlay)> {
    let of_kind = |calibration: &Calibration| counts.plays.get(&calibration.kind()).copied();
    let known = calibrations.iter().filter_map(|calibration| Some((calibration, of_kind(calibration)?)));
    known.max_by_key(|(_, play)| play.total.moves())
}

fn rating(counts: &GroupCounts, calibrations: &[Calibration]) -> Option<RatingOfPlay> {
    let (calibration, play) = calibrated(counts, calibrations)?;
    Some(calibration.model.rate_total(&play.total, usize::try_from(play.sides).unwrap_or(usize::MAX)))
}

/// Returns the expected score from sums of half-points. If the score is 0 or 1, the interval is exact. A
/// single game has no interval.
fn score(half_points: &ClusterSums) -> Option<Estimate> {
    let estimate = half_points.estimate(0.5)?;
    let games = half_points.clusters as usize;
    let interval = if estimate.value == 0.0 || estimate.value == 1.0 {
        (games > 1).then(|| Interval::certain(estimate.value, games))
    } else {
        estimate.interval.map(|interval| interval.within(0.0, 1.0))
    };
    Some(Estimate { interval, ..estimate })
}
