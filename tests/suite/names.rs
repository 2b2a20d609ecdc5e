//! Each type of the crate has a name of its own, so that a reader who finds one has found the only one.

use std::{collections::BTreeMap, fs, path::Path};

use walkdir::WalkDir;

/// The name that a line of source gives to a type, if it begins with that.
fn declared(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with([' ', '(']) => rest.split_once(' ')?.1,
        _ => line,
    };
    let (kind, rest) = line.split_once(' ')?;
    let is_type = ["struct", "enum", "trait", "type", "union"].contains(&kind);
    let name = rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next();
    name.filter(|name| is_type && !name.is_empty())
}

#[test]
fn no_name_of_a_type_stands_twice() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for entry in WalkDir::new(&source) {
        let entry = entry.expect("a readable folder");
        let path = entry.path().strip_prefix(&source).expect("below it");
        let is_test = path.iter().any(|part| part == "tests" || part == "tests.rs");
        if is_test || path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = fs::read_to_string(entry.path()).expect("source");
        for name in text.lines().filter_map(declared) {
            places.entry(name.to_owned()).or_default().push(path.display().to_string());
        }
    }
    assert!(places.len() > 1000, "{} types are no crate of this size", places.len());
    places.retain(|_, places| places.len() > 1);
    assert!(places.is_empty(), "{places:#?}");
}

#[test]
fn a_type_is_found_in_whatever_form_it_is_declared() {
    for (line, name) in [
        ("pub struct Game {", Some("Game")),
        ("pub(super) enum Kind<'a> {", Some("Kind")),
        ("type Row = Vec<i64>;", Some("Row")),
        ("pub fn structure() {", None),
        ("    type Error = Never;", None),
        ("public struct of words", None),
    ] {
        assert_eq!(declared(line), name, "{line}");
    }
}
