//! Heinz's Tables 3 to 6: a self-play match at equal depth, and seven matches between neighboring depths.

use super::{
    Paper, cell::Explanation, cell::PaperCell, cell::PaperColumn, cell::PaperTable, printed_table::PaperData,
    printed_table::PrintedTable,
};
use crate::numbers::{MatchRecord, Range, rating::heinz::Z_90, rating::heinz::Z_95};

/// Returns the matches of Table 5 by the depth of their deeper side.
pub fn matches() -> Vec<(u32, MatchRecord)> {
    let data = Paper::Heinz2000.data();
    let sheet = &data["table5_matches"];
    sheet.counts("d_high").into_iter().zip(records(sheet)).collect()
}

/// Returns all tables from the counts of wins, draws and losses.
pub fn tables(data: &PaperData) -> Vec<PaperTable> {
    let (calibration, matches) = (records(&data["table3_calibration"]), records(&data["table5_matches"]));
    let one = vec!["8W⇔8B".to_owned()];
    let seven: Vec<String> = data["table5_matches"]
        .names()
        .iter()
        .zip(data["table5_matches"].column("d_low"))
        .map(|(a, b)| format!("{a}⇔{b}"))
        .collect();
    vec![
        shares(
            "Table 3 from wins, draws and losses: White against Black",
            &one,
            &calibration,
            &data["table3_calibration"],
        ),
        statistics(
            "Table 4 from Table 3: uncertainty of the score",
            one,
            &calibration,
            &data["table4_calibration_stats"],
        ),
        ratings(&seven, &matches, &data["table5_matches"]),
        statistics("Table 6 from Table 5: uncertainty of the scores", seven, &matches, &data["table6_stats"]),
        intersections(&matches, &data["table6_intersections"]),
    ]
}

fn records(sheet: &PrintedTable) -> Vec<MatchRecord> {
    let [wins, draws, losses] = ["wins", "draws", "losses"].map(|name| sheet.counts(name));
    let counts = wins.into_iter().zip(draws).zip(losses);
    counts.map(|((w, d), l)| MatchRecord::new(w, d, l).expect("games in data/papers")).collect()
}

/// A column with a number for each match: the name shown, the name in data/papers, and the function that
/// computes the number.
type MatchColumn = (&'static str, &'static str, fn(MatchRecord) -> f64);

fn columns(records: &[MatchRecord], printed: &PrintedTable, columns: &[MatchColumn]) -> Vec<PaperColumn> {
    let column = |&(name, key, of): &MatchColumn| {
        PaperColumn::of(name, records.iter().map(|&record| of(record)), &printed.column(key))
    };
    columns.iter().map(column).collect()
}

const SHARES: [MatchColumn; 5] = [
    ("Games", "games", |record| record.games() as f64),
    ("Wins, %", "win_pct", |record| 100.0 * record.shares()[0]),
    ("Draws, %", "draw_pct", |record| 100.0 * record.shares()[1]),
    ("Losses, %", "loss_pct", |record| 100.0 * record.shares()[2]),
    ("Score, %", "score_pct", |record| 100.0 * record.score()),
];

fn shares(
    title: &'static str,
    rows: &[String],
    records: &[MatchRecord],
    printed: &PrintedTable,
) -> PaperTable {
    PaperTable::new(title, "Match", columns(records, printed, &SHARES), rows.to_vec()).below()
}

fn ratings(rows: &[String], records: &[MatchRecord], printed: &PrintedTable) -> PaperTable {
    let elo = records.iter().map(|record| record.elo_difference().unwrap_or(f64::INFINITY));
    let mut table = shares("Table 5 from wins, draws and losses: the matches", rows, records, printed);
    table.columns.push(PaperColumn::of("Elo", elo, &printed.column("elo")));
    table.noted(
        "Elo: 400·log₁₀(w/(1 − w)). With the normal curve, six of the seven rows would round to \
         other numbers.",
    )
}

/// The columns of Tables 4 and 6: scores, their errors, and the ranges of confident differences Δw.
const STATISTICS: [MatchColumn; 8] = [
    ("Score", "score", |record| record.points()),
    ("Games", "games", |record| record.games() as f64),
    ("w", "w", |record| record.score()),
    ("s(w)", "s_w", |record| record.binomial_error()),
    ("Δw, 90 %\nfrom", "lo90", |record| record.confident_difference(Z_90).low),
    ("\nto", "hi90", |record| record.confident_difference(Z_90).high),
    ("Δw, 95 %\nfrom", "lo95", |record| record.confident_difference(Z_95).low),
    ("\nto", "hi95", |record| record.confident_difference(Z_95).high),
];

