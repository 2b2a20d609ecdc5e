//! [`Panel`]: joint results of several engines for the same games, and the engines' agreement.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Method, MoveSample, PlayerResult, Tournament};
use crate::chess::EvaluatedGame;
use crate::numbers::{
    Estimate, Influence, Raters, Rating, Reliability,
    stats::correlation::{kendall, pearson, spearman},
};

/// The part of a report that is needed for comparing it with other reports.
#[derive(Debug, Clone, PartialEq)]
pub struct EventFinding {
    pub event: String,
    /// Engine, search limit and search order of the evaluations; `None` if they are unknown or differ between
    /// games.
    pub judge: Option<String>,
    pub games: usize,
    /// The engine's strength; `None` if no player with a move has an Elo, or if the ratings belong to several
    /// systems.
    pub engine_strength: Option<Estimate>,
    pub players: Vec<PlayerResult>,
}

impl EventFinding {
    pub fn of(event: &str, judge: Option<String>, games: usize, tournament: &Tournament) -> EventFinding {
        EventFinding {
            event: event.to_owned(),
            judge,
            games,
            engine_strength: tournament.engine_strength,
            players: tournament.players.clone(),
        }
    }
}

/// A panel of judges, on the games that all of them evaluated. A judge is an engine with its search limit.
///
/// Judges have different scales, so the panel compares differences within the field: it subtracts the mean
/// from each judge's Elo differences, and averages the results over the judges. Expected scores are given for
/// each judge separately.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Panel {
    #[serde(rename = "engines")]
    pub judges: Vec<JudgeFinding>,
    pub games: usize,
    /// The players with moves counted by every judge, in the panel's order, followed by the other players.
    pub players: Vec<PanelPlayer>,
    /// The correlation of each pair of judges, beginning with the pairs of the first judge.
    pub correlations: Vec<Correlation>,
    /// The reliability of the panel; `None` for fewer than two judges or players, for players that do not
    /// differ, and for judges that agree completely.
    pub reliability: Option<Reliability>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgeFinding {
    #[serde(rename = "engine")]
    pub name: String,
    /// Share of the moves that change nothing; `None` without moves.
    pub zero_share: Option<f64>,
    /// The engine's strength; `None` if no player with a move has an Elo, or if the ratings belong to several
    /// systems.
    #[serde(rename = "engine_strength")]
    pub strength: Option<Estimate>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PanelPlayer {
    pub name: String,
    /// Place by the panel, from 1; `None` if a judge has no counted moves of the player, or if there are
    /// fewer than two judges or players to compare.
    pub rank: Option<usize>,
    /// Elo points above the field's mean: the mean over judges, with an interval that allows for other games
    /// and other judges. `None` without a `rank`.
    pub panel_difference: Option<Estimate>,
    /// Mean of the judges' performances; `None` without a `rank`, or if a judge has none.
    pub performance: Option<Estimate>,
    #[serde(skip)]
    pub by_judge: Vec<Option<PlayerResult>>,
    /// Elo points above the field's mean by each judge; `None` without a `rank`.
    #[serde(skip)]
    pub deviations: Vec<Option<f64>>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Correlation {
    #[serde(rename = "engines")]
    pub judges: [String; 2],
    /// Number of players with an expected score by both judges.
    pub players: usize,
    /// Correlation of the expected scores; `None` for fewer than two players, or if a judge's scores are all
    /// equal.
    pub pearson: Option<f64>,
    /// Rank correlation ρ; `None` under the same conditions as `pearson`.
    pub spearman: Option<f64>,
    /// Rank correlation τ-b; `None` under the same conditions as `pearson`.
    pub kendall: Option<f64>,
}

/// The results of the players by one judge. Each player has a list of shifts: the change of the player's Elo
/// difference that is due to each game.
#[derive(Debug, Clone, PartialEq)]
struct JudgeTables {
    judge: JudgeFinding,
    players: Vec<(PlayerResult, Vec<Influence>)>,
}

impl JudgeTables {
    fn of(name: &str, games: &[EvaluatedGame], elo: &BTreeMap<String, f64>, method: &Method) -> JudgeTables {
        let (tournament, shifts) = Tournament::with_shifts(&MoveSample::of(games), elo, method);
        let players = tournament.players.into_iter().zip(shifts).collect();
        JudgeTables::new(name, tournament.engine_strength, players)
    }

    fn new(
        name: &str,
        strength: Option<Estimate>,
        players: Vec<(PlayerResult, Vec<Influence>)>,
    ) -> JudgeTables {
        let zero: u64 = players.iter().map(|(player, _)| player.histogram.signs().zero).sum();
        let all: u64 = players.iter().map(|(player, _)| player.moves()).sum();
        let zero_share = zero as f64 / all as f64;
        let zero_share = zero_share.is_finite().then_some(zero_share);
        JudgeTables { judge: JudgeFinding { name: name.to_owned(), zero_share, strength }, players }
    }
}

impl Panel {
    /// Computes the panel of `judges`, each with a name and with the same games, evaluated by this judge.
    /// `elo` overrides the ratings of the players named in it.
    pub fn of(judges: &[(&str, &[EvaluatedGame])], elo: &BTreeMap<String, f64>, method: &Method) -> Panel {
        let tables = judges.iter().map(|(name, games)| JudgeTables::of(name, games, elo, method)).collect();
        Panel::from_tables(tables, judges.first().map_or(0, |(_, games)| games.len()))
    }

    fn from_tables(tables: Vec<JudgeTables>, games: usize) -> Panel {
        let mut players = side_by_side(&tables);
        let field: Vec<usize> =
            (0..players.len()).filter(|&place| players[place].is_of_all_judges()).collect();
        let raters = raters(&tables, &players, &field);
        if let Some(raters) = &raters {
            let deviations = raters.deviations();
            let is_rated = field.iter().all(|&place| players[place].elo().is_some());
            for ((target, &place), estimate) in (0..).zip(&field).zip(raters.estimates()) {
                let player = &mut players[place];
                player.panel_difference = Some(estimate);
                player.deviations = deviations.iter().map(|judge| Some(judge[target])).collect();
                player.performance = player.performed(estimate, is_rated);
            }
        }
        let value = |player: &PanelPlayer| player.panel_difference.map(|difference| difference.value);
        players.sort_by(|a, b| {
            value(b).unwrap_or(f64::NEG_INFINITY).total_cmp(&value(a).unwrap_or(f64::NEG_INFINITY))
        });
        let (mut rank, mut above) = (0, None);
        for (index, player) in players.iter_mut().enumerate() {
            let own = value(player);
            // Players with equal differences share the better place.
            rank = if index > 0 && own == above { rank } else { index + 1 };
            (player.rank, above) = (own.map(|_| rank), own);
        }
        let pairs = (0..tables.len()).flat_map(|a| (a + 1..tables.len()).map(move |b| [a, b]));
        let names = |judges: [usize; 2]| judges.map(|judge| tables[judge].judge.name.clone());
        let correlations = pairs.map(|judges| Correlation::of(names(judges), judges, &players)).collect();
        Panel {
            reliability: raters.and_then(|raters| raters.reliability()),
            games,
            players,
            correlations,
            judges: tables.into_iter().map(|tables| tables.judge).collect(),
        }
    }

    /// Returns the correlation of the judges at two indices; `None` unless the first index is smaller.
    pub fn correlation(&self, [one, other]: [usize; 2]) -> Option<&Correlation> {
        let before: usize = (0..one).map(|judge| self.judges.len() - 1 - judge).sum();
        self.correlations.get(before + other.checked_sub(one + 1)?)
    }

    /// Returns the panel with only the rows of players whose name `keeps` accepts. Ranks, means and
    /// correlations stay those of the whole field.
    pub fn narrowed(&self, keeps: impl Fn(&str) -> bool) -> Panel {
        let mut narrowed = self.clone();
        narrowed.players.retain(|player| keeps(&player.name));
        narrowed
    }
}

/// Returns the judges' Elo differences for the players of the `field`, as ratings of targets by raters;
/// `None` for fewer than two judges or players.
fn raters(tables: &[JudgeTables], players: &[PanelPlayer], field: &[usize]) -> Option<Raters> {
    let ratings = tables.iter().map(|table| {
        let by_name: BTreeMap<&str, &(PlayerResult, Vec<Influence>)> =
            table.players.iter().map(|row| (row.0.name.as_str(), row)).collect();
        let rating = |&place: &usize| {
            let (player, shifts) = by_name.get(players[place].name.as_str())?;
            Some(Rating { value: player.elo_difference?.value, influences: shifts.clone() })
        };
        field.iter().filter_map(rating).collect()
    });
    Raters::new(ratings.collect())
}

/// Returns the players in the first judge's order, followed by players whom only other judges have.
fn side_by_side(tables: &[JudgeTables]) -> Vec<PanelPlayer> {
    let mut players: Vec<PanelPlayer> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (judge, table) in tables.iter().enumerate() {
        for (player, _) in &table.players {
            let place = *places.entry(&player.name).or_insert_with(|| {
                players.push(PanelPlayer::new(&player.name, tables.len()));
                players.len() - 1
            });
            players[place].by_judge[judge] = Some(player.clone());
        }
    }
    players
}

impl PanelPlayer {
    fn new(name: &str, judges: usize) -> PanelPlayer {
        PanelPlayer {
            name: name.to_owned(),
            rank: None,
            panel_difference: None,
            performance: None,
            by_judge: vec![None; judges],
            deviations: vec![None; judges],
        }
    }

    /// Returns the result of any judge that has the player. Games, points and rating are the same for all.
    pub fn known(&self) -> Option<&PlayerResult> {
        self.by_judge.iter().flatten().next()
    }

    pub fn elo(&self) -> Option<f64> {
        Some(self.known()?.elo?.value)
    }

    fn is_of_all_judges(&self) -> bool {
        self.by_judge.iter().all(|player| player.as_ref().is_some_and(|found| found.elo_difference.is_some()))
    }

    /// Returns the mean of the judges' performances; `None` if a judge has none. If the whole field is rated,
    /// the mean has the interval of `difference`, shifted to the mean; otherwise it has no interval.
    fn performed(&self, difference: Estimate, is_rated: bool) -> Option<Estimate> {
        let performances = self.by_judge.iter().map(|player| Some(player.as_ref()?.performance?.value));
        let performances: Vec<f64> = performances.collect::<Option<_>>()?;
        let value = performances.iter().sum::<f64>() / performances.len() as f64;
        let moved = |end: f64| end + value - difference.value;
        let interval = difference.interval.filter(|_| is_rated).map(|interval| interval.mapped(moved, 1.0));
        Some(Estimate { value, interval, ..difference })
    }
}

impl Correlation {
    fn of(names: [String; 2], judges: [usize; 2], players: &[PanelPlayer]) -> Correlation {
        let score =
            |player: &PanelPlayer, judge: usize| Some(player.by_judge[judge].as_ref()?.expected_score?.value);
        let scores = players.iter().filter_map(|player| {
            let [a, b] = judges.map(|judge| score(player, judge));
            a.zip(b)
        });
        let (a, b): (Vec<f64>, Vec<f64>) = scores.unzip();
        Correlation {
            judges: names,
            players: a.len(),
            pearson: pearson(&a, &b),
            spearman: spearman(&a, &b),
            kendall: kendall(&a, &b),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::{Evaluation, Score, pgn::parse_games};
    use crate::measure::tournament::{EloOrigin, Measured, PlayerElo};

    /// Returns a judge's players, best first, with these scores. The differences are 1,000 times the scores.
    /// A player without a score has no moves.
    fn tables(judge: &str, scores: &[(&str, Option<f64>)]) -> JudgeTables {
        let player = |(place, &(name, score)): (usize, &(&str, Option<f64>))| {
            let finding = PlayerResult {
                name: name.to_owned(),
                rank: score.map(|_| place + 1),
                elo: Some(PlayerElo { value: 2700.0, origin: EloOrigin::Given }),
                expected_score: score.map(|value| Measured::new(value, 100)),
                elo_difference: score.map(|value| Measured::new(1000.0 * value, 100)),
                performance: score.map(|value| Measured::new(2000.0 + 1000.0 * value, 100)),
                ..PlayerResult::default()
            };
            (finding, vec![(0, 3.0), (1, -3.0)])
        };
        JudgeTables::new(judge, None, scores.iter().enumerate().map(player).collect())
    }

    #[test]
    fn three_judges_by_hand() {
        let first = tables("One", &[("A", Some(0.4)), ("B", Some(0.3)), ("C", Some(0.2)), ("D", None)]);
        let second = tables("Two", &[("C", Some(0.5)), ("B", Some(0.4)), ("A", Some(0.3))]);
        let third =
            tables("Three", &[("B", Some(0.9)), ("A", Some(0.8)), ("C", Some(0.1)), ("E", Some(0.05))]);
        let panel = Panel::from_tables(vec![first, second, third], 3);
        // Each judge's differences minus their mean: 100, 0, −100; −100, 0, 100; 200, 300, −500.
        let names: Vec<_> = panel.players.iter().map(|player| (player.name.as_str(), player.rank)).collect();
        let expected = [("B", Some(1)), ("A", Some(2)), ("C", Some(3)), ("D", None), ("E", None)];
        assert_eq!(names, expected);
        let close = |value: Option<f64>, expected: f64| (value.expect("a value") - expected).abs() < 1e-9;
        for (player, (difference, performance)) in panel.players.iter().zip([
            (100.0, 7600.0 / 3.0),
            (200.0 / 3.0, 2500.0),
            (-500.0 / 3.0, 6800.0 / 3.0),
        ]) {
            assert!(close(player.panel_difference.map(|found| found.value), difference), "{player:?}");
            assert!(close(player.performance.map(|found| found.value), performance), "{player:?}");
            let [one, other] = [player.panel_difference, player.performance]
                .map(|found| found.expect("a value").interval.expect("an interval").half_width());
            assert!((one - other).abs() < 1e-9);
        }
        assert!(close(panel.players[0].deviations[2], 300.0) && panel.players[3].deviations[0].is_none());
        // Orders ABC, CBA and BAC of three players. One exchanged pair leaves ρ ½ and τ ⅓; three leave −1;
        // CBA against BAC has two of three pairs discordant. Pearson of 4 3 2 and 8 9 1: deviations 1 0 −1
        // and 2 3 −5, 7/√(2·38).
        let expected = [
            (["One", "Two"], -1.0, -1.0, -1.0),
            (["One", "Three"], 7.0 / 76f64.sqrt(), 0.5, 1.0 / 3.0),
            (["Two", "Three"], -7.0 / 76f64.sqrt(), -0.5, -1.0 / 3.0),
        ];
        for (correlation, (judges, r, rho, tau)) in panel.correlations.iter().zip(expected) {
            assert_eq!((correlation.judges.each_ref().map(String::as_str), correlation.players), (judges, 3));
            assert!(close(correlation.spearman, rho) && close(correlation.kendall, tau), "{correlation:?}");
            assert!(close(correlation.pearson, r), "{correlation:?}");
        }
        let pair = |judges: [usize; 2]| panel.correlation(judges).map(|found| found.judges.join(" "));
        assert_eq!(pair([0, 2]).as_deref(), Some("One Three"));
        assert_eq!((pair([1, 2]).as_deref(), pair([2, 1]), pair([1, 1])), (Some("Two Three"), None, None));
    }

    #[test]
    fn one_player_has_neither_correlation_nor_difference() {
        let (first, second) =
            (tables("One", &[("A", Some(0.4))]), tables("Two", &[("A", Some(0.3)), ("B", Some(0.2))]));
        let panel = Panel::from_tables(vec![first, second], 1);
        let expected = Correlation {
            judges: ["One", "Two"].map(str::to_owned),
            players: 1,
            pearson: None,
            spearman: None,
            kendall: None,
        };
        assert_eq!(panel.correlations, [expected]);
        assert!(
            panel.players.iter().all(|player| player.panel_difference.is_none() && player.rank.is_none())
        );
        assert_eq!(panel.reliability, None);
    }

    #[test]
    fn a_narrowed_panel_keeps_its_means_and_correlations() {
        let of = |judge| tables(judge, &[("A", Some(0.4)), ("B", Some(0.3))]);
        let whole = Panel::from_tables(vec![of("One"), of("Two")], 2);
        let narrowed = whole.narrowed(|name| name == "B");
        assert_eq!(narrowed.players, whole.players[1..]);
        assert_eq!(narrowed.correlations, whole.correlations);
    }

    #[test]
    fn a_panel_of_games_has_each_judges_tables_and_the_shifts_of_their_games() {
        // Three games of two moves each; a judge's evaluations after each ply, White's view.
        let pgn = "[White \"A\"]\n[Black \"B\"]\n[WhiteElo \"2700\"]\n[BlackElo \"2600\"]\n\n1. e4 e5 2. d4 d5 *\n\n";
        let games = |scores: [[i32; 5]; 3]| {
            let parsed = parse_games(&pgn.repeat(3), "test").into_iter().flatten();
            let evaluated = parsed.zip(scores).map(|(game, scores)| {
                let evaluations = scores.map(|cp| Evaluation::of_score(Score::Cp(cp)));
                EvaluatedGame::new(game, evaluations.to_vec())
            });
            evaluated.collect::<Vec<_>>()
        };
        let one = games([[0, 5, 0, 5, 10], [0, 5, 9, 5, 3], [0, -5, -9, -4, -9]]);
        let other = games([[0, 5, 5, 5, 10], [0, -5, 9, 5, 3], [0, -5, -9, -4, 0]]);
        let method = Method::default();
        let panel = Panel::of(&[("One", &one), ("Other", &other)], &BTreeMap::new(), &method);
        for (judge, games) in [(0, &one), (1, &other)] {
            let alone = Tournament::of_sample(&MoveSample::of(games), &BTreeMap::new(), &method);
            for player in &alone.players {
                let found = panel.players.iter().find(|found| found.name == player.name).expect("both");
                let found = found.by_judge[judge].as_ref().expect("both");
                assert_eq!(found.elo_difference.map(|d| d.value), player.elo_difference.map(|d| d.value));
                let ends = |measured: Option<Measured>| measured.and_then(|found| found.intervals.cluster);
                assert_eq!(ends(found.expected_score), ends(player.expected_score));
                assert_eq!(ends(found.performance), ends(player.performance));
            }
            // One: gains of White 5 5, 5 −4, −5 5; of Black 5 −5, −4 2, 4 5. No gain is 0.
            assert_eq!(panel.judges[judge].zero_share, Some([0.0, 2.0 / 12.0][judge]));
        }
        assert_eq!(panel.games, 3);
        assert!(
            panel.players.iter().all(|player| player.panel_difference.is_some_and(|d| d.interval.is_some()))
        );
    }

    proptest! {
        #[test]
        fn a_judge_agrees_with_itself_and_with_others_whoever_comes_first(
            scores in prop::collection::vec((0u32..1000, 0u32..1000), 3..12),
        ) {
            prop_assume!(scores.iter().any(|s| s.0 != scores[0].0) && scores.iter().any(|s| s.1 != scores[0].1));
            let names: Vec<String> = (0..scores.len()).map(|number| format!("P{number}")).collect();
            let of = |judge: &str, score: fn(&(u32, u32)) -> u32| {
                let pairs = names.iter().zip(&scores);
                let pairs: Vec<_> = pairs.map(|(n, s)| (n.as_str(), Some(f64::from(score(s)) / 1000.0))).collect();
                tables(judge, &pairs)
            };
            let (mut a, b) = (of("A", |s| s.0), of("B", |s| s.1));
            let there = Panel::from_tables(vec![a.clone(), b.clone(), a.clone()], 1).correlations;
            for found in [there[1].spearman, there[1].pearson] {
                prop_assert!((found.expect("it varies") - 1.0).abs() < 1e-12);
            }
            // The order of the rows in a report does not matter.
            a.players.reverse();
            let back = Panel::from_tables(vec![b, a], 1).correlations.remove(0);
            prop_assert!((there[0].spearman.expect("it varies") - back.spearman.expect("it varies")).abs() < 1e-12);
            prop_assert_eq!(there[0].kendall, back.kendall);
        }
    }
}
