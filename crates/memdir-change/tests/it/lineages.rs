//! What a conversation left, and what would stay of it.

use insta::assert_debug_snapshot;
use memdir_change::{How, Policy, Snapshot, Uncovered, lineage};
use memdir_store::{Actor, Attribution};

use crate::kit::{SAID, create, delete, file, memory, numbered, person, run, save};

#[test]
fn memories_are_traced_to_their_conversation() {
    let store = numbered(10);
    let agent = |session: &str| Attribution::new(Actor::Agent).session(session);
    run(&store, &Policy::default(), vec![create("deploys", SAID), delete("m00.md")]);
    save(&store, "saved.md", &file("user", "saved", "d", "By an agent."), &agent("s1"));
    save(&store, "edited.md", &file("user", "edited", "d", "One."), &agent("s1"));
    save(&store, "edited.md", &file("user", "edited", "d", "Two."), &agent("s2"));
    save(&store, "outside.md", &file("user", "outside", "d", "One."), &agent("s1"));
    store.disk().put("outside.md", file("user", "outside", "d", "By an editor."));
    save(&store, "m01.md", &memory(77), &agent("s1"));
    save(&store, "m02.md", &memory(78), &agent("s2"));
    let pinned = "---\nname: p\ndescription: d\nmetadata:\n  type: user\n  originSessionId: s1\n  pinned: true\n---\n\nx\n";
    save(&store, "p.md", pinned, &person());

    let found = lineage(&store, &Snapshot::read(&store).unwrap(), "s1").unwrap();
    let memories: Vec<_> = found
        .memories
        .iter()
        .map(|derived| (derived.path.as_str(), matches!(derived.how, How::Itself)))
        .collect();
    assert_eq!(memories, [("project_deploys.md", true), ("saved.md", false)]);
    assert_eq!(found.proposals, [1]);
    let left: Vec<_> = found
        .uncovered
        .iter()
        .map(|left| match left {
            Uncovered::EditedSince { path, op } => format!("{path} edited since, {}", op.is_some()),
            Uncovered::EditedIn { path, .. } => format!("{path} edited in it"),
            Uncovered::Pinned { path } => format!("{path} pinned"),
            other => format!("{other:?}"),
        })
        .collect();
    assert_debug_snapshot!(left, @r#"
    [
        "edited.md edited since, true",
        "m01.md edited in it",
        "outside.md edited since, false",
        "p.md pinned",
        "Journal",
        "Transcripts",
        "Team",
    ]
    "#);
    let nothing = lineage(&store, &Snapshot::read(&store).unwrap(), "s9").unwrap();
    assert_eq!((nothing.memories, nothing.proposals, nothing.uncovered.len()), (vec![], vec![], 3));
}
