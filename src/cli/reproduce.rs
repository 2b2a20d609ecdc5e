//! Owns the options of `reproduce`.

use clap::{Args, ValueEnum};

use crate::papers::Paper;

/// Options of `reproduce`.
#[derive(Debug, Args)]
pub struct ReproduceArgs {
    /// The paper.
    #[arg(value_enum)]
    pub paper: PaperName,
}

/// A paper whose numbers come with the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PaperName {
    /// D. R. Ferreira, "The Impact of Search Depth on Chess Playing Strength".
    #[value(name = "ferreira-2013")]
    Ferreira2013,
    /// E. A. Heinz, "A New Self-Play Experiment in Computer Chess".
    #[value(name = "heinz-2000")]
    Heinz2000,
}

impl PaperName {
    /// The paper meant.
    pub fn paper(self) -> Paper {
        match self {
            PaperName::Ferreira2013 => Paper::Ferreira2013,
            PaperName::Heinz2000 => Paper::Heinz2000,
        }
    }
}
