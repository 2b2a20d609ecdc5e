//! Tests of the whole method: the reference agrees with every tree, and invariants hold.

mod case;
pub(in crate::lab::deep) mod reference;
mod steered;

use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use shakmaty::{CastlingMode, Chess, Position};

use self::case::{Case, STARTS, compare, compare_all, grow, grow_by, position};
use self::reference::answer;
use super::*;
use crate::chess::GameSoFar;

fn of_distance(distance: f64) -> DeepOptions {
    DeepOptions { widths: Widths::of_distance(distance), lines: 1, cuts: true }
}

fn from(fen: &str) -> GameSoFar {
    GameSoFar::new(position(fen), CastlingMode::Standard)
}

#[test]
fn trees_equal_those_of_the_reference() {
    let mut rng = ChaCha8Rng::seed_from_u64(15);
    let (mut saved, mut repeated) = (0, 0);
    for number in 0..500 {
        let case = Case::random(&mut rng);
        let (full, asked) = case.tree(false, 1);
        compare(&case, &full, &format!("case {number}"));
        if number % 5 == 0 {
            compare_all(&case, &full, &format!("case {number}"));
        }
        assert!(
            full.nodes.iter().flat_map(|node| &node.moves).all(|m| m.idea.exact().is_some()),
            "no bounds"
        );
        assert_eq!(full.searches, asked as u64, "one after the other, nothing is asked in vain");
        let (cut, asked_with_cuts) = case.tree(true, 1);
        compare(&case, &cut, &format!("case {number} with cuts"));
        assert!(asked_with_cuts <= asked, "case {number}: cuts save searches");
        assert_eq!(cut.searches, asked_with_cuts as u64);
        saved += usize::from(asked_with_cuts < asked);
        repeated += usize::from(full.nodes.iter().flat_map(|node| &node.moves).any(|m| m.idea != m.alpha));
    }
    assert!(saved > 0 && repeated > 20, "{saved} cases with cuts, {repeated} with repetitions");
}

#[test]
fn what_is_asked_ahead_changes_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(2013);
    for number in 0..100 {
        let case = Case::random(&mut rng);
        let (alone, asked) = case.tree(true, 1);
        for ahead in [2, 3, 8] {
            let (together, asked_together) = case.tree(true, ahead);
            assert_eq!(alone, together, "case {number}, {ahead} at a time");
            assert!(asked <= asked_together);
        }
    }
}

/// Answers with the worst of the moves, as if an engine had overlooked the better moves. So mates are found
/// last.
fn blind(question: &Question) -> Vec<MoveFinding> {
    let all = Question { lines: 1000, ..question.clone() };
    answer(&all).pop().into_iter().collect()
}

#[test]
fn nor_does_it_where_an_engine_finds_better_moves_later() {
    let mut rng = ChaCha8Rng::seed_from_u64(2014);
    let mut mates = 0;
    for number in 0..60 {
        let case = Case::random(&mut rng);
        let options = || DeepOptions { widths: case.widths.clone(), lines: 1, cuts: true };
        let depth = case.depth.min(3);
        let (alone, _) = grow_by(blind, &case.game, options(), depth, 1);
        for ahead in [3, 8] {
            let (together, _) = grow_by(blind, &case.game, options(), depth, ahead);
            assert_eq!(alone, together, "case {number}, {ahead} at a time");
        }
        mates += usize::from(alone.nodes.iter().any(|node| node.moves[0].engine.mates()));
    }
    assert!(mates > 5, "{mates} cases with a mate");
}

#[test]
fn beside_a_mate_that_a_smaller_depth_has_found_last_nothing_else_is_gone_into() {
    // A queen mates on g7. The engine finds this move last.
    let game = from("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1");
    let mate_last = |question: &Question| {
        let mut said = answer(&Question { lines: 1000, ..question.clone() });
        said.sort_by_key(|finding| finding.score.mates());
        said.truncate(1);
        said
    };
    let counts = [1, 2, 3].map(|depth| grow_by(mate_last, &game, of_distance(1e9), depth, 1));
    let [(first, asked), (_, asked_at_two), (third, asked_at_three)] = counts;
    assert!(first.root().moves.len() > 20 && asked > 20, "all moves are looked at, and the mate is the last");
    assert_eq!((asked_at_two, asked_at_three), (asked, asked), "no reply to another move is asked for");
    assert_eq!(third.nodes.len(), 1);
    let roles: Vec<MoveRole> = third.root().moves.iter().map(|m| m.role).collect();
    assert_eq!(roles, [MoveRole::Candidate, MoveRole::Outside]);
    assert!(third.root().moves[0].engine.mates());
}

