//! Owns the options of what is written, where, and as what.

use std::{collections::BTreeSet, path::PathBuf};

use clap::{
    Args, ValueEnum, ValueHint,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};

use super::player_name;
use crate::chess::NameMatcher;
use crate::files::{Format, Overwrite, PictureFormat};
use crate::measure::{RankedFrom, Split};
use crate::verbs::app::plan::{ReportPlan, ResultPlan, TablePlan, TerminalTables};
use crate::verbs::cli::completions::values;

/// Where tables are written, and in what form.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Report")]
pub struct TableArgs {
    /// Folder for the files [default: one in reports/ named after the PGN or the engine].
    #[arg(long, short, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
    /// Overwrite files that no run of this program has left, or that have changed since.
    #[arg(long)]
    pub force: bool,
    /// File formats of the tables, separated by commas: csv, parquet, json.
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', default_value = "csv", add = values(Format::ALL))]
    pub format: Vec<Format>,
}

/// What is written of the results.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Report")]
pub struct ResultArgs {
    /// Where tables go, and as what.
    #[command(flatten)]
    pub table: TableArgs,
    /// What is drawn.
    #[command(flatten)]
    pub pictures: PictureArgs,
    /// Do not write report.html, the whole report as one page.
    #[arg(long)]
    pub no_html: bool,
}

/// What is written, and where.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Report")]
pub struct ReportArgs {
    /// Where tables go, and as what.
    #[command(flatten)]
    pub table: TableArgs,
    /// Write the games back with an [%eval] comment after each move, and with ?!, ? and ?? and the better move.
    #[arg(long, value_name = "OUT.pgn", value_hint = ValueHint::FilePath)]
    pub annotate: Option<PathBuf>,
    /// What is drawn.
    #[command(flatten)]
    pub pictures: PictureArgs,
    /// What is shown of the games.
    #[command(flatten)]
    pub shown: ShownArgs,
    /// What a terminal shows.
    #[command(flatten)]
    pub terminal: TerminalArgs,
}

/// What a report shows of its games.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Report")]
pub struct ShownArgs {
    /// Show each player's expected score by class of move too: phase, color, eval; several are
    /// separated by commas.
    #[arg(long, value_name = "SPLIT", value_delimiter = ',', add = values(Split::ALL.map(Split::name)))]
    pub split: Vec<Split>,
    /// Draw this game move by move: its number among all games read, as in column game of moves.csv;
    /// may be given several times.
    #[arg(long, value_name = "N")]
    pub game: Vec<usize>,
    /// Do not write report.html, the whole report as one page.
    #[arg(long)]
    pub no_html: bool,
    /// Show only players whose name is this or has this in it as whole words; may be given several
    /// times.
    #[arg(long, value_name = "NAME", value_parser = player_name())]
    pub player: Vec<NameMatcher>,
}

/// What a terminal shows of a report, and who has a rank in it.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Report")]
pub struct TerminalArgs {
    /// Tables on the terminal; the files have all of them.
    #[arg(long, value_name = "WHICH", default_value = "summary")]
    pub tables: TerminalTables,
    /// Games that a player has at least who has a rank [default: 1; 3 in a field of more than 24 players].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub min_games: Option<u32>,
}

impl TerminalArgs {
    /// Returns from how many games on a player has a rank, where that is said.
    pub fn ranked_from(&self) -> Option<RankedFrom> {
        self.min_games.map(|games| RankedFrom::Games(games as usize))
    }
}

/// What pictures are written as.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Report")]
pub struct PictureArgs {
    /// File formats of the pictures, separated by commas; or none.
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', default_value = "png", value_parser = picture())]
    pub plots: Vec<Option<PictureFormat>>,
}

/// Reads the name of a format, or none.
pub fn picture() -> impl TypedValueParser<Value = Option<PictureFormat>> {
    let formats = PictureFormat::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    let names = formats.chain([PossibleValue::new("none").help("No pictures")]);
    PossibleValuesParser::new(names).map(|name| PictureFormat::from_str(&name, false).ok())
}

