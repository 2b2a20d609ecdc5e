//! [`Game`]: a replayed game with its tags, moves and annotations.

use std::time::Duration;

use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position, fen::Fen, san::SanPlus, uci::UciMove};

use crate::base::{named::named, named::read_by_name, text::brief, text::games_path};
use crate::chess::{
    date::Date, evaluation::Wdl, rating_system::RatingSystem, rating_system::server_of_kind, repair::Repairs,
    score::SignedScore, time_control::TimeClass, time_control::read_time_control,
};

/// A game from a file, whose moves have been replayed and are legal.
#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    /// The file and number of the game.
    pub source: GameSource,
    /// Tag pairs in the order of the file. Names are as in the file; the values are unescaped.
    pub tags: Tags,
    /// The position before the first move.
    pub start: Chess,
    /// The rules of castling: standard chess or Chess960.
    pub mode: CastlingMode,
    /// The moves in the order played.
    pub moves: Vec<PlayedMove>,
    /// The result from the tag `Result` or, if the tag has none, from the text after the moves. If both
    /// differ, mate or stalemate on the board takes precedence.
    pub result: GameResult,
    /// Annotations before the first move.
    pub preamble: Vec<Annotation>,
    /// The evaluation recorded for the start position.
    pub start_eval: Option<RecordedEval>,
    /// Number of book plies, from `OpeningNames::name` or from a report's table of games. `None` if unknown,
    /// or if no position of the game has a known opening name. It is never written to a PGN file, because it
    /// is not a tag.
    pub book_plies: Option<usize>,
    /// The flaws that were repaired when the game was read.
    pub repairs: Repairs,
}

/// The location of a game in the input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GameSource {
    /// The name of the file in messages, usually its path; `-` for standard input.
    pub file: String,
    /// The game's number in the file, from 1. Skipped games count too.
    pub number: usize,
    /// The game's number among the games of all files read together, from 1. Skipped games count too.
    pub ordinal: usize,
}

/// A move, with the annotations that follow it in the file.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayedMove {
    /// The move in the PGN notation of shakmaty, with `+` and `#`.
    pub san: SanPlus,
    /// The move in UCI notation. Castling is written by the rules of the game's `mode`.
    pub uci: UciMove,
    /// Glyphs, comments and variations after the move, in the order of the file. Commands stored in `eval`,
    /// `clock` and `elapsed` are removed from the comments.
    pub annotations: Vec<Annotation>,
    /// The evaluation recorded for the position after the move.
    pub eval: Option<RecordedEval>,
    /// The mover's clock after the move, if recorded.
    pub clock: Option<Duration>,
    /// The time spent on the move, if recorded.
    pub elapsed: Option<Duration>,
}

/// An annotation before or after a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Annotation {
    /// A glyph by its number (NAG); `$1` is "!".
    Nag(u8),
    /// The text between braces, or after a semicolon.
    Comment(String),
    /// A variation: the text between parentheses.
    Variation(String),
}

impl Annotation {
    /// Returns the text of a comment; `None` for other annotations.
    pub fn comment(&self) -> Option<&str> {
        match self {
            Annotation::Comment(text) => Some(text),
            Annotation::Nag(_) | Annotation::Variation(_) => None,
        }
    }
}

/// An evaluation recorded in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RecordedEval {
    /// The score from White's view.
    pub score: SignedScore,
    /// Depth in plies, if recorded.
    pub depth: Option<u32>,
    /// The engine's chances of a win, a draw and a loss, if recorded.
    pub wdl: Option<Wdl>,
    /// The engine's best move in the position, if recorded. It may be illegal.
    pub best: Option<UciMove>,
}

named! {
    /// The result of a game, with its text in PGN files.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum GameResult: name {
        /// White wins.
        WhiteWins => "1-0",
        /// Black wins.
        BlackWins => "0-1",
        /// Draw.
        Draw => "1/2-1/2",
        /// Both players lose, as after a double forfeit.
        BothLose => "0-0",
        /// Unknown.
        Unknown => "*",
    }
}

read_by_name!(GameResult, name, UnknownResult);

impl GameResult {
    /// Returns the result of a finished game with this winner. Without a winner it is a draw.
    pub fn of_winner(winner: Option<Color>) -> GameResult {
        match winner {
            Some(winner) => winner.fold_wb(GameResult::WhiteWins, GameResult::BlackWins),
            None => GameResult::Draw,
        }
    }

