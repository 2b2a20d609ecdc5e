//! [`CalibrationData`]: the input of calibrations, in a file that can be read without an engine.

use std::io;

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::{
    CalibratedEngine, CalibrationEvent, counted::CountedMoves, play::GamePlay, sample::CalibrationPlay,
    sample::CalibrationSample, statistic::SUMMED,
};
use crate::base::seal::{Seal, SealError};
use crate::chess::{Date, Phase, Protocol};
use crate::measure::tournament::statistics::Statistic;

/// The input of a calibration: for each rated player in each game, the sums of the statistics of the player's
/// moves; and the engine and the protocol of the evaluations.
#[derive(Debug, Clone, PartialEq)]
pub struct CalibrationData {
    pub engine: CalibratedEngine,
    pub protocol: Protocol,
    pub sample: CalibrationSample,
}

#[derive(Debug, thiserror::Error)]
pub enum CalibrationDataError {
    #[error("its first line shows that it is not a file of calibration sums")]
    NoHead,
    #[error("its first line cannot be read")]
    Head(#[source] serde_json::Error),
    #[error(transparent)]
    Seal(#[from] SealError),
    #[error("it is not a table")]
    Table(#[from] csv::Error),
    #[error("row {row}: {what} is {found:?}, expected {expected}")]
    Cell { row: usize, what: &'static str, found: String, expected: &'static str },
}

const MARK: &str = "# sums of a calibration: ";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SumsHead {
    engine: CalibratedEngine,
    protocol: Protocol,
    #[serde(default, skip_serializing_if = "CountedMoves::is_default")]
    counted: CountedMoves,
    events: Vec<CalibrationEvent>,
}

const COLUMNS: [&str; 9] =
    ["event", "game", "color", "player", "elo", "date", "accuracy_percent", "phase", "moves"];

/// The name of the last column, and the column's value for a rating given by a server. Without such ratings,
/// the file lacks the column. Files of earlier builds lack it too, so their ratings count as ratings over the
/// board.
const RATED_BY: &str = "rated_by";
const SERVER: &str = "server";

impl CalibrationData {
    /// Formats the data as a line with the engine, the protocol and the events, a row for each phase of each
    /// game of each player, and a line with a digest.
    pub fn to_csv(&self) -> io::Result<String> {
        let head = SumsHead {
            engine: self.engine.clone(),
            protocol: self.protocol,
            counted: self.sample.counted,
            events: self.sample.events.clone(),
        };
        let head = format!("{MARK}{}\n", serde_json::to_string(&head)?);
        let mut table = csv::Writer::from_writer(head.into_bytes());
        let has_servers = self.sample.plays.iter().any(|play| play.is_of_server);
        let names = COLUMNS.into_iter().chain(SUMMED.map(Statistic::name));
        table.write_record(names.chain(has_servers.then_some(RATED_BY)))?;
        for play in &self.sample.plays {
            for (phase, sums) in Phase::ALL.into_iter().zip(&play.phases).filter(|(_, sums)| sums.moves() > 0)
            {
                let facts = [
                    self.sample.events[play.event as usize].name.clone(),
                    (play.game + 1).to_string(),
                    play.color.fold_wb("white", "black").to_owned(),
                    play.player.clone(),
                    play.elo.to_string(),
                    play.date.map_or_else(String::new, |date| date.to_string()),
                    play.accuracy.map_or_else(String::new, |accuracy| accuracy.to_string()),
                    phase.to_string(),
                    sums.moves().to_string(),
                ];
                let rated_by = has_servers.then(|| if play.is_of_server { SERVER } else { "" }.to_owned());
                let sums = SUMMED.map(|of| sums.sum(of).to_string());
                table.write_record(facts.into_iter().chain(sums).chain(rated_by))?;
            }
        }
        let table = table.into_inner().map_err(|error| error.into_error())?;
        Ok(Seal::LINE.seal(&String::from_utf8(table).map_err(io::Error::other)?))
    }

    /// Parses the output of [`CalibrationData::to_csv`].
    pub fn parse(text: &str) -> Result<CalibrationData, CalibrationDataError> {
        if !text.starts_with(MARK) {
            return Err(CalibrationDataError::NoHead);
        }
        let text = Seal::LINE.open(text)?;
        let (head, table) = text[MARK.len()..].split_once('\n').ok_or(CalibrationDataError::NoHead)?;
        let SumsHead { engine, protocol, counted, events } =
            serde_json::from_str(head).map_err(CalibrationDataError::Head)?;
        let mut sample = CalibrationSample { counted, events, plays: Vec::new() };
        for (row, record) in (1..).zip(csv::Reader::from_reader(table.as_bytes()).records()) {
            let (phase, play) = NumberedRow { row, record: record? }.play(&sample.events)?;
            match sample.plays.last_mut() {
                Some(last) if last.is_same(&play) => {
                    last.phases[phase as usize] = play.phases[phase as usize]
                }
                _ => sample.plays.push(play),
            }
        }
        Ok(CalibrationData { engine, protocol, sample })
    }
}

impl CalibrationPlay {
    fn is_same(&self, other: &CalibrationPlay) -> bool {
        (self.event, self.game, self.color) == (other.event, other.game, other.color)
    }
}

struct NumberedRow {
    row: usize,
    record: csv::StringRecord,
}

impl NumberedRow {
    fn cell(&self, place: usize) -> &str {
        self.record.get(place).unwrap_or_default()
    }

    fn wrong(&self, place: usize, expected: &'static str) -> CalibrationDataError {
        let what = COLUMNS.get(place).copied().unwrap_or("a sum");
        CalibrationDataError::Cell { row: self.row, what, found: self.cell(place).to_owned(), expected }
    }

    fn whole<T: std::str::FromStr>(&self, place: usize) -> Result<T, CalibrationDataError> {
        self.cell(place).parse().map_err(|_| self.wrong(place, "a whole number"))
    }

    fn number(&self, place: usize) -> Result<f64, CalibrationDataError> {
        let number =
            self.cell(place).parse().ok().filter(|number: &f64| number.is_finite() && number.abs() < 1e9);
        number.ok_or_else(|| self.wrong(place, "a number"))
    }

    fn play(&self, events: &[CalibrationEvent]) -> Result<(Phase, CalibrationPlay), CalibrationDataError> {
        let event = events.iter().position(|event| event.name == self.cell(0));
        let phase: Phase =
            self.cell(7).parse().map_err(|_| self.wrong(7, "opening, middlegame or endgame"))?;
        let mut sums = [0.0; SUMMED.len()];
        for (place, sum) in sums.iter_mut().enumerate() {
            *sum = self.number(COLUMNS.len() + place)?;
        }
        let mut phases = [GamePlay::default(); Phase::ALL.len()];
        let date = match self.cell(5) {
            "" => None,
            text => Some(text.parse::<Date>().map_err(|_| self.wrong(5, "a date as in 2013.03.15"))?),
        };
        phases[phase as usize] =
            GamePlay::from_sums(self.whole(8)?, sums).in_year(date.map(Date::year)).in_phase(phase);
        let play = CalibrationPlay {
            event: event.ok_or_else(|| self.wrong(0, "an event of the first line"))? as u32,
            game: self.whole::<u32>(1)?.checked_sub(1).ok_or_else(|| self.wrong(1, "a number from 1"))?,
            color: match self.cell(2) {
                "white" => Color::White,
                "black" => Color::Black,
                _ => return Err(self.wrong(2, "white or black")),
            },
            player: self.cell(3).to_owned(),
            elo: self.whole(4)?,
            is_of_server: self.cell(COLUMNS.len() + SUMMED.len()) == SERVER,
            date,
            accuracy: match self.cell(6) {
                "" => None,
                _ => Some(self.number(6)?),
            },
            phases,
        };
        Ok((phase, play))
    }
}
