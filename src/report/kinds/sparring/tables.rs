//! The tables of skill functions: scores, evenness of the games, and losses of the moves.

use crate::base::text::{printable, rounded};
use crate::lab::{
    LossSizes, MoveLoss, Opponent, PairGames, SkillFinding, SkillMoves, Sparring, SparringMoves,
};
use crate::measure::{Decimals, Quantity, Unit};
use crate::numbers::{Homogeneity, Trend};
use crate::report::table::{ColumnPart, Table, layout::Layout};
use crate::report::words::{numbers::MISSING, numbers::number, numbers::with_margin};

type SpreadOf = fn(&SkillFinding) -> Option<Homogeneity>;

/// Returns the table `opponents`, grouped by skill function. Without games, it has no rows.
pub(in crate::report) fn opponents(found: Option<&Sparring>) -> Table {
    let mut rows: Vec<(&str, &Opponent, &PairGames)> = Vec::new();
    for (found, skill) in found.into_iter().flat_map(|all| all.skills.iter().map(move |skill| (all, skill))) {
        let met = found.opponents.iter().zip(&skill.games);
        rows.extend(met.map(|(opponent, games)| (skill.name.as_str(), opponent, games)));
    }
    Table::of("opponents", "One row per skill function and opponent, the weakest opponent first.", &rows)
        .column("skill", "The skill function; results are from its view.", |row| row.0)
        .column("opponent", "The opponent.", |row| &row.1.name)
        .number("elo", Unit::Elo, "", |row| row.1.elo)
        .means(
            "The opponent's strength by the games of the opponents against each other. Empty if no finite \
             rating fits.",
        )
        .column("games", "Finished games.", |row| row.2.games())
        .column("wins", "Games won.", |row| row.2.wins)
        .column("draws", "Games drawn.", |row| row.2.draws)
        .column("losses", "Games lost.", |row| row.2.losses)
        .number("score", Quantity::GAME_SCORE, "Points per game.", |row| row.2.score())
        .number("mean_moves", Unit::Moves, "Mean length of a game.", |row| row.2.mean_moves())
        .table()
}

pub(in crate::report) fn finding_table(rows: &[(String, SkillFinding)]) -> Table {
    type Row = (String, SkillFinding);
    fn of(spread: SpreadOf, value: fn(Homogeneity) -> f64) -> impl Fn(&Row) -> Option<f64> {
        move |row| spread(&row.1).map(value)
    }
    let mut table = Table::of("skills", "One row per skill function.", rows)
        .column("skill", "Name of the skill function.", |row| &row.0)
        .number("score", Quantity::GAME_SCORE, "Points per game, over all games.", |row| row.1.score)
        .number("draws", Unit::Share, "Share of games drawn.", |row| row.1.draws);
    let spreads: [(&str, &str, SpreadOf); 2] =
        [("wins", "Wins", |finding| finding.wins), ("ties", "Draws", |finding| finding.ties)];
    for (name, words, spread) in spreads {
        let mean = format!("{words} per match, mean over opponents.");
        let (sd, p) = ("Standard deviation over opponents (n − 1).", "Probability of a χ² at least as large");
        let (games, squared) = (Unit::Games.with(Decimals::Of(1, 1)), "χ² of homogeneity over opponents.");
        table = table
            .number(format!("{name}_mean"), games, mean, of(spread, |one| one.mean))
            .number(format!("{name}_sd"), Unit::Games, sd, of(spread, |one| one.sd))
            .number(format!("{name}_chi_squared"), Unit::Pure, squared, of(spread, |one| one.chi_squared))
            .number(format!("{name}_p"), Unit::Probability, p, of(spread, |one| one.p))
            .means(" if all opponents were alike.");
    }
    let slope = |trend: Option<Trend>| trend.map(|trend| trend.slope);
    table
        .number("slope", Unit::ScoreSlope, "", |row| slope(row.1.slope))
        .means("Change of the score if the opponent is 400 Elo points stronger.")
        .number("slope_within", Unit::ScoreSlope, "", |row| slope(row.1.slope_within))
        .means("`slope`, computed only from opponents rated 900 to 2800.")
        .number("draws_below", Unit::Share, "", |row| row.1.draws_below)
        .means("Share of games drawn against opponents below 2200 Elo.")
        .number("mean_moves", Unit::Moves, "Mean length of a game.", |row| row.1.moves)
        .table()
}

