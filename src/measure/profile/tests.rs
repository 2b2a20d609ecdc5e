use super::*;
use crate::chess::{pgn::parse_games, recorded_evaluations};

/// Returns a game between A and B with these moves and +0.20 at the start.
fn game(date: &str, white: &str, black: &str, result: &str, moves: &str) -> String {
    format!(
        "[Date \"{date}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n[WhiteElo \"2000\"]\n\
         [BlackElo \"1800\"]\n\n{{ [%eval 0.20] }} {moves} {result}\n\n"
    )
}

fn read(text: &str) -> Vec<EvaluatedGame> {
    let games = parse_games(text, "test").into_iter().enumerate().map(|(place, game)| {
        let mut game = game.expect("a legal game");
        game.source.ordinal = place + 1;
        let evaluations = recorded_evaluations(&game, None).expect("every position has one");
        EvaluatedGame::new(game, evaluations)
    });
    games.collect()
}

const LOSES_AS_WHITE: &str = "1. e4 { [%eval -2.00] } e5 { [%eval -2.00] } 2. d4 { [%eval -2.00] }";
const KEEPS_AS_BLACK: &str = "1. e4 { [%eval 0.20] } e5 { [%eval 0.20] }";

fn profile(text: &str, by: &[PlayGrouping]) -> Profile {
    Profile::of(&read(text), "A", None, by, &Method::default())
}

#[test]
fn two_games_by_hand() {
    let text = game("2020.01.01", "A", "B", "0-1", LOSES_AS_WHITE)
        + &game("2021.01.01", "B", "A", "1/2-1/2", KEEPS_AS_BLACK);
    let found = profile(&text, &PlayGrouping::ALL);
    let ProfileRow { games, moves, points, elo, opponents, measures, .. } = found.whole.clone();
    let [centipawn_loss, win_loss] =
        [Statistic::CentipawnLoss, Statistic::WinLoss].map(|statistic| measures.get(statistic));
    assert_eq!((games, moves, points), (2, 3, Some(0.25)));
    assert_eq!((elo, opponents), (Some(1900.0), Some(1900.0)));
    // One move of three loses 215 centipawns, the start counting +0.15, and W(20) − W(−200) = 0.51840 −
    // 0.32380 = 19.46 points.
    assert!((centipawn_loss.expect("moves").value - 215.0 / 3.0).abs() < 1e-9);
    assert!((win_loss.expect("moves").value - 19.460 / 3.0).abs() < 1e-2, "{win_loss:?}");
    let names = |by: PlayGrouping| -> Vec<(String, u64)> {
        let division = found.divisions.iter().find(|division| division.by == by);
        let rows = division.map_or(&[][..], |division| &division.rows);
        rows.iter().map(|row| (row.group.clone(), row.moves)).collect()
    };
    let two = |a: &str, b: &str, moves: [u64; 2]| vec![(a.to_owned(), moves[0]), (b.to_owned(), moves[1])];
    assert_eq!(names(PlayGrouping::Year), two("2020", "2021", [2, 1]));
    assert_eq!(names(PlayGrouping::Color), two("White", "Black", [2, 1]));
    assert_eq!(names(PlayGrouping::Position), two("level (within ±50)", "worse (to −200)", [2, 1]));
    for single in [PlayGrouping::Phase, PlayGrouping::Speed, PlayGrouping::Clock, PlayGrouping::Opening] {
        assert_eq!(names(single), [], "{single}: one group tells no more than all moves, none tells nothing");
    }
    let white =
        &found.divisions.iter().find(|division| division.by == PlayGrouping::Color).expect("colors").rows[0];
    assert_eq!((white.points, white.elo, white.opponents), (Some(0.0), Some(2000.0), Some(1800.0)));
    let costly: Vec<(usize, usize)> =
        found.costliest.iter().map(|costly| (costly.turn.game, costly.turn.ply)).collect();
    assert_eq!(costly, [(0, 0)], "moves that cost nothing are not costly");
}

#[test]
fn the_engines_own_choice_is_no_dear_move() {
    let text = game("2020.01.01", "A", "B", "*", LOSES_AS_WHITE);
    let text = text.replace("[%eval 0.20]", "[%eval 0.20] [%best e2e4]");
    let found = profile(&text, &[]);
    assert_eq!((found.costliest.len(), found.mistakes.len()), (0, 0));
}

