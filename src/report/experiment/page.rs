//! Owns the `report.html` of an experiment: what it comes to, its pictures and its tables as one page that
//! asks nothing of the network.

use askama::Template;

use super::{Facts, pictures::ExperimentPictures};
use crate::{
    experiment::Experiment,
    report::{
        html::{name, provenance::command, table::PageTable},
        plots::canvas::Drawing,
        tables::experiment::layouts,
        words::experiment::{notes, sentences},
    },
    text::printable,
};

#[derive(Template)]
#[template(path = "report/experiment/page.html")]
struct Page<'a> {
    title: String,
    style: &'static str,
    script: &'static str,
    sentences: Vec<String>,
    drawings: Vec<&'a Drawing>,
    tables: Vec<PageTable>,
    notes: Vec<String>,
    facts: Vec<(String, String)>,
    version: &'static str,
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
    Page {
        title: name(&facts.title),
        style: include_str!("../html/style.css"),
        script: include_str!("../html/tables.js"),
        sentences: sentences(experiment),
        drawings: pictures.drawings().collect(),
        tables: (1..)
            .zip(layouts(experiment))
            .map(|(n, table)| PageTable::of(format!("table-{n}"), table))
            .collect(),
        notes: notes(experiment),
        facts: making(facts),
        version: env!("CARGO_PKG_VERSION"),
    }
    .render()
}

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
