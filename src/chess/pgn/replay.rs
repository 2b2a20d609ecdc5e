//! Replays one game. pgn-reader reads the text of the moves, and the tokens show whether it skips or misreads
//! anything.

use std::{ops::ControlFlow, slice};

use pgn_reader::{Nag, Outcome, RawComment, Reader, Skip, Visitor};
use shakmaty::{CastlingMode, Chess, Position, san::San, san::SanError, san::SanPlus};

use super::{
    bad::BadGameReason, bad::Fault, comment_facts::CommentFacts, letters::Letters, letters::in_language,
    letters::languages, split::GameText, start::start_position, tokens::Token, tokens::WrittenMove,
    variation::Numbering, variation::VariationText,
};
use crate::base::text::fold_spaces;
use crate::chess::{
    evaluation::Evaluation,
    game::{Annotation, Game, GameResult, GameSource, PlayedMove, Tags},
    rating_system::RatingSystem,
    repair::{Repair, Repairs},
};

/// Reads one game. The caller must set the source of the game. If the reading is not strict, flaws are
/// repaired (see [`Repair`]).
pub(super) fn replay(game: &GameText<'_>, strict: bool) -> Result<Game, Fault> {
    replay_first(game, game.tokens.len(), strict).or_else(|fault| {
        let mut games = languages(game).filter_map(|letters| replay_in(game, letters).ok());
        // A game that is legal in two languages is ambiguous, unless both give the same moves.
        match games.next() {
            Some(first) if games.all(|other| other.moves == first.moves) => Ok(first),
            _ => Err(fault),
        }
    })
}

/// Number of tokens that may have to be dropped at the end of an incomplete text. Examples are an incomplete
/// move, its number, and an open comment or variation.
const TORN: usize = 8;

pub(super) fn replay_begun(game: &GameText<'_>) -> Option<Game> {
    let tokens = game.tokens.len();
    let ends = (tokens.saturating_sub(TORN)..tokens).rev().chain(open_variation(&game.tokens));
    let mut read = ends.filter_map(|end| replay_first(game, end, true).ok());
    read.next().filter(|game| !game.moves.is_empty())
}

fn replay_first(game: &GameText<'_>, tokens: usize, strict: bool) -> Result<Game, Fault> {
    if let Some(fault) = &game.fault {
        return Err(fault.clone());
    }
    let Reading { mut replay, mut tokens } = Reading::of(game, tokens)?;
    while let Some(&token) = tokens.as_slice().first() {
        match replay.take(token) {
            Ok(()) => drop(tokens.next()),
            Err(fault) => {
                replay.end_early(fault, tokens.as_slice(), strict)?;
                break;
            }
        }
    }
    replay.finish(strict)
}

/// Reads a game with the piece letters of another language.
fn replay_in(game: &GameText<'_>, letters: Letters) -> Result<Game, Fault> {
    let mut replay = Replay::new(&game.tags)?;
    for &token in &game.tokens {
        replay.take(match token {
            Token::Move { written, .. } | Token::Unknown(written) => match in_language(written, letters) {
                Some(mv) => Token::Move { written, mv },
                None => token,
            },
            other => other,
        })?;
    }
    replay.game.repairs.add(Repair::PieceLetters);
    replay.finish(true)
}

/// The least number of legal plies before an end that may be dropped. After a game, an electronic board may
/// record that both kings are put in the center, and that pieces are put back.
const LEAST_PLIES: usize = 10;
/// The largest number of moves that may be dropped at the end of a game.
const DROPPED: usize = 4;

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

/// The reading of a game by pgn-reader. pgn-reader skips unknown text, ends a game at a blank line, and does
/// not check move numbers. So the reading ends where pgn-reader finds anything but the next token, or where
/// that token is at fault. The remaining tokens are then read without pgn-reader.
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
        // If pgn-reader fails, for example at an unclosed comment, it reads no further.
        drop(Reader::new(game.moves.as_bytes()).read_game(&mut reading));
        Ok(reading)
    }

    /// Takes move numbers, and the token after them if it is the token that pgn-reader has read.
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
        let read = outcome.as_str();
        self.take(|token| matches!(token, Token::Result { result, is_usual: true } if result.name() == read))
    }

    fn end_game(&mut self, (): ()) {}
}

/// The state of a replay: the game so far.
struct Replay {
    game: Game,
    position: Chess,
    numbering: Numbering,
    /// The numbering of the main line, from its first move number.
    printed: Option<Numbering>,
    variation: VariationText,
    /// The result after the moves, and whether it has a usual form.
    result: Option<(GameResult, bool)>,
    /// The first wrong move number.
    misnumbered: Option<Fault>,
}

