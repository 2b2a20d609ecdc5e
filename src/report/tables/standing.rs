//! Owns the one table that every run shows: the players in the order of their play, with what else is told of them in a line.

use crate::chess::{Judgement, text::rounded};
use crate::measure::{QualityOfPlay, Quantity, Standing, Unit};
use crate::report::table::layout::{Layout, fitted};
use crate::report::table::{ColumnPart, Screen, Table};
use crate::report::{words, words::numbers::MISSING};

/// Players that the table shows of a larger field.
const ROWS: usize = 25;

/// Returns three sentences of the `field` (who, how sure, what cannot be told apart), the table of `standings`, and what is to be
/// known to read it. A `warning` is that of the judge.
pub fn summary(
    field: Option<&QualityOfPlay>,
    quality: &QualityOfPlay,
    standings: &[Standing<'_>],
    warning: Option<&str>,
    screen: Screen,
) -> String {
    let sentences = field.map(words::quality::sentences).unwrap_or_default();
    let sentences: String = sentences.iter().map(|text| fitted(text, screen) + "\n").collect();
    let more = standings.len().saturating_sub(ROWS);
    let notes = if more > 0 { words::quality::brief_notes(quality) } else { words::quality::notes(quality) };
    let notes = notes.into_iter().chain(warning.map(str::to_owned));
    let more = (more > 0).then(|| format!("{more} more players are in the files and on the page."));
    if standings.is_empty() {
        return sentences;
    }
    let shown = &standings[..standings.len().min(ROWS)];
    let table = layout(shown, quality, more.into_iter().chain(notes).collect()).shown(screen);
    // The table's title is the empty line between them.
    sentences + &table
}

fn layout(rows: &[Standing<'_>], quality: &QualityOfPlay, notes: Vec<String>) -> Layout {
    let knows_choices = rows.iter().any(|row| row.first_choice.is_some());
    let is_elo = rows.iter().any(|row| row.result.elo.is_some());
    let mut table = Table::shown(rows)
        .beside("", |row| row.quality.rank)
        .names_beside("Player", |row| row.quality.player.as_str());
    table = table.shown_if(is_elo, |table| {
        table
            .number_beside(Quantity::RATING, |row| row.result.elo.map(|elo| elo.value))
            .heading("Elo")
            .decimals(0)
            .gives_way(3)
    });
    table = table
        .said_beside("Points", |row| format!("{}/{}", rounded(row.result.points(), 1), row.result.games));
    table = match quality.is_rated() {
        true => table.said_beside("Rating\nof play", |row| {
            row.quality.rating.as_ref().map_or(MISSING.to_owned(), words::quality::brief)
        }),
        false => table
            .number_beside(Unit::PercentagePoints, |row| row.quality.win_loss)
            .heading("Loss of\nwin %")
            .decimals(2)
            .gives_way(2),
    };
    table = table.shown_if(knows_choices, |table| {
        table
            .number_beside(Unit::Percent, |row| row.first_choice)
            .part("First\nchoice %", ColumnPart::Value)
            .decimals(1)
            .gives_way(1)
    });
    table = table
        .number_beside(Unit::Centipawns, |row| row.centipawn_loss)
        .part("Centipawn\nloss", ColumnPart::Value)
        .decimals(1)
        .gives_way(4)
        .number_beside(Unit::Percent, |row| row.accuracy)
        .part("Accuracy\n%", ColumnPart::Value)
        .decimals(1)
        .gives_way(5);
    for judgement in Judgement::ALL {
        let count = move |row: &Standing<'_>| row.judgements.of(judgement);
        table = table.beside(judgement.symbol(), count).gives_way(2);
    }
    table.layout("", notes)
}
