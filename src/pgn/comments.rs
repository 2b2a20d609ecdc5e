//! Owns the grammar of the commands in comments that tell what an engine said, and what the clocks showed.

use std::{fmt, time::Duration};

use shakmaty::uci::UciMove;

use super::clock::{Clock, digits as unsigned, read_clock, read_seconds};
use crate::{
    evaluation::Wdl,
    game::{Annotation, Game, PlayedMove, RecordedEval},
    score::SignedScore,
    text::fold_spaces,
};

/// An evaluation in its written form: `[%eval 0.17,20] [%wdl 120,800,80] [%best e2e4]`, of which
/// the last two stand only where they are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct EvalCommands(pub RecordedEval);

/// One command that tells of the position that its comment stands after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Command {
    /// `[%eval 0.17,20]`, `[%eval #-3]`: pawns with two decimals or moves to mate, White's view;
    /// the number after the comma is the depth.
    ///
    /// A whole number without a point counts centipawns if a depth follows (`[%eval 17,20]`,
    /// ChessBase's way) and pawns if none does. Further decimals are rounded half away from zero.
    Eval { score: SignedScore, depth: Option<u32> },
    /// `[%wdl 120,800,80]`: the chances of a win, a draw and a loss per mille, White's view.
    Wdl(Wdl),
    /// `[%best e2e4]`: the engine's choice for the next move, in the notation of UCI.
    Best(UciMove),
    /// `[%clk 0:03:00.5]`: what the mover's clock showed after the move.
    Clock(Duration),
    /// `[%emt 0:00:05]`, `[%emt 5.2]`: the time that the move took.
    Elapsed(Duration),
}

/// A part of a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Words, and commands of other programs.
    Text(&'a str),
    /// A command that was understood.
    Known {
        /// What it says.
        command: Command,
        /// As written.
        text: &'a str,
    },
    /// A command in no known form, or with numbers out of range: its name, `eval`, and all of it.
    Odd {
        /// Without the sign before it.
        name: &'a str,
        /// As written.
        text: &'a str,
    },
}

/// The names of commands that are understood.
const NAMES: [&str; 5] = ["eval", "wdl", "best", "clk", "emt"];

/// The commands behind a move in their written form, those of the clock last; empty where there are none.
pub(super) fn commands_after(played: &PlayedMove) -> String {
    let eval = played.eval.map(|eval| EvalCommands(eval).to_string());
    let clock = played.clock.map(|left| Command::Clock(left).to_string());
    let elapsed = played.elapsed.map(|spent| Command::Elapsed(spent).to_string());
    [eval, clock, elapsed].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

impl fmt::Display for EvalCommands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EvalCommands(RecordedEval { score, depth, wdl, best }) = *self;
        Command::Eval { score, depth }.fmt(f)?;
        for command in wdl.map(Command::Wdl).into_iter().chain(best.map(Command::Best)) {
            write!(f, " {command}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Eval { score, depth } => {
                f.write_str("[%eval ")?;
                write_score(*score, f)?;
                match depth {
                    Some(depth) => write!(f, ",{depth}]"),
                    None => f.write_str("]"),
                }
            }
            Command::Wdl(Wdl { win, draw, loss }) => write!(f, "[%wdl {win},{draw},{loss}]"),
            Command::Best(best) => write!(f, "[%best {best}]"),
            Command::Clock(left) => write!(f, "[%clk {}]", Clock(*left)),
            Command::Elapsed(spent) => write!(f, "[%emt {}]", Clock(*spent)),
        }
    }
}

fn write_score(score: SignedScore, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match score {
        SignedScore::Cp(cp) => {
            let (sign, size) = (if cp < 0 { "-" } else { "" }, cp.unsigned_abs());
            write!(f, "{sign}{}.{:02}", size / 100, size % 100)
        }
        SignedScore::Mate(moves) => write!(f, "#{moves}"),
    }
}

