//! A home, a project and a memory directory of their own for each test, and the command run in them.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::TempDir;

/// The time that the command believes in.
pub(crate) const NOW: &str = "2026-11-30T09:00:00Z";

pub(crate) struct Sandbox {
    root: TempDir,
}

/// What a run of the command gave.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) exit: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            exit: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Stdout as JSON; the run must have ended with `exit`.
    pub(crate) fn json(&self, exit: i32) -> Value {
        assert_eq!(self.exit, Some(exit), "{self:#?}");
        serde_json::from_str(&self.stdout).unwrap()
    }

    /// The run must have ended with 0 and said nothing on stderr.
    pub(crate) fn quietly(&self) -> &Self {
        assert_eq!((self.exit, self.stderr.as_str()), (Some(0), ""), "{self:#?}");
        self
    }
}

impl Sandbox {
    /// A home, and a git project with a sub folder; no memory directory yet.
    pub(crate) fn new() -> Self {
        let sandbox = Self::bare();
        for folder in ["home", "project/src", "project/.git/objects", "project/.git/refs"] {
            fs::create_dir_all(sandbox.path(folder)).unwrap();
        }
        fs::write(sandbox.path("project/.git/HEAD"), "ref: refs/heads/main\n").unwrap();
        sandbox
    }

    /// Nothing yet.
    pub(crate) fn bare() -> Self {
        Self { root: TempDir::new().unwrap() }
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.root.path().canonicalize().unwrap().join(below)
    }

    /// The memory directory that tests pass by `--memory-dir` unless they are about finding it.
    pub(crate) fn memory(&self) -> PathBuf {
        self.path("memory")
    }

    pub(crate) fn write(&self, below_memory: &str, bytes: impl AsRef<[u8]>) {
        let path = self.memory().join(below_memory);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// The command in the project, with nothing of the caller's environment.
    pub(crate) fn bare_command(&self, folder: &str) -> Command {
        let mut command = Command::new(binary());
        command.env_clear().env("HOME", self.path("home")).env("MEMDIR_NOW", NOW);
        command.current_dir(self.path(folder)).stdin(Stdio::null());
        command
    }

    pub(crate) fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = self.bare_command("project");
        command.env("MEMDIR_MEMORY_DIR", self.memory()).args(args);
        command
    }

    pub(crate) fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Ran {
        Ran::of(self.command(args).output().unwrap())
    }

    pub(crate) fn spawn<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Child {
        self.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }
}

/// Every file below a folder with its bytes, links as their target; private state of memdir left out.
pub(crate) fn tree(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(current) = open.pop() {
        for entry in fs::read_dir(&current).unwrap().map(Result::unwrap) {
            let path = entry.path();
            let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                if name != ".memdir" {
                    open.push(path);
                }
            } else if kind.is_symlink() {
                found.push((
                    name,
                    fs::read_link(&path).unwrap().as_os_str().as_encoded_bytes().to_vec(),
                ));
            } else {
                found.push((name, fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// Names below a folder that look like something a writer left behind.
pub(crate) fn leftovers(folder: &Path) -> Vec<String> {
    tree(folder).into_iter().map(|(name, _)| name).filter(|name| name.contains("tmp")).collect()
}

/// The binary under test: `MEMDIR_BIN`, else built from this workspace once a process.
pub(crate) fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        if let Some(given) = std::env::var_os("MEMDIR_BIN") {
            return given.into();
        }
        let test = std::env::current_exe().unwrap();
        let folder =
            test.ancestors().find(|folder| folder.ends_with("deps")).unwrap().parent().unwrap();
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut build = Command::new(cargo);
        // The flags of the checks of the whole workspace, so that nothing is built twice.
        build.args(["build", "--quiet", "--workspace", "--exclude", "xtask", "--all-features"]);
        build.args(["--bin", "memdir", "--target-dir"]).arg(folder.parent().unwrap());
        build.current_dir(env!("CARGO_MANIFEST_DIR"));
        if folder.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().unwrap().success(), "the command does not build");
        folder.join(if cfg!(windows) { "memdir.exe" } else { "memdir" })
    })
}
