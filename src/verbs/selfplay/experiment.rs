//! The computation of an experiment's results: its options, and the report at the end.

use std::{path::PathBuf, str::FromStr};

use clap::Args;

use crate::base::{output::Publication, text::full_path};
use crate::engine::uci::engine_line::MAX_DEPTH;
use crate::files::formats::anchor;
use crate::lab::{Choices, EntrantAnchor, Experiment, Fit, GameRecord, RatingAnchor};
use crate::numbers::{Estimate, Interval};
use crate::report::{kinds::experiment, kinds::experiment::Facts, publish::ReportFormats, writing::publish};
use crate::verbs::{args::TerminalTables, error::Result, runs::Viewer};

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Tables")]
pub struct ExperimentArgs {
    /// Known strength of one depth, with the margin of its 95 % interval: 20=2894±35 (or +-35, or no margin);
    /// or a tournament's report or summary.json, which has the engine's strength. For entrants: NAME=ELO,
    /// repeatable; the mean of these entrants' ratings becomes the mean of these numbers.
    #[arg(long, value_name = "DEPTH=ELO±CI|REPORT|NAME=ELO", value_parser = anchor_text)]
    pub anchor: Vec<String>,
    /// Fit of the Elo points, for Table 8 and the report's first sentence: `pairwise`, `lsq` (as in the paper) or
    /// `probit`.
    #[arg(long, value_name = "FIT", default_value_t)]
    pub fit: Fit,
    /// Matches whose differences are compared in the verdict on diminishing returns, the deeper side first,
    /// such as 6-5,7-6 [default: all neighboring depths].
    #[arg(long, value_name = "DEEP-SHALLOW", value_delimiter = ',', value_parser = match_row)]
    pub rows: Vec<[u32; 2]>,
    /// Show the calibration match of this depth against itself: White against Black.
    #[arg(long, value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    pub calibrate: Option<u32>,
}

impl ExperimentArgs {
    /// Returns the choices for the computation, and the path of the anchor's report if `--anchor` names a
    /// report.
    pub fn choices(&self) -> Result<(Choices, Option<PathBuf>), String> {
        let (anchor, report) = match self.depth_anchor()? {
            Some(AnchorSource::Given(anchor)) => (Some(anchor), None),
            Some(AnchorSource::Report(path)) => (None, Some(path)),
            None => (None, None),
        };
        Ok((Choices { anchor, fit: self.fit, rows: self.rows.clone(), calibrate: self.calibrate }, report))
    }

    fn depth_anchor(&self) -> Result<Option<AnchorSource>, String> {
        match self.anchor.as_slice() {
            [] => Ok(None),
            [text] => {
                let bad = |error| format!("--anchor {text}: {error}");
                text.parse().map(Some).map_err(bad)
            }
            _ => Err("only one depth can have a known strength: give --anchor once".to_owned()),
        }
    }

    pub fn entrant_anchors(&self) -> Result<Vec<EntrantAnchor>, String> {
        let anchor = |text: &String| {
            let bad = || format!("--anchor {text}: write NAME=ELO, a name and a number from 1 to 10000");
            let (name, elo) = text.rsplit_once('=').ok_or_else(bad)?;
            let elo = elo.trim().parse().ok().filter(|elo| ELO.contains(elo)).ok_or_else(bad)?;
            Ok(EntrantAnchor { name: name.trim().to_owned(), elo })
        };
        self.anchor.iter().map(anchor).collect()
    }
}

/// Accepts any text that is not blank as a known strength. Its meaning depends on the players, so it is read
/// later.
fn anchor_text(text: &str) -> Result<String, String> {
    if text.trim().is_empty() { Err(ANCHOR.to_owned()) } else { Ok(text.to_owned()) }
}

#[derive(Debug, Clone, PartialEq)]
pub enum AnchorSource {
    Given(RatingAnchor),
    Report(PathBuf),
}

impl FromStr for AnchorSource {
    type Err = String;

    fn from_str(text: &str) -> Result<AnchorSource, String> {
        let text = text.trim();
        let looks_like_a_number = |text: &str| text.starts_with(|first: char| first.is_ascii_digit());
        match text.split_once('=') {
            Some((depth, elo)) if !text.ends_with(".json") => given(depth.trim(), elo.trim()),
            _ if text.is_empty() || looks_like_a_number(text) && elo(text).is_ok() => Err(ANCHOR.to_owned()),
            _ => Ok(AnchorSource::Report(PathBuf::from(text))),
        }
    }
}

const ANCHOR: &str = "write DEPTH=ELO±CI, like 20=2894±35, or name a tournament's report or its summary.json";

/// Permitted range of a strength, in Elo points.
const ELO: std::ops::RangeInclusive<f64> = 1.0..=10_000.0;

