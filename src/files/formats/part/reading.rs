//! Reading of counts from part files, with checks of every count.

use std::{io::Read, path::Path, path::PathBuf};

use polars::prelude::{DataFrame, Int64Chunked, PolarsResult, StringChunked};

use super::{
    GAIN, INPUT, LEFT_OUT, PLAY, PartError, RATED_BY, REFUSED, SIDES, TITLE, UPSET, USUAL, fields, seal,
    sums, totals,
};
use crate::base::{input_file, text::brief, text::printable, text::shown_path};
use crate::chess::{RatingSystem, Refusal, game::HIGHEST_ELO};
use crate::files::formats::parquet;
use crate::measure::{
    ArchiveCounts, ClockClass, CountKey, CountedFile, GroupCounts, Inputs, LEAST_UPSET, LeftOutReason, Upset,
    archive::LARGEST_COUNT, archive::check_counts, peers::GamePart, peers::PlayMeasure,
};

#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    pub identity: CountKey,
    pub inputs: Inputs,
    pub tally: ArchiveCounts,
}

/// Size limit of a part file in bytes, enough for a hundred million counts.
const MOST_BYTES: u64 = 1 << 32;

/// Adds up the part files at `paths`; `None` if `paths` is empty. `overlap` allows input files that several
/// part files have counted.
pub fn merge(paths: &[PathBuf], overlap: bool) -> Result<Option<Part>, PartError> {
    let Some((first, others)) = paths.split_first() else { return Ok(None) };
    let mut all = read(first)?;
    let mut sources = vec![(first, all.inputs.clone())];
    for path in others {
        let part = read(path)?;
        let name = || shown_path(path);
        if part.identity != all.identity {
            let differences = part.identity.differences(&all.identity);
            return Err(PartError::Terms { path: name(), first: shown_path(first), differences });
        }
        let common =
            sources.iter().find_map(|(earlier, inputs)| Some((earlier, part.inputs.common(inputs)?)));
        if let Some((earlier, input)) = common.filter(|_| !overlap) {
            let (first, input) = (shown_path(earlier), printable(&input.name));
            return Err(PartError::Overlap { path: name(), first, input });
        }
        all.tally += &part.tally;
        all.inputs += part.inputs.clone();
        check_counts(&all.tally, &all.identity).map_err(|source| PartError::Fault(name(), source))?;
        sources.push((path, part.inputs));
    }
    Ok(Some(all))
}

pub fn read(path: &Path) -> Result<Part, PartError> {
    read_bytes(path, &bytes(path)?)
}

/// Reads a part file from its bytes. Error messages name the file by `path`.
pub fn read_bytes(path: &Path, bytes: &[u8]) -> Result<Part, PartError> {
    let name = || shown_path(path);
    match seal::is_unbroken(bytes) {
        Some(true) => {}
        Some(false) => return Err(PartError::Changed(name())),
        None => return Err(PartError::Unsealed(name())),
    }
    let foreign = |source| PartError::Foreign(name(), source);
    let mut rows = PartRows { path, rows: 0, last: None, part: None };
    parquet::read_in_slices(bytes, foreign, |slice| rows.take(slice))?;
    let part = rows.part.ok_or_else(|| foreign(parquet::failed("it has no rows")))?.1;
    check_counts(&part.tally, &part.identity).map_err(|source| PartError::Fault(name(), source))?;
    Ok(part)
}

/// Reads a whole file. It is an error if the file is not regular or has more than [`MOST_BYTES`].
fn bytes(path: &Path) -> Result<Vec<u8>, PartError> {
    let failed = |source| PartError::Io(shown_path(path), source);
    let file = input_file::open(path).map_err(failed)?;
    let facts = file.metadata().map_err(failed)?;
    if !facts.is_file() || facts.len() > MOST_BYTES {
        return Err(PartError::TooMany(shown_path(path), MOST_BYTES));
    }
    let mut bytes = Vec::with_capacity(facts.len() as usize);
    file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

/// The place of a row in the order of rows: group, count and key.
type RowPlace<'a> = (Option<&'a str>, &'a str, i64);

struct PartRows<'a> {
    path: &'a Path,
    rows: usize,
    /// The place of the preceding row.
    last: Option<(Option<String>, String, i64)>,
    /// The counting options as written, and the part with the counts of the rows so far.
    part: Option<(String, Part)>,
}

