//! [`People`]: the names of players by FIDE id; and [`MainNames`], the main name of each player.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{Aliases, Headers, name_matcher::is_nobody};
use crate::base::text::folded_name;
use crate::chess::game::{Game, read_fide_id};

/// Returns a name with a FIDE id: `Li, Wei (FIDE 8600001)`.
pub fn name_with_id(name: &str, id: u32) -> String {
    format!("{name} (FIDE {id})")
}

/// Returns the name and the FIDE id of a text that [`name_with_id`] may have made.
pub fn without_id(text: &str) -> (&str, Option<u32>) {
    let parts = text.strip_suffix(')').and_then(|text| text.rsplit_once(" (FIDE "));
    let parts = parts.and_then(|(name, id)| Some((name, Some(read_fide_id(id)?))));
    parts.unwrap_or((text, None))
}

/// The names of each FIDE id, each with its number of games, in the order in which they were met.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct People(BTreeMap<u32, Vec<(String, u64)>>);

impl People {
    /// Adds the players of a game that have FIDE ids.
    pub fn note(&mut self, headers: &Headers<'_>) {
        for (name, id) in headers.players() {
            id.into_iter().for_each(|id| self.add(id, &folded_name(name), 1));
        }
    }

    pub fn add(&mut self, id: u32, name: &str, games: u64) {
        let names = self.0.entry(id).or_default();
        match names.iter_mut().find(|(known, _)| known == name) {
            Some((_, count)) => *count += games,
            None => names.extend((!is_nobody(name)).then(|| (name.to_owned(), games))),
        }
    }

    /// Adds the names of later games.
    pub fn merge(&mut self, later: &People) {
        for (id, names) in &later.0 {
            names.iter().for_each(|(name, games)| self.add(*id, name, *games));
        }
    }

    /// Returns the main names of the players. All names of a FIDE id belong to one player, whose main name is
    /// the most frequent of them, or the first of several such names. If several ids have the same main name,
    /// the id is added to the name. A name that `aliases` has as a main name takes precedence over other
    /// names, and gets no id.
    pub fn main_names<'a>(&'a self, aliases: &'a Aliases) -> MainNames<'a> {
        let (mut of_names, mut shared) = (HashMap::<&str, Vec<u32>>::new(), HashMap::<&str, u32>::new());
        let rank = |(name, games): &&(String, u64)| (aliases.has_main(name), *games);
        let main = |names: &'a [(String, u64)]| Some(names.iter().rev().max_by_key(rank)?.0.as_str());
        let mains: Vec<(u32, &str)> =
            self.0.iter().filter_map(|(id, names)| Some((*id, main(names)?))).collect();
        for (id, main) in &mains {
            self.0[id].iter().for_each(|(name, _)| of_names.entry(name).or_default().push(*id));
            *shared.entry(main).or_default() += 1;
        }
        let with_id = |(id, main): (u32, &str)| match shared[main] == 1 || aliases.has_main(main) {
            true => (id, main.to_owned()),
            false => (id, aliases.canonical(&name_with_id(main, id)).to_owned()),
        };
        MainNames { people: self, aliases, ids: mains.into_iter().map(with_id).collect(), of_names }
    }
}

/// The main names of players, by FIDE id and by name.
#[derive(Debug)]
pub struct MainNames<'a> {
    people: &'a People,
    aliases: &'a Aliases,
    ids: BTreeMap<u32, String>,
    of_names: HashMap<&'a str, Vec<u32>>,
}

impl MainNames<'_> {
    /// Returns the FIDE id and the main name of the player of that name and id. `None` if no id is known, or
    /// if the name is a main name of the aliases. A name without an id belongs to the id of the same name, if
    /// there is only one. Names with different accents are different.
    pub fn of(&self, name: &str, id: Option<u32>) -> Option<(u32, &str)> {
        let name = folded_name(name);
        let of_name = self.of_names.get(name.as_str()).filter(|ids| ids.len() == 1).map(|ids| ids[0]);
        let id = id.filter(|id| self.ids.contains_key(id)).or(of_name)?;
        (!self.aliases.has_main(&name)).then(|| (id, self.ids[&id].as_str()))
    }

    /// Returns a sentence for the user about the names of a FIDE id.
    pub fn told(&self, id: u32) -> String {
        match self.people.0[&id].as_slice() {
            [(name, _)] => {
                format!("FIDE id {id} is one of {} players called {name}", self.of_names[name.as_str()].len())
            }
            names => format!("{} names of FIDE id {id} count as one player, {}", names.len(), self.ids[&id]),
        }
    }

    /// Returns matchers for the other spellings of the wanted players' names. A player is wanted if one of
    /// the player's names fits `wanted`. Only names that do not fit get a matcher.
    #[cfg(feature = "program")]
    pub fn other_names(&self, wanted: &super::GivenNames) -> Vec<super::NameMatcher> {
        let fits = |name: &str| wanted.fit(name);
        let names = self.ids.iter().map(|(id, main)| (main, &self.people.0[id]));
        let found = names.filter(|(main, names)| fits(main) || names.iter().any(|(name, _)| fits(name)));
        let others = found.flat_map(|(_, names)| names).filter(|(name, _)| !fits(name));
        others.map(|(name, _)| super::NameMatcher::new(name)).collect()
    }
}

