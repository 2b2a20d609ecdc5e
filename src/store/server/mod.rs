//! Owns the way to a PostgreSQL server: [`Connection`], whose server's version and tables this program knows.

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

/// The oldest server that is known to work: 13.
const OLDEST: i32 = 130_000;

/// What is to be done by a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerAccess {
    /// It reads and writes; the tables are made, or brought to this version, where they are not and the user may.
    Work,
    /// It reads, and the server refuses everything else.
    Read,
}

/// A connection to a server with the tables of this version. A task of the runtime in which it was opened drives it.
#[derive(Debug)]
pub struct Connection {
    /// Asks the server.
    pub client: Client,
    /// What the server tells without being asked, after a `LISTEN`; it ends when the connection does.
    pub notifications: mpsc::UnboundedReceiver<Notification>,
}

impl Connection {
    /// Connects to a server, and checks its version and its tables.
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

/// Carries what is said both ways until the connection ends. Whoever asks then hears that it has.
async fn drive<S, T>(
    mut connection: tokio_postgres::Connection<S, T>,
    tell: mpsc::UnboundedSender<Notification>,
) where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
    T: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin,
{
    while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
        if let AsyncMessage::Notification(notification) = message {
            // Nobody needs to listen.
            _ = tell.send(notification);
        }
    }
}
