//! Which agents there are around a working folder, and where the memory of each lies.

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use memdir_core::text::escape_control;
use memdir_store::{
    Error, FileKind, LocalDir, Options,
    disk::{CapDisk, Details, Disk},
    location::{self, Project},
    project::{LocalProject, ProjectFiles},
};

use crate::{
    AgentName, Definition, Definitions, Place, Scope, definitions,
    place::{plain_path, present},
};

/// The folder of a project's definitions.
const DEFINITIONS: &str = ".claude/agents";

/// Where agents are looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "hosts build it, and each part decides")]
pub struct Surroundings {
    /// The folder that the work happens in, absolute.
    pub cwd: PathBuf,
    /// The project of that folder; see [`location::discover`].
    pub project: Project,
    /// The user's home: neither it nor what is above it is asked for a project's definitions.
    pub home: Option<PathBuf>,
    /// The client's folder in the home, whose `agents` are the user's own definitions: `~/.claude`.
    pub client_folder: Option<PathBuf>,
    /// The client's base for memory; see [`location::client_base`].
    pub memory_base: PathBuf,
}

/// The agents around a working folder.
#[derive(Debug)]
pub struct Agents {
    /// Folders whose `.claude` counts, the nearest first.
    roots: Vec<PathBuf>,
    /// Where a project's memory lies when no folder defines the agent.
    top: PathBuf,
    base: PathBuf,
    definitions: Vec<Found>,
    unread: Vec<Unread>,
}

#[derive(Debug)]
struct Found {
    definition: Definition,
    file: PathBuf,
    /// The folder that holds its `.claude`; absent for the user's own.
    root: Option<PathBuf>,
}

/// Something that may define an agent or be its memory and was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unread {
    /// The file or folder.
    pub path: PathBuf,
    /// Why, a clause.
    pub reason: String,
}

impl Agents {
    /// Looks for definitions: in `.claude/agents` of the working folder and of each folder above it, up to the top of its
    /// working tree, outside git up to the home; then of the main working tree; then the user's own. Reads only.
    ///
    /// # Errors
    ///
    /// Where the working folder is none. What cannot be read besides is in [`unread`](Self::unread).
    pub fn find(around: &Surroundings, options: &Options) -> Result<Self, location::Error> {
        let mut agents = Self {
            roots: roots(around)?,
            top: around.project.folder.clone(),
            base: around.memory_base.clone(),
            definitions: Vec::new(),
            unread: Vec::new(),
        };
        let below = plain_path(DEFINITIONS);
        for root in agents.roots.clone() {
            let opened = CapDisk::open_within(&root, &below);
            agents.add(opened, &root.join(DEFINITIONS), Some(&root), options);
        }
        if let Some(folder) = &around.client_folder {
            let folder = folder.join("agents");
            agents.add(CapDisk::open(&folder), &folder, None, options);
        }
        Ok(agents)
    }

    /// What was not read.
    pub fn unread(&self) -> &[Unread] {
        &self.unread
    }

    /// Tells where the memory of an agent lies. The scope that is asked for goes before that of its definition; where
    /// neither says one it is [`Scope::Project`].
    pub fn place(&self, name: &AgentName, scope: Option<Scope>) -> Place {
        let found = self.definitions.iter().find(|found| found.definition.name == *name);
        let defined = found.and_then(|found| found.definition.memory);
        let root = found.and_then(|found| found.root.as_ref()).unwrap_or(&self.top);
        Place {
            name: Some(name.clone()),
            folder: name.folder(),
            scope: scope.or(defined).unwrap_or(Scope::Project),
            definition: found.map(|found| (found.definition.clone(), found.file.clone())),
            root: root.clone(),
            base: self.base.clone(),
        }
    }

    /// Lists the agents that are defined with a memory, and the memories that are there without, by name and scope; and
    /// what could not be looked at.
    pub fn list(&self) -> (Vec<Place>, Vec<Unread>) {
        let mut places = BTreeMap::new();
        let mut add = |place: Place| {
            let key = (place.folder.clone(), place.scope, place.directory());
            places.entry(key).or_insert(place);
        };
        for Found { definition, .. } in &self.definitions {
            if definition.memory.is_some() {
                add(self.place(&definition.name, None));
            }
        }
        let mut unread = Vec::new();
        let top = (!self.roots.contains(&self.top)).then_some(&self.top);
        let roots = self.roots.iter().chain(top);
        let of_projects = roots.flat_map(|root| [(Scope::Project, root), (Scope::Local, root)]);
        for (scope, root) in of_projects.chain([(Scope::User, &self.top)]) {
            let blank = Place {
                name: None,
                folder: String::new(),
                scope,
                definition: None,
                root: root.clone(),
                base: self.base.clone(),
            };
            match folders(&blank) {
                Ok(folders) => folders.into_iter().for_each(|folder| match folder {
                    Ok(folder) => add(self.place_of_folder(&folder, &blank)),
                    Err(not_read) => unread.push(not_read),
                }),
                Err(not_read) => unread.push(not_read),
            }
        }
        (places.into_values().collect(), unread)
    }

