//! The calls into memdir that are measured.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
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
use transcript_jsonl::{Reach, Resume, Standing, Tree};

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

/// Lines of a session, and entries of its active branch since the last compaction.
pub fn branch(path: &Path) -> anyhow::Result<(u64, usize)> {
    branch_of(File::open(path)?)
}

/// The same of a session that is read from anywhere.
pub fn branch_of(source: impl Read) -> anyhow::Result<(u64, usize)> {
    let tree = Tree::read(source)?;
    let branch = tree.leaf().map(|leaf| tree.branch(leaf, Reach::Resumed)).unwrap_or_default();
    let entries = branch.iter().filter(|step| step.standing == Standing::Chain).count();
    Ok((tree.counts().lines, entries))
}

/// Entries that a session resumes with, without those beside the branch, and bytes read to find them.
pub fn resume(path: &Path) -> anyhow::Result<(usize, u64)> {
    let mut source = Counting { file: File::open(path)?, read: 0 };
    let resume = Resume::read(&mut source)?;
    let beside = |origin| origin == transcript_jsonl::Origin::Parallel;
    let entries = resume.members.iter().filter(|member| !beside(member.origin)).count();
    Ok((entries, source.read))
}

struct Counting {
    file: File,
    read: u64,
}

impl Read for Counting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.read += read as u64;
        Ok(read)
    }
}

impl Seek for Counting {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}
