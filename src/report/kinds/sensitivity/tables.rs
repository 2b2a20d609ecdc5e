//! The tables of a sensitivity study, and of the agreement between two runs and their engines.

use crate::base::text::{counted as count_of, printable, rounded};
use crate::measure::{
    BlunderAgreement, Decimals, JudgeAgreement, JudgedNumber, Method, NumberAgreement, Repeatability,
    Sensitivity, SensitivityRow, Spread, Unit, tournament::judges::HIT_PERCENT,
};
use crate::numbers::Estimate;
use crate::report::table::{ColumnPart, EndColumns, Rows, Screen, Table, head, layout::note};
use crate::report::tables::{columns::FILTER, columns::INTERVAL};
use crate::report::words::{
    method::counted, numbers::MISSING, numbers::listed, numbers::number, tournament::UNRATED,
};

/// With fewer players than this, a single player may reverse a correlation.
const FEW: usize = 30;

pub fn sensitivity(found: &Sensitivity, screen: Screen) -> String {
    let mut parts = vec![choices(found, screen)];
    parts.extend(measures(found, screen));
    if found.lacks_engine_strength() {
        let missing = format!("The strength of the engine is missing: {UNRATED}.");
        parts.push(note(&missing, screen) + "\n");
    }
    parts.join("\n")
}

fn choices(found: &Sensitivity, screen: Screen) -> String {
    let rows: Vec<&SensitivityRow> = found.choices().collect();
    let notes = [vec![CHOICES.to_owned()], counted(&found.base.method), left_out(found)].concat();
    let title = "Expected scores against the engine under other choices of method";
    choice_table(&found.players, &rows).layout(title, notes).shown(screen)
}

pub fn choice_file(found: &Sensitivity) -> Table {
    choice_table(&found.players, &found.choices().chain(&found.statistics).collect::<Vec<_>>())
}

pub(in crate::report) fn choice_table(players: &[String], rows: &[&SensitivityRow]) -> Table {
    let names =
        |places: &[usize]| places.iter().map(|&place| players[place].as_str()).collect::<Vec<_>>().join("; ");
    let table = Table::of(
        "sensitivity",
        "One row per choice of method, the baseline first. Then one row for the \
        score kept and one for each known measure, computed with the baseline's choices.",
        rows,
    )
    .column("statistic", "The statistic; its name ends with its unit.", |row| row.statistic.name())
    .column("choice", "Difference from the baseline; empty for the baseline.", |row| &row.choice)
    .display("Choice", |row| name(&row.choice))
    .column("players", "", |row| row.spread.map_or(0, |spread| spread.players))
    .means("Number of players with a value; the next columns are over these players.")
    .column("moves", "Counted moves.", |row| Some(row.scored?.moves))
    .said(head("Moves").gives_way(3), |row| row.scored.map_or(0, |scored| scored.moves).to_string())
    .number("mean", Unit::Row.with(Decimals::Of(6, 4)), "", |row| Some(row.spread?.mean))
    .means("Mean over the players, with equal weights.")
    .heading(head("Mean\nscore").decimals(3))
    .number("lowest", Unit::Row.with(Decimals::Of(6, 4)), "The lowest value.", |row| Some(row.spread?.lowest))
    .said(head("Lowest,\nhighest").gives_way(3), |row| range(row))
    .number("highest", Unit::Row.with(Decimals::Of(6, 4)), "", |row| Some(row.spread?.highest))
    .means("The highest value.")
    .number("largest_change", Unit::Row.with(Decimals::Of(6, 4)), "", |row| Some(row.largest_change?.1))
    .means("Largest change of a player's value from the baseline.")
    .said(head("Largest\nchange").gives_way(2), |row| changed(row, row.largest_change.map(|(_, by)| by), 3))
    .column("changed_player", "The player with this change.", |row| Some(names(&[row.largest_change?.0])))
    .spearman(|row| row.agreement.spearman)
    .said("ρ", |row| compared(row, row.agreement.spearman))
    .kendall(|row| row.agreement.kendall)
    .said(head("τ").gives_way(5), |row| compared(row, row.agreement.kendall))
    .column("first", "", |row| (!row.first.is_empty()).then(|| names(&row.first)))
    .means("The first player; tied players are separated by semicolons.")
    .display(ColumnPart::Names.under("First").gives_way(2), |row| first(players, row))
    .number_in("engine_strength", Unit::Elo, EndColumns::WithoutError, "", |row| row.scored?.engine)
    .means("Strength of the engine.");
    engine_columns(table, rows)
        .column(
            "without_gain",
            "Moves without a gain in the metric of this choice, because win, draw and loss chances are unknown.",
            |row| Some(row.scored?.without_gain),
        )
        .column("filter", FILTER, |row| row.method.filter.names().join("; "))
        .table()
}

