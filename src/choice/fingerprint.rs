//! Owns [`Fingerprint`]: by what two copies of one game are known, wherever they stand.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::Headers;
use crate::game::Game;

/// A digest of the players, the date, the start position and the moves of a game: XXH3 of 64 bits, the
/// same in every version and on every machine.
///
/// Of a million different games two have the same one with a probability of 3 in 10⁸.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(u64);

/// Parts the fields of what is digested: no tag and no move has it in it.
const END: u8 = 0;

impl Fingerprint {
    /// That of a game that was read.
    pub fn of(game: &Game) -> Fingerprint {
        let mut builder = FingerprintBuilder::new(&Headers::of_game(game));
        for played in &game.moves {
            builder.san(played.san.to_string().as_bytes());
        }
        builder.finish()
    }

    /// A number from 0 to 2⁶⁴ − 1, any of them as likely as any other, that `seed` and the game decide.
    pub(super) fn lot(self, seed: u64) -> u64 {
        xxh3_64_with_seed(&self.0.to_le_bytes(), seed)
    }
}

/// A [`Fingerprint`] in the making, for readers that see one move after another: what is digested, since
/// digesting it all at once is quicker than move by move.
#[derive(Clone)]
pub struct FingerprintBuilder(Vec<u8>);

impl FingerprintBuilder {
    /// That of a game without moves. White space in names is folded, as that of players is.
    pub fn new(headers: &Headers<'_>) -> FingerprintBuilder {
        let mut digested = Vec::with_capacity(512);
        for name in [headers.white, headers.black] {
            for word in name.split_whitespace() {
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
        FingerprintBuilder(digested)
    }

    /// Adds the next move of the main line, as written in PGN; marks of check and mate and glyphs
    /// after it (`+`, `#`, `!`, `?`) do not count, and castling is `O-O` even where it is written with
    /// zeros. Of a piece's move the piece and the square that it goes to count: `Nge2` and `Ne2` are one.
    pub fn san(&mut self, written: &[u8]) {
        let length = written
            .iter()
            .rposition(|byte| !matches!(byte, b'+' | b'#' | b'!' | b'?'))
            .map_or(0, |last| last + 1);
        match &written[..length] {
            b"0-0" => self.0.extend_from_slice(b"O-O"),
            b"0-0-0" => self.0.extend_from_slice(b"O-O-O"),
            // Programs differ in what else they write, where a knight is pinned for one, and only the board
            // tells what is due. That two games differ in nothing else is rarer by far.
            [piece @ (b'K' | b'Q' | b'R' | b'B' | b'N'), .., file, rank] => {
                self.0.extend_from_slice(&[*piece, *file, *rank]);
            }
            plain => self.0.extend_from_slice(plain),
        }
        self.0.push(END);
    }

    /// The fingerprint of the game with these moves.
    pub fn finish(&self) -> Fingerprint {
        Fingerprint(xxh3_64(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::parse_games;

    const GAME: &str = "[White \"Anand, V\"]\n[Black \"Carlsen, M\"]\n[Date \"2013.11.09\"]\n\n1. e4 e5 *\n";

    fn of(pgn: &str) -> Fingerprint {
        Fingerprint::of(&parse_games(pgn, "test").remove(0).expect("a game"))
    }

    #[test]
    fn what_is_digested_is_settled_once_and_for_all() {
        // The same by another implementation, python's xxhash:
        // xxhash.xxh3_64(b"Anand, V \0Carlsen, M \x002013.11.09\0\0e4\0e5\0").intdigest()
        assert_eq!(of(GAME), Fingerprint(0xcc20_51cb_5e40_6487));
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
            let mut builder = FingerprintBuilder::new(&Headers::default());
            moves.iter().for_each(|san| builder.san(san.as_bytes()));
            builder.finish()
        };
        let due = digest(&["e4", "e5", "Ne2", "Kxf7", "a8=Q"]);
        assert_eq!(digest(&["e4", "e5", "Ng1e2", "Kxf7+", "a8=Q+"]), due);
        assert_eq!(digest(&["e4", "e5", "Nge2!", "Kf7", "a8=Q"]), due);
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
}
