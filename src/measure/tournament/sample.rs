//! [`MoveSample`]: the facts of each move of a tournament, before any choice of method.

use std::collections::{BTreeMap, BTreeSet};

use shakmaty::{ByColor, Color, Position};

use super::{
    facts::Appearance, facts::MoveFacts, facts::PlayerFacts, filter::Filter, method::Method,
    player::GameResults,
};
use crate::base::text::folded_name;
use crate::chess::{
    Date, EvaluatedGame, Game, GameAccuracy, GameResult, JudgmentCounts, Phase, RatingSystem, Valuation,
    is_nobody, judgment,
};

/// The moves of some games, and their players.
#[derive(Debug, Clone, Default)]
pub struct MoveSample {
    /// The players in the order of their names.
    pub players: Vec<PlayerFacts>,
    /// The rating systems of the games that have a rating tag.
    pub rating_systems: BTreeSet<RatingSystem>,
    /// The events in the games' tags; `None` for a game without such a tag.
    pub events: BTreeSet<Option<String>>,
    /// Number of games.
    pub games: usize,
    /// Each side of each game, White's side first.
    pub appearances: Vec<Appearance>,
    /// The moves, game by game, in the order played.
    pub moves: Vec<MoveFacts>,
}

/// The gains that count, each with the index of its game.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CountedGains {
    /// The gains of each player, in the order of [`MoveSample::players`].
    pub players: Vec<Vec<(u32, i64)>>,
    /// The gains of the engine's best moves in the same positions; empty if unknown.
    pub engine: Vec<(u32, i64)>,
    /// Number of moves that would count if they had a gain in the metric. First moves in `unknown_start` are
    /// not included.
    pub unknown: u64,
    /// Number of first moves that would count if the position before them had an evaluation.
    pub unknown_start: u64,
}

impl MoveSample {
    /// Returns the moves of `games`.
    pub fn of(games: &[EvaluatedGame]) -> MoveSample {
        let mut elo_tags: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        let (mut rating_systems, mut events) = (BTreeSet::new(), BTreeSet::new());
        for evaluated in games {
            let tags = &evaluated.game().tags;
            events.insert(tags.event().map(str::to_owned));
            if Color::ALL.iter().any(|&color| tags.elo(color).is_some()) {
                rating_systems.insert(tags.rating_system());
            }
            for color in Color::ALL {
                let name = player_name(evaluated.game(), color);
                elo_tags.entry(name).or_default().extend(evaluated.game().elo(color));
            }
        }
        let mut sample =
            MoveSample { players: players(elo_tags), rating_systems, events, ..MoveSample::default() };
        games.iter().for_each(|game| sample.push(game));
        sample
    }

    /// Returns an empty sample of players with these names, as in [`player_name`], without ratings from tags.
    pub fn of_players(names: BTreeSet<String>) -> MoveSample {
        let unrated = names.into_iter().map(|name| (name, Vec::new()));
        MoveSample { players: players(unrated.collect()), ..MoveSample::default() }
    }

    /// Adds a game.
    ///
    /// # Panics
    ///
    /// If a player of the game is not in `players`.
    pub fn push(&mut self, game: &EvaluatedGame) {
        self.add(self.games as u32, game);
        self.games += 1;
    }

    fn add(&mut self, number: u32, evaluated: &EvaluatedGame) {
        let game = evaluated.game();
        let players = ByColor::new_with(|color| self.place(&player_name(game, color)));
        let accuracy = GameAccuracy::of(evaluated);
        let (round, year) = (game.tags.round(), game.tags.date().map(Date::year));
        self.appearances.extend(Color::ALL.map(|color| Appearance {
            game: number,
            player: *players.get(color) as u32,
            color,
            round,
            is_played: !game.moves.is_empty(),
            half_points: GameResult::half_points(game.result, color),
            accuracy: accuracy.for_color(color),
        }));
        let evaluations = evaluated.evaluations();
        let moves = game.positions().zip(&game.moves).zip(judgment::verdicts(evaluated));
        for (ply, ((position, played), verdict)) in moves.enumerate() {
            let (mover, before) = (position.turn(), evaluations.at(ply));
            let best = before.and_then(|before| before.best);
            self.moves.push(MoveFacts {
                game: number,
                player: *players.get(mover) as u32,
                mover,
                number: position.fullmoves().get(),
                round,
                year,
                phase: Phase::of(&position),
                forced: position.legal_moves().len() == 1,
                before: before.map(Valuation::from),
                after: Valuation::from(&evaluations.after_moves()[ply]),
                first_choice: best.map(|best| best == played.uci),
                own: evaluated.choices().map(|choices| Valuation::from(&choices[ply])),
                verdict,
                factor: evaluated.factor(),
            });
        }
    }

    /// Returns whether all games are of one event and all ratings in their tags are on one scale. If so,
    /// errors that all players share cancel in differences.
    pub fn is_one_field(&self) -> bool {
        self.events.len() == 1 && self.has_one_rating_system()
    }

    /// Returns whether any game with a rating is from a server, whose players are another pool than
    /// over-the-board players.
    pub fn is_of_server(&self) -> bool {
        self.rating_systems.iter().any(|system| system.is_of_server())
    }

    /// Returns whether the ratings of all tags are on one scale, or there are none.
    pub fn has_one_rating_system(&self) -> bool {
        self.rating_systems.len() <= 1
    }

    /// Returns the index of the player called `name`.
    ///
    /// # Panics
    ///
    /// If no player is called `name`.
    pub fn place(&self, name: &str) -> usize {
        let found = self.players.binary_search_by(|player| player.name.as_str().cmp(name));
        found.expect("the name of a player of these games")
    }

