//! Owns how players are named by whoever asks for a run.

use std::collections::{BTreeMap, BTreeSet};

use super::AppError;
use crate::{
    game::Game,
    text::{brief, first_named, fold_spaces},
    tournament::{PlayerResult, Tournament, player_name},
};

/// Which players are shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum PlayerSelection {
    /// All of them.
    #[default]
    All,
    /// Those named, as [`player_name`] has them.
    Only(Vec<String>),
}

impl PlayerSelection {
    /// Whether the player of that name is shown.
    pub fn has(&self, player: &str) -> bool {
        match self {
            PlayerSelection::All => true,
            PlayerSelection::Only(names) => names.iter().any(|name| name == player),
        }
    }

    /// The players of `tournament` that are shown, in its order.
    pub fn of<'a>(&self, tournament: &'a Tournament) -> Vec<&'a PlayerResult> {
        tournament.players.iter().filter(|player| self.has(&player.name)).collect()
    }
}

/// A rating that somebody gives, `NAME=ELO`.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenElo {
    /// The player, or a part of the name that only one player has.
    pub name: String,
    /// Elo points.
    pub elo: f64,
}

impl std::str::FromStr for GivenElo {
    type Err = String;

    fn from_str(text: &str) -> Result<GivenElo, String> {
        let (name, elo) = text.rsplit_once('=').ok_or("write NAME=ELO, as in \"Carlsen, Magnus=2872\"")?;
        let elo = elo.trim().parse::<f64>().ok().filter(|elo| (1.0..=10_000.0).contains(elo));
        let elo = elo.ok_or("the Elo is a number from 1 to 10000")?;
        match name.trim() {
            "" => Err("the player's name is missing before =".to_owned()),
            name => Ok(GivenElo { name: name.to_owned(), elo }),
        }
    }
}

/// The names of all players of some games.
pub fn names<'a>(games: impl IntoIterator<Item = &'a Game>) -> BTreeSet<String> {
    games.into_iter().flat_map(|game| shakmaty::Color::ALL.map(|color| player_name(game, color))).collect()
}

/// The players that `wanted` stands for: the one of that name, else all that have it in theirs,
/// case-insensitive.
pub fn matching<'a>(names: &'a BTreeSet<String>, wanted: &str) -> Result<Vec<&'a str>, AppError> {
    let exact = fold_spaces(wanted);
    let wanted = exact.to_lowercase();
    let equal = names.get(&exact).or_else(|| names.iter().find(|name| name.to_lowercase() == wanted));
    if let Some(name) = equal {
        return Ok(vec![name]);
    }
    let found: Vec<&str> =
        names.iter().filter(|name| name.to_lowercase().contains(&wanted)).map(String::as_str).collect();
    if found.is_empty() {
        return Err(AppError::UnknownPlayer {
            wanted: brief(&exact),
            known: listed(names.iter().map(String::as_str)),
        });
    }
    Ok(found)
}

impl PlayerSelection {
    /// The players among `names` that `wanted` stand for; all where nobody is named.
    ///
    /// # Errors
    ///
    /// If one of them stands for nobody.
    pub fn of_names(names: &BTreeSet<String>, wanted: &[String]) -> Result<PlayerSelection, AppError> {
        if wanted.is_empty() {
            return Ok(PlayerSelection::All);
        }
        let mut players = BTreeSet::new();
        for name in wanted {
            players.extend(matching(names, name)?.into_iter().map(str::to_owned));
        }
        Ok(PlayerSelection::Only(players.into_iter().collect()))
    }
}

/// Ratings that are given, by the full name of their player.
pub fn ratings(names: &BTreeSet<String>, given: &[GivenElo]) -> Result<BTreeMap<String, f64>, AppError> {
    let mut ratings = BTreeMap::new();
    for GivenElo { name, elo } in given {
        match matching(names, name)?.as_slice() {
            [player] => ratings.insert((*player).to_owned(), *elo),
            several => {
                return Err(AppError::AmbiguousPlayer {
                    wanted: brief(name),
                    found: listed(several.iter().copied()),
                });
            }
        };
    }
    Ok(ratings)
}

/// Lists players, whose names have commas.
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    first_named(names.map(brief), "; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn players() -> BTreeSet<String> {
        ["Carlsen, Magnus", "Carlsen, Henrik", "Anand, V"].map(str::to_owned).into()
    }

    #[test]
    fn a_rating_is_what_stands_behind_the_last_equals_sign() {
        let given: GivenElo = "A=B, Magnus = 2872.5".parse().expect("a rating");
        assert_eq!(given, GivenElo { name: "A=B, Magnus".to_owned(), elo: 2872.5 });
        assert!("Carlsen".parse::<GivenElo>().is_err());
        assert!("Carlsen=strong".parse::<GivenElo>().is_err());
        assert!("=2700".parse::<GivenElo>().is_err());
    }

    #[test]
    fn a_part_of_a_name_stands_for_all_who_have_it() {
        let names = players();
        assert_eq!(matching(&names, "anand").expect("a player"), ["Anand, V"]);
        assert_eq!(matching(&names, "carlsen").expect("players").len(), 2);
        assert_eq!(matching(&names, " carlsen,  MAGNUS ").expect("a player"), ["Carlsen, Magnus"]);
    }

    #[test]
    fn an_unknown_or_ambiguous_name_is_an_error_that_names_the_players() {
        let names = players();
        let unknown = matching(&names, "Kasparov").expect_err("nobody").to_string();
        assert!(unknown.contains("Anand, V"), "{unknown}");
        let given = [GivenElo { name: "Carlsen".to_owned(), elo: 2800.0 }];
        let ambiguous = ratings(&names, &given).expect_err("two of them").to_string();
        assert!(ambiguous.contains("Carlsen, Henrik; Carlsen, Magnus"), "{ambiguous}");
    }
}
