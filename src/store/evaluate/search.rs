//! Owns [`Search`]: the evaluation of whole games, what a store remembers of it, and what an engine must still search.

mod elsewhere;
mod pending;

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::AddAssign,
    time::{Duration, Instant},
};

use self::pending::Pending;
use super::pool::{self, PoolEvent, Task};
use crate::chess::{EvaluatedGame, Evaluator, Game, Protocol, Segment};
use crate::engine::Stop;
use crate::store::{EvaluationStore, KnownSegment, Origin, Recall, StoreError};

const ASKED_AT_ONCE: usize = 500;

/// Games on their way to be evaluated by an engine.
#[derive(Debug)]
pub struct Search {
    origin: Origin,
    games: Vec<Pending>,
    tasks: Vec<Task>,
    counts: SearchCounts,
    programs: BTreeSet<String>,
    unused: UnusedEvaluations,
    tells_games: bool,
}

/// What a store has of a search, and what is not used of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UnusedEvaluations {
    /// Positions that another build of the engine has evaluated, by the SHA-256 of its executable.
    pub other_builds: BTreeMap<String, u64>,
    /// Segments that are damaged, each with what is wrong with it.
    pub damaged: Vec<String>,
}

impl UnusedEvaluations {
    /// Returns what was found of one search of so many positions, unless it is used.
    pub fn of(found: Recall, positions: u64) -> UnusedEvaluations {
        let mut unused = UnusedEvaluations::default();
        unused.add(found, positions);
        unused
    }

    fn add(&mut self, found: Recall, positions: u64) {
        match found {
            Recall::OtherBuild { digest } => *self.other_builds.entry(digest).or_default() += positions,
            Recall::Damaged { what } => self.damaged.push(what),
            Recall::Known(_) | Recall::Missing => {}
        }
    }
}

/// Where evaluations came from, and what the searched ones cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SearchCounts {
    /// Positions taken from the store.
    pub stored: u64,
    /// Positions searched.
    pub searched: u64,
    pub nodes: u64,
    /// Time that engines were searching, added up.
    pub busy: Duration,
    /// Time from the first search to the last.
    pub wall: Duration,
}

impl AddAssign for SearchCounts {
    /// What two searches one after the other come to.
    fn add_assign(&mut self, more: SearchCounts) {
        self.stored += more.stored;
        self.searched += more.searched;
        self.nodes = self.nodes.saturating_add(more.nodes);
        self.busy += more.busy;
        self.wall += more.wall;
    }
}

/// How far a search is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SearchProgress {
    /// Positions that need a search, those in the store included.
    pub positions: u64,
    /// Positions that have an evaluation.
    pub positions_done: u64,
    /// Games.
    pub games: usize,
    /// Games that have all of their evaluations, or never will.
    pub games_done: usize,
}

/// What a caller may want to show while a search runs.
#[derive(Debug)]
pub enum SearchNotice<'a> {
    /// A segment more.
    Advanced(SearchProgress),
    /// A game that has all of its evaluations now; those that had them before come first.
    Completed(&'a EvaluatedGame),
    /// An engine had to be started anew.
    Retried {
        game: &'a Game,
        attempt: u32,
        error: &'a str,
    },
    /// A worker that has no engine any more.
    Retired {
        error: &'a str,
    },
    Failed {
        game: &'a Game,
        error: &'a str,
    },
}

/// A game as a search left it.
#[derive(Debug)]
pub enum SearchedGame {
    /// All that was to be evaluated is.
    Complete(Box<EvaluatedGame>),
    /// The engine failed on one of its segments.
    Failed { game: Box<Game>, error: String },
    /// The search ended before: it was stopped, or its worker was lost.
    Unfinished { game: Box<Game> },
}

impl Search {
    /// Returns the search of every position of `games`: cuts them into segments and takes what the store has
    /// of these.
    pub fn plan(
        games: Vec<Game>,
        origin: Origin,
        store: Option<&dyn EvaluationStore>,
    ) -> Result<Search, StoreError> {
        let protocol = origin.protocol;
        let pending = games.into_iter().map(|game| Pending::positions(game, &protocol));
        Search::begin(pending, origin, store)
    }

