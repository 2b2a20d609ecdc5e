//! Owns [`Pictures`]: what an experiment shows as pictures, each drawn once for all files that hold it.

use std::{collections::BTreeSet, path::PathBuf};

use super::Facts;
use crate::{
    experiment::Experiment,
    output::OutputDir,
    report::{
        ReportError,
        pictures::write_picture,
        plots::{
            canvas::Drawing,
            experiment::{curves, elo, matches},
            format::PictureFormat,
        },
    },
    text::{counted, cut, printable},
};

/// The pictures that the games allow, with the names of their files.
pub struct Pictures {
    drawings: Vec<(&'static str, Drawing)>,
}

/// The names of pictures, without extension.
const NAMES: [&str; 6] = ["scores", "elo-curve", "curves", "returns", "elo-by-depth", "rates"];

impl Pictures {
    /// All of them.
    pub fn of(experiment: &Experiment, facts: &Facts) -> Pictures {
        let caption = caption(experiment, facts);
        let draw: [fn(&Experiment, &str) -> Option<Drawing>; NAMES.len()] =
            [curves::one, elo::curve_of_scores, curves::all, matches::returns, elo::by_depth, matches::rates];
        let drawn = NAMES.into_iter().zip(draw);
        Pictures {
            drawings: drawn.filter_map(|(name, draw)| Some((name, draw(experiment, &caption)?))).collect(),
        }
    }

    /// The drawings in the order of the papers' figures.
    pub fn drawings(&self) -> impl Iterator<Item = &Drawing> {
        self.drawings.iter().map(|(_, drawing)| drawing)
    }

    /// Writes them into `dir` in each of the `formats`.
    pub fn write(
        &self,
        dir: &OutputDir,
        formats: &BTreeSet<PictureFormat>,
    ) -> Result<Vec<PathBuf>, ReportError> {
        let mut written = Vec::new();
        for (name, drawing) in &self.drawings {
            written.extend(write_picture(dir, name, drawing, formats)?);
        }
        Ok(written)
    }
}

/// Who played and how much: `Stockfish 15.1 against itself, 800 games`.
fn caption(experiment: &Experiment, facts: &Facts) -> String {
    let name = |text: &str| cut(&printable(text), 40);
    let players = match &facts.opponent {
        None => format!("{} against itself", name(&facts.engine)),
        Some(opponent) => format!("{} against {}", name(&facts.engine), name(opponent)),
    };
    format!("{players}, {}", counted(u64::from(experiment.table.all().games()), "game"))
}

/// Whether `name` is one that a picture may have.
pub fn is_picture(name: &str) -> bool {
    let is = |format: &PictureFormat| NAMES.iter().any(|stem| name == format!("{stem}.{format}"));
    PictureFormat::ALL.iter().any(is)
}
