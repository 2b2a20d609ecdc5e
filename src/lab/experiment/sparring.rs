//! [`Sparring`]: evenness of the games of skill functions against opponents of known strength.

use serde::Serialize;

use super::{EntrantAnchor, PairGames, RoundRobin, RoundRobinError, heinz::score_by_games};
use crate::lab::selfplay::results::NamedRecords;
use crate::numbers::{Estimate, Homogeneity, Trend};

/// The range of ratings in which every opponent should have an even game.
pub const RANGE: std::ops::RangeInclusive<f64> = 900.0..=2800.0;

/// Against opponents below this rating, at most a quarter of the games should be drawn.
pub const FEW_DRAWS: f64 = 2200.0;

/// The difference in rating over which a slope is given.
pub const ELO: f64 = 400.0;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Opponent {
    pub name: String,
    /// The opponent's strength by the games between opponents; `None` if no finite strength fits.
    pub elo: Option<Estimate>,
    /// The opponent's points per game against the other opponents, 0 to 1.
    pub scored: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SkillGames {
    pub name: String,
    /// The skill function's games against each opponent, in the opponents' order, from the function's view.
    pub games: Vec<PairGames>,
}

impl SkillGames {
    /// Returns the score against the opponent at `place` with its 95 % interval for independent games.
    pub fn score(&self, place: usize) -> Option<Estimate> {
        score_by_games(self.games[place].record()?)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SkillFinding {
    pub score: f64,
    pub draws: f64,
    /// The share of draws against opponents below [`FEW_DRAWS`]; `None` without such games.
    pub draws_below: Option<f64>,
    /// The lowest and highest score against an opponent within [`RANGE`]; `None` without such an opponent.
    pub extremes: Option<[f64; 2]>,
    /// Homogeneity test of the numbers of wins per match.
    pub wins: Option<Homogeneity>,
    /// Homogeneity test of the numbers of draws per match.
    pub ties: Option<Homogeneity>,
    /// The trend of the score as the opponent's rating rises by [`ELO`], over all rated opponents.
    pub slope: Option<Trend>,
    /// The trend of `slope`, but only over the opponents within [`RANGE`].
    pub slope_within: Option<Trend>,
    pub moves: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Sparring {
    /// The opponents, from the weakest to the strongest. Unrated opponents come first if they scored less
    /// than half of the possible points, otherwise last.
    pub opponents: Vec<Opponent>,
    pub skills: Vec<SkillGames>,
}

impl Sparring {
    /// Computes the results. `strengths` has the games between opponents. `skills` has the name and the games
    /// of each skill function.
    pub fn of(
        strengths: &NamedRecords,
        anchors: &[EntrantAnchor],
        skills: &[(String, NamedRecords)],
    ) -> Result<Sparring, RoundRobinError> {
        let found = RoundRobin::of(strengths.names.clone(), &strengths.records, anchors, None)?;
        let mut places = found.standing();
        places.reverse();
        let opponent = |&place: &usize| Opponent {
            name: found.name(place).to_owned(),
            elo: found.elo(place),
            scored: found.total(place).score(),
        };
        let mut opponents: Vec<Opponent> = places.iter().map(opponent).collect();
        // Opponents that lost every game are below all rated opponents; opponents that won every game are
        // above.
        opponents.sort_by_key(|opponent| match opponent.elo {
            None if opponent.is_below(FEW_DRAWS) => 0,
            Some(_) => 1,
            None => 2,
        });
        let skills = skills.iter().map(|(name, games)| SkillGames::of(name, games, &opponents));
        Ok(Sparring { skills: skills.collect::<Result<_, _>>()?, opponents })
    }

    pub fn finding(&self, skill: &SkillGames) -> SkillFinding {
        let met = || self.opponents.iter().zip(&skill.games);
        let all = skill.games.iter().copied().fold(PairGames::default(), PairGames::with);
        let per_match = f64::from(all.games()) / skill.games.len().max(1) as f64;
        let counts = |of: fn(&PairGames) -> u32| skill.games.iter().map(|games| of(games).into()).collect();
        let (wins, ties): (Vec<f64>, Vec<f64>) = (counts(|games| games.wins), counts(|games| games.draws));
        let within = || met().filter(|(opponent, _)| opponent.is_within());
        let below = met().filter(|(opponent, _)| opponent.is_below(FEW_DRAWS));
        let below = below.fold(PairGames::default(), |sum, (_, games)| sum.with(*games));
        let scores = within().map(|(_, games)| games.score());
        let extremes = scores.fold(None, |ends: Option<[f64; 2]>, score| {
            let [low, high] = ends.unwrap_or([score, score]);
            Some([low.min(score), high.max(score)])
        });
        SkillFinding {
            score: all.score(),
            draws: share_of_draws(&all).unwrap_or_default(),
            draws_below: share_of_draws(&below),
            extremes,
            wins: Homogeneity::of(&wins, per_match),
            ties: Homogeneity::of(&ties, per_match),
            slope: slope(met(), &all),
            slope_within: slope(within(), &all),
            moves: all.mean_moves(),
        }
    }
}

impl Opponent {
    /// Returns whether the opponent is weaker than `elo`. An unrated opponent is weaker if it scored less
    /// than half of the possible points.
    fn is_below(&self, elo: f64) -> bool {
        self.rating().map_or(self.scored < 0.5, |own| own < elo)
    }

    pub fn rating(&self) -> Option<f64> {
        self.elo.map(|elo| elo.value)
    }

    /// Returns whether the opponent's rating is within [`RANGE`], so that games should be even.
    pub fn is_within(&self) -> bool {
        self.rating().is_some_and(|elo| RANGE.contains(&elo))
    }
}

impl SkillGames {
    fn of(name: &str, games: &NamedRecords, opponents: &[Opponent]) -> Result<SkillGames, RoundRobinError> {
        let found = RoundRobin::of(games.names.clone(), &games.records, &[], None)?;
        let place = |name: &str| games.names.iter().position(|other| other == name);
        let met = |opponent: &Opponent| match (place(name), place(&opponent.name)) {
            (Some(skill), Some(other)) => found.meeting(skill, other),
            _ => PairGames::default(),
        };
        Ok(SkillGames { name: name.to_owned(), games: opponents.iter().map(met).collect() })
    }
}

fn share_of_draws(games: &PairGames) -> Option<f64> {
    (games.games() > 0).then(|| f64::from(games.draws) / f64::from(games.games()))
}

/// Returns the change of the score if the opponent's rating rises by [`ELO`]. Each score has the error that
/// it would have if all scores were equal. With its own error, a score near 0 or 1 would have more weight
/// than any other.
fn slope<'a>(met: impl Iterator<Item = (&'a Opponent, &'a PairGames)>, all: &PairGames) -> Option<Trend> {
    let error = all.record()?.three_outcome_error() * f64::from(all.games()).sqrt();
    let point = |(opponent, games): (&Opponent, &PairGames)| {
        let elo = opponent.rating()?;
        Some((elo / ELO, games.score(), error / f64::from(games.games()).sqrt()))
    };
    let points: Vec<(f64, f64, f64)> = met.filter_map(point).collect();
    Trend::of(&points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Ending, GameResult};
    use crate::lab::{selfplay::GameRecord, selfplay::entrants::EntrantNumber};

    /// Returns games between the two players `names`, with alternating colors. `results` are the wins, draws
    /// and losses of the first player.
    fn games(names: [&str; 2], results: [u32; 3]) -> NamedRecords {
        let mut found = NamedRecords { names: names.map(str::to_owned).into(), ..NamedRecords::default() };
        for (result, count) in [1, 0, -1].into_iter().zip(results) {
            for _ in 0..count {
                let game = found.records.len() as u32;
                let white = EntrantNumber(game % 2);
                let is_white = white.0 == 0;
                let result = match result {
                    0 => GameResult::Draw,
                    1 if is_white => GameResult::WhiteWins,
                    -1 if !is_white => GameResult::WhiteWins,
                    _ => GameResult::BlackWins,
                };
                found.records.push(GameRecord {
                    game,
                    white,
                    black: EntrantNumber(1 - white.0),
                    opening: Some(game / 2),
                    result,
                    ending: Ending::Checkmate,
                    plies: 80,
                    line: game.into(),
                });
            }
        }
        found
    }

    fn together(parts: &[NamedRecords]) -> NamedRecords {
        let mut text = Vec::new();
        let mut all = NamedRecords::default();
        for part in parts {
            text.clear();
            crate::lab::selfplay::results::write_entrants(&part.records, &part.names, &mut text)
                .expect("rows");
            all.read(std::str::from_utf8(&text).expect("text")).expect("its own rows");
        }
        all
    }

    /// Returns the games of three opponents: `b` scores three quarters against `a`, and `c` three quarters
    /// against `b`.
    fn strengths() -> NamedRecords {
        together(&[games(["b", "a"], [7, 1, 2]), games(["c", "b"], [7, 1, 2])])
    }

    #[test]
    fn matches_are_told_by_the_strength_of_the_opponent() {
        let anchors = [EntrantAnchor { name: "b".to_owned(), elo: 1500.0 }];
        let even = together(&[
            games(["even", "a"], [6, 2, 2]),
            games(["even", "b"], [5, 0, 5]),
            games(["even", "c"], [2, 2, 6]),
        ]);
        let found = Sparring::of(&strengths(), &anchors, &[("even".to_owned(), even)]).expect("games");
        let names: Vec<&str> = found.opponents.iter().map(|opponent| opponent.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "c"]);
        // 400·log₁₀(0.75/0.25) = 190.85 from one to the next.
        let elos: Vec<f64> = found.opponents.iter().filter_map(Opponent::rating).collect();
        assert!((elos[2] - 1690.85).abs() < 0.01 && (elos[0] - 1309.15).abs() < 0.01, "{elos:?}");
        let finding = found.finding(&found.skills[0]);
        assert!((finding.score - 0.5).abs() < 1e-12 && finding.extremes == Some([0.3, 0.7]));
        assert!((finding.draws - 4.0 / 30.0).abs() < 1e-12 && finding.moves == 40.0);
        // 13 wins of 30: (6, 5, 2) has the mean 13/3 and the variance 13/3.
        let wins = finding.wins.expect("three matches");
        assert!((wins.mean - 13.0 / 3.0).abs() < 1e-12 && (wins.sd.powi(2) - 13.0 / 3.0).abs() < 1e-12);
        // The score falls by 0.4 in 381.7 points.
        let slope = finding.slope.expect("three points").slope;
        assert!((slope.value + 0.4 * 400.0 / 381.70).abs() < 1e-4, "{}", slope.value);
        // Variance of a game: (13·¼ + 13·¼)/30 = 0.21667. Standard error of ten games: 0.1472. It is divided
        // by the spread of ratings, √2·190.85/400.
        let error = slope.interval.expect("an interval").standard_error;
        assert!((error - 0.147_196 / (2f64.sqrt() * 190.85 / 400.0)).abs() < 1e-4, "{error}");
    }

    #[test]
    fn who_has_lost_all_comes_first_and_who_has_won_all_last() {
        let parts = [
            games(["b", "a"], [7, 1, 2]),
            games(["a", "loser"], [10, 0, 0]),
            games(["winner", "b"], [10, 0, 0]),
        ];
        let found = Sparring::of(&together(&parts), &[], &[]).expect("games");
        let names: Vec<&str> = found.opponents.iter().map(|opponent| opponent.name.as_str()).collect();
        assert_eq!(names, ["loser", "a", "b", "winner"]);
        assert_eq!(
            found.opponents.iter().map(|opponent| opponent.elo.is_some()).collect::<Vec<_>>(),
            [false, true, true, false]
        );
    }

    #[test]
    fn who_has_not_played_has_no_finding_and_no_games_are_an_error() {
        let none = Sparring::of(&NamedRecords::default(), &[], &[]);
        assert_eq!(none, Err(RoundRobinError::NoGames));
        let anchors = [EntrantAnchor { name: "z".to_owned(), elo: 1500.0 }];
        assert!(Sparring::of(&strengths(), &anchors, &[]).is_err());
    }
}
