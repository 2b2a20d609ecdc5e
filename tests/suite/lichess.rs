//! Tests of games in the form of lichess and of engine matches, from the file to the report.

use crate::program::Bench;

/// Three games of the Candidates Tournament with the evaluations of `data/`, in lichess's form: no comment is
/// before the first move. The clocks are artificial.
const LICHESS: &str = include_str!("lichess.pgn");

fn bench(pgn: &str) -> Bench {
    Bench::new(pgn).with("GAINALYZE_ENGINE", "/no/such/engine")
}

/// Returns the cells of a column of a table, row by row.
fn column(bench: &Bench, table: &str, name: &str) -> Vec<String> {
    bench.table(table, &[name]).concat()
}

#[test]
fn in_games_of_lichess_the_first_move_has_no_gain_and_the_report_says_so() {
    let bench = bench(LICHESS);
    let run = bench.run(&["games.pgn", "--game", "1", "--split", "eval", "--tables", "all"]).ended_with(0);
    let said = "Not counted: the first move of 3 games, because the start position has no evaluation, as in games from \
                lichess.";
    assert!(unwrapped(&run.stdout).contains(said), "{}", run.stdout);
    let notes = bench.summary("reports/games")["notes"].to_string();
    assert!(notes.contains("the first move of 3 games"), "{notes}");
    let [ply, before, gain, counted] = ["ply", "before_cp", "gain_cp", "counted"]
        .map(|name| column(&bench, "reports/games/moves.csv", name));
    for (row, ply) in ply.iter().enumerate() {
        let first = ply == "1";
        assert_eq!((before[row].is_empty(), gain[row].is_empty()), (first, first), "row {row}");
        assert_eq!(counted[row], (!first).to_string());
    }
    let plies: usize = column(&bench, "reports/games/games.csv", "plies")
        .iter()
        .map(|n| n.parse::<usize>().expect("n"))
        .sum();
    let moves: usize = column(&bench, "reports/games/players.csv", "moves")
        .iter()
        .map(|n| n.parse::<usize>().expect("n"))
        .sum();
    assert_eq!(moves, plies - 3);
    assert_eq!(bench.summary("reports/games")["positions"], plies);
    assert!(bench.path("reports/games/game-1.png").exists());
}

#[test]
fn games_without_evaluations_are_searched_as_deeply_as_the_others_were() {
    let second = LICHESS.match_indices("[Event ").nth(1).expect("three games").0;
    let (first, others) = LICHESS.split_at(second);
    let mixed = |depth: &str| {
        let bare: String = others
            .split("[%eval ")
            .enumerate()
            .map(|(place, part)| match place {
                0 => part.to_owned(),
                _ => part.split_once(']').expect("an end").1.to_owned(),
            })
            .collect();
        let deep = first.replace("\n\n1. ", "\n\n{ [%eval 0.29] } 1. ");
        let deep: String = deep
            .split("[%eval ")
            .enumerate()
            .map(|(place, part)| match place {
                0 => part.to_owned(),
                _ => format!("[%eval {}", part.replacen(']', &format!("{depth}]"), 1)),
            })
            .collect();
        Bench::new(&(deep + &bare))
    };
    let run = |bench: &Bench, more: &[&str]| {
        let args = ["games.pgn", "--output", "out", "--plots", "none", "--no-html", "--calibration", "none"];
        bench.run(&[&args[..], more].concat()).ended_with(0).stderr
    };
    let alike = run(&mixed(",12"), &[]);
    let note = "the depth of the recorded evaluations";
    let to_12 = format!("games without evaluations are searched to depth 12, {note}");
    assert!(alike.contains(&to_12), "{alike}");
    assert!(alike.contains(", depth 12, forward"), "{alike}");
    let unknown = run(&mixed(""), &[]);
    assert!(!unknown.contains(note) && unknown.contains(", depth 10, forward"), "{unknown}");
    let chosen = run(&mixed(",12"), &["--depth", "3"]);
    assert!(!chosen.contains(note) && chosen.contains(", depth 3, forward"), "{chosen}");
}

