//! Owns how an event went, on the page: cross table, best games, openings, losses with little time left, and the pairs of players
//! (a matrix where it can be read, else those told apart).

use shakmaty::Color;

use super::{games::heading, name, table::PageTable};
use crate::chess::text::rounded;
use crate::measure::{
    AccurateGame, EventCrossTable, EventProfile, OpeningRow, PlayerPair, Quantity, Tournament, Unit,
};
use crate::report::{
    pictures::Source, table::ColumnPart, table::Table, table::layout::Layout, tables::comparison::moved,
    tables::comparison::score_of, tables::profile::profile_division, words::numbers::p_value,
};

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

/// More players than this make a matrix that nobody reads.
const MATRIX: usize = 24;

const NAMED: usize = 40;

pub struct PairTable {
    /// The matrix; empty where there are too many players for one.
    pub rows: Vec<PairRow>,
    pub apart: Vec<String>,
    pub more: usize,
}

pub struct PairRow {
    pub number: usize,
    pub name: String,
    pub cells: Vec<PairCell>,
}

/// One player against another; empty against oneself.
pub struct PairCell {
    pub text: String,
    pub says: String,
    pub apart: bool,
}

impl PairTable {
    /// Returns the pairs of those who are shown; `None` where there are no two with moves.
    pub fn of(tournament: &Tournament) -> Option<PairTable> {
        let moved = moved(tournament);
        match moved.len() {
            0 | 1 => None,
            2..=MATRIX => Some(PairTable { rows: matrix(tournament, &moved), apart: Vec::new(), more: 0 }),
            _ => {
                let mut apart: Vec<&PlayerPair> =
                    tournament.pairs.iter().filter(|pair| pair.is_significant()).collect();
                let more = apart.len().saturating_sub(NAMED);
                apart.truncate(NAMED);
                let says = |pair: &PlayerPair| says(tournament, pair.players, pair);
                Some(PairTable { rows: Vec::new(), apart: apart.into_iter().map(says).collect(), more })
            }
        }
    }
}

fn matrix(tournament: &Tournament, moved: &[(usize, usize)]) -> Vec<PairRow> {
    let cell = |players: [usize; 2]| {
        let pair = tournament.pair(players[0], players[1]);
        PairCell {
            text: pair.map_or(String::new(), |pair| score_of(pair, players[0])),
            says: pair.map_or(String::new(), |pair| says(tournament, players, pair)),
            apart: pair.is_some_and(PlayerPair::is_significant),
        }
    };
    let row = |&(number, row): &(usize, usize)| PairRow {
        number,
        name: name(&tournament.players[row].name),
        cells: moved.iter().map(|&(_, column)| cell([row, column])).collect(),
    };
    moved.iter().map(row).collect()
}

fn says(tournament: &Tournament, players: [usize; 2], pair: &PlayerPair) -> String {
    let [row_name, column_name] = players.map(|place| name(&tournament.players[place].name));
    let p = pair.p_holm.map_or(String::new(), |p| format!(", adjusted p {}", p_value(p)));
    format!("{row_name} against {column_name}: {} %{p}", rounded(100.0 * pair.score_of(players[0]), 1))
}
