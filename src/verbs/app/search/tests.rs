//! Searches by the built-in engine. If the user did not name it, one note says that it is used.

use std::{io, sync::Mutex};

use super::*;
use crate::chess::{Limit, Order, pgn::parse_games};
use crate::engine::{EngineChoice, Setup, builtin};
use crate::verbs::app::Interrupts;
use crate::verbs::app::plan::{EnginePlan, StorePlan};

/// An observer that records the notes and warnings of a run.
#[derive(Default)]
struct Listener {
    notes: Mutex<Vec<String>>,
}

impl Listener {
    fn hear(&self, text: &str) {
        self.notes.lock().expect("nobody panics").push(text.to_owned());
    }
}

impl Observer for Listener {
    fn note(&self, text: &str) {
        self.hear(text);
    }

    fn warn(&self, text: &str) {
        self.hear(text);
    }

    fn interrupts(&self, _: &'static str) -> io::Result<Interrupts> {
        Ok(Interrupts::default())
    }
}

const NOBODY_RATED: RatingTask<'_> = RatingTask { games: Vec::new(), inputs: Vec::new(), calibrations: &[] };

/// Searches a short game with the built-in engine. Returns the engine's name, and the notes.
fn searched(is_named: bool) -> (String, Vec<String>) {
    let choice = EngineChoice::Builtin { is_named };
    let plan = EvaluationPlan {
        engine: EnginePlan { choice, label: None, setup: Setup::default(), jobs: 1 },
        protocol: Protocol::new(Limit::Depth(1), Order::default(), 16),
        store: StorePlan::Nowhere,
        ..EvaluationPlan::default()
    };
    let game = parse_games("1. e4 e5 *", "test").remove(0).expect("a game");
    let mut listener = Listener::default();
    let mut evaluated = Evaluated::of(Vec::new());
    let games = run(vec![game], NOBODY_RATED, &plan, &mut evaluated, &mut listener).expect("a search");
    assert!(matches!(games[..], [SearchedGame::Complete(_)]));
    (evaluated.engine.expect("an engine").name, listener.notes.into_inner().expect("nobody panics"))
}

#[test]
fn where_no_engine_is_installed_the_one_within_searches_and_one_line_says_so() {
    let (engine, notes) = searched(false);
    assert_eq!(engine, builtin::NAME);
    let told: Vec<&String> = notes.iter().filter(|text| text.contains("--engine")).collect();
    let [line] = told[..] else { panic!("one remark: {notes:?}") };
    for word in [builtin::NAME, builtin::STRENGTH, "apt-get", "brew", "choco"] {
        assert!(line.contains(word), "{line}");
    }
    assert!(!line.contains('\n'));
    assert!(notes[0].ends_with(", or name an engine with --engine PATH"), "{notes:?}");
}

#[test]
fn who_asks_for_the_engine_within_knows_who_it_is() {
    let (engine, notes) = searched(true);
    assert_eq!(engine, builtin::NAME);
    assert!(notes.iter().all(|text| !text.contains("--")), "{notes:?}");
}
