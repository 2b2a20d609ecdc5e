//! The report of `gainalyze go-deep`: its table, its picture and its summary.

use serde::Serialize;

use crate::base::text::{counted, cut, printable, rounded};
use crate::files::EngineFacts;
use crate::lab::Iteration;
use crate::measure::{Decimals, Unit};
use crate::numbers::Estimate;
use crate::report::plots::{canvas::Drawing, chart::Axis, chart::Chart, chart::Look, style::Ink};
use crate::report::publish::{Report, ReportFile, ReportKind};
use crate::report::table::{Screen, Table, head};
use crate::report::words::{numbers::MISSING, numbers::number};

pub static GO_DEEP: ReportKind = ReportKind {
    written_by: "`gainalyze go-deep`",
    files: &[ReportFile::Summary("go-deep-summary.json"), ReportFile::Pictures(&["go-deep"])],
    tables: || vec![iterations(&[])],
};

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GoDeepSummary {
    pub version: String,
    pub engine: EngineFacts,
    pub depth: u32,
    pub games: usize,
    pub positions: usize,
    pub failed: usize,
    /// Positions with one legal move, left out.
    pub forced: usize,
    /// Repeated positions, left out.
    pub repeated: usize,
    pub iterations: Vec<Iteration>,
}

pub fn report(summary: &GoDeepSummary) -> Report {
    let GoDeepSummary { engine, positions, iterations: rows, .. } = summary;
    let drawings = GO_DEEP.named([best_moves(rows, &engine.name, *positions)]);
    let tables = vec![iterations(rows)];
    Report { drawings, tables, ..Report::default() }.with_summary(&GO_DEEP, summary)
}

pub fn iterations(rows: &[Iteration]) -> Table {
    type Count = fn(&Iteration) -> u64;
    let counts: [(&str, &str, Count, &str, u8); 4] = [
        (
            "changed",
            "whose best move differs from the best move of the previous iteration.",
            |one| one.changed,
            "Best\nchange, %",
            1,
        ),
        ("fresh", "whose best move was never best before.", |one| one.fresh, "Fresh\nbest, %", 1),
        (
            "two_ago",
            "that changed back to the best move of two iterations earlier.",
            |one| one.two_ago,
            "(I−2)\nbest, %",
            2,
        ),
        (
            "three_ago",
            "that changed back to the best move of three iterations earlier, but not to that of two.",
            |one| one.three_ago,
            "(I−3)\nbest, %",
            2,
        ),
    ];
    let mut table = Table::of("go-deep", "One row per iteration.", rows)
        .column("depth", "Depth of the iteration in plies.", |one| one.depth)
        .heading("Depth")
        .column("positions", "", |one| one.positions)
        .means("Positions with a known best move at this and all smaller depths.")
        .heading("Positions");
    for (place, (name, best_move, of, heading, gives_way)) in counts.into_iter().enumerate() {
        let rate = move |one: &Iteration| one.rates().map(|rates| rates[place]);
        table = table
            .column(name, format!("Positions {best_move}"), of)
            .number(format!("rate_{name}"), Unit::Share.with(Decimals::Of(6, 4)), "", rate)
            .means("The previous column as a share of `positions`, with Wilson's interval.")
            .said(heading, move |one| number(rate(one).map(|rate| 100.0 * rate.value), 1))
            .said(head("\n95 %").gives_way(gives_way), move |one| percents(rate(one)));
    }
    table.table()
}

fn percents(rate: Option<Estimate>) -> String {
    rate.and_then(|rate| rate.interval).map_or(MISSING.to_owned(), |interval| {
        format!("{}–{}", rounded(100.0 * interval.low, 1), rounded(100.0 * interval.high, 1))
    })
}

pub fn go_deep(rows: &[Iteration], mut notes: Vec<String>, screen: Screen) -> String {
    notes.insert(0, WORDS.to_owned());
    iterations(rows)
        .layout("How often the best move changes from one iteration to the next", notes)
        .shown(screen)
}

const WORDS: &str = "Best change: the best move differs from the best move of the previous iteration. Fresh best: the \
    best move was never best before. (I−2) and (I−3) best: the best move changed back to the best move of two, or \
    three, iterations earlier. The intervals are Wilson's.";

/// Style of the four rates of change: color, offset from the depth in pixels, and name.
const LOOKS: [(Ink, i32, &str); 4] = [
    (Ink::Ink, -6, "changed"),
    (Ink::Gain, -2, "fresh"),
    (Ink::Loss, 2, "as two ago"),
    (Ink::Zero, 6, "as three ago"),
];

pub fn best_moves(iterations: &[Iteration], engine: &str, positions: usize) -> Option<Drawing> {
    let rates: Vec<(u32, [Estimate; 4])> =
        iterations.iter().filter_map(|one| Some((one.depth, one.rates()?))).collect();
    rates.first()?;
    let percent = |share: f64| 100.0 * share;
    let ends = rates.iter().flat_map(|(_, rates)| rates.iter().filter_map(|rate| rate.interval));
    let chart = Chart {
        title: "How often does the best move still change?",
        subtitle: "Percent of positions whose best move differs from that of the previous iteration",
        caption: &format!("{}, {}", cut(&printable(engine), 60), counted(positions as u64, "position")),
        x: Axis::of_depths("Depth of the iteration in plies", rates.iter().map(|(depth, _)| *depth)),
        y: Axis::around("Percent of the positions", ends.map(|ends| percent(ends.high)).chain([0.0]), 10),
        legend: &LOOKS.map(|(ink, _, name)| (ink, name)),
        notes: "Fresh: never best before. As two ago, as three ago: the same best move as two or three iterations \
                earlier.\nBars: Wilson's 95 % intervals.",
    };
    Some(chart.drawn(|plot| {
        for (place, (ink, aside, _)) in LOOKS.into_iter().enumerate() {
            let dot = |(depth, rates): &(u32, [Estimate; 4])| {
                let Estimate { value, interval, .. } = rates[place];
                let ends = interval.map(|ends| (percent(ends.low), percent(ends.high)));
                (f64::from(*depth), percent(value), ends)
            };
            plot.dots(Look::joined(ink, 4, aside), rates.iter().map(dot));
        }
    }))
}
