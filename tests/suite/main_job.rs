//! The main job from end to end: from PGN files to tables on the terminal and files in a folder.

use crate::program::Bench;
use crate::program::GAMES;

#[test]
fn every_table_and_picture_is_there_and_the_counts_are_those_of_the_games() {
    let bench = Bench::of_games();
    let run = bench.run(&["games.pgn", "--tables", "all", "--also", "all"]).ended_with(0);
    for word in ["Table 5", "Table 6", "Table 7", "Alpha, Anna", "2500"] {
        assert!(run.stdout.contains(word), "{word} is not in {}", run.stdout);
    }
    let files = bench.files("reports/games");
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "card.png",
            "elo-performance.png",
            "expected-score.png",
            "games.csv",
            "histogram-alpha-anna.png",
            "histogram-beta-bert.png",
            "histogram-gamma-gus.png",
            "histograms.csv",
            "histograms.png",
            "moves.csv",
            "pairs.csv",
            "paper.html",
            "players.csv",
            "quality-parts.csv",
            "quality.csv",
            "ranking.png",
            "report.html",
            "score-kept.csv",
            "statistics.csv",
            "summary.json",
        ]
    );
    let moves = bench.text("reports/games/moves.csv");
    assert_eq!(moves.lines().count(), 1 + 7 + 22 + 4);
    let games = bench.text("reports/games/games.csv");
    let rows: Vec<&str> = games.lines().collect();
    assert_eq!(rows.len(), 1 + 3);
    assert!(
        rows[1].starts_with("1,Test,Nowhere,2020-01-01,1,\"Alpha, Anna\",\"Beta, Bert\",2500,2400,,,1-0,7,,")
    );
    assert!(rows[3].starts_with("3,Test,,,3,\"Gamma, Gus\",\"Alpha, Anna\",2450,2500,,,0-1,4,,"));
    let summary = bench.summary("reports/games");
    assert_eq!(summary["positions"], 8 + 23 + 5);
    assert_eq!(bench.run_json("reports/games")["searches"]["made"], 7 + 23 + 4);
}

#[test]
fn a_report_has_the_files_that_people_read_and_the_others_where_they_are_asked_for() {
    let bench = Bench::of_games();
    let names = |also: &[&str]| {
        bench.run(&[&["games.pgn", "--output", "out"], also].concat()).ended_with(0);
        bench.files("out").into_keys().collect::<Vec<_>>()
    };
    let read = [
        "card.png",
        "games.csv",
        "moves.csv",
        "players.csv",
        "quality-parts.csv",
        "quality.csv",
        "ranking.png",
        "report.html",
        "statistics.csv",
        "summary.json",
    ];
    assert_eq!(names(&[]), read);
    let more = |also: &str| {
        let names = names(&["--also", also]).into_iter();
        names.filter(|name| !read.contains(&name.as_str())).collect::<Vec<_>>()
    };
    assert_eq!(more("pairs"), ["pairs.csv"]);
    assert_eq!(more("paper"), ["elo-performance.png", "expected-score.png", "paper.html", "score-kept.csv"]);
    assert_eq!(more("pairs,histograms").len(), 1 + 2 + 3);
    let all = names(&["--also", "all"]);
    assert_eq!(all.len(), read.len() + 1 + 4 + 5);
    bench.run(&["report", "out"]).ended_with(0);
    assert_eq!(bench.files("out").into_keys().collect::<Vec<_>>(), all, "what is there stays");
    assert_eq!(names(&[]), read, "what was not asked for again goes");
    bench.run(&["games.pgn", "--also", "everything"]).ended_with(2).said(&["paper, pairs, histograms, all"]);
}

#[test]
fn annotated_games_need_no_engine_and_give_the_same_tables_to_the_byte() {
    let bench = Bench::of_games();
    let searched = bench
        .run(&["games.pgn", "--annotate", "annotated.pgn", "--output", "searched", "--also", "all"])
        .ended_with(0);
    let bench = bench.with("GAINALYZE_ENGINE", "/no/such/engine");
    let recorded =
        bench.run(&["annotated.pgn", "--output", "recorded", "--depth", "10", "--also", "all"]).ended_with(0);
    assert_eq!(searched.stdout, recorded.stdout);
    for table in ["players.csv", "statistics.csv", "pairs.csv", "histograms.csv"] {
        assert_eq!(
            bench.text(&format!("searched/{table}")),
            bench.text(&format!("recorded/{table}")),
            "{table}"
        );
    }
    assert!(bench.text("recorded/statistics.csv").contains("wdl_loss_percent,"), "chances are recorded");
    assert_eq!(bench.run_json("recorded")["searches"]["made"], 0);
    assert_eq!(bench.run_json("recorded")["searches"]["recorded"], 36);
    let annotated = bench.text("annotated.pgn");
    assert!(
        annotated.contains(",10] [%wdl 10,980,10] }")
            && annotated.contains("[EvaluatedBy \"Scripted 1.0, depth 10, forward\"]"),
        "{annotated}"
    );
}

