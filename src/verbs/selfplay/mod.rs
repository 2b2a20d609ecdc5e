//! Owns the verb `selfplay`: an engine plays itself at fixed depths, or entrants each other, and what follows from the games is told.

mod depths;
mod entrant;
mod experiment;
pub mod round_robin;

use std::{path::PathBuf, time::Duration};

use chrono::Utc;
use clap::{Args, ValueHint};

use self::{depths::Depths, entrant::EntrantArg, experiment::ExperimentArgs};
use crate::chess::{Shard, text::counted, text::full_path};
use crate::engine::{EngineChoice, Purpose, Setting, Setup};
use crate::files::{FileError, FileNames, OutputFolder, Publication, output::command_line};
use crate::lab::{
    Adjudication, DrawRule, ExperimentConfig, GameHeader, GameRecord, Meetings, PairSelection, ResignRule,
    Restart, RunningScores, ScheduledGame, experiment::by_pair, selfplay::results,
    selfplay::schedule::schedule,
};
use crate::numbers::Sprt;
use crate::report::{experiment::EXPERIMENT, experiment::Facts, tables};
use crate::verbs::{
    app::design, app::design::Designed, app::plan::EnginePlan, app::plan::EntrantPlan,
    app::plan::EntrantsPlan, app::plan::OpeningPlan, app::plan::OpponentPlan, app::plan::PlayingPlan,
    app::plan::RunShare, app::plan::SelfplayPlan, app::reading, args::ConsoleArgs, args::ResultArgs,
    args::engine_choice, args::or_cores, args::parse_jobs, error::VerbError, runs, runs::Finished,
    runs::Viewer, runs::games::GamesSession, runs::games::PlayedGames, runs::games::claim,
    runs::games::ending,
};

#[derive(Debug, Clone, Args)]
pub struct SelfplayArgs {
    /// Depths in plies that the engine plays to: 6..=12, 6-12 or 1,2,4-8.
    #[arg(long, value_name = "DEPTHS", required_unless_present_any = ["entrants", "recorded"])]
    pub depths: Option<Depths>,
    /// Games of each pair of depths or entrants, half of them with each colour.
    #[arg(long, value_name = "N", default_value_t = PlayingPlan::GAMES, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub games: u32,
    /// Who meets whom, separated by commas: all, every depth itself too; adjacent, every depth the
    /// next one; diagonal, every depth itself; A-B, depth A depth B.
    #[arg(long, value_name = "PAIRS", value_delimiter = ',', default_value = "all")]
    pub pairs: Vec<PairSelection>,
    #[command(flatten)]
    pub console: ConsoleArgs,
    #[command(flatten)]
    pub engines: PlayerArgs,
    #[command(flatten)]
    pub entrants: EntrantArgs,
    #[command(flatten)]
    pub openings: OpeningArgs,
    #[command(flatten)]
    pub rules: RuleArgs,
    #[command(flatten)]
    pub share: ShareArgs,
    #[command(flatten)]
    pub experiment: ExperimentArgs,
    #[command(flatten)]
    pub report: ResultArgs,
}

