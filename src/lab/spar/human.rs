//! [`HumanLosses`]: losses of rated players' moves, by rating and by the spread of a position's candidates.

use std::sync::LazyLock;

/// The probabilities of the quantiles in the table, in ascending order.
pub const QUANTILES: [f64; 18] =
    [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.94, 0.97, 0.985, 0.995, 1.0];

/// Lower ends of the classes of spread, in percentage points.
pub const EDGES: [f64; 7] = [0.0, 1.0, 2.0, 4.0, 7.0, 12.0, 20.0];

/// Smallest loss of a blunder, in percentage points.
pub const BLUNDER: f64 = 10.0;

/// Largest loss as a multiple of the losses of the table's weakest players, so that weaker players do not
/// lose arbitrarily much.
const WEAKER: f64 = 2.0;

/// The table as printed by `examples/human_losses.rs`.
const TABLE: &str = include_str!("../../../data/spar/human-losses.csv");

#[derive(Debug, Clone, PartialEq)]
struct HumanBand {
    elo: f64,
    mean: f64,
    /// The losses at [`QUANTILES`].
    losses: [f64; QUANTILES.len()],
}

/// The losses of rated players, in percentage points of the expected score. A move that loses nothing has a
/// loss of 0.
#[derive(Debug, Clone, PartialEq)]
pub struct HumanLosses {
    /// The bands in ascending order of rating. Their mean losses descend.
    bands: Vec<HumanBand>,
    /// The mean loss in each class of spread, relative to the mean loss of players with the same ratings.
    factors: [f64; EDGES.len()],
}

static SHIPPED: LazyLock<HumanLosses> =
    LazyLock::new(|| HumanLosses::parse(TABLE).expect("the table that a test reads"));

impl HumanLosses {
    /// Returns the shipped losses, measured in the games in data/calibration by Stockfish 15.1 at depth 8.
    pub fn shipped() -> &'static HumanLosses {
        &SHIPPED
    }

    /// Parses the table printed by `examples/human_losses.rs`. `None` if a row is malformed, or if mean
    /// losses do not descend with the ratings.
    pub fn parse(text: &str) -> Option<HumanLosses> {
        let rows =
            |text: &str| text.lines().filter(|line| line.starts_with(char::is_numeric)).map(cells).collect();
        let (bands, spreads) = text.split_once("spread_from")?;
        let (bands, spreads): (Vec<Vec<f64>>, Vec<Vec<f64>>) = (rows(bands), rows(spreads));
        let bands: Vec<HumanBand> = bands.iter().map(|row| band(row)).collect::<Option<_>>()?;
        let factors: Vec<f64> = spreads.iter().map(|row| row.get(2).copied()).collect::<Option<_>>()?;
        let is_sound = bands.len() > 1 && bands.is_sorted_by(|a, b| a.elo < b.elo && a.mean > b.mean);
        is_sound.then_some(HumanLosses { bands, factors: factors.try_into().ok()? })
    }

    /// Returns the mean loss of players of a rating. A rating beyond the table has the mean loss at the
    /// nearer end of the table.
    pub fn mean(&self, elo: f64) -> f64 {
        let (low, high, share) = self.between(elo);
        low.mean + share * (high.mean - low.mean)
    }

    /// Returns the rating of players with this mean loss. A loss beyond the table has the rating at the
    /// nearer end of the table.
    pub fn rating(&self, mean: f64) -> f64 {
        let place = self.bands.partition_point(|band| band.mean > mean);
        match (place.checked_sub(1).map(|below| &self.bands[below]), self.bands.get(place)) {
            (Some(low), Some(high)) => {
                low.elo + (low.mean - mean) / (low.mean - high.mean) * (high.elo - low.elo)
            }
            (Some(end), None) | (None, Some(end)) => end.elo,
            (None, None) => 0.0,
        }
    }

    /// Returns the quantile `probability` of the losses of players whose mean loss is `mean`.
    ///
    /// Outside the table, losses are scaled in proportion. The losses of the strongest players are scaled
    /// down; the losses of the weakest players are scaled up, at most twofold.
    pub fn loss(&self, mean: f64, probability: f64) -> f64 {
        let elo = self.rating(mean);
        let (low, high, share) = self.between(elo);
        let [at_low, at_high] = [low, high].map(|band| quantile(&band.losses, probability));
        let scale = (mean.max(0.0) / self.mean(elo)).min(WEAKER);
        scale * (at_low + share * (at_high - at_low))
    }

    /// Returns the loss that players of a rating exceed in three of two hundred moves.
    pub fn rare(&self, elo: f64) -> f64 {
        let (low, high, share) = self.between(elo);
        let [at_low, at_high] = [low, high].map(|band| quantile(&band.losses, 0.985));
        at_low + share * (at_high - at_low)
    }

    /// Returns the mean loss in positions with this spread, relative to the mean loss in all positions.
    pub fn factor(&self, spread: f64) -> f64 {
        let class = EDGES.partition_point(|&edge| edge <= spread).max(1) - 1;
        self.factors[class]
    }

    /// Returns the bands below and above a rating, and the rating's place between them, from 0 to 1.
    fn between(&self, elo: f64) -> (&HumanBand, &HumanBand, f64) {
        let place = self.bands.partition_point(|band| band.elo < elo).clamp(1, self.bands.len() - 1);
        let (low, high) = (&self.bands[place - 1], &self.bands[place]);
        (low, high, ((elo - low.elo) / (high.elo - low.elo)).clamp(0.0, 1.0))
    }
}

