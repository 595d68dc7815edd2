//! From a verdict to memories: one batch, and the inbox for the rest.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use memdir_core::frontmatter::parse;
use memdir_store::disk::Disk;
use memdir_store::overlay::{
    Group, Held, Objection as Refusal, Outcome, Overlay, Proposal, RecordError, Verdict as Answer,
};
use memdir_store::{Attribution, Error, OpKind, Receipt, Revision, Store};

use crate::inbox::Asked;
use crate::limits::REASON_BYTES;
use crate::shown::{beginning, without_secrets};
use crate::tombstones::Forgotten;
use crate::validate::check_file;
use crate::verdict::{FileChange, Prepared};
use crate::{
    Added, Evidence, Inbox, Item, Judged, Judgement, Notice, OpWord, Operation, ProposedFile,
    Snapshot, Tombstones, Verdict, notice,
};

/// What a commit did.
#[derive(Debug)]
#[non_exhaustive]
pub struct Committed {
    /// The one operation of the journal; absent: nothing was to be done.
    pub receipt: Option<Receipt>,
    /// What waits in the inbox now.
    pub inbox: Added,
    /// Groups that were accepted and wait all the same, since a memory was changed meanwhile; with the reason in words.
    pub late: Vec<(Vec<usize>, String)>,
}

/// Why a run was not committed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CommitError {
    /// Nothing happened to the memories. Proposals that were put into the inbox before stay there; the next run finds them.
    #[error("the run was not committed")]
    Nothing {
        /// What was in the way.
        source: Error,
    },
    /// The memories are changed, but what was held back at the last moment, or the notice, could not be written.
    #[error("the run was committed, but not all that waits was written down")]
    Unrecorded {
        /// What was applied.
        receipt: Option<Box<Receipt>>,
        /// What was in the way.
        source: Error,
    },
}

/// Does what a verdict accepts, as one operation of the journal that can be undone, and puts what it holds into the inbox.
///
/// `snapshot` is what the verdict is about. A memory that was changed since is merged where that can be told line by line,
/// and checked again; else its group goes to the inbox, and the others are done. What was forgotten meanwhile is not
/// brought back. A run that changed memories or proposed something leaves one [`Notice`]; one that did neither leaves none.
/// Where `by` gives no reason, those of the operations are written.
///
/// # Errors
///
/// [`CommitError`]. The memories are as before or as the verdict has them, never between.
pub fn commit<D: Disk>(
    store: &Store<D>,
    snapshot: &Snapshot,
    verdict: &Verdict,
    by: &Attribution,
    now: SystemTime,
) -> Result<Committed, CommitError> {
    let nothing = |source| CommitError::Nothing { source };
    let proposals = proposals(verdict, by, now);
    let mut inbox = put(store, proposals, now).map_err(nothing)?;
    let tombstones = Tombstones::read(store).map_err(nothing)?;
    let Outcome { applied, held, .. } =
        apply(store, snapshot, verdict, by, now, &tombstones.forgotten()).map_err(nothing)?;
    let unrecorded =
        |source| CommitError::Unrecorded { receipt: applied.clone().map(Box::new), source };
    let late = held.iter().map(|held| {
        let groups = held.groups.iter().filter_map(|group| usize::try_from(group.number()).ok());
        (groups.collect(), held.reason.to_string())
    });
    let late: Vec<_> = late.collect();
    let more = held.into_iter().map(|held| late_item(held, verdict, by, now)).collect();
    let more = put(store, more, now).map_err(unrecorded)?;
    inbox.waiting.extend(more.waiting);
    inbox.turned_away += more.turned_away;
    inbox.expired += more.expired;
    let mut notice = Notice::new(now, by.actor.as_text(), by.run.clone()).of(applied.as_ref());
    notice.waiting.clone_from(&inbox.waiting);
    if notice.op.is_some() || !notice.waiting.is_empty() {
        store.turn("notice", |turn| notice::leave(store, turn, &notice)).map_err(unrecorded)?;
    }
    Ok(Committed { receipt: applied.filter(Receipt::has_changes), inbox, late })
}

/// Adds proposals to the inbox; takes no lock where there are none.
fn put<D: Disk>(store: &Store<D>, items: Vec<Item>, now: SystemTime) -> Result<Added, Error> {
    if items.is_empty() {
        return Ok(Added::default());
    }
    store.turn("inbox", |turn| {
        let mut inbox = Inbox::in_turn(turn)?;
        let added = inbox.add(items, now)?;
        inbox.write(turn)?;
        Ok(added)
    })
}

