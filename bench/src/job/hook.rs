//! S6: how many times the start of a program with clap a hook takes, which somebody waits for with every prompt.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};

use super::{QUESTION, Setting, output, succeed};
use crate::input::{self, Recipe};
use crate::measure::{Clock, Pairs};
use crate::table::Row;

/// Processes are noisy and cheap, so there are more pairs of them.
const MORE: usize = 4;
const REFERENCE: &str = "empty program with clap";

/// Measures whole processes: one with a memory to show, one with nothing new to show, and one with nothing to do.
pub fn run(setting: &Setting) -> anyhow::Result<Vec<Row>> {
    let home = setting.folder()?;
    let place = Place::new(setting, home.path().to_path_buf())?;
    let shown = place.input("shown", "", QUESTION)?;
    let known = place.input("known", "s1", QUESTION)?;
    let idle = place.input("idle", "s1", "/compact")?;
    // A prompt that is sent again brings what fits less, until all that fits is known.
    let mut calls = 0;
    while place.said(&known)? > 0 {
        calls += 1;
        if calls > 200 {
            bail!("the hook shows a memory twice");
        }
    }
    ensure!(calls > 0, "the hook showed nothing to begin with");
    let mut rows = Vec::new();
    for (what, input, answers, limit) in [
        // Each call that shows something makes the trail longer, until what was shown before is forgotten.
        ("all shown before", &known, false, Some(3.0)),
        ("a memory to show", &shown, true, Some(3.0)),
        ("nothing to do", &idle, false, Some(1.2)),
    ] {
        for (clock, time) in [(Clock::Children, "CPU"), (Clock::Wall, "wall")] {
            let pairs = Pairs::take(
                clock,
                setting.pairs * MORE,
                || succeed(&mut place.command(input)?),
                || succeed(&mut Command::new(setting.empty.with_file_name("memdir-bench-clap"))),
            )?;
            // A hook ends well whatever happens, so only its answer tells whether it did what the row says.
            let answered = place.said(input)? > 0;
            ensure!(answered == answers, "{what}: the hook gave an answer: {answered}");
            let job = format!("`memdir hook user-prompt-submit`, 200 memories, {what}, {time}");
            let limit = limit.filter(|_| matches!(clock, Clock::Children));
            rows.push(Row::ratio("S6", job, REFERENCE, &pairs, limit));
        }
    }
    Ok(rows)
}

/// A home with a project in it, whose memory directory is where a client would have it.
struct Place<'a> {
    setting: &'a Setting,
    home: PathBuf,
}

impl<'a> Place<'a> {
    fn new(setting: &'a Setting, home: PathBuf) -> anyhow::Result<Self> {
        let place = Self { setting, home };
        for folder in ["project/src", "project/.git/objects", "project/.git/refs"] {
            fs::create_dir_all(place.home.join(folder))?;
        }
        fs::write(place.home.join("project/.git/HEAD"), "ref: refs/heads/main\n")?;
        let start = place.input("start", "s1", "")?;
        let mut command = place.bare();
        succeed(command.args(["hook", "session-start"]).stdin(File::open(start)?))?;
        let told = output(place.bare().arg("path"))?;
        let memory = String::from_utf8(told).context("the path of the directory")?;
        input::write(memory.trim_end().as_ref(), Recipe::of(200))?;
        Ok(place)
    }

    /// A file with what a client says; an empty name of the conversation is none.
    fn input(&self, name: &str, session: &str, prompt: &str) -> anyhow::Result<PathBuf> {
        let cwd = self.home.join("project/src");
        let text = serde_json::json!({
            "session_id": session, "transcript_path": "/t.jsonl", "cwd": cwd, "permission_mode": "default",
            "hook_event_name": "UserPromptSubmit", "source": "startup", "prompt": prompt,
        });
        let file = self.home.join(format!("{name}.json"));
        fs::write(&file, text.to_string())?;
        Ok(file)
    }

    fn bare(&self) -> Command {
        let mut command = Command::new(&self.setting.memdir);
        command.env_clear().env("HOME", &self.home).current_dir(self.home.join("project/src"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Bytes of the answer.
    fn said(&self, input: &PathBuf) -> anyhow::Result<usize> {
        Ok(output(&mut self.command(input)?)?.len())
    }

    fn command(&self, input: &PathBuf) -> anyhow::Result<Command> {
        let mut command = self.bare();
        command.args(["hook", "user-prompt-submit"]).stdin(File::open(input)?);
        Ok(command)
    }
}
