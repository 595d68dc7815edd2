//! The end of a session, as far back as resuming it needs.

use std::io::{self, Read, Seek, SeekFrom};

use crate::backward::Backward;
use crate::entry::{Compaction, Entry, Preserved};
use crate::id::{Id, IdMap, IdSet};
use crate::kind::Kind;
use crate::limits;
use crate::line::Place;
use crate::tree::{Brief, Tree};

/// Reads backwards until the branch of the last message meets a compaction, and what that kept; else everything.
pub(super) fn read<R: Read + Seek>(source: &mut R) -> io::Result<Tree> {
    let mut backward = Backward::new(&mut *source)?;
    let mut walk = Walk::default();
    while let Some(line) = backward.next_line()? {
        let brief = Brief::of(&line.envelope);
        let compaction = || {
            let boundary = brief.is_boundary();
            boundary.then(|| Entry::of(line.envelope.bytes()).compaction()).flatten()
        };
        if walk.meet(line.place, brief, line.envelope.kind(), compaction) {
            break;
        }
        if walk.lines.len() > limits::BACKWARD_LINES {
            source.seek(SeekFrom::Start(0))?;
            return Tree::read(source);
        }
    }
    let notes = backward.notes().clone();
    Ok(Tree::of(walk.lines.into_iter().rev(), notes))
}

/// The lines met so far, the last one of the file first, and what is looked for.
#[derive(Default)]
struct Walk {
    lines: Vec<(Place, Brief)>,
    seen: IdMap<usize>,
    /// The compactions met that have not been reached yet.
    compactions: IdMap<Compaction>,
    sought: Sought,
    /// The entries of the branch.
    branch: IdSet,
    /// Whether some entry of the branch stands before its parent.
    goes_forward: bool,
}

#[derive(Default)]
enum Sought {
    /// The last message.
    #[default]
    Leaf,
    /// The parent of an entry of the branch; behind a summary, only to see whether it is a boundary.
    Parent { id: Id, behind_summary: bool },
    /// Messages that the compaction kept.
    Kept(IdSet),
    /// The segment that the compaction kept, from its tail up.
    Segment { next: Id, head: Id },
    /// The start of the file.
    Start,
    /// Nothing any more.
    Nothing,
}

impl Walk {
    /// Takes the line before the last one taken; true when nothing more is needed.
    fn meet(
        &mut self,
        place: Place,
        brief: Brief,
        kind: Kind,
        compaction: impl FnOnce() -> Option<Compaction>,
    ) -> bool {
        let Some(id) = brief.id else {
            if kind == Kind::FileHistorySnapshot {
                self.lines.push((place, brief));
            }
            return false;
        };
        let at = self.lines.len();
        self.lines.push((place, brief));
        if self.seen.contains_key(&id) {
            // A later entry has taken its place.
            return false;
        }
        self.seen.insert(id, at);
        if let Some(compaction) = compaction() {
            self.compactions.insert(id, compaction);
        }
        match &mut self.sought {
            Sought::Leaf if brief.is_main_message() => self.follow(id, false),
            Sought::Parent { id: wanted, behind_summary } if *wanted == id => {
                let behind_summary = *behind_summary;
                self.follow(id, behind_summary);
            }
            Sought::Kept(wanted) => {
                wanted.remove(&id);
                if wanted.is_empty() {
                    self.sought = Sought::Nothing;
                }
            }
            Sought::Segment { next, head } if *next == id => {
                let head = *head;
                self.follow_segment(id, head);
            }
            _ => {}
        }
        matches!(self.sought, Sought::Nothing)
    }

    fn brief(&self, id: Id) -> Option<(usize, Brief)> {
        let at = *self.seen.get(&id)?;
        self.lines.get(at).map(|(_, brief)| (at, *brief))
    }

    /// Goes up from an entry of the branch as far as it is known.
    fn follow(&mut self, mut id: Id, mut behind_summary: bool) {
        let mut before = None;
        while let Some((at, brief)) = self.brief(id) {
            self.goes_forward |= before.is_some_and(|before| at < before);
            before = Some(at);
            if brief.is_boundary() {
                return self.end(id, true);
            }
            if behind_summary {
                // A summary without a boundary: an older client's compaction.
                return self.end(id, false);
            }
            if !self.branch.insert(id) {
                // It goes round, and what is cut may depend on anything before.
                self.sought = Sought::Start;
                return;
            }
            behind_summary = brief.is_compact_summary();
            match brief.parent {
                Some(parent) if parent != id => id = parent,
                None if behind_summary => return self.end(id, false),
                _ => {
                    self.sought = Sought::Start;
                    return;
                }
            }
        }
        self.sought = Sought::Parent { id, behind_summary };
    }

    /// The branch ends here, unless the entries after it form a cycle that the whole file would cut elsewhere, or may
    /// form one because a parent cannot be followed and another entry will stand in its place.
    fn end(&mut self, id: Id, boundary: bool) {
        let mut above = id;
        let mut steps = 0..self.lines.len();
        while self.goes_forward && steps.next().is_some() {
            if self.branch.contains(&above) {
                self.sought = Sought::Start;
                return;
            }
            match self.brief(above).map(|(_, brief)| brief.parent) {
                Some(None) => break,
                Some(Some(parent)) if parent != above => above = parent,
                _ => {
                    self.sought = Sought::Start;
                    return;
                }
            }
        }
        if boundary {
            self.reach(id);
        } else {
            self.sought = Sought::Nothing;
        }
    }

    /// The branch has met a compaction.
    fn reach(&mut self, id: Id) {
        let compaction = self.compactions.remove(&id).unwrap_or_default();
        match compaction.preserved {
            Preserved::Nothing => self.sought = Sought::Nothing,
            Preserved::Messages(uuids) => {
                let ids = uuids.iter().map(|uuid| Id::of(uuid));
                let wanted: IdSet = ids.filter(|id| !self.seen.contains_key(id)).collect();
                let found = wanted.is_empty();
                self.sought = if found { Sought::Nothing } else { Sought::Kept(wanted) };
            }
            Preserved::Segment { head, tail } => self.follow_segment(Id::of(&tail), Id::of(&head)),
        }
    }

    fn follow_segment(&mut self, mut id: Id, head: Id) {
        for _ in 0..=self.lines.len() {
            let Some((_, brief)) = self.brief(id) else {
                self.sought = Sought::Segment { next: id, head };
                return;
            };
            if id == head {
                self.sought = Sought::Nothing;
                return;
            }
            match brief.parent {
                Some(parent) if parent != id => id = parent,
                _ => break,
            }
        }
        self.sought = Sought::Start;
    }
}
