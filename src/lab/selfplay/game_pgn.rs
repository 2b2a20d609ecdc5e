//! Writes a game of an experiment in PGN, and reads its record back.

use std::collections::BTreeMap;

use shakmaty::{Color, Position, san::SanPlus};

use super::{
    game_record::Contender, game_record::GameRecord, game_record::Side, openings::Opening, play::PlayedGame,
    play::Ply, schedule::ScheduledGame,
};
use crate::base::{seal, seal::SealError};
use crate::chess::{
    Annotation, Ending, Game, GameResult, GameSource, PlayedMove, Repairs, Score, SignedScore, Tags,
    pgn::noted_game,
};
use crate::engine::Command;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameHeader<C = Contender> {
    pub event: &'static str,
    /// The players' names: `Stockfish 15.1 depth 8`.
    pub players: BTreeMap<C, String>,
    pub adjudication: String,
    /// The date in PGN form, `2026.01.31`.
    pub date: String,
}

impl<C: Ord> GameHeader<C> {
    pub fn player(&self, contender: &C) -> &str {
        self.players.get(contender).map_or("?", String::as_str)
    }
}

impl GameHeader {
    /// Returns the header of games of an engine at fixed depths, with names for `contenders`.
    pub fn of_depths(
        engine: &str,
        opponent: Option<&str>,
        contenders: impl IntoIterator<Item = Contender>,
    ) -> GameHeader {
        let name = |contender: Contender| {
            let name = match (contender.side, opponent) {
                (Side::Opponent, Some(opponent)) if opponent == engine => format!("{opponent} (opponent)"),
                (Side::Opponent, Some(opponent)) => opponent.to_owned(),
                _ => engine.to_owned(),
            };
            (contender, format!("{name} depth {}", contender.depth))
        };
        GameHeader {
            event: "Games at fixed depths",
            players: contenders.into_iter().map(name).collect(),
            adjudication: String::new(),
            date: String::new(),
        }
    }
}

/// The tag with the game's index in the schedule, from 0.
const GAME: &str = "GameId";
const PLIES: &str = "PlyCount";
/// The tag with the [`Ending`], named as in results.csv. The values of PGN's `Termination` tag are too few to
/// distinguish all endings.
const ENDING: &str = "Ending";

/// The last tag: the digest of the game's text without this line.
const DIGEST: &str = "Digest";

/// Returns the game in PGN. Each move of an engine has a comment such as `{+0.31/12 0.512s, n=5000}`. The
/// comment gives the evaluation from the engine's own view in pawns (`+M5` for a mate), the depth in plies
/// and the time in seconds. The number of positions `n` follows if the player reports it.
pub fn write<C: Ord>(game: &PlayedGame<C>, header: &GameHeader<C>) -> String {
    let notes: Vec<String> =
        game.moves.iter().zip(movers(game)).map(|(ply, mover)| note(ply, mover)).collect();
    let text = noted_game(&pgn_game(game, header), &notes);
    let at = text.find("\n\n").map_or(0, |at| at + 1);
    [&text[..at], &digest_tag(&text), &text[at..]].concat()
}

fn digest_tag(text: &str) -> String {
    format!("[{DIGEST} \"{}\"]\n", seal::digest(text.as_bytes()))
}

/// Checks that the text of a game is unchanged since [`write()`] wrote it.
pub fn check_digest(text: &str) -> Result<(), SealError> {
    let at = text.find(&format!("\n[{DIGEST} \"")).ok_or(SealError::Missing)? + 1;
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
    let is_whole = text[at..end] == digest_tag(&[&text[..at], &text[end..]].concat());
    if is_whole { Ok(()) } else { Err(SealError::Broken) }
}

fn movers<C>(game: &PlayedGame<C>) -> impl Iterator<Item = Color> {
    std::iter::successors(Some(game.start.turn()), |&mover| Some(!mover))
}

