//! Events of an archive: their tables, and their part of the page.

use std::collections::BTreeMap;

use crate::base::text::{counted, rounded};
use crate::measure::{EntrantRow, EventRow, LEAST_UPSET, Quantity, Survey, Unit, Upset};
use crate::numbers::Estimate;
use crate::report::table::{ColumnPart, EndColumns, Table, head, layout::Layout};
use crate::report::words::{
    names::name, names::natural_name, numbers::MISSING, numbers::number, numbers::with_margin,
};

/// Number of players whose performances are shown for each event.
const BEST: usize = 3;

/// Largest number of events in a terminal's table, and of upsets. The page has all events, and the files have all of both.
const ROWS: usize = 20;

/// Returns the events, those with the highest ratings first.
pub fn ranked(survey: &Survey) -> Vec<&EventRow> {
    let mut events: Vec<&EventRow> = survey.events.iter().filter(|event| event.games > 0).collect();
    let elo = |event: &EventRow| event.elo.unwrap_or(f64::NEG_INFINITY);
    events.sort_by(|a, b| elo(b).total_cmp(&elo(a)).then_with(|| a.event.cmp(&b.event)));
    events
}

pub fn events(rows: &[&EventRow]) -> Table {
    Table::of("archive-events", "One row per event of the table of groups; written with `--by event`.", rows)
        .column("event", "The event. The name of blitz and rapid events ends with the speed.", |row| {
            &row.event
        })
        .display(ColumnPart::Names.under("Event"), |row| name(&row.event))
        .column("games", "Games with a counted move.", |row| row.games)
        .heading(head("Games").gives_way(4))
        .column("players", "Players of counted games.", |row| row.entrants.len() as u64)
        .heading(head("Players").gives_way(5))
        .column("titled", "Players with a title.", |row| row.titled() as u64)
        .heading(head("Titled").gives_way(7))
        .number("elo", Quantity::RATING, "Mean rating tag of the movers.", |row| row.elo)
        .heading(head("Elo").decimals(0))
        .number("blunders_timely", Unit::Share, "", |row| row.timed.share(0))
        .means("Share of blunders by lichess's rule among moves that leave the mover at least a minute.")
        .heading(ColumnPart::Percent.under("Blunders %\nwith time").gives_way(3))
        .column("moves_in_trouble", "Moves that leave the mover less than a minute.", |row| {
            row.timed.moves[1]
        })
        .number("blunders_in_trouble", Unit::Share, "", |row| row.timed.share(1))
        .means("Share of blunders among `moves_in_trouble`.")
        .heading(ColumnPart::Percent.under("in the last\nminute %").gives_way(2))
        .column("upsets", "Games won by a player rated at least 200 points lower.", |row| {
            row.upsets.values().sum::<u64>()
        })
        .heading(head("Upsets").gives_way(6))
        .display_text(ColumnPart::Words.under("Best performance"), |row| {
            row.best(1).next().map_or(MISSING.to_owned(), performance)
        })
        .table()
}

/// Returns the players of events, each with the event.
pub fn entrants(events: &[&EventRow]) -> Table {
    let rows: Vec<(&str, &EntrantRow)> = events
        .iter()
        .flat_map(|event| event.entrants.iter().map(|row| (event.event.as_str(), row)))
        .collect();
    Table::of(
        "archive-players",
        "One row per event and player, the best expected scores of each event first.",
        &rows,
    )
    .column("event", "The event, as in `archive-events`.", |row| row.0)
    .column("player", "The player; a FIDE id is one player.", |row| &row.1.name)
    .column("title", "The title in most of the player's games; empty without a title.", |row| {
        row.1.title.clone()
    })
    .column("games", "Games with a counted move.", |row| row.1.games)
    .column("moves", "Moves with a counted gain.", |row| row.1.moves)
    .number("elo", Quantity::RATING, "Mean rating tag.", |row| row.1.elo)
    .number("points", Unit::Points, "Points scored in games with a known result.", |row| row.1.points)
    .column("results", "Games with a known result.", |row| row.1.results)
    .expected_score(EndColumns::Named, |row| row.1.expected_score)
    .elo_difference(EndColumns::Named, |row| row.1.elo_difference)
    .number_in("performance", Unit::Elo, EndColumns::Named, "", |row| row.1.performance)
    .means("Mean strength of the engine as seen from the event's rated players, plus `elo_difference`.")
    .column("is_compared", "", |row| row.1.is_compared)
    .means("True if the player has at least three games, and half as many as any player of the event.")
    .table()
}

/// Returns the upsets, the largest first, each with its event.
pub fn upsets<'s>(events: &[&'s EventRow]) -> Vec<(&'s str, &'s Upset, u64)> {
    let of_event = |event: &&'s EventRow| {
        event.upsets.iter().map(|(upset, &games)| (event.event.as_str(), upset, games))
    };
    let mut rows: Vec<_> = events.iter().flat_map(of_event).collect();
    rows.sort_by(|a, b| b.1.difference.cmp(&a.1.difference).then_with(|| a.cmp(b)));
    rows
}

