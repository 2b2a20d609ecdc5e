//! The tables of the known measures, of the score kept, and of moves split by phase, color or evaluation.

use super::columns::{FILTER, INTERVAL};
use crate::measure::{
    Analysis, Decimals, KeptRow, Method, PlayerSelection, ScoreKept, Split, SplitRow, Statistic,
    StatisticFacts, StatisticRow, Unit,
};
use crate::numbers::Welch;
use crate::report::table::{ColumnPart, EndColumns, Screen, Table, head};
use crate::report::words::method::{counted, counted_moves, curve};
use crate::report::words::numbers::p_equals;
use crate::report::words::tournament::{TOO_FEW, equal};

pub const SCORE_KEPT: &str = "score-kept";

pub fn score_kept_table(kept: &ScoreKept, method: &Method, selection: &PlayerSelection) -> Table {
    let rows: Vec<&KeptRow> = kept.rows.iter().filter(|row| selection.has(&row.player)).collect();
    Table::of(SCORE_KEPT, "One row per player with moves, best first; written with `--also paper`.", &rows)
        .column("kept_rank", "Rank by the score kept; tied players share the better rank.", |row| row.rank)
        .heading(head("").gives_way(5))
        .column("player", "Name in the games.", |row| &row.player)
        .heading(ColumnPart::Names.under("Player"))
        .column("games", "Games with a counted move.", |row| row.score.observations)
        .score_kept(|row| row.score)
        .heading(ColumnPart::Value.under("Score\nkept"))
        .heading(ColumnPart::Range.under(INTERVAL).decimals(3).gives_way(1))
        .number("kept_difference", Unit::Elo, "", |row| row.elo_difference)
        .means("Elo difference equivalent to the score kept.")
        .heading(ColumnPart::Value.under("Elo\ndifference"))
        .heading(ColumnPart::Range.under(INTERVAL).decimals(0).gives_way(2))
        .number("kept_performance", Unit::Elo, "", |row| row.performance)
        .means("The player's `kept_difference` plus the mean of Elo − `kept_difference` over the players.")
        .heading(ColumnPart::Value.under("Performance"))
        .heading(ColumnPart::Range.under(INTERVAL).decimals(0).gives_way(3))
        .filter(method)
        .table()
}

pub fn score_kept(kept: &ScoreKept, method: &Method, screen: Screen) -> Option<String> {
    if kept.rows.is_empty() {
        return None;
    }
    let notes = [Some(KEPT.to_owned()), kept.homogeneity.map(|test| equal("score kept", test))];
    let notes = notes.into_iter().flatten().chain(counted_moves(method)).chain(curve(method)).collect();
    let title =
        "Score kept: the part of an even game that a player's moves keep against an opponent without errors";
    Some(score_kept_table(kept, method, &PlayerSelection::All).layout(title, notes).shown(screen))
}

const KEPT: &str = "Of all variants of the paper's score, the score kept changes least in another run of the engine \
    (docs/method.md). Longer games lower it, so it does not determine ranks.";

/// Returns the table `statistics`. For accuracy, which is of whole games, `filter` has only filters of games.
pub fn statistics_table(rows: &[StatisticRow], method: &Method, selection: &PlayerSelection) -> Table {
    let rows: Vec<&StatisticRow> = rows.iter().filter(|row| selection.has(&row.player)).collect();
    let of_moves = method.filter.names().join("; ");
    let of_games = method.filter.of_games().names().join("; ");
    Table::of("statistics", "One row per player and measure.", &rows)
        .column("player", "Name in the games.", |row| &row.player)
        .column("statistic", "The measure; its name ends with its unit.", |row| row.statistic.name())
        .number_in("value", Unit::Row, EndColumns::Plain(Decimals::Of(4, 2)), "", |row| row.estimate)
        .means("The value; empty if the evaluations lack the data for it.")
        .column("observations", "", |row| row.estimate.map(|estimate| estimate.observations))
        .means("Number of moves, or of games for the score kept and for accuracy.")
        .column("filter", FILTER, |row| match row.statistic {
            Statistic::Accuracy => of_games.clone(),
            _ => of_moves.clone(),
        })
        .table()
}

