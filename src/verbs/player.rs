//! The verb `player`: one player's profile, as a table, pictures, a page and positions to train on.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use crate::base::output::{OutputFolder, RunClock, RunKind, command_line};
use crate::base::text::{counted, full_path, printable, shown_path};
use crate::chess::{EvaluatedGame, NameMatcher};
use crate::files::FileNames;
use crate::measure::{Findings, Method, PlayGrouping, Profile, calibrated, players};
use crate::numbers::Bootstrap;
use crate::report::{kinds::profile, kinds::profile::PROFILE, kinds::profile::ProfileFacts};
use crate::report::{plots::Caption, tables, words};
use crate::verbs::{
    args::CalibrationArgs, args::ConsoleArgs, args::FilterArgs, args::GamesArgs, args::ReferenceArgs,
    args::ResultArgs, args::SourceArgs, args::player_name, args::values, error::ErrorKind, error::Result,
    error::VerbError, evaluations, input, input::Input, input::REPORTS, input::evaluated::Evaluated,
    plan::EvaluationPlan, plan::Reach, runs, runs::Finished, runs::Plan, runs::RunEnding, runs::Viewer,
    runs::report_target::judge_of_game, runs::report_target::note_uncompared,
    runs::report_target::search_facts, runs::report_target::source, runs::reporting::note_how_to_resume,
};

#[derive(Debug, Clone, Args)]
#[command(mut_arg("no_html", |arg| arg.help("Do not write report.html, the page of the profile")))]
pub struct ProfileArgs {
    /// Player's name as in the games, or words of it in any order.
    #[arg(value_name = "NAME", value_parser = player_name())]
    pub name: NameMatcher,
    /// PGN files, compressed or not, and folders of them; `-` reads standard input.
    #[arg(value_name = "GAMES", value_hint = ValueHint::FilePath)]
    pub games: Vec<PathBuf>,
    /// Groups of moves, separated by commas: year, event, speed, color, phase, opening, clock, position.
    #[arg(long, value_name = "GROUP", value_delimiter = ',', default_values_t = PlayGrouping::USUAL,
        add = values(PlayGrouping::ALL.map(PlayGrouping::name)))]
    pub by: Vec<PlayGrouping>,
    /// Maximum number of positions in mistakes.pgn, the costliest first; a study on lichess.org holds 64.
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub mistakes: u32,
    /// Random seed of --sample.
    #[arg(long, value_name = "N", default_value_t = Bootstrap::default().seed)]
    pub seed: u64,
    #[command(flatten)]
    pub console: ConsoleArgs,
    #[command(flatten)]
    pub taken: GamesArgs,
    #[command(flatten)]
    pub source: SourceArgs,
    #[command(flatten)]
    pub filter: FilterArgs,
    #[command(flatten)]
    pub calibration: CalibrationArgs,
    #[command(flatten)]
    pub reference: ReferenceArgs,
    #[command(flatten)]
    pub results: ResultArgs,
}

impl ProfileArgs {
    /// Refuses an address as the name, and arguments in the wrong order: the name is an existing file, but one of
    /// the game files does not exist.
    fn check_order(&self) -> Result<()> {
        let (name, missing) = (self.name.to_string(), self.games.iter().find(|path| !path.exists()));
        match missing {
            _ if name.contains("://") => {
                let error = format!("{}: not a player's name", printable(&name));
                Err(VerbError::new(error).of_kind(ErrorKind::NotFound(name)))
            }
            Some(player) if Path::new(&name).exists() => Err(VerbError::new(format!(
                "{} is a file, but {} is not: the player comes first, as in gainalyze player Carlsen games.pgn",
                printable(&name),
                shown_path(player)
            ))),
            _ => Ok(()),
        }
    }

    pub fn plan(&self) -> Result<Plan, String> {
        self.source.engine.check_single("player")?;
        let method = Method { filter: self.filter.filter(), ..Method::default() };
        let reading = self.taken.plan(&method.filter.rounds, self.seed)?;
        let evaluations = EvaluationPlan {
            calibrations: self.calibration.plan(),
            ..self.source.plan(&method, Reach::Search)
        };
        self.results.pictures.check()?;
        let report = self.results.report();
        Ok(Plan { files: self.games.clone(), reading, evaluations, method, report, ..Plan::default() })
    }
}

