//! Our own engine as a program: the half of UCI that engines speak, over any pair of streams.
//!
//! ```text
//! serve → server: one request after the other, read while a search goes on
//!           request (what a line asks for), settings (options), set_up (positions)
//!           worker: the thread that searches, which is told what happens by control
//!           task: one search, telling by output
//!           listing (eval, d), bench
//! ```
//!
//! Whatever comes, it goes on: what cannot be done is said in an `info string`, and changes nothing. Every `go` that can be
//! read is answered by one `bestmove`. A command that needs the engine itself ends a search that is under way, as `stop`
//! does.

mod bench;
mod control;
mod listing;
mod output;
mod request;
mod server;
mod set_up;
mod settings;
mod task;
#[cfg(test)]
mod tests;
mod worker;

pub use bench::Bench;
pub use server::serve;
