//! [`ChoiceFeatures`]: numbers that describe the legal moves of a position and help to predict a player's
//! choice.

use std::{ops::ControlFlow, sync::LazyLock};

use shakmaty::{Bitboard, Board, CastlingSide, Chess, Color, Move, Position, Role, Square};

use crate::chess::{Clip, SignedScore, win_probability};
use crate::engine::chess_engine::{
    ChessEngine, Feature, Leaves, Limits, LinearFile, Root, SearchHooks, SearchResult, Variation,
};

/// Greatest search depth of the moves, in plies. The scores at all depths from 1 on are features, because
/// people see near consequences of a move and overlook distant ones.
pub(super) const DEPTHS: usize = 5;

/// Node limit of the search. Few positions need more nodes, but captures among many queens never end.
const MOST_NODES: u64 = 400_000;

/// Number of positions searched for the learned odds of a move.
const NODES_OF_ODDS: u64 = 500;

/// The depths, counted from 0, at which the rank of a move is a feature.
const RANKED: [usize; 3] = [0, 2, DEPTHS - 1];

/// Number of features of a position, which are the same for all of its moves.
const OF_POSITION: usize = 8;

/// Number of features of a move.
pub const COLUMNS: usize = OF_POSITION + 2 * DEPTHS + 2 * RANKED.len() + 44;

/// The weights that `learn` finds with the objective `logit` from the games in two files of data/learning,
/// lichess-2021 and lichess-2025. The file is a copy of the one in reports/published/learning, which is not
/// part of the package.
const WEIGHTS: &str = include_str!("../../../data/spar/weights-all-logit.txt");

static LEARNED: LazyLock<LinearFile> = LazyLock::new(|| WEIGHTS.parse().expect("weights that a test reads"));

/// Reads the learned weights.
pub(super) fn load() {
    LazyLock::force(&LEARNED);
}

/// Returns minus the logarithm of the odds of a move by `mover` to the position `after`, by the learned
/// weights. Only moves of the same position can be compared, because the zero depends on the position. About
/// `nodes` positions are searched.
fn rarity(mover: Color, after: &Chess, nodes: u64) -> f64 {
    let weights = LEARNED.weights();
    let leaf = Leaves { weights, depth: 0 }.within(after, nodes);
    let centipawns = f64::from(weights.evaluate(&leaf));
    let odds = centipawns / 100.0 * LEARNED.raw()[Feature::PAWN.index()];
    if leaf.turn() == mover { -odds } else { odds }
}

/// The legal moves of a position with their features.
#[derive(Debug, Clone, PartialEq)]
pub struct ChoiceFeatures {
    /// The legal moves.
    pub moves: Vec<Move>,
    /// The features of each move, each about 1 in size.
    pub rows: Vec<[f32; COLUMNS]>,
    /// The score of each move at the greatest depth, from the view of the side to move.
    pub scores: Vec<SignedScore>,
}

impl ChoiceFeatures {
    /// Returns the features of the moves in the position of `root`. `last` has the opponent's last move and
    /// the player's move before it, if there are such moves. `engine` must be [`ChessEngine::by_terms`]. The
    /// result does not depend on the engine's earlier searches. When `is_over` returns true, the search ends,
    /// and the features come from the scores found so far. The learned odds then come from the positions
    /// after the moves, without a search.
    pub fn of(
        engine: &mut ChessEngine,
        root: &Root,
        last: [Option<Move>; 2],
        is_over: &dyn Fn() -> bool,
    ) -> ChoiceFeatures {
        let chess = root.position().chess();
        let moves: Vec<Move> = chess.legal_moves().into_iter().collect();
        let scores = scores(engine, root, &moves, is_over);
        let study = Study::of(chess, last, &moves, &scores, is_over);
        let rows = (0..moves.len()).map(|place| study.row(place)).collect();
        let last = scores.last().cloned().unwrap_or_default();
        ChoiceFeatures { moves, rows, scores: last }
    }

    /// Returns the expected score after each move, 0 to 1, by lichess's curve.
    pub fn expected(&self) -> impl Iterator<Item = f64> {
        self.scores.iter().map(|&score| win_probability::of_centipawns(centipawns(score)))
    }
}

/// The scores of all moves at each finished depth.
struct EachDepth<'a> {
    found: Vec<Vec<(Move, SignedScore)>>,
    is_over: &'a dyn Fn() -> bool,
}