impl Command {
    /// What a text from one bracket to the other says; `None` for what is no such command.
    fn read(text: &str) -> Option<Command> {
        let inner = text.strip_prefix('[')?.strip_suffix(']')?;
        let (name, body) = inner.trim().strip_prefix('%')?.split_once(char::is_whitespace)?;
        match name {
            "eval" => read_eval(body),
            "wdl" => read_wdl(body).map(Command::Wdl),
            "best" => body.trim().parse().ok().map(Command::Best),
            "clk" => read_clock(body.trim()).map(Command::Clock),
            "emt" => read_clock(body.trim()).or_else(|| read_seconds(body.trim())).map(Command::Elapsed),
            _ => None,
        }
    }
}

fn read_eval(body: &str) -> Option<Command> {
    let (score, depth) = match body.split_once(',') {
        Some((score, depth)) => (score, Some(unsigned(depth.trim())?)),
        None => (body, None),
    };
    let score = signed_score(score.trim(), depth.is_some())?;
    Some(Command::Eval { score, depth })
}

fn read_wdl(body: &str) -> Option<Wdl> {
    let mut chances = body.split(',').map(|chance| u16::try_from(unsigned(chance.trim())?).ok());
    let wdl = Wdl::new(chances.next()??, chances.next()??, chances.next()??)?;
    chances.next().is_none().then_some(wdl)
}

fn signed_score(text: &str, has_depth: bool) -> Option<SignedScore> {
    if let Some(moves) = text.strip_prefix('#') {
        let (negative, moves) = sign(moves);
        return with_sign(negative, u64::from(unsigned(moves)?)).map(SignedScore::Mate);
    }
    let (negative, size) = sign(text);
    let cp = match size.split_once('.') {
        Some((whole, decimals)) => hundredths(whole, decimals)?,
        None if has_depth => u64::from(unsigned(size)?),
        None => u64::from(unsigned(size)?) * 100,
    };
    with_sign(negative, cp).map(SignedScore::Cp)
}

/// Whether a minus sign leads, and what follows the sign.
fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// `i32::MIN` is out of range too: a score must have a negative.
fn with_sign(negative: bool, size: u64) -> Option<i32> {
    let size = i32::try_from(size).ok()?;
    Some(if negative { -size } else { size })
}

fn hundredths(whole: &str, decimals: &str) -> Option<u64> {
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if !digits(decimals) || (whole.is_empty() && decimals.is_empty()) {
        return None;
    }
    let whole = if whole.is_empty() { 0 } else { u64::from(unsigned(whole)?) };
    let mut places = decimals.bytes().map(|b| u64::from(b - b'0')).chain(std::iter::repeat(0));
    let (tenths, hundredths, next) = (places.next()?, places.next()?, places.next()?);
    Some(whole * 100 + tenths * 10 + hundredths + u64::from(next >= 5))
}

/// The parts of a comment in their order; together they are all of it.
pub fn pieces(comment: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = comment;
    std::iter::from_fn(move || {
        let end = match rest.find('[') {
            None => rest.len(),
            // Up to the next bracket of either kind, so that a text of nothing but `[` takes linear time.
            Some(0) => match rest[1..].find(['[', ']']) {
                Some(at) => at + 1 + usize::from(rest[at + 1..].starts_with(']')),
                None => rest.len(),
            },
            Some(open) => open,
        };
        let (piece, after) = rest.split_at(end);
        rest = after;
        (!piece.is_empty()).then(|| Piece::of(piece))
    })
}

impl Piece<'_> {
    fn of(text: &str) -> Piece<'_> {
        if let Some(command) = Command::read(text) {
            return Piece::Known { command, text };
        }
        let inner = text.strip_prefix('[').and_then(|inner| inner.trim_start().strip_prefix('%'));
        let name = inner.and_then(|inner| inner.split(|c: char| c.is_whitespace() || c == ']').next());
        match name.filter(|name| NAMES.contains(name)) {
            Some(name) => Piece::Odd { name, text },
            None => Piece::Text(text),
        }
    }
}

