//! [`EvenController`]: the choice of the next move such that the game stays even.
//!
//! docs/spar.md has the equations and their sources.

use super::{
    candidate::Candidate, candidate::centipawns, course::CourseMove, course::OpponentRecord, human::BLUNDER,
    human::HumanLosses, human::spread_of, question::MoveRng,
};
use crate::engine::levels::drawn;

/// The share of a lead that each move gives back, and the share of a deficit that each move makes up.
const GAIN: (f64, f64) = (0.3, 0.6);

/// Target of the expected score until the controller decides which side is to win, in percentage points.
const EVEN: f64 = 50.0;

/// Number of the player's moves before the controller decides which side is to win.
const TURNING_POINT: u32 = 36;

/// Each of the player's moves must leave an expected score above a floor: the target minus this number of
/// percentage points. The floor falls with the target if the opponent is to win, and never rises.
const BELOW_TARGET: f64 = 10.0;

/// Largest intended loss of a move, in percentage points. Larger losses look like gifts.
const MOST: f64 = 25.0;

/// Largest intended loss of a move in centipawns. Far from an even game, a piece costs fewer than [`MOST`]
/// percentage points.
const MOST_CENTIPAWNS: i32 = 400;

/// The largest loss to choose, as a linear function of the intended mean loss: the value without an intended
/// loss, in percentage points, and the slope.
const USUAL_MOST: (f64, f64) = (4.0, 1.25);

/// Loss that is always allowed, in percentage points. It leaves a choice between equally good moves.
const TOLERANCE: f64 = 1.0;

/// Bounds of the player's expected score, in percentage points, that reverse the decision which side is to
/// win. At or below the lower bound it is the opponent, above the upper bound the player.
const REVERSED: (f64, f64) = (30.0, 95.0);

/// If the player's expected score leads the mean of the game by at least this number of percentage points,
/// the player is always to win. This holds if the mean is [`EVEN`].
const SURE_LEAD: f64 = 30.0;

/// If the mean of the game is at least this far from [`EVEN`], in percentage points, the side that was behind
/// is always to win. This holds without a present lead. That side is weaker, so it often fails.
const ONE_SIDED: f64 = 8.0;

/// Change of the target in percentage points per move, after it is decided which side is to win.
const PACE: f64 = 4.0;

/// Largest difference between the player's mean loss and the opponent's mean loss after the decision, in
/// percentage points.
const ROOM: f64 = 4.0;

/// The limit [`ROOM`] as a share of the opponent's mean loss. The larger of the two limits applies.
const SHARE_OF_ROOM: f64 = 0.5;

/// From this expected score on, in percentage points, the controller intends no loss, to finish a won game.
const WON: f64 = 90.0;

/// Number of the player's moves over which a missing loss is made up. A loss that no move offered is missing.
const CARRY: f64 = 3.0;

/// Carried loss in percentage points above which more moves are ranked.
const MUCH_CARRIED: f64 = 4.0;

/// Lead over the target in percentage points above which more moves are ranked.
const MUCH_LEAD: f64 = 5.0;

/// The largest loss carried over, in percentage points. A larger one would become a single large loss long
/// after its cause.
const MOST_CARRIED: f64 = 20.0;

/// Weight of the last expected score in the running mean.
const FRESHNESS: f64 = 0.5;

/// Weight of the last intended loss in the running mean, which determines [`EvenAim::elo`].
const FRESHNESS_OF_STRENGTH: f64 = 0.15;

/// Range of expected scores in which moves inform about a player. Outside it, little can be lost.
const LIVE: std::ops::Range<f64> = 0.1..0.9;

/// Below this expected score a repetition is welcome.
const CONTENT_WITH_A_DRAW: f64 = 0.4;

/// Smallest probability of the best allowed move before the probabilities are tilted.
const LEAST_CHANCE_OF_BEST: f64 = 0.01;

