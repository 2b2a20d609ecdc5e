//! [`Survey`]: the results of an archive's counts, group by group.

use std::{collections::BTreeMap, collections::BTreeSet};

use super::{
    clocks::ClockClass, clocks::ClockCounts, counts::ArchiveCounts, counts::GroupCounts, counts::GroupPlay,
    entrants::TimedBlunders, entrants::Upset, entrants::split_entrant, game_counts::KEPT_UNIT,
    options::CountKey,
};
use crate::measure::{
    calibration::Calibration, calibration::RatingOfPlay, calibration::RatingScale, group::Grouping,
    group::UNKNOWN, peers::UsualRow,
};
use crate::numbers::{
    BinWidth, ClusterSums, EloCurve, Estimate, Histogram, Interval, rating::strength, stats::estimate::LEVEL,
    stats::multiple::student_p,
};

/// The tables of an archive.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Survey {
    /// One row per group, in the order of [`Grouping::order`].
    pub groups: Vec<GroupRow>,
    /// The players of each group, if the groups are events.
    pub events: Vec<EventRow>,
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

/// An event, with its players.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EventRow {
    /// The group of the event.
    pub event: String,
    pub games: u64,
    /// Mean rating of the movers, as in [`GroupRow::elo`].
    pub elo: Option<f64>,
    pub timed: TimedBlunders,
    /// The best results first. Players with too few games for a comparison are last.
    pub entrants: Vec<EntrantRow>,
    /// Number of games by upset, the largest difference of ratings last.
    pub upsets: BTreeMap<Upset, u64>,
}

/// A player of an event.
#[derive(Debug, Clone, PartialEq)]
pub struct EntrantRow {
    pub name: String,
    /// The title in most of the games.
    pub title: Option<String>,
    pub games: u64,
    pub moves: u64,
    pub elo: Option<f64>,
    /// Games with a known result, and the points scored in them.
    pub results: u64,
    pub points: f64,
    pub expected_score: Option<Estimate>,
    pub elo_difference: Option<Estimate>,
    /// Mean strength of the engine as seen from the rated players of the event, plus `elo_difference` (Ferreira 2013, Table 7).
    pub performance: Option<Estimate>,
    /// True if the player has enough games for a comparison: three, and half as many as any player of the event.
    pub is_compared: bool,
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
        let own = tally.groups.iter().filter(|(key, _)| split_entrant(key).is_none());
        let mut groups: Vec<GroupRow> = own.map(row).collect();
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
        let (scales, events) = (scales.collect(), EventRow::all(tally, &groups, identity, curve));
        Survey {
            groups,
            events,
            scales,
            clocks: classes.collect(),
            usual,
            engine_strength,
            has_several_systems,
        }
    }
}

/// The fewest games of a group that is compared with other groups.
const COMPARED: u64 = 10;

impl GroupRow {
    /// Returns the two groups whose expected scores differ most, the better one first, if the difference is
    /// significant after Bonferroni's correction for all pairs of `rows`. The group [`UNKNOWN`] and groups with fewer
    /// than ten games are not compared.
    pub fn contrast<'r>(rows: &[&'r GroupRow]) -> Option<[&'r GroupRow; 2]> {
        let is_known = |row: &&&GroupRow| row.key != UNKNOWN && row.games >= COMPARED;
        let known: Vec<&GroupRow> = rows.iter().filter(is_known).copied().collect();
        let comparisons = (known.len() * known.len().saturating_sub(1) / 2) as f64;
        let compared = |best: &'r GroupRow, worst: &'r GroupRow| {
            let [one, other] = [best.expected_score?, worst.expected_score?];
            let error = one.interval?.standard_error.hypot(other.interval?.standard_error);
            let (more, freedom) = (one.value - other.value, best.games.min(worst.games) as usize - 1);
            let differs = more > 0.0 && comparisons * student_p(more / error, freedom) < 1.0 - LEVEL;
            differs.then_some((more, [best, worst]))
        };
        let pairs = known.iter().flat_map(|best| known.iter().filter_map(|worst| compared(best, worst)));
        pairs.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, pair)| pair)
    }

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

impl EventRow {
    /// Returns the events that have players, in the order of `groups`.
    fn all(
        tally: &ArchiveCounts,
        groups: &[GroupRow],
        identity: &CountKey,
        curve: EloCurve,
    ) -> Vec<EventRow> {
        let mut entrants: BTreeMap<&str, Vec<EntrantRow>> = BTreeMap::new();
        for (key, counts) in &tally.groups {
            let Some((event, name)) = split_entrant(key) else { continue };
            let row = EntrantRow::of(name, counts, GroupRow::of(key, counts, identity.band.width(), curve));
            entrants.entry(event).or_default().push(row);
        }
        let event = |group: &GroupRow| {
            let mut entrants = entrants.remove(group.key.as_str())?;
            let counts = &tally.groups[&group.key];
            let rated = entrants.iter().filter_map(|row| Some((row.elo?, row.elo_difference?.value)));
            let engine = strength::of_engine(rated).filter(|_| counts.systems.len() <= 1);
            let most = entrants.iter().map(|row| row.games).max().unwrap_or_default();
            for row in &mut entrants {
                row.performance =
                    engine.zip(row.elo_difference).map(|(engine, own)| strength::performance(engine, own));
                row.is_compared =
                    row.games >= EntrantRow::FEWEST && 2 * row.games >= most && row.name != UNKNOWN;
            }
            let score = |row: &EntrantRow| row.expected_score.map_or(f64::NEG_INFINITY, |score| score.value);
            entrants.sort_by(|a, b| {
                let best = score(b).total_cmp(&score(a)).then_with(|| a.name.cmp(&b.name));
                b.is_compared.cmp(&a.is_compared).then(best)
            });
            let (games, elo) = (group.games, group.elo);
            Some(EventRow {
                event: group.key.clone(),
                games,
                elo,
                timed: counts.timed,
                entrants,
                upsets: counts.upsets.clone(),
            })
        };
        groups.iter().filter_map(event).collect()
    }

