//! Origins of the evaluations on a server, and the behavior of their engines.

use sha2::{Digest, Sha256};
use tokio_postgres::{Client, Error, GenericClient, types::Type};

use super::{
    super::{EngineStamp, Origin, StoredBehavior, sealed::StoredSegment},
    segments::{FROM, FoundSegment, READ, columns},
    writing::{origin_digest, write_origin},
};

/// Returns whether this user may store evaluations.
pub(super) async fn is_writable(client: &mut Client) -> Result<bool, Error> {
    let query = "SELECT has_table_privilege('gainalyze.segments', 'INSERT') AND NOT pg_is_in_recovery()";
    client.query_typed_one(query, &[]).await?.try_get(0)
}

/// The columns of the origins table that determine an origin.
pub(super) const ORIGIN: &str = "engine, options::text AS options, search_limit, search_order, segment_length, lines, behaviour, engine_digest";

/// Lists the origins of evaluations. Ignores searches that are restricted to some moves. Of several builds
/// with equal behavior, lists only the build stored last.
pub(super) async fn all(client: &mut Client) -> Result<Vec<Origin>, Error> {
    let query = format!(
        "SELECT DISTINCT ON (engine, options, search_limit, search_order, segment_length, lines, behaviour, build) * \
         FROM (SELECT id, {ORIGIN}, CASE behaviour WHEN '' THEN engine_digest END AS build, \
               (SELECT max(stored_at) FROM gainalyze.segments s WHERE s.origin = o.id AND s.root_moves = '') AS last \
               FROM gainalyze.origins o) AS found WHERE last IS NOT NULL \
         ORDER BY engine, options, search_limit, search_order, segment_length, lines, behaviour, build, last DESC, \
         engine_digest"
    );
    let mut found = Vec::new();
    for row in client.query_typed(&query, &[]).await? {
        let columns = columns(&row, false, [String::new(), String::new()], None)?;
        found.extend(columns.origin(row.try_get("behaviour")?, row.try_get("engine_digest")?).map(|of| {
            let order = (columns.engine, columns.options, columns.limit, columns.order);
            (order, (columns.segment_length, columns.lines), of)
        }));
    }
    // PostgreSQL may sort texts in another order than SQLite.
    let place = |engine: &EngineStamp| (engine.behavior.clone().unwrap_or_default(), engine.digest.clone());
    found.sort_by(|(a, b, of), (c, d, other)| (a, b, place(&of.engine)).cmp(&(c, d, place(&other.engine))));
    Ok(found.into_iter().map(|(_, _, origin)| origin).collect())
}

fn digest_of_options(engine: &EngineStamp) -> Vec<u8> {
    Sha256::digest(engine.options_json()).to_vec()
}

pub(super) async fn behavior(
    client: &mut Client,
    engine: &EngineStamp,
    program: &str,
) -> Result<Option<StoredBehavior>, Error> {
    let query = "SELECT behaviour, micros, seal FROM gainalyze.engines \
                 WHERE program = $1 AND engine = $2 AND options = $3";
    let options = digest_of_options(engine);
    let row = client
        .query_typed_opt(
            query,
            &[(&program, Type::TEXT), (&engine.name, Type::TEXT), (&options, Type::BYTEA)],
        )
        .await?;
    let Some(row) = row else { return Ok(None) };
    let micros = u64::try_from(row.try_get::<_, i64>(1)?).unwrap_or_default();
    let known = StoredBehavior { digest: row.try_get(0)?, micros };
    let seal: Vec<u8> = row.try_get(2)?;
    Ok((known.seal(engine, program)[..] == seal[..]).then_some(known))
}

pub(super) async fn keep_behavior(
    client: &mut Client,
    engine: &EngineStamp,
    program: &str,
    behavior: &StoredBehavior,
) -> Result<(), Error> {
    let micros = i64::try_from(behavior.micros).unwrap_or(i64::MAX);
    let (options, seal) = (digest_of_options(engine), behavior.seal(engine, program));
    let transaction = client.transaction().await?;
    transaction
        .execute_typed(
            "INSERT INTO gainalyze.engines (program, engine, options, behaviour, micros, seal) \
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (program, engine, options) \
             DO UPDATE SET (behaviour, micros, seal) = (excluded.behaviour, excluded.micros, excluded.seal)",
            &[
                (&program, Type::TEXT),
                (&engine.name, Type::TEXT),
                (&options, Type::BYTEA),
                (&behavior.digest, Type::TEXT),
                (&micros, Type::INT8),
                (&&seal[..], Type::BYTEA),
            ],
        )
        .await?;
    set_behavior(&transaction, engine, &behavior.digest).await?;
    transaction.commit().await
}

/// Adds the behavior of an engine to segments that the same executable searched before its behavior was
/// known. These segments move to the origin with the behavior. A segment stays if it is damaged, or if that
/// origin already has a result of its search. If the user may only add rows, all segments stay.
async fn set_behavior(
    client: &impl GenericClient,
    engine: &EngineStamp,
    behavior: &str,
) -> Result<(), Error> {
    let query = format!(
        "SELECT {READ} FROM {FROM} WHERE o.behaviour = '' AND o.engine_digest = $1 AND o.engine = $2 \
         AND o.options::text = $3 AND has_table_privilege('gainalyze.segments', 'UPDATE') ORDER BY s.key"
    );
    let options = engine.options_json();
    let of =
        [(&engine.digest as _, Type::TEXT), (&engine.name as _, Type::TEXT), (&options as _, Type::TEXT)];
    for row in client.query_typed(&query, &of).await? {
        let found = FoundSegment::read(&row)?;
        let (key, origin) = (found.key.clone(), found.origin);
        let Ok(sealed) = found.sealed() else { continue };
        let told = StoredSegment { behavior: behavior.to_owned(), ..sealed.stored };
        write_origin(client, &told).await?;
        let to = origin_digest(&told.columns, behavior, &told.digest);
        let seal = told.seal(&key);
        client
            .execute_typed(
                "UPDATE gainalyze.segments SET (origin, seal) = (o.id, $4) FROM gainalyze.origins o \
                 WHERE o.digest = $3 AND key = $1 AND origin = $2 AND NOT EXISTS \
                 (SELECT FROM gainalyze.segments known WHERE known.key = $1 AND known.origin = o.id)",
                &[
                    (&key, Type::BYTEA),
                    (&origin, Type::INT4),
                    (&&to[..], Type::BYTEA),
                    (&&seal[..], Type::BYTEA),
                ],
            )
            .await?;
    }
    Ok(())
}
