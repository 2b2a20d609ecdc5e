//! Owns the cleaning and cutting of untrusted text, before it is shown on a terminal or in a picture.

use std::{collections::BTreeMap, path::Path, time::Duration};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Returns `text` without what could move a cursor, change a colour or turn the direction of the line:
/// control characters, escapes with what they command, and invisible formatting.
pub fn printable(text: &str) -> String {
    let mut shown = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1b}' if letters.next_if_eq(&'[').is_some() => {
                while letters.next_if(|c| matches!(c, '0'..='?' | ' '..='/')).is_some() {}
                letters.next_if(|c| matches!(c, '@'..='~'));
            }
            letter if letter.is_whitespace() => shown.push(' '),
            letter if letter.is_control() || is_invisible(letter) => {}
            letter => shown.push(letter),
        }
    }
    let shown = shown.trim();
    if shown.is_empty() { "?".to_owned() } else { shown.to_owned() }
}

/// An error and its causes on one line, as a user reads them: without the system's number of an error.
pub fn with_causes(error: &dyn std::error::Error) -> String {
    std::iter::successors(Some(error), |error| error.source())
        .map(|error| {
            let said = error.to_string();
            said.rfind(" (os error ").map_or(said.clone(), |number| said[..number].to_owned())
        })
        .collect::<Vec<_>>()
        .join(": ")
}

/// Lists how many there are of each kind: `3 odd, 1 round`.
pub fn listed_counts(kinds: &BTreeMap<String, u64>) -> String {
    kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect::<Vec<_>>().join(", ")
}

/// Tells whether a text says anything: signs alone do not.
pub fn has_words(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

/// Marks of direction, joiners, byte order, tags and private letters: nothing a name needs.
fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..)
}

/// Writes `value` with that many decimals, and no minus where rounding left nothing but zeros.
pub fn rounded(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|digit| matches!(digit, b'0' | b'.')) => digits.to_owned(),
        _ => text,
    }
}

/// Writes `text` as part of a message: [`printable`], and no longer than a name needs.
pub fn brief(text: &str) -> String {
    cut(&printable(text), BRIEF)
}

/// Returns a path as part of a message: [`printable`], and where it is long without its beginning, which
/// tells least.
pub fn path_text(path: &str) -> String {
    let path = printable(path);
    let letters = path.chars().count();
    if letters <= BRIEF {
        path
    } else {
        format!("…{}", path.chars().skip(letters - BRIEF).collect::<String>())
    }
}

/// Returns a path as it is shown: printable, a long one by its end.
pub fn shown_path(path: &Path) -> String {
    path_text(&path.to_string_lossy())
}

