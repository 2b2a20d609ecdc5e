//! Owns the tables of a paper recomputed, beside their print.

use crate::{
    papers::{CellLayout, CellVerdict, PaperCell, PaperColumn, PaperTable, tally},
    report::{
        table::{
            Screen,
            layout::{Field, Layout, note},
        },
        words::numbers::MISSING,
    },
    text::{counted, rounded},
};

/// All tables of a paper, and how many of their cells agree.
pub fn papers(tables: &[PaperTable], screen: Screen) -> String {
    let mut parts: Vec<String> = tables.iter().map(|table| shown(table, screen)).collect();
    parts.push(note(MARKS, screen) + "\n");
    parts.push(last_line(tables) + "\n");
    parts.join("\n")
}

const MARKS: &str = "Behind a number, * is a known misprint or rounding, explained below its table, and ≠ any other \
    difference from the print.";

fn last_line(tables: &[PaperTable]) -> String {
    let tally = tally(tables);
    format!(
        "{}: {} agreeing, {} known misprints or roundings, {} other differences.",
        counted(tally.cells() as u64, "cell"),
        tally.agreeing,
        tally.explained,
        tally.differing
    )
}

fn shown(table: &PaperTable, screen: Screen) -> String {
    let fields = match table.form {
        CellLayout::Beside => beside(table),
        CellLayout::Below => below(table),
    };
    Layout { title: table.title, columns: fields, notes: table.notes.clone() }.shown(screen)
}

/// A column for what was computed, and one for its print.
fn beside(table: &PaperTable) -> Vec<Field> {
    let mut fields = vec![Field::text(table.head, table.rows.clone())];
    for column in &table.columns {
        let cells = column.cells.iter().map(|cell| computed(cell, column)).collect();
        fields.push(Field::number(column.name.clone(), cells));
        if column.cells.iter().any(|cell| cell.printed.is_some()) {
            fields.push(Field::number("\nprint", column.cells.iter().map(printed).collect()).dropped(1));
        }
    }
    fields
}

/// Each number above its print: so many columns side by side would be too wide.
fn below(table: &PaperTable) -> Vec<Field> {
    let rows = table.rows.iter().map(|row| format!("{row}\n  print")).collect();
    let cells = |column: &PaperColumn| {
        column.cells.iter().map(|cell| format!("{}\n{}", computed(cell, column), printed(cell))).collect()
    };
    let columns = table.columns.iter().enumerate().map(|(place, column)| {
        // Of a column for each depth every second gives way, then every second of the others.
        let dropped = match place % 4 {
            _ if table.columns.len() <= MOST_KEPT => 0,
            1 | 3 => 2,
            2 => 1,
            _ => 0,
        };
        Field::number(column.name.clone(), cells(column)).dropped(dropped)
    });
    std::iter::once(Field::text(table.head, rows)).chain(columns).collect()
}

/// As many columns as a narrow terminal can have of any table.
const MOST_KEPT: usize = 9;

fn computed(cell: &PaperCell, column: &PaperColumn) -> String {
    let value = match cell.computed {
        Some(value) if value.is_finite() => rounded(value, column.decimals),
        Some(_) => MISSING.to_owned(),
        None => "empty".to_owned(),
    };
    let mark = match cell.verdict() {
        CellVerdict::Unprinted | CellVerdict::Agrees => "",
        CellVerdict::Explained => "*",
        CellVerdict::Differs => "≠",
    };
    value + mark
}

fn printed(cell: &PaperCell) -> String {
    cell.printed.as_ref().map_or(MISSING, |printed| &printed.0).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{papers::Paper, text::width};

    fn table(form: CellLayout) -> PaperTable {
        let cells =
            vec![PaperCell::of(0.295, "0.29"), PaperCell::of(0.31, "0.29"), PaperCell::unprinted(f64::NAN)];
        PaperTable {
            title: "Table",
            head: "Depth",
            rows: ["6", "7", "8"].map(str::to_owned).to_vec(),
            columns: vec![PaperColumn { decimals: 3, ..PaperColumn::of_cells("6", cells) }],
            form,
            notes: vec!["A note.".to_owned()],
        }
    }

    #[test]
    fn a_cell_stands_beside_its_print_and_is_marked_where_it_differs() {
        let shown = shown(&table(CellLayout::Beside), Screen::default());
        let found: Vec<&str> = shown.lines().collect();
        for line in ["6       0.295   0.29", "7      0.310≠   0.29", "8           –      –", "A note."]
        {
            assert!(found.contains(&line), "{line:?} is not in\n{shown}");
        }
    }

    #[test]
    fn where_columns_are_many_the_print_stands_below() {
        let shown = shown(&table(CellLayout::Below), Screen::default());
        assert!(shown.contains("6         0.295\n  print    0.29\n7        0.310≠\n"), "{shown}");
    }

    #[test]
    fn the_last_line_counts() {
        let line = last_line(&[table(CellLayout::Beside)]);
        assert_eq!(line, "2 cells: 1 agreeing, 0 known misprints or roundings, 1 other differences.");
    }

    #[test]
    fn no_table_is_wider_than_a_usual_terminal() {
        for paper in [Paper::Ferreira2013, Paper::Heinz2000] {
            let shown = papers(&paper.tables(), Screen::of_columns(80));
            let last = shown.lines().last().unwrap_or_default();
            assert!(shown.lines().all(|line| width(line) <= 80 || line == last), "{shown}");
        }
    }
}
