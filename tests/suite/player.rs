//! Tests of the profile of a player: the choice of the player, the groups of moves, and the positions to
//! train on.

use std::path::Path;

use gainalyze::chess::pgn::parse_games;

use crate::program::Bench;

const RECORDED: &str = "data/candidates-2013-stockfish-15.1-depth-20.pgn";

fn data(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name).to_string_lossy().into_owned()
}

#[test]
fn a_player_is_found_by_the_name_as_people_write_it_and_has_a_page_a_table_and_positions_to_train_on() {
    let bench = Bench::of_games();
    let run = bench.run(&["player", "magnus carlsen", &data(RECORDED), "--output", "out"]).ended_with(0);
    let first = run.stdout.lines().next().expect("a headline");
    assert_eq!(first, "No certain difference between Magnus Carlsen and the opponents.");
    assert!(run.stdout.lines().count() <= 50, "{}", run.stdout);
    let columns = ["side", "games", "won", "drawn", "lost", "won_share"];
    let won = bench.table("out/conversion.csv", &columns);
    assert_eq!((won[0][0].as_str(), won[1][0].as_str(), won.len()), ("player", "opponents", 2));
    let table = bench.text("out/profile.csv");
    assert!(table.lines().nth(1).is_some_and(|line| line.starts_with("all,all moves,14,663,")), "{table}");
    for group in ["color,White,7,331,", "color,Black,7,332,", "phase,endgame,9,174,", "position,level"] {
        assert!(table.contains(group), "{group}: {table}");
    }
    let page = bench.text("out/report.html");
    assert_eq!(page.matches("<article class=\"moment\">").count(), 10);
    assert!(page.contains("The opponents in the same games lost "), "the tests are on the page");
    assert!(
        page.contains(">No certain difference between Magnus Carlsen and the opponents</h1>"),
        "as on the terminal"
    );
    let text = bench.text("out/mistakes.pgn");
    let games: Vec<_> = parse_games(&text, "mistakes").into_iter().map(|game| game.expect("legal")).collect();
    assert!(!games.is_empty(), "{text}");
    for game in games {
        assert!(
            game.tags
                .get("Theme")
                .is_some_and(|theme| theme.starts_with("mistake") || theme.starts_with("blunder"))
        );
        let variation = |played: &gainalyze::chess::game::PlayedMove| format!("{:?}", played.annotations);
        assert!(variation(&game.moves[0]).contains("winning chances"), "what was played, and what it cost");
        let mover = game.player(game.movers().next().expect("a move"));
        assert_eq!(mover, "Carlsen, Magnus");
        assert!(game.tags.get("FEN").is_some());
        assert!(text.contains("71. c6 "), "the solution is the main line: {text}");
    }
}

#[test]
fn a_rated_profile_in_a_pipe_has_moves_points_and_first_choices_and_groups_that_are_missing_are_named() {
    let bench = Bench::of_games();
    let args =
        ["player", "Carlsen", &data("data/candidates-2013-stockfish-15.1-depth-10.pgn"), "--output", "out"];
    let run = bench.run(&[&args[..], &["--by", "phase,position,opening"]].concat()).ended_with(0);
    assert!(
        run.stderr.contains("not grouped by opening: fewer than two groups have moves"),
        "{}",
        run.stderr
    );
    let profile = run.stdout.split("Profile: ").nth(1).expect("a profile");
    let table: Vec<&str> = profile.lines().skip(1).take_while(|line| !line.starts_with("Loss of")).collect();
    for heading in ["Moves", "Score", "Top", "Accuracy", "Difference", "Rating"] {
        assert!(table[0].contains(heading), "{heading}: {}", table[0]);
    }
    assert!(table.iter().all(|line| line.chars().count() <= 100), "{profile}");
}

