//! Owns the results as data frames: one row type a table, whatever file it is written to.

use polars::prelude::{Column, DataFrame, PolarsResult};
use shakmaty::{ByColor, Chess, Color, Position};

pub use crate::app::players::PlayerSelection as Selection;
use crate::{
    evaluated_game::{EvaluatedGame, JUDGE},
    evaluation::{Evaluation, Wdl},
    gain::Metric,
    game::{Game, fen},
    score::Score,
    stats::estimate::Estimate,
    tournament::{
        Intervals, Measured, Method, MoveSample, PlayerPair, PlayerResult, Ranks, Tournament,
        facts::MoveFacts,
        kept::{KeptRow, ScoreKept},
        player_name,
        repeatability::Repeatability,
        sensitivity::{Sensitivity, SensitivityRow},
        splits::SplitRow,
        statistics::{Statistic, StatisticRow},
    },
};

/// One row a player, in the tournament's order:
/// `player, elo, games, points, moves, positive, zero, negative, expected_score, elo_difference,
/// engine_strength, performance`, then for each of `expected_score`, `elo_difference` and
/// `performance` the columns `…_se, …_low, …_high` (by cluster) and `…_boot_low, …_boot_high`
/// (by bootstrap), then `score_against_zero` with `…_se, …_low, …_high`, then `first, rank_low,
/// rank_high, filter`.
///
/// Ratings and differences are in Elo points; `positive`, `zero` and `negative` count moves;
/// `first` is a share of samples; `filter` names what was left out and is empty when all moves
/// count; what is unknown is null.
pub fn players(tournament: &Tournament, selection: &Selection) -> PolarsResult<DataFrame> {
    let players = selection.of(tournament);
    let float = |name: &str, value: fn(&PlayerResult) -> Option<f64>| {
        Column::new(name.into(), players.iter().map(|player| value(player)).collect::<Vec<_>>())
    };
    let count = |name: &str, value: fn(&PlayerResult) -> u64| {
        Column::new(name.into(), players.iter().map(|player| value(player)).collect::<Vec<_>>())
    };
    let rank = |name: &str, value: fn(&Ranks) -> usize| {
        let ranks = players.iter().map(|player| player.ranks.as_ref().map(|ranks| value(ranks) as u64));
        Column::new(name.into(), ranks.collect::<Vec<_>>())
    };
    let intervals = |name: &str, value: fn(&PlayerResult) -> Option<Measured>| -> [Column; 5] {
        let column = |suffix: &str, end: fn(Intervals) -> Option<f64>| {
            let cells = players
                .iter()
                .map(|player| value(player).and_then(|measured| end(measured.intervals)))
                .collect::<Vec<_>>();
            Column::new(format!("{name}_{suffix}").into(), cells)
        };
        [
            column("se", |i| Some(i.cluster?.standard_error)),
            column("low", |i| Some(i.cluster?.low)),
            column("high", |i| Some(i.cluster?.high)),
            column("boot_low", |i| Some(i.bootstrap?.low)),
            column("boot_high", |i| Some(i.bootstrap?.high)),
        ]
    };
    let mut columns = vec![
        Column::new("player".into(), players.iter().map(|player| player.name.as_str()).collect::<Vec<_>>()),
        float("elo", |player| player.elo.map(|elo| elo.value)),
        count("games", |player| player.games.into()),
        float("points", |player| Some(player.points())),
        count("moves", PlayerResult::moves),
        count("positive", |player| player.histogram.signs().positive),
        count("zero", |player| player.histogram.signs().zero),
        count("negative", |player| player.histogram.signs().negative),
        float("expected_score", |player| player.expected_score.map(|score| score.value)),
        float("elo_difference", |player| player.elo_difference.map(|difference| difference.value)),
        float("engine_strength", |player| Some(player.engine_strength?.value)),
        float("performance", |player| Some(player.performance?.value)),
    ];
    columns.extend(intervals("expected_score", |player| player.expected_score));
    columns.extend(intervals("elo_difference", |player| player.elo_difference));
    columns.extend(intervals("performance", |player| player.performance));
    columns.extend([
        float("score_against_zero", |player| Some(player.against_zero?.value)),
        float("score_against_zero_se", |player| Some(player.against_zero?.interval?.standard_error)),
        float("score_against_zero_low", |player| Some(player.against_zero?.interval?.low)),
        float("score_against_zero_high", |player| Some(player.against_zero?.interval?.high)),
        float("first", |player| player.ranks.map(|ranks| ranks.first)),
        rank("rank_low", |ranks| ranks.low),
        rank("rank_high", |ranks| ranks.high),
        filter(players.len(), &tournament.method),
    ]);
    DataFrame::new_infer_height(columns)
}

