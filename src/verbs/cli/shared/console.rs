//! Owns the options of what is told: on standard error, and how tables look on standard output.

use clap::Args;

use crate::report::table::TableForm;

/// What is told on standard error, and how tables are printed.
#[derive(Debug, Clone, Args)]
pub struct ConsoleArgs {
    /// No progress and no remarks on standard error, only warnings and errors.
    #[arg(long, short)]
    pub quiet: bool,
    /// How tables are printed.
    #[command(flatten)]
    pub export: ExportArgs,
}

/// How tables are printed.
#[derive(Debug, Clone, Copy, Args)]
pub struct ExportArgs {
    /// Print the tables in this form, as wide as they are.
    #[arg(long, value_name = "FORM", value_enum)]
    export: Option<TableForm>,
}

impl ExportArgs {
    /// Returns the form of the tables.
    pub fn form(self) -> TableForm {
        self.export.unwrap_or_default()
    }
}
