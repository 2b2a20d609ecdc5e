//! The verb `archive` as a user runs it: refusals and messages.

use crate::program::Bench;

/// An archive in which each position has an evaluation, in lichess's form.
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
        (&["games.pgn", "--depth", "9"], "'gainalyze archive' has no option '--depth'"),
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
    refused.said(&["--by is an option of the command archive: gainalyze archive FILE… --by elo-band"]);
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
        " by --player",
    ]);
    assert_eq!(bench.table("reports/games-by-player/groups.csv", &["group", "games"]), [[player, games]]);
    let nobody = bench.run(&["archive", "games.pgn", "--by", "player", "--player", "Nobody"]).ended_with(2);
    nobody.said(&[
        "no move of 3 games is counted: 3 not chosen by --player; change --player to choose more games",
    ]);
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
        "error: b.parquet: the counting options differ from those of a.parquet: by (\"player\" there, \"year\" here), tie (0 there, 5 here)",
    ]);
    assert!(!bench.path("reports/a-and-1-more").exists());
}

#[test]
fn a_file_is_counted_once_whatever_it_and_its_parts_are_called() {
    let bench = bench();
    bench.write("packed.pgn.zst", &zstd::encode_all(ARCHIVE.as_bytes(), 3).expect("memory"));
    bench.write("other.pgn", ARCHIVE.replacen("[Event ", "[Event  ", 1).as_bytes());
    for name in ["games.pgn", "packed.pgn.zst", "other.pgn"] {
        let part = format!("{}.parquet", name.split('.').next().unwrap_or_default());
        bench.run(&["archive", name, "--by", "player", "--partial", &part]).ended_with(0);
    }
    std::fs::hard_link(bench.path("games.parquet"), bench.path("hard.parquet")).expect("a link");
    std::os::unix::fs::symlink("games.parquet", bench.path("soft.parquet")).expect("a link");
    bench.run(&["merge", "games.parquet", "other.parquet", "--partial", "both.parquet"]).ended_with(0);
    for (first, second) in [
        ("games", "games"),
        ("games", "hard"),
        ("soft", "games"),
        ("games", "packed"),
        ("both", "games"),
        ("other", "both"),
    ] {
        let [first, second] = [first, second].map(|name| format!("{name}.parquet"));
        let args = ["merge", &first, &second, "--output", "twice", "--plots", "none"];
        let refused = bench.run(&args).ended_with(2);
        refused.said(&[
            &format!("error: {second}: "),
            &format!(" was also counted in {first}, so its games would count twice"),
            "--allow-overlap",
        ]);
        assert!(!bench.path("twice").exists());
        bench.run(&[&args[..], &["--allow-overlap", "--force"]].concat()).ended_with(0);
        std::fs::remove_dir_all(bench.path("twice")).expect("a folder");
    }
    // A reader that stops early has counted the beginning of the file, and so the same games twice.
    let few = ["archive", "games.pgn", "--by", "player", "--max-games", "2", "--partial"];
    for (part, jobs) in [("few.parquet", "1"), ("few-2.parquet", "2")] {
        bench.run(&[&few[..], &[part, "--jobs", jobs]].concat()).ended_with(0);
    }
    assert_eq!(bench.read("few.parquet"), bench.read("few-2.parquet"));
    bench
        .run(&["merge", "few.parquet", "few-2.parquet"])
        .ended_with(2)
        .said(&["games.pgn was also counted in few.parquet"]);
}

#[test]
fn a_damaged_part_is_refused_with_what_to_do() {
    let bench = bench();
    bench.run(&["archive", "games.pgn", "--by", "player", "--partial", "a.parquet"]).ended_with(0);
    let mut bytes = bench.read("a.parquet");
    bytes[100] ^= 1;
    bench.write("b.parquet", &bytes);
    let refused = bench.run(&["merge", "b.parquet"]).ended_with(2);
    refused.said(&[
        "error: b.parquet: has changed since it was written",
        "count it again with archive --partial",
    ]);
    bench.write("c.parquet", b"PAR1");
    bench
        .run(&["merge", "c.parquet"])
        .ended_with(2)
        .said(&["c.parquet: has no digest", "`gainalyze archive --partial FILE` writes part files"]);
    bench
        .run(&["merge", "/dev/zero"])
        .ended_with(2)
        .said(&["/dev/zero: cannot be read: it is a pipe or a device"]);
}

