//! [`Repair`]: a flaw that is repaired while a game is read; and [`RepairTally`], counts of repaired games.

use crate::base::named::named;

named! {
    /// A flaw that is repaired, or a value that cannot be read.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Repair: in_words {
        /// Only the last moves are at fault, as when the kings are put in the center of an electronic board.
        End => "the end has an illegal or unreadable move, so only the moves before it count",
        /// All moves are legal, but a move number is wrong.
        MoveNumber => "the moves are numbered wrongly",
        /// The FEN has castling rights, but king and rook are not on the squares that these need.
        CastlingRights => "the start position has impossible castling rights, which are dropped",
        /// The pieces have the letters of another language, or are figurines.
        PieceLetters => "the pieces have the letters of another language",
        /// The result is written like `0.5-0.5`, `1:0` or `+/-`.
        ResultForm => "the result has an unusual form",
        /// The tag `Result` and the text after the moves give different results.
        ResultTwice => "the tag Result and the end of the moves differ (mate or stalemate on the board decides, \
                        otherwise the tag)",
        /// The result cannot be read.
        ResultUnknown => "the result cannot be read and counts as unknown",
        /// The time control is in minutes, or in seconds in an unusual form such as `300 sec`.
        Minutes => "the tag TimeControl is in minutes or has an unusual form",
        /// Tags of a server contradict other tags, and the ratings count as ratings over the board.
        RatedOverTheBoard => "some tags are those of a server, but the ratings count as ratings over the board \
                              (--calibration NAME chooses the scale)",
        /// Tags of games over the board contradict other tags, and the ratings count as the server's.
        RatedByServer => "some tags are those of games over the board, but the ratings count as the server's \
                          (--calibration NAME chooses the scale)",
        /// The date has the order day, month and year, as in `13.03.2013`.
        DayFirst => "the date is read as day, month and year",
        /// The date has the order month, day and year, as in `03/13/2013`.
        MonthFirst => "the date is read as month, day and year",
        /// The date has another unusual form with the year first, such as `20130313`.
        DateOrder => "the date has an unusual form with the year first",
        /// The date has several readings, or none.
        DateUnknown => "the date cannot be read with certainty and counts as unknown (a certain year is kept)",
        /// A clock is in a form that cannot be read with certainty, such as `1:29`.
        ClockForm => "clocks are in an unknown form and are not used",
    }
}

/// A set of repairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Repairs(u16);

impl Repairs {
    /// Adds a repair.
    pub fn add(&mut self, repair: Repair) {
        self.0 |= 1 << repair as u16;
    }

    /// Returns the union of both sets.
    #[must_use]
    pub fn and(self, other: Repairs) -> Repairs {
        Repairs(self.0 | other.0)
    }

    /// Iterates over the repairs of the set.
    pub fn iter(self) -> impl Iterator<Item = Repair> {
        Repair::ALL.into_iter().filter(move |&repair| self.0 & 1 << repair as u16 != 0)
    }
}

/// The number of repaired games by repair, each with the title of the first such game.
#[cfg(feature = "program")]
#[derive(Debug, Clone, Default)]
pub struct RepairTally(std::collections::BTreeMap<Repair, (u64, String)>);

#[cfg(feature = "program")]
impl RepairTally {
    /// Counts a game with these repairs.
    pub fn add(&mut self, repairs: Repairs, title: impl Fn() -> String) {
        for repair in repairs.iter() {
            self.0.entry(repair).or_insert_with(|| (0, title())).0 += 1;
        }
    }

    /// Returns one sentence for each repair: `in 3 games, the moves are numbered wrongly; the first is …`.
    pub fn sentences(&self) -> impl Iterator<Item = String> {
        self.0.iter().map(|(repair, (games, first))| {
            let first = if *games == 1 { format!(" ({first})") } else { format!("; the first is {first}") };
            format!("in {}, {}{first}", crate::base::text::counted(*games, "game"), repair.in_words())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_repair_is_counted_once_for_a_game_and_named_with_the_first() {
        let mut tally = RepairTally::default();
        let mut repairs = Repairs::default();
        [Repair::Minutes, Repair::MoveNumber, Repair::Minutes].into_iter().for_each(|one| repairs.add(one));
        tally.add(repairs, || "game 1".to_owned());
        let mut minutes = Repairs::default();
        minutes.add(Repair::Minutes);
        tally.add(minutes, || "game 2".to_owned());
        assert_eq!(
            tally.sentences().collect::<Vec<_>>(),
            [
                "in 1 game, the moves are numbered wrongly (game 1)",
                "in 2 games, the tag TimeControl is in minutes or has an unusual form; the first is game 1"
            ]
        );
        assert_eq!(minutes.and(repairs).iter().count(), 2);
    }
}
