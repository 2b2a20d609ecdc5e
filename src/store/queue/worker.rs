//! The queue as used by a worker: taking segments, giving signs of life, and storing results.

use std::{collections::BTreeMap, ops::AddAssign, time::Duration};

use tokio_postgres::types::Type;

use super::{FaultyTask, Queue, QueuedSegment, TRIES, count_of, in_time, task};
use crate::chess::SegmentResult;
use crate::store::{
    EngineStamp, Origin, postgres::write_all, sealed::StoredSegment, server::PostgresError, server::Result,
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerCard {
    pub host: String,
    /// Number of engines searching at a time.
    pub jobs: usize,
    pub engine: EngineStamp,
    /// Time from the worker's last sign of life until the worker counts as lost.
    pub lease: Duration,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finish {
    pub task: QueuedSegment,
    /// The result; `None` if the store already had the evaluations.
    pub result: Option<SegmentResult>,
}

/// The state of a worker's lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lease {
    /// The lease is valid.
    Kept,
    /// The worker counts as lost: other workers may search the segments that it had taken.
    Lost,
}

/// SQL that counts a failed attempt. It ends with the left side of a comparison; the caller adds the operator
/// and the largest number of attempts.
const FAILED: &str = "tries = least(tries::int + 1, 1000), is_set_aside = tries::int + 1";

impl Queue {
    /// Registers a worker and returns its number, which is never reused.
    pub async fn register(&mut self, card: &WorkerCard) -> Result<i64> {
        let WorkerCard { host, jobs, engine, lease } = card;
        let row = self
            .one(
                "INSERT INTO gainalyze.workers (host, process, jobs, engine, options, behaviour, engine_digest, program, lease) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9 * interval '1 s') RETURNING id",
                &[
                    host,
                    &i64::from(std::process::id()),
                    &i32::try_from(*jobs).unwrap_or(i32::MAX),
                    &engine.name,
                    &engine.options_json(),
                    &engine.known_behavior(),
                    &engine.digest,
                    &env!("CARGO_PKG_VERSION"),
                    &lease.as_secs_f64(),
                ],
            )
            .await?;
        self.read(row.try_get("id"))
    }

    /// Takes up to `most` segments for an engine from the runs with the highest priority. Of runs with equal
    /// priority, the run after `after` comes first, so that runs take turns. Within a run, segments that
    /// failed before come last. Invalid rows are returned separately.
    pub async fn take(
        &mut self,
        worker: i64,
        engine: &EngineStamp,
        after: i64,
        most: usize,
    ) -> Result<(Vec<QueuedSegment>, Vec<FaultyTask>)> {
        // A crashing server may forget the assignment. Then the segments are searched again and no result is
        // lost, so the query need not wait for the server's disk.
        let rows = self
            .all(
                &format!(
                    "WITH candidate AS ( \
                     SELECT waiting.key, waiting.run FROM ( \
                     SELECT id FROM gainalyze.runs WHERE finished_at IS NULL AND engine = $1 AND options = $2 AND behaviour = $3 \
                     ORDER BY priority DESC, id <= $4, id) AS ready \
                     CROSS JOIN LATERAL ( \
                     SELECT key, run FROM gainalyze.tasks WHERE run = ready.id AND worker IS NULL AND NOT is_set_aside \
                     ORDER BY tries, place LIMIT $5 FOR UPDATE SKIP LOCKED) AS waiting LIMIT $5) \
                     UPDATE gainalyze.tasks SET worker = $6 FROM candidate \
                     WHERE tasks.key = candidate.key AND tasks.run = candidate.run \
                     RETURNING {}, set_config('synchronous_commit', 'off', true), \
                     EXISTS (SELECT FROM gainalyze.segments JOIN gainalyze.origins ON origins.id = segments.origin \
                     WHERE segments.key = tasks.key AND origins.behaviour = $3) AS is_known",
                    task::NAMES
                ),
                &[
                    &engine.name,
                    &engine.options_json(),
                    &engine.known_behavior(),
                    &after,
                    &i64::try_from(most).unwrap_or(i64::MAX),
                    &worker,
                ],
            )
            .await?;
        let (mut taken, mut faulty) = (Vec::new(), Vec::new());
        for row in rows {
            match self.read(task::read(&row, engine))? {
                Ok(task) => taken.push(task),
                Err(fault) => faulty.push(fault),
            }
        }
        Ok((taken, faulty))
    }

    /// Stores results and removes their segments from the queue, in one transaction. Returns for each segment
    /// whether its result was the first. After an error, the caller may repeat the call.
    pub async fn finish(
        &mut self,
        worker: i64,
        engine: &EngineStamp,
        finished: &[Finish],
    ) -> Result<Vec<bool>> {
        let server = self.describe();
        in_time(&server.clone(), self.finish_all(&server, worker, engine, finished)).await
    }

    async fn finish_all(
        &mut self,
        server: &str,
        worker: i64,
        engine: &EngineStamp,
        finished: &[Finish],
    ) -> Result<Vec<bool>> {
        let failed = |error| PostgresError::of_query(server, &error);
        let behavior = engine.known_behavior();
        // Each request takes a round trip, for any number of segments.
        let transaction = self.connection.client.transaction().await.map_err(failed)?;
        let keys: Vec<&[u8]> = finished.iter().map(|Finish { task, .. }| task.key.as_slice()).collect();
        // The worker that deletes the row is the first. This also completes the same search in other runs.
        // Keys are in order, so that no two workers wait for each other.
        let rows = transaction
            .query_typed(
                "WITH done AS (SELECT tasks.key, tasks.run FROM gainalyze.tasks JOIN gainalyze.runs ON runs.id = tasks.run \
                 WHERE tasks.key = ANY($1) AND runs.behaviour = $2 ORDER BY tasks.key, tasks.run FOR UPDATE OF tasks) \
                 DELETE FROM gainalyze.tasks USING done WHERE tasks.key = done.key AND tasks.run = done.run \
                 RETURNING tasks.key, tasks.run",
                &[(&keys, Type::BYTEA_ARRAY), (&behavior, Type::TEXT)],
            )
            .await
            .map_err(failed)?;
        let mut runs_of: BTreeMap<Vec<u8>, Vec<i64>> = BTreeMap::new();
        for row in rows {
            let key = row.try_get(0).map_err(failed)?;
            runs_of.entry(key).or_default().push(row.try_get(1).map_err(failed)?);
        }
        let mut is_first = Vec::with_capacity(finished.len());
        let (mut new, mut done) = (Vec::new(), BTreeMap::<i64, RunEffort>::new());
        for Finish { task, result } in finished {
            // The entry is removed, so that a repeated segment counts once.
            let runs = runs_of.remove(&task.key).unwrap_or_default();
            is_first.push(!runs.is_empty());
            if let Some(result) = result.as_ref().filter(|_| !runs.is_empty()) {
                let origin = Origin { engine: engine.clone(), protocol: task.protocol };
                new.push(StoredSegment::of(&origin, &task.segment, &result.evaluations));
            }
            let effort = RunEffort::of(task, result.as_ref());
            runs.into_iter().for_each(|run| *done.entry(run).or_default() += effort);
        }
        write_all(&transaction, &new).await.map_err(failed)?;
        let runs: Vec<i64> = done.keys().copied().collect();
        let column = |of: fn(&RunEffort) -> i64| done.values().map(of).collect::<Vec<i64>>();
        let added = ["segments", "positions", "nodes", "busy_ms"].map(|name| {
            format!("{name} = {}", count_of(&format!("work_done.{name}::numeric + excluded.{name}")))
        });
        transaction
            .execute_typed(
                &format!(
                    "INSERT INTO gainalyze.work_done (run, worker, segments, positions, nodes, busy_ms) \
                     SELECT run, $2, segments, positions, nodes, busy_ms FROM unnest($1, $3, $4, $5, $6) \
                     AS new (run, segments, positions, nodes, busy_ms) ON CONFLICT (run, worker) DO UPDATE SET {}",
                    added.join(", ")
                ),
                &[
                    (&runs, Type::INT8_ARRAY),
                    (&worker, Type::INT8),
                    (&column(|done| done.segments), Type::INT8_ARRAY),
                    (&column(|done| done.positions), Type::INT8_ARRAY),
                    (&column(|done| done.nodes), Type::INT8_ARRAY),
                    (&column(|done| done.busy_ms), Type::INT8_ARRAY),
                ],
            )
            .await
            .map_err(failed)?;
        transaction.commit().await.map_err(failed)?;
        Ok(is_first)
    }

    /// Records that an engine failed on a segment. Other engines may try the segment; after [`TRIES`]
    /// failures it is set aside.
    pub async fn fail(&mut self, task: &QueuedSegment, words: &str) -> Result<()> {
        self.fail_row(task.run, task.worker, &task.key, words).await
    }

    pub async fn fail_faulty(&mut self, FaultyTask { run, worker, key }: &FaultyTask) -> Result<()> {
        self.fail_row(*run, *worker, key, "the segment's row in the queue is invalid").await
    }

    async fn fail_row(&mut self, run: i64, worker: i64, key: &[u8], words: &str) -> Result<()> {
        self.execute(
            &format!(
                "WITH failed AS (UPDATE gainalyze.tasks SET worker = NULL, {FAILED} >= $5 \
                 WHERE run = $1 AND worker = $2 AND key = $3 RETURNING run, key) \
                 INSERT INTO gainalyze.failures (run, key, worker, words) SELECT run, key, $2, $4 FROM failed"
            ),
            &[&run, &worker, &key, &words, &TRIES],
        )
        .await?;
        Ok(())
    }

    /// Puts a segment that was not tried back into the queue.
    pub async fn give_back(&mut self, task: &QueuedSegment) -> Result<()> {
        self.execute(
            "UPDATE gainalyze.tasks SET worker = NULL WHERE run = $1 AND worker = $2 AND key = $3",
            &[&task.run, &task.worker, &task.key],
        )
        .await?;
        Ok(())
    }

    /// Records a sign of life, and returns the state of the worker's lease.
    pub async fn sign_of_life(&mut self, worker: i64) -> Result<Lease> {
        let rows = self
            .all(
                "UPDATE gainalyze.workers SET seen_at = now() WHERE id = $1 AND ended_at IS NULL \
                 RETURNING set_config('synchronous_commit', 'off', true)",
                &[&worker],
            )
            .await?;
        Ok(if rows.is_empty() { Lease::Lost } else { Lease::Kept })
    }

    /// Marks workers with expired leases as lost, and frees their segments. Each freed segment counts one
    /// more failed attempt. After a server's restart, leases count from its start.
    pub async fn reclaim(&mut self) -> Result<()> {
        self.free(
            "UPDATE gainalyze.workers SET ended_at = now(), ending = 'lost' WHERE id IN ( \
             SELECT id FROM gainalyze.workers WHERE ended_at IS NULL \
             AND now() - least(greatest(seen_at, pg_postmaster_start_time()), now()) > lease FOR UPDATE SKIP LOCKED) \
             RETURNING id, host, process",
        )
        .await
    }

    /// Frees the segments of ended workers: a worker can still take segments while another process marks it
    /// as lost. Each segment counts one more failed attempt, except segments of workers that are no longer in
    /// the table.
    pub async fn sweep(&mut self) -> Result<()> {
        self.execute(
            "UPDATE gainalyze.tasks SET worker = NULL WHERE worker IS NOT NULL \
             AND NOT EXISTS (SELECT FROM gainalyze.workers WHERE id = tasks.worker)",
            &[],
        )
        .await?;
        self.free(
            "SELECT id, host, process FROM gainalyze.workers WHERE ended_at IS NOT NULL \
             AND EXISTS (SELECT FROM gainalyze.tasks WHERE worker = workers.id)",
        )
        .await
    }

    async fn free(&mut self, lost: &str) -> Result<()> {
        self.execute(
            &format!(
                "WITH lost AS ({lost}), \
                 freed AS (UPDATE gainalyze.tasks SET worker = NULL, {FAILED} >= $1 \
                 FROM lost WHERE tasks.worker = lost.id RETURNING tasks.run, tasks.key, lost.*) \
                 INSERT INTO gainalyze.failures (run, key, worker, words) SELECT run, key, id, \
                 format('worker %s (%s, process %s) was lost while it held the segment', id, host, process) FROM freed"
            ),
            &[&TRIES],
        )
        .await?;
        Ok(())
    }

    /// Marks a worker as ended, and puts its segments back into the queue.
    pub async fn leave(&mut self, worker: i64) -> Result<()> {
        self.execute("UPDATE gainalyze.tasks SET worker = NULL WHERE worker = $1", &[&worker]).await?;
        self.execute(
            "UPDATE gainalyze.workers SET ended_at = now(), ending = 'ended' WHERE id = $1 AND ended_at IS NULL",
            &[&worker],
        )
        .await?;
        Ok(())
    }

    /// Returns whether the workers of an engine can end. Each unfinished run for this engine must be without
    /// waiting and running segments. No process may have waited for one of these runs in the last 60 seconds,
    /// because a waiting process might place more segments.
    pub async fn is_over(&mut self, engine: &EngineStamp) -> Result<bool> {
        let row = self
            .one(
                "SELECT NOT EXISTS (SELECT FROM gainalyze.runs WHERE finished_at IS NULL AND engine = $1 AND options = $2 \
                 AND behaviour = $3 AND (seen_at > now() - interval '60 s' \
                 OR EXISTS (SELECT FROM gainalyze.tasks WHERE run = runs.id AND worker IS NULL AND NOT is_set_aside) \
                 OR EXISTS (SELECT FROM gainalyze.tasks WHERE run = runs.id AND worker IS NOT NULL))) AS is_over",
                &[&engine.name, &engine.options_json(), &engine.known_behavior()],
            )
            .await?;
        self.read(row.try_get("is_over"))
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct RunEffort {
    segments: i64,
    positions: i64,
    nodes: i64,
    /// Milliseconds of search.
    busy_ms: i64,
}

impl RunEffort {
    /// Returns the effort for one finished segment. A segment that the store already had is counted with its
    /// positions, but without nodes and time.
    fn of(task: &QueuedSegment, result: Option<&SegmentResult>) -> RunEffort {
        let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let nodes = result.map_or(0, |found| {
            found.evaluations.iter().filter_map(|(_, e)| e.nodes).fold(0, u64::saturating_add)
        });
        let busy = result.map_or(0, |found| u64::try_from(found.busy.as_millis()).unwrap_or(u64::MAX));
        let positions = task.segment.searches().len() as i64;
        RunEffort { segments: 1, positions, nodes: whole(nodes), busy_ms: whole(busy) }
    }
}

impl AddAssign for RunEffort {
    fn add_assign(&mut self, more: RunEffort) {
        self.segments += more.segments;
        self.positions += more.positions;
        self.nodes = self.nodes.saturating_add(more.nodes);
        self.busy_ms = self.busy_ms.saturating_add(more.busy_ms);
    }
}
