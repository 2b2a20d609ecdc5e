//! Tests of the verb `expect`: usual results at a rating, from the built-in calibration.

use crate::program::Bench;

#[test]
fn better_players_choose_better_and_lose_less() {
    let bench = Bench::new("");
    let top_moves = |elo: &str| {
        let run = bench.run(&["expect", "--elo", elo, "--moves", "400"]).ended_with(0);
        let row = run.stdout.lines().find_map(|line| Some(line.split_once("Top moves, % ")?.1));
        let numbers = row.expect("a row").split_whitespace().filter_map(|word| word.parse().ok());
        numbers.collect::<Vec<f64>>()
    };
    let (club, master) = (top_moves("1600"), top_moves("2600"));
    assert_eq!((club.len(), master.len()), (3, 3), "the usual number between two ends");
    assert!(club[0] < master[0], "{club:?} {master:?}");
    for [usual, low, high] in [club, master].map(|row| [row[0], row[1], row[2]]) {
        assert!(low < usual && usual < high);
    }
}

#[test]
fn where_nothing_is_known_the_ratings_that_are_known_are_named() {
    let bench = Bench::new("");
    bench.run(&["expect", "--elo", "400"]).ended_with(2).said(&[
        "no usual values are known for the rating 400",
        "1410 to 2872 on fide-2024, ",
        " on lichess-rapid",
        "--scale",
    ]);
    bench
        .run(&["expect", "--elo", "2000", "--calibration", "none"])
        .ended_with(2)
        .said(&["no calibration is available"]);
}

#[test]
fn a_game_is_as_unusual_as_its_peers_are_counted() {
    let bench = Bench::new("");
    let odds = |arguments: &[&str]| bench.run(&[&["expect"], arguments].concat()).ended_with(0).stdout;
    let rapid = ["--elo", "1700", "--scale", "lichess-rapid", "--accuracy", "97", "--game-moves", "38"];
    let told = odds(&rapid);
    assert!(
        told.starts_with(
            "1 in 149 games of 30 or more moves by players rated 1600–1799 in rapid (86 of 12786) was as accurate; \
             95 % interval: 1 in 121 to 1 in 183.\nEvaluations: lichess's analysis."
        ),
        "{told}"
    );
    // Of the games over the board, blunders are counted without lengths, and a band has too few games.
    let told = odds(&["--elo", "2350", "--top-moves", "85", "--blunders", "0"]);
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines[0].contains("30 or more moves by players rated 2200–2499 over the board"), "{told}");
    assert!(lines[1].contains("10 or more moves") && lines[1].ends_with(" interval: 71 to 74 %."), "{told}");
    let unknown = ["expect", "--elo", "1700", "--scale", "lichess-blitz", "--accuracy", "97"];
    bench.run(&unknown).ended_with(2).said(&["no reference games on the scale lichess-blitz near 1700"]);
    let wrong = bench.run(&["expect", "--elo", "1700", "--accuracy", "101"]).ended_with(2);
    wrong.said(&["write a percentage from 0 to 100"]);
}

#[test]
fn an_unusually_accurate_game_has_its_odds_in_its_row_and_all_games_are_in_a_file() {
    let bench = Bench::new("");
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/data/candidates-2013-stockfish-15.1-depth-10.pgn");
    bench.run(&[games, "-o", "out"]).ended_with(0);
    let odds = bench.table("out/odds.csv", &["player", "game", "as_accurate", "compared", "least_moves"]);
    assert_eq!(odds.iter().filter(|row| row[0] == "Aronian, Levon").count(), 14);
    assert!(
        odds.contains(&["Aronian, Levon", "32", "7", "872", "40"].map(str::to_owned).to_vec()),
        "{odds:?}"
    );
    let page = std::fs::read_to_string(bench.path("out/report.html")).expect("a page");
    let row = "Levon Aronian, 98.2\u{a0}%: 1 in 125 games of 40 or more moves by players rated 2600–2899 over the board (7 of 872) was as accurate.";
    assert!(page.contains(row));
    let player = bench.run(&["player", "Aronian", games, "-o", "own"]).ended_with(0);
    assert!(player.stdout.contains("The most accurate games for the rating"), "{}", player.stdout);
    let own = bench.table("own/odds.csv", &["game", "as_accurate"]);
    assert_eq!((own.len(), &own[0]), (14, &vec!["32".to_owned(), "7".to_owned()]));
}