#[test]
fn the_other_moves_have_the_numbers_that_they_have_with_an_evaluation_of_the_start() {
    let lichess = bench(LICHESS);
    lichess.run(&["games.pgn", "--skip-moves", "1", "--also", "all"]).ended_with(0);
    let starts = LICHESS.replace("\n\n1. ", "\n\n{ [%eval 0.29] } 1. ");
    assert_ne!(starts, LICHESS);
    let whole = bench(&starts);
    whole.run(&["games.pgn", "--skip-moves", "1", "--also", "all"]).ended_with(0);
    for table in ["players.csv", "statistics.csv", "score-kept.csv", "pairs.csv", "games.csv"] {
        let path = format!("reports/games/{table}");
        assert_eq!(lichess.text(&path), whole.text(&path), "{table}");
    }
}

#[test]
fn games_of_lichess_are_written_back_and_reported_again_as_they_are() {
    let bench = bench(LICHESS);
    let first = bench
        .run(&["games.pgn", "--annotate", "out.pgn", "--evals", "pgn", "--output", "first", "--also", "all"])
        .ended_with(0);
    let out = bench.text("out.pgn");
    assert!(out.contains("\n\n1. d4 { [%eval 0.33] [%clk 0:03:00] }"), "{out}");
    let again = bench.run(&["out.pgn", "--output", "again", "--also", "all"]).ended_with(0);
    assert_eq!(again.stdout, first.stdout);
    // The pages have their command, and these pictures the name of the file.
    let is_same = |name: &str| !name.ends_with(".html") && !["card.png", "ranking.png"].contains(&name);
    let files =
        |folder| bench.files(folder).into_iter().filter(|(name, _)| is_same(name)).collect::<Vec<_>>();
    assert!(files("again") == files("first"), "another file");
    let remade = bench.run(&["report", "first", "--output", "remade"]).ended_with(0);
    assert_eq!(remade.stdout, first.stdout);
    for table in ["moves.csv", "games.csv", "players.csv", "summary.json", "histograms.csv"] {
        assert_eq!(bench.text(&format!("remade/{table}")), bench.text(&format!("first/{table}")), "{table}");
    }
    let run = bench.run(&["sensitivity", "games.pgn", "--against", "first", "--metric", "win"]).ended_with(0);
    assert!(run.stdout.contains("the same 3 games"), "{}", run.stdout);
}

#[test]
fn games_are_chosen_by_the_tags_that_lichess_gives_them() {
    let bench = bench(LICHESS);
    for (control, games) in [("blitz", "1"), ("600+5", "2"), ("bullet", "3")] {
        bench.run(&["games.pgn", "--time-control", control]).ended_with(0);
        assert_eq!(column(&bench, "reports/games/games.csv", "game"), [games], "{control}");
    }
}

#[test]
fn what_engines_say_of_their_own_moves_is_mentioned_and_not_used() {
    let game = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 {book} e5 {+0.31/20 1.2s} 2. Nf3 {-0.20/18 0.9s, A resigns} 0-1\n";
    let told = "has only evaluations by the players' own engines (as in {+0.31/20 1.2s}), but gains need the evaluations of one engine";
    let refused = bench(game).run(&["games.pgn", "--evals", "pgn"]).ended_with(2);
    refused.said(&[
        "error: the game has no [%eval] comment; there are only evaluations by",
        "(as in {+0.31/20 1.2s}), but gains need",
    ]);
    let bench = Bench::new(game);
    bench.run(&["games.pgn", "--annotate", "out.pgn"]).ended_with(0).said(&[
        "1 game",
        told,
        "searched instead",
    ]);
    assert!(bench.text("out.pgn").contains("{ +0.31/20 1.2s }"), "words stay");
}

#[test]
fn evaluations_in_no_known_form_are_counted_and_the_first_is_named() {
    let odd =
        LICHESS.replacen("[%eval 0.33]", "[%eval +/=]", 1).replacen("[%eval 0.3]", "[%eval 99999999999]", 1);
    let run = bench(&odd).run(&["games.pgn", "--evals", "pgn"]).ended_with(0);
    run.said(&[
        "2 evaluations in an unknown form are not used; the first is in games.pgn, game 1",
        "[%eval +/=]",
    ]);
}

