//! The calls into memdir that are measured.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::SystemTime;

use memdir_core::MemoryType;
use memdir_core::frontmatter::{self, NewMemory};
use memdir_core::name::file_name;
use memdir_scan::Scan;
use memdir_store::{
    Actor, Attribution, Batch, Expect, IndexOp, LocalDir, OpKind, Options, ReadStore as _,
    WriteStore as _,
};

/// Opens a directory that is there.
pub fn open(root: &Path) -> anyhow::Result<LocalDir> {
    Ok(LocalDir::open(root, Options::default())?)
}

/// The headers of the newest memories, from opening the directory to the last file read.
pub fn scan(root: &Path) -> anyhow::Result<Scan> {
    Ok(memdir_scan::scan(&open(root)?, &memdir_scan::Options::new(SystemTime::now()))?)
}

/// The paths that a scan keeps, newest first.
pub fn newest(root: &Path) -> anyhow::Result<Vec<String>> {
    Ok(scan(root)?.headers.into_iter().map(|header| header.path.as_str().to_owned()).collect())
}

/// Lists the directory with times and sizes, and opens nothing.
pub fn visit(root: &Path) -> anyhow::Result<()> {
    open(root)?.visit(&mut |listed| {
        std::hint::black_box(listed);
        ControlFlow::Continue(())
    })?;
    Ok(())
}

/// Reads the fields of one head.
pub fn frontmatter(head: &[u8]) {
    let (text, _) = frontmatter::decode(head);
    std::hint::black_box(frontmatter::parse(&text));
}

/// Saves a new memory, whose name ends in `number`, and its index line.
pub fn save(store: &LocalDir, number: u32, body: &str) -> anyhow::Result<()> {
    let name = format!("real-server-{number}");
    let path = file_name(Some(MemoryType::Feedback), &name);
    let text = frontmatter::render(&NewMemory::new(
        &name,
        "Tests run against a real server, never a fake",
        Some(MemoryType::Feedback),
        body,
    ));
    let line = IndexOp::Upsert { path: path.clone(), title: name, hook: "never a fake".into() };
    let batch = Batch::new(OpKind::Save).put(path, text, Expect::Absent).index(line);
    store.apply(&batch, &Attribution::new(Actor::User))?;
    Ok(())
}
