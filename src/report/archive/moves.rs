//! Owns the table of an archive's moves, which is written while the archive streams by.

use std::{
    collections::BTreeSet,
    sync::mpsc::{SyncSender, sync_channel},
};

use polars::prelude::{Column, DataFrame, PolarsError, PolarsResult};
use shakmaty::Color;

use super::{
    super::{ReportError, write_format},
    TABLES,
};
use crate::{archive::GameCounts, formats::Format, output::Publication};

/// Moves of a part: a row group of Parquet, some 10 MB in memory.
const PART: usize = 1 << 18;

/// Rows of the table `archive-moves`: `file, game, ply, color, player, group, elo, san, before_cp,
/// after_cp, gain, left_s, spent_s`.
///
/// `game` is the number of the game in its file, from 1; `before_cp` and `after_cp` are centipawns within
/// the clip, White's view; `gain` is the centre of the bin of the gain in the metric's unit, mover's view;
/// `left_s` and `spent_s` are seconds; what is unknown is null.
#[derive(Debug, Default)]
struct Rows {
    file: Vec<String>,
    game: Vec<u64>,
    ply: Vec<u32>,
    color: Vec<&'static str>,
    player: Vec<Option<String>>,
    group: Vec<String>,
    elo: Vec<Option<u32>>,
    san: Vec<String>,
    before: Vec<i32>,
    after: Vec<i32>,
    gain: Vec<i32>,
    left: Vec<Option<f64>>,
    spent: Vec<Option<f64>>,
}

impl Rows {
    fn add(&mut self, file: &str, game: u64, entry: &GameCounts) {
        for played in &entry.moves {
            let Some(side) = entry.sides.get(played.mover) else { continue };
            let seconds = |hundredths: u32| f64::from(hundredths) / 100.0;
            self.file.push(file.to_owned());
            self.game.push(game);
            self.ply.push(played.ply);
            self.color.push(if played.mover == Color::White { "white" } else { "black" });
            self.player.push(side.name.as_deref().map(str::to_owned));
            self.group.push(side.group.to_string());
            self.elo.push(side.elo);
            self.san.push(played.san.to_string());
            self.before.push(played.before);
            self.after.push(played.after);
            self.gain.push(played.gain);
            self.left.push(played.left.map(seconds));
            self.spent.push(played.spent.map(seconds));
        }
    }

    fn frame(self) -> PolarsResult<DataFrame> {
        DataFrame::new_infer_height(vec![
            Column::new("file".into(), self.file),
            Column::new("game".into(), self.game),
            Column::new("ply".into(), self.ply),
            Column::new("color".into(), self.color),
            Column::new("player".into(), self.player),
            Column::new("group".into(), self.group),
            Column::new("elo".into(), self.elo),
            Column::new("san".into(), self.san),
            Column::new("before_cp".into(), self.before),
            Column::new("after_cp".into(), self.after),
            Column::new("gain".into(), self.gain),
            Column::new("left_s".into(), self.left),
            Column::new("spent_s".into(), self.spent),
        ])
    }
}

/// Takes moves as they come, and hands them on to the files part by part.
pub struct MovesWriter {
    rows: Rows,
    parts: Vec<SyncSender<PolarsResult<DataFrame>>>,
}

/// Writes the table `archive-moves` in each of the `formats` while `fill` puts games into it; no file
/// appears where `fill` fails.
///
/// # Errors
///
/// That of `fill`, else that of a file that cannot be written.
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
                scope.spawn(move || write_format(out, TABLES[3], receiver, format))
            })
            .collect();
        let mut moves = MovesWriter { rows: Rows::default(), parts };
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
    /// Adds the moves of the game of that number in its file.
    pub fn add(&mut self, file: &str, game: u64, entry: &GameCounts) {
        self.rows.add(file, game, entry);
        if self.rows.game.len() >= PART {
            self.hand_on();
        }
    }

    fn hand_on(&mut self) {
        let part = std::mem::take(&mut self.rows).frame();
        for sender in &self.parts {
            // A file that cannot be written tells so itself.
            let _ = sender.send(part.clone());
        }
    }

    /// Gives out what is left; a last part without moves still has the columns.
    fn end(mut self, complete: bool) {
        if complete {
            self.hand_on();
        } else {
            for sender in &self.parts {
                let _ =
                    sender.send(Err(PolarsError::ComputeError("the archive was not read to its end".into())));
            }
        }
    }
}
