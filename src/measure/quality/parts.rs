//! Quality of parts of a player's play: by color, phase, event and game.

use std::collections::BTreeMap;

use serde::Serialize;
use shakmaty::Color;

use super::counted;
use crate::base::named::named;
use crate::chess::{EvaluatedGame, Phase};
use crate::measure::{
    calibration::Calibration, calibration::CountedMoves, calibration::GamePlay, calibration::RatingOfPlay,
    tournament::Method, tournament::MoveSample, tournament::facts::MoveFacts, tournament::filter::Split,
    tournament::measures::Measures, tournament::statistics::Statistic,
};
use crate::numbers::{ClusteredMean, Estimate};

named! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum PlayPart: name {
        Color => "color",
        Phase => "phase",
        Event => "event",
        Game => "game",
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct PlayPartRow {
    pub part: PlayPart,
    /// The part: a color, a phase, the name of an event, or a game by its number and players.
    pub class: String,
    pub player: String,
    pub games: usize,
    pub moves: u64,
    /// Top moves and losses of winning chances, [`PlayPartRow::MEASURED`].
    pub measures: Measures,
    /// The rating of play, if a calibration fits. For a single game it is present too, but always refused
    /// (too few moves or games).
    pub rating: Option<RatingOfPlay>,
}

pub(super) fn rows(
    sample: &MoveSample,
    games: &[EvaluatedGame],
    calibration: Option<&Calibration>,
    method: &Method,
) -> Vec<PlayPartRow> {
    let parts = Parts { sample, calibration, method: counted(method, calibration.is_some()) };
    let mut rows = parts.split(PlayPart::Color, Split::Color);
    rows.extend(parts.split(PlayPart::Phase, Split::Phase));
    rows.extend(parts.events(games));
    rows.extend(parts.games(games));
    rows
}

struct Parts<'a> {
    sample: &'a MoveSample,
    calibration: Option<&'a Calibration>,
    method: Method,
}

impl Parts<'_> {
    /// Returns the moves that count in ratings.
    fn summed(&self) -> CountedMoves {
        self.calibration.map(|fit| fit.filter).unwrap_or_default()
    }

    fn split(&self, part: PlayPart, split: Split) -> Vec<PlayPartRow> {
        let classes = split.classes().into_iter().enumerate();
        classes
            .flat_map(|(place, class)| {
                // The model of whole games does not apply to a phase: openings differ from endgames.
                let phase = Phase::ALL.get(place).copied().filter(|_| split == Split::Phase);
                let moves = self.sample.moves.iter().filter(|facts| split.class(facts) == place);
                self.class(part, &class, phase, moves)
            })
            .collect()
    }

    fn events(&self, games: &[EvaluatedGame]) -> Vec<PlayPartRow> {
        let mut events: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (place, game) in games.iter().enumerate() {
            events.entry(game.game().tags.event().unwrap_or_default()).or_default().push(place);
        }
        if events.len() < 2 {
            return Vec::new();
        }
        let rows = events.into_iter().map(|(event, games)| {
            let moves = games.into_iter().flat_map(|place| self.sample.moves_of(place));
            self.class(PlayPart::Event, event, None, moves)
        });
        rows.flatten().collect()
    }

    /// Returns the rows of all players with counted moves among the `moves` of one class, in the order of
    /// `sample`.
    fn class<'m>(
        &self,
        part: PlayPart,
        class: &str,
        phase: Option<Phase>,
        moves: impl Iterator<Item = &'m MoveFacts>,
    ) -> Vec<PlayPartRow> {
        let counted = moves.filter(|facts| self.method.keeps(facts));
        let plays = GamePlay::of_players(self.sample.players.len(), counted, self.summed());
        let rate = |games: &[GamePlay]| Some(self.calibration?.rate_of(self.sample, phase, games));
        let players = self
            .sample
            .players
            .iter()
            .zip(&plays)
            .filter(|(player, games)| !player.is_nobody && !games.is_empty());
        players
            .map(|(player, games)| PlayPartRow::new(part, class, &player.name, games, rate(games)))
            .collect()
    }

    fn games(&self, games: &[EvaluatedGame]) -> Vec<PlayPartRow> {
        let of_game = |(place, game): (usize, &EvaluatedGame)| {
            let [white, black] = Color::ALL.map(|color| game.game().player(color));
            let source = &game.game().source;
            let class = format!("{}: {white} – {black}", source.number);
            let moves = self.sample.moves_of(place);
            Color::ALL
                .into_iter()
                .filter_map(move |color| {
                    let own = || moves.iter().filter(|facts| facts.mover == color);
                    let play =
                        GamePlay::of_moves(own().filter(|facts| self.method.keeps(facts)), self.summed());
                    let player = &self.sample.players[own().next()?.player as usize];
                    let rating =
                        self.calibration.map(|calibration| calibration.rate_of(self.sample, None, &[play]));
                    let row = PlayPartRow::new(PlayPart::Game, &class, &player.name, &[play], rating);
                    (play.moves() > 0 && !player.is_nobody).then_some(row)
                })
                .collect::<Vec<_>>()
        };
        games.iter().enumerate().flat_map(of_game).collect()
    }
}

impl PlayPartRow {
    /// The statistics that are shown for a part of play.
    pub const MEASURED: [Statistic; 2] = [Statistic::FirstChoice, Statistic::WinLoss];

    fn new(
        part: PlayPart,
        class: &str,
        player: &str,
        games: &[GamePlay],
        rating: Option<RatingOfPlay>,
    ) -> PlayPartRow {
        PlayPartRow {
            part,
            class: class.to_owned(),
            player: player.to_owned(),
            games: games.len(),
            moves: games.iter().map(GamePlay::moves).sum(),
            measures: PlayPartRow::MEASURED
                .into_iter()
                .map(|statistic| (statistic, mean(games, statistic)))
                .collect(),
            rating,
        }
    }
}

/// Returns the mean of a statistic over the moves of `games`, with an interval clustered by game.
fn mean(games: &[GamePlay], statistic: Statistic) -> Option<Estimate> {
    let totals = (0u32..).zip(games);
    let totals = totals.map(|(place, game)| (place, game.moves() as usize, game.sum(statistic)));
    let estimate = totals.collect::<ClusteredMean>().estimate()?;
    Some(statistic.bounded(estimate))
}
