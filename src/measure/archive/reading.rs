//! Reading of a block of games, with the fast reader if possible and the careful reader otherwise.

use shakmaty::{ByColor, Color, Position};

use super::{
    clip_table::ClipTable, facts::GameFacts, facts::LeftOut, facts::LeftOutReason, facts::Replayed,
    facts::replay, game_counts::GameCounts, options::CountOptions,
};
use crate::chess::{
    Date, Evaluation, FastGame, FastMove, Game, GameReader, GameResult, Headers, MoveText, Phase, Refusal,
    Repairs, Score, evaluated_game::LICHESS, evaluated_game::judge_by_tags, evaluated_game::judge_of_game,
    game::read_elo, game::read_event, game::read_fide_id, game::read_round, pgn::hundredths,
    pgn::odd_evaluations, pgn::player_eval, recorded_evaluations, time_control::read_time_control,
};

/// The outcome of a game.
#[derive(Debug, Clone, PartialEq)]
pub enum GameOutcome {
    /// The game is counted, unless it is a copy of an earlier game.
    Counted(Box<GameCounts>),
    /// The game is a copy of a counted game. [`super::read_archive`] detects copies; [`read_block`] does not,
    /// because it does not know the games of other blocks.
    Copy,
    /// The game is not chosen.
    Refused(Refusal),
    /// The game is chosen but cannot be counted.
    LeftOut(LeftOut),
}

/// Reads the games of `text`, which begins with a game. If the file is `torn` at the end of the text, a last
/// game without a clear end is left out.
pub fn read_block(text: &str, torn: bool, options: &CountOptions, scale: &ClipTable) -> Vec<GameOutcome> {
    let mut fast = FastGame::default();
    read_games(text, torn, options, scale, |at| read_fast(text, at, &mut fast, options, scale))
}

/// Reads the games like [`read_block`], but reads all of them with the careful reader, for tests.
pub fn read_block_with_care(
    text: &str,
    torn: bool,
    options: &CountOptions,
    scale: &ClipTable,
) -> Vec<GameOutcome> {
    read_games(text, torn, options, scale, |_| None)
}

/// Returns the outcomes of the games of `text`. `quick` takes the offset of a game and returns the game's end
/// and outcome, or `None` if the careful reader must read the game.
fn read_games(
    text: &str,
    torn: bool,
    options: &CountOptions,
    scale: &ClipTable,
    mut quick: impl FnMut(usize) -> Option<(usize, GameOutcome)>,
) -> Vec<GameOutcome> {
    let (mut items, mut at) = (Vec::new(), 0);
    loop {
        if let Some((end, item)) = quick(at) {
            items.push(item);
            at = end;
            continue;
        }
        let mut games = GameReader::from(text, "", at).of_selection(&options.selection);
        let mut refusal = None;
        let game = games.next_wanted(|headers| {
            refusal = options.refusal(headers);
            true
        });
        let Some(game) = game else { return items };
        at = games.reached();
        let cut_off = torn && games.is_open();
        items.push(match (refusal, game) {
            (Some(refusal), _) => GameOutcome::Refused(refusal),
            (None, _) if cut_off => GameOutcome::LeftOut(LeftOutReason::CutOff.into()),
            (None, Ok(game)) => of_game(&game, options, scale),
            (None, Err(bad)) => {
                GameOutcome::LeftOut(LeftOut { reason: LeftOutReason::Unreadable, bad: Some(Box::new(bad)) })
            }
        });
    }
}

/// Returns the end and the outcome of the game at `at`; `None` if the careful reader must read the game.
fn read_fast<'a>(
    text: &'a str,
    at: usize,
    fast: &mut FastGame<'a>,
    options: &'a CountOptions,
    scale: &ClipTable,
) -> Option<(usize, GameOutcome)> {
    let end = fast.read(text, at)?;
    let fast = &*fast;
    let headers = headers(fast, options);
    let tag = |name| match name {
        "White" => Some(headers.white),
        "Black" => Some(headers.black),
        "TimeControl" => headers.time_control,
        _ => fast.tag(name),
    };
    let is_plain = || !fast.has_depths && fast.moves.iter().any(|played| played.eval.is_some());
    let judge = judge_by_tags(tag, is_plain);
    let rated = options.rated_kind(judge, &tag);
    let facts = GameFacts {
        headers,
        tag: &tag,
        titles: ByColor { white: fast.tag("WhiteTitle"), black: fast.tag("BlackTitle") },
        round: fast.tag("Round").and_then(read_round),
        first: Color::White,
        first_number: 1,
        start_eval: fast.start_eval,
        moves: &fast.moves,
        move_text: &fast.move_text,
        board: Replayed::default(),
        has_player_evals: fast.has_player_evals,
        odd_evals: fast.odd_evals,
        repairs: Repairs::default(),
        judge,
        choices: Vec::new(),
        rated,
    };
    if let Some(refusal) = options.refusal(&facts.headers) {
        return Some((end, GameOutcome::Refused(refusal)));
    }
    if judge.is_some_and(|judge| judge != LICHESS) && (options.quantiles || rated.is_some()) {
        // Top moves need the board and the engine's lines in comments. The fast reader skips both.
        return None;
    }
    let board = board(&fast.moves, options, rated.is_some())?;
    Some((end, item(&GameFacts { board, ..facts }, options, scale)))
}

