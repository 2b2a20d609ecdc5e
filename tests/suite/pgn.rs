//! Tests of the reading and writing of PGN: the games written equal the games read.

use std::{collections::BTreeMap, time::Duration};

use gainalyze::chess::pgn::{decode, parse_games, read_source, write_game};
use gainalyze::chess::{
    Annotation, BadGame, BadGameReason, Game, GameResult, GameSource, PlayedMove, RecordedEval, Repairs,
    SignedScore, Tags, Wdl,
};
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, Color, Position, fen::Fen, san::SanPlus};

fn read(text: &str) -> Vec<Result<Game, BadGame>> {
    parse_games(text, "games.pgn")
}

/// Returns the only game of a text, which must be good.
pub fn one(text: &str) -> Game {
    let mut games = read(text);
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0).expect("a good game")
}

/// Returns the message on the only game of a text, which must be bad.
fn fault(text: &str) -> String {
    let games = read(text);
    let [Err(bad)] = games.as_slice() else { panic!("one bad game: {games:?}") };
    bad.to_string().replace("games.pgn, game 1 (? – ?): ", "")
}

/// Returns the number of moves or the fault of each game.
fn outline(text: &str) -> Vec<Result<usize, BadGameReason>> {
    read(text).into_iter().map(|game| game.map(|game| game.moves.len()).map_err(|bad| bad.reason)).collect()
}

fn sans(game: &Game) -> String {
    game.moves.iter().map(|played| played.san.to_string()).collect::<Vec<_>>().join(" ")
}

pub fn written(game: &Game) -> String {
    let mut bytes = Vec::new();
    write_game(game, &mut bytes).expect("memory takes any text");
    String::from_utf8(bytes).expect("text in UTF-8")
}

