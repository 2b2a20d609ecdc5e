//! The file of linear weights: a line for each feature, with the provenance above them.

use std::{fmt, str::FromStr, sync::LazyLock};

use super::{LinearWeights, RawWeights, ScaleError, feature::Feature};
use crate::engine::chess_engine::weights_text::{
    self, LINEAR_HEADING, LINEAR_KIND, LineName, WeightsError, shown,
};

/// The text of the file of built-in linear weights. A test checks that its numbers follow from a table and a
/// rule.
const HANDMADE: &str = include_str!("../../../../data/learning/handmade.txt");

/// Linear weights with their provenance.
///
/// The file begins with the line `# gainalyze linear weights, version 1` and the provenance as comments. Each
/// feature has a line such as `knight = 0.0213 206.51`. The first number is the weight as it was learned. The
/// second number is the weight scaled so that a pawn weighs 100 centipawns. A file is rejected if a scaled
/// weight does not follow from the learned weights of its feature and of the pawn.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearFile {
    /// Lines of text about the provenance of the weights.
    pub provenance: Vec<String>,
    raw: Box<RawWeights>,
    weights: LinearWeights,
}

impl LinearFile {
    /// The word that selects [`LinearFile::handmade`] instead of a file.
    pub const HANDMADE: &'static str = "handmade";

    /// Makes a file of weights in any unit.
    ///
    /// # Errors
    ///
    /// Fails if the weights cannot be scaled to centipawns.
    pub fn new(provenance: Vec<String>, raw: RawWeights) -> Result<LinearFile, ScaleError> {
        Ok(LinearFile { provenance, weights: LinearWeights::of(&raw)?, raw: Box::new(raw) })
    }

    /// Returns the built-in linear weights. The weights of features without a square are from Table 1 of
    /// Paulsen and Fürnkranz (2010). The weights of squares follow a rule of this program.
    pub fn handmade() -> LinearFile {
        static SHIPPED: LazyLock<LinearFile> =
            LazyLock::new(|| HANDMADE.parse().expect("weights that a test reads"));
        SHIPPED.clone()
    }

    /// Returns the weights for the search.
    pub fn weights(&self) -> &LinearWeights {
        &self.weights
    }

    /// Returns the weights in the unit in which they were learned or made, in the order of the features.
    pub fn raw(&self) -> &RawWeights {
        &self.raw
    }
}

impl fmt::Display for LinearFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let centipawns = |feature| format!("{:.2}", self.weights.centipawns(feature));
        let lines = Feature::all().zip(self.raw.iter());
        let lines = lines.map(|(feature, raw)| (feature, vec![raw.to_string(), centipawns(feature)]));
        weights_text::write(f, LINEAR_HEADING, &self.provenance, lines)
    }
}

impl LineName for Feature {
    type Number = f64;
    const HEADING: &str = LINEAR_HEADING;
    const EXAMPLE: &str = "knight = 0.0213 206.51";

    fn is_allowed(&self, _place: usize, number: f64) -> bool {
        number.is_finite()
    }

    fn allowed(&self) -> String {
        "finite".to_owned()
    }
}

impl FromStr for LinearFile {
    type Err = WeightsError;

    fn from_str(text: &str) -> Result<LinearFile, WeightsError> {
        let first = text.lines().next().unwrap_or_default().trim();
        if text.starts_with(LINEAR_KIND) && first != LINEAR_HEADING {
            let problem = format!("{:?} is not {LINEAR_HEADING:?}", shown(first));
            return Err(WeightsError::Line { line: 1, problem });
        }
        let (provenance, found) = weights_text::read::<Feature>(text)?;
        weights_text::require_lines(&found, Feature::all())?;
        let mut raw = [0.0; Feature::COUNT];
        found.iter().for_each(|(feature, (_, numbers))| raw[feature.index()] = numbers[0]);
        let file =
            LinearFile::new(provenance, raw).map_err(|error| WeightsError::Scale(error.to_string()))?;
        for (feature, (line, numbers)) in found {
            let (told, follows) = (numbers[1], file.weights.centipawns(feature));
            // The number in the file is rounded to two decimals.
            if (told - follows).abs() > 0.015 {
                let problem = format!(
                    "{feature} has {told} centipawns, but its weight and the weight of pawn give {follows:.2} \
                     centipawns"
                );
                return Err(WeightsError::Line { line, problem });
            }
        }
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Rank, Square};

    use super::*;
    use crate::engine::chess_engine::evaluation::emit::distance_from_center;

    /// The twelve numbers of Table 1 of the paper, in the order of the features, in centipawns.
    const TABLE_1: [i32; Feature::FIRST_SQUARE] = [100, 300, 300, 500, 900, -10, -20, -8, 20, 10, 15, 20];

