//! Tests of output that only a terminal gets: colors, tables of its width, and the ranking below the
//! progress.

use crate::program::Bench;

/// Runs the program on its own terminal. Returns the output there.
fn on_a_terminal(bench: &Bench, args: &str) -> String {
    let script = "f() { script -qec \"stty cols 100 rows 30; $*\" /dev/null; }; f";
    bench.run_in_shell(script, args, "").ended_with(0).stdout
}

/// Returns whether `script` is installed, which gives another program a terminal.
fn has_script() -> bool {
    std::process::Command::new("script").arg("--version").output().is_ok()
}

#[test]
fn a_terminal_has_colors_unless_the_user_is_against_them() {
    if !has_script() {
        return;
    }
    let shown = |name: &str, value: &str| {
        let bench = Bench::of_games().with("TERM", "xterm").with(name, value);
        on_a_terminal(&bench, "games.pgn --quiet --plots none --tables paper")
    };
    for (name, value) in [("NO_COLOR", ""), ("LANG", "C")] {
        let shown = shown(name, value);
        assert!(
            shown.contains("\u{1b}[1mTable 5.") && shown.contains("\u{1b}[2mThe 95 % intervals treat a game"),
            "{shown}"
        );
    }
    for (name, value) in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let shown = shown(name, value);
        assert!(shown.contains("Table 5.") && !shown.contains('\u{1b}'), "{shown}");
    }
}

#[test]
fn spar_says_on_a_terminal_that_it_waits_for_uci() {
    if !has_script() {
        return;
    }
    let script = "f() { echo quit | script -qec \"stty cols 100; $*\" /dev/null; }; f";
    let run = Bench::new("").run_in_shell(script, "spar", "").ended_with(0);
    let words = "this is UCI, for a chess program; to play here: gainalyze spar --play";
    assert!(run.stdout.contains(words), "{}", run.stdout);
    let piped = Bench::new("").run_with_input(&["spar"], "quit\n").ended_with(0);
    assert!(piped.stderr.is_empty(), "{}", piped.stderr);
}

/// Returns an event of 30 players, each against the next two players, and one more player with a single game.
fn open_tournament() -> String {
    let game = |white: String, black: String, evals: [&str; 3]| {
        let [first, second, third] = evals;
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[WhiteElo \"2500\"]\n[BlackElo \"2400\"]\n[Result \"1-0\"]\n\n{{ [%eval 0.2] }} 1. e4 {{ [%eval {first}] }} e5 \
             {{ [%eval {second}] }} 2. Nf3 {{ [%eval {third}] }} 1-0\n\n"
        )
    };
    let name = |number: usize| {
        let long = ["long", "longer"][number / 26];
        format!("Player with a {long} name, {}", (b'A' + (number % 26) as u8) as char)
    };
    let pairs = (0..30).flat_map(|one| [1, 2].map(|step| (name(one), name((one + step) % 30))));
    let field: String = pairs.map(|(white, black)| game(white, black, ["0.1", "0.6", "0.3"])).collect();
    field + &game("Once, Only".to_owned(), name(0), ["0.2", "0.2", "0.2"])
}

#[test]
fn a_large_field_is_shown_to_the_25th_and_nobody_leads_it_by_one_game() {
    let bench = Bench::new(&open_tournament()).with("GAINALYZE_ENGINE", "/no/such/engine");
    let run = bench.run(&["games.pgn", "--plots", "none"]).ended_with(0);
    assert!(run.stdout.lines().count() + run.stderr.lines().count() <= 40, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("6 more players are in the files and on the page."), "{}", run.stdout);
    assert!(
        run.stdout.contains("Without a rank and listed last: 1 player with fewer than 3 games."),
        "{}",
        run.stdout
    );
    let last = bench.table("reports/games/quality.csv", &["player", "rank"]).pop().expect("players");
    assert_eq!(last, ["Once, Only", ""]);
    let run = bench.run(&["games.pgn", "--plots", "none", "--min-games", "1"]).ended_with(0);
    assert!(!run.stdout.contains("no rank"), "{}", run.stdout);
}

