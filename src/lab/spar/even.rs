//! [`EvenController`]: the choice of the next move such that the game stays even.
//!
//! docs/spar.md has the equations and their sources.

use super::{candidate::Candidate, human::HumanLosses, human::spread_of, question::MoveRng};

/// Weight, in moves, of the assumption about an unknown opponent.
pub const PRIOR_MOVES: f64 = 4.0;

/// The share of a lead that each move gives back.
const GAIN: f64 = 0.3;

/// Target of the expected score until the controller decides which side is to win, in percentage points. It
/// is slightly above the middle, because losses are immediate and gains slow.
const LEVEL: f64 = 52.0;

/// Number of own moves before the controller decides which side is to win.
const TURNING_POINT: u32 = 24;

/// Lowest expected score that an own move may leave before the controller decides which side is to win, in
/// percentage points.
const FLOOR: f64 = 42.0;

/// Distance from 50 in percentage points from which the better side is to win, whatever the course of the
/// game.
const CLEAR: f64 = 20.0;

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
const CARRY: f64 = 4.0;

/// Carried loss in percentage points from which more moves are ranked.
const MUCH_CARRIED: f64 = 8.0;

/// The largest loss carried over, in percentage points.
const MOST_CARRIED: f64 = 40.0;

/// Weight of the last expected score in the running mean.
const FRESHNESS: f64 = 0.5;

/// Range of expected scores in which moves inform about a player. Outside it there is little to lose.
const LIVE: std::ops::Range<f64> = 0.1..0.9;

/// Below this expected score a repetition is welcome.
const CONTENT_WITH_A_DRAW: f64 = 0.4;

/// Cost of an unwelcome repetition, in percentage points.
const REPETITION: f64 = 8.0;

/// The knowledge about an opponent: the opponent's losses so far, and the number of moves.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpponentRecord {
    pub moves: f64,
    /// Sum of the player's gains by the opponent's moves, in percentage points. The sum is below 0 if the
    /// player overlooked more than the opponent lost.
    pub lost: f64,
}

impl OpponentRecord {
    /// Returns the assumption about an unknown opponent: the mean loss of players of that rating.
    pub fn of_rating(elo: f64) -> OpponentRecord {
        OpponentRecord { moves: PRIOR_MOVES, lost: PRIOR_MOVES * HumanLosses::shipped().mean(elo) }
    }

    /// Returns the mean loss of a move, in percentage points.
    pub fn mean(&self) -> f64 {
        self.lost / self.moves.max(1.0)
    }

    /// Adds the change between two records of one game.
    pub fn with_change(self, before: OpponentRecord, after: OpponentRecord) -> OpponentRecord {
        let moves = self.moves + after.moves - before.moves;
        OpponentRecord { moves, lost: self.lost + after.lost - before.lost }
    }

    /// Returns a record with the same mean and at most `moves` moves, so that a new game can still change the
    /// mean.
    pub fn at_most(self, moves: f64) -> OpponentRecord {
        match self.moves <= moves {
            true => self,
            false => OpponentRecord { moves, lost: self.mean() * moves },
        }
    }
}

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
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EvenAim {
    /// The mean loss that keeps the expected score on its target, in percentage points.
    pub balance: f64,
    /// The mean loss aimed at: the balance plus a part of the carried loss.
    pub loss: f64,
    pub most: f64,
    pub elo: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EvenChoice {
    pub place: usize,
    /// The randomly drawn loss, in percentage points.
    pub drawn: f64,
    pub loss: f64,
}

impl EvenController {
    pub fn new(opponent: OpponentRecord) -> EvenController {
        EvenController { opponent, moves: 0, after: None, smooth: None, sum: 0.0, wins: None, carried: 0.0 }
    }

    pub fn opponent(&self) -> OpponentRecord {
        self.opponent
    }

    /// Returns whether the losses of the candidates so far were too small, so that more candidates are
    /// needed.
    pub fn lacks_losses(&self) -> bool {
        self.carried > MUCH_CARRIED
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
        let most = if self.wins.is_none() { (points - FLOOR).max(0.0) } else { 100.0 };
        EvenAim { balance, loss, most, elo: HumanLosses::shipped().rating(loss) }
    }

    /// Decides which side is to win. At the turning point, the own side is to win if its expected score is
    /// above the mean of the game so far. Later, the decision is reversed only if the other side is clearly
    /// better.
    fn settle(&mut self, smooth: f64) {
        if self.moves >= TURNING_POINT {
            let mean = self.sum / (f64::from(self.moves) + 1.0);
            let (low, high) = (50.0 - CLEAR, 50.0 + CLEAR);
            let edge = match self.wins {
                None => mean.clamp(low, high),
                Some(true) => low,
                Some(false) => high,
            };
            self.wins = Some(smooth > edge);
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

    /// Replaces the expected score after the own move by the result of a deeper search.
    pub fn expect(&mut self, after: f64) {
        self.after = Some(after);
    }

    /// Chooses among `candidates`, and remembers the expected score after the choice. There must be at least
    /// one candidate, and the best candidate must be first.
    pub fn choose(&mut self, aim: EvenAim, candidates: &[Candidate], random: &mut MoveRng) -> EvenChoice {
        let choice = choose(aim, candidates, random);
        self.moves += 1;
        if candidates.first().is_some_and(|best| LIVE.contains(&best.expected)) {
            self.carried = (self.carried + aim.balance - choice.loss).clamp(-MOST_CARRIED, MOST_CARRIED);
        }
        self.after = candidates.get(choice.place).map(|candidate| candidate.expected);
        choice
    }
}

/// Chooses the candidate whose loss is nearest to a random loss. The random loss is drawn from the losses of
/// people with the intended mean loss, in positions with the same spread of candidates.
fn choose(aim: EvenAim, candidates: &[Candidate], random: &mut MoveRng) -> EvenChoice {
    let people = HumanLosses::shipped();
    let probability = random.share();
    let Some(best) = candidates.first() else { return EvenChoice { place: 0, drawn: 0.0, loss: 0.0 } };
    let horizon = mate_horizon(aim.elo);
    if best.mates_in().is_some_and(|moves| aim.loss == 0.0 || moves <= horizon) {
        return EvenChoice { place: 0, drawn: 0.0, loss: 0.0 };
    }
    let expected: Vec<f64> = candidates.iter().map(|candidate| candidate.expected).collect();
    let hardness = people.factor(spread_of(&expected));
    let drawn = people.loss(aim.loss * hardness, probability).min(people.most(aim.elo)).min(aim.most);
    let is_human = |candidate: &Candidate| candidate.is_mated_in().is_none_or(|moves| moves > horizon);
    let any_human = candidates.iter().any(is_human);
    let dislike = |candidate: &Candidate| {
        let repetition = candidate.repeats && best.expected >= CONTENT_WITH_A_DRAW;
        let off = (candidate.loss(best) - drawn).abs();
        let too_much = candidate.loss(best) > people.most(aim.elo);
        let is_out = any_human && !is_human(candidate) || too_much;
        off + if repetition { REPETITION } else { 0.0 } + if is_out { 1000.0 } else { 0.0 }
    };
    // Of two equally near candidates, the first is chosen. It is the better move.
    let places = (0..candidates.len()).map(|place| (dislike(&candidates[place]), place));
    let place = places.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0, |(_, place)| place);
    EvenChoice { place, drawn, loss: candidates[place].loss(best) }
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
