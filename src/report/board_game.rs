//! The texts for a person who plays in the terminal: the board, messages, and a review at the end.

use shakmaty::{Board, ByColor, Chess, Color, File, Position, Rank, Role, Square, uci::UciMove};

use super::{
    html::board::glyph, html::key_moves::evaluation, html::key_moves::numbered, plots::game::result,
    table::ColumnPart, table::Screen, table::Table, words::numbers::MISSING, words::numbers::chances,
};
use crate::base::text::{brief, counted, printable, rounded, wrapped};
use crate::chess::{EvaluatedGame, Game, Judgment, PlayedMove, game::san};
use crate::engine::levels::in_pawns;
use crate::lab::{BoardGame, GameOver, Names, SkillFunction};
use crate::measure::{Extremes, Method, MoveSample, Statistic, Turn, Unit};

const MOMENTS: usize = 3;

const WIDTH: usize = 100;

const LAST_MOVES: usize = 3;

pub const HELP: &str = "\
A move: Nf3, exd5, O-O, e8=Q, or g1f3, e7e8q. Several moves on one line are played in order.
  undo, redo   take back your last move and the reply, or play them again
  hint         show a good move
  draw         offer or accept a draw; your opponent accepts after move 20 if it expects no more
  resign       resign the game
  new          leave this game and begin another with the other side
  flip, board  flip the board, or show it again
  moves, fen   show the moves of the game, or the position as FEN
  level        show your opponent's present strength
  save [FILE]  show the path of the game, or also write the game to FILE
  quit         leave; you can resume the game later from the same file
";

pub fn welcome(game: &BoardGame, names: &Names, engine: Option<&str>) -> String {
    let over = engine.map_or(String::new(), |engine| format!(" over {}", printable(engine)));
    let again = match game.so_far().moves().len() {
        0 => String::new(),
        plies => format!(" The game continues after {}.", counted(plies.div_ceil(2) as u64, "move")),
    };
    let (person, player) = (printable(&names.person), format!("{}{over}", printable(&names.player)));
    let [white, black] = game.person().fold_wb([&person, &player], [&player, &person]);
    format!("White: {white}. Black: {black}.{again} Type a move, or help.\n")
}

pub fn moves(game: &BoardGame) -> String {
    let text = moves_by_number(game).join(" ");
    if text.is_empty() { "no moves yet".to_owned() } else { wrapped(&text, WIDTH) }
}

/// Returns the opponent's strength in words. `elo` is the rating of people with the mean loss that the
/// opponent lately intended.
pub fn level(skill: SkillFunction, elo: Option<f64>) -> String {
    match (skill, elo) {
        (SkillFunction::Even, Some(elo)) => format!("your opponent plays like people rated {}\n", near(elo)),
        (SkillFunction::Even, None) => {
            "your opponent has made no move since the game was begun or resumed\n".to_owned()
        }
        (skill, _) => format!("your opponent has the skill {skill}, which does not change\n"),
    }
}

/// Rounds a rating to the nearest 50, because a few moves allow no more precision.
fn near(elo: f64) -> u32 {
    50 * (elo / 50.0).round().max(0.0) as u32
}

pub struct BoardPanel<'a> {
    pub game: &'a BoardGame,
    pub clocks: Option<ByColor<String>>,
    pub ascii: bool,
}

