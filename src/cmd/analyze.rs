//! Owns the default verb: from PGN files to the tables, files and plots of a tournament.

use std::{
    collections::BTreeSet,
    io::IsTerminal,
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime},
};

use chrono::{DateTime, SecondsFormat, Utc};

use super::{
    CmdError, Ending,
    input::{self, Input},
    players, print,
    progress::Display,
    search,
};
use crate::{
    cli::{AnalyzeArgs, Evals, Plots},
    evaluate::{self, Counts, Searched},
    gain::EvaluatedGame,
    game::Game,
    pgn::{self, BadGame},
    report::{
        self, ReportOptions,
        files::{self, OutputDir},
        frame::Selection,
        plots::Caption,
        summary::{
            EngineFacts, EvaluationSource, GameFacts, LeftOut, PlayerRow, ProtocolFacts, RunInfo, Searches,
            Summary,
        },
        tables,
    },
    store::EngineStamp,
    tournament::Tournament,
};

/// Width of tables where nobody tells the width of a terminal.
const COLUMNS: u16 = 100;

/// Analyses the files that `args` names.
pub fn run(args: &AnalyzeArgs) -> Result<Ending, CmdError> {
    let clock = Clock::start();
    let mut display = Display::new(args.quiet);
    let inputs = input::read(args)?;
    warn_of_bad_games(&inputs, &display);
    let desks = inputs.iter().map(|input| Desk::prepare(input, args)).collect::<Result<Vec<_>, _>>()?;
    if let Some(path) = &args.source.annotate {
        files::check_writable(path)?;
    }
    let evaluated = evaluate(inputs, args, &mut display)?;
    if evaluated.interrupted {
        say_how_to_go_on(args, &evaluated, &display);
        return Ok(Ending::Interrupted);
    }
    if let Some(path) = &args.source.annotate {
        annotate(&evaluated, args, path, &display)?;
    }
    let failed = evaluated.reports.iter().any(|report| report.engine_failed);
    for (report, desk) in evaluated.reports.iter().zip(&desks) {
        desk.write(report, &evaluated, args)?;
        report::write_run(&desk.folder, &clock.run_info(&evaluated, args))?;
        display.note(&format!("{}: see {}", desk.name, desk.folder.path().display()));
    }
    Ok(if failed { Ending::GamesFailed } else { Ending::Complete })
}

fn warn_of_bad_games(inputs: &[Input], display: &Display) {
    for bad in inputs.iter().flat_map(|input| &input.bad) {
        display.warn(&format!("left out: {bad}"));
    }
}

fn say_how_to_go_on(args: &AnalyzeArgs, evaluated: &Evaluated, display: &Display) {
    let searched = evaluated.counts.searched;
    display.warn(&if args.store.no_store {
        format!("stopped; the {searched} positions searched are lost, since there is no store (--no-store)")
    } else {
        format!("stopped; {searched} more positions are in the store: the same command goes on from there")
    });
}

/// The games of all inputs with their evaluations.
struct Evaluated {
    reports: Vec<Report>,
    counts: Counts,
    recorded: u64,
    engine: Option<EngineStamp>,
    interrupted: bool,
}

/// The games of one input.
#[derive(Default)]
struct Report {
    games: Vec<EvaluatedGame>,
    left_out: Vec<LeftOut>,
    read: u64,
    searched_games: usize,
    engine_failed: bool,
}

/// Where the evaluations of a game come from.
enum Fate {
    Recorded(Box<EvaluatedGame>),
    Search(Game),
    LeftOut(LeftOut),
}

fn evaluate(inputs: Vec<Input>, args: &AnalyzeArgs, display: &mut Display) -> Result<Evaluated, CmdError> {
    let mut reports: Vec<Report> = Vec::new();
    let mut searched = Vec::new();
    let mut slots = Vec::new();
    let mut recorded = 0;
    for input in inputs {
        let mut report = Report { read: (input.games.len() + input.bad.len()) as u64, ..Report::default() };
        report.left_out.extend(input.bad.into_iter().map(|bad| unreadable(&bad)));
        for game in input.games {
            match fate(game, args) {
                Fate::Recorded(game) => {
                    recorded += game.game().position_count() as u64;
                    slots.push((reports.len(), Slot::Ready(game)));
                }
                Fate::Search(game) => {
                    slots.push((reports.len(), Slot::Awaited));
                    searched.push(game);
                }
                Fate::LeftOut(game) => report.left_out.push(game),
            }
        }
        reports.push(report);
    }
    say_where_from(slots.len() - searched.len(), searched.len(), args, display);
    let mut outcome = None;
    if !searched.is_empty() {
        let store = search::open_store(&args.store)?;
        outcome = Some(search::run(searched, &args.engine, store, display)?);
    }
    let (games, counts, engine, interrupted) = match outcome {
        Some(outcome) => (outcome.games, outcome.counts, Some(outcome.engine), outcome.interrupted),
        None => (Vec::new(), Counts::default(), None, false),
    };
    let mut games = games.into_iter();
    for (index, slot) in slots {
        let game = match slot {
            Slot::Ready(game) => Searched::Complete(game),
            Slot::Awaited => {
                reports[index].searched_games += 1;
                games.next().expect("one outcome per searched game")
            }
        };
        reports[index].take(game);
    }
    Ok(Evaluated { reports, counts, recorded, engine, interrupted })
}

