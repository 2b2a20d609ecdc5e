//! [`PlayGrouping`]: the property by which a player's moves are grouped.

use std::{fmt, str::FromStr};

use crate::base::{named::named, text::folded_name};
use crate::chess::{Game, Phase, openings};
use crate::measure::{
    archive::ClockClass, tournament::facts::MoveFacts, tournament::filter::DECIDED, tournament::filter::LEVEL,
};

named! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum PlayGrouping: name {
        Year => "year",
        Event => "event",
        Speed => "speed",
        Color => "color",
        Phase => "phase",
        /// The opening, by name or (without a name) by the range of its ECO code, and the color.
        Opening => "opening",
        /// The time left to the player after the move.
        Clock => "clock",
        Position => "position",
    }
}

/// A group of moves, with its sort key and name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct PlayGroup {
    place: u32,
    pub name: String,
}

impl PlayGrouping {
    pub const USUAL: [PlayGrouping; 7] = [
        PlayGrouping::Year,
        PlayGrouping::Speed,
        PlayGrouping::Color,
        PlayGrouping::Phase,
        PlayGrouping::Opening,
        PlayGrouping::Clock,
        PlayGrouping::Position,
    ];

    /// Returns whether all moves of a player in a game belong to one group. Such groups have results and
    /// accuracies.
    pub fn is_of_games(self) -> bool {
        !matches!(self, PlayGrouping::Phase | PlayGrouping::Clock | PlayGrouping::Position)
    }

    /// Returns the group of the move at `ply` of `game`; `None` if the file lacks the facts for it.
    pub(crate) fn group(self, game: &Game, ply: usize, facts: &MoveFacts) -> Option<PlayGroup> {
        let placed = |place: usize, name: String| Some(PlayGroup { place: place as u32, name });
        match self {
            PlayGrouping::Year => {
                let year = game.tags.date()?.year();
                placed(year.into(), year.to_string())
            }
            PlayGrouping::Event => placed(0, folded_name(game.tags.event()?)),
            PlayGrouping::Speed => {
                let class = game.tags.time_class()?;
                placed(class as usize, class.to_string())
            }
            PlayGrouping::Color => {
                placed(facts.mover.fold_wb(0, 1), facts.mover.fold_wb("White", "Black").to_owned())
            }
            PlayGrouping::Phase if game.book_plies.is_some_and(|book| ply < book) => {
                placed(0, BOOK.to_owned())
            }
            PlayGrouping::Phase => {
                let place = Phase::ALL.iter().position(|&phase| phase == facts.phase)?;
                placed(place + 1, facts.phase.to_string())
            }
            PlayGrouping::Opening => {
                placed(0, format!("{}: {}", facts.mover.fold_wb("White", "Black"), opening(game)?))
            }
            PlayGrouping::Clock => {
                let class = ClockClass::Left.class(game.moves.get(ply)?.clock?);
                placed(class, ClockClass::Left.label(class))
            }
            PlayGrouping::Position => {
                let kind = PositionKind::of(facts)?;
                placed(kind as usize, kind.to_string())
            }
        }
    }
}

/// The group of the book moves. It is separate from the opening phase, in which the player had to find the
/// moves.
pub(super) const BOOK: &str = "book";

