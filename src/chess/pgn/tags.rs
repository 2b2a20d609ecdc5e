//! Grammar of a tag pair: `[White "Anand, Viswanathan"]`.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TagPair<'a> {
    pub name: &'a str,
    /// The value with its escapes decoded.
    pub value: String,
    /// Length in bytes of the tag pair in the text.
    pub length: usize,
    pub closed: bool,
}

/// Returns whether a character is accepted in a tag name: a letter, a digit, or a sign that PGN allows.
pub(super) fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || "_+#=:-".contains(c)
}

/// Returns the name of the tag pair at the start of `text`. Only the part up to the opening quote of the
/// value is checked.
pub(super) fn begins_tag(text: &str) -> Option<&str> {
    let (name, rest) = name(text)?;
    rest.starts_with('"').then_some(name)
}

/// Parses the tag pair at the start of `text`. The value may contain unescaped quotes. If its quotes or the
/// closing bracket are missing, the value extends to the end of the line. `None` if no tag name follows a
/// bracket at the start.
pub(super) fn take_tag(text: &str) -> Option<TagPair<'_>> {
    let (name, rest) = name(text)?;
    let length = |rest: &str| text.len() - rest.len();
    if let Some((value, rest)) = rest.strip_prefix('"').and_then(quoted) {
        return Some(TagPair { name, value, length: length(rest), closed: true });
    }
    let line = rest.split('\n').next().unwrap_or_default();
    let length = length(&rest[line.len()..]);
    let (line, closed) = match line.trim_end().strip_suffix(']') {
        Some(line) => (line, true),
        None => (line.trim_end(), false),
    };
    Some(TagPair { name, value: unescape(line.trim_matches('"')), length, closed })
}

/// Returns the tag name after the opening bracket, and the text after the name and white space.
fn name(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('[')?.trim_start_matches([' ', '\t']);
    let end = inner.find(|c| !is_name_char(c))?;
    let (name, rest) = inner.split_at(end);
    (!name.is_empty()).then(|| (name, rest.trim_start_matches([' ', '\t'])))
}

/// Returns the value up to the quote before a closing bracket, and the text after that bracket. `None` if the
/// line has no such quote.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '\n' => return None,
            '"' if !escaped => {
                let after = text[at + 1..].trim_start_matches([' ', '\t']);
                if let Some(rest) = after.strip_prefix(']') {
                    return Some((unescape(&text[..at]), rest));
                }
            }
            _ => (),
        }
        escaped = c == '\\' && !escaped;
    }
    None
}

/// Removes the backslash before a quote or another backslash. pgn-reader would turn two escaped backslashes
/// into one.
pub(super) fn unescape(text: &str) -> String {
    let (mut value, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('\\') {
        value.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        match rest.chars().next().filter(|c| matches!(c, '"' | '\\')) {
            Some(c) => {
                value.push(c);
                rest = &rest[1..];
            }
            None => value.push('\\'),
        }
    }
    value + rest
}

/// Escapes `value` for the quotes of a tag: puts a backslash before each quote and backslash, and replaces
/// each control character by a space.
pub(super) fn escape(value: &str) -> String {
    value.replace(char::is_control, " ").replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tag(text: &str) -> Option<(&str, String, &str)> {
        take_tag(text).map(|tag| (tag.name, tag.value, &text[tag.length..]))
    }

    #[test]
    fn a_tag_pair_ends_at_its_bracket() {
        let two = r#"[White "A ] b"] [Black "C"]"#;
        assert_eq!(tag(two), Some(("White", "A ] b".to_owned(), r#" [Black "C"]"#)));
        assert_eq!(tag("[Event \"\"]\n"), Some(("Event", String::new(), "\n")));
    }

    #[test]
    fn quotes_are_decoded_and_quotes_without_escape_are_borne() {
        assert_eq!(tag(r#"[Event "a \"b\" \\ c"]"#), Some(("Event", r#"a "b" \ c"#.to_owned(), "")));
        assert_eq!(tag(r#"[Event "a "b" c"]"#), Some(("Event", r#"a "b" c"#.to_owned(), "")));
        assert_eq!(tag(r#"[Event "a\"]"#), Some(("Event", r#"a\"#.to_owned(), "")));
    }

    #[test]
    fn a_tag_without_its_end_takes_the_line() {
        assert_eq!(tag("[White \"Anand\n1. e4"), Some(("White", "Anand".to_owned(), "\n1. e4")));
        assert_eq!(tag("[White Anand]\n"), Some(("White", "Anand".to_owned(), "\n")));
        assert_eq!(tag("[%eval 0.1]"), None);
    }

    proptest! {
        #[test]
        fn an_escaped_value_reads_back(value in "[^\\p{Cc}]*") {
            let text = format!("[Name \"{}\"]", escape(&value));
            prop_assert_eq!(tag(&text), Some(("Name", value, "")));
        }
    }
}
