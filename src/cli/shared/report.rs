//! Owns the options of what is written, where, and as what.

use std::{collections::BTreeSet, path::PathBuf};

use clap::{Args, ValueEnum, ValueHint};

use crate::{formats::Format, report::plots::format::PictureFormat, tournament::filter::Split};

/// Where tables are written, and in what form.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Report")]
pub struct TableArgs {
    /// Folder for the files [default: the name of the PGN in reports/].
    #[arg(long, short, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
    /// File formats of the tables, separated by commas: csv, parquet, json.
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', default_value = "csv")]
    pub format: Vec<Format>,
}

/// What is written, and where.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Report")]
pub struct ReportArgs {
    #[command(flatten)]
    pub table: TableArgs,
    /// Write the games back with an [%eval] comment after each move.
    #[arg(long, value_name = "OUT.pgn", value_hint = ValueHint::FilePath)]
    pub annotate: Option<PathBuf>,
    /// Show each player's expected score by class of move too: phase, color, eval; several are
    /// separated by commas.
    #[arg(long, value_name = "SPLIT", value_delimiter = ',')]
    pub split: Vec<Split>,
    /// File formats of the pictures, separated by commas; or none.
    #[arg(long, value_enum, value_name = "FORMAT", value_delimiter = ',', default_value = "png")]
    pub plots: Vec<Plots>,
    /// Draw this game move by move: its number among all games read, as in column game of moves.csv;
    /// may be given several times.
    #[arg(long, value_name = "N")]
    pub game: Vec<usize>,
    /// Do not write report.html, the whole report as one page.
    #[arg(long)]
    pub no_html: bool,
    /// Show only players whose name is this or has this in it; may be given several times.
    #[arg(long, value_name = "NAME")]
    pub player: Vec<String>,
}

/// What pictures are written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Plots {
    /// PNG files.
    Png,
    /// SVG files.
    Svg,
    /// No pictures.
    None,
}

impl ReportArgs {
    /// Says what is wrong where choices of pictures do not go together.
    pub fn problem(&self) -> Option<String> {
        if !self.plots.contains(&Plots::None) {
            return None;
        }
        if self.plots.iter().any(|&plots| plots != Plots::None) {
            return Some(Plots::NONE_AND_OTHERS.to_owned());
        }
        // The page shows the games that are asked for.
        let game = self.game.first().filter(|_| self.no_html)?;
        Some(format!(
            "--game {game} asks for a picture, --plots none and --no-html for none: leave one of them out"
        ))
    }

    /// The files that each picture is written as.
    pub fn pictures(&self) -> BTreeSet<PictureFormat> {
        Plots::pictures(&self.plots)
    }
}

impl Plots {
    /// What is wrong with a list that has `none` and something else.
    pub const NONE_AND_OTHERS: &str =
        "--plots none cannot go with another format: write png, svg, png,svg or none";

    /// The files that each picture is written as.
    pub fn pictures(plots: &[Plots]) -> BTreeSet<PictureFormat> {
        plots.iter().filter_map(|plots| plots.format()).collect()
    }

    /// The format, where it is one.
    fn format(self) -> Option<PictureFormat> {
        match self {
            Plots::Png => Some(PictureFormat::Png),
            Plots::Svg => Some(PictureFormat::Svg),
            Plots::None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn pictures_are_a_list_of_formats_or_none() {
        let report = |args: &[&str]| {
            let args = [&["gainalyze", "a.pgn"], args].concat();
            Cli::try_parse_from(args).map(|cli| cli.analyze.report)
        };
        let fine = |args: &[&str]| {
            let report = report(args).expect("options");
            assert_eq!(report.problem(), None);
            report.pictures().into_iter().collect::<Vec<_>>()
        };
        assert_eq!(fine(&[]), [PictureFormat::Png]);
        assert_eq!(fine(&["--plots", "svg,png,svg"]), PictureFormat::ALL);
        assert_eq!(fine(&["--plots", "none"]), []);
        assert_eq!(fine(&["--plots", "none", "--game", "2"]), [], "the page has it");
        for bad in [&["--plots", "png,none"][..], &["--plots", "none", "--no-html", "--game", "2"]] {
            assert!(report(bad).expect("options").problem().is_some(), "{bad:?}");
        }
        assert!(report(&["--plots", "gif"]).is_err());
    }
}
