//! Owns the part of a run in which games are played: meeting the engines, playing, stopping.

use std::time::Duration;

use super::{Observer, Steps, event_loop, fitness, listen, plan::EntrantPlan, plan::SelfplayPlan};
use crate::chess::text::brief;
use crate::engine::EngineCommand;
use crate::lab::{
    Contender, Contestants, Entrant, EntrantNumber, ErrorOf, GameHeader, GameLog, GamePoolEvent, GameRecord,
    GamesToPlay, KnownEngine, MoverWay, PlayedGame, PlayerFactory, RunningScores, SequentialMatch,
    selfplay::game_pgn, selfplay::game_pool,
};
use crate::verbs::error::VerbError;

/// After the forfeit of so many games one after the other an engine is taken to be broken.
const HOPELESS: u32 = 10;

/// Starts each engine once, to know who it is and that it takes its options.
pub fn identify(plan: &SelfplayPlan) -> Result<Contestants, VerbError> {
    let engine = plan.engine.command()?;
    let opponent = plan.opponent.as_ref().map(|opponent| opponent.engine.command());
    event_loop()?.block_on(async {
        Ok(Contestants {
            engine: KnownEngine::identify(engine).await?,
            opponent: match opponent.transpose()? {
                Some(opponent) => Some(KnownEngine::identify(opponent).await?),
                None => None,
            },
        })
    })
}

/// Starts the engine of each entrant once, to know who it is and that it takes its options.
pub fn identify_entrants(plans: &[EntrantPlan]) -> Result<Vec<Entrant>, VerbError> {
    let identify = async |plan: &EntrantPlan| {
        let (choice, setup) = plan.resolved()?;
        let limit = plan.limit.unwrap_or_else(|| plan.way.usual_limit(&choice));
        let command = EngineCommand::new(&choice, &setup)?;
        let engine = match plan.way {
            MoverWay::Search | MoverWay::Spar(..) => KnownEngine::identify(command).await?,
            MoverWay::Tree(_) => identify_for_trees(command).await?,
        };
        Ok(Entrant { name: plan.name.clone(), engine, limit, way: plan.way })
    };
    event_loop()?.block_on(async {
        let mut entrants = Vec::with_capacity(plans.len());
        for plan in plans {
            let found: Result<Entrant, VerbError> = identify(plan).await;
            entrants.push(found.map_err(|error| VerbError::new(format!("entrant {}: {error}", plan.name)))?);
        }
        Ok(entrants)
    })
}

/// Starts an engine and stops it again, to know who it is and that single moves can be asked about.
async fn identify_for_trees(command: EngineCommand) -> Result<KnownEngine, VerbError> {
    let mut engine = command.start().await?;
    let identity = engine.identity().clone();
    fitness::check_searchmoves(&mut engine).await?;
    engine.quit().await;
    Ok(KnownEngine { command, identity })
}

/// Keeps the score while games are played.
pub trait Scoreboard<C> {
    /// Counts a game that is over; tells whether the rest need not be played.
    fn add(&mut self, record: &GameRecord<C>) -> bool;

    /// Says how it stands.
    fn so_far(&self) -> String;
}

impl Scoreboard<Contender> for RunningScores {
    fn add(&mut self, record: &GameRecord) -> bool {
        RunningScores::add(self, record);
        false
    }

    fn so_far(&self) -> String {
        said(self.shares().map(|(who, share)| (format!("depth {who}"), share)))
    }
}

/// The score of entrants, and what the test of their match has come to.
#[derive(Debug)]
pub struct EntrantScores {
    /// What each has scored.
    pub scores: RunningScores<EntrantNumber>,
    /// The match under a test.
    pub test: Option<SequentialMatch>,
    /// The names of all.
    pub names: Vec<String>,
}

impl EntrantScores {
    /// Returns how many games from the first on count, where a test has decided.
    pub fn decided_after(&self) -> Option<u32> {
        self.test.as_ref().and_then(SequentialMatch::decided_after)
    }
}

impl Scoreboard<EntrantNumber> for EntrantScores {
    fn add(&mut self, record: &GameRecord<EntrantNumber>) -> bool {
        self.scores.add(record);
        if let Some(test) = &mut self.test {
            test.add(record);
        }
        self.decided_after().is_some()
    }

