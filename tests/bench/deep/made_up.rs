//! [`MadeUp`]: an engine whose scores are digests of position and move. It answers at once or after a pause.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    io,
    time::{Duration, Instant},
};

use gainalyze::chess::{Evaluation, Evaluator, Protocol, Score, Segment, SegmentResult};
use shakmaty::{Chess, Position, uci::UciMove};

/// An engine with artificial scores, from −200 to 200 centipawns.
pub struct MadeUp {
    /// Average time of a search, which takes between half and three halves of this time; `None` if it takes
    /// none.
    pause: Option<Duration>,
}

impl MadeUp {
    pub fn at_once() -> MadeUp {
        MadeUp { pause: None }
    }

    pub fn slow(pause: Duration) -> MadeUp {
        MadeUp { pause: Some(pause) }
    }
}

fn digest(position: &Chess, uci: Option<UciMove>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (position, uci).hash(&mut hasher);
    hasher.finish()
}

impl Evaluator for MadeUp {
    type Error = io::Error;

    async fn evaluate(&mut self, segment: &Segment, _: &Protocol) -> io::Result<SegmentResult> {
        let begun = Instant::now();
        let ply = segment.first();
        let position = segment.position(ply);
        let legal = position.legal_moves();
        let asked = segment.root_moves();
        let moves = legal.iter().map(|m| m.to_uci(segment.mode()));
        let value = |uci: &UciMove| (digest(&position, Some(*uci)) % 401) as i32 - 200;
        let best = moves.filter(|uci| asked.is_empty() || asked.contains(uci)).max_by_key(value);
        let best = best.ok_or_else(|| io::Error::other("no move"))?;
        if let Some(pause) = self.pause {
            let share = 500 + digest(&position, Some(best)) / 401 % 1001;
            tokio::time::sleep(pause * share as u32 / 1000).await;
        }
        let score = Score::Cp(position.turn().fold_wb(1, -1) * value(&best));
        let told = Evaluation { best: Some(best), pv: vec![best], ..Evaluation::of_score(score) };
        let busy = begun.elapsed();
        Ok(SegmentResult { evaluations: vec![(ply, told)], iterations: Vec::new(), busy })
    }
}
