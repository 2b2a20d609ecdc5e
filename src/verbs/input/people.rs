//! One name for each player of a run, by FIDE ids; and messages about names.

use std::path::PathBuf;

use super::Input;
use crate::base::text::printable;
use crate::chess::{GameFilter, People, SelectedGames, Selection, pgn::read_selected, similar_names};
use crate::engine::work::cores;
use crate::verbs::{error::VerbError, observer::Observer, plan::ReadingPlan};

/// Reads the chosen games. If games of certain players are wanted, and a FIDE id shows that such a player has
/// other names too, reads the files again for the games under these names.
pub fn read_games(
    files: &[PathBuf],
    reading: &ReadingPlan,
    observer: &dyn Observer,
) -> Result<SelectedGames, VerbError> {
    let selection = &reading.selection;
    let selected = read_selected(files, selection, cores())?;
    let other_names = selected.people.main_names(&selection.aliases).other_names(&selection.filter.games_of);
    if other_names.is_empty() {
        return Ok(selected);
    }
    if files.iter().any(|file| file.as_os_str() == "-") {
        observer.warn(
            "games of a player under other names are left out, because standard input is read only once: save it to a file",
        );
        return Ok(selected);
    }
    let filter = GameFilter { other_names, ..selection.filter.clone() };
    Ok(read_selected(files, &Selection { filter, ..selection.clone() }, cores())?)
}

/// Gives each player of the inputs one name by the FIDE ids, and reports this. Also reports similar names.
pub fn name_players(inputs: &mut [Input], reading: &ReadingPlan, observer: &dyn Observer) {
    let mut people = People::default();
    inputs.iter().for_each(|input| people.merge(&input.people));
    let names = people.main_names(&reading.selection.aliases);
    let joined = names.give(inputs.iter_mut().flat_map(|input| &mut input.games));
    let similar = similar_names(inputs.iter().flat_map(|input| &input.games));
    note_names(joined.into_iter().map(|id| names.told(id)).collect(), "", observer);
    let hint = "names may be of one player; --aliases FILE joins them, with one of these per line: ";
    note_names(similar, hint, observer);
}

/// Number of joined or similar names that are told.
const TOLD: usize = 3;

/// Prints the first of `names`, if there are any, after the words `before`.
pub fn note_names(names: Vec<String>, before: &str, observer: &dyn Observer) {
    let mut told: Vec<String> = names.iter().take(TOLD).map(|name| printable(name)).collect();
    told.extend((names.len() > TOLD).then(|| format!("and {} more", names.len() - TOLD)));
    if !told.is_empty() {
        observer.note(&format!("{before}{}", told.join("; ")));
    }
}
