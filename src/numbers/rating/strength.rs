//! The engine's strength from the players' ratings, and the players' performance against it (Ferreira 2013,
//! Tables 6 and 7).

use crate::numbers::stats::estimate::{Estimate, Interval};

/// Returns the engine's strength in Elo points, estimated from one player: the player's rating minus the Elo
/// difference to the engine. That difference is negative if the engine is stronger.
pub fn seen_from(elo: f64, difference: f64) -> f64 {
    elo - difference
}

/// Returns the mean engine strength over the `rated` players, with Student's t interval over players. Each
/// player is a pair of rating and difference. `None` without players.
pub fn of_engine(rated: impl IntoIterator<Item = (f64, f64)>) -> Option<Estimate> {
    let strengths: Vec<f64> = rated.into_iter().map(|(elo, difference)| seen_from(elo, difference)).collect();
    Estimate::mean(&strengths)
}

/// Returns a player's performance: the engine's strength plus the player's Elo difference to the engine. If
/// both terms have an interval, the sum has the interval of a sum of independent terms.
pub fn performance(engine: Estimate, difference: Estimate) -> Estimate {
    let value = engine.value + difference.value;
    let interval = engine
        .interval
        .zip(difference.interval)
        .map(|(ours, theirs)| Interval::of_sum(value, [(engine.value, ours), (difference.value, theirs)]));
    Estimate { value, interval, ..difference }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn difference(value: f64) -> Estimate {
        Estimate { value, observations: 40, interval: Some(Interval::normal(value, 20.0)) }
    }

    #[test]
    fn the_strength_of_two_players_engine_by_hand() {
        // 2800 − (−100) = 2900 and 2700 − (−160) = 2860: mean 2880, s = 28.284, SE = 20, t(1) = 12.7062.
        let engine = of_engine([(2800.0, -100.0), (2700.0, -160.0)]).expect("two players");
        let interval = engine.interval.expect("two players");
        assert_eq!((engine.value, engine.observations), (2880.0, 2));
        assert!((interval.high - 2880.0 - 12.706_205 * 20.0).abs() < 1e-3, "{interval:?}");
        assert_eq!(of_engine([]), None);
        let one = of_engine([(2800.0, -100.0)]).expect("a player");
        assert_eq!((one.value, one.interval), (2900.0, None));
        let of_one = performance(one, difference(-100.0));
        assert_eq!((of_one.value, of_one.interval), (2800.0, None));
    }

    proptest! {
        #[test]
        fn performances_average_the_ratings_and_are_less_sure_than_either_term(
            players in prop::collection::vec((1000.0..3000.0, -900.0..100.0), 2..9),
        ) {
            let engine = of_engine(players.iter().copied()).expect("players");
            let performances = players.iter().map(|&(_, value)| performance(engine, difference(value)));
            let performances: Vec<Estimate> = performances.collect();
            let mean = |sum: f64| sum / players.len() as f64;
            let ratings = mean(players.iter().map(|(elo, _)| elo).sum());
            prop_assert!((mean(performances.iter().map(|p| p.value).sum()) - ratings).abs() < 1e-6);
            for interval in performances.iter().filter_map(|performance| performance.interval) {
                let least = engine.interval.expect("players").half_width().max(difference(0.0).interval.expect("one").half_width());
                prop_assert!(interval.half_width() >= least - 1e-6);
            }
        }
    }
}