/// The column that names the filters in force.
pub(super) fn filter(rows: usize, method: &Method) -> Column {
    Column::new("filter".into(), vec![method.filter.names().join("; "); rows])
}

/// One row a pair of players, in the order of expected scores:
/// `player, opponent, expected_score, expected_score_se, z, p, p_holm, filter`.
pub fn pairs(tournament: &Tournament, selection: &Selection) -> PolarsResult<DataFrame> {
    let names = |pair: &PlayerPair| pair.players.map(|place| tournament.players[place].name.as_str());
    let shown = |pair: &&PlayerPair| names(pair).iter().any(|name| selection.has(name));
    let pairs: Vec<&PlayerPair> = tournament.pairs.iter().filter(shown).collect();
    let float = |name: &str, value: fn(&PlayerPair) -> Option<f64>| {
        Column::new(name.into(), pairs.iter().map(|pair| value(pair)).collect::<Vec<_>>())
    };
    DataFrame::new_infer_height(vec![
        Column::new("player".into(), pairs.iter().map(|pair| names(pair)[0]).collect::<Vec<_>>()),
        Column::new("opponent".into(), pairs.iter().map(|pair| names(pair)[1]).collect::<Vec<_>>()),
        float("expected_score", |pair| Some(pair.score)),
        float("expected_score_se", |pair| pair.standard_error),
        float("z", |pair| pair.z),
        float("p", |pair| pair.p),
        float("p_holm", |pair| pair.p_holm),
        filter(pairs.len(), &tournament.method),
    ])
}

/// One row a player, best first: `rank, player, games, score_kept, score_kept_se, …_low, …_high`, the
/// same of `elo_difference`, `performance, performance_se, …_low, …_high, filter`.
pub fn score_kept(kept: &ScoreKept, method: &Method, selection: &Selection) -> PolarsResult<DataFrame> {
    let rows: Vec<&KeptRow> = kept.rows.iter().filter(|row| selection.has(&row.player)).collect();
    let games = rows.iter().map(|row| row.score.observations as u64).collect::<Vec<_>>();
    let scores: Vec<_> = rows.iter().map(|row| Some(row.score)).collect();
    let differences: Vec<_> = rows.iter().map(|row| Some(row.elo_difference)).collect();
    let performances: Vec<_> = rows.iter().map(|row| row.performance).collect();
    let mut columns = vec![
        Column::new("rank".into(), rows.iter().map(|row| row.rank as u64).collect::<Vec<_>>()),
        Column::new("player".into(), rows.iter().map(|row| row.player.as_str()).collect::<Vec<_>>()),
        Column::new("games".into(), games),
    ];
    columns.extend(estimated("score_kept", "score_kept_", &scores));
    columns.extend(estimated("elo_difference", "elo_difference_", &differences));
    columns.extend(estimated("performance", "performance_", &performances));
    columns.push(filter(rows.len(), method));
    DataFrame::new_infer_height(columns)
}

/// One row a player and measure: `player, statistic, value, se, low, high, observations, filter`;
/// what cannot be had is null. Accuracy is of whole games, so that only filters of games stand there.
pub fn statistics(rows: &[StatisticRow], method: &Method, selection: &Selection) -> PolarsResult<DataFrame> {
    let rows: Vec<&StatisticRow> = rows.iter().filter(|row| selection.has(&row.player)).collect();
    let mut columns = vec![
        Column::new("player".into(), rows.iter().map(|row| row.player.as_str()).collect::<Vec<_>>()),
        Column::new("statistic".into(), rows.iter().map(|row| row.statistic.name()).collect::<Vec<_>>()),
    ];
    let estimates: Vec<Option<Estimate>> = rows.iter().map(|row| row.estimate).collect();
    columns.extend(estimated("value", "", &estimates));
    let counts = estimates.iter().map(|estimate| estimate.map(|estimate| estimate.observations as u64));
    columns.push(Column::new("observations".into(), counts.collect::<Vec<_>>()));
    let (of_moves, of_games) =
        (method.filter.names().join("; "), method.filter.of_games().names().join("; "));
    let filters = rows.iter().map(|row| match row.statistic {
        Statistic::Accuracy => of_games.as_str(),
        _ => of_moves.as_str(),
    });
    columns.push(Column::new("filter".into(), filters.collect::<Vec<_>>()));
    DataFrame::new_infer_height(columns)
}

