//! The only reader of the environment, the clock, the working folder and the terminal.
//!
//! Every name that the command looks at stands in [`VARIABLES`], with what it does; help and manual print that table.

#![expect(
    clippy::disallowed_methods,
    reason = "the binary reads the world here and hands it on as data"
)]

mod programs;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use memdir::core::age::parse_date;

use crate::error::CliError;
use crate::output::Form;

pub(crate) use programs::{own_command, program};

pub(crate) const MEMORY_DIR: &str = "MEMDIR_MEMORY_DIR";
pub(crate) const AUTO_MEMORY: &str = "MEMDIR_AUTO_MEMORY";
pub(crate) const SELECTOR: &str = "MEMDIR_SELECTOR";
pub(crate) const MODEL_NAME: &str = "MEMDIR_MODEL_NAME";
pub(crate) const ANTHROPIC_API_KEY: &str = "ANTHROPIC_API_KEY";
pub(crate) const OPENAI_API_KEY: &str = "OPENAI_API_KEY";
/// Both for people. Their values are looked up where one is sent, by [`World::secret`], and kept nowhere.
const KEYS_SHOWN: &str = "ANTHROPIC_API_KEY, OPENAI_API_KEY";
pub(crate) const HOOK_DEPTH: &str = "MEMDIR_HOOK_DEPTH";
const LOCK_WAIT: &str = "MEMDIR_LOCK_WAIT";
pub(crate) const NOW: &str = "MEMDIR_NOW";
pub(crate) const CLAUDE_CONFIG_DIR: &str = "CLAUDE_CONFIG_DIR";
pub(crate) const CLAUDE_PROJECT_DIR_NAME: &str = "CLAUDE_CODE_PROJECT_DIR_NAME";
pub(crate) const CLAUDE_REMOTE_MEMORY_DIR: &str = "CLAUDE_CODE_REMOTE_MEMORY_DIR";
pub(crate) const CLAUDE_MEMORY_PATH: &str = "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE";
pub(crate) const CLAUDE_DISABLE_AUTO_MEMORY: &str = "CLAUDE_CODE_DISABLE_AUTO_MEMORY";
pub(crate) const CLAUDE_DISABLE_RULES: &str = "CLAUDE_CODE_DISABLE_CLAUDE_MDS";
pub(crate) const CLAUDE_ADDED_RULES: &str = "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD";
pub(crate) const CLAUDE_SESSION_ID: &str = "CLAUDE_CODE_SESSION_ID";
const HOME: &str = "HOME";
const XDG_CONFIG_HOME: &str = "XDG_CONFIG_HOME";
const XDG_DATA_HOME: &str = "XDG_DATA_HOME";
const XDG_STATE_HOME: &str = "XDG_STATE_HOME";
const NO_COLOR: &str = "NO_COLOR";
const TERM: &str = "TERM";
const USERPROFILE: &str = "USERPROFILE";
const APPDATA: &str = "APPDATA";
const LOCALAPPDATA: &str = "LOCALAPPDATA";

/// Where applications on macOS keep their files, below the home folder.
const APPLICATION_SUPPORT: &str = "Library/Application Support";

/// Variables that agents set in the environment of the commands they run; any of them makes the command act as an agent.
macro_rules! agent_markers {
    ($first:literal $(, $more:literal)* $(,)?) => {
        const AGENT_MARKERS: &[&str] = &[$first $(, $more)*];
        /// The same for people.
        const AGENT_MARKERS_SHOWN: &str = concat!($first $(, ", ", $more)*);
    };
}

agent_markers!(
    "CLAUDECODE",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "CODEX_THREAD_ID",
    "GEMINI_CLI",
    "CURSOR_AGENT",
    "OPENCODE",
    "AI_AGENT",
);

/// How long the command waits for another writer. From the design: a person rather waits than types again.
const DEFAULT_LOCK_WAIT: Duration = Duration::from_secs(30);

