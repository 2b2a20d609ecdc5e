//! Tests of reports that are made again without an engine, from their own folder or from a store.

use std::{collections::BTreeMap, fs};

use crate::program::Bench;
use crate::program::GAMES;

/// Returns a bench whose engine can no longer be started.
fn without_engine(bench: Bench) -> Bench {
    bench.with("GAINALYZE_ENGINE", "/no/such/engine")
}

/// Returns all files of a folder except pictures.
fn tables(bench: &Bench, folder: &str) -> BTreeMap<String, String> {
    let files = bench.files(folder).into_iter().filter(|(name, _)| !name.ends_with(".png"));
    files.map(|(name, bytes)| (name, String::from_utf8(bytes).expect("text"))).collect()
}

#[test]
fn the_recorded_candidates_tournament_is_made_again_to_the_byte() {
    let bench = without_engine(Bench::new(""));
    let data =
        concat!(env!("CARGO_MANIFEST_DIR"), "/data/candidates-2013-stockfish-15.1-depth-20-backward.pgn");
    let first = [data, "--output", "first", "--plots", "none", "--elo", "Carlsen=2900", "--split", "phase"];
    let analysed =
        bench.run(&[&first[..], &["--bootstrap", "100", "--skip-moves", "3"]].concat()).ended_with(0);
    let made = bench.run(&["report", "first", "--output", "second"]).ended_with(0);
    assert_eq!(made.stdout, analysed.stdout);
    let (first, second) = (tables(&bench, "first"), tables(&bench, "second"));
    assert_eq!(first.keys().collect::<Vec<_>>(), second.keys().collect::<Vec<_>>());
    assert_eq!(first.len(), 9);
    for (name, text) in &first {
        assert!(*text == second[name], "{name}");
    }
}

#[test]
fn a_searched_report_is_made_again_in_its_place_with_own_moves_and_chances() {
    for metric in ["cp", "wdl"] {
        let bench = Bench::of_games().with("CHOOSES", "1");
        let method = ["--engine-histogram", "self", "--metric", metric, "--format", "parquet,json"];
        bench.run(&[&["games.pgn", "--output", "out"], &method[..]].concat()).ended_with(0);
        let before = bench.files("out");
        let bench = without_engine(bench);
        fs::remove_file(bench.path("games.pgn")).expect("a file");
        bench.run(&["report", "out"]).ended_with(0);
        assert!(bench.files("out") == before, "{metric}");
        assert_eq!(bench.run_json("out")["remade"][1], "report");
        assert_eq!(bench.run_json("out")["command"][1], "games.pgn");
        bench.run(&["report", "out"]).ended_with(0);
        assert!(bench.files("out") == before, "{metric}, the second time");
    }
}

#[test]
fn games_without_a_move_other_starts_and_odd_names_come_back() {
    let pgn = "[White \"=1+1\"]\n[Black \"B, \\\"C\\\"\"]\n[Event \"-x\"]\n[WhiteElo \"2000\"]\n[BlackElo \"2100\"]\n\
        [Result \"1-0\"]\n\n1-0\n\n\
        [White \"B, \\\"C\\\"\"]\n[Black \"=1+1\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[BlackElo \"2010\"]\n\
        [FEN \"rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w KQkq - 2 9\"]\n\n9. O-O O-O-O *\n\n\
        [White \"D\"]\n[Black \"E\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 40\"]\n\n40... Kd7 41. e4 *\n\n\
        [White \"D\"]\n[Black \"E\"]\n\n1. e4 e5 2. Ke3 *\n";
    let bench = Bench::new(pgn);
    bench.run(&["games.pgn", "--output", "out"]).ended_with(0);
    let before = bench.files("out");
    let bench = without_engine(bench);
    bench.run(&["report", "out", "--output", "again"]).ended_with(0);
    assert!(bench.files("again") == before);
    assert_eq!(bench.summary("again")["games"]["left_out"].as_array().map(Vec::len), Some(1));
    assert_eq!(bench.summary("again")["games"]["analysed"], 3);
}

