//! From what a person calls a memory to its path.

use memdir_core::MemPath;
use memdir_core::text::fold;
use memdir_scan::Header;
use memdir_store::ReadStore;

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
    let wanted = fold(reference);
    let exact: [&dyn Fn(&Header) -> bool; 4] = [
        &|header| fold(header.path.as_str()) == wanted,
        &|header| fold(header.path.file_name()) == wanted,
        &|header| header.name.as_deref().is_some_and(|name| fold(name) == wanted),
        &|header| fold(header.path.stem()) == wanted,
    ];
    for fits in exact {
        if let Some(found) = pick(headers, fits) {
            return found;
        }
    }
    let number = reference.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    if let Some(header) = number.and_then(|number| headers.get(number)) {
        return Found::One(header.path.clone());
    }
    let begins = |text: &str| !wanted.is_empty() && fold(text).starts_with(&*wanted);
    pick(headers, |header| {
        begins(header.path.as_str())
            || begins(header.path.file_name())
            || header.name.as_deref().is_some_and(begins)
    })
    .unwrap_or_else(|| Found::None(near(&wanted, headers)))
}

fn pick(headers: &[Header], fits: impl Fn(&Header) -> bool) -> Option<Found> {
    let mut paths: Vec<_> =
        headers.iter().filter(|header| fits(header)).map(|header| header.path.clone()).collect();
    paths.sort_unstable();
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

fn near(wanted: &str, headers: &[Header]) -> Vec<MemPath> {
    let (_, wanted) = wanted.rsplit_once('/').unwrap_or(("", wanted));
    let wanted = Letters::of(wanted.trim_end_matches(".md"));
    let mut scored: Vec<_> = headers
        .iter()
        .map(|header| {
            let names = [Some(header.path.stem()), header.name.as_deref()];
            let scores =
                names.into_iter().flatten().map(|name| wanted.share(&Letters::of(&fold(name))));
            (scores.max().unwrap_or(0), &header.path)
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
        if let Ok(path) = MemPath::parse(reference)
            && path.is_markdown()
            && self.store.read_head(&path, 0)?.is_some()
        {
            return Ok(path);
        }
        let reference = reference.to_owned();
        match find(&reference, &self.scan()?.headers) {
            Found::One(path) => Ok(path),
            Found::Several(candidates) => Err(Error::Ambiguous { reference, candidates }),
            Found::None(near) => Err(Error::Missing { reference, near }),
        }
    }
}
