//! One branch of a session from its first message to its last, a few turns in memory at a time.

use std::collections::HashSet;
use std::io;

use memdir::transcript::{self, Conversation, Limits, Member, Origin, Reach, Tree, Turn};

use crate::error::{CliError, Exit};
use crate::transcripts::Source;

/// Entries after which turns are given out, at the next message of the user.
const ENTRIES_AT_ONCE: usize = 64;

/// A branch and the tree that it is of.
pub(super) struct Branch {
    pub(super) tree: Tree,
    pub(super) members: Vec<Member>,
    /// Where summaries of compactions are.
    summaries: HashSet<u64>,
}

impl Branch {
    /// Reads the tree and finds the branch that ends with an entry, or with the last message.
    ///
    /// # Errors
    ///
    /// There is no such entry, or the file cannot be read.
    pub(super) fn read(source: &mut Source, uuid: Option<&str>) -> Result<Self, CliError> {
        let tree = Tree::read(&mut *source).map_err(|error| source.failed(&error))?;
        let leaf = match uuid {
            None => tree.leaf(),
            Some(uuid) => Some(tree.node(uuid).ok_or_else(|| {
                CliError::new(Exit::Nothing, format!("not found: no entry has the uuid `{uuid}`"))
                    .at(source.shown())
            })?),
        };
        let members = match leaf {
            None => Vec::new(),
            Some(leaf) => {
                let resume = transcript::Resume::at(&tree, leaf, Reach::Whole, source);
                resume.map_err(|error| source.failed(&error))?.members
            }
        };
        Ok(Self::of(tree, members))
    }

    /// The last messages of the branch that ends with the last one; the rest of the file is not read.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub(super) fn last(source: &mut Source, count: usize) -> Result<Self, CliError> {
        let members = transcript::last_messages(source, count);
        let members = members.map_err(|error| source.failed(&error))?;
        Ok(Self::of(Tree::default(), members))
    }

    fn of(tree: Tree, members: Vec<Member>) -> Self {
        let summaries = members.iter().filter(|member| member.origin == Origin::Summary);
        let summaries = summaries.map(|member| member.place.offset).collect();
        Self { tree, members, summaries }
    }

    /// Whether a turn is the summary of a compaction.
    pub(super) fn is_summary(&self, turn: &Turn) -> bool {
        turn.places.iter().any(|place| self.summaries.contains(&place.offset))
    }

    /// Gives out the turns in order, until `each` returns `false`.
    ///
    /// # Errors
    ///
    /// Those of the source.
    pub(super) fn turns(
        &self,
        source: &mut Source,
        limits: &Limits,
        mut each: impl FnMut(&Turn) -> bool,
    ) -> io::Result<()> {
        // All of it is given out, a part at a time, so that no size is left to fit.
        let mut limits = *limits;
        limits.total_bytes = usize::MAX;
        let mut rest = &self.members[..];
        while !rest.is_empty() {
            let starts =
                rest.iter().skip(ENTRIES_AT_ONCE).position(|member| self.starts_turn(member));
            let (now, later) = rest.split_at(starts.map_or(rest.len(), |at| at + ENTRIES_AT_ONCE));
            rest = later;
            let conversation = Conversation::of(now, source, &limits)?;
            if !conversation.turns.iter().all(&mut each) {
                break;
            }
        }
        Ok(())
    }

    /// Whether nothing before a member belongs to its turn.
    fn starts_turn(&self, member: &Member) -> bool {
        let node = self.tree.node_of(member.id);
        member.kind == transcript::Kind::User
            && node.is_some_and(|node| !self.tree.is_tool_result(node))
    }
}

/// How much of texts is shown: by default as much as helps, or all of it.
pub(super) fn limits(full: bool) -> Limits {
    let mut limits = Limits::default();
    if full {
        limits.text_bytes = usize::MAX;
        limits.tool_bytes = usize::MAX;
        limits.total_bytes = usize::MAX;
    }
    limits
}
