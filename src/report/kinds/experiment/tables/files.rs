//! The files of an experiment: meetings, fits, strengths, matches, and the columns of `results.csv`.

use crate::lab::{ColumnFit, Contender, Experiment, Fit, Match, PairGames, experiment::CrossTable};
use crate::measure::{Quantity, Unit};
use crate::numbers::{
    Estimate, FitError, GamePairs, MatchRecord, NormalCurve, rating::heinz::Z_90, rating::heinz::Z_95,
};
use crate::report::{kinds::experiment::words::side, table::Rows, table::Table};

/// Returns all tables, without rows if there is no experiment.
pub(in crate::report) fn all(experiment: Option<&Experiment>) -> Vec<Table> {
    vec![
        white_scores(experiment),
        scores(experiment),
        fits(experiment),
        strength(experiment),
        heinz(experiment),
    ]
}

/// Adds the column `name` with a contender's side, and the column `name_depth`.
fn contender<'a, R>(table: Rows<'a, R>, name: &'static str, of: impl Fn(&R) -> Contender) -> Rows<'a, R> {
    table.column(name, "Side of the experiment: `engine` or `opponent`.", |row| side(of(row).side)).column(
        format!("{name}_depth"),
        "Depth of that side in plies.",
        |row| of(row).depth,
    )
}

/// Adds five counts: the game pairs in which the first side scores 0, 1, 2, 3 or 4 half-points.
pub(in crate::report) fn pair_counts<'a, R>(
    table: Rows<'a, R>,
    of: impl Fn(&R) -> Option<GamePairs>,
) -> Rows<'a, R> {
    (0..5).fold(table, |table, half_points| {
        let meaning =
            "Game pairs in which the first side scores as many half-points as the column's name says; empty unless all games are in pairs.";
        let count = |row: &R| of(row).map(|pairs| pairs.counts()[half_points]);
        table.column(format!("pairs_{half_points}"), meaning, count)
    })
}

type Meeting = (Contender, Contender, PairGames);

/// Describes Ferreira's Tables 1 and 2: pairs of contenders, from White's view.
fn white_scores(experiment: Option<&Experiment>) -> Table {
    let row =
        "One row per pair of contenders, one with White and one with Black (Ferreira's Tables 1 and 2).";
    let rows = played(experiment, CrossTable::cell);
    meetings(Table::of("white-scores", row, &rows), ["white", "black"])
}

/// Describes Ferreira's Table 3. Games of a contender against itself are only in [`white_scores`].
fn scores(experiment: Option<&Experiment>) -> Table {
    let row = "One row per pair of contenders, over games with both colors (Ferreira's Table 3).";
    let rows = played(experiment, |table, row, column| match row == column {
        true => PairGames::default(),
        false => table.meeting(row, column),
    });
    meetings(Table::of("scores", row, &rows), ["row", "column"])
}

fn played(
    experiment: Option<&Experiment>,
    cell: impl Fn(&CrossTable, usize, usize) -> PairGames,
) -> Vec<Meeting> {
    let Some(Experiment { table, .. }) = experiment else { return Vec::new() };
    let contenders = table.contenders();
    let pairs = (0..contenders.len()).flat_map(|row| (0..contenders.len()).map(move |column| (row, column)));
    let rows = pairs.map(|(row, column)| (contenders[row], contenders[column], cell(table, row, column)));
    rows.filter(|(_, _, cell)| cell.games() > 0).collect()
}

fn meetings(table: Rows<'_, Meeting>, names: [&'static str; 2]) -> Table {
    let table = contender(table, names[0], |row| row.0);
    let score = |of: fn(MatchRecord) -> f64| move |row: &Meeting| row.2.record().map(of);
    contender(table, names[1], |row| row.1)
        .column("games", "Finished games.", |row| row.2.games())
        .column("different", "Distinct games: games with the same moves count once.", |row| row.2.different)
        .column("wins", "Wins of the first side.", |row| row.2.wins)
        .column("draws", "Draws.", |row| row.2.draws)
        .column("losses", "Losses of the first side.", |row| row.2.losses)
        .column("forfeits", "Games lost by an illegal move, a crash or a stall.", |row| row.2.forfeits)
        .number("mean_moves", Unit::Moves, "Mean length of a game.", |row| row.2.mean_moves())
        .number("score", Unit::Score, "Score of the first side.", score(MatchRecord::score))
        .number("score_se", Unit::Score, "", score(MatchRecord::three_outcome_error))
        .means("Standard error of the score, for games with three outcomes.")
        .table()
}

