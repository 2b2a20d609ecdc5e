//! Owns [`TranspositionTable`]: what a search found of positions, kept for the next time they are met.

use super::{
    packed_move::PackedMove,
    value::{from_here, from_root},
};

const WAYS: usize = 4;

/// On which side of a value the truth lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueBound {
    /// At most the value.
    Upper,
    /// At least the value.
    Lower,
    /// The value itself.
    Exact,
}

impl ValueBound {
    /// What a search of the window that began at `alpha` and ended at `beta` says of the value it returned.
    pub(super) fn of(value: i32, alpha: i32, beta: i32) -> ValueBound {
        match value {
            _ if value >= beta => ValueBound::Lower,
            _ if value > alpha => ValueBound::Exact,
            _ => ValueBound::Upper,
        }
    }

    /// Whether the bound decides that the truth is at least (or below) `limit`, as `value` is.
    pub(super) fn decides(self, value: i32, limit: i32) -> bool {
        match self {
            ValueBound::Exact => true,
            ValueBound::Lower => value >= limit,
            ValueBound::Upper => value < limit,
        }
    }
}

/// What is kept of one position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Finding {
    /// The best move, or the one that refuted the position.
    pub(super) best: PackedMove,
    /// The value, mates counted from the root.
    pub(super) value: i32,
    /// The static evaluation, `None` for a position in check.
    pub(super) evaluation: Option<i32>,
    pub(super) depth: i32,
    pub(super) bound: ValueBound,
}

/// A finding in sixteen bytes. The key's upper bits choose the bucket; its lower 48 are kept to tell positions apart.
#[derive(Clone, Copy, Default)]
struct Slot {
    key_low: u32,
    key_high: u16,
    /// Which table's life the slot belongs to: a slot of an earlier one is as good as empty.
    epoch: u16,
    best: u16,
    value: i16,
    evaluation: i16,
    depth: u8,
    /// The search that wrote it in the upper six bits, the bound in the lower two.
    generation_and_bound: u8,
}

/// Slots that one key may go to, on one line of the processor's cache.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

const NO_EVALUATION: i16 = i16::MIN;
const GENERATIONS: u8 = 64;

impl Slot {
    fn has(&self, key: u64, epoch: u16) -> bool {
        self.epoch == epoch && self.key_low == key as u32 && self.key_high == (key >> 32) as u16
    }

    fn bound(&self) -> ValueBound {
        match self.generation_and_bound & 3 {
            0 => ValueBound::Upper,
            1 => ValueBound::Lower,
            _ => ValueBound::Exact,
        }
    }

    /// How much is lost by writing over the slot: nothing if it is empty, less the older it is.
    fn worth(&self, epoch: u16, generation: u8) -> i32 {
        if self.epoch != epoch {
            return i32::MIN;
        }
        let age = (generation + GENERATIONS - (self.generation_and_bound >> 2)) % GENERATIONS;
        i32::from(self.depth) - 8 * i32::from(age)
    }
}

/// A table of fixed size that never grows and never fails: what does not fit is written over.
pub(super) struct TranspositionTable {
    buckets: Vec<Bucket>,
    epoch: u16,
    generation: u8,
}

impl TranspositionTable {
    /// Makes an empty table of the largest size that fits into `megabytes`, at least one.
    pub(super) fn with_megabytes(megabytes: usize) -> TranspositionTable {
        TranspositionTable::with_slots(megabytes.max(1).saturating_mul(1 << 20) / size_of::<Slot>())
    }

    /// Makes an empty table of `slots` rounded up to a whole number of buckets.
    pub(super) fn with_slots(slots: usize) -> TranspositionTable {
        let buckets = vec![Bucket::default(); slots.div_ceil(WAYS).max(1)];
        TranspositionTable { buckets, epoch: 1, generation: 0 }
    }

    /// Empties the table: at once, but for every 65,535th time, so that a table may be cleared before every position.
    pub(super) fn clear(&mut self) {
        self.generation = 0;
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.buckets.fill(Bucket::default());
            self.epoch = 1;
        }
    }

    /// Begins a new search, which makes all that is there older.
    pub(super) fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// Reads the place of a position that is about to be looked up, so that it is on its way from memory meanwhile.
    pub(super) fn touch(&self, key: u64) {
        std::hint::black_box(self.buckets[self.bucket(key)].0[0].epoch);
    }

    /// Looks a position up that is `ply` plies below the root.
    pub(super) fn find(&self, key: u64, ply: usize) -> Option<Finding> {
        let slot = self.buckets[self.bucket(key)].0.iter().find(|slot| slot.has(key, self.epoch))?;
        Some(Finding {
            best: PackedMove::from_bits(slot.best),
            value: from_root(i32::from(slot.value), ply),
            evaluation: (slot.evaluation != NO_EVALUATION).then_some(i32::from(slot.evaluation)),
            depth: i32::from(slot.depth),
            bound: slot.bound(),
        })
    }

    /// Keeps a finding of a position `ply` plies below the root. A move known of the position outlives a finding that
    /// has none; a deeper finding of the same search outlives a shallower one that is not exact.
    pub(super) fn keep(&mut self, key: u64, ply: usize, finding: Finding) {
        let (epoch, generation) = (self.epoch, self.generation);
        let bucket = self.bucket(key);
        let Some(slot) = choose(&mut self.buckets[bucket].0, key, epoch, generation) else { return };
        let same = slot.has(key, epoch);
        if same
            && finding.bound != ValueBound::Exact
            && slot.generation_and_bound >> 2 == generation
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
            generation_and_bound: generation << 2 | finding.bound as u8,
        };
    }

    /// Per mille of a sample of slots that the present search wrote.
    pub(super) fn permille_full(&self) -> u32 {
        let sample = self.buckets.iter().flat_map(|bucket| &bucket.0).take(1000);
        let written =
            |slot: &&Slot| slot.epoch == self.epoch && slot.generation_and_bound >> 2 == self.generation;
        let total = self.buckets.len().saturating_mul(WAYS).min(1000);
        (sample.filter(written).count() * 1000 / total) as u32
    }

    fn bucket(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }
}

/// The slot to write a position to: its own if it has one, otherwise the one that is least missed.
fn choose(bucket: &mut [Slot; WAYS], key: u64, epoch: u16, generation: u8) -> Option<&mut Slot> {
    bucket.iter_mut().min_by_key(|slot| (!slot.has(key, epoch), slot.worth(epoch, generation)))
}
