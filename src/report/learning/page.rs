//! Owns the `report.html` of what was learned: what it comes to, its pictures and its tables as one page that asks nothing of
//! the network.

use askama::Template;

use super::{LearningFacts, pictures::LearningPictures};
use crate::chess::text::counted;
use crate::lab::Learned;
use crate::report::{
    html::name, html::provenance::command, html::table::PageTable, plots::canvas::Drawing,
    tables::learning_layouts, words::learning::sentences,
};

#[derive(Template)]
#[template(path = "report/learning/page.html")]
struct LearningPage<'a> {
    title: String,
    sentences: Vec<String>,
    drawings: Vec<&'a Drawing>,
    tables: Vec<PageTable>,
    facts: Vec<(String, String)>,
}

/// Returns the page.
///
/// # Errors
///
/// If the template cannot be filled, which no input can bring about.
pub(super) fn page(
    learned: &Learned,
    pictures: &LearningPictures,
    facts: &LearningFacts,
) -> Result<String, askama::Error> {
    let bands: Vec<String> = facts.bands.iter().map(|band| band.elo.to_string()).collect();
    let tables = (1..).zip(learning_layouts(learned, facts));
    LearningPage {
        title: name(&format!("Players of {}", bands.join(", "))),
        sentences: sentences(learned),
        drawings: pictures.drawings().collect(),
        tables: tables.map(|(n, table)| PageTable::of(format!("table-{n}"), table)).collect(),
        facts: making(facts),
    }
    .render()
}

/// Returns what the weights depend on.
fn making(facts: &LearningFacts) -> Vec<(String, String)> {
    let mut lines = vec![
        ("Games".to_owned(), format!("{} read", counted(facts.read, "game"))),
        ("Positions".to_owned(), facts.positions.clone()),
    ];
    let conditions = facts.conditions.iter().filter_map(|line| line.split_once(": "));
    lines.extend(conditions.map(|(label, text)| (capital(label), text.to_owned())));
    lines.push(("Command".to_owned(), command(&facts.command)));
    lines.push(("Version".to_owned(), concat!("gainalyze ", env!("CARGO_PKG_VERSION")).to_owned()));
    lines
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
