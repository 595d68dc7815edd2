//! The calls into memdir that are measured.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::SystemTime;

use memdir_core::frontmatter;
use memdir_scan::Scan;
use memdir_store::{LocalDir, Options, ReadStore as _};

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
