//! The tables of a deep analysis and of its store: moves of the tree, the root, and stored evaluations.

use shakmaty::{Chess, Position};

use super::{NodeEntry, ShownMove, ShownScore, TreeFile};
use crate::base::text::{counted, printable};
use crate::chess::{Score, game::in_san};
use crate::report::{table::Screen, table::Table, tables::moves::chances};
use crate::store::{KnownLine, StoreShare};

struct DeepMoveRow<'t>(&'t NodeEntry, &'t ShownMove);

pub fn deep_tree(nodes: &[NodeEntry]) -> Table {
    let rows: Vec<DeepMoveRow<'_>> = nodes
        .iter()
        .flat_map(|node| node.moves.iter().map(move |played| DeepMoveRow(node, played)))
        .collect();
    type Part = fn(&ShownMove) -> ShownScore;
    let scores: [([&str; 3], Part, &str); 3] = [
        (["engine_cp", "engine_mate", "engine_bound"], |m| m.engine, "The engine's score of the move"),
        (["idea_cp", "idea_mate", "idea_bound"], |m| m.idea, "Idea score: value of the move in the tree"),
        (
            ["alpha_cp", "alpha_mate", "alpha_bound"],
            |m| m.alpha,
            "Alpha score: the idea score with repetitions counted as draws",
        ),
    ];
    let mut table = Table::of("tree", "One row per move of a position of the tree.", &rows)
        .column("node", "", |DeepMoveRow(node, _)| node.id as u64)
        .means("Number of the position in the tree; 0 is the root.")
        .column("ply", "Plies from the root to the position.", |DeepMoveRow(node, _)| node.ply as u64)
        .column("fen", "The position as sent to the engine.", |DeepMoveRow(node, _)| node.fen.clone())
        .column("move", "The move in the notation of PGN.", |DeepMoveRow(_, played)| played.san.clone())
        .column("uci", "The move in the notation of UCI.", |DeepMoveRow(_, played)| played.uci.clone())
        .column("role", "", |DeepMoveRow(_, played)| played.role.to_owned())
        .means(
            "`candidate`: within the width. `included`: not within the width, but included by `--include`. \
             `dropped`: no longer within the width. `outside`: never within the width.",
        )
        .column("child", "", |DeepMoveRow(_, played)| played.child.map(|child| child as u64))
        .means("Number of the position after the move, if it was searched.");
    for ([cp, mate, bound], of, what) in scores {
        table = table
            .column(cp, format!("{what}, in centipawns, White's view."), move |DeepMoveRow(_, m)| of(m).cp)
            .column(mate, "", move |DeepMoveRow(_, m)| of(m).mate)
            .means("Moves to mate instead of centipawns, negative if Black mates.")
            .column(bound, "", move |DeepMoveRow(_, m)| of(m).bound.to_owned())
            .means("`exact`, or `at least` or `at most` if a cutoff left only a bound.");
    }
    let after = "after the move, by the search of the move";
    chances(table, "engine", after, |DeepMoveRow(_, m)| m.chances).table()
}

pub fn deep(file: &TreeFile, mut notes: Vec<String>, screen: Screen) -> String {
    let Some(last) = file.depths.last() else { return String::new() };
    let moves = &last.moves;
    notes.insert(0, file.main_line(last));
    Table::shown(moves)
        .label("Move", |m| m.san.clone())
        .said("Idea", |m| m.idea.to_string())
        .said("Alpha", |m| m.alpha.to_string())
        .said("Engine", |m| m.engine.to_string())
        .said("Rests on", |m| m.basis(&file.facts))
        .said("Role", |m| m.role.to_owned())
        .table()
        .layout("The moves of the position", notes)
        .shown(screen)
}

pub fn known_lines(position: &Chess, known: &[KnownLine], screen: Screen) -> String {
    let turn = position.turn();
    let table = Table::shown(known)
        .label("Move", |line| in_san(position, &[line.best]).join(" "))
        .said("Score", |line| Score::from_white_view(line.score, turn).to_string())
        .said("Search", |line| line.limit.clone())
        .said("Lines", |line| line.lines.to_string())
        .said("Asked\nabout", |line| {
            if line.asked == 0 { "all".to_owned() } else { counted(line.asked as u64, "move") }
        })
        .said("Clock", |line| line.clock.to_string())
        .said("Engine", |line| printable(&line.engine))
        .said("Line", |line| in_san(position, &line.pv).join(" "))
        .table();
    let known = counted(known.len() as u64, "value");
    table.layout("Stored evaluations", vec![format!("{known}. Scores are from White's view.")]).shown(screen)
}

pub fn store_shares(shares: &[StoreShare], mut notes: Vec<String>, screen: Screen) -> String {
    notes.push(
        "Builds with the same behavior share a row; the SHA-256 is that of one of these builds.".to_owned(),
    );
    Table::shown(shares)
        .label("Engine", |share| printable(&share.origin.engine.name))
        .label("SHA-256", |share| format!("{:.12}", share.origin.engine.digest))
        .label("Search", |share| share.origin.protocol.to_string())
        .said("Segments", |share| share.segments.to_string())
        .said("Positions", |share| share.positions.to_string())
        .said("First stored", |share| printable(&share.first))
        .said("Last stored", |share| printable(&share.last))
        .table()
        .layout("Contents of the store", notes)
        .shown(screen)
}
