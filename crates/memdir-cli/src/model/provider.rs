//! The provider that settings name. It comes into being with the first request that the budget lets through.

use std::path::PathBuf;
use std::sync::OnceLock;

use async_trait::async_trait;
use memdir::store::LocalDir;
use memdir_model::{Error, Model, Request, Response};
use memdir_providers::{Anthropic, Command, Form, OpenAi, Options};

use super::key::Access;
use crate::config::{self, ModelSettings, Reach};
use crate::env::{self, World};
use crate::place::Session;

/// The folder in which a program answers, beside what memdir keeps for a user. It stays empty.
const EMPTY: &str = "empty";

/// A provider.
#[derive(Debug)]
pub(super) enum Provider {
    Server(Box<Server>),
    Program(Command),
}

#[derive(Debug)]
pub(super) struct Server {
    options: Options,
    access: Access,
    kind: Kind,
    api: OnceLock<Api>,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Anthropic,
    OpenAi,
}

#[derive(Debug)]
enum Api {
    Anthropic(Anthropic),
    OpenAi(OpenAi),
}

impl Provider {
    /// Looks at all that settings say; sends nothing and starts nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where no request could be sent as settings are.
    pub(super) fn of(session: &Session, settings: &ModelSettings) -> Result<Self, Error> {
        let name = settings.name.as_ref().map(|name| name.value.as_str());
        let kind = match settings.provider.value {
            config::Provider::OpenAi => Kind::OpenAi,
            config::Provider::Anthropic | config::Provider::Command => Kind::Anthropic,
        };
        match &settings.reach {
            Reach::Server { address, key } => {
                let options = Options::new(&address.value, name.unwrap_or_default())?;
                let access = Access::of(key, address)?;
                let server = Server { options, access, kind, api: OnceLock::new() };
                Ok(Self::Server(Box::new(server)))
            }
            Reach::Program(program) => {
                let program =
                    env::program(&program.value).map_err(|what| Error::Invalid { what })?;
                let command = Command::new(program, empty_folder(session)?);
                let command = command.environment(World::everything());
                Ok(Self::Program(name.iter().fold(command, |command, name| command.model(*name))))
            }
        }
    }

    /// How JSON was asked for at last; `None` where nothing was asked.
    pub(super) fn form(&self) -> Option<&'static str> {
        match self {
            Self::Server(server) => Some(word(match server.api.get()? {
                Api::Anthropic(api) => api.form(),
                Api::OpenAi(api) => api.form(),
            })),
            Self::Program(_) => Some(word(Form::Schema)),
        }
    }
}

#[async_trait]
impl Model for Provider {
    async fn complete(&self, request: &Request) -> Result<Response, Error> {
        match self {
            Self::Server(server) => server.complete(request).await,
            Self::Program(command) => command.complete(request).await,
        }
    }
}

impl Server {
    async fn complete(&self, request: &Request) -> Result<Response, Error> {
        let api = if let Some(api) = self.api.get() {
            api
        } else {
            let made = self.make().await?;
            self.api.get_or_init(|| made)
        };
        match api {
            Api::Anthropic(api) => api.complete(request).await,
            Api::OpenAi(api) => api.complete(request).await,
        }
    }

    async fn make(&self) -> Result<Api, Error> {
        let key = self.access.key().await?;
        let options = key.into_iter().fold(self.options.clone(), Options::key);
        Ok(match self.kind {
            Kind::Anthropic => Api::Anthropic(Anthropic::new(options)),
            Kind::OpenAi => Api::OpenAi(OpenAi::new(options)),
        })
    }
}

fn word(form: Form) -> &'static str {
    match form {
        Form::Schema => "schema",
        Form::Tool => "tool",
        Form::Object => "object",
        Form::Words => "words",
        _ => "another way",
    }
}

/// Makes the folder for a program.
fn empty_folder(session: &Session) -> Result<PathBuf, Error> {
    let invalid = |what: String| Error::Invalid { what };
    let folder = session.state_folder().ok_or_else(|| {
        invalid("there is no folder to start a program in, as HOME is not set".to_owned())
    })?;
    let made = LocalDir::open_or_create(&folder, session.store_options()).map(drop);
    made.map_err(|error| invalid(format!("`{}` cannot be opened: {error}", folder.display())))?;
    let empty = folder.join(EMPTY);
    #[expect(clippy::disallowed_methods, reason = "a folder of ours, below one that is there")]
    let made = std::fs::create_dir(&empty);
    match made {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
            Err(invalid(format!("`{}` cannot be made: {error}", empty.display())))
        }
        Ok(()) | Err(_) => Ok(empty),
    }
}
