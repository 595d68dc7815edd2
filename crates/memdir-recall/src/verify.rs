//! Whether what a memory says about the project's files is still so.

mod claims;
mod commands;
mod words;

use std::{collections::HashMap, fmt};

use memdir_store::{
    FileKind,
    project::{Limits as SearchLimits, Needle, ProjectFiles, ProjectPath},
};

use crate::limits;
use claims::{Claimed, claims};

/// Looks up in one project what memories say about it: stats, bounded reads and bounded searches, nothing run, nothing
/// outside of the project. What was looked up once is not looked up again.
///
/// Where it cannot be told whether something is gone, it says nothing; so a name in the code counts only where it is written
/// as a definition or beside a path of the project, as it may be one of a library.
pub struct Verifier<'p> {
    project: &'p dyn ProjectFiles,
    exclude: Vec<ProjectPath>,
    known: HashMap<Claim, Verdict>,
    /// First parts of paths, and whether a folder of the project has that name.
    begins: HashMap<String, bool>,
    /// Bytes that searches may still read.
    left: u64,
}

/// Something that a memory says about the project's files.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Claim {
    /// A file or folder.
    Path(ProjectPath),
    /// A name in the code.
    Symbol(String),
    /// A command whose second half a file of the project defines.
    Command {
        /// As written: `npm run build`.
        text: String,
        /// What defines such commands.
        runner: Runner,
        /// What is defined: `build`.
        task: String,
    },
}

/// What defines commands in a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Runner {
    /// The scripts of `package.json`.
    Scripts,
    /// The targets of a makefile.
    Make,
    /// The recipes of a justfile.
    Just,
    /// The aliases of `.cargo/config.toml`.
    CargoAlias,
}

/// Something that a memory names and the project does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// What is gone.
    pub claim: Claim,
    /// The line of the text that names it, from 1.
    pub line: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Gone,
    /// It is there, or cannot be told.
    Fine,
}

impl<'p> Verifier<'p> {
    /// For one project.
    pub fn new(project: &'p dyn ProjectFiles) -> Self {
        let (known, begins) = (HashMap::new(), HashMap::new());
        Self { project, exclude: Vec::new(), known, begins, left: limits::SEARCH_BYTES }
    }

    /// Leaves a folder out of searches, such as a memory directory in the project, which has the name it is asked about.
    #[must_use]
    pub fn exclude(mut self, folder: ProjectPath) -> Self {
        self.exclude.push(folder);
        self
    }

    /// Says what a text names that is gone, in order, each once; of a text with more claims than [`limits::CLAIMS`] the first
    /// are looked up.
    pub fn verify(&mut self, text: &str) -> Vec<Finding> {
        let mut findings: Vec<Finding> = Vec::new();
        for Claimed { claim, line, places } in claims(text).take(limits::CLAIMS) {
            let is_known = findings.iter().any(|finding| finding.claim == claim);
            let is_own = |places: Vec<_>| places.iter().any(|place| self.begins_here(place));
            if !is_known && places.is_none_or(is_own) && self.look_up(&claim) == Verdict::Gone {
                findings.push(Finding { claim, line });
            }
        }
        findings
    }

    fn look_up(&mut self, claim: &Claim) -> Verdict {
        if let Some(known) = self.known.get(claim) {
            return *known;
        }
        let is_gone = match claim {
            Claim::Path(path) => self.is_path_gone(path),
            Claim::Symbol(name) => self.is_symbol_gone(name),
            Claim::Command { runner, task, .. } => commands::is_gone(self.project, *runner, task),
        };
        let verdict = if is_gone { Verdict::Gone } else { Verdict::Fine };
        self.known.insert(claim.clone(), verdict);
        verdict
    }

    /// A path is gone if the folder in which it begins is there: else it may be one of another project or machine.
    fn is_path_gone(&mut self, path: &ProjectPath) -> bool {
        self.begins_here(path) && matches!(self.project.kind(path), Ok(None))
    }

    fn begins_here(&mut self, path: &ProjectPath) -> bool {
        let first = path.as_str().split('/').next().unwrap_or_default();
        if let Some(known) = self.begins.get(first) {
            return *known;
        }
        let folder = ProjectPath::parse(first).ok();
        let is_folder = folder
            .is_some_and(|folder| matches!(self.project.kind(&folder), Ok(Some(FileKind::Folder))));
        self.begins.insert(first.to_owned(), is_folder);
        is_folder
    }

    /// A name is gone if all of the project was searched and no file has it.
    fn is_symbol_gone(&mut self, name: &str) -> bool {
        let Some(needle) = Needle::word(name).filter(|_| self.left > 0) else { return false };
        let mut search = SearchLimits::default();
        search.max_names = limits::SEARCH_NAMES;
        search.max_bytes = self.left;
        search.exclude.clone_from(&self.exclude);
        let Ok(found) = self.project.search(&needle, &search) else { return false };
        self.left = self.left.saturating_sub(found.bytes);
        let is_sure = found.complete && found.cut == 0 && found.unreadable == 0;
        is_sure && found.files > 0 && found.hits.is_empty()
    }
}

impl fmt::Debug for Verifier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Verifier");
        debug.field("exclude", &self.exclude).field("known", &self.known.len());
        debug.field("left", &self.left).finish_non_exhaustive()
    }
}

impl Runner {
    /// The file that defines the commands, in its usual spelling.
    pub fn file(self) -> &'static str {
        match self {
            Self::Scripts => "package.json",
            Self::Make => "Makefile",
            Self::Just => "justfile",
            Self::CargoAlias => ".cargo/config.toml",
        }
    }
}

/// Displays as a clause: ``names `src/auth/token.rs`, which does not exist``.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.claim {
            Claim::Path(path) => write!(f, "names `{path}`, which does not exist"),
            Claim::Symbol(name) => write!(f, "names `{name}`, which no file of the project has"),
            Claim::Command { text, runner, task } => {
                write!(f, "names `{text}`, but `{}` has no `{task}`", runner.file())
            }
        }
    }
}
