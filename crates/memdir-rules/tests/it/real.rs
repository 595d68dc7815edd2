//! Real files, links of both kinds among them.

use std::fs;

use memdir_rules::{Session, Setup};
use memdir_store::files::LocalFiles;

#[cfg(unix)]
#[test]
fn links_of_both_kinds_are_one_file_and_a_project_may_be_reached_by_one() {
    use std::os::unix::fs::symlink;

    let temp = tempfile::tempdir().unwrap();
    let root = temp.path().canonicalize().unwrap();
    fs::create_dir_all(root.join("real/.claude/rules")).unwrap();
    symlink("real", root.join("by-link")).unwrap();
    fs::write(root.join("real/CLAUDE.md"), "ONE @two.md @three.md\n").unwrap();
    fs::hard_link(root.join("real/CLAUDE.md"), root.join("real/two.md")).unwrap();
    symlink("CLAUDE.md", root.join("real/three.md")).unwrap();
    fs::write(root.join("real/.claude/rules/rs.md"), "---\npaths: src/*.rs\n---\nRS\n").unwrap();
    let mut session =
        Session::new(LocalFiles::new(), Setup::new(root.join("by-link"), root.join("by-link")));
    let start = session.start();
    assert_eq!(start.fragments.len(), 1, "{start:?}");
    for file in ["by-link/src/a.rs", "real/src/a.rs"] {
        session.start();
        let loaded = session.touch(&[root.join(file)]).fragments;
        assert_eq!(loaded.iter().map(|it| it.text.as_str()).collect::<Vec<_>>(), ["RS"], "{file}");
    }
}

#[test]
fn an_empty_place_has_no_rules_and_no_notes() {
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path().canonicalize().unwrap();
    let start = Session::new(LocalFiles::new(), Setup::new(&root, root.join("gone"))).start();
    assert_eq!((start.fragments, start.notes), (vec![], vec![]));
}
