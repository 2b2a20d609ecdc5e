//! Replays one game. pgn-reader reads the game, rewritten from its tokens. At each move of the main line, the
//! move is taken from the tokens instead, which [`MainLine`] checks on the way.

use std::{io, ops::ControlFlow};

use pgn_reader::{Nag, Outcome, RawComment, RawTag, Reader, Skip, Visitor};
use shakmaty::{
    CastlingMode, Chess, KnownOutcome,
    san::{SanError, SanPlus},
};

use super::{
    bad::{BadGameReason, Fault},
    comment_facts::CommentFacts,
    mainline::{MainLine, Numbering, reader_text},
    split::GameText,
    start::start_position,
    tags::unescape,
    tokens::{self, Token},
    variation::VariationText,
};
use crate::base::text::fold_spaces;
use crate::chess::game::{Annotation, Game, GameResult, GameSource, PlayedMove, Tags};

/// Reads one game. The caller must set the source of the game.
pub(super) fn replay(game: &GameText<'_>) -> Result<Game, Fault> {
    if let Some(fault) = &game.fault {
        return Err(fault.clone());
    }
    let text = reader_text(&game.tags, &game.tokens);
    let longest_tag = text.lines().take_while(|line| line.starts_with('[')).map(str::len).max();
    let mut reader = Reader::build(io::Cursor::new(text.as_bytes()))
        .set_supported_tag_line_length(longest_tag.unwrap_or_default() + 2)
        .finish();
    match reader.read_game(&mut Replayer { tokens: &game.tokens }) {
        Ok(Some(game)) => game,
        // The text was made for pgn-reader, so these two cases should not occur.
        Ok(None) | Err(_) => Err(BadGameReason::NotPgn.into()),
    }
}

/// Number of tokens at the end of an incomplete text that may have to be dropped, such as an incomplete move,
/// its number, or an open comment or variation.
const TORN: usize = 8;

pub(super) fn replay_begun(game: &GameText<'_>) -> Option<Game> {
    let tokens = game.tokens.len();
    let ends = (tokens.saturating_sub(TORN)..tokens).rev().chain(open_variation(&game.tokens));
    let mut read = ends.filter_map(|end| {
        let tokens = game.tokens[..end].to_vec();
        replay(&GameText { tags: game.tags.clone(), tokens, ended: false, fault: game.fault.clone() }).ok()
    });
    read.next().filter(|game| !game.moves.is_empty())
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

struct Replayer<'t, 'a> {
    tokens: &'t [Token<'a>],
}

/// The state of a replay: the game so far, and the checked tokens.
struct Replay<'t, 'a> {
    game: Game,
    position: Chess,
    line: MainLine<'t, 'a>,
    numbering: Numbering,
    variation: VariationText,
    /// The text of the current comment so far.
    comment: String,
}

impl<'t, 'a> Visitor for Replayer<'t, 'a> {
    type Tags = Vec<(String, String)>;
    type Movetext = Replay<'t, 'a>;
    type Output = Result<Game, Fault>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(Vec::new())
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        let value = unescape(&String::from_utf8_lossy(value.as_bytes()));
        tags.push((String::from_utf8_lossy(name).into_owned(), value));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Self::Output, Self::Movetext> {
        match Replay::new(tags.into_iter().collect(), self.tokens) {
            Ok(replay) => ControlFlow::Continue(replay),
            Err(fault) => ControlFlow::Break(Err(fault)),
        }
    }

    fn san(&mut self, replay: &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        match replay.play(san) {
            Ok(()) => ControlFlow::Continue(()),
            Err(fault) => ControlFlow::Break(Err(fault)),
        }
    }

    fn nag(&mut self, replay: &mut Self::Movetext, Nag(nag): Nag) -> ControlFlow<Self::Output> {
        if replay.variation.is_open() {
            replay.variation.nag(nag);
        } else {
            replay.annotations().push(Annotation::Nag(nag));
        }
        ControlFlow::Continue(())
    }

