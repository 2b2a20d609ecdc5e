//! [`Subject`]: the programs to measure, and their commands.

use std::{
    env, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use clap::ValueEnum;

use crate::files::{Files, GameFile};

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Subject {
    OneCore,
    TwoCores,
    CheckMoves,
    Quantiles,
    Part,
    Zst,
    Unzst,
    Gz,
    Gunzip,
    Bz2,
    Bunzip2,
    Broadcasts,
    Tokens,
    Replay,
    PgnExtract,
    PythonChess,
}

/// A python script that reads the games of a file by python-chess and does nothing else.
const PYTHON: &str = "import sys, chess.pgn\nf = open(sys.argv[1])\nwhile chess.pgn.read_game(f): pass";

/// The place of pgn-extract on Debian. Its folder may be missing from PATH.
const GAMES: &str = "/usr/games/pgn-extract";

impl Subject {
    pub fn title(self) -> &'static str {
        match self {
            Subject::OneCore => "gainalyze --by elo-band, one core",
            Subject::TwoCores => "gainalyze --by elo-band, two cores",
            Subject::CheckMoves => "gainalyze --by elo-band --check-moves, one core",
            Subject::Quantiles => "gainalyze --by elo-band --quantiles, one core",
            Subject::Part => "gainalyze --by elo-band, one core, a tenth of the archive",
            Subject::Zst => "gainalyze --by elo-band, one core, .zst",
            Subject::Unzst => "zstd -dc, one core",
            Subject::Gz => "gainalyze --by elo-band, one core, .gz",
            Subject::Gunzip => "gzip -dc, one core",
            Subject::Bz2 => "gainalyze --by elo-band, one core, .bz2",
            Subject::Bunzip2 => "bzip2 -dc, one core",
            Subject::Broadcasts => "gainalyze --by event, a month of broadcasts, two cores, .zst",
            Subject::Tokens => "pgn-reader, tokens, one core",
            Subject::Replay => "pgn-reader and shakmaty, moves replayed, one core",
            Subject::PgnExtract => "pgn-extract -s -o /dev/null, one core",
            Subject::PythonChess => "python-chess, read_game, one core",
        }
    }

    /// Returns the file to read: the archive or a part of it, plain or packed. Slow subjects read a part,
    /// since the whole archive would take minutes.
    pub fn file(self, files: &Files) -> &GameFile {
        match self {
            Subject::OneCore | Subject::TwoCores | Subject::CheckMoves | Subject::Quantiles => &files.whole,
            Subject::Tokens | Subject::Replay => &files.whole,
            Subject::Zst | Subject::Unzst => &files.whole_zst,
            Subject::Part | Subject::PgnExtract => &files.part,
            Subject::Gz | Subject::Gunzip => &files.part_gz,
            Subject::Bz2 | Subject::Bunzip2 => &files.part_bz2,
            Subject::PythonChess => &files.little,
            Subject::Broadcasts => &files.month_zst,
        }
    }

    /// Returns the reason why the program cannot be measured here; `None` if it can.
    pub fn missing(self) -> Option<&'static str> {
        let (mut program, help) = match self {
            Subject::Unzst => (Command::new("zstd"), "zstd is not installed"),
            Subject::Gunzip => (Command::new("gzip"), "gzip is not installed"),
            Subject::Bunzip2 => (Command::new("bzip2"), "bzip2 is not installed"),
            Subject::PgnExtract => (pgn_extract(), "pgn-extract is not installed (Debian has it)"),
            Subject::PythonChess => {
                (python(), "python3 has no python-chess; PYTHON may name a python that has it")
            }
            _ => return None,
        };
        match self {
            Subject::PythonChess => program.args(["-c", "import chess.pgn"]),
            _ => program.arg("--version"),
        };
        let status = program.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        (!status.is_ok_and(|status| status.success())).then_some(help)
    }

    /// Returns the command to run. The commands of gainalyze write into `folder`.
    ///
    /// # Errors
    ///
    /// If the path of this program is unknown.
    pub fn command(self, files: &Files, folder: &Path) -> io::Result<Command> {
        let file = &self.file(files).path;
        let mut command = match self {
            Subject::TwoCores => pinned("0,1", &gainalyze(file, folder, "2")),
            Subject::Broadcasts => {
                let mut program = Command::new(env!("CARGO_BIN_EXE_gainalyze"));
                program.args(["archive", "--by", "event", "--jobs", "2", "--quiet", "--output"]);
                pinned("0,1", program.arg(folder).arg(file))
            }
            Subject::CheckMoves => pinned("0", gainalyze(file, folder, "1").arg("--check-moves")),
            Subject::Quantiles => pinned("0", gainalyze(file, folder, "1").arg("--quantiles")),
            Subject::OneCore | Subject::Part | Subject::Zst | Subject::Gz | Subject::Bz2 => {
                pinned("0", &gainalyze(file, folder, "1"))
            }
            Subject::Unzst => pinned("0", Command::new("zstd").arg("-dc").arg(file)),
            Subject::Gunzip => pinned("0", Command::new("gzip").arg("-dc").arg(file)),
            Subject::Bunzip2 => pinned("0", Command::new("bzip2").arg("-dc").arg(file)),
            Subject::Tokens | Subject::Replay => {
                let name = self.to_possible_value().expect("a subject with a name");
                let mut this = Command::new(env::current_exe()?);
                pinned("0", this.args(["--only", name.get_name(), "--read"]).arg(file))
            }
            Subject::PgnExtract => pinned("0", pgn_extract().args(["-s", "-o", "/dev/null"]).arg(file)),
            Subject::PythonChess => pinned("0", python().args(["-c", PYTHON]).arg(file)),
        };
        command.stdin(Stdio::null());
        Ok(command)
    }
}

fn gainalyze(file: &Path, folder: &Path, jobs: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gainalyze"));
    let tables = ["archive", "--by", "elo-band", "--plots", "none", "--jobs", jobs, "--quiet", "--output"];
    command.args(tables).arg(folder).arg(file);
    command
}

/// Returns pgn-extract from the folder of its package, or else from PATH.
pub fn pgn_extract() -> Command {
    Command::new(if Path::new(GAMES).exists() { GAMES } else { "pgn-extract" })
}

/// Returns the python that `PYTHON` names, or else the python on PATH.
pub fn python() -> Command {
    Command::new(env::var_os("PYTHON").map_or(PathBuf::from("python3"), PathBuf::from))
}

/// Returns the command of `program`, restricted to these cores if the system can do that.
fn pinned(cores: &str, program: &Command) -> Command {
    let mut command = if cfg!(target_os = "linux") {
        let mut taskset = Command::new("taskset");
        taskset.args(["-c", cores]).arg(program.get_program());
        taskset
    } else {
        Command::new(program.get_program())
    };
    command.args(program.get_args());
    command
}
