//! The boards of the page: pieces as filled outlines, moves as arrows.

use std::fmt::Write;

use shakmaty::{Board, Color, Piece, Role, Square};

use crate::report::plots::canvas::escaped;

const SQUARE: i32 = 10;

/// The outline and the inner lines of each piece, as SVG paths in a square of 100 units.
const SHAPES: [(Role, [&str; 2]); 6] = [
    (
        Role::Pawn,
        [
            "M50 18a14 14 0 0 1 9 25c7 3 11 8 12 13H61c1 11 6 17 13 23q4 4 3 10H23q-1-6 3-10c7-6 12-12 13-23H29c1-5 5-10 12-13a14 14 0 0 1 9-25z",
            "",
        ],
    ),
    (
        Role::Knight,
        [
            "M46 20L44 9l12 9c20 5 29 24 29 48q0 12-2 23H29c0-14 6-21 14-28c5-4 8-8 8-14c-5 5-10 6-16 6c-2 5-5 9-9 10c-3 1-6-1-8-4c-4-4-5-8-2-12c4-6 8-9 10-15c2-6 9-11 20-12z",
            "M36 33h.1M23 51h.1M61 29c11 9 14 25 13 49",
        ],
    ),
    (
        Role::Bishop,
        [
            "M50 10a6 6 0 0 1 4 10.5C66 28 73 39 73 49c0 8-4 13-9 16l3 8c8 1 15 3 19 6v10H14V79c4-3 11-5 19-6l3-8c-5-3-9-8-9-16C27 39 34 28 46 20.5A6 6 0 0 1 50 10z",
            "M50 34v19M41 43h18M37 65h26M34 74h32",
        ],
    ),
    (
        Role::Rook,
        [
            "M25 19h12v8h7v-8h12v8h7v-8h12v20l-8 8v22l8 7v4h4v9H21v-9h4v-4l8-7V47l-8-8z",
            "M34 47h32M34 69h32M28 80h44",
        ],
    ),
    (
        Role::Queen,
        [
            "M25 67L14 37a6 6 0 1 1 6-1l13 17V30a6 6 0 1 1 6-1l8 21 1-24a6 6 0 1 1 4 0l1 24 8-21a6 6 0 1 1 6 1v23l13-17a6 6 0 1 1 6 1L75 67q-4 7 1 13v9H24v-9q5-6 1-13z",
            "M26 67q24-8 48 0M25 79q25-7 50 0",
        ],
    ),
    (
        Role::King,
        [
            "M46 7h8v6h7v8h-7v13c4-5 9-8 15-8c11 0 19 8 19 18c0 11-9 17-14 24q-4 5 0 12v9H26v-9q4-7 0-12c-5-7-14-13-14-24c0-10 8-18 19-18c6 0 11 3 15 8V21h-7v-8h7z",
            "M50 42v18M27 68q23-8 46 0M27 79q23-7 46 0",
        ],
    ),
];

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
            "<symbol id=\"piece-{}\" viewBox=\"0 0 100 100\">{}</symbol>",
            piece.char(),
            shape(piece)
        );
    }
    text + &coordinates()
}

/// Returns a piece as SVG: white with dark lines, or dark with light inner lines.
fn shape(piece: Piece) -> String {
    let [outline, lines] =
        SHAPES.iter().find(|(role, _)| *role == piece.role).map_or([""; 2], |(_, paths)| *paths);
    let (width, body, inner) = piece.color.fold_wb((5, "#fff", "#14171a"), (4, "#2b3035", "#dfe3e6"));
    format!(
        "<g stroke=\"#14171a\" stroke-width=\"{width}\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\
         <path fill=\"{body}\" d=\"{outline}\"/><path fill=\"none\" stroke=\"{inner}\" d=\"{lines}\"/></g>"
    )
}

#[cfg(feature = "program")]
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
