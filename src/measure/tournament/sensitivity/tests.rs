//! Tests of the sensitivity analysis: the effect of each choice of method agrees with calculations by hand.

use proptest::prelude::*;

use super::*;
use crate::chess::{EvaluatedGame, Evaluation, Score, Wdl, pgn::parse_games};

fn game(white: &str, black: &str, elo: [&str; 2], scores: &[i32]) -> EvaluatedGame {
    const MOVES: [&str; 8] = ["1. e4", "e5", "2. Nf3", "Nc6", "3. Bb5", "a6", "4. Ba4", "Nf6"];
    let moves = MOVES[..scores.len() - 1].join(" ");
    let [white_elo, black_elo] = elo;
    let pgn = format!(
        "[White \"{white}\"]\n[Black \"{black}\"]\n[WhiteElo \"{white_elo}\"]\n[BlackElo \"{black_elo}\"]\n\n\
         {moves} *\n"
    );
    let game = parse_games(&pgn, "test").remove(0).expect("a game");
    let evaluations = scores.iter().map(|&cp| Evaluation::of_score(Score::Cp(cp)));
    EvaluatedGame::new(game, evaluations.collect::<Vec<_>>())
}

/// Returns the games of two players. Ann gains 4, −3 and 6 (White's view 0 → 4, 9 → 6, 16 → 22), Ben −5 and
/// −10.
fn two_players() -> MoveSample {
    MoveSample::of(&[game("Ann", "Ben", ["2000", "2100"], &[0, 4, 9, 6, 16, 22])])
}

fn of(sample: &MoveSample, base: &Method) -> Sensitivity {
    Sensitivity::of(sample, &BTreeMap::new(), base)
}

fn row<'a>(found: &'a Sensitivity, choice: &str) -> &'a SensitivityRow {
    found.variants.iter().find(|row| row.choice == choice).expect("a variant of that name")
}

#[test]
fn a_band_of_ties_by_hand() {
    let found = of(&two_players(), &Method::default());
    assert_eq!(found.players, ["Ann", "Ben"]);
    assert_eq!(found.base.values, [Some(2.0 / 3.0), Some(0.0)]);
    let tie = row(&found, "tie 5");
    // Ann: ½, ½, 1. Ben: ½, 0.
    assert_eq!(tie.values, [Some(2.0 / 3.0), Some(0.25)]);
    assert_eq!(tie.largest_change, Some((1, 0.25)));
    let spread = tie.spread.expect("players");
    assert!((spread.mean - 11.0 / 24.0).abs() < 1e-12);
    assert_eq!((spread.players, spread.lowest, spread.highest), (2, 0.25, 2.0 / 3.0));
    assert_eq!(tie.agreement, Agreement { spearman: Some(1.0), kendall: Some(1.0) });
    assert_eq!(tie.first, [0]);
    let scored = tie.scored.expect("expected scores");
    assert_eq!(scored.moves, 5);
    // The strength by Ann is 2000 minus her difference, by Ben 2100 minus his. Ben's 0 of 2 moves is bounded
    // to half a move of 3 and becomes ¼.
    let difference = |p: f64| EloCurve::Normal.difference(p);
    let change = (difference(1.0 / 6.0) - difference(0.25)) / 2.0;
    assert!((scored.engine_change.expect("rated players") - change).abs() < 1e-9);
    let wide = row(&found, "tie 20");
    assert_eq!((wide.values.clone(), wide.agreement), (vec![Some(0.5); 2], Agreement::default()));
    assert_eq!(wide.first, [0, 1], "nobody is before the other");
}

#[test]
fn a_measure_of_loss_agrees_where_the_best_lose_least() {
    let found = of(&two_players(), &Method::default());
    let loss = found.statistics.iter().find(|row| row.statistic == Statistic::CentipawnLoss);
    let loss = loss.expect("a known measure");
    // Ann: 11 from +15 to +4, then 3 and 0.
    assert_eq!(loss.values, [Some(14.0 / 3.0), Some(7.5)]);
    assert_eq!(loss.agreement.spearman, Some(1.0));
    assert_eq!((loss.first.as_slice(), loss.scored), (&[0][..], None));
    let unknown = found.statistics.iter().find(|row| row.statistic == Statistic::FirstChoice);
    let unknown = unknown.expect("a known measure");
    assert_eq!((unknown.spread, unknown.first.len()), (None, 0));
}

