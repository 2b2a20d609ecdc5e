//! The queue as used by a run: placing segments, and following their progress.

use super::{CHANNEL, Queue, count_of, in_time, status::Fleet};
use crate::chess::Segment;
use crate::store::{EngineStamp, Origin, columns::SearchColumns, server::PostgresError, server::Result};

const BATCH: usize = 2000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunOrder {
    /// SHA-256 of everything that the run searches. Two equal commands have the same digest, so they are one
    /// run.
    pub digest: [u8; 32],
    /// A name for the run's games, for display.
    pub name: String,
    /// Runs with higher values go first.
    pub priority: i32,
    pub engine: EngineStamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Positions finished by workers, among all positions that were ever placed for the run.
    pub positions_done: u64,
    pub in_work: u64,
    pub set_aside: u64,
    pub is_drained: bool,
}

impl Queue {
    /// Registers a run, or resumes it with the priority of `order`. Returns the number of the run.
    pub async fn open_run(&mut self, order: &RunOrder) -> Result<i64> {
        self.forget_old().await?;
        let RunOrder { digest, name, priority, engine } = order;
        let row = self
            .one(
                "INSERT INTO gainalyze.runs (digest, name, priority, engine, options, behaviour) VALUES ($1, $2, $3, $4, $5, $6) \
                 ON CONFLICT (digest) DO UPDATE SET priority = excluded.priority, finished_at = NULL, seen_at = now() \
                 RETURNING id",
                &[
                    &digest.as_slice(),
                    name,
                    priority,
                    &engine.name,
                    &engine.options_json(),
                    &engine.known_behavior(),
                ],
            )
            .await?;
        self.read(row.try_get("id"))
    }

    /// Deletes runs that ended over a month ago, and workers that ended over a month ago and did no work for
    /// a remaining run.
    async fn forget_old(&mut self) -> Result<()> {
        self.execute("DELETE FROM gainalyze.runs WHERE finished_at < now() - interval '30 days'", &[])
            .await?;
        self.execute(
            "DELETE FROM gainalyze.workers WHERE ended_at < now() - interval '30 days' \
             AND NOT EXISTS (SELECT FROM gainalyze.work_done WHERE worker = workers.id)",
            &[],
        )
        .await?;
        Ok(())
    }

    /// Places those segments of a run that are neither in the queue nor stored, and announces them. Returns
    /// the number of placed segments. After an error, segments that were already placed stay in the queue.
    pub async fn put(&mut self, run: i64, origin: &Origin, segments: &[&Segment]) -> Result<u64> {
        let mut put = 0;
        for batch in segments.chunks(BATCH) {
            let server = self.describe();
            put += in_time(&server.clone(), self.put_batch(&server, run, origin, batch)).await?;
            self.execute("SELECT pg_notify($1, '')", &[&CHANNEL]).await?;
        }
        Ok(put)
    }

    async fn put_batch(
        &mut self,
        server: &str,
        run: i64,
        origin: &Origin,
        batch: &[&Segment],
    ) -> Result<u64> {
        let failed = |error| PostgresError::of_query(server, &error);
        let Origin { engine, protocol } = origin;
        let (limit, order) = (protocol.limit.to_string(), protocol.order.to_string());
        let length = i64::try_from(protocol.segment).unwrap_or(i64::MAX);
        let lines = i32::try_from(protocol.lines.get()).unwrap_or(i32::MAX);
        let searches: Vec<_> = batch.iter().map(|segment| SearchColumns::of(origin, segment)).collect();
        let plies =
            |of: fn(&Segment) -> usize| batch.iter().map(|segment| ply(of(segment))).collect::<Vec<i32>>();
        let texts = |of: fn(&SearchColumns) -> &str| searches.iter().map(of).collect::<Vec<&str>>();
        let transaction = self.connection.client.transaction().await.map_err(failed)?;
        let rows = transaction
            .query(
                "INSERT INTO gainalyze.tasks (key, run, positions, first_ply, search_limit, search_order, segment_length, \
                 start_fen, chess960, moves, lines, root_moves) \
                 SELECT key, $1, positions, first_ply, $2, $3, $4, start_fen, chess960, moves, $5, root_moves \
                 FROM unnest($6::bytea[], $7::int4[], $8::int4[], $9::text[], $10::bool[], $11::text[], $12::text[]) \
                 AS new (key, positions, first_ply, start_fen, chess960, moves, root_moves) \
                 WHERE NOT EXISTS (SELECT FROM gainalyze.segments JOIN gainalyze.origins ON origins.id = segments.origin \
                 WHERE segments.key = new.key AND origins.behaviour = $13) \
                 ON CONFLICT DO NOTHING RETURNING key",
                &[
                    &run,
                    &limit,
                    &order,
                    &length,
                    &lines,
                    &searches.iter().map(|search| search.key().to_vec()).collect::<Vec<_>>(),
                    &plies(|segment| segment.searches().len()),
                    &plies(Segment::first),
                    &searches.iter().map(|search| search.start_fen.as_deref()).collect::<Vec<_>>(),
                    &searches.iter().map(|search| search.chess960).collect::<Vec<_>>(),
                    &texts(|search| &search.moves),
                    &texts(|search| &search.root_moves),
                    &engine.known_behavior(),
                ],
            )
            .await
            .map_err(failed)?;
        let keys: Result<Vec<Vec<u8>>, _> = rows.iter().map(|row| row.try_get("key")).collect();
        // A worker may have finished a task meanwhile, and its result was not yet visible to the first
        // request.
        let row = transaction
            .query_one(
                &format!(
                    "WITH known AS (DELETE FROM gainalyze.tasks WHERE run = $1 AND key = ANY($2) \
                     AND EXISTS (SELECT FROM gainalyze.segments JOIN gainalyze.origins ON origins.id = segments.origin \
                     WHERE segments.key = tasks.key AND origins.behaviour = $3) RETURNING key), \
                     total AS (SELECT count(*) AS segments, coalesce(sum(positions), 0) AS positions FROM gainalyze.tasks \
                     WHERE run = $1 AND key = ANY($2) AND key NOT IN (SELECT key FROM known)), \
                     counted AS (UPDATE gainalyze.runs SET segments = {}, positions = {}, seen_at = now() \
                     FROM total WHERE id = $1) SELECT segments FROM total",
                    count_of("runs.segments::numeric + total.segments"),
                    count_of("runs.positions::numeric + total.positions"),
                ),
                &[&run, &keys.map_err(failed)?, &engine.known_behavior()],
            )
            .await
            .map_err(failed)?;
        transaction.commit().await.map_err(failed)?;
        Ok(row.try_get::<_, i64>("segments").map_err(failed)?.unsigned_abs())
    }