    /// Returns the search of the positions that the engine's own best moves lead to in `games`, which it has
    /// evaluated by the same protocol. The evaluation is known where the move was played or ends the game;
    /// any other position is a segment of its own, as if segments were of one position.
    pub fn plan_choices(
        games: Vec<EvaluatedGame>,
        Origin { engine, protocol }: Origin,
        store: Option<&dyn EvaluationStore>,
    ) -> Result<Search, StoreError> {
        let pending = games.into_iter().map(Pending::choices);
        Search::begin(pending, Origin { engine, protocol: Protocol { segment: 1, ..protocol } }, store)
    }

    fn begin(
        pending: impl Iterator<Item = (Pending, Vec<Segment>)>,
        origin: Origin,
        store: Option<&dyn EvaluationStore>,
    ) -> Result<Search, StoreError> {
        let mut search = Search {
            origin,
            games: Vec::new(),
            tasks: Vec::new(),
            counts: SearchCounts::default(),
            programs: BTreeSet::new(),
            unused: UnusedEvaluations::default(),
            tells_games: true,
        };
        let mut tasks = Vec::new();
        for (game, (pending, segments)) in pending.enumerate() {
            search.games.push(pending);
            tasks.extend(segments.into_iter().map(|segment| Task { game, segment }));
        }
        let recalled = search.recall_all(&tasks, store)?;
        for (task, found) in tasks.into_iter().zip(recalled) {
            match found {
                Recall::Known(_) => {}
                other => search.begin_without(task, other),
            }
        }
        Ok(search)
    }

    /// Notes what is to be searched, and why what the store has does not do.
    fn begin_without(&mut self, task: Task, found: Recall) {
        self.unused.add(found, task.segment.searches().len() as u64);
        self.tasks.push(task);
    }

    /// Has no [`SearchNotice::Completed`] told: whoever watches has heard of the games.
    pub fn tell_no_games(&mut self) {
        self.tells_games = false;
    }

    /// Returns what the store had when the search began, and what was not used of it.
    pub fn unused(&self) -> &UnusedEvaluations {
        &self.unused
    }

    /// Returns the SHA-256 of each executable whose evaluations are used.
    pub fn programs(&self) -> &BTreeSet<String> {
        &self.programs
    }

    pub fn is_complete(&self) -> bool {
        self.tasks.is_empty()
    }

    pub fn missing(&self) -> impl Iterator<Item = &Segment> {
        self.tasks.iter().map(|task| &task.segment)
    }

    /// Returns the games that cannot be evaluated, with the reasons.
    pub fn failures(&self) -> impl Iterator<Item = (&Game, &str)> {
        self.games.iter().filter_map(|pending| Some((pending.game(), pending.failure()?)))
    }

    pub fn counts(&self) -> SearchCounts {
        self.counts
    }

    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    pub fn progress(&self) -> SearchProgress {
        let done = self.counts.stored + self.counts.searched;
        let awaited: usize = self.games.iter().map(Pending::awaited).sum();
        SearchProgress {
            positions: done + awaited as u64,
            positions_done: done,
            games: self.games.len(),
            games_done: self.games.iter().filter(|game| game.awaited() == 0).count(),
        }
    }

