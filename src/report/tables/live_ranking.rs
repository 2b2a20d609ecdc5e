//! Owns the small ranking that is shown while games are still searched.

use crate::{
    report::table::{ColumnPart, EndColumns, Screen, Table},
    tournament::{PlayerResult, Tournament},
};

/// Returns the first `rows` players with a score among those whose name `keeps` wants, a line each below a
/// header: rank, name, expected score with the margin of its 95 % interval, moves that count. Empty
/// where there are none.
///
/// The places are those among all players.
pub fn live_ranking(
    tournament: &Tournament,
    keeps: impl Fn(&str) -> bool,
    rows: usize,
    screen: Screen,
) -> String {
    let scored = tournament.players.iter().filter(|player| player.expected_score.is_some());
    let players: Vec<&PlayerResult> = scored.filter(|player| keeps(&player.name)).take(rows).collect();
    let table = Table::shown(&players)
        .beside("", |player| player.rank)
        .player()
        .part("player", ColumnPart::Names)
        .score(EndColumns::Named)
        .heading("expected score")
        .moves()
        .heading("moves");
    table.layout("", Vec::new()).lines(screen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        stats::histogram::{BinWidth, Histogram},
        text::width,
        tournament::{Method, PlayerRecord},
    };

    fn record(name: &str, gains: &[i64]) -> PlayerRecord {
        let mut histogram = Histogram::new(BinWidth::default());
        gains.iter().for_each(|&gain| histogram.add(gain));
        PlayerRecord { name: name.to_owned(), elo: None, games: 1, half_points: 1, histogram }
    }

    fn shown(rows: usize, columns: u16) -> String {
        let records = [record("李雷", &[5, -5, -5, 0]), record("Anna", &[1, 2]), record("Nobody", &[])];
        let tournament = Tournament::from_records(records, &Method::default());
        live_ranking(&tournament, |_| true, rows, Screen::of_columns(columns))
    }

    #[test]
    fn players_with_moves_are_ranked_in_columns() {
        let lines = [
            "   player  expected score  moves",
            "1  Anna            1.0000      2",
            "2  李雷            0.3750      4",
        ];
        assert_eq!(shown(8, 80), lines.join("\n"));
        assert_eq!(shown(1, 80), lines[..2].join("\n"));
        assert_eq!(shown(0, 80), "");
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        assert!(shown(8, 12).lines().all(|line| width(line) <= 12));
    }
}
