//! From what a person calls a memory to its path.

use std::collections::BTreeSet;

use memdir_core::MemPath;
use memdir_core::index::lines;
use memdir_core::text::fold;
use memdir_scan::Header;
use memdir_store::disk::Disk;
use memdir_store::{ReadStore, Store};

use crate::memory::check_is_memory;
use crate::{Error, Memory};

/// What a person's word for a memory leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a word fits one, several or none")]
pub enum Found {
    /// This memory.
    One(MemPath),
    /// Several memories, by path.
    Several(Vec<MemPath>),
    /// None; the memories with a similar name, the most similar first, at most three.
    None(Vec<MemPath>),
}

/// Finds the memory that a person means, among headers in the order in which `list` numbers them.
///
/// Tried in turn: the path, the file name, the name in the frontmatter, the file name without its ending, the number
/// in the list (from 1), the beginning of any of these. The first that fits anything decides. Names are compared folded:
/// without regard to case and normal form.
pub fn find(reference: &str, headers: &[Header]) -> Found {
    let called: Vec<_> = headers.iter().map(Called::from).collect();
    find_called(reference, &called, called.len())
}

/// What a memory is called.
#[derive(Clone, Copy)]
struct Called<'a> {
    path: &'a MemPath,
    name: Option<&'a str>,
}

impl<'a> From<&'a Header> for Called<'a> {
    fn from(header: &'a Header) -> Self {
        Self { path: &header.path, name: header.name.as_deref() }
    }
}

