//! [`Reference`]: distributions over single games by rating and speed, from an archive's counts.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{GamePart, PlayCounts, PlayMeasure, side_play::LENGTHS};
use crate::chess::TimeClass;
use crate::measure::group::{Grouping, SpeedAndElo, UNKNOWN};
use crate::numbers::{Estimate, ValueCounts};

/// Counts of games by speed, rating and kind of evaluations.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    width: u32,
    pool: ReferencePool,
    /// The counts of each group by the kind of the evaluations.
    groups: HashMap<String, BTreeMap<String, PlayCounts>>,
}

/// The games that a reference stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReferencePool {
    /// Games of a user's file.
    #[default]
    Any,
    /// Over-the-board games, which have no time control.
    OverTheBoard,
    /// Games on lichess.
    Lichess,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoReference {
    #[error("its counts are grouped by {0}")]
    By(Grouping),
    #[error("it was counted without --quantiles")]
    WithoutQuantiles,
}

/// Quantiles of one measure in games of one speed and rating.
#[derive(Debug, Clone, PartialEq)]
pub struct UsualRow {
    pub group: String,
    pub kind: String,
    pub measure: PlayMeasure,
    pub part: GamePart,
    /// Number of games, each counted once per player.
    pub games: u64,
    /// The quantiles for the shares [`UsualRow::SHARES`], in the unit of the measure.
    pub quantiles: [f64; UsualRow::SHARES.len()],
}

impl UsualRow {
    pub const SHARES: [f64; 7] = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95];

    /// Returns a row for each kind of evaluations, measure and part of a game that a group has counts for.
    pub fn of<'a>(
        group: &'a str,
        kinds: &'a BTreeMap<String, PlayCounts>,
    ) -> impl Iterator<Item = UsualRow> + 'a {
        kinds.iter().flat_map(move |(kind, counts)| {
            let shown = counts.iter().filter(|(_, part, _)| GamePart::SHOWN.contains(part));
            shown.filter_map(move |(measure, part, values)| {
                let of = |share| values.quantile(share).map(|tenths| PlayMeasure::STEP * f64::from(tenths));
                of(0.5)?;
                Some(UsualRow {
                    group: group.to_owned(),
                    kind: kind.clone(),
                    measure,
                    part,
                    games: values.total(),
                    quantiles: UsualRow::SHARES.map(|share| of(share).unwrap_or_default()),
                })
            })
        })
    }
}

/// The number of games by players of similar rating that were at least as good as a game by one measure.
#[derive(Debug, Clone, PartialEq)]
pub struct GameOdds {
    pub measure: PlayMeasure,
    /// Games at least as good.
    pub as_good: u64,
    /// Number of compared games, each counted once per player.
    pub games: u64,
    /// The smallest number of moves of a compared game.
    pub least_moves: u32,
    /// The lowest and the highest rating of the compared bands.
    pub elo: [u32; 2],
    pub speed: Option<TimeClass>,
    pub is_over_the_board: bool,
}

impl GameOdds {
    /// Odds below this share are unusual.
    pub const UNUSUAL: f64 = 0.01;

    /// Returns the share of games at least as good, with Wilson's interval.
    pub fn share(&self) -> Estimate {
        Estimate::share(self.as_good, self.games).expect("at least one game")
    }

    pub fn is_unusual(&self) -> bool {
        self.as_good as f64 <= GameOdds::UNUSUAL * self.games as f64
    }
}

/// Smallest number of games for odds. A band with fewer games is joined with its neighbors.
const LEAST_GAMES: u64 = 1000;

/// Largest distance from a band to its farthest neighbor, in Elo points.
const FARTHEST: u32 = 200;

impl Reference {
    /// Makes the reference from the groups of an archive: their names, and their counts for each kind of
    /// evaluations. Returns an error unless the archive is grouped by speed and rating and has quantiles.
    pub fn new(
        by: Grouping,
        has_quantiles: bool,
        groups: impl IntoIterator<Item = (String, BTreeMap<String, PlayCounts>)>,
    ) -> Result<Reference, NoReference> {
        let Grouping::SpeedAndElo(width) = by else { return Err(NoReference::By(by)) };
        if !has_quantiles {
            return Err(NoReference::WithoutQuantiles);
        }
        Ok(Reference { width, pool: ReferencePool::Any, groups: groups.into_iter().collect() })
    }

    /// Marks the reference as made from the games of a pool.
    pub fn of_pool(self, pool: ReferencePool) -> Reference {
        Reference { pool, ..self }
    }

