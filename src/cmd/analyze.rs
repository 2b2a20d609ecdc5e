//! Owns the default verb: from PGN files to the tables, files and plots of a tournament.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    time::{Duration, Instant, SystemTime},
};

use chrono::{DateTime, SecondsFormat, Utc};

use super::{
    CmdError, Ending, archive, check_method,
    console::Console,
    engines,
    evaluations::{self, Evaluated, InputGames, Reach, Wanted},
    events,
    input::{self, Input, Reading},
    live_ranking::LiveRanking,
    players, print, screen,
};
use crate::{
    cli::AnalyzeArgs,
    evaluate::SearchCounts,
    evaluated_game::{EvaluatedGame, JUDGE},
    formats::facts::{EngineFacts, EvaluationSource, GamesRead, OwnMoves, ProtocolFacts, RunInfo, Searches},
    output::{self, FileError, OutputDir, command_line},
    pgn,
    report::{
        self, PageFacts, ReportOptions,
        frame::Selection,
        plots::Caption,
        summary::{Summary, SummaryFacts},
        tables,
    },
    text::{brief, counted, printable},
    tournament::{Analysis, EngineHistogram, Method, MoveSample, agreement::EventFinding, filter::Split},
};

/// Analyses the files that `args` names.
pub fn run(args: &AnalyzeArgs) -> Result<Ending, CmdError> {
    if let Some(by) = args.archive.by {
        return archive::run(args, by);
    }
    let clock = Clock::start();
    let mut console = Console::new(args.quiet);
    engines::check(args)?;
    check_method(&args.method)?;
    args.report.pictures().map_err(CmdError::Usage)?;
    wanted(args).check_source()?;
    let reading = Reading { strict: args.archive.strict, ..Reading::of(&args.choice, args.bootstrap.seed)? };
    let inputs = input::read(&args.pgn, args.separately, &reading, &console)?;
    check_drawn(&inputs, &args.report.game)?;
    input::warn_of_bad_games(&inputs, &console);
    if args.engine.engines.len() > 1 {
        return engines::run(&inputs, args, &mut console);
    }
    let targets = ReportTargets::prepare(&inputs, args)?;
    check_annotated(args)?;
    let reports = report(inputs, &targets, args, &clock, &mut console)?;
    // At last, since files do not depend on a terminal that may be gone.
    print(&reports.tables)?;
    match reports.empty {
        Some(error) => Err(error),
        None => Ok(reports.ending),
    }
}

/// What came of the reports of one engine.
pub(super) struct Reports {
    /// As the terminal shows them.
    pub tables: String,
    /// What they say, report by report.
    pub findings: Vec<EventFinding>,
    /// Why there is none of an input, of the first one without.
    pub empty: Option<CmdError>,
    /// How it ended.
    pub ending: Ending,
}

impl Reports {
    /// None yet.
    pub fn none(ending: Ending) -> Reports {
        Reports { tables: String::new(), findings: Vec::new(), empty: None, ending }
    }
}

/// Evaluates the games of all inputs and writes a report of each.
pub(super) fn report(
    inputs: Vec<Input>,
    targets: &ReportTargets,
    args: &AnalyzeArgs,
    clock: &Clock,
    console: &mut Console,
) -> Result<Reports, CmdError> {
    console.rank(live_ranking(&inputs, targets, args, console));
    let evaluated = evaluations::evaluate(inputs, &wanted(args), console)?;
    if evaluated.interrupted {
        say_how_to_go_on(args, &evaluated, console);
        return Ok(Reports::none(Ending::Interrupted));
    }
    if evaluated.inputs.iter().any(|input_games| !input_games.games.is_empty()) {
        annotate(&evaluated, args, console)?;
    }
    let mut reports = publish(&evaluated, targets, args, clock, console)?;
    if let Some(above) = &targets.above {
        reports.tables += &events::report(&reports.findings, above, args, console)?;
    }
    Ok(reports)
}