#[test]
fn clocks_openings_dates_and_rounds_come_back_from_every_format() {
    let pgn = "[Event \"Rapid\"]\n[Site \"https://lichess.org/abcdefgh\"]\n[Date \"2024.03.??\"]\n[UTCDate \"2024.03.05\"]\n\
        [UTCTime \"17:59:58\"]\n[Round \"1.10\"]\n[White \"Ann\"]\n[Black \"Ben\"]\n[WhiteTitle \"WGM\"]\n[WhiteElo \"2100\"]\n\
        [BlackElo \"2000\"]\n[ECO \"C20\"]\n[Opening \"King's Pawn Game\"]\n[TimeControl \"600+5\"]\n[Termination \"Normal\"]\n\
        [Result \"1-0\"]\n\n1. e4 { [%clk 0:10:00] } e5 { [%clk 0:10:00] } 2. Qh5 { [%clk 0:09:50.5] } \
        2... Ke7 { [%clk 0:09:01] } 3. Qxe5# { [%clk 0:09:53] } 1-0\n";
    for format in ["csv", "parquet", "json"] {
        let bench = Bench::new(pgn);
        bench.run(&["games.pgn", "--output", "out", "--format", format]).ended_with(0);
        let before = bench.files("out");
        let bench = without_engine(bench);
        bench.run(&["report", "out", "--output", "again"]).ended_with(0);
        assert!(bench.files("again") == before, "{format}");
        if format == "csv" {
            let clocks = bench.table("again/moves.csv", &["san", "left_s", "spent_s"]);
            assert_eq!(clocks[2], ["Qh5", "590.50", "14.50"], "600 s and 5 s more, less what is left");
            assert_eq!(clocks[4], ["Qxe5#", "593.00", "2.50"]);
            let told = ["date", "round", "eco", "white_title", "white_left_s", "utc_date", "time_control"];
            let game = bench.table("again/games.csv", &told);
            assert_eq!(game[0], ["2024-03", "1.10", "C20", "WGM", "593.00", "2024-03-05", "600+5"]);
        }
    }
}

#[test]
fn options_of_the_verb_take_the_place_of_those_recorded() {
    let bench = Bench::of_games();
    bench.run(&["games.pgn", "--output", "out", "--split", "phase"]).ended_with(0);
    let bench = without_engine(bench);
    let changed = ["report", "out", "-o", "new", "--format", "json", "--plots", "none", "--player", "anna"];
    bench.run(&[&changed[..], &["--split", "color"]].concat()).ended_with(0);
    let names: Vec<String> = bench.files("new").into_keys().collect();
    assert!(names.contains(&"report.html".to_owned()), "{names:?}");
    let is_table = |name: &&String| *name != "report.html";
    assert!(
        names.iter().filter(is_table).all(|name| name.ends_with(".json"))
            && names.contains(&"splits.json".to_owned())
    );
    let splits = bench.text("new/splits.json");
    assert!(
        splits.contains("\"white\"") && !splits.contains("opening") && !splits.contains("Gus"),
        "{splits}"
    );
    bench
        .run(&["report", "out", "--player", "anna"])
        .ended_with(2)
        .said(&["name another folder with --output"]);
    bench
        .run(&["report", "out", "--player", "nobody", "-o", "x"])
        .ended_with(2)
        .said(&["no player is called"]);
    // Games that were left out before cannot return.
    let lacking = bench.run(&["report", "new"]).ended_with(2);
    lacking.said(&["if the report has only some players, make it again without --player"]);
}

#[test]
fn what_is_no_report_is_refused_with_what_is_missing() {
    let bench = without_engine(Bench::of_games());
    let refused = |args: &[&str], words: &[&str]| {
        bench.run(&[&["report"], args].concat()).ended_with(2).said(words);
    };
    fs::create_dir(bench.path("empty")).expect("a folder");
    refused(&["empty"], &["empty: not the folder of a report: it has no summary.json"]);
    refused(&["nowhere"], &["nowhere: no such file or folder"]);
    refused(&["games.pgn"], &["games.pgn: neither the folder of a report nor the SQLite file of a store"]);
    refused(&["empty", "games.pgn"], &["leave out the PGN"]);
    refused(&[], &["<DIR|STORE>"]);
}

