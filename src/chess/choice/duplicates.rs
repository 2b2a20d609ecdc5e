//! [`Duplicates`]: a memory of limited size for games already seen.

use std::collections::{HashMap, hash_map::Entry};

use super::Fingerprint;

/// The fingerprints of games already seen, with a value for each game.
///
/// It remembers at least the last [`Duplicates::CAPACITY`] different games, and at most twice as many. When
/// the newer half of the memory is full, the older half is dropped. Without values, both halves together take
/// at most about 40 MB.
#[derive(Debug, Clone)]
pub struct Duplicates<V = ()> {
    younger: HashMap<Fingerprint, V>,
    elder: HashMap<Fingerprint, V>,
    capacity: usize,
    forgetful: bool,
}

impl<V: Copy> Duplicates<V> {
    /// Number of games in each half: the largest number for which a hash table of 2²¹ slots (nine bytes each)
    /// does not double its size.
    pub const CAPACITY: usize = (1 << 21) / 8 * 7;

    /// Returns an empty memory.
    pub fn new() -> Duplicates<V> {
        Duplicates::with_capacity(Duplicates::<V>::CAPACITY)
    }

    fn with_capacity(capacity: usize) -> Duplicates<V> {
        Duplicates { younger: HashMap::new(), elder: HashMap::new(), capacity, forgetful: false }
    }

    /// Remembers a game with its value, and returns `None`. If a copy of the game is already in memory, keeps
    /// and returns the copy's value instead.
    pub fn earlier(&mut self, game: Fingerprint, value: V) -> Option<V> {
        let earlier = match self.younger.entry(game) {
            Entry::Occupied(seen) => return Some(*seen.get()),
            Entry::Vacant(place) => {
                let earlier = self.elder.get(&game).copied();
                place.insert(earlier.unwrap_or(value));
                earlier
            }
        };
        if self.younger.len() == self.capacity {
            self.forgetful |= !self.elder.is_empty();
            self.elder = std::mem::take(&mut self.younger);
        }
        earlier
    }

    /// Replaces the value of the game with this fingerprint.
    pub fn replace(&mut self, game: Fingerprint, value: V) {
        self.younger.insert(game, value);
    }

    /// Returns whether games were dropped from memory. Copies of these games may then have been taken for new
    /// games.
    pub fn has_forgotten(&self) -> bool {
        self.forgetful
    }
}

impl<V: Copy> Default for Duplicates<V> {
    fn default() -> Duplicates<V> {
        Duplicates::new()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::chess::choice::{Headers, MoveText};

    fn game(number: u16) -> Fingerprint {
        let name = number.to_string();
        Fingerprint::new(&Headers { white: &name, ..Headers::default() }, &MoveText::default())
    }

    impl Duplicates {
        fn is_new(&mut self, game: Fingerprint) -> bool {
            self.earlier(game, ()).is_none()
        }
    }

    #[test]
    fn a_game_is_new_once() {
        let mut seen = Duplicates::new();
        let new = [1, 2, 1, 3, 2].map(|number| seen.is_new(game(number)));
        assert_eq!(new, [true, true, false, true, false]);
        assert!(!seen.has_forgotten());
    }

    #[test]
    fn the_value_of_the_first_copy_is_remembered_until_it_is_replaced() {
        let mut seen = Duplicates::with_capacity(2);
        assert_eq!([1, 2, 1].map(|number| seen.earlier(game(number), 10 * number)), [None, None, Some(10)]);
        seen.replace(game(1), 7);
        assert_eq!(seen.earlier(game(1), 9), Some(7));
    }

    #[test]
    fn the_oldest_half_is_forgotten_and_it_says_so() {
        let mut seen = Duplicates::with_capacity(2);
        assert!([1, 2, 3].into_iter().all(|number| seen.is_new(game(number))));
        assert!(!seen.has_forgotten() && !seen.is_new(game(1)));
        assert!(seen.is_new(game(4)) && seen.has_forgotten());
        assert!(!seen.is_new(game(3)) && seen.is_new(game(1)));
    }

    proptest! {
        #[test]
        fn nothing_recent_is_taken_for_new_and_the_memory_is_bounded(
            numbers in prop::collection::vec(0u16..40, 0..200)
        ) {
            let mut seen = Duplicates::with_capacity(8);
            for (at, &number) in numbers.iter().enumerate() {
                let new = seen.is_new(game(number));
                let last = numbers[..at].iter().rposition(|&earlier| earlier == number);
                let between = last.map(|last| BTreeSet::from_iter(&numbers[last..at]).len());
                prop_assert!(!new || between.is_none_or(|different| different > 8));
                prop_assert!(!new || last.is_none() || seen.has_forgotten());
                prop_assert!(seen.younger.len() + seen.elder.len() <= 16);
            }
        }
    }
}
