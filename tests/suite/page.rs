//! The contents of `report.html`. tests/browser tests its behavior.

use crate::program::Bench;

const RECORDED: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/data/candidates-2013-stockfish-15.1-depth-20-backward.pgn");

/// Returns the page without the parts that are equal on every page: style, script and the shapes of pieces.
fn body(page: &str) -> String {
    let mut text = page.to_owned();
    for (from, to) in [("<style>", "</style>"), ("<script>", "</script>"), ("<defs>", "</defs>")] {
        let start = text.find(from).expect("its beginning") + from.len();
        let end = start + text[start..].find(to).expect("its end");
        text.replace_range(start..end, "…");
    }
    text
}

#[test]
fn the_page_of_a_small_tournament() {
    let bench = Bench::of_games();
    bench.run(&["games.pgn", "--plots", "none", "--bootstrap", "100"]).ended_with(0);
    let digest = bench.summary("reports/games")["evaluations"]["engine"]["digest"].clone();
    let page = body(&bench.text("reports/games/report.html"));
    insta::assert_snapshot!(page.replace(digest.as_str().expect("a digest"), "<digest>"));
}

#[test]
fn the_page_holds_what_the_tables_hold_in_less_than_three_megabytes() {
    let bench = Bench::new("").with("GAINALYZE_ENGINE", "/no/such/engine");
    bench.run(&[RECORDED, "--output", "out", "--plots", "none"]).ended_with(0);
    let page = bench.text("out/report.html");
    assert!(page.len() < 3_000_000, "{}", page.len());
    for held in [
        "FIDE Candidates Tournament 2013",
        "Stockfish 15.1, depth 20, backward (recorded in the games) evaluated 4827 moves of 8 players in 56 games.",
        ">Peter Svidler leads and played significantly better than Teimour Radjabov. It is too close to call against",
        "Peter Svidler: 73.6 ± 4.4\u{a0}% top moves.",
        "The 8 players did not all play equally well (top moves in percent: Welch&#39;s F(7, 44.4) = 5.12, p &#60; 0.001).",
        "69.2 to 78.0",
        "2000 samples of whole games, seed 1",
        "56 read, 56 analyzed, 0 left out",
        "--output out --plots none",
        "https://lichess.org/analysis/standard/",
    ] {
        assert!(page.contains(held), "{held}");
    }
    assert_eq!(page.matches("<details class=\"game\"").count(), 56);
    assert_eq!(page.matches("class=\"moment\"").count(), 3);
}

#[test]
fn the_page_is_not_written_where_nobody_wants_it_and_an_old_one_is_removed() {
    let bench = Bench::of_games();
    bench.run(&["games.pgn", "--plots", "none"]).ended_with(0);
    assert!(bench.path("reports/games/report.html").is_file());
    bench.run(&["games.pgn", "--plots", "none", "--no-html"]).ended_with(0);
    assert!(!bench.path("reports/games/report.html").is_file());
}

#[test]
fn the_page_has_an_engine_if_the_reader_wants_one_and_the_program_has_it() {
    let bench = Bench::of_games();
    bench.run(&["games.pgn", "--plots", "none", "--output", "out"]).ended_with(0);
    let page = || bench.text("out/report.html");
    assert!(!page().contains("id=\"engine\"") && !page().contains("wasm"));
    let run = bench.run(&["report", "out", "--with-engine"]);
    if include_str!(concat!(env!("OUT_DIR"), "/engine.txt")).is_empty() {
        run.ended_with(2).said(&["does not contain WebAssembly", "rustup target add wasm32-wasip1"]);
        return;
    }
    run.ended_with(0);
    assert!(page().contains("id=\"engine\">H4sI") && page().contains("'wasm-unsafe-eval'"));
    // If the run itself had the option, each rewrite has it.
    bench.run(&["games.pgn", "--with-engine", "--output", "with"]).ended_with(0);
    bench.run(&["report", "with", "--plots", "none"]).ended_with(0);
    assert!(bench.text("with/report.html").contains("id=\"engine\">H4sI"));
}

