//! Reading the heads of the newest memories.

use std::{
    borrow::Cow, cmp::Reverse, collections::BinaryHeap, ops::ControlFlow, sync::Arc,
    time::SystemTime,
};

use memdir_core::{
    MemPath,
    frontmatter::{self, BlockEnd, Note, Parsed},
};
use memdir_store::{Entry, Error, Listed, ReadStore, limits::MAX_FILE_BYTES};

use crate::{DateFrom, Header, Problem, ProblemKind, candidates::Candidates, limits, touched};

/// How to scan.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// Memories to keep; [`limits::MAX_HEADERS`] by default.
    pub max: usize,
    /// The time, against which dates in the future are told.
    pub now: SystemTime,
}

impl Options {
    /// The defaults at a time.
    pub fn new(now: SystemTime) -> Self {
        Self { max: limits::MAX_HEADERS, now }
    }
}

/// What a scan found.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Scan {
    /// The newest memories by their dates, the newest first, ties by path. A date in the future counts as now.
    pub headers: Vec<Header>,
    /// What its owner may want to know, at most [`limits::MAX_PROBLEMS`]; first of what was met on listing, then of the
    /// files read, by path.
    pub problems: Vec<Problem>,
    /// Problems beyond those.
    pub more_problems: usize,
    /// Memories in the directory, listed in `headers` or not.
    pub total: usize,
}

/// The beginning of a memory file, as a scan read it.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Head<'a> {
    /// What was read of the text below the frontmatter; what is not UTF-8 is replaced.
    pub body: &'a str,
    /// Whether that is all of it.
    pub is_whole: bool,
}

/// Lists the newest memories of a directory.
///
/// Memories are all `*.md` except `MEMORY.md`, what lies below the folders `logs` and `team`, and what is hidden. Where
/// there are more than [`Options::max`], only those are opened that their modification times let in: a memory's own date
/// is taken to be no later than its file's. Nothing is written, and no modification time changes.
///
/// # Errors
///
/// When the directory itself cannot be listed. A file that cannot be read is a [`Problem`]; one that vanishes meanwhile
/// is none.
pub fn scan<S: ReadStore + ?Sized>(store: &S, options: &Options) -> Result<Scan, Error> {
    scan_with(store, options, |_, _| ()).map(|(scan, _)| scan)
}

