//! Owns the static evaluation: a weighted sum of terms, in whole numbers.

pub(super) mod emit;
mod king;
mod material;
mod pawn_table;
mod pawns;
mod pieces;
mod terms;
mod view;
mod weights;
mod weights_file;

use shakmaty::{Chess, Color, Position, Square};

use emit::emit_all_but_structure;
use view::View;
use weights::TaperedSum;

pub use emit::emit_terms;
pub use material::Blend;
pub(super) use pawn_table::PawnTable;
pub use terms::Term;
pub use view::Sink;
pub use weights::{Tapered, Weights};
pub use weights_file::WeightsFile;

/// Values a position as it stands, in centipawns, in the view of the side to move.
pub fn evaluate(chess: &Chess, weights: &Weights) -> i32 {
    let mut sum = WeightedSum::of(weights);
    emit_terms(chess, &mut sum);
    sum.value(chess)
}

/// Values a position as [`evaluate`] does, with the structure of its pawns out of a table.
pub(super) fn evaluate_by_table(
    chess: &Chess,
    pawn_key: u64,
    weights: &Weights,
    table: &mut PawnTable,
) -> i32 {
    let mut sum = WeightedSum::of(weights);
    let view = View::of(chess.board());
    sum.total = table.structure(pawn_key, &view, weights);
    emit_all_but_structure(chess, &view, &mut sum);
    sum.value(chess)
}

/// Adds up what the terms of a position weigh, White's less Black's.
struct WeightedSum<'a> {
    weights: &'a Weights,
    total: TaperedSum,
}

impl WeightedSum<'_> {
    fn of(weights: &Weights) -> WeightedSum<'_> {
        WeightedSum { weights, total: TaperedSum::default() }
    }

    fn value(&self, chess: &Chess) -> i32 {
        let value = Blend::of(chess.board()).value(self.total.tapered());
        chess.turn().fold_wb(value, -value)
    }
}

impl Sink for WeightedSum<'_> {
    #[inline(always)]
    fn add(&mut self, term: Term, color: Color, count: i32, _at: Option<Square>) {
        self.total.add(self.weights.summand(term).times(color.fold_wb(count, -count)));
    }
}

/// A term as it stands in a position, for a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplainedTerm {
    /// Which term.
    pub term: Term,
    /// Whose it is: a positive weight speaks for that side.
    pub color: Color,
    /// How often it stands there.
    pub count: i32,
    /// Where it stands, if it stands somewhere.
    pub at: Option<Square>,
    /// What it weighs, once.
    pub weight: Tapered,
}

/// Lists all terms of a position in the order in which they are found; their sum, weighed and blended by [`Blend`], is the
/// evaluation in White's view.
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
