//! Replays one game. pgn-reader reads the text of the moves, and the tokens show whether it skips or misreads
//! anything.

use std::{ops::ControlFlow, slice};

use pgn_reader::{Nag, Outcome, RawComment, Reader, Skip, Visitor};
use shakmaty::{CastlingMode, Chess, san::San, san::SanError, san::SanPlus};

use super::{
    bad::BadGameReason, bad::Fault, comment_facts::CommentFacts, split::GameText, start::start_position,
    tokens, tokens::Token, tokens::WrittenMove, variation::Numbering, variation::VariationText,
};
use crate::base::text::fold_spaces;
use crate::chess::{
    game::{Annotation, Game, GameResult, GameSource, PlayedMove, Tags},
    repair::Repairs,
};

/// Reads one game. The caller must set the source of the game.
pub(super) fn replay(game: &GameText<'_>) -> Result<Game, Fault> {
    replay_first(game, game.tokens.len())
}

/// Number of tokens at the end of an incomplete text that may have to be dropped, such as an incomplete move,
/// its number, or an open comment or variation.
const TORN: usize = 8;

pub(super) fn replay_begun(game: &GameText<'_>) -> Option<Game> {
    let tokens = game.tokens.len();
    let ends = (tokens.saturating_sub(TORN)..tokens).rev().chain(open_variation(&game.tokens));
    let mut read = ends.filter_map(|end| replay_first(game, end).ok());
    read.next().filter(|game| !game.moves.is_empty())
}

fn replay_first(game: &GameText<'_>, tokens: usize) -> Result<Game, Fault> {
    if let Some(fault) = &game.fault {
        return Err(fault.clone());
    }
    let Reading { mut replay, mut tokens } = Reading::of(game, tokens)?;
    tokens.try_for_each(|&token| replay.take(token))?;
    replay.finish()
}

/// Returns the index of the token that begins the outermost unclosed variation.
fn open_variation(tokens: &[Token<'_>]) -> Option<usize> {
    let mut open = Vec::new();
    for (place, token) in tokens.iter().enumerate() {
        match token {
            Token::Open => open.push(place),
            Token::Close => drop(open.pop()),
            _ => {}
        }
    }
    open.first().copied()
}

/// The reading of a game by pgn-reader. pgn-reader skips what it does not know, ends a game at a blank line,
/// and does not check move numbers. So the reading ends where pgn-reader finds anything but the next token, or
/// where that token is at fault. The remaining tokens are then read without pgn-reader.
struct Reading<'t, 'a> {
    replay: Replay,
    /// The tokens that are not taken yet.
    tokens: slice::Iter<'t, Token<'a>>,
}

impl<'t, 'a> Reading<'t, 'a> {
    /// Reads the first `tokens` tokens of a game as far as possible.
    fn of(game: &'t GameText<'a>, tokens: usize) -> Result<Reading<'t, 'a>, Fault> {
        let tokens = game.tokens[..tokens].iter();
        let mut reading = Reading { replay: Replay::new(&game.tags)?, tokens };
        // If pgn-reader fails, as at an open comment, the rest is not read.
        drop(Reader::new(game.moves.as_bytes()).read_game(&mut reading));
        Ok(reading)
    }

    /// Takes the next token after any move numbers if it is the one that pgn-reader has read.
    fn take(&mut self, is_read: impl Fn(Token<'_>) -> bool) -> ControlFlow<()> {
        while let Some(&token) = self.tokens.as_slice().first() {
            let is_number = matches!(token, Token::Number { .. });
            if !is_number && !is_read(token) || self.replay.take(token).is_err() {
                break;
            }
            self.tokens.next();
            if !is_number {
                return ControlFlow::Continue(());
            }
        }
        ControlFlow::Break(())
    }
}

impl Visitor for Reading<'_, '_> {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        let read = WrittenMove { san, by_squares: false };
        self.take(|token| matches!(token, Token::Move { mv, .. } if mv == read))
    }

    fn nag(&mut self, (): &mut (), Nag(nag): Nag) -> ControlFlow<()> {
        self.take(|token| token == Token::Nag(nag))
    }

    fn comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        self.take(|token| matches!(token, Token::Comment(text) if text.as_bytes() == comment.as_bytes()))
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        self.take(|token| token == Token::Open).map_continue(|()| Skip(false))
    }

    fn end_variation(&mut self, (): &mut ()) -> ControlFlow<()> {
        self.take(|token| token == Token::Close)
    }

    fn outcome(&mut self, (): &mut (), outcome: Outcome) -> ControlFlow<()> {
        self.take(|token| tokens::result(outcome.as_str()).map(Token::Result) == Some(token))
    }

    fn end_game(&mut self, (): ()) {}
}

/// The state of a replay: the game so far.
struct Replay {
    game: Game,
    position: Chess,
    numbering: Numbering,
    /// The numbering of the main line, which its first number shows.
    printed: Option<Numbering>,
    variation: VariationText,
    /// The result after the moves.
    result: Option<GameResult>,
}

