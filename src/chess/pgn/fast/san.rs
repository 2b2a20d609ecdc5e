//! Parses a move quickly by a small state machine.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Written {
    pub plain: usize,
    /// The length of the move with its mark of check or mate.
    pub san: usize,
    /// The length of the move with its mark and the glyphs after it.
    pub end: usize,
}

/// Parses the move at the start of `bytes`. `None` if the move is malformed, or does not end before the last
/// byte.
#[inline]
pub(super) fn canonical(bytes: [u8; 8]) -> Option<Written> {
    // The loop has the same number of steps for all moves. If it ended with the move, the processor would
    // often mispredict its end, which costs more than all steps.
    let (mut state, mut counts) = (START, 0);
    for byte in bytes {
        state = NEXT[usize::from(state)][usize::from(byte)];
        counts += COUNTS[usize::from(state)];
    }
    let [plain, san, end, _] = counts.to_le_bytes().map(usize::from);
    (state == END).then_some(Written { plain, san, end })
}

/// Parses the move at the start of `bytes`. Any number of glyphs may follow it.
pub(super) fn read(bytes: &[u8]) -> Option<Written> {
    let mut state = START;
    let (mut plain, mut san, mut end) = (0, 0, 0);
    for &byte in bytes {
        state = NEXT[usize::from(state)][usize::from(byte)];
        match state {
            FAIL => return None,
            END => return Some(Written { plain, san, end }),
            _ => {
                plain += usize::from(state < CHECK);
                san += usize::from(state < GLYPH);
                end += 1;
            }
        }
    }
    None
}

type SanState = u8;

const START: SanState = 0;
/// After the first letter of a pawn's move, which is a file.
const PAWN_FILE: SanState = 1;
const PAWN_TAKES: SanState = 2;
const PAWN_TARGET_FILE: SanState = 3;
/// After the target square of a pawn's move.
const PAWN_MOVE: SanState = 4;
const PROMOTES: SanState = 5;
const PIECE: SanState = 6;
/// After a file, which may belong to the origin or the target of a piece's move.
const FROM_FILE: SanState = 7;
const FROM_RANK: SanState = 8;
/// After a square, which may be the origin or the target of a piece's move.
const SQUARE: SanState = 9;
const TAKES: SanState = 10;
const TARGET_FILE: SanState = 11;
/// After the first letter of castling. The next states are after the following dashes and letters.
const O: SanState = 12;
const O_: SanState = 13;
const O_O: SanState = 14;
const O_O_: SanState = 15;
/// After a complete move, which only marks and glyphs may follow.
const MOVE: SanState = 16;
/// After a mark of check or mate.
const CHECK: SanState = 17;
const GLYPH: SanState = 18;
/// After a byte that no longer belongs to the move.
const END: SanState = 19;
/// The text is not a move.
const FAIL: SanState = 20;

/// For each state, the amounts added to the lengths in [`Written`] when the state is entered, with one byte
/// per length.
static COUNTS: [u32; 21] = {
    let mut counts = [u32::from_le_bytes([1, 1, 1, 0]); 21];
    counts[CHECK as usize] = u32::from_le_bytes([0, 1, 1, 0]);
    counts[GLYPH as usize] = u32::from_le_bytes([0, 0, 1, 0]);
    counts[END as usize] = 0;
    counts[FAIL as usize] = 0;
    counts
};

static NEXT: [[SanState; 256]; 21] = {
    let mut table = [[FAIL; 256]; 21];
    let mut state = START;
    while state <= FAIL {
        let mut byte = 0;
        while byte < 256 {
            table[state as usize][byte] = next(state, byte as u8);
            byte += 1;
        }
        state += 1;
    }
    table
};

