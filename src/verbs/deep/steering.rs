//! The options that steer a tree.

use clap::Args;
use shakmaty::{Chess, Position, uci::UciMove};

use crate::base::text::printable;
use crate::engine::uci::engine_line::MAX_DEPTH;
use crate::lab::Steering;
use crate::verbs::{args::more_moves, error::Result, error::VerbError};

/// The largest depth of a tree, in plies.
pub const MOST_PLIES: i64 = 64;

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Steering")]
pub struct SteeringArgs {
    /// Moves of the position to expand whatever their value, such as "Rc8 Bd7".
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    include: String,
    /// Moves of the position to leave out.
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    exclude: String,
    /// Line to look into more deeply, such as "Rc8 Rd1"; repeatable.
    #[arg(long, value_name = "LINE")]
    focus: Vec<String>,
    /// Depth of the tree after each focused line, in plies [default: as --plies].
    #[arg(long, value_name = "N", requires = "focus", value_parser = clap::value_parser!(u32).range(1..=MOST_PLIES))]
    focus_plies: Option<u32>,
    /// Search the last move of the main line again, to this depth. If the main line changes, search its new last move too.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    confirm_depth: Option<u32>,
    /// Extend the tree beyond its depth with stored searches, such as the searches of a tree of a later position.
    #[arg(long, conflicts_with = "no_store")]
    take_up: bool,
}

impl SteeringArgs {
    /// Returns the steering that the options describe for a tree of `root`. `depth` and `plies` are the
    /// values of `--depth` and `--plies`.
    pub fn wishes(&self, root: &Chess, depth: u32, plies: u32) -> Result<Steering> {
        let include = single_moves("--include", root, &self.include)?;
        let exclude = single_moves("--exclude", root, &self.exclude)?;
        let focus = self.focus.iter().map(|line| focused(root, line)).collect::<Result<Vec<_>, _>>()?;
        let wanted = include.iter().chain(focus.iter().filter_map(|line| line.first()));
        if let Some(both) = wanted.into_iter().find(|uci| exclude.contains(uci)) {
            return Err(VerbError::new(format!(
                "--exclude {both}: another option wants this move in the tree"
            )));
        }
        if exclude.len() >= root.legal_moves().len() {
            return Err(VerbError::new("--exclude: no legal move of the position remains"));
        }
        if let Some(confirm) = self.confirm_depth.filter(|&confirm| confirm <= depth) {
            let message =
                format!("--confirm-depth {confirm}: write a number above {depth}, the value of --depth");
            return Err(VerbError::new(message));
        }
        Ok(Steering {
            include,
            exclude,
            focus,
            focus_plies: self.focus_plies.unwrap_or(plies) as usize,
            confirm: self.confirm_depth,
            is_taking_up: self.take_up,
        })
    }
}

/// Reads a line of `--focus`. Fails if the line has no move, or if it ends the game.
fn focused(root: &Chess, line: &str) -> Result<Vec<UciMove>> {
    let moves = more_moves("--focus", root, line)?;
    let mut position = root.clone();
    for uci in &moves {
        if let Ok(m) = uci.to_move(&position) {
            position.play_unchecked(m);
        }
    }
    let problem = match moves.is_empty() {
        true => "write one or more moves, like \"e4 e5 Nf3\"",
        false if position.is_game_over() => "the game ends with this line, so no tree can follow",
        false => return Ok(moves),
    };
    Err(VerbError::new(format!("--focus \"{}\": {problem}", printable(line))))
}

/// Reads moves of the position `from`, separated by spaces or commas, in the notation of PGN or UCI. Returns
/// each move once.
fn single_moves(option: &str, from: &Chess, text: &str) -> Result<Vec<UciMove>> {
    let words = text.split(|c: char| c == ',' || c.is_whitespace());
    // Move numbers may be left in.
    let words =
        words.map(|word| word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '…'));
    let mut moves = Vec::new();
    for word in words.filter(|word| !word.is_empty()) {
        let by_uci = word.parse::<UciMove>().ok().filter(|uci| uci.to_move(from).is_ok());
        let uci = by_uci.or_else(|| more_moves(option, from, word).ok()?.first().copied());
        let Some(uci) = uci else {
            let word = printable(word);
            return Err(VerbError::new(format!("{option}: {word} is not a legal move of the position")));
        };
        moves.extend((!moves.contains(&uci)).then_some(uci));
    }
    Ok(moves)
}

/// Returns `command` without the options `without` and their values, followed by the words `with`.
pub fn changed(command: &[String], without: &[&str], with: &[String]) -> Vec<String> {
    let (mut kept, mut words) = (Vec::new(), command.iter());
    while let Some(word) = words.next() {
        if without.contains(&word.as_str()) {
            words.next();
        } else if !without.iter().any(|name| word.starts_with(&format!("{name}="))) {
            kept.push(word.clone());
        }
    }
    kept.extend(with.iter().cloned());
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_command_has_each_option_once() {
        let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
        let command = words("gainalyze deep --plies 4 --focus Nf3 --focus-plies=3 --time 1h");
        assert_eq!(
            changed(&command, &["--plies"], &words("--plies 5")),
            words("gainalyze deep --focus Nf3 --focus-plies=3 --time 1h --plies 5")
        );
        assert_eq!(
            changed(&command, &["--focus-plies"], &words("--focus e4 --focus-plies 6")),
            words("gainalyze deep --plies 4 --focus Nf3 --time 1h --focus e4 --focus-plies 6")
        );
    }
}