#[test]
fn alpha_and_idea_differ_only_where_a_position_can_come_again() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for _ in 0..100 {
        let case = Case::random(&mut rng);
        // A position recurs after four half-moves at the earliest. The game before the root is left out.
        let root = case.positions.last().expect("a root").clone();
        if root.halfmoves() > 90 {
            continue;
        }
        let game = GameSoFar::new(root, CastlingMode::Standard);
        let options = DeepOptions { widths: case.widths.clone(), lines: 1, cuts: true };
        let (tree, _) = grow(&game, options, case.depth.min(3), 1);
        for played in tree.nodes.iter().flat_map(|node| &node.moves) {
            assert_eq!(played.idea, played.alpha, "{}", played.uci);
        }
    }
}

#[test]
fn distance_0_follows_the_best_moves_alone() {
    let (tree, asked) = grow(&from(STARTS[1]), of_distance(0.0), 5, 1);
    assert_eq!((tree.nodes.len(), asked), (5, 5));
    assert!(tree.nodes.iter().all(|node| node.moves.len() == 1));
    assert_eq!(tree.main_line(0).len(), 5);
}

#[test]
fn a_larger_distance_never_has_fewer_nodes_at_depth_1() {
    for fen in STARTS {
        let moves = |distance| grow(&from(fen), of_distance(distance), 1, 1).0.root().moves.len();
        let counts = [0.0, 1.0, 10.0, 50.0, 100.0, 1e6].map(moves);
        assert!(counts.is_sorted(), "{counts:?}");
    }
}

#[test]
fn a_huge_distance_takes_every_move_that_is_no_mate() {
    let (tree, _) = grow(&from(STARTS[0]), of_distance(1e9), 1, 1);
    let root = position(STARTS[0]);
    let engine = |m: &TreeMove| {
        reference::digested(&super::graph::with_clock(&root, 0, CastlingMode::Standard), m.uci)
    };
    assert!(tree.root().moves.iter().all(|m| m.engine == engine(m)));
    let outside = tree.root().moves.iter().filter(|m| m.role == MoveRole::Outside).count();
    assert!(tree.root().moves.len() == 20 || outside == 1);
}

/// Answers with the move that one of `lines` plays in this position. Without such a line it answers with a
/// bad move.
fn scripted(question: &Question, lines: &[&str], start: &Chess) -> Vec<MoveFinding> {
    let wanted = lines.iter().flat_map(|line| {
        let mut here = start.clone();
        let moves = line.split_whitespace().map(|uci| uci.parse::<shakmaty::uci::UciMove>().expect("a move"));
        moves.filter(move |uci| {
            let is_here = here == question.position;
            here.play_unchecked(uci.to_move(&here).expect("a legal move"));
            is_here
        })
    });
    let mut wanted = wanted.filter(|uci| question.moves.is_empty() || question.moves.contains(uci));
    let (best, cp) = match wanted.next() {
        Some(best) => (best, 30),
        None => {
            let legal = question.position.legal_moves();
            let any = legal[0].to_uci(CastlingMode::Standard);
            (question.moves.first().copied().unwrap_or(any), -500)
        }
    };
    let score = MoverScore::of(crate::chess::score::Score::Cp(cp), shakmaty::Color::White);
    vec![MoveFinding { best, score, pv: vec![best], chances: None }]
}

fn grow_scripted(lines: &[&str], depth: usize) -> DeepTree {
    let start = Chess::default();
    let game = GameSoFar::new(start.clone(), CastlingMode::Standard);
    let mut search = DeepSearch::new(&game, of_distance(40.0)).expect("the start");
    loop {
        for question in search.open_questions(1) {
            let findings = scripted(&question, lines, &start);
            search.answer(&question, findings);
        }
        if search.open_questions(1).is_empty() {
            if search.depth() == depth {
                return search.tree().expect("a settled tree");
            }
            search.deepen();
        }
    }
}

