//! Power cuts: what was acknowledged stays, what was not is whole.

use std::io::ErrorKind;

use memdir_store::{
    Batch, Expect, OpKind, WriteStore,
    disk::{Fault, Faulty, Loss, MemDisk},
};

use super::{
    check_settled, is_full, next_writer,
    operations::{KINDS, fork},
    path, person, store, visible, without_next,
};

fn losses() -> Vec<Loss> {
    let seeds = if is_full() { 40 } else { 2 };
    let all = [Loss::Everything, Loss::Nothing, Loss::Data, Loss::Names];
    all.into_iter().chain((0..seeds).map(Loss::Random)).collect()
}

#[test]
fn loses_nothing_acknowledged_and_leaves_nothing_half_done() {
    for disk in [MemDisk::new, || MemDisk::new().without_exchange()] {
        for kind in KINDS {
            let begun = kind.begun(&disk());
            let (before, after) = kind.states(&begun);
            for step in 1.. {
                let base = fork(&begun);
                let faulty = Faulty::new(base.clone()).fault(step, Fault::Death);
                let acting = store(faulty);
                let result = kind.act(&acting);
                for loss in losses() {
                    let context = format!("{kind:?}, power cut at step {step}, {loss:?} lost");
                    let cut = base.power_cut(loss);
                    store(cut.clone()).fix().expect("a healthy disk can be mended");
                    let left = visible(&cut);
                    let is_allowed = left == after || (result.is_err() && left == before);
                    assert!(is_allowed, "{context}: {left:#?}");
                    check_settled(&cut, &context);
                    next_writer(&cut);
                    assert_eq!(without_next(visible(&cut)), left, "{context}");
                    check_settled(&cut, &context);
                }
                if acting.disk().steps() < step {
                    break;
                }
            }
        }
    }
}

#[test]
fn a_power_cut_while_mending_changes_nothing() {
    for kind in KINDS {
        let begun = kind.begun(&MemDisk::new());
        let (before, after) = kind.states(&begun);
        let stride = if is_full() { 1 } else { 9 };
        for step in (1..).step_by(stride) {
            let base = fork(&begun);
            let acting = store(Faulty::new(base.clone()).fault(step, Fault::Death));
            let result = kind.act(&acting);
            for seed in 0..if is_full() { 12 } else { 2 } {
                let cut = base.power_cut(Loss::Random(seed));
                for second in 1.. {
                    let context = format!("{kind:?}, cut {seed} at {step}, again at {second}");
                    let mending_disk = fork(&cut);
                    let faulty = Faulty::new(mending_disk.clone()).fault(second, Fault::Death);
                    let mending = store(faulty);
                    let mended = mending.fix();
                    let again = mending_disk.power_cut(Loss::Random(seed + 1000));
                    store(again.clone()).fix().expect("a healthy disk can be mended");
                    let left = visible(&again);
                    let is_allowed = left == after || (result.is_err() && left == before);
                    assert!(is_allowed, "{context}: {left:#?}");
                    check_settled(&again, &context);
                    if mended.is_ok() && mending.disk().steps() < second {
                        break;
                    }
                }
            }
            if acting.disk().steps() < step {
                break;
            }
        }
    }
}

#[test]
fn what_was_taken_back_stays_so_when_a_later_operation_was_acknowledged() {
    for kind in KINDS {
        let begun = kind.begun(&MemDisk::new());
        let (before, after) = kind.states(&begun);
        for step in 1.. {
            let base = fork(&begun);
            let faulty = Faulty::new(base.clone()).fault(step, Fault::Once(ErrorKind::Other));
            let acting = store(faulty);
            let result = kind.act(&acting);
            // In a folder of its own, so that nothing else is made safe with it.
            let batch = Batch::new(OpKind::Save).put(path("apart/x.md"), "x\n", Expect::Any);
            store(base.clone()).apply(&batch, &person()).expect("the disk works again");
            let seen = visible(&base);
            for loss in losses() {
                let context = format!("{kind:?}, step {step} failed, then {loss:?} lost");
                let cut = base.power_cut(loss);
                store(cut.clone()).fix().expect("a healthy disk can be mended");
                assert_eq!(visible(&cut), seen, "{context}");
                check_settled(&cut, &context);
            }
            let mut left = seen;
            assert_eq!(left.remove("apart/x.md").as_deref(), Some("x\n"));
            assert!(left == after || (result.is_err() && left == before), "{kind:?}, {step}");
            if acting.disk().steps() < step {
                break;
            }
        }
    }
}
