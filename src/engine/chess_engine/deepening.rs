//! Iterative deepening with aspiration windows for each line.

use shakmaty::{Chess, Move, MoveList, Position};

use super::{
    SearchResult, Variation, evaluator::StaticEvaluator, limits::Limits, packed_move::PackedMove,
    position::KeyedPosition, root::Root, search::Searcher, value::DRAW, value::INFINITE, value::MAX_PLY,
    value::is_mate, value::mated_in, value::to_score,
};

/// The first depth with a narrow window.
const FIRST_NARROW_DEPTH: usize = 5;

/// Half-width, in centipawns, of the first window around the value of the previous depth.
const FIRST_REACH: i32 = 20;

/// A line of play from the root, with its value.
#[derive(Debug, Clone)]
struct RootLine {
    value: i32,
    moves: Vec<PackedMove>,
}

/// Searches `root` within `limits`, and returns the best lines found. The depth in the result is that of the
/// last complete iteration, 0 if there is none.
pub(super) fn deepen<E: StaticEvaluator>(
    searcher: &mut Searcher<'_, E>,
    root: &Root,
    limits: &Limits,
) -> SearchResult {
    let position = root.position();
    let moves = root_moves(position.chess(), &limits.search_moves);
    if moves.is_empty() {
        let value = if position.is_check() { mated_in(0) } else { DRAW };
        return result(searcher, position, 0, &[RootLine { value, moves: Vec::new() }]);
    }
    searcher.root_is_whole = limits.search_moves.is_empty();
    let wanted = limits.multi_pv.clamp(1, moves.len());
    let deepest = limits.depth.map_or(MAX_PLY - 1, |depth| depth as usize).clamp(1, MAX_PLY - 1);
    let mut lines = unsearched(searcher, position, &moves, wanted);
    let mut finished = 0;
    for depth in 1..=deepest {
        searcher.root_depth = depth;
        if !search_lines(searcher, position, &moves, &mut lines) {
            break;
        }
        finished = depth;
        if searcher.hooks.depth_finished(&result(searcher, position, depth, &lines)).is_break() {
            break;
        }
    }
    result(searcher, position, finished, &lines)
}

/// Lists the legal moves among `asked`, or all legal moves if `asked` is empty.
fn root_moves(chess: &Chess, asked: &[Move]) -> MoveList {
    let mut moves = chess.legal_moves();
    if !asked.is_empty() {
        moves.retain(|m| asked.contains(m));
    }
    moves
}

/// Returns the lines for a search that is stopped at once: the first legal moves, with the static evaluation
/// as their value.
fn unsearched<E: StaticEvaluator>(
    searcher: &mut Searcher<'_, E>,
    position: &KeyedPosition,
    moves: &MoveList,
    wanted: usize,
) -> Vec<RootLine> {
    let value = searcher.evaluate(position);
    moves.iter().take(wanted).map(|&m| RootLine { value, moves: vec![PackedMove::new(m)] }).collect()
}

/// Searches each line to the current depth. A line never begins with the first move of a line found before it
/// at this depth. Returns `false` if the search was stopped; `lines` then has the lines found at this depth,
/// and lines of the previous depth in place of the missing ones.
fn search_lines<E: StaticEvaluator>(
    searcher: &mut Searcher<'_, E>,
    position: &KeyedPosition,
    moves: &MoveList,
    lines: &mut Vec<RootLine>,
) -> bool {
    let mut new: Vec<RootLine> = Vec::with_capacity(lines.len());
    let whole = searcher.root_is_whole;
    for index in 0..lines.len() {
        let taken = |m: &Move| new.iter().any(|line| line.moves.first() == Some(&PackedMove::new(*m)));
        let left: MoveList = moves.iter().copied().filter(|m| !taken(m)).collect();
        // The line at this rank at the previous depth, or the next line whose first move is still free.
        let free = |line: &&RootLine| !new.iter().any(|other| other.moves.first() == line.moves.first());
        let Some(last) = lines[index..].iter().chain(&lines[..index]).find(free).cloned() else { break };
        searcher.root_is_whole = whole && index == 0;
        if let Some(line) = search_line(searcher, position, &left, &last) {
            new.push(line);
        }
        if searcher.stopped {
            break;
        }
    }
    searcher.root_is_whole = whole;
    let stopped = searcher.stopped;
    // Lines missing because of the stop are taken from the previous depth.
    let wanted = lines.len();
    for line in lines.drain(..) {
        if new.len() < wanted && !new.iter().any(|other| other.moves.first() == line.moves.first()) {
            new.push(line);
        }
    }
    new.sort_by_key(|line| -line.value);
    *lines = new;
    !stopped
}

/// Searches one line with windows that widen until its value lies inside. If the value of a move is above the
/// window, the search with the next window begins with this move. If that search is stopped before it has a
/// line, this move is the result. Returns `None` if the search was stopped before any move exceeded the lower
/// bound.
fn search_line<E: StaticEvaluator>(
    searcher: &mut Searcher<'_, E>,
    position: &KeyedPosition,
    moves: &MoveList,
    last: &RootLine,
) -> Option<RootLine> {
    let depth = searcher.root_depth;
    let narrow = searcher.heuristics.aspiration && depth >= FIRST_NARROW_DEPTH && !is_mate(last.value);
    let mut reach = FIRST_REACH;
    let (mut alpha, mut beta) =
        if narrow { (last.value - reach, last.value + reach) } else { (-INFINITE, INFINITE) };
    let mut first = last.moves.first().copied().unwrap_or_default();
    let mut too_good = None;
    loop {
        let value = searcher.search_root(position, moves.clone(), first, (alpha, beta), depth as i32);
        let line = searcher.variations.line(0);
        let found = (!line.is_empty()).then(|| RootLine { value, moves: line.to_vec() });
        if searcher.stopped || alpha < value && value < beta {
            return found.or(too_good);
        }
        reach = reach.saturating_mul(2);
        let open = reach > 1000;
        if value <= alpha {
            beta = (alpha + beta) / 2;
            alpha = if open { -INFINITE } else { (value - reach).max(-INFINITE) };
        } else {
            beta = if open { INFINITE } else { (value + reach).min(INFINITE) };
            first = line.first().copied().unwrap_or(first);
            too_good = found;
        }
    }
}

/// Converts lines to the result for the caller, with scores and legal moves.
fn result<E: StaticEvaluator>(
    searcher: &Searcher<'_, E>,
    position: &KeyedPosition,
    depth: usize,
    lines: &[RootLine],
) -> SearchResult {
    SearchResult {
        variations: lines
            .iter()
            .map(|line| Variation { score: to_score(line.value), moves: legal_line(position, &line.moves) })
            .collect(),
        depth: depth as u32,
        deepest_ply: searcher.deepest_ply as u32,
        nodes: searcher.nodes,
        table_permille: searcher.memory.table.permille_full(),
    }
}

fn legal_line(start: &KeyedPosition, moves: &[PackedMove]) -> Vec<Move> {
    let mut chess = start.chess().clone();
    let mut line = Vec::with_capacity(moves.len());
    for packed in moves {
        let Some(m) = packed.among(&chess.legal_moves()) else { break };
        chess.play_unchecked(m);
        line.push(m);
    }
    line
}
