//! Cleaning and cutting of untrusted text before it is shown on a terminal or in a picture.

use std::{borrow::Cow, collections::BTreeMap, path::Path, time::Duration};

use unicode_normalization::{UnicodeNormalization, is_nfc};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Returns `text` on one line, trimmed, and without control characters, escape sequences and invisible
/// formatting. These characters could move a cursor, change a color or reverse the direction of text. If nothing
/// remains, returns `?`.
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

/// Formats an error and its causes on one line for the user, without the system's error numbers.
pub fn with_causes(error: &dyn std::error::Error) -> String {
    std::iter::successors(Some(error), |error| error.source())
        .map(|error| {
            let said = error.to_string();
            said.rfind(" (os error ").map_or(said.clone(), |number| said[..number].to_owned())
        })
        .collect::<Vec<_>>()
        .join(": ")
}

/// Lists counts by kind: `odd 3, round 1`.
pub fn listed_counts(kinds: &BTreeMap<String, u64>) -> String {
    kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect::<Vec<_>>().join(", ")
}

/// Returns whether a text has letters or digits.
pub fn has_words(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

/// Returns whether a character is invisible or for private use, for example a direction mark, joiner,
/// variation selector or tag. A name stays readable without these characters.
fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..)
}

/// Formats `value` with `decimals` decimals. A value that is rounded to zero has no minus sign.
pub fn rounded(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|digit| matches!(digit, b'0' | b'.')) => digits.to_owned(),
        _ => text,
    }
}

/// Formats `text` for a message: [`printable`], and cut to 80 columns.
pub fn brief(text: &str) -> String {
    cut(&printable(text), BRIEF)
}

/// Makes a path [`printable`] for a message. A path of more than 80 characters loses its beginning, which
/// matters least.
pub fn path_text(path: &str) -> String {
    let path = printable(path);
    let letters = path.chars().count();
    if letters <= BRIEF {
        path
    } else {
        format!("…{}", path.chars().skip(letters - BRIEF).collect::<String>())
    }
}

/// Formats the path of a file of games for a message, like [`shown_path`]. The path `-` becomes "standard
/// input".
pub fn games_path(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    if path.as_os_str() == "-" { "standard input".to_owned() } else { shown_path(path) }
}

/// Formats a path for display, like [`path_text`].
pub fn shown_path(path: &Path) -> String {
    path_text(&path.to_string_lossy())
}

/// Formats a path that the user may want to open: printable, and never cut.
pub fn full_path(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

/// Maximum width of a name, a path or a token in a message, in columns.
const BRIEF: usize = 80;

/// Returns an argument for a POSIX shell, in quotes if it needs them, and without control characters, because people read
/// the command on a terminal.
pub fn shell_quoted(argument: &str) -> String {
    let argument = if argument.is_empty() { String::new() } else { printable(argument) };
    let plain = |letter: char| letter.is_alphanumeric() || "-_./=,:+@%".contains(letter);
    if !argument.is_empty() && argument.chars().all(plain) {
        argument
    } else {
        format!("'{}'", argument.replace('\'', "'\\''"))
    }
}

/// Returns `text` without white space at its ends and with single spaces inside.
pub fn fold_spaces(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a name in the form used for comparison: white space folded, letters and accents composed (NFC),
/// because systems encode `é` in two ways.
pub fn folded_name(text: &str) -> String {
    let folded = fold_spaces(text);
    match composed(&folded) {
        Cow::Borrowed(_) => folded,
        Cow::Owned(composed) => composed,
    }
}

/// Returns a text with letters and accents composed (NFC).
pub fn composed(text: &str) -> Cow<'_, str> {
    // Nearly all text is composed, and ASCII text always is.
    match text.is_ascii() || is_nfc(text) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.nfc().collect()),
    }
}

/// Letters that become two in German and in Scandinavian languages if accents cannot be written.
const PAIRS: &str = "ä=ae ö=oe ø=oe ü=ue å=aa";

/// Other letters that Unicode does not split into a letter and an accent.
const LETTERS: &str = "ß=ss æ=ae œ=oe þ=th ø=o ł=l đ=d ð=d ħ=h ŧ=t ŋ=n ı=i ə=e ’=' ʻ=' ʼ='";

/// Returns a text in lower case without accents, for searching. With `pairs`, `ü` becomes `ue`, otherwise `u`.
pub fn without_accents(text: &str, pairs: bool) -> String {
    let mut bare = composed(text).to_lowercase();
    let pairs = if pairs { PAIRS } else { "" }.split(' ');
    for (letter, plain) in pairs.chain(LETTERS.split(' ')).filter_map(|pair| pair.split_once('=')) {
        bare = bare.replace(letter, plain);
    }
    // Drops only the marks of Latin, Greek and Cyrillic letters. In other scripts, marks may be vowels.
    bare.nfd().filter(|letter| !('\u{300}'..='\u{36f}').contains(letter)).nfc().collect()
}