impl SearchHooks for EachDepth<'_> {
    fn should_stop(&mut self, _: u64) -> bool {
        (self.is_over)()
    }

    fn depth_finished(&mut self, result: &SearchResult) -> ControlFlow<()> {
        self.found.push(scored(&result.variations));
        ControlFlow::Continue(())
    }
}

fn scored(lines: &[Variation]) -> Vec<(Move, SignedScore)> {
    lines.iter().filter_map(|line| Some((*line.moves.first()?, line.score))).collect()
}

/// Returns the scores of `moves` at each depth. An unfinished depth has the scores of the last finished
/// depth.
fn scores(
    engine: &mut ChessEngine,
    root: &Root,
    moves: &[Move],
    is_over: &dyn Fn() -> bool,
) -> Vec<Vec<SignedScore>> {
    engine.clear();
    let mut each = EachDepth { found: Vec::new(), is_over };
    let limits = Limits {
        depth: Some(DEPTHS as u32),
        nodes: Some(MOST_NODES),
        multi_pv: moves.len().max(1),
        search_moves: Vec::new(),
    };
    let last = engine.search(root, &limits, &mut each);
    let mut found = each.found;
    if found.is_empty() {
        found.push(scored(&last.variations));
    }
    let of = |depth: usize| {
        let lines = found.get(depth).or(found.last());
        let score = |m: &Move| lines.into_iter().flatten().find(|(other, _)| other == m);
        moves.iter().map(|m| score(m).map_or(SignedScore::Cp(0), |(_, score)| *score)).collect()
    };
    (0..DEPTHS).map(of).collect()
}

fn centipawns(score: SignedScore) -> f64 {
    f64::from(score.clipped(Clip::default()))
}

/// A position, and the data from which its features are computed.
struct Study<'a> {
    chess: &'a Chess,
    moves: &'a [Move],
    /// The opponent's last move, and the player's move before it.
    last: [Option<Move>; 2],
    /// The score of each move in centipawns, by depth.
    centipawns: Vec<Vec<f64>>,
    /// Two logarithms of the learned odds of each move: of the normalized odds, and of the odds relative to
    /// the likeliest move (at least −4).
    odds: Vec<[f64; 2]>,
    of_position: [f64; OF_POSITION],
    /// The material of both sides without pawns, relative to the start.
    phase: f64,
}

