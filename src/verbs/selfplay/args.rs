//! Options of `selfplay`, and the plans made from them: players, openings, rules and the share played here.

use std::{path::PathBuf, str::FromStr, time::Duration};

use clap::{ArgGroup, Args, ValueHint};

use super::{entrant::EntrantPlan, experiment::ExperimentArgs};
use crate::chess::Shard;
use crate::engine::{EngineChoice, Purpose, Setting, Setup, choice::BUILTIN, uci::engine_line::MAX_DEPTH};
use crate::lab::{Adjudication, DrawRule, EntrantAnchor, Meetings, PairSelection, ResignRule, Restart};
use crate::numbers::Sprt;
use crate::verbs::{
    args::ConsoleArgs, args::ResultArgs, args::TerminalTables, args::engine_choice, args::or_cores,
    args::parse_jobs, args::values, args::words_or_files, plan::EnginePlan, plan::RunShare,
};

/// Default number of games per pair, as in Ferreira's experiment.
const GAMES: u32 = 200;

#[derive(Debug, Clone, Args)]
pub struct SelfplayArgs {
    /// Search depths in plies: 6-12, or 1,2,4-8.
    #[arg(long, value_name = "DEPTHS", required_unless_present_any = ["entrants", "recorded"])]
    pub depths: Option<Depths>,
    /// Games per pair of depths or entrants, half with each color.
    #[arg(long, value_name = "N", default_value_t = GAMES, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub games: u32,
    /// Pairs, separated by commas: `all` (each depth also against itself), `adjacent` (each depth against the next),
    /// `diagonal` (each depth against itself), or A-B (depth A against depth B).
    #[arg(long, value_name = "PAIRS", value_delimiter = ',', default_value = "all",
          add = values(["all", "adjacent", "diagonal"]))]
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
    /// Tables to show on the terminal; the files contain all tables.
    #[arg(long, value_name = "WHICH", default_value = "summary", help_heading = "Report")]
    pub tables: TerminalTables,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Entrants", group = ArgGroup::new("match").args(["entrants", "recorded"]))]
pub struct EntrantArgs {
    /// Entrant of a round robin, instead of --depths; name two or more, each with its own --entrant. ENGINE is
    /// `builtin`, a program, or a weights file for `builtin`; LIMIT is a depth, nodes=N or tc=8+0.08 [default: 10].
    ///
    /// NAME=deep:[ENGINE,]distance=20,plies=2,depth=6 plays by a tree of searches, of at most searches=N.
    /// NAME=spar:[SKILL,][ENGINE,]seed=1,elo=1500 plays by a skill function of `spar`: `even`, `meant`,
    /// `printed`, `fixed:DEPTH:P` or `random`.
    #[arg(long = "entrant", value_name = "NAME=ENGINE[,OPTION=VALUE…][@LIMIT]",
          conflicts_with_all = OF_DEPTHS)]
    pub entrants: Vec<EntrantPlan>,
    /// Play only the first entrant against each of the others.
    #[arg(long, requires = "entrants", conflicts_with_all = ["depths", "recorded"])]
    pub gauntlet: bool,
    /// Stop a match of two entrants when a sequential probability ratio test decides between two Elo differences; with
    /// --recorded, test their games. M is `normalized` or `logistic` [default: no test; without a value:
    /// model=normalized,elo0=0,elo1=10,alpha=.05,beta=.05].
    #[arg(long, value_name = "model=M,elo0=E,elo1=E,alpha=P,beta=P", requires = "match", conflicts_with = "depths",
          num_args = 0..=1, require_equals = true, default_missing_value = "model=normalized")]
    pub sprt: Option<Sprt>,
    /// Play nothing: rate the entrants of earlier round robins together, from their results.csv.
    #[arg(long, value_name = "RESULTS", value_hint = ValueHint::FilePath, num_args = 1..,
          conflicts_with_all = ["entrants", "games", "jobs", "restart", "openings", "random_plies", "seed",
          "adjudicate_draw", "adjudicate_resign", "max_moves", "hash", "engine_timeout"],
          conflicts_with_all = OF_DEPTHS)]
    pub recorded: Vec<PathBuf>,
}

