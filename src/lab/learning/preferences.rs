//! [`Preferences`]: for each position, the feature differences between the move played and every other move.

use rayon::prelude::*;
use shakmaty::{Chess, Color, Position, Square};

use super::decision::Decision;
use crate::engine::Stop;
use crate::engine::chess_engine::{Feature, FeatureSink, Leaves, ONE, Weights, emit_features, evaluate};

/// For each pair of a move played and another legal move: the features of the leaf after the move played
/// minus the features of the leaf after the other move, from the mover's view.
///
/// The differences are sparse, because most pieces are on the same squares in both leaves. A pair takes 8
/// bytes, and 6 bytes more for each differing feature, of which there are about 7.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Preferences {
    games: Vec<u32>,
    /// For each position, the index after its last pair.
    pair_ends: Vec<u32>,
    /// For each pair, the index after its last entry.
    entry_ends: Vec<u32>,
    features: Vec<u16>,
    differences: Vec<f32>,
    /// For each pair, the amount by which the built-in engine's evaluation by terms prefers the leaf of the
    /// move played, in centipawns.
    own: Vec<i32>,
}

/// Number of decisions that a worker takes at a time.
const CHUNK: usize = 64;

impl Preferences {
    /// Finds the leaves of all legal moves of `decisions`, and compares the leaf of each move played with the
    /// other leaves. Returns `None` if `stop` is requested. Each worker passes the number of decisions that
    /// it has just finished to `done`.
    pub fn of(
        decisions: &[&Decision],
        leaves: &Leaves<'_>,
        stop: &Stop,
        done: &(dyn Fn(usize) + Sync),
    ) -> Option<Preferences> {
        let own = Weights::default();
        let parts: Vec<Option<Preferences>> = decisions
            .par_chunks(CHUNK)
            .map(|chunk| {
                let mut part = Preferences::default();
                for decision in chunk {
                    if stop.is_requested() {
                        return None;
                    }
                    part.add(decision, leaves, &own);
                }
                done(chunk.len());
                Some(part)
            })
            .collect();
        let mut all = Preferences::default();
        parts.into_iter().try_for_each(|part| part.map(|part| all.append(part)))?;
        Some(all)
    }

    fn add(&mut self, decision: &Decision, leaves: &Leaves<'_>, own: &Weights) {
        let mover = decision.chess.turn();
        let leaf = |m| {
            let mut chess = decision.chess.clone();
            chess.play_unchecked(m);
            Valued::of(&leaves.of(&chess), mover, own)
        };
        let played = leaf(decision.played);
        for m in decision.chess.legal_moves().into_iter().filter(|&m| m != decision.played) {
            let other = leaf(m);
            for (feature, (a, b)) in (0..).zip(played.counts.iter().zip(&other.counts)) {
                if a != b {
                    self.features.push(feature);
                    self.differences.push((a - b) as f32 / ONE as f32);
                }
            }
            self.entry_ends.push(self.features.len() as u32);
            self.own.push(played.own - other.own);
        }
        self.games.push(decision.game);
        self.pair_ends.push(self.entry_ends.len() as u32);
    }

    fn append(&mut self, more: Preferences) {
        let (pairs, entries) = (self.entry_ends.len() as u32, self.features.len() as u32);
        self.games.extend(more.games);
        self.pair_ends.extend(more.pair_ends.into_iter().map(|end| end + pairs));
        self.entry_ends.extend(more.entry_ends.into_iter().map(|end| end + entries));
        self.features.extend(more.features);
        self.differences.extend(more.differences);
        self.own.extend(more.own);
    }

    pub fn positions(&self) -> usize {
        self.games.len()
    }

    /// Counts the pairs of a move played and a move not played.
    pub fn pairs(&self) -> usize {
        self.entry_ends.len()
    }

    pub fn bytes(&self) -> usize {
        4 * (self.games.len() + self.pair_ends.len() + 2 * self.entry_ends.len() + self.differences.len())
            + 2 * self.features.len()
    }

