//! Reads the same text with pgn-reader and shakmaty, for comparison.

use std::{fs::File, io, ops::ControlFlow, path::Path};

use pgn_reader::{Reader, SanPlus, Visitor};
use shakmaty::{Chess, Position};

/// Reads the games of `file` and counts their moves. If `replay` is true, replays each game and counts its
/// moves before the first illegal one.
///
/// # Errors
///
/// If the file cannot be read.
pub fn read(file: &Path, replay: bool) -> io::Result<u64> {
    let mut moves = 0;
    let mut reader = Reader::new(File::open(file)?);
    while let Some(count) = reader.read_game(&mut Moves { replay })? {
        moves += count;
    }
    Ok(moves)
}

struct Moves {
    replay: bool,
}

impl Visitor for Moves {
    type Tags = ();
    type Movetext = (Chess, u64);
    type Output = u64;

    fn begin_tags(&mut self) -> ControlFlow<u64> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<u64, (Chess, u64)> {
        ControlFlow::Continue((Chess::default(), 0))
    }

    fn san(&mut self, (position, count): &mut (Chess, u64), san: SanPlus) -> ControlFlow<u64> {
        if self.replay {
            let Ok(m) = san.san.to_move(position) else { return ControlFlow::Break(*count) };
            position.play_unchecked(m);
        }
        *count += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (_, count): (Chess, u64)) -> u64 {
        count
    }
}
