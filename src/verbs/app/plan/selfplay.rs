//! Owns what an experiment of engines that play each other is to do.

use std::path::PathBuf;

use super::{EnginePlan, RunShare};
use crate::chess::{Limit, text::shown_path};
use crate::engine::{
    EngineChoice, Setting, Setup, weights::is_of_weights, within::WEIGHTS_OPTION, work::cores,
};
use crate::lab::{Adjudication, Choices, EntrantAnchor, Meetings, MoverWay, PairSelection, Restart};
use crate::numbers::Sprt;
use crate::verbs::{args::ResultArgs, error::VerbError};

#[derive(Debug, Clone, PartialEq)]
pub struct SelfplayPlan {
    /// Depths in plies that the engine plays to, in ascending order.
    pub depths: Vec<u32>,
    pub pairings: Vec<PairSelection>,
    /// The engine; its processes are started game by game.
    pub engine: EnginePlan,
    /// Who it meets instead of itself.
    pub opponent: Option<OpponentPlan>,
    pub playing: PlayingPlan,
    pub choices: Choices,
    /// The report of a tournament whose strength of the engine is the anchor, in place of one that is given.
    pub anchor_report: Option<PathBuf>,
    pub results: ResultArgs,
}

#[derive(Debug, Clone, PartialEq)]
pub struct PlayingPlan {
    /// Games of each pair.
    pub games: u32,
    /// Games at a time.
    pub jobs: usize,
    pub restart: Restart,
    pub openings: OpeningPlan,
    /// Where the random numbers begin that choose the openings and their order.
    pub seed: u64,
    pub adjudication: Adjudication,
    pub share: RunShare,
}

impl PlayingPlan {
    /// Games of a pair unless asked otherwise, as in Ferreira's experiment.
    pub const GAMES: u32 = 200;
}

impl Default for PlayingPlan {
    fn default() -> PlayingPlan {
        PlayingPlan {
            games: PlayingPlan::GAMES,
            jobs: cores(),
            restart: Restart::default(),
            openings: OpeningPlan::default(),
            seed: 1,
            adjudication: Adjudication::default(),
            share: RunShare::default(),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct EntrantsPlan {
    /// Who plays, each under another name.
    pub entrants: Vec<EntrantPlan>,
    pub meetings: Meetings,
    /// The test that ends the match of two.
    pub sprt: Option<Sprt>,
    pub playing: PlayingPlan,
    /// Entrants whose Elo is known, so that the mean of theirs is that of these numbers.
    pub anchors: Vec<EntrantAnchor>,
    pub results: ResultArgs,
}

/// Somebody who plays.
#[derive(Debug, Clone, PartialEq)]
pub struct EntrantPlan {
    pub name: String,
    /// `builtin`, a program, or a file of weights for the engine within.
    pub engine: PathBuf,
    pub setup: Setup,
    /// What a search may take; `None` for what is usual of its kind of engine.
    pub limit: Option<Limit>,
    pub way: MoverWay,
}

impl EntrantPlan {
    /// Returns the engine that moves, with its setting: a file of weights is an option of the engine within.
    pub fn resolved(&self) -> Result<(EngineChoice, Setup), VerbError> {
        let path = &self.engine;
        if is_of_weights(path) {
            let weights =
                Setting { name: WEIGHTS_OPTION.to_owned(), value: Some(path.display().to_string()) };
            let settings = std::iter::once(weights).chain(self.setup.settings.iter().cloned()).collect();
            return Ok((EngineChoice::Within { is_named: true }, Setup { settings, ..self.setup.clone() }));
        }
        let choice = EngineChoice::named(path.as_os_str());
        if matches!(&choice, EngineChoice::Program(program) if !program.exists()) {
            let path = shown_path(path);
            return Err(VerbError::new(format!(
                "{path}: no such file: write builtin, an engine's program or a file of weights"
            )));
        }
        Ok((choice, self.setup.clone()))
    }
}

impl Default for SelfplayPlan {
    /// Returns the engine that is found against itself, every depth against every other; of no depth yet.
    fn default() -> SelfplayPlan {
        SelfplayPlan {
            depths: Vec::new(),
            pairings: vec![PairSelection::All],
            engine: EnginePlan::default(),
            opponent: None,
            playing: PlayingPlan::default(),
            choices: Choices::default(),
            anchor_report: None,
            results: ResultArgs::default(),
        }
    }
}

/// Another engine, or the same one with other options or depths.
#[derive(Debug, Clone, PartialEq)]
pub struct OpponentPlan {
    pub engine: EnginePlan,
    /// Depths in plies that it plays to, in ascending order.
    pub depths: Vec<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum OpeningPlan {
    #[default]
    Usual,
    /// With the positions or the moves of a file.
    File {
        /// EPD, FEN or PGN.
        path: PathBuf,
        /// Half-moves that are taken of each game of a PGN at most.
        plies: Option<u32>,
    },
    /// With so many random half-moves.
    Random(u32),
}
