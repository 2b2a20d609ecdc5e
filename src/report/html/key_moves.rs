//! The moves that the page shows individually. Each move has a board in the style of Ferreira's Figure 4.

use shakmaty::{CastlingMode, Chess, Position, uci::UciMove};

use crate::chess::{Clip, EvaluatedGame, Game, Metric, Score, game::fen, game::san};
use crate::measure::{MoveFacts, Turn};
use crate::report::html::{board, board::Arrow, games, games::heading};
use crate::report::pictures::Source;
use crate::report::plots::histogram;
use crate::report::words::{names::name, numbers::chances};

const COSTLY: usize = 12;

const GAINED: usize = 6;

pub struct Moment {
    pub played: String,
    /// The symbol of lichess's judgment (`?!`, `?` or `??`), and its name, which determines the color.
    pub judgment: Option<(&'static str, &'static str)>,
    pub mover: String,
    pub game: String,
    pub number: usize,
    /// The ply of the position before the move, for the board that steps through the game.
    pub ply: usize,
    pub board: String,
    pub before: String,
    pub after: String,
    pub gain: String,
    pub chances: String,
    pub best: Option<String>,
    pub same: bool,
    pub link: String,
}

/// Returns the moves with the largest losses, and those with the largest gains.
pub fn extremes(source: &Source<'_>) -> [Vec<Moment>; 2] {
    let clip = source.findings.analysis.tournament.method.clip;
    let moment = |turn: &Turn| {
        let facts = &source.findings.sample.moves_of(turn.game)[turn.ply];
        Moment::of(&source.games[turn.game], facts, turn, clip)
    };
    let [costly, gained] = [games::turns(source, COSTLY).costly, games::turns(source, GAINED).gained];
    [costly, gained].map(|turns| turns.iter().map(moment).collect())
}

impl Moment {
    pub fn of(evaluated: &EvaluatedGame, facts: &MoveFacts, turn: &Turn, clip: Clip) -> Moment {
        let game = evaluated.game();
        let position = game.positions().nth(turn.ply).expect("the position before a move of the game");
        let said = evaluated.evaluations().at(turn.ply).expect("an evaluation before a move that changed it");
        let (played, best) = (&game.moves[turn.ply], said.best);
        let same = best == Some(played.uci);
        let better = best.filter(|_| !same).and_then(|best| arrow(best, "best"));
        let arrows: Vec<Arrow> = better.into_iter().chain(arrow(played.uci, "played")).collect();
        let written = numbered(&position, &played.san.to_string());
        let best = best.and_then(|best| san(&position, best));
        let mover = name(game.player(facts.mover));
        let [before, after] = [said.score, facts.after.score].map(evaluation);
        let gain = facts.gain(Metric::Centipawns, clip);
        let said = format!(
            "Position before {written} of {mover}: {}",
            best.as_ref().map_or(String::new(), |best| format!("the engine prefers {best}"))
        );
        Moment {
            board: board::board(position.board(), &arrows, &said),
            link: link(&position, game),
            game: heading(game),
            number: game.source.ordinal,
            ply: turn.ply,
            played: written,
            judgment: facts.verdict.judgment.map(|judgment| (judgment.symbol(), judgment.name())),
            mover,
            before,
            after,
            gain: gain.map_or(String::new(), histogram::signed),
            chances: chances(turn.chances),
            best,
            same,
        }
    }
}

fn signed(text: String, below: bool) -> String {
    format!("{}{text}", if below { '−' } else { '+' })
}

/// Returns an evaluation in White's view: pawns, or moves to mate.
pub fn evaluation(score: Score) -> String {
    match (score.cp(), score.mate()) {
        (Some(0), _) => "0.00".to_owned(),
        (Some(cp), _) => {
            signed(format!("{}.{:02}", cp.unsigned_abs() / 100, cp.unsigned_abs() % 100), cp < 0)
        }
        (None, Some(0)) => "mate".to_owned(),
        (None, Some(moves)) => format!("#{}{}", if moves < 0 { "−" } else { "" }, moves.unsigned_abs()),
        (None, None) => String::new(),
    }
}

/// Returns the move after its number, as in `34. Nf3` and `34… Nf6`.
pub fn numbered(position: &Chess, san: &str) -> String {
    format!("{}{} {san}", position.fullmoves(), position.turn().fold_wb(".", "…"))
}

fn arrow(uci: UciMove, class: &'static str) -> Option<Arrow> {
    match uci {
        UciMove::Normal { from, to, .. } => Some((from, to, class)),
        UciMove::Put { .. } | UciMove::Null => None,
    }
}

/// Returns the address of the position on lichess. The page requests it only on a click.
fn link(position: &Chess, game: &Game) -> String {
    let variant = match game.mode {
        CastlingMode::Standard => "standard",
        CastlingMode::Chess960 => "chess960",
    };
    let side = position.turn().fold_wb("", "?color=black");
    format!("https://lichess.org/analysis/{variant}/{}{side}", fen(position).replace(' ', "_"))
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::*;
    use crate::chess::SignedScore;

    #[test]
    fn evaluations_are_written_as_players_write_them() {
        let mate = |n| Score::from_white_view(SignedScore::Mate(n), Color::White);
        assert_eq!(
            [Score::Cp(21), Score::Cp(-305), mate(5), mate(-3)].map(evaluation),
            ["+0.21", "−3.05", "#5", "#−3"]
        );
        assert_eq!(evaluation(Score::checkmate(Color::White)), "mate");
        assert_eq!([-312, 0, 8].map(histogram::signed), ["−312", "0", "+8"]);
    }

    #[test]
    fn level_is_neither_better_nor_worse() {
        assert_eq!(evaluation(Score::DRAW), "0.00");
    }

    #[test]
    fn a_move_is_numbered_by_its_side() {
        let start = Chess::default();
        assert_eq!(numbered(&start, "e4"), "1. e4");
        let e4 = "e2e4".parse::<UciMove>().expect("a move");
        assert_eq!(san(&start, e4).as_deref(), Some("e4"));
        assert_eq!(san(&start, "e2e5".parse().expect("a move")), None);
    }
}
