//! Owns where the evaluations of each game come from: its file, or an engine with its store.

mod remarks;

use std::collections::BTreeSet;

use self::remarks::{
    check_recorded, is_unrecorded, say_what_does_not_do, say_what_is_not_understood, say_where_from,
    unrecorded_games,
};
use super::{
    Observer,
    plan::{EvaluationPlan, EvaluationsFrom, Reach},
    rated::{NoRating, RatedPlay},
    reading::{self, Input},
    search::{self, RatingTask},
};
use crate::chess::text::{counted, path_text, printable};
use crate::chess::{BadGame, EvaluatedGame, Evaluations, FirstFew, Game, Limit};
use crate::files::{ChoiceFacts, LeftOutGame};
use crate::measure::Calibration;
use crate::store::{EngineStamp, Gap, SearchCounts, SearchedGame, evaluate};
use crate::verbs::error::VerbError;

impl Reach {
    /// Returns what is done about the games that have no evaluations of their own.
    fn verb(self) -> &'static str {
        match self {
            Reach::Search => "searched",
            Reach::Stored | Reach::StoredWithChoices => "looked up in the store",
        }
    }
}

impl EvaluationPlan {
    /// Refuses what recorded evaluations alone cannot give.
    ///
    /// # Errors
    ///
    /// If the engine's own moves are wanted of them.
    pub fn check(&self) -> Result<(), VerbError> {
        match Untold::of(self) {
            Some(Untold::OwnMoves) if self.from == EvaluationsFrom::Pgn => {
                let error = VerbError::new(NO_OWN_MOVES);
                Err(error.with_hint(
                    ", which --engine-histogram self needs: let the engine search with --evals engine, or choose \
                     --engine-histogram delta",
                ))
            }
            _ => Ok(()),
        }
    }
}

/// The games of all inputs with their evaluations.
pub struct Evaluated {
    /// One for each input, in their order.
    pub inputs: Vec<InputGames>,
    /// What an engine and its store did.
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
    /// Whether the user stopped it.
    pub interrupted: bool,
}

/// The games of one input.
#[derive(Default)]
pub struct InputGames {
    /// Those with all of their evaluations, in the order of the files.
    pub games: Vec<EvaluatedGame>,
    /// The others.
    pub left_out: FirstFew<LeftOutGame>,
    /// How many there were in the files.
    pub read: u64,
    /// What came of choosing among them, where there was anything to choose.
    pub choice: Option<ChoiceFacts>,
    /// How many of them kept the evaluations of their file.
    pub recorded: usize,
    /// How many of them were put to an engine.
    pub searched: usize,
    /// Whether the engine failed on one of them.
    pub engine_failed: bool,
}

/// Games without recorded evaluations that are named one by one.
const TOLD: u64 = reading::TOLD as u64;

/// Where the evaluations of a game come from.
enum EvalSource {
    Recorded(Box<EvaluatedGame>),
    Search(Game),
    LeftOut(Game, Gap),
}

/// Evaluates the games of all inputs: what their files record, then in one search all the rest.
pub fn evaluate(
    inputs: Vec<Input>,
    plan: &EvaluationPlan,
    observer: &mut dyn Observer,
) -> Result<Evaluated, VerbError> {
    let mut evaluated = Evaluated::of(Vec::new());
    let calibrations = plan.calibrations.load()?;
    let (mut searches, mut unrecorded) = (Vec::new(), 0);
    let mut places: Vec<GamePlace> = Vec::new();
    check_recorded(&inputs, plan)?;
    say_what_does_not_do(&inputs, plan, observer);
    say_what_is_not_understood(&inputs, plan, observer);
    for (index, input) in inputs.into_iter().enumerate() {
        let mut input_games = InputGames::of(&input);
        let told_at_once = plan.from == EvaluationsFrom::Pgn && is_unrecorded(&input);
        if told_at_once {
            observer.warn(&format!("{}: {}", printable(&input.name), unrecorded_games(&input.games)));
        }
        for game in input.games {
            match source_of(game, plan) {
                EvalSource::Recorded(game) => {
                    evaluated.recorded += game.evaluations().iter().count() as u64;
                    observer.complete(&game);
                    places.push((index, Some(game)));
                }
                EvalSource::Search(game) => {
                    searches.push(game);
                    places.push((index, None));
                }
                EvalSource::LeftOut(game, gap) => {
                    unrecorded += u64::from(!told_at_once);
                    if unrecorded <= TOLD && !told_at_once {
                        observer.warn(&format!("left out: {}: {gap}", game.title()));
                    }
                    input_games.left_out.add(left_out(&game, gap.to_string()), gap.kind());
                }
            }
        }
        evaluated.inputs.push(input_games);
    }
    if unrecorded > TOLD {
        observer.warn(&format!(
            "left out: {} more, for reasons of this kind",
            counted(unrecorded - TOLD, "game")
        ));
    }
    say_where_from(places.len() - searches.len(), searches.len(), observer);
    let mut searched = evaluated.search(searches, &places, &calibrations, plan, observer)?.into_iter();
    for (index, game) in places {
        let input_games = &mut evaluated.inputs[index];
        match game {
            Some(game) => {
                input_games.recorded += 1;
                input_games.games.push(*game);
            }
            None => input_games.take(searched.next().expect("one outcome per searched game")),
        }
    }
    if evaluated.engine.is_none() {
        evaluated.rated =
            RatedPlay::of_recorded(evaluated.inputs.iter().map(|input| &input.games), &calibrations);
    }
    Ok(evaluated)
}

