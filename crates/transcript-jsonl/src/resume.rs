//! What a session resumes with.

mod tail;

use std::collections::HashSet;
use std::io::{self, Read, Seek};

use crate::entry::{Block, Compaction, Entry, Preserved};
use crate::history::FileHistory;
use crate::id::{Id, IdSet};
use crate::kind::Kind;
use crate::limits;
use crate::line::Place;
use crate::note::Notes;
use crate::tree::{Gap, Node, Reach, Standing, Step, Tree};

/// The conversation that a session resumes with, and the backups of the files that it changed.
///
/// It holds no text: every member says where it is in the file, and [`Entry::read`] reads it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resume {
    /// Messages, remarks and attachments in the order in which a model would be shown them.
    pub members: Vec<Member>,
    /// The compaction that the conversation begins with, and the line of its boundary.
    pub compaction: Option<(Place, Compaction)>,
    /// Messages that the compaction kept by name and that the file does not hold, by uuid.
    pub lost: Vec<String>,
    /// Members whose parent could not be followed.
    pub detours: Vec<Detour>,
    /// The backups of files, from the compaction on.
    pub history: FileHistory,
    /// What was odd about the part of the file that was read, in the order of the file.
    pub notes: Notes,
}

/// An entry of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Member {
    /// Where it is in the file.
    pub place: Place,
    /// Its id.
    pub id: Id,
    /// What it is.
    pub kind: Kind,
    /// Why it is part of the conversation.
    pub origin: Origin,
}

/// Why an entry is part of a resumed conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Origin {
    /// It is the boundary of a compaction.
    Boundary,
    /// It is the summary of a compaction.
    Summary,
    /// The compaction kept it; it stands before the boundary.
    Kept,
    /// The last message follows it.
    Branch,
    /// It belongs to a reply of the branch: another block, or the result of a tool that ran in parallel.
    Parallel,
}

/// A member whose parent could not be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Detour {
    /// The member.
    pub entry: Place,
    /// The entry that stands in its parent's place, `None` where there is none and for [`Reach::Strict`].
    pub to: Option<Place>,
    /// Why the parent could not be followed.
    pub why: Gap,
}

impl Resume {
    /// Reads a session from its end, back to the last compaction, and no further than it must.
    ///
    /// What comes out is what [`Resume::of`] makes of the whole file.
    ///
    /// # Errors
    ///
    /// Those of the source; nothing that a file can hold is an error.
    pub fn read<R: Read + Seek>(source: &mut R) -> io::Result<Self> {
        let tree = tail::read(source)?;
        Self::of(&tree, source)
    }

    /// Resumes with the last message of a session that was read as a whole.
    ///
    /// # Errors
    ///
    /// Those of the source.
    pub fn of<R: Read + Seek>(tree: &Tree, source: &mut R) -> io::Result<Self> {
        match tree.leaf() {
            Some(leaf) => Self::at(tree, leaf, Reach::Resumed, source),
            None => Ok(Self { notes: tree.notes().clone(), ..Self::default() }),
        }
    }

    /// Resumes with any message of a session that was read as a whole.
    ///
    /// # Errors
    ///
    /// Those of the source.
    pub fn at<R: Read + Seek>(
        tree: &Tree,
        leaf: Node,
        reach: Reach,
        source: &mut R,
    ) -> io::Result<Self> {
        let mut resume = Self { notes: tree.notes().clone(), ..Self::default() };
        let branch = tree.branch(leaf, reach);
        let boundary = branch.iter().map(|step| step.node).find(|node| tree.is_boundary(*node));
        if let Some(place) =
            boundary.filter(|_| reach != Reach::Whole).and_then(|at| tree.place(at))
        {
            let compaction = Entry::read(source, place)?.compaction().unwrap_or_default();
            resume.compaction = Some((place, compaction));
        }
        let kept = resume.kept(tree, &branch);
        let after = resume.anchor(tree, &branch);
        let mut calls = Calls::default();
        for (at, step) in branch.iter().enumerate() {
            if calls.explain(tree, *step, source)? {
                resume.add(tree, step.node, origin(tree, *step));
            }
            if at == after {
                for node in &kept {
                    resume.add(tree, *node, Origin::Kept);
                }
            }
        }
        resume.add_detours(tree, &branch, reach);
        let start = if reach == Reach::Whole {
            0
        } else {
            let root = branch.first().map(|step| step.node);
            let root = root.filter(|at| tree.is_boundary(*at) || tree.is_compact_summary(*at));
            root.and_then(|root| tree.place(root)).map_or(0, |place| place.offset)
        };
        resume.add_history(tree, start, source)?;
        resume.notes.name(tree, source)?;
        Ok(resume)
    }

