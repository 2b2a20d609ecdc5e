//! Owns one dialogue with a UCI engine, over whatever pair of streams it is reached by.

use std::{
    num::NonZeroU32,
    time::{Duration, Instant},
};

use shakmaty::{CastlingMode, uci::UciMove};
use tokio::{
    io::{AsyncBufRead, AsyncWrite, AsyncWriteExt},
    task::coop::consume_budget,
    time::{timeout, timeout_at},
};

use super::{
    command::{Command, Go},
    engine_line::{EngineLine, Info, MAX_DEPTH},
    line::read_line,
    options::{CHESS960, MULTI_PV, OptionTable, Setting, SettingError},
    play::PositionText,
};
use crate::{
    evaluation::{Evaluation, Protocol, RankedLine, Wdl},
    evaluator::{BestMoves, Evaluator, SegmentResult},
    game::legal_uci,
    score::Score,
    segment::Segment,
    text::{cut, printable},
};

/// How long an engine may take to say `uciok`.
pub const HANDSHAKE: Duration = Duration::from_secs(10);

/// Longest line kept, in bytes: a principal variation of all plies an engine can search fits in
/// many times over, and an engine that never ends its line costs no more memory than this.
const LINE_LIMIT: usize = 64 * 1024;

/// Most lines of a search that are kept: no position has more moves.
const MOST_LINES: u32 = 256;

/// Longest free text kept, in columns.
const REMARKS: usize = 300;

/// How an engine is to be set up.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Setup {
    /// Megabytes of hash table asked for by the user; `None` for [`Setup::HASH`] where the engine
    /// has the option.
    pub hash: Option<u32>,
    /// The user's settings, in their order.
    pub settings: Vec<Setting>,
    /// How long an engine may be silent while it searches.
    pub timeout: Duration,
    /// What it is for: some options depend on it.
    pub purpose: Purpose,
}

/// What an engine is started for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Purpose {
    /// Positions are evaluated.
    #[default]
    Analysis,
    /// Games are played.
    Play,
}

impl Purpose {
    /// Returns the options that an engine is given where it has them and the user does not set them.
    fn settings(self) -> Vec<Setting> {
        let mut settings = vec![Setting::new("Threads", 1), Setting::new("Hash", Setup::HASH)];
        settings.extend(match self {
            Purpose::Analysis => ["UCI_AnalyseMode", "UCI_ShowWDL"].map(|name| Setting::new(name, true)),
            // Not UCI_AnalyseMode: it switches off contempt, which is part of how an engine plays.
            Purpose::Play => ["OwnBook", "Ponder"].map(|name| Setting::new(name, false)),
        });
        settings
    }
}

impl Setup {
    /// Megabytes of hash table unless asked otherwise.
    pub const HASH: u32 = 64;
    /// Silence allowed unless asked otherwise.
    pub const TIMEOUT: Duration = Duration::from_secs(120);

    /// Returns what the user wants set, in its order.
    pub fn asked(&self) -> Vec<Setting> {
        let hash = self.hash.map(|hash| Setting::new("Hash", hash));
        hash.into_iter().chain(self.settings.clone()).collect()
    }
}

impl Default for Setup {
    fn default() -> Setup {
        Setup { hash: None, settings: Vec::new(), timeout: Setup::TIMEOUT, purpose: Purpose::Analysis }
    }
}

/// Who an engine says it is, and how it has been set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineIdentity {
    /// Its `id name`.
    pub name: String,
    /// Its options with their values.
    pub options: OptionTable,
}

