//! [`TimeClass`]: the speed class of a game; [`TimeControl`], a condition on a game's time control; and
//! [`ClockHands`], the times of its moves.

use std::{convert::Infallible, fmt, str::FromStr};

use shakmaty::{ByColor, Color};

use crate::base::named::named;

named! {
    /// lichess's speed classes. The class depends on the estimated time of a player for 40 moves, base + 40 ·
    /// increment (<https://lichess.org/faq#time-controls>). The bounds of ultrabullet and bullet are from
    /// lichess's source, `Speed.scala`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum TimeClass: name {
        /// Below 30 seconds.
        UltraBullet => "ultrabullet",
        /// Below 3 minutes.
        Bullet => "bullet",
        /// Below 8 minutes.
        Blitz => "blitz",
        /// Below 25 minutes.
        Rapid => "rapid",
        /// 25 minutes and more.
        Classical => "classical",
        /// Days for a move. This class comes from the name of a rating, never from a time control.
        Correspondence => "correspondence",
    }
}

/// Returns the time control of a game. `tag` returns the value of a tag by its name.
pub fn read_time_control<'a>(tag: impl Fn(&'static str) -> Option<&'a str>) -> Option<&'a str> {
    tag("TimeControl")
}

/// The largest base that can be in minutes. Longer games have several periods.
const MOST_MINUTES: u32 = 180;

/// Two facts that show the unit of a time control. The first is the larger of the players' clocks after their
/// first moves, in seconds. The second is true for a game over the board and false for a game on a server.
pub type ClockAndPlace = (Option<u32>, Option<bool>);

/// Converts a `TimeControl` tag in minutes, or in an unusual form, to the form that PGN prescribes, in
/// seconds. Examples are `90+30`, `40/90:30+30`, `G/60;d5` and `90 min + 30 sec/move`. A delay counts as an
/// increment. `None` if the tag has the prescribed form, or cannot be read.
pub fn in_seconds(tag: &str, shown: impl Fn() -> ClockAndPlace) -> Option<String> {
    // Nearly all tags have this form.
    if BaseAndIncrement::of_tag(tag).is_some_and(|time| !is_in_minutes(time.base, time.increment, &shown)) {
        return None;
    }
    let periods = periods(tag)?;
    let (base, increment) =
        (periods.first()?.base, periods.iter().filter_map(|period| period.increment).max());
    let has_unit = tag.contains(|c: char| !c.is_ascii_digit() && !"+/: ".contains(c));
    let in_minutes = base <= MOST_MINUTES && (has_unit || is_in_minutes(base, increment.unwrap_or(0), shown));
    let mut standard = Vec::new();
    for Period { moves, base, unit, increment } in &periods {
        let moves = moves.map_or(String::new(), |moves| format!("{moves}/"));
        let seconds = base.checked_mul(unit.unwrap_or(if in_minutes { 60 } else { 1 }))?;
        let increment = increment.map_or(String::new(), |increment| format!("+{increment}"));
        standard.push(format!("{moves}{seconds}{increment}"));
    }
    Some(standard.join(":")).filter(|standard| standard != tag.trim())
}

/// Returns whether the base of a tag without units is in minutes. A clock in the game decides, or else the
/// place of the game, or else the size of the numbers.
fn is_in_minutes(base: u32, increment: u32, shown: impl Fn() -> ClockAndPlace) -> bool {
    if base > MOST_MINUTES || increment > MOST_MINUTES {
        return false;
    }
    match shown() {
        // On servers, a player can give the opponent time.
        (Some(clock), _) if clock / 2 > base + increment => clock <= 60 * base + increment + 60,
        // A clock far below the base may have started late, or may show the time of one move.
        (Some(clock), _) if clock >= base / 2 => false,
        (_, Some(false)) => false,
        (_, Some(true)) => base < 60 || 20 * increment > base || increment == 0 && base < MOST_MINUTES,
        (_, None) => increment > 0 && 4 * increment >= base,
    }
}

