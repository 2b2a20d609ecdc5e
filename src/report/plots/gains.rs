//! The data of a histogram of gains: bars ten centipawns wide, and the scale that all histograms share.

use std::collections::BTreeMap;

use crate::chess::Metric;
use crate::measure::{Method, MoveSample};
use crate::numbers::BinWidth;
use crate::report::plots::canvas::step;

/// Width of a bar in centipawns, independent of the bins of the tables.
pub const BAR: u32 = 10;

/// A histogram of one player's gains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gains {
    pub player: String,
    pub all: Bar,
    /// Each bar that has a move, by its center in centipawns. The bar at 0 also shows the share of gains of
    /// exactly 0.
    pub bars: BTreeMap<i64, Bar>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bar {
    pub losses: u64,
    pub zeros: u64,
    pub gains: u64,
}

impl Bar {
    pub fn moves(self) -> u64 {
        self.losses + self.zeros + self.gains
    }
}

impl Gains {
    /// Returns the histogram of a player's gains in centipawns, each with its number of moves.
    pub fn of(player: &str, values: impl IntoIterator<Item = (i64, u64)>) -> Gains {
        let width = BinWidth::new(BAR).expect("a width above 0");
        let mut gains = Gains { player: player.to_owned(), all: Bar::default(), bars: BTreeMap::new() };
        for (value, count) in values {
            for bar in [&mut gains.all, gains.bars.entry(width.center(value)).or_default()] {
                match value {
                    ..0 => bar.losses += count,
                    0 => bar.zeros += count,
                    1.. => bar.gains += count,
                }
            }
        }
        gains
    }

    /// Returns the gains of `players` in the moves counted by `method`, in the order of the names. The gains
    /// are in centipawns, whatever the metric of the tables.
    pub fn of_players(players: &[&str], sample: &MoveSample, method: &Method) -> Vec<Gains> {
        let method = Method { metric: Metric::Centipawns, ..method.clone() };
        let gains = sample.gains(&method, |_| true);
        let place = |name: &str| sample.players.iter().position(|player| player.name == name);
        let of = |&player: &&str| {
            let values = place(player).map_or(&[][..], |place| &gains.players[place]);
            Gains::of(player, values.iter().map(|&(_, gain)| (gain, 1)))
        };
        players.iter().map(of).collect()
    }

    pub fn share(&self, count: u64) -> f64 {
        let moves = self.all.moves();
        if moves == 0 { 0.0 } else { count as f64 / moves as f64 }
    }

    /// Returns `count` as a share of all moves in percent, as in `29.3 %`.
    pub fn percent(&self, count: u64) -> String {
        format!("{:.1} %", 100.0 * self.share(count))
    }

    /// Returns the shares of losses, zeros and gains, as in `loss 41.0 %, zero 29.3 %, gain 29.7 %`.
    pub fn shares(&self) -> String {
        let [losses, zeros, gains] =
            [self.all.losses, self.all.zeros, self.all.gains].map(|count| self.percent(count));
        format!("loss {losses}, zero {zeros}, gain {gains}")
    }

    /// Returns the bar at 0: gains from −4 to +4 centipawns.
    pub fn middle(&self) -> Bar {
        self.bars.get(&0).copied().unwrap_or_default()
    }

    /// Returns the numbers of moves whose bars lie to the left of −`range` and to the right of `range`.
    pub fn outside(&self, range: i64) -> (u64, u64) {
        let outside = self.bars.iter().filter(|(center, _)| center.abs() > range);
        outside.fold((0, 0), |(left, right), (_, bar)| (left + bar.losses, right + bar.gains))
    }
}

/// The axes that all players of a tournament share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// The ends of the gain axis: plus and minus this many centipawns.
    pub range: i64,
    pub top: f64,
    pub tick: f64,
}

const RANGES: [i64; 5] = [100, 200, 300, 500, 1000];

/// The share of all moves that may lie outside of the range.
const OUTSIDE: f64 = 0.01;

const TICKS: [f64; 9] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25];

impl Scale {
    /// Returns the scale for `players`. Its range is the smallest of `RANGES` that excludes at most 1 % of
    /// all moves, or the largest. Its height fits the highest bar. The bar at 0 is cut off if it would leave
    /// less than half of the height to the other bars.
    pub fn of(players: &[Gains]) -> Scale {
        let moves: u64 = players.iter().map(|player| player.all.moves()).sum();
        let outside = |range| players.iter().map(move |player| player.outside(range));
        let fits = |&range: &i64| {
            outside(range).map(|(left, right)| left + right).sum::<u64>() as f64 <= OUTSIDE * moves as f64
        };
        let range = RANGES.into_iter().find(fits).unwrap_or(RANGES[RANGES.len() - 1]);
        let (mut rest, mut peak) = (0f64, 0f64);
        for player in players {
            for (&center, bar) in &player.bars {
                let zeros = if center == 0 { bar.zeros } else { 0 };
                rest = rest.max(player.share(bar.moves() - zeros));
                peak = peak.max(player.share(bar.moves()));
            }
        }
        // The text next to the bar at 0 is in the room above.
        let needed = if peak > 2.0 * rest && rest > 0.0 { 1.25 * rest } else { 1.15 * peak };
        let needed = if needed > 0.0 { needed } else { 0.1 };
        let tick = step(needed, 6, &TICKS);
        Scale { range, top: (needed / tick).ceil() * tick, tick }
    }

    /// Returns the gains marked on the axis: at most `most`, from end to end, with 0 among them.
    pub fn marks(self, most: i64) -> impl Iterator<Item = i64> {
        let fits = |&&step: &&i64| self.range % step == 0 && 2 * self.range / step < most;
        let step = MARKS.iter().find(fits).copied().unwrap_or(self.range);
        let side = self.range / step;
        (-side..=side).map(move |mark| mark * step)
    }
}

const MARKS: [i64; 6] = [20, 50, 100, 200, 250, 500];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_at_zero_knows_what_of_it_is_exactly_zero() {
        let gains = Gains::of("A", [(-300, 1), (-5, 1), (-4, 1), (0, 2), (4, 1), (5, 1)]);
        assert_eq!(gains.middle(), Bar { losses: 1, zeros: 2, gains: 1 });
        assert_eq!(gains.bars.len(), 4);
    }

    #[test]
    fn what_lies_outside_of_the_range_is_counted() {
        let gains = Gains::of("A", (0..97).chain([-700, -800, 900]).map(|value| (value, 1)));
        let scale = Scale::of(std::slice::from_ref(&gains));
        assert_eq!((scale.range, gains.outside(scale.range)), (1000, (0, 0)));
        let gains = Gains::of("A", (0..100).map(|value| (value, 3)).chain([(-700, 1), (-800, 1), (900, 1)]));
        let scale = Scale::of(std::slice::from_ref(&gains));
        assert_eq!((scale.range, gains.outside(scale.range)), (100, (2, 1)));
    }

    #[test]
    fn a_field_without_moves_has_a_scale() {
        let scale = Scale::of(&[Gains::of("A", [])]);
        assert!(scale.top > 0.0 && scale.tick > 0.0 && scale.range > 0);
    }
}