#[test]
fn on_eighty_columns_measures_give_way_and_neither_players_nor_points() {
    if !has_script() {
        return;
    }
    let bench =
        Bench::new(&open_tournament()).with("GAINALYZE_ENGINE", "/no/such/engine").with("NO_COLOR", "1");
    let script = "f() { script -qec \"stty cols 80 rows 50; $*\" /dev/null; }; f";
    let shown = bench.run_in_shell(script, "games.pgn --plots none", "").ended_with(0).stdout;
    let wide = |line: &&str| line.trim_end().chars().count() > 80;
    assert_eq!(shown.lines().find(wide), None);
    assert!(shown.lines().count() <= 40, "{shown}");
    assert!(
        shown.contains("Points") && shown.contains("Player with") && !shown.contains("Accuracy"),
        "{shown}"
    );
}

#[test]
fn a_profile_on_eighty_columns_has_losses_opponents_and_judgments() {
    if !has_script() {
        return;
    }
    let bench = Bench::new(include_str!("../../data/candidates-2013-stockfish-15.1-depth-20.pgn"))
        .with("NO_COLOR", "1");
    let script = "f() { script -qec \"stty cols 80 rows 50; $*\" /dev/null; }; f";
    let shown = bench.run_in_shell(script, "player carlsen games.pgn --plots none", "").ended_with(0).stdout;
    let wide = |line: &&str| line.trim_end().chars().count() > 80;
    assert_eq!(shown.lines().find(wide), None);
    for words in ["Phase:", "win %", "Opponents", "Difference", "??", "losing (below −200)"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
}

#[test]
fn a_pipe_has_neither_colors_nor_a_ranking() {
    let bench = Bench::of_games().with("TERM", "xterm").with("CLICOLOR_FORCE", "1");
    let run = bench.run(&["games.pgn", "--elo", "Omega=2600"]).ended_with(2).said(&["error: no player"]);
    assert!(!run.stderr.contains('\u{1b}'), "{}", run.stderr);
    let run = bench.run(&["games.pgn"]).ended_with(0);
    assert!(!run.stdout.contains('\u{1b}') && !run.stderr.contains('\u{1b}'), "{}{}", run.stdout, run.stderr);
    assert!(!run.stderr.contains("loss of win %"), "{}", run.stderr);
}

#[test]
fn a_terminal_shows_the_ranking_while_games_are_searched() {
    if !has_script() {
        return;
    }
    let bench = || Bench::of_games().with("TERM", "xterm").with("SCRIPT", "slow");
    let shown = on_a_terminal(&bench(), "games.pgn --jobs 1 --plots none");
    let (progress, tables) = shown.split_once("rank first").expect("tables");
    assert!(progress.contains("loss of win %  moves") && progress.contains("1  Beta, Bert"), "{progress}");
    assert!(progress.contains("of 3 games done") && !progress.contains("left, "), "{progress}");
    assert!(!tables.contains("loss of win %  moves"), "{tables}");
    let quiet = on_a_terminal(&bench(), "games.pgn --jobs 1 --plots none --quiet");
    assert!(!quiet.contains("loss of win %  moves"), "{quiet}");
}

#[test]
fn an_archive_keeps_to_the_width_and_drops_measures_but_no_moves_or_points() {
    if !has_script() {
        return;
    }
    let bench = Bench::new(include_str!("../../data/candidates-2013-stockfish-15.1-depth-20.pgn"))
        .with("NO_COLOR", "1");
    for columns in [40, 60, 80, 120] {
        let script = format!("f() {{ script -qec \"stty cols {columns} rows 50; $*\" /dev/null; }}; f");
        let args = "archive games.pgn --by player --quiet --plots none --force";
        let shown = bench.run_in_shell(&script, args, "").ended_with(0).stdout;
        let wide = |line: &&str| line.trim_end().chars().count() > columns;
        assert_eq!(shown.lines().find(wide), None);
        for kept in ["Moves", "Score", "Expected"] {
            assert!(shown.contains(kept), "{kept}: {shown}");
        }
        assert_eq!(shown.contains("Performance"), columns >= 80, "{shown}");
    }
}

/// A name that would color the terminal, ring its bell, and begin a new line.
#[cfg(unix)]
const HOSTILE: &str = "a\u{1b}[31mb\u{7}\nerror: c";

#[cfg(unix)]
#[test]
fn no_name_of_a_file_reaches_the_terminal_as_a_command() {
    let bench = Bench::new("");
    let file = format!("{HOSTILE}.pgn");
    bench.write(&file, include_bytes!("lichess.pgn"));
    bench.write("none.json", b"{}");
    let out = format!("out{HOSTILE}");
    let part = format!("part{HOSTILE}");
    let runs: [(&[&str], i32); 12] = [
        (&[&file], 0),
        (&[&file, "--output", &out, "--annotate", &format!("annotated{HOSTILE}")], 0),
        (&["report", &out], 0),
        (&["archive", &file, "--by", "player"], 0),
        (&["archive", &file, "--by", "player", "--output", &out], 2),
        (&["archive", &file, "--by", "player", "--output", &out, "--force", "--partial", &part], 0),
        (&["merge", &part, &part], 2),
        (&["sensitivity", &file], 0),
        (&["report", &format!("none{HOSTILE}")], 2),
        (&[&format!("none{HOSTILE}")], 2),
        (&[&file, "--engine", &format!("./engine{HOSTILE}"), "--evals", "engine"], 2),
        (&["rate", &file, "--calibration", &format!("none{HOSTILE}.json")], 2),
    ];
    for (args, code) in runs {
        let run = bench.run(args).ended_with(code);
        let told = format!("{}{}", run.stdout, run.stderr);
        assert!(!told.contains(['\u{1b}', '\u{7}']), "{args:?}: {told:?}");
        assert!(!told.contains("\nerror: c"), "{args:?}: {told:?}");
    }
}

#[test]
fn tables_are_printed_as_markdown_where_that_is_asked_for() {
    let bench = Bench::of_games();
    let args = ["games.pgn", "--tables", "paper", "--plots", "none", "--export", "markdown"];
    let shown = bench.run(&args).ended_with(0).stdout;
    let titles: Vec<&str> = shown.lines().filter(|line| line.starts_with("**Table ")).collect();
    assert!(titles.len() >= 3, "{shown}");
    // Each table is a header, a line that marks columns of numbers, and rows with as many cells.
    let tables: Vec<Vec<&str>> = shown
        .split("\n\n")
        .filter(|part| part.starts_with("| "))
        .map(|part| part.lines().collect())
        .collect();
    assert!(tables.len() >= titles.len(), "{shown}");
    for table in &tables {
        let cells = |row: &&&str| row.replace("\\|", "").matches('|').count();
        assert!(table.len() > 2 && table[1].contains("| ---"), "{table:?}");
        assert!(table.iter().all(|row| cells(&row) == cells(&&table[0])), "{table:?}");
    }
    assert!(shown.contains("| Alpha, Anna |") && !shown.contains('─'), "{shown}");
    let archive = ["archive", "games.pgn", "--by", "player", "--plots", "none", "--export", "markdown"];
    for args in [
        &["reproduce", "ferreira-2013", "--export", "markdown"][..],
        &["expect", "--elo", "2000", "--export", "markdown"],
    ] {
        assert!(bench.run(args).ended_with(0).stdout.contains("\n| ---"), "{args:?}");
    }
    let counted = bench.run_in_shell("", &archive.join(" "), "");
    assert!(!counted.stdout.contains('─'), "{}", counted.stdout);
    bench.run(&["games.pgn", "--export", "latex"]).ended_with(2).said(&["possible values: markdown"]);
}
