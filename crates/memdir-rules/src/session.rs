//! What one context of a conversation has of the rules, and what comes with a file.

mod import;
mod load;
mod tree;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use globset::GlobSet;
use memdir_store::FileKind;
use memdir_store::files::{Files, Identity};

use crate::client::{Client, Reach, Source};
use crate::document::Document;
use crate::fragment::{Fragment, Kind, Reason, Scope, Waiting};
use crate::note::{Note, NoteKind};
use crate::paths::{Base, absolute};
use crate::pattern::Patterns;
use crate::setup::{AddedRules, AgentsMd, Setup};
use crate::{limits, pattern};

/// What was loaded by one step.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loaded {
    /// The files, in the order in which they belong into a context; a later one is more specific.
    pub fragments: Vec<Fragment>,
    /// What was met on the way, in the order met; at most [`limits::NOTES`].
    pub notes: Vec<Note>,
}

impl Loaded {
    pub(crate) fn note(&mut self, note: Note) {
        if self.notes.len() < limits::NOTES && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// The rules of one context: what it begins with, and what comes with the files that come into play.
///
/// Each file is loaded once in a context, however many names it has. After a compaction [`start`](Self::start) begins a new
/// one: what is in force from the start is read from disk again, all else waits for a file again.
#[derive(Debug)]
pub struct Session<F> {
    files: F,
    setup: Setup,
    excludes: GlobSet,
    /// The folders that links and imports may lead to.
    inside: Vec<Base>,
    seen: HashSet<Identity>,
    /// Folders below the current one whose rules were read.
    visited: HashSet<PathBuf>,
    levels: Vec<Level>,
    /// Nothing stopped `AGENTS.md` at the start, so nested ones count too.
    reads_agents_md: bool,
    files_left: usize,
    bytes_left: u64,
    /// Bytes of text that the client still takes.
    text_left: usize,
}

/// The rules of one folder that wait for a file.
#[derive(Debug, Default)]
struct Level {
    folder: PathBuf,
    /// What the patterns are relative to.
    base: Base,
    scoped: Vec<Scoped>,
    patterns: Patterns,
}

#[derive(Debug)]
struct Scoped {
    path: PathBuf,
    scope: Scope,
    patterns: Vec<String>,
    bytes: u64,
    identity: Identity,
    document: Document,
}

/// Whether a folder lies on the way to the current one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Down,
    Nested,
}

impl<F: Files> Session<F> {
    /// A context in which nothing is yet. Reads nothing.
    pub fn new(files: F, setup: Setup) -> Self {
        let (excludes, _) = pattern::excludes(&setup.excludes);
        Self {
            files,
            setup,
            excludes,
            inside: Vec::new(),
            seen: HashSet::new(),
            visited: HashSet::new(),
            levels: Vec::new(),
            reads_agents_md: false,
            files_left: limits::FILES,
            bytes_left: limits::TOTAL_BYTES,
            text_left: usize::MAX,
        }
    }

    /// Begins a context: loads what is in force from the start, from the widest to the most specific.
    ///
    /// To be called first, and again after a compaction. Opens only folders of rules on the way from the root of the file system
    /// to the current folder.
    pub fn start(&mut self) -> Loaded {
        let mut out = Loaded::default();
        self.seen.clear();
        self.visited.clear();
        self.levels.clear();
        (self.files_left, self.bytes_left) = (limits::FILES, limits::TOTAL_BYTES);
        let layout = self.setup.client.layout();
        self.text_left = layout.bytes;
        let (_, faults) = pattern::excludes(&self.setup.excludes);
        for (pattern, why) in faults {
            let what = format!("the exclude `{pattern}` is not used: {why}");
            out.note(Note::of(&self.setup.root, NoteKind::Exclude(what)));
        }
        let folders = std::iter::once(&self.setup.root).chain(&self.setup.added);
        self.inside = folders.map(|folder| self.base(folder)).collect();

        self.managed(&mut out);
        let is_claude = self.setup.client == Client::ClaudeCode;
        if is_claude && self.setup.agents_md == AgentsMd::ManagedOnly {
            return out;
        }
        if let Some(user) = self.setup.user.clone() {
            let base = self.inside.first().cloned().unwrap_or_default();
            self.sources(&user, base, layout.user, &Reason::Start, &mut out);
        }
        for folder in self.folders_down() {
            self.folder(&folder, &Reason::Start, Way::Down, &mut out);
        }
        self.start_agents_md(&mut out);
        if self.setup.added_rules == AddedRules::Read {
            for folder in self.setup.added.clone() {
                self.folder(&folder, &Reason::Start, Way::Down, &mut out);
            }
        }
        out
    }

