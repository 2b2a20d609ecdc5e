//! Owns what is said of a judge that may be weaker than the players.

use crate::engine::within::{STRENGTH, is_within};

/// Warns of a judge, its name with its limit behind, that is the engine within; `None` of any other.
pub fn warning(judge: &str) -> Option<String> {
    is_within(judge).then(|| {
        format!(
            "Judged by {judge} ({STRENGTH}). A judge below the players tells little of them: by it the paper's expected \
             scores, the strength of the engine and the performances (Tables 5 to 7) are worth little, average losses and \
             blunders of club players more (docs/method.md). Where players are stronger, let a stronger engine judge."
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::within::NAME;

    #[test]
    fn the_engine_within_is_warned_of_and_no_other() {
        let text = warning(&format!("{NAME}, depth 10")).expect("a warning");
        assert!(text.contains(NAME) && text.contains("depth 10") && text.contains(STRENGTH), "{text}");
        assert_eq!(warning("Stockfish 15.1, depth 20"), None);
        assert_eq!(warning("recorded evaluations"), None);
    }
}
