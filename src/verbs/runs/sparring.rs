//! Owns the run that measures how even the games of skill functions are: matches in folders of their own, and what they come to.

use std::path::PathBuf;

use super::{Finished, RunEnding, Viewer, round_robin, sparring_moves};
use crate::chess::text::full_path;
use crate::files::{NoFacts, RunClock, RunKind, output::command_line};
use crate::lab::{NamedRecords, Sparring, selfplay::results};
use crate::report::experiment::sparring::{SPARRING, SparringFacts, report, text};
use crate::report::publish::publish;
use crate::verbs::app::plan::{EntrantsPlan, SparringPlan};
use crate::verbs::app::reading;
use crate::verbs::error::VerbError;

/// Plays the matches of `plan`, or goes on with them, and tells what they come to.
///
/// # Errors
///
/// If the games cannot be played, the folder is that of another experiment, or a file cannot be written.
pub fn run(plan: &SparringPlan, viewer: &mut dyn Viewer) -> Result<Finished, VerbError> {
    let clock = RunClock::start();
    let (facts, formats) = (facts(plan), plan.results.formats());
    let folder = plan.results.table.folder(|| PathBuf::from(reading::REPORTS).join("spar"));
    let folder = plan.results.table.claim(
        folder,
        RunKind::Sparring,
        SPARRING.file_names(&formats, facts.pictures()),
    )?;
    let within = |name: &str| folder.path().join(name);
    let mut strengths = None;
    let (mut skills, mut folders) = (Vec::new(), Vec::new());
    for skill in &plan.skills {
        let name = skill.to_string();
        let own = within(&name.replace(':', "-"));
        match played(&plan.gauntlet(*skill, own.clone()), viewer)? {
            PlayedMatches::Played(games) => {
                folders.push((name.clone(), own));
                skills.push((name, games));
            }
            PlayedMatches::Stopped(finished) => return Ok(finished),
        }
        // The opponents meet each other behind the first one, which is the one that is waited for.
        if strengths.is_none() {
            match played(&plan.strengths(within(SparringPlan::STRENGTHS)), viewer)? {
                PlayedMatches::Played(games) => strengths = Some(games),
                PlayedMatches::Stopped(finished) => return Ok(finished),
            }
        }
    }
    let found = Sparring::of(&strengths.unwrap_or_default(), &plan.anchors(), &skills)?;
    let Some(moves) = sparring_moves::judge(&folders, &within(SparringPlan::STRENGTHS), plan, viewer)? else {
        return Ok(Finished::new(String::new(), RunEnding::Interrupted));
    };
    let out = folder.publication()?;
    let report = report(&found, &moves, &facts);
    publish(&report, &out, &formats)?;
    super::say_removed(&out.finish(&clock.record(RunKind::Sparring, NoFacts::default()))?, viewer);
    viewer.note(&format!("see {}", full_path(folder.path())));
    Ok(Finished::new(text(&report, viewer.screen()), RunEnding::Complete))
}

/// What came of some matches.
enum PlayedMatches {
    /// All their games.
    Played(NamedRecords),
    /// The user stopped them, or they failed.
    Stopped(Finished),
}

fn played(plan: &EntrantsPlan, viewer: &mut dyn Viewer) -> Result<PlayedMatches, VerbError> {
    let finished = round_robin::run(plan, viewer)?;
    // A game that was forfeited is a game; one that is missing is none.
    let is_whole = finished.failure.is_none() && finished.ending != RunEnding::Interrupted;
    match plan.results.table.output.as_ref().filter(|_| is_whole) {
        Some(folder) => {
            let mut found = NamedRecords::default();
            round_robin::read(&folder.join(results::FILE), &mut found)?;
            Ok(PlayedMatches::Played(found))
        }
        None => Ok(PlayedMatches::Stopped(Finished { tables: String::new(), ..finished })),
    }
}

fn facts(plan: &SparringPlan) -> SparringFacts {
    SparringFacts {
        skills: plan.skills.iter().map(|skill| skill.to_string().replace(':', "-")).collect(),
        games: plan.games,
        command: command_line(),
    }
}