#[test]
fn line_ends_marks_and_encodings_do_not_matter() {
    let text = "[White \"Hübner\"]\n\n1. e4\n\ne5 *\n";
    let expected = one(text);
    let utf16 = |mark: &str| format!("{mark}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let latin1 = text.chars().map(|c| u8::try_from(u32::from(c)).expect("a character of Latin-1")).collect();
    for bytes in [
        text.replace('\n', "\r\n").into_bytes(),
        text.replace('\n', "\r").into_bytes(),
        format!("\u{feff}{text}").into_bytes(),
        latin1,
        utf16("\u{feff}"),
        utf16(""),
    ] {
        assert_eq!(one(&decode(bytes)), expected);
    }
    assert_eq!(expected.player(Color::White), "Hübner");
}

#[test]
fn a_control_character_in_a_tag_is_a_space_before_the_tag_is_read() {
    let tags = "[White \"a\"]\n[Site \"s\"]\n[Date \"13.03.2013\u{1}\"]\n[TimeControl \"90'+30''\u{7f}\"]\n";
    let game = one(&format!("{tags}\n1. e4 *\n"));
    assert_eq!((game.tags.time_control(), game.tags.get("Date")), (Some("5400+30"), Some("2013.03.13")));
    assert_eq!(one(&written(&game)).tags.time_control(), game.tags.time_control());
}

#[test]
fn blank_lines_inside_the_moves_do_not_end_a_game() {
    let game = one("[Event \"x\"]\n\n1. e4 e5\n\n2. Nf3\n\n{ a\n\nb }\n\nNc6\n\n1-0\n\n");
    assert_eq!(sans(&game), "e4 e5 Nf3 Nc6");
    assert_eq!(game.result, GameResult::WhiteWins);
}

#[test]
fn games_need_no_tags_and_tags_need_no_moves() {
    assert_eq!(outline("1. e4 e5 1-0 1. d4 * [White \"a\"]\n[Result \"1-0\"]"), [Ok(2), Ok(1), Ok(0)]);
    let game = one("[White \"a\"]\n[Result \"1/2-1/2\"]\n");
    assert_eq!((game.result, game.player(Color::Black)), (GameResult::Draw, "?"));
}

#[test]
fn the_result_is_that_of_the_tag_unless_it_has_none() {
    let result = |text: &str| one(text).result;
    assert_eq!(result("[Result \"0-1\"]\n1. e4 1-0"), GameResult::BlackWins);
    assert_eq!(result("[Result \"*\"]\n1. e4 1-0"), GameResult::WhiteWins);
    assert_eq!(result("[Result \"0-1\"]\n1. e4 *"), GameResult::BlackWins);
    assert_eq!(result("[Result \"0-1\"]\n1. e4"), GameResult::BlackWins);
    assert_eq!(result("1. e4 ½–½"), GameResult::Draw);
}

#[test]
fn comments_glyphs_and_variations_stay_beside_their_moves() {
    let game = one("{ before } 1. e4! { [%eval 0.3,12] [%clk 0:01:00] good } \
                    (1. d4 d5?! ({deep}1... Nf6 2. c4) 2. c4 Sf3) 1... e5 ; the rest\n2. Nf3$14 *");
    assert_eq!(game.preamble, [Annotation::Comment("before".to_owned())]);
    assert_eq!(
        game.moves[0].annotations,
        [
            Annotation::Nag(1),
            Annotation::Comment("good".to_owned()),
            Annotation::Variation("1. d4 d5 $6 ({ deep } 1... Nf6 2. c4) 2. c4 { Sf3 }".to_owned()),
        ]
    );
    let eval = RecordedEval { score: SignedScore::Cp(30), depth: Some(12), wdl: None, best: None };
    assert_eq!(game.moves[0].eval, Some(eval));
    assert_eq!(game.moves[0].clock, Some(Duration::from_secs(60)));
    assert_eq!(game.moves[1].annotations, [Annotation::Comment("the rest".to_owned())]);
    assert_eq!(game.moves[2].annotations, [Annotation::Nag(14)]);
}

#[test]
fn evaluations_and_clocks_are_found_before_and_after_glyphs_and_stay() {
    let game =
        one("1. e4! { [%clk 0:03:00] } $14 { [%eval 0.17] } 1... c5 { [%eval 0.3] [%clk 0:02:59.5] } $2 { \
                    (0.17 → 0.30) Inaccuracy. [%emt 0.5] } 2. Nf3 { [%csl Gd4][%eval #3,8][%clk 1:00] } *");
    let times: Vec<_> = game.moves.iter().map(|played| (played.clock, played.elapsed)).collect();
    let seconds = |seconds| Some(Duration::from_secs_f64(seconds));
    assert_eq!(times, [(seconds(180.0), None), (seconds(179.5), seconds(0.5)), (None, None)]);
    let scores: Vec<_> = game.moves.iter().map(|played| played.eval.expect("an evaluation").score).collect();
    assert_eq!(scores, [SignedScore::Cp(17), SignedScore::Cp(30), SignedScore::Mate(3)]);
    let text = written(&game);
    for kept in [
        "1. e4 $1 $14 { [%eval 0.17] [%clk 0:03:00] }",
        "c5 $2 { [%eval 0.30] [%clk 0:02:59.5] [%emt 0:00:00.5] }",
        "(0.17 → 0.30) Inaccuracy.",
        "{ [%csl Gd4] [%clk 1:00] }",
    ] {
        assert!(text.replace('\n', " ").contains(kept), "{kept} is not in {text}");
    }
    assert_eq!(one(&text).moves, game.moves);
}

#[test]
fn an_evaluation_before_the_first_move_is_that_of_the_start() {
    let game = one("{ [%eval 0.2] } 1. e4 {[%eval #-3]} {[%eval 0.1] [%eval 0.4]} *");
    assert_eq!(game.recorded_eval(0).map(|eval| eval.score), Some(SignedScore::Cp(20)));
    assert_eq!(game.recorded_eval(1).map(|eval| eval.score), Some(SignedScore::Cp(40)));
    assert!(game.preamble.is_empty() && game.moves[0].annotations.is_empty());
}

#[test]
fn chances_and_a_best_move_belong_to_the_evaluation_in_their_comment() {
    let game = one("{ [%eval 0.2] [%best e2e4] } 1. e4 {[%eval #-3]} {[%wdl 1,2,997]} \
                    {[%eval 0.1] [%wdl 10,985,5]} {[%eval 0.4] [%best g8f6]} e5 {[%best g1f3] [%wdl 0,5,9]} *");
    let best = |ply: usize| game.recorded_eval(ply).and_then(|eval| eval.best).map(|best| best.to_string());
    assert_eq!([0, 1, 2].map(best), [Some("e2e4".to_owned()), Some("g8f6".to_owned()), None]);
    assert_eq!(game.recorded_eval(1).map(|eval| eval.wdl), Some(None));
    assert_eq!(game.moves[0].annotations, [Annotation::Comment("[%wdl 1,2,997]".to_owned())]);
    assert_eq!(game.moves[1].annotations, [Annotation::Comment("[%best g1f3] [%wdl 0,5,9]".to_owned())]);
    assert_eq!(game.recorded_eval(2), None);
}

#[test]
fn long_tags_and_comments_survive() {
    let (name, comment) = ("ä\"\\".repeat(50_000), "wörd ".repeat(50_000));
    let mut game = one("[White \"a\"]\n{c} 1. e4 *");
    game.tags.set("White", &name);
    game.preamble = vec![Annotation::Comment(comment.trim().to_owned())];
    let read = one(&written(&game));
    assert_eq!(read.tags.get("White"), Some(name.as_str()));
    assert_eq!(read.preamble, game.preamble);
}

#[test]
fn games_start_from_positions_and_from_those_of_chess960() {
    let fen = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 17\"]\n\n";
    assert_eq!(sans(&one(&format!("{fen}17... Kd7 18. e4 *"))), "Kd7 e4");
    assert_eq!(sans(&one(&format!("{fen}1... Kd7 2. e4 *"))), "Kd7 e4");
    let chess960 = one("[Variant \"chess 960\"]\n\
                        [FEN \"rk1r4/pppppppp/8/8/8/8/PPPPPPPP/RK1R4 w KQkq - 0 1\"]\n\n1. O-O 0-0 *");
    assert_eq!(chess960.mode, CastlingMode::Chess960);
    let uci = chess960.moves.iter().map(|played| played.uci.to_string()).collect::<Vec<_>>();
    assert_eq!(uci, ["b1d1", "b8d8"]);
    assert_eq!(one("[Variant \"Standard\"]\n1. e4 *").mode, CastlingMode::Standard);
}

#[test]
fn start_positions_and_variants_that_are_not_understood_are_named() {
    assert_eq!(
        fault("[Variant \"Crazyhouse\"]\n1. e4 *"),
        "the variant \"Crazyhouse\" is neither standard chess nor Chess960"
    );
    assert_eq!(
        fault("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n*"),
        "invalid start position: illegal position: empty board, missing king"
    );
    assert_eq!(fault("[FEN \"what\"]\n*"), "invalid start position: invalid board part in fen");
    assert_eq!(fault("[SetUp \"1\"]\n*"), "a tag SetUp without a tag FEN");
}

#[test]
fn tokens_that_a_reader_would_skip_leave_the_game_out() {
    for token in ["Sf3", "♘f3", "e2-e5-e6", "[%eval", "12x", "foo"] {
        let fault = fault(&format!("1. d4 d5 2. {token} Nf6 *"));
        assert_eq!(fault, format!("ply 3: unknown token \"{token}\""));
    }
    for token in ["--", "Z0", "0000", "@@@@"] {
        assert_eq!(fault(&format!("1. d4 {token} *")), format!("ply 2: null move \"{token}\""));
    }
}

#[test]
fn moves_must_be_legal_and_legal_moves_need_no_right_numbers() {
    assert_eq!(fault("1. e4 e5 2. Qxh9 *"), "ply 3: unknown token \"Qxh9\"");
    assert_eq!(fault("1. e4 e5 2. Qxh8! *"), "ply 3: illegal move \"Qxh8\"");
    assert_eq!(fault("1. d4 d5 2. Nd2 Nc6 3. Nf3 *"), "ply 5: ambiguous move \"Nf3\"");
    assert_eq!(fault("1. f3 e5 2. g4 Qh4# 3. Kf2 *"), "ply 5: illegal move \"Kf2\"");
    assert_eq!(fault("1. e4 e5 3. e5 *"), "ply 3: wrong move number, 2 expected: \"3.\"");
    assert_eq!(one("1. e4 e5 3. Nf3 *").moves.len(), 3);
    assert_eq!(one("1. e4 e5 Nf3 2... Nc6 1-0").moves.len(), 4);
}

#[test]
fn an_illegal_game_does_not_hide_the_next_one() {
    let good = "[Event \"b\"]\n\n1. d4 {x} 1-0\n\n";
    for (bad, reason) in [
        ("1. e4 { no end", BadGameReason::UnterminatedComment),
        ("1. e4 (1. d4 no end", BadGameReason::UnterminatedVariation),
        ("1. e5", BadGameReason::IllegalMove),
        ("1. e4 e5 2. Nf", BadGameReason::UnknownToken),
        ("1. e4 [White \"b\"] e5", BadGameReason::UnknownToken),
        ("1. e4 --", BadGameReason::NullMove),
    ] {
        let bad_game = format!("[Event \"a\"]\n\n{bad}\n\n");
        let expected = [Err(reason.clone()), Ok(1), Err(reason), Ok(1)];
        assert_eq!(outline(&format!("{bad_game}{good}{bad_game}{good}")), expected);
    }
}

#[test]
fn a_file_cut_off_in_the_middle_keeps_the_games_before() {
    let whole = "[Event \"a\"]\n[White \"w\"]\n\n1. e4 {good} e5 (1... c5) 1-0\n\n";
    for cut in (whole.len()..2 * whole.len()).filter(|&cut| whole.is_char_boundary(cut - whole.len())) {
        let text = format!("{whole}{whole}");
        let games = outline(&text[..cut]);
        assert_eq!(games[0], Ok(2));
        assert!(games.len() <= 2);
    }
    assert_eq!(outline("[White \"An"), [Err(BadGameReason::UnterminatedTag)]);
}

#[test]
fn text_between_games_is_one_bad_game() {
    let text = "<html>(x) 1. e4 * { <p>\n[Event \"a\"]\n\n1. e4 1-0\n</p> foo * bar *\n[Event \"b\"]\n\n*";
    assert_eq!(outline(text), [Err(BadGameReason::NotPgn), Ok(1), Err(BadGameReason::NotPgn), Ok(0)]);
}

#[test]
fn what_is_no_pgn_holds_no_game() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0*\0\x01 * e4 1-0 {";
    assert_eq!(
        read(&decode(png.to_vec()))[0].as_ref().map_err(ToString::to_string),
        Err("games.pgn, game 1 (? – ?): not a game in PGN: \"‰PNG\"".to_owned())
    );
    assert_eq!(
        outline("Call me Ishmael. Some years ago - never mind how long *"),
        [Err(BadGameReason::NotPgn)]
    );
    assert_eq!(outline(" \n\n"), []);
}

#[test]
fn hostile_texts_are_only_long() {
    let deep = format!("1. e4 {} e5 *", "(1. d4 ".repeat(10_000) + &")".repeat(10_000));
    let game = one(&deep);
    assert_eq!(game.moves.len(), 2);
    assert_eq!(one(&written(&game)).moves, game.moves);
    for long in ["(", "[", "{", "x", "[a ", "1", "%", "\0", "[Event \"", "e4 ", "N", "{[", "\"", "(1. e4 "] {
        let text = long.repeat(200_000 / long.len());
        assert!(read(&text).into_iter().filter_map(Result::ok).count() <= 1);
    }
    assert_eq!(one(&format!("1. e4 {{{}}} *", "x".repeat(10_000_000))).moves.len(), 1);
}

#[test]
fn what_is_written_is_set_as_export_format_has_it() {
    let game = one("[Annotator \"a \\\"b\\\"\"]\n[White \"Anand\"]\n\
                    {[%eval 0.17,20]} {go} 1. e4 {[%eval -0.05] [%best e7e5] [%wdl 12,980,8]} e5 (1... c5 $5) \
                    2. Nf3 Nc6 1-0");
    assert_eq!(
        written(&game),
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"Anand\"]\n\
         [Black \"?\"]\n[Result \"1-0\"]\n[Annotator \"a \\\"b\\\"\"]\n\n\
         { [%eval 0.17,20] } { go } 1. e4 { [%eval -0.05] [%wdl 12,980,8] [%best e7e5] }\n\
         1... e5 (1... c5 $5) 2. Nf3 Nc6 1-0\n\n"
    );
}

#[test]
fn nothing_in_a_tag_or_comment_breaks_out_of_it() {
    let mut game = one("1. e4 *");
    game.tags.set("White", "a\"]\n[Black \"b\r\n\n1. d4 {");
    game.tags.set("Bad name\"]", "x");
    game.moves[0].annotations = vec![Annotation::Comment("a } 1... e5 {\n[Event \"x\"]\n%".to_owned())];
    let read = one(&written(&game));
    assert_eq!(read.player(Color::White), "a\"] [Black \"b   1. d4 {");
    assert_eq!(read.moves[0].annotations, [Annotation::Comment("a ) 1... e5 { [Event \"x\"] %".to_owned())]);
}

#[test]
fn a_start_position_without_tags_is_written() {
    let fen: Fen = "rk1r4/8/8/8/8/8/8/RK1R4 b KQkq - 5 9".parse().expect("test fen");
    let start: Chess = fen.into_position(CastlingMode::Chess960).expect("legal test position");
    let game = Game { start, mode: CastlingMode::Chess960, ..one("[White \"a\"]\n*") };
    let read = one(&written(&game));
    assert_eq!((&read.start, read.mode), (&game.start, game.mode));
    assert_eq!((read.start.fullmoves().get(), read.start.halfmoves()), (9, 5));
}

/// Tests the number of each player's moves against the paper's Table 5.
#[test]
fn the_candidates_of_2013_played_the_moves_of_the_papers_table_5() {
    let text = read_source("data/candidates-2013.pgn").expect("data of the repository");
    let mut moves = BTreeMap::<String, usize>::new();
    for game in parse_games(&text, "data/candidates-2013.pgn") {
        let game = game.expect("a good game");
        for mover in game.movers() {
            *moves.entry(game.player(mover).to_owned()).or_default() += 1;
        }
    }
    let expected = [
        ("Aronian, Levon", 602),
        ("Carlsen, Magnus", 663),
        ("Gelfand, Boris", 566),
        ("Grischuk, Alexander", 598),
        ("Ivanchuk, Vassily", 597),
        ("Kramnik, Vladimir", 601),
        ("Radjabov, Teimour", 688),
        ("Svidler, Peter", 512),
    ];
    assert!(moves.iter().map(|(name, &n)| (name.as_str(), n)).eq(expected), "{moves:?}");
}

#[test]
fn the_data_of_the_repository_are_written_as_they_are_read() {
    for path in ["data/candidates-2013.pgn", "data/london-chess-classic-2011.pgn"] {
        let text = read_source(path).expect("data of the repository");
        let games = parse_games(&text, path);
        let again: String = games.iter().flatten().map(written).collect();
        assert_eq!(again, text);
    }
}

/// Returns a comment in its stored form: white space folded, no closing brace.
fn a_comment() -> impl Strategy<Value = String> {
    proptest::collection::vec("[^\\p{C}\\p{Z}}\\[]{1,12}|\\[Event|\"x\"\\]|%|;", 1..15)
        .prop_map(|words| words.join(" "))
}

fn an_annotation() -> impl Strategy<Value = Annotation> {
    prop_oneof![
        any::<u8>().prop_map(Annotation::Nag),
        a_comment().prop_map(Annotation::Comment),
        a_comment().prop_map(Annotation::Variation),
    ]
}

fn an_eval() -> impl Strategy<Value = Option<RecordedEval>> {
    let score = prop_oneof![(-5000..5000).prop_map(SignedScore::Cp), (-30..30).prop_map(SignedScore::Mate)];
    let best = "[a-h][1-8][a-h][1-8][nbrq]?".prop_map(|best| best.parse().expect("a move in UCI's notation"));
    let parts = (score, proptest::option::of(0..99u32), a_wdl(), proptest::option::of(best));
    proptest::option::of(parts.prop_map(|(score, depth, wdl, best)| RecordedEval { score, depth, wdl, best }))
}

/// Returns a time on a clock, or none.
fn a_time() -> impl Strategy<Value = Option<Duration>> {
    let tenths = (0..2_000_000u64).prop_map(|tenths| Duration::from_millis(100 * tenths));
    proptest::option::of(tenths)
}

/// Returns chances per mille, or none.
pub fn a_wdl() -> impl Strategy<Value = Option<Wdl>> {
    (0..=1000u16, 0..=1000u16)
        .prop_map(|(win, draw)| Wdl::new(win, draw, 1000_u16.saturating_sub(win.saturating_add(draw))))
}

const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pppq1ppp/8/8/8/8/PPPQ1PPP/R3K2R b KQkq - 7 20",
    "nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w GBgb - 0 1",
    "rk1r4/6P1/8/8/8/8/6p1/RK1R4 b KQkq - 5 9",
];