/// Who plays, where several entrants meet.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Entrants")]
pub struct EntrantArgs {
    /// Somebody who plays, in place of --depths: ENGINE is builtin, a program or a file of weights for
    /// builtin, and LIMIT a depth or nodes=N [default: 20, of builtin 10]; given for each of two or
    /// more, of whom everybody meets everybody else.
    ///
    /// NAME=deep:[ENGINE,]distance=20,plies=2,depth=6 plays by a tree of searches, of searches=N at most;
    /// NAME=spar:[SKILL,][ENGINE,]seed=1,elo=1500 as well as a skill function of spar wants, which is
    /// even, meant, printed, fixed:DEPTH:P or random.
    #[arg(long = "entrant", value_name = "NAME=ENGINE[,OPTION=VALUE…][@LIMIT]",
          conflicts_with_all = OF_DEPTHS)]
    pub entrants: Vec<EntrantArg>,
    /// Let the first entrant alone meet the others.
    #[arg(long, requires = "entrants", conflicts_with_all = ["depths", "recorded"])]
    pub gauntlet: bool,
    /// End the match of two entrants as soon as a sequential test tells which of two Elo differences
    /// holds [default: no test; with the option alone elo0=0,elo1=10,alpha=.05,beta=.05].
    #[arg(long, value_name = "elo0=E,elo1=E,alpha=P,beta=P", requires = "entrants", conflicts_with_all = ["depths", "recorded"], num_args = 0..=1,
          require_equals = true, default_missing_value = "elo0=0,elo1=10,alpha=.05,beta=.05")]
    pub sprt: Option<Sprt>,
    /// Play nothing: rate the entrants of results.csv of earlier round robins, all together.
    #[arg(long, value_name = "RESULTS", value_hint = ValueHint::FilePath, num_args = 1..,
          conflicts_with_all = ["entrants", "games", "jobs", "restart", "openings", "random_plies", "seed",
          "adjudicate_draw", "adjudicate_resign", "max_moves", "hash", "engine_timeout"],
          conflicts_with_all = OF_DEPTHS)]
    pub recorded: Vec<PathBuf>,
}

/// The options that only an engine at fixed depths has.
const OF_DEPTHS: [&str; 10] = [
    "depths",
    "pairs",
    "engine",
    "engine_options",
    "opponent",
    "opponent_options",
    "opponent_depths",
    "fit",
    "rows",
    "calibrate",
];

/// Who plays.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Engines")]
pub struct PlayerArgs {
    /// The UCI engine, or builtin for the one within [default: $GAINALYZE_ENGINE, else stockfish on
    /// PATH or where package managers put it, else builtin].
    #[arg(long, value_name = "PATH|builtin", value_hint = ValueHint::ExecutablePath,
          value_parser = engine_choice())]
    pub engine: Option<EngineChoice>,
    /// Set an option of the engine; may be given several times.
    #[arg(long = "engine-option", value_name = "NAME=VALUE")]
    pub engine_options: Vec<Setting>,
    /// Another UCI engine, or builtin, which the engine meets instead of itself.
    #[arg(long, value_name = "PATH|builtin", value_hint = ValueHint::ExecutablePath,
          value_parser = engine_choice())]
    pub opponent: Option<EngineChoice>,
    /// Set an option of the opponent, which is the same engine unless --opponent names another; may
    /// be given several times.
    #[arg(long = "opponent-option", value_name = "NAME=VALUE")]
    pub opponent_options: Vec<Setting>,
    /// Depths in plies that the opponent plays to [default: those of --depths].
    #[arg(long, value_name = "DEPTHS")]
    pub opponent_depths: Option<Depths>,
    /// Hash table of each engine process in megabytes [default: 64; of the engine within 16].
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..))]
    pub hash: Option<u32>,
    /// Games at a time, each with two engine processes of which one thinks [default: the cores].
    #[arg(long, short, value_name = "N", value_parser = parse_jobs)]
    pub jobs: Option<u32>,
    /// When fresh engine processes are started: for every game, for every pair of games with
    /// exchanged colours, or never again.
    #[arg(long, value_enum, default_value_t)]
    pub restart: Restart,
    /// Seconds that an engine may take from one depth of a search to the next, beyond its clock, before it has lost.
    #[arg(long, value_name = "SECONDS", default_value_t = Setup::TIMEOUT.as_secs(),
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub engine_timeout: u64,
}

/// Where games begin.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Openings")]
pub struct OpeningArgs {
    /// Begin with the positions (EPD, FEN) or the moves (PGN) of this file, each with both colours
    /// [default: the usual start].
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub openings: Option<PathBuf>,
    /// Take at most this many half-moves of each game of a PGN.
    #[arg(long, value_name = "N", requires = "openings")]
    pub opening_plies: Option<u32>,
    /// Begin with this many random half-moves, the same ones with both colours.
    #[arg(long, value_name = "N", conflicts_with = "openings", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub random_plies: Option<u32>,
    /// Where the random numbers begin that choose the openings and their order.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// Which games are played here.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Many machines")]
pub struct ShareArgs {
    /// Play the third of forty equal parts of the games (3/40) into a folder of its own, and report nothing: the same command
    /// with --gather in place of --shard makes one experiment of all.
    #[arg(long, value_name = "K/N", requires = "output", conflicts_with_all = ["sprt", "recorded"])]
    pub shard: Option<Shard>,
    /// Play nothing: take the games from the folders in which parts of them were played; all must be there.
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, num_args = 1.., conflicts_with_all = ["shard", "sprt", "recorded"])]
    pub gather: Vec<PathBuf>,
}

