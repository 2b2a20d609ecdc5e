//! A run with several judges, which are engines or PGN files with evaluations. Each judge evaluates the same
//! games and has its own report; the panel then combines the judges' results.

use std::{collections::BTreeSet, path::Path, path::PathBuf};

use super::{
    Finished, RunEnding, Viewer, report_folder::ReportSearch, report_target::under_heading,
    reporting::ReportTargets, reporting::Reports, reporting::report,
};
use crate::base::output::{NoFacts, OutputFolder, RunClock, RunKind, command_line};
use crate::base::text::{counted, full_path, printable};
use crate::chess::EvaluatedGame;
use crate::engine::{EngineChoice, Purpose};
use crate::files::{FileNames, NameSuffix, UniqueNames};
use crate::measure::Panel;
use crate::report::{
    kinds::several, kinds::several::EngineOfRun, kinds::several::PanelRun,
    kinds::several::tables::EventPanel, kinds::several::words::LeftPanel, publish::PAGE, writing::publish,
};
use crate::verbs::{
    args::TerminalTables, error::ErrorKind, error::Result, error::VerbError, input::Input, input::REPORTS,
    input::recording::Recording, plan::EnginePlan, plan::EvaluationsFrom, plan::fitness, runs::JudgeChoice,
    runs::Plan,
};

/// The end of a panel folder's name. The word distinguishes the folder from the report of a single judge.
const PANEL: &str = "panel";

struct JudgeRun {
    /// The user's label or the `id name` of the engine, or the judge of a recording. A number follows if an
    /// earlier judge has the same label.
    label: String,
    folder: String,
    plan: Plan,
    targets: ReportTargets,
    /// The games with the evaluations of a recording; `None` for an engine, which searches them.
    recorded: Option<Vec<Input>>,
}

pub fn run(inputs: &[Input], plan: &Plan, clock: &RunClock, viewer: &mut dyn Viewer) -> Result<Finished> {
    let above = folder(inputs, plan);
    let runs = identify_judges(inputs, plan, &above, viewer)?;
    let names = several::PANEL.file_names(&plan.report.formats(), []);
    let folder = plan.report.table.claim(above, RunKind::Panel, names)?;
    note_all_searched(inputs, plan, viewer);
    let mut reports = Vec::new();
    for judge_run in &runs {
        let report = judge_run.report(inputs, clock, viewer)?;
        if report.finished.ending == RunEnding::Interrupted {
            return Ok(Finished::new(String::new(), RunEnding::Interrupted));
        }
        reports.push(report);
    }
    if reports.iter().all(|report| report.findings.is_empty()) {
        return Err(VerbError::nothing_left());
    }
    let is_complete = reports.iter().all(|report| report.finished.ending == RunEnding::Complete);
    let ending = RunEnding::of(false, !is_complete);
    let each: Vec<String> =
        runs.iter().zip(&reports).map(|(run, report)| run.tables(report, viewer)).collect();
    let panels = panels(&runs, &mut reports, plan);
    if panels.is_empty() {
        viewer.warn("nothing to compare: no two engines have a report of the same games");
        return Ok(Finished::new(each.concat(), ending));
    }
    let engines = runs.iter().zip(&reports).map(|(judge_run, report)| EngineOfRun {
        engine: judge_run.label.clone(),
        folder: judge_run.folder.clone(),
        failed: report.finished.failure.as_ref().map(VerbError::to_string),
    });
    let (engines, players) = (engines.collect::<Vec<_>>(), runs[0].targets.players());
    let panel_run = PanelRun {
        title: &inputs[0].name,
        engines: &engines,
        panels: &panels,
        method: &plan.method,
        players: &players,
        command: &command_line(),
    };
    write(&panel_run, &folder, clock, plan, viewer)?;
    // The judges' own tables are many. Each is in the report of its judge.
    let each = if plan.report.terminal.tables == TerminalTables::All { each.concat() } else { String::new() };
    let tables = each + &shown(&panel_run, plan, viewer);
    let page = (!plan.report.shown.no_html && !plan.separately).then(|| folder.path().join(PAGE));
    Ok(Finished { report: page, ..Finished::new(tables, ending) })
}

