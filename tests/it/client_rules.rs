//! What the real Claude Code loads of the layouts in `layouts/`, and what it matches of the table of patterns: that the tables
//! say what the client does. Needs `MEMDIR_CLAUDE`.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::client::{client, talk_in};
use crate::fake_api::Turn;
use crate::layouts::{self, Layout, expand, grouped, relative};
use crate::sandbox::Sandbox;

/// Reads that the scripted model asks for at once.
const READS_IN_A_TURN: usize = 40;

/// A file that the client put into a request.
struct Delivered {
    path: String,
    /// What stands in parentheses after the path; nested files have none.
    label: Option<String>,
    body: String,
}

/// Starts the client as the layout says.
fn start(client: &OsStr, layout: &Layout, root: &Path) -> Command {
    // The outer program ends a client that hangs.
    let mut command = Command::new("timeout");
    command.arg("120").arg(client);
    command.args(layout.args.iter().map(|arg| expand(arg, root)));
    command.envs(layout.env.iter().map(|(name, value)| (name, expand(value, root))));
    command
}

fn holds(client: &OsStr, layout: &Layout) {
    let sandbox = Sandbox::bare();
    let root = sandbox.path("");
    layout.build(&root);

    let mut command = start(client, layout, &root);
    command.args(["-p", "/context"]);
    let (ran, _) = talk_in(command, &sandbox, layout.cwd(), Vec::new());
    let expect = layout.listed.as_ref().unwrap_or(&layout.start);
    let listed = grouped(expect, listed(&ran.stdout, &root));
    assert_eq!(&listed, expect, "/context: {}", layout.claim);

    let mut command = start(client, layout, &root);
    command.args(["-p", "please go on", "--allowedTools", "Read"]);
    let reads = layout.reads.iter().map(|(path, _)| read(&root.join(path))).collect();
    let (_, requests) = talk_in(command, &sandbox, layout.cwd(), reads);
    let mut steps = delivered(requests.last().unwrap()).into_iter();
    let begin = steps.next().unwrap();
    let scoped = |file: &Delivered| {
        format!("{} {}", scope(file.label.as_deref()), relative(&file.path, &root))
    };
    let seen = grouped(&layout.start, begin.iter().map(scoped).collect());
    assert_eq!(seen, layout.start, "the first request: {}", layout.claim);
    same_bodies(layout, &root, &begin);
    assert_eq!(steps.len(), layout.reads.len(), "results of reads: {}", layout.claim);
    for ((path, expect), files) in layout.reads.iter().zip(steps) {
        let paths = files.iter().map(|file| relative(&file.path, &root)).collect();
        assert_eq!(&grouped(expect, paths), expect, "{path}: {}", layout.claim);
        same_bodies(layout, &root, &files);
    }
}

fn same_bodies(layout: &Layout, root: &Path, files: &[Delivered]) {
    for file in files {
        let path = relative(&file.path, root);
        assert!(
            file.body == layout.body(&path, root),
            "{path}: {}: {:.300}",
            layout.claim,
            file.body
        );
    }
}

fn read(path: &Path) -> Turn {
    Turn::Use { tool: "Read", input: json!({"file_path": path}) }
}

/// The rows of the table of memory files that `/context` prints.
fn listed(stdout: &str, root: &Path) -> Vec<String> {
    assert!(stdout.contains("## Context Usage"), "{stdout}");
    let table = stdout.split_once("### Memory Files\n\n").map_or("", |(_, after)| after);
    let rows = table.lines().take_while(|line| line.starts_with('|')).skip(2);
    rows.map(|row| {
        let mut cells = row.trim_matches('|').split(" | ").map(str::trim);
        let (kind, path) = (cells.next().unwrap(), cells.next().unwrap());
        format!("{} {}", kind.to_lowercase(), relative(path, root))
    })
    .collect()
}

fn scope(label: Option<&str>) -> &'static str {
    match label {
        Some(label) if label.contains("global instructions") => "user",
        Some(label) if label.contains("checked into") => "project",
        Some(label) if label.contains("not checked in") => "local",
        other => panic!("an unknown label: {other:?}"),
    }
}

/// The files that came at the start, then those that came after each result of a tool.
fn delivered(request: &Value) -> Vec<Vec<Delivered>> {
    let mut steps = vec![Vec::new()];
    for message in request["messages"].as_array().unwrap() {
        if message["role"] == "assistant" {
            continue;
        }
        let one = [json!({"type": "text", "text": message["content"]})];
        for block in message["content"].as_array().map_or(one.as_slice(), Vec::as_slice) {
            match block["text"].as_str() {
                Some(text) => steps.last_mut().unwrap().extend(files(text)),
                None if block["type"] == "tool_result" => steps.push(Vec::new()),
                None => {}
            }
        }
    }
    steps
}

