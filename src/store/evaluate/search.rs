//! [`Search`]: evaluation of whole games, first from a store and then by engines.

mod pending;

use std::{collections::BTreeMap, collections::BTreeSet, ops::AddAssign, time::Duration, time::Instant};

use self::pending::Pending;
use super::pool::{self, PoolEvent, Task};
use crate::chess::{EvaluatedGame, Evaluator, Game, Protocol, Segment};
use crate::engine::Stop;
use crate::store::{EvaluationStore, KnownSegment, Origin, Recall, Result, StoreError};

const ASKED_AT_ONCE: usize = 500;

/// Games to be evaluated by an engine.
#[derive(Debug)]
pub struct Search {
    origin: Origin,
    games: Vec<Pending>,
    tasks: Vec<Task>,
    counts: SearchCounts,
    programs: BTreeSet<String>,
    unused: UnusedEvaluations,
    reports_games: bool,
}

/// Evaluations in a store that a search did not use.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UnusedEvaluations {
    /// Number of positions evaluated by each other build of the engine. The key is the SHA-256 of the build's
    /// executable.
    pub other_builds: BTreeMap<String, u64>,
    /// Damaged segments, each with its fault.
    pub damaged: Vec<String>,
}

impl UnusedEvaluations {
    /// Returns the evaluations that a lookup found but that cannot be used. The segment has `positions`
    /// positions.
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

/// Numbers of evaluations by source, and the cost of searching.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SearchCounts {
    /// Positions taken from the store.
    pub stored: u64,
    pub searched: u64,
    pub nodes: u64,
    /// Total search time of the engines.
    pub busy: Duration,
    /// Time from the start of the first search to the end of the last.
    pub wall: Duration,
}

impl AddAssign for SearchCounts {
    /// Adds the counts of a later search.
    fn add_assign(&mut self, more: SearchCounts) {
        self.stored += more.stored;
        self.searched += more.searched;
        self.nodes = self.nodes.saturating_add(more.nodes);
        self.busy += more.busy;
        self.wall += more.wall;
    }
}

/// The progress of a search, in positions and games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SearchProgress {
    /// Positions that need an evaluation, including those found in the store. The missing positions of failed
    /// games do not count.
    pub positions: u64,
    /// Positions that have an evaluation.
    pub positions_done: u64,
    /// Number of all games, including games that failed.
    pub games: usize,
    /// Games that have all of their evaluations, or have finally failed.
    pub games_done: usize,
}

/// A notice for the caller during a search.
#[derive(Debug)]
pub enum SearchNotice<'a> {
    /// The progress so far: at the start, and after each finished segment and each failed game.
    Advanced(SearchProgress),
    /// A game now has all of its evaluations. Games that are complete before the search are reported first.
    Completed(&'a EvaluatedGame),
    /// The search of a segment failed and is tried again.
    Retried {
        game: &'a Game,
        attempt: u32,
        error: &'a str,
    },
    /// A worker no longer has an engine.
    Retired {
        error: &'a str,
    },
    Failed {
        game: &'a Game,
        error: &'a str,
    },
}

/// A game after a search.
#[derive(Debug)]
pub enum SearchedGame {
    /// All of its evaluations are known.
    Complete(Box<EvaluatedGame>),
    /// The engine failed on a segment of the game, or named no best move in one of its positions.
    Failed { game: Box<Game>, error: String },
    /// The search was stopped or interrupted before the game was complete.
    Unfinished { game: Box<Game> },
}

impl Search {
    /// Plans the search of every position of `games`. Cuts the games into segments, and takes stored segments
    /// from the store.
    pub fn plan(games: Vec<Game>, origin: Origin, store: Option<&dyn EvaluationStore>) -> Result<Search> {
        let protocol = origin.protocol;
        let pending = games.into_iter().map(|game| Pending::positions(game, &protocol));
        Search::begin(pending, origin, store)
    }

    /// Plans the search of the positions after the engine's best moves in `games`, by the origin's protocol.
    /// If the best move was played or ends the game, its evaluation is known. Every other position is a
    /// segment of its own.
    pub fn plan_choices(
        games: Vec<EvaluatedGame>,
        Origin { engine, protocol }: Origin,
        store: Option<&dyn EvaluationStore>,
    ) -> Result<Search> {
        let pending = games.into_iter().map(Pending::choices);
        Search::begin(pending, Origin { engine, protocol: Protocol { segment: 1, ..protocol } }, store)
    }

