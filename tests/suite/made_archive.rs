//! Tests of artificial archives: the output of the benchmark's generator, and what the readers and the
//! program find in it.

use std::{collections::HashSet, sync::LazyLock};

use gainalyze::chess::pgn::{hundredths, parse_games};
use gainalyze::chess::{
    Clip, FastGame, FastMove, Fingerprint, Game, GameResult, MoveText, Score, SignedScore,
};
use rayon::ThreadPoolBuilder;
use shakmaty::{Color, Position};

use crate::generate::Archive;
use crate::program::Bench;

/// An archive with few score sheets, so that each sheet is used many times.
static ARCHIVE: LazyLock<Archive> = LazyLock::new(|| Archive::new(1, 1.0, 24));

fn games(text: &str) -> Vec<Game> {
    parse_games(text, "made").into_iter().map(|game| game.expect("a legal game")).collect()
}

#[test]
fn every_game_is_legal_and_has_what_games_of_lichess_have() {
    let games = games(&ARCHIVE.games(120));
    assert_eq!(games.len(), 120);
    for game in &games {
        let last = game.positions().last().expect("a position");
        let told = game.moves.iter().filter(|played| played.eval.is_some()).count();
        assert_eq!(told, game.moves.len() - usize::from(last.legal_moves().is_empty()), "{}", game.title());
        assert!(game.moves.iter().all(|played| played.clock.is_some()));
        assert!(game.moves.len() >= 20 || last.is_game_over(), "{}", game.moves.len());
        assert_eq!(game.tags.get("Result"), Some(game.result.to_string().as_str()));
        if last.is_checkmate() {
            assert_eq!(game.result, last.turn().fold_wb(GameResult::BlackWins, GameResult::WhiteWins));
            let before = game.moves[game.moves.len() - 2].eval.expect("an evaluation").score;
            assert_eq!(before, SignedScore::Mate(last.turn().fold_wb(-1, 1)));
        }
        for color in Color::ALL {
            assert!(game.elo(color).is_some());
        }
        for tag in ["Event", "Site", "UTCDate", "UTCTime", "ECO", "Opening", "TimeControl", "Termination"] {
            assert!(game.tags.get(tag).is_some(), "{tag}");
        }
    }
    assert!(games.iter().any(|game| game.tags.get("Termination") == Some("Time forfeit")));
    assert!(games.iter().any(|game| game.result == GameResult::Draw));
}

#[test]
fn no_two_games_have_the_same_players_day_and_moves() {
    let games = games(&ARCHIVE.games(480));
    let different: HashSet<Fingerprint> = games.iter().map(Fingerprint::of).collect();
    assert_eq!(different.len(), 480);
}

#[test]
fn the_seed_decides_every_byte_and_the_number_of_threads_none() {
    let made = |seed, threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let mut text = Vec::new();
            let count = Archive::new(seed, 0.5, 4).write(300_000, &mut text).expect("memory");
            (count, String::from_utf8(text).expect("UTF-8"))
        })
    };
    let (count, text) = made(7, 1);
    assert!(text.len() >= 300_000 && text == made(7, 3).1);
    assert_eq!(text, Archive::new(7, 0.5, 4).games(count));
    assert_ne!(text, made(8, 1).1);
    let with_evals = text.split("[Event ").filter(|game| game.contains("%eval")).count();
    // Five standard deviations of a binomial distribution.
    assert!((with_evals as f64 - count as f64 / 2.0).abs() < 2.5 * (count as f64).sqrt(), "{with_evals}");
}

#[test]
fn stronger_players_lose_less() {
    let loss = |range: std::ops::Range<u32>| {
        let (mut lost, mut moves) = (0, 0);
        for game in games(&ARCHIVE.games(240)) {
            let mut before = None;
            for (played, mover) in game.moves.iter().zip(game.movers()) {
                let after = played
                    .eval
                    .map(|eval| Score::from_white_view(eval.score, mover).clipped(Clip::default()));
                let elo = game.elo(mover).expect("a rating");
                if let (Some(before), Some(after), true) = (before, after, range.contains(&elo)) {
                    lost += mover.fold_wb::<i32>(before - after, after - before).max(0);
                    moves += 1;
                }
                before = after;
            }
        }
        f64::from(lost) / f64::from(moves)
    };
    let (weak, middling, strong) = (loss(0..1400), loss(1400..1900), loss(1900..4000));
    assert!(weak > middling + 5.0 && middling > strong + 5.0, "{weak} {middling} {strong}");
}