pub fn upset_table(rows: &[(&str, &Upset, u64)]) -> Table {
    Table::of(
        "upsets",
        "One row per winner and loser whose ratings differ by at least 200 points, the largest first.",
        rows,
    )
    .column("winner", "The winner, rated lower.", |row| &row.1.winner)
    .display(ColumnPart::Names.under("Winner"), |row| natural_name(&row.1.winner))
    .column("loser", "The loser, rated higher.", |row| &row.1.loser)
    .display(ColumnPart::Words.under("Loser"), |row| natural_name(&row.1.loser))
    .column("difference", "The difference of the ratings in the game's tags.", |row| {
        u64::from(row.1.difference)
    })
    .heading("Elo\ndifference")
    .column("games", "Number of such games.", |row| row.2)
    .column("event", "The event, as in `archive-events`.", |row| row.0)
    .display(ColumnPart::Words.under("Event").gives_way(1), |row| name(row.0))
    .table()
}

/// Returns the tables that the page and the terminal show: the events, and the largest upsets.
pub fn layouts(survey: &Survey) -> Vec<Layout> {
    let all = ranked(survey);
    let shown = &all[..all.len().min(ROWS)];
    let mut notes = vec![NOTE.to_owned()];
    if shown.len() < all.len() {
        notes.insert(
            0,
            format!(
                "The first {ROWS} of {} are shown; the page and the files list all.",
                counted(all.len() as u64, "event")
            ),
        );
    }
    let upsets = upsets(&all);
    let mut tables = vec![events(shown).layout("The events, those with the highest ratings first", notes)];
    if !upsets.is_empty() {
        let note = format!(
            "Games won by a player rated at least {LEAST_UPSET} points lower: {}.",
            counted(upsets.iter().map(|row| row.2).sum(), "game")
        );
        tables.push(upset_table(&upsets[..upsets.len().min(ROWS)]).layout("The largest upsets", vec![note]));
    }
    tables
}

pub const NOTE: &str = "Performance: the engine’s strength as seen from the rated players of the event, plus the player’s Elo \
    difference to the engine, by the quality of the moves and not by the results. It compares players of one event. Only \
    players with at least three games, and half as many as any other, are compared. The best of many are partly lucky.";

/// Returns a player with the performance; with the expected score if the event has too few ratings.
fn performance(row: &EntrantRow) -> String {
    let title = row.title.as_ref().map_or(String::new(), |title| format!("{} ", name(title)));
    format!("{title}{}, {}", natural_name(&row.name), measured(row))
}

fn measured(row: &EntrantRow) -> String {
    match (row.performance, row.expected_score) {
        (Some(performance), _) => with_margin(performance, 0),
        (None, Some(score)) => format!("{} %", with_margin(percent(score), 1)),
        (None, None) => MISSING.to_owned(),
    }
}

/// Returns a score in percent.
pub fn percent(score: Estimate) -> Estimate {
    let interval = score.interval.map(|interval| interval.mapped(|end| 100.0 * end, 100.0));
    Estimate { value: 100.0 * score.value, interval, ..score }
}

/// An event on the page.
pub struct EventView {
    pub name: String,
    /// The address of the event's own report.
    pub link: Option<String>,
    pub games: u64,
    pub players: usize,
    /// Numbers of players by title, such as `12 GM, 3 IM`.
    pub titles: String,
    pub elo: String,
    /// Blunders in percent, with time and in time trouble.
    pub blunders: [String; 2],
    pub upsets: u64,
    /// The title, the name, the performance, and the points of each of the best players.
    pub best: Vec<[String; 4]>,
}

impl EventView {
    pub fn of(event: &EventRow, links: &BTreeMap<String, String>) -> EventView {
        let mut titles: BTreeMap<&str, usize> = BTreeMap::new();
        event
            .entrants
            .iter()
            .filter_map(|row| row.title.as_deref())
            .for_each(|title| *titles.entry(title).or_default() += 1);
        let mut titles: Vec<_> = titles.into_iter().collect();
        titles.sort_by_key(|(title, players)| {
            (TITLES.iter().position(|known| known == title).unwrap_or(TITLES.len()), usize::MAX - players)
        });
        let titles: Vec<String> =
            titles.iter().map(|(title, players)| format!("{players} {}", name(title))).collect();
        let share = |class: usize| number(event.timed.share(class).map(|share| 100.0 * share), 1);
        let best = event.best(BEST).map(|row| {
            let points = format!("{} of {}", row.points, row.results);
            [
                row.title.as_deref().map(name).unwrap_or_default(),
                natural_name(&row.name),
                measured(row),
                points,
            ]
        });
        EventView {
            name: name(&event.event),
            link: links.get(&event.event).cloned(),
            games: event.games,
            players: event.entrants.len(),
            titles: titles.join(", "),
            elo: number(event.elo, 0),
            blunders: [share(0), share(1)],
            upsets: event.upsets.values().sum(),
            best: best.collect(),
        }
    }
}

/// FIDE's titles in the order of the page: each open title before the women's.
const TITLES: [&str; 8] = ["GM", "WGM", "IM", "WIM", "FM", "WFM", "CM", "WCM"];

/// Returns the finding of the page: the strongest event with compared players, and its best performance. `None` without ratings.
pub fn finding(survey: &Survey) -> Option<Vec<String>> {
    let events = ranked(survey);
    let (event, best) = events.iter().find_map(|event| Some((event, event.best(1).next()?)))?;
    let (name, elo, best) = (name(&event.event), rounded(event.elo?, 0), performance(best));
    let which = if std::ptr::eq(*event, events[0]) { "" } else { " with at least three games of a player" };
    Some(vec![
        format!("The strongest event{which} is {name}."),
        format!("The mean rating is {elo}, and the best performance is {best}."),
    ])
}
