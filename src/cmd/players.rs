//! Owns how a player is named on the command line.

use std::collections::{BTreeMap, BTreeSet};

use super::CmdError;
use crate::{
    cli::GivenElo,
    game::Game,
    text::{brief, fold_spaces},
    tournament::player_name,
};

/// The names of all players of some games.
pub fn names<'a>(games: impl IntoIterator<Item = &'a Game>) -> BTreeSet<String> {
    games.into_iter().flat_map(|game| shakmaty::Color::ALL.map(|color| player_name(game, color))).collect()
}

/// The players that `wanted` stands for: the one of that name, else all that have it in theirs,
/// whatever the case of letters.
pub fn matching<'a>(names: &'a BTreeSet<String>, wanted: &str) -> Result<Vec<&'a str>, CmdError> {
    let exact = fold_spaces(wanted);
    let wanted = exact.to_lowercase();
    let equal = names.get(&exact).or_else(|| names.iter().find(|name| name.to_lowercase() == wanted));
    if let Some(name) = equal {
        return Ok(vec![name]);
    }
    let found: Vec<&str> =
        names.iter().filter(|name| name.to_lowercase().contains(&wanted)).map(String::as_str).collect();
    if found.is_empty() {
        return Err(CmdError::Usage(format!(
            "no player is called \"{}\"; there are {}",
            brief(&exact),
            listed(names.iter().map(String::as_str))
        )));
    }
    Ok(found)
}

/// Ratings given on the command line, by the full name of their player.
pub fn ratings(names: &BTreeSet<String>, given: &[GivenElo]) -> Result<BTreeMap<String, f64>, CmdError> {
    let mut ratings = BTreeMap::new();
    for GivenElo { name, elo } in given {
        match matching(names, name)?.as_slice() {
            [player] => ratings.insert((*player).to_owned(), *elo),
            several => {
                return Err(CmdError::Usage(format!(
                    "--elo \"{}\" could be {}: write the whole name",
                    brief(name),
                    listed(several.iter().copied())
                )));
            }
        };
    }
    Ok(ratings)
}

/// Names for a message: the first dozen, and how many more there are.
fn listed<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 12;
    let more = names.len().saturating_sub(SHOWN);
    let mut text = names.take(SHOWN).map(brief).collect::<Vec<_>>().join("; ");
    if more > 0 {
        text.push_str(&format!("; and {more} more"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn players() -> BTreeSet<String> {
        ["Carlsen, Magnus", "Carlsen, Henrik", "Anand, V"].map(str::to_owned).into()
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
