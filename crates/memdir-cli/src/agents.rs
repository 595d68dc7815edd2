//! Agents around the working folder, and how the memory of one stands to its snapshot.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use memdir::store::location;
use memdir::store::{Error as StoreError, LocalDir};
use memdir::subagent::{
    AgentName, Agents, Files, FilesError, Place, Scope, Snapshot, SnapshotError, Status,
    Surroundings, Unread, files, record_synced, snapshot, synced_from,
};
use memdir::subagent::{Stamp, State};

use crate::config::Settings;
use crate::env::quoted;
use crate::error::{CliError, Exit, chain};
use crate::place::Session;

/// The agent whose memory is meant.
#[derive(Debug, Args)]
pub(crate) struct Which {
    /// Name of the agent, as its definition has it
    #[arg(value_name = "NAME")]
    name: String,
    /// Whom the memory is for [default: what the definition says, else project]
    #[arg(long, value_name = "user|project|local", value_parser = scope(), hide_possible_values = true)]
    scope: Option<Scope>,
}

fn scope() -> impl TypedValueParser<Value = Scope> {
    PossibleValuesParser::new(Scope::ALL.map(Scope::as_str))
        .try_map(|name| Scope::parse(&name).ok_or("no such scope"))
}

/// The agents that were found, and the settings in force.
#[derive(Debug)]
pub(crate) struct Around {
    pub(crate) settings: Settings,
    pub(crate) agents: Agents,
}

/// How the memory of an agent stands to its snapshot.
#[derive(Debug)]
pub(crate) struct Standing {
    pub(crate) memory: Files,
    pub(crate) snapshot: Result<Option<Snapshot>, SnapshotError>,
    pub(crate) synced_from: Option<Stamp>,
}

impl Standing {
    /// The state, where the snapshot can be used.
    pub(crate) fn status(&self) -> Result<Status, &SnapshotError> {
        let snapshot = self.snapshot.as_ref()?;
        Ok(Status::of(&self.memory, snapshot.as_ref(), self.synced_from.clone()))
    }
}

impl Session {
    /// Looks for agents around the working folder. Creates nothing.
    ///
    /// # Errors
    ///
    /// There is no working folder, a variable cannot be used, or `--memory-dir` was given.
    pub(crate) fn agents(&mut self) -> Result<Around, CliError> {
        if self.globals.memory_dir.is_some() {
            return Err(CliError::usage("the memory of an agent is found by the agent's name")
                .at("--memory-dir")
                .hint("leave --memory-dir out, or name the directory to an ordinary verb"));
        }
        let (cwd, project) = self.project()?;
        let settings = Settings::read(&self.world, &self.globals, Some(&project.folder))?;
        for warning in &settings.warnings {
            self.out.warn(warning);
        }
        let base = location::resolve_client_base(&settings.inputs(&self.world, &cwd)?, &project)?;
        self.warn_of_refused(&project, &base.refusals, &settings);
        let around = Surroundings {
            cwd,
            project,
            home: self.world.home(),
            client_folder: self.world.client_folder(),
            memory_base: base.folder,
        };
        let agents = Agents::find(&around, &self.store_options())?;
        self.warn_of_unread(agents.unread());
        Ok(Around { settings, agents })
    }

    /// Finds the memory of one agent, and says what is odd about its definition and its folder.
    ///
    /// # Errors
    ///
    /// As [`Session::agents`]; the name is none, or the project leads out of itself by a link.
    pub(crate) fn agent(&mut self, which: &Which) -> Result<(Around, Place), CliError> {
        let name = AgentName::parse(&which.name).map_err(|fault| {
            CliError::refused(format!("`{}` is no name of an agent", which.name))
                .because(fault.to_string())
        })?;
        let around = self.agents()?;
        let place = around.agents.place(&name, which.scope);
        // Whoever asks writes into what is printed.
        place.open(self.store_options())?;
        self.warn_of_definition(&place);
        if place.folder != name.client_folder() {
            let what = format!("Claude Code keeps the memory of `{name}` in another folder");
            let warning = CliError::warning(what)
                .at(place.directory().with_file_name(name.client_folder()).display().to_string())
                .because("other names share that folder, or would on some disks");
            self.out.warn(
                &warning
                    .hint("a name of small letters, digits, `-` and `_` has one folder in both"),
            );
        }
        Ok((around, place))
    }