/// One row a player and class of moves: `split, class, player, moves, expected_score,
/// expected_score_se, expected_score_low, expected_score_high` and the same of `elo_difference`,
/// then `filter`.
pub fn splits(rows: &[SplitRow], method: &Method, selection: &Selection) -> PolarsResult<DataFrame> {
    let rows: Vec<&SplitRow> = rows.iter().filter(|row| selection.has(&row.player)).collect();
    let text = |name: &str, value: fn(&SplitRow) -> &str| {
        Column::new(name.into(), rows.iter().map(|row| value(row)).collect::<Vec<_>>())
    };
    let mut columns = vec![
        text("split", |row| row.split.name()),
        text("class", |row| &row.class),
        text("player", |row| &row.player),
        Column::new("moves".into(), rows.iter().map(|row| row.moves).collect::<Vec<_>>()),
    ];
    let scores: Vec<_> = rows.iter().map(|row| row.expected_score).collect();
    columns.extend(estimated("expected_score", "expected_score_", &scores));
    let differences: Vec<_> = rows.iter().map(|row| row.elo_difference).collect();
    columns.extend(estimated("elo_difference", "elo_difference_", &differences));
    columns.push(filter(rows.len(), method));
    DataFrame::new_infer_height(columns)
}

/// The columns of value, standard error, lower and upper end.
pub(super) fn estimated(value: &str, prefix: &str, estimates: &[Option<Estimate>]) -> [Column; 4] {
    let column = |name: String, of: fn(Estimate) -> Option<f64>| {
        let cells = estimates.iter().map(|estimate| estimate.and_then(of)).collect::<Vec<_>>();
        Column::new(name.into(), cells)
    };
    [
        column(value.to_owned(), |estimate| Some(estimate.value)),
        column(format!("{prefix}se"), |estimate| Some(estimate.interval?.standard_error)),
        column(format!("{prefix}low"), |estimate| Some(estimate.interval?.low)),
        column(format!("{prefix}high"), |estimate| Some(estimate.interval?.high)),
    ]
}

/// One row a choice of method, the base line first, then one of the score kept and one a known
/// measure, by the base line:
/// `statistic, choice, players, moves, mean, lowest, highest, largest_change, changed_player,
/// spearman, kendall, first, engine_strength, engine_strength_low, engine_strength_high,
/// engine_strength_change, without_gain, filter`.
///
/// `choice` says what is other than in the base line and is empty there; `players` have the number
/// that `mean`, `lowest` and `highest` are of; several who are `first` stand between semicolons.
pub fn sensitivity(found: &Sensitivity) -> PolarsResult<DataFrame> {
    let rows: Vec<&SensitivityRow> =
        std::iter::once(&found.base).chain(&found.variants).chain(&found.statistics).collect();
    let text = |name: &str, cell: &dyn Fn(&SensitivityRow) -> Option<String>| {
        Column::new(name.into(), rows.iter().map(|row| cell(row)).collect::<Vec<_>>())
    };
    let float = |name: &str, value: fn(&SensitivityRow) -> Option<f64>| {
        Column::new(name.into(), rows.iter().map(|row| value(row)).collect::<Vec<_>>())
    };
    let count = |name: &str, value: fn(&SensitivityRow) -> Option<u64>| {
        Column::new(name.into(), rows.iter().map(|row| value(row)).collect::<Vec<_>>())
    };
    let names = |places: &[usize]| {
        places.iter().map(|&place| found.players[place].as_str()).collect::<Vec<_>>().join("; ")
    };
    DataFrame::new_infer_height(vec![
        text("statistic", &|row| Some(row.statistic.name().to_owned())),
        text("choice", &|row| Some(row.choice.clone())),
        count("players", |row| Some(row.spread.map_or(0, |spread| spread.players as u64))),
        count("moves", |row| Some(row.scored?.moves)),
        float("mean", |row| Some(row.spread?.mean)),
        float("lowest", |row| Some(row.spread?.lowest)),
        float("highest", |row| Some(row.spread?.highest)),
        float("largest_change", |row| Some(row.largest_change?.1)),
        text("changed_player", &|row| Some(names(&[row.largest_change?.0]))),
        float("spearman", |row| row.agreement.spearman),
        float("kendall", |row| row.agreement.kendall),
        text("first", &|row| (!row.first.is_empty()).then(|| names(&row.first))),
        float("engine_strength", |row| Some(row.scored?.engine?.value)),
        float("engine_strength_low", |row| Some(row.scored?.engine?.interval?.low)),
        float("engine_strength_high", |row| Some(row.scored?.engine?.interval?.high)),
        float("engine_strength_change", |row| row.scored?.engine_change),
        count("without_gain", |row| Some(row.scored?.without_gain)),
        text("filter", &|row| Some(row.method.filter.names().join("; "))),
    ])
}

