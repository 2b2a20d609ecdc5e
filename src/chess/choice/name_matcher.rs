//! [`NameMatcher`]: the rule for matching a name given by the user with players' names; and names such as
//! `NN`, which stand for no certain player; and [`GivenNames`], which are many names to match.

use std::{collections::BTreeSet, collections::HashMap, fmt, ops::Deref};

use crate::base::text::{folded_name, without_accents};

/// The names of players in some games, each with the player's main name.
pub type Spellings = BTreeSet<(String, String)>;

/// A name given by the user, which can match several players.
///
/// It matches every player whose name equals the given name or contains it as whole words, ignoring case and
/// accents: `Li` matches `Li` and `Li, Chao`, but not `Lima`; `Muller` and `Mueller` match `Müller`. Names
/// such as `NN`, which stand for no certain player, are never matched. Several words without a comma also
/// match a name with a comma that contains these words in any order: `Magnus Carlsen` matches `Carlsen,
/// Magnus`. Whether a player matches does not depend on the other players. So the rule also works for a
/// stream of games, whose players are not known in advance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameMatcher {
    written: String,
    plain: String,
    /// The name without accents, in the two ways of [`without_accents`].
    bare: [String; 2],
}

impl NameMatcher {
    pub fn new(written: &str) -> NameMatcher {
        let plain = plain(written);
        let bare = [false, true].map(|pairs| without_accents(&plain, pairs));
        NameMatcher { written: written.to_owned(), plain, bare }
    }

    pub fn fits(&self, player: &str) -> bool {
        self.fits_exactly(player) || self.fits_bare(player)
    }

    /// Returns whether the name matches with its accents.
    fn fits_exactly(&self, player: &str) -> bool {
        has_name(&plain(player), &self.plain) && !is_nobody(player)
    }

    fn fits_bare(&self, player: &str) -> bool {
        let has_accents = !(player.is_ascii() && self.plain.is_ascii() || is_nobody(player));
        let player =
            has_accents.then(|| [false, true].map(|pairs| without_accents(&folded_name(player), pairs)));
        player.iter().flatten().any(|player| self.bare.iter().any(|name| has_name(player, name)))
    }

    pub fn is_name_of(&self, player: &str) -> bool {
        self.plain == plain(player)
    }

    /// Returns the main name of the only match among `names`. If there are several matches, returns the match
    /// that equals this name exactly, or else the only match that equals this name when case is ignored.
    /// Otherwise, the error has all matches; it is empty if no name matches.
    pub fn only<'a>(&self, names: &'a Spellings) -> Result<&'a str, Vec<&'a str>> {
        let exact = folded_name(&self.written);
        let is_exact = |name: &str| name == exact && !is_nobody(name);
        let whole = mains(names, |name| self.is_name_of(name) && !is_nobody(name));
        match (mains(names, is_exact).as_slice(), whole.as_slice(), self.all(names)) {
            ([name], ..) | ([], [name], _) => Ok(name),
            ([], [], all) if all.len() == 1 => Ok(all[0]),
            (_, _, all) => Err(all),
        }
    }

    /// Returns suggestions from `names` for a name without a match. Each word of this name is the beginning
    /// of a word of the suggestion. If there are no such names, returns names with similar words.
    pub fn near<'a>(&self, names: &'a Spellings) -> Vec<&'a str> {
        let wanted: Vec<&str> = words(&self.bare[0]).collect();
        let having = |fits: fn(&str, &str) -> bool| -> Vec<&'a str> {
            mains(names, |name| {
                let bare = without_accents(&folded_name(name), false);
                !is_nobody(name) && wanted.iter().all(|wanted| words(&bare).any(|word| fits(word, wanted)))
            })
        };
        let begun = match wanted.is_empty() {
            true => return Vec::new(),
            false => having(|word, wanted| word.starts_with(wanted)),
        };
        match begun.is_empty() {
            true => having(|word, wanted| strsim::jaro_winkler(word, wanted) >= NEARLY),
            false => begun,
        }
    }

    /// Returns the main names of the matches among `names`. If a name matches with its accents, returns only
    /// the matches with accents.
    pub fn all<'a>(&self, names: &'a Spellings) -> Vec<&'a str> {
        let exact = mains(names, |name| self.fits_exactly(name));
        if exact.is_empty() { mains(names, |name| self.fits_bare(name)) } else { exact }
    }
}

