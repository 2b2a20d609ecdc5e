//! [`Fingerprint`]: a digest that is equal for all copies of a game; and [`Duplicates`], a memory of limited
//! size for games already seen.

use std::collections::{HashMap, hash_map::Entry};

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::Headers;
use crate::base::text::composed;
use crate::chess::game::Game;

/// A digest (64-bit XXH3) of the players, the date, the start position and the moves of a game. It is the
/// same in every version of the program and on every machine.
///
/// Among a million different games, the probability that two have equal fingerprints is 3 in 10⁸.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(u64);

/// Games of at least this many plies are copies if their moves and start positions are equal, even if players
/// and date are unknown.
///
/// Shorter games are often played again. Scholar's mate is played every day. Some lines of opening theory end
/// in a repetition or a perpetual check after up to 25 moves (in the Berlin, the Marshall, the Poisoned
/// Pawn). A game of 30 moves or more is repeated only on purpose.
pub const IDENTIFYING_PLIES: usize = 60;

/// Separator of the digested fields. Game files hardly ever contain it.
const END: u8 = 0;

impl Fingerprint {
    /// Computes the fingerprint of the game with these tags and moves. Names that differ only in white space
    /// or in the Unicode form of accents give equal fingerprints.
    pub fn new(headers: &Headers<'_>, moves: &MoveText) -> Fingerprint {
        let mut digested = Vec::with_capacity(128 + moves.0.len());
        for name in [headers.white, headers.black] {
            for word in composed(name).split_whitespace() {
                digested.extend_from_slice(word.as_bytes());
                digested.push(b' ');
            }
            digested.push(END);
        }
        if let Some(date) = headers.date {
            digested.extend_from_slice(date.to_string().as_bytes());
        }
        digested.push(END);
        digested.extend_from_slice(headers.start.unwrap_or_default().as_bytes());
        digested.push(END);
        digested.extend_from_slice(&moves.0);
        Fingerprint(xxh3_64(&digested))
    }

    /// Computes the fingerprint of a replayed game.
    pub fn of(game: &Game) -> Fingerprint {
        Fingerprint::new(&Headers::of_game(game), &MoveText::of(game))
    }

    /// Returns the fingerprint if it can identify copies of a game with these tags and `plies` plies, else
    /// `None`.
    ///
    /// It can identify copies if a player's name or the date is known, or if the game has at least
    /// `IDENTIFYING_PLIES` plies.
    pub fn of_copies(self, headers: &Headers<'_>, plies: usize) -> Option<Fingerprint> {
        let known = headers.white != "?" || headers.black != "?" || headers.date.is_some();
        (known || plies >= IDENTIFYING_PLIES).then_some(self)
    }

    /// Returns a uniformly distributed number from 0 to 2⁶⁴ − 1, determined by `seed` and the fingerprint.
    pub(super) fn random_number(self, seed: u64) -> u64 {
        xxh3_64_with_seed(&self.0.to_le_bytes(), seed)
    }
}

/// The moves of the main line as digested for fingerprints: PGN moves without marks of check and mate (`+`,
/// `#`) and without glyphs (`!`, `?`).
///
/// The move of a piece is reduced to the piece and the target square, because programs disambiguate
/// differently, for example if a knight is pinned. So `Nge2` and `Ne2` are equal. Different games very rarely
/// have the same text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MoveText(Vec<u8>);

impl MoveText {
    /// Returns the moves of a replayed game.
    pub fn of(game: &Game) -> MoveText {
        let mut moves = MoveText::default();
        game.moves.iter().for_each(|played| moves.push(&played.san.san.to_string()));
        moves
    }

    /// Adds a move in PGN notation without marks and glyphs.
    pub fn push(&mut self, san: &str) {
        match san.as_bytes() {
            [piece, .., file, rank] if is_piece(*piece) => self.0.extend_from_slice(&[*piece, *file, *rank]),
            other => self.0.extend_from_slice(other),
        }
        self.0.push(END);
    }

    /// Adds the move in the first `length` bytes of `bytes`; `length` is from 2 to 7. This is faster than
    /// [`MoveText::push`], because the size of the array is known.
    pub fn push_short(&mut self, bytes: [u8; 8], length: usize) {
        let word = u64::from_le_bytes(bytes);
        let whole = word & !(u64::MAX << (8 * length));
        // For a piece's move: the piece, then the last two bytes.
        let target = whole >> (8 * (length - 2));
        let (digested, length) =
            if is_piece(bytes[0]) { (word & 0xff | target << 8, 3) } else { (whole, length) };
        let end = self.0.len() + length + 1;
        self.0.extend_from_slice(&digested.to_le_bytes());
        self.0.truncate(end);
    }

