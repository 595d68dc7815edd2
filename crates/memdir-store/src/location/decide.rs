//! Which of all that was said about the directory counts.

use std::path::{Path, PathBuf};

use memdir_core::project_key;

use super::{
    error::Error,
    inputs::{Inputs, Layout, Setting, SettingScope, Variable, Worktrees},
    project::Project,
    refusal::{Reason, Refusal, Scope},
    value::{Names, Rules, is_rooted, single_name},
};

/// Where the memory directory of a project is, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The memory directory. It need not exist.
    pub directory: PathBuf,
    /// What named it.
    pub source: Source,
    /// The layout in force; it named the directory only where `source` says so.
    pub layout: Layout,
    /// The folder that the memory belongs to: [`Project::root`], or [`Project::folder`] where worktrees are separate.
    pub root: PathBuf,
    /// The project that was found.
    pub project: Project,
    /// Values of higher rank that were not used, in order of precedence. Show each: it is one message.
    pub refusals: Vec<Refusal>,
}

impl Location {
    /// The folder of the client's transcripts beside the memory, in layout [`Layout::ClaudeCode`].
    pub fn transcripts(&self) -> Option<&Path> {
        match (&self.source, self.layout) {
            (Source::Layout | Source::NamedProject, Layout::ClaudeCode) => self.directory.parent(),
            (Source::Layout | Source::NamedProject | Source::Given(_), _) => None,
        }
    }
}

/// What named the memory directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Source {
    /// A flag, a variable or a setting named the whole directory. Several projects may share it.
    Given(Scope),
    /// The layout, from the project's root.
    Layout,
    /// The layout, with the project's folder name from [`Variable::ClaudeCodeProjectDirName`]. Several projects may share it.
    NamedProject,
}

/// Decides where the memory directory is. Touches nothing itself.
///
/// Order: flag; `MEMDIR_MEMORY_DIR`; the client's override of the whole directory; settings in the order of
/// [`SettingScope`]; the layout's default folder. The client's overrides of its base and project name
/// take part in layout [`Layout::ClaudeCode`] only. Values below the one that wins are not looked at.
///
/// `real` resolves links as far as a path exists; it lets a value be refused that leads to the home folder by a link.
/// Pass the path back where there is no file system to ask.
///
/// # Errors
///
/// [`Error::Invalid`] for a flag or variable that cannot be used, [`Error::NoHome`] and [`Error::NoDataFolder`] where
/// the default folder has no base.
pub fn decide(
    inputs: &Inputs,
    project: Project,
    real: &dyn Fn(&Path) -> PathBuf,
) -> Result<Location, Error> {
    let mut decision = Decision::new(inputs, &project, real);
    let (directory, source) = decision.directory()?;
    let root = decision.root.to_path_buf();
    let refusals = decision.refusals;
    Ok(Location { directory, source, layout: inputs.layout, root, project, refusals })
}

/// Where the client keeps memory: its folder in the home, or what its variables name instead.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClientBase {
    /// The folder. It need not exist.
    pub folder: PathBuf,
    /// Variables of higher rank that were not used, in order of precedence. Show each.
    pub refusals: Vec<Refusal>,
}

/// Decides where the client's base folder is, below which it keeps memory of all kinds. Touches nothing itself.
///
/// Order: [`Variable::ClaudeCodeRemoteMemoryDir`], [`Variable::ClaudeConfigDir`], `~/.claude`. The layout counts for nothing.
///
/// # Errors
///
/// [`Error::Invalid`] for a variable that cannot be used, [`Error::NoHome`] where nothing names the folder.
pub fn client_base(
    inputs: &Inputs,
    project: &Project,
    real: &dyn Fn(&Path) -> PathBuf,
) -> Result<ClientBase, Error> {
    let mut decision = Decision::new(inputs, project, real);
    let folder = decision.client_base()?;
    Ok(ClientBase { folder, refusals: decision.refusals })
}

struct Decision<'a> {
    inputs: &'a Inputs,
    project: &'a Project,
    real: &'a dyn Fn(&Path) -> PathBuf,
    /// Home where it is of use: absolute.
    home: Option<&'a Path>,
    real_home: Option<PathBuf>,
    root: &'a Path,
    trusted: bool,
    refusals: Vec<Refusal>,
}

impl<'a> Decision<'a> {
    fn new(inputs: &'a Inputs, project: &'a Project, real: &'a dyn Fn(&Path) -> PathBuf) -> Self {
        let root = match inputs.worktrees {
            Worktrees::Shared => &project.root,
            Worktrees::Separate => &project.folder,
        };
        let home = inputs.home.as_deref().filter(|home| is_rooted(home, inputs.platform));
        let real_home = home.map(real);
        let mut decision = Self {
            inputs,
            project,
            real,
            home,
            real_home,
            root,
            trusted: false,
            refusals: Vec::new(),
        };
        decision.trusted = decision.is_trusted();
        decision
    }

    fn directory(&mut self) -> Result<(PathBuf, Source), Error> {
        if let Some(flag) = &self.inputs.flag {
            let read = self.read_directory(flag);
            if let Some(directory) = read.map_err(|reason| invalid(Scope::Flag, flag, reason))? {
                return Ok((directory, Source::Given(Scope::Flag)));
            }
        }
        for variable in [Variable::MemdirMemoryDir, Variable::ClaudeCoworkMemoryPathOverride] {
            let Some(value) = self.variable(variable) else { continue };
            let scope = Scope::Environment(variable);
            let read = self.read_directory(value);
            if let Some(directory) = read.map_err(|reason| invalid(scope, value, reason))? {
                return Ok((directory, Source::Given(scope)));
            }
        }
        if let Some(found) = self.setting() {
            return Ok(found);
        }
        match self.inputs.layout {
            Layout::ClaudeCode => self.claude_code(),
            Layout::Memdir => {
                let data = self.inputs.data_folder.as_deref();
                let data = data.filter(|data| is_rooted(data, self.inputs.platform));
                let data = data.ok_or(Error::NoDataFolder)?;
                let key = project_key::memdir(&path_text(self.root));
                Ok((below(&data.join("memdir"), &key), Source::Layout))
            }
        }
    }