/// See [`find`]; the first `numbered` have a number.
fn find_called(reference: &str, called: &[Called<'_>], numbered: usize) -> Found {
    let wanted = fold(reference);
    let exact: [&dyn Fn(&Called<'_>) -> bool; 4] = [
        &|called| fold(called.path.as_str()) == wanted,
        &|called| fold(called.path.file_name()) == wanted,
        &|called| called.name.is_some_and(|name| fold(name) == wanted),
        &|called| fold(called.path.stem()) == wanted,
    ];
    for fits in exact {
        if let Some(found) = pick(called, fits) {
            return found;
        }
    }
    let number = reference.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let number = number.filter(|number| *number < numbered);
    if let Some(called) = number.and_then(|number| called.get(number)) {
        return Found::One(called.path.clone());
    }
    let begins = |text: &str| !wanted.is_empty() && fold(text).starts_with(&*wanted);
    pick(called, |called| {
        begins(called.path.as_str())
            || begins(called.path.file_name())
            || called.name.is_some_and(begins)
    })
    .unwrap_or_else(|| Found::None(near(&wanted, called)))
}

fn pick(called: &[Called<'_>], fits: impl Fn(&Called<'_>) -> bool) -> Option<Found> {
    let mut paths: Vec<_> =
        called.iter().filter(|called| fits(called)).map(|called| called.path.clone()).collect();
    paths.sort_unstable();
    // One that is gone may have had several names.
    paths.dedup();
    match paths.len() {
        0 => None,
        1 => paths.pop().map(Found::One),
        _ => Some(Found::Several(paths)),
    }
}

/// Percent of what was asked for that a similar name holds, the mean of letters and pairs of letters.
///
/// Ours: `tripwier` and `wire` find `tripwire`, `plian` finds `plain`, `user` does not find `reference`.
const SIMILAR: usize = 60;

/// Names shown for one that was not found. Ours: a line of an error message.
const SHOWN: usize = 3;

fn near(wanted: &str, called: &[Called<'_>]) -> Vec<MemPath> {
    let (_, wanted) = wanted.rsplit_once('/').unwrap_or(("", wanted));
    let wanted = Letters::of(wanted.trim_end_matches(".md"));
    let mut scored: Vec<_> = called
        .iter()
        .map(|called| {
            let names = [Some(called.path.stem()), called.name];
            let scores =
                names.into_iter().flatten().map(|name| wanted.share(&Letters::of(&fold(name))));
            (scores.max().unwrap_or(0), called.path)
        })
        .filter(|(score, _)| *score >= SIMILAR)
        .collect();
    scored.sort_by(|(a, a_path), (b, b_path)| b.cmp(a).then_with(|| a_path.cmp(b_path)));
    scored.into_iter().take(SHOWN).map(|(_, path)| path.clone()).collect()
}

/// What a name is made of, each list sorted.
struct Letters {
    single: Vec<char>,
    pairs: Vec<(char, char)>,
}

impl Letters {
    fn of(text: &str) -> Self {
        let mut single: Vec<_> = text.chars().collect();
        let mut pairs: Vec<_> = text.chars().zip(text.chars().skip(1)).collect();
        single.sort_unstable();
        pairs.sort_unstable();
        Self { single, pairs }
    }

    /// Percent of these that the other name holds.
    fn share(&self, name: &Self) -> usize {
        usize::midpoint(percent(&self.single, &name.single), percent(&self.pairs, &name.pairs))
    }
}

/// Percent of `wanted` that `held` has; both are sorted.
fn percent<T: Ord>(wanted: &[T], held: &[T]) -> usize {
    let mut rest = held.iter().peekable();
    let common = wanted.iter().filter(|item| {
        while rest.next_if(|other| other < item).is_some() {}
        rest.next_if_eq(item).is_some()
    });
    100 * common.count() / wanted.len().max(1)
}

impl<S: ReadStore> Memory<S> {
    /// Finds the memory that a person means; see [`find`]. A path of a file that exists is taken without a scan, the
    /// index included.
    ///
    /// # Errors
    ///
    /// [`Error::Missing`], [`Error::Ambiguous`], or [`Error::Store`] when the directory cannot be listed.
    pub fn find(&self, reference: &str) -> Result<MemPath, Error> {
        match self.existing_path(reference)? {
            Some(path) => Ok(path),
            None => find(reference, &self.scan()?.headers).one(reference),
        }
    }

    fn existing_path(&self, reference: &str) -> Result<Option<MemPath>, Error> {
        let Ok(path) = MemPath::parse(reference) else { return Ok(None) };
        let exists = path.is_markdown() && self.store.read_head(&path, 0)?.is_some();
        Ok(exists.then_some(path))
    }
}

impl<D: Disk> Memory<Store<D>> {
    /// Finds a memory that is there, or one that is gone and of which the journal still tells; see [`find`]. One that is
    /// gone is called by its path or by the titles that its line of the index had.
    ///
    /// # Errors
    ///
    /// As [`find`](Self::find), and [`Error::Store`] when the journal cannot be read.
    pub fn find_kept(&self, reference: &str) -> Result<MemPath, Error> {
        if let Some(path) = self.existing_path(reference)? {
            return Ok(path);
        }
        let headers = self.scan()?.headers;
        let mut called: Vec<_> = headers.iter().map(Called::from).collect();
        let there: BTreeSet<_> = headers.iter().map(|header| &header.path).collect();
        let gone = self.names_in_journal()?;
        let gone = gone.iter().filter(|(path, _)| !there.contains(path));
        called.extend(gone.map(|(path, name)| Called { path, name: name.as_deref() }));
        find_called(reference, &called, headers.len()).one(reference)
    }

    /// Every memory of which the journal tells, with each title that it had.
    fn names_in_journal(&self) -> Result<BTreeSet<(MemPath, Option<String>)>, Error> {
        let mut names = BTreeSet::new();
        for logged in self.store.history()? {
            let logged = logged?;
            let files = logged.files.into_iter().map(|file| file.path);
            names.extend(
                files.filter(|path| check_is_memory(path).is_ok()).map(|path| (path, None)),
            );
            for line in logged.lines {
                for text in line.before.iter().chain(&line.after) {
                    let pointers = lines(text).filter_map(|line| line.pointer);
                    names.extend(
                        pointers.map(|pointer| (line.path.clone(), Some(pointer.title.to_owned()))),
                    );
                }
            }
        }
        Ok(names)
    }
}

impl Found {
    fn one(self, reference: &str) -> Result<MemPath, Error> {
        let reference = reference.to_owned();
        match self {
            Self::One(path) => Ok(path),
            Self::Several(candidates) => Err(Error::Ambiguous { reference, candidates }),
            Self::None(near) => Err(Error::Missing { reference, near }),
        }
    }
}
