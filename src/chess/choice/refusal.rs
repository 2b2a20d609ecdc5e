//! [`Refusal`]: a condition that a game fails; and [`GameTally`], the numbers of chosen and refused games and of
//! copies.

use std::{collections::BTreeMap, fmt, ops::AddAssign};

use serde::{Deserialize, Serialize};

use crate::base::{named::named, named::read_by_name, text::counted};

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
        /// The game is earlier than requested, or its date is unknown or too vague to decide.
        Since => "--since",
        /// The game is later than requested, or its date is unknown or too vague to decide.
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

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GameTally {
    pub chosen: u64,
    /// Number of refused games, by the first condition that they fail.
    pub refused: BTreeMap<Refusal, u64>,
    /// Number of games left out as copies of chosen games.
    pub duplicates: u64,
}

impl GameTally {
    pub fn refuse(&mut self, refusal: Refusal) {
        *self.refused.entry(refusal).or_default() += 1;
    }

    pub fn games(&self) -> u64 {
        self.chosen + self.duplicates + self.refused.values().sum::<u64>()
    }
}

impl AddAssign for GameTally {
    fn add_assign(&mut self, more: GameTally) {
        self.chosen += more.chosen;
        self.duplicates += more.duplicates;
        for (refusal, games) in more.refused {
            *self.refused.entry(refusal).or_default() += games;
        }
    }
}

impl fmt::Display for GameTally {
    /// Formats as `3 of 10 games chosen; not chosen: 4 by --min-elo, 2 by --since; copies: 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} chosen", self.chosen, counted(self.games(), "game"))?;
        let refused: Vec<String> =
            self.refused.iter().map(|(refusal, games)| format!("{games} by {refusal}")).collect();
        if !refused.is_empty() {
            write!(f, "; not chosen: {}", refused.join(", "))?;
        }
        match self.duplicates {
            0 => Ok(()),
            again => write!(f, "; copies: {again}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn refusals_are_read_by_the_keys_that_they_have_in_files() {
        for refusal in Refusal::ALL {
            assert_eq!(refusal.key().parse(), Ok(refusal));
        }
        assert!("depth".parse::<Refusal>().is_err());
    }

    #[test]
    fn a_tally_says_what_became_of_every_game() {
        let mut tally = GameTally { chosen: 3, duplicates: 1, ..GameTally::default() };
        for refusal in [Refusal::Since, Refusal::MinElo, Refusal::MinElo] {
            tally.refuse(refusal);
        }
        assert_eq!(
            tally.to_string(),
            "3 of 7 games chosen; not chosen: 2 by --min-elo, 1 by --since; copies: 1"
        );
        assert_eq!(GameTally { chosen: 1, ..GameTally::default() }.to_string(), "1 of 1 game chosen");
    }

    proptest! {
        #[test]
        fn the_tally_of_two_parts_is_that_of_the_whole(
            parts in prop::array::uniform2(prop::collection::vec(0usize..=10, 0..50))
        ) {
            let of = |fates: &[usize]| {
                let mut tally = GameTally::default();
                for &fate in fates {
                    match Refusal::ALL.get(fate) {
                        Some(&refusal) => tally.refuse(refusal),
                        None => tally.chosen += 1,
                    }
                }
                tally
            };
            let mut sum = of(&parts[0]);
            sum += of(&parts[1]);
            prop_assert_eq!(&sum, &of(&parts.concat()));
            prop_assert_eq!(sum.games(), parts.concat().len() as u64);
        }
    }
}
