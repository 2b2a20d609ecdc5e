//! Tests of the choice of games, of names, and of copies of games, from the command line to the files.

use crate::program::Bench;
use crate::program::GAMES;

/// Returns the numbers of the games in the table of games.
fn games(bench: &Bench) -> Vec<String> {
    let table = bench.text("reports/games/games.csv");
    table.lines().skip(1).map(|row| row.split(',').next().expect("a column").to_owned()).collect()
}

/// Returns [`GAMES`] with an unreadable game between the first two games.
fn with_a_bad_game() -> String {
    let bad = "[Event \"Other\"]\n[White \"Delta, Dan\"]\n[Black \"Beta, Bert\"]\n\n1. e4 Qh9 *\n\n";
    GAMES.replacen("[Event \"Test\"]\n[Round \"2\"]", &format!("{bad}[Event \"Test\"]\n[Round \"2\"]"), 1)
}

#[test]
fn games_keep_their_numbers_and_the_others_are_counted_by_option() {
    let bench = Bench::new(&with_a_bad_game());
    let run = bench.run(&["games.pgn", "--games-of", "alpha", "--result", "0-1"]).ended_with(0);
    let run = run.said(&["1 of 4 games chosen; not chosen: 2 by --games-of, 1 by --result"]);
    assert!(!run.stderr.contains("left out"), "a bad game that nobody wants: {}", run.stderr);
    assert_eq!(games(&bench), ["4"]);
    let facts = &bench.summary("reports/games")["games"];
    assert_eq!((&facts["read"], &facts["analysed"]), (&4.into(), &1.into()));
    assert_eq!(facts["left_out"].as_array().map(Vec::len), Some(0));
    let choice = &facts["choice"];
    assert_eq!(choice["choices"], serde_json::json!(["games of \"alpha\"", "result 0-1"]));
    assert_eq!(choice["not_chosen"], serde_json::json!({"games-of": 2, "result": 1}));
    let page = bench.text("reports/games/report.html");
    assert!(
        page.contains("4 read, 1 analyzed, 0 left out, 2 not chosen by --games-of, 1 not chosen by --result")
    );
}

#[test]
fn a_wanted_game_that_cannot_be_read_is_left_out_and_not_refused() {
    let bench = Bench::new(&with_a_bad_game());
    let run = bench.run(&["games.pgn", "--games-of", "Bert", "--event", "o", "--max-games", "9"]);
    // "Test" has no "o", "Other" has one.
    run.ended_with(2).said(&["no game fits", "2 by --event (with \"Test\")", "Qh9", "; change --event"]);
    let bench = Bench::new(&with_a_bad_game());
    bench.run(&["games.pgn", "--games-of", "Bert"]).ended_with(0).said(&["left out: games.pgn, game 2"]);
    assert_eq!(games(&bench), ["1", "3"]);
    assert_eq!(bench.summary("reports/games")["games"]["left_out"][0]["game"], 2);
}

#[test]
fn a_choice_that_fits_nothing_says_what_there_is() {
    let bench = Bench::of_games();
    for (options, said) in [
        (
            &["--min-elo", "2600"][..],
            "games.pgn: no game fits; the options leave out 3 games: 3 by --min-elo (with Elos from 2400 to 2500); change --min-elo to choose more games",
        ),
        (
            &["--since", "2021"],
            "the options leave out 3 games: 3 by --since (dated 2020.01.01; 2 of unknown or uncertain date)",
        ),
        (&["--event", "Open"], "3 by --event (with \"Test\")"),
        (&["--time-control", "blitz"], "the options leave out 3 games: 3 by --time-control"),
        (
            &["--games-of", "Kasparov"],
            "games.pgn: no player is called \"Kasparov\"; players: Alpha, Anna; Beta, Bert; Gamma, Gus",
        ),
    ] {
        let run = bench.run(&[&["games.pgn"], options].concat()).ended_with(2).said(&[said]);
        assert_eq!(run.stderr.lines().filter(|line| line.starts_with("error:")).count(), 1);
    }
    assert!(!bench.path("reports").exists(), "nothing is made of nothing");
}

