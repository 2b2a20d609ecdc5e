//! [`OpeningNames`]: names of openings by position. They also determine the book moves of a game. Other names
//! come from the tag `ECOUrl` and from ECO codes.

use std::{collections::HashMap, sync::LazyLock};

use shakmaty::{Chess, EnPassantMode, Position, fen::Epd, san::San};

use crate::chess::{Game, Tags};

/// Names of openings by their final positions. So transpositions have the same name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OpeningNames {
    /// ECO code and name of the opening, by position.
    positions: HashMap<String, (String, String)>,
}

/// Number of positions that are looked up, from the start of a game. The openings of
/// lichess-org/chess-openings are shorter.
const LONGEST: usize = 60;

impl OpeningNames {
    /// Parses a table with one opening per line: ECO code, name and moves, separated by tabs. This is the
    /// format of lichess-org/chess-openings. Blank lines and the heading line are skipped.
    ///
    /// # Errors
    ///
    /// If any other line is not an opening, or if the table has no opening. The error is a message, with the
    /// line number if a line is at fault.
    pub fn parse(text: &str) -> Result<OpeningNames, String> {
        let mut positions = HashMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
            match fields.as_slice() {
                [""] | ["eco", "name", ..] => {}
                [eco, name, moves, ..] => {
                    let position = played(moves).map_err(|error| format!("line {number}: {error}"))?;
                    positions.insert(position, ((*eco).to_owned(), (*name).to_owned()));
                }
                _ => {
                    return Err(format!(
                        "line {number}: expected ECO code, name and moves, separated by tabs"
                    ));
                }
            }
        }
        match positions.is_empty() {
            true => Err("the table has no opening".to_owned()),
            false => Ok(OpeningNames { positions }),
        }
    }

    /// Adds the openings of another table.
    pub fn add(&mut self, other: OpeningNames) {
        self.positions.extend(other.positions);
    }

    /// Sets the tags `ECO` and `Opening`, and the number of book plies, by the last position of the game that
    /// has a name. Without such a position, the game stays unchanged.
    pub fn name(&self, game: &mut Game) {
        let named = game.positions().take(LONGEST).enumerate();
        let named = named.filter_map(|(ply, position)| Some((ply, self.positions.get(&key(&position))?)));
        if let Some((ply, (eco, name))) = named.last() {
            game.tags.set("ECO", eco);
            game.tags.set("Opening", name);
            game.book_plies = Some(ply);
        }
    }
}

/// Reads the tag `Opening` from chess.com's tag `ECOUrl`, if the game has no tag `Opening`. An address such
/// as `https://www.chess.com/openings/Sicilian-Defense-Closed-2...Nc6` means `Sicilian Defense: Closed`. The
/// colon follows the name of the opening family, which ends with the first word such as `Defense`, or with
/// `Accepted` or `Declined` after that word.
pub fn name_by_url(tags: &mut Tags) {
    let address = tags.get("ECOUrl").filter(|_| tags.get("Opening").is_none());
    let slug = address.and_then(|address| address.split_once("/openings/")).map_or("", |(_, slug)| slug);
    let is_word = |word: &&str| !word.contains('.') && !word.starts_with(|c: char| c.is_ascii_digit());
    let words: Vec<&str> = slug.split('-').take_while(is_word).collect();
    let is_last = |word: &&str| ["Opening", "Defense", "Game", "Gambit", "Attack", "System"].contains(word);
    let Some(last) = words.iter().position(is_last) else { return };
    let is_longer = words.get(last + 1).is_some_and(|word| ["Accepted", "Declined"].contains(word));
    let (family, line) = words.split_at(last + 1 + usize::from(is_longer));
    let parts = [family.join(" "), line.join(" ")];
    tags.read_as("Opening", parts.join(": ").trim_end_matches(": ").to_owned());
}

/// The first ECO code of each range of codes, and the name of the range's openings.
static ECO_RANGES: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    include_str!("../../data/eco.tsv").lines().filter_map(|line| line.split_once('\t')).collect()
});

/// Returns the name of the openings with an ECO code such as `C60`; `None` if the text is not an ECO code.
pub fn name_of_eco(code: &str) -> Option<&'static str> {
    let [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9', ..] = code.as_bytes() else { return None };
    let after = ECO_RANGES.partition_point(|(first, _)| *first <= code);
    after.checked_sub(1).map(|place| ECO_RANGES[place].1)
}

