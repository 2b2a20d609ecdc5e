//! [`BoardGame`]: a game of a person against the player, with its state and PGN.

use std::time::Duration;

use shakmaty::{CastlingMode, Chess, Color, Move, Position, san::SanPlus};

use super::course::CourseMove;
use crate::chess::{
    Annotation, Ending, Game, GameResult, GameSoFar, GameSource, PlayedMove, Referee, Repairs, Tags,
};

const EVENT: &str = "Game against gainalyze spar";

/// The tags with the types of White's and Black's player, `human` or `program`.
const TYPES: [&str; 2] = ["WhiteType", "BlackType"];
const HUMAN: &str = "human";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    pub person: String,
    pub player: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameOver {
    /// The end by the rules of chess, with the winner if there is one.
    Rules(Ending, Option<Color>),
    Resigned(Color),
    /// The time of this side is over. If the other side cannot mate, the game is drawn.
    Time(Color),
    Agreed,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BoardGameError {
    #[error("the game in this file was not played against gainalyze spar")]
    Foreign,
    #[error("the game in this file is over ({0})")]
    Over(GameResult),
}

#[derive(Debug, Clone)]
pub struct BoardGame {
    tags: Tags,
    person: Color,
    so_far: GameSoFar,
    moves: Vec<PlayedMove>,
    preamble: Vec<Annotation>,
    referee: Referee,
    over: Option<GameOver>,
    /// One entry per take-back since the last new move, the latest take-back at the end. An entry has the
    /// removed moves in the order of play.
    taken_back: Vec<Vec<PlayedMove>>,
}

impl BoardGame {
    /// Starts a game from `start`, in which the person plays the color `person`. `date` is in PGN form, and
    /// `control` is the value of the tag `TimeControl`.
    pub fn new(person: Color, names: &Names, date: &str, start: &GameSoFar, control: &str) -> BoardGame {
        let [white, black] = person.fold_wb([&names.person, &names.player], [&names.player, &names.person]);
        let types = person.fold_wb([HUMAN, "program"], ["program", HUMAN]);
        let mut tags = Tags::default();
        for (name, value) in [
            ("Event", EVENT),
            ("Date", date),
            ("Round", "-"),
            ("White", white),
            ("Black", black),
            (TYPES[0], types[0]),
            (TYPES[1], types[1]),
            ("TimeControl", control),
            ("Annotator", concat!("gainalyze ", env!("CARGO_PKG_VERSION"))),
        ] {
            tags.set(name, value);
        }
        let mut game = BoardGame::at_start(tags, person, start.start().clone(), start.mode());
        for uci in start.moves() {
            if let Ok(m) = uci.to_move(game.position()) {
                game.play(m);
            }
        }
        game
    }

    fn at_start(tags: Tags, person: Color, start: Chess, mode: CastlingMode) -> BoardGame {
        let so_far = GameSoFar::new(start.clone(), mode);
        let referee = Referee::new(start);
        BoardGame {
            tags,
            person,
            so_far,
            moves: Vec::new(),
            preamble: Vec::new(),
            over: over(&referee),
            referee,
            taken_back: Vec::new(),
        }
    }

    /// Continues a game that was saved before its end.
    pub fn resumed(game: &Game) -> Result<BoardGame, BoardGameError> {
        let is_person = |color: Color| game.tags.get(TYPES[color.fold_wb(0, 1)]) == Some(HUMAN);
        let person = Color::ALL.into_iter().find(|&color| is_person(color));
        let is_ours = game.tags.get("Event") == Some(EVENT);
        let person = person.filter(|_| is_ours).ok_or(BoardGameError::Foreign)?;
        if game.result != GameResult::Unknown {
            return Err(BoardGameError::Over(game.result));
        }
        let mut resumed = BoardGame::at_start(game.tags.clone(), person, game.start.clone(), game.mode);
        for played in &game.moves {
            let m = played.uci.to_move(resumed.position()).map_err(|_| BoardGameError::Foreign)?;
            resumed.play(m);
        }
        resumed.moves.clone_from(&game.moves);
        resumed.preamble.clone_from(&game.preamble);
        Ok(resumed)
    }

    pub fn person(&self) -> Color {
        self.person
    }

    pub fn person_name(&self) -> &str {
        self.tags.get(self.person.fold_wb("White", "Black")).unwrap_or_default()
    }

    pub fn position(&self) -> &Chess {
        self.referee.position()
    }

    pub fn so_far(&self) -> &GameSoFar {
        &self.so_far
    }

    pub fn last(&self) -> Option<&PlayedMove> {
        self.moves.last()
    }

    /// Returns the last recorded time on the clock of `side`, if there is one.
    pub fn time_left(&self, side: Color) -> Option<Duration> {
        let of_side = |(ply, played): (usize, &PlayedMove)| played.clock.filter(|_| self.mover(ply) == side);
        self.moves.iter().enumerate().filter_map(of_side).next_back()
    }

    /// Returns the side that makes the move at `ply`.
    fn mover(&self, ply: usize) -> Color {
        let first = self.so_far.start().turn();
        if ply.is_multiple_of(2) { first } else { !first }
    }

    /// Returns the end of the game; `None` while it continues.
    pub fn over(&self) -> Option<GameOver> {
        self.over
    }

    pub fn set_tag(&mut self, name: &str, value: &str) {
        self.tags.set(name, value);
    }

    pub fn play(&mut self, m: Move) {
        self.taken_back.clear();
        let uci = m.to_uci(self.so_far.mode());
        let san = SanPlus::from_move(self.position().clone(), m);
        self.referee.play(m);
        self.so_far.push(uci);
        self.moves.push(PlayedMove {
            san,
            uci,
            annotations: Vec::new(),
            eval: None,
            clock: None,
            elapsed: None,
        });
        self.over = over(&self.referee);
    }

    /// Records the time left on the clock of the side that made the last move.
    pub fn note_clock(&mut self, left: Duration) {
        if let Some(last) = self.moves.last_mut() {
            last.clock = Some(left);
        }
    }

    /// Adds the controller's numbers to the last move as a comment, for continuing a resumed game.
    pub fn note_course(&mut self, seen: &CourseMove) {
        if let Some(last) = self.moves.last_mut() {
            last.annotations.push(Annotation::Comment(seen.to_string()));
        }
    }

    /// Returns the controller's numbers for the player's moves. Comments on the person's moves do not count.
    pub fn course(&self) -> Vec<CourseMove> {
        let of = |(ply, played): (usize, &PlayedMove)| {
            played.annotations.iter().find_map(|one| CourseMove::read(ply as u64, one.comment()?))
        };
        let is_own = |(ply, _): &(usize, &PlayedMove)| self.mover(*ply) != self.person;
        self.moves.iter().enumerate().filter(is_own).filter_map(of).collect()
    }

    pub fn tags(&self) -> &Tags {
        &self.tags
    }

    /// Adds a comment to the last move, which was played after the hint `san`.
    pub fn note_hint(&mut self, san: &str) {
        if let Some(last) = self.moves.last_mut() {
            last.annotations.push(Annotation::Comment(format!("hint: {san}")));
        }
    }

    /// Ends the game for a reason other than the rules of chess.
    pub fn end(&mut self, over: GameOver) {
        self.over = Some(over);
    }

    /// Takes back the person's last move and the reply to it. Returns false if the person has not moved.
    pub fn take_back(&mut self) -> bool {
        let ours = |ply: &usize| self.mover(*ply) == self.person;
        let Some(ply) = (0..self.moves.len()).rev().find(ours) else { return false };
        let mut kept = std::mem::take(&mut self.moves);
        let mut taken_back = std::mem::take(&mut self.taken_back);
        taken_back.push(kept.split_off(ply));
        self.replay(kept);
        self.taken_back = taken_back;
        true
    }

    /// Plays the moves of the latest take-back again. Returns false if no moves were taken back.
    pub fn redo(&mut self) -> bool {
        let mut taken_back = std::mem::take(&mut self.taken_back);
        let Some(again) = taken_back.pop() else { return false };
        let mut moves = std::mem::take(&mut self.moves);
        moves.extend(again);
        self.replay(moves);
        self.taken_back = taken_back;
        true
    }

    /// Plays `moves` from the start position, and keeps their annotations.
    fn replay(&mut self, moves: Vec<PlayedMove>) {
        let (start, mode) = (self.so_far.start().clone(), self.so_far.mode());
        let mut game = BoardGame::at_start(std::mem::take(&mut self.tags), self.person, start, mode);
        for played in &moves {
            if let Ok(m) = played.uci.to_move(game.position()) {
                game.play(m);
            }
        }
        *self = BoardGame { moves, preamble: std::mem::take(&mut self.preamble), ..game };
    }

    pub fn result(&self) -> GameResult {
        let won = |winner: Color| winner.fold_wb(GameResult::WhiteWins, GameResult::BlackWins);
        match self.over {
            None => GameResult::Unknown,
            Some(GameOver::Rules(_, Some(winner))) => won(winner),
            Some(GameOver::Resigned(loser)) => won(!loser),
            Some(GameOver::Time(loser)) if !self.position().has_insufficient_material(!loser) => won(!loser),
            Some(GameOver::Rules(_, None) | GameOver::Time(_) | GameOver::Agreed) => GameResult::Draw,
        }
    }

    pub fn game(&self) -> Game {
        let mut tags = self.tags.clone();
        tags.set("PlyCount", &self.moves.len().to_string());
        match self.over {
            None => tags.set("Termination", "unterminated"),
            Some(over) => {
                let is_time = matches!(over, GameOver::Time(_));
                tags.set("Termination", if is_time { "time forfeit" } else { "normal" });
                tags.set("Ending", &over.words());
            }
        }
        Game {
            source: GameSource { file: String::new(), number: 1, ordinal: 1 },
            tags,
            start: self.so_far.start().clone(),
            mode: self.so_far.mode(),
            moves: self.moves.clone(),
            result: self.result(),
            preamble: self.preamble.clone(),
            start_eval: None,
            book_plies: None,
            repairs: Repairs::default(),
        }
    }
}

fn over(referee: &Referee) -> Option<GameOver> {
    referee.ending().map(|(ending, winner)| GameOver::Rules(ending, winner))
}

impl GameOver {
    pub fn words(self) -> String {
        match self {
            GameOver::Rules(ending, _) => ending.words(),
            GameOver::Resigned(_) => "resignation".to_owned(),
            GameOver::Time(_) => "on time".to_owned(),
            GameOver::Agreed => "agreed draw".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::pgn::{noted_game, parse_games};

    fn names() -> Names {
        Names { person: "Ann".to_owned(), player: "gainalyze spar (even)".to_owned() }
    }

    fn start() -> GameSoFar {
        GameSoFar::new(Chess::default(), CastlingMode::Standard)
    }

    fn played(person: Color, moves: &str) -> BoardGame {
        let mut game = BoardGame::new(person, &names(), "2026.01.31", &start(), "-");
        for uci in moves.split_whitespace() {
            let uci: shakmaty::uci::UciMove = uci.parse().expect("a move");
            game.play(uci.to_move(game.position()).expect("a legal move"));
        }
        game
    }

    fn text(game: &BoardGame) -> String {
        noted_game(&game.game(), &[])
    }

    fn read(text: &str) -> Game {
        parse_games(text, "game.pgn").remove(0).expect("a game")
    }

    #[test]
    fn a_game_ends_by_the_rules_by_resignation_or_by_agreement() {
        let mate = played(Color::Black, "f2f3 e7e5 g2g4 d8h4");
        assert_eq!(mate.over(), Some(GameOver::Rules(Ending::Checkmate, Some(Color::Black))));
        assert!(text(&mate).contains("[Ending \"checkmate\"]") && text(&mate).ends_with("Qh4# 0-1\n\n"));
        let mut resigned = played(Color::White, "e2e4");
        assert_eq!((resigned.over(), resigned.result()), (None, GameResult::Unknown));
        resigned.end(GameOver::Resigned(Color::White));
        assert!(text(&resigned).ends_with("1. e4 0-1\n\n"), "{}", text(&resigned));
        let mut agreed = played(Color::White, "e2e4");
        agreed.end(GameOver::Agreed);
        assert_eq!(agreed.result(), GameResult::Draw);
    }

    #[test]
    fn the_course_is_kept_in_the_file() {
        let mut game = played(Color::White, "e2e4 e7e5");
        let seen = CourseMove { ply: 1, expected: 0.5, loss: 2.5, after: 0.475 };
        game.note_course(&seen);
        let again = BoardGame::resumed(&read(&text(&game))).expect("our own game");
        assert_eq!(again.course(), [seen]);
        assert!(game.take_back() && game.course().is_empty());
    }

    #[test]
    fn comments_that_the_controller_cannot_have_written_are_no_course() {
        let mut game = played(Color::White, "e2e4 e7e5 g1f3 b8c6");
        let tags = text(&game).split("\n\n").next().unwrap_or_default().to_owned();
        let seen = |moves: &str| {
            BoardGame::resumed(&read(&format!("{tags}\n\n{moves} *\n"))).expect("our own game").course()
        };
        let good = "[%spar=0.50000,2.50000,0.47500]";
        assert!(seen(&format!("1. e4 {{{good}}} e5 2. Nf3 {{{good}}} Nc6")).is_empty());
        for bad in ["[%spar=0.5,1,0.4,x]", "[%spar=0.5,-1,0.4]", "[%spar=0.5,1e9,0.4]", "[%spar=NaN,1,0.4]"] {
            let found = seen(&format!("1. e4 e5 {{{bad}}} 2. Nf3 Nc6 {{{good}}}"));
            assert_eq!(found, [CourseMove { ply: 3, expected: 0.5, loss: 2.5, after: 0.475 }], "{bad}");
        }
        game.note_course(&CourseMove { ply: 3, expected: 0.5, loss: 2.5, after: 0.475 });
        assert_eq!(game.course().len(), 1);
    }

    #[test]
    fn taking_back_goes_to_before_the_own_last_move() {
        let mut game = played(Color::White, "e2e4 e7e5 g1f3 b8c6");
        assert!(game.take_back() && game.so_far().moves().len() == 2);
        assert!(game.take_back() && game.so_far().moves().is_empty() && !game.take_back());
        let mut black = played(Color::Black, "e2e4 e7e5 g1f3");
        assert!(black.take_back() && black.so_far().moves().len() == 1);
        assert!(!black.take_back(), "the first move is not Black's");
        assert_eq!(black.position().turn(), Color::Black);
    }

    #[test]
    fn moves_that_were_taken_back_are_played_again_until_another_move_is_played() {
        let mut game = played(Color::White, "e2e4 e7e5 g1f3 b8c6");
        let whole = text(&game);
        assert!(!game.redo());
        assert!(game.take_back() && game.take_back() && game.redo());
        assert_eq!(game.so_far().moves().len(), 2);
        assert!(game.redo() && !game.redo());
        assert_eq!(text(&game), whole);
        assert!(game.take_back());
        let other: shakmaty::uci::UciMove = "f1c4".parse().expect("a move");
        game.play(other.to_move(game.position()).expect("a legal move"));
        assert!(!game.redo());
    }

    #[test]
    fn time_ends_a_game_and_a_lone_king_cannot_win_by_it() {
        let mut game = played(Color::White, "e2e4 e7e5");
        game.note_clock(Duration::from_secs(7));
        assert_eq!(
            (game.time_left(Color::Black), game.time_left(Color::White)),
            (Some(Duration::from_secs(7)), None)
        );
        game.end(GameOver::Time(Color::White));
        let told = text(&game);
        assert!(told.contains("[Termination \"time forfeit\"]") && told.ends_with("0-1\n\n"), "{told}");
        let fen: shakmaty::fen::Fen = "k7/8/8/8/8/8/8/KR6 b - - 0 1".parse().expect("a FEN");
        let lone =
            GameSoFar::new(fen.into_position(CastlingMode::Standard).expect("legal"), CastlingMode::Standard);
        let mut game = BoardGame::new(Color::White, &names(), "2026.01.31", &lone, "300+0");
        game.end(GameOver::Time(Color::White));
        assert_eq!(game.result(), GameResult::Draw);
        assert!(text(&game).contains("[FEN \"k7/8/8/8/8/8/8/KR6 b - - 0 1\"]"));
    }

    #[test]
    fn a_game_that_is_over_or_somebody_elses_is_not_gone_on_with() {
        let over = played(Color::Black, "f2f3 e7e5 g2g4 d8h4");
        let error = BoardGame::resumed(&read(&text(&over))).expect_err("over").to_string();
        assert_eq!(error, "the game in this file is over (0-1)");
        let other = read("[White \"A\"]\n[Black \"B\"]\n\n1. e4 *\n");
        assert_eq!(BoardGame::resumed(&other).expect_err("another game"), BoardGameError::Foreign);
    }

    proptest! {
        #[test]
        fn a_game_that_was_written_goes_on_as_it_was(choices in prop::collection::vec(0usize..1000, 0..40), is_white in any::<bool>()) {
            let person = Color::from_white(is_white);
            let mut game = BoardGame::new(person, &names(), "2026.01.31", &start(), "-");
            for choice in choices {
                let legal = game.position().legal_moves();
                let Some(&m) = legal.get(choice % legal.len().max(1)) else { break };
                game.play(m);
            }
            prop_assume!(game.over().is_none());
            game.note_hint("Nf3");
            let again = BoardGame::resumed(&read(&text(&game))).expect("our own game");
            prop_assert_eq!(text(&again), text(&game));
            prop_assert_eq!((again.person(), again.so_far().moves()), (game.person(), game.so_far().moves()));
        }
    }
}
