//! What every store must do, as a test that any store can be put to.
//!
//! ```
//! use memdir_store::{InMemory, conformance};
//!
//! conformance::run(InMemory::new);
//! ```
//!
//! A store of another kind runs the same from its own tests, with feature `testing` of this crate as a development
//! dependency. The suite knows only [`ReadStore`] and [`WriteStore`]; what a store does to its disk when something
//! fails is its own matter to test, for which [`disk::Faulty`](crate::disk::Faulty) helps.

use std::ops::ControlFlow;

use memdir_core::MemPath;

use crate::{
    Action, Actor, ApplyError, Attribution, Batch, Conflict, Expect, IndexOp, LineChanged, Listed,
    OpKind, ReadStore, Receipt, Refusal, Revision, WriteStore, limits,
};

/// Puts a store to the test; `new` returns an empty one each time.
///
/// # Panics
///
/// Where the store does not do what it must, saying what.
pub fn run<S: WriteStore>(mut new: impl FnMut() -> S) {
    let tests: [(&str, Test<S>); 13] = [
        ("an empty store", is_empty),
        ("put, read, replace", puts_and_reads),
        ("heads", reads_heads),
        ("append", appends),
        ("remove", removes),
        ("expectations", keeps_expectations),
        ("a batch as a whole", is_all_or_nothing),
        ("the index", changes_lines_of_the_index),
        ("a batch that changes nothing", leaves_alone_what_is_as_asked),
        ("listing", lists),
        ("listing by name", names_what_a_visit_shows),
        ("pinned memories", lets_only_a_person_change_what_is_pinned),
        ("names and sizes", refuses_twins_and_giants),
    ];
    for (what, test) in tests {
        let store = new();
        let listed = names(&store);
        assert!(listed.is_empty(), "{what}: a new store is empty, not {listed:?}");
        test(&store);
    }
}

type Test<S> = fn(&S);

fn path(text: &str) -> MemPath {
    MemPath::parse(text).expect("the paths of this suite are good")
}

fn person() -> Attribution {
    Attribution::new(Actor::User)
}

fn apply(store: &impl WriteStore, batch: &Batch) -> Receipt {
    store.apply(batch, &person()).expect("nothing is in the way of a good batch")
}

fn save() -> Batch {
    Batch::new(OpKind::Save)
}

fn read(store: &impl ReadStore, name: &str) -> Option<Vec<u8>> {
    store.read(&path(name)).expect("a file of the store can be read")
}

fn names(store: &impl ReadStore) -> Vec<String> {
    let mut names = Vec::new();
    let visited = store.visit(&mut |listed| {
        match listed {
            Listed::Entry(entry) => names.push(entry.path.to_string()),
            Listed::Skipped(skipped) => panic!("nothing here is to be skipped: {skipped:?}"),
        }
        ControlFlow::Continue(())
    });
    visited.expect("a store can be listed");
    names.sort_unstable();
    names
}

fn is_empty<S: WriteStore>(store: &S) {
    assert_eq!(read(store, "a.md"), None);
    assert_eq!(read(store, "no/such/folder.md"), None);
    assert_eq!(store.read_head(&path("a.md"), 0).expect("absent is no error"), None);
}

fn puts_and_reads<S: WriteStore>(store: &S) {
    let contents: [&[u8]; 4] = [b"", b"text\n", b"no line end", b"\xff\0 no text\r\n"];
    for (content, name) in contents.into_iter().zip(["a.md", "b.md", "c/d/e.md", "größe.md"]) {
        let receipt = apply(store, &save().put(path(name), content, Expect::Absent));
        let [changed] = receipt.changes.as_slice() else { panic!("{receipt:?}") };
        assert_eq!((changed.action, changed.before), (Action::Created, None));
        assert_eq!(changed.after, Some(Revision::of(content)));
        assert_eq!(changed.bytes, content.len() as u64);
        assert_eq!(read(store, name).as_deref(), Some(content), "{name}");
    }
    let receipt = apply(store, &save().put(path("a.md"), "new", Expect::Any));
    let [changed] = receipt.changes.as_slice() else { panic!("{receipt:?}") };
    assert_eq!(changed.action, Action::Updated);
    assert_eq!(changed.before, Some(Revision::of(b"")));
    assert_eq!(read(store, "a.md").as_deref(), Some(&b"new"[..]));
    assert_eq!(read(store, "b.md").as_deref(), Some(&b"text\n"[..]));
}

