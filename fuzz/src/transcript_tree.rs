//! The tree of a transcript: every walk ends, no entry stands twice, both ways to resume agree.

use std::collections::HashSet;
use std::io::Cursor;

use transcript_jsonl::{Conversation, Limits, Notes, Outline, Reach, Resume, Tree};

/// Takes any bytes for a transcript.
pub fn check(data: &[u8]) {
    let tree = Tree::read(data).expect("it is in memory");
    // Each walk costs the length of its branch.
    for node in tree.nodes().take(64) {
        for reach in [Reach::Resumed, Reach::Whole, Reach::Strict] {
            let branch = tree.branch(node, reach);
            let once: HashSet<_> = branch.iter().map(|step| step.node).collect();
            assert_eq!(once.len(), branch.len(), "an entry stands twice");
            assert!(once.contains(&node), "the leaf is on its branch");
        }
    }
    let mut source = Cursor::new(data);
    let mut backwards = Resume::read(&mut source).expect("it is in memory");
    let mut forwards = Resume::of(&tree, &mut source).expect("it is in memory");
    (backwards.notes, forwards.notes) = (Notes::default(), Notes::default());
    assert_eq!(backwards, forwards, "both ways to resume agree");

    let limits = Limits::default();
    let shown = Conversation::read(&forwards, &mut source, &limits).expect("it is in memory");
    assert!(shown.turns.iter().all(|turn| !turn.parts.is_empty() && !turn.places.is_empty()));
    Outline::read(&mut source).expect("it is in memory");
}
