//! The documents: their links lead somewhere, and the command line accepts their commands.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use clap::{CommandFactory, Parser};
use gainalyze::verbs::Cli;

use crate::program::Bench;

/// Pages whose lines are still longer than [`COLUMNS`].
const NOT_WRAPPED: [&str; 1] = ["docs/files.md"];

/// The longest line of prose, in characters.
const COLUMNS: usize = 100;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Adds the Markdown files of a folder and of all folders in it.
fn add_pages(folder: &Path, pages: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of pages") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            add_pages(&path, pages);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.insert(path);
        }
    }
}

/// Returns the pages of the repository with their texts: README.md, CONTRIBUTING.md, CHANGELOG.md, and the
/// pages in docs/, data/ and reports/published/.
fn documents() -> Vec<(PathBuf, String)> {
    let mut pages =
        BTreeSet::from(["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root().join(name)));
    for folder in ["docs", "data", "reports/published"] {
        add_pages(&root().join(folder), &mut pages);
    }
    pages.into_iter().map(|path| (path.clone(), fs::read_to_string(path).expect("a document"))).collect()
}

/// Returns the lines of a document outside of its code blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// Returns the targets of the links and pictures in a line.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target)
}

/// Returns the anchors of a page's headings, as GitHub makes them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = prose(text).filter_map(|line| line.strip_prefix('#'));
    let kept = |letter: &char| letter.is_alphanumeric() || [' ', '-', '_'].contains(letter);
    headings
        .map(|heading| heading.trim_start_matches('#').trim().to_lowercase())
        .map(|heading| heading.chars().filter(kept).collect::<String>().replace(' ', "-"))
        .collect()
}

/// Returns the lines of shell code in a document's code blocks, without prompts. In a block that shows a
/// session, only the lines after a prompt are code.
fn commands(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut language = None;
    for line in text.replace("\\\n", " ").lines() {
        match (line.strip_prefix("```"), language.as_deref()) {
            (Some(_), Some(_)) => language = None,
            (Some(name), None) => language = Some(name.to_owned()),
            (None, Some("sh")) => commands.push(line.to_owned()),
            (None, Some("console")) => commands.extend(line.strip_prefix("$ ").map(str::to_owned)),
            (None, _) => {}
        }
    }
    commands
}

/// Returns the words of a command as a shell splits them. Quotes are handled; variables are not.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for letter in command.chars() {
        match (quote, letter) {
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), letter) if open == letter => quote = None,
            (None, ' ') => words.push(String::new()),
            (_, letter) => words.last_mut().expect("a word").push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns the arguments that a line of shell passes to this program, one list for each call.
fn invocations(line: &str) -> Vec<Vec<String>> {
    let mut words = words(line);
    words.truncate(words.iter().position(|word| word.starts_with('#')).unwrap_or(words.len()));
    words
        .split(|word| ["&&", "|", ">"].contains(&word.as_str()))
        .filter_map(|command| {
            let is = |at: usize, expected: &str| command.get(at).is_some_and(|word| word == expected);
            let at = 3 + usize::from(is(3, "--locked"));
            let is_run =
                command.starts_with(&["cargo", "run", "--release"].map(str::to_owned)) && is(at, "--");
            let command = if is_run { &command[at..] } else { command };
            let name = command.first()?;
            (is_run || name == "gainalyze").then(|| command.to_vec())
        })
        .collect()
}

#[test]
fn the_readme_is_short() {
    let readme = include_str!("../../README.md");
    assert!(readme.lines().count() < 100, "{} lines", readme.lines().count());
}