/// The ranking that is shown during a search; of one tournament only, since places are places in one.
fn live_ranking(
    inputs: &[Input],
    targets: &ReportTargets,
    args: &AnalyzeArgs,
    console: &Console,
) -> Option<LiveRanking> {
    let [input] = inputs else { return None };
    let method = args.method.method(&args.filter, args.bootstrap.bootstrap());
    let names = || players::names(&input.games);
    console.is_drawn().then(|| LiveRanking::new(names(), method, targets.players())).flatten()
}

/// Writes a report of each input, and its tables as the terminal shows them on standard output.
pub(super) fn publish_all(
    evaluated: &Evaluated,
    targets: &ReportTargets,
    args: &AnalyzeArgs,
    clock: &Clock,
    console: &Console,
) -> Result<Ending, CmdError> {
    let reports = publish(evaluated, targets, args, clock, console)?;
    print(&reports.tables)?;
    reports.empty.map_or(Ok(reports.ending), Err)
}

/// Writes a report of each input that has games.
fn publish(
    evaluated: &Evaluated,
    targets: &ReportTargets,
    args: &AnalyzeArgs,
    clock: &Clock,
    console: &Console,
) -> Result<Reports, CmdError> {
    let failed = evaluated.inputs.iter().any(|input_games| input_games.engine_failed);
    let mut reports = Reports::none(if failed { Ending::GamesFailed } else { Ending::Complete });
    for (input_games, target) in evaluated.inputs.iter().zip(&targets.each) {
        if input_games.games.is_empty() {
            reports.empty.get_or_insert_with(|| input_games.nothing_left());
            continue;
        }
        let (tables, finding) = target.write(input_games, evaluated, args, console)?;
        reports.tables += &tables;
        reports.findings.push(finding);
        report::write_run(&target.folder, &clock.run_info(evaluated, args))?;
        console.note(&format!("{}: see {}", printable(&target.name), target.folder.path().display()));
    }
    Ok(reports)
}

/// The evaluations that the command line asks for.
fn wanted(args: &AnalyzeArgs) -> Wanted<'_> {
    Wanted {
        source: &args.source,
        engine: &args.engine,
        store: &args.store,
        own_moves: args.method.engine_histogram == EngineHistogram::Own,
        reach: Reach::Search,
    }
}

fn say_how_to_go_on(args: &AnalyzeArgs, evaluated: &Evaluated, console: &Console) {
    let searched = evaluated.counts.searched;
    console.warn(&if args.store.no_store {
        format!("stopped; the {searched} positions searched are lost, since there is no store (--no-store)")
    } else {
        format!("stopped; {searched} more positions are in the store: the same command goes on from there")
    });
}