/// Names given by the user. The time to match a player hardly depends on their number.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GivenNames {
    names: Vec<NameMatcher>,
    /// The indices of names by one of their pieces, the rarest, or by the empty text. A player whom a name fits
    /// has all its pieces.
    of_piece: HashMap<String, Vec<usize>>,
}

impl GivenNames {
    /// Returns whether one of the names fits.
    pub fn fit(&self, player: &str) -> bool {
        !self.fitting(player).is_empty()
    }

    /// Returns, for each of the names, those of `names` that it fits.
    pub fn sorted(&self, names: &Spellings) -> Vec<Spellings> {
        let mut sorted = vec![Spellings::new(); self.names.len()];
        for both in names {
            self.fitting(&both.0).into_iter().for_each(|place| _ = sorted[place].insert(both.clone()));
        }
        sorted
    }

    fn fitting(&self, player: &str) -> BTreeSet<usize> {
        let fits = |place: &usize| self.names[*place].fits(player);
        if self.names.len() < 4 {
            return (0..self.names.len()).filter(fits).collect();
        }
        let plain = plain(player);
        let forms = [without_accents(&plain, false), without_accents(&plain, true), plain];
        let all = forms.iter().flat_map(|form| pieces(form)).chain([""]);
        let found = all.filter_map(|piece| self.of_piece.get(piece));
        found.flatten().copied().collect::<BTreeSet<_>>().into_iter().filter(fits).collect()
    }
}

impl FromIterator<NameMatcher> for GivenNames {
    fn from_iter<I: IntoIterator<Item = NameMatcher>>(names: I) -> GivenNames {
        let names: Vec<NameMatcher> = names.into_iter().collect();
        let forms = |name: &NameMatcher| [name.plain.clone(), name.bare[0].clone(), name.bare[1].clone()];
        let mut counts: HashMap<String, usize> = HashMap::new();
        for form in names.iter().flat_map(forms) {
            pieces(&form).for_each(|piece| *counts.entry(piece.to_owned()).or_default() += 1);
        }
        let mut of_piece: HashMap<String, Vec<usize>> = HashMap::new();
        for (place, name) in names.iter().enumerate() {
            for form in forms(name) {
                let rarest = pieces(&form).min_by_key(|piece| counts[*piece]);
                of_piece.entry(rarest.unwrap_or_default().to_owned()).or_default().push(place);
            }
        }
        GivenNames { names, of_piece }
    }
}

impl Deref for GivenNames {
    type Target = [NameMatcher];

    fn deref(&self) -> &[NameMatcher] {
        &self.names
    }
}

/// Returns the runs of letters and of digits between the word boundaries of a text.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let is_end = |at: &usize| text.is_char_boundary(*at) && is_boundary(text, *at);
    let ends = (1..=text.len()).filter(is_end);
    let pieces = ends.scan(0, |from, end| Some(&text[std::mem::replace(from, end)..end]));
    pieces.filter(|piece| piece.starts_with(char::is_alphanumeric))
}

