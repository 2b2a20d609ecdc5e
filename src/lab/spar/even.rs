//! [`EvenController`]: the choice of the next move such that the game stays even.
//!
//! docs/spar.md has the equations and their sources.

use super::{
    candidate::Candidate, candidate::centipawns, course::CourseMove, course::OpponentRecord, human::BLUNDER,
    human::HumanLosses, human::spread_of, question::MoveRng,
};

/// The share of a lead that each move gives back.
const GAIN: f64 = 0.3;

/// Target of the expected score until the controller decides which side is to win, in percentage points.
const LEVEL: f64 = 50.0;

/// Number of own moves before the controller decides which side is to win.
const TURNING_POINT: u32 = 32;

/// Distance below the target of the lowest expected score that an own move may leave, in percentage points.
/// The floor falls with the target if the opponent is to win, and never rises.
const BELOW_TARGET: f64 = 10.0;

/// Largest intended loss of a move, in percentage points. Larger losses look like gifts.
const MOST: f64 = 25.0;

/// Largest intended loss of a move in centipawns. Far from an even game, a piece costs fewer than [`MOST`]
/// percentage points.
const MOST_CENTIPAWNS: i32 = 400;

/// The largest loss to draw in percentage points: if no loss is intended, and its increase per point of the
/// intended mean loss.
const USUAL_MOST: (f64, f64) = (4.0, 1.25);

/// Lead over the target in percentage points up to which all losses of people are drawn. From there on, the
/// smallest losses are left out, and [`LEAST_QUANTILE`] of them from a lead greater by about [`LARGE_LEAD`].
const SMALL_LEAD: f64 = 5.0;

/// See [`SMALL_LEAD`].
const LARGE_LEAD: f64 = 15.0;

/// The largest share of the smallest losses that are left out.
const LEAST_QUANTILE: f64 = 0.85;

/// Loss that is always allowed, in percentage points. It leaves a choice between equally good moves.
const TOLERANCE: f64 = 1.0;

/// The expected scores in percentage points at which a decision is reversed: at or below the first, the own
/// side is not to win; above the second, the opponent is not.
const REVERSED: (f64, f64) = (30.0, 95.0);

/// Lead over the mean of the game, in percentage points, from which the own side is always to win. The
/// opponent's mean loss is subtracted, because the own side has just gained by the opponent's last move.
const SURE_LEAD: f64 = 30.0;

/// Change of the target in percentage points per move, after it is decided which side is to win.
const PACE: f64 = 4.0;

/// Largest difference between the own mean loss and the opponent's mean loss after the decision, in
/// percentage points.
const ROOM: f64 = 4.0;

/// The same largest difference as a share of the opponent's mean loss. The larger of [`ROOM`] and this share
/// applies.
const SHARE_OF_ROOM: f64 = 0.5;

/// From this expected score on, in percentage points, the controller plays the best moves to finish a won
/// game.
const WON: f64 = 90.0;

/// Number of own moves over which a missing loss is made up. A loss is missing if no move offered it.
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

/// Weight of the last aim in the running mean that shows the own strength.
const FRESHNESS_OF_STRENGTH: f64 = 0.15;

/// Range of expected scores in which moves inform about a player. Outside it there is little to lose.
const LIVE: std::ops::Range<f64> = 0.1..0.9;

/// Below this expected score a repetition is welcome.
const CONTENT_WITH_A_DRAW: f64 = 0.4;

/// Cost of an unwelcome repetition, in percentage points.
const REPETITION: f64 = 8.0;

/// Cost of a move that gives up castling, in percentage points.
const CASTLING: f64 = 4.0;

/// Cost of a move that is not allowed. It exceeds every loss.
const OUT: f64 = 1000.0;

/// Smallest loss, in percentage points, at which a move that leaves a piece hanging is refused. Below it, the
/// move counts as a sacrifice.
const LOSS_OF_WHAT_HANGS: f64 = 5.0;

/// Lowest rating of opponents who take a hanging piece at once.
const SEES_WHAT_HANGS: f64 = 1000.0;

/// Limit of the cost of a rare move, in percentage points: at a drawn loss of 0, and its increase per point
/// of drawn loss.
const MOST_RARITY: (f64, f64) = (0.7, 0.3);

/// Keeps a game even, and later lets it be decided, by the expected scores before and after each own move.
#[derive(Debug, Clone, PartialEq)]
pub struct EvenController {
    opponent: OpponentRecord,
    moves: u32,
    after: Option<f64>,
    /// The running mean of the expected scores before own moves, in percentage points.
    smooth: Option<f64>,
    /// The sum of the expected scores before own moves, in percentage points.
    sum: f64,
    /// True if the own side is to win, false if the opponent is; `None` before the decision.
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
    /// The lead of the running mean over its target, in percentage points.
    pub lead: f64,
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

