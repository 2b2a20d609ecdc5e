//! Owns [`ExperimentPictures`]: what an experiment shows as pictures, each drawn once for all files that hold it.

use std::collections::BTreeSet;

use super::Facts;
use crate::chess::text::{counted, cut, printable};
use crate::files::{PictureFormat, Publication};
use crate::lab::Experiment;
use crate::report::plots::experiment::{curves, elo, matches};
use crate::report::{ReportError, pictures::write_picture, plots::canvas::Drawing};

/// The pictures that the games allow, with the names of their files.
pub struct ExperimentPictures {
    drawings: Vec<(&'static str, Drawing)>,
}

/// The names of pictures, without extension.
pub(super) const NAMES: [&str; 6] = ["scores", "elo-curve", "curves", "returns", "elo-by-depth", "rates"];

impl ExperimentPictures {
    /// Returns all of them.
    pub fn of(experiment: &Experiment, facts: &Facts) -> ExperimentPictures {
        let caption = caption(experiment, facts);
        let draw: [fn(&Experiment, &str) -> Option<Drawing>; NAMES.len()] =
            [curves::one, elo::curve_of_scores, curves::all, matches::returns, elo::by_depth, matches::rates];
        let drawn = NAMES.into_iter().zip(draw);
        ExperimentPictures {
            drawings: drawn.filter_map(|(name, draw)| Some((name, draw(experiment, &caption)?))).collect(),
        }
    }

    /// Returns the drawings in the order of the papers' figures.
    pub fn drawings(&self) -> impl Iterator<Item = &Drawing> {
        self.drawings.iter().map(|(_, drawing)| drawing)
    }

    /// Writes them in each of the `formats`.
    pub fn write(&self, out: &Publication<'_>, formats: &BTreeSet<PictureFormat>) -> Result<(), ReportError> {
        self.drawings.iter().try_for_each(|(name, drawing)| write_picture(out, name, drawing, formats))
    }
}

/// Says who played and how much: `Stockfish 15.1 against itself, 800 games`.
fn caption(experiment: &Experiment, facts: &Facts) -> String {
    let name = |text: &str| cut(&printable(text), 40);
    let players = match &facts.opponent {
        None => format!("{} against itself", name(&facts.engine)),
        Some(opponent) => format!("{} against {}", name(&facts.engine), name(opponent)),
    };
    format!("{players}, {}", counted(u64::from(experiment.table.all().games()), "game"))
}
