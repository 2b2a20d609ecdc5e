//! Heinz's tables of matches, and of the leads Δw that are consistent with all matches.

use crate::base::text::rounded;
use crate::lab::{Experiment, Match, ReturnsTest};
use crate::measure::{Quantity, Unit};
use crate::numbers::{GamePairs, Range, rating::heinz::Z_90, rating::heinz::Z_95};
use crate::report::kinds::experiment::words::match_name;

use crate::report::table::{ColumnPart, Rows, Table, head, layout::Layout};
use crate::report::words::numbers::MISSING;

/// Returns Heinz's Table 3 or 5: results of matches.
pub fn matches(title: &'static str, matches: &[Match]) -> Layout {
    let mut notes = vec![
        "m: moves per game. Elo: 400·log₁₀(w/(1 − w)) for a score of w (Heinz's logistic curve).".to_owned(),
    ];
    if matches.iter().any(|m| m.record.elo_difference().is_none()) {
        notes.push("A score of 0 or 100 % has no finite Elo.".to_owned());
    }
    let mut table = Table::shown(matches)
        .display("Match", match_name)
        .display_number(head("m").decimals(0).gives_way(2), Unit::Moves, |m| m.mean_moves)
        .display("Games", |m| m.record.games())
        .display(head("differ").gives_way(3), |m| m.different)
        .display(head("W").gives_way(2), |m| m.record.wins())
        .display(head("D").gives_way(2), |m| m.record.draws())
        .display(head("L").gives_way(2), |m| m.record.losses());
    for (outcome, heading) in ["W, %", "D, %", "L, %"].into_iter().enumerate() {
        table = table.display_number(
            ColumnPart::Percent.under(heading).decimals(2).gives_way(1),
            Unit::Share,
            |m| m.record.shares()[outcome],
        );
    }
    table
        .display_number(ColumnPart::Percent.under("Score, %").decimals(2), Quantity::GAME_SCORE, |m| {
            m.record.score()
        })
        .display_number(head("Elo").decimals(0), Unit::Elo, |m| m.record.elo_difference())
        .layout(title, notes)
}

/// Returns Heinz's Table 4 or 6: scores, their standard errors, and the intervals of the lead Δw = 2w − 1.
pub fn statistics(title: &'static str, matches: &[Match]) -> Layout {
    let in_pairs = matches.iter().any(|m| m.pairs.is_some());
    let table = Table::shown(matches)
        .display("Match", match_name)
        .display_number(head("Score").gives_way(3), Unit::Points, |m| m.record.points())
        .display(head("Games").gives_way(3), |m| m.record.games())
        .display_number("w", Quantity::GAME_SCORE, |m| m.record.score())
        .display_number("s(w)", Unit::Score, |m| m.record.binomial_error())
        .display_number(head("s(w),\nthree\noutcomes").gives_way(1), Unit::Score, |m| {
            m.record.three_outcome_error()
        });
    let table = if in_pairs { pair_columns(table) } else { table };
    let table = difference(table, "Δw, 90 %\nfrom", Z_90, 2);
    let table = difference(table, "Δw, 95 %\nfrom", Z_95, 0);
    let notes = [Some(STATISTICS.to_owned()), in_pairs.then(|| PAIRS.to_owned()), repeated(matches)];
    table.layout(title, notes.into_iter().flatten().collect())
}

fn pair_columns(table: Rows<'_, Match>) -> Rows<'_, Match> {
    table
        .display_number(head("s(w),\ngame\npairs").gives_way(1), Unit::Score, |m| {
            m.pairs.map(|pairs| pairs.standard_error())
        })
        .display_text(head("pairs of\n0·½·1·1½·2\npoints").gives_way(3), |m| {
            m.pairs.map_or(MISSING.to_owned(), shape)
        })
}

/// Adds Heinz's interval of the lead Δw = 2w − 1. `z` is the normal quantile for the interval's level.
fn difference<'a>(table: Rows<'a, Match>, from: &'static str, z: f64, gives_way: u8) -> Rows<'a, Match> {
    table
        .display_number(head(from).gives_way(gives_way), Quantity::GAME_SCORE, move |m| {
            m.record.confident_difference(z).low
        })
        .display_number(head("\nto").gives_way(gives_way), Quantity::GAME_SCORE, move |m| {
            m.record.confident_difference(z).high
        })
}

const STATISTICS: &str = "Heinz's formulas treat games as only won or lost: s(w) = √(w(1 − w)/n), Δw = 2w − 1 ∓ \
    2·z·s(w), with z = 1.645 (90 %) and 1.96 (95 %). The standard error for three outcomes is √((W + D/4)/n − w²)/√n.";

const PAIRS: &str = "Game pairs: each opening was played with both colors. The unit is the pair (the pentanomial standard \
    error), because the two results of a pair are not independent if the opening favors a color.";

/// Returns a note on matches with games that are identical move for move; `None` if all games differ.
fn repeated(matches: &[Match]) -> Option<String> {
    let repeats = matches.iter().filter(|m| u64::from(m.different) < m.record.games());
    let counts: Vec<String> =
        repeats.map(|m| format!("{} of {} in {}", m.different, m.record.games(), match_name(m))).collect();
    (!counts.is_empty()).then(|| {
        format!(
            "Some games are repeated. Distinct games: {}. All standard errors here count repeated games as independent, so \
             they are too small.",
            counts.join(", ")
        )
    })
}

/// Returns the numbers of game pairs with 0, ½, 1, 1½ and 2 points, as in `0·3·12·4·1`.
fn shape(pairs: GamePairs) -> String {
    pairs.counts().map(|count| count.to_string()).join("·")
}

/// Returns the range of Δw that fits all rows, for each level of confidence.
pub fn intersections(experiment: &Experiment) -> Option<Layout> {
    if experiment.rows.len() < 2 {
        return None;
    }
    let end = |finding: &ReturnsTest, of: fn(Range) -> f64| {
        finding.common.map_or("empty".to_owned(), |range| rounded(of(range), 3))
    };
    let table = Table::shown(&experiment.verdict.findings)
        .display("Level", |finding| format!("{} %", finding.percent))
        .display_text("Δw\nfrom", |finding| end(finding, |range| range.low))
        .display_text("\nto", |finding| end(finding, |range| range.high))
        .display("Pairs apart,\ndeeper less", |finding| finding.falling)
        .display("\ndeeper more", |finding| finding.rising);
    let rows: Vec<String> = experiment.rows.iter().map(match_name).collect();
    let notes = vec![format!(
        "Rows: {}. Pairs apart: pairs of rows whose intervals of Δw do not overlap. In each pair, the deeper row gains less or more.",
        rows.join(", ")
    )];
    Some(table.layout("Δw consistent with all rows (Heinz's Table 6)", notes))
}