#[test]
fn groups_of_a_grouping_add_up_to_all_moves() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("data/candidates-2013-stockfish-15.1-depth-20.pgn");
    let games = read(&std::fs::read_to_string(path).expect("recorded games"));
    let found = Profile::of(&games, "Carlsen, Magnus", None, &PlayGrouping::ALL, &Method::default());
    assert_eq!((found.whole.games, found.whole.moves, found.costliest.len()), (14, 663, 10));
    for division in &found.divisions {
        assert_eq!(division.rows.iter().map(|row| row.moves).sum::<u64>(), 663, "{}", division.by);
        let lost = |row: &ProfileRow| row.measures.value_or_0(Statistic::WinLoss) * row.moves as f64;
        let sum: f64 = division.rows.iter().map(lost).sum();
        assert!((sum - lost(&found.whole)).abs() < 1e-6, "{}: {sum}", division.by);
    }
    let changes: Vec<f64> = found.costliest.iter().map(|costly| costly.turn.change).collect();
    assert!(changes.is_sorted(), "the worst first: {changes:?}");
    // As in quality.csv of the same games: 62.443 % of first choices.
    assert!(
        (found.whole.measures.get(Statistic::FirstChoice).expect("choices are recorded").value - 62.4434)
            .abs()
            < 1e-3
    );
}

#[test]
fn time_is_divided_by_years_where_there_are_three_and_else_by_games() {
    let years = |years: &[&str]| -> String {
        let game = |year: &&str| game(&format!("{year}.05.01"), "A", "B", "*", LOSES_AS_WHITE);
        years.iter().map(game).collect()
    };
    let trend = |text: &str| profile(text, &[]).trend;
    // The order of the file is not that of time.
    let by_years = trend(&years(&["2021", "2019", "2020", "2020"])).expect("three years");
    let names: Vec<&str> = by_years.spans.iter().map(|span| span.name.as_str()).collect();
    assert_eq!((by_years.span, names), (SpanKind::Year, vec!["2019", "2020", "2021"]));
    assert_eq!(by_years.spans[1].games.iter().map(|game| game.number).collect::<Vec<_>>(), [3, 4]);
    let gap = trend(&years(&["2015", "2019", "2020"])).expect("three years");
    assert_eq!(gap.spans.iter().map(|span| span.place).collect::<Vec<_>>(), [2015, 2019, 2020]);
    let times: Vec<f64> = gap.spans.iter().map(|span| span.games[0].time).collect();
    assert_eq!((times[0] * 12.0).round(), 4.0, "four of twelve months are over on the first of May");
    let by_games = trend(&years(&["2020"; 11])).expect("eleven games");
    let sizes: Vec<usize> = by_games.spans.iter().map(|span| span.games.len()).collect();
    assert_eq!((by_games.span, sizes), (SpanKind::Games, vec![5, 6]));
    assert_eq!(trend(&years(&["2020"; 9])), None, "nine games are one span");
}

#[test]
fn a_phase_is_as_accurate_as_its_moves_from_the_last_evaluation_before_it() {
    let knights = ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle();
    let told = |ply: usize, san: &str| {
        let cp = [0.15, -0.85, 1.15][usize::from(ply > 19) + usize::from(ply > 30)];
        format!("{san} {{ [%eval {cp}] }} ")
    };
    let moves: String = knights.take(40).enumerate().map(|(ply, san)| told(ply, san)).collect();
    let text = game("2020.01.01", "A", "B", "1/2-1/2", &moves);
    let found = profile(&text, &[PlayGrouping::Phase]);
    let rows = &found.divisions[0].rows;
    let accuracy = |row: usize| rows[row].measures.get(Statistic::Accuracy).map(|found| found.value);
    // Black loses two pawns at move 16, in the middlegame. Before that only White loses anything, at move 11.
    assert_eq!((rows[0].group.as_str(), rows[1].group.as_str()), ("opening", "middlegame"));
    let games = read(&text);
    let evaluations = games[0].evaluations().after_moves().iter().map(|evaluation| evaluation.score);
    let chances = MoveChances::of_game(games[0].game().movers().zip(evaluations));
    let part = |range: std::ops::Range<usize>| {
        let moves: Vec<MoveChances> = chances[range].iter().copied().flatten().collect();
        GameAccuracy::of_moves(&moves).white
    };
    assert_eq!([accuracy(0), accuracy(1)], [part(0..22), part(22..40)]);
    assert!(accuracy(0) < Some(99.0) && accuracy(1) == Some(100.0), "{:?}", [accuracy(0), accuracy(1)]);
}