/// One row a choice of method and player, in the base line's order:
/// `choice, player, expected_score, expected_score_change, filter`.
pub fn sensitivity_players(found: &Sensitivity) -> PolarsResult<DataFrame> {
    let (mut choices, mut players, mut scores, mut changes, mut filters) =
        (vec![], vec![], vec![], vec![], vec![]);
    for row in std::iter::once(&found.base).chain(&found.variants) {
        let filter = row.method.filter.names().join("; ");
        for ((player, &score), &base) in found.players.iter().zip(&row.values).zip(&found.base.values) {
            choices.push(row.choice.as_str());
            players.push(player.as_str());
            scores.push(score);
            changes.push(score.zip(base).map(|(score, base)| score - base));
            filters.push(filter.clone());
        }
    }
    DataFrame::new_infer_height(vec![
        Column::new("choice".into(), choices),
        Column::new("player".into(), players),
        Column::new("expected_score".into(), scores),
        Column::new("expected_score_change".into(), changes),
        Column::new("filter".into(), filters),
    ])
}

/// One row a number of the players that two runs have: `statistic, choice, games, players, pearson,
/// pearson_low, pearson_high, spearman, mean_difference, filter`, `choice` as in [`sensitivity`].
pub fn repeatability(rows: &[Repeatability], games: usize) -> PolarsResult<DataFrame> {
    let text = |name: &str, cell: fn(&Repeatability) -> String| {
        Column::new(name.into(), rows.iter().map(cell).collect::<Vec<_>>())
    };
    let float = |name: &str, value: fn(&Repeatability) -> Option<f64>| {
        Column::new(name.into(), rows.iter().map(value).collect::<Vec<_>>())
    };
    DataFrame::new_infer_height(vec![
        text("statistic", |row| row.statistic.name().to_owned()),
        text("choice", |row| row.choice.clone()),
        Column::new("games".into(), vec![games as u64; rows.len()]),
        Column::new("players".into(), rows.iter().map(|row| row.players as u64).collect::<Vec<_>>()),
        float("pearson", |row| Some(row.pearson?.value)),
        float("pearson_low", |row| Some(row.pearson?.interval?.low)),
        float("pearson_high", |row| Some(row.pearson?.interval?.high)),
        float("spearman", |row| row.spearman),
        float("mean_difference", |row| row.mean_difference),
        text("filter", |row| row.method.filter.names().join("; ")),
    ])
}

/// One row a bin that is not empty, from the lowest up, player by player in the tournament's
/// order, and at last those of the engine's own gains, where they are known, under the name
/// [`ENGINE`]: `player, gain_cp, count, probability, filter`, where `gain_cp` is the bin's centre.
/// Gains of probability are `gain_bp`, in hundredths of a percentage point.
pub fn histograms(tournament: &Tournament, selection: &Selection) -> PolarsResult<DataFrame> {
    let players =
        selection.of(tournament).into_iter().map(|player| (player.name.as_str(), &player.histogram));
    let engine = tournament.engine.iter().map(|engine| (ENGINE, &engine.histogram));
    let (mut names, mut centres, mut counts, mut probabilities) = (vec![], vec![], vec![], vec![]);
    for (name, histogram) in players.chain(engine) {
        let Some(distribution) = histogram.distribution() else { continue };
        for (centre, count) in histogram.bins() {
            names.push(name);
            centres.push(centre);
            counts.push(count);
            probabilities.push(distribution.share(count));
        }
    }
    let gain = if tournament.method.metric == Metric::Centipawns { "gain_cp" } else { GAIN_BP };
    let filter = filter(names.len(), &tournament.method);
    DataFrame::new_infer_height(vec![
        Column::new("player".into(), names),
        Column::new(gain.into(), centres),
        Column::new("count".into(), counts),
        Column::new("probability".into(), probabilities),
        filter,
    ])
}