/// Makes the tags `White` and `Black` of `games` read as the players' main names. Returns a sentence about
/// each FIDE id for which this changes a name, in the order of the games.
pub fn name_players(games: &mut [&mut Game], aliases: &Aliases) -> Vec<String> {
    let mut people = People::default();
    games.iter().for_each(|game| people.note(&Headers::of_game(game)));
    let (names, mut changed, mut told) = (people.main_names(aliases), HashSet::new(), Vec::new());
    for game in games {
        let mains = Headers::of_game(game)
            .players()
            .map(|(name, id)| names.of(name, id).filter(|(_, main)| *main != folded_name(name)));
        for (tag, main) in ["White", "Black"].into_iter().zip(mains) {
            let Some((id, main)) = main else { continue };
            game.tags.read_as(tag, main.to_owned());
            told.extend(changed.insert(id).then(|| names.told(id)));
        }
    }
    told
}

/// Returns pairs of names that may be one player, as aliases: `Carlsen, Magnus=Carlsen, M`. The surnames are
/// equal, each given name of one player begins with that of the other, and no third name fits. Players with
/// different FIDE ids, and players who met, are not paired.
#[cfg(feature = "program")]
pub fn similar_names<'g>(games: impl Iterator<Item = &'g Game>) -> Vec<String> {
    use super::name_matcher::{plain, words};
    // The FIDE id and the opponents of each name. The key begins with the name in lower case.
    let mut names: BTreeMap<[String; 2], (Option<u32>, std::collections::BTreeSet<String>)> = BTreeMap::new();
    for game in games {
        let [one, other] = Headers::of_game(game).players().map(|(name, id)| (folded_name(name), id));
        for ((name, id), (opponent, _)) in [(&one, &other), (&other, &one)] {
            let (known, met) = names.entry([plain(name), name.clone()]).or_default();
            *known = known.or(*id);
            met.insert(opponent.clone());
        }
    }
    let mut found: Vec<String> = Vec::new();
    for ([lower, short], (id, met)) in &names {
        let parts = lower.split_once(',').filter(|(_, given)| words(given).next().is_some());
        let Some((surname, given)) = parts else { continue };
        let begins = |long: &str| {
            let mut long = words(&long[surname.len()..]);
            words(given).all(|short| long.next().is_some_and(|long| long.starts_with(short)))
        };
        let family = names.range([format!("{surname},"), String::new()]..);
        let family = family.take_while(|([name, _], _)| name.split(',').next() == Some(surname));
        let fits = family.filter(|([lower, name], _)| name != short && begins(lower)).collect::<Vec<_>>();
        if let [([_, long], (other, _))] = fits.as_slice()
            && (id.is_none() || other.is_none())
            && !(met.contains(long) || is_nobody(short) || found.contains(&format!("{short}={long}")))
        {
            found.push(format!("{long}={short}"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::*;
    use crate::chess::pgn::parse_games;

    /// Returns games of these players; a FIDE id may follow the name after `#`.
    fn games(players: &[[&str; 2]]) -> Vec<Game> {
        let side = |color: &str, player: &str| {
            let (name, id) = player.split_once('#').unwrap_or((player, "0"));
            format!("[{color} \"{name}\"]\n[{color}FideId \"{id}\"]\n")
        };
        let games = players
            .iter()
            .map(|[white, black]| format!("{}{}\n1. e4 *\n\n", side("White", white), side("Black", black)));
        parse_games(&games.collect::<String>(), "test").into_iter().flatten().collect()
    }

    /// Returns the main name of White in each game, and the sentences about the names.
    fn named(whites: &[&str], aliases: &str) -> (Vec<String>, Vec<String>) {
        let mut games = games(&whites.iter().map(|white| [*white, "X"]).collect::<Vec<_>>());
        let aliases = Aliases::parse(aliases).expect("aliases");
        let told = name_players(&mut games.iter_mut().collect::<Vec<_>>(), &aliases);
        (games.iter().map(|game| game.player(Color::White).to_owned()).collect(), told)
    }

    #[test]
    fn a_fide_id_is_one_player_and_a_name_without_an_id_joins_the_only_one() {
        for (whites, mains) in [
            (&["Ng, A#5", "Ng, Ann#5", "Ng, Ann#5"][..], &["Ng, Ann", "Ng, Ann", "Ng, Ann"][..]),
            (&["Ng, A#5", "Ng, Ann#5"], &["Ng, A", "Ng, A"]),
            (&["Ng, A#5", "Ng,  Ann#5", "Ng, Ann"], &["Ng, A", "Ng, A", "Ng, A"]),
            (&["Ng, A#5", "Ng, A#6", "Ng, A"], &["Ng, A (FIDE 5)", "Ng, A (FIDE 6)", "Ng, A"]),
            (&["Ng, A#0", "Ng, Ann#", "Ng, Anna#x"], &["Ng, A", "Ng, Ann", "Ng, Anna"]),
            (&["Büh, A#5", "Buh, A#5", "Bueh, A"], &["Büh, A", "Büh, A", "Bueh, A"]),
            (&["Büh, A#5", "Buh, A"], &["Büh, A", "Buh, A"]),
            (&["?#5", "Ng, A#5", "NN#6"], &["Ng, A", "Ng, A", "NN"]),
        ] {
            assert_eq!(named(whites, "").0, mains);
        }
        let told = named(&["Ng, A#5", "Ng, Ann#5", "Li#6", "Li#7"], "").1;
        assert_eq!(
            told,
            [
                "2 names of FIDE id 5 count as one player, Ng, A",
                "FIDE id 6 is one of 2 players called Li",
                "FIDE id 7 is one of 2 players called Li"
            ]
        );
    }

    #[test]
    fn main_names_of_aliases_win_over_ids() {
        // The reader replaces aliases, so the names here are main names already.
        assert_eq!(named(&["Ng, A#5", "Ng, A#5", "Me#5"], "Me=x").0, ["Me", "Me", "Me"]);
        assert_eq!(named(&["Me#5", "Me#6"], "Me=x").0, ["Me", "Me"]);
        assert_eq!(named(&["Me#5", "You#5"], "Me=x\nYou=y").0, ["Me", "You"]);
        assert_eq!(named(&["Li#5", "Li#6"], "Me=Li (FIDE 6)").0, ["Li (FIDE 5)", "Me"]);
    }

    #[test]
    fn equal_ids_of_both_sides_are_no_ids() {
        let games = games(&[["Ng, A#5", "Li#5"]]);
        assert_eq!(Headers::of_game(&games[0]).players(), [("Ng, A", None), ("Li", None)]);
    }

    #[test]
    fn names_are_similar_if_one_begins_as_the_other_and_no_third_does() {
        for (players, pairs) in [
            (&[["Ng, A", "X"], ["Ng, Ann", "X"]][..], &["Ng, Ann=Ng, A"][..]),
            (&[["Ng, A.", "X"], ["NG, Ann Lee", "X"]], &["NG, Ann Lee=Ng, A."]),
            (&[["NG, ANN", "X"], ["Ng, Ann", "X"]], &["Ng, Ann=NG, ANN"]),
            (&[["Ng, A", "X"], ["Ng, Ann", "X"], ["Ng, Abe", "X"]], &[]),
            (&[["Ng, A", "Ng, Ann"]], &[]),
            (&[["Ng, A#5", "X"], ["Ng, Ann#6", "X"]], &[]),
            (&[["Ng, A#5", "X"], ["Ng, Ann", "X"]], &["Ng, Ann=Ng, A"]),
            (&[["Ng, B", "X"], ["Ng, Ann", "X"], ["Ngo, A", "X"], ["Ng", "X"], ["Ng,", "X"]], &[]),
            (&[["De La, ?", "X"], ["De La, Ann", "X"]], &[]),
        ] {
            assert_eq!(similar_names(games(players).iter()), pairs);
        }
    }
}
