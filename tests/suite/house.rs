//! Tests of rules for the source. A folder of `src` (a room) uses only lower rooms, and a folder inside a
//! room only lower folders. Exported names are unique. The product has a budget of lines. No doc comment
//! begins with a clause, and no line of code is too long for rustfmt.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use walkdir::WalkDir;

use crate::program::installed;

/// The rooms: the folders of `src`, the lowest first.
const ROOMS: [&str; 10] =
    ["base", "numbers", "chess", "engine", "store", "measure", "lab", "files", "report", "verbs"];

fn floor(room: &str) -> Option<usize> {
    ROOMS.iter().position(|known| *known == room)
}

/// Returns a source without its unit tests.
fn without_tests(source: &str) -> &str {
    source.split_once("mod tests {").map_or(source, |(product, _)| product)
}

/// Returns the names that follow `crate::` in a source; an empty name for a group in braces. Unit tests are
/// ignored; they may use higher rooms.
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

/// Returns the files of the rooms below `src` with their texts, without files of tests.
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

/// Returns the types that a room's `mod.rs` exports, publicly or only to the other rooms.
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

/// The folders with source, within the crate's folder.
const SOURCES: [&str; 4] = ["src", "examples", "fuzz/fuzz_targets", "tests"];

/// Words that begin a clause. A doc comment names its item by a noun, or begins with a verb.
const CLAUSES: [&str; 6] = ["What", "Who", "Which", "Whether", "How", "Where"];

/// Returns the line numbers, from 1, of the doc comments that begin with a clause.
fn clauses(source: &str) -> Vec<usize> {
    let doc = |line: &str| {
        let line = line.trim_start();
        line.strip_prefix("///").or(line.strip_prefix("//!")).map(|doc| doc.trim().to_owned())
    };
    let mut lines = Vec::new();
    let mut is_inside = false;
    for (at, line) in source.lines().enumerate() {
        let doc = doc(line);
        let first = doc.as_deref().unwrap_or("").split(|c: char| !c.is_alphanumeric()).next();
        if !is_inside && first.is_some_and(|word| CLAUSES.contains(&word)) {
            lines.push(at + 1);
        }
        is_inside = doc.is_some();
    }
    lines
}

#[test]
fn a_doc_comment_begins_with_a_noun_or_a_verb_and_the_built_in_engine_has_its_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let coinage = ["engine", "within"].join(" ");
    let mut found = Vec::new();
    for entry in SOURCES.iter().flat_map(|folder| WalkDir::new(root.join(folder))) {
        let entry = entry.expect("a readable folder");
        if entry.path().extension().is_some_and(|extension| extension == "rs") {
            let path = entry.path().strip_prefix(root).expect("below it").display();
            let source = fs::read_to_string(entry.path()).expect("source");
            found.extend(clauses(&source).iter().map(|line| format!("{path}:{line}")));
            let words = source.replace(['/', '\n'], " ").split_whitespace().collect::<Vec<_>>().join(" ");
            found.extend(words.contains(&coinage).then(|| format!("{path}: {coinage:?}")));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
    assert_eq!(
        clauses("/// Who plays.\na: A,\n/// The player.\n/// Who\n    //! Whether it is.\n//! What"),
        [1]
    );
    assert_eq!(clauses("//! Owns it.\n\n/// Whatever.\nb: B,\n    /// How it is."), [5]);
}

/// The largest number of columns in a line, as in rustfmt.toml.
const COLUMNS: usize = 110;

/// Returns the source with all of its lines, but without comments and string literals.
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
        // rustfmt does not touch the contents of a property test's macro.
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

/// The folders inside each room, the lowest first. Files beside them may stand anywhere in this order.
const FOLDERS: [(&str, &[&str]); 10] = [
    ("base", &["output"]),
    ("numbers", &["stats", "rating"]),
    ("chess", &["choice", "judgment", "pgn"]),
    ("engine", &["chess_engine", "uci", "builtin", "levels", "server"]),
    ("store", &["evaluate", "server", "postgres", "queue"]),
    ("measure", &["tournament", "calibration", "peers", "archive", "quality", "profile"]),
    ("lab", &["deep", "learning", "spar", "selfplay", "experiment", "papers", "history"]),
    ("files", &["formats"]),
    ("report", &["words", "plots", "table", "tables", "html", "in_browser", "kinds"]),
    (
        "verbs",
        &[
            "forecast",
            "plan",
            "args",
            "input",
            "evaluations",
            "runs",
            "console",
            "learn",
            "report",
            "work",
            "deep",
            "selfplay",
            "spar",
        ],
    ),
];

/// A path of modules and names from the top of the crate.
type Names = Vec<String>;

/// Returns the paths that begin with a word of `heads`. The word is replaced by the path that it stands for,
/// and groups in braces are split.
fn paths(code: &str, heads: &BTreeMap<&str, Names>) -> Vec<Names> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut before = ' ';
    let mut rest = code;
    while let Some(letter) = rest.chars().next() {
        let word = &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())];
        let after = &rest[word.len()..];
        if let Some(head) = heads.get(word).filter(|_| after.starts_with("::") && before != ':') {
            branches(&after[2..], head, &mut found);
        }
        let step = if word.is_empty() { letter.len_utf8() } else { word.len() };
        before = rest[..step].chars().next_back().unwrap_or(' ');
        rest = &rest[step..];
    }
    found
}

