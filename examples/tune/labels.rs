//! Labels of positions. A label is the evaluation of a position by a stronger engine. It is written to a file
//! as soon as it is known.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{self, BufRead, BufReader, BufWriter, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position, fen::Fen};

use gainalyze::base::text::{brief, full_path};
use gainalyze::chess::{Evaluation, Evaluator, GameSoFar, Limit, Order, Protocol, Segment, SignedScore, Wdl};
use gainalyze::engine::Stop;
use gainalyze::store::{PoolEvent, Task, evaluate::pool};

/// An engine's evaluation of a position, from the view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label {
    pub score: SignedScore,
    /// Chances of a win, a draw and a loss, in thousandths, if the engine reports them.
    pub wdl: Option<[u16; 3]>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct LabeledPosition {
    pub chess: Chess,
    pub label: Label,
}

/// An error while labeling positions or reading the file of labels.
#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    /// The file cannot be read or written.
    #[error("{path}: {source}", path = full_path(path))]
    File { path: PathBuf, source: io::Error },
    /// The labels in the file come from another engine, or from searches with another node limit.
    #[error("{path} begins with {found:?}, not with {expected:?}: the file belongs to another run", path = full_path(path))]
    Heading { path: PathBuf, found: String, expected: String },
    /// A line that is not a label.
    #[error(
        "{path}, line {line}: {found:?} is not a position with a score and optional chances, as in \"FEN,cp 31,250 650 100\"",
        path = full_path(path)
    )]
    Line {
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        found: String,
    },
    /// A position could not be labeled, even after several attempts.
    #[error("the engine cannot label positions: {0}")]
    Engine(String),
}

impl Label {
    /// Converts an evaluation to the view of the side to move.
    fn of(evaluation: &Evaluation, turn: Color) -> Label {
        let wdl =
            evaluation.wdl.map(|Wdl { win, draw, loss }| turn.fold_wb([win, draw, loss], [loss, draw, win]));
        Label { score: evaluation.score.seen_by(turn), wdl }
    }

    fn write(&self) -> String {
        let score = match self.score {
            SignedScore::Cp(centipawns) => format!("cp {centipawns}"),
            SignedScore::Mate(moves) => format!("mate {moves}"),
        };
        self.wdl.map_or(score.clone(), |[win, draw, loss]| format!("{score},{win} {draw} {loss}"))
    }

    fn parse(score: &str, wdl: Option<&str>) -> Option<Label> {
        let score = match score.split_once(' ')? {
            ("cp", centipawns) => SignedScore::Cp(centipawns.parse().ok()?),
            ("mate", moves) => SignedScore::Mate(moves.parse().ok()?),
            _ => return None,
        };
        let wdl = match wdl {
            None => None,
            Some(text) => {
                let chances: Vec<u16> =
                    text.split(' ').map(str::parse::<u16>).collect::<Result<_, _>>().ok()?;
                let [win, draw, loss] = chances.try_into().ok()?;
                Some(Wdl::new(win, draw, loss).map(|_| [win, draw, loss])?)
            }
        };
        Some(Label { score, wdl })
    }
}

/// A file with a line for each labeled position, in the order of labeling. The first line names the source of
/// the labels: the engine and its node limit.
#[derive(Debug)]
pub struct LabelFile {
    path: PathBuf,
    heading: String,
    labels: BTreeMap<String, Label>,
}