/// The evaluations of a game's moves that are in no known form, or out of range, as written.
pub fn odd_evaluations(game: &Game) -> impl Iterator<Item = &str> {
    let moves = game.moves.iter().flat_map(|played| &played.annotations);
    let comments = game.preamble.iter().chain(moves).filter_map(Annotation::comment);
    comments.flat_map(pieces).filter_map(|piece| match piece {
        Piece::Odd { name: "eval", text } => Some(text),
        _ => None,
    })
}

/// What a comment says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Told {
    /// The text without the commands that were taken from it. White space is folded: a run of it becomes
    /// one space, none is left at the ends.
    pub text: String,
    /// The last evaluation, with what is said of it.
    pub eval: Option<RecordedEval>,
    /// The last time left.
    pub clock: Option<Duration>,
    /// The last time spent.
    pub elapsed: Option<Duration>,
}

impl Told {
    /// What a comment that stands behind a move says.
    ///
    /// Chances and a best move are those of the evaluation before them in the comment; where there is
    /// none, they are text. What looks like one of these commands and is none (`[%eval high]`, numbers
    /// out of range) stays in the text.
    pub fn behind_a_move(comment: &str) -> Told {
        Told::of(comment, true)
    }

    /// What a comment before the first move says: nobody's clock is the mover's there, and what is said
    /// of one is text.
    pub fn before_all_moves(comment: &str) -> Told {
        Told::of(comment, false)
    }

    fn of(comment: &str, has_mover: bool) -> Told {
        let (mut told, mut left) = (Told::default(), String::with_capacity(comment.len()));
        for piece in pieces(comment) {
            left.push_str(match piece {
                Piece::Known { command, .. } if told.take(command, has_mover) => " ",
                Piece::Known { text, .. } | Piece::Odd { text, .. } | Piece::Text(text) => text,
            });
        }
        Told { text: fold_spaces(&left), ..told }
    }