    fn add(&mut self, tree: &Tree, node: Node, origin: Origin) {
        let kind = tree.kind(node);
        if let (true, Some(place), Some(id)) = (kind.is_link(), tree.place(node), tree.id(node)) {
            self.members.push(Member { place, id, kind, origin });
        }
    }

    /// The messages before the boundary that the compaction kept and the branch does not hold anyway.
    fn kept(&mut self, tree: &Tree, branch: &[Step]) -> Vec<Node> {
        let Some((_, compaction)) = &self.compaction else { return Vec::new() };
        let mut kept = match &compaction.preserved {
            Preserved::Nothing => Vec::new(),
            Preserved::Messages(uuids) => {
                let mut nodes = Vec::new();
                for uuid in uuids {
                    match tree.node(uuid) {
                        Some(node) => nodes.push(node),
                        None => self.lost.push(uuid.clone()),
                    }
                }
                tree.in_order(&nodes)
            }
            Preserved::Segment { head, tail } => tree.segment(head, tail).unwrap_or_else(|| {
                self.lost.extend([head.clone(), tail.clone()]);
                self.lost.dedup();
                Vec::new()
            }),
        };
        let on: HashSet<_> = branch.iter().map(|step| step.node).collect();
        kept.retain(|node| !on.contains(node));
        kept
    }

    /// The step that the kept messages follow.
    fn anchor(&self, tree: &Tree, branch: &[Step]) -> usize {
        let named = self.compaction.as_ref().and_then(|(_, of)| of.anchor.as_deref());
        let named = named.and_then(|uuid| tree.node(uuid));
        let place = |node: Node| branch.iter().position(|step| step.node == node);
        named
            .and_then(place)
            .or_else(|| branch.iter().position(|step| tree.is_compact_summary(step.node)))
            .unwrap_or(0)
    }

    /// What a compaction begins with has its parent behind it, and what it kept is told apart from its parents.
    fn add_detours(&mut self, tree: &Tree, branch: &[Step], reach: Reach) {
        let begins = |node| tree.is_boundary(node) || tree.is_compact_summary(node);
        let root = branch.first().map(|step| step.node).filter(|node| begins(*node));
        let on: HashSet<_> = branch.iter().map(|step| step.node).collect();
        self.detours = tree
            .bridges()
            .iter()
            .filter(|bridge| on.contains(&bridge.entry) && Some(bridge.entry) != root)
            .filter_map(|bridge| {
                let to = bridge.to.filter(|_| reach != Reach::Strict);
                let to = to.and_then(|to| tree.place(to));
                Some(Detour { entry: tree.place(bridge.entry)?, to, why: bridge.why })
            })
            .collect();
    }

