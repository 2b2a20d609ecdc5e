//! The tables of a player's profile for files and terminals.

use crate::base::text::rounded;
use crate::chess::Judgment;
use crate::measure::{Conversion, PlayGrouping, Profile, ProfileRow, Statistic, Unit, WonPositions};
use crate::report::table::{ColumnPart, Rows, Screen, Table, head, layout::fitted};
use crate::report::tables::profile::{ProfileLine, described};
use crate::report::words::numbers::{MISSING, with_margin};
use crate::report::words::{profile as words, rating};

const TITLE: &str = "Profile: the player’s moves by group";

pub fn profile_table(profile: Option<&Profile>) -> Table {
    let whole = profile.map(|profile| ProfileLine { by: "all", row: &profile.whole });
    let divisions = profile.into_iter().flat_map(|profile| &profile.divisions);
    let rows: Vec<ProfileLine<'_>> = whole.into_iter().chain(divisions.flat_map(ProfileLine::of)).collect();
    described(&rows, ColumnPart::Margin, "Group").table()
}

/// The sides of [`conversion_table`].
const SIDES: [&str; 2] = ["player", "opponents"];

pub fn conversion_table(conversion: Option<&Conversion>) -> Table {
    let sides = |found: &Conversion| SIDES.into_iter().zip([found.player, found.opponents]);
    let rows: Vec<(&str, WonPositions)> = conversion.into_iter().flat_map(sides).collect();
    let of_player = |side: &str| conversion.filter(|_| side == SIDES[0]);
    Table::of(
        "conversion",
        "One row for the player and one for the opponents in the same games: the results of games in which the side had \
         winning chances of 80 % or more after one of its moves.",
        &rows,
    )
    .column("side", "`player` or `opponents`.", |(side, _)| *side)
    .column("games", "Games with a known result in which the side had such chances.", |(_, found)| found.games())
    .column("won", "Of these, games won.", |(_, found)| found.won)
    .column("drawn", "Of these, games drawn.", |(_, found)| found.drawn)
    .column("lost", "Of these, games lost.", |(_, found)| found.lost)
    .number("won_share", Unit::Share, "`won` as a share of `games`, with Wilson's interval.", |(_, found)| found.share())
    .number("more_than_opponents", Unit::ShareDifference, "", move |(side, _)| of_player(side)?.more)
    .means(
        "The player's `won_share` minus the opponents'. The interval is clustered by game; it is empty if a side has fewer \
         than ten such games.",
    )
    .number("more_p", Unit::Probability, "", move |(side, _)| of_player(side)?.p)
    .means("Probability of a difference at least as large, in either direction, if both shares are equal.")
    .table()
}

/// Returns sentences, and a table with the largest groups of each grouping.
pub fn profile(profile: &Profile, screen: Screen) -> String {
    let mut lines = vec![("all moves".to_owned(), Some(&profile.whole))];
    for division in &profile.divisions {
        lines.push((words::headings(division.by)[0].to_owned() + ":", None));
        let most = if division.by == PlayGrouping::Opening { OPENINGS } else { ROWS };
        lines.extend(largest(&division.rows, most).map(|row| (row.group.clone(), Some(row))));
    }
    let sentences = words::brief(profile).iter().map(|text| fitted(text, screen) + "\n").collect::<String>();
    let screen = Screen { columns: screen.columns.or(Some(IN_A_PIPE)), ..screen };
    let table = on_a_terminal(&lines).layout(TITLE, words::notes(profile)).shown(screen);
    format!("{sentences}\n{table}")
}

type TerminalLine<'a> = (String, Option<&'a ProfileRow>);

/// Largest width of a table in a pipe, because a pipe has no width of its own.
const IN_A_PIPE: u16 = 100;

/// Describes the columns and their priorities for dropping; the column with the highest priority is dropped
/// first. A pipe (100 characters) has room for priorities up to 4, a terminal of 80 characters for priorities
/// up to 3. If ratings are shown, the opponents' loss has priority 5: it equals the player's loss minus the
/// difference.
fn on_a_terminal<'a>(lines: &'a [TerminalLine<'a>]) -> Rows<'a, TerminalLine<'a>> {
    type Said = fn(&ProfileRow) -> Option<String>;
    let is_rated = lines.iter().any(|(_, row)| row.is_some_and(|row| row.rating.is_some()));
    let columns: [(&str, u8, Said); 10] = [
        ("Games", 5, |row| Some(row.games.to_string())),
        ("Moves", 3, |row| Some(row.moves.to_string())),
        ("Score\n%", 4, |row| Some(rounded(100.0 * row.points?, 1))),
        ("Opponents’\nElo", 5, |row| Some(rounded(row.opponents?, 0))),
        ("Accuracy\n%", 3, |row| Some(rounded(row.measures.get(Statistic::Accuracy)?.value, 1))),
        ("Top\nmoves %", 4, |row| Some(rounded(row.measures.get(Statistic::FirstChoice)?.value, 1))),
        ("Loss of\nwin %", 0, |row| Some(rounded(row.measures.get(Statistic::WinLoss)?.value, 2))),
        ("Opponents\nlost", if is_rated { 5 } else { 3 }, |row| {
            Some(rounded(row.control.as_ref()?.win_loss.value, 2))
        }),
        ("Difference", 1, |row| Some(with_margin(row.control.as_ref()?.more, 1))),
        ("Rating\nof play", 3, |row| row.rating.as_ref().map(rating::brief)),
    ];
    let table = Table::shown(lines).display(ColumnPart::Names.under(""), |(name, _)| name);
    let table = columns.into_iter().fold(table, |table, (heading, gives_way, said)| {
        let is_known = lines.iter().any(|(_, row)| row.and_then(said).is_some());
        table.when(is_known, |table| {
            table.display_text(head(heading).gives_way(gives_way), move |(_, row)| {
                row.map_or(String::new(), |row| said(row).unwrap_or_else(|| MISSING.to_owned()))
            })
        })
    });
    Judgment::ALL.into_iter().fold(table, |table, judgment| {
        let gives_way = if judgment == Judgment::Inaccuracy { 5 } else { 1 };
        table.display_text(head(judgment.symbol()).gives_way(gives_way), move |(_, row)| {
            row.map_or(String::new(), |row| row.judgments.of(judgment).to_string())
        })
    })
}

/// Largest number of rows of one grouping on a terminal. Files have all rows.
const ROWS: usize = 5;

const OPENINGS: usize = 3;

/// Returns the `most` groups with the most moves, in their order.
fn largest(rows: &[ProfileRow], most: usize) -> impl Iterator<Item = &ProfileRow> {
    let mut moves: Vec<u64> = rows.iter().map(|row| row.moves).collect();
    moves.sort_unstable_by(|a, b| b.cmp(a));
    let least = moves.get(most - 1).copied().unwrap_or_default();
    rows.iter().filter(move |row| row.moves >= least).take(most)
}
