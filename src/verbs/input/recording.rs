//! [`Recording`]: a file with an engine's evaluations of games, as a judge of these games.

use std::{collections::HashMap, path::Path, path::PathBuf};

use crate::base::text::{counted, printable, shown_path};
use crate::chess::{Game, evaluated_game::JUDGE, game::start_fen, recorded_evaluations};
use crate::verbs::{error::VerbError, input, input::Input, observer::Observer, plan::ReadingPlan};

pub struct Recording {
    path: PathBuf,
    /// The games with complete evaluations, by start position and moves.
    games: HashMap<String, Game>,
}

impl Recording {
    /// Reads the games of a file and keeps those with complete evaluations. Fails if there are none.
    pub fn read(path: &Path, observer: &dyn Observer) -> Result<Recording, VerbError> {
        let input = input::read_together(&[path.to_owned()], &ReadingPlan::default().everything(), observer)?;
        let mut games = HashMap::new();
        for game in input.games.into_iter().filter(|game| recorded_evaluations(game, None).is_ok()) {
            games.entry(key(&game)).or_insert(game);
        }
        match games.is_empty() {
            true => {
                let error = format!("{}: no game has an [%eval] comment after every move", shown_path(path));
                Err(VerbError::no_games(error))
            }
            false => Ok(Recording { path: path.to_owned(), games }),
        }
    }

    /// Returns the engine, limit and order of the evaluations. If the games do not all name the same engine,
    /// limit and order, returns the name of the file.
    pub fn judge(&self) -> String {
        let mut judges = self.games.values().map(|game| game.tags.get(JUDGE));
        let first = judges.next().flatten();
        let one = first.filter(|_| judges.all(|judge| judge == first)).map(str::to_owned);
        let file = || self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        one.unwrap_or_else(|| printable(&file()))
    }

    /// Returns the games of `inputs` with the evaluations of the file, found by their moves. A game that is
    /// missing from the file loses its evaluations and is reported. Fails if all games are missing.
    pub fn judged(&self, inputs: &[Input], observer: &dyn Observer) -> Result<Vec<Input>, VerbError> {
        let mut judged = inputs.to_vec();
        let (mut missing, mut all) = (Vec::new(), 0);
        for game in judged.iter_mut().flat_map(|input| &mut input.games) {
            let found = self.games.get(&key(game));
            game.start_eval = found.and_then(|found| found.start_eval);
            for (ply, played) in game.moves.iter_mut().enumerate() {
                played.eval = found.and_then(|found| found.moves[ply].eval);
            }
            game.tags.set(JUDGE, found.and_then(|found| found.tags.get(JUDGE)).unwrap_or_default());
            all += 1;
            missing.extend(found.is_none().then(|| game.title()));
        }
        let file = shown_path(&self.path);
        match missing.first() {
            Some(_) if missing.len() == all => {
                let error = VerbError::no_games(format!(
                    "{file}: contains none of your {}",
                    counted(all as u64, "game")
                ));
                return Err(error.with_hint("; games are matched by their moves"));
            }
            Some(first) => observer
                .warn(&format!("{file}: missing games: {} of {all}; the first is {first}", missing.len())),
            None => {}
        }
        Ok(judged)
    }
}

/// Returns a key that is equal for all copies of a game, independent of their tags.
fn key(game: &Game) -> String {
    let moves = game.moves.iter().map(|played| played.uci.to_string());
    start_fen(&game.start).into_iter().chain(moves).collect::<Vec<_>>().join(" ")
}
