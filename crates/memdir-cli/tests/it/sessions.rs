//! Records of sessions as the client writes them, small.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::sandbox::Sandbox;

pub(crate) const FIRST: &str = "11111111-0000-4000-8000-000000000001";
pub(crate) const SECOND: &str = "22222222-0000-4000-8000-000000000002";

/// The lines of a session, each following the one before.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    session: String,
    cwd: PathBuf,
    pub(crate) lines: Vec<Value>,
}

impl Record {
    pub(crate) fn new(session: &str, cwd: impl AsRef<Path>) -> Self {
        Self { session: session.to_owned(), cwd: cwd.as_ref().to_path_buf(), lines: Vec::new() }
    }

    /// Adds a line with the fields of every message; `more` goes before them.
    pub(crate) fn entry(mut self, kind: &str, uuid: &str, more: &Value) -> Self {
        let parent = self.lines.iter().rev().find_map(|line| line.get("uuid").cloned());
        let mut line = json!({
            "parentUuid": parent, "isSidechain": false, "type": kind, "uuid": uuid, "sessionId": self.session,
            "cwd": self.cwd, "version": "2.1.332", "gitBranch": "main",
            "timestamp": format!("2026-11-29T10:{:02}:00.000Z", self.lines.len()),
        });
        let fields = line.as_object_mut().unwrap();
        fields.extend(more.as_object().unwrap().clone());
        self.lines.push(line);
        self
    }

    /// Adds a line that is no message.
    pub(crate) fn line(mut self, line: Value) -> Self {
        self.lines.push(line);
        self
    }

    pub(crate) fn user(self, uuid: &str, text: &str) -> Self {
        self.entry("user", uuid, &json!({"message": {"role": "user", "content": text}}))
    }

    /// One block of a reply.
    pub(crate) fn block(self, uuid: &str, reply: &str, block: &Value) -> Self {
        let message = json!({"role": "assistant", "id": reply, "model": "m", "content": [block]});
        self.entry("assistant", uuid, &json!({"message": message}))
    }

    pub(crate) fn says(self, uuid: &str, text: &str) -> Self {
        self.block(uuid, &format!("msg_{uuid}"), &json!({"type": "text", "text": text}))
    }

    pub(crate) fn calls(self, uuid: &str, reply: &str, tool: &str) -> Self {
        let block = json!({"type": "tool_use", "id": format!("t-{uuid}"), "name": tool, "input": {"path": uuid}});
        self.block(uuid, reply, &block)
    }

    /// The result of a call, whose parent is the line of the call.
    pub(crate) fn result(self, uuid: &str, call: &str, text: &str) -> Self {
        let block =
            json!({"type": "tool_result", "tool_use_id": format!("t-{call}"), "content": text});
        let message = json!({"role": "user", "content": [block]});
        self.entry("user", uuid, &json!({"parentUuid": call, "message": message}))
    }

    /// A boundary that keeps messages by name, and its summary.
    pub(crate) fn compacted(self, uuid: &str, summary: &str, kept: &[&str]) -> Self {
        let logical = self.lines.iter().rev().find_map(|line| line.get("uuid").cloned());
        let metadata = json!({
            "trigger": "manual", "preTokens": 90_000, "postTokens": 900,
            "preservedMessages": {"anchorUuid": format!("{uuid}-summary"), "uuids": kept},
        });
        let boundary = json!({
            "parentUuid": null, "logicalParentUuid": logical, "subtype": "compact_boundary", "compactMetadata": metadata,
        });
        let message = json!({"role": "user", "content": summary});
        self.entry("system", uuid, &boundary).entry(
            "user",
            &format!("{uuid}-summary"),
            &json!({"isCompactSummary": true, "message": message}),
        )
    }

    pub(crate) fn text(&self) -> String {
        self.lines.iter().map(|line| line.to_string() + "\n").collect()
    }
}

/// The name of the client's folder for a working folder.
pub(crate) fn slug(folder: &Path) -> String {
    let text = folder.to_str().unwrap();
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

/// Where the client keeps the record of a session that was begun in a folder of the sandbox, below the sandbox.
pub(crate) fn place(sandbox: &Sandbox, folder: &str, session: &str) -> String {
    format!("home/.claude/projects/{}/{session}.jsonl", slug(&sandbox.path(folder)))
}

/// Writes the record of a session where the client would.
pub(crate) fn record(sandbox: &Sandbox, folder: &str, session: &str, record: &Record) -> String {
    let place = place(sandbox, folder, session);
    sandbox.write(&place, 0, record.text());
    place
}

/// An input of the cases.
pub(crate) fn case(id: &str, name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(id).join(name);
    std::fs::read(path).unwrap()
}

/// Two tools at once, whose results hang on different parents, and a remark in between.
pub(crate) fn with_tools(sandbox: &Sandbox, session: &str) -> Record {
    Record::new(session, sandbox.path("project"))
        .user("u1", "Fix the importer")
        .calls("a1", "msg_1", "Read")
        .calls("a2", "msg_1", "Grep")
        .result("r1", "a1", "text of a file")
        .result("r2", "a2", "a line")
        .entry("system", "s1", &json!({"subtype": "informational", "content": "a remark"}))
        .says("a3", "It is fixed.")
}

/// What a command prints as JSON.
pub(crate) fn read(sandbox: &Sandbox, args: &[&str]) -> Value {
    serde_json::from_slice(&sandbox.output(args).stdout).unwrap()
}

/// The fields of each thing in a list.
pub(crate) fn fields<'a>(list: &'a Value, names: &[&str]) -> Vec<Vec<&'a Value>> {
    let pick = |thing: &'a Value| names.iter().map(|name| &thing[*name]).collect();
    list.as_array().unwrap().iter().map(pick).collect()
}
