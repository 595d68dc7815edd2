//! Settings: `config.toml`, the environment and the client's settings files, each value with its origin.

#![expect(
    clippy::disallowed_methods,
    reason = "the binary reads the settings files; everything below takes them as data"
)]

mod client;
mod item;
mod model;
mod model_tables;
mod rules;
mod toml_file;

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use memdir::store::location::{Inputs, Layout, Setting, SettingScope, Variable, Worktrees};

use crate::cli::Globals;
use crate::env::{AUTO_MEMORY, CLAUDE_CONFIG_DIR, CLAUDE_DISABLE_AUTO_MEMORY, World};
use crate::error::CliError;

pub(crate) use client::{ClientFile, HOOKS_OFF, managed_folder};
pub(crate) use model::{KeySource, ModelSettings, Reach, Selector};
pub(crate) use model_tables::{BUDGET_KEYS, MODEL_KEYS, Provider};
pub(crate) use toml_file::{ConfigFile, KEYS};

/// Settings files larger than this are not read; the largest in use are a few kilobytes.
const MAX_SETTINGS_BYTES: u64 = 4 << 20;

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    Default,
    Flag(&'static str),
    Environment(&'static str),
    Config(PathBuf),
    Client { scope: SettingScope, path: PathBuf },
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::Flag(name) => write!(f, "{name}"),
            Self::Environment(name) => write!(f, "environment variable {name}"),
            Self::Config(path) => write!(f, "{}", path.display()),
            Self::Client { scope, path } => {
                write!(f, "the client's {} settings, {}", scope_name(*scope), path.display())
            }
        }
    }
}

/// A value in force and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Known<T> {
    pub(crate) value: T,
    pub(crate) origin: Origin,
}

impl<T> Known<T> {
    fn new(value: T, origin: Origin) -> Self {
        Self { value, origin }
    }
}

/// Everything that settings say.
#[derive(Debug)]
pub(crate) struct Settings {
    /// Where `config.toml` is looked for; absent where no home is known.
    pub(crate) path: Option<PathBuf>,
    /// What is in it; `None` where there is no such file.
    pub(crate) file: Option<ConfigFile>,
    pub(crate) client: Vec<ClientFile>,
    pub(crate) layout: Known<Layout>,
    pub(crate) per_worktree: Known<bool>,
    pub(crate) trusted_projects: Known<Vec<String>>,
    pub(crate) auto_memory: Known<bool>,
    pub(crate) recall: Known<bool>,
    pub(crate) selector: Known<Selector>,
    /// `None` where no provider is named.
    pub(crate) model: Option<ModelSettings>,
    pub(crate) warnings: Vec<CliError>,
}

impl Settings {
    /// Reads all files. `project` is the working tree whose `.claude` folder the client reads; absent: there is none.
    ///
    /// # Errors
    ///
    /// `config.toml` cannot be read, is not TOML, or has a value of the wrong kind.
    pub(crate) fn read(
        world: &World,
        globals: &Globals,
        project: Option<&Path>,
    ) -> Result<Self, CliError> {
        let mut warnings = Vec::new();
        let path = world.config_home().map(|home| home.join("memdir").join("config.toml"));
        let file = match &path {
            Some(path) => read_config(path, &mut warnings)?,
            None => None,
        };
        let client = read_client(world, project, &mut warnings);
        let from_file = |origin: &Path| Origin::Config(origin.to_owned());
        let config = path.as_deref().zip(file.as_ref());
        let known = |value: Option<bool>, default: bool| match config.zip(value) {
            Some(((path, _), value)) => Known::new(value, from_file(path)),
            None => Known::new(default, Origin::Default),
        };
        let layout = globals
            .layout
            .map(|layout| Known::new(layout, Origin::Flag("--layout")))
            .or_else(|| {
                config.and_then(|(path, file)| Some(Known::new(file.layout?, from_file(path))))
            })
            .unwrap_or(Known::new(Layout::ClaudeCode, Origin::Default));
        let trusted_projects = match config.filter(|(_, file)| !file.trusted_projects.is_empty()) {
            Some((path, file)) => Known::new(file.trusted_projects.clone(), from_file(path)),
            None => Known::new(Vec::new(), Origin::Default),
        };
        let auto_memory = auto_memory(world, config, &client, &mut warnings);
        let per_worktree = known(file.as_ref().and_then(|file| file.per_worktree), false);
        let recall = known(file.as_ref().and_then(|file| file.recall), true);
        let selector = model::selector(world, config, &mut warnings);
        let model = ModelSettings::of(world, config);
        Ok(Self {
            path,
            file,
            client,
            layout,
            per_worktree,
            trusted_projects,
            auto_memory,
            recall,
            selector,
            model,
            warnings,
        })
    }

