//! Owns what a worker does with the queue: takes segments, shows that it lives, and finishes what it took.

use std::time::Duration;

use super::{FaultyTask, Queue, QueuedSegment, TRIES, in_time, task};
use crate::{
    evaluator::SegmentResult,
    postgres::PostgresError,
    store::{EngineStamp, postgres::write_segment},
};

/// A worker, as it makes itself known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerCard {
    /// Its machine.
    pub host: String,
    /// How many engines it lets search at a time.
    pub jobs: usize,
    /// Which.
    pub engine: EngineStamp,
    /// How long after its last sign of life it is taken for lost.
    pub lease: Duration,
}

/// A segment that is finished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finish {
    /// Which.
    pub task: QueuedSegment,
    /// What was found; `None` where the store had it.
    pub result: Option<SegmentResult>,
}

/// Whether a worker still has what it took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lease {
    /// It has.
    Kept,
    /// It was taken for lost: others may search what it has in work.
    Lost,
}

impl Queue {
    /// Makes a worker known; returns its number, which is never given twice.
    ///
    /// # Errors
    ///
    /// If the server cannot be asked.
    pub async fn register(&mut self, card: &WorkerCard) -> Result<i64, PostgresError> {
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
                    &engine.behaviour.as_deref().unwrap_or_default(),
                    &engine.digest,
                    &env!("CARGO_PKG_VERSION"),
                    &lease.as_secs_f64(),
                ],
            )
            .await?;
        self.read(row.try_get("id"))
    }

    /// Takes up to so many segments for an engine: of the runs with the highest priority that have any, the one after run `after`
    /// first, so that they take turns. What was tried in vain comes last. Rows that are no segments are set apart.
    ///
    /// # Errors
    ///
    /// If the server cannot be asked.
    pub async fn take(
        &mut self,
        worker: i64,
        engine: &EngineStamp,
        after: i64,
        most: usize,
    ) -> Result<(Vec<QueuedSegment>, Vec<FaultyTask>), PostgresError> {
        // A server that falls over may forget who has what in work: it is searched again then, and no result is lost. So
        // nobody waits for its disk.
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
                    &engine.behaviour.as_deref().unwrap_or_default(),
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

    /// Stores results and takes their segments out of the queue, all in one transaction; tells of each
    /// whether nobody has finished it before.
    ///
    /// # Errors
    ///
    /// If the server cannot be asked. Then nothing of it is done, or all of it and nobody was told: to try again does no harm.
    pub async fn finish(
        &mut self,
        worker: i64,
        engine: &EngineStamp,
        finished: &[Finish],
    ) -> Result<Vec<bool>, PostgresError> {
        let server = self.describe();
        in_time(&server.clone(), self.finish_all(&server, worker, engine, finished)).await
    }

    async fn finish_all(
        &mut self,
        server: &str,
        worker: i64,
        engine: &EngineStamp,
        finished: &[Finish],
    ) -> Result<Vec<bool>, PostgresError> {
        let failed = |error| PostgresError::of_query(server, &error);
        let behaviour = engine.behaviour.as_deref().unwrap_or_default();
        let transaction = self.connection.client.transaction().await.map_err(failed)?;
        // Whoever deletes the row is the first. The same search in other runs is done with it.
        let delete = transaction
            .prepare(
                "DELETE FROM gainalyze.tasks USING gainalyze.runs WHERE tasks.key = $1 AND runs.id = tasks.run \
                 AND runs.behaviour = $2 RETURNING tasks.run",
            )
            .await
            .map_err(failed)?;
        let count = transaction
            .prepare(
                "INSERT INTO gainalyze.work_done (run, worker, segments, positions, nodes, busy_ms) \
                 VALUES ($1, $2, 1, $3, $4, $5) ON CONFLICT (run, worker) DO UPDATE SET \
                 segments = work_done.segments + 1, positions = work_done.positions + excluded.positions, \
                 nodes = work_done.nodes + excluded.nodes, busy_ms = work_done.busy_ms + excluded.busy_ms",
            )
            .await
            .map_err(failed)?;
        let mut is_first = Vec::with_capacity(finished.len());
        for Finish { task, result } in finished {
            let runs = transaction.query(&delete, &[&task.key, &behaviour]).await.map_err(failed)?;
            is_first.push(!runs.is_empty());
            if let Some(result) = result.as_ref().filter(|_| !runs.is_empty()) {
                let QueuedSegment { protocol, segment, .. } = task;
                write_segment(&transaction, engine, protocol, segment, &result.evaluations)
                    .await
                    .map_err(failed)?;
            }
            let [positions, nodes, busy] = effort(task, result.as_ref());
            for row in runs {
                let run: i64 = row.try_get(0).map_err(failed)?;
                transaction
                    .execute(&count, &[&run, &worker, &positions, &nodes, &busy])
                    .await
                    .map_err(failed)?;
            }
        }
        transaction.commit().await.map_err(failed)?;
        Ok(is_first)
    }

    /// Notes that an engine failed on a segment, which somebody else may try; after [`TRIES`] of such tries it is set aside.
    ///
    /// # Errors
    ///
    /// If the server cannot be asked.
    pub async fn fail(&mut self, task: &QueuedSegment, words: &str) -> Result<(), PostgresError> {
        self.fail_row(task.run, task.worker, &task.key, words).await
    }

    /// Notes that a row is no segment.
    ///
    /// # Errors
    ///
    /// If the server cannot be asked.
    pub async fn fail_faulty(
        &mut self,
        FaultyTask { run, worker, key }: &FaultyTask,
    ) -> Result<(), PostgresError> {
        self.fail_row(*run, *worker, key, "its row in the queue is no segment").await
    }

    async fn fail_row(
        &mut self,
        run: i64,
        worker: i64,
        key: &[u8],
        words: &str,
    ) -> Result<(), PostgresError> {
        self.execute(
            "WITH failed AS (UPDATE gainalyze.tasks SET worker = NULL, tries = tries + 1, is_set_aside = tries + 1 >= $5 \
             WHERE run = $1 AND worker = $2 AND key = $3 RETURNING run, key) \
             INSERT INTO gainalyze.failures (run, key, worker, words) SELECT run, key, $2, $4 FROM failed",
            &[&run, &worker, &key, &words, &TRIES],
        )
        .await?;
        Ok(())
    }

    /// Gives a segment back that was not tried.
    ///
    /// # Errors
    ///
    /// If the server cannot be asked.
    pub async fn give_back(&mut self, task: &QueuedSegment) -> Result<(), PostgresError> {
        self.execute(
            "UPDATE gainalyze.tasks SET worker = NULL WHERE run = $1 AND worker = $2 AND key = $3",
            &[&task.run, &task.worker, &task.key],
        )
        .await?;
        Ok(())
    }

    /// Shows that a worker lives, and tells whether it was taken for dead.
    ///
    /// # Errors
    ///
    /// If the server cannot be asked.
    pub async fn sign_of_life(&mut self, worker: i64) -> Result<Lease, PostgresError> {
        let rows = self
            .all(
                "UPDATE gainalyze.workers SET seen_at = now() WHERE id = $1 AND ended_at IS NULL \
                 RETURNING set_config('synchronous_commit', 'off', true)",
                &[&worker],
            )
            .await?;
        Ok(if rows.is_empty() { Lease::Lost } else { Lease::Kept })
    }

    /// Marks workers as lost whose lease has passed, and frees what they had in work. A server that was away itself counts from
    /// its start.
    ///
    /// # Errors
    ///
    /// If the server cannot be asked.
    pub async fn reclaim(&mut self) -> Result<(), PostgresError> {
        self.free(
            "UPDATE gainalyze.workers SET ended_at = now(), ending = 'lost' WHERE id IN ( \
             SELECT id FROM gainalyze.workers WHERE ended_at IS NULL \
             AND greatest(seen_at, pg_postmaster_start_time()) < now() - lease FOR UPDATE SKIP LOCKED) \
             RETURNING id, host, process",
        )
        .await
    }

    /// Frees what belongs to workers that are gone: one may have taken it in the very moment when it was marked as lost.
    ///
    /// # Errors
    ///
    /// If the server cannot be asked.
    pub async fn sweep(&mut self) -> Result<(), PostgresError> {
        self.free(
            "SELECT id, host, process FROM gainalyze.workers WHERE ended_at IS NOT NULL \
             AND EXISTS (SELECT FROM gainalyze.tasks WHERE worker = workers.id)",
        )
        .await
    }

    /// Frees what the workers of a query have in work.
    async fn free(&mut self, lost: &str) -> Result<(), PostgresError> {
        self.execute(
            &format!(
                "WITH lost AS ({lost}), \
                 freed AS (UPDATE gainalyze.tasks SET worker = NULL, tries = tries + 1, is_set_aside = tries + 1 >= $1 \
                 FROM lost WHERE tasks.worker = lost.id RETURNING tasks.run, tasks.key, lost.*) \
                 INSERT INTO gainalyze.failures (run, key, worker, words) SELECT run, key, id, \
                 format('worker %s (%s, process %s) was lost over it', id, host, process) FROM freed"
            ),
            &[&TRIES],
        )
        .await?;
        Ok(())
    }

    /// Marks a worker as gone, and gives back what it has in work.
    ///
    /// # Errors
    ///
    /// If the server cannot be asked.
    pub async fn leave(&mut self, worker: i64) -> Result<(), PostgresError> {
        self.execute("UPDATE gainalyze.tasks SET worker = NULL WHERE worker = $1", &[&worker]).await?;
        self.execute(
            "UPDATE gainalyze.workers SET ended_at = now(), ending = 'ended' WHERE id = $1 AND ended_at IS NULL",
            &[&worker],
        )
        .await?;
        Ok(())
    }

    /// Tells whether an engine has nothing to wait for: nothing of its runs waits or is in work, and nobody is about to put more.
    ///
    /// # Errors
    ///
    /// If the server cannot be asked.
    pub async fn is_over(&mut self, engine: &EngineStamp) -> Result<bool, PostgresError> {
        let row = self
            .one(
                "SELECT NOT EXISTS (SELECT FROM gainalyze.runs WHERE finished_at IS NULL AND engine = $1 AND options = $2 \
                 AND behaviour = $3 AND (seen_at > now() - interval '60 s' \
                 OR EXISTS (SELECT FROM gainalyze.tasks WHERE run = runs.id AND worker IS NULL AND NOT is_set_aside) \
                 OR EXISTS (SELECT FROM gainalyze.tasks WHERE run = runs.id AND worker IS NOT NULL))) AS is_over",
                &[&engine.name, &engine.options_json(), &engine.behaviour.as_deref().unwrap_or_default()],
            )
            .await?;
        self.read(row.try_get("is_over"))
    }
}

/// Returns positions, nodes and milliseconds of a finished segment; one that the store had cost nothing.
fn effort(task: &QueuedSegment, result: Option<&SegmentResult>) -> [i64; 3] {
    let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let nodes = result.map_or(0, |found| {
        found.evaluations.iter().filter_map(|(_, e)| e.nodes).fold(0, u64::saturating_add)
    });
    let busy = result.map_or(0, |found| u64::try_from(found.busy.as_millis()).unwrap_or(u64::MAX));
    [task.segment.searches().len() as i64, whole(nodes), whole(busy)]
}
