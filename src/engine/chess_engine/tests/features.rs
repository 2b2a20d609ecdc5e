//! The 12 features without a square agree with published counts. All 332 features are symmetric and add up to
//! the linear evaluation.

use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position, Square};

use super::{KIWIPETE, START, chess, random_positions};
use crate::engine::chess_engine::{
    ChessEngine, EngineWeights, Feature, FeatureSink, Limits, LinearFile, ONE, Root, emit_features,
};

/// The count of each feature, White's minus Black's, in units of 1 / [`ONE`].
struct Counts(Vec<i32>);

impl Counts {
    fn of(chess: &Chess) -> Counts {
        let mut counts = Counts(vec![0; Feature::COUNT]);
        emit_features(chess.board(), &mut counts);
        counts
    }
}

impl FeatureSink for Counts {
    fn add(&mut self, feature: Feature, color: Color, count: i32, _at: Option<Square>) {
        self.0[feature.index()] += color.fold_wb(count, -count);
    }
}

fn positions() -> Vec<Chess> {
    [START, KIWIPETE, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"]
        .into_iter()
        .flat_map(|start| random_positions(start, 11, 300, 3))
        .collect()
}

#[test]
fn pieces_and_pawns_are_counted_as_in_996_published_positions() {
    let table = include_str!("../../../../data/papers/paulsen_features.csv");
    let (heading, rows) = table.split_once('\n').expect("a heading");
    let names = "fen,pawn,knight,bishop,rook,queen,doubled,isolated,backward,passed_steps,rook_half_open,rook_open,rook_seventh";
    assert_eq!(heading.trim(), names);
    let mut count = 0;
    for row in rows.lines() {
        let (fen, numbers) = row.split_once(',').expect("a FEN and numbers");
        let known: Vec<i32> =
            numbers.split(',').map(|number| number.trim().parse().expect("a number")).collect();
        let found: Vec<i32> = Counts::of(&chess(fen)).0[..12].iter().map(|count| count / ONE).collect();
        assert_eq!(found, known, "{fen}");
        count += 1;
    }
    assert_eq!(count, 996);
}

#[test]
fn a_position_and_its_mirror_image_have_the_features_of_each_other() {
    for position in positions() {
        let mirrored: Chess = position
            .to_setup(EnPassantMode::Legal)
            .into_mirrored()
            .position(CastlingMode::Chess960)
            .expect("a mirrored position");
        let negated: Vec<i32> = Counts::of(&mirrored).0.iter().map(|count| -count).collect();
        assert_eq!(Counts::of(&position).0, negated, "{}", super::fen(&position));
    }
}

#[test]
fn the_linear_evaluation_is_the_sum_of_weights_by_features() {
    let file = LinearFile::handmade();
    for position in positions() {
        let counts = Counts::of(&position).0;
        let sum: f64 = Feature::all()
            .map(|feature| f64::from(counts[feature.index()]) * file.weights().centipawns(feature))
            .sum();
        let value = position.turn().fold_wb(1, -1) * file.weights().evaluate(&position);
        assert!((f64::from(value) - sum / f64::from(ONE)).abs() < 1.0, "{}", super::fen(&position));
        let listed: f64 = file
            .weights()
            .explain(&position)
            .iter()
            .map(|feature| feature.weight * feature.color.fold_wb(feature.count, -feature.count))
            .sum();
        assert!((listed - sum / f64::from(ONE)).abs() < 1e-6);
    }
}

#[test]
fn a_king_counts_by_what_the_opponent_has_left() {
    // Black has a queen and a rook, 1400 of 3100; White a rook: Black's king is in the endgame.
    let counts = Counts::of(&chess("3qk2r/8/8/8/8/8/8/R5K1 w - - 0 1")).0;
    assert_eq!(counts[Feature::on(Feature::KING_BOARD, Square::G1).index()], 1400);
    assert_eq!(counts[Feature::on(Feature::ENDGAME_KING_BOARD, Square::E1).index()], -ONE);
}

#[test]
fn the_engine_searches_by_linear_weights_and_with_its_own_as_before() {
    let root = Root::new(chess(KIWIPETE));
    let mut engine = ChessEngine::new(1);
    let own = engine.search(&root, &Limits::depth(4), &mut ());
    engine.set_weights(LinearFile::handmade());
    let linear = engine.search(&root, &Limits::depth(4), &mut ());
    assert_ne!(linear.variations[0].score, own.variations[0].score);
    engine.clear();
    assert_eq!(engine.search(&root, &Limits::depth(4), &mut ()), linear);
    engine.set_weights(EngineWeights::default());
    assert_eq!(engine.search(&root, &Limits::depth(4), &mut ()), own);
}