    /// Returns the name of the group `key` for readers, such as `blitz, 1700–1799`.
    pub fn label(&self, key: &str) -> String {
        let label = Grouping::SpeedAndElo(self.width).label(key);
        match label.strip_prefix(UNKNOWN).filter(|_| self.is_over_the_board()) {
            Some(band) => format!("over the board{band}"),
            None => label,
        }
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn is_over_the_board(&self) -> bool {
        self.pool == ReferencePool::OverTheBoard
    }

    /// Returns the group with which a game of this speed and rating can be compared; `None` if there is no such
    /// group. `is_of_server` is false for a game over the board.
    pub fn group(&self, speed: Option<TimeClass>, elo: u32, is_of_server: bool) -> Option<SpeedAndElo> {
        let has = |group: &SpeedAndElo| self.groups.contains_key(&group.key());
        let of = |speed| SpeedAndElo::of(speed, Some(elo), self.width);
        // Over-the-board games seldom have a time control. On a server, the same rating means another
        // strength.
        let is_alike = match (self.pool, is_of_server) {
            (ReferencePool::OverTheBoard, true) | (ReferencePool::Lichess, false) => return None,
            (ReferencePool::OverTheBoard, false) => matches!(speed, None | Some(TimeClass::Classical)),
            _ => false,
        };
        Some(of(speed)).filter(has).or_else(|| Some(of(None)).filter(|group| is_alike && has(group)))
    }

    pub fn kinds(&self) -> BTreeSet<&str> {
        self.groups.values().flat_map(BTreeMap::keys).map(String::as_str).collect()
    }

    pub fn counts(&self, group: &SpeedAndElo, kind: &str) -> Option<&PlayCounts> {
        self.groups.get(&group.key())?.get(kind)
    }

    /// Compares a game of `group` and of the length class `length` (see [`LENGTHS`]) with games of this class and of
    /// longer ones: returns how many had a `measure` at least as good as `tenths`, in tenths of its unit. If the measure
    /// was not counted by length, all games count. A band of fewer than [`LEAST_GAMES`] games is joined with its
    /// neighbors, at most [`FARTHEST`] away. `None` without games.
    pub fn odds(
        &self,
        group: &SpeedAndElo,
        kind: &str,
        value: (PlayMeasure, u32),
        length: usize,
    ) -> Option<GameOdds> {
        let classes: Vec<GamePart> = (length..LENGTHS.len()).map(GamePart::Length).collect();
        let of = |parts: &[GamePart], least| self.odds_among(group, kind, value, parts, least);
        of(&classes, LENGTHS[length]).or_else(|| of(&[GamePart::Whole], LENGTHS[0]))
    }

    fn odds_among(
        &self,
        group: &SpeedAndElo,
        kind: &str,
        (measure, tenths): (PlayMeasure, u32),
        parts: &[GamePart],
        least_moves: u32,
    ) -> Option<GameOdds> {
        let is_as_good = |found: i32| match measure.is_loss() {
            true => found <= tenths as i32,
            false => found >= tenths as i32,
        };
        let count = |elo: u32| {
            let counts = self.counts(&SpeedAndElo::of(group.speed(), Some(elo), self.width), kind);
            let found =
                counts.into_iter().flat_map(|counts| parts.iter().map(|part| counts.of(measure, *part)));
            found.flat_map(ValueCounts::iter).fold((0, 0), |(as_good, games), (found, sides)| {
                (as_good + sides * u64::from(is_as_good(found)), games + sides)
            })
        };
        let low = group.low()?;
        let joined = |reach: u32| {
            let bands = (low.saturating_sub(reach)..=low + reach).step_by(self.width as usize);
            let bands = bands.map(|band| (band, count(band))).filter(|(_, (_, games))| *games > 0);
            let bands: Vec<(u32, (u64, u64))> = bands.collect();
            Some(GameOdds {
                measure,
                as_good: bands.iter().map(|(_, (as_good, _))| as_good).sum(),
                games: bands.iter().map(|(_, (_, games))| games).sum(),
                least_moves,
                elo: [bands.first()?.0, bands.last()?.0 + self.width - 1],
                speed: group.speed(),
                is_over_the_board: self.is_over_the_board(),
            })
        };
        let found: Vec<GameOdds> =
            (0..=FARTHEST / self.width).filter_map(|step| joined(step * self.width)).collect();
        found.iter().find(|odds| odds.games >= LEAST_GAMES).or(found.last()).cloned()
    }

    /// Returns the rows for whole games (all phases) at a rating, by speed.
    pub fn usual(&self, elo: u32) -> Vec<UsualRow> {
        let rows = self.of_rating(elo).filter_map(|group| self.groups.get_key_value(&group.key()));
        rows.flat_map(|(group, kinds)| UsualRow::of(group, kinds).filter(|row| row.part == GamePart::Whole))
            .collect()
    }

    /// Returns the odds at a rating like [`Reference::odds`], by speed, for each kind of evaluations.
    pub fn odds_at(&self, elo: u32, value: (PlayMeasure, u32), length: usize) -> Vec<GameOdds> {
        let kinds = self.kinds();
        let odds = |group: SpeedAndElo| {
            kinds.iter().filter_map(|kind| self.odds(&group, kind, value, length)).collect::<Vec<_>>()
        };
        self.of_rating(elo).flat_map(odds).collect()
    }

    /// Returns the group of this rating for each speed, whether it has games or not.
    fn of_rating(&self, elo: u32) -> impl Iterator<Item = SpeedAndElo> {
        let speeds = TimeClass::ALL.into_iter().map(Some).chain([None]);
        speeds.map(move |speed| SpeedAndElo::of(speed, Some(elo), self.width))
    }
}
