//! The verb `learn`: weights of the linear evaluation, learned from players' moves, with tables, pictures and
//! a page.

mod hooks;

use std::{ops::ControlFlow, path::Path, path::PathBuf};

use clap::{Args, ValueHint};

use self::hooks::{Hooks, check_gathered, known_folders};
use crate::base::output::{NoFacts, RunClock, RunKind, command_line};
use crate::base::text::{NAMED, counted, full_path, path_text};
use crate::base::work::Stop;
use crate::chess::{RandomSample, Selection, Shard, Share};
use crate::engine::{
    builtin::read_weights, builtin::weights_digest, chess_engine::EngineWeights, chess_engine::LinearFile,
};
use crate::lab::{
    BandPlan, BandReading, DecisionPlan, LearnPlan, Learned, LearningObjective, LearningWork, Movers,
    RatingBand, ReadingEvent, learning::BandGames, learning::read_bands,
};
use crate::numbers::Bootstrap;
use crate::report::{
    kinds::learning as files, kinds::learning::LEARNING, kinds::learning::LearningFacts,
    kinds::learning::weights_file, writing::publish,
};
use crate::verbs::{
    args::ConsoleArgs, args::GamesArgs, args::ResultArgs, args::or_cores, args::parse_jobs, error::Result,
    error::VerbError, input, observer::listen, plan::RunShare, runs, runs::Finished, runs::RunEnding,
    runs::Viewer,
};

#[derive(Debug, Clone, Args)]
#[command(mut_arg("max_games", |arg| arg.help("Maximum number of games per band, after all other filters [default: 10000]")))]
#[command(mut_arg("force", |arg| arg.help(
    "Also learn from bands of fewer than 20 games, and overwrite files that this program did not write"
)))]
pub struct LearnArgs {
    /// PGN files, compressed or not, and folders of them; `-` reads standard input.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// Ratings at the center of each band, separated by commas.
    #[arg(long, value_name = "ELO", value_delimiter = ',', default_value = "1000,1200,1400,1600")]
    pub band: Vec<RatingBand>,
    /// Half the width of a band, in Elo.
    #[arg(long, value_name = "POINTS", default_value_t = 25, value_parser = clap::value_parser!(u32).range(..=1000))]
    pub tolerance: u32,
    /// Minimum number of plies between two positions of one side.
    #[arg(long, value_name = "PLIES", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub every: u32,
    /// First ply to learn from; 0 is the initial position.
    #[arg(long, value_name = "PLY", default_value_t = 0)]
    pub plies_from: u32,
    /// Side whose moves are learned; the rating of the player who moves decides the band.
    #[arg(long, value_enum, default_value_t)]
    pub side: Movers,
    /// Training objectives, separated by commas: svm, svm-per-position, logit.
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        default_value = "svm,svm-per-position,logit",
        help_heading = "Learning"
    )]
    pub objective: Vec<LearningObjective>,
    /// Depth of the search for the leaf of a position, in plies; a quiescence search follows.
    #[arg(long, value_name = "PLIES", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=4), help_heading = "Learning")]
    pub pv_depth: u32,
    /// Training rounds; each round finds the leaves with the weights of the round before.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=20), help_heading = "Learning")]
    pub rounds: u32,
    /// C: weight of errors in training against the size of the weights [default: chosen by
    /// cross-validation].
    #[arg(long, value_name = "C", value_parser = factor, help_heading = "Learning")]
    pub c: Option<f64>,
    /// File of linear weights for finding the leaves of the first round.
    #[arg(long, value_name = "FILE", default_value = LinearFile::HANDMADE, value_hint = ValueHint::FilePath, help_heading = "Learning")]
    pub start_weights: String,
    /// Share of the games held out for testing.
    #[arg(long, value_name = "SHARE", default_value = "0.2", help_heading = "Learning")]
    pub held_out: Share,
    /// Test the weights of --weights on all games, without training. The probabilities of each half of the games
    /// use a scale fitted to the other half.
    #[arg(long, requires = "weights", conflicts_with_all = ["objective", "rounds", "c", "held_out", "bootstrap", "shard", "gather"], help_heading = "Learning")]
    pub test_only: bool,
    /// Weights files to test, or `handmade`; list them after the game files.
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "test_only", value_hint = ValueHint::FilePath, help_heading = "Learning")]
    pub weights: Vec<String>,
    /// Also write the probability of each legal move in each tested position (learning-choices).
    #[arg(long, help_heading = "Learning", conflicts_with = "shard")]
    pub choices: bool,
    /// Bootstrap samples (whole games) for the intervals of the weights; 0 for none.
    #[arg(long, value_name = "SAMPLES", default_value_t = Bootstrap::LEAST, value_parser = clap::value_parser!(u32).range(..=10_000), help_heading = "Learning")]
    pub bootstrap: u32,
    /// Random seed of --sample, held-out games, training order and bootstrap.
    #[arg(long, value_name = "N", default_value_t = Bootstrap::default().seed, help_heading = "Learning")]
    pub seed: u64,
    /// Learn only part K of N of the weights (such as 3/15), into --output; the same command with --gather instead
    /// of --shard reports all parts.
    #[arg(long, value_name = "K/N", requires = "output", help_heading = "Many machines")]
    pub shard: Option<Shard>,
    /// Report all parts learned with --shard as one, from these folders, without training.
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, num_args = 1.., conflicts_with = "shard", help_heading = "Many machines")]
    pub gather: Vec<PathBuf>,
    /// Threads [default: number of cores].
    #[arg(long, short, value_name = "N", value_parser = parse_jobs)]
    pub jobs: Option<u32>,
    #[command(flatten)]
    pub console: ConsoleArgs,
    #[command(flatten)]
    pub taken: GamesArgs,
    #[command(flatten)]
    pub results: ResultArgs,
}