const CLUB: &str = include_str!("../../data/club-games-stockfish-15.1-depth-12.pgn");

/// Returns the games of [`CLUB`] with this `speed`, marked as evaluated to the depth of the calibrations. Ann
/// has White in all of these games.
fn of_ann(speed: &str) -> Vec<String> {
    let games = CLUB.split("\n\n[Event ").filter(|game| game.contains(&format!("lichess {speed}")));
    let anns = |game: &str| {
        let game = format!("[Event {}\n\n", game.trim_start_matches("[Event ").trim_end());
        let lines = game.replace("depth 12", "depth 10").replace("{ [%eval", "\n{ [%eval");
        let of_ann = |line: &str| match line.strip_prefix("[White ") {
            Some(_) => "[White \"Ann\"]".to_owned(),
            None => line.to_owned(),
        };
        lines.lines().map(of_ann).collect::<Vec<_>>().join("\n") + "\n\n"
    };
    games.map(anns).collect()
}

/// Rates the games by their recorded evaluations. Returns the terminal's output, the quality of play of all
/// players, and Ann's entry in it.
fn rated(games: &[String]) -> (String, serde_json::Value, serde_json::Value) {
    let bench = bench(&games.concat());
    let run =
        bench.run(&["rate", "games.pgn", "--output", "out", "--no-html", "--plots", "none"]).ended_with(0);
    let quality = bench.summary("out")["quality"].clone();
    let players = quality["players"].as_array().expect("players");
    let ann = players.iter().find(|player| player["player"] == "Ann").expect("Ann").clone();
    (unwrapped(&run.stdout), quality, ann)
}

#[test]
fn a_player_of_lichess_is_rated_on_the_scale_of_the_speed() {
    for (speed, least) in [("rapid", 11), ("blitz", 5)] {
        let games = of_ann(speed);
        assert!(games.len() >= least, "{}", games.len());
        let (shown, quality, ann) = rated(&games);
        assert_eq!(quality["scale"], format!("lichess-{speed}"));
        assert!(shown.contains(&format!("They are on lichess's scale of {speed} (calibrated")), "{shown}");
        let rating = ann["rating"]["outright"]["value"].as_f64().expect("a rating");
        assert!(ann["rating"]["refusal"].is_null() && (800.0..2200.0).contains(&rating), "{ann}");
        // The opponents have one game each, too few for a rating.
        let others = quality["players"].as_array().expect("players");
        assert!(others.iter().all(|one| one["player"] == "Ann" || !one["rating"]["refusal"].is_null()));
        assert!(
            shown.contains("–: no rating of play (fewer than 100 moves, fewer than 3 games")
                && !shown.contains("  ("),
            "{shown}"
        );
    }
}

#[test]
fn the_same_games_on_another_server_are_rated_on_the_scale_of_lichess_and_the_report_says_so() {
    let elsewhere: Vec<String> =
        of_ann("rapid").iter().map(|game| game.replace("lichess.org", "Chess.com")).collect();
    let (shown, quality, ann) = rated(&elsewhere);
    assert_eq!(quality["scale"], "lichess-rapid");
    assert!(shown.contains("own ratings are on another scale"), "{shown}");
    assert!(ann["form"].is_null(), "no distance between two scales: {ann}");
}

#[test]
fn games_of_another_speed_do_not_count_and_the_report_says_how_many() {
    let (blitz, rapid) = (of_ann("blitz"), of_ann("rapid"));
    let (_, alone, _) = rated(&rapid);
    let (shown, mixed, _) = rated(&[&blitz[..5], &rapid].concat());
    assert_eq!(mixed["scale"], "lichess-rapid");
    assert_eq!(mixed["players"], alone["players"]);
    assert!(shown.contains("Not counted: 5 games on another scale"), "{shown}");
}

