//! Start positions of games: from an EPD or PGN file, or by random moves.

use std::collections::HashSet;

use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use sha2::{Digest, Sha256};
use shakmaty::{CastlingMode, Chess, FromSetup, Position, PositionError, fen::Fen, uci::UciMove};

use crate::base::{digest::hex, text::brief};
use crate::chess::{
    Block, Blocks, FirstFew, Game, GameReader, GameSoFar, Referee, pgn::LARGEST_GAME, pgn::decode_part,
};
use crate::engine::Command;
use crate::numbers::stats::bootstrap::below;

#[derive(Debug, Clone, PartialEq)]
pub struct Opening {
    pub start: Chess,
    pub mode: CastlingMode,
    pub moves: Vec<UciMove>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Openings {
    pub openings: Vec<Opening>,
    /// The first few openings skipped because they cannot be played, each with its place and the reason.
    pub skipped: FirstFew<String>,
    /// Number of openings skipped because an earlier opening reaches the same position.
    pub repeated: u32,
}

impl Default for Opening {
    fn default() -> Opening {
        Opening { start: Chess::default(), mode: CastlingMode::Standard, moves: Vec::new() }
    }
}

impl Opening {
    /// Returns the start of a game and its first moves, at most `plies` half-moves.
    pub fn of_game(game: &Game, plies: Option<u32>) -> Opening {
        let plies = plies.map_or(usize::MAX, |plies| plies as usize);
        let moves = game.moves.iter().take(plies).map(|played| played.uci).collect();
        Opening { start: game.start.clone(), mode: game.mode, moves }
    }

    pub fn game(&self) -> GameSoFar {
        let mut game = GameSoFar::new(self.start.clone(), self.mode);
        self.moves.iter().for_each(|&uci| game.push(uci));
        game
    }

    pub fn referee(&self) -> Referee {
        let mut referee = Referee::new(self.start.clone());
        for uci in &self.moves {
            referee.play(uci.to_move(referee.position()).expect("a move that was replayed"));
        }
        referee
    }

    /// Returns the opening and its final position; an error if the game is over there.
    fn unfinished(self) -> Result<(Opening, Chess), String> {
        let referee = self.referee();
        match referee.ending() {
            None => Ok((self, referee.position().clone())),
            Some((ending, _)) => Err(format!("the game is over ({})", ending.words())),
        }
    }
}

/// Returns the SHA-256 of all openings, in hexadecimal.
pub fn digest(openings: &[Opening]) -> String {
    let mut hasher = Sha256::new();
    for opening in openings {
        hasher.update(Command::position(&opening.game()).to_string());
        hasher.update(if opening.mode.is_chess960() { "\n960\n" } else { "\n" });
    }
    hex(&hasher.finalize())
}

/// Parses the openings in a file's text: one position per line (EPD or FEN), or games in PGN, of which at
/// most `plies` half-moves are used. `name` is the file's name in messages.
///
/// Illegal openings, and openings where the game is over, are skipped and listed. An opening that reaches the
/// same position as an earlier opening, whatever the move counters, is skipped and counted: an engine would
/// play the same game from there.
pub fn read(text: &str, name: &str, plies: Option<u32>) -> Openings {
    let mut read = Reading::default();
    if is_epd(text) {
        for (number, line) in epd_lines(text) {
            read.add(epd(line).and_then(Opening::unfinished), || format!("{name}, line {number}"));
        }
    } else {
        read.add_games(text, name, plies);
    }
    read.found
}

/// The openings of a file so far, with their final positions.
#[derive(Default)]
struct Reading {
    found: Openings,
    reached: HashSet<Chess>,
}

impl Reading {
    fn add(&mut self, opening: Result<(Opening, Chess), String>, place: impl FnOnce() -> String) {
        match opening {
            Ok((opening, end)) => match self.reached.insert(end) {
                true => self.found.openings.push(opening),
                false => self.found.repeated += 1,
            },
            Err(problem) => self.skip(format!("{}: {problem}", place())),
        }
    }