impl Replay {
    fn new(tags: &Tags) -> Result<Replay, Fault> {
        // Control characters, such as tabulators, are no part of a name.
        let tags: Tags = tags
            .iter()
            .map(|(name, value)| (name.to_owned(), value.replace(char::is_control, " ")))
            .collect();
        let (start, mode) = start_position(&tags)?;
        Ok(Replay {
            position: start.clone(),
            numbering: Numbering::of(&start),
            printed: None,
            game: empty_game(tags, start, mode),
            variation: VariationText::default(),
            result: None,
        })
    }

    /// Returns the ply of the next move, from 1.
    fn due(&self) -> usize {
        self.game.moves.len() + 1
    }

    fn take(&mut self, token: Token<'_>) -> Result<(), Fault> {
        let fault = |text: &str, reason| Err(Fault::at(self.due(), text, reason));
        match token {
            Token::Unterminated(text) => return fault(text, BadGameReason::UnterminatedComment),
            Token::Open => self.variation.open(self.game.moves.len()),
            _ if self.variation.is_open() => self.take_in_variation(token),
            Token::Close => return fault(")", BadGameReason::UnknownToken),
            Token::Unknown(text) => return fault(text, BadGameReason::UnknownToken),
            Token::Null(text) => return fault(text, BadGameReason::NullMove),
            Token::Number { written, number, black } => self.check_number(written, number, black)?,
            Token::Move { written, mv } => self.play(written, mv)?,
            Token::Nag(nag) => self.annotate(Annotation::Nag(nag)),
            Token::Remark(text) | Token::Comment(text) => self.comment(&without_brace(text)),
            Token::Result(result) => drop(self.result.get_or_insert(result)),
        }
        Ok(())
    }

    /// Adds a token of a variation to its text. Text that is no move becomes a comment.
    fn take_in_variation(&mut self, token: Token<'_>) {
        let comment = match token {
            Token::Move { mv, .. } => return self.variation.san(mv.san, self.numbering),
            Token::Null(_) => {
                return self.variation.san(SanPlus { san: San::Null, suffix: None }, self.numbering);
            }
            Token::Nag(nag) => return self.variation.nag(nag),
            Token::Open => return self.variation.open(self.game.moves.len()),
            Token::Close => {
                if let Some(text) = self.variation.close().filter(|text| !text.is_empty()) {
                    self.annotate(Annotation::Variation(text));
                }
                return;
            }
            Token::Number { .. } | Token::Unterminated(_) => return,
            Token::Unknown(text) | Token::Remark(text) | Token::Comment(text) => {
                fold_spaces(&without_brace(text))
            }
            Token::Result(result) => result.to_string(),
        };
        if !comment.is_empty() {
            self.variation.comment(&comment);
        }
    }

    /// Checks a move number. If the start position has a higher number than 1, the moves may be numbered from
    /// that number or from 1.
    fn check_number(&mut self, written: &str, number: u32, black: bool) -> Result<(), Fault> {
        let plies = self.game.moves.len();
        let from_one = Numbering { first: 1, ..self.numbering };
        let is_from_one = number == from_one.number(plies);
        let printed = self.printed.get_or_insert(if is_from_one { from_one } else { self.numbering });
        let due = printed.number(plies);
        if number != due || (black && !printed.is_black(plies)) {
            return Err(Fault::at(plies + 1, written, BadGameReason::MoveNumber { due }));
        }
        Ok(())
    }

    fn play(&mut self, written: &str, mv: WrittenMove) -> Result<(), Fault> {
        let m = mv.to_move(&self.position).map_err(|error| match error {
            SanError::IllegalSan => Fault::at(self.due(), written, BadGameReason::IllegalMove),
            SanError::AmbiguousSan => Fault::at(self.due(), written, BadGameReason::AmbiguousMove),
        })?;
        let uci = m.to_uci(self.game.mode);
        let san = SanPlus::from_move_and_play_unchecked(&mut self.position, m);
        let annotations = Vec::new();
        self.game.moves.push(PlayedMove { san, uci, annotations, eval: None, clock: None, elapsed: None });
        Ok(())
    }

    /// Adds an annotation after the last move so far, or before the first move.
    fn annotate(&mut self, annotation: Annotation) {
        match self.game.moves.last_mut() {
            Some(played) => played.annotations.push(annotation),
            None => self.game.preamble.push(annotation),
        }
    }

    /// Stores the evaluation and times of a comment on the main line, and its text. If a move has several
    /// evaluations or times, the last one counts.
    fn comment(&mut self, comment: &str) {
        let facts = match self.game.moves.last_mut() {
            Some(played) => {
                let facts = CommentFacts::behind_a_move(comment);
                played.eval = facts.eval.or(played.eval);
                played.clock = facts.clock.or(played.clock);
                played.elapsed = facts.elapsed.or(played.elapsed);
                facts
            }
            None => {
                let facts = CommentFacts::before_all_moves(comment);
                self.game.start_eval = facts.eval.or(self.game.start_eval);
                facts
            }
        };
        if !facts.text.is_empty() {
            self.annotate(Annotation::Comment(facts.text));
        }
    }

