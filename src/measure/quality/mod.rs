//! Ranking of players by one number, which all tests compare: the rating of play if a calibration fits the
//! evaluations, else the share of top moves or, if the engine's top moves are unknown, the lost winning chances.
//!
//! No number depends on the length of games: every number is a mean over moves, or follows from such means.

mod form;
mod parts;
#[cfg(feature = "program")]
pub(crate) mod screening;
mod standing;

use std::{cmp::Ordering, collections::BTreeMap};

use serde::{Serialize, Serializer, ser::SerializeMap};

#[cfg(feature = "program")]
pub(crate) use self::screening::{SHARES, ScreenedPlayer, Screening, ScreeningRefusal};
pub use self::{form::Form, standing::standings};
pub(crate) use self::{
    parts::PlayPart, parts::PlayPartRow, standing::JointTest, standing::RankedPairs, standing::Standing,
};
use shakmaty::Color;

use crate::chess::{EvaluatedGame, Game};
use crate::measure::{
    calibration::CalibratedGames, calibration::Calibration, calibration::FieldRating, calibration::GamePlay,
    calibration::Other, calibration::RatingOfPlay, calibration::RatingRefusal, calibration::RatingScale,
    calibration::TestedErrors, peers::PeerStanding, peers::RankedGame, tournament::BoundSide,
    tournament::Method, tournament::MoveSample, tournament::facts::MoveFacts, tournament::measures::Measures,
    tournament::player_name, tournament::statistics::Statistic,
};
use crate::numbers::{ClusteredMean, Estimate, stats::estimate::mean_of};

/// The ranking of the players by the quality of their play.
#[derive(Debug, Clone, PartialEq)]
pub struct QualityOfPlay {
    /// The numbers that determine the order.
    pub basis: QualityBasis,
    /// The players with moves, best first; players without a rank come last.
    pub rows: Vec<QualityRow>,
    /// The players' play by color, phase, event and game.
    pub parts: Vec<PlayPartRow>,
    /// Test of the hypothesis that all ranked players play equally well; `None` if too few can be compared.
    pub homogeneity: Option<JointTest>,
    /// Pairwise tests of the ranked players.
    pub pairs: RankedPairs,
    /// Smallest number of games of a ranked player.
    pub min_games: usize,
    /// The method in force. With a calibration, it is the calibration's method with the filters of whole games.
    pub method: Method,
}

/// The smallest number of games of a ranked player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RankedFrom {
    /// 1 game, or 3 games in a field of more than [`RankedFrom::FIELD`] players. In such a field, a player
    /// could otherwise come first with a single game.
    #[default]
    ByField,
    /// This number of games.
    Games(usize),
}

impl RankedFrom {
    /// Largest number of players in a small field.
    pub const FIELD: usize = 24;

    /// Number of games required in a larger field.
    const GAMES: usize = 3;

