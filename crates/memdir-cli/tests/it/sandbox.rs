//! The command in a home and a project of its own, at a fixed time, and its output as one text.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

/// 2026-11-30T09:00:00Z, a Monday.
const NOW: (&str, u64) = ("2026-11-30T09:00:00Z", 1_796_029_200);

pub(crate) struct Sandbox {
    _temp: TempDir,
    /// Without links, so that it is what the command finds.
    root: PathBuf,
    env: Vec<(String, String)>,
}

impl Sandbox {
    /// A home and a git project; `MEMDIR_MEMORY_DIR` names `$TEST_ENV/memory`, which does not exist yet.
    pub(crate) fn new() -> Self {
        let mut sandbox = Self::without_memory_dir();
        let memory = sandbox.memory().to_str().unwrap().to_owned();
        sandbox.env.push(("MEMDIR_MEMORY_DIR".to_owned(), memory));
        sandbox
    }

    /// The same with nothing that names the directory.
    pub(crate) fn without_memory_dir() -> Self {
        let temp = TempDir::new().unwrap();
        let root = temp.path().canonicalize().unwrap();
        let env = vec![("MEMDIR_NOW".to_owned(), NOW.0.to_owned())];
        let sandbox = Self { _temp: temp, root, env };
        for folder in ["home", "project/src", "project/.git/objects", "project/.git/refs"] {
            fs::create_dir_all(sandbox.path(folder)).unwrap();
        }
        fs::write(sandbox.path("project/.git/HEAD"), "ref: refs/heads/main\n").unwrap();
        let home = sandbox.path("home").to_str().unwrap().to_owned();
        sandbox.env("HOME", home)
    }

    /// Sets a variable for all runs that follow; an empty value takes it away.
    pub(crate) fn env(mut self, name: &str, value: impl Into<String>) -> Self {
        self.env.retain(|(known, _)| known != name);
        let value = value.into();
        if !value.is_empty() {
            self.env.push((name.to_owned(), value));
        }
        self
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.root.join(below)
    }

    pub(crate) fn memory(&self) -> PathBuf {
        self.path("memory")
    }

    /// Writes a file below the sandbox, dated `days` before the fixed time.
    pub(crate) fn write(&self, path: &str, days: u64, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        let at = SystemTime::UNIX_EPOCH + Duration::from_secs(NOW.1 - days * 86_400);
        fs::File::options().append(true).open(&path).unwrap().set_modified(at).unwrap();
    }

    /// A well-formed memory file.
    pub(crate) fn memorize(
        &self,
        file: &str,
        days: u64,
        kind: &str,
        name: &str,
        description: &str,
        body: &str,
    ) {
        let text = format!(
            "---\nname: {name}\ndescription: {description}\nmetadata:\n  type: {kind}\n---\n\n{body}\n"
        );
        self.write(&format!("memory/{file}"), days, text);
    }

    /// Copies the memory directory of a case.
    pub(crate) fn copy_case(&self, case: &str) {
        let from =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(case).join("memory");
        for path in fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_str().unwrap();
            self.write(&format!("memory/{name}"), 0, fs::read(&path).unwrap());
        }
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    pub(crate) fn output<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Output {
        self.output_in("project", args, b"")
    }

    pub(crate) fn output_in<S: AsRef<OsStr>>(
        &self,
        folder: &str,
        args: impl IntoIterator<Item = S>,
        stdin: &[u8],
    ) -> Output {
        self.output_of(Path::new(env!("CARGO_BIN_EXE_memdir")), folder, args, stdin)
    }

    /// Runs a program, which need not bear our name.
    pub(crate) fn output_of<S: AsRef<OsStr>>(
        &self,
        program: &Path,
        folder: &str,
        args: impl IntoIterator<Item = S>,
        stdin: &[u8],
    ) -> Output {
        let mut command = self.command(program, folder);
        given(command.args(args).stdout(Stdio::piped()), stdin)
    }

    /// Runs the command with a stdout of the test's own.
    #[cfg(target_os = "linux")]
    pub(crate) fn status_to<S: AsRef<OsStr>>(
        &self,
        folder: &str,
        args: impl IntoIterator<Item = S>,
        stdin: &[u8],
        stdout: Stdio,
    ) -> std::process::ExitStatus {
        self.output_to(folder, args, stdin, stdout).status
    }

    /// As [`Sandbox::status_to`], with what was said on stderr.
    #[cfg(target_os = "linux")]
    pub(crate) fn output_to<S: AsRef<OsStr>>(
        &self,
        folder: &str,
        args: impl IntoIterator<Item = S>,
        stdin: &[u8],
        stdout: Stdio,
    ) -> Output {
        let mut command = self.command(Path::new(env!("CARGO_BIN_EXE_memdir")), folder);
        given(command.args(args).stdout(stdout), stdin)
    }

