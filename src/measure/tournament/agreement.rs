//! Owns [`EngineComparison`]: how far several engines agree on the players of the same games.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Measured, Tournament};
use crate::numbers::{
    Estimate,
    stats::correlation::{kendall, spearman},
};

/// As much of one report as a comparison with others needs.
#[derive(Debug, Clone, PartialEq)]
pub struct EventFinding {
    pub event: String,
    /// Engine, limit and order of the evaluations; `None` where they are not known, or not the same for
    /// all games.
    pub judge: Option<String>,
    pub games: usize,
    /// The engine's strength; `None` when no player with a move has an Elo.
    pub engine_strength: Option<Estimate>,
    pub players: Vec<PlayerFinding>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct PlayerFinding {
    pub name: String,
    /// Place in the order of expected scores, from 1; `None` for a player without a move.
    pub rank: Option<usize>,
    /// The expected score with its interval by cluster; `None` for a player without a move.
    pub expected_score: Option<Measured>,
    pub elo_difference: Option<Measured>,
    /// The engine's strength as seen from this player; `None` without an Elo or a move.
    pub engine_strength: Option<Measured>,
}

impl EventFinding {
    pub fn of(event: &str, judge: Option<String>, games: usize, tournament: &Tournament) -> EventFinding {
        let player = |player: &super::PlayerResult| PlayerFinding {
            name: player.name.clone(),
            rank: player.rank,
            expected_score: player.expected_score,
            elo_difference: player.elo_difference,
            engine_strength: player.engine_strength,
        };
        EventFinding {
            event: event.to_owned(),
            judge,
            games,
            engine_strength: tournament.engine_strength,
            players: tournament.players.iter().map(player).collect(),
        }
    }
}

/// What several engines find in the same games, side by side. Nothing of one engine goes into the
/// numbers of another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EngineComparison {
    pub engines: Vec<EngineFinding>,
    /// In the first engine's order of expected scores, behind them those whom it does not know.
    #[serde(skip)]
    pub players: Vec<ComparedPlayer>,
    /// Each pair of engines, the first one's pairs first.
    pub correlations: Vec<Correlation>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EngineFinding {
    #[serde(rename = "engine")]
    pub name: String,
    pub games: usize,
    /// Its strength; `None` when no player with a move has an Elo.
    #[serde(rename = "engine_strength")]
    pub strength: Option<Estimate>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ComparedPlayer {
    pub name: String,
    /// In the order of the engines; `None` where an engine evaluated none of the player's games.
    pub by_engine: Vec<Option<PlayerFinding>>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Correlation {
    pub engines: [String; 2],
    /// Players with an expected score by both.
    pub players: usize,
    /// Rank correlation ρ; `None` for fewer than two players, or where all have one score.
    pub spearman: Option<f64>,
    /// Rank correlation τ-b, under the same terms.
    pub kendall: Option<f64>,
}

impl EngineComparison {
    /// Returns the engines' findings, each under its engine's name.
    pub fn of(findings: &[(&str, &EventFinding)]) -> EngineComparison {
        let players = side_by_side(findings);
        let pairs = (0..findings.len()).flat_map(|a| (a + 1..findings.len()).map(move |b| [a, b]));
        let names = |engines: [usize; 2]| engines.map(|engine| findings[engine].0.to_owned());
        let correlations = pairs.map(|engines| Correlation::of(names(engines), engines, &players)).collect();
        let engines = findings.iter().map(|&(name, finding)| EngineFinding {
            name: name.to_owned(),
            games: finding.games,
            strength: finding.engine_strength,
        });
        EngineComparison { engines: engines.collect(), players, correlations }
    }

    /// Returns the same with the rows of those players alone whose name `keeps` wants; ranks and correlations
    /// stay those of the whole.
    pub fn narrowed(&self, keeps: impl Fn(&str) -> bool) -> EngineComparison {
        let mut narrowed = self.clone();
        narrowed.players.retain(|player| keeps(&player.name));
        narrowed
    }
}

fn side_by_side(findings: &[(&str, &EventFinding)]) -> Vec<ComparedPlayer> {
    let mut players: Vec<ComparedPlayer> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (engine, (_, finding)) in findings.iter().enumerate() {
        for player in &finding.players {
            let place = *places.entry(&player.name).or_insert_with(|| {
                let by_engine = vec![None; findings.len()];
                players.push(ComparedPlayer { name: player.name.clone(), by_engine });
                players.len() - 1
            });
            players[place].by_engine[engine] = Some(player.clone());
        }
    }
    players
}

impl Correlation {
    fn of(names: [String; 2], engines: [usize; 2], players: &[ComparedPlayer]) -> Correlation {
        let score = |player: &ComparedPlayer, engine: usize| {
            Some(player.by_engine[engine].as_ref()?.expected_score?.value)
        };
        let scores = players.iter().filter_map(|player| {
            let [a, b] = engines.map(|engine| score(player, engine));
            a.zip(b)
        });
        let (a, b): (Vec<f64>, Vec<f64>) = scores.unzip();
        Correlation { engines: names, players: a.len(), spearman: spearman(&a, &b), kendall: kendall(&a, &b) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns players with these expected scores, best first; without one no move was counted.
    fn finding(scores: &[(&str, Option<f64>)]) -> EventFinding {
        let player = |(place, &(name, score)): (usize, &(&str, Option<f64>))| PlayerFinding {
            name: name.to_owned(),
            rank: score.map(|_| place + 1),
            expected_score: score.map(|value| Measured::new(value, 100)),
            elo_difference: None,
            engine_strength: None,
        };
        EventFinding {
            event: "Event".to_owned(),
            judge: None,
            games: 3,
            engine_strength: None,
            players: scores.iter().enumerate().map(player).collect(),
        }
    }

    #[test]
    fn three_engines_by_hand() {
        let first = finding(&[("A", Some(0.4)), ("B", Some(0.3)), ("C", Some(0.2)), ("D", None)]);
        let second = finding(&[("C", Some(0.5)), ("B", Some(0.4)), ("A", Some(0.3))]);
        let third = finding(&[("B", Some(0.9)), ("A", Some(0.8)), ("C", Some(0.1)), ("E", Some(0.05))]);
        let findings = [("One", &first), ("Two", &second), ("Three", &third)];
        let comparison = EngineComparison::of(&findings);
        let names: Vec<&str> = comparison.players.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(names, ["A", "B", "C", "D", "E"]);
        let ranks = |place: usize| -> Vec<Option<usize>> {
            let by_engine = &comparison.players[place].by_engine;
            by_engine.iter().map(|player| player.as_ref().and_then(|player| player.rank)).collect()
        };
        assert_eq!(ranks(0), [Some(1), Some(3), Some(2)]);
        assert_eq!(ranks(3), [None, None, None]);
        assert_eq!(ranks(4), [None, None, Some(4)]);
        // Orders ABC, CBA and BAC of three players: one pair of places exchanged leaves ρ ½ and
        // τ ⅓, all three leave −1, and CBA against BAC has two of three pairs discordant.
        let close = |value: Option<f64>, expected: f64| (value.expect("a value") - expected).abs() < 1e-12;
        let expected = [
            (["One", "Two"], -1.0, -1.0),
            (["One", "Three"], 0.5, 1.0 / 3.0),
            (["Two", "Three"], -0.5, -1.0 / 3.0),
        ];
        for (correlation, (engines, rho, tau)) in comparison.correlations.iter().zip(expected) {
            assert_eq!(
                (correlation.engines.each_ref().map(String::as_str), correlation.players),
                (engines, 3)
            );
            assert!(close(correlation.spearman, rho) && close(correlation.kendall, tau), "{correlation:?}");
        }
    }

    #[test]
    fn one_player_has_no_correlation() {
        let (first, second) = (finding(&[("A", Some(0.4))]), finding(&[("A", Some(0.3)), ("B", Some(0.2))]));
        let comparison = EngineComparison::of(&[("One", &first), ("Two", &second)]);
        let expected = Correlation {
            engines: ["One", "Two"].map(str::to_owned),
            players: 1,
            spearman: None,
            kendall: None,
        };
        assert_eq!(comparison.correlations, [expected]);
    }

    #[test]
    fn a_narrowed_comparison_keeps_its_correlations() {
        let finding = finding(&[("A", Some(0.4)), ("B", Some(0.3))]);
        let whole = EngineComparison::of(&[("One", &finding), ("Two", &finding)]);
        let narrowed = whole.narrowed(|name| name == "B");
        assert_eq!(narrowed.players, whole.players[1..]);
        assert_eq!(narrowed.correlations, whole.correlations);
    }

    proptest! {
        #[test]
        fn an_engine_agrees_with_itself_and_with_others_whoever_comes_first(
            scores in prop::collection::vec((0u32..1000, 0u32..1000), 3..12),
        ) {
            prop_assume!(scores.iter().any(|s| s.0 != scores[0].0) && scores.iter().any(|s| s.1 != scores[0].1));
            let names: Vec<String> = (0..scores.len()).map(|number| format!("P{number}")).collect();
            let of = |score: fn(&(u32, u32)) -> u32| {
                let pairs = names.iter().zip(&scores);
                let pairs: Vec<_> = pairs.map(|(n, s)| (n.as_str(), Some(f64::from(score(s)) / 1000.0))).collect();
                finding(&pairs)
            };
            let (mut a, b) = (of(|s| s.0), of(|s| s.1));
            let there = EngineComparison::of(&[("A", &a), ("B", &b), ("A again", &a)]).correlations;
            prop_assert!((there[1].spearman.expect("it varies") - 1.0).abs() < 1e-12);
            // The order of a report's rows says nothing.
            a.players.reverse();
            let back = EngineComparison::of(&[("B", &b), ("A", &a)]).correlations.remove(0);
            prop_assert!((there[0].spearman.expect("it varies") - back.spearman.expect("it varies")).abs() < 1e-12);
            prop_assert_eq!(there[0].kendall, back.kendall);
        }
    }
}
