//! Columns that several tables share. The name, quantity and meaning of each column are defined once.

use crate::chess::{Judgment, JudgmentCounts};
use crate::measure::{Method, Statistic, StatisticFacts, Unit};
use crate::numbers::Signs;
use crate::report::table::{ColumnPart, EndColumns, NumberCell, Rows, head};

impl<'a, R> Rows<'a, R> {
    pub fn expected_score<T: NumberCell>(self, ends: EndColumns, of: impl Fn(&'a R) -> T) -> Self {
        let meaning = "Expected score against the engine: the probability that a move gains more than a move of the \
            engine; ties count half.";
        self.number_in("expected_score", Unit::Score, ends, meaning, of)
    }

    pub fn elo_difference<T: NumberCell>(self, ends: EndColumns, of: impl Fn(&'a R) -> T) -> Self {
        let meaning = "Elo difference equivalent to the expected score; negative if the engine is stronger.";
        self.number_in("elo_difference", Unit::Elo, ends, meaning, of)
    }

    pub fn score_kept<T: NumberCell>(self, of: impl Fn(&'a R) -> T) -> Self {
        let meaning =
            "Share of an even game that the moves keep against an opponent who never errs, mean over games.";
        self.number("score_kept", Unit::Score, meaning, of)
    }

    /// Shows the intervals of the last column if there are any.
    pub fn intervals(self, decimals: usize) -> Self {
        match self.has_intervals() {
            true => self.heading(ColumnPart::Range.under(INTERVAL).decimals(decimals).gives_way(1)),
            false => self,
        }
    }

    pub fn moves_by_sign(self, of: impl Fn(&'a R) -> Signs) -> Self {
        self.column("positive", "Moves whose gain is in a bin above 0.", |row| of(row).positive)
            .column("zero", "Moves whose gain is in the bin of 0.", |row| of(row).zero)
            .column("negative", "Moves whose gain is in a bin below 0.", |row| of(row).negative)
    }

    pub fn spearman(self, of: impl Fn(&'a R) -> Option<f64>) -> Self {
        let meaning = "Spearman's rank correlation ρ; empty if there is none.";
        self.number("spearman", Unit::Correlation, meaning, of)
    }

    pub fn kendall(self, of: impl Fn(&'a R) -> Option<f64>) -> Self {
        let meaning = "Kendall's rank correlation τ-b; empty if there is none.";
        self.number("kendall", Unit::Correlation, meaning, of)
    }

    /// Adds remaining and spent time in seconds; `left` and `spent` return hundredths.
    pub fn clocks(self, left: impl Fn(&'a R) -> Option<u32>, spent: impl Fn(&'a R) -> Option<u32>) -> Self {
        let seconds = |hundredths: Option<u32>| hundredths.map(|hundredths| f64::from(hundredths) / 100.0);
        let of_left = "Time left to the mover after the move; empty if unknown.";
        let of_spent =
            "Time spent on the move, from the game or from clocks and time control; empty if unknown.";
        self.number("left_s", Unit::Seconds, of_left, |row| seconds(left(row))).number(
            "spent_s",
            Unit::Seconds,
            of_spent,
            |row| seconds(spent(row)),
        )
    }

    pub fn statistic<T: NumberCell>(
        self,
        statistic: Statistic,
        ends: EndColumns,
        of: impl Fn(&'a R) -> T,
    ) -> Self {
        let StatisticFacts { key, quantity, meaning, .. } = *statistic.facts();
        self.number_in(key, quantity, ends, meaning, of)
    }

    /// Adds the counts by lichess's rule; `before` is the prefix of the names.
    pub fn judgments(self, before: &str, of: impl Fn(&'a R) -> Option<JudgmentCounts>) -> Self {
        Judgment::ALL.into_iter().fold(self, |table, judgment| table.judged(before, judgment, &of))
    }

    /// Adds the counts of [`Rows::judgments`] without a prefix, and shows them to readers.
    pub fn judgments_shown(self, of: impl Fn(&'a R) -> Option<JudgmentCounts>) -> Self {
        Judgment::ALL.into_iter().fold(self, |table, judgment| {
            table.judged("", judgment, &of).heading(head(judgment.symbol()).gives_way(1))
        })
    }

    fn judged(self, before: &str, judgment: Judgment, of: impl Fn(&'a R) -> Option<JudgmentCounts>) -> Self {
        let plural = judgment.plural();
        let meaning = format!("Number of {plural} by lichess's rule, among the moves that pass the filters.");
        self.column(format!("{before}{plural}"), meaning, |row| of(row).map(|counts| counts.of(judgment)))
    }

    pub fn filter(self, method: &Method) -> Self {
        let names = method.filter.names().join("; ");
        self.column("filter", FILTER, |_| names.clone())
    }
}

pub const FILTER: &str = "Filters in force, by name; empty if all moves count.";

pub const RANK: &str = "Rank among all players. Empty if the player has too few moves for a rating, or only one game while others have more.";

pub const RATING_OF_PLAY: &str = "Rating of play, from the moves alone; empty if `refused` gives a reason.";

pub const REFUSED: &str = "Reason why the rating of play is missing; empty otherwise.";

pub const INTERVAL: &str = "95 %\ninterval";

pub const BIN_SHARE: &str = "Share of the moves in the bin.";
