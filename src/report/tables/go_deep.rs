//! Owns the table of how often the best move changes.

use super::{
    MISSING,
    layout::{Field, Layout},
    screen::Screen,
};
use crate::{go_deep::Iteration, text::rounded};

/// One row an iteration, at most as wide as `screen` where that can be; `notes` stand below it.
pub fn go_deep(iterations: &[Iteration], mut notes: Vec<String>, screen: Screen) -> String {
    let each = |of: &dyn Fn(&Iteration) -> String| iterations.iter().map(of).collect::<Vec<_>>();
    let rate = |one: &Iteration, place: usize| {
        one.rates().map_or(MISSING.to_owned(), |rates| rounded(100.0 * rates[place].value, 1))
    };
    let range = |one: &Iteration, place: usize| {
        let interval = one.rates().and_then(|rates| rates[place].interval);
        interval.map_or(MISSING.to_owned(), |interval| {
            format!("{}–{}", rounded(100.0 * interval.low, 1), rounded(100.0 * interval.high, 1))
        })
    };
    let mut columns = vec![
        Field::number("Depth", each(&|one| one.depth.to_string())),
        Field::number("Positions", each(&|one| one.positions.to_string())),
    ];
    for (place, (head, dropped)) in
        [("Best\nchange, %", 1), ("Fresh\nbest, %", 1), ("(I−2)\nbest, %", 2), ("(I−3)\nbest, %", 2)]
            .into_iter()
            .enumerate()
    {
        columns.push(Field::number(head, each(&|one| rate(one, place))));
        columns.push(Field::number("\n95 %", each(&|one| range(one, place))).dropped(dropped));
    }
    notes.insert(0, WORDS.to_owned());
    Layout { title: "How often the best move changes from one iteration to the next", columns, notes }
        .shown(screen)
}

const WORDS: &str = "Of all positions: another best move than an iteration ago; one that was best in no iteration before; \
    that of two iterations ago again; that of three again. Wilson's intervals.";
