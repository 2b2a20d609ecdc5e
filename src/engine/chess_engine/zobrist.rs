//! Random numbers for the keys of positions, made at compile time from one seed.

use shakmaty::{Color, File, Piece, Square};

const SEED: u64 = 0x6761_696e_616c_797a;

/// One random number for each property of a position. A castling right is identified by its rook's square,
/// which covers Chess960.
struct ZobristNumbers {
    pieces: [[u64; 64]; 12],
    castling_rooks: [u64; 64],
    en_passant_files: [u64; 8],
    black_to_move: u64,
}

static NUMBERS: ZobristNumbers = ZobristNumbers::new(SEED);

impl ZobristNumbers {
    const fn new(seed: u64) -> ZobristNumbers {
        let mut numbers = ZobristNumbers {
            pieces: [[0; 64]; 12],
            castling_rooks: [0; 64],
            en_passant_files: [0; 8],
            black_to_move: mixed(seed),
        };
        let mut drawn = 1;
        let mut square = 0;
        while square < 64 {
            let mut piece = 0;
            while piece < 12 {
                numbers.pieces[piece][square] = nth(seed, drawn);
                drawn += 1;
                piece += 1;
            }
            numbers.castling_rooks[square] = nth(seed, drawn);
            drawn += 1;
            square += 1;
        }
        let mut file = 0;
        while file < 8 {
            numbers.en_passant_files[file] = nth(seed, drawn);
            drawn += 1;
            file += 1;
        }
        numbers
    }
}

/// Returns the random number of a piece on a square.
pub(super) fn piece(piece: Piece, square: Square) -> u64 {
    NUMBERS.pieces[piece_index(piece)][square.to_usize()]
}

/// Returns the random number of the right to castle with the rook on `square`.
pub(super) fn castling_rook(square: Square) -> u64 {
    NUMBERS.castling_rooks[square.to_usize()]
}

/// Returns the random number of an en passant capture that is legal on `file`.
pub(super) fn en_passant(file: File) -> u64 {
    NUMBERS.en_passant_files[file.to_usize()]
}

/// Returns the random number for Black to move.
pub(super) fn black_to_move() -> u64 {
    NUMBERS.black_to_move
}

/// Returns the index of a kind of piece: 0 to 5 for White's pawn to king, 6 to 11 for Black's.
pub(super) fn piece_index(piece: Piece) -> usize {
    piece.role as usize - 1 + if piece.color == Color::White { 0 } else { 6 }
}

/// Returns the `n`th number of the splitmix64 sequence of `seed` (Steele, Lea and Flood, 2014).
const fn nth(seed: u64, n: u64) -> u64 {
    mixed(seed.wrapping_add(n.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

const fn mixed(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