fn files(text: &str) -> Vec<Delivered> {
    let mut files = Vec::new();
    let text = text.replace("</system-reminder>", "");
    // A file's own text may hold line ends of every kind, so only line feeds are looked for.
    for line in text.split_inclusive('\n') {
        let named = line
            .split_once("Contents of /")
            .filter(|(lead, _)| lead.is_empty() || lead.ends_with("additional context: "));
        if let Some(head) = named.and_then(|(_, named)| named.strip_suffix(":\n")) {
            let (path, label) = match head.rsplit_once(" (") {
                Some((path, label)) => (path, label.strip_suffix(')').map(str::to_owned)),
                None => (head, None),
            };
            let path = format!("/{path}");
            files.push(Delivered { path, label, body: String::new() });
        } else if let Some(file) = files.last_mut() {
            file.body.push_str(line);
        }
    }
    for file in &mut files {
        file.body = file.body.trim().to_owned();
    }
    files
}

fn check(table: &'static str) {
    let Some(client) = client() else { return };
    for layout in layouts::parse(table) {
        holds(&client, &layout);
    }
}

#[test]
fn levels_load_as_the_table_says() {
    check(include_str!("../layouts/levels.txt"));
}

#[test]
fn links_load_as_the_table_says() {
    check(include_str!("../layouts/links.txt"));
}

#[test]
fn imports_load_as_the_table_says() {
    check(include_str!("../layouts/imports.txt"));
}

#[test]
fn excludes_work_as_the_table_says() {
    check(include_str!("../layouts/excludes.txt"));
}

#[test]
fn agents_md_loads_as_the_table_says() {
    check(include_str!("../layouts/agents.txt"));
}

#[test]
fn odd_files_load_as_the_table_says() {
    check(include_str!("../layouts/files.txt"));
}

#[test]
fn scopes_load_as_the_table_says() {
    check(include_str!("../layouts/scopes.txt"));
}

/// Every row at once: the patterns that are asked of a path are nested rules of a folder of their own, where the path lies.
#[test]
fn patterns_match_as_the_table_says() {
    let Some(client) = client() else { return };
    let table = include_str!("../../crates/memdir-rules/tests/data/matching.tsv");
    let mut rows = BTreeMap::<_, Vec<_>>::new();
    for row in table.lines().filter(|line| !line.starts_with("# ")) {
        let cells: Vec<_> = row.split('\t').collect();
        // A fourth cell tells what the client does, where memdir means to differ.
        let expect = cells.get(3).unwrap_or(&cells[2]) == &"true";
        rows.entry(cells[1]).or_default().push((cells[0], expect));
    }
    let sandbox = Sandbox::bare();
    let folder = |number: usize| sandbox.path("project").join(number.to_string());
    let mut reads = Vec::new();
    for (number, (path, patterns)) in rows.iter().enumerate() {
        for (place, (pattern, _)) in patterns.iter().enumerate() {
            let rule = folder(number).join(format!(".claude/rules/{place}.md"));
            fs::create_dir_all(rule.parent().unwrap()).unwrap();
            fs::write(rule, format!("---\npaths: [{}]\n---\nmatches\n", json!(pattern))).unwrap();
        }
        let file = folder(number).join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "x\n").unwrap();
        reads.push(("Read", json!({"file_path": file})));
    }
    fs::create_dir_all(sandbox.path("home")).unwrap();
    let mut command = Command::new("timeout");
    command.arg("120").arg(client).args(["-p", "please go on"]);
    let turns = reads.chunks(READS_IN_A_TURN).map(|reads| Turn::UseAll(reads.to_vec())).collect();
    let (_, requests) = talk_in(command, &sandbox, "project", turns);
    let files = delivered(requests.last().unwrap());
    assert_eq!(files.len() - 1, rows.len(), "not every read has a result");
    let loaded: BTreeSet<_> = files.into_iter().flatten().map(|file| file.path).collect();
    let mut wrong = Vec::new();
    for (number, (path, patterns)) in rows.iter().enumerate() {
        for (place, (pattern, expect)) in patterns.iter().enumerate() {
            let rule = folder(number).join(format!(".claude/rules/{place}.md"));
            if loaded.contains(rule.to_str().unwrap()) != *expect {
                wrong.push(format!("{pattern}\t{path}\t{expect}"));
            }
        }
    }
    assert!(wrong.is_empty(), "the client says the opposite: {wrong:#?}");
}
