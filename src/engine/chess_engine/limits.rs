//! Search limits: the deterministic [`Limits`], and [`SearchHooks`] for stops by the caller.

use std::ops::ControlFlow;

use shakmaty::Move;

use super::SearchResult;

/// Limits and options of a search. With equal limits and a cleared engine, equal roots give equal results on
/// every machine, unless `SearchHooks` stop the search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The depth at which the search ends, in plies; `None` for the engine's maximum. 0 counts as 1.
    pub depth: Option<u32>,
    /// The maximum number of nodes, which is never exceeded.
    pub nodes: Option<u64>,
    /// Number of lines to return, at least 1. Fewer are returned if there are fewer legal moves to search.
    pub multi_pv: usize,
    /// The moves to search; empty for all. Illegal moves are ignored. If all moves of the list are illegal,
    /// nothing is searched.
    pub search_moves: Vec<Move>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { depth: None, nodes: None, multi_pv: 1, search_moves: Vec::new() }
    }
}

impl Limits {
    /// Limits a search to a depth in plies.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Limits a search to a number of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }
}

/// Callbacks from a search to its caller, which can stop the search, for example when time runs out. The
/// implementation for `()` never stops a search.
pub trait SearchHooks {
    /// Returns whether to stop now; called every [`NODES_BETWEEN_QUESTIONS`] nodes.
    fn should_stop(&mut self, nodes: u64) -> bool {
        let _ = nodes;
        false
    }

    /// Receives the result of each finished depth. `Break` ends the search.
    fn depth_finished(&mut self, result: &SearchResult) -> ControlFlow<()> {
        let _ = result;
        ControlFlow::Continue(())
    }
}

impl SearchHooks for () {}

/// Number of nodes between two calls of `should_stop`. Searching them takes about half a millisecond.
pub const NODES_BETWEEN_QUESTIONS: u64 = 1024;