/// The place of a game in the order of its file.
enum Slot {
    Ready(Box<EvaluatedGame>),
    Awaited,
}

fn fate(game: Game, args: &AnalyzeArgs) -> Fate {
    // How many nodes stand behind a recorded evaluation is not recorded.
    if args.source.evals == Evals::Engine || (args.source.evals == Evals::Auto && args.engine.nodes.is_some())
    {
        return Fate::Search(game);
    }
    match evaluate::recorded(&game, args.engine.depth) {
        Ok(evaluations) => Fate::Recorded(Box::new(EvaluatedGame::new(game, evaluations))),
        Err(_) if args.source.evals == Evals::Auto => Fate::Search(game),
        Err(gap) => Fate::LeftOut(left_out(&game, gap.to_string())),
    }
}

fn say_where_from(recorded: usize, searched: usize, args: &AnalyzeArgs, display: &Display) {
    match (recorded, searched) {
        (0, _) => {}
        (_, 0) => display.note(&format!("evaluations of {recorded} games taken from their [%eval] comments")),
        _ => display.warn(&format!(
            "the evaluations of {recorded} games are recorded in the PGN, those of {searched} are the engine's: \
             their gains may not be comparable (--evals {} takes one kind only)",
            if args.engine.depth.is_some() { "engine" } else { "engine, or --evals pgn," }
        )),
    }
}

fn unreadable(bad: &BadGame) -> LeftOut {
    LeftOut {
        file: bad.source.file.clone(),
        game: bad.source.number as u64,
        white: Some(bad.white.clone()),
        black: Some(bad.black.clone()),
        ply: bad.ply,
        written: bad.token.clone(),
        reason: bad.reason.to_string(),
    }
}

fn left_out(game: &Game, reason: String) -> LeftOut {
    let player = |color| Some(game.player(color).to_owned());
    LeftOut {
        file: game.source.file.clone(),
        game: game.source.number as u64,
        white: player(shakmaty::Color::White),
        black: player(shakmaty::Color::Black),
        ply: None,
        written: None,
        reason,
    }
}

impl Report {
    fn take(&mut self, game: Searched) {
        match game {
            Searched::Complete(game) => self.games.push(*game),
            Searched::Failed { game, error } => {
                self.left_out.push(left_out(&game, format!("the engine failed: {error}")));
                self.engine_failed = true;
            }
            Searched::Unfinished => {}
        }
    }
}

fn annotate(
    evaluated: &Evaluated,
    args: &AnalyzeArgs,
    path: &Path,
    display: &Display,
) -> Result<(), CmdError> {
    let judge = evaluated.engine.as_ref().map(|engine| format!("{}, {}", engine.name, args.engine.limit()));
    let games = evaluated.reports.iter().flat_map(|report| &report.games);
    files::write_file(path, |out| {
        games.clone().try_for_each(|game| pgn::write_game(&game.annotated(judge.as_deref()), out))
    })?;
    display.note(&format!("annotated games: {}", path.display()));
    Ok(())
}

/// Where one report is made: its folder and the names that the user gave for it, checked before
/// the long work.
struct Desk {
    name: String,
    folder: OutputDir,
    players: Selection,
    elo: std::collections::BTreeMap<String, f64>,
}

impl Desk {
    fn prepare(input: &Input, args: &AnalyzeArgs) -> Result<Desk, CmdError> {
        let names = players::names(&input.games);
        let folder = OutputDir::create(folder(input, args))?;
        Ok(Desk {
            name: input.name.clone(),
            folder,
            players: selection(&names, &args.report.player)?,
            elo: players::ratings(&names, &args.method.elo)?,
        })
    }

    fn write(&self, report: &Report, evaluated: &Evaluated, args: &AnalyzeArgs) -> Result<(), CmdError> {
        if report.games.is_empty() {
            return Err(nothing_left(report));
        }
        let tournament = Tournament::of(&report.games, &self.elo, args.method.method());
        let source = source(report, evaluated, args);
        let options = ReportOptions {
            formats: args.report.format.iter().copied().collect(),
            players: self.players.clone(),
            plots: args.report.plots == Plots::Png,
            caption: Caption { engine: judge(&source, &report.games) },
        };
        let summary = summary(report, &tournament, source);
        let shown = tournament.narrowed(|player| options.players.has(player));
        print(&tables::all(&shown, Some(columns())))?;
        report::write_all(&self.folder, &tournament, &report.games, &options, &summary)?;
        Ok(())
    }
}