impl BoardPanel<'_> {
    /// Returns the lines of `board` with the panel at their right.
    pub fn beside(&self, board: &str, flipped: bool) -> String {
        let [above, below] =
            if flipped { [Color::White, Color::Black] } else { [Color::Black, Color::White] };
        let mut lines = vec![self.name(above), self.captured(above)];
        lines.extend(self.last_moves());
        lines.resize(6, String::new());
        lines.extend([self.captured(below), self.name(below)]);
        let mut text = String::new();
        for (place, line) in board.lines().enumerate() {
            let beside = lines.get(place).map_or("", String::as_str);
            text.push_str(&format!("{}\n", format!("{line}   {beside}").trim_end()));
        }
        text
    }

    fn name(&self, side: Color) -> String {
        let name = brief(self.game.tags().get(side.fold_wb("White", "Black")).unwrap_or_default());
        let clock = self.clocks.as_ref().map_or(String::new(), |clocks| format!("  {}", clocks.get(side)));
        format!("{name}{clock}")
    }

    fn last_moves(&self) -> Vec<String> {
        let all = moves_by_number(self.game);
        all[all.len().saturating_sub(LAST_MOVES)..].to_vec()
    }

    /// Returns the pieces that `side` has captured, and its lead in material.
    fn captured(&self, side: Color) -> String {
        let game = self.game.game();
        let now = self.game.position().board();
        let of_side = |(position, played): (Chess, &PlayedMove)| {
            let m = played.uci.to_move(&position).ok().filter(|_| position.turn() == side)?;
            m.capture()
        };
        let mut captured: Vec<Role> = game.positions().zip(&game.moves).filter_map(of_side).collect();
        captured.sort_unstable();
        let count = |color, role: Role| now.by_piece(role.of(color)).count();
        let worth = |color: Color| -> i32 {
            Role::ALL.iter().map(|&role| in_pawns(role) * count(color, role) as i32).sum()
        };
        let shape = |role: Role| if self.ascii { role.of(!side).char() } else { glyph(role.of(!side)) };
        let mut text: String = captured.into_iter().map(shape).collect();
        let lead = worth(side) - worth(!side);
        if lead > 0 {
            text.push_str(if text.is_empty() { "" } else { " " });
            text.push_str(&format!("+{lead}"));
        }
        text
    }
}

/// Returns one text for each move number, such as `1. e4 e5`.
fn moves_by_number(game: &BoardGame) -> Vec<String> {
    let game = game.game();
    let mut lines: Vec<String> = Vec::new();
    for (position, played) in game.positions().zip(&game.moves) {
        let san = played.san.to_string();
        match lines.last_mut() {
            Some(line) if position.turn().is_black() => line.push_str(&format!(" {san}")),
            _ => lines.push(numbered(&position, &san)),
        }
    }
    lines
}

pub fn prompt(position: &Chess) -> String {
    numbered(position, "")
}

/// Returns the last move of a game, preceded by its number; `None` before the first move.
pub fn last_move(game: &BoardGame) -> Option<String> {
    let last = game.last()?;
    let game = game.game();
    let before = game.positions().nth(game.moves.len().checked_sub(1)?)?;
    Some(numbered(&before, &last.san.to_string()))
}

pub fn ending(game: &BoardGame, over: GameOver) -> String {
    let of_game = game.game();
    let outcome = match of_game.result.half_points(game.person()) {
        Some(2) => "You win",
        Some(0) => "You lose",
        _ => "Drawn",
    };
    let moves = counted(of_game.moves.len().div_ceil(2) as u64, "move");
    format!("{outcome} ({}) after {moves}, {}.\n", over.words(), result(&of_game))
}

pub struct PlayedReport<'a> {
    pub game: &'a EvaluatedGame,
    pub sample: &'a MoveSample,
    pub judge: &'a str,
}