fn reads_heads<S: WriteStore>(store: &S) {
    apply(store, &save().put(path("a.md"), "0123456789", Expect::Absent));
    for (max, expected) in [(0, ""), (4, "0123"), (10, "0123456789"), (u64::MAX, "0123456789")] {
        let head = store.read_head(&path("a.md"), max).expect("readable");
        assert_eq!(head.as_deref(), Some(expected.as_bytes()), "{max} bytes");
    }
}

fn appends<S: WriteStore>(store: &S) {
    for line in ["one\n", "two\n", "three\n"] {
        apply(store, &Batch::new(OpKind::Append).append(path("log.md"), line, Expect::Any));
    }
    assert_eq!(read(store, "log.md").as_deref(), Some(&b"one\ntwo\nthree\n"[..]));
    let twice = save().append(path("log.md"), "4\n", Expect::Any);
    apply(store, &twice.append(path("log.md"), "5\n", Expect::Any));
    assert_eq!(read(store, "log.md").as_deref(), Some(&b"one\ntwo\nthree\n4\n5\n"[..]));
}

fn removes<S: WriteStore>(store: &S) {
    apply(store, &save().put(path("sub/a.md"), "a", Expect::Absent));
    let receipt = apply(store, &save().remove(path("sub/a.md"), Expect::Any));
    let [changed] = receipt.changes.as_slice() else { panic!("{receipt:?}") };
    assert_eq!((changed.action, changed.after, changed.bytes), (Action::Removed, None, 0));
    assert_eq!(read(store, "sub/a.md"), None);
    let again = apply(store, &save().remove(path("sub/a.md"), Expect::Any));
    assert!(!again.has_changes(), "what is gone can be removed again: {again:?}");
    apply(store, &save().put(path("sub/a.md"), "b", Expect::Absent));
    assert_eq!(read(store, "sub/a.md").as_deref(), Some(&b"b"[..]));
}

fn keeps_expectations<S: WriteStore>(store: &S) {
    apply(store, &save().put(path("a.md"), "one\n", Expect::Absent));
    let (one, two) = (Revision::of(b"one\n"), Revision::of(b"two\n"));
    let refused = |batch: Batch, conflict: Conflict| {
        match store.apply(&batch, &person()) {
            Err(ApplyError::Conflict(mut conflicts)) => {
                // What to make of both sides is the store's to offer or not.
                for conflict in &mut conflicts {
                    conflict.merge = None;
                }
                assert_eq!(conflicts, [conflict]);
            }
            other => panic!("{batch:?} must be a conflict: {other:?}"),
        }
        assert_eq!(read(store, "a.md").as_deref(), Some(&b"one\n"[..]), "{batch:?}");
    };
    refused(
        save().put(path("a.md"), "two\n", Expect::Absent),
        Conflict::new(path("a.md"), None, Some(one), Some(two)),
    );
    refused(
        save().put(path("a.md"), "two\n", Expect::Unchanged(two)),
        Conflict::new(path("a.md"), Some(two), Some(one), Some(two)),
    );
    refused(
        save().remove(path("a.md"), Expect::Unchanged(two)),
        Conflict::new(path("a.md"), Some(two), Some(one), None),
    );
    refused(
        save().append(path("b.md"), "two\n", Expect::Unchanged(one)),
        Conflict::new(path("b.md"), Some(one), None, Some(two)),
    );
    apply(store, &save().put(path("a.md"), "two\n", Expect::Unchanged(one)));
    apply(store, &save().remove(path("a.md"), Expect::Unchanged(two)));
    assert_eq!(read(store, "a.md"), None);
}

