//! Owns the tables of the known measures, and of splits.

use super::columns::{FILTER, INTERVAL};
use crate::{
    app::players::PlayerSelection,
    report::{
        table::{
            EndColumns, Quantity, Screen, Table,
            layout::{Field, Layout},
        },
        words::{
            method::{counted, counted_moves, curve},
            numbers::{p_equals, with_margin},
            tournament::{TOO_FEW, equal},
        },
    },
    stats::heterogeneity::Welch,
    text::printable,
    tournament::{
        Analysis, Method,
        filter::Split,
        kept::{KeptRow, ScoreKept},
        splits::SplitRow,
        statistics::{Statistic, StatisticRow},
    },
};

/// The file of the score kept: one row a player, best first.
pub fn score_kept_table(kept: &ScoreKept, method: &Method, selection: &PlayerSelection) -> Table {
    let rows: Vec<&KeptRow> = kept.rows.iter().filter(|row| selection.has(&row.player)).collect();
    Table::of("score-kept", &rows)
        .count("rank", "Place among all players; equals share the better one.", |row| row.rank)
        .shown("")
        .gives_way(5)
        .text("player", "Name as the games have it.", |row| &row.player)
        .names("Player")
        .count("games", "Games with a move that counts.", |row| row.score.observations)
        .score_kept(|row| row.score)
        .value("Score\nkept")
        .range(INTERVAL)
        .decimals(3)
        .gives_way(1)
        .elo_difference(|row| row.elo_difference)
        .value("Elo\ndifference")
        .range(INTERVAL)
        .decimals(0)
        .gives_way(2)
        .estimate("performance", Quantity::Elo, "Strength of the engine + the difference.", |row| {
            row.performance
        })
        .value("Performance")
        .range(INTERVAL)
        .decimals(0)
        .gives_way(3)
        .filter(method)
        .table()
}

/// The ranking by the score kept; `None` without players.
pub fn score_kept(kept: &ScoreKept, method: &Method, screen: Screen) -> Option<String> {
    if kept.rows.is_empty() {
        return None;
    }
    let notes = [Some(KEPT.to_owned()), kept.homogeneity.map(|test| equal("score kept", test))];
    let notes = notes.into_iter().flatten().chain(counted_moves(method)).chain(curve(method)).collect();
    let title = "Score kept: what a player's moves leave of an even game against one who never errs";
    Some(score_kept_table(kept, method, &PlayerSelection::All).layout(title, notes).shown(screen))
}

const KEPT: &str = "The form of the paper's number that another run of the engine repeats best (docs/method.md). It \
    is close to the results of the games, and its level, not its order, depends on the depth.";

/// The file of the known measures: one row a player and measure. Accuracy is of whole games, so that only filters of
/// games stand there.
pub fn statistics_table(rows: &[StatisticRow], method: &Method, selection: &PlayerSelection) -> Table {
    let rows: Vec<&StatisticRow> = rows.iter().filter(|row| selection.has(&row.player)).collect();
    let of_moves = method.filter.names().join("; ");
    let of_games = method.filter.of_games().names().join("; ");
    Table::of("statistics", &rows)
        .text("player", "Name as the games have it.", |row| &row.player)
        .text("statistic", "What was measured; its name ends with its unit.", |row| row.statistic.name())
        .estimate_in(
            "value",
            Quantity::Measure,
            EndColumns::Plain(Quantity::Measure),
            "The number; empty where it cannot be had from these evaluations.",
            |row| row.estimate,
        )
        .count("observations", "Moves behind it; games of the score kept and of accuracy.", |row| {
            row.estimate.map(|estimate| estimate.observations)
        })
        .text("filter", FILTER, |row| match row.statistic {
            Statistic::Accuracy => of_games.clone(),
            _ => of_moves.clone(),
        })
        .table()
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

/// The file of splits: one row a player and class of moves.
pub fn splits_table(rows: &[SplitRow], method: &Method, selection: &PlayerSelection) -> Table {
    let rows: Vec<&SplitRow> = rows.iter().filter(|row| selection.has(&row.player)).collect();
    Table::of("splits", &rows)
        .text("split", "How the moves are divided: `phase`, `color` or `eval`.", |row| row.split.name())
        .text("class", "The class of moves.", |row| &row.class)
        .text("player", "Name as the games have it.", |row| &row.player)
        .count("moves", "Moves of the class that count.", |row| row.moves)
        .expected_score(|row| row.expected_score)
        .elo_difference(|row| row.elo_difference)
        .filter(method)
        .table()
}

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
