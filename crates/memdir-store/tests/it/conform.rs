//! Both stores of this crate do what every store must.
#![cfg(all(test, feature = "testing"))]

use memdir_store::{InMemory, Options, Store, conformance, disk::MemDisk};

#[test]
fn in_memory_conforms() {
    conformance::run(InMemory::new);
}

#[test]
fn a_disk_that_cannot_swap_names_conforms() {
    let options =
        || Options::new(std::sync::Arc::new(memdir_core::FixedClock(std::time::UNIX_EPOCH)));
    conformance::run(|| Store::over(MemDisk::new().without_exchange(), options()));
}

#[cfg(feature = "fs")]
#[test]
fn a_local_directory_conforms() {
    use memdir_store::LocalDir;

    let root = tempfile::TempDir::new().expect("a place for tests");
    let mut number = 0;
    conformance::run(|| {
        number += 1;
        let path = root.path().join(format!("new/{number}"));
        LocalDir::open_or_create(&path, Options::default()).expect("created")
    });
}
