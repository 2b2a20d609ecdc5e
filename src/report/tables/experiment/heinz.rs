//! Owns Heinz's tables of matches, and of the differences that they have in common.

use crate::{
    experiment::{Experiment, Match},
    rating::{
        heinz::{MatchRecord, Range, Z_90, Z_95},
        pentanomial::GamePairs,
    },
    report::{
        table::layout::{Field, Layout},
        words::{experiment::match_name, numbers::MISSING},
    },
    text::rounded,
};

fn each(matches: &[Match], of: impl Fn(&Match) -> String) -> Vec<String> {
    matches.iter().map(of).collect()
}

/// Heinz's Tables 3 and 5.
pub fn matches(title: &'static str, matches: &[Match]) -> Layout {
    let share = |outcome: usize| each(matches, |m| rounded(100.0 * m.record.shares()[outcome], 2));
    let count = |of: fn(MatchRecord) -> u32| each(matches, |m| of(m.record).to_string());
    let elo = |m: &Match| m.record.elo_difference().map_or(MISSING.to_owned(), |elo| rounded(elo, 0));
    let mut notes =
        vec!["m: moves a game. Elo by the logistic curve, 400·log₁₀(w/(1 − w)), as Heinz has it.".to_owned()];
    if matches.iter().any(|m| m.record.elo_difference().is_none()) {
        notes.push("A score of 0 or 100 % has no finite Elo.".to_owned());
    }
    Layout {
        title,
        columns: vec![
            Field::text("Match", each(matches, match_name)),
            Field::number("m", each(matches, |m| rounded(m.mean_moves, 0))).dropped(2),
            Field::number("Games", each(matches, |m| m.record.games().to_string())),
            Field::number("differ", each(matches, |m| m.different.to_string())).dropped(3),
            Field::number("W", count(MatchRecord::wins)).dropped(2),
            Field::number("D", count(MatchRecord::draws)).dropped(2),
            Field::number("L", count(MatchRecord::losses)).dropped(2),
            Field::number("W, %", share(0)).dropped(1),
            Field::number("D, %", share(1)).dropped(1),
            Field::number("L, %", share(2)).dropped(1),
            Field::number("Score, %", each(matches, |m| rounded(100.0 * m.record.score(), 2))),
            Field::number("Elo", each(matches, elo)),
        ],
        notes,
    }
}

/// Heinz's Tables 4 and 6, with the standard errors that know of draws and of game pairs.
pub fn statistics(title: &'static str, matches: &[Match]) -> Layout {
    let end =
        |z: f64, of: fn(Range) -> f64| each(matches, |m| rounded(of(m.record.confident_difference(z)), 3));
    let pairs = |m: &Match| m.pairs.map_or(MISSING.to_owned(), |pairs| rounded(pairs.standard_error(), 4));
    let mut columns = vec![
        Field::text("Match", each(matches, match_name)),
        Field::number("Score", each(matches, |m| rounded(m.record.points(), 1))).dropped(3),
        Field::number("Games", each(matches, |m| m.record.games().to_string())).dropped(3),
        Field::number("w", each(matches, |m| rounded(m.record.score(), 3))),
        Field::number("s(w)", each(matches, |m| rounded(m.record.binomial_error(), 4))),
        Field::number(
            "s(w),\nthree\noutcomes",
            each(matches, |m| rounded(m.record.three_outcome_error(), 4)),
        )
        .dropped(1),
    ];
    if matches.iter().any(|m| m.pairs.is_some()) {
        let shapes = |m: &Match| m.pairs.map_or(MISSING.to_owned(), shape);
        columns.push(Field::number("s(w),\ngame\npairs", each(matches, pairs)).dropped(1));
        columns.push(Field::number("pairs of\n0·½·1·1½·2\npoints", each(matches, shapes)).dropped(3));
    }
    columns.extend([
        Field::number("Δw, 90 %\nfrom", end(Z_90, |range| range.low)).dropped(2),
        Field::number("\nto", end(Z_90, |range| range.high)).dropped(2),
        Field::number("Δw, 95 %\nfrom", end(Z_95, |range| range.low)),
        Field::number("\nto", end(Z_95, |range| range.high)),
    ]);
    let mut notes = vec![STATISTICS.to_owned()];
    notes.extend(matches.iter().any(|m| m.pairs.is_some()).then(|| PAIRS.to_owned()));
    notes.extend(repeated(matches));
    Layout { title, columns, notes }
}

const STATISTICS: &str = "s(w) = √(w(1 − w)/n), Δw = 2w − 1 ∓ 2·z·s(w), z = 1.645 and 1.96, as Heinz has them: a game is taken \
    for a trial that is won or lost. Beside it the standard error of games of three outcomes, √((W + D/4)/n − w²)/√n.";

const PAIRS: &str = "Game pairs: each opening was played with both colours, and the pair is the unit (the pentanomial \
    standard error), since an opening that favours a colour makes the games of one differ.";

/// Where n counts games that are move for move the same; `None` where all differ.
fn repeated(matches: &[Match]) -> Option<String> {
    let repeats = matches.iter().filter(|m| u64::from(m.different) < m.record.games());
    let counts: Vec<String> =
        repeats.map(|m| format!("{} of {} in {}", m.different, m.record.games(), match_name(m))).collect();
    (!counts.is_empty()).then(|| {
        format!(
            "Not all games differ: {}. Every standard error here counts each, and is too small.",
            counts.join(", ")
        )
    })
}

/// Pairs by their points: `0·3·12·4·1`.
fn shape(pairs: GamePairs) -> String {
    pairs.counts().map(|count| count.to_string()).join("·")
}

/// Which differences all rows allow; `None` for fewer than two rows.
pub fn intersections(experiment: &Experiment) -> Option<Layout> {
    if experiment.rows.len() < 2 {
        return None;
    }
    let findings = &experiment.verdict.findings;
    let end = |of: fn(Range) -> f64| {
        let end = |common: Option<Range>| common.map_or("empty".to_owned(), |range| rounded(of(range), 3));
        findings.iter().map(|finding| end(finding.common)).collect()
    };
    let count = |of: fn(&crate::experiment::ReturnsTest) -> usize| {
        findings.iter().map(|finding| of(finding).to_string()).collect()
    };
    let rows: Vec<String> = experiment.rows.iter().map(match_name).collect();
    Some(Layout {
        title: "Which Δw all rows allow (Heinz's Table 6)",
        columns: vec![
            Field::text("Level", findings.iter().map(|finding| format!("{} %", finding.percent)).collect()),
            Field::number("Δw\nfrom", end(|range| range.low)),
            Field::number("\nto", end(|range| range.high)),
            Field::number("Pairs apart,\ndeeper less", count(|finding| finding.falling)),
            Field::number("\ndeeper more", count(|finding| finding.rising)),
        ],
        notes: vec![format!("Rows: {}.", rows.join(", "))],
    })
}