    pub fn game(&self, position: usize) -> usize {
        self.games[position] as usize
    }

    pub fn pairs_of(&self, position: usize) -> std::ops::Range<usize> {
        let begin = position.checked_sub(1).map_or(0, |before| self.pair_ends[before]);
        begin as usize..self.pair_ends[position] as usize
    }

    /// Lists the features in which a pair differs, each with its difference.
    #[inline(always)]
    pub fn entries(&self, pair: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let begin = pair.checked_sub(1).map_or(0, |before| self.entry_ends[before]) as usize;
        let end = self.entry_ends[pair] as usize;
        let features = self.features[begin..end].iter().map(|&feature| usize::from(feature));
        features.zip(self.differences[begin..end].iter().map(|&difference| f64::from(difference)))
    }

    /// Returns the value of the move played minus the value of the other move of a pair, by `weights`.
    #[inline(always)]
    pub fn margin(&self, pair: usize, weights: &[f64]) -> f64 {
        self.entries(pair).map(|(feature, difference)| weights[feature] * difference).sum()
    }

    /// Returns the value of the move played minus the value of the other move of a pair, by the built-in
    /// engine's evaluation by terms, in centipawns.
    pub fn own_margin(&self, pair: usize) -> f64 {
        f64::from(self.own[pair])
    }

    /// Counts for each feature the pairs that differ in it: the amount of data for the feature's weight.
    pub fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0; Feature::COUNT];
        self.features.iter().for_each(|&feature| counts[usize::from(feature)] += 1);
        counts
    }
}

/// The features of a leaf and the built-in engine's evaluation of it by terms, from the mover's view.
struct Valued {
    counts: [i32; Feature::COUNT],
    own: i32,
}

impl Valued {
    fn of(leaf: &Chess, mover: Color, own: &Weights) -> Valued {
        let mut sum = FeatureCounts { counts: [0; Feature::COUNT], mover };
        emit_features(leaf.board(), &mut sum);
        let own = evaluate(leaf, own) * if leaf.turn() == mover { 1 } else { -1 };
        Valued { counts: sum.counts, own }
    }
}

struct FeatureCounts {
    counts: [i32; Feature::COUNT],
    mover: Color,
}

impl FeatureSink for FeatureCounts {
    fn add(&mut self, feature: Feature, color: Color, count: i32, _at: Option<Square>) {
        self.counts[feature.index()] += if color == self.mover { count } else { -count };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Preferences {
        /// Returns each `step`-th of the pairs whose moves differ in a feature, at most `count`, each as a
        /// position of its own.
        pub(in crate::lab::learning) fn sample(&self, step: usize, count: usize) -> Preferences {
            let mut found = Preferences::default();
            let pairs = (0..self.pairs()).filter(|&pair| self.entries(pair).next().is_some());
            pairs.step_by(step).take(count).for_each(|pair| found.append(self.pair(pair)));
            found
        }

        /// Returns a pair as the only pair of a position.
        pub(in crate::lab::learning) fn pair(&self, pair: usize) -> Preferences {
            let (features, differences): (Vec<usize>, Vec<f64>) = self.entries(pair).unzip();
            Preferences {
                games: vec![0],
                pair_ends: vec![1],
                entry_ends: vec![features.len() as u32],
                features: features.into_iter().map(|feature| feature as u16).collect(),
                differences: differences.into_iter().map(|difference| difference as f32).collect(),
                own: vec![self.own[pair]],
            }
        }

        /// Returns all pairs except one, each as a position of its own.
        pub(in crate::lab::learning) fn without(&self, left_out: usize) -> Preferences {
            let mut found = Preferences::default();
            let pairs = (0..self.pairs()).filter(|&pair| pair != left_out);
            pairs.for_each(|pair| found.append(self.pair(pair)));
            found
        }
    }
}