pub fn run(args: &ProfileArgs, viewer: &mut dyn Viewer) -> Result<Finished> {
    let clock = RunClock::start();
    args.check_order()?;
    let shared = &args.plan()?;
    let mut by = args.by.clone();
    by.sort_unstable();
    by.dedup();
    shared.evaluations.check()?;
    let (input, player) = find(&args.name, shared, viewer)?;
    let reference = args.reference.plan().load_for(input.games.iter())?;
    input::check_counted(std::slice::from_ref(&input), &shared.method.filter)?;
    input::warn_of_bad_games([&input], viewer);
    let folder = claim(&player, shared)?;
    let inputs = vec![input];
    let like_recorded = shared.evaluations.like_recorded(&inputs, viewer);
    let search = like_recorded.as_ref().unwrap_or(&shared.evaluations);
    let evaluated = evaluations::evaluate(inputs, search, viewer)?;
    if evaluated.interrupted {
        note_how_to_resume(shared, &evaluated, viewer);
        return Ok(Finished::new(String::new(), RunEnding::Interrupted));
    }
    let input = &evaluated.inputs[0];
    if input.games.is_empty() {
        return Err(input.nothing_left());
    }
    let source = source(input, &evaluated, shared);
    let kind = |game: &EvaluatedGame| judge_of_game(&source, game);
    let (mut profile, uncompared) = Findings::of_player(
        (&input.games, &player),
        calibrated(&evaluated.rated, 0).ok(),
        reference.as_ref().map(|peers| (peers, &kind as _)),
        &by,
        &shared.method,
    );
    note_uncompared(&uncompared, reference.as_ref(), viewer);
    profile.mistakes.truncate(args.mistakes as usize);
    note_missing_groups(&profile, &args.by, viewer);
    let out = folder.publication()?;
    let formats = shared.report.formats();
    profile::write(&out, &profile, &input.games, &facts(&evaluated, shared), &formats)?;
    runs::report_removed(
        &out.finish(&clock.record(RunKind::Profile, search_facts(&evaluated, shared)))?,
        viewer,
    );
    viewer.note(&format!("{}: see {}", printable(&player), full_path(folder.path())));
    let peers = profile.peers.as_ref().map(|standing| tables::peers::standing(standing, viewer.screen()));
    let tables = [profile::tables::profile(&profile, viewer.screen())].into_iter().chain(peers);
    let tables = tables.collect::<Vec<_>>().join("\n");
    Ok(Finished::new(tables, RunEnding::of(false, input.engine_failed)))
}

/// Prints a note on the groupings that have fewer than two groups, unless only the default groupings are
/// wanted.
fn note_missing_groups(profile: &Profile, wanted: &[PlayGrouping], viewer: &dyn Viewer) {
    let is_shown = |by: &PlayGrouping| profile.divisions.iter().any(|division| division.by == *by);
    let missing: Vec<_> = wanted.iter().filter(|by| !is_shown(by)).map(|by| by.name()).collect();
    if wanted != PlayGrouping::USUAL && !missing.is_empty() {
        viewer.note(&format!(
            "not grouped by {}: fewer than two groups have moves (openings come from tags or --openings-names, clock times from \
             [%clk] comments)",
            missing.join(", ")
        ));
    }
}

/// Reads the games of the player that `name` matches. Also returns the player's full name. Fails if no player
/// or several players match.
fn find(name: &NameMatcher, plan: &Plan, viewer: &dyn Viewer) -> Result<(Input, String)> {
    let mut wanted = plan.reading.clone();
    wanted.selection.filter.games_of = [name.clone()].into_iter().collect();
    let mut input = input::read_together(&plan.files, &wanted, viewer)?;
    let names = players::spellings(&input.games);
    let player = players::only(&names, name)?.to_owned();
    input.games.retain(|game| players::names([game]).contains(&player));
    Ok((input, player))
}

fn claim(player: &str, plan: &Plan) -> Result<OutputFolder> {
    let name = format!("player-{}", FileNames::default().file_name_for(player));
    let path: PathBuf = plan.report.table.folder(|| Path::new(REPORTS).join(name));
    Ok(plan.report.table.claim(path, RunKind::Profile, PROFILE.file_names(&plan.report.formats(), []))?)
}

fn facts(evaluated: &Evaluated, plan: &Plan) -> ProfileFacts {
    let input = &evaluated.inputs[0];
    let engine = words::judge::caption(&source(input, evaluated, plan), &input.games);
    let filters = plan.method.filter.names();
    let files: Vec<String> = plan.files.iter().map(|path| full_path(path)).collect();
    let mut making = vec![
        ("Evaluations".to_owned(), printable(&engine)),
        ("Games".to_owned(), counted(input.games.len() as u64, "game")),
        ("Files".to_owned(), files.join(", ")),
    ];
    if !filters.is_empty() {
        making.push(("Filters".to_owned(), filters.join("; ")));
    }
    making.extend(words::method::judge_warning(&engine).map(|warning| ("Engine".to_owned(), warning)));
    ProfileFacts {
        caption: Caption { engine, filters: filters.len() },
        making,
        command: command_line(),
        clip: plan.method.clip,
    }
}
