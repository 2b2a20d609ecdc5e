//! Options of the measurement: the method and the moves to count.

use std::ops::RangeInclusive;

use clap::{Args, builder::PossibleValuesParser, builder::TypedValueParser};
use shakmaty::Color;

use super::{evaluations::SourceArgs, games::GamesArgs, values};
use crate::chess::{Clip, Metric, Phase};
use crate::measure::{EngineHistogram, Filter, GivenElo, Method};
use crate::numbers::{Band, BinWidth, Bootstrap, EloCurve};

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Method")]
pub struct GainArgs {
    /// Clip evaluations to ±CP centipawns before computing gains; a mate counts as ±CP.
    #[arg(long, value_name = "CP", default_value_t = Clip::default().cp(),
          value_parser = clap::value_parser!(i32).range(1..=i64::from(Clip::MAX)))]
    pub clip: i32,
    /// Width of a histogram bin, in the metric's unit.
    #[arg(long, value_name = "UNITS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub bin: u32,
    /// Two gains tie if they differ by at most UNITS, in the metric's unit.
    #[arg(long, value_name = "UNITS", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub tie: u32,
    /// Curve from expected score to Elo difference.
    #[arg(long, value_enum, default_value_t)]
    pub elo_curve: EloCurve,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Method")]
pub struct MethodArgs {
    #[command(flatten)]
    pub gain: GainArgs,
    /// Unit of gain.
    #[arg(long, value_enum, default_value_t)]
    pub metric: Metric,
    /// Histogram of the engine's own gains.
    #[arg(long, value_enum, default_value_t)]
    pub engine_histogram: EngineHistogram,
    /// Elo of a player, instead of the PGN's tags; repeatable.
    #[arg(long, value_name = "NAME=ELO")]
    pub elo: Vec<GivenElo>,
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Method")]
pub struct BootstrapArgs {
    /// Bootstrap samples (whole games) for the intervals; 0 for none.
    #[arg(long, value_name = "SAMPLES", default_value_t = Bootstrap::default().samples, value_parser = samples)]
    pub bootstrap: u32,
    /// Random seed of the bootstrap and of --sample.
    #[arg(long, value_name = "N", default_value_t = Bootstrap::default().seed)]
    pub seed: u64,
}

/// Reads a number of bootstrap samples: 0, or enough for the ends of a 95 % interval.
fn samples(text: &str) -> Result<u32, String> {
    let count = text.parse::<u32>().ok();
    let count = count.filter(|&count| count == 0 || (Bootstrap::LEAST..=MOST_SAMPLES).contains(&count));
    count.ok_or_else(|| format!("write 0 for none, or a number from {} to {MOST_SAMPLES}", Bootstrap::LEAST))
}

/// The largest number of samples. More samples would fill the memory and add no information.
const MOST_SAMPLES: u32 = 1_000_000;

impl GainArgs {
    /// Returns the method for gains in `metric` of the moves that `filter` admits. Fails if two options
    /// contradict each other.
    pub fn method(&self, metric: Metric, filter: &FilterArgs) -> Result<Method, String> {
        let bin = BinWidth::new(self.bin).expect("a width within clap's range");
        let band = Band::new(bin, self.tie)
            .map_err(|wrong| format!("--tie {} contradicts --bin {}: {wrong}", self.tie, self.bin))?;
        Ok(Method {
            clip: Clip::new(self.clip).expect("a clip within clap's range"),
            metric,
            band,
            engine_histogram: EngineHistogram::default(),
            curve: self.elo_curve,
            filter: filter.filter(),
            // There are no bootstrap intervals unless the user asks for them.
            bootstrap: Bootstrap { samples: 0, ..Bootstrap::default() },
        })
    }
}

impl MethodArgs {
    /// Returns the method for the moves that `filter` admits, with the bootstrap for the intervals. Fails if
    /// two options contradict each other.
    pub fn method(&self, filter: &FilterArgs, bootstrap: Bootstrap) -> Result<Method, String> {
        let method = self.gain.method(self.metric, filter)?;
        Ok(Method { engine_histogram: self.engine_histogram, bootstrap, ..method })
    }
}

impl BootstrapArgs {
    pub fn bootstrap(&self) -> Bootstrap {
        Bootstrap { samples: self.bootstrap, seed: self.seed }
    }
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Filters")]
pub struct FilterArgs {
    /// Skip the first N moves of each side (the opening).
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub skip_moves: u32,
    /// Skip moves in positions with a score beyond ±CP centipawns or a forced mate.
    #[arg(long, value_name = "CP")]
    pub max_eval: Option<u32>,
    /// Skip forced moves (only one legal move).
    #[arg(long)]
    pub skip_forced: bool,
    /// Count only this side's moves, games and points.
    #[arg(long, value_parser = color())]
    pub color: Option<Color>,
    /// Count only games of these rounds, such as 1-7,9.
    #[arg(long, value_name = "ROUNDS", value_delimiter = ',', value_parser = rounds)]
    pub rounds: Vec<RangeInclusive<u32>>,
    /// Count only these phases, separated by commas: opening, middlegame, endgame.
    #[arg(long, value_name = "PHASE", value_delimiter = ',', add = values(Phase::ALL))]
    pub phase: Vec<Phase>,
}

/// Reads one round, or a range of rounds.
fn rounds(text: &str) -> Result<RangeInclusive<u32>, String> {
    let number = |text: &str| {
        text.trim().parse::<u32>().map_err(|_| "write a round like 3, or a range like 1-7".to_owned())
    };
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (number(first)?, number(last)?);
    if first > last {
        return Err(format!("round {first} comes after round {last}: write {last}-{first}"));
    }
    Ok(first..=last)
}

fn color() -> impl TypedValueParser<Value = Color> {
    PossibleValuesParser::new(["white", "black"])
        .map(|name| if name == "white" { Color::White } else { Color::Black })
}

impl FilterArgs {
    pub fn filter(&self) -> Filter {
        let FilterArgs { skip_moves, max_eval, skip_forced, color, rounds, phase: phases } = self.clone();
        Filter { skip_moves, max_eval, skip_forced, color, rounds, phases }
    }
}

#[derive(Debug, Clone, Args)]
pub struct TournamentArgs {
    #[command(flatten)]
    pub taken: GamesArgs,
    #[command(flatten)]
    pub source: SourceArgs,
    #[command(flatten)]
    pub method: MethodArgs,
    #[command(flatten)]
    pub filter: FilterArgs,
}

impl TournamentArgs {
    /// Returns the method with this bootstrap for the intervals. Fails if two options contradict each other.
    pub fn method(&self, bootstrap: Bootstrap) -> Result<Method, String> {
        self.method.method(&self.filter, bootstrap)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::verbs::Cli;

    #[test]
    fn rounds_are_numbers_and_ranges() {
        let cli = Cli::parse_from(["gainalyze", "a.pgn", "--rounds", "1-7,9"]);
        assert_eq!(cli.analyze.tournament.filter.filter().rounds, [1..=7, 9..=9]);
        assert!(rounds("7-1").is_err());
        assert!(rounds("one").is_err());
    }
}
