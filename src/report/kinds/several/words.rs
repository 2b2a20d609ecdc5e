//! Sentences on a panel of engines, and on the strength of one engine in several events.

use serde::Serialize;

use crate::base::text::{counted, cut, first_named, printable, rounded};
use crate::measure::{Correlation, EventStrength, Events, NotPooled, Panel, PanelPlayer, PooledStrength};
use crate::numbers::{Estimate, Heterogeneity};
use crate::report::words::{
    names::natural_name, numbers::NAME, numbers::SIGNIFICANT, numbers::listed, numbers::p_equals,
    numbers::with_margin,
};

/// An engine that was removed from the panel, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeftPanel {
    #[serde(rename = "engine")]
    pub judge: String,
    pub reason: String,
}

impl LeftPanel {
    pub fn words(&self) -> String {
        format!("{} is not on the panel: {}", cut(&printable(&self.judge), NAME), self.reason)
    }
}

pub fn sentences(panel: &Panel) -> Vec<String> {
    ends(panel).into_iter().chain(orders(panel)).collect()
}

fn ends(panel: &Panel) -> Option<String> {
    let mut placed = panel.players.iter().filter(|player| player.rank.is_some());
    let (first, last) = (placed.next()?, placed.next_back()?);
    let judges = counted(panel.judges.len() as u64, "engine");
    let ends = |player: &PanelPlayer| player.panel_difference?.interval;
    let overlap = ends(first).zip(ends(last)).is_some_and(|(first, last)| first.low < last.high);
    Some(format!(
        "By a panel of {judges}, {}'s moves rank first ({} Elo relative to the field's mean) and {}'s last ({}){}.",
        natural_name(&first.name),
        signed(first),
        natural_name(&last.name),
        signed(last),
        if overlap { ", but the two intervals overlap" } else { "" },
    ))
}

fn signed(player: &PanelPlayer) -> String {
    let difference = player.panel_difference.expect("a difference of a player with a rank");
    let sign = if difference.value > 0.0 { "+" } else { "" };
    format!("{sign}{}", with_margin(difference, 0))
}

fn orders(panel: &Panel) -> Option<String> {
    let span = |of: fn(&Correlation) -> Option<f64>| {
        let found: Vec<f64> = panel.correlations.iter().filter_map(of).collect();
        let (low, high) = (found.iter().copied().reduce(f64::min)?, found.iter().copied().reduce(f64::max)?);
        let [low, high] = [low, high].map(|value| rounded(value, 2));
        Some(if low == high { low } else { format!("{low} to {high}") })
    };
    let (ranks, scores) = (span(|found| found.spearman)?, span(|found| found.pearson)?);
    Some(format!(
        "The correlation between two engines is {ranks} for ranks (Spearman) and {scores} for expected scores (Pearson)."
    ))
}

/// Returns a sentence on the expected agreement with other engines on the same games; `None` if unknown.
pub fn reliability(panel: &Panel) -> Option<String> {
    let found = panel.reliability?;
    let said = |estimate: Estimate| {
        let ends =
            estimate.interval.map(|ends| format!(" ({} to {})", rounded(ends.low, 2), rounded(ends.high, 2)));
        rounded(estimate.value, 2) + &ends.unwrap_or_default()
    };
    Some(format!(
        "Reliability is the expected correlation with other engines on the same games: {} between two engines, {} between \
         this panel and another panel of the same size (Spearman–Brown). Brackets: 95 % intervals.",
        said(found.one),
        said(found.mean),
    ))
}

pub fn notes(panel: &Panel, games: usize, left: &[LeftPanel]) -> Vec<String> {
    let fewer = (panel.games < games).then(|| {
        format!(
            "The panel counts only the games that all of its engines evaluated: {} of {games}.",
            counted(panel.games as u64, "game")
        )
    });
    let left = left.iter().map(|left| left.words() + ".");
    fewer.into_iter().chain(left).collect()
}

pub fn verdict(events: &Events) -> Vec<String> {
    let head = match &events.pooled {
        Ok(pooled) => pooled_strength(pooled),
        Err(NotPooled::TooFew) => vec![TOO_FEW.to_owned()],
        Err(NotPooled::Judges) => {
            let judged = events.events.iter().map(|row| {
                let judge = row.judge.as_deref().map_or("unknown".to_owned(), printable);
                format!("{} ({})", named(row), cut(&judge, JUDGE))
            });
            listed(JUDGES, judged, ", ").into_iter().collect()
        }
    };
    let left_out = events.events.iter().filter_map(|row| Some(format!("{} ({})", named(row), why(row)?)));
    head.into_iter().chain(listed(LEFT_OUT, left_out, ", ")).collect()
}

const TOO_FEW: &str =
    "Nothing to pool: fewer than two events give the engine's strength with a standard error.";

const JUDGES: &str =
    "The events are not pooled, because their evaluations differ in engine, search limit or search order: ";

const LEFT_OUT: &str = "Events without a standard error are not pooled: ";

const JUDGE: usize = 60;

fn named(row: &EventStrength) -> String {
    cut(&printable(&row.event), NAME)
}

fn why(row: &EventStrength) -> Option<&'static str> {
    match row.strength {
        None => Some("no rated player"),
        Some(strength) if strength.interval.is_none() => Some("one rated player"),
        Some(_) => (!row.has_error()).then_some("all rated players give the same strength"),
    }
}

fn pooled_strength(pooled: &PooledStrength) -> Vec<String> {
    let Heterogeneity { q, freedom, p, i_squared } = pooled.heterogeneity;
    let events = pooled.estimate.observations;
    let test = format!("Cochran's Q({freedom}) = {}, {}", rounded(q, 1), p_equals(p));
    let share = format!("{} %", rounded(100.0 * i_squared, 0));
    let share = format!("{share} of the variation between events is not due to chance (I²).");
    let verdict = if p < SIGNIFICANT {
        format!(
            "The {events} events differ significantly in the engine's strength ({test}), so the pooled strength is a mean of \
             different values. {share}"
        )
    } else {
        let few =
            if events < EVENTS { "; with so few events, only a large difference would show" } else { "" };
        format!(
            "The {events} events do not differ significantly in the engine's strength ({test}){few}. {share}"
        )
    };
    // Semicolons separate the names, which have commas of their own.
    let shared = first_named(pooled.shared.iter().map(|name| cut(&printable(name), NAME)), "; ");
    let shared = (!shared.is_empty()).then_some(shared);
    [POOLED.to_owned(), verdict].into_iter().chain(listed(SHARED, shared.into_iter(), ", ")).collect()
}

const POOLED: &str = "Each rated player of an event gives an estimate of the engine's strength. The strength in an \
    event is the mean of these estimates, with a 95 % interval computed from their spread. Events are pooled with \
    weights 1/SE² (SE: standard error).";

const SHARED: &str = "Events are not quite independent, because these players are rated in several events: ";

/// With fewer events than this, a sentence says that only a large difference would show.
const EVENTS: usize = 5;
