use crate::MemPath;

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
    /// Lines of more than [`limits::INDEX_LINE_CHARS`](crate::limits::INDEX_LINE_CHARS) characters, in order.
    pub long_lines: Vec<LongLine>,
    /// Links to `.md` files that no memory can be named by, in order of appearance.
    pub refused: Vec<Refused>,
    /// Set where a prompt would show only part of the index.
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

/// A memory that several lines of one index point to.
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
    pub fault: crate::PathFault,
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
/// `linked` gives the text of a file that the index links, so that what a further index such as ARCHIVE.md lists is
/// no orphan; it may answer `None` for any file.
pub fn check(index: &str, names: &[MemPath], linked: impl Fn(&MemPath) -> Option<String>) -> Audit {
    let _ = (index, names, linked);
    Audit::default()
}
