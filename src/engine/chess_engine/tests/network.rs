//! The network that corrects the evaluation: its formula, its symmetries, and its updates from position to
//! position.

use shakmaty::{CastlingMode, Chess, Color, PositionError, Role, fen::Fen};

use super::{CHESS960, KIWIPETE, START, chess, random_positions};
use crate::engine::chess_engine::{
    ChessEngine, EngineWeights, KeyedPosition, Limits, Network, NetworkRow, Root, Weights, WeightsFile,
    evaluate,
    evaluator::{EngineEvaluator, StaticEvaluator},
};

/// Makes a network whose numbers are different and within the limits of their rows.
fn made() -> Network {
    let mut network = Network::zero();
    for (seed, row) in NetworkRow::all().enumerate() {
        let number = |place: usize| ((seed * 7919 + place * 104_729) % 61) as i32 - 30;
        network.set_row(row, &(0..row.count()).map(number).collect::<Vec<i32>>());
    }
    network
}

fn shipped() -> Network {
    WeightsFile::default().network.expect("the engine's own network")
}

fn row(name: &str) -> NetworkRow {
    name.parse().unwrap_or_else(|_| panic!("{name} is a row"))
}

/// Returns numbers that are 0 except those at `places`.
fn numbers(row: NetworkRow, places: &[(usize, i32)]) -> Vec<i32> {
    let mut numbers = vec![0; row.count()];
    places.iter().for_each(|&(place, number)| numbers[place] = number);
    numbers
}

#[test]
fn a_value_is_that_of_the_formula() {
    let mut network = Network::zero();
    let set = |network: &mut Network, name, places: &[_]| {
        network.set_row(row(name), &numbers(row(name), places));
    };
    // Hidden unit 3 is 0.2 + 0.4 = 0.6 for White, who has a knight on g5. For Black, it is 0.2 − 0.1 = 0.1:
    // White's knight is on g4 in Black's view.
    set(&mut network, "network: biases", &[(3, 51)]);
    set(&mut network, "network: own knight g5", &[(3, 102)]);
    set(&mut network, "network: enemy knight g4", &[(3, -26)]);
    let white = chess("4k2r/8/8/6N1/8/8/8/4K3 w - - 0 1");
    let black = chess("4k2r/8/8/6N1/8/8/8/4K3 b - - 0 1");
    assert_eq!(network.value(&white), 0);
    // The weights of the output are 1.5 for the side to move and −0.5 for the other side; the bias is 0.25.
    set(&mut network, "network: output 0", &[(3, 96), (67, -32), (128, 255 * 16)]);
    // 0.25 + 1.5 · 0.6² − 0.5 · 0.098² = 0.785 and 0.25 + 1.5 · 0.098² − 0.5 · 0.6² = 0.084, times 300.
    assert_eq!((network.value(&white), network.value(&black)), (235, 25));
    // With five pieces, the output has other weights.
    assert_eq!(network.value(&chess("4k2r/8/8/6N1/8/8/4P3/4K3 w - - 0 1")), 0);
    // A unit is clamped between 0 and 1: 0.25 + 1.5 − 0.5 · 0.098².
    set(&mut network, "network: own knight g5", &[(3, 990)]);
    assert_eq!(network.value(&white), 523);
}

#[test]
fn a_position_and_its_mirror_images_have_the_same_value() {
    let network = made();
    let pairs = [
        (
            "r1b2rk1/pp3ppp/2n2n2/3p4/8/2PB1N2/PP3PPP/R1B2RK1 w - - 0 1",
            "r1b2rk1/pp3ppp/2pb1n2/8/3P4/2N2N2/PP3PPP/R1B2RK1 b - - 0 1",
        ),
        ("8/5k2/3p4/1P6/8/4N3/2K5/8 w - - 0 1", "8/2k5/4p3/6P1/8/3N4/5K2/8 w - - 0 1"),
    ];
    for (fen, image) in pairs {
        assert_eq!(network.value(&chess(fen)), network.value(&chess(image)), "{fen}");
    }
}

