//! From settings to an open memory: which directory, who acts, and how long to wait for another writer.

#![expect(
    clippy::disallowed_methods,
    reason = "`path` and `status` tell whether a directory is there"
)]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memdir::core::{Clock, FixedClock};
use memdir::recall::Usage;
use memdir::store::location::{
    self, Likeness, Location, Other, Project, Reason, Refusal, Scope, Source, Variable,
};
use memdir::store::{Actor, Attribution, Error as StoreError, LocalDir, Options, SystemClock};
use memdir::{Error, Memory};

use crate::cli::Globals;
use crate::config::Settings;
use crate::env::{CLAUDE_SESSION_ID, Caller, World};
use crate::error::{CliError, chain};
use crate::events;
use crate::output::Out;

/// The memory that the command works on.
pub(crate) type LocalMemory = Memory<LocalDir>;

/// One run of the command.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) world: World,
    pub(crate) globals: Globals,
    pub(crate) out: Out,
}

/// The settings in force and the directory they lead to.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) settings: Settings,
    pub(crate) location: Location,
    /// Why there is no project; then the directory was named, and the location's project is the directory itself.
    pub(crate) no_project: Option<String>,
}

impl Place {
    /// The memory directory as text, for people, prompts and JSON.
    pub(crate) fn directory(&self) -> String {
        self.location.directory.display().to_string()
    }

    /// The working tree whose files memories may name; absent where there is no project.
    pub(crate) fn project_folder(&self) -> Option<&Path> {
        self.no_project.is_none().then_some(&*self.location.project.folder)
    }

    /// The root of the project; absent where there is none.
    pub(crate) fn project(&self) -> Option<String> {
        self.no_project.is_none().then(|| self.location.root.display().to_string())
    }

    /// Where the choice of the directory comes from, in words.
    pub(crate) fn directory_origin(&self) -> String {
        match self.location.source {
            Source::Given(scope @ Scope::Setting(kind)) => {
                let named =
                    self.settings.directories().into_iter().find(|setting| setting.scope == kind);
                let file = named.and_then(|setting| setting.file).unwrap_or_default();
                format!("{scope}, {}", file.display())
            }
            Source::Given(scope) => scope.to_string(),
            Source::Layout => {
                format!("layout {} of {}", self.location.layout, self.location.root.display())
            }
            Source::NamedProject => format!("`{}`", Variable::ClaudeCodeProjectDirName),
            _ => "unknown".to_owned(),
        }
    }
}

/// Whether a directory bears the name; links are followed, as the store does with its root.
pub(crate) fn is_directory(path: &Path) -> io::Result<bool> {
    fs::metadata(path).map(|metadata| metadata.is_dir())
}

/// Whether nothing is lost when another directory takes the place of this one.
fn is_absent_or_empty(path: &Path) -> bool {
    match fs::read_dir(path) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// What speaks for memory being this project's, in words.
pub(crate) fn likeness(likeness: Likeness) -> &'static str {
    match likeness {
        Likeness::SameFolder => "it was recorded for this very folder, under its old name",
        Likeness::SameName => "its folder had the same name, in another place",
        _ => "it looks like this project",
    }
}

impl Session {
    pub(crate) fn new(world: World, globals: Globals, out: Out) -> Self {
        Self { world, globals, out }
    }

    /// Finds the memory directory. Creates nothing; what was refused or ignored is said on stderr.
    ///
    /// # Errors
    ///
    /// No directory can be decided on.
    pub(crate) fn place(&mut self) -> Result<Place, CliError> {
        let (cwd, project, no_project) = match self.project() {
            Ok((cwd, project)) => (cwd, project, None),
            Err(error) => match (&self.globals.memory_dir, &self.globals.project) {
                // Whose memory it is was said already.
                (Some(dir), None) => {
                    let dir = PathBuf::from(typed_path(dir)?);
                    (dir.clone(), Project::at(dir), Some(error.what().to_owned()))
                }
                _ => return Err(error),
            },
        };
        let folder = no_project.is_none().then_some(&*project.folder);
        let settings = Settings::read(&self.world, &self.globals, folder)?;
        for warning in &settings.warnings {
            self.out.warn(warning);
        }
        let mut inputs = settings.inputs(&self.world, &cwd)?;
        inputs.flag = match &self.globals.memory_dir {
            Some(dir) => Some(typed_path(dir)?),
            None => None,
        };
        let location = location::resolve_for(&inputs, project)?;
        self.warn_of_refused(&location.project, &location.refusals, &settings);
        Ok(Place { settings, location, no_project })
    }