/// What went wrong in a dialogue.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// No `uciok` in time.
    #[error("it did not say \"uciok\" within {} s: not a UCI engine", HANDSHAKE.as_secs())]
    NotUci,
    /// The streams ended.
    #[error("the engine stopped{0}")]
    Exited(String),
    /// Silence.
    #[error("the engine told nothing of its search for {} s", .0.as_secs())]
    Stalled(Duration),
    /// A `bestmove` before any exact score.
    #[error("the engine gave no score for the position after {ply} plies")]
    NoScore {
        /// The ply, 0 being the start position.
        ply: usize,
    },
    /// A best move that the position does not have: the engine answers something else.
    #[error("the engine's move {best} is illegal in the position after {ply} plies")]
    IllegalMove {
        /// The ply, 0 being the start position.
        ply: usize,
        /// The move that the engine named.
        best: UciMove,
    },
    /// A game that the engine cannot be told of.
    #[error("the engine has no option UCI_Chess960, which the game needs")]
    NoChess960,
    /// More lines than it tells of a search.
    #[error(
        "the engine cannot tell the {asked} best moves of a position: {}",
        most.map_or("it has no option MultiPV".to_owned(), |most| format!("its MultiPV is {most} at most"))
    )]
    TooManyLines {
        /// How many were asked for.
        asked: u32,
        /// How many it can tell, where it can tell several at all.
        most: Option<i64>,
    },
    /// A best move that is none of those that it was told to search.
    #[error("the engine's move {best} in the position after {ply} plies is none of those asked for")]
    OtherMove {
        /// The ply, 0 being the start position.
        ply: usize,
        /// The move that the engine named.
        best: UciMove,
    },
    /// A setting that the engine would not take.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// Reading or writing failed.
    #[error("the dialogue with the engine broke off")]
    Io(#[from] std::io::Error),
}

/// A dialogue that has got past its handshake.
#[derive(Debug)]
pub struct Session<R, W> {
    reader: R,
    writer: W,
    identity: EngineIdentity,
    timeout: Duration,
    chess960: bool,
    /// Lines of a search that the engine is set to tell of.
    lines: u32,
    /// What the engine is told of the game that it plays.
    pub(super) told: PositionText,
    /// The `info string` lines of the search at hand, in which engines say why they give up.
    remarks: Vec<u8>,
}

