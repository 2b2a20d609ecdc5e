//! The searches of a run, one after the other: for the rating of play, for the plan, and for the engine's own
//! moves.

use crate::base::text::counted;
use crate::chess::{EvaluatedGame, Game, Order, Protocol};
use crate::engine::{Behavior, EngineCommand};
use crate::measure::{Calibration, NoRating, RatedPlay};
use crate::store::{EngineStamp, Origin, Search, SearchNotice, SearchProgress, SearchedGame};
#[cfg(feature = "postgres")]
use crate::verbs::evaluations::queued::QueuedRun;
use crate::verbs::{
    error::VerbError, evaluations::engine_set::EngineSet, forecast::OtherLimit, input::evaluated::Evaluated,
    observer::Observer, observer::event_loop, plan::EvaluationPlan, plan::Reach, plan::rating,
    plan::rating::CalibrationPlan,
};

pub struct RatingTask<'a> {
    /// All games of the run in their order, those with recorded evaluations and those to be searched.
    pub games: Vec<Game>,
    /// The number of each game's input.
    pub inputs: Vec<usize>,
    /// The available calibrations; none if no player is to be rated.
    pub calibrations: &'a [Calibration],
}

/// Evaluates `games` with the engine, except positions that the store knows. The games of `rating` are
/// searched first, at the setting of the engine's calibration, if it has one. The engine and the costs are
/// recorded in `evaluated`.
pub fn run(
    games: Vec<Game>,
    rating: RatingTask<'_>,
    plan: &EvaluationPlan,
    evaluated: &mut Evaluated,
    observer: &mut dyn Observer,
) -> Result<Vec<SearchedGame>, VerbError> {
    #[cfg(not(feature = "postgres"))]
    if plan.queue.is_some() {
        return Err(VerbError::no_server());
    }
    let store = plan.store.open()?;
    let command = plan.engine.command()?;
    event_loop()?.block_on(async {
        let modes = games.iter().map(|game| game.mode);
        let (engine, mut stamp) = plan.engine.start(&command, modes, observer).await?;
        let mut engines = EngineSet::of(command, engine, plan, store);
        let behavior = match engines.store().is_some() || !rating.calibrations.is_empty() {
            true => engines.behavior(&stamp, observer).await?,
            false => None,
        };
        stamp.behavior = behavior.as_ref().map(|behavior| behavior.digest.clone());
        evaluated.interrupted = engines.is_stopped();
        if !evaluated.interrupted {
            #[cfg(feature = "postgres")]
            (engines.queued = QueuedRun::open(plan, &stamp, &[&games, &rating.games], observer).await?);
        }
        let mut search =
            RunSearch { plan, engines, engine: stamp, evaluated, observer, are_games_reported: false };
        let games = match search.evaluated.interrupted {
            true => {
                Ok(games.into_iter().map(|game| SearchedGame::Unfinished { game: game.into() }).collect())
            }
            false => search.rate_and_search(games, rating, behavior.as_ref()).await,
        };
        #[cfg(feature = "postgres")]
        let queued = search.engines.queued.take().filter(|_| games.is_ok() && !search.evaluated.interrupted);
        search.engines.quit().await;
        #[cfg(feature = "postgres")]
        if let Some(queued) = queued {
            queued.finish(search.observer).await?;
        }
        search.evaluated.engine = Some(search.engine);
        games
    })
}

struct RunSearch<'r> {
    plan: &'r EvaluationPlan,
    engines: EngineSet,
    engine: EngineStamp,
    evaluated: &'r mut Evaluated,
    observer: &'r mut dyn Observer,
    /// True if the games have already been reported to the observer. Another search does not report them
    /// again.
    are_games_reported: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Rated,
    Wanted,
    /// The positions after the engine's own moves, for its own histogram.
    OwnMoves,
}

