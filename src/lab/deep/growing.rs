//! Growth of a tree with a store and several engines, up to given limits.

use std::{
    collections::BTreeSet, collections::HashSet, collections::VecDeque, time::Duration, time::Instant,
};

use shakmaty::uci::UciMove;
use tokio::task::{JoinError, JoinSet};

use super::{
    DeepSearch, DeepTree, MoveFinding, MoverScore, NodeId, Question, QuestionKind, graph::with_clock,
};
use crate::base::{text::with_causes, work::ATTEMPTS, work::Stop};
use crate::chess::{
    Evaluation, Evaluator, GameSoFar, Limit, Order, Protocol, RankedLine, Segment, UnsearchableError,
    game::fen,
};
use crate::store::{
    EngineStamp, EvaluationStore, KnownSegment, Origin, Recall, StoreError, UnusedEvaluations,
};

pub struct Answerers<'s, E> {
    /// The idle engines. Each answers one question at a time.
    pub engines: Vec<E>,
    pub limit: Limit,
    pub store: Option<StampedStore<'s>>,
}

pub struct StampedStore<'s> {
    pub stamp: EngineStamp,
    pub store: &'s mut dyn EvaluationStore,
}

/// An engine's answer, and the engine itself unless it cannot continue.
struct Answered<E> {
    engine: Option<E>,
    question: Question,
    segment: Segment,
    result: Result<(Evaluation, Duration), String>,
    trouble: Vec<String>,
}

/// Maximum number of half-moves by which the clock of a stored position may exceed the clock of a question.
const MOST_QUIET: u32 = 12;

struct Growing<'a, E, W> {
    search: DeepSearch,
    idle: VecDeque<E>,
    limit: Limit,
    store: Option<StampedStore<'a>>,
    asked: JoinSet<Answered<E>>,
    in_hand: HashSet<NodeId>,
    /// Questions that the store cannot answer, by position, number of moves to choose from, and kind.
    unknown: HashSet<(NodeId, usize, QuestionKind)>,
    counts: GrowthCounts,
    programs: BTreeSet<String>,
    watch: W,
}

/// Grows a tree until it reaches the `limits` or `stop` is requested. Results are stored at once. The trees
/// are the same for any number of engines; only the depth reached may differ, because of the limits.
pub async fn grow<E: Evaluator + 'static>(
    search: DeepSearch,
    answerers: Answerers<'_, E>,
    limits: GrowthLimits,
    stop: &Stop,
    watch: impl FnMut(GrowthNotice<'_>),
) -> Result<Growth<E>, GrowthError> {
    let Answerers { engines, limit, store } = answerers;
    let mut growing = Growing {
        search,
        idle: engines.into(),
        limit,
        store,
        asked: JoinSet::new(),
        in_hand: HashSet::new(),
        unknown: HashSet::new(),
        counts: GrowthCounts::default(),
        programs: BTreeSet::new(),
        watch,
    };
    growing.work(limits, stop).await
}

