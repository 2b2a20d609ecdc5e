use super::*;
use crate::chess::TimeClass;
use crate::measure::{group::Grouping, peers::PlayCounts, peers::ReferencePool};

const KIND: &str = "An engine, depth 10, forward";

fn band(low: u32) -> SpeedAndElo {
    SpeedAndElo::of(Some(TimeClass::Blitz), Some(low), 100)
}

/// Returns a reference with these accuracies of single games, in tenths, for each band. The centipawn loss of
/// each game is 100 minus its accuracy.
fn reference(bands: &[(u32, &[u32])]) -> Reference {
    let group = |(low, values): &(u32, &[u32])| {
        let mut counts = PlayCounts::default();
        for &value in *values {
            counts.add(PlayMeasure::Accuracy, GamePart::Whole, value, 1).expect("an accuracy");
            counts.add(PlayMeasure::CentipawnLoss, GamePart::Whole, 1000 - value, 1).expect("a loss");
        }
        (band(*low).key(), BTreeMap::from([(KIND.to_owned(), counts)]))
    };
    let groups = bands.iter().map(group);
    Reference::new(Grouping::SpeedAndElo(100), true, groups).expect("a reference")
}

fn sides(low: u32, values: &[u32]) -> Vec<PeerSide> {
    let side = |&value: &u32| PeerSide {
        ordinal: value as usize,
        color: Color::White,
        opponent: "Another".to_owned(),
        group: band(low),
        kind: KIND.to_owned(),
        play: SidePlay::from_iter([
            (PlayMeasure::Accuracy, GamePart::Whole, value),
            (PlayMeasure::CentipawnLoss, GamePart::Whole, 1000 - value),
            (PlayMeasure::Accuracy, GamePart::Length(2), value),
        ]),
    };
    values.iter().map(side).collect()
}

#[test]
fn three_games_by_hand() {
    let reference = reference(&[(1700, &[700, 800, 900, 900]), (1800, &[850])]);
    let own = [sides(1700, &[800, 950]), sides(1800, &[850])].concat();
    let ranks = ranks(&own, &reference);
    // 800 is above one of four games and equal to one; 950 is above all; 850 equals the only one: (0.375 + 1
    // + 0.5)/3.
    assert_eq!(ranks.len(), 2);
    for rank in &ranks {
        assert!((rank.above.value - 0.625).abs() < 1e-12, "{rank:?}");
        assert_eq!((rank.games, rank.peer_games), (3, 5));
    }
    assert!((ranks[0].value - 260.0 / 3.0).abs() < 1e-9 && (ranks[1].value - 40.0 / 3.0).abs() < 1e-9);
    assert_eq!(ranks[0].groups, [band(1700), band(1800)]);
}

#[test]
fn one_game_is_as_sure_as_the_others_are_many() {
    let reference = reference(&[(1700, &[100, 200, 300, 400, 500, 600, 700, 800, 900, 1000])]);
    let found = &ranks(&sides(1700, &[750]), &reference)[0];
    assert_eq!(found.above.value, 0.7);
    // A share of 0.7 of ten: √(0.7 · 0.3 / 10) = 0.1449.
    let interval = found.above.interval.expect("an interval");
    assert!((interval.low - (0.7 - 1.959_964 * 0.144_914)).abs() < 1e-5, "{interval:?}");
}

#[test]
fn other_evaluations_ratings_and_places_are_not_compared() {
    let reference = reference(&[(1700, &[700, 800])]);
    let mut own = sides(1700, &[800]);
    own[0].kind = "Another engine".to_owned();
    assert_eq!(ranks(&own, &reference), []);
    assert_eq!(reference.group(Some(TimeClass::Blitz), 1799, true), Some(band(1700)));
    assert_eq!(reference.group(Some(TimeClass::Blitz), 1800, true), None);
    assert_eq!(reference.group(Some(TimeClass::Rapid), 1750, false), None);
    let unknown = SpeedAndElo::of(None, Some(1700), 100);
    let groups = [(unknown.key(), BTreeMap::new())];
    let board = Reference::new(Grouping::SpeedAndElo(100), true, groups)
        .expect("a reference")
        .of_pool(ReferencePool::OverTheBoard);
    for speed in [None, Some(TimeClass::Classical)] {
        assert_eq!(board.group(speed, 1750, false), Some(unknown));
    }
    assert_eq!(board.group(Some(TimeClass::Rapid), 1750, false), None);
    for speed in [None, Some(TimeClass::Classical)] {
        assert_eq!(board.group(speed, 1750, true), None, "a server's ratings are others");
    }
}

