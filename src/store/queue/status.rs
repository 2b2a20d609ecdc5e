//! Status of the queue: runs, workers and failures, and the commands to change it.

use serde::Serialize;
use tokio_postgres::{Error, Row};

use super::{Queue, count_of, seconds_since};
use crate::store::server::Result;

/// Number of workers, and of engines that they run at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fleet {
    pub workers: u64,
    pub jobs: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QueueState {
    /// The time by the server's clock, in UTC.
    pub at: String,
    /// Runs that are unfinished or ended in the last 24 hours, in the order of service.
    pub runs: Vec<QueueRun>,
    /// Workers that are alive or ended in the last 24 hours.
    pub workers: Vec<WorkerRecord>,
    /// Failed segments: up to 1000 that are set aside, then up to 20 others; in each group the latest first.
    pub failures: Vec<FailureRecord>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QueueRun {
    pub run: i64,
    pub name: String,
    pub priority: i32,
    pub engine: String,
    /// The engine's options, as JSON.
    pub options: String,
    /// SHA-256 of the engine's behavior.
    pub behaviour: String,
    pub waiting: i64,
    pub in_work: i64,
    pub done: i64,
    pub set_aside: i64,
    pub positions_done: i64,
    /// Number of all positions that were ever placed for the run.
    pub positions: i64,
    /// Seconds since the last sign of life of a process that waits for the run.
    pub awaited_ago: f64,
    pub is_over: bool,
    /// Estimated remaining seconds with the current workers; `None` if unknown.
    pub seconds_left: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WorkerRecord {
    pub worker: i64,
    pub host: String,
    pub process: i64,
    /// Engines searching at a time.
    pub jobs: i32,
    pub engine: String,
    /// Version of gainalyze.
    pub program: String,
    pub in_work: i64,
    pub segments: i64,
    pub positions: i64,
    /// Positions per minute of search, by all engines of the worker.
    pub rate: Option<f64>,
    /// Seconds since the worker's last sign of life.
    pub seen_ago: f64,
    /// `ended`, `lost`, or null if the worker is alive.
    pub ending: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FailureRecord {
    pub run: i64,
    /// The segment's start position and moves.
    pub segment: String,
    pub tries: i16,
    /// True if the segment is no longer tried.
    pub is_set_aside: bool,
    pub worker: i64,
    pub host: String,
    /// Seconds since the failure.
    pub failed_ago: f64,
    /// The engine's error, or the loss of the worker.
    pub words: String,
}

/// Largest number of failed segments listed besides those that are set aside.
const LISTED: i64 = 20;

/// Largest number of listed segments that are set aside.
const LISTED_ASIDE: i64 = 1000;

fn runs() -> String {
    let [waiting, in_work, set_aside, done, positions] = [
        "runs.segments::numeric - coalesce(done.segments, 0) - coalesce(held.in_work, 0) - coalesce(held.set_aside, 0)",
        "held.in_work",
        "held.set_aside",
        "done.segments",
        "done.positions",
    ]
    .map(count_of);
    let ago = seconds_since("seen_at");
    format!(
        "\
    SELECT id AS run, name, priority, engine, options, behaviour, finished_at IS NOT NULL AS is_over, runs.positions, \
    {ago} AS awaited_ago, {waiting} AS waiting, {in_work} AS in_work, {set_aside} AS set_aside, \
    {done} AS done, {positions} AS positions_done, \
    (SELECT sum(jobs) FROM gainalyze.workers WHERE ended_at IS NULL AND workers.engine = runs.engine \
    AND workers.options = runs.options AND workers.behaviour = runs.behaviour)::float8 AS jobs, \
    (done.busy_ms / 1000.0 / nullif(done.segments, 0))::float8 AS seconds_each \
    FROM gainalyze.runs \
    LEFT JOIN (SELECT run, sum(segments) AS segments, sum(positions) AS positions, sum(busy_ms) AS busy_ms \
    FROM gainalyze.work_done GROUP BY run) AS done ON done.run = runs.id \
    LEFT JOIN (SELECT run, count(*) FILTER (WHERE worker IS NOT NULL) AS in_work, count(*) FILTER (WHERE is_set_aside) AS set_aside \
    FROM (SELECT run, worker, is_set_aside FROM gainalyze.tasks WHERE worker IS NOT NULL \
    UNION ALL SELECT run, worker, is_set_aside FROM gainalyze.tasks WHERE is_set_aside) AS each GROUP BY run) AS held ON held.run = runs.id \
    WHERE finished_at IS NULL OR finished_at > now() - interval '1 day' \
    ORDER BY finished_at IS NOT NULL, priority DESC, id"
    )
}

fn workers() -> String {
    let [segments, positions] = ["sum(done.segments)", "sum(done.positions)"].map(count_of);
    let ago = seconds_since("seen_at");
    format!(
        "\
    SELECT id AS worker, host, process, jobs, engine, program, ending, {ago} AS seen_ago, \
    (SELECT count(*) FROM gainalyze.tasks WHERE worker = workers.id) AS in_work, \
    {segments} AS segments, {positions} AS positions, \
    (jobs * 60000.0 * sum(done.positions) / nullif(sum(done.busy_ms), 0))::float8 AS rate \
    FROM gainalyze.workers LEFT JOIN gainalyze.work_done AS done ON done.worker = workers.id \
    WHERE ended_at IS NULL OR ended_at > now() - interval '1 day' \
    GROUP BY workers.id ORDER BY ended_at IS NOT NULL, id"
    )
}

fn failures() -> String {
    let ago = seconds_since("failed_at");
    format!(
        "\
    WITH last AS (SELECT DISTINCT ON (run, key) run, key, worker, failed_at, words FROM gainalyze.failures ORDER BY run, key, id DESC), \
    told AS (SELECT last.*, tasks.tries, tasks.is_set_aside, coalesce(tasks.start_fen, 'the initial position') AS start, tasks.moves, \
    tasks.first_ply, row_number() OVER (PARTITION BY tasks.is_set_aside ORDER BY failed_at DESC) AS place \
    FROM last JOIN gainalyze.tasks USING (run, key)) \
    SELECT told.run, told.worker, workers.host, tries, is_set_aside, words, {ago} AS failed_ago, \
    format('%s after %s', start, CASE moves WHEN '' THEN 'no move' ELSE moves END) AS segment \
    FROM told JOIN gainalyze.workers ON workers.id = told.worker \
    WHERE place <= CASE WHEN is_set_aside THEN $1::int8 ELSE $2::int8 END ORDER BY is_set_aside DESC, failed_at DESC"
    )
}

impl Queue {
    pub async fn state(&mut self) -> Result<QueueState> {
        let row = self
            .one("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') AS at", &[])
            .await?;
        let at = self.read(row.try_get("at"))?;
        let rows = self.all(&runs(), &[]).await?;
        let mut runs = rows.iter().map(QueueRun::read).collect::<Result<Vec<_>, _>>();
        if let Ok(runs) = &mut runs {
            share_workers(runs);
        }
        let runs = self.read(runs)?;
        let rows = self.all(&workers(), &[]).await?;
        let workers = self.read(rows.iter().map(WorkerRecord::read).collect())?;
        let rows = self.all(&failures(), &[&LISTED_ASIDE, &LISTED]).await?;
        let failures = self.read(rows.iter().map(FailureRecord::read).collect())?;
        Ok(QueueState { at, runs, workers, failures })
    }

    /// Puts the set-aside segments of one run, or of all runs, back into the queue. Returns the number of
    /// these segments.
    pub async fn retry(&mut self, run: Option<i64>) -> Result<u64> {
        self.execute(
            "UPDATE gainalyze.tasks SET tries = 0, is_set_aside = false WHERE is_set_aside AND ($1::int8 IS NULL OR run = $1)",
            &[&run],
        )
        .await
    }

    /// Removes a run with all of its segments from the queue, and returns the number of these segments;
    /// `None` if there is no such run. Stored results stay. Results of segments in work are dropped.
    pub async fn cancel(&mut self, run: i64) -> Result<Option<u64>> {
        // The run is deleted first, so that no worker takes more of its segments.
        let runs = self.execute("DELETE FROM gainalyze.runs WHERE id = $1", &[&run]).await?;
        let segments = self.execute("DELETE FROM gainalyze.tasks WHERE run = $1", &[&run]).await?;
        Ok((runs > 0).then_some(segments))
    }
}

/// Makes a record from a row. The first fields are read from the columns of the same names; the caller gives
/// the values of the other fields.
macro_rules! of_row {
    ($row:ident, $record:ident { $($field:ident),*; $($other:ident: $value:expr),* }) => {
        Ok($record { $($field: $row.try_get(stringify!($field))?,)* $($other: $value,)* })
    };
}

impl QueueRun {
    fn read(row: &Row) -> Result<QueueRun, Error> {
        let (waiting, in_work): (i64, i64) = (row.try_get("waiting")?, row.try_get("in_work")?);
        let (jobs, each): (Option<f64>, Option<f64>) = (row.try_get("jobs")?, row.try_get("seconds_each")?);
        let left = jobs.zip(each).map(|(jobs, each)| (waiting + in_work) as f64 * each / jobs.max(1.0));
        of_row!(row, QueueRun {
            run, name, priority, engine, options, behaviour, done, set_aside, positions_done, positions,
            awaited_ago, is_over;
            waiting: waiting, in_work: in_work, seconds_left: left
        })
    }

    /// Returns whether the same workers serve both runs.
    fn is_of_the_engine_of(&self, other: &QueueRun) -> bool {
        (&self.engine, &self.options, &self.behaviour) == (&other.engine, &other.options, &other.behaviour)
    }
}

/// Computes the remaining time of each run from the times that the runs would take alone. Of the unfinished
/// runs for one engine, runs with a higher priority go first, and runs with equal priority take turns.
fn share_workers(runs: &mut [QueueRun]) {
    let alone = runs.to_vec();
    for run in runs {
        let Some(own) = run.seconds_left else { continue };
        let others = alone
            .iter()
            .filter(|other| other.run != run.run && other.is_of_the_engine_of(run) && !other.is_over);
        let before = others.filter(|other| other.priority >= run.priority).map(|other| {
            let seconds = other.seconds_left.unwrap_or_default();
            if other.priority > run.priority { seconds } else { seconds.min(own) }
        });
        run.seconds_left = Some(own + before.sum::<f64>());
    }
}

impl WorkerRecord {
    fn read(row: &Row) -> Result<WorkerRecord, Error> {
        of_row!(row, WorkerRecord {
            worker, host, process, jobs, engine, program, in_work, segments, positions, rate, seen_ago,
            ending;
        })
    }
}

impl FailureRecord {
    fn read(row: &Row) -> Result<FailureRecord, Error> {
        of_row!(row, FailureRecord { run, segment, tries, is_set_aside, worker, host, failed_ago, words; })
    }
}
