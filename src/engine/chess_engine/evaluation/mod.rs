//! The static evaluation: a weighted sum of terms, corrected by a network, computed in whole numbers.

mod chances;
pub(super) mod emit;
mod king;
mod material;
mod network;
mod network_views;
mod pawn_ending;
mod pawn_table;
mod pawns;
mod pieces;
mod terms;
mod view;
mod weights;
mod weights_file;

use shakmaty::{Chess, Color, Position, Square};

use emit::{emit_others, emit_placement};
use network_views::Placement;
use view::View;
use weights::TaperedSum;

pub use chances::Chances;
pub use emit::emit_terms;
pub use material::Blend;
pub use network::{Network, NetworkRow};
pub(super) use network_views::NetworkViews;
pub(super) use pawn_table::PawnTable;
pub use terms::Term;
pub use view::Sink;
pub use weights::{Tapered, Weights};
pub use weights_file::WeightsFile;

/// Returns the static evaluation by terms alone in centipawns, from the view of the side to move.
pub fn evaluate(chess: &Chess, weights: &Weights) -> i32 {
    let mut sum = WeightedSum::of(weights);
    emit_terms(chess, &mut sum);
    sum.value(chess)
}

/// Like [`evaluate`], but `table` caches the terms of pawns and kings, and `placement` has the sum of the
/// placement terms if it is known. `pawn_key` is the key of the position's pawns.
#[inline(always)]
pub(super) fn evaluate_by_table(
    chess: &Chess,
    pawn_key: u64,
    weights: &Weights,
    table: &mut PawnTable,
    placement: Option<Placement>,
) -> i32 {
    let mut sum = WeightedSum::of(weights);
    let view = View::of(chess.board());
    sum.total = table.value(pawn_key, &view, weights);
    match placement {
        Some(placement) => sum.total.add(placement.terms),
        None => emit_placement(&view, &mut sum),
    }
    emit_others(chess, &view, &mut sum);
    sum.value(chess)
}

/// The sum of weighted terms, White's minus Black's.
struct WeightedSum<'a> {
    weights: &'a Weights,
    total: TaperedSum,
}

impl WeightedSum<'_> {
    fn of(weights: &Weights) -> WeightedSum<'_> {
        WeightedSum { weights, total: TaperedSum::default() }
    }

    #[inline(always)]
    fn value(&self, chess: &Chess) -> i32 {
        let value = Blend::of(chess).value(self.total.tapered());
        chess.turn().fold_wb(value, -value)
    }
}

impl Sink for WeightedSum<'_> {
    #[inline(always)]
    fn add(&mut self, term: Term, color: Color, count: i32, _at: Option<Square>) {
        self.total.add(self.weights.summand(term).times(color.fold_wb(count, -count)));
    }
}

/// A term of a position, for a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg(feature = "native")]
pub struct ExplainedTerm {
    /// The term.
    pub term: Term,
    /// The side that has the term. A positive weight favors this side.
    pub color: Color,
    /// Number of occurrences.
    pub count: i32,
    /// The square of the term, if it has one.
    pub at: Option<Square>,
    /// Weight of one occurrence.
    pub weight: Tapered,
}

/// Lists all terms of a position in the order found. The weighted sum of White's terms minus that of Black's,
/// blended by [`Blend`], is the evaluation in White's view.
#[cfg(feature = "native")]
pub fn explain(chess: &Chess, weights: &Weights) -> Vec<ExplainedTerm> {
    struct TermListing<'a>(&'a Weights, Vec<ExplainedTerm>);
    impl Sink for TermListing<'_> {
        fn add(&mut self, term: Term, color: Color, count: i32, at: Option<Square>) {
            self.1.push(ExplainedTerm { term, color, count, at, weight: self.0.get(term) });
        }
    }
    let mut listing = TermListing(weights, Vec::new());
    emit_terms(chess, &mut listing);
    listing.1
}