/// Stands for the engine where players have their names; a player named so is told by the order:
/// the engine comes last.
pub const ENGINE: &str = "(engine)";

/// The column of gains of probability, in hundredths of a percentage point.
const GAIN_BP: &str = "gain_bp";

/// One row a move, in the order of the games:
/// `game, round, white, black, result, ply, move_number, color, player, san, uci, fen, before_cp,
/// before_mate, after_cp, after_mate, gain_cp, best_uci, depth, nodes, phase, forced, counted,
/// before_win, before_draw, before_loss, after_win, after_draw, after_loss`, and where they are
/// known `own_cp, own_mate, own_gain_cp, own_win, own_draw, own_loss`, and with gains of probability
/// `gain_bp`.
///
/// `game` is the game's number among all that were read, those left out included. The evaluations
/// before and after the move, and after the engine's own (`own`), are White's view: centipawns, or
/// moves to mate (negative when Black mates, 0 when mate is on the board), the other of the two
/// being null; chances are per mille. Gains are the mover's view, after clipping. `fen`,
/// `best_uci`, `depth`, `nodes`, `phase` and `forced` are those of the position before the move.
///
/// The rows come in parts of some hundred games, one at least: a million moves fill a gigabyte.
pub fn moves<'a>(
    games: &'a [EvaluatedGame],
    sample: &'a MoveSample,
    method: &'a Method,
    selection: &'a Selection,
) -> impl Iterator<Item = PolarsResult<DataFrame>> + 'a {
    let own = sample.moves.iter().any(|facts| facts.own.is_some());
    let mut facts = sample.moves.iter();
    let empty = games.is_empty().then_some(games);
    games.chunks(GAMES_IN_A_PART).chain(empty).map(move |games| {
        let mut rows = Moves::default();
        for game in games {
            let facts = facts.by_ref().take(game.game().moves.len());
            rows.add_game(game.game().source.ordinal as u64, game, facts, method, selection);
        }
        rows.into_frame(own, method)
    })
}

/// One row a game, in the order of the files: `game, event, site, date, round, white, black,
/// white_elo, black_elo, result, plies, start_fen, white_mean_gain_cp, black_mean_gain_cp,
/// white_accuracy, black_accuracy, evaluated_by`.
///
/// `game` is the number that [`moves`] has. Ratings are the tags of the game; `start_fen` is null for
/// the usual start position. Mean gains are of the moves that count, after clipping; an accuracy is
/// that of the whole game, whatever counts. `evaluated_by` is who gave the evaluations that the game's
/// file records, where it tells.
pub fn games(
    games: &[EvaluatedGame],
    sample: &MoveSample,
    method: &Method,
    selection: &Selection,
) -> PolarsResult<DataFrame> {
    let mut rows = Vec::new();
    for (index, evaluated) in games.iter().enumerate() {
        let game = evaluated.game();
        let gains = sample.mean_gains(index, method);
        let names = ByColor::new_with(|color| player_name(game, color));
        if names.iter().any(|name| selection.has(name)) {
            let appearances = &sample.appearances[2 * index..2 * index + 2];
            let accuracy = ByColor { white: appearances[0].accuracy, black: appearances[1].accuracy };
            rows.push(GameRow { game, names, gains, accuracy });
        }
    }
    let tag = |name: &str| {
        let cells = rows.iter().map(|row| row.game.tags.get(name).map(str::to_owned)).collect::<Vec<_>>();
        Column::new(name.to_lowercase().into(), cells)
    };
    let text = |name: &str, cell: &dyn Fn(&GameRow<'_>) -> Option<String>| {
        Column::new(name.into(), rows.iter().map(cell).collect::<Vec<_>>())
    };
    let count = |name: &str, cell: &dyn Fn(&GameRow<'_>) -> Option<u64>| {
        Column::new(name.into(), rows.iter().map(cell).collect::<Vec<_>>())
    };
    let float = |name: &str, cell: &dyn Fn(&GameRow<'_>) -> Option<f64>| {
        Column::new(name.into(), rows.iter().map(cell).collect::<Vec<_>>())
    };
    let elo = |row: &GameRow<'_>, color| row.game.elo(color).map(u64::from);
    DataFrame::new_infer_height(vec![
        count("game", &|row| Some(row.game.source.ordinal as u64)),
        tag("Event"),
        tag("Site"),
        tag("Date"),
        tag("Round"),
        text("white", &|row| Some(row.names.white.clone())),
        text("black", &|row| Some(row.names.black.clone())),
        count("white_elo", &|row| elo(row, Color::White)),
        count("black_elo", &|row| elo(row, Color::Black)),
        text("result", &|row| Some(row.game.result.to_string())),
        count("plies", &|row| Some(row.game.moves.len() as u64)),
        text("start_fen", &|row| Some(fen(&row.game.start)).filter(|start| *start != fen(&Chess::default()))),
        float("white_mean_gain_cp", &|row| row.gains.white),
        float("black_mean_gain_cp", &|row| row.gains.black),
        float("white_accuracy", &|row| row.accuracy.white),
        float("black_accuracy", &|row| row.accuracy.black),
        text("evaluated_by", &|row| row.game.tags.get(JUDGE).map(str::to_owned)),
    ])
}

