//! [`TranspositionTable`]: search results by position.

use super::{packed_move::PackedMove, processor::prefetch, value::from_here, value::from_root};

const WAYS: usize = 4;

/// The relation of a stored value to the true value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueBound {
    /// The true value is at most the stored value.
    Upper,
    /// The true value is at least the stored value.
    Lower,
    /// The stored value is exact.
    Exact,
}

impl ValueBound {
    /// Returns the bound of a value from a search with the window from `alpha` to `beta`.
    pub(super) fn of(value: i32, alpha: i32, beta: i32) -> ValueBound {
        match value {
            _ if value >= beta => ValueBound::Lower,
            _ if value > alpha => ValueBound::Exact,
            _ => ValueBound::Upper,
        }
    }

    /// Returns whether the bound proves that the true value is on the same side of `limit` as `value`.
    pub(super) fn decides(self, value: i32, limit: i32) -> bool {
        match self {
            ValueBound::Exact => true,
            ValueBound::Lower => value >= limit,
            ValueBound::Upper => value < limit,
        }
    }
}

/// The stored result of one position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Finding {
    /// The best move, or the move that caused a cut-off; [`PackedMove::NONE`] if unknown.
    pub(super) best: PackedMove,
    /// The value, with mates counted from the root.
    pub(super) value: i32,
    /// The static evaluation without correction; `None` in check.
    pub(super) evaluation: Option<i32>,
    pub(super) depth: i32,
    pub(super) bound: ValueBound,
    /// True if the position was searched in a principal variation, as far as the table remembers.
    pub(super) pv: bool,
}

/// A result in sixteen bytes. The upper bits of a key choose its bucket; the lower 48 bits are stored to
/// verify the position.
#[derive(Clone, Copy, Default)]
struct Slot {
    key_low: u32,
    key_high: u16,
    /// The epoch of the table when the slot was written. A slot of an earlier epoch counts as empty.
    epoch: u16,
    best: u16,
    value: i16,
    evaluation: i16,
    depth: u8,
    /// The generation of the search in the upper five bits, then one bit for a principal variation, and the
    /// bound in the lower two bits.
    flags: u8,
}

/// The slots for a key, in one cache line.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

const NO_EVALUATION: i16 = i16::MIN;
const GENERATIONS: u8 = 32;

impl Slot {
    fn has(&self, key: u64, epoch: u16) -> bool {
        self.epoch == epoch && self.key_low == key as u32 && self.key_high == (key >> 32) as u16
    }

    fn generation(&self) -> u8 {
        self.flags >> 3
    }

    fn bound(&self) -> ValueBound {
        match self.flags & 3 {
            0 => ValueBound::Upper,
            1 => ValueBound::Lower,
            _ => ValueBound::Exact,
        }
    }

    /// Returns the priority for keeping the slot's result: its depth, less 8 for each search since it was
    /// stored. An empty slot has the lowest priority.
    fn worth(&self, epoch: u16, generation: u8) -> i32 {
        if self.epoch != epoch {
            return i32::MIN;
        }
        let age = (generation + GENERATIONS - self.generation()) % GENERATIONS;
        i32::from(self.depth) - 8 * i32::from(age)
    }
}

/// A table of fixed size that never grows or fails. New entries overwrite old ones.
pub(super) struct TranspositionTable {
    buckets: Vec<Bucket>,
    epoch: u16,
    generation: u8,
}

impl TranspositionTable {
    /// Makes the largest empty table that fits into `megabytes`, or into one megabyte if `megabytes` is 0.
    pub(super) fn with_megabytes(megabytes: usize) -> TranspositionTable {
        TranspositionTable::with_slots(megabytes.max(1).saturating_mul(1 << 20) / size_of::<Slot>())
    }

    /// Makes an empty table of `slots`, rounded up to whole buckets, at least one.
    pub(super) fn with_slots(slots: usize) -> TranspositionTable {
        let buckets = vec![Bucket::default(); slots.div_ceil(WAYS).max(1)];
        TranspositionTable { buckets, epoch: 1, generation: 0 }
    }

    /// Clears the table. This takes constant time, except every 65,535th time, so it is cheap enough to be
    /// done before every position.
    pub(super) fn clear(&mut self) {
        self.generation = 0;
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.buckets.fill(Bucket::default());
            self.epoch = 1;
        }
    }

    /// Begins a new search, which ages all entries.
    pub(super) fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// Prefetches the bucket of a position that will be looked up soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(&self.buckets[self.bucket(key)]);
    }

    /// Looks up a position that is `ply` plies below the root.
    pub(super) fn find(&self, key: u64, ply: usize) -> Option<Finding> {
        let slot = self.buckets[self.bucket(key)].0.iter().find(|slot| slot.has(key, self.epoch))?;
        Some(Finding {
            best: PackedMove::from_bits(slot.best),
            value: from_root(i32::from(slot.value), ply),
            evaluation: (slot.evaluation != NO_EVALUATION).then_some(i32::from(slot.evaluation)),
            depth: i32::from(slot.depth),
            bound: slot.bound(),
            pv: slot.flags & 4 != 0,
        })
    }

    /// Stores a result of a position `ply` plies below the root. If the new result has no best move, the
    /// stored best move is kept. A result of the same position and search that is more than 4 plies deeper is
    /// kept, unless the new result is exact.
    pub(super) fn keep(&mut self, key: u64, ply: usize, finding: Finding) {
        let (epoch, generation) = (self.epoch, self.generation);
        let bucket = self.bucket(key);
        let Some(slot) = choose(&mut self.buckets[bucket].0, key, epoch, generation) else { return };
        let same = slot.has(key, epoch);
        if same
            && finding.bound != ValueBound::Exact
            && slot.generation() == generation
            && finding.depth + 4 < i32::from(slot.depth)
        {
            return;
        }
        let best = if same && finding.best.is_none() { slot.best } else { finding.best.bits() };
        *slot = Slot {
            key_low: key as u32,
            key_high: (key >> 32) as u16,
            epoch,
            best,
            value: from_here(finding.value, ply) as i16,
            evaluation: finding.evaluation.map_or(NO_EVALUATION, |value| value as i16),
            depth: finding.depth.clamp(0, 255) as u8,
            flags: generation << 3 | u8::from(finding.pv) << 2 | finding.bound as u8,
        };
    }

    /// Returns the share of slots written by the current search, per mille, from the first 1000 slots.
    pub(super) fn permille_full(&self) -> u32 {
        let sample = self.buckets.iter().flat_map(|bucket| &bucket.0).take(1000);
        let written = |slot: &&Slot| slot.epoch == self.epoch && slot.generation() == self.generation;
        let total = self.buckets.len().saturating_mul(WAYS).min(1000);
        (sample.filter(written).count() * 1000 / total) as u32
    }

    fn bucket(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }
}

/// Chooses the slot for a position: the slot that already has the position, otherwise the slot of the lowest
/// priority.
fn choose(bucket: &mut [Slot; WAYS], key: u64, epoch: u16, generation: u8) -> Option<&mut Slot> {
    bucket.iter_mut().min_by_key(|slot| (!slot.has(key, epoch), slot.worth(epoch, generation)))
}