/// A period of a time control: a player's time for a number of moves, or for the rest of the game if `moves`
/// is `None`. `unit` is the number of seconds in the unit of `base`, `None` if no unit is written.
struct Period {
    moves: Option<u32>,
    base: u32,
    unit: Option<u32>,
    increment: Option<u32>,
}

/// Words and signs of time controls in lower case, and their short forms, in the order of replacement.
const SHORT: &str = "minutes=m minute=m mins=m min=m ''=s '=m \u{2032}=m \u{2019}=m seconds=s second=s secs=s sec=s \
                     \"=s \u{2033}=s \u{201d}=s hours=h hour=h /game= /move= permove= movesin=/ moves= gamein=g/ game/=g/ \
                     sd/=g/ g/=: delay=+ inc=+ d=+ &=+ |=+ ;=: ,=: ::=: +:=: :+=+ ++=+";

/// Returns the periods of a time control; `None` if it cannot be read.
fn periods(tag: &str) -> Option<Vec<Period>> {
    let bare: String = tag.to_lowercase().split_whitespace().collect();
    let pairs = SHORT.split(' ').filter_map(|pair| pair.split_once('='));
    let short = pairs.fold(bare, |text, (long, short)| text.replace(long, short));
    let mut periods: Vec<Period> = Vec::new();
    for written in short.trim_start_matches(':').split(':') {
        for (place, term) in written.split('+').enumerate() {
            let (moves, time) = match term.split_once('/') {
                Some((time, moves)) if time.ends_with(['m', 'h']) => (Some(digits(moves)?), time),
                Some((moves, time)) => (Some(digits(moves)?), time),
                None => (None, term),
            };
            let number = time.trim_end_matches(['h', 'm', 's']);
            let units = [("", None), ("h", Some(3600)), ("m", Some(60)), ("s", Some(1))];
            let unit = units.into_iter().find(|(unit, _)| time[number.len()..] == **unit)?.1;
            match periods.last_mut() {
                // After a plus sign, a number without moves or minutes is an increment.
                Some(last) if place > 0 && moves.is_none() && unit.is_none_or(|unit| unit == 1) => {
                    last.increment.is_none().then_some(())?;
                    last.increment = Some(digits(number)?);
                }
                // Only the last period is without a number of moves.
                Some(Period { moves: None, .. }) => return None,
                _ => periods.push(Period { moves, base: digits(number)?, unit, increment: None }),
            }
        }
    }
    Some(periods)
}

/// Returns a player's expected time for a number of moves, in seconds; `None` for a time per move (correspondence).
fn expected_seconds(periods: &[Period], most: u64) -> Option<u64> {
    let mut left = most;
    let seconds = periods.iter().map(|Period { moves, base, unit, increment }| {
        let moves =
            moves.map_or(Some(left.max(1)), |moves| Some(u64::from(moves)).filter(|moves| *moves > 1))?;
        let played = moves.min(left);
        left -= played;
        let [base, unit, increment] = [*base, unit.unwrap_or(1), increment.unwrap_or(0)].map(u64::from);
        Some(base * unit * played / moves + increment * played)
    });
    // The last period may be repeated.
    Some(seconds.sum::<Option<u64>>()? * most / (most - left))
}

fn digits(text: &str) -> Option<u32> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// A time control of one period: a player's seconds for the game, and the seconds added for each move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BaseAndIncrement {
    /// Seconds of each player for the game.
    pub base: u32,
    /// Seconds added for each move.
    pub increment: u32,
}

impl BaseAndIncrement {
    /// Parses a `TimeControl` tag such as `180+2` or `300`: the seconds, with an optional increment. `None`
    /// for anything else, such as several periods, or `-` for games without a clock.
    pub fn of_tag(tag: &str) -> Option<BaseAndIncrement> {
        let (base, increment) = tag.trim().split_once('+').unwrap_or((tag.trim(), "0"));
        Some(BaseAndIncrement { base: digits(base)?, increment: digits(increment)? })
    }

    /// Returns the expected time of a player in seconds, by lichess's rule: the base and 40 increments.
    pub fn expected_seconds(self) -> u64 {
        u64::from(self.base) + 40 * u64::from(self.increment)
    }
}

