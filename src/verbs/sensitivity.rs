//! The verb `sensitivity`: changes of the tables with each choice of method, and the repeatability of the
//! numbers in another run.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use crate::base::output::{NoFacts, RunClock, RunKind};
use crate::base::text::{counted, full_path, printable, shown_path};
use crate::chess::{EvaluatedGame, recorded_evaluations};
use crate::files::{Common, RecordedGame, formats::moves};
use crate::measure::{JudgeAgreement, Method, MoveSample, Sensitivity, players, tournament::repeatability};
use crate::numbers::Bootstrap;
use crate::report::{
    ReportError, kinds::sensitivity::RunComparison, kinds::sensitivity::SENSITIVITY,
    kinds::sensitivity::report, kinds::sensitivity::tables as study, writing::publish,
};
use crate::verbs::{
    args::ConsoleArgs, args::TableArgs, args::TournamentArgs, error::Result, error::VerbError, evaluations,
    input, input::Input, plan::EvaluationPlan, plan::Reach, plan::ReadingPlan, runs, runs::Finished,
    runs::RunEnding, runs::Viewer, runs::report_target::note_unrated,
};

#[derive(Debug, Args)]
pub struct SensitivityArgs {
    /// PGN files, compressed or not, and folders of them, read as one tournament; `-` reads standard input.
    #[arg(value_name = "PGN", value_hint = ValueHint::FilePath)]
    pub pgn: Vec<PathBuf>,
    /// Also show how well each number repeats in another run on the same games: a report folder, or a PGN with
    /// evaluations.
    #[arg(long, value_name = "OTHER", value_hint = ValueHint::AnyPath)]
    pub against: Option<PathBuf>,
    /// Random seed of --sample.
    #[arg(long, value_name = "N", default_value_t = Bootstrap::default().seed)]
    pub seed: u64,
    #[command(flatten)]
    pub console: ConsoleArgs,
    #[command(flatten)]
    pub tournament: TournamentArgs,
    #[command(flatten)]
    pub table: TableArgs,
}

pub fn run(args: &SensitivityArgs, viewer: &mut dyn Viewer) -> Result<Finished> {
    let tournament = &args.tournament;
    tournament.source.engine.check_single("sensitivity")?;
    // The tables have no bootstrap intervals, which would take time.
    let method = &tournament.method(Bootstrap { samples: 0, ..Bootstrap::default() })?;
    let games = tournament.taken.plan(&method.filter.rounds, args.seed)?;
    let clock = RunClock::start();
    let input = input::read_together(&args.pgn, &games, viewer)?;
    input::check_counted(std::slice::from_ref(&input), &method.filter)?;
    input::warn_of_bad_games([&input], viewer);
    let elo = players::ratings(&players::spellings(&input.games), &tournament.method.elo)?;
    let folder = args.table.folder(|| input.folder());
    let formats = args.table.formats();
    let folder = args.table.claim(folder, RunKind::Sensitivity, SENSITIVITY.file_names(&formats, []))?;
    let other =
        args.against.as_deref().map(|path| Ok::<_, VerbError>((path, read_other(path, &games, viewer)?)));
    let other = other.transpose()?;
    let name = input.name.clone();
    let evaluations = tournament.source.plan(method, Reach::StoredWithChoices);
    let games = evaluated(input, &evaluations, viewer)?;
    let sample = MoveSample::of(&games);
    let found = Sensitivity::of(&sample, &elo, method);
    let repeated = other.map(|(path, theirs)| compared(&sample, Common::of(games, theirs), path, method));
    let repeated = repeated.transpose();
    // If the other run cannot be compared, the rest is still reported.
    let (repeated, failure) = match repeated {
        Ok(repeated) => (repeated, None),
        Err(error) => (None, Some(error)),
    };
    if found.lacks_engine_strength() {
        note_unrated(viewer);
    }
    let said = serde_json::to_string(method).map_err(ReportError::Json)?;
    let out = folder.publication()?.saying("method", said);
    publish(&report(&found, repeated.as_ref().map(|(compared, _)| compared)), &out, &formats)?;
    runs::report_removed(&out.finish(&clock.record(RunKind::Sensitivity, NoFacts::default()))?, viewer);
    viewer.note(&format!("{}: see {}", printable(&name), full_path(folder.path())));
    let screen = viewer.screen();
    let mut tables = study::sensitivity(&found, screen);
    if let Some((RunComparison { repeatability, judges: agreement, .. }, held)) = &repeated {
        tables += &format!("\n{}", study::repeatability(repeatability, held, screen));
        tables += &format!("\n{}", study::judges(agreement, method, screen));
    }
    Ok(Finished { tables, ending: RunEnding::Complete, failure, report: None })
}