#[test]
fn annotating_annotated_games_replaces_what_was_recorded() {
    let bench = Bench::of_games();
    bench.run(&["games.pgn", "--annotate", "once.pgn"]).ended_with(0);
    bench.run(&["once.pgn", "--annotate", "twice.pgn"]).ended_with(0);
    assert_eq!(bench.text("twice.pgn"), bench.text("once.pgn"));
    let anew = ["once.pgn", "--evals", "engine", "--no-store", "--annotate", "anew.pgn"];
    bench.run(&anew).ended_with(0);
    assert_eq!(bench.text("anew.pgn"), bench.text("once.pgn"));
}

#[test]
fn recorded_evaluations_that_are_not_deep_enough_are_searched_or_refused() {
    let bench = Bench::of_games();
    bench.run(&["games.pgn", "--depth", "4", "--annotate", "annotated.pgn"]).ended_with(0);
    let deeper = bench.run(&["annotated.pgn", "--evals", "pgn", "--depth", "5"]);
    deeper.ended_with(2).said(&["depth 4; depth 5 or more is required"]);
    bench.run(&["annotated.pgn", "--depth", "5", "--output", "deeper"]).ended_with(0);
    assert_eq!(bench.run_json("deeper")["searches"]["recorded"], 0);
    bench.run(&["annotated.pgn", "--evals", "engine", "--output", "again"]).ended_with(0);
    assert_eq!(bench.run_json("again")["searches"]["recorded"], 0);
    bench
        .run(&["games.pgn", "--evals", "pgn"])
        .ended_with(2)
        .said(&["none of 3 games has an [%eval] comment"]);
    let mixed = [bench.text("annotated.pgn"), GAMES.to_owned()].concat();
    bench.write("mixed.pgn", mixed.as_bytes());
    let some = bench.run(&["mixed.pgn", "--evals", "pgn", "--keep-duplicates"]).ended_with(0);
    some.said(&["warning: left out: mixed.pgn, game 4 (Alpha, Anna – Beta, Bert): no position of the game has a recorded"]);
}

#[test]
fn standard_input_and_several_files_are_one_tournament_or_several() {
    let bench = Bench::of_games();
    let cut = GAMES.rfind("[Event").expect("a game");
    bench.write("first.pgn", &GAMES.as_bytes()[..cut]);
    bench.write("last.pgn", &GAMES.as_bytes()[cut..]);
    let whole = bench.run(&["games.pgn"]).ended_with(0);
    assert_eq!(bench.run_with_input(&["-"], GAMES).ended_with(0).stdout, whole.stdout);
    assert!(bench.path("reports/stdin/players.csv").exists());
    assert_eq!(bench.run(&["first.pgn", "last.pgn"]).ended_with(0).stdout, whole.stdout);
    let moves = bench.text("reports/first-and-1-more/moves.csv");
    assert!(moves.lines().nth(1 + 7 + 22).expect("a move of the last file").starts_with("3,"));
    bench.run(&["first.pgn", "last.pgn", "--separately", "--output", "out"]).ended_with(0);
    let players = |file: &str| bench.text(&format!("out/{file}/players.csv")).lines().count() - 1;
    assert_eq!((players("first"), players("last")), (3, 2));
}

#[test]
fn ratings_come_from_tags_or_the_command_line_or_are_said_to_be_missing() {
    let bench = Bench::of_games();
    let given = bench.run(&["games.pgn", "--elo", "alpha=2600"]).ended_with(0);
    assert!(given.stdout.contains("2600"), "{}", given.stdout);
    bench.run(&["games.pgn", "--elo", "Omega=2600"]).ended_with(2).said(&["no player is called \"Omega\""]);
    let unrated: String =
        GAMES.lines().filter(|line| !line.contains("Elo")).map(|line| format!("{line}\n")).collect();
    bench.write("unrated.pgn", unrated.as_bytes());
    let run = bench.run(&["unrated.pgn", "--tables", "paper"]).ended_with(0);
    let tables = run.stdout.replace('\n', " ");
    assert!(tables.contains("no rated player has a counted move"), "{tables}");
    let run = run.said(&["no rated player has a counted move", "--elo"]);
    assert!(!run.stdout.contains("--elo"), "options are no business of tables: {}", run.stdout);
    let summary = bench.summary("reports/unrated");
    assert!(summary["engine_strength"].is_null() && summary["players"][0]["performance"].is_null());
    assert!(summary["players"][0]["elo_difference_interval"]["cluster"]["low"].is_number());
}

