//! [`TreePlayer`]: a player that grows a tree for every move and plays the best root move.

use std::{fmt, time::Duration, time::Instant};

use shakmaty::CastlingMode;

use super::{
    DeepOptions, DeepSearch, TreeMove, TreeNode, Widths, growing::Answerers, growing::GrowthError,
    growing::GrowthLimits, growing::grow,
};
use crate::base::{text::counted, work::Stop};
use crate::chess::{ChosenMove, Evaluator, GameSoFar, Limit, MoveLimit, Player};
use crate::engine::ThinkingTime;

/// Limit of each search if the player has a time limit or a clock.
const SEARCH_BY_TIME: Limit = Limit::Depth(6);

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TreeSettings {
    /// Moves are expanded if they are less than this many centipawns below the best move. The distance is
    /// halved as in [`Widths::of_distance`].
    pub distance: f64,
    pub plies: usize,
    /// Maximum number of searches. A tree of depth 1 is always finished.
    pub searches: Option<u64>,
}

impl fmt::Display for TreeSettings {
    /// Formats as `tree of 2 plies, distance 20, at most 50 searches`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plies = match self.plies {
            1 => "1 ply".to_owned(),
            plies => format!("{plies} plies"),
        };
        write!(f, "tree of {plies}, distance {}", self.distance)?;
        match self.searches {
            Some(searches) => write!(f, ", at most {}", counted(searches, "search")),
            None => Ok(()),
        }
    }
}

/// Plays the best root move of a tree by its alpha score, in which a repetition is a draw. The player grows a
/// new tree for each move of the game, because the half-move clock is part of each search.
///
/// A search limit holds for each search of the tree. With a time limit, each search goes to depth 6, and no
/// search begins after the time is over, except to finish a tree of depth 1. With a clock, the time limit is
/// the usual time of a move.
pub struct TreePlayer<E> {
    /// Empty once an engine has failed.
    engines: Vec<E>,
    settings: TreeSettings,
}

impl<E: Evaluator + 'static> TreePlayer<E> {
    pub fn new(engine: E, settings: TreeSettings) -> TreePlayer<E> {
        TreePlayer { engines: vec![engine], settings }
    }

    fn options(&self) -> DeepOptions {
        DeepOptions { widths: Widths::of_distance(self.settings.distance), lines: 1, cuts: true }
    }

    fn growth_limits(&self, game: &GameSoFar, limit: MoveLimit) -> (GrowthLimits, Limit) {
        let (search, time) = match limit {
            MoveLimit::Search(limit) => (limit, None),
            MoveLimit::Time(time) => (SEARCH_BY_TIME, Some(ThinkingTime::exactly(time, Duration::ZERO))),
            MoveLimit::Clock(clock) => {
                (SEARCH_BY_TIME, Some(ThinkingTime::of_clock(&clock, game.turn(), Duration::ZERO)))
            }
        };
        let TreeSettings { plies, searches, .. } = self.settings;
        (GrowthLimits { plies: plies.max(1), searches, time: time.map(|time| time.usual()) }, search)
    }
}

impl<E: Evaluator + 'static> Player for TreePlayer<E> {
    type Error = GrowthError;

    /// Does nothing: trees are independent of each other.
    async fn new_game(&mut self, _: CastlingMode) -> Result<(), GrowthError> {
        Ok(())
    }

    async fn choose(&mut self, game: &GameSoFar, limit: MoveLimit) -> Result<ChosenMove, GrowthError> {
        let begun = Instant::now();
        let search = DeepSearch::new(game, self.options())?;
        let (limits, limit) = self.growth_limits(game, limit);
        let engines = std::mem::take(&mut self.engines);
        let answerers = Answerers { engines, limit, store: None };
        let growth = grow(search, answerers, limits, &Stop::default(), |_| {}).await?;
        self.engines = growth.engines;
        let tree = growth.trees.last();
        let best = tree.and_then(|tree| best_move(tree.root()));
        Ok(ChosenMove {
            best: best.map(|best| best.uci),
            score: best.map(|best| best.alpha.shown().white_view(game.turn())),
            depth: tree.and_then(|tree| u32::try_from(tree.depth).ok()),
            nodes: Some(growth.counts.nodes),
            time: begun.elapsed(),
        })
    }

    /// Returns false: an engine that does not answer is restarted and finally fails.
    fn is_stall(_: &GrowthError) -> bool {
        false
    }
}

