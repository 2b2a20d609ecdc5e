//! [`GameCounts`]: the contribution of a game to the counts of an archive.

use compact_str::CompactString;
use shakmaty::{ByColor, Color};

use super::{
    clip_table::ClipTable, clocks::GameClocks, entrants::EntrantCounts, entrants::LEAST_UPSET,
    entrants::TimedBlunders, entrants::Upset, entrants::entrant_key, entrants::split_entrant,
    facts::GameFacts, facts::LeftOutReason, options::CountOptions,
};
use crate::base::text::folded_name;
use crate::chess::{ClockHands, Fingerprint, MoveEvals, RatingSystem, Repairs};
use crate::measure::{
    calibration::GamePlay, group::Grouping, group::UNKNOWN, peers::SidePlay, tournament::filter::Filter,
};

/// The contribution of a counted game to the counts of an archive.
#[derive(Debug, Clone, PartialEq)]
pub struct GameCounts {
    /// The key for detecting copies; `None` if the game has too few tags and moves to identify it.
    pub copies: Option<Fingerprint>,
    /// The game's players; `None` for a player whose moves are not counted.
    pub sides: ByColor<Option<SideCounts>>,
    /// Sums over the counted moves by the time left and by the time spent.
    pub clocks: GameClocks,
    /// The counted moves in the order played; empty unless requested.
    pub moves: Vec<CountedMove>,
    /// Number of moves that would be counted if the position before them had an evaluation.
    pub without_gain: u64,
    /// Number of malformed `[%eval]` commands.
    pub odd_evals: u64,
    /// The flaws that were put right when the game was read.
    pub repairs: Repairs,
    /// Number of moves after which a clock showed more time than possible.
    pub clocks_backwards: u64,
    /// True if the game was relayed on lichess.
    pub is_broadcast: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SideCounts {
    pub group: CompactString,
    /// The player's name, with aliases resolved; `None` unless moves are requested.
    pub name: Option<Box<str>>,
    pub elo: Option<u32>,
    pub system: RatingSystem,
    /// Half-points scored, if the result is known.
    pub half_points: Option<u32>,
    /// The gains of the counted moves in the metric's unit, each rounded to the center of its bin.
    pub gains: Vec<i32>,
    /// The sum of max(0, −gain) over the counted moves, in centipawns even with another metric.
    pub loss_cp: u64,
    /// The moves' half-points: 2 for a gain above the tie band, 1 for a gain within it, 0 for a gain below it.
    pub score: u32,
    /// The score kept (see [`crate::measure::tournament::kept`]) over the counted moves, in units of
    /// [`KEPT_UNIT`]; `None` without counted moves.
    pub kept: Option<u32>,
    /// The kind of the evaluations, and the sums over all moves of the player for a rating of play. `None` if
    /// the game is not summed for ratings of play.
    pub play: Option<(CompactString, GamePlay)>,
    /// The kind of the evaluations, and the measures of all moves of the player; `None` unless requested.
    pub usual: Option<(CompactString, SidePlay)>,
    /// The player among the players of the event; `None` unless the archive is counted by event.
    pub entrant: Option<EntrantCounts>,
}

/// The unit of [`SideCounts::kept`]. Scores are rounded to it, so that their sums are whole numbers.
pub const KEPT_UNIT: f64 = 1e-5;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedMove {
    /// The move's place in the game, from 1.
    pub ply: u32,
    pub san: Box<str>,
    pub mover: Color,
    /// The center of the bin of the move's gain, in the metric's unit, from the mover's view.
    pub gain: i32,
    /// Evaluation before the move in centipawns, within the clip, White's view.
    pub before: i32,
    /// Evaluation after the move in centipawns, within the clip, White's view.
    pub after: i32,
    /// Time left to the mover after the move, in hundredths of a second.
    pub left: Option<u32>,
    /// Time spent on the move, in hundredths of a second.
    pub spent: Option<u32>,
}

/// The part of an address that shows a broadcast on lichess.
const BROADCAST: &str = "lichess.org/broadcast/";

impl GameCounts {
    /// Returns the contribution of a game, counted with `options`, or the reason why the game is not counted.
    pub(super) fn of(
        facts: &GameFacts<'_>,
        options: &CountOptions,
        table: &ClipTable,
    ) -> Result<Box<GameCounts>, LeftOutReason> {
        if facts.moves.is_empty() {
            return Err(LeftOutReason::NoMoves);
        }
        // Checked first, because most games of an archive have no evaluations.
        let evaluations = facts.evaluations(table).ok_or_else(|| facts.gap())?;
        let (system, dispute) = RatingSystem::of_tags(facts.tag);
        let mut repairs = facts.repairs;
        dispute.into_iter().for_each(|repair| repairs.add(repair));
        let rated = facts.rated.and_then(|(kind, counted)| Some((kind, facts.plays(counted)?)));
        let mut entry = Box::new(GameCounts {
            copies: facts.fingerprint().of_copies(&facts.headers, facts.moves.len()),
            sides: ByColor::new_with(|color| SideCounts::of(facts, (system, rated), color, options)),
            clocks: GameClocks::default(),
            moves: Vec::new(),
            without_gain: 0,
            odd_evals: u64::from(facts.odd_evals),
            repairs,
            clocks_backwards: 0,
            is_broadcast: ["BroadcastURL", "GameURL", "Site"]
                .iter()
                .any(|name| (facts.tag)(name).is_some_and(|address| address.contains(BROADCAST))),
        });
        entry.add_moves(facts, &evaluations, options, table);
        // Without a date, the scale of lichess's evaluations is unknown.
        if options.quantiles && facts.factor().is_some() {
            entry.add_usual(facts);
        }
        Ok(entry)
    }

