//! Lines of engines are the same after they are written and parsed again.

use proptest::prelude::*;

use super::*;

fn info(line: &str) -> Info {
    line.parse().expect("an info line")
}

fn line(line: &str) -> EngineLine {
    EngineLine::from_bytes(line.as_bytes())
}

#[test]
fn a_line_of_stockfish_is_read_whole_in_spite_of_its_wdl() {
    let info = info(
        "info depth 20 seldepth 29 multipv 1 score cp 34 wdl 69 919 12 nodes 903422 nps 1063 \
         hashfull 301 tbhits 0 time 849 pv e2e4 e7e5 g1f3",
    );
    assert_eq!(info.depth, Some(20));
    assert_eq!(info.score, Some(SignedScore::Cp(34)));
    assert_eq!(info.wdl, Some([69, 919, 12]));
    assert_eq!((info.nodes, info.time_ms), (Some(903_422), Some(849)));
    assert_eq!((info.nps, info.hashfull), (Some(1063), Some(301)));
    assert_eq!(info.pv.len(), 3);
}

#[test]
fn a_line_of_lc0_keeps_its_score_behind_moves_left() {
    let info = info("info depth 5 seldepth 18 time 99 nodes 41 movesleft 84 score cp -12 wdl 1 2 3 pv d2d4");
    assert_eq!(info.score, Some(SignedScore::Cp(-12)));
    assert_eq!(info.pv.len(), 1);
}

#[test]
fn bounds_are_seen_before_and_after_other_keys() {
    assert_eq!(info("info depth 9 score cp 12 lowerbound wdl 1 2 3 nodes 7").bound, Some(ScoreBound::Lower));
    assert_eq!(info("info score mate -3 upperbound").bound, Some(ScoreBound::Upper));
    assert_eq!(info("info depth 9 score cp 12").bound, None);
}

#[test]
fn numbers_beyond_the_parsers_range_keep_their_value_and_sign() {
    assert_eq!(info("info score mate -200").score, Some(SignedScore::Mate(-200)));
    assert_eq!(info("info score mate 129 lowerbound").bound, Some(ScoreBound::Lower));
    assert_eq!(info("info depth 300 seldepth 999").depth, Some(300));
    assert_eq!(info("info nodes 12345678901234").nodes, Some(12_345_678_901_234));
    assert_eq!(info("info score cp 2000000000").score, Some(SignedScore::Cp(2_000_000_000)));
    assert_eq!(info("info score cp 99999999999999").score, None);
}

#[test]
fn a_depth_that_no_search_has_is_named() {
    for depth in ["-5", "-0000000001", "20001", "4294967296", "99999999999999999999999999999999999999999"] {
        let line = format!("info depth {depth} seldepth 9 score cp 12 pv e2e4");
        let told = EngineLine::from_bytes(line.as_bytes());
        assert!(matches!(&told, EngineLine::NoDepth(word) if depth.starts_with(word)), "{told:?}");
    }
    for line in
        ["info depth 20000", "info depth deep", "info depth", "info string depth -5", "info pv e2e4 depth 7"]
    {
        let told = EngineLine::from_bytes(line.as_bytes());
        assert!(!matches!(&told, EngineLine::NoDepth(_)), "{told:?}");
    }
}

#[test]
fn free_text_is_not_read_as_keys() {
    assert_eq!(info("info string score cp 77 depth 3"), Info::default());
    assert_eq!(info("info currmove e2e4 currmovenumber 1 depth 4").depth, Some(4));
}

#[test]
fn every_way_of_saying_no_move_is_none() {
    for text in ["bestmove (none)", "bestmove 0000", "bestmove NULL", "bestmove", "bestmove a1a1"] {
        assert_eq!(line(text), EngineLine::BestMove { best: None, ponder: None }, "{text}");
    }
    let promotion = "e7e8q".parse().expect("a move");
    for text in ["bestmove e2e9", "bestmove \u{11}e2e4", "bestmove resign"] {
        let told = line(text);
        assert!(matches!(told, EngineLine::NoMove(_)), "{text:?}");
        assert_eq!(line(&told.to_string()), told, "{text:?}");
    }
    let alone = EngineLine::BestMove { best: Some(promotion), ponder: None };
    assert_eq!(line("bestmove e7e8q ponder (none)"), alone);
}

