//! The pictures of the reports, as PNG and SVG.

pub mod bar_table;
pub mod canvas;
pub mod chart;
pub mod gains;
pub mod game;
pub mod histogram;
pub mod performance;
#[cfg(feature = "program")]
pub mod png;
pub mod ranking;
pub mod rows;
pub mod scores;
pub mod slope;
pub mod style;
pub mod trend;
pub mod typeface;

use crate::base::text::{counted, cut, printable};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Caption {
    /// The engine and its limit: `Stockfish 15.1, depth 20`.
    pub engine: String,
    /// Number of filters that exclude moves. There is no room for their names.
    pub filters: usize,
}

impl Caption {
    fn field(&self, shown: usize, players: usize) -> String {
        self.after(if shown == players {
            counted(players as u64, "player")
        } else {
            format!("the first {shown} of {players} players")
        })
    }

    pub(super) fn after(&self, text: String) -> String {
        let filters = (self.filters > 0)
            .then(|| format!("{} (see the tables)", counted(self.filters as u64, "filter")));
        let engine = (!self.engine.is_empty()).then(|| cut(&printable(&self.engine), 60));
        [engine, filters].into_iter().flatten().fold(text, |text, more| format!("{text}, {more}"))
    }
}

/// Returns the name as pictures show it: printable, and cut to 48 columns.
pub(super) fn label(name: &str) -> String {
    cut(&printable(name), 48)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;
    use shakmaty::Color;

    use super::{canvas::Drawing, gains::Gains, gains::Scale, *};
    use crate::chess::{Clip, Phase, Score, Valuation};
    use crate::measure::{
        EloOrigin, GameResults, Method, MoveFacts, PlayerElo, PlayerRecord, PlayerResult, Tournament,
    };
    use crate::numbers::{BinWidth, Histogram, Interval, IntervalMethod, stats::estimate::LEVEL};

    /// Returns a field of players with random expected scores and Elo, with and without intervals.
    fn field_of(names: &[String], numbers: &[(u32, u32, bool)]) -> Tournament {
        let records = names.iter().zip(numbers).map(|(name, &(elo, losses, _))| {
            let values = (0..60).map(|place| if place < losses % 60 { -9 } else { 0 });
            PlayerRecord {
                name: name.clone(),
                elo: Some(PlayerElo { value: f64::from(elo), origin: EloOrigin::Tag }),
                results: GameResults { games: 14, unplayed: 0, known: 14, half_points: 14 },
                histogram: Histogram::of(BinWidth::default(), values),
            }
        });
        let mut tournament = Tournament::from_records(records, &Method::default());
        for (player, &(elo, losses, has_interval)) in tournament.players.iter_mut().zip(numbers) {
            let around = |value: f64, reach: f64| Interval {
                standard_error: reach / 2.0,
                low: value - reach,
                high: value + reach,
                level: LEVEL,
                method: IntervalMethod::Normal,
            };
            let reaches = [f64::from(losses % 50) / 200.0, f64::from(elo % 97 * losses)];
            for (measured, reach) in
                [&mut player.expected_score, &mut player.performance].into_iter().zip(reaches)
            {
                let measured = measured.as_mut().filter(|_| has_interval);
                measured.into_iter().for_each(|one| one.intervals.cluster = Some(around(one.value, reach)));
            }
        }
        tournament
    }

    fn game_of(scores: &[i32]) -> Vec<MoveFacts> {
        let said = |cp: i32| Valuation { score: Score::Cp(cp), wdl: None };
        let moves = (0u32..).zip(scores.windows(2));
        let facts = moves.map(|(ply, scores)| MoveFacts {
            factor: 1.0,
            game: 0,
            player: ply % 2,
            mover: if ply % 2 == 0 { Color::White } else { Color::Black },
            number: ply / 2 + 1,
            round: None,
            year: None,
            phase: Phase::Opening,
            forced: false,
            before: Some(said(scores[0])),
            after: said(scores[1]),
            first_choice: None,
            own: None,
            verdict: Default::default(),
        });
        facts.collect()
    }

    /// Returns all pictures of a field with the given names, and of a game between two of its players.
    fn pictures(names: &[String], numbers: &[(u32, u32, bool)], scores: &[i32]) -> Vec<Drawing> {
        let tournament = field_of(names, numbers);
        let players: Vec<&PlayerResult> = tournament.players.iter().collect();
        let gains: Vec<Gains> =
            names.iter().map(|name| Gains::of(name, scores.iter().map(|&cp| (i64::from(cp), 1)))).collect();
        let (scale, caption) = (Scale::of(&gains), Caption { engine: names.concat(), filters: names.len() });
        let text = names.concat();
        let clocks: Vec<_> =
            scores.iter().map(|&cp| u64::try_from(cp).ok().map(Duration::from_secs)).collect();
        let heading = game::Heading { title: text.clone(), caption: text };
        let mut pictures = vec![
            scores::draw(&players, &caption),
            histogram::draw_field(&gains, scale, &caption),
            game::draw(&game_of(scores), &clocks, &heading, Clip::default()),
        ];
        pictures.extend(performance::draw(&players, &caption));
        pictures.extend(
            gains.first().map(|gains| histogram::draw_field(std::slice::from_ref(gains), scale, &caption)),
        );
        pictures
    }

    #[test]
    fn a_name_whose_letters_the_typeface_lacks_is_said_in_a_png_and_stays_in_an_svg() {
        let drawing = |name: &str| {
            Drawing::of((300, 60), "", |canvas| canvas.text(name, (40, 40), style::Type::of(16.0)))
        };
        let height = |drawing: &Drawing| {
            let png = drawing.png(1).expect("a picture");
            u32::from_be_bytes(png[20..24].try_into().expect("four bytes"))
        };
        let (said, plain) = (drawing("丁立人"), drawing("Ding Li Ren"));
        assert_eq!((height(&said), height(&plain)), (84, 60), "a line below says so");
        assert!(said.svg().contains(">丁立人</text>"), "{}", said.svg());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]

        #[test]
        fn no_text_leaves_the_picture_or_covers_another(
            names in prop::collection::btree_set("[W<李]{0,60}[a-zא-ת]{1,9}", 0..50),
            numbers in prop::collection::vec((2400u32..2900, 0u32..1000, any::<bool>()), 50),
            scores in prop::collection::vec(-1500i32..1500, 1..620),
        ) {
            let names: Vec<String> = names.into_iter().collect();
            for picture in pictures(&names, &numbers, &scores) {
                let (texts, paper) = (picture.texts(), picture.paper());
                for (index, (text, frame)) in texts.iter().enumerate() {
                    prop_assert!(frame.is_within(paper), "{text} {frame:?} {paper:?}");
                    for (other, place) in &texts[..index] {
                        prop_assert!(!frame.meets(*place), "{text} {frame:?} and {other} {place:?}");
                    }
                }
            }
        }
    }
}