    /// Parses a result in any usual form, such as `1-0`, `1:0`, `½-½`, `0.5-0.5` or `=-=`, and the forms of
    /// forfeits, such as `+/-`, `1-0F` or `-:+`. `None` for anything else.
    pub fn read(text: &str) -> Option<GameResult> {
        if let Ok(result) = text.trim().parse() {
            return Some(result);
        }
        let plain = text.chars().filter(|c| !c.is_whitespace()).map(|c| match c {
            ':' => '-',
            ',' => '.',
            'O' => '0',
            dash if DASHES.contains(&dash) => '-',
            other => other,
        });
        let plain =
            ["1/2", "0.5", "="].iter().fold(plain.collect::<String>(), |text, half| text.replace(half, "½"));
        match plain.as_str() {
            "½" => return Some(GameResult::Draw),
            "+-" | "+/-" | "+--" => return Some(GameResult::WhiteWins),
            "-+" | "-/+" | "--+" => return Some(GameResult::BlackWins),
            "--" | "-/-" | "---" => return Some(GameResult::BothLose),
            _ => {}
        }
        let (white, black) = plain.split_once('-')?;
        // A letter after the points, as in `1-0F`, marks a forfeit.
        let points = |side: &str| match side.trim_end_matches(|c: char| c.is_ascii_alphabetic()) {
            "0" => Some(0),
            "½" => Some(1),
            "1" => Some(2),
            _ => None,
        };
        match (points(white)?, points(black)?) {
            (2, 0) => Some(GameResult::WhiteWins),
            (0, 2) => Some(GameResult::BlackWins),
            (1, 1) => Some(GameResult::Draw),
            (0, 0) => Some(GameResult::BothLose),
            _ => None,
        }
    }

    /// Returns the half-points of the player of `color`: 2, 1 or 0. `None` if the result is unknown.
    pub fn half_points(self, color: Color) -> Option<u32> {
        match self {
            GameResult::WhiteWins => Some(color.fold_wb(2, 0)),
            GameResult::BlackWins => Some(color.fold_wb(0, 2)),
            GameResult::Draw => Some(1),
            GameResult::BothLose => Some(0),
            GameResult::Unknown => None,
        }
    }
}

/// A text that is not a result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not 1-0, 0-1, 1/2-1/2, 0-0 or *")]
pub struct UnknownResult(String);

/// Characters that count as a hyphen in results, castling, null moves and moves such as `e2-e4`.
pub(crate) const DASHES: [char; 6] = ['-', '–', '—', '−', '‐', '‑'];

/// The highest accepted rating. A larger number in a tag counts as a typing error.
pub const HIGHEST_ELO: u32 = 5000;

/// Returns the round from a tag `Round`: the number before the first dot; `None` if there is none.
pub fn read_round(tag: &str) -> Option<u32> {
    tag.split('.').next()?.trim().parse().ok()
}

/// Returns the event of a game. `tag` returns the value of a tag by its name. On broadcasts, the tag `Event` may name the
/// round or the game, so `BroadcastName` decides, without an end such as "| Round 3" or "| Boards 1-50", because each part of
/// an event may have its own broadcast.
pub fn read_event<'a>(tag: impl Fn(&'static str) -> Option<&'a str>) -> Option<&'a str> {
    let Some(name) = tag("BroadcastName").map(str::trim).filter(|name| !name.is_empty()) else {
        return tag("Event");
    };
    let is_part = |end: &str| {
        let mut words = end.split_whitespace();
        let kind = words.next().unwrap_or_default().to_lowercase();
        let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        PARTS.contains(&kind.trim_end_matches('s')) && words.next().is_some_and(is_number)
    };
    let whole = name.rsplit_once('|').filter(|(whole, end)| is_part(end) && !whole.trim().is_empty());
    Some(whole.map_or(name, |(whole, _)| whole.trim_end()))
}

/// The parts of events that broadcasts number.
const PARTS: [&str; 5] = ["round", "board", "day", "game", "match"];

/// Parses an Elo tag. `None` if its value is 0, not a number, or above [`HIGHEST_ELO`].
pub fn read_elo(value: &str) -> Option<u32> {
    value.parse().ok().filter(|elo| (1..=HIGHEST_ELO).contains(elo))
}

/// Parses a tag such as `WhiteFideId`. `None` if its value is 0 or not a number.
pub fn read_fide_id(value: &str) -> Option<u32> {
    value.parse().ok().filter(|id| *id > 0)
}

/// Tag pairs in the order of the file, and the readings of values in an unusual form.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tags {
    pairs: Vec<(String, String)>,
    readings: Vec<(&'static str, String)>,
}

impl Tags {
    /// Returns the value of the first tag with this name, ignoring case. If the value is `?` or white space,
    /// the tag counts as missing. If the value has an unusual form, returns its reading.
    pub fn get(&self, name: &str) -> Option<&str> {
        let reading = self.readings.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        let reading = reading.map(|(_, value)| value.as_str());
        reading.or_else(|| self.raw(name)).map(str::trim).filter(|value| !value.is_empty() && *value != "?")
    }

