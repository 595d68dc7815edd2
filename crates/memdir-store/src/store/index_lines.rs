//! What an index says of memories whose lines an operation changed.

use std::collections::BTreeMap;

use memdir_core::{MemPath, index};

use crate::LineChanged;

/// Returns, for the memories of some lines, the lines that the index has of them.
pub(crate) fn of<'l>(text: &str, lines: &'l [LineChanged]) -> BTreeMap<&'l MemPath, Vec<String>> {
    let mut found: BTreeMap<&MemPath, Vec<String>> = BTreeMap::new();
    found.extend(lines.iter().map(|line| (&line.path, Vec::new())));
    for line in index::lines(text) {
        let path = line.pointer.and_then(|pointer| pointer.path());
        if let Some(of) = path.and_then(|path| found.get_mut(&path)) {
            of.push(line.text.to_owned());
        }
    }
    found
}