/// Documented variables: name and what it does.
pub(crate) const VARIABLES: [(&str, &str); 23] = [
    (MEMORY_DIR, "The memory directory, absolute or starting with ~/; --memory-dir goes before it"),
    (AUTO_MEMORY, "0 turns automatic memory off, 1 on, before every settings file"),
    (
        SELECTOR,
        "What chooses memories in recall: lexical, model or auto, before config.toml; --selector goes before it",
    ),
    (
        MODEL_NAME,
        "The model that is asked, before `name` in config.toml; who answers, and where, only that file says",
    ),
    (
        KEYS_SHOWN,
        "The key to the provider's models, unless config.toml names another variable or a program that prints it",
    ),
    (LOCK_WAIT, "Seconds that a writer waits for another one, instead of 30"),
    (
        HOOK_DEPTH,
        "Above 0: hooks do nothing; for an agent that is itself started by a hook, so that none runs in circles",
    ),
    (NOW, "A fixed time for tests and replays, RFC 3339 (2026-11-30T09:00:00Z)"),
    (CLAUDE_CONFIG_DIR, "Where the client keeps its folders, instead of ~/.claude"),
    (
        CLAUDE_PROJECT_DIR_NAME,
        "The name of the project's folder below it, instead of the one made from its path",
    ),
    (CLAUDE_REMOTE_MEMORY_DIR, "Replaces ~/.claude as the base of memory directories only"),
    (CLAUDE_MEMORY_PATH, "The client's own override of the whole memory directory"),
    (CLAUDE_DISABLE_AUTO_MEMORY, "1 turns automatic memory off, 0 forces it on"),
    (CLAUDE_DISABLE_RULES, "1: there are no rules"),
    (CLAUDE_ADDED_RULES, "1: the rules of folders that `--add-dir` names are read"),
    (CLAUDE_SESSION_ID, "Recorded as the session that a change came from"),
    (
        AGENT_MARKERS_SHOWN,
        "Any of them set: the command acts as an agent, and what only a person may do is refused",
    ),
    (HOME, "The home folder"),
    (XDG_CONFIG_HOME, "Where memdir/config.toml lies, instead of ~/.config"),
    (XDG_DATA_HOME, "The base of layout `memdir`, instead of ~/.local/share"),
    (
        XDG_STATE_HOME,
        "Where memdir/ keeps what models cost and what hooks could not note in a memory directory, instead of ~/.local/state",
    ),
    (NO_COLOR, "Set to anything: no colour"),
    (TERM, "`dumb`: no colour"),
];

/// Who runs the command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Caller {
    Person,
    /// The variable that gave it away.
    Agent {
        marker: &'static str,
    },
}

/// What stdout and stderr are connected to.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Terminal {
    /// Columns of stdout; absent when it is not a terminal.
    pub(crate) columns: Option<usize>,
    /// Stderr is a terminal.
    pub(crate) stderr: bool,
    pub(crate) stdout_colour: bool,
    pub(crate) stderr_colour: bool,
}

/// The environment as it was when the command started; an empty variable counts as unset.
#[derive(Debug)]
pub(crate) struct World {
    vars: Variables,
    /// The fixed time of [`NOW`]; absent for the system's clock.
    pub(crate) fixed_now: Option<SystemTime>,
    /// How long a writer waits for another one.
    pub(crate) lock_wait: Duration,
    pub(crate) terminal: Terminal,
    /// The command as a person would type it, quoted for a shell.
    pub(crate) command_line: String,
}

