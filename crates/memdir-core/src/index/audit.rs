//! Comparing an index with the memories that are there.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{lines, links, target};
use crate::{MemPath, PathFault, limits, truncate};

/// What is wrong with an index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Audit {
    /// Memories that no line leads to, by path.
    pub orphans: Vec<MemPath>,
    /// Links to memories that do not exist, in order of appearance.
    pub dangling: Vec<Dangling>,
    /// Memories with more than one line, by path.
    pub duplicates: Vec<Duplicate>,
    /// Lines of more than [`limits::INDEX_LINE_CHARS`] characters, in order.
    pub long_lines: Vec<LongLine>,
    /// Links to `.md` files that no memory can be named by, in order of appearance.
    pub refused: Vec<Refused>,
    /// Set where a prompt with the default limits would show only part of the index.
    pub over_limit: Option<OverLimit>,
}

/// A link that leads to no file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dangling {
    /// The index that holds it.
    pub index: MemPath,
    /// Its line, from 1.
    pub line: usize,
    /// The missing file.
    pub target: MemPath,
}

/// A memory that several lines of the index point to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Duplicate {
    /// The memory.
    pub path: MemPath,
    /// The lines, from 1, ascending.
    pub lines: Vec<usize>,
}

/// A line that says more than a pointer should.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct LongLine {
    /// Its place, from 1.
    pub line: usize,
    /// Its length in Unicode scalar values.
    pub chars: usize,
}

/// A link whose target is not a path within the memory directory.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refused {
    /// The index that holds it.
    pub index: MemPath,
    /// Its line, from 1.
    pub line: usize,
    /// Why the target is none.
    pub fault: PathFault,
}

/// The size of an index that is too large, in lines and bytes after trimming.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct OverLimit {
    /// Lines.
    pub lines: usize,
    /// Bytes.
    pub bytes: usize,
}

/// Compares an index with the files that there are.
///
/// `names` are the files below the memory directory. `linked` gives the text of a file that an index links, or `None`
/// where there is no such file: what a further index such as ARCHIVE.md lists is no orphan, so links are followed into
/// files that have no frontmatter and list others themselves, the nearest to MEMORY.md first. It is asked once for each
/// path, however many links lead to it.
///
/// Every link counts, wherever in a line it stands. External addresses and headings (`#…`) are not looked at, nor
/// anything that does not end in `.md`. Files in `logs/` and `team/` need no line.
pub fn check(index: &str, names: &[MemPath], linked: impl Fn(&MemPath) -> Option<String>) -> Audit {
    let names: BTreeSet<&MemPath> = names.iter().collect();
    let mut audit = Audit::default();
    let mut reached = BTreeSet::from([MemPath::index()]);
    let mut absent = BTreeSet::new();
    let mut queue = VecDeque::from([(MemPath::index(), index.to_owned())]);
    while let Some((at, text)) = queue.pop_front() {
        for link in links::all(&text) {
            let found = link.paths(&at).find_map(|path| {
                if reached.contains(&path) {
                    return Some((path, None));
                }
                if absent.contains(&path) {
                    return None;
                }
                let text = linked(&path);
                if names.contains(&path) || text.is_some() {
                    return Some((path, text));
                }
                absent.insert(path);
                None
            });
            match found {
                Some((path, text)) => {
                    reached.insert(path.clone());
                    queue.extend(text.filter(|text| is_index(text)).map(|text| (path, text)));
                }
                None if link.by_name => {}
                None => report_missing(&mut audit, &link, &at),
            }
        }
    }
    let needs_line = |name: &&MemPath| {
        let folder = name.parent().and_then(|_| name.components().next());
        name.is_markdown() && !matches!(folder, Some("logs" | "team")) && !reached.contains(*name)
    };
    audit.orphans = names.iter().copied().filter(needs_line).cloned().collect();
    audit.duplicates = duplicates(index);
    audit.long_lines = lines(index)
        .map(|line| LongLine { line: line.number, chars: line.text.chars().count() })
        .filter(|line| line.chars > limits::INDEX_LINE_CHARS)
        .collect();
    let cut = truncate::truncate(index, &truncate::Limits::default());
    audit.over_limit = (cut.was_line_truncated || cut.was_byte_truncated)
        .then_some(OverLimit { lines: cut.line_count, bytes: cut.byte_count });
    audit
}

fn report_missing(audit: &mut Audit, link: &links::Link<'_>, at: &MemPath) {
    let index = at.clone();
    let mut fault = None;
    for spelling in link.spellings(at) {
        match MemPath::parse(&spelling) {
            Ok(target) if target.is_markdown() => {
                audit.dangling.push(Dangling { index, line: link.line, target });
                return;
            }
            Ok(_) => return,
            Err(reason) => fault = fault.or(Some(reason)),
        }
    }
    if let Some(fault) = fault.filter(|_| target::is_markdown(link.target)) {
        audit.refused.push(Refused { index, line: link.line, fault });
    }
}

fn duplicates(index: &str) -> Vec<Duplicate> {
    let mut places: BTreeMap<MemPath, Vec<usize>> = BTreeMap::new();
    for line in lines(index) {
        if let Some(path) = line.pointer.and_then(|pointer| pointer.path()) {
            places.entry(path).or_default().push(line.number);
        }
    }
    let several = places.into_iter().filter(|(_, lines)| lines.len() > 1);
    several.map(|(path, lines)| Duplicate { path, lines }).collect()
}

/// A memory has frontmatter, an index lists files.
fn is_index(text: &str) -> bool {
    let has_frontmatter = text.trim_start_matches('\u{feff}').starts_with("---");
    !has_frontmatter && lines(text).any(|line| line.pointer.is_some_and(|p| p.path().is_some()))
}