    /// Returns the value of the first tag with this name as in the file, ignoring the case of the name.
    pub fn raw(&self, name: &str) -> Option<&str> {
        let mut pairs = self.iter().filter(|(key, _)| key.eq_ignore_ascii_case(name));
        pairs.next().map(|(_, value)| value)
    }

    /// Makes [`Tags::get`] return `reading` for the tag with this name. The tag pair stays as in the file.
    pub fn read_as(&mut self, name: &'static str, reading: String) {
        self.readings.retain(|(key, _)| *key != name);
        self.readings.push((name, reading));
    }

    /// Replaces the value of the tag with this name, or adds the tag at the end.
    pub fn set(&mut self, name: &str, value: &str) {
        self.readings.retain(|(key, _)| !key.eq_ignore_ascii_case(name));
        match self.pairs.iter_mut().find(|(key, _)| key.eq_ignore_ascii_case(name)) {
            Some(tag) => tag.1 = value.to_owned(),
            None => self.pairs.push((name.to_owned(), value.to_owned())),
        }
    }

    /// Returns the event by [`read_event`]; `None` if it is missing, or if the tag only names a kind of game, as on servers.
    pub fn event(&self) -> Option<&str> {
        read_event(|name| self.get(name))
            .filter(|event| server_of_kind(&event.to_ascii_lowercase()).is_none())
    }

    /// Returns the rating system of the Elo tags.
    pub fn rating_system(&self) -> RatingSystem {
        RatingSystem::of_tags(|name| self.get(name)).0
    }

    /// Returns the time control; `None` if it is missing.
    pub fn time_control(&self) -> Option<&str> {
        read_time_control(|name| self.get(name))
    }

    /// Returns the class of the time control; `None` if it is unknown.
    pub fn time_class(&self) -> Option<TimeClass> {
        self.time_control().and_then(TimeClass::of)
    }

    /// Returns the date of the first of the tags `Date`, `UTCDate` and `EventDate` with a known year; `None`
    /// if there is none.
    pub fn date(&self) -> Option<Date> {
        Date::of_tags(|name| self.get(name))
    }

    /// Returns the player of `color`, `?` if the name is missing.
    pub fn player(&self, color: Color) -> &str {
        self.get(color.fold_wb("White", "Black")).unwrap_or("?")
    }

    /// Returns the Elo of the player of `color`; `None` if it is missing, 0, not a number, or above
    /// [`HIGHEST_ELO`].
    pub fn elo(&self, color: Color) -> Option<u32> {
        self.get(color.fold_wb("WhiteElo", "BlackElo")).and_then(read_elo)
    }

    /// Returns the round; `None` if its tag has no number before the first dot.
    pub fn round(&self) -> Option<u32> {
        self.get("Round").and_then(read_round)
    }

    /// Iterates over the tags as in the file, as pairs of name and value.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl FromIterator<(String, String)> for Tags {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(tags: T) -> Tags {
        Tags { pairs: tags.into_iter().collect(), readings: Vec::new() }
    }
}

impl Game {
    /// Returns a name of the game for messages, without control characters: `games.pgn, game 3 (Anand –
    /// Carlsen)`.
    pub fn title(&self) -> String {
        let [white, black] = Color::ALL.map(|color| brief(self.player(color)));
        format!("{}, game {} ({white} – {black})", games_path(&self.source.file), self.source.number)
    }

    /// Returns the player of `color`, `?` if the name is missing.
    pub fn player(&self, color: Color) -> &str {
        self.tags.player(color)
    }

    /// Returns the Elo of the player of `color`, like [`Tags::elo`].
    pub fn elo(&self, color: Color) -> Option<u32> {
        self.tags.elo(color)
    }

    /// Returns the n + 1 positions of a game of n moves, from the start position to the last.
    pub fn positions(&self) -> impl Iterator<Item = Chess> {
        let mut moves = self.moves.iter();
        std::iter::successors(Some(self.start.clone()), move |position| {
            let played = moves.next()?;
            let mut next = position.clone();
            let m = played.uci.to_move(position).expect("a move that was replayed when read");
            next.play_unchecked(m);
            Some(next)
        })
    }

    /// Returns the side that makes each of the n moves.
    pub fn movers(&self) -> impl Iterator<Item = Color> {
        let first = self.start.turn();
        (0..self.moves.len()).map(move |ply| if ply % 2 == 0 { first } else { !first })
    }

    /// Returns the number of positions, which is the number of moves + 1.
    pub fn position_count(&self) -> usize {
        self.moves.len() + 1
    }