#[test]
fn a_player_filter_narrows_the_report_and_not_the_arithmetic() {
    let bench = Bench::of_games();
    bench.run(&["games.pgn"]).ended_with(0);
    let everybody = bench.text("reports/games/players.csv");
    let run = bench.run(&["games.pgn", "--player", "beta"]).ended_with(0);
    assert!(!run.stdout.contains("Gamma"), "{}", run.stdout);
    let narrowed = bench.text("reports/games/players.csv");
    let row = narrowed.lines().nth(1).expect("a row");
    assert_eq!(narrowed.lines().count(), 2);
    assert_eq!(bench.text("reports/games/games.csv").lines().count(), 1 + 2, "the games of that player");
    assert!(everybody.lines().any(|line| line == row));
}

#[test]
fn chess960_and_other_starts_are_played_by_their_rules() {
    let bench = Bench::new(
        "[White \"A\"]\n[Black \"B\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
         [FEN \"rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w KQkq - 2 9\"]\n\n9. O-O O-O-O *\n\n\
         [White \"A\"]\n[Black \"B\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 40\"]\n\n40... Kd7 41. e4 *\n",
    );
    bench.run(&["games.pgn"]).ended_with(0);
    let moves = bench.text("reports/games/moves.csv");
    let column = |line: &str, index: usize| line.split(',').nth(index).map(str::to_owned);
    let rows: Vec<_> = moves.lines().skip(1).map(|line| (column(line, 6), column(line, 7))).collect();
    let expected = [("9", "white"), ("9", "black"), ("40", "black"), ("41", "white")];
    assert_eq!(rows, expected.map(|(number, color)| (Some(number.to_owned()), Some(color.to_owned()))));
    let games = bench.text("reports/games/games.csv");
    assert!(games.contains(",*,2,4k3/8/8/8/8/8/4P3/4K3 b - - 0 40,"), "{games}");
    assert!(moves.contains(",O-O,b1e1,") && moves.contains(",O-O-O,b8a8,"), "{moves}");
}

#[test]
fn the_recorded_candidates_tournament_gives_its_tables_without_an_engine() {
    let bench = Bench::new("").with("GAINALYZE_ENGINE", "/no/such/engine");
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data/candidates-2013-stockfish-15.1-depth-20.pgn");
    let run = [data, "--depth", "20", "--output", "out", "--plots", "none", "--also", "histograms"];
    let run = bench.run(&run).ended_with(0);
    insta::assert_snapshot!("candidates_2013_summary", run.stdout);
    assert!(run.stdout.lines().count() + run.stderr.lines().count() <= 40, "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.ends_with("the whole report: out/report.html\n"), "{}", run.stderr);
    let again = bench.run(&["report", "out", "--tables", "all"]).ended_with(0);
    assert!(again.stdout.starts_with(&run.stdout), "{}", again.stdout);
    insta::assert_snapshot!("candidates_2013_tables", again.stdout);
    let paper = bench.run(&["report", "out", "--tables", "paper"]).ended_with(0).stdout;
    assert!(paper.starts_with("Table 5.") && again.stdout.contains(&paper), "{paper}");
    assert_eq!(bench.run(&["report", "out", "--tables", "none"]).ended_with(0).stdout, "");
    insta::assert_snapshot!("candidates_2013_players", bench.text("out/players.csv"));
    assert_eq!(bench.run_json("out")["searches"]["recorded"], 4883);
}

#[test]
fn pictures_are_png_and_svg_and_of_the_games_asked_for() {
    let bench = Bench::of_games();
    bench.run(&["games.pgn", "--plots", "png,svg", "--game", "2", "--also", "all"]).ended_with(0);
    let files = bench.files("reports/games");
    for name in ["expected-score", "elo-performance", "histograms", "histogram-beta-bert", "game-2"] {
        let [png, svg] = ["png", "svg"].map(|format| files.get(&format!("{name}.{format}")));
        assert!(png.is_some_and(|bytes| bytes.starts_with(b"\x89PNG")), "{name}");
        let svg = svg.and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_else(|| panic!("{name}"));
        assert!(roxmltree::Document::parse(svg).is_ok(), "{svg}");
    }
    let game = bench.text("reports/games/game-2.svg");
    assert!(game.contains(">Beta, Bert – Gamma, Gus, ½–½<") && game.contains(">Game 2, round 2, "), "{game}");
    bench.run(&["games.pgn", "--plots", "svg", "--also", "histograms"]).ended_with(0);
    let left = bench.files("reports/games");
    assert!(left.contains_key("histograms.svg") && !left.contains_key("game-2.svg"));
    assert!(!left.keys().any(|name| name.ends_with(".png")), "{:?}", left.keys());
}

#[test]
fn a_mistyped_verb_is_answered_with_the_nearest_one_and_no_word_at_all_with_examples() {
    let bench = Bench::of_games();
    let run = bench.run(&["reprot", "reports/games"]).ended_with(2);
    run.said(&["reprot: no such file", "did you mean the command 'gainalyze report'?"]);
    bench.run(&["gmaes.pgn"]).ended_with(2).said(&["gmaes.pgn: no such file; did you mean games.pgn?"]);
    bench.run(&[]).ended_with(2).said(&[
        "no PGN was given",
        "gainalyze rate games.pgn",
        "-h lists all commands",
    ]);
}

#[test]
fn ratings_of_two_systems_make_no_strength_of_the_engine() {
    let of_lichess = "[Site \"https://lichess.org/abcdefgh\"]\n[WhiteRatingDiff \"+1\"]";
    let lichess = GAMES.replacen("[Site \"Nowhere\"]", of_lichess, 1);
    let bench = Bench::new(&lichess);
    let run = bench.run(&["games.pgn", "--tables", "paper"]).ended_with(0);
    let said = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("the players' ratings come from several systems"), "{said}");
    let summary = bench.summary("reports/games");
    assert!(summary["engine_strength"].is_null() && summary["players"][0]["performance"].is_null());
    assert!(!summary["players"][0]["elo"].is_null());
}

#[test]
fn an_archive_of_two_systems_of_ratings_has_no_strength_of_the_engine_either() {
    let mean = |games: &str| {
        let bench = Bench::new(games);
        let args = ["archive", "games.pgn", "--by", "player", "--output", "out", "--plots", "none"];
        let part = ["--partial", "part.parquet"];
        let told = bench.run(&[&args[..], &part].concat()).ended_with(0).stdout;
        let of = |folder: &str| {
            let text = bench.text(&format!("{folder}/archive.json"));
            serde_json::from_str::<serde_json::Value>(&text).expect("JSON")["engine_strength"].clone()
        };
        bench.run(&["merge", "part.parquet", "--output", "merged", "--plots", "none"]).ended_with(0);
        assert_eq!(of("merged"), of("out"));
        (of("out"), told.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    let (one, _) = mean(include_str!("../../data/candidates-2013-stockfish-15.1-depth-20.pgn"));
    assert!(one["value"].is_number(), "{one}");
    // A blitz game and a rapid game of lichess, which rates each speed separately.
    let (none, told) = mean(include_str!("lichess.pgn"));
    assert!(none.is_null(), "{none}");
    assert!(
        told.contains("no mean strength of the engine: the players' ratings come from several systems"),
        "{told}"
    );
}

#[test]
fn nobody_leads_a_large_field_of_single_games() {
    let bench = Bench::new("");
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data/club-games-stockfish-15.1-depth-12.pgn");
    let run = bench.run(&[data, "--evals", "pgn", "--output", "out", "--plots", "none"]).ended_with(0);
    let ranks = bench.table("out/players.csv", &["rank", "games"]);
    assert!(ranks.len() > 24, "{}", ranks.len());
    assert!(ranks.iter().all(|row| row[0].is_empty() || row[1].parse::<u32>().is_ok_and(|games| games >= 3)));
    let said = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("the 3 games that a rank needs"), "{said}");
    let asked =
        bench.run(&[data, "--evals", "pgn", "--output", "out", "--plots", "none", "--min-games", "1"]);
    asked.ended_with(0);
    assert!(
        bench.table("out/players.csv", &["rank"]).iter().any(|row| row[0] == "1"),
        "where that is asked for"
    );
}

#[test]
fn a_field_that_is_too_large_to_be_read_two_by_two_has_no_pairs() {
    let game = |number: usize| {
        format!(
            "[White \"Player {}\"]\n[Black \"Player {}\"]\n\n{{ [%eval 0.1] }} 1. e4 {{ [%eval 0.{}] }} e5 {{ [%eval 0.3] }} *\n\n",
            2 * number,
            2 * number + 1,
            number % 10
        )
    };
    let pairs = |games: usize| {
        let bench = Bench::new(&(0..games).map(game).collect::<String>());
        let run = [
            "games.pgn",
            "--evals",
            "pgn",
            "--plots",
            "none",
            "--tables",
            "all",
            "--also",
            "pairs",
            "--output",
            "out",
        ];
        let told = bench.run(&run).ended_with(0).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        (bench.text("out/pairs.csv").lines().count() - 1, told)
    };
    assert_eq!(pairs(30).0, 1770);
    let (rows, told) = pairs(31);
    assert_eq!(rows, 0);
    assert!(
        told.contains("There are 62 players. Pairs are compared only if there are at most 60."),
        "{told}"
    );
}
