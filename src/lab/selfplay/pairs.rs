//! Pairs of contenders that meet.

use std::{collections::BTreeSet, str::FromStr};

use super::{game_record::Contender, game_record::Side, schedule::Matchup};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairSelection {
    /// Every depth meets every depth, including itself.
    All,
    /// Every depth meets the next depth in the list.
    Adjacent,
    Diagonal,
    /// One depth meets another, or itself.
    Of(u32, u32),
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PairSelectionError {
    #[error("{0:?} names no pairs; write all, adjacent, diagonal or A-B, as in 6-8")]
    Unknown(String),
    #[error("pair {0}-{1} has a depth that is not in --depths")]
    NoDepth(u32, u32),
}

impl FromStr for PairSelection {
    type Err = PairSelectionError;

    fn from_str(text: &str) -> Result<PairSelection, PairSelectionError> {
        let unknown = || PairSelectionError::Unknown(text.to_owned());
        match text.trim() {
            "all" => Ok(PairSelection::All),
            "adjacent" => Ok(PairSelection::Adjacent),
            "diagonal" => Ok(PairSelection::Diagonal),
            other => {
                let (a, b) = other.split_once('-').ok_or_else(unknown)?;
                let depth = |text: &str| text.trim().parse().map_err(|_| unknown());
                Ok(PairSelection::Of(depth(a)?, depth(b)?))
            }
        }
    }
}

/// Returns the pairs that the `pairings` select, in order. Each pair occurs once.
///
/// `depths` are the engine's depths in ascending order. `opponent` has the depths of an opponent, which
/// becomes the second player of each pair. Without an opponent, the engine plays itself.
pub fn pairs(
    pairings: &[PairSelection],
    depths: &[u32],
    opponent: Option<&[u32]>,
) -> Result<Vec<Matchup>, PairSelectionError> {
    let (side, seconds) = opponent.map_or((Side::Engine, depths), |depths| (Side::Opponent, depths));
    let all = depths.iter().flat_map(|&first| seconds.iter().map(move |&second| (first, second)));
    // If the engine plays itself, two depths meet in one order only.
    let all: Vec<(u32, u32)> =
        all.filter(|(first, second)| side == Side::Opponent || first <= second).collect();
    let next = |a: u32, b: u32| depths.windows(2).any(|two| two == [a, b] || two == [b, a]);
    let mut chosen = Vec::new();
    for &pairing in pairings {
        let wanted = |&&(first, second): &&(u32, u32)| match pairing {
            PairSelection::All => true,
            PairSelection::Adjacent => next(first, second),
            PairSelection::Diagonal => first == second,
            PairSelection::Of(a, b) => {
                (a, b) == (first, second) || side == Side::Engine && (b, a) == (first, second)
            }
        };
        let found: Vec<_> = all.iter().filter(wanted).copied().collect();
        if let (PairSelection::Of(a, b), true) = (pairing, found.is_empty()) {
            return Err(PairSelectionError::NoDepth(a, b));
        }
        chosen.extend(found);
    }
    let mut seen = BTreeSet::new();
    let contender = |side, depth| Contender { side, depth };
    let pair = |(a, b)| Matchup { first: contender(Side::Engine, a), second: contender(side, b) };
    Ok(chosen.into_iter().filter(|pair| seen.insert(*pair)).map(pair).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depths(pairings: &str, depths: &[u32], opponent: Option<&[u32]>) -> Vec<(u32, u32)> {
        let pairings: Vec<PairSelection> =
            pairings.split(',').map(|text| text.parse().expect("a pairing")).collect();
        let pairs = pairs(&pairings, depths, opponent).expect("known depths");
        pairs.iter().map(|pair| (pair.first.depth, pair.second.depth)).collect()
    }

    #[test]
    fn an_engine_meets_itself_at_every_two_depths_once() {
        let all = [(2, 2), (2, 4), (2, 5), (4, 4), (4, 5), (5, 5)];
        assert_eq!(depths("all", &[2, 4, 5], None), all);
        assert_eq!(depths("adjacent", &[2, 4, 5], None), [(2, 4), (4, 5)]);
        assert_eq!(depths("diagonal", &[2, 4, 5], None), [(2, 2), (4, 4), (5, 5)]);
        assert_eq!(depths("5-2,5-5,2-5", &[2, 4, 5], None), [(2, 5), (5, 5)]);
        assert_eq!(depths("adjacent,all", &[2, 4, 5], None).len(), 6);
    }

    #[test]
    fn an_opponent_meets_every_depth_at_every_depth() {
        let all = [(2, 2), (2, 3), (3, 2), (3, 3)];
        assert_eq!(depths("all", &[2, 3], Some(&[2, 3])), all);
        assert_eq!(depths("adjacent", &[2, 3], Some(&[2, 3])), [(2, 3), (3, 2)]);
        assert_eq!(depths("3-2", &[2, 3], Some(&[2, 3])), [(3, 2)]);
        assert_eq!(depths("all", &[2, 3], Some(&[9])), [(2, 9), (3, 9)]);
    }

    #[test]
    fn what_cannot_be_paired_is_said() {
        assert_eq!(pairs(&[PairSelection::Of(2, 9)], &[2, 3], None), Err(PairSelectionError::NoDepth(2, 9)));
        for bad in ["", "some", "3", "3-", "a-b", "3-4-5"] {
            assert!(bad.parse::<PairSelection>().is_err(), "{bad}");
        }
    }
}