fn engine_columns<'a>(
    table: Rows<'a, &'a SensitivityRow>,
    rows: &[&SensitivityRow],
) -> Rows<'a, &'a SensitivityRow> {
    let rated = rows.iter().any(|row| row.scored.is_some_and(|scored| scored.engine.is_some()));
    let change = |row: &SensitivityRow| row.scored.and_then(|scored| scored.engine_change);
    let meaning = "Change of the engine's strength from the baseline.";
    if !rated {
        return table.number("engine_strength_change", Unit::Elo, meaning, |row| change(row));
    }
    table
        .said(head("Engine\nstrength").gives_way(1), |row| strength(row))
        .number("engine_strength_change", Unit::Elo, meaning, |row| change(row))
        .said(head("\nChange").gives_way(1), |row| changed(row, change(row), 1))
}

pub fn player_choices(found: Option<&Sensitivity>) -> Table {
    let mut rows: Vec<(&SensitivityRow, &str, [Option<f64>; 2])> = Vec::new();
    for (found, row) in found.into_iter().flat_map(|found| found.choices().map(move |row| (found, row))) {
        let values = found.players.iter().zip(&row.values).zip(&found.base.values);
        rows.extend(values.map(|((player, &score), &base)| (row, player.as_str(), [score, base])));
    }
    Table::of("sensitivity-players", "One row per choice of method and player.", &rows)
        .column("choice", "Difference from the baseline; empty for the baseline.", |one| &one.0.choice)
        .column("player", "The player.", |one| one.1)
        .expected_score(EndColumns::Named, |one| one.2[0])
        .number("expected_score_change", Unit::ScoreDifference, "", |one| Some(one.2[0]? - one.2[1]?))
        .means("Change of the score from the baseline.")
        .column("filter", FILTER, |one| one.0.method.filter.names().join("; "))
        .table()
}

const CHOICES: &str = "Each row changes one choice of the baseline, by the option of the same name. Bins and ties are \
    in centipawns; with the metrics win and wdl, in hundredths of a percentage point. Mean score: mean over the \
    players, with equal weights. Largest change: the change of the player whose expected score changes most. ρ \
    (Spearman) and τ (Kendall's τ-b): agreement between this order of players and the order of the baseline; 1 means \
    the same order.";

