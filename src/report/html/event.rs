//! Owns how an event went, on the page: cross table, best games, openings, and losses with little time left.

use shakmaty::Color;

use super::{games::heading, name, table::PageTable};
use crate::chess::text::rounded;
use crate::measure::{AccurateGame, EventCrossTable, EventProfile, OpeningRow, Quantity, Unit};
use crate::report::table::{ColumnPart, Table};
use crate::report::{pictures::Source, table::layout::Layout, tables::profile_division};

pub struct EventView {
    pub cross: Option<Vec<CrossView>>,
    pub best: Vec<GameLink>,
    pub accurate: Vec<GameLink>,
    pub openings: Option<PageTable>,
    pub clock: Option<PageTable>,
}

pub struct CrossView {
    pub number: usize,
    pub name: String,
    pub points: String,
    /// Against each player; empty against oneself and who was not met.
    pub cells: Vec<String>,
}

pub struct GameLink {
    pub number: usize,
    pub game: String,
    pub says: String,
}

/// Openings of fewer games than these are left to the files where there are many.
const OPENINGS: usize = 30;

impl EventView {
    /// Returns how the event went; `None` where nothing is known of it.
    pub fn of(source: &Source<'_>) -> Option<EventView> {
        let method = &source.analysis.tournament.method;
        let event = EventProfile::of(source.games, source.sample, method);
        let links = |games: &[AccurateGame]| games.iter().map(|game| GameLink::of(source, game)).collect();
        let view = EventView {
            cross: event.cross.as_ref().map(cross),
            best: links(&event.best),
            accurate: links(&event.accurate),
            openings: (!event.openings.is_empty())
                .then(|| PageTable::of("openings-title", openings(&event.openings))),
            clock: event.clock.as_ref().map(|clock| PageTable::of("clock-title", profile_division(clock))),
        };
        (view.cross.is_some() || view.openings.is_some() || view.clock.is_some() || !view.best.is_empty())
            .then_some(view)
    }
}

impl GameLink {
    fn of(source: &Source<'_>, found: &AccurateGame) -> GameLink {
        let game = source.games[found.game].game();
        let accuracy = rounded(found.accuracy, 1);
        GameLink {
            number: game.source.ordinal,
            game: heading(game),
            says: match found.side {
                None => format!("both sides {accuracy} % or more"),
                Some(color) => format!("{} {accuracy} %", color.fold_wb("White", "Black")),
            },
        }
    }
}

fn cross(table: &EventCrossTable) -> Vec<CrossView> {
    let result = |half_points: &u32| match half_points {
        0 => '0',
        1 => '½',
        _ => '1',
    };
    let rows = (1..).zip(&table.rows).map(|(number, row)| CrossView {
        number,
        name: name(&row.player),
        points: format!("{}/{}", rounded(f64::from(row.half_points) / 2.0, 1), row.games),
        cells: row.against.iter().map(|games| games.iter().map(result).collect()).collect(),
    });
    rows.collect()
}

fn openings(rows: &[OpeningRow]) -> Layout {
    let accuracy = |color: Color| move |row: &OpeningRow| row.accuracy[color.fold_wb(0, 1)];
    Table::shown(&rows[..rows.len().min(OPENINGS)])
        .beside(ColumnPart::Names.under("Opening"), |row: &OpeningRow| name(&row.name))
        .beside("Games", |row: &OpeningRow| row.games)
        .number_beside(
            ColumnPart::Percent.under("White’s\npoints %"),
            Quantity::POINTS_SHARE,
            |row: &OpeningRow| row.white,
        )
        .number_beside(
            ColumnPart::Value.under("Accuracy\nof White %").decimals(1),
            Unit::Percent,
            accuracy(Color::White),
        )
        .number_beside(
            ColumnPart::Value.under("Accuracy\nof Black %").decimals(1),
            Unit::Percent,
            accuracy(Color::Black),
        )
        .layout("", Vec::new())
}
