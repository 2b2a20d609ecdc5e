//! [`serve`]: the player as a UCI engine.

use std::{
    io, io::BufRead, io::Write, sync::Arc, sync::Mutex, sync::PoisonError, time::Duration, time::Instant,
};

use shakmaty::{CastlingMode, Position, uci::UciMove};
use tokio::runtime::Runtime;

use super::{
    notes::SparNotes, options::SparOptions, player::SparPlayer, question::Allowance, question::GRACE,
    question::LEAST_GRACE, question::SparMove, question::THINKING,
};
use crate::base::{text::with_causes, work::event_loop};
use crate::chess::GameSoFar;
use crate::engine::{
    EngineCommand, EngineLine, Go, Info, ThinkingTime, server::OwnAnswer, server::Served, server::ServedTask,
    server::converse, server::output::Output, server::request::OwnRequest, server::task::thinking_time,
    server::worker::Control,
};

/// Answers a user interface on `input` and `output` until `quit` or the end of input. Uses the engine of
/// `command`, the initial `options`, and `notes` for records of games.
pub fn serve<R: BufRead, W: Write + Send>(
    input: R,
    output: W,
    command: EngineCommand,
    options: SparOptions,
    notes: SparNotes,
) -> io::Result<()> {
    let player = SparPlayer::new(command, options.skill(), options.settings);
    let table = SparTable { runtime: event_loop()?, player, notes };
    converse(input, output, ServedSpar { table: Arc::new(Mutex::new(table)), options })
}

/// The player and its data, locked during thinking or changes.
struct SparTable {
    runtime: Runtime,
    player: SparPlayer,
    notes: SparNotes,
}

struct ServedSpar {
    table: Arc<Mutex<SparTable>>,
    options: SparOptions,
}

impl Served for ServedSpar {
    type Change = ();
    type Task = SparTask;

    fn introduction(&self) -> Vec<EngineLine> {
        let name = EngineLine::Name(concat!("gainalyze spar ", env!("CARGO_PKG_VERSION")).to_owned());
        let author = EngineLine::Author("the authors of gainalyze".to_owned());
        let options = self.options.list().into_iter().map(EngineLine::Option);
        [name, author].into_iter().chain(options).collect()
    }

    fn mode(&self) -> CastlingMode {
        self.options.mode
    }

    fn set(&mut self, name: &str, value: Option<&str>) -> Result<Option<()>, String> {
        self.options.set(name, value).map(Some)
    }

    fn change(&mut self, (): ()) -> Result<(), String> {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        table.player.set_skill(self.options.skill());
        table.player.set(self.options.settings);
        if table.notes.opponent != self.options.opponent {
            let SparTable { player, notes, .. } = &mut *table;
            self.options.opponent.clone_into(&mut notes.opponent);
            notes.meet(player);
        }
        Ok(())
    }

    fn get_ready(&mut self) {
        if let Ok(mut table) = self.table.try_lock() {
            let SparTable { runtime, player, .. } = &mut *table;
            runtime.block_on(player.prepare());
        }
    }

    fn new_game(&mut self) {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let SparTable { runtime, player, notes } = &mut *table;
        notes.game += 1;
        notes.meet(player);
        runtime.block_on(player.begin(notes.game, self.options.mode));
    }

    fn search(&self, go: &Go, game: &GameSoFar, begun: Instant) -> (SparTask, Option<String>) {
        let position = game.position();
        let time = thinking_time(go, &position, self.options.overhead).filter(|_| !go.infinite);
        let is_limited = time.is_some() || go.depth.is_some() || go.nodes.is_some() || go.mate.is_some();
        let legal = |uci: &UciMove| uci.to_move(&position).ok().map(|m| m.to_uci(game.mode()));
        let moves: Vec<UciMove> = go.searchmoves.iter().filter_map(legal).collect();
        let remark = (moves.is_empty() && !go.searchmoves.is_empty())
            .then(|| "go: none of searchmoves is legal here; any move may be played".to_owned());
        let task = SparTask {
            table: self.table.clone(),
            skill: self.options.skill().to_string(),
            game: game.clone(),
            // With a single legal move there is no choice.
            time: time.filter(|_| position.legal_moves().len() > 1),
            is_only_move: position.legal_moves().len() == 1,
            depth: go.depth.filter(|_| !go.infinite),
            nodes: go.nodes.filter(|_| !go.infinite),
            moves,
            ponder: go.ponder,
            // A search without a limit also ends, because the skill determines its depth.
            until_stop: go.infinite || go.ponder && !is_limited,
            begun,
        };
        (task, remark)
    }

