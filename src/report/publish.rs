//! [`Report`]: the content of a report, and the names and the documentation of its files.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{
    plots::canvas::Drawing, summary::to_json, table::Screen, table::Table, table::layout::Layout,
    table::layout::note, table::layout::title,
};
use crate::files::{Format, PictureFormat};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFormats {
    /// Formats of the tables; if empty, no tables are written.
    pub tables: BTreeSet<Format>,
    pub pictures: BTreeSet<PictureFormat>,
    /// The size of a PNG in each direction, as a multiple of the drawing's size.
    pub scale: u8,
    pub page: bool,
    /// Files of a tournament's report that are written in addition to the usual files.
    pub extras: BTreeSet<Extra>,
}

/// Files of a tournament's report that are written only on request. Their docs are the help of `--also`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum Extra {
    /// The page of the paper's tables (paper.html), its pictures, and the score kept
    Paper,
    /// The table of pairs of players
    Pairs,
    /// The table of gains, and a histogram for each player
    Histograms,
    /// All of these
    All,
}

impl ReportFormats {
    /// Returns true if the page of the paper's tables is written.
    pub(super) fn has_paper(&self) -> bool {
        self.page && [Extra::Paper, Extra::All].iter().any(|extra| self.extras.contains(extra))
    }
}

impl Default for ReportFormats {
    fn default() -> ReportFormats {
        let (tables, pictures) = (BTreeSet::from([Format::Csv]), BTreeSet::from([PictureFormat::Png]));
        ReportFormats { tables, pictures, scale: 1, page: false, extras: BTreeSet::new() }
    }
}

/// A kind of report. A run's reserved file names, `gainalyze schema` and docs/files.md follow from it.
#[derive(Debug)]
pub struct ReportKind {
    pub written_by: &'static str,
    /// The report's files besides the tables, in the order of the documentation.
    pub files: &'static [ReportFile],
    pub tables: fn() -> Vec<Table>,
}

/// Files of a report besides its tables, without those that the run itself names and writes.
#[derive(Debug)]
pub enum ReportFile {
    Summary(&'static str),
    /// `results.csv`, which a run writes during play; the function returns it without rows.
    Results(fn() -> Table),
    Fixed(&'static str),
    Page,
    /// Names of pictures without extension. The part between `<` and `>` varies.
    Pictures(&'static [&'static str]),
}

pub const PAGE: &str = "report.html";

impl ReportKind {
    /// Returns the names of the files, including `varying` pictures, without [`ReportFile::Results`].
    pub fn file_names(
        &self,
        formats: &ReportFormats,
        varying: impl IntoIterator<Item = String>,
    ) -> Vec<String> {
        let mut names = Vec::new();
        for Table { name, .. } in (self.tables)() {
            names.extend(formats.tables.iter().map(|format| format!("{name}.{format}")));
        }
        let fixed = self.pictures().filter(|name| !name.contains('<')).map(str::to_owned);
        for picture in fixed.chain(varying) {
            names.extend(formats.pictures.iter().map(|format| format!("{picture}.{format}")));
        }
        names.extend(self.files.iter().filter_map(|file| match file {
            ReportFile::Summary(name) | ReportFile::Fixed(name) => Some((*name).to_owned()),
            ReportFile::Page => formats.page.then(|| PAGE.to_owned()),
            _ => None,
        }));
        names
    }

    /// Returns the report's tables without rows. A table written during play comes first.
    pub fn all_tables(&self) -> impl Iterator<Item = Table> {
        let results = self.files.iter().filter_map(|file| match file {
            ReportFile::Results(table) => Some(table()),
            _ => None,
        });
        results.chain((self.tables)())
    }

    pub fn pictures(&self) -> impl Iterator<Item = &'static str> {
        let names = self.files.iter().filter_map(|file| match file {
            ReportFile::Pictures(names) => Some(*names),
            _ => None,
        });
        names.flatten().copied()
    }

    fn summary(&self) -> Option<&'static str> {
        self.files.iter().find_map(|file| match file {
            ReportFile::Summary(name) => Some(*name),
            _ => None,
        })
    }
}

pub type NamedDrawing = (String, Drawing);

/// A fact about the making of a report: a label and a text.
pub type Fact = (String, String);

/// A report: the content of its files, its page and its text for the terminal.
#[derive(Debug, Default)]
pub struct Report {
    pub title: String,
    /// The findings, the most important first.
    pub sentences: Vec<String>,
    /// Facts that follow the findings, each in one line.
    pub in_brief: Vec<Fact>,
    pub notes: Vec<String>,
    pub facts: Vec<Fact>,
    pub tables: Vec<Table>,
    /// The tables that the page and the terminal show.
    pub(super) shown: Vec<Layout>,
    /// The tables that the terminal shows by default.
    pub(super) brief: Vec<Layout>,
    pub drawings: Vec<NamedDrawing>,
    pub files: Vec<(&'static str, Vec<u8>)>,
    /// The function that renders the page. `None` without a page, or if the page shows more than the report.
    pub page: Option<fn(&Report) -> askama::Result<String>>,
}

impl Report {
    pub(super) fn with_summary(mut self, kind: &ReportKind, summary: &impl Serialize) -> Report {
        let json = to_json(summary).expect("data whose keys are texts");
        self.files.extend(kind.summary().map(|name| (name, json.into_bytes())));
        self
    }

    pub fn text(&self, screen: Screen) -> String {
        self.told(&self.shown, screen)
    }

    pub fn brief_text(&self, screen: Screen) -> String {
        self.told(&self.brief, screen)
    }

    fn told(&self, tables: &[Layout], screen: Screen) -> String {
        let widest = self.in_brief.iter().map(|(label, _)| label.len()).max().unwrap_or_default() + 2;
        // A no-break space is printed as a space.
        let lines = self.in_brief.iter().map(|(label, fact)| format!("{label:\u{a0}<widest$}{fact}"));
        let said = self.sentences.iter().cloned().chain(lines).chain(self.notes.iter().cloned());
        let said: Vec<String> = said.map(|sentence| note(&sentence, screen)).collect();
        let findings = format!("{}\n{}\n", title("Findings", screen), said.join("\n"));
        let tables = tables.iter().map(|table| table.shown(screen));
        std::iter::once(findings).chain(tables).collect::<Vec<_>>().join("\n")
    }

    #[cfg(feature = "program")]
    pub(super) fn drawing(&self, name: &str) -> Option<&Drawing> {
        self.drawings.iter().find(|(known, _)| known == name).map(|(_, drawing)| drawing)
    }
}
