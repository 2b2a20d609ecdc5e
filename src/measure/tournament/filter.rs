//! [`Filter`]: conditions on the moves that count. [`Split`]: a division of these moves into classes.

use std::{ops::RangeInclusive, str::FromStr};

use serde::Serialize;
use shakmaty::{Color, Position};

use super::facts::{MoveContext, MoveFacts};
use crate::base::named::named;
use crate::chess::{Game, Phase, choice::rounds_in_words};

/// Conditions on the moves that count. By default, every move counts, as in the paper.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Filter {
    /// The number of the last skipped move of each side, by the game's numbering. A game that begins at move
    /// 30 has no earlier moves to skip.
    pub skip_moves: u32,
    /// The largest absolute evaluation, in centipawns, before a move that counts; `None` for no limit.
    pub max_eval: Option<u32>,
    pub skip_forced: bool,
    /// The side whose moves count; `None` for both.
    pub color: Option<Color>,
    /// The rounds that count; empty for all.
    pub rounds: Vec<RangeInclusive<u32>>,
    /// The phases that count; empty for all.
    pub phases: Vec<Phase>,
}

impl Filter {
    pub fn keeps(&self, context: &MoveContext) -> bool {
        context.number > self.skip_moves
            && self.max_eval.is_none_or(|most| context.level.is_some_and(|level| level <= most))
            && !(self.skip_forced && context.forced)
            && self.keeps_side(context.mover, context.round)
            && (self.phases.is_empty() || self.phases.contains(&context.phase))
    }

    /// Returns whether a move of `game` may count. Conditions on evaluations are ignored.
    pub fn may_keep(&self, game: &Game) -> bool {
        let round = game.tags.round();
        game.positions().zip(&game.moves).any(|(position, _)| {
            self.keeps(&MoveContext {
                number: position.fullmoves().get(),
                mover: position.turn(),
                round,
                phase: Phase::of(&position),
                forced: position.legal_moves().len() == 1,
                level: Some(0),
            })
        })
    }

    /// Returns the part of the filter that selects whole games, for one side or both.
    pub fn of_games(&self) -> Filter {
        Filter { color: self.color, rounds: self.rounds.clone(), ..Filter::default() }
    }

    /// Returns whether a player's game counts, by its round and color.
    pub fn keeps_side(&self, side: Color, round: Option<u32>) -> bool {
        self.color.is_none_or(|color| side == color) && self.keeps_round(round)
    }

    fn keeps_round(&self, round: Option<u32>) -> bool {
        self.rounds.is_empty() || round.is_some_and(|n| self.rounds.iter().any(|range| range.contains(&n)))
    }