    fn warn_of_definition(&mut self, place: &Place) {
        let Some((definition, file)) = &place.definition else { return };
        if let Some(memory) = &definition.unknown_memory {
            let what = format!("`memory: {memory}` in the definition is no scope and was ignored");
            let warning = CliError::warning(what).at(file.display().to_string());
            self.out.warn(&warning.hint("user, project and local are"));
        }
    }

    /// Says what may define an agent or be its memory and was not read.
    pub(crate) fn warn_of_unread(&mut self, unread: &[Unread]) {
        for Unread { path, reason, .. } in unread {
            let warning =
                CliError::warning("what may define an agent or be its memory was not read");
            self.out.warn(&warning.at(path.display().to_string()).because(reason.clone()));
        }
    }

    /// Reads the memory of an agent, its snapshot, and what is recorded of the two.
    ///
    /// # Errors
    ///
    /// The memory or the record cannot be read.
    pub(crate) fn standing(&self, place: &Place) -> Result<Standing, CliError> {
        let memory = match place.open(self.store_options())? {
            Some(store) => files(&store).map_err(|error| of_files(error, place))?,
            None => Files::default(),
        };
        let now = self.world.now();
        let snapshot = match place.open_snapshot(self.store_options()) {
            Ok(Some(store)) => snapshot(&store, now),
            Ok(None) => Ok(None),
            Err(error) => Err(error.into()),
        };
        let state = match LocalDir::open(&self.agent_state()?, self.store_options()) {
            Ok(store) => Some(store),
            Err(StoreError::Absent { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        let directory = place.directory().display().to_string();
        let synced_from = state.map(|store| synced_from(&store, &directory, now)).transpose()?;
        Ok(Standing { memory, snapshot, synced_from: synced_from.flatten() })
    }

    /// Records that the memory of an agent has taken in or dismissed a snapshot.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub(crate) fn record_agent(&self, place: &Place, stamp: &Stamp) -> Result<(), CliError> {
        let store = LocalDir::open_or_create(&self.agent_state()?, self.store_options())?;
        let directory = place.directory().display().to_string();
        record_synced(&store, &directory, stamp, &self.attribution()).map_err(|error| {
            let what = error.to_string();
            CliError::from(error.source).hint(what)
        })
    }

    /// Where it is kept which snapshots were taken in: the user's own state, since memories of projects are shared.
    fn agent_state(&self) -> Result<PathBuf, CliError> {
        let state = self.world.state_home();
        let state = state.ok_or_else(|| {
            CliError::usage("the folder for the user's state is not known")
                .hint("set HOME or XDG_STATE_HOME")
        })?;
        Ok(state.join("memdir").join("agents"))
    }
}

/// What was read of a memory is too much for a snapshot, or could not be read.
pub(crate) fn of_files(error: FilesError, place: &Place) -> CliError {
    match error {
        FilesError::Store(error) => error.into(),
        other => CliError::refused(other.to_string()).at(place.directory().display().to_string()),
    }
}

/// A snapshot that is not used.
pub(crate) fn of_snapshot(error: &SnapshotError, place: &Place) -> CliError {
    CliError::refused("the snapshot is not used; nothing of it was read into the memory")
        .at(place.snapshot_directory().display().to_string())
        .because(chain(error))
}

/// There is no snapshot to begin with or to merge.
pub(crate) fn no_snapshot(place: &Place) -> CliError {
    CliError::new(Exit::Nothing, "the agent has no snapshot")
        .at(place.snapshot_directory().display().to_string())
        .hint(command(place, "save", None))
}

/// A command on the snapshot of an agent, as one types it.
pub(crate) fn command(place: &Place, verb: &str, option: Option<&str>) -> String {
    let name = place.name.as_ref().map_or(&*place.folder, AgentName::as_str);
    let option = option.map(|option| format!(" {option}")).unwrap_or_default();
    let end = if name.starts_with('-') { " --" } else { "" };
    format!("memdir agent snapshot {verb} --scope {}{option}{end} {}", place.scope, quoted(name))
}

/// A word for what is to be done.
pub(crate) fn meaning(state: State) -> &'static str {
    match state {
        State::Initialize => "there is a snapshot to begin with",
        State::PromptUpdate => "the snapshot is newer than what the memory has taken in",
        _ => "nothing to do",
    }
}
