//! Owns the bench as a user runs it: positions that are always the same, their nodes counted and timed.

use std::{
    fmt,
    time::{Duration, Instant},
};

use super::{control::Control, task::nodes_a_second};
use crate::engine::chess_engine::{ChessEngine, EngineWeights, Limits, SearchHooks, bench_roots};
use crate::engine::within::HASH;

/// What a bench found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bench {
    /// The depth that each position was searched to.
    pub depth: u32,
    /// How many positions were searched.
    pub positions: usize,
    /// The positions of all searches together: the same on every machine and with every run.
    pub nodes: u64,
    /// What they took.
    pub time: Duration,
}

impl Bench {
    /// Searches the positions of the bench, each with an engine that remembers nothing and has a table of the usual size.
    pub fn run(weights: &EngineWeights, depth: u32) -> Bench {
        Bench::of(weights, depth, &Control::default())
    }

    /// Searches the same until a stop is requested.
    pub(super) fn of(weights: &EngineWeights, depth: u32, control: &Control) -> Bench {
        let begun = Instant::now();
        let mut engine = ChessEngine::new(HASH);
        engine.set_weights(weights.clone());
        let (mut positions, mut nodes) = (0, 0);
        for root in bench_roots().take_while(|_| !control.is_stopped()) {
            engine.clear();
            nodes += engine.search(&root, &Limits::depth(depth), &mut Stopped(control)).nodes;
            positions += 1;
        }
        Bench { depth, positions, nodes, time: begun.elapsed() }
    }
}

impl fmt::Display for Bench {
    /// Ends with the two numbers in the form that tools for testing engines look for.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bench { depth, positions, nodes, time } = self;
        writeln!(f, "{positions} positions to depth {depth} in {} ms", time.as_millis())?;
        write!(f, "{nodes} nodes {} nps", nodes_a_second(*nodes, *time))
    }
}

struct Stopped<'a>(&'a Control);

impl SearchHooks for Stopped<'_> {
    fn should_stop(&mut self, _: u64) -> bool {
        self.0.is_stopped()
    }
}
