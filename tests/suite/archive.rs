//! The counting of archives as a user runs it: what is refused, and what is said.

use crate::program::Bench;

/// Each position of these has an evaluation, as lichess writes them.
const ARCHIVE: &str = include_str!("lichess.pgn");

fn bench() -> Bench {
    Bench::new(ARCHIVE)
}

fn reports(bench: &Bench) -> bool {
    bench.path("reports").exists()
}

#[test]
fn what_cannot_be_read_or_goes_with_nothing_is_refused_before_a_folder_is_made() {
    for (args, told) in [
        (&["nope.pgn"][..], "error: nope.pgn: no such file"),
        (&["games.pgn", "nope.pgn"], "error: nope.pgn: no such file"),
        (&["-", "-"], "standard input (-) can be read only once"),
        (&["games.pgn", "--plots", "png,none"], "--plots none cannot go with another format"),
        (&["games.pgn", "--depth", "9"], "unexpected argument '--depth' found"),
        (&["games.pgn", "--metric", "wdl"], "[possible values: cp, win]"),
    ] {
        let bench = bench();
        bench.run(&[&["archive", "--by", "player"], args].concat()).ended_with(2).said(&[told]);
        assert!(!reports(&bench), "{args:?}");
    }
}

#[test]
fn the_verb_of_archives_is_named_where_its_option_is_given_to_another() {
    let bench = bench();
    let refused = bench.run(&["games.pgn", "--by", "elo-band"]).ended_with(2);
    refused.said(&["--by is an option of the verb archive: gainalyze archive FILE… --by elo-band"]);
    bench.run(&["archive", "games.pgn"]).ended_with(2).said(&["--by <GROUP>"]);
    assert!(!reports(&bench));
}

#[test]
fn games_without_the_player_wanted_are_not_chosen() {
    let bench = bench();
    bench.run(&["archive", "games.pgn", "--by", "player", "--quiet"]).ended_with(0);
    let players = bench.table("reports/games-by-player/groups.csv", &["group", "games"]);
    let row = players.iter().find(|row| row[1] != "3").expect("a player who is not in every game");
    let (player, games) = (row[0].clone(), row[1].clone());
    let others = 3 - games.parse::<u32>().expect("a number");
    bench.run(&["archive", "games.pgn", "--by", "player", "--player", &player]).ended_with(0).said(&[
        &format!("; {games} counted"),
        &format!("not chosen: {others} game"),
        " by the names of the players counted",
    ]);
    assert_eq!(bench.table("reports/games-by-player/groups.csv", &["group", "games"]), [[player, games]]);
    let nobody = bench.run(&["archive", "games.pgn", "--by", "player", "--player", "Nobody"]).ended_with(2);
    nobody.said(&["no move of 3 games counts: 3 not chosen by the names of the players counted (--player)"]);
}

#[test]
fn a_table_that_is_asked_for_twice_is_written_once() {
    let bench = bench();
    bench.run(&["archive", "games.pgn", "--by", "player", "--moves", "--format", "csv,csv"]).ended_with(0);
    assert!(bench.table("reports/games-by-player/archive-moves.csv", &["san"]).len() > 100);
}

#[test]
fn parts_that_were_counted_otherwise_are_refused_with_what_differs() {
    let bench = bench();
    bench.run(&["archive", "games.pgn", "--by", "player", "--partial", "a.parquet"]).ended_with(0);
    bench
        .run(&["archive", "games.pgn", "--by", "year", "--tie", "5", "--partial", "b.parquet"])
        .ended_with(0);
    let refused = bench.run(&["merge", "a.parquet", "b.parquet"]).ended_with(2);
    refused.said(&[
        "error: b.parquet: was counted otherwise than a.parquet, which differs in by (\"player\" there, \"year\" here), tie (0 there, 5 here)",
    ]);
    assert!(!bench.path("reports/a-and-1-more").exists());
}
