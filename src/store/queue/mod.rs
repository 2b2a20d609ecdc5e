//! [`Queue`]: segments in PostgreSQL that wait for an engine on any machine.

mod run;
mod status;
mod task;
mod wanted;
mod worker;

use std::{collections::HashMap, time::Duration};

use tokio::time::timeout;
use tokio_postgres::{Row, Statement, types::ToSql};

pub use self::{
    run::{Progress, RunOrder},
    status::{FailureRecord, QueueRun, QueueState, WorkerRecord},
    task::{FaultyTask, QueuedSegment},
    worker::{Finish, Lease, WorkerCard},
};
use crate::store::server::{Address, Connection, PostgresError, Result, ServerAccess, ServerFault};

/// The channel that announces new segments, so that waiting workers need not poll for them.
const CHANNEL: &str = "gainalyze_queue";

/// Number of failed attempts after which a segment is set aside.
pub const TRIES: i32 = 3;

/// Returns SQL that clamps a number to the range of a count. Rows may contain any value, because many users
/// may write them.
fn count_of(number: &str) -> String {
    format!("least(greatest(coalesce({number}, 0), 0), {})::int8", 1_i64 << 60)
}

/// Returns SQL for the seconds since a time. A time before 2000 counts as 2000, a future time as now.
fn seconds_since(time: &str) -> String {
    format!("extract(epoch FROM now() - least(greatest({time}, timestamptz '2000-01-01'), now()))::float8")
}

/// Time limit for an answer, after which the connection counts as lost.
const ANSWER_LIMIT: Duration = Duration::from_secs(60);

/// A connection to the queue.
///
/// All times are compared on the server's clock. A segment belongs to its worker until the lease expires. The
/// first result of a segment completes it, with or without a lease. A later result of an engine with the same
/// behavior is dropped.
pub struct Queue {
    address: Address,
    access: ServerAccess,
    connection: Connection,
    statements: HashMap<String, Statement>,
}

impl Queue {
    /// Connects to the queue of a store. The queue's tables are created or upgraded if the user may do that.
    pub async fn connect(address: &Address, access: ServerAccess) -> Result<Queue> {
        let connection = Connection::open(address, access).await?;
        let mut queue = Queue { address: address.clone(), access, connection, statements: HashMap::new() };
        if access == ServerAccess::Work {
            queue.execute(&format!("LISTEN {CHANNEL}"), &[]).await?;
        }
        Ok(queue)
    }

    /// Replaces the connection by a new one.
    pub async fn reconnect(&mut self) -> Result<()> {
        *self = Queue::connect(&self.address, self.access).await?;
        Ok(())
    }

    pub fn describe(&self) -> String {
        self.address.to_string()
    }

    /// Waits for the announcement of new segments. If the announcement or the connection is lost, the method
    /// waits forever.
    pub async fn announced(&mut self) {
        if self.connection.notifications.recv().await.is_none() {
            // The connection is lost, which the next request will notice.
            std::future::pending::<()>().await;
        }
    }

    async fn all(&mut self, query: &str, parameters: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>> {
        let statement = self.prepared(query).await?;
        self.in_time(self.connection.client.query(&statement, parameters)).await
    }

    async fn one(&mut self, query: &str, parameters: &[&(dyn ToSql + Sync)]) -> Result<Row> {
        let statement = self.prepared(query).await?;
        self.in_time(self.connection.client.query_one(&statement, parameters)).await
    }

    async fn execute(&mut self, query: &str, parameters: &[&(dyn ToSql + Sync)]) -> Result<u64> {
        let statement = self.prepared(query).await?;
        self.in_time(self.connection.client.execute(&statement, parameters)).await
    }

    async fn prepared(&mut self, query: &str) -> Result<Statement> {
        if let Some(statement) = self.statements.get(query) {
            return Ok(statement.clone());
        }
        let statement = self.in_time(self.connection.client.prepare(query)).await?;
        self.statements.insert(query.to_owned(), statement.clone());
        Ok(statement)
    }

    async fn in_time<T>(&self, answer: impl Future<Output = Result<T, tokio_postgres::Error>>) -> Result<T> {
        let server = self.describe();
        in_time(&server, async { answer.await.map_err(|error| PostgresError::of_query(&server, &error)) })
            .await
    }

    /// Adds the server's address to the error of a value that was read from the queue.
    fn read<T>(&self, value: Result<T, tokio_postgres::Error>) -> Result<T> {
        value.map_err(|error| PostgresError::of_query(&self.describe(), &error))
    }
}

/// Waits for a server's answer. If it takes longer than the time limit, the connection counts as lost.
async fn in_time<T>(server: &str, answer: impl Future<Output = Result<T>>) -> Result<T> {
    timeout(ANSWER_LIMIT, answer).await.unwrap_or_else(|_| {
        let reason = format!("the server has not answered for {} s", ANSWER_LIMIT.as_secs());
        Err(ServerFault::Lost(reason).of(server))
    })
}
