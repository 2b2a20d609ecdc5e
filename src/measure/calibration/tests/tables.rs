//! Tables of docs/ that tests make: their form, and numbers as the documentation prints them.
//! `UPDATE_DOCS=1 cargo test --lib calibration` writes the tables.

use std::{fs, path::Path, sync::Mutex};

/// Locks the pages, because several tests may write to the same page.
static PAGES: Mutex<()> = Mutex::new(());

/// Checks that a page of docs/ has this table after the comment that names it, or writes the table.
///
/// The first row has the column headings. A heading that begins with `<` is of a column of text.
pub fn check_table(page: &str, name: &str, rows: &[Vec<String>]) {
    let _lock = PAGES.lock();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(page);
    let text = fs::read_to_string(&path).expect("a page");
    let headings = rows[0].iter().map(|heading| heading.trim_start_matches('<').to_owned());
    let sides = rows[0].iter().map(|heading| if heading.starts_with('<') { "---" } else { "---:" });
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let separator = format!("|{}|\n", sides.collect::<Vec<_>>().join("|"));
    let rest = rows[1..].iter().cloned().map(line);
    let table: String = [line(headings.collect()), separator].into_iter().chain(rest).collect();
    let comment = format!("<!-- {name}: a table that a test makes -->\n");
    let (before, after) = text.split_once(&comment).unwrap_or_else(|| panic!("{page} has no line {comment}"));
    let old: String = after.split_inclusive('\n').take_while(|line| line.starts_with('|')).collect();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, [before, &comment, &table, &after[old.len()..]].concat()).expect("a written page");
    } else {
        assert!(old == table, "{page}, {name}: UPDATE_DOCS=1 writes this table:\n{table}");
    }
}

pub fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

/// Returns a number as the documentation prints it.
pub fn number(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let digits = whole.len();
    let whole: String = (whole.chars().enumerate())
        .flat_map(|(place, digit)| {
            let comma = (place > 0 && (digits - place) % 3 == 0).then_some(',');
            comma.into_iter().chain([digit])
        })
        .collect();
    let is_zero = text.chars().all(|letter| letter == '0' || letter == '.');
    let sign = if value < 0.0 && !is_zero { "−" } else { "" };
    format!("{sign}{whole}{rest}")
}

pub fn rounded(value: f64) -> String {
    number(value, 0)
}

/// Returns a bias as the documentation prints it: rounded, with a sign unless it is 0.
pub fn signed(bias: f64) -> String {
    let text = rounded(bias);
    if text == "0" || bias < 0.0 { text } else { format!("+{text}") }
}

pub fn percent(share: f64) -> String {
    number(100.0 * share, 1)
}