    /// Records that a process waits for a run, frees the segments of lost workers, and returns the run's
    /// progress.
    pub async fn progress(&mut self, run: i64) -> Result<Progress> {
        self.execute(
            "UPDATE gainalyze.runs SET seen_at = now() WHERE id = $1 AND seen_at < now() - interval '5 s'",
            &[&run],
        )
        .await?;
        self.reclaim().await?;
        self.sweep().await?;
        let row = self
            .one(
                &format!(
                    "SELECT (SELECT {} FROM gainalyze.work_done WHERE run = $1) AS positions_done, \
                     (SELECT count(*) FROM gainalyze.tasks WHERE run = $1 AND worker IS NOT NULL) AS in_work, \
                     (SELECT count(*) FROM gainalyze.tasks WHERE run = $1 AND is_set_aside) AS set_aside, \
                     NOT EXISTS (SELECT FROM gainalyze.tasks WHERE run = $1 AND worker IS NULL AND NOT is_set_aside) \
                     AS none_waits",
                    count_of("sum(positions)")
                ),
                &[&run],
            )
            .await?;
        let count = |name: &str| row.try_get::<_, i64>(name).map(i64::unsigned_abs);
        let in_work = self.read(count("in_work"))?;
        Ok(Progress {
            positions_done: self.read(count("positions_done"))?,
            in_work,
            set_aside: self.read(count("set_aside"))?,
            is_drained: in_work == 0 && self.read(row.try_get("none_waits"))?,
        })
    }

    /// Counts the workers that serve an engine's runs, and the engines that these workers run at a time.
    pub async fn fleet(&mut self, engine: &EngineStamp) -> Result<Fleet> {
        let row = self
            .one(
                "SELECT count(*) AS workers, coalesce(sum(jobs), 0)::int8 AS jobs FROM gainalyze.workers \
                 WHERE ended_at IS NULL AND engine = $1 AND options = $2 AND behaviour = $3",
                &[&engine.name, &engine.options_json(), &engine.known_behavior()],
            )
            .await?;
        let count = |name: &str| row.try_get::<_, i64>(name).map(i64::unsigned_abs);
        Ok(Fleet { workers: self.read(count("workers"))?, jobs: self.read(count("jobs"))? })
    }

    /// Returns the error of the last attempt for a segment that is set aside; `None` if the segment is not
    /// set aside.
    pub async fn last_error(
        &mut self,
        run: i64,
        origin: &Origin,
        segment: &Segment,
    ) -> Result<Option<String>> {
        let key = SearchColumns::of(origin, segment).key();
        let rows = self
            .all(
                "SELECT coalesce((SELECT words FROM gainalyze.failures WHERE failures.run = tasks.run \
                 AND failures.key = tasks.key ORDER BY id DESC LIMIT 1), '') AS words \
                 FROM gainalyze.tasks WHERE run = $1 AND key = $2 AND is_set_aside",
                &[&run, &key.as_slice()],
            )
            .await?;
        rows.first().map(|row| self.read(row.try_get("words"))).transpose()
    }

    /// Marks a run as finished. After that, workers that end when the queue is empty no longer wait for this
    /// run.
    pub async fn finish_run(&mut self, run: i64) -> Result<()> {
        self.execute("UPDATE gainalyze.runs SET finished_at = now() WHERE id = $1", &[&run]).await?;
        Ok(())
    }
}

/// Converts a ply. No game is too long for the type.
fn ply(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
