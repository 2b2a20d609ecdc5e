//! A game between a person and the opponent at one board. The game is saved after each move, and summarized
//! at its end.

use std::{io, path::Path, path::PathBuf};

use chrono::Local;
use shakmaty::{Color, Move, san::SanPlus};
use tokio::runtime::Runtime;

use super::{PlayedSide, SparArgs, game_file::GameFile, new_seed, seat::TerminalSeat};
use crate::chess::{Game, pgn, text::full_path, text::printable, text::with_causes};
use crate::engine::{EngineCommand, work::event_loop};
use crate::files::{FileError, output::check_writable, output::write_named_file};
use crate::lab::{
    Allowance, BoardGame, BoardRequest, GameOver, Names, OpponentRecord, SkillFunction, SparNotes,
    SparPlayer, SparSettings, spar::board_request::requests,
};
use crate::measure::MoveSample;
use crate::report::{board_game as words, board_game::PlayedReport, text_board::TextBoard};
use crate::verbs::{
    app::Interrupts, app::evaluations, app::plan::EvaluationPlan, app::plan::EvaluationsFrom,
    app::plan::ReadingPlan, app::rated::CalibrationPlan, app::reading, app::reading::Input,
    args::OneEngineArgs, error::ErrorKind, error::VerbError, rate, runs::Viewer,
};

/// Plays the game of `args` with the engine of `command`, and reports at its end on the quality of play.
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
    file: GameFile,
    /// Pending inputs of the person.
    waiting: Vec<String>,
    is_flipped: bool,
    /// The suggested move for the person's next turn.
    hint: Option<String>,
    player: SparPlayer,
    skill: String,
    notes: SparNotes,
    runtime: Runtime,
    interrupts: Interrupts,
}

impl Sitting {
    fn begin(
        args: &SparArgs,
        skill: SkillFunction,
        (command, notes): (EngineCommand, SparNotes),
        viewer: &dyn Viewer,
    ) -> Result<Sitting, VerbError> {
        let player_name = format!("gainalyze spar ({skill})");
        let (file, game, settings) = game_of(args, &player_name, viewer)?;
        let (mut player, skill) = (SparPlayer::new(command, skill, settings), skill.to_string());
        let names = Names { person: game.person_name().to_owned(), player: player_name };
        let mut notes = SparNotes { opponent: names.person.clone(), game: 1, ..notes };
        notes.meet(&mut player);
        let interrupts = viewer.interrupts("the evaluation of the game");
        let interrupts = interrupts.map_err(|error| VerbError::system("listen for Ctrl-C", error))?;
        let runtime = event_loop().map_err(|error| VerbError::system("start an event loop", error))?;
        runtime.block_on(player.begin(notes.game, game.so_far().mode()));
        if let Some(begun) = game.tag(OPPONENT_BEFORE).and_then(OpponentRecord::read) {
            player.resume(game.so_far(), begun, game.course());
            notes.resumed(&player);
        }
        let engine = player.engine_name().map(str::to_owned);
        let is_flipped = game.person().is_black();
        let (seat, waiting) = (TerminalSeat::new(args.game.ascii), Vec::new());
        let mut sitting = Sitting {
            seat,
            game,
            file,
            waiting,
            is_flipped,
            hint: None,
            player,
            skill,
            notes,
            runtime,
            interrupts,
        };
        if !sitting.game.so_far().moves().is_empty() {
            sitting.interrupts.set_farewell(sitting.place());
        }
        if let Some(engine) = &engine {
            sitting.game.set_tag("Engine", engine);
        }
        sitting.game.set_tag(SEED, &settings.seed.to_string());
        sitting.game.set_tag(OPPONENT_ELO, &settings.elo.to_string());
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
        let Some(m) = legal else { return Err(VerbError::new("the opponent found no legal move")) };
        self.game.play(m);
        if let Some(seen) = self.player.last_of_course() {
            self.game.note_course(&seen);
        }
        if let Some(begun) = self.player.opponent_before() {
            self.game.set_tag(OPPONENT_BEFORE, &begun.to_string());
        }
        self.keep()?;
        if let Some(told) = words::last_move(&self.game) {
            self.say(&format!("{told}\n"))?;
        }
        self.show_board()
    }