    /// Adds what `command` tells; false where there is nothing that it could be about.
    fn take(&mut self, command: Command, has_mover: bool) -> bool {
        match (command, &mut self.eval) {
            (Command::Eval { score, depth }, eval) => {
                *eval = Some(RecordedEval { score, depth, wdl: None, best: None });
            }
            (Command::Wdl(wdl), Some(eval)) => eval.wdl = Some(wdl),
            (Command::Best(best), Some(eval)) => eval.best = Some(best),
            (Command::Wdl(_) | Command::Best(_), None) => return false,
            (Command::Clock(_) | Command::Elapsed(_), _) if !has_mover => return false,
            (Command::Clock(left), _) => self.clock = Some(left),
            (Command::Elapsed(spent), _) => self.elapsed = Some(spent),
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn eval(text: &str) -> Option<(SignedScore, Option<u32>)> {
        match Command::read(text) {
            Some(Command::Eval { score, depth }) => Some((score, depth)),
            _ => None,
        }
    }

    /// What is left of a comment behind a move, and its evaluation.
    fn split_eval(comment: &str) -> (String, Option<RecordedEval>) {
        let told = Told::behind_a_move(comment);
        (told.text, told.eval)
    }

    fn bare(cp: i32, depth: Option<u32>) -> RecordedEval {
        RecordedEval { score: SignedScore::Cp(cp), depth, wdl: None, best: None }
    }

    #[test]
    fn an_evaluation_is_pawns_or_moves_to_mate_and_perhaps_a_depth() {
        assert_eq!(eval("[%eval 0.17]"), Some((SignedScore::Cp(17), None)));
        assert_eq!(eval("[%eval -1.5,20]"), Some((SignedScore::Cp(-150), Some(20))));
        assert_eq!(eval("[%eval #-3]"), Some((SignedScore::Mate(-3), None)));
        assert_eq!(eval("[%eval #-3,20]"), Some((SignedScore::Mate(-3), Some(20))));
        assert_eq!(eval("[%eval #0]"), Some((SignedScore::Mate(0), None)));
        assert_eq!(eval("[ %eval   +0.05 , 9 ]"), Some((SignedScore::Cp(5), Some(9))));
    }

    #[test]
    fn a_whole_number_is_centipawns_only_beside_a_depth() {
        assert_eq!(eval("[%eval 17,20]"), Some((SignedScore::Cp(17), Some(20))));
        assert_eq!(eval("[%eval -2]"), Some((SignedScore::Cp(-200), None)));
        assert_eq!(eval("[%eval 2.,3]"), Some((SignedScore::Cp(200), Some(3))));
    }

    #[test]
    fn further_decimals_round_half_away_from_zero() {
        assert_eq!(eval("[%eval 0.125]"), Some((SignedScore::Cp(13), None)));
        assert_eq!(eval("[%eval -0.125]"), Some((SignedScore::Cp(-13), None)));
        assert_eq!(eval("[%eval .1249999]"), Some((SignedScore::Cp(12), None)));
        assert_eq!(eval("[%eval 0.999]"), Some((SignedScore::Cp(100), None)));
    }

    #[test]
    fn what_is_out_of_range_or_no_number_is_no_evaluation() {
        for text in
            ["21474836.48", "-21474836.48", "99999999999", "#2147483648", "high", "", ".", "1,", "--1", "1e3"]
        {
            assert_eq!(eval(&format!("[%eval {text}]")), None, "{text}");
        }
        assert_eq!(eval("[%eval0.1]"), None);
    }

    #[test]
    fn values_between_minus_one_and_nought_keep_their_sign() {
        assert_eq!(EvalCommands(bare(-5, Some(20))).to_string(), "[%eval -0.05,20]");
    }

    #[test]
    fn only_what_is_understood_leaves_the_comment_and_the_last_one_counts() {
        let (text, eval) = split_eval(" [%eval 0.1] [%csl Gd4]\n good [%eval 0.2,4]");
        assert_eq!(text, "[%csl Gd4] good");
        assert_eq!(eval, Some(bare(20, Some(4))));
        assert_eq!(split_eval("[%ev[%eval 0.1]al 0.2]").0, "[%ev al 0.2]");
        assert_eq!(split_eval("[%eval high] [[x"), ("[%eval high] [[x".to_owned(), None));
    }

    #[test]
    fn chances_and_a_best_move_stand_behind_their_evaluation() {
        let known = RecordedEval {
            wdl: Wdl::new(120, 800, 80),
            best: Some("e7e8q".parse().expect("a move")),
            ..bare(17, Some(20))
        };
        let written = "[%eval 0.17,20] [%wdl 120,800,80] [%best e7e8q]";
        assert_eq!(EvalCommands(known).to_string(), written);
        let spaced = "[%eval 0.17,20][%cal Ge2e4] sharp [ %best  e7e8q ]\n[%wdl 120 , 800 ,80]";
        assert_eq!(split_eval(spaced), ("[%cal Ge2e4] sharp".to_owned(), Some(known)));
        let said_anew = format!("{written} [%eval 0.20,21] [%best e7e8q]");
        let last = RecordedEval { best: known.best, ..bare(20, Some(21)) };
        assert_eq!(split_eval(&said_anew), (String::new(), Some(last)), "chances of another evaluation");
    }

    #[test]
    fn clocks_are_those_of_the_move_that_they_stand_behind() {
        let told = |comment| {
            let told = Told::behind_a_move(comment);
            (told.text, told.clock, told.elapsed)
        };
        let seconds = Duration::from_secs_f64;
        let both = told("[%emt 0:00:05] fast[%clk 1:02:03.5]");
        assert_eq!(both, ("fast".to_owned(), Some(seconds(3723.5)), Some(seconds(5.0))));
        assert_eq!(told("[%emt 75.25]"), (String::new(), None, Some(seconds(75.25))));
        assert_eq!(told("[ %clk\t0:00:09 ] [%clk 0:00:08]"), (String::new(), Some(seconds(8.0)), None));
        for odd in ["[%clk 5]", "[%clk 0:61:00]", "[%clk]", "[%emt soon]", "[%clk -0:00:01]"] {
            assert_eq!(told(odd), (odd.to_owned(), None, None));
        }
        let before = Told::before_all_moves("[%clk 1:00:00] [%eval 0.3]");
        assert_eq!((before.text.as_str(), before.clock), ("[%clk 1:00:00]", None));
        assert_eq!(before.eval, Some(bare(30, None)));
    }

    #[test]
    fn commands_in_no_known_form_are_told_apart_from_those_of_other_programs() {
        let odd = |comment| {
            let odd = |piece| match piece {
                Piece::Odd { name, text } => Some((name, text)),
                _ => None,
            };
            pieces(comment).filter_map(odd).collect::<Vec<_>>()
        };
        let comment = "a [%eval high] [%csl Gd4][%eval 0.1] [%clk 1] [%evaluation 3] [%eval 99999999999] [x";
        assert_eq!(
            odd(comment),
            [("eval", "[%eval high]"), ("clk", "[%clk 1]"), ("eval", "[%eval 99999999999]")]
        );
        assert_eq!(odd("[%eval 0.1"), [("eval", "[%eval 0.1")]);
        assert_eq!(odd("[%eval]"), [("eval", "[%eval]")]);
    }

    #[test]
    fn chances_and_a_best_move_without_an_evaluation_are_text() {
        for text in ["[%wdl 120,800,80] [%best e2e4]", "[%best e2e4]", "[%eval high] [%wdl 0,1000,0]"] {
            assert_eq!(split_eval(text), (text.to_owned(), None));
        }
        let before = "[%wdl 120,800,80] [%eval 0.17]";
        assert_eq!(split_eval(before), ("[%wdl 120,800,80]".to_owned(), Some(bare(17, None))));
    }

    #[test]
    fn what_are_no_chances_and_no_move_stays_in_the_text() {
        for text in [
            "[%wdl 120,800,-80]",
            "[%wdl 120,800]",
            "[%wdl 120,800,80,0]",
            "[%wdl 12,80,8]",
            "[%wdl 0.12,0.8,0.08]",
            "[%wdl 65656,800,80]",
            "[%wdl ]",
            "[%wdl 120,800,80",
            "[%WDL 120,800,80]",
            "[%wdl120,800,80]",
            "[%best Nf3]",
            "[%best e2]",
            "[%best ]",
            "[%best e2e4 e7e5]",
            "[%bestmove e2e4]",
        ] {
            let comment = format!("[%eval 0.17] {text}");
            assert_eq!(split_eval(&comment), (text.to_owned(), Some(bare(17, None))));
        }
    }

    prop_compose! {
        fn chances()(win in 0..=1000u16, share in 0.0..=1.0) -> Option<Wdl> {
            let draw = (f64::from(1000 - win) * share) as u16;
            Wdl::new(win, draw, 1000 - win - draw)
        }
    }

    proptest! {
        #[test]
        fn writing_and_reading_are_inverses(
            mate: bool,
            size in -i32::MAX..=i32::MAX,
            depth: Option<u32>,
            wdl in prop_oneof![Just(None), chances()],
            best in proptest::option::of("[a-h][1-8][a-h][1-8][nbrq]?"),
        ) {
            let score = if mate { SignedScore::Mate(size) } else { SignedScore::Cp(size) };
            let best = best.map(|best| best.parse().expect("a move in UCI's notation"));
            let eval = RecordedEval { score, depth, wdl, best };
            prop_assert_eq!(split_eval(&EvalCommands(eval).to_string()), (String::new(), Some(eval)));
        }

        #[test]
        fn no_comment_is_too_odd_to_read(text: String) {
            let (left, _) = split_eval(&text);
            prop_assert_eq!(fold_spaces(&left), left);
        }

        #[test]
        fn the_pieces_of_a_comment_are_all_of_it(comment in r"([a ]|\[%|\[|\]|eval 0.1|clk 0:00:01|#3){0,12}") {
            let texts = pieces(&comment).map(|piece| match piece {
                Piece::Text(text) | Piece::Known { text, .. } | Piece::Odd { text, .. } => text,
            });
            prop_assert_eq!(texts.collect::<String>(), comment);
        }
    }
}