/// Finds out before the long work whether the annotated games can be written. An input is not
/// overwritten: games that are left out would be lost.
fn check_annotated(args: &AnalyzeArgs) -> Result<(), CmdError> {
    let Some(path) = &args.report.annotate else { return Ok(()) };
    let same =
        |input: &PathBuf| matches!((input.canonicalize(), path.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if pgn::files(&args.pgn)?.files.iter().any(same) {
        return Err(CmdError::Usage(format!(
            "--annotate {} would overwrite the games that are read: choose another name",
            path.display()
        )));
    }
    Ok(output::check_writable(path)?)
}

/// Finds out before the long work whether the games to be drawn are there.
fn check_drawn(inputs: &[Input], wanted: &[usize]) -> Result<(), CmdError> {
    // Reports that are made separately count their games separately.
    let read = inputs.iter().map(|input| input.read).max().unwrap_or_default();
    let is_read = |number: usize| {
        inputs.iter().flat_map(|input| &input.games).any(|game| game.source.ordinal == number)
    };
    let is_bad =
        |number: usize| inputs.iter().flat_map(|input| &input.bad).any(|bad| bad.source.ordinal == number);
    match wanted.iter().find(|&&number| !is_read(number)) {
        None => Ok(()),
        Some(number) if (1..=read).contains(number) && !is_bad(*number) => Err(CmdError::Usage(format!(
            "--game {number} cannot be drawn, since that game is not among those chosen"
        ))),
        Some(number) if (1..=read).contains(number) => Err(CmdError::Usage(format!(
            "--game {number} cannot be drawn, since that game cannot be read; there are games from 1 to {read}"
        ))),
        Some(number) => Err(CmdError::Usage(format!(
            "--game {number} is none of the games that were read: write a number from 1 to {read}"
        ))),
    }
}

fn annotate(evaluated: &Evaluated, args: &AnalyzeArgs, console: &Console) -> Result<(), CmdError> {
    let Some(path) = &args.report.annotate else { return Ok(()) };
    let judge = evaluated.engine.as_ref().map(|engine| format!("{}, {}", engine.name, args.engine.limit()));
    let games = evaluated.inputs.iter().flat_map(|input_games| &input_games.games);
    output::write_file(path, |out| {
        let written =
            games.clone().try_for_each(|game| pgn::write_game(&game.annotated(judge.as_deref()), out));
        written.map_err(|source| FileError::Write { path: path.clone(), source })
    })?;
    let left_out: usize = evaluated.inputs.iter().map(|input_games| input_games.left_out.len()).sum();
    let without = if left_out > 0 {
        format!(", without {} left out", counted(left_out as u64, "game"))
    } else {
        String::new()
    };
    console.note(&format!("annotated games: {}{without}", path.display()));
    Ok(())
}

/// The reports of one engine, and the folder above them where there are several.
pub(super) struct ReportTargets {
    pub each: Vec<ReportTarget>,
    above: Option<OutputDir>,
}

/// Where one report is made: its folder and the names that the user gave for it, checked before
/// the long work.
pub(super) struct ReportTarget {
    pub name: String,
    folder: OutputDir,
    players: Selection,
    elo: BTreeMap<String, f64>,
}

impl ReportTargets {
    /// One for each input. A name on the command line need be that of a player in one of them.
    pub fn prepare(inputs: &[Input], args: &AnalyzeArgs) -> Result<ReportTargets, CmdError> {
        let names = players::names(inputs.iter().flat_map(|input| &input.games));
        let players = selection(&names, &args.report.player)?;
        let elo = players::ratings(&names, &args.method.elo)?;
        let target = |input: &Input| -> Result<ReportTarget, CmdError> {
            Ok(ReportTarget {
                name: input.name.clone(),
                folder: OutputDir::create(folder(input, args))?,
                players: players.clone(),
                elo: elo.clone(),
            })
        };
        let each = inputs.iter().map(target).collect::<Result<_, _>>()?;
        let above = (inputs.len() > 1).then(|| OutputDir::create(above(inputs, args))).transpose()?;
        Ok(ReportTargets { each, above })
    }

    /// The players that the user wants to see.
    pub fn players(&self) -> Selection {
        self.each.first().map_or(Selection::All, |target| target.players.clone())
    }
}

/// What a report is made of.
pub(super) struct ReportInput<'a> {
    pub games: &'a [EvaluatedGame],
    /// Who evaluated them.
    pub source: EvaluationSource,
    /// What became of all games that were read.
    pub facts: GamesRead,
    /// Positions of the games that have an evaluation.
    pub positions: u64,
    /// Nodes of their evaluations, where they are known.
    pub nodes: Option<u64>,
    /// The command line behind the numbers, one element an argument.
    pub command: Vec<String>,
}

impl ReportInput<'_> {
    fn of<'a>(input_games: &'a InputGames, evaluated: &Evaluated, args: &AnalyzeArgs) -> ReportInput<'a> {
        let evaluations = input_games.games.iter().flat_map(|game| game.evaluations().iter());
        let nodes = evaluations.filter_map(|evaluation| evaluation.nodes).fold(0, u64::saturating_add);
        ReportInput {
            games: &input_games.games,
            source: source(input_games, evaluated, args),
            facts: GamesRead {
                read: input_games.read,
                analysed: input_games.games.len() as u64,
                left_out: input_games.left_out.clone(),
                choice: input_games.choice.clone(),
            },
            positions: input_games.games.iter().map(|game| game.evaluations().iter().count() as u64).sum(),
            nodes: (nodes > 0).then_some(nodes),
            command: command_line(),
        }
    }
}

