//! [`Selection`]: the rules for taking games from files, and [`Selector`], which leaves out copies and limits
//! the number of games.

use encoding_rs::Encoding;

use super::{Aliases, Duplicates, Fingerprint, GameFilter};
use crate::base::text::{brief, first_named};

/// The rules for taking games from files. By default, every game is taken except copies of games already
/// taken.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Selection {
    pub filter: GameFilter,
    pub aliases: Aliases,
    pub max_games: Option<u64>,
    pub keep_duplicates: bool,
    pub growing: bool,
    /// True if the first unreadable game or file ends the reading. Flaws of the moves and of the start
    /// position are then errors instead of being repaired.
    pub strict: bool,
    /// The encoding of lines that are not UTF-8; Windows-1252 if it is `None`.
    pub encoding: Option<&'static Encoding>,
}

impl Selection {
    pub fn everything(&self) -> Selection {
        Selection { aliases: self.aliases.clone(), keep_duplicates: true, ..Selection::default() }
    }

    /// Returns a message about aliases that no player has; `None` if there are none.
    pub fn unmet_aliases(&self) -> Option<String> {
        let aliases = first_named(self.aliases.unmet().into_iter().map(brief), "; ");
        (!aliases.is_empty()).then(|| format!("no player has the alias {aliases}"))
    }

    /// Returns a message about requested time controls that no game has; `None` if there are none. `tags` are
    /// the tags `TimeControl` of the games taken, as read and as in the file.
    pub fn unmet_controls<'a>(
        &self,
        tags: impl Iterator<Item = [Option<&'a str>; 2]> + Clone,
    ) -> Option<String> {
        let controls =
            self.filter.time_control.iter().filter(|control| !tags.clone().any(|tag| control.has(tag)));
        let controls = first_named(controls.map(ToString::to_string), ", ");
        (!controls.is_empty()).then(|| format!("no game has the time control {controls}"))
    }

    pub fn names(&self) -> Vec<String> {
        self.filter.names(self.max_games)
    }
}

/// Takes games one by one, except copies of games already taken. It also counts the games taken. With each
/// game it remembers a value, which it returns for copies of the game.
#[derive(Debug, Clone)]
pub struct Selector<V = ()> {
    max_games: Option<u64>,
    keep_duplicates: bool,
    seen: Duplicates<V>,
    taken: u64,
}

impl<V: Copy> Selector<V> {
    pub fn new(selection: &Selection) -> Selector<V> {
        let Selection { max_games, keep_duplicates, .. } = *selection;
        Selector { max_games, keep_duplicates, seen: Duplicates::new(), taken: 0 }
    }

    pub fn has_enough(&self) -> bool {
        self.max_games.is_some_and(|most| self.taken >= most)
    }

    /// Takes a game and returns `None`. If the game is a copy of a game already taken, returns the earlier
    /// game's value instead. A game without a fingerprint is never a copy. With `keep_duplicates`, no game is
    /// a copy.
    pub fn take(&mut self, game: Option<Fingerprint>, value: V) -> Option<V> {
        let game = game.filter(|_| !self.keep_duplicates);
        let earlier = game.and_then(|game| self.seen.earlier(game, value));
        self.taken += u64::from(earlier.is_none());
        earlier
    }

    /// Takes a copy in place of the game already taken: replaces the value that is remembered for the game by
    /// `value`.
    pub fn replace(&mut self, game: Fingerprint, value: V) {
        self.seen.replace(game, value);
    }

    /// Returns whether games were dropped from memory. Copies of these games may then have been taken too.
    pub fn has_forgotten(&self) -> bool {
        self.seen.has_forgotten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::choice::{Headers, MoveText};

    fn game(name: &str) -> Option<Fingerprint> {
        Some(Fingerprint::new(&Headers { white: name, ..Headers::default() }, &MoveText::default()))
    }

    #[test]
    fn copies_are_no_games_more_and_enough_is_enough() {
        let mut selector = Selector::new(&Selection { max_games: Some(2), ..Selection::default() });
        assert_eq!([selector.take(game("a"), 1), selector.take(game("a"), 2)], [None, Some(1)]);
        assert!(!selector.has_enough());
        assert_eq!(selector.take(game("b"), 3), None);
        assert!(selector.has_enough());
    }

    #[test]
    fn copies_are_taken_where_they_are_wanted_or_cannot_be_known() {
        let mut selector = Selector::new(&Selection { keep_duplicates: true, ..Selection::default() });
        assert_eq!([game("a"), game("a")].map(|game| selector.take(game, ())), [None, None]);
        let mut selector = Selector::new(&Selection::default());
        assert_eq!([None, None].map(|game| selector.take(game, ())), [None, None]);
    }
}
