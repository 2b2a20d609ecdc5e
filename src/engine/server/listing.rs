//! Output of the commands `eval` (the evaluation by terms and network, or by linear features) and `d` (the
//! position).

use std::fmt::{self, Write};

use shakmaty::{Chess, Color, File, Position, Rank, Square};

use crate::base::text::width;
use crate::chess::game;
use crate::engine::chess_engine::{
    Blend, EngineWeights, ExplainedFeature, ExplainedTerm, LinearWeights, Tapered, WeightsFile, explain,
};

/// Lists the terms or features of a position with their weights and the resulting evaluation.
pub(super) fn evaluation(chess: &Chess, weights: &EngineWeights) -> String {
    match weights {
        EngineWeights::Terms(file) => by_terms(chess, file),
        EngineWeights::Linear(file) => by_features(chess, file.weights()),
    }
}

fn by_features(chess: &Chess, weights: &LinearWeights) -> String {
    let features = weights.explain(chess);
    let names: Vec<String> = features.iter().map(|feature| feature.feature.to_string()).collect();
    let column = names.iter().map(|name| width(name)).max().unwrap_or_default();
    let mut text = String::new();
    let _ = writeln!(text, "{:column$}  side   at  count    weight  effect for White", "feature");
    let mut sum = 0.0;
    for (feature, name) in features.iter().zip(&names) {
        let ExplainedFeature { color, count, at, weight, .. } = feature;
        let at = at.map(|square| square.to_string()).unwrap_or_default();
        let added = weight * color.fold_wb(*count, -count);
        sum += added;
        let _ =
            writeln!(text, "{name:column$}  {color:5}  {at:2}  {count:5.2}  {weight:+8.2}  {added:+16.2}");
    }
    let _ = writeln!(text, "{:column$}  {:18}  {:8}  {sum:+13.2}", "sum (White minus Black)", "", "");
    let value = weights.evaluate(chess);
    let _ = write!(text, "{}", in_words(chess, value));
    text
}

/// Formats an evaluation twice: from White's view and from the view of the side to move. `value` is from the
/// view of the side to move.
fn in_words(chess: &Chess, value: i32) -> String {
    format!(
        "evaluation: {:+} cp in White's view, {value:+} cp for {} to move",
        chess.turn().fold_wb(value, -value),
        chess.turn()
    )
}

fn by_terms(chess: &Chess, file: &WeightsFile) -> String {
    let terms = explain(chess, &file.weights);
    let sum = terms.iter().fold(Tapered::default(), |sum, term| sum + contribution(term));
    let names: Vec<String> = terms.iter().map(|term| term.term.to_string()).collect();
    let column = names.iter().map(|name| width(name)).max().unwrap_or_default();
    let mut text = String::new();
    let _ = writeln!(text, "{:column$}  {:18}  {:>15}  {:>15}", "", "", "weight", "effect for White");
    let _ = writeln!(text, "{:column$}  side   at  count  {HEADS}  {HEADS}", "term");
    for (term, name) in terms.iter().zip(&names) {
        let _ = writeln!(text, "{name:column$}  {}", TermLine(term));
    }
    let _ = writeln!(text, "{:column$}  {:18}  {:15}  {}", "sum (White minus Black)", "", "", Pair(sum));
    let _ = write!(text, "{}", conclusion(chess, file, sum));
    text
}

/// Returns the contribution of a term, in White's view.
fn contribution(term: &ExplainedTerm) -> Tapered {
    term.weight * term.color.fold_wb(term.count, -term.count)
}

/// The line of a term, without the term's name.
struct TermLine<'a>(&'a ExplainedTerm);

impl fmt::Display for TermLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ExplainedTerm { color, count, at, weight, .. } = self.0;
        let at = at.map(|square| square.to_string()).unwrap_or_default();
        write!(f, "{color:5}  {at:2}  {count:5}  {}  {}", Pair(*weight), Pair(contribution(self.0)))
    }
}

/// The headings of the two numbers of a [`Pair`].
const HEADS: &str = " middle      end";

/// Centipawns in the middlegame and in the endgame.
struct Pair(Tapered);

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+7}  {:+7}", self.0.middlegame, self.0.endgame)
    }
}

/// Formats the blend of the middlegame and endgame sums, the correction by the network, and the resulting
/// value.
fn conclusion(chess: &Chess, file: &WeightsFile, sum: Tapered) -> String {
    let blend = Blend::of(chess);
    let (winner, scale) = match sum.endgame >= 0 {
        true => (Color::White, blend.scales.white),
        false => (Color::Black, blend.scales.black),
    };
    let network = file.network.as_ref().map(|network| {
        let value = network.value(chess);
        format!("network: {:+} cp in White's view\n", chess.turn().fold_wb(value, -value))
    });
    format!(
        "blend: {}/24 middlegame, {}/24 endgame; the endgame sum favors {winner}, scaled by {scale}/64\n\
         {}{}",
        blend.phase,
        24 - blend.phase,
        network.unwrap_or_default(),
        in_words(chess, file.evaluate(chess)),
    )
}

/// Formats a position as a board, with its FEN.
pub(super) fn board(chess: &Chess) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let _ = write!(text, "{} ", rank.char());
        for file in File::ALL {
            let piece = chess.board().piece_at(Square::from_coords(file, rank));
            let _ = write!(text, " {}", piece.map_or('.', |piece| piece.char()));
        }
        text.push('\n');
    }
    let _ = write!(text, "\n   a b c d e f g h\n\nFEN: {}", game::fen(chess));
    text
}