impl PartRows<'_> {
    fn take(&mut self, slice: &DataFrame) -> Result<(), PartError> {
        let name = || shown_path(self.path);
        let foreign = |source| PartError::Foreign(name(), source);
        let columns = Columns::of(slice).map_err(foreign)?;
        let last = self.last.take();
        let mut before: Option<RowPlace<'_>> =
            last.as_ref().map(|(group, count, key)| (group.as_deref(), count.as_str(), *key));
        for row in 0..slice.height() {
            self.rows += 1;
            let (place, terms, value) =
                columns.row(row).ok_or_else(|| foreign(parquet::failed("an empty cell")))?;
            if before.is_some_and(|before| before >= place) {
                return Err(PartError::Order(name(), self.rows));
            }
            before = Some(place);
            let part = match &mut self.part {
                Some((written, part)) if written == terms => part,
                Some(_) => return Err(foreign(parquet::failed("rows with different counting options"))),
                none => &mut none.insert((terms.to_owned(), empty(terms).map_err(foreign)?)).1,
            };
            let (group, count, key) = place;
            let known = take(part, group, count, key, value);
            known.ok_or_else(|| PartError::Unknown(name(), brief(count)))?;
        }
        self.last = before.map(|(group, count, key)| (group.map(str::to_owned), count.to_owned(), key));
        Ok(())
    }
}

struct Columns<'a> {
    terms: &'a StringChunked,
    group: &'a StringChunked,
    count: &'a StringChunked,
    key: &'a Int64Chunked,
    value: &'a Int64Chunked,
}