    /// Takes the expected score before an own move, and returns the target for the move.
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
        // When the player is behind, missing losses need not be made up. When it is ahead, excess losses need
        // not be.
        let due = if smooth > 50.0 { self.carried.max(0.0) } else { self.carried.min(0.0) };
        let loss = if balance > 0.0 { (balance + due / CARRY).max(0.0) } else { 0.0 };
        self.strength += FRESHNESS_OF_STRENGTH * (loss - self.strength);
        let people = HumanLosses::shipped();
        let opponent_elo = people.rating(self.opponent.mean());
        let floor = self.course().min(LEVEL) - BELOW_TARGET;
        let most = (points - floor).clamp(0.0, bound(opponent_elo));
        EvenAim {
            balance,
            loss,
            most,
            elo: people.rating(self.strength),
            lead: smooth - self.course(),
            opponent_elo,
        }
    }

    /// Decides which side is to win. At the turning point, the decision is random. The more the expected
    /// score exceeds the mean of the game so far, the more likely the own side is to win. Later, the decision
    /// is reversed only if the other side is clearly better.
    fn settle(&mut self, smooth: f64) {
        if self.moves >= TURNING_POINT {
            let mean = self.sum / (f64::from(self.moves) + 1.0);
            let (low, high) = REVERSED;
            let chance = 0.5 + (smooth - mean - self.opponent.mean()) / (2.0 * SURE_LEAD);
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
            None => LEVEL,
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
        (usual + (GAIN * (smooth - self.course())).clamp(-room, room)).max(0.0)
    }

    /// Remembers an own move that was played with this aim.
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

/// Chooses the candidate whose loss is nearest to a random loss, with a preference for moves that people
/// play. The random loss is drawn from the losses of people with the intended mean loss, in positions with
/// the same spread of candidates. The best candidate must be first.
pub fn choose(aim: EvenAim, candidates: &[Candidate], random: &mut MoveRng) -> EvenChoice {
    let people = HumanLosses::shipped();
    // With a large lead, only the larger losses of people are drawn.
    let least = least_quantile(aim);
    let probability = least + (1.0 - least) * random.share();
    let Some(best) = candidates.first() else { return EvenChoice { place: 0, loss: 0.0 } };
    let horizon = mate_horizon(aim.opponent_elo);
    if best.mates_in().is_some_and(|moves| aim.loss == 0.0 || moves <= horizon) {
        return EvenChoice { place: 0, loss: 0.0 };
    }
    let usual = EvenAim { most: usual_most(aim), ..aim };
    let drawn = people.loss(mean_to_draw(usual, candidates), probability).min(usual.most);
    let dislike = |place: usize| {
        let candidate = &candidates[place];
        let repetition = candidate.traits.repeats && best.expected >= CONTENT_WITH_A_DRAW;
        let off = (candidate.loss(best) - drawn).abs();
        // Nothing is given away for a move that people play if no loss is intended.
        let most_rarity = if aim.loss > 0.0 { MOST_RARITY.0 + MOST_RARITY.1 * drawn } else { 0.0 };
        let rarity = candidate.traits.rarity.min(most_rarity);
        let costs = [
            (repetition, REPETITION),
            (candidate.traits.gives_up_castling, CASTLING),
            // The best move is always allowed.
            (place > 0 && !is_allowed(aim, candidate, best), OUT),
        ];
        off + rarity + costs.iter().map(|&(applies, cost)| if applies { cost } else { 0.0 }).sum::<f64>()
    };
    // Of two equally near candidates, the first is chosen. It is the better move.
    let places = (0..candidates.len()).map(|place| (dislike(place), place));
    let place = places.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0, |(_, place)| place);
    EvenChoice { place, loss: candidates[place].loss(best) }
}

/// Returns the share of the smallest losses that are left out of the draw.
fn least_quantile(aim: EvenAim) -> f64 {
    ((aim.lead - SMALL_LEAD) / LARGE_LEAD).clamp(0.0, LEAST_QUANTILE)
}

/// Returns the largest loss to draw. It is smaller than the largest allowed loss if less is intended, so that
/// a lead is given back in several small losses.
fn usual_most(aim: EvenAim) -> f64 {
    let (least, share) = USUAL_MOST;
    aim.most.min(least + share * aim.loss)
}

/// Returns the mean of the losses from which the loss of a move is drawn.
fn mean_to_draw(aim: EvenAim, candidates: &[Candidate]) -> f64 {
    let people = HumanLosses::shipped();
    let expected: Vec<f64> = candidates.iter().map(|candidate| candidate.expected).collect();
    people.mean_before_limit(aim.loss * people.factor(spread_of(&expected)), aim.most)
}

/// Returns the probability that the drawn loss is a blunder.
pub fn chance_of_blunder(aim: EvenAim, candidates: &[Candidate]) -> f64 {
    let usual = EvenAim { most: usual_most(aim), ..aim };
    match usual.most < BLUNDER {
        true => 0.0,
        false => {
            let of_people = HumanLosses::shipped().share_of_blunders(mean_to_draw(usual, candidates));
            (of_people / (1.0 - least_quantile(aim))).min(1.0)
        }
    }
}

/// Returns whether an intended move may be `candidate`: its loss is within the bounds, it does not allow a
/// mate that such an opponent sees, and it leaves nothing hanging.
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

/// Returns the number of moves within which players of a rating always see a mate, their own and the
/// opponent's.
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
