//! Owns the argument that names a server whose queue is meant.

use std::path::PathBuf;

use clap::Args;

use crate::chess::text::with_causes;
use crate::store::server::Address;
use crate::verbs::app::plan::StorePlan;

/// A server, by the address of its store.
#[derive(Debug, Clone, Args)]
pub struct ServerArg {
    /// The store in PostgreSQL that has the queue.
    #[arg(value_name = "postgres://HOST/DATABASE", value_parser = server)]
    pub server: PathBuf,
}

/// Reads an address; the message has no password.
fn server(text: &str) -> Result<PathBuf, String> {
    Address::parse(text).map(|_| text.into()).map_err(|error| with_causes(&error))
}

impl ServerArg {
    /// Returns it as the place of a store.
    pub fn plan(&self) -> StorePlan {
        StorePlan::At(self.server.clone())
    }
}
