//! [`TerminalSeat`]: a person at standard input and output.

use std::{env, ffi::OsString, io, io::BufRead, io::IsTerminal, io::Read, io::Write};

use crate::report::board_game::TextBoard;
use crate::verbs::console::takes_colors;

/// Largest number of bytes in a line. No sensible input is longer.
const LONGEST: u64 = 4096;

/// A person at the terminal, or a list of moves in a pipe.
pub struct TerminalSeat {
    /// The display of the board, with White at the bottom.
    pub board: TextBoard,
    /// True if a person types the input.
    is_asked: bool,
}

impl TerminalSeat {
    /// Returns a seat. `ascii` shows pieces as letters even if the locale has Unicode.
    pub fn new(ascii: bool) -> TerminalSeat {
        let ascii = ascii || !has_unicode(|name| env::var_os(name));
        let board = TextBoard { ascii, colors: takes_colors(&io::stdout()), flipped: false };
        TerminalSeat { board, is_asked: io::stdin().is_terminal() }
    }
    /// Shows `text` at once, even if it does not end with a line feed.
    pub fn show(&self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }

    /// Asks for a line; `None` at the end of the input.
    pub fn ask(&self, prompt: &str) -> io::Result<Option<String>> {
        if self.is_asked {
            self.show(prompt)?;
        }
        line(&mut io::stdin().lock())
    }
}

/// Returns whether the locale has Unicode, by the first of C's locale variables that is set.
fn has_unicode(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter();
    let locale = names.filter_map(variable).find(|value| !value.is_empty());
    let locale = locale.map(|value| value.to_string_lossy().to_ascii_lowercase());
    locale.is_some_and(|locale| locale.contains("utf-8") || locale.contains("utf8"))
}

/// Returns the next line, or the beginning of a line that is too long; `None` at the end of the input.
/// Invalid UTF-8 is replaced.
fn line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    input.take(LONGEST).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locale_decides_on_pieces_by_its_first_variable_that_is_set() {
        let has = |values: &[(&str, &str)]| {
            has_unicode(|name| {
                values.iter().find(|(other, _)| *other == name).map(|(_, value)| OsString::from(value))
            })
        };
        assert!(has(&[("LANG", "de_DE.UTF-8")]) && has(&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8")]));
        assert!(!has(&[]) && !has(&[("LANG", "C")]) && !has(&[("LC_ALL", "POSIX"), ("LANG", "C.UTF-8")]));
    }

    #[test]
    fn a_line_that_is_too_long_or_no_text_is_one_line_all_the_same() {
        let mut input = b"e4\n".to_vec();
        input.extend(vec![b'x'; 1_000_000]);
        input.extend(b"\n\xff\nlast");
        let mut input = input.as_slice();
        let mut next = || line(&mut input).expect("a stream of memory");
        assert_eq!(next().as_deref(), Some("e4\n"));
        assert_eq!(next().map(|text| text.len()), Some(4096));
        assert_eq!(next().as_deref(), Some("\u{fffd}\n"));
        assert_eq!((next().as_deref(), next()), (Some("last"), None));
    }
}
