//! The game to play in the terminal: a new one, or an unfinished one from a file.

use std::path::{Path, PathBuf};

use chrono::Local;
use shakmaty::{CastlingMode, Chess, Color};

use super::{PlayedSide, SparArgs, game_file::GameFile, game_file::free_beside, new_seed};
use crate::base::{output::check_writable, output::now, text::full_path, text::printable, text::with_causes};
use crate::chess::{BaseAndIncrement, GameSoFar, pgn};
use crate::lab::{BoardClock, BoardGame, BoardTime, Names, OpponentRecord, SparSettings};
use crate::verbs::{
    args::more_moves, args::position_of, error::Result, error::VerbError, input, plan::ReadingPlan,
    runs::Viewer,
};

const SEED: &str = "Seed";

/// The tag with the assumed rating of an unknown opponent.
const OPPONENT_ELO: &str = "OpponentElo";

const OPPONENT_BEFORE: &str = "OpponentBefore";

/// A game with its file and its clocks, and the settings of its player.
pub(super) struct BegunGame {
    pub game: BoardGame,
    pub file: GameFile,
    pub clock: Option<BoardClock>,
    pub settings: SparSettings,
}

impl BegunGame {
    /// Returns the person's unfinished game in the file of `--pgn`, if this file exists; otherwise a new
    /// game.
    pub fn of(args: &SparArgs, player: &str, viewer: &dyn Viewer) -> Result<BegunGame> {
        match &args.game.pgn {
            Some(path) if path.exists() => BegunGame::resumed(args, (path, player), viewer),
            path => {
                let path = path.clone().unwrap_or_else(usual_path);
                check_writable(&path)?;
                let settings = args.settings(new_seed);
                let side = match args.game.side.unwrap_or(PlayedSide::White) {
                    PlayedSide::White => Color::White,
                    PlayedSide::Black => Color::Black,
                    PlayedSide::Random => Color::from_white(settings.draws_white()),
                };
                BegunGame::new(args, player, (path, side, settings, args.game.time))
            }
        }
    }

    /// Returns a new game after `last`, with exchanged colors.
    pub fn another(args: &SparArgs, player: &str, last: &BegunGame) -> Result<BegunGame> {
        let path = args.game.pgn.as_deref().map_or_else(usual_path, free_beside);
        let settings = args.settings(new_seed);
        let side = !last.game.person();
        let time = args.game.time.or_else(|| control_of(&last.game));
        BegunGame::new(args, player, (path, side, settings, time))
    }

    fn new(
        args: &SparArgs,
        player: &str,
        (path, person, settings, time): (PathBuf, Color, SparSettings, Option<BoardTime>),
    ) -> Result<BegunGame> {
        let name = args.game.name.clone().unwrap_or_else(|| "You".to_owned());
        let names = Names { person: name, player: player.to_owned() };
        let date = now::<Local>().format("%Y.%m.%d").to_string();
        let control = time.map_or("-".to_owned(), BoardTime::tag);
        let game = BoardGame::new(person, &names, &date, &start(args)?, &control);
        if game.over().is_some() {
            return Err(VerbError::new("--start: the game is over in this position; give another one"));
        }
        let clock = time.map(BoardClock::new);
        Ok(BegunGame { game, file: GameFile::new(path), clock, settings }.tagged())
    }