impl<R, W> Session<R, W>
where
    R: AsyncBufRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send,
{
    /// Shakes hands, sets the options and waits until the engine is ready.
    pub async fn start(reader: R, writer: W, setup: &Setup) -> Result<Session<R, W>, SessionError> {
        let identity = EngineIdentity { name: String::new(), options: OptionTable::default() };
        let (timeout, remarks) = (setup.timeout, Vec::new());
        let told = PositionText::default();
        let mut session =
            Session { reader, writer, identity, timeout, chess960: false, lines: 1, told, remarks };
        session.identity = session.shake_hands().await?;
        session.configure(setup).await?;
        session.lines = session.identity.options.lines();
        session.ready().await?;
        Ok(session)
    }

    /// Returns who the engine is, and how it has been set.
    pub fn identity(&self) -> &EngineIdentity {
        &self.identity
    }

    /// How long the engine may be silent while it searches.
    pub(super) fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Forgets what the engine said in free text, before a search begins.
    pub(super) fn forget_remarks(&mut self) {
        self.remarks.clear();
    }

    /// Returns what the engine said in free text since its last search began.
    pub fn remarks(&self) -> Option<String> {
        let remarks = printable(&String::from_utf8_lossy(&self.remarks));
        let remarks = cut(remarks.trim(), REMARKS);
        (!remarks.is_empty()).then_some(remarks)
    }

    async fn shake_hands(&mut self) -> Result<EngineIdentity, SessionError> {
        self.send(&Command::Uci).await?;
        let deadline = Instant::now() + HANDSHAKE;
        let mut name = String::from("unknown engine");
        let mut options = Vec::new();
        loop {
            match self.line_before(deadline, || SessionError::NotUci).await? {
                EngineLine::Name(id) => name = id,
                EngineLine::Option(option) => options.push(option),
                EngineLine::UciOk => return Ok(EngineIdentity { name, options: OptionTable::new(options) }),
                _ => {}
            }
            in_time(deadline, || SessionError::NotUci)?;
        }
    }

    /// Returns what the protocol wants where the engine offers it, then what the user wants.
    async fn configure(&mut self, setup: &Setup) -> Result<(), SessionError> {
        let asked = setup.asked();
        for setting in setup.purpose.settings() {
            let is_asked = asked.iter().any(|asked| asked.name.eq_ignore_ascii_case(&setting.name));
            let nearest = self.identity.options.nearest(&setting).filter(|_| !is_asked);
            if let Some(setting) = nearest {
                self.set(&setting).await?;
            }
        }
        for setting in &asked {
            self.set(setting).await?;
        }
        Ok(())
    }

    async fn set(&mut self, setting: &Setting) -> Result<(), SessionError> {
        let checked = self.identity.options.set(setting)?;
        self.send(&Command::set(&checked.name, checked.value.as_deref())).await
    }

    pub(super) async fn ready(&mut self) -> Result<(), SessionError> {
        self.send(&Command::IsReady).await?;
        let deadline = Instant::now() + self.timeout;
        let stalled = stalled(self.timeout);
        while self.line_before(deadline, stalled).await? != EngineLine::ReadyOk {
            in_time(deadline, stalled)?;
        }
        Ok(())
    }

    /// Tells the engine how castling is written, where that changes.
    pub(super) async fn set_mode(&mut self, mode: CastlingMode) -> Result<(), SessionError> {
        let chess960 = mode.is_chess960();
        if chess960 && self.identity.options.get(CHESS960).is_none() {
            return Err(SessionError::NoChess960);
        }
        if chess960 != self.chess960 {
            let value = chess960.to_string();
            self.send(&Command::set(CHESS960, Some(&value))).await?;
            self.chess960 = chess960;
        }
        Ok(())
    }

    /// Tells the engine how many lines of a search are wanted, where that changes.
    async fn set_lines(&mut self, asked: NonZeroU32) -> Result<(), SessionError> {
        let options = &self.identity.options;
        let lines = options.lines_for(asked);
        if lines == self.lines {
            return Ok(());
        }
        let most = options.most_lines();
        if most.is_none_or(|most| i64::from(lines) > most) {
            return Err(SessionError::TooManyLines { asked: lines, most });
        }
        self.send(&Command::set(MULTI_PV, Some(&lines.to_string()))).await?;
        self.lines = lines;
        Ok(())
    }

    async fn search(
        &mut self,
        segment: &Segment,
        ply: usize,
        protocol: &Protocol,
    ) -> Result<(Evaluation, BestMoves), SessionError> {
        let fen = segment.start_fen().map(Into::into);
        self.send(&Command::Position { fen, moves: segment.moves_to(ply).into() }).await?;
        self.forget_remarks();
        let searchmoves = segment.root_moves().to_vec();
        self.send(&Command::Go(Go { searchmoves, ..protocol.limit.into() })).await?;
        let mut iterations = BestMoves::new();
        let (mut lines, best) = self.answer(|info| note_iteration(&mut iterations, info)).await?;
        let position = segment.position(ply);
        let legal = |best| {
            let legal = legal_uci(best, &position, segment.mode());
            let best = legal.ok_or(SessionError::IllegalMove { ply, best })?;
            let is_asked = segment.root_moves().is_empty() || segment.root_moves().contains(&best);
            if is_asked { Ok(best) } else { Err(SessionError::OtherMove { ply, best }) }
        };
        let first = lines.first_mut().and_then(Option::take).ok_or(SessionError::NoScore { ply })?;
        let best = best.map(legal).transpose()?;
        let mut evaluation =
            evaluation(first, best, segment.turn(ply)).ok_or(SessionError::NoScore { ply })?;
        for (rank, info) in (1..).zip(lines) {
            let Some((score, pv)) = info.and_then(|info| Some((info.score?, info.pv))) else { continue };
            let Some(&best) = pv.first() else { continue };
            let score = Score::from_side_to_move(score, segment.turn(ply));
            evaluation.alternatives.push(RankedLine { rank, best: legal(best)?, score, pv });
        }
        Ok((evaluation, iterations))
    }

    /// Returns the last exact line of each variation that was asked for, the first one's first, with the move
    /// that ends the search; those of the first are told to `exact`. Only lines that tell something new of a search put off
    /// the deadline, so that an engine that babbles or repeats itself is found out.
    async fn answer(
        &mut self,
        mut exact: impl FnMut(&Info),
    ) -> Result<(Vec<Option<Info>>, Option<UciMove>), SessionError> {
        let stalled = stalled(self.timeout);
        let (mut last, mut before) = (Vec::new(), Info::default());
        let mut deadline = Instant::now() + self.timeout;
        loop {
            match self.line_before(deadline, stalled).await? {
                EngineLine::BestMove { best, .. } => return Ok((last, best)),
                EngineLine::Info(info) if info != before && info != Info::default() => {
                    deadline = Instant::now() + self.timeout;
                    let is_exact = info.score.is_some() && info.bound.is_none();
                    let rank = info.multipv.unwrap_or(1);
                    if is_exact && rank == 1 {
                        exact(&info);
                    }
                    if is_exact && (1..=self.lines.min(MOST_LINES)).contains(&rank) {
                        let place = rank as usize - 1;
                        last.resize(last.len().max(place + 1), None);
                        last[place] = Some(info.clone());
                    }
                    before = info;
                }
                _ => in_time(deadline, stalled)?,
            }
        }
    }

    /// Ends the dialogue politely.
    pub async fn quit(mut self) -> Result<(), SessionError> {
        self.send(&Command::Quit).await
    }

    pub(super) async fn send(&mut self, command: &Command<'_>) -> Result<(), SessionError> {
        self.send_lines(&format!("{command}\n")).await
    }

    /// Sends whole lines at once.
    pub(super) async fn send_lines(&mut self, lines: &str) -> Result<(), SessionError> {
        let sent = async {
            self.writer.write_all(lines.as_bytes()).await?;
            self.writer.flush().await
        };
        // An engine that reads nothing blocks the pipe once it is full.
        let Ok(sent) = timeout(self.timeout, sent).await else {
            return Err(SessionError::Stalled(self.timeout));
        };
        match sent {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {
                Err(SessionError::Exited(String::new()))
            }
            other => Ok(other?),
        }
    }

    async fn line_before(
        &mut self,
        deadline: Instant,
        late: impl Fn() -> SessionError,
    ) -> Result<EngineLine, SessionError> {
        Ok(EngineLine::from_bytes(&self.bytes_before(deadline, late).await?))
    }

    /// The next line, if it is there before the deadline or has been waiting when this process
    /// woke up after it.
    pub(super) async fn bytes_before(
        &mut self,
        deadline: Instant,
        late: impl Fn() -> SessionError,
    ) -> Result<Vec<u8>, SessionError> {
        // Lines that are there already are read without a look at the other engines.
        consume_budget().await;
        let line = match timeout_at(deadline.into(), read_line(&mut self.reader, LINE_LIMIT)).await {
            Err(_) => return Err(late()),
            Ok(line) => line?.ok_or_else(|| SessionError::Exited(String::new()))?,
        };
        if let Some(remark) = line.strip_prefix(b"info string ")
            && self.remarks.len() < REMARKS
        {
            self.remarks.extend_from_slice(remark);
            self.remarks.push(b' ');
        }
        Ok(line)
    }
}

