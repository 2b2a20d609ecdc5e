//! [`CourseMove`] and [`OpponentRecord`]: the data of a game that the controller needs. They are stored in
//! PGN files, and records of opponents also in files of their own.

use std::fmt;

use super::human::HumanLosses;

/// Weight, in moves, of the assumption about an unknown opponent.
const PRIOR_MOVES: f64 = 4.0;

/// Largest weight, in moves, of an opponent's record at the start of a game.
pub const MOST_MOVES: f64 = 40.0;

/// The knowledge about an opponent: the opponent's losses so far, and the number of moves.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpponentRecord {
    pub moves: f64,
    /// Sum of the player's gains by the opponent's moves, in percentage points. The sum is below 0 if the
    /// player overlooked more than the opponent lost.
    pub lost: f64,
}

impl fmt::Display for OpponentRecord {
    /// Formats as `lost 16.1 points in 4 moves`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "lost {} points in {} moves", self.lost, self.moves)
    }
}

impl OpponentRecord {
    /// Parses the formatted record; `None` for another text.
    pub fn read(text: &str) -> Option<OpponentRecord> {
        let (lost, moves) = text.strip_prefix("lost ")?.strip_suffix(" moves")?.split_once(" points in ")?;
        let record = OpponentRecord { moves: moves.parse().ok()?, lost: lost.parse().ok()? };
        record.is_sound().then(|| record.at_most(MOST_MOVES))
    }

    /// Returns whether the numbers of a record, which may come from a file, are possible.
    pub fn is_sound(&self) -> bool {
        self.moves.is_finite() && self.moves > 0.0 && (-100.0..=100.0).contains(&self.mean())
    }

    /// Returns the assumption about an unknown opponent: the mean loss of players rated `elo`.
    pub fn of_rating(elo: f64) -> OpponentRecord {
        OpponentRecord { moves: PRIOR_MOVES, lost: PRIOR_MOVES * HumanLosses::shipped().mean(elo) }
    }

    /// Returns the mean loss of a move, in percentage points.
    pub fn mean(&self) -> f64 {
        self.lost / self.moves.max(1.0)
    }

    pub fn with_change(self, before: OpponentRecord, after: OpponentRecord) -> OpponentRecord {
        let moves = self.moves + after.moves - before.moves;
        OpponentRecord { moves, lost: self.lost + after.lost - before.lost }
    }

    /// Returns a record with the same mean and at most `moves` moves, so that a new game can change the mean.
    pub fn at_most(self, moves: f64) -> OpponentRecord {
        match self.moves <= moves {
            true => self,
            false => OpponentRecord { moves, lost: self.mean() * moves },
        }
    }
}

/// A move of the player, with the controller's numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CourseMove {
    pub ply: u64,
    /// The expected score before the move, 0 to 1.
    pub expected: f64,
    /// The loss of the move, in percentage points.
    pub loss: f64,
    /// The expected score after the move, 0 to 1.
    pub after: f64,
}

impl fmt::Display for CourseMove {
    /// Formats as a command in a PGN comment, without the ply: `[%spar=0.48123,1.20000,0.47012]`. It has no
    /// space, because PGN breaks lines at spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[%spar={:.5},{:.5},{:.5}]", self.expected, self.loss, self.after)
    }
}

impl CourseMove {
    /// Reads the command from the comment of the move at `ply`; `None` without such a command.
    pub fn read(ply: u64, comment: &str) -> Option<CourseMove> {
        let (numbers, _) = comment.split_once("[%spar=")?.1.split_once(']')?;
        let numbers: Vec<f64> =
            numbers.split(',').map(|number| number.parse().ok()).collect::<Option<_>>()?;
        let [expected, loss, after] = numbers.try_into().ok()?;
        let is_sound = [expected, after].iter().all(|score| (0.0..=1.0).contains(score));
        (is_sound && (0.0..=100.0).contains(&loss)).then_some(CourseMove { ply, expected, loss, after })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_with_many_moves_keeps_its_mean_with_fewer_moves() {
        let record = OpponentRecord { moves: 400.0, lost: 800.0 }.at_most(40.0);
        assert_eq!(record, OpponentRecord { moves: 40.0, lost: 80.0 });
        assert_eq!(record.mean(), 2.0);
    }

    #[test]
    fn a_course_is_written_into_a_comment_and_read_from_it() {
        let played = CourseMove { ply: 8, expected: 0.4812, loss: 1.25, after: 0.4687 };
        let comment = format!("a plan {played}");
        assert_eq!(comment, "a plan [%spar=0.48120,1.25000,0.46870]");
        assert_eq!(CourseMove::read(8, &comment), Some(played));
        for text in [
            "",
            "[%spar=]",
            "[%spar=0.5,1,2]",
            "[%spar=0.5,NaN,0.5]",
            "[%spar=0.5,1]",
            "[%spar=0.5,1,0.4",
            "[%spar=0.5,1,0.4,x]",
            "[%spar=0.5,1,0.4,]",
        ] {
            assert_eq!(CourseMove::read(8, text), None, "{text}");
        }
    }

    #[test]
    fn a_record_is_read_as_it_is_written_and_limited_like_one_in_the_memory() {
        let record = OpponentRecord::of_rating(1500.0);
        assert_eq!(OpponentRecord::read(&record.to_string()), Some(record));
        for text in ["lost 3 points in 0 moves", "lost 3 points in inf moves", "lost NaN points in 4 moves"] {
            assert_eq!(OpponentRecord::read(text), None, "{text}");
        }
        let long = OpponentRecord::read("lost 0 points in 1e16 moves");
        assert_eq!(long, Some(OpponentRecord { moves: MOST_MOVES, lost: 0.0 }));
    }
}