    fn resumed(args: &SparArgs, (path, player): (&Path, &str), viewer: &dyn Viewer) -> Result<BegunGame> {
        let mut inputs = input::read(&[path.to_owned()], false, &ReadingPlan::default(), viewer)?;
        let games = inputs.pop().map(|input| input.games).unwrap_or_default();
        let wrong = |why: String| VerbError::new(format!("{}: {why}", full_path(path)));
        let [game] = games.as_slice() else {
            let why = "the file does not have exactly one game against gainalyze spar; name another file";
            return Err(wrong(why.to_owned()));
        };
        let game = BoardGame::resumed(game).map_err(|error| wrong(with_causes(&error)))?;
        let theirs = game.person_name();
        if args.game.name.as_deref().is_some_and(|name| name != theirs) {
            let theirs = printable(theirs);
            return Err(wrong(format!(
                "the game in this file is {theirs}'s: resume the game with --name {theirs}, or name another file"
            )));
        }
        let opponent = game.tags().get((!game.person()).fold_wb("White", "Black")).unwrap_or_default();
        if opponent != player {
            let opponent = printable(opponent);
            return Err(wrong(format!(
                "your opponent in this game is {opponent}: to resume the game, give this opponent's --skill \
                 or --level; for a new game, name another file"
            )));
        }
        let seat = game.person().fold_wb(PlayedSide::White, PlayedSide::Black);
        if args.game.side.is_some_and(|side| side != seat && side != PlayedSide::Random) {
            let [seat, side] = game.person().fold_wb(["White", "black"], ["Black", "white"]);
            return Err(wrong(format!(
                "you are {seat} in this game: leave out --side {side}, or name another file for a new game"
            )));
        }
        let control = game.tags().raw("TimeControl").unwrap_or("-").to_owned();
        if args.game.time.is_some_and(|time| time.tag() != control) {
            return Err(wrong(format!(
                "the game in this file has TimeControl {}: leave out --time, or name another file",
                printable(&control)
            )));
        }
        if args.game.start.is_some() {
            let why = "this game has begun: leave out --start, or name another file for a new game";
            return Err(wrong(why.to_owned()));
        }
        let mut clock = control_of(&game).map(BoardClock::new);
        if let Some(clock) = &mut clock {
            set_from(clock, &game);
        }
        let text = pgn::noted_game(&game.game(), &[]);
        let seed = game.tags().get(SEED).and_then(|seed| seed.parse().ok());
        let settings = args.settings(|| seed.unwrap_or_else(new_seed));
        let elo = game.tags().get(OPPONENT_ELO).and_then(|elo| elo.parse().ok()).unwrap_or(settings.elo);
        let settings = SparSettings { elo, ..settings };
        Ok(BegunGame { game, file: GameFile::left(path.to_owned(), text), clock, settings }.tagged())
    }

    fn tagged(mut self) -> BegunGame {
        self.game.set_tag(SEED, &self.settings.seed.to_string());
        self.game.set_tag(OPPONENT_ELO, &self.settings.elo.to_string());
        self
    }

    /// Returns the record of the opponent before the game; `None` if the game has none.
    pub fn opponent_before(&self) -> Option<OpponentRecord> {
        self.game.tags().get(OPPONENT_BEFORE).and_then(OpponentRecord::read)
    }

    pub fn note_opponent(&mut self, before: OpponentRecord) {
        self.game.set_tag(OPPONENT_BEFORE, &before.to_string());
    }

    /// Sets the clocks to the times recorded with the moves, after moves were taken back or played again.
    pub fn reset_clock(&mut self) {
        if let Some((clock, control)) = self.clock.as_mut().zip(control_of(&self.game)) {
            *clock = BoardClock::new(control);
            set_from(clock, &self.game);
        }
    }
}

/// Returns the time control of a game; `None` for a game without clocks.
fn control_of(game: &BoardGame) -> Option<BoardTime> {
    let control = game.tags().raw("TimeControl").and_then(BaseAndIncrement::of_tag);
    control.filter(|control| control.base > 0).map(BoardTime)
}

fn set_from(clock: &mut BoardClock, game: &BoardGame) {
    for side in Color::ALL {
        if let Some(left) = game.time_left(side) {
            clock.set(side, left);
        }
    }
}

fn usual_path() -> PathBuf {
    let path = PathBuf::from(now::<Local>().format("spar-%Y%m%d-%H%M%S.pgn").to_string());
    if path.exists() { free_beside(&path) } else { path }
}

/// Returns the start of a new game: the position or the moves of `--start`, or else the initial position.
fn start(args: &SparArgs) -> Result<GameSoFar> {
    let usual = || GameSoFar::new(Chess::default(), CastlingMode::Standard);
    let Some(text) = &args.game.start else { return Ok(usual()) };
    if text.contains('/') {
        let (start, mode) = position_of(text)?;
        return Ok(GameSoFar::new(start, mode));
    }
    let mut game = usual();
    more_moves("--start", game.start(), text)?.into_iter().for_each(|uci| game.push(uci));
    Ok(game)
}
