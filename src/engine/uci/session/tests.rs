//! A session with a scripted engine: commands, results and faults of engines.

mod several_lines;

use tokio::io::{BufReader, DuplexStream, ReadHalf, WriteHalf, duplex, split};

use super::*;
use crate::chess::{Limit, Order, SignedScore, Wdl, pgn::parse_games};

pub type TestSession = Session<BufReader<ReadHalf<DuplexStream>>, WriteHalf<DuplexStream>>;

/// Plays the engine's side of a transcript: a line after `>` is expected, and a line after `<` is sent.
async fn play(transcript: String, stream: DuplexStream) {
    let (reader, mut writer) = split(stream);
    let mut reader = BufReader::new(reader);
    for line in transcript.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.split_at(1) {
            (">", expected) => {
                let heard = read_line(&mut reader, LINE_LIMIT).await.expect("a stream in memory");
                let heard = heard.map(|line| String::from_utf8(line).expect("text"));
                assert_eq!(heard.as_deref(), Some(expected.trim()));
            }
            (_, said) => {
                let line = format!("{}\n", said.trim());
                // A failed session no longer reads.
                let _ = writer.write_all(line.as_bytes()).await;
            }
        }
    }
}

fn protocol() -> Protocol {
    Protocol::new(Limit::Depth(2), Order::Backward, 16)
}

pub fn setup() -> Setup {
    Setup { timeout: Duration::from_millis(300), ..Setup::default() }
}

/// Runs `script` with a session against a transcript, until the script and the transcript end.
pub fn converse<F: Future<Output = ()>>(
    transcript: &str,
    setup: Setup,
    script: impl FnOnce(Result<TestSession, SessionError>) -> F,
) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let (ours, theirs) = duplex(1 << 16);
        let engine = tokio::spawn(play(transcript.to_owned(), theirs));
        let (reader, writer) = split(ours);
        script(Session::start(BufReader::new(reader), writer, &setup).await).await;
        engine.await.expect("the dialogue is as written");
    });
}

/// Returns the only segment of a game.
fn segment(pgn: &str) -> Segment {
    let game = parse_games(pgn, "test").remove(0).expect("a game");
    let protocol = protocol();
    Segment::cut(&game, &protocol).remove(0)
}

#[test]
fn a_segment_is_searched_as_the_protocol_says() {
    let transcript = "
        > uci
        < Engine 1.0 by nobody
        < id name Engine 1.0
        < option name Threads type spin default 4 min 1 max 8
        < option name Hash type spin default 16 min 1 max 1024
        < option name UCI_ShowWDL type check default false
        < uciok
        > setoption name Threads value 1
        > setoption name Hash value 64
        > setoption name UCI_ShowWDL value true
        > isready
        < readyok
        > ucinewgame
        > isready
        < info string getting ready
        < readyok
        > position startpos moves e2e4 e7e5
        > go depth 2
        < info depth 1 score cp 10 nodes 20 pv g1f3
        < info depth 2 seldepth 3 multipv 1 score cp 31 wdl 90 880 30 nodes 70 time 5 pv g1f3 b8c6
        < info depth 2 multipv 2 score cp -400 nodes 71 pv a2a3
        < info depth 3 score cp 999 lowerbound nodes 80 pv g1f3
        < bestmove g1f3 ponder b8c6
        > isready
        < readyok
        > position startpos moves e2e4
        > go depth 2
        < info depth 2 score cp -28 wdl 20 890 90 nodes 60 pv e7e5
        < bestmove e7e5
        > isready
        < readyok
        > position startpos
        > go depth 2
        < info depth 2 score mate 7 nodes 50
        < bestmove e2e4
        > quit
    ";
    converse(transcript, setup(), async |session| {
        let mut session = session.expect("a session");
        assert_eq!(session.identity().name, "Engine 1.0");
        assert_eq!(session.identity().options.values()["Hash"], "64");
        let segment = segment("1. e4 e5 *");
        let result = session.evaluate(&segment, &protocol()).await.expect("evaluations");
        let [(2, last), (1, middle), (0, first)] = result.evaluations.as_slice() else {
            panic!("from the last position to the first: {result:?}");
        };
        assert_eq!((last.score, last.nodes, last.depth), (Score::Cp(31), Some(70), Some(2)));
        assert_eq!(last.best, Some("g1f3".parse().expect("a move")));
        let knight = Some("g1f3".parse().expect("a move"));
        let black = Some("e7e5".parse().expect("a move"));
        assert_eq!(result.iterations, [vec![knight; 2], vec![None, black], vec![]], "bounds are no moves");
        assert_eq!(middle.score, Score::Cp(28), "Black's −28 is White's +28");
        assert_eq!(middle.wdl, Some(Wdl { win: 90, draw: 890, loss: 20 }));
        let mate = SignedScore::Mate(7);
        assert_eq!(first.score, Score::from_white_view(mate, shakmaty::Color::White));
        session.quit().await.expect("a listener");
    });
}

