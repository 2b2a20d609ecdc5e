//! The tables of a paper: each computed number with the printed number.

use crate::base::text::{counted, rounded};
use crate::lab::{CellLayout, CellVerdict, PaperCell, PaperColumn, PaperTable, papers::tally};
use crate::report::kinds::{Page, every_second};
use crate::report::table::{Rows, Screen, Table, head, layout::Layout, layout::note};
use crate::report::words::numbers::MISSING;
use crate::report::{html::provenance::making, publish::Report, rendered};

pub fn shown_papers(tables: &[PaperTable], screen: Screen) -> String {
    let mut parts: Vec<String> = tables.iter().map(|table| layout(table).shown(screen)).collect();
    parts.push(note(MARKS, screen) + "\n");
    parts.push(last_line(tables) + "\n");
    parts.join("\n")
}

/// Returns the tables as a page with the title `paper`.
pub fn page(paper: String, tables: &[PaperTable]) -> askama::Result<String> {
    let report = Report {
        title: paper,
        sentences: vec![last_line(tables), MARKS.to_owned()],
        facts: making(Vec::new(), &[]),
        shown: tables.iter().map(layout).collect(),
        ..Report::default()
    };
    rendered(&Page::Papers { report: &report })
}

const MARKS: &str = "Marks after a number: * is a known misprint or rounding, explained below its table; ≠ is any other \
    difference from the printed number.";

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

fn layout(table: &PaperTable) -> Layout {
    let lines = if table.form == CellLayout::Below { 2 } else { 1 };
    let rows: Vec<usize> = (0..lines * table.rows.len()).collect();
    let shown = match table.form {
        CellLayout::SideBySide => computed_rows(table, &rows),
        CellLayout::Below => below(table, &rows),
    };
    shown.layout(table.title, table.notes.clone())
}

fn computed_rows<'a>(table: &'a PaperTable, rows: &'a [usize]) -> Rows<'a, usize> {
    let mut shown = Table::shown(rows).display(table.head, |&row| &table.rows[row]);
    for column in &table.columns {
        shown = shown.display_text(column.name.clone(), |&row| computed(&column.cells[row], column));
        if column.cells.iter().any(|cell| cell.printed.is_some()) {
            shown = shown.display_text(head("\nprint").gives_way(1), |&row| printed(&column.cells[row]));
        }
    }
    shown
}

/// Puts computed above printed numbers, for tables with too many columns to put them side by side.
fn below<'a>(table: &'a PaperTable, rows: &'a [usize]) -> Rows<'a, usize> {
    let names = Table::shown(rows).label(table.head, |&row| match row % 2 {
        0 => table.rows[row / 2].clone(),
        _ => "  print".to_owned(),
    });
    (0..).zip(&table.columns).fold(names, |shown, (place, column)| {
        let cell = |row: usize| match row % 2 {
            0 => computed(&column.cells[row / 2], column),
            _ => printed(&column.cells[row / 2]),
        };
        shown.display_text(
            head(column.name.clone()).gives_way(every_second(place, table.columns.len())),
            |&row| cell(row),
        )
    })
}

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
    use crate::base::text::width;
    use crate::lab::Paper;

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
        let shown = layout(&table(CellLayout::SideBySide)).shown(Screen::default());
        let found: Vec<&str> = shown.lines().collect();
        for line in ["6       0.295   0.29", "7      0.310≠   0.29", "8           –      –", "A note."]
        {
            assert!(found.contains(&line), "{line:?} is not in\n{shown}");
        }
    }

    #[test]
    fn where_columns_are_many_the_print_stands_below() {
        let shown = layout(&table(CellLayout::Below)).shown(Screen::default());
        assert!(shown.contains("6         0.295\n  print    0.29\n7        0.310≠\n"), "{shown}");
    }

    #[test]
    fn the_page_has_the_count_as_its_heading_and_every_table() {
        let page = page("A paper".to_owned(), &[table(CellLayout::SideBySide)]).expect("a page");
        assert!(
            page.contains("2 cells: 1 agreeing, 0 known misprints or roundings, 1 other differences</h1>")
        );
        assert!(page.contains("0.310≠") && page.contains("A note."), "{page}");
    }

    #[test]
    fn the_last_line_counts() {
        let line = last_line(&[table(CellLayout::SideBySide)]);
        assert_eq!(line, "2 cells: 1 agreeing, 0 known misprints or roundings, 1 other differences.");
    }

    #[test]
    fn no_table_is_wider_than_a_usual_terminal() {
        for paper in [Paper::Ferreira2013, Paper::Heinz2000] {
            let shown = shown_papers(&paper.tables(), Screen::of_columns(80));
            let last = shown.lines().last().unwrap_or_default();
            assert!(shown.lines().all(|line| width(line) <= 80 || line == last), "{shown}");
        }
    }
}
