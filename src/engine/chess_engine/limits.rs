//! Owns what bounds a search: [`Limits`] that repeat exactly, and [`SearchHooks`] for all that does not.

use std::ops::ControlFlow;

use shakmaty::Move;

use super::SearchResult;

/// What a search may spend and what it is to answer. With equal limits and a cleared engine, equal positions give equal
/// results on every machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The last depth in plies; `None` is as deep as the engine goes.
    pub depth: Option<u32>,
    /// Positions searched at most, exactly.
    pub nodes: Option<u64>,
    /// How many best moves to give a variation for, at least 1; fewer are given where fewer are legal.
    pub multi_pv: usize,
    /// The only moves to look at; all legal ones if there are none here. Illegal ones are passed over.
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

    /// Limits a search to a number of positions.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }
}

/// What a search tells and asks its caller, who has the clock and the thread that the search has not. `()` never stops it.
pub trait SearchHooks {
    /// Tells whether to stop now; asked every [`NODES_BETWEEN_QUESTIONS`] nodes.
    fn should_stop(&mut self, nodes: u64) -> bool {
        let _ = nodes;
        false
    }

    /// Hears of each finished depth; `Break` ends the search with it.
    fn depth_finished(&mut self, result: &SearchResult) -> ControlFlow<()> {
        let _ = result;
        ControlFlow::Continue(())
    }
}

impl SearchHooks for () {}

/// How many nodes pass between two questions whether to stop: some half a millisecond.
pub const NODES_BETWEEN_QUESTIONS: u64 = 1024;
