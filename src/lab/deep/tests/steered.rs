//! Tests of steered trees: included and excluded moves, focused lines, and confirmed ends.

use shakmaty::{CastlingMode, Chess, Position, uci::UciMove};

use super::case::{STARTS, grow, position};
use super::of_distance;
use super::reference::answer;
use crate::chess::GameSoFar;
use crate::lab::deep::{
    DeepSearch, DeepTree, MoveFinding, MoveRole, MoverScore, Question, QuestionKind, Steering,
};

fn uci(text: &str) -> UciMove {
    text.parse().expect("a move")
}

fn line(text: &str) -> Vec<UciMove> {
    text.split(' ').map(uci).collect()
}

fn game(root: &Chess) -> GameSoFar {
    GameSoFar::new(root.clone(), CastlingMode::Standard)
}

/// Grows and confirms a steered tree with up to `ahead` questions answered at a time.
fn steered(
    root: &Chess,
    distance: f64,
    steering: Steering,
    (depth, ahead): (usize, usize),
    says: impl Fn(&Question) -> Vec<MoveFinding>,
) -> DeepTree {
    let search = DeepSearch::new(&game(root), of_distance(distance)).expect("a root");
    let is_confirming = steering.confirm.is_some();
    let mut search = search.steered(steering);
    let passes = search.limit_plies(depth);
    let mut pass = 1;
    loop {
        let mut open = search.open_questions(ahead);
        if open.is_empty() {
            let tree = search.tree().expect("a settled tree");
            if pass < passes {
                pass += 1;
                search.deepen();
                continue;
            }
            open.extend(search.confirming(&tree).filter(|_| is_confirming));
            if open.is_empty() {
                return tree;
            }
        }
        for question in open {
            assert!(search.answer(&question, says(&question)), "a move that was not known");
        }
    }
}

fn role(tree: &DeepTree, text: &str) -> Option<MoveRole> {
    tree.root().moves.iter().find(|played| played.uci == uci(text)).map(|played| played.role)
}

#[test]
fn an_included_move_is_expanded_and_changes_no_other_move() {
    for fen in [STARTS[0], STARTS[1]] {
        let root = position(fen);
        let (plain, _) = grow(&game(&root), of_distance(30.0), 3, 1);
        let is_new = |m: &shakmaty::Move| {
            let own = m.to_uci(CastlingMode::Standard);
            !plain.root().moves.iter().any(|played| played.uci == own)
        };
        let worst = root.legal_moves().into_iter().find(is_new).expect("a move outside the tree");
        let worst = worst.to_uci(CastlingMode::Standard);
        let steering = || Steering { include: vec![worst], ..Steering::default() };
        let tree = steered(&root, 30.0, steering(), (3, 1), answer);
        let included = tree.root().moves.iter().find(|played| played.uci == worst).expect("the move");
        assert!(included.child.is_some() && included.role != MoveRole::Outside);
        let child = &tree.nodes[included.child.expect("a node")];
        assert_eq!(included.idea, child.idea.backed_up(), "its value flows up");
        let same = |played: &&crate::lab::deep::TreeMove| played.uci != worst;
        let others = tree.root().moves.iter().filter(same).map(|played| (played.uci, played.idea));
        let of_plain = plain.root().moves.iter().map(|played| (played.uci, played.idea));
        assert_eq!(others.collect::<Vec<_>>(), of_plain.collect::<Vec<_>>());
        for ahead in [2, 5] {
            assert_eq!(steered(&root, 30.0, steering(), (3, ahead), answer), tree, "{ahead} at a time");
        }
    }
}

#[test]
fn an_excluded_move_is_never_searched() {
    let root = position(STARTS[0]);
    let (plain, _) = grow(&game(&root), of_distance(30.0), 2, 1);
    let best = plain.main_line(0)[0];
    let steering = Steering { exclude: vec![best], ..Steering::default() };
    let asks = |question: &Question| {
        if question.position == root {
            assert!(!question.moves.is_empty() && !question.moves.contains(&best));
        }
        answer(question)
    };
    let tree = steered(&root, 30.0, steering, (2, 1), asks);
    assert_eq!(role(&tree, &best.to_string()), None);
    assert_ne!(tree.main_line(0)[0], best);
}

#[test]
fn a_focused_line_has_the_tree_that_its_last_position_would_have_as_a_root() {
    let root = Chess::default();
    // Pawn moves, so that clocks and repetitions do not differ.
    let focus = line("a2a4 h7h5");
    let steering = || Steering { focus: vec![focus.clone()], focus_plies: 4, ..Steering::default() };
    let tree = steered(&root, 25.0, steering(), (1, 1), answer);
    let mut after = root.clone();
    focus.iter().for_each(|uci| after.play_unchecked(uci.to_move(&after).expect("a legal move")));
    let own = super::super::graph::with_clock(&after, 0, CastlingMode::Standard);
    let (alone, _) = grow(&game(&own), of_distance(25.0), 4, 1);
    let node = tree.nodes.iter().find(|node| node.position == after).expect("the focused position");
    assert_eq!((node.idea, node.alpha, node.ply), (alone.root().idea, alone.root().alpha, 2));
    assert_eq!(tree.nodes.iter().map(|node| node.ply).max(), Some(5), "two plies and four");
    assert_eq!((tree.depth, tree.focus_plies), (1, 4));
    // The values of the line flow up.
    let root_move = tree.root().moves.iter().find(|played| played.uci == focus[0]).expect("the first move");
    let between = &tree.nodes[root_move.child.expect("a node")];
    assert_eq!(root_move.idea, between.idea.backed_up());
    assert!(between.moves.iter().any(|played| played.uci == focus[1] && played.child.is_some()));
    for ahead in [3, 8] {
        assert_eq!(steered(&root, 25.0, steering(), (1, ahead), answer), tree, "{ahead} at a time");
    }
}

#[test]
fn the_main_line_ends_in_a_confirmed_move() {
    let root = position(STARTS[1]);
    let deeper = |question: &Question| {
        let mut said = answer(question);
        if question.kind == QuestionKind::Confirming {
            assert_eq!(question.moves.len(), 1);
            said.iter_mut().for_each(|finding| {
                let lower = crate::chess::Score::Cp(-150);
                finding.score = MoverScore::of(lower, shakmaty::Color::White);
                finding.pv.extend(line("a2a3"));
            });
        }
        said
    };
    let steering = Steering { confirm: Some(9), ..Steering::default() };
    let tree = steered(&root, 30.0, steering, (2, 1), deeper);
    let &(node, place) = tree.main_path(0).last().expect("a main line");
    let last = &tree.nodes[node].moves[place];
    assert!(last.is_confirmed && last.pv.ends_with(&line("a2a3")), "{last:?}");
    let (plain, asked) = grow(&game(&root), of_distance(30.0), 2, 1);
    assert!(plain.nodes.iter().flat_map(|node| &node.moves).all(|played| !played.is_confirmed));
    assert!(tree.searches > asked as u64);
}