    fn begin(
        pending: impl Iterator<Item = (Pending, Vec<Segment>)>,
        origin: Origin,
        store: Option<&dyn EvaluationStore>,
    ) -> Result<Search> {
        let mut search = Search {
            origin,
            games: Vec::new(),
            tasks: Vec::new(),
            counts: SearchCounts::default(),
            programs: BTreeSet::new(),
            unused: UnusedEvaluations::default(),
            reports_games: true,
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

    /// Records a segment to search, and the reason why the store's result is not used.
    fn begin_without(&mut self, task: Task, found: Recall) {
        self.unused.add(found, task.segment.searches().len() as u64);
        self.tasks.push(task);
    }

    /// Suppresses [`SearchNotice::Completed`] for callers that already know the games.
    pub fn report_no_games(&mut self) {
        self.reports_games = false;
    }

    /// Returns the stored evaluations that were found but cannot be used.
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

    /// Searches the missing segments with one worker per evaluator. Every finished segment is stored before
    /// its worker takes the next. The search ends early when `stop` is requested, and at once if the store
    /// has an error.
    pub async fn run<E: Evaluator + 'static>(
        &mut self,
        evaluators: Vec<E>,
        mut store: Option<&mut (dyn EvaluationStore + 'static)>,
        stop: &Stop,
        mut watch: impl FnMut(SearchNotice<'_>),
    ) -> Result<()> {
        if let Some(store) = store.as_deref().filter(|store| store.is_read_only() && !self.is_complete()) {
            return Err(StoreError::ReadOnly(store.describe()));
        }
        let mut tasks = std::mem::take(&mut self.tasks);
        pool::order_for_short_tail(&mut tasks, evaluators.len());
        let start = Instant::now();
        let protocol = self.origin.protocol;
        self.report_complete(&mut watch);
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
    ) -> Result<()> {
        match event {
            PoolEvent::Begins { task, is_known } => {
                if let Recall::Known(_) = self.recall(task, store.as_deref())? {
                    *is_known = true;
                    self.report_if_complete(task, watch);
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
                self.report_if_complete(&task, watch);
                watch(SearchNotice::Advanced(self.progress()));
            }
            PoolEvent::Retried { task, attempt, error } => {
                watch(SearchNotice::Retried { game: self.games[task.game].game(), attempt, error: &error });
            }
            PoolEvent::Retired { error } => watch(SearchNotice::Retired { error: &error }),
            // A stopped segment has not failed: the next run continues with it.
            PoolEvent::Failed { .. } if stop.is_requested() => {}
            PoolEvent::Failed { task, error } => {
                self.games[task.game].report_failure(error, watch);
                watch(SearchNotice::Advanced(self.progress()));
            }
        }
        Ok(())
    }

    /// Reports the game of a finished task, if that task was the game's last.
    fn report_if_complete(&self, task: &Task, watch: &mut impl FnMut(SearchNotice<'_>)) {
        let pending = &self.games[task.game];
        if self.reports_games
            && pending.awaited() == 0
            && let Some(game) = pending.evaluated()
        {
            watch(SearchNotice::Completed(&game));
        }
    }

    fn recall_all(&mut self, tasks: &[Task], store: Option<&dyn EvaluationStore>) -> Result<Vec<Recall>> {
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
    fn recall(&mut self, task: &Task, store: Option<&dyn EvaluationStore>) -> Result<Recall> {
        let Some(store) = store else { return Ok(Recall::Missing) };
        let found = store.get(&self.origin, &task.segment)?;
        Ok(self.take_recalled(task, found))
    }

    /// Moves the evaluations that were found for a task to its game, and returns the rest of `found`.
    fn take_recalled(&mut self, task: &Task, mut found: Recall) -> Recall {
        if let Recall::Known(KnownSegment { evaluations, digest }) = &mut found {
            self.counts.stored += evaluations.len() as u64;
            self.programs.insert(digest.clone());
            self.games[task.game].fill(std::mem::take(evaluations));
        }
        found
    }

    /// Returns the games with their results, in their original order.
    pub fn finish(self) -> Vec<SearchedGame> {
        self.games.into_iter().map(Pending::finish).collect()
    }

    pub fn report_complete(&self, mut watch: impl FnMut(SearchNotice<'_>)) {
        for game in self.games.iter().filter(|_| self.reports_games).filter_map(Pending::evaluated) {
            watch(SearchNotice::Completed(&game));
        }
    }
}

/// Methods for runs with a queue.
#[cfg(feature = "postgres")]
impl Search {
    /// Takes missing segments from the store if they have arrived there meanwhile.
    pub fn recall_missing(
        &mut self,
        store: &dyn EvaluationStore,
        mut watch: impl FnMut(SearchNotice<'_>),
    ) -> Result<()> {
        let tasks = std::mem::take(&mut self.tasks);
        let recalled = self.recall_all(&tasks, Some(store))?;
        for (task, found) in tasks.into_iter().zip(recalled) {
            match found {
                Recall::Known(_) => self.report_if_complete(&task, &mut watch),
                other => self.begin_without(task, other),
            }
        }
        watch(SearchNotice::Advanced(self.progress()));
        Ok(())
    }

    /// Gives up the games with failed segments. Each failed segment is given by its index in
    /// [`Search::missing`], with the engine's error.
    pub fn give_up(&mut self, failed: Vec<(usize, String)>, mut watch: impl FnMut(SearchNotice<'_>)) {
        for (place, error) in failed {
            let Some(task) = self.tasks.get(place) else { continue };
            self.games[task.game].report_failure(error, &mut watch);
        }
        let games = &self.games;
        self.tasks.retain(|task| games[task.game].failure().is_none());
        watch(SearchNotice::Advanced(self.progress()));
    }

    pub fn took(&mut self, wall: Duration) {
        self.counts.wall = wall;
    }
}