fn given(depth: &str, text: &str) -> Result<AnchorSource, String> {
    let depth = depth.parse().ok().filter(|depth| (1..=MAX_DEPTH).contains(depth));
    let depth =
        depth.ok_or_else(|| format!("the depth must be a whole number from 1 to {MAX_DEPTH}; {ANCHOR}"))?;
    Ok(AnchorSource::Given(RatingAnchor { depth, elo: elo(text)? }))
}

/// Reads `2894±35`, `2894+-35` or `2894`.
fn elo(text: &str) -> Result<Estimate, String> {
    let (elo, margin) = match text.split_once('±').or_else(|| text.split_once("+-")) {
        Some((elo, margin)) => (elo, Some(margin)),
        None => (text, None),
    };
    let value = elo.trim().parse().ok().filter(|elo| ELO.contains(elo));
    let value = value.ok_or_else(|| format!("the Elo must be a number from 1 to 10000; {ANCHOR}"))?;
    let interval = margin.map(|margin| {
        let margin = margin.trim().parse().ok().filter(|margin| (0.0..=*ELO.end()).contains(margin));
        let margin =
            margin.ok_or_else(|| format!("the margin must be a number from 0 to 10000; {ANCHOR}"))?;
        Ok::<_, String>(Interval::of_margin(value, margin))
    });
    Ok(Estimate { value, observations: 1, interval: interval.transpose()? })
}

/// Reads two depths that played each other, the deeper one first.
fn match_row(text: &str) -> Result<[u32; 2], String> {
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|&depth| depth > 0);
    match text.split_once('-').and_then(|(deep, shallow)| Some([number(deep)?, number(shallow)?])) {
        Some([deep, shallow]) if deep > shallow => Ok([deep, shallow]),
        Some([one, other]) => {
            Err(format!("the greater depth must come first, but {one} is not greater than {other}"))
        }
        None => Err("write two depths, the greater one first, as in 7-6".to_owned()),
    }
}

/// The computations that the user wants, and the origin of the anchor.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    pub choices: Choices,
    /// The engine, depth and path of the report that has the anchor; `None` if the anchor was given as a
    /// number, or if there is no anchor.
    pub origin: Option<String>,
}

/// Returns the computations for the engine with the name `engine`. The anchor comes from the `report`, if
/// there is one. Warns if the report is of another engine.
pub fn wanted(
    (choices, report): (Choices, Option<PathBuf>),
    engine: &str,
    viewer: &dyn Viewer,
) -> Result<Wanted> {
    let Some(path) = report else { return Ok(Wanted { choices, origin: None }) };
    let found = anchor::read(&path)?;
    if let Some(warning) = found.warning(engine) {
        viewer.warn(&warning);
    }
    let anchor = RatingAnchor { depth: found.depth, elo: found.elo };
    let origin = format!("{} at depth {}, from {}", found.engine, found.depth, full_path(&path));
    Ok(Wanted { choices: Choices { anchor: Some(anchor), ..choices }, origin: Some(origin) })
}

