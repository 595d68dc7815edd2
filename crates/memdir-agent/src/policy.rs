//! What a run may do, as a function over values.

use memdir_core::MemPath;
use memdir_store::project::{Folder, ProjectPath, ProjectPathFault};
use serde_json::Value;

use crate::{Action, Denial, File, Scope, Span, client, own};

/// Whose tools a model calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a run has its own tools or those of its parent")]
pub enum Dialect {
    /// Those of this crate.
    Own,
    /// Those of Claude Code, which a shared prefix brings along.
    Client,
}

/// What an agent may do: read memories and the project, and write memories that are its to write.
///
/// Everything else is refused, whatever it is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    memory: String,
    projects: Vec<String>,
    removes: bool,
}

/// Makes the policy that every background run shares.
///
/// `memory_root` is the memory directory as the model knows it, absolute, so that paths below it are read as memories.
/// It is compared as text and never opened.
pub fn memory_policy(memory_root: &str) -> Policy {
    Policy { memory: root(memory_root), projects: Vec::new(), removes: false }
}

impl Policy {
    /// Adds a folder of the project as the model knows it, absolute. Paths below it are read as files of the project.
    #[must_use]
    pub fn project(mut self, root_of_project: &str) -> Self {
        self.projects.push(root(root_of_project));
        self
    }

    /// Lets the run remove memories.
    #[must_use]
    pub fn with_removal(self) -> Self {
        Self { removes: true, ..self }
    }

    /// The memory directory as the model knows it, without a slash at its end.
    pub fn memory_root(&self) -> &str {
        &self.memory
    }

    /// Whether the run may remove memories.
    pub fn removes(&self) -> bool {
        self.removes
    }

    /// Reads a call.
    ///
    /// What only a look at the store tells, such as that a memory is pinned or was not read, is found out by [`Desk`](crate::Desk).
    ///
    /// # Errors
    ///
    /// The reason why it may not be done.
    pub fn judge(&self, dialect: Dialect, tool: &str, input: &Value) -> Result<Action, Denial> {
        let action = match dialect {
            Dialect::Own => own::action(self, tool, input)?,
            Dialect::Client => client::action(self, tool, input)?,
        };
        if let Some(path) = action.changes() {
            writable(path)?;
        }
        if let Action::Index { path, .. } | Action::Remove { path, .. } = &action
            && path.is_index()
        {
            return Err(Denial::Input { field: "path", expected: "the path of a memory" });
        }
        if let Action::Remove { kept_in, .. } = &action {
            if !self.removes {
                return Err(Denial::Removal);
            }
            if let Some(path) = kept_in {
                writable(path)?;
            }
        }
        Ok(action)
    }

    /// The folder of the memories within the project, where that is where they are.
    pub(crate) fn memory_in_project(&self) -> Option<ProjectPath> {
        let within = self.projects.iter().find_map(|project| below(&self.memory, project))?;
        ProjectPath::parse(within).ok()
    }

    pub(crate) fn file(&self, dialect: Dialect, text: &str) -> Result<File, Denial> {
        match self.place(dialect, text)? {
            Place::Memory(text) => MemPath::parse(&text).map(File::Memory).map_err(Denial::Path),
            Place::Project(Folder::Within(path)) => Ok(File::Project(path)),
            Place::Project(Folder::Root) => Err(Denial::ProjectPath(ProjectPathFault::Empty)),
        }
    }

    pub(crate) fn memory(&self, dialect: Dialect, text: &str) -> Result<MemPath, Denial> {
        match self.file(dialect, text)? {
            File::Memory(path) => Ok(path),
            File::Project(_) => Err(Denial::ProjectReadOnly),
        }
    }

    pub(crate) fn scope(&self, dialect: Dialect, text: Option<&str>) -> Result<Scope, Denial> {
        let text = text.unwrap_or_default();
        // The root of the system stays what it is, which is no place here.
        let text = Some(text.trim_end_matches('/')).filter(|it| !it.is_empty()).unwrap_or(text);
        match self.place(dialect, text)? {
            Place::Memory(text) if matches!(&*text, "" | ".") => Ok(Scope::Memories),
            Place::Memory(text) => {
                MemPath::parse(&text).map(Scope::MemoriesIn).map_err(Denial::Path)
            }
            Place::Project(folder) => Ok(Scope::Project(folder)),
        }
    }

    /// Tells memory from project by what a path begins with.
    fn place(&self, dialect: Dialect, text: &str) -> Result<Place, Denial> {
        // Names stand in events, in the journal and in listings.
        if !memdir_guard::secrets(text).is_empty() {
            return Err(Denial::Secret);
        }
        let marked = text.strip_prefix(own::PROJECT).filter(|_| dialect == Dialect::Own);
        let below_project = || self.projects.iter().find_map(|project| below(text, project));
        let path = match (below(text, &self.memory), marked.or_else(below_project), dialect) {
            (Some(path), ..) => return Ok(Place::Memory(path.to_owned())),
            (None, Some(path), _) => path,
            // What neither root leads to is left to the reader of paths, which refuses it where it is absolute.
            (None, None, Dialect::Own) => return Ok(Place::Memory(text.to_owned())),
            (None, None, Dialect::Client) => text,
        };
        if matches!(path, "" | ".") {
            return Ok(Place::Project(Folder::Root));
        }
        let path = ProjectPath::parse(path).map_err(Denial::ProjectPath)?;
        // The memory directory, where it lies in the project, is no part of it.
        let memory = self.memory_in_project();
        if let Some(text) =
            memory.and_then(|memory| below(path.as_str(), memory.as_str()).map(str::to_owned))
        {
            return Ok(Place::Memory(text));
        }
        // What is hidden configures tools and holds keys; no memory speaks of it.
        if path.as_str().split('/').any(|name| name.starts_with('.')) {
            return Err(Denial::Hidden);
        }
        Ok(Place::Project(Folder::Within(path)))
    }
}

/// Where a path lies.
enum Place {
    /// In the memory directory; the rest is not read yet.
    Memory(String),
    Project(Folder),
}

/// A root without its last slash.
fn root(text: &str) -> String {
    text.trim_end_matches('/').to_owned()
}

/// What of an absolute path is left below a root; empty for the root itself.
fn below<'a>(path: &'a str, root: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(root).filter(|_| !root.is_empty())?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// Whether a run may change a file of that name.
pub(crate) fn writable(path: &MemPath) -> Result<(), Denial> {
    // Compared as the coarsest file system does: `Team/` is `team/` there.
    let key = path.twin_key();
    match key.split_once('/') {
        Some(("team", _)) => return Err(Denial::Team),
        Some(("logs", _)) => return Err(Denial::Logs),
        _ => {}
    }
    if path.is_in_pinned() {
        return Err(Denial::Pinned(path.clone()));
    }
    let name = key.rsplit_once('/').map_or(key.as_str(), |(_, name)| name);
    if name == "memory.md" && !path.is_index() {
        return Err(Denial::OtherIndex);
    }
    if path.is_markdown() { Ok(()) } else { Err(Denial::NotMarkdown) }
}

/// The lines that a call asks for; a file begins with line 1 whether it is called 0 or 1.
pub(crate) fn span(from_line: Option<usize>, lines: Option<usize>) -> Span {
    Span {
        from_line: from_line.unwrap_or(1).max(1),
        lines: lines.filter(|lines| *lines > 0).unwrap_or(usize::MAX),
    }
}
