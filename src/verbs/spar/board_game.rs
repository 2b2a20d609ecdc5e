//! A game between a person and the opponent at one board. The game is saved after each move, and reviewed at
//! its end.

use std::{fs, fs::File, io, path::Path, time::Duration, time::Instant};

use shakmaty::{Color, Move, Position, san::SanPlus};
use tokio::runtime::Runtime;

use super::{SparArgs, begun::BegunGame, review, seat::TerminalSeat};
use crate::base::output::{FileError, write_named_file};
use crate::base::text::{full_path, with_causes};
use crate::base::work::event_loop;
use crate::chess::{game, pgn};
use crate::engine::EngineCommand;
use crate::lab::{
    Allowance, BoardGame, BoardRequest, GameOver, Names, SkillFunction, SparNotes, SparPlayer,
    spar::board_request::requests,
};
use crate::report::{board_game as words, board_game::BoardPanel, board_game::TextBoard};
use crate::verbs::{error::Result, error::VerbError, observer::Interrupts, runs::Viewer};

/// Plays the game of `args` with the engine of `command`, and further games if the person wants. Reviews the
/// quality of play at the end of each game.
pub fn run(
    args: &SparArgs,
    skill: SkillFunction,
    (command, notes): (EngineCommand, SparNotes),
    viewer: &mut dyn Viewer,
) -> Result<()> {
    let mut sitting = Sitting::begin(args, skill, (command, notes), viewer)?;
    loop {
        let next = sitting.play_on()?;
        if sitting.begun.game.over().is_some() {
            sitting.end(viewer)?;
            if sitting.interrupts.stop().is_requested() {
                return Ok(());
            }
        } else {
            sitting.leave()?;
        }
        if next == Next::Leave || sitting.begun.game.over().is_some() && !sitting.wants_another()? {
            sitting.runtime.block_on(sitting.player.quit());
            return Ok(());
        }
        sitting.begin_another()?;
    }
}

/// The next step after an input or a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Continue,
    NewGame,
    Leave,
}

struct Sitting<'a> {
    args: &'a SparArgs,
    seat: TerminalSeat,
    begun: BegunGame,
    /// Pending inputs of the person.
    waiting: Vec<String>,
    is_flipped: bool,
    /// The suggested move for the person's next turn.
    hint: Option<String>,
    /// True if the opponent offered a draw at its last move.
    is_offered: bool,
    /// The ply of the opponent's last offer.
    offered_at: Option<usize>,
    /// The start of the turn.
    since: Instant,
    player: SparPlayer,
    skill: SkillFunction,
    notes: SparNotes,
    runtime: Runtime,
    interrupts: Interrupts,
}

/// Smallest number of plies between two draw offers of the opponent.
const BETWEEN_OFFERS: usize = 20;

