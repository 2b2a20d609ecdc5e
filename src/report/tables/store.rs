//! Owns the table of what a store of evaluations has.

use crate::chess::text::printable;
use crate::report::table::{Screen, Table};
use crate::store::StoreShare;

/// Returns a row for each engine, build and way of asking, as a terminal shows it.
pub fn store_shares(shares: &[StoreShare], mut notes: Vec<String>, screen: Screen) -> String {
    notes.push("Builds that behave the same are one; the SHA-256 is that of one of them.".to_owned());
    Table::shown(shares)
        .label("Engine", |share| printable(&share.origin.engine.name))
        .label("SHA-256", |share| format!("{:.12}", share.origin.engine.digest))
        .label("Search", |share| share.origin.protocol.to_string())
        .said("Segments", |share| share.segments.to_string())
        .said("Positions", |share| share.positions.to_string())
        .said("First stored", |share| printable(&share.first))
        .said("Last stored", |share| printable(&share.last))
        .table()
        .layout("What the store has", notes)
        .shown(screen)
}