/// What a row of the table of games follows from.
struct GameRow<'a> {
    game: &'a Game,
    names: ByColor<String>,
    gains: ByColor<Option<f64>>,
    accuracy: ByColor<Option<f64>>,
}

/// Games whose moves are in memory at a time.
const GAMES_IN_A_PART: usize = 500;

/// The columns of the moves while they grow.
#[derive(Default)]
struct Moves {
    game: Vec<u64>,
    round: Vec<Option<String>>,
    white: Vec<String>,
    black: Vec<String>,
    result: Vec<String>,
    ply: Vec<u64>,
    move_number: Vec<u32>,
    color: Vec<&'static str>,
    player: Vec<String>,
    san: Vec<String>,
    uci: Vec<String>,
    fen: Vec<String>,
    before_cp: Vec<Option<i32>>,
    before_mate: Vec<Option<i32>>,
    after_cp: Vec<Option<i32>>,
    after_mate: Vec<Option<i32>>,
    gain_cp: Vec<Option<i64>>,
    best_uci: Vec<Option<String>>,
    depth: Vec<Option<u32>>,
    nodes: Vec<Option<u64>>,
    phase: Vec<String>,
    forced: Vec<bool>,
    counted: Vec<bool>,
    before_wdl: Vec<Option<Wdl>>,
    after_wdl: Vec<Option<Wdl>>,
    own: Vec<Option<Score>>,
    own_wdl: Vec<Option<Wdl>>,
    own_gain_cp: Vec<Option<i64>>,
    gain_bp: Vec<Option<i64>>,
}

