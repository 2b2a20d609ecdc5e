//! [`Steering`]: the user's wishes for a tree.

use shakmaty::{Move, uci::UciMove};

use super::graph::{Focus, Graph, NodeId};

/// The user's wishes for a tree. Without any, the tree follows from its widths alone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Steering {
    /// Moves of the root that are expanded at any value.
    pub include: Vec<UciMove>,
    /// Moves of the root that are not searched.
    pub exclude: Vec<UciMove>,
    /// Lines from the root. The moves of a line are expanded at any value.
    pub focus: Vec<Vec<UciMove>>,
    /// Plies of the tree after each of these lines.
    pub focus_plies: usize,
    /// Depth, in plies, of another search of the move that ends the main line.
    pub confirm: Option<u32>,
    /// True if positions beyond the tree's depth are expanded as far as the store answers.
    pub is_taking_up: bool,
}

impl Steering {
    /// Marks the positions of a graph with these wishes. An illegal move is ignored; in a focused line, the
    /// moves after it are ignored too.
    pub(super) fn mark(&self, graph: &mut Graph, root: NodeId) {
        let legal = |graph: &Graph, moves: &[UciMove]| -> Vec<Move> {
            let position = &graph.node(root).position;
            moves.iter().filter_map(|uci| uci.to_move(position).ok()).collect()
        };
        for m in legal(graph, &self.include) {
            graph.include(root, m);
        }
        graph.steer(root).excluded = legal(graph, &self.exclude);
        for line in &self.focus {
            let mut at = root;
            for (place, uci) in line.iter().enumerate() {
                let Ok(m) = uci.to_move(&graph.node(at).position) else { break };
                graph.include(at, m);
                at = graph.place_after(at, m);
                let focus = &mut graph.steer(at).focus;
                if place + 1 == line.len() {
                    *focus = Some(Focus::End);
                } else if focus.is_none() {
                    *focus = Some(Focus::Line);
                }
            }
        }
    }
}
