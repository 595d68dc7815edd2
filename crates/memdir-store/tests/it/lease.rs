//! Leases: one holder at a time, whatever becomes of it.
#![cfg(test)]
#![cfg(feature = "fs")]
#![expect(clippy::disallowed_methods, reason = "tests arrange files and start holders to kill")]

use std::{
    fs,
    io::{BufRead, BufReader, Lines, Write},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering::SeqCst},
    time::{Duration, SystemTime},
};

use memdir_store::{
    Holder,
    disk::MemDisk,
    lease::{Acquired, Error, Lease, Predecessor, acquire, acquire_on},
};

fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_796_029_953)
}

fn taken(acquired: Result<Acquired, Error>) -> Lease {
    match acquired.unwrap() {
        Acquired::Lease(lease) => lease,
        Acquired::Busy(holder) => panic!("held by {holder:?}"),
    }
}

fn holder(acquired: Result<Acquired, Error>) -> Holder {
    match acquired.unwrap() {
        Acquired::Lease(lease) => panic!("{lease:?} was free"),
        Acquired::Busy(holder) => holder.expect("the holder says who it is"),
    }
}

/// Set for a child: where to take the lease, and what to do then.
const DIRECTORY: &str = "MEMDIR_TEST_LEASE_IN";

/// A child process that holds a lease until its input ends, then commits it.
struct Other(Child, Lines<BufReader<ChildStdout>>);

impl Other {
    fn hold(directory: &Path, test: &str) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", test, "--nocapture"])
            .env(DIRECTORY, directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let said = lines.by_ref().map(Result::unwrap).find(|line| line.ends_with("held"));
        assert!(said.is_some(), "the child did not get the lease");
        Self(child, lines)
    }

    /// What the child does, in a test that is its own child.
    fn is_this_process() -> bool {
        let Some(directory) = std::env::var_os(DIRECTORY) else { return false };
        let lease = taken(acquire(Path::new(&directory), "dream", "other", now()));
        println!("held");
        std::io::stdout().flush().unwrap();
        std::io::stdin().lines().for_each(drop);
        lease.commit().unwrap();
        true
    }

    fn finish(mut self) {
        drop(self.0.stdin.take());
        self.1.for_each(drop);
        assert!(self.0.wait().unwrap().success());
    }

    fn kill(mut self) -> u32 {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
        self.0.id()
    }
}

#[test]
fn a_second_one_is_told_who_has_it() {
    let place = tempfile::tempdir().unwrap();
    let lease = taken(acquire(place.path(), "dream", "dream of 5 sessions", now()));
    let who = holder(acquire(place.path(), "dream", "another", now()));
    assert_eq!(who.to_string(), {
        let pid = std::process::id();
        format!("process {pid} (dream of 5 sessions) since 2026-11-30T09:12:33Z")
    });
    taken(acquire(place.path(), "worker", "another name is another lease", now()));
    drop(lease);
    taken(acquire(place.path(), "dream", "another", now()));
}

#[test]
fn a_commit_is_remembered_and_a_drop_is_not() {
    let disk = MemDisk::new();
    let take = |what: &str| taken(acquire_on(&disk, "dream", what, now()));
    let last = |lease: &Lease| lease.last_committed().and_then(|holder| holder.what.clone());
    let first = take("first");
    assert_eq!((last(&first), first.predecessor()), (None, Predecessor::GaveBack));
    drop(first);
    assert_eq!(last(&take("second")), None);
    take("third").commit().unwrap();
    let fourth = take("fourth");
    let expect = (Some("third".into()), Predecessor::GaveBack);
    assert_eq!((last(&fourth), fourth.predecessor()), expect);
    drop(fourth);
    assert_eq!(last(&take("fifth")).as_deref(), Some("third"));
}

#[test]
fn another_process_is_kept_out_until_the_holder_is_done() {
    if Other::is_this_process() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let test = "lease::another_process_is_kept_out_until_the_holder_is_done";
    let other = Other::hold(place.path(), test);
    let who = holder(acquire(place.path(), "dream", "this", now()));
    assert_eq!((who.pid, who.what.as_deref()), (other.0.id(), Some("other")));
    other.finish();
    let lease = taken(acquire(place.path(), "dream", "this", now()));
    assert_eq!(lease.last_committed(), Some(&who));
    assert_eq!(lease.predecessor(), Predecessor::GaveBack);
}

