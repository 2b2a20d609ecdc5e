//! Owns a game between a person and the player at one board: it is written move by move, and told of at its end.

use std::{collections::BTreeMap, io, path::Path, path::PathBuf};

use chrono::Local;
use shakmaty::{Color, Move, san::SanPlus};
use tokio::runtime::Runtime;

use super::{GameArgs, PlayedSide, SparArgs, seat::TerminalSeat};
use crate::chess::{Game, pgn, text::full_path, text::with_causes};
use crate::engine::{EngineCommand, work::event_loop};
use crate::files::{FileError, output::check_writable, output::write_named_file};
use crate::lab::{
    Allowance, BoardGame, BoardRequest, GameOver, Names, SkillFunction, SparNotes, SparPlayer,
    spar::board_request::requests,
};
use crate::measure::{Method, MoveSample, QualityOfPlay, RankedFrom};
use crate::report::{board_game as words, board_game::PlayedReport, text_board::TextBoard};
use crate::verbs::{
    app::evaluations, app::plan::EvaluationPlan, app::plan::EvaluationsFrom, app::plan::ReadingPlan,
    app::rated::CalibrationPlan, app::reading, app::reading::Input, args::OneEngineArgs, error::ErrorKind,
    error::VerbError, rate, runs::Viewer, runs::report_target::calibrated,
};

/// Plays the game of `args` over the engine of `command`, and tells at its end how it was played.
pub fn run(
    args: &SparArgs,
    skill: SkillFunction,
    (command, notes): (EngineCommand, SparNotes),
    viewer: &mut dyn Viewer,
) -> Result<(), VerbError> {
    let mut sitting = Sitting::begin(args, skill, (command, notes), viewer)?;
    while sitting.game.over().is_none() {
        if sitting.game.so_far().turn() != sitting.game.person() {
            sitting.answer()?;
        } else if !sitting.listen()? {
            return sitting.leave();
        }
    }
    sitting.end(args, viewer)
}

struct Sitting {
    seat: TerminalSeat,
    game: BoardGame,
    path: PathBuf,
    /// What was asked for and not done yet.
    waiting: Vec<String>,
    is_flipped: bool,
    /// The move that was proposed for the next own one.
    hint: Option<String>,
    player: SparPlayer,
    skill: String,
    notes: SparNotes,
    runtime: Runtime,
}

impl Sitting {
    fn begin(
        args: &SparArgs,
        skill: SkillFunction,
        (command, notes): (EngineCommand, SparNotes),
        viewer: &dyn Viewer,
    ) -> Result<Sitting, VerbError> {
        let (mut player, skill) = (SparPlayer::new(command, skill, args.settings()), skill.to_string());
        let person = args.game.name.clone();
        let names = Names { person: person.clone(), player: format!("gainalyze spar ({skill})") };
        let (path, game) = game_of(&args.game, &names, viewer)?;
        let notes = SparNotes { opponent: person, game: 1, ..notes };
        notes.meet(&mut player);
        let runtime = event_loop().map_err(|error| VerbError::system("start an event loop", error))?;
        runtime.block_on(player.begin(notes.game, game.so_far().mode()));
        let engine = player.engine_name().map(str::to_owned);
        let is_flipped = game.person().is_black();
        let (seat, waiting) = (TerminalSeat::new(args.game.ascii), Vec::new());
        let mut sitting =
            Sitting { seat, game, path, waiting, is_flipped, hint: None, player, skill, notes, runtime };
        if let Some(engine) = &engine {
            sitting.game.set_tag("Engine", engine);
        }
        sitting.game.set_tag("Settings", &args.settings().to_string());
        sitting.say(&words::welcome(&sitting.game, &names, engine.as_deref()))?;
        sitting.show_board()?;
        Ok(sitting)
    }

    fn say(&mut self, text: &str) -> Result<(), VerbError> {
        self.seat.show(text).map_err(lost)
    }

    fn show_board(&mut self) -> Result<(), VerbError> {
        let last = self.game.last().map(|played| played.uci);
        let board = self.seat.board;
        let board = TextBoard { flipped: board.flipped != self.is_flipped, ..board };
        self.say(&format!("\n{}\n", board.drawn(shakmaty::Position::board(self.game.position()), last)))
    }