/// Returns the folder of the panel, which contains the folders of its judges.
fn folder(inputs: &[Input], plan: &Plan) -> PathBuf {
    match (&plan.report.table.output, inputs) {
        (Some(folder), _) => folder.clone(),
        (None, [input]) if !plan.separately => input.folder_of(PANEL),
        (None, _) => PathBuf::from(REPORTS).join(PANEL),
    }
}

/// Identifies every judge and makes its folders, before the long work of the first judge.
fn identify_judges(
    inputs: &[Input],
    plan: &Plan,
    above: &Path,
    viewer: &dyn Viewer,
) -> Result<Vec<JudgeRun>> {
    let mut labels = UniqueNames::new(NameSuffix::Parentheses);
    let mut folders = FileNames::for_each("engine");
    let mut runs = Vec::new();
    for judge in &plan.judges {
        let (name, label, recorded) = match judge {
            JudgeChoice::Engine(choice, label) => {
                let name = identify_engine(choice, inputs, plan)?;
                (name.clone(), label.clone().unwrap_or(name), None)
            }
            JudgeChoice::Recorded(path) => {
                let recording = Recording::read(path, viewer)?;
                (recording.judge(), recording.judge(), Some(recording.judged(inputs, viewer)?))
            }
        };
        let label = labels.take(&label);
        let folder = folders.file_name_for(&label);
        let plan = plan.with_judge(judge, above.join(&folder));
        plan.evaluations.check()?;
        let limit = plan.evaluations.protocol.limit;
        let search = recorded.is_none().then(|| ReportSearch { engine: name.clone(), label: None, limit });
        let targets = ReportTargets::prepare(inputs, &plan, search.as_ref())?;
        runs.push(JudgeRun { label, folder, targets, plan, recorded });
    }
    Ok(runs)
}

fn identify_engine(choice: &EngineChoice, inputs: &[Input], plan: &Plan) -> Result<String> {
    let engine = EnginePlan { choice: choice.clone(), ..plan.evaluations.engine.clone() };
    let identity = engine.identify()?;
    let modes = inputs.iter().flat_map(|input| &input.games).map(|game| game.mode);
    fitness::check_variants(modes, [&identity], Purpose::Analysis)?;
    Ok(identity.name)
}

fn note_all_searched(inputs: &[Input], plan: &Plan, viewer: &dyn Viewer) {
    let games = inputs.iter().flat_map(|input| &input.games);
    let recorded = games.filter(|game| game.moves.iter().any(|played| played.eval.is_some())).count() as u64;
    if recorded > 0 && plan.evaluations.from == EvaluationsFrom::Auto {
        viewer.note(&format!(
            "[%eval] comments of {} are not used, because each engine searches all games; to compare with \
             recorded evaluations, add --engine FILE.pgn",
            counted(recorded, "game")
        ));
    }
}

impl JudgeRun {
    /// Returns the judge's reports. If the judge's engine cannot be used, or fails on every game, there are
    /// no reports, and the other judges continue.
    fn report(&self, inputs: &[Input], clock: &RunClock, viewer: &mut dyn Viewer) -> Result<Reports> {
        let inputs = self.recorded.clone().unwrap_or_else(|| inputs.to_vec());
        let reports = match report(inputs, &self.targets, &self.plan, clock, viewer) {
            Err(error) if *error.kind() == ErrorKind::Engine => {
                let mut none = Reports::none(RunEnding::GamesFailed);
                none.finished.failure = Some(error);
                none
            }
            other => other?,
        };
        if let Some(error) = &reports.finished.failure {
            let judge = printable(&self.label);
            viewer.warn(&match reports.findings.is_empty() {
                true => format!("no report by {judge}: {error}"),
                false => format!("some reports by {judge} are missing: {error}"),
            });
        }
        Ok(reports)
    }

    fn tables(&self, report: &Reports, viewer: &dyn Viewer) -> String {
        match report.finished.tables.as_str() {
            "" => String::new(),
            tables => under_heading(&self.label, tables, viewer.screen()),
        }
    }
}