    /// Returns the event and the upset, if the game is one.
    pub(super) fn upset(&self) -> Option<(&str, Upset)> {
        let [white, black] = [self.sides.white.as_ref()?, self.sides.black.as_ref()?];
        let [winner, loser] = match white.half_points? {
            2 => [white, black],
            0 => [black, white],
            _ => return None,
        };
        let difference =
            loser.elo?.checked_sub(winner.elo?).filter(|difference| *difference >= LEAST_UPSET)?;
        let (event, winner) = split_entrant(&winner.entrant.as_ref()?.group)?;
        let (_, loser) = split_entrant(&loser.entrant.as_ref()?.group)?;
        Some((event, Upset { difference, winner: winner.to_owned(), loser: loser.to_owned() }))
    }

    /// Adds each player's measures over all moves, ignoring the filters of moves.
    fn add_usual(&mut self, facts: &GameFacts<'_>) {
        let kind = CompactString::from(facts.judge.unwrap_or(UNKNOWN));
        let plays = SidePlay::of_game(&facts.measured());
        for (side, play) in self.sides.iter_mut().zip(plays) {
            side.iter_mut().for_each(|side| side.usual = Some((kind.clone(), play.clone())));
        }
    }

    fn add_moves(
        &mut self,
        facts: &GameFacts<'_>,
        evaluations: &[i32],
        options: &CountOptions,
        table: &ClipTable,
    ) {
        let filters = options.method.filter != Filter::default();
        let band = options.method.band;
        let mut hands = ClockHands::of(facts.headers.time_control);
        let mut kept = ByColor { white: 0.5, black: 0.5 };
        let mut before = facts.start_score().map(|score| table.clipped(score));
        for (index, (played, &after)) in facts.moves.iter().zip(evaluations).enumerate() {
            let mover = facts.mover(index);
            let by_clock = hands.spent(mover, played.clock, &mut self.clocks_backwards);
            let known = before.replace(after);
            let Some(side) = self.sides.get_mut(mover) else { continue };
            if filters && !options.method.filter.keeps(&facts.context(index)) {
                continue;
            }
            let evals = known.map(|before| MoveEvals { mover, before, after });
            let Some((evals, gain)) = evals.and_then(|evals| Some((evals, evals.gain(table)?))) else {
                self.without_gain += 1;
                continue;
            };
            *kept.get_mut(mover) *= evals.share_kept(table);
            let gain = band.width().center(gain.into());
            let half_points = band.half_points(gain);
            let gain = gain as i32;
            side.add(gain, half_points, evals.centipawn_loss(table));
            if let Some((entrant, left)) = side.entrant.as_mut().zip(played.clock) {
                entrant.timed.add(left, facts.is_blunder(index));
            }
            let spent = played.elapsed.or(by_clock);
            self.clocks.add(played.clock, spent, gain, half_points);
            if options.keep_moves {
                self.moves.push(CountedMove {
                    ply: index as u32 + 1,
                    san: played.san.into(),
                    mover,
                    gain,
                    before: evals.before,
                    after,
                    left: played.clock,
                    spent,
                });
            }
        }
        for (side, kept) in self.sides.iter_mut().zip(kept) {
            if let Some(side) = side.as_mut().filter(|side| !side.gains.is_empty()) {
                side.kept = Some((kept / KEPT_UNIT).round() as u32);
            }
        }
    }
}

impl SideCounts {
    fn of(
        facts: &GameFacts<'_>,
        (system, rated): (RatingSystem, Option<(&str, ByColor<GamePlay>)>),
        color: Color,
        options: &CountOptions,
    ) -> Option<SideCounts> {
        let name = facts.player(color);
        let half_points = facts.headers.result.half_points(color);
        let counts = options.wants_player(name) && options.method.filter.keeps_side(color, facts.round);
        counts.then(|| SideCounts {
            entrant: (options.by == Grouping::Event).then(|| EntrantCounts {
                group: entrant_key(
                    &facts.group(Grouping::Event, color, system),
                    &facts.group(Grouping::Player, color, system),
                ),
                title: facts
                    .titles
                    .get(color)
                    .map(|title| folded_name(title).into())
                    .filter(|title: &CompactString| !title.is_empty()),
                timed: TimedBlunders::default(),
            }),
            group: facts.group(options.by, color, system),
            name: options.keep_moves.then(|| name.into()),
            elo: *facts.headers.elo.get(color),
            system,
            half_points,
            gains: Vec::with_capacity(facts.moves.len().div_ceil(2)),
            loss_cp: 0,
            score: 0,
            kept: None,
            usual: None,
            play: rated.map(|(kind, plays)| (CompactString::from(kind), *plays.get(color))),
        })
    }