fn evaluated(input: Input, plan: &EvaluationPlan, viewer: &mut dyn Viewer) -> Result<Vec<EvaluatedGame>> {
    plan.check()?;
    let mut inputs = evaluations::evaluate(vec![input], plan, viewer)?.inputs;
    let input_games = inputs.pop().unwrap_or_default();
    if input_games.games.is_empty() { Err(input_games.nothing_left()) } else { Ok(input_games.games) }
}

/// Compares the numbers of two runs on their common games. Also returns a description of these games. Fails
/// if there are none.
fn compared(
    sample: &MoveSample,
    common: Common,
    path: &Path,
    method: &Method,
) -> Result<(RunComparison, String)> {
    if common.ours.is_empty() {
        return Err(nothing_in_common(&common, path));
    }
    let fewer = (common.ours.len() < sample.games).then(|| MoveSample::of(&common.ours));
    let (here, there) = (fewer.as_ref().unwrap_or(sample), MoveSample::of(&common.theirs));
    let comparison = RunComparison {
        repeatability: repeatability::rows(here, &there, method),
        games: common.ours.len(),
        judges: JudgeAgreement::of(here, &there, method),
        method: method.clone(),
    };
    Ok((comparison, held(&common, path)))
}

/// Returns the games of the other run at `path`, a folder or a PGN file. In a PGN file, the plan's aliases
/// give the players their names.
fn read_other(path: &Path, plan: &ReadingPlan, viewer: &dyn Viewer) -> Result<Vec<RecordedGame>> {
    match path {
        folder if folder.is_dir() => Ok(moves::games(folder)?),
        file if file.exists() => recorded(file, plan, viewer),
        _ => Err(VerbError::no_such_path(path)),
    }
}

fn nothing_in_common(common: &Common, path: &Path) -> VerbError {
    let first = common.first_missing.as_ref();
    let first = first.map_or(String::new(), |game| format!("; the first game of this run is {game}"));
    VerbError::new(format!(
        "{}: no game in common: {} there, {} in this run{first}",
        shown_path(path),
        counted(common.more as u64, "game"),
        counted(common.wanted as u64, "game"),
    ))
}

/// Returns a description of the games that both runs have.
fn held(common: &Common, path: &Path) -> String {
    let (name, both) = (shown_path(path), common.ours.len() as u64);
    let which = match &common.first_missing {
        None => format!("{name} has the same {}.", counted(both, "game")),
        Some(game) => format!(
            "{name} has {both} of the {}. The first missing game is {game}.",
            counted(common.wanted as u64, "game"),
        ),
    };
    match common.more as u64 {
        0 => which,
        more => format!("{which} Not compared: {} that only {name} has.", counted(more, "game")),
    }
}

/// Returns the games of a PGN file that have an evaluation of every position.
fn recorded(path: &Path, plan: &ReadingPlan, viewer: &dyn Viewer) -> Result<Vec<RecordedGame>> {
    let mut input = input::read_one(path, &plan.everything(), viewer)??;
    input::people::name_players(std::slice::from_mut(&mut input), plan, viewer);
    input::warn_of_bad_games([&input], viewer);
    let (mut recorded, mut gaps) = (Vec::new(), Vec::new());
    for game in input.games {
        match recorded_evaluations(&game, None) {
            Ok(evaluations) => recorded.push(RecordedGame::of(&EvaluatedGame::new(game, evaluations))),
            Err(gap) => gaps.push(format!("{}: {gap}", game.title())),
        }
    }
    match gaps.first() {
        Some(gap) if recorded.is_empty() => Err(VerbError::new(format!(
            "{}: no game has all of its evaluations recorded; the first gap: {gap}",
            shown_path(path)
        ))),
        Some(gap) => {
            let more = gaps.len() as u64 - 1;
            let more = if more > 0 { format!("; and {more} more") } else { String::new() };
            viewer.warn(&format!("not compared: {gap}{more}"));
            Ok(recorded)
        }
        None => Ok(recorded),
    }
}
