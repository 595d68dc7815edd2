//! The index line of a memory: it repeats name and description until a person words it differently, and then stays as it is.

use memdir_core::MemPath;
use memdir_core::frontmatter::Fields;
use memdir_core::index::lines;
use memdir_store::IndexOp;

/// Title and hook that were given with a save; absent: taken from the memory.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Given<'a> {
    /// The text of the link.
    pub title: Option<&'a str>,
    /// What stands after it.
    pub hook: Option<&'a str>,
}

impl<'a> Given<'a> {
    /// Gives both or either.
    pub fn new(title: Option<&'a str>, hook: Option<&'a str>) -> Self {
        Self { title, hook }
    }
}

/// The change of the index that makes it agree with a memory; `None` where its line can stay as it is.
pub fn index_op(
    index: &str,
    path: &MemPath,
    before: Option<&Fields>,
    after: &Fields,
    given: Given<'_>,
) -> Option<IndexOp> {
    let line = lines(index)
        .filter_map(|line| line.pointer)
        .find(|pointer| pointer.path().as_ref() == Some(path));
    let title = part(
        given.title,
        line.map(|line| line.title),
        before.and_then(|fields| fields.name.as_deref()),
        after.name.as_deref().unwrap_or_else(|| path.stem()),
    );
    let hook = part(
        given.hook,
        line.map(|line| line.hook),
        before.and_then(|fields| fields.description.as_deref()),
        after.description.as_deref().unwrap_or_default(),
    );
    match (title, hook) {
        (Part::Kept(_), Part::Kept(_)) => None,
        (title, hook) => Some(IndexOp::Upsert {
            path: path.clone(),
            title: title.text().to_owned(),
            hook: hook.text().to_owned(),
        }),
    }
}

enum Part<'a> {
    /// The line already says this.
    Kept(&'a str),
    New(&'a str),
}

impl<'a> Part<'a> {
    fn text(self) -> &'a str {
        match self {
            Self::Kept(text) | Self::New(text) => text,
        }
    }
}

/// Chooses one part of the line: the text given; else what the line says already, as long as the memory's own text has not
/// changed; else the memory's own text.
fn part<'a>(
    given: Option<&'a str>,
    line: Option<&'a str>,
    before: Option<&str>,
    after: &'a str,
) -> Part<'a> {
    match (given, line) {
        (Some(given), _) => Part::New(given),
        (None, Some(line)) if before == Some(after) => Part::Kept(line),
        (None, _) => Part::New(after),
    }
}
