//! The games of `data/calibration`: each set is read completely and agrees with its README.

use std::{collections::BTreeSet, fs, path::Path};

use gainalyze::chess::Game;
use gainalyze::chess::pgn::{parse_games, read_source};
use shakmaty::Color;

const FOLDER: &str = "data/calibration";

/// A row of the README's table of sets.
#[derive(Debug, PartialEq)]
struct SetRow {
    name: String,
    games: usize,
    lowest: u32,
    mean: f64,
    highest: u32,
    players: usize,
    plies: usize,
}

impl SetRow {
    /// Reads a row of the table; `None` for any other line.
    fn parse(line: &str) -> Option<SetRow> {
        let cells: Vec<String> = line.split('|').map(|cell| cell.trim().replace(',', "")).collect();
        let [_, name, games, lowest, mean, highest, players, plies, _, _] = cells.as_slice() else {
            return None;
        };
        let name = name.strip_prefix('`')?.strip_suffix('`')?.to_owned();
        let number = |cell: &String| cell.parse::<u32>().expect("a number");
        let count = |cell: &String| cell.parse::<usize>().expect("a count");
        Some(SetRow {
            name,
            games: count(games),
            lowest: number(lowest),
            mean: f64::from(number(mean)),
            highest: number(highest),
            players: count(players),
            plies: count(plies),
        })
    }

    /// Computes the row of a set from its games.
    fn of(name: &str, games: &[Game]) -> SetRow {
        let sides = || games.iter().flat_map(|game| Color::ALL.map(|color| (game, color)));
        let ratings: Vec<u32> = sides().map(|(game, color)| game.elo(color).expect("a rating")).collect();
        let players: BTreeSet<&str> = sides().map(|(game, color)| game.player(color)).collect();
        SetRow {
            name: name.to_owned(),
            games: games.len(),
            lowest: *ratings.iter().min().expect("two ratings a game"),
            mean: ratings.iter().copied().map(f64::from).sum::<f64>() / ratings.len() as f64,
            highest: *ratings.iter().max().expect("two ratings a game"),
            players: players.len(),
            plies: games.iter().map(|game| game.moves.len()).sum(),
        }
    }
}

fn games_of(name: &str) -> Vec<Game> {
    let path = format!("{FOLDER}/{name}.pgn.zst");
    let text = read_source(&path).expect("a file of the repository");
    let games: Result<Vec<Game>, _> = parse_games(&text, &path).into_iter().collect();
    games.expect("good games alone")
}

#[test]
fn each_set_of_the_calibration_is_read_whole_and_is_what_its_page_says() {
    let page = fs::read_to_string(Path::new(FOLDER).join("README.md")).expect("a page");
    let rows: Vec<SetRow> = page.lines().filter_map(SetRow::parse).collect();
    assert_eq!(rows.len(), 91);
    for told in rows {
        let computed = SetRow::of(&told.name, &games_of(&told.name));
        assert!((computed.mean - told.mean).abs() <= 1.0, "{computed:?}, told {told:?}");
        assert_eq!(SetRow { mean: told.mean, ..computed }, told);
    }
}

#[test]
fn lichess_games_of_the_calibration_have_their_time_control_and_the_players_no_names() {
    for name in [
        "lichess-blitz-2021",
        "lichess-blitz-2025",
        "lichess-bullet-2021",
        "lichess-bullet-2025",
        "lichess-rapid-2021",
        "lichess-rapid-2022",
    ] {
        for game in games_of(name) {
            let control = game.tags.time_control().expect("a time control");
            assert!(game.tags.get("Event").expect("an event").ends_with(control));
            let is_hash = |player: &str| {
                player.strip_prefix('u').is_some_and(|hash| {
                    hash.len() == 10 && hash.chars().all(|digit| digit.is_ascii_hexdigit())
                })
            };
            assert!(Color::ALL.iter().all(|color| is_hash(game.player(*color))), "{}", game.title());
        }
    }
}