/// A page with the text of a figure (`#`), and the other pages with the texts in which it is repeated.
type SharedFigure = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// Figures that several pages have. The first phrase is of the file that owns the figure, the others of the pages
/// that repeat it; `#` stands for the figure.
const SHARED: [SharedFigure; 19] = [
    (
        "Cargo.toml",
        "rust-version = \"#\"",
        &[("README.md", "https://rustup.rs) # and"), ("docs/start.md", "https://rustup.rs) # or")],
    ),
    ("docs/performance.md", "4,883 positions: # s a position", &[("docs/scale.md", "takes # s on one core")]),
    (
        "docs/performance.md",
        "takes # minutes on one core if all",
        &[("docs/archives.md", "takes # minutes on one core if all")],
    ),
    ("docs/performance.md", "and # minutes if a tenth", &[("docs/archives.md", "and # minutes if a tenth")]),
    (
        "docs/upkeep.md",
        "takes # minutes on two busy cores",
        &[("README.md", "takes about # minutes on two cores"), ("docs/start.md", "about # minutes")],
    ),
    ("docs/reliability.md", "Of # attacks (release", &[("README.md", "none of [# attacks]")]),
    ("docs/papers.md", "Of # computed cells", &[("README.md", "of # numbers in")]),
    ("docs/papers.md", "computed cells, # equal print", &[("README.md", "papers:** # of")]),
    (
        "docs/calibration.md",
        "| 200 | 531 | # |",
        &[("README.md", "from # moves is off"), ("docs/start.md", "a rating from # moves")],
    ),
    (
        "docs/calibration.md",
        "| 200 | 531 | 243 | # |",
        &[
            ("docs/calibration.md", "error is # Elo points"),
            ("docs/start.md", "on Debian 12 | # Elo"),
            ("README.md", "is off by # Elo"),
        ],
    ),
    (
        "docs/calibration.md",
        "| 200 | 531 | 243 | 216 | 95.7 | 263 | 95.9 | # |",
        &[("docs/start.md", "nothing to install | # Elo")],
    ),
    ("docs/calibration.md", "| 263 | 95.9 | 275 | 95.1 | # |", &[("docs/start.md", "on any system | # Elo")]),
    (
        "docs/calibration.md",
        "| 275 | 95.1 | 197 | 96.4 | # |",
        &[("docs/start.md", "on Ubuntu 24.04 | # Elo")],
    ),
    ("docs/calibration.md", "| 450 | 161 | # |", &[("README.md", "and from # moves by")]),
    ("docs/calibration.md", "| 450 | 161 | 550 | # |", &[("README.md", "and from 550 moves by #.")]),
    ("docs/calibration-tests.md", "# over-the-board events", &[("README.md", "of the # events")]),
    ("docs/calibration.md", "fewer than # moves or", &[("README.md", "fewer than # moves or 3 games")]),
    ("docs/reports.md", "`fide-2024`, from # to", &[("README.md", "range (# to")]),
    ("docs/reports.md", "from 1410 to # |", &[("README.md", "(1410 to #)")]),
];

/// Names, dates and numbers of moves in the README that are no results.
const NAMES: [&str; 11] = ["12", "15.1", "18", "19", "2", "2013", "2026", "3", "3.0", "36", "95"];

fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the text of a file of the repository, without line breaks.
fn page(name: &str) -> String {
    unwrapped(&fs::read_to_string(root().join(name)).expect("a file of the repository"))
}

/// Returns the figure that `#` stands for in a phrase of the file `name`.
fn figure(name: &str, phrase: &str) -> String {
    let (before, after) = phrase.split_once('#').expect("a figure");
    let text = page(name);
    let mut found = text.match_indices(before).filter_map(|(at, _)| {
        let (figure, _) = text[at + before.len()..].split_once(after)?;
        figure.chars().all(|letter| letter.is_ascii_digit() || ['.', ','].contains(&letter)).then_some(figure)
    });
    found.next().unwrap_or_else(|| panic!("{name}: {phrase}")).to_owned()
}

/// Returns the number that `#` stands for in a phrase of the file `name`.
fn number(name: &str, phrase: &str) -> f64 {
    figure(name, phrase).replace(',', "").parse().expect("a number")
}

#[test]
fn a_figure_that_several_pages_have_is_that_of_the_page_that_owns_it() {
    for (owner, phrase, others) in SHARED {
        let owned = figure(owner, phrase);
        for (name, phrase) in others {
            let told = phrase.replace('#', &owned);
            assert!(page(name).contains(&told), "{name} does not have {told:?}, as {owner} has");
        }
    }
}