/// Returns the family of the opening: the name before its first colon, as on lichess, or the name of the ECO
/// code. `None` without either tag.
pub(super) fn opening(game: &Game) -> Option<String> {
    let family = |name: &str| folded_name(name.split(':').next().unwrap_or(name));
    let by_code = || game.tags.get("ECO").map(|code| openings::name_of_eco(code).unwrap_or(code).to_owned());
    game.tags.get("Opening").map(family).or_else(by_code)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PositionKind {
    Winning,
    Better,
    Level,
    Worse,
    Losing,
}

impl PositionKind {
    /// Returns the mover's situation before the move; `None` if no evaluation is recorded.
    fn of(facts: &MoveFacts) -> Option<PositionKind> {
        let score = facts.before?.score;
        // A mate is beyond every bound.
        let (cp, mate) = (score.cp().unwrap_or_default(), score.mate());
        let own = facts.mover.fold_wb(1, -1) * i64::from(mate.map_or(cp, |mate| mate.signum() * i32::MAX));
        let [level, decided] = [LEVEL, DECIDED].map(i64::from);
        Some(match own {
            own if own > decided => PositionKind::Winning,
            own if own > level => PositionKind::Better,
            own if own >= -level => PositionKind::Level,
            own if own >= -decided => PositionKind::Worse,
            _ => PositionKind::Losing,
        })
    }
}

impl fmt::Display for PositionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionKind::Winning => write!(f, "winning (above +{DECIDED})"),
            PositionKind::Better => write!(f, "better (to +{DECIDED})"),
            PositionKind::Level => write!(f, "level (within ±{LEVEL})"),
            PositionKind::Worse => write!(f, "worse (to −{DECIDED})"),
            PositionKind::Losing => write!(f, "losing (below −{DECIDED})"),
        }
    }
}

impl FromStr for PlayGrouping {
    type Err = String;

    fn from_str(text: &str) -> Result<PlayGrouping, String> {
        let found = PlayGrouping::ALL.into_iter().find(|grouping| grouping.name() == text.trim());
        let names = || PlayGrouping::ALL.map(PlayGrouping::name).join(", ");
        found.ok_or_else(|| format!("{text:?} is not a grouping of a player's moves; write {}", names()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{EvaluatedGame, Evaluation, Score, pgn::parse_games};
    use crate::measure::tournament::MoveSample;

    #[test]
    fn groupings_are_read_as_they_are_written() {
        for grouping in PlayGrouping::ALL {
            assert_eq!(grouping.to_string().parse(), Ok(grouping));
        }
        let error = "colour".parse::<PlayGrouping>().expect_err("no grouping").to_string();
        assert!(error.contains("\"colour\"") && error.contains("year, event, speed, color"), "{error}");
    }

    #[test]
    fn a_move_is_of_the_group_that_its_game_and_its_position_tell() {
        let pgn = "[Event \"Rated Blitz game\"]\n[White \"A\"]\n[Black \"B\"]\n[UTCDate \"2021.10.03\"]\n[TimeControl \"180+2\"]\n[ECO \"B90\"]\n\
                   [Opening \"Sicilian Defense: Najdorf Variation\"]\n\n\
                   1. e4 { [%clk 0:02:59] } c5 { [%clk 0:00:04] } *\n";
        let game = parse_games(pgn, "test").remove(0).expect("a game");
        let scores = [20, 260, 40].map(|cp| Evaluation::of_score(Score::Cp(cp)));
        let games = [EvaluatedGame::new(game, scores.to_vec())];
        let sample = MoveSample::of(&games);
        let name = |grouping: PlayGrouping, ply: usize| {
            let group = grouping.group(games[0].game(), ply, &sample.moves[ply]);
            group.map(|group| group.name)
        };
        let both = |grouping| [0, 1].map(|ply| name(grouping, ply).unwrap_or_default());
        assert_eq!(both(PlayGrouping::Year), ["2021", "2021"]);
        assert_eq!(both(PlayGrouping::Speed), ["blitz", "blitz"]);
        assert_eq!(name(PlayGrouping::Event, 0), None, "a kind of game is no event");
        assert_eq!(both(PlayGrouping::Opening), ["White: Sicilian Defense", "Black: Sicilian Defense"]);
        assert_eq!(both(PlayGrouping::Clock), ["2 to 5 min", "0 to 5 s"]);
        assert_eq!(both(PlayGrouping::Position), ["level (within ±50)", "losing (below −200)"]);
        assert_eq!(both(PlayGrouping::Phase), ["opening", "opening"]);
        assert_eq!(name(PlayGrouping::Event, 0), None);
    }
}
