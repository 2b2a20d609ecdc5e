//! Owns the files of an experiment: meetings, fits, strengths and Heinz's matches.

use crate::lab::{ColumnFit, Contender, Experiment, Fit, Match, PairGames, Side};
use crate::measure::{Quantity, Unit};
use crate::numbers::rating::heinz::{Z_90, Z_95};
use crate::numbers::{Estimate, FitError, MatchRecord, NormalCurve};
use crate::report::table::{Rows, Table};

/// Adds the columns that name a contender: `name` with `engine` or `opponent`, and `name_depth`.
fn contender<'a, R>(table: Rows<'a, R>, name: &'static str, of: impl Fn(&R) -> Contender) -> Rows<'a, R> {
    table
        .column(name, "Which side of the experiment it is: `engine` or `opponent`.", |row| side(of(row).side))
        .column(format!("{name}_depth"), "Its depth in plies.", |row| of(row).depth)
}

fn side(side: Side) -> &'static str {
    match side {
        Side::Engine => "engine",
        Side::Opponent => "opponent",
    }
}

/// Two contenders and their games, seen from the first.
pub(in crate::report) type Meeting = (Contender, Contender, PairGames);

pub(in crate::report) fn white_table(rows: &[Meeting]) -> Table {
    let says = "One row a contender with White and one with Black that met (Ferreira's Tables 1 and 2).";
    meetings(Table::of("white-scores", says, rows), ["white", "black"])
}

pub(in crate::report) fn score_table(rows: &[Meeting]) -> Table {
    let says = "One row a pair of contenders that met, whoever had White (Ferreira's Table 3).";
    meetings(Table::of("scores", says, rows), ["row", "column"])
}

fn meetings(table: Rows<'_, Meeting>, names: [&'static str; 2]) -> Table {
    let table = contender(table, names[0], |row| row.0);
    let score = |of: fn(MatchRecord) -> f64| move |row: &Meeting| row.2.record().map(of);
    contender(table, names[1], |row| row.1)
        .column("games", "Games that have ended.", |row| row.2.games())
        .column("different", "Games that are not move for move the same.", |row| row.2.different)
        .column("wins", "Wins of the first.", |row| row.2.wins)
        .column("draws", "Draws.", |row| row.2.draws)
        .column("losses", "Losses of the first.", |row| row.2.losses)
        .column("forfeits", "Games lost by an illegal move, a crash or a stall.", |row| row.2.forfeits)
        .number("mean_moves", Unit::Moves, "Mean length of a game.", |row| row.2.mean_moves())
        .number("score", Unit::Score, "Score of the first.", score(MatchRecord::score))
        .number("score_se", Unit::Score, "Its standard error", score(MatchRecord::three_outcome_error))
        .more(", for games of three outcomes.")
        .table()
}

/// Returns all pairs of places of which `cell` has games.
fn played(experiment: &Experiment, cell: impl Fn(usize, usize) -> PairGames) -> Vec<Meeting> {
    let contenders = experiment.table.contenders();
    let pairs = (0..contenders.len()).flat_map(|row| (0..contenders.len()).map(move |column| (row, column)));
    let rows = pairs.map(|(row, column)| (contenders[row], contenders[column], cell(row, column)));
    rows.filter(|(_, _, cell)| cell.games() > 0).collect()
}

/// Returns Ferreira's Tables 1 and 2: one row a contender with White and one with Black that met, seen from White.
pub fn white_scores(experiment: &Experiment) -> Table {
    let rows = played(experiment, |white, black| experiment.table.cell(white, black));
    white_table(&rows)
}

/// Returns Ferreira's Table 3: one row a row and column of it that met, whoever had White, seen from the row. Games of a
/// contender against itself are in [`white_scores`] alone.
pub fn scores(experiment: &Experiment) -> Table {
    let cell = |row: usize, column: usize| match row == column {
        true => PairGames::default(),
        false => experiment.table.meeting(row, column),
    };
    score_table(&played(experiment, cell))
}

/// A column of scores, one of its fits and the curve.
pub(in crate::report) type FitRow = (ColumnFit, Fit, Result<NormalCurve, FitError>);

/// Returns Ferreira's Table 4: one row a column of scores and fit.
pub fn fits(experiment: &Experiment) -> Table {
    fit_table(&fit_rows(experiment))
}

/// Returns every curve of an experiment, column by column.
pub(in crate::report) fn fit_rows(experiment: &Experiment) -> Vec<FitRow> {
    let of = |fit: &ColumnFit| [(*fit, Fit::Lsq, fit.lsq), (*fit, Fit::Probit, fit.probit)];
    experiment.fits.iter().flat_map(of).collect()
}

pub(in crate::report) fn fit_table(rows: &[FitRow]) -> Table {
    let of = |of: fn(NormalCurve) -> Estimate| move |row: &FitRow| row.2.ok().map(of);
    contender(
        Table::of("fits", "One row a column of scores and fit (Ferreira's Table 4).", rows),
        "column",
        |row| row.0.column,
    )
    .column("rows", "Whose depths the curve is of: `engine` or `opponent`.", |row| side(row.0.side))
    .column("fit", "`lsq` for least squares", |row| row.1.name())
    .more(", `probit` for the fit that knows how many games a score is of.")
    .number("mu", Unit::Plies, "The depth whose score is ½.", of(|curve| curve.mu))
    .number("sigma", Unit::Plies, "The spread of the curve.", of(|curve| curve.sigma))
    .number("eta", Unit::EloAPly, "What a ply is worth.", of(|curve| curve.elo_per_ply()))
    .column("problem", "Why there is no curve", |row| row.2.err().map(|error| error.to_string()))
    .more("; empty where there is one.")
    .table()
}

