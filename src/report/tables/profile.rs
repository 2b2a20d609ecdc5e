//! The table of a player's profile: one row for each group of the player's moves.

use crate::measure::{PlayDivision, ProfileRow, Quantity, Statistic, Unit};
use crate::report::table::layout::Layout;
use crate::report::table::{ColumnPart, EndColumns, Rows, Table, head};
use crate::report::words::{profile as words, rating};

pub struct ProfileLine<'a> {
    pub by: &'static str,
    pub row: &'a ProfileRow,
}

impl ProfileLine<'_> {
    pub fn of(division: &PlayDivision) -> impl Iterator<Item = ProfileLine<'_>> {
        division.rows.iter().map(|row| ProfileLine { by: division.by.name(), row })
    }
}

pub(in crate::report) fn profile_division(division: &PlayDivision) -> Layout {
    let lines: Vec<ProfileLine<'_>> = ProfileLine::of(division).collect();
    described(&lines, ColumnPart::Bar, words::headings(division.by)[0]).layout("", Vec::new())
}

/// Describes the columns. `measured` is the form in which readers see the main numbers.
pub(in crate::report) fn described<'a>(
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
            .means("Division of the moves, as named in `--by`; `all` for the first row.")
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
            .when(of_games, |table| table.heading(ColumnPart::Percent.under("Score\n%").gives_way(3)))
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
        .number("more_p_holm", Unit::Probability, "Probability of a difference at least as large between equally good players, Holm-adjusted for the number of groups.", move |line| {
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
