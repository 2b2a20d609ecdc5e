//! The table of moves, in parts, because a million moves take a gigabyte of memory.

use shakmaty::{Color, Position};

use super::players::GAIN_BP;
use crate::chess::{
    Clip, ClockHands, EvaluatedGame, Evaluation, Game, Judgment, Metric, PlayedMove, Score, Wdl, game::fen,
    game::san, pgn::hundredths, win_probability,
};
use crate::measure::{Method, MoveFacts, MoveSample, PlayerSelection, Unit, tournament::player_name};
use crate::report::table::{Rows, Table};

const GAMES_IN_A_PART: usize = 500;

/// Returns the moves of at most 500 games in each part. Without games, there is one empty part.
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

/// Largest number of moves of the engine's line that are kept and shown.
pub(in crate::report) const LINE: usize = 8;

pub(in crate::report) struct MoveRow<'a> {
    game: &'a Game,
    names: [String; 2],
    ply: u64,
    number: u32,
    mover: Color,
    fen: String,
    played: &'a PlayedMove,
    before: Option<&'a Evaluation>,
    best: Option<String>,
    after: Score,
    facts: &'a MoveFacts,
    /// The mover's remaining time after the move, in hundredths of a second.
    left: Option<u32>,
    /// The time spent on the move, in hundredths of a second.
    spent: Option<u32>,
}

impl MoveRow<'_> {
    fn percent(&self, score: Score, clip: Clip) -> f64 {
        let white = win_probability::of_score(score, clip);
        100.0 * self.mover.fold_wb(white, 1.0 - white)
    }
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
    let mut clocks = ClockHands::of(game.tags.time_control());
    for (index, (position, facts)) in game.positions().zip(facts).enumerate() {
        let (mover, played) = (position.turn(), &game.moves[index]);
        let left = played.clock.map(hundredths);
        let by_clock = clocks.spent(mover, left, &mut 0);
        if wanted[usize::from(mover.is_black())] {
            let before = evaluations.at(index);
            rows.push(MoveRow {
                game,
                names: names.clone(),
                ply: index as u64 + 1,
                number: position.fullmoves().get(),
                mover,
                fen: fen(&position),
                played,
                before,
                best: before.and_then(|before| san(&position, before.best?)),
                after: evaluations.after_moves()[index].score,
                facts,
                left,
                spent: played.elapsed.map(hundredths).or(by_clock),
            });
        }
    }
}

pub const MOVES: &str = "moves";

