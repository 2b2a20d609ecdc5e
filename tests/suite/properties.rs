//! Tests of reading any text: the fast reader and the careful reader agree, and the result does not depend on
//! the places at which the input is cut into blocks.

use gainalyze::chess::pgn::{decode_part, parse_games};
use gainalyze::chess::{Block, Blocks};
use gainalyze::measure::archive::{read_block, read_block_with_care};
use gainalyze::measure::{ClipTable, GameOutcome};
use proptest::prelude::*;

use crate::odd::terms;

/// Pieces of sound and odd games.
const PIECES: [&str; 114] = [
    "{[%eval 0.3 [%csl Gd4]]} ",
    "[White \"A\0\u{85}\"]\n",
    "[%eval [%eval 0.1]0.2]",
    "{ [%eval 1-0\n\n[Event \"a\n",
    "[Event \"a\"]\n",
    "[White \"A\"]\n",
    "[Black \"B\"]\n",
    "[Result \"1-0\"]\n",
    "[Site \"x\"]\n",
    "[white \"C\"]\n",
    "[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n",
    "[Variant \"Standard\"]\n",
    "[Variant \"Chess960\"]\n",
    "[SetUp \"1\"]\n",
    "[TimeControl \"180+2\"]\n",
    "[TimeControl \"3+2\"]\n",
    "[TimeControl \"60+1\"]\n",
    "[timecontrol \"G/90;+30\"]\n",
    "[Date \"13.03.2013\"]\n",
    "[Date \"15.03.13\"]\n",
    "[eventdate \"2013-3-14\"]\n",
    "[Event \"b\n",
    "[Event \"\\\"b\"]\n",
    "[White \"?\"]\n",
    "[ Black \"D\" ]\n",
    "\n",
    "\n\n",
    " ",
    "\t",
    "\r\n",
    "\n% x\n",
    "; line\n",
    "1. ",
    "1... ",
    "2. ",
    "2... ",
    "3.",
    "1.",
    "12. ",
    "e4 ",
    "e5 ",
    "Nf3 ",
    "Nc6 ",
    "d4 ",
    "d5 ",
    "e4",
    "Nf3!? ",
    "e4! ",
    "O-O ",
    "0-0 ",
    "e8=Q ",
    "a8Q+ ",
    "Qh5 ",
    "Qxf7# ",
    "Nge2 ",
    "e2e4 ",
    "e7-e5 ",
    "g1f3 ",
    "e1g1 ",
    "e7e8q ",
    "Ngf3 ",
    "-- ",
    "$1 ",
    "$999 ",
    "$ ",
    "! ",
    "( ",
    ") ",
    "{ ",
    "} ",
    "[",
    "]",
    "{[%eval 0.3]} ",
    "{ [%eval 0.4] [%clk 0:03:00] } ",
    "{[%eval #-3]} ",
    "{[%eval 17,20]} ",
    "{[%eval high]} ",
    "{[%eval 0.125]} ",
    "{[%emt 0:00:05]} ",
    "{[%emt 5.2]} ",
    "{[%clk 0:61:00]} ",
    "{+0.31/20 1.2s} ",
    "{+0.31/20\n1.2s [%clk 0:03:00]} ",
    "{book} ",
    "{\n[Event \"x\"]} ",
    "{\n[White \"x\"]\n} ",
    "1-0\n\n",
    "1-0 ",
    "0-1\n",
    "* ",
    "1/2-1/2\n\n",
    "\0",
    "é\u{a0}",
    "1-0[Event \"a\"]\n",
    "1/2-1/2[White \"A\"]\n",
    "[Result \"0.5-0.5\"]\n",
    "[Result \"0-1\"]\n",
    "[Result \"+/-\"]\n",
    "[Result \"1:0F\"]\n",
    "[Result \"0-0\"]\n",
    "[Result \"draw\"]\n",
    "½:½ ",
    "0.5 - 0.5\n",
    "1-O ",
    "=-= ",
    "1/2\n",
    "0. ",
    "Sf3 ",
    "♘f3 ",
    "\u{200b}",
    "e4\u{200b} ",
    "{[%clk 1:29]} ",
    "{[%eval 0.16/16]} ",
    "{[%eval -M1]} ",
];