/// Adds the paths in a tree of names, such as `{a, b::c}`, that follows `head`. Returns the text after the
/// tree.
fn branches<'a>(tree: &'a str, head: &[String], found: &mut Vec<Names>) -> &'a str {
    let tree = tree.trim_start();
    if let Some(mut group) = tree.strip_prefix('{') {
        loop {
            group = branches(group, head, found).trim_start();
            group = match group.strip_prefix(',') {
                Some(next) if !next.trim_start().starts_with('}') => next,
                other => return other.unwrap_or(group).trim_start().trim_start_matches('}'),
            };
        }
    }
    let end = tree.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(tree.len());
    let (name, after) = tree.split_at(end);
    let path: Names = match name {
        "super" => head.iter().take(head.len().saturating_sub(1)).cloned().collect(),
        "self" | "" => head.to_vec(),
        name => head.iter().cloned().chain([name.to_owned()]).collect(),
    };
    if let Some(more) = after.strip_prefix("::") {
        return branches(more, &path, found);
    }
    found.push(path);
    after
        .trim_start()
        .strip_prefix("as ")
        .map_or(after, |alias| alias.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_'))
}

/// Splits a source into its own code and its exports (`pub use`).
fn code_and_face(source: &str) -> (String, String) {
    let (mut code, mut face) = (String::new(), String::new());
    let mut handing_on = false;
    for line in bare(without_tests(source)).lines() {
        handing_on |= line.starts_with("pub") && line.contains(" use ");
        let part = if handing_on { &mut face } else { &mut code };
        part.push_str(line);
        part.push('\n');
        handing_on &= !line.trim_end().ends_with(';');
    }
    (code, face)
}

/// The modules of the source: the names that each module exports, and its code.
struct House {
    /// The names that each module exports, with the paths that they stand for.
    faces: BTreeMap<Names, BTreeMap<String, Names>>,
    code: BTreeMap<Names, String>,
}

impl House {
    fn new(sources: &[(PathBuf, String)]) -> House {
        let mut house = House { faces: BTreeMap::new(), code: BTreeMap::new() };
        let mut handed_on = Vec::new();
        for (path, source) in sources {
            let stem = path.with_extension("");
            let module = stem.iter().map(|part| part.to_string_lossy().into_owned());
            let module: Names = module.filter(|part| part != "mod").collect();
            let (code, face) = code_and_face(source);
            house.code.insert(module.clone(), code);
            handed_on.push((module, face));
        }
        for (module, face) in handed_on {
            let face = paths(&face, &house.heads(&module)).into_iter();
            let face = face.filter_map(|path| Some((path.last()?.clone(), path))).collect();
            house.faces.insert(module, face);
        }
        house
    }