impl World {
    /// Reads the world once.
    ///
    /// # Errors
    ///
    /// [`NOW`] or [`LOCK_WAIT`] holds something else than it should; a hook goes on as if it were not set.
    pub(crate) fn read(form: Form) -> Result<Self, CliError> {
        let known = VARIABLES
            .iter()
            .map(|(name, _)| *name)
            .filter(|name| ![AGENT_MARKERS_SHOWN, KEYS_SHOWN].contains(name));
        let names =
            known.chain(AGENT_MARKERS.iter().copied()).chain([USERPROFILE, APPDATA, LOCALAPPDATA]);
        let vars: Variables = names
            .filter_map(|name| Some((name, std::env::var_os(name)?)))
            .filter(|(_, value)| !value.is_empty())
            .collect();
        let (fixed_now, lock_wait) = match form {
            // It takes no lock, and whoever waits for the agent can do nothing about a variable now.
            Form::Hook => {
                (fixed_now(&vars).unwrap_or(None), lock_wait(&vars).unwrap_or(DEFAULT_LOCK_WAIT))
            }
            Form::Text | Form::Json => (fixed_now(&vars)?, lock_wait(&vars)?),
        };
        let colour =
            !vars.contains_key(NO_COLOR) && vars.get(TERM).is_none_or(|term| term != "dumb");
        let (stdout, stderr) = (io::stdout().is_terminal(), io::stderr().is_terminal());
        let terminal = Terminal {
            columns: if stdout {
                Some(terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0)))
            } else {
                None
            },
            stderr,
            stdout_colour: colour && stdout,
            stderr_colour: colour && stderr,
        };
        let args = args().map(|arg| quoted(&arg.to_string_lossy()));
        let command_line =
            ["memdir".to_owned()].into_iter().chain(args).collect::<Vec<_>>().join(" ");
        Ok(Self { vars, fixed_now, lock_wait, terminal, command_line })
    }

    /// The value of a variable of [`VARIABLES`]; absent when unset or empty.
    pub(crate) fn get(&self, name: &str) -> Option<&OsStr> {
        self.vars.get(name).map(OsString::as_os_str)
    }

    /// Like [`World::get`], for values that are text to us; bytes that are not UTF-8 are shown as U+FFFD.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.get(name).map(|value| value.to_string_lossy().into_owned())
    }

    /// Like [`World::get`], for values that name a folder.
    ///
    /// # Errors
    ///
    /// It is not UTF-8: read otherwise it would name another folder.
    pub(crate) fn path_text(&self, name: &str) -> Result<Option<String>, CliError> {
        let text = |value: &OsStr| {
            value.to_str().map(str::to_owned).ok_or_else(|| {
                CliError::usage("the value is not UTF-8")
                    .at(format!("the environment variable {name}"))
                    .because(value.to_string_lossy().into_owned())
            })
        };
        self.get(name).map(text).transpose()
    }

    /// A key, from the variable that settings name; absent when unset or empty.
    pub(crate) fn secret(name: &str) -> Option<OsString> {
        std::env::var_os(name).filter(|value| !value.is_empty())
    }

    /// The whole environment, for a program that has to find its user's login in it.
    pub(crate) fn everything() -> impl Iterator<Item = (OsString, OsString)> {
        std::env::vars_os()
    }

    /// The home folder; absent where neither `HOME` nor, on Windows, `USERPROFILE` names one by an absolute path: any other
    /// would lie in the folder that the command happens to stand in.
    pub(crate) fn home(&self) -> Option<PathBuf> {
        self.get(HOME)
            .or_else(|| self.get(USERPROFILE).filter(|_| cfg!(windows)))
            .map(PathBuf::from)
            .filter(|home| home.is_absolute())
    }

    /// The client's own folder, which holds its sessions; absent where there is no home.
    pub(crate) fn client_folder(&self) -> Option<PathBuf> {
        let named = self.get(CLAUDE_CONFIG_DIR).map(PathBuf::from);
        named.or_else(|| self.home().map(|home| home.join(".claude")))
    }

    /// The folder that holds `memdir/config.toml`.
    pub(crate) fn config_home(&self) -> Option<PathBuf> {
        self.platform_folder(XDG_CONFIG_HOME, APPDATA, ".config")
    }

    /// The platform's folder for data of layout `memdir`.
    pub(crate) fn data_home(&self) -> Option<PathBuf> {
        let below = if cfg!(target_os = "macos") { APPLICATION_SUPPORT } else { ".local/share" };
        self.platform_folder(XDG_DATA_HOME, LOCALAPPDATA, below)
    }

    /// The platform's folder for state that is of no use on another machine.
    pub(crate) fn state_home(&self) -> Option<PathBuf> {
        let below = if cfg!(target_os = "macos") { APPLICATION_SUPPORT } else { ".local/state" };
        self.platform_folder(XDG_STATE_HOME, LOCALAPPDATA, below)
    }

    /// The folder that the variable `xdg` names, or on Windows the variable `windows`, if it is absolute; else `below` the
    /// home folder.
    fn platform_folder(&self, xdg: &str, windows: &str, below: &str) -> Option<PathBuf> {
        let absolute = |name| self.get(name).map(PathBuf::from).filter(|path| path.is_absolute());
        absolute(xdg)
            .or_else(|| absolute(windows).filter(|_| cfg!(windows)))
            .or_else(|| self.home().map(|home| home.join(below)))
    }

    /// The folder the command was started in.
    ///
    /// # Errors
    ///
    /// It was removed or cannot be reached.
    pub(crate) fn current_dir() -> Result<PathBuf, CliError> {
        std::env::current_dir().map_err(|error| {
            CliError::io("the current folder cannot be read", &error)
                .hint("cd to a folder that exists, or name --project DIR or --memory-dir DIR by an absolute path")
        })
    }

    /// A path from the command line, absolute and without `.` and `..`; links are not looked at.
    ///
    /// # Errors
    ///
    /// It is relative, and the current folder cannot be read.
    pub(crate) fn absolute(path: &Path) -> Result<PathBuf, CliError> {
        let mut absolute = if path.is_absolute() { PathBuf::new() } else { Self::current_dir()? };
        for part in path.components() {
            match part {
                Component::ParentDir => {
                    absolute.pop();
                }
                Component::CurDir => {}
                Component::Normal(_) | Component::RootDir | Component::Prefix(_) => {
                    absolute.push(part);
                }
            }
        }
        Ok(absolute)
    }

    pub(crate) fn caller(&self) -> Caller {
        AGENT_MARKERS
            .iter()
            .copied()
            .find(|marker| self.vars.contains_key(marker))
            .map_or(Caller::Person, |marker| Caller::Agent { marker })
    }

    pub(crate) fn now(&self) -> SystemTime {
        self.fixed_now.unwrap_or_else(SystemTime::now)
    }
}

