//! Maintenance of stores: contents, checks, pruning, merging and export.

use std::collections::BTreeMap;

use shakmaty::Chess;

use super::{
    EvaluationStore, Origin, Result, StoreError, positions::KnownLine, rows::RowFault, sealed::MergeVerdict,
    sealed::SealedSegment, sealed::StoredSegment,
};
use crate::chess::{Evaluation, Limit, Order, RankedLine};
use crate::engine::Setting;

/// A store with maintenance operations.
pub trait KeptStore: EvaluationStore {
    /// Returns the faults of the storage itself. [`KeptStore::each`] finds faults of single segments.
    fn faults(&self) -> Result<Vec<String>>;

    /// Returns the store's size in bytes.
    fn bytes(&self) -> Result<u64>;

    /// Returns the number of segments set aside.
    fn number_set_aside(&self) -> Result<u64>;

    /// Returns the store's contents by origin, including searches of only some moves.
    fn shares(&self) -> Result<Vec<StoreShare>>;

    /// Passes every segment, or its fault, to `hear` until `hear` returns `false`. The order does not depend
    /// on when segments were stored.
    fn each(&self, hear: &mut dyn FnMut(Result<SealedSegment, String>) -> bool) -> Result<()>;

    /// Removes the selected evaluations, all of them or none, and shrinks a SQLite file. A rehearsal only
    /// counts the evaluations.
    fn prune(&mut self, pruning: &Pruning) -> Result<Pruned>;

    /// Adds all segments that only `other` has, or none if there is an error. Damaged segments of `other` are
    /// left out. Damaged segments here are set aside and replaced by those of `other`.
    fn merge(&mut self, other: &dyn KeptStore) -> Result<MergeOutcome>;

    /// Lists the stored lines of a position from all searches without preceding moves. The move counters of
    /// the position do not matter. The lines are ordered by engine, limit, number of lines, and root moves.
    /// Damaged segments are left out.
    fn known_of(&self, position: &Chess) -> Result<Vec<KnownLine>>;
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoreCheck {
    /// Intact segments.
    pub segments: u64,
    pub positions: u64,
    /// Damaged segments, each with its fault.
    pub damaged: Vec<String>,
    /// Faults of the file itself.
    pub faults: Vec<String>,
    /// Segments found damaged earlier, which are no longer read.
    pub set_aside: u64,
}

/// A store's evaluations of one engine with one protocol. Builds with equal behavior are one engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreShare {
    /// Origin of the evaluations, with the digest of one of the builds that have this behavior.
    pub origin: Origin,
    pub segments: u64,
    pub positions: u64,
    /// Time when the first segment was stored.
    pub first: String,
    pub last: String,
}

/// The evaluations to remove.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pruning {
    /// The origins whose evaluations are removed; `None` to keep all intact evaluations.
    pub origins: Option<OriginFilter>,
    /// True to remove the damaged segments that were set aside.
    pub set_aside: bool,
    /// True to count the evaluations without removing them (a rehearsal).
    pub is_rehearsal: bool,
}

/// Numbers of removed segments. In a rehearsal, these are the segments that would be removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pruned {
    pub segments: u64,
    /// Damaged segments that were set aside.
    pub set_aside: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MergeOutcome {
    pub added: u64,
    /// Segments in both stores.
    pub known: u64,
    /// Damaged segments of the other store, each with its fault.
    pub damaged: Vec<String>,
}

impl MergeOutcome {
    /// Counts a segment; `Err` describes a contradiction.
    pub(super) fn count(&mut self, taken: MergeVerdict) -> Result<(), String> {
        match taken {
            MergeVerdict::Added => self.added += 1,
            MergeVerdict::Known => self.known += 1,
            MergeVerdict::Contradiction(search) => return Err(search),
        }
        Ok(())
    }
}

/// A line of a search, with everything that determines the search.
#[derive(Debug)]
pub struct StoredLine<'a> {
    pub origin: &'a Origin,
    /// The FEN of the start position; `None` for the initial position of chess.
    pub start: Option<&'a str>,
    /// Moves from the start to the last position of the segment.
    pub moves: &'a str,
    /// The root moves; empty for all.
    pub asked: &'a str,
    /// Number of moves from the start to the position of the line.
    pub ply: usize,
    pub evaluation: &'a Evaluation,
    /// The position's line; `None` if the engine gave no move.
    pub line: Option<RankedLine>,
}

