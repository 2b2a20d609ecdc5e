//! Owns the reading of games: pgn-reader's visitor, which replays them.

use std::{io, ops::ControlFlow};

use pgn_reader::{Nag, Outcome, RawComment, RawTag, Reader, Skip, Visitor};
use shakmaty::{
    CastlingMode, Chess, Color, KnownOutcome, Position,
    san::{SanError, SanPlus},
};

use super::{
    bad::{BadGame, BadGameReason, Fault},
    comment_facts::CommentFacts,
    mainline::{MainLine, Numbering, reader_text},
    split::{GameSplitter, GameText},
    start::start_position,
    tags::unescape,
    tokens::{self, Token},
    variation::VariationText,
};
use crate::{
    choice::{Aliases, Headers},
    game::{Annotation, Game, GameResult, GameSource, PlayedMove, Tags},
    text::fold_spaces,
};

/// Returns all games of `text`, each as it is or as the reason why it is left out; `file` is the name that
/// messages and [`GameSource`] give.
pub fn parse_games(text: &str, file: &str) -> Vec<Result<Game, BadGame>> {
    GameReader::new(text, file).collect()
}

/// The games of a text one by one, as [`parse_games`] gives them all.
#[derive(Debug, Clone)]
pub struct GameReader<'a> {
    file: &'a str,
    aliases: Option<&'a Aliases>,
    /// Whether the last game may still be under way.
    growing: bool,
    /// The games given so far, those left out included.
    count: usize,
    /// Whether the last of them has a result behind its moves.
    ended: bool,
    split: GameSplitter<'a>,
}

impl<'a> GameReader<'a> {
    /// Returns the games of `text`; `file` is the name that messages and [`GameSource`] give.
    pub fn new(text: &'a str, file: &'a str) -> GameReader<'a> {
        GameReader {
            file,
            aliases: None,
            growing: false,
            count: 0,
            ended: false,
            split: GameSplitter::new(text),
        }
    }

    /// Returns the games of `text` from the byte `at` on, where one begins.
    pub fn from(text: &'a str, file: &'a str, at: usize) -> GameReader<'a> {
        let split = GameSplitter::from(text, at);
        GameReader { file, aliases: None, growing: false, count: 0, ended: false, split }
    }

    /// Returns how many bytes of the text have been read.
    pub fn reached(&self) -> usize {
        self.split.reached()
    }

    /// Returns the same with the names that count in the place of `aliases`.
    pub fn with_aliases(self, aliases: &'a Aliases) -> GameReader<'a> {
        GameReader { aliases: Some(aliases), ..self }
    }

    /// Returns the same where the text may still be written: a game at its end without a result is read as far as its moves go,
    /// and is not there yet before its first move.
    pub fn growing(self, growing: bool) -> GameReader<'a> {
        GameReader { growing, ..self }
    }

    /// Returns the same, numbered on from `games` that stand before them.
    pub fn after(self, games: usize) -> GameReader<'a> {
        GameReader { count: games, ..self }
    }

    /// Returns the next game of which `wanted` says so by its tags; the moves of those before it are not
    /// looked at.
    pub fn next_wanted(
        &mut self,
        mut wanted: impl FnMut(&Headers<'_>) -> bool,
    ) -> Option<Result<Game, BadGame>> {
        loop {
            let mut text = self.split.next()?;
            self.count += 1;
            self.ended = text.ended;
            self.rename(&mut text.tags);
            if wanted(&headers(&text)) {
                let source = self.source();
                let replayed = match replay(&text) {
                    // What can be read may lack moves too, which are there when the text is read again.
                    Err(_) if self.growing && self.is_open() => Ok(replay_begun(&text)?),
                    replayed => replayed,
                };
                return Some(match replayed {
                    Ok(game) => Ok(Game { source, ..game }),
                    Err(fault) => Err(bad_game(fault, source, &text.tags)),
                });
            }
        }
    }

    /// Returns the number of games so far, those that were not wanted or could not be read included.
    pub fn passed(&self) -> usize {
        self.count
    }

    /// Returns whether the text may break off in the last game: nothing follows it, and it has no result
    /// behind its moves.
    pub fn is_open(&self) -> bool {
        !self.ended && self.split.is_at_end()
    }

    fn source(&self) -> GameSource {
        GameSource { file: self.file.to_owned(), number: self.count, ordinal: self.count }
    }

    fn rename(&self, tags: &mut Tags) {
        let Some(aliases) = self.aliases else { return };
        for tag in ["White", "Black"] {
            if let Some(counts) = tags.get(tag).and_then(|name| aliases.behind(name)) {
                tags.set(tag, counts);
            }
        }
    }
}

/// Returns what the tags say, and the result that stands behind the moves.
fn headers<'a>(text: &'a GameText<'_>) -> Headers<'a> {
    let headers = Headers::of(&text.tags);
    let last = text.tokens.iter().rev().find_map(|token| match token {
        Token::Result(result) => Some(*result),
        _ => None,
    });
    Headers { result: last.filter(|&last| last != GameResult::Unknown).unwrap_or(headers.result), ..headers }
}

impl Iterator for GameReader<'_> {
    type Item = Result<Game, BadGame>;

    fn next(&mut self) -> Option<Result<Game, BadGame>> {
        self.next_wanted(|_| true)
    }
}

fn bad_game(fault: Fault, source: GameSource, tags: &Tags) -> BadGame {
    let player = |tag| tags.get(tag).unwrap_or("?").to_owned();
    let Fault { ply, token, reason } = fault;
    BadGame { source, white: player("White"), black: player("Black"), ply, token, reason }
}

/// Reads one game; its source is left to the caller.
fn replay(game: &GameText<'_>) -> Result<Game, Fault> {
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
        // The text was made for the reader, so these two are not expected of any input.
        Ok(None) | Err(_) => Err(BadGameReason::NotPgn.into()),
    }
}

/// Tokens at the end of a text that may be torn: half a move, its number, a comment or a variation that is not closed yet.
const TORN: usize = 8;

/// Reads the game that its text breaks off in, as far as its moves can be played; `None` where not one can.
fn replay_begun(game: &GameText<'_>) -> Option<Game> {
    let tokens = game.tokens.len();
    let ends = (tokens.saturating_sub(TORN)..tokens).rev().chain(open_variation(&game.tokens));
    let mut read = ends.filter_map(|end| {
        let tokens = game.tokens[..end].to_vec();
        replay(&GameText { tags: game.tags.clone(), tokens, ended: false, fault: game.fault.clone() }).ok()
    });
    read.next().filter(|game| !game.moves.is_empty())
}

/// Returns where the outermost variation begins that the tokens do not close.
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

/// The visitor of one game.
struct Replayer<'t, 'a> {
    tokens: &'t [Token<'a>],
}

/// A game being replayed, beside the walk over its tokens that checks it.
struct Replay<'t, 'a> {
    game: Game,
    position: Chess,
    line: MainLine<'t, 'a>,
    numbering: Numbering,
    variation: VariationText,
    /// The parts of a comment that have come so far.
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
        let numbering =
            Numbering { first: start.fullmoves().get(), black_first: start.turn() == Color::Black };
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

    /// Returns where annotations belong: after the last move, or before the first.
    fn annotations(&mut self) -> &mut Vec<Annotation> {
        match self.game.moves.last_mut() {
            Some(played) => &mut played.annotations,
            None => &mut self.game.preamble,
        }
    }

    /// Of several evaluations or times after one move the last counts.
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

    /// Checks what follows the last move. The result is that of the moves' end; the tag's where
    /// that is missing or `*`, which says less.
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
    }
}