    fn command(&self, program: &Path, folder: &str) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(self.env.iter().map(|(name, value)| (name, value)));
        command.current_dir(self.path(folder));
        command
    }

    /// Runs the command in the project and shows all that came of it.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> String {
        self.show(&self.output(args))
    }

    /// The same with an input, in any folder of the sandbox.
    pub(crate) fn run_in<S: AsRef<OsStr>>(
        &self,
        folder: &str,
        args: impl IntoIterator<Item = S>,
        stdin: &str,
    ) -> String {
        self.show(&self.output_in(folder, args, stdin.as_bytes()))
    }

    /// Runs the command in the project with a limit of one or two kilobytes on the size of files.
    #[cfg(unix)]
    pub(crate) fn run_limited(&self, args: &[&str]) -> String {
        let mut command = Command::new("sh");
        command.env_clear().envs(self.env.iter().map(|(name, value)| (name, value)));
        command.current_dir(self.path("project"));
        command.args(["-c", "ulimit -f 1; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_memdir")]);
        self.show(&command.args(args).output().unwrap())
    }

    /// Runs the command in a folder that is gone by then.
    #[cfg(unix)]
    pub(crate) fn run_nowhere(&self, args: &[&str]) -> String {
        let mut command = Command::new("sh");
        command.env_clear().envs(self.env.iter().map(|(name, value)| (name, value)));
        command
            .current_dir(&self.root)
            .args(["-c", "mkdir gone && cd gone && rmdir ../gone && exec \"$@\""]);
        self.show(&command.args(["sh", env!("CARGO_BIN_EXE_memdir")]).args(args).output().unwrap())
    }

    /// Both streams and the exit code; JSON on one line is indented.
    pub(crate) fn show(&self, output: &Output) -> String {
        let mut text = indented(&String::from_utf8(output.stdout.clone()).unwrap());
        if !output.stderr.is_empty() {
            text.push_str("------- stderr -------\n");
            for line in String::from_utf8(output.stderr.clone()).unwrap().lines() {
                text.push_str(&indented(&format!("{line}\n")));
            }
        }
        writeln!(text, "[exit status: {}]", output.status.code().unwrap()).unwrap();
        self.neutral(&text)
    }

    /// The temporary root as `$TEST_ENV`, its slug as `$SLUG`, ids of operations as `$OP1`, `$OP2` by first appearance.
    fn neutral(&self, text: &str) -> String {
        let root = self.root.to_str().unwrap();
        let slug: String =
            root.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let mut text = text.replace(root, "$TEST_ENV").replace(&slug, "$SLUG");
        let mut seen = Vec::new();
        while let Some(id) = operation(&text) {
            seen.push(());
            text = text.replace(&id, &format!("$OP{}", seen.len()));
        }
        text
    }
}

/// Runs a command with an input.
fn given(command: &mut Command, stdin: &[u8]) -> Output {
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A command that reads no stdin may be gone already.
    drop(child.stdin.take().unwrap().write_all(stdin));
    child.wait_with_output().unwrap()
}

/// The first id of an operation, `20261130-090000-4f2a9c1b`.
fn operation(text: &str) -> Option<String> {
    let shape = "dddddddd-dddddd-xxxxxxxx";
    let fits = |window: &&[u8]| {
        window.iter().zip(shape.bytes()).all(|(byte, kind)| match kind {
            b'd' => byte.is_ascii_digit(),
            b'x' => byte.is_ascii_hexdigit(),
            other => *byte == other,
        })
    };
    let found = text.as_bytes().windows(shape.len()).find(fits)?;
    Some(String::from_utf8(found.to_vec()).unwrap())
}

fn indented(text: &str) -> String {
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(value) if text.starts_with('{') => serde_json::to_string_pretty(&value).unwrap() + "\n",
        Ok(_) | Err(_) => text.to_owned(),
    }
}

/// Every file below a folder, sorted, without memdir's own state.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(current) = open.pop() {
        let Ok(entries) = fs::read_dir(&current) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            if !path.is_dir() {
                found.push(name);
            } else if name != ".memdir" {
                open.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The arguments that save a memory of type `user`, with a reason.
pub(crate) fn save<'a>(name: &'a str, body: &'a str) -> [&'a str; 11] {
    [
        "save",
        "--type",
        "user",
        "--name",
        name,
        "--description",
        "d",
        "--body",
        body,
        "--reason",
        "asked to",
    ]
}

/// Fails unless the command ended well.
#[track_caller]
pub(crate) fn done(ran: &str) {
    assert!(ran.ends_with("[exit status: 0]\n"), "{ran}");
}

/// The ids of all operations, newest first.
pub(crate) fn ops(sandbox: &Sandbox) -> Vec<String> {
    let log = sandbox.output(["log", "--json"]).stdout;
    let log: serde_json::Value = serde_json::from_slice(&log).expect("JSON");
    let ops = log.get("operations").and_then(serde_json::Value::as_array).expect("a list");
    let id = |op: &serde_json::Value| op.get("op")?.as_str().map(str::to_owned);
    ops.iter().map(|op| id(op).expect("an id")).collect()
}

/// One list of arguments behind another.
pub(crate) fn with<'a>(args: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    args.iter().chain(more).copied().collect()
}