fn best_move(root: &TreeNode) -> Option<&TreeMove> {
    root.ranking().first().map(|&place| &root.moves[place])
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Color, Position, uci::UciMove};

    use super::*;
    use crate::chess::{Evaluation, Protocol, Score, Segment, SegmentResult};
    use crate::lab::{deep::DeepTree, deep::tests::reference::said_of};

    /// An engine's answer for some moves of a position: the best move, and its score from White's view.
    type Says = fn(&Chess, &[UciMove]) -> Option<(UciMove, Score)>;

    /// An engine that always gives the same answer for a position, with 7 nodes.
    struct Told(Says);

    #[derive(Debug, thiserror::Error)]
    #[error("it is silent")]
    struct Silent;

    impl Evaluator for Told {
        type Error = Silent;

        fn is_out_of_service(_: &Silent) -> bool {
            true
        }

        async fn evaluate(&mut self, segment: &Segment, _: &Protocol) -> Result<SegmentResult, Silent> {
            let ply = segment.first();
            let (best, score) = self.0(&segment.position(ply), segment.root_moves()).ok_or(Silent)?;
            let pv = vec![best];
            let told = Evaluation { best: Some(best), pv, nodes: Some(7), ..Evaluation::of_score(score) };
            Ok(SegmentResult { evaluations: vec![(ply, told)], iterations: Vec::new(), busy: Duration::ZERO })
        }
    }

    fn player(says: Says, distance: f64, plies: usize, searches: Option<u64>) -> TreePlayer<Told> {
        TreePlayer::new(Told(says), TreeSettings { distance, plies, searches })
    }

    fn game(moves: &str) -> GameSoFar {
        let mut game = GameSoFar::new(Chess::default(), CastlingMode::Standard);
        moves.split_whitespace().for_each(|uci| game.push(uci.parse().expect("a move")));
        game
    }

    fn chosen(player: &mut TreePlayer<Told>, game: &GameSoFar) -> Result<ChosenMove, GrowthError> {
        let event_loop = crate::base::work::event_loop().expect("a runtime");
        event_loop.block_on(player.choose(game, MoveLimit::Search(Limit::Depth(1))))
    }

    /// Answers with scores from a digest of the position, as in the reference.
    fn digested(position: &Chess, moves: &[UciMove]) -> Option<(UciMove, Score)> {
        let (best, score) = said_of(position, moves).into_iter().next()?;
        Some((best, score.white_view(position.turn())))
    }

    /// Grows the tree that the player should use.
    fn tree(game: &GameSoFar, distance: f64, plies: usize) -> DeepTree {
        let options = DeepOptions { widths: Widths::of_distance(distance), lines: 1, cuts: true };
        let mut search = DeepSearch::new(game, options).expect("a root");
        loop {
            let Some(question) = search.open_questions(1).into_iter().next() else {
                let tree = search.tree().expect("a settled tree");
                if tree.depth == plies {
                    return tree;
                }
                search.deepen();
                continue;
            };
            let findings = crate::lab::deep::tests::reference::answer(&question);
            search.answer(&question, findings);
        }
    }

    #[test]
    fn the_best_root_move_of_the_tree_is_played_and_tells_what_it_cost() {
        let game = game("e2e4 e7e5 g1f3");
        for (distance, plies) in [(0.0, 1), (20.0, 2), (30.0, 3)] {
            let tree = tree(&game, distance, plies);
            let best = &tree.root().moves[tree.root().ranking()[0]];
            let found = chosen(&mut player(digested, distance, plies, None), &game).expect("a move");
            assert_eq!(found.best, Some(best.uci));
            assert_eq!(found.score, Some(best.alpha.shown().white_view(Color::Black)));
            assert_eq!((found.depth, found.nodes), (Some(plies as u32), Some(7 * tree.searches)));
        }
    }

    #[test]
    fn a_tree_that_may_be_made_of_few_searches_stays_shallow() {
        let full = tree(&game(""), 30.0, 3);
        let few = chosen(&mut player(digested, 30.0, 3, Some(full.searches - 1)), &game("")).expect("a move");
        assert_eq!(few.depth, Some(2), "the third ply needs one more");
        let whole = chosen(&mut player(digested, 30.0, 3, Some(full.searches)), &game("")).expect("a move");
        assert_eq!(whole.depth, Some(3));
    }

    /// Prefers to return the knight to g8, then to play e7e5.
    fn likes_home(position: &Chess, moves: &[UciMove]) -> Option<(UciMove, Score)> {
        let legal = position.legal_moves();
        let legal = legal.iter().map(|m| m.to_uci(CastlingMode::Standard));
        let worth = |uci: &UciMove| match uci.to_string().as_str() {
            "f6g8" => 30,
            "e7e5" => 20,
            _ => -90,
        };
        let asked = legal.filter(|uci| moves.is_empty() || moves.contains(uci));
        let best = asked.max_by_key(worth)?;
        Some((best, Score::Cp(position.turn().fold_wb(1, -1) * worth(&best))))
    }

    #[test]
    fn a_repetition_is_a_draw_that_is_not_played_for_while_there_is_better() {
        let home = chosen(&mut player(likes_home, 50.0, 1, None), &game("d2d4 g8f6 g1f3")).expect("a move");
        assert_eq!(home.best, "f6g8".parse().ok(), "where it does not repeat");
        let again = chosen(&mut player(likes_home, 50.0, 1, None), &game("g1f3 g8f6 f3g1")).expect("a move");
        assert_eq!(again.best, "e7e5".parse().ok());
        assert_eq!(again.score, Some(Score::Cp(-20)));
    }

    #[test]
    fn an_engine_that_is_gone_loses_the_player() {
        let mut silent = player(|_, _| None, 20.0, 1, None);
        for _ in 0..2 {
            let error = chosen(&mut silent, &game("")).expect_err("no answer");
            assert!(matches!(error, GrowthError::Engine { .. }), "{error}");
        }
    }

    #[test]
    fn settings_are_told_in_words() {
        let settings = TreeSettings { distance: 2.5, plies: 1, searches: Some(1) };
        assert_eq!(settings.to_string(), "tree of 1 ply, distance 2.5, at most 1 search");
        let settings = TreeSettings { distance: 20.0, plies: 3, searches: None };
        assert_eq!(settings.to_string(), "tree of 3 plies, distance 20");
    }
}