#[test]
fn a_page_of_chosen_players_shows_them_and_their_games() {
    let bench = Bench::of_games();
    bench.run(&["games.pgn", "--plots", "none", "--player", "Gus", "--rounds", "1-3"]).ended_with(0);
    let page = bench.text("reports/games/report.html");
    assert_eq!(page.matches("<details class=\"game\"").count(), 2);
    assert!(
        page.contains("rounds 1–3") && page.contains("evaluated 33 moves of 3 players in 3 games"),
        "{}",
        body(&page)
    );
}

#[test]
fn names_and_comments_are_text_on_the_page_and_data_in_its_script() {
    let pgn = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/browser/hostile.pgn"));
    let bench = Bench::new(&pgn.expect("the hostile games")).with("GAINALYZE_ENGINE", "/no/such/engine");
    bench.run(&["games.pgn", "--plots", "none"]).ended_with(0);
    let page = bench.text("reports/games/report.html");
    for markup in ["<script>globalThis", "<b class=injected", "<img", "\u{202e}", "\u{2066}"] {
        assert!(!page.contains(markup), "{markup}");
    }
    let data = page.split("id=\"data\">").nth(1).expect("data");
    let data = data.split("</script>").next().expect("the end of the data");
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(data["games"].as_array().map(Vec::len), Some(9));
    assert!(!page.contains(&"N".repeat(100)), "a name of 10,000 letters is cut");
}

#[test]
fn the_papers_tables_have_a_page_of_their_own_and_the_report_links_to_it_if_it_was_written() {
    let bench = Bench::of_games();
    let links = || bench.text("out/report.html").contains("href=\"paper.html\"");
    bench.run(&["games.pgn", "--plots", "none", "--output", "out"]).ended_with(0);
    assert!(!links() && !bench.files("out").contains_key("paper.html"));
    bench.run(&["games.pgn", "--plots", "none", "--output", "out", "--also", "paper"]).ended_with(0);
    let page = bench.text("out/paper.html");
    for part in [
        "id=\"scores\"",
        "id=\"pairs-table\"",
        "id=\"overlay-figure\"",
        "id=\"gained\"",
        "href=\"report.html\"",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(links());
    // Without pages, none of them is written.
    bench.run(&["games.pgn", "--no-html", "--output", "out", "--also", "paper"]).ended_with(0);
    assert!(!bench.files("out").keys().any(|name| name.ends_with(".html")));
}

#[test]
fn a_page_of_many_games_and_players_shows_a_part_and_says_so() {
    let games: Vec<String> = (0..130)
        .map(|number| {
            format!(
                "[Date \"{}.01.01\"]\n[White \"Player {}\"]\n[Black \"Player {}\"]\n\n{{ [%eval 0.00] }} 1. e4 {{ [%eval 0.{:02}] }} e5 \
                 {{ [%eval 0.10] }} *\n",
                1900 + number,
                number % 45,
                (number + 7) % 45,
                number % 90
            )
        })
        .collect();
    let bench = Bench::new(&games.join("\n")).with("GAINALYZE_ENGINE", "/no/such/engine");
    bench.run(&["games.pgn", "--plots", "none", "--also", "paper"]).ended_with(0);
    let page = bench.text("reports/games/report.html");
    assert_eq!(page.matches("<details class=\"game\"").count(), 100);
    assert!(page.contains("100 of 130 games are shown here"));
    let page = bench.text("reports/games/paper.html");
    assert!(page.contains("the histograms of 5 more players into files"));
    assert!(!page.contains("id=\"pairs-table\""), "a matrix of 45 players is for nobody to read");
}

#[test]
fn games_without_moves_and_players_without_gains_make_a_page() {
    let bench = Bench::new("[White \"A\"]\n[Black \"B\"]\n\n{ [%eval 0.00] } *\n")
        .with("GAINALYZE_ENGINE", "/no/such");
    bench.run(&["games.pgn"]).ended_with(0);
    let page = bench.text("reports/games/report.html");
    assert!(page.contains("1 game without a move: there is nothing to evaluate"), "{}", body(&page));
    assert!(!page.contains("NaN"));
}