    /// Makes the weights by their rule, in centipawns. The weights without a square are those of `TABLE_1`.
    ///
    /// For each rank it has advanced, a pawn gets 6 on the files d and e, 3 on c and f, and 1 on the
    /// remaining files. A knight gets 12 − 6·d and a bishop 8 − 4·d. Here d (0 to 6) is the number of steps
    /// by rank and file from the four central squares. Before the endgame, a king loses 20 for each rank it
    /// has advanced (60 at most). On its back rank it gets 20 on the files a, b, g and h and loses 10 on c to
    /// f. In the endgame it gets 24 − 12·d.
    fn by_rule() -> RawWeights {
        std::array::from_fn(|index| {
            let square = Feature::from_index(index).and_then(Feature::board_and_square);
            f64::from(square.map_or_else(|| TABLE_1[index], |(board, square)| square_value(board, square)))
        })
    }

    fn square_value(board: usize, square: Square) -> i32 {
        let (rank, distance) = (square.rank().to_usize() as i32, distance_from_center(square));
        if !Feature::can_stand(board, square) {
            return 0;
        }
        match board {
            0 => (rank - 1) * [1, 1, 3, 6, 6, 3, 1, 1][square.file().to_usize()],
            1 => 12 - 6 * distance,
            2 => 8 - 4 * distance,
            Feature::KING_BOARD if square.rank() == Rank::First => {
                [20, 20, -10, -10, -10, -10, 20, 20][square.file().to_usize()]
            }
            Feature::KING_BOARD => -20 * rank.min(3),
            _ => 24 - 12 * distance,
        }
    }

    /// Returns the built-in weights with their provenance.
    fn shipped() -> LinearFile {
        let provenance = [
            "made by hand, in centipawns: the first twelve are Table 1 of Paulsen and Fürnkranz (2010)",
            "squares follow a rule of ours: see docs/learning.md",
        ];
        LinearFile::new(provenance.map(str::to_owned).to_vec(), by_rule()).expect("weights")
    }

    #[test]
    fn the_file_that_comes_with_the_program_says_what_its_rule_says() {
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write("data/learning/handmade.txt", shipped().to_string()).expect("a file");
        }
        assert_eq!(HANDMADE, shipped().to_string());
        assert_eq!(LinearFile::handmade(), shipped());
        let table = include_str!("../../../../data/papers/paulsen_table1_features.csv");
        let of_table: Vec<f64> = table
            .lines()
            .skip(1)
            .map(|line| line.rsplit(',').next())
            .map(|number| number.and_then(|n| n.parse().ok()).expect("a number"))
            .collect();
        // The table has the bishop before the knight, and the open file before the half-open one.
        let order = [0, 2, 1, 3, 4, 5, 6, 7, 8, 10, 9, 11];
        assert_eq!(order.map(|at| of_table[at]), shipped().raw()[..12]);
    }

    #[test]
    fn a_file_is_written_as_it_was_read() {
        let raw = std::array::from_fn(|index| if index == 0 { 0.0317 } else { (index as f64).sin() * 0.1 });
        let file = LinearFile::new(vec!["band: 1000".to_owned()], raw).expect("weights");
        let again: LinearFile = file.to_string().parse().expect("a file");
        assert_eq!(again, file);
        assert_eq!(again.to_string(), file.to_string());
    }

    #[test]
    fn what_is_no_file_of_linear_weights_is_refused_with_its_place() {
        let text = shipped().to_string();
        let error = |text: String| text.parse::<LinearFile>().expect_err("an error").to_string();
        let replaced = |from: &str, to: &str| error(text.replacen(from, to, 1));
        assert!(error(String::new()).starts_with("the first line is neither"));
        let other = replaced("version 1", "version 2");
        assert!(other.starts_with("line 1: \"# gainalyze linear weights, version 2\" is not"), "{other}");
        assert_eq!(replaced("knight = 300 300.00\n", ""), "missing lines: 1 of 332; the first is \"knight\"");
        assert!(replaced("knight = 300", "knicht = 300").starts_with("line 5: \"knicht\" is not a feature"));
        assert_eq!(replaced("queen = 900", "queen = inf"), "line 8: a number for queen is not finite");
        assert_eq!(
            replaced("queen = 900 900.00", "queen = 900 NaN"),
            "line 8: a number for queen is not finite"
        );
        assert!(replaced("queen = 900", "queen = 800").starts_with(
            "line 8: queen has 900 centipawns, but its weight and the weight of pawn give 800.00 centipawns"
        ));
        assert!(replaced("queen = 900", "queen = 90000").contains("which is 90000 centipawns"));
        assert!(replaced("pawn = 100", "pawn = 0").starts_with("a pawn weighs 0"));
        assert!(replaced("pawn = 100", "pawn = -100").starts_with("a pawn weighs -100"));
        assert_eq!(error(format!("{text}queen = 900 900.00\n")), "line 336: queen already has a line");
    }
}
