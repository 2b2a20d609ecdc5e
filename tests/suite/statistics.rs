//! Tests of the numbers that the paper does not have: intervals, filters, splits and known measures.

use crate::program::Bench;
use crate::program::GAMES;

/// Returns a folder with the report of the recorded tournament in `out`, and the printed tables. No engine
/// can be started.
fn recorded(options: &[&str]) -> (Bench, String) {
    let data =
        concat!(env!("CARGO_MANIFEST_DIR"), "/data/candidates-2013-stockfish-15.1-depth-20-backward.pgn");
    let bench = Bench::new("").with("GAINALYZE_ENGINE", "/no/such/engine");
    let run = bench
        .run(
            &[&[data, "--output", "out", "--plots", "none", "--tables", "all", "--also", "all"], options]
                .concat(),
        )
        .ended_with(0);
    (bench, run.stdout)
}

fn player<'a>(summary: &'a serde_json::Value, list: &str, name: &str) -> &'a serde_json::Value {
    let list = summary.pointer(list).and_then(|list| list.as_array()).expect("a list");
    list.iter()
        .find(|row| row["player"].as_str().is_some_and(|player| player.starts_with(name)))
        .expect("a player")
}

fn assert_close(value: &serde_json::Value, expected: f64) {
    let value = value.as_f64().expect("a number");
    assert!((value / expected - 1.0).abs() < 1e-9, "{value} is not {expected}");
}

#[test]
fn lost_chances_of_winning_are_exact_and_not_sums_of_rounded_ones() {
    // python 3.11, from the file itself: of each game v = [W(s) for s in re.findall(r"\[%eval ([^\],]+)", game)]
    // with W = 1/(1 + exp(-0.00368208*cp)), cp within 1000 and a mate 1000; of each move of Ivanchuk's
    // max(0, v[i] - v[i + 1]) for White, max(0, v[i + 1] - v[i]) for Black:
    //   100*sum(loss)/len(loss) == 1.0727532236729198, of 597 moves,
    // and 1.0729480737018422 where each W is rounded to 1e-4 before.
    let (bench, _) = recorded(&[]);
    let summary = bench.summary("out");
    let statistics = summary["statistics"].as_array().expect("a list");
    let loss = statistics.iter().find(|row| {
        row["statistic"] == "win_loss_percent"
            && row["player"].as_str().is_some_and(|name| name.starts_with("Ivanchuk"))
    });
    assert_close(&loss.expect("Ivanchuk's loss")["estimate"]["value"], 1.072_753_223_672_919_8);
}

#[test]
fn errors_by_game_are_those_of_a_few_lines_of_python() {
    // python 3.11 on moves.csv, rows = list(csv.DictReader(open("moves.csv"))):
    //   def clustered(name, value):
    //       g = collections.defaultdict(list)
    //       for r in rows:
    //           if r["player"] == name: g[r["game"]].append(value(r))
    //       n = sum(map(len, g.values())); p = sum(map(sum, g.values()))/n; k = len(g)
    //       return p, math.sqrt(k/(k-1)*sum((sum(v)-p*len(v))**2 for v in g.values()))/n
    //   psi = lambda r: (1 + (int(r["gain_cp"]) > 0) - (int(r["gain_cp"]) < 0))/2
    //   clustered("Carlsen, Magnus", psi) == (0.34841628959276016, 0.01858785982810009)
    //   c = lambda r, k: max(-1000, min(1000, int(r[k+"_cp"]))) if r[k+"_cp"] else math.copysign(1000, int(r[k+"_mate"]))
    //   b = lambda r: 15 if r["ply"] == "1" else c(r, "before")
    //   lost = lambda r: max(0, (b(r) - c(r, "after"))*(1 if r["color"] == "white" else -1))     # after_mate 0 left out
    //   clustered("Aronian, Levon", lost) == (16.12126245847176, 3.2660398116221994)
    // and Welch's F over the eight, from values y, weights w = 1/SE² and 13 degrees of freedom each:
    //   W = sum(w); m = sum(w*y)/W; L = sum((1 - w/W)**2/13)
    //   F = sum(w*(y - m)**2)/7/(1 + 12/63*L), df2 = 63/(3*L), p = scipy.stats.f.sf(F, 7, df2)
    // The score kept, by game the product of
    // min(1, a/b) over the player's moves with b, a the mover's 1/(1 + exp(-0.00368208*cp)),
    // halved: Kramnik (0.2749761183439084, 0.03182578874678849).
    let (bench, _) = recorded(&[]);
    let summary = bench.summary("out");
    let carlsen = player(&summary, "/players", "Carlsen");
    assert_close(&carlsen["expected_score"], 0.348_416_289_592_760_16);
    assert_close(&carlsen["expected_score_interval"]["cluster"]["standard_error"], 0.018_587_859_828_100_09);
    assert_close(&summary["homogeneity"]["f"], 1.109_684_612_191_637_7);
    assert_close(&summary["homogeneity"]["freedom"][1], 44.498_451_214_669_47);
    assert_close(&summary["homogeneity"]["p"], 0.373_933_282_746_458_3);
    let kramnik = player(&summary, "/score_kept/players", "Kramnik");
    assert!(kramnik["kept_rank"].is_u64() && kramnik["performance"].is_null(), "told apart by name");
    assert_close(&kramnik["score"]["value"], 0.274_976_118_343_908_4);
    assert_close(&kramnik["score"]["interval"]["standard_error"], 0.031_825_788_746_788_49);
    let statistics = summary["statistics"].as_array().expect("a list");
    let loss = statistics.iter().find(|row| {
        row["statistic"] == "centipawn_loss"
            && row["player"].as_str().is_some_and(|name| name.starts_with("Aron"))
    });
    let loss = &loss.expect("Aronian's loss")["estimate"];
    assert_close(&loss["value"], 16.121_262_458_471_76);
    assert_close(&loss["interval"]["standard_error"], 3.266_039_811_622_199_4);
}

