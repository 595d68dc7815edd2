//! A program that answers: `claude -p`, with the login of whoever runs it.

mod answer;
mod ask;
mod process;

use std::{
    ffi::OsString,
    fmt,
    path::{Path, PathBuf},
};

use async_trait::async_trait;
use memdir_model::{Error, Model, Request, Response};

use crate::{Key, limits, told::told};

/// The variable that every program gets which is started here, with the value `1`: hooks of memdir do nothing where it is set, or an
/// agent that a hook starts would start the next one.
pub const HOOK_DEPTH: &str = "MEMDIR_HOOK_DEPTH";

/// A model behind Claude Code in its mode for programs.
///
/// The program gets the environment that is handed over and no other, no tools, no hooks, no servers of tools, and an empty folder
/// to work in. It keeps no session. It is ended, with all that it started, when the future is dropped. It needs a runtime of tokio
/// with IO.
#[derive(Clone)]
pub struct Command {
    program: PathBuf,
    folder: PathBuf,
    environment: Vec<(OsString, OsString)>,
    model: Option<String>,
    max_answer_bytes: u64,
}

impl Command {
    /// Takes the path of the program and an empty folder, which is looked at before each request. Both are absolute.
    pub fn new(program: impl Into<PathBuf>, folder: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            folder: folder.into(),
            environment: Vec::new(),
            model: None,
            max_answer_bytes: limits::ANSWER_BYTES,
        }
    }

    /// Hands over an environment. The program finds its user's login by `HOME` or `CLAUDE_CONFIG_DIR`.
    ///
    /// What describes the session in which the caller itself may run, such as `CLAUDECODE`, is left out.
    #[must_use]
    pub fn environment(
        self,
        variables: impl IntoIterator<Item = (impl Into<OsString>, impl Into<OsString>)>,
    ) -> Self {
        let variables = variables.into_iter().map(|(name, value)| (name.into(), value.into()));
        let environment = variables.filter(|(name, _)| !ask::is_of_a_session(name)).collect();
        Self { environment, ..self }
    }

    /// Names a model, or an alias that the program knows; otherwise it takes its own.
    #[must_use]
    pub fn model(self, model: impl Into<String>) -> Self {
        Self { model: Some(model.into()), ..self }
    }

    /// Reads at most so many bytes of its output. Default: [`limits::ANSWER_BYTES`].
    #[must_use]
    pub fn max_answer_bytes(self, max_answer_bytes: u64) -> Self {
        Self { max_answer_bytes, ..self }
    }

    /// Makes one line of what the program says, without the keys in its environment.
    fn told(&self, text: &str) -> String {
        let is_secret = |name: &str| {
            ["KEY", "TOKEN", "SECRET", "PASSWORD", "PROXY", "HEADERS"]
                .iter()
                .any(|part| name.to_ascii_uppercase().contains(part))
        };
        let named = self.environment.iter().filter(|(name, _)| is_secret(&name.to_string_lossy()));
        let keys: Vec<_> = named.map(|(_, value)| Key::new(value.to_string_lossy())).collect();
        told(text, &keys)
    }

    fn failed(&self, what: String) -> Error {
        Error::Program { program: name(&self.program), what }
    }
}

/// Names of variables are shown, values are not.
impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.environment.iter().map(|(name, _)| name).collect();
        f.debug_struct("Command")
            .field("program", &self.program)
            .field("folder", &self.folder)
            .field("environment", &names)
            .field("model", &self.model)
            .field("max_answer_bytes", &self.max_answer_bytes)
            .finish()
    }
}

fn name(program: &Path) -> String {
    program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned()
}

#[async_trait]
impl Model for Command {
    async fn complete(&self, request: &Request) -> Result<Response, Error> {
        let ask = ask::Ask::of(request, self.model.as_deref())?;
        let ended = process::run(self, &ask).await?;
        answer::read(self, &ended)
    }
}
