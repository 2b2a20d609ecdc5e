//! [`NetworkViews`]: sums over the pieces on their squares, kept from position to position.

use shakmaty::{Bitboard, Board, ByColor, Chess, Color, Position, Role, Square};

use super::{emit::placement_of, network::Network, weights::TaperedSum, weights::Weights};

/// Both sides' views of the last positions evaluated. A new position is evaluated by its differences from
/// these positions, which are few during a search.
pub(in crate::engine::chess_engine) struct NetworkViews {
    /// For each side, the last view with the king on the files e to h, and the last mirrored view.
    views: ByColor<[NetworkView; 2]>,
    /// The placement weights of each input.
    weights: Box<[TaperedSum]>,
}

/// The part of an evaluation that comes from the pieces on their squares.
pub(in crate::engine::chess_engine) struct Placement {
    /// The network's correction in centipawns, from the view of the side to move.
    pub(in crate::engine::chess_engine) correction: i32,
    /// The sum of the placement terms, White's minus Black's.
    pub(super) terms: TaperedSum,
}

/// One side's view of a position.
struct NetworkView {
    /// The pieces of the side itself and of the other side, by role.
    pieces: [[Bitboard; 6]; 2],
    /// The sums of the hidden units.
    sums: [i16; Network::HIDDEN],
    /// The sum of the placement weights.
    terms: TaperedSum,
}

/// The number of hidden units that are updated at a time. They fit into the registers of every x86-64
/// processor.
const LANES: usize = 32;

/// The inputs that differ between two positions. At most 32 pieces leave the board, and at most 32 enter it.
#[derive(Default)]
struct InputList {
    inputs: [u16; 32],
    length: usize,
}

impl InputList {
    fn extend(&mut self, first: usize, flip: usize, squares: Bitboard) {
        for square in squares {
            self.inputs[self.length] = (first + (square as usize ^ flip)) as u16;
            self.length += 1;
        }
    }

    fn as_slice(&self) -> &[u16] {
        &self.inputs[..self.length]
    }
}

impl Network {
    /// Returns the value to be added to the evaluation by terms, in centipawns, from the view of the side to
    /// move.
    pub fn value(&self, chess: &Chess) -> i32 {
        let placement = NetworkViews::new(self, &Weights::zero()).placement(self, chess);
        placement.map_or(0, |placement| placement.correction)
    }
}

impl NetworkViews {
    /// Makes the views of an empty board.
    pub(in crate::engine::chess_engine) fn new(network: &Network, weights: &Weights) -> NetworkViews {
        let empty = || NetworkView {
            pieces: [[Bitboard::EMPTY; 6]; 2],
            sums: network.biases,
            terms: TaperedSum::default(),
        };
        NetworkViews {
            views: ByColor::new_with(|_| [empty(), empty()]),
            weights: (0..Network::INPUTS).map(|input| placement_of(input, weights)).collect(),
        }
    }

    /// Evaluates the pieces of a position on their squares; returns `None` if [`Network::leaves_alone`] is
    /// true for the position. `network` must be the one given to [`NetworkViews::new`].
    #[inline(always)]
    pub(in crate::engine::chess_engine) fn placement(
        &mut self,
        network: &Network,
        chess: &Chess,
    ) -> Option<Placement> {
        let board = chess.board();
        if Network::leaves_alone(board) {
            return None;
        }
        let ByColor { white, black } = &mut self.views;
        let white = view_of(white, network, &self.weights, board, Color::White);
        let black = view_of(black, network, &self.weights, board, Color::Black);
        let sums = chess.turn().fold_wb([white, black], [black, white]).map(|view| &view.sums);
        let mut terms = white.terms;
        terms.add(black.terms.times(-1));
        Some(Placement { correction: network.value_of(board, sums), terms })
    }
}

/// Updates one side's view, and returns it.
#[inline(always)]
fn view_of<'a>(
    views: &'a mut [NetworkView; 2],
    network: &Network,
    weights: &[TaperedSum],
    board: &Board,
    color: Color,
) -> &'a NetworkView {
    let king = board.king_of(color).unwrap_or(Square::E1);
    let view = &mut views[usize::from(Network::is_mirrored(king))];
    let (added, removed) = view.differences(board, color, Network::flip(color, king));
    if added.length + removed.length > 0 {
        view.sum(network, weights, added.as_slice(), removed.as_slice());
    }
    view
}

impl NetworkView {
    /// Replaces the pieces by those of `board`, and returns the added inputs and the removed inputs.
    #[inline(always)]
    fn differences(&mut self, board: &Board, color: Color, flip: usize) -> (InputList, InputList) {
        let (mut added, mut removed) = (InputList::default(), InputList::default());
        for (owner, pieces) in [color, !color].into_iter().zip(&mut self.pieces) {
            for (role, pieces) in Role::ALL.into_iter().zip(pieces) {
                let now = board.by_color(owner) & board.by_role(role);
                let before = std::mem::replace(pieces, now);
                if now != before {
                    let first = Network::first_input(owner != color, role);
                    added.extend(first, flip, now & !before);
                    removed.extend(first, flip, before & !now);
                }
            }
        }
        (added, removed)
    }

    #[inline(always)]
    fn sum(&mut self, network: &Network, weights: &[TaperedSum], added: &[u16], removed: &[u16]) {
        added.iter().for_each(|&input| self.terms.add(weights[usize::from(input)]));
        removed.iter().for_each(|&input| self.terms.add(weights[usize::from(input)].times(-1)));
        for (index, sums) in self.sums.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
            let units = |input: &u16| &network.inputs[usize::from(*input)].as_chunks::<LANES>().0[index];
            let mut total = *sums;
            for weights in added.iter().map(units) {
                total.iter_mut().zip(weights).for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
            }
            for weights in removed.iter().map(units) {
                total.iter_mut().zip(weights).for_each(|(sum, weight)| *sum = sum.wrapping_sub(*weight));
            }
            *sums = total;
        }
    }
}
