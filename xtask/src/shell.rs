//! Running other programs: shown before they run, never with a shell, never with standard input.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::Result;

/// A program about to be run in the workspace.
#[derive(Debug)]
pub(crate) struct Program {
    command: Command,
    shown: String,
}

/// What a program printed on standard output, and whether it succeeded.
#[derive(Debug)]
pub(crate) struct Printed {
    pub(crate) success: bool,
    pub(crate) stdout: String,
}

impl Program {
    pub(crate) fn new(name: impl AsRef<OsStr>, folder: &Path) -> Self {
        let mut command = Command::new(&name);
        command.current_dir(folder).stdin(Stdio::null());
        // `cargo run` sets it to the libraries of its own toolchain, which another toolchain must not load.
        command.env_remove("LD_LIBRARY_PATH");
        Self { command, shown: name.as_ref().to_string_lossy().into_owned() }
    }

    /// Cargo as the developer calls it, through rustup where there is one.
    pub(crate) fn cargo(folder: &Path) -> Self {
        Self::new("cargo", folder)
    }

    pub(crate) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.shown.push(' ');
        self.shown.push_str(&arg.as_ref().to_string_lossy());
        self.command.arg(arg);
        self
    }

    /// Adds the words of a line; none of them may hold a blank.
    pub(crate) fn words(self, line: &str) -> Self {
        line.split_whitespace().fold(self, Self::arg)
    }

    pub(crate) fn args<S: AsRef<OsStr>>(self, args: impl IntoIterator<Item = S>) -> Self {
        args.into_iter().fold(self, Self::arg)
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn env_clear(mut self) -> Self {
        self.command.env_clear();
        self
    }

    /// Runs with output to the terminal; true where it succeeded.
    pub(crate) fn run(mut self) -> Result<bool> {
        println!("$ {}", self.shown);
        let status = self.command.status().map_err(|error| format!("{}: {error}", self.shown))?;
        Ok(status.success())
    }

    /// Runs with output to the terminal and a copy of standard output for the caller.
    pub(crate) fn tee(mut self) -> Result<Printed> {
        println!("$ {}", self.shown);
        let mut child = self
            .command
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{}: {error}", self.shown))?;
        let mut stdout = String::new();
        if let Some(pipe) = child.stdout.take() {
            for line in BufReader::new(pipe).split(b'\n') {
                let line = line?;
                let line = String::from_utf8_lossy(&line);
                println!("{line}");
                stdout.push_str(&line);
                stdout.push('\n');
            }
        }
        Ok(Printed { success: child.wait()?.success(), stdout })
    }

    /// Runs silently for its standard output; an error holds what it printed on standard error.
    pub(crate) fn read(mut self) -> Result<String> {
        let output = self
            .command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .output()
            .map_err(|error| format!("{}: {error}", self.shown))?;
        if !output.status.success() {
            let stderr = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{}: {}: {stderr}", self.shown, output.status).into());
        }
        String::from_utf8(output.stdout).map_err(|error| format!("{}: {error}", self.shown).into())
    }
}

/// Whether `cargo <tool> --version` answers, i.e. the tool is installed.
pub(crate) fn has_cargo_tool(folder: &Path, tool: &str) -> bool {
    Program::cargo(folder).arg(tool).arg("--version").read().is_ok()
}

/// The lines of a `rustup` query; none where there is no rustup.
pub(crate) fn rustup_lines(folder: &Path, query: &str) -> Vec<String> {
    Program::new("rustup", folder)
        .words(query)
        .read()
        .map(|text| text.lines().map(str::to_owned).collect())
        .unwrap_or_default()
}
