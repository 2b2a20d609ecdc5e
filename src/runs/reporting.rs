//! Owns the making of reports: of each tournament that a run is about its files, and its tables as the terminal
//! shows them.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use super::{
    Finished, LiveRanking, RunEnding, RunError, Viewer, events,
    origin::{judge, one_judge, search_facts, source, the_judge},
    rated_file,
};
use crate::{
    app::{
        Advice,
        evaluations::{self, Evaluated},
        plan::{Plan, ReportPlan, StorePlan, TablePlan, TerminalTables},
        players::{self, PlayerSelection},
        rated::{NoRating, RatedPlay},
        reading::{self, Input},
    },
    evaluated_game::EvaluatedGame,
    formats::facts::{EvaluationSource, GamesRead, SearchFacts},
    game::Game,
    judgement,
    output::{FileBeside, FileError, OutputFolder, RunClock, RunKind, RunRecord, command_line},
    pgn,
    quality::{CalibratedGames, QualityOfPlay, standings},
    report::{
        self, PageFacts, ReportError, ReportOptions, plots::Caption, summary::SummaryFacts, table::Screen,
        tables, words,
    },
    text::{counted, full_path, printable},
    tournament::{Analysis, Method, MoveSample, agreement::EventFinding, filter::Split},
};

/// What came of the reports of one engine.
pub struct Reports {
    /// As the terminal shows them.
    pub tables: String,
    /// What they say, report by report.
    pub findings: Vec<EventFinding>,
    /// The page of each report, or its folder where it has no page.
    pub pages: Vec<PathBuf>,
    /// Why there is none of an of the first one without.
    pub empty: Option<RunError>,
    /// How it ended.
    pub ending: RunEnding,
}

impl Reports {
    /// Returns no reports yet.
    pub fn none(ending: RunEnding) -> Reports {
        Reports { tables: String::new(), findings: Vec::new(), pages: Vec::new(), empty: None, ending }
    }
}

impl From<Reports> for Finished {
    fn from(reports: Reports) -> Finished {
        let [report] = reports.pages.as_slice() else {
            let Reports { tables, ending, empty: failure, .. } = reports;
            return Finished { tables, ending, failure, report: None };
        };
        let report = Some(report.clone());
        Finished { tables: reports.tables, ending: reports.ending, failure: reports.empty, report }
    }
}

/// Evaluates the games of all inputs and writes a report of each.
pub fn report(
    inputs: Vec<Input>,
    targets: &ReportTargets,
    plan: &Plan,
    clock: &RunClock,
    viewer: &mut dyn Viewer,
) -> Result<Reports, RunError> {
    viewer.rank(&mut || live_ranking(&inputs, targets, plan));
    let evaluated = evaluations::evaluate(inputs, &plan.evaluations, viewer)?;
    if evaluated.interrupted {
        say_how_to_go_on(plan, &evaluated, viewer);
        return Ok(Reports::none(RunEnding::Interrupted));
    }
    let mut reports = publish(&evaluated, targets, plan, clock, viewer)?;
    if let Some(above) = &targets.above {
        reports.tables += &events::report(&reports.findings, above, clock, plan, viewer)?;
    }
    Ok(reports)
}

/// Returns the ranking that is shown during a search; of one tournament only, since places are places in one.
fn live_ranking(inputs: &[Input], targets: &ReportTargets, plan: &Plan) -> Option<LiveRanking> {
    let [input] = inputs else { return None };
    let ranked_from = plan.report.ranked_from;
    let method = plan.method.clone();
    LiveRanking::new(players::names(&input.games), method, targets.players(), ranked_from)
}

/// Writes a report of each input that has games, and the games with their evaluations where these are wanted.
pub fn publish(
    evaluated: &Evaluated,
    targets: &ReportTargets,
    plan: &Plan,
    clock: &RunClock,
    viewer: &dyn Viewer,
) -> Result<Reports, RunError> {
    let has_games = evaluated.inputs.iter().any(|input_games| !input_games.games.is_empty());
    let beside = if has_games { annotate(evaluated, plan, viewer)? } else { None };
    let failed = evaluated.inputs.iter().any(|input_games| input_games.engine_failed);
    let mut reports = Reports::none(if failed { RunEnding::GamesFailed } else { RunEnding::Complete });
    for (place, (input_games, target)) in evaluated.inputs.iter().zip(&targets.each).enumerate() {
        if input_games.games.is_empty() {
            reports.empty.get_or_insert_with(|| input_games.nothing_left().into());
            continue;
        }
        let input = ReportInput { beside: beside.clone(), ..ReportInput::of(place, evaluated, plan) };
        let run = || clock.record(RunKind::Report, search_facts(evaluated, plan));
        let (tables, finding) = target.publish(input, run, plan, viewer)?;
        reports.tables += &tables;
        reports.findings.push(finding);
        reports.pages.push(target.page(plan));
        if targets.each.len() > 1 {
            viewer.note(&format!("{}: see {}", printable(&target.name), full_path(&target.page(plan))));
        }
    }
    Ok(reports)
}

