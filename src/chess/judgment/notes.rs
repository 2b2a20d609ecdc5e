//! Adds judgments to a game as annotations: a glyph after the move, and the better move in a comment.

use super::{Judgment, verdicts};
use crate::chess::{evaluated_game::EvaluatedGame, game::Annotation, game::Game, game::san};

/// The numbers of the glyphs that assess a move, from `!` to `?!`.
const ASSESSMENTS: std::ops::RangeInclusive<u8> = 1..=6;

/// Returns the game with its evaluations and judgments. `judge` names the engine and its search settings, as
/// in [`EvaluatedGame::annotated`].
pub fn judged(evaluated: &EvaluatedGame, judge: Option<&str>) -> Game {
    let mut game = evaluated.annotated(judge);
    add_judgments(&mut game, evaluated);
    game
}

/// Adds the judgments of `evaluated` to `game`. The glyph is added unless the move already has a glyph that
/// assesses it. A comment with the better move is added if the engine's best move is known. Judgments added
/// by an earlier run are replaced.
pub fn add_judgments(game: &mut Game, evaluated: &EvaluatedGame) {
    let positions: Vec<_> = evaluated.game().positions().collect();
    for (ply, verdict) in verdicts(evaluated).enumerate() {
        let annotations = &mut game.moves[ply].annotations;
        remove(annotations);
        let Some(judgment) = verdict.judgment else { continue };
        let best = evaluated.evaluations().at(ply).and_then(|before| before.best);
        let better = best.and_then(|best| san(&positions[ply], best));
        let mut added = Vec::new();
        if !annotations.iter().any(is_assessment) {
            added.push(Annotation::Nag(judgment.nag()));
        }
        added.extend(better.map(|better| Annotation::Comment(comment(judgment, &better))));
        annotations.splice(0..0, added);
    }
}

fn is_assessment(annotation: &Annotation) -> bool {
    matches!(annotation, Annotation::Nag(nag) if ASSESSMENTS.contains(nag))
}

fn comment(judgment: Judgment, better: &str) -> String {
    let name = judgment.name();
    format!("{}{}. {better} was best.", name[..1].to_uppercase(), &name[1..])
}

fn remove(annotations: &mut Vec<Annotation>) {
    while let Some((place, judgment)) =
        annotations.iter().enumerate().find_map(|(place, annotation)| Some((place, of_comment(annotation)?)))
    {
        annotations.remove(place);
        if place > 0 && annotations[place - 1] == Annotation::Nag(judgment.nag()) {
            annotations.remove(place - 1);
        }
    }
}

fn of_comment(annotation: &Annotation) -> Option<Judgment> {
    let text = annotation.comment()?;
    let better = text.strip_suffix(" was best.")?.split_once(". ")?.1;
    let is_move = !better.contains(char::is_whitespace);
    Judgment::ALL.into_iter().find(|&judgment| is_move && comment(judgment, better) == text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{evaluation::Evaluation, pgn::parse_games, pgn::write_game, score::Score};

    /// Returns the game with judgments, in PGN. Black's move 1… f6 loses 130 centipawns; the best move is e5.
    fn judged(moves: &str) -> String {
        let game = parse_games(&format!("[White \"A\"]\n\n{moves} *\n"), "test").remove(0).expect("a game");
        let choice = |cp, best: &str| Evaluation {
            best: Some(best.parse().expect("a move")),
            ..Evaluation::of_score(Score::Cp(cp))
        };
        let evaluations = vec![choice(20, "e2e4"), choice(20, "e7e5"), choice(150, "d2d4")];
        let evaluated = EvaluatedGame::new(game, evaluations);
        let mut game = evaluated.annotated(None);
        add_judgments(&mut game, &evaluated);
        let mut text = Vec::new();
        write_game(&game, &mut text).expect("a vector takes any text");
        let text = String::from_utf8(text).expect("text");
        text.rsplit("]\n\n").next().unwrap_or_default().trim().to_owned()
    }

    const JUDGED: &str = "{ [%eval 0.20] [%best e2e4] } 1. e4 { [%eval 0.20] [%best e7e5] } 1... f6 $2 \
        { [%eval 1.50] [%best d2d4] } { Mistake. e5 was best. } *";

    #[test]
    fn a_mistake_has_its_glyph_behind_the_move_and_the_better_move_in_a_comment() {
        let text = judged("1. e4 f6");
        let moves = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(moves, JUDGED);
    }

    #[test]
    fn judging_again_changes_nothing_and_what_people_wrote_stays() {
        let once = judged("1. e4 f6 { a comment }");
        let moves = once.trim_end_matches('*').to_owned();
        assert_eq!(judged(&moves), once);
        // A different judgment of an earlier run is replaced, both its glyph and its comment.
        let other = JUDGED.replace("$2", "$4").replace("Mistake", "Blunder");
        assert_eq!(judged(other.trim_end_matches('*')), judged("1. e4 f6"));
        // An annotator's `!!` stays, but the comment is added.
        let brilliant = judged("1. e4 f6 $3");
        assert!(brilliant.contains("$3") && !brilliant.contains("$2") && brilliant.contains("Mistake. e5"));
        let said = judged("1. e4 f6 { Mistake. But e5 and d5 were best. }");
        assert!(said.contains("But e5"), "{said}");
    }
}