impl<'a> Columns<'a> {
    fn of(slice: &'a DataFrame) -> PolarsResult<Columns<'a>> {
        Ok(Columns {
            terms: slice.column("terms")?.str()?,
            group: slice.column("group")?.str()?,
            count: slice.column("count")?.str()?,
            key: slice.column("key")?.i64()?,
            value: slice.column("value")?.i64()?,
        })
    }

    /// Returns the place of a row, its terms and its value; `None` if a required cell is missing.
    fn row(&self, row: usize) -> Option<(RowPlace<'a>, &'a str, i64)> {
        let place = (self.group.get(row), self.count.get(row)?, self.key.get(row)?);
        Some((place, self.terms.get(row)?, self.value.get(row)?))
    }
}

fn empty(terms: &str) -> PolarsResult<Part> {
    let identity = serde_json::from_str(terms).map_err(|error| parquet::failed(error.to_string()))?;
    Ok(Part { identity, inputs: Inputs::default(), tally: ArchiveCounts::default() })
}

/// Stores a count. Returns `None` if the count is unknown or out of range. A count of 0 is refused, because
/// the program never writes one.
fn take(part: &mut Part, group: Option<&str>, count: &str, key: i64, value: i64) -> Option<()> {
    if value == 0 {
        return None;
    }
    let Part { identity, inputs, tally } = part;
    let natural = u64::try_from(value).ok().filter(|&count| count <= LARGEST_COUNT);
    if let Some(group) = group {
        return take_of_group(tally.groups.entry(group.to_owned()).or_default(), identity, count, key, value);
    }
    if let Some((digest, name)) = count.strip_prefix(INPUT).and_then(|rest| rest.split_once(' ')) {
        let digest = Some(digest).filter(|digest| digest.len() == 32)?;
        let digest = u128::from_str_radix(digest, 16).ok()?;
        let bytes = u64::try_from(key).ok().filter(|&bytes| bytes > 0)?;
        inputs.add(CountedFile { bytes, digest, name: name.to_owned() }, natural?);
        return Some(());
    }
    if !count.contains('.') && key != 0 {
        return None;
    }
    if let Some(refusal) = count.strip_prefix(REFUSED) {
        *tally.games.refused.entry(refusal.parse::<Refusal>().ok()?).or_default() += natural?;
    } else if let Some(reason) = count.strip_prefix(LEFT_OUT) {
        let reason = LeftOutReason::ALL.into_iter().find(|known| known.in_words() == reason)?;
        *tally.left_out.entry(reason).or_default() += natural?;
    } else if let Some((_, total)) = totals(tally).into_iter().find(|(name, _)| *name == count) {
        *total += natural?;
    } else {
        let (class, rest) = count.split_once('.')?;
        let (name, part) = rest.split_once('.')?;
        let class = ClockClass::ALL.into_iter().find(|known| known.to_string() == class)?;
        let counts = tally.clocks.counts_mut(class).get_mut(usize::try_from(key).ok()?)?;
        let sums = match name {
            "gains" => &mut counts.gains,
            "scores" => &mut counts.scores,
            _ => return None,
        };
        sums.add_part(part, value)?;
    }
    Some(())
}

/// Stores a count of a group. Returns `None` if the count is unknown or out of range.
fn take_of_group(
    counts: &mut GroupCounts,
    identity: &CountKey,
    count: &str,
    key: i64,
    value: i64,
) -> Option<()> {
    let natural = u64::try_from(value).ok().filter(|&count| count <= LARGEST_COUNT);
    if count == GAIN {
        // Checked before counting, because a gain far out of range would take much memory.
        let gain = Some(key).filter(|gain| identity.gains().contains(gain))?;
        counts.gains.add(i32::try_from(gain).ok()?, natural?);
        return Some(());
    }
    if let Some((measure, rest)) = count.strip_prefix(USUAL).and_then(|rest| rest.split_once(", ")) {
        let (part, kind) = rest.split_once(", ")?;
        let measure = PlayMeasure::ALL.into_iter().find(|known| known.name() == measure)?;
        let part = GamePart::all().find(|known| known.to_string() == part)?;
        return counts.usual(kind).add(measure, part, u32::try_from(key).ok()?, natural?);
    }
    if let Some((winner, loser)) = count.strip_prefix(UPSET).and_then(|names| names.split_once('\t')) {
        let difference =
            u32::try_from(key).ok().filter(|difference| (LEAST_UPSET..=HIGHEST_ELO).contains(difference))?;
        let upset = Upset { difference, winner: winner.to_owned(), loser: loser.to_owned() };
        return counts.upsets.insert(upset, natural?).is_none().then_some(());
    }
    if key != 0 {
        return None;
    }
    if let Some(title) = count.strip_prefix(TITLE) {
        return counts.titles.insert(title.to_owned(), natural?).is_none().then_some(());
    }
    if let Some((_, field)) = fields(counts).into_iter().find(|(name, _)| *name == count) {
        *field += natural?;
        return Some(());
    }
    if let Some(system) = count.strip_prefix(RATED_BY) {
        let sides = counts.systems.entry(RatingSystem::named(system)?).or_default();
        *sides = sides.checked_add(natural?)?;
        return Some(());
    }
    if let Some((part, kind)) = count.strip_prefix(PLAY).and_then(|rest| rest.split_once(", ")) {
        let play = counts.play(kind);
        if part != SIDES {
            return play.total.add_part(part, value);
        }
        play.sides = play.sides.checked_add(natural?)?;
        return Some(());
    }
    let (name, part) = count.split_once('.')?;
    let (_, sums) = sums(counts).into_iter().find(|(known, _)| *known == name)?;
    sums.add_part(part, value)
}
