//! Owns the tables of an experiment of skill functions: what each scored against whom, and what that comes to.

use crate::chess::text::{printable, rounded};
use crate::lab::{Opponent, PairGames, SkillFinding, Sparring};
use crate::measure::{Decimals, Quantity, Unit};
use crate::numbers::Homogeneity;
use crate::report::table::layout::Layout;
use crate::report::table::{ColumnPart, Table};
use crate::report::words::numbers::{MISSING, number, with_margin};

/// Reads one of the spreads of a finding.
type SpreadOf = fn(&SkillFinding) -> Option<Homogeneity>;

/// A match of a skill function against an opponent.
pub(in crate::report) struct SparringMatchRow<'a> {
    skill: &'a str,
    opponent: &'a Opponent,
    games: PairGames,
}

/// Returns all matches, those of one skill function together.
pub(in crate::report) fn match_rows(found: &Sparring) -> Vec<SparringMatchRow<'_>> {
    let of_skill = |skill: &'_ crate::lab::experiment::sparring::SkillGames| {
        let games = skill.games.clone();
        found.opponents.iter().zip(games).collect::<Vec<_>>()
    };
    let row = |skill, (opponent, games)| SparringMatchRow { skill, opponent, games };
    found
        .skills
        .iter()
        .flat_map(|skill| of_skill(skill).into_iter().map(|met| row(&skill.name, met)))
        .collect()
}

/// Returns the file of matches.
pub(in crate::report) fn match_table(rows: &[SparringMatchRow<'_>]) -> Table {
    Table::of("opponents", "One row a skill function and an opponent, the weakest opponent first.", rows)
        .column("skill", "The skill function, whose games are counted.", |row| row.skill.to_owned())
        .column("opponent", "Whom it met.", |row| row.opponent.name.clone())
        .number(
            "elo",
            Unit::Elo,
            "The opponent's strength by the games of the opponents among each other. Empty where no finite rating fits.",
            |row| row.opponent.elo,
        )
        .column("games", "Games that have ended.", |row| row.games.games())
        .column("wins", "Games won.", |row| row.games.wins)
        .column("draws", "Games drawn.", |row| row.games.draws)
        .column("losses", "Games lost.", |row| row.games.losses)
        .number("score", Quantity::GAME_SCORE, "Points a game.", |row| row.games.score())
        .number("mean_moves", Unit::Moves, "Mean length of a game.", |row| row.games.mean_moves())
        .table()
}

/// Returns the file of what is found.
pub(in crate::report) fn finding_table(rows: &[(String, SkillFinding)]) -> Table {
    type Row = (String, SkillFinding);
    fn of(spread: SpreadOf, value: fn(Homogeneity) -> f64) -> impl Fn(&Row) -> Option<f64> {
        move |row| spread(&row.1).map(value)
    }
    let mut table = Table::of("skills", "One row a skill function.", rows)
        .column("skill", "Its name.", |row: &Row| row.0.clone())
        .number("score", Quantity::GAME_SCORE, "Points a game, of all games.", |row: &Row| row.1.score)
        .number("draws", Unit::Share, "The share of games drawn.", |row: &Row| row.1.draws);
    let spreads: [(&str, &str, SpreadOf); 2] =
        [("wins", "Wins", |finding| finding.wins), ("ties", "Draws", |finding| finding.ties)];
    for (name, words, spread) in spreads {
        table = table
            .number(
                format!("{name}_mean"),
                Unit::Games.with(Decimals::Of(1, 1)),
                format!("{words} of a match, mean over opponents."),
                of(spread, |one| one.mean),
            )
            .number(format!("{name}_sd"), Unit::Games, "Their standard deviation", of(spread, |one| one.sd))
            .more(" (n − 1).")
            .number(
                format!("{name}_chi_squared"),
                Unit::Pure,
                "χ² of homogeneity over opponents.",
                of(spread, |one| one.chi_squared),
            )
            .number(
                format!("{name}_p"),
                Unit::Probability,
                "The chance of a χ² at least as large if all were alike.",
                of(spread, |one| one.p),
            );
    }
    table
        .number("slope", Unit::ScoreSlope, "What 400 Elo of the opponent add to the score.", |row: &Row| {
            row.1.slope.map(|trend| trend.slope)
        })
        .number("slope_within", Unit::ScoreSlope, "The same from 900 to 2800 Elo.", |row: &Row| {
            row.1.slope_within.map(|trend| trend.slope)
        })
        .number(
            "draws_below",
            Unit::Share,
            "The share of games drawn with opponents below 2200 Elo.",
            |row: &Row| row.1.draws_below,
        )
        .number("mean_moves", Unit::Moves, "Mean length of a game.", |row: &Row| row.1.moves)
        .table()
}

/// Returns the tables for readers.
pub(in crate::report) fn layouts(found: &Sparring, findings: &[(String, SkillFinding)]) -> Vec<Layout> {
    vec![of_opponents(found), of_skills(findings)]
}

/// Returns who scored what against whom: row the opponent, column the skill function.
fn of_opponents(found: &Sparring) -> Layout {
    let places: Vec<usize> = (0..found.opponents.len()).collect();
    let mut table = Table::shown(&places)
        .label("Opponent", |&place| printable(&found.opponents[place].name))
        .number_beside(ColumnPart::Value.under("Elo").decimals(0), Unit::Elo, |&place| {
            found.opponents[place].elo
        })
        .heading(ColumnPart::HalfWidth.under("±").decimals(0));
    for skill in &found.skills {
        let name = printable(&skill.name);
        table = table
            .said_beside(format!("{name}\n+ = −"), |&place| {
                let PairGames { wins, draws, losses, .. } = skill.games[place];
                format!("{wins} {draws} {losses}")
            })
            .said_beside("\n%", |&place| rounded(100.0 * skill.games[place].score(), 1));
    }
    let note = "Games won, drawn and lost by the skill function, and its score. Elo by the games of the opponents among each other, with \
        95 % intervals.";
    table.layout("What each skill function scored", vec![note.to_owned()])
}

fn of_skills(findings: &[(String, SkillFinding)]) -> Layout {
    type Row = (String, SkillFinding);
    let spread = |found: Option<Homogeneity>| {
        let said = |one: Homogeneity| {
            format!("{} ± {}, p = {}", rounded(one.mean, 2), rounded(one.sd, 2), rounded(one.p, 4))
        };
        found.map_or(MISSING.to_owned(), said)
    };
    let slope = |trend: Option<crate::numbers::stats::trend::Trend>| {
        trend.map_or(MISSING.to_owned(), |trend| with_margin(trend.slope, 3))
    };
    Table::shown(findings)
        .label("Skill", |row: &Row| printable(&row.0))
        .said_beside("Score,\n%", |row: &Row| rounded(100.0 * row.1.score, 1))
        .said_beside("Wins of a match", |row: &Row| spread(row.1.wins))
        .said_beside("Draws of a match", |row: &Row| spread(row.1.ties))
        .said_beside("Score for\n400 Elo", |row: &Row| slope(row.1.slope))
        .said_beside("from 900\nto 2800", |row: &Row| slope(row.1.slope_within))
        .said_beside("Drawn below\n2200, %", |row: &Row| number(row.1.draws_below.map(|share| 100.0 * share), 1))
        .said_beside("Moves", |row: &Row| rounded(row.1.moves, 1))
        .layout(
            "How even the games were",
            vec!["Mean and standard deviation (n − 1) over opponents; p: the chance of as large a spread if all were alike (χ²). The slope of the \
                  score on the opponent's Elo would be 0 if everybody had the same game."
                .to_owned()],
        )
}
