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
        (&["--since", "2021"], "the options leave out 3 games: 3 by --since (dated 2020.01.01)"),
        (&["--event", "Open"], "3 by --event (with \"Test\")"),
        (&["--time-control", "blitz"], "the options leave out 3 games: 3 by --time-control"),
        (
            &["--games-of", "Kasparov"],
            "games.pgn: no player is called \"Kasparov\"; there are Alpha, Anna; Beta, Bert; Gamma, Gus",
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
