//! Owns [`Evaluated`]: the games of a run with their evaluations, on their way to its reports.

use std::collections::BTreeSet;

use super::{rated::NoRating, rated::RatedPlay, reading::Input};
use crate::chess::{BadGame, EvaluatedGame, FirstFew, Game, text::path_text};
use crate::files::{ChoiceFacts, LeftOutGame};
use crate::store::{EngineStamp, SearchCounts, SearchedGame};
use crate::verbs::error::VerbError;

pub struct Evaluated {
    /// One for each input, in their order.
    pub inputs: Vec<InputGames>,
    pub counts: SearchCounts,
    /// The part of it that the engine's own moves took beside those of the games.
    pub own_moves: SearchCounts,
    /// Positions whose evaluation is that of the file.
    pub recorded: u64,
    /// Who searched; `None` when nothing had to be.
    pub engine: Option<EngineStamp>,
    /// SHA-256 of each executable whose evaluations are used, of builds that behave the same.
    pub programs: BTreeSet<String>,
    /// The games as a calibration wants them, or why there are none.
    pub rated: Result<RatedPlay, NoRating>,
    pub interrupted: bool,
}

#[derive(Default)]
pub struct InputGames {
    /// Those with all of their evaluations, in the order of the files.
    pub games: Vec<EvaluatedGame>,
    pub left_out: FirstFew<LeftOutGame>,
    /// How many there were in the files.
    pub read: u64,
    pub choice: Option<ChoiceFacts>,
    /// How many of them kept the evaluations of their file.
    pub recorded: usize,
    /// How many of them were put to an engine.
    pub searched: usize,
    pub engine_failed: bool,
}

impl Evaluated {
    /// Returns the games of `inputs`, which no engine was needed for so far.
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
    /// Returns the games of `input` that cannot be read; the others are taken later.
    pub fn of(input: &Input) -> InputGames {
        InputGames {
            read: input.read as u64,
            choice: input.choice(),
            left_out: input.bad.map(unreadable),
            ..InputGames::default()
        }
    }

    /// Tells why there is nothing to report: the engine's failures are its own; a file without usable
    /// evaluations is the user's to mend.
    pub fn nothing_left(&self) -> VerbError {
        match self.left_out.first().first() {
            Some(game) if !self.engine_failed => {
                VerbError::no_games(format!("{}, game {}: {}", path_text(&game.file), game.game, game.reason))
            }
            _ => VerbError::nothing_left(),
        }
    }

    /// Takes what a store has of a game; `gap` says why it is left out where that is not all of it.
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
                (game, "the search of it was not finished".to_owned(), "not finished")
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

fn unreadable(bad: &BadGame) -> LeftOutGame {
    LeftOutGame {
        file: bad.source.file.clone(),
        game: bad.source.number as u64,
        white: Some(bad.white.clone()),
        black: Some(bad.black.clone()),
        ply: bad.ply,
        written: bad.token.clone(),
        reason: bad.reason.to_string(),
    }
}
