//! Owns the tables of how the numbers move with the choices of method, and between two runs.

use super::{
    MISSING,
    ferreira::counted,
    layout::{Field, Layout, note},
    measures::{decimals, header},
    screen::Screen,
};
use crate::{
    text::{counted as count_of, printable, rounded},
    tournament::{
        repeatability::Repeatability,
        sensitivity::{Sensitivity, SensitivityRow, Spread},
        statistics::Statistic,
    },
};

/// Fewer players than this make a correlation that one of them may turn.
const FEW: usize = 30;

/// The expected scores under each choice of method, and the known measures beside them, at most
/// as wide as `screen` where that can be.
pub fn sensitivity(found: &Sensitivity, screen: Screen) -> String {
    let mut parts = vec![choices(found, screen)];
    parts.extend(measures(found, screen));
    if found.base.scored.is_some_and(|scored| scored.engine.is_none()) {
        parts.push(note(UNRATED, screen) + "\n");
    }
    parts.join("\n")
}

const UNRATED: &str = "The strength of the engine is missing: no player with a move has an Elo, neither by a tag of the \
    games nor by an option. Give one with --elo \"Name=2700\".";

fn choices(found: &Sensitivity, screen: Screen) -> String {
    let rows: Vec<&SensitivityRow> = std::iter::once(&found.base).chain(&found.variants).collect();
    let each =
        |cell: &dyn Fn(&SensitivityRow) -> String| rows.iter().map(|row| cell(row)).collect::<Vec<_>>();
    let rated = rows.iter().any(|row| row.scored.is_some_and(|scored| scored.engine.is_some()));
    let mut fields = vec![
        Field::text("Choice", each(&|row| name(&row.choice).to_owned())),
        Field::number("Moves", each(&|row| row.scored.map_or(0, |scored| scored.moves).to_string()))
            .dropped(3),
        Field::number("Mean\nscore", each(&|row| number(row.spread.map(|spread| spread.mean), 3))),
        Field::number("Lowest,\nhighest", each(&range)).dropped(3),
        Field::number("Largest\nchange", each(&|row| changed(row, row.largest_change.map(|(_, by)| by), 3)))
            .dropped(2),
        Field::number("ρ", each(&|row| compared(row, row.agreement.spearman))),
        Field::number("τ", each(&|row| compared(row, row.agreement.kendall))).dropped(5),
        Field::names("First", each(&|row| first(found, row))).dropped(2),
    ];
    if rated {
        let change =
            |row: &SensitivityRow| changed(row, row.scored.and_then(|scored| scored.engine_change), 1);
        fields.push(Field::number("Engine\nstrength", each(&strength)).dropped(1));
        fields.push(Field::number("\nChange", each(&change)).dropped(1));
    }
    let notes = [vec![CHOICES.to_owned()], counted(&found.base.method), left_out(found)].concat();
    Layout {
        title: "Expected scores against the engine under other choices of method",
        columns: fields,
        notes,
    }
    .shown(screen)
}

const CHOICES: &str = "Each row changes one choice of the base line, as the option of that name does; bins and ties \
    are in centipawns, or hundredths of a percentage point with metric win and wdl. Mean score: over the players, \
    each counting once; largest change: that of the player whose expected score moves most. ρ and τ: how far the \
    order of players agrees with the base line's (Spearman's, Kendall's τ-b), 1 being the same order.";

