//! Owns [`EvenController`]: how much is to be lost by the next move so that the game stays even, and which move does that.
//!
//! The equations and where each comes from are in docs/spar.md.

use super::{candidate::Candidate, human::HumanLosses, human::spread_of, question::Lots};

/// Moves that what is assumed of somebody unknown counts as.
pub const PRIOR_MOVES: f64 = 4.0;

/// Of a lead, the share that each move gives back.
const GAIN: f64 = 0.3;

/// Where a game is held until it is to be decided, in percentage points: somewhat above the middle, since what is lost at once is
/// won back slowly.
const LEVEL: f64 = 52.0;

/// Own moves until it is settled who is to win.
const TURNING_POINT: u32 = 24;

/// What a move of one's own may leave at least until then, in percentage points.
const FLOOR: f64 = 42.0;

/// Who stands better than this share away from the middle is better, however the game went; in percentage points.
const CLEAR: f64 = 20.0;

/// How fast the game is to go to its end from there, in percentage points a move.
const PACE: f64 = 4.0;

/// By how much the mean loss may differ from the opponent's then, in percentage points.
const ROOM: f64 = 4.0;

/// The same as a share of the opponent's mean loss, where that is more.
const SHARE_OF_ROOM: f64 = 0.5;

/// A game that is won, in percentage points, is finished by the best moves.
const WON: f64 = 90.0;

/// Own moves in which a loss is made up for that was aimed at, and that the candidates did not have.
const CARRY: f64 = 4.0;

/// From here on it is much, in percentage points.
const MUCH_CARRIED: f64 = 8.0;

/// The most of it that is remembered, in percentage points.
const MOST_CARRIED: f64 = 40.0;

/// How much the last expected score counts in the mean of those so far.
const FRESHNESS: f64 = 0.5;

/// What happens to the expected score tells of a player within these bounds alone: elsewhere there is little left to lose.
const LIVE: std::ops::Range<f64> = 0.1..0.9;

/// Below this a repetition is welcome.
const CONTENT_WITH_A_DRAW: f64 = 0.4;

/// What a repetition costs where it is not welcome, in percentage points.
const REPETITION: f64 = 8.0;

/// What is known of an opponent: how much one gains by a move of his, and how many moves that is known from.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpponentRecord {
    pub moves: f64,
    /// The sum of what was gained by them, in percentage points; below 0 where more was lost than one knew of.
    pub lost: f64,
}

impl OpponentRecord {
    /// Returns what is assumed of somebody unknown: the mean loss of players of that rating.
    pub fn of_rating(elo: f64) -> OpponentRecord {
        OpponentRecord { moves: PRIOR_MOVES, lost: PRIOR_MOVES * HumanLosses::shipped().mean(elo) }
    }

    /// Returns the mean of what a move loses, in percentage points.
    pub fn mean(&self) -> f64 {
        self.lost / self.moves.max(1.0)
    }

    /// Returns what is known with what a game has added to it between two of its records.
    pub fn with_change(self, before: OpponentRecord, after: OpponentRecord) -> OpponentRecord {
        let moves = self.moves + after.moves - before.moves;
        OpponentRecord { moves, lost: self.lost + after.lost - before.lost }
    }

    /// Returns the same mean known from at most so many moves, so that a new game can still change it.
    pub fn at_most(self, moves: f64) -> OpponentRecord {
        match self.moves <= moves {
            true => self,
            false => OpponentRecord { moves, lost: self.mean() * moves },
        }
    }
}