#[test]
fn every_number_of_the_readme_is_one_that_a_test_checks() {
    let readme = include_str!("../../README.md");
    let of_readme = SHARED.iter().filter(|(.., others)| others.iter().any(|(name, _)| *name == "README.md"));
    let mut known: BTreeSet<String> = of_readme.map(|(owner, phrase, _)| figure(owner, phrase)).collect();
    known.extend(NAMES.map(str::to_owned));
    let [cells, equal] =
        ["Of # computed cells", "computed cells, # equal"].map(|of| number("docs/papers.md", of));
    known.insert((cells - equal).to_string());
    for line in prose(readme) {
        // Without code and the targets of links.
        let text: String = line.split('`').step_by(2).collect();
        let text: String =
            text.split("](").map(|part| part.split_once(')').map_or(part, |(_, rest)| rest)).collect();
        let is_of_number = |letter: char| letter.is_ascii_digit() || ['.', ','].contains(&letter);
        for number in text.split(|letter| !is_of_number(letter)) {
            let number = number.trim_matches(['.', ',']);
            assert!(number.is_empty() || known.contains(number), "{number} in {line}");
        }
    }
}

#[test]
fn figures_that_follow_from_others_do() {
    let minutes = |speed: f64| (200_000.0 / speed / 60.0).round();
    let performance = |phrase| number("docs/performance.md", phrase);
    let all = performance("one core, MB of PGN a second | # (");
    let tenth = performance("a tenth of the games have evaluations (# without");
    assert_eq!(minutes(all), performance("takes # minutes on one core if all"));
    assert_eq!(minutes(tenth), performance("and # minutes if a tenth"));
    // 10⁹ positions on 10,000 cores.
    let position = performance("4,883 positions: # s a position");
    assert_eq!((1e5 * position / 360.0).round() / 10.0, number("docs/scale.md", "or # hours on 10,000"));
    assert_eq!((1e4 / 16.0 / position).round(), number("docs/scale.md", "must handle # segments"));
    assert_eq!((1e4 / 16.0 / position).round(), number("docs/scale.md", "needs only # segments"));
    // The attacks, in the third column of the table with five columns.
    let reliability = include_str!("../../docs/reliability.md");
    let is_row = |line: &&str| line.starts_with("| `") && line.matches(" | ").count() == 4;
    let rows = reliability.lines().filter(is_row);
    let tried = rows.filter_map(|row| row.split(" | ").nth(2)?.replace(',', "").parse::<f64>().ok());
    assert_eq!(tried.sum::<f64>(), number("docs/reliability.md", "Of # attacks (release"));
}

#[test]
fn the_readme_shows_what_its_first_command_prints() {
    let readme = include_str!("../../README.md");
    let (_, shown) = readme.split_once("```console\n$ gainalyze ").expect("a command with its output");
    let (shown, _) = shown.split_once("\n…").expect("an end");
    let (file, output) = shown.split_once('\n').expect("output");
    let bench = Bench::of_games().with("GAINALYZE_ENGINE", "/no/such/engine");
    let path = root().join(file).display().to_string();
    let printed = bench.run(&[&path, "--plots", "none", "--no-html", "--output", "out"]).ended_with(0).stdout;
    assert!(printed.starts_with(output), "{printed}");
}

/// Returns whether a line has at most [`COLUMNS`] characters, or may be longer: a row of a table, a link, or
/// a single word.
fn is_wrapped(line: &str) -> bool {
    let words = line.trim_start_matches([' ', '-', '!']);
    let is_link = words.starts_with('[') && words.ends_with(')') && !words.contains(") ");
    line.chars().count() <= COLUMNS || words.starts_with('|') || is_link || !words.contains(' ')
}

#[test]
fn the_lines_of_every_page_fit() {
    for (path, text) in documents() {
        let name = path.strip_prefix(root()).expect("a page of the repository").to_string_lossy();
        let first = prose(&text).find(|line| !is_wrapped(line));
        match (NOT_WRAPPED.contains(&&*name), first) {
            (false, Some(line)) => panic!("{name}: longer than {COLUMNS} columns: {line}"),
            (true, None) => panic!("{name} is wrapped: take it out of NOT_WRAPPED"),
            (false, None) | (true, Some(_)) => {}
        }
    }
    assert!(is_wrapped(&"word ".repeat(20)) && !is_wrapped(&"word ".repeat(21)));
    let address = "address/".repeat(20);
    assert!(is_wrapped(&format!("![a picture]({address})")) && is_wrapped(&format!("- {address}")));
    assert!(!is_wrapped(&format!("[a page]({address}) that is a long sentence")));
}