    /// Returns each condition in words; empty if every move counts.
    pub fn names(&self) -> Vec<String> {
        let rounds = self.rounds.iter().map(rounds_in_words);
        let listed = |items: Vec<String>| (!items.is_empty()).then(|| items.join(", "));
        let phases = listed(self.phases.iter().map(ToString::to_string).collect());
        [
            match self.skip_moves {
                0 => None,
                1 => Some("without move 1".to_owned()),
                last => Some(format!("without moves 1 to {last}")),
            },
            self.max_eval.map(|most| format!("evaluation before the move within ±{most} centipawns")),
            self.skip_forced.then(|| "without forced moves".to_owned()),
            self.color.map(|color| color.fold_wb("White's moves", "Black's moves").to_owned()),
            listed(rounds.collect()).map(|rounds| format!("rounds {rounds}")),
            phases.map(|phases| format!("phase {phases}")),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

named! {
    /// A division of moves into classes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Split: name {
        /// Opening, middlegame, endgame.
        Phase => "phase",
        /// White, Black.
        Color => "color",
        /// The distance of the position from equality.
        #[serde(rename = "eval")]
        Evaluation => "eval",
    }
}

/// The largest absolute evaluation of a level position, in centipawns.
pub const LEVEL: u32 = 50;

/// The largest absolute evaluation of an undecided position, in centipawns. Guid and Bratko (ICGA Journal
/// 29(2), 2006) left out positions beyond this bound.
pub const DECIDED: u32 = 200;

impl Split {
    /// Returns the names of the classes, in order.
    pub fn classes(self) -> Vec<String> {
        match self {
            Split::Phase => Phase::ALL.map(|phase| phase.to_string()).to_vec(),
            Split::Color => ["white", "black"].map(str::to_owned).to_vec(),
            Split::Evaluation => vec![
                format!("level (within ±{LEVEL})"),
                format!("advantage (to ±{DECIDED})"),
                format!("decided (beyond ±{DECIDED})"),
            ],
        }
    }

    /// Returns the index of a move's class. By evaluation, a mate and an unknown evaluation are in the last
    /// class.
    pub fn class(self, facts: &MoveFacts) -> usize {
        match self {
            Split::Phase => Phase::ALL.iter().position(|&phase| phase == facts.phase).unwrap_or_default(),
            Split::Color => facts.mover.fold_wb(0, 1),
            Split::Evaluation => match facts.level() {
                Some(level) if level <= LEVEL => 0,
                Some(level) if level <= DECIDED => 1,
                _ => 2,
            },
        }
    }
}

impl FromStr for Split {
    type Err = String;

    fn from_str(name: &str) -> Result<Split, String> {
        let split = Split::ALL.into_iter().find(|split| split.name().eq_ignore_ascii_case(name));
        split.ok_or_else(|| format!("unknown split {name:?}, expected phase, color or eval"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Score, Valuation};

    fn facts() -> MoveFacts {
        let said = |score| Valuation { score, wdl: None };
        MoveFacts {
            factor: 1.0,
            game: 0,
            player: 0,
            mover: Color::White,
            number: 12,
            round: Some(3),
            year: None,
            phase: Phase::Middlegame,
            forced: false,
            before: Some(said(Score::Cp(-120))),
            after: said(Score::Cp(-130)),
            first_choice: None,
            own: None,
            verdict: Default::default(),
        }
    }

    fn keeps(filter: Filter, facts: &MoveFacts) -> bool {
        assert!(Filter::default().keeps(&facts.context()), "every move counts by default");
        filter.keeps(&facts.context())
    }

    #[test]
    fn each_filter_leaves_out_what_it_says() {
        let skip = |skip_moves| Filter { skip_moves, ..Filter::default() };
        assert!(keeps(skip(11), &facts()) && !keeps(skip(12), &facts()));
        let most = |cp| Filter { max_eval: Some(cp), ..Filter::default() };
        assert!(keeps(most(120), &facts()) && !keeps(most(119), &facts()));
        let mated = Valuation { score: Score::checkmate(Color::Black), wdl: None };
        assert!(!keeps(most(100_000), &MoveFacts { before: Some(mated), ..facts() }), "a mate is beyond all");
        let unforced = Filter { skip_forced: true, ..Filter::default() };
        assert!(
            unforced.keeps(&facts().context()) && !keeps(unforced, &MoveFacts { forced: true, ..facts() })
        );
        let black = Filter { color: Some(Color::Black), ..Filter::default() };
        assert!(
            !keeps(black.clone(), &facts()) && keeps(black, &MoveFacts { mover: Color::Black, ..facts() })
        );
        let rounds = |rounds: &[RangeInclusive<u32>]| Filter { rounds: rounds.to_vec(), ..Filter::default() };
        assert!(keeps(rounds(&[1..=1, 3..=5]), &facts()) && !keeps(rounds(&[4..=5]), &facts()));
        assert!(!keeps(rounds(&[1..=9]), &MoveFacts { round: None, ..facts() }), "no round is none of them");
        let phases = |phases: &[Phase]| Filter { phases: phases.to_vec(), ..Filter::default() };
        assert!(keeps(phases(&[Phase::Opening, Phase::Middlegame]), &facts()));
        assert!(!keeps(phases(&[Phase::Endgame]), &facts()));
    }

    #[test]
    fn filters_in_force_are_named() {
        assert!(Filter::default().names().is_empty());
        let all = Filter {
            skip_moves: 12,
            max_eval: Some(200),
            skip_forced: true,
            color: Some(Color::Black),
            rounds: vec![1..=7, 9..=9],
            phases: vec![Phase::Endgame],
        };
        assert_eq!(
            all.names(),
            [
                "without moves 1 to 12",
                "evaluation before the move within ±200 centipawns",
                "without forced moves",
                "Black's moves",
                "rounds 1–7, 9",
                "phase endgame",
            ]
        );
    }

    #[test]
    fn every_move_is_in_one_class_of_a_split() {
        let at = |cp| MoveFacts { before: Some(Valuation { score: Score::Cp(cp), wdl: None }), ..facts() };
        let classes = [50, -51, 200, -201].map(|cp| Split::Evaluation.class(&at(cp)));
        assert_eq!(classes, [0, 1, 1, 2]);
        assert_eq!(Split::Color.class(&MoveFacts { mover: Color::Black, ..facts() }), 1);
        assert_eq!(Split::Phase.classes()[Split::Phase.class(&facts())], "middlegame");
        for split in Split::ALL {
            assert_eq!(split.name().parse(), Ok(split));
            assert!(split.class(&facts()) < split.classes().len());
        }
        assert!("quality".parse::<Split>().is_err());
    }
}