#[test]
fn a_speed_of_lichess_without_a_scale_is_rated_as_rapid_and_the_report_says_so() {
    let slow = |game: &String| game.replace("lichess blitz", "lichess classical");
    let (shown, quality, ann) = rated(&of_ann("blitz").iter().map(slow).collect::<Vec<_>>());
    assert_eq!(quality["scale"], "lichess-rapid");
    assert!(ann["rating"]["refusal"].is_null() && ann["form"].is_null(), "{ann}");
    assert!(shown.contains("own ratings are on another scale"), "{shown}");
}

/// Returns the words of a text, separated by single spaces.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_profile_says_what_its_ratings_do_not_compare_with_and_what_is_in_brackets() {
    let profile = |speed: &str, site: &str| {
        let games = of_ann(speed).concat().replace("lichess.org", site);
        let run = bench(&games).run(&["player", "Ann", "games.pgn", "--by", "color,year", "--no-html"]);
        unwrapped(&run.ended_with(0).stdout)
    };
    let (own, elsewhere) = (profile("rapid", "lichess.org"), profile("rapid", "Chess.com"));
    for shown in [&own, &elsewhere] {
        assert!(
            shown.contains(
                "Ratings of play are on lichess's scale of rapid. Evaluations: Stockfish 15.1, depth 10, \
                forward."
            ),
            "{shown}"
        );
    }
    let foreign = "own ratings are on another scale";
    assert!(!own.contains(foreign) && elsewhere.contains(foreign), "{own}{elsewhere}");
    let few = of_ann("rapid")[..2].concat();
    let shown =
        unwrapped(&bench(&few).run(&["player", "Ann", "games.pgn", "--no-html"]).ended_with(0).stdout);
    assert!(shown.contains("–: no rating of play (fewer than 100 moves, fewer than 3 games"), "{shown}");
}

#[test]
fn a_player_with_many_games_is_rated_as_the_documentation_has_it() {
    let packed = concat!(env!("CARGO_MANIFEST_DIR"), "/data/one-player-stockfish-15.1-depth-10.pgn.zst");
    let bench = bench("");
    bench.run(&["rate", packed, "--output", "out", "--no-html", "--plots", "none"]).ended_with(0);
    let quality = bench.summary("out")["quality"].clone();
    assert_eq!(quality["scale"], "lichess-rapid");
    let players = quality["players"].as_array().expect("players");
    let player = players.iter().find(|one| one["player"] == "u30bb622736").expect("the player");
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    let outright = &player["rating"]["outright"];
    let [value, low, high, tag] =
        [&outright["value"], &outright["interval"]["low"], &outright["interval"]["high"], &player["elo"]]
            .map(number);
    let told = format!(
        "{} moves of {} games are rated {value:.0} ± {:.0}; the player's tags have a mean of {tag:.0}",
        player["moves"],
        player["games"],
        (high - low) / 2.0
    );
    assert!(unwrapped(include_str!("../../docs/calibration.md")).contains(&told), "{told}");
}

#[test]
fn two_games_of_bullet_are_too_few_for_a_rating() {
    let bullet: Vec<String> =
        of_ann("blitz")[..2].iter().map(|game| game.replace("lichess blitz", "lichess bullet")).collect();
    let (shown, _, ann) = rated(&bullet);
    let refusal = ann["rating"]["refusal"].as_str().expect("a reason");
    assert!(refusal.starts_with("fewer than"), "{ann}");
    assert!(shown.contains("no rating of play (fewer than 100 moves, fewer than 3 games"), "{shown}");
}

