//! What is written reads back the same, here and elsewhere.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use memdir_core::MemoryType;
use memdir_core::frontmatter::{NewMemory, Origin, Shape, parse, render};

/// Texts that one YAML reader or another takes for something else, cuts, folds or refuses.
pub(super) const NASTY: [&str; 82] = [
    "yes",
    "no",
    "on",
    "off",
    "y",
    "n",
    "Yes",
    "NO",
    "true",
    "False",
    "null",
    "Null",
    "~",
    "NaN",
    ".nan",
    ".inf",
    "-.inf",
    "0",
    "1",
    "-1",
    "+1",
    "1.10",
    "1e5",
    "0x1F",
    "0o17",
    "0123",
    "1_000",
    "12:30:45",
    "1:2",
    "2026-01-01",
    "2026-01-01T10:00:00Z",
    "=",
    "<<",
    "-",
    "- x",
    "--- x",
    "...",
    "---",
    "?",
    "? x",
    ":",
    ": x",
    "a: b",
    "a:",
    "http://x",
    "#",
    "# x",
    "a # b",
    "a#b",
    "@x",
    "`x`",
    "*a",
    "*.rs",
    "&a",
    "!x",
    "!!str x",
    "%x",
    "|",
    "> x",
    "[x]",
    "[x] y",
    "{x}",
    "{a: b}",
    ", x",
    "\"x\"",
    "\"half",
    "'tis",
    "it's",
    "'x'",
    "C:\\Users\\x",
    "\\n",
    " lead",
    "trail ",
    "\t",
    "a\tb",
    "a\nb",
    "a\r\nb",
    "\0",
    "\u{1b}[2J\u{7f}\u{9b}",
    "a\u{2028}b\u{2029}c\u{85}d\u{a0}",
    "\u{feff}x\u{fffe}\u{ffff}\u{10ffff}",
    "规则: 周五 🎉 ｅ\u{301} \u{202e}x\u{200d}",
];

fn check(name: &str, description: &str) {
    let items = [name.to_owned(), description.to_owned()];
    let mut new = NewMemory::new(name, description, Some(MemoryType::Reference), "\n---\nB\n");
    new.origin_session = Some(name);
    new.triggers = &items;
    new.paths = &items;
    new.supersedes = &items;
    let text = render(&new);
    assert_eq!(text.lines().count(), 14, "one line each: {text}");
    let is_break =
        |char: char| matches!(char, '\u{2028}' | '\u{2029}') || char != '\n' && char.is_control();
    assert!(!text.contains(is_break), "{text:?}");
    let parsed = parse(&text);
    assert_eq!(parsed.notes, [], "{text}");
    assert_eq!(parsed.body, new.body);
    assert_eq!(parsed.fields.name.as_deref(), Some(name));
    assert_eq!(parsed.fields.description.as_deref(), Some(description));
    assert_eq!(parsed.fields.origin_session.as_deref(), Some(name));
    let lists = [parsed.fields.triggers, parsed.fields.paths, parsed.fields.supersedes];
    assert_eq!(lists, [items.clone(), items.clone(), items]);
}

#[test]
fn nasty_texts_come_back() {
    for text in NASTY {
        check(text, "d");
        check("n", text);
    }
}

#[test]
fn a_yaml_reader_reads_the_same() {
    for text in NASTY {
        let file = render(&NewMemory::new("n", text, None, ""));
        let block = file.strip_prefix("---\n").unwrap().strip_suffix("---\n").unwrap();
        let read: BTreeMap<String, serde_yaml::Value> = serde_yaml::from_str(block).unwrap();
        let value = serde_yaml::Value::String(text.to_owned());
        assert_eq!(read.get("description"), Some(&value), "{file}");
    }
}

/// Prints as JSON what `description` is in each of the documents that stand on standard input, NUL after each.
const PYTHON: &str = "
import json, sys
documents = sys.stdin.buffer.read().decode().split('\\0')[:-1]
try:
    import yaml
except ImportError:
    sys.exit(77)
json.dump([yaml.safe_load(text)['description'] for text in documents], sys.stdout)
";

#[test]
#[expect(clippy::disallowed_methods, reason = "another YAML reader can only be asked as a program")]
fn another_yaml_reader_reads_the_same() {
    let mut command = Command::new("python3");
    command.arg("-c").arg(PYTHON);
    let Ok(mut python) = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() else {
        return println!("skipped: needs python3: it is not there");
    };
    let mut input = python.stdin.take().unwrap();
    for text in NASTY {
        let file = render(&NewMemory::new("x", text, None, ""));
        let block = file.strip_prefix("---\n").unwrap().strip_suffix("---\n").unwrap();
        write!(input, "{block}\0").unwrap();
    }
    drop(input);
    let output = python.wait_with_output().unwrap();
    if output.status.code() == Some(77) {
        return println!("skipped: needs python3: it has no PyYAML");
    }
    let read: Vec<String> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(read, NASTY);
}

#[test]
fn all_fields_come_back() {
    let [triggers, paths, supersedes] = ["deploy, prod", "src/**/*.rs", "old_note.md"]
        .map(|item| vec![item.to_owned(), "x".to_owned()]);
    let at = SystemTime::UNIX_EPOCH + Duration::from_secs(1_790_000_000);
    let mut new = NewMemory::new("Größe 记忆", "d", Some(MemoryType::Feedback), "B\n");
    new.origin_session = Some("5f0c");
    new.origin = Some(Origin::External);
    new.modified = Some(at);
    new.pinned = true;
    (new.triggers, new.paths, new.supersedes) = (&triggers, &paths, &supersedes);
    let text = render(&new);
    insta::assert_snapshot!(text, @r#"
---
name: Größe 记忆
description: d
metadata:
  type: feedback
  originSessionId: "5f0c"
  origin: external
  modified: "2026-09-21T14:13:20Z"
  pinned: true
  triggers: ["deploy, prod", "x"]
  paths: ["src/**/*.rs", "x"]
  supersedes: ["old_note.md", "x"]
---

B
"#);
    let parsed = parse(&text);
    assert_eq!((parsed.shape, parsed.notes), (Shape::Nested, vec![]));
    let fields = parsed.fields;
    assert_eq!(fields.kind, new.kind);
    assert_eq!(fields.kind_text.as_deref(), Some("feedback"));
    assert_eq!((fields.origin, fields.modified, fields.pinned), (new.origin, new.modified, true));
    assert_eq!((fields.triggers, fields.paths, fields.supersedes), (triggers, paths, supersedes));
}

#[test]
fn nothing_is_written_for_what_is_not_given() {
    assert_eq!(
        render(&NewMemory::new("", "", None, "")),
        "---\nname: \"\"\ndescription: \"\"\n---\n"
    );
}
