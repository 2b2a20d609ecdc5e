//! Writing of games in PGN.

use std::{fmt::Write as _, io};

use shakmaty::{CastlingMode, Color, Position};

use super::{
    comments::EvalCommands, comments::commands_after, start::start_position, tags::escape, tags::is_name_char,
};
use crate::base::text::fold_spaces;
use crate::chess::game::{Annotation, Game, GameResult, Tags, fen};

/// Line width of the movetext in PGN's export format.
const COLUMNS: usize = 80;

/// The seven tag roster in order, with the text for a missing value.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// Writes a game and a blank line after it.
///
/// The tags of PGN's Seven Tag Roster come first, then the remaining tags in their order. Tags with invalid
/// names are left out. `Result` and the start position come from the game, whatever its tags say. Reading the
/// text back gives the same moves, annotations, evaluations and clocks. But white space in comments is
/// folded, a `}` in a comment becomes `)`, and a control character in a tag becomes a space.
pub fn write_game(game: &Game, out: &mut impl io::Write) -> io::Result<()> {
    out.write_all(noted_game(game, &[]).as_bytes())
}

/// Returns a game as [`write_game`] writes it, with a note in braces after each move: `1. e4 {+0.31/12
/// 0.5s}`. The first of `notes` belongs to the first move. Empty and missing notes are left out, and no line
/// ends within a note.
pub fn noted_game(game: &Game, notes: &[String]) -> String {
    let mut text = String::new();
    for (name, value) in tags_of(game).iter() {
        writeln!(text, "[{name} \"{}\"]", escape(value)).expect("a string takes any text");
    }
    text.push('\n');
    let mut lines = Lines::new(&mut text);
    write_moves(game, notes, &mut lines);
    // In the moves, `0-0` might be castling.
    let result = if game.result == GameResult::BothLose { GameResult::Unknown } else { game.result };
    lines.word(&result.to_string());
    text.push_str("\n\n");
    text
}

fn tags_of(game: &Game) -> Tags {
    let result = game.result.to_string();
    let raw = |wanted: &str| {
        let mut found = game.tags.iter().filter(|(name, _)| name.eq_ignore_ascii_case(wanted));
        found.next().map(|(_, value)| value).filter(|value| !value.trim().is_empty())
    };
    let roster = ROSTER.iter().map(|&(name, missing)| match name {
        "Result" => (name.to_owned(), result.clone()),
        _ => (name.to_owned(), raw(name).unwrap_or(missing).to_owned()),
    });
    let others = game.tags.iter().filter(|(name, _)| {
        let in_roster = ROSTER.iter().any(|(roster, _)| roster.eq_ignore_ascii_case(name));
        !in_roster && !name.is_empty() && name.chars().all(is_name_char)
    });
    let tags = roster.chain(others.map(|(name, value)| (name.to_owned(), value.to_owned()))).collect();
    with_start(game, tags)
}

fn with_start(game: &Game, tags: Tags) -> Tags {
    let is_same = |(start, mode, _): (shakmaty::Chess, CastlingMode, _)| {
        let counters = |p: &shakmaty::Chess| (p.fullmoves(), p.halfmoves());
        start == game.start && mode == game.mode && counters(&start) == counters(&game.start)
    };
    if start_position(&tags).is_ok_and(is_same) {
        return tags;
    }
    let about_start =
        |name: &str| ["Variant", "SetUp", "FEN"].iter().any(|tag| tag.eq_ignore_ascii_case(name));
    let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    let mut tags: Tags = tags.iter().filter(|(name, _)| !about_start(name)).map(owned).collect();
    if game.mode == CastlingMode::Chess960 {
        tags.set("Variant", "Chess960");
    }
    tags.set("SetUp", "1");
    tags.set("FEN", &fen(&game.start));
    tags
}

fn write_moves(game: &Game, notes: &[String], lines: &mut Lines) {
    if let Some(eval) = game.start_eval {
        lines.word(&format!("{{ {} }}", EvalCommands(eval)));
    }
    write_annotations(&game.preamble, lines);
    let mut number = game.start.fullmoves().get();
    let mut interrupted = true;
    let notes = notes.iter().map(String::as_str).chain(std::iter::repeat(""));
    for ((played, mover), note) in game.moves.iter().zip(game.movers()).zip(notes) {
        match mover {
            Color::White => lines.word(&format!("{number}.")),
            Color::Black if interrupted => lines.word(&format!("{number}...")),
            Color::Black => (),
        }
        lines.word(&played.san.to_string());
        // The glyphs come directly after the move, where every reader expects them.
        let glyphs = played.annotations.iter().take_while(|one| matches!(one, Annotation::Nag(_))).count();
        let (glyphs, annotations) = played.annotations.split_at(glyphs);
        write_annotations(glyphs, lines);
        if !note.is_empty() {
            lines.word(&format!("{{{note}}}"));
        }
        let commands = commands_after(played);
        if !commands.is_empty() {
            lines.word(&format!("{{ {commands} }}"));
        }
        write_annotations(annotations, lines);
        interrupted = !note.is_empty() || !commands.is_empty() || !played.annotations.is_empty();
        number = number.saturating_add(mover.fold_wb(0, 1));
    }
}

fn write_annotations(annotations: &[Annotation], lines: &mut Lines) {
    for annotation in annotations {
        match annotation {
            Annotation::Nag(nag) => lines.word(&format!("${nag}")),
            Annotation::Comment(text) => lines.words(&comment(text)),
            Annotation::Variation(moves) => lines.words(&format!("({moves})")),
        }
    }
}

/// Returns a comment in braces. A closing brace inside would end it, so it becomes a parenthesis.
pub(super) fn comment(text: &str) -> String {
    format!("{{ {} }}", fold_spaces(&text.replace('}', ")")))
}

/// A writer of words in lines of at most 80 columns. A longer word has a line of its own.
struct Lines<'a> {
    text: &'a mut String,
    column: usize,
}

impl Lines<'_> {
    fn new(text: &mut String) -> Lines<'_> {
        Lines { text, column: 0 }
    }

    /// Adds a word, which may contain spaces that must not become line ends. No line begins with `[` or `%`,
    /// which would look like a tag or an escaped line.
    fn word(&mut self, word: &str) {
        let width = word.chars().count();
        if self.column > 0 {
            let fits = self.column + 1 + width <= COLUMNS || word.starts_with(['[', '%']);
            self.text.push(if fits { ' ' } else { '\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.text.push_str(word);
        self.column += width;
    }

    fn words(&mut self, text: &str) {
        text.split_whitespace().for_each(|word| self.word(word));
    }
}
