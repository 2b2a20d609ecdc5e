//! Sentences on a panel of judges.

use serde::Serialize;

use crate::base::text::{counted, cut, printable, rounded};
use crate::measure::{Correlation, Panel, PanelPlayer};
use crate::numbers::Estimate;
use crate::report::words::{names::natural_name, numbers::NAME, numbers::with_margin};

/// A judge that is no longer on the panel, with the reason.
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
    let judges = counted(panel.judges.len() as u64, "judge");
    let ends = |player: &PanelPlayer| player.panel_difference?.interval;
    let overlap = ends(first).zip(ends(last)).is_some_and(|(first, last)| first.low < last.high);
    Some(format!(
        "According to a panel of {judges}, {} played best ({} Elo points relative to the field's mean) and {} \
         worst ({}){}.",
        natural_name(&first.name),
        signed(first),
        natural_name(&last.name),
        signed(last),
        if overlap { "; the two intervals overlap" } else { "" },
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
        "The correlation between two judges is {ranks} for ranks (Spearman) and {scores} for expected scores (Pearson)."
    ))
}

/// Returns a sentence on the agreement to expect with other judges of the same games; `None` if unknown.
pub fn reliability(panel: &Panel) -> Option<String> {
    let found = panel.reliability?;
    let said = |estimate: Estimate| {
        let ends =
            estimate.interval.map(|ends| format!(" ({} to {})", rounded(ends.low, 2), rounded(ends.high, 2)));
        rounded(estimate.value, 2) + &ends.unwrap_or_default()
    };
    Some(format!(
        "Reliability is the expected correlation with other judges of the same games: {} between two judges, {} between \
         this panel and another panel of the same size (Spearman–Brown). Brackets: 95 % intervals.",
        said(found.one),
        said(found.mean),
    ))
}

pub fn notes(panel: &Panel, games: usize, left: &[LeftPanel]) -> Vec<String> {
    let fewer = (panel.games < games).then(|| {
        format!(
            "The panel counts only the games that all of its judges evaluated: {} of {games}.",
            counted(panel.games as u64, "game")
        )
    });
    let left = left.iter().map(|left| left.words() + ".");
    fewer.into_iter().chain(left).collect()
}