impl PlayedReport<'_> {
    pub fn shown(&self, screen: Screen) -> String {
        let game = self.game.game();
        let gains = Statistic::MeanGain.of_game(self.sample, 0, &Method::default());
        let accuracy = |color: Color| {
            let side = self.sample.appearances.iter().find(|side| side.color == color);
            side.and_then(|side| side.accuracy).map_or(MISSING.to_owned(), |percent| rounded(percent, 1))
        };
        let side =
            |color: Color| format!("{}, {}", printable(game.player(color)), color.fold_wb("White", "Black"));
        let note = format!(
            "Gain: mean gain per move in centipawns, by the evaluations of {}.",
            printable(self.judge)
        );
        let table = Table::shown(&Color::ALL)
            .label("Side", |&color| side(color))
            .display_number(ColumnPart::Value.under("Gain\na move").decimals(1), Unit::Centipawns, |&color| {
                *gains.get(color)
            })
            .display_text("Accuracy,\n%", |&color| accuracy(color))
            .layout("How the game was played", vec![note]);
        format!("{}\n{}", table.shown(screen), self.moments(screen))
    }

    fn moments(&self, screen: Screen) -> String {
        let costly = Extremes::of(self.sample, &Method::default(), MOMENTS, |_| true).costly;
        if costly.is_empty() {
            return "No move cost anything.\n".to_owned();
        }
        let mut text = String::from("The moves that lost most, the costliest first:\n");
        let columns = screen.columns.map_or(100, usize::from);
        for turn in &costly {
            let line = self.moment(turn).unwrap_or_default();
            text.push_str(&format!("{}\n", wrapped(&format!("- {line}"), columns)));
        }
        text
    }

    fn moment(&self, turn: &Turn) -> Option<String> {
        let ply = turn.ply;
        let game: &Game = self.game.game();
        let (position, played) = (game.positions().nth(ply)?, game.moves.get(ply)?);
        let [before, after] = [ply, ply + 1].map(|ply| self.game.evaluations().at(ply));
        let (before, after) = (before?, after?);
        let mover = printable(game.player(position.turn()));
        let judged = self.sample.moves_of(0).get(ply)?.verdict.judgment.map_or("", Judgment::symbol);
        let better = before.best.filter(|&best| best != played.uci).and_then(|best| san(&position, best));
        let better = better.map_or(String::new(), |best| format!("; {best} was better"));
        Some(format!(
            "{} by {mover}: evaluation from {} to {}, winning chances {}{better}.",
            numbered(&position, &format!("{}{judged}", played.san)),
            evaluation(before.score),
            evaluation(after.score),
            chances(turn.chances),
        ))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TextBoard {
    /// True to draw pieces as letters (capitals for White) instead of Unicode symbols.
    pub ascii: bool,
    pub colors: bool,
    pub flipped: bool,
}

/// Colors of light and dark squares, and then of the last move's squares, as numbers of the 256 terminal
/// colors.
const SQUARES: [[u8; 2]; 2] = [[180, 137], [186, 142]];

/// Colors of White's and of Black's pieces, as numbers of the 256 terminal colors.
const PIECES: [u8; 2] = [231, 16];

impl TextBoard {
    /// Returns the board in nine lines. The squares of the `last` move have another color; without colors,
    /// they are in brackets.
    pub fn drawn(self, board: &Board, last: Option<UciMove>) -> String {
        let marked = match last {
            Some(UciMove::Normal { from, to, .. }) => vec![from, to],
            _ => Vec::new(),
        };
        let mut text = String::new();
        for rank in self.order(Rank::ALL).into_iter().rev() {
            text.push_str(&format!(" {} ", rank.char()));
            for file in self.order(File::ALL) {
                let square = Square::from_coords(file, rank);
                text.push_str(&self.square(board, square, marked.contains(&square)));
            }
            text.push('\n');
        }
        let files = self.order(File::ALL).map(|file| format!(" {} ", file.char()));
        text.push_str(&format!("   {}\n", files.concat().trim_end()));
        text
    }

    /// Reverses files or ranks if the board is drawn from Black's side.
    fn order<T, const N: usize>(self, mut all: [T; N]) -> [T; N] {
        if self.flipped {
            all.reverse();
        }
        all
    }

    fn square(self, board: &Board, square: Square, is_marked: bool) -> String {
        let piece = board.piece_at(square);
        if self.colors {
            let ground = SQUARES[usize::from(is_marked)][usize::from(square.is_dark())];
            let (ink, shape) = match piece {
                // Both sides have the filled shapes, because their color distinguishes them.
                Some(piece) if self.ascii => (PIECES[piece.color.fold_wb(0, 1)], piece.char()),
                Some(piece) => (PIECES[piece.color.fold_wb(0, 1)], glyph(piece.role.of(Color::Black))),
                None => (PIECES[1], ' '),
            };
            return format!("\u{1b}[48;5;{ground};38;5;{ink}m {shape} \u{1b}[0m");
        }
        let shape = match piece {
            Some(piece) if self.ascii => piece.char(),
            Some(piece) => glyph(piece),
            None if self.ascii => '.',
            None => '·',
        };
        if is_marked { format!("[{shape}]") } else { format!(" {shape} ") }.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{pgn::parse_games, recorded_evaluations};

    fn shown(pgn: &str) -> String {
        let game = parse_games(pgn, "game.pgn").remove(0).expect("a game");
        let evaluations = recorded_evaluations(&game, None).expect("every position has one");
        let games = [EvaluatedGame::new(game, evaluations)];
        let sample = MoveSample::of(&games);
        let report = PlayedReport { game: &games[0], sample: &sample, judge: "Fish 1, depth 8" };
        report.shown(Screen::default())
    }

    #[test]
    fn the_report_of_a_game_has_both_sides_and_the_moves_that_decided_with_what_was_better() {
        let text = shown(
            "[White \"Ann\"]\n[Black \"Bob\"]\n\n{ [%eval 0.20] } 1. e4 { [%eval 0.20] } e5 { [%eval 0.20] } 2. Qh5 \
             { [%eval -0.50] } Ke7 { [%eval #1] } 3. Qxe5# { [%eval #0] } 1-0",
        );
        for part in ["Ann, White", "Bob, Black", "Gain", "Accuracy", "Fish 1, depth 8"] {
            assert!(text.contains(part), "{part} is not in:\n{text}");
        }
        // 1/(1 + e^−0.184) − 1/(1 + e^3.682) = 0.5459 − 0.0246.
        assert!(
            text.contains("- 2… Ke7?? by Bob: evaluation from −0.50 to #1, winning chances 55 → 2 %."),
            "{text}"
        );
        assert!(
            text.contains("- 2. Qh5?! by Ann: evaluation from +0.20 to −0.50, winning chances 52 → 45 %"),
            "{text}"
        );
    }

    #[test]
    fn a_game_in_which_nothing_was_lost_says_so() {
        assert!(shown("{ [%eval 0.00] } 1. e4 { [%eval 0.00] } *").contains("No move cost anything."));
    }

    #[test]
    fn letters_show_the_board_from_either_side_with_the_last_move() {
        let e4 = "e2e4".parse::<UciMove>().expect("a move");
        let board =
            Board::from_ascii_board_fen(b"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR").expect("a board");
        let ascii = TextBoard { ascii: true, ..TextBoard::default() };
        assert_eq!(
            ascii.drawn(&board, Some(e4)),
            " 8  r  n  b  q  k  b  n  r \n 7  p  p  p  p  p  p  p  p \n 6  .  .  .  .  .  .  .  . \n \
             5  .  .  .  .  .  .  .  . \n 4  .  .  .  . [P] .  .  . \n 3  .  .  .  .  .  .  .  . \n \
             2  P  P  P  P [.] P  P  P \n 1  R  N  B  Q  K  B  N  R \n    a  b  c  d  e  f  g  h\n"
        );
        let black = TextBoard { flipped: true, ..ascii }.drawn(&board, None);
        assert!(
            black.starts_with(" 1  R  N  B  K  Q  B  N  R \n")
                && black.ends_with(" h  g  f  e  d  c  b  a\n"),
            "{black}"
        );
    }

    #[test]
    fn pieces_of_unicode_are_outlined_or_filled_and_with_colors_all_are_filled() {
        let board = Board::from_ascii_board_fen(b"7k/8/8/8/8/8/8/K7").expect("a board");
        let plain = TextBoard::default().drawn(&board, None);
        assert!(
            plain.contains('♔') && plain.contains('♚') && plain.contains('·') && !plain.contains('\u{1b}')
        );
        let colored = TextBoard { colors: true, ..TextBoard::default() }.drawn(&board, None);
        assert!(
            !colored.contains('♔') && colored.contains("\u{1b}[48;5;137;38;5;231m ♚ \u{1b}[0m"),
            "{colored}"
        );
        assert_eq!(colored.matches("\u{1b}[0m").count(), 64);
    }
}