    /// Loads what comes with files: the rules of their folders, and those whose patterns match them, unless they are there.
    ///
    /// A path may be relative to the current folder; whether there is such a file, and whether it is read or written, does not
    /// matter. One outside of the project brings nothing.
    pub fn touch<P: AsRef<Path>>(&mut self, paths: &[P]) -> Loaded {
        let mut out = Loaded::default();
        let cwd = &self.setup.cwd;
        let touched: Vec<_> = paths.iter().map(|path| absolute(cwd, path.as_ref())).collect();
        let from_start = self.levels.len();
        let nested = self.nested_folders(&touched, &mut out);
        for (folder, file) in &nested {
            let (first, reason) = (self.levels.len(), Reason::Folder { file: file.clone() });
            self.folder(folder, &reason, Way::Nested, &mut out);
            (first..self.levels.len()).for_each(|level| self.scoped(level, &touched, &mut out));
        }
        for (folder, file) in &nested {
            self.nested_agents_md(folder, file, &mut out);
        }
        (0..from_start).for_each(|level| self.scoped(level, &touched, &mut out));
        out
    }

    /// The rules that are known and not loaded, in order.
    pub fn waiting(&self) -> impl Iterator<Item = Waiting<'_>> {
        let scoped = self.levels.iter().flat_map(|level| &level.scoped);
        scoped.filter(|rule| !self.seen.contains(&rule.identity)).map(|rule| Waiting {
            path: &rule.path,
            scope: rule.scope,
            patterns: &rule.patterns,
            bytes: rule.bytes,
        })
    }

    /// The setup that the session was made with.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The folders from the root of the file system, or of the project, to the current one.
    fn folders_down(&self) -> Vec<PathBuf> {
        let mut folders: Vec<_> = self.setup.cwd.ancestors().map(Path::to_owned).collect();
        folders.reverse();
        match self.setup.client.layout().reach {
            Reach::All => {}
            Reach::Project | Reach::Closest => {
                folders.retain(|folder| folder.starts_with(&self.setup.root));
            }
        }
        if self.setup.client.layout().reach == Reach::Closest {
            let is_there = |folder: &&PathBuf| self.is_file(&folder.join("AGENTS.md"));
            folders = folders.iter().rev().find(is_there).cloned().into_iter().collect();
        }
        folders
    }

    /// The folders of files in play whose rules were not looked for yet, outermost first, each with one of the files.
    fn nested_folders(
        &mut self,
        touched: &[PathBuf],
        out: &mut Loaded,
    ) -> BTreeMap<PathBuf, PathBuf> {
        let Some(root) = self.inside.first().cloned() else { return BTreeMap::new() };
        let is_closest = self.setup.client.layout().reach == Reach::Closest;
        let mut nested = BTreeMap::new();
        for file in touched.iter().filter(|file| root.relative(file).is_some()) {
            let folders = file.ancestors().skip(1).take_while(|folder| root.holds(folder));
            let below = |folder: &&Path| !self.setup.cwd.starts_with(folder);
            let mut new: Vec<_> = folders.take_while(below).collect();
            if new.len() > limits::NESTED_FOLDERS {
                out.note(Note::of(file, NoteKind::TooMany("folders above a file")));
                new.truncate(limits::NESTED_FOLDERS);
            }
            if is_closest {
                new.retain(|folder| self.is_file(&folder.join("AGENTS.md")));
                new.truncate(1);
            }
            for folder in new {
                if self.visited.insert(folder.to_owned()) {
                    nested.insert(folder.to_owned(), file.clone());
                }
            }
        }
        nested
    }

    /// Loads what the client reads in one folder.
    fn folder(&mut self, folder: &Path, reason: &Reason, way: Way, out: &mut Loaded) {
        let base = self.base(folder);
        let mut sources = self.setup.client.layout().folder.to_vec();
        if self.is_of_main_tree(folder) {
            sources.retain(|source| matches!(source, Source::File(_, Scope::Local)));
        }
        if way == Way::Nested {
            // As the client has it: all instructions go before the rules.
            sources.sort_by_key(|source| matches!(source, Source::Rules { .. }));
        }
        self.sources(folder, base, &sources, reason, out);
    }