impl Study<'_> {
    fn of<'a>(
        chess: &'a Chess,
        last: [Option<Move>; 2],
        moves: &'a [Move],
        scores: &[Vec<SignedScore>],
        is_over: &dyn Fn() -> bool,
    ) -> Study<'a> {
        let turn = chess.turn();
        let all = |nodes: u64, is_over: &dyn Fn() -> bool| -> Option<Vec<f64>> {
            let of = |&m: &Move| {
                let mut after = chess.clone();
                after.play_unchecked(m);
                (!is_over()).then(|| rarity(turn, &after, nodes))
            };
            moves.iter().map(of).collect()
        };
        // The odds come from searches with equal limits, so that they can be compared.
        let rarities = all(NODES_OF_ODDS, is_over).or_else(|| all(1, &|| false)).unwrap_or_default();
        let least = rarities.iter().copied().fold(f64::INFINITY, f64::min);
        let sum = rarities.iter().map(|rarity| (least - rarity).exp()).sum::<f64>().ln();
        let odds = rarities.iter().map(|rarity| [least - rarity - sum, (least - rarity).max(-4.0)]).collect();
        let centipawns: Vec<Vec<f64>> =
            scores.iter().map(|scores| scores.iter().map(|&score| centipawns(score)).collect()).collect();
        let board = chess.board();
        let pieces = board.occupied() & !board.pawns() & !board.kings();
        let phase = pieces.into_iter().filter_map(|at| board.role_at(at)).map(pawns).sum::<f64>() / 62.0;
        let ply = 2.0 * f64::from(chess.fullmoves().get() - 1) + turn.fold_wb(0.0, 1.0);
        let mut deepest: Vec<f64> =
            centipawns.last().into_iter().flatten().map(|&cp| win_probability::of_centipawns(cp)).collect();
        deepest.sort_by(|a, b| b.total_cmp(a));
        let best = deepest.first().copied().unwrap_or(0.5);
        let others = &deepest[deepest.len().min(1)..deepest.len().min(4)];
        let spread = others.iter().map(|other| best - other).sum::<f64>() / others.len().max(1) as f64;
        let of_position = [
            (ply / 80.0).min(1.0),
            (1.0 - ply / 20.0).max(0.0),
            phase,
            flag(chess.is_check()),
            (moves.len() as f64).ln() / 4.0,
            best - 0.5,
            spread * 4.0,
            flag(last[0].is_some_and(|m| m.is_capture())),
        ];
        Study { chess, moves, last, centipawns, odds, of_position, phase }
    }

    fn row(&self, place: usize) -> [f32; COLUMNS] {
        let m = self.moves[place];
        let mut after = self.chess.clone();
        after.play_unchecked(m);
        let mut columns = self.of_position.to_vec();
        self.add_values(place, &mut columns);
        self.add_kind(m, &after, &mut columns);
        self.add_safety(m, &after, &mut columns);
        self.add_geometry(m, &after, &mut columns);
        let mut row = [0.0; COLUMNS];
        debug_assert_eq!(columns.len(), COLUMNS);
        row.iter_mut().zip(columns).for_each(|(cell, value)| *cell = value as f32);
        row
    }

    /// Adds the loss of the move at each depth, its ranks, and its learned odds.
    fn add_values(&self, place: usize, columns: &mut Vec<f64>) {
        let expected = win_probability::of_centipawns;
        for scores in &self.centipawns {
            let (own, best) = (scores[place], scores.iter().copied().fold(f64::NEG_INFINITY, f64::max));
            columns.push(4.0 * (expected(best) - expected(own)));
            columns.push(((best - own) / 20.0).ln_1p() / 2.0);
        }
        for depth in RANKED {
            let scores = &self.centipawns[depth];
            let rank = scores.iter().filter(|&&other| other > scores[place]).count();
            columns.push((rank as f64).ln_1p() / 2.0);
            columns.push(flag(rank == 0));
        }
        columns.extend(self.odds[place]);
    }

    /// Adds the kind of the move: its piece, the captured piece, recapture, promotion, castling and check.
    fn add_kind(&self, m: Move, after: &Chess, columns: &mut Vec<f64>) {
        columns.extend(Role::ALL.map(|role| flag(m.role() == role)));
        let captured = m.capture().map_or(0.0, pawns);
        let answers = self.last[0].is_some_and(|last| m.is_capture() && last.to() == m.to());
        columns.push(captured / 5.0);
        columns.push(flag(m.is_capture()));
        columns.push(if m.is_capture() { (captured - pawns(m.role()).min(9.0)) / 5.0 } else { 0.0 });
        columns.push(flag(answers && self.last[0].is_some_and(|last| last.is_capture())));
        columns.push(flag(answers));
        columns.push(flag(m.is_promotion()));
        columns.push(flag(m.is_castle()));
        columns.push(flag(after.is_check()));
    }

    /// Adds attacks and defenses before and after the move.
    fn add_safety(&self, m: Move, after: &Chess, columns: &mut Vec<f64>) {
        let turn = self.chess.turn();
        let (from, to) = squares(m);
        let (before, board) = (self.chess.board(), after.board());
        let moved = board.role_at(to).map_or(0.0, pawns);
        columns.push(if at_stake(before, from, turn) > 0.0 { pawns(m.role()) / 5.0 } else { 0.0 });
        columns.push(if at_stake(board, to, turn) > 0.0 { moved / 5.0 } else { 0.0 });
        columns.push(flag(!board.attacks_to(to, !turn, board.occupied()).is_empty()));
        columns.push(board.attacks_to(to, turn, board.occupied()).count() as f64 / 3.0);
        let targets = board.attacks_from(to) & board.by_color(!turn);
        let threats = targets.into_iter().filter_map(|at| {
            let worth = board.role_at(at).map(pawns)?;
            let is_free = board.attacks_to(at, !turn, board.occupied()).is_empty();
            (worth > moved || is_free).then_some(worth.min(9.0))
        });
        columns.push(threats.fold(0.0, f64::max) / 5.0);
        columns.push(hanging(board, turn) / 5.0);
        columns.push(hanging(before, turn) / 5.0);
    }

    /// Adds the squares of the move, and its relation to the last moves of both sides.
    fn add_geometry(&self, m: Move, after: &Chess, columns: &mut Vec<f64>) {
        let (turn, board) = (self.chess.turn(), self.chess.board());
        let (from, to) = squares(m);
        let [theirs, own] = self.last.map(|last| last.map(squares));
        let near = |a: Square, b: Square| f64::from(a.distance(b)) / 7.0;
        let rank = |at: Square| f64::from(u32::from(at.rank())) / 7.0;
        let rank = |at: Square| if turn.is_white() { rank(at) } else { 1.0 - rank(at) };
        let off = |coordinate: u32| (f64::from(coordinate) - 3.5).abs() / 3.5;
        let edge = |at: Square| off(at.file().into()).max(off(at.rank().into()));
        let king = |side: Color| board.king_of(side).unwrap_or(Square::A1);
        columns.push(flag(own == Some((to, from))));
        columns.push(flag(own.is_some_and(|(_, at)| at == from)));
        columns.push(theirs.map_or(1.0, |(_, at)| near(at, to)));
        columns.push(theirs.map_or(1.0, |(_, at)| near(at, from)));
        columns.push(flag(theirs.is_some_and(|(_, at)| board.attacks_from(at).contains(from))));
        columns.extend([rank(from), rank(to), rank(to) - rank(from)]);
        columns.extend([edge(from), edge(to), off(to.file().into())]);
        columns.push(near(to, king(!turn)) - near(from, king(!turn)));
        columns.push(near(to, king(!turn)));
        columns.push(near(to, king(turn)));
        columns.push(flag(rank(from) == 0.0 && matches!(m.role(), Role::Knight | Role::Bishop)));
        let rights = |chess: &Chess| chess.castles().has_color(turn);
        columns.push(flag(rights(self.chess) && !rights(after) && !m.is_castle()));
        columns.push(if m.role() == Role::Pawn { rank(to) } else { 0.0 });
        columns.push(mobility(after.board(), turn) - mobility(board, turn));
        columns.push(if m.role() == Role::King { self.phase } else { 0.0 });
        columns.push(if m.role() == Role::Pawn { self.phase } else { 0.0 });
        columns.push(flag(self.last[1].is_some_and(|last| last.role() == m.role())));
    }
}