    /// Adds a move with its gain, half-points and loss in centipawns.
    fn add(&mut self, gain: i32, half_points: u32, loss_cp: u32) {
        self.gains.push(gain);
        self.score += half_points;
        self.loss_cp += u64::from(loss_cp);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{EvaluatedGame, pgn::parse_games, recorded_evaluations};
    use crate::measure::archive::{GameOutcome, read_block, read_block_with_care};
    use crate::measure::group::Grouping;
    use crate::measure::tournament::{Method, MoveSample};

    /// Returns the gains of both sides, and the number of moves without a gain: first as archives count them,
    /// then as tournaments do.
    fn counted(text: &str, method: &Method) -> [(Vec<Vec<i64>>, u64); 2] {
        let options = CountOptions { method: method.clone(), ..CountOptions::new(Grouping::Player) };
        let table = ClipTable::new(options.method.scale());
        let items = read_block(text, false, &options, &table);
        assert_eq!(items, read_block_with_care(text, false, &options, &table));
        let [GameOutcome::Counted(counts)] = &items[..] else { panic!("a game that counts: {items:?}") };
        let gains = |side: &Option<SideCounts>| -> Vec<i64> {
            side.iter().flat_map(|side| side.gains.iter().map(|&gain| gain.into())).collect()
        };
        let archive = (counts.sides.iter().map(gains).collect(), counts.without_gain);
        let game = parse_games(text, "test").remove(0).expect("a game");
        let evaluations = recorded_evaluations(&game, None).expect("evaluations");
        let gains = MoveSample::of(&[EvaluatedGame::new(game, evaluations)]).gains(method, |_| true);
        let players = gains.players.iter().map(|gains| gains.iter().map(|&(_, gain)| gain).collect());
        [archive, (players.collect(), gains.unknown + gains.unknown_start)]
    }

    fn game(start: &str) -> String {
        format!(
            "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n{start}1. e4 {{ [%eval 0.3] }} 1... e5 {{ [%eval 0.1] }} \
             2. Nf3 {{ [%eval 0.4] }} *\n"
        )
    }

    #[test]
    fn mate_on_the_board_before_the_first_move_is_no_evaluation_for_archives_either() {
        let [archive, tournament] = counted(&game("{ [%eval #0] } "), &Method::default());
        assert_eq!(archive, (vec![vec![30], vec![20]], 1));
        assert_eq!(archive, tournament);
        let [archive, tournament] = counted(&game("{ [%eval 0.2] } "), &Method::default());
        assert_eq!(archive, (vec![vec![10, 30], vec![20]], 0));
        assert_eq!(archive, tournament);
    }

    #[test]
    fn a_first_move_that_no_filter_lets_count_is_not_missed() {
        let filter = Filter { skip_moves: 1, ..Filter::default() };
        let [archive, tournament] = counted(&game(""), &Method { filter, ..Method::default() });
        assert_eq!(archive, (vec![vec![30], vec![]], 0));
        assert_eq!(archive, tournament);
        let filter = Filter { max_eval: Some(20), ..Filter::default() };
        let [archive, tournament] = counted(&game(""), &Method { filter, ..Method::default() });
        assert_eq!(archive, (vec![vec![30], vec![]], 0));
        assert_eq!(archive, tournament);
    }
}
