//! The work of the analysis page: reads games, evaluates them with the built-in engine, and makes their report.
//! Boards in pages send it questions about positions. Everything is text in memory: evaluated games are annotated
//! PGN, and their report equals the report that the command line writes for this PGN.

mod board;
#[cfg(target_family = "wasm")]
mod exports;

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use self::board::{Look, LookTask, ReplyTask};
use super::{
    pictures::ReportOptions, pictures::Source, plots::Caption, publish::ReportFormats, table::csv, tables,
    tournament, words,
};
use crate::base::{text::with_causes, work::Stop};
use crate::chess::{
    Aliases, EvaluatedGame, Evaluation, FirstFew, Game, GameSource, Limit, Order, Protocol, Segment,
    Selection, evaluated_game::judge_of, judgment::notes::judged, name_players, openings, pgn,
    pgn::ReadError, pgn::select, recorded_evaluations,
};
use crate::engine::{BuiltinEngine, builtin};
use crate::files::{ChoiceFacts, EvaluationSource, Format, GamesRead, LeftOutGame, SummaryFacts};
use crate::measure::{Calibration, Findings, FindingsDesign, RatedPlay, calibrated};

/// A task of the page, as the first line of a request, in JSON. The bytes after this line are PGN.
#[derive(Debug, Deserialize)]
#[serde(tag = "task", rename_all = "snake_case")]
enum BrowserTask {
    /// The data are the files named in `parts`, one after the other; without parts, they are one file.
    Read {
        file: String,
        #[serde(default)]
        parts: Vec<FilePart>,
    },
    Evaluate {
        depth: u32,
    },
    /// `read` has the facts from reading the file, and `numbers` the games' numbers in it.
    Report {
        file: String,
        read: GamesRead,
        numbers: Vec<usize>,
    },
    Look(LookTask),
    Reply(ReplyTask),
}

