//! Options of the output: contents, folder and formats.

use std::{collections::BTreeSet, path::PathBuf};

use clap::{
    Args, ValueEnum, ValueHint,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};

use super::{evaluations::ReferenceArgs, games::player_name, values};
use crate::base::output::{FileError, OutputFolder, Overwrite, RunKind};
use crate::chess::NameMatcher;
use crate::files::{Format, PictureFormat};
use crate::measure::{RankedFrom, Split};
use crate::report::html::ENGINE;
use crate::report::publish::{Extra, Report, ReportFormats};
use crate::report::table::Screen;

#[derive(Debug, Clone, PartialEq, Eq, Args)]
#[command(next_help_heading = "Report")]
pub struct TableArgs {
    /// Output folder [default: a folder in reports/, named after the input].
    #[arg(long, short, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
    /// Overwrite the report of another engine or a deeper search, and files that you made or changed.
    #[arg(long)]
    pub force: bool,
    /// Table formats, separated by commas: csv, parquet, json.
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', default_value = "csv", add = values(Format::ALL))]
    pub format: Vec<Format>,
}

impl Default for TableArgs {
    /// Returns the options for CSV tables in a folder named after the input.
    fn default() -> TableArgs {
        TableArgs { output: None, force: false, format: vec![Format::Csv] }
    }
}

impl TableArgs {
    /// Returns the formats of a report that consists of tables only.
    pub fn formats(&self) -> ReportFormats {
        self.with(&PictureArgs { plots: Vec::new(), ..PictureArgs::default() }, false)
    }

    /// Returns the formats of all files, with these pictures, and with a page if `page` is true.
    pub fn with(&self, pictures: &PictureArgs, page: bool) -> ReportFormats {
        let tables = self.format.iter().copied().collect();
        ReportFormats {
            tables,
            pictures: pictures.pictures(),
            scale: pictures.plot_scale,
            page,
            ..ReportFormats::default()
        }
    }

    pub fn folder(&self, usual: impl FnOnce() -> PathBuf) -> PathBuf {
        self.output.clone().unwrap_or_else(usual)
    }