#[test]
fn chess960_is_switched_on_for_the_game_that_needs_it_and_off_again() {
    let transcript = "
        > uci
        < option name UCI_Chess960 type check default false
        < uciok
        > isready
        < readyok
        > setoption name UCI_Chess960 value true
        > ucinewgame
        > isready
        < readyok
        > position fen rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w KQkq - 0 1 moves b1e1
        > go depth 2
        < info depth 2 score cp 1
        < bestmove b8e8
        > isready
        < readyok
        > position fen rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w KQkq - 0 1
        > go depth 2
        < info depth 2 score cp 1
        < bestmove b1e1
        > setoption name UCI_Chess960 value false
        > ucinewgame
        > isready
        < readyok
        > position startpos
        > go depth 2
        < info depth 2 score cp 1
        < bestmove e2e4
    ";
    converse(transcript, setup(), async |session| {
        let mut session = session.expect("a session");
        let fen = "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w KQkq - 0 1";
        let shuffled = segment(&format!("[Variant \"Chess960\"]\n[FEN \"{fen}\"]\n\n1. O-O *"));
        session.evaluate(&shuffled, &protocol()).await.expect("evaluations");
        let usual = segment("*");
        session.evaluate(&usual, &protocol()).await.expect("evaluations");
    });
}

#[test]
fn castling_is_kept_in_the_notation_of_the_game_and_chances_only_where_they_are_a_whole() {
    let answer = "
        < info depth 2 score cp 1 wdl 1 2 3
        < bestmove e1h1
    ";
    let fen = "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n*";
    let preamble = PREAMBLE.replace("startpos", "fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    converse(&[&preamble, answer].concat(), setup(), async |session| {
        let mut session = session.expect("a session");
        let result = session.evaluate(&segment(fen), &protocol()).await.expect("evaluations");
        let (_, evaluation) = &result.evaluations[0];
        assert_eq!(evaluation.best, Some("e1g1".parse().expect("a move")));
        assert_eq!(evaluation.wdl, None);
    });
}

/// The transcript before the first search, for an engine without options.
const PREAMBLE: &str = "
    > uci
    < uciok
    > isready
    < readyok
    > ucinewgame
    > isready
    < readyok
    > position startpos
    > go depth 2
";

/// Searches the start position with an engine that answers with `answer`, and returns the error.
fn failure(answer: &str) -> String {
    let mut error = String::new();
    converse(&[PREAMBLE, answer].concat(), setup(), async |session| {
        let mut session = session.expect("a session");
        let segment = segment("*");
        error = session.evaluate(&segment, &protocol()).await.expect_err("a fault").to_string();
    });
    error
}

#[test]
fn a_move_before_any_exact_score_is_an_error() {
    let error = failure(
        "< info depth 2 score cp 12 upperbound
         < info depth 2 multipv 2 score cp 12
         < bestmove e2e4",
    );
    assert_eq!(error, "the engine gave no score for the position after 0 plies");
}

#[test]
fn an_answer_to_another_position_is_an_error() {
    let error = failure(
        "< info depth 2 score cp 12
         < bestmove e7e5",
    );
    assert_eq!(error, "the engine's move e7e5 is illegal in the position after 0 plies");
}

