//! [`Course`]: evaluations, clock times and end of an artificial game.

use std::io::Write;

use gainalyze::chess::{GameResult, SignedScore};
use shakmaty::Color;

use super::{
    clocks::Clocks,
    dice::Dice,
    judge::{Judge, Verdict},
    players::Pairing,
    score_sheet::{End, ScoreSheet},
};

/// A game as lichess records it: moves with evaluations and clock times, result and termination.
pub struct Course {
    /// The movetext on one line: moves, glyphs, comments and result.
    pub movetext: Vec<u8>,
    pub result: GameResult,
    pub termination: &'static str,
}

/// The chance that the player to move resigns in a hopeless position.
const RESIGNS: f64 = 0.15;

/// Lead in centipawns with which a player wins when the moves of the score sheet end.
const WINNING: i32 = 250;

impl Course {
    /// Plays a game of `pairing` with the moves of `sheet`. The game may end before the last of these moves.
    /// The evaluation changes by gains drawn from `gains`, and by bad moves of weaker players. The movetext
    /// has evaluations if `with_evals` is true.
    pub fn of(
        sheet: &ScoreSheet,
        pairing: &Pairing,
        gains: &[i32],
        with_evals: bool,
        dice: &mut Dice,
    ) -> Course {
        let mut text = Vec::with_capacity(50 * sheet.len());
        let (mut judge, mut clocks) = (Judge::new(sheet, pairing, gains, dice), Clocks::new(pairing.control));
        for ply in 0..sheet.len() {
            let mover = Color::from_white(ply % 2 == 0);
            let may_end = ply >= sheet.settled && !judge.sees_mate(ply);
            if !clocks.run(ply, dice) && may_end {
                return Course::ended(text, win(!mover), "Time forfeit");
            }
            if may_end && judge.is_hopeless(mover) && dice.chance(RESIGNS) {
                return Course::ended(text, win(!mover), "Normal");
            }
            let verdict = judge.next(ply, dice);
            text.extend_from_slice(sheet.written(ply).as_bytes());
            write_comment(&mut text, with_evals.then_some(verdict), clocks.shown(mover));
        }
        let result = match sheet.end {
            End::Checkmate(winner) => win(winner),
            End::Open if judge.white_is_ahead_by() > WINNING => GameResult::WhiteWins,
            End::Open if judge.white_is_ahead_by() < -WINNING => GameResult::BlackWins,
            End::Open | End::Draw => GameResult::Draw,
        };
        Course::ended(text, result, "Normal")
    }

    fn ended(mut movetext: Vec<u8>, result: GameResult, termination: &'static str) -> Course {
        write!(movetext, "{result}").expect("room for a result");
        Course { movetext, result, termination }
    }
}

fn win(winner: Color) -> GameResult {
    winner.fold_wb(GameResult::WhiteWins, GameResult::BlackWins)
}

/// Writes the glyph and the comment after a move: `?! { [%eval 0.17] [%clk 0:03:00] } `.
fn write_comment(text: &mut Vec<u8>, verdict: Option<Verdict>, clock: u32) {
    if let Some(verdict) = &verdict {
        text.extend_from_slice(verdict.glyph.as_bytes());
    }
    text.extend_from_slice(b" { ");
    if let Some(score) = verdict.and_then(|verdict| verdict.score) {
        text.extend_from_slice(b"[%eval ");
        write_score(text, score);
        text.extend_from_slice(b"] ");
    }
    let (hours, minutes, seconds) = (clock / 3600, clock / 60 % 60, clock % 60);
    write!(text, "[%clk {hours}:{minutes:02}:{seconds:02}] }} ").expect("room for a clock");
}

/// Formats a score as lichess writes it: `0.17`, `-0.3`, `#-2`.
fn write_score(text: &mut Vec<u8>, score: SignedScore) {
    match score {
        SignedScore::Mate(moves) => write!(text, "#{moves}"),
        SignedScore::Cp(cp) => {
            let (sign, size) = (if cp < 0 { "-" } else { "" }, cp.abs());
            match size % 100 {
                tenths if tenths % 10 == 0 => write!(text, "{sign}{}.{}", size / 100, tenths / 10),
                hundredths => write!(text, "{sign}{}.{hundredths:02}", size / 100),
            }
        }
    }
    .expect("room for a score");
}