    /// Claims the folder at `path` for a run of that `kind`, which may write files of these `names`.
    pub fn claim(
        &self,
        path: PathBuf,
        kind: RunKind,
        names: impl IntoIterator<Item = String>,
    ) -> Result<OutputFolder, FileError> {
        OutputFolder::claim(path, kind, Overwrite::forced(self.force), names)
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Report")]
pub struct ResultArgs {
    #[command(flatten)]
    pub table: TableArgs,
    #[command(flatten)]
    pub pictures: PictureArgs,
    /// Do not write report.html, the page of the report.
    #[arg(long)]
    pub no_html: bool,
}

impl ResultArgs {
    /// Returns the options of a report that shows its games in the default way.
    pub fn report(&self) -> ReportArgs {
        let ResultArgs { table, pictures, no_html } = self.clone();
        let shown = ShownArgs { no_html, ..ShownArgs::default() };
        ReportArgs { table, pictures, shown, ..ReportArgs::default() }
    }

    pub fn formats(&self) -> ReportFormats {
        self.table.with(&self.pictures, !self.no_html)
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Report")]
pub struct ReportArgs {
    #[command(flatten)]
    pub table: TableArgs,
    /// Write the games with [%eval] comments, ?!, ?, ?? and better moves.
    #[arg(long, value_name = "OUT.pgn", value_hint = ValueHint::FilePath)]
    pub annotate: Option<PathBuf>,
    #[command(flatten)]
    pub pictures: PictureArgs,
    #[command(flatten)]
    pub shown: ShownArgs,
    #[command(flatten)]
    pub reference: ReferenceArgs,
    #[command(flatten)]
    pub terminal: TerminalArgs,
    /// Seconds between two reloads of the page; `None` for a report that is written once.
    #[arg(skip)]
    pub reload: Option<u32>,
}

pub const NO_WEBASSEMBLY: &str = "this build of gainalyze does not contain WebAssembly, which the analysis page and --with-engine need; \
     to build it, run `rustup target add wasm32-wasip1`, then `cargo build --release` in the source folder";

impl ReportArgs {
    pub fn formats(&self) -> ReportFormats {
        let extras = self.shown.also.also.iter().copied().collect();
        ReportFormats { extras, ..self.table.with(&self.pictures, !self.shown.no_html) }
    }

    /// Fails if the picture options contradict each other, if this build lacks the engine for
    /// `--with-engine`, or if no output would show the game of `--game`.
    pub fn check(&self) -> Result<(), String> {
        self.pictures.check()?;
        if self.shown.with_engine && ENGINE.is_empty() {
            return Err(NO_WEBASSEMBLY.to_owned());
        }
        match self.shown.game.first() {
            // The page shows the requested games.
            Some(game) if self.shown.no_html && self.pictures.pictures().is_empty() => Err(format!(
                "--game {game} asks for a picture, but --plots none and --no-html leave no place for it: \
                 leave out one of the three"
            )),
            _ => Ok(()),
        }
    }

    pub fn ranked_from(&self) -> RankedFrom {
        self.terminal.min_games.map_or_else(RankedFrom::default, |games| RankedFrom::Games(games as usize))
    }
}

/// Optional files of a tournament's report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Report")]
pub struct AlsoArgs {
    /// Also write these files, separated by commas.
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub also: Vec<Extra>,
    /// Screen the field: show how far each player's moves are above the rating, with the false alarms that honest
    /// players give. For one event over the board, from 250 moves and 7 games of a player.
    #[arg(long)]
    pub screen: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Report")]
pub struct ShownArgs {
    #[command(flatten)]
    pub also: AlsoArgs,
    /// Also split each player's expected score by phase, color or eval, separated by commas.
    #[arg(long, value_name = "SPLIT", value_delimiter = ',', add = values(Split::ALL.map(Split::name)))]
    pub split: Vec<Split>,
    /// Draw the evaluations of the game with this number (column `game` of games.csv); repeatable.
    #[arg(long, value_name = "N")]
    pub game: Vec<usize>,
    /// Do not write report.html, the page of the report.
    #[arg(long)]
    pub no_html: bool,
    /// Put the built-in engine into report.html: on its boards, a reader can try other moves.
    #[arg(long, conflicts_with = "no_html")]
    pub with_engine: bool,
    /// Show only players with these words in their names; repeatable.
    #[arg(long, value_name = "NAME", value_parser = player_name())]
    pub player: Vec<NameMatcher>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Report")]
pub struct TerminalArgs {
    /// Tables to show on the terminal; the files contain all tables.
    #[arg(long, value_name = "WHICH", default_value = "summary")]
    pub tables: TerminalTables,
    /// Minimum number of games for a rank [default: 1; 3 if there are more than 24 players].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub min_games: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum TerminalTables {
    /// Three sentences and one table of the players
    #[default]
    Summary,
    /// Ferreira's Tables 5, 6 and 7
    Paper,
    /// Every table
    All,
    /// Nothing
    None,
}

impl TerminalTables {
    pub fn text(self, report: &Report, screen: Screen) -> String {
        match self {
            TerminalTables::Summary => report.brief_text(screen),
            TerminalTables::Paper | TerminalTables::All => report.text(screen),
            TerminalTables::None => String::new(),
        }
    }

    pub fn has_paper(self) -> bool {
        matches!(self, TerminalTables::Paper | TerminalTables::All)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Args)]
#[command(next_help_heading = "Report")]
pub struct PictureArgs {
    /// Picture formats, separated by commas, or `none`.
    #[arg(long, value_name = "FORMAT", value_delimiter = ',', default_value = "png", value_parser = picture())]
    pub plots: Vec<Option<PictureFormat>>,
    /// Scale of PNG pictures; 2 for high-density screens.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub plot_scale: u8,
}

impl Default for PictureArgs {
    fn default() -> PictureArgs {
        PictureArgs { plots: vec![Some(PictureFormat::Png)], plot_scale: 1 }
    }
}

impl PictureArgs {
    /// Returns the picture formats; none if no pictures are wanted.
    pub fn pictures(&self) -> BTreeSet<PictureFormat> {
        self.plots.iter().copied().flatten().collect()
    }

    /// Fails if the list has `none` together with a format.
    pub fn check(&self) -> Result<(), String> {
        check_mixed(&self.plots)
    }
}

pub fn picture() -> impl TypedValueParser<Value = Option<PictureFormat>> {
    let formats = PictureFormat::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    let names = formats.chain([PossibleValue::new("none").help("No pictures")]);
    PossibleValuesParser::new(names).map(|name| PictureFormat::from_str(&name, false).ok())
}

/// Fails if a list of pictures has `none` together with a format.
pub fn check_mixed(plots: &[Option<PictureFormat>]) -> Result<(), String> {
    match plots.contains(&None) && plots.iter().any(Option::is_some) {
        true => {
            Err("--plots none cannot go with another format: write `png`, `svg`, `png,svg` or `none`"
                .to_owned())
        }
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::verbs::Cli;

    #[test]
    fn pictures_are_a_list_of_formats_or_none() {
        let report = |args: &[&str]| {
            let args = [&["gainalyze", "a.pgn"], args].concat();
            Cli::try_parse_from(args).map(|cli| cli.analyze.report)
        };
        let fine = |args: &[&str]| {
            let report = report(args).expect("options");
            report.check().expect("formats");
            report.pictures.pictures().into_iter().collect::<Vec<_>>()
        };
        assert_eq!(fine(&[]), [PictureFormat::Png]);
        assert_eq!(fine(&["--plots", "svg,png,svg"]), PictureFormat::ALL);
        assert_eq!(fine(&["--plots", "none"]), []);
        assert_eq!(fine(&["--plots", "none", "--game", "2"]), [], "the page has it");
        for bad in [&["--plots", "png,none"][..], &["--plots", "none", "--no-html", "--game", "2"]] {
            assert!(report(bad).expect("options").check().is_err(), "{bad:?}");
        }
        assert!(report(&["--plots", "gif"]).is_err());
    }
}
