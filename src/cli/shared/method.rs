//! Owns the options of the method: how gains become scores and ratings, and how sure these are.

use clap::Args;

use super::FilterArgs;
use crate::{
    rating::elo::EloCurve,
    score::Clip,
    stats::{
        band::{Band, BrokenBin},
        bootstrap::Bootstrap,
        histogram::BinWidth,
    },
    tournament::{EngineHistogram, Method, Metric},
};

/// Choices of method.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Method")]
pub struct MethodArgs {
    /// Clamp evaluations to ±CP centipawns before a gain is taken; a mate counts ±CP.
    #[arg(long, value_name = "CP", default_value_t = Clip::default().cp(),
          value_parser = clap::value_parser!(i32).range(1..=i64::from(Clip::MAX)))]
    pub clip: i32,
    /// What a gain is counted in.
    #[arg(long, value_enum, default_value_t)]
    pub metric: Metric,
    /// Width of a bin of gain in the metric's unit.
    #[arg(long, value_name = "UNITS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub bin: u32,
    /// Count gains within ±UNITS of the engine's as a tie, in the metric's unit.
    #[arg(long, value_name = "UNITS", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub tie: u32,
    /// What the engine's own gains are taken to be.
    #[arg(long, value_enum, default_value_t)]
    pub engine_histogram: EngineHistogram,
    /// From expected score to Elo difference.
    #[arg(long, value_enum, default_value_t)]
    pub elo_curve: EloCurve,
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

/// None, or enough for the ends of an interval of 95 %.
fn samples(text: &str) -> Result<u32, String> {
    let count = text.parse::<u32>().ok();
    let count = count.filter(|&count| count == 0 || (Bootstrap::LEAST..=MOST_SAMPLES).contains(&count));
    count.ok_or_else(|| format!("write 0 for none, or a number from {} to {MOST_SAMPLES}", Bootstrap::LEAST))
}

/// Samples beyond these tell nothing more, and fill the memory.
const MOST_SAMPLES: u32 = 1_000_000;

/// A rating on the command line, `NAME=ELO`.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenElo {
    /// The player, or a part of the name that only one player has.
    pub name: String,
    /// Elo points.
    pub elo: f64,
}

impl std::str::FromStr for GivenElo {
    type Err = String;

    fn from_str(text: &str) -> Result<GivenElo, String> {
        let (name, elo) = text.rsplit_once('=').ok_or("write NAME=ELO, as in \"Carlsen, Magnus=2872\"")?;
        let elo = elo.trim().parse::<f64>().ok().filter(|elo| (1.0..=10_000.0).contains(elo));
        let elo = elo.ok_or("the Elo is a number from 1 to 10000")?;
        match name.trim() {
            "" => Err("the player's name is missing before =".to_owned()),
            name => Ok(GivenElo { name: name.to_owned(), elo }),
        }
    }
}

impl MethodArgs {
    /// Says what is wrong where two choices do not go together.
    pub fn problem(&self) -> Option<String> {
        let MethodArgs { tie, bin, .. } = *self;
        self.band().err().map(|wrong| format!("--tie {tie} does not go with --bin {bin}: {wrong}"))
    }

    fn band(&self) -> Result<Band, BrokenBin> {
        Band::new(BinWidth::new(self.bin).expect("a width within clap's range"), self.tie)
    }

    /// The choices of method, with the moves that count and the samples behind the intervals.
    pub fn method(&self, filter: &FilterArgs, bootstrap: Bootstrap) -> Method {
        Method {
            clip: Clip::new(self.clip).expect("a clip within clap's range"),
            metric: self.metric,
            band: self.band().expect("a tie of whole bins, as was checked"),
            engine_histogram: self.engine_histogram,
            curve: self.elo_curve,
            filter: filter.filter(),
            bootstrap,
        }
    }
}

impl BootstrapArgs {
    /// The samples behind the intervals.
    pub fn bootstrap(&self) -> Bootstrap {
        Bootstrap { samples: self.bootstrap, seed: self.seed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_is_what_stands_behind_the_last_equals_sign() {
        let given: GivenElo = "A=B, Magnus = 2872.5".parse().expect("a rating");
        assert_eq!(given, GivenElo { name: "A=B, Magnus".to_owned(), elo: 2872.5 });
        assert!("Carlsen".parse::<GivenElo>().is_err());
        assert!("Carlsen=strong".parse::<GivenElo>().is_err());
        assert!("=2700".parse::<GivenElo>().is_err());
    }
}
