//! The table of an archive's moves, written while the archive is read.

use std::{collections::BTreeSet, sync::mpsc::SyncSender, sync::mpsc::sync_channel};

use compact_str::CompactString;

use crate::base::output::Publication;
use crate::files::{Format, ROW_GROUP};
use crate::measure::{CountedMove, GameCounts, SideCounts};
use crate::report::{ReportError, table::ExportError, table::Table, table::TablePart, writing::write_table};

const NAME: &str = "archive-moves";

struct ArchiveMoveRow {
    file: String,
    game: u64,
    player: Option<Box<str>>,
    group: CompactString,
    elo: Option<u32>,
    counted: CountedMove,
}

fn table(rows: &[ArchiveMoveRow]) -> Table {
    Table::of(NAME, "One row per move, in the order of the files; written with `--moves`.", rows)
        .column("file", "The file, as named on the command line.", |row| &row.file)
        .column("game", "Number of the game in its file, from 1.", |row| row.game)
        .column("ply", "Number of the half-move, from 1.", |row| row.counted.ply)
        .column("color", "", |row| row.counted.mover.fold_wb("white", "black"))
        .means("Side to move: `white` or `black`.")
        .column("player", "Player of the move; empty if unknown.", |row| row.player.as_deref())
        .column("group", "The group that counts the move.", |row| row.group.as_str())
        .column("elo", "Rating of the mover in Elo points; empty if unknown.", |row| row.elo)
        .column("san", "The move in standard algebraic notation.", |row| &*row.counted.san)
        .column("before_cp", "", |row| row.counted.before)
        .means("Clipped evaluation before the move in centipawns, White's view.")
        .column("after_cp", "", |row| row.counted.after)
        .means("Clipped evaluation after the move in centipawns, White's view.")
        .column("gain", "", |row| row.counted.gain)
        .means("Center of the bin of the gain, in the unit of the metric, the mover's view.")
        .clocks(|row| row.counted.left, |row| row.counted.spent)
        .table()
}

pub(in crate::report) fn empty() -> Table {
    table(&[])
}

/// A sink for moves, which passes them to the files part by part.
pub struct MovesWriter {
    rows: Vec<ArchiveMoveRow>,
    parts: Vec<SyncSender<TablePart>>,
}

/// Writes the table while `fill` adds games to it. No file is left if `fill` fails.
pub fn write_moves<T, E: From<ReportError>>(
    out: &Publication<'_>,
    formats: &BTreeSet<Format>,
    fill: impl FnOnce(&mut MovesWriter) -> Result<T, E>,
) -> Result<T, E> {
    std::thread::scope(|scope| {
        let mut parts = Vec::new();
        let writers: Vec<_> = formats
            .iter()
            .map(|&format| {
                let (sender, receiver) = sync_channel(1);
                parts.push(sender);
                scope.spawn(move || write_table(out, NAME, receiver, format))
            })
            .collect();
        let mut moves = MovesWriter { rows: Vec::new(), parts };
        let filled = fill(&mut moves);
        moves.end(filled.is_ok());
        let written: Vec<Result<(), ReportError>> =
            writers.into_iter().map(|writer| writer.join().expect("a thread that does not panic")).collect();
        let filled = filled?;
        written.into_iter().collect::<Result<(), _>>()?;
        Ok(filled)
    })
}

impl MovesWriter {
    pub fn add(&mut self, file: &str, game: u64, entry: &GameCounts) {
        for counted in &entry.moves {
            let Some(SideCounts { name, group, elo, .. }) = entry.sides.get(counted.mover) else { continue };
            self.rows.push(ArchiveMoveRow {
                file: file.to_owned(),
                game,
                player: name.clone(),
                group: group.clone(),
                elo: *elo,
                counted: counted.clone(),
            });
        }
        if self.rows.len() >= ROW_GROUP {
            self.send_part();
        }
    }

    fn send_part(&mut self) {
        let part = table(&std::mem::take(&mut self.rows));
        for sender in &self.parts {
            // A file that cannot be written reports its own error.
            let _ = sender.send(Ok(part.clone()));
        }
    }

    /// Writes the remaining moves if `complete`. A last part without moves still has the columns. If not
    /// `complete`, all files fail as unfinished.
    fn end(mut self, complete: bool) {
        if complete {
            self.send_part();
        } else {
            for sender in &self.parts {
                let _ = sender.send(Err(ExportError::Unfinished));
            }
        }
    }
}