#[test]
fn what_no_search_can_come_to_is_the_engines_fault() {
    for (told, problem) in [
        (
            "score cp 2147483647",
            "the engine's score cp 2147483647 for the position after 0 plies is impossible",
        ),
        ("score cp -1000001", "the engine's score cp -1000001 for the position after 0 plies is impossible"),
        ("score mate 0", "the engine's score mate 0 for the position after 0 plies is impossible"),
        ("score mate -1001", "the engine's score mate -1001 for the position after 0 plies is impossible"),
    ] {
        assert_eq!(failure(&format!("< info depth 2 {told}\n < bestmove e2e4")), problem);
    }
    for depth in ["-5", "4294967296"] {
        let problem = format!("the engine's depth {depth} is impossible");
        assert_eq!(failure(&format!("< info depth {depth} score cp 12\n < bestmove e2e4")), problem);
    }
    let shallow = "the engine searched the position after 0 plies to depth 1 instead of 2";
    assert_eq!(failure("< info depth 1 score cp 12\n < bestmove e2e4"), shallow);
}

#[test]
fn no_move_from_an_engine_that_names_moves_is_its_fault_and_so_is_nonsense() {
    for answer in ["(none)", "0000", ""] {
        let error = failure(&format!("< info depth 2 score cp 12 pv e2e4\n < bestmove {answer}"));
        assert_eq!(error, "the engine gave no move in the position after 0 plies", "{answer:?}");
    }
    for answer in ["e2e9", "resign"] {
        let error = failure(&format!("< info depth 2 score cp 12\n < bestmove {answer}"));
        assert_eq!(error, format!("the engine answered {answer:?} instead of a move"));
    }
}

/// Searches `fen` to depth 2 with an engine that answers with `told`, and returns the recorded depth.
fn depth_of(fen: &str, told: &str) -> Option<u32> {
    let mut depth = None;
    let preamble = PREAMBLE.replace("startpos", &format!("fen {fen}"));
    converse(&[&preamble, told].concat(), setup(), async |session| {
        let mut session = session.expect("a session");
        let segment = segment(&format!("[FEN \"{fen}\"]\n\n*"));
        let result = session.evaluate(&segment, &protocol()).await.expect("an evaluation");
        depth = result.evaluations[0].1.depth;
    });
    depth
}

#[test]
fn a_search_may_end_early_where_there_is_a_mate_or_but_one_move() {
    let mate = "< info depth 1 score mate 1 pv d8h4\n < bestmove d8h4";
    let fools = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
    assert_eq!(depth_of(fools, mate), Some(1));
    let forced = "< info depth 1 score cp 0 pv h1h2\n < bestmove h1h2";
    assert_eq!(depth_of("6k1/8/8/8/8/8/7q/7K w - - 0 1", forced), Some(1));
}

#[test]
fn a_second_answer_to_one_search_is_no_answer_to_the_next() {
    let transcript = [
        &PREAMBLE.replace("startpos", "startpos moves e2e4"),
        "< info depth 2 score cp -12
         < bestmove e7e5
         < bestmove d7d5
         > isready
         < readyok
         > position startpos
         > go depth 2
         < info depth 2 score cp 20
         < bestmove e2e4",
    ]
    .concat();
    converse(&transcript, setup(), async |session| {
        let mut session = session.expect("a session");
        let error =
            session.evaluate(&segment("1. e4 *"), &protocol()).await.expect_err("a fault").to_string();
        assert_eq!(error, "the engine answered one search twice");
    });
}

#[test]
fn a_greeting_without_end_is_cut_off() {
    let options = "< option name A type string default x\n".repeat(30_000);
    converse(&["> uci\n", &options].concat(), setup(), async |session| {
        let error = session.map(|_| ()).expect_err("a flood").to_string();
        assert_eq!(error, "more than 1048 kB before \"uciok\": not a UCI engine");
    });
}

#[test]
fn a_setting_out_of_range_is_refused_before_any_search() {
    let transcript = "
        > uci
        < option name Hash type spin default 16 min 1 max 64
        < uciok
    ";
    let asked = Setup { settings: vec![Setting::new("Hash", 65)], ..setup() };
    converse(transcript, asked, async |session| {
        let error = session.map(|_| ()).expect_err("out of range").to_string();
        assert_eq!(error, "engine option Hash cannot be \"65\": it must be a whole number from 1 to 64");
    });
}