/// The error of an engine that has told nothing new for so long.
pub(super) fn stalled(timeout: Duration) -> impl Fn() -> SessionError + Copy {
    move || SessionError::Stalled(timeout)
}

/// Asked after each line that was not waited for: where there is always another one to read, no
/// wait for it ever runs out.
pub(super) fn in_time(deadline: Instant, late: impl Fn() -> SessionError) -> Result<(), SessionError> {
    if Instant::now() < deadline { Ok(()) } else { Err(late()) }
}

impl<R, W> Evaluator for Session<R, W>
where
    R: AsyncBufRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send,
{
    type Error = SessionError;

    /// Evaluates a segment: one engine takes all of it with a hash table that starts empty.
    async fn evaluate(
        &mut self,
        segment: &Segment,
        protocol: &Protocol,
    ) -> Result<SegmentResult, SessionError> {
        self.set_mode(segment.mode()).await?;
        self.set_lines(protocol.lines).await?;
        self.send(&Command::NewGame).await?;
        self.ready().await?;
        let start = Instant::now();
        let mut evaluations = Vec::with_capacity(segment.searches().len());
        let mut iterations = Vec::with_capacity(segment.searches().len());
        for &ply in segment.searches() {
            let (evaluation, best_moves) = self.search(segment, ply, protocol).await?;
            evaluations.push((ply, evaluation));
            iterations.push(best_moves);
        }
        Ok(SegmentResult { evaluations, iterations, busy: start.elapsed() })
    }
}