    fn sources(
        &mut self,
        folder: &Path,
        base: Base,
        sources: &[Source],
        reason: &Reason,
        out: &mut Loaded,
    ) {
        let in_home = Some(folder) == self.setup.user.as_deref();
        let mut level = Level { folder: folder.to_owned(), base, ..Level::default() };
        for source in sources {
            match *source {
                Source::File(names, scope) => {
                    names.iter().any(|name| self.instructions(folder, name, scope, reason, out));
                }
                Source::Fallback(names, scope) => {
                    let more = self.setup.names.clone();
                    let mut names = names.iter().copied().chain(more.iter().map(String::as_str));
                    names.any(|name| self.instructions(folder, name, scope, reason, out));
                }
                Source::Renamed(name, scope) => {
                    let mut names = self.setup.names.clone();
                    if names.is_empty() {
                        names.push(name.to_owned());
                    }
                    for name in names {
                        self.instructions(folder, &name, scope, reason, out);
                    }
                }
                Source::Rules { folder: tree, ending } => {
                    let scope = if in_home { Scope::User } else { Scope::Project };
                    self.tree(tree, ending, scope, reason, &mut level, out);
                }
            }
        }
        if level.scoped.is_empty() {
            return;
        }
        level.patterns = Patterns::new(level.scoped.iter().map(|rule| &rule.patterns));
        for bad in level.patterns.faults() {
            if let Some(rule) = level.scoped.get(bad.group) {
                out.note(Note::of(&rule.path, NoteKind::Pattern(bad.clone())));
            }
        }
        self.levels.push(level);
    }

    /// Loads the rules of a level whose patterns match a file.
    fn scoped(&mut self, at: usize, touched: &[PathBuf], out: &mut Loaded) {
        let Some(level) = self.levels.get_mut(at) else { return };
        let level = std::mem::take(level);
        let mut reasons: HashMap<usize, Reason> = HashMap::new();
        let mut pass = level.patterns.pass();
        for file in touched {
            let Some(relative) = level.base.relative(file) else { continue };
            for hit in pass.hits(&relative) {
                reasons.entry(hit.group).or_insert_with(|| {
                    let patterns = level.scoped.get(hit.group).map(|rule| rule.patterns.as_slice());
                    let pattern = patterns.and_then(|all| all.get(hit.pattern)).cloned();
                    Reason::Path { file: file.clone(), pattern: pattern.unwrap_or_default() }
                });
            }
        }
        for (group, rule) in level.scoped.iter().enumerate() {
            if let Some(reason) = reasons.remove(&group) {
                let fragment = Fragment {
                    path: rule.path.clone(),
                    kind: Kind::Rule,
                    scope: rule.scope,
                    reason,
                    patterns: rule.patterns.clone(),
                    bytes: rule.bytes,
                    text: rule.document.text.clone(),
                };
                self.deliver(fragment, &rule.identity, &rule.document, &mut Vec::new(), out);
            }
        }
        if let Some(place) = self.levels.get_mut(at) {
            *place = level;
        }
    }

    /// Loads `AGENTS.md` as Claude Code does when a context begins: behind all else, root first.
    fn start_agents_md(&mut self, out: &mut Loaded) {
        self.reads_agents_md = false;
        if self.setup.client != Client::ClaudeCode {
            return;
        }
        let mut folders = self.folders_down();
        folders.retain(|folder| !self.is_of_main_tree(folder));
        match self.setup.agents_md {
            AgentsMd::Never | AgentsMd::ManagedOnly => return,
            AgentsMd::Instead if folders.iter().any(|folder| self.has_own(folder)) => return,
            AgentsMd::Instead | AgentsMd::Beside => {}
        }
        self.reads_agents_md = true;
        for folder in &folders {
            for name in ["AGENTS.md", ".claude/AGENTS.md"] {
                self.instructions(folder, name, Scope::Project, &Reason::Start, out);
            }
        }
    }

    fn nested_agents_md(&mut self, folder: &Path, file: &Path, out: &mut Loaded) {
        let is_instead = self.setup.agents_md == AgentsMd::Instead;
        if self.reads_agents_md && !(is_instead && self.has_own(folder)) {
            let reason = Reason::Folder { file: file.to_owned() };
            self.instructions(folder, "AGENTS.md", Scope::Project, &reason, out);
        }
    }

    /// Whether a folder is one of the main working tree above the one that is worked in.
    fn is_of_main_tree(&self, folder: &Path) -> bool {
        let is_of = |main| folder.starts_with(main) && !folder.starts_with(&self.setup.root);
        self.setup.main_tree.as_ref().is_some_and(is_of)
    }

    /// Whether a folder has instructions for Claude Code itself; those that are excluded or say nothing do not count.
    fn has_own(&self, folder: &Path) -> bool {
        ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"].iter().any(|name| {
            let path = folder.join(name);
            let Ok(Some(found)) = self.files.look(&path) else { return false };
            found.kind == FileKind::File
                && !self.is_excluded(&path, &found)
                && !(self.may_load(Some(folder), &found, Scope::Project) && self.is_blank(&found))
        })
    }
}