fn factor(text: &str) -> Result<f64, String> {
    let c = text.parse().ok().filter(|c: &f64| c.is_finite() && *c > 0.0);
    c.ok_or_else(|| "write a number above 0, such as 0.01".to_owned())
}

struct LearningPlan<'a> {
    args: &'a LearnArgs,
    /// The weights to test, with their names.
    given: Vec<(String, LinearFile)>,
    reading: BandPlan,
    learning: LearnPlan,
    share: RunShare,
}

impl LearnArgs {
    fn plan(&self) -> Result<LearningPlan<'_>, String> {
        // Given weights have no objectives.
        let mut objectives = if self.test_only { Vec::new() } else { self.objective.clone() };
        objectives.sort_unstable();
        objectives.dedup();
        let selection = self.taken.plan(&[], self.seed)?.selection;
        self.results.pictures.check()?;
        let held_out = if self.test_only { Share::HALF } else { self.held_out };
        // With --sample, another seed is used, because the seed of the sample would decide which games are held out.
        let held_out_seed = self.seed.wrapping_add(u64::from(self.taken.choice.sample.is_some()));
        Ok(LearningPlan {
            args: self,
            given: self.given()?,
            reading: BandPlan {
                bands: self.bands()?,
                movers: self.side,
                decisions: DecisionPlan { every: self.every as usize, plies_from: self.plies_from as usize },
                most_games: selection.max_games.unwrap_or(10_000) as usize,
                selection: Selection { max_games: None, ..selection },
                held_out: RandomSample { share: held_out, seed: held_out_seed },
            },
            learning: LearnPlan {
                objectives,
                start: self.start()?,
                depth: self.pv_depth,
                rounds: self.rounds,
                c: self.c,
                seed: self.seed,
                bootstrap: Bootstrap { samples: self.bootstrap, seed: self.seed },
                choices: self.choices,
            },
            share: self.share()?,
        })
    }

    /// Returns the minimum number of games of a band: 20, or 2 with `--force`. Weights from fewer games would
    /// describe one or two players.
    fn least_games(&self) -> usize {
        if self.results.table.force { 2 } else { 20 }
    }

    fn share(&self) -> Result<RunShare, String> {
        match (RunShare::of(self.shard, &self.gather), self.rounds) {
            (share, 1) | (share @ RunShare::All, _) => Ok(share),
            _ => Err("--shard and --gather need a single round of training: --rounds 1".to_owned()),
        }
    }

    fn bands(&self) -> Result<Vec<RatingBand>, String> {
        let mut bands = self.band.clone();
        bands.iter_mut().for_each(|band| band.tolerance = self.tolerance);
        bands.sort_unstable();
        match bands.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(format!("--band has {} twice", pair[0])),
            None => Ok(bands),
        }
    }

    fn start(&self) -> Result<LinearFile, String> {
        linear(&self.start_weights).map_err(|problem| format!("--start-weights {problem}"))
    }

    fn given(&self) -> Result<Vec<(String, LinearFile)>, String> {
        let mut names = self.weights.clone();
        names.sort_unstable();
        names.dedup();
        let file = |name: String| Ok((full_path(Path::new(&name)), linear(&name)?));
        let hint = if self.files.is_empty() { "; write files of games before --weights" } else { "" };
        names
            .into_iter()
            .map(file)
            .collect::<Result<_, String>>()
            .map_err(|problem| format!("--weights {problem}{hint}"))
    }
}

