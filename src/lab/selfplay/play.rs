//! One game between two players.

use std::time::Duration;

use shakmaty::{ByColor, CastlingMode, Chess, Color, Position, uci::UciMove};

use super::{
    adjudicate::Adjudication, game_record::Contender, game_record::GameRecord, openings::Opening,
    schedule::ScheduledGame,
};
use crate::base::text::with_causes;
use crate::chess::{ChosenMove, Ending, GameResult, GameSoFar, MoveLimit, Player, Referee, Score};
use crate::engine::Command;

#[derive(Debug, Clone, PartialEq)]
pub struct PlayedGame<C = Contender> {
    pub scheduled: ScheduledGame<C>,
    pub start: Chess,
    pub mode: CastlingMode,
    /// The moves of the opening, then the players' moves.
    pub moves: Vec<Ply>,
    /// Never [`GameResult::Unknown`].
    pub result: GameResult,
    pub ending: Ending,
    /// The loser's fault, if the game was forfeited.
    pub fault: Option<String>,
    /// Digest of the start position and the moves.
    pub line: u64,
    pub busy: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ply {
    /// The move in UCI notation. Castling is written for the game's mode, standard chess or Chess960.
    pub uci: UciMove,
    /// The player's score and effort; `None` in the opening.
    pub thought: Option<Thought>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thought {
    /// Score from White's view.
    pub score: Option<Score>,
    pub depth: Option<u32>,
    /// Number of positions searched, as in [`ChosenMove::nodes`].
    pub nodes: Option<u64>,
    pub time: Duration,
}

impl<C: Copy> PlayedGame<C> {
    pub fn record(&self) -> GameRecord<C> {
        GameRecord {
            game: self.scheduled.game,
            white: self.scheduled.white,
            black: self.scheduled.black,
            opening: self.scheduled.opening,
            result: self.result,
            ending: self.ending,
            plies: u32::try_from(self.moves.len()).expect("fewer plies than a u32 counts"),
            line: self.line,
        }
    }
}

/// Time by which a move may exceed its clock: the delay of a message on a busy machine.
const LATE: Duration = Duration::from_millis(20);

/// The limits of both sides. A clock runs while its player thinks.
struct MoveLimits(ByColor<MoveLimit>);

impl MoveLimits {
    /// Returns the limit of the side to move. If both sides have clocks, the limit contains both clocks.
    fn of(&self, turn: Color) -> MoveLimit {
        match (*self.0.get(turn), *self.0.get(!turn)) {
            (MoveLimit::Clock(mut own), MoveLimit::Clock(other)) => {
                *own.left.get_mut(!turn) = *other.left.get(!turn);
                *own.increment.get_mut(!turn) = *other.increment.get(!turn);
                MoveLimit::Clock(own)
            }
            (own, _) => own,
        }
    }

    /// Subtracts the time of a move from the clock of its side, and adds the increment. If the move took
    /// longer than the remaining time plus [`LATE`], the error is the verdict that the side lost.
    fn spend(&mut self, turn: Color, time: Duration) -> Result<(), Verdict> {
        let MoveLimit::Clock(clock) = self.0.get_mut(turn) else { return Ok(()) };
        let left = *clock.left.get(turn);
        if time > left + LATE {
            let fault = format!(
                "the engine's clock ran out: a move took {} ms, with {} ms left",
                time.as_millis(),
                left.as_millis()
            );
            return Err(Verdict { ending: Ending::Stall, winner: Some(!turn), fault: Some(fault) });
        }
        *clock.left.get_mut(turn) = left.saturating_sub(time) + *clock.increment.get(turn);
        Ok(())
    }
}

/// Plays the game of `scheduled` from `opening` to its end, each side within its limit or on its clock. A
/// player that fails, runs out of time, or makes an illegal move loses.
pub async fn play<P: Player, C>(
    mut players: ByColor<&mut P>,
    limits: ByColor<MoveLimit>,
    scheduled: ScheduledGame<C>,
    opening: &Opening,
    adjudication: &Adjudication,
) -> PlayedGame<C> {
    let mut game = GameInPlay::begin(opening);
    let (white, black) =
        tokio::join!(players.white.new_game(opening.mode), players.black.new_game(opening.mode));
    game.busy += game.begun.elapsed();
    let late = [(Color::White, white.err()), (Color::Black, black.err())];
    let mut limits = MoveLimits(limits);
    let mut verdict = late.into_iter().find_map(|(loser, error)| Some(Verdict::failed::<P>(loser, &error?)));
    let verdict = loop {
        match verdict.or_else(|| game.verdict(adjudication)) {
            Some(verdict) => break verdict,
            None => {
                let turn = game.so_far.turn();
                let choice = players.get_mut(turn).choose(&game.so_far, limits.of(turn)).await;
                verdict = match choice {
                    Ok(choice) => {
                        let spent = limits.spend(turn, choice.time);
                        spent.and_then(|()| game.play(choice, opening.mode)).err()
                    }
                    Err(error) => Some(Verdict::failed::<P>(turn, &error)),
                };
            }
        }
    };
    game.end(scheduled, opening, verdict)
}

struct Verdict {
    ending: Ending,
    winner: Option<Color>,
    fault: Option<String>,
}

impl Verdict {
    fn failed<P: Player>(loser: Color, error: &P::Error) -> Verdict {
        let ending = if P::is_stall(error) { Ending::Stall } else { Ending::Crash };
        Verdict { ending, winner: Some(!loser), fault: Some(with_causes(error)) }
    }
}

struct GameInPlay {
    referee: Referee,
    so_far: GameSoFar,
    moves: Vec<Ply>,
    /// The scores of the engines' moves, for adjudication.
    scores: Vec<Option<Score>>,
    begun: std::time::Instant,
    busy: Duration,
}

impl GameInPlay {
    fn begin(opening: &Opening) -> GameInPlay {
        GameInPlay {
            referee: opening.referee(),
            so_far: opening.game(),
            moves: opening.moves.iter().map(|&uci| Ply { uci, thought: None }).collect(),
            scores: Vec::new(),
            begun: std::time::Instant::now(),
            busy: Duration::ZERO,
        }
    }

    /// Returns the ending by the rules of chess or of the experiment, if the game is over.
    fn verdict(&self, adjudication: &Adjudication) -> Option<Verdict> {
        let by_rules = self.referee.ending();
        let mover = !self.so_far.turn();
        let ending = by_rules.or_else(|| adjudication.ending(&self.scores, mover, self.moves.len()));
        ending.map(|(ending, winner)| Verdict { ending, winner, fault: None })
    }

    /// Plays the choice of the side to move. The error is the verdict on an illegal move.
    fn play(&mut self, choice: ChosenMove, mode: CastlingMode) -> Result<(), Verdict> {
        let ChosenMove { best, score, depth, nodes, time } = choice;
        self.busy += time;
        let m = best.and_then(|best| best.to_move(self.referee.position()).ok()).ok_or_else(|| {
            let fault = match best {
                Some(best) => format!("the move {best} is illegal"),
                None => "the engine found no move, although legal moves exist".to_owned(),
            };
            let winner = Some(!self.referee.position().turn());
            Verdict { ending: Ending::IllegalMove, winner, fault: Some(fault) }
        })?;
        let uci = m.to_uci(mode);
        self.referee.play(m);
        self.so_far.push(uci);
        self.moves.push(Ply { uci, thought: Some(Thought { score, depth, nodes, time }) });
        self.scores.push(score);
        Ok(())
    }

    fn end<C>(self, scheduled: ScheduledGame<C>, opening: &Opening, verdict: Verdict) -> PlayedGame<C> {
        let Verdict { ending, winner, fault } = verdict;
        PlayedGame {
            scheduled,
            start: opening.start.clone(),
            mode: opening.mode,
            moves: self.moves,
            result: GameResult::of_winner(winner),
            ending,
            fault,
            line: Command::line_digest(&self.so_far),
            busy: self.busy,
        }
    }
}

/// Scripted players, for tests of games without a process.
#[cfg(test)]
pub(super) mod script {
    use super::*;
    use crate::chess::Limit;

    /// A player that knows lines. It continues the first line that begins with the moves of the game, and
    /// fails if there is none.
    #[derive(Debug, Clone, Default)]
    pub struct Script {
        /// The moves of both sides in UCI notation.
        pub lines: Vec<&'static str>,
        /// True if the player stalls instead of failing.
        pub stalls: bool,
        /// Score of every position in centipawns, from White's view.
        pub score: i32,
    }

    #[derive(Debug, thiserror::Error)]
    #[error("{0}")]
    pub struct ScriptFailure(pub &'static str);

    impl Player for Script {
        type Error = ScriptFailure;

        async fn new_game(&mut self, _: CastlingMode) -> Result<(), ScriptFailure> {
            Ok(())
        }

        async fn choose(&mut self, game: &GameSoFar, limit: MoveLimit) -> Result<ChosenMove, ScriptFailure> {
            let MoveLimit::Search(Limit::Depth(depth)) = limit else { return Err(ScriptFailure("no depth")) };
            let played = game.moves().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            let next = self
                .lines
                .iter()
                .find_map(|moves| moves.strip_prefix(played.as_str())?.split_whitespace().next());
            match next {
                _ if self.stalls => Err(ScriptFailure("silent")),
                None => Err(ScriptFailure("gone")),
                Some(uci) => Ok(ChosenMove {
                    best: uci.parse().ok(),
                    score: Some(Score::Cp(self.score)),
                    depth: Some(depth),
                    nodes: None,
                    time: Duration::from_millis(500),
                }),
            }
        }

        fn is_stall(ScriptFailure(why): &ScriptFailure) -> bool {
            *why == "silent"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::game_record::Side, script::Script, *};
    use crate::chess::{Clock, Limit};
    use crate::lab::{selfplay::adjudicate::ResignRule, selfplay::openings};

    fn scheduled() -> ScheduledGame {
        let depth = |depth| Contender { side: Side::Engine, depth };
        ScheduledGame { game: 3, white: depth(4), black: depth(5), opening: None, turn: 1 }
    }

    fn game_of(white: Script, black: Script, opening: &Opening, rules: Adjudication) -> PlayedGame {
        let mut players = ByColor { white, black };
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let scheduled = scheduled();
        let limits = ByColor { white: scheduled.white, black: scheduled.black }.map(Contender::limit);
        runtime.block_on(play(players.as_mut(), limits, scheduled, opening, &rules))
    }

    fn script(moves: &'static str) -> Script {
        Script { lines: vec![moves], ..Script::default() }
    }

    /// Returns a game of `moves` from the usual start without further rules.
    fn game(moves: &'static str) -> PlayedGame {
        game_of(script(moves), script(moves), &Opening::default(), Adjudication::default())
    }

    #[test]
    fn a_clock_runs_while_its_player_thinks_and_the_other_side_knows_it() {
        let seconds = Duration::from_secs_f64;
        let clock = |base, increment| MoveLimit::Clock(Clock::of(seconds(base), seconds(increment)));
        let mut limits = MoveLimits(ByColor { white: clock(1.0, 0.1), black: clock(9.0, 0.5) });
        assert!(limits.spend(Color::White, seconds(0.6)).is_ok());
        let MoveLimit::Clock(of_black) = limits.of(Color::Black) else { panic!("a clock") };
        assert_eq!((of_black.left.white, of_black.left.black), (seconds(0.5), seconds(9.0)));
        assert_eq!((of_black.increment.white, of_black.increment.black), (seconds(0.1), seconds(0.5)));
        let lost = limits.spend(Color::White, seconds(0.6)).expect_err("half a second was left");
        assert_eq!((lost.ending, lost.winner), (Ending::Stall, Some(Color::Black)));
        let mut mixed = MoveLimits(ByColor { white: clock(1.0, 0.0), black: Limit::Depth(3).into() });
        assert_eq!(mixed.of(Color::Black), MoveLimit::Search(Limit::Depth(3)));
        assert!(mixed.spend(Color::Black, seconds(99.0)).is_ok(), "a depth has no clock");
    }

    #[test]
    fn a_game_is_played_to_mate_with_what_each_side_thought() {
        let played = game("f2f3 e7e5 g2g4 d8h4");
        assert_eq!((played.ending, played.result), (Ending::Checkmate, GameResult::BlackWins));
        assert_eq!(played.record().plies, 4);
        let depths: Vec<_> = played.moves.iter().filter_map(|ply| ply.thought?.depth).collect();
        assert_eq!(depths, [4, 5, 4, 5]);
        assert_eq!(played.busy.as_secs(), 2, "four moves of half a second each");
    }

    #[test]
    fn a_player_who_fails_or_breaks_the_rules_has_lost() {
        let forfeit = |played: PlayedGame| (played.ending, played.result, played.fault.expect("a fault"));
        let white_wins = GameResult::WhiteWins;
        let crash = forfeit(game("e2e4"));
        assert_eq!(crash, (Ending::Crash, white_wins, "gone".to_owned()));
        let illegal = forfeit(game("e2e4 e7e4"));
        assert_eq!(illegal, (Ending::IllegalMove, white_wins, "the move e7e4 is illegal".to_owned()));
        let silent = Script { stalls: true, ..Script::default() };
        let rules = Adjudication::default();
        let stall = forfeit(game_of(silent, Script::default(), &Opening::default(), rules));
        assert_eq!(stall, (Ending::Stall, GameResult::BlackWins, "silent".to_owned()));
    }

    #[test]
    fn an_opening_is_played_before_anybody_thinks() {
        let opening = openings::read("1. f3 e5 *", "book", None).openings.remove(0);
        let moves = "f2f3 e7e5 g2g4 d8h4";
        let played = game_of(script(moves), script(moves), &opening, Adjudication::default());
        let thought: Vec<bool> = played.moves.iter().map(|ply| ply.thought.is_some()).collect();
        assert_eq!(thought, [false, false, true, true]);
        assert_eq!(played.line, game(moves).line, "the same moves from the same start");
        assert_ne!(played.line, game("e2e4").line);
        let without_castling = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
        let elsewhere = openings::read(without_castling, "book", None).openings.remove(0);
        let same = game_of(script(moves), script(moves), &elsewhere, Adjudication::default());
        assert_ne!(played.line, same.line, "the same moves from another start");
    }

    #[test]
    fn a_resignation_needs_the_scores_of_both() {
        let moves = "e2e4 e7e5 g1f3 g8f6 f1c4";
        let rules =
            Adjudication { resign: Some(ResignRule { moves: 2, cp: 300 }), ..Adjudication::default() };
        let sees = |score| Script { score, ..script(moves) };
        let resigned = game_of(sees(400), sees(300), &Opening::default(), rules);
        assert_eq!((resigned.ending, resigned.result), (Ending::ResignationRule, GameResult::WhiteWins));
        assert_eq!(resigned.moves.len(), 4);
        let fought = game_of(sees(400), sees(299), &Opening::default(), rules);
        assert_eq!(fought.ending, Ending::Crash, "it went on to the end of the script");
    }
}
