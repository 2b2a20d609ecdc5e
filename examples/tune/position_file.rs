//! The file of positions. Its first line has the settings ([`PositionPlan`]), and a digest of the weights of
//! the engine that played the games.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use shakmaty::Chess;

use crate::{
    labels::{fen, position},
    positions::PositionPlan,
};
use gainalyze::base::text::{brief, full_path};
use gainalyze::engine::builtin::weights_digest;
use gainalyze::engine::chess_engine::{EngineWeights, Weights, WeightsFile};

#[derive(Debug, thiserror::Error)]
#[error("{path}: {problem}", path = full_path(path))]
pub struct PositionFileError {
    path: PathBuf,
    problem: String,
}

impl PositionPlan {
    /// Reads the file at `path`, which must have the positions of this plan from games that an engine with
    /// `weights` played. Returns `None` if the file does not exist.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, belongs to another plan or other weights, or has a line that is not a
    /// position.
    pub fn read(&self, path: &Path, weights: &Weights) -> Result<Option<Vec<Chess>>, PositionFileError> {
        let error = |problem: String| PositionFileError { path: path.to_owned(), problem };
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(missing) if missing.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(error(source.to_string())),
        };
        let mut lines = text.lines().enumerate();
        let heading = self.heading(weights);
        if lines.next().is_none_or(|(_, first)| first != heading) {
            return Err(error(format!("the first line is not {heading:?}: the file belongs to another run")));
        }
        let parsed = lines.map(|(index, line)| {
            let problem = || format!("line {}: {:?} is not a position", index + 1, brief(line));
            position(line).ok_or_else(|| error(problem()))
        });
        parsed.collect::<Result<Vec<Chess>, _>>().map(Some)
    }

    /// Returns the text of a file with these positions, for [`PositionPlan::read`].
    pub fn write(&self, positions: &[Chess], weights: &Weights) -> String {
        let lines = positions.iter().map(|chess| fen(chess) + "\n");
        std::iter::once(self.heading(weights) + "\n").chain(lines).collect()
    }

    fn heading(&self, weights: &Weights) -> String {
        let file = EngineWeights::from(WeightsFile::from(weights.clone()));
        format!("# {self}, weights {}", &weights_digest(&file)[..16])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gainalyze::engine::Stop;

    #[test]
    fn positions_are_read_back_if_they_are_of_the_same_plan() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("positions.fen");
        let plan = PositionPlan { count: 5, seed: 1, nodes: 10 };
        let weights = Weights::material();
        assert_eq!(plan.read(&path, &weights).expect("no file"), None);
        let positions = plan.make(&weights, &Stop::default(), |_| {});
        fs::write(&path, plan.write(&positions, &weights)).expect("a file");
        assert_eq!(plan.read(&path, &weights).expect("positions"), Some(positions));
        let other = |plan: PositionPlan, weights: &Weights| {
            plan.read(&path, weights).expect_err("an error").to_string()
        };
        assert!(other(PositionPlan { count: 6, ..plan }, &weights).contains("belongs to another run"));
        assert!(other(plan, &Weights::zero()).contains("belongs to another run"));
        let text = fs::read_to_string(&path).expect("the file");
        fs::write(&path, text + "8/8/8/8/8/8/8/8 w - - 0 1\n").expect("a file");
        assert!(other(plan, &weights).ends_with("line 7: \"8/8/8/8/8/8/8/8 w - - 0 1\" is not a position"));
    }
}
