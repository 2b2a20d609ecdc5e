//! Owns the options of which moves count.

use std::ops::RangeInclusive;

use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use shakmaty::Color;

use crate::chess::Phase;
use crate::measure::Filter;
use crate::verbs::cli::completions::values;

/// Which moves count.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Filters")]
pub struct FilterArgs {
    /// Leave out moves 1 to N of each side (the opening).
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub skip_moves: u32,
    /// Leave out moves in positions beyond ±CP centipawns, and in those with a mate.
    #[arg(long, value_name = "CP")]
    pub max_eval: Option<u32>,
    /// Leave out moves without an alternative.
    #[arg(long)]
    pub skip_forced: bool,
    /// Count one side's moves, and its games and points, only.
    #[arg(long, value_parser = color())]
    pub color: Option<Color>,
    /// Count the games of these rounds only, as in 1-7,9.
    #[arg(long, value_name = "ROUNDS", value_delimiter = ',')]
    pub rounds: Vec<Rounds>,
    /// Count these phases only: opening, middlegame, endgame.
    #[arg(long, value_name = "PHASE", value_delimiter = ',', add = values(Phase::ALL))]
    pub phase: Vec<Phase>,
}

/// One round, or those from one to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rounds(pub RangeInclusive<u32>);

impl std::str::FromStr for Rounds {
    type Err = String;

    fn from_str(text: &str) -> Result<Rounds, String> {
        let number = |text: &str| text.trim().parse::<u32>().map_err(|_| ROUNDS.to_owned());
        let (first, last) = match text.split_once('-') {
            Some((first, last)) => (number(first)?, number(last)?),
            None => (number(text)?, number(text)?),
        };
        if first > last {
            return Err(format!("round {first} comes after round {last}"));
        }
        Ok(Rounds(first..=last))
    }
}

/// Reads a side by its name.
fn color() -> impl TypedValueParser<Value = Color> {
    PossibleValuesParser::new(["white", "black"])
        .map(|name| if name == "white" { Color::White } else { Color::Black })
}

const ROUNDS: &str = "write rounds as in 3, or 1-7";

impl FilterArgs {
    /// Returns which moves count.
    pub fn filter(&self) -> Filter {
        Filter {
            skip_moves: self.skip_moves,
            max_eval: self.max_eval,
            skip_forced: self.skip_forced,
            color: self.color,
            rounds: self.rounds.iter().map(|rounds| rounds.0.clone()).collect(),
            phases: self.phase.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::verbs::cli::Cli;

    #[test]
    fn rounds_are_numbers_and_ranges() {
        let cli = Cli::parse_from(["gainalyze", "a.pgn", "--rounds", "1-7,9"]);
        assert_eq!(cli.analyze.tournament.filter.filter().rounds, [1..=7, 9..=9]);
        assert!("7-1".parse::<Rounds>().is_err());
        assert!("one".parse::<Rounds>().is_err());
    }
}