    fn place_of_folder(&self, folder: &str, blank: &Place) -> Place {
        let found = self.definitions.iter().find(|found| found.definition.name.folder() == folder);
        let name = match found {
            Some(found) => Some(found.definition.name.clone()),
            None => AgentName::of_folder(folder),
        };
        let definition = found.map(|found| (found.definition.clone(), found.file.clone()));
        Place { name, folder: folder.to_owned(), definition, ..blank.clone() }
    }

    fn add(
        &mut self,
        opened: Result<CapDisk, Error>,
        folder: &Path,
        root: Option<&Path>,
        options: &Options,
    ) {
        let found = present(opened, options.clone())
            .and_then(|store| store.map(|store: LocalDir| definitions(&store)).transpose());
        let Definitions { found, skipped, misnamed, unreadable, more } = match found {
            Ok(found) => found.unwrap_or_default(),
            Err(error) => return self.unread.push(Unread::new(folder, &error)),
        };
        self.definitions.extend(found.into_iter().map(|definition| Found {
            file: folder.join(definition.path.as_str()),
            root: root.map(Path::to_path_buf),
            definition,
        }));
        let unread =
            skipped.iter().map(|skipped| (skipped.raw_name.clone(), skipped.reason.to_string()));
        let misnamed = misnamed.iter().map(|(path, fault)| {
            (path.to_string(), format!("its name is none for an agent: {fault}"))
        });
        let unreadable =
            unreadable.iter().map(|(path, error)| (path.to_string(), error.to_string()));
        let all = unread.chain(misnamed).chain(unreadable);
        self.unread.extend(all.map(|(name, reason)| Unread { path: folder.join(name), reason }));
        if more > 0 {
            let reason = format!("{more} files more than are looked at");
            self.unread.push(Unread { path: folder.to_path_buf(), reason });
        }
    }
}

impl Unread {
    fn new(path: &Path, error: &Error) -> Self {
        Self { path: path.to_path_buf(), reason: error.to_string() }
    }
}

/// The folders whose `.claude` counts as a project's, the nearest first.
fn roots(around: &Surroundings) -> Result<Vec<PathBuf>, location::Error> {
    let cwd = location::real_folder(&around.cwd)?;
    // Where home is no folder, nothing lies within it.
    let home = around.home.as_deref().and_then(|home| location::real_folder(home).ok());
    let client = around.client_folder.as_deref();
    let is_users = |folder: &Path| {
        home.as_deref().is_some_and(|home| home.starts_with(folder))
            || client.is_some_and(|client| folder.join(".claude") == client)
    };
    let Project { folder: top, root: main, .. } = &around.project;
    let mut roots = Vec::new();
    for folder in cwd.ancestors().take_while(|folder| !is_users(folder)) {
        roots.push(folder.to_path_buf());
        if folder == top && is_working_tree(folder) {
            break;
        }
    }
    // A linked worktree may lack what is not under version control.
    if main != top && !is_users(main) {
        roots.push(main.clone());
    }
    Ok(roots)
}

/// Outside git the project is the working folder itself, and those above it may hold the definition.
fn is_working_tree(folder: &Path) -> bool {
    let git = plain_path(".git");
    // A link out of the folder is how some tools keep repositories.
    !matches!(LocalProject::open(folder).and_then(|project| project.kind(&git)), Ok(None))
}

/// The folders of memories of one scope; those that no agent of ours has, with the reason.
fn folders(scope: &Place) -> Result<Vec<Result<String, Unread>>, Unread> {
    let top = scope.scope_directory();
    let disk = match scope.open_scope() {
        Ok(disk) => disk,
        Err(Error::Absent { .. }) => return Ok(Vec::new()),
        Err(error) => return Err(Unread::new(&top, &error)),
    };
    let mut found = Vec::new();
    let listed = disk.list("", Details::Names, &mut |entry| {
        let name = entry.name.to_string_lossy();
        if entry.kind == FileKind::Folder && !name.starts_with('.') {
            let is_plain = entry.name.to_str().is_some() && scope.takes(&name);
            found.push(if is_plain {
                Ok(name.into_owned())
            } else {
                let path = top.join(&*escape_control(&name));
                Err(Unread { path, reason: "no agent has a folder of that name".to_owned() })
            });
        }
        ControlFlow::Continue(())
    });
    match listed {
        Ok(()) => Ok(found),
        Err(error) => Err(Unread { path: top, reason: error.to_string() }),
    }
}