pub(in crate::report) fn layouts(found: &Sparring, findings: &[(String, SkillFinding)]) -> Vec<Layout> {
    vec![of_opponents(found), of_skills(findings)]
}

fn of_opponents(found: &Sparring) -> Layout {
    let places: Vec<usize> = (0..found.opponents.len()).collect();
    let mut table = Table::shown(&places)
        .label("Opponent", |&place| printable(&found.opponents[place].name))
        .display_number(ColumnPart::Value.under("Elo").decimals(0), Unit::Elo, |&place| {
            found.opponents[place].elo
        })
        .heading(ColumnPart::HalfWidth.under("±").decimals(0));
    for skill in &found.skills {
        let name = printable(&skill.name);
        table = table
            .display_text(format!("{name}\n+ = −"), |&place| {
                let PairGames { wins, draws, losses, .. } = skill.games[place];
                format!("{wins} {draws} {losses}")
            })
            .display_text("\n%", |&place| rounded(100.0 * skill.games[place].score(), 1));
    }
    let note = "Games won, drawn and lost by the skill function, and the skill function's score in percent. Elo: \
        computed from the opponents' games against each other, with 95 % margins.";
    table.layout("Scores of each skill function", vec![note.to_owned()])
}

fn of_skills(findings: &[(String, SkillFinding)]) -> Layout {
    let spread = |found: Option<Homogeneity>| {
        let said = |one: Homogeneity| {
            format!("{} ± {}, p = {}", rounded(one.mean, 2), rounded(one.sd, 2), rounded(one.p, 4))
        };
        found.map_or(MISSING.to_owned(), said)
    };
    let slope = |trend: Option<Trend>| trend.map_or(MISSING.to_owned(), |trend| with_margin(trend.slope, 3));
    Table::shown(findings)
        .label("Skill", |row| printable(&row.0))
        .display_text("Score,\n%", |row| rounded(100.0 * row.1.score, 1))
        .display_text("Wins per match", |row| spread(row.1.wins))
        .display_text("Draws per match", |row| spread(row.1.ties))
        .display_text("Score for\n400 Elo", |row| slope(row.1.slope))
        .display_text("from 900\nto 2800", |row| slope(row.1.slope_within))
        .display_text("Drawn below\n2200, %", |row| number(row.1.draws_below.map(|share| 100.0 * share), 1))
        .display_text("Moves", |row| rounded(row.1.moves, 1))
        .layout(
            "How even the games were",
            vec!["Wins and draws per match: mean ± standard deviation (n − 1) over opponents. p: probability of a \
                spread at least as large if all opponents were alike (χ²). Score for 400 Elo: change of the score if \
                the opponent is 400 Elo points stronger; 0 if the games against all opponents are equally even."
                .to_owned()],
        )
}

const CHANCE: Quantity = Unit::Probability.with(Decimals::Of(6, 4));