fn statistics(
    title: &'static str,
    rows: Vec<String>,
    records: &[MatchRecord],
    printed: &PrintedTable,
) -> PaperTable {
    let mut columns = columns(records, printed, &STATISTICS);
    let three = records.iter().map(|record| record.three_outcome_error());
    columns.insert(4, PaperColumn::unprinted("s(w),\nthree\noutcomes", 4, three));
    PaperTable::new(title, "Match", columns, rows).below().noted(format!(
        "s(w) = √(w(1 − w)/n), Δw = 2w − 1 ∓ 2·z·s(w), z = {Z_90} and {Z_95}. s(w) assumes that a game is \
             won or lost. With three outcomes, the standard error is smaller by {}; the paper does not give it.",
        error_reduction(records)
    ))
}

fn error_reduction(records: &[MatchRecord]) -> String {
    let percents =
        records.iter().map(|record| 100.0 * (1.0 - record.three_outcome_error() / record.binomial_error()));
    let (low, high) =
        percents.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
    let (low, high) = (low.round(), high.round());
    if low == high { format!("{low} %") } else { format!("{low} to {high} %") }
}

/// A half-open range of rows of Table 5, and the rows that the printed intersection leaves out.
struct RowSelection {
    name: &'static str,
    rows: std::ops::Range<usize>,
    /// The row that the print leaves out, at 90 and at 95 %.
    left_out: [Option<usize>; 2],
}

const SELECTIONS: [RowSelection; 3] = [
    RowSelection { name: "Δw, all rows", rows: 0..7, left_out: [None, None] },
    RowSelection { name: "Δw′, 6⇔5 to 8⇔7", rows: 0..3, left_out: [Some(1), Some(1)] },
    RowSelection { name: "Δw″, 9⇔8 to 12⇔11", rows: 3..7, left_out: [Some(6), None] },
];

fn intersections(records: &[MatchRecord], printed: &PrintedTable) -> PaperTable {
    let column = |name: &str, key: &str, level: usize, end: fn(Range) -> f64| {
        let z = [Z_90, Z_95][level];
        let cells = SELECTIONS.iter().zip(printed.column(key)).map(|(selection, printed)| {
            let common = |left_out: Option<usize>| {
                let rows = selection.rows.clone().filter(|&row| Some(row) != left_out);
                Range::intersection(rows.map(|row| records[row].confident_difference(z))).map(end)
            };
            let left_out = selection.left_out[level];
            let explanation = left_out.map(|row| Explanation { value: common(Some(row)), tolerance: 0.0 });
            PaperCell { explanation, ..PaperCell::of(common(None), &printed) }
        });
        PaperColumn::of_cells(name, cells.collect())
    };
    PaperTable::new(
        "Table 6, intersections: differences that all rows allow",
        "Rows",
        vec![
            column("90 %\nfrom", "lo90", 0, |range| range.low),
            column("\nto", "hi90", 0, |range| range.high),
            column("95 %\nfrom", "lo95", 1, |range| range.low),
            column("\nto", "hi95", 1, |range| range.high),
        ],
        SELECTIONS.iter().map(|selection| selection.name.to_owned()).collect(),
    )
    .noted(
        "Known misprint: the printed Δw′ is the intersection of 6⇔5 and 8⇔7. With 7⇔6, the row between them, \
             the intersection is empty at either level.",
    )
    .noted(
        "Known misprint: the printed Δw″ at 90 % leaves out 12⇔11. With this row, the intersection is empty. \
             At 95 %, the printed range is right.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::papers::{Paper, VerdictCounts, tally};

    #[test]
    fn every_table_comes_out_but_for_the_known_misprints() {
        let tally = tally(&tables(&Paper::Heinz2000.data()));
        assert_eq!(tally, VerdictCounts { agreeing: 123 - 6, explained: 6, differing: 0 });
    }

    #[test]
    fn a_wrong_count_is_found_out() {
        let wrong = Paper::Heinz2000.data().with("table5_matches", 0, "wins", "1696");
        assert!(tally(&tables(&wrong)).differing > 0);
    }
}