#[test]
fn a_copy_of_a_game_is_counted_once_and_named() {
    let again = GAMES.replace("[Site \"Nowhere\"]", "[Site \"Elsewhere\"]").replace("Qh5", "Qh5!");
    let bench = Bench::of_games();
    bench.write("again.pgn", again.as_bytes());
    let files = ["games.pgn", "again.pgn", "--output", "reports/games"];
    let run = bench.run(&files).ended_with(0).said(&[
        "3 games are copies of others (same players, date and moves) and left out",
        "again.pgn, game 1 (Alpha, Anna – Beta, Bert)",
    ]);
    assert_eq!(games(&bench), ["1", "2", "3"]);
    let facts = bench.summary("reports/games")["games"].clone();
    assert_eq!((&facts["read"], &facts["choice"]["duplicates"]), (&6.into(), &3.into()));
    let once = bench.run(&["games.pgn"]).ended_with(0);
    assert_eq!(run.stdout, once.stdout);
    bench.run(&[&files[..], &["--keep-duplicates"]].concat()).ended_with(0);
    assert_eq!(games(&bench), ["1", "2", "3", "4", "5", "6"]);
    assert!(bench.summary("reports/games")["games"].get("choice").is_none(), "there is nothing to tell");
}

#[test]
fn players_have_the_names_that_count_everywhere() {
    let bench = Bench::of_games();
    bench.write("names.txt", b"# who is who\nAlpha, Anna = Gamma, Gus\n");
    let run = bench.run(&["games.pgn", "--aliases", "names.txt", "--annotate", "out.pgn"]).ended_with(0);
    assert!(!run.stdout.contains("Gamma") && !bench.text("out.pgn").contains("Gamma"));
    assert!(bench.text("reports/games/games.csv").contains("\"Alpha, Anna\",\"Alpha, Anna\""));
    bench.run(&["games.pgn", "--aliases", "names.txt", "--games-of", "Gamma"]).ended_with(2);
    bench.write("names.txt", b"A=B\nB=C\n");
    let run = bench.run(&["games.pgn", "--aliases", "names.txt"]).ended_with(2);
    run.said(&["--aliases names.txt: line 2: \"B\" is both an alias and a main name"]);
    bench
        .run(&["games.pgn", "--aliases", "none.txt"])
        .ended_with(2)
        .said(&["--aliases none.txt: No such file"]);
}

#[test]
fn a_sample_does_not_depend_on_the_order_of_games_or_on_the_file() {
    let shuffled: Vec<&str> = GAMES.split("[Event \"Test\"]").skip(1).collect();
    let shuffled: String = shuffled.iter().rev().map(|game| format!("[Event \"Test\"]{game}")).collect();
    let players = |pgn: &str, seed: &str| {
        let bench = Bench::new(pgn);
        let run = bench.run(&["games.pgn", "--sample", "0.5", "--seed", seed]);
        // Without pictures, there is no table either.
        let rows = if run.code == Some(0) { bench.text("reports/games/games.csv") } else { String::new() };
        let rows = rows.lines().skip(1).map(|row| row.split_once(',').expect("columns").1.to_owned());
        rows.collect::<std::collections::BTreeSet<_>>()
    };
    let seeds = ["1", "2", "3", "4", "5", "6"];
    let drawn: Vec<_> = seeds.iter().map(|seed| players(GAMES, seed)).collect();
    for (seed, drawn) in seeds.iter().zip(&drawn) {
        assert_eq!(players(&shuffled, seed), *drawn);
    }
    assert!(drawn.iter().any(|games| *games != drawn[0]), "a seed draws its own sample");
}

#[test]
fn the_first_games_that_fit_are_enough() {
    let bench = Bench::of_games();
    let run = bench.run(&["games.pgn", "--games-of", "Gus", "--max-games", "1", "--game", "2"]).ended_with(0);
    run.said(&["1 of 3 games chosen; not chosen: 1 by --games-of, 1 by --max-games"]);
    assert_eq!(games(&bench), ["2"]);
    let run = bench.run(&["games.pgn", "--max-games", "1", "--game", "2"]).ended_with(2);
    run.said(&["game 2 cannot be shown: the options leave it out; choose another with --game"]);
}

