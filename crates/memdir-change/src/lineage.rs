//! Where memories come from: which of them a conversation left, and what else it left.

use std::collections::BTreeMap;

use memdir_core::MemPath;
use memdir_store::disk::Disk;
use memdir_store::{Action, Error, Logged, LoggedState, OpId, Revision, Store};

use crate::{Inbox, Snapshot};

/// What a conversation left in a memory directory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Lineage {
    /// Memories that come from it and from nowhere else, by path.
    pub memories: Vec<Derived>,
    /// Proposals in the inbox that come from it, by number.
    pub proposals: Vec<u64>,
    /// What is, or may be, left of it when these are gone.
    pub uncovered: Vec<Uncovered>,
}

/// A memory that comes from a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Derived {
    /// The memory.
    pub path: MemPath,
    /// What shows that.
    pub how: How,
}

/// What shows that a memory comes from a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum How {
    /// It says so itself, as `originSessionId`.
    Itself,
    /// The journal has the operation that created it.
    Created {
        /// The operation.
        op: OpId,
    },
}

/// Something that stays when what a conversation left is forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Uncovered {
    /// It comes from the conversation, and others changed it since: what is whose cannot be told.
    EditedSince {
        /// The memory.
        path: MemPath,
        /// The last change of another; absent: it was made outside and nobody came upon it yet.
        op: Option<OpId>,
    },
    /// It comes from elsewhere, and the conversation changed it.
    EditedIn {
        /// The memory.
        path: MemPath,
        /// The first such change.
        op: OpId,
    },
    /// It is pinned, so a person says whether it goes.
    Pinned {
        /// The memory.
        path: MemPath,
    },
    /// The journal keeps what is forgotten until it is purged, so that it can be undone.
    Journal,
    /// Transcripts and summaries of the conversation, which belong to the client.
    Transcripts,
    /// What was shared with a team.
    Team,
}

/// What the journal tells of a memory, oldest first.
#[derive(Default)]
struct Past {
    /// The operation that created it last, and whether that was in the conversation.
    created: Option<(OpId, bool)>,
    edited_in: Option<OpId>,
    edited_since: Option<OpId>,
    /// What the journal knows it to hold.
    head: Option<Revision>,
}

/// Finds what a conversation left, in frontmatter and journal. Nothing is written.
///
/// # Errors
///
/// When memories, journal or inbox cannot be read.
pub fn lineage<D: Disk>(
    store: &Store<D>,
    snapshot: &Snapshot,
    session: &str,
) -> Result<Lineage, Error> {
    let past = past(store, session)?;
    let mut lineage = Lineage::default();
    for (path, known) in snapshot.memories() {
        let own = known.fields.origin_session.as_deref();
        let nothing = Past::default();
        let past = past.get(path).unwrap_or(&nothing);
        let how = match (&past.created, own) {
            // What a memory says of itself counts: a run writes for another conversation than its own.
            (_, Some(own)) if own == session => How::Itself,
            (Some((op, true)), None) => How::Created { op: op.clone() },
            _ => {
                let edited = past.edited_in.clone();
                let path = path.clone();
                lineage.uncovered.extend(edited.map(|op| Uncovered::EditedIn { path, op }));
                continue;
            }
        };
        let is_outside = past.head.is_some_and(|head| head != known.revision());
        if past.edited_since.is_some() || is_outside {
            let (path, op) = (path.clone(), past.edited_since.clone());
            lineage.uncovered.push(Uncovered::EditedSince { path, op });
        } else if known.fields.pinned || path.is_in_pinned() {
            lineage.uncovered.push(Uncovered::Pinned { path: path.clone() });
        } else {
            lineage.memories.push(Derived { path: path.clone(), how });
        }
    }
    let is_of = |item: &&crate::Item| item.session.as_deref() == Some(session);
    lineage.proposals =
        Inbox::read(store)?.items.iter().filter(is_of).map(|item| item.id).collect();
    lineage.uncovered.extend([Uncovered::Journal, Uncovered::Transcripts, Uncovered::Team]);
    Ok(lineage)
}

fn past<D: Disk>(store: &Store<D>, session: &str) -> Result<BTreeMap<MemPath, Past>, Error> {
    let mut logged: Vec<Logged> = store.history()?.collect::<Result<_, _>>()?;
    logged.reverse();
    let mut past: BTreeMap<MemPath, Past> = BTreeMap::new();
    for operation in logged.iter().filter(|operation| operation.state == LoggedState::Done) {
        let by = operation.by.as_ref().and_then(|by| by.session.as_deref());
        let is_in = by == Some(session);
        for file in &operation.files {
            let entry = past.entry(file.path.clone()).or_default();
            match (file.action, is_in) {
                (Action::Created, _) => {
                    *entry =
                        Past { created: Some((operation.id.clone(), is_in)), ..Past::default() };
                }
                (Action::Updated, true) => {
                    entry.edited_in.get_or_insert_with(|| operation.id.clone());
                }
                (Action::Updated, false) => entry.edited_since = Some(operation.id.clone()),
                (Action::Removed | Action::Unchanged, _) => {}
            }
            entry.head = file.after;
        }
    }
    Ok(past)
}
