//! A process within bounds: what it writes is capped, and it ends with the future, with all that it started.

#![expect(
    clippy::disallowed_methods,
    reason = "a program is started in a folder that has to be empty"
)]

use std::{
    fs, io,
    process::{ExitStatus, Stdio},
};

use memdir_model::Error;
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _},
    process::{Child, ChildStdin},
};

use super::{Command, ask::Ask};
use crate::limits;

/// What became of a program.
pub(super) struct Ended {
    pub(super) status: ExitStatus,
    pub(super) output: Vec<u8>,
    pub(super) complaint: String,
}

pub(super) async fn run(command: &Command, ask: &Ask) -> Result<Ended, Error> {
    let not_sent = |what: &str, error: &io::Error| Error::Invalid {
        what: format!(
            "`{}` {what}: {}",
            super::name(&command.program),
            command.told(&error.to_string())
        ),
    };
    let mut entries = fs::read_dir(&command.folder)
        .map_err(|error| not_sent("has no folder to work in", &error))?;
    if entries.next().is_some() {
        return Err(Error::Invalid {
            what: format!("the folder `{}` is not empty", command.folder.display()),
        });
    }
    let mut program = tokio::process::Command::new(&command.program);
    program
        .args(&ask.arguments)
        .env_clear()
        .envs(command.environment.iter().map(|(name, value)| (name, value)))
        .envs(ask.environment.iter().map(|(name, value)| (name, value)))
        .current_dir(&command.folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    #[cfg(unix)]
    program.process_group(0);
    let mut child = program.spawn().map_err(|error| not_sent("cannot be started", &error))?;
    let group = Group::of(&child);
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let ends = async {
        let status = child.wait().await;
        // What it left behind holds the pipes open, which are read to their end.
        group.end();
        status
    };
    let answers = async {
        let output = read(stdout, command.max_answer_bytes).await;
        if !matches!(output, Ok(Read::Whole(_))) {
            group.end();
        }
        output
    };
    let (status, output, complaint, ()) = tokio::join!(
        ends,
        answers,
        read_start(stderr, limits::ERROR_BYTES),
        write(stdin, &ask.prompt)
    );
    let broke = |error: io::Error| {
        command.failed(format!("broke off: {}", command.told(&error.to_string())))
    };
    let output = match output.map_err(broke)? {
        Read::Whole(output) => output,
        Read::Cut(_) => return Err(Error::TooLarge { limit: command.max_answer_bytes }),
    };
    let complaint = String::from_utf8_lossy(&complaint.map_err(broke)?).into_owned();
    Ok(Ended { status: status.map_err(broke)?, output, complaint })
}

/// A program may answer without having read everything, and what is wrong otherwise shows in how it ends.
async fn write(stdin: Option<ChildStdin>, prompt: &str) {
    if let Some(mut stdin) = stdin {
        drop(stdin.write_all(prompt.as_bytes()).await);
    }
}

enum Read {
    Whole(Vec<u8>),
    /// There was more than the limit.
    Cut(Vec<u8>),
}

async fn read(pipe: Option<impl AsyncRead + Unpin>, limit: u64) -> io::Result<Read> {
    let mut bytes = Vec::new();
    let Some(pipe) = pipe else { return Ok(Read::Whole(bytes)) };
    let mut pipe = pipe.take(limit.saturating_add(1));
    pipe.read_to_end(&mut bytes).await?;
    Ok(if bytes.len() as u64 > limit { Read::Cut(bytes) } else { Read::Whole(bytes) })
}

/// Reads what a program complains of; the rest goes nowhere, so that the program does not wait for a reader.
async fn read_start(mut pipe: Option<impl AsyncRead + Unpin>, limit: u64) -> io::Result<Vec<u8>> {
    let (Read::Whole(start) | Read::Cut(start)) = read(pipe.as_mut(), limit).await?;
    if let Some(mut pipe) = pipe {
        tokio::io::copy(&mut pipe, &mut tokio::io::sink()).await?;
    }
    Ok(start)
}

/// A program and all that it started, as far as that stays in its group; they end when this is dropped.
struct Group {
    #[cfg(unix)]
    leader: Option<rustix::process::Pid>,
}

impl Group {
    #[cfg(unix)]
    fn of(child: &Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        Self { leader: id.and_then(rustix::process::Pid::from_raw) }
    }

    /// Elsewhere the program alone ends, by `kill_on_drop`.
    #[cfg(not(unix))]
    fn of(_: &Child) -> Self {
        Self {}
    }

    fn end(&self) {
        #[cfg(unix)]
        if let Some(leader) = self.leader {
            use rustix::process::{Signal, kill_process_group};
            let _nobody_left = kill_process_group(leader, Signal::KILL);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}
