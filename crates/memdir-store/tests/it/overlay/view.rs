//! An overlay reads as if it were committed.

use std::{cell::RefCell, ops::ControlFlow};

use memdir_core::MemPath;
use memdir_store::{
    Actor, Attribution, Batch, Expect, OpKind, ReadStore, WriteStore,
    overlay::{Proposal, RecordError, Verdict},
};

use super::{A, accept, contents, expected, overlay, path, store, upsert, worker, write};

#[test]
fn nothing_is_seen_outside_and_everything_within() {
    let before = [("MEMORY.md", "- [a](a.md) — old\n"), ("a.md", "one"), ("b.md", "two")];
    let store = store(&before);
    let mut overlay = overlay(&store);
    assert_eq!(contents(&overlay), expected(&before));
    overlay.put(A, path("a.md"), "changed").unwrap();
    overlay.put(A, path("sub/c.md"), "new").unwrap();
    overlay.remove(A, path("b.md")).unwrap();
    overlay.index(A, upsert("a.md", "new")).unwrap();
    let after = [("MEMORY.md", "- [a.md](a.md) — new\n"), ("a.md", "changed"), ("sub/c.md", "new")];
    assert_eq!(contents(&overlay), expected(&after));
    assert_eq!(overlay.read_head(&path("a.md"), 3).unwrap(), Some(b"cha".to_vec()));
    assert_eq!(overlay.read_head(&path("b.md"), 3).unwrap(), None);
    assert_eq!(overlay.read_head(&MemPath::index(), 3).unwrap(), Some(b"- [".to_vec()));

    assert_eq!(contents(&store), expected(&before));
    drop(overlay);
    assert_eq!(contents(&store), expected(&before), "a run that ends without a commit did nothing");
}

#[test]
fn a_visit_ends_when_told_so_above_the_base_too() {
    let store = store(&[("a.md", "one")]);
    let mut overlay = overlay(&store);
    for name in ["b.md", "c.md"] {
        overlay.put(A, path(name), "new").unwrap();
    }
    for stop in 1..=3 {
        let mut seen = 0;
        let mut count = |_| {
            seen += 1;
            if seen == stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        overlay.visit(&mut count).unwrap();
        assert_eq!(seen, stop);
    }
}

#[test]
fn what_another_changed_in_other_lines_is_merged() {
    let store = store(&[("a.md", "1\n2\n3\n4\n5\n")]);
    let mut overlay = overlay(&store);
    overlay.put(A, path("a.md"), "1\n2\n3\n4\nfive\n").unwrap();
    write(&store, &[("a.md", "one\n2\n3\n4\n5\n")]);
    let seen = RefCell::new(Vec::new());
    let validate = |proposal: &Proposal<'_>| {
        for change in &proposal.changes {
            let text = |bytes: Option<&[u8]>| bytes.map(|b| String::from_utf8(b.to_vec()).unwrap());
            seen.borrow_mut().push((text(change.before), text(change.after), change.merged));
        }
        Verdict::Accepted
    };
    let outcome = overlay.commit(&store, &validate, &worker()).unwrap();
    assert_eq!(outcome.held, []);
    assert_eq!(contents(&store), expected(&[("a.md", "one\n2\n3\n4\nfive\n")]));
    let expect = (Some("one\n2\n3\n4\n5\n".into()), Some("one\n2\n3\n4\nfive\n".into()), true);
    assert_eq!(seen.into_inner(), [expect], "what is validated is what is written");
}

#[test]
fn lines_that_others_add_to_the_index_meanwhile_stay() {
    let store = store(&[("MEMORY.md", "# Notes\n\n- [a](a.md) — old\n"), ("a.md", "one\n")]);
    let mut overlay = overlay(&store);
    overlay.put(A, path("b.md"), "two\n").unwrap();
    overlay.index(A, upsert("b.md", "hook")).unwrap();
    let line = upsert("c.md", "theirs");
    let batch = Batch::new(OpKind::Save).put(path("c.md"), "three\n", Expect::Any).index(line);
    store.apply(&batch, &Attribution::new(Actor::Agent)).unwrap();
    overlay.commit(&store, &accept, &worker()).unwrap();
    insta::assert_snapshot!(contents(&store)["MEMORY.md"], @r"
    # Notes

    - [a](a.md) — old
    - [c.md](c.md) — theirs
    - [b.md](b.md) — hook
    ");
}

#[test]
fn the_index_is_not_written_as_a_file() {
    let store = store(&[]);
    let mut overlay = overlay(&store);
    for refused in [overlay.put(A, MemPath::index(), "x"), overlay.remove(A, MemPath::index())] {
        assert!(matches!(refused, Err(RecordError::IsIndex)), "{refused:?}");
    }
    assert!(overlay.is_empty());
}
