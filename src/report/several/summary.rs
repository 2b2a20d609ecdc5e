//! Owns `engines-summary.json` and `events-summary.json`: the comparisons at full precision.

use serde::Serialize;

use super::EventComparison;
use crate::{
    report::{summary::MethodFacts, words},
    stats::{estimate::Estimate, heterogeneity::Heterogeneity},
    tournament::{
        Method,
        agreement::{Correlation, EngineComparison, EngineFinding},
        events::{EventStrength, Events, PooledStrength},
    },
};

/// What `engines-summary.json` holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EnginesSummary {
    /// The program's version.
    pub version: String,
    /// The choices of method.
    pub method: MethodFacts,
    /// Moves that were not counted, one name a filter; empty when all were.
    pub filters: Vec<String>,
    /// The engines asked, in the order given.
    pub engines: Vec<EngineOfRun>,
    /// One comparison an event; a single one where all files are one tournament.
    pub comparisons: Vec<ComparisonFacts>,
}

/// An engine asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EngineOfRun {
    /// What the tables call it: its `id name`, numbered where two have one name.
    pub engine: String,
    /// The folder of its reports, beside this file.
    pub folder: String,
    /// Why it has no report; null where it has one.
    pub failed: Option<String>,
}

/// The engines on the games of one event.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparisonFacts {
    /// The event; null where all files are one tournament.
    pub event: Option<String>,
    /// The engines that have a report of it.
    pub engines: Vec<EngineStrengthFacts>,
    /// Each pair of them.
    pub correlations: Vec<CorrelationFacts>,
}

/// One engine's strength.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EngineStrengthFacts {
    /// The engine.
    pub engine: String,
    /// Games that it evaluated to their end.
    pub games: usize,
    /// Mean over the rated players of Elo − difference; null without any.
    pub engine_strength: Option<Estimate>,
}

/// How far two engines agree on the players' expected scores.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CorrelationFacts {
    /// The engines.
    pub engines: [String; 2],
    /// Players with an expected score by both.
    pub players: usize,
    /// Rank correlation ρ; null where there is none.
    pub spearman: Option<f64>,
    /// Rank correlation τ-b; null where there is none.
    pub kendall: Option<f64>,
}

/// What `events-summary.json` holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EventsSummary {
    /// The program's version.
    pub version: String,
    /// The choices of method.
    pub method: MethodFacts,
    /// Moves that were not counted, one name a filter; empty when all were.
    pub filters: Vec<String>,
    /// The events, in the order given.
    pub events: Vec<EventFacts>,
    /// One strength from all of them; null where they are not pooled.
    pub pooled: Option<PooledFacts>,
    /// What it means, and what was left out.
    pub verdict: Vec<String>,
}

/// One event's strength of the engine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EventFacts {
    /// The event.
    pub event: String,
    /// Engine and limit; null where they are not known or not the same for all games.
    pub evaluations: Option<String>,
    /// Mean over the rated players of Elo − difference; null without any.
    pub engine_strength: Option<Estimate>,
    /// Its share of the pooled strength; null where it has no part in it.
    pub weight: Option<f64>,
}

/// The events' strengths as one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PooledFacts {
    /// The mean weighted by precision; an observation is an event.
    pub engine_strength: Estimate,
    /// Whether one strength would do for all events.
    pub heterogeneity: Heterogeneity,
    /// Players rated in more than one of them.
    pub shared_players: Vec<String>,
}

impl EnginesSummary {
    /// What the engines found.
    pub fn new(
        engines: Vec<EngineOfRun>,
        comparisons: &[EventComparison],
        method: &Method,
    ) -> EnginesSummary {
        EnginesSummary {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            method: method.into(),
            filters: method.filter.names(),
            engines,
            comparisons: comparisons.iter().map(Into::into).collect(),
        }
    }
}

impl EventsSummary {
    /// What the events say of the engine.
    pub fn new(events: &Events, method: &Method) -> EventsSummary {
        EventsSummary {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            method: method.into(),
            filters: method.filter.names(),
            events: events.events.iter().map(Into::into).collect(),
            pooled: events.pooled.as_ref().ok().map(Into::into),
            verdict: words::events::verdict(events),
        }
    }
}

impl From<&EventComparison> for ComparisonFacts {
    fn from(EventComparison { event, comparison }: &EventComparison) -> ComparisonFacts {
        ComparisonFacts {
            event: event.clone(),
            engines: comparison.engines.iter().map(Into::into).collect(),
            correlations: comparison.correlations.iter().map(|one| facts(one, comparison)).collect(),
        }
    }
}

fn facts(correlation: &Correlation, comparison: &EngineComparison) -> CorrelationFacts {
    let Correlation { engines, players, spearman, kendall } = *correlation;
    let engines = engines.map(|place| comparison.engines[place].name.clone());
    CorrelationFacts { engines, players, spearman, kendall }
}

impl From<&EngineFinding> for EngineStrengthFacts {
    fn from(EngineFinding { name, games, strength }: &EngineFinding) -> EngineStrengthFacts {
        EngineStrengthFacts { engine: name.clone(), games: *games, engine_strength: *strength }
    }
}

impl From<&EventStrength> for EventFacts {
    fn from(EventStrength { event, judge, strength, weight }: &EventStrength) -> EventFacts {
        EventFacts {
            event: event.clone(),
            evaluations: judge.clone(),
            engine_strength: *strength,
            weight: *weight,
        }
    }
}

impl From<&PooledStrength> for PooledFacts {
    fn from(pooled: &PooledStrength) -> PooledFacts {
        PooledFacts {
            engine_strength: pooled.estimate,
            heterogeneity: pooled.heterogeneity,
            shared_players: pooled.shared.clone(),
        }
    }
}
