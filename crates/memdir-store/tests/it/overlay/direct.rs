//! An overlay on an unchanged store does what a batch does.

use memdir_store::{Batch, Expect, InMemory, IndexOp, OpKind, WriteStore, overlay::Group};
use proptest::prelude::*;

use super::{accept, contents, overlay, path, upsert, worker};

#[derive(Debug, Clone)]
enum Step {
    Put(usize, String),
    Remove(usize),
    Line(usize, String),
    NoLine(usize),
}

const NAMES: [&str; 5] = ["a.md", "b.md", "sub/c.md", "d.md", "e.md"];

fn step() -> impl Strategy<Value = Step> {
    let name = 0..NAMES.len();
    let text = "[a-c\n記]{0,12}";
    prop_oneof![
        3 => (name.clone(), text).prop_map(|(name, text)| Step::Put(name, text)),
        1 => name.clone().prop_map(Step::Remove),
        2 => (name.clone(), "[a-z ]{0,9}").prop_map(|(name, hook)| Step::Line(name, hook)),
        1 => name.prop_map(Step::NoLine),
    ]
}

proptest! {
    /// On a store that nobody else touches, a commit comes to the same as a batch.
    #[test]
    fn a_commit_on_an_unchanged_store_equals_direct_application(
        before in prop::collection::vec(step(), 0..8),
        steps in prop::collection::vec((step(), 0_u32..4), 0..16),
    ) {
        let direct = |store: &InMemory, steps: &mut dyn Iterator<Item = &Step>| {
            let batch = steps.fold(Batch::new(OpKind::Save), |batch, step| match step {
                Step::Put(name, text) => batch.put(path(NAMES[*name]), text.as_str(), Expect::Any),
                Step::Remove(name) => batch.remove(path(NAMES[*name]), Expect::Any),
                Step::Line(name, hook) => batch.index(upsert(NAMES[*name], hook)),
                Step::NoLine(name) => batch.index(IndexOp::Remove { path: path(NAMES[*name]) }),
            });
            store.apply(&batch, &worker()).unwrap();
        };
        let (plain, layered) = (InMemory::new(), InMemory::new());
        for store in [&plain, &layered] {
            direct(store, &mut before.iter());
        }
        let mut overlay = overlay(&layered);
        for (step, group) in &steps {
            let group = Group::new(*group);
            match step {
                Step::Put(name, text) => {
                    overlay.put(group, path(NAMES[*name]), text.as_str()).unwrap();
                }
                Step::Remove(name) => overlay.remove(group, path(NAMES[*name])).unwrap(),
                Step::Line(name, hook) => overlay.index(group, upsert(NAMES[*name], hook)).unwrap(),
                Step::NoLine(name) => {
                    overlay.index(group, IndexOp::Remove { path: path(NAMES[*name]) }).unwrap();
                }
            }
        }
        direct(&plain, &mut steps.iter().map(|(step, _)| step));
        let within = contents(&overlay);
        let outcome = overlay.commit(&layered, &accept, &worker()).unwrap();
        prop_assert_eq!(outcome.held, []);
        prop_assert_eq!(contents(&layered), contents(&plain));
        prop_assert_eq!(within, contents(&plain), "what the run saw is what was committed");
    }
}
