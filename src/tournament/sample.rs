//! Owns [`Sample`]: what is known of each move of a tournament, before any choice of method.

use std::collections::BTreeMap;

use shakmaty::{ByColor, Color, Position};

use super::method::{Method, Metric};
use crate::{
    accuracy::GameAccuracy,
    evaluation::{Evaluation, Wdl},
    gain::EvaluatedGame,
    game::{Game, GameResult},
    phase::Phase,
    score::{Clip, Score},
    text::fold_spaces,
};

/// The moves of some games, and their players.
#[derive(Debug, Clone)]
pub struct Sample {
    /// In the order of their names.
    pub players: Vec<PlayerFacts>,
    /// How many games there are.
    pub games: usize,
    /// Game by game, in the order played.
    pub moves: Vec<MoveFacts>,
    /// The accuracy of each side of each game: player, game, percent.
    pub accuracies: Vec<(usize, u32, f64)>,
}

/// A player, apart from the moves.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerFacts {
    /// As the games have it, white space folded.
    pub name: String,
    /// Games played.
    pub games: u32,
    /// Half-points scored in the games whose result is known.
    pub half_points: u32,
    /// The Elo tag of each game that has one.
    pub elo_tags: Vec<u32>,
}

/// A move, as far as some choice of method depends on it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MoveFacts {
    /// The game's place among the games.
    pub game: u32,
    /// The mover's place among the players.
    pub player: u32,
    /// The side that moved.
    pub mover: Color,
    /// The move's number, from 1.
    pub number: u32,
    /// The round of the game, where its tag has one.
    pub round: Option<u32>,
    /// The phase of the game before the move.
    pub phase: Phase,
    /// Whether it was the only legal move.
    pub forced: bool,
    /// What the engine said before it.
    pub before: Said,
    /// What the engine said after it.
    pub after: Said,
    /// Whether it was the engine's choice; `None` where that is not known.
    pub first_choice: Option<bool>,
    /// What the engine said after its own choice; `None` where nobody asked.
    pub own: Option<Said>,
}

/// What an engine said of a position, White's view.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Said {
    /// The score.
    pub score: Score,
    /// The chances.
    pub wdl: Option<Wdl>,
}

/// The gains that count, each with its game.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Gains {
    /// Of each player, in the order of [`Sample::players`].
    pub players: Vec<Vec<(u32, i64)>>,
    /// Of the engine's own choices in the same positions; empty where they are not known.
    pub engine: Vec<(u32, i64)>,
    /// Moves that would count, had they a gain in the metric asked for.
    pub unknown: u64,
}

impl Sample {
    /// The moves of `games`.
    pub fn of(games: &[EvaluatedGame]) -> Sample {
        let mut players: BTreeMap<String, PlayerFacts> = BTreeMap::new();
        for evaluated in games {
            for color in Color::ALL {
                let name = player_name(evaluated.game(), color);
                let player = players.entry(name).or_insert_with_key(|name| PlayerFacts::new(name));
                player.count(evaluated.game(), color);
            }
        }
        let mut sample = Sample {
            players: players.into_values().collect(),
            games: games.len(),
            moves: Vec::new(),
            accuracies: Vec::new(),
        };
        for (game, evaluated) in (0..).zip(games) {
            sample.add(game, evaluated);
        }
        sample
    }

    fn add(&mut self, number: u32, evaluated: &EvaluatedGame) {
        let game = evaluated.game();
        let players = ByColor::new_with(|color| self.place(&player_name(game, color)));
        let accuracy = GameAccuracy::of(evaluated);
        for color in Color::ALL {
            let percent = accuracy.for_color(color);
            self.accuracies.extend(percent.map(|percent| (*players.get(color), number, percent)));
        }
        let round = round(game);
        let evaluations = evaluated.evaluations();
        for (ply, (position, played)) in game.positions().zip(&game.moves).enumerate() {
            let (mover, best) = (position.turn(), evaluations[ply].best);
            self.moves.push(MoveFacts {
                game: number,
                player: *players.get(mover) as u32,
                mover,
                number: position.fullmoves().get(),
                round,
                phase: Phase::of(&position),
                forced: position.legal_moves().len() == 1,
                before: Said::of(&evaluations[ply]),
                after: Said::of(&evaluations[ply + 1]),
                first_choice: best.map(|best| best == played.uci),
                own: evaluated.choices().map(|choices| Said::of(&choices[ply])),
            });
        }
    }

    /// The place of the player of that name.
    pub fn place(&self, name: &str) -> usize {
        self.players.partition_point(|player| player.name.as_str() < name)
    }

    /// The gains that count by `method`, and by `also` where a class of moves is looked at.
    pub fn gains(&self, method: &Method, also: impl Fn(&MoveFacts) -> bool) -> Gains {
        let mut gains = Gains { players: vec![Vec::new(); self.players.len()], ..Gains::default() };
        for facts in self.moves.iter().filter(|facts| method.filter.keeps(facts) && also(facts)) {
            let gain = facts.gain(method.metric, method.clip);
            gains.unknown += u64::from(gain.is_none());
            gains.players[facts.player as usize].extend(gain.map(|gain| (facts.game, gain)));
            let own = facts.own_gain(method.metric, method.clip);
            gains.engine.extend(own.map(|gain| (facts.game, gain)));
        }
        gains
    }
}

impl PlayerFacts {
    fn new(name: &str) -> PlayerFacts {
        PlayerFacts { name: name.to_owned(), games: 0, half_points: 0, elo_tags: Vec::new() }
    }

    fn count(&mut self, game: &Game, color: Color) {
        self.games += 1;
        self.half_points += GameResult::half_points(game.result, color).unwrap_or_default();
        self.elo_tags.extend(game.elo(color));
    }
}

impl MoveFacts {
    /// The gain of the move in the metric's unit, mover's view.
    pub fn gain(&self, metric: Metric, clip: Clip) -> Option<i64> {
        self.change(self.after, metric, clip)
    }

    /// The gain that the engine's own choice would have been.
    pub fn own_gain(&self, metric: Metric, clip: Clip) -> Option<i64> {
        self.change(self.own?, metric, clip)
    }

    fn change(&self, after: Said, metric: Metric, clip: Clip) -> Option<i64> {
        let worth = |said: Said| metric.worth(said.score, said.wdl, clip).map(i64::from);
        let white = worth(after)? - worth(self.before)?;
        Some(self.mover.fold_wb(white, -white))
    }

    /// How far from level the position before the move was, in centipawns; `None` for a mate.
    pub fn level(&self) -> Option<u32> {
        self.before.score.cp().map(i32::unsigned_abs)
    }
}

impl Said {
    fn of(evaluation: &Evaluation) -> Said {
        Said { score: evaluation.score, wdl: evaluation.wdl }
    }
}

/// The name of the player of `color`, white space folded, so that one player is one row.
pub fn player_name(game: &Game, color: Color) -> String {
    fold_spaces(game.player(color))
}

/// The round: the number before the first dot of its tag.
fn round(game: &Game) -> Option<u32> {
    game.tags.get("Round")?.split('.').next()?.trim().parse().ok()
}
