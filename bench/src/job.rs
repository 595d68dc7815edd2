//! The jobs that the goals name.

pub mod hook;
pub mod recall;
pub mod rules;
pub mod save;
pub mod scan;
pub mod start;
pub mod transcript;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context as _, bail};

/// A question that memories of the input answer.
const QUESTION: &str = "when does the mooring winch storm runbook apply?";

/// What every job needs.
#[derive(Debug)]
#[non_exhaustive]
pub struct Setting {
    /// Where inputs are made; on the disk whose fsync is measured.
    pub scratch: PathBuf,
    /// This program, for probes.
    pub bench: PathBuf,
    /// The program that does nothing.
    pub empty: PathBuf,
    /// The command.
    pub memdir: PathBuf,
    /// Pairs of each comparison.
    pub pairs: usize,
    /// Whether the large directory is measured too.
    pub extent: Extent,
}

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Extent {
    /// 200 and 10,000 memories, sessions of 1 and 50 MB.
    Default,
    /// Also 100,000 memories and a session of 500 MB.
    Full,
}

impl Setting {
    /// Makes an empty folder for one input.
    fn folder(&self) -> anyhow::Result<tempfile::TempDir> {
        tempfile::tempdir_in(&self.scratch)
            .with_context(|| format!("no folder in `{}`", self.scratch.display()))
    }

    /// The command on a memory directory, without the caller's environment, output dropped.
    fn command(&self, memory: &Path) -> Command {
        let mut command = Command::new(&self.memdir);
        command.env_clear().env("HOME", &self.scratch).current_dir(&self.scratch);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.arg("--memory-dir").arg(memory);
        command
    }
}

fn succeed(command: &mut Command) -> anyhow::Result<()> {
    let status = command.status().with_context(|| name(command.get_program()))?;
    check(command, status)
}

/// What a command that succeeds writes to its stdout.
fn output(command: &mut Command) -> anyhow::Result<Vec<u8>> {
    let output =
        command.stdout(Stdio::piped()).output().with_context(|| name(command.get_program()))?;
    check(command, output.status)?;
    Ok(output.stdout)
}

fn check(command: &Command, status: ExitStatus) -> anyhow::Result<()> {
    if !status.success() {
        bail!("{} ended with {status}", name(command.get_program()));
    }
    Ok(())
}

fn name(program: &OsStr) -> String {
    format!("`{}`", program.display())
}