#[test]
fn damaged_tables_are_refused_with_the_place() {
    let bench = Bench::of_games();
    bench.run(&["games.pgn", "--output", "out", "--plots", "none"]).ended_with(0);
    let moves = bench.text("out/moves.csv");
    let refused = |moves: &str, words: &[&str]| {
        bench.write("out/moves.csv", moves.as_bytes());
        bench.run(&["report", "out"]).ended_with(2).said(words);
    };
    refused(&moves.replacen("e2e4", "e2e5", 1), &["moves.csv: game 1, ply 1: \"e2e5\" is not a legal move"]);
    refused(&moves.replacen(" w KQkq", " w kqXX", 1), &["game 1: ", "is not a valid start position"]);
    let rows: Vec<&str> = moves.lines().collect();
    refused(&(rows[..rows.len() - 1].join("\n") + "\n"), &["game 3 has no row for ply 4"]);
    bench.write("out/moves.csv", moves.as_bytes());
    let games = bench.text("out/games.csv");
    let cut = games.lines().take(3).collect::<Vec<_>>().join("\n") + "\n";
    bench.write("out/games.csv", cut.as_bytes());
    bench.run(&["report", "out"]).ended_with(2).said(&["games.csv: game 3 is missing"]);
    bench.write("out/games.csv", games.as_bytes());
    bench.write("out/run.json", b"{}");
    bench.run(&["report", "out"]).ended_with(2).said(&["run.json: has changed since its run wrote it"]);
}

/// Returns `table` with the text `cell` in the given row (from 1) and column.
fn with_cell(table: &str, row: usize, column: &str, cell: &str) -> Vec<u8> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let place = header.iter().position(|name| name == column).expect("a column");
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&header).expect("memory");
    for (index, record) in reader.records().enumerate() {
        let record = record.expect("a row");
        let cells = record.iter().enumerate();
        let changed = cells.map(|(at, old)| if (index + 1, at) == (row, place) { cell } else { old });
        writer.write_record(changed).expect("memory");
    }
    let changed = writer.into_inner().expect("memory");
    assert_ne!(changed, table.as_bytes());
    changed
}

#[test]
fn columns_that_contradict_each_other_are_refused_with_the_row() {
    let bench = Bench::of_games();
    bench.run(&["games.pgn", "--output", "out", "--plots", "none", "--no-html"]).ended_with(0);
    let tables = ["moves", "games"].map(|name| bench.text(&format!("out/{name}.csv")));
    let record = bench.read("out/run.json");
    let refused = |table: usize, row: usize, column: &str, cell: &str, words: &[&str]| {
        let path = format!("out/{}.csv", ["moves", "games"][table]);
        bench.write(&path, &with_cell(&tables[table], row, column, cell));
        for record in [&record[..], &without_marks(&record)] {
            bench.write("out/run.json", record);
            let run = bench.run(&["report", "out", "--output", "new"]).ended_with(2);
            run.said(words);
        }
        bench.write(&path, tables[table].as_bytes());
        bench.write("out/run.json", &record);
    };
    refused(
        0,
        3,
        "before_cp",
        "777",
        &["moves.csv, row 3: the score before the move is +7.77, but row 2 has "],
    );
    refused(0, 3, "after_cp", "-777", &["row 3 has -7.77 for the same position", "moves.csv, row 4: "]);
    refused(0, 2, "gain_cp", "1", &["moves.csv, row 2: gain_cp is \"1\", but the other columns give "]);
    refused(0, 2, "result", "*", &["moves.csv, row 2: result is \"*\""]);
    refused(0, 2, "player", "Somebody", &["moves.csv, row 2: "]);
    refused(0, 2, "san", "e6", &["moves.csv, row 2: "]);
    refused(0, 2, "fen", "x", &["moves.csv, row 2: "]);
    refused(0, 2, "counted", "false", &["moves.csv, row 2: "]);
    refused(1, 2, "white_mean_gain_cp", "12345.00", &["games.csv, row 2: "]);
    bench.run(&["report", "out", "--output", "new"]).ended_with(0);
}

