//! The tables of agreement between two judges of the same games.

use crate::measure::{
    BlunderAgreement, JudgeAgreement, JudgedNumber, Method, NumberAgreement, Unit,
    tournament::judges::HIT_PERCENT,
};
use crate::numbers::Estimate;
use crate::report::table::{ColumnPart, EndColumns, Screen, Table, head};
use crate::report::words::method::counted;

pub fn judges(agreement: &JudgeAgreement, method: &Method, screen: Screen) -> String {
    let numbers = judge_table(&agreement.numbers, method)
        .layout("Agreement of the judges on positions, moves and sides of games", notes(NUMBERS, method));
    let blunders = blunder_table(&agreement.blunders, method).layout(
        "Blunders by this judge and by the other judge",
        notes(
            &format!(
                "Recall: share of the other judge's blunders for which this judge sees a loss of at least {HIT_PERCENT} % of \
                 the bound in the first column. Precision: the same with the judges exchanged. Wilson's 95 % intervals."
            ),
            method,
        ),
    );
    [numbers.shown(screen), blunders.shown(screen)].join("\n")
}

fn notes(text: &str, method: &Method) -> Vec<String> {
    std::iter::once(text.to_owned()).chain(counted(method)).collect()
}

const NUMBERS: &str = "Positions: the positions before the counted moves. Loss of a move: the amount by which the move \
    lowers the evaluation. Loss of a side of a game: the mean loss of the side's moves. The positions and moves of one \
    game depend on each other, so only sides of games can be treated as independent.";

pub fn judge_table(rows: &[NumberAgreement], method: &Method) -> Table {
    let mean = |row: &NumberAgreement, judge: usize| row.means.map(|means| means[judge]);
    Table::of("judges", "One row per quantity evaluated by both judges; written with `--against`.", rows)
        .column("number", "The quantity; its name ends with its unit.", |row| row.number.name())
        .display("Number", |row| title(row.number))
        .column("observations", "Number of positions, moves or sides of games evaluated by both.", |row| {
            row.observations
        })
        .heading("Of")
        .number("pearson", Unit::Correlation, "Pearson's correlation of the two judges' numbers.", |row| {
            row.pearson
        })
        .heading("Pearson's\nr")
        .spearman(|row| row.spearman)
        .heading("Spearman's\nρ")
        .number("mean", Unit::Row, "Mean by this run's judge.", |row| mean(row, 0))
        .heading(head("Mean\nhere").gives_way(1))
        .number("mean_other", Unit::Row, "Mean by the other run's judge.", |row| mean(row, 1))
        .heading(head("Mean\nthere").gives_way(1))
        .filter(method)
        .table()
}

fn title(number: JudgedNumber) -> &'static str {
    match number {
        JudgedNumber::Evaluation => "Evaluation of a position, cp",
        JudgedNumber::WinProbability => "Chance of winning, %",
        JudgedNumber::MoveLoss => "Loss of a move, cp",
        JudgedNumber::GameLoss => "Loss of a side of a game, cp",
        JudgedNumber::GameWinLoss => "· of winning chances, %",
    }
}

pub fn blunder_table(rows: &[BlunderAgreement], method: &Method) -> Table {
    let found = Table::of(
        "blunders",
        "One row per bound from which a loss is a blunder; written with `--against`.",
        rows,
    )
    .column("loss", "Smallest loss of a blunder, in centipawns.", |row| row.loss)
    .said("Loss from", |row| format!("{} cp", row.loss))
    .column("blunders", "Blunders by this run's judge.", |row| row.found[0])
    .heading("Blunders\nhere")
    .column("blunders_other", "Blunders by the other run's judge.", |row| row.found[1])
    .heading("\nthere");
    let shares: [(_, _, _, ShareOf); 2] = [
        ("recall", "Recall", RECALL, |row| row.recall),
        ("precision", "Precision", PRECISION, |row| row.precision),
    ];
    let with_shares = shares.into_iter().fold(found, |rows, (key, heading, meaning, share)| {
        rows.number_in(key, Unit::Share, EndColumns::WithoutError, meaning, share)
            .heading(ColumnPart::Value.under(heading).decimals(2))
            .heading(ColumnPart::Range.under("95 %").decimals(2).gives_way(1))
    });
    with_shares.filter(method).table()
}

type ShareOf = fn(&BlunderAgreement) -> Option<Estimate>;

const RECALL: &str =
    "Share of the other judge's blunders for which this judge sees a loss of at least 70 % of `loss`.";

const PRECISION: &str =
    "Share of this judge's blunders for which the other judge sees a loss of at least 70 % of `loss`.";