fn key(position: &Chess) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string()
}

/// Plays moves such as `1. e4 e5 2. Nf3`, and returns the key of the final position.
fn played(moves: &str) -> Result<String, String> {
    let mut position = Chess::default();
    for word in moves.split_whitespace().filter(|word| !word.ends_with('.')) {
        let refused = || format!("{word} is not a legal move here");
        let san: San = word.parse().map_err(|_| refused())?;
        let legal = san.to_move(&position).map_err(|_| refused())?;
        position.play_unchecked(legal);
    }
    Ok(key(&position))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::parse_games;

    const NAMES: &str = "eco\tname\tpgn\nB00\tKing's Pawn Game\t1. e4\nD02\tQueen's Pawn Game: Zukertort Variation\t1. d4 d5 2. Nf3\n";

    fn game(moves: &str) -> Game {
        let text = format!("[White \"A\"]\n[Black \"B\"]\n[Opening \"by tag\"]\n\n{moves} *\n");
        parse_games(&text, "test").into_iter().flatten().next().expect("a game")
    }

    #[test]
    fn an_opening_is_named_by_its_position_however_it_is_reached() {
        let names = OpeningNames::parse(NAMES).expect("two openings");
        let told = |moves: &str| {
            let mut game = game(moves);
            names.name(&mut game);
            (game.tags.get("Opening").unwrap_or_default().to_owned(), game.book_plies)
        };
        assert_eq!(
            told("1. Nf3 d5 2. d4 a6"),
            ("Queen's Pawn Game: Zukertort Variation".to_owned(), Some(3))
        );
        assert_eq!(told("1. e4 e5 2. Nf3"), ("King's Pawn Game".to_owned(), Some(1)));
        assert_eq!(told("1. c4"), ("by tag".to_owned(), None), "without a name it keeps its tag");
    }

    #[test]
    fn an_address_names_the_family_and_the_line() {
        for (slug, name) in [
            ("Ruy-Lopez-Opening-3...a6-4.Ba4", Some("Ruy Lopez Opening")),
            (
                "Sicilian-Defense-Open-Najdorf-Variation-6.Be2",
                Some("Sicilian Defense: Open Najdorf Variation"),
            ),
            ("Queens-Gambit-Declined-3.Nc3-Nf6", Some("Queens Gambit Declined")),
            ("Kings-Gambit-Accepted-Bishops-Gambit", Some("Kings Gambit Accepted: Bishops Gambit")),
            ("Caro-Kann-Defense-Advance-Variation...4.h4-h5", Some("Caro Kann Defense: Advance")),
            ("Undefined", None),
            ("", None),
        ] {
            let url = format!("https://www.chess.com/openings/{slug}");
            let mut tags: Tags = [("ECOUrl".to_owned(), url)].into_iter().collect();
            name_by_url(&mut tags);
            assert_eq!(tags.get("Opening"), name, "{slug}");
        }
        let mut tags = game("1. e4").tags;
        tags.set("ECOUrl", "https://www.chess.com/openings/French-Defense");
        name_by_url(&mut tags);
        assert_eq!(tags.get("Opening"), Some("by tag"));
    }

    #[test]
    fn an_eco_code_is_of_the_range_that_begins_before_it() {
        for (code, name) in [
            ("A00", Some("Irregular Opening")),
            ("A03", Some("Bird Opening")),
            ("B90", Some("Sicilian Defense")),
            ("C60", Some("Ruy Lopez")),
            ("C99", Some("Ruy Lopez")),
            ("D31/08", Some("Queen's Gambit Declined")),
            ("E99", Some("King's Indian Defense")),
            ("F00", None),
            ("B9", None),
            ("ABC", None),
            ("?", None),
        ] {
            assert_eq!(name_of_eco(code), name, "{code}");
        }
        assert!(ECO_RANGES.is_sorted() && ECO_RANGES.iter().all(|(code, _)| code.len() == 3));
    }

    #[test]
    fn a_line_that_is_no_opening_is_named() {
        let error = |text: &str| OpeningNames::parse(text).expect_err("no opening");
        assert_eq!(error("B00\tPawn\t1. e5"), "line 1: e5 is not a legal move here");
        assert_eq!(error("B00 Pawn 1. e4"), "line 1: expected ECO code, name and moves, separated by tabs");
        assert_eq!(error("eco\tname\tpgn\n"), "the table has no opening");
    }
}