impl ShareArgs {
    fn plan(&self) -> RunShare {
        RunShare::of(self.shard, &self.gather)
    }
}

/// When games end before the rules of chess end them.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Ends of games")]
pub struct RuleArgs {
    /// Draw a game where from move FROM on both engines' scores stay within ±CP centipawns for so many
    /// moves [default: no such rule; with the option alone from=40,moves=8,cp=10].
    #[arg(long, value_name = "from=MOVE,moves=N,cp=CP", num_args = 0..=1, require_equals = true,
          default_missing_value = "from=40,moves=8,cp=10")]
    pub adjudicate_draw: Option<DrawRule>,
    /// End a game where both engines see one side at least CP centipawns behind for so many moves
    /// [default: no such rule; with the option alone moves=4,cp=600].
    #[arg(long, value_name = "moves=N,cp=CP", num_args = 0..=1, require_equals = true,
          default_missing_value = "moves=4,cp=600")]
    pub adjudicate_resign: Option<ResignRule>,
    /// Draw a game after so many moves of each side.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub max_moves: Option<u32>,
}

impl SelfplayArgs {
    fn entrants(&self) -> Result<EntrantsPlan, String> {
        let EntrantArgs { entrants, gauntlet, sprt, .. } = &self.entrants;
        Ok(EntrantsPlan {
            entrants: entrants.iter().map(|entrant| self.engines.entrant(entrant)).collect(),
            meetings: if *gauntlet { Meetings::Gauntlet } else { Meetings::RoundRobin },
            sprt: *sprt,
            playing: self.playing(),
            anchors: self.experiment.entrant_anchors()?,
            results: self.report.clone(),
        })
    }

    fn plan(&self, depths: &Depths) -> Result<SelfplayPlan, String> {
        Ok(SelfplayPlan {
            depths: depths.as_slice().to_vec(),
            pairings: self.pairs.clone(),
            engine: self.engines.engine(),
            opponent: self.engines.opponent(depths),
            playing: self.playing(),
            choices: self.experiment.choices()?,
            anchor_report: self.experiment.anchor_report(),
            results: self.report.clone(),
        })
    }

    fn playing(&self) -> PlayingPlan {
        let OpeningArgs { openings, opening_plies, random_plies, seed } = &self.openings;
        PlayingPlan {
            games: self.games,
            jobs: or_cores(self.engines.jobs),
            restart: self.engines.restart,
            openings: match (openings, random_plies) {
                (Some(path), _) => OpeningPlan::File { path: path.clone(), plies: *opening_plies },
                (None, Some(plies)) => OpeningPlan::Random(*plies),
                (None, None) => OpeningPlan::Usual,
            },
            seed: *seed,
            adjudication: self.rules.adjudication(),
            share: self.share.plan(),
        }
    }
}

impl PlayerArgs {
    fn engine(&self) -> EnginePlan {
        self.plan(self.engine.as_ref(), &self.engine_options)
    }

    /// Returns another engine, or the same one with other options or depths; `None` where the engine meets itself.
    fn opponent(&self, depths: &Depths) -> Option<OpponentPlan> {
        let is_other =
            self.opponent.is_some() || !self.opponent_options.is_empty() || self.opponent_depths.is_some();
        is_other.then(|| OpponentPlan {
            engine: self.plan(self.opponent.as_ref().or(self.engine.as_ref()), &self.opponent_options),
            depths: self.opponent_depths.as_ref().unwrap_or(depths).as_slice().to_vec(),
        })
    }