fn pgn_game<C: Ord>(game: &PlayedGame<C>, header: &GameHeader<C>) -> Game {
    let mut moves = san_moves(game);
    let mut preamble = Vec::new();
    if let Some(fault) = fault(game) {
        let place = moves.last_mut().map_or(&mut preamble, |played| &mut played.annotations);
        place.push(Annotation::Comment(fault));
    }
    Game {
        source: GameSource::default(),
        tags: tags(game, header),
        start: game.start.clone(),
        mode: game.mode,
        moves,
        result: game.result,
        preamble,
        start_eval: None,
        book_plies: None,
        repairs: Repairs::default(),
    }
}

fn san_moves<C>(game: &PlayedGame<C>) -> Vec<PlayedMove> {
    let mut position = game.start.clone();
    let san = |ply: &Ply| {
        let m = ply.uci.to_move(&position).expect("a move that was played");
        let san = SanPlus::from_move_and_play_unchecked(&mut position, m);
        PlayedMove { san, uci: ply.uci, annotations: Vec::new(), eval: None, clock: None, elapsed: None }
    };
    game.moves.iter().map(san).collect()
}

/// Returns the loser's fault, if the game was forfeited.
fn fault<C>(game: &PlayedGame<C>) -> Option<String> {
    let fault = game.fault.as_ref()?;
    let loser = match game.result.half_points(Color::White) {
        Some(0) => "White",
        _ => "Black",
    };
    Some(format!("{loser} forfeits ({}): {fault}", game.ending.words()))
}

fn tags<C: Ord>(game: &PlayedGame<C>, header: &GameHeader<C>) -> Tags {
    let ScheduledGame { game: number, white, black, .. } = &game.scheduled;
    let mut tags = Tags::default();
    for (name, value) in [
        ("Event", header.event),
        ("Date", &header.date),
        ("White", header.player(white)),
        ("Black", header.player(black)),
        (GAME, &number.to_string()),
        ("WhiteType", "program"),
        ("BlackType", "program"),
        ("TimeControl", "-"),
        (PLIES, &game.moves.len().to_string()),
        ("Termination", game.ending.termination()),
        (ENDING, game.ending.name()),
        ("Annotator", concat!("gainalyze ", env!("CARGO_PKG_VERSION"))),
    ] {
        tags.set(name, value);
    }
    if !header.adjudication.is_empty() {
        tags.set("Adjudication", &header.adjudication);
    }
    tags
}

/// Returns the note after a move; empty in the opening.
fn note(ply: &Ply, mover: Color) -> String {
    let Some(thought) = ply.thought else { return String::new() };
    let score = thought.score.map(|score| score_text(score, mover));
    let depth = thought.depth.map(|depth| format!("/{depth}"));
    let seen = score.map(|score| format!("{score}{} ", depth.unwrap_or_default()));
    let nodes = thought.nodes.map(|nodes| format!(", n={nodes}")).unwrap_or_default();
    format!("{}{:.3}s{nodes}", seen.unwrap_or_default(), thought.time.as_secs_f64())
}

/// Formats a score from the mover's view with a sign, in pawns or as a mate.
fn score_text(score: Score, mover: Color) -> String {
    match score.seen_by(mover) {
        SignedScore::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        SignedScore::Mate(moves) => format!("{}M{}", if moves < 0 { '-' } else { '+' }, moves.unsigned_abs()),
    }
}

