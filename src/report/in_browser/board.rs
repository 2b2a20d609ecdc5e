//! Answers the requests of a page's boards: legal moves, best lines, and an opponent's move.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Chess, Move, Position, fen::Fen, san::SanPlus, uci::UciMove};

use crate::chess::{
    Evaluation, GameResult, GameSoFar, Limit, Order, Protocol, RankedLine, Referee, Segment,
    game::{fen, in_san},
};
use crate::engine::{BuiltinEngine, Stop, builtin, levels::Level, levels::LevelPlayer, levels::NoLevel};
use crate::report::html::key_moves::evaluation;

#[derive(Debug, Deserialize)]
struct BoardMoves {
    start: String,
    moves: Vec<String>,
}

/// Asks for the legal moves of a position, and for its best lines.
#[derive(Debug, Deserialize)]
pub struct LookTask {
    #[serde(flatten)]
    board: BoardMoves,
    /// The limit of the search; 0 for no search.
    nodes: u64,
    lines: NonZeroU32,
}

#[derive(Debug, Serialize)]
pub struct Look {
    fen: String,
    /// UCI, SAN and the next FEN of each legal move. Empty after mate or stalemate, or if neither side can mate.
    legal: Vec<(String, String, String)>,
    /// The end of the game by the rules, in words, and its result.
    end: Option<(String, String)>,
    lines: Vec<LookLine>,
    depth: u32,
}

#[derive(Debug, Serialize)]
struct LookLine {
    evaluation: String,
    uci: String,
    san: Vec<String>,
}

/// Asks for the move of an opponent who plays at a level.
#[derive(Debug, Deserialize)]
pub struct ReplyTask {
    #[serde(flatten)]
    board: BoardMoves,
    level: u32,
    /// A random number from 0 to 1, which decides among the probable moves.
    share: f64,
}

impl BoardMoves {
    fn game(&self) -> Result<(GameSoFar, Referee), String> {
        let start: Fen = self.start.parse().map_err(|error| format!("{}: {error}", self.start))?;
        let mode = CastlingMode::detect(start.as_setup());
        let start: Chess = start.into_position(mode).map_err(|error| format!("{}: {error}", self.start))?;
        let (mut game, mut referee) = (GameSoFar::new(start.clone(), mode), Referee::new(start));
        for written in &self.moves {
            let uci: Option<UciMove> = written.parse().ok();
            let m = uci.and_then(|uci| uci.to_move(referee.position()).ok());
            let m = m.ok_or_else(|| format!("the move {written} is illegal"))?;
            game.push(m.to_uci(mode));
            referee.play(m);
        }
        Ok((game, referee))
    }
}

impl LookTask {
    pub fn look(&self) -> Result<Look, String> {
        let (game, referee) = self.board.game()?;
        let (position, end) = (referee.position(), referee.ending());
        let mut look = Look {
            fen: fen(position),
            legal: Vec::new(),
            end: end.map(|(ending, winner)| (ending.words(), GameResult::of_winner(winner).to_string())),
            lines: Vec::new(),
            depth: 0,
        };
        // After a draw by repetition or by the fifty-move rule, a game may go on.
        if Evaluation::terminal(position).is_some() || position.is_insufficient_material() {
            return Ok(look);
        }
        let uci = |m: &Move| m.to_uci(game.mode()).to_string();
        let named = |m: &Move| {
            let mut after = position.clone();
            let san = SanPlus::from_move_and_play_unchecked(&mut after, *m).to_string();
            (uci(m), san, fen(&after))
        };
        look.legal = position.legal_moves().iter().map(named).collect();
        if self.nodes > 0 {
            let segment = Segment::end_of(&game).map_err(|error| error.to_string())?;
            let protocol = Protocol {
                lines: self.lines,
                ..Protocol::new(Limit::Nodes(self.nodes), Order::default(), 1)
            };
            let found = BuiltinEngine::new(builtin::HASH).evaluate(&segment, &protocol, &Stop::default());
            let found = found.map_err(|error| error.to_string())?.evaluations.pop();
            let (_, found) = found.ok_or("the engine found no line")?;
            look.depth = found.depth.unwrap_or_default();
            let line = |line: RankedLine| LookLine {
                evaluation: evaluation(line.score),
                uci: line.best.to_string(),
                san: in_san(position, &line.pv),
            };
            look.lines = found.lines().map(line).collect();
        }
        Ok(look)
    }
}

