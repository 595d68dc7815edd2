//! From settings to an open memory: which directory, who acts, and how long to wait for another writer.

#![expect(
    clippy::disallowed_methods,
    reason = "`path` and `status` tell whether a directory is there"
)]

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use memdir::store::location::{self, Inputs, Location, Scope, Source, Variable, Worktrees};
use memdir::store::{Actor, Attribution};

use crate::cli::Globals;
use crate::config::Settings;
use crate::env::{CLAUDE_SESSION_ID, Caller, World};
use crate::error::{CliError, Exit};
use crate::output::Out;

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
}

impl Place {
    /// The memory directory as text, for people, prompts and JSON.
    pub(crate) fn directory(&self) -> String {
        self.location.directory.display().to_string()
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
pub(crate) fn kind_of(path: &Path) -> io::Result<bool> {
    fs::metadata(path).map(|metadata| metadata.is_dir())
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
    pub(crate) fn place(&self) -> Result<Place, CliError> {
        let here = || self.world.current_dir();
        let cwd = match &self.globals.project {
            Some(dir) if dir.is_absolute() => dir.clone(),
            Some(dir) => here()?.join(dir),
            None => here()?,
        };
        let project = location::discover(&cwd).map_err(|error| self.not_located(&error))?;
        let settings = Settings::read(&self.world, &self.globals, &project.folder)?;
        let mut inputs = Inputs::new(&cwd);
        inputs.home = self.world.home();
        inputs.data_folder = self.world.data_home();
        inputs.flag = match &self.globals.memory_dir {
            Some(dir) => Some(typed_path(dir, here)?),
            None => None,
        };
        inputs.environment = Variable::ALL
            .into_iter()
            .filter_map(|variable| Some((variable, self.world.text(variable.name())?)))
            .collect::<BTreeMap<_, _>>();
        inputs.project_environment =
            settings.client.iter().flat_map(|file| file.environment.clone()).collect();
        inputs.settings = settings.directories();
        inputs.trusted_projects = settings.trusted_projects.value.clone();
        inputs.worktrees =
            if settings.per_worktree.value { Worktrees::Separate } else { Worktrees::Shared };
        inputs.layout = settings.layout.value;
        let location = location::resolve(&inputs).map_err(|error| self.not_located(&error))?;
        for warning in &settings.warnings {
            self.out.warn(warning);
        }
        for warning in &location.project.warnings {
            self.out.warn(&CliError::refused(warning.to_string()));
        }
        for refusal in &location.refusals {
            self.out.warn(&CliError::refused(refusal.to_string()));
        }
        Ok(Place { settings, location })
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

    fn not_located(&self, error: &location::Error) -> CliError {
        let text = crate::error::chain(error);
        match error {
            location::Error::Invalid(_) => CliError::usage(text),
            location::Error::NoHome | location::Error::NoDataFolder => {
                CliError::usage(text).hint("set HOME, or name the directory with --memory-dir DIR")
            }
            location::Error::NotAFolder { .. } => {
                CliError::usage(text).hint("name a folder with --project DIR")
            }
            _ => CliError::new(Exit::Io, text),
        }
    }
}

/// A path as typed at a prompt, made absolute and without `.` and `..`; a leading `~` stays for the rules on settings.
fn typed_path(
    dir: &Path,
    here: impl Fn() -> Result<PathBuf, CliError>,
) -> Result<String, CliError> {
    let text = dir.to_str().ok_or_else(|| {
        CliError::usage("the path is not UTF-8")
            .at("--memory-dir")
            .because(dir.to_string_lossy().into_owned())
    })?;
    if dir.is_absolute() || text.starts_with('~') || text.is_empty() {
        return Ok(text.to_owned());
    }
    let mut path = here()?;
    for part in dir.components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            Component::CurDir => {}
            Component::Normal(_) | Component::RootDir | Component::Prefix(_) => path.push(part),
        }
    }
    path.into_os_string().into_string().map_err(|path| {
        CliError::usage("the current folder's path is not UTF-8")
            .because(path.to_string_lossy().into_owned())
    })
}