/// Returns the facts that depend on the board. Replays the moves only if necessary. Returns `None` if the
/// careful reader must read the game: after an illegal move or a false mark of mate, or if only the rules
/// determine the final score.
fn board(moves: &[FastMove<'_>], options: &CountOptions, is_rated: bool) -> Option<Replayed> {
    let Some((last, others)) = moves.split_last() else { return Some(Replayed::default()) };
    // Most games of an archive have no evaluations. Such games do not count, so their board is not needed.
    let is_evaluated = others.iter().all(|played| played.eval.is_some());
    let needs_board = is_rated || options.needs_board();
    if options.check_moves || needs_board && is_evaluated {
        return replay(moves, needs_board, options.method.filter.skip_forced);
    }
    if last.san.ends_with('#') {
        let mated = if others.len() % 2 == 0 { Color::Black } else { Color::White };
        return Some(Replayed { end: Some(Score::checkmate(mated)), positions: Vec::new() });
    }
    // A stalemate has no evaluation and no mark.
    let open_end = last.eval.is_none() && others.last().is_some_and(|before| before.eval.is_some());
    (!open_end).then(Replayed::default)
}

fn headers<'a>(fast: &FastGame<'a>, options: &'a CountOptions) -> Headers<'a> {
    let player = |name: &str| fast.tag(name).map_or("?", |name| options.selection.aliases.canonical(name));
    let elo = |name: &str| fast.tag(name).and_then(read_elo);
    let id = |name: &str| fast.tag(name).and_then(read_fide_id);
    Headers {
        white: player("White"),
        black: player("Black"),
        fide_ids: ByColor { white: id("WhiteFideId"), black: id("BlackFideId") },
        elo: ByColor { white: elo("WhiteElo"), black: elo("BlackElo") },
        date: Date::of_tags(|name| fast.tag(name)),
        event: read_event(|name| fast.tag(name)),
        time_control: read_time_control(|name| fast.tag(name)),
        written_control: None,
        result: fast.result.unwrap_or(GameResult::Unknown),
        round: fast.tag("Round").and_then(read_round),
        start: None,
    }
}

/// Returns the outcome of a game that the careful reader has read.
fn of_game(game: &Game, options: &CountOptions, scale: &ClipTable) -> GameOutcome {
    let tag = |name: &str| game.tags.get(name);
    let judge = judge_of_game(game);
    let rated = options.rated_kind(judge, &tag);
    let sans: Vec<String> = game.moves.iter().map(|played| played.san.to_string()).collect();
    let moves = game.moves.iter().zip(&sans).map(|(played, san)| FastMove {
        san,
        eval: played.eval.map(|eval| eval.score),
        clock: played.clock.map(hundredths),
        elapsed: played.elapsed.map(hundredths),
    });
    let mut positions = Vec::new();
    let mut end = None;
    for (index, position) in game.positions().enumerate() {
        if index == game.moves.len() {
            end = Evaluation::terminal(&position).map(|terminal| terminal.score);
        } else if options.needs_board() || rated.is_some() {
            positions.push((Phase::of(&position), position.legal_moves().len() == 1));
        }
    }
    let facts = GameFacts {
        headers: Headers::of_game(game),
        tag: &tag,
        titles: ByColor { white: game.tags.get("WhiteTitle"), black: game.tags.get("BlackTitle") },
        round: game.tags.round(),
        first: game.start.turn(),
        first_number: game.start.fullmoves().get(),
        start_eval: game.start_eval.map(|eval| eval.score),
        moves: &moves.collect::<Vec<_>>(),
        move_text: &MoveText::of(game),
        board: Replayed { end, positions },
        has_player_evals: player_eval(game).is_some(),
        odd_evals: u32::try_from(odd_evaluations(game).count()).unwrap_or(u32::MAX),
        repairs: game.repairs,
        judge,
        choices: if options.quantiles || rated.is_some() { choices(game) } else { Vec::new() },
        rated,
    };
    item(&facts, options, scale)
}

/// Returns, for each move, whether it is the engine's best move; `None` if no best move is recorded. Empty if
/// an evaluation is missing.
fn choices(game: &Game) -> Vec<Option<bool>> {
    let Ok(evaluations) = recorded_evaluations(game, None) else { return Vec::new() };
    let best = |ply| evaluations.at(ply).and_then(|before| before.best);
    let moves = game.moves.iter().enumerate();
    moves.map(|(ply, played)| best(ply).map(|best| best == played.uci)).collect()
}

fn item(facts: &GameFacts<'_>, options: &CountOptions, scale: &ClipTable) -> GameOutcome {
    // Most games of an archive have no evaluations, and their moves need no digest.
    if options.selection.filter.sample.is_some() && !options.selection.filter.sampled(facts.fingerprint()) {
        return GameOutcome::Refused(Refusal::Sample);
    }
    match GameCounts::of(facts, options, scale) {
        Ok(entry) => GameOutcome::Counted(entry),
        Err(reason) => GameOutcome::LeftOut(reason.into()),
    }
}