impl Moves {
    fn add_game<'a>(
        &mut self,
        number: u64,
        evaluated: &EvaluatedGame,
        facts: impl Iterator<Item = &'a MoveFacts>,
        method: &Method,
        selection: &Selection,
    ) {
        let game = evaluated.game();
        let names = Color::ALL.map(|color| (color, player_name(game, color)));
        let evaluations = evaluated.evaluations();
        let wanted = names.iter().any(|(_, name)| selection.has(name));
        for (index, (position, facts)) in game.positions().zip(facts).enumerate() {
            let name = &names[usize::from(position.turn().is_black())].1;
            if wanted && selection.has(name) {
                self.add_game_of_move(number, game, [&names[0].1, &names[1].1]);
                self.add_move(index, game, &position, name);
                self.add_evaluations(evaluations.at(index), evaluations.after_moves()[index].score);
                self.add_facts(facts, method);
            }
        }
    }

    fn add_game_of_move(&mut self, number: u64, game: &Game, [white, black]: [&String; 2]) {
        self.game.push(number);
        self.round.push(game.tags.get("Round").map(str::to_owned));
        self.white.push(white.clone());
        self.black.push(black.clone());
        self.result.push(game.result.to_string());
    }

    fn add_move(&mut self, index: usize, game: &Game, position: &Chess, player: &str) {
        let played = &game.moves[index];
        self.ply.push(index as u64 + 1);
        self.move_number.push(position.fullmoves().get());
        self.color.push(position.turn().fold_wb("white", "black"));
        self.player.push(player.to_owned());
        self.san.push(played.san.to_string());
        self.uci.push(played.uci.to_string());
        self.fen.push(fen(position));
    }

    fn add_evaluations(&mut self, before: Option<&Evaluation>, after: Score) {
        self.before_cp.push(before.and_then(|before| before.score.cp()));
        self.before_mate.push(before.and_then(|before| before.score.mate()));
        self.after_cp.push(after.cp());
        self.after_mate.push(after.mate());
        self.best_uci.push(before.and_then(|before| before.best).map(|best| best.to_string()));
        self.depth.push(before.and_then(|before| before.depth));
        self.nodes.push(before.and_then(|before| before.nodes));
    }

    fn add_facts(&mut self, facts: &MoveFacts, method: &Method) {
        self.gain_cp.push(facts.gain(Metric::Centipawns, method.clip));
        self.phase.push(facts.phase.to_string());
        self.forced.push(facts.forced);
        self.counted.push(method.counts(facts));
        self.before_wdl.push(facts.before.and_then(|before| before.wdl));
        self.after_wdl.push(facts.after.wdl);
        self.own.push(facts.own.map(|own| own.score));
        self.own_wdl.push(facts.own.and_then(|own| own.wdl));
        self.own_gain_cp.push(facts.own_gain(Metric::Centipawns, method.clip));
        self.gain_bp.push(facts.gain(method.metric, method.clip));
    }

    fn into_frame(self, own: bool, method: &Method) -> PolarsResult<DataFrame> {
        let chances = |name: &str, wdl: &[Option<Wdl>], part: fn(Wdl) -> u16| {
            Column::new(
                name.into(),
                wdl.iter().map(|wdl| wdl.map(|wdl| u32::from(part(wdl)))).collect::<Vec<_>>(),
            )
        };
        let mut more = vec![
            Column::new("phase".into(), self.phase),
            Column::new("forced".into(), self.forced),
            Column::new("counted".into(), self.counted),
            chances("before_win", &self.before_wdl, |wdl| wdl.win),
            chances("before_draw", &self.before_wdl, |wdl| wdl.draw),
            chances("before_loss", &self.before_wdl, |wdl| wdl.loss),
            chances("after_win", &self.after_wdl, |wdl| wdl.win),
            chances("after_draw", &self.after_wdl, |wdl| wdl.draw),
            chances("after_loss", &self.after_wdl, |wdl| wdl.loss),
        ];
        if own {
            let part = |of: fn(Score) -> Option<i32>| {
                self.own.iter().map(|own| own.and_then(of)).collect::<Vec<_>>()
            };
            more.push(Column::new("own_cp".into(), part(Score::cp)));
            more.push(Column::new("own_mate".into(), part(Score::mate)));
            more.push(Column::new("own_gain_cp".into(), self.own_gain_cp));
            more.push(chances("own_win", &self.own_wdl, |wdl| wdl.win));
            more.push(chances("own_draw", &self.own_wdl, |wdl| wdl.draw));
            more.push(chances("own_loss", &self.own_wdl, |wdl| wdl.loss));
        }
        if method.metric != Metric::Centipawns {
            more.push(Column::new(GAIN_BP.into(), self.gain_bp));
        }
        let mut columns = vec![
            Column::new("game".into(), self.game),
            Column::new("round".into(), self.round),
            Column::new("white".into(), self.white),
            Column::new("black".into(), self.black),
            Column::new("result".into(), self.result),
            Column::new("ply".into(), self.ply),
            Column::new("move_number".into(), self.move_number),
            Column::new("color".into(), self.color),
            Column::new("player".into(), self.player),
            Column::new("san".into(), self.san),
            Column::new("uci".into(), self.uci),
            Column::new("fen".into(), self.fen),
            Column::new("before_cp".into(), self.before_cp),
            Column::new("before_mate".into(), self.before_mate),
            Column::new("after_cp".into(), self.after_cp),
            Column::new("after_mate".into(), self.after_mate),
            Column::new("gain_cp".into(), self.gain_cp),
            Column::new("best_uci".into(), self.best_uci),
            Column::new("depth".into(), self.depth),
            Column::new("nodes".into(), self.nodes),
        ];
        columns.extend(more);
        DataFrame::new_infer_height(columns)
    }
}
