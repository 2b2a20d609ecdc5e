//! Maintenance of a store on a server.

use std::collections::BTreeMap;

use shakmaty::Chess;
use tokio_postgres::{Client, Error, GenericClient, Row, types::Type};

use super::{
    super::EvaluationStore, super::Origin, super::Result, super::SealedSegment, super::StoreError,
    super::positions, super::positions::KnownLine, super::sealed::MergeVerdict, super::sealed::StoredSegment,
    super::upkeep::KeptStore, super::upkeep::MergeOutcome, super::upkeep::Pruned, super::upkeep::Pruning,
    super::upkeep::StoreShare, PostgresStore, origins::ORIGIN, segments, segments::FROM,
    segments::FoundSegment, segments::READ, segments::columns, segments::of_searches, writing::write_all,
};

const AT_ONCE: i64 = 500;

impl KeptStore for PostgresStore {
    /// Returns nothing, because the server's own tools check its files.
    fn faults(&self) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn bytes(&self) -> Result<u64> {
        let query = "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c \
                     JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'gainalyze' AND c.relkind = 'r'";
        self.number(query)
    }

    fn number_set_aside(&self) -> Result<u64> {
        self.number("SELECT count(*) FROM gainalyze.set_aside")
    }

    fn shares(&self) -> Result<Vec<StoreShare>> {
        let found = self.ask(shares)?;
        let mut shares: Vec<StoreShare> = Vec::new();
        for share in found {
            match shares.iter_mut().find(|known| is_of_same_engine(&known.origin, &share.origin)) {
                Some(known) => {
                    known.segments += share.segments;
                    known.positions += share.positions;
                    known.first = share.first.min(std::mem::take(&mut known.first));
                    known.last = share.last.max(std::mem::take(&mut known.last));
                }
                None => shares.push(share),
            }
        }
        Ok(shares)
    }

    fn each(&self, hear: &mut dyn FnMut(Result<SealedSegment, String>) -> bool) -> Result<()> {
        let mut after = Vec::new();
        loop {
            let last = after.clone();
            let found = self.ask(async move |client: &mut Client| page(client, &last).await)?;
            let Some(last) = found.last() else { return Ok(()) };
            after.clone_from(&last.key);
            for one in found {
                let name = one.name();
                if !hear(one.sealed().map_err(|fault| format!("{name}: {fault}"))) {
                    return Ok(());
                }
            }
        }
    }

    fn prune(&mut self, pruning: &Pruning) -> Result<Pruned> {
        if self.is_read_only() && !pruning.is_rehearsal {
            return Err(StoreError::ReadOnly(self.describe()));
        }
        let pruning = pruning.clone();
        self.ask(async move |client: &mut Client| prune(client, &pruning).await)
    }

    fn merge(&mut self, other: &dyn KeptStore) -> Result<MergeOutcome> {
        if self.is_read_only() {
            return Err(StoreError::ReadOnly(self.describe()));
        }
        self.once("BEGIN")?;
        let merged = self.merge_within(other);
        match &merged {
            Ok(_) => self.once("COMMIT")?,
            // If the connection is lost, the server has already rolled back.
            Err(_) => _ = self.once("ROLLBACK"),
        }
        merged
    }

    fn known_of(&self, position: &Chess) -> Result<Vec<KnownLine>> {
        let (fields, usual) = positions::fields_of(position);
        let found = self.ask(async move |client: &mut Client| of_position(client, &fields, usual).await)?;
        let whole = found.into_iter().filter_map(|one| one.sealed().ok());
        Ok(whole.filter_map(|sealed| positions::known_lines(&sealed).ok()).flatten().collect())
    }
}

impl PostgresStore {
    fn number(&self, query: &'static str) -> Result<u64> {
        let work =
            async move |client: &mut Client| client.query_typed_one(query, &[]).await?.try_get::<_, i64>(0);
        let found = self.ask(work)?;
        Ok(u64::try_from(found).unwrap_or_default())
    }

    /// Runs a statement that must not be repeated on another connection.
    fn once(&self, statement: &'static str) -> Result<()> {
        let work = async move |client: &mut Client| client.batch_execute(statement).await;
        self.link.call(&self.name, move |link| Ok(link.attempt(&work)?))
    }

