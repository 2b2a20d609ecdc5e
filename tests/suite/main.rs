//! All integration tests in one binary: each further one would link the whole program again.

mod faults;
mod interruption;
mod main_job;
mod pgn;
mod program;
mod real_engine;
mod report;
