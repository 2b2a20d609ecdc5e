//! What is computed of an experiment's games, from a table of results to files, pictures and page.

use std::{collections::BTreeSet, path::Path};

use gainalyze::{
    experiment::{Choices, Experiment},
    report::{
        experiment::{ExperimentOptions, Facts, write},
        export::Format,
        files::OutputDir,
        plots::format::PictureFormat,
        tables::Screen,
    },
    selfplay::{Contender, Ending, Outcome, Side},
};

/// The games of a results.csv.
pub fn read_results(text: &str) -> Vec<Outcome> {
    let contender = |side: &str, depth: &str| Contender {
        side: if side == "engine" { Side::Engine } else { Side::Opponent },
        depth: depth.parse().expect("a depth"),
    };
    let ending = |name: &str| -> Ending {
        serde_json::from_value(serde_json::Value::from(name)).expect("an ending by its name")
    };
    let outcome = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let [game, white, white_depth, black, black_depth, opening, result, end, plies, moves] = fields[..]
        else {
            panic!("ten fields: {line}");
        };
        Outcome {
            game: game.parse().expect("a number"),
            white: contender(white, white_depth),
            black: contender(black, black_depth),
            opening: (!opening.is_empty()).then(|| opening.parse().expect("a number")),
            result: result.parse().expect("a result"),
            ending: ending(end),
            plies: plies.parse().expect("a number"),
            line: u64::from_str_radix(moves, 16).expect("a digest"),
        }
    };
    text.lines().skip(1).map(outcome).collect()
}

pub fn options() -> ExperimentOptions {
    ExperimentOptions {
        formats: BTreeSet::from([Format::Csv]),
        plots: PictureFormat::ALL.into(),
        page: true,
        screen: Screen::default(),
        facts: Facts {
            title: "Scripted 1.0, depths 1 to 5".to_owned(),
            engine: "Scripted 1.0".to_owned(),
            command: ["gainalyze", "selfplay", "--depths", "1..=5"].map(str::to_owned).to_vec(),
            ..Facts::default()
        },
    }
}
