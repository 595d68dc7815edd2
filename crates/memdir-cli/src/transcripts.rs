//! The sessions of a project on disk: which folders of the client hold them, and which file a person means.

#![expect(
    clippy::disallowed_methods,
    reason = "the client's files lie outside any memory directory"
)]

mod source;
mod target;

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use memdir::core::project_key;
use memdir::store::location;
use memdir::transcript::{FileKind, Outline};

pub(crate) use source::Source;
pub(crate) use target::{Existing, STDOUT, Sink, Target};

use crate::env::CLAUDE_PROJECT_DIR_NAME;
use crate::error::{CliError, Exit};
use crate::place::Session;

/// Files of a folder that are asked for the folder in which they were begun, the newest first.
const MAX_ASKED: usize = 4;

/// What the name of a session becomes in the name of its repaired copy, with this behind it.
pub(crate) const REPAIRED: &str = ".repaired";

/// What is piped in, in place of the name of a file.
const STDIN: &str = "-";

/// A file that is named like a session.
#[derive(Debug)]
pub(crate) struct SessionFile {
    pub(crate) path: PathBuf,
    /// The id that it bears as its name.
    pub(crate) id: String,
    /// The time of the file; the beginning of time where it cannot be told.
    pub(crate) modified: SystemTime,
    /// The copy that a repair has put beside it, which is no session of its own.
    pub(crate) repaired: Option<PathBuf>,
}

/// What could not be looked at.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) path: PathBuf,
    pub(crate) why: String,
}

/// What the folders of a project hold.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    /// Files of sessions, newest first.
    pub(crate) files: Vec<SessionFile>,
    /// Files of subagents by the session that they name; none for those that name none.
    pub(crate) subagents: HashMap<Option<String>, usize>,
    pub(crate) faults: Vec<Fault>,
    /// Bytes of all files that were read so far.
    pub(crate) bytes_read: u64,
    project: Option<Belonging>,
}

/// Which recorded folders belong to the project.
#[derive(Debug)]
struct Belonging {
    root: PathBuf,
    /// Names of folders that are the project's whatever is recorded in them.
    names: Vec<String>,
    known: HashMap<String, bool>,
}

impl Sessions {
    /// Looks through the client's folders. A folder is the project's where it bears its name, or where the newest of its
    /// sessions began within the project: in a sub folder, or in a worktree.
    ///
    /// # Errors
    ///
    /// There is no project, or the client's folder cannot be told.
    pub(crate) fn find(session: &Session) -> Result<Self, CliError> {
        let (_, project) = session.project()?;
        let base = session.world.client_folder().ok_or_else(CliError::no_client_folder)?;
        let mut names = vec![project_key::claude_code(&project.root.to_string_lossy())];
        names.extend(session.world.text(CLAUDE_PROJECT_DIR_NAME));
        let mut found = Self::default();
        let mut belonging = Belonging { root: project.root, names, known: HashMap::new() };
        for folder in found.entries(&base.join("projects")) {
            let is_folder = fs::metadata(&folder).is_ok_and(|metadata| metadata.is_dir());
            if is_folder {
                found.add(&folder, &mut belonging);
            }
        }
        found.files.sort_by_key(|file| std::cmp::Reverse(file.modified));
        found.project = Some(belonging);
        Ok(found)
    }

    /// What is in a folder, sorted; a folder that is not there is empty.
    fn entries(&mut self, folder: &Path) -> Vec<PathBuf> {
        let read = fs::read_dir(folder).and_then(|entries| {
            entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()
        });
        match read {
            Ok(mut paths) => {
                paths.sort();
                paths
            }
            Err(error) => {
                if error.kind() != io::ErrorKind::NotFound {
                    self.faults.push(Fault { path: folder.to_path_buf(), why: error.to_string() });
                }
                Vec::new()
            }
        }
    }

    /// Adds a folder of the client if it is the project's.
    fn add(&mut self, folder: &Path, belonging: &mut Belonging) {
        // What is wrong with folders of other projects is not told.
        let mut here = Self::default();
        for path in here.entries(folder) {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            match FileKind::of(name) {
                FileKind::Session { id } => here.add_file(&path, id),
                FileKind::Subagent { .. } => *here.subagents.entry(None).or_default() += 1,
                _ => {}
            }
        }
        here.fold_copies();
        here.files.sort_by_key(|file| std::cmp::Reverse(file.modified));
        let name = folder.file_name().unwrap_or_default();
        let is_named = belonging.names.iter().any(|known| name == known.as_str());
        let mut begun = None;
        if !is_named {
            let mut asked = here.files.iter().take(MAX_ASKED);
            begun = asked.find_map(|file| self.look(&file.path).ok()?.started_in);
        }
        if !is_named && !begun.is_some_and(|folder| belonging.holds(&folder)) {
            return;
        }
        for file in &here.files {
            let below = file.path.with_extension("").join("subagents");
            let agents =
                self.entries(&below).iter().filter(|path| is_subagent(&file.id, path)).count();
            if agents > 0 {
                *self.subagents.entry(Some(file.id.clone())).or_default() += agents;
            }
        }
        self.files.append(&mut here.files);
        self.faults.append(&mut here.faults);
        if let Some(count) = here.subagents.get(&None) {
            *self.subagents.entry(None).or_default() += count;
        }
    }

