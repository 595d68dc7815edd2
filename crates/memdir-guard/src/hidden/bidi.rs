//! Controls of the writing direction, judged by the line that they are in.

use super::Found;
use super::classes::{class, is_right_to_left};
use crate::Hidden;

/// What a line holds so far.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// From the first control to the end of the last.
    span: Option<(usize, usize)>,
    has_right_to_left: bool,
    /// Embeddings and isolates that are open.
    open: Vec<Closer>,
    /// Something is forced into a direction, closed unopened, or not needed at all.
    is_odd: bool,
}

#[derive(Debug, PartialEq)]
enum Closer {
    Embedding,
    Isolate,
}

impl Line {
    pub(super) fn take(&mut self, at: usize, c: char) {
        if class(c) != Some(Hidden::Bidi) {
            self.has_right_to_left |= is_right_to_left(c);
            return;
        }
        let start = self.span.map_or(at, |(start, _)| start);
        self.span = Some((start, at + c.len_utf8()));
        match c {
            '\u{202A}' | '\u{202B}' => self.open.push(Closer::Embedding),
            '\u{2066}'..='\u{2068}' => self.open.push(Closer::Isolate),
            '\u{202C}' => self.is_odd |= self.open.pop() != Some(Closer::Embedding),
            '\u{2069}' => self.is_odd |= self.open.pop() != Some(Closer::Isolate),
            // Overrides turn letters around that have a direction of their own: no writing needs them.
            '\u{202D}' | '\u{202E}' => self.is_odd = true,
            _ => {}
        }
    }

    /// The controls of the line, unless its right-to-left letters need them.
    pub(super) fn end(self) -> Option<Found> {
        let (start, end) = self.span?;
        let is_needed = self.has_right_to_left && !self.is_odd && self.open.is_empty();
        (!is_needed).then_some((start..end, Hidden::Bidi, None))
    }
}