#[test]
fn an_event_over_the_board_is_rated_alike_wherever_it_was_shown() {
    let games = include_str!("../../data/candidates-2013-stockfish-15.1-depth-10.pgn");
    let tables = |tags: &str, without_event: bool| {
        let mut text = games.replace("[Site \"London\"]\n", &format!("{tags}\n"));
        if without_event {
            text = text.replace("[Event \"FIDE Candidates Tournament 2013\"]", "[Event \"Round 1: A - B\"]");
        }
        let bench = bench(&text);
        let args = ["games.pgn", "--output", "out", "--plots", "none", "--no-html"];
        let run = bench.run(&args).ended_with(0);
        let archive = ["archive", "games.pgn", "--by", "player", "--plots", "none", "--output", "archive"];
        let counted = bench.run(&archive).ended_with(0);
        let told =
            [run.stderr, counted.stderr].map(|text| text.contains("in 56 games, some tags are those of a server, but the ratings count as ratings over the board"));
        let tables =
            [bench.text("out/quality.csv"), bench.text("out/players.csv"), bench.text("archive/groups.csv")];
        (tables, told)
    };
    let (expected, told) = tables("[Site \"London\"]", false);
    assert_eq!(told, [false; 2]);
    let broadcast = "[Site \"https://lichess.org/broadcast/open/round-1/abcdefgh/ijklmnop\"]\n[TimeControl \"7200+30\"]\n\
        [BroadcastName \"Candidates 2013\"]";
    let study = "[Site \"https://lichess.org/study/abcdefgh/ijklmnop\"]\n[StudyName \"Candidates 2013\"]";
    let page = "[Site \"Chess.com\"]\n[TimeControl \"5400+30\"]";
    for (tags, is_told) in [(broadcast, false), (study, false), (page, true)] {
        let (found, told) = tables(tags, tags == study);
        assert_eq!((found, told), (expected.clone(), [is_told; 2]), "{tags}");
    }
}

#[test]
fn an_archive_of_a_server_is_rated_on_the_scale_of_the_server_too() {
    let note = |games: &str| {
        let args = ["archive", "games.pgn", "--by", "player", "--plots", "none", "--output", "archive"];
        unwrapped(&bench(games).run(&args).ended_with(0).stdout)
    };
    let rapid = note(&of_ann("rapid").concat());
    assert!(rapid.contains("equals the group's average, on lichess's scale of rapid."), "{rapid}");
    let candidates = include_str!("../../data/candidates-2013-stockfish-15.1-depth-10.pgn");
    assert!(note(candidates).contains("equals the group's average. Even"));
}

/// Fourteen rapid games of one player in 2022, as lichess exports the games of a user, with its evaluations.
fn rapid() -> String {
    let packed = include_bytes!("../lichess/rapid.pgn.zst");
    String::from_utf8(zstd::decode_all(packed.as_slice()).expect("zstd")).expect("utf-8")
}

const PLAYER: &str = "uef93800157";

/// Returns the games of [`rapid`] as chapters of a study.
fn study() -> String {
    let chapter = |tag: &str, url: &str| {
        format!("{tag}\n[Annotator \"https://lichess.org/@/someone\"]\n[ChapterURL \"{url}\"]\n")
    };
    let mut number = 0;
    let text = rapid();
    let lines = text.lines().map(|line| {
        number += u32::from(line.starts_with("[Event "));
        match line {
            _ if line.starts_with("[Site ") => String::new(),
            _ if line.starts_with("[Event ") => {
                let url = format!("https://lichess.org/study/abcdefgh/{number:08}");
                chapter(&format!("[Event \"My games: Chapter {number}\"]"), &url)
            }
            moves if moves.starts_with("1. ") => format!("{{ A comment. }} {moves}\n"),
            other => format!("{other}\n"),
        }
    });
    lines.collect()
}

/// Returns the games of [`rapid`] as lichess's page of a game exports them, with judgments and better moves.
fn with_judgments() -> String {
    let text = rapid()
        .replace("[Event \"Rated Rapid game\"]", "[Event \"rated rapid game\"]\n[GameId \"abcdefgh\"]");
    text.replacen(" } 2. ", " } { Inaccuracy. e5 was best. } ( 1... e5 ) 2. ", 1)
}