    /// Puts the copies of repairs with their sessions; one whose session is gone stays one itself.
    fn fold_copies(&mut self) {
        let is_copy = |file: &mut SessionFile| file.id.ends_with(REPAIRED);
        let copies: Vec<_> = self.files.extract_if(.., is_copy).collect();
        for copy in copies {
            let of = copy.id.strip_suffix(REPAIRED);
            match self.files.iter_mut().find(|file| Some(&*file.id) == of) {
                Some(session) => session.repaired = Some(copy.path),
                None => self.files.push(copy),
            }
        }
    }

    fn look(&mut self, path: &Path) -> io::Result<Outline> {
        let mut source = Source::quiet(path)?;
        let outline = Outline::read(&mut source);
        self.bytes_read += source.bytes_read();
        outline
    }

    fn add_file(&mut self, path: &Path, id: &str) {
        match source::metadata(path) {
            Ok(metadata) => {
                let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                self.files.push(SessionFile {
                    path: path.to_path_buf(),
                    id: id.to_owned(),
                    modified,
                    repaired: None,
                });
            }
            Err(error) => {
                self.faults.push(Fault { path: path.to_path_buf(), why: error.to_string() });
            }
        }
    }

    /// Looks at the ends of a file; `None` where it is another project's, or where it cannot be read, which is a fault.
    pub(crate) fn outline(&mut self, file: &SessionFile) -> Option<Outline> {
        match self.look(&file.path) {
            Ok(outline) => {
                let project = self.project.as_mut()?;
                let is_ours =
                    outline.started_in.as_deref().is_none_or(|folder| project.holds(folder));
                is_ours.then_some(outline)
            }
            Err(error) => {
                self.faults.push(Fault { path: file.path.clone(), why: error.to_string() });
                None
            }
        }
    }
}

fn is_subagent(session: &str, path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    matches!(FileKind::of(&format!("{session}/subagents/{name}")), FileKind::Subagent { .. })
}

impl Belonging {
    /// Whether a session that began in this folder is one of the project.
    fn holds(&mut self, folder: &str) -> bool {
        if let Some(known) = self.known.get(folder) {
            return *known;
        }
        let holds = self.resolve(Path::new(folder));
        self.known.insert(folder.to_owned(), holds);
        holds
    }

    /// A folder that is gone belongs to what is left of its path, if that is a repository: its worktrees come and go.
    fn resolve(&self, folder: &Path) -> bool {
        for ancestor in folder.ancestors().filter(|ancestor| ancestor.is_absolute()) {
            match location::discover(ancestor) {
                Ok(project) if project.root != self.root => return false,
                Ok(_) => {
                    let git = || fs::symlink_metadata(self.root.join(".git")).is_ok();
                    return ancestor == folder || git();
                }
                Err(_) => {}
            }
        }
        false
    }
}

/// Opens the transcript that was named: `-` for what is piped in, a path, or the id of a session of this project or the
/// beginning of one.
///
/// # Errors
///
/// There is no such file or session, there are several, or it cannot be read.
pub(crate) fn open(name: &str, session: &mut Session) -> Result<Source, CliError> {
    if name == STDIN {
        return Source::stdin(&session.out);
    }
    let path = find(name, session)?;
    Source::open(&path, &session.out)
}

/// Finds the file of a transcript by its path or its id.
///
/// # Errors
///
/// There is no such session, or there are several.
pub(crate) fn find(name: &str, session: &mut Session) -> Result<PathBuf, CliError> {
    let path = Path::new(name);
    let looks_like_path = path.components().count() != 1 || path.extension().is_some();
    if looks_like_path || fs::symlink_metadata(path).is_ok() {
        return Ok(path.to_path_buf());
    }
    let sessions = Sessions::find(session)?;
    let mut ids: Vec<_> = sessions.files.iter().filter(|file| file.id == name).collect();
    if ids.is_empty() {
        ids = sessions.files.iter().filter(|file| file.id.starts_with(name)).collect();
    }
    let Some((first, others)) = ids.split_first() else {
        return Err(CliError::new(
            Exit::Nothing,
            format!("not found: this project has no session `{name}`"),
        )
        .hint("`memdir transcript list` names them all; a file is named by its path"));
    };
    if let Some(other) = others.iter().find(|other| other.id != first.id) {
        return Err(CliError::usage(format!("several sessions begin with `{name}`"))
            .because(format!("{} and {} do", first.id, other.id))
            .hint("type more of the id"));
    }
    if !others.is_empty() {
        let warning = CliError::warning(format!(
            "several files bear the id `{}`; this is the newest",
            first.id
        ));
        let warning = warning.at(first.path.display().to_string());
        session.out.warn(
            &others
                .iter()
                .fold(warning, |warning, other| warning.item(&other.path.display().to_string())),
        );
    }
    Ok(first.path.clone())
}

/// The file that a path leads to, links followed.
///
/// # Errors
///
/// It leads to nothing.
pub(crate) fn real(path: &Path) -> Result<PathBuf, CliError> {
    fs::canonicalize(path).map_err(|error| {
        CliError::io("the file cannot be found", &error).at(path.display().to_string())
    })
}
