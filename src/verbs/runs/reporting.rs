//! The reports of a run, and the folder above them if there are several.

use std::path::PathBuf;

use super::{
    Finished, LiveRanking, RunEnding, Viewer, report_folder::ReportSearch, report_folder::check_replaced,
    report_folder::folder_of, report_removed, report_target::ReportInput, report_target::ReportTarget,
    report_target::claim, report_target::search_facts,
};
use crate::base::output::{NoFacts, OutputFolder, OutsideFile, RunClock, RunKind};
use crate::base::text::{counted, full_path, printable};
use crate::chess::{EvaluatedGame, evaluated_game::judge_of, judgment, pgn};
use crate::measure::{EventFinding, Events, PlayerSelection, players};
use crate::report::{kinds::several, writing::publish as publish_report};
use crate::verbs::{
    error::Result, evaluations, input, input::Input, input::evaluated::Evaluated, plan::StorePlan, runs::Plan,
};

pub struct Reports {
    /// The finished run of all reports, with tables for the terminal. Its `failure` is the reason why the
    /// first input without a report has none.
    pub finished: Finished,
    pub findings: Vec<EventFinding>,
    /// The games of each input with their evaluations.
    pub games: Vec<Vec<EvaluatedGame>>,
}

impl Reports {
    pub fn none(ending: RunEnding) -> Reports {
        Reports { finished: Finished::new(String::new(), ending), findings: Vec::new(), games: Vec::new() }
    }
}

pub fn report(
    inputs: Vec<Input>,
    targets: &ReportTargets,
    plan: &Plan,
    clock: &RunClock,
    viewer: &mut dyn Viewer,
) -> Result<Reports> {
    viewer.rank(&mut || live_ranking(&inputs, targets, plan));
    let evaluated = evaluations::evaluate(inputs, &plan.evaluations, viewer)?;
    if evaluated.interrupted {
        note_how_to_resume(plan, &evaluated, viewer);
        return Ok(Reports::none(RunEnding::Interrupted));
    }
    let mut reports = publish(&evaluated, targets, plan, clock, viewer)?;
    reports.games = evaluated.inputs.into_iter().map(|input_games| input_games.games).collect();
    if let Some(above) = &targets.above {
        reports.finished.tables += &report_events(&reports.findings, above, clock, plan, viewer)?;
    }
    Ok(reports)
}

/// Writes the engine's strength by event into `folder`, and returns the table for the terminal; empty if
/// fewer than two events have a report.
fn report_events(
    findings: &[EventFinding],
    folder: &OutputFolder,
    clock: &RunClock,
    plan: &Plan,
    viewer: &dyn Viewer,
) -> Result<String> {
    if findings.len() < 2 {
        return Ok(String::new());
    }
    let events = Events::of(findings);
    let out = folder.publication()?;
    publish_report(&several::events(&events, &plan.method), &out, &plan.report.formats())?;
    report_removed(&out.finish(&clock.record(RunKind::Comparison, NoFacts::default()))?, viewer);
    viewer.note(&format!("strength of the engine by event: see {}", full_path(folder.path())));
    Ok(several::tables::events(&events, &plan.method, viewer.screen()))
}

/// Returns the ranking shown during a search. Several tournaments have no ranking, because a rank belongs to
/// one tournament.
fn live_ranking(inputs: &[Input], targets: &ReportTargets, plan: &Plan) -> Option<LiveRanking> {
    let [input] = inputs else { return None };
    let ranked_from = plan.report.ranked_from();
    let method = plan.method.clone();
    LiveRanking::new(players::names(&input.games), method, targets.players(), ranked_from)
}

/// Writes a report of each input that has games, and the annotated games if they are wanted.
pub fn publish(
    evaluated: &Evaluated,
    targets: &ReportTargets,
    plan: &Plan,
    clock: &RunClock,
    viewer: &dyn Viewer,
) -> Result<Reports> {
    let has_games = evaluated.inputs.iter().any(|input_games| !input_games.games.is_empty());
    let outside = if has_games { annotate(evaluated, plan, viewer)? } else { None };
    let failed = evaluated.inputs.iter().any(|input_games| input_games.engine_failed);
    let mut reports = Reports::none(RunEnding::of(false, failed));
    for (place, (input_games, target)) in evaluated.inputs.iter().zip(&targets.each).enumerate() {
        if input_games.games.is_empty() {
            reports.finished.failure.get_or_insert_with(|| input_games.nothing_left());
            continue;
        }
        let input = ReportInput { outside: outside.clone(), ..ReportInput::of(place, evaluated, plan) };
        let run = || clock.record(RunKind::Report, search_facts(evaluated, plan));
        let (tables, finding) = target.publish(input, run, plan, viewer)?;
        let page = target.page(plan);
        reports.finished.tables += &tables;
        reports.finished.report = reports.findings.is_empty().then(|| page.clone());
        reports.findings.push(finding);
        // Of many reports, only the folder is named, at the end.
        if (2..=input::TOLD).contains(&targets.each.len()) {
            viewer.note(&format!("{}: see {}", printable(&target.name), full_path(&page)));
        }
    }
    Ok(reports)
}