impl RunSearch<'_> {
    /// Searches the games at the setting of the engine's calibration, if there is one, and then by the plan.
    /// If the settings and the games are the same, there is only one search.
    async fn rate_and_search(
        &mut self,
        games: Vec<Game>,
        RatingTask { games: rated, inputs, calibrations }: RatingTask<'_>,
        behavior: Option<&Behavior>,
    ) -> Result<Vec<SearchedGame>, VerbError> {
        let is_all = rated.len() == games.len();
        let calibration = self.calibration(calibrations, behavior);
        if let Ok(calibration) = &calibration {
            self.observer.rate_by(calibration);
        }
        // The longest search is announced first, so that the user knows at once.
        let search = Search::plan(games, self.origin(self.plan.protocol), self.engines.store())?;
        let protocol = calibration.as_ref().ok().map(|calibration| calibration.protocol);
        let other = protocol.filter(|protocol| !is_all || *protocol != self.plan.protocol);
        let rated = match other {
            Some(protocol) => Some(Search::plan(rated, self.origin(protocol), self.engines.store())?),
            None => None,
        };
        self.announce(Stage::Wanted, &search, rated.as_ref()).await?;
        let calibration = match calibration {
            Ok(calibration) => calibration,
            Err(none) => {
                self.evaluated.rated = Err(none);
                return self.search_wanted(search).await;
            }
        };
        let Some(rated) = rated else {
            let games = self.search_wanted(search).await?;
            self.rate(calibration, &games, inputs);
            return Ok(games);
        };
        self.announce(Stage::Rated, &rated, None).await?;
        let rated = self.make(Stage::Rated, rated).await?;
        if self.evaluated.interrupted {
            return Ok(search.finish());
        }
        self.rate(calibration, &rated, inputs);
        self.are_games_reported = true;
        self.search_wanted(search).await
    }

    fn origin(&self, protocol: Protocol) -> Origin {
        Origin { engine: self.engine.clone(), protocol }
    }

    /// Returns the calibration of the engine, found by its behavior; or the reason why there is none, which
    /// is also reported.
    fn calibration(
        &self,
        calibrations: &[Calibration],
        behavior: Option<&Behavior>,
    ) -> Result<Calibration, NoRating> {
        if calibrations.is_empty() {
            return Err(NoRating::NotWanted);
        }
        let (EngineStamp { name, options, .. }, protocol) = (&self.engine, &self.plan.protocol);
        let found = behavior.and_then(|found| rating::of_engine(calibrations, found, options, protocol));
        found.cloned().ok_or_else(|| {
            let none =
                NoRating::of_engine(self.plan.engine.uncalibrated(name, behavior), protocol, calibrations);
            self.observer.note(&format!("no rating of play: {}{}", none.in_full(), none.hint()));
            none
        })
    }

    fn rate(&mut self, calibration: Calibration, games: &[SearchedGame], inputs: Vec<usize>) {
        let rated = rated_play(calibration, inputs.into_iter().zip(games), self.evaluated.inputs.len());
        self.evaluated.rated = Ok(rated);
    }

    /// Searches the positions of the games. Then searches the positions after the engine's own moves if the
    /// plan needs them, or takes them from the store if they are optional.
    async fn search_wanted(&mut self, search: Search) -> Result<Vec<SearchedGame>, VerbError> {
        let games = self.make(Stage::Wanted, search).await?;
        match self.plan.reach {
            _ if self.plan.own_moves && !self.evaluated.interrupted => self.search_choices(games).await,
            Reach::StoredWithChoices => self.recall_choices(games),
            Reach::Search | Reach::Stored => Ok(games),
        }
    }

    /// Adds to each complete game the evaluations after the engine's own moves.
    async fn search_choices(&mut self, games: Vec<SearchedGame>) -> Result<Vec<SearchedGame>, VerbError> {
        let (places, complete) = set_aside(games);
        let origin = self.origin(self.plan.protocol);
        let search = Search::plan_choices(complete, origin, self.engines.store())?;
        self.announce(Stage::OwnMoves, &search, None).await?;
        let mut complete = self.make(Stage::OwnMoves, search).await?.into_iter();
        Ok(places.into_iter().filter_map(|place| place.or_else(|| complete.next())).collect())
    }

    /// Adds the stored evaluations after the engine's own moves, if all games are complete and the store has
    /// all of these evaluations. Otherwise returns the games unchanged.
    fn recall_choices(&mut self, games: Vec<SearchedGame>) -> Result<Vec<SearchedGame>, VerbError> {
        let mut recalled = Vec::new();
        for game in &games {
            let SearchedGame::Complete(game) = game else { return Ok(games) };
            let (game, origin) = (game.as_ref().clone(), self.origin(self.plan.protocol));
            let search = Search::plan_choices(vec![game], origin, self.engines.store())?;
            if !search.is_complete() || search.failures().next().is_some() {
                self.observer.note(NO_CHOICES);
                return Ok(games);
            }
            self.evaluated.own_moves += search.counts();
            self.evaluated.programs.extend(search.programs().iter().cloned());
            recalled.extend(search.finish());
        }
        Ok(recalled)
    }

    /// Announces a search and its expected time. For the search by the plan, this includes the time of the
    /// search for ratings, `rating`, which comes first.
    async fn announce(
        &mut self,
        stage: Stage,
        search: &Search,
        rating: Option<&Search>,
    ) -> Result<(), VerbError> {
        let SearchProgress { positions, positions_done, games, .. } = search.progress();
        let (protocol, counted_positions) = (search.origin().protocol, counted(positions, "position"));
        self.observer.note(&match stage {
            Stage::Rated => {
                format!(
                    "for the rating of play ({protocol}): {counted_positions}, {positions_done} of them already \
                     evaluated"
                )
            }
            Stage::Wanted => {
                let store = self.engines.store();
                let store = store.map_or("not stored".to_owned(), |store| format!("stored in {}", store.describe()));
                format!(
                    "{}, {protocol}: {counted_positions} of {}, {positions_done} of them already evaluated; \
                     evaluations are {store}",
                    self.engine.name,
                    counted(games as u64, "game"),
                )
            }
            Stage::OwnMoves => format!(
                "also the positions after the engine's best moves that were not played: {counted_positions}, \
                 {positions_done} of them already evaluated"
            ),
        });
        self.engines.report_unused(search, &self.engine, self.observer);
        match self.plan.reach {
            Reach::Search if stage != Stage::Rated => {
                let other = match (stage, &self.plan.calibrations) {
                    (Stage::OwnMoves, _) | (_, CalibrationPlan::Chosen(_)) => OtherLimit::None,
                    _ if self.plan.is_usual_limit => OtherLimit::Deep,
                    _ => OtherLimit::Quicker,
                };
                self.engines.report_forecast(search, rating, other, self.observer).await
            }
            Reach::Search | Reach::Stored | Reach::StoredWithChoices => Ok(()),
        }
    }

    async fn make(&mut self, stage: Stage, mut search: Search) -> Result<Vec<SearchedGame>, VerbError> {
        self.check_stored(stage, &search)?;
        if stage == Stage::Wanted && self.engine.name.starts_with("Stockfish") {
            hint_at_a_faster_build(self.engines.command(), &search, self.observer);
        }
        for (game, error) in search.failures() {
            self.observer.hear(&SearchNotice::Failed { game, error });
        }
        if self.are_games_reported {
            search.report_no_games();
        }
        let what = if stage == Stage::OwnMoves { "own moves" } else { "positions" };
        let evaluated = &mut *self.evaluated;
        evaluated.interrupted = self.engines.search(&mut search, what, self.observer).await?;
        if stage == Stage::OwnMoves {
            evaluated.own_moves = search.counts();
            evaluated.counts += search.counts();
        } else {
            evaluated.counts = search.counts();
        }
        if stage != Stage::Rated {
            evaluated.programs.extend(search.programs().iter().cloned());
        }
        Ok(search.finish())
    }

    fn check_stored(&self, stage: Stage, search: &Search) -> Result<(), VerbError> {
        if self.plan.reach == Reach::Search || search.is_complete() {
            return Ok(());
        }
        let SearchProgress { positions, positions_done, games, games_done } = search.progress();
        let missing = format!(
            "stored evaluations by {} ({}) are missing for {} of {}. This command does not search",
            self.engine.name,
            search.origin().protocol,
            counted(positions - positions_done, "position"),
            counted((games - games_done) as u64, "game"),
        );
        let how = search_hint(&search.origin().protocol, stage == Stage::OwnMoves);
        Err(match (self.engines.store(), self.plan.reach) {
            (None, _) => VerbError::new(format!("{missing}, and --no-store turns the store off"))
                .with_hint("; leave out --no-store to use the store"),
            (Some(_), Reach::Stored) => VerbError::new(missing).with_hint(
                "; leave out --no-search to search them, or add --shard K/N to check a single part",
            ),
            (Some(_), _) => VerbError::new(missing).with_hint(how),
        })
    }
}

