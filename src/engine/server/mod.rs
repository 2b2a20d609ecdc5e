//! An engine as a program: the half of UCI that engines speak, over any pair of streams, for whatever is served.
//!
//! ```text
//! serve → server: one request after the other, read while a search goes on
//!           request (what a line asks for), set_up (positions)
//!           served (whatever can be an engine): within (our own, with its settings)
//!           worker: the thread that searches, which is told what happens by control
//!           task: one search, telling by output
//!           listing (eval, d), bench
//! ```
//!
//! Whatever comes, it goes on: what cannot be done is said in an `info string`, and changes nothing. Every `go` that can be
//! read is answered by one `bestmove`. A command that needs the engine itself ends a search that is under way, as `stop`
//! does.

mod bench;
pub(crate) mod control;
mod listing;
pub(crate) mod output;
pub(crate) mod request;
pub(crate) mod served;
mod server;
mod set_up;
pub(crate) mod settings;
pub(crate) mod task;
#[cfg(test)]
mod tests;
mod within;
mod worker;

pub use bench::Bench;
pub(crate) use server::converse;
pub use server::serve;