    /// Adds games block by block. An oversized game is skipped without parsing it.
    fn add_games(&mut self, text: &str, name: &str, plies: Option<u32>) {
        let mut passed = 0;
        let mut blocks = Blocks::new(text.as_bytes());
        while let Some(Ok(block)) = blocks.next() {
            let Block::Games(bytes) = block else {
                self.skip(format!("{name}: a game has more than {} MiB", LARGEST_GAME >> 20));
                continue;
            };
            let text = decode_part(bytes, None);
            let mut games = GameReader::new(&text, name).after(passed);
            for game in games.by_ref() {
                match game {
                    Ok(game) => self.add(Opening::of_game(&game, plies).unfinished(), || game.title()),
                    Err(bad) => self.skip(bad.to_string()),
                }
            }
            passed = games.passed();
        }
    }

    fn skip(&mut self, why: String) {
        self.found.skipped.add(why, "unplayable");
    }
}

/// Returns the lines that are neither empty nor comments, with their numbers from 1.
fn epd_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// Returns whether the first line has the eight ranks of a board.
fn is_epd(text: &str) -> bool {
    let first = epd_lines(text).next().and_then(|(_, line)| line.split_whitespace().next());
    first.is_some_and(|board| board.matches('/').count() == 7)
}

/// Parses the position of a line: four fields and operations as in EPD, or six fields as in FEN.
fn epd(line: &str) -> Result<Opening, String> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let is_number = |field: Option<&&str>| field.is_some_and(|field| field.parse::<u32>().is_ok());
    let count = if is_number(fields.get(4)) && is_number(fields.get(5)) { 6 } else { 4 };
    let shown = || brief(line);
    if fields.len() < 4 {
        return Err(format!("{:?} is not a position: EPD has four fields", shown()));
    }
    let fen: Fen = fields[..count].join(" ").parse().map_err(|error| format!("{:?}: {error}", shown()))?;
    let setup = fen.into_setup();
    let mode = CastlingMode::detect(&setup);
    let start = Chess::from_setup(setup, mode)
        // An en passant square without its pawn is common and does not affect the moves.
        .or_else(PositionError::ignore_invalid_ep_square)
        .map_err(|error| format!("{:?}: {error}", shown()))?;
    Ok(Opening { start, mode, moves: Vec::new() })
}

/// Maximum number of attempts to find a new position.
const ATTEMPTS: usize = 1000;

/// Draws up to `count` openings of `plies` random moves from the initial position, with different final
/// positions. Returns fewer openings if no more are found.
pub fn random(plies: u32, count: u32, seed: u64) -> Vec<Opening> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    // This stream of random numbers differs from the stream for the schedule.
    random.set_stream(1);
    let (mut reached, mut openings) = (HashSet::new(), Vec::new());
    while openings.len() < count as usize {
        let fresh = (0..ATTEMPTS).find_map(|_| {
            let (opening, end) = walk(plies, &mut random)?;
            reached.insert(end).then_some(opening)
        });
        match fresh {
            Some(opening) => openings.push(opening),
            None => break,
        }
    }
    openings
}

/// Returns random moves from the initial position, and the final position; `None` if the game ends.
fn walk(plies: u32, random: &mut ChaCha8Rng) -> Option<(Opening, Chess)> {
    let mut opening = Opening::default();
    let mut referee = opening.referee();
    for _ in 0..plies {
        let moves = referee.position().legal_moves();
        let m = moves[below(random, moves.len())];
        opening.moves.push(m.to_uci(opening.mode));
        referee.play(m);
        if referee.ending().is_some() {
            return None;
        }
    }
    Some((opening, referee.position().clone()))
}

#[cfg(test)]
mod tests {
    /// Returns an opening in the form given to engines.
    fn written(opening: &Opening) -> String {
        Command::position(&opening.game()).to_string()
    }

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_of_epd_are_positions_and_what_is_none_is_named() {
        let text = "# two good ones\n\
            rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 id \"e4\";\n\
            \n\
            8/8/8/4k3/8/4K3/4P3/8 w - - 12 60\n\
            7k/5KQ1/8/8/8/8/8/8 b - - 0 1\n\
            kK6/8/8/8/8/8/8/8 w - - 0 1\n\
            rnbqkbnr/pppp w KQkq -\n\
            hello\n";
        let read = read(text, "book.epd", None);
        let commands: Vec<String> = read.openings.iter().map(written).collect();
        assert_eq!(
            commands,
            [
                "position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
                "position fen 8/8/8/4k3/8/4K3/4P3/8 w - - 12 60"
            ]
        );
        let [mate, kings, short, prose] = read.skipped.first() else { panic!("{:?}", read.skipped) };
        assert_eq!(mate, "book.epd, line 5: the game is over (checkmate)");
        assert!(kings.starts_with("book.epd, line 6: \"kK6"), "{kings}");
        assert!(short.starts_with("book.epd, line 7: "), "{short}");
        assert_eq!(prose, "book.epd, line 8: \"hello\" is not a position: EPD has four fields");
    }

