//! Tests of the odd files in `tests/odd`. The default reader and the archive's reader must give the answers
//! in `answers.tsv` there, from plain and from packed files, with one thread and with several.

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    num::NonZeroUsize,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use gainalyze::base::text::counted;
use gainalyze::chess::pgn::{decode, parse_games};
use gainalyze::measure::{
    ArchiveEvent, CountOptions, GameCounts, GameOutcome, Grouping, LeftOutReason, archive::read_archive,
};

/// One line per file, with tabs between the columns: `file`, `games` read, `unreadable` (each with its
/// fault), `counted`, `copies`, `left out` by reason, `first moves` without a gain, `odd evals`, `clocks
/// back`, and `gains` move by move, with slashes between games.
const TABLE: &str = include_str!("../odd/answers.tsv");

/// Returns counting options that replay every move of an archive's games and keep the single moves.
pub fn terms() -> CountOptions {
    let mut options = CountOptions::new(Grouping::Player);
    (options.check_moves, options.keep_moves) = (true, true);
    options
}

/// A reader's result for a file.
#[derive(Debug, Default, PartialEq)]
pub struct Answer {
    pub games: u64,
    pub faults: Vec<String>,
    pub entries: Vec<GameCounts>,
    pub copies: u64,
    pub left_out: BTreeMap<LeftOutReason, u64>,
    pub torn: bool,
}

impl Answer {
    /// Returns the result of the archive's reader for `file`.
    pub fn of_archive(file: &Path, jobs: usize) -> Answer {
        let mut answer = Answer::default();
        let jobs = NonZeroUsize::new(jobs).expect("a number above 0");
        let flow = read_archive(&[file.to_owned()], &terms(), jobs, |event| {
            match event {
                ArchiveEvent::Game { number, item, .. } => answer.add(number, item),
                ArchiveEvent::Torn(torn) => {
                    assert_eq!(torn.games, answer.games);
                    answer.torn = true;
                }
                ArchiveEvent::Useless(_)
                | ArchiveEvent::Forgetful
                | ArchiveEvent::Ended(_)
                | ArchiveEvent::Advanced(_) => {}
            }
            ControlFlow::<()>::Continue(())
        });
        assert!(flow.is_continue());
        answer
    }

    fn add(&mut self, number: u64, item: &GameOutcome) {
        self.games += 1;
        assert_eq!(self.games, number);
        match item {
            GameOutcome::Refused(refusal) => panic!("nothing is refused: {refusal}"),
            GameOutcome::Counted(entry) => self.entries.push((**entry).clone()),
            GameOutcome::Copy => self.copies += 1,
            GameOutcome::LeftOut(left_out) => {
                *self.left_out.entry(left_out.reason).or_default() += 1;
                self.faults.extend(left_out.bad.as_ref().map(|bad| bad.describe(&format!("game {number}"))));
            }
        }
    }

    fn row(&self, name: &str) -> String {
        let sum = |count: fn(&GameCounts) -> u64| self.entries.iter().map(count).sum::<u64>().to_string();
        let left_out: Vec<String> =
            self.left_out.iter().map(|(reason, games)| format!("{games} {reason}")).collect();
        let gains = self.entries.iter().map(|entry| {
            entry.moves.iter().map(|played| played.gain.to_string()).collect::<Vec<_>>().join(" ")
        });
        [
            name.to_owned(),
            self.games.to_string(),
            self.faults.join("; "),
            self.entries.len().to_string(),
            self.copies.to_string(),
            left_out.join("; "),
            sum(|entry| entry.without_gain),
            sum(|entry| entry.odd_evals),
            sum(|entry| entry.clocks_backwards),
            gains.collect::<Vec<_>>().join(" / "),
        ]
        .join("\t")
    }
}

/// Returns the odd files by their names without `.pgn`.
fn odd_files() -> BTreeMap<String, PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/odd");
    let paths = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let games = paths.filter(|path| path.extension().is_some_and(|extension| extension == "pgn"));
    games.map(|path| (path.file_stem().expect("a name").to_string_lossy().into_owned(), path)).collect()
}

