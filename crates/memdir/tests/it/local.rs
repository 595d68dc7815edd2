//! The handle on a real directory.

use std::sync::Arc;

use memdir::core::frontmatter::NewMemory;
use memdir::core::{FixedClock, MemoryType};
use memdir::recall::Query;
use memdir::store::{Actor, Attribution, Error as StoreError, Options, UndoTarget};
use memdir::{Error, Memory, Save};

use crate::store::now;

#[test]
fn a_directory_is_opened_written_recalled_from_and_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let open = |path: &std::path::Path| {
        Memory::open(
            path,
            Options::new(Arc::new(FixedClock(now()))),
            Attribution::new(Actor::Agent).session("0f9c"),
        )
    };
    let absent = open(&folder.path().join("absent"));
    assert!(matches!(absent, Err(Error::Store(StoreError::Absent { .. }))), "{absent:?}");

    let memory = open(folder.path()).unwrap();
    let new = NewMemory::new(
        "Freeze",
        "No releases before March",
        Some(MemoryType::Project),
        "Since November.",
    );
    let saved = memory.save(&Save::new(new)).unwrap();
    let later = open(folder.path()).unwrap();
    let recall = later.recall(&Query::new("releases before March"), 5).unwrap();
    assert_eq!(recall.attachments.first().map(|found| &found.path), Some(&saved.path));
    let context = later.context(&Query::new("releases before March"), 5).unwrap();
    assert!(
        context.text.starts_with(&later.prompt().text)
            && context.text.contains("> Since November.")
    );

    later.undo(&UndoTarget::op(saved.op.unwrap()), None).unwrap();
    assert_eq!(open(folder.path()).unwrap().scan().unwrap().total, 0);
}
