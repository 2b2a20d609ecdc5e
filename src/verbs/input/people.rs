//! One name for each player of a run, by FIDE ids; and messages about names.

use std::path::PathBuf;

use super::Input;
use crate::base::text::{first_of, printable};
use crate::chess::{self, Game, SelectedGames, pgn::read_selected, similar_names};
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
    let others = selected.people.main_names(&selection.aliases).other_names(&selection.filter.games_of);
    if others.is_empty() {
        return Ok(selected);
    }
    if files.iter().any(|file| file.as_os_str() == "-") {
        observer.warn(
            "games of a player under other names are left out, because standard input is read only once: save it to a file",
        );
        return Ok(selected);
    }
    let mut wider = selection.clone();
    wider.filter.games_of = selection.filter.games_of.iter().cloned().chain(others).collect();
    Ok(read_selected(files, &wider, cores())?)
}

/// Gives each player of the inputs one name by the FIDE ids, and reports this. Also reports similar names.
pub fn name_players(inputs: &mut [Input], reading: &ReadingPlan, observer: &dyn Observer) {
    let mut games: Vec<&mut Game> = inputs.iter_mut().flat_map(|input| &mut input.games).collect();
    note_names(chess::name_players(&mut games, &reading.selection.aliases), "", observer);
    let similar = similar_names(games.iter().map(|game| &**game));
    let hint = "names may be of one player; --aliases FILE joins them, with one of these per line: ";
    note_names(similar, hint, observer);
}

/// Number of joined or similar names that are reported.
pub const TOLD: usize = 3;

/// Prints the first of `names`, if there are any, after the words `before`.
pub fn note_names(names: Vec<String>, before: &str, observer: &dyn Observer) {
    if !names.is_empty() {
        let names = names.iter().map(|name| printable(name));
        observer.note(&format!("{before}{}", first_of(TOLD, names, "; ")));
    }
}
