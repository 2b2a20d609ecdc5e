//! Owns [`PostgresError`]: why a PostgreSQL server cannot be used, a sentence for each reason.

use std::{error::Error, io};

use tokio_postgres::error::SqlState;

use crate::chess::text::printable;
use crate::store::naming::PASSWORD_IN_ADDRESS;

/// Why a server cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PostgresError {
    /// It is no address.
    #[error(
        "that is no address of a PostgreSQL server, which is postgres://USER@HOST:PORT/DATABASE: {reason}"
    )]
    Address {
        /// What is wrong with it, in words that have nothing of it.
        reason: String,
    },
    /// A password on the command line.
    #[error("{PASSWORD_IN_ADDRESS}")]
    PasswordInAddress,
    /// A service that no file has, or a file that cannot be read.
    #[error("the service {service:?} of a PostgreSQL server: {reason}")]
    Service {
        /// Its name.
        service: String,
        /// What is wrong.
        reason: String,
    },
    /// The file of authorities.
    #[error("{path}: no certificates can be read there: {reason}")]
    RootCertificates {
        /// The file, or what the system has.
        path: String,
        /// The system's words.
        reason: String,
    },
    /// A fault of one server.
    #[error("{server}: {fault}")]
    Of {
        /// Its address without a password.
        server: String,
        /// Its fault.
        fault: ServerFault,
    },
}

/// A server's fault; a text is what the server or the system says.
#[derive(Debug, thiserror::Error)]
pub enum ServerFault {
    #[error("it cannot be reached: {0}")]
    Unreachable(String),
    #[error(
        "it asks for a password: put it into PGPASSWORD, a service file, or ~/.pgpass (PGPASSFILE), which counts if nobody else \
         may read it"
    )]
    NoPassword,
    #[error("it does not let this user in: {0}")]
    Refused(String),
    #[error(
        "its certificate is not accepted: {0}; sslrootcert=FILE names the authority that signed it, and sslmode=disable goes \
         without encryption"
    )]
    Certificate(String),
    #[error("its version is {0}, and this program needs 13 or later")]
    TooOld(String),
    #[error(
        "its schema gainalyze is not one that this program has made; name another database, or rename that schema"
    )]
    Foreign,
    #[error("it has no store yet; its owner makes one, by `gainalyze store stats ADDRESS` as that user")]
    Empty,
    #[error("its schema has version {found}, and this program knows version {known}; use a newer gainalyze")]
    Newer { found: i32, known: i32 },
    #[error(
        "its schema has version {found}, this program needs version {known}, and this user may not change it; its owner does, \
         by `gainalyze store stats ADDRESS` as that user"
    )]
    Older { found: i32, known: i32 },
    #[error(
        "its tables are in use, and could not be changed within 30 s ({0}); try again when nobody holds them"
    )]
    Held(String),
    #[error("this user may not do that: {0}")]
    NotAllowed(String),
    #[error(
        "it only reads ({0}): it is a standby or set to that, or a pooler gives one session's settings to another and its \
         pool_mode must be session"
    )]
    ReadOnly(String),
    #[error("the connection was lost: {0}")]
    Lost(String),
    #[error(
        "a pooler there gives each transaction another connection, and this program needs one of its own: \
         its pool_mode must be session (it says: {0})"
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

impl PostgresError {
    /// Tells whether the same may succeed a little later, by a new connection.
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

/// Tells whether a server says so while it restarts, is full, or two have been in each other's way: classes 08 (connection),
/// 40 (rolled back), 53 (no room) and 57P (told to end).
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
        // Whoever answers there chooses the words.
        Some(said) => printable(said.message()),
        None => causes(error).iter().map(ToString::to_string).collect::<Vec<_>>().join(": "),
    }
}