/// The options that apply only to an engine at fixed depths.
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

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Engines")]
pub struct PlayerArgs {
    /// UCI engine, or `builtin` [default: $GAINALYZE_ENGINE, else Stockfish if installed, else builtin].
    #[arg(long, value_name = "PATH|builtin", value_hint = ValueHint::ExecutablePath,
          value_parser = engine_choice(), add = words_or_files([BUILTIN]))]
    pub engine: Option<EngineChoice>,
    /// Option of the engine; repeatable.
    #[arg(long = "engine-option", value_name = "NAME=VALUE")]
    pub engine_options: Vec<Setting>,
    /// Opponent of the engine: a UCI engine, or `builtin` [default: the engine itself].
    #[arg(long, value_name = "PATH|builtin", value_hint = ValueHint::ExecutablePath,
          value_parser = engine_choice(), add = words_or_files([BUILTIN]))]
    pub opponent: Option<EngineChoice>,
    /// Option of the opponent (the same engine unless --opponent names another); repeatable.
    #[arg(long = "opponent-option", value_name = "NAME=VALUE")]
    pub opponent_options: Vec<Setting>,
    /// Search depths of the opponent, in plies [default: those of --depths].
    #[arg(long, value_name = "DEPTHS")]
    pub opponent_depths: Option<Depths>,
    /// Hash table of each engine process, in megabytes [default: 64; builtin: 16].
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..))]
    pub hash: Option<u32>,
    /// Games played at a time [default: number of cores].
    #[arg(long, short, value_name = "N", value_parser = parse_jobs)]
    pub jobs: Option<u32>,
    /// Restart the engine processes this often.
    #[arg(long, value_enum, default_value_t)]
    pub restart: Restart,
    /// Seconds without a new depth, beyond the engine's time on the clock, after which the engine forfeits the game.
    #[arg(long, value_name = "SECONDS", default_value_t = Setup::TIMEOUT.as_secs(),
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub engine_timeout: u64,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Openings")]
pub struct OpeningArgs {
    /// Openings file: positions (EPD, FEN) or moves (PGN), each played with both colors [default: the initial
    /// position].
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub openings: Option<PathBuf>,
    /// Maximum number of plies of each opening of a PGN.
    #[arg(long, value_name = "N", requires = "openings")]
    pub opening_plies: Option<u32>,
    /// Number of random plies at the start of each game; both games of a pair begin with the same plies.
    #[arg(long, value_name = "N", conflicts_with = "openings", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub random_plies: Option<u32>,
    /// Random seed of the openings and their order.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Many machines")]
pub struct ShareArgs {
    /// Play only part K of N of the games (such as 3/40), into --output; the same command with --gather instead
    /// of --shard reports all parts.
    #[arg(long, value_name = "K/N", requires = "output", conflicts_with_all = ["sprt", "recorded"])]
    pub shard: Option<Shard>,
    /// Report all parts played with --shard as one, from these folders, without playing.
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, num_args = 1.., conflicts_with_all = ["shard", "sprt", "recorded"])]
    pub gather: Vec<PathBuf>,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Ends of games")]
pub struct RuleArgs {
    /// Adjudicate a draw if, from move MOVE on, both engines' scores stay within ±CP centipawns for N moves
    /// [default: off; without a value: from=40,moves=8,cp=10].
    #[arg(long, value_name = "from=MOVE,moves=N,cp=CP", num_args = 0..=1, require_equals = true,
          default_missing_value = "from=40,moves=8,cp=10")]
    pub adjudicate_draw: Option<DrawRule>,
    /// Adjudicate a loss if both engines score one side at −CP centipawns or less for N moves [default: off; without a
    /// value: moves=4,cp=600].
    #[arg(long, value_name = "moves=N,cp=CP", num_args = 0..=1, require_equals = true,
          default_missing_value = "moves=4,cp=600")]
    pub adjudicate_resign: Option<ResignRule>,
    /// Draw a game after N moves of each side.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub max_moves: Option<u32>,
}

#[derive(Debug, Clone)]
pub struct PlayingPlan {
    pub games: u32,
    /// Simultaneous games.
    pub jobs: usize,
    pub restart: Restart,
    pub openings: OpeningArgs,
    pub adjudication: Adjudication,
    pub share: RunShare,
}

/// A round robin of several entrants, or a gauntlet.
#[derive(Debug, Clone)]
pub struct EntrantsPlan {
    /// The entrants, each with a different name.
    pub entrants: Vec<EntrantPlan>,
    pub meetings: Meetings,
    /// The test that ends a match of two entrants.
    pub sprt: Option<Sprt>,
    pub playing: PlayingPlan,
    /// Entrants of known Elo. All ratings are shifted so that the mean of these entrants equals the mean of
    /// their known values.
    pub anchors: Vec<EntrantAnchor>,
    pub results: ResultArgs,
    pub tables: TerminalTables,
}

impl SelfplayArgs {
    pub fn entrants(&self) -> Result<EntrantsPlan, String> {
        let EntrantArgs { entrants, gauntlet, sprt, .. } = &self.entrants;
        let PlayerArgs { hash, engine_timeout, .. } = self.engines;
        let set_up =
            |entrant: &EntrantPlan| entrant.clone().set_up(hash, Duration::from_secs(engine_timeout));
        Ok(EntrantsPlan {
            entrants: entrants.iter().map(set_up).collect(),
            meetings: if *gauntlet { Meetings::Gauntlet } else { Meetings::RoundRobin },
            sprt: *sprt,
            playing: self.playing(),
            anchors: self.experiment.entrant_anchors()?,
            results: self.report.clone(),
            tables: self.tables,
        })
    }