fn is_all_or_nothing<S: WriteStore>(store: &S) {
    apply(store, &save().put(path("a.md"), "a\n", Expect::Absent));
    let batch = save()
        .put(path("b.md"), "b\n", Expect::Absent)
        .put(path("a.md"), "new\n", Expect::Absent)
        .index(IndexOp::Upsert { path: path("b.md"), title: "B".into(), hook: "b".into() });
    let result = store.apply(&batch, &person());
    assert!(matches!(result, Err(ApplyError::Conflict(_))), "{result:?}");
    assert_eq!(names(store), ["a.md"]);
    assert_eq!(read(store, "a.md").as_deref(), Some(&b"a\n"[..]));
}

fn changes_lines_of_the_index<S: WriteStore>(store: &S) {
    let upsert = |hook: &str| {
        let (title, hook) = ("A".to_owned(), hook.to_owned());
        IndexOp::Upsert { path: path("a.md"), title, hook }
    };
    let prose = "# Memory\n\nBy hand.\n";
    apply(store, &save().put(MemPath::index(), prose, Expect::Absent));
    let receipt =
        apply(store, &save().put(path("a.md"), "a\n", Expect::Absent).index(upsert("one")));
    let index = receipt.index.expect("the batch was about the index");
    let line = Some("- [A](a.md) — one".to_owned());
    assert_eq!(index.action, Action::Updated);
    assert_eq!(index.lines, [LineChanged::new(path("a.md"), None, line.clone())]);
    assert_eq!(receipt.changes.len(), 1, "the index is told apart from the files");
    let whole = format!("{prose}- [A](a.md) — one\n");
    assert_eq!(read(store, "MEMORY.md").as_deref(), Some(whole.as_bytes()));
    assert_eq!(index.after, Some(Revision::of(whole.as_bytes())));

    let remove = save().index(IndexOp::Remove { path: path("a.md") });
    let index = apply(store, &remove).index.expect("the batch was about the index");
    assert_eq!(index.lines, [LineChanged::new(path("a.md"), line.clone(), None)]);
    assert_eq!(read(store, "MEMORY.md").as_deref(), Some(prose.as_bytes()));
    apply(store, &save().index(IndexOp::Restore { path: path("a.md"), line }));
    assert_eq!(read(store, "MEMORY.md").as_deref(), Some(whole.as_bytes()));
}

fn leaves_alone_what_is_as_asked<S: WriteStore>(store: &S) {
    let batch = save()
        .put(path("a.md"), "a\n", Expect::Any)
        .index(IndexOp::Upsert { path: path("a.md"), title: "A".into(), hook: "a".into() })
        .remove(path("b.md"), Expect::Any);
    assert!(apply(store, &batch).has_changes());
    let again = apply(store, &batch);
    assert!(!again.has_changes(), "{again:?}");
    assert_eq!(again.changes.len(), 2, "it still tells of both files: {again:?}");
    let nothing = apply(store, &save());
    assert!(!nothing.has_changes() && nothing.changes.is_empty() && nothing.index.is_none());
}