#[test]
fn the_opponents_of_the_same_games_are_a_control_group() {
    // In six games with each color, Anna loses a pawn or two at her first move; her opponents lose nothing.
    let game = |number: u32| {
        let other = format!("Bert {number}");
        let is_white = number.is_multiple_of(2);
        let (white, black) = if is_white { ("Anna", &*other) } else { (&*other, "Anna") };
        let lost = 1 + number / 2 % 2;
        let [first, then] = match white {
            "Anna" => [format!("-{lost}.{number:02}"), format!("-{lost}.{number:02}")],
            _ => ["0.2".to_owned(), format!("{lost}.{number:02}")],
        };
        format!(
            "[Round \"{number}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"*\"]\n\n{{ [%eval 0.2] }} 1. e4 \
             {{ [%eval {first}] }} e5 {{ [%eval {then}] }} 2. d4 {{ [%eval {then}] }} exd4 {{ [%eval {then}] }} *\n\n"
        )
    };
    let bench = Bench::new(&(0..12).map(game).collect::<String>());
    let run = bench.run(&["player", "Anna", "games.pgn", "--output", "out", "--plots", "none"]).ended_with(0);
    assert!(run.stdout.starts_with("Anna plays worse than the opponents"), "{}", run.stdout);
    let page = bench.text("out/report.html");
    for sentence in [
        "The opponents in the same games lost 0.00 percentage points of winning chances per move",
        "the player loses significantly more winning chances per move than the opponents (Holm-adjusted):",
    ] {
        assert!(page.contains(sentence), "{sentence}");
    }
    let columns = [
        "by",
        "group",
        "moves",
        "opponents_moves",
        "opponents_win_loss_percent",
        "more_than_opponents",
        "more_p_holm",
    ];
    let rows = bench.table("out/profile.csv", &columns);
    let number = |text: &String| text.parse::<f64>().expect("a number");
    assert_eq!((rows[0][0].as_str(), rows[0][2].as_str(), rows[0][3].as_str()), ("all", "24", "24"));
    assert!(number(&rows[0][4]) == 0.0 && number(&rows[0][5]) > 5.0, "{rows:?}");
    let white = rows.iter().find(|row| row[1] == "White").expect("the games with White");
    assert_eq!((white[2].as_str(), white[3].as_str()), ("12", "12"), "Black's moves of these games");
    assert!(number(&white[5]) > 5.0 && number(&white[6]) < 0.05, "{white:?}");
}

#[test]
fn groups_of_two_games_have_no_shares_and_a_pipe_gets_100_columns() {
    let bench = Bench::of_games();
    let args = ["player", "carlsen", &data(RECORDED), "--output", "out", "--plots", "none"];
    let run = bench.run(&[&args[..], &["--rounds", "1-3"]].concat()).ended_with(0);
    let wide: Vec<&str> = run.stdout.lines().filter(|line| line.chars().count() > 100).collect();
    assert!(wide.is_empty(), "{wide:#?}");
    assert!(run.stdout.contains("Difference") && !run.stdout.contains("More than"), "{}", run.stdout);
    assert!(run.stdout.contains("for groups of fewer than 3 games"), "{}", run.stdout);
    let columns =
        ["games", "accuracy", "first_choice_percent", "win_loss_percent_low", "more_than_opponents"];
    let rows = bench.table("out/profile.csv", &columns);
    assert!(rows.iter().any(|row| row[0] == "2"), "{rows:?}");
    for row in rows.iter().filter(|row| row[0] == "1" || row[0] == "2") {
        assert!(row[1..].iter().all(String::is_empty), "{row:?}");
    }
    let page = bench.text("out/report.html");
    assert!(page.contains("for groups of fewer than 3 games"), "the page says so too");
}