    fn partial_comment(
        &mut self,
        replay: &mut Self::Movetext,
        part: RawComment<'_>,
    ) -> ControlFlow<Self::Output> {
        replay.comment += &String::from_utf8_lossy(part.as_bytes());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, replay: &mut Self::Movetext, last: RawComment<'_>) -> ControlFlow<Self::Output> {
        replay.comment += &String::from_utf8_lossy(last.as_bytes());
        replay.end_comment();
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, replay: &mut Self::Movetext) -> ControlFlow<Self::Output, Skip> {
        replay.variation.open(replay.game.moves.len());
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, replay: &mut Self::Movetext) -> ControlFlow<Self::Output> {
        if let Some(text) = replay.variation.close().filter(|text| !text.is_empty()) {
            replay.annotations().push(Annotation::Variation(text));
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, replay: &mut Self::Movetext, outcome: Outcome) -> ControlFlow<Self::Output> {
        replay.game.result = match outcome {
            Outcome::Known(KnownOutcome::Decisive { winner }) => {
                winner.fold_wb(GameResult::WhiteWins, GameResult::BlackWins)
            }
            Outcome::Known(KnownOutcome::Draw) => GameResult::Draw,
            Outcome::Unknown => GameResult::Unknown,
        };
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, replay: Self::Movetext) -> Self::Output {
        replay.finish()
    }
}

impl<'t, 'a> Replay<'t, 'a> {
    fn new(tags: Tags, tokens: &'t [Token<'a>]) -> Result<Replay<'t, 'a>, Fault> {
        let (start, mode) = start_position(&tags)?;
        let numbering = Numbering::of(&start);
        Ok(Replay {
            position: start.clone(),
            game: empty_game(tags, start, mode),
            line: MainLine::new(tokens, numbering),
            numbering,
            variation: VariationText::default(),
            comment: String::new(),
        })
    }

    fn play(&mut self, san: SanPlus) -> Result<(), Fault> {
        if self.variation.is_open() {
            self.variation.san(san, self.numbering);
            return Ok(());
        }
        let ply = self.line.due();
        let Some((written, mv)) = self.line.next_move()? else {
            return Err(Fault::at(ply, &san.to_string(), BadGameReason::UnknownToken));
        };
        let m = mv.to_move(&self.position).map_err(|error| match error {
            SanError::IllegalSan => Fault::at(ply, written, BadGameReason::IllegalMove),
            SanError::AmbiguousSan => Fault::at(ply, written, BadGameReason::AmbiguousMove),
        })?;
        let uci = m.to_uci(self.game.mode);
        let san = SanPlus::from_move_and_play_unchecked(&mut self.position, m);
        let annotations = Vec::new();
        self.game.moves.push(PlayedMove { san, uci, annotations, eval: None, clock: None, elapsed: None });
        Ok(())
    }

    /// Returns the list to which new annotations are added: the annotations after the last move so far, or
    /// before the first move.
    fn annotations(&mut self) -> &mut Vec<Annotation> {
        match self.game.moves.last_mut() {
            Some(played) => &mut played.annotations,
            None => &mut self.game.preamble,
        }
    }

    /// Stores the evaluation and times of the current comment, and its text. In a variation, the comment is
    /// text only. If a move has several evaluations or times, the last one counts.
    fn end_comment(&mut self) {
        let comment = std::mem::take(&mut self.comment);
        if self.variation.is_open() {
            let text = fold_spaces(&comment);
            if !text.is_empty() {
                self.variation.comment(&text);
            }
            return;
        }
        let facts = match self.game.moves.last_mut() {
            Some(played) => {
                let facts = CommentFacts::behind_a_move(&comment);
                played.eval = facts.eval.or(played.eval);
                played.clock = facts.clock.or(played.clock);
                played.elapsed = facts.elapsed.or(played.elapsed);
                facts
            }
            None => {
                let facts = CommentFacts::before_all_moves(&comment);
                self.game.start_eval = facts.eval.or(self.game.start_eval);
                facts
            }
        };
        if !facts.text.is_empty() {
            self.annotations().push(Annotation::Comment(facts.text));
        }
    }

    /// Checks the tokens after the last move, and returns the game. If the result after the moves is missing
    /// or `*`, the game has the result in the tag `Result`.
    fn finish(mut self) -> Result<Game, Fault> {
        let ply = self.line.due();
        if let Some((written, _)) = self.line.next_move()? {
            return Err(Fault::at(ply, written, BadGameReason::UnknownToken));
        }
        if self.game.result == GameResult::Unknown {
            let tag = self.game.tags.get("Result").and_then(tokens::result);
            self.game.result = tag.unwrap_or(GameResult::Unknown);
        }
        Ok(self.game)
    }
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
    }
}