    fn merge_within(&self, other: &dyn KeptStore) -> Result<MergeOutcome> {
        let (mut outcome, mut ended, mut batch) = (MergeOutcome::default(), Ok(()), Vec::new());
        other.each(&mut |found| {
            match found {
                Ok(sealed) => batch.push(sealed),
                Err(fault) => outcome.damaged.push(fault),
            }
            if batch.len() as i64 >= AT_ONCE {
                ended = self.merge_batch(std::mem::take(&mut batch), other, &mut outcome);
            }
            ended.is_ok()
        })?;
        ended?;
        self.merge_batch(batch, other, &mut outcome)?;
        Ok(outcome)
    }

    fn merge_batch(
        &self,
        batch: Vec<SealedSegment>,
        other: &dyn KeptStore,
        outcome: &mut MergeOutcome,
    ) -> Result<()> {
        let work = async move |client: &mut Client| take_over(client, batch.clone()).await;
        let taken = self.link.call(&self.name, move |link| Ok(link.attempt(&work)?))?;
        for one in taken {
            let contradiction = |search| StoreError::Contradiction {
                store: self.describe(),
                other: other.describe(),
                search,
            };
            outcome.count(one).map_err(contradiction)?;
        }
        Ok(())
    }
}

/// Compares segments of another store with the segments here, and writes the new segments. Returns a verdict
/// for each segment.
async fn take_over(client: &mut Client, batch: Vec<SealedSegment>) -> Result<Vec<MergeVerdict>, Error> {
    let keys: Vec<Vec<u8>> = batch.iter().map(|sealed| sealed.key.clone()).collect();
    let mut ours: BTreeMap<Vec<u8>, Vec<FoundSegment>> = BTreeMap::new();
    for one in of_searches(client, &keys).await? {
        ours.entry(one.key.clone()).or_default().push(one);
    }
    let (mut taken, mut written) = (Vec::new(), BTreeMap::<Vec<u8>, Vec<StoredSegment>>::new());
    for sealed in batch {
        let mut verdict = None;
        for one in ours.get(&sealed.key).into_iter().flatten() {
            if sealed.is_of_build(&one.behavior, &one.digest) {
                match &one.rows {
                    Ok(known) => verdict = Some(sealed.against(known)),
                    Err(fault) => {
                        segments::set_aside(client, &one.key, one.origin, &fault.to_string()).await?
                    }
                }
            }
        }
        // The segments of this batch that are not on the server yet.
        for StoredSegment { behavior, digest, rows, .. } in written.get(&sealed.key).into_iter().flatten() {
            if sealed.is_of_build(behavior, digest) {
                verdict = Some(sealed.against(rows));
            }
        }
        if verdict.is_none() {
            written.entry(sealed.key).or_default().push(sealed.stored);
        }
        taken.push(verdict.unwrap_or(MergeVerdict::Added));
    }
    write_all(client, &written.into_values().flatten().collect::<Vec<_>>()).await?;
    Ok(taken)
}

/// Reads the segments with the next keys after `after`.
async fn page(client: &mut Client, after: &[u8]) -> Result<Vec<FoundSegment>, Error> {
    let query = format!(
        "SELECT {READ} FROM {FROM} WHERE s.key IN \
         (SELECT DISTINCT key FROM gainalyze.segments WHERE key > $1 ORDER BY key LIMIT $2) ORDER BY s.key"
    );
    let rows = client.query_typed(&query, &[(&after, Type::BYTEA), (&AT_ONCE, Type::INT8)]).await?;
    let mut found = rows.iter().map(FoundSegment::read).collect::<Result<Vec<_>, _>>()?;
    // PostgreSQL may sort texts in another order than SQLite.
    let place = |one: &FoundSegment| (one.key.clone(), one.behavior.clone(), one.digest.clone());
    found.sort_by_cached_key(place);
    Ok(found)
}

async fn of_position(client: &mut Client, fields: &str, usual: bool) -> Result<Vec<FoundSegment>, Error> {
    let query = format!(
        "SELECT {READ} FROM {FROM} WHERE s.moves = '' \
         AND (s.start_fen LIKE $1 OR ($2 AND s.start_fen IS NULL)) \
         ORDER BY o.engine COLLATE \"C\", o.search_limit COLLATE \"C\", o.lines, length(s.root_moves) = 0 DESC, \
         length(s.root_moves) DESC, s.stored_at, s.key, s.origin"
    );
    // These fields contain no characters with a meaning in a pattern.
    let pattern = format!("{fields} %");
    let rows = client.query_typed(&query, &[(&pattern, Type::TEXT), (&usual, Type::BOOL)]).await?;
    rows.iter().map(FoundSegment::read).collect()
}

