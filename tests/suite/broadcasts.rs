//! A month of lichess's broadcasts: artificial games in exactly their form, counted by event.

use std::{collections::BTreeMap, sync::LazyLock};

use gainalyze::chess::{Game, GameResult, Judgment, Score, pgn::parse_games};
use shakmaty::Color;

use crate::generate::broadcasts::Broadcasts;
use crate::program::Bench;

/// The first 500 games of a month.
static MONTH: LazyLock<String> = LazyLock::new(|| {
    let mut text = Vec::new();
    Broadcasts::new(1, 48).write(500, &mut text).expect("memory");
    String::from_utf8(text).expect("UTF-8")
});

fn bench() -> Bench {
    Bench::new("").with("GAINALYZE_ENGINE", "/no/such/engine")
}

fn month() -> Bench {
    let bench = bench();
    bench.write("month.pgn", MONTH.as_bytes());
    bench
}

/// Returns the event as the generator numbers it, and the games of this event that have evaluations.
fn by_event() -> BTreeMap<String, Vec<Game>> {
    let mut events: BTreeMap<String, Vec<Game>> = BTreeMap::new();
    let games = parse_games(&MONTH, "month").into_iter().map(|game| game.expect("a legal game"));
    for game in games.filter(|game| game.moves.len() > 1 && game.moves[0].eval.is_some()) {
        let name = game.tags.get("BroadcastName").expect("a broadcast");
        events.entry(name.split(" | Round").next().expect("a name").to_owned()).or_default().push(game);
    }
    events
}

#[test]
fn a_month_is_summarized_by_event_with_blitz_and_rapid_apart() {
    let bench = month();
    let run = bench.run(&["archive", "month.pgn", "--by", "event", "--output", "out"]).ended_with(0);
    let attribution =
        "games of lichess.org’s broadcasts (https://database.lichess.org/#broadcasts, CC BY-SA 4.0)";
    assert!(run.stdout.contains(attribution), "{}", run.stdout);
    let events = by_event();
    let rows = bench.table("out/archive-events.csv", &["event", "games", "players", "elo", "upsets"]);
    // By the time controls of the generator: rapid, blitz, and rapid by the clock because the tag is missing.
    let speeds =
        BTreeMap::from([("Open 4", " (rapid)"), ("Open 5 | Open", " (blitz)"), ("Open 7", " (rapid)")]);
    let named = |event: &str| format!("{event}{}", speeds.get(event).unwrap_or(&""));
    let mut expected: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (event, games) in &events {
        let ids = |color: Color| {
            games.iter().map(move |game| game.tags.get(color.fold_wb("WhiteFideId", "BlackFideId")))
        };
        let players: std::collections::BTreeSet<_> = ids(Color::White).chain(ids(Color::Black)).collect();
        let sides = games.iter().flat_map(|game| Color::ALL.map(|color| game.elo(color).expect("a rating")));
        let elo = sides.map(f64::from).sum::<f64>() / (2 * games.len()) as f64;
        let is_upset = |game: &&Game| {
            let winner = match game.result {
                GameResult::WhiteWins => Color::White,
                GameResult::BlackWins => Color::Black,
                _ => return false,
            };
            game.elo(!winner).expect("a rating") >= game.elo(winner).expect("a rating") + 200
        };
        let upsets = games.iter().filter(is_upset).count();
        let cells =
            [games.len().to_string(), players.len().to_string(), format!("{elo:.2}"), upsets.to_string()];
        expected.insert(named(event), cells.to_vec());
    }
    assert_eq!(rows.len(), expected.len());
    for row in &rows {
        let [games, players, elo, upsets] = &expected[&row[0]][..] else { panic!("four cells") };
        assert_eq!((&row[1], &row[2], &row[4]), (games, players, upsets), "{}", row[0]);
        assert!(
            (row[3].parse::<f64>().expect("Elo") - elo.parse::<f64>().expect("Elo")).abs() < 0.006,
            "{}",
            row[0]
        );
    }
    assert!(rows.iter().any(|row| row[0].ends_with("(blitz)")) && rows.iter().any(|row| row[4] != "0"));
    let page = bench.text("out/report.html");
    for event in expected.keys() {
        assert!(page.contains(&format!("<bdi>{event}</bdi>")), "{event}");
    }
}

#[test]
fn players_with_one_fide_id_are_one_entrant_and_their_points_are_those_of_the_games() {
    let bench = month();
    bench.run(&["archive", "month.pgn", "--by", "event", "--output", "out", "--quiet"]).ended_with(0);
    let rows = bench.table("out/archive-players.csv", &["event", "player", "points", "results", "title"]);
    let games = &by_event()["Open 1"];
    let mut points: BTreeMap<&str, (f64, u64, Option<&str>)> = BTreeMap::new();
    for game in games {
        for color in Color::ALL {
            let id = game.tags.get(color.fold_wb("WhiteFideId", "BlackFideId")).expect("an id");
            let entry = points.entry(id).or_default();
            entry.0 += f64::from(game.result.half_points(color).expect("a result")) / 2.0;
            entry.1 += 1;
            entry.2 = game.tags.get(color.fold_wb("WhiteTitle", "BlackTitle"));
        }
    }
    let mut expected: Vec<_> = points
        .values()
        .map(|(points, games, title)| {
            (format!("{points:.1}"), games.to_string(), title.unwrap_or_default().to_owned())
        })
        .collect();
    let mut found: Vec<_> = rows
        .iter()
        .filter(|row| row[0] == "Open 1")
        .map(|row| (row[2].clone(), row[3].clone(), row[4].clone()))
        .collect();
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
    assert!(rows.iter().all(|row| !row[1].contains("FIDE")), "no two players of the month have one name");
}