pub fn say_how_to_go_on(plan: &Plan, evaluated: &Evaluated, viewer: &dyn Viewer) {
    let searched = evaluated.counts.searched;
    match plan.evaluations.store {
        StorePlan::Nowhere => viewer.warn_with(
            &format!("stopped; the {searched} positions searched are lost, since there is no store"),
            Advice::KeepAStore,
        ),
        _ => viewer.warn(&format!(
            "stopped; {searched} more positions are in the store: the same command goes on from there"
        )),
    }
}

/// Writes the games of all inputs with their evaluations into one file, where that is wanted.
fn annotate(evaluated: &Evaluated, plan: &Plan, viewer: &dyn Viewer) -> Result<Option<FileBeside>, RunError> {
    let Some(path) = &plan.report.annotated else { return Ok(None) };
    let judge = evaluated
        .engine
        .as_ref()
        .map(|engine| format!("{}, {}", engine.name, plan.evaluations.protocol.brief()));
    let games = evaluated.inputs.iter().flat_map(|input_games| &input_games.games);
    let file = FileBeside::write(path, |out| {
        let written =
            games.clone().try_for_each(|game| pgn::write_game(&judged(game, judge.as_deref()), out));
        written.map_err(|source| FileError::Write { path: path.clone(), source })
    })?;
    let left_out: u64 = evaluated.inputs.iter().map(|input_games| input_games.left_out.count()).sum();
    let without = if left_out > 0 {
        format!(", without {} left out", counted(left_out, "game"))
    } else {
        String::new()
    };
    viewer.note(&format!("annotated games: {}{without}", full_path(path)));
    Ok(Some(file))
}

/// Returns the game with its evaluations and with what is wrong with its moves.
fn judged(evaluated: &EvaluatedGame, judge: Option<&str>) -> Game {
    let mut game = evaluated.annotated(judge);
    judgement::notes::add_judgements(&mut game, evaluated);
    game
}

/// The reports of one engine, and the folder above them where there are several.
pub struct ReportTargets {
    pub each: Vec<ReportTarget>,
    above: Option<OutputFolder>,
}

/// Where one report is made: its folder and the names that the user gave for it, checked before
/// the long work.
pub struct ReportTarget {
    pub name: String,
    folder: OutputFolder,
    players: PlayerSelection,
    elo: BTreeMap<String, f64>,
}

impl ReportTargets {
    /// Prepares a target for each input. A name on the command line need be that of a player in one of them.
    pub fn prepare(inputs: &[Input], plan: &Plan) -> Result<ReportTargets, RunError> {
        let names = players::names(inputs.iter().flat_map(|input| &input.games));
        let players = PlayerSelection::of_names(&names, &plan.report.players)?;
        let elo = players::ratings(&names, &plan.elo)?;
        let target = |input: &Input| -> Result<ReportTarget, RunError> {
            Ok(ReportTarget {
                name: input.name.clone(),
                folder: claim(folder(input, plan), &input.games, &players, plan)?,
                players: players.clone(),
                elo: elo.clone(),
            })
        };
        let each = inputs.iter().map(target).collect::<Result<_, _>>()?;
        let above = (inputs.len() > 1)
            .then(|| events::claim(above(inputs, plan), &plan.report.tables))
            .transpose()?;
        Ok(ReportTargets { each, above })
    }

    /// Returns the players that the user wants to see.
    pub fn players(&self) -> PlayerSelection {
        self.each.first().map_or(PlayerSelection::All, |target| target.players.clone())
    }
}

/// What a report is made of.
pub struct ReportInput<'a> {
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
    /// The games as a calibration asks for them, or in words why there are no ratings of play.
    pub rated: Result<CalibratedGames<'a>, Option<String>>,
    /// What the run has written outside of the folder.
    pub beside: Option<FileBeside>,
}