/// Returns a path as it is told to who may want to open it: printable, and whole however long it is.
pub fn full_path(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

/// Columns of a name, a path or a token in a message.
const BRIEF: usize = 80;

/// Returns an argument as a POSIX shell takes it, in quotes where it needs them.
pub fn shell_quoted(argument: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_./=,:+@%".contains(letter);
    if !argument.is_empty() && argument.chars().all(plain) {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', "'\\''"))
    }
}

/// Returns `text` without white space at its ends and with single spaces inside.
pub fn fold_spaces(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Counts a thing in words: `1 move`, `2 moves`, `2 searches`.
pub fn counted(count: u64, thing: &str) -> String {
    let plural = if thing.ends_with("ch") { "es" } else { "s" };
    format!("{count} {thing}{}", if count == 1 { "" } else { plural })
}

/// Writes a time as people say it who do not know it exactly: `20 seconds`, `40 minutes`, `3 hours`, `2 days`.
pub fn about(time: Duration) -> String {
    const MINUTE: f64 = 60.0;
    const HOUR: f64 = 60.0 * MINUTE;
    const DAY: f64 = 24.0 * HOUR;
    let seconds = time.as_secs_f64();
    let (unit, thing) = match () {
        () if seconds < 10.0 => (1.0, "second"),
        () if seconds < 52.5 => return format!("{:.0} seconds", 5.0 * (seconds / 5.0).round()),
        () if seconds < 1.5 * HOUR => (MINUTE, "minute"),
        () if seconds < 2.0 * DAY => (HOUR, "hour"),
        () => (DAY, "day"),
    };
    counted((seconds / unit).round().max(1.0) as u64, thing)
}

/// Names that a message lists one by one.
pub const NAMED: usize = 12;

/// Lists the first [`NAMED`] of `names`, and how many more there are: `a, b, and 3 more`. Names that may have
/// commas of their own want another `separator`.
pub fn first_named<T: AsRef<str>>(names: impl IntoIterator<Item = T>, separator: &str) -> String {
    let mut names = names.into_iter();
    let mut listed: Vec<String> = names.by_ref().take(NAMED).map(|name| name.as_ref().to_owned()).collect();
    match names.count() {
        0 => {}
        more => listed.push(format!("and {more} more")),
    }
    listed.join(separator)
}

/// Returns how many columns `text` takes on a terminal.
pub fn width(text: &str) -> usize {
    text.width()
}

/// Cuts `text` to `columns` of a terminal, with `…` for what was cut off. Marks that stand on the letter
/// before them take no column, so they are limited too: four a letter.
pub fn cut(text: &str, columns: usize) -> String {
    if text.width() <= columns && text.chars().count() <= 4 * columns {
        return text.to_owned();
    }
    let (mut kept, mut used) = (String::new(), 0);
    for letter in text.chars().take(4 * columns) {
        used += letter.width().unwrap_or_default();
        if used >= columns {
            break;
        }
        kept.push(letter);
    }
    format!("{}…", kept.trim_end())
}

/// Breaks `text` into lines of at most `columns`, broken at spaces; a longer word keeps its line.
pub fn wrapped(text: &str, columns: usize) -> String {
    wrapped_words(text.split_whitespace(), columns)
}

/// Sets `words` in lines of at most `columns`; spaces within a word are kept.
pub fn wrapped_words<'w>(words: impl IntoIterator<Item = &'w str>, columns: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

/// Returns `text` as a cell of CSV has it: with an apostrophe before it where a spreadsheet would run it as a formula. A name
/// is the word of whoever made the file of games. The full-width forms are formulas to spreadsheets as well.
#[cfg(feature = "program")]
pub fn disarmed(text: &str) -> String {
    if is_formula(text) { format!("'{text}") } else { text.to_owned() }
}

/// Returns the text of a cell without the apostrophe of [`disarmed`].
#[cfg(feature = "program")]
pub fn undisarmed(text: &str) -> &str {
    text.strip_prefix('\'').filter(|rest| is_formula(rest)).unwrap_or(text)
}

#[cfg(feature = "program")]
fn is_formula(text: &str) -> bool {
    // A lone hyphen, PGN's word for a round that there is not, computes nothing.
    text != "-" && text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_cell_that_is_a_formula_is_disarmed_and_read_back() {
        for (text, cell) in [("=Ann", "'=Ann"), ("@SUM(1)", "'@SUM(1)"), ("＝1", "'＝1"), ("\tx", "'\tx")] {
            assert_eq!((disarmed(text).as_str(), undisarmed(cell)), (cell, text));
        }
        for value in ["Ann", "-", "'quoted", "", "1.10", "1.2.3", "2013.03.15"] {
            assert_eq!((disarmed(value).as_str(), undisarmed(value)), (value, value));
        }
    }

    #[test]
    fn escapes_and_marks_of_direction_do_not_reach_the_terminal() {
        assert_eq!(printable("\u{1b}[31mred\u{1b}[0m"), "red");
        assert_eq!(printable("a\u{202e}b\u{200f}c\u{7}\r\n"), "abc");
        assert_eq!(printable("\u{9b}31m\u{1b}]0;title\u{7}"), "31m]0;title");
        assert_eq!(printable("\u{1b}[31"), "?");
    }

    #[test]
    fn what_is_cut_says_so() {
        assert_eq!(cut("Nepomniachtchi", 6), "Nepom…");
        assert_eq!(cut("李雷韩梅梅", 6), "李雷…");
        assert_eq!(cut("Anand", 5), "Anand");
        assert!(cut(&format!("a{}", "\u{301}".repeat(10_000)), 8).chars().count() <= 33);
    }

    #[test]
    fn a_long_path_keeps_its_end() {
        assert_eq!(path_text("data/games.pgn"), "data/games.pgn");
        assert!(path_text(&format!("/{}/games.pgn", "long/".repeat(50))).ends_with("/games.pgn"));
    }

    #[test]
    fn a_time_that_is_not_known_exactly_is_told_in_one_unit() {
        let told = [0.2, 7.4, 22.0, 59.0, 100.0, 2400.0, 5300.0, 9000.0, 100_000.0, 1e6];
        let told = told.map(|seconds| about(Duration::from_secs_f64(seconds)));
        let expected =
            ["1 second", "7 seconds", "20 seconds", "1 minute", "2 minutes", "40 minutes", "88 minutes"];
        assert_eq!(told[..7], expected);
        assert_eq!(told[7..], ["3 hours", "28 hours", "12 days"]);
    }

    #[test]
    fn nothing_is_rounded_to_minus_zero() {
        assert_eq!([rounded(-0.04, 1), rounded(-0.06, 1), rounded(12.0, 0)], ["0.0", "-0.1", "12"]);
    }

    #[test]
    fn of_many_names_the_first_are_listed_and_the_others_counted() {
        let numbers = |count: usize| (1..=count).map(|number| number.to_string());
        assert_eq!(first_named(numbers(0), ", "), "");
        assert_eq!(first_named(numbers(3), "; "), "1; 2; 3");
        assert_eq!(first_named(numbers(NAMED), ", "), "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12");
        assert!(first_named(numbers(NAMED + 7), ", ").ends_with("11, 12, and 7 more"));
    }

    #[test]
    fn lines_break_at_spaces() {
        assert_eq!(wrapped("one two three", 8), "one two\nthree");
        assert_eq!(wrapped_words(["one", "two three"], 8), "one\ntwo three");
    }

    proptest! {
        #[test]
        fn nothing_shown_controls_a_terminal(text in any::<String>(), columns in 1usize..40) {
            let shown = cut(&printable(&text), columns);
            prop_assert!(!shown.chars().any(char::is_control));
            prop_assert!(width(&shown) <= columns);
        }
    }
}
