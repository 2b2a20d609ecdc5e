//! Owns the way text of unknown origin is made fit to print on one line.

/// Characters of a name or token that are shown at most.
const SHOWN: usize = 80;

/// `text` as it may stand in a message: on one line, cut after 80 characters, with U+FFFD in
/// place of each character that would steer a terminal or turn the direction of writing.
pub fn printable(text: &str) -> String {
    let mut shown: String =
        text.chars().take(SHOWN).map(|c| if steers(c) { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

/// Control characters, line and paragraph separators, and the marks of bidirectional text.
fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_replaced() {
        assert_eq!(printable("a\u{1b}[31m\nb\u{202e}c\u{0}"), "a\u{fffd}[31m\u{fffd}b\u{fffd}c\u{fffd}");
        assert_eq!(printable("Müller, ♘"), "Müller, ♘");
    }

    #[test]
    fn a_long_name_is_cut() {
        assert_eq!(printable(&"x".repeat(80)), "x".repeat(80));
        assert_eq!(printable(&"ä".repeat(10_000)).chars().count(), 81);
    }
}
