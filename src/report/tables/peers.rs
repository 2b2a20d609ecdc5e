//! The tables of single games: usual values at a rating, and a player's rank.

use crate::base::text::rounded;
use crate::chess::Phase;
use crate::measure::{
    Unit,
    peers::{PeerRank, PeerStanding, PlayMeasure, UsualRow, part_name},
};
use crate::report::table::{EndColumns, Screen, Table, head, layout::Layout};
use crate::report::words::{numbers::MISSING, peers as words, reference};

pub fn standing_table(standing: Option<&PeerStanding>) -> Table {
    let rows: &[PeerRank] = standing.map_or(&[], |standing| &standing.ranks);
    let label = |rank: &PeerRank| {
        standing.map_or_else(String::new, |standing| words::of_groups(standing, &rank.groups))
    };
    Table::of(
        "peers",
        "One row per measure and part of a game; written if there are games to compare with.",
        rows,
    )
    .column("measure", "The measure; its name ends with its unit.", |rank| rank.measure.name())
    .column("part", "`game`, or the phase.", |rank| part_name(rank.part))
    .column("games", "Compared games of the player.", |rank| rank.games)
    .number("value", Unit::Row, "Mean over the compared games.", |rank| Some(rank.value))
    .number_in("above", Unit::Share, EndColumns::Named, "", |rank| Some(rank.above))
    .means(
        "Probability that a game of the player has a better value (for `seconds_a_move`: a longer time) \
             than a game of the other players; 0.5 is usual.",
    )
    .column("peers", "Ratings and speeds of the other players' games.", label)
    .column("peer_games", "Number of these games, each counted once per player.", |rank| rank.peer_games)
    .table()
}

pub(in crate::report) fn standing_layout(standing: &PeerStanding) -> Layout {
    let known = |measure: &PlayMeasure| standing.rank(*measure, None).is_some();
    let measures: Vec<PlayMeasure> = PlayMeasure::ALL.into_iter().filter(known).collect();
    let cell = |measure: PlayMeasure, part: Option<Phase>| {
        standing.rank(measure, part).map_or_else(|| MISSING.to_owned(), words::brief)
    };
    let value = |measure: &PlayMeasure| {
        standing.rank(*measure, None).map_or_else(String::new, |rank| rounded(rank.value, 1))
    };
    let table = Table::shown(&measures)
        .label("Measure", |measure| reference::title(*measure).to_owned())
        .display_text("Mean", value)
        .display_text("Whole game", |measure| cell(*measure, None));
    let heads = ["Opening", "Middlegame", "Endgame"];
    let table = Phase::ALL.into_iter().zip(heads).fold(table, |table, (phase, name)| {
        table.display_text(head(name).gives_way(2), move |measure| cell(*measure, Some(phase)))
    });
    table.layout(reference::TITLE, reference::notes(standing))
}

pub fn standing(standing: &PeerStanding, screen: Screen) -> String {
    standing_layout(standing).shown(screen)
}

pub fn usual_table(rows: &[UsualRow]) -> Table {
    let of = |share: usize| move |row: &UsualRow| Some(row.quantiles[share]);
    let table = Table::of(
        "group-quantiles",
        "One row per group, kind of evaluations, measure and part of a game.",
        rows,
    )
    .column("group", "The group, as in the table of groups.", |row| &row.group)
    .column("evaluations", "", |row| &row.kind)
    .means("Source and settings of the evaluations; `?` if no tag names them.")
    .column("measure", "The measure of single games; its name ends with its unit.", |row| row.measure.name())
    .column("part", "`game`, or the phase.", |row| part_name(row.part))
    .column("games", "Games, counted per player with ten moves or more (five in a phase).", |row| row.games);
    let named = UsualRow::SHARES.into_iter().enumerate();
    named
        .fold(table, |table, (place, share)| {
            let percent = rounded(100.0 * share, 0);
            let meaning = format!("The value that {percent} % of these games do not exceed.");
            table.number(format!("q{percent}"), Unit::Row, meaning, of(place))
        })
        .table()
}

pub fn usual(
    rows: &[&UsualRow],
    label: (&'static str, &dyn Fn(&str) -> String),
    title: &'static str,
    notes: Vec<String>,
    screen: Screen,
) -> String {
    usual_layout(rows, label, title, notes).shown(screen)
}

/// Returns the quantiles for readers. `label` returns the name of a row's group.
pub(in crate::report) fn usual_layout(
    rows: &[&UsualRow],
    (heading, label): (&'static str, &dyn Fn(&str) -> String),
    title: &'static str,
    notes: Vec<String>,
) -> Layout {
    let shown = |place: usize| move |row: &&UsualRow| rounded(row.quantiles[place], 1);
    let table = Table::shown(rows)
        .label(heading, |row| label(&row.group))
        .label("Single games", |row| {
            reference::title(row.measure).trim_end_matches(" (% of games that were faster)").to_owned()
        })
        .display_text(head("Games").gives_way(2), |row| row.games.to_string())
        .display_text("5 %\nbelow", shown(0))
        .display_text("25 %", shown(2))
        .display_text("Half", shown(3))
        .display_text("75 %", shown(4))
        .display_text("95 %", shown(6));
    table.layout(title, notes)
}
