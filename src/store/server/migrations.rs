//! Tables of this program on a server: the migration to each version, and the check of the current one.

use tokio_postgres::{Client, Error, GenericClient, error::SqlState};

use super::{PostgresError, Result, ServerAccess, ServerFault};

/// The migrations from each version to the next: name and statements.
const MIGRATIONS: [(&str, &str); 2] =
    [("store", include_str!("migrations/1_store.sql")), ("queue", include_str!("migrations/2_queue.sql"))];

const VERSION: i32 = MIGRATIONS.len() as i32;

/// Statements that run before the first migration. The comment on the schema marks it as this program's.
const BEFORE: &str = "
    CREATE SCHEMA gainalyze;
    COMMENT ON SCHEMA gainalyze IS 'Evaluations of chess games, kept and shared by gainalyze';
    CREATE TABLE gainalyze.versions (
        version    integer PRIMARY KEY,
        name       text NOT NULL,
        program    text NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now()
    );
    COMMENT ON TABLE gainalyze.versions IS 'Which tables were made when; the highest number is the version of the schema';
";

/// Takes a lock that is held while tables are created. Only the owner of the table may take this lock, while
/// any user could hold an advisory lock.
const LOCK: &str = "LOCK TABLE gainalyze.versions IN EXCLUSIVE MODE";

/// Creates or upgrades the tables if necessary, in one transaction. A lock prevents other programs from doing
/// so at the same time. Fails if the tables are missing or old and this user may only read, or if they are of
/// a later version.
pub(super) async fn bring_up_to_date(client: &mut Client, server: &str, access: ServerAccess) -> Result<()> {
    let mut is_first = true;
    loop {
        let found = version(client, server).await?;
        let unmade = || match found {
            0 => ServerFault::Empty.of(server),
            found => ServerFault::Older { found, known: VERSION }.of(server),
        };
        match found {
            VERSION => return Ok(()),
            found if found > VERSION => return Err(ServerFault::Newer { found, known: VERSION }.of(server)),
            _ if access == ServerAccess::Read => return Err(unmade()),
            _ => {}
        }
        match migrate(client, found).await {
            Ok(()) => return Ok(()),
            // Another program has created the schema meanwhile.
            Err(error) if is_first && exists_already(&error) => is_first = false,
            Err(error) => {
                return Err(match PostgresError::of_query(server, &error) {
                    PostgresError::Of { fault: ServerFault::NotAllowed(_), .. } => unmade(),
                    error => error,
                });
            }
        }
    }
}

fn exists_already(error: &Error) -> bool {
    [SqlState::DUPLICATE_SCHEMA, SqlState::UNIQUE_VIOLATION].iter().any(|code| error.code() == Some(code))
}

async fn migrate(client: &mut Client, found: i32) -> Result<(), Error> {
    let transaction = client.transaction().await?;
    transaction.batch_execute("SET LOCAL lock_timeout = '30s'").await?;
    if found == 0 {
        transaction.batch_execute(BEFORE).await?;
    }
    transaction.batch_execute(LOCK).await?;
    // Another program may have upgraded the tables meanwhile.
    let found = last(&transaction).await?;
    for (version, (name, step)) in (1..).zip(MIGRATIONS).skip(usize::try_from(found).unwrap_or_default()) {
        transaction.batch_execute(step).await?;
        let made = "INSERT INTO gainalyze.versions (version, name, program) VALUES ($1, $2, $3)";
        transaction.execute(made, &[&version, &name, &env!("CARGO_PKG_VERSION")]).await?;
    }
    transaction.commit().await
}

async fn last(client: &impl GenericClient) -> Result<i32, Error> {
    let query = "SELECT coalesce(max(version), 0) FROM gainalyze.versions";
    client.query_one(query, &[]).await?.try_get(0)
}

async fn version(client: &impl GenericClient, server: &str) -> Result<i32> {
    let failed = |error| PostgresError::of_query(server, &error);
    let there = "SELECT count(DISTINCT n.oid), count(a.attname) FROM pg_namespace n \
                 LEFT JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = 'versions' AND c.relkind = 'r' \
                 LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname IN ('version', 'name', 'program') \
                 WHERE n.nspname = 'gainalyze'";
    let row = client.query_one(there, &[]).await.map_err(failed)?;
    match (row.get::<_, i64>(0), row.get::<_, i64>(1)) {
        (0, _) => Ok(0),
        (_, 3) => match last(client).await.map_err(failed)? {
            0 => Err(ServerFault::Foreign.of(server)),
            found => Ok(found),
        },
        _ => Err(ServerFault::Foreign.of(server)),
    }
}