    /// Searches what is missing with one worker per evaluator. Every finished segment is in the
    /// store before its worker takes the next. Ends early when `stop` is asked for; an error of
    /// the store ends it at once.
    pub async fn run<E: Evaluator + 'static>(
        &mut self,
        evaluators: Vec<E>,
        mut store: Option<&mut (dyn EvaluationStore + 'static)>,
        stop: &Stop,
        mut watch: impl FnMut(SearchNotice<'_>),
    ) -> Result<(), StoreError> {
        if let Some(store) = store.as_deref().filter(|store| store.is_read_only() && !self.is_complete()) {
            return Err(StoreError::ReadOnly(store.describe()));
        }
        let mut tasks = std::mem::take(&mut self.tasks);
        pool::order_for_short_tail(&mut tasks, evaluators.len());
        let start = Instant::now();
        let protocol = self.origin.protocol;
        self.tell_complete(&mut watch);
        watch(SearchNotice::Advanced(self.progress()));
        let result = pool::run(evaluators, tasks, protocol, pool::PAUSE, stop, |event| {
            self.handle(event, store.as_deref_mut(), stop, &mut watch)
        });
        let result = result.await;
        self.counts.wall = start.elapsed();
        result
    }

    fn handle(
        &mut self,
        event: PoolEvent<'_>,
        store: Option<&mut (dyn EvaluationStore + 'static)>,
        stop: &Stop,
        watch: &mut impl FnMut(SearchNotice<'_>),
    ) -> Result<(), StoreError> {
        match event {
            PoolEvent::Begins { task, is_known } => {
                if let Recall::Known(_) = self.recall(task, store.as_deref())? {
                    *is_known = true;
                    self.tell_if_complete(task, watch);
                    watch(SearchNotice::Advanced(self.progress()));
                }
            }
            PoolEvent::Done { task, result } => {
                if let Some(store) = store {
                    store.put(&self.origin, &task.segment, &result.evaluations)?;
                }
                self.programs.insert(self.origin.engine.digest.clone());
                self.counts.busy += result.busy;
                self.counts.searched += result.evaluations.len() as u64;
                let nodes = result.evaluations.iter().filter_map(|(_, evaluation)| evaluation.nodes);
                self.counts.nodes = nodes.fold(self.counts.nodes, u64::saturating_add);
                self.games[task.game].fill(result.evaluations);
                self.tell_if_complete(&task, watch);
                watch(SearchNotice::Advanced(self.progress()));
            }
            PoolEvent::Retried { task, attempt, error } => {
                watch(SearchNotice::Retried { game: self.games[task.game].game(), attempt, error: &error });
            }
            PoolEvent::Retired { error } => watch(SearchNotice::Retired { error: &error }),
            // What was stopped has not failed: the next run goes on with it.
            PoolEvent::Failed { .. } if stop.is_requested() => {}
            PoolEvent::Failed { task, error } => {
                self.games[task.game].tell_failure(error, watch);
                watch(SearchNotice::Advanced(self.progress()));
            }
        }
        Ok(())
    }

    /// Tells of the game of a task that has just been done, if it was the last one of it.
    fn tell_if_complete(&self, task: &Task, watch: &mut impl FnMut(SearchNotice<'_>)) {
        let pending = &self.games[task.game];
        if self.tells_games
            && pending.awaited() == 0
            && let Some(game) = pending.evaluated()
        {
            watch(SearchNotice::Completed(&game));
        }
    }

    fn recall_all(
        &mut self,
        tasks: &[Task],
        store: Option<&dyn EvaluationStore>,
    ) -> Result<Vec<Recall>, StoreError> {
        let Some(store) = store else { return Ok(tasks.iter().map(|_| Recall::Missing).collect()) };
        let mut recalled = Vec::with_capacity(tasks.len());
        for tasks in tasks.chunks(ASKED_AT_ONCE) {
            let segments: Vec<&Segment> = tasks.iter().map(|task| &task.segment).collect();
            for (task, found) in tasks.iter().zip(store.get_all(&self.origin, &segments)?) {
                recalled.push(self.take_recalled(task, found));
            }
        }
        Ok(recalled)
    }

    /// Takes a segment from the store, if it is there.
    fn recall(&mut self, task: &Task, store: Option<&dyn EvaluationStore>) -> Result<Recall, StoreError> {
        let Some(store) = store else { return Ok(Recall::Missing) };
        let found = store.get(&self.origin, &task.segment)?;
        Ok(self.take_recalled(task, found))
    }

    /// Fills in what the store has of a task, and returns what it said without that.
    fn take_recalled(&mut self, task: &Task, mut found: Recall) -> Recall {
        if let Recall::Known(KnownSegment { evaluations, digest }) = &mut found {
            self.counts.stored += evaluations.len() as u64;
            self.programs.insert(digest.clone());
            self.games[task.game].fill(std::mem::take(evaluations));
        }
        found
    }

    /// Returns the games in the order in which they were given.
    pub fn finish(self) -> Vec<SearchedGame> {
        self.games.into_iter().map(Pending::finish).collect()
    }
}
