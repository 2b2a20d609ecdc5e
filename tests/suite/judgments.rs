//! Tests that moves are judged as on lichess, in the table of moves and in annotated games.

use std::collections::BTreeMap;

use crate::program::Bench;

fn recorded(args: &[&str]) -> Bench {
    let data =
        concat!(env!("CARGO_MANIFEST_DIR"), "/data/candidates-2013-stockfish-15.1-depth-20-backward.pgn");
    let bench = Bench::new("").with("GAINALYZE_ENGINE", "/no/such/engine");
    let quick = [data, "--output", "out", "--plots", "none", "--no-html", "--bootstrap", "0"];
    bench.run(&[&quick, args].concat()).ended_with(0);
    bench
}

#[test]
fn the_candidates_are_judged_as_a_few_lines_of_python_judge_them() {
    // python 3.11 on moves.csv; b and a the mover's centipawns before and after, mb and ma the moves to mate, where there are
    // any, b = ±15 before the first move; rows of moves that mate left out:
    //   W = lambda cp: 2/(1 + math.exp(-0.00368208*cp)) - 1
    //   clamp = lambda cp, m: max(-1000, min(1000, cp)) if cp is not None else 1000 if m > 0 else -1000
    //   loss[player].append(max(0, clamp(b, mb) - clamp(a, ma)))
    //   if uci == best_uci: continue
    //   d = W(b) - W(a): blunder from .3, mistake from .2, inaccuracy from .1 on
    //   mate run into: inaccuracy if b < -999, mistake if b < -700, else blunder
    //   mate lost: inaccuracy if a > 999, mistake if a > 700, else blunder
    let expected = [
        ("Aronian, Levon", [24, 3, 5], 16.12126245847176),
        ("Carlsen, Magnus", [12, 3, 4], 11.182503770739064),
        ("Gelfand, Boris", [14, 6, 5], 14.487632508833922),
        ("Grischuk, Alexander", [12, 4, 1], 9.342809364548495),
        ("Ivanchuk, Vassily", [22, 4, 4], 12.777219430485761),
        ("Kramnik, Vladimir", [17, 2, 3], 9.755407653910149),
        ("Radjabov, Teimour", [23, 4, 6], 15.584302325581396),
        ("Svidler, Peter", [16, 3, 3], 11.8125),
    ];
    let bench = recorded(&[]);
    let mut judged: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    for row in bench.table("out/moves.csv", &["player", "judgement", "uci", "best_uci"]) {
        let place = ["inaccuracy", "mistake", "blunder"].iter().position(|&name| name == row[1]);
        assert_eq!(place.is_some(), !row[1].is_empty());
        assert!(place.is_none() || row[2] != row[3], "the engine's own choice is never judged");
        place.into_iter().for_each(|place| judged.entry(row[0].clone()).or_default()[place] += 1);
    }
    let summary = bench.summary("out");
    for (player, counts, loss) in expected {
        assert_eq!(judged[player], counts, "{player}");
        let statistics = summary["statistics"].as_array().expect("a list");
        let found =
            statistics.iter().find(|row| row["player"] == player && row["statistic"] == "centipawn_loss");
        let found = found.and_then(|row| row["estimate"]["value"].as_f64()).expect("a loss");
        assert!((found - loss).abs() < 1e-9, "{player}: {found}");
    }
}

#[test]
fn annotated_games_tell_what_is_wrong_and_are_the_same_when_they_are_annotated_again() {
    let bench = recorded(&["--annotate", "once.pgn"]);
    let once = bench.text("once.pgn");
    let words: Vec<&str> = once.split_whitespace().collect();
    let glyphs = |nag: &str| words.iter().filter(|&&word| word == nag).count();
    assert_eq!(["$6", "$2", "$4"].map(glyphs), [140, 29, 31]);
    assert_eq!(words.join(" ").matches(" was best. }").count(), 200);
    let args = ["once.pgn", "--output", "again", "--plots", "none", "--no-html", "--bootstrap", "0"];
    bench.run(&[&args[..], &["--annotate", "twice.pgn"]].concat()).ended_with(0);
    assert_eq!(bench.text("twice.pgn"), once);
    assert_eq!(bench.text("again/moves.csv"), bench.text("out/moves.csv"));
}
