//! Growth of a tree with a store and several engines, up to given limits.

use std::{
    collections::BTreeSet, collections::HashSet, collections::VecDeque, time::Duration, time::Instant,
};

use tokio::task::JoinSet;

use super::{DeepSearch, DeepTree, MoveFinding, MoverScore, NodeId, Question};
use crate::chess::{
    Evaluation, Evaluator, GameSoFar, Limit, Order, Protocol, Segment, UnsearchableError, game::fen,
    text::with_causes,
};
use crate::engine::{Stop, work::ATTEMPTS};
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

struct Growing<'a, E, W> {
    search: DeepSearch,
    idle: VecDeque<E>,
    limit: Limit,
    store: Option<StampedStore<'a>>,
    asked: JoinSet<Answered<E>>,
    in_hand: HashSet<NodeId>,
    /// Questions that the store cannot answer, by position and number of moves to choose from.
    unknown: HashSet<(NodeId, usize)>,
    counts: GrowthCounts,
    programs: BTreeSet<String>,
    watch: W,
}

/// Grows a tree until it reaches the `limits` or `stop` is requested. Results are stored at once. The trees
/// are the same for any number of engines; only the depth reached may differ, if searches are limited.
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
        let end = loop {
            let has_tree = !trees.is_empty();
            // The limit is doubled if questions are asked ahead, because the tree may not need all their
            // answers.
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
                (self.watch)(GrowthNotice::Settled(&tree));
                trees.push(tree);
                if trees.len() >= limits.plies {
                    break GrowthEnd::Complete;
                }
                self.search.deepen();
            } else if !self.is_any_stored(&open)? && (self.idle.is_empty() || !self.ask(&open)?) {
                self.wait().await?;
            }
        };
        if end != GrowthEnd::Complete {
            // Running searches are kept for the next run.
            while !self.asked.is_empty() {
                self.wait().await?;
            }
        }
        let programs = std::mem::take(&mut self.programs);
        Ok(Growth { trees, end, counts: self.counts, programs, engines: self.idle.drain(..).collect() })
    }

    /// Answers the first question of `open` whose answer is in the store. Returns whether there was such a
    /// question.
    fn is_any_stored(&mut self, open: &[Question]) -> Result<bool, GrowthError> {
        let Some(StampedStore { stamp, store }) = &self.store else { return Ok(false) };
        for question in open.iter().take(self.idle.len().max(1)) {
            let place = (question.node, question.moves.len());
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

    /// Gives an engine the first open question that no engine works on. Returns whether there was such a
    /// question.
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
            let error = "no engine is left".to_owned();
            return Err(GrowthError::Engine { fen: "any position".to_owned(), error });
        };
        let Ok(answered) = answered else { return Ok(()) };
        let Answered { engine, question, segment, result, trouble } = answered;
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
        let turn = shakmaty::Position::turn(&question.position);
        let lines = evaluation.lines().take(question.lines as usize);
        let findings = lines.map(|line| MoveFinding {
            best: line.best,
            score: MoverScore::of(line.score, turn),
            pv: line.pv,
        });
        if !self.search.answer(question.node, findings.collect()) {
            return Err(GrowthError::NoAnswer { fen: fen(&question.position) });
        }
        (self.watch)(GrowthNotice::Answered(self.search.depth(), self.counts));
        Ok(())
    }

    fn protocol(&self, question: &Question) -> Protocol {
        let lines = std::num::NonZeroU32::new(question.lines).unwrap_or(std::num::NonZeroU32::MIN);
        Protocol { lines, ..Protocol::new(self.limit, Order::Forward, 1) }
    }
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
    /// A question was answered at this depth.
    Answered(usize, GrowthCounts),
    Settled(&'a DeepTree),
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
}

/// The settled trees of all depths, and the reason for ending.
#[derive(Debug)]
pub struct Growth<E> {
    /// The trees from depth 1 on; empty if depth 1 was not settled.
    pub trees: Vec<DeepTree>,
    pub end: GrowthEnd,
    pub counts: GrowthCounts,
    /// The idle engines, without failed engines.
    pub engines: Vec<E>,
    /// SHA-256 of each executable that gave evaluations.
    pub programs: BTreeSet<String>,
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    };

    use shakmaty::{CastlingMode, Chess, Position};

    use super::*;
    use crate::chess::SegmentResult;
    use crate::lab::deep::tests::reference::said_of;
    use crate::lab::deep::{DeepOptions, Widths};

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

    #[test]
    fn all_engines_work_at_the_same_time_and_none_is_lost_where_there_is_nothing_to_ask() {
        let [at_work, most] = [(); 2].map(|()| Arc::new(AtomicUsize::new(0)));
        let engine = || Slow { at_work: at_work.clone(), most: most.clone() };
        let game = GameSoFar::new(Chess::default(), CastlingMode::Standard);
        let options = DeepOptions { widths: Widths::of_distance(60.0), lines: 1, cuts: true };
        let search = DeepSearch::new(&game, options).expect("the start");
        let answerers =
            Answerers { engines: vec![engine(), engine(), engine()], limit: Limit::Depth(1), store: None };
        // At depth 1 there is one question at a time.
        let limits = GrowthLimits { plies: 3, searches: None, time: None };
        let stop = Stop::default();
        let growth = grow(search, answerers, limits, &stop, |_| {});
        crate::engine::work::event_loop().expect("a runtime").block_on(growth).expect("a tree");
        assert_eq!(most.load(SeqCst), 3);
    }
}
