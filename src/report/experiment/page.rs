//! Owns the `report.html` of an experiment: what it comes to, its pictures and its tables as one page that
//! asks nothing of the network.

use askama::Template;

use super::{Facts, pictures::ExperimentPictures};
use crate::chess::text::printable;
use crate::lab::Experiment;
use crate::report::words::experiment::{notes, sentences};
use crate::report::{
    html::name, html::provenance::command, html::table::PageTable, plots::canvas::Drawing,
    table::layout::Layout, tables::experiment::layouts,
};

/// What a page of games between engines holds.
#[derive(Template)]
#[template(path = "report/experiment/page.html")]
pub(super) struct ExperimentPage<'a> {
    /// What it is about, behind the title.
    pub subject: &'static str,
    /// The same as a line of its own.
    pub kind: &'static str,
    pub title: String,
    pub sentences: Vec<String>,
    pub drawings: Vec<&'a Drawing>,
    pub tables: Vec<PageTable>,
    pub notes: Vec<String>,
    pub facts: Vec<(String, String)>,
    /// Words with their meanings.
    pub method: &'static [(&'static str, &'static str)],
}

/// Returns tables with their labels on the page.
pub(super) fn page_tables(layouts: Vec<Layout>) -> Vec<PageTable> {
    (1..).zip(layouts).map(|(n, table)| PageTable::of(format!("table-{n}"), table)).collect()
}

/// Returns the page.
///
/// # Errors
///
/// If the template cannot be filled, which no input can bring about.
pub fn page(
    experiment: &Experiment,
    pictures: &ExperimentPictures,
    facts: &Facts,
) -> Result<String, askama::Error> {
    ExperimentPage {
        subject: "strength by depth",
        kind: "Playing strength by search depth",
        title: name(&facts.title),
        sentences: sentences(experiment),
        drawings: pictures.drawings().collect(),
        tables: page_tables(layouts(experiment)),
        notes: notes(experiment),
        facts: making(facts),
        method: &METHOD,
    }
    .render()
}

/// What the numbers mean, and what not.
const METHOD: [(&str, &str); 5] = [
    (
        "Curve",
        "Φ((d − μ)/σ), the score of depth d against one fixed depth, with μ the depth that scores ½. One ply is worth η = 200√2/σ Elo points. D. R. Ferreira, “The Impact of Search Depth on Chess Playing Strength”, ICGA Journal 36(2), 2013.",
    ),
    (
        "Three fits",
        "the paper’s least squares lets every score count the same; the likelihood of one column (probit) knows how many games a score is of; one rating for each depth from all pairs together (pairwise) does not take every ply to be worth the same.",
    ),
    (
        "Diminishing returns",
        "by Heinz’s rule, where the confident differences of two matches of neighbouring depths have nothing in common and the deeper one lies lower. E. A. Heinz, “A New Self-Play Experiment in Computer Chess”, MIT LCS Technical Memo 608, 2000. With many matches some two are apart by chance, so one test of the trend over all of them stands beside it.",
    ),
    (
        "Standard errors",
        "Heinz takes a game for a trial that is won or lost; with draws counted as what they are the error is smaller, and with openings played with both colours the pair of games is the unit.",
    ),
    (
        "Limits",
        "these are points between one engine and itself. Against other opponents a ply is worth less or more, and an Elo anchored on one depth carries all errors of the anchor.",
    ),
];

/// Returns how the games were played.
fn making(facts: &Facts) -> Vec<(String, String)> {
    let one = |label: &str, text: &str| (label.to_owned(), printable(text));
    let mut lines = vec![one("Engine", &facts.engine)];
    lines.extend(facts.opponent.as_ref().map(|opponent| one("Opponent", opponent)));
    lines.extend(facts.conditions.iter().map(|(label, text)| one(label, text)));
    lines.extend(facts.anchor.as_ref().map(|anchor| one("Anchor", anchor)));
    lines.push(("Command".to_owned(), command(&facts.command)));
    lines.push(one("Version", concat!("gainalyze ", env!("CARGO_PKG_VERSION"))));
    lines
}