#[derive(Debug, Deserialize)]
struct FilePart {
    name: String,
    /// Number of bytes.
    size: usize,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Answer {
    Read {
        read: GamesRead,
        games: Vec<ReadGame>,
    },
    Evaluated {
        pgn: String,
    },
    Report {
        page: String,
        /// The content of the report's other files, by name.
        files: BTreeMap<String, String>,
    },
    Look(Look),
    Reply {
        uci: String,
    },
    Failed {
        /// The reason, as a sentence without a full stop.
        error: String,
    },
}

#[derive(Debug, Serialize)]
struct ReadGame {
    number: usize,
    white: String,
    black: String,
    /// Number of positions, a measure of the time that its evaluation takes.
    positions: usize,
    pgn: String,
    /// True if the file has evaluations of the whole game.
    is_evaluated: bool,
}

/// Does a task, and returns the answer in JSON. The answer to a faulty request has the key `error`.
pub fn answer(request: &[u8]) -> String {
    let line = request.iter().position(|&byte| byte == b'\n').unwrap_or(request.len());
    let (task, data) = request.split_at(line);
    let data = data.get(1..).unwrap_or_default().to_vec();
    let answer =
        serde_json::from_slice(task).map_err(|error| error.to_string()).and_then(|task| match task {
            BrowserTask::Read { file, parts } => read(&file, &parts, data),
            BrowserTask::Evaluate { depth } => evaluate(data, depth),
            BrowserTask::Report { file, read, numbers } => report(&file, read, &numbers, data),
            BrowserTask::Look(task) => task.look().map(Answer::Look),
            BrowserTask::Reply(task) => task.reply().map(|uci| Answer::Reply { uci }),
        });
    written_answer(answer)
}

/// Looks at the position in a request, which is a `LookTask`, and returns the answer in JSON. A module with
/// only this function has a third of the library's size, or packed a fifth.
pub fn look(request: &[u8]) -> String {
    let task = serde_json::from_slice::<LookTask>(request).map_err(|error| error.to_string());
    written_answer(task.and_then(|task| task.look()).map(Answer::Look))
}

fn written_answer(answer: Result<Answer, String>) -> String {
    let answer = answer.unwrap_or_else(|error| Answer::Failed { error });
    serde_json::to_string(&answer).unwrap_or_default()
}

/// Most bytes of the unpacked files together. A page has little memory.
const MOST_BYTES: u64 = 32 << 20;
const TOO_LARGE: &str =
    "unpacked, the games have more than 32 MB; the program gainalyze reads files of any size";

/// Returns the text of all files, each unpacked and decoded.
fn text_of(file: &str, parts: &[FilePart], mut bytes: Vec<u8>) -> Result<String, String> {
    let failed = |error: ReadError| match &error {
        ReadError::Io(_, source) if source.kind() == ErrorKind::FileTooLarge => TOO_LARGE.to_owned(),
        _ => with_causes(&error),
    };
    let whole = [FilePart { name: file.to_owned(), size: bytes.len() }];
    let (mut texts, mut left) = (Vec::new(), MOST_BYTES);
    for part in if parts.is_empty() { &whole } else { parts } {
        let rest = bytes.split_off(part.size.min(bytes.len()));
        let unpacked = pgn::unpacked(&part.name, bytes, left).map_err(failed)?;
        left -= unpacked.len() as u64;
        texts.push(pgn::decode(unpacked));
        bytes = rest;
    }
    Ok(texts.join("\n\n"))
}

fn read(file: &str, parts: &[FilePart], bytes: Vec<u8>) -> Result<Answer, String> {
    let selected = select(file, &text_of(file, parts, bytes)?, &Selection::default());
    if let (true, Some(fault)) = (selected.games.is_empty(), selected.useless.first()) {
        return Err(with_causes(fault));
    }
    let left_out: FirstFew<LeftOutGame> = selected.bad.map(|bad| bad.into());
    let read = GamesRead {
        read: selected.read as u64,
        analysed: 0,
        unplayed: 0,
        left_out: left_out.first().to_vec(),
        left_out_by_reason: left_out.kinds().clone(),
        choice: ChoiceFacts::of(&selected.tally, Vec::new()),
    };
    let games = selected.games.iter().map(|game| ReadGame {
        number: game.source.ordinal,
        white: game.player(Color::White).to_owned(),
        black: game.player(Color::Black).to_owned(),
        positions: game.moves.len() + 1,
        pgn: written([game]),
        is_evaluated: recorded_evaluations(game, None).is_ok(),
    });
    Ok(Answer::Read { read, games: games.collect() })
}

fn evaluate(bytes: Vec<u8>, depth: u32) -> Result<Answer, String> {
    let game = games(bytes)?.pop().ok_or("there is no game to evaluate")?;
    let protocol = Protocol::new(Limit::Depth(depth), Order::default(), Protocol::SEGMENT);
    let (mut engine, stop) = (BuiltinEngine::new(builtin::HASH), Stop::default());
    // Positions without moves need no search.
    let mut evaluations: Vec<_> = game.positions().map(|position| Evaluation::terminal(&position)).collect();
    for segment in Segment::cut(&game, &protocol) {
        let found = engine.evaluate(&segment, &protocol, &stop).map_err(|error| error.to_string())?;
        found.evaluations.into_iter().for_each(|(ply, evaluation)| evaluations[ply] = Some(evaluation));
    }
    let evaluations = evaluations.into_iter().collect::<Option<_>>().ok_or("a position has no evaluation")?;
    let judge = judge_of(builtin::NAME, &protocol.brief());
    let game = EvaluatedGame::searched(game, evaluations).annotated(Some(&judge));
    Ok(Answer::Evaluated { pgn: written([&game]) })
}

fn report(file: &str, read: GamesRead, numbers: &[usize], bytes: Vec<u8>) -> Result<Answer, String> {
    let evaluated = |(mut game, &number): (Game, &usize)| {
        game.source = GameSource { file: file.to_owned(), number, ordinal: number };
        let evaluations =
            recorded_evaluations(&game, None).map_err(|gap| format!("{}: {gap}", game.title()))?;
        Ok(EvaluatedGame::new(game, evaluations))
    };
    let mut games = games(bytes)?;
    name_players(&mut games.iter_mut().collect::<Vec<_>>(), &Aliases::default());
    games.iter_mut().for_each(|game| openings::name_by_url(&mut game.tags));
    let games = games.into_iter().zip(numbers).map(evaluated).collect::<Result<Vec<_>, String>>()?;
    let evaluations = EvaluationSource::Recorded;
    let judge = words::judge::named(&evaluations, &games);
    let caption = Caption { engine: words::judge::caption(&evaluations, &games), filters: 0 };
    let facts = SummaryFacts {
        evaluations,
        warning: words::method::judge_warning(&judge.unwrap_or_default()),
        games: GamesRead {
            analysed: games.len() as u64,
            unplayed: games.iter().filter(|game| game.game().moves.is_empty()).count() as u64,
            ..read
        },
        positions: games.iter().map(|game| game.evaluations().iter().count() as u64).sum(),
        nodes: None,
    };
    let calibrations = Calibration::for_games(Calibration::shipped(), games.iter().map(EvaluatedGame::game));
    let rated = RatedPlay::of_recorded(std::iter::once(&games), &calibrations);
    let (findings, _) = Findings::of(&games, calibrated(&rated, 0), None, &FindingsDesign::default());
    let formats = ReportFormats {
        tables: BTreeSet::from([Format::Csv]),
        pictures: BTreeSet::new(),
        page: true,
        ..ReportFormats::default()
    };
    let name = file.strip_suffix(".pgn").unwrap_or(file).to_owned();
    let options = ReportOptions { formats, caption, name, ..ReportOptions::default() };
    let source = Source { findings: &findings, games: &games, facts: &facts, options: &options };
    let (page, report) = tournament::page_and_report(&source).map_err(|error| error.to_string())?;
    let mut files: BTreeMap<String, String> =
        report.tables.into_iter().map(|table| (format!("{}.csv", table.name), csv([table]))).collect();
    let others = report.files.into_iter();
    files.extend(others.map(|(name, bytes)| (name.to_owned(), String::from_utf8_lossy(&bytes).into_owned())));
    files.insert(format!("{}.csv", tables::moves::MOVES), csv(tournament::moves(&source)));
    let annotated: Vec<Game> = games.iter().map(|game| judged(game, None)).collect();
    files.insert("annotated.pgn".to_owned(), written(&annotated));
    Ok(Answer::Report { page, files })
}

fn games(bytes: Vec<u8>) -> Result<Vec<Game>, String> {
    pgn::parse_games(&pgn::decode(bytes), "")
        .into_iter()
        .map(|game| game.map_err(|bad| bad.to_string()))
        .collect()
}

fn written<'g>(games: impl IntoIterator<Item = &'g Game>) -> String {
    let mut text = Vec::new();
    for game in games {
        pgn::write_game(game, &mut text).expect("a vector takes all bytes");
    }
    String::from_utf8(text).expect("games are written as text")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(task: &str, data: &str) -> serde_json::Value {
        serde_json::from_str(&answer(format!("{task}\n{data}").as_bytes())).expect("an answer is JSON")
    }

    const GAMES: &str = "[White \"Anand\"]\n[Black \"Carlsen\"]\n\n1. e4 e5 2. Nf3 f6 *\n\n\
                         [White \"Ding\"]\n[Black \"Gukesh\"]\n\n1. d4 d5 2. Ke3 *\n";

    #[test]
    fn games_are_read_evaluated_and_reported() {
        let read = asked(r#"{"task": "read", "file": "two.pgn"}"#, GAMES);
        assert_eq!(read["games"][0]["white"], "Anand");
        assert_eq!(read["games"][0]["positions"], 5);
        assert_eq!(read["read"]["left_out"][0]["white"], "Ding");
        let pgn = read["games"][0]["pgn"].as_str().expect("a game");
        let evaluated = asked(r#"{"task": "evaluate", "depth": 3}"#, pgn);
        let pgn = evaluated["pgn"].as_str().expect("a game");
        assert!(pgn.contains("[EvaluatedBy \"gainalyze engine "), "{pgn}");
        let task =
            serde_json::json!({"task": "report", "file": "two.pgn", "read": read["read"], "numbers": [1]});
        let report = asked(&task.to_string(), pgn);
        let page = report["page"].as_str().expect("a page");
        assert!(page.contains("Anand") && page.contains("Games left out"), "{page}");
        let players = report["files"]["players.csv"].as_str().expect("a table");
        assert_eq!(players.lines().count(), 3, "{players}");
        assert!(report["files"]["annotated.pgn"].as_str().expect("games").contains("[%eval"));
        assert!(report["files"]["summary.json"].as_str().expect("numbers").contains("Anand"));
    }

    #[test]
    fn rapid_games_that_lichess_has_analyzed_are_rated_without_a_search() {
        let packed = include_bytes!("../../tests/lichess/rapid.pgn.zst");
        let text = String::from_utf8(zstd::decode_all(packed.as_slice()).expect("zstd")).expect("utf-8");
        let read = asked(r#"{"task": "read", "file": "rapid.pgn"}"#, &text);
        let games = read["games"].as_array().expect("games");
        assert!(games.len() == 14 && games.iter().all(|game| game["is_evaluated"] == true), "{read}");
        let numbers: Vec<usize> = (1..=14).collect();
        let task = serde_json::json!({"task": "report", "file": "rapid.pgn", "read": read["read"], "numbers": numbers});
        let report = asked(&task.to_string(), &text);
        let page = report["page"].as_str().expect("a page");
        assert!(page.contains("on lichess&#39;s scale of rapid, by lichess&#39;s analysis: 2"), "{page}");
    }

    #[test]
    fn games_that_end_in_mate_or_stalemate_or_have_no_moves_are_evaluated() {
        let stalemate = "[FEN \"7k/5Q2/6K1/8/8/8/8/8 w - - 0 1\"]\n\n1. Qf8# *";
        let ends = [
            "1. f3 e5 2. g4 Qh4# 0-1",
            stalemate,
            "[FEN \"k7/8/1K6/8/8/8/8/1Q6 w - - 0 1\"]\n\n1. Qc1 *",
            "*",
        ];
        for end in ends {
            let found = asked(r#"{"task": "evaluate", "depth": 2}"#, &format!("[White \"A\"]\n{end}\n"));
            let pgn = found["pgn"].as_str().unwrap_or_else(|| panic!("{end}: {found}"));
            let task = r#"{"task": "report", "file": "a.pgn", "read": {"read": 1, "analysed": 0, "left_out": []}, "numbers": [7]}"#;
            let report = asked(task, pgn);
            assert!(
                report["files"]["games.csv"].as_str().is_some_and(|games| games.contains("7")),
                "{end}: {report}"
            );
        }
    }

    #[test]
    fn several_files_are_unpacked_each_also_if_gzip_packed_them_in_members() {
        let gzip = |text: &str| {
            let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            std::io::Write::write_all(&mut packed, text.as_bytes()).expect("a vector takes all bytes");
            packed.finish().expect("a vector takes all bytes")
        };
        let (first, second) = GAMES.split_once("[White \"Ding").expect("two games");
        let members = [gzip(first), gzip(&format!("[White \"Ding{second}"))].concat();
        let task = |second: &[u8]| {
            let parts = serde_json::json!([
                {"name": "a.pgn.gz", "size": members.len()}, {"name": "b.pgn", "size": second.len()}
            ]);
            let task = serde_json::json!({"task": "read", "file": "a.pgn.gz and 1 more", "parts": parts});
            let request = [format!("{task}\n").as_bytes(), &members, second].concat();
            serde_json::from_str::<serde_json::Value>(&answer(&request)).expect("an answer is JSON")
        };
        let read = task(b"\xff\xfe1\0.\0 \0e\x004\0 \0*\0");
        assert_eq!(read["games"].as_array().map(Vec::len), Some(2), "{read}");
        assert_eq!(read["read"]["left_out"][0]["white"], "Ding");
        let error = task(b"PK\x03\x04")["error"].as_str().expect("an error").to_owned();
        assert_eq!(error, "b.pgn: is compressed (zip): unpack it, or pack it as .zst, .gz or .bz2");
        let bomb = gzip(&" ".repeat(MOST_BYTES as usize));
        let error = task(&bomb)["error"].as_str().expect("an error").to_owned();
        assert_eq!(error, TOO_LARGE);
    }

    #[test]
    fn a_faulty_request_gets_the_reason() {
        let error =
            |task: &str, data: &str| asked(task, data)["error"].as_str().expect("an error").to_owned();
        assert!(error(r#"{"task": "read", "file": "a.pgn"}"#, "no game").contains("not a game in PGN"));
        assert_eq!(error(r#"{"task": "read", "file": "a.pgn"}"#, ""), "a.pgn: is empty");
        assert_eq!(error(r#"{"task": "evaluate", "depth": 3}"#, ""), "there is no game to evaluate");
        assert!(error("{}", "").contains("missing field `task`"));
        let task = r#"{"task": "report", "file": "a.pgn", "read": {"read": 1, "analysed": 0, "left_out": []}, "numbers": [1]}"#;
        assert!(error(task, GAMES).contains("Ke3"), "{}", error(task, GAMES));
        let first = GAMES.split("\n\n[").next().expect("a game");
        assert!(error(task, first).contains("no position of the game has a recorded evaluation"));
    }
}
