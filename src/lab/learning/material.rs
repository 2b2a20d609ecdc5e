//! Owns [`Material`], the preferences that weights are trained on, each game with its weight, and [`TrainedFit`], the result.

use super::preferences::Preferences;

#[derive(Debug, Clone, Copy)]
pub struct Material<'a> {
    pub parts: &'a [&'a Preferences],
    /// How often each game of each part counts; 0 leaves it out.
    pub games: &'a [Vec<f64>],
}

#[derive(Debug, Clone, Copy)]
pub struct MaterialPlace {
    part: u32,
    position: u32,
    /// The number of its first pair among all of the material.
    first_pair: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub struct TrainedFit {
    /// A weight for each feature, in the unit of the objective.
    pub weights: Vec<f64>,
    pub passes: u32,
    /// How far it is from the optimum: the largest projected gradient of the SVM, the length of the gradient of the logit.
    pub violation: f64,
    /// By which share the objective is at most above the least one; of the SVM alone.
    pub duality_gap: Option<f64>,
    pub converged: bool,
}

impl<'a> Material<'a> {
    /// Lists the positions whose games count.
    pub fn places(&self) -> Vec<MaterialPlace> {
        let (mut places, mut before) = (Vec::new(), 0);
        for (part, preferences) in self.parts.iter().enumerate() {
            for position in 0..preferences.positions() {
                if self.games[part][preferences.game(position)] > 0.0 {
                    let first_pair = (before + preferences.pairs_of(position).start) as u32;
                    places.push(MaterialPlace { part: part as u32, position: position as u32, first_pair });
                }
            }
            before += preferences.pairs();
        }
        places
    }

    /// Counts all pairs, those of games that do not count included.
    pub fn all_pairs(&self) -> usize {
        self.parts.iter().map(|part| part.pairs()).sum()
    }

    /// Returns the preferences of a place, its position there, and how often its game counts.
    #[inline(always)]
    pub fn at(&self, place: MaterialPlace) -> (&'a Preferences, usize, f64) {
        let preferences = self.parts[place.part as usize];
        let position = place.position as usize;
        (preferences, position, self.games[place.part as usize][preferences.game(position)])
    }
}

impl MaterialPlace {
    /// Returns the number of the position's first pair among all of the material.
    #[inline(always)]
    pub fn first_pair(self) -> usize {
        self.first_pair as usize
    }
}