fn origin_of(row: &Row) -> Result<Option<Origin>, Error> {
    let columns = columns(row, false, [String::new(), String::new()], None)?;
    Ok(columns.origin(row.try_get("behaviour")?, row.try_get("engine_digest")?))
}

async fn shares(client: &mut Client) -> Result<Vec<StoreShare>, Error> {
    let at = |what: &str| {
        format!("to_char({what}(stored_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')")
    };
    let (first, last) = (at("min"), at("max"));
    let query = format!(
        "SELECT o.*, s.segments, s.positions, s.first, s.last FROM \
         (SELECT origin, count(*) AS segments, sum(cardinality(ply))::bigint AS positions, {first} AS first, \
          {last} AS last FROM gainalyze.segments GROUP BY origin) AS s \
         JOIN (SELECT id, {ORIGIN} FROM gainalyze.origins) AS o ON o.id = s.origin \
         ORDER BY o.engine COLLATE \"C\", o.search_limit COLLATE \"C\", o.search_order COLLATE \"C\", \
         o.segment_length, o.lines, o.engine_digest COLLATE \"C\""
    );
    let mut shares = Vec::new();
    for row in client.query_typed(&query, &[]).await? {
        let Some(origin) = origin_of(&row)? else { continue };
        let number =
            |name: &str| row.try_get::<_, i64>(name).map(|count| u64::try_from(count).unwrap_or_default());
        let (segments, positions) = (number("segments")?, number("positions")?);
        let (first, last) = (row.try_get("first")?, row.try_get("last")?);
        shares.push(StoreShare { origin, segments, positions, first, last });
    }
    Ok(shares)
}

/// Returns whether two origins have the same engine and the same protocol. Builds with equal behavior are the
/// same engine. If both behaviors are unknown, only the same executable is the same engine.
fn is_of_same_engine(one: &Origin, other: &Origin) -> bool {
    let of = |origin: &Origin| (origin.engine.name.clone(), origin.engine.options.clone(), origin.protocol);
    of(one) == of(other)
        && one.engine.behavior == other.engine.behavior
        && (one.engine.behavior.is_some() || one.engine.digest == other.engine.digest)
}

async fn prune(client: &mut Client, pruning: &Pruning) -> Result<Pruned, Error> {
    let transaction = client.transaction().await?;
    let mut pruned = Pruned::default();
    if let Some(filter) = &pruning.origins {
        let mut wanted: Vec<i32> = Vec::new();
        for row in
            transaction.query_typed(&format!("SELECT id, {ORIGIN} FROM gainalyze.origins"), &[]).await?
        {
            if origin_of(&row)?.is_some_and(|origin| filter.wants(&origin)) {
                wanted.push(row.try_get("id")?);
            }
        }
        pruned.segments = match pruning.is_rehearsal {
            true => counted(&transaction, "gainalyze.segments WHERE origin = ANY($1)", &wanted).await?,
            false => remove(&transaction, &wanted).await?,
        };
    }
    if pruning.set_aside {
        pruned.set_aside = match pruning.is_rehearsal {
            true => {
                counted(&transaction, "gainalyze.set_aside WHERE $1::int[] IS NOT NULL", &Vec::new()).await?
            }
            false => transaction.execute_typed("DELETE FROM gainalyze.set_aside", &[]).await?,
        };
    }
    transaction.commit().await?;
    Ok(pruned)
}

async fn counted(client: &impl GenericClient, what: &str, origins: &Vec<i32>) -> Result<u64, Error> {
    let query = format!("SELECT count(*) FROM {what}");
    let row = client.query_typed_one(&query, &[(origins, Type::INT4_ARRAY)]).await?;
    Ok(u64::try_from(row.try_get::<_, i64>(0)?).unwrap_or_default())
}

/// Removes origins with all of their segments. Returns the number of these segments.
async fn remove(client: &impl GenericClient, origins: &Vec<i32>) -> Result<u64, Error> {
    let of = [(origins as &(dyn tokio_postgres::types::ToSql + Sync), Type::INT4_ARRAY)];
    let removed = client.execute_typed("DELETE FROM gainalyze.segments WHERE origin = ANY($1)", &of).await?;
    client.execute_typed("DELETE FROM gainalyze.origins WHERE id = ANY($1)", &of).await?;
    Ok(removed)
}