/// Returns the record of a run in the form of an earlier version, without digests.
fn without_marks(record: &[u8]) -> Vec<u8> {
    let mut record: serde_json::Value = serde_json::from_slice(record).expect("JSON");
    let fields = record.as_object_mut().expect("fields");
    fields.remove("record_digest");
    fields.remove("files");
    fields["version"] = "0.1.0".into();
    record.to_string().into_bytes()
}

#[test]
fn a_file_that_has_changed_since_it_was_written_is_not_read_back() {
    let bench = Bench::of_games();
    bench
        .run(&["games.pgn", "--output", "out", "--plots", "none", "--format", "csv,json,parquet"])
        .ended_with(0);
    let refused = |name: &str, text: Vec<u8>| {
        let before = bench.read(&format!("out/{name}"));
        assert_ne!(before, text, "{name}");
        bench.write(&format!("out/{name}"), &text);
        let run = bench.run(&["report", "out", "--output", "new"]).ended_with(2);
        run.said(&[&format!("out/{name}: has changed since its run wrote it")]);
        bench.write(&format!("out/{name}"), &before);
    };
    let replaced = |name: &str, from: &str, to: &str| {
        bench.text(&format!("out/{name}")).replacen(from, to, 1).into_bytes()
    };
    refused("summary.json", replaced("summary.json", "\"nodes\": ", "\"nodes\": 1"));
    refused("run.json", replaced("run.json", "\"started\": \"2", "\"started\": \"1"));
    let unsealed =
        bench.text("out/run.json").split(",\n  \"record_digest\"").next().expect("a record").to_owned() + "}";
    refused("run.json", unsealed.into_bytes());
    bench.run(&["report", "out", "--check"]).ended_with(0);
    let changed = bench.text("out/players.csv").replacen('0', "1", 1);
    bench.write("out/players.csv", changed.as_bytes());
    bench
        .run(&["report", "out", "--check"])
        .ended_with(2)
        .said(&["out/players.csv: has changed since its run wrote it"]);
    // No other file has the nodes of a search.
    refused("moves.csv", with_cell(&bench.text("out/moves.csv"), 2, "nodes", "7"));
    fs::remove_file(bench.path("out/moves.csv")).expect("a file");
    let mut flipped = bench.read("out/moves.parquet");
    let middle = flipped.len() / 2;
    flipped[middle] ^= 8;
    bench.write("out/moves.parquet", &flipped);
    let run = bench.run(&["report", "out", "--output", "new"]).ended_with(2);
    run.said(&["moves.parquet"]);
}

#[test]
fn a_report_that_was_being_replaced_when_its_run_was_killed_is_not_taken_for_one() {
    let bench = Bench::of_games();
    let report = |more: &[&str]| {
        let args = ["games.pgn", "--output", "out", "--plots", "none", "--no-html"];
        bench.run(&[&args, more].concat()).ended_with(0);
    };
    report(&[]);
    let read = |name: &str| bench.read(&format!("out/{name}"));
    let old = ["moves.csv", "games.csv", "summary.json", "run.json"].map(|name| (name, read(name)));
    report(&["--clip", "50"]);
    // The second run first writes a record of the new files and of the files that they replace.
    let mut record: serde_json::Value = serde_json::from_str(&bench.text("out/run.json")).expect("JSON");
    record.as_object_mut().expect("fields").remove("record_digest");
    record["version"] = "0.1.0".into();
    let before: serde_json::Value = serde_json::from_slice(&old[3].1).expect("JSON");
    let marks = before["files"].as_object().expect("files").iter();
    record["replaced"] = marks.map(|(name, mark)| (name.clone(), serde_json::json!([mark]))).collect();
    bench.write("out/run.json", record.to_string().as_bytes());
    bench.run(&["report", "out", "--output", "new"]).ended_with(0);
    for (name, old) in &old[..3] {
        let new = read(name);
        if new == *old {
            continue;
        }
        bench.write(&format!("out/{name}"), old);
        let run = bench.run(&["report", "out", "--output", "new"]).ended_with(2);
        run.said(&[
            "out: a run that was replacing these files did not finish",
            "repeat the interrupted command",
        ]);
        bench.write(&format!("out/{name}"), &new);
    }
    assert_ne!(read("moves.csv"), old[0].1, "the runs differ");
    bench.write("out/moves.csv", &old[0].1);
    report(&["--clip", "50"]);
    bench.run(&["report", "out", "--output", "new"]).ended_with(0);
}

