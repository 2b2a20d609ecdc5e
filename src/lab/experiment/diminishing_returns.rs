//! [`DiminishingReturns`]: the test for diminishing returns in matches of neighboring depths.

use serde::Serialize;

use super::heinz::Match;
use crate::numbers::{Range, Trend, rating::heinz::Z_90, rating::heinz::Z_95};

/// The evidence of several matches about the value of a ply.
#[derive(Debug, Clone, PartialEq)]
pub struct DiminishingReturns {
    /// Heinz's test at 90 % and at 95 % confidence.
    pub findings: [ReturnsTest; 2],
    /// Trend of Δw with the depth of the deeper side, from all matches in one test. Each match has the error
    /// of [`Match::difference`].
    pub trend: Option<Trend>,
}

/// Heinz's test at one level of confidence. A row is a match; the test intersects the confidence ranges of Δw
/// of all rows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ReturnsTest {
    /// Confidence in percent, 90 or 95.
    pub percent: u32,
    /// Differences within the ranges of all rows; `None` if there is no such difference.
    #[serde(rename = "delta_w")]
    pub common: Option<Range>,
    /// Number of pairs of rows with disjoint ranges in which the deeper row gains less.
    #[serde(rename = "deeper_less")]
    pub falling: usize,
    /// Number of pairs of rows with disjoint ranges in which the deeper row gains more.
    #[serde(rename = "deeper_more")]
    pub rising: usize,
    /// The two rows with the widest gap between their ranges, the shallower row first.
    #[serde(skip)]
    pub widest: Option<[usize; 2]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Returns {
    /// There are fewer than two rows.
    Unknown,
    /// One difference fits all rows.
    Compatible,
    /// Some pairs of rows have disjoint ranges, and in each of these pairs the deeper row gains less.
    Diminishing,
    /// Some pairs of rows have disjoint ranges, and in each of these pairs the deeper row gains more.
    Growing,
    /// Some pairs of rows have disjoint ranges. The deeper row gains less in some of these pairs, and more in
    /// others.
    Mixed,
}

impl DiminishingReturns {
    /// Compares the matches `rows`, which must be in ascending order of depth. Heinz's tests use w and its
    /// binomial error (2000, Section 3).
    pub fn of(rows: &[Match]) -> DiminishingReturns {
        let points: Vec<(f64, f64, f64)> = rows
            .iter()
            .map(|row| {
                let (difference, error) = row.difference();
                (f64::from(row.first.depth), difference, error)
            })
            .collect();
        DiminishingReturns {
            findings: [(90, Z_90), (95, Z_95)].map(|(percent, z)| ReturnsTest::of(rows, percent, z)),
            trend: Trend::of(&points),
        }
    }
}

impl ReturnsTest {
    fn of(rows: &[Match], percent: u32, z: f64) -> ReturnsTest {
        let ranges: Vec<Range> = rows.iter().map(|row| row.record.confident_difference(z)).collect();
        let pairs = (0..ranges.len()).flat_map(|deep| (0..deep).map(move |shallow| [shallow, deep]));
        // The gap between the ranges of two rows. It is positive if the deeper row is lower.
        let gap = |[shallow, deep]: [usize; 2]| {
            let (above, below) = (ranges[shallow], ranges[deep]);
            match () {
                () if above.low > below.high => above.low - below.high,
                () if above.high < below.low => above.high - below.low,
                () => 0.0,
            }
        };
        let apart: Vec<([usize; 2], f64)> =
            pairs.map(|pair| (pair, gap(pair))).filter(|(_, gap)| *gap != 0.0).collect();
        let falling = apart.iter().filter(|(_, gap)| *gap > 0.0).count();
        let widest = apart.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
        ReturnsTest {
            percent,
            common: Range::intersection(ranges.iter().copied()),
            falling,
            rising: apart.len() - falling,
            widest: widest.map(|(pair, _)| *pair),
        }
    }

    pub fn returns(&self, rows: usize) -> Returns {
        match (self.falling, self.rising) {
            _ if rows < 2 => Returns::Unknown,
            (0, 0) => Returns::Compatible,
            (_, 0) => Returns::Diminishing,
            (0, _) => Returns::Growing,
            _ => Returns::Mixed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::experiment::testing::{heinz, series};
    use crate::lab::{experiment::cross_table::CrossTable, experiment::heinz::matches};

    fn rows(games: &[crate::lab::selfplay::GameRecord]) -> Vec<Match> {
        matches(&CrossTable::of(games), games)
    }

    #[test]
    fn heinzs_matches_show_diminishing_returns_but_for_one_row() {
        let rows = rows(&heinz());
        let verdict = DiminishingReturns::of(&rows);
        let [at_90, at_95] = verdict.findings;
        // Table 6: the intersection of all rows is empty at both levels.
        assert_eq!((at_90.common, at_95.common), (None, None));
        // At 95 % no deeper row is above a shallower row: 7⇔6 and 6⇔5 overlap.
        assert_eq!(at_95.returns(rows.len()), Returns::Diminishing);
        assert_eq!(at_95.rising, 0);
        let trend = verdict.trend.expect("seven rows");
        assert!(trend.slope.value < 0.0 && trend.p < 1e-6, "{trend:?}");
        // Δw″ over 9⇔8 to 12⇔11 at 95 %: 0.291 to 0.297.
        let deep = DiminishingReturns::of(&rows[3..]).findings[1];
        let common = deep.common.expect("a range in print");
        assert_eq!([common.low, common.high].map(|x| (x * 1e3).round()), [291.0, 297.0]);
        assert_eq!(deep.returns(4), Returns::Compatible);
    }

    #[test]
    fn equal_gains_are_compatible_and_growing_ones_grow() {
        let equal = rows(&series(&[(60, 20, 20); 4]));
        let verdict = DiminishingReturns::of(&equal);
        assert_eq!(verdict.findings[1].returns(4), Returns::Compatible);
        assert!(verdict.trend.expect("a trend").p > 0.99);
        let growing = rows(&series(&[(30, 40, 30), (60, 20, 20), (90, 5, 5)]));
        assert_eq!(DiminishingReturns::of(&growing).findings[1].returns(3), Returns::Growing);
        let mixed = rows(&series(&[(90, 5, 5), (30, 40, 30), (90, 5, 5)]));
        assert_eq!(DiminishingReturns::of(&mixed).findings[1].returns(3), Returns::Mixed);
        assert_eq!(DiminishingReturns::of(&equal[..1]).findings[0].returns(1), Returns::Unknown);
    }
}
