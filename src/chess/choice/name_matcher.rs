//! [`NameMatcher`]: the rule for matching a name given by the user with players' names.

use std::{collections::BTreeSet, fmt};

use crate::base::text::folded_name;

/// A name given by the user, which can match several players.
///
/// It matches every player whose name equals the given name or contains it as whole words, ignoring case:
/// `Li` matches `Li` and `Li, Chao`, but not `Lima`. Several words without a comma also match a name with a
/// comma that contains these words in any order: `Magnus Carlsen` matches `Carlsen, Magnus`. Whether a player
/// matches does not depend on the other players. So the rule also works for a stream of games, whose players
/// are not known in advance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameMatcher {
    written: String,
    plain: String,
}

impl NameMatcher {
    pub fn new(written: &str) -> NameMatcher {
        NameMatcher { written: written.to_owned(), plain: plain(written) }
    }

    pub fn fits(&self, player: &str) -> bool {
        let player = plain(player);
        let begins = |at: &usize| player.get(*at..).is_some_and(|rest| rest.starts_with(&self.plain));
        let mut places = (0..player.len()).filter(begins);
        !self.plain.is_empty()
            && (places.any(|at| is_boundary(&player, at) && is_boundary(&player, at + self.plain.len()))
                || self.has_words_of(&player))
    }

    /// Returns whether `player` has a comma and, in any order, all words of this name. So `Magnus Carlsen`,
    /// as people write it, matches `Carlsen, Magnus`, as files have it. If this name is a single word or has
    /// a comma, the answer is false.
    fn has_words_of(&self, player: &str) -> bool {
        let is_several = self.plain.contains(' ') && !self.plain.contains(',') && player.contains(',');
        is_several && words(&self.plain).all(|wanted| words(player).any(|word| word == wanted))
    }

    pub fn is_name_of(&self, player: &str) -> bool {
        self.plain == plain(player)
    }

    /// Returns the only match among `names`. If there are several, returns the match that equals this name
    /// exactly, or else the only match that equals it when case is ignored. Otherwise, the error has all
    /// matches.
    pub fn only<'a>(&self, names: &'a BTreeSet<String>) -> Result<&'a str, Vec<&'a str>> {
        let exact = folded_name(&self.written);
        let all = self.all(names);
        let whole: Vec<&str> = all.iter().copied().filter(|name| self.is_name_of(name)).collect();
        match (names.get(&exact), whole.as_slice(), all.as_slice()) {
            (Some(name), ..) => Ok(name),
            (None, [name], _) | (None, [], [name]) => Ok(name),
            _ => Err(all),
        }
    }

    /// Returns suggestions from `names` for a name without a match. A suggestion has, for each word of this
    /// name, a word that begins with it. If there are no such names, names with similar words are returned.
    pub fn near<'a>(&self, names: &'a BTreeSet<String>) -> Vec<&'a str> {
        let wanted: Vec<&str> = words(&self.plain).collect();
        let having = |fits: fn(&str, &str) -> bool| -> Vec<&'a str> {
            let has = |name: &&String| {
                let name = plain(name);
                wanted.iter().all(|wanted| words(&name).any(|word| fits(word, wanted)))
            };
            names.iter().filter(has).map(String::as_str).collect()
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

    pub fn all<'a>(&self, names: &'a BTreeSet<String>) -> Vec<&'a str> {
        names.iter().filter(|name| self.fits(name)).map(String::as_str).collect()
    }
}

/// Jaro–Winkler similarity (0 to 1) from which words count as similar.
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

/// Returns the words of a text, which are runs of letters and digits.
fn words(text: &str) -> impl Iterator<Item = &str> {
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
    fn of_several_the_one_who_bears_exactly_that_name_is_meant_alone() {
        let names = ["Li", "Li, Chao", "Li, Na", "LI, NA", "Wei, Li"].map(str::to_owned).into();
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
        let names = names.map(str::to_owned).into();
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
            prop_assert_eq!(matcher.fits(&name), !folded_name(&name).is_empty());
            let longer = NameMatcher::new(&format!("{name}{more}"));
            prop_assert!(!longer.fits(&name) || !longer.is_name_of(&name));
        }
    }
}
