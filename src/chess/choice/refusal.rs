//! [`Refusal`]: a condition that a game fails.

use serde::{Deserialize, Serialize};

use crate::base::named::{named, read_by_name};

named! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(into = "&'static str", try_from = "String")]
    pub enum Refusal: in_words {
        /// Neither player has one of the requested names.
        GamesOf => "--games-of",
        /// Neither player is one of the players whose moves the command `archive` counts.
        Player => "--player",
        /// The Elo of a player is too low or unknown.
        MinElo => "--min-elo",
        MaxElo => "--max-elo",
        /// The game is too old, or its date is unknown or too vague to decide.
        Since => "--since",
        /// The game is too new, or its date is unknown or too vague to decide.
        Until => "--until",
        Event => "--event",
        TimeControl => "--time-control",
        Result => "--result",
        /// The round is unknown or not one of the requested rounds.
        Rounds => "--rounds",
        Sample => "--sample",
        /// The requested number of games was already chosen.
        MaxGames => "--max-games",
    }
}

/// The names of conditions in files, in the order of [`Refusal::ALL`].
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
