//! The table of a player's profile: one row for each group of the player's moves.

use crate::base::text::rounded;
use crate::chess::Judgment;
use crate::measure::{PlayDivision, Profile, ProfileRow, Quantity, Statistic, Unit};
use crate::report::table::layout::{Layout, fitted};
use crate::report::table::{ColumnPart, EndColumns, Rows, Screen, Table, head};
use crate::report::words::numbers::{MISSING, with_margin};
use crate::report::words::{profile as words, rating};

pub struct ProfileLine<'a> {
    by: &'static str,
    row: &'a ProfileRow,
}

impl ProfileLine<'_> {
    fn all(profile: &Profile) -> Vec<ProfileLine<'_>> {
        let whole = ProfileLine { by: "all", row: &profile.whole };
        [whole].into_iter().chain(profile.divisions.iter().flat_map(ProfileLine::of)).collect()
    }

    fn of(division: &PlayDivision) -> impl Iterator<Item = ProfileLine<'_>> {
        division.rows.iter().map(|row| ProfileLine { by: division.by.name(), row })
    }
}

pub fn profile_table(profile: Option<&Profile>) -> Table {
    let rows: Vec<ProfileLine<'_>> = profile.into_iter().flat_map(ProfileLine::all).collect();
    described(&rows, ColumnPart::Margin, "Group").table()
}

/// Returns sentences, and a table with the first eight groups of each grouping.
pub fn profile(profile: &Profile, screen: Screen) -> String {
    let mut lines = vec![("all moves".to_owned(), Some(&profile.whole))];
    for division in &profile.divisions {
        lines.push((words::headings(division.by)[0].to_owned() + ":", None));
        lines.extend(division.rows.iter().take(ROWS).map(|row| (row.group.clone(), Some(row))));
    }
    let sentences =
        words::sentences(profile).iter().map(|text| fitted(text, screen) + "\n").collect::<String>();
    let screen = Screen { columns: screen.columns.or(Some(IN_A_PIPE)), ..screen };
    let table = on_a_terminal(&lines).layout(words::TITLE, words::notes(profile)).shown(screen);
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
        ("Points\n%", 4, |row| Some(rounded(100.0 * row.points?, 1))),
        ("Opponents’\nElo", 5, |row| Some(rounded(row.opponents?, 0))),
        ("Accuracy\n%", 3, |row| Some(rounded(row.measures.get(Statistic::Accuracy)?.value, 1))),
        ("First\nchoice %", 4, |row| Some(rounded(row.measures.get(Statistic::FirstChoice)?.value, 1))),
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
const ROWS: usize = 8;

pub(in crate::report) fn profile_division(division: &PlayDivision) -> Layout {
    let lines: Vec<ProfileLine<'_>> = ProfileLine::of(division).collect();
    described(&lines, ColumnPart::Bar, words::headings(division.by)[0]).layout("", Vec::new())
}

/// Describes the columns; `measured` is the form of the main numbers for readers.
fn described<'a>(
    rows: &'a [ProfileLine<'a>],
    measured: ColumnPart,
    heading: &'static str,
) -> Rows<'a, ProfileLine<'a>> {
    let has = |known: fn(&ProfileRow) -> bool| rows.iter().any(|line| known(line.row));
    let of_games = has(|row| row.measures.get(Statistic::Accuracy).is_some());
    let is_rated = has(|row| row.rating.is_some());
    let table =
        Table::of("profile", "One row per group of the player's moves; the first row has all moves.", rows)
            .column("by", "", |line| line.by)
            .means("Division of the moves, by its name in `--by`; `all` for the first row.")
            .column("group", "The group, in words.", |line| &line.row.group)
            .heading(ColumnPart::Names.under(heading))
            .column("games", "Games with a counted move.", |line| line.row.games)
            .heading("Games")
            .column("moves", "Counted moves.", |line| line.row.moves)
            .heading(head("Moves").gives_way(2))
            .number("points_share", Quantity::POINTS_SHARE, "", |line| line.row.points)
            .means(
                "Share of points in games with a known result. This column and the next three are only for \
                 groups of whole games.",
            )
            .when(of_games, |table| table.heading(ColumnPart::Percent.under("Points\n%").gives_way(3)))
            .number("elo", Quantity::RATING, "Mean of the player's rating tags.", |line| line.row.elo)
            .number("opponent_elo", Quantity::RATING, "", |line| line.row.opponents)
            .means("Mean of the opponents' rating tags.")
            .when(of_games && has(|row| row.opponents.is_some()), |table| {
                table.heading(ColumnPart::Value.under("Opponents’\nElo").decimals(0).gives_way(4))
            })
            .number("accuracy", Unit::Percent, "", |line| line.row.measures.get(Statistic::Accuracy))
            .means(
                "Accuracy as lichess defines it, mean over games. For a phase it is the accuracy of the \
                 phase; for other groups of moves it is empty.",
            )
            .when(of_games, |table| {
                table.heading(ColumnPart::Value.under("Accuracy\n%").decimals(1).gives_way(3))
            });
    let table = Statistic::RANKED.into_iter().fold(table, |table, statistic| {
        let of = move |line: &ProfileLine<'_>| line.row.measures.get(statistic);
        let is_known = statistic != Statistic::FirstChoice || rows.iter().any(|line| of(line).is_some());
        match statistic {
            Statistic::CentipawnLoss => table
                .number(statistic.name(), Unit::Centipawns, "Centipawns lost per move.", of)
                .heading(ColumnPart::Value.under("Centipawns\nlost").gives_way(2)),
            _ => table
                .statistic(statistic, EndColumns::Named, of)
                .when(is_known, |table| table.heading(measured.clone().under(statistic.facts().heading))),
        }
    });
    let control = |line: &'a ProfileLine<'a>| line.row.control.as_ref();
    let has_control = has(|row| row.control.is_some());
    table
        .column("opponents_moves", "", move |line| control(line).map(|control| control.moves))
        .means("Moves of the opponents in the same games that belong to the same group.")
        .number(
            "opponents_win_loss_percent",
            Unit::PercentagePoints,
            "Winning chances lost per move by the opponents.",
            move |line| control(line).map(|control| control.win_loss),
        )
        .when(has_control, |table| table.heading(ColumnPart::Value.under("Opponents\nlost, %")))
        .number(
            "more_than_opponents",
            Unit::PercentagePoints,
            "Loss of the player per move minus the loss of the opponents; below 0 if the opponents lost more.",
            move |line| control(line).map(|control| control.more),
        )
        .when(has_control, |table| table.heading(measured.clone().under("Difference,\n%")))
        .number("more_p_holm", Unit::Probability, "Probability of such a difference between equally good players, adjusted for the number of groups (Holm).", move |line| {
            control(line).and_then(|control| control.p_holm)
        })
        .judgments_shown(|line| Some(line.row.judgments))
        .rating_of_play(|line| line.row.rating.as_ref())
        .when(is_rated, |table| {
            table.said("Rating\nof play", |line| {
                line.row.rating.as_ref().map_or(String::new(), rating::brief)
            })
        })
}
