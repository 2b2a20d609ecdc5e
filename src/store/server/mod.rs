//! Owns the way to a PostgreSQL server: its address, a connection that is checked, and the tables of this program there.

pub mod address;
pub mod connection;
mod error;
mod migrations;
mod pause;
pub mod remarks;
mod secrets;
mod tls;

pub use self::{
    address::{Address, is_address},
    connection::{Connection, ServerAccess},
    error::PostgresError,
    pause::Pause,
};
