//! A folder of few files is opened without being looked at first, and nothing but the work is less.
#![expect(clippy::disallowed_methods, reason = "tests lay out files")]

use std::fs;

use memdir_core::MemPath;
use memdir_scan::{Options, Scan, scan};
use memdir_store::{Error, Flow, Listed, LocalDir, ReadStore};
use proptest::prelude::*;

use crate::shelf::{day, paths, problems};

/// Looks at every file when it lists.
struct Looking<S>(S);

impl<S: ReadStore> ReadStore for Looking<S> {
    fn visit(&self, each: &mut dyn FnMut(Listed) -> Flow) -> Result<(), Error> {
        self.0.visit(each)
    }

    fn read_head(&self, path: &MemPath, max_bytes: u64) -> Result<Option<Vec<u8>>, Error> {
        self.0.read_head(path, max_bytes)
    }
}

fn both(root: &std::path::Path, max: usize) -> [Scan; 2] {
    let store = LocalDir::open(root, memdir_store::Options::default()).unwrap();
    let mut options = Options::new(day(100));
    options.max = max;
    [scan(&store, &options).unwrap(), scan(&Looking(store), &options).unwrap()]
}

proptest! {
    #[test]
    fn what_is_found_is_the_same_as_by_looking_first(
        files in proptest::collection::btree_map("(sub/|logs/|team/)?[a-cA-C]{1,2}[.](md|MD|txt)|MEMORY[.]md", ".{0,30}", 0..12),
        dated in any::<bool>(),
        max in 0_usize..30,
    ) {
        let root = tempfile::tempdir().unwrap();
        for (name, content) in &files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let date = if dated { "created: 2026-01-01\n" } else { "" };
            fs::write(path, format!("---\n{date}{content}\n---\n")).unwrap();
        }
        let [scan, looking] = both(root.path(), max);
        prop_assert_eq!(&scan.headers, &looking.headers);
        prop_assert_eq!((scan.total, problems(&scan)), (looking.total, problems(&looking)));
    }
}

#[cfg(unix)]
#[test]
fn links_pipes_and_odd_names_are_told_as_by_looking_first() {
    use std::os::unix::fs::symlink;

    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    fs::write(at("a.md"), "a").unwrap();
    fs::write(at("note.txt"), "n").unwrap();
    fs::write(at("u\u{308}ber.md"), "decomposed").unwrap();
    fs::hard_link(at("a.md"), at("b.md")).unwrap();
    symlink("note.txt", at("to-note.md")).unwrap();
    symlink("a.md", at("alias.md")).unwrap();
    symlink("/etc/passwd", at("out.md")).unwrap();
    let mode = rustix::fs::Mode::RUSR;
    rustix::fs::mknodat(rustix::fs::CWD, at("pipe.md"), rustix::fs::FileType::Fifo, mode, 0)
        .unwrap();
    for max in 0..8 {
        let [scan, looking] = both(root.path(), max);
        assert_eq!((&scan.headers, scan.total), (&looking.headers, looking.total));
        let sorted = |scan| {
            let mut problems = problems(scan);
            problems.sort();
            problems
        };
        assert_eq!(sorted(&scan), sorted(&looking));
        if max == 7 {
            let mut found = paths(&scan);
            found.sort_unstable();
            assert_eq!(found, ["a.md", "b.md", "to-note.md", "\u{fc}ber.md"]);
        }
    }
}