#[test]
fn behind_games_that_are_enough_nothing_is_read() {
    let bench = Bench::of_games();
    let games =
        |name: &str, count| format!("[White \"{name}\"]\n[Result \"*\"]\n\n1. e4 *\n\n").repeat(count);
    bench.write("many.pgn", [GAMES, &games("Far", 20_000)].concat().as_bytes());
    bench.write("more.pgn", b"no game");
    let run = bench.run(&["many.pgn", "more.pgn", "--max-games", "1", "--output", "one"]).ended_with(0);
    run.said(&["1 of 1 game chosen; later games were not read, because of --max-games"]);
    assert_eq!(bench.summary("one")["games"]["choice"]["not_chosen"], serde_json::json!({}));
}

#[test]
fn of_several_events_those_without_a_fitting_game_are_left_aside() {
    let bench = Bench::of_games();
    bench.write("other.pgn", GAMES.replace("\"Test\"", "\"Open\"").as_bytes());
    let both = ["games.pgn", "other.pgn", "--separately", "--event"];
    bench.run(&[&both[..], &["Open"]].concat()).ended_with(0).said(&["games.pgn: no game fits"]);
    assert!(bench.path("reports/other").exists() && !bench.path("reports/games").exists());
    bench.run(&[&both[..], &["Closed"]].concat()).ended_with(2).said(&["games.pgn: no game fits"]);
}

#[test]
fn a_report_is_made_again_with_what_was_chosen() {
    let bench = Bench::of_games();
    bench.write("names.txt", b"Alpha, Anna = Gamma, Gus\n");
    let options = ["games.pgn", "--aliases", "names.txt", "--max-games", "2", "--output", "first"];
    let first = bench.run(&options).ended_with(0);
    std::fs::remove_file(bench.path("names.txt")).expect("a file");
    let again = bench.run(&["report", "first", "--output", "again"]).ended_with(0);
    assert_eq!(first.stdout, again.stdout);
    assert_eq!(bench.summary("again")["games"], bench.summary("first")["games"]);
}

#[test]
fn sensitivity_is_studied_on_the_games_that_are_chosen() {
    let bench = Bench::of_games();
    bench.run(&["games.pgn", "--annotate", "out.pgn"]).ended_with(0);
    let run = bench.run(&["sensitivity", "out.pgn", "--games-of", "Gus"]).ended_with(0);
    run.said(&["2 of 3 games chosen", "evaluations of 2 games"]);
    bench.run(&["sensitivity", "out.pgn", "--sample", "1", "--seed", "2"]).ended_with(0);
}

#[test]
fn an_alias_that_nobody_has_and_a_time_control_of_no_game_are_told() {
    let bench = Bench::new("[White \"A\"]\n[Black \"B\"]\n[TimeControl \"180+2\"]\n\n1. e4 e5 *\n");
    bench.write("names.txt", b"Alice=A\nBob=Bobby\n");
    let run = bench.run(&["games.pgn", "--aliases", "names.txt", "--plots", "none"]).ended_with(0);
    let run = run.said(&["warning: no player has the alias Bobby\n"]);
    assert!(!run.stderr.contains("time control"), "{}", run.stderr);
    bench.write("counted.pgn", b"[White \"A\"]\n[Black \"B\"]\n\n1. e4 {[%eval 0.1]} e5 {[%eval 0.3]} *\n");
    let archive =
        bench.run(&["archive", "counted.pgn", "--by", "player", "--aliases", "names.txt"]).ended_with(0);
    archive.said(&["warning: no player has the alias Bobby\n"]);
    let controls = ["--time-control", "180+2", "--time-control", "600+0"];
    let run = bench.run(&[&["games.pgn", "--plots", "none"], &controls[..]].concat()).ended_with(0);
    run.said(&["warning: no game has the time control 600+0\n"]);
}

#[test]
fn a_name_means_the_same_players_in_a_tournament_and_in_an_archive() {
    let game = |white: &str, black: &str, moves: &str| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"2020.01.01\"]\n\n{moves} *\n\n")
    };
    let moves = "1. e4 {[%eval 0.1]} e5 {[%eval 0.3]} 2. Nf3 {[%eval 0.2]} Nc6 {[%eval 0.2]}";
    let bench = Bench::new(
        &[game("Li", "Lima", moves), game("Lima", "Dali", moves), game("Wei, LI", "Dali", moves)].concat(),
    );
    let players = |args: &[&str], table: &str, column: &str| {
        let common = ["games.pgn", "--plots", "none"];
        bench.run(&[args, &common].concat()).ended_with(0);
        let mut players: Vec<String> =
            bench.table(table, &[column]).into_iter().map(|row| row[0].clone()).collect();
        players.sort();
        players
    };
    let tournament =
        players(&["analyze", "--evals", "pgn", "--player", "li", "-o", "one"], "one/players.csv", "player");
    assert_eq!(tournament, ["Li", "Wei, LI"]);
    assert_eq!(
        players(&["archive", "--by", "player", "--player", "li", "-o", "two"], "two/groups.csv", "group"),
        tournament
    );
    let games = bench.run(&["games.pgn", "--evals", "pgn", "--games-of", "li", "--output", "games"]);
    games.ended_with(0).said(&["2 of 3 games chosen"]);
}

