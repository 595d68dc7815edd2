//! What leads out of the project is refused aloud, and nothing there is read.

use memdir_rules::{External, Session, limits};
use memdir_store::FileKind;
use memdir_store::files::{Call, InMemoryFiles, Recording};

use crate::{files, setup, shown, steps};

/// The paths that were read or listed outside of the project.
fn outside(calls: &[Call]) -> Vec<String> {
    let touched = calls.iter().filter_map(|call| match call {
        Call::Read(path) | Call::List(path) => Some(path.display().to_string()),
        _ => None,
    });
    touched.filter(|path| !path.starts_with("/w/p/")).collect()
}

#[test]
fn imports_and_links_that_leave_are_named_and_not_read() {
    let all = [
        ("/w/secret.md", "SECRET"),
        ("/w/p-evil/x.md", "EVIL"),
        ("/h/.ssh/key.md", "KEY"),
        (
            "/w/p/CLAUDE.md",
            "@../secret.md @/w/secret.md @~/.ssh/key.md @../p-evil/x.md @a/../../secret.md @in.md @out.md",
        ),
        ("/w/p/in.md", "-> sub/real.md"),
        ("/w/p/sub/real.md", "REAL"),
        ("/w/p/out.md", "-> ../secret.md"),
        ("/w/p/CLAUDE.local.md", "-> /w/secret.md"),
        ("/w/p/.claude/rules/file.md", "-> ../../../secret.md"),
        ("/w/p/.claude/rules/tree", "-> /h/.ssh"),
        ("/w/p/.claude/rules/nothing.md", "-> /w/gone.md"),
        ("/w/p/.claude/rules/self.md", "-> self.md"),
    ];
    let recorded = Recording::new(files(&all));
    assert_eq!(
        steps(&recorded, setup(), &[]),
        [
            "/w/p/CLAUDE.md project start @../secret.md @/w/secret.md @~/.ssh/key.md @../p-evil/x.md @a/../../secret.md @in.md @out.md",
            "/w/p/in.md project import REAL",
            "/w/p/CLAUDE.md:1: `@../secret.md` is skipped: outside project",
            "/w/p/CLAUDE.md:1: `@/w/secret.md` is skipped: outside project",
            "/w/p/CLAUDE.md:1: `@~/.ssh/key.md` is skipped: outside project",
            "/w/p/CLAUDE.md:1: `@../p-evil/x.md` is skipped: outside project",
            "/w/p/CLAUDE.md:1: `@a/../../secret.md` is skipped: outside project",
            "/w/p/CLAUDE.md:1: skipped: outside project, at /w/secret.md",
            "/w/p/.claude/rules/file.md: skipped: outside project, at /w/secret.md",
            "/w/p/.claude/rules/tree: skipped: outside project, at /h/.ssh",
            "/w/p/CLAUDE.local.md: skipped: outside project, at /w/secret.md",
        ]
    );
    assert_eq!(outside(&recorded.calls()), [""; 0]);
    let mut approved = setup();
    approved.external = External::Approved;
    let loaded = Session::new(files(&all), approved).start();
    let texts: Vec<_> = loaded.fragments[1..].iter().map(|it| it.text.as_str()).collect();
    assert_eq!(texts, ["SECRET", "KEY", "EVIL", "REAL"]);
}

#[test]
fn the_users_own_files_may_bring_in_what_they_want() {
    let all = [
        ("/h/.claude/CLAUDE.md", "@~/notes.md @/w/secret.md"),
        ("/h/notes.md", "NOTES"),
        ("/w/secret.md", "SECRET"),
        ("/h/.claude/rules/r.md", "-> /h/dotfiles/r.md"),
        ("/h/dotfiles/r.md", "R"),
    ];
    let loaded = Session::new(files(&all), setup()).start();
    let texts: Vec<_> = loaded.fragments[1..].iter().map(|it| it.text.as_str()).collect();
    assert_eq!((texts, loaded.notes.len()), (vec!["NOTES", "SECRET", "R"], 0));
}

#[test]
fn a_file_with_many_names_is_loaded_once() {
    let all = files(&[
        ("/w/p/CLAUDE.md", "ONE @again.md @hard.md @other.md"),
        ("/w/p/again.md", "-> CLAUDE.md"),
        ("/w/p/other.md", "TWO"),
        ("/w/p/.claude/rules/l.md", "-> ../../other.md"),
    ])
    .hard_link("/w/p/hard.md", std::path::Path::new("/w/p/CLAUDE.md"));
    assert_eq!(
        steps(all, setup(), &[]),
        [
            "/w/p/CLAUDE.md project start ONE @again.md @hard.md @other.md",
            "/w/p/other.md project import TWO",
            "/w/p/CLAUDE.md:1: `@again.md` names a file that imports this one",
            "/w/p/CLAUDE.md:1: `@hard.md` names a file that imports this one",
        ]
    );
}

#[test]
fn what_is_no_file_is_never_opened() {
    let all = InMemoryFiles::new()
        .special("/w/p/CLAUDE.md", FileKind::Fifo)
        .special("/w/p/.claude/rules/d.md", FileKind::Device)
        .special("/w/p/.claude/rules/socket", FileKind::Socket)
        .file("/w/p/.claude/rules/folder.md/in.md", "IN");
    let recorded = Recording::new(all);
    assert_eq!(
        steps(&recorded, setup(), &[]),
        [
            "/w/p/.claude/rules/folder.md/in.md project start IN",
            "/w/p/CLAUDE.md: is a named pipe, not a file",
            "/w/p/.claude/rules/d.md: is a device, not a file",
        ]
    );
    let reads = recorded.calls().into_iter().filter(|call| matches!(call, Call::Read(_))).count();
    assert_eq!(reads, 1);
}

#[test]
fn sixty_four_levels_and_more_are_bounded() {
    let deep = vec!["d"; 100].join("/");
    let all = files(&[
        ("/w/p/CLAUDE.md", "P"),
        (&format!("/w/p/{deep}/CLAUDE.md"), "DEEP"),
        (&format!("/w/p/.claude/rules/{deep}/r.md"), "TOO DEEP"),
        ("/w/p/.claude/rules/up.md", &format!("@{}secret.md", "../".repeat(64))),
    ]);
    let recorded = Recording::new(all);
    let mut session = Session::new(&recorded, setup());
    let start = shown(&session.start());
    assert_eq!(start.len(), 4, "{start:?}");
    assert!(
        start[2].ends_with("there are more folders within one another than are followed"),
        "{start:?}"
    );
    let before = recorded.calls().len();
    let touched = shown(&session.touch(&[format!("{deep}/x.rs")]));
    assert_eq!(touched.len(), 2, "{touched:?}");
    assert!(touched[1].ends_with("there are more folders above a file than are followed"));
    assert!(recorded.calls().len() - before < 6 * limits::NESTED_FOLDERS);
    assert_eq!(outside(&recorded.calls()), [""; 0]);
}

#[test]
fn a_thousand_imports_are_bounded_and_mentions_of_people_are_silent() {
    let many: Vec<_> = (0..1_000).map(|number| format!("@f{number}.md")).collect();
    let many = many.join("\n");
    let loaded = Session::new(files(&[("/w/p/CLAUDE.md", &many)]), setup()).start();
    assert_eq!(loaded.notes.len(), limits::FILE_IMPORTS + 1);
    let people = "ask @alice, @bob. use @types/node, @param and a@b.md";
    let loaded = Session::new(files(&[("/w/p/CLAUDE.md", people)]), setup()).start();
    assert_eq!(loaded.notes, []);
}
