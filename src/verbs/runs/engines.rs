//! Owns a run with several engines: each in turn on the same games, then all of them side by side.

use super::{
    Finished, RunEnding, Viewer, report_folder::ReportSearch, report_target::under_heading,
    reporting::ReportTargets, reporting::Reports, reporting::above, reporting::report,
};
use crate::chess::text::{counted, full_path, printable};
use crate::engine::Purpose;
use crate::files::{FileNames, NameSuffix, NoFacts, OutputFolder, RunClock, RunKind, UniqueNames};
use crate::measure::{EngineComparison, EventFinding};
use crate::report::{
    publish::publish, several, several::EngineOfRun, tables, tables::several::EventComparison,
};
use crate::verbs::{
    app::fitness, app::plan::EnginePlan, app::plan::EvaluationsFrom, app::plan::Plan, app::reading::Input,
    error::ErrorKind, error::VerbError,
};

struct EngineRun {
    /// Its `id name`, with a number where an earlier one has that name.
    label: String,
    folder: String,
    plan: Plan,
    targets: ReportTargets,
}

pub fn run(
    inputs: &[Input],
    plan: &Plan,
    clock: &RunClock,
    viewer: &mut dyn Viewer,
) -> Result<Finished, VerbError> {
    let runs = identify_engines(inputs, plan)?;
    let tables = &plan.report.table;
    let names = several::ENGINES.file_names(&tables.formats(), []);
    let folder = tables.claim(above(inputs, plan), RunKind::Comparison, names)?;
    say_that_all_are_searched(inputs, plan, viewer);
    let mut reports = Vec::new();
    for engine_run in &runs {
        let report = engine_run.report(inputs, clock, viewer)?;
        if report.finished.ending == RunEnding::Interrupted {
            return Ok(Finished::new(String::new(), RunEnding::Interrupted));
        }
        reports.push(report);
    }
    if reports.iter().all(|report| report.findings.is_empty()) {
        return Err(VerbError::nothing_left());
    }
    let mut shown = String::new();
    for (engine_run, report) in
        runs.iter().zip(&reports).filter(|(_, report)| !report.finished.tables.is_empty())
    {
        shown += &under_heading(&engine_run.label, &report.finished.tables, viewer.screen());
    }
    shown += &compare(&runs, &reports, &folder, clock, plan, viewer)?;
    let complete = reports.iter().all(|report| report.finished.ending == RunEnding::Complete);
    Ok(Finished::new(shown, if complete { RunEnding::Complete } else { RunEnding::GamesFailed }))
}

/// Meets every engine and makes its folders, before the long work of the first.
fn identify_engines(inputs: &[Input], plan: &Plan) -> Result<Vec<EngineRun>, VerbError> {
    let mut labels = UniqueNames::new(NameSuffix::Parentheses);
    let mut folders = FileNames::for_each("engine");
    let mut runs = Vec::new();
    for choice in &plan.engines {
        let engine = EnginePlan { choice: choice.clone(), ..plan.evaluations.engine.clone() };
        let identity = engine.identify()?;
        let modes = inputs.iter().flat_map(|input| &input.games).map(|game| game.mode);
        fitness::check_variants(modes, [&identity], Purpose::Analysis)?;
        let label = labels.take(&identity.name);
        let folder = folders.file_name_for(&label);
        let plan = plan.with_engine(choice.clone(), above(inputs, plan).join(&folder));
        let search = ReportSearch { engine: identity.name, limit: plan.evaluations.protocol.limit };
        let targets = ReportTargets::prepare(inputs, &plan, Some(&search))?;
        runs.push(EngineRun { label, folder, targets, plan });
    }
    Ok(runs)
}

fn say_that_all_are_searched(inputs: &[Input], plan: &Plan, viewer: &dyn Viewer) {
    let games = inputs.iter().flat_map(|input| &input.games);
    let recorded = games.filter(|game| game.moves.iter().any(|played| played.eval.is_some())).count() as u64;
    if recorded > 0 && plan.evaluations.from == EvaluationsFrom::Auto {
        viewer.note(&format!(
            "[%eval] comments of {} are not used: they are those of one judge, and each of the engines searches all \
             games",
            counted(recorded, "game")
        ));
    }
}

impl EngineRun {
    /// Returns its reports; an engine that fails as a whole has none, and the others go on.
    fn report(
        &self,
        inputs: &[Input],
        clock: &RunClock,
        viewer: &mut dyn Viewer,
    ) -> Result<Reports, VerbError> {
        let reports = report(inputs.to_vec(), &self.targets, &self.plan, clock, viewer);
        let reports = match reports {
            Err(error) if *error.kind() == ErrorKind::Engine => {
                let mut none = Reports::none(RunEnding::GamesFailed);
                none.finished.failure = Some(error);
                none
            }
            other => other?,
        };
        if let Some(error) = &reports.finished.failure {
            let what = if reports.findings.is_empty() { "no report" } else { "not every report" };
            viewer.warn(&format!("{what} by {}: {error}", printable(&self.label)));
        }
        Ok(reports)
    }
}

/// Writes what the engines say side by side into `folder`, and gives it back as the terminal shows
/// it.
fn compare(
    runs: &[EngineRun],
    reports: &[Reports],
    folder: &OutputFolder,
    clock: &RunClock,
    plan: &Plan,
    viewer: &dyn Viewer,
) -> Result<String, VerbError> {
    let comparisons = comparisons(runs, reports, plan);
    if comparisons.is_empty() {
        viewer.warn("nothing to compare: no two engines have a report of the same games");
        return Ok(String::new());
    }
    let players = runs[0].targets.players();
    let engines = runs.iter().zip(reports).map(|(engine_run, report)| EngineOfRun {
        engine: engine_run.label.clone(),
        folder: engine_run.folder.clone(),
        failed: report.finished.failure.as_ref().map(VerbError::to_string),
    });
    let out = folder.publication()?;
    let report = several::engines(&engines.collect::<Vec<_>>(), &comparisons, &plan.method, &players);
    publish(&report, &out, &plan.report.formats())?;
    super::say_removed(&out.finish(&clock.record(RunKind::Comparison, NoFacts::default()))?, viewer);
    viewer.note(&format!("engines side by side: see {}", full_path(folder.path())));
    let screen = viewer.screen();
    let shown = comparisons.iter().map(|one| {
        let narrowed = one.comparison.narrowed(|player| players.has(player));
        let tables = tables::several::engines(&narrowed, &plan.method, screen);
        one.event.as_ref().map_or_else(|| tables.clone(), |event| under_heading(event, &tables, screen))
    });
    Ok(shown.collect())
}

/// Returns, for each event, the engines that have a report of it, where they are two at least.
fn comparisons(runs: &[EngineRun], reports: &[Reports], plan: &Plan) -> Vec<EventComparison> {
    let Some(engine_run) = runs.first() else { return Vec::new() };
    let of_event = |event: &str| -> Option<EventComparison> {
        let findings: Vec<(&str, &EventFinding)> = runs
            .iter()
            .zip(reports)
            .flat_map(|(engine_run, report)| {
                report.findings.iter().map(|finding| (engine_run.label.as_str(), finding))
            })
            .filter(|(_, finding)| finding.event == event)
            .collect();
        (findings.len() > 1).then(|| EventComparison {
            event: plan.separately.then(|| event.to_owned()),
            comparison: EngineComparison::of(&findings),
        })
    };
    engine_run.targets.each.iter().filter_map(|target| of_event(&target.name)).collect()
}
