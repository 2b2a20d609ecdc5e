//! [`Connection`]: a connection to a PostgreSQL server with checked version and tables.

mod address;
mod error;
mod migrations;
mod secrets;
mod tls;
pub(crate) mod waiting;

use std::future::poll_fn;

use tokio::sync::mpsc;
use tokio_postgres::{AsyncMessage, Client, Notification};

pub(crate) use self::error::ServerFault;
pub(crate) use self::waiting::Pause;
pub use self::{address::Address, error::PostgresError};

/// The oldest supported server version: 13.
const OLDEST: i32 = 130_000;

/// The purpose of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerAccess {
    /// Read and write. Missing or older tables are created or upgraded if the user may do that.
    Work,
    /// Read only; the server rejects everything else.
    Read,
}

/// A connection to a server that has the tables of this version. A task drives the connection, in the runtime
/// in which the connection was opened.
#[derive(Debug)]
pub struct Connection {
    /// The client for queries.
    pub client: Client,
    /// Notifications after a `LISTEN`; they end with the connection.
    pub notifications: mpsc::UnboundedReceiver<Notification>,
}

impl Connection {
    /// Connects to a server, and checks its version and its tables. With [`ServerAccess::Work`], missing or
    /// older tables are created or upgraded.
    pub async fn open(address: &Address, access: ServerAccess) -> Result<Connection, PostgresError> {
        let server = address.to_string();
        let connector = tls::connector(&address.authorities)?;
        let (client, connection) = (address.config.connect(connector).await)
            .map_err(|error| PostgresError::of_connecting(&server, &error))?;
        let (tell, notifications) = mpsc::unbounded_channel();
        tokio::spawn(drive(connection, tell));
        let mut opened = Connection { client, notifications };
        opened.check(&server, access).await?;
        Ok(opened)
    }

    async fn check(&mut self, server: &str, access: ServerAccess) -> Result<(), PostgresError> {
        let failed = |error| PostgresError::of_query(server, &error);
        let row = self
            .client
            .query_one(
                "SELECT current_setting('server_version_num')::int, current_setting('server_version')",
                &[],
            )
            .await
            .map_err(failed)?;
        if row.get::<_, i32>(0) < OLDEST {
            return Err(ServerFault::TooOld(row.get(1)).of(server));
        }
        let read_only =
            if access == ServerAccess::Read { "SET default_transaction_read_only = on;" } else { "" };
        let usual = format!(
            "SET search_path = gainalyze, pg_catalog; SET client_min_messages = warning; {read_only}"
        );
        self.client.batch_execute(&usual).await.map_err(failed)?;
        migrations::bring_up_to_date(&mut self.client, server, access).await
    }
}

/// Drives the connection until it ends. Waiting queries then get an error.
async fn drive<S, T>(
    mut connection: tokio_postgres::Connection<S, T>,
    tell: mpsc::UnboundedSender<Notification>,
) where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
    T: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
{
    while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
        if let AsyncMessage::Notification(notification) = message {
            // There may be no listener.
            _ = tell.send(notification);
        }
    }
}