    /// Removes all moves.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

fn is_piece(letter: u8) -> bool {
    matches!(letter, b'K' | b'Q' | b'R' | b'B' | b'N')
}

/// The fingerprints of games already seen, with a value for each game.
///
/// The memory has at least the last [`Duplicates::CAPACITY`] different games, and at most twice as many. When
/// the newer half of the memory is full, the older half is dropped. Without values, both halves together take
/// at most about 40 MB.
#[derive(Debug, Clone)]
pub struct Duplicates<V = ()> {
    younger: HashMap<Fingerprint, V>,
    elder: HashMap<Fingerprint, V>,
    capacity: usize,
    forgetful: bool,
}

impl<V: Copy> Duplicates<V> {
    /// Number of games in each half: the largest number for which a hash table of 2²¹ slots (nine bytes each)
    /// does not double its size.
    pub const CAPACITY: usize = (1 << 21) / 8 * 7;

    /// Returns an empty memory.
    pub fn new() -> Duplicates<V> {
        Duplicates::with_capacity(Duplicates::<V>::CAPACITY)
    }

    fn with_capacity(capacity: usize) -> Duplicates<V> {
        Duplicates { younger: HashMap::new(), elder: HashMap::new(), capacity, forgetful: false }
    }

    /// Remembers a game with its value, and returns `None`. If a copy of the game is already in memory, keeps
    /// and returns the copy's value instead.
    pub fn earlier(&mut self, game: Fingerprint, value: V) -> Option<V> {
        let earlier = match self.younger.entry(game) {
            Entry::Occupied(seen) => return Some(*seen.get()),
            Entry::Vacant(place) => {
                let earlier = self.elder.get(&game).copied();
                place.insert(earlier.unwrap_or(value));
                earlier
            }
        };
        if self.younger.len() == self.capacity {
            self.forgetful |= !self.elder.is_empty();
            self.elder = std::mem::take(&mut self.younger);
        }
        earlier
    }

    /// Replaces the value of the game with this fingerprint.
    pub fn replace(&mut self, game: Fingerprint, value: V) {
        self.younger.insert(game, value);
    }

    /// Returns whether games were dropped from memory. Copies of these games may then have been taken for new
    /// games.
    pub fn has_forgotten(&self) -> bool {
        self.forgetful
    }
}

impl<V: Copy> Default for Duplicates<V> {
    fn default() -> Duplicates<V> {
        Duplicates::new()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::chess::pgn::parse_games;

    const GAME: &str = "[White \"Anand, V\"]\n[Black \"Carlsen, M\"]\n[Date \"2013.11.09\"]\n\n1. e4 e5 *\n";

    fn of(pgn: &str) -> Fingerprint {
        Fingerprint::of(&parse_games(pgn, "test").remove(0).expect("a game"))
    }

    #[test]
    fn short_games_of_nobody_knows_whom_are_no_copies() {
        let game = |tags: &str, plies: usize| {
            let knights = ["Nf3", "Nf6", "Ng1", "Ng8"];
            let moves: Vec<&str> = (0..plies).map(|ply| knights[ply % 4]).collect();
            let pgn = format!("[Event \"a\"]\n{tags}\n{} *\n", moves.join(" "));
            let game = parse_games(&pgn, "test").remove(0).expect("a game");
            Fingerprint::of(&game).of_copies(&Headers::of_game(&game), game.moves.len()).is_some()
        };
        let unknown = "[White \"?\"]\n[Date \"????.??.??\"]\n";
        assert!(!game(unknown, 59) && game(unknown, 60));
        for known in ["[White \"A\"]\n", "[Black \"B\"]\n", "[Date \"2020.??.??\"]\n"] {
            assert!(game(known, 4), "{known}");
        }
    }

    #[test]
    fn what_is_digested_is_settled_once_and_for_all() {
        // Computed by another implementation, Python's xxhash:
        // xxhash.xxh3_64(b"Anand, V \0Carlsen, M \x002013.11.09\0\0e4\0e5\0").intdigest()
        assert_eq!(of(GAME), Fingerprint(0xcc20_51cb_5e40_6487));
    }

    #[test]
    fn short_moves_are_digested_as_all_are() {
        let (mut one, mut other) = (MoveText::default(), MoveText::default());
        for san in ["e4", "exd8=Q", "Qa1xb2", "O-O-O", "O-O", "Kf7", "Nxe2"] {
            one.push(san);
            let mut bytes = *b"????????";
            bytes[..san.len()].copy_from_slice(san.as_bytes());
            other.push_short(bytes, san.len());
        }
        assert_eq!(one, other);
    }

    #[test]
    fn copies_of_a_game_have_the_same_whatever_stands_beside_the_moves() {
        let spaced = GAME.replace("Anand, V", " Anand,  V ");
        let said = "1. e4! { [%eval 0.3] } (1. d4 d5) 1... e5?? { so be it } 1/2-1/2";
        let annotated = GAME.replace("1. e4 e5 *", said).replace("2013.11.09", "2013-11-09");
        assert_eq!(of(&spaced), of(GAME));
        assert_eq!(of(&annotated), of(GAME));
        let castled = |castling: &str| of(&format!("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. {castling} *"));
        assert_eq!(castled("O-O"), castled("0-0"));
    }

    #[test]
    fn a_move_is_the_same_whether_more_of_it_is_written_than_is_due() {
        let digest = |moves: &[&str]| {
            let mut text = MoveText::default();
            moves.iter().for_each(|san| text.push(san));
            Fingerprint::new(&Headers::default(), &text)
        };
        let due = digest(&["e4", "e5", "Ne2", "Kxf7", "a8=Q"]);
        assert_eq!(digest(&["e4", "e5", "Ng1e2", "Kf7", "a8=Q"]), due);
        assert_ne!(digest(&["e4", "e5", "Be2", "Kxf7", "a8=Q"]), due);
        assert_ne!(digest(&["e4", "e5", "Ne2", "Kxf7", "a8=R"]), due);
    }

    #[test]
    fn another_player_date_start_or_move_is_another_game() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Qkq - 0 1";
        let others = [
            GAME.replace("Anand", "Aronian"),
            GAME.replace("2013.11.09", "2013.11.10"),
            GAME.replace("e5", "e6"),
            GAME.replace(" e5", ""),
            format!("[FEN \"{fen}\"]\n{GAME}"),
        ];
        for other in &others {
            assert_ne!(of(other), of(GAME), "{other}");
        }
    }