/// Returns a game with the tags `tags` (`Name value|Name value`).
fn tagged(tags: &str, moves: &str) -> String {
    let tags = tags.split('|').filter_map(|tag| tag.split_once(' '));
    let tags: String = tags.map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
    format!("{tags}\n{moves}\n\n")
}

const EVALUATED: &str = "1. e4 {[%eval 0.1]} e5 {[%eval 0.3]} 2. Nf3 {[%eval 0.2]} Nc6 {[%eval 0.2]} 1-0";

#[test]
fn dates_in_other_forms_are_read_or_told() {
    let dates = [
        "13.03.2013",
        "03/14/2013",
        "20130315",
        "16 Mar 2013",
        "15.03.13",
        "3/5/13",
        "15.03.13|EventDate 2013.03.14",
        "2013.03.17",
        "????.??.??",
    ];
    let game = |(round, date): (usize, &&str)| {
        tagged(&format!("Event Open|White Adler {round}|Black Brandt|Result 1-0|Date {date}"), EVALUATED)
    };
    let bench = Bench::new(&(1..).zip(&dates).map(game).collect::<String>());
    let run = ["games.pgn", "--evals", "pgn", "--plots", "none", "--output", "reports/games"];
    bench.run(&run).ended_with(0).said(&[
        "in 3 games, the date is read as day, month and year; the first is games.pgn, game 1 (Adler 1 – Brandt)",
        "in 1 game, the date is read as month, day and year (games.pgn, game 2 (Adler 2 – Brandt))",
        "in 1 game, the date has an unusual form with the year first (games.pgn, game 3 (Adler 3 – Brandt))",
        "in 2 games, the date cannot be read with certainty",
    ]);
    let read: Vec<String> =
        bench.table("reports/games/games.csv", &["date"]).into_iter().map(|row| row[0].clone()).collect();
    assert_eq!(
        read,
        [
            "2013-03-13",
            "2013-03-14",
            "2013-03-15",
            "2013-03-16",
            "????.??.??",
            "2013",
            "2013-03-15",
            "2013-03-17",
            "????.??.??"
        ]
    );
    let since = |date: &str, code| bench.run(&[&run[..], &["--since", date]].concat()).ended_with(code);
    since("2013-03-16", 0).said(&[
        "2 of 9 games chosen; not chosen: 7 by --since",
        "--since leaves out 2 games of unknown or uncertain date",
    ]);
    assert_eq!(games(&bench), ["4", "8"]);
    since("2014", 2).said(&[
        "9 by --since (dated from 2013.03.13 to 2013.03.17; 2 of unknown or uncertain date); change --since",
    ]);
    // The tags stay as they are in the file.
    bench.run(&[&run[..], &["--annotate", "out.pgn"]].concat()).ended_with(0);
    assert!(dates.iter().all(|date| bench.text("out.pgn").contains(date.split('|').next().expect("a date"))));
}

