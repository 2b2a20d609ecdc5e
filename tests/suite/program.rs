//! Runs of the program as a user makes them. Each test has its own folder, and a scripted engine.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};

use tempfile::TempDir;

/// Three short games of different lengths among three players.
pub const GAMES: &str = r#"[Event "Test"]
[Site "Nowhere"]
[Date "2020.01.01"]
[Round "1"]
[White "Alpha, Anna"]
[Black "Beta, Bert"]
[Result "1-0"]
[WhiteElo "2500"]
[BlackElo "2400"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0

[Event "Test"]
[Round "2"]
[White "Beta, Bert"]
[Black "Gamma, Gus"]
[Result "1/2-1/2"]
[WhiteElo "2400"]
[BlackElo "2450"]

1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 h6 7. Bh4 b6 8. cxd5 Nxd5 9. Bxe7 Qxe7
10. Nxd5 exd5 11. Rc1 Be6 1/2-1/2

[Event "Test"]
[Round "3"]
[White "Gamma, Gus"]
[Black "Alpha, Anna"]
[Result "0-1"]
[WhiteElo "2450"]
[BlackElo "2500"]

1. f3 e5 2. g4 Qh4# 0-1
"#;

/// Returns `found`, part of an installed program; `None` if the program is missing, so that a test can be
/// skipped. Under CI no program may be missing, because tests would vanish unnoticed.
pub fn installed<T>(name: &str, found: Option<T>) -> Option<T> {
    found_or_skipped(name, found, std::env::var_os("CI").is_some())
}

fn found_or_skipped<T>(name: &str, found: Option<T>, is_ci: bool) -> Option<T> {
    if found.is_none() {
        assert!(!is_ci, "{name} is not installed, and CI needs it");
        eprintln!("skipped: {name} is not installed");
    }
    found
}

#[test]
fn a_missing_program_skips_a_test_but_fails_it_under_ci() {
    assert_eq!(found_or_skipped("initdb", None::<()>, false), None);
    assert_eq!(found_or_skipped("initdb", Some(()), true), Some(()));
    let under_ci = std::panic::catch_unwind(|| found_or_skipped("initdb", None::<()>, true));
    assert!(under_ci.is_err());
}

/// A folder with one PGN, in which the program runs.
pub struct Bench {
    folder: TempDir,
    environment: BTreeMap<String, String>,
}

impl Bench {
    /// Returns a folder with `pgn` as `games.pgn`, and with the scripted engine as the default engine.
    pub fn new(pgn: &str) -> Bench {
        let bench =
            Bench { folder: TempDir::new().expect("a temporary folder"), environment: BTreeMap::new() };
        bench.write("games.pgn", pgn.as_bytes());
        bench.with("GAINALYZE_ENGINE", &scripted_engine())
    }

    /// Returns a folder with [`GAMES`].
    pub fn of_games() -> Bench {
        Bench::new(GAMES)
    }

    /// Sets an environment variable for the program.
    pub fn with(mut self, name: &str, value: &str) -> Bench {
        self.environment.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Makes the scripted engine misbehave as `fault` says.
    pub fn with_fault(self, fault: &str) -> Bench {
        let marker = self.path("fault-happened").display().to_string();
        self.with("SCRIPT", fault).with("SCRIPT_FILE", &marker)
    }

    /// Writes a file into the folder.
    pub fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).expect("a writable folder");
    }

    /// Returns the path of a file in the folder. `reports/games` stands for the only report of these games;
    /// the real folder's name includes the engine.
    pub fn path(&self, name: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        let mut parts = name.splitn(3, '/');
        let (Some("reports"), Some(games), rest) = (parts.next(), parts.next(), parts.next()) else {
            return path;
        };
        let reports = self.folder.path().join("reports");
        if reports.join(games).exists() {
            return path;
        }
        let entries =
            fs::read_dir(&reports).into_iter().flatten().map(|entry| entry.expect("an entry").path());
        let is_of = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            name.strip_prefix(games).is_some_and(|rest| rest.starts_with('-'))
        };
        let found: Vec<PathBuf> = entries.filter(is_of).collect();
        match found.as_slice() {
            [only] => rest.map_or(only.clone(), |rest| only.join(rest)),
            _ => path,
        }
    }

    /// Returns the bytes of a file in the folder.
    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Returns the text of a file in the folder.
    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).expect("text")
    }

    /// Returns the cells of some columns of a table, row by row.
    pub fn table(&self, name: &str, columns: &[&str]) -> Vec<Vec<String>> {
        let text = self.text(name);
        let mut rows = text.lines().map(cells);
        let heads = rows.next().expect("a heading");
        let place = |column: &&str| heads.iter().position(|head| head == column).expect("a column");
        let places: Vec<usize> = columns.iter().map(place).collect();
        rows.map(|row| places.iter().map(|&place| row[place].clone()).collect()).collect()
    }

    fn command(&self, args: &[impl AsRef<OsStr>]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gainalyze"));
        command.args(args).current_dir(self.folder.path());
        command.env_remove("GAINALYZE_ENGINE").env("XDG_CACHE_HOME", self.path("cache"));
        command.env("HOME", self.folder.path()).env_remove("XDG_DATA_HOME").envs(&self.environment);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the program to its end with arguments that may be invalid text.
    pub fn run_with(&self, args: &[&OsStr]) -> Run {
        Run::new(self.command(args).output().expect("the program starts"))
    }

    /// Runs the program to its end.
    pub fn run(&self, args: &[&str]) -> Run {
        Run::new(self.command(args).output().expect("the program starts"))
    }

    /// Runs the program with `input` on its standard input.
    pub fn run_with_input(&self, args: &[&str], input: &str) -> Run {
        use std::io::Write;
        let mut child = self.command(args).stdin(Stdio::piped()).spawn().expect("the program starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(input.as_bytes()).expect("the program reads");
        drop(stdin);
        Run::new(child.wait_with_output().expect("the program ends"))
    }

    /// Starts the program and does not wait for it.
    pub fn start(&self, args: &[&str]) -> Child {
        self.command(args).spawn().expect("the program starts")
    }

    /// Runs the program from a shell, with `before` in front of the program and `after` after its arguments.
    pub fn run_in_shell(&self, before: &str, args: &str, after: &str) -> Run {
        let mut shell = self.command(&[""; 0]);
        let line = format!("{before} \"$0\" {args} {after}");
        let environment: Vec<_> =
            shell.get_envs().filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned()))).collect();
        shell = Command::new("sh");
        shell
            .args(["-c", &line, env!("CARGO_BIN_EXE_gainalyze")])
            .current_dir(self.folder.path())
            .envs(environment);
        Run::new(shell.output().expect("a shell"))
    }

    /// Returns every file in `folder` except records of runs, by name. The command is removed from pages.
    pub fn files(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(self.path(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
        let files = entries.map(|entry| entry.expect("an entry")).filter(|entry| entry.path().is_file());
        let names = files.map(|entry| entry.file_name().into_string().expect("text"));
        names
            .filter(|name| name != "run.json" && name != "sensitivity-run.json")
            .map(|name| (name.clone(), without_command(&name, self.read(&format!("{folder}/{name}")))))
            .collect()
    }

    /// Returns `run.json` of a folder.
    pub fn run_json(&self, folder: &str) -> serde_json::Value {
        serde_json::from_str(&self.text(&format!("{folder}/run.json"))).expect("JSON")
    }

    /// Returns `summary.json` of a folder.
    pub fn summary(&self, folder: &str) -> serde_json::Value {
        serde_json::from_str(&self.text(&format!("{folder}/summary.json"))).expect("JSON")
    }
}

/// Returns the cells of a row of CSV. Quoted cells may contain commas.
fn cells(row: &str) -> Vec<String> {
    let mut quoted = false;
    let cells = row.split(|c| {
        quoted ^= c == '"';
        c == ',' && !quoted
    });
    cells.map(|cell| cell.trim_matches('"').to_owned()).collect()
}

/// Returns the path of the scripted engine.
pub fn scripted_engine() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/scripted-engine.sh").display().to_string()
}

/// The result of a run.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    pub fn new(output: Output) -> Run {
        let run = Run {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("text"),
            stderr: String::from_utf8(output.stderr).expect("text"),
        };
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
        run
    }

    /// Asserts the exit code. A failure prints all output.
    pub fn ended_with(self, code: i32) -> Run {
        assert_eq!(self.code, Some(code), "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }

    /// Asserts that standard error contains all of `words`.
    pub fn said(self, words: &[&str]) -> Run {
        for word in words {
            assert!(self.stderr.contains(word), "{word:?} is not in: {}", self.stderr);
        }
        self
    }
}

/// Returns the bytes of a file. From a page, the line with the command is removed, because the command names
/// the folder.
fn without_command(name: &str, bytes: Vec<u8>) -> Vec<u8> {
    if name != "report.html" {
        return bytes;
    }
    let page = String::from_utf8(bytes).expect("UTF-8");
    page.lines().filter(|line| !line.contains("<dt>Command</dt>")).collect::<Vec<_>>().join("\n").into_bytes()
}
