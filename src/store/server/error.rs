//! [`PostgresError`]: reasons why a PostgreSQL server cannot be used.

use std::{error::Error, io};

use tokio_postgres::error::SqlState;

use crate::base::{address::PASSWORD_IN_ADDRESS, text::printable, variable::VariableError};

/// The reason why a server cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PostgresError {
    /// The text is not an address. The message contains no part of the text, which may include a password.
    #[error("invalid address of a PostgreSQL server: {0}; write postgres://USER@HOST:PORT/DATABASE")]
    Address(String),
    /// An environment variable has a value that cannot be used.
    #[error(transparent)]
    Variable(#[from] VariableError),
    /// The address contains a password.
    #[error("{PASSWORD_IN_ADDRESS}")]
    PasswordInAddress,
    /// No file defines the service, or the file cannot be read.
    #[error("PostgreSQL service {0:?}: {1}")]
    Service(String, String),
    /// The certificates of the trusted authorities, from a file or from the system, cannot be read.
    #[error("{0}: cannot read certificates: {1}")]
    RootCertificates(String, String),
    /// A fault of one server.
    #[error("{server}: {fault}")]
    Of {
        /// The server's address without a password.
        server: String,
        /// The reason why this server cannot be used.
        fault: ServerFault,
    },
}

/// A fault of a server. The text in a variant comes from the server or the system.
#[derive(Debug, thiserror::Error)]
pub enum ServerFault {
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),
    #[error(
        "the server requires a password; put the password into PGPASSWORD, a service file, or ~/.pgpass \
         (PGPASSFILE), which must be readable by you only"
    )]
    NoPassword,
    #[error("the server rejects this user: {0}")]
    Refused(String),
    #[error(
        "no encrypted connection: {0}; if a private authority signed the server's certificate, give the authority's \
         certificate with sslrootcert=FILE; sslmode=disable turns encryption off"
    )]
    Certificate(String),
    #[error("the version of the server is {0}; this program needs 13 or later")]
    TooOld(String),
    #[error("the schema gainalyze was not made by this program; name another database, or rename the schema")]
    Foreign,
    #[error("the database has no store yet; the owner creates a store with `gainalyze store stats ADDRESS`")]
    Empty,
    #[error(
        "the store has version {found}, but this program supports version {known}; use a newer gainalyze"
    )]
    Newer { found: i32, known: i32 },
    #[error(
        "the store has version {found}, but this program needs version {known}; the owner upgrades the store \
         with `gainalyze store stats ADDRESS`"
    )]
    Older { found: i32, known: i32 },
    #[error("the tables of the store are in use and could not be changed within 30 s ({0}); try again later")]
    Held(String),
    #[error("this user lacks a permission: {0}")]
    NotAllowed(String),
    #[error(
        "the database is read-only ({0}): the server is a standby or configured as read-only, or a pooler shares \
         session settings; for a pooler, set pool_mode to session"
    )]
    ReadOnly(String),
    #[error("the connection was lost: {0}")]
    Lost(String),
    #[error(
        "a pooler gives each transaction another connection ({0}), but this program needs one connection for \
         all; set pool_mode to session"
    )]
    Pooled(String),
    #[error("{0}")]
    Query(String),
}

impl ServerFault {
    pub(in crate::store) fn of(self, server: &str) -> PostgresError {
        PostgresError::Of { server: server.to_owned(), fault: self }
    }
}

/// The result of using a server.
pub type Result<T, E = PostgresError> = std::result::Result<T, E>;

impl PostgresError {
    /// Returns whether a retry on a new connection may succeed.
    pub fn is_transient(&self) -> bool {
        matches!(self, PostgresError::Of { fault: ServerFault::Lost(_) | ServerFault::Unreachable(_), .. })
    }

    pub(super) fn of_connecting(server: &str, error: &tokio_postgres::Error) -> PostgresError {
        let reason = in_words(error);
        let fault = match error.code() {
            Some(code) if is_passing(code) => ServerFault::Unreachable(reason),
            Some(_) => ServerFault::Refused(reason),
            None if reason.contains("password missing") => ServerFault::NoPassword,
            None if reason.contains("TLS") => ServerFault::Certificate(innermost(error)),
            None => ServerFault::Unreachable(reason),
        };
        fault.of(server)
    }

    pub(crate) fn of_query(server: &str, error: &tokio_postgres::Error) -> PostgresError {
        let fault = match error.code() {
            Some(code) if is_passing(code) => ServerFault::Lost,
            Some(&SqlState::INSUFFICIENT_PRIVILEGE) => ServerFault::NotAllowed,
            Some(&SqlState::READ_ONLY_SQL_TRANSACTION) => ServerFault::ReadOnly,
            Some(&SqlState::LOCK_NOT_AVAILABLE) => ServerFault::Held,
            Some(&SqlState::DUPLICATE_PSTATEMENT | &SqlState::INVALID_SQL_STATEMENT_NAME) => {
                ServerFault::Pooled
            }
            None if error.is_closed() || has_io(error) => ServerFault::Lost,
            _ => ServerFault::Query,
        };
        fault(in_words(error)).of(server)
    }
}

/// Returns whether the code means a passing state: the server restarts or is full, or two transactions
/// conflict. These are classes 08 (connection), 40 (rolled back), 53 (no room) and 57P (ended by the server).
fn is_passing(code: &SqlState) -> bool {
    ["08", "40", "53", "57P"].iter().any(|class| code.code().starts_with(class))
}

fn causes(error: &tokio_postgres::Error) -> Vec<&(dyn Error + 'static)> {
    let (mut causes, mut next): (Vec<&(dyn Error + 'static)>, _) = (vec![error], error.source());
    while let Some(cause) = next {
        causes.push(cause);
        next = cause.source();
    }
    causes
}

fn has_io(error: &tokio_postgres::Error) -> bool {
    causes(error).iter().any(|cause| cause.is::<io::Error>())
}

fn innermost(error: &tokio_postgres::Error) -> String {
    causes(error).last().map_or_else(String::new, ToString::to_string)
}

fn in_words(error: &tokio_postgres::Error) -> String {
    match error.as_db_error() {
        // The server's words are untrusted.
        Some(said) => printable(said.message()),
        None => causes(error).iter().map(ToString::to_string).collect::<Vec<_>>().join(": "),
    }
}