fn lists<S: WriteStore>(store: &S) {
    let paths = ["MEMORY.md", "a.md", "logs/2026/11/2026-11-30.md", "sub/UPPER.MD", "team/b.md"];
    for name in paths {
        apply(store, &save().put(path(name), name, Expect::Absent));
    }
    assert_eq!(names(store), paths);
    let mut seen = 0;
    let visited = store.visit(&mut |listed| {
        let Listed::Entry(entry) = listed else { panic!("{listed:?}") };
        assert_eq!(entry.len, entry.path.as_str().len() as u64, "{}", entry.path);
        seen += 1;
        if seen == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    visited.expect("breaking off is no error");
    assert_eq!(seen, 2, "nothing is shown after breaking off");
}

fn names_what_a_visit_shows<S: WriteStore>(store: &S) {
    let mut expected = Vec::new();
    for (content, name) in ["", "b", "c"].into_iter().zip(["a.md", "sub/b.md", "sub/deep/c.md"]) {
        apply(store, &save().put(path(name), content, Expect::Absent));
    }
    let entries = |few| {
        let mut entries = Vec::new();
        let named = store.visit_or_name(few, &mut |listed| {
            let Listed::Entry(entry) = listed else { panic!("{listed:?}") };
            entries.push(entry);
            ControlFlow::Continue(())
        });
        let named = named.expect("a store can be listed");
        assert!(named.len() <= few && (named.is_empty() || entries.is_empty()), "{few}");
        for path in named {
            let (entry, head) = store.read_entry(&path, 1).expect("readable").expect("there");
            assert_eq!(Some(&head), read(store, path.as_str()).as_ref(), "{path}");
            entries.push(entry);
        }
        entries.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        entries
    };
    for few in [0, 1, 2, 3, usize::MAX] {
        let found = entries(few);
        if few == 0 {
            expected.clone_from(&found);
        }
        assert_eq!((found.len(), &found), (3, &expected), "at most {few} by name");
    }
    assert_eq!(store.read_entry(&path("no.md"), 1).expect("absent is no error"), None);
}

fn lets_only_a_person_change_what_is_pinned<S: WriteStore>(store: &S) {
    let pinned = "---\nname: a\nmetadata:\n  pinned: true\n---\nold\n";
    let agents = [Actor::Agent, Actor::Worker("dream".into())].map(Attribution::new);
    let refused = |batch: Batch| {
        for agent in &agents {
            match store.apply(&batch, agent) {
                Err(ApplyError::Refused { refusal: Refusal::Pinned, .. }) => {}
                other => panic!("{batch:?} by {agent:?} must be refused: {other:?}"),
            }
        }
    };
    refused(save().put(path("a.md"), pinned, Expect::Any));
    refused(save().put(path("pinned/b.md"), "b\n", Expect::Any));
    refused(save().put(path("Pinned/b.md"), "b\n", Expect::Any));
    apply(store, &save().put(path("a.md"), pinned, Expect::Any));
    refused(save().put(path("a.md"), "unpinned\n", Expect::Any));
    refused(save().append(path("a.md"), "more\n", Expect::Any));
    refused(save().remove(path("a.md"), Expect::Any));
    let with_another = save().put(path("c.md"), "c\n", Expect::Any);
    refused(with_another.remove(path("a.md"), Expect::Any));
    assert_eq!(names(store), ["a.md"]);
    apply(store, &save().put(path("a.md"), "unpinned\n", Expect::Any));
    let by_agent = store.apply(&save().put(path("a.md"), "by an agent\n", Expect::Any), &agents[0]);
    assert!(by_agent.is_ok_and(|receipt| receipt.has_changes()));
}

fn refuses_twins_and_giants<S: WriteStore>(store: &S) {
    apply(store, &save().put(path("ok.md"), "ok\n", Expect::Absent));
    apply(store, &save().put(path("Sub/e\u{301}.md"), "composed\n", Expect::Absent));
    for twin in ["OK.md", "Ok.MD", "sub/other.md", "Sub/É.md"] {
        match store.apply(&save().put(path(twin), "twin\n", Expect::Any), &person()) {
            Err(ApplyError::Refused { refusal: Refusal::Twin { .. }, .. }) => {}
            other => panic!("{twin} must be refused: {other:?}"),
        }
    }
    let two = save().put(path("x.md"), "1", Expect::Any).put(path("X.md"), "2", Expect::Any);
    assert!(store.apply(&two, &person()).is_err(), "two twins in one batch are refused");
    // One memory under both normal forms.
    assert_eq!(read(store, "Sub/\u{e9}.md").as_deref(), Some(&b"composed\n"[..]));
    assert_eq!(names(store), ["Sub/\u{e9}.md", "ok.md"]);

    let giant = vec![b'x'; usize::try_from(limits::MAX_FILE_BYTES).unwrap_or(usize::MAX) + 1];
    match store.apply(&save().put(path("giant.md"), giant, Expect::Any), &person()) {
        Err(ApplyError::Store(crate::Error::TooLarge { .. })) => {}
        other => panic!("a file above the limit must be refused: {:?}", other.map(drop)),
    }
    assert_eq!(read(store, "giant.md"), None);
}