/// The place of a game in the order of the files, by the number of its input; `None` is one that a search fills.
type GamePlace = (usize, Option<Box<EvaluatedGame>>);

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

    /// Searches `games`, and all of `places` for their rating; remembers who did it at what cost.
    fn search(
        &mut self,
        games: Vec<Game>,
        places: &[GamePlace],
        calibrations: &[Calibration],
        plan: &EvaluationPlan,
        observer: &mut dyn Observer,
    ) -> Result<Vec<SearchedGame>, VerbError> {
        if games.is_empty() {
            return Ok(Vec::new());
        }
        let rating = RatingTask { games: all_games(places, &games), calibrations };
        let outcome = search::run(games, rating, plan, observer)?;
        let inputs = places.iter().map(|(input, _)| *input);
        self.rated = outcome.rated.map(|rated| RatedPlay::of_search(rated, inputs, self.inputs.len()));
        self.counts = outcome.counts;
        self.own_moves = outcome.own_moves;
        self.engine = Some(outcome.engine);
        self.programs = outcome.programs;
        self.interrupted = outcome.interrupted;
        Ok(outcome.games)
    }
}

/// Returns the games of all places: those with recorded evaluations, and those of the search.
fn all_games(places: &[GamePlace], searches: &[Game]) -> Vec<Game> {
    let mut searches = searches.iter();
    let game = |(_, place): &GamePlace| match place {
        Some(recorded) => Some(recorded.game().clone()),
        None => searches.next().cloned(),
    };
    places.iter().filter_map(game).collect()
}

impl InputGames {
    /// Returns the games of `input` that cannot be read; the others are taken later.
    pub fn of(input: &Input) -> InputGames {
        InputGames {
            read: input.read as u64,
            choice: input.chosen.facts(),
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
            SearchedGame::Unfinished { game } => {
                self.left_out.add(left_out(&game, gap.to_owned()), "not stored")
            }
            other => self.take(other),
        }
    }

    fn take(&mut self, game: SearchedGame) {
        self.searched += 1;
        match game {
            SearchedGame::Complete(game) => self.games.push(*game),
            SearchedGame::Failed { game, error } => {
                self.left_out
                    .add(left_out(&game, format!("the engine failed: {error}")), "the engine failed");
                self.engine_failed = true;
            }
            SearchedGame::Unfinished { game } => {
                let reason = "the search of it was not finished";
                self.left_out.add(left_out(&game, reason.to_owned()), "not finished");
                self.engine_failed = true;
            }
        }
    }
}

fn source_of(game: Game, plan: &EvaluationPlan) -> EvalSource {
    match recorded(&game, plan) {
        None => EvalSource::Search(game),
        Some(Ok(evaluations)) => EvalSource::Recorded(Box::new(EvaluatedGame::new(game, evaluations))),
        Some(Err(_)) if plan.from == EvaluationsFrom::Auto => EvalSource::Search(game),
        Some(Err(gap)) => EvalSource::LeftOut(game, gap),
    }
}

/// Returns the evaluations of the game's file; `None` where the user does not want them, or wants to know
/// what they do not tell.
fn recorded(game: &Game, plan: &EvaluationPlan) -> Option<Result<Evaluations, Gap>> {
    match plan.from {
        EvaluationsFrom::Engine => None,
        EvaluationsFrom::Auto if Untold::of(plan).is_some() => None,
        EvaluationsFrom::Auto | EvaluationsFrom::Pgn => Some(evaluate::recorded(game, plan.least_depth)),
    }
}

/// What recorded evaluations do not tell and the options need.
enum Untold {
    OwnMoves,
    Nodes,
}

impl Untold {
    fn of(plan: &EvaluationPlan) -> Option<Untold> {
        match plan.protocol.limit {
            _ if plan.own_moves => Some(Untold::OwnMoves),
            Limit::Nodes(_) => Some(Untold::Nodes),
            Limit::Depth(_) => None,
        }
    }

    /// Returns the remark on it, and how to take such evaluations all the same.
    fn remark(&self) -> (&'static str, &'static str) {
        match self {
            Untold::OwnMoves => (NO_OWN_MOVES, " for --engine-histogram self (delta takes them)"),
            Untold::Nodes => {
                ("[%eval] comments do not tell their nodes", " for --nodes (--evals pgn takes them)")
            }
        }
    }
}

const NO_OWN_MOVES: &str = "[%eval] comments do not tell what the engine's own moves lead to";

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

fn left_out(game: &Game, reason: String) -> LeftOutGame {
    let player = |color| Some(game.player(color).to_owned());
    LeftOutGame {
        file: game.source.file.clone(),
        game: game.source.number as u64,
        white: player(shakmaty::Color::White),
        black: player(shakmaty::Color::Black),
        ply: None,
        written: None,
        reason,
    }
}
