//! [`Shard`]: one of the parts of nearly equal size into which the games of a run are divided between
//! machines or jobs.

use std::{collections::BTreeMap, collections::BTreeSet, fmt, num::ParseIntError, str::FromStr};

use shakmaty::{EnPassantMode, fen::Fen};
use xxhash_rust::xxh3::Xxh3;

use crate::chess::game::Game;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    number: u32,
    of: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    #[error("{0:?} is not a part; write K/N, as in 3/40 for part 3 of 40")]
    NotTwoNumbers(String),
    #[error("{text:?} is not a part; write K/N, as in 3/40 for part 3 of 40")]
    NotANumber {
        text: String,
        #[source]
        source: ParseIntError,
    },
    #[error("there is no part {number} of {of}; in K/N, K is a number from 1 to N")]
    OutOfRange { number: u32, of: u32 },
}

impl Shard {
    /// Returns for each game whether it belongs to this part.
    ///
    /// Every game belongs to exactly one part. The division depends only on the set of games, not on their
    /// files or order, and copies of a game belong to the same part. Games are dealt in order of length, the
    /// longest first. Games of equal length are dealt in the order of a digest of their moves. Each game goes
    /// to the part with the fewest positions so far, or to the first such part. So parts differ by at most
    /// the positions of one game, if copies are not counted.
    pub fn choose(self, games: &[&Game]) -> Vec<bool> {
        let digests: Vec<u128> = games.iter().map(|game| digest(game)).collect();
        let lengths: BTreeMap<u128, usize> =
            digests.iter().copied().zip(games.iter().map(|game| game.moves.len() + 1)).collect();
        let mut in_turn: Vec<(usize, u128)> =
            lengths.into_iter().map(|(digest, length)| (length, digest)).collect();
        in_turn.sort_unstable_by(|a, b| b.cmp(a));
        // For each part, its positions so far and its number. The part with the fewest positions comes first.
        let mut parts: BTreeSet<(usize, u32)> = (1..=self.of).map(|number| (0, number)).collect();
        let mut chosen = BTreeSet::new();
        for (length, digest) in in_turn {
            let (positions, number) = parts.pop_first().expect("one part at least");
            parts.insert((positions + length, number));
            if number == self.number {
                chosen.insert(digest);
            }
        }
        digests.iter().map(|digest| chosen.contains(digest)).collect()
    }

    /// Returns whether this part plays the games of `turn`, an index in a schedule. Turns are dealt to the
    /// parts in rotation.
    pub fn has_turn(self, turn: u32) -> bool {
        turn % self.of == self.number - 1
    }
}

/// Returns a digest of the rules, the start position and the moves.
fn digest(game: &Game) -> u128 {
    let mut digest = Xxh3::new();
    let start = Fen::from_position(&game.start, EnPassantMode::Legal);
    digest.update(format!("{:?} {start}", game.mode).as_bytes());
    for played in &game.moves {
        digest.update(format!(" {}", played.uci).as_bytes());
    }
    digest.digest128()
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let (number, of) = text.split_once('/').ok_or_else(|| ShardError::NotTwoNumbers(text.to_owned()))?;
        let parse = |word: &str| {
            word.parse().map_err(|source| ShardError::NotANumber { text: text.to_owned(), source })
        };
        let (number, of) = (parse(number)?, parse(of)?);
        match (1..=of).contains(&number) {
            true => Ok(Shard { number, of }),
            false => Err(ShardError::OutOfRange { number, of }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::parse_games;

    const OPENINGS: [&str; 6] = [
        "1. e4 *",
        "1. e4 e5 2. Nf3 *",
        "1. d4 d5 2. c4 e6 3. Nc3 Nf6 *",
        "1. c4 e5 *",
        "1. Nf3 d5 2. g3 c6 *",
        "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *",
    ];

    fn games(texts: &[&str]) -> Vec<Game> {
        let games = texts.iter().flat_map(|text| parse_games(text, "shards"));
        games.collect::<Result<_, _>>().expect("legal games")
    }

    fn shares(games: &[Game], of: u32) -> Vec<Vec<bool>> {
        let games: Vec<&Game> = games.iter().collect();
        (1..=of).map(|number| Shard { number, of }.choose(&games)).collect()
    }

    #[test]
    fn every_game_belongs_to_one_part() {
        let games = games(&OPENINGS);
        for of in 1..9 {
            let shares = shares(&games, of);
            for game in 0..games.len() {
                assert_eq!(shares.iter().filter(|share| share[game]).count(), 1, "game {game} of {of} parts");
            }
        }
    }

    #[test]
    fn parts_differ_by_less_than_a_game() {
        let games = games(&OPENINGS);
        let positions = |share: &Vec<bool>| -> usize {
            let own = games.iter().zip(share).filter(|(_, is_own)| **is_own);
            own.map(|(game, _)| game.moves.len() + 1).sum()
        };
        // By hand: 2 + 4 + 7 + 3 + 5 + 2 = 23 positions. The lengths 7, 5, 4, 3, 2, 2 go to the smaller of
        // two parts in turn: 7 + 3 + 2 and 5 + 4 + 2.
        assert_eq!(shares(&games, 2).iter().map(positions).collect::<Vec<_>>(), [12, 11]);
        for of in 1..9 {
            let positions: Vec<usize> = shares(&games, of).iter().map(positions).collect();
            let (most, least) = (positions.iter().max(), positions.iter().min());
            assert!(most.zip(least).is_some_and(|(most, least)| most - least <= 7), "{positions:?}");
        }
    }

    #[test]
    fn neither_order_nor_copies_change_where_a_game_belongs() {
        let forward = games(&OPENINGS);
        let mut texts = OPENINGS;
        texts.reverse();
        let backward = games(&texts);
        let twice: Vec<Game> = forward.iter().chain(&forward).cloned().collect();
        for (one, (other, both)) in
            shares(&forward, 3).iter().zip(shares(&backward, 3).iter().zip(shares(&twice, 3)))
        {
            assert!(one.iter().eq(other.iter().rev()));
            assert_eq!(both, [one.as_slice(), one].concat());
        }
    }

    #[test]
    fn a_part_is_named_by_two_numbers() {
        assert_eq!("3/40".parse::<Shard>().map(|shard| shard.to_string()), Ok("3/40".to_owned()));
        for (text, why) in [
            ("3", "\"3\" is not a part; write K/N, as in 3/40 for part 3 of 40"),
            ("x/4", "\"x/4\" is not a part; write K/N, as in 3/40 for part 3 of 40"),
            ("0/4", "there is no part 0 of 4; in K/N, K is a number from 1 to N"),
            ("5/4", "there is no part 5 of 4; in K/N, K is a number from 1 to N"),
        ] {
            assert_eq!(text.parse::<Shard>().map_err(|error| error.to_string()), Err(why.to_owned()));
        }
    }
}