/// Keeps the move that the exact line of an iteration begins with: of several lines of one depth, the
/// last.
fn note_iteration(iterations: &mut BestMoves, info: &Info) {
    let depth = info.depth.filter(|depth| (1..=MAX_DEPTH).contains(depth));
    if let (Some(depth), Some(&best)) = (depth, info.pv.first()) {
        let place = depth as usize - 1;
        iterations.resize(iterations.len().max(place + 1), None);
        iterations[place] = Some(best);
    }
}

/// Returns the evaluation that an engine's last line stands for, seen from White.
fn evaluation(info: Info, best: Option<UciMove>, turn: shakmaty::Color) -> Option<Evaluation> {
    let wdl = info.wdl.and_then(|[own, draw, other]| {
        let (white, black) = turn.fold_wb((own, other), (other, own));
        Wdl::new(white, draw, black)
    });
    Some(Evaluation {
        score: Score::from_side_to_move(info.score?, turn),
        depth: info.depth,
        seldepth: info.seldepth,
        nodes: info.nodes,
        time_ms: info.time_ms,
        best,
        pv: info.pv,
        wdl,
        alternatives: Vec::new(),
    })
}

#[cfg(test)]
pub(super) mod tests {
    use tokio::io::{BufReader, DuplexStream, ReadHalf, WriteHalf, duplex, split};

    use super::*;
    use crate::{
        evaluation::{Limit, Order},
        pgn::parse_games,
        score::SignedScore,
    };

    pub type TestSession = Session<BufReader<ReadHalf<DuplexStream>>, WriteHalf<DuplexStream>>;

    /// Plays the engine's side of a transcript: a line after `>` is expected, one after `<` is said.
    async fn play(transcript: String, stream: DuplexStream) {
        let (reader, mut writer) = split(stream);
        let mut reader = BufReader::new(reader);
        for line in transcript.lines().map(str::trim).filter(|line| !line.is_empty()) {
            match line.split_at(1) {
                (">", expected) => {
                    let heard = read_line(&mut reader, LINE_LIMIT).await.expect("a stream in memory");
                    let heard = heard.map(|line| String::from_utf8(line).expect("text"));
                    assert_eq!(heard.as_deref(), Some(expected.trim()));
                }
                (_, said) => {
                    let line = format!("{}\n", said.trim());
                    // A session that has failed does not listen any more.
                    let _ = writer.write_all(line.as_bytes()).await;
                }
            }
        }
    }

    fn protocol() -> Protocol {
        Protocol::new(Limit::Depth(2), Order::Backward, 16)
    }

    pub fn setup() -> Setup {
        Setup { timeout: Duration::from_millis(300), ..Setup::default() }
    }