const NO_CHOICES: &str = "--engine-histogram self is left out, because the store lacks evaluations after some of \
                          the engine's own moves; to search them, run gainalyze with --engine-histogram self";

/// Returns the hint to search by this protocol. If `own_moves`, the suggested search includes the positions
/// after the engine's own moves.
fn search_hint(protocol: &Protocol, own_moves: bool) -> String {
    let mut options = format!("--{}", protocol.limit);
    if protocol.order != Order::default() {
        options += &format!(" --order {}", protocol.order);
    }
    if protocol.segment != Protocol::SEGMENT {
        options += &format!(" --segment {}", protocol.segment);
    }
    if own_moves {
        options += " --engine-histogram self";
    }
    format!("; to search them, run gainalyze PGN {options}, with the same options of engine and store")
}

/// Returns the completely searched games of several inputs for a rating. Each game comes with the number
/// of its input.
fn rated_play<'g>(
    calibration: Calibration,
    games: impl Iterator<Item = (usize, &'g SearchedGame)>,
    number_of_inputs: usize,
) -> RatedPlay {
    let mut inputs = vec![Vec::new(); number_of_inputs];
    for (input, game) in games {
        if let SearchedGame::Complete(game) = game {
            inputs[input].push(game.as_ref().clone());
        }
    }
    RatedPlay::new(calibration, inputs)
}

