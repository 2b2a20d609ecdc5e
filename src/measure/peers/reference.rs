//! [`Reference`]: distributions over single games by rating and speed, from an archive's counts.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{PARTS, PlayCounts, PlayMeasure};
use crate::chess::{Phase, TimeClass};
use crate::measure::group::{Grouping, SpeedAndElo, UNKNOWN};

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
    pub part: Option<Phase>,
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
            counts.iter().filter_map(move |(measure, part, values)| {
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

    /// Returns the rows for whole games (all phases) at a rating, by speed.
    pub fn usual(&self, elo: u32) -> Vec<UsualRow> {
        let speeds = TimeClass::ALL.into_iter().map(Some).chain([None]);
        let keys = speeds.map(|speed| SpeedAndElo::of(speed, Some(elo), self.width).key());
        let rows = keys.filter_map(|key| Some((self.groups.get_key_value(&key)?, key)));
        rows.flat_map(|((group, kinds), _)| UsualRow::of(group, kinds).filter(|row| row.part == PARTS[0]))
            .collect()
    }
}