impl ReportTarget {
    /// One that writes into `folder`, where `elo` overrides the tags of the games.
    pub fn new(
        name: String,
        folder: OutputDir,
        players: Selection,
        elo: BTreeMap<String, f64>,
    ) -> ReportTarget {
        ReportTarget { name, folder, players, elo }
    }

    /// Where its files are written.
    pub fn folder(&self) -> &OutputDir {
        &self.folder
    }

    /// Writes the files of a report, and gives back its tables as the terminal shows them, with
    /// what they say.
    fn write(
        &self,
        input_games: &InputGames,
        evaluated: &Evaluated,
        args: &AnalyzeArgs,
        console: &Console,
    ) -> Result<(String, EventFinding), CmdError> {
        self.publish(ReportInput::of(input_games, evaluated, args), args, console)
    }

    /// The same of games wherever they come from.
    pub fn publish(
        &self,
        input: ReportInput<'_>,
        args: &AnalyzeArgs,
        console: &Console,
    ) -> Result<(String, EventFinding), CmdError> {
        let games = input.games;
        let sample = MoveSample::of(games);
        let method = args.method.method(&args.filter, args.bootstrap.bootstrap());
        let splits: BTreeSet<Split> = args.report.split.iter().copied().collect();
        let splits: Vec<Split> = splits.into_iter().collect();
        let analysis = Analysis::of(&sample, &self.elo, &method, &splits);
        let page = PageFacts { name: self.name.clone(), command: input.command.clone() };
        let options = ReportOptions {
            page: (!args.report.no_html).then_some(page),
            plots: args.report.pictures().map_err(CmdError::Usage)?,
            games: args.report.game.iter().copied().collect(),
            caption: Caption { engine: judge(&input.source, games), filters: method.filter.names().len() },
            ..tables_of(self.players.clone(), args)
        };
        let finding =
            EventFinding::of(&self.name, one_judge(&input.source, games), games.len(), &analysis.tournament);
        let summary = summary(input, &analysis);
        if analysis.tournament.players.iter().all(|player| player.moves() == 0) {
            console.warn(&nothing_counts(&method, games));
        }
        let shown = analysis.narrowed(|player| options.players.has(player));
        report::write_all(&self.folder, &analysis, &sample, games, &options, &summary)?;
        let tables = tables::all(&shown, screen());
        Ok(if args.separately { (under_heading(&self.name, &tables), finding) } else { (tables, finding) })
    }
}

/// Why the tables are empty.
fn nothing_counts(method: &Method, games: &[EvaluatedGame]) -> String {
    let rounds: BTreeSet<&str> = games.iter().filter_map(|game| game.game().tags.get("Round")).collect();
    let rounds = match (method.filter.rounds.is_empty(), rounds.first(), rounds.last()) {
        (false, Some(first), Some(last)) if first != last => {
            format!("; the games have rounds such as {} and {}", brief(first), brief(last))
        }
        (false, Some(only), _) => format!("; the games have round {}", brief(only)),
        (false, None, _) => "; the games have no rounds".to_owned(),
        (true, ..) => String::new(),
    };
    match method.filter.names().as_slice() {
        [] => "no game has a move: the tables are empty".to_owned(),
        filters => format!("no move counts, so the tables are empty: {}{rounds}", filters.join("; ")),
    }
}

/// `reports/<name>`, or what the user wants, with a folder for each report where there are several.
fn folder(input: &Input, args: &AnalyzeArgs) -> PathBuf {
    match &args.report.table.output {
        Some(folder) if args.separately => folder.join(&input.name),
        Some(folder) => folder.clone(),
        None => input.folder(),
    }
}

/// The folder above those of several reports: `reports`, or what the user wants; with one report
/// an engine, its own.
pub(super) fn above(inputs: &[Input], args: &AnalyzeArgs) -> PathBuf {
    match (&args.report.table.output, inputs.first()) {
        (None, Some(input)) if !args.separately => folder(input, args),
        (output, _) => output.clone().unwrap_or_else(|| PathBuf::from(input::REPORTS)),
    }
}