#[test]
fn a_performance_in_an_event_is_the_performance_of_the_event_alone() {
    let bench = month();
    let event = MONTH.split_inclusive("\n\n\n").filter(|game| game.contains("[BroadcastName \"Open 1\"]"));
    bench.write("event.pgn", event.collect::<String>().as_bytes());
    bench.run(&["archive", "month.pgn", "--by", "event", "--output", "all", "--quiet"]).ended_with(0);
    bench.run(&["archive", "event.pgn", "--by", "player", "--output", "one", "--quiet"]).ended_with(0);
    let measured = ["games", "expected_score", "expected_score_low", "elo_difference", "performance"];
    let mut alone = bench.table("one/groups.csv", &[&["group"], &measured[..]].concat());
    let mut among =
        bench.table("all/archive-players.csv", &[&["player"], &measured[..], &["event"]].concat());
    among.retain(|row| row.last().is_some_and(|event| event == "Open 1"));
    among.iter_mut().for_each(|row| drop(row.pop()));
    alone.sort();
    among.sort();
    assert_eq!(among, alone);
    assert_eq!(among.len(), 10);
}

#[test]
fn blunders_are_counted_by_the_time_left() {
    let bench = month();
    bench.run(&["archive", "month.pgn", "--by", "event", "--output", "out", "--quiet"]).ended_with(0);
    let columns = ["event", "moves_in_trouble", "blunders_in_trouble", "blunders_timely"];
    for row in bench.table("out/archive-events.csv", &columns) {
        let games = &by_event()[row[0].split(" (").next().expect("a name")];
        let (mut moves, mut blunders) = ([0u32; 2], [0u32; 2]);
        for game in games {
            // The last position has no evaluation if the rules decide the game.
            let score = |ply: usize| {
                let said = game.moves[ply].eval.and_then(|eval| Score::of_comment(eval.score));
                said.or((game.result == GameResult::Draw).then_some(Score::Cp(0)))
            };
            for ply in 1..game.moves.len() {
                let class = usize::from(game.moves[ply].clock.expect("a clock").as_secs() < 60);
                let judged = score(ply - 1).zip(score(ply));
                let mover = Color::from_white(ply % 2 == 0);
                let judgment = judged.and_then(|(before, after)| Judgment::of_move(mover, before, after));
                moves[class] += 1;
                blunders[class] += u32::from(judgment == Some(Judgment::Blunder));
            }
        }
        let share = |class: usize| match moves[class] {
            0 => String::new(),
            all => format!("{:.4}", f64::from(blunders[class]) / f64::from(all)),
        };
        assert_eq!(row[1..], [moves[1].to_string(), share(1), share(0)], "{}", row[0]);
    }
}

#[test]
fn parts_of_a_month_merge_into_the_month() {
    let bench = month();
    let whole =
        bench.run(&["archive", "month.pgn", "--by", "event", "--output", "whole", "--quiet"]).ended_with(0);
    let middle = MONTH.match_indices("[Event ").nth(240).expect("500 games").0;
    for (name, text) in [("a", &MONTH[..middle]), ("b", &MONTH[middle..])] {
        bench.write(&format!("{name}.pgn"), text.as_bytes());
        let [file, part] = [format!("{name}.pgn"), format!("{name}.parquet")];
        bench
            .run(&["archive", &file, "--by", "event", "--partial", &part, "--output", name, "--quiet"])
            .ended_with(0);
    }
    let merged =
        bench.run(&["merge", "a.parquet", "b.parquet", "--output", "merged", "--quiet"]).ended_with(0);
    assert_eq!(whole.stdout, merged.stdout);
    let mut files = [bench.files("whole"), bench.files("merged")];
    files.iter_mut().for_each(|files| drop(files.remove("run.json")));
    assert_eq!(files[0].keys().collect::<Vec<_>>(), files[1].keys().collect::<Vec<_>>());
    for (name, bytes) in &files[0] {
        assert!(*bytes == files[1][name], "{name}");
    }
}

#[test]
fn each_event_has_a_report_of_its_own_that_can_be_made_again() {
    let bench = bench();
    let end = MONTH.match_indices("[Event ").nth(90).expect("500 games").0;
    bench.write("month.pgn", MONTH[..end].as_bytes());
    let args = [
        "archive",
        "month.pgn",
        "--by",
        "event",
        "--separately",
        "--plots",
        "none",
        "--output",
        "out",
        "--quiet",
    ];
    bench.run(&args).ended_with(0);
    let page = bench.text("out/report.html");
    for event in ["open-1", "open-2-open", "open-3"] {
        let address = format!("events/{event}/report.html");
        assert!(page.contains(&format!("href=\"{address}\"")), "{event}");
        assert!(bench.text(&format!("out/{address}")).contains("Anna"), "{event}");
    }
    let before = bench.files("out/events/open-1");
    bench.run(&["report", "out/events/open-1", "--quiet"]).ended_with(0);
    assert_eq!(before["players.csv"], bench.files("out/events/open-1")["players.csv"]);
    for args in [&["--by", "player", "--separately"][..], &["--by", "event", "--separately", "-"]] {
        bench
            .run(&[&["archive", "month.pgn"], args].concat())
            .ended_with(2)
            .said(&["--separately writes a report of each event"]);
    }
}
