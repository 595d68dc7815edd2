//! Each notice goes to one reader, once.

use std::collections::BTreeSet;
use std::sync::Barrier;
use std::thread;

use insta::assert_debug_snapshot;
use memdir_change::{Policy, deliver};
use memdir_store::{LocalDir, Options};

use crate::kit::{SAID, create, delete, numbered, run};

#[test]
fn a_run_that_did_something_is_told_once() {
    let store = numbered(30);
    assert_eq!(deliver(&store).unwrap(), []);
    run(&store, &Policy::default(), vec![create("deploys", SAID), delete("m00.md")]);
    let told = deliver(&store).unwrap();
    let [notice] = &told[..] else { panic!("one run, one notice: {told:?}") };
    assert!(notice.op.is_some());
    let shown =
        (&notice.at, &notice.actor, &notice.run, &notice.files, notice.more_files, &notice.waiting);
    assert_debug_snapshot!(shown, @r#"
    (
        "2026-11-30T09:00:00Z",
        "worker:dream",
        Some(
            "run-1",
        ),
        [
            Touched {
                path: "project_deploys.md",
                action: "created",
            },
        ],
        0,
        [
            1,
        ],
    )
    "#);
    assert_eq!(deliver(&store).unwrap(), []);
    // Nothing new, nothing told.
    run(&store, &Policy::default(), vec![create("deploys", SAID)]);
    assert_eq!(deliver(&store).unwrap(), []);
}

#[test]
fn of_readers_at_once_each_notice_goes_to_one() {
    let folder = tempfile::tempdir().unwrap();
    let open = || LocalDir::open(folder.path(), Options::default()).unwrap();
    let count = 5;
    for number in 0..count {
        run(
            &open(),
            &Policy::default(),
            vec![create(&format!("n{number}"), &format!("{number} {SAID}"))],
        );
    }
    let barrier = Barrier::new(8);
    let read = || {
        let store = open();
        barrier.wait();
        deliver(&store).unwrap()
    };
    let told: Vec<_> = thread::scope(|scope| {
        let readers: Vec<_> = (0..8).map(|_| scope.spawn(read)).collect();
        readers.into_iter().flat_map(|reader| reader.join().unwrap()).collect()
    });
    let ops: BTreeSet<_> = told.iter().map(|notice| notice.op.clone()).collect();
    assert_eq!((told.len(), ops.len()), (count, count));
}

#[test]
fn torn_lines_hide_no_notice_and_told_ones_do_not_pile_up() {
    let store = numbered(3);
    store.disk().put(".memdir/state/notices.jsonl", "{\"notice\":\"a\",\"at\"\n\u{0}\n{}");
    run(&store, &Policy::default(), vec![create("deploys", SAID)]);
    assert_eq!(deliver(&store).unwrap().len(), 1);
    let filler = "{\"told\":\"x\",\"by\":\"y\"}\n".repeat(5_000);
    store.disk().put(".memdir/state/notices.jsonl", filler);
    run(&store, &Policy::default(), vec![create("other", "Ines approves each of them.")]);
    assert!(store.disk().files()[".memdir/state/notices.jsonl"].len() < 1_000);
    assert_eq!(deliver(&store).unwrap().len(), 1);
}