/// Reads a file of linear weights. An error begins with the file's name.
fn linear(name: &str) -> Result<LinearFile, String> {
    let problem = match read_weights(name) {
        Ok(EngineWeights::Linear(file)) => return Ok(file),
        Ok(EngineWeights::Terms(_)) => "these are not weights of the linear evaluation".to_owned(),
        Err(problem) => problem,
    };
    Err(format!("{}: {problem}", path_text(name)))
}

pub fn run(args: &LearnArgs, viewer: &mut dyn Viewer) -> Result<Finished> {
    let plan = &args.plan()?;
    let clock = RunClock::start();
    let paths = input::files(&args.files, args.taken.reading.strict, viewer)?;
    let found = read(plan, &paths, viewer)?;
    check(plan, &found)?;
    let (kind, suffix) = match args.test_only {
        true => (RunKind::Predictions, "predictions"),
        false => (RunKind::Learning, "learning"),
    };
    let name = format!("{}-{suffix}", input::name_together(&args.files));
    let folder = args.results.table.folder(|| Path::new(input::REPORTS).join(name));
    let formats = args.results.formats();
    let objectives = &plan.learning.objectives;
    let weights = files::models(&plan.reading.bands, objectives).map(weights_file);
    let names = weights.chain(LEARNING.file_names(&formats, files::pictures(objectives)));
    let folder = args.results.table.claim(folder, kind, names)?;
    let known = known_folders(plan, &folder)?;
    let kept = if args.test_only {
        "no results are kept"
    } else {
        "the weights learned so far stay in the output folder"
    };
    let interrupts = listen(viewer, kept)?;
    let hooks = Hooks::new(known, viewer);
    check_gathered(plan, &found, &hooks)?;
    let outcome = in_pool(or_cores(args.jobs).get(), || outcome(plan, &found, &hooks, interrupts.stop()))?;
    interrupts.search_is_over();
    let (models, viewer) = hooks.finish();
    if args.test_only && matches!(outcome, TrainingOutcome::Interrupted) {
        viewer.note("interrupted: no results were written");
        return Ok(Finished::new(String::new(), RunEnding::Interrupted));
    }
    let out = folder.publication()?;
    let conditions = plan.conditions();
    files::write_weights(&out, &models, &conditions)?.iter().for_each(|problem| viewer.warn(problem));
    let weights = counted(models.len() as u64, "weights file");
    let (told, note, ending) = match outcome {
        TrainingOutcome::All(learned) => {
            say(&learned, viewer);
            let facts =
                LearningFacts::new(&found, &plan.reading, &conditions, args.test_only, command_line());
            let report = files::report(&learned, &facts);
            publish(&report, &out, &formats)?;
            files::write_choices(&learned, &out, &formats.tables)?;
            let note = format!("see {}", full_path(folder.path()));
            (report.brief_text(viewer.screen()), Some(note), RunEnding::Complete)
        }
        TrainingOutcome::Part(part) => {
            let told = format!("Part {part}: {weights} in {}.\n", full_path(folder.path()));
            (told, None, RunEnding::Complete)
        }
        TrainingOutcome::Interrupted => {
            let note = format!("interrupted: {weights} stored; the same command resumes");
            (String::new(), Some(note), RunEnding::Interrupted)
        }
    };
    runs::report_removed(&out.finish(&clock.record(kind, NoFacts::default()))?, viewer);
    if let Some(note) = note {
        viewer.note(&note);
    }
    Ok(Finished::new(told, ending))
}

enum TrainingOutcome {
    All(Box<Learned>),
    Part(Shard),
    Interrupted,
}

fn outcome(plan: &LearningPlan<'_>, found: &BandReading, hooks: &Hooks<'_>, stop: &Stop) -> TrainingOutcome {
    let work = LearningWork { bands: &found.bands, plan: &plan.learning, hooks, stop };
    let learned = match plan.share {
        RunShare::Part(part) => work.learn_part(part).map(|_| TrainingOutcome::Part(part)),
        _ if plan.args.test_only => {
            work.test_given(&plan.given).map(|tested| TrainingOutcome::All(Box::new(tested)))
        }
        RunShare::All | RunShare::Gathered(_) => {
            work.learn().map(|learned| TrainingOutcome::All(Box::new(learned)))
        }
    };
    learned.unwrap_or(TrainingOutcome::Interrupted)
}

