//! Names of players as given by the user, and the players that they match.

use std::collections::BTreeSet;

use super::tournament::{PlayerResult, Tournament};
use crate::base::text::{brief, first_named};
use crate::chess::{GivenNames, NameMatcher, Spellings, is_nobody};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlayerNameError {
    #[error("no player is called \"{wanted}\"{hint}")]
    Unknown { wanted: String, hint: String },
    /// `of` is the text before the name: empty, or `the rating of `.
    #[error("{of}\"{wanted}\" is ambiguous: {found}")]
    Ambiguous { of: &'static str, wanted: String, found: String },
}

/// The players to show.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum PlayerSelection {
    /// All players.
    #[default]
    All,
    /// The named players, with names as in [`player_name`](super::tournament::player_name).
    Only(BTreeSet<String>),
}

impl PlayerSelection {
    /// Returns whether the player of that name is shown.
    pub fn has(&self, player: &str) -> bool {
        match self {
            PlayerSelection::All => true,
            PlayerSelection::Only(names) => names.contains(player),
        }
    }

    /// Returns the shown players of `tournament`, in the tournament's order.
    pub fn of<'a>(&self, tournament: &'a Tournament) -> Vec<&'a PlayerResult> {
        tournament.players.iter().filter(|player| self.has(&player.name)).collect()
    }

    /// Returns the players among `names` that any of `wanted` matches; all players if `wanted` is empty. If a
    /// name in `wanted` matches no player, returns an error.
    pub fn of_names(names: &Spellings, wanted: &[NameMatcher]) -> Result<PlayerSelection, PlayerNameError> {
        if wanted.is_empty() {
            return Ok(PlayerSelection::All);
        }
        let mut players = BTreeSet::new();
        let given: GivenNames = wanted.iter().cloned().collect();
        for (name, fitting) in wanted.iter().zip(given.sorted(names)) {
            let fitting = if fitting.is_empty() { names } else { &fitting };
            players.extend(matching(fitting, name)?.into_iter().map(str::to_owned));
        }
        Ok(PlayerSelection::Only(players))
    }
}

/// A rating given by the user, `NAME=ELO`.
#[derive(Debug, Clone, PartialEq)]
#[cfg(feature = "program")]
pub struct GivenElo {
    pub name: NameMatcher,
    pub elo: f64,
}

#[cfg(feature = "program")]
impl std::str::FromStr for GivenElo {
    type Err = String;

    fn from_str(text: &str) -> Result<GivenElo, String> {
        let (name, elo) = text.rsplit_once('=').ok_or("write NAME=ELO, as in \"Carlsen, Magnus=2872\"")?;
        let elo = elo.trim().parse::<f64>().ok().filter(|elo| (1.0..=10_000.0).contains(elo));
        let elo = elo.ok_or("the Elo must be a number from 1 to 10000")?;
        match name.trim() {
            "" => Err("the player's name is missing before =".to_owned()),
            name => Ok(GivenElo { name: NameMatcher::new(name), elo }),
        }
    }
}

#[cfg(feature = "program")]
pub fn names<'a>(games: impl IntoIterator<Item = &'a crate::chess::Game>) -> BTreeSet<String> {
    games
        .into_iter()
        .flat_map(|game| shakmaty::Color::ALL.map(|color| super::tournament::player_name(game, color)))
        .collect()
}

/// Returns all names of the players of `games`: main names, and names in the tags.
#[cfg(feature = "program")]
pub fn spellings<'a>(games: impl IntoIterator<Item = &'a crate::chess::Game>) -> Spellings {
    let both = |(game, color): (&crate::chess::Game, _)| {
        let main = super::tournament::player_name(game, color);
        [
            (
                crate::base::text::folded_name(game.tags.raw(color.fold_wb("White", "Black")).unwrap_or("?")),
                main.clone(),
            ),
            (main.clone(), main),
        ]
    };
    let sides = games.into_iter().flat_map(|game| shakmaty::Color::ALL.map(|color| (game, color)));
    sides.flat_map(both).collect()
}

/// Returns the players among `names` that `wanted` matches. If there are none, returns an error.
fn matching<'a>(names: &'a Spellings, wanted: &NameMatcher) -> Result<Vec<&'a str>, PlayerNameError> {
    let found = wanted.all(names);
    if found.is_empty() { Err(unknown(names, wanted)) } else { Ok(found) }
}

