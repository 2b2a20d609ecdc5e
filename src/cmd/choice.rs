//! Owns what the command line says of the games that are wanted.

use std::{fs, path::Path};

use super::{CmdError, input::Reading};
use crate::{
    choice::{Aliases, Selection},
    cli::ChoiceArgs,
    pgn,
    text::path_text,
};

impl Reading {
    /// That of a command line; lots are drawn by `seed`.
    pub fn of(args: &ChoiceArgs, seed: u64) -> Result<Reading, CmdError> {
        args.problem().map_or(Ok(()), |problem| Err(CmdError::Usage(problem)))?;
        let selection = Selection {
            filter: args.filter(seed),
            aliases: args.aliases.as_deref().map(read_aliases).transpose()?.unwrap_or_default(),
            max_games: args.max_games,
            keep_duplicates: args.keep_duplicates,
        };
        Ok(Reading { selection, ..Reading::default() })
    }
}

fn read_aliases(path: &Path) -> Result<Aliases, CmdError> {
    let shown = path_text(&path.to_string_lossy());
    let bytes = fs::read(path)
        .map_err(|error| CmdError::Usage(format!("--aliases {shown}: cannot be read: {error}")))?;
    Aliases::parse(&pgn::decode(bytes))
        .map_err(|error| CmdError::Usage(format!("--aliases {shown}: {error}")))
}
