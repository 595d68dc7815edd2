//! Where actions are done: a store under an overlay, and a project.

mod look;
mod write;

use std::collections::BTreeMap;

use memdir_core::MemPath;
use memdir_store::{
    ReadStore, Revision,
    overlay::{Group, Overlay},
    project::{ProjectFiles, ProjectPath},
};

use crate::{Action, Denial, ForkOptions, Job, Limits, Spent};

/// What came of an action: what the model is shown, or why it was not done.
pub type Ran = Result<String, Denial>;

/// Does what a run may do. Reads store and project; writes into an overlay that nobody sees.
///
/// Whatever happens to it, store and project stay as they are: only who takes the overlay and commits it changes anything.
#[derive(Debug)]
pub struct Desk<S, P> {
    overlay: Overlay<S>,
    project: P,
    limits: Limits,
    /// The memory directory within the project, which names whatever is searched for.
    exclude: Vec<ProjectPath>,
    seen: BTreeMap<MemPath, Seen>,
    groups: BTreeMap<MemPath, u32>,
    read: u64,
    shown: u64,
    written: u64,
}

/// What the model was shown of a memory.
#[derive(Debug, Clone, Copy)]
struct Seen {
    revision: Revision,
    whole: bool,
}

impl<S: ReadStore, P: ProjectFiles> Desk<S, P> {
    /// Lays out a store and a project for a run with these options.
    pub fn new(overlay: Overlay<S>, project: P, options: &ForkOptions) -> Self {
        Self {
            overlay,
            project,
            limits: options.limits.clone(),
            exclude: options.policy.memory_in_project().into_iter().collect(),
            seen: BTreeMap::new(),
            groups: BTreeMap::new(),
            read: 0,
            shown: 0,
            written: 0,
        }
    }

    /// Does what an answer calls for, and says in the same order what came of each.
    ///
    /// Lines of the index come last, so that they may lead to what the same answer writes.
    pub fn run(&mut self, jobs: &[Job]) -> Vec<Ran> {
        let (last, first): (Vec<_>, Vec<_>) =
            jobs.iter().enumerate().partition(|(_, job)| job.action.is_of_index());
        let mut ran: Vec<_> = first
            .into_iter()
            .chain(last)
            .map(|(place, job)| (place, self.act(&job.action)))
            .collect();
        ran.sort_by_key(|(place, _)| *place);
        ran.into_iter().map(|(_, ran)| ran).collect()
    }

    /// Ends the run and returns what it wrote.
    pub fn into_overlay(self) -> Overlay<S> {
        self.overlay
    }

    fn act(&mut self, action: &Action) -> Ran {
        match action {
            Action::Read { file, span } => self.read(file, *span),
            Action::List { scope } => self.list(scope),
            Action::Grep { words, scope } => self.grep(words, scope),
            Action::Write { path, text } if path.is_index() => self.write_index(text),
            Action::Write { path, text } => self.write(path, text),
            Action::Edit { path, old, new, matches } => self.edit(path, old, new, *matches),
            Action::Index { path, title, hook } => self.point(path, title, hook),
            Action::Remove { path, kept_in } => self.remove(path, kept_in.as_ref()),
        }
    }

    /// Counts bytes that were read.
    fn charge(&mut self, bytes: usize) -> Result<(), Denial> {
        let read = self.read.saturating_add(bytes as u64);
        if read > self.limits.read_bytes {
            return Err(Denial::Spent(Spent::Read));
        }
        self.read = read;
        Ok(())
    }

    /// Counts a result that the model will be shown.
    fn show(&mut self, text: String) -> Ran {
        let shown = self.shown.saturating_add(text.len() as u64);
        if shown > self.limits.shown_bytes {
            return Err(Denial::Spent(Spent::Shown));
        }
        self.shown = shown;
        Ok(text)
    }

    /// The group of all changes of a memory.
    fn group(&mut self, path: &MemPath) -> Group {
        let next = u32::try_from(self.groups.len()).unwrap_or(u32::MAX);
        Group::new(*self.groups.entry(path.clone()).or_insert(next))
    }
}
