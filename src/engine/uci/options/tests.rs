//! Options are parsed, set within their bounds, and rejected with the valid values.

use proptest::prelude::*;

use super::*;

fn table() -> OptionTable {
    let lines = [
        "option name Threads type spin default 1 min 1 max 512",
        "option name Clear Hash type button",
        "option name Ponder type check default false",
        "option name Analysis Contempt type combo default Both var Off var White var Both",
        "option name SyzygyPath type string default <empty>",
        "option name UCI_Chess960 type check default false",
    ];
    OptionTable::new(lines.iter().map(|line| line.parse().expect("an option line")).collect())
}

fn set(text: &str) -> Result<Setting, String> {
    let setting = text.parse::<Setting>().map_err(|e| e.to_string())?;
    table().set(&setting).map_err(|e| e.to_string())
}

#[test]
fn a_combo_with_a_default_like_a_key_is_read() {
    let option: EngineOption = "option name Style type combo default variable var variable var minimal word"
        .parse()
        .expect("an option line");
    let OptionKind::Combo { default, values } = option.kind else { panic!("a combo") };
    assert_eq!(default, "variable");
    assert_eq!(values, ["variable", "minimal word"]);
}

#[test]
fn values_are_checked_against_type_and_range() {
    assert_eq!(set("threads=4"), Ok(Setting::new("Threads", "4")));
    assert_eq!(
        set("Threads=0").unwrap_err(),
        "engine option Threads cannot be \"0\": it must be a whole number from 1 to 512"
    );
    assert!(set("Ponder=yes").unwrap_err().ends_with("it must be true or false"));
    assert!(set("Analysis Contempt=Grey").unwrap_err().ends_with("it must be one of Off, White, Both"));
    assert!(set("Clear Hash=1").unwrap_err().contains("button"));
    assert_eq!(set("clear hash"), Ok(Setting { name: "Clear Hash".to_owned(), value: None }));
    assert_eq!(set("SyzygyPath=/a=b"), Ok(Setting::new("SyzygyPath", "/a=b")));
}

#[test]
fn what_nobody_asked_for_is_fitted_to_the_engine() {
    let table = table();
    assert_eq!(table.nearest(&Setting::new("threads", 1000)), Some(Setting::new("Threads", 512)));
    assert_eq!(table.nearest(&Setting::new("UCI_ShowWDL", true)), None);
    assert_eq!(table.nearest(&Setting::new("Ponder", 3)), None);
}

#[test]
fn an_unknown_option_names_those_there_are() {
    let error = set("Thread=1").unwrap_err();
    assert!(error.starts_with("the engine has no option \"Thread\"; it has Threads, Clear Hash"), "{error}");
}

#[test]
fn a_setting_cannot_smuggle_in_another_command() {
    assert!(set("SyzygyPath=x\ngo infinite").unwrap_err().contains("control character"));
    assert!(set("=1").unwrap_err().contains("names no option"));
    assert!(set("UCI_Chess960=true").unwrap_err().contains("depends on the game"));
}

fn any_word() -> impl Strategy<Value = String> {
    "[A-Za-z0-9_./-]{1,8}".prop_filter("no key", |word| !KEYS.contains(&word.as_str()))
}

fn any_kind() -> impl Strategy<Value = OptionKind> {
    prop_oneof![
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        any::<[i64; 3]>().prop_map(|[default, min, max]| OptionKind::Spin { default, min, max }),
        (any_word(), prop::collection::vec(any_word(), 1..4))
            .prop_map(|(default, values)| OptionKind::Combo { default, values }),
        Just(OptionKind::Button),
        prop_oneof![Just(String::new()), any_word()].prop_map(|default| OptionKind::String { default }),
    ]
}

proptest! {
    #[test]
    fn an_option_line_printed_and_read_is_the_same(
        words in prop::collection::vec(any_word(), 1..3), kind in any_kind(),
    ) {
        let option = EngineOption { name: words.join(" "), kind };
        prop_assert_eq!(option.to_string().parse::<EngineOption>().expect("an option line"), option);
    }
}