#[test]
fn rapid_games_that_lichess_has_analyzed_are_rated_by_its_analysis_without_an_engine() {
    for (form, games) in [("a user", rapid()), ("a study", study()), ("a game", with_judgments())] {
        let bench = bench(&games);
        let analyzed = "evaluations of 14 games come from [%eval] comments by lichess's analysis";
        let run = bench.run(&["rate", "games.pgn", "--output", "rated"]).ended_with(0).said(&[analyzed]);
        let told = unwrapped(&run.stdout);
        assert!(
            told.contains("usually play moves of this quality (evaluated by lichess's analysis)"),
            "{form}: {told}"
        );
        assert!(
            told.contains("computed from evaluation losses. They are on lichess's scale of rapid"),
            "{form}: {told}"
        );
        let player = &bench.table("rated/players.csv", &["player", "moves", "rating_of_play"])[0];
        assert_eq!(player[0], PLAYER, "{form}");
        assert!(
            (1900.0..2700.0).contains(&player[2].parse::<f64>().expect("a rating")),
            "{form}: {player:?}"
        );
        let run = bench.run(&["games.pgn", "--output", "main"]).ended_with(0);
        assert!(
            unwrapped(&run.stdout).contains("(evaluated by lichess's analysis)"),
            "{form}: {}",
            run.stdout
        );
        let run = bench.run(&["archive", "games.pgn", "--by", "player", "--output", "counted"]).ended_with(0);
        assert!(run.stdout.contains("on lichess's scale of"), "{form}: {}", run.stdout);
        let run = bench.run_with_input(&["player", PLAYER, "-", "--output", "profile"], &games).ended_with(0);
        let told = unwrapped(&run.stdout);
        assert!(
            told.contains("Rating of play on lichess's scale of rapid, by lichess's analysis: 2"),
            "{form}: {told}"
        );
    }
}

#[test]
fn a_rapid_game_is_compared_with_games_of_its_rating_on_lichess() {
    let bench = bench(&rapid());
    let run = bench.run(&["player", PLAYER, "games.pgn", "--output", "out"]).ended_with(0);
    let told = unwrapped(&run.stdout);
    assert!(told.contains("games by players rated 2400–27"), "{told}");
    let measures = column(&bench, "out/peers.csv", "measure");
    assert!(
        measures.iter().any(|name| name == "centipawn_loss")
            && measures.iter().all(|name| name != "first_choice_percent")
    );
    let run = bench.run(&["expect", "--elo", "1650", "--scale", "lichess-rapid"]).ended_with(0);
    assert!(
        run.stdout.contains("rapid, 1600–1799") && run.stdout.contains("lichess's analysis"),
        "{}",
        run.stdout
    );
}

#[test]
fn games_are_not_rated_where_the_scale_of_the_evaluations_cannot_be_told() {
    let doubled = |part: &str| {
        let (score, rest) = part.split_once(']').expect("an end");
        let number = score.parse::<f64>().map_or(score.to_owned(), |pawns| format!("{:.2}", 2.0 * pawns));
        format!("[%eval {number}]{rest}")
    };
    let games = rapid().replace("[Date \"2022", "[Date \"2025");
    let mut parts = games.split("[%eval ");
    let first = parts.next().expect("tags").to_owned();
    let bench = bench(&(first + &parts.map(doubled).collect::<String>()));
    let run = bench.run(&["games.pgn", "--also", "all"]).ended_with(0);
    let told = "No ratings of play: the scale of lichess's evaluations of games of 2025 cannot be told.";
    assert!(unwrapped(&run.stdout).contains(told), "{}", run.stdout);
    // `rate` searches instead.
    bench.run(&["rate", "games.pgn"]).ended_with(2).said(&["engine /no/such/engine cannot be started"]);
}

#[test]
fn blitz_games_have_no_scale_and_are_not_rated_as_rapid_games() {
    let bench = bench(&rapid().replace("[TimeControl \"600", "[TimeControl \"180").replace("Rapid", "Blitz"));
    let run = bench.run(&["games.pgn"]).ended_with(0);
    assert!(!run.stdout.contains("rating of play"), "{}", run.stdout);
    let said = "the evaluations are by lichess's analysis, but calibrations exist only for";
    assert!(unwrapped(&(run.stdout + &run.stderr)).contains(said));
}

#[test]
fn a_calibration_is_made_from_the_evaluations_in_the_games() {
    let bench = bench(&rapid());
    let run = bench
        .run(&["calibrate", "--evals", "lichess", "games.pgn", "--scale", "lichess-rapid"])
        .ended_with(2);
    assert!(run.stderr.contains("15,000 moves") || run.stderr.contains("15000 moves"), "{}", run.stderr);
}