impl<'a> Sitting<'a> {
    fn begin(
        args: &'a SparArgs,
        skill: SkillFunction,
        (command, notes): (EngineCommand, SparNotes),
        viewer: &dyn Viewer,
    ) -> Result<Sitting<'a>> {
        let begun = BegunGame::of(args, &name_of(skill), viewer)?;
        let player = SparPlayer::new(command, skill, begun.settings);
        let interrupts = viewer.interrupts("the evaluation of the game");
        let interrupts = interrupts.map_err(|error| VerbError::system("listen for Ctrl-C", error))?;
        let runtime = event_loop().map_err(|error| VerbError::system("start an event loop", error))?;
        let mut sitting = Sitting {
            args,
            seat: TerminalSeat::new(args.game.ascii),
            begun,
            waiting: Vec::new(),
            is_flipped: false,
            hint: None,
            is_offered: false,
            offered_at: None,
            since: Instant::now(),
            player,
            skill,
            notes,
            runtime,
            interrupts,
        };
        sitting.sit_down()?;
        Ok(sitting)
    }

    /// Prepares the player for the game, and greets the person.
    fn sit_down(&mut self) -> Result<()> {
        let names = Names { person: self.begun.game.person_name().to_owned(), player: name_of(self.skill) };
        self.notes.opponent.clone_from(&names.person);
        self.notes.game += 1;
        self.player.set(self.begun.settings);
        self.notes.meet(&mut self.player);
        // All games have the number 1, because a resumed game has no record of the games played before it.
        self.runtime.block_on(self.player.begin(1, self.begun.game.so_far().mode()));
        if let Some(before) = self.begun.opponent_before() {
            self.player.resume(self.begun.game.so_far(), before, self.begun.game.course());
            self.notes.resumed(&self.player);
        }
        let engine = self.player.engine_name().map(str::to_owned);
        self.is_flipped = self.begun.game.person().is_black();
        (self.hint, self.is_offered, self.offered_at) = (None, false, None);
        if self.begun.file.is_written() {
            self.interrupts.set_farewell(self.place());
        }
        if let Some(engine) = &engine {
            self.begun.game.set_tag("Engine", engine);
        }
        self.say(&words::welcome(&self.begun.game, &names, engine.as_deref()))?;
        let remembers = self.skill == SkillFunction::Even && self.notes.game == 1;
        if let Some(memory) = self.notes.memory_path().filter(|_| remembers) {
            self.say(&format!(
                "Your strength is remembered in {}; to prevent this, use --memory none.\n",
                full_path(memory)
            ))?;
        }
        self.since = Instant::now();
        self.show_board()
    }

    fn begin_another(&mut self) -> Result<()> {
        self.begun = BegunGame::another(self.args, &name_of(self.skill), &self.begun)?;
        self.sit_down()
    }

    /// Plays until the game is over, or until the person leaves it.
    fn play_on(&mut self) -> Result<Next> {
        while self.begun.game.over().is_none() {
            if self.begun.game.so_far().turn() != self.begun.game.person() {
                self.answer()?;
            } else {
                match self.listen()? {
                    Next::Continue => {}
                    next => return Ok(next),
                }
            }
        }
        Ok(Next::NewGame)
    }

    fn say(&mut self, text: &str) -> Result<()> {
        self.seat.show(text).map_err(lost)
    }

    fn show_board(&mut self) -> Result<()> {
        let last = self.begun.game.last().map(|played| played.uci);
        let board = self.seat.board;
        let board = TextBoard { flipped: board.flipped != self.is_flipped, ..board };
        let turn = self.begun.game.so_far().turn();
        let clocks = self.begun.clock.map(|mut clock| {
            // The time of the turn so far.
            if turn == self.begun.game.person() {
                clock.set(turn, clock.left(turn).saturating_sub(self.since.elapsed()));
            }
            clock.shown()
        });
        let panel = BoardPanel { game: &self.begun.game, clocks, ascii: board.ascii };
        let drawn = board.drawn(self.begun.game.position().board(), last);
        self.say(&format!("\n{}\n", panel.beside(&drawn, board.flipped)))
    }

    fn answer(&mut self) -> Result<()> {
        self.since = Instant::now();
        let turn = self.begun.game.so_far().turn();
        let allowance = match &self.begun.clock {
            None => Allowance::endless(),
            Some(clock) => Allowance::clock(self.since, &clock.clock(), turn),
        };
        let found = self.runtime.block_on(self.player.think(self.begun.game.so_far(), &allowance))?;
        let mut remarks = self.player.take_remarks();
        remarks.extend(self.notes.note(&self.skill.to_string(), &found, &self.player));
        for remark in remarks {
            self.say(&format!("{remark}\n"))?;
        }
        let legal = found.best.and_then(|uci| uci.to_move(self.begun.game.position()).ok());
        let Some(m) = legal else { return Err(VerbError::new("the opponent found no legal move")) };
        if self.player.resigns() {
            self.begun.game.end(GameOver::Resigned(turn));
            return self.say("Your opponent resigns.\n");
        }
        if !self.spend(turn, m) {
            return Ok(());
        }
        if let Some(seen) = self.player.last_of_course() {
            self.begun.game.note_course(&seen);
        }
        if let Some(before) = self.player.opponent_before() {
            self.begun.note_opponent(before);
        }
        self.keep()?;
        if let Some(told) = words::last_move(&self.begun.game) {
            self.say(&format!("{told}\n"))?;
        }
        self.since = Instant::now();
        self.show_board()?;
        self.offer_a_draw()
    }

    /// Plays a move, and stops the clock of its side. Returns `false` if the side ran out of time first.
    fn spend(&mut self, side: Color, m: Move) -> bool {
        let time = self.since.elapsed();
        if self.is_time_over(side, time) {
            return false;
        }
        let left = self.begun.clock.as_mut().map(|clock| clock.spend(side, time));
        self.begun.game.play(m);
        if let Some(left) = left.flatten() {
            self.begun.game.note_clock(left);
        }
        true
    }

    /// Ends the game if `time` uses up the clock of `side`. Returns whether it does.
    fn is_time_over(&mut self, side: Color, time: Duration) -> bool {
        let is_over = self.begun.clock.is_some_and(|clock| clock.left(side) <= time);
        if is_over {
            self.begun.game.end(GameOver::Time(side));
        }
        is_over
    }

    fn offer_a_draw(&mut self) -> Result<()> {
        let ply = self.begun.game.so_far().moves().len();
        let is_soon = self.offered_at.is_some_and(|before| ply < before + BETWEEN_OFFERS);
        self.is_offered = !is_soon
            && self.begun.game.over().is_none()
            && self.player.offers_a_draw(self.begun.game.so_far());
        if self.is_offered {
            self.offered_at = Some(ply);
            self.say("Your opponent offers a draw: type draw to accept, or play on.\n")?;
        }
        Ok(())
    }

    /// Executes the person's next input.
    fn listen(&mut self) -> Result<Next> {
        while self.waiting.is_empty() {
            let prompt = words::prompt(self.begun.game.position());
            let Some(line) = self.seat.ask(&prompt).map_err(lost)? else { return Ok(Next::Leave) };
            self.waiting = requests(&line);
            if self.is_time_over(self.begun.game.person(), self.since.elapsed()) {
                return Ok(Next::Continue);
            }
        }
        let word = self.waiting.remove(0);
        match BoardRequest::read(&word, self.begun.game.position()) {
            Ok(BoardRequest::Quit) => return Ok(Next::Leave),
            Ok(BoardRequest::New) => return Ok(Next::NewGame),
            Ok(request) => self.grant(request)?,
            Err(problem) => {
                // The remaining inputs were meant for another position.
                self.waiting.clear();
                self.say(&format!("{problem}\n"))?;
            }
        }
        Ok(Next::Continue)
    }

    fn grant(&mut self, request: BoardRequest) -> Result<()> {
        match request {
            BoardRequest::Play(m) => self.play(m)?,
            BoardRequest::Undo if self.begun.game.take_back() => self.moved()?,
            BoardRequest::Undo => self.say("you have no move to take back\n")?,
            BoardRequest::Redo if self.begun.game.redo() => self.moved()?,
            BoardRequest::Redo => self.say("you have no move to play again\n")?,
            BoardRequest::Hint => self.give_hint()?,
            BoardRequest::Resign => self.begun.game.end(GameOver::Resigned(self.begun.game.person())),
            BoardRequest::Draw
                if self.is_offered || self.player.agrees_to_a_draw(self.begun.game.so_far()) =>
            {
                self.begun.game.end(GameOver::Agreed)
            }
            BoardRequest::Draw => self.say("no draw: the game continues\n")?,
            BoardRequest::Flip => {
                self.is_flipped = !self.is_flipped;
                self.show_board()?;
            }
            BoardRequest::Board => self.show_board()?,
            BoardRequest::Moves => self.say(&format!("{}\n", words::moves(&self.begun.game)))?,
            BoardRequest::Fen => self.say(&format!("{}\n", game::fen(self.begun.game.position())))?,
            BoardRequest::Level => {
                let report = self.player.last_report(self.begun.game.so_far());
                let elo = report.and_then(|report| report.elo);
                self.say(&words::level(self.skill, elo))?;
            }
            BoardRequest::Save(None) => self.say_file()?,
            BoardRequest::Save(Some(path)) => self.save(&path)?,
            BoardRequest::Help => self.say(words::HELP)?,
            BoardRequest::Quit | BoardRequest::New => {}
        }
        Ok(())
    }

    fn play(&mut self, m: Move) -> Result<()> {
        self.is_offered = false;
        if !self.spend(self.begun.game.person(), m) {
            return Ok(());
        }
        if let Some(hint) = self.hint.take() {
            self.begun.game.note_hint(&hint);
        }
        self.keep()
    }

    /// Saves and shows the game after moves were taken back or played again.
    fn moved(&mut self) -> Result<()> {
        (self.hint, self.is_offered) = (None, false);
        self.begun.reset_clock();
        self.keep()?;
        self.since = Instant::now();
        self.show_board()
    }

    fn give_hint(&mut self) -> Result<()> {
        let found = self.runtime.block_on(self.player.hint(self.begun.game.so_far(), &Allowance::endless()));
        let uci = found.map_err(VerbError::from)?;
        let m = uci.and_then(|uci| uci.to_move(self.begun.game.position()).ok());
        self.hint = m.map(|m| SanPlus::from_move(self.begun.game.position().clone(), m).to_string());
        let told = self.hint.clone().map_or("no hint".to_owned(), |hint| format!("{hint} is a good move"));
        self.say(&format!("{told}\n"))
    }

    /// Writes the current state of the game. If that fails, the game continues, because a later attempt may
    /// succeed.
    fn keep(&mut self) -> Result<()> {
        let text = pgn::noted_game(&self.begun.game.game(), &[]);
        let other = match self.begun.file.write(&text) {
            Ok(other) => other,
            Err(error) => {
                return self.say(&format!("the game could not be saved: {}\n", with_causes(&error)));
            }
        };
        self.interrupts.set_farewell(self.place());
        let Some(left) = other else { return Ok(()) };
        let (left, path) = (full_path(&left), full_path(&self.begun.file.path));
        self.say(&format!(
            "another program changed {left}, so that file stays as it is; the game continues in {path}\n"
        ))
    }

    /// Writes a copy of the game, but never overwrites a file.
    fn save(&mut self, path: &Path) -> Result<()> {
        // The empty file takes the name, so that no other program can take it before the game is written.
        let told = match File::create_new(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                format!("{} already exists: name another file", full_path(path))
            }
            Err(error) => with_causes(&FileError::Write(path.to_owned(), error)),
            Ok(_) => match written(path, &self.begun.game) {
                Ok(()) => format!("saved to {}", full_path(path)),
                Err(error) => {
                    _ = fs::remove_file(path);
                    with_causes(&error)
                }
            },
        };
        self.say(&format!("{told}\n"))
    }

    fn say_file(&mut self) -> Result<()> {
        self.say(&match self.begun.file.is_written() {
            false => {
                format!(
                    "the game will be written to {} at the first move\n",
                    full_path(&self.begun.file.path)
                )
            }
            true => format!("{}\n", self.place()),
        })
    }

    /// Returns the sentence that names the file of the game.
    fn place(&self) -> String {
        let so_far = if self.begun.game.over().is_none() { " so far" } else { "" };
        format!("the game{so_far} is in {}", full_path(&self.begun.file.path))
    }

    /// Shows the file from which the unfinished game can be resumed.
    fn leave(&mut self) -> Result<()> {
        self.say("\n")?;
        if self.begun.file.is_written() {
            self.say_file()?;
        }
        Ok(())
    }

    /// Prints the result of the game and the quality of its play.
    fn end(&mut self, viewer: &mut dyn Viewer) -> Result<()> {
        self.keep()?;
        if let Some(over) = self.begun.game.over() {
            self.say(&words::ending(&self.begun.game, over))?;
        }
        if !self.begun.game.so_far().moves().is_empty() {
            let told = review::report(&self.begun.game.game(), self.args, viewer)?;
            self.say(&format!("\n{told}"))?;
        }
        let where_to = full_path(&self.begun.file.path);
        self.say(&format!("The game: {where_to}\n"))
    }

    fn wants_another(&mut self) -> Result<bool> {
        self.waiting.clear();
        let Some(line) = self.seat.ask("\nAnother game? Type new, or quit: ").map_err(lost)? else {
            return Ok(false);
        };
        Ok(line.trim().eq_ignore_ascii_case("new"))
    }
}

fn name_of(skill: SkillFunction) -> String {
    format!("gainalyze spar ({skill})")
}

fn lost(error: io::Error) -> VerbError {
    VerbError::system("talk to the person at the board", error)
}

fn written(path: &Path, game: &BoardGame) -> Result<(), FileError> {
    write_named_file(path, |out| pgn::write_game(&game.game(), out))
}
