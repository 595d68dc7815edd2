//! What is held back, and what goes through all the same.

use std::cell::RefCell;

use memdir_core::MemPath;
use memdir_store::{
    Actor, Attribution, Batch, Expect, InMemory, IndexOp, OpKind, ReadStore, Refusal, WriteStore,
    overlay::{Held, HeldChange, HeldReason, Objection, Overlay, Proposal, Verdict},
};

use super::{
    A, B, C, accept, contents, expected, overlay, path, reasons, remove, store, upsert, worker,
    write,
};

#[test]
fn what_cannot_be_merged_holds_its_group_and_no_other() {
    let store = store(&[("a.md", "one\n"), ("b.md", "two\n"), ("c.md", "three\n")]);
    let mut overlay = overlay(&store);
    overlay.put(A, path("a.md"), "ours\n").unwrap();
    overlay.remove(A, path("b.md")).unwrap();
    overlay.index(A, upsert("a.md", "hook")).unwrap();
    overlay.put(B, path("c.md"), "kept\n").unwrap();
    write(&store, &[("a.md", "theirs\n")]);
    let outcome = overlay.commit(&store, &accept, &worker()).unwrap();
    let held = Held::new(
        vec![A],
        HeldReason::Changed(path("a.md")),
        vec![
            HeldChange::new(path("a.md"), Some(b"one\n".into()), Some(b"ours\n".into())),
            HeldChange::new(path("b.md"), Some(b"two\n".into()), None),
        ],
        vec![upsert("a.md", "hook")],
    );
    assert_eq!(outcome.held, [held]);
    assert!(outcome.applied.is_some());
    let after = [("a.md", "theirs\n"), ("b.md", "two\n"), ("c.md", "kept\n")];
    assert_eq!(contents(&store), expected(&after));
}

#[test]
fn what_another_created_changed_or_removed_is_never_overwritten() {
    let check =
        |ours: &dyn Fn(&mut Overlay<&InMemory>), theirs: &dyn Fn(&InMemory), reason: &str| {
            let store = store(&[("a.md", "one\n")]);
            let mut overlay = overlay(&store);
            ours(&mut overlay);
            theirs(&store);
            let before = contents(&store);
            let outcome = overlay.commit(&store, &accept, &worker()).unwrap();
            assert_eq!(reasons(&outcome), [(vec![1], reason.to_owned())]);
            assert!(outcome.applied.is_none());
            assert_eq!(contents(&store), before);
        };
    let put = |name: &'static str| {
        move |overlay: &mut Overlay<&InMemory>| overlay.put(A, path(name), "ours\n").unwrap()
    };
    check(
        &put("new.md"),
        &|store| write(store, &[("new.md", "theirs\n")]),
        "`new.md` was created meanwhile",
    );
    check(&put("a.md"), &|store| remove(store, "a.md"), "`a.md` was removed meanwhile");
    check(
        &|overlay| overlay.remove(A, path("a.md")).unwrap(),
        &|store| write(store, &[("a.md", "theirs\n")]),
        "`a.md` was changed meanwhile in the same lines",
    );
    check(
        &|overlay| overlay.index(A, upsert("a.md", "hook")).unwrap(),
        &|store| remove(store, "a.md"),
        "`a.md` was removed meanwhile",
    );
}

#[test]
fn groups_that_touch_one_memory_are_held_together() {
    let check = |touch: &dyn Fn(&mut Overlay<&InMemory>), groups: &[u32]| {
        let store = store(&[("a.md", "one\n"), ("b.md", "two\n"), ("c.md", "three\n")]);
        let mut overlay = overlay(&store);
        overlay.put(A, path("a.md"), "ours\n").unwrap();
        touch(&mut overlay);
        write(&store, &[("a.md", "theirs\n")]);
        let outcome = overlay.commit(&store, &accept, &worker()).unwrap();
        let found: Vec<_> = outcome.held[0].groups.iter().map(|group| group.number()).collect();
        assert_eq!((outcome.held.len(), found.as_slice()), (1, groups));
    };
    check(&|overlay| overlay.put(B, path("b.md"), "x").unwrap(), &[1]);
    check(&|overlay| overlay.put(B, path("a.md"), "x").unwrap(), &[1, 2]);
    check(&|overlay| overlay.index(B, upsert("a.md", "x")).unwrap(), &[1, 2]);
    check(&|overlay| overlay.index(B, IndexOp::Remove { path: path("a.md") }).unwrap(), &[1, 2]);
    let chain = |overlay: &mut Overlay<&InMemory>| {
        overlay.put(C, path("c.md"), "x").unwrap();
        overlay.put(B, path("c.md"), "y").unwrap();
        overlay.put(B, path("b.md"), "x").unwrap();
        overlay.index(A, upsert("b.md", "x")).unwrap();
    };
    check(&chain, &[1, 2, 3]);
}