    /// Says what about the project was not believed, and which values were not used.
    pub(crate) fn warn_of_refused(
        &mut self,
        project: &Project,
        refusals: &[Refusal],
        settings: &Settings,
    ) {
        for warning in &project.warnings {
            self.out.warn(&CliError::warning(warning.to_string()));
        }
        for refusal in refusals {
            let warning = CliError::warning(refusal.to_string());
            self.out.warn(&match (&settings.path, refusal.reason) {
                (Some(path), Reason::Untrusted | Reason::SetByProject) => warning.hint(format!(
                    "to accept what this project sets: trusted_projects = [\"{}\"] in {}",
                    project.root.display(),
                    path.display()
                )),
                _ => warning,
            });
        }
    }

    /// Finds the working folder and its project.
    ///
    /// # Errors
    ///
    /// There is no such folder.
    pub(crate) fn project(&self) -> Result<(PathBuf, Project), CliError> {
        let cwd = self.cwd()?;
        match location::discover(&cwd) {
            Ok(project) => Ok((cwd, project)),
            Err(error @ location::Error::NotAFolder { .. }) if self.globals.project.is_some() => {
                Err(CliError::usage(error.to_string())
                    .at("--project")
                    .hint("name the folder of a project"))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The root of the project, or the working folder itself where it is in none that can be told.
    ///
    /// # Errors
    ///
    /// There is no current folder.
    pub(crate) fn project_root(&self) -> Result<PathBuf, CliError> {
        let cwd = self.cwd()?;
        Ok(location::discover(&cwd).map_or(cwd, |project| project.root))
    }

    fn cwd(&self) -> Result<PathBuf, CliError> {
        match &self.globals.project {
            Some(dir) if dir.is_absolute() => Ok(dir.clone()),
            Some(dir) => Ok(World::current_dir()?.join(dir)),
            None => World::current_dir(),
        }
    }

    /// Says where the memory of this project may have stayed when the project was renamed or moved.
    pub(crate) fn offer_left_behind(&mut self, place: &Place) {
        if !is_absent_or_empty(&place.location.directory) {
            return;
        }
        let left = match location::left_behind(&place.location) {
            Ok(left) => left,
            Err(error) => {
                let what =
                    "whether this project left memory behind under another name cannot be told";
                return self.out.warn(&CliError::warning(what).because(chain(&error)));
            }
        };
        for left in left {
            let what = format!(
                "there is no memory here yet, but that of `{}`, which no longer exists",
                left.owner.display()
            );
            let warning = CliError::warning(what)
                .at(left.directory.display().to_string())
                .because(likeness(left.likeness));
            self.out.warn(&warning.hint(
                "if this is that project under a new name, a person takes its memory over: memdir path --relink",
            ));
        }
    }

    /// Opens the memory for reading; `None` where there is no directory yet.
    ///
    /// # Errors
    ///
    /// The directory is another project's, is no directory, or cannot be read.
    pub(crate) fn open(&mut self, place: &Place) -> Result<Option<LocalMemory>, CliError> {
        if let Some(other) = location::claim(&place.location)?.other() {
            return Err(foreign(other));
        }
        self.offer_left_behind(place);
        Ok(self.open_existing(&place.location.directory)?)
    }

    /// Opens the memory to look for something in it: where there is no directory it is not found.
    pub(crate) fn open_for(
        &mut self,
        place: &Place,
        reference: &str,
    ) -> Result<LocalMemory, CliError> {
        self.open(place)?.ok_or_else(|| CliError::not_found(reference, &[]).at(place.directory()))
    }

    /// Opens the memory and creates its directory where there is none.
    ///
    /// # Errors
    ///
    /// As [`Session::open`], and when the directory cannot be created.
    pub(crate) fn open_or_create(&mut self, place: &Place) -> Result<LocalMemory, CliError> {
        if let Some(memory) = self.open(place)? {
            return Ok(memory);
        }
        location::create(&place.location)?;
        self.open_existing(&place.location.directory)?.ok_or_else(|| {
            let path = place.directory();
            Error::Store(StoreError::Absent { path }).into()
        })
    }

    /// Opens the memory to write, and records whose it is.
    ///
    /// # Errors
    ///
    /// As [`Session::open_or_create`].
    pub(crate) fn open_to_write(&mut self, place: &Place) -> Result<LocalMemory, CliError> {
        let memory = self.open_or_create(place)?;
        match location::record(&place.location)?.other() {
            Some(other) => Err(foreign(other)),
            None => Ok(memory),
        }
    }

    /// Opens the directory, whosever it is; `None` where there is none yet.
    pub(crate) fn open_existing(&self, directory: &Path) -> Result<Option<LocalMemory>, Error> {
        match Memory::open(directory, self.store_options(), self.attribution()) {
            Ok(memory) => Ok(Some(memory)),
            Err(Error::Store(StoreError::Absent { .. })) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// How memories were used before; what cannot be read is said on stderr, and recall goes without.
    pub(crate) fn usage(&mut self, memory: &LocalMemory) -> Usage {
        match events::recent(memory.store()) {
            Ok(trail) => events::reads(&trail),
            Err(error) => {
                let what = "how memories were used before cannot be told, so it does not count";
                self.out.warn(&CliError::warning(what).because(chain(&error)));
                Usage::new()
            }
        }
    }

    pub(crate) fn store_options(&self) -> Options {
        let clock: Arc<dyn Clock> = match self.world.fixed_now {
            Some(now) => Arc::new(FixedClock(now)),
            None => Arc::new(SystemClock::default()),
        };
        Options::new(clock).lock_wait(self.world.lock_wait)
    }

    /// The folder for what memdir keeps for a user and no project; absent where there is no home.
    pub(crate) fn state_folder(&self) -> Option<PathBuf> {
        self.world.state_home().map(|folder| folder.join("memdir"))
    }

    /// Says that what follows lacks the index, if it does.
    pub(crate) fn warn_of_index(&mut self, fault: Option<&StoreError>) {
        if let Some(fault) = fault {
            let warning =
                CliError::warning("the index cannot be read, so the text goes without it");
            self.out.warn(&warning.because(chain(fault)).hint("memdir check"));
        }
    }

    /// Refuses to an agent what only a person may do.
    pub(crate) fn person_only(&self, what: &str) -> Result<(), CliError> {
        match self.world.caller() {
            Caller::Person => Ok(()),
            Caller::Agent { marker } => Err(CliError::refused(format!("only a person may {what}"))
                .because(format!("{marker} is set, so this command was started by an agent"))
                .by_person()),
        }
    }

    /// Who changes are put down to.
    pub(crate) fn attribution(&self) -> Attribution {
        let actor = match self.world.caller() {
            Caller::Person => Actor::User,
            Caller::Agent { .. } => Actor::Agent,
        };
        let by = Attribution::new(actor);
        match self.world.text(CLAUDE_SESSION_ID) {
            Some(session) => by.session(session),
            None => by,
        }
    }
}

/// What every verb says of a directory that is another project's.
pub(crate) fn foreign(other: &Other) -> CliError {
    let error = CliError::refused("the memory directory belongs to another project")
        .because(other.to_string());
    if other.exists {
        error.hint("name a directory of this project's own with --memory-dir DIR or in config.toml")
    } else {
        error.hint("if this is that project under a new name: memdir path --relink")
    }
}

/// A path as typed at a prompt, made absolute and without `.` and `..`; what the rules on settings expand or
/// refuse by its beginning stays as it is.
pub(crate) fn typed_path(dir: &Path) -> Result<String, CliError> {
    let text = dir.to_str().ok_or_else(|| {
        CliError::usage("the path is not UTF-8")
            .at("--memory-dir")
            .because(dir.to_string_lossy().into_owned())
    })?;
    if text.is_empty() {
        // What `$(memdir agent path …)` leaves behind when it was refused.
        return Err(CliError::usage("the path is empty").at("--memory-dir"));
    }
    if dir.is_absolute() || text.starts_with('~') || is_for_windows(text) {
        return Ok(text.to_owned());
    }
    World::absolute(dir)?.into_os_string().into_string().map_err(|path| {
        CliError::usage("the current folder's path is not UTF-8")
            .because(path.to_string_lossy().into_owned())
    })
}

/// Whether a path begins with a share or a drive, which is no relative name on any system.
fn is_for_windows(text: &str) -> bool {
    let mut chars = text.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some('\\'), Some('\\'), _) => true,
        (Some(letter), Some(':'), Some('/' | '\\')) => letter.is_ascii_alphabetic(),
        _ => false,
    }
}
