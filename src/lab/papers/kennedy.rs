//! The numbers of Kennedy's text on ChallengeMate: the counts behind its means, and a test of its spreads.

use super::{
    cell::{Explanation, PaperCell, PaperColumn, PaperTable},
    printed_table::PaperData,
};
use crate::numbers::Homogeneity;

fn printed(data: &PaperData, quantity: &str) -> String {
    let text = &data["text"];
    let row = text.names().iter().position(|name| name == quantity).expect("a quantity of the text");
    text.column("value")[row].clone()
}

fn outcome(data: &PaperData, name: &str) -> OpponentOutcome {
    let number = |quantity: &str| printed(data, quantity).parse().expect("a number in data/papers");
    let [mean, sd] = ["mean", "sd"].map(|what| number(&format!("{name}_{what}")));
    OpponentOutcome { opponents: number("opponents"), games: number("games_per_opponent"), mean, sd }
}

/// The mean and the spread, over opponents, of the counts of one outcome (wins or ties).
#[derive(Debug, Clone, Copy, PartialEq)]
struct OpponentOutcome {
    opponents: f64,
    games: f64,
    mean: f64,
    /// Standard deviation with denominator n − 1.
    sd: f64,
}

impl OpponentOutcome {
    /// Returns the total count: the whole number nearest to the mean times the number of opponents.
    fn count(&self) -> f64 {
        (self.opponents * self.mean).round()
    }

    fn homogeneity(&self) -> Homogeneity {
        let found = Homogeneity::of_spread(self.mean, self.sd, self.opponents, self.games);
        found.expect("two opponents at least")
    }
}

pub fn tables(data: &PaperData) -> Vec<PaperTable> {
    let [wins, ties] = ["wins", "ties"].map(|name| outcome(data, name));
    let losses = wins.opponents * wins.games - wins.count() - ties.count();
    vec![counts(data, [wins, ties], losses), spreads([wins, ties])]
}

fn counts(data: &PaperData, [wins, ties]: [OpponentOutcome; 2], losses: f64) -> PaperTable {
    let mean = |outcome: OpponentOutcome| outcome.count() / outcome.opponents;
    // 13.9166… is truncated, not rounded, in the paper.
    let cut = Explanation { value: Some((mean(ties) * 1000.0).floor() / 1000.0), tolerance: 0.0 };
    let means = vec![
        PaperCell::of(mean(wins), &printed(data, "wins_mean")),
        PaperCell { explanation: Some(cut), ..PaperCell::of(mean(ties), &printed(data, "ties_mean")) },
        PaperCell::unprinted(losses / wins.opponents),
    ];
    PaperTable::new(
        "The text: wins, ties and losses of ChallengeMate",
        "Outcome",
        vec![
            PaperColumn::unprinted("games", 0, [wins.count(), ties.count(), losses]),
            PaperColumn::of_cells("mean of an\nopponent", means),
            PaperColumn::unprinted(
                "share, %",
                1,
                [wins.count(), ties.count(), losses]
                    .map(|count| 100.0 * count / (wins.opponents * wins.games)),
            ),
        ],
        ["wins", "ties", "losses"].map(str::to_owned).into(),
    )
    .noted(format!(
        "Only these whole numbers, of {} games, have the printed means. Known \
             rounding: the mean of ties was cut after its third decimal, not rounded.",
        wins.opponents * wins.games
    ))
}

fn spreads(outcomes: [OpponentOutcome; 2]) -> PaperTable {
    PaperTable::new(
        "The text: is the spread over opponents more than chance?",
        "Outcome",
        vec![
            PaperColumn::unprinted("sd as\nprinted", 3, outcomes.map(|outcome| outcome.sd)),
            PaperColumn::unprinted(
                "sd by\nchance",
                3,
                outcomes.map(|outcome| outcome.homogeneity().sd_by_chance),
            ),
            PaperColumn::unprinted("χ²(11)", 1, outcomes.map(|outcome| outcome.homogeneity().chi_squared)),
            PaperColumn::unprinted("p", 6, outcomes.map(|outcome| outcome.homogeneity().p)),
        ],
        ["wins", "ties"].map(str::to_owned).into(),
    )
    .noted(
        "By chance: √(30·w(1 − w)), where w is the share in all games. Wins vary less between the twelve \
             opponents than by chance alone, which is consistent with the same share of wins against each \
             opponent. Ties vary more than by chance. As wins vary so little, losses must vary too.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::papers::{Paper, VerdictCounts, tally};

    #[test]
    fn the_means_are_of_whole_numbers_of_games() {
        let tables = tables(&Paper::Kennedy2018.data());
        assert_eq!(tally(&tables), VerdictCounts { agreeing: 1, explained: 1, differing: 0 });
        let games: Vec<Option<f64>> = tables[0].columns[0].cells.iter().map(|cell| cell.computed).collect();
        assert_eq!(games, [Some(112.0), Some(167.0), Some(81.0)]);
    }

    #[test]
    fn scipy_has_the_same_chances() {
        // p = 112/360, 167/360; x = 11*sd**2/(30*p*(1-p)); scipy.stats.chi2(11).sf(x)   # scipy 1.17.1
        let data = Paper::Kennedy2018.data();
        for (name, sd, x, p) in FOREIGN {
            let outcome = outcome(&data, name);
            assert!(
                (outcome.homogeneity().sd_by_chance - sd).abs() < 1e-9,
                "{name}: {}",
                outcome.homogeneity().sd_by_chance
            );
            assert!(
                (outcome.homogeneity().chi_squared - x).abs() < 1e-8,
                "{name}: {}",
                outcome.homogeneity().chi_squared
            );
            assert!((outcome.homogeneity().p / p - 1.0).abs() < 1e-6, "{name}: {}", outcome.homogeneity().p);
        }
    }

    const FOREIGN: [(&str, f64, f64, f64); 2] = [
        ("wins", 2.5356714356614956, 6.788680921658986, 0.8159292210184501),
        ("ties", 2.7314610796475995, 39.42318675560796, 4.48797292777294e-05),
    ];

    #[test]
    fn a_wrong_mean_is_found_out() {
        let wrong = Paper::Kennedy2018.data().with("text", 2, "value", "9.433");
        assert_eq!(tally(&tables(&wrong)).differing, 1);
    }
}