#[test]
fn the_quick_reader_finds_what_the_careful_one_finds() {
    let made = ARCHIVE.games(48);
    // Spaces and clocks as other programs write them.
    let spaced = made.replace("{ [", "{[").replace("] }", "]}");
    let tenths = made.replace("] } ", ".5] } ").replace("[%eval ", "[%eval  ");
    let wordy = made.replace(" { [%eval", " { so be it [%eval").replace("[%clk", "\n[%emt 0:00:01] [%clk");
    for text in [made, spaced, tenths, wordy] {
        let (mut fast, mut at) = (FastGame::default(), 0);
        for game in games(&text) {
            at = fast.read(&text, at).expect("a game for the quick reader");
            let sans: Vec<String> = game.moves.iter().map(|played| played.san.to_string()).collect();
            let moves: Vec<FastMove<'_>> = game
                .moves
                .iter()
                .zip(&sans)
                .map(|(played, san)| FastMove {
                    san,
                    eval: played.eval.map(|eval| eval.score),
                    clock: played.clock.map(hundredths),
                    elapsed: played.elapsed.map(hundredths),
                })
                .collect();
            assert_eq!(fast.moves, moves, "{}", game.title());
            assert_eq!(fast.move_text, MoveText::of(&game));
            assert_eq!(fast.result, Some(game.result));
            for (name, value) in game.tags.iter().filter(|(_, value)| *value != "?") {
                assert_eq!(fast.tag(name), Some(value));
            }
        }
        assert_eq!(at, text.len());
    }
}

#[test]
fn counts_do_not_depend_on_workers_packing_or_checking() {
    let text = ARCHIVE.games(400);
    let bench = Bench::new(&text);
    bench.write("packed.pgn", &zstd::encode_all(text.as_bytes(), 3).expect("memory"));
    let half = text.match_indices("[Event ").nth(200).expect("a game").0;
    bench.write("first.pgn", &text.as_bytes()[..half]);
    bench.write("second.pgn", &text.as_bytes()[half..]);
    let groups = |args: &str| {
        let args: Vec<&str> = args.split(' ').collect();
        bench
            .run(&[&["archive"], &args[..], &WHOLE, &["--plots", "none", "--output", "out"]].concat())
            .ended_with(0);
        ["groups.csv", "group-histograms.csv", "clocks.csv", "group-quantiles.csv"]
            .map(|table| bench.text(&format!("out/{table}")))
    };
    let one = groups("games.pgn --jobs 1");
    assert!(one[0].lines().count() > 5, "{}", one[0]);
    for other in [
        "games.pgn --jobs 4",
        "games.pgn --jobs 2 --check-moves",
        "packed.pgn --jobs 3",
        "first.pgn second.pgn --jobs 2",
        "games.pgn first.pgn --jobs 2",
        "second.pgn first.pgn --jobs 2",
    ] {
        assert_eq!(groups(other), one, "{other}");
    }
    for half in ["first", "second"] {
        let (file, part) = (format!("{half}.pgn"), format!("{half}.parquet"));
        bench
            .run(&[&["archive", &file, "--partial", &part, "--output", half][..], &WHOLE].concat())
            .ended_with(0);
    }
    bench
        .run(&["merge", "first.parquet", "second.parquet", "--output", "both", "--plots", "none"])
        .ended_with(0);
    assert_eq!(bench.text("both/group-quantiles.csv"), one[3], "parts add up to the whole");
    assert!(one[3].contains("seconds_a_move,endgame"), "{}", one[3]);
}

const WHOLE: [&str; 3] = ["--by", "speed,elo-band:200", "--quantiles"];