    fn so_far(&self) -> String {
        let scores = said(self.scores.shares().map(|(who, share)| (brief(&self.names[who.place()]), share)));
        match &self.test {
            Some(test) => format!("{scores}, LLR {:.2}", test.log_likelihood_ratio()),
            None => scores,
        }
    }
}

/// Says what each has scored so far.
fn said(shares: impl Iterator<Item = (String, f64)>) -> String {
    let shares: Vec<String> = shares.map(|(who, share)| format!("{who} {:.0} %", 100.0 * share)).collect();
    if shares.is_empty() { "no scores yet".to_owned() } else { shares.join(", ") }
}

/// Games that are being played, with what is kept of them.
pub struct Playing<'a, C> {
    /// What all games have in their tags.
    pub header: &'a GameHeader<C>,
    /// The score so far, of the games that are over already.
    pub scores: &'a mut dyn Scoreboard<C>,
    /// Where they are written.
    pub game_log: GameLog,
    /// The games that are over.
    pub records: Vec<GameRecord<C>>,
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

impl<C: Copy + Ord> Playing<'_, C> {
    /// Plays to the end, or until the user stops it.
    ///
    /// The first interrupt lets the games in play end, the second drops them.
    pub fn work_off<S: PlayerFactory<Contender = C>>(
        &mut self,
        players: &S,
        work: GamesToPlay<'_, C>,
        observer: &mut dyn Observer,
    ) -> Result<Effort, VerbError>
    where
        VerbError: From<ErrorOf<S>>,
    {
        let interrupts = listen(observer, "the games in play are finished and kept")?;
        observer.begin_games(self.steps(), &self.scores.so_far());
        let (mut effort, mut trouble, mut forfeits) = (Effort::default(), None, 0);
        let played = game_pool::run(players, work, interrupts.stop(), interrupts.twice(), |event| {
            match event {
                GamePoolEvent::Finished { game, starting } => {
                    self.keep(&game, observer)?;
                    effort.count(&game, starting);
                    if self.scores.add(&game.record()) {
                        interrupts.stop().request();
                    }
                    observer.advance_games(self.steps(), &self.scores.so_far());
                    forfeits = if game.ending.is_forfeit() { forfeits + 1 } else { 0 };
                    if forfeits >= HOPELESS {
                        trouble.get_or_insert_with(|| hopeless(&game));
                        interrupts.stop().request();
                    }
                }
                GamePoolEvent::NoPlayer(error) => {
                    observer.warn(
                        "an engine no longer starts: the games in play are finished, and no others begun",
                    );
                    trouble.get_or_insert(error.into());
                }
            }
            Ok::<(), VerbError>(())
        });
        observer.finish();
        interrupts.search_is_over();
        played?;
        self.game_log.sync()?;
        trouble.map_or(Ok(effort), Err)
    }

    fn steps(&self) -> Steps {
        Steps { done: self.records.len() as u64, of: self.games }
    }

    fn keep(&mut self, game: &PlayedGame<C>, observer: &dyn Observer) -> Result<(), VerbError> {
        self.game_log.append(&game_pgn::write(game, self.header))?;
        self.records.push(game.record());
        if let Some(fault) = &game.fault {
            let number = game.scheduled.game;
            let [white, black] =
                [game.scheduled.white, game.scheduled.black].map(|player| self.header.player(&player));
            let (words, result) = (game.ending.words(), game.result);
            observer
                .warn(&format!("game {number} ({white} – {black}) {result} by forfeit, {words}: {fault}"));
        }
        Ok(())
    }
}

fn hopeless<C>(game: &PlayedGame<C>) -> VerbError {
    let fault = game.fault.as_deref().unwrap_or_default();
    VerbError::engine(format!("{HOPELESS} games in a row were forfeited, the last one since {fault}"))
}

impl Effort {
    fn count<C>(&mut self, game: &PlayedGame<C>, starting: Duration) {
        self.games += 1;
        self.plies += game.moves.iter().filter(|ply| ply.thought.is_some()).count() as u64;
        self.playing += game.busy;
        self.starting += starting;
    }
}