#[test]
fn a_store_alone_gives_the_report_of_the_games_that_it_has() {
    let bench = Bench::of_games();
    let store = ["--store", "store.sqlite"];
    bench.run(&[&["games.pgn", "--output", "searched"], &store[..]].concat()).ended_with(0);
    let bench = without_engine(bench);
    let more = [GAMES, "[White \"X\"]\n[Black \"Y\"]\n\n1. b4 *\n"].concat();
    bench.write("more.pgn", more.as_bytes());
    bench.run(&["report", "store.sqlite", "games.pgn", "--output", "stored"]).ended_with(0);
    assert!(bench.files("stored") == bench.files("searched"));
    assert_eq!(bench.run_json("stored")["searches"]["from_store"], 34);
    let run = bench.run(&["report", "store.sqlite", "more.pgn", "--output", "reports/more"]).ended_with(0);
    run.said(&["left out: more.pgn, game 4 (X – Y): the store lacks some positions of the game"]);
    let summary = bench.summary("reports/more");
    assert_eq!((&summary["games"]["read"], &summary["games"]["analysed"]), (&4.into(), &3.into()));
    bench.run(&["report", "reports/more", "--output", "again"]).ended_with(0);
    assert!(bench.files("again") == bench.files("reports/more"));
    bench.write("other.pgn", b"1. b4 *\n");
    bench
        .run(&["report", "store.sqlite", "other.pgn"])
        .ended_with(2)
        .said(&["no game has all of its evaluations in this store"]);
    bench.run(&["report", "store.sqlite"]).ended_with(2).said(&["name the PGN files"]);
}

#[test]
fn of_several_evaluations_in_a_store_one_is_chosen() {
    let bench = Bench::of_games();
    let searched = |options: &[&str]| {
        bench
            .run(&[&["games.pgn", "--store", "s.sqlite", "--plots", "none"], options].concat())
            .ended_with(0);
    };
    searched(&["--depth", "3"]);
    searched(&["--depth", "5", "--segment", "4", "--order", "backward"]);
    searched(&["--nodes", "77"]);
    searched(&["--nodes", "77", "--hash", "16"]);
    let report = |options: &[&str]| {
        bench.run(&[&["report", "s.sqlite", "games.pgn", "-o", "out", "--force"], options].concat())
    };
    report(&[]).ended_with(2).said(&[
        "--engine-name, --depth or --nodes",
        "3 of 3 games: Scripted 1.0, depth 3, forward, segments of 16, Hash=64",
        "3 of 3 games: Scripted 1.0, depth 5, backward, segments of 4, Hash=64",
        "Scripted 1.0, nodes 77, forward, segments of 16, Hash=16",
    ]);
    let chosen = |options: &[&str], limit: &str| {
        report(options).ended_with(0);
        assert_eq!(bench.summary("out")["evaluations"]["protocol"]["limit"], limit, "{options:?}");
    };
    chosen(&["--depth", "3"], "depth 3");
    chosen(&["--order", "backward"], "depth 5");
    chosen(&["--segment", "4", "--engine-name", "script"], "depth 5");
    chosen(&["--nodes", "77", "--engine-option", "Hash=16"], "nodes 77");
    report(&["--nodes", "77"]).ended_with(2).said(&["Hash=16", "Hash=64"]);
    report(&["--engine-name", "Houdini"])
        .ended_with(2)
        .said(&["no game has all of its evaluations of that kind in this store"]);
}

#[test]
fn a_folder_of_another_run_is_named() {
    let bench = Bench::of_games();
    let played = ["selfplay", "--depths", "1-2", "--games", "2", "--random-plies", "2", "--output", "played"];
    bench.run(&[&played[..], &["--engine", "builtin"]].concat()).ended_with(0);
    let told = bench.run(&["report", "played"]).ended_with(2);
    told.said(&["played has the games of an experiment", "gainalyze selfplay"]);
}
