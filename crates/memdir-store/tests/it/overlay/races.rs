//! Others write while an overlay is being filled.

use std::{
    cell::{Cell, RefCell},
    ops::ControlFlow,
    time::Duration,
};

use memdir_core::MemPath;
use memdir_store::{
    ApplyError, Attribution, Batch, Conflict, Error, InMemory, Listed, ReadStore, Receipt,
    Revision, WriteStore,
};

use super::{
    A, B, accept, contents, expected, overlay, path, reasons, store, upsert, worker, write,
};

type Act<'a> = dyn Fn(&InMemory) -> Result<(), ApplyError> + 'a;

/// A store where somebody does something right before each of the first batches is applied.
struct Meddled<'a> {
    store: &'a InMemory,
    before: RefCell<Vec<Box<Act<'a>>>>,
    applied: Cell<u32>,
}

impl<'a> Meddled<'a> {
    fn new(store: &'a InMemory) -> Self {
        Self { store, before: RefCell::default(), applied: Cell::new(0) }
    }

    fn once(self, act: impl Fn(&InMemory) -> Result<(), ApplyError> + 'a) -> Self {
        self.before.borrow_mut().push(Box::new(act));
        self
    }
}

impl ReadStore for Meddled<'_> {
    fn visit(&self, each: &mut dyn FnMut(Listed) -> ControlFlow<()>) -> Result<(), Error> {
        self.store.visit(each)
    }

    fn read_head(&self, path: &MemPath, max_bytes: u64) -> Result<Option<Vec<u8>>, Error> {
        self.store.read_head(path, max_bytes)
    }
}

impl WriteStore for Meddled<'_> {
    fn apply(&self, batch: &Batch, by: &Attribution) -> Result<Receipt, ApplyError> {
        if let Some(act) = self.before.borrow_mut().pop() {
            act(self.store)?;
        }
        let receipt = self.store.apply(batch, by)?;
        self.applied.set(self.applied.get() + 1);
        Ok(receipt)
    }
}

#[test]
fn groups_that_do_not_disturb_each_other_are_one_operation() {
    let store = store(&[("a.md", "one")]);
    let meddled = Meddled::new(&store);
    let mut overlay = overlay(&store);
    overlay.put(A, path("a.md"), "changed").unwrap();
    overlay.put(B, path("b.md"), "new").unwrap();
    overlay.index(B, upsert("b.md", "hook")).unwrap();
    let outcome = overlay.commit(&meddled, &accept, &worker()).unwrap();
    let changes = outcome.applied.unwrap().changes;
    let paths: Vec<_> = changes.iter().map(|change| change.path.as_str()).collect();
    assert_eq!((meddled.applied.get(), paths), (1, vec!["a.md", "b.md"]));
    assert_eq!(outcome.held, []);
    let after = [("MEMORY.md", "- [b.md](b.md) — hook\n"), ("a.md", "changed"), ("b.md", "new")];
    assert_eq!(contents(&store), expected(&after));
}

#[test]
fn an_empty_overlay_and_one_that_comes_to_nothing_apply_nothing() {
    let store = store(&[("a.md", "one"), ("b.md", "two")]);
    let meddled = Meddled::new(&store);
    let mut comes_to_nothing = overlay(&store);
    comes_to_nothing.put(A, path("a.md"), "changed").unwrap();
    comes_to_nothing.put(A, path("a.md"), "one").unwrap();
    comes_to_nothing.put(A, path("c.md"), "new").unwrap();
    comes_to_nothing.remove(A, path("c.md")).unwrap();
    comes_to_nothing.put(B, path("b.md"), "done by another meanwhile").unwrap();
    write(&store, &[("b.md", "done by another meanwhile")]);
    for overlay in [overlay(&store), comes_to_nothing] {
        let outcome = overlay.commit(&meddled, &accept, &worker()).unwrap();
        assert!(outcome.applied.is_none() && outcome.held.is_empty());
    }
    assert_eq!(meddled.applied.get(), 0);
}

#[test]
fn a_failure_hands_the_overlay_back_and_nothing_has_happened() {
    let store = store(&[("a.md", "one")]);
    let busy = || ApplyError::Store(Error::Busy { holder: None, waited: Duration::ZERO });
    let meddled = Meddled::new(&store).once(|_| Err(busy()));
    let mut overlay = overlay(&store);
    overlay.put(A, path("a.md"), "changed").unwrap();
    let failed = overlay.commit(&meddled, &accept, &worker()).unwrap_err();
    assert!(matches!(failed.error, Error::Busy { .. }));
    assert_eq!(contents(&store), expected(&[("a.md", "one")]));
    failed.overlay.commit(&meddled, &accept, &worker()).unwrap();
    assert_eq!(contents(&store), expected(&[("a.md", "changed")]));
}

#[test]
fn a_writer_between_plan_and_application_is_planned_around() {
    let store = store(&[("a.md", "1\n2\n3\n4\n5\n"), ("b.md", "two\n")]);
    let meddled = Meddled::new(&store)
        .once(|store| {
            write(store, &[("b.md", "theirs\n")]);
            Ok(())
        })
        .once(|store| {
            write(store, &[("a.md", "one\n2\n3\n4\n5\n")]);
            Ok(())
        });
    let mut overlay = overlay(&store);
    overlay.put(A, path("a.md"), "1\n2\n3\n4\nfive\n").unwrap();
    overlay.put(B, path("b.md"), "ours\n").unwrap();
    let outcome = overlay.commit(&meddled, &accept, &worker()).unwrap();
    assert_eq!(
        reasons(&outcome),
        [(vec![2], "`b.md` was changed meanwhile in the same lines".to_owned())]
    );
    let after = [("a.md", "one\n2\n3\n4\nfive\n"), ("b.md", "theirs\n")];
    assert_eq!(contents(&store), expected(&after));
}

/// A store that takes every batch for a conflict.
struct Contended<'a>(&'a InMemory, Vec<Conflict>);

impl ReadStore for Contended<'_> {
    fn visit(&self, each: &mut dyn FnMut(Listed) -> ControlFlow<()>) -> Result<(), Error> {
        self.0.visit(each)
    }

    fn read_head(&self, path: &MemPath, max_bytes: u64) -> Result<Option<Vec<u8>>, Error> {
        self.0.read_head(path, max_bytes)
    }
}

impl WriteStore for Contended<'_> {
    fn apply(&self, _: &Batch, _: &Attribution) -> Result<Receipt, ApplyError> {
        Err(ApplyError::Conflict(self.1.clone()))
    }
}

#[test]
fn a_commit_ends_even_where_every_batch_is_a_conflict() {
    let store = store(&[("a.md", "one")]);
    let commit = |conflicts| {
        let mut overlay = overlay(&store);
        overlay.put(A, path("a.md"), "changed").unwrap();
        overlay.commit(&Contended(&store, conflicts), &accept, &worker())
    };
    let revision = Some(Revision::of(b"one"));
    let conflict = Conflict::new(path("a.md"), revision, None, revision);
    let said = "`a.md` was changed meanwhile in the same lines".to_owned();
    assert_eq!(reasons(&commit(vec![conflict]).unwrap()), [(vec![1], said)]);
    assert!(matches!(commit(vec![]).unwrap_err().error, Error::Busy { .. }));
}
