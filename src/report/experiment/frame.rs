//! Owns the tables of an experiment as data frames.

use polars::prelude::{Column, DataFrame, PolarsResult};

use crate::{
    experiment::{ColumnFit, Experiment, Fit, Match, PairGames},
    rating::{
        fit::{FitError, NormalCurve},
        heinz::{MatchRecord, Z_90, Z_95},
    },
    report::frame::estimated,
    selfplay::{Contender, Side},
    stats::estimate::Estimate,
};

/// The columns that name a contender: `name` with `engine` or `opponent`, and `name_depth`.
fn contenders(name: &str, all: impl Iterator<Item = Contender>) -> [Column; 2] {
    let (sides, depths): (Vec<&str>, Vec<u32>) = all.map(|one| (side(one.side), one.depth)).unzip();
    [Column::new(name.into(), sides), Column::new(format!("{name}_depth").into(), depths)]
}

fn side(side: Side) -> &'static str {
    match side {
        Side::Engine => "engine",
        Side::Opponent => "opponent",
    }
}

/// Two contenders and their games, seen from the first.
type Meeting = (Contender, Contender, PairGames);

fn meetings(names: [&str; 2], rows: &[Meeting]) -> PolarsResult<DataFrame> {
    let count = |name: &str, of: fn(&PairGames) -> u32| {
        Column::new(name.into(), rows.iter().map(|(_, _, cell)| of(cell)).collect::<Vec<_>>())
    };
    let float = |name: &str, of: fn(MatchRecord) -> f64| {
        Column::new(name.into(), rows.iter().map(|(_, _, cell)| cell.record().map(of)).collect::<Vec<_>>())
    };
    let moves = rows.iter().map(|(_, _, cell)| cell.mean_moves());
    let mut columns = Vec::from(contenders(names[0], rows.iter().map(|row| row.0)));
    columns.extend(contenders(names[1], rows.iter().map(|row| row.1)));
    columns.extend([
        count("games", |cell| cell.games()),
        count("different", |cell| cell.different),
        count("wins", |cell| cell.wins),
        count("draws", |cell| cell.draws),
        count("losses", |cell| cell.losses),
        count("forfeits", |cell| cell.forfeits),
        Column::new("mean_moves".into(), moves.collect::<Vec<_>>()),
        float("score", MatchRecord::score),
        float("score_se", MatchRecord::three_outcome_error),
    ]);
    DataFrame::new_infer_height(columns)
}

/// All pairs of places of which `cell` has games.
fn played(experiment: &Experiment, cell: impl Fn(usize, usize) -> PairGames) -> Vec<Meeting> {
    let contenders = experiment.table.contenders();
    let pairs = (0..contenders.len()).flat_map(|row| (0..contenders.len()).map(move |column| (row, column)));
    let rows = pairs.map(|(row, column)| (contenders[row], contenders[column], cell(row, column)));
    rows.filter(|(_, _, cell)| cell.games() > 0).collect()
}

/// Ferreira's Tables 1 and 2, one row a contender with White and one with Black that met: `white,
/// white_depth, black, black_depth, games, different, wins, draws, losses, forfeits, mean_moves, score,
/// score_se`, all seen from White.
pub fn white_scores(experiment: &Experiment) -> PolarsResult<DataFrame> {
    let rows = played(experiment, |white, black| experiment.table.cell(white, black));
    meetings(["white", "black"], &rows)
}

/// Ferreira's Table 3, one row a row and column of it that met: `row, row_depth, column, column_depth` and
/// the rest as [`white_scores`] has it, whoever had White, seen from the row. Games of a contender against
/// itself are in [`white_scores`] alone.
pub fn scores(experiment: &Experiment) -> PolarsResult<DataFrame> {
    let cell = |row: usize, column: usize| match row == column {
        true => PairGames::default(),
        false => experiment.table.meeting(row, column),
    };
    meetings(["row", "column"], &played(experiment, cell))
}

/// Ferreira's Table 4, one row a column of scores and fit: `column, column_depth, rows, fit, mu, mu_se,
/// mu_low, mu_high`, the same of `sigma` and `eta`, `problem`.
///
/// `rows` is whose depths the curve is of, μ and σ are in plies, η in Elo points a ply; `problem` says why
/// there is no curve.
pub fn fits(experiment: &Experiment) -> PolarsResult<DataFrame> {
    let of = |fit: &ColumnFit| [(*fit, Fit::Lsq, fit.lsq), (*fit, Fit::Probit, fit.probit)];
    let rows: Vec<(ColumnFit, Fit, Result<NormalCurve, FitError>)> =
        experiment.fits.iter().flat_map(of).collect();
    let estimates = |of: fn(NormalCurve) -> Estimate| -> Vec<Option<Estimate>> {
        rows.iter().map(|(_, _, curve)| curve.ok().map(of)).collect()
    };
    let mut columns = Vec::from(contenders("column", rows.iter().map(|row| row.0.column)));
    columns.extend([
        Column::new("rows".into(), rows.iter().map(|row| side(row.0.side)).collect::<Vec<_>>()),
        Column::new("fit".into(), rows.iter().map(|row| row.1.name()).collect::<Vec<_>>()),
    ]);
    columns.extend(estimated("mu", "mu_", &estimates(|curve| curve.mu)));
    columns.extend(estimated("sigma", "sigma_", &estimates(|curve| curve.sigma)));
    columns.extend(estimated("eta", "eta_", &estimates(|curve| curve.elo_per_ply())));
    let problems = rows.iter().map(|row| row.2.err().map(|error| error.to_string()));
    columns.push(Column::new("problem".into(), problems.collect::<Vec<_>>()));
    DataFrame::new_infer_height(columns)
}