impl LabelFile {
    /// Opens the file of labels at `path`, or creates it. `source` names the labeling engine and its node
    /// limit. If a killed run left an incomplete last line, the line is removed.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, changed or created, has labels of another source, or has a line that is
    /// not a label.
    pub fn open(path: &Path, source: &str) -> Result<LabelFile, LabelError> {
        let heading = format!("# labels: {source}");
        let mut file = LabelFile { path: path.to_owned(), heading, labels: BTreeMap::new() };
        match File::open(path) {
            Ok(opened) => file.read(BufReader::new(opened))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::write(path, format!("{}\n", file.heading)).map_err(|source| file.error(source))?;
            }
            Err(source) => return Err(file.error(source)),
        }
        Ok(file)
    }

    fn read(&mut self, mut reader: BufReader<File>) -> Result<(), LabelError> {
        let (mut text, mut line, mut whole) = (String::new(), 0, 0);
        loop {
            text.clear();
            let length = reader.read_line(&mut text).map_err(|source| self.error(source))?;
            if length == 0 {
                return Ok(());
            }
            line += 1;
            let Some(content) = text.strip_suffix('\n') else {
                let file = OpenOptions::new().write(true).open(&self.path);
                return file.and_then(|file| file.set_len(whole)).map_err(|source| self.error(source));
            };
            whole += length as u64;
            if line == 1 {
                self.check_heading(content)?;
                continue;
            }
            let mut fields = content.splitn(3, ',');
            let fen = fields.next().filter(|fen| position(fen).is_some());
            let label = fields.next().and_then(|score| Label::parse(score, fields.next()));
            let (Some(fen), Some(label)) = (fen, label) else {
                let found = brief(content);
                return Err(LabelError::Line { path: self.path.clone(), line, found });
            };
            self.labels.insert(fen.to_owned(), label);
        }
    }

    fn check_heading(&self, first: &str) -> Result<(), LabelError> {
        if first == self.heading {
            return Ok(());
        }
        let (found, expected) = (brief(first), self.heading.clone());
        Err(LabelError::Heading { path: self.path.clone(), found, expected })
    }

    fn error(&self, source: io::Error) -> LabelError {
        LabelError::File { path: self.path.clone(), source }
    }

    /// Returns whether a position has a label.
    pub fn has(&self, chess: &Chess) -> bool {
        self.labels.contains_key(&fen(chess))
    }

    /// Returns the number of labeled positions.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Returns all labeled positions, in an order that does not depend on the order of labeling.
    pub fn positions(&self) -> Vec<LabeledPosition> {
        let labeled =
            |(fen, &label): (&String, &Label)| Some(LabeledPosition { chess: position(fen)?, label });
        self.labels.iter().filter_map(labeled).collect()
    }

    /// Labels each of the `positions` that has legal moves and no label yet, by a search of `nodes` nodes.
    /// Each label is written to the file immediately. `progress` then receives the number of labeled
    /// positions. After a stop, the next run can label the remaining positions.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or a position cannot be labeled even after several attempts.
    pub async fn fill<E: Evaluator + 'static>(
        &mut self,
        positions: &[Chess],
        evaluators: Vec<E>,
        nodes: u64,
        stop: &Stop,
        mut progress: impl FnMut(usize),
    ) -> Result<(), LabelError> {
        let open = OpenOptions::new().create(true).append(true).open(&self.path);
        let mut out = BufWriter::new(open.map_err(|source| self.error(source))?);
        let wanted = positions.iter().filter(|chess| !self.has(chess));
        let tasks: Vec<Task> = wanted.enumerate().filter_map(|(game, chess)| task(game, chess)).collect();
        let protocol = Protocol::new(Limit::Nodes(nodes), Order::Forward, 1);
        let pause = Duration::from_millis(100);
        pool::run(evaluators, tasks, protocol, pause, stop, |event| match event {
            PoolEvent::Done { task, result, .. } => {
                if let Some((ply, evaluation)) = result.evaluations.first() {
                    let chess = task.segment.position(*ply);
                    let (fen, label) = (fen(&chess), Label::of(evaluation, chess.turn()));
                    let written = writeln!(out, "{fen},{}", label.write()).and_then(|()| out.flush());
                    written.map_err(|source| self.error(source))?;
                    self.labels.insert(fen, label);
                    progress(self.labels.len());
                }
                Ok(())
            }
            PoolEvent::Failed { error, .. } => Err(LabelError::Engine(error)),
            PoolEvent::Begins { .. } | PoolEvent::Retried { .. } | PoolEvent::Retired { .. } => Ok(()),
        })
        .await
    }
}

