//! Owns the games of a run with their evaluations, and where those of each game come from: its file, or an engine with its store.

mod remarks;

use std::collections::BTreeSet;

use self::remarks::{
    check_recorded, is_unrecorded, recorded, say_what_does_not_do, say_what_is_not_understood,
    say_where_from, unrecorded_games,
};
use super::{
    Observer, plan::EvaluationPlan, plan::EvaluationsFrom, rated::NoRating, rated::RatedPlay, reading,
    reading::Input, search, search::RatingTask,
};
use crate::chess::{BadGame, EvaluatedGame, FirstFew, Game, text::counted, text::path_text, text::printable};
use crate::files::{ChoiceFacts, LeftOutGame};
use crate::store::{EngineStamp, Gap, SearchCounts, SearchedGame};
use crate::verbs::error::VerbError;

/// Games without recorded evaluations that are named one by one.
const TOLD: u64 = reading::TOLD as u64;

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
            SearchedGame::Unfinished { game } => self.leave_out(&game, gap.to_owned(), "not stored"),
            other => self.take(other),
        }
    }

    fn take(&mut self, game: SearchedGame) {
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

    fn leave_out(&mut self, game: &Game, reason: String, kind: &str) {
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
                    input_games.leave_out(&game, gap.to_string(), gap.kind());
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
    let searched = match searches.is_empty() {
        true => Vec::new(),
        false => {
            let inputs = places.iter().map(|(input, _)| *input).collect();
            let games = all_games(&places, &searches);
            let rating = RatingTask { games, inputs, calibrations: &calibrations };
            search::run(searches, rating, plan, &mut evaluated, observer)?
        }
    };
    let mut searched = searched.into_iter();
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

/// Returns the games of all places: those with recorded evaluations, and those of the search.
fn all_games(places: &[GamePlace], searches: &[Game]) -> Vec<Game> {
    let mut searches = searches.iter();
    let game = |(_, place): &GamePlace| match place {
        Some(recorded) => Some(recorded.game().clone()),
        None => searches.next().cloned(),
    };
    places.iter().filter_map(game).collect()
}

fn source_of(game: Game, plan: &EvaluationPlan) -> EvalSource {
    match recorded(&game, plan) {
        None => EvalSource::Search(game),
        Some(Ok(evaluations)) => EvalSource::Recorded(Box::new(EvaluatedGame::new(game, evaluations))),
        Some(Err(_)) if plan.from == EvaluationsFrom::Auto => EvalSource::Search(game),
        Some(Err(gap)) => EvalSource::LeftOut(game, gap),
    }
}
