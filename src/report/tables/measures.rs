//! Owns the tables of the known measures, and of splits.

use super::{
    MISSING,
    comparison::{TOO_FEW, equal, p_equals},
    ferreira::{clip, counted, curve, filters},
    layout::{Field, Layout},
    screen::Screen,
};
use crate::{
    stats::{
        estimate::{Estimate, Interval},
        heterogeneity::Welch,
    },
    text::{printable, rounded},
    tournament::{
        Analysis, Method,
        filter::Split,
        kept::{KeptRow, ScoreKept},
        splits::SplitRow,
        statistics::Statistic,
    },
};

/// The ranking by the score kept; `None` without players.
pub fn score_kept(kept: &ScoreKept, method: &Method, screen: Screen) -> Option<String> {
    let cells = |of: fn(&KeptRow) -> String| kept.rows.iter().map(of).collect::<Vec<String>>();
    if kept.rows.is_empty() {
        return None;
    }
    let performance = |row: &KeptRow| {
        row.performance.map_or(MISSING.to_owned(), |performance| rounded(performance.value, 1))
    };
    let layout = Layout {
        title: "Score kept: what a player's moves leave of an even game against one who never errs",
        columns: vec![
            Field::number("", cells(|row| row.rank.to_string())).dropped(5),
            Field::names("Player", cells(|row| printable(&row.player))),
            Field::number("Score\nkept", cells(|row| rounded(row.score.value, 4))),
            Field::number("95 %\ninterval", cells(|row| range(row.score.interval, 3))).dropped(1),
            Field::number("Elo\ndifference", cells(|row| rounded(row.elo_difference.value, 1))),
            Field::number("95 %\ninterval", cells(|row| range(row.elo_difference.interval, 0))).dropped(2),
            Field::number("Performance", cells(performance)),
            Field::number(
                "95 %\ninterval",
                cells(|row| range(row.performance.and_then(|performance| performance.interval), 0)),
            )
            .dropped(3),
        ],
        notes: [Some(KEPT.to_owned()), kept.homogeneity.map(|test| equal("score kept", test))]
            .into_iter()
            .flatten()
            .chain(counted_moves(method))
            .chain(curve(method))
            .collect(),
    };
    Some(layout.shown(screen))
}

const KEPT: &str = "The form of the paper's number that another run of the engine repeats best (README). It is \
    close to the results of the games, and its level, not its order, depends on the depth.";

fn range(interval: Option<Interval>, decimals: usize) -> String {
    interval.map_or(MISSING.to_owned(), |interval| {
        format!("{} to {}", rounded(interval.low, decimals), rounded(interval.high, decimals))
    })
}

/// The known measures, a row a player; `None` without players.
pub fn statistics(analysis: &Analysis, screen: Screen) -> Option<String> {
    let (rows, method) = (&analysis.statistics, &analysis.tournament.method);
    let of = |statistic: Statistic| rows.iter().filter(move |row| row.statistic == statistic);
    let names: Vec<String> = of(Statistic::MeanGain).map(|row| printable(&row.player)).collect();
    if names.is_empty() {
        return None;
    }
    let mut fields = vec![Field::names("Player", names)];
    for statistic in Statistic::KNOWN {
        if of(statistic).any(|row| row.estimate.is_some()) {
            let cells = of(statistic).map(|row| with_margin(row.estimate, decimals(statistic))).collect();
            fields.push(Field::number(header(statistic), cells).dropped(dropped(statistic)));
        }
    }
    let layout = Layout {
        title: "Known measures of play, with the margin of their 95 % interval by game",
        columns: fields,
        notes: [vec![MEASURES.to_owned()], tests(analysis), counted_moves(method)].concat(),
    };
    Some(layout.shown(screen))
}

/// Which measures tell players apart at all, in one line.
fn tests(analysis: &Analysis) -> Vec<String> {
    let test = |(statistic, test): &(Statistic, Welch)| {
        format!("{} {}", header(*statistic).replace('\n', " "), p_equals(test.p))
    };
    let tests: Vec<String> = analysis.homogeneity.iter().map(test).collect();
    if tests.is_empty() {
        return Vec::new();
    }
    let left_out = match analysis.homogeneity.iter().map(|(_, test)| test.left_out).max().unwrap_or_default()
    {
        0 => String::new(),
        _ => format!(" Players {TOO_FEW} have no part in it."),
    };
    vec![format!(
        "Could all players be equal? By Welch's test: {}, each measure for itself.{left_out}",
        tests.join("; ")
    )]
}