/// Returns `bytes` in each format of packed archives, with its extension.
pub fn packed(bytes: &[u8]) -> [(&'static str, Vec<u8>); 3] {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    gzip.write_all(bytes).and_then(|()| bzip2.write_all(bytes)).expect("memory");
    [
        ("zst", zstd::encode_all(bytes, 1).expect("memory")),
        ("gz", gzip.finish().expect("memory")),
        ("bz2", bzip2.finish().expect("memory")),
    ]
}

#[test]
fn every_odd_file_gives_the_answer_that_the_table_has() {
    let rows: Vec<String> =
        odd_files().iter().map(|(name, path)| Answer::of_archive(path, 1).row(name)).collect();
    let found = rows.join("\n");
    let expected = TABLE.lines().skip(1).collect::<Vec<_>>().join("\n");
    assert!(found == expected, "found:\n{found}\n\nexpected:\n{expected}");
}

#[test]
fn the_default_reader_finds_the_same_games_and_faults() {
    for (name, path) in odd_files() {
        let archive = Answer::of_archive(&path, 1);
        let games = parse_games(&decode(fs::read(&path).expect("a file")), "");
        let faults = games.iter().filter_map(|game| game.as_ref().err());
        let faults: Vec<String> =
            faults.map(|bad| bad.describe(&format!("game {}", bad.source.number))).collect();
        assert_eq!((games.len() as u64, faults), (archive.games, archive.faults), "{name}");
    }
}

#[test]
fn packing_and_threads_make_no_difference() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, path) in odd_files() {
        let plain = Answer::of_archive(&path, 1);
        assert_eq!(plain, Answer::of_archive(&path, 4), "{name}");
        for (ending, bytes) in packed(&fs::read(&path).expect("a file")) {
            let packed = folder.path().join(format!("{name}.pgn.{ending}"));
            fs::write(&packed, bytes).expect("a temporary folder");
            assert_eq!(plain, Answer::of_archive(&packed, 2), "{name} as {ending}");
        }
    }
}

/// Returns the exit code of the default verb for the file at `path`, and the gains that it counts, game by
/// game.
#[cfg(unix)]
fn gains_by_default(bench: &crate::program::Bench, path: &Path) -> (Option<i32>, String) {
    let path = path.to_string_lossy();
    let args = ["--evals", "pgn", "--plots", "none", "--no-html", "--bootstrap", "0", "--output", "out"];
    let run = bench.run(&[&[&*path], &args[..]].concat());
    if run.code != Some(0) {
        assert_eq!(run.stderr.lines().filter(|line| line.starts_with("error: ")).count(), 1);
        return (run.code, String::new());
    }
    let moves = bench.table("out/moves.csv", &["game", "counted", "gain_cp"]);
    let mut games: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for row in &moves {
        let gains = games.entry(row[0].parse().expect("a number")).or_default();
        if row[1] == "true" {
            gains.push(&row[2]);
        }
    }
    (run.code, games.into_values().map(|gains| gains.join(" ")).collect::<Vec<_>>().join(" / "))
}

#[cfg(unix)]
#[test]
fn the_default_verb_counts_the_same_gains_of_every_odd_file() {
    for row in TABLE.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let (name, counted, gains) = (cells[0], cells[3], cells[9]);
        let bench = crate::program::Bench::new("").with("GAINALYZE_ENGINE", "/no/such/engine");
        let found = gains_by_default(&bench, &odd_files()[name]);
        let code = if counted == "0" { 2 } else { 0 };
        assert_eq!(found, (Some(code), gains.to_owned()), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_folder_of_odd_files_is_read_in_both_ways_whatever_they_are_packed_in() {
    let bench = crate::program::Bench::new("").with("GAINALYZE_ENGINE", "/no/such/engine");
    fs::create_dir(bench.path("odd")).expect("a temporary folder");
    for (at, (name, path)) in odd_files().into_iter().enumerate() {
        let (ending, bytes) = &packed(&fs::read(path).expect("a file"))[at % 3];
        bench.write(&format!("odd/{name}.pgn.{ending}"), bytes);
    }
    let sum = |column: usize| {
        let cells = TABLE.lines().skip(1).map(|row| row.split('\t').nth(column).expect("a column"));
        cells.map(|cell| cell.parse::<u64>().expect("a number")).sum::<u64>()
    };
    let (games, whole, copies) = (sum(1), sum(3), sum(4));
    let run =
        bench.run(&["archive", "odd", "--by", "player", "--keep-duplicates", "--check-moves"]).ended_with(0);
    run.said(&[&format!("{} read, ", counted(games, "game")), &format!("; {} counted", whole + copies)]);
    let args = ["odd", "--evals", "pgn", "--keep-duplicates", "--plots", "none", "--bootstrap", "0"];
    bench.run(&args).ended_with(0);
    let summary = bench.summary("reports/odd");
    assert_eq!(summary["games"]["read"], games);
    // Only the points of games without moves count.
    assert_eq!(summary["games"]["unplayed"], 2);
    assert_eq!(summary["games"]["analysed"], whole + copies + 2);
}
