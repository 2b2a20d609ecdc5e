//! Owns Heinz's Tables 3 to 6: a self-play match at equal depth, and seven between neighbouring depths.

use super::{
    cell::CellLayout, cell::Explanation, cell::PaperCell, cell::PaperColumn, cell::PaperTable,
    printed_table::PrintedTable, printed_table::shipped,
};
use crate::numbers::{MatchRecord, Range, rating::heinz::Z_90, rating::heinz::Z_95};

#[derive(Debug, Clone)]
pub struct HeinzData {
    /// Table 3: White against Black at depth 8.
    pub calibration: PrintedTable,
    /// Table 4: its statistics.
    pub calibration_statistics: PrintedTable,
    /// Table 5: the matches.
    pub matches: PrintedTable,
    /// Table 6: their statistics.
    pub statistics: PrintedTable,
    /// Table 6: intersections over rows.
    pub intersections: PrintedTable,
}

impl HeinzData {
    pub fn shipped() -> HeinzData {
        HeinzData {
            calibration: shipped!("heinz_table3_calibration"),
            calibration_statistics: shipped!("heinz_table4_calibration_stats"),
            matches: shipped!("heinz_table5_matches"),
            statistics: shipped!("heinz_table6_stats"),
            intersections: shipped!("heinz_table6_intersections"),
        }
    }
}

/// Returns the matches of Table 5 by the depth of their deeper side.
pub fn matches() -> Vec<(u32, MatchRecord)> {
    let sheet = HeinzData::shipped().matches;
    sheet.counts("d_high").into_iter().zip(records(&sheet)).collect()
}

/// Returns all tables from the counts of wins, draws and losses.
pub fn tables(data: &HeinzData) -> Vec<PaperTable> {
    let (calibration, matches) = (records(&data.calibration), records(&data.matches));
    let one = vec!["8W⇔8B".to_owned()];
    let seven: Vec<String> = data
        .matches
        .names()
        .iter()
        .zip(data.matches.column("d_low"))
        .map(|(a, b)| format!("{a}⇔{b}"))
        .collect();
    vec![
        shares(
            "Table 3 from wins, draws and losses: White against Black",
            &one,
            &calibration,
            &data.calibration,
        ),
        statistics(
            "Table 4 from Table 3: how sure the score is",
            one,
            &calibration,
            &data.calibration_statistics,
        ),
        ratings(&seven, &matches, &data.matches),
        statistics("Table 6 from Table 5: how sure the scores are", seven, &matches, &data.statistics),
        intersections(&matches, &data.intersections),
    ]
}

fn records(sheet: &PrintedTable) -> Vec<MatchRecord> {
    let [wins, draws, losses] = ["wins", "draws", "losses"].map(|name| sheet.counts(name));
    let counts = wins.into_iter().zip(draws).zip(losses);
    counts.map(|((w, d), l)| MatchRecord::new(w, d, l).expect("games in data/papers")).collect()
}

/// Games, percentages and score.
fn shares(
    title: &'static str,
    rows: &[String],
    records: &[MatchRecord],
    printed: &PrintedTable,
) -> PaperTable {
    let column = |name: &str, key: &str, of: &dyn Fn(MatchRecord) -> f64| {
        PaperColumn::of(name, records.iter().map(|&record| of(record)), &printed.column(key))
    };
    PaperTable {
        title,
        head: "Match",
        rows: rows.to_vec(),
        columns: vec![
            column("Games", "games", &|record| record.games() as f64),
            column("Wins, %", "win_pct", &|record| 100.0 * record.shares()[0]),
            column("Draws, %", "draw_pct", &|record| 100.0 * record.shares()[1]),
            column("Losses, %", "loss_pct", &|record| 100.0 * record.shares()[2]),
            column("Score, %", "score_pct", &|record| 100.0 * record.score()),
        ],
        form: CellLayout::Below,
        notes: Vec::new(),
    }
}