    /// Returns the evaluation recorded for the position after `ply` moves.
    ///
    /// # Panics
    ///
    /// If the game has fewer moves.
    pub fn recorded_eval(&self, ply: usize) -> Option<RecordedEval> {
        match ply.checked_sub(1) {
            None => self.start_eval,
            Some(index) => self.moves[index].eval,
        }
    }
}

/// Converts the move `written` to the UCI notation of `mode`. The notation differs only for castling. `None`
/// if the move is not legal in `position`.
pub fn legal_uci(written: UciMove, position: &Chess, mode: CastlingMode) -> Option<UciMove> {
    written.to_move(position).ok().map(|m| m.to_uci(mode))
}

/// Returns the FEN of a position, as used in tables and in UCI. The FEN has an en-passant square only if an
/// en-passant capture is legal. If the usual letters of castling rights would be ambiguous (in Chess960), the
/// FEN has the files of the rooks instead.
pub fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// Converts a UCI move to SAN; `None` if it is not legal in `position`.
pub fn san(position: &Chess, uci: UciMove) -> Option<String> {
    let played = uci.to_move(position).ok()?;
    Some(SanPlus::from_move(position.clone(), played).to_string())
}

/// Returns moves in SAN, up to the first illegal one.
pub fn in_san(from: &Chess, moves: &[UciMove]) -> Vec<String> {
    let mut position = from.clone();
    let san = moves.iter().map_while(|uci| {
        let m = uci.to_move(&position).ok()?;
        Some(SanPlus::from_move_and_play_unchecked(&mut position, m).to_string())
    });
    san.collect()
}

/// Returns the FEN of a start position; `None` for the initial position of standard chess.
pub fn start_fen(start: &Chess) -> Option<String> {
    // FENs are compared, because two positions count as equal even if their move counters differ.
    let fen = fen(start);
    (fen != self::fen(&Chess::default())).then_some(fen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_event_of_a_broadcast_is_its_name_without_the_number_of_a_part() {
        for (broadcast, event) in [
            ("", Some("Round 3: Li, W - Kern, A")),
            ("Open 2026", Some("Open 2026")),
            ("World Cup 2025 | Round 1", Some("World Cup 2025")),
            ("Grand Swiss | Women | Boards 1-28", Some("Grand Swiss | Women")),
            ("Congress 2025 | Championship", Some("Congress 2025 | Championship")),
            ("Cup | Rounds", Some("Cup | Rounds")),
            (" | Day 2", Some("| Day 2")),
        ] {
            let tag = |name| {
                [("Event", "Round 3: Li, W - Kern, A"), ("BroadcastName", broadcast)]
                    .iter()
                    .find(|(key, _)| *key == name)
                    .map(|(_, value)| *value)
            };
            assert_eq!(read_event(tag), event, "{broadcast}");
        }
        assert_eq!(read_event(|_| None), None);
    }

    #[test]
    fn a_tag_without_a_value_counts_as_missing() {
        let tags: Tags = [("White", "?"), ("Black", "Anand, V"), ("blackelo", "2799")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into_iter()
            .collect();
        assert_eq!(tags.get("White"), None);
        assert_eq!(tags.get("black"), Some("Anand, V"));
        assert_eq!(tags.get("BlackElo"), Some("2799"));
    }

    #[test]
    fn results_are_read_in_the_forms_of_servers_organizers_and_old_databases() {
        for (result, forms) in [
            (
                GameResult::WhiteWins,
                &["1-0", "1 - 0", "1:0", "1–0", "1-O", "1-0F", "1F-0", "+/-", "+:-", "+-"][..],
            ),
            (GameResult::BlackWins, &["0-1", "0:1", "O-1", "0-1F", "-/+", "-:+", "-+"]),
            (
                GameResult::Draw,
                &["1/2-1/2", "1/2", "½", "½-½", "½:½", "0.5-0.5", "0,5:0,5", "=-=", "1/2 - 1/2"],
            ),
            (GameResult::BothLose, &["0-0", "0:0", "0F-0F", "-/-", "-:-"]),
            (GameResult::Unknown, &["*"]),
        ] {
            forms.iter().for_each(|form| assert_eq!(GameResult::read(form), Some(result), "{form}"));
        }
        for other in ["", "draw", "1-1", "1/2-0", "2-0", "1", "0", "1.0-0", "1. 0-0", "10-0", "--1", "1-0-1"]
        {
            assert_eq!(GameResult::read(other), None, "{other}");
        }
    }

    #[test]
    fn a_result_gives_each_side_its_half_points() {
        assert_eq!(GameResult::BlackWins.half_points(Color::Black), Some(2));
        assert_eq!(GameResult::Draw.half_points(Color::White), Some(1));
        assert_eq!(GameResult::Unknown.half_points(Color::White), None);
    }
}