    /// Why prompt, context and recall print nothing; `None` where they do.
    pub(crate) fn auto_memory_off(&self) -> Option<String> {
        off("auto_memory", &self.auto_memory)
    }

    /// Why recall finds nothing; `None` where it does.
    pub(crate) fn recall_off(&self) -> Option<String> {
        off("recall", &self.recall)
    }

    /// What decides where memory is, but for `--memory-dir`.
    ///
    /// # Errors
    ///
    /// A variable is not UTF-8.
    pub(crate) fn inputs(&self, world: &World, cwd: &Path) -> Result<Inputs, CliError> {
        let mut inputs = Inputs::new(cwd);
        inputs.home = world.home();
        inputs.data_folder = world.data_home();
        for variable in Variable::ALL {
            if let Some(value) = world.path_text(variable.name())? {
                inputs.environment.insert(variable, value);
            }
        }
        inputs.project_environment =
            self.client.iter().flat_map(|file| file.environment.clone()).collect();
        inputs.settings = self.directories();
        inputs.trusted_projects.clone_from(&self.trusted_projects.value);
        inputs.worktrees =
            if self.per_worktree.value { Worktrees::Separate } else { Worktrees::Shared };
        inputs.layout = self.layout.value;
        Ok(inputs)
    }

    /// Why the client calls no hooks; `None` where its settings files let it.
    pub(crate) fn hooks_off(&self) -> Option<String> {
        let told = self.client.iter().filter_map(|file| Some((file, file.hooks_off?)));
        let (file, is_off) = told.min_by_key(|(file, _)| file.scope)?;
        let ClientFile { scope, path, .. } = file;
        let origin = Origin::Client { scope: *scope, path: path.clone() };
        is_off.then(|| format!("`{HOOKS_OFF}` is on ({origin})"))
    }

    /// The error about a model that is to be asked and is not named, with what to write where.
    pub(crate) fn no_model(&self) -> CliError {
        let file = self.path.as_ref().map_or("config.toml".into(), |path| path.to_string_lossy());
        CliError::usage("no model is configured").hint(format!(
            "write into {file}: [model], below it provider = \"anthropic\", \"openai\" or \"command\", and name = \"…\""
        ))
    }

    /// Every memory directory that a file names.
    pub(crate) fn directories(&self) -> Vec<Setting> {
        let client = self.client.iter().filter_map(|file| {
            Some(Setting::new(file.scope, file.memory_dir.as_ref()?).in_file(&file.path))
        });
        let own = self.file.iter().filter_map(|file| {
            let setting = Setting::new(SettingScope::Config, file.memory_dir.as_ref()?);
            Some(self.path.iter().fold(setting, Setting::in_file))
        });
        client.chain(own).collect()
    }
}

fn off(name: &str, known: &Known<bool>) -> Option<String> {
    (!known.value).then(|| format!("`{name}` is off ({})", known.origin))
}

