//! The ranking of the players by their finished games, and limits on the time that it takes.

use std::{collections::BTreeSet, time::Duration, time::Instant};

use crate::chess::EvaluatedGame;
use crate::measure::{
    Calibration, EngineHistogram, Method, MoveSample, PlayerSelection, QualityOfPlay, RankedFrom,
};
use crate::report::{table::Screen, tables};

/// Maximum number of players shown.
const ROWS: usize = 8;

/// Largest number of players with a ranking. Comparing more players takes too long while engines wait.
const MOST_PLAYERS: usize = 200;

/// Minimum time between two rankings.
const EVERY: Duration = Duration::from_millis(500);

/// Rankings take at most 1/`SHARE` of the time.
const SHARE: u32 = 20;

/// A ranking that took this long is not repeated at the end.
const LONG: Duration = Duration::from_secs(1);

pub struct LiveRanking {
    sample: MoveSample,
    method: Method,
    players: PlayerSelection,
    /// The calibration of the evaluations, if they are of a calibrated kind.
    calibration: Option<Calibration>,
    ranked_from: RankedFrom,
    /// True if a game was added since the last ranking.
    is_stale: bool,
    took: Duration,
    due: Instant,
    shown: String,
}

impl LiveRanking {
    /// Returns a ranking of the players `names`, of whom `players` are shown, by the method of the final
    /// table; `None` if there are too many players.
    pub fn new(
        names: BTreeSet<String>,
        method: Method,
        players: PlayerSelection,
        ranked_from: RankedFrom,
    ) -> Option<LiveRanking> {
        (names.len() <= MOST_PLAYERS).then(|| LiveRanking {
            sample: MoveSample::of_players(names),
            method,
            players,
            calibration: None,
            ranked_from,
            is_stale: false,
            took: Duration::ZERO,
            due: Instant::now(),
            shown: String::new(),
        })
    }

    pub fn rate_by(&mut self, calibration: &Calibration) {
        self.calibration = Some(calibration.clone());
    }

    /// Adds a finished game if a calibration rates it, or if it has the gains that the method needs.
    pub fn add(&mut self, game: &EvaluatedGame) {
        if self.calibration.as_ref().is_some_and(|calibration| calibration.scale.takes(game.game()))
            || self.method.engine_histogram == EngineHistogram::Delta
            || game.choices().is_some()
        {
            self.sample.push(game);
            self.is_stale = true;
        }
    }

    /// Returns the ranking within `lines` lines; empty if `lines` is below 2. After new games, the ranking is
    /// recomputed when it is due, and at the end unless the last computation took [`LONG`] or more.
    pub fn shown(&mut self, lines: usize, screen: Screen, is_end: bool) -> &str {
        let rows = lines.saturating_sub(1).min(ROWS);
        let now = Instant::now();
        if self.is_stale && rows > 0 && (now >= self.due || is_end && self.took < LONG) {
            let calibration = self.calibration.as_ref();
            let quality =
                QualityOfPlay::ranked(&self.sample, calibration, &[], &self.method, self.ranked_from);
            self.shown = tables::ranking::live_ranking(&quality, |name| self.players.has(name), rows, screen);
            self.took = now.elapsed();
            self.due = Instant::now() + EVERY.max(self.took * SHARE);
            self.is_stale = false;
        }
        if rows > 0 { &self.shown } else { "" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Evaluation, Score, pgn};

    fn games() -> Vec<EvaluatedGame> {
        let pgn = "[White \"Ann\"]\n[Black \"Ben\"]\n\n1. e4 e5 2. f4 d5 *\n\n\
            [White \"Ben\"]\n[Black \"Ann\"]\n\n1. d4 d5 2. c4 e6 3. Nc3 *\n\n";
        let evaluated = |game: crate::chess::game::Game| {
            let scores = [15, 30, 20, -10, 40, 35].map(|cp| Evaluation::of_score(Score::Cp(cp)));
            let evaluations = scores[..game.position_count()].to_vec();
            EvaluatedGame::new(game, evaluations)
        };
        pgn::parse_games(pgn, "test").into_iter().flatten().map(evaluated).collect()
    }

    fn ranking(method: Method) -> LiveRanking {
        let names = ["Ann", "Ben"].map(str::to_owned).into();
        LiveRanking::new(names, method, PlayerSelection::All, RankedFrom::default()).expect("few players")
    }

    #[test]
    fn the_ranking_at_the_end_is_that_of_the_final_tables() {
        let (games, screen) = (games(), Screen::of_columns(80));
        let mut ranking = ranking(Method::default());
        ranking.add(&games[1]);
        assert!(ranking.shown(20, screen, false).lines().count() == 3);
        ranking.add(&games[0]);
        let all = QualityOfPlay::ranked(
            &MoveSample::of(&games),
            None,
            &[],
            &Method::default(),
            RankedFrom::default(),
        );
        let last = tables::ranking::live_ranking(&all, |_| true, ROWS, screen);
        assert_ne!(ranking.shown(20, screen, false), last, "too early for another");
        assert_eq!(ranking.shown(20, screen, true), last);
        assert_eq!(ranking.shown(1, screen, true), "", "no room");
    }

    #[test]
    fn a_calibrated_search_ranks_by_the_measures_of_moves_until_a_player_has_a_rating() {
        let calibration = Calibration::shipped().into_iter().next().expect("a calibration");
        let names = ["Ann", "Ben"].map(str::to_owned).into();
        let mut ranking =
            LiveRanking::new(names, Method::default(), PlayerSelection::All, RankedFrom::default())
                .expect("few players");
        ranking.rate_by(&calibration);
        ranking.add(&games()[0]);
        let shown = ranking.shown(20, Screen::of_columns(80), true);
        assert!(
            !shown.contains("rating of play") && shown.contains("1  Ann"),
            "two moves are too few: {shown}"
        );
    }

    #[test]
    fn where_the_engines_own_gains_are_wanted_a_game_without_them_does_not_count() {
        let method = Method { engine_histogram: EngineHistogram::Own, ..Method::default() };
        let mut ranking = ranking(method);
        ranking.add(&games()[0]);
        assert_eq!(ranking.shown(20, Screen::of_columns(80), true), "");
        let choices = games()[0].evaluations().after_moves().to_vec();
        ranking.add(&games()[0].clone().with_choices(choices));
        assert_eq!(ranking.shown(20, Screen::of_columns(80), true).lines().count(), 3);
    }

    #[test]
    fn too_many_players_have_no_ranking() {
        let names = (0..=MOST_PLAYERS).map(|number| number.to_string()).collect();
        assert!(
            LiveRanking::new(names, Method::default(), PlayerSelection::All, RankedFrom::default()).is_none()
        );
    }
}