/// Returns the table of moves. If `own`, it includes the engine's own moves.
pub(in crate::report) fn move_table(rows: &[MoveRow<'_>], own: bool, method: &Method) -> Table {
    let row = "One row per move, in the order of the games. Scores are from White's view, gains from the mover's. Chances are in per mille.";
    let table = Table::of(MOVES, row, rows)
        .column("game", "", |row| row.game.source.ordinal)
        .means("Number of the game among all games read, including games left out.")
        .column("round", "Round by the game's tag.", |row| row.game.tags.get("Round"))
        .column("white", "Player with White.", |row| &row.names[0])
        .column("black", "Player with Black.", |row| &row.names[1])
        .column("result", "Result of the game.", |row| row.game.result.to_string())
        .column("ply", "Number of the half-move, from 1.", |row| row.ply)
        .column("move_number", "Number of the full move, as printed in the game.", |row| row.number)
        .column("color", "Side to move: `white` or `black`.", |row| row.mover.fold_wb("white", "black"))
        .column("player", "Player of the move.", |row| &row.names[usize::from(row.mover.is_black())])
        .column("san", "The move in standard algebraic notation.", |row| row.played.san.to_string())
        .column("uci", "The move in the notation of UCI.", |row| row.played.uci.to_string())
        .column("fen", "The position before the move.", |row| &row.fen);
    let table = scores(table, "before", "in the position before the move", |row| Some(row.before?.score));
    let table = scores(table, "after", "in the position after the move", |row| Some(row.after))
        .column("gain_cp", "", |row| row.facts.gain(Metric::Centipawns, method.clip))
        .means("Gain of the move in centipawns, after clipping, the mover's view.")
        .number(
            "win_percent_before",
            Unit::Percent,
            "The mover's chance of winning before the move by lichess's curve. Evaluations are clamped as for gains.",
            |row| Some(row.percent(row.before?.score, method.clip)),
        )
        .number("win_percent_after", Unit::Percent, "", |row| row.percent(row.after, method.clip))
        .means("The mover's chance of winning after the move.")
        .column("centipawn_loss", "", |row| row.facts.verdict.centipawn_loss)
        .means("Loss of the move as lichess counts it; empty for a move that mates.")
        .column("judgement", "The judgment by lichess's rule", |row| row.facts.verdict.judgment.map(Judgment::name))
        .means(": `inaccuracy`, `mistake` or `blunder`. Empty for other moves and for the engine's own choice.")
        .column("best_uci", "", |row| row.before?.best.map(|best| best.to_string()))
        .means("The engine's choice in the position before the move.")
        .column("best_san", "The engine's choice in standard algebraic notation.", |row| row.best.as_deref())
        .column("line_uci", "The engine's expected line in the position before the move, at most eight moves.", |row| {
            let line: Vec<String> = row.before?.pv.iter().take(LINE).map(ToString::to_string).collect();
            (!line.is_empty()).then(|| line.join(" "))
        })
        .column("depth", "Depth of the search of the position before the move, in plies.", |row| row.before?.depth)
        .column("nodes", "Nodes of the search of the position before the move.", |row| row.before?.nodes)
        .column("phase", "", |row| row.facts.phase.to_string())
        .means("Phase of the game before the move: `opening`, `middlegame` or `endgame`.")
        .column("forced", "True if the move was the only legal one.", |row| row.facts.forced)
        .column("counted", "True if the tables count the move.", |row| method.counts(row.facts))
        .clocks(|row| row.left, |row| row.spent);
    let table = chances(table, "before", "before the move", |row| row.facts.before?.wdl);
    let mut table = chances(table, "after", "after the move", |row| row.facts.after.wdl);
    if own {
        let place = "after the engine's own move (written with `--engine-histogram self`)";
        table = scores(table, "own", place, |row| Some(row.facts.own?.score));
        table = table.column(
            "own_gain_cp",
            "Gain of the engine's own move in centipawns; written with `--engine-histogram self`.",
            |row| row.facts.own_gain(Metric::Centipawns, method.clip),
        );
        table = chances(table, "own", place, |row| row.facts.own?.wdl);
    }
    if method.metric != Metric::Centipawns {
        let meaning = "Gain of the move in hundredths of a percentage point; written with `--metric win` and `--metric wdl`.";
        table = table.column(GAIN_BP, meaning, |row| row.facts.gain(method.metric, method.clip));
    }
    table.table()
}

/// Adds a score in centipawns and in moves to mate. `point` begins the names of the columns.
fn scores<'a, 'b>(
    table: Rows<'a, MoveRow<'b>>,
    point: &str,
    place: &str,
    of: fn(&MoveRow<'_>) -> Option<Score>,
) -> Rows<'a, MoveRow<'b>> {
    let centipawns = format!("Score {place} in centipawns, White's view; empty for a mate.");
    let mate = format!(
        "Moves to mate {place}, negative if Black mates, 0 when mate is on the board; empty for centipawns."
    );
    table.column(format!("{point}_cp"), centipawns, move |row| of(row).and_then(Score::cp)).column(
        format!("{point}_mate"),
        mate,
        move |row| of(row).and_then(Score::mate),
    )
}

/// Adds the engine's chances of White's win, a draw and White's loss. `point` begins the columns' names.
pub(in crate::report) fn chances<'a, R>(
    table: Rows<'a, R>,
    point: &str,
    place: &str,
    of: impl Fn(&'a R) -> Option<Wdl> + Copy,
) -> Rows<'a, R> {
    type Share = fn(Wdl) -> u16;
    let parts: [(&str, &str, Share); 3] = [
        ("win", "White's win", |wdl| wdl.win),
        ("draw", "a draw", |wdl| wdl.draw),
        ("loss", "White's loss", |wdl| wdl.loss),
    ];
    parts.into_iter().fold(table, |table, (part, event, share)| {
        let meaning = format!("The engine's chance of {event} {place}, per mille; empty if unknown.");
        table.column(format!("{point}_{part}"), meaning, move |row| of(row).map(|wdl| u32::from(share(wdl))))
    })
}
