//! A step that fails, and a program that dies at it.

use std::io::ErrorKind;

use memdir_store::disk::{Fault, Faulty, MemDisk};

use super::{
    check_settled, is_full, next_writer,
    operations::{KINDS, Kind, fork},
    store, visible, without_next,
};

/// Disks of both kinds: which swap names in one step, and which cannot.
const DISKS: [fn() -> MemDisk; 2] = [MemDisk::new, || MemDisk::new().without_exchange()];

/// Every operation, on every kind of disk, with the number of its steps.
fn each_case(mut run: impl FnMut(Kind, &MemDisk, u64)) {
    for disk in DISKS {
        for kind in KINDS {
            let begun = kind.begun(&disk());
            let store = store(Faulty::new(fork(&begun)));
            kind.act(&store).expect("nothing is in the way");
            let steps = store.disk().steps();
            assert!(steps > 20, "{kind:?} takes {steps} steps");
            run(kind, &begun, steps);
        }
    }
}

#[test]
fn a_step_that_fails_once_leaves_the_state_before_or_after() {
    each_case(|kind, begun, steps| {
        let (before, after) = kind.states(begun);
        for error in [ErrorKind::StorageFull, ErrorKind::Other] {
            for step in 1..=steps {
                let context = format!("{kind:?}, step {step} fails with {error:?}");
                let disk = fork(begun);
                let faulty = Faulty::new(disk.clone()).fault(step, Fault::Once(error));
                let result = kind.act(&store(faulty));
                let found = visible(&disk);
                let seen: super::Files =
                    found.clone().into_iter().filter(|(p, _)| !p.contains(".memdir-")).collect();
                match result {
                    Ok(()) => assert_eq!(seen, after, "{context}"),
                    Err(_) => assert!(seen == before || seen == after, "{context}: {seen:#?}"),
                }
                assert_eq!(super::dangling(&found), Vec::<String>::new(), "{context}");
                next_writer(&disk);
                let left = without_next(visible(&disk));
                assert!(left == before || left == after, "{context}: {left:#?}");
                assert!(left == after || seen == before, "{context}: went back again");
                check_settled(&disk, &context);
            }
        }
    });
}

#[test]
fn a_disk_that_fails_from_a_step_on_is_mended_by_the_next_writer() {
    each_case(|kind, begun, steps| {
        let (before, after) = kind.states(begun);
        for step in 1..=steps {
            let context = format!("{kind:?}, all fails from step {step}");
            let disk = fork(begun);
            let fault = Fault::FromThenOn(ErrorKind::StorageFull);
            let result = kind.act(&store(Faulty::new(disk.clone()).fault(step, fault)));
            assert_eq!(super::dangling(&visible(&disk)), Vec::<String>::new(), "{context}");
            next_writer(&disk);
            let left = without_next(visible(&disk));
            assert!(left == after || (result.is_err() && left == before), "{context}: {left:#?}");
            check_settled(&disk, &context);
        }
    });
}

#[test]
fn a_program_that_dies_at_a_step_leaves_what_the_next_writer_or_fix_completes() {
    each_case(|kind, begun, steps| {
        let (before, after) = kind.states(begun);
        for fault in [Fault::Death, Fault::DeathWithin] {
            for step in 1..=steps {
                let context = format!("{kind:?}, {fault:?} at step {step}");
                let disk = fork(begun);
                let result = kind.act(&store(Faulty::new(disk.clone()).fault(step, fault)));
                assert_eq!(super::dangling(&visible(&disk)), Vec::<String>::new(), "{context}");
                if step % 2 == 0 {
                    next_writer(&disk);
                } else {
                    store(disk.clone()).fix().expect("a healthy disk can be mended");
                }
                let left = without_next(visible(&disk));
                let is_allowed = left == after || (result.is_err() && left == before);
                assert!(is_allowed, "{context}: {left:#?}");
                check_settled(&disk, &context);
            }
        }
    });
}

#[test]
fn a_second_death_while_mending_the_first_changes_nothing() {
    each_case(|kind, begun, steps| {
        let (before, after) = kind.states(begun);
        let stride = if is_full() { 1 } else { 7 };
        for step in (1..=steps).step_by(stride) {
            for second in 1.. {
                let context = format!("{kind:?}, death at step {step} and {second} of mending");
                let disk = fork(begun);
                let result = kind.act(&store(Faulty::new(disk.clone()).fault(step, Fault::Death)));
                let faulty = Faulty::new(disk.clone()).fault(second, Fault::DeathWithin);
                let mending = store(faulty);
                let is_mended = mending.fix().is_ok();
                assert_eq!(super::dangling(&visible(&disk)), Vec::<String>::new(), "{context}");
                next_writer(&disk);
                let left = without_next(visible(&disk));
                let is_allowed = left == after || (result.is_err() && left == before);
                assert!(is_allowed, "{context}: {left:#?}");
                check_settled(&disk, &context);
                if is_mended && mending.disk().steps() < second {
                    break;
                }
            }
        }
    });
}

#[test]
fn a_second_failure_while_taking_back_the_first_changes_nothing() {
    each_case(|kind, begun, steps| {
        let (before, after) = kind.states(begun);
        let stride = if is_full() { 1 } else { 5 };
        for step in (1..=steps).step_by(stride) {
            for second in ((step + 1)..(step + 40)).step_by(stride.div_ceil(2)) {
                let context = format!("{kind:?}, steps {step} and {second} fail");
                let disk = fork(begun);
                let once = Fault::Once(ErrorKind::Other);
                let faulty = Faulty::new(disk.clone()).fault(step, once).fault(second, once);
                let result = kind.act(&store(faulty));
                assert_eq!(super::dangling(&visible(&disk)), Vec::<String>::new(), "{context}");
                next_writer(&disk);
                let left = without_next(visible(&disk));
                let is_allowed = left == after || (result.is_err() && left == before);
                assert!(is_allowed, "{context}: {left:#?}");
                check_settled(&disk, &context);
            }
        }
    });
}

#[test]
fn a_file_system_without_locks_is_told_at_once() {
    let disk = Kind::Create.begun(&MemDisk::new());
    for step in 1.. {
        let fault = Fault::Once(ErrorKind::Unsupported);
        let result = Kind::Create.act(&store(Faulty::new(disk.clone()).fault(step, fault)));
        match result {
            Err(super::operations::Failed::Apply(memdir_store::ApplyError::Store(
                memdir_store::Error::LockUnsupported { path, .. },
            ))) => {
                assert_eq!(path, ".memdir/lock");
                return;
            }
            _ => assert!(step < 10, "locking is among the first steps"),
        }
    }
}