    /// Returns the moves of the game at index `place`, in the order played.
    pub fn moves_of(&self, place: usize) -> &[MoveFacts] {
        let from = self.moves.partition_point(|facts| (facts.game as usize) < place);
        let to = self.moves.partition_point(|facts| (facts.game as usize) <= place);
        &self.moves[from..to]
    }

    /// Returns each player's numbers of inaccuracies, mistakes and blunders by lichess's rule, among moves that
    /// pass the filter, in the order of [`MoveSample::players`].
    pub fn judgments(&self, filter: &Filter) -> Vec<JudgmentCounts> {
        let mut counts = vec![JudgmentCounts::default(); self.players.len()];
        for facts in self.moves.iter().filter(|facts| filter.keeps(&facts.context())) {
            if let Some(judgment) = facts.verdict.judgment {
                counts[facts.player as usize] += judgment;
            }
        }
        counts
    }

    /// Returns the counts of [`MoveSample::judgments`] for each side of the game at index `place`.
    pub fn judgments_of(&self, place: usize, filter: &Filter) -> ByColor<JudgmentCounts> {
        let moves = self.moves_of(place);
        ByColor::new_with(|color| {
            let own = moves.iter().filter(|facts| facts.mover == color && filter.keeps(&facts.context()));
            own.filter_map(|facts| facts.verdict.judgment).collect()
        })
    }

    /// Returns each player's games that count by `filter`, in the order of [`MoveSample::players`].
    pub fn results(&self, filter: &Filter) -> Vec<GameResults> {
        let mut results = vec![GameResults::default(); self.players.len()];
        for appearance in
            self.appearances.iter().filter(|appearance| filter.keeps_side(appearance.color, appearance.round))
        {
            let own = &mut results[appearance.player as usize];
            own.games += u32::from(appearance.is_played);
            own.unplayed += u32::from(!appearance.is_played);
            own.known += u32::from(appearance.half_points.is_some());
            own.half_points += appearance.half_points.unwrap_or_default();
        }
        results
    }

    /// Returns the gains of the moves that count by `method` and that `also` accepts.
    pub fn gains(&self, method: &Method, also: impl Fn(&MoveFacts) -> bool) -> CountedGains {
        let mut gains =
            CountedGains { players: vec![Vec::new(); self.players.len()], ..CountedGains::default() };
        for facts in self.moves.iter().filter(|facts| method.keeps(facts) && also(facts)) {
            let gain = facts.gain(method.metric, method.clip);
            gains.unknown_start += u64::from(facts.before.is_none());
            gains.unknown += u64::from(facts.before.is_some() && gain.is_none());
            gains.players[facts.player as usize].extend(gain.map(|gain| (facts.game, gain)));
            let own = facts.own_gain(method.metric, method.clip);
            gains.engine.extend(own.map(|gain| (facts.game, gain)));
        }
        gains
    }
}

/// Returns the players with these names and Elo tags.
fn players(elo_tags: BTreeMap<String, Vec<u32>>) -> Vec<PlayerFacts> {
    let has_names = elo_tags.keys().any(|name| !is_nobody(name));
    let player = |(name, elo_tags): (String, _)| PlayerFacts {
        is_nobody: has_names && is_nobody(&name),
        name,
        elo_tags,
    };
    elo_tags.into_iter().map(player).collect()
}

/// Returns the name of the player of `color` in the form used for comparison, so that one player is one row.
pub fn player_name(game: &Game, color: Color) -> String {
    folded_name(game.player(color))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Evaluation, Score, pgn::parse_games};

    #[test]
    fn games_added_one_by_one_make_the_same_sample() {
        let pgn = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n[Black \"A\"]\n\n1. d4 *\n\n";
        let games = parse_games(pgn, "test").into_iter().flatten().map(|game| {
            let evaluations = vec![Evaluation::of_score(Score::Cp(7)); game.position_count()];
            EvaluatedGame::new(game, evaluations)
        });
        let games: Vec<EvaluatedGame> = games.collect();
        let mut sample = MoveSample::of_players(["A", "B"].map(str::to_owned).into());
        games.iter().for_each(|game| sample.push(game));
        let whole = MoveSample::of(&games);
        assert_eq!((&sample.players, sample.games), (&whole.players, whole.games));
        assert_eq!((sample.appearances, sample.moves), (whole.appearances, whole.moves));
    }

    #[test]
    fn games_and_points_are_those_of_the_rounds_and_sides_that_count() {
        let pgn = |round: &str, white: &str, black: &str, result: &str| {
            format!(
                "[White \"{white}\"]\n[Black \"{black}\"]\n[Round \"{round}\"]\n[Result \"{result}\"]\n\n1. e4 {result}\n\n"
            )
        };
        let text =
            [pgn("1", "A", "B", "1-0"), pgn("2.1", "B", "A", "1/2-1/2"), pgn("3", "A", "B", "*")].concat();
        let games = parse_games(&text, "test").into_iter().flatten().map(|game| {
            let evaluations = vec![Evaluation::of_score(Score::Cp(0)); game.position_count()];
            EvaluatedGame::new(game, evaluations)
        });
        let sample = MoveSample::of(&games.collect::<Vec<_>>());
        let results = |filter: &Filter| {
            let own = |results: GameResults| (results.games, results.known, results.half_points);
            sample.results(filter).into_iter().map(own).collect::<Vec<_>>()
        };
        // Games, games with a result, and half-points of A and of B.
        assert_eq!(results(&Filter::default()), [(3, 2, 3), (3, 2, 1)]);
        let rounds = Filter { rounds: vec![2..=3], ..Filter::default() };
        assert_eq!(results(&rounds), [(2, 1, 1), (2, 1, 1)]);
        let white = Filter { color: Some(Color::White), ..Filter::default() };
        assert_eq!(results(&white), [(2, 1, 2), (1, 1, 1)]);
    }
}
