//! The user's wishes for a tree: [`Widths`], for each ply the distance from the best move within which moves
//! are expanded, and [`Steering`], single moves and lines.

use shakmaty::{ByColor, Color, Move, uci::UciMove};

use super::graph::{Focus, Graph, NodeId};

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
    /// Depth, in plies, of the confirming search of the main line's last move.
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

/// Widths in centipawns, by side to move and ply.
#[derive(Debug, Clone, PartialEq)]
pub struct Widths(ByColor<Vec<f64>>);

impl Widths {
    /// Returns the widths for a `distance`, which is the width for root moves and for replies to root moves.
    /// After these two plies, each ply halves the width.
    pub fn of_distance(distance: f64) -> Widths {
        Widths::of([distance, distance].to_vec())
    }

    /// Returns the widths `by_ply`, from the root on. After the last, the width is halved at each ply.
    pub fn of(by_ply: Vec<f64>) -> Widths {
        Widths(ByColor { white: by_ply.clone(), black: by_ply })
    }

    /// Replaces the widths for positions with `side` to move by the widths from `other`.
    pub fn with_side(mut self, side: Color, other: Widths) -> Widths {
        *self.0.get_mut(side) = other.0.get(side).clone();
        self
    }

    pub fn parse(text: &str) -> Result<Widths, String> {
        let width = |word: &str| word.trim().parse().ok().filter(|w: &f64| w.is_finite() && *w >= 0.0);
        let by_ply: Option<Vec<f64>> = text.split(',').map(width).collect();
        by_ply.map(Widths::of).ok_or_else(|| {
            format!("{text:?} is not a list of widths; write centipawns, 0 or more, separated by commas, as in 20,20,10,5")
        })
    }

    /// Returns the width at a ply where `side` is to move, not rounded.
    pub fn at(&self, ply: usize, side: Color) -> f64 {
        let by_ply = self.0.get(side);
        match (by_ply.get(ply), by_ply.last()) {
            (Some(&width), _) => width,
            (None, Some(last)) => {
                let halvings = i32::try_from(ply + 1 - by_ply.len()).unwrap_or(i32::MAX);
                last / 2f64.powi(halvings)
            }
            (None, None) => 0.0,
        }
    }

    /// Returns the given widths of `side`, from the root on.
    pub fn given(&self, side: Color) -> &[f64] {
        self.0.get(side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(widths: &Widths, side: Color) -> Vec<f64> {
        (0..6).map(|ply| widths.at(ply, side)).collect()
    }

    #[test]
    fn a_distance_halves_from_the_second_ply_on_and_is_not_rounded() {
        assert_eq!(first(&Widths::of_distance(5.0), Color::White), [5.0, 5.0, 2.5, 1.25, 0.625, 0.3125]);
    }

    #[test]
    fn the_last_width_of_a_list_is_repeated_halved() {
        let widths = Widths::parse("20, 20,10,5").expect("widths");
        assert_eq!(first(&widths, Color::Black), [20.0, 20.0, 10.0, 5.0, 2.5, 1.25]);
    }

    #[test]
    fn a_side_may_have_widths_of_its_own() {
        let widths = Widths::of_distance(20.0).with_side(Color::Black, Widths::parse("8").expect("widths"));
        assert_eq!(widths.at(2, Color::White), 10.0);
        assert_eq!((widths.at(0, Color::Black), widths.at(1, Color::Black)), (8.0, 4.0));
    }

    #[test]
    fn what_is_no_width_is_refused() {
        for text in ["", "20,", "-1", "a", "inf", "NaN"] {
            assert!(Widths::parse(text).is_err(), "{text}");
        }
    }
}