    /// Runs `session` against a transcript to the end of both.
    pub fn converse<F: Future<Output = ()>>(
        transcript: &str,
        setup: Setup,
        script: impl FnOnce(Result<TestSession, SessionError>) -> F,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let (ours, theirs) = duplex(1 << 16);
            let engine = tokio::spawn(play(transcript.to_owned(), theirs));
            let (reader, writer) = split(ours);
            script(Session::start(BufReader::new(reader), writer, &setup).await).await;
            engine.await.expect("the dialogue is as written");
        });
    }

    /// Returns the only segment of a game.
    fn segment(pgn: &str) -> Segment {
        let game = parse_games(pgn, "test").remove(0).expect("a game");
        let protocol = protocol();
        Segment::cut(&game, &protocol).remove(0)
    }

    #[test]
    fn a_segment_is_searched_as_the_protocol_says() {
        let transcript = "
            > uci
            < Engine 1.0 by nobody
            < id name Engine 1.0
            < option name Threads type spin default 4 min 1 max 8
            < option name Hash type spin default 16 min 1 max 1024
            < option name UCI_ShowWDL type check default false
            < uciok
            > setoption name Threads value 1
            > setoption name Hash value 64
            > setoption name UCI_ShowWDL value true
            > isready
            < readyok
            > ucinewgame
            > isready
            < info string getting ready
            < readyok
            > position startpos moves e2e4 e7e5
            > go depth 2
            < info depth 1 score cp 10 nodes 20 pv g1f3
            < info depth 2 seldepth 3 multipv 1 score cp 31 wdl 90 880 30 nodes 70 time 5 pv g1f3 b8c6
            < info depth 2 multipv 2 score cp -400 nodes 71 pv a2a3
            < info depth 3 score cp 999 lowerbound nodes 80 pv g1f3
            < bestmove g1f3 ponder b8c6
            > position startpos moves e2e4
            > go depth 2
            < info depth 2 score cp -28 wdl 20 890 90 nodes 60 pv e7e5
            < bestmove e7e5
            > position startpos
            > go depth 2
            < info depth 2 score mate 7 nodes 50
            < bestmove e2e4
            > quit
        ";
        converse(transcript, setup(), async |session| {
            let mut session = session.expect("a session");
            assert_eq!(session.identity().name, "Engine 1.0");
            assert_eq!(session.identity().options.values()["Hash"], "64");
            let segment = segment("1. e4 e5 *");
            let result = session.evaluate(&segment, &protocol()).await.expect("evaluations");
            let [(2, last), (1, middle), (0, first)] = result.evaluations.as_slice() else {
                panic!("from the last position to the first: {result:?}");
            };
            assert_eq!((last.score, last.nodes, last.depth), (Score::Cp(31), Some(70), Some(2)));
            assert_eq!(last.best, Some("g1f3".parse().expect("a move")));
            let knight = Some("g1f3".parse().expect("a move"));
            let black = Some("e7e5".parse().expect("a move"));
            assert_eq!(
                result.iterations,
                [vec![knight; 2], vec![None, black], vec![]],
                "bounds are no moves"
            );
            assert_eq!(middle.score, Score::Cp(28), "Black's −28 is White's +28");
            assert_eq!(middle.wdl, Some(Wdl { win: 90, draw: 890, loss: 20 }));
            let mate = SignedScore::Mate(7);
            assert_eq!(first.score, Score::from_white_view(mate, shakmaty::Color::White));
            session.quit().await.expect("a listener");
        });
    }

    #[test]
    fn chess960_is_switched_on_for_the_game_that_needs_it_and_off_again() {
        let transcript = "
            > uci
            < option name UCI_Chess960 type check default false
            < uciok
            > isready
            < readyok
            > setoption name UCI_Chess960 value true
            > ucinewgame
            > isready
            < readyok
            > position fen rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w KQkq - 0 1 moves b1e1
            > go depth 2
            < info depth 2 score cp 1
            < bestmove b8e8
            > position fen rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w KQkq - 0 1
            > go depth 2
            < info depth 2 score cp 1
            < bestmove b1e1
            > setoption name UCI_Chess960 value false
            > ucinewgame
            > isready
            < readyok
            > position startpos
            > go depth 2
            < info depth 2 score cp 1
            < bestmove e2e4
        ";
        converse(transcript, setup(), async |session| {
            let mut session = session.expect("a session");
            let fen = "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w KQkq - 0 1";
            let shuffled = segment(&format!("[Variant \"Chess960\"]\n[FEN \"{fen}\"]\n\n1. O-O *"));
            session.evaluate(&shuffled, &protocol()).await.expect("evaluations");
            let usual = segment("*");
            session.evaluate(&usual, &protocol()).await.expect("evaluations");
        });
    }

    #[test]
    fn castling_is_kept_in_the_notation_of_the_game_and_chances_only_where_they_are_a_whole() {
        let answer = "
            < info depth 2 score cp 1 wdl 1 2 3
            < bestmove e1h1
        ";
        let fen = "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n*";
        let preamble = PREAMBLE.replace("startpos", "fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        converse(&[&preamble, answer].concat(), setup(), async |session| {
            let mut session = session.expect("a session");
            let result = session.evaluate(&segment(fen), &protocol()).await.expect("evaluations");
            let (_, evaluation) = &result.evaluations[0];
            assert_eq!(evaluation.best, Some("e1g1".parse().expect("a move")));
            assert_eq!(evaluation.wdl, None);
        });
    }

    /// What an engine without options is told before its first search.
    const PREAMBLE: &str = "
        > uci
        < uciok
        > isready
        < readyok
        > ucinewgame
        > isready
        < readyok
        > position startpos
        > go depth 2
    ";

    /// Returns the error of a search of the start position that the engine answers with `answer`.
    fn failure(answer: &str) -> String {
        let mut error = String::new();
        converse(&[PREAMBLE, answer].concat(), setup(), async |session| {
            let mut session = session.expect("a session");
            let segment = segment("*");
            error = session.evaluate(&segment, &protocol()).await.expect_err("a fault").to_string();
        });
        error
    }

    #[test]
    fn a_move_before_any_exact_score_is_an_error() {
        let error = failure(
            "< info depth 2 score cp 12 upperbound
             < info depth 2 multipv 2 score cp 12
             < bestmove e2e4",
        );
        assert_eq!(error, "the engine gave no score for the position after 0 plies");
    }

    #[test]
    fn an_answer_to_another_position_is_an_error() {
        let error = failure(
            "< info depth 2 score cp 12
             < bestmove e7e5",
        );
        assert_eq!(error, "the engine's move e7e5 is illegal in the position after 0 plies");
    }

    /// An engine that can tell of three lines, up to its first search.
    const SEVERAL_LINES: &str = "
        > uci
        < option name MultiPV type spin default 1 min 1 max 3
        < uciok
        > isready
        < readyok
    ";

    fn lines(lines: u32) -> Protocol {
        Protocol { lines: NonZeroU32::new(lines).expect("above 0"), ..protocol() }
    }

    #[test]
    fn all_lines_of_a_search_are_kept_and_asked_for_only_where_they_are_wanted() {
        let transcript = "
            > setoption name MultiPV value 3
            > ucinewgame
            > isready
            < readyok
            > position startpos moves e2e4
            > go depth 2
            < info depth 1 multipv 1 score cp 9 pv e7e5
            < info depth 1 multipv 2 score cp 8 pv d7d5
            < info depth 2 multipv 1 score cp -5 nodes 50 pv c7c5 g1f3
            < info depth 2 multipv 2 score mate -3 pv e7e5 g1f3
            < info depth 2 multipv 3 score cp -70 upperbound pv a7a6
            < info depth 2 multipv 4000000000 score cp -80 pv b7b6
            < bestmove c7c5
            > setoption name MultiPV value 1
            > ucinewgame
            > isready
            < readyok
            > position startpos moves e2e4
            > go depth 2
            < info depth 2 score cp -5 pv c7c5
            < info depth 2 multipv 2 score cp -9 pv h2h4
            < bestmove c7c5
        ";
        converse(&[SEVERAL_LINES, transcript].concat(), setup(), async |session| {
            let mut session = session.expect("a session");
            let game = parse_games("1. e4 *", "test").remove(0).expect("a game");
            let alone = Protocol { segment: 1, ..protocol() };
            let segment = Segment::cut(&game, &alone).into_iter().find(|segment| segment.first() == 1);
            let segment = segment.expect("the last position");
            let result = session.evaluate(&segment, &lines(3)).await.expect("evaluations");
            let told: Vec<_> = result.evaluations[0].1.lines().collect();
            let uci = |uci: &str| uci.parse::<UciMove>().expect("a move");
            assert_eq!(
                told.iter().map(|line| (line.rank, line.best)).collect::<Vec<_>>(),
                [(1, uci("c7c5")), (2, uci("e7e5"))]
            );
            assert_eq!((told[0].score, told[0].pv.len()), (Score::Cp(5), 2), "White's view");
            let mate = SignedScore::Mate(-3);
            assert_eq!(told[1].score, Score::from_side_to_move(mate, shakmaty::Color::Black));
            let result = session.evaluate(&segment, &protocol()).await.expect("evaluations");
            assert!(result.evaluations[0].1.alternatives.is_empty(), "nobody asked for the second line");
        });
    }

    #[test]
    fn more_lines_than_the_engine_can_tell_of_are_refused() {
        for (preamble, problem) in [
            (SEVERAL_LINES, "its MultiPV is 3 at most"),
            ("> uci\n < uciok\n > isready\n < readyok", "it has no option MultiPV"),
        ] {
            converse(preamble, setup(), async |session| {
                let mut session = session.expect("a session");
                let error =
                    session.evaluate(&segment("*"), &lines(4)).await.expect_err("too many").to_string();
                assert_eq!(
                    error,
                    format!("the engine cannot tell the 4 best moves of a position: {problem}")
                );
            });
        }
    }

    #[test]
    fn a_search_may_be_of_some_moves_alone_and_the_answer_must_be_one_of_them() {
        let transcript = "
            > uci
            < uciok
            > isready
            < readyok
            > ucinewgame
            > isready
            < readyok
            > position startpos
            > go depth 2 searchmoves a2a3 b2b3
            < info depth 2 score cp -9 pv b2b3
            < bestmove b2b3
            > ucinewgame
            > isready
            < readyok
            > position startpos
            > go depth 2 searchmoves a2a3 b2b3
            < info depth 2 score cp 20 pv e2e4
            < bestmove e2e4
        ";
        converse(transcript, setup(), async |session| {
            let mut session = session.expect("a session");
            let moves = ["a2a3", "b2b3"].map(|uci| uci.parse().expect("a move"));
            let some = segment("*").restricted_to(&moves).expect("legal moves");
            let result = session.evaluate(&some, &protocol()).await.expect("an evaluation");
            assert_eq!(result.evaluations[0].1.best, Some(moves[1]));
            let error = session.evaluate(&some, &protocol()).await.expect_err("another move").to_string();
            assert_eq!(
                error,
                "the engine's move e2e4 in the position after 0 plies is none of those asked for"
            );
        });
    }

    #[test]
    fn a_setting_out_of_range_is_refused_before_any_search() {
        let transcript = "
            > uci
            < option name Hash type spin default 16 min 1 max 64
            < uciok
        ";
        let asked = Setup { settings: vec![Setting::new("Hash", 65)], ..setup() };
        converse(transcript, asked, async |session| {
            let error = session.map(|_| ()).expect_err("out of range").to_string();
            assert_eq!(error, "engine option Hash cannot be \"65\": it is a whole number from 1 to 64");
        });
    }
}
