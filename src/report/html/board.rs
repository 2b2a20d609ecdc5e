//! The boards of the page: pieces as shapes of the shipped typeface, moves as arrows.

use std::fmt::Write;

use shakmaty::{Board, Color, Piece, Role, Square};

use crate::report::{plots::canvas::escaped, plots::typeface::piece_outline};

const SQUARE: i32 = 10;

const BASE: (f32, f32) = (5.0, 8.45);

/// A move on a board: its two squares, and the class `played` or `best`.
pub type Arrow = (Square, Square, &'static str);

/// Returns the shapes that all boards of a page share: the empty board `board`, the `coordinates`, and a
/// symbol for each piece. The symbol's name ends with the piece's letter in FEN, as in `piece-K`.
pub fn symbols() -> String {
    let mut text = String::from("<symbol id=\"board\" viewBox=\"0 0 80 80\">");
    text.push_str("<rect class=\"light\" width=\"80\" height=\"80\"/><path class=\"dark\" d=\"");
    for square in Square::ALL.into_iter().filter(|square| square.is_dark()) {
        let (x, y) = corner(square);
        let _ = write!(text, "M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z");
    }
    text.push_str("\"/></symbol>\n");
    for piece in Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| role.of(color))) {
        let _ = writeln!(
            text,
            "<symbol id=\"piece-{}\" viewBox=\"0 0 {SQUARE} {SQUARE}\">{}</symbol>",
            piece.char(),
            shape(piece)
        );
    }
    text + &coordinates()
}

/// Returns a piece as SVG: its glyph in black over its silhouette in white.
fn shape(piece: Piece) -> String {
    let Some((ink, middle)) = piece_outline(glyph(piece)) else { return String::new() };
    let silhouette: String =
        ink.split_inclusive('Z').map(|contour| format!("<path d=\"{contour}\"/>")).collect();
    let (x, y) = (BASE.0 - middle, BASE.1);
    format!(
        "<g transform=\"matrix(1 0 0 -1 {x:.2} {y})\"><g fill=\"#fff\">{silhouette}</g>\
         <path fill=\"#111\" fill-rule=\"evenodd\" d=\"{ink}\"/></g>"
    )
}

pub fn glyph(piece: Piece) -> char {
    let [white, black] = match piece.role {
        Role::King => ['♔', '♚'],
        Role::Queen => ['♕', '♛'],
        Role::Rook => ['♖', '♜'],
        Role::Bishop => ['♗', '♝'],
        Role::Knight => ['♘', '♞'],
        Role::Pawn => ['♙', '♟'],
    };
    piece.color.fold_wb(white, black)
}

pub fn board(board: &Board, arrows: &[Arrow], title: &str) -> String {
    let mut text = format!(
        "<svg class=\"board\" viewBox=\"-4 0 84 84\" role=\"img\" aria-label=\"{}\"><use href=\"#board\" \
         width=\"80\" height=\"80\"/>",
        escaped(title)
    );
    for (square, piece) in board.clone() {
        let (x, y) = corner(square);
        let _ = write!(
            text,
            "<use href=\"#piece-{}\" x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\"/>",
            piece.char()
        );
    }
    text.extend(arrows.iter().map(arrow));
    text + "<use href=\"#coordinates\"/></svg>"
}

fn coordinates() -> String {
    let files = ('a'..='h')
        .zip(0..)
        .map(|(file, index)| format!("<text x=\"{}\" y=\"83.2\">{file}</text>", SQUARE * index + SQUARE / 2));
    let ranks = ('1'..='8').rev().zip(0..).map(|(rank, index)| {
        format!("<text x=\"-2\" y=\"{}\">{rank}</text>", SQUARE * index + SQUARE / 2 + 1)
    });
    format!("<g id=\"coordinates\" class=\"coordinates\">{}</g>", files.chain(ranks).collect::<String>())
}

/// Returns an arrow: a shaft with a head. It ends just before the middle of its target square.
fn arrow(&(from, to, class): &Arrow) -> String {
    let middle = |square| {
        let (x, y) = corner(square);
        (f64::from(x + SQUARE / 2), f64::from(y + SQUARE / 2))
    };
    let ((x1, y1), (x2, y2)) = (middle(from), middle(to));
    let length = (x2 - x1).hypot(y2 - y1).max(1.0);
    let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
    let at = |along: f64, across: f64| {
        format!("{:.2},{:.2}", x1 + along * dx - across * dy, y1 + along * dy + across * dx)
    };
    let (neck, tip) = (length - 4.2, length - 0.8);
    let upper = [at(1.5, 0.75), at(neck, 0.75), at(neck, 2.1)];
    let lower = [at(neck, -2.1), at(neck, -0.75), at(1.5, -0.75)];
    let corners = [upper.join(" "), at(tip, 0.0), lower.join(" ")].join(" ");
    format!("<polygon class=\"arrow {class}\" points=\"{corners}\"/>")
}

fn corner(square: Square) -> (i32, i32) {
    (SQUARE * square.file() as i32, SQUARE * (7 - square.rank() as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_has_a_shape_of_its_own() {
        let shapes: std::collections::BTreeSet<String> =
            Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| shape(role.of(color)))).collect();
        assert_eq!(shapes.len(), 12);
        assert!(shapes.iter().all(|shape| shape.len() > 200), "a box is shorter");
    }

    #[test]
    fn a_board_shows_its_pieces_and_arrows_where_they_are() {
        let kings = Board::from_ascii_board_fen(b"4k3/8/8/8/8/8/8/K7").expect("a board");
        let arrows = [(Square::A1, Square::A2, "best")];
        let svg = board(&kings, &arrows, "two kings <alone>");
        assert!(
            svg.contains("#piece-K\" x=\"0\" y=\"70\"") && svg.contains("#piece-k\" x=\"40\" y=\"0\""),
            "{svg}"
        );
        assert!(svg.contains("arrow best") && svg.contains("two kings &lt;alone&gt;"), "{svg}");
    }
}
