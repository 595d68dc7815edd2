//! The objects within one piece of a file: what is between two line ends or NUL bytes.

use crate::envelope::{Envelope, Scanned, scan};
use crate::json::{skip_space, value_end};
use crate::limits;
use crate::note::{Notes, Reason};

/// How a piece ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// By a line end or NUL bytes.
    Closed,
    /// By the end of the file.
    Open,
}

/// How far one piece has been read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Progress {
    at: usize,
    found: bool,
    not_object: bool,
    ending: Ending,
}

/// One object: its first byte within the piece, and its envelope.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) at: usize,
    pub(crate) scanned: Scanned,
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl Progress {
    pub(crate) const fn new(ending: Ending) -> Self {
        Self { at: 0, found: false, not_object: false, ending }
    }

    /// Whether the piece is JSON but no object.
    pub(crate) const fn not_object(&self) -> bool {
        self.not_object
    }

    /// Finds the next object; `offset` is where the piece begins in its file.
    pub(crate) fn next(&mut self, piece: &[u8], offset: u64, notes: &mut Notes) -> Option<Found> {
        if self.at == 0 && piece.starts_with(BYTE_ORDER_MARK) {
            notes.add(offset, Reason::ByteOrderMark);
            self.at = BYTE_ORDER_MARK.len();
        }
        let at = skip_space(piece, self.at);
        let rest = piece.get(at..).filter(|rest| !rest.is_empty())?;
        let whole = if rest.first() == Some(&b'{') { scan(rest) } else { None };
        let found = match whole {
            Some(scanned) => {
                if self.found {
                    notes.add(offset + at as u64, Reason::Glued);
                }
                Found { at, scanned }
            }
            None => self.recover(piece, at, offset, notes)?,
        };
        self.at = found.at + found.scanned.end;
        self.found = true;
        Some(found)
    }

    /// Looks for a whole entry behind what cannot be read at `at`.
    fn recover(
        &mut self,
        piece: &[u8],
        at: usize,
        offset: u64,
        notes: &mut Notes,
    ) -> Option<Found> {
        self.at = piece.len();
        if piece.get(at) != Some(&b'{')
            && let Some(end) = value_end(piece, at)
            && skip_space(piece, end) == piece.len()
            && piece.get(at..end).is_some_and(is_json)
        {
            notes.add(offset + at as u64, Reason::NotAnObject);
            self.not_object = true;
            return None;
        }
        let behind = piece.get(at + 1..).unwrap_or_default();
        // A try can cost the rest of the piece, so what all of them may cost is bounded.
        let mut budget = piece.len().saturating_mul(limits::MAX_RECOVERIES);
        let found = memchr::memmem::find_iter(behind, b"{\"")
            .map(|found| at + 1 + found)
            .map_while(|at| {
                let rest = piece.get(at..)?;
                let scanned = scan(rest);
                let cost = scanned.as_ref().map_or(rest.len(), |scanned| scanned.end);
                budget = budget.checked_sub(cost)?;
                Some((at, rest, scanned))
            })
            .find_map(|(at, rest, scanned)| {
                let scanned = scanned?;
                let behind = skip_space(rest, scanned.end);
                let last = behind == rest.len() || rest.get(behind) == Some(&b'{');
                let entry = Envelope::new(rest, scanned.spans).is_entry();
                (last && entry).then_some(Found { at, scanned })
            });
        let bytes = (found.as_ref().map_or(piece.len(), |found| found.at) - at) as u64;
        let torn = found.is_none() && self.ending == Ending::Open;
        let reason = if torn { Reason::Torn { bytes } } else { Reason::Unreadable { bytes } };
        notes.add(offset + at as u64, reason);
        found
    }
}

pub(crate) fn is_json(bytes: &[u8]) -> bool {
    serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok()
}