#[test]
fn a_killed_holder_frees_the_lease_and_is_named() {
    if Other::is_this_process() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let pid =
        Other::hold(place.path(), "lease::a_killed_holder_frees_the_lease_and_is_named").kill();
    let lease = taken(acquire(place.path(), "dream", "this", now()));
    let Predecessor::Died(Some(who)) = lease.predecessor() else { panic!("{lease:?}") };
    assert_eq!((who.pid, who.what.as_deref()), (pid, Some("other")));
    assert_eq!(lease.last_committed(), None);
    drop(lease);
    let lease = taken(acquire(place.path(), "dream", "this", now()));
    assert_eq!(lease.predecessor(), Predecessor::GaveBack);
}

/// Threat 52. Where the system cannot lock folders this does not hold.
#[cfg(target_os = "linux")]
#[test]
fn deleting_or_replacing_the_lock_file_lets_nobody_in() {
    if Other::is_this_process() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let test = "lease::deleting_or_replacing_the_lock_file_lets_nobody_in";
    let other = Other::hold(place.path(), test);
    let file = place.path().join(".memdir/dream.lock");
    let is_busy =
        || matches!(acquire(place.path(), "dream", "this", now()).unwrap(), Acquired::Busy(_));
    fs::remove_file(&file).unwrap();
    assert!(is_busy());
    fs::remove_file(&file).unwrap();
    fs::write(&file, "").unwrap();
    assert!(is_busy());
    other.kill();
    assert!(!is_busy());
}

#[test]
fn of_many_threads_that_try_at_once_one_at_a_time_gets_in() {
    let place = tempfile::tempdir().unwrap();
    let inside = AtomicU32::new(0);
    let taken = AtomicU32::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..200 {
                    let acquired = acquire(place.path(), "dream", "thread", now()).unwrap();
                    if let Acquired::Lease(lease) = acquired {
                        assert_eq!(inside.fetch_add(1, SeqCst), 0);
                        taken.fetch_add(1, SeqCst);
                        assert_eq!(inside.fetch_sub(1, SeqCst), 1);
                        drop(lease);
                    }
                }
            });
        }
    });
    assert!(taken.into_inner() > 0);
}

#[test]
fn what_stands_in_the_lock_file_never_decides() {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir(place.path().join(".memdir")).unwrap();
    let file = place.path().join(".memdir/dream.lock");
    let alive = format!("\n{{\"pid\":{}}}\n", std::process::id());
    for (note, died) in [
        ("", false),
        ("\n", false),
        ("{\"pid\":1}\n", false),
        ("4711", false),
        ("\n4711\n", true),
        ("\0\0\0\n\0\0\n", true),
        (alive.as_str(), true),
        (&"x\n".repeat(100_000), true),
    ] {
        fs::write(&file, note).unwrap();
        let lease = taken(acquire(place.path(), "dream", "this", now()));
        assert_eq!(matches!(lease.predecessor(), Predecessor::Died(_)), died, "{note:.20?}");
        drop(lease);
    }
}

#[test]
fn a_name_is_a_plain_word() {
    let disk = MemDisk::new();
    for bad in ["", "..", "a/b", "a.b", "Dream", "dröm", "a b", "\0", &"x".repeat(33)] {
        let error = acquire_on(&disk, bad, "this", now()).unwrap_err();
        assert!(matches!(&error, Error::Name { name } if name == bad), "{error:?}");
    }
    taken(acquire_on(&disk, &"x".repeat(32), "this", now()));
}

#[test]
fn a_directory_that_is_missing_is_not_created_for_a_lease() {
    let place = tempfile::tempdir().unwrap();
    let missing = place.path().join("memory");
    let error = acquire(&missing, "dream", "this", now()).unwrap_err();
    assert!(matches!(error, Error::Store(memdir_store::Error::Absent { .. })), "{error:?}");
    assert!(!missing.exists());
}
