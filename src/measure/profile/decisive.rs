//! [`DecisiveMove`]: the moves that most affected the first place of an event, or else the results of games.

use std::collections::BTreeMap;

use super::event::{CrossGame, CrossRow, EventCrossTable};
use crate::measure::tournament::{Method, MoveSample, extremes::Extremes, extremes::Turn, facts::MoveFacts};

/// A move that cost winning chances which the mover did not regain by the end of the game.
#[derive(Debug, Clone, PartialEq)]
pub struct DecisiveMove {
    pub turn: Turn,
    /// Points lost by the move and not regained, from 0 to 1: the smaller of the loss of winning chances, and
    /// the winning chances before the move minus the mover's result.
    pub cost: f64,
    /// `None` if the games are not the rounds of one event.
    pub lead: Option<Lead>,
}

/// The players with the most points before and after a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lead {
    pub round: u32,
    /// Empty before the first round.
    pub before: Vec<String>,
    pub after: Vec<String>,
    /// Half-points of each leader after the round.
    pub half_points: u32,
}

/// Largest distance of a contender from the first place at the end of the event, in half-points.
const CONTENDER: u32 = 2;

/// Returns up to `count` moves, the first played first, of which each is from another game.
///
/// In an event with rounds, the cost of a move counts once for each of the game's players who ends within one
/// point of the first place, so a move in a game of two contenders counts twice, and other games do not count.
/// Without rounds, each game counts once. The moves are chosen from those that `shows` accepts.
pub fn decisive_moves(
    sample: &MoveSample,
    method: &Method,
    cross: Option<&EventCrossTable>,
    count: usize,
    shows: impl Fn(&MoveFacts) -> bool,
) -> Vec<DecisiveMove> {
    let event = cross.filter(|cross| !cross.rounds.is_empty());
    let most = event.and_then(|event| event.rows.iter().map(|row| row.half_points).max()).unwrap_or_default();
    let contends = |player: &str| {
        event.is_none_or(|event| {
            let row = event.rows.iter().find(|row| row.player == player);
            row.is_some_and(|row| row.half_points + CONTENDER >= most)
        })
    };
    let contenders: Vec<bool> = sample.players.iter().map(|player| contends(&player.name)).collect();
    let mut games: BTreeMap<usize, [(bool, Option<u32>); 2]> = BTreeMap::new();
    for side in &sample.appearances {
        let of = games.entry(side.game as usize).or_default();
        of[side.color.fold_wb(0, 1)] = (contenders[side.player as usize], side.half_points);
    }
    let mut best: BTreeMap<usize, (f64, f64, Turn)> = BTreeMap::new();
    for turn in Extremes::of(sample, method, usize::MAX, shows).costly {
        let Some(sides) = games.get(&turn.game) else { continue };
        let (_, result) = sides[sample.moves_of(turn.game)[turn.ply].mover.fold_wb(0, 1)];
        let lost = result.map_or(1.0, |half_points| turn.chances[0] - f64::from(half_points) / 2.0);
        let cost = lost.min(-turn.change);
        let weight = sides.iter().filter(|(contends, _)| *contends).count() as f64;
        let known = best.get(&turn.game).map_or(0.0, |(effect, ..)| *effect);
        if weight * cost > known {
            best.insert(turn.game, (weight * cost, cost, turn));
        }
    }
    let mut moves: Vec<_> = best.into_values().collect();
    // Stable, so that of equal effects the first played comes first.
    moves.sort_by(|(a, ..), (b, ..)| b.total_cmp(a));
    moves.truncate(count);
    let mut moves: Vec<DecisiveMove> = moves
        .into_iter()
        .map(|(_, cost, turn)| DecisiveMove {
            turn,
            cost,
            lead: event.and_then(|event| lead(event, turn.game)),
        })
        .collect();
    moves.sort_by_key(|found| (found.lead.as_ref().map(|lead| lead.round), found.turn.game));
    moves
}

/// Returns the leaders before and after the round of a game.
fn lead(event: &EventCrossTable, game: usize) -> Option<Lead> {
    let is_of = |games: &Vec<CrossGame>| games.iter().any(|side| side.game == game);
    let round = event.rows.iter().find_map(|row| row.columns.iter().position(is_of))?;
    let (before, after) = (leaders(&event.rows, round), leaders(&event.rows, round + 1));
    Some(Lead { round: event.rounds[round], before: before.0, after: after.0, half_points: after.1 })
}

/// Returns the players with the most points after the first `rounds` rounds, and these half-points.
fn leaders(rows: &[CrossRow], rounds: usize) -> (Vec<String>, u32) {
    let scored = |row: &CrossRow| row.columns[..rounds].iter().flatten().map(|side| side.half_points).sum();
    let points: Vec<u32> = rows.iter().map(scored).collect();
    let most = points.iter().copied().max().unwrap_or_default();
    let leads = rows.iter().zip(&points).filter(|(_, points)| most > 0 && **points == most);
    (leads.map(|(row, _)| row.player.clone()).collect(), most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{EvaluatedGame, Evaluation, Score, pgn::parse_games};
    use crate::measure::EventProfile;

    /// Three rounds of four players. White blunders a level game in the second move, and the third move is level.
    fn event() -> Vec<EvaluatedGame> {
        let rounds = [
            [("A", "B", "0-1"), ("C", "D", "1/2-1/2")],
            [("C", "A", "0-1"), ("B", "D", "1/2-1/2")],
            [("D", "A", "1-0"), ("B", "C", "1-0")],
        ];
        let mut text = String::new();
        for (round, games) in (1..).zip(rounds) {
            for (white, black, result) in games {
                text += &format!(
                    "[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n\
                     1. e4 e5 2. f3 Nf6 {result}\n\n"
                );
            }
        }
        let games = parse_games(&text, "test").into_iter().flatten().map(|game| {
            let scores = [0, 0, 0, -300, -300].map(|cp| Evaluation::of_score(Score::Cp(cp)));
            EvaluatedGame::new(game, scores.to_vec())
        });
        games.collect()
    }

    #[test]
    fn a_decisive_move_is_a_loss_that_the_result_confirms() {
        let games = event();
        let (sample, method) = (MoveSample::of(&games), Method::default());
        let cross = EventProfile::of(&games, &sample, &method).cross.expect("rounds");
        let found = decisive_moves(&sample, &method, Some(&cross), 9, |_| true);
        // B ends with 2½ points, D with 2, A and C with 1 and ½: only B and D contend. White loses in A–B and C–A.
        assert_eq!(found.len(), 1, "{found:?}");
        let first = &found[0];
        assert_eq!((first.turn.game, first.turn.ply), (0, 2));
        assert!((first.cost + first.turn.change).abs() < 1e-12 && first.cost < 0.5, "{first:?}");
        let lead = first.lead.as_ref().expect("an event");
        let expected = Lead { round: 1, before: Vec::new(), after: vec!["B".to_owned()], half_points: 2 };
        assert_eq!(*lead, expected);
        let everywhere = decisive_moves(&sample, &method, None, 9, |_| true);
        let costs: Vec<usize> = everywhere.iter().map(|found| found.turn.game).collect();
        assert_eq!(costs, [0, 2], "without an event, every lost game counts; draws and wins confirm no loss");
    }
}