    fn own(&self, _: OwnRequest, _: &GameSoFar) -> Option<OwnAnswer<SparTask>> {
        None
    }
}

struct SparTask {
    table: Arc<Mutex<SparTable>>,
    skill: String,
    game: GameSoFar,
    time: Option<ThinkingTime>,
    is_only_move: bool,
    depth: Option<u32>,
    nodes: Option<u64>,
    moves: Vec<UciMove>,
    ponder: bool,
    until_stop: bool,
    begun: Instant,
}

impl SparTask {
    /// Returns the limits of the move. While pondering, the time runs from `ponderhit` on.
    fn allowance(&self, control: &Arc<Control>) -> Allowance {
        let endless = Allowance::endless();
        let usual = self.time.map(|time| time.usual().mul_f64(THINKING));
        let most = self.time.map(|time| time.most().mul_f64(THINKING + GRACE));
        // A clock has more time than the usual time of a move; a time per move does not.
        let grace = most.zip(usual).map_or(endless.grace, |(most, usual)| most.saturating_sub(usual));
        let (control, ponder, begun) = (control.clone(), self.ponder, self.begun);
        let is_over = move |share: f64| {
            let since = if ponder { control.hit_at() } else { Some(begun) };
            let spent = since.map_or(Duration::ZERO, |since| since.elapsed());
            control.is_stopped()
                || since.is_some() && usual.is_some_and(|usual| spent >= usual.mul_f64(share))
        };
        let grace = grace.clamp(LEAST_GRACE, endless.grace);
        let depth = if self.is_only_move { Some(1) } else { self.depth };
        Allowance { depth, nodes: self.nodes, moves: self.moves.clone(), is_over: Arc::new(is_over), grace }
    }

    /// Returns any legal move, for use when no engine is available.
    fn any_move(&self) -> Option<UciMove> {
        let legal = self.game.position().legal_moves();
        legal.first().map(|m| m.to_uci(self.game.mode()))
    }
}

impl ServedTask for SparTask {
    fn run<W: Write>(self, control: &Arc<Control>, output: &Output<W>) {
        let allowance = self.allowance(control);
        let found = {
            let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
            let SparTable { runtime, player, notes } = &mut *table;
            let found = runtime.block_on(player.think(&self.game, &allowance)).unwrap_or_else(|error| {
                output.remark(&with_causes(&error));
                SparMove { best: self.any_move(), ..SparMove::NONE }
            });
            player.take_remarks().iter().for_each(|remark| output.remark(remark));
            notes.note(&self.skill, &found, player).iter().for_each(|problem| output.remark(problem));
            found
        };
        if let Some(report) = &found.report {
            output.remark(report);
        }
        if let Some(score) = found.score {
            output.say(&EngineLine::Info(Info {
                depth: found.report.and_then(|report| report.searched),
                score: Some(score.seen_by(self.game.turn())),
                time_ms: u64::try_from(self.begun.elapsed().as_millis()).ok(),
                pv: found.best.into_iter().chain(found.ponder).collect(),
                ..Info::default()
            }));
        }
        if self.until_stop || self.ponder {
            control.wait_for_stop(!self.until_stop);
        }
        match found.best {
            Some(_) => output.say(&EngineLine::BestMove { best: found.best, ponder: found.ponder }),
            // UCI's null move, which every user interface knows.
            None => output.say(&"bestmove 0000"),
        }
    }
}