#[test]
fn groups_are_rated_as_players_are_where_their_evaluations_are_of_a_calibrated_kind() {
    let recorded = include_str!("../../data/candidates-2013-stockfish-15.1-depth-20.pgn")
        .replace("depth 20", "depth 10");
    let bench = Bench::new(&recorded);
    let quietly = |args: &[&str]| bench.run(&[args, &["--quiet", "--plots", "none"]].concat()).ended_with(0);
    quietly(&["rate", "games.pgn", "--output", "rated"]);
    let columns = |name| ["rating_of_play", "rating_lasting", "rating_shrunken", name];
    let players = bench.table("rated/quality.csv", &columns("player"));
    let told = quietly(&["archive", "games.pgn", "--by", "player", "--output", "whole"]).stdout;
    assert!(
        told.contains("Rating of play: the rating of a player whose play equals the group's average"),
        "{told}"
    );
    assert!(told.contains("sorted by rating of play"), "{told}");
    let groups = bench.table("whole/groups.csv", &columns("group"));
    assert_eq!((players.len(), groups.len()), (8, 8));
    // Some results are beyond the calibrated range, so their ratings are refused in both reports.
    let rated = players.iter().filter(|player| !player[0].is_empty()).count();
    assert!((1..8).contains(&rated), "{players:?}");
    for player in &players {
        let group = groups.iter().find(|group| group[3] == player[3]).expect("the player's group");
        assert_eq!((&group[0], &group[1]), (&player[0], &player[1]), "{}", player[3]);
    }

    let at = recorded.match_indices("[Event ").nth(30).expect("a game").0;
    bench.write("a.pgn", &recorded.as_bytes()[..at]);
    bench.write("b.pgn", &recorded.as_bytes()[at..]);
    for part in ["a", "b"] {
        let (file, counts) = (format!("{part}.pgn"), format!("{part}.parquet"));
        quietly(&["archive", &file, "--by", "player", "--partial", &counts, "--output", part]);
    }
    quietly(&["merge", "a.parquet", "b.parquet", "--output", "merged"]);
    assert_eq!(bench.table("merged/groups.csv", &columns("group")), groups);

    quietly(&["archive", "games.pgn", "--by", "player", "--calibration", "none", "--output", "none"]);
    let unrated = bench.table("none/groups.csv", &columns("group"));
    assert!(unrated.iter().all(|group| group[0].is_empty()), "{unrated:?}");
}

#[test]
fn groups_without_an_order_of_their_own_are_shown_by_their_result_and_files_have_them_by_name() {
    let bench = Bench::new(include_str!("../../data/candidates-2013-stockfish-15.1-depth-20.pgn"));
    let run = bench.run(&["archive", "games.pgn", "--by", "player", "--output", "out"]).ended_with(0);
    let mut groups = bench.table("out/groups.csv", &["group", "expected_score"]);
    assert!(groups.is_sorted_by_key(|group| group[0].clone()));
    let score = |group: &Vec<String>| group[1].parse::<f64>().expect("a score");
    groups.sort_by(|a, b| score(b).total_cmp(&score(a)));
    let shown: Vec<&str> =
        run.stdout.lines().skip_while(|line| !line.starts_with('─')).skip(1).take(8).collect();
    let in_order = groups.iter().zip(&shown).all(|(group, line)| line.starts_with(&group[0]));
    assert!(shown.len() == 8 && in_order, "{}", run.stdout);
    assert!(run.stdout.contains("sorted by expected score"), "{}", run.stdout);
}

#[test]
fn the_page_of_an_archive_begins_with_its_finding_and_says_what_was_counted() {
    // Nearly all of Anna's moves keep the evaluation, and nearly all of Bert's lose 30 centipawns.
    let game = |number: usize| {
        let moves = ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle().take(24).enumerate();
        let told = |(ply, san): (usize, &str)| {
            let hers = if number.is_multiple_of(3) && ply >= 4 { 50 } else { 0 };
            let his = if number % 4 == 1 && ply >= 5 { 30 } else { 0 };
            let evaluation = 30 * ply.div_ceil(2) as i32 - hers - his;
            format!("{san} {{ [%eval {:.2}] }} ", f64::from(evaluation) / 100.0)
        };
        let moves: String = moves.map(told).collect();
        format!("[White \"Anna\"]\n[Black \"Bert\"]\n[Date \"2020.01.{:02}\"]\n\n{moves}*\n\n", number + 1)
    };
    let bench = Bench::new(&((0..12).map(game).collect::<String>() + "[White \"Anna\"]\n\n1. e4 *\n"));
    let run = bench.run(&["archive", "games.pgn", "--by", "player", "--output", "out"]).ended_with(0);
    assert!(run.stdout.contains("Findings\nAnna played better than Bert.\n"), "{}", run.stdout);
    let page = bench.text("out/report.html");
    for part in [
        "<h1 class=\"finding\">Anna played better than Bert</h1>",
        "Against the engine, the expected score is ",
        "13 read, 12 counted, 1 left out (without evaluations)",
        "How often a move gains or loses",
        "Expected score by group against the engine",
    ] {
        assert!(page.contains(part), "{part} is not in:\n{page}");
    }
    bench.run(&["archive", "games.pgn", "--by", "player", "--output", "out", "--no-html"]).ended_with(0);
    assert!(!bench.path("out/report.html").exists());
}

#[test]
fn groups_that_cannot_be_told_apart_are_too_close_to_call() {
    let bench = Bench::new(include_str!("../../data/candidates-2013-stockfish-15.1-depth-20.pgn"));
    let told = |by: &str| bench.run(&["archive", "games.pgn", "--by", by]).ended_with(0).stdout;
    let bands = told("elo-band");
    for part in ["The 2 groups are too close to call.", "Counted: 4827 moves of 56 games, in 2 groups."] {
        assert!(bands.contains(part), "{bands}");
    }
    assert!(told("year").contains("2013: an expected score of "));
}
