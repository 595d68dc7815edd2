//! The key to a provider: from a variable, or from a program that prints it.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use memdir_model::Error;
use memdir_providers::Key;
use tokio::io::AsyncReadExt as _;
use tokio::process::Command;
use tokio::time::timeout;

use crate::config::{KeySource, Known, Origin};
use crate::env::{self, World};

/// How long a helper may take; most ask a keyring, some a server.
const HELPER_TIME: Duration = Duration::from_secs(10);
/// Bytes of a key; tokens of companies reach some thousand.
const MAX_KEY_BYTES: u64 = 16 * 1024;

/// A key, or how to get it when it is needed.
#[derive(Debug)]
pub(super) enum Access {
    /// Servers on one's own machine need none.
    Keyless,
    Known(Key),
    Helper(Helper),
}

/// A program that prints a key.
#[derive(Debug)]
pub(super) struct Helper {
    program: PathBuf,
    arguments: Vec<String>,
}

impl Access {
    /// Looks a key up; a helper is found and not run yet.
    ///
    /// # Errors
    ///
    /// What settings name is not there. Without a word of theirs a server at an address of their own goes without a key.
    pub(super) fn of(source: &Known<KeySource>, address: &Known<String>) -> Result<Self, Error> {
        let named = match &source.value {
            KeySource::Variable(name) => name,
            KeySource::Helper(command) => {
                return Helper::of(command).map(Self::Helper).map_err(invalid);
            }
        };
        match World::secret(named).map(std::ffi::OsString::into_string) {
            Some(Ok(key)) => Ok(Self::Known(Key::new(key))),
            Some(Err(_)) => Err(invalid(format!("the key in the variable {named} is not UTF-8"))),
            None if [&source.origin, &address.origin] == [&Origin::Default, &Origin::Default] => {
                Err(invalid(format!("there is no key: the variable {named} is not set")))
            }
            None if source.origin == Origin::Default => Ok(Self::Keyless),
            None => {
                Err(invalid(format!("the variable {named}, which shall hold the key, is not set")))
            }
        }
    }

    /// Returns the key; `None` where none is sent.
    ///
    /// # Errors
    ///
    /// The helper brought none. What it printed is in no error.
    pub(super) async fn key(&self) -> Result<Option<Key>, Error> {
        match self {
            Self::Keyless => Ok(None),
            Self::Known(key) => Ok(Some(key.clone())),
            Self::Helper(helper) => {
                let printed = timeout(HELPER_TIME, helper.run()).await;
                let key = printed
                    .unwrap_or_else(|_| Err(format!("printed no key within {HELPER_TIME:?}")));
                key.map(Some)
                    .map_err(|what| invalid(format!("`{}` {what}", helper.program.display())))
            }
        }
    }
}

impl Helper {
    fn of(command: &[String]) -> Result<Self, String> {
        let (program, arguments) = command.split_first().ok_or("`key_command` names no program")?;
        Ok(Self { program: env::program(program)?, arguments: arguments.to_vec() })
    }

    async fn run(&self) -> Result<Key, String> {
        let mut child = Command::new(&self.program)
            .args(&self.arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            // What it says may hold the key.
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| format!("cannot be started: {error}"))?;
        let mut printed = Vec::new();
        if let Some(stdout) = child.stdout.take() {
            let read = stdout.take(MAX_KEY_BYTES + 1).read_to_end(&mut printed).await;
            read.map_err(|error| format!("cannot be read: {error}"))?;
        }
        if printed.len() as u64 > MAX_KEY_BYTES {
            return Err(format!("printed more than {MAX_KEY_BYTES} bytes, which is no key"));
        }
        let status = child.wait().await.map_err(|error| format!("broke off: {error}"))?;
        if !status.success() {
            return Err(format!("ended with {status} and brought no key"));
        }
        let printed = String::from_utf8(printed).map_err(|_| "printed a key that is not UTF-8")?;
        if printed.trim().is_empty() {
            Err("printed no key".to_owned())
        } else {
            Ok(Key::new(printed))
        }
    }
}

fn invalid(what: impl Into<String>) -> Error {
    Error::Invalid { what: what.into() }
}