impl Replay {
    fn new(tags: &Tags) -> Result<Replay, Fault> {
        let (start, mode, repairs) = start_position(tags)?;
        Ok(Replay {
            position: start.clone(),
            numbering: Numbering::of(&start),
            printed: None,
            game: Game { repairs, ..empty_game(tags.clone(), start, mode) },
            variation: VariationText::default(),
            result: None,
            misnumbered: None,
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
            Token::Number { written, number, black } => self.check_number(written, number, black),
            Token::Move { written, mv } => self.play(written, mv)?,
            Token::Nag(nag) => self.annotate(Annotation::Nag(nag)),
            Token::Remark(text) | Token::Comment(text) => self.comment(&without_brace(text)),
            Token::Result { result, is_usual } => drop(self.result.get_or_insert((result, is_usual))),
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
            Token::Result { result, .. } => result.to_string(),
        };
        if !comment.is_empty() {
            self.variation.comment(&comment);
        }
    }

    /// Checks a move number. If the start position has a higher number than 1, the moves may be numbered from
    /// that number or from 1.
    fn check_number(&mut self, written: &str, number: u32, black: bool) {
        let plies = self.game.moves.len();
        let from_one = Numbering { first: 1, ..self.numbering };
        let is_from_one = number == from_one.number(plies);
        let printed = self.printed.get_or_insert(if is_from_one { from_one } else { self.numbering });
        let due = printed.number(plies);
        if number != due || (black && !printed.is_black(plies)) {
            let fault = || Fault::at(plies + 1, written, BadGameReason::MoveNumber { due });
            self.misnumbered.get_or_insert_with(fault);
        }
    }

    /// Ends the game before `rest`, whose first token has the `fault`, if only the last moves are bad and the
    /// reading is not strict. Otherwise returns the fault. If an earlier move number is wrong, a move may be
    /// missing, so the wrong number is returned as the fault.
    fn end_early(&mut self, fault: Fault, rest: &[Token<'_>], strict: bool) -> Result<(), Fault> {
        let is_move =
            |token: &&Token<'_>| matches!(token, Token::Move { .. } | Token::Null(_) | Token::Unknown(_));
        let is_of_moves = rest.first().is_some_and(|first| is_move(&first));
        let dropped = rest.iter().filter(is_move).count();
        // `0-0` is a result here: castling, which it could also mean, is illegal in this position.
        let is_double_forfeit = matches!(rest, [Token::Move { written, .. }, ..]
            if GameResult::read(written) == Some(GameResult::BothLose) && dropped == 1);
        if is_double_forfeit {
            self.result.get_or_insert((GameResult::BothLose, true));
        } else if let Some(misnumbered) = self.misnumbered.take() {
            return Err(misnumbered);
        } else if strict || !is_of_moves || self.game.moves.len() < LEAST_PLIES || dropped > DROPPED {
            return Err(fault);
        } else {
            self.game.repairs.add(Repair::End);
            let result = rest.iter().find_map(|token| match token {
                Token::Result { result, is_usual } => Some((*result, *is_usual)),
                _ => None,
            });
            self.result = self.result.or(result);
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
                if facts.has_odd_clock {
                    self.game.repairs.add(Repair::ClockForm);
                }
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

    /// Returns the game, with its result by [`Replay::settle_result`].
    fn finish(mut self, strict: bool) -> Result<Game, Fault> {
        if self.variation.is_open() {
            return Err(Fault { ply: Some(self.due()), ..BadGameReason::UnterminatedVariation.into() });
        }
        if let Some(misnumbered) = self.misnumbered.take() {
            if strict {
                return Err(misnumbered);
            }
            self.game.repairs.add(Repair::MoveNumber);
        }
        self.settle_result();
        let dispute = RatingSystem::of_tags(|name| self.game.tags.get(name)).1;
        dispute.into_iter().for_each(|repair| self.game.repairs.add(repair));
        Ok(self.game)
    }

    /// Sets the result of the game to the tag `Result` or, if the tag has none, to the result after the
    /// moves. If both are known and differ, mate or stalemate on the board takes precedence.
    fn settle_result(&mut self) {
        let known = |result: GameResult| Some(result).filter(|&result| result != GameResult::Unknown);
        // A sign such as `+-` in place of the moves is a forfeit; elsewhere it assesses the position.
        let forfeit = match self.game.preamble.as_slice() {
            [Annotation::Nag(16 | 18)] if self.game.moves.is_empty() => Some((GameResult::WhiteWins, false)),
            [Annotation::Nag(17 | 19)] if self.game.moves.is_empty() => Some((GameResult::BlackWins, false)),
            _ => None,
        };
        let (after, is_usual) = self.result.or(forfeit).unwrap_or((GameResult::Unknown, true));
        let written = self.game.tags.get("Result").unwrap_or("*");
        let tag = GameResult::read(written);
        let repairs = &mut self.game.repairs;
        if !is_usual || tag.is_some_and(|tag| tag.name() != written) {
            repairs.add(Repair::ResultForm);
        }
        self.game.result = match (tag.and_then(known), known(after)) {
            (Some(tag), Some(after)) if tag != after => {
                repairs.add(Repair::ResultTwice);
                let mated = self.position.is_checkmate().then(|| !self.position.turn());
                let is_over = Evaluation::terminal(&self.position).is_some();
                if is_over { GameResult::of_winner(mated) } else { tag }
            }
            (Some(result), _) | (None, Some(result)) => result,
            (None, None) => {
                if tag.is_none() {
                    repairs.add(Repair::ResultUnknown);
                }
                GameResult::Unknown
            }
        };
    }
}

/// Returns a comment in a form that can be written in braces.
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
mod tests;
