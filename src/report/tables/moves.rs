//! Owns the files of games and of their moves, the latter in parts: a million moves fill a gigabyte.

use shakmaty::{ByColor, Chess, Color, Position};

use super::players::GAIN_BP;
use crate::{
    app::players::PlayerSelection,
    evaluated_game::{EvaluatedGame, JUDGE},
    evaluation::{Evaluation, Wdl},
    gain::Metric,
    game::{Game, PlayedMove, fen},
    judgement::Judgement,
    report::table::{Quantity, Rows, Table},
    score::Score,
    tournament::{Method, MoveSample, facts::MoveFacts, player_name},
};

/// Games whose moves are in memory at a time.
const GAMES_IN_A_PART: usize = 500;

/// Returns one row a move, in the order of the games. The rows come in parts of some hundred games, one at least.
pub fn moves<'a>(
    games: &'a [EvaluatedGame],
    sample: &'a MoveSample,
    method: &'a Method,
    selection: &'a PlayerSelection,
) -> impl Iterator<Item = Table> + 'a {
    let own = sample.moves.iter().any(|facts| facts.own.is_some());
    let mut facts = sample.moves.iter();
    let empty = games.is_empty().then_some(games);
    games.chunks(GAMES_IN_A_PART).chain(empty).map(move |games| {
        let mut rows = Vec::new();
        for game in games {
            let facts = facts.by_ref().take(game.game().moves.len());
            add_moves(&mut rows, game, facts, selection);
        }
        move_table(&rows, own, method)
    })
}

/// What a row of the table of moves follows from.
pub(in crate::report) struct MoveRow<'a> {
    game: &'a Game,
    names: [String; 2],
    ply: u64,
    number: u32,
    mover: Color,
    fen: String,
    played: &'a PlayedMove,
    before: Option<&'a Evaluation>,
    after: Score,
    facts: &'a MoveFacts,
}

fn add_moves<'a>(
    rows: &mut Vec<MoveRow<'a>>,
    evaluated: &'a EvaluatedGame,
    facts: impl Iterator<Item = &'a MoveFacts>,
    selection: &PlayerSelection,
) {
    let (game, evaluations) = (evaluated.game(), evaluated.evaluations());
    let names = [Color::White, Color::Black].map(|color| player_name(game, color));
    let wanted = names.clone().map(|name| selection.has(&name));
    for (index, (position, facts)) in game.positions().zip(facts).enumerate() {
        let mover = position.turn();
        if wanted[usize::from(mover.is_black())] {
            rows.push(MoveRow {
                game,
                names: names.clone(),
                ply: index as u64 + 1,
                number: position.fullmoves().get(),
                mover,
                fen: fen(&position),
                played: &game.moves[index],
                before: evaluations.at(index),
                after: evaluations.after_moves()[index].score,
                facts,
            });
        }
    }
}