/// The environment goes first, then the files in order of [`SettingScope`], of which `config.toml` is one.
fn auto_memory(
    world: &World,
    config: Option<(&Path, &ConfigFile)>,
    client: &[ClientFile],
    warnings: &mut Vec<CliError>,
) -> Known<bool> {
    for (name, on) in [(AUTO_MEMORY, "1"), (CLAUDE_DISABLE_AUTO_MEMORY, "0")] {
        let Some(text) = world.text(name) else { continue };
        match text.to_ascii_lowercase().as_str() {
            "1" | "true" | "yes" | "on" => return Known::new(on == "1", Origin::Environment(name)),
            "0" | "false" | "no" | "off" => {
                return Known::new(on == "0", Origin::Environment(name));
            }
            _ => warnings.push(
                CliError::warning(format!("`{text}` is neither 0 nor 1 and was ignored"))
                    .at(format!("the environment variable {name}")),
            ),
        }
    }
    let config = config.and_then(|(path, file)| {
        Some((SettingScope::Config, Known::new(file.auto_memory?, Origin::Config(path.to_owned()))))
    });
    let client = client.iter().filter_map(|file| {
        let origin = Origin::Client { scope: file.scope, path: file.path.clone() };
        Some((file.scope, Known::new(file.auto_memory?, origin)))
    });
    client
        .chain(config)
        .min_by_key(|(scope, _)| *scope)
        .map_or(Known::new(true, Origin::Default), |(_, known)| known)
}

/// Reads the client's settings files; one that cannot be read is a warning, as it belongs to the client.
fn read_client(
    world: &World,
    project: Option<&Path>,
    warnings: &mut Vec<CliError>,
) -> Vec<ClientFile> {
    let folder = world.get(CLAUDE_CONFIG_DIR).map(PathBuf::from);
    let folder = folder.or_else(|| world.home().map(|home| home.join(".claude")));
    let places = client::places(folder.as_deref(), project);
    let user = places.iter().find(|(scope, _)| *scope == SettingScope::User).cloned();
    let is_same = |a: &Path, b: &Path| {
        fs::canonicalize(a).is_ok_and(|a| fs::canonicalize(b).is_ok_and(|b| a == b))
    };
    let mut files = Vec::new();
    for (scope, place) in places {
        // In the home folder the user's own settings lie where a project's would.
        if scope == SettingScope::Project
            && user.as_ref().is_some_and(|(_, user)| is_same(user, &place))
        {
            continue;
        }
        match read_text(&place) {
            Ok(None) => {}
            Ok(Some(text)) => {
                let (file, warned) = client::parse(scope, place, &text);
                files.push(file);
                warnings.extend(warned);
            }
            Err(error) => warnings.push(
                CliError::warning("the client's settings cannot be read and were ignored")
                    .because(error.to_string())
                    .at(place.display().to_string()),
            ),
        }
    }
    files
}

fn read_config(path: &Path, warnings: &mut Vec<CliError>) -> Result<Option<ConfigFile>, CliError> {
    let text = read_text(path).map_err(|error| {
        CliError::io("the configuration cannot be read", &error)
            .at(path.display().to_string())
            .hint("make it readable, or move it away to go on with the defaults")
    })?;
    let Some(text) = text else { return Ok(None) };
    let (file, warned) = toml_file::parse(&text, path)?;
    warnings.extend(warned);
    Ok(Some(file))
}

/// A settings file's text; absent is `None`.
fn read_text(path: &Path) -> io::Result<Option<String>> {
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    if !metadata.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    if metadata.len() > MAX_SETTINGS_BYTES {
        return Err(io::Error::other(format!("it is larger than {MAX_SETTINGS_BYTES} bytes")));
    }
    fs::read_to_string(path).map(Some)
}

pub(crate) fn scope_name(scope: SettingScope) -> &'static str {
    match scope {
        SettingScope::Managed => "managed",
        SettingScope::Local => "local",
        SettingScope::Project => "project",
        SettingScope::Config => "config.toml",
        SettingScope::User => "user",
        _ => "other",
    }
}