fn flag(is_true: bool) -> f64 {
    if is_true { 1.0 } else { 0.0 }
}

/// Returns the usual worth of a piece in pawns, 10 for a king.
pub fn in_pawns(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 10,
    }
}

fn pawns(role: Role) -> f64 {
    f64::from(in_pawns(role))
}

/// Returns the squares of a move's piece before and after the move. For castling, the piece is the king.
fn squares(m: Move) -> (Square, Square) {
    match m {
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(king < rook);
            (king, Square::from_coords(side.king_to_file(), king.rank()))
        }
        _ => (m.from().unwrap_or(m.to()), m.to()),
    }
}

/// Returns the value of the cheapest piece on `squares`, in pawns; infinity if there is none.
fn cheapest(board: &Board, squares: Bitboard) -> f64 {
    squares.into_iter().filter_map(|at| board.role_at(at)).map(pawns).fold(f64::INFINITY, f64::min)
}

/// Returns the opponent's gain by taking the piece of `side` on a square, in pawns. Only the capture by the
/// cheapest attacker and one recapture count. The gain is 0 without an attacker, and below 0 for a bad
/// capture.
fn at_stake(board: &Board, at: Square, side: Color) -> f64 {
    let worth = board.role_at(at).map_or(0.0, pawns);
    let attackers = board.attacks_to(at, !side, board.occupied());
    let is_defended = !board.attacks_to(at, side, board.occupied()).is_empty();
    match is_defended {
        _ if attackers.is_empty() => 0.0,
        false => worth,
        true => worth - cheapest(board, attackers),
    }
}

/// Returns the opponent's largest gain by taking a piece of `side`, in pawns, at least 0.
fn hanging(board: &Board, side: Color) -> f64 {
    let pieces = board.by_color(side) & !board.kings();
    pieces.into_iter().map(|at| at_stake(board, at, side)).fold(0.0, f64::max)
}

