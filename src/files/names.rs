//! Unique names: file names for any system, and labels for readers.

use std::collections::{BTreeMap, BTreeSet};

#[cfg(feature = "program")]
use deunicode::deunicode_char;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameSuffix {
    /// `name-2`, for files.
    Hyphen,
    /// `name (2)`, for readers.
    #[cfg(feature = "program")]
    Parentheses,
}

/// Names that differ even in a case-insensitive file system.
#[derive(Debug, Clone)]
pub struct UniqueNames {
    numbering: NameSuffix,
    taken: BTreeSet<String>,
    /// For each name in lower case, the next number to try.
    next: BTreeMap<String, u64>,
}

impl UniqueNames {
    pub fn new(numbering: NameSuffix) -> UniqueNames {
        UniqueNames { numbering, taken: BTreeSet::new(), next: BTreeMap::new() }
    }

    /// Returns `name` itself, or `name` with the smallest number that makes it differ, ignoring case, from
    /// all names returned before.
    pub fn take(&mut self, name: &str) -> String {
        let next = self.next.entry(name.to_lowercase()).or_insert(1);
        loop {
            let numbered = match (self.numbering, *next) {
                (_, 1) => name.to_owned(),
                (NameSuffix::Hyphen, number) => format!("{name}-{number}"),
                #[cfg(feature = "program")]
                (NameSuffix::Parentheses, number) => format!("{name} ({number})"),
            };
            *next += 1;
            if self.taken.insert(numbered.to_lowercase()) {
                return numbered;
            }
        }
    }
}

/// File names for players or other named things. Different names have different file names. File names
/// consist of lower-case letters, digits and hyphens, which are safe on every system.
#[derive(Debug, Clone)]
pub struct FileNames {
    /// The fallback for a name without usable letters.
    kind: &'static str,
    of: BTreeMap<String, String>,
    names: UniqueNames,
}

impl Default for FileNames {
    fn default() -> FileNames {
        FileNames::for_each("player")
    }
}

impl FileNames {
    /// Returns an empty instance. `kind` is the fallback; it must be in lower-case letters.
    pub fn for_each(kind: &'static str) -> FileNames {
        FileNames { kind, of: BTreeMap::new(), names: UniqueNames::new(NameSuffix::Hyphen) }
    }

    /// Returns the file name for `player`, without extension: the player's name in lower-case Latin letters.
    /// If another player has this file name, `-2`, `-3` and so on follow. Later calls with `player` return an
    /// equal file name.
    pub fn file_name_for(&mut self, player: &str) -> String {
        if let Some(name) = self.of.get(player) {
            return name.clone();
        }
        let name = self.names.take(&slug(player, self.kind));
        self.of.insert(player.to_owned(), name.clone());
        name
    }
}

/// Maximum length of a slug in bytes. With prefix and extension it is short enough for every file system.
const SLUG: usize = 60;

/// Names reserved for devices on Windows, with any extension.
const RESERVED: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
    "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// Returns `name` in lower-case Latin letters and digits, cut to [`SLUG`] bytes. Apostrophes are dropped;
/// single hyphens replace other characters. Returns `kind` if nothing remains, and appends `kind` to a
/// reserved name.
fn slug(name: &str, kind: &str) -> String {
    let mut slug = String::new();
    for letter in name.chars().flat_map(latin) {
        if slug.len() == SLUG {
            break;
        }
        if letter != '-' || !(slug.is_empty() || slug.ends_with('-')) {
            slug.push(letter);
        }
    }
    let slug = slug.trim_end_matches('-');
    match slug {
        "" => kind.to_owned(),
        slug if RESERVED.contains(&slug) => format!("{slug}-{kind}"),
        slug => slug.to_owned(),
    }
}

/// Returns the lower-case ASCII letters, digits and hyphens that replace one character.
fn latin(letter: char) -> impl Iterator<Item = char> {
    let plain = match letter {
        '\'' | '’' => "",
        // Without umlauts, German spells these letters with an e.
        'ä' | 'Ä' => "ae",
        'ö' | 'Ö' => "oe",
        'ü' | 'Ü' => "ue",
        #[cfg(feature = "program")]
        letter => deunicode_char(letter).unwrap_or("-"),
        // Without the feature `program` there are no files, so the fallback name is enough.
        #[cfg(not(feature = "program"))]
        _ => "-",
    };
    plain.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn name(player: &str) -> String {
        FileNames::default().file_name_for(player)
    }

    #[test]
    fn a_players_name_becomes_a_readable_file_name() {
        assert_eq!(name("Carlsen, Magnus"), "carlsen-magnus");
        assert_eq!(name("Žižka, O'Brien Łukasz Jr."), "zizka-obrien-lukasz-jr");
        assert_eq!(name("Müller"), "mueller");
        assert_eq!(name("Sjöström Þórarinsson Ægir"), "sjoestroem-thorarinsson-aegir");
    }

    #[test]
    fn a_name_in_another_script_is_transliterated() {
        assert_eq!(name("Карлсен, Магнус"), "karlsen-magnus");
        assert_eq!(name("Γιώργος Παπαδόπουλος"), "giorgos-papadopoulos");
        assert_eq!(name("丁立人"), "ding-li-ren");
        assert_ne!(name("مگنس"), "player");
    }

    #[test]
    fn a_hostile_name_cannot_leave_the_directory() {
        assert_eq!(name("../../etc/passwd"), "etc-passwd");
        assert_eq!(name("C:\\Windows\\nul"), "c-windows-nul");
        assert_eq!(name("NUL"), "nul-player");
        assert_eq!(name("\u{202e}\u{1b}[31m..."), "31m");
        assert_eq!(name("\u{202e}??"), "player");
        assert_eq!(name(&"x".repeat(10_000)).len(), SLUG);
        assert_eq!(FileNames::for_each("engine").file_name_for("…"), "engine");
    }

    #[test]
    fn two_players_never_share_a_file_and_one_keeps_his() {
        let mut names = FileNames::default();
        assert_eq!(names.file_name_for("Li"), "li");
        assert_eq!(names.file_name_for("li-2"), "li-2");
        assert_eq!(names.file_name_for("LI"), "li-3");
        assert_eq!(names.file_name_for("Li"), "li");
        assert_eq!(["?", "!"].map(|odd| names.file_name_for(odd)), ["player", "player-2"]);
    }

    #[test]
    fn names_that_are_met_again_are_numbered() {
        let mut names = UniqueNames::new(NameSuffix::Parentheses);
        let labels = ["Fish", "Fish (2)", "Fish", "Fish"].map(|name| names.take(name));
        assert_eq!(labels, ["Fish", "Fish (2)", "Fish (3)", "Fish (4)"]);
        let mut names = UniqueNames::new(NameSuffix::Hyphen);
        let folders = ["round", "Round", "round-2"].map(|name| names.take(name));
        assert_eq!(folders, ["round", "Round-2", "round-2-2"]);
    }

    proptest! {
        #[test]
        fn any_name_gives_a_plain_file_name(player in any::<String>()) {
            let name = name(&player);
            prop_assert!(!name.is_empty() && name.len() <= SLUG + 7);
            prop_assert!(name.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-')));
            prop_assert!(!name.starts_with('-') && !name.ends_with('-'));
        }
    }
}