/// Computes the results of `records`, writes them, and returns the tables as text.
pub fn report(
    records: &[GameRecord],
    wanted: &Wanted,
    (out, formats): (&Publication<'_>, &ReportFormats),
    mut facts: Facts,
    tables: TerminalTables,
    viewer: &dyn Viewer,
) -> Result<String> {
    let experiment = Experiment::of(records, &wanted.choices)?;
    if experiment.lacks_anchor() {
        let depth = experiment.reference().depth;
        viewer.note(&format!("{NO_ANCHOR}; set one with --anchor {depth}=ELO±CI"));
    }
    facts.anchor.clone_from(&wanted.origin);
    let report = experiment::report(&experiment, &facts);
    publish(&report, out, formats)?;
    Ok(tables.text(&report, viewer.screen()))
}

/// The note on missing ratings if no depth's strength is known.
const NO_ANCHOR: &str = "no ratings, because no depth has a known strength";

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::files::formats::anchor::tests::CANDIDATES;
    use crate::lab::RatingAnchor;
    use crate::numbers::Estimate;
    use crate::verbs::runs::tests::Nobody;

    fn anchor(text: &str) -> Result<(u32, f64, Option<f64>), String> {
        match text.parse()? {
            AnchorSource::Given(RatingAnchor { depth, elo }) => {
                Ok((depth, elo.value, elo.interval.map(|interval| interval.half_width())))
            }
            AnchorSource::Report(path) => Err(format!("a file: {}", path.display())),
        }
    }

    #[test]
    fn an_anchor_is_a_depth_with_its_strength_or_a_file() {
        assert_eq!(anchor("20=2894±35"), Ok((20, 2894.0, Some(35.0))));
        assert_eq!(anchor(" 20 = 2893.9 +- 35.5 "), Ok((20, 2893.9, Some(35.5))));
        assert_eq!(anchor("8=2400"), Ok((8, 2400.0, None)));
        for file in ["reports/a/summary.json", "reports/a", "a=b.json", "2013"] {
            let found = file.parse::<AnchorSource>();
            match file {
                "2013" => assert!(found.is_err(), "a strength without its depth"),
                file => assert_eq!(found, Ok(AnchorSource::Report(PathBuf::from(file)))),
            }
        }
    }

    #[test]
    fn an_anchor_that_is_none_says_what_would_be() {
        for (bad, word) in [
            ("20=", "Elo"),
            ("20=strong", "Elo"),
            ("20=-100", "Elo"),
            ("20=20000", "Elo"),
            ("0=2800", "depth"),
            ("999=2800", "depth"),
            ("deep=2800", "depth"),
            ("20=2800±", "margin"),
            ("20=2800±-3", "margin"),
            ("20=2800±nan", "margin"),
            ("2800±30", "DEPTH"),
            ("", "DEPTH"),
        ] {
            let error = bad.parse::<AnchorSource>().expect_err(bad);
            assert!(error.contains(word) && error.contains("20=2894±35"), "{bad}: {error}");
        }
    }

    /// A verb that has these options.
    #[derive(clap::Parser)]
    struct Verb {
        #[command(flatten)]
        experiment: ExperimentArgs,
    }

    #[test]
    fn the_options_are_the_choices() {
        use clap::{CommandFactory, Parser};
        Verb::command().debug_assert();
        let args =
            ["verb", "--anchor", "9=2500±20", "--fit", "pairwise", "--rows", "7-6,9-8", "--calibrate", "8"];
        let args = Verb::parse_from(args).experiment;
        let (choices, report) = args.choices().expect("choices");
        assert_eq!(choices.anchor.map(|anchor| (anchor.depth, anchor.elo.value)), Some((9, 2500.0)));
        let (rows, calibrate) = (vec![[7, 6], [9, 8]], Some(8));
        assert_eq!(choices, Choices { fit: Fit::Pairwise, rows, calibrate, anchor: choices.anchor });
        assert_eq!(report, None);
        assert_eq!(Verb::parse_from(["verb"]).experiment.choices(), Ok((Choices::default(), None)));
        assert!(Verb::try_parse_from(["verb", "--fit", "grid"]).is_err());
    }

    #[test]
    fn an_anchor_is_read_as_that_of_a_depth_or_of_an_entrant() {
        use clap::Parser;
        let args = |args: &[&str]| Verb::parse_from([&["verb"], args].concat()).experiment;
        let refused = |given: &[&str]| args(given).choices().expect_err("no anchor of a depth");
        assert!(refused(&["--anchor", "deep=2800"]).contains("the depth must be a whole number"));
        assert!(refused(&["--anchor", "8=2800", "--anchor", "9=2900"]).contains("once"));
        let known = EntrantAnchor { name: "level=1500".to_owned(), elo: 1500.0 };
        assert_eq!(args(&["--anchor", "level=1500=1500"]).entrant_anchors(), Ok(vec![known]));
        let error = args(&["--anchor", "level"]).entrant_anchors().expect_err("no Elo");
        assert!(error.contains("NAME=ELO"), "{error}");
    }

    #[test]
    fn a_row_has_its_deeper_side_first() {
        assert_eq!(match_row("7-6"), Ok([7, 6]));
        for bad in ["6-7", "7-7", "7", "7-six", "7-0", ""] {
            assert!(match_row(bad).is_err(), "{bad}");
        }
    }

    fn found(choices: Choices, report: Option<PathBuf>) -> Result<Wanted> {
        wanted((choices, report), "Stockfish 15.1", &Nobody)
    }

    fn of_report(path: &Path) -> Result<Wanted> {
        found(Choices::default(), Some(path.into()))
    }

    #[test]
    fn an_anchor_is_a_number_or_the_strength_that_a_report_has() {
        let elo = Estimate { value: 2400.0, observations: 1, interval: None };
        let choices = Choices { anchor: Some(RatingAnchor { depth: 8, elo }), ..Choices::default() };
        let given = found(choices, None).expect("an anchor");
        assert_eq!((given.choices.anchor.map(|anchor| anchor.depth), given.origin), (Some(8), None));
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("summary.json"), CANDIDATES).expect("a new file");
        let read = of_report(folder.path()).expect("a report");
        assert_eq!(read.choices.anchor.map(|anchor| anchor.depth), Some(20));
        assert!(read.origin.is_some_and(|origin| origin.starts_with("Stockfish 15.1 at depth 20, from ")));
        let error = of_report(Path::new("/no/such/report")).expect_err("no report");
        assert_eq!(error.hint(), "; choose another file with --anchor", "{error}");
    }
}