    /// Returns the words with which a path in a module may begin, and the paths that they stand for.
    fn heads(&self, module: &[String]) -> BTreeMap<&str, Names> {
        let children =
            self.code.keys().filter(|other| other.split_last().is_some_and(|(_, up)| up == module));
        let mut heads: BTreeMap<&str, Names> =
            children.filter_map(|child| Some((child.last()?.as_str(), child.clone()))).collect();
        heads.insert("crate", Vec::new());
        heads.insert("self", module.to_vec());
        heads.insert("super", module[..module.len() - 1].to_vec());
        heads
    }

    /// Returns the module that defines the item at `path`, which may lead through exports. `None` if the path
    /// names a module, or if no module has it.
    fn owner(&self, path: &[String]) -> Option<&Names> {
        let (module, rest) = (1..=path.len())
            .rev()
            .find_map(|at| Some((self.code.get_key_value(&path[..at])?.0, &path[at..])))?;
        match self.faces[module].get(rest.first()?).filter(|handed_on| **handed_on != path) {
            Some(further) => self.owner(&further.iter().chain(&rest[1..]).cloned().collect::<Names>()),
            None => Some(module),
        }
    }

    /// Returns the modules whose names a module uses, except itself and its parents.
    fn used_by(&self, module: &Names) -> BTreeSet<&Names> {
        let code = &self.code[module];
        let mut heads = self.heads(module);
        let named = paths(code, &heads);
        let modules = named.iter().filter(|path| self.code.contains_key(*path));
        heads.extend(modules.filter_map(|path| Some((path.last()?.as_str(), path.clone()))));
        let mut used: BTreeSet<&Names> =
            paths(code, &heads).iter().filter_map(|path| self.owner(path)).collect();
        used.retain(|other| !module.starts_with(other));
        used
    }

    /// Returns the circles among the children of each folder, which are files, and folders as wholes. In a
    /// room, each folder of [`FOLDERS`] also counts as a user of the folder below it, so a use in the other
    /// direction makes a circle.
    fn circles(&self) -> BTreeSet<Vec<String>> {
        let used: BTreeMap<&Names, BTreeSet<&Names>> =
            self.code.keys().map(|module| (module, self.used_by(module))).collect();
        let folders: BTreeSet<&[String]> =
            self.code.keys().flat_map(|module| (1..module.len()).map(|length| &module[..length])).collect();
        folders.into_iter().flat_map(|folder| circles(&children_used(folder, &used))).collect()
    }
}

/// Returns the children that each child of a folder uses.
fn children_used<'a>(
    folder: &[String],
    used: &BTreeMap<&'a Names, BTreeSet<&'a Names>>,
) -> BTreeMap<&'a [String], BTreeSet<&'a [String]>> {
    let child = |module: &'a Names| {
        (module.len() > folder.len() && module.starts_with(folder)).then(|| &module[..=folder.len()])
    };
    let mut children: BTreeMap<&[String], BTreeSet<&[String]>> = BTreeMap::new();
    for (module, others) in used {
        if let Some(user) = child(module) {
            let others = others.iter().filter_map(|other| child(other)).filter(|other| *other != user);
            children.entry(user).or_default().extend(others);
        }
    }
    let find =
        |name: &str| children.keys().copied().find(|child| child.last().is_some_and(|last| last == name));
    let order =
        FOLDERS.into_iter().filter(|(room, _)| folder == [*room]).flat_map(|(_, order)| order.windows(2));
    let steps: Vec<_> = order.filter_map(|pair| Some((find(pair[1])?, find(pair[0])?))).collect();
    for (upper, lower) in steps {
        children.entry(upper).or_default().insert(lower);
    }
    children
}

/// Returns groups of modules that all use each other, directly or through others.
fn circles(used: &BTreeMap<&[String], BTreeSet<&[String]>>) -> Vec<Vec<String>> {
    let reach = |from: &[String]| {
        let mut reached = BTreeSet::new();
        let mut open: Vec<&[String]> = used[from].iter().copied().collect();
        while let Some(module) = open.pop() {
            if reached.insert(module) {
                open.extend(&used[module]);
            }
        }
        reached
    };
    let reached: BTreeMap<&[String], BTreeSet<&[String]>> =
        used.keys().map(|&module| (module, reach(module))).collect();
    let circle = |module: &[String]| -> Vec<String> {
        let back = reached[module].iter().filter(|other| reached[**other].contains(module));
        back.map(|other| other.join("::")).collect()
    };
    used.keys().map(|module| circle(module)).filter(|circle| circle.len() > 1).collect()
}