/// Returns a variation with the number of the move that it replaces. Other annotations are returned
/// unchanged.
fn with_number(annotation: Annotation, before: &Chess) -> Annotation {
    let number = format!("{}{}", before.fullmoves(), before.turn().fold_wb(".", "..."));
    match annotation {
        Annotation::Variation(text) => {
            Annotation::Variation(format!("{number} d4 $7 ({number} c4 {{ {text} }}) {{ {text} }}"))
        }
        other => other,
    }
}

/// Returns a game of random moves. Each ply has an index of a legal move, annotations, an evaluation and
/// times.
pub fn a_game() -> impl Strategy<Value = Game> {
    let annotations = proptest::collection::vec(an_annotation(), 0..3);
    let ply = (any::<prop::sample::Index>(), annotations, an_eval(), a_time(), a_time());
    let plies = proptest::collection::vec(ply, 0..40);
    let result = prop::sample::select(vec![
        GameResult::WhiteWins,
        GameResult::BlackWins,
        GameResult::Draw,
        GameResult::Unknown,
    ]);
    let preamble = proptest::collection::vec(a_comment().prop_map(Annotation::Comment), 0..2);
    (0..STARTS.len(), "[^\\p{Cc}]{0,40}", plies, result, preamble, an_eval()).prop_map(
        |(start, name, plies, result, preamble, start_eval)| {
            let fen: Fen = STARTS[start].parse().expect("test fen");
            let mode = CastlingMode::detect(fen.as_setup());
            let start: Chess = fen.into_position(mode).expect("legal test position");
            let mut position = start.clone();
            let mut moves = Vec::new();
            for (index, annotations, eval, clock, elapsed) in plies {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                let m = legal[index.index(legal.len())];
                let annotations = annotations.into_iter().map(|a| with_number(a, &position)).collect();
                let uci = m.to_uci(mode);
                let san = SanPlus::from_move_and_play_unchecked(&mut position, m);
                moves.push(PlayedMove { san, uci, annotations, eval, clock, elapsed });
            }
            let tags: Tags = [("White".to_owned(), name)].into_iter().collect();
            let source = GameSource::default();
            Game {
                source,
                tags,
                start,
                mode,
                moves,
                result,
                preamble,
                start_eval,
                book_plies: None,
                repairs: Repairs::default(),
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn reading_what_was_written_gives_the_same_game(game in a_game()) {
        let text = written(&game);
        let mut read = one(&text);
        prop_assert_eq!(&written(&read), &text);
        for (name, _) in game.tags.iter() {
            let raw = |game: &Game| game.tags.iter().find(|(n, _)| *n == name).map(|(_, v)| v.to_owned());
            if game.tags.get(name).is_some() {
                prop_assert_eq!(raw(&read), raw(&game));
            }
        }
        read.tags = game.tags.clone();
        read.source = game.source.clone();
        prop_assert_eq!(read, game);
    }

    #[test]
    fn no_bytes_are_too_odd_to_read(bytes: Vec<u8>) {
        prop_assert!(read(&decode(bytes)).iter().flatten().all(|game| game.moves.is_empty()));
    }

    #[test]
    fn no_text_is_too_odd_to_read(
        parts in proptest::collection::vec(prop_oneof![
            prop::sample::select(vec![
                "[", "]", "{", "}", "(", ")", ";", "%", "\n", "\n\n", "\"", "[Event \"x\"]\n", "e4 ", "e5 ", "1. ",
                "2. ", "1-0 ", "* ", "$1", "!", "...", "0-0", "--", "e.p.", "N", "[%eval 0.1]",
                "[%wdl 1,998,1]", "[%best e2e4]", "\u{85}", "½",
            ]).prop_map(str::to_owned),
            any::<String>(),
        ], 0..40),
    ) {
        for game in read(&decode(parts.concat().into_bytes())) {
            match game {
                Ok(game) => prop_assert_eq!(&one(&written(&game)).moves, &game.moves),
                Err(bad) => prop_assert!(!bad.to_string().contains(char::is_control)),
            }
        }
    }
}