#[test]
fn what_is_refused_is_held_with_its_group_and_the_rest_is_asked_about_again() {
    let store = store(&[("a.md", "one"), ("b.md", "two")]);
    let mut overlay = overlay(&store);
    overlay.remove(A, path("a.md")).unwrap();
    overlay.put(A, path("c.md"), "new").unwrap();
    overlay.put(B, path("b.md"), "changed").unwrap();
    let asked = RefCell::new(Vec::new());
    let validate = |proposal: &Proposal<'_>| {
        let paths: Vec<_> = proposal.changes.iter().map(|c| c.path.to_string()).collect();
        asked.borrow_mut().push(paths.clone());
        if paths.iter().any(|path| path == "a.md") {
            Verdict::Refused(vec![Objection::new(path("a.md"), "needs a person")])
        } else {
            Verdict::Accepted
        }
    };
    let outcome = overlay.commit(&store, &validate, &worker()).unwrap();
    assert_eq!(reasons(&outcome), [(vec![1], "`a.md` is refused: needs a person".to_owned())]);
    assert_eq!(asked.into_inner(), [vec!["a.md", "b.md", "c.md"], vec!["b.md"]]);
    assert_eq!(contents(&store), expected(&[("a.md", "one"), ("b.md", "changed")]));
}

#[test]
fn nothing_happens_when_everything_is_refused() {
    let objection = |name: &str| Verdict::Refused(vec![Objection::new(path(name), "no")]);
    let all = Verdict::RefusedAll { reason: "no".into() };
    for (verdict, said) in [
        (all, "everything is refused: no"),
        (objection("unknown.md"), "`unknown.md` is refused: no"),
        (objection("MEMORY.md"), "`MEMORY.md` is refused: no"),
    ] {
        let store = store(&[("a.md", "one")]);
        let mut overlay = overlay(&store);
        overlay.put(A, path("a.md"), "changed").unwrap();
        overlay.index(A, upsert("a.md", "x")).unwrap();
        overlay.put(B, path("b.md"), "new").unwrap();
        overlay.index(B, upsert("b.md", "x")).unwrap();
        let validate = |_: &Proposal<'_>| verdict.clone();
        let outcome = overlay.commit(&store, &validate, &worker()).unwrap();
        assert_eq!(reasons(&outcome), [(vec![1], said.to_owned()), (vec![2], said.to_owned())]);
        assert!(outcome.applied.is_none());
        assert_eq!(contents(&store), expected(&[("a.md", "one")]));
    }
}

#[test]
fn a_pinned_memory_holds_its_group_and_no_other() {
    let pinned = "---\nname: a\nmetadata:\n  pinned: true\n---\nbody\n";
    let store = store(&[("a.md", pinned), ("b.md", "two")]);
    let mut overlay = overlay(&store);
    overlay.put(A, path("a.md"), "changed").unwrap();
    overlay.put(B, path("b.md"), "changed").unwrap();
    let outcome = overlay.commit(&store, &accept, &worker()).unwrap();
    let [held] = outcome.held.as_slice() else { panic!("{:?}", outcome.held) };
    let reason = HeldReason::RefusedByStore { path: path("a.md"), refusal: Refusal::Pinned };
    assert_eq!((held.groups.as_slice(), &held.reason), ([A].as_slice(), &reason));
    assert_eq!(contents(&store), expected(&[("a.md", pinned), ("b.md", "changed")]));
}

#[test]
fn an_index_that_cannot_be_changed_holds_only_what_needs_it() {
    let store = InMemory::new();
    let batch = Batch::new(OpKind::Save).put(MemPath::index(), b"\xff".as_slice(), Expect::Any);
    store.apply(&batch, &Attribution::new(Actor::User)).unwrap();
    let mut overlay = overlay(&store);
    overlay.put(A, path("a.md"), "new").unwrap();
    overlay.index(A, upsert("a.md", "hook")).unwrap();
    overlay.put(B, path("b.md"), "new").unwrap();
    let outcome = overlay.commit(&store, &accept, &worker()).unwrap();
    let said = "`MEMORY.md` is not UTF-8 and cannot be changed line by line".to_owned();
    assert_eq!(reasons(&outcome), [(vec![1], said)]);
    assert_eq!(store.read(&path("a.md")).unwrap(), None);
    assert_eq!(store.read(&path("b.md")).unwrap(), Some(b"new".to_vec()));
    assert_eq!(store.read(&MemPath::index()).unwrap(), Some(b"\xff".to_vec()));
}

#[test]
fn a_file_that_is_too_large_holds_its_group_and_no_other() {
    let store = store(&[]);
    let mut overlay = overlay(&store);
    overlay.put(A, path("a.md"), vec![b'x'; 4 * 1024 * 1024 + 1]).unwrap();
    overlay.put(B, path("b.md"), "new").unwrap();
    let outcome = overlay.commit(&store, &accept, &worker()).unwrap();
    assert_eq!(reasons(&outcome), [(vec![1], "`a.md` would be too large".to_owned())]);
    assert_eq!(contents(&store), expected(&[("b.md", "new")]));
}