    /// Executes the person's next input. Returns whether the person continues.
    fn listen(&mut self) -> Result<bool, VerbError> {
        while self.waiting.is_empty() {
            let prompt = words::prompt(self.game.position());
            let Some(line) = self.seat.ask(&prompt).map_err(lost)? else { return Ok(false) };
            self.waiting = requests(&line);
        }
        let word = self.waiting.remove(0);
        match BoardRequest::read(&word, self.game.position()) {
            Ok(BoardRequest::Quit) => return Ok(false),
            Ok(request) => self.grant(request)?,
            Err(problem) => {
                // The remaining inputs were meant for another position.
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
            BoardRequest::Undo => self.say("you have no move to take back\n")?,
            BoardRequest::Hint => self.give_hint()?,
            BoardRequest::Resign => self.game.end(GameOver::Resigned(self.game.person())),
            BoardRequest::Draw if self.player.agrees_to_a_draw(self.game.so_far()) => {
                self.game.end(GameOver::Agreed)
            }
            BoardRequest::Draw => self.say("no draw: the game continues\n")?,
            BoardRequest::Flip => {
                self.is_flipped = !self.is_flipped;
                self.show_board()?;
            }
            BoardRequest::Board => self.show_board()?,
            BoardRequest::Save(None) => self.say_file()?,
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

    /// Writes the current state of the game. If that fails, the game continues, because a later attempt may
    /// succeed.
    fn keep(&mut self) -> Result<(), VerbError> {
        let text = pgn::noted_game(&self.game.game(), &[]);
        let other = match self.file.write(&text) {
            Ok(other) => other,
            Err(error) => {
                return self.say(&format!("the game could not be written: {}\n", with_causes(&error)));
            }
        };
        self.interrupts.set_farewell(self.place());
        let Some(left) = other else { return Ok(()) };
        let (left, path) = (full_path(&left), full_path(&self.file.path));
        self.say(&format!(
            "another program changed {left}, so that file stays as it is; the game continues in {path}\n"
        ))
    }

    /// Writes a copy of the game, but never overwrites a file.
    fn save(&mut self, path: &Path) -> Result<(), VerbError> {
        let told = match path.exists() {
            true => format!("{} already exists: name another file", full_path(path)),
            false => match written(path, &self.game) {
                Ok(()) => format!("saved to {}", full_path(path)),
                Err(error) => with_causes(&error),
            },
        };
        self.say(&format!("{told}\n"))
    }

    fn say_file(&mut self) -> Result<(), VerbError> {
        self.say(&match self.game.so_far().moves().is_empty() {
            true => {
                format!("the game will be written to {} at the first move\n", full_path(&self.file.path))
            }
            false => format!("{}\n", self.place()),
        })
    }

    /// Returns the sentence that names the file of the game.
    fn place(&self) -> String {
        let so_far = if self.game.over().is_none() { " so far" } else { "" };
        format!("the game{so_far} is in {}", full_path(&self.file.path))
    }

    /// Tells the person the file from which the unfinished game can be resumed.
    fn leave(&mut self) -> Result<(), VerbError> {
        self.say("\n")?;
        if !self.game.so_far().moves().is_empty() {
            self.say_file()?;
        }
        Ok(())
    }

    /// Prints the result of the game and the quality of its play.
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
        let where_to = full_path(&self.file.path);
        self.say(&format!("The game: {where_to}\n"))
    }
}

fn lost(error: io::Error) -> VerbError {
    VerbError::system("talk to the person at the board", error)
}

/// The tag with the random seed of the player.
const SEED: &str = "Seed";

/// The tag with the assumed rating of an unknown opponent.
const OPPONENT_ELO: &str = "OpponentElo";

/// The tag with the record of the opponent before the game.
const OPPONENT_BEFORE: &str = "OpponentBefore";

/// Returns the file of the game, the game, and the settings of its player. If `args.game.pgn` names an
/// existing file, returns this person's unfinished game in it; otherwise a new game.
fn game_of(
    all: &SparArgs,
    player: &str,
    viewer: &dyn Viewer,
) -> Result<(GameFile, BoardGame, SparSettings), VerbError> {
    let args = &all.game;
    let path = args
        .pgn
        .clone()
        .unwrap_or_else(|| PathBuf::from(format!("{}.pgn", Local::now().format("spar-%Y%m%d-%H%M%S"))));
    if args.pgn.is_some() && path.exists() {
        let mut inputs = reading::read(std::slice::from_ref(&path), false, &ReadingPlan::default(), viewer)?;
        let games = inputs.pop().map(|input| input.games).unwrap_or_default();
        let wrong = |why: String| VerbError::new(format!("{}: {why}", full_path(&path)));
        let [game] = games.as_slice() else {
            return Err(wrong("the file does not have exactly one game against gainalyze spar".to_owned()));
        };
        let game = BoardGame::resumed(game).map_err(|error| wrong(with_causes(&error)))?;
        let theirs = game.person_name();
        if args.name.as_deref().is_some_and(|name| name != theirs) {
            let theirs = printable(theirs);
            return Err(wrong(format!(
                "the game in this file is {theirs}'s: resume the game with --name {theirs}, or name another file"
            )));
        }
        let seat = game.person().fold_wb(PlayedSide::White, PlayedSide::Black);
        if args.side.is_some_and(|side| side != seat && side != PlayedSide::Random) {
            let [seat, side] = game.person().fold_wb(["White", "black"], ["Black", "white"]);
            return Err(wrong(format!(
                "you are {seat} in this game: leave out --side {side}, or name another file for a new game"
            )));
        }
        let text = pgn::noted_game(&game.game(), &[]);
        let seed = game.tag(SEED).and_then(|seed| seed.parse().ok());
        let settings = all.settings(|| seed.unwrap_or_else(new_seed));
        return Ok((GameFile::left(path, text), game, settings));
    }
    check_writable(&path)?;
    let settings = all.settings(new_seed);
    let person = match args.side.unwrap_or(PlayedSide::White) {
        PlayedSide::White => Color::White,
        PlayedSide::Black => Color::Black,
        PlayedSide::Random => Color::from_white(settings.draws_white()),
    };
    let file = GameFile::new(path);
    let name = args.name.clone().unwrap_or_else(|| "You".to_owned());
    let names = Names { person: name, player: player.to_owned() };
    let game = BoardGame::new(person, &names, &Local::now().format("%Y.%m.%d").to_string());
    Ok((file, game, settings))
}

fn written(path: &Path, game: &BoardGame) -> Result<(), FileError> {
    write_named_file(path, |out| pgn::write_game(&game.game(), out))
}

/// Evaluates a game with moves and returns the summary.
fn report(game: &Game, args: &SparArgs, viewer: &mut dyn Viewer) -> Result<String, VerbError> {
    let plan = evaluation(&args.engine, viewer)?;
    let evaluated =
        evaluations::evaluate(vec![Input::of_games(game.title(), vec![game.clone()])], &plan, viewer)?;
    let input = &evaluated.inputs[0];
    let [game] = input.games.as_slice() else { return Err(input.nothing_left()) };
    let sample = MoveSample::of(&input.games);
    let engine = evaluated.engine.as_ref().map_or("an engine", |engine| engine.name.as_str());
    let judge = format!("{engine}, {}", plan.protocol.brief());
    Ok(PlayedReport { game, sample: &sample, judge: &judge }.shown(viewer.screen()))
}

/// Returns the plan of evaluation: the engine of the game, at the search settings of its calibration. An
/// engine without a calibration is replaced by the built-in engine, unless the user named the engine.
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
        // A named engine without calibration evaluates too, to the depth of the calibrated engines.
        Err(error) if *error.kind() == ErrorKind::NoRating => {
            let others = calibrations.first().map(|calibration| calibration.protocol);
            Ok(EvaluationPlan { protocol: others.unwrap_or(usual.protocol), ..usual })
        }
        Err(error) => Err(error),
    }
}