type Variables = BTreeMap<&'static str, OsString>;

/// The time that takes the place of the clock's, if one is set.
fn fixed_now(vars: &Variables) -> Result<Option<SystemTime>, CliError> {
    let time = |value: &OsString| {
        value.to_str().and_then(parse_date).ok_or_else(|| {
            CliError::usage(format!("`{}` is not a time", value.to_string_lossy()))
                .at(format!("the environment variable {NOW}"))
                .hint("write it like 2026-11-30T09:00:00Z, or unset it")
        })
    };
    vars.get(NOW).map(time).transpose()
}

/// How long a lock is waited for.
fn lock_wait(vars: &Variables) -> Result<Duration, CliError> {
    let Some(value) = vars.get(LOCK_WAIT) else { return Ok(DEFAULT_LOCK_WAIT) };
    let seconds = value.to_str().and_then(|text| text.parse().ok());
    seconds.map(Duration::from_secs).ok_or_else(|| {
        CliError::usage(format!("`{}` is no number of seconds", value.to_string_lossy()))
            .at(format!("the environment variable {LOCK_WAIT}"))
    })
}

/// For how long something has been going on.
#[derive(Debug)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// The arguments, the program's name not among them.
pub(crate) fn args() -> impl Iterator<Item = OsString> {
    std::env::args_os().skip(1)
}

/// Whether the command line asks for JSON; also one that cannot be understood does.
pub(crate) fn wants_json() -> bool {
    args().take_while(|arg| arg != "--").any(|arg| arg == "--json")
}

/// An argument as a POSIX shell takes it back.
pub(crate) fn quoted(arg: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,@%+".contains(c);
    if !arg.is_empty() && arg.chars().all(plain) {
        return arg.to_owned();
    }
    format!("'{}'", arg.replace('\'', r"'\''"))
}