pub fn unknown(names: &Spellings, wanted: &NameMatcher) -> PlayerNameError {
    let near = wanted.near(names);
    let known: BTreeSet<&str> = names.iter().map(|(_, main)| main.as_str()).collect();
    let [near, known] = [listed(near.into_iter()), listed(known.into_iter().filter(|name| !is_nobody(name)))];
    let hint =
        if near.is_empty() { format!("; players: {known}") } else { format!("; did you mean {near}?") };
    PlayerNameError::Unknown { wanted: brief(&wanted.to_string()), hint }
}

/// Returns the only player among `names` that `wanted` matches. If there are none or several, returns an
/// error.
#[cfg(feature = "program")]
pub fn only<'a>(names: &'a Spellings, wanted: &NameMatcher) -> Result<&'a str, PlayerNameError> {
    wanted.only(names).map_err(|several| match several.as_slice() {
        [] => unknown(names, wanted),
        several => PlayerNameError::Ambiguous {
            of: "",
            wanted: brief(&wanted.to_string()),
            found: listed(several.iter().copied()),
        },
    })
}

#[cfg(feature = "program")]
pub fn ratings(
    names: &Spellings,
    given: &[GivenElo],
) -> Result<std::collections::BTreeMap<String, f64>, PlayerNameError> {
    let mut ratings = std::collections::BTreeMap::new();
    let wanted: GivenNames = given.iter().map(|given| given.name.clone()).collect();
    for (GivenElo { name, elo }, fitting) in given.iter().zip(wanted.sorted(names)) {
        let fitting = if fitting.is_empty() { names } else { &fitting };
        let player = only(fitting, name).map_err(|error| match error {
            PlayerNameError::Ambiguous { wanted, found, .. } => {
                PlayerNameError::Ambiguous { of: "the rating of ", wanted, found }
            }
            unknown => unknown,
        })?;
        ratings.insert(player.to_owned(), *elo);
    }
    Ok(ratings)
}

/// Lists players, separated by semicolons because names have commas.
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    first_named(names.map(brief), "; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn players() -> Spellings {
        ["Carlsen, Magnus", "Carlsen, Henrik", "Anand, V"]
            .map(|name| (name.to_owned(), name.to_owned()))
            .into()
    }

    #[test]
    fn a_rating_is_what_stands_behind_the_last_equals_sign() {
        let given: GivenElo = "A=B, Magnus = 2872.5".parse().expect("a rating");
        assert_eq!(given, GivenElo { name: NameMatcher::new("A=B, Magnus"), elo: 2872.5 });
        assert!("Carlsen".parse::<GivenElo>().is_err());
        assert!("Carlsen=strong".parse::<GivenElo>().is_err());
        assert!("=2700".parse::<GivenElo>().is_err());
    }

    #[test]
    fn a_part_of_a_name_stands_for_all_who_have_it() {
        let names = players();
        let of = |wanted: &[&str]| {
            let wanted: Vec<NameMatcher> = wanted.iter().map(|name| NameMatcher::new(name)).collect();
            PlayerSelection::of_names(&names, &wanted).expect("players")
        };
        let only =
            |names: &[&str]| PlayerSelection::Only(names.iter().map(|&name| name.to_owned()).collect());
        assert_eq!(of(&[]), PlayerSelection::All);
        assert_eq!(of(&["anand"]), only(&["Anand, V"]));
        assert_eq!(of(&["carlsen", "anand"]), only(&["Anand, V", "Carlsen, Henrik", "Carlsen, Magnus"]));
        assert_eq!(of(&[" carlsen,  MAGNUS "]), only(&["Carlsen, Magnus"]));
    }

    #[test]
    fn an_unknown_or_ambiguous_name_is_an_error_that_names_the_players() {
        let names = players();
        let unknown = matching(&names, &NameMatcher::new("Kasparov")).expect_err("nobody").to_string();
        assert!(
            unknown.ends_with("\"Kasparov\"; players: Anand, V; Carlsen, Henrik; Carlsen, Magnus"),
            "{unknown}"
        );
        let near = matching(&names, &NameMatcher::new("Ana")).expect_err("nobody").to_string();
        assert!(near.ends_with("\"Ana\"; did you mean Anand, V?"), "{near}");
        let given = [GivenElo { name: NameMatcher::new("Carlsen"), elo: 2800.0 }];
        let ambiguous = ratings(&names, &given).expect_err("two of them").to_string();
        assert!(ambiguous.contains("Carlsen, Henrik; Carlsen, Magnus"), "{ambiguous}");
    }
}
