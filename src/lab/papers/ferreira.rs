//! Ferreira's Tables 3 to 8: scores by depth, fits, players, engine, and the strength of each depth.

mod fits;

use self::fits::{Fits, ends, exact_fits, printed_fits, row};
use super::{
    cell::{Explanation, PaperCell, PaperColumn, PaperTable},
    printed_table::PaperData,
    printed_table::PrintedTable,
};
use crate::lab::{
    experiment::{Fit, Ratings, ScoreMatrix},
    selfplay::{Contender, Side},
};
use crate::measure::{EloOrigin, GameResults, Method, PlayerElo, PlayerRecord, PlayerResult, Tournament};
use crate::numbers::{BinWidth, Estimate, FitError, Histogram, NormalCurve};

/// Returns all tables, computed from printed and reconstructed numbers of the paper.
pub fn tables(data: &PaperData) -> Vec<PaperTable> {
    let (tournament, white) = (tournament(data), &data["table2_white_scores"]);
    let exact = Fits::of(&depths(data), &exact_scores(data));
    let deepest = exact.curves.last().copied().unwrap_or(Err(FitError::TooFewDepths(0)));
    vec![
        scores(
            "Table 3 from Table 2 as printed",
            data,
            &irrespective_of_colors(white),
            "(T2[i,j] + 1 − T2[j,i])/2: the score of the row's depth against the column's, with equal \
             colors.",
        ),
        scores("Table 3 at full precision", data, &exact_scores(data), EXACT),
        printed_fits(data),
        exact_fits(data, &exact),
        expected_scores(data, &tournament),
        engine_strength(data, &tournament),
        performances(data, &tournament),
        strengths(data, &tournament, deepest),
        text(data, &tournament, deepest),
        three_fits(data),
    ]
}

const EXACT: &str = "Half-points of 200 games, reconstructed: the only numbers that agree with Tables 2, 3 and 4 \
             together.";

/// Returns Table 3 from White's scores, one list per column.
fn irrespective_of_colors(white: &PrintedTable) -> Vec<Vec<f64>> {
    let scores = white.matrix();
    let n = scores.len();
    (0..n).map(|j| (0..n).map(|i| (scores[j][i] + 1.0 - scores[i][j]) / 2.0).collect()).collect()
}

fn scores(title: &'static str, data: &PaperData, computed: &[Vec<f64>], note: &str) -> PaperTable {
    let printed = &data["table3_scores"];
    let column = |(name, computed): (&String, &Vec<f64>)| {
        // One more digit than printed, because half a unit is rounded either way.
        PaperColumn { decimals: 3, ..PaperColumn::of(name, computed.iter().copied(), &printed.column(name)) }
    };
    PaperTable::new(
        title,
        "Depth",
        printed.columns().iter().zip(computed).map(column).collect(),
        printed.names(),
    )
    .below()
    .noted(note)
}

/// Returns a tournament with the players of Table 5, computed from their counts of moves and half-points.
fn tournament(data: &PaperData) -> Tournament {
    let players =
        data["table5_candidates2013"].names().into_iter().zip(data["table5_candidates2013"].numbers("elo"));
    let moves = data["table5_exact_counts"]
        .counts("moves")
        .into_iter()
        .zip(data["table5_exact_counts"].counts("half_points"));
    let records = players.zip(data["table5_candidates2013"].numbers("points")).zip(moves).map(
        |(((name, elo), points), (moves, half_points))| PlayerRecord {
            name,
            elo: Some(PlayerElo { value: elo, origin: EloOrigin::Tag }),
            results: GameResults { games: 14, unplayed: 0, known: 14, half_points: (2.0 * points) as u32 },
            histogram: gains(moves, half_points),
        },
    );
    Tournament::from_records(records, &Method::default())
}

/// Returns `moves` gains that score `half_points` half-points against an engine whose gains are all 0. The
/// number of zeros among the paper's gains is known only for Gelfand; it does not affect the score.
fn gains(moves: u32, half_points: u32) -> Histogram {
    let signs = (0..moves).map(|i| match half_points.saturating_sub(2 * i) {
        0 => -1,
        1 => 0,
        _ => 1,
    });
    Histogram::of(BinWidth::default(), signs)
}

/// Returns a number for each player in `names`, in this order; NaN for a missing player.
fn each(tournament: &Tournament, names: &[String], of: impl Fn(&PlayerResult) -> Option<f64>) -> Vec<f64> {
    let player = |name: &String| tournament.players.iter().find(|player| player.name == *name);
    names.iter().map(|name| player(name).and_then(&of).unwrap_or(f64::NAN)).collect()
}