    /// Reads the backups from `start` on, without those of messages on other branches.
    fn add_history<R: Read + Seek>(
        &mut self,
        tree: &Tree,
        start: u64,
        source: &mut R,
    ) -> io::Result<()> {
        let ids: IdSet = self.members.iter().map(|member| member.id).collect();
        let mut snapshots = Vec::new();
        for place in tree.snapshots().iter().filter(|place| place.offset >= start) {
            let Some(snapshot) = Entry::read(source, *place)?.snapshot() else { continue };
            let id = Id::of(&snapshot.message_id);
            let message = tree.node_of(id).and_then(|node| tree.place(node));
            let elsewhere = message.is_some_and(|place| place.offset >= start);
            if ids.contains(&id) || !elsewhere {
                snapshots.push((*place, snapshot));
            }
        }
        self.history = FileHistory::of(snapshots);
        Ok(())
    }
}

/// The tool calls of the reply that the steps of a branch have come to.
#[derive(Default)]
struct Calls {
    reply: Vec<Node>,
    /// Whether the last step was a block of it.
    in_reply: bool,
    /// Their ids, once they have been asked for.
    ids: Option<HashSet<String>>,
}

impl Calls {
    /// Whether a step belongs to the branch: what stands beside it as a result must answer a call of the reply.
    fn explain<R: Read + Seek>(
        &mut self,
        tree: &Tree,
        step: Step,
        source: &mut R,
    ) -> io::Result<bool> {
        if tree.kind(step.node) == Kind::Assistant {
            if !std::mem::replace(&mut self.in_reply, true) {
                *self = Self { in_reply: true, ..Self::default() };
            }
            self.reply.push(step.node);
            return Ok(true);
        }
        self.in_reply = false;
        if step.standing == Standing::Chain {
            return Ok(true);
        }
        if self.ids.is_none() {
            let mut ids = HashSet::new();
            for place in self.reply.iter().filter_map(|node| tree.place(*node)) {
                let entry = Entry::read(source, place)?;
                let blocks = entry.message().map(|message| message.content).unwrap_or_default();
                ids.extend(blocks.iter().filter_map(|block| match block {
                    Block::ToolUse { id, .. } => Some(id.to_string()),
                    _ => None,
                }));
            }
            self.ids = Some(ids);
        }
        let (Some(place), Some(ids)) = (tree.place(step.node), &self.ids) else {
            return Ok(false);
        };
        let entry = Entry::read(source, place)?;
        let blocks = entry.message().map(|message| message.content).unwrap_or_default();
        Ok(blocks.iter().any(|block| match block {
            Block::ToolResult { tool_use_id, .. } => ids.contains(&**tool_use_id),
            _ => false,
        }))
    }
}

fn origin(tree: &Tree, step: Step) -> Origin {
    if tree.is_boundary(step.node) {
        Origin::Boundary
    } else if tree.is_compact_summary(step.node) {
        Origin::Summary
    } else {
        match step.standing {
            Standing::Chain => Origin::Branch,
            Standing::Parallel => Origin::Parallel,
        }
    }
}

/// Reads the last messages of a session, at most `count` of the branch that ends with the last one, the first one first.
///
/// Only the end of the file is read, as far as these messages reach. Parents are followed as they are named.
///
/// # Errors
///
/// Those of the source; nothing that a file can hold is an error.
pub fn last_messages<R: Read + Seek>(source: &mut R, count: usize) -> io::Result<Vec<Member>> {
    let mut backward = crate::Backward::new(source)?;
    let mut members = Vec::new();
    let mut wanted: Option<Id> = None;
    while members.len() < count.min(limits::BACKWARD_LINES)
        && let Some(line) = backward.next_line()?
    {
        let envelope = &line.envelope;
        let Some(id) = envelope.id() else { continue };
        let is_message = envelope.kind().is_message();
        match wanted {
            Some(wanted) if wanted != id => continue,
            Some(_) => {}
            None if is_message && !envelope.is_sidechain() => {}
            None => continue,
        }
        if is_message {
            let origin =
                if envelope.is_compact_summary() { Origin::Summary } else { Origin::Branch };
            members.push(Member { place: line.place, id, kind: envelope.kind(), origin });
        }
        wanted = envelope.parent_id();
        if wanted.is_none() {
            break;
        }
    }
    members.reverse();
    Ok(members)
}
