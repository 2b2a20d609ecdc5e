//! Owns the part of a run in which games are played: meeting the engines, playing, stopping.

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{CmdError, console::Console};
use crate::{
    app::{Observer, Steps, search},
    cli::PlayerArgs,
    selfplay::{
        Contender, GameRecord,
        contestants::{Contestants, KnownEngine},
        game_log::GameLog,
        game_pgn::{self, GameHeader},
        game_pool::{self, GamePoolEvent, GamesToPlay},
        play::PlayedGame,
        tally::RunningScores,
    },
    uci::{locate::locate, options::Setting, process::EngineCommand},
};

/// After the forfeit of so many games one after the other an engine is taken to be broken.
const HOPELESS: u32 = 10;

/// Starts each engine once, to know who it is and that it takes its options.
pub fn identify(args: &PlayerArgs) -> Result<Contestants, CmdError> {
    let runtime = crate::work::event_loop()
        .map_err(|error| CmdError::System("start the engines' event loop", error))?;
    let command = |path: Option<&Path>, options: &[Setting]| -> Result<EngineCommand, CmdError> {
        Ok(EngineCommand { path: locate(path)?, setup: args.setup(options) })
    };
    let engine = command(args.engine.as_deref(), &args.engine_options)?;
    let same: Option<&PathBuf> = args.opponent.as_ref().or(args.engine.as_ref());
    let opponent = args.has_opponent().then(|| command(same.map(PathBuf::as_path), &args.opponent_options));
    runtime.block_on(async {
        Ok(Contestants {
            engine: KnownEngine::identify(engine).await?,
            opponent: match opponent.transpose()? {
                Some(opponent) => Some(KnownEngine::identify(opponent).await?),
                None => None,
            },
        })
    })
}

/// Games that are being played, with what is kept of them.
pub struct Playing<'a> {
    /// What all games have in their tags.
    pub header: &'a GameHeader,
    /// Where they are written.
    pub game_log: GameLog,
    /// The games that are over.
    pub records: Vec<GameRecord>,
    /// Games of the whole experiment.
    pub games: u64,
}

/// How the playing went, which another run does not repeat.
#[derive(Debug, Clone, Copy, Default)]
pub struct Effort {
    /// Games played in this run.
    pub games: u64,
    /// Half-moves of engines in them.
    pub plies: u64,
    /// How long engines prepared and thought.
    pub playing: Duration,
    /// How long engines took to start, where two start at once counted once.
    pub starting: Duration,
}

impl Playing<'_> {
    /// Plays to the end, or until the user stops it.
    ///
    /// The first interrupt lets the games in play end, the second drops them.
    pub fn work_off(
        &mut self,
        contestants: &Contestants,
        work: GamesToPlay<'_>,
        console: &mut Console,
    ) -> Result<Effort, CmdError> {
        let interrupts = search::listen(console, "the games in play are finished and kept")?;
        let mut scores: RunningScores = self.records.iter().collect();
        console.begin_games(self.steps(), &scores_so_far(&scores));
        let (mut effort, mut trouble, mut forfeits) = (Effort::default(), None, 0);
        let played = game_pool::run(contestants, work, interrupts.stop(), interrupts.twice(), |event| {
            match event {
                GamePoolEvent::Finished { game, starting } => {
                    self.keep(&game, console)?;
                    effort.count(&game, starting);
                    scores.add(&game.record());
                    console.advance_games(self.steps(), &scores_so_far(&scores));
                    forfeits = if game.ending.is_forfeit() { forfeits + 1 } else { 0 };
                    if forfeits >= HOPELESS {
                        trouble.get_or_insert_with(|| hopeless(&game));
                        interrupts.stop().request();
                    }
                }
                GamePoolEvent::NoPlayer(error) => {
                    console.warn("an engine does not start any more: the games in play are finished");
                    trouble.get_or_insert(error.into());
                }
            }
            Ok::<(), CmdError>(())
        });
        console.finish();
        interrupts.search_is_over();
        played?;
        trouble.map_or(Ok(effort), Err)
    }

    fn steps(&self) -> Steps {
        Steps { done: self.records.len() as u64, of: self.games }
    }

    fn keep(&mut self, game: &PlayedGame, console: &Console) -> Result<(), CmdError> {
        self.game_log.append(&game_pgn::write(game, self.header))?;
        self.records.push(game.record());
        if let Some(fault) = &game.fault {
            let number = game.scheduled.game;
            let [white, black] =
                [game.scheduled.white, game.scheduled.black].map(|player| self.header.player(player));
            let (words, result) = (game.ending.words(), game.result);
            console.warn(&format!("game {number} ({white} – {black}) {result} by forfeit, {words}: {fault}"));
        }
        Ok(())
    }
}

fn hopeless(game: &PlayedGame) -> CmdError {
    let fault = game.fault.as_deref().unwrap_or_default();
    CmdError::Unfit(format!("{HOPELESS} games in a row were forfeited, the last one since {fault}"))
}

/// What each contender has scored so far.
fn scores_so_far(scores: &RunningScores) -> String {
    let share = |(who, share): (Contender, f64)| format!("depth {who} {:.0} %", 100.0 * share);
    let shares: Vec<String> = scores.shares().map(share).collect();
    if shares.is_empty() { "no scores yet".to_owned() } else { shares.join(", ") }
}

impl Effort {
    fn count(&mut self, game: &PlayedGame, starting: Duration) {
        self.games += 1;
        self.plies += game.moves.iter().filter(|ply| ply.thought.is_some()).count() as u64;
        self.playing += game.busy;
        self.starting += starting;
    }
}

impl From<io::Error> for CmdError {
    /// Of the few things that fail without a name only threads and event loops are left.
    fn from(error: io::Error) -> CmdError {
        CmdError::System("start the threads that play", error)
    }
}