fn difference(player: &PlayerResult) -> Option<f64> {
    player.elo_difference.map(|difference| difference.value)
}

fn expected_scores(data: &PaperData, tournament: &Tournament) -> PaperTable {
    let printed = &data["table5_candidates2013"];
    let names = printed.names();
    let score = |player: &PlayerResult| player.expected_score.map(|score| score.value);
    PaperTable::new(
        "Table 5 from counts of moves: expected scores of the players",
        "Player",
        vec![
            PaperColumn::unprinted(
                "Moves",
                0,
                each(tournament, &names, |player| Some(player.moves() as f64)),
            ),
            PaperColumn::of("p", each(tournament, &names, score), &printed.column("p_i_engine")),
            PaperColumn::of("r̄", each(tournament, &names, difference), &printed.column("r_i_engine")),
        ],
        names,
    )
    .noted(
        "Each p is a whole number of half-points divided by twice the number of moves of all 14 games. The \
             engine's gains are all 0. r̄ = 200√2·Φ⁻¹(p).",
    )
}

/// The name of Table 6's last row.
const AVERAGE: &str = "Average";

fn engine_strength(data: &PaperData, tournament: &Tournament) -> PaperTable {
    let names = data["table6_engine_strength"].names();
    let average = tournament.average;
    let column = |name: &str, key: &str, of: fn(&PlayerResult) -> Option<f64>, mean: Option<f64>| {
        let mut computed = each(tournament, &names, of);
        let last = names.iter().position(|name| name == AVERAGE);
        last.into_iter().for_each(|place| computed[place] = mean.unwrap_or(f64::NAN));
        PaperColumn::of(name, computed, &data["table6_engine_strength"].column(key))
    };
    let mut elo =
        column("Elo", "elo", |player| player.elo.map(|elo| elo.value), average.map(|average| average.elo));
    // The ratings are given in the paper. Only their mean is computed.
    let given = elo.cells.iter_mut().zip(&names).filter(|(_, name)| *name != AVERAGE);
    given.for_each(|(cell, _)| cell.printed = None);
    let strength = tournament.engine_strength;
    let half_width = strength.map_or(f64::NAN, |strength| half_width(&strength));
    PaperTable::new(
        "Table 6 from Table 5: strength of the engine",
        "Player",
        vec![
            elo,
            column("r̄", "r_i_engine", difference, average.map(|average| average.elo_difference)),
            column(
                "Engine",
                "engine",
                |player| Some(player.engine_strength?.value),
                strength.map(|strength| strength.value),
            ),
        ],
        names,
    )
    .noted(format!(
        "Ratings are given; strength of the engine = Elo − r̄. The 95 % interval of the mean is \
             ± {half_width:.3}, by Student's t with 7 degrees of freedom."
    ))
}

fn performances(data: &PaperData, tournament: &Tournament) -> PaperTable {
    let names = data["table7_performance"].names();
    let engine = tournament.engine_strength.map(|strength| strength.value);
    let column = |name: &str, key: &str, of: &dyn Fn(&PlayerResult) -> Option<f64>| {
        PaperColumn::of(name, each(tournament, &names, of), &data["table7_performance"].column(key))
    };
    PaperTable::new(
        "Table 7 from Tables 5 and 6: performance of the players",
        "Player",
        vec![
            column("Engine", "engine", &|_| engine),
            column("r̄", "r_i_engine", &difference),
            column("Performance", "performance", &|player| Some(player.performance?.value)),
        ],
        names,
    )
    .noted("Performance = mean strength of the engine + r̄, both unrounded.")
}

/// Computes the strengths by depth: each ply below the deepest column subtracts η of that column.
fn strengths(
    data: &PaperData,
    tournament: &Tournament,
    deepest: Result<NormalCurve, FitError>,
) -> PaperTable {
    let [_, eta, eta_low, eta_high] = row(deepest);
    let ratings = ratings(data, Fit::Lsq);
    let strengths = tournament.engine_strength.map(|engine| ratings.strengths(engine)).unwrap_or_default();
    let differences = ratings.differences.unwrap_or_default();
    // The printed table begins with the deepest depth.
    let column = |name: &str, key: &str, estimates: &[Option<Estimate>], of: fn(Estimate) -> f64| {
        let computed = estimates.iter().rev().map(|estimate| estimate.map_or(f64::NAN, of));
        PaperColumn::of(name, computed, &data["table8_depth_strength"].column(key))
    };
    PaperTable::new(
        "Table 8 from Tables 4 and 6: strength by depth",
        "Depth",
        vec![
            column("Elo\ndifference", "delta_elo", &differences, |difference| difference.value),
            column("Strength", "strength", &strengths, |strength| strength.value),
            column("95 %\nfrom", "lo", &strengths, |strength| ends(strength).0),
            column("\nto", "hi", &strengths, |strength| ends(strength).1),
        ],
        data["table8_depth_strength"].names(),
    )
    .noted(format!(
        "Strength = mean strength of the engine + (d − 20)·η(20), with η(20) = {eta:.4}, 95 % interval \
             {eta_low:.2} to {eta_high:.2}. The margin of a strength is the sum of the margins of both terms."
    ))
}

