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