/// Keeps a game even, and then lets it be decided: it hears of the expected scores before and after each of its moves.
#[derive(Debug, Clone, PartialEq)]
pub struct EvenController {
    opponent: OpponentRecord,
    moves: u32,
    after: Option<f64>,
    /// The mean of the expected scores before own moves, the last ones counting most; in percentage points.
    smooth: Option<f64>,
    /// The sum of them all, in percentage points.
    sum: f64,
    /// Whether one is to win oneself, once that is settled.
    wins: Option<bool>,
    /// What was to be lost and was not, in percentage points.
    carried: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EvenAim {
    /// The mean loss that keeps the game on its course, in percentage points.
    pub balance: f64,
    /// The same with what is carried over from the moves before: that which is aimed at.
    pub loss: f64,
    pub most: f64,
    pub elo: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EvenChoice {
    pub place: usize,
    /// The loss that the lot asked for, in percentage points.
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

    /// Tells whether candidates of smaller losses than were aimed at have been all there was, so that more are wanted.
    pub fn lacks_losses(&self) -> bool {
        self.carried > MUCH_CARRIED
    }

    /// Hears of the score expected before an own move, and returns how well that is to be played.
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
        // Who is behind need not lose what was not lost before, nor who is ahead spare what was.
        let due = if smooth > 50.0 { self.carried.max(0.0) } else { self.carried.min(0.0) };
        let loss = if balance > 0.0 { (balance + due / CARRY).max(0.0) } else { 0.0 };
        let most = if self.wins.is_none() { (points - FLOOR).max(0.0) } else { 100.0 };
        EvenAim { balance, loss, most, elo: HumanLosses::shipped().rating(loss) }
    }

    /// Settles who is to win: at the turning point whoever stands better than in the game so far, later whoever stands clearly
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

    /// Returns the mean loss that keeps the game on its course, in percentage points.
    fn balance(&self, smooth: f64) -> f64 {
        if self.wins == Some(true) && smooth >= WON {
            return 0.0;
        }
        let usual = self.opponent.mean();
        let room = if self.wins.is_none() { 100.0 } else { ROOM.max(usual * SHARE_OF_ROOM) };
        (usual + (GAIN * (smooth - self.course())).clamp(-room, room)).max(0.0)
    }

    /// Hears that a deeper search expects something else of the own move.
    pub fn expect(&mut self, after: f64) {
        self.after = Some(after);
    }

    /// Chooses among candidates, the best first and at least one, and remembers what is expected after it.
    pub fn choose(&mut self, aim: EvenAim, candidates: &[Candidate], lots: &mut Lots) -> EvenChoice {
        let choice = choose(aim, candidates, lots);
        self.moves += 1;
        if candidates.first().is_some_and(|best| LIVE.contains(&best.expected)) {
            self.carried = (self.carried + aim.balance - choice.loss).clamp(-MOST_CARRIED, MOST_CARRIED);
        }
        self.after = candidates.get(choice.place).map(|candidate| candidate.expected);
        choice
    }
}

/// Chooses the candidate whose loss is nearest to one that a player of that strength might have in such a position.
fn choose(aim: EvenAim, candidates: &[Candidate], lots: &mut Lots) -> EvenChoice {
    let people = HumanLosses::shipped();
    let lot = lots.share();
    let Some(best) = candidates.first() else { return EvenChoice { place: 0, drawn: 0.0, loss: 0.0 } };
    let horizon = mate_horizon(aim.elo);
    if best.mates_in().is_some_and(|moves| aim.loss == 0.0 || moves <= horizon) {
        return EvenChoice { place: 0, drawn: 0.0, loss: 0.0 };
    }
    let expected: Vec<f64> = candidates.iter().map(|candidate| candidate.expected).collect();
    let hardness = people.factor(spread_of(&expected));
    let drawn = people.loss(aim.loss * hardness, lot).min(people.most(aim.elo)).min(aim.most);
    let is_human = |candidate: &Candidate| candidate.is_mated_in().is_none_or(|moves| moves > horizon);
    let any_human = candidates.iter().any(is_human);
    let dislike = |candidate: &Candidate| {
        let repetition = candidate.repeats && best.expected >= CONTENT_WITH_A_DRAW;
        let off = (candidate.loss(best) - drawn).abs();
        let too_much = candidate.loss(best) > people.most(aim.elo);
        let is_out = any_human && !is_human(candidate) || too_much;
        off + if repetition { REPETITION } else { 0.0 } + if is_out { 1000.0 } else { 0.0 }
    };
    // Of equal ones the first, which is the better.
    let places = (0..candidates.len()).map(|place| (dislike(&candidates[place]), place));
    let place = places.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0, |(_, place)| place);
    EvenChoice { place, drawn, loss: candidates[place].loss(best) }
}

/// Returns in how many moves a mate is always seen by players of a rating, one's own and the opponent's.
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