/// Elo points and Ferreira's Table 8, one row a contender and fit: `contender, contender_depth, fit,
/// elo_difference, elo_difference_se, …_low, …_high`, the same of `strength`, `chosen`.
///
/// Differences are from the depth of the anchor, else from the deepest; strengths are null without an
/// anchor; `chosen` marks the fit of Table 8.
pub fn strength(experiment: &Experiment) -> PolarsResult<DataFrame> {
    let contenders_of = experiment.table.contenders();
    let n = contenders_of.len();
    let (mut differences, mut strengths, mut fits) = (Vec::new(), Vec::new(), Vec::new());
    for ratings in &experiment.ratings_by_fit {
        differences.extend(ratings.differences.clone().unwrap_or_else(|_| vec![None; n]));
        let mut of_fit = experiment.anchor.map_or(Vec::new(), |anchor| ratings.strengths(anchor.elo));
        of_fit.resize(n, None);
        strengths.extend(of_fit);
        fits.extend(std::iter::repeat_n(ratings.fit, n));
    }
    let every = contenders_of.iter().copied().cycle().take(fits.len());
    let mut columns = Vec::from(contenders("contender", every));
    columns.push(Column::new("fit".into(), fits.iter().map(|fit| fit.name()).collect::<Vec<_>>()));
    columns.extend(estimated("elo_difference", "elo_difference_", &differences));
    columns.extend(estimated("strength", "strength_", &strengths));
    let chosen = fits.iter().map(|&fit| fit == experiment.fit);
    columns.push(Column::new("chosen".into(), chosen.collect::<Vec<_>>()));
    DataFrame::new_infer_height(columns)
}

/// Heinz's Tables 3 to 6, one row a match: `kind, first, first_depth, second, second_depth, mean_moves,
/// games, different, wins, draws, losses, score, elo, s_binomial, s_three_outcomes, s_game_pairs,
/// delta_w_low_90, delta_w_high_90, delta_w_low_95, delta_w_high_95, pairs_0, pairs_1, pairs_2, pairs_3,
/// pairs_4`.
///
/// `kind` is `neighbours`, `calibration` (seen from White), or `chosen` for those of `--rows` that are not
/// between neighbours; `elo` is by the logistic curve and null for a score of 0 or 1; `pairs_h` counts game
/// pairs by half-points and is null, as `s_game_pairs`, where not all games are in pairs.
pub fn heinz(experiment: &Experiment) -> PolarsResult<DataFrame> {
    let neighbours = experiment.matches.iter().map(|m| ("neighbours", m));
    let others = experiment.rows.iter().filter(|row| !experiment.matches.contains(row));
    let rows: Vec<(&str, &Match)> = neighbours
        .chain(others.map(|m| ("chosen", m)))
        .chain(experiment.calibration.iter().map(|m| ("calibration", m)))
        .collect();
    let float = |name: &str, of: &dyn Fn(&Match) -> Option<f64>| {
        Column::new(name.into(), rows.iter().map(|row| of(row.1)).collect::<Vec<_>>())
    };
    let count = |name: &str, of: fn(&Match) -> u32| {
        Column::new(name.into(), rows.iter().map(|row| of(row.1)).collect::<Vec<_>>())
    };
    let mut columns = vec![Column::new("kind".into(), rows.iter().map(|row| row.0).collect::<Vec<_>>())];
    columns.extend(contenders("first", rows.iter().map(|row| row.1.first)));
    columns.extend(contenders("second", rows.iter().map(|row| row.1.second)));
    columns.extend([
        float("mean_moves", &|m| Some(m.mean_moves)),
        count("games", |m| m.record.wins() + m.record.draws() + m.record.losses()),
        count("different", |m| m.different),
        count("wins", |m| m.record.wins()),
        count("draws", |m| m.record.draws()),
        count("losses", |m| m.record.losses()),
        float("score", &|m| Some(m.record.score())),
        float("elo", &|m| m.record.elo_difference()),
        float("s_binomial", &|m| Some(m.record.binomial_error())),
        float("s_three_outcomes", &|m| Some(m.record.three_outcome_error())),
        float("s_game_pairs", &|m| m.pairs.map(|pairs| pairs.standard_error())),
    ]);
    for (percent, z) in [(90, Z_90), (95, Z_95)] {
        let low = |m: &Match| Some(m.record.confident_difference(z).low);
        let high = |m: &Match| Some(m.record.confident_difference(z).high);
        columns.push(float(&format!("delta_w_low_{percent}"), &low));
        columns.push(float(&format!("delta_w_high_{percent}"), &high));
    }
    columns.extend((0..5).map(|half_points| {
        let counts = rows.iter().map(|row| row.1.pairs.map(|pairs| pairs.counts()[half_points]));
        Column::new(format!("pairs_{half_points}").into(), counts.collect::<Vec<_>>())
    }));
    DataFrame::new_infer_height(columns)
}