    /// Returns the number of games required for a rank. `played` has the number of games of each player.
    pub fn games(self, played: impl ExactSizeIterator<Item = usize>) -> usize {
        match self {
            RankedFrom::Games(games) => games,
            RankedFrom::ByField if played.len() <= RankedFrom::FIELD => 1,
            RankedFrom::ByField => RankedFrom::GAMES,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum QualityBasis {
    Rating {
        scale: RatingScale,
        /// The engine and protocol of the evaluations.
        judge: String,
        events: usize,
        /// The year of the games, if the calibration depends on the year and all games have the same year.
        year: Option<u16>,
        /// Number of games on other scales, which are not rated.
        others: usize,
        /// True if the players' own ratings are on another scale.
        is_foreign: bool,
        /// The lowest and the highest rating of the scale, in Elo points.
        range: [f64; 2],
        errors: TestedErrors,
    },
    /// A mean over moves, if no player has a rating.
    Statistics {
        by: Statistic,
        /// The reason why there are no ratings of play, in words; `None` if ratings were not requested.
        reason: Option<String>,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QualityRow {
    /// Place among all players. `None` for a player with too few moves for a rating, with too few games, or
    /// with one game if other players have more.
    pub rank: Option<usize>,
    pub player: String,
    /// The player's rating on the scale of the ratings of play, if known.
    pub elo: Option<f64>,
    /// Number of games with a counted move.
    pub games: usize,
    pub moves: u64,
    /// The statistics of the ranking, [`Statistic::RANKED`].
    #[serde(flatten)]
    pub measures: Measures,
    /// Top moves minus losses of winning chances, weighted as in [`merit`].
    pub merit: Estimate,
    pub rating: Option<RatingOfPlay>,
    /// The player's rating relative to the other players of the event. `None` without a calibration, for
    /// games of several events, if the other players are too few, or if the player has too few moves or games
    /// for a rating.
    pub field: Option<FieldRating>,
    pub form: Option<Form>,
    /// The comparison with players of the same rating, if requested and possible.
    #[serde(skip)]
    pub peers: Option<PeerStanding>,
}

/// The value of one percentage point of winning chances, in percentage points of top moves: the ratio of
/// their values in Elo, measured in events of players with known ratings. docs/calibration.md has the
/// command; a test of `calibrate` checks the figures.
pub const LOSS_WEIGHT: f64 = 9.1;

/// Returns a move's contribution to the column `merit` of files: 100 for a top move, minus [`LOSS_WEIGHT`] times
/// the move's loss of winning chances in percentage points. If top moves are unknown (`knows_choices` is false),
/// only the loss counts.
pub fn merit(facts: &MoveFacts, method: &Method, knows_choices: bool) -> Option<f64> {
    let lost = LOSS_WEIGHT * Statistic::WinLoss.of_move(facts, method)?;
    let chosen = if knows_choices { Statistic::FirstChoice.of_move(facts, method)? } else { 0.0 };
    Some(chosen - lost)
}

impl QualityOfPlay {
    /// Ranks the players of the games `all`, whose moves are `sample`. If `rated` has games with a calibration,
    /// the players are ranked by these games; otherwise they are ranked by the evaluations of `all`. `given`
    /// overrides the ratings of the players named in it, with names as in [`player_name`].
    pub fn of(
        (sample, all): (&MoveSample, &[EvaluatedGame]),
        rated: Result<CalibratedGames<'_>, Option<String>>,
        given: &BTreeMap<String, f64>,
        method: &Method,
        ranked_from: RankedFrom,
    ) -> QualityOfPlay {
        match rated {
            Ok(CalibratedGames { games, calibration }) => {
                let rated = MoveSample::of(games);
                let elo = ratings(games, &rated, calibration.scale, given);
                let mut ranked = QualityOfPlay::ranked(&rated, Some(calibration), &elo, method, ranked_from);
                if let QualityBasis::Rating { others, .. } = &mut ranked.basis {
                    *others = all.iter().filter(|game| !calibration.scale.takes(game.game())).count();
                }
                QualityOfPlay { parts: parts::rows(&rated, games, Some(calibration), method), ..ranked }
            }
            Err(why) => {
                let elo = ratings(all, sample, RatingScale::default(), given);
                let mut ranked = QualityOfPlay::ranked(sample, None, &elo, method, ranked_from);
                if let QualityBasis::Statistics { reason, .. } = &mut ranked.basis {
                    *reason = why;
                }
                QualityOfPlay { parts: parts::rows(sample, all, None, method), ..ranked }
            }
        }
    }

    /// Ranks the players of `sample`, whose ratings are `elo`, without the parts of their play.
    ///
    /// With a calibration, all moves of the selected games count, because all moves counted when the
    /// calibration was made. Without a calibration, the moves that `method` selects count.
    pub fn ranked(
        sample: &MoveSample,
        calibration: Option<&Calibration>,
        elo: &[Option<f64>],
        method: &Method,
        ranked_from: RankedFrom,
    ) -> QualityOfPlay {
        let method = counted(method, calibration.is_some());
        let players = measured(sample, &method);
        let moves = || sample.moves.iter().filter(|facts| method.keeps(facts));
        let plays = calibration.map(|fit| GamePlay::of_players(sample.players.len(), moves(), fit.filter));
        let elo_of = |place: usize| elo.get(place).copied().flatten();
        let is_named = |place: usize| !sample.players[place].is_nobody;
        let rated = plays.iter().flatten().enumerate().filter(|_| sample.is_one_field());
        let other = |(place, games): (usize, &Vec<GamePlay>)| {
            let rating = elo_of(place).filter(|_| is_named(place))?;
            Some((place, Other { rating, total: games.iter().sum() }))
        };
        let others: Vec<(usize, Other)> = rated.filter_map(other).collect();
        let named = players.into_iter().enumerate().filter(|(place, _)| is_named(*place));
        let row = |(place, (measures, merit)): (usize, (Measures, ClusteredMean))| {
            let rating =
                calibration.zip(plays.as_ref()).map(|(fit, plays)| fit.rate_of(sample, None, &plays[place]));
            let elo = elo_of(place);
            let field = calibration.zip(plays.as_ref()).and_then(|(fit, plays)| {
                let others = others.iter().filter(|(other, _)| *other != place).map(|(_, other)| *other);
                fit.within.as_ref()?.seen_from(&fit.model, &plays[place], others)
            });
            let field = field.filter(|_| rating.as_ref().is_some_and(|rating| !rating.is_too_short()));
            Some(QualityRow {
                rank: None,
                player: sample.players[place].name.clone(),
                elo,
                games: merit.clusters(),
                moves: merit.count() as u64,
                measures,
                merit: merit.estimate()?,
                form: elo
                    .zip(rating.as_ref())
                    .filter(|_| calibration.is_some_and(|fit| fit.is_of(sample)))
                    .and_then(|(elo, rating)| Form::of(rating, field.as_ref(), elo)),
                field,
                rating,
                peers: None,
            })
        };
        let mut rows: Vec<QualityRow> = named.filter_map(row).collect();
        // If no player has more than one game, single games are ranked.
        let has_several = rows.iter().any(|row| row.merit.interval.is_some());
        let min_games = ranked_from.games(rows.iter().map(|row| row.games));
        let knows_choices = rows.iter().any(|row| row.measures.get(Statistic::FirstChoice).is_some());
        let by = if knows_choices { Statistic::FirstChoice } else { Statistic::WinLoss };
        let basis = match calibration.filter(|_| rows.iter().any(|row| row.told().is_some())) {
            Some(calibration) => QualityBasis::of(calibration, sample, plays.iter().flatten()),
            None => QualityBasis::Statistics {
                by,
                reason: calibration.map(|_| RatingRefusal::TOO_SHORT.to_owned()),
            },
        };
        let is_placed = |row: &QualityRow| {
            let is_repeated = basis.statistic().is_none() || row.merit.interval.is_some() || !has_several;
            row.games >= min_games && is_repeated && row.ranked_by(&basis).is_some()
        };
        rank(&mut rows, is_placed, &basis, by);
        form::adjust(rows.iter_mut().filter_map(|row| row.form.as_mut()));
        let compared = standing::Compared::of(&rows, &basis);
        QualityOfPlay {
            homogeneity: compared.at_once(),
            pairs: compared.in_pairs(),
            basis,
            min_games,
            rows,
            parts: Vec::new(),
            method,
        }
    }

    /// Returns the comparison of one side of `game` with games of peers.
    pub fn among_peers(&self, game: &Game, color: Color) -> Option<&RankedGame> {
        let player = player_name(game, color);
        let peers = self.rows.iter().find(|row| row.player == player)?.peers.as_ref()?;
        peers.game(game.source.ordinal, color)
    }

    /// Returns the ranking with only the rows and parts of players whose name `keeps` accepts. Ranks and
    /// tests remain those of all players.
    pub fn narrowed(&self, keeps: impl Fn(&str) -> bool) -> QualityOfPlay {
        let mut narrowed = self.clone();
        narrowed.rows.retain(|row| keeps(&row.player));
        narrowed.parts.retain(|row| keeps(&row.player));
        narrowed
    }

    /// Returns whether the order is by ratings of play.
    pub fn is_rated(&self) -> bool {
        matches!(self.basis, QualityBasis::Rating { .. })
    }
}

impl Serialize for QualityOfPlay {
    /// Serializes the basis of the ranking, the players, the tests, and the number of games required for a
    /// rank.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match &self.basis {
            QualityBasis::Rating { scale, judge, events, .. } => {
                map.serialize_entry("scale", scale)?;
                map.serialize_entry("calibrated_with", judge)?;
                map.serialize_entry("events", events)?;
            }
            QualityBasis::Statistics { reason, .. } => map.serialize_entry("refused", reason)?,
        }
        map.serialize_entry("players", &self.rows)?;
        map.serialize_entry("homogeneity", &self.homogeneity)?;
        map.serialize_entry("told_apart", &self.pairs)?;
        map.serialize_entry("min_games", &self.min_games)?;
        map.end()
    }
}

impl QualityBasis {
    /// Returns the statistic that ranks the players; `None` for ratings.
    pub fn statistic(&self) -> Option<Statistic> {
        match self {
            QualityBasis::Rating { .. } => None,
            QualityBasis::Statistics { by, .. } => Some(*by),
        }
    }

    /// Returns `value`, negated if smaller numbers are better.
    fn merit(&self, value: f64) -> f64 {
        self.statistic().map_or(value, |by| by.merit(value))
    }

    /// Returns the basis of ratings from the games `plays`.
    fn of<'p>(
        calibration: &Calibration,
        sample: &MoveSample,
        plays: impl IntoIterator<Item = &'p Vec<GamePlay>>,
    ) -> QualityBasis {
        let mut years = plays.into_iter().flatten().map(GamePlay::year);
        let first = years.next().flatten();
        let year = first.filter(|_| years.all(|year| year == first));
        QualityBasis::Rating {
            year: calibration.model.drift.as_ref().and(year).map(|year| year.round() as u16),
            errors: calibration.tested_errors(),
            others: 0,
            is_foreign: !calibration.is_of(sample),
            scale: calibration.scale,
            range: calibration.model.elo_range,
            judge: calibration.kind(),
            events: calibration.events.len(),
        }
    }
}

impl QualityRow {
    /// Returns the rating of play by which the player is ranked; `None` if the rating is unknown, or if there
    /// are too few moves or games for it.
    pub fn told(&self) -> Option<&RatingOfPlay> {
        self.rating.as_ref().filter(|rating| rating.outright.is_some() && !rating.is_too_short())
    }

    /// Returns the number that ranks the player: the rating of play or, beyond the scale, its bound with its
    /// side; without ratings, the statistic. `None` if it is unknown, or if there are too few moves or games for
    /// a rating.
    pub fn ranked_by(&self, basis: &QualityBasis) -> Option<(Estimate, Option<BoundSide>)> {
        match basis.statistic() {
            None => self.told()?.bounded(),
            Some(by) => Some((self.measures.get(by)?, None)),
        }
    }

    /// Orders two players by the number that ranks them, the better player first. Players without this number
    /// come last.
    fn better(&self, other: &QualityRow, basis: &QualityBasis) -> Ordering {
        let number = |row: &QualityRow| Some(basis.merit(row.ranked_by(basis)?.0.value));
        match (number(self), number(other)) {
            (Some(own), Some(theirs)) => theirs.total_cmp(&own),
            (own, theirs) => theirs.is_some().cmp(&own.is_some()),
        }
    }
}

/// Returns the method that selects moves. With a calibration, it selects all moves of the selected games.
fn counted(method: &Method, is_calibrated: bool) -> Method {
    match is_calibrated {
        true => Method { filter: method.filter.of_games(), ..Method::default() },
        false => method.clone(),
    }
}

/// Sorts the rows, the best player first, and sets the ranks of the rows that `is_placed` accepts. The other rows
/// follow in the order of the statistic `by`.
fn rank(
    rows: &mut [QualityRow],
    is_placed: impl Fn(&QualityRow) -> bool,
    basis: &QualityBasis,
    by: Statistic,
) {
    let listed = |row: &QualityRow| row.measures.get(by).map_or(f64::NEG_INFINITY, |of| by.merit(of.value));
    rows.sort_by(|a, b| {
        let ranked = is_placed(b).cmp(&is_placed(a)).then_with(|| a.better(b, basis));
        ranked.then_with(|| listed(b).total_cmp(&listed(a)))
    });
    for place in 0..rows.iter().take_while(|row| is_placed(row)).count() {
        let shares = place > 0 && rows[place].better(&rows[place - 1], basis).is_eq();
        rows[place].rank = if shares { rows[place - 1].rank } else { Some(place + 1) };
    }
}

/// Returns the rating of each player of `sample`: the rating in `given`, else the mean on `scale` over the
/// games with a rating.
fn ratings(
    games: &[EvaluatedGame],
    sample: &MoveSample,
    scale: RatingScale,
    given: &BTreeMap<String, f64>,
) -> Vec<Option<f64>> {
    let mut tags: Vec<Vec<f64>> = vec![Vec::new(); sample.players.len()];
    for game in games.iter().map(EvaluatedGame::game) {
        for color in shakmaty::Color::ALL {
            tags[sample.place(&player_name(game, color))].extend(scale.of_game(game, color));
        }
    }
    let players = sample.players.iter().zip(&tags);
    players.map(|(player, tags)| given.get(&player.name).copied().or_else(|| mean_of(tags))).collect()
}

/// Screens the players of games with a calibration; see [`Screening`]. `given` overrides ratings.
#[cfg(feature = "program")]
pub fn screened(
    rated: CalibratedGames<'_>,
    given: &BTreeMap<String, f64>,
) -> Result<Screening, ScreeningRefusal> {
    let sample = MoveSample::of(rated.games);
    let elo = ratings(rated.games, &sample, rated.calibration.scale, given);
    Screening::of(&sample, rated.calibration, &elo)
}

fn measured(sample: &MoveSample, method: &Method) -> Vec<(Measures, ClusteredMean)> {
    let columns = Statistic::RANKED.map(|statistic| (statistic, statistic.of(sample, method)));
    let is_known = |of: &[Option<Estimate>]| of.iter().any(Option::is_some);
    let knows_choices =
        columns.iter().any(|(statistic, of)| *statistic == Statistic::FirstChoice && is_known(of));
    let mut merits = vec![ClusteredMean::default(); sample.players.len()];
    for facts in sample.moves.iter().filter(|facts| method.keeps(facts)) {
        if let Some(value) = merit(facts, method, knows_choices) {
            merits[facts.player as usize].add(facts.game, value);
        }
    }
    let measures = |place: usize| columns.iter().map(|(statistic, of)| (*statistic, of[place])).collect();
    merits.into_iter().enumerate().map(|(place, merit)| (measures(place), merit)).collect()
}

#[cfg(test)]
mod tests;