/// Checks a whole store without changing it: the storage, and the seal, key and values of every segment.
pub fn check(store: &dyn KeptStore) -> Result<StoreCheck> {
    let mut check = StoreCheck { faults: store.faults()?, ..StoreCheck::default() };
    store.each(&mut |found| {
        match found.and_then(|sealed| evaluations(&sealed)) {
            Ok(evaluations) => {
                check.segments += 1;
                check.positions += evaluations.len() as u64;
            }
            Err(fault) => check.damaged.push(fault),
        }
        true
    })?;
    check.set_aside = store.number_set_aside()?;
    Ok(check)
}

fn evaluations(sealed: &SealedSegment) -> Result<BTreeMap<usize, Evaluation>, String> {
    sealed.evaluations().map_err(|fault| format!("{}: {fault}", sealed.name))
}

/// Passes every line of every intact segment to `line`. Returns the damaged segments, each with its fault.
pub fn export<E: From<StoreError>>(
    store: &dyn KeptStore,
    mut line: impl FnMut(&StoredLine<'_>) -> Result<(), E>,
) -> Result<Vec<String>, E> {
    let (mut damaged, mut ended) = (Vec::new(), Ok(()));
    store.each(&mut |found| {
        match found.and_then(|sealed| Ok((origin(&sealed)?, evaluations(&sealed)?, sealed))) {
            Ok((origin, evaluations, sealed)) => ended = lines(&sealed, &origin, &evaluations, &mut line),
            Err(fault) => damaged.push(fault),
        }
        ended.is_ok()
    })?;
    ended.map(|()| damaged)
}

fn origin(sealed: &SealedSegment) -> Result<Origin, String> {
    sealed.stored.origin().ok_or_else(|| format!("{}: {}", sealed.name, RowFault::Key))
}

fn lines<E>(
    SealedSegment { stored: StoredSegment { columns, .. }, .. }: &SealedSegment,
    origin: &Origin,
    evaluations: &BTreeMap<usize, Evaluation>,
    hear: &mut impl FnMut(&StoredLine<'_>) -> Result<(), E>,
) -> Result<(), E> {
    for (&ply, evaluation) in evaluations {
        let (start, moves, asked) = (columns.start_fen.as_deref(), &*columns.moves, &*columns.root_moves);
        let of = |line| StoredLine { origin, start, moves, asked, ply, evaluation, line };
        if evaluation.best.is_none() {
            hear(&of(None))?;
        }
        for line in evaluation.lines() {
            hear(&of(Some(line)))?;
        }
    }
    Ok(())
}

/// Conditions on origins; the default accepts all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct OriginFilter {
    /// Text that the engine's name must contain; upper and lower case are equal.
    pub engine_name: Option<String>,
    /// Options that the engine must have, with these values if given.
    pub engine_options: Vec<Setting>,
    /// The search limit.
    pub limit: Option<Limit>,
    /// Number of positions per segment.
    pub segment: Option<usize>,
    /// The search order.
    pub order: Option<Order>,
    /// The beginning of the SHA-256 of the engine's executable, in hexadecimal.
    pub build: Option<String>,
}

impl OriginFilter {
    /// Returns whether an origin meets all conditions.
    pub fn wants(&self, Origin { engine, protocol }: &Origin) -> bool {
        let name = |wanted: &String| engine.name.to_lowercase().contains(&wanted.to_lowercase());
        let set = |setting: &Setting| {
            let mut options = engine.options.iter();
            options.any(|(name, value)| {
                let same = |wanted: &String| value.eq_ignore_ascii_case(wanted);
                name.eq_ignore_ascii_case(&setting.name) && setting.value.as_ref().is_none_or(same)
            })
        };
        self.engine_name.as_ref().is_none_or(name)
            && self.engine_options.iter().all(set)
            && self.limit.is_none_or(|limit| protocol.limit == limit)
            && self.segment.is_none_or(|segment| protocol.segment == segment)
            && self.order.is_none_or(|order| protocol.order == order)
            && self.build.as_ref().is_none_or(|build| engine.digest.starts_with(&build.to_lowercase()))
    }
}