/// Returns the files that each picture is written as; says what is wrong with a list that has none and another.
pub fn pictures(plots: &[Option<PictureFormat>]) -> Result<BTreeSet<PictureFormat>, String> {
    let formats: BTreeSet<PictureFormat> = plots.iter().copied().flatten().collect();
    if plots.contains(&None) && !formats.is_empty() {
        return Err("--plots none cannot go with another format: write png, svg, png,svg or none".to_owned());
    }
    Ok(formats)
}

/// Says what is wrong where nothing would show a game that is to be drawn.
pub fn check_drawn(games: &[usize], formats: &BTreeSet<PictureFormat>, page: bool) -> Result<(), String> {
    // The page shows the games that are asked for.
    match games.first() {
        Some(game) if !page && formats.is_empty() => Err(format!(
            "--game {game} asks for a picture, --plots none and --no-html for none: leave one of them out"
        )),
        _ => Ok(()),
    }
}

impl PictureArgs {
    /// Returns the files that each picture is written as.
    pub fn pictures(&self) -> Result<BTreeSet<PictureFormat>, String> {
        pictures(&self.plots)
    }
}

impl TableArgs {
    /// Returns where tables are written, and as what.
    pub fn plan(&self) -> TablePlan {
        TablePlan {
            output: self.output.clone(),
            formats: self.format.iter().copied().collect(),
            overwrite: Overwrite::forced(self.force),
        }
    }
}

impl ResultArgs {
    /// Returns what is written; says what is wrong where choices of pictures do not go together.
    pub fn plan(&self) -> Result<ResultPlan, String> {
        Ok(ResultPlan { tables: self.table.plan(), pictures: self.pictures.pictures()?, page: !self.no_html })
    }
}

impl ReportArgs {
    /// Returns what is written; says what is wrong where choices of pictures do not go together.
    pub fn plan(&self) -> Result<ReportPlan, String> {
        Ok(ReportPlan {
            tables: self.table.plan(),
            pictures: self.pictures()?,
            games: self.shown.game.clone(),
            page: !self.shown.no_html,
            reload: None,
            players: self.shown.player.clone(),
            splits: self.shown.split.iter().copied().collect(),
            annotated: self.annotate.clone(),
            shown: self.terminal.tables,
            ranked_from: self.terminal.ranked_from().unwrap_or_default(),
        })
    }

    /// Returns the files that each picture is written as; says what is wrong where nothing would show a game that is
    /// to be drawn.
    fn pictures(&self) -> Result<BTreeSet<PictureFormat>, String> {
        let formats = self.pictures.pictures()?;
        check_drawn(&self.shown.game, &formats, !self.shown.no_html)?;
        Ok(formats)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::verbs::cli::Cli;

    #[test]
    fn pictures_are_a_list_of_formats_or_none() {
        let report = |args: &[&str]| {
            let args = [&["gainalyze", "a.pgn"], args].concat();
            Cli::try_parse_from(args).map(|cli| cli.analyze.report)
        };
        let fine = |args: &[&str]| {
            let formats = report(args).expect("options").pictures().expect("formats");
            formats.into_iter().collect::<Vec<_>>()
        };
        assert_eq!(fine(&[]), [PictureFormat::Png]);
        assert_eq!(fine(&["--plots", "svg,png,svg"]), PictureFormat::ALL);
        assert_eq!(fine(&["--plots", "none"]), []);
        assert_eq!(fine(&["--plots", "none", "--game", "2"]), [], "the page has it");
        for bad in [&["--plots", "png,none"][..], &["--plots", "none", "--no-html", "--game", "2"]] {
            assert!(report(bad).expect("options").pictures().is_err(), "{bad:?}");
        }
        assert!(report(&["--plots", "gif"]).is_err());
    }
}
