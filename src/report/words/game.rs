//! The headline of a report on a single game.

use shakmaty::Color;

use super::names::first_and_last;
use crate::base::text::rounded;
use crate::chess::{Game, GameResult, Judgment};
use crate::measure::{Method, MoveFacts};

/// Returns a sentence on the result, the accuracies of White and Black, and the costliest move of a player who did
/// not win, if it is a blunder. `unknown` says that the result is unknown.
pub fn headline(
    (game, unknown): (&Game, &str),
    accuracies: [Option<f64>; 2],
    facts: &[MoveFacts],
    method: &Method,
) -> String {
    let players = Color::ALL.map(|color| game.player(color));
    let names: Vec<String> = first_and_last(&players).into_iter().map(|(_, last)| last).collect();
    let winner = match game.result {
        GameResult::WhiteWins => Some(Color::White),
        GameResult::BlackWins => Some(Color::Black),
        GameResult::Draw | GameResult::BothLose | GameResult::Unknown => None,
    };
    let [first, second] = if winner == Some(Color::Black) { [1, 0] } else { [0, 1] };
    let [one, other] = [&names[first], &names[second]];
    let percents =
        [accuracies[first], accuracies[second]].map(|percent| percent.map(|percent| rounded(percent, 0)));
    let numbers = match &percents {
        [Some(one), Some(other)] => format!(", {one} to {other}"),
        _ => String::new(),
    };
    let is_more_accurate = percents[0] != percents[1] && accuracies[first] > accuracies[second];
    let said = match game.result {
        GameResult::Draw => format!("{one} and {other} drew{numbers}"),
        GameResult::BothLose => format!("{one} and {other} both lost{numbers}"),
        GameResult::Unknown => format!("{one} against {other}{numbers}, {unknown}"),
        _ if is_more_accurate => format!("{one} outplayed {other}{numbers}"),
        _ => format!("{one} beat {other}{numbers}"),
    };
    let chances = |facts: &MoveFacts| facts.evals().map(|evals| evals.chances(&method.scale()));
    let loss = |facts: &MoveFacts| chances(facts).map_or(0.0, |[before, after]| before - after);
    let costly = (0..).zip(facts).filter(|(_, facts)| winner != Some(facts.mover));
    let costly = costly.max_by(|(_, one), (_, other)| loss(one).total_cmp(&loss(other)));
    let blunder = costly.filter(|(_, facts)| facts.verdict.judgment == Some(Judgment::Blunder));
    let blunder = blunder.map(|(ply, facts): (usize, _)| {
        let written = format!("{}{} {}??", facts.number, facts.mover.fold_wb(".", "…"), game.moves[ply].san);
        match winner.is_some() && chances(facts).is_some_and(|[_, after]| after < 0.5) {
            true => format!("; {written} lost it"),
            false => format!("; the costliest move was {written}"),
        }
    });
    format!("{said}{}.", blunder.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{EvaluatedGame, pgn::parse_games, recorded_evaluations};
    use crate::measure::MoveSample;

    /// Returns the headline of a game that White leaves with a blunder at the second move.
    fn said(result: &str, accuracies: [Option<f64>; 2]) -> String {
        let text = format!(
            "[White \"Aronian, Levon\"]\n[Black \"Kramnik, Vladimir\"]\n[Result \"{result}\"]\n\n{{ [%eval 0.20] }} 1. f3 \
             {{ [%eval -0.50] }} e5 {{ [%eval -0.50] }} 2. g4 {{ [%eval -9.00] }} {result}\n"
        );
        let game = parse_games(&text, "test").remove(0).expect("a legal game");
        let evaluations = recorded_evaluations(&game, None).expect("every position has one");
        let games = [EvaluatedGame::new(game, evaluations)];
        let sample = MoveSample::of(&games);
        headline((games[0].game(), "without a result"), accuracies, sample.moves_of(0), &Method::default())
    }

    #[test]
    fn the_headline_names_the_winner_the_accuracies_and_the_losing_blunder() {
        assert_eq!(
            said("0-1", [Some(61.2), Some(90.4)]),
            "Kramnik outplayed Aronian, 90 to 61; 2. g4?? lost it."
        );
        assert_eq!(said("0-1", [Some(95.0), Some(90.0)]), "Kramnik beat Aronian, 90 to 95; 2. g4?? lost it.");
        assert_eq!(said("0-1", [Some(90.3), Some(90.4)]), "Kramnik beat Aronian, 90 to 90; 2. g4?? lost it.");
    }

    #[test]
    fn a_blunder_of_the_winner_is_not_named() {
        assert_eq!(said("1-0", [Some(61.2), Some(60.0)]), "Aronian outplayed Kramnik, 61 to 60.");
    }

    #[test]
    fn a_game_without_a_winner_has_no_losing_move() {
        let both = [Some(61.2), Some(90.4)];
        let told = ", 61 to 90; the costliest move was 2. g4??.";
        assert_eq!(said("1/2-1/2", both), format!("Aronian and Kramnik drew{told}"));
        assert_eq!(
            said("*", [None, None]),
            "Aronian against Kramnik, without a result; the costliest move was 2. g4??."
        );
    }
}