/// Returns the number of squares, in tens, to which the pieces of `side` could go. Kings and pawns do not
/// count.
fn mobility(board: &Board, side: Color) -> f64 {
    let pieces = board.by_color(side) & !board.pawns() & !board.kings();
    let reach = |at: Square| (board.attacks_from(at) & !board.by_color(side)).count();
    pieces.into_iter().map(reach).sum::<usize>() as f64 / 10.0
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn chess(fen: &str) -> Chess {
        fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position")
    }

    fn by(engine: &mut ChessEngine, fen: &str) -> ChoiceFeatures {
        ChoiceFeatures::of(engine, &Root::new(chess(fen)), [None; 2], &|| false)
    }

    fn features(fen: &str) -> ChoiceFeatures {
        by(&mut ChessEngine::by_terms(1), fen)
    }

    #[test]
    fn a_queen_in_danger_and_what_moves_lose_by_hand() {
        // The black pawn attacks the queen on d4. The queen can take it.
        let fen = "4k3/8/8/4p3/3Q4/8/8/4K3 w - - 0 1";
        let found = features(fen);
        let place = |from: Square, to: Square| {
            found.moves.iter().position(|m| squares(*m) == (from, to)).expect("a move")
        };
        let (takes, king) = (place(Square::D4, Square::E5), place(Square::E1, Square::F1));
        let board = chess(fen).board().clone();
        assert_eq!(at_stake(&board, Square::D4, Color::White), 9.0, "nothing defends it");
        assert_eq!((hanging(&board, Color::White), hanging(&board, Color::Black)), (9.0, 1.0));
        let expected: Vec<f64> = found.expected().collect();
        assert!(expected[takes] > 0.95 && expected[king] < 0.6, "{expected:?}");
        // The columns of the loss at depth 1, of its rank, and of the capture of a pawn by a queen.
        let [own, other] = [takes, king].map(|place| &found.rows[place]);
        let losses = [own, other].map(|row| row[OF_POSITION]);
        assert!(losses[0] == 0.0 && losses[1] > 1.0, "{losses:?}");
        let rank = OF_POSITION + 2 * DEPTHS + 1;
        assert_eq!((own[rank], other[rank]), (1.0, 0.0));
        let capture = rank + 5 + 2 + Role::ALL.len();
        assert_eq!(own[capture..capture + 3], [0.2, 1.0, -1.6]);
        assert_eq!(other[capture..capture + 3], [0.0, 0.0, 0.0]);
    }

    #[test]
    fn a_choice_whose_time_is_over_has_the_features_of_what_was_found() {
        let queens = Root::new(chess("qqqqk3/1qqqqq2/8/8/8/8/1QQQQQ2/QQQQK3 w - - 0 1"));
        let asked = Cell::new(0);
        let is_over = || {
            asked.set(asked.get() + 1);
            true
        };
        let found = ChoiceFeatures::of(&mut ChessEngine::by_terms(1), &queens, [None; 2], &is_over);
        assert_eq!((found.rows.len(), found.scores.len()), (found.moves.len(), found.moves.len()));
        assert!(found.rows.iter().flatten().all(|value| value.is_finite()));
        // The search asks once and then ends; the odds ask once more.
        assert_eq!(asked.get(), 2);
    }

    #[test]
    fn the_end_of_the_time_is_heard_between_the_odds_of_two_moves() {
        let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
        let root = Root::new(chess(fen));
        let asked = Cell::new(0);
        let end_at = |last: usize| {
            asked.set(0);
            let is_over = || {
                asked.set(asked.get() + 1);
                asked.get() >= last
            };
            ChoiceFeatures::of(&mut ChessEngine::by_terms(1), &root, [None; 2], &is_over)
        };
        let whole = end_at(usize::MAX);
        let (all, moves) = (asked.get(), whole.moves.len());
        // The last questions are those before the odds of each move.
        let found = end_at(all - moves + 3);
        assert_eq!(asked.get(), all - moves + 3, "nothing is asked and little is searched after the end");
        assert_eq!(found.scores, whole.scores);
        let ended_before = end_at(all - moves + 1);
        assert!(found.rows == ended_before.rows && found.rows != whole.rows, "all odds are without a search");
    }

    #[test]
    fn features_do_not_depend_on_the_side_or_on_earlier_searches() {
        let white = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
        let black = "rnbqk2r/pppp1ppp/5n2/2b1p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R b KQkq - 4 4";
        let mut engine = ChessEngine::by_terms(1);
        let first = by(&mut engine, white);
        assert_eq!(first.rows.len(), first.moves.len());
        assert!(first.rows.iter().flatten().all(|value| value.abs() < 25.0));
        let second = by(&mut engine, black);
        assert_eq!(by(&mut engine, white), first);
        for (m, row) in first.moves.iter().zip(&first.rows) {
            let (from, to) = squares(*m);
            let flipped = (from.flip_vertical(), to.flip_vertical());
            let place = second.moves.iter().position(|m| squares(*m) == flipped).expect("the same move");
            // The ply differs by one, and the search may break ties otherwise.
            let kinds = OF_POSITION + 2 * DEPTHS + 2 * RANKED.len() + 2;
            for (column, (a, b)) in row.iter().zip(&second.rows[place]).enumerate().skip(kinds) {
                assert!((a - b).abs() < 1e-6, "column {column} of {m:?}: {a} and {b}");
            }
        }
    }
}