fn write(
    panel_run: &PanelRun<'_>,
    folder: &OutputFolder,
    clock: &RunClock,
    plan: &Plan,
    viewer: &dyn Viewer,
) -> Result<()> {
    let out = folder.publication()?;
    publish(&several::panel(panel_run), &out, &plan.report.formats())?;
    super::report_removed(&out.finish(&clock.record(RunKind::Panel, NoFacts::default()))?, viewer);
    viewer.note(&format!(
        "panel of engines: see {}; each engine's own report is in a subfolder",
        full_path(folder.path())
    ));
    Ok(())
}

fn shown(panel_run: &PanelRun<'_>, plan: &Plan, viewer: &dyn Viewer) -> String {
    let tables = match plan.report.terminal.tables {
        TerminalTables::None => return String::new(),
        TerminalTables::Summary => [true, false],
        TerminalTables::Paper => [false, true],
        TerminalTables::All => [true, true],
    };
    let screen = viewer.screen();
    let shown = panel_run.panels.iter().map(|one| {
        let text = several::panel_text(panel_run, one, tables, screen);
        one.event.as_ref().map_or_else(|| text.clone(), |event| under_heading(event, &text, screen))
    });
    shown.collect()
}

fn panels(runs: &[JudgeRun], reports: &mut [Reports], plan: &Plan) -> Vec<EventPanel> {
    let Some(first) = runs.first() else { return Vec::new() };
    let of_event = |(place, target): (usize, &super::report_target::ReportTarget)| {
        let judged = runs.iter().zip(reports.iter_mut()).map(|(judge_run, report)| {
            let games = report.games.get_mut(place).map(std::mem::take).unwrap_or_default();
            (judge_run.label.as_str(), games, report.finished.failure.as_ref().map(VerbError::to_string))
        });
        let Seats { judges, most_games, left_panel } = Seats::of(judged.collect());
        let games: Vec<(&str, &[EvaluatedGame])> =
            judges.iter().map(|(label, games)| (*label, games.as_slice())).collect();
        (games.len() > 1).then(|| EventPanel {
            event: plan.separately.then(|| target.name.clone()),
            panel: Panel::of(&games, &target.elo, &plan.method),
            most_games,
            left_panel,
        })
    };
    first.targets.each.iter().enumerate().filter_map(of_event).collect()
}

/// The judges of a panel, with the games that all of them evaluated.
struct Seats<'a> {
    judges: Vec<(&'a str, Vec<EvaluatedGame>)>,
    most_games: usize,
    left_panel: Vec<LeftPanel>,
}

impl<'a> Seats<'a> {
    /// Chooses the judges of the panel. `judged` has the label, the games and the failure of each judge. A
    /// judge with fewer than half as many games as another judge leaves the panel, because a game counts only
    /// if all judges evaluated it.
    fn of(judged: Vec<(&'a str, Vec<EvaluatedGame>, Option<String>)>) -> Seats<'a> {
        let most_games = judged.iter().map(|(_, games, _)| games.len()).max().unwrap_or_default();
        let (mut judges, mut left_panel) = (Vec::new(), Vec::new());
        for (label, games, failure) in judged {
            let few = games.len();
            if few > 0 && 2 * few >= most_games {
                judges.push((label, games));
                continue;
            }
            let counts = || format!("it evaluated {few} of {}", counted(most_games as u64, "game"));
            left_panel.push(LeftPanel { judge: label.to_owned(), reason: failure.unwrap_or_else(counts) });
        }
        let numbers = |games: &[EvaluatedGame]| -> BTreeSet<usize> {
            games.iter().map(|game| game.game().source.ordinal).collect()
        };
        let common =
            judges.iter().map(|(_, games)| numbers(games)).reduce(|a, b| &a & &b).unwrap_or_default();
        for (_, games) in &mut judges {
            games.retain(|game| common.contains(&game.game().source.ordinal));
        }
        judges.retain(|(_, games)| !games.is_empty());
        Seats { judges, most_games, left_panel }
    }
}