/// What the rows of the table do not hold.
fn left_out(found: &Sensitivity) -> Vec<String> {
    let rows = || std::iter::once(&found.base).chain(&found.variants);
    let players = found.players.len();
    let unknown = |row: &SensitivityRow| row.scored.map_or(0, |scored| scored.without_gain);
    let has_engine = |row: &SensitivityRow| row.scored.is_some_and(|scored| scored.engine.is_some());
    let without_wdl = rows().filter(|row| unknown(row) > 0);
    let without_wdl =
        without_wdl.map(|row| format!("{} ({})", name(&row.choice), count_of(unknown(row), "move")));
    let without = rows().filter(|row| unknown(row) == 0).filter_map(|row| {
        let left = players - row.spread.map_or(0, |spread| spread.players);
        (left > 0).then(|| format!("{} ({left} of {players})", name(&row.choice)))
    });
    let unrated = rows().filter(|row| row.spread.is_some() && !has_engine(row));
    let unrated = unrated.filter(|_| has_engine(&found.base)).map(|row| name(&row.choice).to_owned());
    [
        listed("Players without a move that counts: ", without),
        listed("Not counted, since the evaluations come without win/draw/loss: ", without_wdl),
        listed("No player with a move has an Elo: ", unrated),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn listed(head: &str, items: impl Iterator<Item = String>) -> Option<String> {
    let items: Vec<String> = items.collect();
    (!items.is_empty()).then(|| format!("{head}{}.", items.join("; ")))
}

/// The score kept and the known measures by the base line; `None` where none is known.
fn measures(found: &Sensitivity, screen: Screen) -> Option<String> {
    let (known, unknown): (Vec<&SensitivityRow>, Vec<&SensitivityRow>) =
        found.statistics.iter().partition(|row| row.spread.is_some());
    if known.is_empty() {
        return None;
    }
    let each =
        |cell: &dyn Fn(&SensitivityRow) -> String| known.iter().map(|row| cell(row)).collect::<Vec<_>>();
    let spread =
        |row: &SensitivityRow, of: fn(Spread) -> f64| number(row.spread.map(of), decimals(row.statistic));
    let filters = found.base.method.filter.names();
    let notes = [
        Some(MEASURES.to_owned()),
        listed("Not known from these evaluations: ", unknown.iter().map(|row| title(row.statistic))),
        (!filters.is_empty()).then(|| format!("Counted: {}.", filters.join("; "))),
    ];
    let layout = Layout {
        title: "The score kept and known measures by the base line, beside its expected scores",
        columns: vec![
            Field::text("Measure", each(&|row| title(row.statistic))),
            Field::number("Mean", each(&|row| spread(row, |spread| spread.mean))),
            Field::number("Lowest", each(&|row| spread(row, |spread| spread.lowest))).dropped(2),
            Field::number("Highest", each(&|row| spread(row, |spread| spread.highest))).dropped(2),
            Field::number("ρ", each(&|row| number(row.agreement.spearman, 2))),
            Field::number("τ", each(&|row| number(row.agreement.kendall, 2))).dropped(4),
            Field::names("First", each(&|row| first(found, row))).dropped(1),
        ],
        notes: notes.into_iter().flatten().collect(),
    };
    Some(layout.shown(screen))
}

const MEASURES: &str =
    "ρ and τ: how far the order of players, the best first, agrees with that of expected scores.";

/// How each statistic of the players repeats in another run; `held` says which games it is of.
pub fn repeatability(rows: &[Repeatability], held: &str, screen: Screen) -> String {
    let each = |cell: &dyn Fn(&Repeatability) -> String| rows.iter().map(cell).collect::<Vec<_>>();
    // The expected scores are one group, with what is other than in its first row further in.
    let called = |row: &Repeatability| match row.choice.as_str() {
        "" => title(row.statistic),
        choice => format!("  {choice}"),
    };
    let in_full = |row: &&Repeatability| match row.choice.as_str() {
        "" => title(row.statistic),
        choice => format!("{}, {choice}", title(row.statistic)),
    };
    let interval = |row: &Repeatability| match row.pearson.and_then(|pearson| pearson.interval) {
        Some(interval) => format!("{} to {}", rounded(interval.low, 2), rounded(interval.high, 2)),
        None => MISSING.to_owned(),
    };
    let (known, unknown): (Vec<&Repeatability>, Vec<&Repeatability>) =
        rows.iter().partition(|row| row.players > 0);
    let method = rows.first().map_or(Vec::new(), |row| counted(&row.method));
    let notes = [
        Some(held.to_owned()),
        known.iter().map(|row| row.players).max().map(few),
        listed("Not known in both runs: ", unknown.iter().map(in_full)),
    ];
    let layout = Layout {
        title: "Repeatability: the players' numbers in two runs",
        columns: vec![
            Field::text("Statistic", each(&called)),
            Field::number("Players", each(&|row| row.players.to_string())).dropped(2),
            Field::number("Pearson's\nr", each(&|row| number(row.pearson.map(|r| r.value), 2))),
            Field::number("95 %\ninterval", each(&interval)).dropped(1),
            Field::number("Spearman's\nρ", each(&|row| number(row.spearman, 2))).dropped(1),
            Field::number(
                "Mean\n|difference|",
                each(&|row| number(row.mean_difference, decimals(row.statistic) + 1)),
            )
            .dropped(3),
        ],
        notes: notes.into_iter().flatten().chain(method).collect(),
    };
    layout.shown(screen)
}

fn few(players: usize) -> String {
    match players {
        0..4 => format!("{}: from four on there is an interval of r.", count_of(players as u64, "player")),
        4..FEW => {
            format!("{players} players are few for a correlation: see the intervals of r, by Fisher's z.")
        }
        _ => "Intervals of r by Fisher's z.".to_owned(),
    }
}

fn name(choice: &str) -> &str {
    if choice.is_empty() { "base line" } else { choice }
}

fn title(statistic: Statistic) -> String {
    header(statistic).replace('\n', " ")
}

fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or(MISSING.to_owned(), |value| rounded(value, decimals))
}

/// A cell that the base line, which is compared with nothing, leaves empty.
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

/// Who is first; where several are equal, how many.
fn first(found: &Sensitivity, row: &SensitivityRow) -> String {
    match row.first.as_slice() {
        [] => MISSING.to_owned(),
        [place] => printable(&found.players[*place]),
        several => format!("{} players", several.len()),
    }
}