#[test]
fn the_answer_that_an_engine_would_ponder_on_is_read() {
    let [best, ponder] = ["e2e4", "e7e5"].map(|uci| uci.parse().ok());
    assert_eq!(line("bestmove e2e4 ponder e7e5"), EngineLine::BestMove { best, ponder });
    assert_eq!(line("bestmove e2e4 later e7e5"), EngineLine::BestMove { best, ponder: None });
}

#[test]
fn a_line_of_text_is_a_remark_and_nothing_of_a_search() {
    assert_eq!(line("info  string  two  words "), EngineLine::Remark("two  words".to_owned()));
    assert_eq!(line("info string"), EngineLine::Remark(String::new()));
    assert!(matches!(line("info strings 5"), EngineLine::Info(_)));
    assert_eq!(line("id author Ann & Bob"), EngineLine::Author("Ann & Bob".to_owned()));
}

#[test]
fn junk_is_another_line_and_bytes_that_are_no_text_do_no_harm() {
    assert_eq!(line("Stockfish 15.1 by the Stockfish developers"), EngineLine::Other);
    assert_eq!(EngineLine::from_bytes(b"\xff\xfeinfo"), EngineLine::Other);
    let EngineLine::Info(info) = EngineLine::from_bytes(b"info depth 3 \xff score cp 5") else {
        panic!("an info line");
    };
    assert_eq!(info.score, Some(SignedScore::Cp(5)));
}

fn any_score() -> impl Strategy<Value = SignedScore> {
    prop_oneof![
        any::<i32>().prop_filter("no minimum", |cp| *cp != i32::MIN).prop_map(SignedScore::Cp),
        (-1000i32..1000).prop_map(SignedScore::Mate)
    ]
}

fn any_bound() -> impl Strategy<Value = Option<ScoreBound>> {
    prop_oneof![Just(None), Just(Some(ScoreBound::Lower)), Just(Some(ScoreBound::Upper))]
}

fn any_pv() -> impl Strategy<Value = Vec<UciMove>> {
    let moves = ["e2e4", "e7e5", "e1h1", "a7a8q", "b2a1n"].map(|m| m.parse().expect("a move"));
    prop::collection::vec(prop::sample::select(moves.to_vec()), 0..6)
}

fn any_count() -> impl Strategy<Value = Option<u64>> {
    prop::option::of(0..=i64::MAX as u64)
}

/// Returns random words: keys, values of keys, and other words.
fn any_words() -> impl Strategy<Value = String> {
    let known = "info id name bestmove ponder option type spin combo var default min max depth seldepth \
                 score cp mate lowerbound upperbound nodes time multipv pv wdl string refutation currline \
                 e2e4 a7a8q e1h1 (none) 0 -1 128 256 70000 99999999999999999999 uciok readyok";
    let known: Vec<&str> = known.split_whitespace().collect();
    let word = prop_oneof![prop::sample::select(known).prop_map(str::to_owned), ".{0,6}"];
    prop::collection::vec(word, 0..12).prop_map(|words| words.join(" "))
}

prop_compose! {
    fn any_info()(
        depth in prop::option::of(0u32..400), seldepth in prop::option::of(0u32..400),
        multipv in prop::option::of(1u32..100_000), score in prop::option::of(any_score()),
        bound in any_bound(), wdl in prop::option::of(any::<[u16; 3]>()),
        nodes in any_count(), nps in any::<Option<u64>>(), hashfull in any::<Option<u32>>(),
        time_ms in any_count(), pv in any_pv(), currmovenumber in prop::option::of(0u32..300),
    ) -> Info {
        let bound = score.and(bound);
        Info { depth, seldepth, multipv, score, bound, wdl, nodes, nps, hashfull, time_ms, pv, currmovenumber }
    }
}

proptest! {
    #[test]
    fn an_info_line_printed_and_read_is_the_same(info in any_info()) {
        let printed = EngineLine::Info(info).to_string();
        prop_assert_eq!(line(&printed).to_string(), printed);
    }

    #[test]
    fn reading_an_info_line_is_the_inverse_of_printing_it(info in any_info()) {
        prop_assert_eq!(info.to_string().parse::<Info>().expect("an info line"), info);
    }

    #[test]
    fn no_line_is_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), words in any_words()) {
        let _ = EngineLine::from_bytes(&bytes);
        for start in ["", "info ", "id ", "bestmove ", "option name "] {
            let _ = EngineLine::from_bytes(format!("{start}{words}").as_bytes());
        }
    }
}