fn read(plan: &LearningPlan<'_>, paths: &[PathBuf], viewer: &mut dyn Viewer) -> Result<BandReading> {
    let (mut named, mut useless) = (0, None);
    let is_strict = plan.args.taken.reading.strict;
    let strict = |told: String| ControlFlow::Break(VerbError::strict(told));
    let watched = read_bands(paths, &plan.reading, or_cores(plan.args.jobs), |event| {
        match event {
            ReadingEvent::Advanced(progress) => viewer.advance_reading(progress),
            ReadingEvent::Bad(bad) if is_strict => return strict(bad.to_string()),
            ReadingEvent::Torn(torn) if is_strict => return strict(torn.to_string()),
            ReadingEvent::Useless(fault) if is_strict => return strict(fault.to_string()),
            ReadingEvent::Torn(torn) => viewer.warn(&torn.to_string()),
            ReadingEvent::Useless(fault) => {
                viewer.warn(&input::passed_over(&fault));
                useless.get_or_insert(fault);
            }
            ReadingEvent::Bad(bad) => {
                named += 1;
                if named <= NAMED {
                    viewer.warn(&format!("left out: {bad}"));
                }
            }
        }
        ControlFlow::Continue(())
    });
    viewer.finish();
    let found = watched?;
    if named > NAMED {
        viewer
            .warn(&format!("left out: {} that cannot be read", counted((named - NAMED) as u64, "more game")));
    }
    if let Some(fault) = useless.filter(|_| found.read == 0) {
        return Err(fault.into());
    }
    viewer.note(&files::reading_summary(&found));
    Ok(found)
}

impl LearningPlan<'_> {
    /// Lists the settings that affect the results, in words.
    fn conditions(&self) -> Vec<String> {
        let mut conditions = self.learning.conditions();
        conditions.extend(self.given.iter().map(|(name, file)| {
            format!("weights: {name} ({})", &weights_digest(&file.clone().into())[..16])
        }));
        conditions
    }
}

fn check(plan: &LearningPlan<'_>, found: &BandReading) -> Result<()> {
    let least = plan.args.least_games();
    let lack = |band: &BandGames| {
        let [tested, trained] = [true, false].map(|is_held_out| band.count(is_held_out));
        if band.games.len() < least {
            let games = counted(band.games.len() as u64, "game");
            let hint = match band.games.len() {
                0 => "; change --band, --tolerance or the choice of games",
                _ => "; choose a larger --tolerance, or let --force accept fewer games",
            };
            return Some((format!("{games}, but needs at least {least}"), hint));
        }
        (tested == 0 || trained == 0).then(|| match plan.args.test_only {
            true => (
                format!("{trained} and {tested} games in its two halves, but needs at least one in each"),
                "; change --seed, or choose a larger --tolerance",
            ),
            false => (
                format!("{trained} for training and {tested} for testing, but needs at least one for each"),
                "; change --held-out or --seed, or choose a larger --tolerance",
            ),
        })
    };
    match found.bands.iter().find_map(|band| Some((band, lack(band)?))) {
        None => Ok(()),
        Some((BandGames { band, .. }, (lack, hint))) => {
            let games = files::games_by_band(found);
            let message = format!("the band {band} ± {} has {lack}; games by band: {games}", band.tolerance);
            Err(VerbError::new(message).with_hint(hint))
        }
    }
}

fn in_pool<T: Send>(jobs: usize, work: impl FnOnce() -> T + Send) -> Result<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
    let failed = |error| VerbError::system("start threads", std::io::Error::other(error));
    Ok(pool.map_err(failed)?.install(work))
}

fn say(learned: &Learned, viewer: &dyn Viewer) {
    let pairs: usize = learned.models.iter().map(|model| model.counts[2]).max().unwrap_or_default();
    let megabytes = learned.bytes as f64 / 1e6;
    // A test without training has no models, so it has no count of pairs.
    if pairs > 0 {
        viewer.note(&format!(
            "compared: {} of a played move and another legal move ({megabytes:.0} MB of memory)",
            counted(pairs as u64, "pair")
        ));
    }
    for model in learned.models.iter().filter(|model| !model.fit.converged) {
        let distance = model.fit.violation;
        viewer.warn(&format!(
            "{}: training stopped at a distance of {distance:.3} from the optimum",
            model.key
        ));
    }
}
