//! [`Material`]: weighted training preferences, and [`TrainedFit`], the result of training.

use super::preferences::Preferences;

#[derive(Debug, Clone, Copy)]
pub struct Material<'a> {
    pub parts: &'a [&'a Preferences],
    /// The weights of games: for each part, one weight per game. Games with weight 0 are not used.
    pub games: &'a [Vec<f64>],
}

#[derive(Debug, Clone, Copy)]
pub struct MaterialPlace {
    part: u32,
    position: u32,
    /// Index of the position's first pair among all pairs of the material.
    first_pair: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub struct TrainedFit {
    /// A weight for each feature, in the unit of the objective.
    pub weights: Vec<f64>,
    pub passes: u32,
    /// Distance from the optimum: the largest projected gradient (SVM), or the length of the gradient (logit).
    pub violation: f64,
    /// Upper bound of the objective's relative distance from the minimum, for the SVM only.
    pub duality_gap: Option<f64>,
    /// Upper bound of the share of pairs that weights trained without the pair would get wrong, for the SVM
    /// only.
    pub leave_one_out: Option<f64>,
    pub converged: bool,
}

impl<'a> Material<'a> {
    /// Lists the positions of games with a weight above 0.
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

    /// Counts all pairs, including pairs of games with weight 0.
    pub fn all_pairs(&self) -> usize {
        self.parts.iter().map(|part| part.pairs()).sum()
    }

    /// Returns the preferences at a place, the index of the position in these preferences, and the weight of
    /// the position's game.
    #[inline(always)]
    pub fn at(&self, place: MaterialPlace) -> (&'a Preferences, usize, f64) {
        let preferences = self.parts[place.part as usize];
        let position = place.position as usize;
        (preferences, position, self.games[place.part as usize][preferences.game(position)])
    }
}

impl MaterialPlace {
    /// Returns the index of the position's first pair among all pairs of the material.
    #[inline(always)]
    pub fn first_pair(self) -> usize {
        self.first_pair as usize
    }
}
