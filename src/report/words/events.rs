//! Sentences on the strength of one engine in several events.

use super::numbers::{NAME, SIGNIFICANT, listed, p_equals};
use crate::chess::text::{cut, first_named, printable, rounded};
use crate::measure::{EventStrength, Events, NotPooled, PooledStrength};
use crate::numbers::Heterogeneity;

/// Returns the sentences that say whether the events agree on one strength, and which events are left out.
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
    head.into_iter().chain(listed("Left out, without a standard error: ", left_out, ", ")).collect()
}

const TOO_FEW: &str =
    "Nothing to pool: fewer than two events give the engine's strength with a standard error.";

const JUDGES: &str =
    "Not pooled: strengths by different engines, limits or orders of search cannot be compared: ";

const JUDGE: usize = 60;

fn named(row: &EventStrength) -> String {
    cut(&printable(&row.event), NAME)
}

fn why(row: &EventStrength) -> Option<&'static str> {
    match row.strength {
        None => Some("no rated player"),
        Some(strength) if strength.interval.is_none() => Some("one rated player"),
        Some(_) => (!row.has_error()).then_some("no spread of the players"),
    }
}

fn words(pooled: &PooledStrength) -> Vec<String> {
    let Heterogeneity { q, freedom, p, i_squared } = pooled.heterogeneity;
    let events = pooled.estimate.observations;
    let test = format!("Cochran's Q({freedom}) = {}, {}", rounded(q, 1), p_equals(p));
    let share = format!("I² = {} %", rounded(100.0 * i_squared, 0));
    let verdict = if p < SIGNIFICANT {
        format!(
            "The {events} events differ significantly in the engine's strength ({test}), so the pooled strength is a mean of \
             different values. {share} of their scatter is more than chance."
        )
    } else {
        let few = if events < EVENTS { "; so few events would show only a large difference" } else { "" };
        format!(
            "The {events} events do not differ significantly in the engine's strength ({test}){few}. {share} of their \
             scatter is more than chance."
        )
    };
    // Semicolons separate the names, which have commas of their own.
    let shared = first_named(pooled.shared.iter().map(|name| cut(&printable(name), NAME)), "; ");
    let shared = (!shared.is_empty()).then_some(shared);
    [POOLED.to_owned(), verdict].into_iter().chain(listed(SHARED, shared.into_iter(), ", ")).collect()
}

const POOLED: &str = "Means over the rated players of each event, with 95 % intervals from their spread; pooled with \
    weights 1/SE².";

const SHARED: &str = "Rated in more than one event, so these events are not quite independent: ";

/// Smallest number of events for which small differences are mentioned too.
const EVENTS: usize = 5;