/// Returns the table of moves: with what was said of the engine's `own` moves, and gains in the unit of the method's metric.
pub(in crate::report) fn move_table(rows: &[MoveRow<'_>], own: bool, method: &Method) -> Table {
    let row = "One row a move, in the order of the games. Scores are White's view, gains the mover's; chances are per mille.";
    let table = Table::of("moves", row, rows)
        .column("game", "Number of the game among all that were read, those left out included.", |row| {
            row.game.source.ordinal
        })
        .column("round", "Round by the game's tag.", |row| row.game.tags.get("Round"))
        .column("white", "Who plays White.", |row| &row.names[0])
        .column("black", "Who plays Black.", |row| &row.names[1])
        .column("result", "Result of the game.", |row| row.game.result.to_string())
        .column("ply", "Number of the move among those of both sides, from 1.", |row| row.ply)
        .column("move_number", "Number of the move as games are printed.", |row| row.number)
        .column("color", "Who moves: `white` or `black`.", |row| row.mover.fold_wb("white", "black"))
        .column("player", "Who moves.", |row| &row.names[usize::from(row.mover.is_black())])
        .column("san", "The move in standard algebraic notation.", |row| row.played.san.to_string())
        .column("uci", "The move in the notation of UCI.", |row| row.played.uci.to_string())
        .column("fen", "The position before the move.", |row| &row.fen);
    let table = scores(table, "before", "in the position before the move", |row| Some(row.before?.score));
    let table = scores(table, "after", "in the position after the move", |row| Some(row.after))
        .column("gain_cp", "Gain of the move in centipawns, after clipping, the mover's view.", |row| {
            row.facts.gain(Metric::Centipawns, method.clip)
        })
        .column(
            "judgement",
            "What lichess calls it: `inaccuracy`, `mistake` or `blunder`; empty of other moves and of the engine's own choice.",
            |row| row.facts.verdict.judgement.map(Judgement::name),
        )
        .column("best_uci", "The engine's choice in the position before the move.", |row| {
            row.before?.best.map(|best| best.to_string())
        })
        .column("depth", "Depth of the search of that position in plies.", |row| row.before?.depth)
        .column("nodes", "Nodes of that search.", |row| row.before?.nodes)
        .column("phase", "Phase of the game before the move: `opening`, `middlegame` or `endgame`.", |row| {
            row.facts.phase.to_string()
        })
        .column("forced", "Whether the move was the only legal one.", |row| row.facts.forced)
        .column("counted", "Whether the tables count the move.", |row| method.counts(row.facts));
    let table = chances(table, "before", |row| row.facts.before?.wdl);
    let mut table = chances(table, "after", |row| row.facts.after.wdl);
    if own {
        let place = "after the engine's own move, where that is known";
        table = scores(table, "own", place, |row| Some(row.facts.own?.score));
        table = table.column(
            "own_gain_cp",
            "Gain of the engine's own move in centipawns; there where it is known.",
            |row| row.facts.own_gain(Metric::Centipawns, method.clip),
        );
        table = chances(table, "own", |row| row.facts.own?.wdl);
    }
    if method.metric != Metric::Centipawns {
        let meaning = "Gain of the move in hundredths of a percentage point; there with another metric than centipawns alone.";
        table = table.column(GAIN_BP, meaning, |row| row.facts.gain(method.metric, method.clip));
    }
    table.table()
}

/// Adds the score of one position of a move: in centipawns, or in moves to mate.
fn scores<'a, 'b>(
    table: Rows<'a, MoveRow<'b>>,
    point: &str,
    place: &str,
    of: fn(&MoveRow<'_>) -> Option<Score>,
) -> Rows<'a, MoveRow<'b>> {
    let centipawns = format!("Score {place} in centipawns, White's view; empty for a mate.");
    let mate = format!(
        "Moves to mate {place}, negative where Black mates, 0 when mate is on the board; empty for centipawns."
    );
    table.column(format!("{point}_cp"), centipawns, move |row| of(row).and_then(Score::cp)).column(
        format!("{point}_mate"),
        mate,
        move |row| of(row).and_then(Score::mate),
    )
}

/// Adds the engine's chances at one point of a move.
fn chances<'a, 'b>(
    table: Rows<'a, MoveRow<'b>>,
    point: &str,
    of: fn(&MoveRow<'_>) -> Option<Wdl>,
) -> Rows<'a, MoveRow<'b>> {
    type Share = fn(Wdl) -> u16;
    let parts: [(&str, &str, Share); 3] = [
        ("win", "White's win", |wdl| wdl.win),
        ("draw", "a draw", |wdl| wdl.draw),
        ("loss", "White's loss", |wdl| wdl.loss),
    ];
    parts.into_iter().fold(table, |table, (part, event, share)| {
        let meaning = format!("The engine's chance of {event} per mille, where it is known.");
        table.column(format!("{point}_{part}"), meaning, move |row| of(row).map(|wdl| u32::from(share(wdl))))
    })
}

/// What a row of the table of games follows from.
pub(in crate::report) struct GameRow<'a> {
    game: &'a Game,
    names: ByColor<String>,
    gains: ByColor<Option<f64>>,
    accuracy: ByColor<Option<f64>>,
}

/// Returns one row a game, in the order of the files.
pub fn games(
    games: &[EvaluatedGame],
    sample: &MoveSample,
    method: &Method,
    selection: &PlayerSelection,
) -> Table {
    let mut rows = Vec::new();
    for (index, evaluated) in games.iter().enumerate() {
        let game = evaluated.game();
        let names = ByColor::new_with(|color| player_name(game, color));
        if names.iter().any(|name| selection.has(name)) {
            let appearances = &sample.appearances[2 * index..2 * index + 2];
            let accuracy = ByColor { white: appearances[0].accuracy, black: appearances[1].accuracy };
            rows.push(GameRow { game, names, gains: sample.mean_gains(index, method), accuracy });
        }
    }
    game_table(&rows)
}

pub(in crate::report) fn game_table(rows: &[GameRow<'_>]) -> Table {
    let start =
        |row: &GameRow<'_>| Some(fen(&row.game.start)).filter(|start| *start != fen(&Chess::default()));
    let table = Table::of("games", "One row a game, in the order of the files.", rows)
        .column("game", "Number of the game among all that were read, as in the table of moves.", |row| {
            row.game.source.ordinal
        })
        .column("event", "Event by the game's tag.", |row| row.game.tags.get("Event"))
        .column("site", "Site by the game's tag.", |row| row.game.tags.get("Site"))
        .column("date", "Date by the game's tag.", |row| row.game.tags.get("Date"))
        .column("round", "Round by the game's tag.", |row| row.game.tags.get("Round"))
        .column("white", "Who plays White.", |row| &row.names.white)
        .column("black", "Who plays Black.", |row| &row.names.black);
    let table = Color::ALL.into_iter().fold(table, |table, color| {
        let (key, name) = color.fold_wb(("white_elo", "White"), ("black_elo", "Black"));
        let meaning = format!("Rating of {name} by the game's tag, in Elo points.");
        table.column(key, meaning, move |row| row.game.elo(color).map(u64::from))
    });
    let table = table
        .column("result", "Result of the game.", |row| row.game.result.to_string())
        .column("plies", "Moves of both sides.", |row| row.game.moves.len())
        .column("start_fen", "Start position; empty for the usual one.", start);
    let table = Color::ALL.into_iter().fold(table, |table, color| {
        let (key, name) = color.fold_wb(("white_mean_gain_cp", "White"), ("black_mean_gain_cp", "Black"));
        let meaning = format!("Mean gain of {name}'s moves that count, after clipping.");
        table.number(key, Quantity::Centipawns, meaning, move |row| row.gains[color])
    });
    let table = Color::ALL.into_iter().fold(table, |table, color| {
        let (key, name) = color.fold_wb(("white_accuracy", "White"), ("black_accuracy", "Black"));
        let meaning = format!("{name}'s accuracy over the whole game, as lichess has it.");
        table.number(key, Quantity::Percent, meaning, move |row| row.accuracy[color])
    });
    table
        .column("evaluated_by", "Who gave the evaluations that the file records, where it tells.", |row| {
            row.game.tags.get(JUDGE)
        })
        .table()
}
