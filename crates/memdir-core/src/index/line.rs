use crate::MemPath;

/// One line of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line<'a> {
    /// Its place, counted from 1.
    pub number: usize,
    /// The line without its line break.
    pub text: &'a str,
    /// What it points to, `None` for headings, prose and blank lines.
    pub pointer: Option<Pointer<'a>>,
}

/// A link at the head of a line and what is said about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pointer<'a> {
    /// The text of the link.
    pub title: &'a str,
    /// Where it leads, as written: still percent-encoded, without angle brackets and link title.
    pub target: &'a str,
    /// What follows the separator, trimmed; empty if nothing does.
    pub hook: &'a str,
    /// What stands between link and hook, spaces included; empty if there is no hook or no known separator.
    pub separator: &'a str,
}

impl Pointer<'_> {
    /// Returns the memory it leads to, read percent-decoded if that gives a path, else as written; `None` if it leads
    /// elsewhere.
    pub fn path(&self) -> Option<MemPath> {
        MemPath::parse(self.target).ok()
    }
}

/// Reads the lines of an index in order.
pub fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    text.lines().zip(1..).map(|(text, number)| Line { number, text, pointer: None })
}