#[test]
fn of_usual_players_nineteen_in_twenty_have_a_half_within_their_interval() {
    // An unequal distribution: squared numbers of a linear congruential generator.
    let mut state = 7u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let share = (state >> 11) as f64 / (1u64 << 53) as f64;
        (1000.0 * (1.0 - share * share)) as u32
    };
    let mut within = 0;
    for _ in 0..1000 {
        let others: Vec<u32> = (0..60).map(|_| draw()).collect();
        let own: Vec<u32> = (0..15).map(|_| draw()).collect();
        let found = &ranks(&sides(1700, &own), &reference(&[(1700, &others)]))[0];
        let interval = found.above.interval.expect("an interval");
        within += u32::from((interval.low..=interval.high).contains(&0.5));
    }
    assert!((930..=970).contains(&within), "{within} of 1000");
}

#[test]
fn odds_by_hand() {
    // 3,000 games of 1700 to 1799: accuracies of 0.1 % to 75 % in games of 20 to 29, of 30 to 39, of 40 to 59, and of 60
    // or more moves. 800 games of 1800 to 1899, all with 90 %.
    let mut low = PlayCounts::default();
    for tenths in 1..=750 {
        for class in 1..=4 {
            low.add(PlayMeasure::Accuracy, GamePart::Length(class), tenths, 1).expect("an accuracy");
        }
    }
    let mut high = PlayCounts::default();
    high.add(PlayMeasure::Accuracy, GamePart::Length(2), 900, 800).expect("an accuracy");
    let groups = [(1700, low), (1800, high)]
        .map(|(elo, counts)| (band(elo).key(), BTreeMap::from([(KIND.to_owned(), counts)])));
    let reference = Reference::new(Grouping::SpeedAndElo(100), true, groups).expect("a reference");
    let odds = |elo, tenths, class| {
        reference.odds(&band(elo), KIND, (PlayMeasure::Accuracy, tenths), class).expect("odds")
    };
    // 741 to 750 in three classes of at least 30 moves.
    let found = odds(1700, 741, 2);
    assert_eq!((found.as_good, found.games, found.least_moves, found.elo), (30, 2250, 30, [1700, 1799]));
    assert!((found.share().value - 30.0 / 2250.0).abs() < 1e-12 && !found.is_unusual());
    // 800 games are too few, so the band below joins: 2,250 games, none with 90 %.
    let found = odds(1800, 900, 2);
    assert_eq!((found.as_good, found.games, found.elo), (800, 3050, [1700, 1899]));
    assert!(odds(1700, 751, 1).is_unusual());
    let standing = PeerStanding::of(&sides(1700, &[700, 749, 300]), &reference);
    assert_eq!(standing, None, "whole games are not in this reference");
    assert!(reference.odds(&band(1500), KIND, (PlayMeasure::Blunders, 0), 2).is_none());
    assert!(reference.odds(&band(1400), KIND, (PlayMeasure::Accuracy, 700), 2).is_none(), "too far");
}

#[test]
fn the_most_accurate_games_come_first() {
    let mut counts = PlayCounts::default();
    for part in [GamePart::Whole, GamePart::Length(2)] {
        for tenths in 1..=1000 {
            counts.add(PlayMeasure::Accuracy, part, tenths, 2).expect("an accuracy");
        }
    }
    let groups = [(band(1700).key(), BTreeMap::from([(KIND.to_owned(), counts)]))];
    let reference = Reference::new(Grouping::SpeedAndElo(100), true, groups).expect("a reference");
    let found = PeerStanding::of(&sides(1700, &[700, 995, 300, 990]), &reference).expect("games");
    let order = found.games.iter().map(|game| game.ordinal).collect::<Vec<_>>();
    assert_eq!(order, [995, 990, 700, 300]);
    // 995 to 1000 of 1000 tenths; 990 to 1000 are 11 of 1000, more than 1 in 100.
    let of =
        |ordinal| found.game(ordinal, Color::White).map(|game| (game.odds.as_good, game.odds.is_unusual()));
    assert_eq!([995, 990].map(of), [Some((12, true)), Some((22, false))]);
    assert_eq!(found.game(995, Color::Black), None);
}

#[test]
fn without_counts_by_length_all_games_count() {
    let reference = reference(&[(1700, &[700, 800, 900, 900])]);
    let found = reference.odds(&band(1700), KIND, (PlayMeasure::CentipawnLoss, 100), 3).expect("odds");
    assert_eq!((found.as_good, found.games, found.least_moves), (2, 4, 10));
}
