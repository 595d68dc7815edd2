//! From settings to the rules of a project: where they are looked for and what is allowed.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use memdir::rules::{AddedRules, Client, External, Loaded, Setup};
use memdir::store::files::{Files, LocalFiles};
use memdir::store::location::Project;
use serde_json::Value;

use crate::config::{Settings, managed_folder};
use crate::env::{CLAUDE_ADDED_RULES, CLAUDE_CONFIG_DIR, CLAUDE_DISABLE_RULES, World};
use crate::error::{CliError, chain};
use crate::place::Session;

/// The rules of a project as a verb loads them.
pub(crate) type Rules = memdir::rules::Session<LocalFiles>;

/// Which rules are meant; for every verb about them.
#[derive(Debug, Default, Args)]
pub(crate) struct Which {
    /// The agent whose files are read
    #[arg(long, value_name = "CLIENT", value_parser = client(), default_value = Client::ClaudeCode.as_str())]
    client: Client,
    /// Another folder that the agent works in; links and imports may lead there, and its rules are read if the client's switch
    /// for that is set
    #[arg(long, value_name = "DIR")]
    add_dir: Vec<PathBuf>,
    /// Another name of files with instructions: a fallback of Codex, or what replaces GEMINI.md
    #[arg(long, value_name = "NAME")]
    file_name: Vec<String>,
}

fn client() -> impl TypedValueParser<Value = Client> {
    PossibleValuesParser::new(Client::ALL.map(Client::as_str))
        .try_map(|name| Client::parse(&name).ok_or("no such client"))
}

/// Bytes of the client's own file that are read. Ours: it grows with every project, to some megabytes.
const CLIENT_FILE_BYTES: u64 = 64 << 20;

impl Which {
    pub(crate) fn client(&self) -> Client {
        self.client
    }
}

impl Session {
    /// Finds out where rules lie and what is allowed; absent where the client's own switch turns them off, which is said.
    ///
    /// # Errors
    ///
    /// There is no project, or a setting cannot be read.
    pub(crate) fn rules(&mut self, which: &Which) -> Result<Option<Rules>, CliError> {
        let is_claude = which.client == Client::ClaudeCode;
        if is_claude && self.world.text(CLAUDE_DISABLE_RULES).is_some_and(|it| it == "1") {
            self.out.note(&format!("{CLAUDE_DISABLE_RULES} is set, so there are no rules"));
            return Ok(None);
        }
        let (cwd, project) = self.project()?;
        let settings = Settings::read(&self.world, &self.globals, Some(&project.folder))?;
        for warning in &settings.warnings {
            self.out.warn(warning);
        }
        let files = LocalFiles::new();
        // The project is known by its path without links, so what lies in it is too.
        let real = |path: PathBuf| match files.look(&path) {
            Ok(Some(found)) => found.path,
            Ok(None) | Err(_) => path,
        };
        let mut setup = Setup::new(&project.folder, real(cwd));
        setup.client = which.client;
        setup.home = self.world.home();
        setup.user = self.user_folder(which.client);
        let is_inside = project.folder != project.root && project.folder.starts_with(&project.root);
        setup.main_tree = is_inside.then(|| project.root.clone());
        for folder in &which.add_dir {
            setup.added.push(real(World::absolute(folder)?));
        }
        setup.names.clone_from(&which.file_name);
        if is_claude {
            self.claude(&mut setup, &settings, &project);
        }
        Ok(Some(Rules::new(files, setup)))
    }

    fn user_folder(&self, client: Client) -> Option<PathBuf> {
        match client {
            Client::ClaudeCode => self.world.client_folder(),
            _ => Some(self.world.home()?.join(client.user_folder()?)),
        }
    }

    /// What only Claude Code has: a file of the administrator's, excludes, approvals.
    fn claude(&mut self, setup: &mut Setup, settings: &Settings, project: &Project) {
        setup.managed = Some(Path::new(managed_folder()).join("CLAUDE.md"));
        for file in &settings.client {
            setup.excludes.extend(file.rules.excludes.iter().cloned());
            if let Some(text) = &file.rules.text {
                setup.managed_text = Some((file.path.clone(), text.clone()));
            }
        }
        // Managed settings stand first.
        let modes = settings.client.iter().filter_map(|file| file.rules.agents_md);
        setup.agents_md = modes.into_iter().next().unwrap_or_default();
        if self.world.text(CLAUDE_ADDED_RULES).is_some_and(|value| value == "1") {
            setup.added_rules = AddedRules::Read;
        }
        match self.is_approved(project) {
            Ok(true) => setup.external = External::Approved,
            Ok(false) => {}
            Err(warning) => self.out.warn(&warning),
        }
    }

    /// Whether the person allowed the project to bring in files from outside, as the client keeps it.
    fn is_approved(&self, project: &Project) -> Result<bool, CliError> {
        let folder = match self.world.get(CLAUDE_CONFIG_DIR) {
            Some(folder) => Some(PathBuf::from(folder)),
            None => self.world.home(),
        };
        let Some(path) = folder.map(|folder| folder.join(".claude.json")) else { return Ok(false) };
        let warning = |why: String| {
            let what = "what the client allows cannot be read, so nothing from outside is loaded";
            CliError::warning(what).at(path.display().to_string()).because(why)
        };
        let files = LocalFiles::new();
        let Some(found) = files.look(&path).map_err(|error| warning(chain(&error)))? else {
            return Ok(false);
        };
        let bytes =
            files.read(&found, CLIENT_FILE_BYTES).map_err(|error| warning(chain(&error)))?;
        let value: Value =
            serde_json::from_slice(&bytes).map_err(|error| warning(error.to_string()))?;
        Ok([&project.folder, &project.root].iter().any(|root| {
            let project = root.to_str().and_then(|root| value.get("projects")?.get(root));
            let key = "hasClaudeMdExternalIncludesApproved";
            project.and_then(|project| project.get(key)) == Some(&Value::Bool(true))
        }))
    }

    /// Says on stderr what was met while rules were loaded.
    pub(crate) fn say_rules(&mut self, loaded: &Loaded) {
        for note in loaded.notes.iter().filter(|note| !note.kind.is_advice()) {
            let line = note.line.map(|line| format!(":{line}")).unwrap_or_default();
            let place = format!("{}{line}", note.path.display());
            self.out.warn(&CliError::warning(note.kind.to_string()).at(place));
        }
    }
}
