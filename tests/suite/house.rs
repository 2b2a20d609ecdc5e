//! The rooms of the source: each uses those above it in one list, and no two files of different rooms use each other.

use std::{collections::BTreeSet, fs, path::Path};

use walkdir::WalkDir;

/// The folders of `src`, the lowest first.
const ROOMS: [&str; 9] =
    ["numbers", "chess", "engine", "store", "measure", "lab", "files", "report", "verbs"];

fn floor(room: &str) -> Option<usize> {
    ROOMS.iter().position(|known| *known == room)
}

/// Returns the rooms that a source names behind `crate::` above its unit tests, which may look up.
fn used(source: &str) -> Vec<&str> {
    let product = source.split_once("mod tests {").map_or(source, |(product, _)| product);
    let code: Vec<&str> = product.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let named = code.iter().flat_map(|line| line.split("crate::").skip(1));
    named.map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("")).collect()
}

#[test]
fn no_room_uses_one_above_it() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let names = fs::read_dir(&src).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let names: BTreeSet<_> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    let expected: BTreeSet<_> = ROOMS.into_iter().chain(["lib.rs", "main.rs"]).map(str::to_owned).collect();
    assert_eq!(names, expected, "the names at the top of src");
    let mut files = 0;
    for entry in ROOMS.iter().flat_map(|room| WalkDir::new(src.join(room))) {
        let entry = entry.expect("a readable folder");
        let path = entry.path().strip_prefix(&src).expect("below it");
        let is_test = path.iter().any(|part| part == "tests" || part == "tests.rs");
        if is_test || path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        files += 1;
        let own = path.iter().next().and_then(|room| floor(room.to_str()?)).expect("a room");
        let source = fs::read_to_string(entry.path()).expect("source");
        for room in used(&source) {
            assert!(!room.is_empty(), "{}: `use crate::{{…}}` hides which room is used", path.display());
            if let Some(other) = floor(room) {
                assert!(other <= own, "{} uses {room}, which is above it", path.display());
            }
        }
    }
    assert!(files > 300, "{files} files are no house of this size");
}

#[test]
fn a_use_of_a_room_is_found_in_whatever_form_it_is_written() {
    let source = "use crate::chess::Game;\n    let x = crate::report::PAGE;\n// crate::verbs\nuse crate::{lab};\nmod tests {\n use crate::verbs::cli;";
    assert_eq!(used(source), ["chess", "report", ""]);
}