fn task(game: usize, chess: &Chess) -> Option<Task> {
    let so_far = GameSoFar::new(chess.clone(), CastlingMode::Standard);
    // A position without moves has no label.
    Some(Task { game, segment: Segment::end_of(&so_far).ok()? })
}

pub fn fen(chess: &Chess) -> String {
    Fen::from_position(chess, EnPassantMode::Legal).to_string()
}

pub fn position(fen: &str) -> Option<Chess> {
    fen.parse::<Fen>().ok()?.into_position(CastlingMode::Standard).ok()
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::positions::PositionPlan;
    use gainalyze::chess::SegmentResult;
    use gainalyze::engine::{chess_engine::Weights, work::event_loop};

    /// An engine that evaluates every position as +25 centipawns for White. It requests a stop after `left`
    /// positions.
    struct Script {
        left: usize,
        stop: Stop,
    }

    impl Evaluator for Script {
        type Error = Infallible;

        async fn evaluate(&mut self, segment: &Segment, _: &Protocol) -> Result<SegmentResult, Infallible> {
            self.left -= 1;
            if self.left == 0 {
                self.stop.request();
            }
            let wdl = Wdl::new(300, 600, 100);
            let evaluation = Evaluation { wdl, ..Evaluation::of_score(gainalyze::chess::Score::Cp(25)) };
            let evaluations = segment.searches().iter().map(|&ply| (ply, evaluation.clone())).collect();
            Ok(SegmentResult { evaluations, iterations: Vec::new(), busy: Duration::ZERO })
        }
    }

    fn fill(file: &mut LabelFile, positions: &[Chess], at_most: usize) {
        let stop = Stop::default();
        let script = Script { left: at_most, stop: stop.clone() };
        let work = file.fill(positions, vec![script], 1, &stop, |_| {});
        event_loop().expect("a loop").block_on(work).expect("labels");
    }

    #[test]
    fn labels_are_in_the_view_of_the_side_to_move_and_a_stopped_run_goes_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("labels.csv");
        let plan = PositionPlan { count: 20, seed: 1, nodes: 2 };
        let positions = plan.make(&Weights::material(), &Stop::default(), |_| {});
        fill(&mut LabelFile::open(&path, "a script").expect("a new file"), &positions, 5);
        // Simulates a line that was cut off by a loss of power.
        let text = fs::read_to_string(&path).expect("labels");
        fs::write(&path, format!("{text}8/8/8/4k3")).expect("half a line");
        let mut file = LabelFile::open(&path, "a script").expect("labels");
        assert_eq!(file.len(), 5);
        fill(&mut file, &positions, 100);
        let again = LabelFile::open(&path, "a script").expect("labels");
        assert_eq!((again.len(), again.positions()), (20, file.positions()));
        for LabeledPosition { chess, label } in again.positions() {
            let (score, wdl) = chess.turn().fold_wb((25, [300, 600, 100]), (-25, [100, 600, 300]));
            assert_eq!(label, Label { score: SignedScore::Cp(score), wdl: Some(wdl) });
        }
    }

    #[test]
    fn a_file_of_something_else_is_refused_with_its_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("labels.csv");
        let error = |text: &str| {
            fs::write(&path, text).expect("a file");
            LabelFile::open(&path, "a script").expect_err("an error").to_string()
        };
        assert!(error("# labels: another\n").contains("begins with \"# labels: another\", not with"));
        let line = |line: &str| error(&format!("# labels: a script\n{line}\n"));
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for wrong in [
            "",
            "x,cp 1",
            start,
            &format!("{start},cp"),
            &format!("{start},cp 1,1 2 3"),
            &format!("{start},cp 1,1 2"),
        ] {
            assert!(line(wrong).contains("line 2"), "{wrong}");
        }
    }
}