#[test]
fn files_and_folders_need_each_other_in_no_circle_and_folders_of_a_room_keep_their_order() {
    let house = House::new(&sources());
    let circles = house.circles();
    assert!(circles.is_empty(), "{} circles: {circles:#?}", circles.len());
    for room in ROOMS {
        let folders = house.code.keys().filter(|module| module.len() > 2 && module[0] == room);
        let folders: BTreeSet<&str> = folders.map(|module| module[1].as_str()).collect();
        let order = FOLDERS.iter().find(|(name, _)| *name == room).map_or(&[][..], |(_, order)| order);
        assert_eq!(order.iter().copied().collect::<BTreeSet<_>>(), folders, "the folders of {room}");
    }
}

#[test]
fn a_circle_of_files_is_found_through_faces_and_whatever_form_a_use_has() {
    let source = |(path, text): (&str, &str)| (PathBuf::from(path), text.to_owned());
    let face = (
        "room/mod.rs",
        "mod one;\nmod two;\nmod three;\npub use self::two::{Two, other};\nfn f() { one::f() }",
    );
    let one = ("room/one.rs", "use super::{three::{self, Third}, Two};\nfn f() -> Two { three::g() }");
    let two = ("room/two.rs", "pub struct Two(crate::room::three::Third);\npub fn other() { super::f() }");
    let three = ("room/three.rs", "// super::one::f\npub struct Third;\nmod tests {\nuse super::one::f;");
    let none = House::new(&[face, one, two, three].map(source)).circles();
    assert!(none.is_empty(), "{none:#?}");
    let three = ("room/three.rs", "use super::two;\npub struct Third;\nfn g() { two::other() }");
    let circles = House::new(&[face, one, two, three].map(source)).circles();
    assert_eq!(circles, [["room::three", "room::two"].map(str::to_owned).to_vec()].into());
    let wholes = [
        ("room/a/b.rs", "use crate::room::c::C;"),
        ("room/c.rs", "use super::a::d::D;"),
        ("room/a/d.rs", ""),
    ];
    let circles = House::new(&wholes.map(source)).circles();
    assert_eq!(circles, [["room::a", "room::c"].map(str::to_owned).to_vec()].into());
    let upward = [("numbers/stats/a.rs", "use crate::numbers::rating::b::B;"), ("numbers/rating/b.rs", "")];
    let circles = House::new(&upward.map(source)).circles();
    assert_eq!(circles, [["numbers::rating", "numbers::stats"].map(str::to_owned).to_vec()].into());
}

/// The most lines of each room and of the whole, and the other limits, by the words of `.ci/lines`. Whoever
/// raises a number writes the reason in the same commit.
const BUDGET: [(&str, usize); 15] = [
    ("base", 2_090),
    ("numbers", 3_510),
    ("chess", 9_260),
    ("engine", 11_750),
    ("store", 6_265),
    ("measure", 13_670),
    ("lab", 13_450),
    ("files", 2_010),
    ("report", 17_970),
    ("verbs", 15_260),
    ("product lines", 95_275),
    ("files of the product", 591),
    ("lines in the longest file", 450),
    ("lines in the longest function", 80),
    ("lines of templates, scripts, styles and SQL", 3_660),
];

#[test]
fn the_product_keeps_its_budget_of_lines() {
    let lines = Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci/lines");
    let Some(output) = installed("python3", Command::new("python3").arg(lines).output().ok()) else { return };
    let counts = String::from_utf8(output.stdout).expect("text");
    let count = |name: &str| {
        let lines = counts.lines().filter_map(|line| line.trim_start().split_once(' '));
        lines.filter(|(_, words)| words.starts_with(name)).find_map(|(count, _)| count.parse::<usize>().ok())
    };
    let over = BUDGET.map(|(name, most)| (name, count(name), most)).into_iter();
    let over: Vec<_> = over.filter(|(_, count, most)| count.is_none_or(|count| count > *most)).collect();
    assert!(over.is_empty(), "name, count and budget: {over:?}");
}
