//! [`Connection`]: a connection to a PostgreSQL server with checked version and tables.

mod address;
mod error;
mod migrations;
mod secrets;

use std::{future::poll_fn, path::Path, sync::Arc};

use rustls::{
    ClientConfig, RootCertStore, crypto::ring, pki_types::CertificateDer, pki_types::pem::PemObject,
};
use tokio::sync::mpsc;
use tokio_postgres::{AsyncMessage, Client, Notification};
use tokio_postgres_rustls::MakeRustlsConnect;

use self::address::Authorities;

pub(crate) use self::error::ServerFault;
pub use self::{address::Address, error::PostgresError, error::Result};

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
    pub async fn open(address: &Address, access: ServerAccess) -> Result<Connection> {
        let server = address.to_string();
        let connector = connector(&address.authorities)?;
        let (client, connection) = (address.config.connect(connector).await)
            .map_err(|error| PostgresError::of_connecting(&server, &error))?;
        let (tell, notifications) = mpsc::unbounded_channel();
        tokio::spawn(drive(connection, tell));
        let mut opened = Connection { client, notifications };
        opened.check(&server, access).await?;
        Ok(opened)
    }

    async fn check(&mut self, server: &str, access: ServerAccess) -> Result<()> {
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
            // The receiver may be gone, because not every user of a connection listens.
            _ = tell.send(notification);
        }
    }
}

/// Returns the encryption of connections. It always checks the server's certificate and name.
fn connector(authorities: &Authorities) -> Result<MakeRustlsConnect> {
    let roots = match authorities {
        // Never used: without authorities, the driver makes no encrypted connection.
        Authorities::Nobody => RootCertStore::empty(),
        Authorities::System => of_system()?,
        Authorities::In(path) => of_file(path)?,
    };
    let refused = |error: rustls::Error| unreadable("the system", &error);
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(refused)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

fn unreadable(path: &str, reason: &dyn ToString) -> PostgresError {
    PostgresError::RootCertificates(path.to_owned(), reason.to_string())
}

fn of_system() -> Result<RootCertStore> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    let (added, _) = roots.add_parsable_certificates(found.certs);
    match (added, found.errors.first()) {
        (0, Some(error)) => Err(unreadable("the system's certificates", error)),
        (0, None) => Err(unreadable("the system's certificates", &"there are none")),
        _ => Ok(roots),
    }
}

fn of_file(path: &Path) -> Result<RootCertStore> {
    let name = path.to_string_lossy();
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(path).map_err(|error| unreadable(&name, &error))? {
        let certificate = certificate.map_err(|error| unreadable(&name, &error))?;
        roots.add(certificate).map_err(|error| unreadable(&name, &error))?;
    }
    match roots.is_empty() {
        true => Err(unreadable(&name, &"there are none")),
        false => Ok(roots),
    }
}
