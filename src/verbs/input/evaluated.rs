//! [`Evaluated`]: the games of a run with their evaluations, before they are reported.

use std::collections::BTreeSet;

use crate::base::text::games_path;
use crate::chess::{EvaluatedGame, FirstFew, Game};
use crate::files::{ChoiceFacts, LeftOutGame};
use crate::measure::{NoRating, RatedPlay};
use crate::store::{EngineStamp, SearchCounts, SearchedGame};
use crate::verbs::{error::VerbError, input::Input};

pub struct Evaluated {
    /// The games of each input, in the order of the inputs.
    pub inputs: Vec<InputGames>,
    pub counts: SearchCounts,
    /// The counts of the positions after the engine's own best moves. They are included in `counts`, except
    /// optional evaluations that were only taken from the store (`Reach::StoredWithChoices`).
    pub own_moves: SearchCounts,
    /// Number of positions with an evaluation from the file.
    pub recorded: u64,
    /// The engine; `None` if no game was given to an engine.
    pub engine: Option<EngineStamp>,
    /// SHA-256 of each executable whose evaluations are used. All of these builds have the same behavior.
    pub programs: BTreeSet<String>,
    /// The games for the rating of play, or the reason why there are none.
    pub rated: Result<RatedPlay, NoRating>,
    pub interrupted: bool,
}

#[derive(Default)]
pub struct InputGames {
    /// Games with all of their evaluations, in the order of the files.
    pub games: Vec<EvaluatedGame>,
    pub left_out: FirstFew<LeftOutGame>,
    pub read: u64,
    pub choice: Option<ChoiceFacts>,
    /// Number of games with evaluations from their file.
    pub recorded: usize,
    /// Number of games given to an engine.
    pub searched: usize,
    pub engine_failed: bool,
}

impl Evaluated {
    /// Returns the games of `inputs` before any engine is used.
    pub fn of(inputs: Vec<InputGames>) -> Evaluated {
        Evaluated {
            inputs,
            counts: SearchCounts::default(),
            own_moves: SearchCounts::default(),
            recorded: 0,
            engine: None,
            programs: BTreeSet::new(),
            rated: Err(NoRating::NotWanted),
            interrupted: false,
        }
    }
}

impl InputGames {
    /// Returns the games of `input` before evaluation. Unreadable games are listed as left out; the other
    /// games are added later.
    pub fn of(input: &Input) -> InputGames {
        InputGames {
            read: input.read as u64,
            choice: input.choice(),
            left_out: input.bad.map(|bad| bad.into()),
            ..InputGames::default()
        }
    }

    /// Returns the error for an input without games to report: the reason why the first game was left out. If
    /// the engine failed, or if no game was left out, the error names no game.
    pub fn nothing_left(&self) -> VerbError {
        match self.left_out.first().first() {
            Some(game) if !self.engine_failed => VerbError::no_games(format!(
                "{}, game {}: {}",
                games_path(&game.file),
                game.game,
                game.reason
            )),
            _ => VerbError::nothing_left(),
        }
    }

    /// Adds a game with its evaluations from a store. An incomplete game is left out for the reason `gap`.
    pub fn take_stored(&mut self, game: SearchedGame, gap: &str) {
        match game {
            SearchedGame::Unfinished { game } => self.leave_out(&game, gap.to_owned(), "not stored"),
            other => self.take(other),
        }
    }

    pub fn take(&mut self, game: SearchedGame) {
        self.searched += 1;
        let (game, reason, kind) = match game {
            SearchedGame::Complete(game) => return self.games.push(*game),
            SearchedGame::Failed { game, error } => {
                (game, format!("the engine failed: {error}"), "the engine failed")
            }
            SearchedGame::Unfinished { game } => {
                (game, "the search of the game was not finished".to_owned(), "not finished")
            }
        };
        self.leave_out(&game, reason, kind);
        self.engine_failed = true;
    }

    pub fn leave_out(&mut self, game: &Game, reason: String, kind: &str) {
        let player = |color| Some(game.player(color).to_owned());
        let left_out = LeftOutGame {
            file: game.source.file.clone(),
            game: game.source.number as u64,
            white: player(shakmaty::Color::White),
            black: player(shakmaty::Color::Black),
            ply: None,
            written: None,
            reason,
        };
        self.left_out.add(left_out, kind);
    }
}
