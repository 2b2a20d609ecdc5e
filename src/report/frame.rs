//! Owns the results as data frames: one row type a table, whatever file it is written to.

use polars::prelude::{Column, DataFrame, PolarsResult};
use shakmaty::{Chess, Color, Position};

use crate::{
    evaluation::Evaluation,
    gain::EvaluatedGame,
    game::{Game, fen},
    score::{Clip, Score},
    tournament::{Player, Tournament, player_name},
};

/// Which players a frame has rows of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Selection {
    /// All of them.
    #[default]
    All,
    /// Those named, as [`player_name`] has them.
    Only(Vec<String>),
}

impl Selection {
    /// Whether the player of that name has rows.
    pub fn has(&self, player: &str) -> bool {
        match self {
            Selection::All => true,
            Selection::Only(names) => names.iter().any(|name| name == player),
        }
    }

    /// The players of `tournament` that have rows, in its order.
    pub fn of<'a>(&self, tournament: &'a Tournament) -> Vec<&'a Player> {
        tournament.players.iter().filter(|player| self.has(&player.name)).collect()
    }
}

/// One row a player, in the tournament's order:
/// `player, elo, games, points, moves, positive, zero, negative, expected_score, elo_difference,
/// engine_strength, performance`. Ratings and differences are in Elo points; `positive`, `zero`
/// and `negative` count moves; what is unknown is null.
pub fn players(tournament: &Tournament, selection: &Selection) -> PolarsResult<DataFrame> {
    let players = selection.of(tournament);
    let float = |name: &str, value: fn(&Player) -> Option<f64>| {
        Column::new(name.into(), players.iter().map(|player| value(player)).collect::<Vec<_>>())
    };
    let count = |name: &str, value: fn(&Player) -> u64| {
        Column::new(name.into(), players.iter().map(|player| value(player)).collect::<Vec<_>>())
    };
    DataFrame::new_infer_height(vec![
        Column::new("player".into(), players.iter().map(|player| player.name.as_str()).collect::<Vec<_>>()),
        float("elo", |player| player.elo.map(|elo| elo.value)),
        count("games", |player| player.games.into()),
        float("points", |player| Some(player.points())),
        count("moves", Player::moves),
        count("positive", |player| player.histogram.signs().positive),
        count("zero", |player| player.histogram.signs().zero),
        count("negative", |player| player.histogram.signs().negative),
        float("expected_score", |player| player.expected_score.map(|score| score.value())),
        float("elo_difference", |player| player.elo_difference.map(|difference| difference.value)),
        float("engine_strength", |player| player.engine_strength),
        float("performance", |player| player.performance),
    ])
}

/// One row a bin that is not empty, from the lowest up, player by player in the tournament's
/// order: `player, gain_cp, count, probability`, where `gain_cp` is the bin's centre.
pub fn histograms(tournament: &Tournament, selection: &Selection) -> PolarsResult<DataFrame> {
    let (mut names, mut centres, mut counts, mut probabilities) = (vec![], vec![], vec![], vec![]);
    for player in selection.of(tournament) {
        let Some(distribution) = player.histogram.distribution() else { continue };
        for (centre, count) in player.histogram.bins() {
            names.push(player.name.as_str());
            centres.push(centre);
            counts.push(count);
            probabilities.push(distribution.share(count));
        }
    }
    DataFrame::new_infer_height(vec![
        Column::new("player".into(), names),
        Column::new("gain_cp".into(), centres),
        Column::new("count".into(), counts),
        Column::new("probability".into(), probabilities),
    ])
}

/// One row a move, in the order of the games:
/// `game, round, white, black, result, ply, move_number, color, player, san, uci, fen, before_cp,
/// before_mate, after_cp, after_mate, gain_cp, best_uci, depth, nodes`.
///
/// `game` is the game's number among all that were read, those left out included. The evaluations before and after the move are White's view:
/// centipawns, or moves to mate (negative when Black mates, 0 when mate is on the board), the
/// other of the two being null. `gain_cp` is the mover's view, after clipping. `fen`, `best_uci`,
/// `depth` and `nodes` are those of the position before the move.
pub fn moves(games: &[EvaluatedGame], clip: Clip, selection: &Selection) -> PolarsResult<DataFrame> {
    let mut rows = Moves::default();
    for game in games {
        rows.add_game(game.game().source.ordinal as u64, game, clip, selection);
    }
    rows.into_frame()
}

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
    gain_cp: Vec<i32>,
    best_uci: Vec<Option<String>>,
    depth: Vec<Option<u32>>,
    nodes: Vec<Option<u64>>,
}

impl Moves {
    fn add_game(&mut self, number: u64, evaluated: &EvaluatedGame, clip: Clip, selection: &Selection) {
        let game = evaluated.game();
        let names = Color::ALL.map(|color| (color, player_name(game, color)));
        if !names.iter().any(|(_, name)| selection.has(name)) {
            return;
        }
        let plies = evaluated.evaluations().windows(2).zip(evaluated.gains(clip));
        for (index, (position, (pair, gain))) in game.positions().zip(plies).enumerate() {
            let name = &names[usize::from(position.turn().is_black())].1;
            if selection.has(name) {
                self.add_game_of_move(number, game, [&names[0].1, &names[1].1]);
                self.add_move(index, game, &position, name);
                self.add_evaluations(&pair[0], pair[1].score, gain);
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

    fn add_evaluations(&mut self, before: &Evaluation, after: Score, gain: i32) {
        self.before_cp.push(before.score.cp());
        self.before_mate.push(before.score.mate());
        self.after_cp.push(after.cp());
        self.after_mate.push(after.mate());
        self.gain_cp.push(gain);
        self.best_uci.push(before.best.as_ref().map(ToString::to_string));
        self.depth.push(before.depth);
        self.nodes.push(before.nodes);
    }

    fn into_frame(self) -> PolarsResult<DataFrame> {
        DataFrame::new_infer_height(vec![
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
        ])
    }
}