/// Returns the record of a game that was written by [`write()`].
///
/// `scheduled` returns the scheduled game with a given number. The error describes any mismatch. The ending
/// and the result must fit the final position.
pub fn read<C: Copy + Ord>(
    game: &Game,
    header: &GameHeader<C>,
    scheduled: impl Fn(u32) -> Option<ScheduledGame<C>>,
) -> Result<GameRecord<C>, String> {
    let tag = |name: &str| game.tags.get(name).ok_or_else(|| format!("the game has no tag {name}"));
    let number = tag(GAME)?;
    let Some(ScheduledGame { game: number, white, black, opening, .. }) =
        number.parse().ok().and_then(scheduled)
    else {
        return Err(format!("game {number} is not in the schedule"));
    };
    for (color, contender) in [(Color::White, white), (Color::Black, black)] {
        let (found, wanted) = (game.player(color), header.player(&contender));
        if found != wanted {
            return Err(format!("game {number} has the player {found:?}, but the schedule has {wanted:?}"));
        }
    }
    let ending = tag(ENDING)?;
    let plies = u32::try_from(game.moves.len()).expect("fewer plies than a u32 counts");
    if tag(PLIES)?.parse() != Ok(plies) {
        return Err(format!("game {number} has {plies} plies, but its tag {PLIES} has another number"));
    }
    let ending = Ending::ALL
        .into_iter()
        .find(|known| known.name() == ending)
        .ok_or_else(|| format!("game {number} cannot end with {ending:?}"))?;
    let (result, played) = (game.result, Opening::of_game(game, None));
    let on_the_board =
        played.referee().ending().map(|(ending, winner)| (ending, GameResult::of_winner(winner)));
    if !on_the_board.map_or(ending.may_end_unfinished(result), |found| found == (ending, result)) {
        let found = on_the_board.map_or("the game is not over".to_owned(), |(ending, result)| {
            format!("the game is {ending}, {result}")
        });
        return Err(format!("game {number} says {ending}, {result}, but on the board {found}"));
    }
    let line = Command::line_digest(&played.game());
    Ok(GameRecord { game: number, white, black, opening, result, ending, plies, line })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;
    use shakmaty::{CastlingMode, Chess};

    use super::{super::play::Thought, *};
    use crate::chess::{Mate, pgn::parse_games};
    use crate::lab::selfplay::openings;

    fn contender(side: Side, depth: u32) -> Contender {
        Contender { side, depth }
    }

    fn header() -> GameHeader {
        let contenders = [scheduled().white, scheduled().black];
        GameHeader {
            adjudication: "max-moves 9".to_owned(),
            date: "2026.01.31".to_owned(),
            ..GameHeader::of_depths("Fish 1", Some("Fish 1"), contenders)
        }
    }

    fn scheduled() -> ScheduledGame {
        let (white, black) = (contender(Side::Opponent, 7), contender(Side::Engine, 12));
        ScheduledGame { game: 40, white, black, opening: Some(2), turn: 20 }
    }

    fn ply(uci: &str, score: Option<Score>) -> Ply {
        let thought = Thought { score, depth: Some(12), nodes: None, time: Duration::from_micros(512_400) };
        Ply { uci: uci.parse().expect("a move"), thought: Some(thought) }
    }

    fn played(moves: Vec<Ply>) -> PlayedGame {
        let uci = moves.iter().map(|ply| ply.uci).collect();
        let opening = Opening { moves: uci, ..Opening::default() };
        PlayedGame {
            scheduled: scheduled(),
            start: Chess::default(),
            mode: CastlingMode::Standard,
            moves,
            result: GameResult::BlackWins,
            ending: Ending::IllegalMove,
            fault: Some("the move a1h8 is illegal".to_owned()),
            line: Command::line_digest(&opening.game()),
            busy: Duration::ZERO,
        }
    }

    #[test]
    fn a_game_is_written_as_other_tools_read_it() {
        let mate = Score::Mate(Mate { winner: Color::Black, moves: 5 });
        let book = Ply { thought: None, ..ply("e2e4", None) };
        let moves = vec![book, ply("e7e5", Some(Score::Cp(-31))), ply("g1f3", Some(mate)), ply("b8c6", None)];
        let text = write(&played(moves), &header());
        let (tags, moves) = text.split_once("\n\n").expect("a blank line");
        assert_eq!(
            moves,
            "1. e4 e5 {+0.31/12 0.512s} 2. Nf3 {-M5/12 0.512s} 2... Nc6 {0.512s} { White\n\
             forfeits (illegal move): the move a1h8 is illegal } 0-1\n\n"
        );
        for tag in [
            "[White \"Fish 1 (opponent) depth 7\"]",
            "[Black \"Fish 1 depth 12\"]",
            "[GameId \"40\"]",
            "[PlyCount \"4\"]",
            "[Termination \"rules infraction\"]",
            "[Ending \"illegal-move\"]",
            "[Adjudication \"max-moves 9\"]",
        ] {
            assert!(tags.contains(tag), "{tag} is not in: {tags}");
        }
    }

    #[test]
    fn what_does_not_fit_the_schedule_is_said() {
        let text = write(&played(vec![ply("e2e4", None)]), &header());
        let problem = |text: &str, scheduled: Option<ScheduledGame>| {
            let game = parse_games(text, "games.pgn").remove(0).expect("a game");
            read(&game, &header(), |number| scheduled.filter(|scheduled| scheduled.game == number))
                .expect_err("a misfit")
        };
        let ours = Some(scheduled());
        assert_eq!(problem(&text, None), "game 40 is not in the schedule");
        let reversed = ScheduledGame { white: scheduled().black, black: scheduled().white, ..scheduled() };
        assert!(
            problem(&text, Some(reversed))
                .starts_with("game 40 has the player \"Fish 1 (opponent) depth 7\"")
        );
        assert!(problem(&text.replace("Count \"1", "Count \"2"), ours).contains("has 1 plies"));
        assert!(problem(&text.replace("illegal-move", "boredom"), ours).contains("cannot end with"));
        assert!(problem(&text.replace("[Ending", "[Finale"), ours).contains("no tag Ending"));
        assert_eq!(
            problem(&text.replace("\"illegal-move", "\"checkmate"), ours),
            "game 40 says checkmate, 0-1, but on the board the game is not over"
        );
        let drawn = problem(&text.replace("\"illegal-move", "\"draw-rule"), ours);
        assert_eq!(drawn, "game 40 says draw-rule, 0-1, but on the board the game is not over");
    }

    #[test]
    fn the_final_position_tells_how_a_game_ended() {
        let moves = ["f2f3", "e7e5", "g2g4", "d8h4"].map(|uci| ply(uci, None)).to_vec();
        let game = PlayedGame { ending: Ending::Checkmate, fault: None, ..played(moves) };
        let text = write(&game, &header());
        let told = |text: &str| {
            let game = parse_games(text, "games.pgn").remove(0).expect("a game");
            read(&game, &header(), |_| Some(scheduled())).map(|record| record.result)
        };
        assert_eq!(told(&text), Ok(GameResult::BlackWins));
        let reversed = text.replace("[Result \"0-1", "[Result \"1-0").replace(" 0-1\n", " 1-0\n");
        let other = text.replace("[Ending \"checkmate", "[Ending \"stall");
        for (edited, says) in [(reversed, "checkmate, 1-0"), (other, "stall, 0-1")] {
            let problem = told(&edited).expect_err("not what is on the board");
            assert_eq!(problem, format!("game 40 says {says}, but on the board the game is checkmate, 0-1"));
            assert_eq!(check_digest(&edited), Err(SealError::Broken));
        }
    }

    #[test]
    fn every_byte_of_a_game_counts() {
        let text = write(&played(vec![ply("e2e4", Some(Score::Cp(31)))]), &header());
        assert_eq!(check_digest(&text), Ok(()));
        for at in 0..text.len() {
            let mut flipped = text.clone().into_bytes();
            flipped[at] ^= 1;
            let flipped = String::from_utf8(flipped).expect("ASCII");
            assert!(check_digest(&flipped).is_err(), "byte {at}");
        }
    }

    prop_compose! {
        /// Returns a game of random moves. All moves have the same random score, and the ending is random.
        fn any_game()(
            plies in 1u32..40, seed in any::<u64>(), cp in -2000i32..2000, ending in prop::sample::select(
                Ending::ALL.into_iter().filter(|ending| ending.may_end_unfinished(GameResult::BlackWins)).collect::<Vec<_>>(),
            ),
        ) -> PlayedGame {
            let opening = openings::random(plies, 1, seed).remove(0);
            let moves = opening.moves.iter().map(|uci| ply(&uci.to_string(), Some(Score::Cp(cp)))).collect();
            PlayedGame { ending, ..played(moves) }
        }
    }

    proptest! {
        #[test]
        fn a_game_read_back_is_the_game_that_was_written(game in any_game()) {
            let text = write(&game, &header());
            let read_back = parse_games(&text, "games.pgn").remove(0).expect("a game");
            let record = read(&read_back, &header(), |_| Some(scheduled())).expect("a game of ours");
            prop_assert_eq!(record, game.record());
            prop_assert_eq!(check_digest(&text), Ok(()));
        }
    }
}
