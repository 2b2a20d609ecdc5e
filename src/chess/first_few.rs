//! [`FirstFew`]: the first few of possibly millions of items, and the number of items of each kind.

use std::collections::BTreeMap;

/// Keeps the first [`FirstFew::MOST`] items, such as faults, and counts all items by kind. So a file of
/// garbage does not fill the memory, the terminal or the report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstFew<T> {
    first: Vec<T>,
    kinds: BTreeMap<String, u64>,
}

impl<T> Default for FirstFew<T> {
    fn default() -> FirstFew<T> {
        FirstFew { first: Vec::new(), kinds: BTreeMap::new() }
    }
}

impl<T> FirstFew<T> {
    pub const MOST: usize = 100;

    pub fn add(&mut self, thing: T, kind: impl Into<String>) {
        *self.kinds.entry(kind.into()).or_default() += 1;
        if self.first.len() < FirstFew::<T>::MOST {
            self.first.push(thing);
        }
    }

    pub fn first(&self) -> &[T] {
        &self.first
    }

    #[cfg(feature = "program")]
    pub fn count(&self) -> u64 {
        self.kinds.values().sum()
    }

    pub fn kinds(&self) -> &BTreeMap<String, u64> {
        &self.kinds
    }

    /// Converts the kept items. The counts stay the same.
    pub fn map<U>(&self, change: impl FnMut(&T) -> U) -> FirstFew<U> {
        FirstFew { first: self.first.iter().map(change).collect(), kinds: self.kinds.clone() }
    }

    /// Returns a text on the number of items after the first `told`, with the number of all items by kind:
    /// `980 more games (all 1000 by reason: cut off 900, illegal move 100)`. `None` if there are no more.
    #[cfg(feature = "program")]
    pub fn rest(&self, told: usize, what: &str) -> Option<String> {
        use crate::base::text::{counted, listed_counts};
        let more = self.count().saturating_sub(told as u64);
        let named = counted(more, &format!("more {what}"));
        (more > 0)
            .then(|| format!("{named} (all {} by reason: {})", self.count(), listed_counts(&self.kinds)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_hundred_are_kept_and_all_are_counted() {
        let mut few = FirstFew::default();
        for number in 0..1_000u64 {
            few.add(number, if number % 10 == 0 { "round" } else { "odd" });
        }
        assert_eq!(few.first(), (0..100).collect::<Vec<_>>());
        assert_eq!(few.count(), 1_000);
        assert_eq!(few.kinds()["round"], 100);
        assert_eq!(few.map(u64::to_string).first()[99], "99");
        assert_eq!(
            few.rest(20, "number").as_deref(),
            Some("980 more numbers (all 1000 by reason: odd 900, round 100)")
        );
        assert_eq!(few.rest(1_000, "number"), None);
    }
}
