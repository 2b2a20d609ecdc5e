//! [`PrintedTable`]: a printed table shipped with the program, and [`PaperData`], the tables of a paper.

use std::{collections::BTreeMap, ops::Index};

/// The fields of a CSV file. They contain no commas or quotes. The first field of a row is the row's name.
///
/// These files are part of the program, so methods panic if a file is malformed or lacks a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintedTable {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// The printed tables of a paper. A table's name is its file's name in data/papers without the paper's name.
#[derive(Debug, Clone)]
pub struct PaperData(pub BTreeMap<&'static str, PrintedTable>);

macro_rules! shipped {
    ($paper:literal: $($table:literal),*) => {
        PaperData([$((
            $table,
            PrintedTable::parse(include_str!(concat!("../../../data/papers/", $paper, "_", $table, ".csv"))),
        )),*].into())
    };
}

pub(super) use shipped;

impl Index<&str> for PaperData {
    type Output = PrintedTable;

    fn index(&self, table: &str) -> &PrintedTable {
        &self.0[table]
    }
}

impl PrintedTable {
    pub fn parse(csv: &str) -> PrintedTable {
        let mut lines = csv.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        let header = lines.next().expect("a header");
        let rows: Vec<Vec<String>> = lines.collect();
        assert!(rows.iter().all(|row| row.len() == header.len()), "rows of one length: {header:?}");
        PrintedTable { header, rows }
    }

    pub fn names(&self) -> Vec<String> {
        self.texts(0)
    }

    /// Returns the names of the columns after the column of row names.
    pub fn columns(&self) -> &[String] {
        &self.header[1..]
    }

    pub fn column(&self, name: &str) -> Vec<String> {
        self.texts(self.place(name))
    }

    pub fn numbers(&self, name: &str) -> Vec<f64> {
        self.column(name).iter().map(|text| text.parse().expect("a number in data/papers")).collect()
    }

    pub fn counts(&self, name: &str) -> Vec<u32> {
        self.column(name).iter().map(|text| text.parse().expect("a whole number in data/papers")).collect()
    }

    /// Returns all columns of numbers, one list per column.
    pub fn matrix(&self) -> Vec<Vec<f64>> {
        self.columns().iter().map(|name| self.numbers(name)).collect()
    }

    fn place(&self, name: &str) -> usize {
        self.header.iter().position(|header| header == name).expect("a column of data/papers")
    }

    fn texts(&self, place: usize) -> Vec<String> {
        self.rows.iter().map(|row| row[place].clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl PaperData {
        /// Replaces the field in row `row` of the column `name` of a table.
        pub fn with(mut self, table: &str, row: usize, name: &str, text: &str) -> PaperData {
            let printed = self.0.get_mut(table).expect("a table of the paper");
            *printed = printed.clone().with(row, name, text);
            self
        }
    }

    impl PrintedTable {
        /// Replaces the field in row `row` of the column `name`.
        pub fn with(mut self, row: usize, name: &str, text: &str) -> PrintedTable {
            let place = self.place(name);
            self.rows[row][place] = text.to_owned();
            self
        }
    }

    #[test]
    fn fields_are_found_by_row_and_column() {
        let sheet = PrintedTable::parse("depth,6,7\n6,0.5,0.25\n7,0.75,0.5\n");
        assert_eq!(sheet.names(), ["6", "7"]);
        assert_eq!(sheet.numbers("7"), [0.25, 0.5]);
        assert_eq!(sheet.matrix(), [[0.5, 0.75], [0.25, 0.5]]);
        assert_eq!(sheet.with(1, "6", "empty").column("6"), ["0.5", "empty"]);
    }
}
