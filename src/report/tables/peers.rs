//! The tables of single games: usual values at a rating, and a player's rank.

use crate::base::text::rounded;
use crate::chess::Phase;
use crate::measure::{
    Unit,
    peers::{GamePart, PeerRank, PeerStanding, PlayMeasure, RankedGame, UsualRow},
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
    .column("part", "`game`, or the phase.", |rank| rank.part.to_string())
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
    let known = |measure: &PlayMeasure| standing.rank(*measure, GamePart::Whole).is_some();
    let measures: Vec<PlayMeasure> = PlayMeasure::ALL.into_iter().filter(known).collect();
    let cell = |measure: PlayMeasure, part: GamePart| {
        standing.rank(measure, part).map_or_else(|| MISSING.to_owned(), words::brief)
    };
    let value = |measure: &PlayMeasure| {
        standing.rank(*measure, GamePart::Whole).map_or_else(String::new, |rank| rounded(rank.value, 1))
    };
    let table = Table::shown(&measures)
        .label("Measure", |measure| reference::title(*measure).to_owned())
        .display_text("Mean", value)
        .display_text("Whole game", |measure| cell(*measure, GamePart::Whole));
    let heads = ["Opening", "Middlegame", "Endgame"];
    let table = Phase::ALL.into_iter().zip(heads).fold(table, |table, (phase, name)| {
        table.display_text(head(name).gives_way(2), move |measure| cell(*measure, GamePart::Phase(phase)))
    });
    table.layout(reference::TITLE, reference::notes(standing))
}

pub fn standing(standing: &PeerStanding, screen: Screen) -> String {
    let unusual = unusual_layout(standing).map(|layout| layout.shown(screen));
    [standing_layout(standing).shown(screen)].into_iter().chain(unusual).collect::<Vec<_>>().join("\n")
}

/// The number of unusual games that are shown.
const UNUSUAL: usize = 5;

/// A game of a player, compared with games of peers.
pub type PlayerGame<'a> = (&'a str, &'a RankedGame);

/// Returns the games of `player` that can be compared, the most unusual first.
pub fn ranked_games<'a>(player: &'a str, standing: Option<&'a PeerStanding>) -> Vec<PlayerGame<'a>> {
    standing.iter().flat_map(|standing| &standing.games).map(|game| (player, game)).collect()
}

pub fn odds_table(rows: &[PlayerGame<'_>]) -> Table {
    Table::of(
        "odds",
        "One row per game of each player: how many games by players of similar rating, of similar length or longer, were \
         as accurate. Most unusual first.",
        rows,
    )
    .column("player", "Player.", |(player, _)| *player)
    .column("game", "Number of the game among all games read.", |(_, game)| game.ordinal)
    .column("color", "Color of the player.", |(_, game)| game.color.fold_wb("white", "black"))
    .column("opponent", "Opponent.", |(_, game)| &game.opponent)
    .number("accuracy", Unit::Percent, "Accuracy of the player.", |(_, game)| Some(game.accuracy))
    .column("as_accurate", "Compared games that are at least as accurate.", |(_, game)| game.odds.as_good)
    .column("compared", "Number of compared games, each counted once per player.", |(_, game)| game.odds.games)
    .column("least_moves", "Smallest number of moves of a compared game.", |(_, game)| game.odds.least_moves)
    .column("elo_from", "Lowest rating of the players of the compared games.", |(_, game)| game.odds.elo[0])
    .column("elo_to", "Highest rating of the players of the compared games.", |(_, game)| game.odds.elo[1])
    .table()
}

pub(in crate::report) fn unusual_layout(standing: &PeerStanding) -> Option<Layout> {
    let rows = &standing.games[..standing.games.len().min(UNUSUAL)];
    let table = Table::shown(rows)
        .label("Game", |game| game.ordinal.to_string())
        .label("Opponent", |game| game.opponent.clone())
        .display_text("Accuracy, %", |game| rounded(game.accuracy, 1))
        .display_text("As\naccurate", |game| reference::how_many(&game.odds))
        .display_text("Compared\ngames", |game| format!("{} of {}", game.odds.as_good, game.odds.games))
        .display_text("Moves", |game| format!("{}+", game.odds.least_moves))
        .display_text("Rated", |game| game.odds.elo.map(|elo| elo.to_string()).join("–"));
    (!rows.is_empty()).then(|| table.layout("The most accurate games for the rating", Vec::new()))
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
    .column("part", "`game`, or the phase.", |row| row.part.to_string())
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
