//! Owns the run of an experiment: an engine plays itself at fixed depths, and what follows from the games is told.

use std::path::PathBuf;

use chrono::Utc;

use super::{
    Finished, Viewer, experiment,
    games::{GamesSession, PlayedGames, claim, ending},
};
use crate::chess::text::{counted, full_path};
use crate::files::{FileError, FileNames, OutputFolder, Publication, output::command_line};
use crate::lab::selfplay::{results, tally};
use crate::lab::{
    ExperimentConfig, GameHeader, GameRecord, RunningScores, ScheduledGame, selfplay::schedule::schedule,
};
use crate::report::experiment::{EXPERIMENT, Facts};
use crate::report::tables;
use crate::verbs::app::{design, reading};
use crate::verbs::error::VerbError;
use crate::verbs::{app::design::Designed, app::plan::SelfplayPlan};

/// Plays the experiment of `plan`, or goes on with it.
///
/// # Errors
///
/// If an engine, an opening or the anchor cannot be used, the folder is that of another experiment, or a file cannot
/// be written.
pub fn run(plan: &SelfplayPlan, viewer: &mut dyn Viewer) -> Result<Finished, VerbError> {
    let Designed { design, openings, contestants } = design::design(plan, viewer)?;
    let wanted = experiment::wanted(plan, &design.engine.name, viewer)?;
    wanted.choices.check(&design.contenders())?;
    let scheduled_games = scheduled_games(&design);
    let header = header(&design);
    let (facts, formats) = (facts(&design), plan.results.formats());
    let results = &plan.results.table;
    let folder = results.folder(|| default_folder(&design));
    let folder = claim(folder, EXPERIMENT.file_names(&formats, []), &design, &plan.playing, results)?;
    let session = GamesSession {
        folder: &folder,
        header: &header,
        scheduled_games: &scheduled_games,
        openings: &openings,
        terms: &design.terms,
        plan: &plan.playing,
    };
    let found = session.open(viewer)?;
    viewer.note(&described(&design, found.1.len(), &folder));
    let missing = session.missing(&found.1);
    let mut scores: RunningScores = found.1.iter().collect();
    let played = session.play(&contestants, found, &missing, &mut scores, viewer);
    let out = folder.publication()?;
    write_results(&out, &played.records)?;
    // Of a part of the games the pairs would be of different sizes, and mislead.
    let is_complete = played.records.len() == scheduled_games.len();
    let report =
        is_complete.then(|| experiment::report(&played.records, &wanted, (&out, &formats), facts, viewer));
    super::say_removed(&out.finish(&played.record(&folder))?, viewer);
    let PlayedGames { records, effort, .. } = played;
    effort?;
    let mut tables = tables::matches(&tally::by_pair(&records), viewer.screen());
    let failure = match report.transpose() {
        Ok(report) => {
            tables.extend(report.map(|report| format!("\n{report}")));
            None
        }
        Err(error) => Some(error),
    };
    viewer.note(&format!("games and results are in {}", full_path(folder.path())));
    Ok(Finished { tables, ending: ending(&records, session.wanted(), viewer), failure, report: None })
}

fn scheduled_games(design: &ExperimentConfig) -> Vec<ScheduledGame> {
    let openings = design.terms.openings.as_ref().map_or(0, |book| book.count);
    schedule(&design.pairs, design.terms.games, openings, design.terms.seed)
}

fn header(design: &ExperimentConfig) -> GameHeader {
    let opponent = design.opponent.as_ref().map(|opponent| opponent.name.as_str());
    GameHeader {
        adjudication: design.terms.adjudication.to_string(),
        date: Utc::now().format("%Y.%m.%d").to_string(),
        ..GameHeader::of_depths(&design.engine.name, opponent, design.contenders().into_iter().flatten())
    }
}

/// Returns what only the design tells of the games.
fn facts(design: &ExperimentConfig) -> Facts {
    let depths = || design.contenders().into_iter().flatten().map(|contender| contender.depth);
    let (least, most) = (depths().min().unwrap_or_default(), depths().max().unwrap_or_default());
    Facts {
        title: format!("{}, depths {least} to {most}", design.engine.name),
        engine: design.engine.name.clone(),
        opponent: design.opponent.as_ref().map(|opponent| opponent.name.clone()),
        anchor: None,
        conditions: design.conditions(),
        command: command_line(),
    }
}

fn default_folder(design: &ExperimentConfig) -> PathBuf {
    let mut names = FileNames::for_each("engine");
    let mut name = format!("selfplay-{}", names.file_name_for(&design.engine.name));
    if let Some(opponent) = &design.opponent {
        name += &format!("-{}", FileNames::for_each("opponent").file_name_for(&opponent.name));
    }
    PathBuf::from(reading::REPORTS).join(name)
}

fn described(design: &ExperimentConfig, done: usize, folder: &OutputFolder) -> String {
    let ExperimentConfig { engine, opponent, pairs, terms } = design;
    let against = opponent.as_ref().map_or(String::new(), |opponent| format!(" against {}", opponent.name));
    let rules = terms.adjudication.to_string();
    let rules = if rules.is_empty() { rules } else { format!("; games end early by {rules}") };
    format!(
        "{}{against}: {} of {} each, {done} of them played already; in {}{rules}",
        engine.name,
        counted(pairs.len() as u64, "pair"),
        counted(u64::from(terms.games), "game"),
        full_path(folder.path()),
    )
}

fn write_results(out: &Publication<'_>, records: &[GameRecord]) -> Result<(), VerbError> {
    let failed = |source| FileError::Write { path: out.folder().join(results::FILE), source };
    Ok(out.write(results::FILE, |file| results::write(records, file).map_err(failed))?)
}
