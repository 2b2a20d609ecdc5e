//! Owns the options of the method: how gains become scores and ratings, and how sure these are.

use clap::Args;

use super::FilterArgs;
use crate::chess::{Clip, Metric};
use crate::measure::{EngineHistogram, GivenElo, Method};
use crate::numbers::{Band, BinWidth, Bootstrap, EloCurve};

/// How gains are counted and turned into ratings.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Method")]
pub struct GainArgs {
    /// Clamp evaluations to ±CP centipawns before a gain is taken; a mate counts ±CP.
    #[arg(long, value_name = "CP", default_value_t = Clip::default().cp(),
          value_parser = clap::value_parser!(i32).range(1..=i64::from(Clip::MAX)))]
    pub clip: i32,
    /// Width of a bin of gain in the metric's unit.
    #[arg(long, value_name = "UNITS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub bin: u32,
    /// Count gains within ±UNITS of the engine's as a tie, in the metric's unit.
    #[arg(long, value_name = "UNITS", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub tie: u32,
    /// From expected score to Elo difference.
    #[arg(long, value_enum, default_value_t)]
    pub elo_curve: EloCurve,
}

/// Choices of method.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Method")]
pub struct MethodArgs {
    /// How gains are counted.
    #[command(flatten)]
    pub gain: GainArgs,
    /// What a gain is counted in.
    #[arg(long, value_enum, default_value_t)]
    pub metric: Metric,
    /// What the engine's own gains are taken to be.
    #[arg(long, value_enum, default_value_t)]
    pub engine_histogram: EngineHistogram,
    /// A player's Elo, in place of the PGN's tags; may be given several times.
    #[arg(long, value_name = "NAME=ELO")]
    pub elo: Vec<GivenElo>,
}

/// Intervals from samples of games.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Method")]
pub struct BootstrapArgs {
    /// Samples of whole games behind the intervals by bootstrap; 0 for none.
    #[arg(long, value_name = "SAMPLES", default_value_t = Bootstrap::default().samples, value_parser = samples)]
    pub bootstrap: u32,
    /// Where the random numbers of the samples begin, and the lots of --sample.
    #[arg(long, value_name = "N", default_value_t = Bootstrap::default().seed)]
    pub seed: u64,
}

/// Reads a number of samples: none, or enough for the ends of an interval of 95 %.
fn samples(text: &str) -> Result<u32, String> {
    let count = text.parse::<u32>().ok();
    let count = count.filter(|&count| count == 0 || (Bootstrap::LEAST..=MOST_SAMPLES).contains(&count));
    count.ok_or_else(|| format!("write 0 for none, or a number from {} to {MOST_SAMPLES}", Bootstrap::LEAST))
}

/// Samples beyond these tell nothing more, and fill the memory.
const MOST_SAMPLES: u32 = 1_000_000;

impl GainArgs {
    /// Returns the choices of method for gains in `metric`, with the moves that count; says what is wrong
    /// where two of them do not go together.
    pub fn method(&self, metric: Metric, filter: &FilterArgs) -> Result<Method, String> {
        let bin = BinWidth::new(self.bin).expect("a width within clap's range");
        let band = Band::new(bin, self.tie)
            .map_err(|wrong| format!("--tie {} does not go with --bin {}: {wrong}", self.tie, self.bin))?;
        Ok(Method {
            clip: Clip::new(self.clip).expect("a clip within clap's range"),
            metric,
            band,
            engine_histogram: EngineHistogram::default(),
            curve: self.elo_curve,
            filter: filter.filter(),
            // No interval by bootstrap where nobody asks for one.
            bootstrap: Bootstrap { samples: 0, ..Bootstrap::default() },
        })
    }
}

impl MethodArgs {
    /// Returns the choices of method, with the moves that count and the samples behind the intervals; says what is
    /// wrong where two of them do not go together.
    pub fn method(&self, filter: &FilterArgs, bootstrap: Bootstrap) -> Result<Method, String> {
        let method = self.gain.method(self.metric, filter)?;
        Ok(Method { engine_histogram: self.engine_histogram, bootstrap, ..method })
    }
}

impl BootstrapArgs {
    /// Returns the samples behind the intervals.
    pub fn bootstrap(&self) -> Bootstrap {
        Bootstrap { samples: self.bootstrap, seed: self.seed }
    }
}