#[test]
fn openings_are_named_by_a_folder_of_tables_and_the_book_is_in_no_games_file() {
    let bench = Bench::of_games();
    let names = bench.path("openings");
    std::fs::create_dir(&names).expect("a new folder");
    let run = |output: &str| {
        let args = ["games.pgn", "--openings-names", "openings", "--annotate", "out.pgn", "--output", output];
        bench.run(&[&args[..], &["--plots", "none"]].concat())
    };
    run("out").ended_with(2).said(&["--openings-names openings: no .tsv file in this folder"]);
    bench.write("openings/c.tsv", b"eco\tname\tpgn\nC20\tWayward Queen Attack\t1. e4 e5 2. Qh5\n");
    bench.write("openings/d.tsv", b"eco\tname\tpgn\nD06\tQueen's Gambit\t1. d4 d5 2. c4\n");
    run("out").ended_with(0);
    let games = bench.table("out/games.csv", &["opening", "book_plies"]);
    assert_eq!(games, [["Wayward Queen Attack", "3"], ["Queen's Gambit", "3"], ["", ""]]);
    let annotated = bench.text("out.pgn");
    assert!(annotated.contains("[Opening \"Queen's Gambit\"]") && !annotated.contains("BookPlies"));
    bench.run(&["report", "out", "--output", "again", "--plots", "none"]).ended_with(0);
    assert_eq!(bench.text("again/games.csv"), bench.text("out/games.csv"));
}

#[test]
fn games_that_agree_by_chance_do_not_make_a_share_of_few_moves_sure() {
    // Shares of 2 of 3, 2 of 3 and 1 of 2. By games alone the interval is 62.5 ± 20.2; by Wilson (1927) with
    // n = 8 it is ± 27.9.
    let game = |round: u32, best: [&str; 3], moves: usize| {
        let plies = ["1. e4", "e5", "2. d4", "exd4", "3. Qxd4", "Nc6"];
        let best = [best[0], "e7e5", best[1], "e5d4", best[2], "b8c6", "a2a3"];
        let text = plies.iter().zip(&best[1..]).take(moves);
        let text: String =
            text.map(|(ply, next)| format!("{ply} {{ [%eval 0.2] [%best {next}] }} ")).collect();
        format!(
            "[Round \"{round}\"]\n[White \"Anna\"]\n[Black \"Bert {round}\"]\n[EvaluatedBy \"Fish, depth 9\"]\n\n\
             {{ [%eval 0.2] [%best {}] }} {text}*\n\n",
            best[0]
        )
    };
    let games = [
        game(1, ["e2e4", "d2d4", "a2a3"], 6),
        game(2, ["e2e4", "a2a3", "d1d4"], 6),
        game(3, ["e2e4", "a2a3", "a2a3"], 4),
    ];
    let bench = Bench::new(&games.concat());
    bench.run(&["player", "Anna", "games.pgn", "--output", "out", "--plots", "none"]).ended_with(0);
    let columns = ["first_choice_percent", "first_choice_percent_low", "first_choice_percent_high", "moves"];
    let rows = bench.table("out/profile.csv", &columns);
    let [value, low, high, moves] = [0, 1, 2, 3].map(|at| rows[0][at].parse::<f64>().expect("a number"));
    assert!((value - 62.5).abs() < 0.1 && moves == 8.0, "{rows:?}");
    assert!((high - low - 55.74).abs() < 0.1, "{low} to {high}");
}

#[test]
fn the_costliest_mistakes_alone_are_written_where_so_many_are_asked_for() {
    let bench = Bench::of_games();
    let args = ["player", "carlsen", &data(RECORDED), "--output", "out", "--plots", "none", "--no-html"];
    let positions = |most: &str| {
        bench.run(&[&args[..], &["--mistakes", most]].concat()).ended_with(0);
        bench.text("out/mistakes.pgn").matches("[Event ").count()
    };
    let all = positions("1000");
    assert!((3..=60).contains(&all), "{all}");
    assert_eq!((positions("2"), positions("0")), (2, 0));
}