/// A column of scores, the kind of fit, and the fitted curve or the reason for its absence.
pub(in crate::report) type FitRow = (ColumnFit, Fit, Result<NormalCurve, FitError>);

/// Returns both fits of each column of scores. A fit is a curve, or the reason why there is none.
pub(in crate::report) fn fit_rows(experiment: &Experiment) -> Vec<FitRow> {
    let of = |fit: &ColumnFit| [(*fit, Fit::Lsq, fit.lsq), (*fit, Fit::Probit, fit.probit)];
    experiment.fits.iter().flat_map(of).collect()
}

/// Describes Ferreira's Table 4.
fn fits(experiment: Option<&Experiment>) -> Table {
    let rows = experiment.map(fit_rows).unwrap_or_default();
    let of = |of: fn(NormalCurve) -> Estimate| move |row: &FitRow| row.2.ok().map(of);
    let table = Table::of("fits", "One row per column of scores and fit (Ferreira's Table 4).", &rows);
    contender(table, "column", |row| row.0.column)
        .column("rows", "Side whose depths are on the curve: `engine` or `opponent`.", |row| side(row.0.side))
        .column("fit", "", |row| row.1.name())
        .means("`lsq` for least squares, `probit` for the fit that weights a score by its number of games.")
        .number("mu", Unit::Plies, "The depth whose score is ½.", of(|curve| curve.mu))
        .number("sigma", Unit::Plies, "The spread of the curve.", of(|curve| curve.sigma))
        .number("eta", Unit::EloAPly, "Elo points that a ply is worth.", of(|curve| curve.elo_per_ply()))
        .column("problem", "", |row| row.2.err().map(|error| error.to_string()))
        .means("Reason for a missing curve; empty otherwise.")
        .table()
}

/// Describes the strength of each contender by each fit (Ferreira's Table 8).
fn strength(experiment: Option<&Experiment>) -> Table {
    struct StrengthRow {
        contender: Contender,
        fit: Fit,
        difference: Option<Estimate>,
        strength: Option<Estimate>,
        chosen: bool,
    }
    let mut rows = Vec::new();
    for (experiment, ratings) in
        experiment.into_iter().flat_map(|all| all.ratings_by_fit.iter().map(move |one| (all, one)))
    {
        let strengths = experiment.anchor.map_or(Vec::new(), |anchor| ratings.strengths(anchor.elo));
        rows.extend(experiment.table.contenders().iter().enumerate().map(|(place, &contender)| {
            StrengthRow {
                contender,
                fit: ratings.fit,
                difference: ratings.difference(place),
                strength: strengths.get(place).copied().flatten(),
                chosen: ratings.fit == experiment.fit,
            }
        }));
    }
    let table = Table::of("strength", "One row per contender and fit (Ferreira's Table 8).", &rows);
    contender(table, "contender", |row| row.contender)
        .column("fit", "Name of the fit: `lsq`, `probit` or `pairwise`.", |row| row.fit.name())
        .number("elo_difference", Unit::Elo, "", |row| row.difference)
        .means("Difference from the anchor's depth; without an anchor, from the greatest depth.")
        .number("strength", Unit::Elo, "", |row| row.strength)
        .means("Strength of the contender; empty without an anchor.")
        .column("chosen", "True if this fit gives the strengths of Table 8.", |row| row.chosen)
        .table()
}

