//! The table of changes of the best move from one iteration of a search to the next.

use crate::base::text::rounded;
use crate::lab::Iteration;
use crate::measure::{Decimals, Unit};
use crate::numbers::Estimate;
use crate::report::table::{Screen, Table, head};
use crate::report::words::numbers::{MISSING, number};

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
            "that changed back to the best move of three iterations earlier, but not of two.",
            |one| one.three_ago,
            "(I−3)\nbest, %",
            2,
        ),
    ];
    let mut table = Table::of("go-deep", "One row per iteration.", rows)
        .column("depth", "Depth of the iteration in plies.", |one| one.depth)
        .heading("Depth")
        .column("positions", "Positions with a known best move at this and all smaller depths.", |one| {
            one.positions
        })
        .heading("Positions");
    for (place, (name, best_move, of, heading, gives_way)) in counts.into_iter().enumerate() {
        let rate = move |one: &Iteration| one.rates().map(|rates| rates[place]);
        table = table
            .column(name, format!("Positions {best_move}"), of)
            .number(
                format!("rate_{name}"),
                Unit::Share.with(Decimals::Of(6, 4)),
                "The previous column as a share of `positions`, with Wilson's interval.",
                rate,
            )
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