fn apply<D: Disk>(
    store: &Store<D>,
    snapshot: &Snapshot,
    verdict: &Verdict,
    by: &Attribution,
    now: SystemTime,
    forgotten: &Forgotten<'_>,
) -> Result<Outcome, Error> {
    let recorded = |error| match error {
        RecordError::Store(error) => error,
        // No rule lets a run change the index as a file.
        _ => Error::NotAFile { path: "MEMORY.md".to_owned(), kind: memdir_store::FileKind::Other },
    };
    let kind = match &by.actor {
        memdir_store::Actor::Worker(name) => name.clone(),
        _ => "plan".to_owned(),
    };
    let mut overlay = Overlay::new(snapshot, OpKind::Named(kind), now);
    let accepted: Vec<_> = verdict.with(|judgement| *judgement == Judgement::Accepted).collect();
    for (judged, prepared) in &accepted {
        let group = group(judged);
        for FileChange { path, after, .. } in &prepared.files {
            match after {
                Some(text) => overlay.put(group, path.clone(), text.as_bytes()),
                None => overlay.remove(group, path.clone()),
            }
            .map_err(recorded)?;
        }
    }
    // What a plan says of a line counts more than what follows from the memory.
    let is_line = |judged: &Judged| judged.word == Some(OpWord::Index);
    let lines = accepted.iter().filter(|(judged, _)| is_line(judged));
    let follow = accepted.iter().filter(|(judged, _)| !is_line(judged));
    for (judged, prepared) in follow.chain(lines) {
        for op in &prepared.index {
            overlay.index(group(judged), op.clone()).map_err(recorded)?;
        }
    }
    let reasons = || reasons(accepted.iter().map(|(_, prepared)| *prepared));
    let by = match &by.reason {
        Some(_) => by.clone(),
        None => by.clone().reason(reasons()),
    };
    let outcome =
        overlay.commit(store, &|proposal: &Proposal<'_>| look_again(proposal, forgotten), &by);
    outcome.map_err(|uncommitted| uncommitted.error)
}

fn group(judged: &Judged) -> Group {
    Group::new(u32::try_from(judged.group).unwrap_or(u32::MAX))
}

/// What was merged with another's change was not judged yet; what was forgotten since stays so.
fn look_again(proposal: &Proposal<'_>, forgotten: &Forgotten<'_>) -> Answer {
    let mut objections = Vec::new();
    for pending in &proposal.changes {
        let Some(text) = pending.after.and_then(|bytes| std::str::from_utf8(bytes).ok()) else {
            continue;
        };
        let before = pending.before.and_then(|bytes| std::str::from_utf8(bytes).ok());
        let fields = parse(text).fields;
        let name = fields.name.unwrap_or_default();
        let why = match (pending.merged, before) {
            (true, _) => check_file(pending.path, text, before).err().map(|fault| fault.reason),
            (false, None) => {
                forgotten.forbids_new(pending.path, &name).map(|why| format!("{why} meanwhile"))
            }
            (false, Some(_)) => None,
        };
        objections.extend(why.map(|why| Refusal::new(pending.path.clone(), why)));
    }
    if objections.is_empty() { Answer::Accepted } else { Answer::Refused(objections) }
}

/// Why, for the journal: the reasons of the operations, each once.
fn reasons<'p>(prepared: impl Iterator<Item = &'p Prepared>) -> String {
    let all = prepared.filter_map(|prepared| Some(prepared.asked.as_ref()?.reason.trim()));
    let mut seen = BTreeSet::new();
    let once: Vec<_> = all.filter(|reason| !reason.is_empty() && seen.insert(*reason)).collect();
    beginning(&once.join("; "), REASON_BYTES)
}

/// What the verdict holds, one proposal a group.
fn proposals(verdict: &Verdict, by: &Attribution, now: SystemTime) -> Vec<Item> {
    let mut groups: BTreeMap<usize, Item> = BTreeMap::new();
    for (judged, prepared) in verdict.with(|judgement| matches!(judgement, Judgement::Held(_))) {
        let Judgement::Held(hold) = &judged.judgement else { continue };
        let item = groups.entry(judged.group).or_insert_with(|| empty(by, now, String::new()));
        // That another one waits is no reason of its own.
        if !matches!(hold, crate::Hold::Group { .. }) && !item.waits.contains(&hold.to_string()) {
            let between = if item.waits.is_empty() { "" } else { "; " };
            item.waits = format!("{}{between}{hold}", item.waits);
        }
        let file = |file: &FileChange| ProposedFile {
            path: file.path.clone(),
            before: file.before.map(|(revision, _)| revision),
            after: file.after.clone(),
        };
        item.files.extend(prepared.files.iter().map(file));
        item.index.extend(prepared.index.iter().cloned());
        item.operations.extend(prepared.asked.as_ref().map(asked));
    }
    groups.into_values().collect()
}

fn empty(by: &Attribution, at: SystemTime, waits: String) -> Item {
    Item {
        id: 0,
        at,
        actor: by.actor.as_text(),
        run: by.run.clone(),
        session: by.session.clone(),
        waits,
        operations: Vec::new(),
        files: Vec::new(),
        index: Vec::new(),
    }
}

/// What was accepted and could not be done any more.
fn late_item(held: Held, verdict: &Verdict, by: &Attribution, now: SystemTime) -> Item {
    let mut item = empty(by, now, held.reason.to_string());
    let is_meant = |judged: &&(&Judged, &Prepared)| held.groups.contains(&group(judged.0));
    let accepted: Vec<_> = verdict.with(|judgement| *judgement == Judgement::Accepted).collect();
    let meant = accepted.iter().filter(is_meant);
    item.operations =
        meant.filter_map(|(_, prepared)| prepared.asked.as_ref().map(asked)).collect();
    item.index = held.index;
    item.files = held
        .changes
        .into_iter()
        .map(|change| ProposedFile {
            path: change.path,
            before: change.base.map(|bytes| Revision::of(&bytes)),
            after: change.wanted.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        })
        .collect();
    item
}

fn asked(operation: &Operation) -> Asked {
    let evidence = operation.evidence.iter().map(|evidence| Evidence {
        session: evidence.session.clone(),
        message: without_secrets(&evidence.message),
        quote: without_secrets(&evidence.quote),
    });
    Asked {
        word: operation.change.word(),
        reason: without_secrets(&operation.reason),
        origin: operation.origin,
        evidence: evidence.collect(),
    }
}