#[test]
fn the_bootstrap_agrees_with_the_scatter_of_the_games_and_with_itself_on_any_number_of_threads() {
    let data =
        concat!(env!("CARGO_MANIFEST_DIR"), "/data/candidates-2013-stockfish-15.1-depth-20-backward.pgn");
    let run = |threads: &str, seed: &str| {
        let bench = Bench::new("").with("RAYON_NUM_THREADS", threads);
        let args = [data, "--output", "out", "--plots", "none", "--also", "pairs", "--seed", seed];
        let stdout = bench.run(&args).ended_with(0).stdout;
        (bench.summary("out"), bench.text("out/players.csv"), bench.text("out/pairs.csv"), stdout)
    };
    let (one, three, other) = (run("1", "1"), run("3", "1"), run("2", "2"));
    assert_eq!(one, three);
    assert_ne!(one.1, other.1);
    for row in one.0["players"].as_array().expect("a list") {
        let interval = &row["expected_score_interval"];
        let error = |of: &str| interval[of]["standard_error"].as_f64().expect("a number");
        // The bootstrap error lacks the factor √(14/13), and a player is drawn into 14 games only on average.
        let ratio = error("bootstrap") / error("cluster");
        assert!((0.9..1.1).contains(&ratio), "{ratio} {row}");
    }
}

#[test]
fn filters_are_named_wherever_they_act() {
    let (bench, stdout) = recorded(&["--skip-moves", "11", "--max-eval", "200", "--split", "color"]);
    let named = "without moves 1 to 11; evaluation before the move within ±200 centipawns";
    // The sentences come before the first table.
    let tables = stdout.split("\n\n").count() - 1;
    let flat = stdout.replace('\n', " ");
    assert_eq!(flat.matches(&format!("Filters: {named}.")).count(), tables, "one a table: {stdout}");
    for table in
        ["quality", "quality-parts", "players", "pairs", "score-kept", "statistics", "splits", "histograms"]
    {
        let csv = bench.text(&format!("out/{table}.csv"));
        // Accuracies are of whole games.
        let mut lines = csv.lines().skip(1).filter(|line| !line.contains(",accuracy_percent,"));
        assert!(lines.all(|line| line.ends_with(named)), "{table}: {csv}");
    }
    let summary = bench.summary("out");
    assert_eq!(summary["filters"].as_array().map(Vec::len), Some(2));
    let moves = bench.text("out/moves.csv");
    let header: Vec<&str> = moves.lines().next().expect("a header").split(',').collect();
    let from_the_end = header.len() - header.iter().position(|name| *name == "counted").expect("a column");
    let counted = moves.lines().filter(|line| line.rsplit(',').nth(from_the_end - 1) == Some("true")).count();
    let total: u64 =
        summary["players"].as_array().expect("a list").iter().filter_map(|row| row["moves"].as_u64()).sum();
    assert_eq!(counted as u64, total);
    assert!((1000..4000).contains(&total), "{total} of 4827 moves are left");
}

