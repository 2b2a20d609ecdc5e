//! Owns [`PostgresError`]: why a PostgreSQL server cannot be used, a sentence for each reason.

use std::{error::Error, io};

use tokio_postgres::error::SqlState;

/// Why a server cannot be used; `server` is its address without a password.
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
    #[error(
        "an address has no password, since everybody on this machine can read it there: put it into PGPASSWORD, \
         ~/.pgpass or a service file"
    )]
    PasswordInAddress,
    /// A service that no file has, or a file that cannot be read.
    #[error("the service {service:?} of a PostgreSQL server: {reason}")]
    Service {
        /// Its name.
        service: String,
        /// What is wrong.
        reason: String,
    },
    /// No one answers there.
    #[error("{server}: it cannot be reached: {reason}")]
    Unreachable {
        /// The server.
        server: String,
        /// What the system says.
        reason: String,
    },
    /// It wants a password, and there is none.
    #[error("{server}: it asks for a password: put it into PGPASSWORD, ~/.pgpass or a service file")]
    NoPassword {
        /// The server.
        server: String,
    },
    /// It does not let this user in.
    #[error("{server}: it does not let this user in: {reason}")]
    Refused {
        /// The server.
        server: String,
        /// What it says.
        reason: String,
    },
    /// Its certificate is not to be trusted, or it has none.
    #[error(
        "{server}: its certificate is not accepted: {reason}; sslrootcert=FILE names the authority that signed it, and \
         sslmode=disable goes without encryption"
    )]
    Certificate {
        /// The server.
        server: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The file of authorities.
    #[error("{path}: no certificates can be read there: {reason}")]
    RootCertificates {
        /// The file, or what the system has.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Older than what is known to work.
    #[error("{server}: its version is {found}, and this program needs 13 or later")]
    TooOld {
        /// The server.
        server: String,
        /// Its version.
        found: String,
    },
    /// Somebody else's tables.
    #[error(
        "{server}: its schema gainalyze is not one that this program has made; name another database, or rename that schema"
    )]
    Foreign {
        /// The server.
        server: String,
    },
    /// It has no tables, and this is not who may make them.
    #[error(
        "{server}: it has no store yet; its owner makes one, by `gainalyze store stats ADDRESS` as that user"
    )]
    Empty {
        /// The server.
        server: String,
    },
    /// A later program made its tables.
    #[error(
        "{server}: its schema has version {found}, and this program knows version {known}; use a newer gainalyze"
    )]
    Newer {
        /// The server.
        server: String,
        /// The schema's version.
        found: i32,
        /// The last one known.
        known: i32,
    },
    /// An earlier program made its tables, and this user may not change them.
    #[error(
        "{server}: its schema has version {found}, this program needs version {known}, and this user may not change it; \
         its owner does, by `gainalyze store stats ADDRESS` as that user"
    )]
    Older {
        /// The server.
        server: String,
        /// The schema's version.
        found: i32,
        /// The one needed.
        known: i32,
    },
    /// A right is missing.
    #[error("{server}: this user may not do that: {reason}")]
    NotAllowed {
        /// The server.
        server: String,
        /// What it says.
        reason: String,
    },
    /// It takes no changes for now, whoever asks.
    #[error(
        "{server}: it only reads ({reason}): it is a standby or set to that, or a pooler gives one session's settings to another and its \
         pool_mode must be session"
    )]
    ReadOnly {
        /// The server.
        server: String,
        /// What it says.
        reason: String,
    },
    /// It went away, or has no room for now.
    #[error("{server}: the connection was lost: {reason}")]
    Lost {
        /// The server.
        server: String,
        /// What happened.
        reason: String,
    },
    /// What one request has left there, the next one does not find, or finds of somebody else.
    #[error(
        "{server}: a pooler there gives each transaction another connection, and this program needs one of its own: \
         its pool_mode must be session (it says: {reason})"
    )]
    Pooled {
        /// The server.
        server: String,
        /// What it says.
        reason: String,
    },
    /// Whatever else it refuses to do.
    #[error("{server}: {reason}")]
    Query {
        /// The server.
        server: String,
        /// What it says.
        reason: String,
    },
}

impl PostgresError {
    /// Tells whether the same may succeed a little later, by a new connection.
    pub fn is_transient(&self) -> bool {
        matches!(self, PostgresError::Lost { .. } | PostgresError::Unreachable { .. })
    }

    /// Returns what went wrong while `server` was connected to.
    pub(super) fn of_connecting(server: &str, error: &tokio_postgres::Error) -> PostgresError {
        let (server, reason) = (server.to_owned(), in_words(error));
        if let Some(code) = error.code() {
            return match code {
                code if is_passing(code) => PostgresError::Unreachable { server, reason },
                _ => PostgresError::Refused { server, reason },
            };
        }
        match reason {
            reason if reason.contains("password missing") => PostgresError::NoPassword { server },
            reason if reason.contains("TLS") => {
                PostgresError::Certificate { server, reason: innermost(error) }
            }
            reason => PostgresError::Unreachable { server, reason },
        }
    }

    /// Returns what went wrong with a query to `server`.
    pub fn of_query(server: &str, error: &tokio_postgres::Error) -> PostgresError {
        let (server, reason) = (server.to_owned(), in_words(error));
        match error.code() {
            Some(code) if is_passing(code) => PostgresError::Lost { server, reason },
            Some(&SqlState::INSUFFICIENT_PRIVILEGE) => PostgresError::NotAllowed { server, reason },
            Some(&SqlState::READ_ONLY_SQL_TRANSACTION) => PostgresError::ReadOnly { server, reason },
            Some(&SqlState::DUPLICATE_PSTATEMENT | &SqlState::INVALID_SQL_STATEMENT_NAME) => {
                PostgresError::Pooled { server, reason }
            }
            None if error.is_closed() || has_io(error) => PostgresError::Lost { server, reason },
            _ => PostgresError::Query { server, reason },
        }
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

/// Returns what the server says, or else the driver, with its causes.
fn in_words(error: &tokio_postgres::Error) -> String {
    match error.as_db_error() {
        Some(said) => said.message().to_owned(),
        None => causes(error).iter().map(ToString::to_string).collect::<Vec<_>>().join(": "),
    }
}