pub(in crate::report) fn loss_table(skills: &[SkillMoves]) -> Table {
    fn of<T>(value: impl Fn(&LossSizes) -> T) -> impl Fn(&SkillMoves) -> Option<T> {
        move |skill| skill.losses.as_ref().map(&value)
    }
    fn flat(value: impl Fn(&LossSizes) -> Option<f64>) -> impl Fn(&SkillMoves) -> Option<f64> {
        move |skill| skill.losses.as_ref().and_then(&value)
    }
    Table::of(
        "losses",
        "One row per skill function: its losses, and the losses of people with the same average loss.",
        skills,
    )
    .column("skill", "Name of the skill function.", |skill| skill.name.clone())
    .column("moves", "", of(|found| found.moves))
    .means("Moves with a choice and an expected score between 10 and 90 %.")
    .number("mean_loss", Unit::PercentagePoints, "", of(|found| found.mean))
    .means("Percentage points of the expected score lost per move.")
    .number("people_elo", Unit::Elo, "Rating of people with the same average loss.", of(|found| found.elo))
    .number("exceeds", CHANCE, "", of(|found| found.exceeds))
    .means("Probability that a move loses less than a move of people with the same average loss; ties count half.")
    .number("blunders", Unit::Share, "", of(|found| found.blunders[0]))
    .means("Share of moves that lose 10 percentage points or more (blunders).")
    .number("people_blunders", Unit::Share, "", of(|found| found.blunders[1]))
    .means("Share of blunders among the moves of people with the same average loss.")
    .number("blunder_mean", Unit::PercentagePoints, "", flat(|found| found.blunder_means[0]))
    .means("Mean loss of a blunder, in percentage points.")
    .number("people_blunder_mean", Unit::PercentagePoints, "", flat(|found| found.blunder_means[1]))
    .means("Mean loss of a blunder by people with the same average loss, in percentage points.")
    .number("blunder_exceeds", CHANCE, "", flat(|found| found.blunder_exceeds))
    .means("Probability that a blunder loses less than a blunder by people with the same average loss; ties count half.")
    .table()
}

pub(in crate::report) fn move_loss_table(skills: &[SkillMoves]) -> Table {
    let rows: Vec<(&str, &MoveLoss)> = skills
        .iter()
        .flat_map(|skill| skill.by_move.iter().map(|found| (skill.name.as_str(), found)))
        .collect();
    Table::of("losses-by-move", "One row per skill function and move number, up to move 80.", &rows)
        .column("skill", "The skill function.", |row| row.0)
        .column("move", "Number of the move, from 1.", |row| row.1.number)
        .column("moves", "Counted moves of the skill function.", |row| row.1.own.0)
        .number("mean_loss", Unit::PercentagePoints, "", |row| row.1.own.1)
        .means("Mean loss of these moves, in percentage points.")
        .column("opponent_moves", "Counted moves of the opponents.", |row| row.1.opponents.0)
        .number("opponent_mean_loss", Unit::PercentagePoints, "", |row| row.1.opponents.1)
        .means("Mean loss of the opponents' moves.")
        .table()
}

pub(in crate::report) fn loss_layout(found: &SparringMoves) -> Option<Layout> {
    let rows: Vec<(&str, &LossSizes)> =
        found.skills.iter().filter_map(|skill| Some((skill.name.as_str(), skill.losses.as_ref()?))).collect();
    let note = format!(
        "Losses of expected score in percentage points, evaluated by {}. Counted: moves that were not the only legal \
         move, if the expected score was between 10 and 90 %. Numbers in brackets are for people with the same average \
         loss. A blunder loses 10 percentage points or more. P: probability that a move loses less than a move of these people. P \
         of blunders: probability that a blunder loses less than a blunder of these people. Ties count half.",
        printable(&found.judge)
    );
    (!rows.is_empty()).then(|| {
        Table::shown(&rows)
            .label("Skill", |row| printable(row.0))
            .display_text("Moves", |row| row.1.moves.to_string())
            .display_text("Loss\na move", |row| rounded(row.1.mean, 2))
            .display_text("of people\nof Elo", |row| rounded(row.1.elo, 0))
            .display_text("P", |row| rounded(row.1.exceeds, 3))
            .display_text("Blunders, %", |row| with_people(row.1.blunders.map(|share| Some(100.0 * share))))
            .display_text("Loss of\na blunder", |row| with_people(row.1.blunder_means))
            .display_text("P of\nblunders", |row| number(row.1.blunder_exceeds, 3))
            .layout("Sizes of losses next to people's", vec![note])
    })
}

fn with_people([own, people]: [Option<f64>; 2]) -> String {
    format!("{} ({})", number(own, 1), number(people, 1))
}