/// Like [`scan`], and calls `with_head` on each head while it is in memory; the results are in the order of the headers.
///
/// `with_head` is called for every file read, in no particular order, also for one that is not among the newest after all.
/// [`Header::age_known`] is not decided at that point.
///
/// # Errors
///
/// As [`scan`].
pub fn scan_with<S, T>(
    store: &S,
    options: &Options,
    mut with_head: impl FnMut(&Header, Head<'_>) -> T,
) -> Result<(Scan, Vec<T>), Error>
where
    S: ReadStore + ?Sized,
{
    let mut problems = Problems::default();
    let mut candidates =
        Candidates::new(options.max.saturating_mul(limits::MAX_READ / limits::MAX_HEADERS));
    let mut total = 0;
    let few = options.max.saturating_add(options.max / limits::SPARE);
    let mut named = store.visit_or_name(few, &mut |listed| {
        match listed {
            Listed::Entry(entry) if is_memory(&entry.path) => {
                total += 1;
                candidates.offer(entry);
            }
            Listed::Skipped(skipped) if is_own(&skipped.raw_name) => {
                problems.add(&skipped.raw_name, ProblemKind::Skipped(skipped.reason));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    })?;
    named.retain(is_memory);
    total += named.len();
    let listed = problems.list.len();
    let mut found = Vec::with_capacity(total.min(options.max));
    let mut best = (total > options.max).then(|| Best::new(options.max));
    let named = named.into_iter().map(File::named);
    for file in named.chain(candidates.into_sorted().map(File::listed)) {
        let Entry { path, modified, .. } = &file.entry;
        if file.is_seen
            && let Some(best) = &best
            && !best.lets_in((*modified).min(options.now), path)
        {
            break;
        }
        let Some((header, result)) = read(store, file, options.now, &mut with_head, &mut problems)
        else {
            continue;
        };
        if let Some(best) = &mut best {
            best.add(header.date.min(options.now), &header.path);
        }
        // Headers are large, and sorting moves them several times.
        found.push(Box::new((header, result)));
    }
    found.sort_by(|a, b| {
        let key = |header: &Header| Reverse(header.date.min(options.now));
        key(&a.0).cmp(&key(&b.0)).then_with(|| a.0.path.cmp(&b.0.path))
    });
    found.truncate(options.max);
    if let Some(read) = problems.list.get_mut(listed..) {
        read.sort_by(|a, b| a.path.cmp(&b.path));
    }
    let (mut headers, result): (Vec<_>, Vec<_>) = found.into_iter().map(|found| *found).unzip();
    touched::mark(&mut headers);
    let Problems { list: problems, more: more_problems } = problems;
    Ok((Scan { headers, problems, more_problems, total }, result))
}

fn is_memory(path: &MemPath) -> bool {
    let is_index = path.as_str().ends_with(MemPath::INDEX) && path.file_name() == MemPath::INDEX;
    !is_index && is_own(path.as_str())
}

/// Tells what belongs to this directory from what lies in the folders of other parts.
fn is_own(name: &str) -> bool {
    !name.starts_with("logs/") && !name.starts_with("team/")
}

/// A file to be read.
struct File {
    entry: Entry,
    /// Whether the entry says more than the name.
    is_seen: bool,
}

impl File {
    fn listed(entry: Entry) -> Self {
        Self { entry, is_seen: true }
    }

    fn named(path: MemPath) -> Self {
        Self { entry: Entry::new(path, SystemTime::UNIX_EPOCH, 0), is_seen: false }
    }
}

/// The worst of the best dates so far, so that reading can stop as soon as no file can be among the best any more.
struct Best {
    dates: BinaryHeap<Reverse<(SystemTime, Reverse<MemPath>)>>,
    max: usize,
}

impl Best {
    fn new(max: usize) -> Self {
        Self { dates: BinaryHeap::new(), max }
    }

    /// Whether a file with at most this date can be among the best.
    fn lets_in(&self, latest: SystemTime, path: &MemPath) -> bool {
        if self.dates.len() < self.max {
            return true;
        }
        let Some(Reverse((date, Reverse(worst)))) = self.dates.peek() else { return false };
        (latest, Reverse(path)) > (*date, Reverse(worst))
    }

    fn add(&mut self, date: SystemTime, path: &MemPath) {
        if self.dates.len() == self.max {
            self.dates.pop();
        }
        self.dates.push(Reverse((date, Reverse(path.clone()))));
    }
}

fn read<S: ReadStore + ?Sized, T>(
    store: &S,
    mut file: File,
    now: SystemTime,
    with_head: &mut impl FnMut(&Header, Head<'_>) -> T,
    problems: &mut Problems,
) -> Option<(Header, T)> {
    let bytes = match head(store, &mut file) {
        Ok(bytes) => bytes?,
        Err(error) => {
            problems.add(file.entry.path.as_str(), ProblemKind::Unreadable(Arc::new(error)));
            return None;
        }
    };
    let entry = file.entry;
    let mut problem = |kind| problems.add(entry.path.as_str(), kind);
    if entry.len > MAX_FILE_BYTES {
        problem(ProblemKind::TooLarge { len: entry.len, limit: MAX_FILE_BYTES });
    // The least byte is found many bytes at a time, a zero one by one.
    } else if bytes.iter().copied().min() == Some(0) {
        problem(ProblemKind::Binary);
    }
    if entry.links > 1 {
        problem(ProblemKind::HardLinks { links: entry.links });
    }
    let is_whole = bytes.len() as u64 >= entry.len;
    let (text, not_utf8) = decode(&bytes, is_whole);
    let Parsed { fields, body, mut notes, .. } = frontmatter::parse(&text);
    notes.splice(..0, not_utf8);
    for note in notes.iter().filter(|note| !note.kind.is_advice()) {
        problem(ProblemKind::Note(note.clone()));
    }
    let (date, date_from) = fields
        .own_date()
        .map_or((entry.modified, DateFrom::File), |(date, key)| (date, DateFrom::Own(key)));
    if date.duration_since(now).is_ok_and(|ahead| ahead > limits::CLOCK_SKEW) {
        problem(ProblemKind::FutureDate);
    }
    let header = Header {
        name: fields.name,
        description: fields.description,
        kind: fields.kind,
        date,
        date_from,
        age_known: true,
        modified: entry.modified,
        last_verified: fields.last_verified,
        len: entry.len,
        pinned: fields.pinned || entry.path.is_in_pinned(),
        origin: fields.origin,
        triggers: fields.triggers,
        paths: fields.paths,
        notes,
        path: entry.path,
    };
    let result = with_head(&header, Head { body, is_whole });
    Some((header, result))
}

/// Reads a page, and more where the frontmatter goes on behind it; looks at the file where the listing did not.
fn head<S: ReadStore + ?Sized>(store: &S, file: &mut File) -> Result<Option<Vec<u8>>, Error> {
    let path = &file.entry.path;
    let page = if file.is_seen {
        store.read_head(path, limits::HEAD_BYTES)?
    } else {
        store.read_entry(path, limits::HEAD_BYTES)?.map(|(entry, page)| {
            *file = File::listed(entry);
            page
        })
    };
    let Some(page) = page else { return Ok(None) };
    let goes_on = page.len() as u64 >= limits::HEAD_BYTES
        && frontmatter::block_end(&page) == BlockEnd::Beyond;
    if !goes_on {
        return Ok(Some(page));
    }
    // A byte more than a block may have tells one that is too long from one that ends with the file.
    store.read_head(&file.entry.path, memdir_core::limits::MAX_BLOCK_BYTES as u64 + 1)
}

/// As [`frontmatter::decode`], without a character that the end of the head cuts in two.
fn decode(bytes: &[u8], is_whole: bool) -> (Cow<'_, str>, Option<Note>) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (Cow::Borrowed(text), None),
        Err(fault) if fault.error_len().is_none() && !is_whole => {
            frontmatter::decode(bytes.get(..fault.valid_up_to()).unwrap_or(bytes))
        }
        Err(_) => frontmatter::decode(bytes),
    }
}

#[derive(Default)]
struct Problems {
    list: Vec<Problem>,
    more: usize,
}

impl Problems {
    fn add(&mut self, path: &str, kind: ProblemKind) {
        if self.list.len() < limits::MAX_PROBLEMS {
            self.list.push(Problem::new(path, kind));
        } else {
            self.more += 1;
        }
    }
}