const fn next(state: SanState, byte: u8) -> SanState {
    match (state, byte) {
        (END, _) => END,
        (START, b'a'..=b'h') => PAWN_FILE,
        (START, b'K' | b'Q' | b'R' | b'B' | b'N') => PIECE,
        (START, b'O') => O,
        (PAWN_FILE, b'x') => PAWN_TAKES,
        (PAWN_TAKES, b'a'..=b'h') => PAWN_TARGET_FILE,
        (PAWN_FILE | PAWN_TARGET_FILE, b'1'..=b'8') => PAWN_MOVE,
        (PAWN_MOVE, b'=') => PROMOTES,
        (PROMOTES, b'Q' | b'R' | b'B' | b'N') => MOVE,
        (PIECE, b'a'..=b'h') => FROM_FILE,
        (PIECE, b'1'..=b'8') => FROM_RANK,
        (PIECE | FROM_FILE | FROM_RANK | SQUARE, b'x') => TAKES,
        (FROM_FILE | FROM_RANK | SQUARE | TAKES, b'a'..=b'h') => TARGET_FILE,
        (FROM_FILE, b'1'..=b'8') => SQUARE,
        (TARGET_FILE, b'1'..=b'8') => MOVE,
        (O, b'-') => O_,
        (O_, b'O') => O_O,
        (O_O, b'-') => O_O_,
        (O_O_, b'O') => MOVE,
        (PAWN_MOVE | SQUARE | O_O | MOVE, b'+' | b'#') => CHECK,
        (PAWN_MOVE | SQUARE | O_O | MOVE | CHECK | GLYPH, b'!' | b'?') => GLYPH,
        (PAWN_MOVE | SQUARE | O_O | MOVE | CHECK | GLYPH, b' ' | b'\n' | b'$' | b'{') => END,
        _ => FAIL,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::san::SanPlus;

    use super::*;

    #[test]
    fn a_move_has_marks_and_glyphs_behind_it() {
        let lengths =
            |text: &str| read(text.as_bytes()).map(|written| (written.plain, written.san, written.end));
        assert_eq!(lengths("e4 e5"), Some((2, 2, 2)));
        assert_eq!(lengths("exd8=Q+!? "), Some((6, 7, 9)));
        assert_eq!(lengths("O-O-O#$1"), Some((5, 6, 6)));
        assert_eq!(lengths("Qa1xb2{"), Some((6, 6, 6)));
        assert_eq!(lengths("N1f3!!!!!!!!!\n"), Some((4, 4, 13)));
        for odd in
            ["e4", "e9 ", "e4++ ", "e4!+ ", "Z1 ", "O-O-O-O ", "e8=K ", "e4=Q=Q ", "Nf3=Q ", "", " ", "Ke "]
        {
            assert_eq!(lengths(odd), None, "{odd}");
        }
    }

    #[test]
    fn a_queen_does_not_promote() {
        assert_eq!(read(b"Qa1=B "), None);
        assert_eq!(canonical(*b"Qa1=B xx"), None);
    }

    proptest! {
        #[test]
        fn moves_as_programs_write_them_are_read(
            text in "([KQRBN][a-h]?[1-8]?x?[a-h][1-8]|([a-h]x)?[a-h][1-8](=[QRBN])?|O-O(-O)?)[+#]?",
        ) {
            let plain = text.trim_end_matches(['+', '#']).len();
            let whole = Written { plain, san: text.len(), end: text.len() };
            prop_assert_eq!(read(format!("{text} ").as_bytes()), Some(whole));
        }

        #[test]
        fn what_is_read_is_a_move(text in "[KQRBN]?[a-h]?[1-8]?x?[a-h]?[1-8]?(=[QRBNK])?[+#]?|O[-O]{0,6}") {
            let is_read = read(format!("{text} ").as_bytes()).is_some();
            prop_assert!(!is_read || text.parse::<SanPlus>().is_ok());
        }

        #[test]
        fn eight_bytes_at_a_time_are_read_as_one_by_one(text in "[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](=[QRBN])?[-+#!?O{ $\n]{0,6}") {
            let mut bytes = [b'x'; 8];
            let length = text.len().min(8);
            bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
            prop_assert_eq!(canonical(bytes), read(&bytes));
        }
    }
}
