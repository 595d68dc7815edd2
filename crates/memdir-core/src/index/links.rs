//! Every link in a text, for finding what an index leads to.

use super::{lines, target};
use crate::MemPath;

/// A link to a file, wherever in an index it stands.
pub(super) struct Link<'a> {
    /// Its line, from 1.
    pub(super) line: usize,
    /// Where it leads, as written.
    pub(super) target: &'a str,
    /// Whether it is a `[[name]]`, which may lack the ending and may mean no file at all.
    pub(super) by_name: bool,
}

/// Yields every inline link, reference definition and `[[name]]` that can mean a file of the memory directory.
pub(super) fn all(text: &str) -> impl Iterator<Item = Link<'_>> {
    lines(text).flat_map(|line| {
        let number = line.number;
        let inline = line.text.match_indices("](").filter_map(move |(at, open)| {
            let (target, _) = target::split(line.text.get(at + open.len()..)?)?;
            Some(Link { line: number, target, by_name: false })
        });
        let definition =
            definition(line.text).map(|target| Link { line: number, target, by_name: false });
        let named = line.text.split("[[").skip(1).filter_map(move |after| {
            let (inside, _) = after.split_once("]]")?;
            let target = inside.split_once('|').map_or(inside, |(target, _)| target).trim();
            Some(Link { line: number, target, by_name: true })
        });
        inline.chain(definition).chain(named).filter(|link| target::is_local(link.target))
    })
}

/// Reads `[label]: target "title"`.
fn definition(line: &str) -> Option<&str> {
    let (label, target) = line.trim_start().strip_prefix('[')?.split_once("]:")?;
    let target = target.trim();
    let target = match target.strip_prefix('<') {
        Some(open) => open.split_once('>')?.0,
        None => target.split_whitespace().next()?,
    };
    (!label.is_empty() && !label.contains(']') && target::is_markdown(target)).then_some(target)
}

impl Link<'_> {
    /// Yields the paths it can mean in the index `at`, the likeliest first.
    pub(super) fn paths(&self, at: &MemPath) -> impl Iterator<Item = MemPath> {
        self.spellings(at).into_iter().filter_map(|text| MemPath::parse(&text).ok())
    }

    /// What it can mean: as seen from the folder of the index, then from the memory directory.
    pub(super) fn spellings(&self, at: &MemPath) -> Vec<String> {
        let mut spellings = target::spellings(self.target);
        if self.by_name {
            let with_ending: Vec<_> = spellings.iter().map(|text| format!("{text}.md")).collect();
            spellings.extend(with_ending);
        }
        let Some(folder) = at.parent() else { return spellings };
        let mut seen: Vec<_> = spellings.iter().filter_map(|text| below(folder, text)).collect();
        seen.extend(spellings);
        seen
    }
}

/// Resolves `..` at the start of a target against the folder it is seen from.
fn below(folder: &str, target: &str) -> Option<String> {
    let mut folders: Vec<&str> = folder.split('/').collect();
    let mut rest = target;
    while let Some(after) = rest.strip_prefix("../") {
        folders.pop()?;
        rest = after;
    }
    folders.push(rest);
    Some(folders.join("/"))
}
