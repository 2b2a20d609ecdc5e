//! Owns [`LearningPictures`]: what was learned as pictures, each drawn once for all files that hold it.

use std::collections::BTreeSet;

use super::LearningFacts;
use crate::chess::text::counted;
use crate::files::{PictureFormat, Publication};
use crate::lab::{Learned, LearningObjective};
use crate::report::plots::learning::{boards, values};
use crate::report::{ReportError, pictures::write_picture, plots::canvas::Drawing};

/// The pictures, with the names of their files.
pub struct LearningPictures {
    drawings: Vec<(String, Drawing)>,
}

/// Returns the names of pictures, without extension.
pub(super) fn names(objectives: &[LearningObjective]) -> Vec<String> {
    objectives
        .iter()
        .flat_map(|objective| [format!("values-{objective}"), format!("squares-{objective}")])
        .collect()
}

impl LearningPictures {
    /// Draws all of them: for each objective values by band (the paper's Figure 1) and squares (Figure 2).
    pub fn of(learned: &Learned, facts: &LearningFacts) -> LearningPictures {
        let mut objectives: Vec<LearningObjective> =
            learned.models.iter().map(|model| model.key.objective).collect();
        objectives.dedup();
        let positions: usize = facts.bands.iter().map(|band| band.training_positions).sum();
        let mut drawings = Vec::new();
        for objective in objectives {
            let caption = format!("{objective}, {}", counted(positions as u64, "position"));
            let values = values::draw(learned, objective, &caption);
            drawings.extend(values.map(|drawing| (format!("values-{objective}"), drawing)));
            let squares = boards::draw(learned, objective, &caption);
            drawings.extend(squares.map(|drawing| (format!("squares-{objective}"), drawing)));
        }
        LearningPictures { drawings }
    }

    /// Returns the drawings, objective by objective.
    pub fn drawings(&self) -> impl Iterator<Item = &Drawing> {
        self.drawings.iter().map(|(_, drawing)| drawing)
    }

    /// Writes them in each of the `formats`.
    pub fn write(&self, out: &Publication<'_>, formats: &BTreeSet<PictureFormat>) -> Result<(), ReportError> {
        self.drawings.iter().try_for_each(|(name, drawing)| write_picture(out, name, drawing, formats))
    }
}
