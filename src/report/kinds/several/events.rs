//! Sentences on the strength of one engine in several events.

use crate::base::text::{cut, first_named, printable, rounded};
use crate::measure::{EventStrength, Events, NotPooled, PooledStrength};
use crate::numbers::Heterogeneity;
use crate::report::words::{numbers::NAME, numbers::SIGNIFICANT, numbers::listed, numbers::p_equals};

pub fn verdict(events: &Events) -> Vec<String> {
    let head = match &events.pooled {
        Ok(pooled) => words(pooled),
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

fn words(pooled: &PooledStrength) -> Vec<String> {
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