/// What a fit says of a contender.
pub(in crate::report) struct StrengthRow {
    contender: Contender,
    fit: Fit,
    difference: Option<Estimate>,
    strength: Option<Estimate>,
    chosen: bool,
}

/// Returns Elo points and Ferreira's Table 8: one row a contender and fit.
pub fn strength(experiment: &Experiment) -> Table {
    let contenders = experiment.table.contenders();
    let mut rows = Vec::new();
    for ratings in &experiment.ratings_by_fit {
        let strengths = experiment.anchor.map_or(Vec::new(), |anchor| ratings.strengths(anchor.elo));
        rows.extend(contenders.iter().enumerate().map(|(place, &contender)| StrengthRow {
            contender,
            fit: ratings.fit,
            difference: ratings.difference(place),
            strength: strengths.get(place).copied().flatten(),
            chosen: ratings.fit == experiment.fit,
        }));
    }
    strength_table(&rows)
}

pub(in crate::report) fn strength_table(rows: &[StrengthRow]) -> Table {
    contender(
        Table::of("strength", "One row a contender and fit (Ferreira's Table 8).", rows),
        "contender",
        |row| row.contender,
    )
    .column("fit", "The fit, by its name.", |row| row.fit.name())
    .number("elo_difference", Unit::Elo, "Difference from the depth of the anchor", |row| row.difference)
    .more(", else from the deepest.")
    .number("strength", Unit::Elo, "Strength of the contender; empty without an anchor.", |row| row.strength)
    .column("chosen", "Whether the fit is the one of Table 8.", |row| row.chosen)
    .table()
}

/// A match and how it came among the rows.
pub(in crate::report) type NamedMatch<'a> = (&'static str, &'a Match);

/// Returns Heinz's Tables 3 to 6: one row a match.
pub fn heinz(experiment: &Experiment) -> Table {
    let neighbours = experiment.matches.iter().map(|m| ("neighbours", m));
    let others = experiment.rows.iter().filter(|row| !experiment.matches.contains(row));
    let rows: Vec<NamedMatch<'_>> = neighbours
        .chain(others.map(|m| ("chosen", m)))
        .chain(experiment.calibration.iter().map(|m| ("calibration", m)))
        .collect();
    match_table(&rows)
}

pub(in crate::report) fn match_table(rows: &[NamedMatch<'_>]) -> Table {
    let table = Table::of("heinz", "One row a match (Heinz's Tables 3 to 6).", rows).column("kind", "`neighbours`, `calibration` (seen from White), or `chosen` for those of `--rows` that are not between neighbours.", |row| row.0);
    let table = contender(contender(table, "first", |row| row.1.first), "second", |row| row.1.second)
        .number("mean_moves", Unit::Moves, "Mean length of a game.", |row| row.1.mean_moves)
        .column("games", "Games that have ended.", |row| {
            row.1.record.wins() + row.1.record.draws() + row.1.record.losses()
        })
        .column("different", "Games that are not move for move the same.", |row| row.1.different)
        .column("wins", "Wins of the first.", |row| row.1.record.wins())
        .column("draws", "Draws.", |row| row.1.record.draws())
        .column("losses", "Losses of the first.", |row| row.1.record.losses())
        .number("score", Unit::Score, "Score of the first.", |row| row.1.record.score())
        .number(
            "elo",
            Quantity::RATING,
            "Its Elo difference by the logistic curve; empty for a score of 0 or 1.",
            |row| row.1.record.elo_difference(),
        )
        .number("s_binomial", Unit::Score, "Standard error of the score", |row| row.1.record.binomial_error())
        .more(", a game being won or lost.")
        .number(
            "s_three_outcomes",
            Unit::Score,
            "Standard error of the score with three outcomes of a game.",
            |row| row.1.record.three_outcome_error(),
        )
        .number(
            "s_game_pairs",
            Unit::Score,
            "Standard error with a game pair as the unit; empty where not all games are in pairs.",
            |row| row.1.pairs.map(|pairs| pairs.standard_error()),
        );
    pair_counts(confident(confident(table, 90, Z_90), 95, Z_95)).table()
}

/// Adds the ends of Heinz's interval of Δw at one level.
fn confident<'a, 'b>(table: Rows<'a, NamedMatch<'b>>, percent: u32, z: f64) -> Rows<'a, NamedMatch<'b>> {
    let range = move |row: &NamedMatch<'_>| row.1.record.confident_difference(z);
    table
        .number(
            format!("delta_w_low_{percent}"),
            Unit::ScoreDifference,
            "Lower end of Heinz's interval of Δw = 2w − 1 at that level in percent.",
            move |row| range(row).low,
        )
        .number(
            format!("delta_w_high_{percent}"),
            Unit::ScoreDifference,
            "Upper end of the same.",
            move |row| range(row).high,
        )
}

/// Adds the counts of game pairs by their half-points.
fn pair_counts<'a, 'b>(table: Rows<'a, NamedMatch<'b>>) -> Rows<'a, NamedMatch<'b>> {
    (0..5).fold(table, |table, half_points| {
        let meaning =
            "Game pairs with so many half-points of the first; empty where not all games are in pairs.";
        table.column(format!("pairs_{half_points}"), meaning, move |row| {
            row.1.pairs.map(|pairs| pairs.counts()[half_points])
        })
    })
}