#[test]
fn time_controls_in_minutes_have_the_class_of_their_seconds() {
    let game = |(round, (control, clock)): (usize, &(&str, &str))| {
        let tags = format!("White Adler|Black Brandt|Result 1-0|Date 2024.03.0{round}|TimeControl {control}");
        tagged(&tags, &EVALUATED.replacen("0.1]", &format!("0.1]{clock}"), 1))
    };
    let controls = [
        ("90+30", "[%clk 1:30:10]"),
        ("15+10", "[%clk 0:15:05]"),
        ("3+2", ""),
        ("60 mins", ""),
        ("40/90:30+30", ""),
        ("G/25;d5", ""),
        ("40/7200:3600", ""),
        ("60+1", "[%clk 0:01:00]"),
        ("180+2", ""),
    ];
    let bench = Bench::new(&(1..).zip(&controls).map(game).collect::<String>());
    let run =
        ["games.pgn", "--evals", "pgn", "--plots", "none", "--output", "reports/games", "--time-control"];
    let said = "in 4 games, the tag TimeControl is in minutes or has an unusual form; the first is games.pgn, game 1";
    bench.run(&[&run[..], &["classical"]].concat()).ended_with(0).said(&[said]);
    assert_eq!(games(&bench), ["1", "4", "5", "6", "7"]);
    let read = bench.table("reports/games/games.csv", &["time_control"]).concat();
    assert_eq!(read, ["5400+30", "3600", "40/5400:1800+30", "1500+5", "40/7200:3600"]);
    // A control is also found as it is written.
    for (wanted, found) in [("rapid", "2"), ("blitz", "3"), ("90+30", "1"), ("180+2", "3"), ("bullet", "8")] {
        bench.run(&[&run[..], &[wanted]].concat()).ended_with(0);
        assert!(games(&bench).contains(&found.to_owned()), "{wanted}");
    }
    bench.run(&["archive", "games.pgn", "--by", "speed", "--output", "all"]).ended_with(0);
    let mut groups = bench.table("all/groups.csv", &["group", "games"]);
    groups.sort();
    let expected = [["blitz", "2"], ["bullet", "1"], ["classical", "5"], ["rapid", "1"]];
    assert_eq!(groups, expected);
}

#[test]
fn nearly_equal_games_count_once_and_are_named() {
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7";
    let game = |tags: &str, moves: &str, result: &str| {
        let usual = format!("Event Open|Black Brandt, Otto|Result {result}|{tags}");
        tagged(&usual, &format!("{moves} {result}"))
    };
    let parts = [
        game("White Adler, Ines|Round 1|Date 2024.03.01", moves, "1-0"),
        game("White Adler, Ines|Round 1|Date 2024.03.01", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6", "*"),
        game("White Adler, Ines|Round 1|Date 2024.03.02", &format!("{moves} 6. Re1"), "1-0"),
        game("White Adler, Ines|Round 1|Date ????.??.??", &format!("{moves} 6. Re1 b5"), "1-0"),
        game("White Adler, Ines|Round 1|Date 2024.03.01", &format!("{moves} 6. Re1 b5 7. Bb3"), "*"),
        game("White Adler, Ines|Round 3|Date 2024.03.01", &moves.replace(" Be7", ""), "1/2-1/2"),
        game("White Celik, Ada|Round 1|Date 2024.03.01", moves, "1-0"),
    ];
    let bench = Bench::new(&parts.concat());
    let run = ["games.pgn", "--depth", "1", "--plots", "none", "--output", "reports/games"];
    let joined = bench.run(&run).ended_with(0).said(&[
        "4 games joined with others (same players, event or date; the moves of one begin the other) and left out: \
         games.pgn, game 1 (Adler, Ines – Brandt, Otto); games.pgn, game 2 (Adler, Ines – Brandt, Otto); games.pgn, \
         game 3 (Adler, Ines – Brandt, Otto); and 1 more; --keep-duplicates counts every game",
    ]);
    assert!(!joined.stderr.contains("copies"), "{}", joined.stderr);
    assert_eq!(games(&bench), ["4", "6", "7"]);
    let facts = bench.summary("reports/games")["games"].clone();
    assert_eq!((&facts["read"], &facts["analysed"]), (&7.into(), &3.into()));
    assert_eq!((&facts["choice"]["chosen"], &facts["choice"]["duplicates"]), (&3.into(), &4.into()));
    bench.run(&[&run[..], &["--keep-duplicates"]].concat()).ended_with(0);
    assert_eq!(games(&bench).len(), 7);
    // Two snapshots of a file of games in progress.
    bench.write("before.pgn", parts[1].as_bytes());
    bench.write("after.pgn", parts[0].as_bytes());
    bench
        .run(&["before.pgn", "after.pgn", "--depth", "1", "--plots", "none", "--output", "two"])
        .ended_with(0);
    assert_eq!(bench.table("two/games.csv", &["game", "result"]), [["2", "1-0"]]);
}