#[test]
fn a_filter_that_leaves_a_player_or_everybody_no_move_is_told_and_the_rest_stays() {
    let bench = Bench::of_games();
    let some = bench.run(&["games.pgn", "--rounds", "1-2", "--tables", "all"]).ended_with(0);
    let nothing = bench
        .run(&["games.pgn", "--max-eval", "0", "--split", "phase,eval", "--tables", "all"])
        .ended_with(0);
    for run in [&some, &nothing] {
        assert!(!run.stdout.contains("NaN") && !run.stdout.contains("inf"), "{}", run.stdout);
    }
    assert!(
        nothing.stdout.contains("Players without a counted move: Alpha, Anna, Beta, Bert, Gamma, Gus."),
        "{}",
        nothing.stdout
    );
    nothing
        .said(&["no move passes the filters, so the tables are empty: evaluation before the move within ±0 centipawns"]);
    let bad = bench.run(&["games.pgn", "--split", "quality"]).ended_with(2);
    bad.said(&["unknown split \"quality\", expected phase, color or eval"]);
    bench
        .run(&["games.pgn", "--rounds", "5-2"])
        .ended_with(2)
        .said(&["round 5 comes after round 2: write 2-5"]);
    let tie = bench.run(&["games.pgn", "--tie", "15", "--bin", "10"]).ended_with(2);
    tie.said(&["--tie 15 contradicts --bin 10: a tie of ±15", "±10 or ±20"]);
    bench.run(&["games.pgn", "--bootstrap", "20"]).ended_with(2).said(&["a number from 100 to"]);
    bench.run(&["games.pgn", "--phase", "late"]).ended_with(2).said(&["opening", "middlegame", "endgame"]);
}

#[test]
fn a_filter_of_rounds_and_side_acts_on_games_points_and_accuracies_too() {
    // Of the first seven rounds, Carlsen had White in 2, 4 and 7: he drew with Kramnik, beat Grischuk and
    // drew with Radjabov.
    let (bench, _) = recorded(&["--rounds", "1-7", "--color", "white", "--bootstrap", "0"]);
    let summary = bench.summary("out");
    let carlsen = player(&summary, "/players", "Carlsen");
    let statistics = bench.text("out/statistics.csv");
    let accuracy =
        statistics.lines().find(|line| line.starts_with("\"Carlsen") && line.contains("accuracy_"));
    assert_eq!((carlsen["games"].as_u64(), carlsen["points"].as_f64()), (Some(3), Some(2.0)));
    let accuracy = accuracy.expect("Carlsen's accuracy");
    assert!(accuracy.ends_with(",White's moves; rounds 1–7"), "{accuracy}");
}

#[test]
fn the_verdict_is_the_whole_fields_whoever_is_shown() {
    let (_, all) = recorded(&[]);
    let (_, one) = recorded(&["--player", "Carlsen"]);
    for said in ["no two players differ significantly (28 pairs", "Places among the 8 players"] {
        assert!(all.contains(said) && one.contains(said), "{one}");
    }
    assert!(one.contains("2 to 8"), "places: {one}");
}

#[test]
fn one_player_and_one_game_have_no_intervals_and_no_pairs() {
    let bench =
        Bench::new("[White \"Solo\"]\n[Black \"Solo\"]\n[WhiteElo \"2500\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n");
    let run = bench.run(&["games.pgn", "--tables", "all"]).ended_with(0);
    assert!(!run.stdout.contains("Pairs") && !run.stdout.contains("Places"), "{}", run.stdout);
    let summary = bench.summary("reports/games");
    assert!(summary["players"][0]["expected_score_interval"]["cluster"].is_null());
    assert!(run.stdout.contains("no pair can be compared"), "{}", run.stdout);
    assert!(summary["homogeneity"].is_null());
    let end = GAMES.match_indices("[Event").nth(1).map_or(GAMES.len(), |(at, _)| at);
    let bench = Bench::new(&GAMES[..end]);
    let run = bench.run(&["games.pgn", "--tables", "all"]).ended_with(0);
    assert!(run.stdout.contains("1 pair of players cannot be compared"), "{}", run.stdout);
}

#[test]
fn a_tie_band_counts_small_gains_as_ties() {
    let score = |tie: &str| {
        let (bench, _) = recorded(&["--tie", tie, "--bootstrap", "0"]);
        player(&bench.summary("out"), "/players", "Carlsen")["expected_score"].as_f64().expect("a number")
    };
    // 179 gains and 104 zeros of 663 without a band; beyond ±20 centipawns python counts
    // sum(int(r["gain_cp"]) > 20) == 14 and sum(int(r["gain_cp"]) < -20) == 95 of Carlsen's rows.
    assert_eq!(score("0"), (179.0 + 52.0) / 663.0);
    assert!((score("20") - (663.0 + 14.0 - 95.0) / (2.0 * 663.0)).abs() < 1e-12);
}

#[test]
fn gains_of_winning_chances_have_the_sign_of_those_in_centipawns() {
    let (cp, _) = recorded(&["--bootstrap", "0"]);
    let (win, stdout) = recorded(&["--bootstrap", "0", "--metric", "win"]);
    let score = |bench: &Bench| {
        player(&bench.summary("out"), "/players", "Svidler")["expected_score"].as_f64().expect("a number")
    };
    // In decided positions, a centipawn is worth less than the unit of 1/10,000. So a few more gains tie.
    assert!((score(&cp) - score(&win)).abs() < 0.01);
    assert!(win.text("out/histograms.csv").starts_with("player,gain_bp,"));
    assert!(stdout.contains("Gains are differences in winning chances"), "{stdout}");
}