/// The engine's failures are its own; a file without usable evaluations is the user's to mend.
fn nothing_left(report: &Report) -> CmdError {
    match report.left_out.last() {
        Some(game) if !report.engine_failed => {
            CmdError::NoGames(format!("{}, game {}: {}", game.file, game.game, game.reason))
        }
        _ => CmdError::NothingLeft,
    }
}

/// `reports/<name>`, or what the user wants, with a folder for each report where there are several.
fn folder(input: &Input, args: &AnalyzeArgs) -> PathBuf {
    let name = files::slug(&input.name);
    match &args.report.output {
        Some(folder) if args.separately => folder.join(name),
        Some(folder) => folder.clone(),
        None => Path::new("reports").join(name),
    }
}

fn selection(names: &BTreeSet<String>, wanted: &[String]) -> Result<Selection, CmdError> {
    if wanted.is_empty() {
        return Ok(Selection::All);
    }
    let mut players = BTreeSet::new();
    for name in wanted {
        players.extend(players::matching(names, name)?.into_iter().map(str::to_owned));
    }
    Ok(Selection::Only(players.into_iter().collect()))
}

fn columns() -> u16 {
    let terminal = std::io::stdout().is_terminal().then(|| console::Term::stdout().size_checked());
    terminal.flatten().map_or(COLUMNS, |(_, columns)| columns)
}

fn source(report: &Report, evaluated: &Evaluated, args: &AnalyzeArgs) -> EvaluationSource {
    match evaluated.engine.as_ref().filter(|_| report.searched_games > 0) {
        None => EvaluationSource::Recorded,
        Some(engine) => EvaluationSource::Engine {
            engine: EngineFacts {
                name: engine.name.clone(),
                digest: Some(engine.digest.clone()),
                options: engine.options.clone(),
            },
            protocol: ProtocolFacts::from(args.engine.protocol()),
        },
    }
}

/// Who evaluated, for the pictures.
fn judge(source: &EvaluationSource, games: &[EvaluatedGame]) -> String {
    match source {
        EvaluationSource::Engine { engine, protocol } => format!("{}, {}", engine.name, protocol.limit),
        EvaluationSource::Recorded => {
            let judges: BTreeSet<&str> =
                games.iter().filter_map(|game| game.game().tags.get("Annotator")).collect();
            match judges.first() {
                Some(judge) if judges.len() == 1 => format!("recorded evaluations, {judge}"),
                _ => "recorded evaluations".to_owned(),
            }
        }
    }
}

fn summary(report: &Report, tournament: &Tournament, evaluations: EvaluationSource) -> Summary {
    let positions = report.games.iter().map(|game| game.evaluations().len() as u64).sum();
    let nodes: u64 = report
        .games
        .iter()
        .flat_map(|game| game.evaluations())
        .filter_map(|evaluation| evaluation.nodes)
        .sum();
    Summary {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        evaluations,
        method: tournament.method.into(),
        filters: Vec::new(),
        games: GameFacts {
            read: report.read,
            analysed: report.games.len() as u64,
            left_out: report.left_out.clone(),
        },
        positions,
        nodes: (nodes > 0).then_some(nodes),
        players: PlayerRow::all(tournament),
        engine_strength: tournament.engine_strength.map(Into::into),
        notes: tables::notes(tournament),
    }
}

/// When the run began.
struct Clock {
    started: SystemTime,
    start: Instant,
}

impl Clock {
    fn start() -> Clock {
        Clock { started: SystemTime::now(), start: Instant::now() }
    }

    fn run_info(&self, evaluated: &Evaluated, args: &AnalyzeArgs) -> RunInfo {
        let Counts { stored, searched, nodes, busy, wall } = evaluated.counts;
        let per_second = |amount: f64, time: Duration| amount / time.as_secs_f64();
        RunInfo {
            command: std::env::args_os().map(|arg| arg.to_string_lossy().into_owned()).collect(),
            started: DateTime::<Utc>::from(self.started).to_rfc3339_opts(SecondsFormat::Secs, true),
            wall_seconds: self.start.elapsed().as_secs_f64(),
            searches: Searches { made: searched, from_store: stored, recorded: evaluated.recorded },
            nodes_per_second: (searched > 0).then(|| per_second(nodes as f64, wall)),
            engine_busy_share: (searched > 0)
                .then(|| per_second(busy.as_secs_f64(), wall) / args.engine.jobs() as f64),
        }
    }
}