#[test]
fn an_evaluation_from_the_last_position_is_that_from_scratch() {
    let weights = Weights::default();
    for network in [made(), shipped()] {
        let file = WeightsFile { network: Some(network.clone()), ..WeightsFile::default() };
        let EngineEvaluator::Terms(mut evaluator) = EngineWeights::Terms(file).into() else {
            panic!("terms are evaluated by terms")
        };
        let kings = "8/P6k/8/3q4/8/8/1p4K1/R7 w - - 0 1";
        for start in [START, KIWIPETE, CHESS960, kings, "8/8/4k3/8/8/2Q1K3/8/8 w - - 0 1"] {
            for position in random_positions(start, 5, 200, 1) {
                let value = evaluate(&position, &weights) + network.value(&position);
                let keyed = KeyedPosition::new(position);
                assert_eq!(evaluator.value(&keyed), value, "{keyed:?}");
            }
        }
    }
}

#[test]
fn the_evaluation_is_that_by_terms_and_the_correction() {
    let file = WeightsFile::default();
    let weights = Weights::default();
    let mut corrected = 0;
    for position in random_positions(KIWIPETE, 9, 100, 2) {
        let correction = shipped().value(&position);
        assert_eq!(file.evaluate(&position), evaluate(&position, &weights) + correction);
        corrected += usize::from(correction != 0);
    }
    assert!(corrected > 90, "{corrected}");
    let bare = chess("8/8/4k3/8/8/2Q5/8/4K3 w - - 0 1");
    assert_eq!(file.evaluate(&bare), evaluate(&bare, &weights));
    let search = |mut engine: ChessEngine| {
        engine.search(&Root::new(chess(KIWIPETE)), &Limits::depth(1), &mut ()).variations[0].score
    };
    let mut by_terms = ChessEngine::new(1);
    by_terms.set_weights(WeightsFile { network: None, ..file });
    assert_eq!(search(ChessEngine::by_terms(1)), search(by_terms));
    assert_ne!(search(ChessEngine::by_terms(1)), search(ChessEngine::new(1)));
}

#[test]
fn more_than_32_pieces_are_evaluated_by_terms() {
    let fen: Fen = "rnbqkbnr/pppppppp/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".parse().expect("a FEN");
    let position: Result<Chess, _> = fen.into_position(CastlingMode::Standard);
    let position = position.or_else(PositionError::ignore_too_much_material).expect("a position");
    assert_eq!(shipped().value(&position), 0);
    let found = ChessEngine::new(1).search(&Root::new(position), &Limits::depth(2), &mut ());
    assert!(!found.variations[0].moves.is_empty());
}

#[test]
fn numbers_at_their_limits_fit_into_their_types() {
    for sign in [1, -1] {
        let mut network = Network::zero();
        for row in NetworkRow::all() {
            let limit = if matches!(row, NetworkRow::Output(_)) { i32::MAX * sign } else { i32::MAX };
            network.set_row(row, &vec![limit; row.count()]);
        }
        // Every hidden unit is 1: 128 · 127/64 and a bias of 100 pawns.
        let value = network.value(&chess(START));
        assert_eq!(value, sign * (10_000 + 300 * 128 * 127 / 64), "{value}");
    }
}

#[test]
fn an_input_is_a_piece_as_its_side_sees_it() {
    let input = |color, king, owner, role, square: &str| {
        let king: shakmaty::Square = king;
        NetworkRow::Input(Network::input(color, king, owner, role, square.parse().expect("a square")) as u16)
    };
    let of = |name: &str| row(name);
    let (g1, c8) = (shakmaty::Square::G1, shakmaty::Square::C8);
    assert_eq!(input(Color::White, g1, Color::White, Role::Knight, "b5"), of("network: own knight b5"));
    assert_eq!(input(Color::White, g1, Color::Black, Role::Queen, "d8"), of("network: enemy queen d8"));
    // Black's king on c8 is on f1 in Black's mirrored view.
    assert_eq!(input(Color::Black, c8, Color::Black, Role::King, "c8"), of("network: own king f1"));
    assert_eq!(input(Color::Black, c8, Color::White, Role::Pawn, "a2"), of("network: enemy pawn h7"));
    let names: Vec<NetworkRow> = NetworkRow::all().collect();
    assert!(names.iter().all(|&row| of(&row.to_string()) == row));
    // 768 inputs without the pawns' first and last ranks, and without own kings on the files a to d.
    assert_eq!(names.len(), 768 - 4 * 8 - 32 + 1 + 8);
    for unknown in ["network: own pawn a1", "network: own king d1", "network: own", "network", "tempo"] {
        assert!(unknown.parse::<NetworkRow>().is_err(), "{unknown}");
    }
}