const MEASURES: &str = "Gain and loss in centipawns; losses of winning chances in percentage points, by lichess's \
    curve and by the engine's own win/draw/loss; accuracy of a game as lichess has it, of all its moves.";

/// One table a split: the classes side by side; none where no split was asked for.
pub fn splits(rows: &[SplitRow], method: &Method, screen: Screen) -> Option<String> {
    let tables = Split::ALL.into_iter().filter_map(|split| split_table(rows, method, split, screen));
    let tables: Vec<String> = tables.collect();
    (!tables.is_empty()).then(|| tables.join("\n"))
}

fn split_table(rows: &[SplitRow], method: &Method, split: Split, screen: Screen) -> Option<String> {
    let rows: Vec<&SplitRow> = rows.iter().filter(|row| row.split == split).collect();
    let classes = split.classes();
    let first: Vec<&&SplitRow> = rows.iter().filter(|row| row.class == classes[0]).collect();
    if first.is_empty() {
        return None;
    }
    let mut fields = vec![Field::names("Player", first.iter().map(|row| printable(&row.player)).collect())];
    for class in &classes {
        let of_class: Vec<&&SplitRow> = rows.iter().filter(|row| &row.class == class).collect();
        let moves = of_class.iter().map(|row| row.moves.to_string()).collect();
        let scores = of_class.iter().map(|row| with_margin(row.expected_score, 3)).collect();
        fields.push(Field::number("\nMoves", moves).dropped(1));
        fields.push(Field::number(class.replacen(" (", "\n(", 1), scores));
    }
    let title = match split {
        Split::Phase => "Expected score by phase of the game",
        Split::Color => "Expected score by colour",
        Split::Evaluation => "Expected score by evaluation before the move, in centipawns",
    };
    let rule = match split {
        Split::Phase => Some(PHASES.to_owned()),
        Split::Color | Split::Evaluation => None,
    };
    Some(
        Layout { title, columns: fields, notes: rule.into_iter().chain(counted(method)).collect() }
            .shown(screen),
    )
}

const PHASES: &str = "Opening: before move 12 (Guid and Bratko 2006). Endgame: each side has at most 13 points of \
    material beside its king (Speelman 1981).";

/// The choices in force that touch these measures: metric, ties and the engine's histogram do not.
fn counted_moves(method: &Method) -> Vec<String> {
    filters(method).into_iter().chain(clip(method)).collect()
}

pub fn with_margin(estimate: Option<Estimate>, decimals: usize) -> String {
    let Some(estimate) = estimate else { return MISSING.to_owned() };
    let value = rounded(estimate.value, decimals);
    match estimate.interval {
        Some(interval) if is_around(interval, estimate.value) => {
            format!("{value} ± {}", rounded(interval.half_width(), decimals))
        }
        Some(interval) => {
            format!("{value} ({} to {})", rounded(interval.low, decimals), rounded(interval.high, decimals))
        }
        None => value,
    }
}

/// Whether `value` is in the middle of its interval: one that has been cut at 0 or 1 has no margin.
fn is_around(interval: Interval, value: f64) -> bool {
    (interval.high + interval.low - 2.0 * value).abs() <= 1e-6 * interval.half_width()
}

pub fn header(statistic: Statistic) -> &'static str {
    match statistic {
        Statistic::ExpectedScore => "Expected\nscore",
        Statistic::ScoreKept => "Score\nkept",
        Statistic::MeanGain => "Mean\ngain",
        Statistic::CentipawnLoss => "Centipawn\nloss",
        Statistic::WinLoss => "Loss of\nwin %",
        Statistic::WdlLoss => "Loss by\nWDL, %",
        Statistic::FirstChoice => "First\nchoice %",
        Statistic::Accuracy => "Accuracy\n%",
    }
}

pub fn decimals(statistic: Statistic) -> usize {
    match statistic {
        Statistic::ExpectedScore | Statistic::ScoreKept => 3,
        Statistic::WinLoss | Statistic::WdlLoss => 2,
        _ => 1,
    }
}

fn dropped(statistic: Statistic) -> u8 {
    match statistic {
        Statistic::MeanGain | Statistic::WdlLoss => 3,
        Statistic::FirstChoice => 2,
        Statistic::WinLoss => 1,
        _ => 0,
    }
}