/// Games in the form that programs write, which the fast reader accepts.
const SOUND: [&str; 4] = [
    "[Event \"a\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 { [%eval 0.3] } 1... e5 { [%eval 0.4] } 1-0\n\n",
    "[White \"A\"]\n[Black \"B\"]\n[WhiteElo \"1500\"]\n\n1. d4 $1 {[%eval 0.3] [%clk 0:03:00]} d5!? { [%eval 0.25] } *\n\n\n",
    "[Event \"m\"]\n\n1. f3 { [%eval -0.5] } e5 { [%eval -0.4] } 2. g4 { [%eval #-1] } Qh4# 0-1\n\n",
    "[Event \"n\"]\n\n1. e4 e5 2. Nf3 1/2-1/2\n\n",
];

fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(&PIECES[..]);
    let sound = prop::sample::select(&SOUND[..]);
    prop::collection::vec(prop_oneof![3 => piece, 1 => sound], 0..40).prop_map(|pieces| pieces.concat())
}

/// Returns the fast reader's result for each game in `bytes`, cut into blocks of about `size` bytes.
fn items_in_blocks(bytes: &[u8], size: usize) -> Vec<GameOutcome> {
    let terms = terms();
    let scale = ClipTable::new(terms.method.scale());
    let mut blocks = Blocks::of_size(bytes, size);
    let blocks = std::iter::from_fn(|| blocks.next()).map(|block| match block.expect("memory") {
        Block::Games(bytes) => decode_part(bytes, None),
        Block::TooLarge(bytes) => panic!("{bytes} bytes are no large game"),
    });
    blocks.flat_map(|text| read_block(&text, false, &terms, &scale)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn the_quick_reader_agrees_with_the_careful_one(text in text(), torn: bool) {
        let terms = terms();
        let scale = ClipTable::new(terms.method.scale());
        let text = decode_part(text.into_bytes(), None);
        prop_assert_eq!(
            read_block(&text, torn, &terms, &scale),
            read_block_with_care(&text, torn, &terms, &scale)
        );
    }

    #[test]
    fn of_legal_games_the_moves_need_no_check(
        games in prop::collection::vec((prop::sample::select(&SOUND[..]), "[a-z]{1,3}"), 0..6), phases: bool
    ) {
        let mut terms = terms();
        terms.check_moves = false;
        terms.method.filter.skip_forced = phases;
        let scale = ClipTable::new(terms.method.scale());
        let text: String = games.iter().map(|(game, name)| format!("[Site \"{name}\"]\n{game}")).collect();
        prop_assert_eq!(
            read_block(&text, false, &terms, &scale),
            read_block_with_care(&text, false, &terms, &scale)
        );
    }

    #[test]
    fn no_cut_of_the_input_makes_a_difference(text in text(), size in 1usize..400) {
        let bytes = text.as_bytes();
        prop_assert_eq!(items_in_blocks(bytes, size), items_in_blocks(bytes, usize::MAX >> 2));
    }

    #[test]
    fn the_games_of_an_archive_are_those_of_the_default_reader(text in text()) {
        let items = items_in_blocks(text.as_bytes(), 100);
        let faults = items.iter().map(|item| match item {
            GameOutcome::LeftOut(left_out) => left_out.bad.as_ref().map(|bad| (bad.reason.clone(), bad.ply)),
            GameOutcome::Counted(_) | GameOutcome::Copy | GameOutcome::Refused(_) => None,
        });
        let games = parse_games(&decode_part(text.clone().into_bytes(), None), "");
        let expected = games.iter().map(|game| game.as_ref().err().map(|bad| (bad.reason.clone(), bad.ply)));
        prop_assert_eq!(faults.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    }
}

#[cfg(unix)]
mod of_the_program {
    use std::collections::BTreeMap;

    use gainalyze::files::read_part;

    use crate::program::Bench;

    const CANDIDATES: &str = include_str!("../../data/candidates-2013-stockfish-15.1-depth-20-backward.pgn");

    fn bench(pgn: &str) -> Bench {
        Bench::new(pgn).with("GAINALYZE_ENGINE", "/no/such/engine")
    }

    /// Returns the numbers in the column `number` by the names in the column `name`, in full precision.
    /// Unknown numbers are left out.
    fn by_name(bench: &Bench, table: &str, name: &str, number: &str) -> BTreeMap<String, f64> {
        let rows: Vec<serde_json::Value> = serde_json::from_str(&bench.text(table)).expect("JSON");
        let named = |row: &serde_json::Value| {
            Some((row[name].as_str().expect("a name").to_owned(), row[number].as_f64()?))
        };
        rows.iter().filter_map(named).collect()
    }

    /// Returns the mean of max(0, −gain) of each player's moves that have a gain.
    fn mean_losses(bench: &Bench, table: &str) -> BTreeMap<String, f64> {
        let rows: Vec<serde_json::Value> = serde_json::from_str(&bench.text(table)).expect("JSON");
        let mut losses: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for row in &rows {
            let loss = row["gain_cp"].as_f64().map(|gain| (-gain).max(0.0));
            losses.entry(row["player"].as_str().expect("a name").to_owned()).or_default().extend(loss);
        }
        losses.into_iter().map(|(name, of)| (name, of.iter().sum::<f64>() / of.len() as f64)).collect()
    }

    fn assert_close(ours: &BTreeMap<String, f64>, theirs: &BTreeMap<String, f64>, within: f64) {
        assert!(!ours.is_empty() && ours.keys().eq(theirs.keys()), "{ours:?} {theirs:?}");
        let apart = |name: &str| (ours[name] - theirs[name]).abs() <= within;
        assert!(ours.keys().all(|name| apart(name)), "{ours:?} {theirs:?}");
    }

    #[test]
    fn an_archive_by_player_has_the_numbers_of_the_default_verb() {
        for pgn in [CANDIDATES, include_str!("lichess.pgn")] {
            let bench = bench(pgn);
            let run = |args: &[&str]| {
                let same = ["games.pgn", "--plots", "none", "--format", "json"];
                bench.run(&[args, &same].concat()).ended_with(0);
            };
            run(&[
                "analyze",
                "--evals",
                "pgn",
                "--no-html",
                "--bootstrap",
                "0",
                "--also",
                "paper",
                "--output",
                "one",
            ]);
            run(&["archive", "--by", "player", "--output", "all"]);
            let all = |number| by_name(&bench, "all/groups.json", "group", number);
            let one = |table: &str, number| by_name(&bench, &format!("one/{table}.json"), "player", number);
            assert_close(&all("moves"), &one("players", "moves"), 0.0);
            assert_close(&all("expected_score"), &one("players", "expected_score"), 0.0);
            assert_close(&all("expected_score_se"), &one("players", "expected_score_se"), 1e-12);
            assert_close(&all("score_kept"), &one("score-kept", "score_kept"), 1e-5);
            assert_close(&all("loss_cp"), &mean_losses(&bench, "one/moves.json"), 1e-12);
        }
    }

    #[test]
    fn parts_that_are_merged_give_the_files_of_the_whole_to_the_byte() {
        let bench = bench(CANDIDATES);
        let cuts: Vec<usize> = CANDIDATES.match_indices("[Event ").map(|(at, _)| at).collect();
        let parts = [&CANDIDATES[..cuts[7]], &CANDIDATES[cuts[7]..cuts[8]], &CANDIDATES[cuts[8]..]];
        for by in ["player", "elo-band", "year"] {
            let counted = |pgn: &str, out: &str| {
                let part = format!("{out}.parquet");
                bench
                    .run(&[
                        "archive",
                        pgn,
                        "--by",
                        by,
                        "--format",
                        "csv,parquet,json",
                        "--partial",
                        &part,
                        "--output",
                        out,
                    ])
                    .ended_with(0);
            };
            counted("games.pgn", "whole");
            for (number, part) in parts.iter().enumerate() {
                bench.write(&format!("{number}.pgn"), part.as_bytes());
                counted(&format!("{number}.pgn"), &number.to_string());
            }
            // The order does not matter.
            let merge = ["merge", "2.parquet", "0.parquet", "1.parquet", "--format", "csv,parquet,json"];
            bench
                .run(&[&merge[..], &["--partial", "merged.parquet", "--output", "merged"]].concat())
                .ended_with(0);
            assert_eq!(bench.files("merged"), bench.files("whole"), "{by}");
            let part = |name: &str| read_part(&bench.path(name)).expect("a part");
            let (merged, whole) = (part("merged.parquet"), part("whole.parquet"));
            assert_eq!((&merged.tally, &merged.identity), (&whole.tally, &whole.identity), "{by}");
            assert_eq!((merged.inputs.iter().count(), whole.inputs.iter().count()), (3, 1));
            let first = bench.read("merged.parquet");
            let merge = ["merge", "0.parquet", "1.parquet", "2.parquet", "--partial", "merged.parquet"];
            bench.run(&[&merge[..], &["--output", "merged"]].concat()).ended_with(0);
            assert_eq!(bench.read("merged.parquet"), first, "in any order");
        }
    }
}