#[test]
fn every_link_of_the_documents_leads_somewhere() {
    let mut checked = 0;
    for (path, text) in documents() {
        for target in prose(&text).flat_map(links).filter(|target| !target.contains("://")) {
            let (file, anchor) = target.split_once('#').map_or((target, None), |(file, to)| (file, Some(to)));
            let folder = path.parent().expect("a folder");
            let found = if file.is_empty() { path.clone() } else { folder.join(file) };
            assert!(found.exists(), "{}: {target}", path.display());
            if let Some(anchor) = anchor {
                let page = fs::read_to_string(&found).expect("a page");
                assert!(anchors(&page).contains(anchor), "{}: {target}", path.display());
            }
            checked += 1;
        }
    }
    assert!(checked > 40, "{checked} links");
}

#[test]
fn every_command_of_the_documents_is_one_that_the_command_line_takes() {
    let mut checked = 0;
    for (path, text) in documents() {
        for arguments in commands(&text).iter().flat_map(|line| invocations(line)) {
            if let Err(problem) = Cli::try_parse_from(&arguments) {
                panic!("{}: {arguments:?}: {problem}", path.display());
            }
            // An unknown verb would count as the name of a file.
            let is_verb = |word: &str| Cli::command().find_subcommand(word).is_some();
            let first = &arguments[1];
            let is_known = first.starts_with('-') || first.contains(['.', '/', '$']) || is_verb(first);
            assert!(is_known, "{}: {arguments:?}", path.display());
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked} commands");
}

#[test]
fn a_line_of_shell_is_read_as_a_shell_reads_it() {
    assert_eq!(
        invocations(
            "apt install x && cargo run --release --locked -- 'a b.pgn' --depth 3 | head # gainalyze"
        ),
        [vec!["--".to_owned(), "a b.pgn".into(), "--depth".into(), "3".into()]],
    );
    assert!(invocations("cargo run --release --example tune -- --output x").is_empty());
    assert_eq!(invocations("gainalyze man > page; echo gainalyze"), [["gainalyze", "man"]]);
    assert!(Cli::try_parse_from(["gainalyze", "--no-such-option"]).is_err());
}

#[test]
fn every_name_of_the_glossary_is_in_the_code() {
    let root = root().join("src");
    let glossary = include_str!("../../docs/glossary.md");
    let names = glossary.lines().filter_map(|line| line.strip_suffix("` |")?.rsplit_once('`'));
    let names: BTreeSet<&str> = names.map(|(_, name)| name).collect();
    assert!(names.len() > 30, "{names:?}");
    for name in names {
        let (modules, item): (Vec<&str>, Vec<&str>) = name
            .split("::")
            .partition(|part| part.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_'));
        // A function's name is written like a module's, so the function is looked for in the module named
        // before it.
        let folder = root.join(modules.join("/"));
        let is_module = folder.is_dir() || folder.with_extension("rs").is_file();
        let (modules, item) = match (is_module, item.first()) {
            (_, Some(item)) => (&modules[..], Some(*item)),
            (true, None) => (&modules[..], None),
            (false, None) => (&modules[..modules.len() - 1], modules.last().copied()),
        };
        let folder = root.join(modules.join("/"));
        let files = [folder.with_extension("rs"), folder.join("mod.rs")];
        let text = files.into_iter().find_map(|file| fs::read_to_string(file).ok());
        let text = text.unwrap_or_else(|| panic!("there is no module {name}"));
        let declared = |item: &str| {
            let is_end = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_');
            text.match_indices(item).any(|(at, _)| is_end(&text[at + item.len()..]))
        };
        assert!(item.is_none_or(declared), "{name} is not in its module");
    }
}
