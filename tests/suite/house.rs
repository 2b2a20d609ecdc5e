//! The rooms of the source: which of them each may use, the names that they give to others, and lines that rustfmt gave up on.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use walkdir::WalkDir;

/// The folders of `src`, the lowest first.
const ROOMS: [&str; 9] =
    ["numbers", "chess", "engine", "store", "measure", "lab", "files", "report", "verbs"];

fn floor(room: &str) -> Option<usize> {
    ROOMS.iter().position(|known| *known == room)
}

/// Returns a source up to its unit tests.
fn without_tests(source: &str) -> &str {
    source.split_once("mod tests {").map_or(source, |(product, _)| product)
}

/// Returns the rooms that a source names behind `crate::`, but for its unit tests, which may look up.
fn used(source: &str) -> Vec<&str> {
    let code: Vec<&str> =
        without_tests(source).lines().filter(|line| !line.trim_start().starts_with("//")).collect();
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
    for (path, source) in sources() {
        let own = path.iter().next().and_then(|room| floor(room.to_str()?)).expect("a room");
        for room in used(&source) {
            assert!(!room.is_empty(), "{}: `use crate::{{…}}` hides which room is used", path.display());
            if let Some(other) = floor(room) {
                assert!(other <= own, "{} uses {room}, which is above it", path.display());
            }
        }
    }
}

/// Returns the files of the rooms that have no tests alone, below `src`, with what is in them.
fn sources() -> Vec<(PathBuf, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = Vec::new();
    for entry in ROOMS.iter().flat_map(|room| WalkDir::new(src.join(room))) {
        let entry = entry.expect("a readable folder");
        let path = entry.path().strip_prefix(&src).expect("below it");
        let is_test = path.iter().any(|part| part == "tests" || part == "tests.rs");
        if !is_test && path.extension().is_some_and(|extension| extension == "rs") {
            sources.push((path.to_owned(), fs::read_to_string(entry.path()).expect("source")));
        }
    }
    assert!(sources.len() > 300, "{} files are no house of this size", sources.len());
    sources
}

/// Returns the types that the face of a room hands on, to others or to the other rooms alone.
fn handed_on(face: &str) -> BTreeSet<&str> {
    let list = |statement| {
        let (head, list) = str::split_once(statement, "use self::")?;
        (head.ends_with("pub ") || head.ends_with("pub(crate) ")).then_some(list)
    };
    let words = face
        .split(';')
        .filter_map(list)
        .flat_map(|list| list.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.filter(|word| word.starts_with(|c: char| c.is_uppercase())).collect()
}

#[test]
fn a_name_that_a_room_hands_on_is_that_of_no_other_room() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut rooms: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for room in ROOMS {
        let face = fs::read_to_string(src.join(room).join("mod.rs")).expect("the face of a room");
        handed_on(&face).into_iter().for_each(|name| rooms.entry(name.to_owned()).or_default().push(room));
    }
    assert!(rooms.len() > 200, "{} types are not all that rooms hand on", rooms.len());
    rooms.retain(|_, rooms| rooms.len() > 1);
    assert!(rooms.is_empty(), "{rooms:#?}");
    assert_eq!(
        handed_on("pub use self::{a::{B, c}};\npub(crate) use self::D;\nuse self::E;")
            .into_iter()
            .collect::<Vec<_>>(),
        ["B", "D"]
    );
}

/// The most columns of a line, as rustfmt.toml has it.
const COLUMNS: usize = 110;

/// Returns the source without comments and without what stands in texts, line by line.
fn bare(source: &str) -> String {
    let mut bare = String::new();
    let mut rest = source;
    while let Some(letter) = rest.chars().next() {
        let raw = rest
            .strip_prefix('r')
            .map(|rest| rest.trim_start_matches('#'))
            .filter(|rest| rest.starts_with('"'));
        let end = if rest.starts_with("//") {
            rest.find('\n')
        } else if let Some(text) = raw.filter(|_| !bare.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
        {
            let hashes = rest.len() - text.len() - 1;
            let mark = format!("\"{}", "#".repeat(hashes));
            text[1..].find(&mark).map(|at| 1 + hashes + 1 + at + mark.len())
        } else if letter == '"' && !bare.ends_with('\'') {
            let mut escaped = false;
            let is_end = |c: char| {
                let end = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                end
            };
            rest[1..].find(is_end).map(|at| at + 2)
        } else {
            bare.push(letter);
            rest = &rest[letter.len_utf8()..];
            continue;
        };
        let (skipped, left) = rest.split_at(end.unwrap_or(rest.len()));
        bare.extend(skipped.chars().filter(|&c| c == '\n'));
        rest = left;
    }
    bare
}

#[test]
fn no_line_of_code_is_one_that_rustfmt_gave_up_on() {
    let long = |(path, source): (PathBuf, String)| {
        // What stands in a macro of property tests rustfmt does not touch.
        let source = without_tests(&source);
        let bare = bare(source);
        let lines = source.lines().zip(bare.lines()).enumerate();
        let long = lines.filter(|(_, (line, code))| line == code && line.chars().count() > COLUMNS);
        long.map(|(at, _)| format!("{}:{}", path.display(), at + 1)).collect::<Vec<_>>()
    };
    let long: Vec<String> = sources().into_iter().flat_map(long).collect();
    assert!(long.is_empty(), "lines above {COLUMNS} columns: {long:#?}");
    assert_eq!(bare("a(\"b\\\"\", '\"', r#\"c\nd\"#); // e\nf"), "a(, '\"', \n); \nf");
}

#[test]
fn a_use_of_a_room_is_found_in_whatever_form_it_is_written() {
    let source = "use crate::chess::Game;\n    let x = crate::report::PAGE;\n// crate::verbs\nuse crate::{lab};\nmod tests {\n use crate::verbs::cli;";
    assert_eq!(used(source), ["chess", "report", ""]);
}