    fn setting(&mut self) -> Option<(PathBuf, Source)> {
        let mut settings: Vec<&'a Setting> = self.inputs.settings.iter().collect();
        settings.sort_by_key(|setting| setting.scope);
        for setting in settings {
            match self.read_setting(setting) {
                Ok(None) => {}
                Ok(Some(directory)) => {
                    return Some((directory, Source::Given(Scope::Setting(setting.scope))));
                }
                Err(reason) => self.refusals.push(Refusal {
                    scope: Scope::Setting(setting.scope),
                    file: setting.file.clone(),
                    value: setting.value.clone(),
                    reason,
                }),
            }
        }
        None
    }

    fn read_setting(&self, setting: &Setting) -> Result<Option<PathBuf>, Reason> {
        let from_repository = match setting.scope {
            SettingScope::Local | SettingScope::Project => true,
            SettingScope::Managed | SettingScope::Config | SettingScope::User => false,
        };
        if from_repository && !self.trusted && !setting.value.trim().is_empty() {
            return Err(Reason::Untrusted);
        }
        let directory = self.read_directory(&setting.value)?;
        if let Some(directory) = directory.as_deref().filter(|_| from_repository) {
            self.check_chosen_by_repository(&(self.real)(directory))?;
        }
        Ok(directory)
    }

    /// Trust is given once and the repository changes after; so it never reaches `~/.ssh` and its like.
    fn check_chosen_by_repository(&self, directory: &Path) -> Result<(), Reason> {
        let project = [&self.project.folder, &self.project.root];
        let inside = project.into_iter().any(|folder| directory.starts_with(folder));
        let hidden = |name: &std::ffi::OsStr| name.as_encoded_bytes().starts_with(b".");
        if !inside && directory.iter().any(hidden) { Err(Reason::Hidden) } else { Ok(()) }
    }

    fn claude_code(&mut self) -> Result<(PathBuf, Source), Error> {
        let base = self.client_base()?;
        let variable = Variable::ClaudeCodeProjectDirName;
        if let Some(value) = self.variable(variable) {
            let name = single_name(value);
            if let Some(name) =
                name.map_err(|reason| invalid(Scope::Environment(variable), value, reason))?
            {
                return Ok((below(&base, name), Source::NamedProject));
            }
        }
        Ok((below(&base, &project_key::claude_code(&self.root.to_string_lossy())), Source::Layout))
    }

    fn client_base(&mut self) -> Result<PathBuf, Error> {
        for variable in [Variable::ClaudeCodeRemoteMemoryDir, Variable::ClaudeConfigDir] {
            let Some(value) = self.variable(variable) else { continue };
            let base = self.as_written().read(value, Names::Base);
            let base =
                base.map_err(|reason| invalid(Scope::Environment(variable), value, reason))?;
            if let Some(base) = base {
                return Ok(base);
            }
        }
        Ok(self.home.ok_or(Error::NoHome)?.join(".claude"))
    }

    /// The variable's value, unless the repository's own settings are what set it.
    fn variable(&mut self, variable: Variable) -> Option<&'a str> {
        let value = self.inputs.environment.get(&variable)?;
        let from_project = self.inputs.project_environment.iter().find(|set| {
            set.variable == variable && set.value == *value && !value.trim().is_empty()
        });
        match from_project {
            Some(set) if !self.trusted => {
                self.refusals.push(Refusal {
                    scope: Scope::Environment(variable),
                    file: Some(set.file.clone()),
                    value: value.clone(),
                    reason: Reason::SetByProject,
                });
                None
            }
            Some(_) | None => Some(value),
        }
    }

    fn read_directory(&self, text: &str) -> Result<Option<PathBuf>, Reason> {
        let directory = self.as_written().read(text, Names::Directory)?;
        if let Some(directory) = &directory {
            self.resolved().check(&(self.real)(directory))?;
        }
        Ok(directory)
    }

    fn as_written(&self) -> Rules<'_> {
        Rules { home: self.home, platform: self.inputs.platform }
    }

    fn resolved(&self) -> Rules<'_> {
        Rules { home: self.real_home.as_deref(), platform: self.inputs.platform }
    }

    fn is_trusted(&mut self) -> bool {
        let mut trusted = false;
        for entry in &self.inputs.trusted_projects {
            match self.as_written().read(entry, Names::Base) {
                Ok(None) => {}
                Ok(Some(folder)) => {
                    let folder = (self.real)(&folder);
                    trusted |= folder == self.project.root || folder == self.project.folder;
                }
                Err(reason) => self.refusals.push(Refusal {
                    scope: Scope::TrustedProjects,
                    file: None,
                    value: entry.clone(),
                    reason,
                }),
            }
        }
        trusted
    }
}

fn invalid(scope: Scope, value: &str, reason: Reason) -> Error {
    Error::Invalid(Refusal { scope, file: None, value: value.to_owned(), reason })
}

fn below(base: &Path, key: &str) -> PathBuf {
    base.join("projects").join(key).join("memory")
}

/// A path as text that keys and records are made of; bytes that are not UTF-8 are written `\xNN`, so that two paths
/// that differ in such bytes alone stay two.
pub(super) fn path_text(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str("\\x");
            text.extend([byte >> 4, byte & 15].map(|digit| {
                char::from_digit(digit.into(), 16).expect("because four bits are one digit")
            }));
        }
    }
    text
}