/// Returns two numbers in the paper's text that differ from its tables, with the explanations.
fn text(data: &PaperData, tournament: &Tournament, deepest: Result<NormalCurve, FitError>) -> PaperTable {
    let [sigma, eta, ..] = row(deepest);
    let average = tournament.average.map_or(f64::NAN, |average| -average.elo_difference);
    let grischuk = each(tournament, &["Grischuk".to_owned()], difference).first().map(|value| -value);
    let computed = [(average, grischuk), (sigma, Some(eta))];
    let cells =
        computed.into_iter().zip(data["text"].column("value")).map(|((computed, explanation), printed)| {
            let explanation = Some(Explanation { value: explanation, tolerance: 0.0 });
            PaperCell { explanation, ..PaperCell::of(computed, &printed) }
        });
    let names = data["text"].names().into_iter().zip(data["text"].column("quantity"));
    PaperTable::new(
        "In the text",
        "Number",
        vec![PaperColumn::of_cells("Value", cells.collect())],
        names.map(|(place, quantity)| format!("{place}, {quantity}")).collect(),
    )
    .noted(
        "Known misprint: Section 4.4 gives 107.5 for the mean difference, which is 107.4 in Table 6; 107.5 \
             is Grischuk's difference.",
    )
    .noted("Known misprint: the conclusion writes σ(20) = 66.3 and means η(20).")
}

/// Returns the paper's Elo by depth next to two other fits, which weight each score by its number of games.
fn three_fits(data: &PaperData) -> PaperTable {
    let columns = Fit::ALL.map(|fit| {
        let missing = || vec![None; data["table3_reconstructed_x400"].names().len()];
        let differences = ratings(data, fit).differences.unwrap_or_else(|_| missing());
        let column = |name: &str, of: fn(&Estimate) -> f64| {
            let values = differences.iter().map(|difference| difference.as_ref().map_or(f64::NAN, of));
            PaperColumn::unprinted(name, 0, values)
        };
        [column(fit.name(), |difference| difference.value), column("±", half_width)]
    });
    PaperTable::new(
        "Not in the paper: Elo of each depth above depth 20 by three fits, with 95 % margins",
        "Depth",
        columns.into_iter().flatten().collect(),
        data["table3_reconstructed_x400"].names(),
    )
    .noted(THREE_FITS)
}

const THREE_FITS: &str = "lsq: the paper's fit, with equal weight for each score of column 20. probit: the \
     same curve by maximum likelihood, with 200 games for each score. pairwise: a rating for each depth from \
     the games of all pairs, with the normal curve. Unlike pairwise, the other two fits assume that every \
     ply is worth as much as a ply near depth 20.";

/// Returns the Elo difference of each depth from the deepest depth, by the fit `fit`.
fn ratings(data: &PaperData, fit: Fit) -> Ratings {
    let scores = games(data);
    Ratings::of(&scores, fit, scores.contenders().len() - 1)
}

fn half_width(estimate: &Estimate) -> f64 {
    estimate.interval.map_or(f64::NAN, |interval| interval.half_width())
}

/// Returns Table 3 at full precision, one list per column.
fn exact_scores(data: &PaperData) -> Vec<Vec<f64>> {
    let points = data["table3_reconstructed_x400"].matrix();
    points.into_iter().map(|column| column.into_iter().map(|x| x / 400.0).collect()).collect()
}

/// Returns half-points and games of each pair of depths.
fn games(data: &PaperData) -> ScoreMatrix {
    let sheet = &data["table3_reconstructed_x400"];
    let columns: Vec<Vec<u32>> = sheet.columns().iter().map(|name| sheet.counts(name)).collect();
    let contender = |depth: u32| Contender { side: Side::Engine, depth };
    let contenders = sheet.counts("depth").into_iter().map(contender).collect();
    ScoreMatrix::new(contenders, |row, column| (columns[column][row], GAMES))
}

fn depths(data: &PaperData) -> Vec<f64> {
    data["table3_reconstructed_x400"].numbers("depth")
}

/// Number of games of a pair of depths, 100 with each color (Table 1).
const GAMES: u32 = 200;

#[cfg(test)]
mod tests;