/// Formats and players of tables, without pictures.
pub(super) fn tables_of(players: Selection, args: &AnalyzeArgs) -> ReportOptions {
    ReportOptions {
        formats: args.report.table.format.iter().copied().collect(),
        players,
        plots: BTreeSet::new(),
        games: BTreeSet::new(),
        caption: Caption::default(),
        page: None,
    }
}

/// The tables of one of several reports.
pub(super) fn under_heading(heading: &str, tables: &str) -> String {
    format!("{}\n\n{tables}\n", screen().bold(&printable(heading)))
}

pub(super) fn selection(names: &BTreeSet<String>, wanted: &[String]) -> Result<Selection, CmdError> {
    if wanted.is_empty() {
        return Ok(Selection::All);
    }
    let mut players = BTreeSet::new();
    for name in wanted {
        players.extend(players::matching(names, name)?.into_iter().map(str::to_owned));
    }
    Ok(Selection::Only(players.into_iter().collect()))
}

fn source(input_games: &InputGames, evaluated: &Evaluated, args: &AnalyzeArgs) -> EvaluationSource {
    match evaluated.engine.as_ref().filter(|_| input_games.searched > 0) {
        None => EvaluationSource::Recorded,
        Some(engine) => EvaluationSource::Engine {
            engine: EngineFacts {
                name: engine.name.clone(),
                digest: Some(engine.digest.clone()),
                options: engine.options.clone(),
            },
            protocol: ProtocolFacts::from(args.engine.protocol()),
            recorded_games: input_games.recorded,
        },
    }
}

/// Who evaluated, for the pictures.
fn judge(source: &EvaluationSource, games: &[EvaluatedGame]) -> String {
    match source {
        EvaluationSource::Engine { engine, protocol, .. } => format!("{}, {}", engine.name, protocol.limit),
        EvaluationSource::Recorded => match recorded_judge(games) {
            Some(judge) => format!("recorded evaluations, {judge}"),
            None => "recorded evaluations".to_owned(),
        },
    }
}

/// The one whom all games name that name any.
fn recorded_judge(games: &[EvaluatedGame]) -> Option<&str> {
    let judges: BTreeSet<&str> = games.iter().filter_map(|game| game.game().tags.get(JUDGE)).collect();
    judges.first().copied().filter(|_| judges.len() == 1)
}

/// Who evaluated all games, whether now or when they were recorded.
fn one_judge(source: &EvaluationSource, games: &[EvaluatedGame]) -> Option<String> {
    match source {
        EvaluationSource::Engine { recorded_games: 0, .. } => Some(judge(source, games)),
        EvaluationSource::Engine { .. } => None,
        EvaluationSource::Recorded => recorded_judge(games).map(str::to_owned),
    }
}

fn summary(input: ReportInput<'_>, analysis: &Analysis) -> Summary {
    let ReportInput { source, facts, positions, nodes, .. } = input;
    Summary::of(analysis, SummaryFacts { evaluations: source, games: facts, positions, nodes })
}

/// When the run began.
pub(super) struct Clock {
    started: SystemTime,
    start: Instant,
}

impl Clock {
    pub fn start() -> Clock {
        Clock { started: SystemTime::now(), start: Instant::now() }
    }

    pub fn run_info(&self, evaluated: &Evaluated, args: &AnalyzeArgs) -> RunInfo {
        let SearchCounts { stored, searched, nodes, busy, wall } = evaluated.counts;
        let own = evaluated.own_moves;
        let own_moves = OwnMoves { evaluated: own.stored + own.searched, searched: own.searched };
        let per_second = |amount: f64, time: Duration| amount / time.as_secs_f64();
        RunInfo {
            command: command_line(),
            started: DateTime::<Utc>::from(self.started).to_rfc3339_opts(SecondsFormat::Secs, true),
            wall_seconds: self.start.elapsed().as_secs_f64(),
            searches: Searches {
                made: searched,
                from_store: stored,
                recorded: evaluated.recorded,
                own_moves,
            },
            nodes_per_second: (searched > 0).then(|| per_second(nodes as f64, wall)),
            engine_busy_share: (searched > 0)
                .then(|| per_second(busy.as_secs_f64(), wall) / args.engine.jobs() as f64),
            remade: None,
        }
    }
}