/// Makes each line of a message [`printable`], and keeps its indentation.
pub fn legible(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let body = line.trim_start_matches(' ');
        let indent = &line[..line.len() - body.len()];
        if body.is_empty() { line.to_owned() } else { format!("{indent}{}", printable(body)) }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Formats a count with its noun: `1 move`, `2 moves`, `2 searches`.
pub fn counted(count: u64, thing: &str) -> String {
    let plural = if thing.ends_with("ch") { "es" } else { "s" };
    format!("{count} {thing}{}", if count == 1 { "" } else { plural })
}

/// Formats a duration roughly: `20 seconds`, `40 minutes`, `3 hours`, `2 days`.
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

/// Maximum number of names that a message lists.
pub const NAMED: usize = 12;

/// Lists the first [`NAMED`] of `names`, and the number of further names: `a, b, and 3 more`. Names that may
/// contain commas need another `separator`.
pub fn first_named<T: AsRef<str>>(names: impl IntoIterator<Item = T>, separator: &str) -> String {
    first_of(NAMED, names, separator)
}

/// Lists the first `most` of `names`, like [`first_named`].
pub fn first_of<T: AsRef<str>>(most: usize, names: impl IntoIterator<Item = T>, separator: &str) -> String {
    let mut names = names.into_iter();
    let mut listed: Vec<String> = names.by_ref().take(most).map(|name| name.as_ref().to_owned()).collect();
    match names.count() {
        0 => {}
        more => listed.push(format!("and {more} more")),
    }
    listed.join(separator)
}

/// Returns the number of terminal columns of `text`.
pub fn width(text: &str) -> usize {
    text.width()
}

/// Cuts `text` to `columns` of a terminal, with `…` for the cut text. Combining marks take no column, so the
/// number of characters is limited too, to four per column.
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

/// Breaks `text` at spaces into lines of at most `columns`. A longer word has a line of its own, and a number
/// stays with its percent sign.
pub fn wrapped(text: &str, columns: usize) -> String {
    let text = with_unbroken_percents(text);
    let is_break = |letter: char| letter.is_whitespace() && letter != NO_BREAK_SPACE;
    let words = text.split(is_break).filter(|word| !word.is_empty());
    wrapped_words(words, columns).replace(NO_BREAK_SPACE, " ")
}

const NO_BREAK_SPACE: char = '\u{a0}';

/// Returns `text` with a no-break space between each number and its percent sign.
pub fn with_unbroken_percents(text: &str) -> String {
    let mut parts = text.split(" %");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push(if kept.ends_with(|letter: char| letter.is_ascii_digit()) { NO_BREAK_SPACE } else { ' ' });
        kept.push('%');
        kept.push_str(part);
    }
    kept
}

/// Puts `words` into lines of at most `columns`. A longer word has its own line. Spaces in a word are kept.
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

/// Returns `text` for a CSV cell, with an apostrophe before it if a spreadsheet would run it as a formula.
/// Names come from untrusted game files. Spreadsheets also accept the full-width signs.
pub fn escape_formula(text: &str) -> String {
    if is_formula(text) { format!("'{text}") } else { text.to_owned() }
}

/// Returns the text of a cell without the apostrophe of [`escape_formula`].
pub fn unescape_formula(text: &str) -> &str {
    text.strip_prefix('\'').filter(|rest| is_formula(rest)).unwrap_or(text)
}

fn is_formula(text: &str) -> bool {
    // A single hyphen, PGN's value for a missing round, computes nothing.
    text != "-" && text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::base::text::*;

    #[test]
    fn a_cell_that_is_a_formula_is_disarmed_and_read_back() {
        for (text, cell) in [("=Ann", "'=Ann"), ("@SUM(1)", "'@SUM(1)"), ("＝1", "'＝1"), ("\tx", "'\tx")] {
            assert_eq!((escape_formula(text).as_str(), unescape_formula(cell)), (cell, text));
        }
        for value in ["Ann", "-", "'quoted", "", "1.10", "1.2.3", "2013.03.15"] {
            assert_eq!((escape_formula(value).as_str(), unescape_formula(value)), (value, value));
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
    fn a_message_keeps_its_lines_and_loses_its_escapes() {
        assert_eq!(legible("a\u{1b}[31mb\n\n  c\u{202e}d\n"), "ab\n\n  cd\n");
        assert_eq!(legible("\u{1b}]0;title\u{7}x\r"), "]0;titlex");
    }

    #[test]
    fn one_name_in_two_encodings_is_one_name() {
        let [composed, decomposed] = ["José  Núñez", "Jose\u{301} Nu\u{301}n\u{303}ez"];
        assert_eq!(folded_name(composed), folded_name(decomposed));
        assert_eq!(folded_name(" Li,  Chao "), "Li, Chao");
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
        assert_eq!(games_path("-"), "standard input");
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

    #[test]
    fn a_number_stays_with_its_percent_sign() {
        assert_eq!(wrapped("scored 60.0 % of them", 11), "scored\n60.0 % of\nthem");
        assert_eq!(with_unbroken_percents("95 % of 7 %, first %"), "95\u{a0}% of 7\u{a0}%, first %");
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