#[test]
fn the_quantiles_of_an_archive_are_those_of_its_games() {
    // A hundred games of twelve moves each. White's last move loses 0, 12, 24 … 1188 centipawns, by the
    // number of the game. That is a loss of 0 to 99 per move.
    let game = |number: usize| {
        let knights = ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle().take(24).enumerate();
        let told = |(ply, san): (usize, &str)| {
            let cp = if ply < 22 { 600 } else { 600 - 12 * number as i32 };
            format!("{san} {{ [%eval {:.2}] [%clk 0:02:{:02}] }} ", f64::from(cp) / 100.0, 59 - 2 * (ply / 2))
        };
        let moves: String = knights.map(told).collect();
        format!(
            "[Event \"Rated blitz game\"]\n[White \"W{number}\"]\n[Black \"B{number}\"]\n[Result \"*\"]\n[WhiteElo \"1750\"]\n\
             [BlackElo \"1650\"]\n[TimeControl \"180+0\"]\n\n{moves}*\n\n"
        )
    };
    let text: String = (0..100).map(game).collect();
    let bench = Bench::new(&text);
    let args =
        ["archive", "games.pgn", "--by", "speed,elo-band", "--quantiles", "--partial", "peers.parquet"];
    bench.run(&[&args[..], &["--output", "out", "--plots", "none"]].concat()).ended_with(0);
    let of = |group: &str, measure: &str| {
        let rows = bench.table(
            "out/group-quantiles.csv",
            &["group", "measure", "part", "games", "q5", "q25", "q50", "q95"],
        );
        rows.into_iter().find(|row| row[0] == group && row[1] == measure && row[2] == "game").expect("a row")
            [3..]
            .to_vec()
    };
    // The first move, from +0.15 to +6.00, loses nothing. In 5 of 100 games White loses at most 4 centipawns
    // a move.
    assert_eq!(of("blitz, 1700", "centipawn_loss"), ["100", "4.0000", "24.0000", "49.0000", "94.0000"]);
    assert_eq!(of("blitz, 1700", "seconds_a_move"), ["100", "2.0000", "2.0000", "2.0000", "2.0000"]);
    // A player with that rating and the games 80 to 94. For example, 12 of the 100 games lose more than game
    // 87, and its own copy counts half: a share of 0.125.
    let own: String = (80..95).map(game).collect();
    let own = (80..95).fold(own, |text, number| text.replace(&format!("\"W{number}\""), "\"Doe, Jane\""));
    bench.write("own.pgn", own.as_bytes());
    let run =
        ["player", "Doe", "own.pgn", "--evals", "pgn", "--reference", "peers.parquet", "--output", "jane"];
    let said = bench.run(&run).ended_with(0);
    let found = bench.table("jane/peers.csv", &["measure", "part", "games", "above", "peers", "peer_games"]);
    let loss = found.iter().find(|row| row[0] == "centipawn_loss" && row[1] == "game").expect("a row");
    assert_eq!(loss[2..], ["15", "0.1250", "1700–1799 in blitz", "100"], "the mean of 0.195, 0.185 … 0.055");
    assert!(said.stdout.contains("100\ngames by players rated 1700–1799 in blitz."), "{}", said.stdout);
    bench.run(&[&run[..6], &["none", "--output", "alone"]].concat()).ended_with(0);
    assert!(!bench.path("alone/peers.csv").exists());
}

#[test]
fn what_is_no_reference_is_refused_with_what_writes_one() {
    let bench = Bench::new(&ARCHIVE.games(12));
    for (by, told) in [("speed,elo-band", "without --quantiles"), ("elo-band", "grouped by elo-band")] {
        bench.run(&["archive", "games.pgn", "--by", by, "--partial", "a.parquet", "--force"]).ended_with(0);
        let refused = bench.run(&["expect", "--elo", "1700", "--reference", "a.parquet"]).ended_with(2);
        refused.said(&[
            "a.parquet: not a reference",
            told,
            "archive --by speed,elo-band --quantiles --partial",
        ]);
    }
}

#[test]
fn an_archive_may_be_in_many_files() {
    let text = ARCHIVE.games(12);
    let starts: Vec<usize> = text.match_indices("[Event ").map(|(at, _)| at).chain([text.len()]).collect();
    let bench = Bench::new(&text);
    std::fs::create_dir(bench.path("months")).expect("a folder");
    for (number, pair) in starts.windows(2).enumerate() {
        bench.write(&format!("months/{number:02}.pgn"), &text.as_bytes()[pair[0]..pair[1]]);
    }
    let groups = |name: &str, jobs: &str| {
        bench.run(&["archive", name, "--by", "year", "--jobs", jobs, "--output", "out"]).ended_with(0);
        bench.text("out/groups.csv")
    };
    let one = groups("games.pgn", "1");
    assert_eq!([groups("months", "1"), groups("months", "2")], [one.clone(), one]);
}