    #[test]
    fn games_of_a_pgn_are_openings_up_to_the_plies_wanted() {
        let text = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 *\n\n\
            [White \"C\"]\n[Black \"D\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
            [White \"E\"]\n[Black \"F\"]\n\n1. e4 Ke7 *\n\n";
        let two = read(text, "book.pgn", Some(2));
        assert_eq!(written(&two.openings[0]), "position startpos moves e2e4 e7e5");
        assert_eq!(two.openings[1].moves.len(), 2, "the mate is not reached");
        let all = read(text, "book.pgn", None);
        assert_eq!(all.openings.len(), 1);
        assert_eq!(all.skipped.first()[0], "book.pgn, game 2 (C – D): the game is over (checkmate)");
        assert!(all.skipped.first()[1].contains("Ke7"), "{}", all.skipped.first()[1]);
    }

    #[test]
    fn a_flood_of_what_cannot_be_played_is_counted() {
        let book = read(&"8/8/8/4k3/8/4K3/4P3/8 w\n".repeat(1000), "book.epd", None);
        assert_eq!((book.skipped.first().len(), book.skipped.count()), (FirstFew::<String>::MOST, 1000));
        let endless = format!("[White \"A\"]\n\n{}", "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(LARGEST_GAME / 16));
        let book = read(&format!("{endless}\n\n[White \"B\"]\n\n1. e4 *\n\n"), "book.pgn", None);
        assert_eq!((book.openings.len(), book.skipped.count()), (1, 1), "{:?}", book.skipped.first());
    }

    #[test]
    fn a_position_that_is_reached_before_is_no_other_opening() {
        let doubles = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 id \"no capture\";\n\
            rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 5 9\n\
            rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n\
            rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b Qkq -\n";
        let positions = read(doubles, "book.epd", None);
        assert_eq!((positions.openings.len(), positions.repeated), (3, 1), "side to move and castling count");
        let transposed =
            "[White \"A\"]\n\n1. Nf3 Nf6 2. d4 d5 *\n\n[White \"B\"]\n\n1. d4 d5 2. Nf3 Nf6 *\n\n";
        let games = read(transposed, "book.pgn", None);
        assert_eq!((games.openings.len(), games.repeated), (1, 1), "though their counters differ");
        assert_eq!(written(&games.openings[0]), "position startpos moves g1f3 g8f6 d2d4 d7d5");
        assert_eq!(read(transposed, "book.pgn", Some(2)).repeated, 0);
    }

    #[test]
    fn a_capture_in_passing_makes_another_opening() {
        let both = "8/8/8/8/2pP4/8/8/K6k b - d3\n8/8/8/8/2pP4/8/8/K6k b - -\n";
        assert_eq!(read(both, "book.epd", None).openings.len(), 2);
    }

    #[test]
    fn a_board_of_chess960_castles_by_its_rules() {
        let read = read("nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w GBgb - hmvc 0;", "x.epd", None);
        assert_eq!(read.openings[0].mode, CastlingMode::Chess960);
    }

    #[test]
    fn one_random_ply_has_twenty_openings_and_no_more() {
        assert_eq!(random(1, 100, 5).len(), 20);
        assert_eq!(random(0, 3, 5), [Opening::default()]);
    }

    proptest! {
        #[test]
        fn random_openings_are_determined_by_their_seed(plies in 2u32..12, seed in any::<u64>()) {
            let openings = random(plies, 8, seed);
            prop_assert_eq!(openings.len(), 8);
            prop_assert!(openings.iter().all(|opening| opening.moves.len() == plies as usize));
            prop_assert!(openings.iter().all(|opening| opening.referee().ending().is_none()));
            let reached: HashSet<Chess> =
                openings.iter().map(|opening| opening.referee().position().clone()).collect();
            prop_assert_eq!(reached.len(), openings.len());
            prop_assert_eq!(digest(&openings), digest(&random(plies, 8, seed)));
            prop_assert_ne!(digest(&openings), digest(&random(plies, 8, seed.wrapping_add(1))));
            prop_assert_eq!(&random(plies, 5, seed)[..], &openings[..5]);
        }
    }
}
