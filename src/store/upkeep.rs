//! Owns the upkeep of stores: what is in them, whether they are whole, what is removed, and what others may read.

use std::collections::BTreeMap;

use shakmaty::Chess;

use super::{
    EvaluationStore, Origin, OriginFilter, StoreError,
    positions::KnownLine,
    rows::RowFault,
    sealed::{MergeVerdict, SealedSegment, StoredSegment},
};
use crate::chess::{Evaluation, RankedLine};

/// A store that can be looked after as a whole.
pub trait KeptStore: EvaluationStore {
    /// Returns what is wrong with the place where it is kept; what is wrong with single segments, these tell.
    fn faults(&self) -> Result<Vec<String>, StoreError>;

    /// Returns how many bytes it takes.
    fn bytes(&self) -> Result<u64, StoreError>;

    /// Returns how many segments are put aside.
    fn number_set_aside(&self) -> Result<u64, StoreError>;

    /// Returns what it has, by whom and how; searches of single moves count with the others.
    fn shares(&self) -> Result<Vec<StoreShare>, StoreError>;

    /// Hands every segment to `hear`, or what is wrong with it, until that returns `false`; in an order that does not depend
    /// on when they were stored.
    fn each(&self, hear: &mut dyn FnMut(Result<SealedSegment, String>) -> bool) -> Result<(), StoreError>;

    /// Removes what is asked for, all of it or nothing, and gives the room back.
    fn prune(&mut self, pruning: &Pruning) -> Result<Pruned, StoreError>;

    /// Adds all that `other` knows and this one does not, or nothing. What is damaged there is left out; what is damaged
    /// here is put aside, and what the other one knows of it takes its place.
    fn merge(&mut self, other: &dyn KeptStore) -> Result<MergeOutcome, StoreError>;

    /// Lists the moves of a position that were searched without a game before it, whatever its clocks, in the order of
    /// engine, limit, and moves asked about. What is damaged is left out.
    fn known_of(&self, position: &Chess) -> Result<Vec<KnownLine>, StoreError>;
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoreCheck {
    /// Segments that are whole.
    pub segments: u64,
    pub positions: u64,
    /// Segments that are not, each with what is wrong with it.
    pub damaged: Vec<String>,
    /// What is wrong with the file itself.
    pub faults: Vec<String>,
    /// Segments that were damaged earlier, and are not read any more.
    pub set_aside: u64,
}

/// What a store has of one build of an engine, asked in one way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreShare {
    /// Whose evaluations they are; the digest is that of one of the builds that behave so.
    pub origin: Origin,
    pub segments: u64,
    pub positions: u64,
    /// When the first one was stored.
    pub first: String,
    pub last: String,
}

/// What of a store is to be removed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pruning {
    /// Evaluations of these.
    pub origins: Option<OriginFilter>,
    /// What was damaged, and is not read any more.
    pub set_aside: bool,
    /// Whether it is only counted.
    pub is_rehearsal: bool,
}

/// What was removed of a store, or would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pruned {
    pub segments: u64,
    /// Segments that were damaged.
    pub set_aside: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MergeOutcome {
    pub added: u64,
    /// Segments that both knew.
    pub known: u64,
    /// Segments of the other store that are damaged, with what is wrong with them.
    pub damaged: Vec<String>,
}

impl MergeOutcome {
    /// Counts a segment; `Err` names what contradicts.
    pub(super) fn count(&mut self, taken: MergeVerdict) -> Result<(), String> {
        match taken {
            MergeVerdict::Added => self.added += 1,
            MergeVerdict::Known => self.known += 1,
            MergeVerdict::Contradiction(search) => return Err(search),
        }
        Ok(())
    }
}

/// A line of a search, with all that determines it.
#[derive(Debug)]
pub struct StoredLine<'a> {
    pub origin: &'a Origin,
    /// The FEN of the start; `None` for the usual one.
    pub start: Option<&'a str>,
    /// Moves from the start to the last position of the segment.
    pub moves: &'a str,
    /// Moves that were asked about; empty for all.
    pub asked: &'a str,
    /// Moves from the start to the position.
    pub ply: usize,
    pub evaluation: &'a Evaluation,
    /// Its line; `None` where the engine told no move.
    pub line: Option<RankedLine>,
}

/// Reads all of a store: the place where it is kept, and every segment by its seal, its key and its values. Changes nothing.
pub fn check(store: &dyn KeptStore) -> Result<StoreCheck, StoreError> {
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

/// Hands every line of every whole segment to `line`; returns the segments that are damaged, each with what is wrong
/// with it.
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