    fn entrant(&self, entrant: &EntrantArg) -> EntrantPlan {
        entrant.plan(self.hash, Duration::from_secs(self.engine_timeout))
    }

    fn plan(&self, choice: Option<&EngineChoice>, options: &[Setting]) -> EnginePlan {
        EnginePlan {
            choice: choice.cloned().unwrap_or_default(),
            setup: Setup {
                hash: self.hash,
                settings: options.to_vec(),
                timeout: Duration::from_secs(self.engine_timeout),
                purpose: Purpose::Play,
            },
            jobs: or_cores(self.jobs),
        }
    }
}

impl RuleArgs {
    /// Returns the rules beyond those of chess.
    pub fn adjudication(&self) -> Adjudication {
        let RuleArgs { adjudicate_draw: draw, adjudicate_resign: resign, max_moves } = *self;
        Adjudication { draw, resign, max_moves }
    }
}

/// Plays what `args` describe, or goes on with it, or rates what was played.
pub fn run(args: &SelfplayArgs, viewer: &mut dyn Viewer) -> Result<Finished, VerbError> {
    args.report.pictures.check()?;
    let EntrantArgs { entrants, recorded, .. } = &args.entrants;
    match &args.depths {
        Some(depths) => play_depths(&args.plan(depths)?, viewer),
        None if entrants.is_empty() => {
            round_robin::rate_recorded(recorded, &args.experiment.entrant_anchors()?, &args.report, viewer)
        }
        None => round_robin::run(&args.entrants()?, viewer),
    }
}

/// Plays the experiment of `plan`, or goes on with it.
fn play_depths(plan: &SelfplayPlan, viewer: &mut dyn Viewer) -> Result<Finished, VerbError> {
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
    runs::say_removed(&out.finish(&played.record(&folder))?, viewer);
    let PlayedGames { records, effort, .. } = played;
    effort?;
    let mut tables = tables::matches(&by_pair(&records), viewer.screen());
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
    let failed = |source| FileError::Write(out.folder().join(results::FILE), source);
    Ok(out.write(results::FILE, |file| results::write(records, file).map_err(failed))?)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::verbs::cli::{Cli, Verb};

    fn parse(args: &[&str]) -> Result<SelfplayArgs, String> {
        let args = [&["gainalyze", "selfplay"], args].concat();
        match Cli::try_parse_from(args).map(|cli| cli.verb) {
            Ok(Some(Verb::Selfplay(args))) => Ok(*args),
            Ok(_) => panic!("the verb is selfplay"),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn depths_or_entrants_are_needed() {
        assert!(parse(&[]).expect_err("no depths").contains("--depths"));
    }

    #[test]
    fn a_rule_is_on_with_its_usual_numbers_or_with_others() {
        let rules = |args: &[&str]| {
            let args = [&["--depths", "1,2"], args].concat();
            parse(&args).map(|args| args.rules.adjudication().to_string())
        };
        assert_eq!(rules(&[]).as_deref(), Ok(""));
        let both = rules(&["--adjudicate-draw", "--adjudicate-resign=cp=900"]);
        assert_eq!(both.as_deref(), Ok("draw from=40,moves=8,cp=10; resign moves=4,cp=900"));
        assert_eq!(rules(&["--max-moves", "150"]).as_deref(), Ok("max-moves 150"));
        assert!(rules(&["--adjudicate-draw=speed=9"]).is_err());
    }

    #[test]
    fn an_opponent_is_another_engine_other_options_or_other_depths() {
        let opponent = |args: &[&str]| {
            let args = parse(&[&["--depths", "1,2"], args].concat()).expect("options");
            args.engines.opponent(args.depths.as_ref().expect("depths")).is_some()
        };
        assert!(!opponent(&["--engine", "a"]));
        for args in [["--opponent", "b"], ["--opponent-option", "Hash=1"], ["--opponent-depths", "5"]] {
            assert!(opponent(&args));
        }
        assert!(parse(&["--depths", "1", "--openings", "a", "--random-plies", "4"]).is_err());
    }
}