impl TimeClass {
    /// The classes by time control.
    pub const BY_CLOCK: [TimeClass; 5] =
        [TimeClass::UltraBullet, TimeClass::Bullet, TimeClass::Blitz, TimeClass::Rapid, TimeClass::Classical];

    /// Returns the class of a `TimeControl` tag by a player's expected time for 40 moves, in one or several
    /// periods. `None` if the tag cannot be read, or has a time for each move.
    pub fn of(time_control: &str) -> Option<TimeClass> {
        let seconds = match BaseAndIncrement::of_tag(time_control) {
            Some(time) => time.expected_seconds(),
            None => expected_seconds(&periods(time_control)?, 40)?,
        };
        Some(match seconds {
            0..30 => TimeClass::UltraBullet,
            30..180 => TimeClass::Bullet,
            180..480 => TimeClass::Blitz,
            480..1500 => TimeClass::Rapid,
            1500.. => TimeClass::Classical,
        })
    }
}

impl TimeClass {
    /// Returns the class of a game over the board: blitz, rapid or classical. The time for 60 moves decides: blitz has at most
    /// 10 minutes, rapid less than an hour (FIDE Laws of Chess 2023, Appendices A.1 and B.1). If the time control cannot be
    /// read, `clock` decides, the larger of the players' clocks after their first moves in seconds. `None` if neither is known.
    pub fn of_fide(time_control: Option<&str>, clock: Option<u32>) -> Option<TimeClass> {
        let seconds = time_control.and_then(|control| expected_seconds(&periods(control)?, 60));
        Some(match seconds.or(clock.map(u64::from))? {
            0..=600 => TimeClass::Blitz,
            601..3600 => TimeClass::Rapid,
            3600.. => TimeClass::Classical,
        })
    }
}

/// A condition on the time control of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TimeControl {
    /// Every time control of a class.
    Class(TimeClass),
    /// The exact text of the tag, such as `180+2`.
    Exact(String),
}

impl TimeControl {
    /// Returns whether a game fits. `tags` has the reading of the tag `TimeControl`, and the tag as in the
    /// file.
    pub fn has(&self, tags: [Option<&str>; 2]) -> bool {
        match self {
            TimeControl::Class(class) => tags[0].and_then(TimeClass::of) == Some(*class),
            TimeControl::Exact(exact) => tags.into_iter().flatten().any(|tag| tag.trim() == exact),
        }
    }
}

impl FromStr for TimeControl {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<TimeControl, Infallible> {
        let class =
            TimeClass::BY_CLOCK.into_iter().find(|class| text.eq_ignore_ascii_case(&class.to_string()));
        Ok(class.map_or_else(|| TimeControl::Exact(text.trim().to_owned()), TimeControl::Class))
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::Class(class) => class.fmt(f),
            TimeControl::Exact(exact) => f.write_str(exact),
        }
    }
}

/// The clocks of a game, from which the time of each move follows.
pub struct ClockHands {
    /// Increment per move in hundredths of a second, if the time control has one.
    increment: Option<u32>,
    /// The last reading of each clock; `None` before the player's first move, or if the last move has no
    /// reading.
    shown: ByColor<Option<u32>>,
}

/// A clock that shows whole seconds may seem to run backwards by this time, in hundredths of a second.
const ROUNDING: u32 = 100;

impl ClockHands {
    /// Returns the clocks of a game with the `TimeControl` tag `time_control`, before the first move.
    pub fn of(time_control: Option<&str>) -> ClockHands {
        let control = time_control.and_then(BaseAndIncrement::of_tag);
        ClockHands {
            increment: control.and_then(|control| control.increment.checked_mul(100)),
            shown: ByColor { white: None, black: None },
        }
    }

