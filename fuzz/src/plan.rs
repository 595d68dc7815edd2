//! Plans: any answer of a model is read, and what is accepted of it keeps the rules.

use std::collections::BTreeMap;
use std::time::SystemTime;

use memdir_change::{
    Message, Policy, Snapshot, Terms, Tombstones, plan_schema, read_plan, validate,
};
use memdir_core::frontmatter::{Origin, parse};
use memdir_store::{Actor, Attribution, Batch, Expect, InMemory, OpKind, WriteStore};

/// Takes what a model answered.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let reading = read_plan(&text);
    assert!(plan_schema().is_object());
    let store = InMemory::new();
    let mut batch = Batch::new(OpKind::Save);
    for name in ["a", "b", "c", "d", "e"] {
        let text = format!(
            "---\nname: {name}\ndescription: d\ntype: user\n---\n\nThis is what {name} says.\n"
        );
        let path = format!("{name}.md").parse().expect("a plain name");
        batch = batch.put(path, text, Expect::Any);
    }
    store.apply(&batch, &Attribution::new(Actor::User)).expect("a healthy disk takes it");
    let snapshot = Snapshot::read(&store).expect("a healthy disk is readable");
    let said = Message::new("Deploys happen on Fridays.", Origin::User);
    let messages = BTreeMap::from([("m1".to_owned(), said)]);
    let (policy, tombstones) = (Policy::default(), Tombstones::default());
    let terms = Terms::new(SystemTime::UNIX_EPOCH, &policy, &tombstones, &messages);
    let verdict = validate(&reading.plan, &snapshot, &terms);
    assert_eq!(verdict.judged.len(), reading.plan.operations.len());
    assert!(verdict.refused().all(|(_, _, reason)| !reason.is_empty()));
    let mut gone = 0;
    for (path, after) in verdict.files() {
        let key = path.twin_key();
        assert!(
            !["team/", "logs/", "pinned/"].iter().any(|folder| key.starts_with(folder)),
            "{path}"
        );
        assert!(key != "memory.md" && path.is_markdown(), "{path}");
        let Some(text) = after else {
            gone += 1;
            continue;
        };
        let read = parse(text).fields;
        assert!(read.name.is_some() && read.description.is_some() && read.kind.is_some(), "{text}");
        assert!(!read.pinned && read.origin != Some(Origin::External), "{text}");
        assert_eq!(memdir_guard::secrets(text), []);
    }
    assert!(gone <= 1, "a quarter of five memories is one");
}