    /// Returns the game. If the result after the moves is missing or `*`, the game has the result in the tag
    /// `Result`.
    fn finish(mut self) -> Result<Game, Fault> {
        if self.variation.is_open() {
            return Err(Fault { ply: Some(self.due()), ..BadGameReason::UnterminatedVariation.into() });
        }
        let tag = || self.game.tags.get("Result").and_then(tokens::result);
        let written = self.result.filter(|&result| result != GameResult::Unknown);
        self.game.result = written.or_else(tag).unwrap_or(GameResult::Unknown);
        Ok(self.game)
    }
}

/// Returns a comment as it can be written in braces.
fn without_brace(comment: &str) -> String {
    comment.replace('}', ")")
}

fn empty_game(tags: Tags, start: Chess, mode: CastlingMode) -> Game {
    Game {
        source: GameSource::default(),
        tags,
        start,
        mode,
        moves: Vec::new(),
        result: GameResult::Unknown,
        preamble: Vec::new(),
        start_eval: None,
        book_plies: None,
        repairs: Repairs::default(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::pgn::{parse_games, split::GameSplitter};

    /// Returns the number of tokens that pgn-reader has not read.
    fn unread(text: &str) -> Vec<usize> {
        let games = GameSplitter { text, at: 0 };
        games.map(|game| Reading::of(&game, game.tokens.len()).expect("usual start").tokens.len()).collect()
    }

    #[test]
    fn pgn_reader_reads_what_it_knows_and_the_tokens_are_the_rest() {
        let game = "[White \"a\"]\n\n1. e4! {b} (1. d4 $5 {c}) 1... e5\n2. Nf3+ O-O 1/2-1/2\n\n";
        assert_eq!(unread(&game.replace("Nf3+ O-O", "Nf3 Nc6").repeat(2)), [0, 0]);
        assert_eq!(unread(game), [2], "an illegal move");
        for (odd, tokens) in
            [("Nf3 e7-e6", 2), ("\n\nNf3", 3), ("Sf3", 2), ("; d\n", 2), ("{d", 1), ("3. d4", 3)]
        {
            assert_eq!(unread(&game.replace("Nf3+ O-O", odd)), [tokens], "{odd}");
        }
    }

    proptest! {
        #[test]
        fn a_game_is_the_same_without_pgn_reader(
            text in r"(1\. |e4 |e7-e5 |e5|Sf3 |Nf3!|\$1|\{a|\}|; b\n|\(|\) |\n\n|--|1-0|Nc6+ |%c\n|\[){0,12}",
        ) {
            for game in (GameSplitter { text: &text, at: 0 }) {
                prop_assert_eq!(replay(&GameText { moves: "", ..game.clone() }), replay(&game));
            }
        }
    }

    /// Returns the number of moves of a valid main line from the initial position, or from that position at
    /// Black's move 17. For an invalid main line, the error has the ply and the token of the fault.
    fn walk(moves: &str, is_later: bool) -> Result<usize, (Option<usize>, Option<String>)> {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 17";
        let start = if is_later { format!("[FEN \"{fen}\"]\n\n") } else { String::new() };
        let game = parse_games(&format!("{start}{moves}"), "test").remove(0);
        game.map(|game| game.moves.len()).map_err(|bad| (bad.ply, bad.token))
    }

    fn fault(ply: usize, token: &str) -> Result<usize, (Option<usize>, Option<String>)> {
        Err((Some(ply), Some(token.to_owned())))
    }

    #[test]
    fn a_number_must_be_that_of_the_moves_counted() {
        assert_eq!(walk("1. e4 e5 2. Nf3 2... Nc6 Bb5 3… a6", false), Ok(6));
        assert_eq!(walk("1. e4 2. Nf3", false), fault(2, "2."));
        assert_eq!(walk("1. e4 e5 2... Nf3", false), fault(3, "2..."));
    }

    #[test]
    fn a_game_from_a_position_may_be_numbered_from_it_or_from_one() {
        assert_eq!(walk("17... Nf6 18. e4", true), Ok(2));
        assert_eq!(walk("1... Nf6 2. e4", true), Ok(2));
        assert_eq!(walk("1... Nf6 18. e4", true), fault(2, "18."));
        assert_eq!(walk("5... Nf6", true), fault(1, "5..."));
    }

    #[test]
    fn variations_are_left_alone_but_must_end() {
        assert_eq!(walk("1. e4 (9. Sf3 (--) foo) e5", false), Ok(2));
        assert_eq!(walk("1. e4 ) e5", false), fault(2, ")"));
        assert_eq!(walk("1. e4 (e5", false), Err((Some(2), None)));
    }
}
