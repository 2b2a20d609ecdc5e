//! [`PaperCell`]: a recomputed number with the number printed in a paper, and [`PaperTable`], the table of
//! such cells.

#[derive(Debug, Clone, PartialEq)]
pub struct PaperTable {
    pub title: &'static str,
    pub head: &'static str,
    pub rows: Vec<String>,
    pub columns: Vec<PaperColumn>,
    pub form: CellLayout,
    /// Notes on the method and on known misprints.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellLayout {
    SideBySide,
    /// Each number has the printed number below it. This is for tables with many columns.
    Below,
}

#[derive(Debug, Clone, PartialEq)]
pub struct PaperColumn {
    pub name: String,
    pub decimals: usize,
    pub cells: Vec<PaperCell>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct PaperCell {
    /// The computed value; `None` for the end of an empty interval.
    pub computed: Option<f64>,
    pub printed: Option<Printed>,
    /// Allowed difference from the printed value, beyond half a unit in its last digit, for rounded inputs.
    pub tolerance: f64,
    pub explanation: Option<Explanation>,
}

/// A number or the word `empty`, as printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed(pub String);

/// The value by another rule of computation, which gives the printed value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Explanation {
    /// The value by the other rule; `None` for an empty interval.
    pub value: Option<f64>,
    /// Allowed difference from the printed value, beyond half a unit in its last digit.
    pub tolerance: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CellVerdict {
    Unprinted,
    /// Equal to the printed value, within half a unit of its last digit and the cell's tolerance.
    Agrees,
    /// Different for a known reason: the explanation gives the printed value.
    Explained,
    Differs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VerdictCounts {
    pub agreeing: usize,
    pub explained: usize,
    pub differing: usize,
}

impl Printed {
    pub fn value(&self) -> Option<f64> {
        self.0.parse().ok()
    }

    pub fn decimals(&self) -> usize {
        self.0.split_once('.').map_or(0, |(_, decimals)| decimals.len())
    }

    /// Returns whether `value` differs from the printed value by at most half a unit of its last digit plus
    /// `tolerance`.
    fn is(&self, value: Option<f64>, tolerance: f64) -> bool {
        // Exactly half a unit may be rounded up or down, and is seldom exact in binary.
        let unit = 0.1f64.powi(self.decimals() as i32);
        match (self.value(), value) {
            (Some(printed), Some(value)) => (printed - value).abs() <= 0.5 * unit + tolerance + 1e-9,
            (None, None) => self.0 == EMPTY,
            _ => false,
        }
    }
}

/// The text for an empty interval in data/papers.
const EMPTY: &str = "empty";

impl PaperCell {
    pub fn of(computed: impl Into<Option<f64>>, printed: &str) -> PaperCell {
        let printed = Some(Printed(printed.to_owned()));
        PaperCell { computed: computed.into(), printed, tolerance: 0.0, explanation: None }
    }

    pub fn unprinted(computed: impl Into<Option<f64>>) -> PaperCell {
        PaperCell { computed: computed.into(), printed: None, tolerance: 0.0, explanation: None }
    }

    /// Returns the verdict of the comparison. An explanation counts only if it gives the printed value.
    pub fn verdict(&self) -> CellVerdict {
        let Some(printed) = &self.printed else { return CellVerdict::Unprinted };
        let is_explained = |explanation: Explanation| printed.is(explanation.value, explanation.tolerance);
        match self.explanation {
            _ if printed.is(self.computed, self.tolerance) => CellVerdict::Agrees,
            Some(explanation) if is_explained(explanation) => CellVerdict::Explained,
            _ => CellVerdict::Differs,
        }
    }
}

impl PaperColumn {
    /// Returns a column of computed numbers with their printed numbers, one pair per row. All numbers have as
    /// many decimals as the printed number with the most decimals.
    pub fn of(
        name: impl Into<String>,
        computed: impl IntoIterator<Item = f64>,
        printed: &[String],
    ) -> PaperColumn {
        let cells: Vec<PaperCell> =
            computed.into_iter().zip(printed).map(|(value, printed)| PaperCell::of(value, printed)).collect();
        assert_eq!(cells.len(), printed.len(), "a number for each printed one");
        PaperColumn::of_cells(name, cells)
    }

    /// Returns a column of cells. All numbers have as many decimals as the printed number with the most
    /// decimals.
    pub fn of_cells(name: impl Into<String>, cells: Vec<PaperCell>) -> PaperColumn {
        let printed = cells.iter().filter_map(|cell| cell.printed.as_ref());
        let decimals = printed.map(Printed::decimals).max().unwrap_or_default();
        PaperColumn { name: name.into(), decimals, cells }
    }

    pub fn unprinted(
        name: impl Into<String>,
        decimals: usize,
        computed: impl IntoIterator<Item = f64>,
    ) -> PaperColumn {
        let cells = computed.into_iter().map(PaperCell::unprinted).collect();
        PaperColumn { name: name.into(), decimals, cells }
    }
}

impl PaperTable {
    /// Makes a table without notes. Each number has the printed number next to it.
    pub fn new(
        title: &'static str,
        head: &'static str,
        columns: Vec<PaperColumn>,
        rows: Vec<String>,
    ) -> PaperTable {
        PaperTable { title, head, rows, columns, form: CellLayout::SideBySide, notes: Vec::new() }
    }

    pub fn below(self) -> PaperTable {
        PaperTable { form: CellLayout::Below, ..self }
    }

    pub fn noted(mut self, note: impl Into<String>) -> PaperTable {
        self.notes.push(note.into());
        self
    }

    pub fn cells(&self) -> impl Iterator<Item = &PaperCell> {
        self.columns.iter().flat_map(|column| &column.cells)
    }
}

impl VerdictCounts {
    pub fn cells(&self) -> usize {
        self.agreeing + self.explained + self.differing
    }
}

impl<'a> FromIterator<&'a PaperCell> for VerdictCounts {
    fn from_iter<I: IntoIterator<Item = &'a PaperCell>>(cells: I) -> VerdictCounts {
        let mut tally = VerdictCounts::default();
        for cell in cells {
            match cell.verdict() {
                CellVerdict::Unprinted => {}
                CellVerdict::Agrees => tally.agreeing += 1,
                CellVerdict::Explained => tally.explained += 1,
                CellVerdict::Differs => tally.differing += 1,
            }
        }
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_agrees_within_half_a_unit_of_the_last_printed_digit() {
        let verdict = |computed: f64, printed: &str| PaperCell::of(computed, printed).verdict();
        assert_eq!(verdict(0.295, "0.29"), CellVerdict::Agrees);
        assert_eq!(verdict(0.295, "0.30"), CellVerdict::Agrees);
        assert_eq!(verdict(0.2951, "0.29"), CellVerdict::Differs);
        assert_eq!(verdict(159.4, "+159"), CellVerdict::Agrees);
        assert_eq!(verdict(f64::NAN, "0"), CellVerdict::Differs);
        assert_eq!(verdict(0.3, "empty"), CellVerdict::Differs);
        assert_eq!(PaperCell::of(None, "empty").verdict(), CellVerdict::Agrees);
        assert_eq!(PaperCell::of(None, "0.3").verdict(), CellVerdict::Differs);
        assert_eq!(
            PaperCell::of(None, "0,3").verdict(),
            CellVerdict::Differs,
            "no number, and no empty interval"
        );
    }

    #[test]
    fn an_explanation_that_does_not_give_the_print_explains_nothing() {
        let cell = |value| PaperCell {
            explanation: Some(Explanation { value, tolerance: 0.0 }),
            ..PaperCell::of(None, "0.402")
        };
        assert_eq!(cell(Some(0.4021)).verdict(), CellVerdict::Explained);
        assert_eq!(cell(Some(0.4026)).verdict(), CellVerdict::Differs);
        assert_eq!(cell(None).verdict(), CellVerdict::Differs);
    }

    #[test]
    fn what_is_not_printed_is_not_counted() {
        let cells = [PaperCell::unprinted(1.0), PaperCell::of(1.0, "1"), PaperCell::of(1.0, "2")];
        let tally: VerdictCounts = cells.iter().collect();
        assert_eq!((tally.cells(), tally.agreeing, tally.differing), (2, 1, 1));
    }
}