/// The range of the tilt of people's probabilities, per percentage point. At the lower end, a loss of 1
/// percentage point makes a move 150 times less likely. At the upper end, a loss of 5 makes it 55 times
/// likelier.
const TILT: (f64, f64) = (-5.0, 0.8);

/// Smallest loss, in percentage points, at which a move that leaves a piece hanging is refused. With a
/// smaller loss, the move counts as a sacrifice.
const LOSS_OF_WHAT_HANGS: f64 = 5.0;

/// Lowest rating of opponents who take a hanging piece at once.
const SEES_WHAT_HANGS: f64 = 1000.0;

/// Keeps a game even, and later lets one side win, by the expected scores around the player's moves.
#[derive(Debug, Clone, PartialEq)]
pub struct EvenController {
    opponent: OpponentRecord,
    moves: u32,
    after: Option<f64>,
    /// The running mean of the expected scores before the player's moves, in percentage points.
    smooth: Option<f64>,
    /// The sum of the expected scores before the player's moves, in percentage points.
    sum: f64,
    /// True if the player is to win, false if the opponent is; `None` before the decision.
    wins: Option<bool>,
    /// The intended losses minus the losses of the moves played, in percentage points.
    carried: f64,
    /// The running mean of the intended losses, in percentage points.
    strength: f64,
    /// A random number from 0 to 1 that decides, together with the course of the game, which side is to win.
    lot: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EvenAim {
    /// The mean loss that keeps the expected score on its target, in percentage points.
    pub balance: f64,
    /// The mean loss aimed at: the balance plus a part of the carried loss.
    pub loss: f64,
    /// The largest allowed loss, in percentage points.
    pub most: f64,
    /// The rating of people whose mean loss is the running mean of the intended losses.
    pub elo: f64,
    /// The opponent's rating by the losses so far.
    pub opponent_elo: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EvenChoice {
    pub place: usize,
    pub loss: f64,
}

impl EvenController {
    pub fn new(opponent: OpponentRecord, lot: f64) -> EvenController {
        EvenController {
            opponent,
            moves: 0,
            after: None,
            smooth: None,
            sum: 0.0,
            wins: None,
            carried: 0.0,
            strength: opponent.mean(),
            lot,
        }
    }

    /// Returns a controller after the moves of `course`, in a game against `opponent`.
    pub fn after(opponent: OpponentRecord, lot: f64, course: &[CourseMove]) -> EvenController {
        let mut controller = EvenController::new(opponent, lot);
        for played in course {
            let aim = controller.aim(played.expected);
            controller.played(aim, played);
        }
        controller
    }

    pub fn opponent(&self) -> OpponentRecord {
        self.opponent
    }

    /// Returns whether more candidates are needed, because the losses of the candidates so far were too small
    /// or because there is much to lose.
    pub fn lacks_losses(&self) -> bool {
        let lead = self.smooth.map_or(0.0, |smooth| smooth - self.course());
        self.carried > MUCH_CARRIED || self.wins != Some(true) && lead > MUCH_LEAD
    }

    /// Takes the expected score before a move of the player, and returns the aim for this move.
    pub fn aim(&mut self, expected: f64) -> EvenAim {
        if let Some(after) = self.after.take().filter(|after| LIVE.contains(after)) {
            self.opponent.moves += 1.0;
            self.opponent.lost += 100.0 * (expected - after);
        }
        let points = 100.0 * expected;
        let before = self.smooth.unwrap_or(50.0);
        let smooth = before + FRESHNESS * (points - before);
        (self.smooth, self.sum) = (Some(smooth), self.sum + points);
        self.settle(smooth);
        let balance = self.balance(smooth);
        // When the player is behind, missing losses need not be made up; when ahead, excess losses need not.
        let due = if smooth > 50.0 { self.carried.max(0.0) } else { self.carried.min(0.0) };
        let loss = if balance > 0.0 { (balance + due / CARRY).max(0.0) } else { 0.0 };
        self.strength += FRESHNESS_OF_STRENGTH * (loss - self.strength);
        let people = HumanLosses::shipped();
        let opponent_elo = people.rating(self.opponent.mean());
        let floor = self.course().min(EVEN) - BELOW_TARGET;
        let most = (points - floor).clamp(0.0, bound(opponent_elo));
        EvenAim { balance, loss, most, elo: people.rating(self.strength), opponent_elo }
    }

    /// Decides which side is to win. At the turning point, the decision is random. The player's chance rises
    /// with the lead of the expected score over the mean of the game so far, and falls with this mean. Later,
    /// the decision is reversed only if the other side is clearly better.
    fn settle(&mut self, smooth: f64) {
        if self.moves >= TURNING_POINT {
            let mean = self.sum / (f64::from(self.moves) + 1.0);
            let (low, high) = REVERSED;
            let chance = 0.5 + (smooth - mean) / (2.0 * SURE_LEAD) + (EVEN - mean) / (2.0 * ONE_SIDED);
            self.wins = Some(match self.wins {
                None => smooth > high || smooth > low && self.lot < chance,
                Some(true) => smooth > low,
                Some(false) => smooth > high,
            });
        }
    }

    fn course(&self) -> f64 {
        let way = PACE * (f64::from(self.moves) - f64::from(TURNING_POINT) + 1.0);
        match self.wins {
            None => EVEN,
            Some(true) => (50.0 + way).min(100.0),
            Some(false) => (50.0 - way).max(0.0),
        }
    }

    /// Returns the mean loss that keeps the expected score on its target, in percentage points.
    fn balance(&self, smooth: f64) -> f64 {
        if self.wins == Some(true) && smooth >= WON {
            return 0.0;
        }
        let usual = self.opponent.mean();
        let room = if self.wins.is_none() { 100.0 } else { ROOM.max(usual * SHARE_OF_ROOM) };
        let lead = smooth - self.course();
        let gain = if lead > 0.0 { GAIN.0 } else { GAIN.1 };
        (usual + (gain * lead).clamp(-room, room)).max(0.0)
    }

    pub fn played(&mut self, aim: EvenAim, played: &CourseMove) {
        self.moves += 1;
        if LIVE.contains(&played.expected) {
            // A loss that was not allowed need not be made up.
            let due = self.carried + aim.balance.min(aim.most) - played.loss;
            self.carried = due.clamp(-MOST_CARRIED, MOST_CARRIED);
        }
        self.after = Some(played.after);
    }
}

/// Returns the largest intended loss against an opponent of this rating, in percentage points.
fn bound(opponent_elo: f64) -> f64 {
    HumanLosses::shipped().rare(opponent_elo).min(MOST)
}

/// Draws a candidate by [`weights`]. The best candidate must be first. If no candidate has a weight, the best
/// is chosen.
pub fn choose(aim: EvenAim, candidates: &[Candidate], random: &mut MoveRng) -> EvenChoice {
    let place = drawn(&weights(aim, candidates), random.share()).unwrap_or(0);
    let loss = candidates.first().map_or(0.0, |best| candidates[place].loss(best));
    EvenChoice { place, loss }
}

/// Returns the probability that the chosen loss is a blunder.
pub fn chance_of_blunder(aim: EvenAim, candidates: &[Candidate]) -> f64 {
    let weights = weights(aim, candidates);
    let Some(best) = candidates.first() else { return 0.0 };
    let blunders = weights.iter().zip(candidates).filter(|(_, one)| one.loss(best) >= BLUNDER);
    blunders.map(|(weight, _)| weight).sum::<f64>() / weights.iter().sum::<f64>().max(f64::MIN_POSITIVE)
}

/// Returns the relative probabilities of the candidates: people's probabilities times e^(θ·loss). The tilt θ
/// brings the mean loss to `aim.loss` times the factor of the position's spread. Of all distributions with
/// this mean loss, the result differs least from people's (by relative entropy). A move that is not allowed
/// has the weight 0. If no loss is intended, or if the best move mates so soon that the opponent would see
/// it, only the best move has a weight.
fn weights(aim: EvenAim, candidates: &[Candidate]) -> Vec<f64> {
    let Some(best) = candidates.first() else { return Vec::new() };
    let must_mate =
        best.mates_in().is_some_and(|moves| aim.loss == 0.0 || moves <= mate_horizon(aim.opponent_elo));
    let usual = EvenAim { most: usual_most(aim), ..aim };
    let is_possible = |(place, one): (usize, &Candidate)| {
        !is_unwelcome(one, best) && (place == 0 || is_allowed(usual, one, best))
    };
    let first = if must_mate { None } else { candidates.iter().enumerate().position(is_possible) };
    let first = first.unwrap_or(0);
    let chance = |(place, one): (usize, &Candidate)| match place {
        place if place == first => one.traits.chance.max(LEAST_CHANCE_OF_BEST),
        _ if must_mate || aim.loss == 0.0 || !is_possible((place, one)) => 0.0,
        _ => one.traits.chance,
    };
    let chances: Vec<f64> = candidates.iter().enumerate().map(chance).collect();
    let expected: Vec<f64> = candidates.iter().map(|candidate| candidate.expected).collect();
    let mean = aim.loss * HumanLosses::shipped().factor(spread_of(&expected));
    let losses: Vec<f64> = candidates.iter().map(|candidate| candidate.loss(best)).collect();
    tilted(&chances, &losses, mean)
}

pub fn is_unwelcome(candidate: &Candidate, best: &Candidate) -> bool {
    candidate.traits.repeats && best.expected >= CONTENT_WITH_A_DRAW
}

/// Returns `chances` times e^(θ·loss). θ, within [`TILT`], brings the mean loss nearest to `mean`.
fn tilted(chances: &[f64], losses: &[f64], mean: f64) -> Vec<f64> {
    let weights = |tilt: f64| -> Vec<f64> {
        chances.iter().zip(losses).map(|(chance, loss)| chance * (tilt * loss).exp()).collect()
    };
    let (mut low, mut high) = TILT;
    // Bisection: the mean grows with the tilt.
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        let excess: f64 =
            weights(middle).iter().zip(losses).map(|(weight, loss)| weight * (loss - mean)).sum();
        if excess < 0.0 { low = middle } else { high = middle }
    }
    weights((low + high) / 2.0)
}

/// Returns the largest loss to choose. It is smaller than the largest allowed loss if less is intended, so
/// that a lead is given back in several small losses.
fn usual_most(aim: EvenAim) -> f64 {
    let (least, share) = USUAL_MOST;
    aim.most.min(least + share * aim.loss)
}

/// Returns whether `candidate` may be played: its loss is within the bounds, and it allows no mate that the
/// opponent sees. A move that hangs a piece is refused if its loss is large and opponents of this rating take
/// the piece.
pub fn is_allowed(aim: EvenAim, candidate: &Candidate, best: &Candidate) -> bool {
    let horizon = mate_horizon(aim.opponent_elo);
    let is_mated = candidate.is_mated_in().is_some_and(|moves| moves <= horizon);
    let too_much = candidate.loss(best) > aim.most.max(TOLERANCE)
        || centipawns(best.score) - centipawns(candidate.score) > MOST_CENTIPAWNS;
    let hangs = candidate.traits.hangs
        && candidate.loss(best) >= LOSS_OF_WHAT_HANGS
        && aim.opponent_elo >= SEES_WHAT_HANGS;
    !(is_mated || too_much || hangs)
}

/// Returns the number of moves within which players of a rating always see a mate, for their own side or for
/// the opponent's.
fn mate_horizon(elo: f64) -> u32 {
    match elo {
        elo if elo < 1200.0 => 1,
        elo if elo < 1600.0 => 2,
        elo if elo < 2000.0 => 3,
        elo if elo < 2400.0 => 5,
        _ => u32::MAX,
    }
}

#[cfg(test)]
mod tests;
