//! [`Judge`]: the evaluations of an artificial game, a random walk. Its steps are recorded gains, and the
//! losses of bad moves.

use gainalyze::chess::{SignedScore, win_probability};
use shakmaty::{ByColor, Color};

use super::{
    dice::Dice,
    players::Pairing,
    score_sheet::{End, ScoreSheet},
};

pub struct Judge<'a> {
    gains: &'a [i32],
    slips: ByColor<Slips>,
    /// The evaluation in centipawns, from White's view.
    cp: i32,
    /// White's chance of winning.
    chance: f64,
    plies: usize,
    end: End,
    /// The judge sees a checkmate when at most this many moves lead to it.
    foresight: usize,
}

/// The evaluation of a move.
pub struct Verdict {
    /// The score of the position after the move, from White's view; `None` if the move ends the game by the
    /// rules.
    pub score: Option<SignedScore>,
    /// The glyph that follows the move.
    pub glyph: &'static str,
}

/// The bad moves of a player, which a master would not play.
struct Slips {
    chance: f64,
    /// Mean loss of a bad move, in centipawns.
    mean: f64,
}

/// The rating of the players whose gains were recorded.
const MASTERS: f64 = 2780.0;

/// White's advantage before the first move, in centipawns.
const FIRST_MOVE: i32 = 25;

/// Largest evaluation, in centipawns.
const DECIDED: i32 = 2500;

/// A player who is more than this many centipawns behind may resign.
const HOPELESS: i32 = 500;

/// Largest foresight of a judge: the number of moves before a checkmate at which the judge sees it.
const FORESIGHT: usize = 5;

/// Smallest loss in the chance of winning for each glyph, as on lichess.
const GLYPHS: [(f64, &str); 3] = [(0.15, "??"), (0.1, "?"), (0.05, "?!")];

impl Slips {
    /// Returns the slips of a player rated `elo`. At 1450, a third of the moves are bad, and a bad move loses 1.3
    /// pawns on average.
    fn of(elo: u32) -> Slips {
        let below = (MASTERS - f64::from(elo)).max(0.0);
        Slips { chance: below / 4000.0, mean: 20.0 + below / 12.0 }
    }
}

impl<'a> Judge<'a> {
    /// Makes the judge of the game of `sheet`.
    pub fn new(sheet: &ScoreSheet, pairing: &Pairing, gains: &'a [i32], dice: &mut Dice) -> Judge<'a> {
        Judge {
            gains,
            slips: pairing.players.as_ref().map(|player| Slips::of(player.elo)),
            cp: FIRST_MOVE,
            chance: win_probability::of_centipawns(f64::from(FIRST_MOVE)),
            plies: sheet.len(),
            end: sheet.end,
            foresight: 1 + dice.below(FORESIGHT),
        }
    }

    /// Returns White's advantage in centipawns.
    pub fn white_is_ahead_by(&self) -> i32 {
        self.cp
    }

    /// Returns whether `mover` may resign.
    pub fn is_hopeless(&self, mover: Color) -> bool {
        mover.fold_wb(self.cp, -self.cp) < -HOPELESS
    }

    /// Returns whether the judge sees, after the move at `ply` (from 0), the checkmate that ends the game.
    pub fn sees_mate(&self, ply: usize) -> bool {
        matches!(self.end, End::Checkmate(_)) && self.plies - ply <= 2 * self.foresight
    }

    /// Evaluates the next move, which is at `ply`, from 0.
    pub fn next(&mut self, ply: usize, dice: &mut Dice) -> Verdict {
        let mover = Color::from_white(ply.is_multiple_of(2));
        let score = match self.end {
            End::Checkmate(winner) if self.sees_mate(ply) => {
                self.cp = winner.fold_wb(DECIDED, -DECIDED);
                let moves = ((self.plies - ply) / 2) as i32;
                SignedScore::Mate(winner.fold_wb(moves, -moves))
            }
            _ => {
                self.cp = (self.cp + mover.fold_wb(1, -1) * self.gain(mover, dice)).clamp(-DECIDED, DECIDED);
                SignedScore::Cp(self.cp)
            }
        };
        let chance = win_probability::of_centipawns(f64::from(self.cp));
        let lost = mover.fold_wb(1.0, -1.0) * (std::mem::replace(&mut self.chance, chance) - chance);
        let glyph = GLYPHS.iter().find(|(least, _)| lost >= *least).map_or("", |(_, glyph)| glyph);
        let is_last = ply + 1 == self.plies && self.end != End::Open;
        Verdict { score: (!is_last).then_some(score), glyph }
    }

    /// Draws the gain of a move of `mover`.
    fn gain(&self, mover: Color, dice: &mut Dice) -> i32 {
        let slips = self.slips.get(mover);
        if dice.chance(slips.chance) { -dice.exponential(slips.mean) as i32 } else { *dice.pick(self.gains) }
    }
}
