//! The parts of the page about an event: cross table, best games, openings, and pairs of players.

use shakmaty::Color;

use super::games::heading;
use crate::base::text::rounded;
use crate::measure::{
    AccurateGame, CrossGame, CrossRow, EventCrossTable, EventProfile, OpeningRow, PlayerPair, Quantity,
    Tournament, Unit,
};
use crate::report::pictures::Source;
use crate::report::table::{ColumnPart, Table, layout::Layout, page::PageTable};
use crate::report::tables::{comparison::moved, comparison::score_of, profile::profile_division};
use crate::report::words::{names::name, names::surnames, numbers::p_value};

pub struct EventView {
    pub profile: EventProfile,
    pub openings: Option<PageTable>,
    pub clock: Option<PageTable>,
}

/// Largest number of openings on the page. Rarer openings are only in the files.
const OPENINGS: usize = 30;

impl EventView {
    pub fn of(source: &Source<'_>) -> Option<EventView> {
        let profile = EventProfile::of(
            source.games,
            &source.findings.sample,
            &source.findings.analysis.tournament.method,
        );
        let openings = (!profile.openings.is_empty())
            .then(|| PageTable::of("openings-title", openings(&profile.openings)));
        let clock = profile.clock.as_ref().map(|clock| PageTable::of("clock-title", profile_division(clock)));
        let is_known =
            profile.cross.is_some() || openings.is_some() || clock.is_some() || !profile.best.is_empty();
        is_known.then_some(EventView { profile, openings, clock })
    }
}

pub fn accurate_game(source: &Source<'_>, found: &AccurateGame) -> (usize, String, String) {
    let (game, accuracy) = (source.games[found.game].game(), rounded(found.accuracy, 1));
    let says = match found.side {
        None => format!("both sides {accuracy} % or more"),
        Some(color) => format!("{} {accuracy} %", color.fold_wb("White", "Black")),
    };
    (game.source.ordinal, heading(game), says)
}

/// Returns the texts of a cell of the cross table: the number of the game, the result and the accuracy. In a
/// standing, which has a column for each round, the player's color and the opponent's number follow the
/// result. The last text is the shade of the cell, from 0 for an accuracy of 80 % or less to 1 for 100 %.
pub fn cross_cell(
    source: &Source<'_>,
    cross: &EventCrossTable,
    cell: &CrossGame,
) -> (usize, String, String, String) {
    let result = ["0", "½", "1"][cell.half_points.min(2) as usize];
    let result = match cross.rounds.is_empty() {
        // A bye has no opponent, and so no number of a row.
        false if cell.opponent < cross.rows.len() => {
            format!("{result} {}{}", cell.color.fold_wb("w", "b"), cell.opponent + 1)
        }
        false => format!("{result} –"),
        true => result.to_owned(),
    };
    let accuracy = cell.accuracy.map_or(String::new(), |accuracy| rounded(accuracy, 0));
    let shade = cell.accuracy.map_or(0.0, |accuracy| (accuracy - 80.0).clamp(0.0, 20.0) / 20.0);
    (source.games[cell.game].game().source.ordinal, result, accuracy, format!("{shade:.2}"))
}

pub fn names(cross: &EventCrossTable) -> Vec<(String, String)> {
    let names: Vec<String> = cross.rows.iter().map(|row| name(&row.player)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    surnames(&names).into_iter().map(|(short, rest)| (short.to_owned(), rest.to_owned())).collect()
}

pub fn points(row: &CrossRow) -> String {
    format!("{}/{}", rounded(f64::from(row.half_points) / 2.0, 1), row.games)
}

fn openings(rows: &[OpeningRow]) -> Layout {
    let accuracy = |color: Color| move |row: &OpeningRow| row.accuracy[color.fold_wb(0, 1)];
    Table::shown(&rows[..rows.len().min(OPENINGS)])
        .display(ColumnPart::Names.under("Opening"), |row: &OpeningRow| name(&row.name))
        .display("Games", |row: &OpeningRow| row.games)
        .display_number(
            ColumnPart::Percent.under("White’s\npoints %"),
            Quantity::POINTS_SHARE,
            |row: &OpeningRow| row.white,
        )
        .display_number(
            ColumnPart::Value.under("Accuracy\nof White %").decimals(1),
            Unit::Percent,
            accuracy(Color::White),
        )
        .display_number(
            ColumnPart::Value.under("Accuracy\nof Black %").decimals(1),
            Unit::Percent,
            accuracy(Color::Black),
        )
        .layout("", Vec::new())
}

const MATRIX: usize = 24;

const NAMED: usize = 40;

pub struct PairTable {
    /// Numbers and indices of the players of the matrix; empty if there are too many players for a matrix.
    pub players: Vec<(usize, usize)>,
    pub significant: Vec<String>,
    pub more: usize,
}

impl PairTable {
    /// Returns the pairs of the players that are shown; `None` if fewer than two have moves.
    pub fn of(tournament: &Tournament) -> Option<PairTable> {
        let players = moved(tournament);
        match players.len() {
            0 | 1 => None,
            2..=MATRIX => Some(PairTable { players, significant: Vec::new(), more: 0 }),
            _ => {
                let significant = tournament.pairs.iter().filter(|pair| pair.is_significant());
                let mut significant: Vec<String> =
                    significant.map(|pair| says(tournament, pair.players, pair)).collect();
                let more = significant.len().saturating_sub(NAMED);
                significant.truncate(NAMED);
                Some(PairTable { players: Vec::new(), significant, more })
            }
        }
    }
}

pub fn cell(tournament: &Tournament, row: &usize, column: &usize) -> Option<(bool, String, String)> {
    let pair = tournament.pair(*row, *column)?;
    Some((pair.is_significant(), says(tournament, [*row, *column], pair), score_of(pair, *row)))
}

fn says(tournament: &Tournament, players: [usize; 2], pair: &PlayerPair) -> String {
    let [row_name, column_name] = players.map(|place| name(&tournament.players[place].name));
    let p = pair.p_holm.map_or(String::new(), |p| format!(", adjusted p {}", p_value(p)));
    format!("{row_name} against {column_name}: {} %{p}", rounded(100.0 * pair.score_of(players[0]), 1))
}