#[test]
fn a_name_that_nobody_has_or_several_have_is_told_with_those_who_may_be_meant() {
    let bench = Bench::of_games();
    let file = data(RECORDED);
    let run = |name: &str| bench.run(&["player", name, &file, "--output", "out"]).ended_with(2);
    run("Magnus Karlsen").said(&["no player is called \"Magnus Karlsen\"; did you mean Carlsen, Magnus?"]);
    run("Zukertort").said(&["no player is called \"Zukertort\"; players: Aronian, Levon"]);
    let two = "[White \"Carlsen, Magnus\"]\n[Black \"Carlsen, Henrik\"]\n\n1. e4 { [%eval 0.1] } *\n";
    bench.write("two.pgn", two.as_bytes());
    bench
        .run(&["player", "Carlsen", "two.pgn"])
        .ended_with(2)
        .said(&["\"Carlsen\" is ambiguous: Carlsen, Henrik; Carlsen, Magnus"]);
    bench
        .run(&["player", "Carlsen, Henrik", "two.pgn", "--by", "colour"])
        .ended_with(2)
        .said(&["write year, event, speed, color"]);
}

#[test]
fn games_without_evaluations_are_searched_and_a_second_run_searches_nothing() {
    let bench = Bench::of_games();
    let game = |year: u32, clock: &str| {
        format!(
            "[Event \"<b>Blitz</b>\"]\n[Site \"https://lichess.org/abcdefgh\"]\n[UTCDate \"{year}.01.02\"]\n\
             [White \"Anna <script>\"]\n[Black \"Bert\"]\n[Result \"1-0\"]\n[ECO \"C20\"]\n[Opening \"King's Pawn: Leonardis\"]\n\
             [TimeControl \"180+2\"]\n\n1. e4 {{ [%clk 0:03:00] }} e5 {{ [%clk 0:03:00] }} 2. Qh5 {{ [%clk {clock}] }} g6 \
             {{ [%clk 0:00:03] }} 3. Qxe5+ {{ [%clk {clock}] }} 1-0\n\n"
        )
    };
    let text = [game(2020, "0:02:50"), game(2021, "0:00:07"), game(2022, "0:01:10")].concat();
    bench.write("blitz.pgn", text.as_bytes());
    let args = ["player", "bert", "blitz.pgn", "--engine", "builtin", "--depth", "5", "--output", "out"];
    let first = bench.run(&args).ended_with(0);
    let said = "No certain difference between Bert and the opponents.\nBert never had winning chances of 80 % or more; ";
    assert!(first.stdout.starts_with(said), "{}", first.stdout);
    let table = bench.text("out/profile.csv");
    for group in ["year,2021,1,2,", "clock,0 to 5 s,3,3,", "clock,2 to 5 min,3,3,"] {
        assert!(table.contains(group), "{group}: {table}");
    }
    let page = bench.text("out/report.html");
    assert!(page.contains("Bert: 6 moves in 3 games, score 0.0\u{a0}%"), "the details are on the page");
    assert!(page.contains("Anna &#60;script&#62;") || page.contains("Anna &lt;script&gt;"));
    assert!(!page.contains("Anna <script>") && !page.contains("<b>Blitz"), "escaped");
    assert_eq!(bench.run_json("out")["kind"], "profile");
    bench.run(&args).ended_with(0);
    assert_eq!(bench.run_json("out")["searches"]["made"], 0, "the store knows them");
    let whole = bench.run(&["blitz.pgn", "--engine", "builtin", "--depth", "5", "--output", "out"]);
    whole.ended_with(2).said(&["the profile of a player"]);
}

