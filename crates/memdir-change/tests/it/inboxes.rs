//! What waits for a person: bounded, checked again, and decided on once.

use std::time::Duration;

use memdir_change::{
    Change, Inbox, InboxError, Operation, Policy, Revised, Standing, apply, commit, dismiss,
    forget_in_inbox, limits,
};
use memdir_store::{InMemory, UndoTarget, WriteStore};

use crate::kit::{
    SAID, create, delete, files, judge, memory, now, numbered, path, person, run, save, text,
    worker,
};

fn with_deletion() -> InMemory {
    let store = numbered(30);
    run(&store, &Policy::default(), vec![delete("m00.md"), delete("m01.md")]);
    store
}

fn standing(store: &InMemory, id: u64) -> Standing {
    Inbox::read(store).unwrap().item(id).unwrap().standing(store).unwrap()
}

#[test]
fn a_person_applies_and_can_undo() {
    let store = with_deletion();
    let before = files(&store);
    assert!(matches!(apply(&store, 1, &worker()), Err(InboxError::PersonOnly)));
    assert_eq!(files(&store), before);
    let receipt = apply(&store, 1, &person()).unwrap();
    assert_eq!(text(&store, "m00.md"), "");
    assert!(!text(&store, "MEMORY.md").contains("(m00.md)"));
    assert!(matches!(apply(&store, 1, &person()), Err(InboxError::Missing { id: 1 })));
    store.undo(&UndoTarget::op(receipt.op), &person()).unwrap();
    assert_eq!(files(&store), before);
    assert_eq!(
        Inbox::read(&store).unwrap().items.iter().map(|item| item.id).collect::<Vec<_>>(),
        [2]
    );
}

#[test]
fn what_was_changed_since_is_stale_and_stays() {
    let store = with_deletion();
    save(&store, "m00.md", &memory(7), &person());
    assert_eq!(standing(&store, 1), Standing::Stale { path: path("m00.md") });
    assert_eq!(standing(&store, 2), Standing::Open);
    let before = files(&store);
    let error = apply(&store, 1, &person()).unwrap_err();
    assert_eq!(error.to_string(), "proposal 1 is stale: `m00.md` was changed since");
    assert_eq!((files(&store), Inbox::read(&store).unwrap().items.len()), (before, 2));
    apply(&store, 2, &person()).unwrap();
    dismiss(&store, 1, now()).unwrap();
    assert_eq!(Inbox::read(&store).unwrap().items, []);
}

#[test]
fn changes_that_are_there_already_are_not_made_twice() {
    let store = with_deletion();
    // As when the program dies after the batch and before the inbox is written.
    let inbox = store.disk().files()[".memdir/state/inbox.json"].clone();
    apply(&store, 1, &person()).unwrap();
    let (after, operations) = (files(&store), store.history().unwrap().count());
    store.disk().put(".memdir/state/inbox.json", inbox);
    assert_eq!(standing(&store, 1), Standing::Done);
    assert!(!apply(&store, 1, &person()).unwrap().has_changes());
    assert_eq!((files(&store), store.history().unwrap().count()), (after, operations));
    assert_eq!(Inbox::read(&store).unwrap().items.len(), 1);
}

#[test]
fn an_inbox_that_another_program_wrote_is_checked_again() {
    let secret = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0".repeat(2).split_at(36).0);
    let store = numbered(3);
    let outside = create("deploys", SAID).quoting("tool1", "the deploy token lives in the wiki");
    run(&store, &Policy::default(), vec![outside]);
    let inbox =
        String::from_utf8(store.disk().files()[".memdir/state/inbox.json"].clone()).unwrap();
    let check = |from: &str, to: &str, expect: &str| {
        assert!(inbox.contains(from), "{inbox}");
        store.disk().put(".memdir/state/inbox.json", inbox.replace(from, to));
        let error = apply(&store, 1, &person()).unwrap_err();
        let told = std::error::Error::source(&error).map_or(error.to_string(), ToString::to_string);
        assert!(told.contains(expect) && !told.contains(&secret), "{told}");
        assert_eq!(files(&store).len(), 4);
    };
    check("project_deploys.md", "team/x.md", "is shared");
    check("project_deploys.md", "MEMORY.md", "is the index");
    check("project_deploys.md", "../x.md", "invalid data");
    check("type: project", "type: fact", "none of the four types");
    check("Deploys happen on Fridays at noon", &secret, "looks like a secret");
    check("\"v\":1", "\"v\":9", "newer than this program");
}

#[test]
fn it_is_bounded_in_number_size_and_age() {
    let store = numbered(1);
    let outside = |number: usize, body: &str| {
        create(&format!("n{number}"), &format!("{number} {body}"))
            .quoting("tool1", "the deploy token lives in the wiki")
    };
    let many = (0..=limits::INBOX_ITEMS).map(|number| outside(number, SAID)).collect();
    let done = run(&store, &Policy::default(), many);
    assert_eq!((done.inbox.waiting.len(), done.inbox.turned_away), (limits::INBOX_ITEMS, 1));
    // What waits too long goes when something new comes.
    let (snapshot, verdict) =
        judge(&store, &Policy::default(), &memdir_change::Plan::new([outside(9999, SAID)]));
    let later = now() + limits::INBOX_AGE + Duration::from_secs(1);
    let done = commit(&store, &snapshot, &verdict, &worker(), later).unwrap();
    assert_eq!(
        (done.inbox.waiting, done.inbox.expired),
        (vec![limits::INBOX_ITEMS as u64 + 1], limits::INBOX_ITEMS)
    );

    let store = numbered(1);
    let large = "word ".repeat(12_000);
    let done =
        run(&store, &Policy::default(), (0..72).map(|number| outside(number, &large)).collect());
    assert_eq!(done.inbox.waiting.len() + done.inbox.turned_away, 72);
    let bytes = store.disk().files()[".memdir/state/inbox.json"].len();
    assert!(done.inbox.turned_away > 0 && bytes <= limits::INBOX_BYTES, "{bytes}");
}

#[test]
fn what_is_forgotten_for_good_is_proposed_no_more() {
    let store = with_deletion();
    assert_eq!(forget_in_inbox(&store, |item| item.touches(&path("m00.md"))).unwrap(), 1);
    assert_eq!(forget_in_inbox(&store, |item| item.touches(&path("m00.md"))).unwrap(), 0);
    assert_eq!(Inbox::read(&store).unwrap().items.len(), 1);
}

#[test]
fn reasons_and_quotes_wait_without_their_secrets() {
    let secret = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0".repeat(2).split_at(36).0);
    let store = numbered(30);
    let revised = Revised::body("x");
    let update = Operation::new(
        Change::Update { path: "m01.md".to_owned(), revised },
        format!("as {secret}"),
    );
    let mut operation = delete("m00.md").quoting("m9", secret.as_str());
    operation.reason = format!("because of {secret}");
    run(&store, &Policy::default(), vec![operation, update.quoting("m1", "Ines approves")]);
    for (path, bytes) in store.disk().files() {
        assert!(!String::from_utf8_lossy(&bytes).contains(&secret), "{path}");
    }
    store.apply(&memdir_store::Batch::new(memdir_store::OpKind::Save), &person()).unwrap();
}