impl ReportInput<'_> {
    /// Returns the one at `place` among the inputs.
    fn of<'a>(place: usize, evaluated: &'a Evaluated, plan: &Plan) -> ReportInput<'a> {
        let input_games = &evaluated.inputs[place];
        let evaluations = input_games.games.iter().flat_map(|game| game.evaluations().iter());
        let nodes = evaluations.filter_map(|evaluation| evaluation.nodes).fold(0, u64::saturating_add);
        ReportInput {
            games: &input_games.games,
            source: source(input_games, evaluated, plan),
            facts: GamesRead {
                read: input_games.read,
                analysed: input_games.games.len() as u64,
                left_out: input_games.left_out.first().to_vec(),
                left_out_by_reason: input_games.left_out.kinds().clone(),
                choice: input_games.choice.clone(),
            },
            positions: input_games.games.iter().map(|game| game.evaluations().iter().count() as u64).sum(),
            nodes: (nodes > 0).then_some(nodes),
            command: command_line(),
            rated: calibrated(&evaluated.rated, place),
            beside: None,
        }
    }
}

impl ReportTarget {
    /// Returns a target that writes into `folder`, where `elo` overrides the tags of the games.
    pub fn new(
        name: String,
        folder: OutputFolder,
        players: PlayerSelection,
        elo: BTreeMap<String, f64>,
    ) -> ReportTarget {
        ReportTarget { name, folder, players, elo }
    }

    /// Returns where its files are written.
    pub fn folder(&self) -> &OutputFolder {
        &self.folder
    }

    /// Returns its page, or its folder where it has no page.
    pub fn page(&self, plan: &Plan) -> PathBuf {
        match plan.report.page {
            true => self.folder.path().join(report::PAGE),
            false => self.folder.path().to_owned(),
        }
    }

    /// Writes the files of a report with the record of the `run` that ends with it, and gives back its tables as
    /// the terminal shows them, with what they say.
    pub fn publish(
        &self,
        input: ReportInput<'_>,
        run: impl FnOnce() -> RunRecord<SearchFacts>,
        plan: &Plan,
        viewer: &dyn Viewer,
    ) -> Result<(String, EventFinding), RunError> {
        let (games, beside) = (input.games, input.beside.clone());
        let sample = MoveSample::of(games);
        let splits: Vec<Split> = plan.report.splits.iter().copied().collect();
        let analysis = Analysis::of(&sample, &self.elo, &plan.method, &splits);
        let page =
            PageFacts { name: self.name.clone(), command: input.command.clone(), reload: plan.report.reload };
        let options = ReportOptions {
            page: plan.report.page.then_some(page),
            caption: Caption {
                engine: judge(&input.source, games),
                filters: plan.method.filter.names().len(),
            },
            ..report_options(self.players.clone(), &plan.report)
        };
        let finding =
            EventFinding::of(&self.name, one_judge(&input.source, games), games.len(), &analysis.tournament);
        let ReportInput { source, facts, positions, nodes, rated, .. } = input;
        let calibrated = rated.as_ref().ok().copied();
        let ranked_from = plan.report.ranked_from;
        let quality = QualityOfPlay::of((&sample, games), rated, &self.elo, &plan.method, ranked_from);
        let warning = words::judge::warning(&the_judge(&source, games).unwrap_or_default());
        let facts = SummaryFacts { evaluations: source, warning, games: facts, positions, nodes };
        if analysis.tournament.players.iter().all(|player| player.moves() == 0) {
            viewer.warn(&nothing_counts(&plan.method));
        } else if analysis.tournament.engine_strength.is_none() && plan.report.shown.has_paper() {
            match words::tournament::without_strength(&analysis.tournament) {
                words::tournament::UNRATED => {
                    viewer.note_with(words::tournament::UNRATED, Advice::GiveElo);
                }
                several => viewer.note(several),
            }
        }
        let shown = analysis.narrowed(|player| options.players.has(player));
        let out = self
            .folder
            .publication()?
            .saying("engine", options.caption.engine.clone())
            .saying("method", serde_json::to_string(&plan.method).map_err(ReportError::Json)?)
            .saying("filters", plan.method.filter.names().join("; "));
        report::write_all(&out, (&analysis, &quality), &sample, games, &options, &facts)?;
        // Where they are the games of the report, the report has them already.
        if let Some(calibrated) = calibrated.filter(|calibrated| calibrated.games != games) {
            rated_file::write(&out, calibrated)?;
        }
        beside.iter().for_each(|file| out.list_beside(file));
        super::say_removed(&out.finish(&run())?, viewer);
        let ranked = quality.narrowed(|player| options.players.has(player));
        let screen = viewer.screen();
        let summary = || {
            let mut standings = standings(&quality, &analysis, &sample);
            standings.retain(|standing| options.players.has(&standing.quality.player));
            // Of chosen players the table alone: what is said of the field is about the others too.
            let field = (options.players == PlayerSelection::All).then_some(&quality);
            tables::summary(field, &ranked, &standings, facts.warning.as_deref(), screen)
        };
        let tables = match plan.report.shown {
            TerminalTables::Summary => tables::with_splits(summary(), &shown, screen),
            TerminalTables::Paper => tables::paper(&shown.tournament, screen),
            TerminalTables::All => tables::all(summary(), &shown, &ranked, screen),
            TerminalTables::None => String::new(),
        };
        Ok(if plan.separately {
            (under_heading(&self.name, &tables, viewer.screen()), finding)
        } else {
            (tables, finding)
        })
    }
}