    fn answer(&mut self) -> Result<(), VerbError> {
        let found = self.runtime.block_on(self.player.think(self.game.so_far(), &Allowance::endless()));
        let found = found?;
        let mut remarks = self.player.take_remarks();
        remarks.extend(self.notes.note(&self.skill, &found, &self.player));
        for remark in remarks {
            self.say(&format!("{remark}\n"))?;
        }
        let legal = found.best.and_then(|uci| uci.to_move(self.game.position()).ok());
        let Some(m) = legal else { return Err(VerbError::new("the player has no answer")) };
        self.game.play(m);
        self.keep()?;
        if let Some(told) = words::last_move(&self.game) {
            self.say(&format!("{told}\n"))?;
        }
        self.show_board()
    }

    /// Does what the person asks for next; tells whether the person stays.
    fn listen(&mut self) -> Result<bool, VerbError> {
        while self.waiting.is_empty() {
            let prompt = words::prompt(self.game.position());
            let Some(line) = self.seat.ask(&prompt).map_err(lost)? else { return Ok(false) };
            self.waiting = requests(&line);
        }
        let word = self.waiting.remove(0);
        match BoardRequest::read(&word, self.game.position(), self.game.so_far().mode()) {
            Ok(BoardRequest::Quit) => return Ok(false),
            Ok(request) => self.grant(request)?,
            Err(problem) => {
                // What was to follow it was meant for another position.
                self.waiting.clear();
                self.say(&format!("{problem}\n"))?;
            }
        }
        Ok(true)
    }

    fn grant(&mut self, request: BoardRequest) -> Result<(), VerbError> {
        match request {
            BoardRequest::Play(m) => self.play(m)?,
            BoardRequest::Undo if self.game.take_back() => {
                self.hint = None;
                self.keep()?;
                self.show_board()?;
            }
            BoardRequest::Undo => self.say("there is no move of yours to take back\n")?,
            BoardRequest::Hint => self.give_hint()?,
            BoardRequest::Resign => self.game.end(GameOver::Resigned(self.game.person())),
            BoardRequest::Draw if self.player.agrees_to_a_draw(self.game.so_far()) => {
                self.game.end(GameOver::Agreed)
            }
            BoardRequest::Draw => self.say("no draw: the game goes on\n")?,
            BoardRequest::Flip => {
                self.is_flipped = !self.is_flipped;
                self.show_board()?;
            }
            BoardRequest::Board => self.show_board()?,
            BoardRequest::Save(None) => self.say_where()?,
            BoardRequest::Save(Some(path)) => self.save(&path)?,
            BoardRequest::Help => self.say(words::HELP)?,
            BoardRequest::Quit => {}
        }
        Ok(())
    }

    fn play(&mut self, m: Move) -> Result<(), VerbError> {
        self.game.play(m);
        if let Some(hint) = self.hint.take() {
            self.game.note_hint(&hint);
        }
        self.keep()
    }

    fn give_hint(&mut self) -> Result<(), VerbError> {
        let found = self.runtime.block_on(self.player.hint(self.game.so_far(), &Allowance::endless()));
        let uci = found.map_err(VerbError::from)?;
        let m = uci.and_then(|uci| uci.to_move(self.game.position()).ok());
        self.hint = m.map(|m| SanPlus::from_move(self.game.position().clone(), m).to_string());
        let told = self.hint.clone().map_or("no hint".to_owned(), |hint| format!("{hint} is a good move"));
        self.say(&format!("{told}\n"))
    }

    /// Writes the game as it stands. One that cannot be written goes on, for it may be later.
    fn keep(&mut self) -> Result<(), VerbError> {
        match written(&self.path, &self.game) {
            Ok(()) => Ok(()),
            Err(error) => self.say(&format!("the game is not written: {}\n", with_causes(&error))),
        }
    }

    /// Writes a copy, but over nothing.
    fn save(&mut self, path: &Path) -> Result<(), VerbError> {
        let told = match path.exists() {
            true => format!("{} is there already: name another file", full_path(path)),
            false => match written(path, &self.game) {
                Ok(()) => format!("saved to {}", full_path(path)),
                Err(error) => with_causes(&error),
            },
        };
        self.say(&format!("{told}\n"))
    }

    fn say_where(&mut self) -> Result<(), VerbError> {
        let where_to = full_path(&self.path);
        self.say(&match self.game.so_far().moves().is_empty() {
            true => format!("with its first move the game goes to {where_to}\n"),
            false => format!("the game so far is in {where_to}\n"),
        })
    }

    /// Says how to go on with a game that is not over.
    fn leave(&mut self) -> Result<(), VerbError> {
        self.say("\n")?;
        if !self.game.so_far().moves().is_empty() {
            self.say_where()?;
        }
        Ok(())
    }

