//! A second implementation of the method for tests: plain recursion over all legal moves, without graph,
//! store, cuts or asking ahead.

use std::{cell::RefCell, collections::HashMap};

use sha2::{Digest, Sha256};
use shakmaty::{CastlingMode, Chess, Move, Position, uci::UciMove};

use crate::chess::{Score, SignedScore, game::fen};
use crate::lab::deep::{MoveFinding, MoverScore, Question, Widths, graph::with_clock};

/// Returns an artificial engine's score of the move `uci`. The engine recognizes the end of a game; its other
/// scores are a digest of the position's FEN and the move.
pub(in crate::lab::deep) fn digested(position: &Chess, uci: UciMove) -> MoverScore {
    let m = uci.to_move(position).expect("a legal move");
    if let Some(over) = MoverScore::over(&after(std::slice::from_ref(position), m)) {
        return over.backed_up();
    }
    let digest = Sha256::digest(format!("{} {uci}", fen(position)));
    let (size, sort) = (i32::from(u16::from_le_bytes([digest[0], digest[1]])), digest[2]);
    let side = position.turn();
    let signed = match sort {
        0..5 => SignedScore::Mate(size % 5 + 1),
        5..15 => SignedScore::Mate(-(size % 5) - 1),
        _ => SignedScore::Cp(size % 401 - 200),
    };
    MoverScore::of(Score::from_side_to_move(signed, side), side)
}

/// Legal moves with the engine's scores.
type ScoredMoves = Vec<(Move, MoverScore)>;

thread_local! {
    /// The answers given so far, by FEN.
    static SAID: RefCell<HashMap<String, ScoredMoves>> = RefCell::default();
}

/// Returns the legal moves in the order in which the artificial engine finds them.
fn in_order(position: &Chess) -> ScoredMoves {
    let said = |said: &RefCell<HashMap<String, ScoredMoves>>| {
        said.borrow_mut().entry(fen(position)).or_insert_with(|| sorted(position)).clone()
    };
    SAID.with(said)
}

fn sorted(position: &Chess) -> ScoredMoves {
    let mut moves: Vec<(Move, MoverScore, String)> = Vec::new();
    for m in position.legal_moves() {
        let uci = m.to_uci(CastlingMode::Standard);
        moves.push((m, digested(position, uci), uci.to_string()));
    }
    moves.sort_by(|(_, a, a_text), (_, b, b_text)| b.cmp(a).then(a_text.cmp(b_text)));
    moves.into_iter().map(|(m, score, _)| (m, score)).collect()
}

/// Answers a question as the artificial engine does.
pub(in crate::lab::deep) fn answer(question: &Question) -> Vec<MoveFinding> {
    let finding = |(best, score)| MoveFinding { best, score, pv: vec![best], chances: None };
    said_of(&question.position, &question.moves)
        .into_iter()
        .take(question.lines as usize)
        .map(finding)
        .collect()
}

/// Returns the engine's scores for `moves` of a position, or for all moves if `moves` is empty. The best move
/// comes first.
pub(in crate::lab::deep) fn said_of(position: &Chess, moves: &[UciMove]) -> Vec<(UciMove, MoverScore)> {
    let all = in_order(position).into_iter().map(|(m, score)| (m.to_uci(CastlingMode::Standard), score));
    all.filter(|(uci, _)| moves.is_empty() || moves.contains(uci)).collect()
}

/// The second implementation of the method.
pub(in crate::lab::deep) struct Reference<'w> {
    pub widths: &'w Widths,
    pub depth: usize,
}

/// A move that was considered.
pub(in crate::lab::deep) struct Looked {
    pub m: Move,
    pub idea: MoverScore,
    pub is_expanded: bool,
}

impl Reference<'_> {
    /// Returns the moves considered in the last position of a line, with their values. `line` begins with the
    /// root, and each position has its half-move clock.
    pub fn looked_at(&self, line: &[Chess]) -> Vec<Looked> {
        let (here, ply) = (line.last().expect("a root"), line.len() - 1);
        let width = self.widths.at(ply, here.turn());
        let engine: Vec<(Move, MoverScore)> = in_order(&asked(&line[0], here));
        let mut moves: Vec<Looked> =
            engine.iter().map(|&(m, idea)| Looked { m, idea, is_expanded: false }).collect();
        loop {
            let best = moves.iter().map(|looked| looked.idea).max().expect("a legal move");
            let candidate = |looked: &&mut Looked| !looked.is_expanded && looked.idea.is_within(width, best);
            let candidates = moves.iter_mut().filter(candidate);
            // Of equal values, the first is taken.
            let Some(next) = candidates.reduce(|a, b| if b.idea > a.idea { b } else { a }) else { break };
            next.is_expanded = true;
            next.idea = self.idea_of(line, next);
            if width == 0.0 {
                break;
            }
        }
        let expanded = moves.iter().take_while(|looked| looked.is_expanded).count();
        assert!(moves[expanded..].iter().all(|looked| !looked.is_expanded), "in the order of the engine");
        moves.truncate(expanded + usize::from(width > 0.0));
        moves
    }

    fn idea_of(&self, line: &[Chess], played: &Looked) -> MoverScore {
        let after = after(line, played.m);
        if let Some(over) = MoverScore::over(&after) {
            return over.backed_up();
        }
        if line.len() >= self.depth || line.contains(&after) {
            return played.idea;
        }
        self.idea(&[line, &[after]].concat()).backed_up()
    }

    /// Returns the idea score of the last position of a line.
    pub fn idea(&self, line: &[Chess]) -> MoverScore {
        self.looked_at(line).iter().map(|looked| looked.idea).max().expect("a legal move")
    }

    /// Returns the alpha score of the last position of a line. `game` has the positions before the root.
    pub fn alpha(&self, game: &[Chess], line: &[Chess]) -> MoverScore {
        let looked_at = self.looked_at(line);
        looked_at.iter().map(|looked| self.alpha_of(game, line, looked)).max().expect("a legal move")
    }

    /// Returns the alpha score of the move `played` in the last position of `line`.
    pub fn alpha_of(&self, game: &[Chess], line: &[Chess], played: &Looked) -> MoverScore {
        let after = after(line, played.m);
        if let Some(over) = MoverScore::over(&after) {
            return over.backed_up();
        }
        if line.contains(&after) || game.contains(&after) || after.halfmoves() >= 100 {
            return MoverScore::DRAW;
        }
        if !played.is_expanded || line.len() >= self.depth {
            return played.idea;
        }
        self.alpha(game, &[line, &[after]].concat()).backed_up()
    }
}

fn after(line: &[Chess], m: Move) -> Chess {
    let mut after = line.last().expect("a root").clone();
    after.play_unchecked(m);
    after
}

/// Returns a position as given to an engine: with the root's clock until a pawn move or capture, then with 0.
fn asked(root: &Chess, here: &Chess) -> Chess {
    let is_quiet = here.halfmoves() >= root.halfmoves()
        && here.board().pawns() == root.board().pawns()
        && here.board().material() == root.board().material();
    with_clock(here, if is_quiet { root.halfmoves() } else { 0 }, CastlingMode::Standard)
}
