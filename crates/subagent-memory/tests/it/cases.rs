//! Cases that users met with other programs.

use std::{collections::BTreeMap, fs, path::Path, process::Command};

use memdir_store::{Error, Options};
use serde::Deserialize;
use subagent_memory::{AgentName, Agents, Scope, limits};
use tempfile::TempDir;

use crate::{around, put};

/// The layout of a case.
fn set_up(case: &str) -> TempDir {
    let temp = TempDir::new().expect("a place for tests");
    let script =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(case).join("setup.sh");
    let shell = Command::new("sh").arg(script).arg(temp.path()).status();
    assert!(shell.expect("every system has a shell").success());
    temp
}

fn reviewer() -> AgentName {
    AgentName::parse("reviewer").expect("a plain name")
}

#[test]
fn agent_memory_01_the_project_is_where_the_definition_is() {
    let temp = set_up("agent-memory-01");
    let root = temp.path().canonicalize().expect("it is there");
    for cwd in ["r", "r/front/ws", "r/front/ws/src"] {
        let agents =
            Agents::find(&around(&root, cwd), &Options::default()).expect("the folder is there");
        let place = agents.place(&reviewer(), None);
        assert_eq!(place.scope, Scope::Project);
        assert_eq!(place.directory(), root.join("r/.claude/agent-memory/reviewer"), "{cwd}");
        let local = agents.place(&reviewer(), Some(Scope::Local));
        assert_eq!(local.directory(), root.join("r/.claude/agent-memory-local/reviewer"));
        let user = agents.place(&reviewer(), Some(Scope::User));
        assert_eq!(user.directory(), root.join("home/.claude/agent-memory/reviewer"));

        let other = AgentName::parse("undefined").expect("a plain name");
        let expect = root.join(cwd).join(".claude/agent-memory/undefined");
        assert_eq!(agents.place(&other, None).directory(), expect);

        assert!(place.open(Options::default()).expect("nothing is in the way").is_none());
        assert!(!root.join("r/.claude/agent-memory").exists(), "looking made a folder");
    }
    let agents = Agents::find(&around(&root, "r/front/ws"), &Options::default()).expect("as above");
    let store = agents.place(&reviewer(), None).open_or_create(Options::default());
    put(&store.expect("created"), &[("a.md", "first")]);
    let first = root.join("r/.claude/agent-memory/reviewer/a.md");
    assert_eq!(fs::read_to_string(first).expect("written"), "first");
    assert!(!root.join("r/front/ws/.claude").exists());
}

#[derive(Deserialize)]
struct Named {
    name: String,
    want: String,
}

#[test]
fn agent_memory_04_every_name_has_a_safe_folder_of_its_own_or_is_refused() {
    let cases = include_str!("../cases/agent-memory-04/expect.json");
    let cases: Vec<Named> = serde_json::from_str(cases).expect("a list of names");
    assert_eq!(cases.len(), 17);
    let mut folders: BTreeMap<String, String> = BTreeMap::new();
    for Named { name, want } in cases {
        let folder = match AgentName::parse(&name) {
            Ok(name) if want != "refuse" => name.folder(),
            Err(_) if want.starts_with("refuse") => continue,
            other => panic!("{name}: {other:?}, {want}"),
        };
        assert!(folder.len() <= limits::FOLDER_BYTES, "{folder}");
        if want == "reviewer" {
            assert_eq!(folder, want);
        }
        if want.contains("encode") {
            assert_ne!(folder, name);
        }
        if let Some(other) = folders.insert(folder.to_lowercase(), name.clone()) {
            panic!("{name} and {other} share {folder}");
        }
    }
    assert_eq!(folders.len(), 11, "{folders:#?}");
}

#[test]
fn agent_memory_04_a_project_that_leads_out_by_a_link_is_neither_read_nor_written() {
    let temp = set_up("agent-memory-04");
    let root = temp.path().canonicalize().expect("it is there");
    fs::create_dir_all(root.join("redirected/agent-memory/reviewer")).expect("created");
    let planted = root.join("redirected/agent-memory/reviewer/a.md");
    fs::write(&planted, "planted").expect("written");
    let agents =
        Agents::find(&around(&root, "p"), &Options::default()).expect("the folder is there");
    let link = root.join("p/.claude").display().to_string();
    let is_refused = |result: Result<(), Error>| match result {
        Err(Error::LeadsOut { path, .. }) => assert_eq!(path, link),
        other => panic!("{other:?}"),
    };
    for scope in [Scope::Project, Scope::Local] {
        let place = agents.place(&reviewer(), Some(scope));
        is_refused(place.open(Options::default()).map(drop));
        is_refused(place.open_or_create(Options::default()).map(drop));
        is_refused(place.open_snapshot(Options::default()).map(drop));
        is_refused(place.open_or_create_snapshot(Options::default()).map(drop));
    }
    let (listed, unread) = agents.list();
    assert!(listed.is_empty(), "{listed:?}");
    assert_eq!(unread.len(), 2, "{unread:?}");
    let found = fs::read_dir(root.join("redirected")).expect("readable").count();
    assert_eq!((found, fs::read_to_string(planted).expect("readable").as_str()), (1, "planted"));

    let user = agents.place(&reviewer(), Some(Scope::User));
    user.open_or_create(Options::default()).expect("the user's own is not the project's");
}