fn ratings(rows: &[String], records: &[MatchRecord], printed: &PrintedTable) -> PaperTable {
    let elo = records.iter().map(|record| record.elo_difference().unwrap_or(f64::INFINITY));
    let mut table = shares("Table 5 from wins, draws and losses: the matches", rows, records, printed);
    table.columns.push(PaperColumn::of("Elo", elo, &printed.column("elo")));
    table.notes.push(
        "Elo: 400·log₁₀(w/(1 − w)); the normal curve rounds otherwise in six of the seven rows.".to_owned(),
    );
    table
}

/// Scores with their errors and confident differences.
fn statistics(
    title: &'static str,
    rows: Vec<String>,
    records: &[MatchRecord],
    printed: &PrintedTable,
) -> PaperTable {
    let column = |name: &str, key: &str, of: &dyn Fn(MatchRecord) -> f64| {
        PaperColumn::of(name, records.iter().map(|&record| of(record)), &printed.column(key))
    };
    let three = records.iter().map(|record| record.three_outcome_error());
    PaperTable {
        title,
        head: "Match",
        rows,
        columns: vec![
            column("Score", "score", &MatchRecord::points),
            column("Games", "games", &|record| record.games() as f64),
            column("w", "w", &MatchRecord::score),
            column("s(w)", "s_w", &MatchRecord::binomial_error),
            PaperColumn::unprinted("s(w),\nthree\noutcomes", 4, three),
            column("Δw, 90 %\nfrom", "lo90", &|record| record.confident_difference(Z_90).low),
            column("\nto", "hi90", &|record| record.confident_difference(Z_90).high),
            column("Δw, 95 %\nfrom", "lo95", &|record| record.confident_difference(Z_95).low),
            column("\nto", "hi95", &|record| record.confident_difference(Z_95).high),
        ],
        form: CellLayout::Below,
        notes: vec![format!(
            "s(w) = √(w(1 − w)/n), Δw = 2w − 1 ∓ 2·z·s(w), z = {Z_90} and {Z_95}. s(w) takes a game for a trial that \
             is won or lost; with its three outcomes the standard error, which is not in the paper, is smaller by {}.",
            how_much_smaller(records)
        )],
    }
}

fn how_much_smaller(records: &[MatchRecord]) -> String {
    let percents =
        records.iter().map(|record| 100.0 * (1.0 - record.three_outcome_error() / record.binomial_error()));
    let (low, high) =
        percents.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
    let (low, high) = (low.round(), high.round());
    if low == high { format!("{low} %") } else { format!("{low} to {high} %") }
}

/// Rows of Table 5 from one place to before another, and which of them the print leaves out.
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
    PaperTable {
        title: "Table 6, intersections: which differences all rows allow",
        head: "Rows",
        rows: SELECTIONS.iter().map(|selection| selection.name.to_owned()).collect(),
        columns: vec![
            column("90 %\nfrom", "lo90", 0, |range| range.low),
            column("\nto", "hi90", 0, |range| range.high),
            column("95 %\nfrom", "lo95", 1, |range| range.low),
            column("\nto", "hi95", 1, |range| range.high),
        ],
        form: CellLayout::Beside,
        notes: vec![
            "Known misprint: the Δw′ printed is what 6⇔5 and 8⇔7 have in common. With 7⇔6, which stands between \
             them, nothing is left at either level."
                .to_owned(),
            "Known misprint: the Δw″ printed at 90 % leaves out 12⇔11. With it nothing is left; at 95 % the print is right."
                .to_owned(),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::papers::{VerdictCounts, tally};

    #[test]
    fn every_table_comes_out_but_for_the_known_misprints() {
        let tally = tally(&tables(&HeinzData::shipped()));
        assert_eq!(tally, VerdictCounts { agreeing: 123 - 6, explained: 6, differing: 0 });
    }

    #[test]
    fn a_wrong_count_is_found_out() {
        let data = HeinzData::shipped();
        let wrong = HeinzData { matches: data.matches.clone().with(0, "wins", "1696"), ..data };
        assert!(tally(&tables(&wrong)).differing > 0);
    }
}