#[test]
fn a_name_in_composed_and_in_decomposed_letters_is_one_player() {
    let game = |date: &str, name: &str| {
        let evals = "{ [%eval 0.1] } 1. e4 { [%eval 0.2] } e5 { [%eval 0.3] } *";
        format!("[Date \"{date}\"]\n[White \"{name}\"]\n[Black \"B\"]\n\n{evals}\n\n")
    };
    let [composed, decomposed] = ["Núñez, José", "Nu\u{301}n\u{303}ez, Jose\u{301}"];
    let twice = game("2024.01.02", composed);
    let text = [game("2024.01.01", decomposed), twice.clone(), twice.replace(composed, decomposed)].concat();
    let bench = Bench::new(&text);
    bench.write("names", format!("Núñez, José=Pepe\nB={decomposed}\n").as_bytes());
    for name in [composed, decomposed, "jose\u{301} NÚÑEZ"] {
        let args = ["player", name, "games.pgn", "--evals", "pgn", "--plots", "none", "--output", "out"];
        let told = bench.run(&args).ended_with(0).stdout;
        assert!(told.contains("2 games"), "{name}: {told}");
        let chosen = ["games.pgn", "--evals", "pgn", "--plots", "none", "--output", "of", "--games-of", name];
        bench.run(&chosen).ended_with(0);
        let games = bench.table("of/players.csv", &["player", "games"]);
        assert!(games.contains(&vec![composed.to_owned(), "2".to_owned()]), "{games:?}");
    }
    bench.run(&["archive", "games.pgn", "--by", "player", "--plots", "none", "--output", "by"]).ended_with(0);
    let groups = bench.table("by/groups.csv", &["group"]);
    assert_eq!(groups.len(), 2, "{groups:?}");
    let aliases = ["games.pgn", "--evals", "pgn", "--aliases", "names"];
    bench.run(&aliases).ended_with(2).said(&["names"]);
}

#[test]
fn games_of_one_player_lead_to_the_profile_of_that_player() {
    let bench = Bench::of_games();
    let games = data("data/one-player-stockfish-15.1-depth-10.pgn.zst");
    let run = bench.run(&["rate", &games, "--output", "own", "--plots", "none"]).ended_with(0);
    run.said(&["run gainalyze player u30bb622736 "]);
    let player = ["player", "u30bb622736", &games, "--output", "out", "--plots", "none"];
    let shown = bench.run(&player).ended_with(0).stdout;
    let first = shown.lines().next().expect("a headline").trim_end_matches('.').to_owned();
    assert_eq!(first, "No certain difference between u30bb622736 and the opponents");
    for page in ["own/report.html", "out/report.html"].map(|page| bench.text(page)) {
        for part in [&*first, "11 won, 0 drawn, 5 lost", "10 won, 2 drawn, 0 lost", "Train these first"] {
            assert!(page.contains(part), "{part}");
        }
    }
    let won = bench.table("out/conversion.csv", &["side", "games", "won", "drawn", "lost"]);
    assert_eq!(won, [["player", "16", "11", "0", "5"], ["opponents", "12", "10", "2", "0"]]);
}

#[test]
fn a_headline_says_what_became_of_won_positions_if_the_opponents_did_otherwise() {
    // Anna is at +4 in twelve games and wins two of them. Her opponents are at −4 in twelve and win eleven.
    let game = |number: u32| {
        let is_of_anna = number < 12;
        let evals = if is_of_anna { ["4.0", "0.2"] } else { ["0.2", "-4.0"] };
        let result = if [0, 1, 12].contains(&number) { "1-0" } else { "0-1" };
        format!(
            "[Round \"{number}\"]\n[White \"Anna\"]\n[Black \"Bert {number}\"]\n[Result \"{result}\"]\n\n{{ [%eval 0.2] }} \
             1. e4 {{ [%eval {}] }} e5 {{ [%eval {}] }} {result}\n\n",
            evals[0], evals[1]
        )
    };
    let bench = Bench::new(&(0..24).map(game).collect::<String>());
    let run = bench.run(&["player", "Anna", "games.pgn", "--output", "out", "--plots", "none"]).ended_with(0);
    let headline = "Anna won only 2 of 12 won positions, the opponents 11 of 12";
    assert!(run.stdout.starts_with(&format!("{headline}.\n")), "{}", run.stdout);
    assert!(bench.text("out/report.html").contains(headline));
}
