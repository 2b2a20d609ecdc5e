//! [`Clocks`]: the remaining time of the players of an artificial game.

use shakmaty::{ByColor, Color};

use super::{dice::Dice, players::TimeControl};

pub struct Clocks {
    control: TimeControl,
    /// Remaining time in seconds.
    left: ByColor<f64>,
}

/// Number of moves for which a player plans the remaining time.
const MOVES: f64 = 40.0;

impl Clocks {
    /// Starts the clocks.
    pub fn new(control: TimeControl) -> Clocks {
        Clocks { control, left: ByColor::new_with(|_| f64::from(control.base)) }
    }

    /// Runs the clock for the move at `ply`, from 0, and adds the increment. If the remaining time does not
    /// suffice, halves it and returns false. The first move of each player takes no time, as on lichess.
    pub fn run(&mut self, ply: usize, dice: &mut Dice) -> bool {
        if ply < 2 {
            return true;
        }
        let increment = f64::from(self.control.increment);
        let share = 0.5 * (f64::from(self.control.base) / MOVES + increment);
        let left = self.left.get_mut(Color::from_white(ply.is_multiple_of(2)));
        let spent = dice.exponential(share + *left / MOVES);
        let is_enough = spent < *left;
        *left = if is_enough { *left - spent } else { *left / 2.0 } + increment;
        is_enough
    }

    /// Returns the whole seconds left to `player`.
    pub fn shown(&self, player: Color) -> u32 {
        *self.left.get(player) as u32
    }
}