impl<E: Evaluator + 'static, W: FnMut(GrowthNotice<'_>)> Growing<'_, E, W> {
    async fn work(&mut self, limits: GrowthLimits, stop: &Stop) -> Result<Growth<E>, GrowthError> {
        let (start, mut trees) = (Instant::now(), Vec::<DeepTree>::new());
        let jobs = self.idle.len();
        let passes = self.search.limit_plies(limits.plies);
        // The number of searches when the last depth was settled.
        let mut settled_at = 0;
        let end = loop {
            let has_tree = !trees.is_empty();
            // The limit is doubled if questions are asked ahead, because some answers may not be needed.
            let most = limits.searches.map(|most| if jobs > 1 { most.saturating_mul(2) } else { most });
            let is_enough = most.is_some_and(|most| self.counts.stored + self.counts.made > most);
            if stop.is_requested() {
                break GrowthEnd::Stopped;
            } else if has_tree && is_enough {
                break GrowthEnd::Searches;
            } else if has_tree && limits.time.is_some_and(|time| start.elapsed() >= time) {
                break GrowthEnd::Time;
            }
            // More questions than engines, so that no engine waits.
            let open = self.search.open_questions(if jobs > 1 { 3 * jobs } else { 1 });
            if open.is_empty() {
                let Some(tree) = self.search.tree() else { continue };
                if has_tree && limits.searches.is_some_and(|most| tree.searches > most) {
                    break GrowthEnd::Searches;
                }
                trees.push(tree);
                (self.watch)(GrowthNotice::Settled(&trees, &self.programs));
                settled_at = self.counts.made + self.counts.stored;
                if trees.len() >= passes {
                    break GrowthEnd::Complete;
                }
                self.search.deepen();
            } else if !self.is_any_stored(&open)? && (self.idle.is_empty() || !self.ask(&open)?) {
                self.wait().await?;
            }
        };
        let done = self.counts.made + self.counts.stored;
        let unfinished = match end {
            GrowthEnd::Complete => None,
            _ if done == settled_at => None,
            _ => Some(UnfinishedDepth {
                depth: self.search.depth(),
                focus_plies: self.search.focus_depth(),
                searches: done - settled_at,
                moves: self.search.so_far(),
            }),
        };
        let settled = trees.len();
        if let Some(last) = trees.last_mut() {
            self.finish(settled, last, stop).await?;
        }
        if end != GrowthEnd::Complete {
            // Wait for the running searches, so that the next run finds them in the store.
            while !self.asked.is_empty() {
                self.wait().await?;
            }
        }
        let programs = std::mem::take(&mut self.programs);
        let engines = self.idle.drain(..).collect();
        Ok(Growth { trees, end, unfinished, counts: self.counts, programs, engines })
    }

    /// Finishes the last settled tree as the user wishes: expands it by stored searches beyond its depth,
    /// confirms the end of its main line, or both. If `stop` is requested, `tree` is the last tree that was
    /// settled.
    async fn finish(&mut self, pass: usize, tree: &mut DeepTree, stop: &Stop) -> Result<(), GrowthError> {
        let is_taking_up = self.search.steering().is_taking_up && self.store.is_some();
        if !is_taking_up && self.search.steering().confirm.is_none() {
            return Ok(());
        }
        self.search.finish(pass, is_taking_up);
        while !stop.is_requested() {
            if is_taking_up && self.take_up()? {
                continue;
            }
            let mut open = self.search.open_questions(1);
            if open.is_empty() {
                let Some(settled) = self.search.tree() else { continue };
                let is_confirming = self.search.steering().confirm.is_some();
                open.extend(self.search.confirming(&settled).filter(|_| is_confirming));
                *tree = settled;
            }
            if open.is_empty() {
                break;
            }
            if !self.is_any_stored(&open)? && (self.idle.is_empty() || !self.ask(&open)?) {
                self.wait().await?;
            }
        }
        Ok(())
    }

    /// Answers questions beyond the depth from the store. Returns whether there were such questions.
    fn take_up(&mut self) -> Result<bool, GrowthError> {
        let questions = self.search.stored_questions();
        for question in &questions {
            let findings = self.stored_elsewhere(question)?;
            self.counts.stored += u64::from(!findings.is_empty());
            self.search.take_up(question, findings);
        }
        Ok(!questions.is_empty())
    }

    /// Returns the store's answer to a question; empty if there is none. A tree whose root comes later in the
    /// game has a larger clock, so up to [`MOST_QUIET`] larger clocks are tried as well.
    fn stored_elsewhere(&mut self, question: &Question) -> Result<Vec<MoveFinding>, GrowthError> {
        let Some(StampedStore { stamp, store }) = &self.store else { return Ok(Vec::new()) };
        let origin = Origin { engine: stamp.clone(), protocol: self.protocol(question) };
        let clock = shakmaty::Position::halfmoves(&question.position);
        for more in 0..=MOST_QUIET {
            let position = with_clock(&question.position, clock + more, self.search.mode());
            let asked = Question { position, ..question.clone() };
            let known = store.get(&origin, &segment_of(&asked, &self.search)?)?;
            if let Recall::Known(KnownSegment { evaluations, digest }) = known {
                self.programs.insert(digest);
                return Ok(evaluations.first().map_or_else(Vec::new, |(_, found)| findings(question, found)));
            }
        }
        Ok(Vec::new())
    }

    /// Looks up the first questions of `open`, one for each idle engine but at least one. Takes the first
    /// answer that is in the store. Returns false if the store has none of these answers.
    fn is_any_stored(&mut self, open: &[Question]) -> Result<bool, GrowthError> {
        let Some(StampedStore { stamp, store }) = &self.store else { return Ok(false) };
        for question in open.iter().take(self.idle.len().max(1)) {
            let place = (question.node, question.moves.len(), question.kind);
            if self.in_hand.contains(&question.node) || self.unknown.contains(&place) {
                continue;
            }
            let (segment, protocol) = (segment_of(question, &self.search)?, self.protocol(question));
            let known = store.get(&Origin { engine: stamp.clone(), protocol }, &segment)?;
            let Recall::Known(KnownSegment { evaluations, digest }) = known else {
                (self.watch)(GrowthNotice::Unused(UnusedEvaluations::of(known, 1)));
                self.unknown.insert(place);
                continue;
            };
            let Some((_, evaluation)) = evaluations.into_iter().next() else { continue };
            self.programs.insert(digest);
            self.counts.stored += 1;
            self.take(question, &evaluation)?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Gives an idle engine the first open question that no engine works on. Returns false if there is no
    /// such question or no idle engine. Fails if the store is read-only.
    fn ask(&mut self, open: &[Question]) -> Result<bool, GrowthError> {
        if let Some(store) = self.store.as_ref().map(|of| &of.store).filter(|store| store.is_read_only()) {
            return Err(StoreError::ReadOnly(store.describe()).into());
        }
        let free = open.iter().find(|question| !self.in_hand.contains(&question.node));
        let Some(question) = free.cloned() else { return Ok(false) };
        // The engine is taken only now, so that it is not lost if there is nothing to ask.
        let Some(engine) = self.idle.pop_front() else { return Ok(false) };
        let (segment, protocol) = (segment_of(&question, &self.search)?, self.protocol(&question));
        self.in_hand.insert(question.node);
        self.asked.spawn(answer(engine, question, segment, protocol));
        Ok(true)
    }

    /// Waits for an engine's answer, and stores it.
    async fn wait(&mut self) -> Result<(), GrowthError> {
        let Some(answered) = self.asked.join_next().await else {
            let error = "no engine can continue".to_owned();
            return Err(GrowthError::Engine { fen: "a position".to_owned(), error });
        };
        let Answered { engine, question, segment, result, trouble } = answered?;
        self.idle.extend(engine);
        self.in_hand.remove(&question.node);
        for error in &trouble {
            (self.watch)(GrowthNotice::Trouble(error));
        }
        match result {
            Ok((evaluation, busy)) => {
                let protocol = self.protocol(&question);
                if let Some(StampedStore { stamp, store }) = &mut self.store {
                    let (ply, origin) = (segment.first(), Origin { engine: stamp.clone(), protocol });
                    store.put(&origin, &segment, &[(ply, evaluation.clone())])?;
                    self.programs.insert(stamp.digest.clone());
                }
                self.counts.made += 1;
                self.counts.busy += busy;
                self.counts.nodes += evaluation.nodes.unwrap_or_default();
                self.take(&question, &evaluation)
            }
            // Another engine takes the question.
            Err(_) if self.idle.len() + self.asked.len() > 0 && trouble.len() < ATTEMPTS as usize => Ok(()),
            Err(error) => Err(GrowthError::Engine { fen: fen(&question.position), error }),
        }
    }

    fn take(&mut self, question: &Question, evaluation: &Evaluation) -> Result<(), GrowthError> {
        if !self.search.answer(question, findings(question, evaluation)) {
            return Err(GrowthError::NoAnswer { fen: fen(&question.position) });
        }
        (self.watch)(GrowthNotice::Answered(self.search.depth(), self.counts));
        Ok(())
    }

    fn protocol(&self, question: &Question) -> Protocol {
        let lines = std::num::NonZeroU32::new(question.lines).unwrap_or(std::num::NonZeroU32::MIN);
        let confirming = self.search.steering().confirm.filter(|_| question.kind == QuestionKind::Confirming);
        let limit = confirming.map_or(self.limit, Limit::Depth);
        Protocol { lines, ..Protocol::new(limit, Order::Forward, 1) }
    }
}

fn findings(question: &Question, evaluation: &Evaluation) -> Vec<MoveFinding> {
    let turn = shakmaty::Position::turn(&question.position);
    let lines = evaluation.lines().take(question.lines as usize);
    let finding = |line: RankedLine| MoveFinding {
        best: line.best,
        score: MoverScore::of(line.score, turn),
        pv: line.pv,
        // Engines report the chances of the first line, and no store has others.
        chances: evaluation.wdl.filter(|_| line.rank == 1),
    };
    lines.map(finding).collect()
}

/// Returns the segment for a question: one position without a history.
fn segment_of(question: &Question, search: &DeepSearch) -> Result<Segment, UnsearchableError> {
    let game = GameSoFar::new(question.position.clone(), search.mode());
    Segment::end_of(&game)?.restricted_to(&question.moves)
}

async fn answer<E: Evaluator>(
    mut engine: E,
    question: Question,
    segment: Segment,
    protocol: Protocol,
) -> Answered<E> {
    let mut trouble = Vec::new();
    loop {
        let (error, is_gone) = match engine.evaluate(&segment, &protocol).await {
            Ok(found) => {
                let evaluation = found.evaluations.into_iter().next().map(|(_, evaluation)| evaluation);
                let result = evaluation.map(|e| (e, found.busy)).ok_or_else(|| "no evaluation".to_owned());
                return Answered { engine: Some(engine), question, segment, result, trouble };
            }
            Err(error) => (with_causes(&error), E::is_out_of_service(&error)),
        };
        trouble.push(error.clone());
        if is_gone || trouble.len() >= ATTEMPTS as usize {
            let engine = (!is_gone).then_some(engine);
            return Answered { engine, question, segment, result: Err(error), trouble };
        }
        tokio::time::sleep(crate::store::evaluate::pool::PAUSE).await;
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GrowthLimits {
    pub plies: usize,
    /// Maximum number of searches, including stored searches. A tree of depth 1 is always finished.
    pub searches: Option<u64>,
    /// Time limit. A tree of depth 1 is always finished.
    pub time: Option<Duration>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrowthEnd {
    Complete,
    /// The next depth would need more searches than the limit.
    Searches,
    Time,
    Stopped,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GrowthCounts {
    pub made: u64,
    pub stored: u64,
    /// Nodes searched by engines, as far as reported.
    pub nodes: u64,
    pub busy: Duration,
}

#[derive(Debug)]
pub enum GrowthNotice<'a> {
    Answered(usize, GrowthCounts),
    /// The trees of all depths so far (the last tree is new), and the programs as in [`Growth`].
    Settled(&'a [DeepTree], &'a BTreeSet<String>),
    /// An engine was restarted, or failed for the last time.
    Trouble(&'a str),
    Unused(UnusedEvaluations),
}

#[derive(Debug, thiserror::Error)]
pub enum GrowthError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A position of the tree cannot be searched.
    #[error(transparent)]
    Position(#[from] UnsearchableError),
    #[error("the engine failed on {fen}: {error}")]
    Engine { fen: String, error: String },
    #[error("the engine returned none of the requested moves of {fen}")]
    NoAnswer { fen: String },
    #[error("a search ended early because of a fault of this program")]
    Panicked(#[from] JoinError),
}

/// The depth that was begun but not settled when the growth ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnfinishedDepth {
    pub depth: usize,
    /// Plies of the tree after focused lines; 0 without such a line.
    pub focus_plies: usize,
    /// Number of searches for this depth, including stored searches.
    pub searches: u64,
    /// The root moves with their values so far, the best first.
    pub moves: Vec<(UciMove, MoverScore)>,
}

/// The settled trees of all depths, and the reason for ending.
#[derive(Debug)]
pub struct Growth<E> {
    /// The trees from depth 1 on; empty if depth 1 was not settled.
    pub trees: Vec<DeepTree>,
    pub end: GrowthEnd,
    /// The depth that was not settled, if there were searches for it.
    pub unfinished: Option<UnfinishedDepth>,
    pub counts: GrowthCounts,
    /// The idle engines, without failed engines.
    pub engines: Vec<E>,
    /// SHA-256 of each executable that gave evaluations.
    pub programs: BTreeSet<String>,
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, atomic::AtomicUsize, atomic::Ordering::SeqCst};

    use shakmaty::{CastlingMode, Chess, Position};

    use super::*;
    use crate::chess::SegmentResult;
    use crate::lab::{deep::DeepOptions, deep::Widths, deep::tests::reference::said_of};

    /// An evaluator that takes a millisecond for each search, and counts simultaneous searches.
    struct Slow {
        at_work: Arc<AtomicUsize>,
        most: Arc<AtomicUsize>,
    }

    impl Evaluator for Slow {
        type Error = std::io::Error;

        async fn evaluate(&mut self, segment: &Segment, _: &Protocol) -> std::io::Result<SegmentResult> {
            self.most.fetch_max(self.at_work.fetch_add(1, SeqCst) + 1, SeqCst);
            tokio::time::sleep(Duration::from_millis(1)).await;
            self.at_work.fetch_sub(1, SeqCst);
            let position = segment.position(segment.first());
            let (best, score) = said_of(&position, segment.root_moves())[0];
            let score = score.white_view(position.turn());
            let told = Evaluation { best: Some(best), pv: vec![best], ..Evaluation::of_score(score) };
            let evaluations = vec![(segment.first(), told)];
            Ok(SegmentResult { evaluations, iterations: Vec::new(), busy: Duration::from_millis(1) })
        }
    }

    /// An evaluator that panics in its first search.
    struct Faulty;

    impl Evaluator for Faulty {
        type Error = std::io::Error;

        async fn evaluate(&mut self, _: &Segment, _: &Protocol) -> std::io::Result<SegmentResult> {
            panic!("a fault of the evaluator")
        }
    }

    fn growth<E: Evaluator + 'static>(engines: Vec<E>) -> Result<Growth<E>, GrowthError> {
        let game = GameSoFar::new(Chess::default(), CastlingMode::Standard);
        let options = DeepOptions { widths: Widths::of_distance(60.0), lines: 1, cuts: true };
        let search = DeepSearch::new(&game, options).expect("the start");
        let answerers = Answerers { engines, limit: Limit::Depth(1), store: None };
        // At depth 1 there is one question at a time.
        let limits = GrowthLimits { plies: 3, searches: None, time: None };
        let stop = Stop::default();
        let growth = grow(search, answerers, limits, &stop, |_| {});
        crate::base::work::event_loop().expect("a runtime").block_on(growth)
    }

    #[test]
    fn a_panic_in_a_search_is_reported_and_not_blamed_on_the_engine() {
        let error = growth(vec![Faulty, Faulty]).map(|_| ()).expect_err("a fault");
        assert!(with_causes(&error).contains("a fault of the evaluator"), "{error:?}");
    }

    #[test]
    fn all_engines_work_at_the_same_time_and_none_is_lost_where_there_is_nothing_to_ask() {
        let [at_work, most] = [(); 2].map(|()| Arc::new(AtomicUsize::new(0)));
        let engine = || Slow { at_work: at_work.clone(), most: most.clone() };
        growth(vec![engine(), engine(), engine()]).expect("a tree");
        assert_eq!(most.load(SeqCst), 3);
    }
}