    /// Returns the time of the next move in hundredths of a second. `left` is the reading of the mover's
    /// clock after the move. Returns `None` if the time is unknown. If the clock ran backwards by more than
    /// `ROUNDING`, adds 1 to `backwards` and returns `None`.
    pub fn spent(&mut self, mover: Color, left: Option<u32>, backwards: &mut u64) -> Option<u32> {
        let shown = std::mem::replace(self.shown.get_mut(mover), left);
        let (shown, left) = shown.zip(left)?;
        let before = shown.saturating_add(self.increment?);
        if left > before.saturating_add(ROUNDING) {
            *backwards += 1;
            return None;
        }
        Some(before.saturating_sub(left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_by_the_seconds_of_forty_moves() {
        // The names of the classes in lichess's Event tags.
        for (tag, class) in [
            ("15+0", TimeClass::UltraBullet),
            ("60+0", TimeClass::Bullet),
            ("120+1", TimeClass::Bullet),
            ("180+0", TimeClass::Blitz),
            ("300+3", TimeClass::Blitz),
            ("300+5", TimeClass::Rapid),
            ("600", TimeClass::Rapid),
            ("900+15", TimeClass::Classical),
            ("5400+30", TimeClass::Classical),
            // Several periods: 7200 s; 5400 s and 40 · 30 s; 600 s and 20 of 60 moves in 1800 s; 60 s twice;
            // 600 s twice; 40 of 60 moves in 300 s.
            ("40/7200:3600", TimeClass::Classical),
            ("40/5400+30:1800+30", TimeClass::Classical),
            ("20/600:60/1800", TimeClass::Rapid),
            ("20/60", TimeClass::Bullet),
            ("20/600", TimeClass::Rapid),
            ("60/300:60", TimeClass::Blitz),
        ] {
            assert_eq!(TimeClass::of(tag), Some(class), "{tag}");
        }
    }

    #[test]
    fn over_the_board_the_class_is_by_the_time_for_sixty_moves_or_by_the_clock() {
        for (tag, clock, class) in [
            // 90 + 30, 15 + 10, 10 + 5, 10 + 0, 3 + 2 and 50 + 10 minutes, of which the last is an hour.
            ("5400+30", None, TimeClass::Classical),
            ("40/5400+30:1800+30", Some(100), TimeClass::Classical),
            ("900+10", None, TimeClass::Rapid),
            ("600+5", None, TimeClass::Rapid),
            ("600", None, TimeClass::Blitz),
            ("180+2", None, TimeClass::Blitz),
            ("3000+10", None, TimeClass::Classical),
            (": 90 minutes for the first 40 moves, followed by 30 minutes", Some(5457), TimeClass::Classical),
            ("", Some(905), TimeClass::Rapid),
            ("?", Some(182), TimeClass::Blitz),
        ] {
            assert_eq!(TimeClass::of_fide(Some(tag), clock), Some(class), "{tag}");
        }
        assert_eq!(TimeClass::of_fide(None, None), None);
        assert_eq!(TimeClass::of_fide(Some("1/259200"), None), None);
    }

    #[test]
    fn what_is_no_control_of_pgn_has_no_class() {
        for tag in [
            "-",
            "?",
            "",
            "1/259200",
            "0/600",
            "*180",
            "1+",
            "180+-2",
            "99999999999+0",
            "40/90:",
            "/",
            "3600:1800",
            "39/600:0/60",
        ] {
            assert_eq!(TimeClass::of(tag), None, "{tag}");
        }
    }

    #[test]
    fn a_control_is_in_seconds_or_in_minutes_by_its_units_the_clock_the_place_and_the_numbers() {
        const SERVER: Option<bool> = Some(false);
        const BOARD: Option<bool> = Some(true);
        for (tag, place, clock, expected) in [
            // Servers write seconds: lichess from a quarter of a minute, chess.com from 10 seconds on.
            ("60+0", SERVER, None, None),
            ("15+0", SERVER, Some(15), None),
            ("30+0", SERVER, Some(30), None),
            ("180+2", SERVER, Some(180), None),
            ("10+5", SERVER, None, None),
            ("90+30", SERVER, Some(90), None),
            ("0+1", SERVER, Some(3), None),
            ("15+0", SERVER, Some(30), None),
            ("1/259200", SERVER, None, None),
            ("15+10", SERVER, Some(905), Some("900+10")),
            // Clocks in the game.
            ("90+30", None, Some(5420), Some("5400+30")),
            ("60+1", None, Some(3601), Some("3600+1")),
            ("60", None, Some(3590), Some("3600")),
            ("90+30", BOARD, Some(118), None),
            ("5+3", BOARD, Some(5), None),
            ("90+30", BOARD, Some(4), Some("5400+30")),
            ("3+2", None, Some(7200), None),
            // Games at the board.
            ("120+30", BOARD, None, Some("7200+30")),
            ("60+10", BOARD, None, Some("3600+10")),
            ("25", BOARD, None, Some("1500")),
            ("60+0", BOARD, None, Some("3600+0")),
            ("40/120", BOARD, None, Some("40/7200")),
            ("180+2", BOARD, None, None),
            ("180", BOARD, None, None),
            ("300+3", BOARD, None, None),
            ("5400+30", BOARD, None, None),
            ("40/7200:3600", BOARD, None, None),
            ("40/7200:20/3600:900+30", BOARD, None, None),
            // Only the numbers are known.
            ("15+10", None, None, Some("900+10")),
            ("3+2", None, None, Some("180+2")),
            ("40/90:30+30", None, None, Some("40/5400:1800+30")),
            ("40/90+30, 30+30", None, None, Some("40/5400+30:1800+30")),
            ("60+1", None, None, None),
            ("60+0", None, None, None),
            ("40/60:40/60", None, None, None),
            ("10+0.1", None, None, None),
            ("180 + 2", None, None, Some("180+2")),
            // Units.
            ("G/90;+30", None, None, Some("5400+30")),
            ("G/60;d5", None, Some(3540), Some("3600+5")),
            ("g/30 d5", None, None, Some("1800+5")),
            ("Game in 60", None, None, Some("3600")),
            ("40/90 SD/30; +30", None, None, Some("40/5400:1800+30")),
            ("40/120, 20/60, G/15", None, None, Some("40/7200:20/3600:900")),
            ("5 min", SERVER, None, Some("300")),
            ("60 mins", BOARD, Some(3540), Some("3600")),
            ("90 min + 30 sec/move", None, None, Some("5400+30")),
            ("90'+30\"", None, None, Some("5400+30")),
            ("90\u{2032} + 30\u{2033}", None, None, Some("5400+30")),
            ("40 moves in 90 min + 30 min + 30 sec", None, None, Some("40/5400:1800+30")),
            ("90 min/40 moves + 30 min + 30 seconds per move", None, None, Some("40/5400:1800+30")),
            ("2 hours", None, None, Some("7200")),
            ("15|10", None, None, Some("900+10")),
            ("15'/game & 10\"/move", None, None, Some("900+10")),
            ("90'+30''", None, None, Some("5400+30")),
            ("300 sec + 3 sec", None, None, Some("300+3")),
            ("3m+2s", None, None, Some("180+2")),
            // No time control.
            ("-", BOARD, None, None),
            ("?", BOARD, None, None),
            ("*180", BOARD, None, None),
            ("classical", BOARD, None, None),
            ("3 days", BOARD, None, None),
            ("90+30+30", BOARD, None, None),
            ("1:30:00", BOARD, None, None),
            ("99999999999 min", BOARD, None, None),
            ("999999999 h", BOARD, None, None),
        ] {
            let standard = in_seconds(tag, || (clock, place));
            assert_eq!(standard.as_deref(), expected, "{tag} {place:?} {clock:?}");
            let again = standard.as_deref().and_then(|tag| in_seconds(tag, || (clock, SERVER)));
            assert_eq!(again, None, "{tag}");
        }
    }

    #[test]
    fn a_wanted_control_is_a_class_or_the_tag_itself() {
        let wanted = |text: &str| text.parse::<TimeControl>().expect("any text");
        let has = |text: &str, read, written| wanted(text).has([Some(read), written]);
        assert!(has("Blitz", "180+2", None) && !has("blitz", "60+0", None));
        assert!(has("40/9000", "40/9000", None) && !has("180+2", "180+0", None));
        // A control in minutes is also found as it is written, but its class is that of its reading.
        let in_minutes = |text| has(text, "5400+30", Some("90+30"));
        assert!(["classical", "5400+30", "90+30"].into_iter().all(in_minutes) && !in_minutes("rapid"));
    }
}