pub fn statistics(analysis: &Analysis, screen: Screen) -> Option<String> {
    let (rows, method) = (&analysis.statistics, &analysis.tournament.method);
    let of = |wanted: Statistic| rows.iter().filter(|row| row.statistic == wanted).collect::<Vec<_>>();
    let names: Vec<(usize, &str)> =
        (0..).zip(of(Statistic::MeanGain).iter().map(|row| row.player.as_str())).collect();
    if names.is_empty() {
        return None;
    }
    let mut table = Table::shown(&names).display(ColumnPart::Names.under("Player"), |&(_, name)| name);
    for statistic in Statistic::KNOWN {
        let found = of(statistic);
        if found.iter().any(|row| row.estimate.is_some()) {
            let StatisticFacts { heading, quantity, gives_way, .. } = *statistic.facts();
            table = table.display_number(head(heading).gives_way(gives_way), quantity, |&(place, _)| {
                found[place].estimate
            });
        }
    }
    let title = "Known measures of play, with 95 % margins by game";
    let notes = [vec![MEASURES.to_owned()], tests(analysis), counted_moves(method)].concat();
    Some(table.layout(title, notes).shown(screen))
}

fn tests(analysis: &Analysis) -> Vec<String> {
    let test = |(statistic, test): &(Statistic, Welch)| format!("{} {}", statistic.words(), p_equals(test.p));
    let tests: Vec<String> = analysis.homogeneity.iter().map(test).collect();
    if tests.is_empty() {
        return Vec::new();
    }
    let left_out = match analysis.homogeneity.iter().map(|(_, test)| test.left_out).max().unwrap_or_default()
    {
        0 => String::new(),
        _ => format!(" Players {TOO_FEW} are left out."),
    };
    vec![format!(
        "Welch's tests of the hypothesis that all players are equal: {}.{left_out}",
        tests.join("; ")
    )]
}

const MEASURES: &str = "Mean gain and centipawn loss are in centipawns. Losses of winning chances are in percentage \
    points: \"Loss of win %\" by lichess's curve, \"Loss by WDL\" by the engine's own chances of a win, draw and loss. \
    Accuracy is computed as on lichess, over all moves of a game.";

pub const SPLITS: &str = "splits";

pub fn splits_table(rows: &[SplitRow], method: &Method, selection: &PlayerSelection) -> Table {
    let rows: Vec<&SplitRow> = rows.iter().filter(|row| selection.has(&row.player)).collect();
    Table::of(SPLITS, "One row per player and class of moves; written with `--split`.", &rows)
        .column("split", "Division of the moves: `phase`, `color` or `eval`.", |row| row.split.name())
        .column("class", "The class of moves.", |row| &row.class)
        .column("player", "Name in the games.", |row| &row.player)
        .column("moves", "Counted moves of the class.", |row| row.moves)
        .expected_score(EndColumns::Named, |row| row.expected_score)
        .elo_difference(EndColumns::Named, |row| row.elo_difference)
        .filter(method)
        .table()
}

pub fn splits(rows: &[SplitRow], method: &Method, screen: Screen) -> Option<String> {
    let tables = Split::ALL.into_iter().filter_map(|split| split_table(rows, method, split, screen));
    let tables: Vec<String> = tables.collect();
    (!tables.is_empty()).then(|| tables.join("\n"))
}

fn split_table(rows: &[SplitRow], method: &Method, split: Split, screen: Screen) -> Option<String> {
    let rows: Vec<&SplitRow> = rows.iter().filter(|row| row.split == split).collect();
    let of = |class: &str| rows.iter().filter(|row| row.class == class).collect::<Vec<_>>();
    let classes = split.classes();
    let names: Vec<(usize, &str)> =
        (0..).zip(of(&classes[0]).iter().map(|row| row.player.as_str())).collect();
    if names.is_empty() {
        return None;
    }
    let mut table = Table::shown(&names).display(ColumnPart::Names.under("Player"), |&(_, name)| name);
    for class in &classes {
        let found = of(class);
        table = table.display(head("\nMoves").gives_way(1), |&(place, _)| found[place].moves).display_number(
            head(class.replacen(" (", "\n(", 1)).decimals(3),
            Unit::Score,
            |&(place, _)| found[place].expected_score,
        );
    }
    let title = match split {
        Split::Phase => "Expected score by phase of the game",
        Split::Color => "Expected score by color",
        Split::Evaluation => "Expected score by evaluation before the move, in centipawns",
    };
    let rule = (split == Split::Phase).then(|| PHASES.to_owned());
    Some(table.layout(title, rule.into_iter().chain(counted(method)).collect()).shown(screen))
}

const PHASES: &str = "Opening: before move 12 (Guid and Bratko 2006). Endgame: each side has at most 13 points of \
    material besides the king (Speelman 1981).";