    fn numbered(number: u16) -> Fingerprint {
        let name = number.to_string();
        Fingerprint::new(&Headers { white: &name, ..Headers::default() }, &MoveText::default())
    }

    impl Duplicates {
        fn is_new(&mut self, game: Fingerprint) -> bool {
            self.earlier(game, ()).is_none()
        }
    }

    #[test]
    fn a_game_is_new_once() {
        let mut seen = Duplicates::new();
        let new = [1, 2, 1, 3, 2].map(|number| seen.is_new(numbered(number)));
        assert_eq!(new, [true, true, false, true, false]);
        assert!(!seen.has_forgotten());
    }

    #[test]
    fn the_value_of_the_first_copy_is_remembered_until_it_is_replaced() {
        let mut seen = Duplicates::with_capacity(2);
        assert_eq!(
            [1, 2, 1].map(|number| seen.earlier(numbered(number), 10 * number)),
            [None, None, Some(10)]
        );
        seen.replace(numbered(1), 7);
        assert_eq!(seen.earlier(numbered(1), 9), Some(7));
    }

    #[test]
    fn the_oldest_half_is_forgotten_and_it_says_so() {
        let mut seen = Duplicates::with_capacity(2);
        assert!([1, 2, 3].into_iter().all(|number| seen.is_new(numbered(number))));
        assert!(!seen.has_forgotten() && !seen.is_new(numbered(1)));
        assert!(seen.is_new(numbered(4)) && seen.has_forgotten());
        assert!(!seen.is_new(numbered(3)) && seen.is_new(numbered(1)));
    }

    proptest! {
        #[test]
        fn nothing_recent_is_taken_for_new_and_the_memory_is_bounded(
            numbers in prop::collection::vec(0u16..40, 0..200)
        ) {
            let mut seen = Duplicates::with_capacity(8);
            for (at, &number) in numbers.iter().enumerate() {
                let new = seen.is_new(numbered(number));
                let last = numbers[..at].iter().rposition(|&earlier| earlier == number);
                let between = last.map(|last| BTreeSet::from_iter(&numbers[last..at]).len());
                prop_assert!(!new || between.is_none_or(|different| different > 8));
                prop_assert!(!new || last.is_none() || seen.has_forgotten());
                prop_assert!(seen.younger.len() + seen.elder.len() <= 16);
            }
        }
    }
}
