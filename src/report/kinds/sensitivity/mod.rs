//! The report of a sensitivity study: its tables.

pub mod tables;

use crate::measure::{JudgeAgreement, Method, Repeatability, Sensitivity};
use crate::report::publish::{Report, ReportKind};

pub static SENSITIVITY: ReportKind = ReportKind {
    written_by: "`gainalyze sensitivity`",
    files: &[],
    tables: || {
        let method = Method::default();
        vec![
            tables::choice_table(&[], &[]),
            tables::player_choices(None),
            tables::repeatability_table(&[], 0),
            tables::judge_table(&[], &method),
            tables::blunder_table(&[], &method),
        ]
    },
};

#[derive(Debug, Clone)]
pub struct RunComparison {
    pub repeatability: Vec<Repeatability>,
    pub games: usize,
    pub judges: JudgeAgreement,
    pub method: Method,
}

pub fn report(found: &Sensitivity, compared: Option<&RunComparison>) -> Report {
    let mut all = vec![tables::choice_file(found), tables::player_choices(Some(found))];
    if let Some(RunComparison { repeatability, games, judges, method }) = compared {
        all.push(tables::repeatability_table(repeatability, *games));
        all.push(tables::judge_table(&judges.numbers, method));
        all.push(tables::blunder_table(&judges.blunders, method));
    }
    Report { tables: all, ..Report::default() }
}
