//! The columns of `results.csv`, for the documentation. Runs write this file game by game.

use crate::report::table::{Rows, Table};

pub fn of_entrants() -> Table {
    results(|table| {
        table.column("white", "The entrant with White.", |_| "").column(
            "black",
            "The entrant with Black.",
            |_| "",
        )
    })
}

pub fn of_depths() -> Table {
    results(|table| {
        table
            .column("white", "The side with White: `engine` or `opponent`.", |_| "")
            .column("white_depth", "White's depth in plies.", |_| 0u32)
            .column("black", "The side with Black: `engine` or `opponent`.", |_| "")
            .column("black_depth", "Black's depth in plies.", |_| 0u32)
    })
}

fn results(players: impl FnOnce(Rows<'static, ()>) -> Rows<'static, ()>) -> Table {
    let row = "One row per game, in the order of the schedule; always written as `results.csv`, whatever `--format` says.";
    let game =
        Table::of("results", row, &[])
            .column("game", "Number of the game in the schedule, from 0.", |_| 0u32);
    players(game)
        .column("opening", "Number of the opening; empty for a game from the usual start position.", |_| None::<u32>)
        .column("result", "Result of the game.", |_| "")
        .column("ending", "Ending of the game.", |_| "")
        .column("plies", "Number of moves of both sides.", |_| 0u32)
        .column("line", "Fingerprint of the moves, sixteen hexadecimal digits. Games with equal fingerprints have the same moves.", |_| "")
        .column("digest", "In the last row, a digest (XXH3, 128 bits) of everything before it; empty in all other rows. `--recorded` refuses a file with a wrong digest.", |_| None::<&str>)
        .table()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_of_results_are_those_of_an_experiment_on_disk() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/selfplay-stockfish-15.1/results.csv");
        let text = std::fs::read_to_string(path).expect("the experiment of the repository");
        let header: Vec<&str> = text.lines().next().expect("a header").split(',').collect();
        let frame = of_depths().frame().expect("a frame");
        assert_eq!(header, frame.columns().iter().map(|column| column.name().as_str()).collect::<Vec<_>>());
    }
}
