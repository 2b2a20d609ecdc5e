//! The moves that the page shows individually. Each move has a board in the style of Ferreira's Figure 4.

use shakmaty::{CastlingMode, Chess, Color, Position, uci::UciMove};

use crate::chess::{Clip, EvaluatedGame, Game, Score, game::fen, game::san};
use crate::measure::{DecisiveMove, EventCrossTable, Lead, MoveFacts, Turn, decisive_moves};
use crate::report::html::{board, board::Arrow, game::curve, games};
use crate::report::pictures::Source;
use crate::report::plots::{bar_table::points, game::result};
use crate::report::words::{names::first_and_last, names::name, names::natural_list};

/// Number of decisive moves on the page.
const DECISIVE: usize = 3;

pub struct Moment {
    pub played: String,
    /// The symbol of lichess's judgment (`?!`, `?` or `??`), and its name, which determines the color.
    pub judgment: Option<(&'static str, &'static str)>,
    pub number: usize,
    /// The ply of the position before the move, for the board that steps through the game.
    pub ply: usize,
    pub board: String,
    /// The change of the mover's winning chances in words, with the move as the subject.
    pub said: String,
    pub best: Option<String>,
    pub same: bool,
    pub link: String,
    /// The round, the players and the result.
    pub heading: String,
    /// Number of half-moves of the game, and White's winning chances (see [`curve`]).
    pub plies: usize,
    pub curve: String,
    /// A sentence on the lead after the round, if it changed.
    pub lead: String,
}

pub fn of_turn(source: &Source<'_>, turn: &Turn) -> Moment {
    let clip = source.findings.analysis.tournament.method.clip;
    let facts = &source.findings.sample.moves_of(turn.game)[turn.ply];
    Moment::of(&source.games[turn.game], facts, turn, clip)
}

/// Returns the moves that most affected the first place or, without rounds, the results of games.
pub fn decisive(source: &Source<'_>, cross: Option<&EventCrossTable>) -> Vec<Moment> {
    let (sample, shown) = (&source.findings.sample, games::shown_players(source));
    let method = &source.findings.analysis.tournament.method;
    let moves = decisive_moves(sample, method, cross, DECISIVE, |facts| {
        shown[facts.player as usize] && !source.is_in_progress(source.games[facts.game as usize].game())
    });
    let moment = |found: &DecisiveMove| Moment {
        lead: found.lead.as_ref().map_or(String::new(), lead_change),
        ..of_turn(source, &found.turn)
    };
    moves.iter().map(moment).collect()
}

/// Returns a sentence on the leaders after the round; empty if they led before it too.
fn lead_change(lead: &Lead) -> String {
    if lead.before == lead.after || lead.before.is_empty() {
        return String::new();
    }
    let lead_now = if lead.after.len() == 1 { "leads alone" } else { "lead" };
    format!(
        "After round {}, {} {lead_now} with {} points.",
        lead.round,
        natural_list(&lead.after, LEADERS),
        points(lead.half_points)
    )
}

const LEADERS: usize = 3;

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
        let [white, black] = Color::ALL.map(|color| name(game.player(color)));
        let players = first_and_last(&[&white, &black]);
        let mover = &players[facts.mover.fold_wb(0, 1)].1;
        let said = format!(
            "Position before {written} of {mover}: {}",
            best.as_ref().map_or(String::new(), |best| format!("the engine prefers {best}"))
        );
        Moment {
            board: board::board(position.board(), &arrows, &said),
            link: link(&position, game),
            number: game.source.ordinal,
            ply: turn.ply,
            played: written,
            judgment: facts.verdict.judgment.map(|judgment| (judgment.symbol(), judgment.name())),
            said: format!(
                "{} {mover}’s winning chances from {:.0} to {:.0} %",
                if turn.change < 0.0 { "cut" } else { "raised" },
                100.0 * turn.chances[0],
                100.0 * turn.chances[1]
            ),
            best,
            same,
            heading: facts.round.map_or(String::new(), |round| format!("Round {round} · "))
                + &format!("{}–{} {}", players[0].1, players[1].1, result(game)),
            plies: game.moves.len(),
            curve: curve(evaluated, clip),
            lead: String::new(),
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

pub fn arrow(uci: UciMove, class: &'static str) -> Option<Arrow> {
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