    /// Returns the players with the best results, at most this many.
    pub fn best(&self, most: usize) -> impl Iterator<Item = &EntrantRow> {
        self.entrants.iter().filter(|row| row.is_compared).take(most)
    }

    /// Returns the number of players with a title.
    pub fn titled(&self) -> usize {
        self.entrants.iter().filter(|row| row.title.is_some()).count()
    }
}

impl EntrantRow {
    /// The fewest games of a player who is compared.
    const FEWEST: u64 = 3;

    fn of(name: &str, counts: &GroupCounts, row: GroupRow) -> EntrantRow {
        EntrantRow {
            name: name.to_owned(),
            title: counts.titles.iter().max_by_key(|(_, games)| **games).map(|(title, _)| title.clone()),
            games: row.games,
            moves: row.moves,
            elo: row.elo,
            results: counts.results,
            points: counts.half_points as f64 / 2.0,
            expected_score: row.expected_score,
            elo_difference: row.elo_difference,
            performance: None,
            is_compared: false,
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns a group with this expected score and its standard error.
    fn group(key: &str, games: u64, value: f64, error: f64) -> GroupRow {
        let counts = GroupCounts { games, ..GroupCounts::default() };
        let row = GroupRow::of(key, &counts, BinWidth::default(), EloCurve::default());
        let interval = Some(Interval::normal(value, error));
        let score = Estimate { value, observations: games as usize, interval };
        GroupRow { expected_score: Some(score), ..row }
    }

    fn contrast(groups: &[GroupRow]) -> Option<[&str; 2]> {
        let rows: Vec<&GroupRow> = groups.iter().collect();
        GroupRow::contrast(&rows).map(|pair| pair.map(|row| row.key.as_str()))
    }

    #[test]
    fn the_contrast_is_the_largest_difference_that_is_significant_among_all_comparisons() {
        // t = 0.1/(0.02√2) = 3.54 with 9 degrees of freedom: p = 0.0064, and 0.019 after three comparisons.
        let two = [group("a", 10, 0.4, 0.02), group("b", 10, 0.5, 0.02)];
        assert_eq!(contrast(&two), Some(["b", "a"]));
        let [a, b] = two;
        assert_eq!(contrast(&[a.clone(), b.clone(), group("c", 10, 0.45, 0.02)]), Some(["b", "a"]));
        // After fifteen comparisons, it is 0.096.
        let more = ["c", "d", "e", "f"].map(|key| group(key, 10, 0.45, 0.02));
        assert_eq!(contrast(&[&more[..], &[a.clone(), b]].concat()), None);
        // t = 2.12: p = 0.063.
        assert_eq!(contrast(&[a.clone(), group("b", 10, 0.46, 0.02)]), None);
        assert_eq!(contrast(&[group("a", 10, 0.4, 0.0), group("b", 10, 0.5, 0.0)]), Some(["b", "a"]));
        for other in [group(UNKNOWN, 10, 0.5, 0.02), group("b", 9, 0.5, 0.02)] {
            assert_eq!(contrast(&[a.clone(), other]), None, "it is not compared");
        }
    }

    proptest! {
        #[test]
        fn the_contrast_is_of_two_compared_groups_and_does_not_depend_on_their_order(
            scores in prop::collection::vec((1u64..100, 0.2f64..0.6, 0.001f64..0.1), 0..12),
        ) {
            let mut groups: Vec<GroupRow> = (0..)
                .zip(&scores)
                .map(|(key, &(games, value, error)): (u32, _)| group(&key.to_string(), games, value, error))
                .collect();
            let found = contrast(&groups).map(|pair| pair.map(str::to_owned));
            if let Some(pair) = &found {
                let [best, worst] = pair.clone().map(|key| &groups[key.parse::<usize>().expect("a number")]);
                prop_assert!(best.games >= 10 && worst.games >= 10);
                let value = |row: &GroupRow| row.expected_score.expect("a score").value;
                prop_assert!(value(best) > value(worst));
            }
            groups.reverse();
            prop_assert_eq!(contrast(&groups).map(|pair| pair.map(str::to_owned)), found);
        }
    }
}
