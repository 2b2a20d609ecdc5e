//! [`Refusal`]: the condition a game fails.

use serde::{Deserialize, Serialize};

use crate::chess::named::{named, read_by_name};

named! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(into = "&'static str", try_from = "String")]
    pub enum Refusal: in_words {
        /// No player has one of the names.
        GamesOf => "the names of the players",
        /// No player has a name that the archive counts.
        Player => "the names of the players counted",
        /// A player's Elo is lower or unknown.
        MinElo => "the least Elo",
        MaxElo => "the greatest Elo",
        /// The game is older, or its date is unknown or too vague.
        Since => "the first day",
        /// The game is newer, or its date is unknown or too vague.
        Until => "the last day",
        Event => "the event",
        TimeControl => "the time control",
        Result => "the result",
        /// The round is unknown or not wanted.
        Rounds => "the round",
        Sample => "the random sample",
        /// Enough earlier games were chosen.
        MaxGames => "the number of games wanted",
    }
}

/// The names in files, in the order of [`Refusal::ALL`].
const KEYS: [&str; Refusal::ALL.len()] = [
    "games-of",
    "player",
    "min-elo",
    "max-elo",
    "since",
    "until",
    "event",
    "time-control",
    "result",
    "rounds",
    "sample",
    "max-games",
];

impl Refusal {
    pub fn key(self) -> &'static str {
        KEYS[self as usize]
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a condition on games")]
pub struct UnknownRefusal(String);

read_by_name!(Refusal, key, UnknownRefusal);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_read_by_the_keys_that_they_have_in_files() {
        for refusal in Refusal::ALL {
            assert_eq!(refusal.key().parse(), Ok(refusal));
        }
        assert!("depth".parse::<Refusal>().is_err());
    }
}