    pub fn playing(&self) -> PlayingPlan {
        PlayingPlan {
            games: self.games,
            jobs: or_cores(self.engines.jobs).get(),
            restart: self.engines.restart,
            openings: self.openings.clone(),
            adjudication: self.rules.adjudication(),
            share: RunShare::of(self.share.shard, &self.share.gather),
        }
    }
}

impl PlayerArgs {
    pub fn engine(&self) -> EnginePlan {
        self.plan(self.engine.as_ref(), &self.engine_options)
    }

    /// Returns the opponent: another engine, or the same engine with other options or depths; `None` if the
    /// engine plays itself.
    pub fn opponent(&self) -> Option<EnginePlan> {
        let is_other =
            self.opponent.is_some() || !self.opponent_options.is_empty() || self.opponent_depths.is_some();
        is_other.then(|| self.plan(self.opponent.as_ref().or(self.engine.as_ref()), &self.opponent_options))
    }

    fn plan(&self, choice: Option<&EngineChoice>, options: &[Setting]) -> EnginePlan {
        EnginePlan {
            choice: choice.cloned().unwrap_or_default(),
            label: None,
            setup: Setup {
                hash: self.hash,
                settings: options.to_vec(),
                timeout: Duration::from_secs(self.engine_timeout),
                purpose: Purpose::Play,
            },
            jobs: or_cores(self.jobs).get(),
        }
    }
}

impl RuleArgs {
    /// Returns the rules that end a game in addition to the rules of chess.
    pub fn adjudication(&self) -> Adjudication {
        let RuleArgs { adjudicate_draw: draw, adjudicate_resign: resign, max_moves } = *self;
        Adjudication { draw, resign, max_moves }
    }
}

/// One or more depths, in ascending order and without duplicates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Depths(pub Vec<u32>);

impl FromStr for Depths {
    type Err = String;

    fn from_str(text: &str) -> Result<Depths, String> {
        let mut depths = Vec::new();
        for part in text.split(',') {
            depths.extend(range(part.trim())?);
        }
        depths.sort_unstable();
        match depths.windows(2).find(|two| two[0] == two[1]) {
            Some(two) => Err(format!("depth {} is given twice", two[0])),
            None => Ok(Depths(depths)),
        }
    }
}

/// Reads one depth, or a range of depths that includes both ends.
fn range(text: &str) -> Result<std::ops::RangeInclusive<u32>, String> {
    let (first, last) = match text.split_once("..=").or_else(|| text.split_once('-')) {
        Some((first, last)) => (depth(first)?, depth(last)?),
        None if text.contains("..") => {
            return Err(format!(
                "{text:?} is ambiguous, because the end may be included or excluded: to include it, write {}",
                text.replacen("..", "..=", 1)
            ));
        }
        None => (depth(text)?, depth(text)?),
    };
    if first > last {
        return Err(format!("depth {first} comes after depth {last}: write {last}-{first}"));
    }
    Ok(first..=last)
}

fn depth(text: &str) -> Result<u32, String> {
    let depth = text.trim().parse().ok().filter(|depth| (1..=MAX_DEPTH).contains(depth));
    depth.ok_or_else(|| match text.trim() {
        "" => format!("a depth is missing: write depths from 1 to {MAX_DEPTH} as in 6..=12, 6-12 or 1,2,4"),
        other => format!("{other:?} is not a depth from 1 to {MAX_DEPTH}: write 6..=12, 6-12 or 1,2,4"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_written_as_ranges_and_lists() {
        let depths = |text: &str| text.parse::<Depths>().expect("depths").0;
        assert_eq!(depths("6..=9"), [6, 7, 8, 9]);
        assert_eq!(depths("6-9"), depths("6..=9"));
        assert_eq!(depths("8, 1,2-4"), [1, 2, 3, 4, 8]);
    }

    #[test]
    fn depths_that_are_empty_reversed_or_doubled_are_refused() {
        let problem = |text: &str| text.parse::<Depths>().expect_err("bad depths");
        assert_eq!(problem("12..=6"), "depth 12 comes after depth 6: write 6-12");
        assert_eq!(problem("1,3-5,4"), "depth 4 is given twice");
        assert!(problem("").starts_with("a depth is missing"));
        assert!(problem("1,,2").starts_with("a depth is missing"));
        assert!(problem("6..12").ends_with("write 6..=12"));
        for bad in ["0", "246", "deep", "-3", "3-", "99999999999"] {
            assert!(bad.parse::<Depths>().is_err(), "{bad}");
        }
    }
}