#[test]
fn what_a_variant_leaves_nobody_is_missing_and_no_number() {
    let found = of(&two_players(), &Method::default());
    let white = row(&found, "color white");
    assert_eq!(white.values, [Some(2.0 / 3.0), None]);
    assert_eq!(white.agreement, Agreement::default());
    let endgame = row(&found, "phase endgame");
    assert_eq!((endgame.spread, endgame.largest_change), (None, None));
    assert_eq!(endgame.scored.expect("expected scores").engine, None);
    let wdl = row(&found, "metric wdl").scored.expect("expected scores");
    assert_eq!((wdl.moves, wdl.without_gain), (0, 5));
}

#[test]
fn one_player_and_nobody_rated_have_what_they_can_have() {
    let sample = MoveSample::of(&[game("?", "?", ["?", "?"], &[0, 4, 9, 6])]);
    let found = of(&sample, &Method::default());
    assert_eq!(found.players, ["?"]);
    let tie = row(&found, "tie 5");
    assert_eq!(tie.agreement, Agreement::default());
    assert_eq!(tie.scored.expect("expected scores").engine_change, None);
    let nobody = of(&MoveSample::of(&[]), &Method::default());
    assert_eq!((nobody.base.spread, nobody.base.first.len()), (None, 0));
}

#[test]
fn every_variant_is_called_by_its_one_choice() {
    let base = Method::default();
    let found = variants(&base, true);
    let names: Vec<String> = found.iter().map(|method| choice(&base, method)).collect();
    let expected = "skip-moves 8; skip-moves 12; max-eval 200; max-eval 500; skip-forced; color white; \
        color black; phase opening; phase middlegame; phase endgame; clip 300; clip 500; clip 2000; bin 5; \
        bin 10; bin 20; tie 5; tie 10; tie 20; tie 50; elo-curve logistic; metric win; metric win, tie 200; \
        metric wdl; engine-histogram self";
    assert_eq!(names.join("; "), expected);
    assert!(variants(&base, false).iter().all(|m| m.engine_histogram == EngineHistogram::Delta));
}

#[test]
fn a_baseline_of_ones_own_is_changed_one_choice_at_a_time_too() {
    let filter = Filter { max_eval: Some(200), phases: vec![Phase::Endgame], ..Filter::default() };
    let base = Method { metric: Metric::WinProbability, band: Band::within(50), filter, ..Method::default() };
    let names: Vec<String> = variants(&base, false).iter().map(|m| choice(&base, m)).collect();
    for name in ["no max-eval", "no phase", "tie 0", "tie 500", "bin 50", "metric cp, tie 0"] {
        assert!(names.iter().any(|other| other == name), "{name} is not in {names:?}");
    }
    assert!(!names.iter().any(|name| name.is_empty() || name == "tie 50"), "{names:?}");
    assert!(!names.iter().any(|name| name == "bin 200"), "a band of 50 is none of its bins: {names:?}");
    assert_eq!(names.iter().filter(|name| *name == "tie 200").count(), 1, "{names:?}");
}

#[test]
fn the_engines_chances_are_taken_where_they_are_known() {
    let plain = game("Ann", "Ben", ["2000", "2100"], &[0, 0, 0]);
    let chances = [500, 520, 500].map(|win| Evaluation {
        wdl: Some(Wdl { win, draw: 0, loss: 1000 - win }),
        ..Evaluation::of_score(Score::DRAW)
    });
    let known = EvaluatedGame::new(plain.game().clone(), chances.to_vec());
    let found = of(&MoveSample::of(&[known]), &Method::default());
    assert_eq!(found.base.values, [Some(0.5), Some(0.5)]);
    assert_eq!(row(&found, "metric wdl").values, [Some(1.0), Some(1.0)]);
}

proptest! {
    #[test]
    fn a_variant_is_what_its_method_gives_as_a_baseline(
        scores in prop::collection::vec(-400i32..400, 2..9), tie in 0u32..30,
    ) {
        let sample = MoveSample::of(&[game("Ann", "Ben", ["2000", "?"], &scores)]);
        let found = of(&sample, &Method { band: Band::within(tie), ..Method::default() });
        for variant in &found.variants {
            let alone = of(&sample, &variant.method);
            let places = found.players.iter().map(|player| alone.players.iter().position(|p| p == player));
            let values: Vec<_> = places.map(|place| alone.base.values[place.expect("a player")]).collect();
            prop_assert_eq!(&variant.values, &values);
            let engine = |row: &SensitivityRow| row.scored.and_then(|scored| scored.engine);
            prop_assert_eq!(engine(variant), engine(&alone.base));
            prop_assert!(variant.agreement.spearman.is_none_or(|rho| (-1.0..=1.0).contains(&rho)));
        }
    }
}