pub fn note_how_to_resume(plan: &Plan, evaluated: &Evaluated, viewer: &dyn Viewer) {
    let searched = evaluated.counts.searched;
    match plan.evaluations.store {
        StorePlan::Nowhere => {
            viewer.warn(&format!(
                "stopped; --no-store keeps no evaluations, so these are lost: {}",
                counted(searched, "searched position")
            ));
        }
        _ => viewer.warn(&format!(
            "stopped; added to the store: {}; the same command resumes",
            counted(searched, "position")
        )),
    }
}

/// Writes the games of all inputs with their evaluations into one file, if that is wanted.
fn annotate(evaluated: &Evaluated, plan: &Plan, viewer: &dyn Viewer) -> Result<Option<OutsideFile>> {
    let Some(path) = &plan.report.annotate else { return Ok(None) };
    let judge =
        evaluated.engine.as_ref().map(|engine| judge_of(&engine.name, &plan.evaluations.protocol.brief()));
    let games = evaluated.inputs.iter().flat_map(|input_games| &input_games.games);
    let file = OutsideFile::write(path, |out| {
        games
            .clone()
            .try_for_each(|game| pgn::write_game(&judgment::notes::judged(game, judge.as_deref()), out))
    })?;
    let left_out: u64 = evaluated.inputs.iter().map(|input_games| input_games.left_out.count()).sum();
    let without =
        if left_out > 0 { format!("; left out: {}", counted(left_out, "game")) } else { String::new() };
    viewer.note(&format!("annotated games: {}{without}", full_path(path)));
    Ok(Some(file))
}

/// The targets of one engine's reports, and the folder above them if there are several.
pub struct ReportTargets {
    pub each: Vec<ReportTarget>,
    above: Option<OutputFolder>,
}

impl ReportTargets {
    /// Prepares a target for each input. A player named on the command line need occur in only one input.
    ///
    /// `search` is the search of games without recorded evaluations.
    pub fn prepare(inputs: &[Input], plan: &Plan, search: Option<&ReportSearch>) -> Result<ReportTargets> {
        let names = players::spellings(inputs.iter().flat_map(|input| &input.games));
        let players = PlayerSelection::of_names(&names, &plan.report.shown.player)?;
        let elo = players::ratings(&names, &plan.elo)?;
        let target = |input: &Input| -> Result<ReportTarget> {
            let path = folder(input, plan, search);
            if !plan.report.table.force {
                check_replaced(&path, search)?;
            }
            let folder = claim(path, &input.games, &players, plan)?;
            Ok(ReportTarget { name: input.name.clone(), folder, players: players.clone(), elo: elo.clone() })
        };
        let each = inputs.iter().map(target).collect::<Result<_, _>>()?;
        let table = &plan.report.table;
        let names = || several::EVENTS.file_names(&table.formats(), []);
        let claim = || table.claim(above(plan), RunKind::Comparison, names());
        Ok(ReportTargets { each, above: (inputs.len() > 1).then(claim).transpose()? })
    }

    pub fn players(&self) -> PlayerSelection {
        self.each.first().map_or(PlayerSelection::All, |target| target.players.clone())
    }
}

/// Returns the folder that the user named, or else a folder named after the games, the verb and the search.
/// If there are several reports, each has its own folder.
fn folder(input: &Input, plan: &Plan, search: Option<&ReportSearch>) -> PathBuf {
    match &plan.report.table.output {
        Some(folder) if plan.separately => folder.join(&input.name),
        Some(folder) => folder.clone(),
        None => folder_of(&input.name, plan.verb, search),
    }
}

/// Returns the folder above the folders of several reports: the user's folder, or else `reports`.
fn above(plan: &Plan) -> PathBuf {
    plan.report.table.output.clone().unwrap_or_else(|| PathBuf::from(input::REPORTS))
}