/// Returns the main names of the `names` that fit, in alphabetical order.
fn mains(names: &Spellings, fits: impl Fn(&str) -> bool) -> Vec<&str> {
    let fitting = names.iter().filter(|(name, _)| fits(name));
    fitting.map(|(_, main)| main.as_str()).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Returns whether `player` contains `name` as whole words. If `player` has a comma, and `name` has several
/// words but no comma, the words may be in any order. So `Magnus Carlsen`, as people write it, matches
/// `Carlsen, Magnus` in files.
fn has_name(player: &str, name: &str) -> bool {
    let begins = |at: &usize| player.get(*at..).is_some_and(|rest| rest.starts_with(name));
    let mut places = (0..player.len()).filter(begins);
    let is_several = name.contains(' ') && !name.contains(',') && player.contains(',');
    !name.is_empty()
        && (places.any(|at| is_boundary(player, at) && is_boundary(player, at + name.len()))
            || is_several && words(name).all(|wanted| words(player).any(|word| word == wanted)))
}

/// The smallest Jaro–Winkler similarity (0 to 1) of two words that count as similar.
const NEARLY: f64 = 0.88;

impl fmt::Display for NameMatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

/// Returns a text in the form used for comparison: in lower case, with single spaces, and with accents
/// composed (NFC).
pub(super) fn plain(text: &str) -> String {
    folded_name(text).to_lowercase()
}

/// Returns whether a name stands for no certain player: it consists of punctuation, or means an unknown player
/// (`NN`, `Anonymous`) or the lack of an opponent (`BYE`).
pub fn is_nobody(name: &str) -> bool {
    let is_mark = |c: char| c.is_whitespace() || c.is_ascii_punctuation() && c != ',' || "–—".contains(c);
    let letters: String = name.chars().filter(|c| !is_mark(*c)).collect();
    let letters = letters.trim_matches(',');
    let names =
        ["", "nn", "n,n", "nn,nn", "anonymous", "unknown", "unknownplayer", "noname", "bye", "spielfrei"];
    names.iter().any(|name| letters.eq_ignore_ascii_case(name))
}

/// Returns the words of a text, which are runs of letters and digits.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Returns whether byte `at` of `text` is a word boundary.
fn is_boundary(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at(at);
    match (before.chars().next_back(), after.chars().next()) {
        (Some(before), Some(after)) => !(kind(before) == kind(after) && kind(before).is_some()),
        _ => true,
    }
}

/// Returns true for a digit and false for a letter. Returns `None` for other characters, and for letters of
/// scripts without spaces between words.
fn kind(letter: char) -> Option<bool> {
    (letter.is_alphanumeric() && !stands_alone(letter)).then(|| letter.is_numeric())
}

/// Returns whether a letter belongs to a script without spaces between words.
fn stands_alone(letter: char) -> bool {
    matches!(letter, '\u{e00}'..='\u{eff}' | '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_name_means_whole_words_of_players_names() {
        for (written, player, fits) in [
            ("Li", "Li", true),
            ("li", "Li,  Chao", true),
            ("Li", "Lima", false),
            ("Li", "Dali", false),
            ("carlsen,  MAGNUS ", "Carlsen, Magnus", true),
            ("Magnus Carlsen", "Carlsen, Magnus", true),
            ("Magnus, Carlsen", "Carlsen, Magnus", false),
            ("Magnus Anand", "Carlsen, Magnus", false),
            ("depth 1", "Fish depth 12", false),
            ("Fish", "Fish12", true),
            ("Petrov", "Петров", false),
            ("петров", "ПЕТРОВ, И", true),
            ("雷", "李雷", true),
            ("a a", "aa a a", true),
            ("O'Kelly", "O'Kelly de Galway", true),
            (" ", "A B", false),
            ("", "", false),
        ] {
            assert_eq!(NameMatcher::new(written).fits(player), fits, "{written} {player}");
        }
    }

    #[test]
    fn accents_matter_only_if_a_name_with_equal_accents_fits() {
        for (written, player, fits) in [
            ("Simon", "Šimon, Žofie", true),
            ("Zofie Simon", "Šimon, Žofie", true),
            ("Mueller", "Müller, Jörg", true),
            ("Muller", "Mu\u{308}ller, Jo\u{308}rg", true),
            ("MÜLLER", "Mueller, Jorg", true),
            ("Muller", "Mueller, Jorg", false),
            ("Soerensen", "Sørensen, Ulf", true),
            ("Sorensen", "Sørensen, Ulf", true),
            ("Gross", "Groß, Uta", true),
            ("Duda Lodz", "Duda, Łódź", true),
            ("Dordevic", "Đorđević, Ana", true),
            ("Gudmundsson", "Guðmundsson, Jón", true),
            ("Isik", "Işık, Can", true),
            ("Федоров", "Фёдоров, Пётр", true),
            ("Simo", "Šimon, Žofie", false),
            ("NN", "NN", false),
            ("?", "?", false),
        ] {
            assert_eq!(NameMatcher::new(written).fits(player), fits, "{written} {player}");
        }
        let names = ["Šimon, Žofie", "Simon, Ana", "Müller, Jörg", "Muller, Ben"];
        let names = names.map(|name| (name.to_owned(), name.to_owned())).into();
        for (written, found) in
            [("Simon", "Simon, Ana"), ("Müller", "Müller, Jörg"), ("Zofie", "Šimon, Žofie")]
        {
            assert_eq!(NameMatcher::new(written).only(&names), Ok(found));
        }
    }

    #[test]
    fn a_player_is_found_by_every_spelling_and_told_once() {
        let pairs = [
            ("Petrov, T", "Petrov, Tigran"),
            ("Petrov, Tigran", "Petrov, Tigran"),
            ("Li", "Li (FIDE 1)"),
            ("Li", "Li (FIDE 2)"),
        ];
        let names = pairs.map(|(name, main)| (name.to_owned(), main.to_owned())).into();
        assert_eq!(NameMatcher::new("Petrov, T").only(&names), Ok("Petrov, Tigran"));
        assert_eq!(NameMatcher::new("petrov").only(&names), Ok("Petrov, Tigran"));
        assert_eq!(NameMatcher::new("Petro").near(&names), ["Petrov, Tigran"]);
        assert_eq!(NameMatcher::new("Li").only(&names), Err(vec!["Li (FIDE 1)", "Li (FIDE 2)"]));
    }

    #[test]
    fn some_names_mean_nobody() {
        for name in [
            "",
            "?",
            "-",
            "NN",
            "N.N.",
            "N. N.",
            "nn",
            "N, N",
            "NN, NN",
            "Anonymous",
            "BYE",
            "bye",
            "Unknown",
        ] {
            assert!(is_nobody(name), "{name}");
        }
        for name in
            ["Nn, Anna", "Nunn, J", "Bye, A", "By, E", "An, On", "7", "李", "Anonymous2", "Unknown, Ivan"]
        {
            assert!(!is_nobody(name), "{name}");
        }
    }

    #[test]
    fn of_several_the_one_who_bears_exactly_that_name_is_meant_alone() {
        let names = ["Li", "Li, Chao", "Li, Na", "LI, NA", "Wei, Li"]
            .map(|name| (name.to_owned(), name.to_owned()))
            .into();
        let only = |written: &str| NameMatcher::new(written).only(&names).map(str::to_owned);
        assert_eq!(only(" Li"), Ok("Li".to_owned()));
        assert_eq!(only("Li, Na"), Ok("Li, Na".to_owned()), "as written, where two differ in case alone");
        assert_eq!(only("li, na"), Err(vec!["LI, NA", "Li, Na"]));
        assert_eq!(only("chao"), Ok("Li, Chao".to_owned()));
        assert_eq!(NameMatcher::new("Lima").only(&names), Err(Vec::new()));
    }

    #[test]
    fn who_means_nobody_may_have_meant_a_longer_word_or_one_that_is_nearly_this() {
        let names = ["Nepomniachtchi, Ian", "Carlsen, Magnus", "Carlsson, Pontus", "Li, Chao"];
        let names = names.map(|name| (name.to_owned(), name.to_owned())).into();
        let near = |written: &str| NameMatcher::new(written).near(&names);
        assert_eq!(near("nepo"), ["Nepomniachtchi, Ian"]);
        assert_eq!(near("Nepomnjashchi"), ["Nepomniachtchi, Ian"]);
        assert_eq!(near("carls"), ["Carlsen, Magnus", "Carlsson, Pontus"]);
        assert_eq!(near("Karlsen"), ["Carlsen, Magnus"]);
        assert_eq!(near("Magnus Carls"), ["Carlsen, Magnus"]);
        for nobody in ["Kasparov", "Xu", " "] {
            assert_eq!(near(nobody), [""; 0], "{nobody}");
        }
    }

    proptest! {
        #[test]
        fn everybody_is_meant_by_the_own_name_and_nobody_by_more(name in "\\PC{0,12}", more in "[a-z]{1,3}") {
            let matcher = NameMatcher::new(&name);
            prop_assert_eq!(matcher.fits(&name), !is_nobody(&name));
            let longer = NameMatcher::new(&format!("{name}{more}"));
            prop_assert!(!longer.fits(&name) || !longer.is_name_of(&name));
        }

        #[test]
        fn many_names_match_as_each_of_them_does(
            names in prop::collection::vec("[ab1É雷、, ]{0,5}", 0..12), player in "[aB1é雷、, ]{0,9}"
        ) {
            let matchers: Vec<NameMatcher> = names.iter().map(|name| NameMatcher::new(name)).collect();
            let given: GivenNames = matchers.iter().cloned().collect();
            prop_assert_eq!(given.fit(&player), matchers.iter().any(|name| name.fits(&player)));
            let players = Spellings::from([(player.clone(), player.clone())]);
            let sorted = given.sorted(&players).iter().map(|found| !found.is_empty()).collect::<Vec<_>>();
            prop_assert_eq!(sorted, matchers.iter().map(|name| name.fits(&player)).collect::<Vec<_>>());
        }
    }
}