    /// Says how the game ended and was played.
    fn end(mut self, args: &SparArgs, viewer: &mut dyn Viewer) -> Result<(), VerbError> {
        self.keep()?;
        if let Some(over) = self.game.over() {
            self.say(&words::ending(&self.game, over))?;
        }
        self.runtime.block_on(self.player.quit());
        if !self.game.so_far().moves().is_empty() {
            let told = report(&self.game.game(), args, viewer)?;
            self.say(&format!("\n{told}"))?;
        }
        let where_to = full_path(&self.path);
        self.say(&format!("The game: {where_to}\n"))
    }
}

fn lost(error: io::Error) -> VerbError {
    VerbError::system("talk to the person at the board", error)
}

/// Returns the file of the game, and the game: one that is not over there, or a new one.
fn game_of(args: &GameArgs, names: &Names, viewer: &dyn Viewer) -> Result<(PathBuf, BoardGame), VerbError> {
    let path = args.pgn.clone().unwrap_or_else(new_file);
    if path.exists() {
        let mut inputs = reading::read(std::slice::from_ref(&path), false, &ReadingPlan::default(), viewer)?;
        let games = inputs.pop().map(|input| input.games).unwrap_or_default();
        let wrong = |why: String| VerbError::new(format!("{}: {why}", full_path(&path)));
        let [game] = games.as_slice() else {
            return Err(wrong("it holds other games than one of a person at the board".to_owned()));
        };
        let game = BoardGame::resumed(game).map_err(|error| wrong(with_causes(&error)))?;
        return Ok((path, game));
    }
    check_writable(&path)?;
    let person = Color::from_white(args.side == PlayedSide::White);
    Ok((path, BoardGame::new(person, names, &Local::now().format("%Y.%m.%d").to_string())))
}

/// Returns a name that no file here has.
fn new_file() -> PathBuf {
    let now = Local::now().format("spar-%Y%m%d-%H%M%S");
    let names = (1..).map(|count| match count {
        1 => PathBuf::from(format!("{now}.pgn")),
        _ => PathBuf::from(format!("{now}-{count}.pgn")),
    });
    names.into_iter().find(|path| !path.exists()).unwrap_or_default()
}

fn written(path: &Path, game: &BoardGame) -> Result<(), FileError> {
    write_named_file(path, |out| pgn::write_game(&game.game(), out))
}

/// Evaluates a game with moves and returns what is told of it.
fn report(game: &Game, args: &SparArgs, viewer: &mut dyn Viewer) -> Result<String, VerbError> {
    let plan = evaluation(&args.engine, viewer)?;
    let evaluated =
        evaluations::evaluate(vec![Input::of_games(game.title(), vec![game.clone()])], &plan, viewer)?;
    let input = &evaluated.inputs[0];
    let [game] = input.games.as_slice() else { return Err(input.nothing_left()) };
    let sample = MoveSample::of(&input.games);
    let rated = calibrated(&evaluated.rated, 0);
    let quality = QualityOfPlay::of(
        (&sample, &input.games),
        rated,
        &BTreeMap::new(),
        &Method::default(),
        RankedFrom::default(),
    );
    let engine = evaluated.engine.as_ref().map_or("an engine", |engine| engine.name.as_str());
    let judge = format!("{engine}, {}", plan.protocol.brief());
    Ok(PlayedReport { game, sample: &sample, quality: &quality, judge: &judge }.shown(viewer.screen()))
}

/// Returns who evaluates: the engine of the game at the setting that it is calibrated for, where it has one.
fn evaluation(engine: &OneEngineArgs, viewer: &dyn Viewer) -> Result<EvaluationPlan, VerbError> {
    let from = EvaluationsFrom::Engine;
    let usual = EvaluationPlan { from, engine: engine.plan(), ..EvaluationPlan::default() };
    let calibrations = usual.calibrations.load_for(std::iter::empty())?;
    match rate::choose(usual.engine.clone(), engine.engine.is_some(), &calibrations, &usual.protocol, viewer)
    {
        Ok((engine, calibration)) => {
            let protocol = calibration.protocol;
            let calibrations = CalibrationPlan::Chosen(Box::new(calibration.clone()));
            Ok(EvaluationPlan { engine, protocol, calibrations, ..usual })
        }
        // An engine that was named and has no calibration evaluates all the same, as deep as the others do.
        Err(error) if *error.kind() == ErrorKind::NoRating => {
            let others = calibrations.first().map(|calibration| calibration.protocol);
            Ok(EvaluationPlan { protocol: others.unwrap_or(usual.protocol), ..usual })
        }
        Err(error) => Err(error),
    }
}