/// Splits the games. The first list has a place for each game, filled only if the game is incomplete. The
/// second list has the complete games.
fn set_aside(games: Vec<SearchedGame>) -> (Vec<Option<SearchedGame>>, Vec<EvaluatedGame>) {
    let mut complete = Vec::new();
    let places = games.into_iter().map(|game| match game {
        SearchedGame::Complete(game) => {
            complete.push(*game);
            None
        }
        other => Some(other),
    });
    (places.collect(), complete)
}

/// Smallest number of positions for which a faster build is worth the effort.
const LONG: u64 = 1000;

/// Suggests a faster build for long searches by Debian's Stockfish, because Debian builds it for the oldest
/// processors that Debian supports.
fn hint_at_a_faster_build(command: &EngineCommand, search: &Search, observer: &dyn Observer) {
    let progress = search.progress();
    let missing = progress.positions - progress.positions_done;
    if missing >= LONG && command.program().is_some_and(|path| path.starts_with("/usr/games")) {
        observer.note(
            "hint: Debian's Stockfish runs on any processor, but slowly; a build of the same version for your \
             processor gives the same scores in about 60 % of the time; name such a build with --engine PATH",
        );
    }
}

#[cfg(test)]
mod tests {
    use std::{io, sync::Mutex};

    use super::*;
    use crate::chess::{Limit, Order, pgn::parse_games};
    use crate::engine::{EngineChoice, Setup, builtin};
    use crate::verbs::{observer::Interrupts, plan::EnginePlan, plan::StorePlan};

    /// An observer that records the notes and warnings of a run.
    #[derive(Default)]
    struct Listener {
        notes: Mutex<Vec<String>>,
    }

    impl Listener {
        fn hear(&self, text: &str) {
            self.notes.lock().expect("nobody panics").push(text.to_owned());
        }
    }

    impl Observer for Listener {
        fn note(&self, text: &str) {
            self.hear(text);
        }

        fn warn(&self, text: &str) {
            self.hear(text);
        }

        fn interrupts(&self, _: &'static str) -> io::Result<Interrupts> {
            Ok(Interrupts::default())
        }
    }

    const NOBODY_RATED: RatingTask<'_> =
        RatingTask { games: Vec::new(), inputs: Vec::new(), calibrations: &[] };

    /// Searches a short game with the built-in engine. Returns the engine's name, and the notes.
    fn searched(is_named: bool) -> (String, Vec<String>) {
        let choice = EngineChoice::Builtin { is_named };
        let plan = EvaluationPlan {
            engine: EnginePlan { choice, label: None, setup: Setup::default(), jobs: 1 },
            protocol: Protocol::new(Limit::Depth(1), Order::default(), 16),
            store: StorePlan::Nowhere,
            ..EvaluationPlan::default()
        };
        let game = parse_games("1. e4 e5 *", "test").remove(0).expect("a game");
        let mut listener = Listener::default();
        let mut evaluated = Evaluated::of(Vec::new());
        let games = run(vec![game], NOBODY_RATED, &plan, &mut evaluated, &mut listener).expect("a search");
        assert!(matches!(games[..], [SearchedGame::Complete(_)]));
        (evaluated.engine.expect("an engine").name, listener.notes.into_inner().expect("nobody panics"))
    }

    #[test]
    fn where_no_engine_is_installed_the_one_within_searches_and_one_line_says_so() {
        let (engine, notes) = searched(false);
        assert_eq!(engine, builtin::NAME);
        let told: Vec<&String> = notes.iter().filter(|text| text.contains("--engine")).collect();
        let [line] = told[..] else { panic!("one remark: {notes:?}") };
        for word in [builtin::NAME, builtin::STRENGTH, "apt-get", "brew", "choco"] {
            assert!(line.contains(word), "{line}");
        }
        assert!(!line.contains('\n'));
        assert!(notes[0].ends_with(", or name an engine with --engine PATH"), "{notes:?}");
    }

    #[test]
    fn who_asks_for_the_engine_within_knows_who_it_is() {
        let (engine, notes) = searched(true);
        assert_eq!(engine, builtin::NAME);
        assert!(notes.iter().all(|text| !text.contains("--")), "{notes:?}");
    }
}
