//! The papers' tables from the papers' own numbers, as the program shows them anywhere.

use crate::program::Bench;

fn reproduced(paper: &str) -> String {
    let bench = Bench::new("").with("GAINALYZE_ENGINE", "/no/such/engine");
    let run = bench.run(&["reproduce", paper]).ended_with(0);
    assert_eq!(run.stderr, "");
    run.stdout
}

fn assert_ends_with(shown: &str, line: &str) {
    assert_eq!(shown.lines().last(), Some(line), "{shown}");
}

#[test]
fn ferreiras_tables_come_out() {
    let shown = reproduced("ferreira-2013");
    assert_ends_with(&shown, "691 cells: 685 agreeing, 6 known misprints or roundings, 0 other differences.");
    for title in ["Table 3 from", "Table 4 from", "Table 5", "Table 6", "Table 7", "Table 8", "three fits"] {
        assert!(shown.contains(title), "{title} is not in {shown}");
    }
    // The four cells of Table 4, and two numbers of the text.
    assert_eq!(shown.matches("* ").count() - shown.matches(", * is").count(), 6, "{shown}");
}

#[test]
fn heinzs_tables_come_out() {
    let shown = reproduced("heinz-2000");
    assert_ends_with(&shown, "123 cells: 117 agreeing, 6 known misprints or roundings, 0 other differences.");
    for title in ["Table 3", "Table 4", "Table 5", "Table 6", "Table 6, intersections"] {
        assert!(shown.contains(title), "{title} is not in {shown}");
    }
}

#[test]
fn paulsens_tables_come_out() {
    let shown = reproduced("paulsen-2010");
    assert_ends_with(&shown, "76 cells: 76 agreeing, 0 known misprints or roundings, 0 other differences.");
    for title in
        ["Table 2", "Table 3", "Table 4 at 1 ply", "Table 4 at 2 plies", "Table 4 at 4 plies", "Table 5"]
    {
        assert!(shown.contains(title), "{title} is not in {shown}");
    }
}

#[test]
fn kennedys_numbers_come_out() {
    let shown = reproduced("kennedy-2018");
    assert_ends_with(&shown, "2 cells: 1 agreeing, 1 known misprints or roundings, 0 other differences.");
    for words in ["112", "167", "81", "2.536", "6.8", "39.4", "0.000045"] {
        assert!(shown.contains(words), "{words} is not in {shown}");
    }
}

#[test]
fn another_paper_is_an_error_that_names_those_there_are() {
    let run = Bench::new("").run(&["reproduce", "elo-1978"]).ended_with(2);
    run.said(&["ferreira-2013", "heinz-2000", "paulsen-2010", "kennedy-2018"]);
}