fn cells(line: &str) -> Vec<f64> {
    line.split(',').map_while(|cell| cell.parse().ok()).collect()
}

/// Parses a row with a mean rating, a number of moves, their mean loss, and the losses at [`QUANTILES`].
fn band(row: &[f64]) -> Option<HumanBand> {
    let [elo, _, mean, losses @ ..] = row else { return None };
    let losses: [f64; QUANTILES.len()] = losses.try_into().ok()?;
    let is_sound = *mean > 0.0 && losses.is_sorted() && losses[0] >= 0.0;
    is_sound.then_some(HumanBand { elo: *elo, mean: *mean, losses })
}

/// Interpolates between the losses at [`QUANTILES`].
fn quantile(losses: &[f64; QUANTILES.len()], probability: f64) -> f64 {
    let place = QUANTILES.partition_point(|&q| q < probability).clamp(1, QUANTILES.len() - 1);
    let (low, high) = (QUANTILES[place - 1], QUANTILES[place]);
    let share = ((probability - low) / (high - low)).clamp(0.0, 1.0);
    losses[place - 1] + share * (losses[place] - losses[place - 1])
}

/// Returns the spread of a position's candidates: the mean loss of the second-best to the fourth-best
/// candidate, in percentage points. `expected` has the expected score after each candidate, the best first.
/// The spread is 0 without a second candidate.
pub fn spread_of(expected: &[f64]) -> f64 {
    let Some((best, others)) = expected.split_first() else { return 0.0 };
    let others = &others[..others.len().min(3)];
    let lost: f64 = others.iter().map(|other| 100.0 * (best - other).max(0.0)).sum();
    lost / others.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns a table for tests. The loss at the quantile q is 10·q for one rating and 5·q for the other,
    /// and the factors are 0.5 and 2.
    fn table() -> HumanLosses {
        let row = |elo: u32, mean: f64, scale: f64| {
            let losses: Vec<String> = QUANTILES.iter().map(|q| (q * scale).to_string()).collect();
            format!("{elo},100,{mean},{}\n", losses.join(","))
        };
        let factors: String =
            EDGES.iter().map(|&edge| format!("{edge},9,{}\n", if edge < 4.0 { 0.5 } else { 2.0 })).collect();
        let head = "# a test\nelo,moves,mean,…\n";
        let text = format!(
            "{head}{}{}spread_from,moves,factor\n{factors}",
            row(1000, 5.0, 10.0),
            row(2000, 2.5, 5.0)
        );
        HumanLosses::parse(&text).expect("a table")
    }

    #[test]
    fn ratings_and_mean_losses_by_hand() {
        let table = table();
        assert_eq!((table.mean(1000.0), table.mean(1500.0), table.mean(9000.0)), (5.0, 3.75, 2.5));
        assert_eq!((table.rating(3.75), table.rating(9.0), table.rating(0.1)), (1500.0, 1000.0, 2000.0));
        assert!((table.loss(3.75, 0.5) - 3.75).abs() < 1e-12, "half of 10 and half of 5, and between them");
        assert!((table.loss(1.25, 1.0) - 2.5).abs() < 1e-12, "half of what the strongest lose");
        assert_eq!(table.loss(0.0, 0.99), 0.0);
        assert!((table.rare(1000.0) - 9.85).abs() < 1e-12);
        assert_eq!(
            (table.factor(0.0), table.factor(3.9), table.factor(4.0), table.factor(99.0)),
            (0.5, 0.5, 2.0, 2.0)
        );
    }

    #[test]
    fn the_spread_is_the_mean_loss_of_three_others() {
        assert_eq!(spread_of(&[]), 0.0);
        assert_eq!(spread_of(&[0.6]), 0.0);
        assert!((spread_of(&[0.6, 0.5, 0.4, 0.3, 0.0]) - 20.0).abs() < 1e-9);
    }

    #[test]
    fn a_table_of_another_shape_is_none() {
        for text in ["", "1000,1,5\nspread_from\n", "elo\nspread_from\n0,1,1\n"] {
            assert_eq!(HumanLosses::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn the_shipped_players_lose_the_less_the_stronger_they_are() {
        let shipped = HumanLosses::shipped();
        let [weakest, strongest] = [0, shipped.bands.len() - 1].map(|place| shipped.bands[place].elo);
        assert!(weakest < 1100.0 && strongest > 2500.0, "{weakest} to {strongest}");
        assert!(shipped.mean(weakest) > 2.0 * shipped.mean(strongest));
        assert!(shipped.factors.iter().all(|&factor| factor > 0.0 && factor < 5.0));
    }

    proptest! {
        #[test]
        fn larger_lots_and_weaker_players_lose_no_less(
            a in 0f64..1.0, b in 0f64..1.0, weak in 0f64..12.0, strong in 0f64..12.0,
        ) {
            let (low, high) = (a.min(b), a.max(b));
            let (weak, strong) = (weak.max(strong), weak.min(strong));
            let table = table();
            prop_assert!(table.loss(weak, low) <= table.loss(weak, high) + 1e-12);
            prop_assert!(table.loss(strong, low) <= table.loss(weak, low) + 1e-12);
            prop_assert!(table.loss(weak, high) >= 0.0);
        }

        #[test]
        fn the_rating_of_a_mean_loss_has_that_mean_loss(elo in 1000f64..2000.0) {
            let table = table();
            prop_assert!((table.rating(table.mean(elo)) - elo).abs() < 1e-6);
        }
    }
}