impl ReplyTask {
    /// Returns the chosen move in UCI.
    pub fn reply(&self) -> Result<String, String> {
        let (game, _) = self.board.game()?;
        let level = Level::new(self.level).ok_or_else(|| NoLevel.to_string())?;
        let chosen = LevelPlayer::default().choose(&game, level, &[], self.share);
        let chosen = chosen.ok_or("the game is over")?.chosen;
        Ok(chosen.to_uci(game.mode()).to_string())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn answer(task: &Value) -> Value {
        serde_json::from_str(&super::super::answer(task.to_string().as_bytes())).expect("an answer is JSON")
    }

    fn looked(start: &str, moves: &str, nodes: u64) -> Value {
        let moves: Vec<&str> = moves.split_whitespace().collect();
        let task = json!({"task": "look", "start": start, "moves": moves, "nodes": nodes, "lines": 3});
        let found = answer(&task);
        // The engine alone gives the same answer.
        assert_eq!(
            serde_json::from_str::<Value>(&super::super::look(task.to_string().as_bytes())).ok(),
            Some(found.clone())
        );
        found
    }

    #[test]
    fn a_position_has_its_legal_moves_and_lines() {
        let found = looked(START, "e2e4 e7e5 g1f3", 5000);
        assert_eq!(found["fen"], "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
        let legal = found["legal"].as_array().expect("moves");
        assert_eq!(legal.len(), 29);
        let knight = legal.iter().find(|m| m[0] == "b8c6").expect("a move");
        assert_eq!(knight[1], "Nc6");
        assert_eq!(knight[2], "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
        let lines = found["lines"].as_array().expect("lines");
        assert_eq!(lines.len(), 3);
        for line in lines {
            assert!(legal.iter().any(|m| m[0] == line["uci"] && m[1] == line["san"][0]), "{line}");
        }
        assert!(found["depth"].as_u64() > Some(2) && found["end"].is_null());
        assert_eq!(looked(START, "e2e4 e7e5 g1f3", 0)["lines"], json!([]));
    }

    #[test]
    fn evaluations_are_in_whites_view_and_mates_are_counted() {
        // Black mates in one.
        let found = looked(START, "f2f3 e7e5 g2g4", 5000);
        assert_eq!(found["lines"][0]["evaluation"], "#−1");
        assert_eq!(found["lines"][0]["san"], json!(["Qh4#"]));
    }

    #[test]
    fn a_game_that_is_over_has_its_end_and_no_moves() {
        let end = |start, moves: &str| looked(start, moves, 1000)["end"].clone();
        assert_eq!(end(START, "f2f3 e7e5 g2g4 d8h4"), json!(["checkmate", "0-1"]));
        assert_eq!(end(START, &"g1f3 g8f6 f3g1 f6g8 ".repeat(2)), json!(["repetition", "1/2-1/2"]));
        assert_eq!(end("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", ""), json!(["stalemate", "1/2-1/2"]));
        assert_eq!(looked(START, "f2f3 e7e5 g2g4 d8h4", 0)["legal"], json!([]));
        // A game may go on after a draw by repetition.
        let repeated = looked(START, &"g1f3 g8f6 f3g1 f6g8 ".repeat(2), 1000);
        assert!(repeated["legal"].as_array().map(Vec::len) == Some(20) && repeated["lines"][2].is_object());
    }

    #[test]
    fn castling_of_chess960_is_understood() {
        let start = "bbqnnrkr/pppppppp/8/8/8/8/PPPPP1PP/BBQNN1KR w H - 0 1";
        let legal = looked(start, "", 1000)["legal"].clone();
        let castling = legal.as_array().and_then(|all| all.iter().find(|m| m[1] == "O-O")).expect("castling");
        assert_eq!(castling[0], "g1h1");
        assert_eq!(looked(start, "g1h1", 0)["fen"], castling[2]);
        assert_eq!(
            looked(START, "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1", 0)["fen"],
            looked(START, "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1h1", 0)["fen"]
        );
    }

    #[test]
    fn an_opponent_replies_with_a_legal_move() {
        let reply = |level: u32, moves: &[&str]| {
            answer(&json!({"task": "reply", "start": START, "moves": moves, "level": level, "share": 0.4}))
        };
        let found = reply(1200, &["e2e4"]);
        let legal = looked(START, "e2e4", 0);
        assert!(
            legal["legal"].as_array().is_some_and(|all| all.iter().any(|m| m[0] == found["uci"])),
            "{found}"
        );
        assert_eq!(reply(99, &[])["error"], "a level is a rating from 800 to 2400");
        assert_eq!(reply(1200, &["f2f3", "e7e5", "g2g4", "d8h4"])["error"], "the game is over");
    }

    #[test]
    fn what_is_no_position_or_no_move_is_refused() {
        assert_eq!(looked(START, "e2e5", 0)["error"], "the move e2e5 is illegal");
        assert_eq!(looked(START, "e2", 0)["error"], "the move e2 is illegal");
        let error = looked("8/8/8/8/8/8/8/8 w - - 0 1", "", 0)["error"].to_string();
        assert!(error.contains("8/8/8/8/8/8/8/8 w - - 0 1: "), "{error}");
        assert!(looked("nothing", "", 0)["error"].to_string().contains("nothing: "));
    }
}
