//! A segment with an engine's results, for the unit tests of all stores and for the test suite.

use gainalyze::chess::{
    Evaluation, Limit, Mate, Order, PlyEvaluation, Protocol, RankedLine, Score, Segment, Wdl,
    pgn::parse_games,
};
use gainalyze::store::{EngineStamp, Origin};
use shakmaty::{Color, uci::UciMove};

pub fn segment() -> Segment {
    let game = parse_games("1. e4 e5 *", "test").remove(0).expect("a game");
    Segment::cut(&game, &protocol()).remove(0)
}

pub fn protocol() -> Protocol {
    Protocol::new(Limit::Depth(9), Order::Backward, 16)
}

pub fn engine() -> EngineStamp {
    let options = [("Hash".to_owned(), "64".to_owned())].into();
    EngineStamp {
        name: "Engine 1".to_owned(),
        options,
        digest: "ab".to_owned(),
        behavior: Some("b1".to_owned()),
    }
}

pub fn origin() -> Origin {
    Origin { engine: engine(), protocol: protocol() }
}

fn line(rank: u32, best: &str, score: Score) -> RankedLine {
    let best: UciMove = best.parse().expect("a move");
    RankedLine { rank, best, score, pv: vec![best, "e7e6".parse().expect("a move")] }
}

pub fn evaluations() -> Vec<PlyEvaluation> {
    let whole = Evaluation {
        depth: Some(9),
        seldepth: Some(12),
        nodes: Some(123_456_789_012),
        time_ms: Some(77),
        best: "g1f3".parse().ok(),
        pv: vec!["g1f3".parse().expect("a move"), "e7e5".parse().expect("a move")],
        wdl: Wdl::new(1, 990, 9),
        alternatives: vec![
            line(2, "d2d4", Score::Cp(-20)),
            line(3, "b1c3", Score::Mate(Mate { winner: Color::White, moves: 9 })),
        ],
        ..Evaluation::of_score(Score::Cp(-17))
    };
    let mate = Score::Mate(Mate { winner: Color::Black, moves: 3 });
    vec![(2, whole), (1, Evaluation::of_score(mate)), (0, Evaluation::of_score(Score::DRAW))]
}
