//! [`Events`]: the engine's strength in each of several events, and the pooled strength. Strengths are pooled
//! only if the same engine with the same search evaluated the events.

use std::collections::BTreeMap;

use serde::Serialize;

use super::agreement::EventFinding;
use crate::numbers::{Estimate, Heterogeneity, stats::heterogeneity::pooled};

#[derive(Debug, Clone, PartialEq)]
pub struct Events {
    pub events: Vec<EventStrength>,
    /// The pooled value, or the reason why there is none.
    pub pooled: Result<PooledStrength, NotPooled>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EventStrength {
    pub event: String,
    /// Engine, search limit and search order of the evaluations, if known and the same for all games.
    #[serde(rename = "evaluations")]
    pub judge: Option<String>,
    /// Mean of rating − Elo difference over the event's rated players, with a standard error from the spread
    /// of these values. `None` without rated players, or if the ratings belong to several systems.
    #[serde(rename = "engine_strength")]
    pub strength: Option<Estimate>,
    /// The event's weight in the pooled strength, between 0 and 1; `None` if the event is not included.
    pub weight: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PooledStrength {
    /// The pooled strength in Elo points. Its observations are events.
    #[serde(rename = "engine_strength")]
    pub estimate: Estimate,
    pub heterogeneity: Heterogeneity,
    /// Players rated in more than one event, so that these events are not independent.
    #[serde(rename = "shared_players")]
    pub shared: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotPooled {
    /// Fewer than two events have a standard error.
    TooFew,
    /// Strengths of different engines, or at different limits, are not comparable.
    Judges,
}

/// A standard error below this value, in Elo points, is rounding error and counts as 0.
const NO_ERROR: f64 = 1e-6;

impl Events {
    /// Returns the strengths in the events' reports and their pooled value with Cochran's test (see
    /// [`pooled`]), or the reason why they are not pooled. An event counts in the pooled value if at least
    /// two of its rated players give different strengths.
    pub fn of(findings: &[EventFinding]) -> Events {
        let mut events: Vec<EventStrength> = findings
            .iter()
            .map(|finding| EventStrength {
                event: finding.event.clone(),
                judge: finding.judge.clone(),
                strength: finding.engine_strength,
                weight: None,
            })
            .collect();
        let usable: Vec<&EventFinding> =
            findings.iter().filter(|finding| with_error(finding.engine_strength).is_some()).collect();
        let estimates: Vec<(f64, f64)> =
            usable.iter().filter_map(|finding| with_error(finding.engine_strength)).collect();
        let pooled = match pooled(&estimates) {
            None => Err(NotPooled::TooFew),
            Some(_) if usable.iter().any(|finding| finding.judge != usable[0].judge) => {
                Err(NotPooled::Judges)
            }
            Some(pooled) => {
                for event in &mut events {
                    let error = with_error(event.strength).map(|(_, error)| error);
                    event.weight = error.map(|error| (pooled.standard_error / error).powi(2));
                }
                Ok(PooledStrength {
                    estimate: pooled.estimate(),
                    heterogeneity: pooled.heterogeneity,
                    shared: shared(&usable),
                })
            }
        };
        Events { events, pooled }
    }
}

impl EventStrength {
    pub fn has_error(&self) -> bool {
        with_error(self.strength).is_some()
    }
}

/// Returns a strength with its standard error, if the standard error is not 0.
fn with_error(strength: Option<Estimate>) -> Option<(f64, f64)> {
    let strength = strength?;
    let error = strength.interval?.standard_error;
    (error > NO_ERROR).then_some((strength.value, error))
}

fn shared(findings: &[&EventFinding]) -> Vec<String> {
    let mut events: BTreeMap<&str, usize> = BTreeMap::new();
    let players = findings.iter().flat_map(|finding| &finding.players);
    for player in players.filter(|player| player.engine_strength.is_some()) {
        *events.entry(&player.name).or_default() += 1;
    }
    events.into_iter().filter(|&(_, events)| events > 1).map(|(name, _)| name.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::measure::tournament::{Measured, PlayerResult};

    /// Returns an event whose players give these strengths of the engine.
    fn event(name: &str, judge: &str, strengths: &[(&str, f64)]) -> EventFinding {
        let player = |&(name, strength): &(&str, f64)| PlayerResult {
            name: name.to_owned(),
            engine_strength: Some(Measured::new(strength, 100)),
            ..PlayerResult::default()
        };
        let values: Vec<f64> = strengths.iter().map(|&(_, strength)| strength).collect();
        EventFinding {
            event: name.to_owned(),
            judge: Some(judge.to_owned()),
            games: 9,
            engine_strength: Estimate::mean(&values),
            players: strengths.iter().map(player).collect(),
        }
    }

    #[test]
    fn two_events_by_hand_and_a_third_without_an_error() {
        // Of two values x ± d the standard error is d: 2900 ± 10 and 2930 ± 20 have the weights 4 : 1, so
        // 2906 ± √(1/(1/100 + 1/400)) = √80; Q = 0.6² + 1.2² = 1.8 on one degree.
        let findings = [
            event("One", "X", &[("A", 2890.0), ("B", 2910.0)]),
            event("Two", "X", &[("B", 2910.0), ("C", 2950.0)]),
            event("Lone", "Y", &[("D", 2500.0)]),
            event("None", "X", &[]),
        ];
        let Events { events, pooled } = Events::of(&findings);
        let PooledStrength { estimate, heterogeneity, shared } = pooled.expect("two events with an error");
        assert!((estimate.value - 2906.0).abs() < 1e-9 && estimate.observations == 2, "{estimate:?}");
        let error = estimate.interval.expect("a known error").standard_error;
        assert!((error - 80f64.sqrt()).abs() < 1e-9);
        assert!((heterogeneity.q - 1.8).abs() < 1e-9 && heterogeneity.freedom == 1);
        assert_eq!(shared, ["B"]);
        let weights: Vec<Option<f64>> = events.iter().map(|event| event.weight).collect();
        assert!((weights[0].expect("a weight") - 0.8).abs() < 1e-9, "{weights:?}");
        assert!((weights[1].expect("a weight") - 0.2).abs() < 1e-9, "{weights:?}");
        assert_eq!(weights[2..], [None, None]);
    }

    #[test]
    fn strengths_of_different_judges_are_not_pooled() {
        let findings = ["Stockfish 15.1, depth 8", "Stockfish 15.1, depth 9"]
            .map(|judge| event("E", judge, &[("A", 2900.0), ("B", 2800.0)]));
        assert_eq!(Events::of(&findings).pooled, Err(NotPooled::Judges));
        assert!(Events::of(&findings).events.iter().all(|event| event.weight.is_none()));
    }

    #[test]
    fn one_event_and_players_who_all_agree_are_not_enough() {
        let sound = event("One", "X", &[("A", 2900.0), ("B", 2800.0)]);
        let without_spread = event("Two", "X", &[("A", 2900.0), ("B", 2900.0)]);
        assert_eq!(Events::of(&[sound, without_spread]).pooled, Err(NotPooled::TooFew));
        assert_eq!(Events::of(&[]).pooled, Err(NotPooled::TooFew));
    }

    proptest! {
        #[test]
        fn weights_sum_to_one_and_the_order_of_events_does_not_matter(
            strengths in prop::collection::vec((2000f64..3500.0, 1f64..200.0), 2..8),
        ) {
            let mut findings: Vec<EventFinding> = strengths
                .iter()
                .map(|&(mean, spread)| event("E", "X", &[("A", mean - spread), ("B", mean + spread)]))
                .collect();
            let here = Events::of(&findings);
            let sum: f64 = here.events.iter().filter_map(|event| event.weight).sum();
            prop_assert!((sum - 1.0).abs() < 1e-9);
            findings.reverse();
            let (here, there) = (here.pooled.expect("errors"), Events::of(&findings).pooled.expect("errors"));
            prop_assert!((here.estimate.value - there.estimate.value).abs() < 1e-6);
            let least = strengths.iter().map(|s| s.0).fold(f64::INFINITY, f64::min);
            let most = strengths.iter().map(|s| s.0).fold(0.0, f64::max);
            prop_assert!((least - 1e-6..=most + 1e-6).contains(&here.estimate.value));
        }
    }
}