fn left_out(found: &Sensitivity) -> Vec<String> {
    let players = found.players.len();
    let unknown = |row: &SensitivityRow| row.scored.map_or(0, |scored| scored.without_gain);
    let has_engine = |row: &SensitivityRow| row.scored.is_some_and(|scored| scored.engine.is_some());
    let without_wdl = found.choices().filter(|row| unknown(row) > 0);
    let without_wdl =
        without_wdl.map(|row| format!("{} ({})", name(&row.choice), count_of(unknown(row), "move")));
    let without = found.choices().filter(|row| unknown(row) == 0).filter_map(|row| {
        let left = players - row.spread.map_or(0, |spread| spread.players);
        (left > 0).then(|| format!("{} ({left} of {players})", name(&row.choice)))
    });
    let unrated = found.choices().filter(|row| row.spread.is_some() && !has_engine(row));
    let unrated = unrated.filter(|_| has_engine(&found.base)).map(|row| name(&row.choice).to_owned());
    [
        listed("Players without a counted move: ", without, "; "),
        listed(
            "Not counted, because the evaluations have no win, draw and loss chances: ",
            without_wdl,
            "; ",
        ),
        listed("Choices for which no player with a counted move has an Elo: ", unrated, "; "),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn measures(found: &Sensitivity, screen: Screen) -> Option<String> {
    let (known, unknown): (Vec<&SensitivityRow>, Vec<&SensitivityRow>) =
        found.statistics.iter().partition(|row| row.spread.is_some());
    if known.is_empty() {
        return None;
    }
    let range = |row: &SensitivityRow, of: fn(Spread) -> f64| {
        number(row.spread.map(of), row.statistic.facts().decimals())
    };
    let filters = found.base.method.filter.names();
    let notes = [
        Some(MEASURES.to_owned()),
        listed("Unknown from these evaluations: ", unknown.iter().map(|row| row.statistic.words()), "; "),
        (!filters.is_empty()).then(|| format!("Filters: {}.", filters.join("; "))),
    ];
    let table = Table::shown(&known)
        .display("Measure", |row| row.statistic.words())
        .display_text("Mean", |row| range(row, |spread| spread.mean))
        .display_text(head("Lowest").gives_way(2), |row| range(row, |spread| spread.lowest))
        .display_text(head("Highest").gives_way(2), |row| range(row, |spread| spread.highest))
        .spearman(|row| row.agreement.spearman)
        .heading(head("ρ").decimals(2))
        .kendall(|row| row.agreement.kendall)
        .heading(head("τ").decimals(2).gives_way(4))
        .display(ColumnPart::Names.under("First").gives_way(1), |row| first(&found.players, row));
    let title = "Score kept and other measures: agreement with the order by expected score (baseline)";
    Some(table.layout(title, notes.into_iter().flatten().collect()).shown(screen))
}

const MEASURES: &str =
    "ρ and τ: agreement between the order of players by this measure and the order by expected score.";

/// Returns the agreement between two runs. `held` is a note on the games of the other run.
pub fn repeatability(rows: &[Repeatability], held: &str, screen: Screen) -> String {
    let in_full = |row: &&Repeatability| match row.choice.as_str() {
        "" => row.statistic.words(),
        choice => format!("{}, {choice}", row.statistic.words()),
    };
    let (known, unknown): (Vec<&Repeatability>, Vec<&Repeatability>) =
        rows.iter().partition(|row| row.players > 0);
    let method = rows.first().map_or(Vec::new(), |row| counted(&row.method));
    let notes = [
        Some(held.to_owned()),
        known.iter().map(|row| row.players).max().map(few),
        listed("Unknown in at least one run: ", unknown.iter().map(in_full), "; "),
    ];
    let notes = notes.into_iter().flatten().chain(method).collect();
    repeatability_table(rows, 0)
        .layout("Repeatability: the players' numbers in two runs", notes)
        .shown(screen)
}

pub fn repeatability_table(rows: &[Repeatability], games: usize) -> Table {
    // The expected scores are one group. The first row of this group is the baseline. Each other row is named
    // by its difference from the baseline, with a dot in front.
    let called = |row: &Repeatability| match row.choice.as_str() {
        "" => row.statistic.words(),
        choice => format!("· {choice}"),
    };
    let differences = |row: &Repeatability| number(row.mean_difference, row.statistic.facts().decimals() + 1);
    Table::of(
        "repeatability",
        "One row per statistic of the players in two runs; written with `--against`.",
        rows,
    )
    .column("statistic", "The statistic; its name ends with its unit.", |row| row.statistic.name())
    .display("Statistic", called)
    .column("choice", "Difference from the baseline; empty for the baseline.", |row| &row.choice)
    .column("games", "Number of games in both runs.", |_| games)
    .column("players", "Number of players with a value in both runs.", |row| row.players)
    .heading(head("Players").gives_way(2))
    .number_in("pearson", Unit::Correlation, EndColumns::WithoutError, "", |row| row.pearson)
    .means("Pearson's correlation of the two runs' numbers.")
    .heading(ColumnPart::Value.under("Pearson's\nr").decimals(2))
    .heading(ColumnPart::Range.under(INTERVAL).decimals(2).gives_way(1))
    .spearman(|row| row.spearman)
    .heading(head("Spearman's\nρ").decimals(2).gives_way(1))
    .number("mean_difference", Unit::Row.with(Decimals::Of(6, 4)), "", |row| row.mean_difference)
    .means("Absolute difference between the two numbers, mean over the players.")
    .said(head("Mean\n|difference|").gives_way(3), differences)
    .column("filter", FILTER, |row| row.method.filter.names().join("; "))
    .table()
}

fn few(players: usize) -> String {
    match players {
        0..4 => format!("{}: an interval of r needs at least four.", count_of(players as u64, "player")),
        4..FEW => {
            format!("{players} players are few for a correlation: see the intervals of r (Fisher's z).")
        }
        _ => "The intervals of r are computed by Fisher's z.".to_owned(),
    }
}

fn name(choice: &str) -> &str {
    if choice.is_empty() { "baseline" } else { choice }
}

/// Returns the text of a cell that compares a choice with the baseline; empty in the baseline's own row.
fn compared(row: &SensitivityRow, value: Option<f64>) -> String {
    if row.choice.is_empty() { String::new() } else { number(value, 2) }
}

fn changed(row: &SensitivityRow, value: Option<f64>, decimals: usize) -> String {
    match value {
        _ if row.choice.is_empty() => String::new(),
        Some(value) => {
            let text = rounded(value, decimals);
            if value > 0.0 { format!("+{text}") } else { text }
        }
        None => MISSING.to_owned(),
    }
}

fn strength(row: &SensitivityRow) -> String {
    let Some(engine) = row.scored.and_then(|scored| scored.engine) else { return MISSING.to_owned() };
    match engine.interval {
        Some(interval) => format!("{:.0} ± {:.0}", engine.value, interval.half_width()),
        None => format!("{:.0}", engine.value),
    }
}

fn range(row: &SensitivityRow) -> String {
    row.spread.map_or(MISSING.to_owned(), |Spread { lowest, highest, .. }| {
        format!("{}–{}", rounded(lowest, 3), rounded(highest, 3))
    })
}

fn first(players: &[String], row: &SensitivityRow) -> String {
    match row.first.as_slice() {
        [] => MISSING.to_owned(),
        [place] => printable(&players[*place]),
        several => format!("{} players", several.len()),
    }
}

pub fn judges(agreement: &JudgeAgreement, method: &Method, screen: Screen) -> String {
    let numbers = judge_table(&agreement.numbers, method).layout(
        "Agreement of the engines on positions, moves and games (each game counts once per player)",
        notes(NUMBERS, method),
    );
    let blunders = blunder_table(&agreement.blunders, method).layout(
        "Blunders by this engine and by the other engine",
        notes(
            &format!(
                "Recall: share of the other engine's blunders for which this engine sees a loss of at least {HIT_PERCENT} % of \
                 the bound in the first column. Precision: the same share with the engines exchanged. Wilson's 95 % intervals."
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
    lowers the evaluation. Loss per player and game: the mean loss of the player's moves in a game. Positions and \
    moves of one game depend on each other, so only the rows by game have independent observations.";

pub fn judge_table(rows: &[NumberAgreement], method: &Method) -> Table {
    let mean = |row: &NumberAgreement, judge: usize| row.means.map(|means| means[judge]);
    Table::of("judges", "One row per quantity evaluated by both engines; written with `--against`.", rows)
        .column("number", "The quantity; its name ends with its unit.", |row| row.number.name())
        .display("Number", |row| title(row.number))
        .column("observations", "", |row| row.observations)
        .means("Number of positions, moves or games that both engines evaluated. A game counts once for each player.")
        .heading("Of")
        .number("pearson", Unit::Correlation, "", |row| row.pearson)
        .means("Pearson's correlation of the two engines' numbers.")
        .heading("Pearson's\nr")
        .spearman(|row| row.spearman)
        .heading("Spearman's\nρ")
        .number("mean", Unit::Row, "Mean by this run's engine.", |row| mean(row, 0))
        .heading(head("Mean\nhere").gives_way(1))
        .number("mean_other", Unit::Row, "Mean by the other run's engine.", |row| mean(row, 1))
        .heading(head("Mean\nthere").gives_way(1))
        .filter(method)
        .table()
}

fn title(number: JudgedNumber) -> &'static str {
    match number {
        JudgedNumber::Evaluation => "Evaluation of a position, cp",
        JudgedNumber::WinProbability => "Chance of winning, %",
        JudgedNumber::MoveLoss => "Loss of a move, cp",
        JudgedNumber::GameLoss => "Loss per player and game, cp",
        JudgedNumber::GameWinLoss => "· of winning chances, %",
    }
}

pub fn blunder_table(rows: &[BlunderAgreement], method: &Method) -> Table {
    let found = Table::of(
        "blunders",
        "One row per smallest loss that counts as a blunder; written with `--against`.",
        rows,
    )
    .column("loss", "Smallest loss of a blunder, in centipawns.", |row| row.loss)
    .said("Loss from", |row| format!("{} cp", row.loss))
    .column("blunders", "Blunders by this run's engine.", |row| row.found[0])
    .heading("Blunders\nhere")
    .column("blunders_other", "Blunders by the other run's engine.", |row| row.found[1])
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
    "Share of the other engine's blunders for which this engine sees a loss of at least 70 % of `loss`.";

const PRECISION: &str =
    "Share of this engine's blunders for which the other engine sees a loss of at least 70 % of `loss`.";
