//! Owns the tables of who can be told from whom: places and pairs, with the verdict in words.

use super::ferreira::{counted, each};
use crate::{
    report::table::{
        MISSING, Screen,
        layout::{Field, Layout, note},
    },
    stats::{bootstrap::Bootstrap, estimate::LEVEL, heterogeneity::Welch},
    text::{counted as count_of, printable, rounded},
    tournament::{PairSummary, PlayerPair, PlayerResult, Tournament},
};

/// More players than this make a matrix that nobody reads in a terminal.
const MATRIX: usize = 16;

/// A p below this tells two players apart.
const SIGNIFICANT: f64 = 1.0 - LEVEL;

/// The places that each player takes as games are drawn anew; `None` without such samples.
pub fn ranks(tournament: &Tournament, screen: Screen) -> Option<String> {
    let players: Vec<&PlayerResult> =
        tournament.players.iter().filter(|player| player.ranks.is_some()).collect();
    let ranked = players.iter().find_map(|player| player.ranks).filter(|ranks| ranks.of > 1)?.of;
    let Bootstrap { samples, seed } = tournament.method.bootstrap;
    let first = |player: &PlayerResult| {
        player.ranks.map_or(MISSING.to_owned(), |ranks| format!("{} %", rounded(100.0 * ranks.first, 1)))
    };
    let places = |player: &PlayerResult| match player.ranks {
        Some(ranks) if ranks.low == ranks.high => ranks.low.to_string(),
        Some(ranks) => format!("{} to {}", ranks.low, ranks.high),
        None => MISSING.to_owned(),
    };
    let note = format!(
        "Among {ranked} players, those with moves in one game only being left out; from {samples} samples of whole \
         games, seed {seed}."
    );
    let layout = Layout {
        title: "Places by expected score, had other games of the same kind been played",
        columns: vec![
            Field::names("Player", each(&players, |player| printable(&player.name))),
            Field::number("Chance of\nbeing first", each(&players, first)),
            Field::number("95 % of\nplaces", each(&players, places)),
        ],
        notes: [vec![note], counted(&tournament.method)].concat(),
    };
    Some(layout.shown(screen))
}

/// The expected score of each player against each other, with the verdict; `None` without a move.
pub fn pairs(tournament: &Tournament, screen: Screen) -> Option<String> {
    let verdict = verdict(tournament)?;
    let moved: Vec<(usize, &PlayerResult)> =
        tournament.players.iter().enumerate().filter(|(_, player)| player.expected_score.is_some()).collect();
    if moved.len() > MATRIX {
        return Some(note(&format!("{verdict} The file of pairs has them all."), screen) + "\n");
    }
    if moved.len() < 2 {
        return Some(note(&verdict, screen) + "\n");
    }
    let number = |place: usize| moved.iter().position(|&(other, _)| other == place).map_or(0, |n| n + 1);
    let names = moved.iter().map(|&(place, player)| format!("{} {}", number(place), printable(&player.name)));
    let mut fields = vec![Field::names("Player", names.collect())];
    for &(column, _) in &moved {
        let cells = moved.iter().map(|&(row, _)| cell(tournament, row, column)).collect();
        fields.push(Field::number(number(column).to_string(), cells));
    }
    let note = "Expected score of the row's player against the column's in percent (Eqs. 7 and 8); * where they can \
                be told apart (Holm-adjusted p below 0.05).";
    let layout = Layout {
        title: "Pairs: each player's gains against each other's",
        columns: fields,
        notes: [vec![note.to_owned(), verdict], counted(&tournament.method)].concat(),
    };
    Some(layout.shown(screen))
}

fn cell(tournament: &Tournament, row: usize, column: usize) -> String {
    let is = |pair: &&PlayerPair| pair.players == [row, column] || pair.players == [column, row];
    let Some(pair) = tournament.pairs.iter().find(is) else { return String::new() };
    let score = if pair.players[0] == row { pair.score } else { 1.0 - pair.score };
    let mark = if pair.is_significant() { "*" } else { "" };
    format!("{}{mark}", rounded(100.0 * score, 1))
}

/// Who can be told from whom among all players, those who are not shown included, in words; `None`
/// where nobody has a move that counts.
pub fn verdict(tournament: &Tournament) -> Option<String> {
    let PairSummary { pairs, apart, smallest } = tournament.pair_summary;
    if pairs == 0 {
        let moved = tournament.players.iter().any(|player| player.moves() > 0);
        return moved.then(|| ONE_PLAYER.to_owned());
    }
    let common =
        tournament.homogeneity.map_or(String::new(), |test| format!(" {}", equal("expected score", test)));
    let of_pairs = count_of(pairs as u64, "pair");
    Some(match (apart, smallest) {
        (_, None) => format!(
            "Nothing can be said of {of_pairs} of players: there are too few games, or games that do not differ."
        ),
        (0, Some(p)) => format!(
            "Nobody can be told from anybody: of {of_pairs} none has a Holm-adjusted p below {SIGNIFICANT:.2} \
             (smallest: {}).{common}",
            p_value(p)
        ),
        (apart, _) => {
            let can = if apart == 1 { "one can" } else { &format!("{apart} can") };
            format!("Of {of_pairs} {can} be told apart (Holm-adjusted p below {SIGNIFICANT:.2}).{common}")
        }
    })
}

const ONE_PLAYER: &str = "One player alone has moves that count: there is nobody to compare with.";

/// Whether one common value of `what` would do for all players, in words.
pub fn equal(what: &str, test: Welch) -> String {
    let would = if test.p < SIGNIFICANT { "would not do" } else { "would do" };
    let left_out = match test.left_out {
        0 => String::new(),
        left_out => format!("; {} left out, {TOO_FEW}", count_of(left_out as u64, "player")),
    };
    format!("One common {what} for all {would} ({}, {}{left_out}).", welch(test), p_equals(test.p))
}

/// Why a player has no part in a test.
pub const TOO_FEW: &str = "with fewer than 5 games or with games that do not differ";

/// The statistic of the test as papers print it.
pub fn welch(test: Welch) -> String {
    format!("Welch's F({}, {}) = {}", test.freedom.0, rounded(test.freedom.1, 1), rounded(test.f, 2))
}

/// A p below this is not told further.
pub const LEAST_P: f64 = 0.001;

/// A p as people read it.
pub fn p_value(p: f64) -> String {
    if p < LEAST_P { "< 0.001".to_owned() } else { rounded(p, 3) }
}

/// The same as part of a sentence.
pub fn p_equals(p: f64) -> String {
    if p < LEAST_P { format!("p {}", p_value(p)) } else { format!("p = {}", p_value(p)) }
}