/// Describes Heinz's Tables 3 to 6.
fn heinz(experiment: Option<&Experiment>) -> Table {
    type NamedMatch<'a> = (&'static str, &'a Match);
    let mut rows: Vec<NamedMatch<'_>> = Vec::new();
    if let Some(Experiment { matches, rows: chosen, calibration, .. }) = experiment {
        rows.extend(matches.iter().map(|m| ("neighbours", m)));
        rows.extend(chosen.iter().filter(|row| !matches.contains(row)).map(|m| ("chosen", m)));
        rows.extend(calibration.iter().map(|m| ("calibration", m)));
    }
    let table = Table::of("heinz", "One row per match (Heinz's Tables 3 to 6).", &rows).column(
        "kind",
        "`neighbours`, `calibration` (from White's view), or `chosen` for matches of `--rows` that are \
            not between neighboring depths.",
        |row| row.0,
    );
    let table = contender(contender(table, "first", |row| row.1.first), "second", |row| row.1.second)
        .number("mean_moves", Unit::Moves, "Mean length of a game.", |row| row.1.mean_moves)
        .column("games", "Finished games.", |row| row.1.record.games())
        .column("different", "Distinct games: games with the same moves count once.", |row| row.1.different)
        .column("wins", "Wins of the first side.", |row| row.1.record.wins())
        .column("draws", "Draws.", |row| row.1.record.draws())
        .column("losses", "Losses of the first side.", |row| row.1.record.losses())
        .number("score", Unit::Score, "Score of the first side.", |row| row.1.record.score())
        .number("elo", Quantity::RATING, "", |row| row.1.record.elo_difference())
        .means("Elo difference equivalent to the score, by the logistic curve; empty for a score of 0 or 1.")
        .number("s_binomial", Unit::Score, "", |row| row.1.record.binomial_error())
        .means("Standard error of the score if games are only won or lost.")
        .number("s_three_outcomes", Unit::Score, "", |row| row.1.record.three_outcome_error())
        .means("Standard error of the score for games with three outcomes.")
        .number("s_game_pairs", Unit::Score, "", |row| row.1.pairs.map(|pairs| pairs.standard_error()))
        .means("Standard error of the score, with a game pair as the unit")
        .means("; empty unless all games are in pairs.");
    let table = [(90, Z_90), (95, Z_95)].into_iter().fold(table, |table, (percent, z)| {
        let range = move |row: &NamedMatch<'_>| row.1.record.confident_difference(z);
        let low = "Lower end of Heinz's interval of Δw = 2w − 1, at the level in the column's name.";
        let high = "Upper end of Heinz's interval of Δw = 2w − 1, at the level in the column's name.";
        table
            .number(format!("delta_w_low_{percent}"), Unit::ScoreDifference, low, move |row| range(row).low)
            .number(format!("delta_w_high_{percent}"), Unit::ScoreDifference, high, move |row| {
                range(row).high
            })
    });
    pair_counts(table, |row| row.1.pairs).table()
}

pub fn of_entrants() -> Table {
    results(|table| {
        table.column("white", "The entrant with White.", |_| "").column(
            "black",
            "The entrant with Black.",
            |_| "",
        )
    })
}

pub fn of_depths() -> Table {
    results(|table| {
        table
            .column("white", "The side with White: `engine` or `opponent`.", |_| "")
            .column("white_depth", "White's depth in plies.", |_| 0u32)
            .column("black", "The side with Black: `engine` or `opponent`.", |_| "")
            .column("black_depth", "Black's depth in plies.", |_| 0u32)
    })
}

fn results(players: impl FnOnce(Rows<'static, ()>) -> Rows<'static, ()>) -> Table {
    let row = "One row per game, in the order of the schedule; always written as `results.csv`, whatever `--format` says.";
    let game =
        Table::of("results", row, &[])
            .column("game", "Number of the game in the schedule, from 0.", |_| 0u32);
    players(game)
        .column("opening", "Number of the opening; empty for a game from the usual start position.", |_| None::<u32>)
        .column("result", "Result of the game.", |_| "")
        .column("ending", "Ending of the game.", |_| "")
        .column("plies", "Number of moves of both sides.", |_| 0u32)
        .column("line", "Fingerprint of the moves, sixteen hexadecimal digits. Games with equal fingerprints have the same moves.", |_| "")
        .column("digest", "In the last row, a digest (XXH3, 128 bits) of everything before it; empty in all other rows. `--recorded` refuses a file with a wrong digest.", |_| None::<&str>)
        .table()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_of_results_are_those_of_an_experiment_on_disk() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/selfplay-stockfish-15.1/results.csv");
        let text = std::fs::read_to_string(path).expect("the experiment of the repository");
        let header: Vec<&str> = text.lines().next().expect("a header").split(',').collect();
        let frame = of_depths().frame().expect("a frame");
        assert_eq!(header, frame.columns().iter().map(|column| column.name().as_str()).collect::<Vec<_>>());
    }
}
