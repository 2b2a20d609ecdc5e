//! Owns the evaluations of another run on the same games: its report, or a PGN that records its evaluations.

use std::path::Path;

use super::Viewer;
use crate::chess::EvaluatedGame;
use crate::chess::text::{counted, shown_path};
use crate::files::{Common, RecordedGame, formats::moves};
use crate::store::evaluate;
use crate::verbs::app::plan::ReadingPlan;
use crate::verbs::app::reading;
use crate::verbs::error::VerbError;

/// Returns the games of the other run at `path`, a folder or a PGN, with the names that count in `selection`.
pub fn read(path: &Path, plan: &ReadingPlan, viewer: &dyn Viewer) -> Result<Vec<RecordedGame>, VerbError> {
    match path {
        folder if folder.is_dir() => Ok(moves::games(folder)?),
        file if file.exists() => recorded(file, plan, viewer),
        _ => Err(VerbError::no_such_path(path)),
    }
}

/// Returns the error of two runs of different games.
pub fn nothing_in_common(common: &Common, path: &Path) -> VerbError {
    let first = common.first_missing.as_ref();
    let first = first.map_or(String::new(), |game| format!("; the first of ours is {game}"));
    VerbError::new(format!(
        "{}: none of its {} is one of the {} here{first}",
        shown_path(path),
        counted(common.more as u64, "game"),
        counted(common.wanted as u64, "game"),
    ))
}

/// Returns which games the numbers of two runs are of, in words.
pub fn held(common: &Common, path: &Path) -> String {
    let (name, both) = (shown_path(path), common.ours.len() as u64);
    let which = match &common.first_missing {
        None => format!("Here and in {name}: the same {}.", counted(both, "game")),
        Some(game) => format!(
            "Here and in {name}: {both} of {}. The first of those that are not in both is {game}.",
            counted(common.wanted as u64, "game"),
        ),
    };
    match common.more as u64 {
        0 => which,
        more => format!("{which} It has {} more, which nothing is compared with.", counted(more, "game")),
    }
}

/// Returns the games of a PGN whose every position has an evaluation.
fn recorded(path: &Path, plan: &ReadingPlan, viewer: &dyn Viewer) -> Result<Vec<RecordedGame>, VerbError> {
    let input = reading::read_one(path, &plan.everything(), viewer)??;
    reading::warn_of_bad_games([&input], viewer);
    let (mut recorded, mut gaps) = (Vec::new(), Vec::new());
    for game in input.games {
        match evaluate::recorded(&game, None) {
            Ok(evaluations) => recorded.push(RecordedGame::of(&EvaluatedGame::new(game, evaluations))),
            Err(gap) => gaps.push(format!("{}: {gap}", game.title())),
        }
    }
    match gaps.first() {
        Some(gap) if recorded.is_empty() => Err(VerbError::new(format!(
            "{}: no game of it has all of its evaluations recorded; the first, {gap}",
            shown_path(path)
        ))),
        Some(gap) => {
            let more = gaps.len() as u64 - 1;
            let more = if more > 0 { format!("; and {more} more") } else { String::new() };
            viewer.warn(&format!("not compared: {gap}{more}"));
            Ok(recorded)
        }
        None => Ok(recorded),
    }
}