#[test]
fn a_transposition_by_two_orders_is_one_node() {
    let tree = grow_scripted(
        &["g1f3 g8f6 b1c3 b8c6 e2e3", "b1c3 b8c6 g1f3 g8f6 e2e3", "d2d4 d7d5 g1f3 g8f6", "g1f3 d7d5 d2d4"],
        5,
    );
    let mut seen = std::collections::HashSet::new();
    assert!(tree.nodes.iter().all(|node| seen.insert(node.position.clone())), "each position once");
    let links =
        |to: usize| tree.nodes.iter().flat_map(|node| &node.moves).filter(|m| m.child == Some(to)).count();
    let four = position("r1bqkb1r/pppppppp/2n2n2/8/8/2N2N2/PPPPPPPP/R1BQKB1R w KQkq - 4 3");
    let place = tree.nodes.iter().position(|node| node.position == four).expect("the four knights");
    assert_eq!(links(place), 2);
    // The lines have a pawn move at the beginning or at the end, which changes the clock.
    let queen = position("rnbqkbnr/ppp1pppp/8/3p4/3P4/5N2/PPP1PPPP/RNBQKB1R b KQkq - 0 2");
    let place = tree.nodes.iter().position(|node| node.position == queen).expect("the queen's pawns");
    assert_eq!(links(place), 2);
}

#[test]
fn knights_that_go_home_again_are_worth_what_the_engine_says_and_from_the_root_a_draw() {
    let tree = grow_scripted(&["g1f3 g8f6 f3g1 f6g8"], 6);
    let mut node = tree.root();
    for uci in ["g1f3", "g8f6", "f3g1"] {
        let played = node.moves.iter().find(|m| m.uci.to_string() == uci).expect("a move of the line");
        node = &tree.nodes[played.child.expect("a node")];
    }
    let last = node.moves.iter().find(|m| m.uci.to_string() == "f6g8").expect("the last move");
    assert_eq!(last.idea, ScoreRange::exactly(last.engine));
    assert_ne!(last.engine, MoverScore::DRAW);
    assert_eq!(last.alpha, ScoreRange::exactly(MoverScore::DRAW));
}

#[test]
fn a_position_of_the_game_before_is_a_draw_from_the_root_alone() {
    let mut game = GameSoFar::new(Chess::default(), CastlingMode::Standard);
    ["g1f3", "g8f6", "f3g1"].iter().for_each(|uci| game.push(uci.parse().expect("a move")));
    let mut search = DeepSearch::new(&game, of_distance(1e6)).expect("a position");
    while let [question] = search.open_questions(1).as_slice() {
        let findings = answer(question);
        search.answer(question, findings);
    }
    let tree = search.tree().expect("a settled tree");
    let home = tree.root().moves.iter().find(|m| m.uci.to_string() == "f6g8");
    if let Some(home) = home {
        assert_eq!(home.alpha, ScoreRange::exactly(MoverScore::DRAW));
        assert_eq!(home.idea, ScoreRange::exactly(home.engine));
    }
    assert!(home.is_some() || tree.root().moves.len() < 21);
}

#[test]
fn a_root_that_is_over_is_refused() {
    for fen in
        ["7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "7k/8/5KQ1/8/8/8/8/8 b - - 0 1", "7k/8/8/8/8/8/8/K7 w - - 0 1"]
    {
        assert!(DeepSearch::new(&from(fen), of_distance(20.0)).is_err(), "{fen}");
    }
}

#[test]
fn several_lines_at_once_are_the_first_candidates() {
    let three = DeepOptions { lines: 3, ..of_distance(60.0) };
    let game = from(STARTS[1]);
    let (at_once, asked) = grow(&game, three, 2, 1);
    let (one_by_one, asked_one_by_one) = grow(&game, of_distance(60.0), 2, 1);
    assert_eq!(at_once.nodes, one_by_one.nodes, "this engine's values do not depend on the question");
    assert!(asked < asked_one_by_one);
}