/// Returns the games of the input at `place` as a calibration asks for them, or in words why there are none.
pub fn calibrated(
    rated: &Result<RatedPlay, NoRating>,
    place: usize,
) -> Result<CalibratedGames<'_>, Option<String>> {
    match rated {
        Ok(RatedPlay { calibration, inputs }) => {
            Ok(CalibratedGames { games: inputs.get(place).map_or(&[], Vec::as_slice), calibration })
        }
        Err(NoRating::NotWanted) => Err(None),
        Err(reason) => Err(Some(reason.to_string())),
    }
}

/// Tells why the tables are empty.
fn nothing_counts(method: &Method) -> String {
    match method.filter.names().as_slice() {
        [] => "no game has a move: the tables are empty".to_owned(),
        filters => format!("no move counts, so the tables are empty: {}", filters.join("; ")),
    }
}

/// Returns `reports/<name>`, or what the user wants, with a folder for each report where there are several.
fn folder(input: &Input, plan: &Plan) -> PathBuf {
    match &plan.report.tables.output {
        Some(folder) if plan.separately => folder.join(&input.name),
        Some(folder) => folder.clone(),
        None => input.folder(),
    }
}

/// Returns the folder above those of several reports: `reports`, or what the user wants; with one report
/// an engine, its own.
pub fn above(inputs: &[Input], plan: &Plan) -> PathBuf {
    match (&plan.report.tables.output, inputs.first()) {
        (None, Some(input)) if !plan.separately => folder(input, plan),
        (output, _) => output.clone().unwrap_or_else(|| PathBuf::from(reading::REPORTS)),
    }
}

/// Claims the folder of a report of `games`, with its `players` and the options of `plan`.
pub fn claim<'g>(
    path: PathBuf,
    games: impl IntoIterator<Item = &'g Game>,
    players: &PlayerSelection,
    plan: &Plan,
) -> Result<OutputFolder, RunError> {
    let options = report_options(players.clone(), &plan.report);
    let players = players::names(games);
    let names = report::file_names(&options, players.iter().map(String::as_str));
    let names = names.into_iter().chain([rated_file::NAME.to_owned()]);
    Ok(plan.report.tables.claim(path, RunKind::Report, names)?)
}

/// Returns all that a report shows but for what its games tell.
fn report_options(players: PlayerSelection, plan: &ReportPlan) -> ReportOptions {
    ReportOptions {
        page: plan.page.then(PageFacts::default),
        plots: plan.pictures.clone(),
        games: plan.games.iter().copied().collect(),
        ..tables_of(players, &plan.tables)
    }
}

/// Returns formats and players of tables, without pictures.
pub fn tables_of(players: PlayerSelection, tables: &TablePlan) -> ReportOptions {
    ReportOptions {
        formats: tables.formats.clone(),
        players,
        plots: BTreeSet::new(),
        games: BTreeSet::new(),
        caption: Caption::default(),
        page: None,
    }
}

/// Returns the tables of one of several reports.
pub fn under_heading(heading: &str, tables: &str, screen: Screen) -> String {
    format!("{}\n\n{tables}\n", screen.bold(&printable(heading)))
}
